// On a machine: `rulesrun lsp` over standard input and output; where there is no `rulesrun`, Python in a worker.
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import * as vscode from "vscode"
import { LanguageClient } from "vscode-languageclient/node"
import { Questions } from "./asking.js"
import { newRulebook, provideReports } from "./commands.js"
import { provide } from "./providers.js"

const run = promisify(execFile)
const NAMES = process.platform === "win32" ? ["rulesrun.exe", "rulesrun.cmd"] : ["rulesrun"]
const INSIDE = process.platform === "win32" ? "Scripts" : "bin"
let client
let worker

export async function activate(context) {
  const command = await findCommand()
  if (command) provideTerminal(context, command)
  if (command && (await startServer(command))) return
  await startWorker(context, !command)
}

export async function deactivate() {
  await client?.stop()
  await worker?.terminate()
}

// The setting, the folder's environment, the PATH. In a folder nobody vouches for, the PATH alone.
async function findCommand() {
  const places = []
  if (vscode.workspace.isTrusted) {
    const told = vscode.workspace.getConfiguration("rulesrun").get("path")
    if (told) return told
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      if (uri.scheme === "file") places.push(join(uri.fsPath, ".venv", INSIDE), join(uri.fsPath, "venv", INSIDE))
    }
  }
  places.push(...(process.env.PATH ?? "").split(delimiter).filter(Boolean))
  return places.flatMap((place) => NAMES.map((name) => join(place, name))).find((path) => existsSync(path))
}

async function startServer(command) {
  try {
    await run(command, ["lsp", "--help"], { timeout: 20_000 })
    const server = { command, args: ["lsp"], options: { shell: command.endsWith(".cmd") } }
    client = new LanguageClient("rulesrun", "rulesrun", server, { documentSelector: [{ language: "rules" }] })
    await client.start()
    return true
  } catch (reason) {
    client?.outputChannel.appendLine(`rulesrun lsp: ${reason.message}; Python of the extension takes over`)
    client = undefined
    return false
  }
}

async function startWorker(context, reports) {
  const folder = join(context.extensionPath, "dist")
  worker = new Worker(join(folder, "worker.js"))
  const questions = new Questions((data) => worker.postMessage(data))
  worker.on("message", (data) => questions.receive(data))
  worker.on("error", (reason) => questions.receive({ state: "failed", reason: reason.message }))
  worker.postMessage({ start: pathToFileURL(folder).href })
  const ask = (method, values) => questions.ask(method, values)
  if (reports) {
    provideReports(context, ask)
    context.subscriptions.push(vscode.commands.registerCommand("rulesrun.new", newRulebook(ask)))
  }
  await provide(context, ask)
}

// `rulesrun new` writes the file that is named.
const newFile = (command) => async () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  const file = await vscode.window.showSaveDialog({
    title: "New rulebook", filters: { Rules: ["rules"] }, defaultUri: folder && vscode.Uri.joinPath(folder, "my_game.rules"),
  })
  if (!file) return
  try {
    await run(command, ["new", file.fsPath, "--quiet"], { timeout: 20_000 })
  } catch (reason) {
    vscode.window.showErrorMessage(reason.stderr || reason.message)
    return
  }
  await vscode.window.showTextDocument(file)
}

// `rulesrun …` in a terminal, about the file that is open.
function provideTerminal(context, command) {
  vscode.commands.executeCommand("setContext", "rulesrun.hasTerminal", true)
  context.subscriptions.push(vscode.commands.registerCommand("rulesrun.new", newFile(command)))
  const inTerminal = (...words) => async () => {
    const document = vscode.window.activeTextEditor?.document
    if (!document || document.languageId !== "rules") return
    if (document.isUntitled || document.isDirty) await document.save()
    const terminal = vscode.window.terminals.find((one) => one.name === "rulesrun") ?? vscode.window.createTerminal("rulesrun")
    terminal.show(true)
    terminal.sendText([command, ...words, document.uri.fsPath].map(quote).join(" "))
  }
  for (const [name, words] of Object.entries({ check: ["check"], run: [], play: ["play"], explore: ["explore"], report: ["report"] })) {
    context.subscriptions.push(vscode.commands.registerCommand(`rulesrun.${name}`, inTerminal(...words)))
  }
}

const quote = (word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`)
