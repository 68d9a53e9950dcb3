"""Pages made in this process, as the command makes them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from rulesrun.cli import main

Element = ElementTree.Element


def written(folder: Path, *words: str, code: int = 0) -> str:
    """The page that `rulesrun report WORDS` writes."""
    path = folder / "page.html"
    assert main(["report", *words, "--html", str(path), "--quiet", "--jobs", "1"]) == code
    return path.read_text("utf-8")


def tree(page: str) -> Element:
    """Well-formed as XML, which is stricter than a browser is."""
    return ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))


def name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def all_of(root: Element, tag: str) -> list[Element]:
    return [element for element in root.iter() if name(element) == tag]


def text_of(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
