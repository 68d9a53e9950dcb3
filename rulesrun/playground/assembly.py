"""Writes the playground into a folder: page, editor, Python, gallery, and what makes it work without a network."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import read_rules
from rulesrun.files.sources import bundled_names
from rulesrun.locale.catalogue import list_languages
from rulesrun.pages.styles import PALETTE
from rulesrun.playground.npm_packages import EDITOR, PYODIDE, Package, find_neighbour, read_package
from rulesrun.playground.python_archive import pack_python
from rulesrun.server.page_words import list_page_words
from rulesrun.terminal.trouble import Trouble

PAGE = (
    "index.html", "style.css", "app.js", "rules.js", "patterns.js", "link.js", "table.js", "texts.js",
    "worker.js", "start.js", "changes.js",
)  # fmt: skip
# <rules-table> of the server
TABLE = ("table.js", "asides.js", "boards.js", "lit.js", "position.js", "choice.js", "looks.js", "styles.js")
PYTHON = ("python.zip", *(f"pyodide/{name}" for name in PYODIDE.files))
NAMES = "|".join(re.escape(package.name) for package in EDITOR)
SPECIFIER = re.compile(rf"""(\bfrom\s*)(["'])({NAMES})\2""")  # a package that a module imports, by its name
FIRST = "classics/pig"  # what the gallery begins with
COMPILING = 300  # seconds at most
MORE_LIGHT = " --line: #8a9499; --string: #8a4b08; --number: #7a3c8f; --defined: #17627c; --select: #cfe3ea;\n"
MORE_DARK = " --line: #6b777d; --string: #e6b673; --number: #d0a6e3; --defined: #8ecbe0; --select: #28495a;\n"


@frozen
class Assembled:
    folder: str
    size: int  # bytes of all files
    is_compiled: bool  # for the Python of the browser; without Node.js it compiles on the first visit


def write_playground(folder: str, pyodide: str | None = None) -> Assembled:
    target = Path(folder)
    _check_folder(target)
    is_compiled = write_python(target, pyodide)
    contents = {name: _read_static(name) for name in PAGE} | read_editor(pyodide)
    contents["style.css"] = contents["style.css"].replace(b"@palette@", _write_palette().encode())
    contents["index.html"] = contents["index.html"].replace(b"@modules@", _link_modules(contents).encode())
    contents |= {f"table/{name}": _read_table(name) for name in TABLE}
    contents["words.json"] = json.dumps(_list_words(), ensure_ascii=False).encode()
    contents["gallery.json"] = json.dumps(list_gallery(), ensure_ascii=False).encode()
    for name, content in contents.items():
        _write(target / name, content)
    contents |= {name: (target / name).read_bytes() for name in PYTHON}
    contents["service-worker.js"] = _write_service_worker(contents)
    _write(target / "service-worker.js", contents["service-worker.js"])
    return Assembled(folder, sum(map(len, contents.values())), is_compiled)


def write_python(target: Path, pyodide: str | None = None) -> bool:
    """Python for the browser with all that it needs of us; whether it is compiled."""
    found = read_package(PYODIDE, Path(pyodide) if pyodide is not None else None)
    contents = {f"pyodide/{name}": content for name, content in found.items()}
    for name, content in (contents | {"python.zip": pack_python()}).items():
        _write(target / name, content)
    return _compile_python(target)


def read_editor(pyodide: str | None = None) -> dict[str, bytes]:
    """CodeMirror: a module for each package, which find each other by their places; and their licences."""
    found = {}
    licences = []
    for package in EDITOR:
        beside = find_neighbour(package, Path(pyodide) if pyodide is not None else None)
        files = read_package(package, beside)
        found[_place_of(package)] = _place_imports(files[package.files[0]], ".")
        licences.append(f"{package.name} {package.version}\n\n{files['LICENSE'].decode().strip()}\n")
    found["codemirror/LICENSE.txt"] = "\n\n".join(licences).encode()
    found["codemirror.js"] = _place_imports(_read_static("codemirror.js"), "./codemirror")
    return found


def _place_of(package: Package) -> str:
    return f"codemirror/{package.name.rpartition('/')[2]}.js"


def _place_imports(module: bytes, folder: str) -> bytes:
    places = {package.name: f"{folder}/{package.name.rpartition('/')[2]}.js" for package in EDITOR}
    return SPECIFIER.sub(lambda found: f'{found[1]}"{places[found[3]]}"', module.decode()).encode()


def list_gallery() -> list[dict[str, str]]:
    """The bundled rulebooks, small ones first."""
    names = sorted(bundled_names(), key=lambda name: (name != FIRST, name.startswith("variants/"), "/" not in name))
    readings = [read_rules(name) for name in names]
    return [
        {"name": name, "title": reading.title, "text": reading.chain[-1].file.text}
        for name, reading in zip(names, readings, strict=True)
    ]


def _link_modules(contents: Mapping[str, bytes]) -> str:
    """So that a browser fetches the modules of the editor at once, not one behind the other."""
    names = sorted(name for name in contents if name.startswith("codemirror") and name.endswith(".js"))
    return "\n".join(f'<link rel="modulepreload" href="{name}">' for name in names)


def _check_folder(target: Path) -> None:
    """A new folder, an empty one, or one that was written by this."""
    if target.is_dir() and any(target.iterdir()) and not (target / "service-worker.js").is_file():
        raise Trouble(message("{folder}: this folder holds other files; give a new one", folder=str(target)))


def _read_static(name: str) -> bytes:
    return files("rulesrun.playground").joinpath("static", name).read_bytes()


def _read_table(name: str) -> bytes:
    return files("rulesrun.server").joinpath("page", name).read_bytes()


def _list_words() -> dict[str, dict[str, str]]:
    return {code: list_page_words(code) for code in ("en", *list_languages())}


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as reason:
        why = reason.strerror or str(reason)
        raise Trouble(message("{path}: cannot be written: {reason}", path=str(path), reason=why)) from None


def _write_palette() -> str:
    """That of the report page, and what an editor needs beside it."""
    return (
        f"{PALETTE}:root {{ {MORE_LIGHT} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {MORE_DARK} }} }}"
    )


def _compile_python(target: Path) -> bool:
    """Bytecode for the Python of the browser, by that Python itself: a page is ready a second sooner."""
    node = shutil.which("node")
    if node is None:
        return False
    script = target / "precompile.mjs"
    _write(script, _read_static("precompile.mjs"))
    try:
        done = subprocess.run(
            [node, os.fspath(script), os.fspath(target)], stdin=subprocess.DEVNULL, capture_output=True,
            timeout=COMPILING, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    finally:
        script.unlink()
    return done.returncode == 0


def _write_service_worker(contents: Mapping[str, bytes]) -> bytes:
    """Its version is the sum of all files: another one is another playground."""
    whole = hashlib.sha256()
    for name, content in sorted(contents.items()):
        whole.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    listed = ", ".join(json.dumps(f"./{name}") for name in sorted(contents))
    text = _read_static("service-worker.js").decode()
    version = f"rulesrun-{whole.hexdigest()[:16]}"
    return text.replace("@version@", version).replace("@files@", listed).encode()
