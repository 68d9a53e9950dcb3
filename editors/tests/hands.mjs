// The table as hands use it: dragged by a mouse, or by the keys of a keyboard alone. Reads {base, drags: [{path}], keys: [{path,
// choices}], looks: [{path, selectors}], weights: [{path, wait}]} from standard input; prints what came of it.
import { readFileSync } from "node:fs"
import { launch } from "./browser.mjs"

const { base, drags = [], keys = [], looks = [], weights = [] } = JSON.parse(readFileSync(0, "utf-8"))
const browser = await launch()

// ---- in the page

function stand() {
  const table = document.querySelector("rules-app").shadowRoot.querySelector("rules-table")
  const { end, question, log } = table?.position ?? {}
  return { over: !!end, question: question?.open ? question.question : 0, chosen: (log ?? []).filter((one) => one.kind === "chose").map((one) => one.text) }
}

// The first card that can be picked, and the first thing that can be picked after it and lies elsewhere.
function findCard() {
  const root = document.querySelector("rules-app").shadowRoot.querySelector("rules-table").shadowRoot
  const card = [...root.querySelectorAll(".own .card.lit")].at(0)
  card?.scrollIntoView({ block: "center" })
  const { left, top, width, height } = card.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2, words: card.getAttribute("title") }
}

function findTarget(words) {
  const root = document.querySelector("rules-app").shadowRoot.querySelector("rules-table").shadowRoot
  const found = [...root.querySelectorAll(".common .card.lit, .cell.lit, .square.lit")].find((one) => one.getAttribute("title") !== words)
  const { left, top, width, height } = found.getBoundingClientRect()
  return { x: left + width / 2, y: top + Math.min(height / 2, 30), words: found.getAttribute("title") ?? found.textContent.trim() }
}

// What has the focus: may it be pressed for a choice, and is that the last press.
function focused() {
  const root = document.querySelector("rules-app").shadowRoot.querySelector("rules-table").shadowRoot
  const one = root.activeElement
  if (!one) return { kind: "elsewhere" }
  const style = getComputedStyle(one)
  const seen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
  if (one.id === "confirm") return { kind: "confirm", seen }
  const fits = one.matches(".card.lit, .cell.lit button.key, .square.lit, .edge.lit, .action .row button:not(.no), .seat .who button")
  const isClear = one.textContent.trim() === root.host.t("clear")
  return { kind: fits && (one.getAttribute("aria-pressed") !== "true" || "more" in one.dataset) && !isClear ? "lit" : "other", seen, words: one.textContent.trim().slice(0, 60) }
}

// ---- what hands do

async function open(path, viewport) {
  const page = await (await browser.newContext({ viewport, reducedMotion: "reduce" })).newPage()
  const errors = []
  page.on("pageerror", (error) => errors.push(error.message))
  await page.goto(base + path)
  await page.locator("rules-table .action").first().waitFor({ timeout: 20000 })
  await page.waitForFunction(() => document.querySelector("rules-app").shadowRoot.querySelector("rules-table").position.question?.open)
  return { page, errors }
}

async function drag({ path }) {
  const { page, errors } = await open(path, { width: 1280, height: 900 })
  // Who begins may have to be said first.
  const cards = page.locator("rules-table .own .card.lit"), first = page.locator("rules-table .seat .who button, rules-table .action .row .plain:not(.no)")
  for (let tries = 0; tries < 100 && !(await cards.count()); tries += 1) {
    if (await first.count()) await first.first().click()
    await page.waitForTimeout(200)
  }
  const before = await page.evaluate(stand)
  const from = await page.evaluate(findCard)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 12, from.y - 12, { steps: 4 })
  await page.waitForTimeout(60)
  const flies = await page.evaluate(() => !!document.querySelector("rules-app").shadowRoot.querySelector("rules-table").shadowRoot.querySelector(".fly"))
  const to = await page.evaluate(findTarget, from.words)
  await page.mouse.move(to.x, to.y, { steps: 8 })
  await page.mouse.up()
  await page.waitForTimeout(400)
  const after = await page.evaluate(stand)
  const left = await page.evaluate(() => document.querySelector("rules-app").shadowRoot.querySelector("rules-table").shadowRoot.querySelectorAll(".fly").length)
  // Let go over nothing: nothing happens but that the card is picked.
  await page.context().close()
  return { path, from: from.words, to: to.words, flies, left, chosen: after.chosen.slice(before.chosen.length), errors }
}

async function type({ path, choices }) {
  const { page, errors } = await open(path, { width: 1280, height: 900 })
  const unseen = new Set()
  let tabs = 0, most = 0, random = 5
  for (let presses = 0; presses < choices * 14;) {
    const now = await page.evaluate(stand)
    if (now.over || now.chosen.length >= choices) break
    if (!now.question) { await page.waitForTimeout(20); continue }
    // From the beginning of the page: Tab until something can be chosen, and some further on.
    await page.evaluate(() => document.activeElement?.blur())
    random = (random * 48271 + 11) % 2147483647
    let skip = random % 4, steps = 0
    for (; steps < 250; steps += 1) {
      await page.keyboard.press("Tab")
      tabs += 1
      const one = await page.evaluate(focused)
      if (one.kind !== "elsewhere" && !one.seen) unseen.add(one.words ?? one.kind)
      if (one.kind === "confirm") break
      if (one.kind === "lit" && (skip -= 1) < 0) break
    }
    most = Math.max(most, steps)
    if (steps === 250) { errors.push("nothing can be reached by Tab"); break }
    await page.keyboard.press(presses % 2 ? "Space" : "Enter")
    presses += 1
    await page.waitForTimeout(30)
  }
  const after = await page.evaluate(stand)
  await page.context().close()
  return { path, chosen: after.chosen.length, over: after.over, tabs, most, unseen: [...unseen], errors }
}

// What is drawn at each selector, after these were pressed: its text and its style. `wait`: what is waited for.
async function see({ path, selectors, presses = [], wait }) {
  const { page, errors } = await open(path, { width: 1280, height: 900 })
  for (const one of presses) await page.locator(one).first().click()
  if (wait) await page.locator(wait).first().waitFor({ state: "attached", timeout: 20000 })
  const seen = await page.evaluate((wanted) => {
    const root = document.querySelector("rules-app").shadowRoot.querySelector("rules-table").shadowRoot
    return Object.fromEntries(wanted.map((one) => [one, [...root.querySelectorAll(one)].map((found) => [found.textContent.trim(), found.getAttribute("style") ?? ""])]))
  }, selectors)
  await page.context().close()
  return { seen, errors }
}

// What comes over the line, heads of answers included, until all that is on the page stands there.
async function weigh({ path, wait }) {
  const page = await (await browser.newContext()).newPage()
  const session = await page.context().newCDPSession(page)
  await session.send("Network.enable")
  let bytes = 0
  session.on("Network.loadingFinished", (one) => { bytes += one.encodedDataLength })
  await page.goto(base + path)
  await page.locator(wait).first().waitFor({ timeout: 20000 })
  await page.waitForLoadState("networkidle")
  await page.context().close()
  return { path, bytes }
}

const dragged = [], typed = [], looked = [], weighed = []
for (const one of weights) weighed.push(await weigh(one))
for (const one of looks) looked.push(await see(one))
for (const one of drags) dragged.push(await drag(one))
for (const one of keys) typed.push(await type(one))
await browser.close()
console.log(JSON.stringify({ dragged, typed, looked, weighed }))
