"""Python for the browser: Pyodide's own files, from a folder or fetched once from the registry, checked by a sum."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import tarfile
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from rulesrun.dsl.text.messages import message
from rulesrun.terminal.trouble import Trouble

VERSION = "314.0.7"
REGISTRY = "https://registry.npmjs.org"
SUM = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
SECONDS = 120
LARGEST = 100_000_000


def read_pyodide(folder: str | None) -> Mapping[str, bytes]:
    """By name. `folder`: an unpacked npm package of Pyodide; None: from the cache, else fetched into it."""
    if folder is not None:
        return _read_folder(Path(folder))
    kept = _cache_folder()
    if all((kept / name).is_file() for name in FILES):
        return _read_folder(kept)
    found = _unpack(_fetch())
    try:
        kept.mkdir(parents=True, exist_ok=True)
        for name, content in found.items():
            (kept / name).write_bytes(content)
    except OSError:  # a cache that cannot be written is no trouble
        pass
    return found


def _read_folder(folder: Path) -> Mapping[str, bytes]:
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise Trouble(
            message(
                "{folder}: this is not Pyodide {version}: there is no {missing}",
                folder=str(folder),
                version=VERSION,
                missing=missing[0],
            )
        )
    return {name: (folder / name).read_bytes() for name in FILES}


def _cache_folder() -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(root) / "rulesrun" / f"pyodide-{VERSION}"


def _fetch() -> bytes:
    registry = os.environ.get("NPM_CONFIG_REGISTRY", REGISTRY).rstrip("/")
    url = f"{registry}/pyodide/-/pyodide-{VERSION}.tgz"
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            content: bytes = answer.read(LARGEST)
    except (OSError, ValueError) as reason:
        raise Trouble(
            message(
                "Python for the browser cannot be fetched from {url}: {reason}; "
                "`npm install pyodide@{version}` and `--pyodide node_modules/pyodide` do without",
                url=url,
                reason=str(reason),
                version=VERSION,
            )
        ) from None
    if base64.b64encode(hashlib.sha512(content).digest()).decode() != SUM:
        raise Trouble(message("{url} is not what it should be: its sum is another", url=url))
    return content


def _unpack(content: bytes) -> Mapping[str, bytes]:
    found = {}
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        for name in FILES:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            found[name] = member.read()
    return found
