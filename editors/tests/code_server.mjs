// Installs the package `argv[2]` into code-server and opens the folder `argv[3]` with its file `my.rules`; prints what was seen as JSON.
// code-server has an extension host of its own: the extension runs as on a machine, and finds the `rulesrun` of the PATH or of the folder.
// `argv[4]`: a file elsewhere with the same mistake, opened without a folder; `argv[5]`: the PATH; `argv[6]`: a file for a picture.
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { launch } from "./browser.mjs"
import { completeAtEnd, findPort, giveCommand, mend, openFile, readMistake, readPanel, waitFor } from "./workbench.mjs"

const [packed, folder, alone, path, picture] = process.argv.slice(2)
const command = fileURLToPath(new URL("../../.ci/code-server", import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), "code-server-"))
const settings = {
  "security.workspace.trust.enabled": false, "terminal.integrated.gpuAcceleration": "off", "workbench.startupEditor": "none",
  "extensions.autoUpdate": false, "extensions.autoCheckUpdates": false, "telemetry.telemetryLevel": "off",
}
mkdirSync(join(scratch, "User"))
writeFileSync(join(scratch, "User/settings.json"), JSON.stringify(settings))
const words = ["--config", join(scratch, "config.yaml"), "--user-data-dir", scratch, "--extensions-dir", join(scratch, "extensions")]
execFileSync(command, [...words, "--install-extension", packed], { stdio: "ignore" })

const port = await findPort()
const own = [...words, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check", folder]
const served = spawn(command, own, { env: { ...process.env, PATH: path, VSCODE_CLI: "1" }, stdio: ["ignore", "pipe", "pipe"], detached: true })
await waitFor(served, "HTTP server listening")

const browser = await launch()
const seen = { errors: [] }
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(80_000)
  page.on("pageerror", (reason) => seen.errors.push(String(reason).slice(0, 300)))
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`)
  await openFile(page, "my.rules")
  seen.hover = await readMistake(page, "dekc")
  seen.completed = await completeAtEnd(page, "zo")
  seen.commands = await giveCommand(page, "rulesrun: Check")
  seen.output = await readPanel(page, "unknown-zone")
  seen.fixes = await mend(page, "dekc")
  seen.line = await page.locator(".part.editor .view-line", { hasText: "move card to" }).first().textContent()
  if (seen.output.includes("rulesrun check")) { // there is a terminal, and so a table
    await page.click(".part.editor .editor-actions .codicon-play")
    seen.table = await readPanel(page, "to move")
  }
  const payload = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${port}${alone}`]])
  await page.goto(`http://127.0.0.1:${port}/?ew=true&payload=${encodeURIComponent(payload)}`) // no folder: a single file
  seen.alone = await readMistake(page, "dekc")
} catch (reason) {
  seen.failed = String(reason)
} finally {
  if (picture) await browser.contexts()[0]?.pages()[0]?.screenshot({ path: picture })
  await browser.close()
  process.kill(-served.pid)
  rmSync(scratch, { recursive: true, force: true })
}
process.stdout.write(JSON.stringify(seen))
