"""Colours agree with the parser on nearly every character; what an editor gets is what the language's words make."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rulesrun.highlighting.build import FILES
from rulesrun.playground.assembly import read_editor
from tests.highlighting.node import EDITORS, require_node, run_node
from tests.highlighting.parsed_words import classify_characters

ROOT = Path(__file__).resolve().parents[2]
LEAST_AGREEMENT = 0.995
Stretch = tuple[int, int, str]

PYGMENTS = {"Comment": "comment", "String": "text", "Number": "number", "Keyword": "keyword", "Name": "name"}
TEXTMATE = {
    "comment": "comment", "string": "text", "constant.numeric": "number", "keyword.operator": "sign",
    "keyword": "keyword", "constant.language": "keyword", "entity": "name", "variable": "name", "punctuation": "sign",
}  # fmt: skip
CODEMIRROR = {
    "docComment": "comment", "lineComment": "comment", "string": "text", "number": "number",
    "definitionKeyword": "keyword", "keyword": "keyword", "atom": "keyword", "typeName": "name",
    "variableName": "name", "definition": "name", "operator": "sign", "punctuation": "sign",
}  # fmt: skip


def bundled_texts() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted((ROOT / "games").rglob("*.rules"))}


def texts_of_pages() -> dict[str, str]:
    """Whole rulebooks of the documentation, which nobody wrote for a highlighter."""
    found = {}
    for path in sorted((ROOT / "docs").glob("*.md")):
        blocks = re.findall(r"```rules\n(rules 1\n.*?)```", path.read_text("utf-8"), re.DOTALL)
        found.update({f"{path.name} {number}": block for number, block in enumerate(blocks)})
    return found


def colour_with_pygments(texts: dict[str, str]) -> dict[str, list[Stretch]]:
    lexers = pytest.importorskip("pygments.lexers")
    lexer = lexers.get_lexer_by_name("rules", stripnl=False, ensurenl=False)  # by the entry point of the wheel

    def colour(text: str) -> Iterable[Stretch]:
        for start, token, value in lexer.get_tokens_unprocessed(text):
            name = next((kind for family, kind in PYGMENTS.items() if family in tuple(token)), "sign")
            assert "Error" not in tuple(token), (value, text[start - 40 : start + 40])
            yield start, start + len(value), name

    return {name: list(colour(text)) for name, text in texts.items()}


def colour_with_textmate(texts: dict[str, str]) -> dict[str, list[Stretch]]:
    found = run_node("colours.mjs", "textmate", given=texts, packages=("vscode-textmate", "vscode-oniguruma"))
    return {name: _translate(text, found[name], _kind_of_scope) for name, text in texts.items()}


def colour_with_codemirror(texts: dict[str, str]) -> dict[str, list[Stretch]]:
    require_node("pyodide", "@codemirror/view")
    with TemporaryDirectory() as folder:
        _write_editor(Path(folder))
        found = run_node("colours.mjs", "codemirror", folder, given=texts)
    return {name: _translate(text, found[name], CODEMIRROR.__getitem__) for name, text in texts.items()}


def _write_editor(folder: Path) -> None:
    """As the page has it, with the word that tells Node.js what a module is."""
    contents = read_editor(str(EDITORS / "node_modules/pyodide"))
    static = ROOT / "rulesrun/playground/static"
    contents |= {name: (static / name).read_bytes() for name in ("rules.js", "patterns.js", "package.json")}
    for name, content in contents.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)


def _kind_of_scope(scope: str) -> str:
    return next(kind for start, kind in TEXTMATE.items() if scope.startswith(start))


def _translate(text: str, found: list[Stretch], kind_of: Callable[[str], str]) -> list[Stretch]:
    """JavaScript counts in units of UTF-16."""
    units = [0, *accumulate(1 + (ord(sign) > 0xFFFF) for sign in text)]
    return [(bisect_right(units, a) - 1, bisect_right(units, b) - 1, kind_of(scope)) for a, b, scope in found]


@pytest.mark.parametrize("colour", [colour_with_pygments, colour_with_textmate, colour_with_codemirror])
def test_colours_agree_with_the_parser(colour: Callable[[dict[str, str]], dict[str, list[Stretch]]]) -> None:
    texts = bundled_texts() | texts_of_pages() | {"scripts": 'rules 1\n# 🂡 и\nvalues Масть: пики, трефы "♣ 🂡" # 🂡\n'}
    of, wrong = 0, []
    for name, stretches in colour(texts).items():
        kinds = {at: kind for start, end, kind in stretches for at in range(start, end)}
        true = classify_characters(texts[name])
        of += len(true)
        wrong += [(name, at, kind, kinds.get(at)) for at, kind in true.items() if kinds.get(at) != kind]
    assert of > 80_000
    assert len(wrong) <= (1 - LEAST_AGREEMENT) * of, wrong[:20]


@pytest.mark.parametrize("name", FILES)
def test_files_of_colours_are_what_the_words_of_the_language_make(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == FILES[name](), "run `python -m rulesrun.highlighting.build`"


def test_a_text_in_the_making_has_colours_too() -> None:
    text = 'action take(card from ha\n  move "never closed\nzone ?? hand §'
    stretches = colour_with_pygments({"": text.replace("?", "-").replace("§", "-")})[""]
    assert stretches[0] == (0, 6, "keyword")
    assert (text.index('"'), text.index("\nzone"), "text") in stretches
