"""One logical line → a node, or what is wrong with it. The module where Lark ends."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from attrs import define, field
from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from rulesrun.dsl.ast.moving import move_value
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.mistakes.signs import diagnose_words
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.mistakes.syntax_errors import diagnose_syntax_error
from rulesrun.dsl.parsing.blocks import Block
from rulesrun.dsl.parsing.grammar import ParsedLine, load_parser
from rulesrun.dsl.parsing.to_ast import ToAst
from rulesrun.dsl.text.declared_words import find_declared_words
from rulesrun.dsl.text.keywords import GOES_ON_AFTER
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Source, Span

DEEPEST = 60
MOST_REMEMBERED = 4_000  # lines


@define(eq=False)
class LineMemory:
    """The nodes of lines that were read before, by their kind and what is written."""

    known: OrderedDict[tuple[str, str], tuple[Any, int]] = field(factory=OrderedDict)

    def find_node(self, key: tuple[str, str], start: int) -> Any:
        found = self.known.get(key)
        if found is None:
            return None
        self.known.move_to_end(key)
        node, at = found
        return move_value(node, start - at)

    def keep_node(self, key: tuple[str, str], node: Any, start: int) -> None:
        self.known[key] = node, start
        if len(self.known) > MOST_REMEMBERED:
            self.known.popitem(last=False)


class LineReader:
    """Keeps the findings of all lines of a source."""

    def __init__(self, source: Source, memory: LineMemory | None = None) -> None:
        self.source = source
        self.memory = memory
        self.to_ast = ToAst(source)
        self.diagnostics = self.to_ast.diagnostics
        self.above: Block | None = None  # the piece that was read before

    def read_line(self, block: Block, kind: str) -> Any:
        """The node of a line of this kind (a start symbol of the grammar); None after a mistake."""
        if block.is_too_long:
            return None
        if self.memory is None:
            return self._read_anew(block, kind)
        key = kind, self.source.text[block.start : block.end]
        node = self.memory.find_node(key, block.start)
        if node is None:
            node = self._read_anew(block, kind)
            if node is not None:
                self.memory.keep_node(key, node, block.start)
        return node

    def _read_anew(self, block: Block, kind: str) -> Any:
        mistake = diagnose_words(block.words, self.source.text)
        if mistake is not None:
            self.report(mistake)
            return None
        line = ParsedLine(block.words)
        try:
            tree: Tree[Token] = load_parser().parse(line, start=kind)
        except UnexpectedToken:
            margin = self.start_of_line(block)
            declared = find_declared_words(self.source.text)
            place = StoppingPlace(
                block.words, line.at, line.expected_terminals(), kind, margin, *self._piece_above(), declared
            )
            self.report(diagnose_syntax_error(place))
            return None
        if _is_too_deep(tree):
            hint = message("give a part of it a name with `define`")
            self.report(Mistake("too-deep", message("this is nested too deep to follow"), block.start, block.end, hint))
            return None
        before = len(self.diagnostics)
        node = self.to_ast.convert_tree(tree)
        return node if len(self.diagnostics) == before else None

    def require_nothing_below(self, block: Block) -> None:
        """For a line that cannot have lines of its own."""
        if block.children:
            first = block.children[0]
            hint = message("indent it like the line above it")
            if first.words[0].text in GOES_ON_AFTER:
                hint = message("to continue a line, end the line above with `{words}`", words=first.words[0].text)
            sentence = message("the line above takes no indented lines")
            found = Mistake("unexpected-indentation", sentence, first.start, first.end, hint)
            if first.words[0].text not in GOES_ON_AFTER:
                found = found.with_edits(Edit(self.start_of_line(first), first.start, " " * block.indent))
            self.report(found)

    def _piece_above(self) -> tuple[str, int]:
        """Its first word, and how deep its lines stand."""
        if self.above is None:
            return "", 2
        return self.above.words[0].text, self.above.children[0].indent if self.above.children else 2

    def start_of_line(self, block: Block) -> int:
        return self.source.text.rfind("\n", 0, block.start) + 1

    def report(self, mistake: Mistake) -> None:
        span = Span(self.source.file, mistake.start, mistake.end)
        self.diagnostics.append(Diagnostic(mistake.code, mistake.message, span, mistake.hint, edits=mistake.edits))


def _is_too_deep(tree: Tree[Token]) -> bool:
    level: list[Tree[Token]] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return False
    return True
