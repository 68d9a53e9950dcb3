"""The whole page: what was collected of every file in, one self-contained HTML document out."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

from rulesrun.dsl.contents.told_pieces import Lines, ToldPiece, tell_pieces
from rulesrun.dsl.text.messages import Message, Names, join_messages, message, message_in
from rulesrun.interpreter.measure.figures import estimate_figure
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import list_labels, say, say_plural, spoken_language, translate, use_words
from rulesrun.pages.collecting import CollectedFile
from rulesrun.pages.comparisons import comparison_section
from rulesrun.pages.deadweight import dead_weight_section, solution_section
from rulesrun.pages.figures import figures_section
from rulesrun.pages.markup import (
    NOTHING,
    SCRIPT,
    STYLE,
    Cell,
    Child,
    Markup,
    command_element,
    element,
    folding_section,
    heading,
    join_markup,
    number_cell,
    paragraph,
    sortable_sheet,
    text_cell,
    text_with_code,
)
from rulesrun.pages.repetition import repetition_section
from rulesrun.pages.skill import skill_section
from rulesrun.pages.verdicts import broken_section, certainty_section, file_verdict
from rulesrun.report.assess_text import answers_in_words, closing_sentences, judge_sentences
from rulesrun.report.figure_text import estimate_text
from rulesrun.services.measure import MeasuredTable
from rulesrun.terminal.plurals import count_players

# ---- opening
# What one wants to know first: the verdict in a line, then five answers, each with a link to what it rests on.


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


# ---- glance
# The rules at a glance: pieces of a rulebook and one of its tables in, what there is, who acts and what counts out.


WHEN = {"round": message("each round"), "end": message("at the end"), "": message("when the rules say so")}
Row = tuple[Child, Child, Sequence[str]]  # with the author's notes
Told = Mapping[str, list[ToldPiece]]


def glance_section(told: Told, base: str | None, table: Table | None) -> Markup:
    """`base`: what the rules build on."""
    groups = (
        (message("The table"), head_rows(told, base)),
        (message("Components"), component_rows(told, table)),
        (message("Options"), option_rows(told, "option")),
        (message("Readings: where the rulebook is unclear"), option_rows(told, "reading")),
        (message("Places"), map(place_row, told.get("zone", ()))),
        (message("Numbers and markers"), map(place_row, told.get("variable", ()))),
        (message("How it goes"), [*setup_rows(told), *phase_rows(told), *map(step_row, told.get("step", ()))]),
        (message("Actions"), map(action_row, told.get("action", ()))),
        (message("Points and victory"), score_rows(told)),
        (message("What the words mean"), word_rows(told)),
    )
    return element("div", *(piece_group(title, rows) for title, rows in groups), class_="glance")


def piece_group(title: str, rows: Iterable[Row]) -> Markup | None:
    parts: list[Markup] = []
    for name, said, notes in rows:
        note = paragraph(text_with_code(" ".join(notes)), class_="note") if notes else None
        parts += [element("dt", name), element("dd", said, note)]
    if not parts:
        return None
    return element("div", element("h4", title), element("dl", *parts), class_="group")


def say_name(name: str) -> str:
    """By its label, or with gaps for strokes: `last_turns`."""
    return translate(Names(name)).replace("_", " ")


def code_element(words: str) -> Markup:
    return element("code", words)


def head_rows(told: Told, base: str | None) -> Iterator[Row]:
    for title in told.get("game", ()):
        if title.notes:
            yield message("about"), None, title.notes
    for players in told.get("players", ()):
        yield message_in("column", "players"), code_element(players.text.replace("..", "–")), players.notes
    for rounds in told.get("rounds", ()):
        yield message_in("part of rules", "rounds"), code_element(rounds.text), rounds.notes
    if base is not None:
        yield message("builds on"), code_element(base), ()


def component_rows(told: Told, table: Table | None) -> Iterator[Row]:
    amounts = {
        part.declaration.name.text: sum(kinds.copies[kind] for kind in part.numbers)
        for kinds in (table.bench.kinds.values() if table else ()) for part in kinds.parts
    }  # fmt: skip
    for values in told.get("values", ()):
        yield say_name(values.name), code_element(values.text), values.notes
    for piece in told.get("component", ()):
        amount = amounts.get(piece.name)
        said: list[str] = [message("{amount:,} in all", amount=amount)] if amount is not None else []
        said += [message("{amount} by name", amount=piece.rows)] if piece.rows else []
        about = element("span", join_messages(said), class_="amount")
        yield say_name(piece.name), join_markup((code_element(piece.text), about)), piece.notes


def option_rows(told: Told, kind: str) -> Iterator[Row]:
    for piece in told.get(kind, ()):
        usual = element("span", message("by default:"), " ", code_element(piece.default), class_="amount")
        quote = element("blockquote", piece.quote) if piece.quote else None
        yield say_name(piece.name), join_markup((code_element(piece.text), usual, quote)), piece.notes


def place_row(piece: ToldPiece) -> Row:
    """`hand of player`, and what else its line says."""
    owned = piece.name.removesuffix(" of player")
    is_owned = owned != piece.name
    title = message("{place} of player", place=say_name(owned)) if is_owned else say_name(piece.name)
    return title, code_element(piece.text), piece.notes


def setup_rows(told: Told) -> Iterator[Row]:
    for piece in told.get("setup", ()):
        title = message("setup of a round") if piece.when == "round" else message("setup")
        yield title, list_lines(piece.body), piece.notes


def phase_rows(told: Told) -> Iterator[Row]:
    """`phase exchanges`: `turns from starter until passes = 2`, and what happens then."""
    for piece in told.get("phase", ()):
        title = message("phase {phase}", phase=say_name(piece.name))
        yield title, join_markup((header_line(piece), list_lines(piece.body))), piece.notes


def step_row(piece: ToldPiece) -> Row:
    return say_name(piece.name), join_markup((header_line(piece), list_lines(piece.body))), piece.notes


def header_line(piece: ToldPiece) -> Markup | None:
    return line_element(piece.text) if piece.text else None


def list_lines(body: Lines) -> Markup | None:
    """What is done, one after the other; what belongs to a line stands below it."""
    return nest_lines(body, 0) if body else None


def nest_lines(lines: Lines, depth: int) -> Markup:
    starts = [at for at, (deep, _) in enumerate(lines) if deep == depth]
    items = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        below = lines[start + 1 : end]
        items.append(element("li", line_element(lines[start][1]), nest_lines(below, depth + 1) if below else None))
    return element("ul", *items, class_="steps")


def line_element(words: str) -> Markup:
    """A line of the rules as one would say it."""
    return element("code", words.replace("_", " "), class_="line", lang="en")


def action_row(piece: ToldPiece) -> Row:
    reasons = (element("li", message("otherwise refused: “{reason}”", reason=reason)) for reason in piece.reasons)
    only = element("ul", *reasons) if piece.reasons else None
    return say_name(piece.name), join_markup((header_line(piece), only, list_lines(piece.body))), piece.notes


def word_rows(told: Told) -> Iterator[Row]:
    """What is defined: the author's names for a value, and tables."""
    for piece in (*told.get("define", ()), *told.get("table", ())):
        yield name_word(piece.name), line_element(piece.text), piece.notes


def name_word(name: str) -> Child:
    """Where it takes arguments, these are said as the rules say them."""
    return line_element(name) if "(" in name else say_name(name)


def score_rows(told: Told) -> Iterator[Row]:
    for line in told.get("score line", ()):
        when = element("span", WHEN.get(line.when, WHEN[""]), class_="amount")
        yield say_name(line.name), join_markup((line_element(line.text), when)), line.notes
    for ranking in told.get("ranking", ()):
        yield message("who wins"), code_element(ranking.text), ranking.notes
    for result in told.get("result", ()):
        yield message_in("part of rules", "result"), code_element(result.text), result.notes


# ---- page


def make_page(collected: list[CollectedFile], asked: str, version: str) -> str:
    """`asked`: the command that makes this page again."""
    title = title_of(collected[0]) if len(collected) == 1 else say("{amount} rulebooks", amount=len(collected))
    body = element(
        "body",
        element("header", heading(1, title), *page_opening(collected)),
        element(
            "main", *(file_article(found, number, len(collected) == 1) for number, found in enumerate(collected, 1))
        ),
        element(
            "footer", paragraph(message("Made by rulesrun {version}:", version=version), " ", command_element(asked))
        ),
        element("script", Markup(SCRIPT)),
    )
    page = element("html", page_head(title), body, lang=spoken_language().code or "en")
    return f"<!DOCTYPE html>\n{page.html}\n"


def page_head(title: str) -> Markup:
    """Nothing is loaded from anywhere, and nothing runs but the page's own script."""
    allowed = f"default-src 'none'; style-src '{fingerprint(STYLE)}'; script-src '{fingerprint(SCRIPT)}'"
    allowed += "; base-uri 'none'; form-action 'none'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=allowed),
        element("title", message("{title}: rules report", title=title)),
        element("style", Markup(STYLE)),
    )


def fingerprint(inline: str) -> str:
    return "sha256-" + b64encode(sha256(inline.encode()).digest()).decode()


def title_of(found: CollectedFile) -> str:
    """What the rules call themselves in the language that is spoken."""
    code = spoken_language().code
    labels = list_labels(found.reading.game, code) if code is not None else {}
    return labels.get("game", found.reading.title) or found.reading.name


def page_opening(collected: list[CollectedFile]) -> list[Markup]:
    if len(collected) == 1:
        found = collected[0]
        return [paragraph(element("code", found.reading.name), " ", file_verdict(found))]
    columns = [
        message_in("column", "game"), message_in("column", "verdict"), message_in("column", "players"),
        message("games played"), message("decisions in a game"),
    ]  # fmt: skip
    return [
        sortable_sheet(
            message("At a glance"), columns, [overview_row(found, number) for number, found in enumerate(collected, 1)]
        )
    ]


def overview_row(found: CollectedFile, number: int) -> list[Cell]:
    name = Cell(element("a", title_of(found), href=f"#game-{number}"), small=found.reading.name)
    tables = found.measured.tables if found.measured is not None else []
    if not tables:
        return [name, text_cell(file_verdict(found)), NOTHING, NOTHING, NOTHING]
    counts = sorted(one.table.players for one in tables)
    players: str = str(counts[0])
    if len(counts) > 1:
        players = message("{low} to {high}", low=counts[0], high=counts[-1])
    return [
        name, text_cell(file_verdict(found)), Cell(players, counts[0], is_number=True), number_cell(found.games),
        Cell(
            mean_length_text(tables[0]), is_number=True,
            small=message("with {players}", players=tables[0].table.players),
        ),
    ]  # fmt: skip


def mean_length_text(one: MeasuredTable) -> Message:
    return estimate_text(estimate_figure(one.totals, ("length", "decisions"), one.table.players), False)


def file_article(found: CollectedFile, number: int, is_alone: bool) -> Markup:
    """The verdict, what is broken, five answers; then what they rest on, the rules, and how to see it all again."""
    use_words(found.reading.game)
    name = None if is_alone else join_markup((
        heading(2, title_of(found)), paragraph(element("code", found.reading.name), " ", file_verdict(found)),
    ))  # fmt: skip
    sections = list(list_sections(found, f"game-{number}"))
    return element(
        "article", name, headline(found, is_alone), contents([(anchor, title) for anchor, title, _ in sections]),
        *(section for _, _, section in sections), id=f"game-{number}",
    )  # fmt: skip


def list_sections(found: CollectedFile, game: str) -> Iterator[tuple[str, str, Markup]]:
    """Where each stands, what it is called in the contents, and the section."""
    broken = broken_section(found.report, f"{game}-broken")
    if broken is not None:
        yield f"{game}-broken", say("What is broken") if not found.is_faultless else say("What changes"), broken
    figures, skill, weight = f"{game}-figures", f"{game}-skill", f"{game}-rules-worth"
    answers = answers_section(found, f"{game}-answers", {"length": figures, "skill": skill, "worth": weight})
    if answers is not None:
        yield f"{game}-answers", say("Five questions"), answers
    for at, one in enumerate(found.comparisons, 1):
        anchor = f"{game}-compared-{at}"
        yield anchor, say("Compared with {variant}", variant=one.variant.title), comparison_section(one, anchor)
    yield f"{game}-trust", say("How far to trust this"), certainty_section(found.report, f"{game}-trust")
    if figures_are_known(found):
        yield figures, say("Figures"), figures_section(found, figures)
    yield from probed_sections(found, skill, weight, f"{game}-solution")
    rulebook = found.reading.game
    if rulebook is not None:
        tables = found.measured.tables if found.measured is not None else []
        glance = glance_section(tell_pieces(rulebook), rulebook.base, tables[0].table if tables else None)
        rules = element("section", heading(3, say("The rules")), glance, id=f"{game}-rules")
        yield f"{game}-rules", say("The rules"), rules
    yield f"{game}-again", say("How to reproduce this"), repetition_section(found, f"{game}-again")


def figures_are_known(found: CollectedFile) -> bool:
    return found.measured is not None and any(one.totals.finished for one in found.measured.tables)


def probed_sections(found: CollectedFile, skill: str, weight: str, solution: str) -> Iterator[tuple[str, str, Markup]]:
    probed = found.probed
    if probed is None:
        return
    ladder = skill_section(probed, skill)
    if ladder is not None:
        yield skill, say("Skill"), ladder
    if probed.weighing is not None:
        section = dead_weight_section(probed.weighing, found.request.seats, weight)
        yield weight, say("What each rule changes"), section
    answer = solution_section(probed, solution)
    if answer is not None:
        yield solution, say("The exact answer"), answer
