"""The words that the language brings along: one table, read by the checker, the interpreter's makers and the manual."""

from __future__ import annotations

from attrs import frozen

from rulesrun.dsl.text.messages import message


@frozen
class Builtin:
    """`form`: how it is written. name: alone; of: `count of S`; call: `smallest(a, b)`.

    `takes` and `gives` are kinds of values in the author's words; `more`: so many more numbers may follow.
    """

    name: str
    form: str  # name | of | call
    takes: tuple[str, ...]
    gives: str
    says: str
    more: int = 0


ANY_NUMBER = 1_000

BUILTINS: tuple[Builtin, ...] = (
    Builtin("player", "name", (), "player", "Whose turn it is, who chooses, who is scored, who is asked."),
    Builtin("players", "name", (), "number", "How many play; after `in` and `over` the players themselves."),
    Builtin("opponents", "name", (), "players", "Everyone but `player`."),
    Builtin("opponent", "name", (), "player", "The other one of two players."),
    Builtin("starter", "name", (), "player", "Who begins the round; may be changed."),
    Builtin("round", "name", (), "number", "Which round it is, from 1."),
    Builtin("phase", "name", (), "phase", "Which phase it is."),
    Builtin("it", "name", (), "element", "The element that a condition is about, when it has no name."),
    Builtin("count", "of", ("collection",), "number", "How many there are."),
    Builtin("sum", "of", ("numbers",), "number", "All of them added up."),
    Builtin("highest", "of", ("collection",), "element", "The greatest of them."),
    Builtin("lowest", "of", ("collection",), "element", "The least of them."),
    Builtin("list", "of", ("collection",), "collection", "All of them in order, doubles kept."),
    Builtin("sorted", "of", ("collection",), "collection", "All of them, the lowest first."),
    Builtin("top", "of", ("collection",), "element", "The one that was put last."),
    Builtin("bottom", "of", ("collection",), "element", "The one that was put first."),
    Builtin("first", "of", ("collection",), "element", "The first of a row."),
    Builtin("last", "of", ("collection",), "element", "The last of a row."),
    Builtin("left", "of", ("player",), "player", "The next player clockwise."),
    Builtin("right", "of", ("player",), "player", "The player before, counter-clockwise."),
    Builtin("total", "of", ("player",), "number", "All score lines of all countings together."),
    Builtin("place", "of", ("player",), "number", "The final place, once the game is over."),
    Builtin("smallest", "call", ("number", "number"), "number", "The smaller of its arguments.", ANY_NUMBER),
    Builtin("largest", "call", ("number", "number"), "number", "The larger of its arguments.", ANY_NUMBER),
    Builtin("seat", "call", ("option",), "player", "The player a `… or player` option names; seat 1 for a word."),
    Builtin("seats_from", "call", ("player", "player"), "number",
            "How many seats the second is to the left of the first; 0 for the same one."),
    Builtin("position", "call", ("element", "collection"), "number", "Where it stands, from 1; 0 when it is missing."),
    Builtin("times", "call", ("memory",), "number", "How often the last recorded position has been recorded."),
    Builtin("neighbours", "call", ("place",), "places", "The places of the board that lie beside it.", 1),
    Builtin("ahead", "call", ("place",), "places", "Its neighbours in the next row, as `player` sees the board.",
            1),
    Builtin("rays", "call", ("place",), "places", "The places that a straight line leads to from there, however far."),
    Builtin("between", "call", ("place", "place"), "places", "What lies between two places of a straight line."),
    Builtin("distance", "call", ("place", "place"), "number", "How many steps it is from one place to the other."),
    Builtin("lines", "call", ("board", "number"), "lines", "All straight lines of so many places."),
    Builtin("lines_through", "call", ("place", "number"), "lines",
            "All straight lines of so many places, this place among them."),
    Builtin("connected", "call", ("places", "places"), "places",
            "Those of the second that can be reached from the first, over neighbours among the second."),
    Builtin("counted", "call", ("line",), "number", "A score line, all countings together."),
    Builtin("latest", "call", ("line",), "number", "A score line or the total of the last counting alone."),
)

MEANINGS = {
    "player": message("the player whose turn it is, who chooses, or who is scored"),
    "players": message("the number of players; after `in` and `over`, the players themselves"),
    "opponents": message("everyone but `player`"), "opponent": message("the other one of two players"),
    "starter": message("the player who begins the round; rules can change it"),
    "round": message("the number of the round, from 1"), "phase": message("the current phase"),
    "it": message("the element that a condition is about, when it has no name"),
}  # fmt: skip
"""What names mean, as a complaint says it."""

NAMES = {builtin.name: builtin for builtin in BUILTINS if builtin.form == "name"}
OF_WORDS = {builtin.name: builtin for builtin in BUILTINS if builtin.form == "of"}
CALLS = {builtin.name: builtin for builtin in BUILTINS if builtin.form == "call"}

# Names that mean something alone, for a player: `total` is the total of `player`.
ALONE = {"total", "place"}

RESERVED = frozenset(NAMES) - {"opponent"}
"""Nothing can be called so. Rules may say themselves who the `opponent` is."""
