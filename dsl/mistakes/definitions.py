"""Definitions, tables, values, options, properties, figures and variants that are written in another way.
Takes places, gives mistakes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.conditions import NUMBERS, read_number
from rulesrun.dsl.mistakes.expected_words import STARTS_OF_TYPES
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.text.lexer import Word
from rulesrun.dsl.text.messages import message

NAMED = ("zone", "number", "marker", "memory", "option", "reading", "phase", "action", "step", "define", "table")
ARTICLES = ("the", "a", "an")
NOT_IN_NAMES = ("of", "player", "per", "for", "each", "every", "from", "in", "with", "when", "where", "if", "by", "to")
MOST_LISTED = 100
KINDS = ("pile", "row", "set", "place")
SEVERAL = (*KINDS, "sets", "list", "several", "many", "some", "all", "any", "collection", "group")
BEHIND_NAMES = frozenset(("COLON", "EQUAL", "LPAR"))
COMPARING = ("=", "<", ">", "<=", ">=", "is", "in", "of", "not", "has", "and", "or", "+", "-", "*", "/")
HALVES = {"half": "1/2", "third": "1/3", "quarter": "1/4"}


def _diagnose_two_word_name(place: StoppingPlace) -> Mistake | None:
    """`zone draw pile: …`, `zone draw-pile: …`, `phase last turns: …`, `zone the heap: …`, `action lay a card(…)`."""
    if (
        place.kind != "declaration"
        or place.first_word not in NAMED
        or place.at != 2
        or not BEHIND_NAMES & place.expected
    ):
        return None
    last = next((at for at, word in enumerate(place.words) if at and not _is_part_of_name(word)), len(place.words))
    parts = [word.text for word in place.words[1:last] if word.text not in ("-", *ARTICLES)]
    follows = place.words[last].text if last < len(place.words) else ""
    ends = ("(", "=") if place.first_word == "define" else (":", "(", "=", "of", "[")
    if last < 3 or not parts or follows not in (*ends, "" if place.first_word in ("action", "step") else ":"):
        return None
    if parts[-1] in KINDS and follows == "of":
        return None
    name, start, end = "_".join(parts), place.words[1].start, place.words[last - 1].end
    if len(parts) == 1:
        hint = message("remove `{word}`", word=place.words[1].text)
        return Mistake("unexpected-word", message("a name has no article"), start, end, hint).with_replacement(name)
    hint = message("a name is one word: `{name}`", name=name)
    sentence = message("a name has no spaces and no `-`")
    return Mistake("unexpected-word", sentence, start, end, hint).with_replacement(name)


def _is_part_of_name(word: Word) -> bool:
    return word.text == "-" or (word.kind == "word" and word.text not in NOT_IN_NAMES)


def _diagnose_definition(place: StoppingPlace) -> Mistake | None:
    """`define trump suit of card`, `define trump is …`, `define f(c) = …`."""
    if place.first_word not in ("define", "table") or place.kind != "declaration":
        return None
    goes_on = place.word is None or (place.word.kind == "word" and place.text != "of")
    if "EQUAL" in place.expected and "LPAR" in place.expected and place.at == 2 and goes_on:
        hint = message("write `define {before} = …`, all of it on one line or in brackets", before=place.text_before())
        code = "unexpected-word" if place.word else "unfinished-line"
        return place.make_mistake(code, message("`=` is missing here"), hint).with_edits(place.insert_before("="))
    if place.text in (")", ",") and place.expected >= STARTS_OF_TYPES and place.text_before(2) in ("(", ","):
        hint = message(
            "write its type after it, as in `{before} Card` or `{before} 1..6`", before=place.text_before()
        )
        return place.make_mistake(
            "unexpected-word", message("a type is missing after `{before}`", before=place.text_before()), hint
        )
    return None


def _diagnose_collection_parameter(place: StoppingPlace) -> Mistake | None:
    """`define is_meld(s pile of Card) = …`, `(s list of Card)`, `(s several Card)`, `(s sets of Card)`."""
    texts = [word.text for word in place.words]
    at = next((at for at in range(4, len(texts)) if texts[at] in SEVERAL and texts[at - 2] in ("(", ",")), None)
    if place.first_word not in ("define", "step", "table") or place.kind != "declaration" or at is None:
        return None
    last = at + 1 + (texts[at + 1 : at + 2] == ["of"])
    if place.at < at or last >= len(texts) or place.words[last].kind != "word":
        return None
    hint = message("write `{name} set of {kind}`", name=texts[at - 1], kind=texts[last])
    begin, end = place.words[at].start, place.words[last].end
    found = Mistake("unexpected-word", message("several values are told as a set"), begin, end, hint)
    return found.with_replacement(f"set of {texts[last]}")


def _diagnose_kept_set(place: StoppingPlace) -> Mistake | None:
    """`marker found: set of Card`."""
    texts = [word.text for word in place.words]
    at = texts.index(":") + 1 if ":" in texts else 0
    is_set = texts[at : at + 2] == ["set", "of"] and at + 2 < len(texts) and place.words[at + 2].kind == "word"
    if place.first_word != "marker" or place.kind != "declaration" or not is_set or place.at <= at:
        return None
    hint = message("components lie in a zone: `zone {name}: set of {kind}, public`", name=texts[1], kind=texts[at + 2])
    begin, end = place.words[at].start, place.words[at + 2].end
    return Mistake("unexpected-word", message("a marker keeps one value, not a set"), begin, end, hint)


def _diagnose_table_else(place: StoppingPlace) -> Mistake | None:
    """`table t(n 1..5): 1: 3, else: 5`."""
    if place.text in ("else", "default", "rest") and place.can_be("otherwise"):
        found = place.make_mistake(
            "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `otherwise`")
        )
        return found.with_replacement("otherwise")
    return None


def _diagnose_value_words(place: StoppingPlace) -> Mistake | None:
    """`values Suit: 1, 2, 3`, `values Suit: "clubs"`, `values Colour: light-blue, light blue`."""
    if place.first_word != "values" or place.at < 3 or place.kind != "declaration":
        return None
    said = [word.text for word in place.words[3:]]
    numbers = said[::2]
    if place.text_before().isdigit() and place.text == "," and all(text.isdigit() for text in numbers):
        values = [int(text[:9]) for text in numbers[:MOST_LISTED]]
        low, high = values[0], values[-1]
        is_range = len(numbers) < MOST_LISTED and values == [*range(low, high + 1)]
        hint = message("write a range, as in `1..7`, or words, as in `one, three`")
        if is_range:
            hint = message("write `{low}..{high}`", low=low, high=high)
        found = place.make_mistake("unexpected-word", message("write numbers as a range, not a list"), hint)
        whole = Edit(place.words[3].start, place.words[-1].end, f"{low}..{high}")
        return found.with_edits(whole) if is_range else found
    if place.word is not None and place.word.kind == "string":
        value = "_".join(place.text.strip(chr(34)).split()) or "…"
        hint = message("write `{value}`; a label can follow it in quotes", value=value)
        found = place.make_mistake("unexpected-word", message("a value is a word, without quotes"), hint)
        return found.with_edits(*_unquote_values(place))
    dash = next((at for at in range(3, place.at) if place.words[at].text == "-"), None)
    if dash is not None and dash + 1 < len(place.words):
        first, last = place.words[dash - 1], place.words[dash + 1]
        hint = message("write `{first}_{last}`", first=first.text, last=last.text)
        found = Mistake("unexpected-word", message("a value is one word"), first.start, last.end, hint)
        return found.with_replacement(f"{first.text}_{last.text}")
    if place.text in ("or", "and"):
        hint = message("write `,` in place of `{place}`", place=place.text)
        found = place.make_mistake("unexpected-word", message("separate values with `,`"), hint)
        return found.with_edits(Edit(place.words[place.at - 1].end, place.words[place.at].end, ","))
    if place.word is not None and place.word.kind == "word" and place.words[place.at - 1].kind == "word":
        hint = message(
            "write `, {place}`, or `{before}_{place}` if it is one value", place=place.text, before=place.text_before()
        )
        sentence = message("a `,` is missing before `{place}`", place=place.text)
        found = place.make_mistake("missing-comma", sentence, hint)
        behind = place.words[place.at - 1].end
        return found.with_edits(Edit(behind, behind, ","))
    return None


def _unquote_values(place: StoppingPlace) -> Iterator[Edit]:
    """Every text that stands where a value stands."""
    for before, word in pairwise(place.words):
        if word.kind == "string" and before.text in (":", ","):
            yield Edit(word.start, word.end, "_".join(word.text.strip(chr(34)).split()))


def _diagnose_court_cards(place: StoppingPlace) -> Mistake | None:
    """`card Card: suit Suit, rank 2..10, J, Q, K, A`."""
    texts = [word.text for word in place.words[: place.at]]
    if place.kind != "declaration" or place.text not in (",", "") or texts.count("..") != 1 or len(texts) < 5:
        return None
    if not place.expected >= STARTS_OF_TYPES or place.text_before(2) != "," or not place.text_before(3).isdigit():
        return None
    hint = message("write only numbers, as in `rank 2..14`, or only words: `values Rank: two, three, …, jack, queen`")
    return place.make_mistake("unexpected-word", message("a range has either numbers or words"), hint)


def _diagnose_reason(place: StoppingPlace) -> Mistake | None:
    """`needs heap is empty else "it is full"`, `needs heap is empty, "it is full"`."""
    word = place.words[place.at + 1] if place.at + 1 < len(place.words) else place.word
    if place.first_word != "needs" or word is None or word.kind != "string" or not place.can_be("because"):
        return None
    sentence, hint = message("a reason stands behind `because`"), message("write `because {text}`", text=word.text)
    found = place.make_mistake("unexpected-word", sentence, hint)
    if place.word is word:
        return found.with_edits(place.insert_before("because"))
    return found.with_edits(Edit(place.words[place.at - 1].end, word.start, " because "))


def _diagnose_missing_title(place: StoppingPlace) -> Mistake | None:
    """`always x = 3`, `because the pit is empty`."""
    if place.expected != {"STRING"} or place.word is None or place.word.kind == "string" or place.text == ":":
        return None
    if place.text_before() == "because":
        found = place.make_mistake(
            "unexpected-word", message("a reason is a text"), message('put it in quotes: `because "…"`')
        )
        start, end = place.words[place.at].start, place.words[-1].end
        has_quotes = any(word.kind == "string" for word in place.words[place.at :])
        return found if has_quotes else found.with_edits(Edit(start, start, '"'), Edit(end, end, '"'))
    if place.kind == "declaration" and place.first_word in ("always", "never", "can", "ends", "at", "after"):
        hint = message('write `{listed} "…": …`', listed=' '.join(word.text for word in place.words[:place.at]))
        return place.make_mistake("unexpected-word", message("a property has a title, in quotes"), hint)
    return None


def _diagnose_share(place: StoppingPlace) -> Mistake | None:
    """`at most half of games`, `ends within 20 moves`."""
    if place.first_word == "at" and place.text in HALVES and place.kind == "declaration":
        found = place.make_mistake(
            "wrong-word",
            message("`{place}` is no number here", place=place.text),
            message("write `{halves}`", halves=HALVES[place.text]),
        )
        return found.with_replacement(HALVES[place.text])
    if place.first_word == "ends" and place.text in ("moves", "choices", "actions"):
        found = place.make_mistake(
            "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `decisions`")
        )
        return found.with_replacement("decisions")
    return None


def _diagnose_preference(place: StoppingPlace) -> Mistake | None:
    """`prefer n <= 5` in a persona."""
    if place.kind != "persona_line" or place.at != 2 or not place.can_be("when"):
        return None
    if place.text in ("if", "where", "with"):
        found = place.make_mistake(
            "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `when`")
        )
        return found.with_replacement("when")
    if place.text in COMPARING:
        hint = message(
            "write `{first_word} …` with the name of the action, then `when {before} {place} …`",
            first_word=place.first_word,
            before=place.text_before(),
            place=place.text,
        )
        return place.make_mistake(
            "unexpected-word", message("`{first_word}` is about an action", first_word=place.first_word), hint
        )
    return None


def _diagnose_numbers_as_words(place: StoppingPlace) -> Mistake | None:
    """`values Rank: 2, 3, 4, jack, queen`."""
    has_words = any(word.kind == "word" for word in place.words[place.at :])
    if place.first_word != "values" or not place.text_before().isdigit() or place.text != "," or not has_words:
        return None
    hint = message("write words, as in `two, three, jack`; numbers alone are a range: `values Rank: 1..13`")
    return place.make_mistake("unexpected-word", message("values are words, or a range of numbers"), hint)


def _diagnose_missing_default(place: StoppingPlace) -> Mistake | None:
    """`option hand_size: 3..7`, `option misere: yes or no`."""
    if place.first_word != "option" or place.word is not None or "EQUAL" not in place.expected:
        return None
    values = [word.text for word in place.words if word.kind in ("word", "number")][2:]
    value = "no" if {*values} == {"yes", "or", "no"} else values[0] if values else "…"
    hint = message("write what holds where nothing else is said: `= {value}`", value=value)
    found = place.make_mistake("unfinished-line", message("`=` is missing: an option has a value from the start"), hint)
    return found.with_edits(place.insert_before(f"= {value}")) if value != "…" else found


def _diagnose_player_count(place: StoppingPlace) -> Mistake | None:
    """`players 2, 3 or 4`, `3 players`."""
    if place.kind != "declaration":
        return None
    texts = [word.text for word in place.words]
    is_bare = place.at == 0 and place.first_word.isdigit() and texts[-1] in ("player", "players")
    is_dashed = texts[:2] == ["players", ":"] and ".." not in texts
    if is_bare or is_dashed or texts[:4] == ["number", "of", "players", ":"]:
        numbers = [word.text for word in place.words if word.kind == "number"]
    elif place.first_word == "players" and (
        place.text in (",", "or", "and") or (place.text == "to" and place.text_before() in NUMBERS)
    ):
        numbers = [str(number) for word in place.words[1:] if (number := read_number(word.text))]
    else:
        return None
    if not numbers:
        return None
    values = [int(text[:9]) for text in numbers]
    low, high = min(values), max(values)
    amount = str(low) if low == high else f"{low}..{high}"
    if place.text == "or" and place.text_after() in ("more", "up"):
        amount = f"{low}..5"
    sentence = message("the number of players is one number or a range")
    found = Mistake(
        "unexpected-word",
        sentence,
        place.words[0].start,
        place.words[-1].end,
        message("write `players {amount}`", amount=amount),
    )
    return found.with_replacement(f"players {amount}")


def _diagnose_quoted_name(place: StoppingPlace) -> Mistake | None:
    """`"Go": "Го"` below `words ru`, `words "ru"`, `words ru "Го"`."""
    if place.word is None or place.word.kind != "string" or place.first_word not in ("words", "look", place.text):
        return None
    if place.kind == "words_line" and place.at == 0:
        sentence = message("what is named stands before the colon, without quotes")
        hint = message("write the name that the rules give it; the title of the game is `game: …`")
        return place.make_mistake("unexpected-word", sentence, hint)
    if place.kind != "declaration" or place.at not in (1, 2) or place.first_word != "words":
        return None
    bare = place.text.strip('"')
    if place.at == 1 and bare.isalpha():
        hint = message("write `words {language}`", language=bare)
        found = place.make_mistake("unexpected-word", message("a language stands without quotes"), hint)
        return found.with_replacement(bare)
    sentence, hint = message("what things are called stands below"), message('write `game: "…"` below it, indented')
    return place.make_mistake("unexpected-word", sentence, hint)


AGGREGATES = {
    "average": "mean", "avg": "mean", "maximum": "highest", "max": "highest", "largest": "highest", "most": "highest",
    "longest": "highest", "minimum": "lowest", "min": "lowest", "smallest": "lowest", "least": "lowest",
    "total": "sum", "all": "sum",
}  # fmt: skip
COUNTING_WORDS = ("times", "count", "number", "how", "often", "frequency", "every")
MOMENT_WORDS = ("after", "before", "when", "whenever", "on", "in", "during", "every", "each", "per", "by", "for")
PARTS_OF_GAMES = ("turn", "round", "game")
DONE_WORDS = ("is", "was", "gets", "happens", "chosen", "done", "made", "played", "taken")


def _is_figure(place: StoppingPlace) -> bool:
    return place.kind == "declaration" and place.first_word == "figure" and len(place.words) > 2


def _diagnose_named_figure(place: StoppingPlace) -> Mistake | None:
    """`figure "reshuffles": …`."""
    if place.kind != "declaration" or place.first_word != "figure" or place.at != 1:
        return None
    if place.word is None or place.word.kind != "string":
        return None
    name = place.text.strip('"').replace(" ", "_")
    hint = message("write a name without quotes: `figure {name}: …`", name=name)
    found = place.make_mistake("unexpected-word", message("a figure has a name, not a title in quotes"), hint)
    return found.with_replacement(name) if name.isidentifier() else found


def _diagnose_figure_of_players(place: StoppingPlace) -> Mistake | None:
    """`figure laid of player: …`."""
    if not _is_figure(place) or place.at != 2 or place.text != "of":
        return None
    hint = message("remove `of …`, and say whose after the colon: `sum of … over p in players`, `… of starter`")
    colon = next((at for at, word in enumerate(place.words) if word.text == ":"), None)
    found = place.make_mistake("unexpected-word", message("a figure is one number of a game"), hint)
    return found.with_edits(place.leave_out(2, colon - 1)) if colon is not None else found


def _diagnose_counting(place: StoppingPlace) -> Mistake | None:
    """`number of times pass`, `times pass`, `count pass`, `how many pass`."""
    if not _is_figure(place) or len(place.words) < 5 or place.at < 4 or place.words[2].text != ":":
        return None
    said = [one.text for one in place.words[3:5]]
    if said == ["how", "often"] or said[0] not in COUNTING_WORDS:
        return None
    if place.text in ("at", ",") or "at" in (one.text for one in place.words):
        return None
    name = place.words[-1]
    if name.kind != "word":
        return None
    hint = message("write `how often {name}`", name=name.text)
    sentence = message("write `how often` to count something")
    found = Mistake("wrong-word", sentence, place.words[3].start, name.end, hint)
    return found.with_replacement(f"how often {name.text}")


def _diagnose_other_aggregate(place: StoppingPlace) -> Mistake | None:
    """`average count of hand`, `max total of 1`."""
    if not _is_figure(place) or place.at != 4 or place.words[2].text != ":" or place.text_before() not in AGGREGATES:
        return None
    said = place.words[3]
    word = AGGREGATES[said.text]
    sentence = message("`{said}` cannot stand here", said=said.text)
    found = Mistake("wrong-word", sentence, said.start, said.end, message("write `{word}`", word=word))
    return found.with_replacement(word)


def _diagnose_mean_of(place: StoppingPlace) -> Mistake | None:
    """`mean of count of hand`: here it goes through moments, not through components."""
    if not _is_figure(place) or place.at != 4 or place.text != "of" or place.text_before() != "mean":
        return None
    hint = message("remove `of`: `mean …, at end of turn`")
    found = place.make_mistake("unexpected-word", message("`mean` is followed by the value"), hint)
    return found.with_edits(place.leave_out(4, 4))


def _diagnose_moment(place: StoppingPlace) -> Mistake | None:
    """`…, after pass`, `…, each turn`, `…, at end`, `… at end of turn` without its comma."""
    if not _is_figure(place) or place.at < 4:
        return None
    last = place.words[-1].text
    if place.word is None and [one.text for one in place.words[-2:]] == ["at", "end"]:
        hint = message("write `at end of game`, `at end of round` or `at end of turn`")
        found = place.make_mistake("unfinished-line", message("the end of what?"), hint)
        return found.with_edits(place.insert_before("of game"))
    if place.text_before() != "," or place.text not in MOMENT_WORDS:
        return None
    written = f"at end of {last}" if last in PARTS_OF_GAMES else f"at {last}"
    hint = message("write `{written}`", written=written)
    sentence = message("`at` says when a figure is measured")
    found = Mistake("wrong-word", sentence, place.words[place.at].start, place.words[-1].end, hint)
    return found.with_replacement(written)


def _diagnose_being_done(place: StoppingPlace) -> Mistake | None:
    """`how often pass is chosen`."""
    texts = [one.text for one in place.words]
    if not _is_figure(place) or texts[3:5] != ["how", "often"] or "," in texts or len(texts) < 7:
        return None
    if texts[6] not in DONE_WORDS:
        return None
    hint = message("write the name alone: `how often {name}`", name=texts[5])
    sentence = message("nothing can follow the name of an action or step")
    found = Mistake("unexpected-word", sentence, place.words[6].start, place.words[-1].end, hint)
    return found.with_edits(Edit(place.words[5].end, place.words[-1].end, ""))


LINE_PLACES = {
    "instead of": ", in place of", "replacing": ", in place of", "replace": ", in place of",
    "in place of": ", in place of",
    "add after": ", after", "insert after": ", after", "behind": ", after", "following": ", after", "after": ", after",
    "add before": ", before", "insert before": ", before", "above": ", before", "before": ", before",
    "remove": ", without", "delete": ", without", "dropping": ", without", "without": ", without",
}  # fmt: skip
# How a piece that is meant begins, by the sign behind its name.
PIECE_BEFORE = {"=": "define", ":": "zone", "(": "action"}


def _diagnose_unquoted_base(place: StoppingPlace) -> Mistake | None:
    """`variant "Bigger hands" of zero`."""
    if place.first_word != "variant" or place.text_before() != "of" or place.word is None or place.word.kind != "word":
        return None
    hint = message(
        'in quotes: a bundled game as in `of "{place}"`, a file as in `of "{place}.rules"`', place=place.text
    )
    found = place.make_mistake("unexpected-word", message("name the file of the game to change"), hint)
    return found.with_edits(Edit(place.words[place.at].start, place.words[-1].end, f'"{_join_rest(place)}"'))


def _diagnose_unnamed_variant(place: StoppingPlace) -> Mistake | None:
    """`variant of "zero"`."""
    if place.first_word != "variant" or place.at != 1 or place.text != "of":
        return None
    hint = message('write `variant "What it is called" of "….rules"`')
    found = place.make_mistake("unexpected-word", message("a variant has a name of its own"), hint)
    return found.with_edits(place.insert_before('"A variant"'))


def _diagnose_piece_without_word(place: StoppingPlace) -> Mistake | None:
    """`remove pass`, `change cards_dealt = 10`."""
    if place.kind == "statement":
        return _diagnose_removal(place)
    if place.first_word not in ("remove", "change") or place.at != 1 or place.word is None or place.word.kind != "word":
        return None
    if place.similar_words() and place.text_after() not in PIECE_BEFORE:
        return None
    name = place.text
    piece = PIECE_BEFORE.get(place.text_after(), "action" if place.first_word == "remove" else "define")
    hint = message(
        "say what it is, as in `{first_word} {piece} {name}`", first_word=place.first_word, piece=piece, name=name
    )
    found = place.make_mistake(
        "unexpected-word", message("the word for a piece is missing before `{name}`", name=name), hint
    )
    return found.with_edits(place.insert_before(piece))


def _diagnose_removal(place: StoppingPlace) -> Mistake | None:
    """`remove stone from board`, in an action."""
    if place.first_word not in ("remove", "delete", "destroy", "eliminate") or place.at != 1:
        return None
    hint = message("components stay in the game: `move … to …`, to a zone for those that are out; a marker is emptied "
                   "by `… becomes nothing`")
    sentence = message("no statement starts with `{first_word}`", first_word=place.first_word)
    return place.make_mistake_at_start("unknown-statement", sentence, hint)


def _diagnose_line_place(place: StoppingPlace) -> Mistake | None:
    """`change action ask, replace move c to heap`, `change action ask after …`, `…, after move c to heap: …`."""
    said = [word.text for word in place.words]
    if place.first_word != "change" or said[1:2] not in (["action"], ["step"], ["phase"], ["setup"]):
        return None
    if place.text == ":" and "," in said[: place.at]:
        hint = message("write it on the line below, indented")
        found = place.make_mistake("unexpected-word", message("new lines go below this one"), hint)
        return found.with_edits(place.begin_line_below(place.at, place.at + 1))
    first = place.at + (place.text == ",")
    for phrase, words in LINE_PLACES.items():
        length = len(phrase.split())
        if " ".join(said[first : first + length]) == phrase:
            last = place.words[first + length - 1]
            sentence = message("`{phrase}` cannot stand here", phrase=phrase)
            hint = message("write `{words}`", words=words)
            found = Mistake("unexpected-word", sentence, place.words[first].start, last.end, hint)
            before = place.words[first - 1]
            return found.with_edits(Edit(before.start if before.text == "," else before.end, last.end, words))
    return None


def _join_rest(place: StoppingPlace) -> str:
    """`zero`, `house.rules`: what stands there, without blanks."""
    return "".join(word.text for word in place.words[place.at :])


OF_DEFINING = (
    _diagnose_quoted_name, _diagnose_missing_default, _diagnose_numbers_as_words, _diagnose_player_count,
    _diagnose_reason, _diagnose_two_word_name, _diagnose_definition, _diagnose_collection_parameter, _diagnose_kept_set,
    _diagnose_table_else,
    _diagnose_value_words, _diagnose_court_cards,
    _diagnose_missing_title, _diagnose_share, _diagnose_preference,
)  # fmt: skip
OF_FIGURES = (
    _diagnose_named_figure, _diagnose_figure_of_players, _diagnose_counting, _diagnose_other_aggregate,
    _diagnose_mean_of, _diagnose_being_done, _diagnose_moment,
)  # fmt: skip
OF_VARIANTS = (_diagnose_unquoted_base, _diagnose_unnamed_variant, _diagnose_piece_without_word, _diagnose_line_place)
