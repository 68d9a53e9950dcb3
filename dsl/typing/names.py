"""What is declared under which name. Takes a game, gives its `Names`, and complains of doubles and reserved names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import TypeVar

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulesrun.dsl.text.lookalikes import LOOKS_LIKE, suggest_latin_word
from rulesrun.dsl.text.messages import message, template
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import AttributeMeaning, ItMeaning, Meaning, RowMeaning
from rulesrun.dsl.typing.types import ComponentOf, Type

# ---- builtins
# The words that the language brings along: one table, read by the checker, the interpreter's makers and the manual.


@frozen
class Builtin:
    """`form`: how it is written. name: alone; of: `count of S`; call: `smallest(a, b)`.

    `takes` and `gives` are kinds of values in the author's words; `more`: so many more numbers may follow.
    """

    name: str
    form: str  # name | of | call
    takes: tuple[str, ...]
    gives: str
    says: str
    more: int = 0


ANY_NUMBER = 1_000

BUILTINS: tuple[Builtin, ...] = (
    Builtin("player", "name", (), "player", "Whose turn it is, who chooses, who is scored, who is asked."),
    Builtin("players", "name", (), "number", "How many play; after `in` and `over` the players themselves."),
    Builtin("opponents", "name", (), "players", "Everyone but `player`."),
    Builtin("opponent", "name", (), "player", "The other one of two players."),
    Builtin("starter", "name", (), "player", "Who begins the round; may be changed."),
    Builtin("round", "name", (), "number", "Which round it is, from 1."),
    Builtin("phase", "name", (), "phase", "Which phase it is."),
    Builtin("it", "name", (), "element", "The element that a condition is about, when it has no name."),
    Builtin("count", "of", ("collection",), "number", "How many there are."),
    Builtin("sum", "of", ("numbers",), "number", "All of them added up."),
    Builtin("highest", "of", ("collection",), "element", "The greatest of them."),
    Builtin("lowest", "of", ("collection",), "element", "The least of them."),
    Builtin("list", "of", ("collection",), "collection", "All of them in order, doubles kept."),
    Builtin("sorted", "of", ("collection",), "collection", "All of them, the lowest first."),
    Builtin("top", "of", ("collection",), "element", "The one that was put last."),
    Builtin("bottom", "of", ("collection",), "element", "The one that was put first."),
    Builtin("first", "of", ("collection",), "element", "The first of a row."),
    Builtin("last", "of", ("collection",), "element", "The last of a row."),
    Builtin("left", "of", ("player",), "player", "The next player clockwise."),
    Builtin("right", "of", ("player",), "player", "The player before, counter-clockwise."),
    Builtin("total", "of", ("player",), "number", "All score lines of all countings together."),
    Builtin("place", "of", ("player",), "number", "The final place, once the game is over."),
    Builtin("smallest", "call", ("number", "number"), "number", "The smaller of its arguments.", ANY_NUMBER),
    Builtin("largest", "call", ("number", "number"), "number", "The larger of its arguments.", ANY_NUMBER),
    Builtin("seat", "call", ("option",), "player", "The player a `… or player` option names; seat 1 for a word."),
    Builtin("seats_from", "call", ("player", "player"), "number",
            "How many seats the second is to the left of the first; 0 for the same one."),
    Builtin("position", "call", ("element", "collection"), "number", "Where it stands, from 1; 0 when it is missing."),
    Builtin("times", "call", ("memory",), "number", "How often the last recorded position has been recorded."),
    Builtin("neighbours", "call", ("place",), "places", "The places of the board that lie beside it.", 1),
    Builtin("ahead", "call", ("place",), "places", "Its neighbours in the next row, as `player` sees the board.",
            1),
    Builtin("rays", "call", ("place",), "places", "The places that a straight line leads to from there, however far."),
    Builtin("between", "call", ("place", "place"), "places", "What lies between two places of a straight line."),
    Builtin("distance", "call", ("place", "place"), "number", "How many steps it is from one place to the other."),
    Builtin("lines", "call", ("board", "number"), "lines", "All straight lines of so many places."),
    Builtin("lines_through", "call", ("place", "number"), "lines",
            "All straight lines of so many places, this place among them."),
    Builtin("connected", "call", ("places", "places"), "places",
            "Those of the second that can be reached from the first, over neighbours among the second."),
    Builtin("counted", "call", ("line",), "number", "A score line, all countings together."),
    Builtin("latest", "call", ("line",), "number", "A score line or the total of the last counting alone."),
)

MEANINGS = {
    "player": message("the player whose turn it is, who chooses, or who is scored"),
    "players": message("the number of players; after `in` and `over`, the players themselves"),
    "opponents": message("everyone but `player`"), "opponent": message("the other one of two players"),
    "starter": message("the player who begins the round; rules can change it"),
    "round": message("the number of the round, from 1"), "phase": message("the current phase"),
    "it": message("the element that a condition is about, when it has no name"),
}  # fmt: skip
"""What names mean, as a complaint says it."""

NAMES = {builtin.name: builtin for builtin in BUILTINS if builtin.form == "name"}
OF_WORDS = {builtin.name: builtin for builtin in BUILTINS if builtin.form == "of"}
CALLS = {builtin.name: builtin for builtin in BUILTINS if builtin.form == "call"}

# Names that mean something alone, for a player: `total` is the total of `player`.
ALONE = {"total", "place"}

RESERVED = frozenset(NAMES) - {"opponent"}
"""Nothing can be called so. Rules may say themselves who the `opponent` is."""


# ---- names


Thing = (
    ast.Zone | ast.Variable | ast.Option | ast.Define | ast.Table | ast.Memory | ast.Values | ast.Components
)
Element = ast.Each | ast.Filter | ast.Deal
Local = ast.Parameter | ast.Choice | ast.Each | ast.Deal | ItMeaning

Piece = TypeVar("Piece")


@define(eq=False)
class DeclaredNames:
    """Everything declared. What stands in expressions shares a name space; actions, steps, phases have their own."""

    things: dict[str, Thing] = field(factory=dict)
    actions: dict[str, ast.Action] = field(factory=dict)
    steps: dict[str, ast.Step] = field(factory=dict)
    phases: dict[str, ast.Phase] = field(factory=dict)
    lines: dict[str, ast.ScoreLine] = field(factory=dict)
    rows: dict[str, RowMeaning] = field(factory=dict)
    places: dict[tuple[str, str], RowMeaning] = field(factory=dict)  # board and name: of grids, those that are named
    words: dict[str, list[ast.Values | ast.Option]] = field(factory=dict)
    diagnostics: list[Diagnostic] = field(factory=list)

    def visible_names(self) -> Iterator[str]:
        """What may stand in an expression, for suggestions."""
        yield from self.things
        yield from self.lines
        yield from self.words
        yield from self.rows
        yield from NAMES
        yield from ALONE

    def callable_names(self) -> Iterator[str]:
        yield from (name for name, thing in self.things.items() if isinstance(thing, ast.Define | ast.Table))
        yield from CALLS

    def zone_names(self) -> Iterator[str]:
        return (name for name, thing in self.things.items() if isinstance(thing, ast.Zone) and not thing.is_box)

    def type_names(self) -> Iterator[str]:
        return (name for name, thing in self.things.items() if isinstance(thing, ast.Values | ast.Components))

    def components(self) -> Iterator[ast.Components]:
        return (thing for thing in self.things.values() if isinstance(thing, ast.Components))

    def attribute_names(self) -> Iterator[str]:
        for components in self.components():
            yield from (attribute.name.text for attribute in attributes_of(components))


@frozen(eq=False)
class Scope:
    """What is known at a place beyond the declared names: one frame, and the frames around it.

    A frame is a named thing, or an element whose attributes stand alone, or both.
    """

    parent: Scope | None = None
    name: str | None = None
    meaning: Local | None = None
    type: Type | None = None
    element: Element | None = None
    has_attributes: bool = False
    in_after: bool = False

    def with_name(self, name: str, meaning: Local, type: Type) -> Scope:
        return Scope(self, name, meaning, type, in_after=self.in_after)

    def with_element(self, element: Element, type: Type, name: str | None = None) -> Scope:
        """Inside, the element's attributes stand alone; `name` is what it is called besides."""
        meaning = element if isinstance(element, ast.Each) else ItMeaning(element)
        return Scope(self, name, meaning, type, element, True, self.in_after)

    def with_attributes(self, type: Type) -> Scope:
        """The attributes of a component stand alone, as in what is computed from them."""
        return Scope(self, type=type, has_attributes=True, in_after=self.in_after)

    def is_named(self) -> bool:
        return self.name is not None and isinstance(self.element, ast.Each)

    def frames(self) -> Iterator[Scope]:
        frame: Scope | None = self
        while frame is not None:
            yield frame
            frame = frame.parent

    def bound_names(self) -> Iterator[str]:
        return (frame.name for frame in self.frames() if frame.name is not None)


@frozen(eq=False)
class FoundName:
    meaning: Meaning
    type: Type | None  # of an attribute that of the components which have it
    is_attribute: bool


def find_local_name(scope: Scope, text: str, names: DeclaredNames) -> FoundName | None:
    """The nearest binder, parameter or alias of that name; else the nearest attribute.

    A name that somebody wrote comes before one that is only implied, so that `zone where colour of it = colour`
    can compare with a choice called `colour`.
    """
    for frame in scope.frames():
        if frame.name == text and frame.meaning is not None:
            return FoundName(frame.meaning, frame.type, False)
    for frame in scope.frames():
        if frame.has_attributes and isinstance(frame.type, ComponentOf):
            found = find_attribute(frame.type, text, names)
            if found is not None:
                return FoundName(AttributeMeaning(*found, frame.element), frame.type, True)
    return None


def attributes_of(components: ast.Components) -> tuple[ast.AttributeDecl, ...]:
    return components.attributes + components.computed


def find_attribute(
    type: ComponentOf, text: str, names: DeclaredNames
) -> tuple[ast.Components, ast.AttributeDecl] | None:
    """Of several kinds the first one's, where all of them have it."""
    found = [find_attribute_of_kind(one, text, names) for one in type.members]
    return found[0] if None not in found else None


def find_attribute_of_kind(
    kind: str, text: str, names: DeclaredNames
) -> tuple[ast.Components, ast.AttributeDecl] | None:
    components = names.things.get(kind)
    if not isinstance(components, ast.Components):
        return None
    for attribute in attributes_of(components):
        if attribute.name.text == text:
            return components, attribute
    return None


# What other languages call it, and how it is said here.
SAID_OTHERWISE = {
    "true": "`yes`", "false": "`no`", "none": "`nothing`", "null": "`nothing`", "nil": "`nothing`",
    "empty": "`… is empty`", "max": message("`largest(…, …)`, or `highest of …` for a list"), "min":
    message("`smallest(…, …)`, or `lowest of …` for a list"), "len": "`count of …`", "length": "`count of …`",
    "size": "`count of …`", "number": "`count of …`", "amount": "`count of …`", "total_of": "`sum of …`",
    "average": "`(sum of …) / (count of …)`", "random": message("`draw`, `roll` or `shuffle`: chance is a statement"),
    "current_player": "`player`", "me": "`player`", "self": "`player`", "my": "`player`",
    "others": "`opponents`",
    "opponent": message("`left of player` for the next player, the only other one of two; `opponents` for all others"),
     "next_player": "`left of player`", "previous_player": "`right of player`",
    "turn": message("`player` is whose turn it is; `given turn of 1` stands in examples"), "winner": "`place of p = 1`",
    "nobody": "`nothing`", "score": "`total`",
    "dealer": message("`starter` for who begins; to keep another, declare `marker dealer: player`"),
    "everyone": message("`players`; at once: `all choose …`"),
    "everybody": message("`players`; at once: `all choose …`"),
    "set": message("`x is nothing` or `x is not nothing`"),
    "all": message("`move all … to …` for all that lie there, `show …` alone for everybody"),
    "infinity": message("a number that is never reached; every number needs a highest value"),
    "unlimited": message("a number that is never reached; every number needs a highest value"),
    "bool": "`yes or no`", "boolean": "`yes or no`", "int": message("a range, as in `0..20`"),
    "integer": message("a range, as in `0..20`"),
    "adjacent": "`neighbours(…)`", "neighbors": "`neighbours(…)`", "adjacents": "`neighbours(…)`",
    "reachable": "`connected(…, …)`", "path": "`connected(…, …)`", "chain": "`connected(…, …)`",
    "grid": message("a board: `board Square: 8 by 8`"),
    "abs": "`largest(x, -x)`", "floor": "`x div 1`",
    **{word: f"`{number}`" for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=1)},
}  # fmt: skip


@frozen
class NameSuggestion:
    """What was probably meant: said, and as it is written in place of the name (None: there is no one word for it)."""

    hint: str | None
    name: str | None = None

    def edits(self, name: ast.Node) -> tuple[Edit, ...]:
        return (Edit(name.span.start, name.span.end, self.name),) if self.name is not None else ()


NO_SUGGESTION = NameSuggestion(None)
ALONE_SAID = re.compile(r"`([\w ]+)(?:\(…\))?`")


def find_suggestion(text: str, candidates: Iterable[str], nearness: float = 0.6) -> NameSuggestion:
    """A suggestion where one of the candidates is near, or where it is said in another way here."""
    known = sorted(set(candidates))
    alike = suggest_latin_word(text, known)
    if alike is not None:
        return NameSuggestion(alike, text.translate(LOOKS_LIKE))
    if text.casefold() in SAID_OTHERWISE and text not in known:
        said = SAID_OTHERWISE[text.casefold()]
        alone = ALONE_SAID.fullmatch(said)
        return NameSuggestion(message("write {what}", what=said), alone[1] if alone is not None else None)
    folded = {name.casefold(): name for name in known}
    near = folded.get(text.casefold())
    if near is None:
        close = get_close_matches(text, known, n=1, cutoff=nearness) if len(known) <= 2000 else []
        near = close[0] if close else None
    return NameSuggestion(message("did you mean `{near}`?", near=near), near) if near is not None else NO_SUGGESTION


NO_SUCH = {
    "zone": template("there is no zone `{name}`"), "action": template("there is no action `{name}`"),
    "action or step": template("there is no action or step `{name}`"),
    "phase": template("there is no phase `{name}`"), "step": template("there is no step `{name}`"),
    "option": template("there is no option `{name}`"), "type": template("there is no type `{name}`"),
    "component": template("there is no component `{name}`"), "memory": template("there is no memory `{name}`"),
    "definition or table": template("there is no definition or table `{name}`"),
    "thing called": template("there is no thing called `{name}`"),
}  # fmt: skip
# How it is declared, where no name is near.
DECLARED = {
    "zone": template("declare it, as in `zone {name}: pile of …, public`, with the kind of its components"),
    "action": template("declare it: `action {name}`, and indented below it what is done"),
    "step": template("declare it: `step {name}`, and indented below it what is done"),
    "phase": template("declare it: `phase {name}`, and indented below it what happens"),
}  # fmt: skip
TWICE = {
    "choice": template("the choice `{name}` is there twice"), "word": template("the word `{name}` is there twice"),
    "parameter": template("the parameter `{name}` is there twice"),
    "attribute": template("the attribute `{name}` is there twice"),
}  # fmt: skip


def unknown_diagnostic(code: str, noun: str, name: ast.Name, candidates: Iterable[str]) -> Diagnostic:
    """There is no such thing. `noun` is what was looked for: `zone`, `action` …"""
    near = find_suggestion(name.text, candidates)
    missing = message(NO_SUCH[noun], name=name.text)
    how = message(DECLARED[noun], name=name.text) if noun in DECLARED else None
    return Diagnostic(code, missing, name.span, near.hint or how, edits=near.edits(name))


# ---------------------------------------------------------------- collecting


def collect_names(game: ast.Game) -> DeclaredNames:
    """The declared names of a game; a second declaration of a name is reported and left out."""
    names = DeclaredNames()
    for piece in game.declarations:
        _collect_piece(names, piece)
    return names


def _collect_piece(names: DeclaredNames, piece: ast.AnyDeclaration) -> None:
    match piece:
        case ast.Zone() | ast.Variable() | ast.Define() | ast.Table() | ast.Memory():
            _declare_name(names, names.things, piece.name, piece)
        case ast.Values():
            if _declare_name(names, names.things, piece.name, piece):
                _collect_words(names, piece, tuple(item.name for item in piece.items))
        case ast.Option():
            if _declare_name(names, names.things, piece.name, piece) and isinstance(piece.type, ast.WordsType):
                _collect_words(names, piece, piece.type.words)
        case ast.Components():
            if _declare_name(names, names.things, piece.name, piece):
                _collect_components(names, piece)
        case ast.Action():
            _declare_name(names, names.actions, piece.name, piece)
            _check_duplicates(names, [choice.name for choice in piece.choices], "choice")
        case ast.Step():
            _declare_name(names, names.steps, piece.name, piece)
            _check_duplicates(names, [parameter.name for parameter in piece.parameters], "parameter")
        case ast.Phase():
            _declare_name(names, names.phases, piece.name, piece)
        case ast.Score():
            for line in piece.lines:
                _collect_line(names, line)
        case _:
            pass
    if isinstance(piece, ast.Define | ast.Table):
        _check_duplicates(names, [parameter.name for parameter in piece.parameters], "parameter")


def _declare_name(names: DeclaredNames, space: dict[str, Piece], name: ast.Name, piece: Piece) -> bool:
    if name.text in RESERVED:
        names.diagnostics.append(_reserved_name_diagnostic(name))
    before = space.get(name.text)
    if before is not None:
        names.diagnostics.append(_duplicate_diagnostic(name, _span_of(before)))
        return False
    space[name.text] = piece
    return True


def _span_of(piece: object) -> Span:
    name = getattr(piece, "name", None)
    span = name.span if isinstance(name, ast.Name) else getattr(piece, "span", None)
    assert isinstance(span, Span)
    return span


def _duplicate_diagnostic(name: ast.Name, first: Span) -> Diagnostic:
    return Diagnostic(
        "duplicate-name",
        message("`{name}` is declared twice", name=name.text),
        name.span,
        message("give one of them another name"),
        related=(Related(message("`{name}` is declared here first", name=name.text), first),),
    )


def _reserved_name_diagnostic(name: ast.Name) -> Diagnostic:
    says = MEANINGS[name.text]
    return Diagnostic(
        "reserved-name",
        message("`{name}` is a name of the language: {meaning}", name=name.text, meaning=says),
        name.span,
        message("choose another name"),
    )


def _collect_words(names: DeclaredNames, owner: ast.Values | ast.Option, words: tuple[ast.Name, ...]) -> None:
    _check_duplicates(names, list(words), "word")
    for text in dict.fromkeys(word.text for word in words):
        names.words.setdefault(text, []).append(owner)


def _collect_components(names: DeclaredNames, piece: ast.Components) -> None:
    _check_duplicates(names, [attribute.name for attribute in attributes_of(piece)], "attribute")
    for attribute in attributes_of(piece):
        if attribute.name.text in RESERVED | set(OF_WORDS) - {"place", "total"}:
            names.diagnostics.append(_reserved_word_diagnostic(attribute.name))
    for row in piece.rows:
        if row.name.text in names.rows and piece.board is not None:
            continue  # boards may have places of one name: the board that is expected tells which is meant
        if row.name.text in names.rows:
            names.diagnostics.append(_duplicate_diagnostic(row.name, names.rows[row.name.text].row.name.span))
        else:
            names.rows[row.name.text] = RowMeaning(piece, row)


def _reserved_word_diagnostic(name: ast.Name) -> Diagnostic:
    return Diagnostic(
        "reserved-name",
        message("`{name}` is a word of the language and cannot be an attribute", name=name.text),
        name.span,
        message("choose another name"),
    )


def _collect_line(names: DeclaredNames, line: ast.ScoreLine) -> None:
    if line.name.text in ALONE:
        names.diagnostics.append(
            Diagnostic(
                "reserved-name", message("a score line cannot be called `{line}`", line=line.name.text), line.name.span,
                message("`total` is always there: the sum of all lines"),
            )
        )
    elif line.name.text in names.lines:
        names.diagnostics.append(_duplicate_diagnostic(line.name, names.lines[line.name.text].name.span))
    else:
        names.lines[line.name.text] = line


def _check_duplicates(names: DeclaredNames, given: list[ast.Name], noun: str) -> None:
    seen: dict[str, ast.Name] = {}
    for name in given:
        if name.text in seen:
            names.diagnostics.append(
                Diagnostic(
                    "duplicate-name", message(TWICE[noun], name=name.text), name.span,
                    related=(Related(message("first here"), seen[name.text].span),),
                )
            )
        seen.setdefault(name.text, name)


# ---- dependency order
# In which order declared things are looked at, so that none waits for a long chain. Names alone, no types.


Typed = ast.Option | ast.Variable | ast.Define | ast.Table | ast.ScoreLine


def order_by_dependency(names: DeclaredNames) -> list[Typed]:
    """Every thing after those that it speaks of, as far as that is possible."""
    things: dict[str, Typed] = dict(names.lines)
    things.update({name: thing for name, thing in names.things.items() if isinstance(thing, Typed)})
    every = [*names.lines.values(), *(thing for thing in names.things.values() if isinstance(thing, Typed))]
    ordered: list[Typed] = []
    seen: set[Typed] = set()
    for start in every:
        waiting: list[tuple[Typed, bool]] = [(start, False)]
        while waiting:
            thing, is_ready = waiting.pop()
            if is_ready:
                ordered.append(thing)
            elif thing not in seen:
                seen.add(thing)
                waiting.append((thing, True))
                waiting.extend((other, False) for other in _mentioned_things(thing, things) if other not in seen)
    return ordered


def _mentioned_things(thing: Typed, things: dict[str, Typed]) -> list[Typed]:
    texts = {node.text for node in walk(thing) if isinstance(node, ast.Name)}
    return [things[text] for text in sorted(texts) if text in things]
