"""Requests and answers as JSON, for whoever is not Python: a browser's worker, another process.

A request is an object with a `method` and what it speaks of; the answer is plain data. A position is `{"line": 0,
"character": 0}`, counted as editors do; everything that was made of a text says of which `version`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, cast

import attrs

from rulesrun.dsl.explain import explain_code
from rulesrun.editing.code_actions import list_fixes, list_refactorings
from rulesrun.editing.completion import complete
from rulesrun.editing.findings import list_findings
from rulesrun.editing.formatting import format_document
from rulesrun.editing.games import list_game_lenses, play_games
from rulesrun.editing.hover import hover
from rulesrun.editing.lenses import judge_examples
from rulesrun.editing.navigation import find_definition, list_folding, list_highlights, list_references, list_symbols
from rulesrun.editing.positions import Position, Range, TextEdit
from rulesrun.editing.renaming import find_renamable, rename_symbol
from rulesrun.editing.tokens import list_tokens
from rulesrun.editing.workspace import Workspace

Request = Mapping[str, Any]


def as_json(value: object) -> Any:
    """Frozen values as plain data: objects with the names of their fields, lists, texts, numbers, truths, null."""
    if attrs.has(type(value)):
        fields = attrs.fields(cast("type[attrs.AttrsInstance]", type(value)))
        return {field.name: as_json(getattr(value, field.name)) for field in fields}
    if isinstance(value, Mapping):
        return {str(key): as_json(one) for key, one in value.items()}
    if isinstance(value, list | tuple | frozenset | set):
        return [as_json(one) for one in value]
    return value


class UnknownRequest(ValueError):
    """There is no such method."""


def answer_request(workspace: Workspace, request: Request) -> Any:
    """One request in, its answer out as plain data."""
    method = METHODS.get(request.get("method", ""))
    if method is None:
        raise UnknownRequest(f"there is no method `{request.get('method')}`; there are {', '.join(METHODS)}")
    return as_json(method(workspace, request))


def _open(workspace: Workspace, request: Request) -> object:
    workspace.open_document(request["document"], request["text"], request.get("version", 0))
    return None


def _change(workspace: Workspace, request: Request) -> object:
    changes = [_read_change(change) for change in request["changes"]]
    workspace.change_document(request["document"], changes, request["version"])
    return None


def _close(workspace: Workspace, request: Request) -> object:
    workspace.close_document(request["document"])
    return None


def _diagnose(workspace: Workspace, request: Request) -> object:
    return list_findings(workspace.analyse(request["document"]))


def _complete(workspace: Workspace, request: Request) -> object:
    return complete(workspace.analyse(request["document"]), _read_position(request["position"]))


def _hover(workspace: Workspace, request: Request) -> object:
    return hover(workspace.analyse(request["document"]), _read_position(request["position"]))


def _format(workspace: Workspace, request: Request) -> object:
    lines = request.get("lines")
    return format_document(workspace.analyse(request["document"]), (lines[0], lines[1]) if lines else None)


def _explain(workspace: Workspace, request: Request) -> object:
    return explain_code(request["code"])


def _list_symbols(workspace: Workspace, request: Request) -> object:
    return list_symbols(workspace.analyse(request["document"]))


def _list_folding(workspace: Workspace, request: Request) -> object:
    return list_folding(workspace.analyse(request["document"]))


def _find_definition(workspace: Workspace, request: Request) -> object:
    return find_definition(workspace.analyse(request["document"]), _read_position(request["position"]))


def _list_references(workspace: Workspace, request: Request) -> object:
    analysis = workspace.analyse(request["document"])
    return list_references(workspace, analysis, _read_position(request["position"]))


def _list_highlights(workspace: Workspace, request: Request) -> object:
    return list_highlights(workspace.analyse(request["document"]), _read_position(request["position"]))


def _find_renamable(workspace: Workspace, request: Request) -> object:
    return find_renamable(workspace.analyse(request["document"]), _read_position(request["position"]))


def _rename(workspace: Workspace, request: Request) -> object:
    analysis = workspace.analyse(request["document"])
    return rename_symbol(workspace, analysis, _read_position(request["position"]), request["name"])


def _list_fixes(workspace: Workspace, request: Request) -> object:
    return list_fixes(workspace, workspace.analyse(request["document"]), _read_range(request["range"]))


def _list_tokens(workspace: Workspace, request: Request) -> object:
    return list_tokens(workspace.analyse(request["document"]))


def _judge_examples(workspace: Workspace, request: Request) -> object:
    found = judge_examples(workspace.analyse(request["document"]))
    return list(islice(found, request.get("most", 1)))


def _play_games(workspace: Workspace, request: Request) -> object:
    analysis = workspace.analyse(request["document"])
    played = len(list(islice(play_games(analysis), request.get("most", 1))))
    return {"played": played, "lenses": list_game_lenses(analysis)}


def _list_refactorings(workspace: Workspace, request: Request) -> object:
    return list_refactorings(workspace, workspace.analyse(request["document"]), _read_range(request["range"]))


METHODS: dict[str, Callable[[Workspace, Request], object]] = {
    "open": _open,
    "change": _change,
    "close": _close,
    "diagnose": _diagnose,
    "complete": _complete,
    "hover": _hover,
    "format": _format,
    "explain": _explain,
    "symbols": _list_symbols,
    "folding": _list_folding,
    "definition": _find_definition,
    "references": _list_references,
    "highlights": _list_highlights,
    "renamable": _find_renamable,
    "rename": _rename,
    "fixes": _list_fixes,
    "tokens": _list_tokens,
    "refactorings": _list_refactorings,
    "examples": _judge_examples,
    "games": _play_games,
}


def _read_position(given: Mapping[str, int]) -> Position:
    return Position(given["line"], given["character"])


def _read_range(given: Mapping[str, Mapping[str, int]]) -> Range:
    return Range(_read_position(given["start"]), _read_position(given["end"]))


def _read_change(given: str | Mapping[str, Any]) -> TextEdit | str:
    """A new text, or what stands in a range from now on."""
    return given if isinstance(given, str) else TextEdit(_read_range(given["range"]), given["text"])
