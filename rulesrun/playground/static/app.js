// The page: an editor, a worker with Python, and what the worker says.
import {
  EditorView, EditorState, Compartment, Prec, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection,
  hoverTooltip, indentUnit, syntaxHighlighting, HighlightStyle, bracketMatching, defaultKeymap, history, historyKeymap,
  indentWithTab, setDiagnostics, lintGutter, lintKeymap, autocompletion, closeCompletion, completionKeymap, closeBrackets,
  closeBracketsKeymap, selectedCompletion, snippet, search, searchKeymap, highlightSelectionMatches, tags,
} from "./codemirror.js"
import { Changes } from "./changes.js"
import { decodeLink, encodeLink, readFragment } from "./link.js"
import { rules } from "./rules.js"
import { firstWorker, makeWorker } from "./start.js"
import { Table, element } from "./table.js"
import { say, TEXTS } from "./texts.js"

const DOCUMENT = "my.rules"
const KEPT = "rulesrun-rules"
const GAMES = 50
const PAUSE = 60 // milliseconds without a key before the rules are checked
const at = (id) => document.getElementById(id)

let language = "en"
const says = (name, values) => say(language, name, values)

// ---- Python in a worker

let worker = null
let isReady = false
let isDamaged = false // the link that led here
let version = 0
let checked = 0
const waiting = new Map()
let number = 0

function startWorker() {
  isReady = false
  document.documentElement.dataset.state = "loading"
  for (const { resolve } of waiting.values()) resolve(null)
  waiting.clear()
  worker = worker === null ? firstWorker : makeWorker()
  worker.onmessage = ({ data }) => {
    if (data.state) return noteState(data)
    waiting.get(data.id)?.resolve(data.error ? { error: data.error } : data.answer)
    waiting.delete(data.id)
  }
  worker.onerror = (event) => noteState({ state: "failed", reason: event.message })
}

function noteState({ state, reason }) {
  isReady = state === "ready"
  document.documentElement.dataset.state = state
  tell(isReady ? (isDamaged ? "badLink" : "ready") : "failed", { reason })
  for (const id of ["run", "play", "format", "compare", "change"]) at(id).disabled = !isReady
  if (!isReady) return
  openDocument().then(() => {
    keepForLater()
    if (readFragment(location.hash).plays) at("play").click()
  })
}

function ask(method, values = {}) {
  return new Promise((resolve) => {
    number += 1
    waiting.set(number, { resolve })
    worker.postMessage({ id: number, method, document: DOCUMENT, language, ...values })
  })
}

function tell(name, values) {
  at("state").textContent = says(name, values)
  at("state").dataset.name = name
}

// ---- the editor

const style = HighlightStyle.define([
  { tag: [tags.lineComment], color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.docComment, color: "var(--good)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: [tags.number, tags.atom], color: "var(--number)" },
  { tag: tags.definitionKeyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.keyword, color: "var(--accent)" },
  { tag: tags.definition(tags.variableName), color: "var(--defined)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--defined)" },
])

const look = EditorView.theme({
  "&": { backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace', fontSize: ".88rem", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", borderRight: "1px solid var(--rule)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--panel)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--select) !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--paper)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { maxHeight: "none" },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal", opacity: ".85" },
  ".cm-hover": { padding: ".3rem .6rem", maxWidth: "34rem", whiteSpace: "pre-wrap", fontSize: ".85rem" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-matchingBracket": { outline: "1px solid var(--accent)", backgroundColor: "transparent !important" },
})


function makeState(text) {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(), bracketMatching(),
      closeBrackets(), lintGutter(), search({ top: true }), highlightSelectionMatches(), indentUnit.of("  "),
      EditorView.lineWrapping, rules(), syntaxHighlighting(style), look,
      Prec.highest(keymap.of([{ key: "Enter", run: leaveWholeWord }])),
      autocompletion({ override: [complete], activateOnTypingDelay: 80, icons: false, maxRenderedOptions: 12 }),
      hoverTooltip(hover, { hoverTime: 250 }),
      label.of(describeEditor()),
      keymap.of([
        { key: "Mod-.", run: () => openChanges() }, { key: "F2", run: () => openChanges("rename") }, { key: "F12", run: () => goToDefinition() },
      ]),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => update.docChanged && noteChange()),
    ],
  })
}

const label = new Compartment()
const describeEditor = () => EditorView.contentAttributes.of({ "aria-label": says("editor"), tabindex: "0" })
const textNow = () => view.state.doc.toString()
const view = new EditorView({ parent: at("rules"), state: makeState("") })
const toPosition = (state, offset) => {
  const line = state.doc.lineAt(offset)
  return { line: line.number - 1, character: offset - line.from }
}
const toOffset = (state, { line, character }) => {
  if (line >= state.doc.lines) return state.doc.length
  const found = state.doc.line(line + 1)
  return Math.min(found.from + character, found.to)
}

let timer
function noteChange() {
  version += 1
  localStorage.setItem(KEPT, textNow())
  if (location.hash) window.history.replaceState(null, "", location.pathname)
  clearTimeout(timer)
  if (isReady) timer = setTimeout(check, PAUSE)
}

async function openDocument() {
  await ask("open", { text: textNow(), version })
  checked = version
  await diagnose()
}

// One check at a time; what was typed meanwhile is checked behind it.
let isChecking = false
async function check() {
  if (!isReady || isChecking) return
  isChecking = true
  try {
    while (checked !== version) {
      checked = version
      await ask("change", { changes: [textNow()], version })
      await diagnose()
    }
  } finally {
    isChecking = false
  }
}

async function diagnose() {
  const asked = version
  const found = await ask("diagnose")
  if (!found || found.error || asked !== version) return
  const marks = found.findings.map((one) => {
    const from = toOffset(view.state, one.range.start)
    return {
      from, to: Math.max(from, toOffset(view.state, one.range.end)),
      severity: { error: "error", warning: "warning" }[one.severity] ?? "info",
      message: one.hint ? `${one.message}\n${says("hint", { hint: one.hint })}` : one.message,
      source: one.code,
      actions: [
        ...(one.is_fixable ? [{ name: says("mendIt"), apply: () => mend(one) }] : []),
        { name: one.code, apply: () => explain(one.code) },
      ],
    }
  })
  view.dispatch(setDiagnostics(view.state, marks))
  showProblems(found.findings)
  const known = await ask("look")
  at("compare").hidden = !known?.base
  at("compare").dataset.base = known?.base ?? ""
}

function showProblems(findings) {
  const count = (severity) => findings.filter((one) => one.severity === severity).length
  at("tab-problems").textContent = findings.length ? `${says("problems")} (${findings.length})` : says("problems")
  document.documentElement.dataset.findings = findings.length
  const items = findings.map((one) => {
    const item = element("li", placeButton(one.range.start.line + 1), codeButton(one.code), element("p", ...withCode(one.message)))
    item.className = one.severity
    if (one.hint) item.append(paragraph("soft", ...withCode(says("hint", { hint: one.hint }))))
    if (one.is_fixable) item.append(mendButton(one))
    return item
  })
  const head = findings.length ? tellCounts(count) : says("noProblems")
  const list = element("ul", ...items)
  list.className = "found"
  at("problems").replaceChildren(element("p", head), ...(items.length ? [list] : []))
}

function tellCounts(count) {
  const told = ["error", "warning", "note"].filter((severity) => count(severity)).map((severity) => {
    const form = new Intl.PluralRules(language).select(count(severity))
    return `${count(severity)} ${says(severity)[form] ?? says(severity).other}`
  })
  return told.join(", ")
}

// What stands in backticks is from the rules.
function withCode(text) {
  return text.split("`").map((part, at) => (at % 2 ? element("code", part) : part))
}

function mendButton(finding) {
  const button = element("button", says("mendIt"))
  button.className = "mend"
  button.onclick = () => mend(finding)
  return button
}

async function mend(finding) {
  await check()
  if (!(await changes.mend(finding))) tell("noChanges")
}

function placeButton(line) {
  const button = element("button", says("line", { line }))
  button.className = "place"
  button.onclick = () => {
    const place = view.state.doc.line(Math.min(line, view.state.doc.lines))
    view.dispatch({ selection: { anchor: place.from, head: place.to }, effects: EditorView.scrollIntoView(place.from, { y: "center" }) })
    view.focus()
  }
  return button
}

function codeButton(code) {
  const button = element("button", code)
  button.className = "code"
  button.title = says("means", { code })
  button.onclick = () => explain(code)
  return button
}

function paragraph(kind, ...inner) {
  const made = element("p", ...inner)
  made.className = kind
  return made
}

async function explain(code) {
  const text = await ask("explain", { code })
  if (typeof text !== "string") return
  at("tab-explain").hidden = false
  at("explain").replaceChildren(element("pre", text))
  openTab("explain")
}

async function complete(context) {
  const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u)
  if (!isReady || !(word || context.explicit)) return null
  await check()
  const found = await ask("complete", { position: toPosition(context.state, context.pos) })
  if (!found || found.error || !found.items.length || context.aborted) return null
  if (!context.explicit && found.items.length === 1 && found.items[0].label === word.text) return null
  return {
    from: toOffset(context.state, found.range.start),
    filter: false,
    options: found.items.map((item) => ({
      label: item.label, detail: item.detail, info: item.note || undefined,
      apply: item.is_snippet ? snippet(item.text) : item.text,
    })),
  }
}

// A word that is written out already is not completed: the line ends.
function leaveWholeWord(editor) {
  const { head } = editor.state.selection.main
  const offered = selectedCompletion(editor.state)?.label ?? ""
  if (offered && editor.state.sliceDoc(Math.max(0, head - offered.length), head) === offered) closeCompletion(editor)
  return false
}

async function hover(editor, offset) {
  if (!isReady) return null
  const found = await ask("hover", { position: toPosition(editor.state, offset) })
  if (!found || found.error) return null
  const text = found.text.replace(/^```.*$\n?/gm, "").replace(/\*\*|`/g, "").trim()
  const shown = element("div", text)
  shown.className = "cm-hover"
  return { pos: toOffset(editor.state, found.range.start), end: toOffset(editor.state, found.range.end), create: () => ({ dom: shown }) }
}

// ---- changes

function applyEdits(edits) {
  const changes = edits.map((edit) => ({
    from: toOffset(view.state, edit.range.start), to: toOffset(view.state, edit.range.end), insert: edit.text,
  }))
  view.dispatch({ changes })
}

function selectedRange() {
  const { from, to } = view.state.selection.main
  return { start: toPosition(view.state, from), end: toPosition(view.state, to) }
}

const changes = new Changes(at("changes"), { ask, says, range: selectedRange, apply: applyEdits, focus: () => view.focus() })

function openChanges(what = "open") {
  if (isReady) check().then(() => changes[what]())
  return true
}

function goToDefinition() {
  if (!isReady) return true
  const { head } = view.state.selection.main
  check().then(() => ask("definition", { position: toPosition(view.state, head) })).then((found) => {
    if (found?.document !== DOCUMENT) return
    const from = toOffset(view.state, found.range.start)
    view.dispatch({ selection: { anchor: from, head: toOffset(view.state, found.range.end) }, effects: EditorView.scrollIntoView(from, { y: "center" }) })
  })
  return true
}

at("change").onclick = () => openChanges()

function replaceText(text) {
  view.setState(makeState(text))
  noteChange()
  at("report").replaceChildren(element("p", says("noReport")))
  at("table").replaceChildren()
  if (isReady) check()
}

// ---- commands

async function work(method, values) {
  at("stop").hidden = false
  at("run").disabled = at("compare").disabled = true
  tell("working")
  openTab("report")
  at("report").replaceChildren(element("p", says("working")))
  const began = worker
  const done = await ask(method, { text: textNow(), games: GAMES, ...values })
  if (began !== worker) return null
  at("stop").hidden = true
  at("run").disabled = at("compare").disabled = false
  tell("ready")
  return done
}

at("run").onclick = async () => {
  const done = await work("run")
  if (!done) return
  // Findings for other tools are English; the report has the same games in every language.
  const results = language === "en" ? done.sarif?.runs[0].results ?? [] : []
  const stories = results.filter((one) => one.codeFlows).map(tellStory)
  at("report").replaceChildren(...stories, element("pre", done.error ?? done.text))
  showSide() // now that it is as high as what stands in it
}

function tellStory(result) {
  const steps = result.codeFlows[0].threadFlows[0].locations.map(({ location }) => {
    const line = location.physicalLocation?.region.startLine
    return element("li", ...withCode(location.message.text), " ", ...(line ? [placeButton(line)] : []))
  })
  const list = element("ol", ...steps)
  list.className = "story"
  return element("section", element("h2", ...withCode(result.message.text.split("\n")[0])), paragraph("soft", says("story")), list)
}

at("compare").onclick = async () => {
  const done = await work("compare", { games: 20, base: at("compare").dataset.base })
  if (!done) return
  at("report").replaceChildren(element("pre", done.error ?? done.text))
  showSide()
}

at("stop").onclick = () => {
  worker.terminate()
  at("stop").hidden = true
  at("report").replaceChildren(element("p", says("noReport")))
  startWorker()
  tell("stopped")
}

const table = new Table(at("table"), (method, values) => ask(method, { text: textNow(), ...values }), () => language)

at("play").onclick = async () => {
  openTab("table")
  await check()
  const found = await ask("look")
  if (!found || found.error) return
  table.offer(found)
  if (found.players.length) {
    const players = found.players.includes(2) ? 2 : found.players[0]
    at("table").querySelector("[name=players]").value = players
    await table.sit(players, players > 1 ? "greedy" : null)
    showSide()
  }
}

at("format").onclick = async () => {
  await check()
  const edits = await ask("format")
  if (Array.isArray(edits) && edits.length) applyEdits(edits)
  else tell(at("problems").querySelector(".error") ? "mend" : "noChanges")
}

at("share").onclick = async () => {
  const code = await encodeLink(textNow())
  window.history.replaceState(null, "", `#rules=${code}`)
  const size = (location.href.length / 1000).toFixed(1)
  let isCopied = true
  await navigator.clipboard?.writeText(location.href).catch(() => { isCopied = false })
  tell(isCopied && navigator.clipboard ? "shared" : "sharedOnly", { size })
}

at("download").onclick = () => {
  const link = element("a")
  link.href = URL.createObjectURL(new Blob([textNow()], { type: "text/plain" }))
  link.download = DOCUMENT
  link.click()
  URL.revokeObjectURL(link.href)
}

// ---- tabs

const tabs = [...document.querySelectorAll("[role=tab]")]
function openTab(name) {
  for (const tab of tabs) {
    const isOpen = tab.id === `tab-${name}`
    tab.setAttribute("aria-selected", isOpen)
    tab.tabIndex = isOpen ? 0 : -1
    at(tab.getAttribute("aria-controls")).hidden = !isOpen
  }
  showSide()
}

// On a phone it lies below the rules.
function showSide() {
  if (matchMedia("(max-width: 50rem)").matches) at("side").scrollIntoView({ block: "start" })
}
for (const tab of tabs) {
  tab.onclick = () => openTab(tab.getAttribute("aria-controls"))
  tab.onkeydown = (event) => {
    const shown = tabs.filter((one) => !one.hidden)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length]
    next.click()
    next.focus()
  }
}

// ---- language, gallery, beginning

function speak(code) {
  language = code in TEXTS ? code : "en"
  document.documentElement.lang = language
  at("language").value = language
  localStorage.setItem("rulesrun-language", language)
  for (const one of document.querySelectorAll("[data-says]")) one.textContent = says(one.dataset.says)
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", says(one.dataset.label))
  for (const one of document.querySelectorAll("[data-title]")) one.title = says(one.dataset.title)
  at("gallery").setAttribute("aria-label", says("gallery"))
  if (at("gallery").options.length) at("gallery").options[0].textContent = says("own")
  view.dispatch({ effects: label.reconfigure(describeEditor()) })
  if (!isReady) tell("loading")
  else tell("ready")
}

at("language").onchange = async () => {
  speak(at("language").value)
  if (isReady) await diagnose()
}

async function loadGallery() {
  const games = await (await fetch(new URL("gallery.json", import.meta.url))).json()
  at("gallery").replaceChildren(new Option(says("own"), ""), ...games.map((game) => new Option(game.title, game.name)))
  at("gallery").onchange = () => {
    const chosen = games.find((game) => game.name === at("gallery").value)
    if (chosen) replaceText(chosen.text)
  }
  return games
}

async function begin() {
  speak(localStorage.getItem("rulesrun-language") ?? navigator.language.slice(0, 2))
  startWorker()
  tell("loading")
  at("report").append(element("p", says("noReport")))
  const { code, game } = readFragment(location.hash)
  const games = await loadGallery()
  const named = games.find((one) => one.name === game)
  let text = localStorage.getItem(KEPT) ?? games[0].text
  if (named) {
    text = named.text
    at("gallery").value = game
  }
  if (code) {
    try {
      text = await decodeLink(code)
    } catch {
      isDamaged = true
    }
  }
  view.setState(makeState(text))
  version += 1
  if (isReady) await check()
  if (isDamaged) tell("badLink")
}

// Without a network, from now on. What is needed first has come by then.
function keepForLater() {
  if ("serviceWorker" in navigator) navigator.serviceWorker.register(new URL("service-worker.js", import.meta.url))
}

window.addEventListener("hashchange", async () => {
  const { code, game, plays } = readFragment(location.hash)
  if (!code && !game) return
  try {
    const fragment = location.hash
    if (code) replaceText(await decodeLink(code))
    else {
      at("gallery").value = game
      at("gallery").onchange()
    }
    window.history.replaceState(null, "", fragment)
    if (plays && isReady) at("play").click()
  } catch {
    tell("badLink")
  }
})

begin()
