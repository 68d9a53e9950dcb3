"""What is offered: the word that stands there is among the first, and whatever is offered can stand there."""

from __future__ import annotations

import pytest

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.editing import Analysis, Workspace, complete
from rulesrun.files.loading import read_text
from rulesrun.files.sources import bundled_names
from tests.editing.texts import bundled_text, open_text, place_of, words_of
from tests.heap_game import write_heap

FIRST = 10
GAME = write_heap()


def offered_in(marked: str) -> list[str]:
    """The labels offered at `|` in the game above, where the last line is this one."""
    _, analysis = open_text(GAME.replace("ranking: lowest total, ties share\n", "") + marked.replace("|", "", 1))
    place = analysis.lines.find_position(len(analysis.text) - (len(marked) - marked.index("|") - 1))
    return [item.label for item in complete(analysis, place).items]


BOARD_GAME = 'rules 1\ngame "Steps"\nplayers 2\nphase play: turns from 1, at most 9 turns\n  choose step\n'


def offered_in_whole(marked: str) -> list[str]:
    """The labels offered at `|` in a text of its own."""
    at = marked.index("|")
    _, analysis = open_text(marked.replace("|", "", 1))
    return [item.label for item in complete(analysis, analysis.lines.find_position(at)).items]


def test_zones_come_first_where_a_zone_belongs() -> None:
    assert {*offered_in("action draw_one\n  draw 1 from |")[:3]} == {"stock", "heap", "hand"}


def test_words_of_the_type_that_is_compared() -> None:
    assert {*offered_in("action a(c from hand)\n  needs colour of c = |")[:3]} == {"red", "blue", "green"}


def test_a_choice_is_known_below_its_action() -> None:
    assert offered_in("action a(mine from hand)\n  move |")[0] == "mine"


def test_what_is_used_and_not_declared_is_offered_where_it_is_declared() -> None:
    assert "aside" in offered_in("action a(c from hand)\n  move c to aside\nzone |")


def test_pieces_that_are_missing_come_first() -> None:
    assert offered_in("rank|") == ["ranking …", "ranking"]
    assert "ranking …" in offered_in("|")[:4]


def test_phrases_are_offered_whole_and_from_their_middle() -> None:
    assert "draw lots for" in offered_in("setup round\n  |")
    assert offered_in("setup round\n  draw lots |")[0] == "for"


def test_a_line_goes_on_with_the_one_above() -> None:
    assert {"and", "or"} <= {*offered_in('always "so": 1 < 2\n    |')}
    assert {"and", "or"} <= {*offered_in('always "so": 1 < 2\n    | 1 < 3')}


def test_a_reason_follows_because() -> None:
    assert offered_in('action a\n  needs 1 < 2\n      | "it is so"')[0] == "because"


def test_what_a_phrase_lacks_is_offered_before_the_rest_of_it() -> None:
    assert offered_in("ranking: highest total, | share")[0] == "ties"
    assert offered_in('can | "a lay": passes > 0')[0] == "happen"
    assert offered_in('| happen "a lay": passes > 0')[0] == "can"


def test_yes_and_no_come_first_where_one_of_them_is_wanted() -> None:
    assert {*offered_in("option misere: yes or no = |")[:2]} == {"yes", "no"}


def test_a_name_that_is_given_twice_is_offered_each_time() -> None:
    twice = "define odd = (some n in 1..3 has n = passes) or (some | in 4..6 has n > passes)"
    assert offered_in(twice)[0] == "n"


@pytest.mark.parametrize(("line", "wanted"), [
    ("change action ", "jump"), ("change action jump, without needs is_king[", "from"),
    ("change action jump, in place of needs at is nothing or from = ", "at"),
    ("change action jump, after at becomes to\n  clear all between(from, ", "to"),
    ("change phase play, before choose ", "jump"),
])  # fmt: skip
def test_a_line_that_changes_knows_the_names_of_its_piece(line: str, wanted: str) -> None:
    path, text = bundled_text("variants/checkers_men_take_backwards")
    _, analysis = open_text(f"{text.rstrip()}\n{line}", path)
    place = analysis.lines.find_position(len(analysis.text))
    assert wanted in [item.label for item in complete(analysis, place).items[:FIRST]]


def test_a_variant_begins_with_what_it_changes() -> None:
    path, text = bundled_text("variants/zero_three_passes")
    for line, wanted in (("", "change"), ("change zone ", "hand"), ("change step ", "judge_call"), ("add ", "line")):
        _, analysis = open_text(f"{text.rstrip()}\n{line}", path)
        place = analysis.lines.find_position(len(analysis.text))
        assert wanted in [item.label for item in complete(analysis, place).items[:FIRST]], line


def test_what_a_variant_adds_is_judged() -> None:
    double = "the_game_hands_count_double", "sum of count of |hand"
    for name, found in (double, ("hourglass_hand_counts", "over |hand")):
        path, text = bundled_text(f"variants/{name}")
        start = text.index(found.replace("|", "")) + found.index("|")
        _, labels = offered_for(Workspace(), path, text, start, start + 4)
        assert "hand" in labels[:FIRST]


def test_young_words_are_offered() -> None:
    assert offered_in("look |") == ["colours", "layout", "symbols"]
    assert {"let", "swap"} <= {*offered_in("setup round\n  |")}
    assert "the first" in offered_in("setup round\n  starter becomes |")
    assert offered_in("setup round\n  let best = passes\n  passes becomes b|")[0] == "best"
    assert {*offered_in("setup round\n  swap heap with |")[:2]} == {"hand", "stock"}
    assert offered_in("step tell(amount 1..3)\n  passes becomes |")[0] == "amount"
    assert offered_in("step tell(amount 1..3)\n  end turn\nsetup round\n  do |") == ["tell"]
    assert offered_in("action a\n  lo|")[0] == "look at"
    assert {*offered_in("action a\n  look at 2 of |")[:3]} == {"stock", "hand", "heap"}
    assert "always possible" in offered_in("setup round\n  all choose pass, |")


def test_an_option_of_a_small_table_has_its_values() -> None:
    offered = offered_in('option kind: short, long = short\nsmall "few"\n  set kind = |')
    assert {*offered[:2]} == {"short", "long"}
    assert {"yes", "no"} == {*offered_in('option odd: yes or no = no\nsmall "few"\n  set odd = |')[:2]}


def test_a_small_table_says_anew_what_there_is() -> None:
    assert {*offered_in('small "few"\n  zone |')[:3]} == {"stock", "hand", "heap"}
    assert offered_in('small "few"\n  values |')[0] == "Colour"
    assert offered_in('small "few"\n  card |: rank 1..2')[0] == "Card"


def test_labels_are_no_names_but_what_they_label_may_be_missing() -> None:
    offered = offered_in('words ru\n  game: "Куча"\n  laid_all: "всё выложено"\ndefine |')
    assert offered[0] == "laid_all"
    assert not {"game", "ru"} & {*offered}


def test_what_players_see_is_labelled_first() -> None:
    labelled = 'define half = 1\nwords en\n  red: "Red"\nwords ru\n  |: "…"'
    offered = offered_in(labelled)
    assert offered[0] == "red"
    assert {"lay", "pass", "blue", "green"} <= {*offered[:8]}


def test_a_parameter_is_called_like_its_type() -> None:
    assert offered_in("define worth(| Card) = 1")[0] == "c"


def test_a_line_goes_on_before_others_that_do() -> None:
    assert offered_in('always "so": if 1 < 2\n    | 1 < 3\n    else 1 < 4') == ["then"]


def test_places_of_a_grid() -> None:
    board = "board Square: 3 by 3\nmarker stone[Square]: player or nothing\n"
    offered = offered_in(f'{board}example "it"\n  given stone[|] = 1')
    assert {"a1", "b2", "c3"} <= {*offered}
    assert "d1" not in offered


def test_components_of_several_kinds() -> None:
    kinds = "token Coin: worth 1..2, 2 of each\nzone stall: row of Card or Coin, public\n"
    assert {*offered_in(f"{kinds}zone chest: set of Card or |")} == {"Card", "Coin"}
    assert {*offered_in(f"{kinds}define price(c Card or Coin) = if c is a |")} == {"Card", "Coin"}
    assert "is a" in offered_in(f"{kinds}define price(c Card or Coin) = if c |")
    assert {*offered_in(f"{kinds}action buy(thing from hand or |")[:4]} == {"hand", "heap", "stall", "stock"}


def test_the_next_place_of_a_line() -> None:
    board = "board Point\n  line a1, a4, a7\n  line c3, c4, c5\n"
    assert offered_in(f"{board}  line a1, d1, |")[0] == "g1"
    assert offered_in(f"{board}  line a1, |, g1")[0] == "d1"
    assert "a4" in offered_in(f"{board}  line |, c4")


def test_what_is_asked_for_is_offered_where_it_is_declared() -> None:
    """Each kind of piece by what asks for it, even where the word has a meaning of its own."""
    assert offered_in("phase second: one turn each from 1\n  choose place\naction |")[0] == "place"
    assert offered_in("setup round\n  do deal_anew\nstep |")[0] == "deal_anew"
    assert offered_in('example "it"\n  given phase second\nphase |: one turn each from 1\n  choose lay')[0] == "second"


def test_what_a_piece_speaks_of_is_offered_where_it_is_bound() -> None:
    known = "define worth(n 1..6) = 2 * n\naction ask(n in 1..6)\n  passes becomes n\n"
    assert offered_in(f"{known}action tell(| in 1..6, m in 1..2)\n  passes becomes n * m")[0] == "n"
    assert offered_in(f"{known}define half(| 1..6) = 1")[0] == "n"  # as it is called elsewhere
    assert "m" not in offered_in(f"{known}action tell(| in 1..6, m in 1..2)\n  passes becomes m")


def test_words_are_numbered_on_and_attributes_called_like_their_type() -> None:
    assert offered_in("values Row: up1, up2, |")[0] == "up3"
    assert offered_in("token Chip: | Colour, 2 of each")[0] == "colour"


def test_what_is_written_out_comes_first() -> None:
    assert offered_in("number pass_count: 0..3 = 0\nphase last: one turn each from 1\n  choose pass|")[0] == "pass"


def test_what_changes_in_play_does_not_say_how_large_things_are() -> None:
    offered = offered_in("option most: 1..6 = 3\nnumber laid: 0..| = 0")
    assert offered[0] == "most"
    assert not {"passes", "laid", "hand", "player", "round"} & {*offered}
    assert "players" in offered


def test_words_that_would_be_names_there_are_not_offered() -> None:
    assert not {"line", "order"} & {*offered_in("define before_me = | of player")}
    assert not {"do", "each", "end"} & {*offered_in("setup round\n  | becomes 0")}


def test_a_piece_begins_with_a_word_that_its_lines_fit() -> None:
    assert {*offered_in('| ru\n  heap: "куча"')[:2]} == {"words", "look"}
    assert "setup" in offered_in("|\n  shuffle all Card into stock")[:4]


def test_no_name_begins_a_statement_with_lines_below() -> None:
    offered = offered_in("setup round\n  if passes = 1\n    passes becomes 0\n  |\n    passes becomes 2")
    assert "otherwise" in offered[:3]
    assert not {"passes", "hand", "starter"} & {*offered}


def test_the_middle_of_a_phrase() -> None:
    assert offered_in('example "it"\n  then the game | on')[0] == "goes"


def test_words_that_something_follows_are_offered_before_it_does() -> None:
    assert {"left", "right"} <= {*offered_in("define rival = |")}
    offered = offered_in("marker odd: yes or no = |")
    assert {*offered[:2]} == {"yes", "no"}
    assert not {"play", "lay", "c"} & {*offered}


def test_a_line_of_the_score_is_called_after_what_it_looks_at() -> None:
    path, text = bundled_text("variants/the_game_open_hands")
    _, analysis = open_text(f"{text.rstrip()}\nadd line : count of hand", path)
    place = analysis.lines.find_position(len(analysis.text) - len(": count of hand"))
    assert {*[item.label for item in complete(analysis, place).items[:2]]} == {"hand", "in_hand"}


def test_who_wins() -> None:
    assert {*offered_in("setup round\n  | wins")[:2]} == {"player", "starter"}
    assert not {"hand", "red", "points", "winner"} & {*offered_in("setup round\n  nobody wins\nsetup\n  |")}
    told = "setup round\n  player wins\n"
    assert "winner" in offered_in(f'{told}always "so": | is nothing')[:FIRST]
    assert "winner" not in offered_in('always "so": | is nothing')


def test_values_stand_alone_where_their_places_are_looked_at() -> None:
    board = "board Square: 3 by 3\nmarker stone[Square]: player or nothing\n"
    assert offered_in(f"{board}define mine = Square where | = player")[0] == "stone"
    assert {*offered_in(f"{board}define mine = Square where |")[:3]} == {"stone", "row", "column"}


def test_partners_are_known_where_there_are_teams() -> None:
    teams = "teams for 4: 1 and 3, 2 and 4\n"
    assert "partner" in offered_in(f"{teams}define ours = count of hand of |")[:FIRST]
    assert "partner" not in offered_in("define ours = count of hand of |")


def test_attributes_come_first_where_they_stand_alone() -> None:
    assert {*offered_in("define low = count of hand where | < 3")[:3]} >= {"rank"}


def test_places_of_an_example_lie_beside_those_it_names() -> None:
    board = "board Square: 8 by 8\nmarker man[Square]: player or nothing\n"
    action = "action go(from in Square, to in Square)\n  man[to] becomes player\n"
    given = 'example "it"\n  given man[d4] = 1\n  given man[h8] = 2\n'
    assert {*offered_in(f"{board}{action}{given}  when 1: go(d4, |)")[:9]} >= {"d5", "e5", "c3"}
    offered = offered_in(f"{board}{action}{given}  given man[|] = 1")
    assert not {"d4", "h8"} & {*offered}  # nothing is given twice
    assert {"g7", "g8", "h7"} == {*offered[:3]}


def test_places_of_rings() -> None:
    board = "board Point: 3 rings\nmarker man[Point]: player or nothing\n"
    offered = offered_in(f'{board}example "it"\n  given man[|] = 1')
    assert {"a7", "b4", "d6"} <= {*offered}
    assert not {"a2", "d4", "b5"} & {*offered}


def test_places_are_those_of_the_options_that_are_chosen() -> None:
    board = "option squares: 1..3 = 1\nboard Point: squares rings\nmarker man[Point]: player or nothing\n"
    given = 'example "it"\n{}  given man[|] = 1'
    one_ring = {f"{column}{row}" for column in "abc" for row in "123"} - {"b2"}
    assert {label for label in offered_in(board + given.format("")) if label[1:].isdigit()} == one_ring
    two_rings = {*one_ring, "c4", "e1", "e5", "a5"} - {"a2", "b1"}
    offered = offered_in(board + given.format("  set squares = 2\n"))
    assert two_rings - {"a3", "b3", "c3"} <= {*offered}
    assert not {"a2", "b1", "c3", "g7"} & {*offered}
    dark = "board Square: 4 by 4 where (row + column) mod 2 = 0\nmarker man[Square]: player or nothing\n"
    assert {label for label in offered_in(dark + given.format("")) if label[1:].isdigit()} == {
        "a1", "c1", "b2", "d2", "a3", "c3", "b4", "d4"
    }  # fmt: skip


def test_what_is_moved_on_a_board_does_not_speak_against_where_it_was_chosen() -> None:
    board = "board Square: 4 by 4\nmarker man[Square]: player or nothing\ndefine mine = Square where man = player\n"
    game = BOARD_GAME + board
    assert "mine" in offered_in_whole(game + "action step(from in |, to in neighbours(from))\n  move from to to\n")[:4]
    assert "neighbours" in offered_in_whole(
        game + "action step(from in mine, to in |(from))\n  move from to to\n")[:FIRST]


def test_what_is_declared_and_never_used_comes_early() -> None:
    assert "laid" in offered_in("number laid: 0..20 = 0\nsetup round\n  | becomes 0")[:2]


def test_nothing_in_comments_and_texts() -> None:
    assert offered_in("# zo|") == []
    assert offered_in('always "zo|') == []


def test_in_a_broken_text_the_last_sound_one_answers() -> None:
    workspace, _ = open_text(GAME)
    broken = GAME.replace("zone heap: pile of Card, public", "zone heap pile Card").replace(
        "  move given to heap", "  move given to h"
    )
    workspace.open_document("game.rules", broken, 2)
    analysis = workspace.analyse("game.rules")
    labels = [item.label for item in complete(analysis, place_of(analysis, "given to h|\n")).items]
    assert labels[:2] == ["hand", "heap"] or labels[:2] == ["heap", "hand"]


# ---- every word of the bundled rulebooks


def offered_for(workspace: Workspace, path: str, text: str, start: int, end: int) -> tuple[Analysis, list[str]]:
    """What is offered where a word was taken out of a text that was sound."""
    workspace.open_document(path, text, 1)
    workspace.analyse(path)
    workspace.open_document(path, text[:start] + text[end:], 2)
    analysis = workspace.analyse(path)
    return analysis, [item.label for item in complete(analysis, analysis.lines.find_position(start)).items]


def count_found(name: str, step: int) -> tuple[int, int]:
    return count_found_in(*bundled_text(name), step)


def count_found_in(path: str, text: str, step: int) -> tuple[int, int]:
    """How often the word that stands there is among the first offered, of every so many words."""
    workspace, found, all_words, is_sound = Workspace(), 0, 0, False
    for word, line in list(words_of(text))[step // 2 :: step]:
        if not is_sound:
            workspace.open_document(path, text, 1)
            workspace.analyse(path)
        workspace.open_document(path, text[: word.start] + text[word.end :], 2)
        analysis = workspace.analyse(path)
        labels = [item.label for item in complete(analysis, analysis.lines.find_position(word.start)).items[:FIRST]]
        at = line.words.index(word)
        texts = [one.text for one in line.words[at : at + 5]]
        all_words += 1
        found += any(label.split() == texts[: len(label.split())] for label in labels)
        is_sound = analysis.sound is not analysis.reading  # else it is right without the word, too
    return found, all_words


def test_the_word_that_stands_there_is_among_the_first_ten() -> None:
    found, all_words = count_found("classics/kuhn", 9)
    assert found >= 0.95 * all_words > 0


@pytest.mark.long
@pytest.mark.parametrize("name", bundled_names())
def test_every_word_of_a_bundled_rulebook_is_among_the_first_ten(name: str) -> None:
    found, all_words = count_found(name, 1)
    print(f"{name}: {found} of {all_words}")  # noqa: T201
    assert found >= 0.95 * all_words


def complaints_of(text: str, path: str) -> tuple[Diagnostic, ...]:
    return tuple(one for one in read_text(text, path).diagnostics if one.severity == "error")


SYNTAX = {"unexpected-word", "unfinished-line", "unknown-statement", "unknown-piece", "unknown-line", "wrong-word"}


def check_offered(name: str, step: int) -> None:
    """Each word offered makes a line that the grammar takes, of names that there are."""
    path, text = bundled_text(name)
    workspace = Workspace()
    for word, _ in list(words_of(text))[step // 3 :: step]:
        _, labels = offered_for(workspace, path, text, word.start, word.end)
        for label in labels[:4]:
            if "…" not in label:
                found = complaints_of(text[: word.start] + label + text[word.end :], path)
                near = [one for one in found if one.span.start <= word.start <= one.span.end]
                assert not [one for one in near if one.code in SYNTAX], (label, word, near)


def test_what_is_offered_can_stand_there() -> None:
    check_offered("classics/kuhn", 23)


@pytest.mark.long
@pytest.mark.parametrize("name", bundled_names())
def test_what_is_offered_can_stand_there_in_all_bundled_rulebooks(name: str) -> None:
    if not name.startswith("variants/"):
        check_offered(name, 17)
