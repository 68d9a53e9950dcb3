"""What becomes more or less, as people say it: `add 1 to passes`, `pay 3 coins`, `move forward by 2`, `score 5 points`.
Takes places, gives mistakes.
"""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.conditions import read_number
from rulesrun.dsl.mistakes.moves import POSSESSIVE
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace, join_texts
from rulesrun.dsl.text.declared_words import find_only
from rulesrun.dsl.text.messages import message

BANKING = ("bank", "keep", "save", "cash", "collect", "earn", "gain", "win", "score", "secure", "add")
SCORING = ("score", "scores", "gets", "earns", "wins", "gains", "loses", "receives")
LOSING = ("lose", "loses", "use", "uses", "spend", "spends", "give", "gives")
GAINING = ("gain", "gains", "get", "gets", "receive", "receives", "earn", "earns", "win", "wins")
GOING = ("move", "moves", "go", "goes", "advance", "advances", "step", "steps", "run", "runs")
FORWARD = frozenset(("forward", "forwards", "onward"))
BACK = frozenset(("back", "backward", "backwards"))
SENDING = ("send", "sends", "return", "returns", "back", "to", "start", "beginning", "home")
STEPS = ("space", "spaces", "steps", "places", "squares", "fields", "step")
MONEY = ("money", "coins", "coin", "chips", "chip", "gold", "cash", "dollars", "bid")
OF_ALL = ("the", "all", "every", "each", "of", "player", "players", "everyone")
DOING = ("move", "draw", "deal", "show", "roll", "shuffle", "end", "do", "clear", "swap")


def _diagnose_equals_as_change(place: StoppingPlace) -> Mistake | None:
    """`passes = 0`, `passes + 1` as statements."""
    if place.kind != "statement" or "BECOMES" not in place.expected:
        return None
    if place.text in ("=", "is"):
        sentence = message("`{place}` changes nothing", place=place.text)
        found = place.make_mistake("wrong-sign", sentence, message("to change something, write `becomes`"))
        return found.with_replacement("becomes")
    if place.text in ("+", "-"):
        way = "increases" if place.text == "+" else "decreases"
        found = place.make_mistake(
            "wrong-sign", message("`{place}` changes nothing", place=place.text), message("write `{way} by`", way=way)
        )
        return found.with_replacement(f"{way} by")
    return None


SPOKEN_CHANGES = {
    "increase": ("by", "increases by"), "raise": ("by", "increases by"), "decrease": ("by", "decreases by"),
    "reduce": ("by", "decreases by"), "lower": ("by", "decreases by"), "add": ("to", "increases by"),
    "subtract": ("from", "decreases by"), "set": ("to", "becomes"), "reset": ("to", "becomes"),
}  # fmt: skip


def _diagnose_spoken_change(place: StoppingPlace) -> Mistake | None:
    """`add 1 to passes`, `increase passes of player by 2`, `set passes to 0`."""
    said = [word.text for word in place.words]
    if place.kind != "statement" or place.at > 1 or place.first_word not in SPOKEN_CHANGES:
        return None
    between, way = SPOKEN_CHANGES[place.first_word]
    at = said.index(between, 2) if between in said[2:-1] else 0
    first, second = said[1:at], said[at + 1 :]
    what, amount = (second, first) if way != "becomes" and between != "by" else (first, second)
    if not at or not all(text.replace("_", "a").isalnum() for text in (*what, *amount)) or not what[0].isidentifier():
        return None
    if way != "becomes" and amount[-1] in ("card", "cards", "all"):
        return None
    line = f"{' '.join(what)} {way} {' '.join(amount)}"
    sentence = message("no statement starts with `{first_word}`", first_word=place.first_word)
    return place.write_line("unknown-statement", sentence, line)


def _diagnose_banked(place: StoppingPlace) -> Mistake | None:
    """`bank pot`, `player keeps pot`, where one number of each player is kept."""
    said = [word.text for word in place.words if word.text not in ("the", "player")]
    kept = find_only(place.declared.things.counted)
    is_said = len(said) == 2 and said[0].removesuffix("s") in BANKING and said[1] in place.declared.known
    if place.kind != "statement" or not kept or not is_said or said[1] in (*place.declared.things.zones, kept):
        return None
    return place.write_line(
        "unknown-statement", message("points are kept in a number until the end"), f"{kept} increases by {said[1]}"
    )


def _diagnose_spoken_points(place: StoppingPlace) -> Mistake | None:
    """`score 5 points`, `player scores 5`, `player gets 5 points`, where nothing is scored in the middle of a game."""
    said = [word.text for word in place.words]
    at = next((at for at, text in enumerate(said[:3]) if text in SCORING), None)
    kept = find_only(place.declared.things.counted)
    amount = said[1:] if said[0] == "score" else said[2:-1] if said[-1] in ("points", "point") else []
    is_sum = said[0] == "score" or said[:2] in (["player", "gets"], ["player", "scores"])
    cup = find_only(place.declared.things.cups)
    if cup and {"dice", "die", "roll"} & {*amount}:
        amount = ["sum", "of", "face", "over", cup]
    if place.kind == "statement" and is_sum and kept and amount and not amount[0].isdigit() and "at" not in amount:
        line = f"{kept} increases by {' '.join(amount)}"
        return place.write_line("unknown-statement", message("points are kept in a number until the end"), line)
    if place.kind != "statement" or at is None or at + 1 >= len(said) or not said[at + 1].isdigit():
        return None
    if said[at] not in ("score", "scores") and said[at + 2 :] not in (["points"], ["point"]):
        return None
    hint = message(
        "keep them in a number, `number points of player: 0..200 = 0`, and write `points increases by {amount}`",
        amount=said[at + 1],
    )
    return place.make_mistake_at_start("unknown-statement", message("points are kept in a number until the end"), hint)


def _diagnose_forward(place: StoppingPlace) -> Mistake | None:
    """`move player forward by 3`, `advance field by 2`, `field of player moves forward 3`, `go back 2 spaces`."""
    said = [word.text for word in place.words if word.text not in ("the", *STEPS)]
    counted, way = place.declared.things.counted, FORWARD & {*said} or BACK & {*said}
    kept = next((text for text in said if text in counted), find_only(counted))
    at = next((at for at, text in enumerate(said[:4]) if text in GOING), -1)
    if place.kind != "statement" or place.at > 4 or at < 0 or not kept or place.declared.things.on_boards:
        return None
    if not way and not said[at].startswith("advance"):
        return None
    end = next((index for index, text in enumerate(said) if text == "by" or text[0].isdigit()), len(said))
    amount = said[end + (said[end : end + 1] == ["by"]) :]
    who = [text for text in said[:end] if text not in (kept, "of", "player", *GOING, *FORWARD, *BACK)]
    if len(who) > 1 or not all(map(str.isidentifier, who)) or "to" in said:
        return None
    change = "decreases" if BACK & {*said} else "increases"
    whose = f" of {who[0]}" if who else ""
    line = f"{kept}{whose} {change} by {join_texts(amount) or '…'}"
    return place.write_line("unknown-statement", message("how far somebody is on a track is a number"), line)


def _diagnose_sent_back(place: StoppingPlace) -> Mistake | None:
    """`send o back to start`, `o goes back to the start`, `player returns to start`."""
    said = [word.text for word in place.words if word.text not in ("the", "player")]
    kept = find_only(place.declared.things.counted)
    is_back = {"back", "send", "sends", "returns", "return"} & {*said} and {"start", "beginning", "home"} & {*said[1:]}
    who = [text for text in said if text not in (*GOING, *SENDING)]
    if place.kind != "statement" or place.at > 4 or not is_back or not kept or len(who) > 1:
        return None
    line = f"{kept}{f' of {who[0]}' if who else ''} becomes 0"
    return place.write_line("unknown-statement", message("how far somebody is on a track is a number"), line)


def _diagnose_payment(place: StoppingPlace) -> Mistake | None:
    """`leader pays 3`, `pay 2 coins`, `player pays n to starter`, where one number of each player is money."""
    said = [word.text for word in place.words if word.text != "the"]
    at = next((at for at, text in enumerate(said[:2]) if text in ("pay", "pays")), -1)
    things = place.declared.things
    kept = next((name for name in things.counted if name in MONEY), find_only(things.counted))
    if place.kind != "statement" or at < 0 or place.at > at + 2 or not kept or at + 1 >= len(said):
        return None
    who = said[0] if at and said[0] != "player" else ""
    to = said.index("to") if "to" in said else len(said)
    amount = [text for text in said[at + 1 : to] if text not in (*MONEY, *POSSESSIVE, kept)]
    line = f"{kept}{f' of {who}' if who else ''} decreases by {join_texts(amount) or '…'}"
    sentence = message("what somebody pays is taken from a number")
    payee = [text for text in said[to + 1 :] if text not in ("bank", "box")]
    if not payee:
        return place.write_line("unknown-statement", sentence, line)
    second = f"{kept} of {join_texts(payee)} increases by {join_texts(amount) or '…'}"
    hint = message("write `{first}`, and below it `{second}`", first=line, second=second)
    found = place.make_mistake_at_start("unknown-statement", sentence, hint)
    indent = " " * (place.words[0].start - place.margin)
    whole = Edit(place.words[0].start, place.words[-1].end, f"{line}\n{indent}{second}")
    return found if "…" in line else found.with_edits(whole)


def _diagnose_one_less(place: StoppingPlace) -> Mistake | None:
    """`player loses a wall`, `use a wall`, `lose 1 life`, `player gains 2 lives`: of a number that is declared."""
    said = [word.text for word in place.words if word.text not in ("the", "player", "of", "his", "her", "their")]
    if place.kind != "statement" or len(said) not in (2, 3) or place.at > 4:
        return None
    noun, amount = said[-1], 1 if len(said) == 2 or said[1] in ("a", "an") else read_number(said[1])
    names = (noun, f"{noun}s", noun.removesuffix("s"), noun.replace("fe", "ves"))
    kept = next((name for name in place.declared.things.counted if name in names), "")
    change = "decreases" if said[0] in LOSING else "increases" if said[0] in GAINING else ""
    if not kept or not amount or not change:
        return None
    sentence = message("a number is changed like this")
    return place.write_line("unknown-statement", sentence, f"{kept} {change} by {amount}")


def _diagnose_change_of_all(place: StoppingPlace) -> Mistake | None:
    """`all offered becomes 0`, `all players coins becomes 5`: of a number of each player."""
    said = [word.text for word in place.words if word.text not in ("players", "player", "the")]
    changes = {*said[2:3]} & {"becomes", "increases", "decreases"}
    if place.kind != "statement" or said[:1] not in (["all"], ["every"]) or not changes:
        return None
    if said[1] not in place.declared.things.counted:
        return None
    line = join_texts(said[1:])
    hint = message("write `each player`, and `{line}` below it, indented", line=line)
    found = place.make_mistake_at_start("unknown-statement", message("what happens to all is said once for each"), hint)
    indent = " " * (place.words[0].start - place.margin + 2)
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, f"each player\n{indent}{line}"))


def _diagnose_reset(place: StoppingPlace) -> Mistake | None:
    """`reset all bids`, `reset pot`, `reset money of all players`: to what it began with."""
    texts = [word.text for word in place.words]
    said = [text for text in texts[1:] if text not in OF_ALL]
    things = place.declared.things
    if place.kind != "statement" or texts[0] != "reset" or len(said) != 1 or place.at > 2 or "to" in texts:
        return None
    name = next((one for one in things.starts if one in (said[0], said[0].removesuffix("s"))), "")
    if name and name not in things.counted:
        line = f"{name} becomes {things.starts[name]}"
        return place.write_line("unknown-statement", message("a number is changed like this"), line)
    sentence = message("what happens to all is said once for each")
    if name:
        line = f"{name} becomes {things.starts[name]}"
        hint = message("write `each player`, and `{line}` below it, indented", line=line)
        found = place.make_mistake_at_start("unknown-statement", sentence, hint)
        indent = " " * (place.words[0].start - place.margin + 2)
        return found.with_edits(Edit(place.words[0].start, place.words[-1].end, f"each player\n{indent}{line}"))
    if not things.counted:
        return None
    lines = ", ".join(f"`{one} becomes {things.starts.get(one, '0')}`" for one in things.counted[:4])
    hint = message("write `each player`, and below it, indented, what becomes of it: {lines}", lines=lines)
    return place.make_mistake_at_start("unknown-statement", sentence, hint)


def _diagnose_condition_behind(place: StoppingPlace) -> Mistake | None:
    """`passes increases by 1 if heap is empty`, `move given to heap, if rank of given > 3`: it comes first."""
    texts = [word.text for word in place.words]
    changes = {"becomes", "increases", "decreases"} & {*texts[1 : place.at]} or texts[0] in DOING
    if place.kind != "statement" or place.text != "if" or not changes or place.at < 3:
        return None
    if place.text_after() in ("possible", "") or ("$END" not in place.expected and place.text_before() != ","):
        return None
    condition = join_texts(texts[place.at + 1 :])
    hint = message("write `if {condition}` on the line above, and this line below it, indented", condition=condition)
    found = place.make_mistake("wrong-word", message("put a condition on a line of its own"), hint)
    first, last = place.words[0], place.words[place.at - 1 - (place.text_before() == ",")]
    indent = " " * (first.start - place.margin + 2)
    return found.with_edits(
        Edit(first.start, first.start, f"if {condition}\n{indent}"), Edit(last.end, place.words[-1].end, "")
    )


SAID_CHANGES = (
    _diagnose_forward, _diagnose_sent_back, _diagnose_payment, _diagnose_one_less, _diagnose_banked,
)  # fmt: skip


def _diagnose_said_change(place: StoppingPlace) -> Mistake | None:
    """What people mean by `pay`, `bank`, `lose` where no step or action of these rules is called so."""
    own = {*place.declared.steps, *place.declared.things.actions}
    if not own.isdisjoint(word.text for word in place.words[:2]):
        return None
    return next((found for say in SAID_CHANGES if (found := say(place)) is not None), None)


OF_CHANGES = (
    _diagnose_said_change, _diagnose_reset, _diagnose_change_of_all, _diagnose_condition_behind,
    _diagnose_spoken_points,
)  # fmt: skip
# Asked later: what else the line may mean comes first.
OF_CHANGE_SIGNS = (_diagnose_equals_as_change, _diagnose_spoken_change)
