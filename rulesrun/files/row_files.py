"""Games as rows in files: ranges of rows in, a folder of parts or one file out. An interruption loses nothing written.

Every part is written beside its place and moved there when it is whole; so is the manifest, which says which games
are there and what they add up to. One file is made from such a folder in the end. The same command continues.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Protocol

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.measure.duel import Row
from rulesrun.interpreter.measure.totals import Totals, totals_from_json, totals_to_json
from rulesrun.terminal.trouble import Trouble

# ---- row formats
# Rows as .jsonl, .csv or .parquet: rows in, a file out; several files of one kind in, one out.


Columns = Mapping[str, str]  # name → int | float | text


class RowFormat(Protocol):
    suffix: str

    def check_available(self) -> None:
        """Complains about what is missing before any game is played."""

    def write_rows(self, path: str, columns: Columns, rows: list[Row]) -> None: ...

    def join_files(self, path: str, columns: Columns, parts: Iterable[str]) -> None: ...


def cell_value(value: Any, column: str) -> Any:
    if isinstance(value, Fraction) or (column == "float" and value is not None):
        return float(value)
    return value


class JsonLines:
    suffix = "jsonl"

    def check_available(self) -> None:
        pass

    def write_rows(self, path: str, columns: Columns, rows: list[Row]) -> None:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            for row in rows:
                plain = {name: cell_value(row[name], column) for name, column in columns.items()}
                file.write(json.dumps(plain, ensure_ascii=False, separators=(",", ":")) + "\n")

    def join_files(self, path: str, columns: Columns, parts: Iterable[str]) -> None:
        with open(path, "wb") as whole:
            for part in parts:
                with open(part, "rb") as file:
                    shutil.copyfileobj(file, whole)


class Csv:
    suffix = "csv"

    def check_available(self) -> None:
        pass

    def write_rows(self, path: str, columns: Columns, rows: list[Row]) -> None:
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([cell_value(row[name], column) for name, column in columns.items()] for row in rows)

    def join_files(self, path: str, columns: Columns, parts: Iterable[str]) -> None:
        with open(path, "wb") as whole:
            for number, part in enumerate(parts):
                with open(part, "rb") as file:
                    head = file.readline()
                    if number == 0:
                        whole.write(head)
                    shutil.copyfileobj(file, whole)


class Parquet:
    suffix = "parquet"

    def check_available(self) -> None:
        import_arrow()

    def write_rows(self, path: str, columns: Columns, rows: list[Row]) -> None:
        arrow, parquet = import_arrow()
        found = {name: [cell_value(row[name], column) for row in rows] for name, column in columns.items()}
        parquet.write_table(arrow.table(found, schema=arrow_schema(columns)), path)

    def join_files(self, path: str, columns: Columns, parts: Iterable[str]) -> None:
        _, parquet = import_arrow()
        with parquet.ParquetWriter(path, arrow_schema(columns)) as writer:
            for part in parts:
                with parquet.ParquetFile(part) as file:
                    writer.write_table(file.read())


def arrow_schema(columns: Columns) -> Any:
    arrow, _ = import_arrow()
    kinds = {"int": arrow.int64(), "float": arrow.float64(), "text": arrow.string()}
    return arrow.schema([(name, kinds[column]) for name, column in columns.items()])


def import_arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        hint = message("`pip install 'rulesrun[parquet]'`; .csv and .jsonl need nothing")
        raise Trouble(message("writing .parquet needs pyarrow: {hint}", hint=hint)) from None
    return pyarrow, pyarrow.parquet


FORMATS: Mapping[str, RowFormat] = {one.suffix: one for one in (JsonLines(), Csv(), Parquet())}


# ---- row files


MANIFEST = "manifest.json"

Plain = dict[str, Any]


@define(eq=False)
class GameRowFiles:
    """`identity`: what must be the same for games to belong together: rules, options, seed, seats, columns."""

    path: str
    columns: Mapping[str, str]
    identity: Plain
    rows: RowFormat = field(init=False)
    folder: str = field(init=False)
    is_folder: bool = field(init=False)
    manifest: Plain = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.is_folder = self.path.endswith(("/", os.sep)) or os.path.isdir(self.path)
        named = self.path.rstrip("/" + os.sep)
        self.rows = find_format(named, self.is_folder)
        self.folder = named if self.is_folder else named + ".parts"
        os.makedirs(self.folder, exist_ok=True)
        self.manifest = self._load_manifest() or {
            "games_of": self.identity,
            "columns": dict(self.columns),
            "tables": {},
        }

    def _load_manifest(self) -> Plain | None:
        try:
            with open(os.path.join(self.folder, MANIFEST), encoding="utf-8") as file:
                found: Plain = json.load(file)
                same = found["games_of"] == self.identity and found["columns"] == dict(self.columns)
            for players, known in found["tables"].items() if same else ():
                self._check_parts(int(players), known)
        except FileNotFoundError:
            return None
        except (OSError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError, RecursionError):
            raise Trouble(
                message("{folder}: its manifest cannot be read; remove the folder to start again", folder=self.folder)
            ) from None
        if not same:
            raise Trouble(
                message(
                    "{folder} holds games for other rules, options or seed; choose another name",
                    folder=self.folder)
            )
        return found

    def _check_parts(self, players: int, known: Plain) -> None:
        """What is said of a table fits together; else there is something wrong with it."""
        at = 0
        for first, games, name in known["parts"]:
            if (first, name) != (at, self._part_name(players, at)) or type(games) is not int or games < 1:
                raise ValueError(name)
            at += games
        if not known["done"] == at == totals_from_json(known["totals"]).games:
            raise ValueError(players)

    def _part_name(self, players: int, first: int) -> str:
        return f"players={players}/part-{first:09}.{self.rows.suffix}"

    def games_done(self, players: int) -> tuple[int, Totals]:
        """How many games of a table are there, and what they add up to."""
        known = self.manifest["tables"].get(str(players))
        return (0, Totals()) if known is None else (known["done"], totals_from_json(known["totals"]))

    def reload_done(self, players: int) -> tuple[int, Totals]:
        """The same, as the folder has it now."""
        self.manifest["tables"] = (self._load_manifest() or {"tables": {}})["tables"]
        return self.games_done(players)

    def add_games(self, players: int, first: int, games: int, rows: list[Row], totals: Totals) -> None:
        """The games from `first`; `totals` are those of all games of the table until now."""
        known = self.manifest["tables"].setdefault(str(players), {"done": 0, "parts": []})
        name = self._part_name(players, first)
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.rows.write_rows(path + ".new", self.columns, rows)
        os.replace(path + ".new", path)
        known["parts"].append([first, games, name])
        known["done"], known["totals"] = first + games, totals_to_json(totals)
        self._write_manifest()

    def _write_manifest(self) -> None:
        path = os.path.join(self.folder, MANIFEST)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.manifest, file, ensure_ascii=False, separators=(",", ":"))
        os.replace(path + ".new", path)

    def join_parts(self) -> None:
        """One file of all parts, in order; the folder of parts goes away."""
        if self.is_folder:
            return
        self.rows.join_files(self.path + ".new", self.columns, self._part_paths())
        os.replace(self.path + ".new", self.path)
        shutil.rmtree(self.folder)

    def _part_paths(self) -> Iterable[str]:
        for _, known in sorted(self.manifest["tables"].items(), key=lambda item: int(item[0])):
            yield from (os.path.join(self.folder, name) for _, _, name in known["parts"])


def find_format(name: str, is_folder: bool) -> RowFormat:
    suffix = os.path.splitext(name)[1].removeprefix(".")
    if suffix not in FORMATS:
        if is_folder and not suffix:
            return FORMATS["jsonl"]
        raise Trouble(
            message(
                "`--out {name}`: use a name that ends in .parquet, .csv or .jsonl, or a folder that ends in `/`",
                name=name,
            )
        )
    FORMATS[suffix].check_available()
    return FORMATS[suffix]
