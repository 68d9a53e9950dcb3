"""What one wants to know first: the verdict in a line, then five answers, each with a link to what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulesrun.locale.language import say, say_plural, translate
from rulesrun.pages.collecting import CollectedFile
from rulesrun.pages.markup import Markup, command_element, element, folding_section, heading, paragraph
from rulesrun.report.assess_text import answers_in_words, closing_sentences, judge_sentences
from rulesrun.terminal.plurals import count_players

Entry = tuple[str, str]  # where it stands, and what it is called
ANSWERS = ("seats", "length", "skill", "worth", "decided")


def headline(found: CollectedFile, is_alone: bool) -> Markup:
    """One sentence that somebody may quote. Of a page on one game it is the heading of all that follows."""
    kind = "headline holds" if found.is_faultless else "headline fails"
    words = headline_words(found)
    return heading(2, words, class_=kind) if is_alone else paragraph(words, class_=kind)


def headline_words(found: CollectedFile) -> str:
    report = found.report
    if report.reading.has_errors:
        return say("These rules have errors and cannot be played yet.")
    if not found.is_faultless:
        stories = len(report.stories)
        if not stories:
            return say("These rules are broken.")
        return say_plural(
            "These rules are broken: here is the game that shows it.",
            "These rules are broken: here are {count} games that show it.", stories,
        )  # fmt: skip
    games = report.games + found.games
    if not games:
        return say("Nothing is broken, and no game was played.")
    return say_plural(
        "Nothing broke in {count} game, and every example holds.",
        "Nothing broke in {count:,} games, and every example holds.", games,
    )  # fmt: skip


def contents(entries: Sequence[Entry]) -> Markup:
    links = (element("li", element("a", name, href=f"#{anchor}")) for anchor, name in entries)
    return element("nav", element("ul", *links), aria_label=say("Contents"))


def answers_section(found: CollectedFile, anchor: str, evidence: dict[str, str]) -> Markup | None:
    """`evidence`: of an answer, the section that shows more of it."""
    assessed = found.assessment
    if assessed is None:
        return None
    answers = zip(ANSWERS, answers_in_words(assessed), strict=True)
    players = translate(count_players(assessed.table.players))
    return element(
        "section",
        heading(3, say("Five questions"), " ", element("small", players)),
        paragraph(join_sentences(judge_sentences(assessed)), class_="note"),
        element("div", *(answer_block(name, answer, anchor, evidence) for name, answer in answers), class_="answers"),
        paragraph(join_sentences(closing_sentences(assessed)), class_="note"),
        id=anchor,
    )  # fmt: skip


def answer_block(
    name: str, answer: tuple[str, list[str], list[str]], anchor: str, evidence: dict[str, str]
) -> Markup:
    question, sentences, rests_on = answer
    more = element("a", say("See the figures"), href=f"#{evidence[name]}") if name in evidence else None
    return element(
        "div",
        heading(4, element("a", translate(question), href=f"#{anchor}-{name}")),
        paragraph(join_sentences(sentences), class_="answer"),
        folding_section(say("What this rests on"), *evidence_items(rests_on)) if rests_on else None,
        paragraph(more) if more is not None else None,
        id=f"{anchor}-{name}",
    )  # fmt: skip


def evidence_items(lines: Iterable[str]) -> Iterator[Markup]:
    """Commands that show it again among them."""
    yield element(
        "ul", *(element("li", command_element(line) if line.startswith("rulesrun ") else line) for line in lines)
    )


def join_sentences(sentences: Iterable[str]) -> str:
    return " ".join(map(translate, sentences))
