"""Machine code kept between runs, in the user's own cache folder. A file that is damaged or not ours is not used."""

from __future__ import annotations

import os
import tempfile
from hashlib import sha256
from pathlib import Path

from attrs import define

from rulesrun.files.user_folders import find_cache_folder

MAGIC = b"rulesrun machine code 1\n"
MOST_FILES = 200
MOST_BYTES = 16 << 20


def cache_folder() -> Path | None:
    """Where the machine code lies; None when there is no home to keep it in."""
    folder = find_cache_folder()
    return None if folder is None else folder / "native"


@define(eq=False)
class CodeCache:
    """One file for every key: a mark, a hash over key and code, the code."""

    place: Path | None

    def get(self, key: str) -> bytes | None:
        if self.place is None:
            return None
        try:
            path = self.place / key
            if not is_owned_by_user(path) or path.stat().st_size > MOST_BYTES:
                return None
            data = path.read_bytes()
        except OSError:
            return None
        code = data[len(MAGIC) + 32 :]
        return code if data == seal_code(key, code) else None

    def put(self, key: str, code: bytes) -> None:
        """Written aside and moved into place, so that nobody reads half a file; no place to write is no fault."""
        if self.place is None:
            return
        try:
            self.place.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not is_owned_by_user(self.place):
                return
            handle, name = tempfile.mkstemp(dir=self.place)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(seal_code(key, code))
                os.replace(name, self.place / key)
            except BaseException:
                os.unlink(name)
                raise
            self.remove_oldest()
        except OSError:
            return

    def remove_oldest(self) -> None:
        assert self.place is not None
        files = sorted(self.place.iterdir(), key=lambda path: path.stat().st_mtime)
        for path in files[: max(len(files) - MOST_FILES, 0)]:
            path.unlink(missing_ok=True)


def seal_code(key: str, code: bytes) -> bytes:
    return MAGIC + sha256(key.encode() + b"\0" + code).digest() + code


def is_owned_by_user(path: Path) -> bool:
    """Whether nobody but this user can have written it; where there are no users, everything is."""
    if not hasattr(os, "getuid"):
        return True
    found = path.stat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o022
