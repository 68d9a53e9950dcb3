"""Points, rankings, who has won, and teams, as people say them. Takes places, gives mistakes."""

from __future__ import annotations

from attrs import evolve

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.conditions import PEOPLE
from rulesrun.dsl.mistakes.moves import THINGS
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.text.declared_words import find_only
from rulesrun.dsl.text.messages import message

MOST = {"most": "highest", "highest": "highest", "biggest": "highest", "largest": "highest", "more": "highest",
        "best": "highest", "fewest": "lowest", "lowest": "lowest", "least": "lowest", "smallest": "lowest",
        "fewer": "lowest"}  # fmt: skip
AROUND_MOST = frozenset((
    "the", "player", "who", "with", "has", "wins", "win", "winner", "is", "whoever", "gets", "points", "point", "score",
    "total", "number", "of", "game", "ranking", "cards", "card", "in", "and", "everyone", "person", "one", "a", "at",
    "end", "value", "tokens", "coins",
))  # fmt: skip


def _diagnose_spoken_ranking(place: StoppingPlace) -> Mistake | None:
    """`the player with the most cards wins`, `lowest score wins`, `winner: fewest cards`, `ranking: most points`."""
    texts = [word.text for word in place.words if word.text not in (":", "=", ",")]
    most = next((MOST[text] for text in texts if text in MOST), "")
    begins = ("ranking", "winner", "the", "whoever", "player", "most", "fewest", "highest", "lowest", "win")
    said = {"wins", "win", "winner", "ranking"} & {*texts}
    is_reached = texts[:1] == ["first"] or (texts[:1] == ["player"] and any(map(str.isdigit, texts)))
    if place.kind == "declaration" and is_reached and said and not most:
        hint = message(
            "write `ranking: highest total, ties share`, and behind the turns when the game ends: `until some p in "
            "players has … of p >= …`"
        )
        return place.make_mistake_at_start("unknown-piece", message("who wins is said by the `ranking`"), hint)
    if place.kind != "declaration" or place.first_word not in begins or not most or not said or "ties" in texts:
        return None
    if place.first_word == "ranking" and not {"most", "fewest", "least", "the", "player", "who"} & {*texts}:
        return None
    things = place.declared.things
    rest = [text for text in texts if text not in AROUND_MOST and text not in MOST]
    hand = "hand" if "hand" in things.hands else find_only(things.hands)
    if len(rest) > 1:
        return None
    if rest:
        value = f"count of {rest[0]}" if rest[0] in things.zones else rest[0]
        value = value if rest[0] in (*things.zones, *things.counted, *place.declared.before_of) else "total"
    else:
        value = f"count of {hand}" if {"cards", "card"} & {*texts} and hand else "total"
    line = f"ranking: {most} {value}, ties share"
    return place.write_line("unknown-piece", message("who wins is said by the `ranking`"), line)


def _diagnose_spoken_winner(place: StoppingPlace) -> Mistake | None:
    """`winner is player`, `the winner = left of player`."""
    said = [word.text for word in place.words if word.text != "the"]
    if place.kind != "statement" or said[:1] != ["winner"] or said[1:2] not in (["is"], ["="], ["becomes"]):
        return None
    line = f"{' '.join(said[2:]) or 'player'} wins"
    return place.write_line("unknown-statement", message("the result is not said like this"), line)


WINS = {"win": "wins", "wins": "wins", "won": "wins", "winner": "wins", "victorious": "wins",
        "lose": "loses", "loses": "loses", "lost": "loses", "loser": "loses"}  # fmt: skip
TIED = frozenset(("tie", "tied", "ties", "draw", "drawn", "draws", "stalemate"))
BEFORE_CONDITIONS = ("if", "otherwise", "needs", "repeat", "until")
ASKED_TO_WIN = frozenset(("player", "a", "any", "the", "somebody", "someone", "one", "has", "have", "is", "opponent"))
AROUND_TIED = frozenset(("the", "game", "it", "is", "a", "ends", "end", "in"))


def _diagnose_spoken_result(place: StoppingPlace) -> Mistake | None:
    """`win`, `player has won`, `player wins the game`, `the game is a draw`, `player wins if …`."""
    texts = [word.text.lower() for word in place.words]
    is_condition = place.first_word in BEFORE_CONDITIONS
    if place.kind != "statement" or is_condition or texts == ["draw"] or place.first_word in place.declared.steps:
        return None
    is_tie = bool(TIED & set(texts)) and set(texts) <= TIED | AROUND_TIED
    if is_tie or texts in (["no", "one", "wins"], ["noone", "wins"]):
        return _say_result(place, "nobody wins")
    at = next((at for at, text in enumerate(texts) if text in WINS), None)
    if at is None or at > 5 or place.at > at + 1 or "[" in texts[: at + 1] or "becomes" in texts:
        return None
    verb = WINS[texts[at]]
    who = [text for text in texts[:at] if text not in ("has", "have", "is", "the", "are")]
    following = texts[at + 1 :]
    if following[:1] == ["if"] and who:
        sentence = message("when it happens stands above it")
        hint = message("write `if …`, and `{who} {verb}` below it, indented", who=" ".join(who), verb=verb)
        return place.make_mistake("unexpected-word", sentence, hint)
    if following[:1] in (["a"], ["an"], ["one"], ["the"], ["his"]) and len(following) > 1 and following[-1] != "game":
        sentence = message("`{verb}` ends the game", verb=verb)
        hint = message("what somebody gets or gives away is moved, `move … to …`, or counted, `… increases by …`")
        return place.make_mistake("unexpected-word", sentence, hint)
    if following not in ([], ["the", "game"], ["game"], ["player"], ["."]) or len(who) > 3:
        return None
    if who and who[0].isdigit():
        sentence = message("no line begins with a number")
        hint = message("say who it is: `player {verb}`, `opponent {verb}`, `left of player {verb}`", verb=verb)
        return place.make_mistake_at_start("unknown-statement", sentence, hint)
    if who and who[0] in ("all", "everyone", "everybody", "both"):
        return _say_result(place, "nobody wins")
    told = who or following[-1:] if following == ["player"] else who or ["player"]
    return _say_result(place, f"{' '.join(told)} {verb}")


def _diagnose_result_asked(place: StoppingPlace) -> Mistake | None:
    """`if player wins`, `if player has won`, `until somebody wins`, `until player loses`: asked, where it is told."""
    texts = [word.text for word in place.words]
    begin = next((at for at in range(place.at, 0, -1) if texts[at - 1] in ("if", "until", "needs")), 0)
    verb = next((at for at in range(begin, min(begin + 5, len(texts))) if texts[at] in WINS), 0)
    before = {*texts[begin:verb]}
    if not begin or not verb or not before <= ASKED_TO_WIN or verb + 1 < len(texts) or place.at > verb:
        return None
    sentence = message("whether somebody has won is not asked: it is told, and ends the game")
    result = f"player {WINS[texts[verb]]}"
    if texts[begin - 1] == "until" and begin > 1:
        hint = message("remove it, and write `{result}` below an `if …` in the action that does it", result=result)
        found = place.make_mistake("wrong-word", sentence, hint)
        return found.with_edits(Edit(place.words[begin - 2].end, place.words[-1].end, ""))
    hint = message("ask how it comes to that, as in `if hand is empty`, and write `{result}` below it, indented",
                   result=result)  # fmt: skip
    return place.make_mistake("wrong-word", sentence, hint)


def _diagnose_nothing_possible(place: StoppingPlace) -> Mistake | None:
    """`if player cannot move player loses`: said behind the choice."""
    said = [word.text for word in place.words]
    is_asked = said[:2] == ["if", "player"] and bool({"cannot", "stuck"} & {*said[2:4]} or said[2:4] == ["can", "not"])
    is_none = said[:2] == ["if", "no"] and bool({"move", "moves", "action", "option"} & {*said[2:4]})
    if place.kind != "statement" or not (is_asked or is_none) or place.at > 5:
        return None
    verb = next((WINS[text] for text in said[3:] if text in WINS), "loses")
    hint = message("write behind the choice what happens where nothing is legal: `choose …, else player {verb}`",
                   verb=verb)  # fmt: skip
    sentence = message("whether somebody can do something is asked of an action")
    return place.make_mistake("unexpected-word", sentence, hint)


def _say_result(place: StoppingPlace, instead: str) -> Mistake:
    sentence = message("the result is not said like this")
    return place.write_line("unknown-statement", sentence, instead)


def _diagnose_unnamed_score(place: StoppingPlace) -> Mistake | None:
    """`+ tricks`, `tricks` below `score at end`."""
    if place.kind != "score_line" or not (place.at == 0 or (place.at == 1 and "EQUAL" in place.expected)):
        return None
    if place.at == 1 and place.text in ("is", "are", "equals", "becomes"):
        found = place.make_mistake("wrong-word", message("a line of the score is a formula"), message("write `=`"))
        return found.with_replacement("=")
    if place.at == 1 and place.text == ":":
        return None
    hint = message("give every line a name, as in `points = 2 * count of hand`; the lines are added up")
    found = place.make_mistake_at_start("unfinished-line", message("this line of the score has no name"), hint)
    is_known = len(place.words) == 1 and place.first_word in (*place.declared.before_of, *place.declared.known)
    if is_known:
        line = f"points = {place.first_word}"
        return evolve(found, hint=message("write `{line}`", line=line)).with_edits(
            Edit(place.words[0].start, place.words[0].start, "points = ")
        )
    return found


def _diagnose_score_said(place: StoppingPlace) -> Mistake | None:
    """`scoring`, `score: count of hand`, `score = count of hand`."""
    texts = [word.text for word in place.words]
    if place.kind != "declaration" or place.at > 1:
        return None
    sentence = message("the score is a piece with lines below it")
    if texts in (["scoring"], ["scores"], ["scoring", ":"], ["final", "scoring"], ["final", "score"]):
        return place.write_line("unknown-piece", sentence, "score at end")
    if texts[0] not in ("score", "scoring") or texts[1:2] not in ([":"], ["="]) or len(texts) < 3:
        return None
    value = place.words[2]
    hint = message("write `score at end`, and below it, indented, `points = …`")
    found = place.make_mistake_at_start("unexpected-word", sentence, hint)
    return found.with_edits(Edit(place.words[0].start, value.start, "score at end\n  points = "))


def _diagnose_points_per(place: StoppingPlace) -> Mistake | None:
    """`1 point per card in hand`, `2 points for each card in won`, below a `score`."""
    texts = [word.text for word in place.words if word.text not in ("+", "of")]
    if place.kind != "score_line" or not texts or not texts[0].isdigit() or texts[1:2] not in (["point"], ["points"]):
        return None
    rest = [text for text in texts[2:] if text not in ("per", "for", "each", "every", "a", "any")]
    if len(rest) != 3 or rest[1] not in ("in", "from", "on") or rest[0] not in THINGS or not rest[2].isidentifier():
        return None
    amount = "" if texts[0] == "1" else f"{texts[0]} * "
    line = f"points = {amount}count of {rest[2]}"
    sentence = message("this line of the score has no name")
    return place.write_line("unfinished-line", sentence, line)


def _diagnose_points_for_so_many(place: StoppingPlace) -> Mistake | None:
    """`left_over = 1 point per 5 money`, `5 points for every 2 coins`; `opals = 5 for 3 opals` is a condition."""
    texts = [word.text for word in place.words]
    at = texts.index("=") + 1 if "=" in texts[:2] else 0
    said = [text for text in texts[at:] if text not in ("point", "points", "for", "per", "each", "every", "the")]
    counted = place.declared.things.counted
    is_said = len(said) == 3 and said[0].isdigit() and said[1].isdigit() and len(texts) - at > 3
    if place.kind != "score_line" or not is_said:
        return None
    if said[2] not in counted:
        hint = message("write `if (count of … where …) >= {amount} then {points} else 0`", amount=said[1],
                       points=said[0])  # fmt: skip
        return place.make_mistake("unexpected-word", message("points for something are a condition"), hint)
    value = f"{said[2]} div {said[1]}"
    value = value if said[0] == "1" else f"{said[0]} * ({value})"
    line = f"{texts[0] if at else 'points'} = {value}"
    return place.write_line("unexpected-word", message("points for every so many are a division, rounded down"), line)


def diagnose_scored_player(place: StoppingPlace) -> Mistake | None:
    """`left_over = lives of each player` on a score sheet."""
    is_owner = place.text in PEOPLE and place.text_before() in ("each", "every", "the", "this")
    if place.kind != "score_line" or not is_owner or place.text_before(2) != "of":
        return None
    owner = place.words[place.at - 2]
    what = place.text_before(3)
    sentence = message("a line of the score is counted for every player already")
    end = place.words[place.at].end
    found = Mistake("wrong-word", sentence, owner.start, end, message("write `{what}`", what=what))
    return found.with_edits(place.leave_out(place.at - 2, place.at))


def diagnose_next_criterion(place: StoppingPlace) -> Mistake | None:
    """`ranking: lowest total then lowest count of taken`, `… and lowest …`, `… lowest …`."""
    goes_on = place.text in ("then", "and", "highest", "lowest")
    if place.kind != "declaration" or place.first_word != "ranking" or not goes_on or not place.can_be(","):
        return None
    after = place.text if place.text in ("highest", "lowest") else place.text_after()
    found = place.make_mistake(
        "missing-comma", message("a `,` is missing before `{place}`", place=place.text),
        message("write `, then {after} …`", after=after or "highest"),
    )
    start, end = place.words[place.at - 1].end, place.words[place.at].end
    written = f", then {place.text}" if place.text in ("highest", "lowest") else ", then"
    return found.with_edits(Edit(start, end, written))


def _diagnose_broken_ties(place: StoppingPlace) -> Mistake | None:
    """`ranking: highest total, tie broken by coins`, `…, ties by most coins`."""
    texts = [word.text for word in place.words]
    rest = [text for text in texts[place.at + 1 :] if text not in ("broken", "break", "are", "by", "the", "goes", "to")]
    if place.first_word != "ranking" or place.text not in ("tie", "ties", "tiebreaker") or not 1 <= len(rest) <= 2:
        return None
    best, what = (MOST[rest[0]], rest[1:]) if rest[0] in MOST else ("highest", rest)
    if len(what) != 1 or what[0] not in (*place.declared.things.counted, *place.declared.before_of, "total"):
        return None
    sentence = message("what a tie means is said like this")
    return place.write_words(place.at, -1, "unexpected-word", sentence, f"then {best} {what[0]}, ties share")


def diagnose_shared_ties(place: StoppingPlace) -> Mistake | None:
    """`ranking: highest total, ties are shared`."""
    texts = [word.text for word in place.words]
    if place.first_word != "ranking" or place.text != "ties" or texts[place.at + 1 :] == ["share"]:
        return None
    found = place.make_mistake("unexpected-word", message("what a tie means is said like this"), message(
        "write `ties share`"))  # fmt: skip
    return found.with_edits(Edit(place.words[place.at].start, place.words[-1].end, "ties share"))


def diagnose_who_wins(place: StoppingPlace) -> Mistake | None:
    """`ranking: lowest total wins`."""
    if place.first_word != "ranking" or place.text not in ("wins", "win", "first", "winner") or place.at < 3:
        return None
    hint = message("remove `{word}`", word=place.text)
    found = place.make_mistake("unexpected-word", message("who is first in the ranking wins"), hint)
    return found.with_edits(place.leave_out(place.at, place.at))


TEAM_WORDS = ("team", "partners", "partner", "partnership", "partnerships", "sides", "side", "pairs", "alliances")
JOINING_WORDS = ("and", "with", "+", "&", "plus", "/", "-")
PARTING_WORDS = ("vs", "versus", "against", ";", "|")


def _diagnose_teams(place: StoppingPlace) -> Mistake | None:
    """`partners: 1 and 3, 2 and 4`, `teams 1 + 3 vs 2 + 4`, `teams: [[1, 3], [2, 4]]`."""
    texts = [word.text for word in place.words]
    if place.kind != "declaration" or texts[0] not in (*TEAM_WORDS, "teams") or len(texts) < 4:
        return None
    teams = _read_teams(texts[1:])
    if teams is None:
        return None
    instead = "teams: " + ", ".join(" and ".join(team) for team in teams)
    sentence = message("partners are joined by `and`, teams by commas")
    found = place.make_mistake("unexpected-word", sentence, message("write `{instead}`", instead=instead))
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, instead))


def _read_teams(texts: list[str]) -> list[list[str]] | None:
    """Brackets, or words that stand between them, part the teams."""
    teams: list[list[str]] = [[]]
    has_brackets = any(text in "[({" for text in texts)
    for text in texts:
        if text.isdigit():
            teams[-1].append(text)
        elif text in PARTING_WORDS or (text in ("]", ")", "}") if has_brackets else text == ","):
            teams.append([])
        elif text not in (":", "=", "[", "(", "{", ",", *JOINING_WORDS):
            return None
    found = [team for team in teams if team]
    return found if len(found) > 1 and all(len(team) > 1 for team in found) else None


OF_SCORING = (
    _diagnose_teams, _diagnose_points_for_so_many, _diagnose_points_per, _diagnose_nothing_possible,
    _diagnose_result_asked, _diagnose_spoken_result, _diagnose_score_said, _diagnose_unnamed_score,
    _diagnose_broken_ties, diagnose_shared_ties, diagnose_who_wins, diagnose_next_criterion, _diagnose_spoken_ranking,
    _diagnose_spoken_winner, diagnose_scored_player,
)  # fmt: skip
