"""Whole pieces to be filled in, and those that the rules still lack."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.editing.workspace import Analysis


@frozen
class Snippet:
    """`text` has holes as editors know them: `${1:name}`. `is_missing`: the rules have no such piece yet."""

    label: str
    detail: str
    text: str
    is_missing: bool = False


PIECES: tuple[tuple[str, str, str, str | None], ...] = (
    ("rules …", "the edition of the language", "rules 1", "rules"),
    ("game …", "the title", 'game "${1:title}"', "game"),
    ("players …", "how many may play", "players ${1:2}..${2:4}", "players"),
    ("values …", "words of one kind", "values ${1:Colour}: ${2:red}, ${3:blue}", None),
    ("card …", "components by their attributes", "card ${1:Card}: ${2:colour} ${3:Colour}, ${4:rank} ${5:1..6}", None),
    ("zone …", "a place where components lie", "zone ${1:stock}: ${2|pile,set,row,place|} of ${3:Card},"
     " ${4|hidden,private,public|}", None),
    ("zone of player …", "such a place for each player", "zone ${1:hand} of player: ${2:set} of ${3:Card},"
     " ${4:private}", None),
    ("number …", "a number that changes", "number ${1:count}: ${2:0}..${3:20} = ${4:0}", None),
    ("marker …", "a player or a word that changes", "marker ${1:leader}: ${2:player or nothing}", None),
    ("option …", "a rule that a table chooses", "option ${1:name}: ${2:yes or no} = ${3:no}", None),
    ("define …", "a formula with a name", "define ${1:name}(${2:c} ${3:Card}) = ${4:0}", None),
    ("table …", "a value for each key", "table ${1:name}(${2:k} ${3:1..3}): ${4:1, 2, 3}", None),
    ("setup …", "how the game is laid out", "setup\n  shuffle all ${1:Card} into ${2:stock}\n"
     "  deal ${3:5} from ${2:stock} to each ${4:hand}", "setup"),
    ("phase … turns", "turns, one after the other", "phase ${1:play}: turns from starter until ${2:condition}\n"
     "  choose ${3:action}", "phase"),
    ("step …", "lines with a name", "step ${1:name}\n  ${2:end turn}", None),
    ("action …", "what a player may choose", "action ${1:play}(${2:card} from ${3:hand})\n  needs ${4:yes} because"
     ' "${5:reason}"\n  move ${2:card} to ${6:heap}', "action"),
    ("score at end …", "what counts in the end", "score at end\n  ${1:points} = ${2:count of hand}", "score"),
    ("ranking …", "who is first", "ranking: ${1|highest,lowest|} total, ties share", "ranking"),
    ("always …", "what holds at any time", 'always "${1:what holds}": ${2:condition}', None),
    ("example …", "a worked example that is run", 'example "${1:what it shows}"\n  given turn of 1\n  given ${2:hand of'
     " 1}: ${3:cards}\n  when 1: ${4:action}\n  then ${5:condition}", None),
    ("words …", "labels in a language", 'words ${1:ru}\n  game: "${2:title}"', None),
)  # fmt: skip

LINES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "statement": (
        ("if … otherwise", "one or the other", "if ${1:condition}\n  ${2:end turn}\notherwise\n  ${3:end turn}"),
        ("each player …", "for everybody", "each player from starter\n  ${1:draw 1 from stock to hand}"),
        ("let … = …", "a name for a value", "let ${1:best} = ${2:value}"),
        ("needs … because", "when an action is allowed", 'needs ${1:condition} because "${2:reason}"'),
    ),
    "example_line": (
        ("given turn of …", "whose turn begins", "given turn of ${1:1}"),
        ("when … then", "what is done, what holds then", "when ${1:1}: ${2:action}\nthen ${3:condition}"),
    ),
}


def list_snippets(analysis: Analysis, kind: str) -> Iterator[Snippet]:
    if kind == "declaration":
        present = {kind.split(" ")[0] for kind in analysis.rules.known_kinds}  # `setup round` is a setup
        for label, detail, text, wanted in PIECES:
            yield Snippet(label, detail, text, wanted is not None and wanted not in present)
    for label, detail, text in LINES.get(kind, ()):
        yield Snippet(label, detail, text)
