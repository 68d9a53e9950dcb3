// The commands that need no Python of the machine: new, and check, run and explore by the worker.
import * as vscode from "vscode"

// A first rulebook, as the worker writes it; it lies in no file yet.
export const newRulebook = (ask) => async () => {
  const { text } = await ask("new", { name: "my_game" })
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "rules", content: text }))
}

export function provideReports(context, ask) {
  const channel = vscode.window.createOutputChannel("rulesrun")
  const tell = (method) => async () => {
    const text = vscode.window.activeTextEditor?.document.getText()
    if (text === undefined) return
    channel.show(true)
    const found = await ask(method, { text, games: 50, document: "my.rules" })
    channel.append(`${found.text}\n`)
  }
  context.subscriptions.push(
    channel,
    vscode.commands.registerCommand("rulesrun.run", tell("run")),
    vscode.commands.registerCommand("rulesrun.explore", tell("explore")),
    vscode.commands.registerCommand("rulesrun.check", tell("check")),
  )
}
