// What the page uses of CodeMirror. Its packages are put into the folder `codemirror/` beside it.
export { EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection, hoverTooltip } from "@codemirror/view"
export { EditorState, Compartment, Prec } from "@codemirror/state"
export { StreamLanguage, LanguageSupport, indentService, indentUnit, syntaxHighlighting, HighlightStyle, bracketMatching } from "@codemirror/language"
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
export { setDiagnostics, lintGutter, lintKeymap } from "@codemirror/lint"
export { autocompletion, completionKeymap, closeCompletion, selectedCompletion, closeBrackets, closeBracketsKeymap, snippet } from "@codemirror/autocomplete"
export { search, searchKeymap, highlightSelectionMatches } from "@codemirror/search"
export { tags, highlightTree, tagHighlighter } from "@lezer/highlight"
