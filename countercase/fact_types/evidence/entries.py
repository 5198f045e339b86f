"""The entries of lists in a narrative: bullets, numbered items, parts between semicolons.

An entry can be cut with its mark, whole, where it speaks of one item alone; the others keep their
numbers. A sentence that a list hangs on keeps its first entry where that has no colon before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from countercase.fact_types.rewriting import foreign_spans, sentences_around, touches_any
from countercase.facts.edits import Replacement
from countercase.facts.model import EvidenceValue, Fact, FactSheet
from countercase.text.clauses import MAIN_CLAUSE, VERB
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span

_MARK: Final = r"(?:[-*•–]|\(?\d{1,2}[.)]|\([a-zivx]{1,4}\))[ \t]+"
_LINE: Final = re.compile(rf"(?m)^[ \t]*(?:{_MARK})(?P<words>\S[^\n]*)$")
_INLINE: Final = re.compile(r"(?<=[.:;?]) \((?:\d{1,2}|[a-z]|[ivx]{1,4})\) ")
_COUNTED: Final = re.compile(
    r"(?i)\b(?:two|three|four|five|six|seven|both|[2-9]) (?:\w+ ){0,2}?(?:\w+s)\b[^.\n]*\Z"
)
"""A heading that says how many entries follow."""
_REFERRED: Final = re.compile(
    r"(?i)\b(?:points?|items?|nos?\.|paras?|grounds?|serial|entry) \(?[1-9]\b(?!\d)"
    r"|\b(?:first|second|third|last) of (?:these|them)\b|\([1-9]\) (?:above|and \()"
)
_DEPENDENT: Final = re.compile(
    r"(?i)\W*(?:and |but |so )?(?:it|its|he|she|his|her|they|their|them|this|that|these|those|both"
    r"|the (?:other|same|said|latter|former)|which|who|also|another|neither|so|then|hence)\b"
)
"""How an entry begins that goes on from the one before it."""


@dataclass(frozen=True)
class Entry:
    """One entry: its words, without the mark, and what is cut where it goes.

    `line` is the mark of a bulleted or numbered line with its blanks, "" for other entries.
    """

    words: Span
    cut: Span
    line: str = ""


def entries(narrative: str) -> tuple[Entry, ...]:
    """The entries of every list of two or more, in order; those of lines before those inside them."""
    return (*_lines(narrative), *_inline(narrative), *_parts(narrative))


def entry_around(narrative: str, spans: Sequence[Span]) -> Entry | None:
    """The smallest entry that holds all of `spans`, or None."""
    holding = [
        entry
        for entry in entries(narrative)
        if all(entry.words.start <= s.start and s.end <= entry.words.end for s in spans)
    ]
    return min(holding, key=lambda e: e.words.end - e.words.start, default=None) if spans else None


def cut_entry(narrative: str, entry: Entry) -> Replacement | None:
    """The entry cut with its mark; None where the list is counted or an entry goes on from it."""
    before = narrative[: entry.cut.start].rpartition("\n\n")[2]
    heading = re.split(r"\n|\(\d|(?<=:)\s", before)[0]
    if _COUNTED.search(heading) or _REFERRED.search(narrative):
        return None
    following = re.sub(rf"\A[\s;]*(?:{_MARK})?", "", narrative[entry.cut.end :])
    words = narrative[entry.words.start : entry.words.end]
    if _DEPENDENT.match(following) or _DEPENDENT.match(words):
        return None
    return Replacement(entry.cut.start, entry.cut.end, "")


def _lines(narrative: str) -> tuple[Entry, ...]:
    found = list(_LINE.finditer(narrative))
    listed = []
    for index, match in enumerate(found):
        near = found[index - 1 : index] + found[index + 1 : index + 2]
        together = any(
            not narrative[min(m.end(), match.end()) : max(m.start(), match.start())].strip()
            for m in near
        )
        if together and match.start() > 0:
            mark = narrative[match.start() : match.start("words")]
            cut = Span(match.start() - 1, match.end())
            listed.append(Entry(Span(match.start("words"), match.end()), cut, mark))
    return tuple(listed)


def _inline(narrative: str) -> tuple[Entry, ...]:
    """`(1) a card. (2) a letter.`: each goes to the next mark of its paragraph."""
    listed = []
    start = 0
    for paragraph in [*re.finditer(r"\n", narrative), None]:
        end = paragraph.start() if paragraph else len(narrative)
        marks = [m.span() for m in _INLINE.finditer(narrative, start, end)]
        if len(marks) > 1:
            for (at, words), (to, _) in pairwise([*marks, (end, end)]):
                listed.append(Entry(Span(words, to), Span(at, to)))
        start = end + 1
    return tuple(listed)


def _parts(narrative: str) -> tuple[Entry, ...]:
    """`He relies on: a card; a letter; a bill.`: what stands between semicolons and line ends."""
    listed: list[Entry] = []
    for a, b in sentence_spans(narrative):
        start = a
        for line in [*re.finditer(r"\n", narrative[a:b]), None]:
            end = a + line.start() if line else b
            listed += _between(narrative, start, end)
            start = end + 1
    return tuple(listed)


def _between(narrative: str, start: int, end: int) -> list[Entry]:
    marks = [m.start() for m in re.finditer(r";\s", narrative[start:end])]
    marks = [start + at for at in marks if _outside(narrative[start : start + at])]
    if not marks:
        return []
    last = end
    while last > marks[-1] and narrative[last - 1] in ".!? ":
        last -= 1
    colon = narrative.rfind(": ", start, marks[0])
    listed = []
    if colon >= 0 and _outside(narrative[start:colon]):
        after = marks[0] + 2
        listed.append(Entry(Span(colon + 2, marks[0]), Span(colon + 2, after)))
    if len(marks) > 1 or listed:
        for at, to in pairwise([*marks, last]):
            listed.append(Entry(Span(at + 2, to), Span(at, to)))
    return listed


def _outside(before: str) -> bool:
    """Whether what follows these words stands in no bracket and no quotation."""
    return before.count("(") == before.count(")") and before.count('"') % 2 == 0


def cut_alone(sheet: FactSheet, fact: Fact) -> Replacement | None:
    """The cut of the entry or last relative clause that holds the item and no other fact, or None."""
    narrative, others = sheet.narrative, foreign_spans(sheet, fact.fact_id)
    entry = entry_around(narrative, fact.spans)
    if entry is not None and not touches_any(entry.words, others):
        return cut_entry(narrative, entry)
    around = sentences_around(narrative, fact.spans)
    kind = fact.value.evidence_type if isinstance(fact.value, EvidenceValue) else ""
    if len(around) != 1 or kind in _EVENTS:
        return None
    found = [
        *LAST_RELATIVE.finditer(narrative, around[0].start, around[0].end),
        *(
            m
            for m in _MIDDLE_CLAUSE.finditer(narrative, around[0].start, around[0].end)
            if MAIN_CLAUSE.match(m["clause"])
        ),
    ]
    for match in found:
        clause = Span(*match.span())
        if all(clause.start <= s.start and s.end <= clause.end for s in fact.spans):
            return (
                None if touches_any(clause, others) else Replacement(clause.start, clause.end, "")
            )
    return None


LAST_RELATIVE: Final = re.compile(
    r",\s+as (?:the|his|her|its|their) [\w' -]+? (?:shows?|showed|proves?|records?|says?)(?=\.?\Z|\.\s)"
    r"|,\s+(?:who|which)\b(?:(?!,\s+(?:and|but|so|who|which|while|whereas)\b)[^;:.()\"])*(?=\.\Z|\.?\Z|\.\s)"
)
"""`, who turned hostile and denied it in court`, `, as the receipt shows`, at the end of a sentence."""
_MIDDLE_CLAUSE: Final = re.compile(r", (?P<clause>(?:the|his|her) [^,;:.()\"]{5,60})(?=, and )")
"""One of three clauses: `The signature is admitted[, the ledger shows goods sold], and ...`."""
_EVENTS: Final = ("weapon", "recovery", "injury_grade", "sudden_quarrel", "settlement")
"""Types whose words tell what happened, and not only what shows it."""


_NOTE: Final = re.compile(
    r"(?i)\b(?:u/s|w/o|r/w|yrs?|mths?|dt|pls|thru|dtd|recd|abt|pm|thru|agst|sr|sir)\b|\s[&+]\s"
)
_BARE: Final = 0.2
"""The share of sentences without a verb above which a narrative is a note."""


def is_note(narrative: str) -> bool:
    """Whether a narrative is written in the short forms of notes, or in sentences without verbs."""
    sentences = [narrative[a:b] for a, b in sentence_spans(narrative)]
    bare = sum(
        not re.search(rf"\b{VERB}|\b(?:will|can|may|should|could|would)\b", s) for s in sentences
    )
    short = len(_NOTE.findall(narrative))
    return short > 1 or (short == 1 and bare > _BARE * len(sentences))
