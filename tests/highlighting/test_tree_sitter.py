"""The grammar for tree-sitter: no mistake in right files, one in each wrong one, colours as the parser has them."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.lexer import scan_line
from rulesrun.dsl.text.source import Source
from rulesrun.highlighting.build import is_parser_fresh
from tests.editing.test_completion import GAME
from tests.editing.test_fixes import MENDED
from tests.explained import complete_file, expand_example, read_pages
from tests.highlighting.parsed_words import classify_characters
from tests.highlighting.test_colours import LEAST_AGREEMENT, ROOT, bundled_texts, texts_of_pages

GRAMMAR = ROOT / "editors/tree-sitter"
KINDS = {"comment": "comment", "string": "text", "number": "number", "keyword": "keyword", "operator": "sign",
         "punctuation": "sign"}  # fmt: skip
# What is wrong with lines that can be read: how long, how deep, how large, said twice, said after something else.
BEYOND_A_GRAMMAR = frozenset((
    "bad-visibility", "line-too-long", "misplaced-except", "misplaced-needs", "misplaced-next", "misplaced-otherwise",
    "missing-brackets",
    "not-a-share", "number-too-large", "said-twice", "tab-in-indentation", "too-deep", "unknown-edition",
))  # fmt: skip
MISPLACED = ("of", "in", ",", ":", "zone", "3", "x", '"t"', "(", ")", "otherwise", "choose")


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The parser as C, compiled."""
    tree_sitter = pytest.importorskip("tree_sitter")
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a compiler of C: .ci/tools")
    library = tmp_path_factory.mktemp("parser") / "rules.so"
    sources = [str(GRAMMAR / "src" / name) for name in ("parser.c", "scanner.c")]
    strict = ("-Wall", "-Werror", "-Wno-unused", "-Wno-unused-parameter")
    command = [compiler, "-O0", "-shared", "-fPIC", *strict, "-I", str(GRAMMAR / "src"), *sources, "-o", str(library)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-3000:]
    make = ctypes.CDLL(str(library)).tree_sitter_rules
    make.restype = ctypes.c_void_p
    wrap = ctypes.pythonapi.PyCapsule_New
    wrap.restype, wrap.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return tree_sitter.Language(wrap(make(), b"tree_sitter.Language", None))


def is_wrong(language: Any, text: str) -> bool:
    tree_sitter = pytest.importorskip("tree_sitter")
    return bool(tree_sitter.Parser(language).parse(text.encode()).root_node.has_error)


def test_the_parser_is_that_of_the_words_of_the_language() -> None:
    assert is_parser_fresh(ROOT), "run `python -m rulesrun.highlighting.build` where `tree-sitter` is installed"


def test_nothing_is_wrong_in_right_files(language: Any) -> None:
    texts = bundled_texts() | texts_of_pages()
    assert len(texts) > 30
    assert [name for name, text in texts.items() if is_wrong(language, text)] == []


def wrong_texts() -> Iterator[tuple[str, str]]:
    for page in read_pages():
        if page.kind in ("", "whole") and len(page.wrong) < 5_000:
            yield page.code, page.wrong if page.kind == "whole" else complete_file(expand_example(page.wrong))
    for path in sorted((ROOT / "tests/broken").rglob("*.rules")):
        yield path.name, path.read_text("utf-8")
    for right, wrong, _ in MENDED:
        yield wrong, GAME.replace(right, wrong, 1)


def find_disagreements(language: Any, texts: Iterator[tuple[str, str]]) -> tuple[int, list[str]]:
    """How many texts have a mistake in their grammar; those in which only one of the two parsers sees one."""
    wrong, found = 0, []
    for name, text in texts:
        codes = {one.code for one in parse_source(Source("", text)).diagnostics}
        if codes and codes <= BEYOND_A_GRAMMAR | {"missing-edition"}:
            continue
        wrong += bool(codes)
        if bool(codes) != is_wrong(language, text):
            found.append(f"{name}: {codes or 'right'}")
    return wrong, found


def test_something_is_wrong_where_a_line_cannot_be_read(language: Any) -> None:
    wrong, found = find_disagreements(language, wrong_texts())
    assert found == []
    assert wrong > 30


def slips_in(texts: list[str], amount: int, seed: int) -> Iterator[tuple[str, str]]:
    """One word taken away, another one put in, a line moved to the right."""
    chance = random.Random(seed)
    while amount:
        lines = chance.choice(texts).split("\n")
        at = chance.randrange(len(lines))
        line = lines[at]
        words = scan_line(line, 0, len(line)).words
        if not words:
            continue
        word = chance.choice(words)
        lines[at] = chance.choice((
            line[: word.start] + line[word.end :],
            line[: word.start] + chance.choice(MISPLACED) + line[word.end :],
            f"{line[: word.end]} {chance.choice(MISPLACED)}{line[word.end :]}",
            f"  {line}",
        ))  # fmt: skip
        amount -= 1
        yield lines[at], "\n".join(lines)


def test_both_parsers_see_the_same_slips(language: Any) -> None:
    """Names that are words of the language somewhere are all that they differ in: one slip of a hundred at most."""
    small = [text for text in bundled_texts().values() if len(text) < 4_000]
    wrong, found = find_disagreements(language, slips_in(small, 150, 1))
    assert wrong > 75
    assert len(found) <= 1, found


@pytest.mark.long
def test_both_parsers_see_the_same_slips_in_all_bundled_rulebooks(language: Any) -> None:
    wrong, found = find_disagreements(language, slips_in(list(bundled_texts().values()), 3_000, 2))
    assert len(found) <= wrong / 100, found


def test_colours_agree_with_the_parser(language: Any) -> None:
    tree_sitter = pytest.importorskip("tree_sitter")
    query = tree_sitter.Query(language, (GRAMMAR / "queries/highlights.scm").read_text("utf-8"))
    of = wrong = 0
    for text in (bundled_texts() | texts_of_pages()).values():
        data = text.encode()
        tree = tree_sitter.Parser(language).parse(data)
        kinds = {}
        for name, nodes in tree_sitter.QueryCursor(query).captures(tree.root_node).items():
            for node in nodes:
                start = len(data[: node.start_byte].decode())
                end = start + len(data[node.start_byte : node.end_byte].decode())
                kind = KINDS.get(name.split(".")[0], "name")
                kinds.update({at: kind for at in range(start, end) if kind != "name" or at not in kinds})
        true = classify_characters(text)
        of += len(true)
        wrong += sum(kinds.get(at) != kind for at, kind in true.items())
    assert of > 80_000
    assert wrong <= (1 - LEAST_AGREEMENT) * of
