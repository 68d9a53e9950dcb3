"""Options that would give away what the chooser cannot see: offered or withheld because of hidden cards.

Counting a zone tells nothing new: everybody sees how many components lie there. What has been shown somewhere in the
rules is left alone, since what a player has seen follows from the course of a game.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import RECURRING, footprint_of
from rulesrun.dsl.ast.walk import children
from rulesrun.dsl.checks.hidden_tops import PLACES
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import (
    CheckedGame,
    StatementPlace,
    is_asked_of_player,
    keys_read,
    nodes_behind_meaning,
    zone_of,
)
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import BuiltinMeaning, Meaning

Seen = set[tuple[Meaning, bool]]


def check_secret_leaks(reading: CheckedGame) -> Iterator[Diagnostic]:
    statements = (node for node in reading.nodes if isinstance(node, ast.Statement))
    shown = {reading.meaning_of_place(what) for one in statements for what in footprint_of(one).shows}
    blind = _find_blind_choices(reading)
    shown |= {*blind}
    yield from (_blind_diagnostic(zone, at) for zone, at in blind.items())
    for node, what in _deciding_nodes(reading):
        reported: set[ast.Zone] = set()
        for zone, is_own, at in _zones_read(reading, node):
            if zone not in shown and zone not in reported and _is_secret(zone, is_own):
                reported.add(zone)
                yield Diagnostic(
                    "secret-leak",
                    message(
                        "{what} depends on what is in `{zone}`, which {whom}",
                        what=what,
                        zone=zone.name.text,
                        whom=_who_sees(zone),
                    ),
                    at.span,
                    message(
                        "the choice would give it away; make the zone public, or use only what the chooser can see"
                    ),
                    "warning",
                )
    for node in _recurring_conditions(reading):
        for zone, _, at in _zones_read(reading, node):
            if zone.visibility == "hidden" and zone not in shown and not _can_be_deduced(reading, zone):
                yield Diagnostic(
                    "secret-leak",
                    message(
                        "how the game goes on depends on what is in `{zone}`, which nobody sees", zone=zone.name.text
                    ),
                    at.span,
                    message("so nobody at the table could tell when; use only what can be seen"),
                    "warning",
                )
                break


def _blind_diagnostic(zone: ast.Zone, at: ast.Node) -> Diagnostic:
    return Diagnostic(
        "secret-leak", message("players choose from their `{zone}`, which nobody sees", zone=zone.name.text),
        at.span, message("declare it `private`: then its owner sees it"), "warning",
    )  # fmt: skip


def _find_blind_choices(reading: CheckedGame) -> dict[ast.Zone, ast.Node]:
    """Everybody's own hidden zones out of which something is chosen, and where that is said first: one mistake in the
    declaration, not one in every action.
    """
    found: dict[ast.Zone, ast.Node] = {}
    for action in reading.pieces(ast.Action):
        for choice in action.choices:
            domain = choice.domain.collection if isinstance(choice.domain, ast.Filter) else choice.domain
            zone = reading.meaning(domain)
            if isinstance(zone, ast.Zone) and zone.per_player and zone.visibility == "hidden":
                found.setdefault(zone, domain)
    return found


def _recurring_conditions(reading: CheckedGame) -> Iterator[ast.Node]:
    """What decides how often something is done, who is left out, whether a phase comes."""
    for node in reading.nodes:
        if isinstance(node, ast.Statement):
            yield from footprint_of(node).decided_by(RECURRING)
        elif isinstance(node, ast.Phase) and node.when is not None:
            yield node.when
        elif isinstance(node, ast.Rounds) and node.until is not None:
            yield node.until


def _can_be_deduced(reading: CheckedGame, zone: ast.Zone) -> bool:
    """Whether all other places for such components lie open: then one can work out what lies here."""
    kinds = {kind.text for kind in zone.kinds}
    zones = (one for one in reading.pieces(ast.Zone) if one is not zone)
    others = [one for one in zones if not kinds.isdisjoint(kind.text for kind in one.kinds)]
    return all(one.visibility == "public" for one in others)


def _is_secret(zone: ast.Zone, is_own: bool) -> bool:
    if zone.seen_by is not None and is_own:
        names_owner = any(isinstance(seat, ast.Name) for seat in zone.seen_by.seats)
        return names_owner is zone.seen_by.is_except
    return zone.visibility == "hidden" or (zone.visibility == "private" and not is_own)


def _who_sees(zone: ast.Zone) -> str:
    if zone.visibility == "seen by":
        return message("its owner does not see")
    return message("nobody sees") if zone.visibility == "hidden" else message("only its owner sees")


def _deciding_nodes(reading: CheckedGame) -> Iterator[tuple[ast.Node, str]]:
    """The conditions and choices that decide what is offered."""
    for action in reading.pieces(ast.Action):
        if not _is_team_action(reading, action):
            for choice in action.choices:
                yield choice.domain, message("what can be chosen for `{choice}`", choice=choice.name.text)
            for needs in action.needs:
                yield needs.condition, message("whether `{action}` is offered", action=action.name.text)
    for place in reading.flow.places:
        match place.statement:
            case ast.Choose(condition=condition) if condition is not None:
                yield condition, message("who is asked")
            case ast.If(branches=branches):
                for branch in branches:
                    if branch.condition is not None and _has_choice_inside(reading, place, branch):
                        yield branch.condition, message("whether a player is asked")
            case _:
                pass


def _is_team_action(reading: CheckedGame, action: ast.Action) -> bool:
    callers = reading.flow.callers.get(action, [])
    asked = [place.statement for place in callers if isinstance(place.statement, ast.Choose)]
    return bool(asked) and all(choose.who == "team" for choose in asked)


def _has_choice_inside(reading: CheckedGame, place: StatementPlace, branch: ast.Branch) -> bool:
    condition = (branch.condition, True)
    reading.flow.patience.spend(len(reading.flow.of_piece[place.piece]))
    inside = [other for other in reading.flow.of_piece[place.piece] if condition in other.conditions]
    asked = [one.statement for one in reading.flow.walk_reachable(inside) if isinstance(one.statement, ast.Choose)]
    return any(choose.who != "team" for choose in asked)  # the team knows what its members know


# ---------------------------------------------------------------- what an expression reads


def _zones_read(reading: CheckedGame, root: ast.Node) -> Iterator[tuple[ast.Zone, bool, ast.Node]]:
    """Zones whose contents matter, whether they are the chooser's own, and where the expression speaks of them."""
    seen: Seen = set()
    waiting: list[tuple[ast.Node, bool, ast.Node | None]] = [(root, True, None)]
    while waiting:
        node, is_own, at = waiting.pop()
        reading.flow.patience.spend()
        name = node if isinstance(node, ast.Name) else None
        if name is not None:
            meaning, here = reading.meaning(name), at if at is not None else name
            if isinstance(meaning, ast.Zone):
                yield meaning, is_own, here
            elif meaning is not None and not isinstance(meaning, ast.Action) and (meaning, is_own) not in seen:
                seen.add((meaning, is_own))
                waiting.extend((part, is_own, here) for part in nodes_behind_meaning(meaning))
            continue
        waiting.extend((child, owns, at) for child, owns in reversed(list(_parts_read(reading, node, is_own))))


def _parts_read(reading: CheckedGame, node: ast.Node, is_own: bool) -> Iterator[tuple[ast.Node, bool]]:
    """The parts of an expression that are looked at; not what is only counted."""
    match node:
        case ast.Of(subject=ast.Name(text="count"), owner=owner) if zone_of(reading, owner) is not None:
            yield from keys_read(reading, owner, is_own)
        case ast.IsEmpty(collection=owner) if zone_of(reading, owner) is not None:
            yield from keys_read(reading, owner, is_own)
        case ast.Of(subject=ast.Name(text=word), owner=owner) if word in PLACES and _is_hidden_pile(reading, owner):
            yield from keys_read(reading, owner, is_own)
        case ast.Of(subject=subject, owner=owner) if is_asked_of_player(reading, subject):
            yield owner, is_own
            yield subject, is_own and _is_current_player(reading, owner)
        case _:
            yield from ((child, is_own) for child in children(node))


def _is_hidden_pile(reading: CheckedGame, node: ast.Expr) -> bool:
    """Its top has a message of its own."""
    zone = reading.meaning_of_place(node)
    return isinstance(zone, ast.Zone) and zone.kind == "pile" and zone.visibility == "hidden"


def _is_current_player(reading: CheckedGame, node: ast.Expr) -> bool:
    meaning = reading.meaning(node)
    is_chosen = isinstance(meaning, ast.Choice) and meaning.name.text == "player"
    return is_chosen or (isinstance(meaning, BuiltinMeaning) and meaning.name == "player")
