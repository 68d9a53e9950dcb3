"""Teams as people write them: `teams: {1, 3}, {2, 4}`, `partners 1 and 3`. Places in, mistakes out."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.messages import message

OTHER_WORDS = ("team", "partners", "partner", "partnership", "partnerships", "sides", "side", "pairs", "alliances")
JOINING = ("and", "with", "+", "&", "plus", "/", "-")
APART = ("vs", "versus", "against", ";", "|")


def _diagnose_teams(place: StoppingPlace) -> Mistake | None:
    """`partners: 1 and 3, 2 and 4`, `teams 1 + 3 vs 2 + 4`, `teams: [[1, 3], [2, 4]]`."""
    texts = [word.text for word in place.words]
    if place.kind != "declaration" or texts[0] not in (*OTHER_WORDS, "teams") or len(texts) < 4:
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
        elif text in APART or (text in ("]", ")", "}") if has_brackets else text == ","):
            teams.append([])
        elif text not in (":", "=", "[", "(", "{", ",", *JOINING):
            return None
    found = [team for team in teams if team]
    return found if len(found) > 1 and all(len(team) > 1 for team in found) else None


OF_TEAMS = (_diagnose_teams,)
