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
    : [...new Set([...[...table.zones, ...table.variables].filter(one => one.keys.length === 1 && one.keys[0] === choice.domain).flatMap(one => one.places.map(place => place.keys[0])),
      ...(question.options ?? []).map(one => one.arguments[choice.name]).filter(one => one !== undefined && !Array.isArray(one)),
      ...(/\.\./.test(choice.domain) || choice.domain.includes("player") ? Array.from({length: 9}, (_, at) => at + 1) : [])].map(String))];
  if (!values.length) return html`<input name=${choice.name} required>`;
  return html`<select name=${choice.name} ?multiple=${choice.several}>${values.map(one => html`<option value=${one}>${componentWords(table, one)}</option>`)}</select>`;
}

function readValue(choice, texts) {
  const read = text => !choice.component && /^-?\d+$/.test(text) ? Number(text) : text;
  return choice.several ? texts.map(read) : read(texts[0] ?? "");
}

export function renderEnd(host) {
  const {end, table} = host.position;
  const order = (end.places ?? []).flat();
  const winners = end.places?.[0] ?? [];
  const place = seat => end.places.findIndex(group => group.includes(seat)) + 1;
  return html`<section class="panel over" aria-label=${host.named(host.t("over"))}>
    <h2>${end.result ? host.label(end.result) : winners.length === table.players && winners.length > 1 ? host.t("all-tie")
      : host.t(winners.length > 1 ? "winners" : winners[0] === host.you ? "you-win" : "winner", {players: winners.join(", ")})}</h2>
    ${order.map(seat => html`<details><summary>${host.badge(seat)} ${host.t("place-of", {place: place(seat), player: seat})} <b>${end.scores[seat]}</b></summary>
      <dl>${(end.lines?.find(one => one.player === seat)?.lines ?? []).map(line => html`<dt>${host.label(line.name)}: ${line.values.join(" + ")}${line.values.length > 1 && line.values.every(one => typeof one === "number") ? ` = ${line.values.reduce((a, b) => a + b, 0)}` : ""}</dt>
        <dd>${(line.notes ?? []).map(note => html`<div class="quote">${note}</div>`)}<pre>${line.line}: ${line.rule}</pre>${line.because?.length ? html`<details><summary>${host.t("how-counted")}</summary><pre>${line.because.join("\n")}</pre></details>` : nothing}</dd>`)}</dl></details>`)}
    ${end.ranking?.length ? html`<details><summary>${host.t("ranking")}</summary>${end.ranking.map(one => html`<pre>${typeof one === "string" ? one : Object.values(one).flat().join(" ")}</pre>`)}</details>` : nothing}
    <slot name="after"></slot></section>`;
}
