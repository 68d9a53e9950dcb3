"""The grammar for tree-sitter, made of the project's own: the same rules, the same words, as JSON.

Where words may be read in two ways, the longer reading is taken, as everywhere. Lines and indentation are read by a
scanner written by hand (`editors/tree-sitter/src/scanner.c`); which lines stand below which is said here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from rulesrun.dsl.parsing.grammar import KIND_BELOW, STARTS, load_parser
from rulesrun.dsl.text.keywords import PHRASES, RESERVED, SIGNS, WORDS

Json = dict[str, Any]

NAME, NUMBER, TEXT = "identifier", "integer", "quoted"
TERMINALS = {"NAME": NAME, "INT": NUMBER, "STRING": TEXT}
# Statements with others below them. Pieces below which nothing need stand.
HEADS = frozenset((
    "if_line", "otherwise_line", "for_each", "each_player", "turns", "one_turn_each", "repeat_times", "repeat_until",
))  # fmt: skip
OPTIONAL_BELOW = frozenset(("components", "board", "board_of_rings", "option", "reading", "table", "action"))
LINES_CHANGED = "change_lines_of_"  # what stands below is new; of a line that is left out nothing does
BRACKETS = ("(", ")", "[", "]", "{", "}")
DEFINED = {
    "action": "function.method", "step": "function.method", "define": "function", "table": "function",
    "components": "type", "values": "type", "values_range": "type", "zone": "variable.member", "phase": "label",
}  # fmt: skip
LAST = ("remove",)  # readings that others of the same words come before
EXTERNALS = ("_newline", "_example_newline", "_begin", "_indent", "_dedent", "_margin")


def write_grammar() -> str:
    return json.dumps(make_grammar(), separators=(",", ":"), ensure_ascii=False).replace('},"', '},\n"') + "\n"


def write_queries() -> str:
    """Which node has which colour, by the names that editors have for them."""
    words = sorted(text for text in _list_texts(make_grammar()["rules"]) if text[0].isalpha())
    signs = sorted(text for text in SIGNS if text not in BRACKETS and text not in ",:")
    lines = [
        "; Made by `python -m rulesrun.highlighting.build`.", "(identifier) @variable", "(comment) @comment",
        "(quoted) @string", "(integer) @number", f"[{_quote(words)}] @keyword", f"[{_quote(signs)}] @operator",
        f"[{_quote(BRACKETS)}] @punctuation.bracket", '["," ":"] @punctuation.delimiter',
        *(f"({node} . (name) @{colour})" for node, colour in DEFINED.items()),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _quote(texts: Iterable[str]) -> str:
    return " ".join(f'"{text}"' for text in texts)


def _list_texts(node: Any) -> set[str]:
    """The words and signs that a grammar has."""
    if isinstance(node, list):
        return set().union(*map(_list_texts, node))
    if not isinstance(node, dict):
        return set()
    own = {node["value"]} if node.get("type") in ("STRING", "ALIAS") else set()
    return own | set().union(*map(_list_texts, node.values()))


def make_grammar() -> Json:
    rest = _choice([_repeat1(_symbol("_declaration_piece")), {"type": "BLANK"}])
    first = [_symbol("_begin"), _symbol("edition"), _symbol("_newline")]
    rules: Json = {"source_file": _sequence([*first, rest])}
    rules |= _make_line_rules() | _make_rules()
    rules |= {
        NUMBER: _pattern("[0-9]+"),
        TEXT: _pattern('"[^"\\n]*"'),
        "comment": _pattern("#[^\\n]*"),
        NAME: _pattern("[\\p{L}][\\p{L}\\p{M}\\p{N}_]*"),
    }
    return {
        "name": "rules", "word": NAME, "rules": rules,
        "extras": [_pattern("[ \\t\\r\\u000c\\uFEFF]"), _symbol("comment"), _symbol("_margin")],
        "conflicts": [], "precedences": [], "externals": [_symbol(name) for name in EXTERNALS],
        "inline": [], "supertypes": [], "reserved": {"global": [_string(word) for word in sorted(RESERVED)]},
    }  # fmt: skip


def _make_line_rules() -> Json:
    """Each kind of line with its end, and a body of such lines."""
    rules: Json = {}
    for kind in STARTS:
        rules[f"_{kind}_piece"] = _sequence([_symbol("_begin"), _symbol(f"_{kind}_line")])
        rules[f"_{kind}_line"] = _choice(list(_make_lines(kind)))
        body = _sequence([_symbol("_indent"), _repeat1(_symbol(f"_{kind}_piece")), _symbol("_dedent")])
        rules[f"{kind}_body"] = body
    rules["_changed_line"] = _choice(list(_make_lines("declaration", is_change=True)))
    rules["_small_piece"] = _sequence([_symbol("_begin"), _symbol("_changed_line")])
    rules["small_body"] = _sequence([_symbol("_indent"), _repeat1(_symbol("_small_piece")), _symbol("_dedent")])
    return rules


def _make_lines(kind: str, *, is_change: bool = False) -> Iterator[Json]:
    """With what stands below them; where a piece is changed, what stood there may stay."""
    newline = _symbol("_newline")
    for name, made in sorted(_list_readings(kind).items()):
        if name == "change":
            yield _sequence([_string("change"), _symbol("_changed_line")])
            continue
        below = _find_kind_below(kind, name)
        end = _symbol("_example_newline") if name == "example" else newline
        if below is None:
            yield _sequence([made, newline])
            continue
        body = _symbol(f"{below}_body")
        yield _sequence([made, end, body])
        if name in OPTIONAL_BELOW or name.startswith(LINES_CHANGED) or is_change:
            yield _sequence([made, newline])


def _find_kind_below(kind: str, name: str) -> str | None:
    if kind != "declaration":
        return "statement" if name in HEADS else None
    if name.startswith(LINES_CHANGED):
        return "statement"
    first = next(rule.expansion[0].name for rule in _rules_by_origin()[kind] if rule.alias == name)
    below = next((KIND_BELOW[text] for text in _texts_of_terminals().get(first, ()) if text in KIND_BELOW), None)
    return "small" if below == "declaration" else below


def _list_readings(kind: str) -> dict[str, Json]:
    """What a line may be, by name; a loop stands behind a phase and in lines of its own."""
    found: dict[str, Json] = {}
    for rule in _rules_by_origin()[kind]:
        name = rule.alias or (rule.expansion[0].name if len(rule.expansion) == 1 else kind)
        if name in _rules_by_origin() and not rule.alias and name != kind:
            found |= _list_readings(name) if name in ("simple", "loop") else {name: _symbol(f"_{name}")}
        else:
            found[name] = _symbol(_node_name(kind, rule))
    return found


@cache
def _rules_by_origin() -> Mapping[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for rule in load_parser().rules:
        found.setdefault(rule.origin.name, []).append(rule)
    return found


def _make_rules() -> Json:
    """Every nonterminal hidden, every reading that has a name a node of its own."""
    rules: Json = {}
    for origin, readings in _rules_by_origin().items():
        named: dict[str, list[Json]] = {}
        for rule in readings:
            if rule.expansion:
                named.setdefault(_node_name(origin, rule), []).append(_expand(rule.expansion))
        hidden = f"_{origin.lstrip('_')}"
        for name, expansions in named.items():
            if name != hidden:
                rules[name] = _longest(expansions, -1 if name in LAST else 0)
        others = [_symbol(name) for name in named if name != hidden]
        rules[hidden] = _longest([*others, *named.get(hidden, [])])
    return rules


def _node_name(origin: str, rule: Any) -> str:
    """One name for each reading; the same alias below another nonterminal is another rule."""
    if rule.alias is None:
        return f"_{origin.lstrip('_')}" if origin.startswith("_") or rule.options.expand1 else origin
    owners = [name for name, rules in _rules_by_origin().items() if any(one.alias == rule.alias for one in rules)]
    return str(rule.alias) if owners[0] == origin and rule.alias not in _rules_by_origin() else f"{origin}_{rule.alias}"


def _expand(symbols: Iterable[Any]) -> Json:
    return _sequence([_terminal(one.name) if one.is_term else _nonterminal(one.name) for one in symbols])


def _nonterminal(name: str) -> Json:
    """What may be nothing is not a rule of its own there."""
    used = _symbol(f"_{name.lstrip('_')}")
    may_be_nothing = any(not rule.expansion for rule in _rules_by_origin()[name])
    return _choice([used, {"type": "BLANK"}]) if may_be_nothing else used


@cache
def _texts_of_terminals() -> Mapping[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for table in (SIGNS, WORDS, PHRASES):
        for text, terminals in table.items():
            for terminal in terminals:
                texts.setdefault(terminal, []).append(text)
    return texts


def _terminal(name: str) -> Json:
    if name in TERMINALS:
        return _symbol(TERMINALS[name])
    return _choice([_string(text) if " " not in text else _phrase(text) for text in _texts_of_terminals()[name]])


def _phrase(text: str) -> Json:
    """Several words as one; a comma stands close to the word before it."""
    pattern = "[ \\t]+".join(text.split())
    token = {"type": "TOKEN", "content": {"type": "PREC", "value": 1, "content": _pattern(pattern)}}
    return {"type": "ALIAS", "content": token, "named": False, "value": text}


# ---- the form that tree-sitter reads


def _symbol(name: str) -> Json:
    return {"type": "SYMBOL", "name": name}


def _string(text: str) -> Json:
    return {"type": "STRING", "value": text}


def _pattern(text: str) -> Json:
    return {"type": "PATTERN", "value": text}


def _sequence(members: list[Json]) -> Json:
    return members[0] if len(members) == 1 else {"type": "SEQ", "members": members}


def _choice(members: list[Json]) -> Json:
    return members[0] if len(members) == 1 else {"type": "CHOICE", "members": members}


def _repeat1(content: Json) -> Json:
    return {"type": "REPEAT1", "content": content}


def _longest(members: list[Json], precedence: int = 0) -> Json:
    return {"type": "PREC_RIGHT", "value": precedence, "content": _choice(members)}
