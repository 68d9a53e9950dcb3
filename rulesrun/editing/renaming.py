"""Another name for a thing, everywhere it stands: in base and variants, examples and labels.

A renaming is given only with its proof: the new texts are read and checked, and are the same rules but for the name.
Every name must mean there what it meant before, so nothing can be caught by a name that was there already. Otherwise
it is refused, with a sentence that says why.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from rulesrun.dsl.symbols.renamed_trees import NewName, is_renamed
from rulesrun.dsl.symbols.uses import Symbol, Use, is_coordinate, list_labels, list_labels_beside, uses_of
from rulesrun.dsl.text.messages import Message, message
from rulesrun.editing.positions import Position, Range, TextEdit, apply_edits
from rulesrun.editing.workspace import Analysis, Workspace
from rulesrun.files.sources import SUFFIX

NAME = re.compile(r"[^\W\d]\w*")
FIXED = ("builtin", "language", "unknown")
UNLABELLED = ("label", "language", "builtin", "unknown")


@frozen
class Renaming:
    """Edits by document; or, with none, why not."""

    edits: Mapping[str, tuple[TextEdit, ...]]
    refusal: str | None = None


@frozen
class RenamableName:
    """What the cursor stands on, when it can be renamed."""

    range: Range
    name: str


class RefusedRenaming(Exception):
    """Why a name stays as it is."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def find_renamable(analysis: Analysis, position: Position) -> RenamableName | None:
    use = uses_of(analysis.rules).find_use(analysis.lines.find_offset(position))
    if use is None or use.symbol.kind in FIXED or is_coordinate(analysis.rules, use.symbol):
        return None
    return RenamableName(analysis.lines.make_range(use.span.start, use.span.end), use.symbol.name)


def rename_symbol(workspace: Workspace, analysis: Analysis, position: Position, new: str) -> Renaming:
    new = unicodedata.normalize("NFC", new)
    try:
        return Renaming(_rename(workspace, analysis, position, new))
    except RefusedRenaming as refused:
        return Renaming({}, refused.reason)


def _rename(workspace: Workspace, analysis: Analysis, position: Position, new: str) -> dict[str, tuple[TextEdit, ...]]:
    use = uses_of(analysis.rules).find_use(analysis.lines.find_offset(position))
    if use is None:
        raise RefusedRenaming(message("there is no name here"))
    if use.symbol.kind in FIXED:
        raise RefusedRenaming(message("`{name}` is a word of the language", name=use.symbol.name))
    if is_coordinate(analysis.rules, use.symbol):
        raise RefusedRenaming(message("`{name}` says in which row and column the place lies", name=use.symbol.name))
    if not NAME.fullmatch(new):
        raise RefusedRenaming(message(
            "`{name}` cannot be a name: a name starts with a letter and has no spaces",
            name=new))
    family = workspace.analyse_family(analysis)
    _require_sound(family)
    symbol = _labelled_symbol(family, use.symbol)
    edits = {one.document.name: tuple(_edit_document(family, one, symbol, new)) for one in family}
    edits = {name: own for name, own in edits.items() if own}
    _require_writable(family, edits)
    texts = {one.document.name: apply_edits(one.text, edits.get(one.document.name, ())) for one in family}
    other = workspace.with_texts(texts)
    for one in family:
        _require_same_rules(one, other.analyse(one.document.name), Changed(symbol, new))
    return edits


def _require_sound(family: Sequence[Analysis]) -> None:
    for one in family:
        if one.reading.program is None:
            raise RefusedRenaming(message("`{file}` has errors: fix them first", file=one.document.name))


def _require_writable(family: Sequence[Analysis], edits: Mapping[str, object]) -> None:
    """A base that was found by its name alone, not beside its variant, comes with this program."""
    for one in family:
        for link in one.reading.chain:
            path = one.path_of(link.file.name)
            if path in edits and os.path.normpath(path) != os.path.normpath(link.file.name):
                name = link.file.name.removesuffix(SUFFIX)
                raise RefusedRenaming(message(
                    "it is declared in the bundled rulebook `{name}`, which cannot be changed: save a copy beside this"
                    " file and name that, `of \"{copy}\"`",
                    name=name, copy=link.file.short_name))


def _labelled_symbol(family: Sequence[Analysis], symbol: Symbol) -> Symbol:
    """A label is renamed with what it labels."""
    if symbol.kind != "label":
        return symbol
    labelled = [one for one in _list_symbols(family) if one.name == symbol.name and one.kind not in UNLABELLED]
    if len(labelled) != 1:
        reason = message(
            "several things are called `{name}`: rename one of them where it is declared",
            name=symbol.name)
        raise RefusedRenaming(reason if labelled else message("nothing is called `{name}`", name=symbol.name))
    return labelled[0]


def _list_symbols(family: Iterable[Analysis]) -> set[Symbol]:
    return {use.symbol for one in family for use in uses_of(one.rules).own}


# ---- the edits


def _edit_document(family: Sequence[Analysis], one: Analysis, symbol: Symbol, new: str) -> Iterator[TextEdit]:
    for use in uses_of(one.rules).named(symbol):
        yield TextEdit(one.lines.make_range(use.span.start, use.span.end), new)
    if symbol.name != new:
        is_shared = any(
            other != symbol and other.name == symbol.name and other.kind not in UNLABELLED
            for other in _list_symbols(family)
        )
        if is_shared and not any(use.is_told for other in family for use in uses_of(other.rules).named(symbol)):
            return
        for use in uses_of(one.rules).named(Symbol("label", symbol.name)):
            yield from _edit_label(one, use, new, is_shared=is_shared)


def _edit_label(one: Analysis, use: Use, new: str, *, is_shared: bool) -> Iterator[TextEdit]:
    """The label goes with the name. What others have, too, is written once more; what is there already, not again."""
    said = list_labels_beside(one.rules, use)
    line = one.lines.find_position(use.span.start).line
    if new in said:
        if said[new] != said[use.symbol.name]:
            raise RefusedRenaming(message("`{name}` has another label already", name=new))
        if not is_shared:
            yield TextEdit(Range(Position(line, 0), Position(line + 1, 0)), "")
    elif is_shared:
        text = one.lines.text_of_line(line)
        start = text.index(use.symbol.name)
        below = Position(line + 1, 0)
        yield TextEdit(Range(below, below), text[:start] + new + text[start + len(use.symbol.name) :] + "\n")
    else:
        yield TextEdit(one.lines.make_range(use.span.start, use.span.end), new)


# ---- the proof


@frozen
class Changed:
    """What became of one symbol."""

    symbol: Symbol
    new: str

    def apply(self, symbol: Symbol) -> Symbol:
        name = self.new if symbol == self.symbol else symbol.name
        is_owned = self.symbol.kind == "thing" and symbol.owner == self.symbol.name and symbol.kind != "local"
        return Symbol(symbol.kind, name, self.new if is_owned else symbol.owner)


def _require_same_rules(before: Analysis, after: Analysis, changed: Changed) -> None:
    new_name = changed.new
    if after.reading.program is None:
        found = next(one for one in after.reading.diagnostics if one.severity == "error")
        raise RefusedRenaming(message("the rules would have an error then: {reason}", reason=found.message))
    codes = Counter(one.code for one in after.reading.diagnostics)
    codes.subtract(one.code for one in before.reading.diagnostics)
    if any(count > 0 for count in codes.values()):
        added = next(one for one in after.reading.diagnostics if codes[one.code] > 0)
        raise RefusedRenaming(message("the rules would have a warning then: {reason}", reason=added.message))
    if not _is_same_tree(before, after, changed) or not _is_same_meaning(before, after, changed):
        raise RefusedRenaming(message("`{name}` would mean something else somewhere", name=new_name))
    if not _has_same_labels(before, after, changed):
        raise RefusedRenaming(message("labels would be lost with the name `{name}`", name=new_name))


def _is_same_tree(before: Analysis, after: Analysis, changed: Changed) -> bool:
    places = {use.span.start for use in uses_of(before.rules).named(changed.symbol)}
    return is_renamed(before.rules.pieces, after.rules.pieces, NewName(changed.symbol.name, changed.new, places))


def _is_same_meaning(before: Analysis, after: Analysis, changed: Changed) -> bool:
    """Each name stands for the same thing as before; locals are told apart by the order in which they stand."""
    return [changed.apply(one) for one in _list_meanings(before)] == [
        changed.apply(one) for one in _list_meanings(after, changed)
    ]


def _list_meanings(analysis: Analysis, changed: Changed | None = None) -> list[Symbol]:
    locals_met: dict[Symbol, int] = {}
    found = []
    for use in uses_of(analysis.rules).own:
        symbol = use.symbol
        if symbol.kind in ("label", "language"):
            continue
        if symbol.kind == "local":
            number = locals_met.setdefault(symbol, len(locals_met))
            symbol = Symbol("local", "", str(number))
        elif changed is not None and symbol.name == changed.new:
            symbol = _as_before(symbol, changed)
        found.append(symbol)
    return found


def _as_before(symbol: Symbol, changed: Changed) -> Symbol:
    """A name that is new, as the old one would be; `apply` makes it new again. Others of that name stay apart."""
    old = Symbol(symbol.kind, changed.symbol.name, symbol.owner)
    return old if old == changed.symbol else symbol


def _has_same_labels(before: Analysis, after: Analysis, changed: Changed) -> bool:
    """Whoever had a label has the same one."""
    old, new = list_labels(before.rules), list_labels(after.rules)
    names = {use.symbol for use in uses_of(before.rules).own if use.symbol.kind not in UNLABELLED and use.is_told}
    for symbol in names:
        name = changed.new if symbol == changed.symbol else symbol.name
        if any(labels.get(symbol.name) != new[code].get(name) for code, labels in old.items()):
            return False
    return True
