"""How types relate: what fits where, what two have in common, how a type is called in a message. Pure functions."""

from __future__ import annotations

from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing import types
from rulesrun.dsl.typing.intervals import join_bounds

TRUTH = types.TruthOf()
PLAYER = types.PlayerOf()
NOTHING = types.NothingOf()
UNKNOWN = types.Unknown()
PLAYERS = types.CollectionOf(PLAYER)


def describe_type(type: types.Type) -> str:
    """The type as an author would say it."""
    match type:
        case types.NumberOf():
            return message("a number")
        case types.TruthOf():
            return message("yes or no")
        case types.PlayerOf():
            return message("a player")
        case types.WordOf(name=name):
            return message("a phase") if name == "phase" else message("a value of `{name}`", name=name)
        case types.ComponentOf():
            return types.EITHER.join(map(with_article, type.members))
        case types.OrderOf(item=item):
            return message("an order of {several}", several=_describe_several(item))
        case types.CollectionOf(item=item, is_zone=is_zone):
            return (
                f"{'a zone' if is_zone else 'several'} of {_describe_several(item)}"
                if is_zone
                else _describe_several(item)
            )
        case types.OptionalOf(item=item):
            return message("{item_type} or nothing", item_type=describe_type(item))
        case types.NothingOf():
            return "nothing"
        case types.TextOf():
            return message("a text")
        case types.Unknown():
            return "something"


def _describe_several(type: types.Type) -> str:
    match type:
        case types.NumberOf():
            return message("several numbers")
        case types.PlayerOf():
            return message("several players")
        case types.ComponentOf(kind=kind):
            return f"several {kind}"
        case types.WordOf(name=name):
            return message("several values of `{name}`", name=name)
        case _:
            return message("several values")


def strip_optional(type: types.Type) -> types.Type:
    """Without `or nothing`."""
    return type.item if isinstance(type, types.OptionalOf) else type


def item_of(type: types.Type) -> types.Type | None:
    """What a collection is made of; None for what is not a collection."""
    match type:
        case types.CollectionOf(item=item) | types.OrderOf(item=item):
            return item
        case types.Unknown():
            return UNKNOWN
        case _:
            return None


def is_assignable(expected: types.Type, found: types.Type) -> bool:
    """Whether a value of the type found may stand where the other is expected."""
    match expected, found:
        case (types.Unknown(), _) | (_, types.Unknown()):
            return True
        case (types.OptionalOf(item=item), types.NothingOf()):
            return True
        case (types.OptionalOf(item=item), _):
            return is_assignable(item, strip_optional(found))
        case (_, types.OptionalOf(item=item)):
            return is_assignable(expected, item)
        case (types.NumberOf(), types.NumberOf()):
            return True
        case (types.ComponentOf(), types.ComponentOf()):
            return set(found.members) <= set(expected.members)
        case (types.WordOf(name=a, words=left), types.WordOf(name=b, words=right)):
            return a == b and left == right
        case (types.CollectionOf(item=a) | types.OrderOf(item=a), types.CollectionOf(item=b) | types.OrderOf(item=b)):
            return is_assignable(a, b) or is_assignable(b, a)
        case _:
            return expected == found


def is_comparable(left: types.Type, right: types.Type) -> bool:
    """Whether `=` between them can make sense."""
    if isinstance(left, types.NothingOf) or isinstance(right, types.NothingOf):
        other = right if isinstance(left, types.NothingOf) else left
        return isinstance(other, types.OptionalOf | types.NothingOf | types.Unknown)
    one, other = strip_optional(left), strip_optional(right)
    if isinstance(one, types.ComponentOf) and isinstance(other, types.ComponentOf):
        return not set(one.members).isdisjoint(other.members)
    return is_assignable(left, right) or is_assignable(right, left)


def join_types(left: types.Type, right: types.Type) -> types.Type | None:
    """The type of something that is one or the other; None when they have nothing in common."""
    match left, right:
        case (types.Unknown(), _) | (_, types.Unknown()):
            return UNKNOWN
        case (types.NumberOf(), types.NumberOf()):
            return join_bounds(left, right)
        case (types.NothingOf(), types.NothingOf()):
            return NOTHING
        case (types.NothingOf(), other) | (other, types.NothingOf()):
            return other if isinstance(other, types.OptionalOf) else types.OptionalOf(other)
        case (types.OptionalOf(item=a), b) | (b, types.OptionalOf(item=a)):
            inner = join_types(a, strip_optional(b))
            return None if inner is None else types.OptionalOf(inner)
        case (types.CollectionOf(item=a), types.CollectionOf(item=b)):
            inner = join_types(a, b)
            return None if inner is None else types.CollectionOf(inner)
        case (types.ComponentOf(), types.ComponentOf()) if is_assignable(right, left):
            return right
        case _:
            return left if is_assignable(left, right) else None
