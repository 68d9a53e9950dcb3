"""The playground beside the tables: made at the first visit, served whole, with a sentence where it cannot be made."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs the extra `play`")
pytest.importorskip("httpx2", reason="needs httpx2")

from starlette.testclient import TestClient

from rulesrun.server.guards import Guard
from rulesrun.server.live_tables import LiveTables, Shelf
from rulesrun.server.playground_pages import PlaygroundPages
from rulesrun.server.stores import SqliteStore
from rulesrun.server.web import Server
from rulesrun.serving.serve import make_playground
from rulesrun.terminal.trouble import Trouble
from tests.highlighting.node import EDITORS


@contextmanager
def serving(pages: PlaygroundPages | None) -> Iterator[TestClient]:
    server = Server(LiveTables(Shelf(), SqliteStore(":memory:"), "reference"), Guard(), playground=pages)
    with TestClient(server.make_app(), base_url="http://localhost") as client:
        yield client


def write_folder(folder: Path) -> Path:
    folder.mkdir()
    (folder / "index.html").write_text("<p>rules</p>")
    (folder / "code.wasm").write_bytes(b"\0asm")
    (folder.parent / "secret.html").write_text("no")
    return folder


def test_it_is_made_once_and_served(tmp_path: Path) -> None:
    made: list[Path] = []

    def make() -> Path:
        made.append(write_folder(tmp_path / "playground"))
        return made[-1]

    with serving(PlaygroundPages(make)) as client:
        assert client.get("/playground/code.wasm").status_code == 503, "nobody has opened the page"
        page = client.get("/playground", follow_redirects=True)
        assert (page.status_code, page.text) == (200, "<p>rules</p>")
        assert "wasm-unsafe-eval" in page.headers["content-security-policy"]
        assert client.get("/playground/code.wasm").headers["content-type"] == "application/wasm"
        for path in ("../secret.html", "..%2fsecret.html", "%2e%2e/secret.html", "nothing.html", "a%00b"):
            assert client.get(f"/playground/{path}").status_code in (404, 400), path
        assert len(made) == 1
        assert client.get("/api/rulebooks").json()["playground"]


def test_who_comes_meanwhile_is_told_and_asks_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesrun.server.playground_pages.PATIENCE", 0.01)
    ready = threading.Event()

    def make() -> Path:
        ready.wait(20)
        return write_folder(tmp_path / "playground")

    with serving(PlaygroundPages(make)) as client:
        early = client.get("/playground/?lang=ru")
        assert (early.status_code, early.headers["refresh"]) == (503, "2")
        assert "готовится" in early.text
        ready.set()
        for _ in range(200):
            if client.get("/playground/").status_code == 200:
                return
            time.sleep(0.02)
        raise AssertionError("it is never made")


def test_what_is_missing_is_said_in_a_sentence() -> None:
    def make() -> Path:
        raise Trouble("Python for the browser cannot be fetched <here>")

    with serving(PlaygroundPages(make)) as client:
        answer = client.get("/playground/")
        assert answer.status_code == 503
        assert "cannot be fetched &lt;here&gt;" in answer.text
        assert "refresh" not in answer.headers
    with serving(None) as client:
        assert client.get("/playground/").status_code == 404
        assert not client.get("/api/rulebooks").json()["playground"]


def test_the_whole_folder_is_kept_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made from the installed package of Pyodide where there is no network; twice it is one folder."""
    if not (EDITORS / "node_modules" / "pyodide").is_dir():
        pytest.skip("needs Pyodide: .ci/tools")
    from rulesrun.playground import assembly

    write, written = assembly.write_playground, list[str]()

    def write_from_package(folder: str, pyodide: str | None = None) -> object:
        written.append(folder)
        return write(folder, str(EDITORS / "node_modules/pyodide"))

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(assembly, "write_playground", write_from_package)
    monkeypatch.setattr(assembly, "_compile_python", lambda target: False)
    folder = make_playground()
    assert (folder, len(written)) == (make_playground(), 1)
    assert (folder / "pyodide" / "pyodide.asm.wasm").is_file()
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_whether_the_server_is_well() -> None:
    with serving(None) as client:
        assert client.get("/healthz").status_code == 200
