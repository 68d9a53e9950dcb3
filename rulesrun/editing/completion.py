"""What may be written at the cursor, the likeliest first: words of the language, names, whole pieces."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import define, field, frozen

from rulesrun.dsl.completion.candidates import Candidate, list_candidates
from rulesrun.dsl.completion.cursor import CursorLine, all_lines, find_cursor_line, find_kind
from rulesrun.dsl.completion.trials import Trial, make_trial
from rulesrun.dsl.contents.front_matter import find_base
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.mistakes.expected_words import texts_of_terminals
from rulesrun.dsl.parsing.beginnings import (
    Beginning,
    follow_phrases,
    is_whole_line,
    read_beginning,
    read_stack,
    read_terminals,
)
from rulesrun.dsl.parsing.blocks import Block
from rulesrun.dsl.parsing.grammar import KIND_BELOW
from rulesrun.dsl.text.keywords import GOES_ON_BEFORE, PHRASES, WORDS
from rulesrun.dsl.text.lexer import Word, scan_line
from rulesrun.dsl.typing.names import CALLS, OF_WORDS
from rulesrun.dsl.typing.types import TruthOf
from rulesrun.editing.positions import Position, Range
from rulesrun.editing.workspace import Analysis

# ---- snippets
# Whole pieces to be filled in, and those that the rules still lack.


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


# ---- completion


MOST_ITEMS = 60
MOST_JUDGED = 120
WRITTEN_OUT = 100.0  # what stands there already comes first, so that the line can end
UNUSED = 2.0  # what speaks for what is declared and used nowhere yet
DECLARED = ("zone", "number", "marker", "memory", "option", "reading", "define", "table", "step", "action")
GOING_ON = frozenset(OF_WORDS) | frozenset(CALLS)  # `left of`, `distance(`
CHANGING = ("change", "add line", "add row", "add", "remove", "set")


@frozen
class CompletionItem:
    """`text` takes the place of the range; of a snippet it has holes, `${1:name}`. `kind`: keyword, piece, or what the
    name is of: zone, number, marker, option, define, table, action, step, phase, type, value, attribute, line, …
    """

    label: str
    kind: str
    detail: str
    text: str
    is_snippet: bool
    note: str = ""


@frozen
class Completion:
    """The items in order; `range` is the word at the cursor."""

    document: str
    version: int
    range: Range
    items: tuple[CompletionItem, ...]


def complete(analysis: Analysis, position: Position) -> Completion:
    offset = analysis.lines.find_offset(position)
    cursor = find_cursor_line(analysis.text, offset, analysis.find_stretch)
    start, end = (cursor.start, cursor.end) if cursor is not None else (offset, offset)
    items = tuple(_list_items(analysis, cursor))[:MOST_ITEMS] if cursor is not None else ()
    place = analysis.lines.make_range(start, end)
    return Completion(analysis.document.name, analysis.document.version, place, items)


def _list_items(analysis: Analysis, cursor: CursorLine) -> Iterator[CompletionItem]:
    beginning = read_beginning(cursor.before, cursor.kind) if cursor.kind else None
    offers = Offers(analysis, cursor, beginning, Habits.of_document(cursor))
    best: dict[str, tuple[float, CompletionItem]] = {}
    for item, fit in offers.list_all():
        if offers.begins_as_typed(item.label):
            score = fit + offers.habits.rate(item.label) + (WRITTEN_OUT if item.label == cursor.typed else 0.0)
            if item.label not in best or best[item.label][0] < score:
                best[item.label] = (score, item)
    in_order = sorted(best.values(), key=lambda entry: (-entry[0], entry[1].label))
    return (item for _, item in in_order)


@define(eq=False)
class Offers:
    """All that may stand at the cursor, each with what speaks for it."""

    analysis: Analysis
    cursor: CursorLine
    beginning: Beginning | None
    habits: Habits
    _is_rest_readable: bool | None = None
    _taken: dict[str, bool] = field(factory=dict)

    def list_all(self) -> Iterator[tuple[CompletionItem, float]]:
        is_reason = bool(self.cursor.after) and self.cursor.after[0].kind == "string"
        for text in self._list_continuations():
            yield _keyword_item(text), 6.0 if is_reason and text == "because" else 2.0
        if not self.cursor.kind:
            return
        rests = follow_phrases(self.cursor.before, self.cursor.kind)
        for text in (*rests, *_list_phrase_parts(self.cursor.before, self.cursor.after)):
            if self.begins_as_typed(text) and self._fits_as_word(text):
                yield _keyword_item(text), 6.0
        if self.beginning is None:
            return
        trial = make_trial(self.analysis.rules, self.cursor) if "NAME" in self.beginning.accepted else None
        for text in texts_of_terminals(self.beginning.accepted):
            if text[0].isalpha() and self.begins_as_typed(text) and self._fits_as_word(text):
                yield _keyword_item(text), self._rate_keyword(text, trial)
        if not self.cursor.before and self._is_variant():
            yield from ((_keyword_item(text), 5.0) for text in CHANGING if self._fits(text))
        if not self.cursor.before and not self.cursor.after and not self.cursor.line.children:
            for snippet in list_snippets(self.analysis, self.cursor.kind):
                item = CompletionItem(snippet.label, "piece", snippet.detail, snippet.text, True)
                yield item, 9.0 if snippet.is_missing else -1.0
        is_above_others = bool(self.cursor.line.children) and not self.cursor.before and not self.cursor.after
        if trial is not None and not (is_above_others and self.cursor.kind == "statement"):
            yield from self._list_names(trial)

    def begins_as_typed(self, text: str) -> bool:
        return text.casefold().startswith(self.cursor.typed.casefold())

    def _rate_keyword(self, text: str, trial: Trial | None) -> float:
        """More where the type wants it, and where lines stand below that it alone can have."""
        cursor = self.cursor
        if text in ("yes", "no") and trial is not None and isinstance(trial.expected, TruthOf):
            return 0.0 if trial.hole.is_condition else 4.0
        if text == "yes" and [word.text for word in cursor.after[:2]] == ["or", "no"]:
            return 6.0
        if text in ("yes", "no", "nothing") and [word.text for word in cursor.after[:1]] == ["of"]:
            return -6.0
        if text in ("empty", "nothing") and self._is_about_contents():
            return 3.0
        if text == "otherwise" and not cursor.before and cursor.goes_after("if", "otherwise"):
            return 4.0
        if cursor.line.children and not cursor.before and cursor.kind == "declaration":
            return self._rate_with_lines_below(text)
        return -1.0 if text.endswith(" an") else 0.0

    def _rate_with_lines_below(self, text: str) -> float:
        """Whether the lines that stand below are such lines as stand below this word."""
        kind = KIND_BELOW.get(text.split(" ")[0])
        if kind is None or not is_whole_line(self.cursor.line.children[0].words, kind):
            return -4.0
        return 4.0 if self.cursor.after or is_whole_line(_scan(text), self.cursor.kind) else 0.0

    def _is_about_contents(self) -> bool:
        """Behind `is`, `is not`, and what an example gives."""
        last = " ".join(word.text for word in self.cursor.before[-2:])
        return last.endswith(("is", "is not")) or (last.endswith(":") and self.cursor.kind == "example_line")

    def _list_continuations(self) -> Iterator[str]:
        """Words with which a line goes on with the one above: `and`, `or` …"""
        above, after = self.cursor.continued, self.cursor.after
        kind = find_kind(above) if above else None
        if kind is None:
            return
        siblings = above[-1].children[1:]
        behind = (*after, *(word for line in siblings if line.words[0].text in GOES_ON_BEFORE for word in line.words))
        for text in sorted(GOES_ON_BEFORE):
            words = (*above[-1].words, *_scan(text))
            if is_whole_line((*words, *behind), kind) if behind else read_stack(words, kind) is not None:
                yield text

    def _is_variant(self) -> bool:
        """What it says of its base begins with a few words."""
        return self.cursor.kind == "declaration" and find_base(self.analysis.link.parsed) is not None

    def _list_names(self, trial: Trial) -> Iterator[tuple[CompletionItem, float]]:
        candidates = [one for one in list_candidates(trial) if self._fits_as_name(one.text)]
        candidates.sort(key=lambda one: -self.habits.rate(one.text) - one.fit)
        judged = judge_candidates(trial, candidates[:MOST_JUDGED], self.cursor.typed)
        for one in candidates[:MOST_JUDGED]:
            verdict = judged.get(one.text)
            if verdict is not None:
                fit = one.fit + verdict + (UNUSED if self._is_unused(one) else 0.0)
                if one.is_met_once:
                    fit += self.habits.rate_alone(one.text) - self.habits.rate(one.text)
                yield CompletionItem(one.text, one.kind, one.detail, one.text, False, one.note), fit

    def _is_unused(self, one: Candidate) -> bool:
        """Declared, and spoken of nowhere else."""
        return one.kind in DECLARED and self.habits.used[one.text] == 1

    def _fits_as_name(self, text: str) -> bool:
        """All names that are no words of the language are read alike."""
        return self._fits(text if text in WORDS else "a_name")

    def _fits(self, text: str) -> bool:
        """At the end of a line anything may follow; in the middle of one it must go on as it does."""
        if text not in self._taken:
            words = (*self.cursor.before, *_scan(text))
            after, kind = self.cursor.after, self.cursor.kind
            self._taken[text] = (bool(after) and is_whole_line((*words, *after), kind)) or (
                read_beginning(words, kind) is not None and (not after or not self._can_rest_be_read())
            )
        return self._taken[text]

    def _fits_as_word(self, text: str) -> bool:
        """As the word of the language that it is: in the middle of a line it could be read as a name."""
        if not self._fits(text):
            return False
        before, after = self.cursor.before, self.cursor.after
        terminals = read_terminals((*before, *_scan(text), *after), self.cursor.kind) if after else None
        return terminals is None or terminals[0][len(before)] != "NAME"

    def _can_rest_be_read(self) -> bool:
        """Whether some word at the cursor makes the line whole."""
        if self._is_rest_readable is None:
            accepted = self.beginning.accepted if self.beginning is not None else ()
            texts = ("a_name", *(text for text in texts_of_terminals(accepted) if text[0].isalpha()))
            cursor = self.cursor
            phrases = (*follow_phrases(cursor.before, cursor.kind), *_list_phrase_parts(cursor.before, cursor.after))
            rests = (*texts, *phrases)
            self._is_rest_readable = any(
                is_whole_line((*cursor.before, *_scan(text), *cursor.after), cursor.kind) for text in rests
            )
        return self._is_rest_readable


def _list_phrase_parts(before: Sequence[Word], after: Sequence[Word]) -> Iterator[str]:
    """What is missing of phrases whose last words stand behind the cursor: before `share`, `ties`."""
    said, following = [word.text for word in before[-4:]], [word.text for word in after[:4]]
    for phrase in PHRASES:
        words = phrase.split()
        for end in range(1, len(words)):
            if following[: len(words) - end] == words[end:]:
                yield from (
                    " ".join(words[start:end]) for start in range(end) if said[len(said) - start :] == words[:start]
                )


def _keyword_item(text: str) -> CompletionItem:
    return CompletionItem(text, "keyword", "", text, False)


def _scan(text: str) -> list[Word]:
    return scan_line(text, 0, len(text)).words


def judge_candidates(trial: Trial, candidates: Sequence[Candidate], typed: str) -> Mapping[str, float | None]:
    """How well each fits that begins as typed; None for what would be a mistake here. Of the others it is only asked
    whether one of them is less of a mistake.
    """
    wanted = [one for one in candidates if one.text.casefold().startswith(typed.casefold())]
    complaints = {one.text: trial.judge(one.text) for one in wanted if not one.is_certain}
    least = min((len(found) for found in complaints.values()), default=0)
    for one in candidates:
        if least == 0:
            break
        if one.text not in complaints and not one.is_certain:
            least = min(least, len(trial.judge(one.text)))
    return {one.text: _rate_complaints(trial, one, complaints.get(one.text, ()), least) for one in wanted}


def _rate_complaints(trial: Trial, one: Candidate, found: Sequence[Diagnostic], least: int) -> float | None:
    """`least`: how much is complained of whatever stands here. What goes on behind it may mend what is wrong now."""
    if one.is_certain:
        return 1.0
    if trial.hole.is_line_whole:
        return None if len(found) > least else 2.0 if not least else -2.0
    if _is_unknown(one.text, found):
        return 0.0 if one.text in GOING_ON else None
    return -3.0 if len(found) > least else -1.0 if least and not trial.hole.is_ending_made_up else 2.0


def _is_unknown(text: str, complaints: Iterable[Diagnostic]) -> bool:
    return any(one.code.startswith("unknown-") and f"`{text}`" in one.message for one in complaints)


def _is_label(line: Block) -> bool:
    """`hand: "Hand"`."""
    return line.indent > 0 and len(line.words) == 3 and line.words[2].kind == "string"


@define(eq=False)
class Habits:
    """How the document goes on elsewhere after the words before the cursor."""

    pairs: Counter[str] = field(factory=Counter)
    triples: Counter[str] = field(factory=Counter)
    alone: Counter[str] = field(factory=Counter)
    firsts: Counter[str] = field(factory=Counter)
    next: Counter[str] = field(factory=Counter)
    used: Counter[str] = field(factory=Counter)  # labels aside

    @staticmethod
    def of_document(cursor: CursorLine) -> Habits:
        habits = Habits()
        before = [word.text for word in cursor.before]
        last, last_two = before[-1:], before[-2:]
        following = cursor.after[0].text if cursor.after else None
        is_of_piece = cursor.kind != "declaration"
        for line in all_lines(cursor.blocks.top):
            texts = [word.text for word in line.words]
            if not _is_label(line):
                habits.used.update(texts)
            if line is cursor.line or (not before and (line.indent > 0) != is_of_piece):
                continue
            is_like = texts[:1] == before[:1]
            for at, word in enumerate(line.words):
                if word.kind != "word":
                    continue
                text = word.text
                habits.alone[text] += 1
                if texts[max(0, at - 1) : at] == last:
                    habits.pairs[text] += 1
                    if texts[max(0, at - 2) : at] == last_two:
                        habits.triples[text] += 1
                if is_like and at:
                    habits.firsts[text] += 1
                if following is not None and texts[at + 1 : at + 2] == [following]:
                    habits.next[text] += 1
        return habits

    def rate_alone(self, text: str) -> float:
        """Wherever it stands."""
        return 0.5 * math.log1p(self.alone[text])

    def rate(self, text: str) -> float:
        first = text.split(" ")[0]
        return (
            2.0 * math.log1p(self.triples[first]) + 1.5 * math.log1p(self.pairs[first])
            + 0.5 * math.log1p(self.firsts[first]) + 0.3 * math.log1p(self.alone[first])
            + 1.0 * math.log1p(self.next[first])
        )  # fmt: skip
