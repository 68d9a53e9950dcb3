// The commands that need no Python of the machine: new, and check, run and explore by the worker.
import * as vscode from "vscode"

const START = `rules 1
game "My game"
players 2..4

values Colour: red, blue
card Card: colour Colour, rank 1..5

zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone table: pile of Card, public

setup
  shuffle all Card into deck
  deal 3 from deck to each hand

phase play: turns from 1 until count of table = 3 * players
  choose lay

action lay(card from hand)
  move card to table

score
  highest_card = 0

ranking: highest highest_card, ties share
`

export async function newRulebook() {
  const document = await vscode.workspace.openTextDocument({ language: "rules", content: START })
  await vscode.window.showTextDocument(document)
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
