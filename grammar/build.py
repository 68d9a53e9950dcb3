"""Writes the parser's tables beside the grammar. After each change: `python -m rulesrun.grammar.build`."""

from __future__ import annotations

from pathlib import Path

from rulesrun.dsl.parsing.grammar import serialize_tables

if __name__ == "__main__":
    Path(__file__).with_name("tables.json").write_text(serialize_tables(), encoding="utf-8")
