// Plays tables to the end on the page, a browser context for each seat. Reads {base, games: [{rules, table, tokens,
// players, how}], audit} from standard input; prints for each game what was seen.
import { readFileSync } from "node:fs"
import { findBarriers, launch } from "./browser.mjs"
import { act } from "./players.mjs"

const PATIENCE = 60_000 // milliseconds without anything to press

const { base, games, audit = [], most = 3000 } = JSON.parse(readFileSync(0, "utf-8"))
const browser = await launch()

async function play(game) {
  const errors = [], foreign = []
  const pages = []
  for (let seat = 1; seat <= game.players; seat += 1) {
    const context = await browser.newContext({ viewport: seat % 2 ? { width: 390, height: 844 } : { width: 1280, height: 860 }, reducedMotion: "reduce" })
    const page = await context.newPage()
    page.on("pageerror", (error) => errors.push(error.message))
    page.on("console", (told) => told.type() === "error" && errors.push(told.text()))
    page.on("request", (asked) => { if (!asked.url().startsWith(base.replace(/\/$/, "")) && !asked.url().startsWith("data:")) foreign.push(asked.url()) })
    await page.goto(`${base}t/${game.table}?lang=${seat % 2 ? "en" : "ru"}#${game.tokens[seat]}`)
    pages.push(page)
  }
  let random = game.table.length + game.players, presses = 0
  const next = () => (random = (random * 48271 + 11) % 2147483647) / 2147483647
  const over = new Set()
  for (let since = Date.now(); over.size < pages.length && presses < most && Date.now() - since < PATIENCE;) {
    let did = false
    for (const [at, page] of pages.entries()) {
      if (over.has(at)) continue
      const state = await page.evaluate(act, { how: game.how, chance: next(), script: game.script?.[at] })
      if (state === "pressed") { did = true; presses += 1 }
      if (state === "narrowed") did = true
      if (state === "over" || state === "stopped") over.add(at)
    }
    if (did) since = Date.now()
    else await pages[0].waitForTimeout(5)
  }
  const wide = []
  for (const page of pages) {
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (width > 0) wide.push(width)
  }
  const end = await pages[0].evaluate(() => document.querySelector("rules-app").shadowRoot.querySelector("rules-table").position.end)
  for (const page of pages) await page.context().close()
  return { rules: game.rules, over: over.size, presses, errors, foreign, wide, scores: end?.scores ?? null }
}

// What axe-core finds and what sticks out, at all widths, light and dark, as the game stands at this address.
async function look({ path, wait }) {
  const found = []
  for (const colorScheme of ["light", "dark"]) {
    const page = await (await browser.newContext({ colorScheme, reducedMotion: "reduce" })).newPage()
    await page.goto(base + path)
    await page.locator(wait).first().waitFor({ timeout: 20000 })
    for (const width of colorScheme === "light" ? [320, 390, 600, 900, 1280] : [320, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      const past = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (past > 0) found.push(`${path} ${width}: ${past} too wide`)
      if (width === 320 || width === 1280) found.push(...(await findBarriers(page)).map((one) => `${path} ${colorScheme} ${width}: ${one}`))
    }
    await page.context().close()
  }
  return found
}

const played = [], barriers = []
for (const game of games) played.push(await play(game))
for (const one of audit) barriers.push(...(await look(one)))
await browser.close()
console.log(JSON.stringify({ played, barriers }))
