"""In which order declared things are looked at, so that none waits for a long chain. Names alone, no types."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.names import DeclaredNames

Typed = ast.Option | ast.Variable | ast.Define | ast.Table | ast.ScoreLine


def order_by_dependency(names: DeclaredNames) -> list[Typed]:
    """Every thing after those that it speaks of, as far as that is possible."""
    things: dict[str, Typed] = dict(names.lines)
    things.update({name: thing for name, thing in names.things.items() if isinstance(thing, Typed)})
    every = [*names.lines.values(), *(thing for thing in names.things.values() if isinstance(thing, Typed))]
    ordered: list[Typed] = []
    seen: set[Typed] = set()
    for start in every:
        waiting: list[tuple[Typed, bool]] = [(start, False)]
        while waiting:
            thing, is_ready = waiting.pop()
            if is_ready:
                ordered.append(thing)
            elif thing not in seen:
                seen.add(thing)
                waiting.append((thing, True))
                waiting.extend((other, False) for other in _mentioned_things(thing, things) if other not in seen)
    return ordered


def _mentioned_things(thing: Typed, things: dict[str, Typed]) -> list[Typed]:
    texts = {node.text for node in walk(thing) if isinstance(node, ast.Name)}
    return [things[text] for text in sorted(texts) if text in things]
