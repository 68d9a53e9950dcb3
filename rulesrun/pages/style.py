"""How the page looks and the little it does: one style sheet, one script. No font, picture or script from elsewhere.

The script has no `<` and no `&`, so that the page stays well-formed XML.
"""

from __future__ import annotations

LIGHT = """
  --paper: #fdfdfb; --ink: #1d2327; --soft: #59646b; --rule: #d9dedc; --panel: #f3f5f2; --accent: #1f6f8b;
  --good: #1d6b3a; --good-back: #e2f1e6; --bad: #a3262a; --bad-back: #fae5e4; --open: #7a5600; --open-back: #f8eed3;
  --shade: #1d232740;
  --c1: #1f6f8b; --c2: #e08e2b; --c3: #7a5195; --c4: #3f8f5b; --c5: #c8553d; --c6: #8a949a;
"""
DARK = """
  --paper: #14191c; --ink: #e6eae8; --soft: #a2adb2; --rule: #333c41; --panel: #1d2428; --accent: #63b6d1;
  --good: #8fd6a6; --good-back: #1b3524; --bad: #f29a95; --bad-back: #43201f; --open: #ecc96f; --open-back: #3a2f12;
  --shade: #000000b0;
  --c1: #4fa3bf; --c2: #e6a556; --c3: #b08fcb; --c4: #6fbf8a; --c5: #e07f6a; --c6: #8a949a;
"""

STYLE = f"""
:root {{ color-scheme: light dark; {LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {DARK} }} }}
""" + """
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.2; text-wrap: balance; }
h1 { font-size: 1.9rem; margin: 0 0 .35rem; }
h2 { font-size: 1.6rem; margin: 0 0 .35rem; }
h3 { font-size: 1.2rem; margin: 2.5rem 0 .6rem; padding-top: .8rem; border-top: 2px solid var(--ink); }
h4 { font-size: 1.02rem; margin: 1.8rem 0 .25rem; }
p { margin: .3rem 0 .7rem; max-width: 68ch; }
a { color: var(--accent); }
header p, .note, small, figcaption, caption { color: var(--soft); }
.note { font-size: .88rem; }
article { margin-top: 3.5rem; }
article:first-of-type { margin-top: 1.5rem; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .84rem; }
pre { overflow-x: auto; padding: .7rem .8rem; background: var(--panel); border-radius: 6px; line-height: 1.4;
  margin: .5rem 0; }
pre.words b { font-weight: 600; } ins, del { text-decoration: none; }
ins { color: var(--good); } del { color: var(--bad); }
code.command { display: inline-block; max-width: 100%; overflow-wrap: anywhere; color: var(--soft); font-size: .76rem;
  background: var(--panel); border-radius: 4px; padding: .08rem .4rem; user-select: all; }
td code.command { white-space: nowrap; max-width: none; }
.badge { display: inline-block; border-radius: 4px; padding: .02rem .5rem; font-size: .82rem; font-weight: 600;
  margin-right: .35rem; background: var(--open-back); color: var(--open); white-space: nowrap; }
.badge.holds { background: var(--good-back); color: var(--good); }
.badge.fails { background: var(--bad-back); color: var(--bad); }
ul.verdicts { list-style: none; padding: 0; margin: .5rem 0; } ul.verdicts li { margin: .3rem 0; }
.failure { border-left: 3px solid var(--bad); padding: .1rem 0 .1rem .8rem; margin: .8rem 0; }
.failure.open { border-color: var(--open); }
.glance { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); gap: .2rem 2.2rem; }
.group h4 { border-bottom: 1px solid var(--rule); padding-bottom: .25rem; margin-top: 1.3rem; }
dl { margin: 0; } dt { font-weight: 600; margin-top: .6rem; overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; } dd p.note { margin: .1rem 0 0; }
dd ul { margin: .1rem 0; padding-left: 1.1rem; font-size: .88rem; color: var(--soft); }
.amount { color: var(--soft); font-size: .88rem; margin-left: .5rem; }
blockquote { margin: .3rem 0; padding-left: .7rem; border-left: 3px solid var(--rule); font-style: italic;
  font-size: .92rem; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem 1.5rem; }
@media (min-width: 48rem) { .gallery.pairs { grid-template-columns: repeat(2, minmax(0, 30rem)); } }
.gallery > figure:only-child { grid-column: 1 / -1; }
.parts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); gap: 0 2.2rem; }
.parts > div { min-width: 0; }
figure { margin: .3rem 0; max-width: 30rem; min-width: 0; }
figcaption { font-weight: 600; color: var(--ink); display: flex; justify-content: space-between; gap: 1rem;
  align-items: baseline; margin-bottom: .2rem; }
figcaption small { font-weight: 400; }
svg { display: block; width: 100%; height: auto; margin-bottom: .2rem; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--ink); }
svg text.tick, svg text.note { fill: var(--soft); font-size: 11px; }
svg .grid { stroke: var(--rule); } svg .zero { stroke: var(--soft); }
svg .mean { stroke: var(--ink); stroke-dasharray: 3 3; }
svg .whisker { stroke: var(--accent); stroke-width: 3; stroke-linecap: round; opacity: .55; }
svg .whisker.thin { stroke: var(--ink); stroke-width: 1.5; opacity: 1; }
svg .dot { fill: var(--accent); } svg .faint { fill: var(--soft); } svg .whisker.faint { stroke: var(--soft); }
svg .bar { fill: var(--accent); }
svg .series-1 { fill: var(--c1); } svg .series-2 { fill: var(--c2); } svg .series-3 { fill: var(--c3); }
svg .series-4 { fill: var(--c4); } svg .series-5 { fill: var(--c5); } svg .series-6 { fill: var(--c6); }
.wide { overflow-x: auto; margin: .9rem 0 1.2rem;
  background: linear-gradient(to right, var(--paper) 40%, transparent) left / 2rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 2rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) left / .6rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) right / .6rem 100% no-repeat scroll; }
.wide:focus-visible { outline: 2px solid var(--accent); }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; color: var(--ink); padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .32rem .9rem .32rem 0; border-bottom: 1px solid var(--rule); }
thead th { font-weight: 600; color: var(--soft); vertical-align: bottom; white-space: nowrap; }
tbody th { font-weight: 500; min-width: 6.5rem; max-width: 24rem; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.number { padding-left: .6rem; }
@media (max-width: 40rem) { td .badge { white-space: normal; } }
th small, td small { display: block; font-weight: 400; font-size: .78rem; }
thead button { all: unset; cursor: pointer; display: inline; }
thead button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
thead button::after { content: " \\2195"; opacity: .45; }
th[aria-sort="ascending"] button::after { content: " \\2191"; opacity: 1; }
th[aria-sort="descending"] button::after { content: " \\2193"; opacity: 1; }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--accent); padding: .15rem 0; }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; border-top: 1px solid var(--rule);
  padding-top: .8rem; }
@media print {
""" + f"  :root {{ color-scheme: light; {LIGHT} }}" + """
  body { max-width: none; padding: 0; font-size: 10pt; } article { break-before: page; }
  article:first-of-type { break-before: auto; }
  figure, tr, dd, .failure { break-inside: avoid; } h3, h4 { break-after: avoid; }
  p.note { break-after: avoid; } td code.command { white-space: normal; max-width: 18rem; }
  .wide { background: none; } .wide, pre { overflow: visible; } pre { white-space: pre-wrap; }
  thead button::after { content: ""; }
  .parts, .gallery { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .glance { display: block; } dt, caption, thead { break-after: avoid; }
  details::details-content { content-visibility: visible; display: block; }
}
"""

SCRIPT = """
"use strict";
const keyOf = cell => "key" in cell.dataset ? Number(cell.dataset.key) : null;
const inWords = (one, other) => one.textContent.localeCompare(other.textContent, "en", {numeric: true});
const compare = (one, other) => {
  const left = keyOf(one), right = keyOf(other);
  if (left === null) return right === null ? inWords(one, other) : 1;
  return right === null ? -1 : left - right;
};
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = Array.from(table.tHead.rows[0].cells), body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const turn = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", turn === 1 ? "ascending" : "descending");
      const rows = Array.from(body.rows);
      rows.sort((one, other) => turn * compare(one.cells[column], other.cells[column]));
      body.append(...rows);
    });
  });
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(one => one.open = true));
"""
