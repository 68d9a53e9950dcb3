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

const OPENS_A_BODY = /^(?: *(?:if|otherwise|each|turns|one|repeat)\b|(?:change )?(?:setup|phase|step|action|score|example|small|persona|words)\b)/

const indentation = indentService.of((context, at) => {
  const line = context.state.doc.lineAt(at)
  for (let number = line.number - 1; number > 0; number--) {
    const text = context.state.doc.line(number).text
    if (!text.trim()) return 0
    const indent = text.length - text.trimStart().length
    return OPENS_A_BODY.test(text) && !/^change \S+ .*:$/.test(text) ? indent + 2 : indent
  }
  return 0
})

export function rules() {
  return new LanguageSupport(rulesLanguage, [indentation])
}
