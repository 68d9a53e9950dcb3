"""`rulesrun serve`: tables in the browser, until Ctrl-C."""

from __future__ import annotations

import hashlib
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from rulesrun.dsl.text.messages import message
from rulesrun.files.user_folders import find_cache_folder
from rulesrun.locale.language import say
from rulesrun.terminal.output import print_text
from rulesrun.terminal.requests import ServeRequest
from rulesrun.terminal.trouble import Trouble

NEEDED = ("starlette", "uvicorn", "websockets", "segno")


def run(request: ServeRequest) -> int:
    if not all(map(find_spec, NEEDED)):
        raise Trouble(message("`rulesrun serve` needs an extra: `pip install 'rulesrun[play]'`"))
    import uvicorn

    from rulesrun.server.guards import LARGEST_MESSAGE, Guard
    from rulesrun.server.live_tables import LiveTables, Shelf
    from rulesrun.server.playground_pages import PlaygroundPages
    from rulesrun.server.stores import default_store_path, open_store
    from rulesrun.server.web import Server

    shelf = Shelf(request.files, request.variants)
    for name in request.files:
        shelf.read_playable(name)
    listener = open_listener(request.host, request.port)
    tables = LiveTables(shelf, open_store(request.store), request.engine or "auto")
    server = Server(
        tables, Guard((*request.public, request.host)), request.lang or "en", request.debug,
        PlaygroundPages(make_playground),
    )  # fmt: skip
    print_text(say("Tables: {address}  (Ctrl-C to stop)", address=address_of(listener)))
    if request.store is None:
        print_text(say("Games are kept in {path}", path=default_store_path()))
    config = uvicorn.Config(
        server.make_app(), log_level="error", access_log=False, ws="websockets-sansio", ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False, timeout_graceful_shutdown=2, lifespan="on", server_header=False,
        proxy_headers=True,
    )  # fmt: skip
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run([listener])
    return 0


def make_playground() -> Path:
    """The folder of the playground, kept in the user's cache; written where it is not there as it is now."""
    from rulesrun.playground.assembly import pack_python, write_playground

    digest = hashlib.sha256(pack_python() + b"".join(map(Path.read_bytes, list_page_files()))).hexdigest()[:16]
    root = find_cache_folder() or Path(tempfile.gettempdir()) / "rulesrun"
    kept = root / f"playground-{digest}"
    if not (kept / "service-worker.js").is_file():
        with writing_to(root) as folder:
            write_playground(str(folder / "playground"))
            (folder / "playground").replace(kept)
    return kept


def list_page_files() -> list[Path]:
    """What the playground takes besides Python: its own files, and those of the table."""
    base = Path(__file__).resolve().parent.parent
    found = [*(base / "playground" / "static").iterdir(), *(base / "server" / "page").iterdir()]
    return sorted(path for path in found if path.is_file())


@contextmanager
def writing_to(root: Path) -> Iterator[Path]:
    """A folder of one's own beside the one to come: whoever comes at the same moment sees all of it or nothing."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=root) as folder:
            yield Path(folder)
    except OSError as reason:
        why = reason.strerror or str(reason)
        raise Trouble(message("{path}: cannot be written: {reason}", path=str(root), reason=why)) from None


def open_listener(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)  # who comes before the server is ready waits
    except OSError as reason:
        told = reason.strerror or str(reason)
        raise Trouble(
            message("the server cannot listen on {host}, port {port}: {reason}", host=host, port=f"{port}", reason=told)
        ) from None
    return listener


def address_of(listener: socket.socket) -> str:
    """As it is typed into a browser."""
    host, port = listener.getsockname()[:2]
    own = socket.gethostname()
    shown = {"0.0.0.0": own, "::": own}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"
