"""What can be played here: names of rules in, their titles, options and bots out, as the lobby shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field

from rulesrun.dsl.contents.front_matter import read_front_matter
from rulesrun.dsl.format.format import text_of_type
from rulesrun.files.loading import Reading, make_text_file, parse_link, read_chain, read_playable, read_rules
from rulesrun.files.sources import bundled_names, open_rules
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table, list_option_values, set_up_table
from rulesrun.locale.catalogue import load_catalogue
from rulesrun.locale.language import Language, list_labels
from rulesrun.server.stores import TableHead
from rulesrun.services.tables import allowed_players
from rulesrun.terminal.trouble import Trouble

Json = dict[str, Any]
BOTS = ("greedy", "mcts:200", "mcts:1000", "random")
MOST_VALUES = 40
KEPT_READINGS = 64


@define(eq=False)
class Shelf:
    """`names`: files that were asked for; none: everything that is bundled."""

    names: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    _readings: dict[str, Reading] = field(init=False, factory=dict)
    _kept: dict[tuple[tuple[str, str], ...], Reading] = field(init=False, factory=dict)
    _titles: dict[str, Json] = field(init=False, factory=dict)

    def all_names(self) -> tuple[str, ...]:
        return self.names or tuple(sorted(bundled_names(), key=lambda name: (name.count("/"), name)))

    def list_titles(self, language: str) -> list[Json]:
        return [
            {"name": name, "title": told["titles"].get(language, told["title"]), "variant": told["variant"],
             "kind": told["kind"], "players": told["players"]}
            for name in self.all_names() for told in [self._read_title(name)]
        ]  # fmt: skip

    def _read_title(self, name: str) -> Json:
        """From its own text alone: to check every file would take seconds."""
        if name not in self._titles:
            told = read_front_matter(parse_link(open_rules(name)).parsed)
            self._titles[name] = {
                "title": told.title if told.title is not None else name,
                "titles": dict(told.titles), "variant": told.is_variant,
                "kind": name.partition("/")[0] if "/" in name and name not in self.names else "",
                "players": write_players(told.players),
            }
        return self._titles[name]

    def read(self, name: str) -> Reading:
        """Raises KeyError where it does not stand here, Trouble where it cannot be played."""
        if name not in self.all_names():
            raise KeyError(name)
        if name not in self._readings:
            found = read_rules(name, self.variants)
            self._readings[name] = found if found.program is None else read_texts(found.name, texts_of(found))
        reading = self._readings[name]
        if reading.program is None:
            raise Trouble(f"{name}: {reading.diagnostics[0].message if reading.diagnostics else 'cannot be played'}")
        return reading

    def read_playable(self, name: str) -> Reading:
        """Before anybody plays: what is wrong with a file is told as every command tells it. Raises Unplayable."""
        found = read_playable(name, self.variants)
        self._readings[name] = read_texts(found.name, texts_of(found))
        return self._readings[name]

    def read_again(self, head: TableHead) -> Reading:
        """The rules as they were when the table was made."""
        found = self._kept.get(head.texts)
        if found is None:
            known = self._readings.get(head.rules)
            if known is not None and texts_of(known) == head.texts:
                return known
            found = read_texts(head.asked, head.texts)
            while len(self._kept) >= KEPT_READINGS:
                del self._kept[next(iter(self._kept))]
            self._kept[head.texts] = found
        return found

    def describe(self, name: str, players: int | None, language: str) -> Json:
        """All that is to be chosen before a game."""
        reading = self.read(name)
        assert reading.program is not None
        speech = speech_of(reading, language)
        allowed = [count for count in allowed_players(reading.program) if _may_sit(reading, count)]
        if not allowed:
            raise Trouble(f"{name}: the rules allow no table")
        table = set_up_table(reading.program, players if players in allowed else allowed[0])
        return {
            "name": name, "title": speech.labels.get("game", reading.title), "players": allowed,
            "options": list(describe_options(table, speech)),
            "bots": [
                *({"name": one.name.text, "label": speech.label(one.name.text), "notes": list(one.notes)}
                  for one in table.program.game.personas),
                *({"name": one, "label": one, "notes": []} for one in BOTS),
            ],
        }  # fmt: skip


def write_players(counts: range | None) -> str:
    """`2–5`, as far as plain numbers say it."""
    if counts is None:
        return ""
    low, high = counts.start, counts.stop - 1
    return str(low) if low == high else f"{low}–{high}"


def _may_sit(reading: Reading, players: int) -> bool:
    assert reading.program is not None
    try:
        set_up_table(reading.program, players)
    except RefusedTable:
        return False
    return True


def speech_of(reading: Reading, code: str) -> Language:
    return Language(code, load_catalogue(code), list_labels(reading.game, code))


def describe_options(table: Table, speech: Language) -> Iterator[Json]:
    """`values`: what may be chosen; none where it is to be typed."""
    for option in table.bench.options:
        values = list_option_values(table, option.name.text)
        is_listed = 1 < len(values) <= MOST_VALUES
        yield {
            "name": option.name.text, "label": speech.label(option.name.text), "is_reading": option.is_reading,
            "notes": [*option.notes, *([option.sentence] if option.sentence else [])],
            "value": write_value(table.options[option.name.text]), "domain": text_of_type(option.type),
            "values": [{"value": write_value(one), "label": label_value(one, speech)} for one in values]
            if is_listed else [],
        }  # fmt: skip


def write_value(value: object) -> str:
    """As `--set` takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(write_value(one) for one in value)
    return "nothing" if value is None else str(value)


def label_value(value: object, speech: Language) -> str:
    return speech.label(write_value(value))


def texts_of(reading: Reading) -> tuple[tuple[str, str], ...]:
    return tuple((link.file.name, link.file.text) for link in reading.chain)


def read_texts(asked: str, texts: Sequence[tuple[str, str]]) -> Reading:
    """Rules by their texts alone: the same whether they come from files or from the store."""
    files = [make_text_file(name, text) for name, text in texts]
    return read_chain(next(one for one in files if one.name == asked), files)


def check_options(reading: Reading, players: int, options: Mapping[str, str]) -> Table:
    """Raises RefusedTable."""
    assert reading.program is not None
    return set_up_table(reading.program, players, dict(options))
