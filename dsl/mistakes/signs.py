"""Signs and words that other languages use, and brackets that do not fit. `diagnose_words` takes the words of a line
before the grammar reads them; the others take places. All give mistakes.
"""

from __future__ import annotations

import unicodedata
from difflib import get_close_matches
from fractions import Fraction

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.lexer import CLOSING, OPENING, Word
from rulesrun.dsl.text.messages import join_messages, message

# What people write who know other languages, and what it is called here.
SLIPS: dict[str, str] = {
    "==": message("`=` compares"),
    "!=": message("write `is not`"),
    "<>": message("write `is not`"),
    "≠": message("write `is not`"),
    "≤": message("write `<=`"),
    "=<": message("write `<=`"),
    "≥": message("write `>=`"),
    "=>": message("write `>=`"),
    ":=": message("to change something, write `becomes`"),
    "->": message("to change something, write `becomes`"),
    "+=": message("write `increases by`"),
    "-=": message("write `decreases by`"),
    "++": message("write `increases by 1`"),
    "--": message("write `decreases by 1`"),
    "&&": message("write `and`"),
    "&": message("write `and`"),
    "||": message("write `or`"),
    "|": message("write `or`"),
    "!": message("write `not`"),
    "**": message("write the product out"),
    "^": message("write the product out"),
    "×": message("write `*`"),
    "·": message("write `*`"),
    "÷": message("write `div` (rounded down) or `/` (exact)"),
    "%": message("write `mod` for the remainder"),
    ";": message("a line ends by itself"),
    "…": message("a range is written `1..5`"),
    "'": message('put a text in straight double quotes: `"…"`'),
    "`": message('put a text in straight double quotes: `"…"`'),
    "?": message("write `if … then … else …`"),
    ".": message("put `#` before a comment, `##` before a note on the piece below it"),
    "•": message("put `#` before a comment"),
}
# What is written in their place, where one word or sign says it.
INSTEAD: dict[str, str] = {
    "==": "=", "!=": "is not", "<>": "is not", "≠": "is not", "≤": "<=", "=<": "<=", "≥": ">=", "=>": ">=",
    ":=": "becomes", "->": "becomes", "+=": "increases by", "-=": "decreases by", "++": "increases by 1",
    "--": "decreases by 1", "&&": "and", "&": "and", "||": "or", "|": "or", "!": "not ", "×": "*", "·": "*",
    "÷": "div", "%": "mod", ";": "", "…": "..",
}  # fmt: skip
LISTING = ("values", "card", "token", "tile", "piece", "zone", "ranking", "option")
BEFORE_TEXTS = ("example", "small", "game", "variant", "always", "never", "because")
CURLY = frozenset("“”„‟«»‹›‘’‚‛＂")
DASHES = frozenset("‐‑‒–—―−")
SPACES = frozenset("\u00a0\u202f\u2007")
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")


def diagnose_words(words: list[Word], text: str) -> Mistake | None:
    known = _diagnose_numbered_line(words) or _diagnose_missing_opening(words)
    if known is not None:
        return known
    for at, word in enumerate(words):
        if word.kind == "string" and not word.text.isprintable():
            found = _diagnose_unseen_sign(word)
            if found is not None:
                return found
        if word.kind in ("slip", "odd"):
            return _diagnose_wrong_sign(words, at, text)
        if word.text == "/" and at + 1 < len(words) and words[at + 1].text in ("/", "*"):
            sign = f"/{words[at + 1].text}"
            hint = message("a comment starts with `#` and runs to the end of the line")
            found = Mistake(
                "wrong-sign", message(
                    "`{sign}` does not start a comment",
                    sign=sign), word.start, words[at + 1].end, hint
            )
            return found.with_replacement("#")
        if word.kind == "word" and not word.text.isascii() and _is_ligature(word.text):
            return _diagnose_pasted_sign(
                word,
                message("`{word}` holds letters joined into one sign", word=word.text),
                message("write the letters one by one"),
            ).with_replacement(unicodedata.normalize("NFKC", word.text))
    return _diagnose_brackets(words)


def _diagnose_numbered_line(words: list[Word]) -> Mistake | None:
    """`1. shuffle stock`, `2) shuffle stock`."""
    if len(words) < 3 or words[0].kind != "number" or words[1].text not in (".", ")"):
        return None
    hint = message(
        "remove `{words}{words_2}`: lines are done in order", words=words[0].text, words_2=words[1].text
    )
    found = Mistake("wrong-sign", message("lines are not numbered"), words[0].start, words[1].end, hint)
    return found.with_edits(Edit(words[0].start, words[2].start, ""))


def _diagnose_unseen_sign(word: Word) -> Mistake | None:
    """Signs that steer a terminal, or turn around how a line is read: what is shown would not be what is written."""
    for at, sign in enumerate(word.text, word.start):
        if sign in TURNING or (unicodedata.category(sign) in ("Cc", "Zl", "Zp") and sign != "\t"):
            sentence = message("`U+{ord:04X}` is invisible and cannot be used in a text", ord=ord(sign))
            return Mistake("wrong-sign", sentence, at, at + 1, message("delete it")).with_replacement("")
    return None


def _is_ligature(text: str) -> bool:
    return any("\ufb00" <= sign <= "\ufb06" for sign in text)


def _diagnose_wrong_sign(words: list[Word], at: int, text: str) -> Mistake:
    word = words[at]
    sign = word.text
    if sign == '"':
        hint = message('end the text with a second `"` on the same line')
        found = Mistake("unclosed-text", message("this text never ends"), word.start, words[-1].end, hint)
        newline = text.find("\n", word.start)
        end = word.start + len(text[word.start : newline if newline >= 0 else len(text)].rstrip())
        return found.with_edits(Edit(end, end, '"'))
    if sign in CURLY and not (sign == "\u2019" and at + 1 < len(words) and words[at + 1].text in ("s", "t")):
        sentence = message("`{sign}` is not a straight quote", sign=sign)
        found = Mistake("curly-quotes", sentence, word.start, word.end, message('write `"`'))
        return found.with_edits(*(Edit(one.start, one.end, '"') for one in words if one.text in CURLY))
    if sign in DASHES:
        found = _diagnose_pasted_sign(
            word, message("`{sign}` is a dash, not a minus", sign=sign), message("write `-`; in a name, `_`")
        )
        return found.with_replacement("-")
    if sign in SPACES or sign in INVISIBLE:
        name = unicodedata.name(sign, "sign").lower()
        sentence = message("there is {with_article} here, which is invisible", with_article=with_article(name))
        found = _diagnose_pasted_sign(word, sentence, message("delete it, or write an ordinary space"))
        return found.with_replacement(" " if sign in SPACES else "")
    if word.kind == "slip" and sign[0].isdigit():
        return _diagnose_decimal(word)
    if sign == "." and _is_between_names(words, at):
        hint = message("write `{words} of {words_2}`", words=words[at + 1].text, words_2=words[at - 1].text)
        found = Mistake("wrong-sign", message("a dot does not work here"), word.start, word.end, hint)
        owner, asked = words[at - 1], words[at + 1]
        return found.with_edits(Edit(owner.start, asked.end, f"{asked.text} of {owner.text}"))
    if sign in ("'", "\u2019") and 0 < at < len(words) - 1 and words[at + 1].text in ("s", "t"):
        return _diagnose_apostrophe(words, at)
    if sign == "%" and at and words[at - 1].kind == "number" and (at + 1 == len(words) or words[at + 1].text == "of"):
        return _diagnose_percent(words[at - 1], word)
    return _diagnose_foreign_sign(words, at, text)


def _is_between_names(words: list[Word], at: int) -> bool:
    """`hand.count`, without blanks: not the end of a sentence."""
    if not 0 < at < len(words) - 1 or words[at + 1].kind != "word":
        return False
    return words[at - 1].end == words[at].start and words[at].end == words[at + 1].start


def _diagnose_missing_opening(words: list[Word]) -> Mistake | None:
    """`example the first cards leave"`, `because it is full"`."""
    last = words[-1]
    if last.text != '"' or sum(word.text == '"' for word in words) != 1:
        return None
    before = next((at for at in range(len(words) - 2, -1, -1) if words[at].text in BEFORE_TEXTS), None)
    if before is None or before + 2 >= len(words) or (before and words[before].text != "because"):
        return None
    first = words[before + 1]
    hint = message('write `"` before `{first}` too', first=first.text)
    found = Mistake("unclosed-text", message("this text has no beginning"), last.start, last.end, hint)
    return found.with_edits(Edit(first.start, first.start, '"'))


def _diagnose_foreign_sign(words: list[Word], at: int, text: str) -> Mistake:
    """A sign of other languages, or one that never is a sign."""
    word, sign = words[at], words[at].text
    if sign.startswith("..."):
        found = Mistake(
            "wrong-sign",
            message("`{sign}` has too many dots", sign=sign),
            word.start,
            word.end,
            message("a range is written `1..5`"),
        )
        return found.with_replacement("..")
    if sign in ("×", "·") and words[0].text == "board":
        found = Mistake(
            "wrong-sign", message("write the size of a board with `by`"), word.start, word.end, message("write `by`")
        )
        return found.with_replacement(" by ")
    shown = sign if sign.isprintable() else f"U+{ord(sign[0]):04X}"
    found = Mistake(
        "wrong-sign",
        message("`{shown}` is not a sign of the language", shown=shown),
        word.start,
        word.end,
        SLIPS.get(sign),
    )
    if sign == ";" and words[0].text in LISTING and at + 1 < len(words):
        found = Mistake(found.code, found.message, found.start, found.end, message("write `,`"))
        return found.with_edits(*(Edit(one.start, one.end, ",") for one in words[:-1] if one.text == ";"))
    if sign in ("'", "`"):
        return found.with_edits(*(Edit(one.start, one.end, '"') for one in words if one.text == sign))
    if sign in (".", "•"):
        is_one_line = "\n" not in text[words[0].start : words[-1].end]
        return found.with_edits(Edit(words[0].start, words[0].start, "# ")) if is_one_line else found
    return found.with_replacement(INSTEAD[sign]) if sign in INSTEAD else found


WRITTEN_OUT = {"isn": "is not", "can": "cannot", "aren": "is not", "hasn": "not … has"}
AMOUNT_OF_PEOPLE = {
    "someone": "some", "somebody": "some", "anyone": "some", "anybody": "some", "everyone": "every",
    "everybody": "every", "nobody": "no",
}  # fmt: skip
AMOUNT_BEFORE_PLAYER = {"a": "some", "an": "some", "any": "some", "some": "some", "one": "some", "every": "every",
             "each": "every", "no": "no"}  # fmt: skip


def _diagnose_apostrophe(words: list[Word], at: int) -> Mistake:
    """`leader's tricks`; `led isn't red`."""
    owner, last = words[at - 1], words[at + 1]
    if last.text == "t":
        full = WRITTEN_OUT.get(owner.text, "not")
        found = Mistake(
            "wrong-sign",
            message("words are written in full"),
            owner.start,
            last.end,
            message("write `{full}`", full=full),
        )
        return found.with_replacement(full) if "…" not in full else found
    thing = words[at + 2].text if at + 2 < len(words) and words[at + 2].kind == "word" else "…"
    before = words[at - 2].text if at > 1 and owner.text in ("player", "opponent") else ""
    amount = AMOUNT_BEFORE_PLAYER.get(before) if before else AMOUNT_OF_PEOPLE.get(owner.text)
    if amount is not None:
        written = f"{amount} p in {'opponents' if owner.text == 'opponent' else 'players'} has {thing} of p"
        hint = message("write `{written} …`, with the condition", written=written)
        first = words[at - 2] if before else owner
        found = Mistake("wrong-sign", message("the owner comes after `of`"), first.start, last.end, hint)
        return found.with_edits(Edit(first.start, words[at + 2].end, written)) if thing != "…" else found
    hint = message("write `{thing} of {owner}`", thing=thing, owner=owner.text)
    found = Mistake("wrong-sign", message("the owner comes after `of`"), owner.start, last.end, hint)
    return found.with_edits(Edit(owner.start, words[at + 2].end, f"{thing} of {owner.text}")) if thing != "…" else found


def _diagnose_percent(number: Word, sign: Word) -> Mistake:
    """`at most 50% of games`."""
    share = Fraction(int(number.text[:9]), 100)
    fraction = f"{share.numerator}/{share.denominator}"
    found = Mistake(
        "wrong-sign",
        message("write shares as fractions"),
        number.start,
        sign.end,
        message("write `{fraction}`", fraction=fraction),
    )
    return found.with_replacement(fraction)


def _diagnose_pasted_sign(word: Word, sentence: str, hint: str) -> Mistake:
    return Mistake(
        "pasted-sign",
        sentence,
        word.start,
        word.end,
        message("{hint} (such signs come from text pasted out of a PDF)", hint=hint),
    )


def _diagnose_decimal(word: Word) -> Mistake:
    whole, digits = word.text.split(".", 1)
    hint, fraction = message("numbers are exact: write a fraction"), ""
    if len(word.text) <= 9:
        value = Fraction(int(whole + digits), 10 ** len(digits))
        fraction = f"{value.numerator} / {value.denominator}"
        hint = join_messages([hint, f"`{fraction}`"])
    found = Mistake(
        "decimal-number",
        message("`{word}` is not a number of the language", word=word.text),
        word.start,
        word.end,
        hint,
    )
    return found.with_replacement(fraction) if fraction else found


def _diagnose_brackets(words: list[Word]) -> Mistake | None:
    still_open: list[Word] = []
    for word in words:
        if word.kind != "sign":
            continue
        if word.text in OPENING:
            still_open.append(word)
        elif word.text in CLOSING:
            if not still_open:
                return _diagnose_unopened(word)
            begin = still_open.pop()
            if OPENING[begin.text] != word.text:
                sentence = message("`{begin}` is closed by `{word}`", begin=begin.text, word=word.text)
                right = OPENING[begin.text]
                found = Mistake(
                    "unclosed-bracket", sentence, begin.start, begin.end, message("write `{right}`", right=right)
                )
                return found.with_edits(Edit(word.start, word.end, right))
    return _diagnose_unclosed(still_open[-1], words[-1]) if still_open else None


def _diagnose_unopened(word: Word) -> Mistake:
    sentence = message("this `{word}` closes nothing", word=word.text)
    if word.text == "}":
        hint = message("indent what belongs together, without `{{` and `}}`")
    else:
        hint = message("remove it, or write the `{closing}`", closing=CLOSING[word.text])
    return Mistake("unclosed-bracket", sentence, word.start, word.end, hint).with_replacement("")


def _diagnose_unclosed(begin: Word, last: Word) -> Mistake:
    hint = message("write `{opening}` where it ends", opening=OPENING[begin.text])
    if begin.text == "{":
        hint = message("write `}}` where the set ends; indent lines that belong together, without `{{` and `}}`")
    found = Mistake(
        "unclosed-bracket", message("this `{begin}` is never closed", begin=begin.text), begin.start, begin.end, hint
    )
    if last is begin:
        return found.with_replacement("")
    return found.with_edits(Edit(last.end, last.end, OPENING[begin.text]))


# What people write, and the words of the language that may say it, where the grammar takes one of them.
OTHER_WORDS = {
    "every": ("each",), "all": ("each", "every"), "otherwise": ("else",), "if": ("when", "where"), "none": ("nothing",),
    "for": ("over", "to"), "into": ("to",), "onto": ("to",), "in": ("into", "to", "over"), "to": ("..", "by"),
    "and": (",",),
    "while": ("until",), "unless": ("skipping",), "most": ("highest",), "best": ("highest",), "least": ("lowest",),
    "fewest": ("lowest",), "deck": ("pile",), "stack": ("pile",), "heap": ("pile",), "list": ("row",), "line": ("row",),
    "bag": ("set",), "slot": ("place",), "visible": ("public",), "open": ("public",), "secret": ("hidden", "private"),
    "concealed": ("hidden",), "extends": ("of",), "changes": ("of",),
}  # fmt: skip
QUANTIFIERS = {"any": "some", "all": "every", "each": "every", "exists": "some"}


def _diagnose_other_word(place: StoppingPlace) -> Mistake | None:
    for word in OTHER_WORDS.get(place.text, ()):
        if place.can_be(word) and (word != ".." or place.text_before().isdigit()):
            found = place.make_mistake(
                "wrong-word",
                message("`{place}` cannot stand here", place=place.text),
                message("write `{word}`", word=word),
            )
            return found.with_replacement(word)
    return None


def _diagnose_the_highest(place: StoppingPlace) -> Mistake | None:
    """`the highest rank in hand`."""
    if place.text_before(2) != "the" or place.text_before() not in ("highest", "lowest"):
        return None
    best = place.text_before()
    hint = message("the value: `{best} of … over c in …`; who has it: `the c in … with {best} …`", best=best)
    return place.make_mistake(
        "unexpected-word", message("`the {best}` could mean the value or whoever has it", best=best), hint
    )


def _diagnose_other_quantifier(place: StoppingPlace) -> Mistake | None:
    """`any c in hand has …`."""
    if place.text_before() in QUANTIFIERS and place.text_after() == "in" and "IN" in place.expected:
        word = place.words[place.at - 1]
        hint = message("write `{quantifiers} {place} in …`", quantifiers=QUANTIFIERS[word.text], place=place.text)
        found = Mistake(
            "wrong-word", message("`{word}` cannot begin a condition", word=word.text), word.start, word.end, hint
        )
        return found.with_replacement(QUANTIFIERS[word.text])
    return None


def _diagnose_can_not(place: StoppingPlace) -> Mistake | None:
    if (place.text_before(2), place.text_before()) != ("can", "not"):
        return None
    word = place.words[place.at - 1]
    found = Mistake(
        "wrong-word",
        message("`cannot` is one word"),
        place.words[place.at - 2].start,
        word.end,
        message("write `cannot`"),
    )
    return found.with_replacement("cannot")


def _diagnose_needless_call(place: StoppingPlace) -> Mistake | None:
    """`count(hand)`, `action a()`."""
    if place.text == "(" and place.expected <= {"OF", "POINTS"} and place.expected:
        hint = message("write `{before} of …`", before=place.text_before())
        found = place.make_mistake(
            "wrong-sign", message("`{before}` takes no brackets", before=place.text_before()), hint
        )
        return found.with_replacement(" of (" if place.expected == {"OF"} else " points")
    if place.text == ")" and place.text_before() == "(":
        found = place.make_mistake("wrong-sign", message("these brackets are empty"), message("remove `()`"))
        return found.with_edits(place.leave_out(place.at - 1, place.at))
    return None


def _diagnose_then_after_if(place: StoppingPlace) -> Mistake | None:
    if place.kind == "statement" and place.first_word in ("if", "otherwise") and place.text == "then":
        hint = message("end the line before it, and write what happens below, indented")
        found = place.make_mistake("unexpected-word", message("`then` cannot stand here"), hint)
        return found.with_edits(place.begin_line_below(place.at, place.at + 1))
    return None


def _diagnose_cards_after_equals(place: StoppingPlace) -> Mistake | None:
    """`given hand of 1 = red 7`."""
    is_given = place.kind == "example_line" and place.first_word == "given" and "$END" in place.expected
    if is_given and any(word.text == "=" for word in place.words[: place.at]):
        equal = next(word for word in place.words if word.text == "=")
        hint = message("write `:` before what lies in a zone")
        found = place.make_mistake("unexpected-word", message("the value ends before this"), hint)
        return found.with_edits(Edit(equal.start, equal.end, ":"))
    return None


def _diagnose_final_colon(place: StoppingPlace) -> Mistake | None:
    if place.text == ":" and place.at == len(place.words) - 1 and "$END" in place.expected:
        found = place.make_mistake(
            "wrong-sign", message("this line does not end with `:`"), message("remove the `:`")
        )
        return found.with_edits(place.leave_out(place.at, place.at))
    return None


def _diagnose_needless_colon(place: StoppingPlace) -> Mistake | None:
    """`players: 2..5`, `define f: x`, `values: red`."""
    if place.text != ":" or place.at == 0:
        return None
    if place.kind == "statement" and place.first_word in ("if", "otherwise", "each", "repeat") and place.text_after():
        below = message("end the line before it, and write what happens below, indented")
        sentence = message("no `:` follows `{before}`", before=place.text_before())
        found = place.make_mistake("wrong-sign", sentence, below)
        return found.with_edits(place.begin_line_below(place.at, place.at + 1))
    hint = _suggest_instead_of_colon(place)
    if hint is None:
        return None
    found = place.make_mistake(
        "wrong-sign", message("no `:` follows `{before}`", before=place.text_before()), hint
    )
    if hint.startswith("remove"):
        return found.with_edits(place.leave_out(place.at, place.at))
    if place.expected == {"NAME"} and place.first_word in ("card", "token", "tile", "piece", "die") and place.at == 1:
        return found.with_edits(Edit(place.words[0].end, place.words[0].end, f" {place.first_word.capitalize()}"))
    instead = {"write `=`": " =", "write `then`": " then"}.get(hint)
    return found.with_replacement(instead) if instead is not None else found


def _suggest_instead_of_colon(place: StoppingPlace) -> str | None:
    behind = message("after `{before}`, write", before=place.text_before())
    if place.can_be("then"):
        return message("write `then`")
    if "EQUAL" in place.expected:
        return message("write `=`")
    if "STRING" in place.expected and not place.text_after().startswith('"'):
        return message("{behind} a text in quotes", behind=behind)
    if place.expected == {"NAME"}:
        return message("{behind} its name", behind=behind)
    if place.expected == {"LPAR"}:
        return message("{behind} in brackets what it depends on", behind=behind)
    return message("remove the `:`") if place.expected != {"OF"} else None


def _diagnose_braces(place: StoppingPlace) -> Mistake | None:
    if place.text != "{" or "LBRACE" in place.expected:
        return None
    hint = message("indent what belongs together, without `{{` and `}}`")
    return place.make_mistake("wrong-sign", message("`{{` cannot stand here, it begins a set"), hint)


def _diagnose_missing_colon(place: StoppingPlace) -> Mistake | None:
    if "COLON" not in place.expected or "COMPARISON" in place.expected or place.text in (",", ")", "]"):
        return None
    if place.text == "=":
        found = place.make_mistake(
            "missing-colon", message("`=` is written where `:` is needed"), message("write `:`")
        )
        return found.with_replacement(":")
    if place.text in ("is", "are") and place.text_after():
        last = place.at + (place.text_after() in ("a", "an"))
        sentence = message("`{place}` is written where `:` is needed", place=place.text)
        found = place.make_mistake("missing-colon", sentence, message("write `:`"))
        return found.with_edits(Edit(place.words[place.at - 1].end, place.words[last].end, ":"))
    if place.text == "player" and "OF" in place.expected:
        found = place.make_mistake(
            "unexpected-word", message("a word is missing before `player`"), message("write `of player`")
        )
        return found.with_edits(place.insert_before("of"))
    before = message(" before `{place}`", place=place.text) if place.word else message(" at the end of this line")
    hint = message("after `{words}`, write `:`", words=place.words[place.at - 1].text)
    behind = place.words[place.at - 1].end
    return place.make_mistake("missing-colon", message("a `:` is missing{before}", before=before), hint).with_edits(
        Edit(behind, behind, ":")
    )


def _diagnose_is_comparison(place: StoppingPlace) -> Mistake | None:
    """`phase is last_turns`."""
    if place.word and place.at > 0 and place.words[place.at - 1].text == "is" and "EMPTY" in place.expected:
        word = place.words[place.at - 1]
        near = get_close_matches(place.text, ("empty", "nothing", "not"), n=1, cutoff=0.7)
        if near:
            sentence = message("expected `{near}`, found `{word}`", near=near[0], word=place.text)
            hint = message("did you mean `{near}`?", near=near[0])
            return place.make_mistake("unexpected-word", sentence, hint).with_replacement(near[0])
        if place.text[:1].isupper():
            written = f"is {with_article(place.text)}"
            hint = message("for its kind, write `{words}`", words=written)
            asked = Mistake("wrong-word", message("`is` does not compare"), word.start, place.words[place.at].end, hint)
            return asked.with_replacement(written)
        if place.text in ("in", "one", "among"):
            return place.write_words(place.at - 1, place.at, "wrong-word", message("`is` does not compare"), "in")
        hint = message("write `=`; `is` can only be followed by `not`, `nothing`, `empty` or `a`")
        found = Mistake("wrong-word", message("`is` does not compare"), word.start, word.end, hint)
        return found if place.text in ("on", "at", "the", "same", "next") else found.with_replacement("=")
    return None


def _diagnose_missing_comma(place: StoppingPlace) -> Mistake | None:
    starts_another = place.word is not None and place.word.kind in ("word", "number", "string")
    if place.first_word == "rounds" and place.text != "starter":
        return None  # nothing else stands behind a comma there
    if starts_another and "COMMA" in place.expected and not place.similar_words():
        found = place.make_mistake(
            "missing-comma", message("a `,` is missing before `{place}`", place=place.text), None
        )
        behind = place.words[place.at - 1].end
        return found.with_edits(Edit(behind, behind, ","))
    return None


OF_OTHER_LANGUAGES = (
    _diagnose_final_colon,
    _diagnose_needless_colon,
    _diagnose_braces,
    _diagnose_can_not,
    _diagnose_needless_call,
    _diagnose_then_after_if,
    _diagnose_cards_after_equals,
    _diagnose_the_highest,
    _diagnose_other_quantifier,
    _diagnose_is_comparison,
    _diagnose_other_word,
    _diagnose_missing_colon,
    _diagnose_missing_comma,
)
