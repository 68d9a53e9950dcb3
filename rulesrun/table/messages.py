"""What a seat is sent, as plain data: the classes of messages, and happenings put into sentences.

`docs/table.md` says the same for whoever builds a page or a client on it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Literal, TypedDict

from attrs import define, evolve, field, frozen

from rulesrun.dsl.text.keywords import ASIDE
from rulesrun.dsl.text.messages import message, template
from rulesrun.locale.language import Language
from rulesrun.table.option_words import choice_words, component_words, name_words, value_words

# ---- sentences
# What is said at a table: whole sentences with named holes, by the name of what has happened.


SENTENCES: Mapping[str, str] = {
    # the log
    "you-chose": template("You: {choice}."),
    "team-chose": template("The team: {choice}."),
    "heard": template("Player {player}: {choice}."),
    "team-heard": template("The team: {choice}."),
    "moved": template("{component}: {origin} → {target}"),
    "came": template("{component} goes to {target}"),
    "gone": template("{component} leaves {origin}"),
    "came-several": template("{component} go to {target}"),
    "gone-several": template("{component} leave {origin}"),
    "came-unseen-alone": template("{count} unseen goes to {target}"),
    "gone-unseen-alone": template("{count} unseen leaves {origin}"),
    "moved-unseen": template("{count} unseen: {origin} → {target}"),
    "came-unseen": template("{count} unseen go to {target}"),
    "gone-unseen": template("{count} unseen leave {origin}"),
    "became": template("{name}: {value}"),
    "round": template("Round {round} begins."),
    "phase": template("Now: {phase}."),
    "shown": template("Shown from {zone}: {components}"),
    "shown-alone": template("Shown: {components}"),
    "shown-top": template("On top of {zone}, from above: {components}"),
    "told": template("Shown: {name} is {value}"),
    "shown-elsewhere": template("Somebody else is shown something."),
    "points": template("Points of round {round}, player {player}: {lines}"),
    "end": template("The game is over."),
    "end-scores": template("Player {player}: {score}, place {place}"),
    "result": template("Result: {result}"),
    "undone": template("Player {player} takes back a choice."),
    "rewound": template("The game goes back."),
    "undo-asked": template("Player {player} would like to take back a choice."),
    "undo-refused": template("The choice stays."),
    "bot-sits": template("{bot} plays for player {player}."),
    "person-sits": template("Player {player} plays."),
    "stopped": template("The rules do not say how the game goes on (line {line}): {rule}"),
    "zone-of-player": template("{zone} of player {player}"),
    "zone-of-you": template("{zone} (you)"),
    "player": template("player {player}"),
    "nothing": template("nothing"),
    # why not
    "game-over": template("the game is over"),
    "not-asked": template("you have nothing to choose now"),
    "not-your-turn": template("it is the turn of player {player}"),
    "others-choose": template("others are still choosing"),
    "no-such-question": template("there is no question {question}"),
    "question-is-closed": template("question {question} has been answered"),
    "no-such-option": template("there is no option {option}; they go from 0 to {last}"),
    "chosen-already": template("you have already chosen; the others are still thinking"),
    "no-such-action": template("there is no action `{action}`; there are: {actions}"),
    "no-such-choice": template("`{action}` has no choice called `{choice}`"),
    "choice-is-missing": template("`{action}` needs `{choice}`"),
    "choice-is-empty": template("nothing fits `{choice}`: the rules say `{rule}`"),
    "too-many-words": template("“{words}” cannot follow `{action}`"),
    "choice-is-impossible": template("`{choice}` cannot be {value}: the rules say `{rule}`"),
    "not-offered": template("the rules do not offer `{choice}` here"),
    "not-possible": template("`{choice}` is not possible now, for a reason that may be hidden from you"),
    "cannot-undo": template("there is nothing to take back"),
    "undo-waits": template("the others must agree first"),
    "nothing-to-agree": template("nobody has asked to take back a choice"),
    "no-such-seat": template("there is no seat {seat}"),
    "seat-is-taken": template("seat {seat} is played by {bot}"),
    "no-such-words": template("“{words}” is not one of the options; they begin with {actions}"),
    "several-options": template("“{words}” could be any of these options: {options}"),
    "it-is-offered": template("it is offered"),
}


def say_at_table(language: Language, key: str, **values: object) -> str:
    """The sentence in the language; in English where it has none."""
    return language.translate(message(SENTENCES[key], **values))


# ---- messages


Json = dict[str, Any]


class OptionJson(TypedDict):
    """One option of a question. `option` is the number to answer with."""

    option: int
    action: str
    arguments: dict[str, Any]
    words: str


class Message(TypedDict, total=False):
    """One message of a seat's feed. `n` and `kind` are always there; of each kind docs/table.md lists the rest."""

    n: int
    kind: Literal[
        "table", "seats", "saw", "view", "heard", "chose", "shown", "score", "question", "held", "thinking", "undo",
        "undo-asked", "undo-refused", "undone", "end", "stopped",
    ]  # fmt: skip
    log: list[str]
    question: int
    options: list[OptionJson]
    view: Json
    look: Json
    seats: Any
    scores: Any
    places: Any


class Reply(TypedDict, total=False):
    """What came of an answer. `accepted` is always there; where it is false, `reason` is a sentence, `because` the
    words of the rules in it, `rule` the text and `line` the line of the rule that says so; `reasons`, for who looks
    behind the table: every condition with what its parts are worth."""

    accepted: bool
    reason: str
    because: str
    rule: str
    line: int
    reasons: list[str]


@frozen
class Happening:
    """Something that a seat has seen change. Parts that do not apply are empty."""

    what: Literal["moved", "became", "round", "phase"]
    name: str = ""  # the component (its kind where it is unseen); the variable; the phase
    origin: str = ""
    target: str = ""
    count: int = 1
    is_unseen: bool = False
    value: Any = None
    is_set_up: bool = False  # before the first round
    is_lifted: bool = False  # taken up or put back only to be looked at


# ---- what has changed between two views


@define(eq=False)
class ViewFollower:
    """One seat's view, put together from what it remembers; says what each entry has changed."""

    kinds: Mapping[str, str]  # by zone, what kind of components lie there
    looked_at: frozenset[str]  # piles whose top the rules let somebody look at
    lifted: Counter[str] = field(factory=Counter)  # from each of these piles, what is in somebody's hand for a moment
    head: Json = field(factory=dict)
    zones: Json = field(factory=dict)
    variables: Json = field(factory=dict)

    def follow(self, seen: Mapping[str, Any]) -> tuple[Happening, ...]:
        is_first = not self.zones and not self.variables
        before, values = dict(self.zones), dict(self.variables)
        head = dict(self.head)
        self.zones |= seen.get("zones", {})
        self.variables |= seen.get("variables", {})
        self.head |= {name: value for name, value in seen.items() if name not in {"zones", "variables", "shown"}}
        if is_first:
            return ()
        found = list(self._follow_moves(before))
        found += [
            Happening("became", name, value=value, is_set_up=not self.head.get("round"))
            for name, value in self.variables.items() if name in values and values[name] != value
        ]
        if self.head.get("round") != head.get("round"):
            found.append(Happening("round", value=self.head.get("round")))
        if self.head.get("phase") != head.get("phase") and self.head.get("phase") is not None:
            found.append(Happening("phase", str(self.head["phase"])))
        return tuple(found)

    def follow_entry(self, entry: str) -> tuple[Happening, ...]:
        """One remembered entry, `saw` or `view`."""
        (seen,) = parse_entry(entry).values()
        return self.follow(seen)

    def _follow_moves(self, before: Json) -> Iterator[Happening]:
        gone: list[tuple[str, str, str]] = []  # kind, component or "", zone
        come: list[tuple[str, str, str]] = []
        for zone, now in self.zones.items():
            then = before.get(zone, [])
            if now == then:
                continue
            lost, won = compare_contents(then, now)
            kind = self.kinds.get(zone, "")
            gone += [(kind, one, zone) for one in lost]
            come += [(kind, one, zone) for one in won]
        for one in match_moves(gone, come):
            yield evolve(one, is_lifted=self._is_lifted(one))

    def _is_lifted(self, one: Happening) -> bool:
        """What leaves such a pile for no place that there is, and comes back from none, is only looked at."""
        if one.origin in self.looked_at and not one.target:
            self.lifted[one.origin] += one.count
            return True
        if one.target not in self.looked_at or one.origin or self.lifted[one.target] < one.count:
            return False
        self.lifted[one.target] -= one.count
        return True


@lru_cache(maxsize=256)
def parse_entry(entry: str) -> Json:
    """What several seats have seen is read once; nobody changes it."""
    found: Json = json.loads(entry)
    return found


def names_in(content: Any) -> list[str] | None:
    """The components that are seen there, in order; None where only their number is."""
    if isinstance(content, dict):
        return None
    return [name for one in content for name in (one if isinstance(one, list) else [one])]


def size_of(content: Any) -> int:
    return int(content["count"]) if isinstance(content, dict) else len(names_in(content) or ())


def compare_contents(then: Any, now: Any) -> tuple[list[str], list[str]]:
    """What has left a place and what has come; an empty name is a component unseen."""
    old, new = names_in(then), names_in(now)
    if old is None or new is None:
        change = size_of(now) - size_of(then)
        top = now.get("top") if isinstance(now, dict) else None
        was = then.get("top") if isinstance(then, dict) else None
        lost, won = [""] * max(0, -change), [""] * max(0, change)
        if won and top is not None:
            won[-1] = top
        if lost and was is not None:
            lost[0] = was
        return lost, won
    left = list(new)
    lost = []
    for name in old:
        if name in left:
            left.remove(name)
        else:
            lost.append(name)
    return lost, left


def match_moves(gone: list[tuple[str, str, str]], come: list[tuple[str, str, str]]) -> Iterator[Happening]:
    """A component that has left one place and come to another has moved; names go first, then what is unseen."""
    left = list(gone)
    late: list[tuple[str, str, str]] = []
    for kind, name, target in come:
        found = next((one for one in left if name and one[:2] == (kind, name)), None)
        if found is None:
            late.append((kind, name, target))
            continue
        left.remove(found)
        yield Happening("moved", name, found[2], target)
    unseen: dict[tuple[str, str, str], int] = {}
    for kind, name, target in late:
        found = next((one for one in left if one[0] == kind and (not one[1] or not name)), None)
        if found is not None:
            left.remove(found)
        known, origin = name or (found[1] if found else ""), found[2] if found else ""
        if known:
            yield Happening("moved", known, origin, target)
        else:
            unseen[kind, origin, target] = unseen.get((kind, origin, target), 0) + 1
    for kind, name, origin in left:
        if name:
            yield Happening("moved", name, origin)
        else:
            unseen[kind, origin, ""] = unseen.get((kind, origin, ""), 0) + 1
    for (kind, origin, target), count in unseen.items():
        yield Happening("moved", kind, origin, target, count, True)


# ---- happenings in words


@frozen(eq=False)
class Speech:
    """How things are told to one seat in one language. `owners`: of each place or value, whose it is and what is left
    of its name: `hand[2]` is (2, "hand", ())."""

    language: Language
    seat: int
    owners: Mapping[str, tuple[int, str, tuple[str, ...]]]
    types: Mapping[str, str]  # of each value by its name
    choices: Mapping[str, int]  # how many things are chosen for an action
    passing: frozenset[str] = frozenset()  # values that are not told: unseen ones, those that are set anew each turn

    def sentence(self, key: str, **values: object) -> str:
        return say_at_table(self.language, key, **values)

    def place(self, name: str) -> str:
        """`hand of player 2`, `column 3`."""
        owner, zone, keys = self.owners.get(name, (0, name, ()))
        words = " ".join(drop_repeated(*(name_words(self.language, one) for one in (zone, *keys))))
        if not owner:
            return words
        return self.sentence("zone-of-you" if owner == self.seat else "zone-of-player", zone=words, player=owner)

    def tell_all(self, happenings: Sequence[Happening]) -> Iterator[str]:
        """What moves together is told together. Switches that only the rules need (`exchanged` is yes, is no) are not
        told, nor how a board is set up: the table shows it."""
        told = [
            one for one in happenings
            if not one.is_lifted
            if one.what != "became" or (one.value not in ("yes", "no", None) and one.name not in self.passing
                                        and not (one.is_set_up and self.owners.get(one.name, (0, "", ()))[2]))
        ]  # fmt: skip
        for _, group in groupby(told, told_with):
            yield self.tell_happening(list(group))

    def tell_happening(self, several: Sequence[Happening]) -> str:
        one = several[0]
        match one.what:
            case "moved":
                amount = sum(each.count for each in several)
                return self.sentence(
                    moving_sentence(one, amount), component=", ".join(self.components(several)), count=amount,
                    origin=self.place(one.origin), target=self.place(one.target),
                )
            case "became":
                return self.sentence("became", name=self.place(one.name), value=self.value(one.name, one.value))
            case "round":
                return self.sentence("round", round=one.value)
            case "phase":
                return self.sentence("phase", phase=name_words(self.language, one.name))

    def components(self, several: Sequence[Happening]) -> Iterator[str]:
        """Equal ones together."""
        for name, amount in Counter(one.name for one in several).items():
            yield component_words(self.language, name) + (f" ×{amount}" if amount > 1 else "")

    def value(self, name: str, value: Any) -> str:
        if value is None or value == []:
            return self.sentence("nothing")
        if self.types.get(name) == "player":
            return self.sentence("player", player=value)
        return ", ".join(value_words(self.language, one) for one in (value if isinstance(value, list) else [value]))

    def choice(self, chosen: Mapping[str, Any]) -> str:
        """Where only a part is told, each number with its name."""
        told = arguments_of(chosen)
        return choice_words(self.language, chosen["action"], told, len(told) < self.choices[chosen["action"]])


def moving_sentence(one: Happening, amount: int) -> str:
    if one.origin and one.target:
        return "moved-unseen" if one.is_unseen else "moved"
    how = "came" if one.target else "gone"
    if one.is_unseen:
        return f"{how}-unseen" + ("-alone" if amount == 1 else "")
    return how + ("-several" if amount > 1 else "")


def drop_repeated(zone: str, *keys: str) -> tuple[str, ...]:
    """`first rising row` needs no `row` before it."""
    return keys if any(zone.casefold() in key.casefold() for key in keys) else (zone, *keys)


def told_with(one: Happening) -> tuple[object, ...]:
    """What has the same of these is told in one sentence."""
    return one.what, one.origin, one.target, one.is_unseen, "" if one.what == "moved" else one.name


def arguments_of(chosen: Mapping[str, Any]) -> Json:
    return {name: value for name, value in chosen.items() if name != "action"}


def happening_json(one: Happening) -> Json:
    match one.what:
        case "moved":
            return {
                "what": "moved", "component": None if one.is_unseen else one.name, "count": one.count,
                "from": one.origin or None, "to": one.target or None,
            }  # fmt: skip
        case "became":
            return {"what": "became", "name": one.name, "value": one.value}
        case "round":
            return {"what": "round", "round": one.value}
        case "phase":
            return {"what": "phase", "phase": one.name}


def entry_json(
    entry: str, happenings: tuple[Happening, ...], speech: Speech
) -> Json:
    """One remembered entry as a message without its number."""
    remembered = parse_entry(entry)
    (kind, told), = ((key, value) for key, value in remembered.items() if key != "player" or len(remembered) == 1)
    log = list(speech.tell_all(happenings))
    changes = [happening_json(one) for one in happenings]
    match kind:
        case "view":
            return {"kind": "view", "view": told, "changes": changes, "log": log}
        case "saw":
            return {"kind": "saw", "saw": told, "changes": changes, "log": log}
        case "heard":
            player = remembered["player"]
            said = speech.sentence("heard" if player else "team-heard", player=player, choice=speech.choice(told))
            return {"kind": "heard", "player": player, "choice": option_parts(told), "log": [said]}
        case "chose":
            said = speech.sentence("you-chose", choice=speech.choice(told))
            return {"kind": "chose", "choice": option_parts(told), "log": [said]}
        case "shown":
            return {"kind": "shown", "shown": told, "log": [shown_words(told, speech)]}
        case _:
            return {"kind": "score", **told, "log": score_words(told, speech)}


def option_parts(told: Mapping[str, Any]) -> Json:
    return {"action": told["action"], "arguments": arguments_of(told)}


def shown_words(told: Mapping[str, Any] | None, speech: Speech) -> str:
    if told is None:
        return speech.sentence("shown-elsewhere")
    if "variable" in told:
        value = value_words(speech.language, "nothing" if told["value"] is None else told["value"])
        return speech.sentence("told", name=speech.place(told["variable"]), value=value)
    components = ", ".join(component_words(speech.language, one) for one in told["components"])
    if told["zone"] is None:
        return speech.sentence("shown-alone", components=components)
    pile = told["zone"].removeprefix(ASIDE)
    return speech.sentence(
        "shown-top" if pile != told["zone"] else "shown", zone=speech.place(pile), components=components
    )


def score_words(told: Mapping[str, Any], speech: Speech) -> list[str]:
    return [
        speech.sentence(
            "points", round=told["round"], player=player,
            lines=", ".join(f"{name_words(speech.language, line)} {value}" for line, value in sheet.items()),
        )
        for player, sheet in told["sheet"].items()
    ]
