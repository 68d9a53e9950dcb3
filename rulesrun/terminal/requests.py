"""What a command is asked to do, typed: one class a command. The command line and the Python API both make these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, TypeVar

from attrs import field, fields_dict, frozen

Asked = TypeVar("Asked", bound="Request")


@frozen(kw_only=True, slots=False)
class Request:
    """What most commands understand. Nothing that is `None` was asked for."""

    command: ClassVar[str] = ""

    files: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()  # laid over the rules
    players: str | None = None  # `3`, `2-4`, `all`
    settings: Mapping[str, str] = field(factory=dict)  # of options and readings of the rules
    seed: int = 0
    games: int | None = None
    seconds: int | None = None
    seats: str | None = None  # who plays
    jobs: int | None = None
    engine: str | None = None
    lang: str | None = None
    json: bool = False
    quiet: bool = False

    def as_request(self, kind: type[Asked], **changes: Any) -> Asked:
        """The same question to another command, as far as both understand it."""
        known = fields_dict(kind)
        return kind(**{name: getattr(self, name) for name in fields_dict(type(self)) if name in known} | changes)

    def but(self, **changes: Any) -> Self:
        """The same with some of it changed."""
        return self.as_request(type(self), **changes)


@frozen(kw_only=True, slots=False)
class RunRequest(Request):
    """The plain form: everything there is to say about a file."""

    command: ClassVar[str] = "run"

    all: bool = False
    deep: bool = False
    save_example: bool = False
    trace: str | None = None


@frozen(kw_only=True, slots=False)
class TestRequest(RunRequest):
    command: ClassVar[str] = "test"
    __test__: ClassVar[bool] = False  # pytest: no test

    coverage: bool = False
    threshold: int | None = None
    listing: bool = False
    why: str | None = None


@frozen(kw_only=True, slots=False)
class CheckRequest(Request):
    command: ClassVar[str] = "check"


@frozen(kw_only=True, slots=False)
class FormatRequest(Request):
    command: ClassVar[str] = "fmt"

    check: bool = False
    expanded: bool = False


@frozen(kw_only=True, slots=False)
class AdoptRequest(Request):
    command: ClassVar[str] = "adopt"

    drop: tuple[str, ...] = ()
    drop_all: bool = False
    record: tuple[str, ...] = ()
    record_all: bool = False


@frozen(kw_only=True, slots=False)
class ExploreRequest(Request):
    command: ClassVar[str] = "explore"

    limit: int | None = None
    memory: int | None = None  # megabytes
    whole: bool = False
    no_symmetry: bool = False


@frozen(kw_only=True, slots=False)
class MeasureRequest(Request):
    """For commands that play many games and add up what they show."""

    within: float | None = None
    figures: str | None = None
    out: str | None = None
    cluster: str | None = None


@frozen(kw_only=True, slots=False)
class SimulateRequest(MeasureRequest):
    command: ClassVar[str] = "simulate"


@frozen(kw_only=True, slots=False)
class CompareRequest(MeasureRequest):
    command: ClassVar[str] = "compare"


@frozen(kw_only=True, slots=False)
class DeadweightRequest(MeasureRequest):
    command: ClassVar[str] = "deadweight"


@frozen(kw_only=True, slots=False)
class ReportRequest(MeasureRequest):
    command: ClassVar[str] = "report"

    compare: tuple[str, ...] = ()
    html: str | None = None


@frozen(kw_only=True, slots=False)
class ReadingsRequest(Request):
    command: ClassVar[str] = "readings"


@frozen(kw_only=True, slots=False)
class LadderRequest(MeasureRequest):
    command: ClassVar[str] = "ladder"

    budget: str | None = None


@frozen(kw_only=True, slots=False)
class TraceRequest(Request):
    command: ClassVar[str] = "trace"

    states: bool = False


@frozen(kw_only=True, slots=False)
class ReplayRequest(Request):
    command: ClassVar[str] = "replay"

    rules_only: bool = False


@frozen(kw_only=True, slots=False)
class WhyRequest(Request):
    command: ClassVar[str] = "why"

    at: int | None = None
    option: str | None = None
    score: int | None = None
    winner: bool = False


@frozen(kw_only=True, slots=False)
class SolveRequest(Request):
    command: ClassVar[str] = "solve"

    within: float | None = None


@frozen(kw_only=True, slots=False)
class TreeRequest(Request):
    command: ClassVar[str] = "tree"

    small: str | None = None


@frozen(kw_only=True, slots=False)
class CompileRequest(Request):
    command: ClassVar[str] = "compile"

    show: bool = False


@frozen(kw_only=True, slots=False)
class ExplainRequest(Request):
    command: ClassVar[str] = "explain"


@frozen(kw_only=True, slots=False)
class HelpRequest(Request):
    """`--help`, of the whole tool or of one command."""

    command: ClassVar[str] = "help"

    topic: str


@frozen(kw_only=True, slots=False)
class VersionRequest(Request):
    command: ClassVar[str] = "version"


REQUESTS: Mapping[str, type[Request]] = {
    kind.command: kind
    for kind in (
        RunRequest, TestRequest, CheckRequest, FormatRequest, AdoptRequest, ExploreRequest, SimulateRequest,
        CompareRequest,
        DeadweightRequest, ReportRequest, ReadingsRequest, LadderRequest, TraceRequest, ReplayRequest, WhyRequest,
        SolveRequest, TreeRequest, CompileRequest, ExplainRequest,
    )
}  # fmt: skip
