"""Indented statements → nodes with what stands below them. Takes blocks, gives bodies."""

from __future__ import annotations

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.mistakes.stopping_place import Mistake
from rulesrun.dsl.parsing.blocks import Block
from rulesrun.dsl.parsing.lines import LineReader
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span

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
