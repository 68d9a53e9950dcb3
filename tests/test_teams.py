"""The files by which others call us: hooks of pre-commit, the action for GitHub. Their commands are run."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
yaml = pytest.importorskip("yaml")


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


@pytest.mark.parametrize("hook", read_yaml(".pre-commit-hooks.yaml"), ids=lambda hook: hook["id"])
def test_hooks_take_a_sound_file_and_notice_a_broken_one(hook: dict[str, str], tmp_path: Path) -> None:
    sound, broken = tmp_path / "sound.rules", tmp_path / "broken.rules"
    text = (ROOT / "games/classics/tic_tac_toe.rules").read_text("utf-8")
    sound.write_text(text, "utf-8")
    broken.write_text(text.replace("choose ", "choose   nowhere_").replace("always", "never"), "utf-8")
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}

    def run(path: Path) -> tuple[int, bool]:
        before = path.read_bytes()
        done = subprocess.run(
            [*shlex.split(hook["entry"]), str(path)], env=environment, capture_output=True, text=True, check=False,
            timeout=60,
        )  # fmt: skip
        return done.returncode, path.read_bytes() != before

    assert run(sound) == (0, False)
    assert run(broken) != (0, False)  # fails, or lays out anew: pre-commit takes either for a refusal


def test_the_action_writes_sarif_and_annotations(tmp_path: Path) -> None:
    action = read_yaml("action.yml")
    install, look = action["runs"]["steps"]
    assert "pip" in install["run"]
    inputs = {name: one["default"] for name, one in action["inputs"].items()}
    inputs["command"] = "check"
    shutil.copy(ROOT / "games/classics/kuhn.rules", tmp_path / "kuhn.rules")
    (tmp_path / "broken.rules").write_text("rules 1\ngame Broken\n", "utf-8")
    (tmp_path / "rulesrun/bin").mkdir(parents=True)
    (tmp_path / "rulesrun/bin/rulesrun").symlink_to(BIN / "rulesrun")
    given = {name: value.replace("${{ inputs.", "").replace(" }}", "") for name, value in look["env"].items()}
    environment = {
        **os.environ, **{name: inputs[value] for name, value in given.items()},
        "RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "output"),
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", look["run"]],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "::error file=broken.rules,line=2," in done.stdout
    assert (tmp_path / "output").read_text("utf-8") == "sarif=rulesrun.sarif\n"
    results = json.loads((tmp_path / "rulesrun.sarif").read_text("utf-8"))["runs"][0]["results"]
    uris = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in results}
    assert uris == {"broken.rules"}
