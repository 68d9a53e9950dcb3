"""Slips in the first word of a line: another word, or a line in another place. Takes places, gives mistakes."""

from __future__ import annotations

import re
from difflib import get_close_matches

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.expected_words import texts_of_terminals
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.text.keywords import GOES_ON_BEFORE, STATEMENTS, WORDS, split_words
from rulesrun.dsl.text.lookalikes import LOOKS_LIKE, suggest_latin_word
from rulesrun.dsl.text.messages import Message, message

PIECES = split_words("""
    rules game variant players rounds values card token tile piece board option reading require zone number
    marker memory table define setup phase step action score ranking result figure always never at after can
    example small persona words look change remove set add
""")
EXAMPLE_LINES = ("players", "set", "given", "next", "when", "then", "todo")
BEGINNINGS = {
    "piece": message(
        "start with a word such as `zone`, `number`, `setup`, `phase`, `action` or `score`; put `#` before a comment"
    ),
    "statement": message(
        "start with a word such as `shuffle`, `deal`, `move`, `choose`, `if` or `each`, or with what changes: `… "
        "becomes …`"
    ),
}
# What people write first, and which words of the language say it.
OTHER_PIECES = {
    "grid": "board", "map": "board", "graph": "board",
    "type": "values", "enum": "values", "deck": "zone", "pile": "zone", "hand": "zone", "var": "number` or `marker",
    "variable": "number` or `marker", "function": "define", "def": "define", "winner": "ranking", "invariant": "always",
    "must": "always", "stat": "figure", "statistic": "figure", "statistics": "figure", "measure": "figure",
    "metric": "figure", "track": "figure", "report": "figure",
    "player": "players", "round": "rounds", "scoring": "score", "title": "game", "test": "example",
    "line": "add line` or `change line", "row": "add row` or `change row",
    "extends": 'variant "…" of "….rules"', "inherits": 'variant "…" of "….rules"', "import": 'variant "…" of "….rules"',
}  # fmt: skip
OTHER_STATEMENTS = {
    "else": "otherwise", "elif": "otherwise if", "elseif": "otherwise if", "while": "repeat until", "loop": "repeat",
    "when": "if", "whenever": "if",
    "for": "each", "foreach": "each", "every": "each", "give": "move", "put": "move", "take": "move", "place": "move",
    "discard": "move", "pick": "choose", "select": "choose", "call": "do", "run": "do", "reveal": "show",
    "flip": "roll", "unless": "if not (…)", "create": "move all … to …",
    "throw": "roll", "reroll": "roll", "apply": "do", "resolve": "do", "perform": "do", "trigger": "do",
    "requires": "needs", "must": "needs", "stop": "end",
    "play": "move", "lay": "move", "gain": "… increases by …",
    "capture": "clear", "erase": "clear",
    "lose": "… decreases by …", "reset": "… becomes …", "pause": "end turn", "skip": "end turn", "mix": "shuffle",
    "send": "move", "use": "… decreases by …", "pay": "… decreases by …",
    "exit": "end game", "break": "end phase", "require": "needs", "return": "end turn",
    "set": "… becomes …", "change": "… becomes …",
    "increase": "… increases by …", "decrease": "… decreases by …", "add": "… increases by …",
}  # fmt: skip


def _diagnose_capital(place: StoppingPlace) -> Mistake | None:
    """`Deal`, `AND`."""
    small = place.text.lower()
    for text, at in ((small, place.at), (place.first_word.lower(), 0)):
        written = place.words[at].text if at < len(place.words) else ""
        fits = at == 0 or set(WORDS.get(text, ())) & place.expected
        if text != written and text in _known_words(place) and fits:
            word = place.words[at]
            sentence = message("`{word}` is written in small letters", word=word.text)
            return Mistake(
                "wrong-word", sentence, word.start, word.end, message("write `{text}`", text=text)
            ).with_replacement(text)
    return None


def _known_words(place: StoppingPlace) -> frozenset[str]:
    first = {"declaration": PIECES, "statement": STATEMENTS, "example_line": EXAMPLE_LINES}.get(place.kind, ())
    return frozenset((*first, *texts_of_terminals(place.expected)))


def _diagnose_bullet(place: StoppingPlace) -> Mistake | None:
    """`- draw 1 from stock to hand`."""
    if place.at > 0 or place.text not in ("-", "*") or len(place.words) < 2:
        return None
    found = place.make_mistake_at_start(
        "wrong-sign", message("no line begins with `{place}`", place=place.text), message("remove it")
    )
    bullets = next(at for at, word in enumerate([*place.words, None]) if word is None or word.text not in ("-", "*"))
    return found.with_edits(place.leave_out(0, bullets - 1))


def _diagnose_statement_as_piece(place: StoppingPlace) -> Mistake | None:
    if place.kind != "declaration" or place.at > 0:
        return None
    changes = len(place.words) > 1 and place.words[1].text in ("becomes", "increases", "decreases", "chooses")
    if place.first_word in STATEMENTS or changes:
        hint = message("indent it below a `setup`, a `phase`, a `step` or an `action`")
        found = place.make_mistake_at_start(
            "misplaced-statement", message("a statement cannot start at the left margin"), hint
        )
        whole = _write_piece_above(place)
        if whole is not None:
            return found.with_edits(Edit(place.margin, place.words[0].start, whole))
        return found.with_edits(*place.move_below("setup", "phase", "step", "action"))
    if place.first_word in EXAMPLE_LINES:
        hint = message("indent it below an `example`")
        return place.make_mistake_at_start(
            "misplaced-statement",
            message("`{first_word}` cannot start at the left margin", first_word=place.first_word),
            hint,
        ).with_edits(*place.move_below("example"))
    return None


TURNS_SAID = (
    ["turn", "of"], ["on", "your"], ["on", "their"], ["your", "turn"], ["each", "turn"], ["players", "alternate"],
    ["players", "take"],
)  # fmt: skip


def _diagnose_spoken_turns(place: StoppingPlace) -> Mistake | None:
    """`turn of player`, `on your turn`, `play until stock is empty`, `the game ends when …`, `player can lay(card)`."""
    texts = [word.text for word in place.words]
    said = [text for text in texts if text not in ("the", ":", "a")]
    if place.kind != "declaration" or place.at > 2 or len(said) < 2:
        return None
    if said[0] == "game" and {*said[1:3]} & {"ends", "over", "finishes"} and texts[0] != '"':
        hint = message("say when it ends where its turns are: `phase play: turns from starter until …`")
        return place.make_mistake_at_start("unknown-piece", message("how a game ends is not a piece"), hint)
    if said[0] == "player" and said[1] in ("can", "may") and "(" in texts:
        first = place.words[texts.index("(") - 1]
        rest = " ".join(texts[texts.index("(") - 1 :]).replace(" (", "(").replace("( ", "(").replace(" )", ")")
        hint = message("write `{line}`", line=f"action {rest}")
        found = place.make_mistake_at_start("unknown-piece", message("what a player can do is an `action`"), hint)
        return found.with_edits(Edit(place.words[0].start, first.start, "action "))
    is_turn = said[:2] in TURNS_SAID
    is_play = said[0] in ("play", "turns", "turn", "repeat") and "until" in said[1:3]
    if not (is_turn and len(said) < 4) and not is_play:
        return None
    until = " until " + " ".join(texts[texts.index("until") + 1 :]) if is_play else ""
    line = "phase play: turns from starter" + until
    sentence, hint = message("turns are taken in a `phase`"), message("write `{line}`", line=line)
    found = place.make_mistake_at_start("unknown-piece", sentence, hint)
    end = place.words[texts.index("until") - 1].end if is_play else place.words[-1].end
    return found.with_edits(Edit(place.words[0].start, end, "phase play: turns from starter"))


def _diagnose_spoken_need(place: StoppingPlace) -> Mistake | None:
    """`only if rank of given < 3`, `must be lower than the top card`, `allowed if heap is empty`."""
    said = [word.text for word in place.words[:3]]
    if place.kind != "statement" or place.at > 2 or len(said) < 3:
        return None
    if said[:2] in (["only", "if"], ["only", "when"], ["allowed", "if"], ["legal", "if"], ["if", "allowed"]):
        found = place.make_mistake_at_start(
            "unknown-statement", message("when an action is allowed is said by `needs`"), message("write `needs …`")
        )
        return found.with_edits(Edit(place.words[0].start, place.words[1].end, "needs"))
    if said[:2] in (["must", "be"], ["has", "to"], ["should", "be"]):
        hint = message("write `needs`, and what is compared with what: `needs rank of card < rank of top of heap`")
        return place.make_mistake_at_start("unknown-statement", message("say what is compared"), hint)
    return None


def _diagnose_repeated_freely(place: StoppingPlace) -> Mistake | None:
    """`repeat`, `repeat as often as you like`, `repeat until player stops`."""
    said = [word.text for word in place.words]
    if place.kind != "statement" or said[0] != "repeat" or "times" in said:
        return None
    is_free = len(said) == 1 or said[1] in ("as", "while", "any") or said[-1] in ("stops", "passes", "wants", "ends")
    if not is_free or (len(said) > 1 and said[1] == "while"):
        return None
    action = next((name for name in place.declared.things.actions if said[-1] in (name + "s", name + "es")), None)
    hint = message(
        "write `repeat until …` with a condition, or `repeat 3 times`; an action ends it before with `end turn`"
    ) if action is None else suggest_marker_of_action(action)  # fmt: skip
    return place.make_mistake("unfinished-line", message("say how often, or until when"), hint)


def suggest_marker_of_action(action: str) -> Message:
    """How a condition asks whether an action was chosen: `repeat until stop`."""
    return message(
        "`{name}` is an action; keep in a marker that it was done: `marker is_done: yes or no = no, each turn`, "
        "below the action `is_done becomes yes`, and here `is_done`", name=action,
    )  # fmt: skip


def _write_piece_above(place: StoppingPlace) -> str | None:
    """What such a line stands below, where no piece stands above it that could have it."""
    if place.above in ("setup", "phase", "step", "action"):
        return None
    if place.first_word in ("turns", "one", "repeat"):
        return "phase play: "
    if place.first_word == "choose":
        return "phase play: turns from starter\n  "
    return "setup\n  " if place.first_word in ("shuffle", "deal") else None


def _diagnose_said_values(place: StoppingPlace) -> Mistake | None:
    """`colours: red, blue, green`, `suits red, blue`, `passes = 0`, `each player has 3 lives`, `number of x: 0..9`."""
    texts = [word.text for word in place.words]
    if place.kind != "declaration" or place.at > 3 or len(texts) < 3:
        return None
    listed = texts[2:] if texts[1] in (":", "=") else texts[1:]
    names = listed[::2]
    is_list = len(names) > 1 and {*listed[1::2]} == {","} and len(listed) % 2 and all(map(str.isidentifier, names))
    line, is_free = "", texts[0] not in (*PIECES, "cards", "winner", "dice", "points")
    if is_list and place.at < 2 and is_free:
        name = texts[0].removesuffix("s") or texts[0]
        line = f"values {name.capitalize()}: {', '.join(names)}"
    elif texts[1] in ("=", ":") and texts[2].isdigit() and len(texts) == 3 and place.at < 2 and is_free:
        line = f"number {texts[0]}: 0..20 = {texts[2]}"
    elif texts[1:3] == ["player", "has"] and texts[0] in ("each", "every") and len(texts) == 5 and texts[3].isdigit():
        line = f"number {texts[4]} of player: 0..{texts[3]} = {texts[3]}"
    elif texts[:2] in (["number", "of"], ["marker", "of"]) and texts[3:4] == [":"] and texts[2] != "players":
        found = place.make_mistake("unexpected-word", message("a name stands here"), message("remove `of`"))
        return found.with_edits(place.leave_out(1, 1))
    if not line:
        return None
    sentence = message("the first word of a piece says what it is")
    return place.write_line("unknown-piece", sentence, line)


def _diagnose_unknown_piece(place: StoppingPlace) -> Mistake | None:
    if place.kind != "declaration" or place.at > (place.first_word == "change"):
        return None
    if place.first_word == "add":
        ways = message(
            "a variant adds to a table with `add row` and to a score sheet with `add line`; write any other piece as "
            "it is"
        )
        return place.make_mistake("unknown-piece", message("this cannot be added"), ways)
    if place.text_after() == ":" and [word.text for word in place.words[2:3]] in (["turns"], ["one"], ["repeat"]):
        found = place.make_mistake("unknown-piece", message("turns are taken in a `phase`"),
                                   message("write `phase {name}`", name=place.text))  # fmt: skip
        return found.with_edits(place.insert_before("phase"))
    is_named = place.text_after() == ":" and place.text not in (*PIECES, *OTHER_PIECES)
    hint = None if is_named else _suggest_word(place.text, PIECES, OTHER_PIECES)
    if hint is None and place.text_after() in ("=", ":"):
        hint = message("indent a line below the piece it belongs to; write a named formula with `define`")
    if place.first_word in GOES_ON_BEFORE:
        hint = message("indent a line that continues with this word deeper than the line it belongs to")
    if place.word is None:
        return None
    hint = hint or _suggest_beginnings("piece", place.text)
    found = place.make_mistake(
        "unknown-piece", message("no piece of a rulebook starts with `{place}`", place=place.text), hint
    )
    return _with_nearest(found, place.text, PIECES, OTHER_PIECES)


def _diagnose_piece_below(place: StoppingPlace) -> Mistake | None:
    if place.kind == "declaration" or place.first_word not in PIECES or place.at > 1:
        return None
    if place.kind == "statement" and place.first_word in (*STATEMENTS, "set", "add", "change"):
        return None
    if place.kind in ("component_line", "score_line", "words_line", "entries"):
        return None
    if place.kind == "statement" and place.at == 1 and place.text == "=":
        return None
    hint = message("start it at the left margin")
    return place.make_mistake_at_start(
        "misplaced-piece",
        message("`{first_word}` begins a piece, so it cannot be indented", first_word=place.first_word),
        hint,
    ).with_edits(Edit(place.margin, place.words[0].start, ""))


def _diagnose_unknown_statement(place: StoppingPlace) -> Mistake | None:
    targets = place.kind == "statement" and place.at <= 1 and place.first_word not in STATEMENTS
    if not targets or (place.at == 1 and place.word is not None and place.text in ("of", "[", "=")):
        return None
    hint = _suggest_word(place.first_word, STATEMENTS, OTHER_STATEMENTS)
    if place.first_word in place.declared.things.variables and place.first_word not in OTHER_STATEMENTS:
        hint = message("say what becomes of it: `{name} becomes …`", name=place.first_word)
    if hint is None and place.similar_words():
        return None
    if hint is None and place.word is None:
        hint = message(
            "do a step with `do {first_word}`; offer an action with `choose {first_word}`",
            first_word=place.first_word,
        )
    if place.word is None and hint == "write `move`":
        hint = message(
            "offer an action with `choose {first_word}`; move a component with `move … to "
            "…`", first_word=place.first_word
        )
    hint = hint or _suggest_beginnings("statement", place.first_word)
    found = place.make_mistake_at_start(
        "unknown-statement", message("no statement starts with `{first_word}`", first_word=place.first_word), hint
    )
    return _with_nearest(found, place.first_word, STATEMENTS, OTHER_STATEMENTS)


def _diagnose_step_without_do(place: StoppingPlace) -> Mistake | None:
    """`lose(player, 1)`, `lose`, where there is such a step."""
    is_bare = place.kind == "statement" and place.at == 1 and (place.word is None or place.text == "(")
    if not is_bare or place.first_word not in place.declared.steps:
        return None
    rest = " ".join(word.text for word in place.words[1:])
    for sign in ("(", ")", ","):
        rest = rest.replace(" " + sign, sign)
    said = place.first_word + rest.replace("( ", "(")
    found = place.make_mistake_at_start(
        "unknown-statement", message("no statement starts with `{first_word}`", first_word=place.first_word),
        message("`{first_word}` is a step: write `do {said}`", first_word=place.first_word, said=said),
    )
    start = place.words[0].start
    return found.with_edits(Edit(start, start, "do "))


def _suggest_beginnings(what: str, word: str) -> str:
    """Where nothing is near: words that could begin such a line."""
    begins = BEGINNINGS[what]
    return (
        begins
        if word.isascii()
        else message("the words of the language are English, but names can use any script: {begins}", begins=begins)
    )


def _diagnose_swap(place: StoppingPlace) -> Mistake | None:
    """`swap hand of 1 and hand of 2`, `exchange a with b`."""
    if place.kind != "statement" or place.first_word not in ("swap", "exchange", "switch"):
        return None
    said = " ".join(word.text for word in place.words[1:])
    one, _, other = (part.strip() for part in re.sub(r" (?:with|for) ", " and ", said).partition(" and "))
    one, other = (one, other) if other else ("a", "b")
    hint = message(
        "write three lines with a third place: `move all {what} to aside`, `move all {other} to {what}`, `move all "
        "aside to {other}`; for numbers: `kept becomes {what}`, `{what} becomes {other}`, `{other} becomes kept`",
        what=one,
        other=other,
    )
    return place.make_mistake_at_start("unknown-statement", message("no statement changes two things"), hint)


def _diagnose_named_value(place: StoppingPlace) -> Mistake | None:
    """`var x = passes + 1`; `x = passes + 1`."""
    if place.kind != "statement":
        return None
    if place.first_word == "let" and place.at == 2 and place.text in ("be", "is", "becomes", ":", "as"):
        sentence, hint = message("a name must come before `=`"), message("write `let … = …`")
        return place.make_mistake("wrong-sign", sentence, hint).with_replacement("=")
    if place.first_word not in ("var", "const", "local", "define", "name"):
        return None
    if len(place.words) < 4 or not place.words[1].text.isidentifier() or place.words[2].text != "=":
        return None
    first, name = place.words[0], place.words[1].text
    hint = message("write `let {name} = …` to name it for the lines below", name=name)
    found = place.make_mistake_at_start("unknown-statement", message("no statement begins so"), hint)
    return found.with_edits(Edit(first.start, first.end, "let"))


def _diagnose_each_of_whom(place: StoppingPlace) -> Mistake | None:
    """`each opponent`, `each card`, `each players`."""
    if place.kind != "statement" or place.first_word != "each" or place.expected != {"IN"} or place.word is not None:
        return None
    name = place.text_before()
    if name in ("players", "everyone", "everybody"):
        sentence = message("for every player there is a word of its own")
        found = place.make_mistake("unfinished-line", sentence, message("write `each player`"))
        return found.with_edits(Edit(place.words[1].start, place.words[-1].end, "player"))
    if name in ("opponent", "opponents", "other", "others"):
        hint = message("write `each o in opponents`, and below `… of o`")
        found = place.make_mistake("unfinished-line", message("say where to look for them"), hint)
        return found.with_edits(Edit(place.words[1].start, place.words[-1].end, "o in opponents"))
    hint = message("write `each {name} in …`, with the zone or the values", name=name)
    return place.make_mistake("unfinished-line", message("say where to look for them"), hint)


def _diagnose_spoken_end(place: StoppingPlace) -> Mistake | None:
    """`game ends`, `the game is over`, `next player`."""
    said = [word.text for word in place.words if word.text != "the"]
    if place.kind != "statement" or place.at > 2 or len(said) < 2:
        return None
    if said[0] == "game" and said[-1] in ("wins", "loses"):
        return place.write_line("unknown-statement", message("the game is not ended like this"), " ".join(said[-2:]))
    if {"next", "a", "one"} & {*said} and said[-1] == "turn" and {"skip", "skips", "miss", "misses", "rests"} & {*said}:
        hint = message(
            "keep in a marker that somebody waits: `marker rests of player: yes or no = no`; where the turn begins `if "
            "rests`, and below it `rests becomes no` and `end turn`"
        )
        if "next" in said or "player" in said:
            sentence = message("a turn that is missed is remembered")
            return place.make_mistake_at_start("unknown-statement", sentence, hint)
    if said[0] == "game" and said[1] in ("ends", "is", "over"):
        return place.write_line("unknown-statement", message("the game is not ended like this"), "end game")
    if said[0] in ("round", "turn", "phase") and said[1] in ("ends", "is", "over"):
        line = f"end {said[0]}"
        return place.write_line("unknown-statement", message("it is not ended like this"), line)
    is_skipped = said[0] in ("skip", "lose", "miss", "finish", "stop") and said[1:] in (["turn"], ["a", "turn"])
    if is_skipped or said == ["turn", "over"]:
        return place.write_line("unknown-statement", message("it is not ended like this"), "end turn")
    is_passed_on = said[0] in ("play", "turn") and said[1] in ("passes", "goes", "moves") and "to" in said
    if is_passed_on or (said[0] == "next" and said[1] in ("player", "turn")):
        hint = message("`end turn` ends a turn; the phase decides who is next: `turns from …`")
        found = place.make_mistake_at_start("unknown-statement", message(
            "this is not the place to say whose turn it is"
        ), hint)
        return found.with_edits(Edit(place.words[0].start, place.words[-1].end, "end turn"))
    return None


def _diagnose_unknown_example_line(place: StoppingPlace) -> Mistake | None:
    if place.kind != "example_line" or place.at > 0:
        return None
    others = {"expect": "then", "if": "when", "assert": "then"}
    hint = _suggest_word(place.first_word, EXAMPLE_LINES, others)
    hint = hint or message("`given` says how the table looks, `when` what is done, `then` what must be true")
    sentence = message("no line of an example starts with `{first_word}`", first_word=place.first_word)
    found = place.make_mistake_at_start("unknown-line", sentence, hint)
    return _with_nearest(found, place.first_word, EXAMPLE_LINES, others)


def _diagnose_game_state(place: StoppingPlace) -> Mistake | None:
    """`then game is over`, `then the game is not over`, `then the game has ended`."""
    said = [word.text for word in place.words]
    about = said[1:] if said[:2] != ["then", "the"] else said[2:]
    if place.kind != "example_line" or said[0] != "then" or about[:1] != ["game"] or len(about) < 2:
        return None
    if about[1] not in ("is", "has", "ends", "goes", "ended", "continues", "over"):
        return None
    is_over = not {"not", "goes", "continues", "on"} & {*about}
    word = place.words[len(said) - len(about)]
    line = f"then the game {'is over' if is_over else 'goes on'}"
    sentence = message("write it in exactly these words to say whether the game is over")
    found = Mistake("wrong-word", sentence, word.start, word.end, message("write `{line}`", line=line))
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, line))


def _suggest_word(word: str, known: tuple[str, ...], others: dict[str, str]) -> str | None:
    if word in others:
        return message("write `{others}`", others=others[word])
    near = get_close_matches(word[:40].lower(), known, n=1, cutoff=0.7)
    return suggest_latin_word(word, known) or (message("did you mean `{near}`?", near=near[0]) if near else None)


def _with_nearest(found: Mistake, word: str, known: tuple[str, ...], others: dict[str, str]) -> Mistake:
    """The word that `_suggest_word` suggests, written in its place, where it is one."""
    near = others.get(word) or word.translate(LOOKS_LIKE)
    if near not in known:
        close = get_close_matches(word[:40].lower(), known, n=1, cutoff=0.7) if word not in others else []
        near = close[0] if close else ""
    is_said = near and near != word and found.hint is not None and f"`{near}`" in found.hint
    return found.with_replacement(near) if is_said else found


AT_FIRST = (
    _diagnose_spoken_turns,
    _diagnose_said_values,
    _diagnose_spoken_need,
    _diagnose_repeated_freely,
    _diagnose_game_state,
    _diagnose_bullet,
    _diagnose_capital,
    _diagnose_statement_as_piece,
    _diagnose_unknown_piece,
    _diagnose_unknown_example_line,
    _diagnose_swap,
    _diagnose_named_value,
    _diagnose_each_of_whom,
    _diagnose_spoken_end,
    _diagnose_piece_below,
    _diagnose_step_without_do,
    _diagnose_unknown_statement,
)
