"""What a text mentions by name: provisions, and people and bodies.

Words that the checks look for stand in `evaluation/data/words.jsonl`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from countercase.io import read_table
from countercase.law.acts import find_acts
from countercase.law.citation_lists import find_lists
from countercase.law.citations import find_citations
from countercase.law.provision_ids import Form, parse_id, read_number
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span
from countercase.text.words import stem


@dataclass(frozen=True)
class _WordList:
    name: str
    words: tuple[str, ...]
    meaning: str


WORDS: Final = {row.name: row.words for row in read_table("evaluation/words", _WordList)}
"""Lists of words and parts of regular expressions, by name."""

_NUMBER: Final = r"(?:\d+[A-Z]{0,2}(?:-[A-Z]{1,2})?|[IVX]+)(?:\s?\(\w{1,4}\))*|\(\w{1,4}\)"
_OTHER: Final = re.compile(
    r"\b(?P<kind>[Ee]xception|[Rr]ule|[Ee]ntr(?:y|ies)|[Ss]chedule|[Cc]lause|[Ii]llustration"
    r"|[Cc]hapter|[Rr]egulation|[Ff]orm|[Pp]art|[Ss]ection|[Aa]rticle|[Oo]rder)s?\s+"
    rf"(?P<list>(?:{_NUMBER})(?:(?:\s*,\s*|\s+(?:and|or|to)\s+|\s*/\s*)(?:{_NUMBER}))*)(?!\w)"
)
_ONE: Final = re.compile(_NUMBER)

_CAPITAL: Final = re.compile(r"\b[A-Z][\w.&'’-]*[\w]|\b[A-Z]\b")
_WORD: Final = re.compile(r"[A-Za-z][\w'’-]*")
_LETTER: Final = re.compile(r"[A-Za-z]")
_INITIALS: Final = re.compile(r"[A-Z](?:\.?[A-Z])+\.?\Z")
_ROMAN: Final = re.compile(r"[IVX]+\Z")
_NOT_NAMES: Final = frozenset(WORDS["not names"])
_FIRST_WORDS: Final = frozenset(WORDS["first words"])


@dataclass(frozen=True)
class Mention:
    """A provision where a text cites it.

    Args:
        kind: section, article, order, exception, rule, ...
        code: the Act's code, or "" where the text does not name the Act with the number.
    """

    words: str
    span: Span
    kind: str
    code: str
    form: Form

    def stands_in(self, others: tuple[Mention, ...]) -> bool:
        """Whether one of the others cites the same provision, or a part of it.

        A passage on section 13(1)(d) bears out `section 13`, not the other way round. The Acts
        are compared where both texts name them.
        """
        return any(self._same(other) for other in others)

    def _same(self, other: Mention) -> bool:
        if self.kind == "part" and other.form.part:
            return self.form.number == other.form.part
        if self.kind != other.kind or (self.code and other.code and self.code != other.code):
            return False
        mine, theirs = self.form, other.form
        if mine.number != theirs.number or (mine.part and mine.part != theirs.part):
            return False
        return theirs.subs.lower().startswith(mine.subs.lower())


def missing_provisions(text: str, passage: str) -> list[str]:
    """The provisions of `text` that `passage` does not cite, as written."""
    there = provisions_cited(passage)
    words = " ".join(passage.lower().split())
    return [
        mention.words
        for mention in provisions_cited(text)
        if not mention.stands_in(there)
        and not (mention.form.code == "" and mention.words.lower() in words)
    ]


def provision_spans(text: str) -> tuple[Span, ...]:
    """Where `text` cites provisions and names Acts, so that their numbers are not taken for facts."""
    cited = [mention.span for mention in provisions_cited(text)]
    return tuple(sorted([*cited, *(act.span for act in find_acts(text) if not act.bare)]))


@lru_cache(maxsize=256)
def provisions_cited(text: str) -> tuple[Mention, ...]:
    """Every provision that `text` cites, of a known Act or not, in order."""
    acts = {
        cited.span: parse_id(cited.provision)
        for cited in find_citations(text)
        if not cited.inferred
    }
    mentions = []
    for listed in find_lists(text, find_acts(text)):
        for member in listed.members:
            form = acts.get(member.span) or read_number("IPC", member.raw)
            if form is not None:
                code = form.code if member.span in acts else ""
                words = text[member.span.start : member.span.end]
                mentions.append(Mention(words, member.span, listed.kind, code, form))
    for match in _OTHER.finditer(text):
        kind = match["kind"].lower()
        for number in _ONE.finditer(text, match.start("list"), match.end("list")):
            span = Span(*number.span())
            if any(span.overlaps(mention.span) for mention in mentions):
                continue
            raw = re.sub(r"\s", "", number.group())
            bare, bracket, subs = raw.partition("(")
            form = Form("", bare.replace("-", "") or "()", bracket + subs)
            words = f"{kind} {number.group()}"
            mentions.append(Mention(words, span, "entry" if kind == "entrie" else kind, "", form))
    return tuple(sorted(mentions, key=lambda mention: mention.span))


def missing_names(text: str, passage: str) -> list[str]:
    """The names of `text` of which no part stands in `passage`, in order.

    An abbreviation stands there where capitalised words with its initials do: `CBI` for `Central
    Bureau of Investigation`.
    """
    there = {stem(_plain(word)) for word in _WORD.findall(passage)}
    capitals = "".join(word[0] for word in _CAPITAL.findall(passage))
    lost = []
    for name, _ in names_in(text):
        known = stem(_plain(name)) in there
        spelled = _INITIALS.match(name) and name.replace(".", "") in capitals
        if not known and not spelled:
            lost.append(name)
    return lost


@lru_cache(maxsize=256)
def names_in(text: str) -> tuple[tuple[str, Span], ...]:
    """The capitalised words of `text` that name somebody or something, each with its place.

    Acts are left to the check of provisions. The first word of a sentence has a capital in any
    case: it is a name only where another name follows it at once, or where the text writes it with
    a capital elsewhere too.
    """
    starts = {_first_word(text, start) for start, _ in sentence_spans(text)}
    capitals = [Span(*match.span()) for match in _CAPITAL.finditer(text)]
    words = [text[span.start : span.end] for span in capitals]
    inner = {word for word, span in zip(words, capitals, strict=True) if span.start not in starts}
    follows = {
        span.start
        for word, span in zip(words, capitals, strict=True)
        if _plain(word) not in _NOT_NAMES
    }
    acts = [act.span for act in find_acts(text)]
    names = []
    for word, span in zip(words, capitals, strict=True):
        if _plain(word) in _NOT_NAMES or _ROMAN.match(word) or any(map(span.overlaps, acts)):
            continue
        opening = span.start in starts and not _INITIALS.match(word) and word not in inner
        if opening and (span.end + 1 not in follows or _plain(word) in _FIRST_WORDS):
            continue
        names.append((word.removesuffix("'s").removesuffix("’s"), span))
    return tuple(names)


def _plain(word: str) -> str:
    return word.lower().removesuffix("'s").removesuffix("’s").rstrip(".")


def _first_word(text: str, start: int) -> int:
    match = _LETTER.search(text, start)
    return match.start() if match else start
