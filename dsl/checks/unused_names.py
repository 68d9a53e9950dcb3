"""What is declared and never used. A name used only to be changed counts as used."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import AllOf, AttributeMeaning, Meaning, RowMeaning


def check_unused_names(reading: CheckedGame) -> Iterator[Diagnostic]:
    used = _used_meanings(reading)
    for name, thing in reading.names.things.items():
        if thing not in used and " " not in name:  # what nobody wrote was declared for what is written short
            yield _unused_diagnostic(
                thing.name, message("the {kind} `{name}`", kind=_describe_kind(thing), name=name), *_leave_out(thing)
            )
    for name, step in reading.names.steps.items():
        if step not in used:
            yield _unused_diagnostic(step.name, message("the step `{name}`", name=name), *_leave_out(step))
        yield from _check_parameters(step, used)
    for node in reading.nodes:
        yield from _check_inside(node, used)


def _used_meanings(reading: CheckedGame) -> set[Meaning | ast.Node]:
    found: set[Meaning | ast.Node] = set()
    for name, meaning in reading.inferred.meanings.items():
        is_binder = (isinstance(meaning, ast.Deal) and meaning.alias is name) or (
            isinstance(meaning, ast.Each) and meaning.name is name
        )
        if not is_binder:
            found.add(meaning)
        match meaning:
            case AllOf(declaration=declaration):
                found.add(declaration)
            case AttributeMeaning(components=components) | RowMeaning(components=components):
                found.add(components)
    return found


def _check_inside(node: ast.Node, used: set[Meaning | ast.Node]) -> Iterator[Diagnostic]:
    match node:
        case ast.Define():
            yield from _check_parameters(node, used)
        case ast.ForEach(word="let", each=ast.Each(name=ast.Name() as name)) if node.each not in used:
            yield _unused_diagnostic(name, f"`{name.text}`")
        case ast.Action(choices=choices, body=body) if body:
            for choice in choices:
                if choice not in used and choice.name.text != "player":
                    yield _unused_diagnostic(
                        choice.name,
                        message("the choice `{choice}` of `{name}`", choice=choice.name.text, name=node.name.text),
                    )
        case ast.Deal(alias=ast.Name() as alias) if node not in used:
            yield _unused_diagnostic(alias, f"`{alias.text}`", Edit(node.target.span.end, alias.span.end, ""))
        case _:
            pass


def _check_parameters(piece: ast.Define | ast.Step, used: set[Meaning | ast.Node]) -> Iterator[Diagnostic]:
    for parameter in piece.parameters:
        if parameter not in used:
            yield _unused_diagnostic(
                parameter.name,
                message("`{parameter}` of `{name}`", parameter=parameter.name.text, name=piece.name.text),
            )


def _unused_diagnostic(name: ast.Name, what: str, *edits: Edit) -> Diagnostic:
    found = Diagnostic(
        "unused-name",
        message("{what} is never used", what=what),
        name.span,
        message("remove it, or use it"),
        "warning",
    )
    return found.with_edits(*edits)


def _leave_out(piece: ast.Declaration) -> Iterator[Edit]:
    """A note above it would be one of the next piece: then the author must look."""
    if not piece.notes:
        yield Edit(piece.span.start, piece.span.end, "")


def _describe_kind(thing: ast.Node) -> str:
    match thing:
        case ast.Variable(word=word):
            return word
        case ast.Components(noun=noun):
            return noun
        case ast.Values():
            return "type"
        case ast.Define():
            return "definition"
        case ast.Option(is_reading=is_reading):
            return "reading" if is_reading else "option"
        case _:
            return type(thing).__name__.lower()


# ---- shadowed names
# A local name that hides something declared under the same name; a name that hides the total of the score.


PREFIXES: dict[type, str] = {ast.Parameter: "given", ast.Choice: "chosen", ast.Each: "this", ast.Deal: "drawn"}


def check_shadowed_names(reading: CheckedGame) -> Iterator[Diagnostic]:
    own_total = reading.names.things.get("total")
    if own_total is not None and any(isinstance(piece, ast.Ranking) for piece in reading.game.declarations):
        yield Diagnostic(
            "shadowed-name",
            message("`total` no longer means the points of the score, in `ranking` either"),
            own_total.name.span,
            message("choose another name"),
            "warning",
        )
    for node in reading.nodes:
        name = _local_name(node)
        thing = reading.names.things.get(name.text) if name is not None else None
        if name is not None and thing is not None:
            other = f"{PREFIXES[type(node)]}_{name.text}"
            is_free = other not in set(reading.names.visible_names())
            yield Diagnostic(
                "shadowed-name",
                message("`{name}` hides something else declared under the same name", name=name.text),
                name.span,
                message("call it `{other}`", other=other) if is_free else message("choose another name"),
                "warning",
                (Related(message("declared here"), thing.name.span),),
                _rename(reading, node, name, other) if is_free else (),
            )


def _rename(reading: CheckedGame, node: ast.Node, name: ast.Name, other: str) -> tuple[Edit, ...]:
    """Wherever it is said, where that is in one file."""
    meanings = reading.inferred.meanings.items()
    meant = (one.span for one, meaning in meanings
             if meaning is node and isinstance(one, ast.Name) and one.text == name.text)  # fmt: skip
    spans = {(one.file, one.start, one.end) for one in (name.span, *meant)}
    if len({file for file, _, _ in spans}) > 1:
        return ()
    return tuple(Edit(start, end, other) for _, start, end in sorted(spans))


def _local_name(node: ast.Node) -> ast.Name | None:
    match node:
        case ast.Parameter(name=name) | ast.Choice(name=name) | ast.Each(name=name) | ast.Deal(alias=name):
            return name
        case _:
            return None
