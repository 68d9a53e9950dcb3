"""The tools that editors are built and tested with, where they are installed: `.ci/tools` does it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

EDITORS = Path(__file__).resolve().parents[2] / "editors"


def require_node(*packages: str) -> str:
    """Skips the test where Node.js or one of these packages is missing."""
    node = shutil.which("node")
    missing = [name for name in packages if not (EDITORS / "node_modules" / name).is_dir()]
    if node is None or missing:
        pytest.skip(f"needs Node.js and {', '.join(packages)}: .ci/tools")
    return node


def run_node(
    script: str, *words: str, given: object = None, packages: tuple[str, ...] = (), seconds: int = 120
) -> Any:
    """What a script of `editors/tests` prints as JSON."""
    node = require_node(*packages)
    done = subprocess.run(
        [node, str(EDITORS / "tests" / script), *words],
        input=json.dumps(given), capture_output=True, text=True, timeout=seconds, check=False, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)
