"""What a bridge needs, and the sentence for whoever has not installed it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from rulesrun.dsl.text.messages import message


class MissingExtra(ImportError):
    """A tool that is not installed; the text says what to install."""


def import_tool(module: str, extra: str) -> ModuleType:
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name is not None and missing.name.partition(".")[0] == module.partition(".")[0]:
            said = message("`{module}` is not installed: `pip install 'rulesrun[{extra}]'`", module=module, extra=extra)
            raise MissingExtra(said) from None
        raise
