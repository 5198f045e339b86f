"""Items of evidence that a narrative states, sentence by sentence.

What is denied or missing (`no eyewitness`, `no identification parade was held`) is not an item. The
types are those that Indian courts weigh by rules of their own: the Evidence Act, 1872, ss. 24 to
27 (confession, discovery), 32(1) (dying declaration), 45 (experts), 65B (electronic records), 9
(identification), 8 (motive). The words are in `data/evidence_*.jsonl`; patterns ignore case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from countercase.fact_types.base import expanded, share_of_words, telling_words
from countercase.facts.model import EvidenceValue
from countercase.io import read_table
from countercase.text.clauses import clause_around
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span, one_line

_DESCRIPTION_LIMIT: Final = 160
_SINGLE: Final = ("dying_declaration", "test_identification", "last_seen")
"""Types of which a case seldom has two items: every mention of one is the same item."""

_SHARED_WORDS: Final = 0.5
"""The share of its description's words that a sentence must hold to count as a mention."""


@dataclass(frozen=True)
class EvidenceItem:
    """One item of evidence with every mention of it, in order."""

    value: EvidenceValue
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Trigger:
    """Words that say by themselves that there is evidence of a type.

    Where two types could claim the same words the earlier row takes them (`extra-judicial
    confession` before `confession`).
    """

    evidence_type: str
    patterns: tuple[str, ...]


@dataclass(frozen=True)
class Hint:
    """Words that mean evidence only in the right company: `she told her mother` in a case of rape.

    `sentence_has` and `sentence_lacks` are patterns for their sentence, `text_has` and `text_lacks`
    for the whole narrative; "" for no condition. Hints are tried after the trigger of their type.
    """

    evidence_type: str
    trigger: str
    sentence_has: str = ""
    sentence_lacks: str = ""
    text_has: str = ""
    text_lacks: str = ""


@dataclass(frozen=True)
class Exempt:
    """A trigger that is not evidence where the sentence before it matches `before`.

    Except where the sentence matches `unless`.
    """

    evidence_type: str
    trigger: str
    before: str
    unless: str


_Mention = tuple[Span, int, str]
"""The words, the number of their sentence, and the type of evidence."""

_Fits = Callable[[str], bool]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(expanded(pattern), re.IGNORECASE)


def _patterns_for(text: str) -> list[tuple[str, re.Pattern[str], _Fits]]:
    """The triggers that count in this narrative, each with the test its sentence must pass."""
    patterns: list[tuple[str, re.Pattern[str], _Fits]] = []
    for row in read_table("fact_types/evidence_triggers", Trigger):
        kind = row.evidence_type
        patterns.append((kind, _compiled("|".join(row.patterns)), lambda _: True))
        for hint in read_table("fact_types/evidence_hints", Hint):
            if hint.evidence_type == kind and _holds(text, hint.text_has, hint.text_lacks):
                patterns.append((kind, _compiled(hint.trigger), partial(_sentence_fits, hint)))
    return patterns


def _sentence_fits(hint: Hint, sentence: str) -> bool:
    return _holds(sentence, hint.sentence_has, hint.sentence_lacks)


def _holds(text: str, has: str, lacks: str) -> bool:
    return (not has or _compiled(has).search(text) is not None) and (
        not lacks or _compiled(lacks).search(text) is None
    )


def evidence_items(text: str) -> list[EvidenceItem]:
    """The items of evidence of `text`, in order of their first mention.

    Mentions of one type in one sentence, or in sentences that follow each other, are one item.
    """
    sentences = [Span(*span) for span in sentence_spans(text)]
    groups: dict[str, list[list[_Mention]]] = {}
    for mention in sorted(_mentions(text, sentences), key=lambda mention: mention[0]):
        _, sentence, kind = mention
        items = groups.setdefault(kind, [])
        if items and (kind in _SINGLE or sentence - items[-1][-1][1] <= 1):
            items[-1].append(mention)
        else:
            items.append([mention])
    evidence = []
    for item in (item for items in groups.values() for item in items):
        first, sentence, kind = item[0]
        value = EvidenceValue(kind, describe(text, sentences[sentence], first))
        evidence.append(EvidenceItem(value, tuple(span for span, _, _ in item)))
    return sorted(evidence, key=lambda item: (item.spans, item.value.evidence_type))


def _mentions(text: str, sentences: list[Span]) -> Iterator[_Mention]:
    patterns = _patterns_for(text)
    for index, sentence in enumerate(sentences):
        taken: list[Span] = []
        words = text[sentence.start : sentence.end]
        for kind, pattern in ((kind, pattern) for kind, pattern, fits in patterns if fits(words)):
            for match in pattern.finditer(text, sentence.start, sentence.end):
                span = Span(*match.span())
                free = not any(span.overlaps(other) for other in taken)
                missing = free and _absent(text, sentence, span)
                if free and not missing and not _excepted(text, kind, sentence, span):
                    taken.append(span)
                    yield span, index, kind


def _absent(text: str, sentence: Span, span: Span) -> bool:
    """Whether the words around say that the evidence is denied or missing."""
    lead = text[max(sentence.start, span.start - 60) : span.start]
    lead = re.split(r"[,;:]|\bbut\b", lead)[-1]
    follow = text[span.end : min(sentence.end, span.end + 60)]
    before, after = _compiled("{ABSENT_BEFORE}"), _compiled("{ABSENT_AFTER}")
    return bool(before.search(lead) or after.match(follow))


def _excepted(text: str, kind: str, sentence: Span, span: Span) -> bool:
    return any(
        _compiled(row.trigger).match(text, span.start, sentence.end)
        and _compiled(row.before).search(text[sentence.start : span.start])
        and not _compiled(row.unless).search(text[sentence.start : sentence.end])
        for row in read_table("fact_types/evidence_exceptions", Exempt)
        if row.evidence_type == kind
    )


def describe(text: str, sentence: Span, mention: Span) -> str:
    """The sentence around `mention`, or its clause where the sentence is long, in one line.

    At most 160 characters, cut between words.
    """
    whole = one_line(text[sentence.start : sentence.end])
    if len(whole) <= _DESCRIPTION_LIMIT:
        return whole
    clause = clause_around(text, sentence, mention)
    short = one_line(text[clause.start : clause.end])
    if len(short) <= _DESCRIPTION_LIMIT:
        return short
    head = one_line(text[clause.start : mention.start])
    words = short.split(" ")
    while len(head) > _DESCRIPTION_LIMIT // 3 and words:
        head = head[len(words[0]) + 1 :]
        words = words[1:]
    description = ""
    for word in words:
        if description and len(description) + 1 + len(word) > _DESCRIPTION_LIMIT:
            break
        description = f"{description} {word}".strip()
    return description[:_DESCRIPTION_LIMIT].rstrip(" ,;")


def locate_evidence(text: str, values: Sequence[EvidenceValue]) -> list[tuple[Span, ...]]:
    """The mentions of each item of evidence, in the order of `values`.

    Where several items of one type are stated, each mention goes to the item whose description
    shares most words with its sentence. An item that is alone of its type takes the mentions
    that `_own_mentions` gives it. An item without a mention takes the sentence that holds at least
    half of the words of its description.
    """
    sentences = [Span(*span) for span in sentence_spans(text)]
    places: list[list[Span]] = [[] for _ in values]
    items = evidence_items(text)
    for kind in dict.fromkeys(value.evidence_type for value in values):
        rivals = [n for n, value in enumerate(values) if value.evidence_type == kind]
        groups = [item.spans for item in items if item.value.evidence_type == kind]
        if len(rivals) == 1:
            description = values[rivals[0]].description
            places[rivals[0]] += _own_mentions(text, sentences, description, groups)
            continue
        for span in (span for spans in groups for span in spans):
            words = _words_around(text, sentences, span)
            best = max(rivals, key=lambda n: (share_of_words(values[n].description, words), -n))
            places[best].append(span)
    for value, spans in zip(values, places, strict=True):
        if not spans:
            spans += _sentence_like(text, sentences, value.description)
    return [tuple(sorted(spans)) for spans in places]


def _own_mentions(
    text: str, sentences: Sequence[Span], description: str, groups: Sequence[tuple[Span, ...]]
) -> list[Span]:
    """The mentions of the one item so described; `groups` are the narrative's items of its type.

    They are those whose sentences share words with the description: in the item that shares
    most, any word; in another, more than half as many. Where none shares a word they are all.
    """
    shares = [
        [share_of_words(description, _words_around(text, sentences, span)) for span in spans]
        for spans in groups
    ]
    best = max((max(group) for group in shares), default=0.0)
    return [
        span
        for spans, group in zip(groups, shares, strict=True)
        for span, share in zip(spans, group, strict=True)
        if best == 0.0 or share > (0.0 if max(group) == best else best / 2)
    ]


def _sentence_like(text: str, sentences: Sequence[Span], description: str) -> list[Span]:
    shares = [
        (share_of_words(description, telling_words(text[sentence.start : sentence.end])), -n)
        for n, sentence in enumerate(sentences)
    ]
    if not shares or len(telling_words(description)) < 2:
        return []
    best, order = max(shares)
    return [sentences[-order]] if best >= _SHARED_WORDS else []


def _words_around(text: str, sentences: Sequence[Span], place: Span) -> frozenset[str]:
    return telling_words(" ".join(text[s.start : s.end] for s in sentences if s.overlaps(place)))
