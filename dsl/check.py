"""From a game's tree to a program that may be played, or to all that is wrong with it: the chain, in order."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import measure_depth
from rulesrun.dsl.checks import run_checks
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Related
from rulesrun.dsl.expansion.spelled_out import spell_out
from rulesrun.dsl.expansion.step_calls import remove_patterns
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.inference import infer_types
from rulesrun.dsl.typing.names import collect_names
from rulesrun.dsl.typing.program import Program, Rejected
from rulesrun.dsl.variants.small_tables import build_small_game, is_about_old_pieces

DEEPEST = 200
MOST_PLACES = 3
MOST_FINDINGS = 200


def check_game(game: ast.Game, sources: tuple[Source, ...]) -> Program | Rejected:
    if too_deep := _find_depth(game):
        return Rejected(too_deep)
    spelled, unspelled = spell_out(game)
    if too_deep := _find_depth(spelled):
        return Rejected(too_deep)
    names = collect_names(spelled)
    inferred = infer_types(spelled, names)
    played = remove_patterns(spelled)
    checked = run_checks(played, names, inferred, is_spelled_out=not unspelled)
    found = _sort_diagnostics([*unspelled, *names.diagnostics, *inferred.diagnostics, *checked], sources)
    if any(diagnostic.severity == "error" for diagnostic in found):
        return Rejected(found)
    inherited = {id(small) for small in game.smalls if small.span.file != sources[-1].file}
    kept = [small for small in game.smalls if id(small) not in inherited or is_about_old_pieces(game, small)]
    troubles = {id(small): list(_check_small_table(game, small, sources)) for small in kept}
    if trouble := [one for small in kept if id(small) not in inherited for one in troubles[id(small)]]:
        return Rejected(_sort_diagnostics(trouble, sources))
    smalls = tuple(small for small in kept if not troubles[id(small)])
    whole, written = (evolve(one, smalls=smalls) if game.smalls else one for one in (played, game))
    return Program(whole, sources, inferred.meanings, inferred.types, found, written, inferred.united)


def _find_depth(game: ast.Game) -> tuple[Diagnostic, ...]:
    level, deepest = measure_depth(game)
    if level <= DEEPEST:
        return ()
    sentence = message("this is nested too deeply")
    return (Diagnostic("too-deep", sentence, deepest.span, message("split it into several steps")),)


def _check_small_table(game: ast.Game, small: ast.Small, sources: tuple[Source, ...]) -> Iterable[Diagnostic]:
    """What is wrong with the rules on a small table, when nothing is wrong with the rules."""
    assembled = build_small_game(game, small)
    found = assembled.diagnostics
    if not found:
        checked = check_game(assembled.game, sources)
        found = checked.diagnostics if isinstance(checked, Rejected) else ()
    for diagnostic in found:
        if diagnostic.severity == "error":
            line = evolve(small.span, end=small.span.start + len(message('small "{title}"', title=small.title)))
            place = Related(message("on the small table `{title}`", title=small.title), line)
            yield evolve(diagnostic, related=(*diagnostic.related, place))


def _sort_diagnostics(found: Iterable[Diagnostic], sources: tuple[Source, ...]) -> tuple[Diagnostic, ...]:
    """By file and place; what was found twice at one place stands once."""
    files = {source.file: index for index, source in enumerate(sources)}
    unique = dict.fromkeys(found)
    in_order = sorted(unique, key=lambda found: (files.get(found.span.file, 0), found.span.start, found.span.end))
    return _limit_diagnostics(list(_merge_repeated(in_order)))


def _limit_diagnostics(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The first of very many; errors are not pushed out by warnings."""
    if len(found) <= MOST_FINDINGS:
        return tuple(found)
    errors = [each for each in found if each.severity == "error"]
    shown = (errors or found)[:MOST_FINDINGS]
    sentence = message("these are the first mistakes; there may be more")
    return (*shown, Diagnostic("too-many-errors", sentence, shown[-1].span, severity=shown[-1].severity))


def _merge_repeated(found: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    """A name that is unknown at ten places is one mistake: the other places stand beside the first.

    So are mistakes of the same words, after the first few.
    """
    kept: dict[int, Diagnostic] = {}
    same: dict[tuple[str, ...], list[Diagnostic]] = {}
    for diagnostic in found:
        name = _unknown_name(diagnostic)
        about = (name,) if name is not None else (diagnostic.code, diagnostic.message)
        others = same.setdefault(about, [])
        others.append(diagnostic)
        if len(others) <= (1 if name is not None else MOST_PLACES) or diagnostic.severity != "error":
            kept[id(diagnostic)] = diagnostic
    elsewhere = {id(others[-1 - len(rest)]): rest for others in same.values() if (rest := _list_dropped(others, kept))}
    for key, diagnostic in kept.items():
        places = tuple(Related(message("also here"), one.span) for one in elsewhere.get(key, [])[:MOST_PLACES])
        yield evolve(diagnostic, related=(*diagnostic.related, *places)) if places else diagnostic


def _list_dropped(found: list[Diagnostic], kept: dict[int, Diagnostic]) -> list[Diagnostic]:
    return [one for one in found if id(one) not in kept]


def _unknown_name(diagnostic: Diagnostic) -> str | None:
    """The name that cannot be found, or that cannot be what is wanted there."""
    if not diagnostic.code.startswith("unknown-") or "`" not in diagnostic.message:
        return None
    return diagnostic.message.split("`")[1]
