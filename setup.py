"""What the wheel holds otherwise than the repository; all else stands in `pyproject.toml`.

Hundreds of small files weigh more in a wheel than what they say. So the pages of `rulesrun explain` become one file,
and each language becomes one; whoever reads them takes either. Comments are for those who change the code and have the
repository: they stay out, and so do the docstrings of what is not public, and what only writes files of the repository.
Every line stays where it is. The whole is compressed as far as it goes.
"""

from __future__ import annotations

import ast
import json
import runpy
from io import StringIO
from pathlib import Path
from shutil import rmtree
from tokenize import COMMENT, generate_tokens
from zipfile import ZIP_DEFLATED, ZipFile

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

FOR_THE_REPOSITORY = (
    "grammar/build.py",
    "highlighting/build.py", "highlighting/grammars.py", "highlighting/tree_sitter.py",
)  # fmt: skip


PRIVATE = ("dsl", "interpreter", "grammar")


class PackedBuild(build_py):
    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            built = Path(self.build_lib, "rulesrun")
            pack_pages(built / "dsl" / "explain" / "pages")
            for folder in (built / "locale").iterdir():
                if folder.is_dir():
                    pack_language(folder)
            for name in FOR_THE_REPOSITORY:
                (built / name).unlink()
            for path in built.rglob("*.py"):
                text = strip_comments(path.read_text("utf-8"))
                is_private = path.relative_to(built).parts[0] in PRIVATE
                path.write_text(strip_docstrings(text) if is_private else text, "utf-8")


class SmallWheel(bdist_wheel):
    def run(self) -> None:
        super().run()
        for kind, _, name in self.distribution.dist_files:
            if kind == "bdist_wheel":
                compress_again(Path(name))


def pack_pages(folder: Path) -> None:
    """Those in the same language lie together, for they are alike."""
    names = sorted(folder.glob("*.md"), key=lambda path: (path.suffixes, path.stem))
    pages = {path.stem: path.read_text("utf-8") for path in names}
    folder.with_suffix(".json").write_text(json.dumps(pages, ensure_ascii=False) + "\n", "utf-8")
    rmtree(folder)


def pack_language(folder: Path) -> None:
    entries = runpy.run_path("rulesrun/locale/entries.py")
    texts = [path.read_text("utf-8") for path in sorted(folder.glob("*.po"))]
    packed = entries["pack_entries"](entry for text in texts for entry in entries["read_entries"](text))
    folder.with_suffix(".json").write_text(packed, "utf-8")
    rmtree(folder)


def strip_comments(text: str) -> str:
    lines = StringIO(text).readlines()
    for token in generate_tokens(StringIO(text).readline):
        if token.type == COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip() + "\n"
    return "".join(lines)


def strip_docstrings(text: str) -> str:
    """Of functions and classes; what a module is for stays."""
    lines = StringIO(text).readlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            said = node.body[0]
            lines[said.lineno - 1 : said.end_lineno] = [
                " " * said.col_offset + '""\n', *["\n"] * (said.end_lineno - said.lineno)
            ]
    return "".join(lines)


def compress_again(wheel: Path) -> None:
    with ZipFile(wheel) as before:
        files = [(info, before.read(info)) for info in before.infolist()]
    with ZipFile(wheel, "w") as after:
        for info, content in files:
            after.writestr(info, content, ZIP_DEFLATED, compresslevel=9)


setup(cmdclass={"build_py": PackedBuild, "bdist_wheel": SmallWheel})
