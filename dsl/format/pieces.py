"""Pieces of a rulebook as canonical lines: a declaration in, lines with their depth and the node they come from out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import is_grid
from rulesrun.dsl.ast.pieces import PROPERTY_WORDS, kind_of, opening_words
from rulesrun.dsl.format.expressions import (
    AT_ALL_LEVEL,
    ATOM,
    WIDTH,
    format_condition,
    format_expression,
    format_literals,
    format_operand,
    format_type,
    format_where,
    mark_list,
    mark_part,
    quote_text,
    remove_marks,
    write_collection,
)
from rulesrun.dsl.format.statements import (
    FormattedLine,
    format_body,
    format_branch,
    format_equation,
    format_loop,
    format_plain_value,
    format_statement,
)
from rulesrun.dsl.text.keywords import RESERVED
from rulesrun.dsl.text.lexer import scan_line

# ---- examples
# Worked examples as canonical lines.


def format_example(example: ast.Example) -> Iterator[FormattedLine]:
    return (FormattedLine(1, format_example_line(line), line) for line in example.lines)


def format_example_line(line: ast.ExampleLine) -> str:
    match line:
        case ast.ForPlayers(count):
            return f"players {format_plain_value(count)}"
        case ast.Set(name, value):
            return f"set {name.text} = {format_expression(value)}"
        case ast.GivenCards(zone, items):
            return f"given {format_plain_value(zone)}: {format_literals(items)}".rstrip()
        case ast.GivenValue(target, value):
            return f"given {format_operand(target)} = {format_expression(value)}"
        case ast.GivenTurn(player):
            return f"given turn of {format_plain_value(player)}"
        case ast.GivenPhase(phase):
            return f"given phase {phase.text}"
        case ast.NextChance(items):
            return f"next: {format_literals(items)}"
        case ast.When() | ast.ThenCan():
            return format_action_line(line)
        case ast.Then(condition):
            return f"then {format_condition(condition)}"
        case ast.ThenStill(title):
            return f'then still "{title}"'
        case ast.ThenOver(is_over):
            return f"then the game {'is over' if is_over else 'goes on'}"
        case ast.Todo():
            return "todo"
        case _:
            assert_never(line)


def format_action_line(line: ast.When | ast.ThenCan) -> str:
    match line:
        case ast.When(player, action, arguments, if_possible):
            values = f"({format_literals(arguments)})" if arguments else ""
            return f"when {format_player(player)}: {action.text}{values}" + (" if possible" if if_possible else "")
        case ast.ThenCan(player, can, action, arguments):
            how = f"({format_literals(arguments)})" if arguments is not None else ""
            return f"then {format_player(player)} {'can' if can else 'cannot'} {action.text}{how}"
        case _:
            assert_never(line)


def format_player(player: ast.Expr | None) -> str:
    return format_plain_value(player) if player is not None else "team"


# ---- pieces


def format_piece(piece: ast.AnyDeclaration, prefix: str = "", *, is_spread: bool = False) -> Iterator[FormattedLine]:
    """The first line, after a word like `change` where there is one, and the lines below it.

    `is_spread`: the cases of a table keep lines of their own.
    """
    match piece:
        case ast.ChangePiece(declaration, header_only):
            yield from format_piece(declaration, "change ", is_spread=not header_only)
        case ast.Table(entries=entries) if is_spread or (not prefix and is_long(format_first_line(piece))):
            yield FormattedLine(0, prefix + format_table_opening(piece), piece)
            yield from (FormattedLine(1, format_entry(entry), entry) for entry in entries)
        case _:
            yield FormattedLine(0, prefix + format_first_line(piece), piece)
            yield from format_lines_below(piece)


def is_long(marked: str) -> bool:
    return len(remove_marks(marked)) > WIDTH


def format_lines_below(piece: ast.AnyDeclaration) -> Iterator[FormattedLine]:
    match piece:
        case ast.Components() if count_of_plain_components(piece) is not None:
            pass
        case ast.Components(computed=computed, board=ast.Board(lines=lines)):
            yield from (FormattedLine(1, format_place_line(line), line) for line in lines)
            yield from (FormattedLine(1, format_attribute(attribute), attribute) for attribute in computed)
        case ast.Components(computed=computed, rows=rows):
            yield from (FormattedLine(1, format_attribute(attribute), attribute) for attribute in computed)
            yield from (FormattedLine(1, format_component_row(row), row) for row in rows)
        case ast.Option(sentence=sentence):
            if sentence is not None:
                yield from (FormattedLine(1, quote_text(part), piece) for part in split_sentence(sentence))
        case ast.Setup(body=body) | ast.Phase(body=body) | ast.Step(body=body):
            yield from format_body(body, 1)
        case ast.Action(needs=needs, body=body) | ast.ChangeLines(needs=needs, body=body):
            yield from (FormattedLine(1, format_needs(need), need) for need in needs)
            yield from format_body(body, 1)
        case ast.Score(lines=lines):
            for line in lines:
                yield from (FormattedLine(1, format_note(note), line) for note in line.notes)
                yield FormattedLine(1, format_equation(line.name.text, line.value), line)
        case ast.Example():
            yield from format_example(piece)
        case ast.Small(pieces=pieces):
            yield from (evolve(row, depth=row.depth + 1) for one in pieces for row in format_piece(one))
        case ast.Persona(lines=lines):
            yield from (FormattedLine(1, format_preference(line), line) for line in lines)
        case ast.Words(items=items):
            yield from (FormattedLine(1, f"{item.name.text}: {quote_text(item.text)}", item) for item in items)
        case _:
            pass


def split_sentence(sentence: str) -> Iterator[str]:
    """A long sentence stands on several lines; read, they are one again."""
    while len(sentence) > WIDTH - 4 and (end := sentence.rfind(" ", 1, WIDTH - 4)) > 0:
        yield sentence[:end]
        sentence = sentence[end + 1 :]
    yield sentence


def format_note(note: str) -> str:
    return f"## {note}".rstrip()


def format_needs(needs: ast.Needs) -> str:
    return format_reason(f"needs {format_condition(needs.condition)}", needs.because)


def format_line_alone(line: ast.Statement | ast.Needs | ast.Branch) -> str:
    """One line, without what stands below it."""
    match line:
        case ast.Needs():
            return format_needs(line)
        case ast.Branch():
            return format_branch(line, is_first=False)
        case _:
            return next(format_statement(line, 0)).text


def format_reason(condition: str, reason: str | None) -> str:
    return mark_part(AT_ALL_LEVEL, (condition, f"because {quote_text(reason)}")) if reason is not None else condition


def format_first_line(piece: ast.AnyDeclaration) -> str:
    match piece:
        case ast.Edition() | ast.Title() | ast.VariantOf() | ast.Players() | ast.Teams() | ast.Rounds():
            return format_head(piece)
        case ast.Values() | ast.Components() | ast.Option() | ast.Require():
            return format_material(piece)
        case ast.Zone() | ast.Variable() | ast.Memory():
            return format_zone_or_variable(piece)
        case ast.Table() | ast.Define():
            return format_definition(piece)
        case ast.Setup() | ast.Phase() | ast.Step() | ast.Action():
            return format_flow_piece(piece)
        case (
            ast.Score() | ast.Ranking() | ast.Result() | ast.Figure() | ast.Property() | ast.Example() | ast.Small()
            | ast.Persona() | ast.Words()
        ):
            return format_outcome(piece)
        case ast.ChangePiece() | ast.RemovePiece() | ast.ChangeRow() | ast.ChangeLine() | ast.ChangeLines() | ast.Fix():
            return format_change(piece)
        case _:
            assert_never(piece)


def format_head(piece: ast.Edition | ast.Title | ast.VariantOf | ast.Players | ast.Teams | ast.Rounds) -> str:
    match piece:
        case ast.Edition(number):
            return f"rules {number}"
        case ast.Title(title):
            return f"game {quote_text(title)}"
        case ast.VariantOf(title, base):
            return f"variant {quote_text(title)} of {quote_text(base.value)}"
        case ast.Players(low, high):
            is_one = repr(low) == repr(high)
            return (
                f"players {format_plain_value(low)}"
                if is_one
                else f"players {format_operand(low)}..{format_plain_value(high)}"
            )
        case ast.Teams(number, teams):
            told = ", ".join(" and ".join(map(str, team)) for team in teams)
            return f"teams for {number}: {told}" if number is not None else f"teams: {told}"
        case ast.Rounds(count, until, moves):
            text = f"rounds {format_plain_value(count)}" if count is not None else ""
            text += f"rounds until {format_condition(until)}" if until is not None else ""
            return text + (f", starter moves {moves}" if moves else "")
        case _:
            assert_never(piece)


def format_material(piece: ast.Values | ast.Components | ast.Option | ast.Require) -> str:
    match piece:
        case ast.Values(name, items, values):
            if values is not None:
                return f"values {name.text}: {format_type(values)}"
            return f"values {name.text}: " + mark_list(map(format_enumerator, items))
        case ast.Components(noun, name) if (count := count_of_plain_components(piece)) is not None:
            return f"{noun} {name.text}: {format_plain_value(count)}"
        case ast.Components(board=ast.Board()):
            return format_board(piece)
        case ast.Components(noun, name, attributes, _, _, copies, condition):
            parts = [
                format_type(attribute.type) if noun == "die" and attribute.type is not None
                else format_attribute(attribute) for attribute in attributes
            ]
            if condition is not None:
                parts[-1] = format_where(format_attribute(attributes[-1], "where"), condition)
            if copies is not None:
                is_plain = isinstance(copies, ast.Number | ast.Name | ast.Call)
                parts.append(f"{format_expression(copies) if is_plain else f'({format_expression(copies)})'} of each")
            return f"{noun} {name.text}" + (": " + mark_list(parts) if parts else "")
        case ast.Option(name, written, default, is_reading, _):
            word = "reading" if is_reading else "option"
            return format_equation(f"{word} {name.text}: {format_type(written)}", default)
        case ast.Require(condition, reason):
            return format_reason(f"require {format_condition(condition)}", reason)
        case _:
            assert_never(piece)


def format_board(piece: ast.Components) -> str:
    if not is_grid(piece):
        return f"board {piece.name.text}"
    if piece.board is not None and piece.board.rings is not None:
        return f"board {piece.name.text}: {format_operand(piece.board.rings)} rings"
    highs = [one.type.high for one in piece.attributes if isinstance(one.type, ast.RangeType)]
    size = " by ".join(format_operand(high) for high in highs)
    if piece.board is not None and piece.board.is_hexagonal:
        size = mark_list((size, "hexagonal"))
    return f"board {piece.name.text}: " + (size if piece.condition is None else format_where(size, piece.condition))


def format_place_line(line: ast.PlaceLine) -> str:
    return "line " + mark_list(name.text for name in line.names)


def count_of_plain_components(piece: ast.Components) -> ast.Expr | None:
    """How many there are of a kind without attributes: `token Seed: 48`."""
    match piece:
        case ast.Components(name=name, attributes=(), computed=(), rows=(ast.RowDecl(own, (), count),)):
            return count if own.text == name.text else None
        case _:
            return None


def format_enumerator(item: ast.Enumerator) -> str:
    return item.name.text + (f" {quote_text(item.label)}" if item.label is not None else "")


def format_attribute(attribute: ast.AttributeDecl, before: str = "*") -> str:
    """`before`: the word that follows, or a sign."""
    if attribute.is_step:
        text = f"step {attribute.name.text}"
    elif attribute.type is None:
        text = f"rule {attribute.name.text}"
    else:
        text = f"{attribute.name.text} {format_type(attribute.type, before)}"
    return format_equation(text, attribute.value) if attribute.value is not None else text


def format_component_row(row: ast.RowDecl) -> str:
    cells = [format_expression(cell) for cell in row.cells]
    if row.copies is not None:
        is_plain = isinstance(row.copies, ast.Number | ast.Name | ast.Call)
        cells.append(f"{format_expression(row.copies) if is_plain else format_operand(row.copies, ATOM)} of each")
    return f"{row.name.text}: " + mark_list(cells)


def format_zone_or_variable(piece: ast.Zone | ast.Variable | ast.Memory) -> str:
    match piece:
        case ast.Zone(name, keys, per_player, kind, _, visibility, capacity, sort_key, seen_by):
            words = [f"{kind} of {' or '.join(one.text for one in piece.kinds)}"]
            words += [format_seen_by(seen_by) or visibility] if visibility is not None else []
            words += [f"up to {format_plain_value(capacity)}"] if capacity is not None else []
            words += [f"sorted by {format_plain_value(sort_key)}"] if sort_key is not None else []
            return f"zone {format_keyed_name(name, keys, per_player)}: " + mark_list(words)
        case ast.Variable(word, name, keys, per_player, written, start, reset, visibility, clamped, seen_by, of_kind):
            called = f"{name.text} of {format_type(keys[0])}" if of_kind else format_keyed_name(name, keys, per_player)
            text = f"{word} {called}: {format_type(written)}"
            words = [format_equation(text, start) if start is not None else text]
            words += [f"each {reset}"] if reset in ("round", "turn") else []
            words += [format_seen_by(seen_by) or visibility] if visibility != "public" else []
            return mark_list(words + ["clamped"] * clamped)
        case ast.Memory(name, reset):
            return f"memory {name.text}" + (f", each {reset}" if reset in ("round", "turn") else "")
        case _:
            assert_never(piece)


def format_seen_by(seen_by: ast.SeenBy | None) -> str:
    if seen_by is None:
        return ""
    words = "public except" if seen_by.is_except else "seen by"
    return f"{words} {' and '.join(map(format_plain_value, seen_by.seats))}"


def format_keyed_name(name: ast.Name, keys: tuple[ast.TypeExpr, ...], per_player: bool) -> str:
    text = name.text + (f"[{mark_list(map(format_type, keys))}]" if keys else "")
    return text + (" of player" if per_player else "")


def format_definition(piece: ast.Table | ast.Define) -> str:
    match piece:
        case ast.Table(entries=entries):
            return (
                f"{format_table_opening(piece)} {mark_list(map(format_entry, entries))}"
                if entries
                else format_table_opening(piece)
            )
        case ast.Define(name, parameters, body):
            opening = f"{name.text}({format_parameters(parameters)})" if parameters else name.text
            return format_equation(f"define {opening}", body)
        case _:
            assert_never(piece)


def format_table_opening(table: ast.Table) -> str:
    return f"table {table.name.text}({format_parameters(table.parameters)}):"


def format_parameters(parameters: Iterable[ast.Parameter]) -> str:
    """`players 2..5`: the name, then what it may be."""
    return mark_list(f"{parameter.name.text} {format_type(parameter.type)}" for parameter in parameters)


def format_entry(entry: ast.Entry) -> str:
    if entry.is_otherwise:
        return f"otherwise: {format_expression(entry.value)}"
    if entry.keys is None:
        return format_expression(entry.value)
    return f"{' '.join(map(format_expression, entry.keys))}: {format_expression(entry.value)}"


def format_flow_piece(piece: ast.Setup | ast.Phase | ast.Step | ast.Action) -> str:
    match piece:
        case ast.Setup(each_round):
            return "setup round" if each_round else "setup"
        case ast.Phase(name, when, loop, _):
            text = f"phase {name.text}" + (f" when {format_condition(when)}" if when is not None else "")
            return text + (f": {format_loop(loop)}" if loop is not None else "")
        case ast.Step(name, _, parameters):
            return f"step {name.text}" + (f"({format_parameters(parameters)})" if parameters else "")
        case ast.Action(name, choices, _, secret, _):
            text = f"action {name.text}" + (f"({mark_list(map(format_choice, choices))})" if choices else "")
            return text + ", secret" * secret
        case _:
            assert_never(piece)


def format_choice(choice: ast.Choice) -> str:
    count = f"{format_type(choice.count)} " if choice.count is not None else ""
    if choice.count is not None and repr(choice.count.low) == repr(choice.count.high):
        count = f"{format_plain_value(choice.count.low)} "
    return f"{count}{choice.name.text} {choice.word} {write_collection(choice.domain).text}"


Outcome = (
    ast.Score | ast.Ranking | ast.Result | ast.Figure | ast.Property | ast.Example | ast.Small | ast.Persona | ast.Words
)


def format_outcome(piece: Outcome) -> str:
    match piece:
        case ast.Score(when, _):
            return {"round": "score each round", "end": "score at end"}.get(when, "score")
        case ast.Ranking(criteria, ties_share):
            parts = [format_criterion(criterion) for criterion in criteria]
            return "ranking: " + mark_list(parts + ["ties share"] * ties_share)
        case ast.Result(outcomes, otherwise):
            parts = [f"{outcome.word.text} when {format_condition(outcome.when)}" for outcome in outcomes]
            return "result: " + mark_list([*parts, f"otherwise {otherwise.text}"])
        case ast.Figure():
            return format_figure(piece)
        case ast.Property() if piece.bound is not None:
            return f"ends within {format_plain_value(piece.bound)} {piece.moment} {quote_text(piece.title)}"
        case ast.Property() if piece.share is not None:
            some, all_ = piece.share
            return f"{piece.word} {some}/{all_} of games {quote_text(piece.title)}: {format_condition(piece.condition)}"
        case ast.Property(title=title, condition=condition):
            return f"{opening_words(piece)} {quote_text(title)}: {format_condition(condition)}"
        case ast.Example(title, _):
            return f"example {quote_text(title)}"
        case ast.Small(title, _):
            return f"small {quote_text(title)}"
        case ast.Persona(name, _):
            return f"persona {name.text}"
        case ast.Words(language, _):
            return f"{kind_of(piece)} {language.text}"
        case _:
            assert_never(piece)


def format_figure(piece: ast.Figure) -> str:
    word = f"{piece.word} " if piece.word is not None else ""
    is_yes = isinstance(piece.value, ast.Truth) and piece.value.value
    if piece.begins is not None and piece.word == "how often" and is_yes:
        return f"figure {piece.name.text}: {word}{piece.begins.text}"
    when = f", at end of {piece.moment}" if piece.moment is not None else ""
    when = f", at {piece.begins.text}" if piece.begins is not None else when
    return f"figure {piece.name.text}: {word}{format_condition(piece.value)}{when}"


def format_preference(line: ast.Preference) -> str:
    when = f" when {format_condition(line.when)}" if line.when is not None else ""
    return f"{line.word} {line.action.text}{when}"


def format_criterion(criterion: ast.Criterion) -> str:
    when = f" when {format_condition(criterion.when)}" if criterion.when is not None else ""
    return f"{criterion.direction} {format_condition(criterion.value)}{when}"


def is_name(text: str) -> bool:
    """Whether it can stand without quotes."""
    words = scan_line(text, 0, len(text)).words
    return [(word.kind, word.text) for word in words] == [("word", text)] and text not in RESERVED


Change = ast.ChangePiece | ast.RemovePiece | ast.ChangeRow | ast.ChangeLine | ast.ChangeLines | ast.Fix
TITLED = (*PROPERTY_WORDS, "property", "example", "small")


def format_change(piece: Change) -> str:
    match piece:
        case ast.ChangePiece(declaration):
            return "change " + format_first_line(declaration)
        case ast.RemovePiece(word, name, of):
            shown = quote_text(name) if name and (word.startswith(TITLED) or not is_name(name)) else name
            return f"remove {word} {shown}".rstrip() + (f" of {of.text}" if of is not None else "")
        case ast.ChangeRow(is_new, row, of):
            row_said = format_component_row(row).removeprefix(f"{row.name.text}: ")
            return f"{'add' if is_new else 'change'} row {row.name.text} of {of.text}: {row_said}"
        case ast.ChangeLine(is_new, line):
            return f"{'add' if is_new else 'change'} line {line.name.text}: {format_expression(line.value)}"
        case ast.ChangeLines(kind, name, place, line):
            piece_said = kind if name is None else f"{kind} {name.text}"
            return f"change {piece_said}, {place} {format_line_alone(line)}"
        case ast.Fix(name, value):
            return format_equation(f"set {name.text}", value)
        case _:
            assert_never(piece)
