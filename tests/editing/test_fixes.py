"""What a hint says, done: the complaint is gone."""

from __future__ import annotations

from collections import Counter

import pytest

from rulesrun.editing import Position, Range, apply_edits, list_fixes
from tests.editing.mending import find_stubborn
from tests.editing.test_completion import GAME
from tests.editing.texts import open_text
from tests.explained import complete_file, expand_example, read_pages

EVERYWHERE = Range(Position(0, 0), Position(10_000, 0))

# What is written in the place of a stretch of the game, and what the fix makes of it.
MENDED = [
    ("zone heap: pile", "zone heap: piel", "zone heap: pile"),
    ("move given to heap", "move given to haep", "move given to heap"),
    ("choose lay or pass", "choose lay or pas", "choose lay or pass"),
    ("until passes >= players", "until passes => players", "until passes >= players"),
    ("until passes >= players", "until passes is at least players", "until passes >= players"),
    ("increases by 1", "+= 1", "increases by 1"),
    ("zone heap: pile of Card, public", "zone heap: pile of Card", "zone heap: pile of Card, public"),
    ("ranking: lowest total, ties share", "ranking: lowest total", "ranking: lowest total, ties share"),
    ("players 2..4", "players 2, 3 or 4", "players 2..4"),
    ('game "Heap"', "game “Heap”", 'game "Heap"'),
    ("rules 1\n", "", "rules 1\n"),
    ("stock to each hand", "stock to hand of each player", "stock to each hand"),
    ("  move given to heap", "move given to heap", "  move given to heap"),
    ("count of hand", "len(hand)", None),
    ("passes increases by 1", "pases increases by 1", "passes increases by 1"),
    ("Colour, rank 1..6", "Colour, rank 1-6", "Colour, rank 1..6"),
    ("values Colour: red, blue, green", "values Colour: red, blue green", "values Colour: red, blue, green"),
    ("number passes: 0..20 = 0", "number passes = 0", "number passes: 0..20 = 0"),
    ("lowest total", "Lowest total", "lowest total"),
    ("shuffle all Card", "mix all Card", "shuffle all Card"),
    ("count of hand", "number of cards in hand", "count of hand"),
    ("count of hand", "count of red in hand", "count of hand where colour = red"),
    ("until passes >= players", "until 1 < passes < 5", "until 1 < passes and passes < 5"),
    ("starter until", "starter except starter until", "starter skipping player = starter until"),
    ("rank 1..6", "rank 6..1", "rank 1..6"),
    ("players 2..4\n", "players 4\nteams: 1 and 3, 2 and 3\n", "players 4\nteams: 1 and 3, 2 and 4\n"),
    ("players 2..4\n", "players 4\nteams: 1, 2, 3, 4\n", "players 4\n\n"),
    ("players 2..4\n", "players 2..4\nteams: 1 and 3, 2 and 4\n", "players 2..4\nteams for 4: 1 and 3, 2 and 4\n"),
    ("players 2..4\n", "players 2..4\nplayers 3\n", "players 2..4\n\n"),
    ("pile of Card, public", "pile of Card, public, hidden", "pile of Card, public"),
    ("passes >= players\n", "passes >= players until heap is empty\n", "(passes >= players) or (heap is empty)\n"),
    ("from starter until", "from starter, to the left, to the right until", "from starter, to the left until"),
    ("into stock\n", "into stock\nsetup\n", "into stock\n\n"),
    ("passes increases", "passes of player increases", "passes increases"),
    ("points = count of hand", "points = count of heap of player", "points = count of heap"),
    ("each hand\n", "each hand\n  deal 1 from stock to each heap\n", "each hand\n  deal 1 from stock to heap\n"),
    (
        "lay(given from hand)\n  move given to", "lay(passes from hand)\n  move passes to",
        "lay(chosen_passes from hand)\n  move chosen_passes to",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "mended"), MENDED)
def test_a_fix_writes_what_the_hint_says(right: str, wrong: str, mended: str | None) -> None:
    text = GAME.replace(right, wrong, 1)
    workspace, analysis = open_text(text)
    fixes = list_fixes(workspace, analysis, EVERYWHERE)
    if mended is None:
        assert fixes == ()
        return
    texts = [apply_edits(text, fix.edits) for fix in fixes]
    assert GAME.replace(right, mended, 1) in texts


def test_every_page_of_a_code_is_mended_where_it_says_how() -> None:
    kinds: Counter[str] = Counter()
    pages = [page for page in read_pages() if page.kind in ("", "whole") and len(page.wrong) < 5_000]
    texts = [page.wrong if page.kind == "whole" else complete_file(expand_example(page.wrong)) for page in pages]
    assert [found for text in texts for found in find_stubborn(text, kinds)] == []
    assert len(kinds) >= 40
