// The language for CodeMirror 6: colours, comments, and a line below one that opens a body is indented.
import { StreamLanguage, LanguageSupport, indentService, tags } from "./codemirror.js"
import { PATTERNS } from "./patterns.js"

const EXPRESSIONS = PATTERNS.map(([tag, text]) => [tag, new RegExp(text, "yu")])

export const rulesLanguage = StreamLanguage.define({
  name: "rules",
  token(stream) {
    if (stream.eatSpace()) return null
    for (const [tag, expression] of EXPRESSIONS) {
      expression.lastIndex = stream.pos
      const found = expression.exec(stream.string)
      if (found && found[0]) {
        stream.pos += found[0].length
        return tag
      }
    }
    stream.next()
    return null
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  tokenTable: {
    docComment: tags.docComment,
    lineComment: tags.lineComment,
    definitionKeyword: tags.definitionKeyword,
    definition: tags.definition(tags.variableName),
    punctuation: tags.punctuation,
  },
})

const OPENS_A_BODY = /^(?: *(?:if|otherwise|each|turns|one|repeat)\b|(?:change )?(?:setup|phase|step|action|score|example|small|persona|words|look)\b)/
const GOES_ON = /(?:[=,+*/<>-]|\b(?:and|or|not|then|else|has|over|where|because|in|is|of|div|mod))\s*$/

// Below a blank line a new piece begins; below one that opens a body, or goes on, it is deeper.
export function indentBelow(text) {
  if (!text.trim()) return 0
  const indent = text.length - text.trimStart().length
  if (GOES_ON.test(text)) return indent + 4
  return OPENS_A_BODY.test(text) && !/^change \S+ .*:$/.test(text) ? indent + 2 : indent
}

// A line that is broken here and now is the one above the new one.
const indentation = indentService.of((context, at) => {
  const line = context.state.doc.lineAt(at)
  if (context.simulatedBreak === at) return indentBelow(line.text.slice(0, at - line.from))
  return line.number > 1 ? indentBelow(context.state.doc.line(line.number - 1).text) : 0
})

export function rules() {
  return new LanguageSupport(rulesLanguage, [indentation])
}
