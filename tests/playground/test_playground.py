"""Links that come back whole, files that belong together, answers of the page's Python, and the page in Chromium."""

from __future__ import annotations

import base64
import http.server
import json
import re
import shutil
import subprocess
import threading
import zlib
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from rulesrun.cli import main
from rulesrun.files.sources import bundled_names, open_rules
from rulesrun.playground.assembly import EDITOR, PYODIDE, list_gallery, read_editor, read_package, write_playground
from rulesrun.playground.browser import Playground
from rulesrun.terminal.trouble import Trouble
from tests.command_line import run_here
from tests.highlighting.node import EDITORS, require_node, run_node

ROOT = Path(__file__).resolve().parents[2]
LONGEST_LINK = 8 * 1024

BROKEN = """rules 1
game "Broken"
players 2
card Card: rank 1..6
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
number laid: 0..9 = 0

setup
  shuffle all Card into deck
  deal 3 from deck to each hand

phase play: turns from 1 until laid = 6
  choose lay

action lay(card from hand)
  move card to deck
  laid increases by 1

score
  points = laid

ranking: highest points, ties share

always "no more than three": laid <= 3
"""
VARIANT = 'rules 1\nvariant "Short pig" of "classics/pig"\n\nchange option target: 1..1000 = 20\n'


def test_links_of_all_bundled_rulebooks_are_short_and_come_back_whole() -> None:
    texts = {name: open_rules(name).text for name in bundled_names()} | {"odd": "🂡 и\n\0\r\n", "empty": ""}
    found = run_node("links.mjs", given=texts)
    for name, text in texts.items():
        code = found[name]["code"]
        assert len(f"https://example.org/#rules={code}") <= LONGEST_LINK, name
        assert found[name]["back"] == text
        padded = code + "=" * (-len(code) % 4)
        assert zlib.decompress(base64.urlsafe_b64decode(padded), wbits=-15).decode() == text


def test_a_link_cannot_swell_without_end() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packer.compress(b"a" * 50_000_000) + packer.flush()
    code = base64.urlsafe_b64encode(bomb).decode().rstrip("=")
    assert run_node("links.mjs", "decode", given=code) == "RangeError"


def test_packages_are_those_of_the_lock_file() -> None:
    lock = json.loads((EDITORS / "package-lock.json").read_text("utf-8"))["packages"]
    for package in (PYODIDE, *EDITOR):
        locked = lock[f"node_modules/{package.name}"]
        assert (locked["version"], locked["integrity"]) == (package.version, f"sha512-{package.sum}")


def test_the_editor_brings_every_module_that_it_imports() -> None:
    require_node("pyodide", "@codemirror/view")
    modules = read_editor(str(EDITORS / "node_modules/pyodide"))
    for name, content in modules.items():
        for place in re.findall(rb"""^(?:import|export)\b.*\bfrom ["']([^"']*)["']""", content, re.MULTILINE):
            assert str(PurePosixPath(name).parent / place.decode()) in modules, (name, place)
    assert modules["codemirror/LICENSE.txt"].count(b"Permission is hereby granted") == len(EDITOR)


class Registry(http.server.BaseHTTPRequestHandler):
    """Has one archive, which is not what it should be."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"something else")

    def log_message(self, format: str, *words: object) -> None:
        pass


def test_what_is_fetched_is_checked_by_its_sum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), Registry) as registry:
        threading.Thread(target=registry.handle_request).start()
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", f"http://127.0.0.1:{registry.server_port}/")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        with pytest.raises(Trouble, match="wrong checksum"):
            read_package(PYODIDE, None)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("keep", "utf-8")
    for words in (("full", "--pyodide", "full"), ("new", "--pyodide", "full")):
        done = run_here("playground", *words, folder=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith("rulesrun: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full"]


def test_the_gallery_has_every_bundled_rulebook() -> None:
    assert {game["name"] for game in list_gallery()} == set(bundled_names())


class Page:
    """The page's Python as the worker calls it, here in CPython."""

    def __init__(self) -> None:
        self.playground = Playground(main)

    def ask(self, method: str, **values: Any) -> Any:
        asked = {"id": 7, "method": method, "document": "my.rules", "language": "en", **values}
        told = json.loads(self.playground.answer(json.dumps(asked)))
        assert told["id"] == 7
        return told.get("answer", told)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    monkeypatch.chdir(tmp_path)
    return Page()


def test_the_page_is_told_in_its_language(page: Page) -> None:
    page.ask("open", text='rules 1\ngame "x"\n', version=1)
    assert page.ask("diagnose", language="ru")["findings"][0]["code"] == "missing-players"
    text = open_rules("classics/kuhn").text
    told = {code: page.ask("run", text=text, games=2, language=code)["text"] for code in ("en", "ru")}
    assert "everything holds" in told["en"]
    assert "всё верно" in told["ru"]


def test_the_table_sends_a_seat_what_it_may_see(page: Page) -> None:
    text = open_rules("classics/kuhn").text
    told = page.ask("sit", text=text, players=2, bot="random", seed=5)
    assert told["waiting"] == [1]
    zones = next(one for one in told["feed"] if one["kind"] == "view")["view"]["zones"]
    assert isinstance(zones["hand[1]"], list)
    assert zones["hand[2]"] == {"count": 1}
    while told["waiting"]:
        question = [one for one in told["feed"] if one["kind"] == "question" and one["open"]][-1]
        told = page.ask("answer", seat=1, question=question["question"], option=0)
    assert told["over"]


def test_what_goes_wrong_is_an_answer(page: Page) -> None:
    assert "error" in page.ask("no_such_method")
    assert "error" in page.ask("sit", text="rules 1\n", players=2, bot=None, seed=1)
    assert "error" in page.ask("answer", seat=1, question=1, option=1)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_node("pyodide", "playwright-core", "axe-core")
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        pytest.skip("needs Chromium: .ci/tools")
    folder = tmp_path_factory.mktemp("site")
    made = write_playground(str(folder), str(EDITORS / "node_modules/pyodide"))
    assert made.is_compiled
    return folder


def test_the_page_in_a_browser(site: Path) -> None:
    given = {"broken": BROKEN, "long": open_rules("zero").text, "variant": VARIANT}
    done = subprocess.run(
        [str(shutil.which("node")), str(EDITORS / "tests/playground.mjs"), str(site)],
        input=json.dumps(given), capture_output=True, text=True, timeout=580, check=False, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    seen = json.loads(done.stdout)
    assert seen["foreign"] == []
    assert seen["faults"] == []
    assert seen["barriers"] == {}
    assert "dekc" in seen["problem"]
    assert "Wrong:" in seen["explained"]
    assert seen["mended"].rstrip("\n") == seen["mendedAtCursor"].rstrip("\n") == BROKEN.rstrip("\n")
    assert "deck" in seen["offered"][0]
    assert "declared twice" in seen["refused"]
    assert seen["renamed"].rstrip("\n") == BROKEN.replace("deck", "stock").rstrip("\n")
    assert seen["typed"].rstrip() == BROKEN[: BROKEN.index("move card to deck") + len("move card to deck")]
    assert seen["completed"][0].startswith("zone")
    assert "pile of Card" in seen["hover"]
    assert sum("lay(card" in step for step in seen["story"]) == 4  # the fourth is one too many
    assert "does not hold" in seen["report"]
    assert seen["jumped"].startswith('always "no more than three"')
    assert seen["shared"].rstrip("\n") == BROKEN.rstrip("\n")
    assert seen["plays"]
    assert "holds" not in seen["stopped"]
    assert "target" in seen["compared"]
    assert "The game is over" in seen["over"]
    assert max(seen["wide"]) <= 390
    assert "Подсказка" in seen["russian"]
    assert seen["offline"]
