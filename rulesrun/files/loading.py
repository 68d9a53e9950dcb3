"""From files to a checked program: the whole chain in one place. Gives a Reading, whatever was found."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from rulesrun.dsl.contents.front_matter import BaseName, find_base
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.parsing.parse import ParsedFile, PieceMemory, parse_source
from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.dsl.text.source import Source, Span
from rulesrun.dsl.typing.program import Game, Program
from rulesrun.files.sources import TextFile, find_near_bundled, open_base, open_rules
from rulesrun.terminal.trouble import Unplayable

LONGEST_CHAIN = 16


@frozen(eq=False)
class Link:
    """One file of a chain, read."""

    file: TextFile
    source: Source
    parsed: ParsedFile


@frozen(eq=False)
class Reading:
    """What became of one file that was asked for, with its base and variants.

    `chain` is in the order in which the files build on each other, the base first.
    """

    name: str
    chain: tuple[Link, ...]
    diagnostics: tuple[Diagnostic, ...]
    game: Game | None = None
    program: Program | None = None
    laid_over: tuple[str, ...] = ()  # the variants given beside the file, by their own names

    @property
    def file_name(self) -> str:
        return os.path.basename(self.name)

    @property
    def sources(self) -> Mapping[str, Source]:
        return {link.source.file: link.source for link in self.chain}

    @property
    def has_errors(self) -> bool:
        return any(found.severity == "error" for found in self.diagnostics)

    @property
    def title(self) -> str:
        return self.game.title if self.game else ""

    @property
    def digest(self) -> str:
        """One file: the hash of its bytes. Several: of all texts, the base first."""
        if len(self.chain) == 1:
            return self.chain[0].file.digest
        return hashlib.sha256("".join(link.file.text for link in self.chain).encode()).hexdigest()


def read_rules(asked: str, variants: Sequence[str] = ()) -> Reading:
    return read_files(open_rules(asked), [open_rules(name) for name in variants])


def read_playable(asked: str, variants: Sequence[str] = ()) -> Reading:
    """Only rules without errors can be played; else the front door tells what is wrong, exit code 1."""
    reading = read_rules(asked, variants)
    if reading.program is None:
        raise Unplayable(reading)
    return reading


def read_text(text: str, name: str = "rules") -> Reading:
    return read_files(make_text_file(name, text), [])


def make_text_file(name: str, text: str, folder: str = "") -> TextFile:
    """A text that lies in no file, or is not saved yet."""
    return TextFile(name, text, folder, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


def read_chain(file: TextFile, chain: Sequence[TextFile]) -> Reading:
    """Files that were read before, the base first; looks for nothing."""
    return _check_chain(file, tuple(parse_link(one) for one in chain), ())


@frozen
class Sources:
    """Where bases are found, and how a file becomes pieces: an editor has texts of its own, and reads no text twice."""

    find_base: Callable[[str, str], TextFile | None] = open_base
    read_link: Callable[[TextFile], Link] = lambda file: parse_link(file)


ON_DISK = Sources()


def read_files(file: TextFile, variants: Sequence[TextFile], sources: Sources = ON_DISK) -> Reading:
    chain, missing = _load_chain(file, sources)
    for variant in variants:
        own, other_missing = _load_chain(variant, sources)
        missing = (*missing, *other_missing, *_foreign_variant_diagnostics(own, chain))
        known = {link.file.digest for link in chain}
        names = {link.file.short_name for link in chain}
        copies = {link.file.digest for link in own if find_base(link.parsed) is None and link.file.short_name in names}
        chain = (*chain, *(link for link in own if link.file.digest not in known | copies))
    found = (*(finding for link in chain for finding in link.parsed.diagnostics), *missing)
    if any(finding.severity == "error" for finding in found):
        return Reading(file.name, chain, found)
    return evolve(_check_chain(file, chain, found), laid_over=tuple(variant.short_name for variant in variants))


def _check_chain(file: TextFile, chain: tuple[Link, ...], found: tuple[Diagnostic, ...]) -> Reading:
    from rulesrun.dsl.check import check_game
    from rulesrun.dsl.variants.extend import assemble_game

    assembled = assemble_game(file.name, [(link.source, link.parsed) for link in chain])
    found = (*found, *assembled.diagnostics)
    if any(finding.severity == "error" for finding in found):
        return Reading(file.name, chain, found, assembled.game)
    checked = check_game(assembled.game, tuple(link.source for link in chain))
    if isinstance(checked, Program):
        return Reading(file.name, chain, (*found, *checked.warnings), assembled.game, checked)
    return Reading(file.name, chain, (*found, *checked.diagnostics), assembled.game)


def _load_chain(file: TextFile, sources: Sources) -> tuple[tuple[Link, ...], tuple[Diagnostic, ...]]:
    """A file and what it builds on, the base first."""
    links = [sources.read_link(file)]
    while (base := find_base(links[0].parsed)) is not None:
        below = sources.find_base(base.name, links[0].file.folder)
        if below is None:
            return tuple(links), (_unknown_base_diagnostic(base),)
        if any(link.file.digest == below.digest for link in links):
            return tuple(links), (_base_cycle_diagnostic(base),)
        if len(links) == LONGEST_CHAIN:
            return tuple(links), (_long_chain_diagnostic(base),)
        links.insert(0, sources.read_link(below))
    return tuple(links), ()


def _foreign_variant_diagnostics(own: tuple[Link, ...], chain: tuple[Link, ...]) -> Iterator[Diagnostic]:
    """What was to be laid over rules that it is no house rule of. A copy of its base under the same name will do."""
    root, asked, rules = own[0], own[-1], chain[0]
    if any(finding.severity == "error" for finding in asked.parsed.diagnostics):
        return
    base = find_base(asked.parsed)
    if base is None:
        yield Diagnostic(
            "not-a-variant",
            message(
                "`{file}` is a whole rulebook, not a variant of `{base}`",
                file=asked.file.short_name, base=rules.file.short_name),
            _first_span(asked), message('a variant starts with `variant "its title" of "the-base.rules"`'),
        )  # fmt: skip
    elif find_base(root.parsed) is None and root.file.short_name not in {link.file.short_name for link in chain}:
        whose, given = root.file.short_name, rules.file.short_name
        yield Diagnostic(
            "not-a-variant",
            message("this is a variant of `{whose}`, not of `{given}`", whose=whose, given=given),
            base.span,
            message("give it alone, or together with `{whose}`", whose=whose),
        )


def _first_span(link: Link) -> Span:
    return next((piece.span for piece in link.parsed.declarations), Span(link.source.file, 0, 0))


def parse_link(file: TextFile, memory: PieceMemory | None = None) -> Link:
    source = Source(file.name, file.text)
    return Link(file, source, parse_source(source, memory))


def _unknown_base_diagnostic(base: BaseName) -> Diagnostic:
    near = find_near_bundled(base.name)
    hint = message("write the name of a file beside this one, ending in `.rules`, or of a bundled rulebook")
    if near:
        hint = join_messages([hint, message("did you mean the bundled `{near}`?", near=near)], "; ")
    return Diagnostic("unknown-base", message("there is no rulebook `{base}`", base=base.name), base.span, hint)


def _base_cycle_diagnostic(base: BaseName) -> Diagnostic:
    return Diagnostic(
        "base-cycle",
        message("`{base}` extends this file itself, which leads nowhere", base=base.name),
        base.span,
    )


def _long_chain_diagnostic(base: BaseName) -> Diagnostic:
    return Diagnostic("base-cycle", message("more than {most} variants of variants", most=LONGEST_CHAIN), base.span)
