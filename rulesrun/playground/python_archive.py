"""All the Python that the page needs, as one archive: this package and the two that it is built on."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

PACKAGES = (
    "rulesrun", "rulesrun.dsl", "rulesrun.grammar", "rulesrun.interpreter", "rulesrun.games", "lark", "attr", "attrs",
)  # fmt: skip
"""Where the project is worked on, the parts of `rulesrun` lie in folders of their own."""
KINDS = (".py", ".json", ".lark", ".rules", ".po", ".md")
LEFT_OUT = ("static", "__pycache__", "__pyinstaller")
NEVER_USED = (
    "rulesrun/bridges/", "rulesrun/lsp/", "rulesrun/server/", "rulesrun/shell/",
)  # fmt: skip
"""Servers, other people's tools: nothing that the page asks for leads there."""
DATE = (2020, 1, 1, 0, 0, 0)  # the same files are the same bytes


def pack_python() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in sorted(dict(_list_files()).items()):
            archived = zipfile.ZipInfo(name, DATE)
            archived.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(archived, path.read_bytes())
    return packed.getvalue()


def _list_files() -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        found = find_spec(package)
        assert found is not None
        for folder in found.submodule_search_locations or ():
            root = Path(folder)
            for path in root.rglob("*"):
                inside = path.relative_to(root)
                if path.suffix in KINDS and path.is_file() and not set(LEFT_OUT) & set(inside.parts):
                    name = f"{package.replace('.', '/')}/{inside.as_posix()}"
                    if not name.startswith(NEVER_USED):
                        yield name, path
