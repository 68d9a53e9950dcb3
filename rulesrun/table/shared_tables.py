"""What is worked out once for all who play the same rules with as many players and the same options: the table itself,
its names in each language, the words of its options."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from attrs import field, frozen

from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import Reading
from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.locale.catalogue import load_catalogue
from rulesrun.locale.language import Language, list_labels
from rulesrun.table.description import (
    Json,
    Owners,
    choice_counts,
    describe_table,
    passing_values,
    place_owners,
    value_types,
)
from rulesrun.table.option_words import WordedOption

MOST_TABLES, MOST_WORDINGS = 64, 128  # the ones used last are kept
_tables: dict[tuple[Program, int, tuple[tuple[str, str], ...]], Table] = {}


def share_table(program: Program, players: int, options: Mapping[str, Any]) -> Table:
    """Raises RefusedTable."""
    key = program, players, tuple(sorted((name, repr(value)) for name, value in options.items()))
    found = _tables.pop(key, None) or set_up_table(program, players, options)
    _tables[key] = found
    while len(_tables) > MOST_TABLES:
        del _tables[next(iter(_tables))]
    return found


@frozen(eq=False)
class Wording:
    """One table in one language. `options`: those that were put into words."""

    language: Language
    owners: Owners
    types: Mapping[str, str]
    choices: Mapping[str, int]
    passing: frozenset[str]
    options: dict[OptionKey, WordedOption] = field(factory=dict)


@lru_cache(maxsize=MOST_WORDINGS)
def share_wording(table: Table, code: str) -> Wording:
    language = Language(code, load_catalogue(code), list_labels(table.program.game, code))
    return Wording(language, place_owners(table), value_types(table), choice_counts(table), passing_values(table))


@lru_cache(maxsize=MOST_WORDINGS)
def share_description(reading: Reading, table: Table, seat: int, code: str) -> Json:
    """The first message of a seat: the same at every table of these rules. Nobody changes it."""
    return describe_table(reading, table, seat, share_wording(table, code).language)
