"""The indentation of a text: its lines, and which line stands below which. Takes a source, gives blocks."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from attrs import define, evolve, field, frozen
from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from rulesrun.dsl import ast
from rulesrun.dsl.ast.moving import move_value
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.mistakes.signs import diagnose_words
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.mistakes.syntax_errors import diagnose_syntax_error
from rulesrun.dsl.parsing.declarations import ToAst
from rulesrun.dsl.parsing.grammar import ParsedLine, load_parser
from rulesrun.dsl.text.declared_words import find_declared_words
from rulesrun.dsl.text.keywords import GOES_ON_AFTER, GOES_ON_BEFORE
from rulesrun.dsl.text.lexer import CLOSING, MOST_WORDS, OPENING, Word, scan_line
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Source, Span

MOST_CHARACTERS = 1_000_000
MOST_LINES = 20_000
MOST_LEVELS = 20
TABBED = re.compile(r"^[ \t]*\t[ \t]*", re.MULTILINE)
TOP_LINE = re.compile(r"^(?=[^\W\d_])", re.MULTILINE)  # a line that can neither go on with another nor stand below one


@frozen
class Comment:
    """A `#` comment that is not a note. `own_line`: nothing stands before it on its line (lines count from 1)."""

    span: Span
    text: str
    line: int
    own_line: bool


@define(eq=False)
class Block:
    """A logical line, the notes above it and what stands below it."""

    words: list[Word]
    indent: int
    notes: tuple[str, ...] = ()
    note_comments: tuple[Comment, ...] = ()
    children: list[Block] = field(factory=list)
    is_too_long: bool = False  # reported already: its words are not all here

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def end(self) -> int:
        """Where its own line ends."""
        return self.words[-1].end


@frozen(eq=False)
class Stretch:
    """From one line at the left margin to the next: a piece, and the comments behind it. Its places are those of the
    text it was read in first.
    """

    start: int
    line: int
    block: Block
    comments: tuple[Comment, ...]
    notes_behind: tuple[Comment, ...]  # they belong to the next piece


@define(eq=False)
class KnownBlock(Block):
    """A piece that was read before: of its line the first word and the last one, of what stands below it nothing."""

    text: str = ""
    stretch: Stretch | None = None


@frozen
class Blocks:
    top: tuple[Block, ...]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]
    is_refused: bool = False  # too large to be read at all
    new: tuple[tuple[str, Stretch], ...] = ()  # stretches without a mistake that were not known


FindStretch = Callable[[str], "Stretch | None"]


def read_blocks(source: Source, find_stretch: FindStretch | None = None) -> Blocks:
    """`find_stretch` gives what is known of a stretch of the text, which is not read again then."""
    if len(source.text) > MOST_CHARACTERS or source.count_lines() > MOST_LINES:
        sentence = message(
            "this file is too large: a file has at most {most_lines} lines and {most_characters} characters",
            most_lines=MOST_LINES,
            most_characters=MOST_CHARACTERS,
        )
        return Blocks((), (), (Diagnostic("file-too-large", sentence, Span(source.file, 0, 0)),), True)
    reader = _BlockReader(source)
    if find_stretch is None:
        reader.read_lines(0, len(source.text), 1)
    else:
        reader.read_stretches(find_stretch)
    comments = sorted((*reader.comments, *reader.notes), key=lambda comment: comment.span.start)
    return Blocks(tuple(reader.top.children), tuple(comments), tuple(reader.diagnostics), False, tuple(reader.new))


class _BlockReader:
    """Reads line by line; `open_blocks` are the lines under which the next one may stand."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.top = Block([], -1)
        self.open_blocks = [self.top]
        self.comments: list[Comment] = []
        self.notes: list[Comment] = []
        self.diagnostics: list[Diagnostic] = []
        self.pending: Block | None = None
        self.brackets = 0
        self.has_tab = False
        self.new: list[tuple[str, Stretch]] = []

    def read_lines(self, start: int, end: int, number: int) -> None:
        text = self.source.text
        start += text.startswith("\ufeff", start) and start == 0
        while start < end:
            newline = text.find("\n", start)
            line_end = newline if newline >= 0 else len(text)
            self._read_line(start, line_end, number)
            start, number = line_end + 1, number + 1

    def read_stretches(self, find_stretch: FindStretch) -> None:
        """What is known is taken over; only where the first line stands at the margin do all stretches begin anew."""
        text, number = self.source.text, 1
        places = [found.start() for found in TOP_LINE.finditer(text)]
        for start, end in pairwise((*((0,) if places[:1] != [0] else ()), *places, len(text))):
            stretch = text[start:end]
            is_regular = not self.top.children or self.top.children[0].indent == 0
            known = find_stretch(stretch) if is_regular else None
            if known is not None:
                self._take_over(known, stretch, start, number)
            else:
                self._read_stretch(start, end, number)
            number += stretch.count("\n")

    def _read_stretch(self, start: int, end: int, number: int) -> None:
        pieces, mistakes, comments = len(self.top.children), len(self.diagnostics), len(self.comments)
        self.read_lines(start, end, number)
        text = self.source.text[start:end]
        if len(self.top.children) == pieces + 1 and len(self.diagnostics) == mistakes and "\t" not in text:
            block = self.top.children[-1]
            if block.start == start:
                found = Stretch(start, number, block, tuple(self.comments[comments:]), tuple(self.notes))
                self.new.append((text, found))

    def _take_over(self, known: Stretch, text: str, start: int, number: int) -> None:
        distance, lines = start - known.start, number - known.line
        first, last = (
            word._replace(start=word.start + distance, end=word.end + distance)
            for word in (known.block.words[0], known.block.words[-1])
        )
        notes = tuple(self.notes)
        block = KnownBlock([first, last], 0, tuple(_note_text(note.text) for note in notes), notes)
        block.text, block.stretch = text, known
        self.top.children.append(block)
        self.open_blocks, self.pending, self.brackets = [self.top], None, 0
        self.comments += (move_comment(one, distance, lines) for one in known.comments)
        self.notes = [move_comment(one, distance, lines) for one in known.notes_behind]

    def _read_line(self, start: int, end: int, number: int) -> None:
        found = scan_line(self.source.text, start, end)
        if found.comment is not None:
            self._add_comment(found.comment, end, number, not found.words)
        if not found.words:
            return
        words = found.words
        indent = self._measure_indent(start, words[0].start)
        if self.pending is not None and self._is_continuation(self.pending, words, indent):
            self.pending.words += words
        else:
            self.pending = self._begin_block(words, indent)
        self.brackets = max(0, self.brackets + _bracket_balance(words))
        if found.is_cut or len(self.pending.words) > MOST_WORDS:
            self._cut_long_line(self.pending)

    def _cut_long_line(self, line: Block) -> None:
        if not line.is_too_long:
            last = line.words[MOST_WORDS]
            sentence = message("a line has at most {most_words} words and signs", most_words=MOST_WORDS)
            self._report("line-too-long", sentence, self._make_span(last.start, last.end))
        line.is_too_long = True
        del line.words[MOST_WORDS:]

    def _add_comment(self, start: int, end: int, number: int, own_line: bool) -> None:
        text = self.source.text[start:end].rstrip()
        comment = Comment(self._make_span(start, start + len(text)), text, number, own_line)
        if own_line and text.startswith("##"):
            self.notes.append(comment)
        else:
            self.comments.append(comment)

    def _measure_indent(self, start: int, first: int) -> int:
        margin = self.source.text[start:first]
        tab = margin.find("\t")
        if tab >= 0 and not self.has_tab:
            self.has_tab = True
            span = self._make_span(start + tab, start + tab + 1)
            hint = message("use spaces, two for each level")
            self._report(
                "tab-in-indentation", message("this line is indented with a tab"), span, hint, *self._spaces_for_tabs()
            )
        return len(margin.expandtabs(2))

    def _is_continuation(self, line: Block, words: list[Word], indent: int) -> bool:
        first = words[0].text
        if self.brackets and (indent > line.indent or (words[0].kind == "sign" and first in CLOSING)):
            return True
        if indent <= line.indent:
            return False
        last = line.words[-1]
        if last.kind in ("word", "sign") and last.text in GOES_ON_AFTER:
            return True
        is_example = line.words[0].text == "example" and line.indent == 0
        return words[0].kind == "word" and first in GOES_ON_BEFORE and not (is_example and first == "then")

    def _begin_block(self, words: list[Word], indent: int) -> Block:
        self.brackets = 0
        block = Block(words, indent, tuple(_note_text(note.text) for note in self.notes), tuple(self.notes))
        self.notes = []
        self._find_parent(block).children.append(block)
        self.open_blocks.append(block)
        return block

    def _find_parent(self, block: Block) -> Block:
        """Closes what is not open for this line. Siblings stand equally deep; the first one says how deep."""
        while self.open_blocks[-1].indent >= block.indent:
            self.open_blocks.pop()
        parent = self.open_blocks[-1]
        if parent is self.top and block.indent > 0:
            hint = message("start a new piece at the left margin, and indent what belongs to it")
            self._report(
                "unexpected-indentation",
                message("this line is indented, but there is nothing above it that it could belong to"),
                self._make_span(block.start, block.end),
                hint,
                self._indent(block, 0),
            )
        elif parent.children and parent.children[0].indent != block.indent:
            self._report(
                "uneven-indentation",
                message("the indentation of this line fits no line above it"),
                self._make_span(block.start, block.end),
                message("indent it exactly like the lines it belongs with"),
                *(() if parent is self.top else (self._indent(block, parent.children[0].indent),)),
            )
        elif len(self.open_blocks) > MOST_LEVELS:
            self._report(
                "too-deep", message("this is indented too deep to follow"), self._make_span(block.start, block.end)
            )
            self.open_blocks.pop()
        return self.open_blocks[-1]

    def _make_span(self, start: int, end: int) -> Span:
        return Span(self.source.file, start, end)

    def _indent(self, block: Block, columns: int) -> Edit:
        """The blanks before a line, so many of them."""
        return Edit(self.source.text.rfind("\n", 0, block.start) + 1, block.start, " " * columns)

    def _spaces_for_tabs(self) -> Iterator[Edit]:
        """Of all lines that a tab indents."""
        for found in TABBED.finditer(self.source.text):
            yield Edit(found.start(), found.end(), found.group().expandtabs(2))

    def _report(self, code: str, sentence: str, span: Span, hint: str | None = None, *edits: Edit) -> None:
        self.diagnostics.append(Diagnostic(code, sentence, span, hint, edits=edits))


def move_comment(comment: Comment, distance: int, lines: int) -> Comment:
    span = Span(comment.span.file, comment.span.start + distance, comment.span.end + distance)
    return evolve(comment, span=span, line=comment.line + lines)


def _bracket_balance(words: list[Word]) -> int:
    signs = [word.text for word in words if word.kind == "sign"]
    return sum(sign in OPENING for sign in signs) - sum(sign in CLOSING for sign in signs)


def _note_text(text: str) -> str:
    return text[2:].strip()


# ---- lines
# One logical line → a node, or what is wrong with it. The module where Lark ends.


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
        self.above: Block | None = None  # the piece that was begun last

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


# ---- bodies
# Indented statements → nodes with what stands below them. Takes blocks, gives bodies.


Header = ast.Branch | ast.ForEach | ast.EachPlayer | ast.Turns | ast.Repeat


class StatementReader:
    def __init__(self, lines: LineReader) -> None:
        self.lines = lines

    def read_action_body(self, blocks: list[Block]) -> tuple[tuple[ast.Needs, ...], tuple[ast.Statement, ...]]:
        """`needs` lines come first."""
        count = 0
        while count < len(blocks) and blocks[count].words[0].text == "needs":
            count += 1
        read = [self._read_line(block) for block in blocks[:count]]
        return tuple(node for node in read if isinstance(node, ast.Needs)), self.read_body(blocks[count:])

    def read_body(self, blocks: list[Block]) -> tuple[ast.Statement, ...]:
        statements: list[ast.Statement] = []
        is_after_if = False
        for number, block in enumerate(blocks):
            node = self._read_line(block)
            match node:
                case ast.ForEach(word="let"):
                    statements.append(self._name_value(node, block, blocks[number + 1 :]))
                    break
                case None:
                    is_after_if = is_after_if or block.words[0].text == "if" or bool(block.children)
                    continue
                case ast.Needs():
                    hint = message("put `needs` lines first below an `action`")
                    self._report_misplaced("misplaced-needs", message("`needs` cannot stand here"), block, hint)
                case ast.Branch():
                    self._add_branch(statements, node, block, is_after_if)
                    is_after_if = is_after_if and node.condition is not None
                    continue
                case _:
                    statements.append(node)
            is_after_if = isinstance(node, ast.If)
        return tuple(statements)

    def _add_branch(self, statements: list[ast.Statement], branch: ast.Branch, block: Block, is_after_if: bool) -> None:
        if not is_after_if:
            hint = message("put `otherwise` right below the lines of an `if`, indented like the `if`")
            self._report_misplaced("misplaced-otherwise", message("this `otherwise` belongs to no `if`"), block, hint)
        elif statements and isinstance(last := statements[-1], ast.If):
            span = Span(last.span.file, last.span.start, branch.span.end)
            statements[-1] = evolve(last, branches=(*last.branches, branch), span=span)

    def _read_line(self, block: Block) -> ast.Statement | ast.Needs | ast.Branch | None:
        node: ast.Statement | ast.Needs | ast.Branch | None = self.lines.read_line(block, "statement")
        match node:
            case None:
                return None
            case ast.If(branches=(branch,)):
                body, span = self._read_below(branch, block)
                return ast.If((evolve(branch, body=body, span=span),), span=span)
            case ast.ForEach(word="let"):
                return node
            case ast.ForEach() | ast.EachPlayer() | ast.Turns() | ast.Repeat() | ast.Branch() as header:
                body, span = self._read_below(header, block)
                return evolve(header, body=body, span=span)
            case _:
                self.lines.require_nothing_below(block)
                return node

    def _name_value(self, let: ast.ForEach, block: Block, following: list[Block]) -> ast.ForEach:
        """The lines that follow are those in which the value has its name."""
        self.lines.require_nothing_below(block)
        body = self.read_body(following)
        if not following and let.each.name is not None:
            sentence = message("no line follows that could use `{name}`", name=let.each.name.text)
            self._report_misplaced("empty-body", sentence, block, message("write the value where you need it"))
        end = max((statement.span.end for statement in body), default=let.span.end)
        return evolve(let, body=body, span=Span(let.span.file, let.span.start, end))

    def _read_below(self, node: Header, block: Block) -> tuple[tuple[ast.Statement, ...], Span]:
        """What stands below a line, and where both together stand."""
        body = self.read_body(block.children)
        if not block.children:
            hint = message("write its lines below it, indented by two more spaces")
            self._report_misplaced("empty-body", message("nothing follows below this line"), block, hint)
        end = max((statement.span.end for statement in body), default=node.span.end)
        return body, Span(node.span.file, node.span.start, end)

    def _report_misplaced(self, code: str, sentence: str, block: Block, hint: str) -> None:
        self.lines.report(Mistake(code, sentence, block.start, block.end, hint))
