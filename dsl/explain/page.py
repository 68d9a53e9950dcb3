"""One page of the catalogue: from Markdown to data, and from data to text for a terminal.

The fence of the wrong example may say, behind `rules`, what the example is: `whole` (a file of its own), `variant`
(a variant of a small game), `variants` (two of them together) or `play` (it shows only when the game is played).
`@20001 line` in an example stands for so many such lines, `@(2001* words)` for so many times these words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256

from attrs import frozen

from rulesrun.dsl.text.messages import message

PAGE = re.compile(
    r"# (?P<code>\S+)\n\n(?P<says>.+?)\n\n"
    r"## Wrong\n\n```rules ?(?P<kind>\w*)\n(?P<wrong>.*?)```\n\n"
    r"## Right\n\n```rules\n(?P<right>.*?)```\n",
    re.DOTALL,
)
TRANSLATION = re.compile(r"# \S+\n\n(?P<says>.+?)\n\n<!-- English: (?P<original>\w+) -->\n", re.DOTALL)
REPEATED = re.compile(r"^@(\d+) (.*)$", re.MULTILINE)
REPEATED_WORDS = re.compile(r"@\((\d+)\* ([^)]*)\)")


@frozen
class Page:
    code: str
    says: str
    wrong: str
    right: str
    kind: str  # "" | whole | variant | variants | play

    @property
    def fingerprint(self) -> str:
        """Of what it says. A translation names it, so that nobody overlooks a page that says something else now."""
        return sha256(" ".join(self.says.split()).encode()).hexdigest()[:8]

    def format_page(self, says: str | None = None, translate: Callable[[str], str] = str) -> str:
        """With these words in place of the English ones."""
        wrong, right = translate(message("Wrong:")), translate(message("Right:"))
        examples = f"{wrong}\n{_format_example(self.wrong)}\n{right}\n{_format_example(self.right)}"
        return f"{self.code}\n\n{says or self.says}\n\n{examples}"


def parse_page(text: str) -> Page:
    found = PAGE.fullmatch(text)
    if found is None:
        raise ValueError(f"not a page of the catalogue: {text[:40]!r}")
    return Page(**found.groupdict())


def parse_translation(text: str) -> str:
    return TRANSLATION.fullmatch(text)["says"]  # type: ignore[index]  # a test reads every page


def _format_example(example: str) -> str:
    short = REPEATED.sub(r"\2\n… (\1 such lines)", example)
    short = REPEATED_WORDS.sub(r"\2 \2 … (\1 times)", short)
    return "".join(f"    {line}\n" if line else "\n" for line in short.splitlines())
