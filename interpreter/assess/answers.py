"""The five questions of a designer, answered: typed data, no words. Every answer may be that it is not known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

from attrs import frozen

from rulesrun.interpreter.assess.played_games import Item
from rulesrun.interpreter.measure.estimates import TOLERANCE, Estimate

YES, LITTLE, NO, NOT_KNOWN, TOGETHER, WORSE = "yes", "a little", "no", "not known", "together", "worse"


@frozen
class StarterPoints:
    """By perfect play: the points of who begins more than the mean; `doubt`: how far it may be off."""

    seat: int
    points: float
    doubt: float


@frozen
class Refuted:
    """Who seemed to be worse off fares better by playing another way. `share`: of the wins of who sits so many places
    `behind` who begins, or seat 1, as it was seen, and `other`: when those who are worse off play like `player`.
    """

    player: str
    behind: int
    share: Estimate
    other: Estimate


@frozen
class Unchecked:
    """Who seems to be better or worse off, and sits so many places `behind` who begins, or at this seat less one, among
    players of one kind; there was no time to see how others fare there. `share`: of the wins, as it was seen."""

    behind: int
    share: Estimate


@frozen
class SeatsAnswer:
    """Does it matter who begins, and where one sits? `starter`: the share of the wins of who has the first choice, None
    where several choose at once; `places`: of who sits so many seats behind, `seats`: of each seat."""

    verdict: str
    fair: float
    starter: Estimate | None
    places: tuple[Estimate, ...]
    seats: tuple[Estimate, ...]
    is_by_lot: bool = False  # another player begins in another game
    favoured: int | None = None  # the place, counted from who begins, or the seat, that is clearly not even
    exact: tuple[StarterPoints, ...] = ()
    lead: Estimate | None = None  # the points of who begins, less the mean of the others; more is better
    random: Estimate | None = None  # the same as `starter`, or the seat favoured, of random players
    is_misled: bool = False  # random players clearly say the opposite
    more_games: int | None = None
    witness: int | None = None
    refuted: Refuted | None = None  # why nobody is called favoured though the games of the judges are clear
    unchecked: Unchecked | None = None  # another reason for that


@frozen
class LengthAnswer:
    """How long does it take? `minutes`: at so many seconds a choice; `waiting`: choices of others between two of one's
    own; `spread`: between these lie eight games of ten."""

    verdict: str
    choices: Estimate
    spread: tuple[int, int]
    decisions: Estimate
    minutes: Estimate
    choice_seconds: float
    a_turn: float
    rounds: float
    waiting: float
    longest_wait: int
    random: Estimate | None = None
    is_misled: bool = False
    stuck: int = 0
    witness: int | None = None
    longest: int | None = None  # the number of the longest game


@frozen
class Step:
    """A rung of the ladder: one player of a kind among others. `share` of the wins, or the gain in points."""

    player: str
    against: str
    share: Estimate
    fair: float
    verdict: str


@frozen
class SkillAnswer:
    """Does skill matter? `luck`: the part of the games that thinking does not decide, strongest against random."""

    verdict: str
    steps: tuple[Step, ...]
    luck: Estimate | None
    in_points: bool
    more_games: int | None = None
    witness: int | None = None


@frozen
class ItemWorth:
    """What is worth it? `loss`: what a player loses who does without it, of the wins or in points. `usage`: how often
    it was chosen where it could be, `expected`: how often by chance."""

    item: Item
    verdict: str  # needed, idle, harmful, not known
    loss: Estimate
    usage: float
    expected: float
    possible: int
    is_exact: bool = False
    witness: int | None = None


NEEDED, IDLE, HARMFUL = "needed", "idle", "harmful"


@frozen
class WorthAnswer:
    """What is never worth it? "yes": something; "no": all that was asked about is needed."""

    verdict: str
    items: tuple[ItemWorth, ...]
    in_points: bool

    def list_worths(self, verdict: str) -> list[ItemWorth]:
        return [one for one in self.items if one.verdict == verdict]


@frozen
class DecidedAnswer:
    """When is it decided? `again`: how often the same player wins when the rest is played again, from the first choice
    on and after each quarter of them; `anew`: when all of it is, whatever was dealt. `leads`: how often who leads by
    points known then wins. `half`: after which part of the choices half of it is decided, with its bounds."""

    verdict: str
    anew: Estimate
    again: tuple[Estimate, ...]
    leads: tuple[Estimate, ...]
    half: Estimate | None
    has_known_points: bool
    more_games: int | None = None
    witness: int | None = None


def judge_share(found: Estimate, fair: float, tolerance: float = TOLERANCE) -> str:
    """Whether a share is clearly not even; clearly as good as even; or nobody knows."""
    if found.low is None or found.high is None:
        return NOT_KNOWN
    is_near = fair - tolerance <= found.low and found.high <= fair + tolerance
    if found.low > fair or found.high < fair:
        return LITTLE if is_near else YES
    return NO if is_near else NOT_KNOWN


def is_upheld(seen: Estimate, other: Estimate, fair: float) -> bool:
    """Whether what was seen to be uneven stays so: clearly, or by more than half."""
    is_clear = judge_share(other, fair, 0.0) == YES and (other.value > fair) == (seen.value > fair)
    return is_clear or (other.value - fair) / (seen.value - fair) > 0.5


def count_games_to_know(found: Estimate, fair: float, tolerance: float = TOLERANCE) -> int | None:
    """How many games would tell it, if it is as it was seen."""
    if found.low is None or found.high is None or not found.games:
        return None
    wanted = max(abs(found.value - fair), tolerance)
    if not wanted:
        return None
    return max(ceil(found.games * (found.half_width / wanted) ** 2), found.games + 1)


def find_half(anew: Estimate, again: Sequence[Estimate]) -> Estimate | None:
    """Where the way from not decided at all to decided is half done, between quarters on a straight line."""
    if anew.value > 1 - 1e-9 or any(one.low is None or one.high is None for one in again):
        return None
    middle = (1 + anew.value) / 2
    value = cross_level([*(one.value for one in again), 1.0], middle)
    high = cross_level([*(one.low or 0.0 for one in again), 1.0], middle)
    low = cross_level([*(one.high or 1.0 for one in again), 1.0], middle)
    return Estimate(value, low, high, again[0].games)


def cross_level(values: Sequence[float], level: float) -> float:
    """The part of the way at which a line through these values, at equal distances, first reaches the level."""
    steps = len(values) - 1
    if values[0] >= level:
        return 0.0
    for at, (one, other) in enumerate(pairwise(values)):
        if other >= level:
            return (at + (level - one) / (other - one)) / steps
    return 1.0
