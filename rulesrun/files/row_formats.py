"""Rows as .jsonl, .csv or .parquet: rows in, a file out; several files of one kind in, one out."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Protocol

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.measure.work_units import Row
from rulesrun.terminal.trouble import Trouble

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
