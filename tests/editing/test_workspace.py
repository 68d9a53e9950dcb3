"""Texts, versions, and what is kept of a text that was sound."""

from __future__ import annotations

import random
import re

import pytest

from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.parsing.parse import ParsedFile, PieceMemory, parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.editing import Position, Range, TextEdit, Workspace, answer_request, as_json, complete, list_findings
from rulesrun.editing.hover import hover
from rulesrun.files.loading import read_text
from rulesrun.files.sources import bundled_names
from tests.editing.texts import SMALL, bundled_text, open_bundled, open_text

SIGNS = ["a", "\n", " ", "  ", '"', "(", "#", "ж", "🂡", "zone ", "of ", "\t", ":", "..", "1", "\r"]


@pytest.mark.parametrize("name", SMALL)
def test_a_sound_file_has_no_findings(name: str) -> None:
    _, analysis = open_bundled(name)
    assert list_findings(analysis).findings == ()
    assert analysis.sound is analysis.reading


def test_findings_say_the_version_they_speak_of() -> None:
    workspace, _ = open_text("rules 1\n")
    workspace.change_document("game.rules", [TextEdit(Range(Position(1, 0), Position(1, 0)), "zoen\n")], 7)
    found = list_findings(workspace.analyse("game.rules"))
    assert found.version == 7
    assert [one.code for one in found.findings] == ["unknown-piece"]
    assert found.findings[0].range == Range(Position(1, 0), Position(1, 4))


def test_what_was_sound_is_kept_while_a_line_is_broken() -> None:
    path, text = bundled_text("classics/kuhn")
    workspace = Workspace()
    workspace.open_document(path, text, 1)
    sound = workspace.analyse(path).reading
    workspace.change_document(path, [text.replace("score", "scoer")], 2)
    broken = workspace.analyse(path)
    assert broken.reading.program is None
    assert broken.sound is sound


def test_a_variant_is_read_again_when_its_base_is_edited() -> None:
    base, text = bundled_text("zero")
    variant, own = bundled_text("variants/zero_open_hands")
    workspace = Workspace()
    workspace.open_document(base, text, 1)
    workspace.open_document(variant, own, 1)
    assert list_findings(workspace.analyse(variant)).findings == ()
    assert [one.name for one in workspace.dependents(base)] == [variant]
    workspace.change_document(base, [text.replace("zone hand of player", "zone cards of player")], 2)
    found = list_findings(workspace.analyse(variant)).findings
    assert [one.severity for one in found] == ["error"] * len(found) != []
    workspace.change_document(base, [text], 3)
    assert list_findings(workspace.analyse(variant)).findings == ()


def split_lines(text: str) -> list[str]:
    """Lines and their ends, in turn."""
    return re.split("(\r\n|\n|\r)", text)


def edit_at_random(text: str, chance: random.Random) -> TextEdit:
    lines = split_lines(text)[::2]
    line = chance.randrange(len(lines))
    at = chance.randrange(len(lines[line]) + 1)
    start, end = (len(lines[line][:place].encode("utf-16-le")) // 2 for place in (at, at + chance.choice([0, 0, 1, 5])))
    return TextEdit(Range(Position(line, start), Position(line, end)), chance.choice([*SIGNS, ""]))


def edit_in_units(text: str, edit: TextEdit) -> str:
    """The same edit, made as an editor makes it: on the units of UTF-16."""
    data, parts = text.encode("utf-16-le"), [part.encode("utf-16-le") for part in split_lines(text)]

    def offset(place: Position) -> int:
        return len(b"".join(parts[: 2 * place.line])) + min(2 * place.character, len(parts[2 * place.line]))

    new = data[: offset(edit.range.start)] + edit.text.encode("utf-16-le") + data[offset(edit.range.end) :]
    return new.decode("utf-16-le")


def play_with(name: str, edits: int, seed: int, every: int = 1) -> None:
    """No edit breaks anything; the findings are those of the text alone. What costs more is asked at `every` edit, what
    costs most at half of those."""
    path, text = bundled_text(name)
    workspace, chance = Workspace(), random.Random(f"{name} {seed}")
    workspace.open_document(path, text, 0)
    mirror = text
    for version in range(1, edits + 1):
        edit = edit_at_random(mirror, chance)
        mirror = edit_in_units(mirror, edit)
        workspace.change_document(path, [edit], version)
        analysis = workspace.analyse(path)
        assert analysis.text == mirror
        found = list_findings(analysis)
        assert found.version == version
        if version % every == 0:
            place = Position(chance.randrange(mirror.count("\n") + 1), chance.randrange(60))
            complete(analysis, place)
            hover(analysis, place)
        if version % 20 == 0:  # too many mistakes at once say little
            workspace.open_document(path, mirror := text, version)
        elif "variant" not in mirror and version % (2 * every - 1) == 0:
            alone = read_text(mirror, path)
            assert alone.diagnostics == analysis.reading.diagnostics
            assert [one.code for one in alone.diagnostics] == [one.code for one in found.findings]


@pytest.mark.parametrize("name", SMALL[:2])
def test_random_edits(name: str) -> None:
    play_with(name, 15, 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10), ids=lambda seed: f"seed-{seed}")
@pytest.mark.parametrize("name", bundled_names())
def test_a_thousand_random_edits(name: str, seed: int) -> None:
    """Ten thousand of each file, in ten pieces: `-k seed-0`."""
    play_with(name, 1_000, seed + 2, every=7)


def describe_parse(parsed: ParsedFile) -> object:
    """All nodes with their places, comments, mistakes."""
    nodes = [[(type(node).__name__, node.span, repr(node)) for node in walk(piece)] for piece in parsed.declarations]
    return nodes, [getattr(piece, "notes", None) for piece in parsed.declarations], parsed.comments, parsed.diagnostics


LINES = ("## a note", "# a comment", "  ## between", "\t# tabbed", "12 x", "", "  a line", ")", "zone pot: pile")


@pytest.mark.parametrize("name", ["classics/leduc", "variants/zero_three_passes"])
def test_what_is_remembered_is_what_would_be_read(name: str) -> None:
    _, text = bundled_text(name)
    memory, chance, mirror = PieceMemory(), random.Random(name), text
    for version in range(150):
        if version % 15 == 0:
            mirror = text
        mirror = edit_in_units(mirror, edit_at_random(mirror, chance))
        if chance.random() < 0.3:
            lines = mirror.split("\n")
            lines.insert(chance.randrange(len(lines)), chance.choice((*LINES, *lines)))
            mirror = "\n".join(lines)
        remembered = parse_source(Source("f", mirror), memory)
        assert describe_parse(remembered) == describe_parse(parse_source(Source("f", mirror)))


def walk_prefixes(name: str, step: int) -> None:
    path, text = bundled_text(name)
    workspace = Workspace()
    for length in range(0, len(text) + 1, step):
        workspace.open_document(path, text[:length], length)
        analysis = workspace.analyse(path)
        assert list_findings(analysis).version == length
        complete(analysis, analysis.lines.find_position(length))


def test_some_prefixes() -> None:
    walk_prefixes("classics/nim", 23)


@pytest.mark.long
@pytest.mark.parametrize("name", bundled_names())
def test_every_prefix(name: str) -> None:
    walk_prefixes(name, 1)


def test_everything_is_plain_data_for_a_worker() -> None:
    workspace = Workspace()
    _, text = bundled_text("classics/kuhn")
    ask = {"document": "k.rules"}
    assert answer_request(workspace, {"method": "open", "text": text, "version": 1, **ask}) is None
    found = answer_request(workspace, {"method": "diagnose", **ask})
    assert found == {"document": "k.rules", "version": 1, "findings": []}
    place = as_json(Position(1, 0))
    offered = answer_request(workspace, {"method": "complete", "position": place, **ask})
    assert isinstance(offered["items"], list)
    assert answer_request(workspace, {"method": "hover", "position": place, **ask}) is None
    assert answer_request(workspace, {"method": "format", **ask}) == []
    assert answer_request(workspace, {"method": "explain", "code": "unknown-zone"}).startswith("unknown-zone")
    change = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}, "text": "ruels"}
    assert answer_request(workspace, {"method": "change", "changes": [change], "version": 2, **ask}) is None
    assert answer_request(workspace, {"method": "diagnose", **ask})["findings"][0]["code"] == "missing-edition"
