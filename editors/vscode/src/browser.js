// In a browser: Python in a worker of its own.
import * as vscode from "vscode"
import { Questions } from "./asking.js"
import { newRulebook, provideReports } from "./commands.js"
import { provide } from "./providers.js"

let worker

export async function activate(context) {
  const folder = vscode.Uri.joinPath(context.extensionUri, "dist")
  worker = new Worker(vscode.Uri.joinPath(folder, "worker.js").toString(true))
  const questions = new Questions((data) => worker.postMessage(data))
  worker.onmessage = ({ data }) => questions.receive(data)
  worker.onerror = (event) => questions.receive({ state: "failed", reason: event.message })
  worker.postMessage({ start: folder.toString(true) })
  const ask = (method, values) => questions.ask(method, values)
  context.subscriptions.push(vscode.commands.registerCommand("rulesrun.new", newRulebook(ask)))
  provideReports(context, ask)
  await provide(context, ask)
}

export function deactivate() {
  worker?.terminate()
}
