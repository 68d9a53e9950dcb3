// A table for the rules of the page: who sits where, then <rules-table> with what the worker tells of a seat.
import "./table/table.js"
import { say } from "./texts.js"

export class Table {
  constructor(panel, ask, language) {
    this.panel = panel
    this.ask = ask // (method, values) → answer
    this.language = language
    this.words = fetch(new URL("./words.json", import.meta.url)).then((found) => found.json())
  }

  says(name, values) {
    return say(this.language(), name, values)
  }

  offer(found) {
    this.panel.replaceChildren()
    if (!found.players.length) {
      this.panel.append(element("p", this.says("mend")))
      return
    }
    const players = select(found.players.map((number) => [number, number]), "players")
    const bot = select([["", this.says("alone")], ["greedy", this.says("greedy")], ["random", this.says("random")]], "bot")
    if (found.players[0] > 1) bot.value = "greedy"
    const form = element("form", labelled(this.says("players"), players), labelled(this.says("opponent"), bot))
    form.append(element("button", this.says("sit")))
    form.onsubmit = (event) => {
      event.preventDefault()
      this.sit(Number(players.value), bot.value || null)
    }
    this.trouble = element("p")
    this.trouble.setAttribute("role", "alert")
    this.board = document.createElement("rules-table")
    this.board.hidden = true
    this.board.mayHelp = true
    this.board.ask = (action, values) => this.ask("why", { seat: this.seat, action, arguments: values })
    for (const kind of ["answer", "undo", "agree", "seat"]) {
      this.board.addEventListener(kind, ({ detail }) => this.act(kind, detail))
    }
    this.panel.append(element("h2", found.title), form, this.trouble, this.board)
  }

  async sit(players, bot) {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]
    await this.show(await this.ask("sit", { players, bot, seed }))
    if (!this.board.hidden) showWhole(this.board)
  }

  async act(kind, detail) {
    const method = { answer: "answer", undo: "undo", agree: "agree", seat: "take_over" }[kind]
    await this.show(await this.ask(method, { at: this.seat, seat: this.seat, ...detail }))
  }

  async show(told) {
    if (!told) return
    this.trouble.textContent = told.error ?? ""
    if (told.error) return
    this.seat = told.seat
    this.board.words = (await this.words)[this.language()]
    this.board.messages = told.feed
    this.board.hidden = false
    if (told.reply) this.board.showReply(told.reply)
  }
}

// The table from its top, in a low window too. It grows while its pictures come.
function showWhole(board) {
  const growing = new ResizeObserver(() => board.scrollIntoView({ block: "start" }))
  growing.observe(board)
  setTimeout(() => growing.disconnect(), 1000)
}

export function element(name, ...inner) {
  const made = document.createElement(name)
  made.append(...inner)
  return made
}

function labelled(text, control) {
  return element("label", text, control)
}

function select(options, name) {
  const made = element("select", ...options.map(([value, text]) => new Option(text, value)))
  made.name = name
  return made
}
