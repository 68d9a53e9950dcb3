"""The ladder laid out: who is better than whom, in text and in JSON. Takes rungs, gives words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulesrun.dsl.text.messages import Message, message, message_in, template
from rulesrun.interpreter.bots.blind_spots import (
    AT_ONCE,
    HIDDEN_COMPONENTS,
    HIDDEN_NUMBERS,
    find_blind_spots,
    has_chance,
    shows_lead,
)
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.measure.ladder import FEW, Rung
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import say, say_plural, say_title, translate, use_words
from rulesrun.report.figure_text import round_up
from rulesrun.services.ladder import ExploitedBot, Ladder
from rulesrun.services.unfinished_games import going_on_json, going_on_text, going_on_word
from rulesrun.terminal.output import say_label
from rulesrun.terminal.plurals import count_games, count_players

# ---- blind spot text
# Why thinking may win nothing, in words: what these players leave out, or cannot see.


SENTENCES: Mapping[str, Message] = {
    HIDDEN_NUMBERS: message(
        "One reason may be that these players guess hidden numbers blindly, without working out what fits what they "
        "have seen."
    ),
    HIDDEN_COMPONENTS: message(
        "One reason may be that these players weigh others' choices card by card, and do not work out which hands "
        "would fit as a whole."
    ),
    AT_ONCE: message(
        "One reason may be that these players choose what looks best when all choose at the same moment, and do not "
        "vary it so that nobody can foresee it."
    ),
}
OPEN = message(
    "Nobody knows here what others do not know: luck may decide most of it, or plans may have to reach further."
)
WITHOUT_CHANCE = message("All lies open here, and there is no chance: plans may have to reach further.")
NO_LEAD = message("One reason may be that nothing in these rules tells who is ahead before the game ends.")


def blind_spot_sentences(table: Table) -> Iterator[Message]:
    """Why search may win nothing: the first that applies, for that weighs most."""
    found = find_blind_spots(table)
    if found:
        yield SENTENCES[found[0]]
    elif not shows_lead(table):
        yield NO_LEAD
    else:
        yield OPEN if has_chance(table) else WITHOUT_CHANCE


def short_sight_sentences(table: Table) -> Iterator[Message]:
    """Why looking one step ahead may win nothing."""
    if shows_lead(table):
        yield from blind_spot_sentences(table)
    else:
        yield NO_LEAD


# ---- ladder text


def ladder_json(found: Ladder) -> dict[str, Any]:
    return {
        "players": found.table.players, "options": dict(found.table.options),
        "thinking": [rung_json(found.table, rung) for rung in found.thinking],
        "habits": [rung_json(found.table, rung) for rung in found.habits],
        "exploitability": [exploited_json(one) for one in found.exploited],
        "games": found.games,
        "engine": found.engine,
        "seconds": round(found.seconds, 3),
        "partial": found.is_partial,
    }  # fmt: skip


def rung_json(table: Table, rung: Rung) -> dict[str, Any]:
    low, high = rung.interval
    found: dict[str, Any] = {"player": rung.player.name, "against": rung.against.name, "games": rung.games}
    figure = {"gain": rung.gain} if rung.in_points else {"share": rung.share, "fair_share": 1 / len(table.bench.teams)}
    verdict = rung.verdict(len(table.bench.teams))
    found |= figure | {"interval": [finite_or_none(low), finite_or_none(high)], "verdict": verdict}
    if verdict == "not known":
        found["games_to_know"] = rung.games_to_know(len(table.bench.teams))
    return found | {"seconds_a_choice": rung.seconds / max(rung.choices, 1), "faults": rung.faults,
                    "stuck": rung.stuck, "going_on": going_on_json(rung.going_on, rung.long)}  # fmt: skip


def exploited_json(one: ExploitedBot) -> dict[str, Any]:
    found = one.found
    if found is None:
        return {"player": one.bot.name, "points": None}
    return {"player": one.bot.name, "points": found.points, "at_least": found.least, "tries": found.tries,
            "information_sets": found.information_sets}  # fmt: skip


def finite_or_none(number: float) -> float | None:
    return number if abs(number) < float("inf") else None


def ladder_text(found: Ladder) -> str:
    table, thinking, habits = found.table, found.thinking, found.habits
    use_words(found.reading.game)
    head = f"{say_title(found.reading.game)}, {translate(count_players(table.players))}"
    lines = [head, explanation_line(table), "", say("Thinking")]
    lines += [line for rung in thinking for line in rung_lines(table, rung)]
    lines += ["", say("Habits")]
    lines += [line for rung in habits for line in rung_lines(table, rung)]
    lines += exploited_lines(found.exploited)
    lines += ["", *verdict_sentences(table, thinking, habits)]
    if any(isinstance(rung.player, MctsBot) and rung.player.seconds is not None for rung in thinking):
        lines.append(say(
            "Players with a time limit think further on a faster machine, so another run may give other figures."
        ))  # fmt: skip
    return "\n".join(lines) + "\n"


def exploited_lines(exploited: Sequence[ExploitedBot]) -> Iterator[str]:
    """What a best response wins: worked out on the whole tree, against how often they choose what."""
    if not exploited:
        return
    yield ""
    yield say("Points a game that a player who knows their strategy wins against them")
    for one in exploited:
        if one.found is None:
            yield f"  {one.bot.name:<18} " + say("not measured")
        elif one.found.tries:
            yield f"  {one.bot.name:<18} {one.found.points:8.3f}  " + say(
                "at least {least:.3f}; asked {tries} times at each of {sets:,} information sets", least=one.found.least,
                tries=one.found.tries, sets=one.found.information_sets,
            )  # fmt: skip
        else:
            yield f"  {one.bot.name:<18} {one.found.points:8.3f}  " + say("exact")


def explanation_line(table: Table) -> str:
    judge = Judge(table)
    if judge.has_stakes:
        return say(
            "What one wins the others pay, so this is how many points a game one player of the first kind wins among "
            "players of the second, at every seat; 0 is fair. 95 % intervals."
        )
    if judge.is_common:
        return say(
            "Everybody wins or loses together, so this is how much better the score is on the same deals, with 95 % "
            "intervals."
        )
    return say(
        "Games won by one player of the first kind among players of the second, at every seat; {share:.0f} % is fair. "
        "95 % intervals.",
        share=100 / len(table.bench.teams),
    )


def rung_lines(table: Table, rung: Rung) -> Iterator[str]:
    """How it went; and the games of it that have no winner, which figures leave out."""
    yield rung_text(table, rung)
    if rung.stuck:
        yield f"    {say_label('stuck')}: {translate(count_games(rung.stuck))}"
    if rung.long:
        yield f"    {say_label(going_on_word(rung.going_on))}: " + say(
            "{games} not over within the limit", games=count_games(rung.long)
        )
        yield f"      {translate(going_on_text(rung.going_on))}"


VERDICTS = {
    "better": message_in("rung", "better"), "worse": message_in("rung", "worse"),
    "alike": message_in("rung", "alike"), "not known": message_in("rung", "not known"),
}  # fmt: skip


def rung_text(table: Table, rung: Rung) -> str:
    low, high = rung.interval
    players = say("{player:<18} against {against:<10}", player=rung.player.name, against=rung.against.name)
    if not rung.games:
        return f"  {players} " + (say("no game comes to its end") if rung.is_hopeless else say("not played"))
    figure = f"{rung.gain:+8.2f}  {low:+.2f} … {high:+.2f}" if rung.in_points else (
        f"{100 * rung.share:7.1f} %  {100 * low:5.1f} % … {100 * high:5.1f} %"
    )
    games = say_plural("{count:5} game ", "{count:5} games", rung.games)
    verdict = translate(VERDICTS[rung.verdict(len(table.bench.teams))])
    speed = say("{milliseconds:8.1f} ms a choice", milliseconds=1000 * rung.seconds / max(rung.choices, 1))
    return f"  {players} {games} {figure}  {verdict:<9}{speed}"


def verdict_sentences(table: Table, thinking: list[Rung], habits: list[Rung]) -> list[str]:
    """In words, only what the intervals bear."""
    found = [rung_sentence(table, thinking[0], GREEDY, None)]
    if is_in_doubt(table, thinking[0]):
        found += ["  " + translate(one) for one in short_sight_sentences(table)]
    against_greedy = [rung for rung in thinking if isinstance(rung.against, GreedyBot)]
    if against_greedy:
        last = against_greedy[-1]
        found.append(rung_sentence(table, last, SEARCH, last.player.name))
        if is_in_doubt(table, last):
            found += ["  " + translate(one) for one in blind_spot_sentences(table)]
    winning = [rung.player.name for rung in habits if rung.verdict(len(table.bench.teams)) == "better"]
    if winning:
        found.append(say("Simple habits that beat random play: {names}.", names=winning))
    elif any(rung.games for rung in habits):
        found.append(say("No simple habit beat random play."))
    return found


def is_in_doubt(table: Table, rung: Rung) -> bool:
    """Whether thinking did not win, in so many games that one asks why."""
    return rung.games >= FEW and rung.verdict(len(table.bench.teams)) != "better"


GREEDY = {
    "hopeless": template("Looking one step ahead (greedy) has not finished a game against random play."),
    "not played": template("Looking one step ahead (greedy) has not played against random play."),
    "better": template("Looking one step ahead (greedy) beats random play."),
    "worse": template("Looking one step ahead (greedy) does worse than random play."),
    "alike": template("Looking one step ahead (greedy) is no better than random play."),
    "not known": template("{games} do not show whether looking one step ahead (greedy) beats random play."),
}
SEARCH = {
    "hopeless": template("Search ({bot}) has not finished a game against looking one step ahead."),
    "not played": template("Search ({bot}) has not played against looking one step ahead."),
    "better": template("Search ({bot}) beats looking one step ahead."),
    "worse": template("Search ({bot}) does worse than looking one step ahead."),
    "alike": template("Search ({bot}) is no better here than looking one step ahead."),
    "not known": template("{games} do not show whether search ({bot}) beats looking one step ahead."),
}


def rung_sentence(table: Table, rung: Rung, sentences: Mapping[str, str], bot: str | None) -> str:
    named: dict[str, Any] = {} if bot is None else {"bot": bot}
    if not rung.games:
        return say(sentences["hopeless" if rung.is_hopeless else "not played"], **named)
    verdict = rung.verdict(len(table.bench.teams))
    if verdict in {"better", "worse"}:
        return say(sentences[verdict], **named)
    told = say(sentences[verdict], games=count_games(rung.games), **named)
    return "\n".join([told, *figures_of_doubt(table, rung, verdict)])


def figures_of_doubt(table: Table, rung: Rung, verdict: str) -> list[str]:
    """What was seen; where it is not known, how many games would tell."""
    low, high = rung.interval
    if finite_or_none(low) is None:
        return []
    if rung.in_points:
        seen = "  " + say(
            "The mean gain is {gain:+.2f}, with a 95 % interval of {low:+.2f} to {high:+.2f}.", gain=rung.gain, low=low,
            high=high,
        )  # fmt: skip
    else:
        seen = "  " + say(
            "It wins {share:.1f} % of games, with a 95 % interval of {low:.1f} to {high:.1f} %; {fair:.0f} % would "
            "be fair.",
            share=100 * rung.share, low=100 * low, high=100 * high, fair=100 / len(table.bench.teams),
        )  # fmt: skip
    if verdict == "alike":
        return [seen]
    more = rung.games_to_know(len(table.bench.teams))
    if more is None:
        return [seen, "  " + say("There is no edge that more games would make clear.")]
    return [seen, "  " + say(
        "If the edge is as large as it looks, about {games:,} games would show it.", games=round_up(more)
    )]  # fmt: skip
