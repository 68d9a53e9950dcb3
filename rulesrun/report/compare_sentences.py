"""What a house rule changes in play, in sentences: the clear effects at one table in, what a designer would say out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log
from textwrap import wrap

from rulesrun.dsl.text.messages import Message, Names, message, plural
from rulesrun.interpreter.assess.played_games import is_played_together
from rulesrun.interpreter.measure.declared_figures import DECISIONS, Key, declared_figure
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.interpreter.measure.paired import Effect
from rulesrun.locale.language import translate
from rulesrun.services.compare import ComparedTable, Comparison, SkillChange

WIDTH = 78
MOST_OF_A_KIND = 2
SURE = 1.7  # half widths of 95 % that make one of 99.9 %
SMALL_EFFECT = 0.05  # of the games: what is known to be smaller is told as none
LEAST_SHARE, LEAST_PART = 0.005, 0.01  # of the games; of what it was: smaller effects are not told
AS_LENGTH = 2  # times as far, in its logarithm
KINDS = ("action", "line", "component")


def comparison_sentences(found: Comparison, players: int) -> Iterator[tuple[Message | None, list[Message]]]:
    """Who plays, and what is said of it; good players first."""
    good, random = (find_table(tables, players) for tables in (found.good, found.tables))
    if good is not None:
        said = [*table_sentences(good), *(skill_sentence(one) for one in found.skill if one.players == players)]
        if random is not None:
            said += list(opposite_sentences(good, random))
        deals = good.duel.pairs.finished
        yield plural("Good players ({player}), {deals:,} deal:", "Good players ({player}), {deals:,} deals:", deals,
                     player=found.good_player, deals=deals), [one for one in said if one is not None]  # fmt: skip
    if random is not None:
        yield random_head(found, random, good), list(table_sentences(random))


def random_head(found: Comparison, random: ComparedTable, good: ComparedTable | None) -> Message | None:
    """What rests on random players alone is marked. Players who were asked for are named elsewhere."""
    deals = random.duel.pairs.finished
    if random.duel.bots[0] is not None:
        return None
    if good is not None:
        return plural("Random players, {deals:,} deal:", "Random players, {deals:,} deals:", deals, deals=deals)
    if found.good_player and random.is_hopeless:
        return message("Random players only, because too many of their games do not end:")
    return plural("Random players only, {deals:,} deal:", "Random players only, {deals:,} deals:", deals,
                  deals=deals)  # fmt: skip


def find_table(tables: Sequence[ComparedTable], players: int) -> ComparedTable | None:
    return next((one for one in tables if one.players == players), None)


def paragraph_lines(head: Message | None, sentences: Sequence[Message]) -> list[str]:
    said = " ".join(map(translate, sentences if head is None else [head, *sentences]))
    return wrap(said, WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def table_sentences(one: ComparedTable) -> Iterator[Message]:
    if not one.found:
        yield message("Too few games ended to say anything.")
        return
    clear = {effect.key: effect for effect in one.clear if is_large(effect)}
    said = [*length_sentences(clear), *seat_sentences(one, clear), *score_sentences(one, clear), *end_sentences(clear)]
    for kind in KINDS:
        of_kind = [
            each for each in clear.values() if each.key[0] == kind and not follows_from_length(each, clear)
        ]
        said += [kind_sentence(effect) for effect in of_kind[:MOST_OF_A_KIND]]
    if not one.clear:
        yield message("No effect was measured.")
    elif not clear:
        yield message("All changes are small: less than one hundredth of the value before.")
    elif not said:
        yield message("Games take another course, but last as long, and the same players win.")
    yield from said
    yield from unseen_seats(one)


def follows_from_length(effect: Effect, clear: Mapping[Key, Effect]) -> bool:
    """In longer games every component is chosen more often: that says nothing of the component."""
    length = clear.get(DECISIONS)
    if length is None or effect.key[0] != "component" or min(effect.left, effect.right, length.left, length.right) <= 0:
        return False
    own, whole = log(effect.right / effect.left), log(length.right / length.left)
    return own * whole > 0 and abs(own) <= AS_LENGTH * abs(whole)


def is_large(effect: Effect) -> bool:
    """What is certain can still be too small to be told."""
    if declared_figure(effect.key).is_bounded:
        return abs(effect.difference.value) >= LEAST_SHARE
    return abs(effect.difference.value) >= LEAST_PART * max(abs(effect.left), abs(effect.right))


def length_sentences(clear: dict[Key, Effect]) -> Iterator[Message]:
    effect = clear.get(DECISIONS)
    if effect is not None:
        said = describe_effect(effect)
        yield (message("Games get longer: {variant} decisions instead of {base} ({low} to {high} more).", **said)
               if effect.difference.value > 0 else
               message("Games get shorter: {variant} decisions instead of {base} ({low} to {high} fewer).", **said))
    rounds = clear.get(("length", "rounds"))
    if rounds is not None:
        said = describe_effect(rounds)
        yield message("There are {variant} rounds instead of {base}.", variant=said["variant"], base=said["base"])


def seat_sentences(one: ComparedTable, clear: dict[Key, Effect]) -> Iterator[Message]:
    """Who gains; who loses only where nobody gains clearly. Of a team nobody gains alone."""
    if is_played_together(one.duel.left):
        return
    seats = [effect for key, effect in clear.items() if key[0] == "win"]
    gaining = [effect for effect in seats if effect.difference.value > 0]
    for effect in sorted(gaining or seats, key=lambda effect: effect.key):
        said = describe_share(effect) | {"seat": effect.key[1]}
        yield (message("Seat {seat} wins {variant} of 100 games instead of {base} ({low} to {high} more).", **said)
               if effect.difference.value > 0 else
               message("Seat {seat} wins {variant} of 100 games instead of {base} ({low} to {high} fewer).", **said))


def unseen_seats(one: ComparedTable) -> Iterator[Message]:
    seats = [effect for effect in one.found if effect.key[0] == "win"]
    told = {effect.key for effect in one.clear if is_large(effect)}
    if is_played_together(one.duel.left) or any(effect.key in told for effect in seats) or not seats:
        return
    widest = max(reach_of(effect) for effect in seats)
    if widest <= SMALL_EFFECT:
        yield message("No seat gains or loses {size} or more of 100 games.", size=hundredths(widest))
    elif widest <= 1:
        yield message(
            "It is not known whether a seat gains: an effect below {size} of 100 games would not have been seen.",
                      size=hundredths(widest))
    else:
        yield message("It is not known whether a seat gains.")


def reach_of(effect: Effect) -> float:
    """The largest change that fits to what was seen."""
    low, high = effect.difference.low, effect.difference.high
    if low is None or high is None:
        return float("inf")
    return max(abs(low), abs(high), effect.smallest if effect.moved else 0.0)


def score_sentences(one: ComparedTable, clear: dict[Key, Effect]) -> Iterator[Message]:
    """All seats in one sentence; of a team the one score."""
    scores = [effect for key, effect in clear.items() if key[0] == "score"]
    if not scores or len({effect.difference.value > 0 for effect in scores}) > 1:
        return
    said = describe_effect(min(scores, key=lambda effect: effect.key))
    if is_played_together(one.duel.left):
        yield message("The score is {variant} instead of {base}.", variant=said["variant"], base=said["base"])
    elif len(scores) == one.players:
        yield message("A player scores {variant} points instead of {base}.", variant=said["variant"], base=said["base"])


def end_sentences(clear: dict[Key, Effect]) -> Iterator[Message]:
    for key, effect in clear.items():
        if key == ("tie",):
            yield message("A first place is shared in {variant} of 100 games instead of {base}.",
                          **just_both(describe_share(effect)))
        elif key[0] == "result":
            yield message("The result is {result} in {variant} of 100 games instead of {base}.", result=Names(key[1]),
                          **just_both(describe_share(effect)))


def kind_sentence(effect: Effect) -> Message:
    said = just_both(describe_effect(effect)) | {"name": Names(effect.key[1])}
    match effect.key[0]:
        case "line":
            return message("{name} earns {variant} points a game instead of {base}.", **said)
        case _:
            return message("{name} is chosen {variant} times a game instead of {base}.", **said)


def skill_sentence(one: SkillChange) -> Message | None:
    """Only what is very clear: it is asked beside all other effects."""
    found = one.difference
    if found.low is None or found.high is None or abs(found.value) <= SURE * found.half_width:
        return None
    said = {"base": hundredths(one.base.value), "variant": hundredths(one.variant.value)}
    if found.value > 0:
        return message(
            "Skill matters more: a good player among random ones wins {variant} of 100 games instead of {base}.",
            **said)
    return message(
        "Luck matters more: a good player among random ones wins {variant} of 100 games instead of {base}.",
        **said)


def opposite_sentences(good: ComparedTable, random: ComparedTable) -> Iterator[Message]:
    """Where random players clearly say the opposite."""
    others = {effect.key: effect for effect in random.clear}
    for effect in good.clear:
        other = others.get(effect.key)
        if effect.key[0] not in ("win", "score", "length", "tie") or other is None:
            continue
        if (other.difference.value > 0) != (effect.difference.value > 0):
            yield message("Random play shows the opposite and would mislead you here.")
            return


def describe_effect(effect: Effect) -> dict[str, str]:
    low, high = bounds_of(effect.difference)
    return tell_apart(effect, amount) | {"low": amount(low), "high": amount(high)}


def describe_share(effect: Effect) -> dict[str, str]:
    low, high = bounds_of(effect.difference)
    return tell_apart(effect, hundredths) | {"low": hundredths(low), "high": hundredths(high)}


def tell_apart(effect: Effect, write: Callable[[float], str]) -> dict[str, str]:
    """What it was and what it is, with as many digits as it takes to see the difference."""
    said = {"base": write(effect.left), "variant": write(effect.right)}
    size = 100 if declared_figure(effect.key).is_bounded else 1
    for digits in (1, 2, 3):
        if said["base"] != said["variant"]:
            break
        said = {"base": f"{size * effect.left:.{digits}f}", "variant": f"{size * effect.right:.{digits}f}"}
    return said


def just_both(said: dict[str, str]) -> dict[str, str]:
    return {name: said[name] for name in ("base", "variant")}


def bounds_of(found: Estimate) -> tuple[float, float]:
    """How much more, or how much fewer: the smaller amount first."""
    low, high = abs(found.low or 0.0), abs(found.high or 0.0)
    return min(low, high), max(low, high)


def hundredths(share: float) -> str:
    hundred = 100 * share
    return f"{hundred:.0f}" if abs(hundred) >= 1 or hundred == 0 else f"{hundred:.1f}"


def amount(number: float) -> str:
    text = f"{number:.0f}" if abs(number) >= 20 else f"{number:.1f}" if abs(number) >= 1 else f"{number:.2g}"
    return text.removesuffix(".0")
