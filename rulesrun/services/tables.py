"""Which tables a command speaks of: the rules, `--players` and `--set` in, set-up tables out."""

from __future__ import annotations

from attrs import evolve, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import Program
from rulesrun.files.excerpts import place_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.run.engine_choice import check_compilable
from rulesrun.terminal.output import print_error
from rulesrun.terminal.requests import Request
from rulesrun.terminal.trouble import Trouble, Unplayable

MOST_PLAYERS = 64
# Commands that change over to machine code: what keeps them from it is told.
CHANGING_OVER = {
    "assess", "compare", "deadweight", "explore", "ladder", "readings", "report", "run", "simulate", "test", "tree",
}  # fmt: skip
ASKED_FOR = {"wrong-players", "unknown-option", "wrong-option", "not-allowed-together"}


@frozen(eq=False)
class Seating:
    """One table for each number of players that the rules allow, and why the others are refused."""

    tables: tuple[Table, ...]
    refused: tuple[tuple[int, str], ...] = ()


def allowed_players(program: Program) -> range:
    counts = program.game.player_counts
    if counts is None:
        raise Trouble(message("the rules do not say how many can play"))
    return range(max(counts.start, 1), min(counts.stop, MOST_PLAYERS + 1))


def smallest_table(program: Program) -> Table | None:
    """With as few players as may be, as the options stand; None where the rules allow none."""
    for players in allowed_players(program):
        try:
            return set_up_table(program, players)
        except RefusedTable:
            continue
    return None


def seat_all(reading: Reading, request: Request, *, is_small: bool = False) -> Seating:
    """Every number of players asked for, or allowed; a refusal counts only when no table is left. `is_small`: a small
    table of the rules; that it seats fewer than they do is no news."""
    assert reading.program is not None
    tables: list[Table] = []
    refused: list[tuple[int, RefusedTable]] = []
    for count in _player_counts(request.players, allowed_players(reading.program), is_small):
        try:
            tables.append(set_up_table(reading.program, count, dict(request.settings)))
        except RefusedTable as refusal:
            refused.append((count, refusal))
    if not tables:
        raise _no_table_error(reading, request, refused[0][1])
    if request.command in CHANGING_OVER and request.engine != "reference":
        check_compilable(tables[0])
    return Seating(tuple(tables), tuple((count, _refusal_text(refusal)) for count, refusal in refused))


def _no_table_error(reading: Reading, request: Request, refusal: RefusedTable) -> Exception:
    """What was asked for on the command line is not allowed, or the rules themselves allow no table."""
    is_asked = all(found.code in ASKED_FOR for found in refusal.diagnostics)
    if is_asked and (request.settings or request.players is not None):
        against = [found.span for found in refusal.diagnostics if found.code == "not-allowed-together"]
        places = [place_text(span, reading.chain[-1].source.file, reading.sources) for span in against]
        return Trouble(_refusal_text(refusal) + (f" ({', '.join(places)})" if places else ""))
    return Unplayable(evolve(reading, diagnostics=(*reading.diagnostics, *refusal.diagnostics), program=None))


def seat_one(reading: Reading, request: Request, *, is_small: bool = False) -> Table:
    """The number of players asked for, else the smallest that the rules and the options allow."""
    tables = seat_all(reading, request, is_small=is_small).tables
    if len(tables) > 1 and request.players is not None:
        raise Trouble(
            message(
                "`rulesrun {command}` plays with one number of players: `--players {players}`",
                command=request.command,
                players=tables[0].players,
            )
        )
    return tables[0]


def _player_counts(asked: str | None, allowed: range, is_small: bool) -> list[int]:
    if asked is None or asked == "all":
        return list(allowed)
    low, _, high = asked.replace("..", "-").partition("-")
    if high and int(high) < int(low):
        raise Trouble(message("`--players {asked}`: write the smaller number first", asked=asked))
    counts = range(int(low), int(high or low) + 1)
    left_out = [count for count in (counts[0], counts[-1]) if count not in allowed]
    inside = [count for count in allowed if count in counts]
    if not inside or (not high and int(low) not in allowed):
        raise Trouble(
            message("`--players {asked}`: the rules are for {range} players", asked=asked, range=_range_text(allowed))
        )
    if left_out and not is_small:
        print_error(
            message(
                "rulesrun: `--players {asked}`: the rules are for {range} players; others are left out",
                asked=asked,
                range=_range_text(allowed),
            )
        )
    return inside


def _range_text(allowed: range) -> str:
    return str(allowed[0]) if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"


def _refusal_text(refusal: RefusedTable) -> str:
    return "; ".join(found.message + (f" ({found.hint})" if found.hint else "") for found in refusal.diagnostics)
