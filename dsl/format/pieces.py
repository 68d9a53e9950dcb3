"""Pieces of a rulebook as canonical lines: a declaration in, lines with their depth and the node they come from out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import PROPERTY_WORDS, opening_of
from rulesrun.dsl.format.examples import example_rows
from rulesrun.dsl.format.expressions import ATOM, collection, full, inside, quoted, truth, type_text, where
from rulesrun.dsl.format.line_breaks import AT_ALL_LEVEL, BREAK_TO_FIT, WIDTH, listed, on_one_line, part
from rulesrun.dsl.format.statements import Row, body_rows, loop_text, plain
from rulesrun.dsl.text.keywords import RESERVED
from rulesrun.dsl.text.lexer import scan


def piece_rows(piece: ast.AnyDeclaration, prefix: str = "", *, is_spread: bool = False) -> Iterator[Row]:
    """The first line, after a word like `change` where there is one, and the lines below it.

    `is_spread`: the cases of a table keep lines of their own.
    """
    match piece:
        case ast.ChangePiece(declaration, header_only):
            yield from piece_rows(declaration, "change ", is_spread=not header_only)
        case ast.Table(entries=entries) if is_spread or (not prefix and is_long(first_line(piece))):
            yield Row(0, prefix + table_opening(piece), piece)
            yield from (Row(1, entry_text(entry), entry) for entry in entries)
        case _:
            yield Row(0, prefix + first_line(piece), piece)
            yield from rows_below(piece)


def is_long(marked: str) -> bool:
    return len(on_one_line(marked)) > WIDTH


def rows_below(piece: ast.AnyDeclaration) -> Iterator[Row]:
    match piece:
        case ast.Components(computed=computed, rows=rows):
            yield from (Row(1, attribute_text(attribute), attribute) for attribute in computed)
            yield from (Row(1, row_text(row), row) for row in rows)
        case ast.Option(sentence=sentence):
            if sentence is not None:
                yield from (Row(1, quoted(part), piece) for part in sentence_parts(sentence))
        case ast.Setup(body=body) | ast.Phase(body=body) | ast.Step(body=body):
            yield from body_rows(body, 1)
        case ast.Action(needs=needs, body=body):
            yield from (Row(1, because(f"needs {truth(need.condition)}", need.because), need) for need in needs)
            yield from body_rows(body, 1)
        case ast.Score(lines=lines):
            for line in lines:
                yield from (Row(1, note_text(note), line) for note in line.notes)
                yield Row(1, equal(line.name.text, line.value), line)
        case ast.Example():
            yield from example_rows(piece)
        case ast.Small(pieces=pieces):
            yield from (evolve(row, depth=row.depth + 1) for one in pieces for row in piece_rows(one))
        case ast.Persona(lines=lines):
            yield from (Row(1, preference_text(line), line) for line in lines)
        case ast.Words(items=items):
            yield from (Row(1, f"{item.name.text}: {quoted(item.text)}", item) for item in items)
        case _:
            pass


def sentence_parts(sentence: str) -> Iterator[str]:
    """A long sentence stands on several lines; read, they are one again."""
    while len(sentence) > WIDTH - 4 and (end := sentence.rfind(" ", 1, WIDTH - 4)) > 0:
        yield sentence[:end]
        sentence = sentence[end + 1 :]
    yield sentence


def note_text(note: str) -> str:
    return f"## {note}".rstrip()


def because(condition: str, reason: str | None) -> str:
    return part(AT_ALL_LEVEL, (condition, f"because {quoted(reason)}")) if reason is not None else condition


def equal(left: str, value: ast.Expr) -> str:
    """`x = …`: what is long stands below, if it is whole there; cases and conditions have their own lines."""
    has_own_lines = isinstance(value, ast.IfElse | ast.And | ast.Or)
    return f"{left} ={' ' if has_own_lines else BREAK_TO_FIT}{full(value)}"


def first_line(piece: ast.AnyDeclaration) -> str:
    match piece:
        case ast.Edition() | ast.Title() | ast.VariantOf() | ast.Players() | ast.Rounds():
            return head_text(piece)
        case ast.Values() | ast.Components() | ast.Option() | ast.Require():
            return material_text(piece)
        case ast.Zone() | ast.Variable() | ast.Memory():
            return table_text(piece)
        case ast.Table() | ast.Define():
            return function_text(piece)
        case ast.Setup() | ast.Phase() | ast.Step() | ast.Action():
            return flow_text(piece)
        case (
            ast.Score() | ast.Ranking() | ast.Result() | ast.Property() | ast.Example() | ast.Small() | ast.Persona()
            | ast.Words()
        ):
            return outcome_text(piece)
        case ast.ChangePiece() | ast.RemovePiece() | ast.ChangeRow() | ast.ChangeLine() | ast.Fix():
            return change_text(piece)
        case _:
            assert_never(piece)


def head_text(piece: ast.Edition | ast.Title | ast.VariantOf | ast.Players | ast.Rounds) -> str:
    match piece:
        case ast.Edition(number):
            return f"rules {number}"
        case ast.Title(title):
            return f"game {quoted(title)}"
        case ast.VariantOf(title, base):
            return f"variant {quoted(title)} of {quoted(base.value)}"
        case ast.Players(low, high):
            is_one = repr(low) == repr(high)
            return f"players {plain(low)}" if is_one else f"players {inside(low)}..{plain(high)}"
        case ast.Rounds(count, until, moves):
            text = f"rounds {plain(count)}" if count is not None else ""
            text += f"rounds until {truth(until)}" if until is not None else ""
            return text + (f", starter moves {moves}" if moves else "")
        case _:
            assert_never(piece)


def material_text(piece: ast.Values | ast.Components | ast.Option | ast.Require) -> str:
    match piece:
        case ast.Values(name, items, values):
            if values is not None:
                return f"values {name.text}: {type_text(values)}"
            return f"values {name.text}: " + listed(map(enumerator_text, items))
        case ast.Components(noun, name, attributes, _, _, copies, condition):
            parts = [attribute_text(attribute) for attribute in attributes]
            if condition is not None:
                parts[-1] = where(attribute_text(attributes[-1], "where"), condition)
            if copies is not None:
                is_plain = isinstance(copies, ast.Number | ast.Name)
                parts.append(f"{full(copies) if is_plain else f'({full(copies)})'} of each")
            return f"{noun} {name.text}" + (": " + listed(parts) if parts else "")
        case ast.Option(name, written, default, is_reading, _):
            word = "reading" if is_reading else "option"
            return equal(f"{word} {name.text}: {type_text(written)}", default)
        case ast.Require(condition, reason):
            return because(f"require {truth(condition)}", reason)
        case _:
            assert_never(piece)


def enumerator_text(item: ast.Enumerator) -> str:
    return item.name.text + (f" {quoted(item.label)}" if item.label is not None else "")


def attribute_text(attribute: ast.AttributeDecl, before: str = "*") -> str:
    """`before`: the word that follows, or a sign."""
    if attribute.type is None:
        text = f"rule {attribute.name.text}"
    else:
        text = f"{attribute.name.text} {type_text(attribute.type, before)}"
    return equal(text, attribute.value) if attribute.value is not None else text


def row_text(row: ast.RowDecl) -> str:
    cells = [full(cell) for cell in row.cells]
    if row.copies is not None:
        cells.append(f"{inside(row.copies, ATOM)} of each")
    return f"{row.name.text}: " + listed(cells)


def table_text(piece: ast.Zone | ast.Variable | ast.Memory) -> str:
    match piece:
        case ast.Zone(name, keys, per_player, kind, component, visibility, capacity, sort_key):
            words = [f"{kind} of {component.text}"]
            words += [visibility] if visibility is not None else []
            words += [f"up to {plain(capacity)}"] if capacity is not None else []
            words += [f"sorted by {plain(sort_key)}"] if sort_key is not None else []
            return f"zone {place_text(name, keys, per_player)}: " + listed(words)
        case ast.Variable(word, name, keys, per_player, written, start, reset, visibility, clamped):
            text = f"{word} {place_text(name, keys, per_player)}: {type_text(written)}"
            words = [equal(text, start) if start is not None else text]
            words += [f"each {reset}"] if reset in ("round", "turn") else []
            words += [visibility] if visibility != "public" else []
            return listed(words + ["clamped"] * clamped)
        case ast.Memory(name, reset):
            return f"memory {name.text}" + (f", each {reset}" if reset in ("round", "turn") else "")
        case _:
            assert_never(piece)


def place_text(name: ast.Name, keys: tuple[ast.TypeExpr, ...], per_player: bool) -> str:
    text = name.text + (f"[{listed(map(type_text, keys))}]" if keys else "")
    return text + (" of player" if per_player else "")


def function_text(piece: ast.Table | ast.Define) -> str:
    match piece:
        case ast.Table(entries=entries):
            return f"{table_opening(piece)} {listed(map(entry_text, entries))}" if entries else table_opening(piece)
        case ast.Define(name, parameters, body):
            opening = f"{name.text}({parameters_text(parameters)})" if parameters else name.text
            return equal(f"define {opening}", body)
        case _:
            assert_never(piece)


def table_opening(table: ast.Table) -> str:
    return f"table {table.name.text}({parameters_text(table.parameters)}):"


def parameters_text(parameters: Iterable[ast.Parameter]) -> str:
    """`players 2..5`: the name, then what it may be."""
    return listed(f"{parameter.name.text} {type_text(parameter.type)}" for parameter in parameters)


def entry_text(entry: ast.Entry) -> str:
    if entry.is_otherwise:
        return f"otherwise: {full(entry.value)}"
    if entry.keys is None:
        return full(entry.value)
    return f"{' '.join(map(full, entry.keys))}: {full(entry.value)}"


def flow_text(piece: ast.Setup | ast.Phase | ast.Step | ast.Action) -> str:
    match piece:
        case ast.Setup(each_round):
            return "setup round" if each_round else "setup"
        case ast.Phase(name, when, loop, _):
            text = f"phase {name.text}" + (f" when {truth(when)}" if when is not None else "")
            return text + (f": {loop_text(loop)}" if loop is not None else "")
        case ast.Step(name, _):
            return f"step {name.text}"
        case ast.Action(name, choices, _, secret, _):
            text = f"action {name.text}" + (f"({listed(map(choice_text, choices))})" if choices else "")
            return text + ", secret" * secret
        case _:
            assert_never(piece)


def choice_text(choice: ast.Choice) -> str:
    count = f"{type_text(choice.count)} " if choice.count is not None else ""
    if choice.count is not None and repr(choice.count.low) == repr(choice.count.high):
        count = f"{plain(choice.count.low)} "
    return f"{count}{choice.name.text} {choice.word} {collection(choice.domain).text}"


Outcome = ast.Score | ast.Ranking | ast.Result | ast.Property | ast.Example | ast.Small | ast.Persona | ast.Words


def outcome_text(piece: Outcome) -> str:
    match piece:
        case ast.Score(when, _):
            return {"round": "score each round", "end": "score at end"}.get(when, "score")
        case ast.Ranking(criteria, ties_share):
            parts = [criterion_text(criterion) for criterion in criteria]
            return "ranking: " + listed(parts + ["ties share"] * ties_share)
        case ast.Result(outcomes, otherwise):
            parts = [f"{outcome.word.text} when {truth(outcome.when)}" for outcome in outcomes]
            return "result: " + listed([*parts, f"otherwise {otherwise.text}"])
        case ast.Property() if piece.bound is not None:
            return f"ends within {plain(piece.bound)} {piece.moment} {quoted(piece.title)}"
        case ast.Property() if piece.share is not None:
            some, all_ = piece.share
            return f"{piece.word} {some}/{all_} of games {quoted(piece.title)}: {truth(piece.condition)}"
        case ast.Property(title=title, condition=condition):
            return f"{opening_of(piece)} {quoted(title)}: {truth(condition)}"
        case ast.Example(title, _):
            return f"example {quoted(title)}"
        case ast.Small(title, _):
            return f"small {quoted(title)}"
        case ast.Persona(name, _):
            return f"persona {name.text}"
        case ast.Words(language, _):
            return f"words {language.text}"
        case _:
            assert_never(piece)


def preference_text(line: ast.Preference) -> str:
    when = f" when {truth(line.when)}" if line.when is not None else ""
    return f"{line.word} {line.action.text}{when}"


def criterion_text(criterion: ast.Criterion) -> str:
    when = f" when {truth(criterion.when)}" if criterion.when is not None else ""
    return f"{criterion.direction} {truth(criterion.value)}{when}"


def is_name(text: str) -> bool:
    """Whether it can stand without quotes."""
    words = scan(text, 0, len(text)).words
    return [(word.kind, word.text) for word in words] == [("word", text)] and text not in RESERVED


Change = ast.ChangePiece | ast.RemovePiece | ast.ChangeRow | ast.ChangeLine | ast.Fix
TITLED = (*PROPERTY_WORDS, "property", "example", "small")


def change_text(piece: Change) -> str:
    match piece:
        case ast.ChangePiece(declaration):
            return "change " + first_line(declaration)
        case ast.RemovePiece(word, name, of):
            shown = quoted(name) if name and (word.startswith(TITLED) or not is_name(name)) else name
            return f"remove {word} {shown}".rstrip() + (f" of {of.text}" if of is not None else "")
        case ast.ChangeRow(is_new, row, of):
            row_said = row_text(row).removeprefix(f"{row.name.text}: ")
            return f"{'add' if is_new else 'change'} row {row.name.text} of {of.text}: {row_said}"
        case ast.ChangeLine(is_new, line):
            return f"{'add' if is_new else 'change'} line {line.name.text}: {full(line.value)}"
        case ast.Fix(name, value):
            return equal(f"set {name.text}", value)
        case _:
            assert_never(piece)

