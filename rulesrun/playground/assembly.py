"""Writes the playground into a folder: page, editor, Python, gallery, and what makes it work without a network."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import read_rules
from rulesrun.files.sources import bundled_names
from rulesrun.files.user_folders import find_cache_folder
from rulesrun.locale.catalogue import list_languages
from rulesrun.pages.markup import PALETTE
from rulesrun.server.page_words import list_page_words
from rulesrun.terminal.trouble import Trouble

# ---- npm packages
# What the page uses of others: Python for the browser and an editor, as packages of the npm registry.
#
# A package comes from a folder, or is fetched once, checked by its sum, and kept.


REGISTRY = "https://registry.npmjs.org"
SECONDS = 120
LARGEST = 100_000_000


@frozen
class Package:
    """`sum` is that of its archive: SHA-512, as lock files write it. `files`: those that are used, the module first."""

    name: str
    version: str
    sum: str
    files: tuple[str, ...]

    @property
    def archive(self) -> str:
        return f"{self.name}/-/{self.name.rpartition('/')[2]}-{self.version}.tgz"


PYODIDE = Package(
    "pyodide", "314.0.7",
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
    ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"),
)  # fmt: skip
EDITOR = (
    Package(
        "@codemirror/autocomplete", "6.20.4",
        "yF8RhOf2SXlg00+qtupzLhrglcas61boqaONiNcbPIebHCpJocpqTBA6dyrtUrQO47hqyTdeob/3XnYilT7TaQ==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/commands", "6.11.1",
        "O/4hG3SC1YwcmQ0d2UVNDs+AsaNWd1iHVxbTeEBuqH+6bExAiPK3iS/BvpY6rZGURALv4ZD3sIgcCmRvw3ehBg==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/language", "6.13.1",
        "zfvU2r3TyylQLMj/te+5CnQ0rSqZi8B1oTCBbQkagcLW4Xc6imab6qN+pEJhsuNOLaJqiRyBXp9UhWA1DhVvDw==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/lint", "6.9.8",
        "qNvtcE73xUto/D1RvtgSRI4A1Hg8ekxlvtZpjHpdpisLBnhyu82EUEJMEgaxkjuQCA8vqnrylENWKOsEDCOHcw==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/search", "6.7.2",
        "gUYkYhT2+n/+VGZ+8EzE5WFkYZUZYm1VOKDudIsNqh42uRVQJ0a6Yss9sdKT3MeOYfuL1N6AZA57oza0Oyr0LA==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/state", "6.7.6",
        "kAz+AncRtKuIknedxT1bq4XwXv4UowhbkHU1myPrtVb/jZtImWuV5BXzv5vK6i3kYACsdiZiQKFQQ5Mq7elW8w==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/streamparser", "6.0.0",
        "JTFPF6xrfjt0mnfGPgzcLiMwYmvIyNaoizp8BYzv8FE8KrT6GBGDZ190rtt+O7Wke3gG/MFHyiY9YGNeimof4w==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/view", "6.43.15",
        "HHsfpqFeHyXLs983pSRe38Xajs0vFWZQ2BuX0m7Ki8w3jZ5iD8cuR3lBz2/5/X53Dhf32SBHKh6rtSTB6tKeGw==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@lezer/common", "1.5.5",
        "Pw7PVCndruF1pb3ebCxpSVpkMHSDjwRCLcTRw+RizUKco5QbWylwq2g4lnG/RYN7yTTQDXE9F77MwtkAyphrjg==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@lezer/highlight", "1.2.5",
        "O1GMVKgtf5YspFaRzpmqkVgMtIk2HG9uMAbH6wdAIdNh3TVzCsch/+cRi+6l2//UGDKe6NB9BW3cvuR5ezMQ0w==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@lezer/lr", "1.4.12",
        "On9HU4oMMiHPMkQDgoTnGahjgG5n/MkN38CgG77sMraKLL+3JBbeQNi1FcCXV9QRqwF9/BUXP3caHyJC1fBOTQ==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "style-mod", "4.1.4",
        "XXWIQt633/EpAFx8aZDOTjBzrCaGmhvEQlQo6MVPfa2OzO2cWo+4hV9h+6UkHYlXGfy+ODXKUdP7Pthmcu5ATw==",
        ("src/style-mod.js", "LICENSE"),
    ),
    Package(
        "w3c-keyname", "2.2.8",
        "dpojBhNsCNN7T82Tm7k26A6G9ML3NkhDsnw9n/eoxSRlVBB4CEtIQ/KTCLI2Fwf3ataSXRhYFkQi3SlnFwPvPQ==",
        ("index.js", "LICENSE"),
    ),
    Package(
        "crelt", "1.0.7",
        "aK6BbWfhf4U/wCcLHKPJl/xa6VkVstRaPywWtMKGwuOLc/wZTyQYuoxgvZnNsBvv7Kg3YTBQYYBCggcviQczuA==",
        ("index.js", "LICENSE"),
    ),
    Package(
        "@marijn/find-cluster-break", "1.0.4",
        "Wy0V7+SGUjnF9/TkiM1hKVDPj7jKXduPNboMVtHTA8dySMURWqfg/JZ9E2Sq8JgSJmkl7k7Qe9FLeMSrSraWmQ==",
        ("src/index.js", "LICENSE"),
    ),
)  # fmt: skip


def read_package(package: Package, folder: Path | None) -> Mapping[str, bytes]:
    """By the names of its files. `folder`: the package, unpacked; None: from the cache, else fetched into it."""
    if folder is not None:
        return _read_folder(package, folder)
    kept = _cache_folder() / f"{package.name.replace('/', '-')}-{package.version}"
    if all((kept / name).is_file() for name in package.files):
        return _read_folder(package, kept)
    found = _unpack(package, _fetch(package))
    try:
        for name, content in found.items():
            (kept / name).parent.mkdir(parents=True, exist_ok=True)
            (kept / name).write_bytes(content)
    except OSError:  # a cache that cannot be written is no trouble
        pass
    return found


def find_neighbour(package: Package, folder: Path | None) -> Path | None:
    """Where a package lies beside another one that is unpacked in `folder`, as npm lays them out."""
    beside = folder.absolute().parent / package.name if folder is not None else None
    return beside if beside is not None and beside.is_dir() else None


def _read_folder(package: Package, folder: Path) -> Mapping[str, bytes]:
    missing = [name for name in package.files if not (folder / name).is_file()]
    if missing:
        raise Trouble(
            message(
                "{folder} is not the npm package {package} {version}: {missing} is missing",
                folder=str(folder),
                package=package.name,
                version=package.version,
                missing=missing[0],
            )
        )
    return {name: (folder / name).read_bytes() for name in package.files}


def _cache_folder() -> Path:
    return find_cache_folder() or Path(tempfile.gettempdir()) / "rulesrun"


def _fetch(package: Package) -> bytes:
    registry = os.environ.get("NPM_CONFIG_REGISTRY", REGISTRY).rstrip("/")
    url = f"{registry}/{package.archive}"
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            content: bytes = answer.read(LARGEST)
    except (OSError, ValueError) as reason:
        raise Trouble(
            message(
                "{package} cannot be fetched from {url}: {reason}; instead, run `npm install {packages}` and give "
                "`--pyodide node_modules/pyodide`",
                package=package.name,
                url=url,
                reason=str(reason),
                packages=" ".join(f"{one.name}@{one.version}" for one in (PYODIDE, *EDITOR)),
            )
        ) from None
    if base64.b64encode(hashlib.sha512(content).digest()).decode() != package.sum:
        raise Trouble(message("{url} has the wrong checksum", url=url))
    return content


def _unpack(package: Package, content: bytes) -> Mapping[str, bytes]:
    found = {}
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        top = archive.getnames()[0].split("/")[0]
        for name in package.files:
            member = archive.extractfile(f"{top}/{name}")
            assert member is not None
            found[name] = member.read()
    return found


# ---- python archive
# All the Python that the page needs, as one archive: this package and the two that it is built on.


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


# ---- assembly


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
