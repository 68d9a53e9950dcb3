"""The grammar's stored tables, its words, and that no rule of it is forgotten."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from lark.parsers.lalr_analysis import Shift

from rulesrun.dsl import grammar
from rulesrun.dsl.keywords import PHRASES, RESERVED, SIGNS, WORDS
from rulesrun.dsl.lexer import scan
from rulesrun.dsl.to_ast import ToAst

TEXT = files("rulesrun.grammar").joinpath("rules.lark").read_text("utf-8")
TABLES = files("rulesrun.grammar").joinpath("tables.json").read_text("utf-8")


def test_the_stored_tables_belong_to_the_grammar() -> None:
    hint = "run `python -m rulesrun.grammar.build`"
    assert json.loads(TABLES)["for"] == grammar.fingerprint(TEXT), hint


@pytest.mark.parametrize("text", ["define x = count of hand where a and b", "zone a[1..2]: pile of B, hidden"])
def test_stored_tables_and_grammar_give_the_same_trees(text: str) -> None:
    words = scan(text, 0, len(text)).words
    stored = grammar._from_tables(json.loads(TABLES))
    computed = grammar._from_grammar(TEXT)
    trees = [parser.parse(grammar.ParsedLine(words), start="declaration") for parser in (stored, computed)]
    assert trees[0] == trees[1]


def test_every_word_of_the_grammar_can_be_written() -> None:
    parser = grammar.load_parser()
    terminals = {name for row in _states(parser).values() for name in row if name.isupper() and name != "$END"}
    written = {name for table in (SIGNS, WORDS, PHRASES) for names in table.values() for name in names}
    assert terminals - written == {"NAME", "INT", "STRING"}
    assert written <= terminals


def test_every_rule_has_its_method() -> None:
    rules = {rule.alias or rule.origin.name for rule in grammar.load_parser().rules}
    shown = {str(name) for name in rules if not str(name).startswith(("_", "$"))}
    inlined = {"declaration", "component_line", "example_line"}  # each of their alternatives has a name
    missing = {name for name in shown - inlined if not hasattr(ToAst, name)}
    assert missing <= {str(rule.origin.name) for rule in grammar.load_parser().rules if rule.options.expand1}


def test_reserved_words_are_words() -> None:
    assert set(WORDS) >= RESERVED


def test_what_is_accepted_is_what_the_parser_takes() -> None:
    parser = grammar.load_parser()
    states = _states(parser)
    start = parser.parser.parser._parse_table.start_states["statement"]
    accepted = grammar.Accepted(states, [start])
    assert {"NAME", "SHUFFLE", "IF"} <= {name for name in states[start] if name in accepted}
    assert "ZONE" not in accepted
    assert all(states[start][name][0] is Shift for name in ("NAME", "SHUFFLE"))


def _states(parser: object) -> grammar.States:
    states: grammar.States = parser.parser.parser._parse_table.states  # type: ignore[attr-defined]
    return states
