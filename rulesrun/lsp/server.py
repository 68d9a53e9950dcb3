"""The server: which message is answered by which function of `rulesrun.editing`."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from rulesrun.editing import (
    Analysis,
    Document,
    GameLens,
    Lens,
    TextEdit,
    Workspace,
    complete,
    find_definition,
    find_renamable,
    format_document,
    hover,
    judge_examples,
    list_findings,
    list_fixes,
    list_folding,
    list_game_lenses,
    list_highlights,
    list_refactorings,
    list_references,
    list_symbols,
    list_tokens,
    play_games,
    rename_symbol,
)
from rulesrun.editing.tokens import KINDS, MODIFIERS
from rulesrun.lsp.conversion import (
    DocumentNames,
    describe_lens,
    from_position,
    from_range,
    list_rules_files,
    to_completion_item,
    to_diagnostic,
    to_edit,
    to_edits,
    to_location,
    to_range,
    to_symbol,
    to_token_data,
)

ACTION_KINDS = {
    "fix": types.CodeActionKind.QuickFix,
    "rewrite": types.CodeActionKind.RefactorRewrite,
    "extract": types.CodeActionKind.RefactorExtract,
}
REST = 1.0  # seconds without a question about lenses, after which games are played
PAUSE = 0.05  # seconds without a key, after which what was typed is checked


class RefusedRequest(JsonRpcException):
    """What the editor shows as a sentence."""

    CODE = types.LSPErrorCodes.RequestFailed.value
    MESSAGE = "refused"


class RulesProtocol(LanguageServerProtocol):
    """Characters are counted in units of UTF-16, which every editor knows."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))


class RulesServer(LanguageServer):
    """The texts that an editor has open, and the checks that wait for a pause."""

    def __init__(self, version: str) -> None:
        super().__init__("rulesrun", version, protocol_cls=RulesProtocol)
        self.names = DocumentNames()
        self.texts = Workspace(list_files=list_rules_files)
        self.waiting: dict[str, asyncio.Task[None]] = {}
        self.playing: dict[str, asyncio.Task[None]] = {}
        self.checks = 0

    def analyse(self, uri: str) -> Analysis:
        return self.texts.analyse(self.names.name_of(uri))

    def has_snippets(self) -> bool:
        known = self.client_capabilities.text_document
        item = known.completion.completion_item if known and known.completion else None
        return bool(item and item.snippet_support)

    def has_markdown(self) -> bool:
        known = self.client_capabilities.text_document
        formats = known.hover.content_format if known and known.hover else None
        return formats is None or types.MarkupKind.Markdown in formats

    # ---- texts

    def open_text(self, uri: str, text: str, version: int) -> None:
        self.texts.open_document(self.names.name_of(uri), text, version)
        self.check_soon(self.names.name_of(uri), 0)

    def change_text(self, uri: str, changes: Sequence[types.TextDocumentContentChangeEvent], version: int) -> None:
        name = self.names.name_of(uri)
        self.texts.change_document(name, [_read_change(change) for change in changes], version)
        self.check_soon(name, PAUSE)

    def close_text(self, uri: str) -> None:
        name = self.names.name_of(uri)
        for tasks in (self.waiting, self.playing):
            task = tasks.pop(name, None)
            if task is not None:
                task.cancel()
        self.texts.close_document(name)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    # ---- findings

    def check_soon(self, name: str, pause: float) -> None:
        """After the pause; what waits for an older text is not done."""
        before = self.waiting.pop(name, None)
        if before is not None:
            before.cancel()
        self.waiting[name] = asyncio.get_running_loop().create_task(self._check_after(name, pause))

    async def _check_after(self, name: str, pause: float) -> None:
        await asyncio.sleep(pause)
        self.waiting.pop(name, None)
        self.publish_findings(name)
        for other in self.texts.dependents(name):
            await asyncio.sleep(0)
            self.publish_findings(other.name)

    def publish_findings(self, name: str) -> None:
        if name not in {document.name for document in self.texts.documents()}:
            return
        self.checks += 1
        found = list_findings(self.texts.analyse(name))
        diagnostics = [to_diagnostic(self.names, finding) for finding in found.findings]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(self.names.uri_of(name), diagnostics, found.version)
        )


    # ---- games

    def play_soon(self, analysis: Analysis) -> None:
        """Games of random players, when nobody has typed for a while; then the editor is told to ask again."""
        name = analysis.document.name
        before = self.playing.pop(name, None)
        if before is not None:
            before.cancel()
        if analysis.reading.program is not None:
            self.playing[name] = asyncio.get_running_loop().create_task(self._play_after(analysis))

    async def _play_after(self, analysis: Analysis) -> None:
        await asyncio.sleep(REST)
        games = 0
        for _ in play_games(analysis):
            games += 1
            await asyncio.sleep(0)
            if self.document_of(analysis) is not analysis.document:
                return
        known = self.client_capabilities.workspace
        if games and known and known.code_lens and known.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if games and known and known.inlay_hint and known.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def document_of(self, analysis: Analysis) -> Document | None:
        """The document as it is open now."""
        opened = (document for document in self.texts.documents() if document.name == analysis.document.name)
        return next(opened, None)


def _read_change(change: types.TextDocumentContentChangeEvent) -> TextEdit | str:
    if isinstance(change, types.TextDocumentContentChangePartial):
        return TextEdit(from_range(change.range), change.text)
    return change.text


def make_server(version: str) -> RulesServer:
    server = RulesServer(version)
    _add_texts(server)
    _add_help(server)
    _add_outline(server)
    _add_names(server)
    _add_changes(server)
    _add_examples(server)
    return server


def _add_texts(server: RulesServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        server.open_text(document.uri, document.text, document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.change_text(params.text_document.uri, params.content_changes, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.close_text(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(params: types.DidChangeWatchedFilesParams) -> None:
        server.texts.forget_files()
        for document in server.texts.documents():
            server.check_soon(document.name, PAUSE)


def _add_help(server: RulesServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" "]))
    async def completion(params: types.CompletionParams) -> types.CompletionList:
        await asyncio.sleep(0)  # what was cancelled meanwhile is not begun
        found = complete(server.analyse(params.text_document.uri), from_position(params.position))
        place, snippets = to_range(found.range), server.has_snippets()
        items = [
            item
            for number, one in enumerate(found.items)
            if (item := to_completion_item(one, place, number, has_snippets=snippets)) is not None
        ]
        return types.CompletionList(is_incomplete=True, items=items)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def show_hover(params: types.HoverParams) -> types.Hover | None:
        await asyncio.sleep(0)
        found = hover(server.analyse(params.text_document.uri), from_position(params.position))
        if found is None:
            return None
        text = found.text if server.has_markdown() else found.text.replace("```rules\n", "").replace("\n```", "")
        kind = types.MarkupKind.Markdown if server.has_markdown() else types.MarkupKind.PlainText
        return types.Hover(types.MarkupContent(kind, text), to_range(found.range))


def _add_outline(server: RulesServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        return [to_symbol(item) for item in list_symbols(server.analyse(params.text_document.uri))]

    legend = types.SemanticTokensLegend(list(KINDS), list(MODIFIERS))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def semantic_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        await asyncio.sleep(0)
        return types.SemanticTokens(to_token_data(list_tokens(server.analyse(params.text_document.uri))))

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        kinds = {"comment": types.FoldingRangeKind.Comment, "piece": types.FoldingRangeKind.Region}
        return [
            types.FoldingRange(fold.first, fold.last, kind=kinds[fold.kind])
            for fold in list_folding(server.analyse(params.text_document.uri))
        ]


def _add_names(server: RulesServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        found = find_definition(server.analyse(params.text_document.uri), from_position(params.position))
        return to_location(server.names, found) if found is not None else None

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        analysis = server.analyse(params.text_document.uri)
        found = list_references(server.texts, analysis, from_position(params.position))
        return [to_location(server.names, place) for place in found]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        found = list_highlights(server.analyse(params.text_document.uri), from_position(params.position))
        kinds = types.DocumentHighlightKind
        return [
            types.DocumentHighlight(to_range(one.range), kinds.Write if one.declares else kinds.Read) for one in found
        ]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        found = find_renamable(server.analyse(params.text_document.uri), from_position(params.position))
        return types.PrepareRenamePlaceholder(to_range(found.range), found.name) if found is not None else None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit:
        await asyncio.sleep(0)
        analysis = server.analyse(params.text_document.uri)
        found = rename_symbol(server.texts, analysis, from_position(params.position), params.new_name)
        if found.refusal is not None:
            raise RefusedRequest(str(found.refusal))
        return types.WorkspaceEdit(
            changes={server.names.uri_of(name): to_edits(edits) for name, edits in found.edits.items()}
        )


def _add_examples(server: RulesServer) -> None:
    async def judge(uri: str, first: int, last: int) -> list[Lens]:
        """One example at a time: what the editor says meanwhile comes first, and may stop it."""
        found: list[Lens] = []
        analysis = server.analyse(uri)
        for lens in judge_examples(analysis):
            found.append(lens)
            await asyncio.sleep(0)
            if server.document_of(analysis) is not analysis.document:
                return []
        server.play_soon(analysis)
        return [lens for lens in found if first <= lens.range.start.line <= last]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def code_lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        await asyncio.sleep(PAUSE)
        found = await judge(params.text_document.uri, 0, 10**9)
        shown: list[Lens | GameLens] = [*found, *list_game_lenses(server.analyse(params.text_document.uri))]
        return [types.CodeLens(to_range(lens.range), types.Command(describe_lens(lens), "")) for lens in shown]

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        await asyncio.sleep(PAUSE)
        uri, first, last = params.text_document.uri, params.range.start.line, params.range.end.line
        hints: list[Lens | GameLens] = [one for one in await judge(uri, first, last) if one.verdict != "passed"]
        hints += [lens for lens in list_game_lenses(server.analyse(uri)) if lens.is_broken]
        return [
            types.InlayHint(to_range(lens.range).end, describe_lens(lens), padding_left=True)
            for lens in hints
            if first <= lens.range.start.line <= last
        ]


def _add_changes(server: RulesServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        return to_edits(format_document(server.analyse(params.text_document.uri)))

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    def range_formatting(params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
        lines = (params.range.start.line, params.range.end.line)
        return to_edits(format_document(server.analyse(params.text_document.uri), lines))

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=list(ACTION_KINDS.values()))
    )
    async def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        await asyncio.sleep(0)
        uri = params.text_document.uri
        analysis, place = server.analyse(uri), from_range(params.range)
        changes = [
            types.CodeAction(
                title=str(one.title),
                kind=ACTION_KINDS[one.kind],
                edit=types.WorkspaceEdit(changes={uri: to_edits(one.edits)}),
            )
            for one in list_refactorings(server.texts, analysis, place)
        ]
        fixes = [
            types.CodeAction(
                title=str(fix.title),
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[to_diagnostic(server.names, fix.finding)],
                edit=types.WorkspaceEdit(changes={uri: [to_edit(edit) for edit in fix.edits]}),
                is_preferred=True,
            )
            for fix in list_fixes(server.texts, analysis, place)
        ]
        return [*fixes, *changes]
