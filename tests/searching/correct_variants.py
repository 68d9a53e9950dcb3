"""Correct house rules of the bundled games, made up by a seed: other defaults and sizes, properties that follow from
the rules, lines of the score that are worth nothing, rows kept sorted, labels, personas, other names for things.

Nothing is wrong with any of them: whatever is found there is a false alarm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.text.keywords import FAMILIES, PLAIN_WORDS
from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import read_rules

ROOT = Path(__file__).parents[2] / "games"
RESERVED = {*PLAIN_WORDS, *(word for words in FAMILIES.values() for word in words.split())}


@frozen
class Change:
    """Lines of a variant. `alone`: what it speaks of; two changes of the same thing do not go together.
    `needs_new_examples`: what the base's examples say of numbers and cards may not hold any more.
    """

    lines: str
    alone: str
    needs_new_examples: bool = False


def sized(lines: str, alone: str) -> Change:
    return Change(lines, alone, needs_new_examples=True)


SPECIAL: Mapping[str, tuple[Change, ...]] = {
    "zero": (
        sized("set first = seat", "first"), sized("set first_game = yes", "first_game"),
        sized("set wrong_calls = yes", "wrong_calls"), sized("set zero_when = turn", "zero_when"),
        sized("set first = 2", "first"), sized("change players 2..3", "players"),
        sized("change players 3..4", "players"),
        sized("change rounds 2, starter moves left\nremove at end \"everyone has begun a round\"", "rounds"),
        Change("change zone hand of player: row of Card, private, sorted by rank", "hand"),
        Change("change zone supply: row of Card, public, sorted by rank", "supply"),
        Change("add line nothing_more: 0 * count of hand", "line"),
        Change('always "hands are never empty": every p in players has hand of p is not empty', "p1"),
        Change('never "three passes": passes > 2', "p2"),
        Change('after exchange "as many cards as before": count of hand = before (count of hand)', "p3"),
    ),
    "tokens": (
        sized("set first = seat", "first"), sized("set matches = 2", "matches"),
        sized("set excess_back = each_bonus", "excess"), sized("change players 2..3", "players"),
        sized("change token Token: colour Colour, 19 of each", "size"),
        sized("change token Token: colour Colour, 23 of each", "size"),
        Change("add line nothing_more: count of collection - count of collection", "line"),
        Change('always "a bonus at most for each colour": bonus_turns <= 6', "p1"),
        Change('always "nothing is gathered twice": every c in Colour has in_gathered(c) < 2', "p2"),
    ),
    "hourglass": (
        sized("set first = seat", "first"), sized("set discard_when = all_started", "discard"),
        sized("change players 2..4", "players"), sized("change players 3", "players"),
        Change("change zone hand of player: row of Card, private, sorted by number", "hand"),
        Change("add line nothing_more: 0 * count of won", "line"),
        Change('always "no more than three stands": count of Stand = 3', "p1"),
        Change('always "won cards stay": every p in players has count of won of p <= 63', "p2"),
        Change('after start "one card less": count of hand = before (count of hand) - 1', "p3"),
    ),
    "collection": (
        sized("set goals = round", "goals"), sized("set goals = fixed", "goals"),
        sized("set bonus_tiebreak = positive", "tie"), sized("set most_when_none = needs_one", "most"),
        sized("change players 2..4", "players"), sized("change rounds 2", "rounds"),
        Change("change zone hand of player: row of Card, private, sorted by number", "hand"),
        Change("add line nothing_more: 0 * cards_collected", "line"),
        Change('always "no more than eleven cards in hand": every p in players has count of hand of p <= 11', "p1"),
        Change('at end of round "hands are empty": every p in players has hand of p is empty', "p2"),
    ),
    "the_game": (
        sized("set first = seat", "first"), sized("set fire = yes", "fire"), sized("set expert = yes", "expert"),
        sized("set expert_hand = yes", "expert_hand"), sized("set stuck_when = minimum", "stuck"),
        sized("change players 2..3", "players"), sized("change players 1..2", "players"),
        Change("change zone hand of player: row of Card, private, sorted by number", "hand"),
        Change("add line nothing_more: 0 * count of stock", "line"),
        Change('always "no more than 98 cards are left": cards_left <= 98', "p1"),
        Change('after stop "nothing is laid": cards_left = before (cards_left)', "p2"),
    ),
    "classics/goofspiel": (
        sized("set cards = 5", "cards"), sized("set cards = 8", "cards"), sized("set prizes = descending", "prizes"),
        sized("set prizes = ascending", "prizes"), sized("set last_by_itself = no", "last"),
        sized("change players 2..3", "players"),
        Change("change zone hand of player: row of Bid, private, sorted by value", "hand"),
        Change('always "hands are alike": every p in players has count of hand of p <= cards', "p1"),
        Change("add line nothing_more: 0 * gained", "line"),
    ),
    "classics/kuhn": (
        sized("change players 3", "players"),
        Change('always "one card each": every p in players has count of hand of p = 1', "p2"),
        Change('always "the pot is small": pot <= 2 * players', "p1"),
        Change("add line nothing_more: 0 * paid", "line"),
    ),
    "classics/leduc": (
        Change('always "no more than two raises": raises <= 2', "p1"),
        Change("add line nothing_more: 0 * paid", "line"),
        Change('after fold "somebody has folded": some p in players has folded of p', "p2"),
        sized("change card Card: rank 10..13, 2 of each", "size"),
    ),
    "classics/nim": (
        sized("set heaps = {2, 3}", "heaps"), sized("set heaps = {1, 2, 3, 4, 5}", "heaps"),
        sized("set misere = yes", "misere"), Change("add line nothing_more: left_in[1] - left_in[1]", "line"),
        Change('always "no heap grows": every h in 1..6 has left_in[h] <= 20', "p1"),
    ),
    "classics/pig": (
        sized("set die = 4", "die"), sized("set die = 8", "die"), sized("set target = 20", "target"),
        sized("change players 2..3", "players"), sized("set length = 50", "length"),
        Change('always "a turn gathers something or nothing": gathered >= 0', "p1"),
        Change("add line nothing_more: 0 * banked", "line"),
    ),
    "classics/rock_paper_scissors": (
        sized("set throws = 3", "throws"), sized("set throws = 5", "throws"),
        Change("add line nothing_more: 0 * round", "line"),
        Change('always "a sign or none": every p in players has shown of p is nothing or shown of p in Sign', "p1"),
    ),
    "classics/tic_tac_toe": (
        Change('always "five marks": (count of Square where owner = 1) <= 5', "p1"),
        Change('always "no mark is lost": (count of Square where owner is not nothing) <= 9', "p3"),
        Change('never "a win with two marks": winner = 2 and (count of Square where owner = 2) < 3', "p2"),
    ),
}

COMMON = (
    Change("persona hasty\n  avoid {action}", "persona"),
    Change("persona eager\n  prefer {action}", "persona"),
    Change('words de\n  game: "Ein Spiel"\n  {action}: "tun"', "words"),
    Change('at end of game "somebody is first": some p in players has place of p = 1', "common1"),
    Change('always "there are players": players >= 1', "common2"),
    Change('number unused_up: 0..1 = 0\nalways "it stays as it is": unused_up = 0', "common3"),
    Change('define twice(n 0..60) = 2 * n\nalways "twice is more": twice(players) > players', "common4"),
)


@frozen
class Variant:
    name: str
    base: str
    text: str


def correct_variant(seed: int) -> Variant:
    """A renamed rulebook in one case of four, else a variant with up to four changes."""
    random = Random(seed)
    base = sorted(SPECIAL)[seed % len(SPECIAL)]
    if random.random() < 0.25:
        return Variant(f"{base}, renamed ({seed})", base, renamed(base, random))
    program = read_rules(base).program
    assert program is not None
    chosen: dict[str, Change] = {}
    for change in random.sample([*SPECIAL[base], *COMMON], random.randint(1, 4)):
        chosen.setdefault(change.alone, change)
    action = next(one.name.text for one in program.game.declarations if isinstance(one, ast.Action))
    pieces = [change.lines.replace("{action}", action) for change in chosen.values()]
    if any(change.needs_new_examples for change in chosen.values()):
        pieces += [f'remove example "{title}"' for title in examples_of(program)]
    text = f'rules 1\nvariant "House rule {seed}" of "{base}"\n\n' + "\n".join(pieces) + "\n"
    return Variant(f"{base} ({seed})", base, text)


def examples_of(program: Program) -> Iterator[str]:
    return (one.title for one in program.game.declarations if isinstance(one, ast.Example))


def renamed(base: str, random: Random) -> str:
    """The rulebook with other names for some zones, numbers, actions, definitions and phases, wherever they stand."""
    text = (ROOT / f"{base}.rules").read_text("utf-8")
    program = read_rules(base).program
    assert program is not None
    kinds = (ast.Zone, ast.Variable, ast.Action, ast.Define, ast.Phase, ast.Step)
    names = {one.name.text for one in program.game.declarations if isinstance(one, kinds)} - RESERVED
    attributes = {
        part.name.text for one in program.game.declarations if isinstance(one, ast.Components)
        for part in (*one.attributes, *one.computed)
    }
    some = [name for name in sorted(names - attributes - BROUGHT_ALONG) if random.random() < 0.6]
    return "".join(part if part.startswith(('"', "#")) else other_names(part, some) for part in pieces_of(text))


BROUGHT_ALONG = {"winner", "outcome"}  # by `wins`: nobody declares them


def pieces_of(text: str) -> list[str]:
    """Texts and comments by themselves: what stands in them stays."""
    return re.split(r'("[^"\n]*"|#[^\n]*)', text)


def other_names(part: str, names: list[str]) -> str:
    for name in names:
        part = re.sub(rf"\b{re.escape(name)}\b", f"{name}_too", part)
    return part
