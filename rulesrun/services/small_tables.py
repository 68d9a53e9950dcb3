"""The tables of which all positions may be looked at: those that the rules declare, and smaller ones that are proposed.

Takes a Reading and a Request, gives tables with what each is called and how it was made smaller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from rulesrun.dsl.contents.small_tables import check_small_table, leave_out_properties
from rulesrun.dsl.text.messages import join_messages, message, template
from rulesrun.dsl.text.source import Span, Titled
from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import Reading
from rulesrun.interpreter.explore.growing import grow_tables
from rulesrun.interpreter.explore.never_happened import find_rules_reached
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.play.random_games import SimulationResult, simulate_game
from rulesrun.interpreter.reference.table import Table
from rulesrun.services.tables import seat_one
from rulesrun.terminal.requests import Request
from rulesrun.terminal.trouble import Trouble, Unplayable

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
