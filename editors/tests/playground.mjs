// Drives the playground in `argv[2]` as somebody would, and prints what was seen as JSON. `argv[3]`: a folder for pictures.
import { readFileSync } from "node:fs"
import { findBarriers, launch } from "./browser.mjs"
import { serveFolder } from "./serve.mjs"

const { broken, long, variant } = JSON.parse(readFileSync(0, "utf-8"))
const pictures = process.argv[3]
const LONG = 150_000
const site = await serveFolder(process.argv[2])
const browser = await launch()
const seen = { foreign: [], faults: [], barriers: {} }

async function openPage(context, address = site.url) {
  const page = await context.newPage()
  page.setDefaultTimeout(LONG)
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url())
    if (!["data:", "blob:"].includes(protocol) && host !== new URL(site.url).host) seen.foreign.push(request.url())
  })
  page.on("pageerror", (fault) => seen.faults.push(String(fault)))
  page.on("console", (line) => line.type() === "error" && seen.faults.push(line.text()))
  const began = Date.now()
  await page.goto(address)
  await page.waitForSelector("html[data-state=ready]")
  await page.waitForFunction(() => "findings" in document.documentElement.dataset)
  return [page, Date.now() - began]
}

const rulesOf = (page) => page.evaluate(() => localStorage.getItem("rulesrun-rules"))

async function write(page, text) {
  await page.click(".cm-content")
  await page.keyboard.press("Control+a")
  await page.keyboard.insertText(text)
}

// The cursor goes behind so many letters of the line that begins so.
async function selectPlace(page, start, letters) {
  const at = (await page.locator(".cm-line").allTextContents()).findIndex((line) => line.startsWith(start))
  await page.keyboard.press("Control+Home")
  for (let line = 0; line < at; line++) await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Home")
  for (let letter = 0; letter < letters; letter++) await page.keyboard.press("ArrowRight")
}

async function look(page, name) {
  const found = await findBarriers(page)
  if (found.length) seen.barriers[name] = found
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` })
}

const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" })
await context.grantPermissions(["clipboard-read", "clipboard-write"])
const [page, cold] = await openPage(context)
seen.cold = cold
seen.paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime)

// problems, what a code means, completion, hover
await write(page, broken.replace("deck\n", "dekc\n"))
await page.waitForSelector("#problems .error")
seen.problem = await page.textContent("#problems .error")
await page.click("#problems .error .code")
seen.explained = await page.textContent("#explain pre")
await page.keyboard.press("Escape")

// a fix from the list of problems, and one at the cursor; a name is named anew, or why not
await page.click("#tab-problems")
await page.click("#problems .error .mend")
await page.waitForFunction(() => !document.querySelector("#problems .error"))
seen.mended = await rulesOf(page)
await write(page, broken.replace("deck\n", "dekc\n"))
await page.waitForSelector("#problems .error")
await page.click("#problems .error .place")
await page.keyboard.press("Control+.")
await page.waitForSelector("#changes li button")
await look(page, "changes")
seen.offered = await page.$$eval("#changes li button", (buttons) => buttons.map((button) => button.textContent))
await page.click("#changes li button")
await page.waitForFunction(() => !document.querySelector("#problems .error"))
seen.mendedAtCursor = await rulesOf(page)
await selectPlace(page, "zone deck", 5)
await page.keyboard.press("F2")
await page.waitForSelector("#changes input")
await page.keyboard.type("hand")
await page.keyboard.press("Enter")
await page.waitForFunction(() => document.querySelector("#changes [role=alert]").textContent)
seen.refused = await page.textContent("#changes [role=alert]")
await page.fill("#changes input", "stock")
await look(page, "renaming")
await page.keyboard.press("Enter")
await page.waitForFunction(() => !document.querySelector("#changes").open)
seen.renamed = await rulesOf(page)

// typed word by word: a word that is written out ends its line, and what stands below is indented
const [head, body] = broken.split(/(?<=^number laid.*\n)/m)
await write(page, head)
for (const line of body.split("\n").slice(0, 10)) {
  await page.keyboard.type(line.trim(), { delay: 15 })
  await page.waitForTimeout(400)
  await page.keyboard.press("Enter")
}
seen.typed = await rulesOf(page)

await write(page, broken)
await page.waitForFunction(() => !document.querySelector("#problems .error"))
await page.keyboard.press("Control+End")
const before = Date.now()
await page.keyboard.type("\nzo")
await page.waitForSelector(".cm-tooltip-autocomplete")
seen.completed = [await page.textContent(".cm-tooltip-autocomplete li"), Date.now() - before]
await look(page, "completion")
await page.keyboard.press("Escape")
await write(page, broken)
const place = await page.evaluate(() => {
  const line = [...document.querySelectorAll(".cm-line")].find((one) => one.textContent.includes("move card to deck"))
  const range = document.createRange()
  range.selectNodeContents(line)
  range.setStart(line.lastChild, Math.max(0, line.lastChild.textContent.length - 4))
  const { left, right, top, bottom } = range.getBoundingClientRect()
  return [(left + right) / 2, (top + bottom) / 2]
})
await page.mouse.move(place[0] - 3, place[1])
await page.mouse.move(...place, { steps: 3 })
seen.hover = await page.textContent(".cm-hover")

// a report with the shortest story
await page.click("#run")
await page.waitForSelector("#report pre")
seen.story = await page.$$eval("#report ol.story li", (items) => items.map((item) => item.textContent))
seen.report = await page.textContent("#report pre")
await look(page, "report")
await page.click("#report ol.story li:last-child .place")
seen.jumped = await page.evaluate(() => getSelection().toString())

// share, come back by the link, sit down at once; a damaged link is noticed
await page.click("#share")
await page.waitForFunction(() => location.hash.startsWith("#rules="))
seen.link = page.url().length
const [shared] = await openPage(await browser.newContext(), `${page.url()}&play`)
seen.shared = (await shared.locator(".cm-line").allTextContents()).join("\n")
await shared.waitForSelector("rules-table .turn")
seen.plays = true
await shared.evaluate(() => { location.hash = "#rules=AAAA" })
await shared.waitForFunction(() => document.querySelector("#state").dataset.name === "badLink")
await shared.context().close()

// stop what takes long
await write(page, long)
await page.waitForFunction(() => !document.querySelector("#run").disabled)
await page.click("#run")
await page.waitForSelector("#stop:not([hidden])")
await page.click("#stop")
await page.waitForSelector("html[data-state=ready]")
await page.waitForFunction(() => !document.querySelector("#run").disabled)
seen.stopped = await page.textContent("#report")

// a variant of a bundled base, compared with it
await write(page, variant)
await page.waitForSelector("#compare:not([hidden])")
await page.click("#compare")
await page.waitForSelector("#report pre")
seen.compared = await page.textContent("#report pre")

// a table: nobody sees the other's card
await page.selectOption("#gallery", "classics/kuhn")
await page.waitForFunction(() => document.documentElement.dataset.findings === "0")
await page.click("#play")
const table = page.locator("rules-table")
const choices = table.locator(".action").getByRole("button", { name: /^(pass|bet|call|fold)/ })
await choices.first().waitFor()
seen.table = await table.textContent()
await look(page, "table")
for (let moves = 0; moves < 6 && (await choices.count()); moves++) {
  const old = await table.locator(".side").textContent()
  await choices.first().click()
  for (let tries = 0; tries < 300 && (await table.locator(".side").textContent()) === old; tries++) await page.waitForTimeout(50)
}
seen.over = await table.locator(".turn").textContent()
await look(page, "end")
await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
const requests = site.requests.length

// another screen, another language, in the dark
await page.setViewportSize({ width: 390, height: 844 })
await look(page, "phone-light-en")
seen.wide = [await page.evaluate(() => document.documentElement.scrollWidth)]
const dark = { viewport: { width: 390, height: 844 }, colorScheme: "dark", locale: "ru-RU" }
const [other] = await openPage(await browser.newContext(dark), `${site.url}#game=classics/kuhn&play`)
await other.waitForSelector("rules-table .turn")
await look(other, "phone-dark-ru-table")
seen.wide.push(await other.evaluate(() => document.documentElement.scrollWidth))
await write(other, broken.replace("deck\n", "dekc\n"))
await other.click("#tab-problems")
await other.waitForSelector("#problems .error")
seen.russian = await other.textContent("#problems .error")
await look(other, "phone-dark-ru")
await other.setViewportSize({ width: 1280, height: 800 })
await look(other, "desk-dark-ru")
await other.context().close()

// without a network
seen.requests = requests
await site.close()
const [again, warm] = await openPage(context)
seen.warm = warm
seen.offline = await rulesOf(again)
await browser.close()
process.stdout.write(JSON.stringify(seen))
