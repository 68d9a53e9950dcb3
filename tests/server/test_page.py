"""The page in Chromium: games played to the end on it, nothing to complain about for who cannot see or has a phone."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rulesrun.files.loading import read_rules
from rulesrun.files.sources import bundled_names
from rulesrun.services.tables import allowed_players
from rulesrun.table.session import Session
from rulesrun.table.session_traces import trace_session
from tests.highlighting.node import EDITORS, require_node, run_node
from tests.server.processes import running
from tests.table.games import decisions_of, players_of, reading_of, recorded_game

pytest.importorskip("uvicorn", reason="needs the extra `play`")
PAGE = Path(__file__).resolve().parents[2] / "rulesrun/server/page"
PACKAGES = ("playwright-core", "axe-core")
Json = dict[str, Any]
LARGE = ("zero", "collection", "hourglass", "the_game", "tokens")
SMALLER = tuple(one for one in bundled_names() if one.startswith(("classics/", "gallery/")))
MOST = 1_800  # seconds that a browser may play, on a busy machine


def require_browser() -> None:
    require_node(*PACKAGES)
    if shutil.which("chromium") is None:
        pytest.skip("needs Chromium: .ci/tools")


def play_on_the_page(
    tmp_path: Path, games: list[tuple[str, int, str]], audit: tuple[str, ...] = (), tables: tuple[str, ...] = (),
    *server_words: str,
) -> Any:
    """`audit`: addresses, `tables`: rules of which a table is looked at; of the first game its end."""
    with running(tmp_path / "tables.sqlite", *server_words) as server:
        wanted = []
        for rules, players, how in games:
            options = {"target": "20"} if rules.endswith("pig") else {}
            made = server.make_table(rules, players, options=options)
            wanted.append({"rules": rules, "players": players, "how": how, **made})
        looks = [{"path": path, "wait": "rules-lobby .tile"} for path in audit]
        for rules in tables:
            allowed = players_of(rules)
            made = server.make_table(rules, 3 if 3 in allowed else allowed[0])
            looks.append({"path": f"t/{made['table']}#{made['tokens']['1']}", "wait": "rules-table .action"})
            if "--debug" in server_words:
                looks.append({"path": f"t/{made['table']}?seat=all", "wait": "rules-table .action"})
        if audit:
            looks.append({"path": f"t/{wanted[0]['table']}#{wanted[0]['tokens']['1']}", "wait": "rules-table .over"})
        given = {"base": server.base, "games": wanted, "audit": looks}
        return run_node("table.mjs", given=given, packages=PACKAGES, seconds=MOST)


def script_of(trace: list[str], players: int) -> list[list[int | None]]:
    """For each seat, question by question, the option that a recorded game chooses; the first seat answers for the
    team."""
    found: list[list[int | None]] = [[] for _ in range(players)]
    for decision in decisions_of(trace):
        option = decision["legal"].index(decision["chosen"])
        for seat, own in enumerate(found, 1):
            if decision["player"] in (0, seat):
                own.append(option if decision["player"] or seat == 1 else None)
    return found


def play_recorded_games(tmp_path: Path, names: list[tuple[str, int]], seed: int) -> None:
    """What stands in the store after it is, line by line, the trace of `rulesrun trace` with this seed."""
    store = tmp_path / "tables.sqlite"
    traces = [recorded_game(name, players, seed) for name, players in names]
    with running(store) as server:
        games = [
            {"rules": name, "players": players, "how": "script", "script": script_of(trace, players),
             **server.make_table(name, players, seed=seed)}
            for (name, players), trace in zip(names, traces, strict=True)
        ]  # fmt: skip
        found = run_node("table.mjs", given={"base": server.base, "games": games}, packages=PACKAGES, seconds=MOST)
    check_played(found, [(name, players, "script") for name, players in names])
    for game, trace in zip(games, traces, strict=True):
        assert list(trace_session(restore_table(store, game))) == trace, game["rules"]


def restore_table(store: Path, game: Json) -> Session:
    with closing(sqlite3.connect(store)) as link:
        rows = link.execute("select event from events where id = ? order by n", (game["table"],)).fetchall()
    events = [json.loads(row[0]) for row in rows]
    reading = reading_of(game["rules"])
    return Session.restore(reading, [events[0] | {"rules": reading.digest}, *events[1:]], "reference")


def test_a_game_on_the_page_is_the_game_of_the_trace(tmp_path: Path) -> None:
    require_browser()
    few = [("classics/leduc", 2), ("classics/rock_paper_scissors", 2), ("gallery/blackjack", 1)]
    play_recorded_games(tmp_path, few, 6)


@pytest.mark.long
@pytest.mark.parametrize("rules", bundled_names())
def test_every_game_on_the_page_is_the_game_of_the_trace(tmp_path: Path, rules: str) -> None:
    require_browser()
    play_recorded_games(tmp_path, [(rules, players) for players in players_of(rules)], 6)


def check_played(found: Any, games: list[tuple[str, int, str]]) -> None:
    for one, (rules, players, how) in zip(found["played"], games, strict=True):
        assert one["over"] == players, (rules, players, how, one)
        assert one["scores"], rules
        assert not one["errors"], (rules, one["errors"])
        assert not one["foreign"]
        assert not one["wide"], rules


def test_games_to_the_end_and_no_barriers(tmp_path: Path) -> None:
    require_browser()
    games = [("classics/tic_tac_toe", 2, "keyboard"), ("classics/leduc", 2, "lit")]
    found = play_on_the_page(tmp_path, games, ("?rules=zero",), ("hourglass",))
    check_played(found, games)
    assert found["barriers"] == []


@pytest.mark.long
@pytest.mark.parametrize("rules", SMALLER)
def test_no_barriers_at_any_classic_or_game_of_the_gallery(tmp_path: Path, rules: str) -> None:
    require_browser()
    players = players_of(rules)[0]
    found = play_on_the_page(tmp_path, [(rules, players, "list")], (f"?rules={rules}",), (rules,), "--debug")
    assert found["barriers"] == []


@pytest.mark.long
@pytest.mark.parametrize("rules", LARGE)
def test_no_barriers_at_any_of_the_large_games(tmp_path: Path, rules: str) -> None:
    """Its end and replay, its table from all eyes, its lobby: light and dark, at all widths."""
    require_browser()
    found = play_on_the_page(tmp_path, [(rules, 2, "lit")], ("", f"?rules={rules}"), (rules,), "--debug")
    assert found["barriers"] == []


LOOK = """rules 1
game "Looks"
players 2
values Colour: red, blue
card Card: colour Colour, rank 1..9
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
number laid: 0..9 = 3
number kept: 0..9 = 3
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  deal 2 from stock to heap
phase play: turns from 1 until stock is empty
  choose lay, always possible
action lay(give from hand)
  move give to heap
  draw 1 from stock to hand
score at end
  points = count of hand + laid + kept
ranking: highest total, ties share
look colours
  red: "#8b1e3f"
  blue: "#c9e265"
  heap: "#123456"
look symbols
  red: "♥"
  heap: "▲"
look layout
  heap: "spread large line"
  laid: "unseen"
"""
LOOKED_AT = [".card[data-name^=red]", ".card[data-name^=blue]", "[data-place=heap]", "[data-place=heap] .pile", ".chip"]


def test_hints_for_looks_are_drawn(tmp_path: Path) -> None:
    """Letters on a colour of one's own can be read: dark on a light one, and darker on a card."""
    require_browser()
    (tmp_path / "looks.rules").write_text(LOOK, "utf-8")
    with running(tmp_path / "tables.sqlite", str(tmp_path / "looks.rules")) as server:
        made = server.make_table(str(tmp_path / "looks.rules"), 2)
        looks = [{"path": f"t/{made['table']}?lang=en#{made['tokens']['1']}", "selectors": LOOKED_AT}]
        found = run_node("hands.mjs", given={"base": server.base, "looks": looks}, packages=PACKAGES)["looked"][0]
    assert not found["errors"]
    red, blue, heap, piles, chips = (found["seen"][one] for one in LOOKED_AT)
    assert red or blue
    for text, style in red:
        assert "♥" in text
        assert "--fill:#8b1e3f;--on:#fff;--figure:#8b1e3f" in style
    for text, style in blue:
        assert "♥" not in text
        assert "--fill:#c9e265;--on:#1d2023;" in style
        assert "--figure:#c9e265" not in style
    ((text, style),) = heap
    assert text.startswith("▲")
    assert "border-color:#123456" in style
    assert piles == [], "a pile that is spread lies open"
    assert [text for text, _ in chips if "kept" in text]
    assert not [text for text, _ in chips if "laid" in text]


GIFTS = """rules 1
game "Gifts"
players 3
card Card: rank 1..6
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
setup
  shuffle all Card into deck
  deal 2 from deck to each hand
phase gifts: one turn each from 1
  choose give
action give(to_left from hand, to_right from hand)
  needs to_left is not to_right because "each gets a card"
  move to_left to hand of left of player
  move to_right to hand of right of player
score at end
  points = sum of rank over hand
ranking: highest total, ties share
"""


def test_two_cards_that_may_go_either_way_are_asked_for(tmp_path: Path) -> None:
    require_browser()
    (tmp_path / "gifts.rules").write_text(GIFTS, "utf-8")
    with running(tmp_path / "tables.sqlite", str(tmp_path / "gifts.rules")) as server:
        made = server.make_table(str(tmp_path / "gifts.rules"), 3)
        looks = [{
            "path": f"t/{made['table']}?lang=en#{made['tokens']['1']}", "selectors": [".action .primary"],
            "presses": [".own .card.lit", ".own .card.lit:not(.picked)"],
        }]  # fmt: skip
        found = run_node("hands.mjs", given={"base": server.base, "looks": looks}, packages=PACKAGES)["looked"][0]
    assert not found["errors"]
    words = [text for text, _ in found["seen"][".action .primary"]]
    one, other = [re.findall(r"\d", text) for text in words]
    assert all(re.fullmatch(r"give: to left \d, to right \d", text) for text in words)
    assert one == other[::-1]


# Of each game: what is pressed, and how often something is there afterwards; the first is waited for.
BOARDS: dict[str, tuple[list[str], dict[str, int]]] = {
    "hex": (["[data-place='stone[f6]']", "#confirm"], {".chose": 1, ".hexagons .square": 121, ".man": 1, ".end": 22}),
    "checkers": (
        ["[data-place='piece[a3]']", "[data-place='piece[b4]']"],
        {".chose": 1, ".checkered .even": 32, ".man": 24, "[data-place='piece[b4]'] .man": 1},
    ),
    "nine_mens_morris": (
        ["[data-place='man[a7]']", "#confirm"], {".chose": 1, ".rings path": 16, ".nested .square": 24},
    ),
    "dots_and_boxes": (
        ["[data-place='line[down,1,1]']", "#confirm"], {".chose": 1, ".edge": 24, ".dot": 16, ".there": 1},
    ),
    "oware": (["[data-place='seeds[3]'] button", "#confirm"], {".chose": 1, ".circuit .cell": 12}),
    "othello": (["[data-place='disc[d3]']", "#confirm"], {".chose": 1, ".square .man": 5}),
    "block_dominoes": ([], {".halved .half circle": 1, ".card.halved": 1}),
}  # fmt: skip
AT_LEAST = {"block_dominoes"}


def test_boards_are_drawn_and_played_on(tmp_path: Path) -> None:
    """A piece goes where two clicks say; hexagons, rings, lines between dots, a circuit stand where they should."""
    require_browser()
    looks = []
    with running(tmp_path / "tables.sqlite") as server:
        for game, (presses, counts) in BOARDS.items():
            made = server.make_table(f"gallery/{game}", 2)
            path = f"t/{made['table']}?lang=en#{made['tokens']['1']}"
            looks.append({"path": path, "presses": presses, "selectors": list(counts), "wait": next(iter(counts))})
        found = run_node("hands.mjs", given={"base": server.base, "looks": looks}, packages=PACKAGES)["looked"]
    for (game, (_, counts)), one in zip(BOARDS.items(), found, strict=True):
        assert not one["errors"], (game, one["errors"])
        seen = {selector: len(one["seen"][selector]) for selector in counts}
        assert seen == counts or (game in AT_LEAST and all(seen.values())), (game, seen)


def use_hands(tmp_path: Path, drags: tuple[str, ...], keys: tuple[tuple[str, int], ...]) -> Any:
    with running(tmp_path / "tables.sqlite") as server:

        def path(rules: str) -> str:
            players = 2 if 2 in players_of(rules) else players_of(rules)[0]
            seats = {str(seat): "random" for seat in range(2, players + 1)}
            made = server.make_table(rules, players, seats=seats)
            return f"t/{made['table']}#{made['tokens']['1']}"

        given = {
            "base": server.base, "drags": [{"path": path(rules)} for rules in drags],
            "keys": [{"path": path(rules), "choices": choices} for rules, choices in keys],
        }  # fmt: skip
        return run_node("hands.mjs", given=given, packages=PACKAGES)


def check_hands(found: Any, keys: tuple[tuple[str, int], ...]) -> None:
    for one in found["dragged"]:
        assert one["flies"], "the card follows the mouse"
        assert one["left"] == 0, "and is gone when it is let go"
        assert len(one["chosen"]) == 1, one
        assert not one["errors"], one
    for one, (rules, choices) in zip(found["typed"], keys, strict=True):
        assert one["over"] or one["chosen"] >= choices, (rules, one)
        assert not one["errors"], (rules, one)
        assert not one["unseen"], (rules, "what has the focus must be seen", one["unseen"])


def test_a_card_is_dragged_and_a_keyboard_is_enough(tmp_path: Path) -> None:
    require_browser()
    keys = (("zero", 2),)
    found = use_hands(tmp_path, ("zero",), keys)
    check_hands(found, keys)


@pytest.mark.long
def test_all_large_games_by_tab_and_enter_alone(tmp_path: Path) -> None:
    require_browser()
    keys = tuple((rules, 4) for rules in LARGE)
    check_hands(use_hands(tmp_path, ("zero", "the_game"), keys), keys)


@pytest.mark.long
@pytest.mark.parametrize("rules", SMALLER)
def test_every_other_game_by_tab_and_enter_alone(tmp_path: Path, rules: str) -> None:
    require_browser()
    keys = ((rules, 3),)
    check_hands(use_hands(tmp_path, (), keys), keys)


@pytest.mark.long
@pytest.mark.parametrize("rules", bundled_names())
def test_every_game_at_every_number_of_players(tmp_path: Path, rules: str) -> None:
    require_browser()
    program = read_rules(rules).program
    assert program is not None
    ways = ("lit", "keyboard", "list")
    games = [(rules, players, ways[players % 3]) for players in allowed_players(program)]
    check_played(play_on_the_page(tmp_path, games), games)


HEAVIEST = 60_000  # bytes, without fonts: there are none


def test_every_page_is_small_over_the_line(tmp_path: Path) -> None:
    """All that Chromium is sent for a page, heads of answers included: the lobby, tables of cards and on boards, an end
    with its replay, all seats side by side."""
    require_browser()
    with running(tmp_path / "tables.sqlite", "--debug") as server:
        weights = [{"path": "?rules=zero", "wait": "rules-lobby #sit"}]
        for rules in ("zero", "gallery/hex", "gallery/backgammon"):
            made = server.make_table(rules, 2)
            weights.append({"path": f"t/{made['table']}#{made['tokens']['1']}", "wait": "rules-table .action"})
            weights.append({"path": f"t/{made['table']}?seat=all", "wait": "rules-table .action"})
        over = server.make_table("classics/tic_tac_toe", 2, seats={"1": "random", "2": "random"})
        weights.append({"path": f"t/{over['table']}", "wait": "rules-table .over"})
        found = run_node("hands.mjs", given={"base": server.base, "weights": weights}, packages=PACKAGES)["weighed"]
    for one in found:
        assert 20_000 < one["bytes"] <= HEAVIEST, one


def test_the_page_is_small_and_asks_nobody_else() -> None:
    files = [path for path in PAGE.iterdir() if path.suffix in {".js", ".html", ".css", ".svg"}]
    compressed = sum(len(gzip.compress(path.read_bytes())) for path in files)
    assert compressed <= 60_000, f"all of it together, as it is sent: {compressed}"
    for path in files:
        links = set(re.findall(r"https?://[^\s\"'`)]+", path.read_text("utf-8")))
        assert links <= {"http://www.w3.org/2000/svg"} or path.name == "lit.js", path.name


def test_the_library_is_the_one_of_the_lock_file(tmp_path: Path) -> None:
    node = require_node("lit", "esbuild")
    made = tmp_path / "lit.js"
    subprocess.run([node, str(EDITORS / "lit.mjs"), str(made)], check=True, timeout=60)
    assert hashlib.sha256(made.read_bytes()).digest() == hashlib.sha256((PAGE / "lit.js").read_bytes()).digest()
