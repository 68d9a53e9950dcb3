// Boards: what has a board or two keys as squares, hexagons or rings; lines between squares; places that stand in a circuit.
import {css, html, nothing, svg} from "./lit.js";
import {componentWords, contentsOf} from "./position.js";
import {man, seatColour} from "./looks.js";

const AROUND = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]];

/** What stands on a square, as it is drawn and as it is said. `null`: unknown to this seat. */
function standing(host, room, isZone, place, view) {
  if (isZone) return {inner: host.renderContents(room, place, view), said: contentsOf(view?.zones?.[place.name]).map(one => componentWords(host.position.table, one)).join(", ")};
  const value = view?.variables?.[place.name], {symbols = {}, colours = {}} = host.position.table.look ?? {};
  if (value === undefined) return null;
  if (value === "yes" || value === "no") return value === "no" ? {said: ""} : {inner: html`<span class="badge-over">${symbols[room.name] ?? "★"}</span>`, said: host.label(room.name)};
  if (value === null || (room.type !== "player" && value === room.start)) return {said: value === null ? "" : host.valueWords(room, value)};
  if (room.type === "player") return {inner: man(value), said: host.valueWords(room, value)};
  const symbol = symbols[value];
  return {inner: html`<span class=${symbol ? "glyph" : "worth"} style=${colours[value] ? `--own:${colours[value]}` : ""}>${symbol ?? host.valueWords(room, value)}</span>`, said: host.valueWords(room, value)};
}

export function renderBoard(host, {room, over, edges, isZone}, seat, view, name) {
  const layers = [room, ...over].map((one, at) => ({room: one, isZone: isZone && !at, places: one.places.filter(place => place.owner === seat)}));
  const {places} = layers[0], {board} = room, columns = board ? board.columns.length : new Set(places.map(one => one.keys[1])).size, rows = board ? board.rows.length : places.length / columns;
  if (layers.every(one => !one.isZone && one.places.every(place => view?.variables?.[place.name] === undefined))) return nothing;
  const {classes, style, words} = host.hintOf(room), isNested = words.has("nested") && columns === 8;
  const shapes = [...(edges ? ["edges"] : isNested ? ["nested"] : ["hexagons", "checkered"].filter(one => words.has(one) || board?.shape === one)), ...(board?.shape === "lines" ? ["nested"] : []), ...(words.has("sides") ? ["sides"] : [])];
  const size = isNested ? 2 * rows + 1 : 0;
  const squares = places.map((place, at) => {
    const row = board ? board.rows.indexOf(place.cell[0]) : Math.floor(at / columns), column = board ? board.columns.indexOf(place.cell[1]) : at % columns, distance = rows - row, [x, y] = AROUND[column] ?? [];
    const where = isNested ? `grid-area:${rows + 1 + y * distance}/${rows + 1 + x * distance}` : edges ? `grid-area:${2 * row + 2}/${2 * column + 2}` : `${board && board.shape !== "hexagons" ? `grid-area:${row + 1}/${column + 1};` : ""}--row:${row};--column:${column}`;
    const near = [((board ? rows - 1 - row : row) + column) % 2 ? "" : "even", row ? row === rows - 1 ? "low end" : "" : "end", column ? column === columns - 1 ? "right flank" : "" : "flank"].join(" ");
    return renderSquare(host, layers, at, view, where, near);
  });
  return html`<div class="room ${classes}" style=${style}><h3>${name}</h3><div class="board ${shapes.join(" ")}" role="group" aria-label=${host.named(host.label(room.name))}
    style="--columns:${isNested ? size : columns};--rows:${isNested ? size : rows}">
    ${isNested ? renderRings(rows) : board?.lines.length ? renderLines(board) : nothing}${squares}${edges ? renderEdges(host, edges, rows, columns, view) : nothing}</div></div>`;
}

function renderSquare(host, layers, at, view, where, near) {
  const places = layers.map(one => one.places[at]), [{room}] = layers, [place] = places;
  const target = from => { const found = places.find(one => from?.places.has(one.name)); return found && [`place:${found.name}`, from.places.get(found.name)]; };
  const now = target(host.now), [key, ways] = now ?? target(host.first) ?? [`place:${place.name}`];
  const parts = layers.map((layer, which) => standing(host, layer.room, layer.isZone, places[which], view)).filter(Boolean);
  const said = parts.map(one => one.said).filter(Boolean).join(", ") || host.t("empty");
  const isPicked = host.isPicked(key), ghost = isPicked && room.type === "player" && !view?.variables?.[place.name] ? html`<span class="ghost">${man(host.you)}</span>` : nothing;
  const isFresh = places.some(one => host.isFresh(one.name) || host.fresh.has(`value:${one.name}`));
  const classes = `square ${near} ${now ? "lit" : ways ? "soft" : ""} ${isPicked ? "picked" : ""} ${isFresh ? "fresh" : ""}`;
  const title = `${place.keys.map(one => host.label(one)).join(", ")}: ${said}`, inner = parts.map(one => one.inner ?? nothing);
  return ways
    ? html`<button class=${classes} style=${where} data-place=${place.name} data-drop aria-pressed=${isPicked} @click=${() => host.pick(key, ways)}><span class="hidden">${title}</span><span class="face" aria-hidden="true">${inner}${ghost}</span></button>`
    : html`<div class=${classes} style=${where} data-place=${place.name} role="img" aria-label=${title}>${inner}</div>`;
}

/** The lines that rings are drawn with, from corner to corner and between their middles. */
function renderRings(rows) {
  const whole = 2 * rows + 1, middle = whole / 2;
  const rings = Array.from({length: rows}, (_, at) => svg`<rect x=${at + 0.5} y=${at + 0.5} width=${whole - 2 * at - 1} height=${whole - 2 * at - 1}></rect>`);
  const across = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(([x, y]) => svg`<path d="M${middle + x} ${middle + y}L${middle + x * rows} ${middle + y * rows}"></path>`);
  return html`<svg class="rings" viewBox="0 0 ${whole} ${whole}" aria-hidden="true">${rings}${across}</svg>`;
}

/** The lines of a board that are written out, from place to place. */
function renderLines({rows, columns, lines, cells}) {
  const at = name => `${columns.indexOf(cells[name][1]) + 0.5} ${rows.indexOf(cells[name][0]) + 0.5}`;
  return html`<svg class="rings" viewBox="0 0 ${columns.length} ${rows.length}" aria-hidden="true">${lines.map(line => svg`<path d=${`M${line.map(at).join("L")}`}></path>`)}</svg>`;
}

/** Lines between dots: those of the first value of the first key run along a row, those of the other down a column. */
function renderEdges(host, edges, rows, columns, view) {
  const directions = [...new Set(edges.places.map(place => place.keys[0]))];
  const dots = Array.from({length: (rows + 1) * (columns + 1)}, (_, at) => html`<i class="dot" style="grid-area:${2 * Math.floor(at / (columns + 1)) + 1}/${2 * (at % (columns + 1)) + 1}"></i>`);
  const lines = edges.places.map(place => {
    const isDown = place.keys[0] !== directions[0], row = place.keys[1] - 1, column = place.keys[2] - 1;
    if (isDown ? row >= rows : column >= columns) return nothing;
    const key = `place:${place.name}`, ways = host.now?.places.get(place.name), isThere = view?.variables?.[place.name] === "yes";
    const where = `grid-area:${2 * row + (isDown ? 2 : 1)}/${2 * column + (isDown ? 1 : 2)}`;
    const classes = `edge ${isDown ? "down" : ""} ${isThere ? "there" : ""} ${ways ? "lit" : ""} ${host.isPicked(key) ? "picked" : ""} ${host.fresh.has(`value:${place.name}`) ? "fresh" : ""}`;
    const title = `${place.keys.map(one => host.label(one)).join(", ")}: ${isThere ? host.label(edges.name) : host.t("empty")}`;
    return ways ? html`<button class=${classes} style=${where} data-place=${place.name} aria-pressed=${host.isPicked(key)} @click=${() => host.pick(key, ways)}><span class="hidden">${title}</span></button>`
      : html`<div class=${classes} style=${where} role="img" aria-label=${title}></div>`;
  });
  return [dots, lines];
}

/** Place k of one is where place n − k of the other is; place 0 is off the board, place n the bar. One's own way ends below. */
export function renderTrack(host, room, view, name) {
  const me = host.you || 1, last = room.places.length / 2 - 1, part = Math.ceil((last - 1) / 2), middle = Math.ceil(part / 2);
  const placeOf = (seat, at) => room.places.find(one => one.owner === seat && Number(one.keys[0]) === at);
  const spot = (where, kind, number, seats) => {
    const [own] = seats, ways = own.owner === host.you ? host.now?.places.get(own.name) : null, key = `place:${own.name}`;
    const amounts = seats.map(place => [place.owner, view?.variables?.[place.name] ?? 0]).filter(([, amount]) => amount);
    const said = amounts.map(([seat, amount]) => `${host.t("seat", {player: seat})}: ${amount}`).join(", ") || host.t("empty");
    const isFresh = seats.some(one => host.fresh.has(`value:${one.name}`)), title = `${host.label(room.name)} ${number}: ${said}`;
    const classes = `spot ${kind} ${ways ? "lit" : ""} ${host.isPicked(key) ? "picked" : ""} ${isFresh ? "fresh" : ""}`;
    const inner = html`<span class="at">${number}</span>${amounts.map(([seat, amount]) => html`${Array.from({length: Math.min(amount, 5)}, () => man(seat))}${amount > 5 ? html`<b>${amount}</b>` : nothing}`)}`;
    return ways ? html`<button class="square ${classes}" style=${where} data-place=${own.name} aria-pressed=${host.isPicked(key)} @click=${() => host.pick(key, ways)}><span class="hidden">${title}</span><span class="face" aria-hidden="true">${inner}</span></button>`
      : html`<div class=${classes} style=${where} data-place=${own.name} role="img" aria-label=${title}>${inner}</div>`;
  };
  const points = Array.from({length: last - 1}, (_, at) => {
    const number = at + 1, isTop = number > part, column = isTop ? number - part - 1 : part - number;
    return spot(`grid-area:${isTop ? 1 : 2}/${column + 1 + (column >= middle ? 1 : 0)}`, `${isTop ? "down" : "up"} ${number % 2 ? "odd" : ""}`, number, [placeOf(me, number), placeOf(3 - me, last - number)]);
  });
  const beside = [[last, middle + 1, "bar", "▮"], [0, part + 2, "off", "⌂"]].flatMap(([at, column, kind, sign]) => [spot(`grid-area:2/${column}`, `up ${kind}`, sign, [placeOf(me, at)]), spot(`grid-area:1/${column}`, `down ${kind}`, sign, [placeOf(3 - me, at)])]);
  return html`<div class="room"><h3>${name}</h3><div class="track" role="group" aria-label=${host.named(host.label(room.name))} style="--columns:${part + 2}">${points}${beside}</div></div>`;
}

/** In a circuit one's own part is below, from left to right; gives where a place stands, and the colour of whose part it is. */
export function inCircuit(table, amount, at) {
  const part = Math.ceil(amount / table.players), first = table.you ? (table.you - 1) * part : 0;
  const half = Math.ceil(amount / 2), from = (at - first + amount) % amount;
  return `grid-area:${from < half ? `2/${from + 1}` : `1/${amount - from}`};--whose:${seatColour(Math.floor(at / part) + 1)}`;
}

export const styles = css`
 .board { --room: calc(100cqw - 56px); --square: clamp(24px, min(calc(var(--room) / var(--columns) - 3px), calc(66vh / var(--rows) - 3px)), 84px); --w: calc(var(--square) - 8px);
 display: inline-grid; grid-template-columns: repeat(var(--columns), auto); gap: 3px; margin-top: 3px; background: var(--line); padding: 4px; border-radius: 12px; max-width: 100%; overflow-x: auto; position: relative; }
 .square .slot { display: none; } .square .cards { margin: 0; justify-content: center; }
 .square { width: var(--square); aspect-ratio: 1; background: var(--panel); border: 0; border-radius: 8px; display: grid; place-items: center; font-size: clamp(.7rem, calc(var(--square) / 3), 1.1rem); font-weight: 700; padding: min(4px, 8%); position: relative; isolation: isolate; overflow-wrap: anywhere; }
 .square > *, .square .face > * { grid-area: 1 / 1; }
 .square .man { width: calc(var(--square) * .74); margin: 0; } .ghost { opacity: .5; }
 .man .sign { width: 50%; height: 50%; } .cell .man { width: 34px; margin: 4px auto; } .ghost { opacity: .5; }
 .badge-over { z-index: 1; color: #ffd75e; font-size: calc(var(--square) * .5); line-height: 1; text-shadow: 0 0 3px #000, 0 0 2px #000; align-self: start; }
 .glyph { z-index: 1; font-size: calc(var(--square) * .6); line-height: 1; color: light-dark(var(--own, inherit), color-mix(in srgb, var(--own, currentColor) 60%, #fff)); } .worth { overflow-wrap: anywhere; } .square:has(.worth) { background: color-mix(in srgb, var(--accent) 22%, var(--panel)); } .glyph ~ .worth, .worth:has(~ .glyph) { display: none; }
 .checkered { gap: 0; } .checkered .square { border-radius: 0; background: light-dark(#efe3c8, #6d6350); } .checkered .even { background: light-dark(#b58e62, #3b342b); }
 .sides { border-block: 6px solid #0f6d7a; border-inline: 6px solid #b3481a; }
 .hexagons { --square: clamp(24px, min(calc(var(--room) / (var(--columns) + var(--rows) / 2)), calc(64vh / (var(--rows) * .866))), 64px);
 --wide: calc(var(--columns) + var(--rows) / 2 - .1); --pitch: max(24px, calc(var(--square) * .866)); --ranks: var(--rows); display: block; background: none; padding: 0; border: 0; overflow: hidden; width: calc(var(--square) * var(--wide)); height: calc(var(--pitch) * var(--ranks) + var(--square) * .7); }
 @container (max-width: 600px) {
 .hexagons { --square: clamp(25px, calc((100cqw - 22px) / ((var(--columns) + var(--rows)) / 2 + .1)), 56px); --wide: calc((var(--columns) + var(--rows)) / 2 + .1); --ranks: calc(var(--columns) + var(--rows) - 1); }
 }
 .hexagons .square { --left: calc(var(--column) + var(--row) / 2 + .2); --rank: var(--row); }
 @container (max-width: 600px) { .hexagons .square { --left: calc((var(--column) - var(--row) + var(--rows)) / 2 - .45); --rank: calc(var(--column) + var(--row)); } }
 .hexagons .square { position: absolute; left: calc(var(--square) * var(--left)); top: calc(var(--pitch) * var(--rank) + var(--square) * .35); height: var(--pitch); aspect-ratio: auto; padding: 0; background: none; box-shadow: none; outline-offset: -2px; }
 .hexagons .square::before, .hexagons.sides .square::after { content: ""; position: absolute; inset: -16.700% 0; z-index: -1; clip-path: polygon(50% 2%, 97.500% 26%, 97.500% 74%, 50% 98%, 2.500% 74%, 2.500% 26%); background: var(--panel); }
 .hexagons .lit::before { background: color-mix(in srgb, var(--glow) 8%, var(--panel)); } .hexagons .picked::before { background: color-mix(in srgb, var(--accent) 45%, var(--panel)); } .hexagons .lit:hover::before, .hexagons .fresh::before { background: color-mix(in srgb, var(--glow) 50%, var(--panel)); }
 .hexagons.sides .square::after { z-index: -2; scale: 1.18; background: none; } .hexagons.sides .flank::after { background: #b3481a; } .hexagons.sides .end::after { background: #0f6d7a; } .hexagons.sides .end.flank::after { background: linear-gradient(var(--turn, 0deg), #b3481a 50%, #0f6d7a 50%); } .hexagons .low { --turn: 180deg; }
 .nested { grid-template-columns: repeat(var(--columns), var(--square)); grid-auto-rows: var(--square); gap: 0; padding: 0; background: light-dark(#e9dcc0, #3b342b); --square: clamp(24px, min(calc(var(--room) / var(--columns)), calc(66vh / var(--rows))), 84px); }
 .nested .square { background: none; border-radius: 50%; } .nested .square::before { content: ""; position: absolute; inset: 36%; border-radius: 50%; background: light-dark(#7a6544, #b9a683); z-index: -1; }
 .nested .square.lit, .nested .square.picked, .nested .square.fresh { background: light-dark(#e9dcc0, #3b342b); scale: .92; }
 .rings { grid-area: 1 / 1 / -1 / -1; position: absolute; inset: 0; fill: none; stroke: light-dark(#7a6544, #b9a683); stroke-width: .07; }
 .edges { --square: clamp(26px, min(calc((var(--room) - 26px) / var(--columns) - 26px), calc(56vh / var(--rows) - 26px)), 70px); grid-template-columns: repeat(var(--columns), 26px var(--square)) 26px; grid-template-rows: repeat(var(--rows), 26px var(--square)) 26px; gap: 0; padding: 4px; background: var(--panel); }
 .edges .square { background: none; box-shadow: none; outline: 0; } .dot { width: 12px; height: 12px; border-radius: 50%; background: var(--ink); place-self: center; z-index: 2; }
 .edge { border: 0; background: none; padding: 0; position: relative; } .edge::before { content: ""; position: absolute; inset: 10px -8px; border-radius: 4px; } .edge.down::before { inset: -8px 10px; }
 .edge.lit { cursor: pointer; } .edge.lit::before { background: color-mix(in srgb, var(--glow) 35%, transparent); } .edge.lit:hover::before { background: var(--glow); } .edge.there::before { background: var(--ink); } .edge.fresh::before { background: var(--glow); } .edge.picked::before { background: var(--accent); }
 .circuit { display: grid; justify-content: center; gap: 6px; } .circuit .cell { width: clamp(44px, calc((100cqw - 60px) / 7), 84px); min-width: 0; border-bottom: 4px solid var(--whose); padding: 4px 2px; }
 .circuit .pips { width: auto; } .circuit .pips i { width: 7px; height: 7px; background: light-dark(#7a4b24, #d9a66f); }
 .track { --spot: clamp(19px, calc((100cqw - 46px) / var(--columns)), 46px); display: inline-grid; grid-template: repeat(2, minmax(calc(var(--spot) * 5.6 + 18px), auto)) / repeat(var(--columns), var(--spot)); background: light-dark(#e9dcc0, #2f2a24); border: 5px solid light-dark(#7a5a36, #5b4630); border-radius: 10px; row-gap: 14px; margin-top: 3px; }
 .spot, .spot.square { position: relative; isolation: isolate; width: auto; aspect-ratio: auto; border: 0; padding: 0; border-radius: 4px; background: none; display: flex; flex-direction: column; align-items: center; font-size: .72rem; font-weight: 600; } .spot .face { display: contents; }
 .spot.up { flex-direction: column-reverse; } .spot::before { content: ""; position: absolute; z-index: -1; inset: 16px 1px 8%; clip-path: polygon(0 0, 100% 0, 50% 100%); background: light-dark(#b58e62, #7b6242); } .spot.odd::before { background: light-dark(#8c3b2e, #8c4a3d); } .spot.up::before { inset: 8% 1px 16px; clip-path: polygon(50% 0, 100% 100%, 0 100%); }
 .spot.bar, .spot.off { background: light-dark(#7a5a3633, #5b463066); } .bar::before, .off::before { display: none; } .spot .at { line-height: 16px; } .spot b { line-height: 1; }
 .spot .man { width: calc(var(--spot) * .88); margin: 0; } .spot.fresh .man { outline: 2px dotted var(--glow); }
 .card.die { width: 38px; height: 38px; border-radius: 8px; margin: 2px auto; } .die .half { width: 100%; height: 100%; } .cell:has(.die) > .key { display: none; }
 .square.lit, .square.picked { z-index: 1; } .square.soft { cursor: pointer; } .square.lit { box-shadow: inset 0 0 0 2px var(--glow); } .square.picked { box-shadow: inset 0 0 0 4px var(--accent); } .hexagons .square.lit, .hexagons .square.picked { box-shadow: none; }
`;
