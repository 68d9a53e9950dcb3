// Looks at written pages: what axe-core finds, what sticks out, light and dark, at the widths of a phone and a desk,
// with everything unfolded. Reads {pages: [address], pictures} from standard input; `pictures`: a folder to paint into.
import { readFileSync } from "node:fs"
import { findBarriers, launch } from "./browser.mjs"

const { pages, pictures } = JSON.parse(readFileSync(0, "utf-8"))
const browser = await launch()
const barriers = [], asked = []

// As much of a page as a picture can hold.
async function paint(page, name, width) {
  const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), 7000)
  await page.setViewportSize({ width, height })
  await page.screenshot({ path: `${pictures}/${name}.png` })
}

for (const [at, address] of pages.entries()) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [390, 1280]) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 844 }, reducedMotion: "reduce" })
      const page = await context.newPage()
      page.on("request", (one) => one.url() === address || asked.push(one.url()))
      await page.goto(address)
      if (pictures) await paint(page, `${at}-${colorScheme}-${width}`, width)
      await page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true }))
      const past = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (past > 0) barriers.push(`${address} ${width}: ${past} too wide`)
      barriers.push(...(await findBarriers(page)).map((one) => `${address} ${colorScheme} ${width}: ${one}`))
      await context.close()
    }
  }
}
await browser.close()
console.log(JSON.stringify({ barriers, asked }))
