"""The wheel and the sdist: what is in them, that they are the same each time, and that the wheel works by itself."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 2_000_000
TIME = "1700000000"  # of every file in the wheel, in seconds
FOLDERS = ("rulesrun", "dsl", "interpreter", "grammar", "games")
PACKED = re.compile(r"(rulesrun/dsl/explain/pages)/.*\.md|(rulesrun/locale/\w+)/.*\.po")  # each folder one file
FOR_THE_REPOSITORY = {  # they write files of the repository, or are asked by tests alone
    "rulesrun/grammar/build.py", "rulesrun/highlighting/build.py",
    "rulesrun/highlighting/grammars.py", "rulesrun/highlighting/tree_sitter.py",
}  # fmt: skip
OTHER_PYTHONS = ("3.12", "3.13", "3.14")

# Every kind of command, from a folder far from here, without any extra. `r` is rulesrun.
SESSION = """
r zero --games 3
r check zero
r fmt --check self.rules && echo laid out
r test classics/kuhn
r explore classics/tic_tac_toe --limit 500 > positions; [ $? -le 2 ] && cat positions
r simulate classics/kuhn --games 20 --engine reference
r assess classics/nim --players 2 --seconds 5 > judged; [ $? -le 2 ] && cat judged
r readings classics/kuhn --games 5
r compare zero variants/zero_three_passes --players 2 --games 2 --engine reference
r deadweight classics/nim --players 2 --games 5
r trace classics/kuhn --players 2 --seed 7 > kuhn.trace && r replay classics/kuhn kuhn.trace
r trace classics/kuhn --players 2 --seed 7 > kuhn.trace && r why classics/kuhn kuhn.trace --score 1
printf 'quit\\n' | r play classics/tic_tac_toe --seats human,first
r tree classics/kuhn --players 2
r report classics/kuhn --games 10 --html kuhn.html --engine reference && grep -c html kuhn.html
r ladder classics/kuhn --players 2 --budget 5 --games 4
r solve classics/kuhn --within 10%
r export classics/kuhn --players 2 --format efg=kuhn.efg && head -n 1 kuhn.efg
r adopt variants/zero_three_passes; [ $? -le 1 ] && echo told
r compile classics/kuhn
r serve classics/kuhn 2> complaint; [ $? = 2 ] && cat complaint
r playground page > told 2>&1; [ $? -le 2 ] && ! grep Traceback told && cat told
r lsp < /dev/null 2> complaint; [ $? -le 2 ] && ! grep Traceback complaint && echo told
r explain unknown-zone
r new mine --from dice && r check mine.rules
r completion bash
r man
r check classics/kuhn --lang ru
r --version
"""


def build(folder: Path, *kinds: str) -> Path:
    """From a copy of what is kept in the repository, so that nothing else gets in."""
    copy = folder / "copy"
    copy.mkdir()
    kept = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, kept.split("\0")):
        if name.split("/")[0] in FOLDERS or "/" not in name:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", *kinds, "--outdir", str(folder / "dist"), str(copy)],
        env={**os.environ, "SOURCE_DATE_EPOCH": TIME}, capture_output=True, text=True, timeout=300,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return folder / "dist"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("build")
    if not (ROOT / ".git").exists():
        pytest.skip("not a repository")
    return build(tmp_path_factory.mktemp("packages"), "--wheel", "--sdist")


def wheel_of(folder: Path) -> Path:
    return next(folder.glob("*.whl"))


def test_there_is_one_pure_wheel_and_it_is_small(packages: Path) -> None:
    assert re.fullmatch(r"rulesrun-[\d.]+-py3-none-any\.whl", wheel_of(packages).name)
    assert wheel_of(packages).stat().st_size <= MOST_BYTES


def test_everything_that_code_reads_is_in_the_wheel(packages: Path) -> None:
    """Every kept file of the packages' folders: rules, grammar, translations, templates, whatever comes."""
    inside = set(zipfile.ZipFile(wheel_of(packages)).namelist())
    kept = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = {name if name.startswith("rulesrun/") else f"rulesrun/{name}" for name in kept.split("\n") if name}
    wanted = {f"{found[1] or found[2]}.json" if (found := PACKED.fullmatch(name)) else name for name in names}
    assert wanted - inside == FOR_THE_REPOSITORY


def test_two_builds_of_the_wheel_are_the_same_bytes(packages: Path, tmp_path: Path) -> None:
    again = build(tmp_path, "--wheel")
    assert wheel_of(again).read_bytes() == wheel_of(packages).read_bytes()


def test_the_index_would_take_them(packages: Path) -> None:
    pytest.importorskip("twine")
    files = [str(one) for one in sorted(packages.iterdir())]
    assert len(files) == 2
    done = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    pytest.importorskip("check_wheel_contents")
    looked = subprocess.run(
        [sys.executable, "-m", "check_wheel_contents", str(wheel_of(packages))], capture_output=True, text=True
    )
    assert looked.returncode == 0, looked.stdout


def test_the_version_has_one_source(packages: Path) -> None:
    import rulesrun

    assert wheel_of(packages).name.split("-")[1] == rulesrun.__version__
    assert "version =" not in (ROOT / "pyproject.toml").read_text("utf-8").split("[tool.")[0].replace('"version"', "")


# ---- the wheel by itself


@pytest.fixture(scope="module")
def installed(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds and the two libraries that it needs: nothing of the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(wheel_of(packages)).extractall(folder)
    for library in ("attr", "attrs", "lark"):
        spec = find_spec(library)
        assert spec is not None
        assert spec.origin is not None
        (folder / library).symlink_to(Path(spec.origin).parent)
    return folder


def alone(installed: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}


def run_alone(python: str, installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [python, "-S", "-m", "rulesrun", *words]
    return subprocess.run(command, cwd=folder, env=alone(installed), capture_output=True, text=True, timeout=120)


def test_a_command_runs_far_from_the_checkout(installed: Path, tmp_path: Path) -> None:
    done = run_alone(sys.executable, installed, tmp_path, "check", "zero")
    assert (done.returncode, done.stdout) == (0, "zero.rules: no errors\n"), done.stderr


def test_the_code_is_that_of_the_repository(installed: Path) -> None:
    """Without comments and private docstrings; every line where it was, so that a traceback names the right one."""
    for path in (installed / "rulesrun").rglob("*.py"):
        name = path.relative_to(installed / "rulesrun")
        folder = ROOT if name.parts[0] in FOLDERS else ROOT / "rulesrun"
        here, there = (ast.parse(one.read_text("utf-8")) for one in (folder / name, path))
        if name.parts[0] in {"dsl", "interpreter", "grammar"}:
            assert ast.get_docstring(here) == ast.get_docstring(there)
            drop_docstrings(here)
            drop_docstrings(there)
        assert ast.dump(here, include_attributes=True) == ast.dump(there, include_attributes=True), name


def drop_docstrings(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.end_lineno = node.end_col_offset = 0  # where nothing else stands inside, it is the docstring that ends
            del node.body[0]


TOLD = """
from rulesrun.dsl.explain import explain_code, list_codes, read_translation
from rulesrun.locale.catalogue import load_catalogue, list_languages
print({code: (explain_code(code), read_translation(code, "ru")) for code in list_codes()})
print([(language, sorted(load_catalogue(language).said.items())) for language in list_languages()])
"""


def test_what_is_packed_says_the_same_as_in_the_repository(installed: Path, tmp_path: Path) -> None:
    ways = (["-S", "-c", TOLD], alone(installed)), (["-c", TOLD], dict(os.environ))
    told = [
        subprocess.run([sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, check=True).stdout
        for words, environment in ways
    ]
    assert told[0] == told[1]
    assert b"('ru', [(" in told[0]


@pytest.mark.long
@pytest.mark.parametrize("line", SESSION.strip().splitlines())
def test_every_kind_of_command_runs_far_from_the_checkout(installed: Path, tmp_path: Path, line: str) -> None:
    shutil.copyfile(ROOT / "games" / "classics" / "kuhn.rules", tmp_path / "self.rules")
    script = f"r() {{ {sys.executable} -S -m rulesrun \"$@\"; }}\n{line}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=alone(installed), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.long
def test_the_session_has_every_kind_of_command() -> None:
    from rulesrun.terminal.arguments import COMMANDS

    assert {word for line in SESSION.splitlines() for word in re.findall(r"r (\w+)", line)} >= COMMANDS.keys() - {"run"}


def other_python(version: str) -> str:
    found = shutil.which(f"python{version}")
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for one in (*([found] if found else []), *map(str, kept)):
        if subprocess.run([one, "-c", ""], capture_output=True).returncode == 0:
            return one
    pytest.skip(f"there is no Python {version} here")


@pytest.mark.parametrize("version", OTHER_PYTHONS)
def test_the_wheel_runs_on_every_python(installed: Path, tmp_path: Path, version: str) -> None:
    done = run_alone(other_python(version), installed, tmp_path, "tree", "classics/kuhn", "--players", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert '"terminals": 30' in done.stdout


# ---- installed


UNREACHABLE = ("Could not find a version", "No matching distribution", "error sending request", "Failed to fetch")


def run_installed(tool: str, python: str, wheel: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """`rulesrun check zero` by a tool that installs the wheel and the two libraries that it needs, from an index."""
    environment = {
        **os.environ, "PIPX_HOME": str(folder / "pipx"), "UV_CACHE_DIR": str(folder / "uv"),
        "UV_PYTHON_DOWNLOADS": "never", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONPATH": "",
    }
    command = ["rulesrun", "check", "zero"]
    match tool:
        case "pip":
            place = folder / "venv"
            made = subprocess.run([python, "-m", "venv", str(place)], capture_output=True, text=True)
            assert made.returncode == 0, made.stderr
            line = f'"{place}/bin/pip" install --quiet "{wheel}" && "{place}/bin/rulesrun" check zero'
            words = ["bash", "-c", line]
        case "pipx":
            words = [sys.executable, "-m", "pipx", "run", "--python", python, "--spec", str(wheel), *command]
        case _:
            words = [sys.executable, "-m", "uv", "tool", "run", "--python", python, "--from", str(wheel), *command]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode and any(one in done.stderr for one in UNREACHABLE):
        pytest.skip("there is no index to be reached")
    return done


@pytest.mark.parametrize("tool", ["pip", "uv", pytest.param("pipx", marks=pytest.mark.long)])
def test_it_is_installed_by(packages: Path, tmp_path: Path, tool: str) -> None:
    pytest.importorskip(tool)
    done = run_installed(tool, sys.executable, wheel_of(packages), tmp_path)
    assert (done.returncode, done.stdout) == (0, "zero.rules: no errors\n"), done.stderr


@pytest.mark.parametrize("version", OTHER_PYTHONS)
def test_it_is_installed_on_every_python(packages: Path, tmp_path: Path, version: str) -> None:
    pytest.importorskip("uv")
    done = run_installed("uv", other_python(version), wheel_of(packages), tmp_path)
    assert (done.returncode, done.stdout) == (0, "zero.rules: no errors\n"), done.stderr


# ---- what stands beside


def test_the_image_is_run_by_nobody_in_particular() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users
    assert users[-1] not in {"root", "0"}


def test_who_wants_to_cite_or_to_warn_finds_out_how() -> None:
    yaml = pytest.importorskip("yaml")
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert {"title", "message", "authors", "license"} <= cited.keys()
    assert "version" not in cited  # it has one source
    assert (ROOT / "SECURITY.md").read_text("utf-8").startswith("# Security")
