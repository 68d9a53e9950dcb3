// The page around the table: which language and colours, the lobby, the table. Links for others, the replay and what
// debugging needs are modules that are loaded when they are needed.
import {LitElement, html, css, nothing} from "./lit.js";
import {colours} from "./styles.js";
import {SeatLink, call} from "./link.js";

const kept = (key, value) => {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch { return null; }
};

class RulesApp extends LitElement {
  static properties = {
    words: {state: true}, language: {state: true}, link: {state: true}, messages: {state: true}, problem: {state: true},
    absent: {state: true}, next: {state: true}, at: {state: true}, isLost: {state: true}, tokens: {state: true}, colours: {state: true},
    seats: {state: true}, isPlaying: {state: true},
  };
  static styles = [colours, css`
    :host { display: block; min-height: 100vh; background: var(--paper); }
    header { display: flex; gap: 6px 12px; flex-wrap: wrap; align-items: center; padding: 8px 14px; }
    header a { color: inherit; text-decoration: none; display: flex; gap: 8px; align-items: center; }
    h1 { font-size: 1.15rem; margin: 0; }
    header .tools { margin-left: auto; display: flex; gap: 8px; flex-wrap: wrap; }
    select { border: 1px solid var(--line); background: var(--panel); border-radius: 8px; padding: 5px 6px; min-height: 36px; }
    main { padding: 0 10px 16px; max-width: 1500px; margin: auto; display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); }
    .note { padding: 8px 12px; border-radius: 12px; background: var(--panel); display: flex; gap: 10px; flex-wrap: wrap; align-items: center; }
    .lost { background: light-dark(#fde7c9, #4b360f); }
    .invite { display: grid; gap: 8px; }
    .invite li { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
    .invite ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
    code { font-size: .85rem; overflow-wrap: anywhere; }
    .qr { width: 168px; background: #fff; padding: 10px; border-radius: 8px; }
    .scrub { display: grid; gap: 6px; } .scrub input { width: 100%; min-width: 0; accent-color: var(--accent); }
    .row { display: flex; gap: 8px; flex-wrap: wrap; align-items: center; }
    .side-by-side { display: grid; gap: 10px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)); }
    .side-by-side rules-table { --stays: static; }
    main > rules-table { min-height: calc(100vh - 76px); }
    @media (max-width: 599px) { header { padding: 6px 10px; flex-wrap: nowrap; } header a { min-width: 0; } h1 { font-size: 1rem; } header .tools { flex-wrap: nowrap; } header select { max-width: 28vw; font-size: .85rem; } }
    .skip { position: absolute; left: -999px; } .skip:focus { left: 8px; top: 8px; z-index: 99; background: var(--panel); padding: 8px; }
  `];

  constructor() {
    super();
    Object.assign(this, {words: null, link: null, messages: [], problem: "", absent: [], next: null, at: null, isLost: false, tokens: null, seats: [], isPlaying: false, parts: {}});
    this.colours = kept("colours") ?? "auto";
    this.language = new URLSearchParams(location.search).get("lang") ?? kept("language") ?? (navigator.language || "en").slice(0, 2);
    window.addEventListener("hashchange", () => location.reload());
    this.begin();
  }

  async begin() {
    this.dress();
    try {
      const told = await call(`/words/${encodeURIComponent(this.language)}`);
      Object.assign(this, {language: told.language, languages: told.languages, words: told.words});
    } catch { this.words = {}; this.problem = "rulesrun"; return; }
    document.documentElement.lang = this.language;
    document.title = this.t("title");
    const table = location.pathname.match(/^\/t\/([^/]+)/)?.[1];
    await import(table ? "./table.js" : "./lobby.js");
    if (table) this.sit(decodeURIComponent(table));
  }

  t(key, values = {}) { return (this.words?.[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? ""); }

  dress() { document.documentElement.dataset.colours = this.colours; }

  sit(table) {
    this.table = table;
    const query = new URLSearchParams(location.search);
    const token = decodeURIComponent(location.hash.slice(1)) || null;
    try { this.tokens = JSON.parse(sessionStorage.getItem(`tokens:${table}`) ?? "null"); } catch { this.tokens = null; }
    const debug = query.get("seat") === "all";
    const hello = {token, language: this.language};
    this.link = this.follow(new SeatLink(table, hello));
    if (debug) this.link.addEventListener("messages", () => this.sitEverywhere(), {once: true});
  }

  follow(link) {
    link.addEventListener("messages", () => {
      this.messages = link.messages;
      const title = link.messages[0]?.title;
      if (title) document.title = title;
    });
    link.addEventListener("state", () => {
      this.isLost = !link.isOpen;
      document.documentElement.dataset.linked = link.isOpen;
    });
    link.addEventListener("refused", event => { this.problem = event.detail; });
    link.addEventListener("notice", event => {
      if (event.detail.absent) this.absent = event.detail.absent;
      if (event.detail.next) this.next = event.detail.next;
      if (event.detail.trouble) this.problem = event.detail.trouble;
    });
    return link;
  }

  /** With `--debug`: a table for every seat. */
  sitEverywhere() {
    if (this.seats.length) return;
    const players = this.messages[0].players;
    this.seats = Array.from({length: players}, (_, at) => {
      const link = new SeatLink(this.table, {seat: at + 1, language: this.language});
      link.addEventListener("messages", () => this.requestUpdate());
      return {seat: at + 1, link};
    });
  }

  render() {
    if (!this.words) return html`<main aria-busy="true"></main>`;
    const first = this.messages[0];
    return html`<header><a class="skip" href="#" @click=${event => { event.preventDefault(); this.renderRoot.querySelector("main").focus(); }}>${this.t("skip")}</a><a href="/?lang=${this.language}"><img src="/page/icon.svg" width="30" height="30" alt=""><h1>${first?.title ?? this.t("title")}</h1></a>
        <div class="tools">
          <select aria-label=${this.t("language")} @change=${event => this.speak(event.target.value)}>${(this.languages ?? ["en"]).map(one => html`<option value=${one} ?selected=${one === this.language}>${one}</option>`)}</select>
          <select aria-label=${this.t("colours")} @change=${event => { this.colours = kept("colours", event.target.value) ?? event.target.value; this.dress(); }}>${["auto", "light", "dark"].map(one => html`<option value=${one} ?selected=${one === this.colours}>${this.t(`colours-${one}`)}</option>`)}</select>
        </div></header>
      <main tabindex="-1">
        ${this.problem ? html`<p class="note" role="alert">${this.problem}</p>` : nothing}
        ${this.link ? this.renderTable(first) : html`<rules-lobby .words=${this.words} .language=${this.language} @table=${event => this.enter(event.detail)}></rules-lobby>`}
      </main>`;
  }

  speak(language) {
    kept("language", language);
    const query = new URLSearchParams(location.search);
    query.set("lang", language);
    location.search = query;
  }

  enter({table, tokens, seat}) {
    try { sessionStorage.setItem(`tokens:${table}`, JSON.stringify({tokens, seat})); } catch { /* links are then not shown */ }
    location.href = `/t/${table}?lang=${this.language}${seat ? `#${tokens[seat]}` : ""}`;
  }

  renderTable(first) {
    if (!first) return this.isLost ? html`<p class="note lost">${this.t("lost")}</p>` : nothing;
    const isOver = this.messages.findLast(one => one.kind === "end" || one.kind === "undone")?.scores !== undefined;
    if (this.seats.length) return this.part("debug").renderAllSeats?.(this);
    return html`
      ${this.isLost && !this.problem ? html`<p class="note lost" role="status">${this.t("lost")}</p>` : nothing}
      ${this.next ? html`<p class="note" role="status"><a class="primary" href="/t/${this.next}?lang=${this.language}${location.hash}" @click=${() => this.carry()}>${this.t("to-next")}</a></p>` : nothing}
      ${first.you === 0 ? html`<p class="note">${this.t("you-watch")}</p>` : nothing}
      ${this.tokens && !isOver ? this.part("invite").renderInvite?.(this, first) : nothing}
      ${isOver ? this.part("after").renderAfter?.(this, first) : nothing}
      <rules-table .messages=${this.messages} .words=${this.words} .at=${this.at} .absent=${this.absent} .mayHelp=${first.you > 0}
        .ask=${first.you ? (action, values) => this.link.request({do: "why", action, arguments: values}) : null}
        @answer=${event => this.act({do: "answer", ...event.detail})} @undo=${() => this.act({do: "undo"})}
        @agree=${event => this.act({do: "agree", ...event.detail})} @seat=${event => this.act({do: "seat", ...event.detail})}></rules-table>`;
  }

  part(name) {
    if (!this.parts[name]) {
      this.parts[name] = {};
      import(`./${name}.js`).then(found => { this.parts[name] = found; this.requestUpdate(); }, () => { delete this.parts[name]; });
    }
    return this.parts[name];
  }

  async act(what) {
    this.renderRoot.querySelector("rules-table").showReply(await this.link.request(what));
  }

  carry() {
    if (this.tokens && this.next) try { sessionStorage.setItem(`tokens:${this.next}`, JSON.stringify(this.tokens)); } catch { /* not kept */ }
  }
}

customElements.define("rules-app", RulesApp);
