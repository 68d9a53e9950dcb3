"""The grammar's stored tables, its words, and that no rule of it is forgotten."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from importlib.resources import files
from typing import Any

import lark
import pytest
from lark.parsers.lalr_analysis import Shift

from rulesrun.dsl.parsing import grammar
from rulesrun.dsl.parsing.declarations import ToAst
from rulesrun.dsl.parsing.statements import PLAIN_STATEMENTS
from rulesrun.dsl.text.keywords import PHRASES, RESERVED, SIGNS, WORDS
from rulesrun.dsl.text.lexer import scan_line

TEXT = files("rulesrun.grammar").joinpath("rules.lark").read_text("utf-8")
TABLES = files("rulesrun.grammar").joinpath("tables.json").read_text("utf-8")


def test_the_stored_tables_belong_to_the_grammar() -> None:
    hint = "run `python -m rulesrun.grammar.build`"
    assert json.loads(TABLES)["for"] == grammar.compute_fingerprint(TEXT), hint


@pytest.mark.parametrize("text", ["define x = count of hand where a and b", "zone a[1..2]: pile of B, hidden"])
def test_stored_tables_and_grammar_give_the_same_trees(text: str) -> None:
    words = scan_line(text, 0, len(text)).words
    stored = grammar._restore_parser(json.loads(TABLES))
    computed = grammar._build_parser(TEXT)
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
    missing = {name for name in shown - inlined if not hasattr(ToAst, name) and name not in PLAIN_STATEMENTS}
    assert missing <= {str(rule.origin.name) for rule in grammar.load_parser().rules if rule.options.expand1}


def test_where_two_readings_are_possible_the_longer_is_meant() -> None:
    """A new doubt must be looked at: the parser would silently read on."""
    said: list[str] = []
    listener = logging.Handler()
    listener.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    lark.logger.addHandler(listener)
    lark.logger.setLevel(logging.DEBUG)
    try:
        lark.Lark(TEXT, parser="lalr", lexer=grammar.ContextLexer, start=grammar.STARTS, debug=True)
    finally:
        lark.logger.setLevel(logging.CRITICAL)
        lark.logger.removeHandler(listener)
    doubts = set(re.findall(r"conflict for terminal (\w+).*\n \* <(\w+) :", "\n".join(said)))
    operators = {"PLUS", "MINUS", "PRODUCT", "DOTS", "EQUAL", "COMPARISON", "IS", "IS_A", "IN", "NOT"}
    goes_on = {(word, rule) for word, rule in doubts if word in operators and rule in ("sum", "of", "range", "atom")}
    goes_on |= {(word, rule) for word, rule in doubts if word in operators and rule in ("comparison", "collection")}
    assert doubts - goes_on == {
        ("AND", "conjunction"), ("OR", "expression"),  # inside `has`, `where`, `else`
        ("OR", "plain_type"),  # `Card or Coin or nothing`: one list
        ("WHERE", "counted"), ("WHERE", "collection"),  # the nearest takes the condition
        ("WITH", "of"), ("WHERE", "of"),  # after `the p in …`, `the first p from …`
        ("RPAR", "arguments"),  # `token Seed: (2)`, `copies(rank) of each`: read by rules of their own
        ("OVER", "counted"),  # the innermost `sum of` takes `over`
        ("NAME", "atom"), ("NAME", "set_part"),  # `no c in …`, not the value `no`
    }  # fmt: skip


def test_reserved_words_are_words() -> None:
    assert set(WORDS) >= RESERVED


def test_what_is_accepted_is_what_the_parser_takes() -> None:
    parser = grammar.load_parser()
    states = _states(parser)
    start = parser.parser.parser._parse_table.start_states["statement"]
    accepted = grammar.AcceptedTerminals(states, [start])
    assert {"NAME", "SHUFFLE", "IF"} <= {name for name in states[start] if name in accepted}
    assert "ZONE" not in accepted
    assert all(states[start][name][0] is Shift for name in ("NAME", "SHUFFLE"))


def _states(parser: Any) -> grammar.States:
    states: grammar.States = parser.parser.parser._parse_table.states
    return states


def test_the_tables_are_the_same_bytes_whenever_they_are_built() -> None:
    """Whatever the order of sets in the process that builds them; and those that are stored are these."""
    build = "from rulesrun.dsl.parsing.grammar import serialize_tables; print(serialize_tables(), end='')"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", build], capture_output=True, check=True, env=environment)
        assert done.stdout.decode() == TABLES, seed
