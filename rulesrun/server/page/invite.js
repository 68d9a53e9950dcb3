// Links of the other seats, for who made the table; their QR codes.
import {html, svg, nothing} from "./lit.js";
import {call} from "./link.js";

export function renderInvite(app, first) {
  const bots = app.messages.findLast(one => one.kind === "seats")?.seats ?? [];
  const people = bots.filter(one => !one.bot && one.seat !== first.you && app.absent.includes(one.seat));
  if (!people.length) return nothing;
  const address = seat => `${location.origin}/t/${app.table}${seat ? `#${app.tokens.tokens[seat]}` : ""}`;
  return html`<section class="note invite" aria-label=${app.t("invite")}><b>${app.t("invite")}</b><ul>
    ${people.map(one => renderLink(app, app.t("link-of", {player: one.seat}), address(one.seat)))}
    ${renderLink(app, app.t("watch-link"), address(0))}</ul></section>`;
}

export function renderLink(app, name, address) {
  return html`<li><span>${name}</span><button class="plain" @click=${async event => {
    try { await navigator.clipboard.writeText(address); event.target.textContent = app.t("copied"); } catch { prompt(name, address); }
  }}>${app.t("copy")}</button><details @toggle=${event => drawCode(app, event.target, address)}><summary>${app.t("qr")}</summary>
    <code>${address}</code><div>${app.codes?.[address] ?? nothing}</div></details></li>`;
}

export async function drawCode(app, details, address) {
  if (!details.open || app.codes?.[address]) return;
  const {rows} = await call("/api/qr", {text: address});
  const path = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  app.codes = {...app.codes, [address]: html`<svg class="qr" viewBox="0 0 ${rows.length} ${rows.length}" role="img" aria-label=${app.t("qr")} shape-rendering="crispEdges">${svg`<path d=${path}></path>`}</svg>`};
  app.requestUpdate();
}
