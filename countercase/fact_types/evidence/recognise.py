"""Items of evidence that a narrative states, sentence by sentence.

What is denied or missing (`no eyewitness`, `65B cert missing`) is an item that is absent. The types
are those that Indian courts weigh by rules of their own: the Evidence Act, 1872, ss. 24 to 27
(confession, discovery), 32(1) (dying declaration), 45 (experts), 65B (electronic records), 9
(identification), 8 (motive), and what the law asks of a search, an arrest, a prosecution. The words
are in `data/evidence_*.jsonl`; patterns ignore case and read the text in plain words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Final, Literal

from countercase.fact_types.base import share_of_words, telling_words
from countercase.fact_types.evidence.nouns import document_spans, witness_spans
from countercase.fact_types.evidence.polarity import is_absent
from countercase.fact_types.evidence.triggers import (
    BEHIND,
    Exempt,
    Trigger,
    kinds_that_are,
    triggered,
    triggers_for,
)
from countercase.facts.model import EvidenceValue
from countercase.io import read_table
from countercase.text.patterns import of_words
from countercase.text.plain_words import plain_text
from countercase.text.sentences import clause_around, sentence_spans
from countercase.text.spans import Span, one_line

CIRCUMSTANCE: Final = "circumstance"
"""The type of what is told in words of its own, read by the learnt reader."""
_DESCRIPTION_LIMIT: Final = 160
_LIST_GAP: Final = 30
"""Characters that may lie between the nouns of one list (`salary slips, offer letter and ...`)."""

_SHARED_WORDS: Final = 0.5
"""The share of its description's words that a sentence must hold to count as a mention."""


@dataclass(frozen=True)
class EvidenceItem:
    """One item of evidence with every mention of it, in order."""

    value: EvidenceValue
    spans: tuple[Span, ...]


@dataclass(frozen=True, order=True)
class _Mention:
    """Words that name evidence, in the number of their sentence."""

    span: Span
    sentence: int
    kind: str
    strength: Literal["full", "absent"]


@lru_cache(maxsize=64)
def evidence_items(text: str) -> tuple[EvidenceItem, ...]:
    """The items of evidence of `text`, in order of their first mention.

    Mentions of one type in one sentence, or in sentences that follow each other, are one item; not
    so documents and other things that their nouns tell apart, or the points of a list. A question or
    an authority wanted speaks of what was told before it.
    """
    plain = plain_text(text)
    sentences = [Span(*span) for span in sentence_spans(plain.text)]
    groups: dict[tuple[str, str], list[list[_Mention]]] = {}
    mentions = sorted(_mentions(plain.text, sentences))
    for mention in mentions:
        items = groups.setdefault((mention.kind, mention.strength), [])
        sentence = sentences[mention.sentence]
        words = plain.text[sentence.start : sentence.end].rstrip()
        asked = words.endswith("?") or of_words("{ASKED}").match(words) is not None
        told = [i for (kind, _), own in groups.items() if kind == mention.kind for i in own]
        near = told if asked else reversed(items)
        same = next((i for i in near if any(_same(plain.text, m, mention, asked) for m in i)), None)
        if same is not None:
            same.append(mention)
        else:
            items.append([mention])
    evidence = []
    for item in (item for items in groups.values() for item in items):
        first = item[0]
        sentence, place = plain.source(sentences[first.sentence]), plain.source(first.span)
        value = EvidenceValue(first.kind, describe(text, sentence, place), first.strength)
        found = first.strength == "full" and first.kind not in kinds_that_are("never pending")
        before = plain.text[max(0, first.span.start - _DESCRIPTION_LIMIT) : first.span.start]
        after = of_words("{DISCARDED}").match(plain.text, first.span.end)
        if found and (after or of_words("{DISBELIEVING}").search(before)):
            value = replace(value, strength="weakened")
        spans = dict.fromkeys(plain.source(mention.span) for mention in item)
        evidence.append(EvidenceItem(value, tuple(spans)))
    return tuple(sorted(evidence, key=lambda item: (item.spans, item.value.evidence_type)))


def _same(text: str, earlier: _Mention, later: _Mention, asked: bool) -> bool:
    """Whether two mentions of one type are of the same item."""
    words = [text[mention.span.start : mention.span.end].lower() for mention in (earlier, later)]
    between = text[earlier.span.end : later.span.start]
    lead = between[-_LIST_GAP:]
    bare = later.kind == "documentary" and " " not in words[1]
    new = of_words("{NEW_ONE}").search(lead) or of_words("{OF_ITS_OWN}").match(text, later.span.end)
    again = asked or (bare and not new)
    single = earlier.kind in kinds_that_are("single")
    if later.sentence - earlier.sentence > 1 and not single and not again:
        return False
    if of_words("{ANOTHER}").search(lead) or of_words("{ANOTHER_WORD}").match(words[1]):
        return False
    nouns = [told.split()[-1].rstrip("s") for told in words]
    filmed = asked and all(of_words("{FILMED}").fullmatch(noun) for noun in nouns)
    if earlier.kind in kinds_that_are("distinct") and nouns[0] != nouns[1] and not filmed:
        listed = len(between) < _LIST_GAP and of_words("{LISTED}").search(between)
        return earlier.sentence == later.sentence and bool(listed)
    return asked or single or not of_words("{NEXT_POINT}").search(between)


def _mentions(text: str, sentences: list[Span]) -> list[_Mention]:
    """Every mention; where a sentence denies a circumstance, all its mentions up to a semicolon do."""
    chosen = triggers_for(text)
    mentions = [
        _Mention(span, index, kind, "absent" if absent else "full")
        for index, sentence in enumerate(sentences)
        for kind, span, absent in _named_in(text, sentence, chosen)
    ]
    parts = [(m.sentence, m.kind, text.count(";", 0, m.span.start)) for m in mentions]
    denied = {p for p, m in zip(parts, mentions, strict=True) if m.strength == "absent"}
    denied = {part for part in denied if part[1] in kinds_that_are("there or not")}
    return [
        replace(mention, strength="absent") if part in denied else mention
        for part, mention in zip(parts, mentions, strict=True)
    ]


def _named_in(
    text: str, sentence: Span, chosen: tuple[Trigger, ...]
) -> Iterator[tuple[str, Span, bool]]:
    """The kind and place of what a sentence names, and whether it is absent; documents last."""
    taken: list[Span] = []
    first = max(0, sentence.start - BEHIND)
    for row, place in triggered(chosen, text[first : sentence.end], sentence.start - first):
        kind, strength = row.evidence_type, row.strength
        span = Span(first + place.start, first + place.end)
        free = kind in kinds_that_are("beside") or not any(span.overlaps(other) for other in taken)
        if free and not _excepted(text, kind, sentence, span):
            if kind not in kinds_that_are("beside"):
                taken.append(span)
            absent = strength == "absent" if strength else is_absent(text, sentence, span)
            yield kind, span, absent
    documents = (("documentary", span, absent) for span, absent in document_spans(text, sentence))
    for kind, span, absent in chain(witness_spans(text, sentence), documents):
        free = not any(span.overlaps(other) for other in taken)
        if free and not _excepted(text, kind, sentence, span):
            if kind != "documentary":
                taken.append(span)
            yield kind, span, absent


def _excepted(text: str, kind: str, sentence: Span, span: Span) -> bool:
    return any(
        of_words(row.trigger).match(text, span.start, sentence.end)
        and of_words(row.before).search(text[sentence.start : span.start])
        and not of_words(row.unless).search(text[sentence.start : sentence.end])
        and of_words(row.text_has).search(text)
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
    for sort in dict.fromkeys(_sort(value) for value in values):
        rivals = [n for n, value in enumerate(values) if _sort(value) == sort]
        groups = [item.spans for item in items if _sort(item.value) == sort]
        if len(rivals) == 1:
            description = values[rivals[0]].description
            own = _own_mentions(text, sentences, description, groups)
            alike = any(share_of_words(description, _words_around(text, sentences, s)) for s in own)
            places[rivals[0]] += (
                own if alike else _sentence_like(text, sentences, description) or own
            )
            continue
        for span in (span for spans in groups for span in spans):
            words = _words_around(text, sentences, span)
            clause = words
            if sort[0] == "documentary":
                parts = [
                    c for s in sentences if s.overlaps(span) for c in parts_of_sentence(text, s)
                ]
                clause = _words_around(text, parts, span)
            best = max(
                rivals,
                key=lambda n: (
                    share_of_words(values[n].description, clause) > 0,
                    share_of_words(values[n].description, words),
                    -n,
                ),
            )
            places[best].append(span)
    for value, spans in zip(values, places, strict=True):
        if not spans:
            spans += _sentence_like(text, sentences, value.description)
    named = [s for v, p in zip(values, places, strict=True) for s in p if v.description]
    for value, spans in zip(values, places, strict=True):
        if value.evidence_type in ("documentary", CIRCUMSTANCE):
            spans[:] = dict.fromkeys(
                _own_clause(text, sentences, value.description, s, named) for s in spans
            )
    return [tuple(sorted(spans)) for spans in places]


def _own_clause(
    text: str, sentences: Sequence[Span], description: str, place: Span, named: Sequence[Span]
) -> Span:
    """Return the place of a document, or the clause of its sentence that shares its words instead."""
    sentence = next((s for s in sentences if s.overlaps(place)), place)
    clauses = parts_of_sentence(text, sentence)

    def share(part: Span) -> float:
        return share_of_words(description, telling_words(text[part.start : part.end]))

    best = max(clauses, key=share)
    others = (s for s in named if s != place and sentence.start <= s.start < sentence.end)
    wide = place == sentence and any(not s.overlaps(best) for s in others)
    shares = any(share(c) for c in clauses if c.overlaps(place))
    return best if share(best) and (wide or not shares) else place


_JOINT: Final = re.compile(r"[;,]\s+(?:and|but|while|whereas)\s+|;\s+")


def parts_of_sentence(text: str, sentence: Span) -> list[Span]:
    """The parts of a sentence that a semicolon or a comma with a conjunction divides, without its stop."""
    end = sentence.start + len(text[sentence.start : sentence.end].rstrip(" .;"))
    joints = [m.span() for m in _JOINT.finditer(text, sentence.start, end)]
    edges = [sentence.start, *(edge for joint in joints for edge in joint), end]
    return [Span(left, right) for left, right in zip(edges[::2], edges[1::2], strict=True)]


def _sort(value: EvidenceValue) -> tuple[str, bool]:
    """What is there and what is missing are never the same item."""
    return value.evidence_type, value.strength == "absent"


def _own_mentions(
    text: str, sentences: Sequence[Span], description: str, groups: Sequence[tuple[Span, ...]]
) -> list[Span]:
    """Return the mentions whose sentences share words with the one item of a type; else all."""
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
