"""Items of evidence that a narrative states, sentence by sentence.

What is denied or missing (`no eyewitness`, `no identification parade was held`) is no item. The
types are those that Indian courts weigh by rules of their own: the Evidence Act, 1872, ss. 24 to
27 (confession, discovery), 32(1) (dying declaration), 45 (experts), 65B (electronic records), 9
(identification), 8 (motive).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from countercase.fact_types.evidence.hints import HINTS, Hint
from countercase.fact_types.evidence.words import ABSENT_AFTER, ABSENT_BEFORE, EXCEPTIONS, TRIGGERS
from countercase.facts.mentions import Found
from countercase.facts.model import EvidenceValue
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span

_DESCRIPTION_LIMIT: Final = 160
_SINGLE: Final = ("dying_declaration", "test_identification", "last_seen")
"""Types of which a case seldom has two items: every mention of one is the same item."""

_CLAUSE_MARK: Final = re.compile(
    r";\s+|,\s+(?=(?:and|but|while|whereas|whereupon|who|which|when|where|after|as)\b)"
    r"|\s+(?=(?:whereafter|whereupon|thereafter|but|and\s+(?:that|also|the|he|she|they))\b)"
)


@dataclass(frozen=True)
class EvidenceItem:
    """One item of evidence with every mention of it, in order."""

    value: EvidenceValue
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class _Mention:
    evidence_type: str
    sentence: int
    span: Span


_Fits = Callable[[str], bool]


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in TRIGGERS)


def _patterns_for(text: str) -> list[tuple[str, re.Pattern[str], _Fits]]:
    """The triggers that count in this narrative, each with the test its sentence must pass."""
    found: list[tuple[str, re.Pattern[str], _Fits]] = []
    for kind, pattern in _patterns():
        found.append((kind, pattern, lambda _: True))
        for hint in HINTS:
            if hint.evidence_type == kind and _holds(text, hint.text_has, hint.text_lacks):
                trigger = re.compile(hint.trigger, re.IGNORECASE)
                found.append((kind, trigger, partial(_sentence_fits, hint)))
    return found


def _sentence_fits(hint: Hint, sentence: str) -> bool:
    return _holds(sentence, hint.sentence_has, hint.sentence_lacks)


def _holds(text: str, has: str, lacks: str) -> bool:
    return (not has or re.search(has, text, re.IGNORECASE) is not None) and (
        not lacks or re.search(lacks, text, re.IGNORECASE) is None
    )


@cache
def _absences() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(ABSENT_BEFORE, re.IGNORECASE), re.compile(ABSENT_AFTER, re.IGNORECASE)


@cache
def _exceptions() -> tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]:
    return tuple(
        (kind, tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns))
        for kind, *patterns in EXCEPTIONS
    )


def find_evidence(text: str) -> list[Found]:
    """The first mention of each type of evidence in each sentence of `text`, in order."""
    sentences = [Span(*span) for span in sentence_spans(text)]
    seen: set[tuple[str, int]] = set()
    found = []
    for mention in _mentions(text, sentences):
        key = (mention.evidence_type, mention.sentence)
        if key not in seen:
            seen.add(key)
            description = describe(text, sentences[mention.sentence], mention.span)
            found.append(Found(EvidenceValue(mention.evidence_type, description), mention.span))
    return sorted(found, key=lambda item: item.span)


def evidence_items(text: str) -> list[EvidenceItem]:
    """The items of evidence of `text`, in order of their first mention.

    Mentions of one type in one sentence, or in sentences that follow each other, are one item.
    """
    sentences = [Span(*span) for span in sentence_spans(text)]
    groups: dict[str, list[list[_Mention]]] = {}
    for mention in sorted(_mentions(text, sentences), key=lambda m: m.span):
        items = groups.setdefault(mention.evidence_type, [])
        near = items and mention.sentence - items[-1][-1].sentence <= 1
        if items and (near or mention.evidence_type in _SINGLE):
            items[-1].append(mention)
        else:
            items.append([mention])
    found = []
    for kind, items in groups.items():
        for item in items:
            first = item[0]
            description = describe(text, sentences[first.sentence], first.span)
            spans = tuple(mention.span for mention in item)
            found.append(EvidenceItem(EvidenceValue(kind, description), spans))
    return sorted(found, key=lambda item: (item.spans, item.value.evidence_type))


def _mentions(text: str, sentences: list[Span]) -> Iterator[_Mention]:
    patterns = _patterns_for(text)
    for index, sentence in enumerate(sentences):
        taken: list[Span] = []
        words = text[sentence.start : sentence.end]
        for kind, pattern, fits in patterns:
            if not fits(words):
                continue
            for match in pattern.finditer(text, sentence.start, sentence.end):
                span = Span(*match.span())
                if any(span.overlaps(other) for other in taken):
                    continue
                if _absent(text, sentence, span) or _excepted(text, kind, sentence, span):
                    continue
                taken.append(span)
                yield _Mention(kind, index, span)


def _absent(text: str, sentence: Span, span: Span) -> bool:
    before, after = _absences()
    lead = text[max(sentence.start, span.start - 60) : span.start]
    lead = re.split(r"[,;:]|\bbut\b", lead)[-1]
    follow = text[span.end : min(sentence.end, span.end + 60)]
    return bool(before.search(lead) or after.match(follow))


def _excepted(text: str, kind: str, sentence: Span, span: Span) -> bool:
    return any(
        trigger.match(text, span.start, sentence.end)
        and before.search(text[sentence.start : span.start])
        and not unless.search(text[sentence.start : sentence.end])
        for excepted, (trigger, before, unless) in _exceptions()
        if excepted == kind
    )


def describe(text: str, sentence: Span, mention: Span) -> str:
    """The sentence around `mention`, or its clause where the sentence is long, in one line.

    At most 160 characters, cut between words.
    """
    whole = _one_line(text[sentence.start : sentence.end])
    if len(whole) <= _DESCRIPTION_LIMIT:
        return whole
    clause = clause_span(text, sentence, mention)
    short = _one_line(text[clause.start : clause.end])
    if len(short) <= _DESCRIPTION_LIMIT:
        return short
    head = _one_line(text[clause.start : mention.start])
    words = short.split(" ")
    while len(head) > _DESCRIPTION_LIMIT // 3 and words:
        head = head[len(words[0]) + 1 :]
        words = words[1:]
    kept = ""
    for word in words:
        if kept and len(kept) + 1 + len(word) > _DESCRIPTION_LIMIT:
            break
        kept = f"{kept} {word}".strip()
    return kept[:_DESCRIPTION_LIMIT].rstrip(" ,;")


def clause_span(text: str, sentence: Span, mention: Span) -> Span:
    """The clause of `sentence` that holds `mention`: what stands between two clause marks."""
    start, end = sentence.start, sentence.end
    for mark in _CLAUSE_MARK.finditer(text, sentence.start, sentence.end):
        if mark.end() <= mention.start:
            start = mark.end()
        elif mark.start() >= mention.end:
            end = mark.start()
            break
    return Span(start, end)


def _one_line(text: str) -> str:
    return " ".join(text.split())
