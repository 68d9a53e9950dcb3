"""Five questions of a designer about one table, answered by good players: a reading and a request in, answers out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import cycle
from statistics import median, quantiles
from time import monotonic, process_time

from attrs import define, evolve, field, frozen

from rulesrun.files.loading import Reading
from rulesrun.interpreter.assess.answers import (
    HARMFUL,
    IDLE,
    LITTLE,
    NEEDED,
    NO,
    NOT_KNOWN,
    TOGETHER,
    WORSE,
    YES,
    DecidedAnswer,
    ItemWorth,
    LengthAnswer,
    Refuted,
    SeatsAnswer,
    SkillAnswer,
    StarterPoints,
    Step,
    Unchecked,
    WorthAnswer,
    count_games_to_know,
    find_half,
    is_upheld,
    judge_share,
)
from rulesrun.interpreter.assess.intervals import (
    estimate_mean_of,
    estimate_paired_difference,
    estimate_share_of_wins,
)
from rulesrun.interpreter.assess.plan import (
    NATIVE,
    PILOT,
    REFERENCE,
    SEARCHES,
    GamesPlan,
    expect_prices,
    make_plan,
    measure_prices,
)
from rulesrun.interpreter.assess.played_games import QUARTERS, Item, PlayedGame, is_played_together
from rulesrun.interpreter.bots.bot_names import SOLUTION
from rulesrun.interpreter.measure.estimates import LEVEL, TOLERANCE, Estimate
from rulesrun.interpreter.model.random import game_seed
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.backward_induction import Forbids
from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.interpreter.solve.solve import Solution, solve_game
from rulesrun.run.bot_engines import CompiledWhenNeeded, has_thought_natively
from rulesrun.run.bot_games import AssessCrew, AssessTools, GamesOrder
from rulesrun.run.ranges import Crew, Range, make_order
from rulesrun.run.seats import BOOK_WORK, CLOSE
from rulesrun.services.tables import seat_all
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import AssessRequest, Request
from rulesrun.terminal.trouble import Trouble

SECONDS = 60
SPARE = 0.03  # of the time, for what comes after
CHOICE_SECONDS = 10.0
WORK_A_SECOND = 750_000.0  # of both cores, with time for getting ready and for games that turn out longer
PILOT_SEED = 0x9107  # so that the games of the plan are none of those that count
CHUNK = 4
SHORT_WORK = 4_000_000.0  # in less time, processes would hardly have started
MOST_ITEMS = 8  # that are asked about
SELDOM = 0.5  # of how often chance would choose it
MOST_SOLVED_AGAIN = 1_500_000  # nodes of a tree, times the rounds in which it was solved
MISLEADING = 0.25  # of the length
SAME = 0.9  # of the games must be known to end the same way, where all that were seen did

GREEDY = "greedy"
ALONE, AGAINST, RANDOM, WITHOUT = "alone", "against", "random", "without"  # what games are played for
SOLVING_TIME, PILOT_TIME = 0.25, 0.3  # parts of the time that is left, at most
FURTHER_PILOT = 0.05  # of the work, at most
BOOK_PRICE = 3.0  # of a game by the solution, beside one of players who look one step ahead
RANDOM_TIME, STEP_TIMES, ALONE_TIME = 0.06, (0.13, 0.15), 0.7  # the rest is for games without something
CHALLENGE_TIME = 0.4  # of that rest
MOST_CHALLENGES, FEWEST_CHALLENGES = 150, 30  # games against each kind of player


@define(eq=False)
class Assessment:
    reading: Reading
    table: Table
    solution: Solution | None = None
    plan: GamesPlan | None = None
    simple_plan: GamesPlan | None = None  # where who looks one step ahead judges
    passed_over: Step | None = None  # who searches, and is not better than that
    seats: SeatsAnswer | None = None
    length: LengthAnswer | None = None
    skill: SkillAnswer | None = None
    worth: WorthAnswer | None = None
    decided: DecidedAnswer | None = None
    seed: int = 0
    settings: Mapping[str, str] = field(factory=dict)
    engine: str = "reference"
    games: int = 0
    stuck: Counter[str] = field(factory=Counter)
    seconds: float = 0.0
    planned: Counter[str] = field(factory=Counter)  # games, by what they are played for
    played: Counter[str] = field(factory=Counter)
    longer_by: str = "--seconds"  # the option that lets it run longer; none on a page
    has_stakes: bool = False  # a solved game in which one can win by more or by less
    is_late: bool = False  # the clock ended it
    is_interrupted: bool = False

    @property
    def judge(self) -> str:
        return self.plan.judge if self.plan is not None else ""

    @property
    def is_common(self) -> bool:
        return is_played_together(self.table)

    @property
    def in_points(self) -> bool:
        """Whether players want points, not places: where all win together, and where a game was solved for points that
        places alone do not say."""
        return self.is_common or self.has_stakes

    @property
    def is_without_choices(self) -> bool:
        return self.length is not None and not self.length.choices.value

    @property
    def answers(self) -> tuple[object, ...]:
        return self.seats, self.length, self.skill, self.worth, self.decided

    @property
    def is_partial(self) -> bool:
        return self.is_late or self.is_interrupted or any(one is None for one in self.answers)


@define(eq=False)
class Games:
    """Where games come from. The clock ends them: each kind of games has its part of the time, so that where it is too
    short for all, every question still has its games."""

    found: Assessment
    crew: AssessCrew
    order: GamesOrder
    until: float
    progress: Progress

    def within(self, part: float) -> Games:
        """For a part of the time that is left; what is not used is left to who comes after."""
        now = monotonic()
        return evolve(self, until=now + part * max(self.until - now, 0.0))

    def play(self, kind: str, order: GamesOrder, ranges: Sequence[Range]) -> list[PlayedGame]:
        """In their order, up to the first that is not over when the time is."""
        found, played = self.found, list[PlayedGame]()
        found.planned[kind] += sum(games for _, games in ranges)
        wanted = dict(ranges)
        for first, games in self.crew.play_ranges(evolve(order, until=self.until), ranges):
            played += games
            found.games += len(games)
            found.stuck.update(one.stuck for one in games if one.stuck)
            self.progress.update(found.games)
            if len(games) < wanted[first]:
                found.is_late = True
                break
        found.played[kind] += len(played)
        return played

    def play_first(self, kind: str, order: GamesOrder, games: int) -> list[PlayedGame]:
        return self.play(kind, order, [(at, min(CHUNK, games - at)) for at in range(0, games, CHUNK)])

    def play_around(self, order: GamesOrder, deals: int) -> list[list[PlayedGame]]:
        """The games of whole deals, each of which goes round the table; those that get stuck left out."""
        players = self.found.table.players
        played = self.play(AGAINST, order, [(deal * players, players) for deal in range(deals)])
        whole = len(played) // players
        around = [played[deal * players : (deal + 1) * players] for deal in range(whole)]
        return [games for games in around if not any(one.stuck for one in games)]


def assess_rules(
    reading: Reading, request: AssessRequest, work: float | None = None, until: float | None = None
) -> Assessment:
    """`work`: in microseconds, instead of what the seconds are worth; then only `until` ends it. Ctrl-C leaves what is
    known by then."""
    found = Assessment(reading, choose_table(reading, request), seed=request.seed, settings=request.settings)
    if request.work is not None:
        found.longer_by = "--work"
    began = monotonic()
    progress = Progress(reading.name, not (request.json or request.quiet))
    engine = request.engine or "auto"
    here = AssessTools(found.table, engine, request.seed)
    seconds = request.seconds or SECONDS
    if until is None:
        until = began + seconds * (1 - SPARE) if work is None and request.work is None else float("inf")
    work = work or (request.work or seconds) * WORK_A_SECOND
    jobs = request.jobs or (1 if work < SHORT_WORK else os.cpu_count() or 1)
    side = make_order(reading, found.table, request.seed, None, (), engine)
    try:
        with Crew(jobs) as crew:
            games = Games(found, AssessCrew(crew, here), GamesOrder(side, ""), until, progress)
            find_judge(found, here, work, until)
            if found.plan is not None:
                answer_questions(games, request.choice_seconds or CHOICE_SECONDS)
    except KeyboardInterrupt:
        found.is_interrupted = True
    finally:
        progress.close()
        found.seconds = monotonic() - began
        found.engine = "native" if has_thought_natively(here.think) else "reference"
    return found


def weigh_choices(reading: Reading, table: Table, request: Request, work: float) -> Assessment | None:
    """What good players lose who do without an action, a value, a component: that question alone. Nothing where no game
    comes to its end."""
    found = Assessment(reading, table, seed=request.seed, settings=request.settings)
    here = AssessTools(table, request.engine or "auto", request.seed)
    jobs = request.jobs or (1 if work < SHORT_WORK else os.cpu_count() or 1)
    side = make_order(reading, table, request.seed, None, (), request.engine or "auto")
    with Crew(jobs) as crew:
        games = Games(found, AssessCrew(crew, here), GamesOrder(side, ""), float("inf"), Progress(reading.name, False))
        try:
            find_judge(found, here, work)
        except Trouble:
            return None
        assert found.plan is not None
        noted = evolve(games.order, player=found.plan.judge, is_noted=True)
        played = games.play_first(ALONE, noted, found.plan.games)
        ended = [one for one in played if not one.stuck]
        if not ended:
            return None
        found.has_stakes = found.solution is not None and has_stakes(ended)
        found.worth = answer_worth(games, found.plan, played)
    return found


def choose_table(reading: Reading, request: AssessRequest) -> Table:
    """The smallest at which anybody has somebody to play with, unless another is asked for."""
    tables = seat_all(reading, request).tables
    if request.players is not None and len(tables) > 1:
        raise Trouble(f"`rulesrun assess` judges one number of players: `--players {tables[0].players}`")
    return next((table for table in tables if table.players > 1), tables[0])


# ---------------------------------------------------------------- who judges


def find_judge(found: Assessment, here: AssessTools, work: float, until: float = float("inf")) -> None:
    """The solution of a small game; else the search that the work allows. Nothing where there is no time even for the
    first games."""
    found.solution = solve_within(found.table, SOLVING_TIME * (until - monotonic()))
    here.book = None if found.solution is None else found.solution.book
    here.seed = found.seed ^ PILOT_SEED
    order = GamesOrder(make_order(found.reading, found.table, here.seed, None, ()), "random", until=until)
    at_random = [one for one in here.play(order, 0, PILOT) if not one.stuck]
    searching = evolve(order, player=f"mcts:{SEARCHES[0]}", until=monotonic() + PILOT_TIME * (until - monotonic()))
    here.find_player(searching.player)  # its code is made now
    pilot, price = play_pilot(here, searching, PILOT)
    here.seed = found.seed
    if not pilot and not at_random and monotonic() > until:
        found.is_late = True
        return
    is_native = isinstance(here.think, CompiledWhenNeeded) and here.think.is_native
    usual = NATIVE if is_native else REFERENCE
    if not pilot and not at_random:
        raise Trouble("nothing can be judged: no game of this table comes to its end; `rulesrun FILE` says why")
    prices = expect_prices(pilot or [evolve(one, thinking=one.choices) for one in at_random], usual)
    if pilot and until < float("inf"):
        prices = measure_prices(prices, (SEARCHES[0], price), play_further_pilot(here, searching, price, work))
    if found.solution is not None:
        prices = evolve(prices, greedy=BOOK_PRICE * prices.greedy)
    plan_by = partial(make_plan, prices, usual.decision, at_random, work, found.table.players)
    found.simple_plan = plan_by(())
    found.plan = evolve(found.simple_plan, judge=SOLUTION) if found.solution is not None else plan_by(SEARCHES)


def play_pilot(here: AssessTools, order: GamesOrder, games: int) -> tuple[list[PlayedGame], float]:
    """Those that come to their end, and what each took of a processor, in microseconds."""
    began = process_time()
    played = here.play(order, 0, games)
    return [one for one in played if not one.stuck], 1e6 * (process_time() - began) / max(len(played), 1)


def play_further_pilot(
    here: AssessTools, near: GamesOrder, price: float, work: float
) -> tuple[int, float] | None:
    """How much longer it takes to search further: a game of its own, where that is not much of the work."""
    search = SEARCHES[3]
    if price * search / SEARCHES[0] > FURTHER_PILOT * work:
        return None
    pilot, further = play_pilot(here, evolve(near, player=f"mcts:{search}"), 2)
    return (search, further) if pilot else None


def solve_within(table: Table, seconds: float, forbids: Forbids | None = None) -> Solution | None:
    """Nothing where the game is too large or can get stuck, or the time was over before the solution was as close as
    it gets."""
    until = monotonic() + seconds
    try:
        found = solve_game(table, CLOSE, seconds, work=BOOK_WORK, forbids=forbids)
    except (NoAnswer, Fault):
        return None
    return None if monotonic() > until and found.exploitability > CLOSE else found


def answer_questions(games: Games, choice_seconds: float) -> None:
    found = games.found
    assert found.plan is not None
    games.crew.get_ready(order_by_judge(games))
    at_random = evolve(games.order, player="random")
    by_chance = games.within(RANDOM_TIME).play_first(RANDOM, at_random, found.plan.random_games)
    random_games = [one for one in by_chance if not one.stuck]
    steps = climb_steps(games)
    plan = found.plan  # of who turned out to judge
    noted = evolve(order_by_judge(games), again=plan.again, is_noted=True)
    played = games.within(ALONE_TIME).play_first(ALONE, noted, plan.games)
    ended = [one for one in played if not one.stuck]
    if not ended:
        return
    found.has_stakes = found.solution is not None and has_stakes(ended)
    found.seats = challenge_seats(games.within(CHALLENGE_TIME), answer_seats(found, ended, random_games))
    found.length = answer_length(found, ended, random_games, choice_seconds, len(played) - len(ended))
    found.skill = answer_skill(found, steps)
    found.decided = answer_decided(found, games, ended)
    found.worth = answer_worth(games, plan, played)


def order_by_judge(games: Games) -> GamesOrder:
    return evolve(games.order, player=games.found.judge)


def has_stakes(played: Sequence[PlayedGame]) -> bool:
    """Whether first places that are worth as much come with different points."""
    points: dict[float, set[float]] = {}
    for one in played:
        for seat, score in enumerate(one.scores, start=1):
            points.setdefault(one.share(seat), set()).add(score)
    return any(len(scores) > 1 for scores in points.values())


Rung = tuple[str, list[list[PlayedGame]]]


def climb_steps(games: Games) -> list[Rung]:
    """A short ladder: the judge against who looks one step ahead, and against random players. Who searches and does not
    win more than who looks one step ahead leaves judging to them."""
    found, (near, far) = games.found, STEP_TIMES
    if found.judge == GREEDY:
        return [play_rung(games.within(near), RANDOM)]
    first = play_rung(games.within(near), GREEDY)
    if found.solution is None and first[1]:
        step = make_step(found, GREEDY, estimate_step(found, first[1]), fair_share(found))
        if step.share.value <= step.fair:
            found.passed_over, found.plan = step, found.simple_plan
            return [play_rung(games.within(far), RANDOM)]
    return [first, play_rung(games.within(far), RANDOM)]


def play_rung(games: Games, weaker: str) -> Rung:
    found = games.found
    assert found.plan is not None
    if found.is_common:
        return weaker, compare_tables(games, found.plan, weaker)
    return weaker, games.play_around(evolve(order_by_judge(games), against=weaker), found.plan.deals)


def fair_share(found: Assessment) -> float:
    return 0.0 if found.in_points else 1 / len(found.table.bench.teams)


def compare_tables(games: Games, plan: GamesPlan, weaker: str) -> list[list[PlayedGame]]:
    """Where all win together: the same deals by a table of judges and by a table of others."""
    one, other = (evolve(games.order, player=name) for name in (plan.judge, weaker))
    both = games.within(0.5).play_first(AGAINST, one, plan.deals), games.play_first(AGAINST, other, plan.deals)
    return [[one, other] for one, other in zip(*both, strict=False) if not (one.stuck or other.stuck)]


# ---------------------------------------------------------------- does it matter who begins, and where one sits?


def answer_seats(found: Assessment, played: Sequence[PlayedGame], at_random: Sequence[PlayedGame]) -> SeatsAnswer:
    players = found.table.players
    fair = 1 / len(found.table.bench.teams)
    if found.is_common:
        return SeatsAnswer(TOGETHER, fair, None, (), ())
    seats = tuple(estimate_share_of_wins([one.share(seat) for one in played]) for seat in range(1, players + 1))
    starters = {one.starter for one in played}
    if 0 in starters:
        return judge_seats(found, SeatsAnswer(NOT_KNOWN, fair, None, (), seats), played, at_random)
    places = tuple(
        estimate_share_of_wins([one.share((one.starter - 1 + at) % players + 1) for one in played], level_of(players))
        for at in range(players)
    )
    starter = estimate_share_of_wins([one.share(one.starter) for one in played])
    answer = SeatsAnswer(
        NOT_KNOWN, fair, starter, places, seats, len(starters) > 1, lead=estimate_mean_of([*map(find_lead, played)])
    )
    return judge_seats(found, answer, played, at_random)


def find_lead(game: PlayedGame) -> float:
    """The points of who begins, less the mean of the others."""
    own = game.scores[game.starter - 1]
    return own - (sum(game.scores) - own) / (len(game.scores) - 1)


def level_of(asked: int) -> float:
    """So that all of several intervals hold together."""
    return 1 - (1 - LEVEL) / asked


def judge_seats(
    found: Assessment, answer: SeatsAnswer, played: Sequence[PlayedGame], at_random: Sequence[PlayedGame]
) -> SeatsAnswer:
    """The starter first; else who sits where, of all places together."""
    fair, players = answer.fair, found.table.players
    if answer.starter is not None:
        main, favoured = answer.starter, None
        others = answer.places
    else:
        others = tuple(
            estimate_share_of_wins([one.share(seat) for one in played], level_of(players))
            for seat in range(1, players + 1)
        )
        main, favoured = max(others, key=lambda one: abs(one.value - fair)), None
    clear = [at for at, one in enumerate(others) if judge_share(one, fair) in (YES, LITTLE)]
    if clear:
        favoured = max(clear, key=lambda at: abs(others[at].value - fair))
    verdicts = [judge_share(one, fair) for one in (main, *others)]
    verdict = next((word for word in (YES, LITTLE) if word in verdicts), NO if set(verdicts) == {NO} else NOT_KNOWN)
    random = random_share(answer, at_random, others.index(main) if answer.starter is None else None)
    answer = evolve(
        answer, verdict=verdict, favoured=favoured, random=random,
        more_games=count_games_to_know(main, fair) if verdict == NOT_KNOWN else None,
        witness=find_starter_win(answer, played, main.value >= fair),
    )
    if found.solution is not None and answer.starter is not None:
        answer = judge_by_solution(found.solution, answer)
    return evolve(answer, is_misled=is_misled(answer, main))


def challenge_seats(games: Games, answer: SeatsAnswer) -> SeatsAnswer:
    """Who is worse off among players of one kind may only be so because of how these play: then another kind of player
    fares better there, against the same others. Where no other kind could be seen for long enough it is not known."""
    found, fair = games.found, answer.fair
    if answer.verdict not in (YES, LITTLE) or found.solution is not None or found.plan is None:
        return answer
    is_starter = answer.starter is not None and (answer.favoured is None or len(answer.places) == 2)
    behind = 0 if is_starter or answer.favoured is None else answer.favoured
    seen = (answer.places or answer.seats)[behind]
    challengers, is_checked = list_challengers(found), False
    for at, challenger in enumerate(challengers):
        share = games.within(1 / (len(challengers) - at))
        players = (found.judge, challenger) if seen.value > fair else (challenger, found.judge)
        other = estimate_share_of_wins(play_challenge(share, *players, behind, answer.starter is None))
        if other.games >= FEWEST_CHALLENGES and not is_upheld(seen, other, fair):
            refuted = Refuted(challenger, behind, seen, other)
            return evolve(answer, verdict=NOT_KNOWN, refuted=refuted, favoured=None, is_misled=False)
        is_checked |= other.games >= FEWEST_CHALLENGES
    if is_checked:
        return answer
    return evolve(answer, verdict=NOT_KNOWN, unchecked=Unchecked(behind, seen), favoured=None, is_misled=False)


def list_challengers(found: Assessment) -> list[str]:
    """Other kinds of players who think, cheap ones first."""
    if found.judge == GREEDY:
        searching = found.passed_over.player if found.passed_over is not None else ""
        return [f"mcts:{SEARCHES[0]}", *([searching] if searching not in ("", f"mcts:{SEARCHES[0]}") else [])]
    search = int(found.judge.removeprefix("mcts:"))
    return [GREEDY, *(f"mcts:{one}" for one in (SEARCHES[0], search // 4) if SEARCHES[0] <= one < search)]


def play_challenge(games: Games, player: str, against: str, behind: int, is_seat: bool) -> list[float]:
    """The share of who sits so many places behind who begins, or at a seat, and plays like `player` among others."""
    table = games.found.table
    order = evolve(games.order, player=player, against=against)
    deals = min(games.found.plan.deals * table.players if games.found.plan else 0, MOST_CHALLENGES)
    seats = [behind] if is_seat else range(table.players)
    played = games.play(AGAINST, order, [(deal * table.players + seat, 1) for deal in range(deals) for seat in seats])
    wanted = zip(played, cycle(seats))
    return [
        one.share(seat + 1) for one, seat in wanted
        if not one.stuck and (is_seat or (one.starter and (one.starter - 1 + behind) % table.players == seat))
    ]


def random_share(answer: SeatsAnswer, at_random: Sequence[PlayedGame], seat: int | None) -> Estimate | None:
    if not at_random:
        return None
    return estimate_share_of_wins([one.share(one.starter if seat is None else seat + 1) for one in at_random])


def judge_by_solution(solution: Solution, answer: SeatsAnswer) -> SeatsAnswer:
    """By perfect play the value says it, whatever was seen in games."""
    doubt = 0.0 if solution.is_exact else solution.exploitability
    exact = tuple(
        StarterPoints(one.starter, float(one.values[one.starter - 1] - one.values[2 - one.starter]) / 2, doubt)
        for one in solution.by_starter
    )
    if not exact:
        return answer
    is_even = all(abs(one.points) <= 2 * one.doubt for one in exact)
    value = sum(2 * one.points * by.chance for one, by in zip(exact, solution.by_starter, strict=True))
    value /= sum(by.chance for by in solution.by_starter)
    lead = Estimate(value, value - 2 * doubt, value + 2 * doubt, 0)
    return evolve(answer, exact=exact, lead=lead, verdict=NO if is_even else YES, more_games=None)


def is_misled(answer: SeatsAnswer, main: Estimate) -> bool:
    """Whether random players clearly say one thing, and good players clearly another."""
    random, fair = answer.random, answer.fair
    if random is None:
        return False
    if judge_share(random, fair) == NO:
        return answer.verdict == YES
    if judge_share(random, fair, 0.0) == NOT_KNOWN:
        return False
    says = random.value > fair
    if answer.exact:
        points = sum(one.points for one in answer.exact)
        return answer.verdict == NO or (points > 0) != says
    if main.low is None or main.high is None:
        return False
    is_near = fair - TOLERANCE <= main.low and main.high <= fair + TOLERANCE
    if random.low is not None and random.high is not None:
        is_far = random.low > main.high or random.high < main.low
        return is_far and (is_near or main.high < fair if says else is_near or main.low > fair)
    return False


def find_starter_win(answer: SeatsAnswer, played: Sequence[PlayedGame], is_ahead: bool) -> int | None:
    """A game that shows it."""
    wanted = [one for one in played if one.starter and (set(one.winners) == set(one.team_of_starter)) is is_ahead]
    return wanted[0].number if wanted else played[0].number


# ---------------------------------------------------------------- how long does it take?


def answer_length(
    found: Assessment, played: Sequence[PlayedGame], at_random: Sequence[PlayedGame], choice_seconds: float, stuck: int
) -> LengthAnswer:
    choices = [float(one.choices) for one in played]
    minutes = estimate_mean_of([one.moments * choice_seconds / 60 for one in played])
    tenths = quantiles(choices, n=10, method="inclusive") if len(choices) > 1 else choices * 9
    estimate, turns = estimate_mean_of(choices), sum(one.turns for one in played)
    random = estimate_mean_of([float(one.choices) for one in at_random]) if at_random else None
    middle = sorted(played, key=lambda one: (one.choices, one.number))
    times, together = (sum(one.waits[at] for one in played) for at in (0, 1))
    return LengthAnswer(
        NOT_KNOWN if estimate.low is None else YES, estimate, (round(tenths[0]), round(tenths[8])),
        estimate_mean_of([float(one.decisions) for one in played]), minutes, choice_seconds,
        sum(choices) / max(turns, 1), sum(one.rounds for one in played) / len(played),
        together / max(times, 1), max(one.waits[2] for one in played),
        random, is_far_longer(estimate, random), stuck, middle[len(middle) // 2].number, middle[-1].number,
    )  # fmt: skip


def is_far_longer(good: Estimate, random: Estimate | None) -> bool:
    """Whether games of random players are clearly another length."""
    if random is None or random.low is None or random.high is None or good.low is None or good.high is None:
        return False
    return random.low > good.high * (1 + MISLEADING) or random.high * (1 + MISLEADING) < good.low


# ---------------------------------------------------------------- does skill matter?


def answer_skill(found: Assessment, steps: Sequence[tuple[str, list[list[PlayedGame]]]]) -> SkillAnswer | None:
    if not any(deals for _, deals in steps):
        return None
    assert found.plan is not None
    fair = fair_share(found)
    rungs = [make_step(found, against, estimate_step(found, deals), fair) for against, deals in steps]
    top = rungs[-1]
    verdict = NO if found.is_without_choices else NOT_KNOWN if top.verdict == WORSE else top.verdict
    luck = None if found.in_points or verdict == NOT_KNOWN else luck_of(top.share, fair)
    more = count_games_to_know(top.share, fair, tolerance_of(found)) if verdict == NOT_KNOWN else None
    return SkillAnswer(verdict, tuple(rungs), luck, found.in_points, more, 0)


def make_step(found: Assessment, against: str, share: Estimate, fair: float) -> Step:
    verdict = judge_share(share, fair, tolerance_of(found))
    is_worse = verdict in (YES, LITTLE) and share.value < fair
    return Step(found.judge, against, share, fair, WORSE if is_worse else verdict)


def tolerance_of(found: Assessment) -> float:
    """Of points nobody says what is little."""
    return 0.0 if found.in_points else TOLERANCE


def estimate_step(found: Assessment, deals: Sequence[Sequence[PlayedGame]]) -> Estimate:
    if found.is_common:
        return estimate_mean_of([one.scores[0] - other.scores[0] for one, other in deals])
    means = [
        sum(worth_of(found, one, seat) for seat, one in enumerate(games, start=1)) / len(games) for games in deals
    ]
    return estimate_mean_of(means) if found.in_points else estimate_share_of_wins(means)


def luck_of(share: Estimate, fair: float) -> Estimate:
    """The part of the games in which the stronger player has no more than a fair share."""
    def part(wins: float) -> float:
        return min(max((1 - wins) / (1 - fair), 0.0), 1.0)

    low = None if share.high is None else part(share.high)
    high = None if share.low is None else part(share.low)
    return Estimate(part(share.value), low, high, share.games)


# ---------------------------------------------------------------- what is never worth it?


@frozen
class Candidate:
    """Something that may not be worth it, and the deals and seats in which it was chosen."""

    item: Item
    possible: int
    usage: float
    expected: float
    chosen_at: tuple[tuple[int, int], ...]


def answer_worth(games: Games, plan: GamesPlan, played: Sequence[PlayedGame]) -> WorthAnswer:
    found = games.found
    ended = {one.number: one for one in played if not one.stuck}
    candidates = choose_candidates(list(ended.values()), games.crew.here.items.actions)
    level, work = level_of(max(len(candidates), 1)), plan.work_without
    items: dict[Item, ItemWorth] = {}
    for at, one in enumerate(sorted(candidates, key=lambda one: len(one.chosen_at))):  # what costs nothing first
        share = games.within(1 / (len(candidates) - at))
        exact = weigh_exactly(found, games.crew.here, one, share.until)
        if exact is not None:
            items[one.item] = exact
            continue
        spent, worth = weigh_item(share, plan, ended, one, work / (len(candidates) - at), level)
        work -= spent
        items[one.item] = worth
    verdicts = {one.verdict for one in items.values()}
    verdict = YES if verdicts & {IDLE, HARMFUL} else NO if verdicts <= {NEEDED} else NOT_KNOWN
    return WorthAnswer(verdict, tuple(items[one.item] for one in candidates), found.in_points)


def weigh_exactly(found: Assessment, here: AssessTools, one: Candidate, until: float) -> ItemWorth | None:
    """A solved game is solved again for each seat that does without it, while the other knows."""
    answer, loss = found.solution, 0.0
    if answer is None or answer.size * max(answer.rounds, 1) > MOST_SOLVED_AGAIN:
        return None
    doubt = 2 * answer.exploitability
    for seat in (1, 2):
        def forbids(player: int, option: OptionKey, seat: int = seat) -> bool:
            return player == seat and one.item in here.items.items_of(option)

        other = solve_within(found.table, until - monotonic(), forbids)
        if other is None:
            return None
        loss += float(answer.values[seat - 1] - other.values[seat - 1]) / 2
        doubt += other.exploitability
    worth = Estimate(loss, loss - doubt, loss + doubt, 0)
    verdict = IDLE if abs(loss) <= doubt else NEEDED if loss > 0 else HARMFUL
    return ItemWorth(one.item, verdict, worth, one.usage, one.expected, one.possible, is_exact=True)


def choose_candidates(played: Sequence[PlayedGame], actions: Sequence[Item]) -> list[Candidate]:
    """All actions, and of values and components those that good players choose far less often than chance would."""
    possible: Counter[Item] = Counter()
    expected: Counter[Item] = Counter()
    chosen: Counter[Item] = Counter()
    where: dict[Item, list[tuple[int, int]]] = {}
    for one in played:
        possible.update(one.possible)
        expected.update(one.expected)
        for seat, items in enumerate(one.chosen, start=1):
            chosen.update(items)
            for item in items:
                where.setdefault(item, []).append((one.number, seat))
    known = [
        Candidate(item, count, chosen[item] / count, expected[item] / count, tuple(where.get(item, ())))
        for item, count in possible.items()
    ]
    order = {item: at for at, item in enumerate(actions)}
    first = sorted((one for one in known if one.item in order), key=lambda one: order[one.item])
    rest = [one for one in known if one.item not in order and one.usage < SELDOM * one.expected]
    rest.sort(key=lambda one: (one.usage / one.expected, -one.possible, one.item))
    return [*first, *rest][: max(MOST_ITEMS, len(first))]


def weigh_item(
    games: Games, plan: GamesPlan, ended: dict[int, PlayedGame], one: Candidate, work: float, level: float
) -> tuple[float, ItemWorth]:
    """Only the games in which somebody chose it are played without; all others are the same."""
    players = games.found.table.players
    affordable = max(int(work / plan.price), players)
    deals = sorted(ended)
    if len(one.chosen_at) > affordable:  # the deals in which that many chose it
        last = one.chosen_at[affordable - 1][0]
        deals = [deal for deal in deals if deal <= last]
    asked = [(deal, seat) for deal, seat in one.chosen_at if deals and deal <= deals[-1]]
    order = evolve(games.order, player=plan.judge, item=one.item)
    played = games.play(WITHOUT, order, [(deal * players + seat - 1, 1) for deal, seat in asked])
    lost: dict[int, float] = {}
    for (deal, seat), other in zip(asked, played, strict=False):
        if not other.stuck:
            less = worth_of(games.found, ended[deal], seat) - worth_of(games.found, other, seat)
            lost[deal] = lost.get(deal, 0.0) + less
    if len(played) < len(asked):
        deals = [deal for deal in deals if deal < asked[len(played)][0]]
    seats = 1 if games.found.is_common else players
    values = [lost.get(deal, 0.0) / seats for deal in deals]
    most = 1 / seats if not games.found.in_points else max((abs(value) for value in values), default=1.0)
    loss = estimate_paired_difference(values, most, level)
    worth = ItemWorth(
        one.item, judge_loss(games.found, loss), loss, one.usage, one.expected, one.possible,
        witness=max(lost, key=lambda deal: lost[deal]) if lost else None,
    )
    return len(played) * plan.price, worth


def worth_of(found: Assessment, game: PlayedGame, seat: int) -> float:
    """The share of the first place; where it is points that count, those more than the mean."""
    if found.is_common:
        return game.scores[0]
    return game.scores[seat - 1] - sum(game.scores) / len(game.scores) if found.in_points else game.share(seat)


def judge_loss(found: Assessment, loss: Estimate) -> str:
    if loss.low is None or loss.high is None:
        return NOT_KNOWN
    if loss.low > 0:
        return NEEDED
    if loss.high < 0:
        return HARMFUL
    return IDLE if not found.in_points and loss.high < TOLERANCE / 2 else NOT_KNOWN


# ---------------------------------------------------------------- when is it decided?


def answer_decided(found: Assessment, games: Games, played: Sequence[PlayedGame]) -> DecidedAnswer | None:
    if found.is_without_choices:
        nothing = Estimate(0.0, None, None, 0)
        return DecidedAnswer(NO, nothing, (), (), None, False, witness=0)
    again = [one for one in played if one.again and not any(other.stuck for other in one.again)]
    if not again:
        return None
    pairs = list(zip(played[::2], played[1::2], strict=False))
    usual = median(one.scores[0] for one in played)
    anew = estimate_share_of_wins([same_end(found, one, other, usual) for one, other in pairs])
    parts = tuple(
        estimate_share_of_wins([same_end(found, one, one.again[part], usual) for one in again])
        for part in range(QUARTERS)
    )
    leads = tuple(estimate_leads(played, part) for part in range(QUARTERS - 1)) if played[0].leaders else ()
    half = find_half(anew, parts)
    is_known = half is not None and half.low is not None and half.high is not None and half.high - half.low < 0.5
    is_always_same = anew.value > 1 - 1e-9 and anew.low is not None and anew.low > SAME
    verdict = NO if is_always_same else YES if is_known else NOT_KNOWN
    more = None if verdict != NOT_KNOWN else 4 * len(again)
    return DecidedAnswer(
        verdict, anew, parts, tuple(one for one in leads if one is not None), half, bool(leads), more, again[0].number
    )


def same_end(found: Assessment, one: PlayedGame, other: PlayedGame, usual: float) -> float:
    """How far the first place went to the same; where all win together, whether both were better than usual or not."""
    if found.is_common:
        return float((one.scores[0] > usual) is (other.scores[0] > usual))
    seats = range(1, found.table.players + 1)
    return 1 - sum(abs(one.share(seat) - other.share(seat)) for seat in seats) / 2


def estimate_leads(played: Sequence[PlayedGame], part: int) -> Estimate | None:
    """Of the games in which anybody led after this quarter, how often they won."""
    led = [one for one in played if one.leaders[part]]
    if len(led) < 2:
        return None
    return estimate_share_of_wins([sum(one.share(seat) for seat in one.leaders[part]) for one in led])


def seed_of_game(found: Assessment, number: int) -> int:
    """The seed with which `trace` shows a game."""
    return game_seed(found.seed, number)
