"""A first rules file: a small game that runs, or a bundled rulebook of a kind, under a title of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches

from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.files.sources import SUFFIX, bundled_names, open_rules
from rulesrun.terminal.trouble import Trouble

IDIOMS: Mapping[str, str] = {
    "dice": "classics/pig",
    "board": "classics/tic_tac_toe",
    "taking": "classics/nim",
    "bids": "classics/goofspiel",
    "at-once": "classics/rock_paper_scissors",
    "bluffing": "classics/kuhn",
    "tricks": "gallery/spades",
    "beating": "gallery/durak",
    "dominoes": "gallery/block_dominoes",
    "sowing": "gallery/oware",
    "jumping": "gallery/checkers",
    "race": "gallery/backgammon",
    "lines": "gallery/othello",
    "melds": "gallery/gin_rummy",
    "auction": "gallery/thousand",
    "secret-board": "gallery/battleship",
    "together": "the_game",
}
PLAIN = "cards"  # what is written here
TITLE = re.compile(r'^game "[^"\n]*"', re.MULTILINE)
START = '''rules 1
# {title}: each lays one card, the highest is best. Change it line by line; `rulesrun {file}` says what holds.
game "{title}"
players 2..4

values Colour: red, blue
card Card: colour Colour, rank 1..6

zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone laid of player: place of Card, public

setup
  shuffle all Card into deck
  deal 3 from deck to each hand

phase laying: one turn each from starter
  choose lay

action lay(card from hand)
  move card to laid

score at end
  best = rank of top of laid

ranking: highest best, ties share

always "everybody keeps two cards at least": every p in players has count of hand of p >= 2

example "the higher card is worth more"
  players 2
  given turn of 1
  given hand of 1: red 6, blue 1, red 2
  given hand of 2: red 1, blue 2, red 3
  when 1: lay(red 6)
  when 2: lay(blue 2)
  then total of 1 = 6
  then total of 2 = 2
'''


def list_origins() -> tuple[str, ...]:
    """Idioms, then all bundled rulebooks that are whole."""
    return (PLAIN, *IDIOMS, *(name for name in bundled_names() if not name.startswith("variants/")))


def name_file(name: str) -> str:
    return name if name.endswith(SUFFIX) else name + SUFFIX


def make_title(name: str) -> str:
    """`my_first-game` is My first game."""
    words = " ".join(re.split(r"[\s_-]+", os.path.basename(name).removesuffix(SUFFIX))).strip()
    shown = "".join(sign for sign in words if sign.isprintable() and sign != '"')
    return (shown[:1].upper() + shown[1:]) or "A game"


def make_first_text(name: str, origin: str | None = None) -> str:
    """`origin`: an idiom, or the name of a bundled rulebook."""
    title, file = make_title(name), os.path.basename(name_file(name))
    if origin is None or origin == PLAIN:
        return START.replace("{title}", title).replace("{file}", file)
    asked = IDIOMS.get(origin, origin.removesuffix(SUFFIX))
    if asked not in list_origins():
        raise Trouble(_tell_origins(origin))
    return TITLE.sub(lambda _: f'game "{title}"', open_rules(asked).text, count=1)


def _tell_origins(origin: str) -> str:
    missing = message("there is no starting point called `{origin}`", origin=origin)
    near = get_close_matches(origin, list_origins(), n=1, cutoff=0.6)
    if near:
        return join_messages([missing, message("did you mean `{near}`?", near=near[0])], "; ")
    return join_messages([missing, message("choose one of {origins}", origins=(PLAIN, *IDIOMS))], "; ")
