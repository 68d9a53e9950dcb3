"""What a command is asked to do, typed: one class a command. The command line and the Python API both make these."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, dataclass_transform

Asked = TypeVar("Asked", bound="Request")
NOTHING_SET: Mapping[str, str] = {}


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Fields:
    """A class whose annotated names are fields; one without a default must be given.

    Written by hand: twenty classes of a library would take longer to make than a file takes to check.
    """

    if not TYPE_CHECKING:  # there the fields are the parameters

        def __init__(self, **given: Any) -> None:
            fields = self.field_names()
            unknown = given.keys() - fields
            missing = {name for name in fields if name not in given and not hasattr(type(self), name)}
            if unknown or missing:
                raise TypeError(f"{type(self).__name__}: no field {sorted(unknown)}, and none for {sorted(missing)}")
            self.__dict__.update(given)

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"a request does not change: {name}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    @classmethod
    def field_names(cls) -> frozenset[str]:
        """Those of its bases, too."""
        kinds = [get_annotations(kind) for kind in cls.__mro__]
        return frozenset(name for kind in kinds for name, of in kind.items() if not str(of).startswith("ClassVar"))


class Request(Fields):
    """What most commands understand. Nothing that is `None` was asked for."""

    command: ClassVar[str] = ""

    files: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()  # laid over the rules
    players: str | None = None  # `3`, `2-4`, `all`
    settings: Mapping[str, str] = NOTHING_SET  # of options and readings of the rules
    seed: int = 0
    games: int | None = None
    seconds: int | None = None
    seats: str | None = None  # who plays
    jobs: int | None = None
    engine: str | None = None
    lang: str | None = None
    format: tuple[str, ...] = ()  # for other tools: `sarif`, `junit`, `github`; with `=FILE` into that file
    json: bool = False
    quiet: bool = False

    @property
    def printed_format(self) -> str | None:
        """What stands on standard output in place of the report."""
        return next((name for name in self.format if "=" not in name), None)

    def as_request(self, kind: type[Asked], **changes: Any) -> Asked:
        """The same question to another command, as far as both understand it."""
        known = kind.field_names()
        return kind(**{name: value for name, value in self.__dict__.items() if name in known} | changes)

    def but(self, **changes: Any) -> Self:
        """The same with some of it changed."""
        return self.as_request(type(self), **changes)


class RunRequest(Request):
    """The plain form: everything there is to say about a file."""

    command: ClassVar[str] = "run"

    all: bool = False
    deep: bool = False
    watch: bool = False
    save_example: bool = False
    trace: str | None = None


class TestRequest(RunRequest):
    command: ClassVar[str] = "test"
    __test__: ClassVar[bool] = False  # pytest: no test

    coverage: bool = False
    threshold: int | None = None
    listing: bool = False
    why: str | None = None


class CheckRequest(Request):
    command: ClassVar[str] = "check"

    watch: bool = False


class FormatRequest(Request):
    command: ClassVar[str] = "fmt"

    check: bool = False
    expanded: bool = False


class AdoptRequest(Request):
    command: ClassVar[str] = "adopt"

    drop: tuple[str, ...] = ()
    drop_all: bool = False
    record: tuple[str, ...] = ()
    record_all: bool = False


class ExploreRequest(Request):
    command: ClassVar[str] = "explore"

    limit: int | None = None
    memory: int | None = None  # megabytes
    whole: bool = False
    no_symmetry: bool = False


class MeasureRequest(Request):
    """For commands that play many games and add up what they show."""

    within: float | None = None
    figures: str | None = None
    out: str | None = None
    cluster: str | None = None


class SimulateRequest(MeasureRequest):
    command: ClassVar[str] = "simulate"


class CompareRequest(MeasureRequest):
    command: ClassVar[str] = "compare"


class DeadweightRequest(MeasureRequest):
    command: ClassVar[str] = "deadweight"


class ReportRequest(MeasureRequest):
    command: ClassVar[str] = "report"

    compare: tuple[str, ...] = ()
    html: str | None = None


class ReadingsRequest(Request):
    command: ClassVar[str] = "readings"


class LadderRequest(MeasureRequest):
    command: ClassVar[str] = "ladder"

    budget: str | None = None


class AssessRequest(Request):
    command: ClassVar[str] = "assess"

    work: int | None = None  # as many seconds are worth, without a clock
    choice_seconds: float | None = None  # that a player takes for a choice
    watch: bool = False


class TraceRequest(Request):
    command: ClassVar[str] = "trace"

    states: bool = False
    text: bool = False


class PlayRequest(Request):
    """`seed`: nobody knows it unless it is said."""

    command: ClassVar[str] = "play"

    seed: int | None = None  # type: ignore[assignment]
    trace: str | None = None
    debug: bool = False
    tui: bool = False


class ReplayRequest(Request):
    command: ClassVar[str] = "replay"

    rules_only: bool = False


class WhyRequest(Request):
    command: ClassVar[str] = "why"

    at: int | None = None
    option: str | None = None
    score: int | None = None
    winner: bool = False


class SolveRequest(Request):
    command: ClassVar[str] = "solve"

    within: float | None = None


class ExportRequest(Request):
    command: ClassVar[str] = "export"

    limit: int | None = None  # nodes of the tree


class TreeRequest(Request):
    command: ClassVar[str] = "tree"

    small: str | None = None


class CompileRequest(Request):
    command: ClassVar[str] = "compile"

    show: str | None = None  # core | form | llvm


class ServeRequest(Request):
    """The server of tables."""

    command: ClassVar[str] = "serve"

    port: int = 8000
    host: str = "127.0.0.1"
    public: tuple[str, ...] = ()
    store: str | None = None
    debug: bool = False


class NewRequest(Request):
    command: ClassVar[str] = "new"

    origin: str | None = None  # an idiom, or a bundled rulebook


class ExplainRequest(Request):
    command: ClassVar[str] = "explain"


class PlaygroundRequest(Request):
    command: ClassVar[str] = "playground"

    pyodide: str | None = None


class CompletionRequest(Request):
    command: ClassVar[str] = "completion"


class ManualRequest(Request):
    command: ClassVar[str] = "man"


class LspRequest(Request):
    command: ClassVar[str] = "lsp"

    stdio: bool = False  # the only way; editors say it


class HelpRequest(Request):
    """`--help`, of the whole tool or of one command."""

    command: ClassVar[str] = "help"

    topic: str


class VersionRequest(Request):
    command: ClassVar[str] = "version"


REQUESTS: Mapping[str, type[Request]] = {
    kind.command: kind
    for kind in (
        RunRequest, TestRequest, CheckRequest, FormatRequest, AdoptRequest, ExploreRequest, SimulateRequest,
        CompareRequest,
        DeadweightRequest, AssessRequest, ReportRequest, ReadingsRequest, LadderRequest, TraceRequest, PlayRequest,
        ReplayRequest,
        WhyRequest,
        SolveRequest, TreeRequest, ExportRequest, CompileRequest, ServeRequest, NewRequest, ExplainRequest,
        PlaygroundRequest, CompletionRequest, ManualRequest, LspRequest,
    )
}  # fmt: skip
