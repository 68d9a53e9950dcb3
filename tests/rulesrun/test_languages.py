"""`--lang`: reports in Russian with the labels of the rules; traces with words beside what is in every trace."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulesrun.files.loading import read_rules, read_text
from rulesrun.locale.language import known_languages, list_labels
from tests.rulesrun.conftest import TINY, Run

LABELLED = (
    TINY
    + '\nalways "four at most": count of table <= 4\nalways "nobody lays": table is empty\n'
    + '\nwords ru\n  game: "Малютка"\n  lay: "выложить"\n  keep: "оставить"\n  give: "карта"\n  table: "стол"\n'
    + '  hand: "рука"\n  deck: "колода"\n  points: "очки"\n'
    + '\nwords de\n  game: "Winzling"\n  lay: "legen"\n'
)


@pytest.fixture
def labelled(tiny: Path) -> Path:
    tiny.write_text(LABELLED, "utf-8")
    return tiny


def test_the_plain_report_in_russian(run: Run, labelled: Path) -> None:
    done = run("tiny.rules", "--lang", "ru", "--games", "20", "--all")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "tiny.rules  Малютка"
    assert lines[1].startswith('  неверно    всегда "nobody lays": нарушено в ')  # what is broken comes first
    assert any(re.fullmatch(r"  партии     случайные, 40: по 20 на 2 и 3 игроков", line) for line in lines)
    place = LABELLED.split("\n").index('always "four at most": count of table <= 4') + 1
    assert f'  верно      всегда "four at most" (строка {place})' in lines
    assert any(re.fullmatch(r" +1\. игрок \d: выложить\(карта \d\)", line) for line in lines)
    assert lines[-1] == "  неверно: 1 нарушенное свойство"


HEADINGS = (
    "examples", "games", "holds", "seen", "not seen", "reveals", "secrets", "everything", "does not", "story",
    "then", "rule", "again", "coverage", "never", "threshold",
    "not known", "proved", "evidence", "next", "a fault", "may go on", "nobody has", "options", "small",
)  # fmt: skip
ENGLISH = rf"^ +({'|'.join(HEADINGS)})\b"


@pytest.mark.parametrize("game", ["zero", "hourglass", "tokens", "the_game", "collection", "classics/pig"])
def test_no_heading_of_a_report_stays_english(run: Run, game: str) -> None:
    """Wordings change; a report that is not said in full any more is found here."""
    done = run("test", game, "--lang", "ru", "--games", "2", "--coverage", "--players", "2")
    assert done.returncode in (0, 1)
    assert not [line for line in done.stdout.splitlines() if re.match(ENGLISH, line)]


@pytest.mark.parametrize("game", ["zero", "hourglass"])
def test_readings_in_russian(run: Run, game: str) -> None:
    done = run("readings", game, "--lang", "ru", "--games", "1", "--players", "3")
    assert done.returncode == 0, done.stderr
    english = r"^ +(set in|never|differed|with|shortest|again|about)\b|games at random| or "
    quoted = r'^ +"|повторить'
    assert not [line for line in done.stdout.splitlines() if re.search(english, line) and not re.match(quoted, line)]
    for line in done.stdout.splitlines():
        if "повторить" in line:
            assert re.search(r"rulesrun trace \S+\.rules --players 3 [ -~]+$", line)


@pytest.mark.parametrize("words", [[], ["--lang", "ru"]])
def test_rules_from_standard_input(run: Run, words: list[str]) -> None:
    done = run("-", "--games", "2", *words, stdin=TINY)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("-  Tiny\n")


def test_a_language_that_is_not_there(run: Run, labelled: Path) -> None:
    done = run("tiny.rules", "--lang", "fr")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there are de, en, ru" in done.stderr


def test_a_language_that_only_the_rules_have(run: Run, labelled: Path) -> None:
    done = run("tiny.rules", "--lang", "de", "--games", "2", "--all")
    assert done.stdout.startswith("tiny.rules  Winzling\n")
    assert "  holds      always" in done.stdout


def test_each_file_has_its_own_labels(run: Run, labelled: Path) -> None:
    done = run("test", "tiny.rules", "classics/kuhn", "--lang", "ru", "--games", "2", "--players", "2")
    heads = [line for line in done.stdout.splitlines() if line and not line.startswith(" ")]
    assert heads[0] == "tiny.rules  Малютка"
    assert len(heads) == 2


def test_json_stays_as_it_is(run: Run, labelled: Path) -> None:
    plain, told = (
        json.loads(run("test", "tiny.rules", "--json", "--games", "3", *more).stdout) for more in ((), ("--lang", "ru"))
    )
    for document in (plain, told):
        _without_times(document)
    assert plain == told


def _without_times(document: object) -> None:
    if isinstance(document, dict):
        document.pop("seconds", None)
        for value in document.values():
            _without_times(value)
    elif isinstance(document, list):
        for value in document:
            _without_times(value)


@pytest.mark.parametrize("words", [[], ["--states"]])
def test_a_trace_keeps_its_identifiers(run: Run, labelled: Path, words: list[str]) -> None:
    plain = run("trace", "tiny.rules", "--seed", "5", *words).stdout.splitlines()
    lines = run("trace", "tiny.rules", "--seed", "5", "--lang", "ru", *words).stdout.splitlines()
    told = [json.loads(line) for line in lines]
    assert told[0].pop("labels")["lay"] == "выложить"
    texts = [event.pop("text", None) for event in told]
    assert [json.loads(line) for line in plain] == told
    said = dict(zip((event["event"] for event in told), texts, strict=True))
    assert re.fullmatch(r"игрок \d: (выложить \(карта \d\)|оставить)", said["decision"] or "")
    assert said["score"] is not None
    assert "очки" in said["score"]
    assert "игра окончена" in (said["end"] or "")
    assert "колода → рука" in texts[1 + bool(words)]


def test_replay_accepts_a_told_trace_and_refuses_an_altered_event(run: Run, labelled: Path) -> None:
    told = run("trace", "tiny.rules", "--seed", "5", "--lang", "ru").stdout
    (labelled.parent / "told.jsonl").write_text(told, "utf-8")
    assert run("replay", "tiny.rules", "told.jsonl").returncode == 0
    (labelled.parent / "altered.jsonl").write_text(told.replace('"odds":"1/4"', '"odds":"1/3"', 1), "utf-8")
    assert run("replay", "tiny.rules", "altered.jsonl").returncode == 1


def test_faults_and_hints_are_said_whole(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bids.rules").write_text(
        'rules 1\ngame "Bids"\nplayers 2\nnumber money of player: 0..9 = 4\nnumber paid[1..3]: 0..9\n'
        "phase sale: repeat 2 times\n  all choose bid\n"
        "action bid(n in 0..9)\n  needs n <= money\n  paid[n] becomes n\n"
    )
    said = run("bids.rules", "--lang", "ru", "--games", "20").stdout.splitlines()
    hint = (
        "скажите, что тогда: добавьте `if possible` или `, else …`; "
        "если так быть не может, добавьте `, always possible`"
    )
    assert f"  = подсказка: {hint}" in said
    assert "  история 1  места с ключом 0 нет [no-such-place]" in said


def test_what_a_variant_calls_things_comes_first() -> None:
    reading = read_text('rules 1\nvariant "V" of "zero"\nwords ru\n  hand: "веер"\n')
    assert list_labels(reading.game, "ru")["hand"] == "веер"
    assert list_labels(reading.game, "ru")["pass"] == "пас"


def test_the_five_games_are_there_in_russian_and_english() -> None:
    for game in ("collection", "the_game", "tokens", "hourglass", "zero"):
        assert known_languages([read_rules(game).game]) == ["en", "ru"]
        assert re.search("[а-яё]", list_labels(read_rules(game).game, "ru")["game"].lower())


OURS = (
    r"\b(the|of|in|games?|seat|wins|score|with|deals|every|never|none|players?|decisions?|rarest|always|holds|ends|not)\b"
)
QUOTED = (
    r'"[^"]*"|`[^`]*`|^    \S.*\(строка \d+\)$|^    [-+] .*|^  \w+ +(number|phase) .*|^             .*'
    r"|--\S+|always [a-z]+"
)


@pytest.mark.parametrize("words", [
    ["simulate", "zero", "--players", "2", "--games", "5"],
    ["simulate", "collection", "--players", "2", "--games", "10", "--set", "goals=round"],
    ["compare", "zero", "variants/zero_three_passes", "--players", "2", "--games", "3"],
    ["compare", "classics/kuhn", "classics/kuhn", "--games", "10"],
    ["deadweight", "zero", "--players", "2", "--seconds", "1"],
    ["ladder", "classics/kuhn", "--games", "2", "--budget", "5"],
    ["solve", "classics/kuhn", "--within", "10%"],
    ["solve", "classics/nim"],
    ["explore", "classics/kuhn", "--players", "2"],
], ids=lambda words: "-".join(words[:2]))  # fmt: skip
def test_figures_in_russian(run: Run, words: list[str]) -> None:
    done = run(*words, "--lang", "ru")
    assert done.returncode in (0, 2), done.stderr
    left = [re.sub(QUOTED, "", line) for line in done.stdout.splitlines()]
    assert not [line for line in left if re.search(OURS, line)]
    assert re.search("[а-яё]{4}", done.stdout)
