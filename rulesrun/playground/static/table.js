// The table as the worker tells it: what a seat sees, and buttons for what it may do.
import { say } from "./texts.js"

export class PlainTable {
  constructor(panel, ask, language) {
    this.panel = panel
    this.ask = ask // (method, values) → answer
    this.language = language
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
    form.lastChild.className = "main"
    form.onsubmit = (event) => {
      event.preventDefault()
      this.sit(Number(players.value), bot.value || null)
    }
    this.panel.append(element("p", this.says("tableSays")), form)
    this.board = element("div")
    this.panel.append(this.board)
  }

  async sit(players, bot) {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]
    this.show(await this.ask("sit", { players, bot, seed }))
  }

  show(told) {
    if (!told) return
    if (told.error) {
      this.board.replaceChildren(element("p", told.error))
      return
    }
    const { seat, feed } = told
    const table = feed.find((one) => one.kind === "table")
    const labels = table.labels ?? {}
    const label = (name) => String(name).replace(/[\p{L}_][\p{L}\p{N}_]*/gu, (word) => labels[word] ?? word)
    const view = feed.findLast((one) => one.kind === "view")?.view
    const question = told.waiting.includes(seat) ? feed.findLast((one) => one.kind === "question" && one.open) : null
    const undo = feed.findLast((one) => one.kind === "undo")
    const end = feed.findLast((one) => one.kind === "end")
    const parts = []
    if (told.reply && !told.reply.accepted) parts.push(element("p", this.says("refused", { reason: told.reply.reason })))
    if (question) {
      parts.push(element("h2", this.says("yourTurn", { seat })))
      const options = question.options.map((option) => {
        const button = element("button", option.words)
        button.onclick = async () => this.show(await this.ask("answer", { seat, question: question.question, option: option.option }))
        return element("li", button)
      })
      parts.push(list("options", options))
    }
    if (end) parts.push(element("h2", this.says("over")), ...this.tellEnd(end))
    if (undo && undo.may !== "no" && !end) {
      const button = element("button", this.says("undo"))
      button.onclick = async () => this.show(await this.ask("undo", { seat }))
      parts.push(button)
    }
    if (view) parts.push(element("h3", this.says("seat", { seat })), this.tellView(view, label))
    const log = feed.flatMap((one) => (one.log ?? []).map((line) => element("li", line))).reverse()
    parts.push(element("h3", this.says("log")), list("log", log))
    this.board.replaceChildren(...parts)
    this.board.querySelector("button")?.focus({ preventScroll: true })
  }

  tellView(view, label) {
    const zones = Object.entries(view.zones).map(([name, lies]) => line(label(name), this.tellZone(lies, label)))
    const values = Object.entries(view.variables ?? {}).map(([name, value]) => line(label(name), [label(value ?? "–")]))
    return list("zones", [...zones, ...values])
  }

  tellZone(lies, label) {
    if (!Array.isArray(lies)) {
      const top = lies.top ? [card(label(lies.top))] : []
      return [...top, this.says("hidden", { count: lies.count })]
    }
    const cards = lies.flat().map((name) => card(label(name)))
    return cards.length ? cards : [this.says("empty")]
  }

  tellEnd(end) {
    return end.places.flatMap((seats, at) => [seats].flat().map((seat) =>
      element("p", this.says("place", { seat, place: at + 1, score: end.scores?.[seat] ?? end.scores?.[seat - 1] ?? "–" }))))
  }
}

export function element(name, ...inner) {
  const made = document.createElement(name)
  made.append(...inner)
  return made
}

function list(kind, items) {
  const made = element("ul", ...items)
  made.className = kind
  return made
}

function line(name, inner) {
  const what = element("span", name)
  what.className = "what"
  return element("li", what, element("span", ...inner))
}

function card(name) {
  const made = element("span", name)
  made.className = "card"
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
