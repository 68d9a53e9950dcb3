"""A page in a real browser, when there is one: at phone and desk width, light and dark, sorted, on paper."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.highlighting.node import require_node, run_node
from tests.pages.made import written

PACKAGES = ("playwright-core", "axe-core")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
)  # fmt: skip
PROBE = """
const frame = document.createElement("iframe");
frame.style.cssText = "width:WIDTHpx;height:800px;border:0";
frame.src = "page.html";
frame.onload = () => {
  const inner = frame.contentDocument, root = inner.documentElement;
  const table = Array.from(inner.querySelectorAll("table")).find(one => one.caption.textContent === "Seats");
  const order = () => Array.from(table.tBodies[0].rows, row => Number(row.cells[4].dataset.key));
  const head = table.tHead.rows[0].cells[4];
  head.querySelector("button").click();
  const up = order();
  head.querySelector("button").click();
  const reaches = one => one.getBoundingClientRect().right;
  const wide = Array.from(inner.querySelectorAll("svg text, svg rect, svg circle")).filter(
    one => reaches(one) > one.closest("svg").getBoundingClientRect().right + 1).map(one => one.textContent);
  const sizes = Array.from(inner.querySelectorAll("svg"), one => one.getBoundingClientRect().width);
  const style = frame.contentWindow.getComputedStyle(inner.body);
  document.body.textContent = JSON.stringify({width: frame.contentWindow.innerWidth, reach: root.scrollWidth, up: up,
    down: order(), wide: wide, sizes: sizes, paper: style.backgroundColor, ink: style.color});
};
document.body.append(frame);
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("browser")
    written(made, "classics/kuhn", "classics/pig", "--games", "60")
    return made


def look(folder: Path, profile: Path, width: int, *flags: str) -> dict[str, Any]:
    """What a frame of this width says of the page in it."""
    assert BROWSER is not None
    (folder / "probe.html").write_text(f"<body><script>{PROBE.replace('WIDTH', str(width))}</script>", "utf-8")
    words = [
        BROWSER, *QUIET, *flags, f"--user-data-dir={profile}", "--allow-file-access-from-files",
        "--window-size=1400,900", "--virtual-time-budget=5000", "--dump-dom", (folder / "probe.html").as_uri(),
    ]  # fmt: skip
    shown = subprocess.run(words, capture_output=True, text=True, timeout=120).stdout
    told = re.search(r"<body>(\{.*\})</body>", shown, re.DOTALL)
    assert told, shown[-500:]
    found: dict[str, Any] = json.loads(unescape(told[1]))
    return found


@pytest.mark.skipif(BROWSER is None, reason="no browser is installed")
@pytest.mark.parametrize("width", [360, 1280])
def test_a_page_fits_is_sorted_and_is_legible(folder: Path, tmp_path: Path, width: int) -> None:
    seen = look(folder, tmp_path, width)
    assert seen["width"] == width
    assert seen["reach"] <= width, "something sticks out to the right"
    assert seen["wide"] == []
    assert seen["up"] == sorted(seen["up"])
    assert seen["down"] == sorted(seen["down"], reverse=True)
    assert seen["sizes"]
    assert min(seen["sizes"]) >= 310, "the letters in the charts would be too small"


@pytest.mark.skipif(BROWSER is None, reason="no browser is installed")
def test_light_and_dark(folder: Path, tmp_path: Path) -> None:
    light = look(folder, tmp_path / "light", 390, "--blink-settings=preferredColorScheme=1")
    dark = look(folder, tmp_path / "dark", 390, "--blink-settings=preferredColorScheme=0")
    assert brightness(light["paper"]) > 240 > 80 > brightness(light["ink"])
    assert brightness(dark["paper"]) < 40 < 180 < brightness(dark["ink"])


def brightness(colour: str) -> float:
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3


@pytest.mark.skipif(BROWSER is None, reason="no browser is installed")
def test_it_can_be_printed(folder: Path, tmp_path: Path) -> None:
    assert BROWSER is not None
    paper = tmp_path / "page.pdf"
    words = [BROWSER, *QUIET, f"--user-data-dir={tmp_path / 'profile'}", f"--print-to-pdf={paper}"]
    subprocess.run([*words, (folder / "page.html").as_uri()], capture_output=True, timeout=120)
    assert paper.read_bytes()[:5] == b"%PDF-"


BROKEN = """rules 1
game "Broken"
players 2
number n: 0..9 = 0
phase play: one turn each from 1
  choose add or pass
action add
  n increases by 1
action pass
score at end
  points = n
never "nobody adds": n > 0
"""


SMALL = ("--players", "2", "--set", "cards=4")


def test_nothing_bars_the_way_on_reports_and_comparisons(tmp_path: Path) -> None:
    """By axe-core: light and dark, at the widths of a phone and a desk, with everything unfolded."""
    require_node(*PACKAGES)
    if BROWSER is None:
        pytest.skip("no browser is installed")
    (tmp_path / "broken.rules").write_text(BROKEN, "utf-8")
    variant = tmp_path / "house.rules"
    variant.write_text('rules 1\nvariant "House" of "classics/goofspiel"\nset prizes = ascending\n', "utf-8")
    pages = []
    for name, words, code in (
        ("broken", [str(tmp_path / "broken.rules")], 1),
        ("compared", ["classics/goofspiel", *SMALL, "--compare", str(variant), "--lang", "ru"], 0),
    ):
        made = tmp_path / name
        made.mkdir()
        written(made, *words, "--games", "20", code=code)
        pages.append((made / "page.html").as_uri())
    found = run_node("report.mjs", given={"pages": pages}, packages=PACKAGES)
    assert found == {"barriers": [], "asked": []}
