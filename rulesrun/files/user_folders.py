"""Folders of the user's own: for data that is to stay, and for what can be made again. None where there is no home."""

from __future__ import annotations

import os
from pathlib import Path


def find_data_folder() -> Path | None:
    """Beside the data of the user's other programs."""
    return _find_folder("XDG_DATA_HOME", (".local", "share"))


def find_cache_folder() -> Path | None:
    return _find_folder("XDG_CACHE_HOME", (".cache",))


def _find_folder(variable: str, usual: tuple[str, ...]) -> Path | None:
    base = os.environ.get(variable) or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(base) if base else Path.home().joinpath(*usual)) / "rulesrun"
    except RuntimeError:
        return None
