"""Machine code of these tests is made quickly, but for a quarter of the tables; in the long mode all of it with care.

With care it takes ten times as long to make, and is what people get. Which tables these are is told by the code's text,
so it is the same ones on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

WITH_CARE = 4  # one in so many


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def mostly_quick_code(request: pytest.FixtureRequest, cache_folder: Path) -> Iterator[None]:
    """Nothing of it comes into the cache of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache_folder))
        if not request.config.getoption("--long"):
            make_quickly(patch)
        yield


def make_quickly(patch: pytest.MonkeyPatch) -> None:
    try:
        from rulesrun.interpreter.form import machine_code
    except ImportError:
        return  # without a compiler all of these tests are skipped
    made = machine_code.compile_object_code

    def object_code(text: str, care: int = 2) -> bytes:
        return made(text, care if crc32(text.encode()) % WITH_CARE == 0 else 0)

    patch.setattr(machine_code, "compile_object_code", object_code)
