// What is done in every VS Code: a file is opened, its mistake read and mended, a word completed.
import { createServer } from "node:net"

export function findPort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

// Waits until a process says `words`; what it said before it ended otherwise.
export function waitFor(started, words) {
  let said = ""
  return new Promise((resolve, reject) => {
    const listen = (part) => {
      said += part
      if (said.includes(words)) resolve()
    }
    started.stdout.on("data", listen)
    started.stderr.on("data", listen)
    started.on("exit", () => reject(new Error(said)))
  })
}

export async function openFile(page, name) {
  await page.getByRole("treeitem", { name }).dblclick()
  await page.waitForSelector(".view-line")
}

export async function readMistake(page, word) {
  await page.waitForSelector(".squiggly-error")
  await page.waitForFunction(() => new Set([...document.querySelectorAll(".view-line span span")].map((one) => one.className)).size > 5)
  await page.locator(".part.editor .view-line span", { hasText: word }).last().hover()
  await page.waitForSelector(`.monaco-hover-content >> text=${word}`)
  const told = await page.textContent(".monaco-hover-content >> nth=-1")
  await page.keyboard.press("Escape")
  return told
}

export async function completeAtEnd(page, beginning) {
  await page.click(".part.editor .view-line >> nth=0")
  await page.keyboard.press("Control+End")
  await page.keyboard.type(`\n${beginning}`)
  await page.keyboard.press("Control+Space")
  await page.waitForSelector(".suggest-widget.visible .monaco-list-row .label-name")
  const offered = await page.textContent(".suggest-widget .monaco-list-row")
  await page.keyboard.press("Escape")
  for (const _ of beginning) await page.keyboard.press("Backspace")
  return offered
}

// The quick fix of the mistake, taken from the keyboard: the mark goes away.
export async function mend(page, word) {
  await page.locator(".part.editor .view-line span", { hasText: word }).last().click()
  await page.keyboard.press("Control+.")
  await page.waitForSelector(".action-widget .monaco-list-row.action")
  const offered = await page.locator(".action-widget .monaco-list-row.action").allTextContents()
  await page.keyboard.press("Enter")
  await page.waitForFunction(() => !document.querySelector(".squiggly-error"))
  return offered
}

export async function giveCommand(page, words) {
  await page.keyboard.press("F1")
  await page.keyboard.type(words)
  await page.waitForSelector(".quick-input-list .monaco-list-row")
  const offered = await page.textContent(".quick-input-list .monaco-list-row")
  await page.keyboard.press("Enter")
  return offered
}

// What stands in the panel below, the lines of a terminal or of an output channel, as soon as `words` are among it.
export async function readPanel(page, words) {
  const found = await page.waitForFunction((wanted) => {
    const lines = document.querySelectorAll(".part.panel .xterm-rows > div, .part.panel .view-line")
    const said = [...lines].map((line) => line.textContent).join("\n").replaceAll("\u00a0", " ")
    return said.includes(wanted) && said
  }, words)
  return found.jsonValue()
}
