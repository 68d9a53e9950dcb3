"""A page is well-formed, loads nothing, tells every figure with the command that repeats it, and lets nothing in."""

from __future__ import annotations

import json
import os
import re
import shlex
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from rulesrun.cli import main
from rulesrun.dsl import ast
from rulesrun.dsl.contents.told_pieces import tell_pieces
from rulesrun.dsl.format.format import lines_of_body
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.measure.totals import merge_totals
from rulesrun.pages.page import glance_section
from tests.command_line import interrupting, run_here
from tests.interpreter.made import GAMES
from tests.pages.made import Element, all_of, name, text_of, tree, written

HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(2)> & 'it'"
TURNING = "\u202e"  # it cannot stand in a text
HOSTILE_RULES = f"""rules 1
## Note {HOSTILE} {TURNING} `
game "{HOSTILE}"
players 2
values Colour: red "</style><b>", blue
card Card: colour Colour, rank 1..3
option high: yes or no = no
reading who: one, two = one
  "Sentence {HOSTILE}"
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
setup
  shuffle all Card into deck
  deal 2 from deck to each hand
phase play: one turn each from 1
  choose lay or keep
## Act {HOSTILE}
action lay(given from hand)
  needs rank of given > 1 because "{HOSTILE}"
  move given to deck
action keep
score at end
  points = sum of rank over c in hand
ranking: highest total, ties share
always "always {HOSTILE}": count of hand <= 2
never "never {HOSTILE}": who = one
can happen "happens {HOSTILE}": high
example "example {HOSTILE}"
  then count of hand of 1 = 2
example "fails {HOSTILE}"
  then count of hand of 1 = 3
"""


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("kuhn"), "classics/kuhn", "--games", "120", "--seed", "5")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("hostile")
    file = folder / "<b onclick=x>&.rules"
    file.write_text(HOSTILE_RULES, "utf-8")
    return written(folder, str(file), "--games", "12", code=1)


def external(root: Element) -> list[str]:
    """Every attribute that would make a browser look elsewhere."""
    return [
        f"{name(element)} {key}={value}"
        for element in root.iter()
        for key, value in element.attrib.items()
        if key in ("src", "srcset", "data", "poster", "action", "background") or (key == "href" and value[0] != "#")
    ]


@pytest.mark.parametrize("made", ["kuhn", "hostile"])
def test_nothing_is_loaded_from_anywhere(made: str, request: pytest.FixtureRequest) -> None:
    page = request.getfixturevalue(made)
    root = tree(page)
    assert external(root) == []
    style = text_of(all_of(root, "style")[0])
    assert "url(" not in style
    assert "@import" not in style
    assert {name(element) for element in root.iter()} & {"link", "img", "iframe", "object", "embed", "base"} == set()


@pytest.mark.parametrize("made", ["kuhn", "hostile"])
def test_only_the_own_script_and_style_are_allowed(made: str, request: pytest.FixtureRequest) -> None:
    root = tree(request.getfixturevalue(made))
    scripts, styles = all_of(root, "script"), all_of(root, "style")
    assert len(scripts) == len(styles) == 1
    allowed = next(meta.get("content") or "" for meta in all_of(root, "meta") if meta.get("http-equiv"))
    assert allowed.startswith("default-src 'none'")
    for kind, inline in (("script", scripts[0]), ("style", styles[0])):
        fingerprint = b64encode(sha256((inline.text or "").encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{fingerprint}'" in allowed
    assert not [key for element in root.iter() for key in element.attrib if key.startswith("on") or key == "style"]


def test_what_the_rules_say_is_text_and_never_markup(hostile: str) -> None:
    root = tree(hostile)
    assert "<img" not in hostile
    assert "alert(1)</script>" not in hostile
    assert "\u202e" not in hostile
    shown = text_of(root)
    seen = " ".join(HOSTILE.split())
    for where in (seen, f"Note {seen} \ufffd", f"Sentence {seen}", f"always {seen}", f"example {seen}", f"Act {seen}"):
        assert where in shown
    assert "<b onclick=x>&.rules" in shown
    assert "does not hold" in shown


def test_every_figure_of_a_table_stands_on_the_page(kuhn: str, capsys: pytest.CaptureFixture[str]) -> None:
    from rulesrun.report.figure_text import percent_text

    root = tree(kuhn)
    shown = text_of(root)
    assert main(["simulate", "classics/kuhn", "--games", "120", "--seed", "5", "--json"]) == 0
    for table in json.loads(capsys.readouterr().out)["tables"]:
        assert f"{table['players']} players" in shown
        for figure in table["figures"]:
            kind = figure["figure"][0]
            if kind in ("win", "edge", "tie", "settled"):
                low, high = figure["interval"]
                assert f"{percent_text(low).removesuffix(' %')} to {percent_text(high)}" in shown, figure
            if kind in ("action", "phase", "line", "component", "kept"):
                assert figure["figure"][1] in shown
            elif kind == "length":
                assert figure["says"] in shown
    captions = [text_of(caption) for caption in all_of(root, "figcaption")]
    assert len(captions) == len(all_of(root, "svg"))
    assert all("games" in caption for caption in captions)


def test_the_command_that_repeats_a_figure_gives_that_figure(kuhn: str, capsys: pytest.CaptureFixture[str]) -> None:
    root = tree(kuhn)
    commands = [text_of(code) for code in all_of(root, "code") if code.get("class") == "command"]
    again = next(command for command in commands if "simulate" in command and "--players 3" in command)
    assert main([*shlex.split(again)[1:], "--json"]) == 0
    table = json.loads(capsys.readouterr().out)["tables"][0]
    rows = [[text_of(cell) for cell in row] for row in all_of(root, "tr")]
    wins = {int(row[1]): row[2] for row in rows if row[0] == "3 players" and len(row) == 6}
    assert len(wins) == 3
    for seat, told in wins.items():
        share = table["wins"][str(seat)] / table["finished"]
        assert float(told.split()[0]) == pytest.approx(100 * share, abs=0.051)
    assert all_of(root, "figure")
    assert "rulesrun assess" in " ".join(commands)


def test_every_link_leads_somewhere_on_the_page(kuhn: str) -> None:
    root = tree(kuhn)
    places = {element.get("id") for element in root.iter() if element.get("id")}
    links = [link.get("href") or "" for link in all_of(root, "a")]
    assert len(links) > 10
    assert {link.removeprefix("#") for link in links} <= places
    assert len(places) == sum(element.get("id") is not None for element in root.iter())


def test_the_verdict_and_five_answers_come_first(kuhn: str) -> None:
    """By perfect play who begins loses an eighteenth of a point (Kuhn, 1950)."""
    root = tree(kuhn)
    headings = [text_of(one) for one in root.iter() if name(one) in {"h3", "h4"}]
    assert headings[:2] == ["Five questions 2 players", "Does it matter who goes first, or where you sit?"]
    answer = next(text_of(one) for one in all_of(root, "p") if one.get("class") == "answer")
    assert "whoever begins loses 0.0556 points" in answer


def test_a_page_tells_no_options_of_commands_in_its_sentences(tmp_path: Path) -> None:
    """Whoever reads a page did not give them; what repeats it stands in code."""
    said = " ".join(said_by_us(tree(written(tmp_path, "classics/goofspiel", "--players", "3", "--games", "20"))))
    assert "games would tell." in said
    assert re.findall("--[a-z]+", said) == []


def test_every_chart_is_told_in_words(kuhn: str) -> None:
    for picture in all_of(tree(kuhn), "svg"):
        assert picture.get("role") == "img"
        assert name(picture[0]) == "title"
        assert text_of(picture[0])
        for mark in picture.iter():
            numbers = [value for key, value in mark.attrib.items() if key in ("x", "y", "width", "height", "cx", "cy")]
            assert all(-1 <= float(value) <= 400 for value in numbers)


def test_rules_at_a_glance(kuhn: str) -> None:
    shown = text_of(tree(kuhn))
    for shown_part in ("The rules", "Components", "Actions", "Points and victory", "Verdicts", "Figures"):
        assert shown_part in shown


def test_the_rules_say_what_happens_not_only_what_there_is() -> None:
    """Phases, steps and actions with their lines, those that belong to a line below it, and no strokes in names."""
    game = read_rules(str(GAMES / "gallery" / "durak.rules")).game
    assert game is not None
    root = tree(f"<html>{glance_section(tell_pieces(game), game.base, None).html}</html>")
    lines = [text_of(line) for line in all_of(root, "code") if line.get("class") == "line"]
    told = (ast.Setup, ast.Phase, ast.Step, ast.Action)
    bodies = [piece.body for piece in game.declarations if isinstance(piece, told)]
    written = [text.replace("_", " ") for body in bodies for _, text in lines_of_body(body)]
    assert written
    assert not set(written) - set(lines)
    below = [text.replace("_", " ") for body in bodies for depth, text in lines_of_body(body) if depth]
    nested = [line for item in all_of(root, "li") for one in all_of(item, "li") for line in all_of(one, "code")]
    assert below
    assert not set(below) - set(map(text_of, nested))
    assert not any("_" in line for line in lines)


def test_skill_dead_weight_and_the_exact_answer_have_sections(kuhn: str) -> None:
    root = tree(kuhn)
    shown = text_of(root)
    for title in ("Does skill matter?", "What does each rule change?", "The exact answer"):
        assert title in shown
    captions = [text_of(caption) for caption in all_of(root, "caption")]
    for caption in ("Players that think", "Habits", "Rules, and the game without each"):
        assert any(one.startswith(caption) for one in captions)
    commands = {text_of(code).split()[1] for code in all_of(root, "code") if code.get("class") == "command"}
    assert {"simulate", "ladder", "deadweight", "solve"} <= commands
    value = next(text_of(item) for item in all_of(root, "li") if "player 1:" in text_of(item))
    assert value.rsplit(" ", 1)[-1] == "-1/18"  # Kuhn's value


def test_personas_of_the_rules_are_on_the_page(tmp_path: Path) -> None:
    rules = (GAMES / "classics" / "kuhn.rules").read_text("utf-8") + "\npersona bold\n  prefer bet\n  prefer call\n"
    (tmp_path / "bold.rules").write_text(rules, "utf-8")
    page = written(tmp_path, str(tmp_path / "bold.rules"), "--players", "2", "--games", "20")
    captions = [text_of(caption) for caption in all_of(tree(page), "caption")]
    assert any(one.startswith("Personas of the rules") for one in captions)
    assert "bold" in text_of(tree(page))


OURS = re.compile(
    r"\b(the|of|in|is|are|and|not|with|that|this|games?|seat|wins|score|deals|every|never|none|players?|decisions?|"
    r"always|holds|points|from|nobody|proved|example|verdict|without|good|rule)\b", re.IGNORECASE
)


def said_by_us(element: Element) -> list[str]:
    """What stands on a page but for rules, commands, and what the author of the rules wrote."""
    found = []
    for part in element:
        is_quoted = name(part) in {"pre", "code", "blockquote", "style", "script"}
        found += [] if is_quoted else said_by_us(part)
        found += [part.tail or ""]
    return [element.text or "", *found, element.get("aria-label") or ""]


def left_in_english(page: str, *rules: str) -> list[str]:
    """But for what stands in the rules."""
    written_there = [" ".join(one.replace("#", "").split()) for one in rules]
    told = [one for one in said_by_us(tree(page)) if not any(" ".join(one.split()) in text for text in written_there)]
    told = [re.sub(r'always \w+|"[^"]*"|“[^”]*”|«[^»]*»|`[^`]*`|--\S+', "", one) for one in told]
    return [one for one in told if OURS.search(one)]


def test_a_page_in_russian(tmp_path: Path) -> None:
    """Everything is said; rules, commands and sentences of the author stay."""
    words = ["zero", "--players", "2", "--games", "10", "--compare", "variants/zero_three_passes", "--lang", "ru"]
    page = written(tmp_path, *words)
    root = tree(page)
    assert root.get("lang") == "ru"
    told = [text_of(one) for tag in ("h1", "h2", "h3", "h4", "thead", "summary", "figcaption")
            for one in all_of(root, tag)]  # fmt: skip
    assert "Зеро" in told
    assert not [one for one in told if re.search("[a-z]{3}", one)]
    badges = [text_of(one) for one in all_of(root, "span") if (one.get("class") or "").startswith("badge")]
    assert badges
    assert not [one for one in badges if re.search("[a-z]{3}", one)]
    assert any("rulesrun simulate zero.rules" in text_of(code) for code in all_of(root, "code"))
    assert "Edward: one to four sevens are worth 7" in text_of(root)
    zero, variant = ((GAMES / f"{one}.rules").read_text("utf-8") for one in ("zero", "variants/zero_three_passes"))
    assert left_in_english(page, zero, variant) == []


def test_what_is_broken_is_told_in_russian(tmp_path: Path) -> None:
    rules = (GAMES / "classics" / "kuhn.rules").read_text("utf-8")
    rules += '\nnever "nobody bets": bettor is not nothing\n'
    (tmp_path / "broken.rules").write_text(rules, "utf-8")
    page = written(tmp_path, str(tmp_path / "broken.rules"), "--players", "2", "--games", "20", "--lang", "ru", code=1)
    assert left_in_english(page, rules) == []


def test_rules_with_an_error_have_a_page_that_tells_it(tmp_path: Path) -> None:
    file = tmp_path / "broken.rules"
    lines = ["rules 1", 'game "Broken"', "players 2", "phase play: one turn each from 1", "  choose nothing_there"]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    page = written(tmp_path, str(file), code=1)
    shown = text_of(tree(page))
    assert "does not hold" in shown
    assert "nothing_there" in shown
    assert "Figures" not in shown


def test_several_files_stand_on_one_page_with_an_overview(tmp_path: Path) -> None:
    page = written(tmp_path, "classics/kuhn", "classics/nim", "--players", "2", "--games", "20")
    root = tree(page)
    assert [article.get("id") for article in all_of(root, "article")] == ["game-1", "game-2"]
    assert [link.get("href") for link in all_of(root, "a") if text_of(link) in {"Kuhn poker", "Nim"}] == [
        "#game-1", "#game-2",
    ]  # fmt: skip


def test_a_comparison_tells_words_effects_and_what_was_not_seen(tmp_path: Path) -> None:
    variant = tmp_path / "ours.rules"
    variant.write_text('rules 1\nvariant "Quick" of "classics/pig"\nset target = 30\n', "utf-8")
    words = ["classics/pig", "--players", "2", "--games", "60", "--compare", str(variant)]
    page = written(tmp_path, *words)
    shown = text_of(tree(page))
    assert "Compared with Quick" in shown
    assert "option target: 1..1000 = 30" in shown
    rows = [[text_of(cell) for cell in row] for row in all_of(tree(page), "tr")]
    verdicts = {row[0]: row[-1] for row in rows if len(row) == 5}
    assert verdicts["decisions in a game"] == "changes"
    assert verdicts["gap between highest and lowest score"] == "the same in every deal"
    assert "would have been seen" in verdicts["seat 1 wins"]
    assert f"rulesrun compare classics/pig.rules {variant}" in shown


def test_a_place_that_cannot_be_written_to_is_told_before_the_games(tmp_path: Path) -> None:
    missing = tmp_path / "none" / "page.html"
    assert main(["report", "classics/kuhn", "--html", str(missing)]) == 2
    assert main(["report", "classics/kuhn", "--html", str(tmp_path)]) == 2
    assert main(["report", "classics/kuhn"]) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_page_that_was_there_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("old", "utf-8")
    assert main(["report", "classics/kuhn", "--players", "9", "--html", str(page)]) == 2
    assert page.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [page]


def test_an_interruption_leaves_a_page_of_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while the games of the figures are played."""
    monkeypatch.setattr("rulesrun.services.measure.merge_totals", interrupting(merge_totals, 4))
    words = ["report", "classics/pig", "classics/kuhn", "--games", "1000000", "--html", "page.html"]
    done = run_here(*words, folder=tmp_path)
    assert done.returncode == 2
    assert [line for line in done.stderr.splitlines() if "the native engine would be" not in line] == []
    assert "partial" in done.stdout
    shown = text_of(tree((tmp_path / "page.html").read_text("utf-8")))
    assert "interrupted: partial" in shown
    assert "Pig" in shown
    assert "Kuhn" not in shown  # of it nothing was known yet


@pytest.mark.long
def test_all_five_games_need_less_than_two_minutes_of_one_core(tmp_path: Path) -> None:
    """Processor time, of all processes: a machine that has nothing else to do is no slower."""
    pytest.importorskip("llvmlite")
    games, before = ["collection", "the_game", "tokens", "hourglass", "zero"], os.times()
    page = written(tmp_path, *games)
    after = os.times()
    assert sum(after[:4]) - sum(before[:4]) < 120
    for title in ("Collection", "The Game", "Zero"):
        assert title in text_of(tree(page))
