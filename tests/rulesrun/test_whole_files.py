"""A file is written whole or not at all; what is no file is not replaced by one."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from rulesrun.files.atomic_files import check_writable, write_atomically
from rulesrun.terminal.trouble import Trouble


def test_the_old_text_stays_when_the_new_one_breaks_off(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("old", "utf-8")

    def breaking() -> Iterator[str]:
        yield "new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(str(kept), breaking())
    assert kept.read_text("utf-8") == "old"
    assert os.listdir(tmp_path) == ["kept"]


def test_a_link_stays_a_link_and_who_may_read_stays_so(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old", "utf-8")
    file.chmod(0o640)
    link.symlink_to(file)
    write_atomically(str(link), "new")
    assert link.is_symlink()
    assert file.read_text("utf-8") == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = Thread(target=lambda: heard.append(pipe.read_text("utf-8")), daemon=True)
    reader.start()
    check_writable(str(pipe))
    write_atomically(str(pipe), "new")
    reader.join(10)
    assert heard == ["new"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["", "missing/file", "a\0b"])
@pytest.mark.parametrize("write", [check_writable, lambda path: write_atomically(path, "text")])
def test_what_cannot_be_written_is_told(tmp_path: Path, name: str, write: object) -> None:
    assert callable(write)
    with pytest.raises(Trouble):
        write(os.path.join(tmp_path, name))
    assert os.listdir(tmp_path) == []
