// A browser that is open already: says so, reads an address, says when the page shows something to choose.
import { createInterface } from "node:readline"
import { launch } from "./browser.mjs"

const browser = await launch()
const page = await (await browser.newContext()).newPage()
console.log("open")
for await (const address of createInterface({ input: process.stdin })) {
  await page.goto(address)
  await page.locator("rules-table .action").first().waitFor({ timeout: 60_000 })
  console.log("shown")
}
await browser.close()
