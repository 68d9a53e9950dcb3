"""Words that are missing, stand at another place of the line, or want brackets. Takes places, gives mistakes."""

from __future__ import annotations

from difflib import get_close_matches

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.components import COMPONENTS
from rulesrun.dsl.mistakes.expected_words import STARTS_OF_TYPES, texts_of_terminals
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.text.declared_words import ALWAYS_BEFORE_OF
from rulesrun.dsl.text.keywords import RESERVED, WORDS
from rulesrun.dsl.text.messages import message


def diagnose_late_start(place: StoppingPlace) -> Mistake | None:
    """`number coins of player: 0..18, private = 18`."""
    texts = [word.text for word in place.words[: place.at]]
    if (
        place.first_word not in ("number", "marker")
        or place.text != "="
        or "," not in texts
        or "EQUAL" in place.expected
    ):
        return None
    hint = message("put it before the first comma: `… = …, {before}`", before=place.text_before())
    found = place.make_mistake("unexpected-word", message("the start comes after the values"), hint)
    comma = next(word for word in place.words if word.text == ",")
    start = " ".join(word.text for word in place.words[place.at :])
    rest = Edit(place.words[place.at - 1].end, place.words[-1].end, "")
    return found.with_edits(Edit(comma.start, comma.start, f" {start}"), rest)


def diagnose_late_condition(place: StoppingPlace) -> Mistake | None:
    """`card Card: rank 0..15, 2 of each where rank is not 1`."""
    if (
        place.first_word not in COMPONENTS
        or place.text != "where"
        or (place.text_before(2), place.text_before()) != ("of", "each")
    ):
        return None
    hint = message("write it before the comma: `… where …, {before} of each`", before=place.text_before(3))
    sentence = message("say which components before how many of each")
    found = place.make_mistake("unexpected-word", sentence, hint)
    comma = place.words[place.at - 4]
    if comma.text != ",":
        return found
    condition = " ".join(word.text for word in place.words[place.at :])
    rest = Edit(place.words[place.at - 1].end, place.words[-1].end, "")
    return found.with_edits(Edit(comma.start, comma.start, f" {condition}"), rest)


def diagnose_step_with_choices(place: StoppingPlace) -> Mistake | None:
    """`step take_cards(n in 1..3)`, `step put_down(card from hand)`, `step pay(to: player)`."""
    is_from = place.text_before() == "from" and place.at > 3
    if place.first_word not in ("step", "define", "table") or not (is_from or place.text in ("in", ":")):
        return None
    before_it = [word.text for word in place.words[: place.at]]
    if "(" not in before_it or ")" in before_it:
        return None
    before = place.text_before(2 if is_from else 1)
    hint = message("write the type after its name: `{name} 1..3`, `{name} Card`", name=before)
    sentence = message("nothing is chosen here: brackets take arguments")
    found = place.make_mistake("unexpected-word", sentence, hint)
    before_this, word = place.words[place.at - 1], place.words[place.at]
    if is_from:
        return found
    is_player = place.text_after() == "players"
    several = (Edit(place.words[place.at + 1].start, place.words[place.at + 1].end, "player"),) if is_player else ()
    return found.with_edits(Edit(before_this.end, word.end, ""), *several)


PEOPLE = ("player", "players")
SIZES = ("size", "count", "length", "amount")
OTHERS = ("opponent", "opponents", "neighbour", "neighbours", "others")
COMPARED = ("=", "in", "not")


def diagnose_first_player(place: StoppingPlace) -> Mistake | None:
    """`turns from first player`."""
    if place.text not in PEOPLE or place.text_before() not in ("first", "starting"):
        return None
    word = place.words[place.at - 1]
    hint = message("write `starter` for the player who begins the round, `1` for seat 1")
    found = Mistake(
        "unexpected-word", message("a player is not named like this"), word.start, place.words[place.at].end, hint
    )
    return found.with_replacement("starter")


def diagnose_unbraced_component(place: StoppingPlace) -> Mistake | None:
    """`red 7 in hand`, `top of heap = red 7`."""
    is_pair = place.at > 0 and place.words[place.at - 1].kind == "word" and place.text.isdigit()
    begins = place.text_before(2) in COMPARED or (place.text_after() in COMPARED and place.text_before(2) != "of")
    if not is_pair or not begins or not {"OF", "PLUS"} & place.expected:
        return None
    thing = f"{place.text_before()} {place.text}"
    word = place.words[place.at - 1]
    hint = message(
        "to say that it is there, write `some c in … has c in {{{thing}}}`; that it is on top, `top of … in "
        "{{{thing}}}`",
        thing=thing,
    )
    sentence = message("write a component in braces: `{{{thing}}}`", thing=thing)
    return Mistake("unexpected-word", sentence, word.start, place.words[place.at].end, hint)


def diagnose_missing_of(place: StoppingPlace) -> Mistake | None:
    """`rank given <= 3`, `count of hand 1`, `top of heap rank`."""
    if not _is_after_name(place) or place.word is None or place.word.kind not in ("word", "number"):
        return None
    if place.similar_words() or (place.text_after() in ("from", "to") and place.can_be(place.text_after())):
        return None
    if RESERVED & {place.text, place.text_before()} or not place.declared.make_sense(place.text_before(), place.text):
        return None
    before, text = place.text_before(), place.text
    if before == "player" and text in place.declared.before_of - ALWAYS_BEFORE_OF:
        sentence = message("`{zone}` alone is that of `player`, whose turn it is", zone=text)
        return place.write_words(place.at - 1, place.at, "unexpected-word", sentence, text)
    if before in place.declared.things.counted and text in ("left", "remaining") and place.text_after() != "of":
        return place.write_words(place.at - 1, place.at, "unexpected-word", message("compare values with signs"),
                                 f"{before} > 0")  # fmt: skip
    instead = f"count of {before}" if text in SIZES else f"{text} of left of player" if before in OTHERS else None
    if instead is not None:
        sentence = message("`{place}` cannot stand here", place=text)
        found = place.make_mistake("unexpected-word", sentence, message("write `{line}`", line=instead))
        return found.with_edits(Edit(place.words[place.at - 1].start, place.words[place.at].end, instead))
    hint = message("write `{before} of {text}`", before=before, text=text)
    if place.text_before(2) == "of" and place.word.kind == "word":
        hint = message(
            "write `{before} of {text}`, or put `{text}` in front: `{text} of …`",
            before=before,
            text=text,
        )
    found = place.make_mistake(
        "unexpected-word", message("a word is missing between `{before}` and `{text}`", before=before, text=text), hint
    )
    return found.with_edits(place.insert_before("of"))


def diagnose_untyped_attribute(place: StoppingPlace) -> Mistake | None:
    """`card Card: colour, rank 1..6`."""
    if place.first_word not in COMPONENTS or not place.expected >= STARTS_OF_TYPES:
        return None
    before = place.text_before()
    hint = message("an attribute needs a name and a type, as in `rank 1..6` or `colour Colour`")
    sentence = message("the type of `{before}` is missing", before=before)
    if before[:1].isupper() and before.casefold() not in WORDS:
        named = f"{before[:1].lower()}{before[1:]} {before}"
        word = place.words[place.at - 1]
        found = place.make_mistake("unexpected-word", sentence, message("write `{line}`", line=named))
        return found.with_edits(Edit(word.start, word.end, named))
    return place.make_mistake("unexpected-word", sentence, hint)


def diagnose_reserved_choice(place: StoppingPlace) -> Mistake | None:
    """`action bid(count in 1..6)`."""
    if place.first_word != "action" or place.text not in ("in", "from") or place.text_before() not in RESERVED:
        return None
    word = place.words[place.at - 1]
    sentence = message("`{word}` is a word of the language and cannot be a name", word=word.text)
    hint = message("choose another name, or add another word to it, as in `first_{word}`", word=word.text)
    return Mistake("reserved-word", sentence, word.start, word.end, hint)


def diagnose_player_definition(place: StoppingPlace) -> Mistake | None:
    """`define points of player = …`."""
    if place.first_word not in ("define", "table") or place.text != "of":
        return None
    hint = message("remove it; name the player where you use the definition: `… of p`")
    found = place.make_mistake("unexpected-word", message("a definition belongs to nobody"), hint)
    return found.with_edits(place.leave_out(place.at, min(place.at + 1, len(place.words) - 1)))


def diagnose_misspelt_before(place: StoppingPlace) -> Mistake | None:
    """`given form hand`: the misspelt word was taken for a name."""
    if place.word is None or place.at < 2 or place.words[place.at - 1].kind != "word" or place.text_before() in WORDS:
        return None
    near = get_close_matches(place.text_before()[:40].lower(), texts_of_terminals(place.expected), n=1, cutoff=0.7)
    if not near or place.similar_words():
        return None
    word = place.words[place.at - 1]
    sentence = message("expected `{near}`, found `{word}`", near=near[0], word=word.text)
    found = Mistake("unexpected-word", sentence, word.start, word.end, message("did you mean `{near}`?", near=near[0]))
    return found.with_replacement(near[0])


def diagnose_action_brackets(place: StoppingPlace) -> Mistake | None:
    """`then 1 can lay red 7`."""
    if place.word is None or place.word.kind not in ("word", "number") or "LPAR" not in place.expected:
        return None
    if place.text_before(2) not in ("can", "cannot") and (place.first_word, place.text_before(2)) != ("when", ":"):
        return None
    hint = message("write `{before}({place} …)`", before=place.text_before(), place=place.text)
    found = place.make_mistake(
        "unexpected-word", message("write what is chosen by `{before}` in brackets", before=place.text_before()), hint
    )
    last = place.words[-3 if [word.text for word in place.words[-2:]] == ["if", "possible"] else -1]
    before = place.words[place.at - 1].end
    return found.with_edits(Edit(before, place.words[place.at].start, "("), Edit(last.end, last.end, ")"))


def diagnose_spoken_component(place: StoppingPlace) -> Mistake | None:
    """`given hand of 1: seven of hearts`."""
    colons = [word.text for word in place.words[: place.at]].count(":")
    if place.kind != "example_line" or place.text != "of" or not colons or place.first_word not in ("given", "next"):
        return None
    first, last = place.words[place.at - 1], place.words[min(place.at + 1, len(place.words) - 1)]
    hint = message(
        "write its attributes side by side, in the order of their declaration, as in `hearts 7`, or the name of its "
        "row"
    )
    return Mistake("unexpected-word", message("a component is not named like this"), first.start, last.end, hint)


def _is_after_name(place: StoppingPlace) -> bool:
    return place.at > 0 and place.words[place.at - 1].kind == "word" and {"OF", "PLUS"} <= place.expected


COMPARING = ("=", "<", "<=", ">", ">=")
ADDING = ("count", "sum", "highest", "lowest", "list", "sorted")


def _diagnose_where_brackets(place: StoppingPlace) -> Mistake | None:
    """`count of hand where colour = red >= 5`: the condition swallowed what follows."""
    if not _is_second_comparison(place):
        return None
    depth = 0
    for at in range(place.at - 1, -1, -1):
        text = place.words[at].text
        depth += (text in (")", "]", "}")) - (text in ("(", "[", "{"))
        if depth < 0:
            break
        if text in ("where", "has") and depth == 0:
            sentence = message(
                "`{text}` takes in the rest of the line, `{place}` included",
                text=text, place=place.text)
            hint = message(
                "end that part before `{place}` with brackets: `(… {text} …) {place} …`",
                place=place.text,
                text=text,
            )
            return place.make_mistake("missing-brackets", sentence, hint)
    found = place.make_mistake(
        "chained-comparison", message("two comparisons in a row"), message("join two comparisons with `and`")
    )
    first = _find_comparison_before(place)
    if first is None or place.text not in COMPARING:
        return found
    between = " ".join(word.text for word in place.words[first + 1 : place.at])
    return found.with_edits(place.insert_before(f"and {between}"))


def _find_comparison_before(place: StoppingPlace) -> int | None:
    """The comparison whose right side is the left side of this one, too: `1 < n < 3`."""
    depth = 0
    for at in range(place.at - 1, 0, -1):
        text = place.words[at].text
        depth += (text in (")", "]", "}")) - (text in ("(", "[", "{"))
        if depth < 0:
            return None
        if depth == 0 and text in COMPARING and at < place.at - 1:
            return at
    return None


def _is_second_comparison(place: StoppingPlace) -> bool:
    is_comparison = place.text in (*COMPARING, "is", "in")
    return is_comparison and "AND" in place.expected and "COMPARISON" not in place.expected


def _diagnose_over_brackets(place: StoppingPlace) -> Mistake | None:
    """`sum of 2 * rank over hand`."""
    if place.text != "over" or "PLUS" not in place.expected:
        return None
    hint = message("put brackets around what stands between `of` and `over`")
    found = place.make_mistake(
        "missing-brackets", message("`over` must follow a single value or a bracket"), hint
    )
    texts = [word.text for word in place.words[: place.at]]
    begin = next((at for at in reversed(range(1, len(texts))) if texts[at] == "of" and texts[at - 1] in ADDING), None)
    if begin is None:
        return found
    first = begin + 1 + (texts[begin + 1 : begin + 2] == ["distinct"])
    start, end = place.words[first].start, place.words[place.at - 1].end
    return found.with_edits(Edit(start, start, "("), Edit(end, end, ")"))


def _diagnose_inner_if(place: StoppingPlace) -> Mistake | None:
    """`1 + if a then 2 else 3`."""
    is_open = place.text in ("if", "not", "some", "every", "no") and "LPAR" in place.expected
    if is_open and "IF" not in place.expected and "EACH" not in place.expected:
        sentence = message("`{place}` cannot stand inside a sum or a comparison", place=place.text)
        hint = message("put brackets around everything that belongs to `{place}`", place=place.text)
        found = place.make_mistake("missing-brackets", sentence, hint)
        start, end = place.words[place.at].start, place.words[-1].end
        return found.with_edits(Edit(start, start, "("), Edit(end, end, ")"))
    return None


def _diagnose_range_after_of(place: StoppingPlace) -> Mistake | None:
    """`if count of 1..passes = 2`."""
    if (
        place.text != ".."
        or place.text_before(2) != "of"
        or not place.text_before().isdigit()
        or not place.text_after()
    ):
        return None
    words = place.words[place.at - 1 : place.at + 2]
    word, values = place.text_before(3), f"{place.text_before()}..{place.text_after()}"
    hint = message(
        "put brackets around it: `{word} of ({values})`, `{word} of ({values} where …)`", word=word, values=values
    )
    sentence = message("`{word} of` takes only the first number", word=word)
    found = Mistake("missing-brackets", sentence, words[0].start, words[-1].end, hint)
    is_filtered = place.at + 2 < len(place.words) and place.words[place.at + 2].text == "where"
    end = place.words[-1].end if is_filtered else found.end
    return found.with_edits(Edit(found.start, found.start, "("), Edit(end, end, ")"))


OF_ORDER = (
    diagnose_late_start, diagnose_late_condition,
    diagnose_step_with_choices,
)  # fmt: skip
OF_MISSING_WORDS = (
    diagnose_reserved_choice, diagnose_player_definition, diagnose_first_player, diagnose_untyped_attribute,
    diagnose_unbraced_component,
    diagnose_missing_of, diagnose_misspelt_before, diagnose_action_brackets,
)  # fmt: skip
IN_BRACKETS = (_diagnose_range_after_of, _diagnose_where_brackets, _diagnose_over_brackets, _diagnose_inner_if)
