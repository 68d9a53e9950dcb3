"""A comparison as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesrun.dsl.text.messages import Message, join_messages, message, plural, template
from rulesrun.dsl.variants.differences import Difference
from rulesrun.files.loading import Reading
from rulesrun.interpreter.measure.declared_figures import DECISIONS, Key, declared_figure
from rulesrun.interpreter.measure.estimates import FEWEST, estimate_share
from rulesrun.interpreter.measure.paired import Effect
from rulesrun.locale.language import list_labels, say, say_plural, spoken_language, translate, use_words
from rulesrun.report.compare_sentences import comparison_sentences, find_table, paragraph_lines
from rulesrun.report.figure_text import estimate_json, figure_name, number_text, percent_text
from rulesrun.report.measure_text import players_kind
from rulesrun.services.compare import ComparedTable, Comparison
from rulesrun.services.reports import head_line
from rulesrun.services.unfinished_games import going_on_json, going_on_text, going_on_word, is_fault
from rulesrun.terminal.output import RED, paint_text
from rulesrun.terminal.plurals import count_deals, count_games, count_players
from rulesrun.terminal.requests import CompareRequest
from rulesrun.terminal.rows import labelled_row, say_label

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
