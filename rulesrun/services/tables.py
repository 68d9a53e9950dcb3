"""Which tables a command speaks of: the rules, `--players` and `--set` in, set-up tables out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from rulesrun.dsl.contents.small_tables import check_small_table, leave_out_properties
from rulesrun.dsl.text.messages import Message, join_messages, message, template
from rulesrun.dsl.text.source import Span, Titled
from rulesrun.dsl.typing.program import Program
from rulesrun.files.excerpts import place_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.explore.growing import grow_tables
from rulesrun.interpreter.explore.never_happened import find_rules_reached
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.play.random_games import SimulationResult, simulate_game
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.search.endless import MAY_GO_ON, NOT_OVER, TRIES, GoingOn
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


# ---- unfinished games
# Games that were not over after very long: what is known of them, in words and as JSON.


def going_on_word(found: GoingOn | None) -> str:
    return NOT_OVER if found is None else found.word


def is_fault(found: GoingOn | None) -> bool:
    """Players who go on because they want to have found no fault of the rules."""
    return going_on_word(found) != MAY_GO_ON


def going_on_text(found: GoingOn | None) -> Message:
    """Whether anybody must go on, and how that is known."""
    if found is None or found.word == NOT_OVER:
        return message("it is not known whether the game can still end")
    if found.word == MAY_GO_ON:
        return message(
            "nobody has to: from there, {ends} of {tries} games ended", ends=found.ends, tries=TRIES
        )
    return message(
        "nobody can stop it: {positions:,} positions can follow, and none is the end "
        "(proved)", positions=found.positions
    )


def going_on_json(found: GoingOn | None, games: int) -> dict[str, object] | None:
    """`verdict`: `may go on`, `endless`, or `too long`: nothing is known."""
    if not games:
        return None
    known = found if found is not None else GoingOn(0)
    return {
        "games": games, "verdict": known.word, "ends": known.ends, "tries": 0 if found is None else TRIES,
        "positions": known.positions,
    }  # fmt: skip


# ---- small tables
# The tables of which all positions may be looked at: those that the rules declare, and smaller ones that are proposed.
#
# Takes a Reading and a Request, gives tables with what each is called and how it was made smaller.


TRIAL_GAMES = 20
TRIAL_LIMIT = 500


@frozen(eq=False)
class Site:
    """A table, what it is called, and how it was made smaller than the rules say."""

    name: str
    table: Table
    shrunk: tuple[str, ...] = ()
    is_own: bool = True  # else the base declares it, which did not know of the variant

    @property
    def is_whole(self) -> bool:
        return not self.shrunk


def make_declared_site(reading: Reading, declared: Titled, request: Request) -> Site:
    """Raises `Trouble` when it is not for as many players, or not for such options, as are asked for."""
    assert reading.program is not None
    small = check_small_table(reading.program, declared.title)
    table = seat_one(evolve(reading, game=small.program.written, program=small.program), request, is_small=True)
    is_own = small.span.file == reading.name
    return Site(
        message('the small table "{title}"', title=small.title), table, opening_lines(reading, small.changes), is_own
    )


def find_small_table(reading: Reading, title: str) -> Titled:
    """The small table that the rules declare by this name, or by its beginning; raises `Trouble`."""
    assert reading.program is not None
    smalls = reading.program.game.smalls
    exact = [small for small in smalls if small.title == title]
    found = exact or [small for small in smalls if small.title.casefold().startswith(title.casefold())]
    if len(found) == 1:
        return found[0]
    known = join_messages([f'"{small.title}"' for small in smalls]) if smalls else message("none")
    sentence = template('{file}: several small tables begin with "{title}"; there are: {known}') if found else template(
        '{file}: there is no small table "{title}"; there are: {known}'
    )
    raise Trouble(message(sentence, file=reading.name, title=title, known=known))


def set_up_small_table(reading: Reading, title: str, request: Request) -> Table:
    return make_declared_site(reading, find_small_table(reading, title), request).table


def opening_lines(reading: Reading, changes: Sequence[Span]) -> tuple[str, ...]:
    """The first lines of what a small table changes."""
    sources = reading.sources
    whole = [sources[one.file].text[one.start : one.end].split("\n") for one in changes]
    return tuple(lines[0] + (" …" if len(lines) > 1 else "") for lines in whole)


def propose_smaller_sites(reading: Reading, request: Request, whole: Table) -> Iterator[Site]:
    """Tables on which some random games come to their end. What does not hold there and does on the whole table is
    left out: it speaks of sizes."""
    assert reading.program is not None
    broken = set(play_trial(whole).broken_games)
    wanted = find_rules_reached(whole)
    proposals = grow_tables(
        reading.program, whole.players, lambda program: seat_or_none(reading, program, request), wanted
    )
    for proposal in proposals:
        table = seat_or_none(reading, proposal.program, request)
        found = play_trial(table) if table is not None else None
        if found is None or found.faulty_games:
            continue
        titles = [title for title in found.broken_games if title not in broken]
        smaller = leave_out_properties(reading.program, proposal, titles) if titles else proposal
        table = seat_or_none(reading, smaller.program, request) if smaller is not None else None
        if table is not None and smaller is not None:
            yield Site(message("a smaller table, proposed"), table, smaller.shrunk)


def seat_or_none(reading: Reading, program: Program, request: Request) -> Table | None:
    try:
        return seat_one(evolve(reading, game=program.written, program=program), request, is_small=True)
    except (Trouble, Unplayable):
        return None


def play_trial(table: Table) -> SimulationResult:
    """A few games; one that is not over after very long is enough of its kind."""
    found, guard = SimulationResult(), PropertyGuard(table)
    for number in range(TRIAL_GAMES):
        simulate_game(table, Streams(0, number), number, guard, found, TRIAL_LIMIT)
        if found.faulty_games["too-long"]:
            break
    return found
