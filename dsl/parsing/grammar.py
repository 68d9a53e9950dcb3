"""The grammar as a parser. Takes the package's own grammar text, gives a Lark parser for the words of a line.

The parser's tables are stored beside the grammar as JSON, because computing them takes longer than everything
else a check does; when they do not belong to this grammar they are computed again.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, cast

import lark
from attrs import define, field
from lark.lexer import Lexer, LexerState
from lark.parsers.lalr_analysis import Shift

from rulesrun.dsl.text.keywords import CHANGES, PHRASES_BY_FIRST_WORD, RESERVED, SIGNS, WORDS
from rulesrun.dsl.text.lexer import Word

STARTS = [
    "declaration",
    "component_line",
    "board_line",
    "entries",
    "score_line",
    "sentence",
    "persona_line",
    "words_line",
    "statement",
    "example_line",
]

# Which kind of line stands below a piece, by the word that the piece begins with.
KIND_BELOW = {
    "card": "component_line", "token": "component_line", "tile": "component_line", "piece": "component_line",
    "board": "board_line",
    "option": "sentence", "reading": "sentence", "table": "entries", "setup": "statement", "phase": "statement",
    "step": "statement", "action": "statement", "score": "score_line", "example": "example_line",
    "small": "declaration", "persona": "persona_line", "words": "words_line",
    "look": "words_line",
}  # fmt: skip


States = Mapping[int, Mapping[str, tuple[Any, Any]]]


@define(eq=False)
class ParsedLine:
    """The words of a line, and how far the parser came: the word it looks at, its stack before that word."""

    words: list[Word]
    at: int = 0
    stack: list[int] = field(factory=list)
    states: States = field(factory=dict)

    def expected_terminals(self) -> frozenset[str]:
        """What could stand where the parser stopped."""
        accepted = AcceptedTerminals(self.states, self.stack)
        possible = self.states[self.stack[-1]]
        return frozenset(terminal for terminal in possible if terminal.isupper() and terminal in accepted)


class ContextLexer(Lexer):
    """Gives each word the terminal that the parser accepts where it stands: a keyword here is a name there."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[lark.Token]:
        line = cast(ParsedLine, lexer_state.text)
        stack: list[int] = parser_state.state_stack
        line.states = parser_state.parse_conf.states
        accepted = AcceptedTerminals(line.states, stack)
        while line.at < len(line.words):
            terminal, count = find_terminal(line.words, line.at, accepted)
            line.stack = list(stack)
            yield make_token(terminal, line.words[line.at : line.at + count])
            line.at += count
        line.stack = list(stack)


class AcceptedTerminals:
    """The terminals that the parser can take next.

    A row of the parser's table is not enough: it also lists what could follow elsewhere, so the reductions are
    tried on a copy of the stack.
    """

    def __init__(self, states: States, stack: list[int]) -> None:
        self.states = states
        self.stack = stack

    def __contains__(self, terminal: object) -> bool:
        if terminal not in self.states[self.stack[-1]]:
            return False
        stack = list(self.stack)
        while (found := self.states[stack[-1]].get(str(terminal))) is not None:
            action, argument = found
            if action is Shift:
                return True
            if argument.expansion:
                del stack[-len(argument.expansion) :]
            stack.append(self.states[stack[-1]][argument.origin.name][1])
            if terminal == "$END" and not self.states[stack[-1]]:
                return True
        return False


def find_terminal(words: list[Word], at: int, accepted: Container[str]) -> tuple[str, int]:
    """The terminal for the word at this place, and how many words it takes."""
    word = words[at]
    match word.kind:
        case "word":
            return _find_phrase(words, at, accepted) or (_find_keyword_or_name(words, at, accepted), 1)
        case "sign":
            return _find_phrase(words, at, accepted) or (SIGNS[word.text][0], 1)
        case "number":
            return "INT", 1
        case _:
            return "STRING", 1


def _find_phrase(words: list[Word], at: int, accepted: Container[str]) -> tuple[str, int] | None:
    for phrase, terminals in PHRASES_BY_FIRST_WORD.get(words[at].text, ()):
        if tuple(word.text for word in words[at : at + len(phrase)]) == phrase and _is_followed(words, at, phrase):
            for terminal in terminals:
                if terminal in accepted:
                    return terminal, len(phrase)
    return None


def _is_followed(words: list[Word], at: int, phrase: tuple[str, ...]) -> bool:
    """After `is not a` comes a name: in `letter is not a and …` the letter is called so."""
    if phrase[1] != "not" or phrase[-1] not in {"a", "an"}:
        return True
    following = words[at + len(phrase) :][:1]
    return bool(following) and following[0].kind == "word" and following[0].text not in RESERVED


def _find_keyword_or_name(words: list[Word], at: int, accepted: Container[str]) -> str:
    candidates = WORDS.get(words[at].text, ())
    if at == 0 and "NAME" in accepted and _is_change_of_first_word(words):
        return "NAME"
    for terminal in candidates:
        if terminal in accepted:
            return terminal
    if not candidates or ("NAME" in accepted and not (words[at].text in RESERVED and "INT" in accepted)):
        return "NAME"
    return candidates[0]


def _is_change_of_first_word(words: list[Word]) -> bool:
    """`show becomes 1`, `turns[2] of p increases by 1`: the line is about a thing that is called like a statement."""
    texts = [word.text for word in words]
    if texts == ["nobody", "loses"]:
        return True  # it is no statement, as `nobody wins` is
    return texts[0] not in ("team", *RESERVED) and not CHANGES.isdisjoint(texts) and "else" not in texts


def make_token(terminal: str, words: list[Word]) -> lark.Token:
    first, last = words[0], words[-1]
    text = first.text if len(words) == 1 else " ".join(word.text for word in words)
    return lark.Token(terminal, text, first.start, 1, 1, 1, 1, last.end)


# ---- the parser, from its stored tables or from the grammar


@cache
def load_parser() -> lark.Lark:
    folder = files("rulesrun.grammar")
    grammar = folder.joinpath("rules.lark").read_text(encoding="utf-8")
    stored = folder.joinpath("tables.json")
    if stored.is_file():
        tables = json.loads(stored.read_text(encoding="utf-8"))
        if tables["for"] == compute_fingerprint(grammar):
            return _restore_parser(tables)
    return _build_parser(grammar)


def list_first_terminals() -> dict[str, frozenset[str]]:
    """For each kind of line what it can begin with."""
    table: Any = load_parser().parser.parser
    rows, starts = table._parse_table.states, table._parse_table.start_states
    return {kind: frozenset(name for name in rows[starts[kind]] if name.isupper()) for kind in STARTS}


def compute_fingerprint(grammar: str) -> str:
    return sha256(f"{lark.__version__}\n{STARTS}\n{grammar}".encode()).hexdigest()


def serialize_tables() -> str:
    """What must stand in `tables.json` beside the grammar."""
    grammar = files("rulesrun.grammar").joinpath("rules.lark").read_text(encoding="utf-8")
    data, memo = _build_parser(grammar).memo_serialize([lark.lexer.TerminalDef, lark.grammar.Rule])
    del data["options"]["lexer"], data["parser"]["lexer_conf"]["lexer_type"]
    data["parser"]["parser"] = pack_table(numbered(data["parser"]["parser"]))
    return json.dumps({"for": compute_fingerprint(grammar), "data": data, "memo": memo}, separators=(",", ":")) + "\n"


def numbered(table: dict[str, Any]) -> dict[str, Any]:
    """The same table, whatever the order of Lark's sets: terminals by their names, states as one comes to them."""
    names = sorted(table["tokens"].values())
    tokens = {number: names.index(name) for number, name in table["tokens"].items()}
    rows = {
        state: sorted((tokens[token], action) for token, action in actions.items())
        for state, actions in table["states"].items()
    }
    states: dict[int, int] = {}
    waiting = [state for _, state in sorted(table["start_states"].items(), reverse=True)]
    while waiting:
        state = waiting.pop()
        if state not in states:
            states[state] = len(states)
            waiting += [target for _, (is_reduction, target) in reversed(rows[state]) if not is_reduction]
    return {
        **table,
        "tokens": dict(enumerate(names)),
        "states": {
            number: {token: (kind, target if kind else states[target]) for token, (kind, target) in rows[state]}
            for state, number in states.items()
        },
        **{key: {name: states[state] for name, state in sorted(table[key].items())}
           for key in ("start_states", "end_states")},
    }  # fmt: skip


def pack_table(table: dict[str, Any]) -> dict[str, Any]:
    """Rows repeat the same words: each set of words is said once. A row has the number of the set that leads on and the
    states it leads to, then for each rule that ends here the number of its set."""
    numbers: dict[tuple[int, ...], int] = {}
    rows = []
    for actions in table["states"].values():
        onward = {token: target for token, (is_reduction, target) in actions.items() if not is_reduction}
        ended: dict[int, list[int]] = {}
        for token, (is_reduction, target) in actions.items():
            if is_reduction:
                ended.setdefault(target["@"], []).append(token)
        sets = [numbers.setdefault(tuple(tokens), len(numbers)) for tokens in (onward, *ended.values())]
        rows.append([sets[0], list(onward.values()), dict(zip(ended, sets[1:], strict=True))])
    return {**table, "sets": list(numbers), "states": rows}


def unpack_rows(table: dict[str, Any]) -> Iterator[dict[int, Any]]:
    sets = table.pop("sets")
    for leading, states, ended in table["states"]:
        row: dict[int, Any] = {token: (0, state) for token, state in zip(sets[leading], states, strict=True)}
        for rule, tokens in ended.items():
            row.update(dict.fromkeys(sets[tokens], (1, {"@": int(rule)})))
        yield row


def _build_parser(grammar: str) -> lark.Lark:
    return lark.Lark(
        grammar, parser="lalr", lexer=ContextLexer, start=STARTS, propagate_positions=True, maybe_placeholders=True
    )


def _restore_parser(tables: dict[str, Any]) -> lark.Lark:
    """JSON turns numbers that are keys into text; Lark wants them back."""
    data = tables["data"]
    data["options"]["lexer"] = ContextLexer
    data["parser"]["lexer_conf"]["lexer_type"] = ContextLexer
    table = data["parser"]["parser"]
    table["tokens"] = {int(number): name for number, name in table["tokens"].items()}
    table["states"] = dict(enumerate(unpack_rows(table)))
    memo = {int(number): value for number, value in tables["memo"].items()}
    load: Any = lark.Lark._load_from_dict
    parser: lark.Lark = load(data, memo)
    return parser
