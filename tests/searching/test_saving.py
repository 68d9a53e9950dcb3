"""What was found is kept: as an example that fails until the rule is mended, as a trace that replay takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesrun.cli import main
from rulesrun.files.loading import read_rules

SOUND = """rules 1
game "Cards"
players 2..3
card Card: rank 1..12
values Mark: cross, star
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone table: row of Card, public
marker luck: Mark = cross
option limit: 2..4 = 3
setup
  shuffle all Card into deck
  roll luck
  deal 2 from deck to each hand
phase play: turns from 1 until count of table >= limit
  choose lay or swap
action lay(card from hand)
  move card to table
  draw 1 from deck to hand
action swap(card from hand)
  move card to bottom of deck
  draw 1 from deck to hand
score at end
  points = sum of rank over hand
ranking: highest total, ties share
always "two cards each": every p in players has count of hand of p = 2
never "too many on the table": count of table > limit
after lay "one more on the table": count of table = before (count of table) + 1
at end of turn "a rest in the deck": deck is not empty
"""
BREAKS = {
    "two cards each": ("  move card to bottom of deck\n  draw 1", "  move card to bottom of deck\n  draw 2"),
    "too many on the table": ("until count of table >= limit", "until count of table > limit"),
    "one more on the table": (
        "move card to table\n",
        "move card to table\n  if rank of card = 9\n    draw 1 from deck to table\n",
    ),
}


@pytest.mark.parametrize("what", ["two cards each", "too many on the table", "one more on the table"])
def test_the_example_fails_now_and_holds_when_the_rule_is_mended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    good, bad = BREAKS[what]
    assert good in SOUND
    file = tmp_path / "cards.rules"
    file.write_text(SOUND.replace(good, bad), "utf-8")
    assert main([str(file), "--games", "60", "--save-example"]) == 1
    assert "saved" in capsys.readouterr().out
    text = file.read_text("utf-8")
    assert text.startswith(SOUND.replace(good, bad))
    assert f'example "found: {what}"' in text
    assert main(["test", str(file)]) == 1
    assert f'example "found: {what}"' in capsys.readouterr().out
    file.write_text(text.replace(bad, good), "utf-8")
    assert main(["test", str(file), "--games", "5"]) == 0, capsys.readouterr().out


def test_a_game_that_gets_stuck(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = SOUND.replace("choose lay or swap", "choose lay")
    bad = bad.replace("card from hand)\n", "card from hand where rank < 5)\n", 1).replace("action swap", "action swop")
    file, trace = tmp_path / "cards.rules", tmp_path / "game.jsonl"
    file.write_text(bad, "utf-8")
    assert main([str(file), "--games", "60", "--save-example", "--trace", str(trace)]) == 1
    assert "found: empty-choice" in file.read_text("utf-8")
    assert read_rules(str(file)).digest in trace.read_text("utf-8").splitlines()[0]  # of the rules as they are now
    file.write_text(bad, "utf-8")
    capsys.readouterr()
    assert main(["replay", str(file), str(trace), "--rules-only"]) == 0, capsys.readouterr()


def test_a_trace_of_a_broken_property_is_a_whole_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = BREAKS["too many on the table"]
    file, trace = tmp_path / "cards.rules", tmp_path / "game.jsonl"
    file.write_text(SOUND.replace(good, bad), "utf-8")
    assert main([str(file), "--games", "20", "--trace", str(trace)]) == 1
    assert main(["replay", str(file), str(trace), "--rules-only"]) == 0, capsys.readouterr().out
    assert '"event":"end"' in trace.read_text("utf-8").splitlines()[-1]


def test_the_example_goes_to_the_file_that_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fold.rules").write_text(
        'rules 1\nvariant "Fold" of "classics/kuhn"\n'
        "change phase opening: one turn each from 1 until bettor is not nothing\n  choose pass, bet or fold\n",
        "utf-8",
    )
    assert main(["fold.rules", "--games", "50", "--save-example"]) == 1
    assert 'example "found: nobody folds without a bet"' in (tmp_path / "fold.rules").read_text("utf-8")


DRAWN = """rules 1
game "Drawn"
players 2
card Card: rank 1..9
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone table: row of Card, public
setup
  shuffle all Card into deck
  deal 2 from deck to each hand
phase play: turns from 1 until count of table >= 3
  draw 1 from deck to hand
  choose lay
action lay(card from hand)
  move card to table
never "a nine lies there": some c in table has rank of c = 9
"""


def test_a_turn_that_draws_first_is_kept_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "drawn.rules"
    file.write_text(DRAWN, "utf-8")
    assert main([str(file), "--games", "40", "--save-example"]) == 1
    assert "saved" in capsys.readouterr().out
    text = file.read_text("utf-8")
    assert 'example "found: a nine lies there"' in text
    file.write_text(text.replace("card from hand)", "card from hand where rank < 9)"), "utf-8")
    assert main(["test", str(file), "--games", "5"]) == 0, capsys.readouterr().out
