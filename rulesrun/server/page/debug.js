// With `--debug`: all seats side by side, and what tells about the rules.
import {html} from "./lit.js";
import {call} from "./link.js";

export function renderAllSeats(app) {
  return html`<div class="row"><b>${app.t("debug")}</b>
    <button class="plain" @click=${() => rewind(app)}>${app.t("rewind")}</button>
    <button class="plain" @click=${() => copyExample(app)}>${app.t("copy-example")}</button></div>
    <pre id="example" tabindex="0" ?hidden=${!app.example}>${app.example}</pre>
    <div class="side-by-side">${app.seats.map(({seat, link}) => html`<rules-table .messages=${link.messages} .words=${app.words} .mayHelp=${true} .name=${app.t("seat", {player: seat})}
      .ask=${(action, values) => link.request({do: "why", action, arguments: values})}
      @answer=${async event => event.target.showReply(await link.request({do: "answer", ...event.detail}))}
      @undo=${() => link.request({do: "undo"})} @agree=${event => link.request({do: "agree", ...event.detail})}
      @seat=${event => link.request({do: "seat", ...event.detail})}></rules-table>`)}</div>`;
}

export async function rewind(app) {
  const count = (await call(`/api/debug/${app.table}/events`)).count;
  const to = Number(prompt(app.t("rewind"), String(count - 1)));
  if (!Number.isInteger(to) || to < 1) return;
  const {table} = await call(`/api/debug/${app.table}/back`, {events: to});
  location.href = `/t/${table}?lang=${app.language}&seat=all`;
}

export async function copyExample(app) {
  app.example = (await call(`/api/debug/${app.table}/example`)).text;
  app.requestUpdate();
  try { await navigator.clipboard.writeText(app.example); } catch { /* it stands on the page */ }
}
