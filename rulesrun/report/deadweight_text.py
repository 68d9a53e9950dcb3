"""What each rule weighs, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesrun.dsl.text.messages import Message, Names, join_messages, message, plural
from rulesrun.files.excerpts import line_of, place_text
from rulesrun.interpreter.measure.catalogue import list_figures
from rulesrun.interpreter.measure.estimates import Estimate, estimate_share
from rulesrun.interpreter.measure.figures import estimate_games_with
from rulesrun.interpreter.measure.totals import Sums, Totals
from rulesrun.interpreter.search.endless import ENDLESS, MAY_GO_ON, NOT_OVER
from rulesrun.locale.language import say, say_plural, translate, use_words
from rulesrun.report.assess_text import worth_json_items, worth_line
from rulesrun.report.compare_text import effect_text
from rulesrun.report.figure_text import estimate_json, percent_text
from rulesrun.services.deadweight import GOOD_PLAYERS, WeighedRule, Weighing
from rulesrun.services.reports import head_line
from rulesrun.services.unfinished_games import going_on_json, going_on_word
from rulesrun.terminal.output import LABELS
from rulesrun.terminal.plurals import count_games, count_players
from rulesrun.terminal.requests import DeadweightRequest

ORDER = (
    ("never met", message("never mattered: without these rules, not one game went differently")),
    ("no difference", message("they came into play, but no deal ended differently without them")),
    ("no measurable effect", message("games differ without them, but no figure changes measurably")),
    ("effect", message("figures change without them")),
    ("needed", message("without these rules the game gets stuck")),
    (ENDLESS, message("without these rules the game goes on for ever")),
    (MAY_GO_ON, message("without these rules players can go on for ever, but nobody has to")),
    (NOT_OVER, message("without these rules games last very long")),
    ("refused", message("the rules do not work at this table without them")),
    ("too few deals", message(
        "too few deals to say anything: allow more time (`--seconds`) or processes (`--jobs`)"
    )),
    ("not played", message("not tested: time ran out")),
)  # fmt: skip

USES = (
    ("action", message("actions never taken")), ("value", message("values never chosen")),
    ("component", message("components never chosen")), ("kept", message("components never kept")),
)  # fmt: skip
ROWS = (("row", message("rows that were never revealed")), ("met", message("rows that were never met")))
LARGEST_DOUBT = 0.2  # of the games
MOST_NAMES = 12
MOST_RULES = 6  # of one verdict; those first without which most changes


def weighing_lines(found: Weighing, request: DeadweightRequest) -> Iterator[str]:
    reading = found.reading
    use_words(reading.game)
    yield f"{head_line(reading)}, {translate(count_players(found.table.players))}"
    yield from choices_lines(found)
    for verdict, title in ORDER:
        weighed = [one for one in found.weighed if one.verdict == verdict]
        if weighed:
            yield f"  {translate(title)}"
        told = [one for one in weighed if not one.suspect.is_component or one.clear]
        told.sort(key=lambda one: -one.pairs.differing / max(one.pairs.finished, 1))
        most = len(told) if request.figures == "all" else MOST_RULES
        for one in told[:most]:
            yield from rule_lines(found, one, len(one.clear) if request.figures == "all" else 1)
        if len(told) > most:
            yield "    " + say("… and {rules:,} more; `--figures all` lists them", rules=len(told) - most)
        yield from component_lines([one for one in weighed if one.suspect.is_component and not one.clear])
    yield from unused_lines(found)
    yield from good_player_lines(found, request)
    partial = say("interrupted: this report is partial; ") if found.is_partial else ""
    yield f"  {partial}" + say(
        "{games} in {seconds:.1f} s, the same deals with and without each rule", games=count_games(found.all_games),
        seconds=found.seconds,
    )  # fmt: skip
    if request.seats is None:
        yield "  " + say(
            "everybody played at random; some of these rules may still matter to good players (`--seats mcts`)"
        )


def choices_lines(found: Weighing) -> Iterator[str]:
    """What good players lose who do without something that they could choose; the most first."""
    choices = found.choices
    if choices is None or choices.worth is None or not choices.worth.items:
        return
    use_words(found.reading.game)
    yield "  " + say("What good players ({player}) lose if they never choose it", player=choices.judge)
    ranked = sorted(choices.worth.items, key=lambda one: -one.loss.value)
    yield from (f"    {translate(worth_line(choices.worth, one))}" for one in ranked)


def rule_lines(found: Weighing, one: WeighedRule, effects: int) -> Iterator[str]:
    place = place_text(one.suspect.span, found.reading.name, found.reading.sources)
    yield f"    {translate(one.suspect.text)}  ({translate(place)})"
    if one.refused:
        yield f"      {translate(one.refused)}"
    elif one.is_never_met:
        most = estimate_share(0, found.games).high or 1.0
        yield "      " + say_plural(
            "in none of {count:,} game (95 % certain: in fewer than {share})",
            "in none of {count:,} games (95 % certain: in fewer than {share})", found.games, share=percent_text(most),
        )  # fmt: skip
    if one.pairs.games:
        yield f"      {differing_text(one)}"
        yield from (f"      {translate(effect_text(effect))}" for effect in one.clear[:effects])


def component_lines(weighed: list[WeighedRule]) -> Iterator[str]:
    """Those of which nothing more is to be said, in one line."""
    if weighed:
        deals = min(one.pairs.games for one in weighed)
        told = "  " + say("(at least {deals:,} deals each)", deals=deals) if deals else ""
        names = listed_names([one.suspect.text for one in weighed])
        yield "    " + say("components: {names}", names=names) + told


def listed_names(names: Sequence[str]) -> Message:
    """Some of them, and how many more there are."""
    shown = list(map(Names, names[:MOST_NAMES]))
    if len(names) <= MOST_NAMES:
        return join_messages(shown)
    return message("{names} and {amount} more", names=shown, amount=len(names) - MOST_NAMES)


def differing_text(one: WeighedRule) -> str:
    pairs = one.pairs
    told: list[Message] = []
    if one.stuck[1]:
        told.append(plural(
            "stuck without it in {stuck:,} of {count:,} game", "stuck without it in {stuck:,} of {count:,} games",
            pairs.games, stuck=one.stuck[1],
        ))  # fmt: skip
    if pairs.long[1]:
        told.append(plural(
            "{verdict} without it: {long:,} of {count:,} game", "{verdict} without it: {long:,} of {count:,} games",
            pairs.games, verdict=LABELS[going_on_word(one.going_on)], long=pairs.long[1],
        ))  # fmt: skip
    found = estimate_share(pairs.differing, pairs.finished)
    if pairs.finished and not pairs.differing:
        told.append(message(
            "none of {deals:,} deals differs (95 % certain: fewer than {share})", deals=pairs.finished,
            share=percent_text(found.high or 1.0),
        ))  # fmt: skip
    elif pairs.finished:
        low, high = (percent_text(bound or 0.0) for bound in (found.low, found.high))
        told.append(message(
            "{share} of {deals:,} deals differ ({low} to {high})", share=percent_text(found.value),
            deals=pairs.finished, low=low, high=high,
        ))  # fmt: skip
    return translate(join_messages(told, "; "))


def unused_lines(found: Weighing) -> Iterator[str]:
    """Actions, values, components and rows that no game used."""
    for word, what in (*USES, *ROWS):
        names = find_unused(found, word, found.random_totals)
        if names:
            yield f"  {translate(what)}: {translate(names_text(names, found.random_totals))}"


def good_player_lines(found: Weighing, request: DeadweightRequest) -> Iterator[str]:
    """What good players leave alone although others do it."""
    games = found.good.finished
    if request.seats is not None or not games:
        return
    yield "  " + say("good players ({bot}, {games})", bot=GOOD_PLAYERS, games=count_games(games))
    shunned = [(what, names_left_alone(found, word)) for word, what in USES]
    yield from (
        f"    {translate(what)}: {translate(names_text(names, found.good))}" for what, names in shunned if names
    )
    if not tells_unused(found.good):
        yield "    " + say("too few games to say what they never use")
    elif not any(names for _, names in shunned):
        yield "    " + say("they use everything that random players use")
    for name, often, offered in count_taken_actions(found):
        yield "    " + say(
            "{action}: chosen at {share} of the {decisions:,} decisions where it was possible", action=Names(name),
            share=percent_text(often / offered), decisions=offered,
        )  # fmt: skip


def tells_unused(totals: Totals) -> bool:
    """Whether what no game used is rare: what two games did not use may come in every other one."""
    return (estimate_share(0, totals.finished).high or 1.0) <= LARGEST_DOUBT


def names_text(names: list[str], totals: Totals) -> Message:
    most = estimate_share(0, totals.finished).high or 1.0
    return message(
        "{names} (95 % certain: each in fewer than {share} of the games)", names=listed_names(names),
        share=percent_text(most),
    )  # fmt: skip


def names_left_alone(found: Weighing, word: str) -> list[str]:
    never = find_unused(found, word, found.random_totals)
    return [name for name in find_unused(found, word, found.good) if name not in never]


def count_taken_actions(found: Weighing) -> Iterator[tuple[str, int, int]]:
    """Each action: how often good players do it, how often they could."""
    for key in list_figures(found.table):
        offered = found.good.sums.get(("offered", *key[1:]), Sums()).total
        if key[0] == "action" and offered:
            yield key[1], int(found.good.sums.get(key, Sums()).total), int(offered)


def find_unused(found: Weighing, word: str, totals: Totals) -> list[str]:
    """Nothing where none at all was used, for then the game does not know such a use; nor where the games are few."""
    if not tells_unused(totals):
        return []
    keys = [key for key in list_figures(found.table) if key[0] == word]
    never = [key for key in keys if not estimate_games_with(totals, key).value]
    is_other_game = word in ("component", "kept") and len(never) == len(keys)
    return [] if is_other_game else [" ".join(key[1:]) for key in never]


def weighing_json(found: Weighing, request: DeadweightRequest) -> dict[str, object]:
    return {
        "file": found.reading.name,
        "title": found.reading.title,
        "players": found.table.players,
        "seats": request.seats or "random",
        "rules": [rule_json(found, one) for one in found.weighed],
        "unused": {
            word: find_unused(found, word, found.random_totals)
            for word in ("action", "value", "component", "kept", "row", "met")
        },
        "good_players": {
            "seats": request.seats or GOOD_PLAYERS,
            "games": found.good.finished,
            "left_alone": {word: names_left_alone(found, word) for word, _ in USES},
            "taken": [
                {"action": name, "taken": often, "possible": offered}
                for name, often, offered in count_taken_actions(found)
            ],
        },
        "choices": None if found.choices is None or found.choices.worth is None else {
            "player": found.choices.judge, "in_points": found.choices.in_points,
            "items": worth_json_items(found.choices.worth),
        },
        "looked": found.games,
        "games": found.all_games,
        "engine": found.engine,
        "seconds": round(found.seconds, 3),
        "partial": found.is_partial,
    }


def rule_json(found: Weighing, one: WeighedRule) -> dict[str, object]:
    pairs = one.pairs if one.pairs.games else None
    never: Estimate | None = estimate_share(one.met, found.games) if one.suspect.is_condition else None
    return {
        "kind": one.suspect.what,
        "rule": one.suspect.text,
        "line": line_of(one.suspect.span, found.reading.sources),
        "without": one.suspect.value,
        "verdict": one.verdict,
        "met": None if never is None else estimate_json(never),
        "unmet_games": one.unmet if one.suspect.is_condition else None,
        "deals": 0 if pairs is None else pairs.games,
        "stuck": None if pairs is None else one.stuck[1],
        "going_on": None if pairs is None else going_on_json(one.going_on, pairs.long[1]),
        "differing": None if pairs is None else estimate_json(estimate_share(pairs.differing, pairs.finished)),
        "effects": [
            {"figure": list(effect.key), "with": effect.left, "without": effect.right,
             "difference": estimate_json(effect.difference)}
            for effect in one.clear
        ],
    }  # fmt: skip
