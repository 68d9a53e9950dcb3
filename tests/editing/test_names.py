"""From names to their declarations and back; other names, there and back, are the same texts."""

from __future__ import annotations

from functools import cache

import pytest
from attrs import evolve

from rulesrun.dsl.symbols.uses import Symbol, Use, uses_of
from rulesrun.editing import (
    Analysis,
    Hover,
    Position,
    Workspace,
    apply_edits,
    find_definition,
    find_renamable,
    hover,
    list_folding,
    list_highlights,
    list_references,
    list_symbols,
    rename_symbol,
)
from rulesrun.files.sources import TextFile, bundled_names, open_rules
from tests.editing.test_completion import GAME
from tests.editing.texts import bundled_text, open_bundled, open_text, place_of

NEW = "brand_new"
# Boards, dice, figures: some of it is checked as what it stands for.
YOUNG = """\
rules 1
game "Three"
players 2

board Square: 3 by 3
marker stone[Square]: player or nothing
die Die: 1..6, 2 of each
zone cup: set of Die, public
define three = some line of 3 in Square has stone[it] = player
define full = every s in Square has stone[s] is not nothing

setup
  roll all Die into cup

phase play: turns from 1 until full or (some p in players has (some line of 3 in Square has stone[it] = p))
  choose lay
  roll all cup

action lay(s in Square)
  needs stone[s] is nothing
  stone[s] becomes player

score
  outcome = if three then 1 else 0

ranking: highest total, ties share

figure together: sum of face over cup, at end of game
can happen "somebody wins": three
"""
WORDS_OF_THE_LANGUAGE = ("builtin", "language")


@cache
def bundled_files() -> tuple[TextFile, ...]:
    found = (open_rules(name) for name in bundled_names())
    return tuple(evolve(file, name=f"{file.folder}/{file.short_name}") for file in found)


def open_with_family(name: str) -> tuple[Workspace, Analysis]:
    workspace, analysis = open_bundled(name)
    workspace.list_files = lambda folder: bundled_files()
    return workspace, analysis


def symbols_of(analysis: Analysis) -> list[Use]:
    """One use of every symbol."""
    firsts: dict[Symbol, Use] = {}
    for use in uses_of(analysis.rules).own:
        firsts.setdefault(use.symbol, use)
    return [use for symbol, use in firsts.items() if symbol.kind not in (*WORDS_OF_THE_LANGUAGE, "label")]


@pytest.mark.parametrize("name", bundled_names())
def test_every_name_leads_to_its_declaration(name: str) -> None:
    _, analysis = open_bundled(name)
    for use in uses_of(analysis.rules).own:
        assert use.symbol.kind != "unknown", use
        if use.symbol.kind not in WORDS_OF_THE_LANGUAGE:
            place = find_definition(analysis, analysis.lines.find_position(use.span.start))
            assert place is not None, use
            if place.document == analysis.document.name:
                start, end = analysis.lines.find_span(place.range)
                assert analysis.text[start:end] == use.symbol.name


def test_names_in_what_is_spelled_out_are_known() -> None:
    workspace, analysis = open_text(YOUNG)
    assert analysis.reading.program is not None
    uses = uses_of(analysis.rules)
    assert [use for use in uses.own if use.symbol.kind == "unknown"] == []
    renaming = rename_symbol(workspace, analysis, place_of(analysis, "into c|up"), "beaker")
    assert apply_edits(YOUNG, renaming.edits["game.rules"]) == YOUNG.replace("cup", "beaker")
    assert find_definition(analysis, place_of(analysis, "roll all D|ie")) is not None
    keywords = {YOUNG[use.span.start : use.span.end] for use in uses.own} & {"line", "of", "roll", "board", "die"}
    assert keywords == set()


COURT = """\
rules 1
game "Court"
players 2..3
option most: 1..2 = 1
card Courtier: step effect
  duke: gain(2), 9 of each
zone deck: pile of Courtier, hidden
zone hand of player: set of Courtier, private
number coins of player: 0..9 = 0, clamped
setup
  shuffle all Courtier into deck
  deal 3 from deck to each hand
phase play: turns from 1 until some p in players has coins of p >= 4
  choose claim or name_some
action claim(name from hand)
  look at most of deck
  move name to deck
  do effect of name
action name_some(most friends in players)
  coins increases by count of friends
step gain(amount 0..3)
  let victim = the first p from left of player where coins of p < 9
  coins of victim increases by amount
ranking: highest coins, ties share
"""


# Two kinds in one zone: each name leads to its own kind, what only one of them has to that one.
MIXED = """\
rules 1
game "Stall"
players 2

card Good: worth 1..3
token Coin: 3

zone stall: row of Good or Coin, public
zone basket of player: set of Good or Coin, public

setup
  move all Good to stall
  move all Coin to stall

phase day: turns from 1 until stall is empty
  choose take

action take(thing from stall or basket)
  needs thing is a Coin or worth of thing > 1
  move thing to basket

score at end
  points = sum of worth over basket where it is a Good

ranking: highest total, ties share
"""


@pytest.mark.parametrize(
    ("at", "name"), [("is a C|oin", "Coin"), ("Good or C|oin, public\nz", "Coin"), ("or w|orth", "worth")]
)
def test_names_of_mixed_kinds(at: str, name: str) -> None:
    workspace, analysis = open_text(MIXED)
    assert [use for use in uses_of(analysis.rules).own if use.symbol.kind == "unknown"] == []
    renaming = rename_symbol(workspace, analysis, place_of(analysis, at), NEW)
    assert apply_edits(MIXED, renaming.edits["game.rules"]) == MIXED.replace(name, NEW)


def test_names_in_statements_that_are_spelled_out() -> None:
    workspace, analysis = open_text(COURT)
    assert analysis.reading.program is not None
    assert [use for use in uses_of(analysis.rules).own if use.symbol.kind == "unknown"] == []
    for use in symbols_of(analysis):
        renaming = rename_symbol(workspace, analysis, analysis.lines.find_position(use.span.start), NEW)
        assert renaming.refusal is None, (use.symbol, renaming.refusal)
        assert NEW * 2 not in apply_edits(COURT, renaming.edits["game.rules"]), use.symbol
    effect = rename_symbol(workspace, analysis, place_of(analysis, "step ef|fect"), "deed").edits["game.rules"]
    assert apply_edits(COURT, effect) == COURT.replace("effect", "deed")


def rename_there_and_back(name: str, step: int) -> int:
    workspace, analysis = open_with_family(name)
    saved = {file.name: file.text for file in bundled_files()}
    renamed = 0
    for use in symbols_of(analysis)[step // 2 :: step]:
        place = analysis.lines.find_position(use.span.start)
        there = rename_symbol(workspace, analysis, place, NEW)
        if there.refusal is not None and "row and column" in there.refusal:  # `a7` of a board
            assert find_renamable(analysis, place) is None
            continue
        assert there.refusal is None, (use.symbol, there.refusal)
        texts = {document: apply_edits(saved[document], edits) for document, edits in there.edits.items()}
        changed = workspace.with_texts(texts)
        after = changed.analyse(analysis.document.name)
        found = (one for one in uses_of(after.rules).own if one.symbol.name == NEW)
        again = next(one for one in found if one.symbol.kind == use.symbol.kind)
        back = rename_symbol(changed, after, after.lines.find_position(again.span.start), use.symbol.name)
        assert back.refusal is None, (use.symbol, back.refusal)
        assert {one: apply_edits(texts[one], edits) for one, edits in back.edits.items()} == {
            one: saved[one] for one in texts
        }
        renamed += 1
    return renamed


def test_some_names_there_and_back() -> None:
    assert rename_there_and_back("classics/kuhn", 6) > 2
    assert rename_there_and_back("variants/checkers_kings_are_safe_from_men", 1) > 5  # names in a quoted line
    assert rename_there_and_back("variants/the_game_six_rows", 4) > 0


@pytest.mark.long
@pytest.mark.parametrize("name", bundled_names())
def test_every_name_there_and_back(name: str) -> None:
    rename_there_and_back(name, 1)


def refusal_of(text: str, marked: str, new: str) -> str:
    workspace, analysis = open_text(text)
    return str(rename_symbol(workspace, analysis, place_of(analysis, marked), new).refusal)


def test_what_would_be_caught_by_another_name_is_refused() -> None:
    assert "declared twice" in refusal_of(GAME, "zone he|ap:", "stock")
    caught = GAME + 'define worth(n 0..5) = n + passes\nalways "little": worth(5) < 90\n'
    assert refusal_of(caught, "define worth(|n 0", "m") == "None"
    assert refusal_of(caught, "define worth(|n 0", "passes") != "None"
    assert refusal_of(caught, "number pass|es", "n") != "None"


def test_words_of_the_language_stay() -> None:
    assert "word of the language" in refusal_of(GAME, "turns from star|ter", "boss")
    assert "cannot be a name" in refusal_of(GAME, "zone he|ap:", "two words")
    assert refusal_of(GAME, "zone he|ap:", "count") != "None"


def test_names_of_a_bundled_base_stay() -> None:
    """It was found by its name: there is no file beside the variant that could be changed."""
    text = (
        'rules 1\nvariant "Short pig" of "classics/pig"\n\nchange option target: 1..1000 = 20\n'
        'always "so": banked <= 1000\n'
    )
    for name in ("mine.rules", "/home/me/mine.rules", "file:///home/me/mine.rules"):
        workspace, analysis = open_text(text, name)
        for marked in ("option tar|get", "so\": ban|ked"):
            refusal = str(rename_symbol(workspace, analysis, place_of(analysis, marked), "goal").refusal)
            assert "bundled rulebook `classics/pig`" in refusal
            assert 'of "pig.rules"' in refusal
    own = f'{text}define lead = banked - 1\nnever "far": lead > 5000\n'
    workspace, analysis = open_text(own, "/home/me/mine.rules")
    renaming = rename_symbol(workspace, analysis, place_of(analysis, "define le|ad"), "front")
    assert apply_edits(own, renaming.edits["/home/me/mine.rules"]) == own.replace("lead", "front")


def test_a_broken_file_keeps_its_names() -> None:
    assert "errors" in refusal_of(GAME.replace("ranking:", "rankin:"), "zone he|ap:", "pile_of_cards")


def test_shared_labels_are_written_once_more() -> None:
    labelled = GAME.replace("zone heap", "zone lay").replace("to heap", "to lay") + 'words ru\n  lay: "класть"\n'
    workspace, analysis = open_text(labelled)
    renaming = rename_symbol(workspace, analysis, place_of(analysis, "action l|ay"), "put")
    text = apply_edits(labelled, renaming.edits["game.rules"])
    assert text.endswith('words ru\n  lay: "класть"\n  put: "класть"\n')


def test_labels_stay_with_what_people_read_of() -> None:
    """A parameter that is called like a choice has no label, so none is written for its new name."""
    labelled = f'{GAME}define twice(given 1..6) = 2 * given\nalways "so": twice(1) < 3\nwords ru\n  given: "карта"\n'
    workspace, analysis = open_text(labelled)
    renaming = rename_symbol(workspace, analysis, place_of(analysis, "twice(gi|ven 1"), "n")
    text = apply_edits(labelled, renaming.edits["game.rules"])
    assert text == labelled.replace("twice(given 1..6) = 2 * given", "twice(n 1..6) = 2 * n")
    choice = rename_symbol(workspace, analysis, place_of(analysis, "lay(gi|ven from"), "card").edits["game.rules"]
    assert 'words ru\n  given: "карта"\n  card: "карта"\n' in apply_edits(labelled, choice)


def test_references_of_a_base_stand_in_its_variants_too() -> None:
    workspace, analysis = open_with_family("zero")
    place = place_of(analysis, "zone ha|nd of player")
    found = list_references(workspace, analysis, place)
    documents = {one.document.rpartition("/")[2] for one in found}
    assert {"zero.rules", "zero_open_hands.rules"} <= documents
    highlights = list_highlights(analysis, place)
    assert len(highlights) == sum(one.document == analysis.document.name for one in found)
    assert sum(one.declares for one in highlights) == 1


@pytest.mark.parametrize("name", ["classics/kuhn", "variants/zero_three_passes", "gallery/othello"])
@pytest.mark.parametrize("behind", ["", "zoen\n"])
def test_hover_reads_one_piece_and_says_the_same(name: str, behind: str) -> None:
    path, text = bundled_text(name)
    said: list[list[Hover | None]] = []
    for is_whole in (True, False):
        workspace, _ = open_text(text, path)
        workspace.open_document(path, text + behind, 2)
        analysis = workspace.analyse(path)
        starts = [use.span.start for use in uses_of(open_text(text, path)[1].rules).own[::4]]
        if is_whole:
            uses_of(analysis.rules)
        said.append([hover(analysis, analysis.lines.find_position(start)) for start in starts])
    assert said[0] == said[1]
    assert len([one for one in said[0] if one is not None]) > 0.7 * len(said[0]) > 0


def test_words_can_be_renamed_and_builtins_cannot() -> None:
    _, analysis = open_text(GAME)
    renamable = find_renamable(analysis, place_of(analysis, "values Colour: r|ed"))
    assert renamable is not None
    assert renamable.name == "red"
    assert find_renamable(analysis, place_of(analysis, "turns from star|ter")) is None


def test_pieces_and_folds() -> None:
    _, analysis = open_text(GAME)
    found = {item.name: item for item in list_symbols(analysis)}
    assert found["lay"].kind == "action"
    assert [child.name for child in found["lay"].children] == ["given"]
    assert found["lay"].range.start == Position(14, 0)
    assert any((fold.first, fold.last) == (14, 15) for fold in list_folding(analysis))
