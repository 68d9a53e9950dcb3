"""How findings look, against the look that the contract shows."""

from __future__ import annotations

import json
from typing import Any

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Related
from rulesrun.dsl.diagnostics.report import diagnostic_to_json, format_diagnostics, summarize_diagnostics
from rulesrun.dsl.text.source import Source, Span


def finding(text: str, meant: str, **others: Any) -> tuple[Diagnostic, dict[str, Source]]:
    start = text.index(meant)
    span = Span("a.rules", start, start + len(meant))
    return Diagnostic("some-code", "a message", span, **others), {"a.rules": Source("a.rules", text)}


def shown(text: str, meant: str, **others: object) -> str:
    diagnostic, sources = finding(text, meant, **others)
    return format_diagnostics([diagnostic], sources)


def test_the_look_of_the_contract() -> None:
    text = "\n" * 30 + "    deal 5 from stock to suply\n"
    start = text.index("suply")
    diagnostic = Diagnostic(
        "unknown-zone", "there is no zone `suply`", Span("games/zero.rules", start, start + 5), "did you mean `supply`?"
    )
    assert format_diagnostics([diagnostic], {"games/zero.rules": Source("games/zero.rules", text)}) == (
        "error[unknown-zone]: there is no zone `suply`\n"
        "  --> games/zero.rules:31:26\n"
        "   |\n"
        "31 |     deal 5 from stock to suply\n"
        "   |                          ^^^^^\n"
        "   = hint: did you mean `supply`?\n"
    )


def test_the_gutter_is_as_wide_as_the_line_number() -> None:
    assert shown("deal 9 from stok\n", "stok") == (
        "error[some-code]: a message\n --> a.rules:1:13\n  |\n1 | deal 9 from stok\n  |             ^^^^\n"
    )


def test_several_lines_have_carets_each() -> None:
    lines = shown("define a =\n    1 +\n    2\n", "a =\n    1 +\n    2").splitlines()
    assert lines[3:] == ["1 | define a =", "  |        ^^^", "2 |     1 +", "  |     ^^^", "3 |     2", "  |     ^"]


def test_many_lines_are_left_out_in_the_middle() -> None:
    text = "\n".join(f"line {number}" for number in range(1, 13))
    lines = shown(text, text).splitlines()
    assert [line for line in lines if "line" in line] == [" 1 | line 1", " 2 | line 2", " 3 | line 3", "12 | line 12"]
    assert lines.count("   …") == 1


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "a" * 500 + " here " + "b" * 500
    lines = shown(text, "here").splitlines()
    assert len(lines[3]) < 125
    assert lines[4].index("^") == lines[3].index("here")
    assert lines[4].count("^") == 4
    assert lines[3].count("…") == 2


def test_a_long_word_is_quoted_by_its_ends() -> None:
    long = "x" * 900_000
    found = Diagnostic("unknown-zone", f"there is no zone `{long}`", Span("a.rules", 0, 5), f"`{long}`?")
    assert len(found.message) < 150
    assert len(found.hint or "") < 150
    assert found.message.startswith("there is no zone `xxx")
    assert found.message.endswith("xxx`")


def test_a_long_place_does_not_make_long_carets() -> None:
    assert max(map(len, shown("x" * 3000, "x" * 3000).splitlines())) < 125


def test_carets_under_wide_and_combining_characters() -> None:
    lines = shown("zone 手札 of bad", "bad").splitlines()
    assert lines[4] == "  | " + " " * len("zone 手札 of ") + "  " + "^^^"
    lines = shown("zone e\u0301 bad", "bad").splitlines()
    assert lines[4] == "  |        ^^^"
    assert shown("手札", "手札").splitlines()[4] == "  | ^^^^"


def test_a_tab_is_shown_as_blanks() -> None:
    lines = shown("\tdeal", "deal").splitlines()
    assert lines[3] == "1 |     deal"
    assert lines[4] == "  |     ^^^^"


def test_nothing_that_a_terminal_obeys_is_printed() -> None:
    text = "zone \x1b[31m\u202ered"
    diagnostic = Diagnostic("some-code", "no zone `\x1b[31m`", Span("a.rules", 5, 7))
    told = format_diagnostics([diagnostic], {"a.rules": Source("a.rules", text)})
    assert "\x1b" not in told
    assert "\u202e" not in told


def test_an_empty_place_gets_one_caret() -> None:
    diagnostic = Diagnostic("some-code", "a message", Span("a.rules", 4, 4))
    lines = format_diagnostics([diagnostic], {"a.rules": Source("a.rules", "game")}).splitlines()
    assert lines[-1] == "  |     ^"


def test_a_place_out_of_the_text_and_a_file_that_is_not_there() -> None:
    beyond = Diagnostic("some-code", "a message", Span("a.rules", 90, 99))
    assert " --> a.rules:1:5" in format_diagnostics([beyond], {"a.rules": Source("a.rules", "game")})
    assert format_diagnostics([beyond], {}) == "error[some-code]: a message\n --> a.rules\n"


def test_related_places_follow() -> None:
    related = (Related("the first one", Span("a.rules", 0, 4)),)
    lines = shown("zone\nzone again\n", "again", related=related).splitlines()
    assert lines[5:] == ["note: the first one", " --> a.rules:1:1", "  |", "1 | zone", "  | ^^^^"]


def test_colour_changes_nothing_but_colour() -> None:
    diagnostic, sources = finding("deal stok", "stok", hint="a hint")
    coloured = format_diagnostics([diagnostic], sources, colour=True)
    assert "\x1b[1;31m" in coloured
    for code in ("\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1m", "\x1b[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == format_diagnostics([diagnostic], sources)


def test_summary() -> None:
    error, _ = finding("a", "a")
    warning, _ = finding("a", "a", severity="warning")
    assert summarize_diagnostics([error, warning, error]) == "2 errors, 1 warning"
    assert summarize_diagnostics([warning, warning]) == "2 warnings"
    assert summarize_diagnostics([]) == "no errors"


def test_json_has_the_fields_of_the_contract() -> None:
    related = (Related("the first one", Span("a.rules", 0, 4)),)
    diagnostic, sources = finding("zone\nzone again\n", "again", hint="a hint", related=related)
    assert json.loads(json.dumps(diagnostic_to_json(diagnostic, sources))) == {
        "severity": "error", "code": "some-code", "message": "a message", "file": "a.rules",
        "line": 2, "column": 6, "end_line": 2, "end_column": 11, "hint": "a hint",
        "related": [
            {"message": "the first one", "file": "a.rules", "line": 1, "column": 1, "end_line": 1, "end_column": 5}
        ],
    }  # fmt: skip
