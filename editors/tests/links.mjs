// Reads {name: text}, prints {name: {code, back}}; with `decode` reads a code, prints what became of it.
import { readFileSync } from "node:fs"
import { decodeLink, encodeLink } from "../../rulesrun/playground/static/link.js"

const given = JSON.parse(readFileSync(0, "utf-8"))
let answer
if (process.argv[2] === "decode") {
  answer = await decodeLink(given).then(() => "decoded", (reason) => reason.name)
} else {
  answer = {}
  for (const [name, text] of Object.entries(given)) {
    const code = await encodeLink(text)
    answer[name] = { code, back: await decodeLink(code) }
  }
}
process.stdout.write(JSON.stringify(answer))
