"""The texts that are open, their versions, and what is known of each: as it is read now, and as it was when sound."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.contents.front_matter import find_base
from rulesrun.dsl.parsing.blocks import FindStretch
from rulesrun.dsl.parsing.parse import PieceMemory
from rulesrun.dsl.symbols.rules_text import RulesText
from rulesrun.editing.positions import Range, TextEdit, TextLines, apply_edits
from rulesrun.files.loading import LONGEST_CHAIN, Link, Reading, Sources, make_text_file, parse_link, read_files
from rulesrun.files.sources import TextFile, open_base
from rulesrun.terminal.trouble import Trouble

MOST_LINKS = 40

FindFile = Callable[[str, str], "TextFile | None"]
ListFiles = Callable[[str], Iterable[TextFile]]


@frozen
class Location:
    """A place in a document, which need not be open."""

    document: str
    range: Range


@frozen(eq=False)
class Document:
    """`name` is a path or any other name; the base of a variant is looked for beside it."""

    name: str
    text: str
    version: int

    @property
    def folder(self) -> str:
        return os.path.dirname(self.name)


@define(eq=False)
class Analysis:
    """What is known of one version of a document. `sound`: the last reading without errors, of this or an older one;
    `find_stretch` knows pieces by what is written.
    """

    document: Document
    reading: Reading
    sound: Reading | None
    find_stretch: FindStretch | None = None
    _lines: dict[str, TextLines] = field(factory=dict)
    _rules: RulesText | None = None
    kept: dict[str, Any] = field(factory=dict)  # answers that are worked out once

    @property
    def link(self) -> Link:
        """The document's own file, read."""
        return next(link for link in self.reading.chain if link.file.name == self.document.name)

    @property
    def lines(self) -> TextLines:
        return self.lines_of(self.document.name)

    @property
    def text(self) -> str:
        return self.document.text

    def lines_of(self, file: str) -> TextLines:
        """The lines of a file of the chain, by the name that its spans have."""
        if file not in self._lines:
            source = self.reading.sources.get(file) or (self.sound.sources.get(file) if self.sound else None)
            self._lines[file] = TextLines(source.text if source else "")
        return self._lines[file]

    def locate(self, file: str, start: int, end: int) -> Location:
        return Location(self.path_of(file), self.lines_of(file).make_range(start, end))

    def path_of(self, file: str) -> str:
        """Where a file of the chain lies: a bundled one has a short name in messages."""
        for reading in (self.reading, self.sound):
            for link in reading.chain if reading is not None else ():
                if link.file.name == file and file != self.document.name:
                    return os.path.join(link.file.folder, link.file.short_name)
        return file

    @property
    def rules(self) -> RulesText:
        """What stands in it; pieces that cannot be read now are those of the last sound reading."""
        if self._rules is None:
            is_whole = self.sound is self.reading or not self.link.parsed.diagnostics
            chain = () if self.sound is None or is_whole else self.sound.chain
            before = next((link.parsed for link in chain if link.file.name == self.document.name), None)
            self._rules = RulesText(
                self.document.name, tuple((link.source, link.parsed) for link in self.reading.chain), self.link.parsed,
                self.reading.program, before, self.path_of,
            )
        return self._rules


@define(eq=False)
class Workspace:
    """`find_file` gives what is not open: the name that a variant says, and the folder of the variant. `list_files`
    gives the files that may be variants of what lies in a folder; what is open is known without it.
    """

    find_file: FindFile = open_base
    list_files: ListFiles = lambda folder: ()
    _documents: dict[str, Document] = field(factory=dict)
    _analyses: dict[str, Analysis] = field(factory=dict)
    _memories: dict[str, PieceMemory] = field(factory=dict)
    _links: OrderedDict[tuple[str, str], Link] = field(factory=OrderedDict)

    # ---- documents

    def open_document(self, name: str, text: str, version: int = 0) -> Document:
        """A text is shown from now on, or is another one."""
        document = Document(name, text, version)
        self._documents[name] = document
        return document

    def change_document(self, name: str, changes: Iterable[TextEdit | str], version: int) -> Document:
        """Each change speaks of the text that those before it have left; a text alone takes the place of all."""
        text = self._documents[name].text
        for change in changes:
            text = change if isinstance(change, str) else apply_edits(text, [change])
        return self.open_document(name, text, version)

    def close_document(self, name: str) -> None:
        self._documents.pop(name, None)
        self._analyses.pop(name, None)

    def document(self, name: str) -> Document:
        return self._documents[name]

    def documents(self) -> tuple[Document, ...]:
        return tuple(self._documents.values())

    def dependents(self, name: str) -> Iterator[Document]:
        """The open variants that build on a document."""
        for other, analysis in list(self._analyses.items()):
            names = {analysis.path_of(link.file.name) for link in analysis.reading.chain}
            if other != name and name in names and other in self._documents:
                yield self._documents[other]

    # ---- what is known of them

    def analyse(self, name: str) -> Analysis:
        """Reads and checks what is new; what is known of the same texts is given again."""
        document = self._documents[name]
        before = self._analyses.get(name)
        if before is not None and before.document is document and self._is_chain_unchanged(before):
            return before
        file = make_text_file(name, document.text, document.folder)
        reading = read_files(file, [], Sources(self._find_base, self._read_link))
        sound = reading if reading.program is not None else before.sound if before is not None else None
        analysis = Analysis(document, reading, sound, self._memories[name].find_stretch)
        self._analyses[name] = analysis
        return analysis

    def analyse_family(self, analysis: Analysis) -> tuple[Analysis, ...]:
        """The document, what it builds on, and all variants of that which are open or can be listed."""
        root = analysis.reading.chain[0]
        wanted = analysis.path_of(root.file.name)
        paths = {analysis.path_of(link.file.name): link.file for link in analysis.reading.chain}
        opened = (make_text_file(one.name, one.text, one.folder) for one in self._documents.values())
        for file in (*opened, *self.list_files(root.file.folder)):
            path = os.path.normpath(file.name)
            if "variant " in file.text and path not in paths and self._find_root(file) == os.path.normpath(wanted):
                paths[path] = file
        found = (self.analyse(path) if path in self._documents else self.analyse_file(path, file)
                 for path, file in paths.items())  # fmt: skip
        return tuple(one for one in found if one.path_of(one.reading.chain[0].file.name) == wanted)

    def _find_root(self, file: TextFile) -> str:
        """Where the file lies on which this one builds in the end; only lines are read for it, nothing is checked."""
        path = file.name
        for _ in range(LONGEST_CHAIN):
            asked = find_base(self._read_link(file).parsed)
            base = self._find_base(asked.name, file.folder) if asked is not None else None
            if base is None:
                break
            file, path = base, os.path.join(base.folder, base.short_name)
        return os.path.normpath(path)

    def analyse_file(self, path: str, file: TextFile) -> Analysis:
        """A file that is not open."""
        document = Document(path, file.text, 0)
        reading = read_files(
            make_text_file(path, file.text, file.folder), [], Sources(self._find_base, self._read_link)
        )
        return Analysis(document, reading, reading if reading.program is not None else None)

    def with_texts(self, texts: Mapping[str, str]) -> Workspace:
        """Another workspace in which documents have these texts."""
        other = Workspace(self.find_file, self.list_files)
        other._links = self._links
        other._memories = self._memories
        for document in self._documents.values():
            other.open_document(document.name, document.text, document.version)
        for name, text in texts.items():
            other.open_document(name, text, 0)
        return other

    def forget_files(self) -> None:
        """Files that are not open may have changed: all is read anew."""
        self._analyses.clear()

    def _is_chain_unchanged(self, analysis: Analysis) -> bool:
        opened = [
            (link.file, self._documents.get(analysis.path_of(link.file.name)))
            for link in analysis.reading.chain
            if link.file.name != analysis.document.name
        ]
        return all(document is None or document.text == file.text for file, document in opened)

    def _find_base(self, asked: str, folder: str) -> TextFile | None:
        """What is open comes before what is saved."""
        beside = os.path.normpath(os.path.join(folder, asked))
        document = self._documents.get(beside)
        if document is not None:
            return make_text_file(document.name, document.text, document.folder)
        try:
            return self.find_file(asked, folder)
        except Trouble:
            return None

    def _read_link(self, file: TextFile) -> Link:
        key = (file.name, file.digest)
        link = self._links.get(key)
        if link is None:
            link = parse_link(file, self._memories.setdefault(file.name, PieceMemory()))
            self._links[key] = link
            while len(self._links) > MOST_LINKS:
                self._links.popitem(last=False)
        self._links.move_to_end(key)
        return link
