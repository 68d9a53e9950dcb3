"""Who chooses what, who is asked, and what is done then, as people say it. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.conditions import read_number
from rulesrun.dsl.mistakes.expected_words import texts_of_terminals
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.text.declared_words import find_only
from rulesrun.dsl.text.keywords import RESERVED
from rulesrun.dsl.text.messages import message

THINGS = ("card", "token", "tile", "piece")
AT_ONCE = ("simultaneously", "together", "secretly", "once", "same")
PEOPLE = ("player", "players", "opponent")
MEANS_IN = (":", "=", "of", "between", "is", "among")
ENDING = ("if", "else", "where", "when", "then", "twice", "in", "until", "from", "with", "for", "times", "once")
FILLING = (",", ":", "between", "one", "of", "an", "a", "the", "to", "either", "and", "or", "action", "actions")
COMBINED = ("combinations", "combination", "sets", "subsets", "choices", "selections", "groups", "ways", "handfuls")
BEFORE_SEVERAL = ("in", "over", "of", "all", "every", "possible", "the", "count", "(")
CHOICE = message("`n in 0..20` for a value, `c from hand` for a component")


def _diagnose_value_choice(place: StoppingPlace) -> Mistake | None:
    """`action bid(n: 0..20)`, `action bid(n 0..20)`, `action bid(n between 0 and 20)`."""
    if place.first_word != "action" or place.kind != "declaration" or not _is_in_brackets(place):
        return None
    named = place.words[place.at + 1] if place.at + 1 < len(place.words) else None
    if place.text in (":", "of", "is") and named is not None and named.text[:1].isupper() and place.can_be("in"):
        written = f"{place.text_before()} in {named.text}"
        origin = place.words[place.at + 3].text if place.at + 3 < len(place.words) else ""
        if origin and place.words[place.at + 2].text == "from":
            hint = message("write `{name} from {origin}`", name=place.text_before(), origin=origin)
            found = place.make_mistake("unexpected-word", message("a choice is not written like this"), hint)
            return found.with_edits(Edit(place.words[place.at - 1].end, named.end, ""))
        hint = message("write `{written}`, or `{name} from …` for a component, with where it lies",
                       written=written, name=place.text_before())  # fmt: skip
        found = place.make_mistake("unexpected-word", message("a choice is not written like this"), hint)
        return found.with_edits(Edit(place.words[place.at - 1].end, named.end, f" in {named.text}"))
    if (
        place.text in ("if", "when", "such", "with")
        and "where" not in [word.text for word in place.words[: place.at]]
        and (place.text_before(2) in ("in", "from"))
    ):
        found = place.make_mistake(
            "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `where`")
        )
        return found.with_replacement("where")
    if place.text in MEANS_IN and place.can_be("in"):
        return place.make_mistake("unexpected-word", message("a choice is not written like this"), f"write {CHOICE}")
    if place.text[:1].isdigit() and place.text_before(2) == "up" and place.text_before() == "to":
        hint = message("write `0..{place} cards from …`", place=place.text)
        return place.make_mistake("unexpected-word", message("an amount to choose is a range"), hint)
    hands = place.declared.things.hands
    is_bare = place.text == ")" and place.text_before(2) == "(" and place.text_before() in THINGS
    if is_bare and hands:
        origin = "hand" if "hand" in hands else hands[0]
        hint = message("write `{name} from {origin}`", name=place.text_before(), origin=origin)
        found = place.make_mistake("unexpected-word", message("say where it is chosen from"), hint)
        return found.with_edits(Edit(place.words[place.at - 1].end, place.words[place.at - 1].end, f" from {origin}"))
    if not (place.text[:1].isdigit() or place.text == ")") or place.can_be(",") or place.text_before() == "(":
        return None
    return place.make_mistake("unexpected-word", message("part of this choice is missing"), f"write {CHOICE}")


def _diagnose_spoken_range(place: StoppingPlace) -> Mistake | None:
    """`action bid(amount from 0 to 30)`, `action bid(amount up to money)`."""
    if place.first_word != "action" or place.kind != "declaration" or not _is_in_brackets(place):
        return None
    if place.text == "to" and place.at > 3 and place.text_after():
        is_up = place.text_before() == "up"
        low = "0" if is_up else place.text_before() if place.text_before(2) == "from" else ""
        if low.isdigit():
            sentence, written = message("a choice is not written like this"), f"in {low}..{place.text_after()}"
            return place.write_words(place.at - 2 + is_up, place.at + 1, "unexpected-word", sentence, written)
    return None


def _diagnose_spoken_choice(place: StoppingPlace) -> Mistake | None:
    """`action lay(1 or 2 cards from hand)`, `lay(any number of cards from hand)`, `give(card from hand, player)`."""
    if place.first_word != "action" or place.kind != "declaration" or not _is_in_brackets(place):
        return None
    sentence = message("an amount to choose is a range")
    if place.text_before(2).isdigit() and place.text_before() == "or" and place.text.isdigit():
        amount = f"{place.text_before(2)}..{place.text}"
        found = place.make_mistake("unexpected-word", sentence, message("write `{amount} cards from …`", amount=amount))
        return found.with_edits(Edit(place.words[place.at - 2].start, place.words[place.at].end, amount))
    around = [word.text for word in place.words[place.at - 2 : place.at + 3]]
    if {"any", "number", "of"} <= {*around}:
        return place.make_mistake(
            "unexpected-word", sentence, message("write `1..9 cards from …`, with as many as there can be")
        )
    is_player = place.text in ("player", "players") or (place.text == ")" and place.text_before() in PEOPLE)
    if is_player and "," in (place.text_before(2), place.text_before()):
        hint = message("write `to in opponents` for one of the others, `to in players` for anybody")
        return place.make_mistake("unexpected-word", message("who is chosen has a name"), hint)
    return None


def _diagnose_combinations(place: StoppingPlace) -> Mistake | None:
    """`some s in sets of 2 from hand has …`, `combinations of 2 of hand`, `combinations of up to 2 from hand`."""
    texts = [word.text for word in place.words]
    at = next((at for at in range(min(place.at, len(texts) - 1), 0, -1) if texts[at] in COMBINED), None)
    if at is None or texts[at + 1 : at + 2] != ["of"]:
        return None
    sentence = message("ways to take some of several are written in another way")
    if texts[at] != "combinations":
        if texts[at - 1] not in BEFORE_SEVERAL or place.text != "from":
            return None
        amount = " ".join(texts[at + 2 : place.at]).replace(" .. ", "..")
        hint = message("write `combinations of {amount} from …`", amount=amount)
        begin, end = place.words[at].start, place.words[at].end
        return Mistake("unexpected-word", sentence, begin, end, hint).with_replacement("combinations")
    if place.text == "combinations" and place.text_before() in ("all", "every", "any", "possible", "the"):
        hint = message("remove `{word}`: they are all ways", word=place.text_before())
        found = place.make_mistake("unexpected-word", sentence, hint)
        return found.with_edits(place.leave_out(place.at - 1, place.at - 1))
    if "from" not in texts_of_terminals(place.expected):
        return None
    hint = message("write `combinations of 2..3 from …`: how many, and what they are taken from")
    last = max(at, min(place.at, len(texts) - 1))
    return Mistake("unexpected-word", sentence, place.words[at].start, place.words[last].end, hint)


def _diagnose_some_of_several(place: StoppingPlace) -> Mistake | None:
    """`some 2 cards from hand has …`."""
    if (
        place.text_before() not in ("some", "every", "no")
        or not place.text.isdigit()
        or "from" not in [word.text for word in place.words[place.at :]]
    ):
        return None
    hint = message("write `{word} s in combinations of {number} from … has …`", word=place.text_before(),
                   number=place.text)  # fmt: skip
    return place.make_mistake("unexpected-word", message("a name is missing for what is taken"), hint)


def _diagnose_unbracketed_choice(place: StoppingPlace) -> Mistake | None:
    """`action bid n in 0..20`."""
    said = [word.text for word in place.words[2:] if word.text not in (":", "a", "an", "one", "the", "some")]
    if place.first_word != "action" or place.kind != "declaration" or place.at != 2 or "(" in said:
        return None
    if said[1:2] not in (["in"], ["from"]):
        return None
    what = " ".join(said).replace(" .. ", "..")
    line = f"{place.text_before()}({what})"
    hint = message("write `{line}`", line=line)
    found = place.make_mistake("unexpected-word", message("write what is chosen in brackets"), hint)
    return found.with_edits(Edit(place.words[1].start, place.words[-1].end, line)) if len(said) > 2 else found


def _diagnose_condition_of_action(place: StoppingPlace) -> Mistake | None:
    """`action lay(given from hand) where rank of given > 2`, `action pass if stock is empty`."""
    is_condition = place.text in ("where", "if", "when", "needs")
    if place.first_word != "action" or place.kind != "declaration" or not is_condition:
        return None
    if place.at != 2 and place.text_before() != ")":
        return None
    hint = message("write `needs …` below it, indented")
    found = place.make_mistake("unexpected-word", message("when an action is allowed is said below it"), hint)
    if place.at + 1 >= len(place.words):
        return found
    indent = " " * (place.words[0].start - place.margin + 2)
    start, end = place.words[place.at - 1].end, place.words[place.at + 1].start
    return found.with_edits(Edit(start, end, f"\n{indent}needs "))


def _diagnose_several_zones(place: StoppingPlace) -> Mistake | None:
    """`action lay(given from hand and heap)`, `action lay(given from hand or from heap)`."""
    if place.first_word not in ("action", "change") or place.kind != "declaration":
        return None
    sentence = message("several zones are joined by `or`")
    if place.text == "and" and place.text_before(2) in ("from", "in") and place.can_be(","):
        hint = message("write `{before} or {after}`", before=place.text_before(), after=place.text_after())
        return place.make_mistake("wrong-word", sentence, hint).with_replacement("or")
    if place.text_before() == "from" and place.text_before(2) == "or":
        twice = place.words[place.at - 1]
        hint = message("remove the second `from`")
        return Mistake("unexpected-word", sentence, twice.start, twice.end, hint).with_replacement("")
    return None


def _diagnose_all_at_once(place: StoppingPlace) -> Mistake | None:
    """`all players bid secretly`, `everyone chooses make_bid at the same time`: one action is meant."""
    said = [word.text for word in place.words]
    is_all = said[0] in ("everyone", "everybody") or said[:2] in (["all", "players"], ["every", "player"], ["players"])
    names = [name for text in said[1:] for name in place.declared.things.actions
             if name in (text, text.removesuffix("s")) or name.endswith(f"_{text.removesuffix('s')}")]  # fmt: skip
    is_at_once = {*AT_ONCE} & {*said} or {"chooses", "choose"} & {*said[1:3]}
    if place.kind != "statement" or not is_all or len(names) != 1 or not is_at_once:
        return None
    sentence = message("say whether all choose at once")
    return place.write_line("unexpected-word", sentence, f"all choose {names[0]}")


def _diagnose_such_cards(place: StoppingPlace) -> Mistake | None:
    """`action meld(3 cards of the same suit from hand)`, `action take(one card from the market)`."""
    texts = [word.text for word in place.words]
    if place.first_word != "action" or place.kind != "declaration" or not _is_in_brackets(place):
        return None
    same = texts.index("same") if "same" in texts else 0
    if same and texts[same - 1] in ("the", "of") and texts[same + 2 : same + 3] == ["from"]:
        first = same - 1 - (texts[same - 1] == "the")
        name, asked = texts[first - 1], texts[same + 1]
        needs = f"needs (count of distinct {asked} over {name}) = 1"
        hint = message("remove it here, and write `{needs}` below, indented", needs=needs)
        found = Mistake("unexpected-word", message("which may be chosen together is said below"),
                        place.words[first].start, place.words[same + 1].end, hint)  # fmt: skip
        indent = " " * (place.words[0].start - place.margin + 2)
        end = place.words[-1].end
        return found.with_edits(place.leave_out(first, same + 1), Edit(end, end, f"\n{indent}{needs}"))
    several = next((at for at in range(3, len(texts) - 1) if texts[at] in ("some", "any", "several")
                    and texts[at + 1] != "number"), 0)  # fmt: skip
    if several and texts[several - 1] in ("(", ",") and place.at <= several + 2:
        return _diagnose_several_chosen(place, several)
    strays = [
        at for at in range(3, len(texts)) if texts[at] in ("the", "a", "an", "one")
        and (texts[at - 1] in ("from", "in") or (texts[at - 1] in ("(", ",") and texts[at + 2 : at + 3] == ["from"]))
    ]  # fmt: skip
    if not strays or place.at < strays[0]:
        return None
    edits = [Edit(place.words[at].start, place.words[at + 1].start, "") for at in strays if at + 1 < len(texts)]
    word = place.words[strays[0]]
    hint = message("remove `{word}`", word=word.text)
    found = Mistake("unexpected-word", message("what is chosen has a name, and no article"), word.start, word.end, hint)
    return found.with_edits(*edits)


def _diagnose_several_chosen(place: StoppingPlace, at: int) -> Mistake:
    """`action keep(some dice)`, `action keep(any cards from hand)`."""
    texts, things = [word.text for word in place.words], place.declared.things
    most = things.dice_of_each if texts[at + 1] == "dice" else 9
    origin = find_only(things.cups if texts[at + 1] == "dice" else things.hands) or "…"
    has_origin = texts[at + 2 : at + 3] == ["from"]
    written = f"1..{most} {texts[at + 1]}" + ("" if has_origin else f" from {origin}")
    return place.write_words(at, at + 1, "unexpected-word", message("an amount to choose is a range"), written)


def _diagnose_simultaneous_choice(place: StoppingPlace) -> Mistake | None:
    """`each player chooses bid`, `choose bid simultaneously`."""
    if place.kind != "statement":
        return None
    said = [word.text for word in place.words]
    chooses = next((at for at, text in enumerate(said) if text in ("choose", "chooses")), None)
    if chooses is None or place.at == 0:
        return None
    what = said[chooses + 1] if chooses + 1 < len(said) else "…"
    hint = message("all at once: `all choose {what}`; one after another: `turns from …`", what=what)
    if place.first_word in ("each", "every", "all", "both") and place.text in ("player", "players"):
        return place.make_mistake("unexpected-word", message("say whether all choose at once"), hint)
    if place.first_word == "choose" and place.text in AT_ONCE:
        return place.make_mistake("unexpected-word", message("`{place}` cannot stand here", place=place.text), hint)
    return None


def _diagnose_chosen_names(place: StoppingPlace) -> Mistake | None:
    """`choose between hit and stand`, `choose hit, stand`, `player chooses to hit or stand`."""
    said = [word.text for word in place.words]
    chooses = next((at for at, text in enumerate(said[:2]) if text in ("choose", "chooses")), None)
    if place.kind != "statement" or chooses is None or place.at <= chooses + 1 or place.similar_words():
        return None
    begin = " ".join(said[: chooses + 1])
    rest = said[chooses + 1 :]
    thing = _diagnose_chosen_thing(place, begin, rest)
    if thing is not None:
        return thing
    otherwise, end = _find_last_resort(rest)
    said_before = rest[:end] if otherwise else rest
    names, left = _split_names(said_before)
    names = _leave_out_strays(names, said_before, place.declared.things.actions)
    if otherwise and names:
        return _write_choice(place, begin, names, f", else {otherwise}")
    if left[:1] in (["twice"], ["thrice"]) or left[1:2] == ["times"]:
        return _diagnose_repeated_choice(place, begin, names, left)
    if left[:1] in (["where"], ["when"]) or (left[:1] == ["if"] and left[1:] not in (["possible"], ["able"])):
        hint = message("write `if …` on the line above, and this line below it, indented")
        return place.make_mistake("unexpected-word", message("put a condition on a line of its own"), hint)
    amount = read_number(rest[0])
    if amount and rest[1:2] in (["of"], ["times"]) and amount > 1:
        return _diagnose_repeated_choice(place, begin, names[names[:1] == rest[:1] :], [str(amount), "times"])
    if not names:
        return place.make_mistake(
            "unexpected-word",
            message("say which actions"),
            message("name them: `{begin} lay or pass`", begin=begin),
        )
    if left and left[0] not in ("if", "else") and not {*names} <= {*place.declared.things.actions}:
        hint = message("write `{begin} lay or pass`, with the names of actions", begin=begin)
        return place.make_mistake("unexpected-word", message("list actions like this: `lay, exchange or pass`"), hint)
    return _write_choice(
        place, begin, names, {"else": ", else …", "if": " if possible"}.get(left[0] if left else "", "")
    )


def _diagnose_chosen_thing(place: StoppingPlace, begin: str, rest: list[str]) -> Mistake | None:
    """`choose a card from hand`, `choose a number`: not an action, but what an action asks for."""
    if "from" in rest:
        hint = message(
            "choose a component inside an action: `action lay(card from …)`; then `{begin} lay`", begin=begin
        )
        return place.make_mistake("unexpected-word", message("`choose` takes the names of actions"), hint)
    if rest[0] in ("a", "an") and rest[1:2] not in (["action"], []):
        hint = message("choose a value inside an action: `action bid(n in 1..6)`; then `{begin} bid`", begin=begin)
        return place.make_mistake("unexpected-word", message("`choose` takes the names of actions"), hint)
    return None


def _leave_out_strays(names: list[str], rest: list[str], actions: tuple[str, ...]) -> list[str]:
    """A name between two commas may be an action that is not declared yet; other words between actions are strays."""
    alone = {
        text for before, text, after in zip([",", *rest], rest, [*rest[1:], ","], strict=False)
        if before in FILLING and after in FILLING and text not in (*RESERVED, *PEOPLE)
    }  # fmt: skip
    return [name for name in names if name in actions or name in alone] or names


def _write_choice(place: StoppingPlace, begin: str, names: list[str], more: str) -> Mistake:
    line = f"{begin} {_join_names(names)}{more}"
    sentence = message("list actions like this: `lay, exchange or pass`")
    found = place.make_mistake("unexpected-word", sentence, message("write `{line}`", line=line))
    return found if "…" in line else found.with_edits(Edit(place.words[0].start, place.words[-1].end, line))


def _join_names(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names)


RESULTS = {"draw": "nobody wins", "tie": "nobody wins", "lose": "player loses", "win": "player wins"}
ENDINGS = ("game", "round", "phase", "turn")


def _find_last_resort(rest: list[str]) -> tuple[str, int]:
    """What happens where nothing is legal: `…, otherwise nobody wins`, `… or end turn`, `…, else draw`; and where it
    begins.
    """
    at = max((at for at, text in enumerate(rest) if text in ("else", "otherwise", "or") and at), default=len(rest))
    said = rest[at + 1 :]
    is_said = said[-1:] in (["wins"], ["loses"]) or (said[:1] == ["end"] and said[1:] and said[-1] in ENDINGS)
    if is_said and len(said) < 4:
        return " ".join(text for text in said if text != "the"), at
    is_result = bool(said) and {*said[:-1]} <= {"it", "is", "a", "the", "player", "game"}
    return RESULTS.get(said[-1], "") if is_result else "", at


def _diagnose_repeated_choice(place: StoppingPlace, begin: str, names: list[str], left: list[str]) -> Mistake:
    """`choose lay or pass twice each`."""
    times = {"twice": "2", "thrice": "3"}.get(left[0], left[0])
    line = f"{begin} {_join_names(names)}"
    hint = message("write `repeat {times} times`, and `{line}` below it, indented", times=times, line=line)
    found = place.make_mistake("unexpected-word", message("how often is said above it"), hint)
    first = place.words[0]
    indent = " " * (first.start - place.margin + 2)
    is_plain = times.isdigit() and bool(names)
    return (
        found.with_edits(Edit(first.start, place.words[-1].end, f"repeat {times} times\n{indent}{line}"))
        if is_plain
        else found
    )


def _diagnose_bare_action(place: StoppingPlace) -> Mistake | None:
    """`lay or pass`, `must lay`, `player may lay or pass`, `player places a stone`, where these are actions."""
    said = [word.text for word in place.words]
    actions = place.declared.things.actions
    first = next((at for at, text in enumerate(said) if text not in ("the", "player", "may", "must", "can", "then")), 0)
    if place.kind != "statement" or first > 3 or first >= len(said) or place.at > first + 1 or "from" in said:
        return None
    names, left = _split_names(said[first:])
    stem = said[first].removesuffix("s")
    known = next((name for name in (stem, stem.removesuffix("e")) if name in actions), "") if first else ""
    if known and known != said[first]:
        names, left = [known], []
    if not names or left or not {*names} <= {*actions}:
        return None
    line = f"choose {_join_names(names)}"
    sentence = message("what a player can do is a choice among actions")
    return place.write_line("unknown-statement", sentence, line)


def _diagnose_player_may(place: StoppingPlace) -> Mistake | None:
    """`player may hit or stand`, `each player must bid`, `player p chooses bid`."""
    said = [word.text for word in place.words]
    if place.kind == "statement" and said[0] == "player" and said[2:3] in (["chooses"], ["choose"]) and place.at < 3:
        hint = message("write `{said} chooses …`", said=said[1])
        return place.make_mistake_at_start("unknown-statement", message("name a player without this word"), hint)
    may = next((at for at, text in enumerate(said[:3]) if text in ("may", "must", "can")), None)
    rest = said[may + 1 :] if may is not None else []
    begins = may == 0 and rest[:1] in (["choose"], ["chooses"])
    if place.kind != "statement" or may is None or not ("player" in said[:may] or begins) or place.at > may + begins:
        return None
    names, left = _split_names(rest[rest[:1] in (["choose"], ["chooses"]) :])
    names = [] if left else [name for name in names if name in place.declared.things.actions] or names
    what = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names) or "…"
    hint = message("write `choose {what}`, and say in the `needs` of these actions when each is allowed", what=what)
    return place.make_mistake("unknown-statement", message("what a player can do is a choice among actions"), hint)


def _split_names(rest: list[str]) -> tuple[list[str], list[str]]:
    """The names at the beginning, without what stands between them; and all from the first word that is none."""
    end = next(
        (at for at, text in enumerate(rest) if text in ENDING or not (text in FILLING or text.isidentifier())),
        len(rest),
    )
    return [text for text in rest[:end] if text not in FILLING], rest[end:]


def _diagnose_die(place: StoppingPlace) -> Mistake | None:
    """`roll d in 1..6`, `roll 1d6`."""
    if place.kind != "statement" or place.first_word != "roll" or place.text == "with":
        return None
    if place.word is not None and place.words[place.at - 1].text.isdigit() and place.text == "and":
        return None
    hint = message("declare the die as a number or a marker, as in `number die: 1..6`, then write `roll die`")
    return place.make_mistake("unexpected-word", message("`roll` takes one number or marker"), hint)


def _diagnose_best_of_each(place: StoppingPlace) -> Mistake | None:
    """`each p in players with highest bid of p`."""
    if place.kind != "statement" or place.first_word != "each" or place.text != "with" or place.text_before(2) != "in":
        return None
    name, where = place.text_before(3), place.text_before()
    hint = message(
        "write `each {name} in those {name} in {where} with {after} …`",
        name=name,
        where=where,
        after=place.text_after() or "highest",
    )
    return place.make_mistake("unexpected-word", message("use `those` to ask for the best"), hint)


def _is_in_brackets(place: StoppingPlace) -> bool:
    return any(word.text == "(" for word in place.words[: place.at])


ALL_ASKED = ("opponents", "all", "every", "everyone", "everybody", "players", "opponent", "player", "others")
ASKED = ("opponent", "opponents", "other")
ASKING_VERBS = ("may", "can", "must", "chooses", "choose", "to", "whether", "if")


def _diagnose_who_is_asked(place: StoppingPlace) -> Mistake | None:
    """`ask opponents: …`, `ask each other player: …`, `ask left of player: …`."""
    if place.kind != "statement" or place.first_word != "ask" or len(place.words) < 2 or place.at > 2:
        return None
    sentence = message("who is asked stands behind `ask each`")
    colon = next((at for at, word in enumerate(place.words) if word.text == ":"), None)
    if place.at == 1 and place.text not in ALL_ASKED:
        who = " ".join(word.text for word in place.words[1:colon]) if colon is not None else "…"
        hint = message("one player is asked by `{who} chooses …`", who=who)
        return place.make_mistake("unexpected-word", sentence, hint)
    who = "player" if place.text in ("players", "player", "everyone", "everybody") else "opponent"
    found = place.make_mistake("unexpected-word", sentence, message("write `ask each {who}: …`", who=who))
    if colon is None:
        return found
    return found.with_edits(Edit(place.words[1].start, place.words[colon - 1].end, f"each {who}"))


def _diagnose_asked_actions(place: StoppingPlace) -> Mistake | None:
    """`ask each opponent to challenge or allow`, `…: challenge, allow`, `…: may challenge`."""
    if place.kind != "statement" or place.first_word != "ask" or place.at < 3:
        return None
    if place.text in ASKING_VERBS and "COLON" in place.expected:
        before = place.words[place.at - 1]
        found = place.make_mistake(
            "missing-colon", message("what may be done stands behind a colon"),
            message("write `:` in the place of `{place}`", place=place.text),
        )
        return found.with_edits(Edit(before.end, place.words[place.at].end, ":"))
    if place.text_before() in ASKING_VERBS and place.text_before(2) == ":":
        found = place.make_mistake(
            "unexpected-word", message("the actions are named, joined by `or`"),
            message("remove `{before}`", before=place.text_before()),
        )
        return found.with_edits(place.leave_out(place.at - 1, place.at - 1))
    if place.word is None and place.text_before(2) == "," and ":" in [word.text for word in place.words]:
        comma = place.words[-2]
        found = place.make_mistake(
            "unfinished-line", message("the last action stands behind `or`"),
            message("write `or {last}`", last=place.words[-1].text),
        )
        return found.with_edits(Edit(comma.start, comma.end, " or"))
    return None


def _diagnose_opponents_may(place: StoppingPlace) -> Mistake | None:
    """`each opponent may challenge or allow`, `each opponent chooses challenge or allow`."""
    texts = [word.text for word in place.words]
    if place.kind != "statement" or texts[:1] != ["each"] or len(texts) < 3 or texts[1] not in ASKED:
        return None
    at = 3 if texts[2] == "player" else 2
    if at >= len(texts) or texts[at] not in ASKING_VERBS:
        return None
    names = " ".join(texts[at + 1 :])
    hint = message("write `ask each opponent: {names}`", names=names)
    found = place.make_mistake("unexpected-word", message("others are asked by `ask each`"), hint)
    return found.with_edits(Edit(place.words[0].start, place.words[at].end, "ask each opponent:"))


def _diagnose_done_effect(place: StoppingPlace) -> Mistake | None:
    """`do the effect of card`, `do card effect`, `do effect from card`."""
    texts = [word.text for word in place.words]
    if place.kind != "statement" or place.first_word != "do" or place.at != 2 or len(texts) < 3:
        return None
    if texts[1] in ("the", "its", "all"):
        found = place.make_mistake(
            "unexpected-word", message("what is done stands right behind `do`"),
            message("remove `{word}`", word=texts[1]),
        )
        return found.with_edits(place.leave_out(1, 1))
    if place.text in ("from", "on", "for", "by", "in"):
        sentence, hint = message("whose step it is stands behind `of`"), message("write `of`")
        return place.make_mistake("unexpected-word", sentence, hint).with_replacement("of")
    if len(texts) == 3 and texts[2].isidentifier():
        hint = message("write `do {column} of {card}`", column=texts[2], card=texts[1])
        found = place.make_mistake("unexpected-word", message("the step comes first, whose it is behind `of`"), hint)
        return found.with_edits(Edit(place.words[1].start, place.words[2].end, f"{texts[2]} of {texts[1]}"))
    return None


def _diagnose_done_cell(place: StoppingPlace) -> Mistake | None:
    """`raid: 3, do lose_a_card`."""
    if place.kind != "component_line" or place.text_before() != "do" or place.word is None:
        return None
    found = place.make_mistake(
        "unexpected-word", message("a step is named in a row, not done"), message("remove `do`")
    )
    return found.with_edits(place.leave_out(place.at - 1, place.at - 1))


OF_CHOOSING = (
    _diagnose_such_cards, _diagnose_spoken_range, _diagnose_combinations, _diagnose_some_of_several,
    _diagnose_bare_action, _diagnose_spoken_choice, _diagnose_several_zones, _diagnose_condition_of_action,
    _diagnose_value_choice, _diagnose_unbracketed_choice, _diagnose_all_at_once,
    _diagnose_simultaneous_choice,
    _diagnose_chosen_names,
    _diagnose_player_may, _diagnose_die, _diagnose_best_of_each,
)  # fmt: skip
OF_REACTING = (
    _diagnose_who_is_asked, _diagnose_asked_actions, _diagnose_opponents_may, _diagnose_done_effect,
    _diagnose_done_cell,
)  # fmt: skip
