// How long the playground in `argv[2]` takes: until painted, until ready, cold and warm, from a key to its mistakes. Prints milliseconds as JSON.
import { launch } from "./browser.mjs"
import { serveFolder } from "./serve.mjs"

const [, , folder, game, keys] = process.argv
const site = await serveFolder(folder)
const browser = await launch()
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" })

async function open() {
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const began = Date.now()
  await page.goto(`${site.url}#game=${game}`)
  await page.waitForSelector("html[data-state=ready]")
  await page.waitForFunction(() => "findings" in document.documentElement.dataset)
  const ready = Date.now() - began
  const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime)
  return [page, { painted: Math.round(painted), ready }]
}

const [first, cold] = await open()
await first.waitForFunction(() => navigator.serviceWorker.controller !== null)
await first.close()
const [page, warm] = await open()

// A sign that is none, and away with it: each time the number of mistakes changes.
await page.click(".cm-content")
await page.keyboard.press("Control+Home")
for (let line = 0; line < 12; line++) await page.keyboard.press("ArrowDown")
await page.keyboard.press("End")
const found = () => page.evaluate(() => document.documentElement.dataset.findings)
const diagnostics = []
for (let key = 0; key < Number(keys); key++) {
  const before = await found()
  const began = Date.now()
  await (key % 2 ? page.keyboard.press("Backspace") : page.keyboard.insertText("§"))
  await page.waitForFunction((old) => document.documentElement.dataset.findings !== old, before, { polling: 5 })
  diagnostics.push(Date.now() - began)
}
console.log(JSON.stringify({ cold, warm, diagnostics }))
await browser.close()
await site.close()
