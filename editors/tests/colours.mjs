// Reads JSON {name: text} from standard input; prints {name: [[from, to, kind], …]} as the highlighter named colours it.
// `argv[3]`: the folder in which the editor of the playground lies.
import { readFileSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import { join } from "node:path"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

async function colourTextMate(texts) {
  const { Registry, INITIAL } = require("vscode-textmate")
  const oniguruma = require("vscode-oniguruma")
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer)
  const file = fileURLToPath(new URL("../vscode/syntaxes/rules.tmLanguage.json", import.meta.url))
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => JSON.parse(readFileSync(file, "utf-8")),
  })
  const grammar = await registry.loadGrammar("source.rules")
  return mapValues(texts, (text) => {
    const found = []
    let stack = INITIAL
    let start = 0
    for (const line of text.split("\n")) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, stack)
      stack = ruleStack
      for (const token of tokens) {
        const scope = token.scopes.at(-1)
        if (scope !== "source.rules") found.push([start + token.startIndex, start + token.endIndex, scope])
      }
      start += line.length + 1
    }
    return found
  })
}

async function colourCodeMirror(texts) {
  const { rulesLanguage } = await import(pathToFileURL(join(process.argv[3], "rules.js")))
  const { highlightTree, tagHighlighter, tags } = await import(pathToFileURL(join(process.argv[3], "codemirror.js")))
  const names = ["docComment", "lineComment", "string", "number", "definitionKeyword", "keyword", "atom", "typeName",
    "variableName", "operator", "punctuation"]
  const highlighter = tagHighlighter([
    ...names.map((name) => ({ tag: tags[name], class: name })),
    { tag: tags.definition(tags.variableName), class: "definition" },
  ])
  return mapValues(texts, (text) => {
    const found = []
    highlightTree(rulesLanguage.parser.parse(text), highlighter, (from, to, kind) => found.push([from, to, kind]))
    return found
  })
}

function mapValues(texts, change) {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]))
}

const texts = JSON.parse(readFileSync(0, "utf-8"))
const colour = { textmate: colourTextMate, codemirror: colourCodeMirror }[process.argv[2]]
process.stdout.write(JSON.stringify(await colour(texts)))
