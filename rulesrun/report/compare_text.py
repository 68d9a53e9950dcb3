"""A comparison as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesrun.dsl.text.messages import message, plural
from rulesrun.dsl.variants.differences import Difference
from rulesrun.interpreter.measure.estimates import FEWEST, estimate_share
from rulesrun.interpreter.measure.paired import Effect
from rulesrun.interpreter.measure.record import DECISIONS, Key
from rulesrun.locale.language import translate, use_words
from rulesrun.report.compare_sentences import comparison_sentences, find_table, paragraph_lines
from rulesrun.report.figure_text import SHARES, estimate_json, figure_name, number_text, percent_text, players_text
from rulesrun.services.compare import ComparedTable, Comparison
from rulesrun.services.unfinished_games import going_on_json, going_on_text, going_on_word, is_fault
from rulesrun.terminal.output import BOLD, RED, paint_text
from rulesrun.terminal.plurals import counted
from rulesrun.terminal.requests import CompareRequest

KNOWLEDGE_ONLY = message(
    "It changes only what players know. Random players look at nothing and play alike: only good players are asked."
)
MOST_EFFECTS = 16
FEW = 3
PAIRED: tuple[Key, ...] = (("win", "1"), ("score", "1"), DECISIONS)
MANY = {"component": "chosen", "kept": "kept"}
GENERAL: tuple[Key, ...] = (("tie",), DECISIONS, ("length", "rounds"), ("margin",))


def comparison_lines(found: Comparison, request: CompareRequest) -> Iterator[str]:
    yield paint_text(found.variant.name, BOLD) + f"  {found.variant.title}, against {found.base.title}"
    use_words(found.variant.game)
    yield from rule_change_lines(found)
    if found.is_knowledge_only:
        yield from paragraph_lines(None, [KNOWLEDGE_ONLY])
    for one in found.good or found.tables:
        yield from table_lines(found, one.players, request)
    for title in found.failing_examples:
        yield f"  {paint_text('fails now', RED)}  example \"{title}\""
    for title in found.broken:
        yield f"  {paint_text('broken now', RED)} \"{title}\""
    for at, reading in enumerate((found.base, found.variant)):
        if any(one.duel.pairs.stuck[at] for one in found.tables):
            why = "games get stuck" if any(one.stuck[at] for one in found.tables) else "games go on"
            yield f"  further    why {why}: rulesrun {reading.name}"
    gone = [one for one in found.words.pieces if one.word == "removed" and not one.is_rule]
    if gone:
        yield f"  taken out with the rules: {len(gone)} examples and properties of the base"
    partial = "interrupted: this report is partial; " if found.is_partial else ""
    earlier = sum(2 * one.continued for one in found.tables)
    told = f"{counted(found.games - earlier, 'game')} in {found.seconds:.1f} s, the same deals both ways"
    yield f"  {partial}{told}; in brackets 95 % intervals"
    if earlier:
        yield f"  {earlier:,} games more are from an earlier run"
    if found.is_partial:
        yield f"  {found.advice}"


def rule_change_lines(found: Comparison) -> Iterator[str]:
    for old, new in found.words.renamed.items():
        yield f"  renamed    {old} is called {new}"
    rules = [one for one in found.words.pieces if one.is_rule]
    if not rules:
        yield "  the rules are the same"
    for one in rules:
        yield f"  {one.word:<10} {one.what}"
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
    who = "at random" if request.seats is None else f"by {request.seats}"
    differing = estimate_share(pairs.differing, pairs.finished)
    low, high = (percent_text(bound or 0.0) for bound in (differing.low, differing.high))
    of = "them" if pairs.finished == pairs.games else f"the {pairs.finished:,} that ended both ways"
    differs = f"the game differs in {percent_text(differing.value)} of {of} ({low} to {high})"
    yield (
        f"  {players_text(one.players)}: {counted(pairs.games, 'deal')}, played {who}; "
        f"{differs if pairs.finished else 'none of them ended both ways'}"
    )
    if not one.found:
        yield "    too few games to say anything"
        return
    if not one.clear:
        yield "    no measurable effect"
    yield from clear_effect_lines(one)
    yield from unseen_effect_lines(one)
    yield from pairing_lines(one)


def unfinished_lines(one: ComparedTable) -> Iterator[str]:
    """Games that got stuck, and games that were not over after very long: what is known of these."""
    for word, games in zip(("base", "variant"), one.stuck, strict=True):
        if games:
            yield f"    {paint_text('stuck', RED)}: the {word}, in {counted(games, 'game')}"
    for word, games, found in zip(("base", "variant"), one.duel.pairs.long, one.going_on, strict=True):
        if games:
            said = going_on_word(found)
            yield f"    {paint_text(said, RED) if is_fault(found) else said}: the {word}, in {counted(games, 'game')}"
            yield f"      {going_on_text(found)}"


def pairing_lines(one: ComparedTable) -> Iterator[str]:
    """How much narrower the same deals make the intervals; not every figure of a game remembers its deal."""
    told = [
        f"{figure_name(effect.key)} {effect.difference.half_width / effect.unpaired:.2f}"
        for effect in one.found
        if effect.key in PAIRED and effect.moved >= FEWEST and effect.unpaired and effect.difference.low is not None
    ]
    if told:
        yield f"    width of intervals, two separate runs being 1: {', '.join(told)}"


def clear_effect_lines(one: ComparedTable) -> Iterator[str]:
    """In the order of the figures; of many components only the one that changed most clearly."""
    clear = {effect.key for effect in one.clear}
    told = [effect for effect in one.found if effect.key in clear and effect.key[0] not in MANY]
    many = []
    for word, does in MANY.items():
        own = [effect for effect in one.clear if effect.key[0] == word]
        if len(own) <= FEW:
            told += own
        else:
            many.append(f"    {len(own)} components are {does} more or less often; clearest {effect_text(own[0])}")
    for effect in told[:MOST_EFFECTS]:
        yield "    " + effect_text(effect)
    if len(told) > MOST_EFFECTS:
        yield f"    … and {len(told) - MOST_EFFECTS} more figures; all of them stand in the JSON"
    yield from many


def effect_text(effect: Effect) -> str:
    is_share = effect.key[0] in SHARES
    told = percent_text if is_share else number_text
    found = effect.difference
    low, high = ("?" if bound is None else told(bound) for bound in (found.low, found.high))
    sign = "+" if found.value > 0 else ""
    return (
        f"{figure_name(effect.key)}: {told(effect.left)} → {told(effect.right)}, "
        f"{sign}{told(found.value)} ({low.removesuffix(' %')} to {high})"
    )


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
            yield f"    {name}: the same in every deal (95 %: another in fewer than {percent_text(most)} of them)"
        elif effect.smallest == float("inf"):
            yield f"    {name}: not known, another in {effect.moved} deals only"
        else:
            size = percent_text(effect.smallest) if effect.key[0] in SHARES else number_text(effect.smallest)
            yield f"    {name}: no measurable effect (one of {size} would have been seen)"


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
            str(one.players): [str(said) for _, part in comparison_sentences(found, one.players) for said in part]
            for one in found.good or found.tables
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
