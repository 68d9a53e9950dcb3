"""How types relate: what fits where, what two have in common, how a type is called in a message. Pure functions."""

from __future__ import annotations

from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.intervals import join_bounds
from rulesrun.dsl.typing.types import (
    EITHER,
    CollectionOf,
    ComponentOf,
    NothingOf,
    NumberOf,
    OptionalOf,
    OrderOf,
    PlayerOf,
    TextOf,
    TruthOf,
    Type,
    Unknown,
    WordOf,
)

TRUTH = TruthOf()
PLAYER = PlayerOf()
NOTHING = NothingOf()
UNKNOWN = Unknown()
PLAYERS = CollectionOf(PLAYER)


def describe_type(type: Type) -> str:
    """The type as an author would say it."""
    match type:
        case NumberOf():
            return message("a number")
        case TruthOf():
            return message("yes or no")
        case PlayerOf():
            return message("a player")
        case WordOf(name=name):
            return message("a phase") if name == "phase" else message("a value of `{name}`", name=name)
        case ComponentOf():
            return EITHER.join(map(with_article, type.members))
        case OrderOf(item=item):
            return message("an order of {several}", several=_describe_several(item))
        case CollectionOf(item=item, is_zone=is_zone):
            return (
                f"{'a zone' if is_zone else 'several'} of {_describe_several(item)}"
                if is_zone
                else _describe_several(item)
            )
        case OptionalOf(item=item):
            return message("{item_type} or nothing", item_type=describe_type(item))
        case NothingOf():
            return "nothing"
        case TextOf():
            return message("a text")
        case Unknown():
            return "something"


def _describe_several(type: Type) -> str:
    match type:
        case NumberOf():
            return message("several numbers")
        case PlayerOf():
            return message("several players")
        case ComponentOf(kind=kind):
            return f"several {kind}"
        case WordOf(name=name):
            return message("several values of `{name}`", name=name)
        case _:
            return message("several values")


def strip_optional(type: Type) -> Type:
    """Without `or nothing`."""
    return type.item if isinstance(type, OptionalOf) else type


def item_of(type: Type) -> Type | None:
    """What a collection is made of; None for what is not a collection."""
    match type:
        case CollectionOf(item=item) | OrderOf(item=item):
            return item
        case Unknown():
            return UNKNOWN
        case _:
            return None


def is_assignable(expected: Type, found: Type) -> bool:
    """Whether a value of the type found may stand where the other is expected."""
    match expected, found:
        case (Unknown(), _) | (_, Unknown()):
            return True
        case (OptionalOf(item=item), NothingOf()):
            return True
        case (OptionalOf(item=item), _):
            return is_assignable(item, strip_optional(found))
        case (_, OptionalOf(item=item)):
            return is_assignable(expected, item)
        case (NumberOf(), NumberOf()):
            return True
        case (ComponentOf(), ComponentOf()):
            return set(found.members) <= set(expected.members)
        case (WordOf(name=a, words=left), WordOf(name=b, words=right)):
            return a == b and left == right
        case (CollectionOf(item=a) | OrderOf(item=a), CollectionOf(item=b) | OrderOf(item=b)):
            return is_assignable(a, b) or is_assignable(b, a)
        case _:
            return expected == found


def is_comparable(left: Type, right: Type) -> bool:
    """Whether `=` between them can make sense."""
    if isinstance(left, NothingOf) or isinstance(right, NothingOf):
        other = right if isinstance(left, NothingOf) else left
        return isinstance(other, OptionalOf | NothingOf | Unknown)
    if isinstance(one := strip_optional(left), ComponentOf) and isinstance(other := strip_optional(right), ComponentOf):
        return not set(one.members).isdisjoint(other.members)
    return is_assignable(left, right) or is_assignable(right, left)


def join_types(left: Type, right: Type) -> Type | None:
    """The type of something that is one or the other; None when they have nothing in common."""
    match left, right:
        case (Unknown(), _) | (_, Unknown()):
            return UNKNOWN
        case (NumberOf(), NumberOf()):
            return join_bounds(left, right)
        case (NothingOf(), NothingOf()):
            return NOTHING
        case (NothingOf(), other) | (other, NothingOf()):
            return other if isinstance(other, OptionalOf) else OptionalOf(other)
        case (OptionalOf(item=a), b) | (b, OptionalOf(item=a)):
            inner = join_types(a, strip_optional(b))
            return None if inner is None else OptionalOf(inner)
        case (CollectionOf(item=a), CollectionOf(item=b)):
            inner = join_types(a, b)
            return None if inner is None else CollectionOf(inner)
        case (ComponentOf(), ComponentOf()) if is_assignable(right, left):
            return right
        case _:
            return left if is_assignable(left, right) else None
