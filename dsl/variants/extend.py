"""A base and its variants as one game. Takes parsed files, gives the whole rulebook and what does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import PurePosixPath
from posixpath import dirname, join, normpath
from typing import TypeVar

from attrs import define, evolve, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import (  # fmt: skip
    PROPERTY_WORDS,
    PieceKey,
    has_lines_below,
    is_piece_called,
    key_of,
    kind_of,
    opening_words,
    with_body_of,
)
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulesrun.dsl.format.format import text_of_line
from rulesrun.dsl.parsing.parse import ParsedFile
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Source, Span

# ---- completeness
# Whether a rulebook has what it needs, and has it once. Takes all its pieces, gives findings.

# These have names in name spaces of their own, which are looked through with all other names.
NAMED_ELSEWHERE = (
    ast.Values | ast.Components | ast.Option | ast.Zone | ast.Variable | ast.Memory | ast.Table | ast.Define
    | ast.Phase | ast.Step | ast.Action
)


def check_completeness(declarations: Sequence[ast.AnyDeclaration], whole: Span) -> Iterator[Diagnostic]:
    """That players are needed is found with their types."""
    yield from check_said_twice(declarations)
    if not any(isinstance(piece, ast.Title) for piece in declarations):
        found = Diagnostic(
            "missing-title", message("the game has no title"), whole, message('write `game "…"` below the first line')
        )
        edition = next((piece for piece in declarations if isinstance(piece, ast.Edition)), None)
        end = edition.span.end if edition is not None else 0
        yield found.with_edits(Edit(end, end, "\ngame \"My game\"")) if edition is not None else found


def _join(key: PieceKey, piece: ast.AnyDeclaration, declarations: Sequence[ast.AnyDeclaration]) -> Iterator[Edit]:
    """Without its first line it goes on with the piece above, where that is the other one."""
    above = declarations[declarations.index(piece) - 1]
    if key_of(above) == key and not key.name and not getattr(piece, "notes", ()):
        yield Edit(piece.span.start, piece.span.start + len(key.kind), "")


def check_said_twice(declarations: Sequence[ast.AnyDeclaration]) -> Iterator[Diagnostic]:
    """Of most pieces there can be one; properties and examples are told apart by their titles."""
    first: dict[PieceKey, ast.AnyDeclaration] = {}
    for piece in declarations:
        key = key_of(piece)
        if key is None or isinstance(piece, NAMED_ELSEWHERE) or first.setdefault(key, piece) is piece:
            continue
        related = (Related(message("the first one is here"), first[key].span),)
        if isinstance(piece, ast.Property | ast.Example | ast.Small):
            sentence, hint = (
                message("there is {with_article} already", with_article=with_article(str(key))),
                message("give one of them another title"),
            )
            yield Diagnostic("duplicate-name", sentence, piece.span, hint, related=related)
        elif isinstance(piece, ast.Figure):
            sentence, hint = (
                message("there is {with_article} already", with_article=with_article(str(key))),
                message("give one of them another name"),
            )
            yield Diagnostic("duplicate-name", sentence, piece.name.span, hint, related=related)
        else:
            sentence = message("{key} is written twice", key=key)
            has_lines = isinstance(piece, ast.Setup | ast.Score | ast.Words)
            hint = message("join the two") if has_lines else message("keep one of the two")
            found = Diagnostic("said-twice", sentence, piece.span, hint, related=related)
            yield found.with_edits(*_join(key, piece, declarations)) if has_lines else found.with_replacement("")


# ---- lines
# One line of a piece changed by a variant. Takes the piece and the change, gives the piece with its new lines.
#
# What stands below a `let` is read as inside of it; for a change all these lines stand side by side.


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


# ---- extend


File = tuple[Source, ParsedFile]
Named = TypeVar("Named", ast.RowDecl, ast.ScoreLine)


@frozen
class AssembledGame:
    """`game` is whole only when there are no errors among the diagnostics."""

    game: ast.Game
    diagnostics: tuple[Diagnostic, ...]


def assemble_game(file: str, chain: Sequence[File]) -> AssembledGame:
    """The base first, then every variant after the file it is a variant of. `file`: the one that was asked for."""
    parents = [_find_parent(chain, index) for index in range(len(chain))]
    base = chain[0][1]
    book = VariantMerger([piece for piece in base.declarations if not _is_change(piece)], parents)
    book.found.extend(_check_base(base))
    book.merge_words()
    for index in range(1, len(chain)):
        book.apply_variant(index, *chain[index])
    found = book.found or list(check_completeness(book.declarations, _start_span(*chain[0])))
    return AssembledGame(build_game(file, chain, parents, book.declarations), tuple(found))


def _find_parent(chain: Sequence[File], index: int) -> int:
    """Which earlier file this one is a variant of; the base itself when no name fits."""
    variant = _variant_line(chain[index][1])
    if index == 0 or variant is None:
        return 0
    wanted = normpath(join(dirname(chain[index][0].file), variant.base.value))
    earlier = [(at, chain[at][0].file) for at in reversed(range(index))]
    same_path = [at for at, name in earlier if normpath(name) == wanted]
    same_name = [at for at, name in earlier if PurePosixPath(name).stem == PurePosixPath(wanted).stem]
    return (same_path or same_name or [0])[0]


def _variant_line(parsed: ParsedFile) -> ast.VariantOf | None:
    return next((piece for piece in parsed.declarations if isinstance(piece, ast.VariantOf)), None)


def _is_change(piece: ast.AnyDeclaration) -> bool:
    edits = ast.ChangePiece | ast.RemovePiece | ast.ChangeRow | ast.ChangeLine | ast.ChangeLines | ast.Fix
    return isinstance(piece, edits)


def _check_base(base: ParsedFile) -> Iterator[Diagnostic]:
    if (variant := _variant_line(base)) is not None:
        sentence = message("this is a variant of `{base}`, which was not found", base=variant.base.value)
        yield Diagnostic("missing-base", sentence, variant.base.span)
        return
    for piece in base.declarations:
        if _is_change(piece):
            sentence = message("only a variant can change what is in another file")
            hint = message('a variant starts with `variant "its title" of "the-base.rules"`')
            yield Diagnostic("not-a-variant", sentence, _name_span(piece), hint)


def build_game(
    file: str, chain: Sequence[File], parents: Sequence[int], declarations: list[ast.AnyDeclaration]
) -> ast.Game:
    """Under the title of the variants, if there are any."""
    leaves = [chain[index] for index in range(1, len(chain)) if index not in parents[index + 1 :]]
    variants = [line for _, parsed in leaves if (line := _variant_line(parsed)) is not None]
    title = next((piece for piece in declarations if isinstance(piece, ast.Title)), None)
    name = " + ".join(line.title for line in variants) if variants else title.title if title else ""
    if variants and title is not None:
        renamed = evolve(title, title=name, notes=variants[0].notes or title.notes)
        declarations = [renamed if piece is title else piece for piece in declarations]
    base = chain[parents[-1]][0].file if len(chain) > 1 else None
    smalls = tuple(piece for piece in declarations if isinstance(piece, ast.Small))
    pieces = tuple(piece for piece in declarations if piece not in smalls)
    return ast.Game(name, file, base, pieces, smalls, span=_start_span(*chain[0]))


@frozen
class NearName:
    """A name like the one that is not there: said, and to be written in its place."""

    hint: str | None = None
    name: str | None = None

    def edits(self, name: ast.Name) -> tuple[Edit, ...]:
        return (Edit(name.span.start, name.span.end, self.name),) if self.name is not None else ()


@define
class VariantMerger:
    """The rulebook while variants are applied to it, and who touched what."""

    declarations: list[ast.AnyDeclaration]
    parents: Sequence[int]
    touched: list[tuple[PieceKey, int, Span]] = field(factory=list)
    found: list[Diagnostic] = field(factory=list)
    turn: int = 0
    removed: dict[tuple[str, str, str], int] = field(factory=dict)  # by which file

    def apply_variant(self, index: int, source: Source, parsed: ParsedFile) -> None:
        self.turn = index
        if _variant_line(parsed) is None:
            sentence = message("{file} is not a variant, so it cannot be applied to other rules", file=source.file)
            hint = message('a variant starts with `variant "its title" of "the-base.rules"`')
            self.found.append(Diagnostic("not-a-variant", sentence, _start_span(source, parsed), hint))
            return
        for piece in parsed.declarations:
            self.apply_piece(piece)

    def apply_piece(self, piece: ast.AnyDeclaration) -> None:
        match piece:
            case ast.Edition() | ast.VariantOf():
                pass
            case ast.ChangePiece():
                self._change_piece(piece)
            case ast.RemovePiece():
                self._remove_piece(piece)
            case ast.ChangeRow():
                self._change_row(piece)
            case ast.ChangeLine():
                self._change_line(piece)
            case ast.ChangeLines():
                self._change_lines(piece)
            case ast.Fix():
                self._set_option(piece)
            case ast.Words():
                self._add_words(piece)
            case _:
                self._add_piece(piece)

    # ---- whole pieces

    def _change_piece(self, change: ast.ChangePiece) -> None:
        new = change.declaration
        key = key_of(new)
        if key is None:
            sentence = message("this has no name, so a variant cannot say which one to change")
            self.found.append(Diagnostic("nothing-to-change", sentence, _name_span(change)))
            return
        old = self._find_piece(key)
        kept = change.header_only and not has_lines_below(new)
        if not self._claim_piece(PieceKey(key.kind, key.name, ("header", "")) if kept else key, _name_span(change)):
            return
        if old is None:
            self._report_nothing_to_change(key, _name_span(change), "change")
            return
        if kept:
            new = with_body_of(new, old)
        self._replace_piece(old, evolve(new, notes=change.notes or new.notes or (old.notes if kept else ())))

    def _remove_piece(self, remove: ast.RemovePiece) -> None:
        span = _name_span(remove)
        what = (remove.piece, remove.name, remove.of.text if remove.of is not None else "")
        if self.removed.setdefault(what, self.turn) not in self._ancestors(self.turn):
            return  # two house rules that leave out the same agree
        if remove.piece == "examples" and remove.name:
            hint = message("write `remove example` before a title")
            sentence = message("`remove examples` removes them all")
            self.found.append(Diagnostic("nothing-to-change", sentence, span, hint))
        elif remove.piece == "examples":
            self.declarations = [piece for piece in self.declarations if not isinstance(piece, ast.Example)]
        elif remove.piece == "row":
            self._remove_row(remove)
        elif remove.piece == "line":
            self._remove_line(remove)
        else:
            old = next(
                (piece for piece in self.declarations if is_piece_called(piece, remove.piece, remove.name)), None
            )
            kind = "property" if remove.piece.startswith(PROPERTY_WORDS) else remove.piece
            key = (key_of(old) if old else None) or PieceKey(kind, remove.name)
            if self._claim_piece(key, span):
                if old is None:
                    self._report_nothing_to_change(key, span, "remove")
                else:
                    self.declarations.remove(old)

    def _set_option(self, fix: ast.Fix) -> None:
        options = [piece for piece in self.declarations if isinstance(piece, ast.Option)]
        option = next((piece for piece in options if piece.name.text == fix.name.text), None)
        key = (key_of(option) if option else None) or PieceKey("option", fix.name.text)
        if not self._claim_piece(PieceKey(key.kind, key.name, ("header", "")), fix.name.span):
            return
        if option is None:
            self._report_nothing_to_change(key, fix.name.span, "set")
        else:
            self._replace_piece(option, evolve(option, default=fix.value))

    def _add_piece(self, piece: ast.AnyDeclaration) -> None:
        key = key_of(piece)
        old = self._find_piece(key) if key else None
        if key is not None and not self._claim_piece(key, _name_span(piece)):
            return
        if key is not None and old is not None:
            sentence = (
                message("there is {with_article} already", with_article=with_article(str(key)))
                if key.name
                else message("{key} is already in the base", key=key)
            )
            is_title = key.kind == "game"
            hint = (
                message("the title is in the line `variant`")
                if is_title
                else message("to replace it, write `change` before it")
            )
            related = (Related(message("it is here"), _name_span(old)),)
            found = Diagnostic("duplicate-name", sentence, _name_span(piece), hint, related=related)
            start = piece.span.start
            self.found.append(found if is_title else found.with_edits(Edit(start, start, "change ")))
            return
        same_kind = [at for at, other in enumerate(self.declarations) if kind_of(other) == kind_of(piece)]
        self.declarations.insert(same_kind[-1] + 1 if same_kind else len(self.declarations), piece)

    def _find_piece(self, key: PieceKey) -> ast.AnyDeclaration | None:
        """The piece that a key points at; a game's only score sheet, whenever it is counted."""
        exact = next((piece for piece in self.declarations if key_of(piece) == key), None)
        scores = [piece for piece in self.declarations if isinstance(piece, ast.Score)]
        return scores[0] if exact is None and key.kind.startswith("score") and len(scores) == 1 else exact

    def _replace_piece(self, old: ast.AnyDeclaration, new: ast.AnyDeclaration) -> None:
        self.declarations[self.declarations.index(old)] = new

    # ---- rows and lines

    def _change_lines(self, change: ast.ChangeLines) -> None:
        key = PieceKey(change.kind, change.name.text if change.name is not None else "")
        span = change.name.span if change.name is not None else change.span
        old = self._find_piece(key)
        part = f"{change.place} {text_of_line(change.line)}"
        if not self._claim_piece(PieceKey(key.kind, key.name, ("line", part)), span):
            return
        if not isinstance(old, Lined):
            self._report_nothing_to_change(key, span, "change")
            return
        new, found = change_lines(old, change)
        self.found += found
        self._replace_piece(old, new)

    def _find_row_owner(self, of: ast.Name, row: str, span: Span) -> ast.Components | None:
        """The components that have this row, if nobody else touches it."""
        if not self._claim_piece(PieceKey("component", of.text, ("row", row)), span):
            return None
        kinds = [piece for piece in self.declarations if isinstance(piece, ast.Components)]
        owner = next((piece for piece in kinds if piece.name.text == of.text), None)
        if owner is None:
            self._report_nothing_to_change(PieceKey("component", of.text), of.span, "change")
        return owner

    def _change_row(self, change: ast.ChangeRow) -> None:
        name = change.row.name
        owner = self._find_row_owner(change.of, name.text, name.span)
        if owner is not None:
            rows = self._with_part(owner.rows, change.row, "row", is_new=change.is_new)
            self._replace_piece(owner, evolve(owner, rows=rows))

    def _remove_row(self, remove: ast.RemovePiece) -> None:
        if remove.of is None:
            hint = message("say which components: `remove row {remove} of …`", remove=remove.name)
            sentence = message("a row belongs to one kind of component")
            self.found.append(Diagnostic("nothing-to-change", sentence, remove.span, hint))
            return
        owner = self._find_row_owner(remove.of, remove.name, remove.span)
        if owner is not None:
            self._replace_piece(owner, evolve(owner, rows=self._without_part(owner.rows, remove)))

    def _find_sheet(self, line: str, span: Span) -> ast.Score | None:
        """The sheet that has this line, else the first one."""
        scores = [piece for piece in self.declarations if isinstance(piece, ast.Score)]
        if not scores:
            self._report_nothing_to_change(PieceKey("score", ""), span, "change")
            return None
        return next((score for score in scores if any(own.name.text == line for own in score.lines)), scores[0])

    def _change_line(self, change: ast.ChangeLine) -> None:
        name = change.line.name
        sheet = self._find_sheet(name.text, name.span)
        if sheet and self._claim_piece(PieceKey(kind_of(sheet), "", ("line", name.text)), name.span):
            lines = self._with_part(sheet.lines, change.line, "line", is_new=change.is_new)
            self._replace_piece(sheet, evolve(sheet, lines=lines))

    def _remove_line(self, remove: ast.RemovePiece) -> None:
        sheet = self._find_sheet(remove.name, _name_span(remove))
        if sheet and self._claim_piece(PieceKey(kind_of(sheet), "", ("line", remove.name)), _name_span(remove)):
            self._replace_piece(sheet, evolve(sheet, lines=self._without_part(sheet.lines, remove)))

    def _with_part(self, parts: tuple[Named, ...], new: Named, word: str, *, is_new: bool) -> tuple[Named, ...]:
        old = next((part for part in parts if part.name.text == new.name.text), None)
        if is_new and old is not None:
            related = (Related(message("it is here"), old.span),)
            sentence = message("there is a {word} `{new}` already", word=word, new=new.name.text)
            hint = message("to replace it, write `change {word}`", word=word)
            self.found.append(Diagnostic("duplicate-name", sentence, new.name.span, hint, related=related))
            return parts
        if is_new:
            more = list(parts)
            more.append(new)
            return tuple(more)
        if old is None:
            nearest = _suggest_name(new.name.text, [part.name.text for part in parts])
            way = message("add a new one with `add {word}`", word=word)
            sentence = message("there is no {word} `{new}` to change", word=word, new=new.name.text)
            edits = nearest.edits(new.name)
            found = Diagnostic("nothing-to-change", sentence, new.name.span, nearest.hint or way, edits=edits)
            self.found.append(found)
        return tuple(new if part is old else part for part in parts)

    def _without_part(self, parts: tuple[Named, ...], remove: ast.RemovePiece) -> tuple[Named, ...]:
        names = [part.name.text for part in parts]
        if remove.name not in names:
            sentence = message("there is no {piece} `{remove}` to remove", piece=remove.piece, remove=remove.name)
            hint = _suggest_name(remove.name, names).hint
            self.found.append(Diagnostic("nothing-to-change", sentence, _name_span(remove), hint))
        return tuple(part for part in parts if part.name.text != remove.name)

    # ---- words

    def merge_words(self) -> None:
        """Several blocks of one language are one."""
        blocks = [piece for piece in self.declarations if isinstance(piece, ast.Words)]
        self.declarations = [piece for piece in self.declarations if not isinstance(piece, ast.Words)]
        for block in blocks:
            self._add_words(block)

    def _add_words(self, words: ast.Words) -> None:
        old = self._find_piece(PieceKey(kind_of(words), words.language.text))
        if not isinstance(old, ast.Words):
            self.declarations.append(words)
            return
        again = {item.name.text for item in words.items}
        kept = tuple(item for item in old.items if item.name.text not in again)
        self._replace_piece(old, evolve(old, items=(*kept, *words.items)))

    def _claim_piece(self, key: PieceKey, span: Span) -> bool:
        """Notes that this file touches a piece; two files side by side, or one file twice, must not."""
        mine = self._ancestors(self.turn)
        for other, index, place in self.touched:
            if not other.overlaps(key) or (index in mine and index != self.turn):
                continue
            related = (Related(message("the other place"), place),)
            if index == self.turn:
                found = Diagnostic(
                    "changed-twice", message("this variant touches {key} twice", key=key), span, related=related
                )
            else:
                hint = message("remove one of the two changes, or make one variant a variant of the other")
                found = Diagnostic(
                    "conflicting-variants", message("two variants touch {key}", key=key), span, hint, related=related
                )
            self.found.append(found)
            return False
        self.touched.append((key, self.turn, span))
        return True

    def _ancestors(self, index: int) -> set[int]:
        above = {index}
        while index:
            index = self.parents[index]
            above.add(index)
        return above

    def _report_nothing_to_change(self, key: PieceKey, span: Span, verb: str) -> None:
        keys = [other for piece in self.declarations if (other := key_of(piece))]
        same_name = [piece for piece in self.declarations if key.name and (key_of(piece) or key).name == key.name]
        named = next((piece for piece in same_name if key_of(piece) is not None), None)
        if named is not None:
            called = with_article(kind_of(named))
            hint: str | None = message(
                "`{key}` is {called}: write `{verb} {written}`",
                key=key.name,
                called=called,
                verb=verb,
                written=_written_name(named, key.name),
            )
        else:
            every = message("write `remove examples` for all of them") if key == PieceKey("example", "") else None
            near = _suggest_name(key.name, [other.name for other in keys if other.kind == key.kind and other.name])
            hint = near.hint or every
        sentence = (
            message("there is no {key} to {verb}", key=key, verb=verb)
            if key.name
            else message("the base has no {key} to {verb}", key=key, verb=verb)
        )
        self.found.append(Diagnostic("nothing-to-change", sentence, span, hint))


def _written_name(piece: ast.AnyDeclaration, name: str) -> str:
    """As it is written after `change` or `remove`."""
    match piece:
        case ast.Property():
            return f'{opening_words(piece)} "{name}"'
        case ast.Example() | ast.Small():
            return f'{kind_of(piece)} "{name}"'
        case _:
            return f"{kind_of(piece)} {name}"


def _suggest_name(name: str, names: list[str]) -> NearName:
    nearest = get_close_matches(name, sorted(names), n=1)
    return NearName(message("did you mean `{near}`?", near=nearest[0]), nearest[0]) if nearest else NearName()


def _start_span(source: Source, parsed: ParsedFile) -> Span:
    return _name_span(parsed.declarations[0]) if parsed.declarations else Span(source.file, 0, 0)


def _name_span(piece: ast.AnyDeclaration) -> Span:
    """Where a piece is named, not all that belongs to it."""
    match piece:
        case ast.ChangePiece():
            return _name_span(piece.declaration)
        case ast.Words():
            return piece.language.span
        case _:
            name = getattr(piece, "name", None)
            return name.span if isinstance(name, ast.Name) else piece.span
