"""Boards as other languages and people say them. Takes places, gives mistakes."""

from __future__ import annotations

import re

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.conditions import read_number
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.text.declared_words import find_only
from rulesrun.dsl.text.messages import message

SPOKEN_BOARD = re.compile(
    r"(?:a|the)?(?:board|grid|map)(?:of|:)?(\d+)(?:x|by|×|\*)(\d+)(?:squares|cells|fields|places)?"
)
ARTICLES = ("a", "an", "the", "one", "his", "her", "their", "my", "own")
PUTTING = ("build", "put", "place", "lay", "set", "add", "play", "drop", "write", "draw")
MARKING = ("mark", "claim", "occupy", "fill", "colour", "color")
TAKING = ("remove", "capture", "take", "clear", "erase", "delete")
ON = ("on", "onto", "at", "in", "into", "upon")
FROM = ("from", "on", "at", "in")
FREE = ("empty", "free", "unoccupied", "vacant")
BESIDE = ("next", "adjacent", "beside", "near", "neighbouring", "neighboring", "touching")
CONDITIONS = ("if", "needs", "until", "and", "or", "not", ":", "otherwise")
SIZE = re.compile(r"(\d+|\w+(?=[×*,-]))(?:x|[×*,-])(\w*)|(\d+)")
TIMES = ("x", "X")
SIX_SIDED = ("hex", "hexagon", "hexagons", "hexes", "hexagonally", "honeycomb")
STONES = (["stones"], ["pieces"], ["tokens"], ["marks"], ["counters"])
JUMPING = ("jump", "jumps", "hop", "hops", "leap", "leaps")
LINES = ("row", "rows", "lines", "column", "columns", "diagonal", "diagonals", "run", "chain")


def _diagnose_board_size(place: StoppingPlace) -> Mistake | None:
    """`board Square: 8x8`, `board Square: 8 * 8`, `board 8 by 8`, `board Square: 8`."""
    if place.kind != "declaration" or place.first_word != "board":
        return None
    words = [word.text for word in place.words]
    counts = [word for word in words[3:] if word.isdigit()]
    if {"rows", "columns"} <= {*words} and len(counts) == 2 and len(words) < 9 and words[2:3] == [":"]:
        counts = counts if words.index("rows") < words.index("columns") else counts[::-1]
        whole = f"{counts[0]} by {counts[1]}"
        hint = message("write `{size}`: so many rows by so many columns", size=whole)
        found = place.make_mistake("unfinished-line", message("write the size of a board with `by`"), hint)
        return found.with_edits(Edit(place.words[3].start, place.words[-1].end, whole))
    if place.at == 1 and words[1:2] and words[1].isdigit():
        hint = message("name its places: `board Square: {size}`", size=" ".join(words[1:]))
        found = place.make_mistake("unfinished-line", message("the board has no name"), hint)
        return found.with_edits(place.insert_before("Square:"))
    if words[2:3] != [":"] or "BY" not in place.expected:
        return None
    texts = ["*" if word in TIMES else word for word in words[3:]]
    ends = (end for end in (3, 2, 1) if end <= len(texts) and texts[end - 1] != ",")
    last = next((end for end in ends if SIZE.fullmatch("".join(texts[:end]))), 0)
    said = SIZE.fullmatch("".join(texts[:last]))
    if said is None or place.at < 3:
        return None
    rows = said[1] or said[3]
    whole = f"{rows} by {said[2] or rows}"
    hint = message("write `{size}`: so many rows by so many columns", size=whole)
    found = place.make_mistake("unfinished-line", message("write the size of a board with `by`"), hint)
    return found.with_edits(Edit(place.words[3].start, place.words[2 + last].end, whole))


def _diagnose_hexagons(place: StoppingPlace) -> Mistake | None:
    """`board Cell: 5 by 5, hex`, `board Cell: hexagonal 5 by 5`."""
    if place.kind != "declaration" or place.first_word != "board":
        return None
    if place.text in SIX_SIDED and "HEXAGONAL" in place.expected:
        found = place.make_mistake(
            "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `hexagonal`")
        )
        return found.with_replacement("hexagonal")
    if place.at == 4 and place.text_before() in (*SIX_SIDED, "hexagonal"):
        size = " ".join(word.text for word in place.words[4:])
        hint = message("write `{size}, hexagonal`", size=size)
        found = place.make_mistake("unexpected-word", message("the size comes first"), hint)
        return found.with_edits(Edit(place.words[3].start, place.words[-1].end, f"{size}, hexagonal"))
    return None


def _diagnose_places_without_line(place: StoppingPlace) -> Mistake | None:
    """Below a board: `a1, a2, a3`; `a1 - a2`."""
    if place.kind != "board_line" or place.first_word == "line" or place.text not in (",", "-", "") or place.at != 1:
        return None
    names = ", ".join(word.text for word in place.words if word.kind == "word")
    hint = message("write `line {names}`", names=names)
    found = place.make_mistake("unexpected-word", message("a line of places starts with `line`"), hint)
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, f"line {names}"))


def _diagnose_lines(place: StoppingPlace) -> Mistake | None:
    """`some row of 3 in Square has`, `some line in Square of 3`, Ludii's `line 3`."""
    if place.text == "of" and place.text_before() in LINES and place.text_before(2) in ("some", "no", "every"):
        word = place.words[place.at - 1]
        sentence = message("places in a straight line are a `line`")
        hint = message("write `{word} line of …`", word=place.text_before(2))
        return Mistake("wrong-word", sentence, word.start, word.end, hint).with_replacement("line")
    if (
        place.text in ("has", "is")
        and place.text_before().isdigit()
        and place.text_before(2) == "of"
        and (place.text_before(3) == "line" and "THROUGH" in place.expected)
    ):
        board = find_only(place.declared.things.boards)
        sentence = message("say on which board")
        found = place.make_mistake("unexpected-word", sentence, message("write `in {board}`", board=board or "…"))
        return found.with_edits(place.insert_before(f"in {board}")) if board else found
    if place.text_before() in ("line", "lines") and place.text.isdigit():
        hint = message("write `some line of {length} in … has …`", length=place.text)
        return place.make_mistake("unexpected-word", message("look for a line with `some`"), hint)
    return None


def _diagnose_rings(place: StoppingPlace) -> Mistake | None:
    """`board Point: rings 3`, `board Point: 3 concentric rings`, `board Point: rings`."""
    words = [word.text for word in place.words]
    if place.kind != "declaration" or words[:1] != ["board"] or words[2:3] != [":"] or "rings" not in words[3:]:
        return None
    many = next((text for text in words[3:] if text.isdigit()), "3")
    hint = message("write `{many} rings`: squares one inside the other", many=many)
    found = place.make_mistake("unexpected-word", message("how many rings there are comes first, and no more"), hint)
    return found.with_edits(Edit(place.words[3].start, place.words[-1].end, f"{many} rings"))


def _diagnose_spoken_board(place: StoppingPlace) -> Mistake | None:
    """`board: 4x4`, `grid 4x4`, `a board of 4 by 4 squares`."""
    said = SPOKEN_BOARD.fullmatch("".join(word.text for word in place.words))
    if place.kind != "declaration" or place.at > 2 or said is None:
        return None
    line = f"board Square: {said[1]} by {said[2]}"
    return place.write_line("unfinished-line", message("a board has a name and a size"), line)


def _diagnose_pieces_of_board(place: StoppingPlace) -> Mistake | None:
    """`piece stone on Square`, `stones on Square: black or white`, `stones on the board`."""
    texts = [word.text for word in place.words]
    at = texts.index("on") if "on" in texts[1:3] else 0
    board = find_only(place.declared.things.boards)
    if place.kind != "declaration" or not at or place.at > at or not board or texts[0] in ("marker", "number", "end"):
        return None
    name = texts[at - 1].removesuffix("s") or texts[at - 1]
    line = f"marker {name}[{board}]: player or nothing"
    return place.write_line("unknown-piece", message("what stands on the places of a board is kept by a marker"), line)


def _diagnose_one_piece_each(place: StoppingPlace) -> Mistake | None:
    """`each player has one pawn`, where there is a board."""
    texts, things = [word.text for word in place.words], place.declared.things
    said = [text for text in texts if text not in ("has", "gets", "one", "a", "of", "the", "1", "starts", "with")]
    board = find_only(things.boards)
    if said[:2] not in (["each", "player"], ["every", "player"]) or len(said) != 3 or len(texts) < 5 or not board:
        return None
    name = said[2].removesuffix("s") or said[2]
    if name in things.on_boards:
        hint = message("say in the `setup` where it begins: `{name}[…] becomes 1`, `{name}[…] becomes 2`", name=name)
        sentence = message("what stands on the places of a board is kept by a marker")
        return place.make_mistake_at_start("unknown-piece", sentence, hint)
    if place.kind != "declaration" or place.declared.things.kinds:
        return None
    sentence = message("what stands on the places of a board is kept by a marker")
    return place.write_line("unknown-piece", sentence, f"marker {name}[{board}]: player or nothing")


def _diagnose_what_lies_between(place: StoppingPlace) -> Mistake | None:
    """`capture the frog between from and to`, `needs opponent between from and to`."""
    texts, things = [word.text for word in place.words], place.declared.things
    at = next((at for at in range(1, len(texts) - 3) if texts[at] == "between" and texts[at + 2] == "and"), 0)
    marker = next((name for name in things.on_boards if name not in things.truths), "")
    if place.kind != "statement" or not at or not marker or place.at > at + 3:
        return None
    between = f"between({texts[at + 1]}, {texts[at + 3]})"
    if texts[0] in TAKING and len(texts) == at + 4:
        return place.write_line("unknown-statement", message("these are several places"), f"clear all {between}")
    whom = next((text for text in texts[1:at] if text in ("opponent", "player")), "")
    begin = next((one + 1 for one in range(at - 1, -1, -1) if texts[one] in CONDITIONS), 0)
    if not begin or not whom:
        return None
    written = f"some s in {between} has {marker}[s] = {whom}"
    return place.write_words(begin, at + 3, "wrong-word", message("say what lies between the two places"), written)


def _diagnose_filled_row(place: StoppingPlace) -> Mistake | None:
    """`fill row 1 with frogs of 1`, `place frogs of 1 on row 1`: for each place of it."""
    texts, things = [word.text for word in place.words], place.declared.things
    at = next((at for at in range(1, len(texts) - 1)
               if texts[at] in ("row", "column") and texts[at + 1].isdigit()), 0)  # fmt: skip
    board = find_only(things.boards)
    marker = next((name for name in things.on_boards if {name, f"{name}s"} & {*texts}), find_only(things.on_boards))
    is_said = place.kind == "statement" and texts[0] in (*PUTTING, *MARKING)
    if not is_said or not at or not board or not marker or marker in things.truths:
        return None
    owner = texts[texts.index("of") + 1 :][:1] if "of" in texts else []
    first = f"each s in {board} where {texts[at]} = {texts[at + 1]}"
    second = f"{marker}[s] becomes {owner[0] if owner else 'player'}"
    hint = message("write `{first}`, and below it, indented, `{second}`", first=first, second=second)
    sentence = message("what stands on the places of a board is kept by a marker")
    found = place.make_mistake_at_start("unknown-statement", sentence, hint)
    indent = " " * (place.words[0].start - place.margin + 2)
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, f"{first}\n{indent}{second}"))


def _diagnose_listed_stones(place: StoppingPlace) -> Mistake | None:
    """`marker stone[Square]: empty, black, white`."""
    texts = [word.text for word in place.words]
    if place.kind != "declaration" or texts[0] != "marker" or ":" not in texts[: place.at]:
        return None
    first = texts.index(":") + 1
    listed = [text for text in texts[first:] if text not in (",", "or")]
    said = place.words[first:]
    words = [text for text in listed if text not in (*FREE, "nothing", "none")]
    if place.at < first + 2 or len(words) < 2 or not all(one.kind == "word" or one.text == "," for one in said):
        return None
    if {"player", "no", "yes", "each", "turn", "round", "order", "of", "public", "private", "hidden"} & {*listed}:
        return None
    kind = texts[1].capitalize()
    values, typed = f"values {kind}: {', '.join(words)}", f"{kind} or nothing" if len(words) < len(listed) else kind
    hint = message("write `{values}` on a line of its own above, and here `{typed}`", values=values, typed=typed)
    found = Mistake("unexpected-word", message("words are declared before they are used"), said[0].start, said[-1].end,
                    hint)  # fmt: skip
    return found.with_edits(Edit(place.margin, place.margin, f"{values}\n"), Edit(found.start, found.end, typed))


def _diagnose_put_on_board(place: StoppingPlace) -> Mistake | None:
    """`put stone of player on cell`, `place a stone at cell`, `mark cell`, `set stone on cell to player`."""
    said = [word.text for word in place.words if word.text not in ARTICLES]
    things = place.declared.things
    if place.kind != "statement" or place.at > 3 or not things.on_boards or not {*said[:1]} & {*PUTTING, *MARKING}:
        return None
    if said[0] in MARKING:
        thing, where, rest = [], said[1:2], said[2:]
    else:
        at = next((at for at, text in enumerate(said) if text in ON and at > 1), None)
        if at is None or "from" in said or said[1].isdigit():
            return None
        thing, where, rest = said[1:at], said[at + 1 : at + 2], said[at + 2 :]
    marker = next((text for text in thing if text in things.on_boards), find_only(things.on_boards))
    if not marker or not where or where[0] in things.zones or not where[0].isidentifier():
        return None
    if marker in things.truths:
        return _write_marker_line(place, f"{marker}[{where[0]}] becomes yes")
    owner = thing[thing.index("of") + 1 :] if "of" in thing else rest[1:] if rest[:1] in (["with"], ["to"]) else []
    becomes = " ".join(owner) if owner and owner[0] != marker else "player"
    return _write_marker_line(place, f"{marker}[{where[0]}] becomes {becomes}")


def _diagnose_taken_from_board(place: StoppingPlace) -> Mistake | None:
    """`remove stone from cell`, `remove cell`, `capture stone on cell`, `flip stone on cell`."""
    said = [word.text for word in place.words if word.text not in ARTICLES]
    things = place.declared.things
    if place.kind != "statement" or place.at > 3 or len(said) < 2 or not things.on_boards:
        return None
    where = next((said[at + 1] for at in range(1, len(said) - 1) if said[at] in FROM), said[1])
    if not where.isidentifier() or {where, said[-1]} & {*things.zones, *things.on_boards} or len(said) > 6:
        return None
    marker = find_only(things.on_boards)
    if said[0] == "flip" and marker and len(said) < 5:
        return _write_marker_line(place, f"{marker}[{where}] becomes player")
    return _write_marker_line(place, f"clear {where}") if said[0] in TAKING and said[:2] != ["clear", where] else None


def _write_marker_line(place: StoppingPlace, line: str) -> Mistake:
    sentence = message("what stands on the places of a board is kept by a marker")
    return place.write_line("unknown-statement", sentence, line)


def _diagnose_on_place(place: StoppingPlace) -> Mistake | None:
    """`stone on cell`, `no stone on cell`, where a marker is kept for the places of a board."""
    skipped = place.text_after() in ARTICLES
    after = place.words[place.at + 1 + skipped : place.at + 2 + skipped]
    if place.text not in ("on", "at", "in", "upon") or place.text_before() not in place.declared.things.on_boards:
        return None
    if not after or after[0].kind != "word":
        return None
    is_none = place.text_before(2) == "no"
    written = f"{place.text_before()}[{after[0].text}]"
    if is_none:
        written = f"not {written}" if place.text_before() in place.declared.things.truths else f"{written} is nothing"
    sentence = message("what stands on a place is asked with square brackets")
    first = place.words[place.at - 1 - is_none]
    found = Mistake("unexpected-word", sentence, first.start, after[0].end, message("write `{it}`", it=written))
    return found.with_replacement(written)


def _diagnose_chosen_place(place: StoppingPlace) -> Mistake | None:
    """`action place(cell in empty Square)`, `(to in Square next to from)`, `(to adjacent to from)`."""
    if place.kind != "declaration" or place.first_word != "action" or "(" not in [one.text for one in place.words[:3]]:
        return None
    texts, things = [word.text for word in place.words], place.declared.things
    marker = find_only(things.on_boards)
    if place.text_before() in FREE and place.text in things.boards and marker:
        first, written = place.at - 1, f"{place.text} where {marker} is nothing"
        last, sentence = place.at, message("which places are meant is said behind them")
    else:
        near = (at for at in (place.at, place.at - 1, place.at + 1) if at < len(texts))
        beside = next((at for at in near if texts[at] in BESIDE), None)
        if beside is None or beside < 4 or not things.boards:
            return None
        last = beside + 1 + (texts[beside + 1 : beside + 2] == ["to"])
        if last >= len(texts) or place.words[last].kind != "word":
            return None
        is_named = texts[beside - 2] == "in"
        first = beside - 1 if is_named else beside
        written = f"neighbours({texts[last]})" if is_named else f"in neighbours({texts[last]})"
        sentence = message("the places beside one are its `neighbours`")
    return place.write_words(first, last, "unexpected-word", sentence, written)


def _diagnose_free_neighbours(place: StoppingPlace) -> Mistake | None:
    """`action step(to in empty neighbours of from)`."""
    texts, marker = [word.text for word in place.words], find_only(place.declared.things.on_boards)
    marker = marker or next((name for name in place.declared.things.on_boards
                             if name not in place.declared.things.truths), "")  # fmt: skip
    at = next((at for at in (place.at, place.at - 1) if 3 < at < len(texts) and texts[at] in FREE), 0)
    if not at or not marker or texts[at + 1 : at + 2] not in (["neighbours"], ["neighbors"]) or at + 3 >= len(texts):
        return None
    if texts[at + 2] not in ("of", "("):
        return None
    last = at + 3 + (texts[at + 2] == "(" and texts[at + 4 : at + 5] == [")"])
    sentence, board = message("which places are meant is said behind them"), find_only(place.declared.things.boards)
    written = f"neighbours({texts[at + 3]}) where {marker} is nothing"
    is_chosen = texts[at + 3] in texts[3 : at - 1] or texts[at + 3] in place.declared.known
    if is_chosen or not board or texts[0] != "action" or texts[at - 1] != "in" or texts[at - 3] != "(":
        return place.write_words(at, last, "unexpected-word", sentence, written)
    origin = f"{texts[at + 3]} in {board} where {marker} = player"
    return place.write_words(at - 2, last, "unexpected-word", sentence, f"{origin}, {texts[at - 2]} in {written}")


def _diagnose_full_board(place: StoppingPlace) -> Mistake | None:
    """`until the board is full`, `if Square is full`, `if no empty square`, `needs cell is free`."""
    board, marker = (find_only(names) for names in (place.declared.things.boards, place.declared.things.on_boards))
    texts = [word.text for word in place.words]
    if not board or not marker:
        return None
    full = next((at for at in range(place.at, min(place.at + 3, len(texts))) if texts[at] == "full"), 0)
    if full > 1 and texts[full - 1] == "is":
        first, last = full - 2 - (texts[full - 3] in ARTICLES), full
    elif place.text in FREE[1:] and place.text_before() == "is" and place.at > 1:
        written = f"{marker}[{place.text_before(2)}] is nothing"
        sentence = message("a place is not empty: nothing stands there")
        return place.write_words(place.at - 2, place.at, "wrong-word", sentence, written)
    elif place.text_before() in FREE and place.text_before(2) == "no":
        first, last = place.at - 2, place.at + (place.text_after() in ("left", "remains"))
    else:
        return None
    written = f"no s in {board} has {marker}[s] is nothing"
    sentence = message("that a board is full is asked of its places")
    return place.write_words(first, min(last, len(texts) - 1), "unexpected-word", sentence, written)


def _diagnose_jump(place: StoppingPlace) -> Mistake | None:
    """`jump over stone`, `needs jump over opponent`: a jump is chosen by its two ends."""
    texts = [word.text for word in place.words]
    at = next((at for at in range(min(place.at + 1, len(texts))) if texts[at] in JUMPING), -1)
    board, marker = (find_only(names) for names in (place.declared.things.boards, place.declared.things.on_boards))
    if at < 0 or texts[at + 1 : at + 2] not in (["over"], ["across"]) or not board or not marker:
        return None
    if place.kind == "statement" and at == 0:
        hint = message(
            "choose where it begins and ends, `action jump(from in {board} where {marker} = player, to in "
            "neighbours(from, 2) where {marker} is nothing)`; below it `move from to to`, and what is jumped over is "
            "taken by `clear all between(from, to)`", board=board, marker=marker,
        )  # fmt: skip
        sentence = message("what lies between two places of a board is `between(from, to)`")
        return place.make_mistake_at_start("unknown-statement", sentence, hint)
    if texts[at - 1] not in CONDITIONS or at + 3 != len(texts):
        return None
    whom = texts[-1] if texts[-1] in ("opponent", "player") else "opponent"
    written = f"some s in between(from, to) has {marker}[s] = {whom}"
    return place.write_words(at, -1, "wrong-word", message("say what lies between the two places"), written)


def _diagnose_moved_piece(place: StoppingPlace) -> Mistake | None:
    """`move pawn from here to there`, `move pawn of player to there`: what stands there goes along."""
    said = [word.text for word in place.words if word.text not in ARTICLES]
    things = place.declared.things
    if place.kind != "statement" or said[:1] != ["move"] or not {*said[1:2]} & {*things.on_boards}:
        return None
    to = len(said) - 1 - said[::-1].index("to") if "to" in said[2:] else 0
    at = next((at for at in range(2, to) if said[at] == "from"), 0)
    origin = said[at + 1 : at + 2] if at and at + 1 < to else ["from"] if at else []
    if not to or (to + 1 >= len(said) and said[to - 1] != "to"):
        return None
    target = said[to + 1] if to + 1 < len(said) else "to"
    if not origin or target in things.zones:
        return None
    return place.write_line(
        "unexpected-word", message("`move` takes along what stands there"), f"move {origin[0]} to {target}"
    )


def _diagnose_piece_at_start(place: StoppingPlace) -> Mistake | None:
    """`pawn of 1 starts at c1`, `pawn of player 2 is on c5`."""
    said = [word.text for word in place.words if word.text not in ARTICLES]
    things = place.declared.things
    at = next((at for at in range(1, len(said) - 2) if said[at] in ("starts", "is", "begins", "stands")), 0)
    if place.kind != "statement" or not at or said[at + 1] not in ON or len(said) != at + 3:
        return None
    marker, owner = said[0], [text for text in said[1:at] if text not in ("of", "player")]
    if marker not in things.on_boards or len(owner) > 1:
        return None
    return _write_marker_line(place, f"{marker}[{said[at + 2]}] becomes {owner[0] if owner else 'player'}")


def _diagnose_chosen_move(place: StoppingPlace) -> Mistake | None:
    """`action step(move pawn to neighbour)`: where it begins and where it ends are chosen."""
    texts, things = [word.text for word in place.words], place.declared.things
    board = find_only(things.boards)
    marker = next((name for name in things.on_boards if name in texts[2:]), "")
    if place.first_word != "action" or texts[2:4] != ["(", "move"] or not board or not marker or place.at < 4:
        return None
    written = f"from in {board} where {marker} = player, to in neighbours(from) where {marker} is nothing"
    last = len(texts) - 1 - (texts[-1] == ")")
    sentence = message("choose where the piece comes from, and where it goes")
    return place.write_words(3, last, "unexpected-word", sentence, written)


def _diagnose_far_row(place: StoppingPlace) -> Mistake | None:
    """`if to is in the last row`, `if pawn reaches the last row`, `if to is on row 5`."""
    texts = [word.text for word in place.words]
    begin = next((at + 1 for at in range(min(place.at, len(texts) - 1), -1, -1) if texts[at] in CONDITIONS), 0)
    said = [text for text in texts[begin:] if text not in (*ARTICLES, *ON, *FROM, "is", "reaches", "of", "board")]
    things = place.declared.things
    if not begin or not things.boards or not 2 <= len(said) <= 3 or not {"row", "column"} & {*said[-2:]}:
        return None
    what = "to" if said[0] in things.on_boards or len(said) == 2 else said[0]
    sentence = message("a place has a `row` and a `column`")
    if said[-1].isdigit() and len(said) == 3:
        return place.write_words(begin, -1, "wrong-word", sentence, f"{said[1]} of {what} = {said[2]}")
    if said[-2:-1] in (["last"], ["far"], ["final"], ["opposite"]):
        return place.write_words(begin, -1, "wrong-word", message("in the last row nothing lies ahead"),
                                 f"ahead({what}) is empty")  # fmt: skip
    return None


def _diagnose_in_a_row(place: StoppingPlace) -> Mistake | None:
    """`if 4 in a row`, `if player has 4 in a row`, `if there is a line of 4`, `if line of 4`."""
    board, marker = (find_only(names) for names in (place.declared.things.boards, place.declared.things.on_boards))
    texts = [word.text for word in place.words]
    for at in range(1, len(texts) - 2):
        said = str(read_number(texts[at]) or "")
        if said and texts[at + 1] == "in" and {*texts[at + 2 : at + 4]} & {*LINES, "line"}:
            last, length = at + 2 + (texts[at + 2] in ARTICLES), said
            break
        if (
            texts[at] in ("line", "row")
            and texts[at + 1] == "of"
            and read_number(texts[at + 2])
            and texts[at - 1] != "some"
        ):
            last, length = at + 2 + (texts[at + 3 : at + 4] in STONES), str(read_number(texts[at + 2]))
            break
    else:
        return None
    first = max(one for one in range(at + 1) if one == 0 or texts[one - 1] in CONDITIONS)
    is_rest = last + 1 < len(texts) and texts[last + 1] not in ("and", "or", "because")
    if not board or not marker or not first or is_rest or at - first > 4:
        return None
    written = f"some line of {length} in {board} has {marker} = player"
    sentence = message("look for a line with `some`")
    return place.write_words(first, last, "unexpected-word", sentence, written)


def _diagnose_line_of_whom(place: StoppingPlace) -> Mistake | None:
    """`some line of 4 in Square is player`."""
    marker = find_only(place.declared.things.on_boards)
    is_line = [word.text for word in place.words[max(place.at - 5, 0) : place.at - 3]] == ["line", "of"]
    if place.text not in ("is", "of", "=") or not marker or not is_line or not place.can_be("has"):
        return None
    written = f"has {marker} ="
    found = place.make_mistake(
        "unexpected-word", message("say what stands on the places"), message("write `{it} …`", it=written)
    )
    return found.with_replacement(written)


OF_BOARDS = (
    _diagnose_what_lies_between, _diagnose_filled_row, _diagnose_rings, _diagnose_hexagons, _diagnose_board_size,
    _diagnose_places_without_line, _diagnose_lines, _diagnose_spoken_board, _diagnose_pieces_of_board,
    _diagnose_one_piece_each, _diagnose_listed_stones, _diagnose_put_on_board,
    _diagnose_taken_from_board, _diagnose_on_place, _diagnose_free_neighbours, _diagnose_chosen_place,
    _diagnose_full_board, _diagnose_in_a_row, _diagnose_jump, _diagnose_moved_piece, _diagnose_far_row,
    _diagnose_piece_at_start, _diagnose_chosen_move,
    _diagnose_line_of_whom,
)  # fmt: skip
