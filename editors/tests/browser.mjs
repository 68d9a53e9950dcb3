// Chromium of this machine, without a window.
import { chromium } from "playwright-core"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"

export const findChromium = () => ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path))

export function launch() {
  return chromium.launch({ executablePath: findChromium(), headless: true, args: ["--no-sandbox", "--disable-gpu"] })
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf-8")

// What axe-core finds: the rule and where.
export async function findBarriers(page) {
  const session = await page.context().newCDPSession(page)
  await session.send("Runtime.evaluate", { expression: AXE }) // as a debugger does it, past the page's own policy
  return page.evaluate(async () => {
    const rules = { "label-content-name-mismatch": { enabled: true }, "target-size": { enabled: true } }
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"], rules })
    return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3).join("; ")}`)
  })
}
