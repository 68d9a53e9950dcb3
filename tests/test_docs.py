"""What the documents claim, run: every `$ rulesrun …` line, every ```rules block, every ```python block."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import run_here

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


def steps_of(document: Path) -> list[tuple[str, str, str]]:
    """In order: a block's words behind the fence, the last `NAME.rules` said before it, its text."""
    text = document.read_text("utf-8")
    found = []
    for match in re.finditer(r"^```(rules[^\n]*|console)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        named = re.findall(r"`([\w]+\.rules)`", text[: match.start()])
        found.append((match[1], named[-1] if named else "shown.rules", match[2]))
    return found


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


def holds(command: str, folder: Path) -> None:
    """A line may end in `# exit code 1`."""
    said = re.search(r"# exit code (\d)$", command)
    words = shlex.split(command, comments=True)
    assert words[0] == "rulesrun"
    done = run(command, folder) if {">", "|", "<"} & set(words) else run_here(*words[1:], folder=folder)
    assert done.returncode == (int(said[1]) if said else 0), f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert "Traceback" not in done.stderr


# The fragments of language.md are no session: tests/test_language_page.py runs them.
SESSIONS = [document for document in DOCUMENTS if document.name != "language.md"]


@pytest.mark.parametrize("document", SESSIONS, ids=[document.name for document in SESSIONS])
def test_the_session_of_a_document_runs(document: Path, tmp_path: Path) -> None:
    """Rules shown are written to their file (`add`: at its end), commands run in order; at last every file is sound."""
    folder = folder_of(tmp_path)
    written: set[str] = set()
    for fence, name, text in steps_of(document):
        if fence == "console":
            for line in text.splitlines():
                if line.startswith("$ "):
                    holds(line.removeprefix("$ "), folder)
            continue
        if fence != "rules add":
            current = name
            (folder / current).write_text("", "utf-8")
        with (folder / current).open("a", encoding="utf-8") as file:
            file.write(("\n" if fence == "rules add" else "") + text)
        written.add(current)
    for name in sorted(written):
        holds(f"rulesrun {name}", folder)


@pytest.mark.parametrize(("place", "text"), blocks("python"), ids=[place for place, _ in blocks("python")])
def test_every_python_block_runs(place: str, text: str, tmp_path: Path) -> None:
    if 'engine="native"' in text or ".many(" in text or ".bounds(" in text:
        pytest.importorskip("llvmlite")
    for bridge in re.findall(r"rulesrun\.bridges\.(\w+)", text):
        pytest.importorskip({"gambit": "rulesrun", "openspiel": "pyspiel", "rlcard": "llvmlite"}.get(bridge, bridge))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text], cwd=folder_of(tmp_path), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, f"{place}\n{done.stderr}"


def test_the_readme_shows_two_commands() -> None:
    assert len([text for place, text in blocks("sh") if place.startswith("README.md")]) == 2


def test_the_readme_leads_to_every_page() -> None:
    linked = re.findall(r"\]\((docs/[^)#]+\.md)\)", (ROOT / "README.md").read_text("utf-8"))
    assert sorted(linked) == [f"docs/{document.name}" for document in DOCUMENTS[1:]]


def test_links_between_documents_lead_somewhere() -> None:
    for document in [*DOCUMENTS, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
