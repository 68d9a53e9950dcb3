// What a table is asked for late: why something cannot be chosen, and the end with its sheets.
import {html, nothing} from "./lit.js";
import {componentWords, contentsOf} from "./position.js";

export function renderWhy(host) {
  const {table, question} = host.position;
  const declared = table.actions.find(one => one.name === host.asking.action);
  const set = (name, value) => { host.asking = {...host.asking, values: {...host.asking.values, [name]: value}}; };
  return html`<form @submit=${event => {
    event.preventDefault();
    const values = Object.fromEntries(declared.choices.map(one => [one.name, readValue(one, new FormData(event.target).getAll(one.name))]));
    host.askWhy(declared.name, values);
  }}>
    <div class="row"><label>${host.t("why-can-i-not")}
      <select @change=${event => { host.asking = {action: event.target.value, values: {}}; }}>${table.actions.map(one => html`<option value=${one.name} ?selected=${one.name === host.asking.action}>${host.label(one.name)}</option>`)}</select></label>
    ${declared.choices.map(choice => html`<label>${host.label(choice.name)} ${renderWhyField(host, choice, table, question, set)}</label>`)}
    <button class="primary">${host.t("ask-why")}</button><button type="button" class="plain" @click=${() => { host.asking = null; host.reply = null; }}>${host.t("close")}</button></div></form>`;
}

function renderWhyField(host, choice, table, question) {
  const values = choice.component
    ? [...new Set(Object.values(host.position.view?.zones ?? {}).flatMap(contentsOf).filter(Boolean))]
    : [...new Set([...[...table.zones, ...table.variables].filter(one => one.keys.length === 1 && one.keys[0] === (choice.board ?? choice.domain)).flatMap(one => one.places.map(place => place.keys[0])),
      ...(question.options ?? []).map(one => one.arguments[choice.name]).filter(one => one !== undefined && !Array.isArray(one)),
      ...(/\.\./.test(choice.domain) || choice.domain.includes("player") ? Array.from({length: 9}, (_, at) => at + 1) : [])].map(String))];
  if (!values.length) return html`<input name=${choice.name} required>`;
  return html`<select name=${choice.name} ?multiple=${choice.several}>${values.map(one => html`<option value=${one}>${componentWords(table, one)}</option>`)}</select>`;
}

function readValue(choice, texts) {
  const read = text => !choice.component && /^-?\d+$/.test(text) ? Number(text) : text;
  return choice.several ? texts.map(read) : read(texts[0] ?? "");
}

/** Who has won; the sheet, a column for each player; how each line was counted, and what decided. */
export function renderEnd(host) {
  const {end, table} = host.position, winners = end.places?.[0] ?? [];
  const teams = end.teams ?? Array.from({length: table.players}, (_, at) => [at + 1]), seats = teams.map(team => team[0]);
  const isTie = winners.length > teams[0].length, isWon = winners.includes(host.you);
  const place = seat => end.places.slice(0, end.places.findIndex(group => group.includes(seat))).flat().length / teams[0].length + 1;
  const sheets = seats.map(seat => end.lines?.find(one => one.player === seat)?.lines ?? []);
  const names = [...new Set(sheets.flat().map(one => one.name))];
  const sum = values => (values?.every(one => typeof one === "number") ? values.reduce((a, b) => a + b, 0) : values?.join(", "));
  const row = (head, cells, kind = "") => html`<tr class=${kind}><th scope="row">${head}</th>${seats.map((seat, at) => html`<td class=${winners.includes(seat) && winners.length < table.players ? "won" : ""}>${cells(seat, at) ?? ""}</td>`)}</tr>`;
  return html`<section class="panel over" aria-label=${host.named(host.t("over"))}>
    <h2>${end.result ? host.label(end.result) : winners.length === table.players && isTie ? host.t("all-tie")
      : host.t(isTie ? "winners" : isWon ? "you-win" : winners.length > 1 ? "partners" : "winner", {players: winners.join(", ")})}</h2>
    <div class="scores" tabindex="0" role="group" aria-label=${host.named(host.t("sheet"))}><table>
      <tr><td></td>${seats.map(seat => html`<th scope="col"><span class="hidden">${host.t("seat", {player: seat})}</span>${teams.find(team => team[0] === seat).map(one => host.badge(one))}</th>`)}</tr>
      ${names.length > 1 ? names.map(name => row(host.label(name), (_, at) => sum(sheets[at].find(one => one.name === name)?.values))) : nothing}
      ${row(host.t("points"), seat => end.scores[seat], "total")}
      ${row(host.t("place"), place)}</table></div>
    ${names.length ? html`<details><summary>${host.t("how-counted")}</summary><dl>${names.map(name => renderLine(host, name, seats, sheets, sum))}</dl></details>` : nothing}
    ${end.ranking?.length ? html`<details><summary>${host.t("ranking")}</summary>${end.ranking.filter(one => one.applies).map(one => html`<pre>${one.text}${one.places.flat().map(seat => (one.values[seat] === undefined ? "" : `\n  ${host.t("seat", {player: seat})}: ${one.values[seat]}`))}</pre>`)}</details>` : nothing}</section>`;
}

const renderReasons = told => (told?.length ? html`<pre>${told.join("\n")}</pre>` : nothing);

/** A line of the sheet: what the book says, the rule, and player by player what its parts were worth. */
function renderLine(host, name, seats, sheets, sum) {
  const lines = sheets.map(sheet => sheet.find(one => one.name === name)), [first] = lines.filter(Boolean);
  return html`<dt>${host.label(name)}</dt><dd>${(first.notes ?? []).map(note => html`<div class="quote">${note}</div>`)}<pre>${first.line}: ${first.rule}</pre></dd>
    ${lines.map((line, at) => (line?.values.length ? html`<dd>${host.badge(seats[at])} <span class="hidden">${host.t("seat", {player: seats[at]})}: </span>${line.values.join(" + ")}${line.values.length > 1 ? ` = ${sum(line.values)}` : ""}${renderReasons(line.because?.filter(one => !one.startsWith("= ")))}</dd>` : nothing))}`;
}
