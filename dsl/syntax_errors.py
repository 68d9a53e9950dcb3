"""What is wrong with a line that the grammar does not take, in the author's words. Takes the place, gives a mistake.

The wordings are learnt from real mistakes: each is a function in `KNOWN`, tried in order, and the last one always
has an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from attrs import frozen

from rulesrun.dsl.expected_words import in_words, texts_of
from rulesrun.dsl.keywords import WORDS, words_of
from rulesrun.dsl.lexer import Word
from rulesrun.dsl.wrong_signs import Mistake

PIECES = words_of("""
    rules game variant players rounds values card token tile piece option reading require zone number
    marker memory table define setup phase step action score ranking result always never at after can
    example words change remove set add
""")
STATEMENTS = words_of("""
    shuffle deal draw move roll choose all team if otherwise each repeat turns one do show count record end
    needs
""")
EXAMPLE_LINES = ("players", "set", "given", "next", "when", "then", "todo")

# What people write first, and which words of the language say it.
OTHER_PIECES = {
    "type": "values", "enum": "values", "deck": "zone", "pile": "zone", "hand": "zone", "var": "number` or `marker",
    "variable": "number` or `marker", "function": "define", "def": "define", "winner": "ranking", "invariant": "always",
    "player": "players", "round": "rounds", "scoring": "score", "title": "game", "test": "example",
}  # fmt: skip
OTHER_STATEMENTS = {
    "else": "otherwise", "elif": "otherwise if", "elseif": "otherwise if", "while": "repeat until", "loop": "repeat",
    "for": "each", "foreach": "each", "every": "each", "give": "move", "put": "move", "take": "move", "place": "move",
    "discard": "move", "pick": "choose", "select": "choose", "call": "do", "run": "do", "reveal": "show",
    "throw": "roll", "stop": "end", "require": "needs", "return": "end turn", "let": "becomes", "add": "increases by",
}  # fmt: skip


@frozen
class Place:
    """Where the grammar stopped: at which word (their number: at the end), and what it could have taken there."""

    words: list[Word]
    at: int
    expected: frozenset[str]
    kind: str  # of line: a start symbol of the grammar

    @property
    def word(self) -> Word | None:
        return self.words[self.at] if self.at < len(self.words) else None

    @property
    def text(self) -> str:
        return self.words[self.at].text if self.at < len(self.words) else ""

    @property
    def first(self) -> str:
        return self.words[0].text

    def mistake(self, code: str, message: str, hint: str | None = None) -> Mistake:
        word = self.words[min(self.at, len(self.words) - 1)]
        start = word.start if self.word else word.end
        return Mistake(code, message, start, word.end, hint)

    def at_first_word(self, code: str, message: str, hint: str | None = None) -> Mistake:
        return Mistake(code, message, self.words[0].start, self.words[0].end, hint)


def unexpected(place: Place) -> Mistake:
    for known in KNOWN:
        mistake = known(place)
        if mistake is not None:
            return mistake
    return _cannot_stand_here(place)


# ---- the first word


def _capital(place: Place) -> Mistake | None:
    """`Deal`, `AND`."""
    small = place.text.lower()
    for text, at in ((small, place.at), (place.first.lower(), 0)):
        written = place.words[at].text if at < len(place.words) else ""
        fits = at == 0 or set(WORDS.get(text, ())) & place.expected
        if text != written and text in _known_words(place) and fits:
            word = place.words[at]
            message = f"`{word.text}` is written in small letters"
            return Mistake("wrong-word", message, word.start, word.end, f"write `{text}`")
    return None


def _known_words(place: Place) -> frozenset[str]:
    first = {"declaration": PIECES, "statement": STATEMENTS, "example_line": EXAMPLE_LINES}.get(place.kind, ())
    return frozenset((*first, *texts_of(place.expected)))


def _statement_as_piece(place: Place) -> Mistake | None:
    if place.kind != "declaration" or place.at > 0:
        return None
    changes = len(place.words) > 1 and place.words[1].text in ("becomes", "increases", "decreases", "chooses")
    if place.first in STATEMENTS or changes:
        hint = "indent it below a `setup`, a `phase`, a `step` or an `action`"
        return place.at_first_word("misplaced-statement", "a statement cannot stand at the very left", hint)
    if place.first in EXAMPLE_LINES:
        hint = "indent it below an `example`"
        return place.at_first_word("misplaced-statement", f"`{place.first}` cannot stand at the very left", hint)
    return None


def _unknown_piece(place: Place) -> Mistake | None:
    if place.kind != "declaration" or place.at > 0:
        return None
    hint = _did_you_mean(place.first, PIECES, OTHER_PIECES)
    if hint is None and len(place.words) > 1 and place.words[1].text in ("=", ":"):
        hint = "a line of a piece stands below it, indented; a formula with a name is a `define`"
    return place.at_first_word("unknown-piece", f"no piece of a rulebook starts with `{place.first}`", hint)


def _piece_below(place: Place) -> Mistake | None:
    if place.kind == "declaration" or place.first not in PIECES or place.at > 1:
        return None
    if place.kind == "statement" and place.first in STATEMENTS:
        return None
    if place.kind in ("component_line", "score_line", "words_line", "entries"):
        return None
    hint = "start it at the very left"
    return place.at_first_word("misplaced-piece", f"`{place.first}` begins a piece, which cannot be indented", hint)


def _equals_as_change(place: Place) -> Mistake | None:
    """`passes = 0` as a statement."""
    if place.kind == "statement" and "BECOMES" in place.expected and place.text == "=":
        return place.mistake("wrong-sign", "`=` compares, it changes nothing", "to change something, write `becomes`")
    return None


def _unknown_statement(place: Place) -> Mistake | None:
    targets = place.kind == "statement" and place.at <= 1 and place.first not in STATEMENTS
    if not targets or (place.at == 1 and place.word is not None and place.text in ("of", "[", "=")):
        return None
    hint = _did_you_mean(place.first, STATEMENTS, OTHER_STATEMENTS)
    if hint is None and _near_words(place):
        return None
    if hint is None and place.word is None:
        hint = f"a step is done by `do {place.first}`; an action is chosen: `choose {place.first}`"
    return place.at_first_word("unknown-statement", f"no statement starts with `{place.first}`", hint)


def _unknown_example_line(place: Place) -> Mistake | None:
    if place.kind != "example_line" or place.at > 0:
        return None
    hint = _did_you_mean(place.first, EXAMPLE_LINES, {"expect": "then", "if": "when", "assert": "then"})
    hint = hint or "an example says `given …`, `when …` and `then …`"
    return place.at_first_word("unknown-line", f"no line of an example starts with `{place.first}`", hint)


def _did_you_mean(word: str, known: tuple[str, ...], others: dict[str, str]) -> str | None:
    if word in others:
        return f"write `{others[word]}`"
    near = get_close_matches(word[:40].lower(), known, n=1, cutoff=0.7)
    return f"did you mean `{near[0]}`?" if near else None


# ---- signs


def _colon_at_end(place: Place) -> Mistake | None:
    if place.text == ":" and place.at == len(place.words) - 1 and "$END" in place.expected:
        return place.mistake("wrong-sign", "this line does not end with `:`", "leave the `:` out")
    return None


def _braces(place: Place) -> Mistake | None:
    if place.text != "{" or "LBRACE" in place.expected:
        return None
    hint = "what belongs together is indented, without `{` and `}`"
    return place.mistake("wrong-sign", "`{` cannot stand here, it begins a set", hint)


def _missing_colon(place: Place) -> Mistake | None:
    if "COLON" not in place.expected or "COMPARISON" in place.expected or place.text in (",", ")", "]"):
        return None
    before = f" before `{place.text}`" if place.word else " at the end of this line"
    hint = f"after `{place.words[place.at - 1].text}`, write `:`"
    return place.mistake("missing-colon", f"a `:` is missing{before}", hint)


def _brackets_around_where(place: Place) -> Mistake | None:
    """`count of hand where colour = red >= 5`: the condition swallowed what follows."""
    if not _is_second_comparison(place):
        return None
    depth = 0
    for at in range(place.at - 1, -1, -1):
        text = place.words[at].text
        depth += (text in (")", "]", "}")) - (text in ("(", "[", "{"))
        if depth < 0:
            break
        if text in ("where", "has") and depth == 0:
            message = f"`{text}` reaches to the end of the line, past `{place.text}`"
            hint = f"put brackets around the part that ends before `{place.text}`: `(… {text} …) {place.text} …`"
            return place.mistake("missing-brackets", message, hint)
    return place.mistake("chained-comparison", "two comparisons stand in a row", "join two comparisons with `and`")


def _is_second_comparison(place: Place) -> bool:
    is_comparison = place.text in ("=", "<", "<=", ">", ">=", "is", "in")
    return is_comparison and "AND" in place.expected and "COMPARISON" not in place.expected


def _brackets_before_over(place: Place) -> Mistake | None:
    """`sum of 2 * rank over hand`."""
    if place.text != "over" or "PLUS" not in place.expected:
        return None
    hint = "put brackets around what stands between `of` and `over`"
    return place.mistake("missing-brackets", "`over` must stand right behind one value or a bracket", hint)


def _is_without_not(place: Place) -> Mistake | None:
    """`phase is last_turns`."""
    if place.word and place.at > 0 and place.words[place.at - 1].text == "is" and "EMPTY" in place.expected:
        word = place.words[place.at - 1]
        hint = "write `=`; after `is` can only stand `not`, `nothing` or `empty`"
        return Mistake("wrong-word", "`is` does not compare", word.start, word.end, hint)
    return None


def _if_inside(place: Place) -> Mistake | None:
    """`1 + if a then 2 else 3`."""
    is_open = place.text in ("if", "not", "some", "every", "no") and "LPAR" in place.expected
    if is_open and "IF" not in place.expected:
        message = f"`{place.text}` cannot stand inside a sum or a comparison"
        return place.mistake("missing-brackets", message, f"put brackets around all that belongs to `{place.text}`")
    return None


def _missing_comma(place: Place) -> Mistake | None:
    starts_another = place.word is not None and place.word.kind in ("word", "number", "string")
    if starts_another and "COMMA" in place.expected and not _near_words(place):
        return place.mistake("missing-comma", f"a `,` is missing before `{place.text}`", None)
    return None


def _near_words(place: Place) -> list[str]:
    """Words the grammar would take here that look like what stands here: `players`, `fron`."""
    if place.word is None or place.word.kind != "word":
        return []
    return get_close_matches(place.text[:40].lower(), texts_of(place.expected), n=1, cutoff=0.7)


def _cannot_stand_here(place: Place) -> Mistake:
    possible = in_words(place.expected)
    if place.word is None:
        message = f"the line ends too early: {possible} is missing" if possible else "the line ends too early"
        return place.mistake("unfinished-line", message)
    shown = place.text if len(place.text) <= 40 else place.text[:40] + "…"
    shown = shown if place.word.kind == "string" else f"`{shown}`"
    near = _near_words(place)
    hint = f"did you mean `{near[0]}`?" if near else None
    if possible == "the end of the line":
        return place.mistake("unexpected-word", f"the line could end before {shown}", hint)
    message = f"here can stand {possible}, not {shown}" if possible else f"{shown} cannot stand here"
    return place.mistake("unexpected-word", message, hint)


KNOWN: tuple[Callable[[Place], Mistake | None], ...] = (
    _capital,
    _statement_as_piece,
    _unknown_piece,
    _unknown_example_line,
    _piece_below,
    _equals_as_change,
    _unknown_statement,
    _colon_at_end,
    _braces,
    _brackets_around_where,
    _brackets_before_over,
    _is_without_not,
    _if_inside,
    _missing_colon,
    _missing_comma,
)
