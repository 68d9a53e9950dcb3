"""The command line: one table of options, one of commands. Takes words, gives a Request; prints nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.locale.language import say, translate
from rulesrun.terminal.requests import REQUESTS, HelpRequest, Request, VersionRequest
from rulesrun.terminal.trouble import WrongUse

SEEDS = 1 << 63
FINEST = 1e-9  # exploitability that may be asked for
FORMAT_NAMES = ("sarif", "junit", "github")  # of findings, for other tools
TREE_FORMATS = ("efg", "nfg")  # of small games, for Gambit
MOST_JOBS = 61  # more, Windows cannot wait for


@frozen
class Option:
    name: str
    takes: str | None  # what stands behind it, None: nothing
    says: str
    read: Callable[[str], object] = str


@frozen
class Command:
    name: str
    takes: str
    says: str
    options: tuple[str, ...]
    least: int = 1  # how many files
    most: int | None = None
    carried_out_by: str = ""  # a module, where it is not named as the command
    room: str = "commands"

    @property
    def module(self) -> str:
        return f"rulesrun.{self.room}.{self.carried_out_by or self.name}"


def whole_number(text: str) -> int:
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit():
        raise ValueError(message("a whole number"))
    if len(digits) > 19:
        raise ValueError(message("a number of at most 19 digits"))
    return int(text)


def seed_number(text: str) -> int:
    """Two different seeds are two different streams of chance."""
    number = whole_number(text)
    if abs(number) >= SEEDS:
        raise ValueError(message("a number up to {most}", most=SEEDS - 1))
    return number


def positive_number(text: str) -> int:
    number = whole_number(text)
    if number < 1:
        raise ValueError(message("a number from 1"))
    return number


def port_number(text: str) -> int:
    number = whole_number(text)
    if not 0 <= number <= 65535:
        raise ValueError(message("a number from 0 to 65535"))
    return number


def job_count(text: str) -> int:
    """Who asks for thousands gets as many as can be of use."""
    return min(positive_number(text), max(MOST_JOBS, os.cpu_count() or 1))


def player_counts(text: str) -> str:
    """`3`, `2-4`, `2..4`, `all`."""
    bounds = text.replace("..", "-").split("-")
    if text != "all" and not (len(bounds) <= 2 and all(part.isascii() and part.isdigit() for part in bounds)):
        raise ValueError(message("a number, `2-4` or `all`"))
    if len(text) > 9:
        raise ValueError(message("a number of people"))
    return text


def exploitability(text: str) -> float:
    """`0.0001`: of what `solve_game` finds, in points; `1%` is 0.01."""
    if text.endswith("%"):
        return precision(text)
    try:
        number = float(text) if len(text) <= 20 and text.isascii() else 0.0
    except ValueError:
        number = 0.0
    if not FINEST <= number < 1e6:
        raise ValueError(message("a number of points, at least {least:.9f}, as in `0.0001`", least=FINEST))
    return number


def precision(text: str) -> float:
    """`1%`, `0.5%`, `0.01`."""
    digits = text.removesuffix("%").strip()
    if len(text) > 12 or not digits.replace(".", "", 1).isascii() or not digits.replace(".", "", 1).isdigit():
        raise ValueError(message("a percentage, as in `1%`"))
    number = float(digits) / (100 if text.endswith("%") else 1)
    if not 0.0001 <= number < 1:
        raise ValueError(message("at least 0.01% and less than 100%"))
    return number


def choice_seconds(text: str) -> float:
    """`8`, `2.5`."""
    digits = text.replace(".", "", 1)
    if len(text) > 8 or not digits.isascii() or not digits.isdigit() or not 0.1 <= float(text) <= 3600:
        raise ValueError(message("a number of seconds from 0.1 to 3600"))
    return float(text)


def engine(text: str) -> str:
    if text not in ("auto", "reference", "native"):
        raise ValueError(message("`auto`, `reference` or `native`"))
    return text


def output_format(text: str) -> str:
    """`sarif`, or `sarif=findings.sarif`."""
    name, equals, file = text.partition("=")
    if name not in FORMAT_NAMES or (equals and not file):
        raise ValueError(
            message("`sarif`, `junit` or `github`, or one of them with a file, as in `sarif=findings.sarif`")
        )
    return text


def shown_form(text: str) -> str:
    if text not in ("core", "form", "llvm"):
        raise ValueError(message("`core`, `form` or `llvm`"))
    return text


def tree_format(text: str) -> str:
    """`efg`, or `efg=kuhn.efg`."""
    name, equals, file = text.partition("=")
    if name not in TREE_FORMATS or (equals and not file):
        raise ValueError(message("`efg` or `nfg`, or one of them with a file, as in `efg=kuhn.efg`"))
    return text


def figures(text: str) -> str:
    if text not in ("main", "all"):
        raise ValueError(message("`main` or `all`"))
    return text


def percent(text: str) -> int:
    number = whole_number(text.removesuffix("%"))
    if not 0 <= number <= 100:
        raise ValueError(message("a number from 0 to 100"))
    return number


def line_number(text: str) -> str:
    """`68`, or `base.rules:68`."""
    positive_number(text.rpartition(":")[2])
    return text


OPTIONS: Mapping[str, Option] = {
    option.name: option
    for option in (
        Option("players", "N", message("how many play: a number, `2-4` or `all`"), player_counts),
        Option("set", "NAME=VALUE", message("an option or a reading of the rules (repeatable)")),
        Option("with", "FILE", message("a variant laid over the rules (repeatable)")),
        Option(
            "seed", "N", message("the seed of chance: the same seed gives the same games (default 0)"), seed_number
        ),
        Option(
            "memory", "MB", message("stop when positions take more memory than this (default 3072)"), positive_number
        ),
        Option("limit", "N", message("look at no more positions than this"), positive_number),
        Option("whole", None, message("explore the full table, not a smaller one")),
        Option("small", "NAME", message("a `small` table of the rules, by its title")),
        Option("no-symmetry", None, message("do not merge symmetric positions")),
        Option("games", "N", message("how many games for each number of players"), positive_number),
        Option("within", "W", message("play until shares of games are known to within this, as in `1%`"), precision),
        Option("seconds", "N", message("stop after so many seconds"), positive_number),
        Option(
            "work", "N", message("do the work of two cores in N seconds, however long it takes here"), positive_number
        ),
        Option(
            "choice-seconds", "N",
            message("how long people think about a choice, to estimate minutes (default 10)"), choice_seconds
        ),
        Option("seats", "NAMES", message("who plays: `random`, `greedy`, `mcts`, one name or one for each seat")),
        Option(
            "budget", "NUMBERS", message(
                "how much players that search may think at each decision, in games or seconds, as in `50,200,0.1s`"
            )
        ),
        Option(
            "out", "FILE",
            message(
                "write one row per game (.csv, .jsonl, .parquet, folder/); compare, ladder: the sums so far (.json)"
            )
        ),
        Option("jobs", "N", message("how many processes to use"), job_count),
        Option("engine", "NAME", message("which engine: auto, reference or native"), engine),
        Option("figures", "KIND", message("which figures: `main`, or `all` to include every component"), figures),
        Option(
            "lang", "CODE", message("the language of the report, as in `ru`; names follow the `words` of the rules")
        ),
        Option("all", None, message("list everything that holds, not just count it")),
        Option("deep", None, message(
            "search ten times as long: more games, more pairs of options, larger small tables"
        )),
        Option(
            "format", "NAME",
            message(
                "output for other tools: sarif, junit, github; export: efg, nfg; `sarif=FILE` writes a file "
                "(repeatable)"
            ),
            output_format,
        ),
        Option("watch", None, message("run again whenever a file changes, until Ctrl-C")),
        Option("json", None, message("one JSON document instead of text")),
        Option("quiet", None, message("print problems only")),
        Option("check", None, message("print the difference and change nothing")),
        Option("expanded", None, message("print the whole rulebook, with the variant worked into its base")),
        Option("coverage", None, message("show which lines the examples and random games reached")),
        Option(
            "drop", "NAME", message("remove this example of the base, which the house rule rightly breaks (repeatable)")
        ),
        Option("drop-all", None, message("remove all broken examples of the base")),
        Option("record", "NAME", message("change this example of the base to what is true now (repeatable)")),
        Option("record-all", None, message("change all broken examples of the base to what is true now")),
        Option("threshold", "P", message("with --coverage: exit code 1 below this many percent"), percent),
        Option("listing", None, message("with --coverage: print the rules, each line marked")),
        Option("why", "LINE", message("show what must happen for this line to be reached"), line_number),
        Option("show", "FORM", message("which stage to print: `core`, `form` or `llvm`"), shown_form),
        Option("tui", None, message("fill the terminal with the table, play with keys")),
        Option("states", None, message("print the whole position after each event")),
        Option("text", None, message("tell the game in the rules' own words, instead of as events")),
        Option("rules-only", None, message("check only the rules, not whether the seed gives this game")),
        Option("save-example", None, message("add each failure to the rules file as an example")),
        Option("trace", "FILE", message("write the game of the first failure to this file")),
        Option(
            "at", "EVENT", message(
                "use the position before this event of the trace (default: the last event)"
            ), whole_number
        ),
        Option("option", "CHOICE", message("explain why this is legal or not, as in `exchange(red-7, blue-1)`")),
        Option("score", "SEAT", message("explain the score of this player"), positive_number),
        Option("winner", None, message("explain who is ahead, and by which criterion")),
        Option("cluster", "ADDRESS", message("play the games on a Dask cluster, as in `tcp://127.0.0.1:8786`")),
        Option("html", "FILE", message("where to write the page")),
        Option("compare", "VARIANT", message("a variant to compare the rules with (repeatable)")),
        Option("pyodide", "FOLDER", message("the npm package of Python for the browser (default: fetched once)")),
        Option("from", "IDIOM", message("what to start from: `cards`, `dice`, `tricks` …, or any bundled rulebook")),
        Option("port", "N", message("the port to listen on (default 8000; 0: any free one)"), port_number),
        Option("host", "ADDRESS", message("the address to listen on (default 127.0.0.1, this machine only)")),
        Option("public", "NAME", message("the server's public name, as in `games.example` (repeatable)")),
        Option("store", "PLACE", message("where to keep tables: a file, or `postgresql://…` for several servers")),
        Option("debug", None, message("show everybody every seat, and which rules are at work")),
        Option("stdio", None, message("use standard input and output: the only way, but editors pass it")),
        Option("help", None, message("show this page")),
    )
}

FIELDS = {"from": "origin"}  # of options whose name is a word of Python
OWN_MEANINGS = {("solve", "within"): exploitability, ("export", "format"): tree_format}  # of options, by command
REPEATABLE = ("compare", "drop", "record", "format", "public")  # beside `set` and `with`
TABLE = ("players", "set", "with")
EXPLORE = (*TABLE, "limit", "memory", "whole", "no-symmetry", "jobs", "engine", "json", "quiet", "lang")
COVERAGE = ("coverage", "threshold", "listing", "why")
TREE = (*TABLE, "small", "jobs", "engine", "json", "quiet", "lang")
PLAY = (*TABLE, "seed", "games", "jobs", "engine", "json", "quiet")
READINGS = (*PLAY, "lang")
MEASURE = (*PLAY, "within", "seconds", "seats", "figures", "out", "cluster", "lang")
DEADWEIGHT = (*PLAY, "seconds", "seats", "figures", "cluster", "lang")
COMPARE = (*DEADWEIGHT, "out")
REPORT = (*PLAY, "within", "seconds", "seats", "compare", "html", "lang")
LADDER = (*TABLE, "seed", "games", "budget", "seconds", "out", "jobs", "engine", "json", "quiet", "lang")
ASSESS = (*TABLE, "seed", "seconds", "work", "choice-seconds", "watch", "jobs", "engine", "json", "quiet", "lang")
SOLVE = (*TABLE, "within", "seconds", "json", "quiet", "lang")
FIND = (*PLAY, "all", "deep", "watch", "save-example", "trace", "format", "lang")

COMMANDS: Mapping[str, Command] = {
    command.name: command
    for command in (
        Command("run", "FILE…", message("check files, run their examples and play games"), FIND),
        Command(
            "check", "FILE…",
            message("read and check files; play nothing"), ("with", "watch", "format", "json", "quiet", "lang")
        ),
        Command(
            "fmt", "FILE…",
            message("format files in one canonical layout"), ("check", "expanded", "with", "json", "quiet", "lang")
        ),
        Command(
            "test", "FILE…",
            message("run the examples and test the properties"), (*PLAY, *COVERAGE, "all", "format", "lang")
        ),
        Command(
            "adopt",
            "VARIANT",
            message("list, drop or update the base's examples that a house rule breaks"),
            ("drop", "drop-all", "record", "record-all", "json", "quiet", "lang"),
            most=1,
        ),
        Command("explore", "FILE", message("check every reachable position of a small table"), EXPLORE, most=1),
        Command("assess", "FILE", message("five questions about the game, answered by good players"), ASSESS, most=1),
        Command("simulate", "FILE", message("play many games: statistics with intervals"), MEASURE, most=1),
        Command(
            "readings", "FILE", message("how much each `reading` of an unclear rule matters"), READINGS, most=1
        ),
        Command("compare", "BASE VARIANT…", message("what a house rule changes, in words and in play"), COMPARE, 2),
        Command("deadweight", "FILE", message(
            "what changes without each rule, and which rules never matter"
        ), DEADWEIGHT, most=1),
        Command(
            "trace",
            "FILE",
            message("one game, every event"),
            (*TABLE, "seed", "seats", "engine", "states", "text", "lang", "json", "quiet"),
            most=1,
        ),
        Command(
            "play", "FILE", message(
                "play in the terminal, with people and bots; resume a saved game, step through a trace"
            ),
            (*TABLE, "seats", "seed", "trace", "debug", "tui", "lang"), most=2, room="serving",
        ),
        Command(
            "replay", "FILE TRACE", message("play a recorded game again"),
            ("with", "rules-only", "json", "quiet", "lang"), 2, 2,
        ),
        Command("report", "FILE…", message("write one web page: rules, verdicts, figures, charts"), REPORT),
        Command(
            "why",
            "FILE TRACE",
            message("explain why a choice is not legal, a score, who is ahead"),
            ("at", "option", "score", "winner", "with", "json", "lang"),
            2,
            2,
        ),
        Command("ladder", "FILE", message(
            "measure whether thinking pays, and whether a simple habit wins"
        ), LADDER, most=1),
        Command("solve", "FILE", message("the value of a small game, and how to play it best"), SOLVE, most=1),
        Command("tree", "FILE", message("the exact size of a small game's tree"), TREE, most=1),
        Command(
            "export",
            "FILE",
            message("write a small game for Gambit: its tree or its table of strategies"),
            (*TABLE, "format", "limit", "quiet", "lang"),
            most=1,
        ),
        Command(
            "compile", "FILE", message("show what the rules become on the way to machine code"),
            (*TABLE, "show", "json", "lang"), most=1,
        ),
        Command(
            "serve",
            "FILE…",
            message("play in the browser, with people and bots; without FILE, every bundled rulebook"),
            ("with", "port", "host", "public", "store", "engine", "debug", "lang"),
            0,
            room="serving",
        ),
        Command(
            "new", "NAME",
            message("write a first rules file that runs"), ("from", "json", "quiet", "lang"),
            most=1,
        ),
        Command("explain", "CODE", message("explain a diagnostic, with an example"), ("json", "lang"), 0, 1),
        Command(
            "playground",
            "DIR",
            message("write the playground: web pages to write, check, play and share rules"),
            ("pyodide", "json", "quiet", "lang"),
            most=1,
            room="serving",
        ),
        Command(
            "completion",
            "SHELL",
            message("print the completion script for bash, zsh or fish"),
            (),
            carried_out_by="shell",
            room="serving",
        ),
        Command(
            "man", "", message("print the manual page: `rulesrun man | man -l -`"), ("lang",), 0, 0, "shell", "serving"
        ),
        Command(
            "lsp", "", message("run the language server for editors, over standard input and output"), ("stdio",), 0, 0,
            room="serving",
        ),
    )
}


@define
class Words:
    """What has been read of a command line so far."""

    command: Command
    files: list[str] = field(factory=list)
    variants: list[str] = field(factory=list)
    settings: dict[str, str] = field(factory=dict)
    chosen: dict[str, Any] = field(factory=dict)
    lists: dict[str, list[str]] = field(factory=dict)  # of options that may be repeated

    def make_request(self) -> Request:
        """The command's own kind of request: it has a field for each of the command's options."""
        given = self.chosen | {name: tuple(values) for name, values in self.lists.items()}
        kind = REQUESTS[self.command.name]
        return kind(files=tuple(self.files), variants=tuple(self.variants), settings=self.settings, **given)


def read_command_line(words: Sequence[str]) -> Request:
    """The first word may be a command; without one it is the plain form."""
    named = bool(words) and words[0] in COMMANDS and words[0] != "run"
    command = COMMANDS[words[0]] if named else COMMANDS["run"]
    read = Words(command)
    left = list(words[1:] if named else words)
    other: Request | None = None
    while left:
        word = left.pop(0)
        if word == "--":
            read.files += left
            break
        if word in ("-h", "--help"):
            other = other or HelpRequest(topic=command.name)
        elif word == "--version" and not named:
            other = VersionRequest()
        elif word.startswith("-") and word != "-":
            _read_option(read, word, left)
        else:
            read.files.append(word)
    if other is not None:
        return other.but(lang=read.chosen.get("lang"))
    _count_files(read)
    return read.make_request()


def _read_option(read: Words, word: str, left: list[str]) -> None:
    name, equals, value = word.removeprefix("--").partition("=")
    if name not in read.command.options or not word.startswith("--"):
        raise WrongUse(_unknown_option(word.partition("=")[0], read.command))
    option, key = OPTIONS[name], FIELDS.get(name, name.replace("-", "_"))
    if option.takes is None:
        if equals:
            raise WrongUse(message("`--{name}` takes no value", name=name))
        read.chosen[key] = True
        return
    if not equals:
        if not left:
            raise WrongUse(
                message("`--{name}` needs a value, {takes}: {says}", name=name, takes=option.takes, says=option.says)
            )
        value = left.pop(0)
    if name == "set":
        _read_setting(read, value)
    elif name == "with":
        read.variants.append(value)
    else:
        convert = OWN_MEANINGS.get((read.command.name, name), option.read)
        try:
            converted = convert(value)
        except ValueError as expected:
            raise WrongUse(
                message("`--{name} {value}`: expected {expected}", name=name, value=value, expected=expected)
            ) from None
        if name in REPEATABLE:
            read.lists.setdefault(key, []).append(str(converted))
        else:
            read.chosen[key] = converted


def _read_setting(read: Words, text: str) -> None:
    name, equals, value = text.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise WrongUse(message("`--set {text}`: write NAME=VALUE, as in `--set first=seat`", text=text))
    if name.strip() in read.settings:
        raise WrongUse(message("`--set {name}` is given twice", name=name.strip()))
    read.settings[name.strip()] = value.strip()


def _unknown_option(word: str, command: Command) -> str:
    if command.name == "run":
        unknown = message("the plain form has no option `{option}`", option=word)
    else:
        unknown = message("`rulesrun {command}` has no option `{option}`", command=command.name, option=word)
    nearest = get_close_matches(word, [f"--{name}" for name in command.options], n=1, cutoff=0.7)
    if word.removeprefix("--") in OPTIONS or not nearest:
        return unknown
    return join_messages([unknown, message("did you mean `{near}`?", near=nearest[0])], "; ")


def _count_files(read: Words) -> None:
    command = read.command
    for file in read.files:
        name, equals, _ = file.partition("=")
        if equals and name in read.settings:  # as a shell makes it of `--set sizes={2,1}`
            raise WrongUse(
                message(
                    "`{file}` is no file: of several values write `--set {name}=2,1`, without braces",
                    file=file,
                    name=name,
                )
            )
    if len(read.files) < command.least:
        raise WrongUse(message("`{command}` needs {takes}", command=command_words(command), takes=command.takes))
    if command.most == 0 and read.files:
        raise WrongUse(
            message(
                "`rulesrun {command}` takes no arguments: remove `{word}`", command=command.name, word=read.files[0]
            )
        )
    if command.most is not None and len(read.files) > command.most:
        raise WrongUse(
            message(
                "`rulesrun {command}` takes only {takes}: remove `{word}`",
                command=command.name,
                takes=command.takes,
                word=read.files[command.most],
            )
        )


def command_words(command: Command) -> str:
    """As it is called: the plain form has no word of its own."""
    return "rulesrun" if command.name == "run" else f"rulesrun {command.name}"


def overview() -> str:
    """The short help of the whole tool."""
    plain = COMMANDS["run"]
    lines = [f"rulesrun {plain.takes:<22}{translate(plain.says)}"]
    lines += [
        f"rulesrun {command.name + ' ' + command.takes:<22}{translate(command.says)}"
        for command in COMMANDS.values()
        if command.name != "run"
    ]
    lines += ["", say("FILE is a rules file, `-`, or a bundled rulebook: `zero`, `classics/kuhn`."), ""]
    lines += [*_option_lines(FIND), "", say("`rulesrun COMMAND --help` says more about a command.")]
    return "\n".join(lines) + "\n"


def help_of(command: Command) -> str:
    """All that one command can do."""
    lines = [f"{command_words(command)} {command.takes}", f"  {translate(command.says)}", ""]
    return "\n".join([*lines, *_option_lines(command.options)]) + "\n"


def _option_lines(names: Iterable[str]) -> list[str]:
    return [f"  --{name + ' ' + (OPTIONS[name].takes or ''):<20}{translate(OPTIONS[name].says)}" for name in names]
