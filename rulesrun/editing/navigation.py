"""From a name to where it is declared, and to all places where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl.contents.front_matter import find_base
from rulesrun.dsl.symbols.uses import Symbol, Use, uses_of
from rulesrun.editing.positions import Position, Range
from rulesrun.editing.workspace import Analysis, Location, Workspace

# What a label speaks of, the first that there is.
LABELLED = ("thing", "action", "word", "phase", "line", "attribute", "row", "step", "persona", "outcome", "figure",
            "local")


@frozen
class Highlight:
    """A place of a name in its own document; `declares`: there it is declared."""

    range: Range
    declares: bool


def find_definition(analysis: Analysis, position: Position) -> Location | None:
    """Where the name is declared; a label leads to what it labels, the name of a base to its file."""
    offset = analysis.lines.find_offset(position)
    base = find_base(analysis.link.parsed)
    if base is not None and base.span.start <= offset <= base.span.end and len(analysis.reading.chain) > 1:
        return analysis.locate(analysis.reading.chain[-2].file.name, 0, 0)
    use = uses_of(analysis.rules).find_use(offset)
    declared = find_declaration(analysis, use.symbol) if use is not None else None
    return locate_use(analysis, declared) if declared is not None else None


def find_declaration(analysis: Analysis, symbol: Symbol) -> Use | None:
    declared = uses_of(analysis.rules).declared
    if symbol.kind == "label":
        return next((found for found in list_labelled(analysis, symbol.name)), declared.get(symbol))
    return declared.get(symbol)


def list_labelled(analysis: Analysis, name: str) -> Iterator[Use]:
    """What is called so, the first kinds first."""
    declared = uses_of(analysis.rules).declared
    for kind in LABELLED:
        yield from (use for symbol, use in declared.items() if symbol.kind == kind and symbol.name == name)


def locate_use(analysis: Analysis, use: Use) -> Location:
    return analysis.locate(use.span.file, use.span.start, use.span.end)


def list_references(workspace: Workspace, analysis: Analysis, position: Position) -> tuple[Location, ...]:
    """In the document, what it builds on, and the variants that are known."""
    use = uses_of(analysis.rules).find_use(analysis.lines.find_offset(position))
    if use is None:
        return ()
    return tuple(
        locate_use(one, found)
        for one in workspace.analyse_family(analysis)
        for found in uses_of(one.rules).named(use.symbol)
    )


def list_highlights(analysis: Analysis, position: Position) -> tuple[Highlight, ...]:
    """The same name in the same document."""
    uses = uses_of(analysis.rules)
    use = uses.find_use(analysis.lines.find_offset(position))
    if use is None:
        return ()
    return tuple(
        Highlight(analysis.lines.make_range(found.span.start, found.span.end), found.declares is not None)
        for found in uses.named(use.symbol)
    )
