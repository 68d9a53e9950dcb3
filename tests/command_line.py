"""The command line in this process: words and a folder in, what was written and the exit code out.

A process of its own costs half a second to begin; what is about processes, streams and signals begins one.
"""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from itertools import count
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from rulesrun.cli import main


def run_here(*words: str, folder: Path, stdin: str = "") -> CompletedProcess[str]:
    """As if it was begun in that folder, without a terminal."""
    out, complaints = stream(), stream()
    with chdir(folder), redirect_stdout(out), redirect_stderr(complaints), standing_in(stream(stdin)):
        try:
            code = main(words)
        finally:
            gc.enable()
    return CompletedProcess(words, code, text_of(out), text_of(complaints))


def interrupting(work: Callable[..., Any], after: int) -> Callable[..., Any]:
    """The same work, at the call of that number interrupted by Ctrl-C."""
    calls = count(1)

    def interrupted(*given: Any, **named: Any) -> Any:
        if next(calls) == after:
            raise KeyboardInterrupt
        return work(*given, **named)

    return interrupted


def stream(text: str = "") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(text.encode("utf-8")), encoding="utf-8", write_through=True)


def text_of(written: io.TextIOWrapper) -> str:
    written.seek(0)
    return written.read()


@contextmanager
def standing_in(stdin: io.TextIOWrapper) -> Iterator[None]:
    before, sys.stdin = sys.stdin, stdin
    try:
        yield
    finally:
        sys.stdin = before
