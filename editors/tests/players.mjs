// In the page: one thing that a person would do, picked at random of what is lit; says how it stands. `how`: by `lit` things, by
// the `keyboard`, by the `list` of options, or by a `script`: the number of the option for each of the seat's questions.
export function act({ how, chance, script }) {
  const root = document.querySelector("rules-app").shadowRoot.querySelector("rules-table")?.shadowRoot
  const table = root?.host
  if (!table?.position?.table) return "waiting"
  if (table.position.end) return "over"
  if (table.position.stopped) return "stopped"
  const asked = table.position.question
  if (!asked?.open || !table.options.length || table.sent === asked.question) return "waiting"
  // The last one often: what ends a turn stands behind the rest.
  const draw = (list) => list[chance > 0.7 ? list.length - 1 : Math.floor((chance / 0.7) * list.length)]
  if (how === "script") {
    const number = script[asked.question - 1]
    if (number === null || number === undefined) return "waiting" // another seat answers for the team
    root.querySelector(".every").open = true
    const button = [...root.querySelectorAll("button.option")].find((one) => one.dataset.option === String(number))
    if (button) return button.click(), "pressed"
    table.filter = table.options[number].words // a long list is narrowed down
    return "narrowed"
  }
  const press = (element) => {
    if (how !== "keyboard") return element.click()
    element.focus()
    if (root.activeElement !== element) throw new Error(`cannot be reached: ${element.outerHTML.slice(0, 200)}`)
    const key = (type) => element.dispatchEvent(new KeyboardEvent(type, { key: "Enter", bubbles: true, composed: true, cancelable: true }))
    return key("keydown") && element.tagName === "BUTTON" ? element.click() : undefined
  }
  if (how === "list") {
    root.querySelector(".every").open = true
    press(draw([...root.querySelectorAll("button.option")]))
    return "pressed"
  }
  const whole = root.querySelector("#confirm")
  if (whole) return press(whole), "pressed"
  const lit = [...root.querySelectorAll(".card.lit, .cell.lit button.key, .square.lit, .edge.lit, .action .row button:not(.no), .seat .who button")]
    .filter((one) => (one.getAttribute("aria-pressed") !== "true" || "more" in one.dataset) && one.textContent.trim() !== table.t("clear"))
  if (!lit.length) { table.picks = []; return "pressed" }
  press(draw(lit))
  return "pressed"
}
