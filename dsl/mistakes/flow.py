"""Rounds, phases, turns and loops as people say them. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.conditions import read_number
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.text.messages import message

MORE = {("or", "more"): ">=", ("or", "less"): "<=", ("or", "fewer"): "<=", ("or", "higher"): ">="}
TURNS = message(
    "`turns from starter until …` goes round and round; with `one turn each from starter` everyone has one turn"
)
STATEMENTS = ("move", "draw", "deal", "choose", "end", "show", "shuffle", "roll", "record", "skip", "each", "repeat")
WAYS = {
    "to the right": "right", "to the left": "left", "to right": "right", "to left": "left", "rightwards": "right",
    "leftwards": "left", "counterclockwise": "right", "anticlockwise": "right", "clockwise": "left",
    "counter - clockwise": "right", "anti - clockwise": "right", "in reverse": "right", "backwards": "right",
}  # fmt: skip
LASTING = frozenset(("repeat", "play", "the", "game", "lasts", "for", "over", "takes"))
CONDITIONS = ("if", "otherwise", "needs", "repeat", "turns", "one")


def _diagnose_rounds(place: StoppingPlace) -> Mistake | None:
    """`4 rounds`, `repeat 4 rounds`, `rounds 4, dealer moves left`, `starter moves clockwise`."""
    said = [word.text for word in place.words]
    if place.kind != "declaration":
        return None
    first = next((at for at, text in enumerate(said[:4]) if read_number(text)), -1)
    is_said = first >= 0 and said[first + 1 : first + 2] in (["rounds"], ["round"]) and place.at <= first + 1
    if is_said and {*said[:first]} <= LASTING:
        sentence = message("the number of rounds comes after the word")
        return place.write_words(0, first + 1, "unknown-piece", sentence, f"rounds {read_number(said[first])}")
    if place.first_word != "rounds":
        return None
    if place.text in ("clockwise", "counterclockwise", "anticlockwise", "on"):
        way = "right" if "counter" in place.text or "anti" in place.text else "left"
        found = place.make_mistake(
            "unexpected-word",
            message("`{place}` cannot stand here", place=place.text),
            message("write `{way}`", way=way),
        )
        return found.with_replacement(way)
    if place.text_after() == "moves" and place.can_be("starter"):
        found = place.make_mistake(
            "unexpected-word", message("the player who begins a round is the `starter`"), message("write `starter`")
        )
        return found.with_replacement("starter")
    return None


EVERYBODY = ("each", "every", "all", "players", "player", "everyone", "everybody")
IN_ORDER = ("clockwise", "alternate", "alternately", "alternating", "take", "taking", "in")
ROUND_WORDS = frozenset((
    "rounds", "round", "turns", "turn", "times", "each", "per", "player", "players", "for", "every", "everyone",
    "everybody",
))  # fmt: skip
OFTEN = {"once": 1, "twice": 2, "thrice": 3}
ELDEST = ("youngest", "oldest", "eldest", "tallest", "shortest", "newest")


def _diagnose_turn_count(place: StoppingPlace) -> Mistake | None:
    """`phase play: 3 rounds`, `phase play: twice each`, `phase play: 10 turns`, `turns from starter twice each`."""
    is_head = place.can_be("turns") and place.can_be("repeat")
    if not (is_head or "TURN_SIDE" in place.expected) or place.first_word not in ("phase", "turns", "one"):
        return None
    first = place.at + (place.text == ",")
    said = [word.text.lower() for word in place.words[first:]]
    amount = _read_amount(said[0]) if said else 0
    if not amount or not {*said[1:]} <= ROUND_WORDS or (len(said) == 1 and said[0].isdigit()):
        return None
    is_of_all = said[1:] in (["turns"], ["turn"])
    limit = f"at most {amount} turns" if is_of_all else f"at most {amount} * players turns"
    written = f"turns from starter, {limit}" if is_head else f", {limit}"
    sentence = message("how many turns there are is said like this")
    hint = message("write `{it}`", it=written)
    if said[1:] in (["rounds"], ["round"]) and is_head:
        hint = message("write `{it}`; rounds of the whole game are a piece of their own, `rounds {amount}`", it=written,
                       amount=amount)  # fmt: skip
    start = place.words[place.at].start if is_head else place.words[place.at - 1].end
    found = Mistake("unexpected-word", sentence, place.words[place.at].start, place.words[-1].end, hint)
    return found.with_edits(Edit(start, place.words[-1].end, written))


def _read_amount(text: str) -> int:
    return OFTEN.get(text) or read_number(text)


def _diagnose_who_begins(place: StoppingPlace) -> Mistake | None:
    """`turns from the youngest player`, `turns until stock is empty`, `turns from player 1`, `white begins`."""
    texts = [word.text for word in place.words]
    if "turns" in texts[: place.at] and place.expected == {"FROM"} and place.text == "until":
        found = place.make_mistake(
            "unexpected-word", message("say who begins"), message("write `from starter` before it")
        )
        return found.with_edits(place.insert_before("from starter"))
    if place.word is None and place.expected == {"FROM"} and texts[-1] == "turns":
        found = place.make_mistake("unfinished-line", message("say who begins"), message("write `turns from starter`"))
        return found.with_edits(place.insert_before("from starter"))
    if place.text in ("player", "players") and place.text_before() in ELDEST and "from" in texts[: place.at]:
        first = place.at - 1 - (place.text_before(2) == "the")
        hint = message("write `starter`: player 1, or whoever `draw lots for starter` finds in the setup")
        start, end = place.words[first].start, place.words[place.at].end
        found = Mistake("unexpected-word", message("a player is not named like this"), start, end, hint)
        return found.with_replacement("starter")
    if place.text.isdigit() and place.text_before() == "player" and place.text_before(2) == "from":
        word = place.words[place.at - 1]
        sentence = message("write a player as the number of the seat")
        hint = message("write `{place}`", place=place.text)
        found = Mistake("unexpected-word", sentence, word.start, place.words[place.at].end, hint)
        return found.with_replacement(place.text)
    if place.can_be("turns") and place.can_be("repeat") and place.text_after() in ("begins", "starts", "first"):
        written = "turns from 1"
        hint = message("write `{it}`: who begins is player 1", it=written)
        found = place.make_mistake("unexpected-word", message("say in which order"), hint)
        return found.with_edits(Edit(place.words[place.at].start, place.words[place.at + 1].end, written))
    return None


def _diagnose_turn_order(place: StoppingPlace) -> Mistake | None:
    """`phase bid: each player one turn`, `phase bid: players take turns`, `turns starting with 1`."""
    if place.can_be("turns") and place.text in (*EVERYBODY, *IN_ORDER):
        said = [word.text for word in place.words[place.at :]]
        is_once = place.text in EVERYBODY[:2] and "turn" in said
        rest = next((at for at, text in enumerate(said) if text in ("from", "until")), len(said))
        begin = "one turn each" if is_once else "turns"
        begin += "" if said[rest : rest + 1] == ["from"] else " from starter"
        end = place.words[place.at + rest - 1].end
        found = place.make_mistake("unexpected-word", message("say in which order"), TURNS)
        return found.with_edits(Edit(found.start, end, begin))
    if place.expected == {"FROM"} and place.text in ("starting", "beginning", "start"):
        found = place.make_mistake(
            "unexpected-word", message("`{place}` cannot stand here", place=place.text), message("write `from`")
        )
        if place.text_after() == "with":
            return found.with_edits(Edit(found.start, place.words[place.at + 1].end, "from"))
        return found.with_replacement("from")
    return None


def _diagnose_loop_word(place: StoppingPlace) -> Mistake | None:
    """`phase draft: for 3 times`, `phase draft: loop 3 times`, `phase play: while stock is not empty`."""
    if place.text not in ("for", "loop", "do", "while") or not place.can_be("repeat") or not place.can_be("turns"):
        return None
    sentence = message("`{place}` cannot stand here", place=place.text)
    said = [word.text for word in place.words[place.at :]]
    is_of_zone = said[-2:-1] in (["in"], ["of"]) and said[-1] in place.declared.things.zones
    if said[1:2] in (["each"], ["every"]) and is_of_zone:
        return place.write_words(place.at, -1, "wrong-word", sentence, f"repeat until {said[-1]} is empty")
    if place.text == "while":
        hint = message("write `repeat until` with the opposite condition, or `turns from starter until …`")
        return place.make_mistake("wrong-word", sentence, hint)
    return place.make_mistake("wrong-word", sentence, message("write `repeat`")).with_replacement("repeat")


def _diagnose_bare_until(place: StoppingPlace) -> Mistake | None:
    """`phase play: until stock is empty`: who has turns until then."""
    if place.text != "until" or not place.can_be("repeat") or not place.can_be("turns"):
        return None
    hint = message("write `turns from starter until …`, or `repeat until …` where nobody has turns")
    found = place.make_mistake("unexpected-word", message("say who has turns until then"), hint)
    needless = (place.leave_out(place.at + 1, place.at + 1),) if place.text_after() == "the" else ()
    return found.with_edits(place.insert_before("turns from starter"), *needless)


LIMITS = ("max", "maximum", "most", "limit", "within", "for", "at", "until", "up", "draw", "after")


def _diagnose_turn_limit(place: StoppingPlace) -> Mistake | None:
    """`turns from 1, max 40 turns`, `turns from 1 until 40 turns`, `turns from 1 at most 40 turns`."""
    texts = [word.text for word in place.words]
    first = next((at for at, text in enumerate(texts) if text.isdigit() and texts[at + 1 : at + 2] == ["turns"]), None)
    if first is None or texts[0] not in ("phase", "turns") or "turns" not in texts[:first] or place.at < first - 3:
        return None
    at = first
    while texts[at - 1] in (*LIMITS, "to", ","):
        at -= 1
    end = place.words[first + 1].end
    instead = f", at most {texts[first]} turns"
    sentence, hint = message("how many turns there are is said like this"), message("write `{it}`", it=instead)
    found = place.make_mistake("unexpected-word", sentence, hint)
    return found.with_edits(Edit(place.words[at - 1].end, end, instead)) if at < first else None


def _diagnose_side(place: StoppingPlace) -> Mistake | None:
    """`turns from starter to the right`, `turns counterclockwise from starter`, `turns from starter next leader`."""
    said = [word.text for word in place.words]
    if place.first_word not in ("turns", "one", "phase") or not {"turns", "turn"} & set(said) or not place.at:
        return None
    first, before = place.at + (place.text == ","), place.words[place.at - 1].end
    if said[first : first + 1] == ["next"] and "TURN_SIDE" in place.expected:
        found = place.make_mistake(
            "unexpected-word", message("put a comma before whose turn is next"), message("write `, next …`")
        )
        return found.with_edits(Edit(before, before, ","))
    length, side = _read_side(said[first : first + 4])
    if not length:
        return None
    last = place.words[first + length - 1]
    sentence = message("the direction of turns comes after the player who begins")
    hint = message("write `, to the {side}` there", side=side)
    found = Mistake("unexpected-word", sentence, place.words[place.at].start, last.end, hint)
    return found.with_edits(Edit(before, last.end, f", to the {side}")) if "TURN_SIDE" in place.expected else found


def _read_side(words: list[str]) -> tuple[int, str]:
    """How many of these words say a direction, and which."""
    for phrase, side in WAYS.items():
        said = phrase.split()
        if words[: len(said)] == said:
            return len(said), side
    return 0, ""


def _diagnose_skipping(place: StoppingPlace) -> Mistake | None:
    """`turns from starter skip hand is empty`."""
    if place.text not in ("skip", "skips", "passing", "without") or not place.can_be("skipping"):
        return None
    found = place.make_mistake(
        "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `skipping`")
    )
    return found.with_replacement("skipping")


def _diagnose_up_to_times(place: StoppingPlace) -> Mistake | None:
    """`repeat up to 3 times`, `up to 3 times`, `3 times`."""
    said = [word.text for word in place.words if word.text not in ("repeat", "up", "to", "at", "most", "do", "it")]
    if place.kind != "statement" or place.at > 2 or len(said) != 2 or said[1] != "times" or not read_number(said[0]):
        return None
    sentence = message("how often is said by a number; `else end turn` behind a choice ends it earlier")
    return place.write_line("unknown-statement", sentence, f"repeat {read_number(said[0])} times")


def _diagnose_while(place: StoppingPlace) -> Mistake | None:
    """`repeat while n < 3`."""
    if place.text_before() != "while" or place.text_before(2) != "repeat":
        return None
    word = place.words[place.at - 1]
    hint = message("write `until` with the opposite condition, as in `until n >= 3` for `while n < 3`")
    return Mistake("wrong-word", message("`while` cannot stand here"), word.start, word.end, hint)


def _diagnose_counting_loop(place: StoppingPlace) -> Mistake | None:
    """`for k = 1 to 6`, `each 1..6`, `each c of hand`."""
    if place.kind != "statement":
        return None
    said = [word.text for word in place.words]
    if place.first_word == "for" and said[2:3] == ["="] and len(said) > 3:
        last = said[5] if len(said) > 5 and said[4] in ("to", "..") else "…"
        line = f"each {said[1]} in {said[3]}..{last}"
        return place.write_line("unknown-statement", message("no statement starts with `for`"), line)
    if place.first_word == "each" and place.at == 1 and place.text.isdigit():
        last = place.words[3].text if place.text_after() == ".." and len(said) > 3 else place.text
        hint = message("write `each n in {place}..{last}`, or `repeat {last} times`", place=place.text, last=last)
        found = place.make_mistake("unexpected-word", message("the name for these numbers is missing"), hint)
        return found.with_edits(place.insert_before("n in")) if place.text_after() == ".." else found
    if place.first_word == "each" and place.expected == {"IN"} and place.text in ("of", "from", "at", "on"):
        return place.make_mistake(
            "wrong-word",
            message("`{place}` cannot stand here", place=place.text),
            message("write `each {before} in …`", before=place.text_before()),
        ).with_replacement("in")
    return None


def _diagnose_or_more(place: StoppingPlace) -> Mistake | None:
    """`until n is 17 or more`."""
    if not place.at or place.text_before() != "is" or not place.text.isdigit() or place.at + 2 >= len(place.words):
        return None
    sign = MORE.get((place.words[place.at + 1].text, place.words[place.at + 2].text))
    if sign is None:
        return None
    start, end = place.words[place.at - 1].start, place.words[place.at + 2].end
    found = Mistake(
        "wrong-word",
        message("compare values with signs"),
        start,
        end,
        message("write `{sign} {place}`", sign=sign, place=place.text),
    )
    return found.with_replacement(f"{sign} {place.text}")


def _diagnose_comma_conditions(place: StoppingPlace) -> Mistake | None:
    """`if a = 1, b = 2`, `needs if n > 0`."""
    if place.kind == "statement" and place.first_word in CONDITIONS and place.text == "," and "AND" in place.expected:
        if place.text_after() in STATEMENTS:
            hint = message("end the line before it, and write what happens below, indented")
            found = place.make_mistake("unexpected-word", message("put a condition on a line of its own"), hint)
            return found.with_edits(place.begin_line_below(place.at, place.at + 1))
        found = place.make_mistake(
            "unexpected-word", message("join conditions with `and` or `or`"), message("write `and`, or `or`")
        )
        return found.with_replacement(" and")
    if (
        place.first_word == "needs"
        and len(place.words) > 1
        and place.words[1].text == "if"
        and "THEN" in place.expected
    ):
        word = place.words[1]
        found = Mistake("wrong-word", message("`if` cannot stand here"), word.start, word.end, message("remove `if`"))
        return found.with_edits(place.leave_out(1, 1))
    return None


def _diagnose_otherwise_behind_needs(place: StoppingPlace) -> Mistake | None:
    """`needs money >= n otherwise pass`, `needs money >= n else pass`: an action that is not legal is not offered."""
    if place.kind != "statement" or place.first_word != "needs" or place.text not in ("otherwise", "else"):
        return None
    if "$END" not in place.expected or place.at < 2 or place.text_after()[:1] in ('"', ""):
        return None
    rest = [word.text for word in place.words[place.at + 1 :]]
    removed = " ".join((place.text, *rest))
    own = rest[0] if len(rest) == 1 and rest[0] in place.declared.things.actions else ""
    way = f"choose …, … or {own}" if own else "choose …, else end turn"
    hint = message("remove `{removed}`; say it where the action is offered: `{way}`", removed=removed, way=way)
    found = place.make_mistake("unexpected-word", message("what is not legal is not offered"), hint)
    return found.with_edits(place.leave_out(place.at, len(place.words) - 1))


def _diagnose_next_player(place: StoppingPlace) -> Mistake | None:
    """`starter becomes next player`, `dealer becomes player to the left of starter`."""
    if (
        place.at > 1
        and place.text in ("player", "players")
        and place.text_before() in ("next", "previous", "following")
    ):
        side = "right" if place.text_before() == "previous" else "left"
        word = place.words[place.at - 1]
        hint = message("write `{side} of player`", side=side)
        sentence = message("for a neighbour, write `left of` or `right of`")
        found = Mistake("unexpected-word", sentence, word.start, place.words[place.at].end, hint)
        return found.with_replacement(f"{side} of player")
    said = [word.text for word in place.words[place.at : place.at + 4]]
    if place.text_before() == "player" and said[:2] == ["to", "the"] and said[2:3] in (["left"], ["right"]):
        last = place.words[place.at + 2]
        hint = message("write `{said} of …`", said=said[2])
        sentence = message("for a neighbour, write `left of` or `right of`")
        return Mistake("unexpected-word", sentence, place.words[place.at - 1].start, last.end, hint)
    return None


OF_FLOW = (
    _diagnose_turn_limit, _diagnose_turn_count, _diagnose_who_begins,
    _diagnose_rounds, _diagnose_turn_order, _diagnose_loop_word,
    _diagnose_bare_until, _diagnose_side, _diagnose_skipping, _diagnose_while,
    _diagnose_up_to_times,
    _diagnose_counting_loop, _diagnose_or_more, _diagnose_comma_conditions,
    _diagnose_otherwise_behind_needs, _diagnose_next_player,
)  # fmt: skip
