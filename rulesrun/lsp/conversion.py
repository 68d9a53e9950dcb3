"""Plain values of `rulesrun.editing` as messages of the protocol, and back."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field
from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from rulesrun.editing import (
    CompletionItem,
    Finding,
    GameLens,
    Lens,
    OutlineItem,
    Position,
    Range,
    SemanticToken,
    TextEdit,
)
from rulesrun.editing.tokens import KINDS, MODIFIERS
from rulesrun.editing.workspace import Location
from rulesrun.files.loading import make_text_file
from rulesrun.files.sources import SUFFIX, TextFile, decode_text, read_bytes
from rulesrun.terminal.trouble import Trouble

# ---- documents
# Names of documents as URIs, and the files beside them.


MOST_FILES = 400
DEEPEST = 4


@define(eq=False)
class DocumentNames:
    """A file is called by its path; what lies in no file, by its URI."""

    _uris: dict[str, str] = field(factory=dict)

    def name_of(self, uri: str) -> str:
        path = to_fs_path(uri) if uri.startswith("file:") else None
        name = os.path.normpath(path) if path else uri
        self._uris[name] = uri
        return name

    def uri_of(self, name: str) -> str:
        """As the editor wrote it, where it has."""
        if name in self._uris:
            return self._uris[name]
        return from_fs_path(os.path.abspath(name)) or name


def list_rules_files(folder: str) -> Iterator[TextFile]:
    """What may be a variant of a file in this folder: the rules files in it and below it, some hundred at most."""
    found = 0
    root = os.path.abspath(folder or os.curdir)
    for here, folders, files in os.walk(root):
        is_deep = here.count(os.sep) - root.count(os.sep) >= DEEPEST
        folders[:] = [] if is_deep else sorted(name for name in folders if not name.startswith((".", "node_modules")))
        for file in sorted(files):
            if file.endswith(SUFFIX) and found < MOST_FILES:
                found += 1
                path = os.path.join(here, file)
                try:
                    yield make_text_file(path, decode_text(path, read_bytes(path, 1_000_000)), here)
                except Trouble:
                    continue


# ---- conversion


SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
Kind = types.CompletionItemKind
COMPLETION_KINDS: Mapping[str, types.CompletionItemKind] = {
    "keyword": Kind.Keyword, "piece": Kind.Snippet, "zone": Kind.Struct, "number": Kind.Variable,
    "marker": Kind.Variable, "option": Kind.Constant, "reading": Kind.Constant, "define": Kind.Function,
    "table": Kind.Function, "action": Kind.Method, "step": Kind.Method, "phase": Kind.Event, "values": Kind.Enum,
    "component": Kind.Class, "value": Kind.EnumMember, "attribute": Kind.Property, "row": Kind.EnumMember,
    "line": Kind.Field, "local": Kind.Variable, "word": Kind.Keyword, "memory": Kind.Variable,
}  # fmt: skip
Symbol = types.SymbolKind
SYMBOL_KINDS: Mapping[str, types.SymbolKind] = {
    "zone": Symbol.Struct, "number": Symbol.Variable, "marker": Symbol.Variable, "memory": Symbol.Variable,
    "option": Symbol.Constant, "reading": Symbol.Constant, "define": Symbol.Function, "table": Symbol.Array,
    "action": Symbol.Method, "step": Symbol.Method, "phase": Symbol.Event, "values": Symbol.Enum,
    "component": Symbol.Class, "row": Symbol.EnumMember, "line": Symbol.Field, "choice": Symbol.Variable,
    "property": Symbol.Boolean, "example": Symbol.Package, "small": Symbol.Namespace, "words": Symbol.String,
    "look": Symbol.String, "game": Symbol.Module, "persona": Symbol.Object, "figure": Symbol.Number,
}  # fmt: skip


def to_position(position: Position) -> types.Position:
    return types.Position(position.line, position.character)


def to_range(range: Range) -> types.Range:
    return types.Range(to_position(range.start), to_position(range.end))


def from_position(position: types.Position) -> Position:
    return Position(position.line, position.character)


def from_range(range: types.Range) -> Range:
    return Range(from_position(range.start), from_position(range.end))


def to_edit(edit: TextEdit) -> types.TextEdit:
    return types.TextEdit(to_range(edit.range), edit.text)


def to_edits(edits: Sequence[TextEdit]) -> list[types.TextEdit]:
    return [to_edit(edit) for edit in edits]


def to_location(names: DocumentNames, location: Location) -> types.Location:
    return types.Location(names.uri_of(location.document), to_range(location.range))


def to_diagnostic(names: DocumentNames, finding: Finding) -> types.Diagnostic:
    message = finding.message if finding.hint is None else f"{finding.message}\n{finding.hint}"
    return types.Diagnostic(
        range=to_range(finding.range),
        message=str(message),
        severity=SEVERITIES.get(finding.severity, types.DiagnosticSeverity.Error),
        code=finding.code,
        source="rulesrun",
        tags=[types.DiagnosticTag.Unnecessary] if finding.code == "unused-name" else None,
        related_information=[
            types.DiagnosticRelatedInformation(to_location(names, place.location), str(place.message))
            for place in finding.related
        ],
    )


def to_completion_item(
    item: CompletionItem, place: types.Range, number: int, *, has_snippets: bool
) -> types.CompletionItem | None:
    """None: a snippet for an editor that knows none."""
    if item.is_snippet and not has_snippets:
        return None
    return types.CompletionItem(
        label=item.label,
        kind=COMPLETION_KINDS.get(item.kind, Kind.Text),
        detail=item.detail or item.kind,
        documentation=item.note or None,
        sort_text=f"{number:03}",
        filter_text=item.label,
        insert_text_format=types.InsertTextFormat.Snippet if item.is_snippet else types.InsertTextFormat.PlainText,
        text_edit=types.TextEdit(place, item.text),
    )


def to_token_data(tokens: Sequence[SemanticToken]) -> list[int]:
    """Five numbers a token, its place told from the one before."""
    data: list[int] = []
    line = character = 0
    for token in tokens:
        start = token.start
        moved = start.character - (character if start.line == line else 0)
        modifiers = sum(1 << MODIFIERS.index(one) for one in token.modifiers)
        data += [start.line - line, moved, token.length, KINDS.index(token.kind), modifiers]
        line, character = start.line, start.character
    return data


def describe_lens(lens: Lens | GameLens) -> str:
    """`passed`; `failed: …`, on one line; what games showed."""
    if isinstance(lens, GameLens):
        return str(lens.text)
    return lens.verdict if lens.reason is None else f"{lens.verdict}: {lens.reason}"


def to_symbol(item: OutlineItem) -> types.DocumentSymbol:
    kind = SYMBOL_KINDS.get(item.kind.removeprefix("change "), Symbol.Object)
    return types.DocumentSymbol(
        name=item.name or item.kind,
        detail=item.kind,
        kind=kind,
        range=to_range(item.range),
        selection_range=to_range(item.name_range),
        children=[to_symbol(child) for child in item.children],
    )
