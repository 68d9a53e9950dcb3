// What may be changed at the cursor: mended, rewritten, named anew. A dialog with a button for each.
import { element } from "./table.js"

export class Changes {
  // `ask(method, values)`; `range()` and `apply(edits)` speak of the editor; `says(name, values)` gives a text.
  constructor(dialog, { ask, range, apply, says, focus }) {
    Object.assign(this, { dialog, ask, range, apply, says, focus })
    dialog.addEventListener("close", focus)
  }

  async open() {
    const range = this.range()
    const fixes = await this.list("fixes", { range })
    const others = await this.list("refactorings", { range })
    const renamable = await this.ask("renamable", { position: range.end })
    const offered = [...fixes, ...others].map((one) => this.button(one.title, () => this.done(one.edits)))
    if (renamable?.name) offered.push(this.button(this.says("renameIt", { name: renamable.name }), () => this.openRenaming(renamable.name, range.end)))
    const list = element("ul", ...offered.map((one) => element("li", one)))
    this.show(this.says("changes"), offered.length ? list : element("p", this.says("noChanges")))
  }

  async openRenaming(name, position) {
    const input = element("input")
    input.value = name
    input.autocomplete = "off"
    input.spellcheck = false
    const trouble = element("p")
    trouble.setAttribute("role", "alert")
    const form = element("form", element("label", this.says("newName"), input), element("button", this.says("rename")), trouble)
    form.onsubmit = async (event) => {
      event.preventDefault()
      const found = await this.ask("rename", { position, name: input.value.trim() })
      if (!found || found.error || found.refusal) trouble.textContent = found?.refusal ?? found?.error ?? ""
      else this.done(Object.values(found.edits).flat())
    }
    this.show(this.says("renameIt", { name }), form)
    input.select()
  }

  // What is renamed at the cursor, at once.
  async rename() {
    const position = this.range().end
    const found = await this.ask("renamable", { position })
    if (found?.name) await this.openRenaming(found.name, position)
  }

  // The first fix of one finding; whether there was one.
  async mend(finding) {
    const fixes = await this.list("fixes", { range: finding.range })
    const fix = fixes.find((one) => one.finding.code === finding.code) ?? fixes[0]
    if (fix) this.done(fix.edits)
    return Boolean(fix)
  }

  async list(method, values) {
    const found = await this.ask(method, values)
    return Array.isArray(found) ? found : []
  }

  button(text, act) {
    const made = element("button", text)
    made.onclick = act
    return made
  }

  show(title, body) {
    const heading = element("h2", title)
    heading.id = "changes-title"
    const close = this.button(this.says("close"), () => this.dialog.close())
    this.dialog.replaceChildren(heading, body, close)
    if (!this.dialog.open) this.dialog.showModal()
  }

  done(edits) {
    if (this.dialog.open) this.dialog.close()
    this.apply(edits)
    this.focus()
  }
}
