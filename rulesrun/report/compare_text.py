"""A comparison as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log
from textwrap import wrap

from rulesrun.dsl.text.messages import Message, Names, join_messages, message, plural, template
from rulesrun.dsl.variants.differences import Difference
from rulesrun.files.loading import Reading
from rulesrun.interpreter.assess.played_games import is_played_together
from rulesrun.interpreter.measure.declared_figures import DECISIONS, Key, declared_figure
from rulesrun.interpreter.measure.estimates import FEWEST, Estimate, estimate_share
from rulesrun.interpreter.measure.pairs import Effect
from rulesrun.locale.language import list_labels, say, say_plural, spoken_language, translate, use_words
from rulesrun.report.figure_text import estimate_json, figure_name, number_text, percent_text
from rulesrun.report.measure_text import players_kind
from rulesrun.services.compare import ComparedTable, Comparison, SkillChange
from rulesrun.services.reports import head_line
from rulesrun.services.unfinished_games import going_on_json, going_on_text, going_on_word, is_fault
from rulesrun.terminal.output import RED, labelled_row, paint_text, say_label
from rulesrun.terminal.plurals import count_deals, count_games, count_players
from rulesrun.terminal.requests import CompareRequest

# ---- compare sentences
# What a house rule changes in play, in sentences: the clear effects at one table in, what a designer would say out.


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


# ---- compare text


KNOWLEDGE_ONLY = message(
    "This changes only what players know, which random players ignore. Only good players are compared."
)
REDUCED = template(
    "Without the native engine good players ({player}) think less or play fewer deals: `pip install rulesrun[native]`."
)
NOT_ASKED = template(
    "Good players were left out: without the native engine they need more time than is allowed (`pip install "
    "rulesrun[native]`)."
)
MOST_EFFECTS = 16
FEW = 3
PAIRED: tuple[Key, ...] = (("win", "1"), ("score", "1"), DECISIONS)
MANY = {
    "component": template("{amount} components are chosen more or less often; most clearly {effect}"),
    "kept": template("{amount} components are kept more or less often; most clearly {effect}"),
}  # fmt: skip
SIDES = (message("the base"), message("the variant"))
GENERAL: tuple[Key, ...] = (("tie",), DECISIONS, ("length", "rounds"), ("margin",))


def comparison_lines(found: Comparison, request: CompareRequest) -> Iterator[str]:
    use_words(found.variant.game)
    against = say(", against {title}", title=title_in_words(found.base))
    yield head_line(found.variant) + against
    yield from rule_change_lines(found)
    if found.is_knowledge_only:
        yield from paragraph_lines(None, [KNOWLEDGE_ONLY])
    if found.is_reduced:
        said = REDUCED if found.good_player else NOT_ASKED
        yield from paragraph_lines(None, [message(said, player=found.good_player)])
    for players in found.players:
        yield from table_lines(found, players, request)
    for title in found.failing_examples:
        yield f"  {paint_text(say_label('fails now'), RED)}  " + say('example "{title}"', title=title)
    for title in found.broken:
        yield f"  {paint_text(say_label('broken now'), RED)} \"{title}\""
    for at, reading in enumerate((found.base, found.variant)):
        if any(one.duel.pairs.stuck[at] for one in found.tables):
            sentence = template("why games get stuck: rulesrun {file}") if any(
                one.stuck[at] for one in found.tables
            ) else template("why games go on: rulesrun {file}")
            yield labelled_row("next", say(sentence, file=reading.name))
    gone = [one for one in found.words.pieces if one.word == "removed" and not one.is_rule]
    if gone:
        yield "  " + say(
            "removed together with their rules: {amount} examples and properties of the base",
            amount=len(gone))
    partial = say("interrupted: this report is partial; ") if found.is_partial else ""
    earlier = sum(2 * one.continued for one in found.tables)
    yield f"  {partial}" + say(
        "{games} in {seconds:.1f} s, the same deals under both rules; 95 % intervals in brackets",
        games=count_games(found.games - earlier), seconds=found.seconds,
    )  # fmt: skip
    if earlier:
        yield "  " + say("{games:,} more games are from an earlier run", games=earlier)
    if found.is_partial:
        yield f"  {translate(found.advice)}"


def title_in_words(reading: Reading) -> str:
    """What the game of another rulebook is called."""
    return list_labels(reading.game, spoken_language().code or "").get("game", reading.title)


def rule_change_lines(found: Comparison) -> Iterator[str]:
    for old, new in found.words.renamed.items():
        yield labelled_row("renamed", say("{old} is renamed to {new}", old=old, new=new))
    rules = [one for one in found.words.pieces if one.is_rule]
    if not rules:
        yield "  " + say("the rules are the same")
    for one in rules:
        yield labelled_row(one.word, one.what)
        yield from (f"    {mark} {line}".rstrip() for mark, line in marked_lines(one))


def marked_lines(one: Difference) -> list[tuple[str, str]]:
    """In their order, with what they stand under; the least indented one at the edge."""
    lines = one.lines or tuple(("-", line) for line in one.old) + tuple(("+", line) for line in one.new)
    edge = min((len(line) - len(line.lstrip()) for _, line in lines), default=0)
    return [(mark, line[edge:]) for mark, line in lines]


def table_lines(found: Comparison, players: int, request: CompareRequest) -> Iterator[str]:
    """What is said by good and by random players; with `--figures all` every figure of both."""
    table = plural("{count} player", "{count} players", players)
    if request.seats is not None:
        table = plural("{count} player ({seats})", "{count} players ({seats})", players, seats=request.seats)
    yield f"  {translate(table)}"
    for head, sentences in comparison_sentences(found, players):
        yield from paragraph_lines(head, sentences)
    for tables in (found.good, found.tables):
        for one in tables:
            if one.players == players:
                yield from unfinished_lines(one)
    if request.figures == "all":
        seats = request.seats or found.good_player
        for tables, asked in ((found.good, seats), (found.tables, request.seats)):
            figures = find_table(tables, players)
            if figures is not None:
                yield from compared_table_lines(figures, request.but(seats=asked))


def compared_table_lines(one: ComparedTable, request: CompareRequest) -> Iterator[str]:
    pairs = one.duel.pairs
    yield "  " + say(
        "{players}: {deals}, played {who}; {difference}", players=count_players(one.players),
        deals=count_deals(pairs.games), who=players_kind(request.seats), difference=difference_sentence(one),
    )  # fmt: skip
    if not one.found:
        yield "    " + say("too few games to say anything")
        return
    if not one.clear:
        yield "    " + say("no measurable effect")
    yield from clear_effect_lines(one)
    yield from unseen_effect_lines(one)
    yield from pairing_lines(one)


def difference_sentence(one: ComparedTable) -> Message:
    """In how many deals the game is another one."""
    pairs = one.duel.pairs
    if not pairs.finished:
        return message("none of them ended under both rules")
    differing = estimate_share(pairs.differing, pairs.finished)
    low, high = (percent_text(bound or 0.0) for bound in (differing.low, differing.high))
    share = percent_text(differing.value)
    if pairs.finished == pairs.games:
        return message("the game differs in {share} of them ({low} to {high})", share=share, low=low, high=high)
    return message(
        "the game differs in {share} of the {deals:,} that ended under both rules ({low} to {high})", share=share,
        deals=pairs.finished, low=low, high=high,
    )  # fmt: skip


def unfinished_lines(one: ComparedTable) -> Iterator[str]:
    """Games that got stuck, and games that were not over after very long: what is known of these."""
    for side, games in zip(SIDES, one.stuck, strict=True):
        if games:
            yield f"    {paint_text(say_label('stuck'), RED)}: {unfinished_text(side, games)}"
    for side, games, found in zip(SIDES, one.duel.pairs.long, one.going_on, strict=True):
        if games:
            said = say_label(going_on_word(found))
            yield f"    {paint_text(said, RED) if is_fault(found) else said}: {unfinished_text(side, games)}"
            yield f"      {translate(going_on_text(found))}"


def unfinished_text(side: Message, games: int) -> str:
    return say_plural("{side}, in {count:,} game", "{side}, in {count:,} games", games, side=side)


def pairing_lines(one: ComparedTable) -> Iterator[str]:
    """How much narrower the same deals make the intervals; not every figure of a game remembers its deal."""
    told = [
        join_messages([figure_name(effect.key), f"{effect.difference.half_width / effect.unpaired:.2f}"], " ")
        for effect in one.found
        if effect.key in PAIRED and effect.moved >= FEWEST and effect.unpaired and effect.difference.low is not None
    ]
    if told:
        yield "    " + say("width of the intervals, compared with two separate runs: {widths}", widths=told)


def clear_effect_lines(one: ComparedTable) -> Iterator[str]:
    """In the order of the figures; of many components only the one that changed most clearly."""
    clear = {effect.key for effect in one.clear}
    told = [effect for effect in one.found if effect.key in clear and effect.key[0] not in MANY]
    many = []
    for word, sentence in MANY.items():
        own = [effect for effect in one.clear if effect.key[0] == word]
        if len(own) <= FEW:
            told += own
        else:
            many.append("    " + say(sentence, amount=len(own), effect=effect_text(own[0])))
    for effect in told[:MOST_EFFECTS]:
        yield "    " + translate(effect_text(effect))
    if len(told) > MOST_EFFECTS:
        yield "    " + say(
            "… and {amount} more figures; `--json` has them all", amount=len(told) - MOST_EFFECTS
        )
    yield from many


def effect_text(effect: Effect) -> Message:
    is_share = declared_figure(effect.key).is_share
    told = percent_text if is_share else number_text
    found = effect.difference
    low, high = ("?" if bound is None else told(bound) for bound in (found.low, found.high))
    sign = "+" if found.value > 0 else ""
    return message(
        "{figure}: {before} → {after}, {change} ({low} to {high})", figure=figure_name(effect.key),
        before=told(effect.left), after=told(effect.right), change=f"{sign}{told(found.value)}",
        low=low.removesuffix(" %"), high=high,
    )  # fmt: skip


def unseen_effect_lines(one: ComparedTable) -> Iterator[str]:
    """Of what matters most and did not change: how small an effect would have been seen."""
    clear, pairs = {effect.key for effect in one.clear}, one.duel.pairs
    if not pairs.differing:
        return
    for effect in one.found:
        if effect.key in clear or not (effect.key[0] == "win" or effect.key in GENERAL):
            continue
        name = figure_name(effect.key)
        if effect.moved == 0:
            most = estimate_share(0, pairs.finished).high or 1.0
            yield "    " + say(
                "{figure}: the same in every deal (95 % certain: it differs in fewer than {share} of "
                "them)", figure=name,
                share=percent_text(most),
            )  # fmt: skip
        elif effect.smallest == float("inf"):
            yield "    " + say("{figure}: not known, it differs in only {deals} deals", figure=name, deals=effect.moved)
        else:
            write = percent_text if declared_figure(effect.key).is_share else number_text
            size = write(effect.smallest)
            yield "    " + say("{figure}: no measurable effect (an effect of {size} would have been seen)", figure=name,
                               size=size)  # fmt: skip


# ---------------------------------------------------------------- JSON


def comparisons_json(found: Sequence[Comparison], request: CompareRequest) -> dict[str, object]:
    return {
        "comparisons": [comparison_json(one) for one in found],
        "seats": request.seats or "random",
        "games": sum(one.games for one in found),
        "engine": "native" if any(one.engine == "native" for one in found) else "reference",
        "seconds": round(sum(one.seconds for one in found), 3),
        "partial": any(one.is_partial for one in found),
    }


def comparison_json(found: Comparison) -> dict[str, object]:
    return {
        "base": found.base.name,
        "variant": found.variant.name,
        "title": found.variant.title,
        "ok": found.holds,
        "partial": found.is_partial,
        "renamed": dict(found.words.renamed),
        "differences": [difference_json(one) for one in found.words.pieces],
        "failing_examples": found.failing_examples,
        "broken": found.broken,
        "tables": [compared_table_json(one) for one in found.tables],
        "knowledge_only": found.is_knowledge_only,
        "good": {"player": found.good_player, "tables": [compared_table_json(one) for one in found.good]},
        "skill": [
            {"players": one.players, "base": estimate_json(one.base), "variant": estimate_json(one.variant),
             "difference": estimate_json(one.difference)}
            for one in found.skill
        ],
        "says": {
            str(players): [str(said) for _, part in comparison_sentences(found, players) for said in part]
            for players in found.players
        },
        "games": found.games,
        "seconds": round(found.seconds, 3),
    }


def difference_json(one: Difference) -> dict[str, object]:
    old, new = ([line.strip() for line in lines] for lines in (one.old, one.new))
    return {"change": one.word, "what": one.what, "rule": one.is_rule, "old": old, "new": new}


def compared_table_json(one: ComparedTable) -> dict[str, object]:
    pairs, clear = one.duel.pairs, {effect.key for effect in one.clear}
    return {
        "players": one.players,
        "deals": pairs.games,
        "continued": one.continued,
        "differing": estimate_json(estimate_share(pairs.differing, pairs.finished)),
        "stuck": list(one.stuck),
        "going_on": [going_on_json(*side) for side in zip(one.going_on, pairs.long, strict=True)],
        "effects": [
            {
                "figure": list(effect.key),
                "says": figure_name(effect.key),
                "base": effect.left,
                "variant": effect.right,
                "difference": estimate_json(effect.difference),
                "clear": effect.key in clear,
                "moved": effect.moved,
                "half_width": None if effect.difference.low is None else effect.difference.half_width,
                "half_width_unpaired": effect.unpaired,
                "half_width_at_least": effect.least,
                "would_have_been_seen": None if effect.smallest == float("inf") else effect.smallest,
            }
            for effect in one.found
        ],
    }
