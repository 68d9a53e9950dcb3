"""How often Python looks for garbage that goes round in circles. A command makes very many objects, and nearly all of
them live to its end; what is thrown away is mostly freed at once, without any looking.
"""

from __future__ import annotations

import gc

OBJECTS, YOUNG, MIDDLE = 50_000, 20, 50  # new objects before a look; looks at the young before one at older ones


def collect_seldom() -> None:
    """For each process of a command, once. With Python's own pace a fifth of the time of the plain form went there."""
    gc.set_threshold(OBJECTS, YOUNG, MIDDLE)
