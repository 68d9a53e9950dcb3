"""Five answers in words: an assessment in, sentences and JSON out. What each rests on stands under it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any, TypeVar

from rulesrun.dsl.text.messages import Message, Names, message, plural, template
from rulesrun.interpreter.assess.answers import (
    HARMFUL,
    IDLE,
    LITTLE,
    NEEDED,
    NO,
    NOT_KNOWN,
    TOGETHER,
    YES,
    DecidedAnswer,
    ItemWorth,
    LengthAnswer,
    Refuted,
    SeatsAnswer,
    SkillAnswer,
    Step,
    WorthAnswer,
    count_games_to_know,
)
from rulesrun.interpreter.assess.played_games import Item
from rulesrun.interpreter.measure.estimates import TOLERANCE, Estimate
from rulesrun.locale.language import say_title, translate, use_words
from rulesrun.report.figure_text import estimate_json, round_up
from rulesrun.report.ladder_text import blind_spot_sentences, short_sight_sentences
from rulesrun.services.assess import AGAINST, ALONE, GREEDY, RANDOM, WITHOUT, Assessment, seed_of_game
from rulesrun.terminal.output import BOLD, paint_text

WIDTH = 78
MOST_NAMED = 3
EARLY, LATE = 0.35, 0.65


Answer = TypeVar("Answer")
Saying = Callable[[Assessment, Answer], Iterator[str]]
Says = tuple[Saying[Answer], Saying[Answer]]  # its sentences, and what they rest on


def item_text(item: Item) -> Names:
    match item:
        case ("value", action, choice, value):
            return Names(f"{action}({choice} {value})")
        case _:
            return Names(" ".join(item[1:]))


# ---------------------------------------------------------------- numbers


def of_hundred(share: float) -> str:
    """`34`; closer where it is close to none or all."""
    hundred = 100 * share
    if hundred == round(hundred) or 1 <= hundred <= 99:
        return f"{hundred:.0f}"
    return f"{hundred:.1f}"


def plain(number: float) -> str:
    """Two digits, more where the number is large."""
    text = f"{number:.0f}" if abs(number) >= 10 else f"{number:.1f}" if abs(number) >= 1 else f"{number:.2g}"
    return text.removesuffix(".0")


def duration(minutes: float) -> Message:
    if minutes < 1.5:
        return message("{number} seconds", number=f"{60 * minutes:.0f}")
    if minutes < 90:
        return message("{number} minutes", number=plain(minutes))
    return message("{number} hours", number=plain(minutes / 60))


def bounds_of_hundred(found: Estimate) -> tuple[str, str]:
    return of_hundred(found.low or 0.0), of_hundred(1.0 if found.high is None else found.high)


# ---------------------------------------------------------------- the page


def assessment_text(found: Assessment) -> str:
    """In the language that is spoken now."""
    use_words(found.reading.game)
    return "\n".join(assessment_lines(found)) + "\n"


def assessment_lines(found: Assessment) -> Iterator[str]:
    title, players = say_title(found.reading.game), found.table.players
    head = translate(plural("{title}, {count} player", "{title}, {count} players", players, title=title))
    yield paint_text(found.reading.name, BOLD) + f"  {head}"
    yield from paragraph("  ", judge_sentences(found))
    for question, sentences, evidence in answers_in_words(found):
        yield ""
        yield paint_text(translate(question), BOLD)
        yield from paragraph("  ", sentences)
        yield from (f"    {translate(line)}" for line in evidence)
    yield ""
    yield from paragraph("  ", closing_sentences(found))


def answers_in_words(found: Assessment) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each question, what is said, and what it rests on."""
    yield answer_in_words(message("Does it matter who goes first, or where you sit?"), found, found.seats, SEATS)
    yield answer_in_words(message("How long does it take?"), found, found.length, LENGTH)
    yield answer_in_words(message("Does skill matter?"), found, found.skill, SKILL)
    yield answer_in_words(message("Which options are never worth choosing?"), found, found.worth, WORTH)
    yield answer_in_words(message("When is the game decided?"), found, found.decided, DECIDED)


def answer_in_words(
    question: str, found: Assessment, answer: Answer | None, says: Says[Answer]
) -> tuple[str, list[str], list[str]]:
    if answer is None:
        return question, [UNANSWERED, *longer_sentences(found)], []
    sentences, evidence = says
    return question, list(sentences(found, answer)), list(evidence(found, answer))


def paragraph(indent: str, sentences: Iterable[str]) -> list[str]:
    text = " ".join(map(translate, sentences))
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def judge_sentences(found: Assessment) -> Iterator[str]:
    if found.solution is not None:
        yield message("Judged by perfect play: the game is small enough to solve.")
        return
    if found.passed_over is not None:
        yield from passed_over_sentences(found, found.passed_over)
    elif found.judge == GREEDY:
        yield message("Judged by players who look one step ahead; deeper search did not fit into the time allowed.")
    elif found.judge:
        yield message("Judged by players who try out {games} games before each choice.", games=found.judge[5:])
    steps = found.skill.steps if found.skill is not None else ()
    for step in steps[:1] if found.judge != GREEDY else ():
        if step.verdict in (YES, LITTLE) and found.is_common:
            yield message(
                "They score {gain} points more than players who look one step ahead.", gain=plain(step.share.value)
            )
        elif step.verdict in (YES, LITTLE):
            yield message(
                "Such a player wins {share} of 100 games against players who look one step ahead; {fair} would be "
                "fair.",
                share=of_hundred(step.share.value),
                fair=of_hundred(step.fair),
            )
        else:
            yield from undecided_sentences(found, step)
    if found.skill is not None and found.skill.steps[-1].verdict == NOT_KNOWN:
        yield message("It is not known whether they beat even random players: take the rest with care.")
    elif found.skill is not None and found.skill.steps[-1].verdict not in (YES, LITTLE):
        yield message(
            "They do not beat even random players: either thinking does not help, or they do not find out how. Take "
            "the rest with care."
        )
    if found.judge == GREEDY and found.passed_over is None and is_top_in_doubt(found):
        yield from short_sight_sentences(found.table)


def is_top_in_doubt(found: Assessment) -> bool:
    """Whether not even random players are clearly beaten."""
    return found.skill is not None and found.skill.steps[-1].verdict not in (YES, LITTLE)


def undecided_sentences(found: Assessment, step: Step) -> Iterator[str]:
    """They judge, and it is not clear that they are the best who could."""
    if step.verdict == NO:
        yield message(
            "They are no better than players who look one step ahead: they won {share} of 100 games ({low} to {high}); "
            "{fair} would be fair.", **figures_of_step(step),
        )
    else:
        yield message("It is not known whether they are better than players who look one step ahead.")
        yield from open_step_sentences(found, step)
    yield from blind_spot_sentences(found.table)


def passed_over_sentences(found: Assessment, step: Step) -> Iterator[str]:
    """Who could have judged, and is not better."""
    games = step.player.removeprefix("mcts:")
    yield message("Judged by players who look one step ahead.")
    if found.is_common:
        yield message("Players who try out {games} games before each choice scored no more points.", games=games)
    elif step.verdict == NO:
        yield message(
            "Players who try out {games} games before each choice are no better: they won {share} of 100 games ({low} "
            "to {high}); {fair} would be fair.", games=games, **figures_of_step(step),
        )
    else:
        yield message(
            "Players who try out {games} games before each choice did not beat them: they won {share} of 100 games; "
            "{fair} would be fair.", games=games, share=of_hundred(step.share.value), fair=of_hundred(step.fair),
        )
        yield from open_step_sentences(found, step)
    yield from blind_spot_sentences(found.table)


def open_step_sentences(found: Assessment, step: Step) -> Iterator[str]:
    """What so few deals leave open, and how many would tell."""
    more = count_games_to_know(step.share, step.fair, TOLERANCE)
    if found.in_points or step.verdict != NOT_KNOWN or more is None:
        return
    low, high = bounds_of_hundred(step.share)
    yield plural(
        "{count:,} deal leaves anything from {low} to {high} of 100 open; about {more:,} would tell.",
        "{count:,} deals leave anything from {low} to {high} of 100 open; about {more:,} would tell.",
        step.share.games, low=low, high=high, more=round_up(more),
    )


def figures_of_step(step: Step) -> dict[str, str]:
    low, high = bounds_of_hundred(step.share)
    return {"share": of_hundred(step.share.value), "low": low, "high": high, "fair": of_hundred(step.fair)}


def closing_sentences(found: Assessment) -> Iterator[str]:
    if found.is_interrupted:
        yield message("Interrupted: this is what was known at that point.")
    elif found.is_late:
        yield from cut_sentences(found)
    for code, games in sorted(found.stuck.items()):
        yield message("Left out are {games} that did not end ({code}).", games=games, code=code)
    if found.stuck and found.longer_by:
        yield message("`rulesrun {name}` shows why.", name=found.reading.name)
    yield message("{games:,} games in all. Ranges are 95 % intervals.", games=found.games)


UNANSWERED = message("Not known: too few games ended. A longer run may tell.")
KINDS = {
    ALONE: template("{played:,} of {planned:,} between good players"),
    AGAINST: template("{played:,} of {planned:,} against weaker players"),
    RANDOM: template("{played:,} of {planned:,} between random players"),
    WITHOUT: template("{played:,} of {planned:,} in which somebody avoids a certain option"),
}


def cut_sentences(found: Assessment) -> Iterator[str]:
    """What the clock left out."""
    parts = [
        message(KINDS[kind], played=found.played[kind], planned=games)
        for kind, games in found.planned.items() if found.played[kind] < games
    ]  # fmt: skip
    if not parts:
        yield message("Time ran out before anything was known.")
        return
    yield message("Time ran out before all games were played: {parts}.", parts=parts)
    if found.longer_by:
        yield message("`--work N` plays the games of N seconds, however long that takes here.")


def game_command(found: Assessment, number: int | None, against: str = "") -> str:
    """How to see one of the games."""
    words = ["rulesrun trace", found.reading.name, f"--players {found.table.players}"]
    words += [f"--with {name}" for name in found.reading.laid_over]
    words += [f"--set {name}={value}" for name, value in found.settings.items()]
    words.append(f"--seats {found.judge}" + (f",{against}" if against else ""))
    return " ".join([*words, f"--seed {seed_of_game(found, number or 0)}"])


# ---------------------------------------------------------------- who begins


def seats_sentences(found: Assessment, answer: SeatsAnswer) -> Iterator[str]:
    if answer.verdict == TOGETHER:
        yield message("No: all win or lose together.")
        return
    if answer.exact:
        yield from exact_seats_sentences(answer)
    elif answer.refuted is not None:
        yield from refuted_sentences(answer, answer.refuted)
    elif answer.unchecked is not None:
        yield only_seen_sentence(answer, answer.unchecked.behind, answer.unchecked.share)
        yield message("There was no time to see whether players of other kinds fare alike.")
        yield from longer_sentences(found)
    elif answer.starter is not None:
        yield from starter_sentences(found, answer, answer.starter)
    else:
        yield from open_seats_sentences(found, answer)
    if answer.is_by_lot:
        yield message("Different seats begin; this is about whoever begins, wherever they sit.")
    if answer.is_misled and answer.random is not None:
        yield message(
            "Random play would mislead you here: with it the figure is "
            "{random} of 100.", random=of_hundred(answer.random.value)
        )


def exact_seats_sentences(answer: SeatsAnswer) -> Iterator[str]:
    points = sum(one.points for one in answer.exact) / len(answer.exact)
    share = answer.starter.value if answer.starter is not None else 0.5
    if answer.verdict == NO and share == 0.5:
        yield message("No: with perfect play, going first and going second are equally good.")
    elif answer.verdict == NO:
        yield message("No: with perfect play it makes no difference.")
    elif share in (0.0, 1.0):
        yield (
            message("Yes, it decides the game: with perfect play, whoever begins wins.")
            if share
            else message("Yes, it decides the game: with perfect play, whoever begins loses.")
        )
    elif points > 0:
        yield message("Yes: with perfect play, whoever begins gains {points} points a game.", points=f"{points:.3g}")
    else:
        yield message("Yes: with perfect play, whoever begins loses {points} points a game.", points=f"{-points:.3g}")


def starter_sentences(found: Assessment, answer: SeatsAnswer, starter: Estimate) -> Iterator[str]:
    low, high = bounds_of_hundred(starter)
    said = {"share": of_hundred(starter.value), "fair": of_hundred(answer.fair), "low": low, "high": high}
    is_starter = answer.favoured in (None, 0) or len(answer.places) == 2
    if answer.verdict in (YES, LITTLE) and is_starter:
        yield (
            message("Yes: whoever begins wins {share} of 100 games; {fair} would be fair.", **said)
            if answer.verdict == YES
            else message("A little: whoever begins wins {share} of 100 games; {fair} would be fair.", **said)
        )
    elif answer.verdict in (YES, LITTLE) and answer.favoured is not None:
        place = answer.places[answer.favoured]
        yield message(
            "Yes: whoever plays {place} wins {share} of 100 games; {fair} would be fair.",
            place=ordinal(answer.favoured + 1),
            share=of_hundred(place.value),
            fair=said["fair"],
        )
        yield message("Whoever begins wins {share}.", **said)
    elif answer.verdict == NO:
        yield message("No: whoever begins wins {share} of 100 games; {fair} would be fair.", **said)
    else:
        yield message(
            "Not known: whoever begins wins between {low} and {high} of 100 games; {fair} would be fair.", **said
        )
        yield from more_games(found, answer.more_games)


def only_seen_sentence(answer: SeatsAnswer, behind: int, share: Estimate) -> Message:
    who = (
        message("seat {seat}", seat=behind + 1)
        if answer.starter is None
        else message("whoever plays {place}", place=ordinal(behind + 1)) if behind
        else message("whoever begins")
    )
    return message(
        "Not known: {who} wins {share} of 100 games between these players; {fair} would be fair.",
        who=who, share=of_hundred(share.value), fair=of_hundred(answer.fair),
    )  # fmt: skip


def refuted_sentences(answer: SeatsAnswer, refuted: Refuted) -> Iterator[str]:
    """Nobody is called favoured who only looks so by how the others play."""
    yield only_seen_sentence(answer, refuted.behind, refuted.share)
    other = of_hundred(refuted.other.value)
    yield (
        message(
            "But it is {other} when whoever is worse off looks one step ahead: it may come from how they play, not "
            "from the rules.", other=other,
        )
        if refuted.player == GREEDY
        else message(
            "But it is {other} when whoever is worse off tries out {games} games before each choice: it may come from "
            "how they play, not from the rules.", other=other, games=refuted.player.removeprefix("mcts:"),
        )
    )


def ordinal(number: int) -> Message:
    words = (
        message("first"), message("second"), message("third"), message("fourth"), message("fifth"), message("sixth"),
        message("seventh"), message("eighth"),
    )  # fmt: skip
    return words[number - 1] if number <= len(words) else message("at place {number}", number=number)


def more_games(found: Assessment, games: int | None) -> Iterator[str]:
    if games is not None:
        yield message("About {games:,} games would tell.", games=round_up(games))
        yield from longer_sentences(found)


def more_deals(found: Assessment, deals: int | None) -> Iterator[str]:
    """Where each deal is played at every seat, so many games hang together."""
    if deals is not None:
        yield message("About {deals:,} deals would tell.", deals=round_up(deals))
        yield from longer_sentences(found)


def longer_sentences(found: Assessment) -> Iterator[str]:
    """How to let it run longer; not on a page, where nobody gives options."""
    if found.longer_by:
        yield message("Allow more with {option}.", option=found.longer_by)


def open_seats_sentences(found: Assessment, answer: SeatsAnswer) -> Iterator[str]:
    yield message("Nobody begins: the first choice is made by all at once.")
    lowest, highest = (of_hundred(pick(one.value for one in answer.seats)) for pick in (min, max))
    if answer.verdict in (YES, LITTLE) and answer.favoured is not None:
        yield message(
            "But seat {seat} wins {share} of 100 games; {fair} would be fair.",
            seat=answer.favoured + 1,
            share=of_hundred(answer.seats[answer.favoured].value),
            fair=of_hundred(answer.fair),
        )
    elif answer.verdict == NO:
        yield message("All seats win equally often, {low} to {high} of 100 games each.", low=lowest, high=highest)
    else:
        yield message(
            "It is not known whether all seats win equally often; they won {low} to {high} of 100 games.",
            low=lowest,
            high=highest,
        )
        yield from more_games(found, answer.more_games)


def seats_evidence(found: Assessment, answer: SeatsAnswer) -> Iterator[str]:
    if answer.verdict == TOGETHER:
        return
    if answer.refuted is not None:
        low, high = bounds_of_hundred(answer.refuted.other)
        yield message(
            "{low} to {high} of 100 in {games:,} games against {player}",
            low=low, high=high, games=answer.refuted.other.games, player=answer.refuted.player,
        )  # fmt: skip
    main = answer.starter or answer.seats[answer.favoured or 0]
    low, high = bounds_of_hundred(main)
    if answer.exact:
        yield solve_command(found)
    yield message("{low} to {high} of 100 in {games:,} games", low=low, high=high, games=main.games)
    yield game_command(found, answer.witness)


def solve_command(found: Assessment) -> str:
    return f"rulesrun solve {found.reading.name} --players {found.table.players}"


# ---------------------------------------------------------------- how long


def length_sentences(found: Assessment, answer: LengthAnswer) -> Iterator[str]:
    low, high = answer.spread
    said = {
        "choices": plain(answer.choices.value), "low": low, "high": high, "time": duration(answer.minutes.value),
        "seconds": f"{answer.choice_seconds:g}",
    }  # fmt: skip
    if low == high:
        yield message("Every game has {choices} choices; at {seconds} seconds each, it takes {time}.", **said)
    else:
        yield message(
            "About {choices} choices ({low} to {high} in eight games of ten); at {seconds} seconds each, it takes "
            "{time}.",
            **said,
        )
    if answer.longest_wait > 1:
        yield message(
            "Between two of your own choices, the others make {waiting} on average and {longest} at most.",
            waiting=plain(answer.waiting),
            longest=answer.longest_wait,
        )
    if answer.rounds > 1.05:
        is_whole = answer.rounds == round(answer.rounds)
        yield (
            message("It has {rounds} rounds.", rounds=plain(answer.rounds))
            if is_whole
            else message("It has {rounds} rounds on average.", rounds=plain(answer.rounds))
        )
    if answer.is_misled and answer.random is not None:
        yield message(
            "Random play would mislead you here: it takes {random} choices.",
            random=plain(answer.random.value))


def length_evidence(found: Assessment, answer: LengthAnswer) -> Iterator[str]:
    low, high = (plain(bound or 0.0) for bound in (answer.choices.low, answer.choices.high))
    yield message(
        "mean of {low} to {high} choices in {games:,} games; the "
        "longest:", low=low, high=high, games=answer.choices.games
    )
    yield game_command(found, answer.longest)


# ---------------------------------------------------------------- skill


def skill_sentences(found: Assessment, answer: SkillAnswer) -> Iterator[str]:
    top = answer.steps[-1]
    if found.is_without_choices:
        yield message("No: nobody ever has anything to choose.")
        return
    if answer.in_points:
        yield from skill_in_points(found, answer, top)
        return
    low, high = bounds_of_hundred(top.share)
    said = {"share": of_hundred(top.share.value), "fair": of_hundred(top.fair), "low": low, "high": high}
    if answer.verdict in (YES, LITTLE):
        yield (
            message(
                "Yes: a good player among random ones wins {share} of 100 games; {fair} would be pure luck.", **said
            )
            if answer.verdict == YES
            else message(
                "A little: a good player among random ones wins {share} of 100 games; {fair} would be pure luck.",
                **said,
            )
        )
        if answer.luck is not None and answer.luck.low is not None:
            low, high = bounds_of_hundred(answer.luck)
            yield message("So luck decides between {low} and {high} of 100 games.", low=low, high=high)
    elif answer.verdict == NO:
        yield message(
            "No: a good player among random ones wins {share} of 100 games; {fair} would be pure luck.", **said
        )
    else:
        yield message(
            "Not known: a good player among random ones wins between {low} and {high} of 100 games; {fair} would be "
            "pure luck.",
            **said,
        )
        yield from more_deals(found, answer.more_games)
    yield from deeper_sentences(answer)


def skill_in_points(found: Assessment, answer: SkillAnswer, top: Step) -> Iterator[str]:
    gain = plain(top.share.value)
    if answer.verdict in (YES, LITTLE):
        yield (
            message("Yes: good players score {gain} points more than random ones.", gain=gain)
            if found.is_common
            else message("Yes: a good player wins {gain} points a game from a random one.", gain=gain)
        )
    else:
        yield message(
            "Not known: good players score between {low} and {high} points more than random ones.",
            low=plain(top.share.low or 0.0),
            high=plain(top.share.high or 0.0),
        )
        yield from more_deals(found, answer.more_games)


def deeper_sentences(answer: SkillAnswer) -> Iterator[str]:
    """Whether thinking further pays."""
    first = answer.steps[0]
    if len(answer.steps) < 2:
        return
    if first.verdict in (YES, LITTLE):
        yield message(
            "Thinking further ahead pays too: a good player wins {share} of 100 games among players who look one step "
            "ahead.",
            share=of_hundred(first.share.value),
        )
    elif first.verdict == NO:
        yield message(
            "But looking one step ahead is enough: whoever thinks further wins no more often ({share} of 100).",
            share=of_hundred(first.share.value),
        )


def skill_evidence(found: Assessment, answer: SkillAnswer) -> Iterator[str]:
    for step in reversed(answer.steps):
        whom = message("random") if step.against == "random" else message("one step ahead")
        if answer.in_points:
            low, high = (plain(bound or 0.0) for bound in (step.share.low, step.share.high))
            yield message(
                "against {whom}: {low} to {high} points, {deals:,} deals played both ways",
                whom=whom,
                low=low,
                high=high,
                deals=step.share.games,
            )
        else:
            low, high = bounds_of_hundred(step.share)
            yield message(
                "against {whom}: {low} to {high} of 100, {deals:,} deals played at every seat",
                whom=whom,
                low=low,
                high=high,
                deals=step.share.games,
            )
    yield game_command(found, answer.witness, answer.steps[-1].against)


# ---------------------------------------------------------------- worth


def worth_sentences(found: Assessment, answer: WorthAnswer) -> Iterator[str]:
    if found.is_without_choices:
        yield message("Nobody ever has anything to choose.")
    elif not answer.items:
        yield message(
            "Nothing stands out: there is only one action, and good players use all of its values and components."
        )
    yield from (trap_message(answer, one) for one in answer.list_worths(HARMFUL)[:MOST_NAMED])
    yield from (idle_message(answer, one) for one in answer.list_worths(IDLE)[:MOST_NAMED])
    yield from needed_messages(answer, sorted(answer.list_worths(NEEDED), key=lambda one: -one.loss.value))
    unknown = tuple(item_text(one.item) for one in answer.list_worths(NOT_KNOWN))
    if unknown:
        yield message("Not known for {items}: more games would tell.", items=unknown)
        yield from longer_sentences(found)


def trap_message(answer: WorthAnswer, one: ItemWorth) -> Message:
    said = {"item": item_text(one.item), "wins": loss_text(answer, one)}
    return message("{item} is a trap: a player who avoids it wherever possible {wins}.", **said)


def idle_message(answer: WorthAnswer, one: ItemWorth) -> Message:
    said = {"item": item_text(one.item), "wins": loss_text(answer, one), "usage": of_hundred(one.usage)}
    if one.usage < one.expected:
        return message(
            "{item} is never worth it: good players choose it {usage} times in 100 when they could, and a player who "
            "avoids it wherever possible {wins}.",
            **said)
    return message(
        "{item} makes no difference: good players choose it {usage} times in 100 when they could, and a player who "
        "avoids it wherever possible {wins}.",
        **said)


def needed_messages(answer: WorthAnswer, needed: Sequence[ItemWorth]) -> Iterator[Message]:
    """The most first."""
    if not needed:
        return
    most, least = ({"item": item_text(one.item), "wins": loss_text(answer, one)} for one in (needed[0], needed[-1]))
    if len(needed) == 1:
        yield message("{item} is worth it: a player who avoids it wherever possible {wins}.", **most)
        return
    yield message("{item} is worth most: a player who avoids it wherever possible {wins}.", **most)
    yield message(
        "{item} is worth least, but still worth it: a player who avoids it wherever possible {wins}.", **least
    )


def loss_text(answer: WorthAnswer, one: ItemWorth) -> Message:
    loss = one.loss.value
    if answer.in_points or one.is_exact:
        if round(loss, 2) == 0:
            return message("loses no points")
        return (
            message("loses {loss} points a game", loss=plain(abs(loss)))
            if loss > 0
            else message("gains {loss} points a game", loss=plain(abs(loss)))
        )
    if round(100 * loss) == 0:
        return message("wins just as often")
    return (
        message("wins {loss} fewer of 100 games", loss=of_hundred(abs(loss)))
        if loss > 0
        else message("wins {loss} more of 100 games", loss=of_hundred(abs(loss)))
    )


def worth_evidence(found: Assessment, answer: WorthAnswer) -> Iterator[str]:
    yield from (worth_line(answer, one) for one in answer.items)
    shown = next((one for one in answer.items if one.witness is not None), None)
    if shown is not None:
        yield game_command(found, shown.witness)


def worth_line(answer: WorthAnswer, one: ItemWorth) -> Message:
    item, low, high = item_text(one.item), one.loss.low, one.loss.high
    if one.is_exact:
        return message("{item}: {loss} points, solved with it and without it", item=item, loss=plain(one.loss.value))
    if low is None or high is None:
        return message("{item}: too few games", item=item)
    if answer.in_points:
        return message("{item}: {low} to {high} points lost without it, {deals:,} deals both ways", item=item,
                       low=plain(low), high=plain(high), deals=one.loss.games)
    return message("{item}: {low} to {high} of 100 games lost without it, {deals:,} deals both ways", item=item,
                   low=f"{100 * low:.1f}", high=f"{100 * high:.1f}", deals=one.loss.games)


# ---------------------------------------------------------------- decided


def decided_sentences(found: Assessment, answer: DecidedAnswer) -> Iterator[str]:
    if found.is_without_choices:
        yield message("Only chance decides: nobody ever has anything to choose.")
        return
    if answer.verdict == NO:
        yield message("Before it begins: between good players it always ends the same way.")
        return
    yield when_message(found, answer)
    if answer.verdict == NOT_KNOWN:
        yield from longer_sentences(found)
        return
    said = {"again": of_hundred(answer.again[2].value), "anew": of_hundred(answer.anew.value)}
    if found.is_common:
        yield message(
            "Replay it from the middle, and in {again} of 100 games the result is again above, or again below, the "
            "usual; replay all of it, and in {anew}.",
            **said)
        return
    yield message(
        "Replay it from the middle, and in {again} of 100 games the same player wins; replay all of it, and in "
        "{anew}.",
        **said)
    if answer.leads:
        half, late = of_hundred(answer.leads[min(1, len(answer.leads) - 1)].value), of_hundred(answer.leads[-1].value)
        yield message(
            "Whoever leads on points at half time wins {half} of 100 games; after three quarters, {late}.",
            half=half, late=late)
    elif not answer.has_known_points:
        yield message("Points do not show it: they are counted only at the end.")


def when_message(found: Assessment, answer: DecidedAnswer) -> Message:
    half = answer.half
    if answer.verdict == NOT_KNOWN or half is None:
        return message("Not known when; more games would tell.")
    if half.value == 0:
        return message("By the deal: from the same beginning, the same player wins {deal} of 100 games.",
                       deal=of_hundred(answer.again[0].value))
    parts = of_hundred(half.value)
    if half.value < EARLY:
        return message("Early: half of it is decided after {half} of 100 choices.", half=parts)
    if half.value < LATE:
        return message("In the middle: half of it is decided after {half} of 100 choices.", half=parts)
    return message("Late: half of it is decided only after {half} of 100 choices.", half=parts)


def decided_evidence(found: Assessment, answer: DecidedAnswer) -> Iterator[str]:
    if not answer.again:
        return
    names = (
        message("from the first choice"), message("from a quarter"), message("from the middle"),
        message("from three quarters"),
    )  # fmt: skip
    for name, one in zip(names, answer.again, strict=True):
        low, high = bounds_of_hundred(one)
        yield message(
            "{name}: {low} to {high} of 100, {games:,} games replayed from there",
            name=name,
            low=low,
            high=high,
            games=one.games,
        )
    yield game_command(found, answer.witness)


# ---------------------------------------------------------------- JSON

SEATS: Says[SeatsAnswer] = (seats_sentences, seats_evidence)
LENGTH: Says[LengthAnswer] = (length_sentences, length_evidence)
SKILL: Says[SkillAnswer] = (skill_sentences, skill_evidence)
WORTH: Says[WorthAnswer] = (worth_sentences, worth_evidence)
DECIDED: Says[DecidedAnswer] = (decided_sentences, decided_evidence)


def assessment_json(found: Assessment) -> dict[str, Any]:
    return {
        "file": found.reading.name, "title": found.reading.title, "tables": [table_json(found)],
        "seed": found.seed, "games": found.games, "engine": found.engine, "seconds": round(found.seconds, 3),
        "partial": found.is_partial,
    }  # fmt: skip


def table_json(found: Assessment) -> dict[str, Any]:
    return {
        "players": found.table.players, "options": dict(found.table.options),
        "witness": "solve" if found.solution is not None else found.judge,
        "passed_over": None if found.passed_over is None else step_json(found.passed_over),
        "in_points": found.in_points,
        "answers": {
            "start": seats_json(found), "length": length_json(found), "skill": skill_json(found),
            "worth": worth_json(found), "decided": decided_json(found),
        },
        "games": found.games, "stuck": dict(sorted(found.stuck.items())),
        "played": {kind: [found.played[kind], games] for kind, games in found.planned.items()},
    }  # fmt: skip


def head_json(verdict: str, found: Assessment, answer: Answer, says: Says[Answer]) -> dict[str, Any]:
    sentences, evidence = says
    return {
        "says": " ".join(sentences(found, answer)), "known": verdict != NOT_KNOWN, "verdict": verdict,
        "see": [line for line in evidence(found, answer) if line.startswith("rulesrun ")],
    }  # fmt: skip


def unknown_json(found: Assessment) -> dict[str, Any]:
    """Of a question for which there were no games."""
    return {"says": " ".join([UNANSWERED, *longer_sentences(found)]), "known": False, "verdict": NOT_KNOWN, "see": []}


def limits_json(found: Estimate | None, less: float = 0.0) -> list[float | None] | None:
    """A value and its interval."""
    if found is None:
        return None
    return [None if one is None else one - less for one in (found.value, found.low, found.high)]


def maybe(found: Estimate | None) -> dict[str, Any] | None:
    return None if found is None else estimate_json(found)


def seats_json(found: Assessment) -> dict[str, Any]:
    answer = found.seats
    if answer is None:
        return unknown_json(found)
    return head_json(answer.verdict, found, answer, SEATS) | {
        "wins": limits_json(answer.starter, answer.fair), "lead": limits_json(answer.lead),
        "fair": answer.fair, "starter": maybe(answer.starter), "places": [estimate_json(one) for one in answer.places],
        "seats": [estimate_json(one) for one in answer.seats], "starter_varies": answer.is_by_lot,
        "exact": [{"starter": one.seat, "points": one.points, "doubt": one.doubt} for one in answer.exact],
        "random": maybe(answer.random), "random_misleads": answer.is_misled, "more_games": answer.more_games,
        "refuted": None if answer.refuted is None else {
            "by": answer.refuted.player, "behind": answer.refuted.behind, "seen": maybe(answer.refuted.share),
            "then": maybe(answer.refuted.other),
        },
        "unchecked": answer.unchecked is not None,
    }  # fmt: skip


def length_json(found: Assessment) -> dict[str, Any]:
    answer = found.length
    if answer is None:
        return unknown_json(found)
    return head_json(answer.verdict, found, answer, LENGTH) | {
        "choices": estimate_json(answer.choices), "eight_of_ten": list(answer.spread),
        "decisions": estimate_json(answer.decisions), "minutes": estimate_json(answer.minutes),
        "choice_seconds": answer.choice_seconds, "choices_a_turn": answer.a_turn, "rounds": answer.rounds,
        "waiting": answer.waiting, "longest_wait": answer.longest_wait, "random": maybe(answer.random),
        "random_misleads": answer.is_misled,
    }  # fmt: skip


def skill_json(found: Assessment) -> dict[str, Any]:
    answer = found.skill
    if answer is None:
        return unknown_json(found)
    return head_json(answer.verdict, found, answer, SKILL) | {
        "in_points": answer.in_points, "luck": maybe(answer.luck), "more_games": answer.more_games,
        "steps": [step_json(one) for one in answer.steps],
    }  # fmt: skip


def step_json(one: Step) -> dict[str, Any]:
    return {
        "player": one.player, "against": one.against, "share": estimate_json(one.share), "fair": one.fair,
        "verdict": one.verdict,
    }  # fmt: skip


def worth_json(found: Assessment) -> dict[str, Any]:
    answer = found.worth
    if answer is None:
        return unknown_json(found)
    return head_json(answer.verdict, found, answer, WORTH) | {
        "in_points": answer.in_points,
        "items": worth_json_items(answer),
    }  # fmt: skip


def worth_json_items(answer: WorthAnswer) -> list[dict[str, Any]]:
    return [
        {"item": list(one.item), "verdict": one.verdict, "loss": estimate_json(one.loss), "usage": one.usage,
         "expected": one.expected, "possible": one.possible, "exact": one.is_exact}
        for one in answer.items
    ]  # fmt: skip


def decided_json(found: Assessment) -> dict[str, Any]:
    answer = found.decided
    if answer is None:
        return unknown_json(found)
    return head_json(answer.verdict, found, answer, DECIDED) | {
        "anew": estimate_json(answer.anew), "again": [estimate_json(one) for one in answer.again],
        "leads": [estimate_json(one) for one in answer.leads], "half": maybe(answer.half),
        "known_points": answer.has_known_points, "more_games": answer.more_games,
    }  # fmt: skip
