"""In the long mode, every text that these tests read is mended: what a hint says is done, and its complaint is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from rulesrun.dsl.text.source import Source
from tests.editing.mending import find_stubborn

READ: set[str] = set()


@pytest.fixture(scope="session", autouse=True)
def mended(request: pytest.FixtureRequest) -> Iterator[None]:
    if not request.config.getoption("--long"):
        yield
        return
    remember = Source.__attrs_post_init__

    def note(source: Source) -> None:
        READ.add(source.text)
        remember(source)

    Source.__attrs_post_init__ = note  # type: ignore[method-assign, assignment]
    yield
    Source.__attrs_post_init__ = remember  # type: ignore[method-assign]
    kinds: Counter[str] = Counter()
    stubborn = [found for text in sorted(READ) for found in find_stubborn(text, kinds)]
    assert not stubborn, "\n\n".join(stubborn)
