"""The pictures of the documents: made here from the pages as they are, and like those that the documents show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.highlighting.node import run_node
from tests.server.processes import ServerProcess, running
from tests.server.test_page import MOST, PACKAGES, require_browser

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
LIKE = 0.06  # letters are drawn a little differently everywhere; another layout differs more
SHOTS: list[dict[str, Any]] = [
    {"name": "lobby", "path": "?rules=hourglass&lang=en", "wait": "rules-lobby #sit", **DESK},
    {"name": "table", "rules": "zero", "players": 3, "presses": 9, **DESK},
    {"name": "table-dark", "rules": "hourglass", "players": 3, "presses": 8, "dark": True, **DESK},
    {"name": "table-phone", "rules": "the_game", "players": 2, "presses": 7, **PHONE},
    {"name": "table-end", "rules": "classics/goofspiel", "players": 2, "presses": 99,
     "open": [".over summary"], **DESK},
]  # fmt: skip


def take_pictures(server: ServerProcess, folder: Path) -> Any:
    shots = []
    for shot in SHOTS:
        found = dict(shot)
        if "rules" in shot:
            seats = {str(seat): "random" for seat in range(2, shot["players"] + 1)}
            options = {"cards": "4"} if shot["rules"].endswith("goofspiel") else {}
            made = server.make_table(shot["rules"], shot["players"], seats=seats, options=options, seed=4)
            found["path"], found["wait"] = f"t/{made['table']}?lang=en#{made['tokens']['1']}", "rules-table .action"
        shots.append(found)
    given = {"base": server.base, "folder": str(folder), "kept": str(PICTURES), "shots": shots}
    return run_node("pictures.mjs", given=given, packages=PACKAGES, seconds=MOST)


@pytest.mark.long
def test_pictures_show_the_pages_as_they_are(tmp_path: Path, update_golden: bool) -> None:
    """`--update-golden` takes them anew: look at them before you commit them."""
    require_browser()
    with running(tmp_path / "tables.sqlite") as server:
        found = take_pictures(server, PICTURES if update_golden else tmp_path)
    if not update_golden:
        assert set(found["different"]) == {shot["name"] for shot in SHOTS}
        assert {name: value for name, value in found["different"].items() if value > LIKE} == {}


def test_documents_show_all_pictures_and_no_others() -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))]
    shown = {name for text in texts for name in re.findall(r"!\[[^\]]+\]\((?:docs/)?pictures/([\w-]+)\.png\)", text)}
    assert shown == {path.stem for path in PICTURES.glob("*.png")} == {shot["name"] for shot in SHOTS}
