// After the game: the replay, and the next game.
import {html, nothing} from "./lit.js";
import {call} from "./link.js";
import {moments} from "./position.js";

export function renderAfter(app, first) {
  const all = moments(app.messages), where = app.at === null ? all.length - 1 : Math.max(0, all.findLastIndex(one => one <= app.at));
  const go = at => { app.at = at >= all.length - 1 ? null : all[Math.max(0, at)]; };
  return html`<div class="row">${first.you && !app.next ? html`<button class="primary" @click=${() => again(app)}>${app.t("again")}</button>` : nothing}
      <a class="plain" style="text-decoration:none;color:inherit" href="/?lang=${app.language}">${app.t("another")}</a></div>
    <section class="note scrub" aria-label=${app.t("replay")}>
    <div class="row"><b>${app.t("replay")}</b>
      <button class="plain" aria-label=${app.t("first")} @click=${() => go(0)}>|◀</button><button class="plain" aria-label=${app.t("before")} @click=${() => go(where - 1)}>◀</button>
      <button class="plain" @click=${() => play(app, go, all, where)}>${app.t(app.isPlaying ? "pause" : "play-on")}</button>
      <button class="plain" aria-label=${app.t("after")} @click=${() => go(where + 1)}>▶</button>
      ${app.at === null ? nothing : html`<button class="plain" @click=${() => go(all.length)}>${app.t("back-to-now")}</button>`}
      <span>${app.t("moment-of", {moment: where + 1, count: all.length})}</span></div>
    <input type="range" min="0" max=${all.length - 1} .value=${String(where)} aria-label=${app.t("replay")} @input=${event => go(Number(event.target.value))}>
    </section>`;
}

export function play(app, go, all, where) {
  app.isPlaying = !app.isPlaying;
  clearInterval(app.clock);
  let at = where >= all.length - 1 ? 0 : where;
  go(at);
  if (app.isPlaying) app.clock = setInterval(() => {
    go(++at);
    if (at >= all.length - 1) { clearInterval(app.clock); app.isPlaying = false; }
  }, 900);
}

export async function again(app) {
  try {
    const {table} = await call(`/api/tables/${app.table}/again?language=${app.language}`, {token: decodeURIComponent(location.hash.slice(1))});
    app.next = table;
    app.carry();
    location.href = `/t/${table}?lang=${app.language}${location.hash}`;
  } catch (problem) { app.problem = problem.message; }
}
