"""What the documents claim, run: every `$ rulesrun …` line, every ```rules block, every ```python block."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, str]]:
    """Of all documents: the file with the line, and the text of the block."""
    found = []
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        for match in BLOCK.finditer(text):
            if match[1] == language:
                line = text.count("\n", 0, match.start()) + 1
                found.append((f"{document.relative_to(ROOT)}:{line}", match[2]))
    return found


def console_commands() -> list[tuple[str, str]]:
    return [
        (place, line.removeprefix("$ "))
        for place, block in blocks("console")
        for line in block.splitlines()
        if line.startswith("$ ")
    ]


def folder_of(tmp_path: Path) -> Path:
    """A folder in which the documents' relative paths exist, and where commands may write."""
    for name in ("games", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=120,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def expected_code(command: str) -> int:
    """A line may end in `# exit code 1`."""
    said = re.search(r"# exit code (\d)$", command)
    return int(said[1]) if said else 0


def by_document() -> list[tuple[str, list[str]]]:
    """The commands of one document are one session: a later one may use what an earlier one wrote."""
    sessions: dict[str, list[str]] = {}
    for place, command in console_commands():
        sessions.setdefault(place.split(":")[0], []).append(command)
    return list(sessions.items())


@pytest.mark.parametrize(("document", "commands"), by_document(), ids=[name for name, _ in by_document()])
def test_every_command_of_a_document_runs(document: str, commands: list[str], tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    for name, text in files_of(document):
        (folder / name).write_text(text, "utf-8")
    for command in commands:
        assert shlex.split(command, comments=True)[0] == "rulesrun"
        done = run(command, folder)
        assert done.returncode == expected_code(command), f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        assert "Traceback" not in done.stderr


def files_of(document: str) -> list[tuple[str, str]]:
    """Whole rules files shown in a document, named by a line `# file: NAME` at their top."""
    found = []
    for place, block in blocks("rules"):
        if place.split(":")[0] == document and (named := re.match(r"# file: (\S+)\n", block)):
            found.append((named[1], block[named.end() :]))
    return found


@pytest.mark.parametrize(("place", "text"), blocks("rules"), ids=[place for place, _ in blocks("rules")])
def test_every_rules_file_shown_is_sound(place: str, text: str, tmp_path: Path) -> None:
    document = place.split(":")[0]
    for name, shown in files_of(document):
        (tmp_path / name).write_text(shown, "utf-8")
    file = tmp_path / "shown.rules"
    file.write_text(re.sub(r"\A# file: \S+\n", "", text), "utf-8")
    done = run("rulesrun check shown.rules", tmp_path)
    assert done.returncode == 0, f"{place}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize(("place", "text"), blocks("python"), ids=[place for place, _ in blocks("python")])
def test_every_python_block_runs(place: str, text: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text], cwd=folder_of(tmp_path), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, f"{place}\n{done.stderr}"


def test_the_readme_shows_two_commands() -> None:
    assert len([text for place, text in blocks("sh") if place.startswith("README.md")]) == 2


def test_links_between_documents_lead_somewhere() -> None:
    for document in [*DOCUMENTS, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
