"""One line of a piece changed by a variant. Takes the piece and the change, gives the piece with its new lines.

What stands below a `let` is read as inside of it; for a change all these lines stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from attrs import define, evolve, field

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Related
from rulesrun.dsl.format.format import text_of_line
from rulesrun.dsl.text.messages import message

Line = ast.Statement | ast.Needs
Lined = ast.Setup | ast.Phase | ast.Step | ast.Action


def change_lines(old: Lined, change: ast.ChangeLines) -> tuple[Lined, list[Diagnostic]]:
    """Where the line is not there, or is there more than once, the very piece and what is wrong."""
    editor = LineEditor(change)
    needs = old.needs if isinstance(old, ast.Action) else ()
    lines = editor.edit_lines((*needs, *old.body))
    first = next((at for at, line in enumerate(lines) if not isinstance(line, ast.Needs)), len(lines))
    if len(editor.places) != 1:
        return old, [editor.explain_place(old)]
    is_late = editor.has_needs_inside or any(isinstance(line, ast.Needs) for line in lines[first:])
    if is_late or (first and not isinstance(old, ast.Action)):
        hint = message("put `needs` lines first below an `action`")
        return old, [Diagnostic("misplaced-needs", message("`needs` cannot stand here"), change.span, hint)]
    body = tuple(line for line in lines if not isinstance(line, ast.Needs))
    if editor.is_something_empty or not (body or isinstance(old, ast.Action)):
        sentence = message("the line above would have nothing left below it")
        hint = message("change that line, or the whole piece")
        return old, [Diagnostic("empty-body", sentence, change.span, hint)]
    if isinstance(old, ast.Action):
        kept = tuple(line for line in lines if isinstance(line, ast.Needs))
        return evolve(old, needs=kept, body=body, span=change.span), []
    return evolve(old, body=body, span=change.span), []


def is_said_line(line: Line, said: Line | ast.Branch) -> bool:
    """Of `needs` the sentence behind `because` may be left out."""
    if isinstance(line, ast.Needs) and isinstance(said, ast.Needs) and said.because is None:
        return repr(line.condition) == repr(said.condition)
    return repr(without_body(line)) == repr(without_body(said))


def without_body(line: Line | ast.Branch) -> ast.Node:
    match line:
        case ast.If(branches=(first, *_)):
            return evolve(first, body=())
        case ast.ForEach() | ast.EachPlayer() | ast.Turns() | ast.Repeat() | ast.Branch():
            return evolve(line, body=())
        case _:
            return line


@define
class LineEditor:
    change: ast.ChangeLines
    places: list[Line] = field(factory=list)
    seen: list[str] = field(factory=list)
    is_something_empty: bool = False
    has_needs_inside: bool = False

    def edit_lines(self, lines: tuple[Line, ...]) -> list[Line]:
        return self.nest_lets([new for line in list_side_by_side(lines) for new in self.edit_line(line)])

    def edit_line(self, line: Line) -> list[Line]:
        self.seen.append(text_of_line(line))
        if not is_said_line(line, self.change.line):
            return [self.edit_inside(line)]
        self.places.append(line)
        new: list[Line] = [*self.change.needs, *list_side_by_side(self.change.body)]
        match self.change.place:
            case "after":
                return [line, *new]
            case "before":
                return [*new, line]
            case _:
                return new

    def edit_inside(self, line: Line) -> Line:
        match line:
            case ast.If(branches=branches):
                return evolve(line, branches=tuple(evolve(one, body=self.edit_body(one.body)) for one in branches))
            case ast.ForEach(word="let"):
                return line
            case ast.ForEach() | ast.EachPlayer() | ast.Turns() | ast.Repeat():
                return evolve(line, body=self.edit_body(line.body))
            case _:
                return line

    def edit_body(self, body: tuple[ast.Statement, ...]) -> tuple[ast.Statement, ...]:
        lines = self.edit_lines(body)
        self.is_something_empty = self.is_something_empty or not lines
        return self.drop_needs(lines)

    def drop_needs(self, lines: list[Line]) -> tuple[ast.Statement, ...]:
        body = tuple(line for line in lines if not isinstance(line, ast.Needs))
        self.has_needs_inside = self.has_needs_inside or len(body) < len(lines)
        return body

    def nest_lets(self, lines: list[Line]) -> list[Line]:
        for at, line in enumerate(lines):
            if isinstance(line, ast.ForEach) and line.word == "let":
                inside = self.nest_lets(lines[at + 1 :])
                self.is_something_empty = self.is_something_empty or not inside
                return [*lines[:at], evolve(line, body=self.drop_needs(inside))]
        return lines

    def explain_place(self, old: Lined) -> Diagnostic:
        said, span = text_of_line(self.change.line), self.change.line.span
        if self.places:
            related = tuple(Related(message("it is here"), line.span) for line in self.places)
            sentence = message("`{line}` is there more than once", line=said)
            hint = message("change the whole piece instead")
            return Diagnostic("nothing-to-change", sentence, span, hint, related=related)
        nearest = get_close_matches(said, sorted(set(self.seen)), n=1)
        near = message("did you mean `{near}`?", near=nearest[0]) if nearest else None
        sentence = message("there is no line `{line}` there", line=said)
        related = (Related(message("it is here"), old.span),)
        return Diagnostic("nothing-to-change", sentence, span, near, related=related)


def list_side_by_side(lines: tuple[Line, ...]) -> Iterator[Line]:
    for line in lines:
        yield line
        if isinstance(line, ast.ForEach) and line.word == "let":
            yield from list_side_by_side(line.body)
