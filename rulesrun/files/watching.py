"""Waiting until one of some files changes. Looks at their sizes and times now and then: nothing runs in between."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from time import sleep

PAUSE = 0.25  # seconds
Stamp = tuple[int, int, int] | None


def take_stamps(paths: Iterable[str]) -> Mapping[str, Stamp]:
    """By which a change is noticed; None: there is no such file."""
    return {path: _take_stamp(path) for path in paths}


def wait_for_change(stamps: Mapping[str, Stamp]) -> None:
    """Editors write a file anew or put another in its place, and for a moment there may be none: that is no change."""
    while True:
        sleep(PAUSE)
        now = take_stamps(stamps)
        if any(now[path] is not None and now[path] != stamp for path, stamp in stamps.items()):
            return


def _take_stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
