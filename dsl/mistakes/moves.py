"""Moving, dealing, looking and showing as a rulebook says it: `deal 7 cards to each player`, `draw a card`,
`look at the top 3 cards of stock`. Takes places, gives mistakes.
"""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace, join_texts
from rulesrun.dsl.text.declared_words import WORD, find_only
from rulesrun.dsl.text.lexer import Word
from rulesrun.dsl.text.messages import Message, message

ENDS = ("top", "bottom", "first", "last")
ONE = ("a", "an", "one", "the")
EVERYBODY = ("each", "every", "everyone", "everybody", "players")
PUTTING = ("put", "place", "lay", "play", "discard", "add")
ONTO = ("on", "onto", "into", "in", "to", "upon")
POSSESSIVE = ("their", "his", "her", "its", "your", "my", "own")
NOT_WHOLE = ("choose", "each", "if", "otherwise")
FILTERS = ("except", "with", "who", "that", "whose", "has", "have", "but")
DONE = {
    "draws": "draw", "takes": "draw", "gets": "draw", "receives": "draw", "moves": "move", "plays": "move",
    "lays": "move", "puts": "move", "places": "move", "discards": "move", "gives": "move", "shuffles": "shuffle",
    "rolls": "roll", "shows": "show", "reveals": "show",
}  # fmt: skip
THINGS = ("card", "cards", "token", "tokens", "tile", "tiles", "piece", "pieces", "dice", "die")


def _diagnose_dealing(place: StoppingPlace) -> Mistake | None:
    """`deal 7 cards to each player`, `draw a card from deck to hand`, `draw card from deck`."""
    if place.kind != "statement" or place.first_word not in ("deal", "draw") or len(place.words) < 2:
        return None
    amount = place.words[1].text
    if amount in EVERYBODY and place.at <= 2:
        return _with_deal_to_all(place)
    if amount == "from":
        return _with_deal(place, message("how many to {first_word} is missing", first_word=place.first_word))
    if (
        place.text in ("player", "players")
        and place.text_before() in ("each", "every", "all")
        and place.text_before(2) == "of"
    ):
        hint = message("write `to each {before}`", before=place.text_before(3))
        found = place.make_mistake(
            "unexpected-word", message("say before the zone that everyone gets some"), hint
        )
        zone = place.words[place.at - 3]
        return found.with_edits(Edit(zone.start, place.words[place.at].end, f"each {zone.text}"))
    is_to_be_removed = amount.isdigit() and place.text_after() == "from" and "to" in [one.text for one in place.words]
    if place.at == 2 and place.text in THINGS and not is_to_be_removed:
        return _with_deal(place, message("`{place}` cannot stand here", place=place.text))
    if place.at == 2 and place.text == "to" and "FROM" in place.expected:
        return place.make_mistake(
            "unexpected-word",
            message("say where from"),
            message("write `{deal}`", deal=_suggest_deal(place)),
        )
    if place.word is None and "TO" in place.expected and "from" in [word.text for word in place.words]:
        return _with_deal(place, message("the line ends too early: `to` is missing"), "unfinished-line")
    if amount in ENDS and place.text == "to":
        hint = message(
            "write `draw 1 from {before} to …`; for a component known to be there, `move {amount} of …`",
            before=place.text_before(),
            amount=amount,
        )
        sentence = message("the number to draw cannot be `{amount}`", amount=amount)
        return Mistake("unexpected-word", sentence, place.words[1].start, place.words[1].end, hint)
    return None


def _with_deal(place: StoppingPlace, sentence: Message, code: str = "unexpected-word") -> Mistake:
    """What is wrong with it, and the line as it is suggested, where all of it was said."""
    line = _suggest_deal(place)
    found = place.make_mistake(code, sentence, message("write `{deal}`", deal=line))
    return found if "…" in line else found.with_edits(Edit(place.words[0].start, place.words[-1].end, line))


def _diagnose_dealt_kind(place: StoppingPlace) -> Mistake | None:
    """`deal 4 Piece to each hand`: from the pile where they lie."""
    things, kind = place.declared.things, place.text
    if place.kind != "statement" or place.first_word not in ("deal", "draw") or place.at != 2:
        return None
    if not kind[:1].isupper() or kind in things.zones or "from" in [one.text for one in place.words]:
        return None
    piles = tuple(one for one in things.piles if kind not in things.kinds or kind in WORD.findall(things.contents[one]))
    to, sentence = _text_after_word("to", place.words) or "…", message("what is dealt lies in a pile")
    if find_only(piles):
        return place.write_words(2, 2, "unexpected-word", sentence, f"from {piles[0]}")
    line = f"{place.first_word} {place.words[1].text} from {piles[0] if piles else 'stock'} to {to}"
    if piles:
        return place.make_mistake("unexpected-word", sentence, message("write `{deal}`", deal=line))
    hint = message(
        "declare `{zone}`, write `shuffle all {kind} into stock` in the `setup`, and below it `{deal}`",
        zone=f"zone stock: pile of {kind}, hidden", kind=kind, deal=line,
    )  # fmt: skip
    return place.make_mistake("unexpected-word", sentence, hint)


def _with_deal_to_all(place: StoppingPlace) -> Mistake:
    """`deal each player 4 cards from stock`."""
    texts = [word.text for word in place.words]
    amount = next((text for text in texts[1:] if text.isdigit() or text in ONE), "…")
    line = f"deal {'1' if amount in ONE else amount} from {_find_origin(place)} to each {_find_hand(place)}"
    found = place.make_mistake(
        "unexpected-word", message("how many come first, then from where to where"),
        message("write `{deal}`", deal=line),
    )
    return found if "…" in line else found.with_edits(Edit(place.words[0].start, place.words[-1].end, line))


def _find_origin(place: StoppingPlace) -> str:
    """Where it is drawn from: as it is said, or the only pile that can be meant."""
    said = _text_after_word("from", place.words)
    things = place.declared.things
    is_known = said.split(" ")[0] in things.zones or not things.piles
    is_meant = said and (is_known or said not in ("deck", "pile", "stack"))
    return said if is_meant else find_only(things.piles) or said or "…"


def _find_hand(place: StoppingPlace) -> str:
    hands = place.declared.things.hands
    return "hand" if "hand" in hands or not hands else find_only(hands) or "…"


def _diagnose_everybody_draws(place: StoppingPlace) -> Mistake | None:
    """`each player draws 4 cards`, `give each player 4 cards`, `everyone gets 4 cards from stock`."""
    texts = [word.text for word in place.words]
    is_given = texts[0] in ("give", "hand") and {*texts[1:2]} & {*EVERYBODY, "all"}
    who = texts[:1] if texts[0] in ("everyone", "everybody", "players") else texts[:2]
    verb = texts[len(who) : len(who) + 1]
    is_drawn = who[-1] in EVERYBODY or who in (["each", "player"], ["every", "player"], ["all", "players"])
    drawing = verb in (["draws"], ["draw"], ["gets"], ["get"], ["receives"], ["receive"], ["takes"], ["take"])
    if place.kind != "statement" or place.at > 3 or not (is_given or (is_drawn and drawing)) or "to" in texts:
        return None
    return _with_deal_to_all(place) if {*texts} & {*THINGS} or "from" in texts else None


def _diagnose_goes_to(place: StoppingPlace) -> Mistake | None:
    """`given goes to heap`, `the card is put onto heap`."""
    said = [word.text for word in place.words if word.text not in ("the", "a")]
    at = next((at for at in range(1, min(4, len(said) - 1)) if said[at] in ONTO), 0)
    verbs = {*said[1:at]}
    if place.kind != "statement" or not at or not verbs or len(said) != at + 2:
        return None
    if not verbs <= {"goes", "go", "moves", "is", "are", "put", "placed", "laid", "moved", "added"}:
        return None
    line = f"move {said[0]} to {said[at + 1]}"
    sentence = message("a line begins with what is done")
    return place.write_line("unknown-statement", sentence, line)


def _diagnose_taking(place: StoppingPlace) -> Mistake | None:
    """`take all cards from heap`, `pick up heap`, `player takes top card of heap`, `steal a card from opponent`."""
    said = [word.text for word in place.words if word.text not in ("the", "up", "player")]
    if "player" in [word.text for word in place.words[1:]]:
        said = [word.text for word in place.words if word.text not in ("the", "up")]
    verbs = ("take", "takes", "pick", "picks", "collect", "collects", "grab", "steal", "steals")
    things, hand = place.declared.things, _find_hand(place)
    if place.kind != "statement" or place.at > 2 or not said or said[0] not in verbs or "…" in hand or "to" in said:
        return None
    rest = [text for text in said[1:] if text not in (*THINGS, "a", "an", "one", "of", "from")]
    amount = next((text for text in rest if text.isdigit()), "1")
    is_someones = "from" in said and {"player", "opponent"} & {*rest}
    if is_someones:
        line = f"draw {amount} from {hand} of {' '.join(said[said.index('from') + 1 :])} to {hand}"
    elif not rest or rest[-1] not in things.zones or {*rest[:-1]} - {"all", "top", amount}:
        return None
    elif "top" in rest:
        line = f"move top of {rest[-1]} to {hand}"
    elif amount in rest or {"a", "one"} & {*said}:
        line = f"draw {amount} from {rest[-1]} to {hand}"
    else:
        line = f"move all {rest[-1]} to {hand}"
    sentence = message("say from where to where it is moved")
    return place.write_line("unknown-statement", sentence, line)


def _diagnose_giving(place: StoppingPlace) -> Mistake | None:
    """`give given to left of player`."""
    texts = [word.text for word in place.words]
    hand = _find_hand(place)
    if place.kind != "statement" or texts[0] != "give" or texts[2:3] != ["to"] or len(texts) < 4 or "…" in hand:
        return None
    whom = [text for text in texts[3:] if text != "the"]
    if whom[0] in place.declared.things.zones or whom[0] not in ("left", "right", "opponent", "starter", "player"):
        return None
    line = f"move {texts[1]} to {hand} of {' '.join(whom)}"
    sentence = message("say from where to where it is moved")
    return place.write_line("unknown-statement", sentence, line)


def _suggest_deal(place: StoppingPlace) -> str:
    """How it is written: the number, from where, to where, as far as it was said."""
    amount, to = place.words[1].text, _text_after_word("to", place.words)
    if amount == "all" and place.first_word == "deal" and "…" not in (_find_origin(place), _find_hand(place)):
        origin = _find_origin(place)
        return f"deal count of {origin} div players from {origin} to each {_find_hand(place)}"
    if amount == "all":
        return f"move all {_text_after_word('from', place.words) or '…'} to {to or '…'}"
    amount = "1" if amount in (*ONE, *THINGS, *ENDS, "from") else amount
    if place.first_word == "deal" and to in ("", "each player", "all players", "every player"):
        to = f"each {_find_hand(place)}"
    elif not to and place.declared.things.hands:
        to = _find_hand(place)
    return f"{place.first_word} {amount} from {_find_origin(place)} to {to or '…'}"


def _text_after_word(word: str, words: list[Word]) -> str:
    """What stands behind `from` or `to`, up to the other one."""
    texts = [each.text for each in words]
    if word not in texts:
        return ""
    rest = texts[texts.index(word) + 1 :]
    end = next((at for at, text in enumerate(rest) if text in ("from", "to")), len(rest))
    return " ".join(text for text in rest[:end] if text != "the")


def _diagnose_move_from(place: StoppingPlace) -> Mistake | None:
    """`move 1 from stock to hand`, `move card from hand to heap`, `move all cards from hand to heap`."""
    if place.kind != "statement" or place.first_word != "move" or len(place.words) < 3 or place.at < 2:
        return None
    texts = [word.text for word in place.words]
    what, at = (texts[2], 3) if texts[1] == "all" and texts[2] in THINGS else (texts[1], 2)
    if place.at - at not in (0, 1) or at >= len(texts) or texts[at] != "from":
        return None
    to = _text_after_word("to", place.words) or "…"
    origin = _text_after_word("from", place.words) or "…"
    line: str | None = None
    if texts[1] == "all" or (what in THINGS and what.endswith("s")):
        line = f"move all {origin} to {to}"
        hint = message("write `{line}`", line=line)
    elif what in ENDS:
        line = f"move {what} of {origin} to {to}"
        hint = message("write `{line}`", line=line)
    elif what.isdigit() or what in ONE:
        amount = what if what.isdigit() else "1"
        things = place.declared.things
        if origin in things.piles:
            line = f"draw {amount} from {origin} to {to}"
        chosen = _suggest_choosing(place, amount, origin, to)
        hint = message("write `{line}`", line=line) if line is not None else chosen or message(
            "write `draw {amount} from {origin} to {to}` for a random one, or `move … to {to}` for one that was chosen",
            amount=amount,
            origin=origin,
            to=to,
        )
    else:
        line = f"move {what} to {to}"
        hint = message("write `{line}`, without where it comes from", line=line)
    sentence = message("`move` takes no `from`")
    found = Mistake("unexpected-word", sentence, place.words[at].start, place.words[at].end, hint)
    if line is None or "…" in line:
        return found
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, line))


def _suggest_choosing(place: StoppingPlace, amount: str, origin: str, to: str) -> Message | None:
    """Below an action: `move 1 from hand to discard` is most often for the player to choose."""
    if place.above != "action" or origin not in place.declared.things.hands:
        return None
    many, it = ("card", "card") if amount == "1" else (f"{amount} cards", "all cards")
    return message(
        "choose in the brackets of the action, `({many} from {origin})`, and write `move {it} to {to}`; at random "
        "it is `draw {amount} from {origin} to {to}`", many=many, it=it, amount=amount, origin=origin, to=to,
    )  # fmt: skip


def _diagnose_turned_card(place: StoppingPlace) -> Mistake | None:
    """`turn over the top card of stock`, `flip top of stock to heap`."""
    texts = [word.text for word in place.words]
    is_said = texts[0] == "turn" and {"over", "up"} & {*texts[1:3]}
    if place.kind != "statement" or not (is_said or (texts[0] == "flip" and {"top", *THINGS[:2]} & {*texts[1:4]})):
        return None
    origin = next((name for word in ("of", "from") if (name := _text_after_word(word, place.words))), "…")
    to = next((name for word in ("to", "onto", "into") if (name := _text_after_word(word, place.words))), "…")
    line = f"draw 1 from {origin} to {to}"
    hint = message("write `{line}`, with the place where it lies then", line=line)
    found = place.make_mistake_at_start("unknown-statement", message("a card is turned by being put elsewhere"), hint)
    return found if "…" in line else found.with_edits(Edit(place.words[0].start, place.words[-1].end, line))


def _diagnose_put_on(place: StoppingPlace) -> Mistake | None:
    """`place given on heap`, `put the card onto the pile`, `play given face up on top of heap`, `discard given`."""
    texts = [word.text for word in place.words]
    if place.kind == "statement" and texts[0] in ("set", "put", "lay") and texts[-1] in ("aside", "away"):
        sentence = message("no statement starts with `{first_word}`", first_word=texts[0])
        what = join_texts(texts[1:-1]) or "…"
        hint = message("write `move {what} to …`, with the zone where it lies then", what=what)
        return place.make_mistake_at_start("unknown-statement", sentence, hint)
    if place.kind != "statement" or place.first_word not in PUTTING or place.at > 1 or len(texts) < 2:
        return None
    is_sum = texts[0] == "add" and texts[-1] not in place.declared.things.zones and bool(place.declared.things.zones)
    if texts[:2] == ["play", "passes"] or is_sum:
        return None
    if texts[1] in ("becomes", "increases", "decreases", "chooses", "of", "[", "=") or texts[1][:1].isdigit():
        return None
    if "from" in texts:
        return None
    said = [text for text in texts[1:] if text not in ("the", "a", "an", "his", "her", "their", "face", "up", "down")]
    at = next((at for at, text in enumerate(said) if text in ONTO and at), None)
    sentence = message("no statement starts with `{first_word}`", first_word=place.first_word)
    if at is None or at + 1 >= len(said):
        if at is not None or len(said) != 1 or not said[0].isidentifier() or place.first_word not in ("discard", "put"):
            return None
        hint = message("write `move {what} to …`, with the zone where it lies then", what=said[0])
        return place.make_mistake_at_start("unknown-statement", sentence, hint)
    where = said[at + 1 :]
    if {",", "and", "then"} & {*where}:
        return None
    where = where[2:] if where[:2] == ["top", "of"] else where
    if where[0] == "front":
        hint = message("write `move {what} to …`, with the zone where it lies then", what=join_texts(said[:at]))
        return place.make_mistake_at_start("unknown-statement", sentence, hint)
    line = f"move {' '.join(said[:at])} to {' '.join(where)}"
    return place.write_line("unknown-statement", sentence, line)


def _diagnose_whose_said(place: StoppingPlace) -> Mistake | None:
    """`action lay(given from their hand)`, `move given to his hand`."""
    is_place = place.text_before(2) in ("from", "in", "to", "of", "over", "into", "if", "until", "needs")
    if place.text_before() not in POSSESSIVE or not is_place or place.word is None or place.word.kind != "word":
        return None
    word = place.words[place.at - 1]
    sentence = message("`{zone}` alone is that of `player`, whose turn it is", zone=place.text)
    found = Mistake("wrong-word", sentence, word.start, word.end, message("remove `{word}`", word=word.text))
    return found.with_edits(place.leave_out(place.at - 1, place.at - 1))


def _diagnose_top_card(place: StoppingPlace) -> Mistake | None:
    """`move top card of stock to hand`."""
    if place.text_before() not in ENDS or place.text not in THINGS or place.text_after() not in ("of", "from", "in"):
        return None
    if place.text_before(2) == "the" and place.text_after() == "of":
        first, last = place.words[place.at - 2], place.words[place.at]
        found = Mistake(
            "unexpected-word", message("`{place}` cannot stand here", place=place.text), first.start, last.end,
            message("write `{before} of …`", before=place.text_before()),
        )  # fmt: skip
        return found.with_replacement(place.text_before())
    found = place.make_mistake(
        "unexpected-word",
        message("`{place}` cannot stand here", place=place.text),
        message("write `{before} of …`", before=place.text_before()),
    )
    return found.with_edits(place.leave_out(place.at, place.at)) if place.text_after() == "of" else found


def _diagnose_needless_the(place: StoppingPlace) -> Mistake | None:
    """`shuffle the deck`, `draw 1 from the stock to hand`, `given the hand of 1: red 7`."""
    is_of_the_game = place.kind == "example_line" and place.text_before() == "game"
    is_best = place.text_before() in ("highest", "lowest")
    if place.text_before(2) != "the" or place.expected != {"IN"} or is_best or is_of_the_game:
        return None
    word = place.words[place.at - 2]
    sentence = message("`the` picks one of several, as in `the c in … with highest …`")
    found = Mistake("wrong-word", sentence, word.start, word.end, message("remove `the`"))
    return found.with_edits(place.leave_out(place.at - 2, place.at - 2))


def _diagnose_each_player_does(place: StoppingPlace) -> Mistake | None:
    """`each player draws 2 cards`, `each player in winners`."""
    if place.kind != "statement" or place.first_word != "each" or place.text_before() not in ("player", "players"):
        return None
    if place.at != 2 or place.word is None or place.word.kind != "word" or place.similar_words():
        return None
    if place.text == "in":
        hint = message("write `each player where …`, or `each p in {after}`", after=place.text_after() or '…')
    elif place.text in FILTERS:
        hint = message("write `each player where …`, with a condition")
    else:
        hint = message("end the line here, and write what everyone does below it, indented")
    return place.make_mistake("unexpected-word", message("`{place}` cannot stand here", place=place.text), hint)


def _diagnose_refill(place: StoppingPlace) -> Mistake | None:
    """`refill market to 4`, `refill the market`, `fill up the row`."""
    said = [word.text for word in place.words if word.text not in ("the", "up", "with", "cards", "again", "back")]
    zones = place.declared.things.zones
    pile = _find_origin(place)
    is_said = len(said) in (2, 4) and said[0] in ("refill", "fill", "replenish", "restock")
    if place.kind != "statement" or not is_said:
        return None
    if said[1] not in zones or pile not in zones or (len(said) == 4 and (said[2] != "to" or not said[3].isdigit())):
        return None
    amount = f"{said[3]} - count of {said[1]}" if len(said) == 4 else "1"
    sentence = message("say how many are drawn, and from where")
    return place.write_line("unknown-statement", sentence, f"draw up to {amount} from {pile} to {said[1]}")


def _diagnose_person_does(place: StoppingPlace) -> Mistake | None:
    """`taker draws 1 from talon`, `the other player chooses follow`."""
    said = [word.text for word in place.words]
    at = next((at for at, text in enumerate(said[1:4], 1) if text in DONE or text == "chooses"), None)
    if place.kind != "statement" or at is None or place.at > at or said[0] in ("each", "every", "all"):
        return None
    who = " ".join(text for text in said[:at] if text != "the")
    if {"point", "points"} & {*said} or {"player", "players"} & {*said[at:]}:
        return None
    if who == "player" and (said[at] == "chooses" or DONE[said[at]] == "draw"):
        return _diagnose_own_doing(place, at)
    if said[at] == "chooses":
        if at == 1:
            return None
        whose = message("the chooser is one player, as in `left of player chooses …`, `starter chooses …`")
        return place.make_mistake_at_start("unknown-statement", message("a player is not named like this"), whose)
    if not who.isidentifier():
        return None
    verb, hand = DONE[said[at]], _find_hand(place)
    taken = [text for text in said[at + 1 :] if text not in ("the", "all", "cards", "of", "from")]
    if verb == "draw" and len(taken) == 1 and taken[0] in place.declared.things.zones and "…" not in hand:
        return place.write_line(
            "unknown-statement", message("a line begins with what is done"), f"move all {taken[0]} to {hand} of {who}"
        )
    ways = {
        "move": message("write `move … to …`, with the zone of `{who}`, as in `{hand} of {who}`", who=who, hand=hand),
        "draw": message("write `draw … from … to {hand} of {who}`, with the zone it comes to", who=who, hand=hand),
    }
    hint = ways.get(verb) or message("write `{verb} …`; it happens to whatever is named behind it", verb=verb)
    return place.make_mistake_at_start("unknown-statement", message("a line begins with what is done"), hint)


def _diagnose_own_doing(place: StoppingPlace, at: int) -> Mistake:
    """`the player chooses lay or pass`, `player draws 1 from stock`: of the player whose turn it is nothing is said."""
    said = [word.text for word in place.words]
    whose = message("`player`, whose turn it is, is not said")
    if said[at] == "chooses":
        line = " ".join(("choose", *said[at + 1 :])).replace(" ,", ",")
    else:
        amount = next((text for text in said[at + 1 :] if text.isdigit() or text in ONE), "…")
        to = _text_after_word("to", place.words) or _find_hand(place)
        line = f"draw {'1' if amount in ONE else amount} from {_find_origin(place)} to {to}"
    return place.write_line("unknown-statement", whose, line)


def _diagnose_two_statements(place: StoppingPlace) -> Mistake | None:
    """`draw 1 from stock to hand and show hand`."""
    is_end = place.text == "ends" and place.text_before() in ("turn", "round", "game", "phase")
    if place.kind == "statement" and is_end and place.text_before(2) in ("and", ",", "then") and place.at > 3:
        sentence, hint = message("a line says one thing"), message("put what comes next on a line of its own, below")
        found = place.make_mistake("unexpected-word", sentence, hint)
        line = f"\n{' ' * (place.words[0].start - place.margin)}end {place.text_before()}"
        return found.with_edits(Edit(place.words[place.at - 3].end, place.words[-1].end, line))
    is_whole = place.kind == "statement" and "$END" in place.expected and place.first_word not in NOT_WHOLE
    if not is_whole or place.text not in ("and", ",", "then") or place.can_be(place.text):
        return None
    hint = message("put what comes next on a line of its own, below")
    found = place.make_mistake("unexpected-word", message("a line says one thing"), hint)
    if place.at + 1 == len(place.words):
        return found
    indent = " " * (place.words[0].start - place.margin)
    return found.with_edits(Edit(place.words[place.at - 1].end, place.words[place.at + 1].start, f"\n{indent}"))


LOOKS = ("look", "looks", "peek", "peeks", "see", "sees", "inspect", "spy", "view")
LOOKING_AT = ("at", "into", "in", "on", "to")
FILLERS = ("the", "card", "cards", "tile", "tiles", "token", "tokens", "component", "components", "piece", "pieces")


def _diagnose_look(place: StoppingPlace) -> Mistake | None:
    """`peek at 2 of stock`, `look at the top 2 cards of stock`, `player looks at 2 of stock`."""
    texts = [word.text for word in place.words]
    if place.kind != "statement" or place.at > 6:
        return None
    if len(texts) > 2 and texts[1] in LOOKS and texts[1] not in ("look", "see", "view", "spy"):
        found = place.make_mistake_at_start(
            "unexpected-word", message("who looks is not said"), message("write `look at …`: it is `player` who looks")
        )
        return found.with_edits(Edit(place.words[0].start, place.words[1].end, "look"))
    if texts[0] not in LOOKS or len(texts) < 2 or texts[1] in ("becomes", "increases", "decreases", "chooses", "["):
        return None
    first = 2 if texts[1] in LOOKING_AT else 1
    kept = _leave_out_fillers(texts[first:])
    if not kept:
        return None
    if "from" in kept and "of" not in kept and texts[:2] == ["look", "at"] and place.text == "from":
        sentence, hint = message("where it lies stands behind `of`"), message("write `of`")
        return place.make_mistake("unexpected-word", sentence, hint).with_replacement("of")
    instead = f"look at {join_texts(kept)}"
    if instead == join_texts(texts):
        return None
    return _with_line(place, message("nobody but `player` sees what `look at` names"), instead)


def _leave_out_fillers(texts: list[str]) -> list[str]:
    """`the top 2 cards of stock`: `2 of stock`."""
    end = texts.index("of") if "of" in texts else 0
    counted = [text for text in texts[:end] if text not in FILLERS]
    if counted == ["top"] and end and len(texts[:end]) > 1 and any(text in FILLERS[1:] for text in texts[:end]):
        counted = ["1"]
    if len(counted) > 1 and counted[0] == "top":
        counted = counted[1:]
    return [*counted, *texts[end:]]


def _with_line(place: StoppingPlace, sentence: Message, instead: str) -> Mistake:
    found = place.make_mistake("unexpected-word", sentence, message("write `{instead}`", instead=instead))
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, instead))


def _diagnose_show(place: StoppingPlace) -> Mistake | None:
    """`tell bid to left of player`, `show left of player bid`."""
    texts = [word.text for word in place.words]
    if place.kind != "statement" or texts[0] not in ("show", "tell", "reveal") or len(texts) < 3:
        return None
    if texts[0] in ("tell", "reveal") and "to" in texts[1:] and place.at == 1:
        return _with_line(place, message("what is told is shown"), join_texts(["show", *texts[1:]]))
    if texts[0] == "show" and place.at == len(texts) - 1 and "to" not in texts:
        instead = join_texts(["show", texts[-1], "to", *texts[1:-1]])
        return _with_line(place, message("what is shown comes first"), instead)
    return None


def _diagnose_shown_filter(place: StoppingPlace) -> Mistake | None:
    """`show hand where suit = red`."""
    if place.kind != "statement" or place.first_word != "show" or place.text != "where":
        return None
    last = next((at for at in range(len(place.words) - 1, place.at, -1) if place.words[at].text == "to"), None)
    end = place.words[last - 1] if last is not None else place.words[-1]
    what = join_texts([word.text for word in place.words[1 : place.at]])
    hint = message("put brackets around it: `show ({what} where …)`", what=what)
    found = place.make_mistake("missing-brackets", message("`where` belongs to what is shown"), hint)
    start = place.words[1].start
    return found.with_edits(Edit(start, start, "("), Edit(end.end, end.end, ")"))


OF_MOVING = (
    _diagnose_everybody_draws, _diagnose_goes_to, _diagnose_taking, _diagnose_giving,
    _diagnose_dealt_kind, _diagnose_dealing, _diagnose_turned_card, _diagnose_put_on, _diagnose_whose_said,
    _diagnose_move_from,
    _diagnose_top_card, _diagnose_needless_the, _diagnose_each_player_does, _diagnose_refill, _diagnose_person_does,
    _diagnose_two_statements,
)  # fmt: skip
OF_LOOKING = (_diagnose_look, _diagnose_show, _diagnose_shown_filter)
