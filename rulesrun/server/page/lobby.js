// Before the game: which rules, which options, who plays.
import {LitElement, html, css, nothing} from "./lit.js";
import {colours} from "./styles.js";
import {call} from "./link.js";

class RulesLobby extends LitElement {
  static properties = {
    words: {attribute: false}, language: {attribute: false}, shelf: {state: true}, rules: {state: true}, players: {state: true},
    options: {state: true}, seats: {state: true}, problem: {state: true}, isBusy: {state: true}, away: {state: true}, wanted: {state: true},
  };
  static styles = [colours, css`
    :host { display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr); }
    section { background: var(--panel); border-radius: 16px; padding: 12px 16px; min-width: 0; }
    h2 { margin: 0 0 8px; font-size: 1.1rem; } h3 { margin: 12px 0 6px; font-size: .95rem; color: var(--soft); }
    .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(clamp(124px, 18vw, 158px), 1fr)); gap: 8px; }
    .tile { text-align: left; border: 1px solid var(--line); border-radius: 12px; padding: 9px 12px; background: light-dark(#fff, #2b3339); box-shadow: 0 1px 2px #0001; cursor: pointer; font-weight: 650; line-height: 1.25; overflow-wrap: anywhere; }
    .tile:hover { border-color: var(--accent); } .tile small { display: block; font-weight: 400; color: var(--soft); margin-top: 2px; }
    .top { display: flex; gap: 8px 16px; flex-wrap: wrap; align-items: center; justify-content: space-between; } .top h2 { margin: 0; } .top input { flex: 0 1 240px; min-width: 0; }
    .tile[aria-pressed="true"] { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent); }
    .row { display: flex; gap: 10px; flex-wrap: wrap; align-items: center; margin: 6px 0; }
    select, input { border: 1px solid var(--line); background: var(--paper); border-radius: 8px; padding: 6px 8px; min-height: 38px; max-width: 100%; }
    .option { border-top: 1px solid var(--line); padding: 8px 0; } .option label { font-weight: 600; display: flex; gap: 10px; flex-wrap: wrap; align-items: center; justify-content: space-between; }
    .note { color: var(--soft); font-size: .88rem; margin: 3px 0 0; overflow-wrap: anywhere; }
    p a { color: var(--accent); display: inline-block; padding: 4px 0; }
    .problem { color: var(--warn); font-weight: 600; }
    .go { position: sticky; bottom: 0; padding: 10px 0; background: linear-gradient(transparent, var(--panel) 30%); }
    @media (min-width: 900px) { :host([chosen]) { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); align-items: start; } #table { position: sticky; top: 8px; } }
  `];

  constructor() {
    super();
    Object.assign(this, {shelf: null, rules: null, players: 2, options: {}, seats: [], problem: "", isBusy: false, away: 120, wanted: ""});
  }

  t(key, values = {}) { return (this.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? ""); }

  async connectedCallback() {
    super.connectedCallback();
    try {
      const told = await call(`/api/rulebooks?language=${this.language}`);
      Object.assign(this, {shelf: told.rulebooks, hasPlayground: told.playground});
      const asked = new URLSearchParams(location.search).get("rules");
      const first = this.shelf.find(one => one.name === asked) ?? (this.shelf.length === 1 ? this.shelf[0] : null);
      if (first) await this.open(first.name);
    } catch (problem) { this.problem = problem.message || this.t("no-answer"); }
  }

  async open(name, players) {
    this.problem = "";
    try {
      const rules = await call(`/api/rulebooks/${name}?language=${this.language}${players ? `&players=${players}` : ""}`);
      if (this.rules?.name !== name) this.options = {};
      this.rules = rules;
      this.players = rules.players.includes(players) ? players : rules.players.find(one => one > 1) ?? rules.players[0];
      if (players === undefined && this.players !== rules.players[0]) return this.open(name, this.players);
      const bot = rules.bots.find(one => one.name === "greedy")?.name ?? rules.bots[0].name;
      this.seats = Array.from({length: this.players}, (_, at) => this.seats[at] ?? (at ? bot : "me"));
      await this.updateComplete;
      if (matchMedia("(max-width: 899px)").matches) this.renderRoot.querySelector("#table")?.scrollIntoView({block: "start"});
    } catch (problem) { this.problem = problem.message; }
    return undefined;
  }

  async sitDown() {
    this.isBusy = true;
    this.problem = "";
    const seats = Object.fromEntries(this.seats.slice(0, this.players).map((who, at) => [at + 1, who]).filter(([, who]) => who !== "me" && who !== "person"));
    try {
      const made = await call(`/api/tables?language=${this.language}`, {
        rules: this.rules.name, players: this.players, seats, options: this.options, away: Number(this.away) || null,
      });
      const seat = this.seats.findIndex(one => one === "me") + 1;
      this.dispatchEvent(new CustomEvent("table", {detail: {...made, seat}}));
    } catch (problem) { this.problem = problem.message; this.isBusy = false; }
  }

  render() {
    const groups = [["games", one => !one.kind], ["classics", one => one.kind === "classics"], ["gallery", one => one.kind === "gallery"],
      ["variants", one => one.kind && one.kind !== "classics" && one.kind !== "gallery"]];
    this.toggleAttribute("chosen", !!this.rules);
    const wanted = this.wanted.toLocaleLowerCase();
    return html`<section><div class="top"><h2>${this.t("choose-rules")}</h2>
      ${(this.shelf ?? []).length > 12 ? html`<input type="search" aria-label=${this.t("find-rules")} placeholder=${this.t("find-rules")} @input=${event => { this.wanted = event.target.value; }}>` : nothing}</div>
      ${this.problem && !this.rules ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${groups.map(([key, fits]) => {
        const books = (this.shelf ?? []).filter(one => fits(one) && one.title.toLocaleLowerCase().includes(wanted));
        const tiles = html`<div class="tiles">${books.map(one => html`<button class="tile" aria-pressed=${this.rules?.name === one.name} data-rules=${one.name} @click=${() => this.open(one.name)}>${one.title}${one.players ? html`<small>${this.t("players-of", {players: one.players})}</small>` : nothing}</button>`)}</div>`;
        if (!books.length) return nothing;
        return key === "variants" ? html`<details ?open=${!!wanted}><summary>${this.t(key)}</summary>${tiles}</details>` : html`${books.length < (this.shelf ?? []).length ? html`<h3>${this.t(key)}</h3>` : nothing}${tiles}`;
      })}
      ${this.hasPlayground ? html`<p><a href="/playground/?lang=${this.language}">${this.t("playground")}</a></p>` : nothing}</section>
      ${this.rules ? this.renderTable() : nothing}`;
  }

  renderTable() {
    const {rules} = this;
    const plain = rules.options.filter(one => !one.is_reading), readings = rules.options.filter(one => one.is_reading);
    return html`<section id="table"><h2>${rules.title}</h2>
      <div class="row"><label>${this.t("players")} <select id="players" @change=${event => this.open(rules.name, Number(event.target.value))}>${rules.players.map(one => html`<option value=${one} ?selected=${one === this.players}>${one}</option>`)}</select></label></div>
      <h3>${this.t("who-plays")}</h3>
      ${Array.from({length: this.players}, (_, at) => html`<div class="row"><label>${this.t("seat", {player: at + 1})}
        <select data-seat=${at + 1} @change=${event => this.setSeat(at, event.target.value)}>
          <option value="me" ?selected=${this.seats[at] === "me"}>${this.t("you")}</option><option value="person" ?selected=${this.seats[at] === "person"}>${this.t("person")}</option>
          ${rules.bots.map(one => html`<option value=${one.name} ?selected=${this.seats[at] === one.name}>${one.label}</option>`)}</select></label>
          ${(rules.bots.find(one => one.name === this.seats[at])?.notes ?? []).map(note => html`<span class="note">${note}</span>`)}</div>`)}
      ${this.seats.slice(0, this.players).includes("person") ? html`<div class="row"><label>${this.t("when-away")} <select @change=${event => { this.away = event.target.value; }}>
        ${[["", "away-wait"], [20, "away-soon"], [120, "away-later"]].map(([value, key]) => html`<option value=${value} ?selected=${String(value) === String(this.away)}>${this.t(key)}</option>`)}</select></label></div>` : nothing}
      ${plain.length ? html`<h3>${this.t("options")}</h3>${plain.map(one => this.renderOption(one))}` : nothing}
      ${readings.length ? html`<details><summary>${this.t("readings")}</summary>${readings.map(one => this.renderOption(one))}</details>` : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <div class="go"><button class="primary" id="sit" ?disabled=${this.isBusy} @click=${() => this.sitDown()}>${this.t("sit-down")}</button></div></section>`;
  }

  /** One of the seats is one's own, or none. */
  setSeat(at, who) {
    this.seats = this.seats.map((one, other) => (other === at ? who : who === "me" && one === "me" ? "person" : one));
  }

  renderOption(option) {
    const value = this.options[option.name] ?? option.value;
    const set = event => {
      const {[option.name]: before, ...others} = this.options;
      this.options = event.target.value === option.value ? others : {...others, [option.name]: event.target.value};
    };
    return html`<div class="option"><label><span>${option.label.replaceAll("_", " ")}</span> ${option.values.length
      ? html`<select data-option=${option.name} @change=${set}>${option.values.map(one => html`<option value=${one.value} ?selected=${one.value === value}>${one.label.replaceAll("_", " ")}</option>`)}</select>`
      : html`<input data-option=${option.name} .value=${value} title=${option.domain} @change=${set}>`}</label>
      ${option.notes.map(note => html`<p class="note">${note}</p>`)}</div>`;
  }
}

customElements.define("rules-lobby", RulesLobby);
