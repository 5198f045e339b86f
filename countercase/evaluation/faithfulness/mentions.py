"""What a text mentions: provisions, people and bodies by name, figures and dates.

Each check finds the mentions of an explanation that its passage does not have. A figure is its
value, however written, years and months converted; units must agree where both texts give one; a
rough figure (`some forty-seven lakh`) may differ by a tenth. Counts from one to four in words and
without a unit are left alone. The words looked for stand in `evaluation/data/words.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from countercase.io import read_table
from countercase.law.acts import find_acts
from countercase.law.citations import find_citations, find_lists
from countercase.law.provision_ids import Form, parse_id
from countercase.law.provision_ids import read_number as read_section
from countercase.text.dates import find_dates, read_date
from countercase.text.numbers import read_number
from countercase.text.patterns import expanded
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span
from countercase.text.words import stem

WORDS: Final = {row["name"]: row["words"] for row in read_table("evaluation/words", dict)}
"""Lists of words and parts of regular expressions, by name."""


def _compile_patterns() -> dict[str, re.Pattern[str]]:
    """Compile the table of patterns; a list of words or another pattern stands there in braces."""
    rows = {row["name"]: row["pattern"] for row in read_table("evaluation/patterns", dict)}
    parts = {name: "|".join(words) for name, words in WORDS.items()}
    parts |= {"numbering": rows["numbering"], "NUMBER": expanded("{NUMBER}")}
    for name, part in parts.items():
        rows = {key: text.replace(f"{{{name}}}", part) for key, text in rows.items()}
    return {name: re.compile(text) for name, text in rows.items()}


PATTERNS: Final = _compile_patterns()
"""What the checks look for, by name; `data/patterns.jsonl` says what each is."""


@dataclass(frozen=True)
class Mention:
    """A provision where a text cites it: its kind (section, article, ...) and its Act's code, or ""."""

    words: str
    span: Span
    kind: str
    code: str
    form: Form

    def stands_for(self, other: Mention) -> bool:
        """Tell whether the other cites the same provision or a part of it, of one Act if both name it."""
        if self.kind != other.kind or (self.code and other.code and self.code != other.code):
            return False
        mine, theirs = self.form, other.form
        if mine.number != theirs.number or (mine.part and mine.part != theirs.part):
            return False
        return theirs.subs.lower().startswith(mine.subs.lower())


def missing_provisions(text: str, passage: str) -> list[str]:
    """Find the provisions of `text` that `passage` does not cite, as written."""
    words, cited = " ".join(passage.lower().split()), provisions_cited(passage)
    missing = (it for it in provisions_cited(text) if not any(map(it.stands_for, cited)))
    return [it.words for it in missing if it.form.code or it.words.lower() not in words]


def provision_spans(text: str) -> list[Span]:
    """Return where `text` cites provisions and names Acts, whose numbers are no figures."""
    cited = [mention.span for mention in provisions_cited(text)]
    return [*cited, *(act.span for act in find_acts(text) if not act.bare)]


@lru_cache(maxsize=256)
def provisions_cited(text: str) -> tuple[Mention, ...]:
    """Return every provision that `text` cites, of a known Act or not, in order."""
    cited = [citation for citation in find_citations(text) if not citation.inferred]
    acts = {citation.span: parse_id(citation.provision) for citation in cited}
    mentions = []
    for listed in find_lists(text, find_acts(text)):
        for member in listed.members:
            form = acts.get(member.span) or read_section("IPC", member.raw)
            if form is not None:
                code = form.code if member.span in acts else ""
                words = text[member.span.start : member.span.end]
                mentions.append(Mention(words, member.span, listed.kind, code, form))
    for match in PATTERNS["numbered part"].finditer(text):
        kind = match["kind"].lower()
        for number in PATTERNS["numbering"].finditer(text, match.start("list"), match.end("list")):
            span, words = Span(*number.span()), f"{kind} {number.group()}"
            if not _taken(span, (mention.span for mention in mentions)):
                bare, bracket, subs = re.sub(r"\s", "", number.group()).partition("(")
                form = Form("", bare.replace("-", "") or "()", bracket + subs)
                mentions.append(Mention(words, span, kind.replace("entrie", "entry"), "", form))
    return tuple(sorted(mentions, key=lambda mention: mention.span))


def missing_names(text: str, passage: str) -> list[str]:
    """Find the names of `text` of which no part, or no words with its initials, stand in `passage`."""
    there = {stem(_plain(word)) for word in re.findall(r"[A-Za-z][\w'’-]*", passage)}
    capitals = "".join(word[0] for word in PATTERNS["capitalised"].findall(passage))
    return [
        name
        for name, _ in names_in(text)
        if stem(_plain(name)) not in there
        and not (PATTERNS["initials"].match(name) and name.replace(".", "") in capitals)
    ]


@lru_cache(maxsize=256)
def names_in(text: str) -> tuple[tuple[str, Span], ...]:
    """Return the capitalised words of `text` that name somebody or something, each with its place.

    Acts are left to the check of provisions. The first word of a sentence has a capital in any
    case: it is a name only where the text writes it with a capital elsewhere too.
    """
    firsts = (re.compile("[A-Za-z]").search(text, start) for start, _ in sentence_spans(text))
    starts = {match.start() for match in firsts if match}
    capitals = [(it.group(), Span(*it.span())) for it in PATTERNS["capitalised"].finditer(text)]
    inner = {word for word, span in capitals if span.start not in starts}
    acts = [act.span for act in find_acts(text)]
    return tuple(
        (word.removesuffix("'s").removesuffix("’s"), span)
        for word, span in capitals
        if word in inner
        and _plain(word) not in WORDS["not names"]
        and not re.fullmatch("[IVX]+", word)
        and not _taken(span, acts)
    )


def _plain(word: str) -> str:
    return word.lower().removesuffix("'s").removesuffix("’s").rstrip(".")


def _taken(span: Span, others: Iterable[Span]) -> bool:
    return any(span.overlaps(other) for other in others)


_BOTTOMS: Final = {
    "half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6,
    "eighth": 8, "tenth": 10,
}  # fmt: skip
_ALONE: Final = {"half": "0.5", "twice": "2", "double": "2", "thrice": "3"}
_MONTHS_IN: Final = {"year": Decimal(12), "month": Decimal(1)}
_SMALL_COUNT: Final = 4
_TOLERANCE: Final = Decimal("0.1")


@dataclass(frozen=True)
class Figure:
    """A figure: its value, in months where it is of years; its unit or ""; whether it is rough."""

    words: str
    span: Span
    value: Decimal
    unit: str = ""
    rough: bool = False

    def stands_for(self, other: Figure) -> bool:
        """Tell whether the other states the same."""
        if self.unit and other.unit and self.unit != other.unit:
            return False
        if self.rough or other.rough:
            return abs(self.value - other.value) <= _TOLERANCE * max(self.value, other.value)
        return self.value == other.value


@dataclass(frozen=True)
class Dated:
    """A date as far as it is told: `1981`, `1981-03` or `1981-03-04`."""

    words: str
    span: Span
    iso: str


def missing_figures(text: str, passage: str) -> list[str]:
    """Find the figures and dates of `text` that do not stand in `passage`, as written."""
    told, figures = [date.iso for date in dates_in(passage)], figures_in(passage)
    missing = [it.words for it in dates_in(text) if not any(t.startswith(it.iso) for t in told)]
    return missing + [it.words for it in figures_in(text) if not any(map(it.stands_for, figures))]


@lru_cache(maxsize=256)
def dates_in(text: str) -> tuple[Dated, ...]:
    """Return the dates, months and years that `text` gives, in order."""
    spans, provisions = list(find_dates(text)), provision_spans(text)
    years = (Span(*match.span()) for match in PATTERNS["year"].finditer(text))
    spans += [year for year in years if not _taken(year, spans)]
    return tuple(
        Dated(words, span, iso)
        for span in sorted(spans)
        if (iso := read_date(words := text[span.start : span.end])) and not _taken(span, provisions)
    )


@lru_cache(maxsize=256)
def figures_in(text: str) -> tuple[Figure, ...]:
    """Return the figures of `text` that are neither dates nor numbers of provisions, in order."""
    taken = [*provision_spans(text), *(date.span for date in dates_in(text))]
    figures: list[Figure] = []
    for match in PATTERNS["fraction"].finditer(text):
        span = Span(*match.span())
        if not _taken(span, taken):
            taken.append(span)
            value = Decimal(_ALONE.get(match.group().lower(), "12"))
            if match["bottom"]:
                top = read_number(match["top"]) or Decimal(1)
                value = top / Decimal(_BOTTOMS[match["bottom"].lower()])
            figures.append(_figure(text, span, value))
    for match in PATTERNS["figure"].finditer(text):
        span, number = Span(*match.span()), read_number(match.group())
        if number is not None and not _taken(span, taken):
            figure = _figure(text, span, number)
            if match.group()[0].isdigit() or figure.unit or number > _SMALL_COUNT:
                figures.append(figure)
    return tuple(sorted(figures, key=lambda figure: figure.span))


def _figure(text: str, span: Span, value: Decimal) -> Figure:
    after = PATTERNS["unit"].match(text, span.end)
    unit = after["unit"].lower().rstrip("s").replace(" ", "") if after else ""
    if unit in _MONTHS_IN:
        value, unit = value * _MONTHS_IN[unit], "month"
    rough = PATTERNS["rough"].search(text[max(0, span.start - 24) : span.start]) is not None
    return Figure(text[span.start : span.end], span, value, unit, rough)
