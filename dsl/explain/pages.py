"""The pages of the catalogue as they are written, and one page as text.

A page is written as `= code`, what it means, `- wrong` with an example, `+ right` with another. After `wrong` may stand
`whole` (a file of its own), `variant` (a variant of a small game) or `play` (it shows only when the game is played).
`@20001 line` in an example stands for so many such lines, `@(2001* words)` for so many times these words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from textwrap import wrap

from attrs import frozen

from rulesrun.dsl.text.messages import Message, message

CONTEXT = "what a diagnostic means"
WIDTH = 110
PAGE = re.compile(r"^= (\S+)\n(.*?)^- wrong *(\w*)\n(.*?)^\+ right\n(.*?)(?=^= |\Z)", re.MULTILINE | re.DOTALL)
REPEATED = re.compile(r"^@(\d+) (.*)$", re.MULTILINE)
REPEATED_WORDS = re.compile(r"@\((\d+)\* ([^)]*)\)")


@frozen
class Page:
    code: str
    says: str
    wrong: str
    right: str
    kind: str  # "" | whole | variant | play

    @property
    def meaning(self) -> Message:
        """What the diagnostic means, as catalogues have it: on one line."""
        return Message(" ".join(self.says.split()).replace("{", "{{").replace("}", "}}"), {}, context=CONTEXT)

    def format_page(self, translate: Callable[[str], str] = str) -> str:
        """In a language; the lines of the English page are as they were written."""
        said = translate(self.meaning)
        says = self.says if said == str(self.meaning) else "\n".join(wrap(said, WIDTH, break_on_hyphens=False))
        wrong, right = translate(message("Wrong:")), translate(message("Right:"))
        examples = f"{wrong}\n{_format_example(self.wrong)}\n{right}\n{_format_example(self.right)}"
        return f"{self.code}\n\n{says}\n\n{examples}"


def read_pages(text: str) -> Iterator[Page]:
    for code, says, kind, wrong, right in PAGE.findall(text):
        yield Page(code, says.strip(), wrong.strip("\n") + "\n", right.strip("\n") + "\n", kind)


def _format_example(example: str) -> str:
    short = REPEATED.sub(r"\2\n… (\1 such lines)", example)
    short = REPEATED_WORDS.sub(r"\2 \2 … (\1 times)", short)
    return "".join(f"    {line}\n" if line else "\n" for line in short.splitlines())


def expand_example(example: str) -> str:
    """With what is only hinted at."""
    lines = REPEATED.sub(lambda found: "\n".join([found[2]] * int(found[1])), example)
    return REPEATED_WORDS.sub(lambda found: " ".join([found[2]] * int(found[1])), lines)
