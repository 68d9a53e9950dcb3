// What the editor asks, answered by the worker: `ask(method, values)` gives what docs/editing.md says.
import * as vscode from "vscode"

const PAUSE = 60 // milliseconds without a key before the rules are checked
const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error, warning: vscode.DiagnosticSeverity.Warning, note: vscode.DiagnosticSeverity.Information,
}
const KINDS = {
  keyword: "Keyword", piece: "Snippet", zone: "Field", number: "Variable", marker: "Variable", option: "Property",
  define: "Function", table: "Function", action: "Method", step: "Method", phase: "Event", type: "Class", value: "EnumMember",
  attribute: "Property", line: "Field",
}

const positionOf = ({ line, character }) => new vscode.Position(line, character)
const rangeOf = ({ start, end }) => new vscode.Range(positionOf(start), positionOf(end))
const plain = (position) => ({ line: position.line, character: position.character })
const nameOf = (document) => document.uri.toString()
const editOf = (edit) => new vscode.TextEdit(rangeOf(edit.range), edit.text)

export function provide(context, ask) {
  const marks = vscode.languages.createDiagnosticCollection("rulesrun")
  const timers = new Map()
  const versions = new Map() // what the worker has
  const selector = { language: "rules" }

  async function synchronize(document) {
    const name = nameOf(document)
    const { version } = document
    if (versions.get(name) === version) return
    const isNew = !versions.has(name)
    versions.set(name, version)
    const text = document.getText()
    await (isNew ? ask("open", { document: name, text, version }) : ask("change", { document: name, changes: [text], version }))
  }

  async function check(document) {
    if (document.languageId !== "rules" || document.isClosed) return
    await synchronize(document)
    const found = await ask("diagnose", { document: nameOf(document) })
    if (!found || found.version !== document.version) return
    marks.set(document.uri, found.findings.map((one) => {
      const message = one.hint ? `${one.message}\nhint: ${one.hint}` : one.message
      const mark = new vscode.Diagnostic(rangeOf(one.range), message, SEVERITIES[one.severity])
      mark.code = one.code
      mark.source = "rulesrun"
      return mark
    }))
  }

  function checkSoon(document) {
    clearTimeout(timers.get(nameOf(document)))
    timers.set(nameOf(document), setTimeout(() => check(document), PAUSE))
  }

  function forget(document) {
    marks.delete(document.uri)
    if (versions.delete(nameOf(document))) ask("close", { document: nameOf(document) })
  }

  const asking = (method, make) => async (document, position, ...rest) => {
    await synchronize(document)
    const found = await ask(method, { document: nameOf(document), ...(position instanceof vscode.Position ? { position: plain(position) } : {}) })
    return found === null || found === undefined ? undefined : make(found, document, position, ...rest)
  }

  context.subscriptions.push(
    marks,
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => document.languageId === "rules" && checkSoon(document)),
    vscode.workspace.onDidCloseTextDocument(forget),
    vscode.languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: asking("complete", (found) => new vscode.CompletionList(found.items.map((item, at) => {
        const made = new vscode.CompletionItem({ label: item.label, description: item.detail }, vscode.CompletionItemKind[KINDS[item.kind] ?? "Text"])
        made.insertText = item.is_snippet ? new vscode.SnippetString(item.text) : item.text
        made.range = rangeOf(found.range)
        made.sortText = String(at).padStart(4, "0")
        made.documentation = item.note || undefined
        return made
      }), true)),
    }, " "),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: asking("hover", (found) => new vscode.Hover(new vscode.MarkdownString(found.text), rangeOf(found.range))),
    }),
    vscode.languages.registerDocumentFormattingEditProvider(selector, {
      provideDocumentFormattingEdits: asking("format", (edits) => edits.map(editOf)),
    }),
    vscode.languages.registerDefinitionProvider(selector, {
      provideDefinition: asking("definition", (found, document) => placeOf(found, document)),
    }),
    vscode.languages.registerReferenceProvider(selector, {
      provideReferences: asking("references", (found, document) => found.map((one) => placeOf(one, document)).filter(Boolean)),
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: asking("symbols", (found) => found.map(symbolOf)),
    }),
    vscode.languages.registerRenameProvider(selector, {
      async provideRenameEdits(document, position, name) {
        await synchronize(document)
        const found = await ask("rename", { document: nameOf(document), position: plain(position), name })
        if (found.refusal) throw new Error(found.refusal)
        const made = new vscode.WorkspaceEdit()
        for (const [where, edits] of Object.entries(found.edits)) made.set(where === nameOf(document) ? document.uri : vscode.Uri.parse(where), edits.map(editOf))
        return made
      },
    }),
    vscode.languages.registerCodeActionsProvider(selector, {
      async provideCodeActions(document, range, { diagnostics }) {
        await synchronize(document)
        const found = await ask("fixes", { document: nameOf(document), range: { start: plain(range.start), end: plain(range.end) } })
        return (found ?? []).map((fix) => {
          const made = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix)
          made.diagnostics = diagnostics.filter((mark) => mark.code === fix.finding.code)
          made.edit = new vscode.WorkspaceEdit()
          made.edit.set(document.uri, fix.edits.map(editOf))
          return made
        })
      },
    }),
  )
  return Promise.all(vscode.workspace.textDocuments.map(check))
}

function placeOf(found, document) {
  if (found.document === nameOf(document)) return new vscode.Location(document.uri, rangeOf(found.range))
  return found.document.includes("://") ? new vscode.Location(vscode.Uri.parse(found.document), rangeOf(found.range)) : undefined
}

function symbolOf(one) {
  const made = new vscode.DocumentSymbol(one.name, "", vscode.SymbolKind.Field, rangeOf(one.range), rangeOf(one.name_range ?? one.selection ?? one.range))
  made.children = (one.children ?? []).map(symbolOf)
  return made
}
