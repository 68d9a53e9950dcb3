"""The table as one seat sees it, as lines of text: the `table` message and a view in, lines out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.looks import is_unseen
from rulesrun.locale.language import Language, say
from rulesrun.table.option_words import component_words, name_words, value_words
from rulesrun.terminal.output import COLOUR, measure_width

# ---- rows
# A line of the table as text, before it is fitted into the width.


@frozen
class Row:
    """One line before it is fitted: a label and parts that stay whole."""

    label: str
    parts: tuple[str, ...]
    between: str = " · "


# ---- table picture


Json = Mapping[str, Any]
MOST_LABEL = 20
MOST_OF_A_PILE = 10
FEW_PLACES = 12
PAINTS = {
    "red": 31, "green": 32, "yellow": 33, "blue": 34, "violet": 35, "purple": 35, "pink": 95, "orange": "38;5;208",
    "white": 97, "grey": 90, "gray": 90, "cyan": 36, "turquoise": 36,
}  # fmt: skip


@define(eq=False)
class TablePicture:
    """`table`: the first message of a feed. `names`: how each seat is called."""

    table: Json
    language: Language
    width: int = 80
    is_coloured: bool = False
    seats: Sequence[Json] = ()
    _split: dict[str, tuple[str, str]] = field(init=False, factory=dict)  # a component: first attribute, the rest
    _places: dict[str, int] = field(init=False, factory=dict)  # a component: where it stands among all
    _layouts: Mapping[str, str] = field(init=False, factory=dict)  # hints of the rules, by name

    def __attrs_post_init__(self) -> None:
        self._layouts = self.table.get("look", {}).get("layout", {})
        for kind in self.table["components"]:
            for one in kind["kinds"]:
                self._places[one["name"]] = len(self._places)
                first, dash, rest = one["name"].partition("-")
                if dash and rest and len(one["attributes"]) > 1:
                    self._split[one["name"]] = first, rest

    def draw(self, view: Json, is_over: bool = False) -> list[str]:
        if is_over:
            view = {**view, "player": None}
        lines = [self.headline(view)]
        lines += self._fit(list(self._common_rows(view)))
        for seat in self._seats_in_order():
            lines.append(self._seat_line(view, seat))
            lines += self._fit(list(self._own_rows(view, seat)))
        for shown in view.get("shown", ()):
            lines += self._fit([self._shown_row(shown)])
        return [line.rstrip() for line in lines]

    def headline(self, view: Json) -> str:
        parts = [self.table["title"]]
        if view.get("round"):
            parts.append(say("round {round}", round=view["round"]))
        if view.get("phase") and len(self.table["phases"]) > 1:
            parts.append(name_words(self.language, view["phase"]))
        return self._line(" · ".join(parts), "═")

    def _seats_in_order(self) -> list[int]:
        """One's own seat last, nearest to the prompt; the others as they sit to the left."""
        you, amount = self.table["you"], self.table["players"]
        if not you:
            return list(range(1, amount + 1))
        return [(you + step - 1) % amount + 1 for step in range(1, amount)] + [you]

    def _seat_line(self, view: Json, seat: int) -> str:
        parts = [self.seat_name(seat)]
        score = view.get("scores", {}).get(str(seat))
        if score is not None and self.table["scores"]:
            parts.append(say("score {score}", score=score))
        if view.get("player") == seat:
            parts.append(say("to move"))
        return self._line(" · ".join(parts), "─")

    def seat_name(self, seat: int) -> str:
        if seat == self.table["you"]:
            return say("player {player} (you)", player=seat)
        bot = next((one["bot"] for one in self.seats if one["seat"] == seat), None)
        if bot is None:
            return say("player {player}", player=seat)
        return say("player {player} ({bot})", player=seat, bot=bot)

    def _line(self, text: str, filling: str) -> str:
        head = f"{filling * 2} {text} "
        return head + filling * max(0, self.width - measure_width(head))

    # ---- rows

    def _common_rows(self, view: Json) -> Iterator[Row]:
        boards: dict[tuple[tuple[str, ...], ...], list[tuple[str, Json]]] = {}
        numbers: list[str] = []
        for sort in ("zones", "variables"):
            for room in self.table[sort]:
                if room["per_player"] or is_unseen(self._layouts, room["name"]):
                    continue
                keys = tuple(tuple(place["keys"]) for place in room["places"])
                if room.get("board"):
                    yield from self._drawn_board(room, room["places"], view)
                elif keys and len(keys[0]) in (1, 2):
                    boards.setdefault(keys, []).append((sort, room))
                elif sort == "zones":
                    yield from self._zone_row(room, room["places"][0]["name"], view)
                elif keys[0] and "edges" in self._layouts.get(room["name"], "").split():
                    yield from edge_rows(self._label(room["name"]), room, view)
                elif keys[0]:
                    yield from self._keyed_values(room, room["places"], view)
                else:
                    numbers += self._value_part(room, room["places"][0]["name"], view)
        for keys, rooms in boards.items():
            yield from self._board_rows(keys, rooms, view)
        if numbers:
            yield Row("", tuple(numbers))

    def _own_rows(self, view: Json, seat: int) -> Iterator[Row]:
        numbers: list[str] = []
        for room in self.table["zones"]:
            places = [one for one in room["places"] if one["owner"] == seat]
            if len(places) == 1 and not places[0]["keys"]:
                yield from self._zone_row(room, places[0]["name"], view)
            elif places and len(places[0]["keys"]) == 2:
                yield from self._grid(room, "zones", [(tuple(one["keys"]), one["name"]) for one in places], view)
            else:
                yield from self._keyed_row(room, places, view)
        for room in self.table["variables"]:
            places = [one for one in room["places"] if one["owner"] == seat]
            if is_unseen(self._layouts, room["name"]):
                continue
            if len(places) == 1 and not places[0]["keys"]:
                numbers += self._value_part(room, places[0]["name"], view)
            elif places and room.get("board"):
                yield from self._drawn_board(room, places, view)
            elif places and len(places[0]["keys"]) == 2:
                yield from self._grid(room, "variables", [(tuple(one["keys"]), one["name"]) for one in places], view)
            elif places:
                yield from self._keyed_values(room, places, view)
        if numbers:
            yield Row("", tuple(numbers))

    def _zone_row(self, room: Json, place: str, view: Json) -> Iterator[Row]:
        """An empty place is not worth a line."""
        content = view["zones"].get(place)
        if content and content != {"count": 0}:
            yield Row(self._label(room["name"]), tuple(self.content_parts(content, room)))

    def _keyed_row(self, room: Json, places: Sequence[Json], view: Json) -> Iterator[Row]:
        """`column  1: 5, 8 · 2: – · 3: 12`."""
        parts = []
        for place in places:
            key = " ".join(self.language.label(one) for one in place["keys"])
            inner = ", ".join(self.content_parts(view["zones"].get(place["name"], []), room))
            parts.append(f"{key}: {inner}")
        if parts:
            yield Row(self._label(room["name"]), tuple(parts), "   ")

    def _keyed_values(self, room: Json, places: Sequence[Json], view: Json) -> Iterator[Row]:
        """`dice  1: 4   2: 5`; of many places those that are not empty."""
        known = [(place, view["variables"].get(place["name"])) for place in places]
        if room["type"] == "truth":
            yes = [" ".join(map(self.language.label, place["keys"])) for place, value in known if value == "yes"]
            if yes:
                yield Row(self._label(room["name"]), tuple(yes), "   ")
            return
        told = [
            f"{' '.join(map(self.language.label, place['keys']))}: {self.value_text(room, value)}"
            for place, value in known if value is not None and (value or len(places) <= FEW_PLACES)
        ]  # fmt: skip
        if told:
            yield Row(self._label(room["name"]), tuple(told), "   ")

    def _value_part(self, room: Json, place: str, view: Json) -> Iterator[str]:
        """What is not so, or nothing, is not worth a word."""
        value = view["variables"].get(place)
        if value in (None, "no", 0, []) or (room["type"] != "number" and value == room["start"]):
            return
        label = self._label(room["name"])
        yield label if value == "yes" else f"{label} {self.value_text(room, value)}"

    def value_text(self, room: Json, value: Any) -> str:
        if room["type"] == "player" and isinstance(value, int):
            return say("player {player}", player=value)
        if value in ("yes", "no", None):
            return self.language.label("nothing" if value is None else value)
        if isinstance(value, list):
            return ", ".join(value_words(self.language, one) for one in value)
        return value_words(self.language, value)

    # ---- boards

    def _board_rows(
        self, keys: tuple[tuple[str, ...], ...], rooms: list[tuple[str, Json]], view: Json
    ) -> Iterator[Row]:
        if len(keys[0]) == 2:
            for sort, room in rooms:
                places = [(key, place["name"]) for key, place in zip(keys, room["places"], strict=True)]
                yield from self._grid(room, sort, places, view)
            return
        if len(rooms) == 1 and rooms[0][0] == "variables":
            room = rooms[0][1]
            yield from self._keyed_values(room, room["places"], view)
            return
        heads = [f"{self._label(rooms[0][1]['name'])} {self._label(key)}" for (key,) in keys]
        is_named = all(measure_width(head) <= MOST_LABEL for head in heads)
        for at, (key,) in enumerate(keys):
            parts: list[str] = []
            for sort, room in rooms:
                place = room["places"][at]["name"]
                if sort == "zones":
                    parts += self.content_parts(view["zones"].get(place, []), room)
                else:
                    parts += self._value_part(room, place, view)
            yield Row(heads[at] if is_named else self._label(key), tuple(parts))

    def _drawn_board(self, room: Json, places: Sequence[Json], view: Json) -> Iterator[Row]:
        """A board as it lies on the table: its last row at the top, nothing where it has no place."""
        rows = room["board"]["rows"]
        cells = [(tuple(place["cell"]), place["name"]) for place in places]
        yield from self._grid(room, "variables", sorted(cells, key=lambda one: rows.index(one[0][0])),
                              view, room["board"]["columns"])  # fmt: skip

    def _grid(
        self, room: Json, sort: str, places: list[tuple[tuple[str, ...], str]], view: Json, across: Sequence[str] = ()
    ) -> Iterator[Row]:
        """Rows by the first key, columns by the second. What the seat may not see, and marks of which none is set, are
        not drawn."""
        truth = room.get("type") == "truth"
        blank = all(value is None or (truth and value == "no") for value in (view[sort].get(one) for _, one in places))
        if sort == "variables" and blank and (truth or all(one not in view[sort] for _, one in places)):
            return
        columns = list(across or dict.fromkeys(key[1] for key, _ in places))
        cells = {key: self._grid_cell(sort, room, place, view) for key, place in places}
        wide = max(map(measure_width, [*cells.values(), *columns]))
        yield Row(self._label(room["name"]), tuple(f"{self.language.label(one):^{wide}}" for one in columns), "  ")
        for row in dict.fromkeys(key[0] for key, _ in places):
            inner = tuple(f"{cells.get((row, one), ''):^{wide}}" for one in columns)
            yield Row(f"{self._label(row):>{measure_width(self._label(room['name']))}}", inner, "  ")

    def _grid_cell(self, sort: str, room: Json, place: str, view: Json) -> str:
        found = view[sort].get(place)
        if sort == "zones":
            return " ".join(self.content_parts(found or [], room)) or "·"
        if found in (None, "no", room["start"]):
            return "·"
        return str(found) if isinstance(found, int) else self.value_text(room, found)

    # ---- what lies in a place

    def content_parts(self, content: Any, room: Json) -> list[str]:
        """`red 1 2 7`, `blue 3 8`; of what is unseen how much there is."""
        if isinstance(content, dict):
            if content["count"] == 0:
                return ["–"]
            if content.get("top") is not None:
                rest = [say("and {amount} below", amount=content["count"] - 1)] if content["count"] > 1 else []
                return [self.component(content["top"]), *rest]
            return [say("{amount} face down", amount=content["count"])]
        names = [name for one in content for name in (one if isinstance(one, list) else [one])]
        if not names:
            return ["–"]
        if room["kind"] == "pile" and len(names) > MOST_OF_A_PILE:
            below = len(names) - MOST_OF_A_PILE
            return [say("{amount} below", amount=below), *map(self.component, names[below:])]
        if room["kind"] in ("pile", "row"):
            return [self.component(one) for one in names]
        return self._grouped(names)

    def _grouped(self, names: Sequence[str]) -> list[str]:
        """Equal ones together, those with the same first attribute, too."""
        if all(name in self._split for name in names):
            names = sorted(names, key=self._places.__getitem__)
            return [
                self._painted(first, " ".join([self.language.label(first), *self._count_rests(group)]))
                for first, group in groupby(names, lambda one: self._split[one][0])
            ]
        return [
            self._painted(name, component_words(self.language, name) + (f" ×{amount}" if amount > 1 else ""))
            for name, amount in count_equal(names)
        ]

    def _count_rests(self, names: Iterator[str]) -> list[str]:
        return [
            component_words(self.language, rest) + (f"×{amount}" if amount > 1 else "")
            for rest, amount in count_equal([self._split[name][1] for name in names])
        ]

    def component(self, name: str) -> str:
        return self._painted(name, component_words(self.language, name))

    def _painted(self, name: str, words: str) -> str:
        colour = PAINTS.get(name.partition("-")[0])
        return words if colour is None or not self.is_coloured else f"\x1b[{colour}m{words}\x1b[0m"

    def _shown_row(self, shown: Json) -> Row:
        if "variable" in shown:
            return Row(say("shown"), (self._told_value(shown),))
        return Row(say("shown"), tuple(self._grouped(shown["components"])) or ("–",))

    def _told_value(self, shown: Json) -> str:
        room, place = next(
            (room, place) for room in self.table["variables"] for place in room["places"]
            if place["name"] == shown["variable"]
        )
        words = [self._label(room["name"]), *map(self._label, place["keys"])]
        if place["owner"]:
            words.append(say("of player {player}", player=place["owner"]))
        return " ".join([*words, self.value_text(room, shown["value"])])

    # ---- lines

    def _label(self, name: str) -> str:
        return name_words(self.language, name)

    def _fit(self, rows: list[Row]) -> list[str]:
        """Parts stay whole; what does not fit goes on below."""
        column = min(max((measure_width(row.label) for row in rows), default=0), MOST_LABEL) + 3
        lines = []
        for row in rows:
            line = f" {row.label:<{column - 2}} " if row.label else " " * column
            start = " " * column
            is_first = True
            for part in row.parts:
                between = "" if is_first else row.between
                if not is_first and shown_width(line + between + part) > self.width:
                    lines.append(line)
                    line, between = start, ""
                line += between + part
                is_first = False
            lines.append(line)
        return lines


def shown_width(text: str) -> int:
    """Without what paints it."""
    return measure_width(COLOUR.sub("", text))


def count_equal(names: Sequence[str]) -> list[tuple[str, int]]:
    return [(name, len(list(group))) for name, group in groupby(sorted(names, key=list(names).index))]


# ---- lines between dots


def edge_rows(label: str, room: Json, view: Json) -> Iterator[Row]:
    """`+--+  +` and, between two of them, `|  |   `; the numbers of columns above, those of rows in front. Lines of the
    first value of the first key run along a row, the others down a column."""
    across, down = list(dict.fromkeys(place["keys"][0] for place in room["places"]))[:2]
    there = {tuple(place["keys"]) for place in room["places"] if view["variables"].get(place["name"]) == "yes"}
    rows = list(dict.fromkeys(place["keys"][1] for place in room["places"]))
    columns = list(dict.fromkeys(place["keys"][2] for place in room["places"]))
    yield Row(label, ("".join(f"{column:<4}" for column in columns),))
    for row in rows:
        dots = "".join("+---" if (across, row, column) in there else "+   " for column in columns[:-1]) + "+"
        yield Row(f"{row:>{len(label)}}", (dots,))
        if row != rows[-1]:
            yield Row("", ("".join("|   " if (down, row, column) in there else "    " for column in columns),))


# ---- side by side
# Blocks of lines beside each other.


def join_columns(columns: Sequence[Sequence[str]], width: int) -> list[str]:
    """Each as wide as it is said; the last lines of shorter ones are empty."""
    return [
        "│".join(line + " " * max(0, width - shown_width(line)) for line in row).rstrip()
        for row in zip_longest(*columns, fillvalue="")
    ]
