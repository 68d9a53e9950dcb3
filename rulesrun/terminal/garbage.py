"""How often Python looks for garbage that goes round in circles. A command makes very many objects, and nearly all of
them live to its end; what is thrown away is mostly freed at once, without any looking.
"""

from __future__ import annotations

import gc

OBJECTS, YOUNG, MIDDLE = 50_000, 20, 50  # new objects before a look; looks at the young before one at older ones
MANY_OBJECTS = 400_000  # some 30 MB more, for what is over in seconds


def collect_seldom(is_short: bool = False) -> None:
    """For each process of a command, once. With Python's own pace a fifth of the time of the plain form went there.
    `is_short`: it works for seconds, not for hours."""
    gc.set_threshold(MANY_OBJECTS if is_short else OBJECTS, YOUNG, MIDDLE)
