"""Names of documents as URIs, and the files beside them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from attrs import define, field
from pygls.uris import from_fs_path, to_fs_path

from rulesrun.files.loading import make_text_file
from rulesrun.files.sources import SUFFIX, TextFile, decode_text, read_bytes
from rulesrun.terminal.trouble import Trouble

MOST_FILES = 400
DEEPEST = 4


@define(eq=False)
class DocumentNames:
    """A file is called by its path; what lies in no file, by its URI."""

    _uris: dict[str, str] = field(factory=dict)

    def name_of(self, uri: str) -> str:
        path = to_fs_path(uri) if uri.startswith("file:") else None
        name = os.path.normpath(path) if path else uri
        self._uris[name] = uri
        return name

    def uri_of(self, name: str) -> str:
        """As the editor wrote it, where it has."""
        if name in self._uris:
            return self._uris[name]
        return from_fs_path(os.path.abspath(name)) or name


def list_rules_files(folder: str) -> Iterator[TextFile]:
    """What may be a variant of a file in this folder: the rules files in it and below it, some hundred at most."""
    found = 0
    root = os.path.abspath(folder or os.curdir)
    for here, folders, files in os.walk(root):
        is_deep = here.count(os.sep) - root.count(os.sep) >= DEEPEST
        folders[:] = [] if is_deep else sorted(name for name in folders if not name.startswith((".", "node_modules")))
        for file in sorted(files):
            if file.endswith(SUFFIX) and found < MOST_FILES:
                found += 1
                path = os.path.join(here, file)
                try:
                    yield make_text_file(path, decode_text(path, read_bytes(path, 1_000_000)), here)
                except Trouble:
                    continue
