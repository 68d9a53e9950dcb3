"""Cards, tokens and dice as people declare them: how many of each, which values; dice as people throw them.
Takes places, gives mistakes.
"""

from __future__ import annotations

import re
from itertools import takewhile

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.conditions import read_number
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace, join_texts
from rulesrun.dsl.text.declared_words import find_only
from rulesrun.dsl.text.keywords import split_words
from rulesrun.dsl.text.messages import message

COMPONENTS = ("card", "token", "tile", "piece", "die")
WITH_VALUES = (*COMPONENTS, "option", "reading", "number", "marker")
# Words that a game may have so many of, until it has its own.
COLOURS = ("red", "blue", "green", "yellow", "white", "black")
WORDS_OF = {
    "colours": COLOURS, "colors": COLOURS, "suits": split_words("clubs diamonds hearts spades"),
    "shapes": ("circle", "square", "triangle", "star"), "ranks": (),
}  # fmt: skip
COPIES = ("copies", "copy", "times", "each", "x", "pieces", "cards", "tokens", "tiles")


def _diagnose_copies(place: StoppingPlace) -> Mistake | None:
    """`card Card: rank 1..10, copies 4`, `…, 4 copies`, `… x4`, `… each 4 times`."""
    if place.first_word not in COMPONENTS or place.kind != "declaration":
        return None
    first = last = min(place.at, len(place.words) - 1)
    said = place.words[last].text
    if said in COPIES and place.text_after().isdigit():
        last, amount = min(last + 2, len(place.words) - 1), place.text_after()
    elif said in COPIES and place.text_before().isdigit():
        first, amount = last - 1, place.text_before()
    elif place.word is None and said.isdigit() and place.text_before(2) in COPIES:
        first, amount = last - 1, said
    elif place.word and said[:1] in "xX" and said[1:].isdigit():
        amount = said[1:]
    else:
        return None
    while last + 1 < len(place.words) and place.words[last + 1].text in ("of", "each"):
        last += 1
    comma = "" if place.words[first - 1].text == "," else ", "
    sentence = message("the number of each comes at the end")
    hint = message("write `{comma}{amount} of each`", comma=comma, amount=amount)
    found = Mistake("unexpected-word", sentence, place.words[first].start, place.words[last].end, hint)
    return found.with_edits(Edit(place.words[first - 1].end, found.end, f"{comma or ' '}{amount} of each"))


def _diagnose_spoken_copies(place: StoppingPlace) -> Mistake | None:
    """`card Card: colour Colour, rank 1..6, twice`, `…, two of each`."""
    often = {"twice": 2, "thrice": 3, "once": 1, "double": 2}
    last = place.words[-1]
    if place.first_word not in COMPONENTS or place.kind != "declaration" or last.text not in often:
        return None
    if place.at < len(place.words) - 1:
        return None
    written = f"{often[last.text]} of each"
    sentence = message("the number of each comes at the end")
    found = Mistake("unexpected-word", sentence, last.start, last.end, message("write `{it}`", it=written))
    return found.with_replacement(written)


def _diagnose_slashed_values(place: StoppingPlace) -> Mistake | None:
    """`card Card: colour red/blue/green, rank 1..6`."""
    texts = [word.text for word in place.words]
    at = next((at for at in range(4, len(texts)) if texts[at] == "/"), 0)
    if place.first_word not in COMPONENTS or place.kind != "declaration" or not at or place.at < at:
        return None
    last = at + 1
    while texts[last + 1 : last + 2] == ["/"] and last + 2 < len(texts):
        last += 2
    words, name = texts[at - 1 : last + 1 : 2], texts[at - 2]
    if not all(word.isidentifier() for word in (*words, name)):
        return None
    known = {place.declared.things.kind_of.get(word, "") for word in words}
    kind = name.capitalize() if len(known) > 1 or "" in known else known.pop()
    return _declare_words(place, at - 2, last, f"values {kind}: {', '.join(words)}", f"{name} {kind}")


def _diagnose_counted_words(place: StoppingPlace) -> Mistake | None:
    """`3 colours`, `three colours: red, blue, green`, `colours: 3`; `card Card: 3 colours, rank 1..6`, `5 ranks`."""
    texts = [word.text for word in place.words]
    if place.kind != "declaration" or len(texts) < 2:
        return None
    is_attribute = place.first_word in COMPONENTS
    at = place.at - 1 if is_attribute else 0
    if not is_attribute and texts[1:2] in ([":"], ["="]) and len(texts) == 3 and place.at < 3:
        noun, amount, named = texts[0], read_number(texts[2]), []
    elif 0 <= at < len(texts) - 1 and place.at < at + 4:
        noun, amount, named = texts[at + 1], read_number(texts[at]), texts[at + 2 :]
    else:
        return None
    words = WORDS_OF.get(noun)
    if not amount or words is None or (is_attribute and texts[at - 1] not in (":", ",")):
        return None
    kind = noun.removesuffix("s").capitalize()
    if is_attribute and noun == "ranks":
        sentence = message("an attribute has a name, and the values it can have")
        return place.write_words(at, at + 1, "unexpected-word", sentence, f"rank 1..{amount}")
    said = named[1:] if named[:1] == [":"] and not is_attribute else []
    listed = " ".join(said).replace(" ,", ",") or ", ".join(words[:amount])
    values = f"values {kind}: {listed}"
    if not is_attribute:
        sentence = message("words are declared before they are used")
        return place.write_line("unknown-piece", sentence, values) if said or amount <= len(words) else None
    return _declare_words(place, at, at + 1, values if amount <= len(words) else "", f"{kind.lower()} {kind}")


def _declare_words(place: StoppingPlace, first: int, last: int, values: str, typed: str) -> Mistake:
    """Words that a component names are declared on a line above it, where they are not yet."""
    sentence = message("words are declared before they are used")
    if not values or typed.split()[-1] in place.declared.things.kind_of.values():
        return place.write_words(first, last, "unexpected-word", sentence, typed)
    start, end = place.words[first].start, place.words[last].end
    hint = message("write `{values}` on a line of its own above, and here `{typed}`", values=values, typed=typed)
    found = Mistake("unexpected-word", sentence, start, end, hint)
    return found.with_edits(Edit(place.margin, place.margin, f"{values}\n"), Edit(start, end, typed))


def _diagnose_many_components(place: StoppingPlace) -> Mistake | None:
    """`cards: colour Colour, rank 1..6`."""
    noun = place.first_word.removesuffix("s")
    is_plural = noun in COMPONENTS and place.first_word != noun
    if place.kind != "declaration" or not is_plural or [word.text for word in place.words[1:2]] != [":"]:
        return None
    written = f"{noun} {noun.capitalize()}"
    found = place.make_mistake_at_start(
        "unknown-piece", message("components have a name"), message("write `{it}: …`", it=written)
    )
    return found.with_replacement(written)


def _diagnose_amount_first(place: StoppingPlace) -> Mistake | None:
    """`4 card Card: rank 1..10`."""
    if (
        place.at == 0
        and place.kind == "declaration"
        and place.first_word.isdigit()
        and place.text_after() in COMPONENTS
    ):
        hint = message(
            "write the number of each at the end of the line: `, {first_word} of each`",
            first_word=place.first_word,
        )
        return place.make_mistake_at_start(
            "unknown-piece", message("no piece of a rulebook starts with a number"), hint
        )
    return None


def _diagnose_dashed_range(place: StoppingPlace) -> Mistake | None:
    """`rank 1-10`."""
    if place.text_before(2) != "-" or not place.can_be(".."):
        return None
    low, high = place.text_before(3), place.text_before()
    if not (low.isdigit() and high.isdigit()):
        return None
    words = place.words[place.at - 3 : place.at]
    hint = message("write `{low}..{high}`", low=low, high=high)
    found = Mistake("wrong-sign", message("write a range with two dots"), words[0].start, words[-1].end, hint)
    return found.with_replacement(f"{low}..{high}")


def _diagnose_bare_amount(place: StoppingPlace) -> Mistake | None:
    """`token Pawn: 4 of each player`."""
    texts = [word.text for word in place.words]
    if place.first_word not in COMPONENTS or texts[2:3] != [":"] or texts[-3:] != ["of", "each", "player"]:
        return None
    amount = " ".join(texts[3:-3])
    first, last = place.words[3], place.words[-1]
    hint = message("write `{begin}: owner player, {place} of each`", begin=" ".join(texts[:2]), place=amount)
    sentence = message("components need an attribute that tells them apart")
    found = Mistake("unexpected-word", sentence, first.start, last.end, hint)
    return found.with_replacement(f"owner player, {amount} of each")


def _diagnose_component_owner(place: StoppingPlace) -> Mistake | None:
    """`token Seed of player: 48 of each`."""
    if place.first_word not in COMPONENTS or place.kind != "declaration" or place.at != 2 or place.text != "of":
        return None
    amount = next(
        (f", {word.text} of each" for word in place.words[place.at :] if word.text.isdigit()), ""
    )
    hint = message(
        "write `{first_word} {before}: owner player{amount}`; zones say in whose hands it is",
        first_word=place.first_word,
        before=place.text_before(),
        amount=amount,
    )
    found = place.make_mistake("unexpected-word", message("the owner of a component is one of its attributes"), hint)
    begin = place.words[place.at - 1].end
    return found.with_edits(Edit(begin, place.words[-1].end, f": owner player{amount}"))


def _diagnose_computed_copies(place: StoppingPlace) -> Mistake | None:
    """`card Card: kind Kind, copies(kind) of each`, `…, players * 2 of each`."""
    texts = [word.text for word in place.words]
    if place.first_word not in COMPONENTS or place.kind != "declaration" or texts[-2:] != ["of", "each"]:
        return None
    depth, begin = 0, len(texts) - 3
    while begin > 0 and not (depth == 0 and texts[begin] in (",", ":")):
        depth += (texts[begin] in (")", "]", "}")) - (texts[begin] in ("(", "[", "{"))
        begin -= 1
    if place.at <= begin + 1 or begin + 1 > len(texts) - 3:
        return None
    first, last = place.words[begin + 1], place.words[-3]
    if first.text == "(" and last.text == ")":
        return None
    hint = message("put brackets around it: `({join}) of each`", join=join_texts(texts[begin + 1 : -2]))
    found = Mistake("missing-brackets", message("the number of each is a formula"), first.start, last.end, hint)
    return found.with_edits(Edit(first.start, first.start, "("), Edit(last.end, last.end, ")"))


STRAYS = ("have", "has", "with", "exactly", "there", "are", "make")


def _diagnose_stray_in_copies(place: StoppingPlace) -> Mistake | None:
    """`card Card: rank 1..6, 5 have of each`, `…, have 5 of each`: no formula, for nothing is called so."""
    texts = [word.text for word in place.words]
    if place.first_word not in COMPONENTS or place.kind != "declaration" or texts[-2:] != ["of", "each"]:
        return None
    at = next((at for at in (len(texts) - 3, len(texts) - 4) if texts[at].isidentifier()), 0)
    number = 2 * len(texts) - 7 - at
    is_known = texts[at] in place.declared.known | place.declared.before_of and texts[at] not in STRAYS
    if at < 5 or not texts[number].isdigit() or texts[len(texts) - 5] not in (",", ":") or is_known:
        return None
    sentence = message("`{place}` cannot stand here", place=texts[at])
    hint = message("remove `{word}`", word=texts[at])
    found = Mistake("unexpected-word", sentence, place.words[at].start, place.words[at].end, hint)
    return found.with_edits(place.leave_out(at, at))


SPOKEN_SPAN = re.compile(r"(\w+) (\d+) (?:to|-|\.\.) (\d+)")
TYPED = re.compile(r"([^\W\d_]\w*) (?:([^\W\d_]\w*)|(\d+) \.\. (\d+))")
COUNTED = re.compile(r"\d+ ([^\W\d_]+?)s?")
EACH_OF = re.compile(r"(\d+) of each")


def _diagnose_counted_components(place: StoppingPlace) -> Mistake | None:
    """`24 cards`, `24 cards: gem Gem, rank 1 to 6`, `24 cards: red, blue, 12 of each`: how many of each follows."""
    texts = [word.text for word in place.words]
    amount, noun = read_number(texts[0]), texts[1].removesuffix("s") if len(texts) > 1 else ""
    if place.kind != "declaration" or place.at > 2 or not amount or noun not in COMPONENTS[:4]:
        return None
    if texts[2:3] not in ([], [":"]):
        return None
    sentence = message("how many there are of each is said at the end")
    begin = f"{noun} {noun.capitalize()}"
    if len(texts) == 2:
        return place.write_line("unknown-piece", sentence, f"{begin}: {amount}")
    line = _write_components(place, begin, amount, texts[3:]) if texts[2] == ":" else ""
    if line:
        return place.write_line("unknown-piece", sentence, line)
    hint = message("write `{begin}: …`: what stands on it, as in `colour Colour, rank 1..6`, then `, 4 of each`",
                   begin=begin)  # fmt: skip
    return place.make_mistake_at_start("unknown-piece", sentence, hint)


def _write_components(place: StoppingPlace, begin: str, amount: int, said: list[str]) -> str:
    """The line that is meant, where all that is said is an attribute; without how many of each, so many as come out."""
    written, kinds, each = [], 1, ""
    values = list(place.declared.things.kind_of.values())
    for part in " ".join(said).split(" , "):
        span, copies = SPOKEN_SPAN.fullmatch(part), EACH_OF.fullmatch(part)
        counted = COUNTED.fullmatch(part)
        if counted is not None:
            part = f"{counted[1].lower()} {counted[1].capitalize()}"
        typed = TYPED.fullmatch(f"{span[1]} {span[2]} .. {span[3]}" if span is not None else part)
        if copies is not None:
            each = copies[1]
        elif typed is None or not (typed[3] or typed[2] in values):
            return ""
        else:
            kinds *= values.count(typed[2]) if typed[2] else max(int(typed[4][:6]) - int(typed[3][:6]) + 1, 1)
            written.append(f"{typed[1]} {typed[2] or f'{typed[3]}..{typed[4]}'}")
    if not written or (not each and amount % kinds):
        return ""
    copied = each or str(amount // kinds)
    return f"{begin}: {', '.join(written)}" + (f", {copied} of each" if copied != "1" else "")


def _diagnose_each_of_values(place: StoppingPlace) -> Mistake | None:
    """`card Card: 2 of each gem`: what stands on it comes first."""
    texts = [word.text for word in place.words]
    is_said = place.first_word in COMPONENTS[:4] and texts[2:3] == [":"] and texts[4:6] == ["of", "each"]
    if place.kind != "declaration" or not is_said or len(texts) < 7 or not texts[3].isdigit():
        return None
    name, kinds = texts[6].removesuffix("s"), place.declared.things.kind_of.values()
    kind, sentence = name.capitalize(), message("what stands on it comes first, then how many there are of each")
    line = f"{texts[0]} {texts[1]}: {name.lower()} {kind}, {texts[3]} of each"
    if kind in kinds and len(texts) == 7:
        return place.write_line("unexpected-word", sentence, line)
    hint = message("write `{line}`", line=line)
    if kind not in kinds:
        hint = message("write `{values}` on a line of its own above, and here `{typed}`", values=f"values {kind}: …",
                       typed=line)  # fmt: skip
    elif len(texts) > 7:
        hint = message("write `{line}`, with what else stands on it", line=line.replace(", ", ", …, "))
    return place.make_mistake("unexpected-word", sentence, hint)


def _diagnose_listed_values(place: StoppingPlace) -> Mistake | None:
    """`card Card: rank {1, 2, 3, 5, 8}`, `option rounds: {1, 3} = 3`, `option rounds: 1, 3 = 3`."""
    if place.first_word not in WITH_VALUES or place.kind != "declaration":
        return None
    texts = [word.text for word in place.words]
    if (
        place.text in (",", "or")
        and place.text_before().isdigit()
        and place.text_after().isdigit()
        and ".." not in texts
    ):
        begin = place.at - 1
    elif place.text == "=" and place.text_before(2) == "," and place.text_before().isdigit() and ":" in texts:
        begin = texts.index(":") + 1
    elif "{" in texts[: place.at] and "}" in texts[: place.at] and "DOTS" in place.expected:
        begin = texts.index("{") + 1
    else:
        return None
    values = list(takewhile(lambda text: text == "," or text.replace("_", "a").isalnum(), texts[begin:]))[::2]
    name = next((text for text in reversed(texts[:begin]) if text.isidentifier()), "")
    last = place.words[min(begin + 2 * len(values) - (texts[begin - 1] != "{") - 1, len(texts) - 1)]
    sentence = message("an attribute is a range, or the name of some `values`")
    if place.first_word in ("option", "reading"):
        sentence = message("an option is a range, some numbers or some words")
    hint = _suggest_values(place.first_word, name, values)
    start, end = place.words[begin].start, max(last.end, place.words[begin].end)
    found = Mistake("unexpected-word", sentence, start, end, hint)
    is_braced = texts[begin - 1] == "{" and last.text == "}" and place.first_word == "option" and len(values) > 1
    if not is_braced or not all(value.isdigit() for value in values):
        return found
    numbers = sorted(int(value[:9]) for value in values)
    is_range = numbers == [*range(numbers[0], numbers[-1] + 1)]
    written = f"{numbers[0]}..{numbers[-1]}" if is_range else f"{', '.join(values[:-1])} or {values[-1]}"
    return found.with_edits(Edit(place.words[begin - 1].start, end, written))


def _suggest_values(first: str, name: str, values: list[str]) -> str:
    if not values or not all(value.isdigit() for value in values):
        words = ", ".join(values)
        kind = name.capitalize() if name else "Kind"
        if first in ("option", "reading"):
            return message(
                "write the words without braces: `{first} {name}: {words} = …`", first=first, name=name, words=words
            )
        return message(
            "write `values {kind}: {words}` on a line of its own, and here `{name} {kind}`",
            kind=kind,
            words=words,
            name=name,
        )
    numbers = sorted(int(value[:9]) for value in values)
    low, high = numbers[0], numbers[-1]
    listed = f"{name} in {{{', '.join(values)}}}"
    if numbers == [*range(low, high + 1)] or first in ("number", "marker"):
        return message("write `{low}..{high}`", low=low, high=high)
    if first in COMPONENTS:
        return message(
            "write `{name} {low}..{high}`, and behind the last attribute `where {listed}`",
            name=name,
            low=low,
            high=high,
            listed=listed,
        )
    return message(
        "write `{first} {name}: {several} or {last} = …`",
        first=first,
        name=name,
        several=", ".join(values[:-1]),
        last=values[-1],
    )


SEVERAL_DICE = re.compile(r"(\d+)[dDwW](\d+)")
TO = ("in", "to", "on", "onto", "at")
DICE = ("dice", "die", "them")
THROWN = ("rolled", "rolls", "roll", "thrown", "throws", "throw", "shows", "show")
ALIKE = ("equal", "same", "alike", "match", "double", "doubles")
AROUND_DICE = (
    "no", "any", "a", "an", "one", "some", "the", "both", "all", "every", "each", "two", "player", "is", "are",
    "contains", "has", "holds", "=", "of",
)  # fmt: skip
REST_OF_DICE = ("rest", "remaining", "others", "other")
ONES = ("ones", "twos", "threes", "fours", "fives", "sixes")
EXTREME = {
    "highest": "highest", "biggest": "highest", "largest": "highest", "best": "highest", "higher": "highest",
    "lowest": "lowest", "smallest": "lowest", "least": "lowest", "worst": "lowest", "lower": "lowest",
}  # fmt: skip


def _diagnose_dice_piece(place: StoppingPlace) -> Mistake | None:
    """`dice Die: 1..6`, `d6 Die`, `dice: 2`, `2 dice`, `dice 1..6`."""
    texts = [word.text for word in place.words]
    numbers = [text for text in texts if text.isdigit()]
    is_bare = place.kind == "declaration" and {*texts} - {*numbers} <= {"dice", "die", ":", "..", "a", "with", "sides"}
    if is_bare and place.at < 2 and {"dice", "die"} & {*texts} and 1 <= len(numbers) <= 2:
        amount = numbers[0] if len(numbers) == 1 or ".." not in texts else "1"
        faces = numbers[1] if len(numbers) == 2 else "6"
        line = f"die Die: 1..{faces}" + (f", {amount} of each" if amount != "1" else "")
        return place.write_line("unknown-piece", message("declare what a single die is"), line)
    if place.kind != "declaration" or place.at != 0 or place.first_word not in ("dice", "d6"):
        return None
    sentence, hint = message("declare what a single die is"), message("write `die Die: 1..6, 5 of each`")
    found = place.make_mistake_at_start("unknown-piece", sentence, hint)
    is_so = len(place.words) > 2 and place.words[2].text == ":"
    return found.with_replacement("die") if place.first_word == "dice" and is_so else found


def _diagnose_faces(place: StoppingPlace) -> Mistake | None:
    """`die Die: face 1..6`, `die Die: 6`, `die Die: 1-6`, `die Die: 1, 2, 3`, `die Die: 1..6, 5`."""
    if place.kind != "declaration" or place.first_word != "die" or place.at < 3:
        return None
    texts = [word.text for word in place.words]
    if place.at == 4 and place.text.isdigit() and ".." in texts and texts.index("..") > 4:
        hint = message("remove `{name}`: the value of a die is always called `face`", name=texts[3])
        found = place.make_mistake("unexpected-word", message("a die only has faces"), hint)
        return found.with_edits(place.leave_out(3, 3))
    at_end = message("the number of dice comes at the end")
    if place.word is None and texts[-1].isdigit() and texts[-2] == ",":
        found = place.make_mistake("unfinished-line", at_end, message("write `{amount} of each`", amount=texts[-1]))
        return found.with_edits(Edit(place.words[-1].end, place.words[-1].end, " of each"))
    if texts[-2:-1] == ["of"] and texts[-1] in ("them", "dice", "all") and texts[-3].isdigit():
        last = place.words[-1]
        found = place.make_mistake("unexpected-word", at_end, message("write `{amount} of each`", amount=texts[-3]))
        return found.with_edits(Edit(last.start, last.end, "each"))
    several = SEVERAL_DICE.fullmatch("".join(texts[3:]))
    if several is not None:
        written = f"1..{several[2]}, {several[1]} of each"
        found = place.make_mistake(
            "unexpected-word",
            message("the faces of a die are a range, or `values`"),
            message("write `{written}`", written=written),
        )
        return found.with_edits(Edit(place.words[3].start, place.words[-1].end, written))
    if ".." not in texts and len(texts) > 3 and (texts[3].isdigit() or texts[3] == "{"):
        said = texts[3 : texts.index("of") - 1] if "of" in texts else texts[3:]
        most = max((int(one) for one in said if one.isdigit()), default=6)
        hint = message(
            "write `die {name}: 1..{most}`; declare faces that are not numbers as `values`", name=texts[1], most=most
        )
        return place.make_mistake("unexpected-word", message("the faces of a die are a range, or `values`"), hint)
    return None


def _diagnose_bare_throw(place: StoppingPlace) -> Mistake | None:
    """`roll`, `roll the dice`, `roll 2 dice`, `player rolls both dice`, where it is plain which dice are meant."""
    said = [word.text for word in place.words if word.text != "player"]
    things = place.declared.things
    kind, cup = find_only(things.dice), find_only(things.cups)
    if (
        place.kind != "statement"
        or not {*said[:1]} & {"roll", "rolls", "throw", "throws", "reroll"}
        or not kind
        or not cup
    ):
        return None
    amounts = {"all", "the", "both", "each", "every", "his", "her", "their", "a", "one", "of", "again"}
    if {"rest", "remaining", "others", "other"} & {*said[1:]} and {*said[1:]} <= {*amounts, *DICE, *REST_OF_DICE}:
        sentence = message("the dice that were not moved away still lie there")
        return place.write_line("unexpected-word", sentence, f"roll all {cup}")
    rest = [text for text in said[1:] if text not in amounts]
    numbers = [text for text in rest if text.isdigit()]
    if not {*rest} - {*numbers} <= {*DICE, kind} or len(numbers) > 1 or said == ["roll", "all", kind]:
        return None
    is_some = bool(numbers) and numbers[0] != str(things.dice_of_each)
    line = f"roll {numbers[0]} of {kind} into {cup}" if is_some else f"roll all {kind} into {cup}"
    return place.write_line("unexpected-word", message("say how many dice, which, and where they land"), line)


def _diagnose_asked_dice(place: StoppingPlace) -> Mistake | None:
    """`if any die is 1`, `if both dice are 1`, `if a 1 is rolled`, `if cup contains 1`, `if two dice are equal`."""
    cup = find_only(place.declared.things.cups)
    texts = [word.text for word in place.words]
    begin = next((at + 1 for at, text in enumerate(texts) if text in ("if", "until", "needs")), 0)
    end = next(
        (at for at, text in enumerate(texts) if at > begin and text in ("and", "or", "because", ",")), len(texts)
    )
    said = texts[begin:end]
    if not cup or not begin or not begin <= place.at <= end or not 2 <= len(said) < 7:
        return None
    written = _read_asked_dice(said, cup)
    if written is None:
        return None
    return place.write_words(begin, end - 1, "wrong-word", message("what dice show is asked of each"), written)


def _read_asked_dice(said: list[str], cup: str) -> str | None:
    """What is asked of the dice, where nothing else is said."""
    numbers = [str(ONES.index(text) + 1) if text in ONES else text for text in said if text in ONES or text.isdigit()]
    words = {text for text in said if text not in ONES and not text.isdigit()} - {"in", "among", "on"}
    if not words & {*DICE, *THROWN, *ALIKE, cup} or not words <= {*DICE, *THROWN, *ALIKE, *AROUND_DICE, cup}:
        return None
    if words & {*ALIKE} and not numbers:
        return f"(count of distinct face over {cup}) = 1"
    if len(numbers) != 1 or "not" in words:
        return None
    if "no" in words:
        return f"no d in {cup} has face of d = {numbers[0]}"
    is_of_all = words & {"both", "all", "every", "each", "double", "doubles"}
    return f"{'every' if is_of_all else 'some'} d in {cup} has face of d = {numbers[0]}"


def _diagnose_best_die(place: StoppingPlace) -> Mistake | None:
    """`if highest die = 1`, `pot increases by the lowest roll`, `sum of the dice`."""
    cup, best = find_only(place.declared.things.cups), EXTREME.get(place.text_before())
    if not cup or best is None or place.text not in (*DICE, "roll", "throw", "face"):
        return None
    first = place.at - 1 - (place.text_before(2) == "the")
    return place.write_words(first, place.at, "wrong-word", message("what dice show is asked of each"),
                             f"({best} of face over {cup})")  # fmt: skip


ORDERED = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}


def _diagnose_counted_die(place: StoppingPlace) -> Mistake | None:
    """`if first die = 1`, `if the second die is 6`: dice have an order where they lie in a row."""
    things, texts = place.declared.things, [word.text for word in place.words]
    cup, die = find_only(things.cups), find_only(things.dice)
    at = next((at for at in range(max(place.at - 1, 1), min(place.at + 1, len(texts)))
               if texts[at - 1] in ORDERED and texts[at] in (*DICE, die)), 0)  # fmt: skip
    if not at or not cup or not die:
        return None
    number = ORDERED[texts[at - 1]]
    written = f"face of first of {cup}" if number == 1 else f"face of item {number} of {cup}"
    if cup not in things.rows:
        sentence = message("dice in a set have no order")
        whole = f"zone {cup}: row of {die}, public"
        hint = message("declare `{zone}`, and write `{written}` here", zone=whole, written=written)
        return Mistake("wrong-word", sentence, place.words[at - 1].start, place.words[at].end, hint)
    is_said = texts[at + 1 : at + 2] in (["is"], ["shows"]) and "".join(texts[at + 2 : at + 3]).isdigit()
    written = f"{written} = {texts[at + 2]}" if is_said else written
    sentence = message("what dice show is asked of each")
    return place.write_words(at - 1 - (texts[at - 2] == "the"), at + 2 * is_said, "wrong-word", sentence, written)


def _diagnose_throw(place: StoppingPlace) -> Mistake | None:
    """`roll 5 dice`, `roll 2 Die into cup`, `roll 2 of cup`, `roll all dice in cup`, `roll the dice`."""
    if place.kind != "statement" or place.first_word != "roll" or len(place.words) < 2:
        return None
    texts = [word.text for word in place.words]
    if place.text in TO and "INTO" in place.expected and ".." not in texts:
        found = place.make_mistake("unexpected-word", message("`into` says where dice land"), message("write `into`"))
        return found.with_replacement("into")
    if texts[1].isdigit() and place.at == 2 and len(texts) > 2:
        kind = place.text if place.text not in (*DICE, "from") and place.word is not None else "Die"
        where = " ".join(texts[texts.index("into") + 1 :]) if "into" in texts[:-1] else "…"
        hint = message(
            "write `roll {amount} of {kind} into {where}`; dice are declared: `die {kind}: 1..6, {amount} of each`",
            amount=texts[1], kind=kind, where=where,
        )  # fmt: skip
        return place.make_mistake("unexpected-word", message("say how many dice, which, and where they land"), hint)
    if texts[1].isdigit() and texts[2:3] == ["of"] and len(texts) == 4 and place.word is None:
        where = "…" if texts[3][0].isupper() else texts[3]
        hint = message("write `roll {amount} of {what} into {where}`", amount=texts[1], what=texts[3], where=where)
        return place.make_mistake("unfinished-line", message("say where these dice land"), hint)
    if texts[1] in ("all", "the", "each", "every"):
        zone = texts[-1] if texts[-1] not in (*DICE, *texts[:2]) else "cup"
        hint = message("write `roll all {zone}`, the zone where they lie", zone=zone)
        return place.make_mistake("unexpected-word", message("`roll all` needs the zone where the dice lie"), hint)
    return None


OF_COMPONENTS = (
    _diagnose_bare_amount,
    _diagnose_component_owner,
    _diagnose_counted_words,
    _diagnose_many_components,
    _diagnose_spoken_copies,
    _diagnose_slashed_values,
    _diagnose_copies,
    _diagnose_listed_values,
    _diagnose_each_of_values,
    _diagnose_counted_components,
    _diagnose_stray_in_copies,
    _diagnose_computed_copies,
    _diagnose_amount_first,
    _diagnose_dashed_range,
)
OF_DICE = (
    _diagnose_dice_piece, _diagnose_faces, _diagnose_bare_throw, _diagnose_counted_die,
    _diagnose_asked_dice, _diagnose_best_die,
    _diagnose_throw,
)  # fmt: skip
