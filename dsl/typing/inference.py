"""Names and types of a whole game. Takes a game and its declared names, gives the side tables and the complaints."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.boards import infer_board_lines, report_zone_of_places
from rulesrun.dsl.typing.collections import infer_collection, narrow_scope, unite_kinds
from rulesrun.dsl.typing.declared import (
    count_components,
    infer_components,
    infer_keys,
    infer_option_value,
    resolve_kinds,
    resolve_written_type,
    type_of,
    values_type,
)
from rulesrun.dsl.typing.examples import infer_example
from rulesrun.dsl.typing.expressions import infer_expression
from rulesrun.dsl.typing.moves import ZONE
from rulesrun.dsl.typing.names import DeclaredNames, Scope, order_by_dependency, unknown_diagnostic
from rulesrun.dsl.typing.notebook import (
    LIMIT,
    PLAYER,
    TOP,
    TRUTH,
    UNKNOWN,
    Notebook,
    TooManyComplaints,
    describe_type,
    is_assignable,
)
from rulesrun.dsl.typing.program import Meaning
from rulesrun.dsl.typing.statements import infer_body, infer_repeat, infer_step, infer_turns
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, Type, Unknown

# ---- pieces
# The pieces of a rulebook, one by one: what each needs of the expressions and statements in it.


MOST_CHOICES = 10_000
# Who is said to see something, and how that is said here.
OTHER_SEATS = {
    "owner": "player", "holder": "player", "self": "player", "me": "player", "its_owner": "player",
    "everybody": "public", "everyone": "public", "all": "public", "players": "public", "nobody": "hidden",
    "none": "hidden", "opponents": "public except player", "others": "public except player",
}  # fmt: skip


def infer_piece(book: Notebook, piece: ast.AnyDeclaration) -> None:
    match piece:
        case ast.Components():
            infer_components(book, piece)
            infer_board_lines(book, piece)
        case ast.Option(default=default):
            infer_option_value(book, piece, default)
        case ast.Require(condition=condition):
            book.require_type(condition, TOP, TRUTH)
        case ast.Zone():
            _infer_zone(book, piece)
        case ast.Variable():
            _infer_variable(book, piece)
        case ast.Setup(body=body):
            infer_body(book, body, TOP)
        case ast.Step():
            infer_step(book, piece)
        case ast.Phase():
            _infer_phase(book, piece)
        case ast.Action():
            _infer_action(book, piece)
        case ast.Ranking(criteria=criteria):
            for criterion in criteria:
                _infer_criterion(book, criterion)
        case ast.Result(outcomes=outcomes):
            for outcome in outcomes:
                book.require_type(outcome.when, TOP, TRUTH)
        case ast.Figure():
            infer_figure(book, piece)
        case ast.Property():
            _infer_property(book, piece)
        case ast.Example():
            infer_example(book, piece)
        case ast.Persona(lines=lines):
            for line in lines:
                _infer_preference(book, line)
        case ast.Rounds(until=until) if until is not None:
            book.require_type(until, TOP, TRUTH)
        case _:
            pass


def _infer_zone(book: Notebook, zone: ast.Zone) -> None:
    infer_keys(book, zone)
    kind = resolve_kinds(book, zone.kinds)
    if isinstance(kind, Unknown):
        return
    if book.find_board(kind) is not None:
        report_zone_of_places(book, zone.component)
    if zone.capacity is not None:
        book.require_number(zone.capacity, TOP)
    if zone.seen_by is not None:
        _infer_seen_by(book, zone.seen_by)
    if zone.sort_key is not None:
        book.infer_type(zone.sort_key, TOP.with_attributes(kind))


def _infer_variable(book: Notebook, variable: ast.Variable) -> None:
    infer_keys(book, variable)
    type = type_of(book, variable, variable.name)
    if isinstance(type, CollectionOf):
        book.report(
            "wrong-type",
            message("a {word} cannot be {type}", word=variable.word, type=describe_type(type)),
            variable.type,
        )
    if variable.seen_by is not None:
        _infer_seen_by(book, variable.seen_by)
    if variable.start is not None:
        book.require_type(variable.start, TOP, type)


def _infer_seen_by(book: Notebook, seen_by: ast.SeenBy) -> None:
    if not seen_by.is_except and [seat for seat in seen_by.seats if not _is_owner(seat)] == []:
        _report_visibility(book, seen_by, "private")
        return
    for seat in seen_by.seats:
        name = next((part for part in walk(seat) if isinstance(part, ast.Name) and part.text in OTHER_SEATS), None)
        if name is not None and OTHER_SEATS[name.text] != "player":
            _report_visibility(book, seen_by, OTHER_SEATS[name.text])
        elif name is not None:
            edit = Edit(name.span.start, name.span.end, "player")
            hint = message("write `player`: it is the one whose it is")
            sentence = message("`{name}` is no seat", name=name.text)
            book.report("bad-visibility", sentence, name, hint, edits=(edit,))
        elif _is_seat(seat):
            book.require_type(seat, TOP, PLAYER)
        else:
            hint = message("name seats: `player` (whose it is), `left of player`, `right of player`, or a number")
            book.report("bad-visibility", message("this is no seat that is known before the game"), seat, hint)


def _report_visibility(book: Notebook, seen_by: ast.SeenBy, word: str) -> None:
    edit = Edit(seen_by.span.start, seen_by.span.end, word)
    hint = message("write `{word}`", word=word)
    book.report("bad-visibility", message("there is a word for who sees this"), seen_by, hint, edits=(edit,))


def _is_owner(seat: ast.Expr) -> bool:
    return isinstance(seat, ast.Name) and OTHER_SEATS.get(seat.text, seat.text) == "player"


def _is_seat(seat: ast.Expr) -> bool:
    match seat:
        case ast.Number() | ast.Name(text="player"):
            return True
        case ast.Of(ast.Name(text="left" | "right"), inner):
            return _is_seat(inner)
        case _:
            return False


def _infer_phase(book: Notebook, phase: ast.Phase) -> None:
    if phase.when is not None:
        book.require_type(phase.when, TOP, TRUTH)
    if isinstance(phase.loop, ast.Turns):
        infer_turns(book, phase.loop, TOP)
    elif isinstance(phase.loop, ast.Repeat):
        infer_repeat(book, phase.loop, TOP)
    infer_body(book, phase.body, TOP)


def _infer_action(book: Notebook, action: ast.Action) -> None:
    scope = choices_scope(book, action)
    for needs in action.needs:
        book.require_type(needs.condition, scope, TRUTH)
        scope = narrow_scope(scope, needs.condition)
    infer_body(book, action.body, scope)


def choices_scope(book: Notebook, action: ast.Action) -> Scope:
    """The choices of an action, left to right; each knows those before it."""
    scope = TOP
    for choice in action.choices:
        item = _infer_choice(book, choice, scope)
        type: Type = item
        if choice.count is not None:
            type = UNKNOWN if _word_for_one(book, choice.count) else CollectionOf(item)
        book.declared[choice] = type
        scope = scope.with_name(choice.name.text, choice, type)
    return scope


def _word_for_one(book: Notebook, count: ast.RangeType) -> str | None:
    """`a card from hand`, where nothing is called `a`."""
    low = count.low
    is_word = isinstance(low, ast.Name) and low.text in ("a", "an", "any", "one") and low.text not in book.names.things
    if isinstance(low, ast.Name) and isinstance(book.names.things.get(low.text), ast.Components):
        return low.text  # `Card given from hand`
    return low.text if is_word and isinstance(low, ast.Name) else None


def is_combined(node: ast.Expr) -> bool:
    while isinstance(node, ast.Filter):
        node = node.collection
    return isinstance(node, ast.Combinations)


def _infer_choice(book: Notebook, choice: ast.Choice, scope: Scope) -> Type:
    if choice in book.declared:
        type = book.declared[choice]
        return type.item if choice.count is not None and isinstance(type, CollectionOf) else type
    said = _word_for_one(book, choice.count) if choice.count is not None else None
    if choice.count is not None and said is not None:
        is_plural = said == "any" and (choice.name.text == "dice" or choice.name.text.endswith("s"))
        amount = "1..9 " if is_plural else ""
        hint = message(
            "for a single choice, write `{choice} {word} …`", choice=choice.name.text, word=choice.word
        ) if not is_plural else message(
            "write `1..9 {choice} {word} …`, with as many as there can be", choice=choice.name.text, word=choice.word
        )  # fmt: skip
        done = Edit(choice.count.span.start, choice.name.span.start, amount)
        sentence = message("`{said}` is not an amount", said=said)
        book.report("wrong-word", sentence, choice.count, hint, edits=(done,))
    elif choice.count is not None:
        resolve_written_type(book, choice.count)
    wanted = ZONE.item if choice.word == "from" else None
    item = infer_collection(book, choice.domain, scope, hint=wanted, name=choice.name.text)
    if is_combined(choice.domain) and isinstance(item, CollectionOf):
        hint = message(
            "write how many in front, `2..3 {choice} from …`, and what must hold of them below, with `needs`",
            choice=choice.name.text,
        )
        book.report("wrong-type", message("several are not chosen among combinations"), choice.domain, hint)
        return UNKNOWN
    if choice.word == "from":
        _check_zone_chosen_from(book, choice, item)
    if isinstance(item, NumberOf) and item.high - item.low >= MOST_CHOICES:
        book.report(
            "too-many-values",
            message("nobody can choose among more than {most_choices} numbers", most_choices=MOST_CHOICES),
            choice.domain,
        )
    return item


def _check_zone_chosen_from(book: Notebook, choice: ast.Choice, item: Type) -> None:
    if not isinstance(item, ComponentOf | Unknown):
        book.report(
            "not-a-zone",
            message("expected a zone, found several of {item_type}", item_type=describe_type(item)),
            choice.domain,
            message("choose values with `in`: `{choice} in …`", choice=choice.name.text),
            edits=(Edit(choice.name.span.end, choice.domain.span.start, " in "),),
        )
    if book.find_board(item) is not None:
        sentence = message("a board is not a zone: choose among its places with `in`")
        name, domain = choice.name, choice.domain
        edits = (Edit(name.span.end, domain.span.start, " in "),)
        hint = message("write `{choice} in …`", choice=name.text)
        book.report("not-a-zone", sentence, domain, hint, edits=edits)


def _infer_preference(book: Notebook, line: ast.Preference) -> None:
    """The condition may speak of the choices of the action."""
    scope = TOP
    action = book.names.actions.get(line.action.text)
    if action is None:
        book.add_diagnostic(unknown_diagnostic("unknown-action", "action", line.action, book.names.actions))
    else:
        book.meanings[line.action] = action
        scope = choices_scope(book, action)
    if line.when is not None:
        book.require_type(line.when, scope, TRUTH)


def _infer_criterion(book: Notebook, criterion: ast.Criterion) -> None:
    found = book.infer_type(criterion.value, TOP)
    if not is_assignable(NumberOf(0, 0), found) and not is_assignable(CollectionOf(NumberOf(0, 0)), found):
        book.report(
            "wrong-type",
            message("expected a number or a list of numbers, found {found_type}", found_type=describe_type(found)),
            criterion.value,
        )
    if criterion.when is not None:
        book.require_type(criterion.when, TOP, TRUTH)


def infer_figure(book: Notebook, piece: ast.Figure) -> None:
    scope = _scope_of_moment(book, piece.begins) if piece.begins is not None else TOP
    if piece.moment is None and piece.begins is None:
        _report_no_moment(book, piece)
        return
    if piece.word == "how often":
        book.require_type(piece.value, scope, TRUTH)
        return
    book.require_number(piece.value, scope)
    value, start = text_of_expression(piece.value), piece.value.span.start
    if piece.word is None and piece.moment != "game":
        sentence = message("this is measured several times, but a figure is one number")
        hint = message("write `highest`, `lowest`, `mean` or `sum` before it: `mean {value}`", value=value)
        book.report("which-number", sentence, piece.value, hint, edits=(Edit(start, start, "mean "),))
    elif piece.word in ("list", "sorted"):
        hint = message("write `highest`, `lowest`, `mean`, `sum` or `how often`")
        book.report("which-number", message("a figure is one number"), piece.value, hint)
    elif piece.word is not None and piece.moment == "game":
        sentence = message("a game ends only once, so there is no {word}", word=piece.word)
        hint = message("remove `{word}`: `{value}, at end of game`", word=piece.word, value=value)
        book.report("which-number", sentence, piece.value, hint, edits=(Edit(piece.name.span.end, start, ": "),))


def _report_no_moment(book: Notebook, piece: ast.Figure) -> None:
    hint = message(
        "add `, at end of game` (or `turn`, or `round`), or `, at` and the name of an action or step"
    )
    end = piece.value.span.end
    sentence = message("say when this is measured")
    book.report("when-counted", sentence, piece.value, hint, edits=(Edit(end, end, ", at end of game"),))


def _scope_of_moment(book: Notebook, begins: ast.Name) -> Scope:
    """The choices of the action that is chosen; what a step is told is not known."""
    action = book.names.actions.get(begins.text)
    if action is not None:
        book.meanings[begins] = action
        return choices_scope(book, action)
    step = book.names.steps.get(begins.text)
    if step is not None:
        book.meanings[begins] = step
    else:
        names = [*book.names.actions, *book.names.steps]
        book.add_diagnostic(unknown_diagnostic("unknown-action", "action or step", begins, names))
    return TOP


def _infer_property(book: Notebook, piece: ast.Property) -> None:
    scope = TOP
    if piece.action is not None:
        action = book.names.actions.get(piece.action.text)
        if action is None:
            book.add_diagnostic(unknown_diagnostic("unknown-action", "action", piece.action, book.names.actions))
        else:
            book.meanings[piece.action] = action
            scope = choices_scope(book, action)
    if piece.bound is not None:
        book.require_number(piece.bound, TOP)
    book.require_type(piece.condition, evolve(scope, in_after=piece.word == "after"), TRUTH)


# ---- inference


MOST_PLAYERS = 100


@frozen(eq=False)
class InferredTypes:
    """`kinds`: how many components of each kind there are, at least and at most. `united`: those that may lie
    together."""

    meanings: Mapping[ast.Node, Meaning]
    types: Mapping[ast.Node, Type]
    declared: Mapping[ast.Node, Type]
    kinds: Mapping[str, NumberOf]
    players: NumberOf
    diagnostics: tuple[Diagnostic, ...]
    united: tuple[tuple[str, ...], ...]


def infer_types(game: ast.Game, names: DeclaredNames) -> InferredTypes:
    book = Notebook(game, names, infer_expression)
    try:
        _infer_game(book)
    except TooManyComplaints:
        at = book.diagnostics[-1].span
        book.diagnostics.append(
            Diagnostic("too-many-errors", message("these are the first mistakes; there may be more"), at)
        )
    return InferredTypes(
        book.meanings, book.types, book.declared, book.kind_counts, book.players, tuple(book.diagnostics),
        unite_kinds(book),
    )


def _infer_game(book: Notebook) -> None:
    """What others rest on comes first: the table, options, components; then definitions, then all pieces."""
    infer_declared_types(book)
    for piece in book.game.declarations:
        infer_piece(book, piece)


def infer_declared_types(book: Notebook) -> None:
    """All that pieces need of each other."""
    names = book.names
    _infer_player_count(book)
    for option in names.things.values():
        if isinstance(option, ast.Option | ast.Values):
            type_of(book, option, option) if isinstance(option, ast.Option) else values_type(book, option)
    for components in names.components():
        count_components(book, components)
    _infer_rounds(book)
    for thing in order_by_dependency(names):
        type_of(book, thing, thing.name)
    for action in names.actions.values():
        choices_scope(book, action)


def _infer_player_count(book: Notebook) -> None:
    """How many may play."""
    for piece in book.game.declarations:
        if isinstance(piece, ast.Players):
            low, high = book.require_number(piece.low, TOP), book.require_number(piece.high, TOP)
            if not 1 <= low.low <= high.high <= MOST_PLAYERS:
                book.report(
                    "wrong-players",
                    message("players are 1..{most_players}, the smaller number first", most_players=MOST_PLAYERS),
                    piece,
                )
            else:
                book.players = NumberOf(low.low, high.high)
            return
    if book.game.declarations:
        title = next(iter(book.game.pieces(ast.Title)), book.game)
        end = title.span.end
        below = (Edit(end, end, "\nplayers 2..4"),) if isinstance(title, ast.Title) else ()
        book.report(
            "missing-players",
            message("the file does not say how many can play"),
            title,
            message("write `players 2..4`"),
            edits=below,
        )


def _infer_rounds(book: Notebook) -> None:
    book.rounds = NumberOf(1, 1)
    for piece in book.game.declarations:
        if isinstance(piece, ast.Rounds):
            counted = book.require_number(piece.count, TOP) if piece.count is not None else NumberOf(1, LIMIT)
            book.rounds = NumberOf(1, max(1, counted.high))
