import {css} from "./lit.js";

/** Colours and sizes, for light and dark; a page may set `color-scheme` to have one of them always. */
export const colours = css`
 :host {
 --paper: light-dark(#f3efe6, #14181b); --felt: light-dark(#dfe8df, #16211e); --panel: light-dark(#fffdf8, #242b30);
 --line: light-dark(#d5cdbd, #38434a); --ink: light-dark(#23272b, #ece7dc); --soft: light-dark(#585f64, #aab3b5);
 --accent: light-dark(#0b6b62, #5fd0c0); --on-accent: light-dark(#fff, #06231f); --glow: light-dark(#e09a00, #ffc94d);
 --warn: light-dark(#a3271c, #ff9c8f); --card: #fffdf6; --card-ink: #24282c; --back: light-dark(#31566b, #3d6c86);
 --w: 70px; --shadow: 0 1px 2px #0003, 0 3px 8px #0002;
 font: 16px/1.4 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; color: var(--ink);
 }
 * { box-sizing: border-box; }
 button, input, select { font: inherit; color: inherit; }
 :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
 summary { cursor: pointer; min-height: 28px; padding: 3px 0; }
 .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
 .plain { border: 1px solid var(--line); background: var(--panel); border-radius: 10px; padding: 8px 14px; min-height: 40px; cursor: pointer; }
 .plain:hover { border-color: var(--accent); }
 .primary { border: 0; background: var(--accent); color: var(--on-accent); font-weight: 650; border-radius: 10px; padding: 9px 18px; min-height: 42px; cursor: pointer; }
 .primary:disabled, .plain:disabled { opacity: .55; cursor: default; }
`;

export const tableStyles = css`
 :host { display: block; container-type: inline-size; background: var(--felt); border-radius: 16px; }
 .all { display: grid; align-content: start; gap: 10px; padding: 10px; grid-template-columns: minmax(0, 1fr); }
 ul { list-style: none; margin: 0; padding: 0; }
 h2, h3, h4 { margin: 0; font-size: .82rem; font-weight: 600; color: var(--soft); }
 .panel { background: var(--panel); border-radius: 14px; padding: 8px 12px; min-width: 0; box-shadow: 0 1px 2px #0001; }
 .chips { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
 .chip { background: light-dark(#0000000d, #ffffff14); border-radius: 99px; padding: 1px 10px; font-size: .84rem; overflow-wrap: anywhere; }
 .chip b { font-weight: 650; }
 .chip.fresh { box-shadow: 0 0 0 2px var(--glow); }
 .status { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; }
 .yours { background: light-dark(#0b6b62, #14544c); color: #fff; } .yours .chip { background: #00000038; } .yours .badge { box-shadow: 0 0 0 2px #fffc; }
 .turn { font-weight: 700; display: inline-flex; gap: 6px; align-items: center; }
 .badge { display: inline-grid; place-items: center; width: 24px; height: 24px; border-radius: 50%; color: #fff; font-size: .8rem; font-weight: 700; flex: none; }
 .main { display: grid; align-content: start; gap: inherit; grid-template-columns: minmax(0, 1fr); min-width: 0; }
 .others { display: grid; gap: 8px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 230px), 1fr)); }
 .who { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; margin-bottom: 4px; }
 .who .name { font-weight: 650; font-size: 1rem; color: var(--ink); } .face { display: contents; }
 .who .points { margin-left: auto; font-variant-numeric: tabular-nums; font-weight: 700; }
 .who button { order: 3; max-width: 100%; padding: 3px 9px; min-height: 32px; font-size: .88rem; }
 .who small { color: var(--soft); }
 .asked { box-shadow: 0 0 0 2px var(--glow); }
 .chips:empty, .rooms:empty { display: none; } .who + .chips { margin-bottom: 4px; }
 .rooms { display: flex; flex-wrap: wrap; gap: 10px 18px; align-items: flex-start; }
 .common { background: none; box-shadow: none; display: flex; flex-wrap: wrap; gap: 12px 26px; align-items: flex-start; justify-content: center; padding: 6px 0; }
 .room { min-width: 0; max-width: 100%; }
 .room.grow { flex: 1 1 100%; }
 .room.large { --w: 104px; } .room.tinted { border-left: 4px solid; padding-left: 8px; }
 .cells { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 3px; }
 .cell { border-radius: 12px; padding: 5px; background: light-dark(#ffffff80, #ffffff0a); min-width: 52px; border: 2px solid transparent; text-align: center; color: inherit; position: relative; }
 .mini .cell { min-width: 44px; padding: 3px; } .mini .cell .tag { font-size: .7rem; max-width: 62px; }
 button.key { border: 0; background: none; padding: 2px 6px; cursor: pointer; font-weight: 650; color: var(--ink); min-height: 26px; min-width: 26px; }
 .cell > .key { hyphens: auto; font-size: .78rem; display: block; max-width: calc(var(--w) + 18px); overflow-wrap: anywhere; margin: 0 auto; }
 .cell .tag { display: block; font-size: .76rem; color: var(--ink); max-width: calc(var(--w) + 18px); margin: 1px auto; overflow-wrap: anywhere; }
 .man { width: 34px; aspect-ratio: 1; border-radius: 50%; display: grid; place-items: center; color: #fff; box-shadow: inset 0 -.14em .2em #0005, inset 0 .1em .2em #fff6, 0 1px 2px #0006; margin: 4px auto; } .man .sign { width: 50%; height: 50%; }
 .none { color: var(--soft); opacity: .75; }
 .amount { font-size: 1.5rem; font-weight: 700; font-variant-numeric: tabular-nums; display: block; }
 .pips { display: flex; flex-wrap: wrap; gap: 3px; width: 60px; justify-content: center; min-height: 12px; margin: 0 auto; }
 .pips i { width: 10px; height: 10px; border-radius: 50%; background: var(--accent); }

 .cards { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 3px; min-width: 0; }
 .card { width: var(--w); height: calc(var(--w) * 1.42); border-radius: calc(var(--w) * .12); background: var(--card); color: var(--card-ink);
 box-shadow: var(--shadow); border: 1px solid #0000002b; position: relative; display: block; padding: 0; overflow: hidden; flex: none; text-align: center; font-size: calc(var(--w) * 16 / 70); user-select: none; }
 .card .corner { position: absolute; left: .36em; top: .16em; font-size: 1.3em; font-weight: 750; line-height: 1.1; font-variant-numeric: tabular-nums; display: flex; gap: .12em; align-items: center; }
 .card .corner .sign { width: .62em; height: .62em; display: none; }
 .pile .card .corner .sign { display: block; }
 .card .corner, .card .middle { color: var(--figure, inherit); }
 .card .middle { position: absolute; inset: 33% 6% 23%; display: grid; place-items: center; font-size: 2em; font-weight: 750; line-height: 1; }
 .card .plain-middle { inset: 30% 4% 6%; }
 .card .middle .sign { width: 1.05em; height: 1.05em; }
 .card .middle:has(b) { display: flex; justify-content: center; align-items: center; gap: .06em; font-size: 1.55em; } .middle b ~ .sign { width: .8em; }
 .card .word { position: absolute; left: 0; right: 0; bottom: 0; padding: .1em .2em .2em; font-size: max(.74em, 9.5px); font-weight: 600; line-height: 1.2; background: var(--fill); color: var(--on); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
 .card .extra { position: absolute; right: .25em; top: .3em; font-size: .8em; font-weight: 700; background: #24282c; color: #fff; border-radius: 99px; min-width: 1.5em; padding: 0 .3em; line-height: 1.5em; }
 .card .title { position: absolute; inset: 1.8em .35em .3em; font-size: max(.72em, 10.5px); font-weight: 600; line-height: 1.15; overflow-wrap: anywhere; display: grid; place-items: center; }
 .symbol { line-height: 1; display: inline-grid !important; place-items: center; fill: none; }
 .sign { fill: currentColor; width: 1em; height: 1em; display: block; }
 .card.token { height: var(--w); border-radius: 50%; background: radial-gradient(circle at 35% 28%, #ffffff59, #fff0 55%), var(--fill, #777); color: var(--on, #fff); border: 3px solid #0003; }
 .card.token .middle { inset: 8% 8% 32%; font-size: 1.3em; color: var(--on, #fff); }
 .card.token .word { background: none; bottom: 13%; color: var(--on, #fff); }
 .card.tile, .card.piece { height: var(--w); border-radius: 14%; }
 .card.bare { color: var(--card-ink); } .card.bare .middle, .card.bare .word { color: inherit; }
 .card.halved { width: calc(var(--w) * .62); height: calc(var(--w) * 1.2); background: #fffdf6; } .halved .face { display: grid; height: 100%; grid-template-rows: 1fr 1fr; } .halved .half { display: grid; place-items: center; } .halved .half + .half { border-top: 2px solid #0004; } .halved .half svg { width: 86%; fill: currentColor; }
 .card .long { font-size: max(.6em, 8.5px); letter-spacing: -.04em; padding-inline: 0; }
 .card.back { background: var(--back) repeating-linear-gradient(45deg, #ffffff1f 0 4px, #fff0 4px 9px); border: 2px solid #fff; color: #fff; display: grid; place-items: center; font-size: 16px; }
 .card.slot { background: none; border: 2px dashed var(--line); box-shadow: none; color: var(--soft); display: grid; place-items: center; font-size: .75rem; }
 .card.token.slot { background: none; color: var(--soft); }
 .seat .card.slot { width: calc(var(--w) * .62); height: calc(var(--w) * .86); font-size: 0; } .seat .card.token.slot { height: calc(var(--w) * .62); } .own .stack { --w: 48px; }
 .card.lit, .cell.lit, .square.lit { cursor: pointer; box-shadow: 0 0 0 3px var(--glow), var(--shadow); }
 .card.soft { cursor: pointer; }
 .card.lit:hover, .card.soft:hover { transform: translateY(-4px); }
 .card.picked { transform: translateY(-9px); box-shadow: 0 0 0 4px var(--accent), 0 8px 14px #0004; }
 .cell.picked, .square.picked { box-shadow: 0 0 0 4px var(--accent); }
 .card.fresh { outline: 3px dotted var(--glow); outline-offset: 2px; }
 .cell.fresh, .square.fresh { border-color: var(--glow); outline: 2px dotted var(--glow); }
 .mini { --w: 31px; }
 .mini .cards { gap: 3px; }
 .mini .card .corner { position: static; height: 100%; flex-direction: column; justify-content: center; gap: 1px; font-size: 13.500px; background: var(--fill, #fff0); color: var(--on, inherit); }
 .mini .card .corner .sign { width: 11px; height: 11px; }
 .mini .pile .card + .card { margin-top: calc(var(--w) * -.86); }
 .mini .pile .card:not(:last-child) .corner { justify-content: flex-start; line-height: 15px; }
 .mini .card .middle, .mini .card .word, .mini .card .extra { display: none; }
 .mini .card .corner .sign { display: block; }
 .mini .card .corner { color: var(--on, inherit); }
 .card.token .corner { display: none; } .mini .card.token .corner { display: flex; background: none; }
 .mini .card .title { inset: 1px; font-size: 8px; overflow: hidden; display: block; }
 .mini .card.slot { font-size: 0; }
 .several { position: relative; display: inline-flex; align-items: center; gap: 3px; }
 .times { font-size: .82rem; font-weight: 700; font-variant-numeric: tabular-nums; }
 .fan { display: flex; align-items: center; padding-left: 14px; }
 .fan .card { margin-left: -14px; }
 .mini .fan .card { margin-left: -18px; } .mini .fan { padding-left: 18px; }
 .fan .times, .pile .times { margin-left: 8px; }
 .pile { display: inline-grid; justify-items: center; }
 .pile .card + .card { margin-top: calc(var(--w) * -1.02); }
 .pile .under { font-size: .76rem; color: var(--soft); line-height: 1.3; }
 .stack .card { box-shadow: 1px 1px 0 #fff, 2px 2px 0 #0004, 4px 4px 0 #fff, 5px 5px 0 #0003, var(--shadow); margin: 0 5px 5px 0; }

 .action { position: var(--stays, sticky); bottom: 0; z-index: 5; border: 1px solid var(--line); box-shadow: 0 -4px 18px #0002; }
 .action .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 6px; }
 .prompt { font-weight: 650; overflow-wrap: anywhere; }
 .done { position: static; }
 .last { color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; } .last small { display: none; } .prompt { margin-top: 2px; }
 .extras { display: flex; gap: 4px 14px; flex-wrap: wrap; justify-content: flex-end; }
 .quiet { border: 0; background: none; color: var(--accent); cursor: pointer; padding: 4px 2px; min-height: 30px; text-decoration: underline; text-underline-offset: 3px; font-size: .92rem; }
 .doing { font-weight: 600; }
 .foot { display: flex; flex-wrap: wrap; gap: 0 14px; align-items: start; margin-top: 4px; } .every { flex: 1 0 auto; } .every[open] { flex-basis: 100%; } .every summary { white-space: nowrap; }
 .no { color: var(--soft); border-style: dashed; background: none; }
 .why { border-left: 4px solid var(--warn); padding: 4px 10px; margin-top: 8px; background: light-dark(#a3271c12, #ff9c8f1f); border-radius: 0 8px 8px 0; overflow-wrap: anywhere; }
 .why code { font-size: .85rem; display: block; white-space: pre-wrap; color: var(--ink); }
 .list { max-height: 38vh; overflow: auto; display: flex; flex-wrap: wrap; gap: 6px; padding: 6px 2px; }
 .list .plain { padding: 4px 10px; min-height: 34px; font-size: .92rem; }
 input, select { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 6px 8px; min-height: 38px; max-width: 100%; }
 .log { max-height: 30vh; overflow: auto; font-size: .9rem; overflow-wrap: anywhere; }
 .log li { padding: 1px 0 1px 10px; color: var(--soft); }
 .log li.heard, .log li.chose, .log li.end { font-weight: 600; color: var(--ink); margin-top: 5px; border-top: 1px solid var(--line); padding: 5px 0 1px; }
 .over { border: 2px solid var(--accent); }
 .over h2 { font-size: 1.2rem; color: var(--ink); }
 .over details { border-top: 1px solid var(--line); padding: 4px 0; }
 .over summary { font-weight: 650; } .over summary b { float: right; font-variant-numeric: tabular-nums; }
 .over h2::first-letter { text-transform: uppercase; }
 .over dt { font-weight: 600; margin-top: 6px; } .over dd { margin: 0 0 4px 10px; overflow-wrap: anywhere; }
 .scores { overflow-x: auto; margin: 6px 0; } .scores table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
 .scores th, .scores td { padding: 4px 8px; border-top: 1px solid var(--line); text-align: right; font-weight: 400; } .scores th[scope="row"] { text-align: left; overflow-wrap: anywhere; }
 .scores .badge { margin-left: auto; } .scores tr.total > * { font-weight: 700; border-top: 2px solid var(--ink); } .scores .won { background: color-mix(in srgb, var(--accent) 14%, transparent); }
 .over pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 3px 0; font: .82rem/1.45 ui-monospace, monospace; color: var(--ink); }
 .quote { color: var(--soft); font-style: italic; font-size: .9rem; }
 .fly { position: fixed; z-index: 50; pointer-events: none; margin: 0; }

 @container (min-width: 900px) {
 .all { grid-template-columns: minmax(0, 1fr) 330px; grid-template-rows: auto 1fr; padding: 12px; gap: 12px; }
 .main { grid-column: 1; grid-row: 1 / span 2; } .side { grid-column: 2; grid-row: 2; } .action { grid-column: 2; grid-row: 1; top: 8px; bottom: auto; align-self: start; box-shadow: var(--shadow); }
 .log { max-height: 52vh; }
 :host { --w: 78px; }
 .duel .board { --room: calc((100cqw - 440px) / 2); }
 .duel { grid-template-columns: repeat(2, minmax(0, 1fr)); } .duel > :not(.own, .others) { grid-column: 1 / -1; } .duel > .own { order: 1; } .duel > .others { order: 2; } .duel > .common { order: 3; }
 }
 @media (max-height: 720px) {
 @container (min-width: 620px) { .all { --w: 56px; gap: 8px; } .log { max-height: 36vh; } .room.large { --w: 76px; } }
 @container (min-width: 620px) and (max-width: 899px) {
 .all { --w: 45px; grid-template-columns: minmax(0, 1fr) 224px; grid-template-rows: auto 1fr; padding: 8px; }
 .main { grid-column: 1; grid-row: 1 / span 2; } .side { grid-column: 2; grid-row: 2; } .action { grid-column: 2; grid-row: 1; top: 6px; bottom: auto; align-self: start; box-shadow: var(--shadow); }
 .common { gap: 6px 16px; padding: 2px 0; } .cards { gap: 5px; }
 }
 }
 @container (max-width: 560px) {
 .all { padding: 6px; gap: 7px; }
 .panel { padding: 6px 8px; border-radius: 12px; }
 .others { grid-template-columns: repeat(auto-fit, minmax(min(100%, 106px), 1fr)); gap: 6px; } .others.wide { grid-template-columns: minmax(0, 1fr); }
 .others .panel { padding: 5px 6px; } .others .room:has(> .cards > .slot) { display: none; } .others .rooms { gap: 4px 10px; } .others h3 { font-size: .74rem; } .mini .fan .card:nth-child(n + 4):not(:last-of-type) { display: none; }
 .main:has(.wide) > .others { order: 2; } .common .card.slot { width: 34px; height: 34px; font-size: 0; }
 .last { font-size: .84rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } .last small { display: inline; font-size: .8rem; }
 .all { --w: 52px; }
 .mini { --w: 27px; }
 .common { gap: 8px 14px; } .common > .room:has(> .cards > :nth-child(4)) { flex: 1 1 180px; }
 .cells { gap: 5px; } .cell { min-width: 44px; padding: 3px; }
 .log { max-height: 24vh; }
 .no, .doing, .last:has(+ .last + .last) { display: none; } .quiet, .every summary { font-size: .84rem; } .extras { gap: 0 12px; } .foot { gap: 0 8px; }
 .common .stack { --w: 38px; } .common .stack:has(.face) { --w: 46px; } .card.token .word { font-size: 9.5px; bottom: 9%; }
 .who { column-gap: 4px; } .who small { font-size: .72rem; } .seat.mini .who .name { font-size: .85rem; }
 .status { padding: 4px 8px; } .chip { font-size: .8rem; padding: 0 8px; }
 .plain, .primary { padding: 6px 11px; min-height: 38px; } .action .row { gap: 6px; margin-top: 4px; }
 }
 @container (max-width: 360px) { .quiet, .every summary { font-size: .8rem; } .last:has(+ .last) { display: none; } .prompt { font-size: .95rem; line-height: 1.25; margin: 0; } .action .row { margin-top: 3px; } .foot { margin-top: 2px; } }
 @media (prefers-reduced-motion: no-preference) { .card { transition: transform .12s ease; } }
`;
