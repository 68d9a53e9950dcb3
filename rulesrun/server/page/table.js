// <rules-table>: a table drawn from a seat's messages alone. Properties: `messages` (all so far), `words` (sentences of
// the page), `at` (a message's number: the table as it was), `ask` (async (action, arguments) => Reply), `absent` (seats),
// `name` (what this table is called, beside others).
// Events: `answer` {question, option}, `undo`, `agree` {yes}, `seat` {seat, bot}.
import {LitElement, html, nothing} from "./lit.js";
import {componentWords, contentsOf, emptyPosition, follow, labelOf} from "./position.js";
import {complete, remaining, targets} from "./choice.js";
import {half, makeLooks, man, mark, seatColour} from "./looks.js";
import {colours, tableStyles} from "./styles.js";

const SHOWN_OPTIONS = 200, FLIGHTS = 12;

export class RulesTable extends LitElement {
  static properties = {
    messages: {attribute: false}, words: {attribute: false}, at: {attribute: false}, ask: {attribute: false},
    absent: {attribute: false}, mayHelp: {attribute: false}, name: {attribute: false}, position: {state: true}, picks: {state: true}, reply: {state: true}, filter: {state: true},
    asking: {state: true}, sent: {state: true},
  };
  static styles = [colours, tableStyles];

  constructor() {
    super();
    Object.assign(this, {
      messages: [], words: {}, at: null, ask: null, absent: [], mayHelp: false, name: "", position: emptyPosition(), picks: [], reply: null, filter: "",
      asking: null, sent: 0, folded: {count: 0, first: null, position: emptyPosition()}, looks: null, spoken: "", parts: {},
    });
    this.addEventListener("keydown", event => {
      if (event.key === "Escape" && this.picks.length) this.picks = [];
    });
  }

  // ---- what there is to draw

  willUpdate(changed) {
    if (!changed.has("messages") && !changed.has("at")) return;
    const before = this.position;
    const upTo = this.at === null ? this.messages : this.messages.filter(one => one.n <= this.at);
    const known = this.folded;
    const isMore = known.first === upTo[0] && known.count <= upTo.length && upTo[known.count - 1] === known.last;
    let position = isMore ? known.position : emptyPosition();
    for (const message of upTo.slice(isMore ? known.count : 0)) position = follow(position, message);
    this.folded = {count: upTo.length, first: upTo[0], last: upTo.at(-1), position};
    this.position = position;
    if (position.table !== before.table) {
      this.looks = position.table ? makeLooks(position.table) : null;
      this.plan = position.table ? planRooms(position.table) : null;
    }
    if (position.question?.question !== before.question?.question || !position.question) {
      Object.assign(this, {picks: [], filter: "", asking: null});
      if (position.question) this.reply = null;
    }
    this.isStep = before.table !== null && before.table === position.table && position.n > before.n;
    if (this.isStep) this.rects = this.measure(position.changes);
    const news = this.isStep ? position.log.filter(one => one.n > before.n) : [];
    if (news.length) this.spoken = news.map(one => one.text).join(" ").slice(0, 900);
    this.live = this.at === null;
    const fresh = position.recent.length ? position.changes : []; // how the table is set up is none
    this.fresh = new Set(fresh.flatMap(one => one.what === "moved" ? [`${one.component}@${one.to}`, `place:${one.to}`]
      : one.what === "became" ? [`value:${one.name}`] : []));
  }

  get options() { return this.live && this.position.question?.open ? this.position.question.options ?? [] : []; }
  get you() { return this.position.table.you; }
  /** What is needed late is fetched late. */
  late(name, render) {
    const found = this.parts[name];
    if (!found) this.parts[name] = import(`./${name}.js`).then(part => { this.parts[name] = part; this.renderRoot.adoptedStyleSheets.push(...(part.styles ? [part.styles.styleSheet] : [])); this.requestUpdate(); });
    return !found || found instanceof Promise ? nothing : render(found);
  }
  t(key, values = {}) {
    return (this.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  }
  /** Of several tables on a page each part says whose table it is. */
  named(label) { return this.name ? `${this.name}: ${label}` : label; }
  label(name) { return labelOf(this.position.table, name); }
  send(type, detail = {}) { this.dispatchEvent(new CustomEvent(type, {detail, bubbles: true, composed: true})); }

  render() {
    const {table, view} = this.position;
    if (!table) return html`<div class="all"><p>${this.t("waiting")}</p></div>`;
    const here = this.options;
    this.now = here.length ? targets(table, here, this.picks) : null;
    this.first = here.length ? (this.picks.length ? targets(table, here, []) : this.now) : null;
    const seats = Array.from({length: table.players}, (_, at) => at + 1);
    const you = table.you, wide = this.plan.rooms.some(one => one.room.per_player && one.room.keys.length && !one.isTrack);
    const isDuel = you && table.players === 2 && this.plan.rooms.some(one => one.room.per_player && one.room.keys.length === 2);
    const others = [...seats.filter(seat => seat > you), ...seats.filter(seat => seat < you)].filter(seat => seat !== you);
    return html`<div class="all">
      <div class="main ${isDuel ? "duel" : ""}">
        ${this.renderStatus(view)}
        ${this.position.end ? this.late("asides", one => one.renderEnd(this)) : nothing}
        ${this.position.stopped ? html`<section class="panel over"><h2>${this.t("stopped")}</h2><p>${this.position.stopped.log?.[0]}</p></section>` : nothing}
        ${others.length ? html`<div class="others ${wide ? "wide" : ""}">${others.map(seat => this.renderSeat(seat, view))}</div>` : nothing}
        ${this.renderCommon(view)}
        ${you ? this.renderSeat(you, view) : nothing}
      </div>
      ${this.renderAction()}
      <div class="side">${this.renderLog()}</div>
      <div class="hidden" role="status" aria-live="polite">${this.spoken}</div>
    </div>`;
  }

  renderStatus(view) {
    const {table} = this.position;
    const {question, end} = this.position;
    return html`<div class="status panel ${question?.open && this.live && !end ? "yours" : ""}">
      ${this.renderTurn(view)}
      ${view?.round ? html`<span class="chip">${this.t("round", {round: view.round})}</span>` : nothing}
      ${view?.phase && table.phases.length > 1 ? html`<span class="chip">${this.label(view.phase)}</span>` : nothing}
      ${this.plan.loose.filter(one => !one.per_player).map(one => this.renderLoose(one, null, view))}
    </div>`;
  }

  renderTurn(view) {
    const {end, question, thinking, held} = this.position;
    if (end) return html`<span class="turn">${this.t("over")}</span>`;
    if (question?.open && question.team) return html`<span class="turn">${this.t("team-turn")}</span>`;
    if (question?.open && !question.together) return html`<span class="turn">${this.badge(this.you)} ${this.t("your-turn")}</span>`;
    if (question?.open || held || thinking.length) return html`<span class="turn">${this.t("all-choose")}</span>`;
    if (view?.player) return html`<span class="turn">${this.badge(view.player)} ${this.t("turn-of", {player: view.player})}</span>`;
    return html`<span class="turn">${this.t("waiting")}</span>`;
  }

  badge(seat) { return html`<span class="badge" style="background:${seatColour(seat)}" aria-hidden="true">${seat}</span>`; }

  // ---- seats and places

  renderSeat(seat, view) {
    const own = seat === this.you;
    const bot = this.position.seats.find(one => one.seat === seat)?.bot;
    const isAsked = this.position.thinking.includes(seat) || (view?.player === seat && !this.position.end);
    const ways = this.now?.seats.get(String(seat));
    return html`<section class="panel seat ${isAsked ? "asked" : ""} ${own ? "own" : "mini"}" data-seat=${seat}
      aria-label=${this.named(this.t(own ? "seat-you" : "seat", {player: seat}))}>
      <div class="who">${this.badge(seat)}<h2 class="name">${this.t(own ? "seat-you" : "seat", {player: seat})}</h2>
        ${bot ? html`<small>${this.label(bot)}</small>` : this.absent.includes(seat) ? html`<small>${this.t("away")}</small>` : nothing}
        ${isAsked && this.position.thinking.length ? html`<small>${this.t("thinks")}</small>` : nothing}
        ${this.renderHelp(seat, bot, own)}
        ${ways ? html`<button class="plain" @click=${() => this.pick(`seat:${seat}`, ways, true)}>${this.t("choose-player", {player: seat})}</button>` : nothing}
        ${view?.scores && this.position.table.scores.length ? html`<span class="points" title=${this.t("points")}><span class="hidden">${this.t("points")}: </span>${view.scores[seat]}</span>` : nothing}
      </div>
      <div class="chips">${this.plan.loose.filter(one => one.per_player).map(one => this.renderLoose(one, seat, view))}</div>
      <div class="rooms">${this.plan.rooms.filter(one => one.room.per_player && !one.isTrack).map(one => this.renderRoom(one, seat, view, own))}</div>
    </section>`;
  }

  renderHelp(seat, bot, own) {
    if (!this.live || this.position.end || !this.mayHelp) return nothing;
    if (own && bot) return html`<button class="plain" @click=${() => this.send("seat", {seat, bot: null})}>${this.t("take-back")}</button>`;
    if (!own && !bot && this.absent.includes(seat))
      return html`<button class="plain" @click=${() => this.send("seat", {seat, bot: "greedy"})}>${this.t("let-bot-play")}</button>`;
    return nothing;
  }

  renderCommon(view) {
    const rooms = this.plan.rooms.filter(one => !one.room.per_player || one.isTrack);
    if (!rooms.length && !this.position.shown) return nothing;
    return html`<section class="common panel" aria-label=${this.named(this.t("middle"))}><h2 class="hidden">${this.t("middle")}</h2>
      ${rooms.map(one => this.renderRoom(one, null, view, true))}
      ${(this.position.shown ?? []).map(one => one.variable ? html`<div class="room"><h3>${this.t("shown")} · ${this.placeWords(one.variable)}</h3>
        <p>${this.valueWords(this.position.table.variables.find(room => room.places.some(place => place.name === one.variable)), one.value)}</p></div>` : html`<div class="room"><h3>${this.t("shown")}${one.zone ? ` · ${this.placeWords(one.zone)}` : ""}</h3>
        <ul class="cards">${one.components.map(name => html`<li>${this.renderCard(this.kindOf(null, name), name, {})}</li>`)}</ul></div>`)}
    </section>`;
  }

  placeWords(name) {
    if (name.startsWith("top of ")) return this.t("top-of", {zone: this.placeWords(name.slice(7))});
    for (const room of [...this.position.table.zones, ...this.position.table.variables]) {
      const place = room.places.find(one => one.name === name);
      if (place) return [this.label(room.name), ...place.keys.map(key => this.label(key)), ...(place.owner ? [this.t("of-player", {player: place.owner})] : [])].join(" ");
    }
    return name;
  }

  placeKeys(name) {
    const found = [...this.position.table.zones, ...this.position.table.variables].flatMap(room => room.places).find(one => one.name === name);
    return (found?.keys ?? []).map(key => this.label(key)).join(" ") || this.placeWords(name);
  }

  /** A number, a mark, a word: beside the table, where it says something. */
  renderLoose(room, seat, view) {
    return room.places.filter(place => place.owner === seat).map(place => {
      const value = view?.variables?.[place.name];
      const nothingToSay = value === undefined || value === null || value === "no" || (Array.isArray(value) && !value.length);
      if (nothingToSay) return nothing;
      const name = [this.headOf(room), ...place.keys.map(key => ` ${this.label(key)}`)];
      const fresh = this.fresh.has(`value:${place.name}`) ? "fresh" : "";
      if (value === "yes") return html`<span class="chip ${fresh}">${name}</span>`;
      const limit = room.type === "number" && room.high !== null && room.high <= 12 && room.low === 0 ? `/${room.high}` : "";
      return html`<span class="chip ${fresh}" data-place=${place.name}>${name}: <b>${this.valueWords(room, value)}${limit}</b></span>`;
    });
  }

  valueWords(room, value) {
    if (Array.isArray(value)) return value.map(one => this.valueWords(room, one)).join(" · ");
    if (value === null || value === undefined) return "–";
    if (room.type === "player") return this.t("seat", {player: value});
    return typeof value === "string" ? componentWords(this.position.table, value) : String(value);
  }

  renderRoom(plan, seat, view, own) {
    const {room, attached, isZone} = plan;
    const places = room.places.filter(place => place.owner === seat);
    const name = this.headOf(room), hint = this.hintOf(room);
    if (plan.isTrack) return this.late("boards", one => one.renderTrack(this, room, view, name));
    if (room.keys.length === 2 || room.board) return this.late("boards", one => one.renderBoard(this, plan, seat, view, name));
    if (room.keys.length === 1) {
      return html`<div class="room ${hint.classes}" style=${hint.style}><h3>${name}</h3><div class="cells ${hint.words.has("circuit") ? "circuit" : ""}">${places.map((place, at) => this.renderCell(room, attached, place, at, view, isZone, own))}</div></div>`;
    }
    const [place] = places;
    const names = contentsOf(view?.zones?.[place.name]), count = names.length;
    const isHand = own && seat !== null && room.kind === "set" && room.visibility === "private";
    return html`<div style=${hint.style} class="room ${hint.classes} ${isHand ? "grow" : ""} ${own && !isHand && room.kind !== "pile" && new Set(names).size > 8 && !this.hasLit(room, place, view) ? "mini" : ""}" data-place=${place.name}>
      <h3>${name}${count > 1 && room.kind !== "place" ? ` · ${count}` : ""}</h3>${this.renderContents(room, place, view)}</div>`;
  }

  /** What the rules say of the look of a zone or value. */
  hintOf(room) {
    const {colours = {}, layout = {}} = this.position.table.look ?? {}, words = new Set((layout[room.name] ?? "").split(/\s+/));
    const classes = [words.has("line") ? "grow" : "", words.has("large") ? "large" : "", words.has("small") ? "mini" : "", colours[room.name] ? "tinted" : ""];
    return {words, classes: classes.join(" "), style: colours[room.name] ? `border-color:${colours[room.name]}` : ""};
  }

  headOf(room) {
    const symbol = this.position.table.look?.symbols?.[room.name];
    return symbol ? html`<span aria-hidden="true">${symbol} </span>${this.label(room.name)}` : this.label(room.name);
  }

  hasLit(room, place, view) {
    return contentsOf(view?.zones?.[place.name]).some(name => this.waysOf(name, room, place, this.now));
  }

  /** Keyed places side by side: each with its key, what is said of it, and what lies there. */
  renderCell(room, attached, place, at, view, isZone, own) {
    const ways = this.now?.places.get(place.name), soft = !ways && this.first?.places.get(place.name);
    const all = ways ?? soft ?? attachedWays(this.now, attached, place);
    const key = `place:${place.name}`;
    const label = this.label(place.keys[0]), click = () => this.pick(key, all);
    const classes = `cell ${ways ? "lit" : ""} ${this.isPicked(key) ? "picked" : ""} ${this.isFresh(place.name) ? "fresh" : ""}`;
    return html`<div class=${classes} style=${this.hintOf(room).words.has("circuit") ? this.late("boards", one => one.inCircuit(this.position.table, room.places.length, at)) : nothing} data-place=${place.name} ?data-drop=${!!all} @click=${event => { if (all && !event.target.closest("button")) click(); }}>
      ${all ? html`<button class="key" aria-pressed=${this.isPicked(key)} @click=${click}><span class="hidden">${this.label(room.name)} </span>${label}</button>` : html`<span class="key">${label}</span>`}
      ${attached.map(one => this.renderTag(one, place, at, view))}
      ${isZone ? this.renderContents(room, place, view) : this.renderValue(room, view?.variables?.[place.name])}</div>`;
  }

  renderTag(variable, place, at, view) {
    const own = variable.places.find(one => one.owner === place.owner && String(one.keys) === String(place.keys));
    const value = own ? view?.variables?.[own.name] : view?.variables?.[variable.places.find(one => one.owner === place.owner || one.owner === null)?.name]?.[at];
    if (value === null || value === undefined || value === "no") return nothing;
    const name = this.label(variable.name);
    return html`<span class="tag">${value === "yes" ? name : html`${name} <b>${variable.type === "player" ? this.badge(value) : this.valueWords(variable, value)}</b>`}</span>`;
  }

  renderValue(room, value) {
    if (this.hintOf(room).words.has("dice") && value > 0) return html`<span class="card halved die"><span class="hidden">${value}</span>${half(value)}</span>`;
    if (room.type === "number" && room.low >= 0 && (room.high <= 24 || (value <= 24 && this.hintOf(room).words.has("circuit")))) {
      return html`<span class="amount ${value ? "" : "none"}">${value}</span><span class="pips" aria-hidden="true">${Array.from({length: value ?? 0}, () => html`<i></i>`)}</span>`;
    }
    if (room.type === "player" && value) return man(value);
    return html`<span class="amount">${this.valueWords(room, value)}</span>`;
  }

  isFresh(place) { return this.fresh.has(`place:${place}`); }
  isPicked(key) { return this.picks.some(one => one.key === key); }

  // ---- components

  kindOf(room, name) {
    if (room) return room.component.split(" or ").map(one => this.looks.kinds.get(`${one}/${name}`)).find(Boolean);
    for (const [key, kind] of this.looks.kinds) if (key.endsWith(`/${name}`)) return kind;
    return undefined;
  }

  waysOf(name, room, place, from) {
    if (!from || name === null) return null;
    const ways = from.components.get(`${name}@${room.name}`) ?? from.components.get(`${name}@`);
    if (!ways) return null;
    if (place.owner !== null && place.owner !== this.you && from.components.has(`${name}@${room.name}`)) {
      const own = room.places.filter(one => one.owner === this.you);
      if (own.some(one => contentsOf(this.position.view.zones[one.name]).includes(name))) return null;
    }
    return ways;
  }

  renderContents(room, place, view) {
    const content = view?.zones?.[place.name];
    const names = contentsOf(content);
    const noun = this.position.table.components.find(one => room.component.split(" or ").includes(one.name))?.noun ?? "card";
    const title = `${this.placeWords(place.name)}: ${names.length}`, {words} = this.hintOf(room);
    const isPile = words.has("stack") || (room.kind === "pile" && !words.has("spread"));
    if (!names.length) return html`<div class="cards"><span class="card slot ${noun === "token" ? "token" : ""}" role="img" aria-label="${this.placeWords(place.name)}: ${this.t("empty")}">${this.t("empty")}</span></div>`;
    if (names.every(one => one === null)) {
      if (isPile) return html`<div class="cards stack"><span class="card back ${noun}" role="img" aria-label=${title}>${names.length}</span></div>`;
      return html`<div class="fan" role="img" aria-label=${title}>${names.slice(0, 6).map(() => html`<span class="card back ${noun}"></span>`)}${names.length > 1 ? html`<span class="times">×${names.length}</span>` : nothing}</div>`;
    }
    if (isPile && names.length > 1 && names.slice(0, -1).every(one => one === null)) {
      return html`<div class="cards stack">${this.renderOne(room, place, names.at(-1), names.length - 1)}</div>`;
    }
    if (isPile) return this.renderPile(room, place, names);
    const groups = groupAlike(names);
    const hasCopies = groups.length < names.length;
    return html`<ul class="cards">${(hasCopies ? groups : names.map((name, at) => ({name, count: 1, at}))).map(one => html`<li class="several">
      ${this.renderOne(room, place, one.name, one.at, one.count)}${one.count > 1 ? html`<span class="times">${this.amountPicked(room, place, one)}×${one.count}</span>` : nothing}</li>`)}</ul>`;
  }

  /** The top one whole, of those below the upper edge. */
  renderPile(room, place, names) {
    const lit = names.findIndex((name, at) => at < names.length - 1 && this.waysOf(name, room, place, this.now));
    const from = lit >= 0 ? Math.min(lit, Math.max(0, names.length - 4)) : Math.max(0, names.length - 4);
    return html`<div class="pile">${from > 0 ? html`<span class="under">+${from}</span>` : nothing}
      ${names.slice(from).map((name, at) => this.renderOne(room, place, name, from + at))}</div>`;
  }

  /** How many of several that are equal are picked. */
  amountPicked(room, place, {name, at}) {
    const picked = this.picks.filter(one => one.key === keyOf(name, place, at)).length;
    return picked ? html`<b>${picked}</b> / ` : nothing;
  }

  renderOne(room, place, name, at, copies = 1) {
    const ways = this.waysOf(name, room, place, this.now), soft = !ways && this.waysOf(name, room, place, this.first);
    const key = keyOf(name, place, at);
    return this.renderCard(this.kindOf(room, name), name, {
      key, copies, ways: ways ?? soft ?? null, isLit: !!ways, isFresh: this.fresh.has(`${name}@${place.name}`), room, place,
    });
  }

  renderCard(kind, name, {key, ways, copies = 1, isLit, isFresh, room, place}) {
    if (name === null || !kind) return html`<span class="card back" role="img" aria-label=${this.t("face-down")}></span>`;
    const words = componentWords(this.position.table, name);
    const more = kind.others.filter(([, value]) => value !== null && value !== 0 && value !== "no" && String(value) !== String(kind.number));
    const dress = kind.dress;
    const figure = kind.number !== null && !kind.isNamed ? [this.figure(kind), ...(dress ? [this.label(kind.colour)] : [])] : [words];
    const title = [figure.join(" "), ...more.map(([one, value]) => `${this.signed(kind, one, value)} ${this.label(one)}`)].join(" ");
    const picked = key && this.isPicked(key);
    const classes = `card ${kind.noun} ${dress ? "" : "bare"} ${kind.halves ? "halved" : ""} ${isLit ? "lit" : ways ? "soft" : ""} ${picked ? "picked" : ""} ${isFresh ? "fresh" : ""}`;
    const tint = dress ? `--fill:${dress.fill};--on:${dress.ink};--figure:${dress.figure}`
      : kind.part !== null ? `background:linear-gradient(160deg,#fffdf6,hsl(${Math.round(205 - 190 * kind.part)} 55% 88%))` : "";
    const inner = html`<span aria-hidden="true" class="face">${this.renderFace(kind, words, dress, more)}</span>`;
    if (!ways) return html`<span class=${classes} style=${tint} role="img" aria-label=${title} title=${title} data-name=${name}>${inner}</span>`;
    return html`<button class=${classes} style=${tint} title=${title} aria-pressed=${picked ? "true" : "false"} data-name=${name} data-drop ?data-more=${picked && isLit && copies > 1}
      @click=${() => this.pick(key, ways, false, copies)} @pointerdown=${event => this.beginDrag(event, key, ways)}><span class="hidden">${title}</span>${inner}</button>`;
  }

  renderFace(kind, words, dress, more) {
    if (kind.halves) return kind.halves.map(half);
    const shown = dress ? mark(dress) : kind.symbol ? mark(kind) : nothing;
    const called = dress && this.label(kind.colour), colour = dress ? html`<span class="word ${called.length > 7 ? "long" : ""}">${called}</span>` : nothing;
    if (kind.isNamed) {
      return html`<span class="corner">${shown}</span><span class="title" lang=${this.position.table.language}>${words}</span>
        ${more.filter(([, value]) => typeof value === "number").slice(0, 1).map(([, value]) => html`<span class="extra">${value}</span>`)}`;
    }
    const extra = more.filter(([, value]) => typeof value === "number").slice(0, 1).map(([name, value]) => html`<span class="extra">${this.signed(kind, name, value)}</span>`);
    const number = kind.number === null ? nothing : this.figure(kind);
    if (kind.noun === "token") return html`<span class="corner">${shown}${number}</span> <span class="middle">${kind.number === null ? shown : number}</span> ${colour === nothing ? html`<span class="word">${words}</span>` : colour}`;
    const middle = shown !== nothing ? html`<span class="middle">${kind.court ? html`<b>${kind.court}</b>` : nothing}${shown}</span>` : html`<span class="middle plain-middle">${kind.number === null ? words : number}</span>`;
    return html`<span class="corner">${number}${shown}</span> ${middle} ${colour} ${extra}`;
  }

  figure(kind) { return typeof kind.number === "number" ? kind.number : this.label(kind.number); }

  signed(kind, name, value) {
    if (typeof value !== "number") return this.label(value);
    const hasMinus = [...this.looks.kinds.values()].some(one => one.noun === kind.noun && one.others.some(([other, known]) => other === name && known < 0));
    return value > 0 && hasMinus ? `+${value}` : String(value);
  }

  // ---- choosing

  pick(key, ways, isButton = false, copies = 1) {
    const options = this.options;
    if (this.sent === this.position.question?.question) return;
    this.reply = null;
    const already = this.picks.filter(one => one.key === key).length;
    if (already && !(already < copies && remaining(options, [...this.picks, {key, ways}]).length)) {
      const whole = complete(options, this.picks);
      if (whole && this.picks.at(-1).key === key) return this.choose(whole.option);
      this.picks = this.picks.slice(0, this.picks.findIndex(one => one.key === key));
      return undefined;
    }
    const tries = [[...this.picks, {key, ways}], ...this.picks.map((_, at) => this.picks.toSpliced(this.picks.length - 1 - at, 1, {key, ways})), [{key, ways}]];
    this.picks = tries.find(one => remaining(options, one).length) ?? [];
    const whole = complete(options, this.picks);
    if (whole && (isButton || this.picks.length > 1)) this.choose(whole.option);
    return undefined;
  }

  choose(option) {
    const {question} = this.position.question;
    this.sent = question;
    this.send("answer", {question, option});
    setTimeout(() => { if (this.sent === question) this.sent = 0; }, 1500);
  }

  /** The host tells what came of it; a refusal is shown. What was accepted comes as messages: until then nothing else is sent. */
  showReply(reply) {
    if (!reply?.accepted) this.sent = 0;
    this.reply = reply && !reply.accepted ? reply : null;
  }

  beginDrag(event, key, ways) {
    if (event.pointerType === "touch" || event.button !== 0) return;
    const card = event.currentTarget, from = card.getBoundingClientRect();
    const start = {x: event.clientX, y: event.clientY};
    let ghost = null;
    const move = now => {
      if (!ghost && Math.hypot(now.clientX - start.x, now.clientY - start.y) < 8) return;
      if (!ghost) {
        ghost = card.cloneNode(true);
        ghost.classList.add("fly");
        ghost.style.cssText += `;left:${from.left}px;top:${from.top}px;opacity:.9`;
        this.renderRoot.append(ghost);
        if (!this.isPicked(key)) this.pick(key, ways);
      }
      ghost.style.transform = `translate(${now.clientX - start.x}px,${now.clientY - start.y}px) rotate(3deg)`;
    };
    const end = now => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      if (now.type === "pointerup") this.drop(now, card);
      // The click that a browser makes of letting go is none.
      const swallow = stop => { stop.stopPropagation(); stop.preventDefault(); };
      window.addEventListener("click", swallow, true);
      setTimeout(() => window.removeEventListener("click", swallow, true));
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  drop(event, card) {
    const under = this.renderRoot.elementFromPoint(event.clientX, event.clientY);
    const target = under?.closest("[data-drop]");
    if (target && target !== card) target.click();
    else if (under && under.closest("[data-place]") !== card.closest("[data-place]") && under.closest(".main")) {
      const whole = complete(this.options, this.picks);
      if (whole) this.choose(whole.option);
    }
  }

  renderAction() {
    const {held, undoAsked, recent, end, undo} = this.position;
    if (!this.live || (end && undo === "no" && !undoAsked && !this.reply)) return nothing;
    const options = this.options;
    return html`<section class="panel action ${end ? "done" : ""}" aria-label=${this.named(this.t("your-choice"))}>
      ${this.picks.length || end ? nothing : (recent.length > 1 ? recent.slice(1).slice(-3) : recent).map(one => html`<div class="last">${one.text} <small>${one.more.slice(0, 3).join(" · ")}</small></div>`)}
      ${undoAsked ? this.renderUndoAsked(undoAsked) : nothing}
      ${options.length ? this.renderChoice(options, this.renderExtras(options)) : html`<div class="prompt">${held ? this.t("held") : this.waitingWords()}</div>`}
      ${this.reply ? html`<div class="why" role="alert">${this.reply.reason}${this.reply.rule ? html`<code>${this.reply.line ? `${this.reply.line}: ` : ""}${this.reply.rule}</code>` : nothing}${this.reply.reasons ? html`<code>${this.reply.reasons.join("\n")}</code>` : nothing}</div>` : nothing}
      ${options.length ? nothing : html`<div class="row">${this.renderExtras(options)}</div>`}
      ${this.asking ? this.late("asides", one => one.renderWhy(this)) : nothing}
    </section>`;
  }

  renderExtras(options) {
    return html`<span class="extras">${options.length && this.ask ? html`<button class="quiet" @click=${() => this.openWhy()}>${this.t("why-not")}</button>` : nothing}
      ${this.you && this.position.undo !== "no" ? html`<button class="quiet" title=${this.position.undo === "freely" ? nothing : this.t("undo-asks")} @click=${() => this.send("undo")}>${this.t(this.position.undo === "freely" ? "undo" : "undo-asking")}</button>` : nothing}</span>`;
  }

  waitingWords() {
    const {view, thinking, end} = this.position;
    if (end) return this.t("over");
    if (thinking.length) return this.t("still-thinking", {players: thinking.map(seat => this.t("seat", {player: seat})).join(", ")});
    return view?.player ? this.t("wait-for", {player: view.player}) : this.t("waiting");
  }

  renderUndoAsked(asked) {
    return html`<div class="row"><span>${this.t("undo-wanted", {player: asked.by})}</span>
      ${asked.waiting.includes(this.you) ? html`<button class="primary" @click=${() => this.send("agree", {yes: true})}>${this.t("agree")}</button>
        <button class="plain" @click=${() => this.send("agree", {yes: false})}>${this.t("refuse")}</button>` : nothing}</div>`;
  }

  renderChoice(options, extras) {
    const left = remaining(options, this.picks), whole = complete(options, this.picks);
    const actions = [...this.now.actions.keys()];
    const {question} = this.position, busy = this.sent === question.question;
    const picked = left.length < options.length || this.picks.length;
    // All is picked, and may still mean several things: which card goes to whom.
    const {components, places, seats, values} = this.now, isNarrow = this.picks.length && !whole && left.length < 9 && !(components.size + places.size + seats.size + values.length);
    const filter = this.filter.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const listed = left.filter(one => filter.every(part => one.words.toLocaleLowerCase().includes(part)));
    return html`<div class="prompt">${whole ? this.t("ready") : picked ? this.pickedWords(left) : this.t(question.team ? "team-chooses" : question.together ? "choose-secretly" : "choose-now")}</div>
      <div class="row">
        ${whole ? html`<button class="primary" id="confirm" ?disabled=${busy} @click=${() => this.choose(whole.option)}>${whole.words}</button>` : nothing}
        ${isNarrow ? left.map(one => html`<button class="primary" ?disabled=${busy} @click=${() => this.choose(one.option)}>${this.longWords(one)}</button>`) : nothing}
        ${whole || isNarrow ? nothing : actions.map(name => this.renderActionButton(name, left, actions.length, busy))}
        ${whole ? nothing : this.renderValues(actions)}
        ${this.picks.length ? html`<button class="plain" @click=${() => { this.picks = []; }}>${this.t("clear")}</button>` : nothing}
        ${this.picks.length ? nothing : this.renderMissing(actions)}
      </div>
      <div class="foot"><details class="every"><summary>${this.t("all-options", {count: left.length})}</summary>
        ${left.length > 12 ? html`<input type="search" aria-label=${this.t("filter")} placeholder=${this.t("filter")} .value=${this.filter} @input=${event => { this.filter = event.target.value; }}>` : nothing}
        <div class="list" role="group" aria-label=${this.t("all-options", {count: left.length})}>${listed.slice(0, SHOWN_OPTIONS).map(one => html`<button class="plain option" data-option=${one.option} ?disabled=${busy} @click=${() => this.choose(one.option)}>${one.words}</button>`)}
        ${listed.length > SHOWN_OPTIONS ? html`<span>${this.t("more-options", {count: listed.length - SHOWN_OPTIONS})}</span>` : nothing}</div>
      </details>${extras}</div>`;
  }

  /** An option with the name of each of its parts. */
  longWords({action, arguments: values}) {
    const said = value => [value].flat().map(one => (typeof one === "string" ? componentWords(this.position.table, one) : String(one))).join(" + ");
    return `${this.label(action)}: ${Object.entries(values).map(([name, value]) => `${this.label(name)} ${said(value)}`).join(", ")}`;
  }

  /** What is picked so far, in words. */
  pickedWords(left) {
    const names = this.picks.map(({key}) => (key.startsWith("component:") ? componentWords(this.position.table, key.slice(10, key.lastIndexOf("@"))) : key.startsWith("place:") ? this.placeKeys(key.slice(6)) : key.startsWith("value:") ? this.label(key.slice(key.indexOf("=") + 1)) : "")).filter(Boolean);
    const action = left.every(one => one.action === left[0].action) ? `${this.label(left[0].action)} ` : "";
    return `${action}${names.join(", ")} … ${this.t("go-on")}`;
  }

  renderActionButton(name, left, amount, busy) {
    const ways = left.filter(one => one.action === name);
    if (ways.length === 1) return html`<button class=${this.picks.length ? "primary" : "plain"} ?disabled=${busy} data-action=${name} @click=${() => this.choose(ways[0].option)}>${ways[0].words}</button>`;
    if (amount === 1 && this.picks.length) return nothing;
    if (amount === 1) return html`<span class="doing">${this.label(name)} …</span>`;
    return html`<button class="plain" data-action=${name} @click=${() => this.pick(`action:${name}`, this.now.actions.get(name), true)}>${this.label(name)} …</button>`;
  }

  renderValues(actions) {
    const groups = new Map();
    for (const one of this.now.values) {
      if (actions.length > 1 && one.ways.length < 1) continue;
      groups.set(one.name, [...(groups.get(one.name) ?? []), one]);
    }
    const placed = new Set([...this.now.places.values()].flat().flatMap(way => Object.entries(way.arguments).map(String)));
    return [...groups].filter(([name, values]) => values.length <= 30 && !values.every(one => placed.has(String([name, one.value])))).map(([name, values]) => html`<span class="chips" role="group" aria-label=${this.label(name)}><span>${this.label(name)}:</span>
      ${values.map(one => {
        const dress = this.looks.values.get(one.value);
        return html`<button class="plain" @click=${() => this.pick(`value:${name}=${one.value}`, one.ways, true)}>${dress ? html`<span style="display:inline-block;color:${dress.fill};vertical-align:-2px">${mark(dress)}</span> ` : nothing}${typeof one.value === "string" ? this.label(one.value) : one.value}</button>`;
      })}</span>`);
  }

  /** Actions that are not offered: they can be asked for the reason. */
  renderMissing(actions) {
    if (!this.ask || this.position.question.together) return nothing;
    const missing = this.position.table.actions.filter(one => !actions.includes(one.name));
    if (missing.length > 5) return nothing;
    return missing.map(one => html`<button class="plain no" title=${this.t("why-not")} @click=${() => one.choices.length ? this.openWhy(one.name) : this.askWhy(one.name, {})}>${this.label(one.name)} ?</button>`);
  }

  openWhy(action) {
    this.asking = {action: action ?? this.position.table.actions[0]?.name, values: {}};
    this.reply = null;
  }

  async askWhy(action, values) {
    const reply = await this.ask(action, values);
    this.reply = reply.accepted ? {...reply, accepted: false, reason: this.t("is-offered")} : reply;
  }

  // ---- log, end

  renderLog() {
    const log = this.position.log.slice(-150);
    return html`<section class="panel"><details ?open=${matchMedia("(min-width: 900px)").matches}><summary><h2 style="display:inline">${this.t("log")}</h2></summary>
      <ol class="log" tabindex="0" aria-label=${this.t("log")} style="list-style:none;padding:0;margin:0">${log.map(one => html`<li class=${one.kind}>${one.text}</li>`)}</ol></details></section>`;
  }

  // ---- moving

  placeElement(name) { return name ? this.renderRoot.querySelector(`[data-place="${CSS.escape(name)}"]`) : null; }

  measure(changes) {
    if (!this.hasUpdated || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return [];
    return changes.filter(one => one.what === "moved" && one.from && one.to).slice(0, FLIGHTS).map(one => {
      const room = this.placeElement(one.from);
      const card = room && (one.component ? room.querySelector(`[data-name="${CSS.escape(one.component)}"]`) : room.querySelector(".card.back, .card"));
      const rect = (card ?? room)?.getBoundingClientRect();
      return rect && rect.width ? {...one, rect} : null;
    }).filter(Boolean);
  }

  updated() {
    const log = this.renderRoot.querySelector(".log");
    if (log && this.isStep) log.scrollTop = log.scrollHeight;
    for (const one of this.rects ?? []) this.fly(one);
    this.rects = [];
    this.isStep = false;
  }

  fly({component, to, rect}) {
    const room = this.placeElement(to);
    if (!room) return;
    const card = (component ? room.querySelector(`[data-name="${CSS.escape(component)}"]`) : room.querySelector(".card.back")) ?? room.querySelector(".card:not(.slot)");
    if (!card?.animate) return;
    const end = card.getBoundingClientRect();
    if (!end.width) return;
    card.animate([
      {transform: `translate(${rect.left - end.left}px,${rect.top - end.top}px) scale(${rect.width / end.width || 1})`, transformOrigin: "0 0", zIndex: 20, position: "relative"},
      {transform: "none", transformOrigin: "0 0", zIndex: 20, position: "relative"},
    ], {duration: 380, easing: "cubic-bezier(.2,.8,.3,1)"});
  }
}

function attachedWays(now, attached, place) {
  for (const variable of attached) {
    const own = variable.places.find(one => one.owner === place.owner && String(one.keys) === String(place.keys));
    const ways = own && now?.places.get(own.name);
    if (ways) return ways;
  }
  return null;
}

const keyOf = (name, place, at) => `component:${name}@${place.name}#${at}`;

function groupAlike(names) {
  const found = new Map();
  names.forEach((name, at) => {
    const known = found.get(name);
    if (known) known.count += 1; else found.set(name, {name, count: 1, at});
  });
  return [...found.values()];
}

/** Rooms as they are drawn: values with the keys of a place lie on it, lines round a board belong to it. */
function planRooms(table) {
  const rooms = table.zones.map(room => ({room, attached: [], over: [], isZone: true})), loose = [], later = [];
  const hints = room => (table.look?.layout?.[room.name] ?? "").split(/\s+/);
  for (const variable of table.variables.filter(one => !hints(one).includes("unseen"))) {
    const width = variable.keys.length;
    const home = rooms.find(({room, isZone}) => isZone && room.keys.length === 1 && (
      (width === 1 && room.keys[0] === variable.keys[0] && room.per_player === variable.per_player)
      || (!width && variable.type === `several ${room.keys[0]}` && !variable.per_player)));
    const board = (width === 2 || variable.board) && rooms.find(({room}) => String(room.keys) === String(variable.keys) && room.per_player === variable.per_player);
    if (home) home.attached.push(variable);
    else if (board) board.over.push(variable);
    else if (width === 3 && hints(variable).includes("edges")) later.push(variable);
    else if (width === 2 || variable.board || (width === 1 && variable.type !== "truth")) rooms.push({room: variable, attached: [], over: [], isZone: false, isTrack: variable.per_player && table.players === 2 && hints(variable).includes("track")});
    else loose.push(variable);
  }
  for (const lines of later) {
    const board = rooms.find(({room}) => room.keys.length === 2 && [0, 1].every(at => sizeOf(room, at) + 1 === sizeOf(lines, at + 1)));
    if (board) board.edges = lines; else loose.push(lines);
  }
  return {rooms, loose};
}

const sizeOf = (room, at) => new Set(room.places.map(place => place.keys[at])).size;

customElements.define("rules-table", RulesTable);
