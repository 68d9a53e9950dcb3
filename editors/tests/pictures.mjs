// Pictures of pages. Reads {base, folder, shots: [{name, path, wait, width, height, dark, presses}]} from standard input: `presses`
// says how often something that is lit is pressed first. Writes NAME.png; with `kept`, a folder of earlier ones, prints how
// different each is: the mean difference of two small copies, from 0 to 1.
import { existsSync, readFileSync } from "node:fs"
import { launch } from "./browser.mjs"
import { act } from "./players.mjs"

const { base, folder, kept, shots } = JSON.parse(readFileSync(0, "utf-8"))
const PATIENCE = 60_000 // milliseconds
const browser = await launch()
const different = {}

async function compare(page, one, other) {
  const images = [one, other].map((path) => `data:image/png;base64,${readFileSync(path).toString("base64")}`)
  return page.evaluate(async (sources) => {
    const small = []
    for (const source of sources) {
      const image = await createImageBitmap(await (await fetch(source)).blob())
      const canvas = new OffscreenCanvas(48, 48)
      const context = canvas.getContext("2d")
      context.drawImage(image, 0, 0, 48, 48)
      small.push([...context.getImageData(0, 0, 48, 48).data, image.width / image.height])
    }
    const [first, second] = small
    return first.reduce((sum, value, at) => sum + Math.abs(value - second[at]), 0) / first.length / 255
  }, images)
}

for (const { name, path, wait, width, height, dark = false, presses = 0, open = [], full = false } of shots) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce", deviceScaleFactor: 1,
  })
  const page = await context.newPage()
  await page.goto(base + path)
  await page.locator(wait).first().waitFor({ timeout: 20000 })
  let random = 7
  for (let done = 0, began = Date.now(); done < presses && Date.now() - began < PATIENCE;) {
    const state = await page.evaluate(act, { how: "lit", chance: random / 2147483647 })
    if (state === "over") break
    if (state === "pressed") { done += 1; random = (random * 48271 + 11) % 2147483647 }
    else await page.waitForTimeout(10)
  }
  if (presses) await page.waitForFunction(() => {
    const { position } = document.querySelector("rules-app").shadowRoot.querySelector("rules-table")
    return position.question?.open || position.end
  }, null, { timeout: PATIENCE })
  for (const one of open) await page.locator(one).first().click()
  await page.waitForTimeout(150)
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: full })
  if (kept && existsSync(`${kept}/${name}.png`)) {
    const blank = await (await browser.newContext()).newPage()
    different[name] = await compare(blank, `${kept}/${name}.png`, `${folder}/${name}.png`)
  }
  await context.close()
}
await browser.close()
console.log(JSON.stringify({ different }))
