"""Moves said as a rulebook says them: `deal 7 cards to each player`, `draw a card`. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.mistakes.stopping_place import Place
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.lexer import Word

ENDS = ("top", "bottom", "first", "last")
ONE = ("a", "an", "one", "the")
NOT_WHOLE = ("choose", "each", "if", "otherwise")
FILTERS = ("except", "with", "who", "that", "whose", "has", "have", "but")
THINGS = ("card", "cards", "token", "tokens", "tile", "tiles", "piece", "pieces", "dice", "die")


def _dealing(place: Place) -> Mistake | None:
    """`deal 7 cards to each player`, `draw a card from deck to hand`, `draw card from deck`."""
    if place.kind != "statement" or place.first not in ("deal", "draw") or len(place.words) < 2:
        return None
    amount = place.words[1].text
    if amount == "from":
        return place.mistake("unexpected-word", f"how many to {place.first} is missing", f"write `{_dealt(place)}`")
    if place.text in ("player", "players") and place.before() in ("each", "every", "all") and place.before(2) == "of":
        hint = f"write `to each {place.before(3)}`"
        return place.mistake("unexpected-word", "that everyone is dealt some is said before the zone", hint)
    if place.at == 2 and place.text in THINGS and not (amount.isdigit() and place.after() == "from"):
        return place.mistake("unexpected-word", f"`{place.text}` cannot stand here", f"write `{_dealt(place)}`")
    if place.at == 2 and place.text == "to" and "FROM" in place.expected:
        return place.mistake("unexpected-word", "it is not said where from", f"write `{_dealt(place)}`")
    if place.word is None and "TO" in place.expected and amount in (*THINGS, *ONE):
        return place.mistake("unfinished-line", "the line ends too early: `to` is missing", f"write `{_dealt(place)}`")
    if amount in ENDS and place.text == "to":
        hint = f"write `draw 1 from {place.before()} to …`; a thing that is known to lie there: `move {amount} of …`"
        message = f"how many are drawn is a number, not `{amount}`"
        return Mistake("unexpected-word", message, place.words[1].start, place.words[1].end, hint)
    return None


def _dealt(place: Place) -> str:
    """How it is written: the number, from where, to where, as far as it was said."""
    amount = place.words[1].text
    if amount == "all":
        return f"move all {_behind('from', place.words) or '…'} to {_behind('to', place.words) or '…'}"
    amount = "1" if amount in (*ONE, *THINGS, *ENDS, "from") else amount
    to = _behind("to", place.words)
    to = "each hand" if place.first == "deal" and to in ("", "each player", "all players", "every player") else to
    return f"{place.first} {amount} from {_behind('from', place.words) or '…'} to {to or '…'}"


def _behind(word: str, words: list[Word]) -> str:
    """What stands behind `from` or `to`, up to the other one."""
    texts = [each.text for each in words]
    if word not in texts:
        return ""
    rest = texts[texts.index(word) + 1 :]
    end = next((at for at, text in enumerate(rest) if text in ("from", "to")), len(rest))
    return " ".join(text for text in rest[:end] if text != "the")


def _moving_from(place: Place) -> Mistake | None:
    """`move 1 from stock to hand`, `move card from hand to heap`, `move all cards from hand to heap`."""
    if place.kind != "statement" or place.first != "move" or len(place.words) < 3 or place.at < 2:
        return None
    texts = [word.text for word in place.words]
    what, at = (texts[2], 3) if texts[1] == "all" and texts[2] in THINGS else (texts[1], 2)
    if place.at - at not in (0, 1) or at >= len(texts) or texts[at] != "from":
        return None
    to = _behind("to", place.words) or "…"
    if texts[1] == "all" or (what in THINGS and what.endswith("s")):
        hint = f"write `move all {_behind('from', place.words) or '…'} to {to}`"
    elif what in ENDS:
        hint = f"write `move {what} of {_behind('from', place.words) or '…'} to {to}`"
    elif what.isdigit() or what in ONE:
        amount, origin = what if what.isdigit() else "1", _behind("from", place.words) or "…"
        hint = f"write `draw {amount} from {origin} to {to}` (by chance), or `move … to {to}` with what was chosen"
    else:
        hint = f"write `move {what} to {to}`: where it lies is known"
    message = "`move` is not told where from"
    return Mistake("unexpected-word", message, place.words[at].start, place.words[at].end, hint)


def _top_card(place: Place) -> Mistake | None:
    """`move top card of stock to hand`."""
    if place.before() not in ENDS or place.text not in THINGS or place.after() not in ("of", "from", "in"):
        return None
    return place.mistake("unexpected-word", f"`{place.text}` cannot stand here", f"write `{place.before()} of …`")


def _needless_the(place: Place) -> Mistake | None:
    """`shuffle the deck`, `draw 1 from the stock to hand`, `given the hand of 1: red 7`."""
    is_of_the_game = place.kind == "example_line" and place.before() == "game"
    is_best = place.before() in ("highest", "lowest")
    if place.before(2) != "the" or place.expected != {"IN"} or is_best or is_of_the_game:
        return None
    word = place.words[place.at - 2]
    message = "`the` chooses one of several, as in `the c in … with highest …`"
    return Mistake("wrong-word", message, word.start, word.end, "leave `the` out")


def _each_player_does(place: Place) -> Mistake | None:
    """`each player draws 2 cards`, `each player in winners`."""
    if place.kind != "statement" or place.first != "each" or place.before() not in ("player", "players"):
        return None
    if place.at != 2 or place.word is None or place.word.kind != "word" or place.near_words():
        return None
    if place.text == "in":
        hint = f"write `each player where …`, or `each p in {place.after() or '…'}`"
    elif place.text in FILTERS:
        hint = "write `each player where …`, with a condition"
    else:
        hint = "end the line here; what everyone does stands below it, indented"
    return place.mistake("unexpected-word", f"`{place.text}` cannot stand here", hint)


def _two_in_one_line(place: Place) -> Mistake | None:
    """`draw 1 from stock to hand and show hand`."""
    is_whole = place.kind == "statement" and "$END" in place.expected and place.first not in NOT_WHOLE
    if not is_whole or place.text not in ("and", ",", "then") or place.could_be(place.text):
        return None
    hint = "what comes next stands on a line of its own, below"
    return place.mistake("unexpected-word", "a line says one thing", hint)


OF_MOVING = (
    _dealing, _moving_from, _top_card, _needless_the, _each_player_does, _two_in_one_line,
)  # fmt: skip
