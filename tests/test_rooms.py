"""Folders as ARCHITECTURE.md lists them: imports go one way, each module says what it is, no game is named inside."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("dsl", "grammar", "interpreter", "rulesrun")
LONGEST_FUNCTION = 40
LONGEST_TABLE = 80  # one `match`, a case for each class


def modules() -> dict[str, Path]:
    """`dsl.parsing.parse` → its file, for every module of the four packages."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def folders_in_order() -> list[str]:
    """The folders of the table, in reading order: each may import those before it."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    table = text.split("| what | folders |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"`([^`]+)`", table)


FOLDERS = folders_in_order()
MOST_MODULES = 25


def folder_of(module: str) -> str:
    return ".".join(MODULES[module].relative_to(ROOT).parent.parts)


def imports_of(module: str) -> set[str]:
    """The modules of the project that a module imports, late imports included."""
    found = set()
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    for_types = {id(inner) for node in ast.walk(tree) if is_for_types(node) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            inner = name.removeprefix("rulesrun.")
            found.add(inner if inner in MODULES and inner.split(".")[0] != "rulesrun" else name)
    return {name for name in found if name in MODULES and not is_package(name) and name not in {module, *PACKAGES}}


def is_for_types(node: ast.AST) -> bool:
    """`if TYPE_CHECKING:` names a type without needing its room."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def is_package(module: str) -> bool:
    """A folder with nothing but its card."""
    return MODULES[module].name == "__init__.py" and len(ast.parse(MODULES[module].read_text("utf-8")).body) <= 1


@pytest.mark.parametrize("module", [name for name in MODULES if name != "rulesrun"])
def test_a_module_imports_downward(module: str) -> None:
    own = folder_of(module)
    for other in imports_of(module):
        folder = folder_of(other)
        if folder != own:
            assert FOLDERS.index(folder) < FOLDERS.index(own), f"{module} imports {other}, from a later folder"


def test_every_folder_stands_in_the_table_once_and_none_is_crowded() -> None:
    sizes = Counter(folder_of(module) for module in MODULES if not is_package(module))
    assert sorted(FOLDERS) == sorted(sizes)
    assert {folder: size for folder, size in sizes.items() if size > MOST_MODULES} == {}


def test_the_language_never_imports_the_interpreter_and_only_it_knows_the_parser() -> None:
    for module, path in MODULES.items():
        text = path.read_text("utf-8")
        if module.split(".")[0] in ("dsl", "grammar"):
            assert "rulesrun.interpreter" not in text, module
        if module.split(".")[0] in ("interpreter", "rulesrun"):
            assert not re.search(r"^\s*(import|from) lark", text, re.MULTILINE), module


LOWERING = "interpreter.model"


def test_only_the_language_and_the_lowering_read_trees() -> None:
    tree = re.compile(r"^\s*(?:from|import) rulesrun\.dsl(?:\.ast\b| import ast\b)", re.MULTILINE)
    reading = [
        name for name, path in MODULES.items()
        if name.split(".")[0] in ("interpreter", "rulesrun") and folder_of(name) != LOWERING
        and tree.search(path.read_text("utf-8"))
    ]  # fmt: skip
    assert reading == [], "these modules read trees: ask `dsl.contents`, or the core"


def is_table_of_cases(function: ast.FunctionDef) -> bool:
    return isinstance(function.body[-1], ast.Match) and len(function.body) <= 3


@pytest.mark.parametrize("module", list(MODULES))
def test_a_module_opens_with_its_card_and_its_functions_are_short(module: str) -> None:
    text = MODULES[module].read_text("utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), f"{module} does not say what it is"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            most = LONGEST_TABLE if is_table_of_cases(node) else LONGEST_FUNCTION
            assert length <= most, f"{module}.{node.name} has {length} lines"


def test_nothing_is_run_as_python() -> None:
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), module
            if isinstance(node, ast.Import):
                assert not {alias.name for alias in node.names} & {"pickle", "marshal", "shelve"}, module


EVERYDAY = """hand stock deck supply reserve table row pile prize won bid played bottom centre discard column line
    stack collection lost board gathered tokens order orders tile tricks table
    beaten meld melds cards sets runs discards"""


def names_of_bundled_games() -> set[str]:
    """Titles, files, kinds of cards and zones, but for everyday words of any table."""
    found: set[str] = set()
    for path in (ROOT / "games").rglob("*.rules"):
        text = path.read_text("utf-8")
        found |= {path.stem, *re.findall(r'^game "([^"]+)"', text, re.MULTILINE)}
        found |= set(re.findall(r"^(?:zone|card|token|tile|piece) (\w+)", text, re.MULTILINE))
    return {name for name in found if name.lower() not in EVERYDAY.split() and len(name) > 3} - {"Card", "Token"}


@pytest.mark.parametrize(
    "module", [name for name in MODULES if name.split(".")[0] in ("dsl", "grammar", "interpreter")]
)
def test_no_bundled_game_is_named_inside(module: str) -> None:
    """Names in the code and its strings; prose in docstrings and comments may give an example in passing."""
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    words: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            words.add(node.value)
        elif isinstance(node, ast.Name):
            words.add(node.id)
    assert not words & names_of_bundled_games()


def test_text_of_llvm_is_written_in_its_room_alone() -> None:
    """Everybody else writes the small form."""
    signs = re.compile(r"\b(getelementptr|inttoptr|alloca|icmp|zext|ret void|load i\d+, ptr|define (internal|i64))\b")
    for module, path in MODULES.items():
        if folder_of(module) != "interpreter.form":
            found = signs.search(path.read_text("utf-8"))
            assert found is None, f"{module} writes text of LLVM: {found}"


def test_every_folder_is_packaged() -> None:
    """An installed copy has all folders, not only an editable one."""
    listed = set(re.findall(r'"(rulesrun[\w.]*)"', (ROOT / "pyproject.toml").read_text("utf-8")))
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("__init__.py")):
        parts = path.relative_to(ROOT).parent.parts
        name = ".".join(parts if parts[0] == "rulesrun" else ("rulesrun", *parts))
        assert name in listed, f"{name} is not among the packages of pyproject.toml"


def test_every_module_is_seen_by_the_type_checker() -> None:
    """mypy reads `.typing`, which links each folder under the name by which it is imported."""
    checked = ROOT / ".typing" / "rulesrun"
    for path in MODULES.values():
        parts = path.relative_to(ROOT).parts
        inside = Path(*parts[1:] if parts[0] == "rulesrun" else parts)
        assert (checked / inside).samefile(path), f"mypy does not see {inside}: link its folder in .typing/rulesrun"
