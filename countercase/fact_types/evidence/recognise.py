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
from textwrap import shorten
from typing import Final, Literal

from countercase.fact_types.base import share_of_words, spans_of, telling_words
from countercase.fact_types.evidence import triggers
from countercase.fact_types.evidence.nouns import document_spans
from countercase.fact_types.evidence.polarity import is_absent
from countercase.fact_types.evidence.triggers import kinds_that_are, triggered
from countercase.facts.model import EvidenceValue
from countercase.io import read_table
from countercase.text.patterns import of_words
from countercase.text.plain_words import plain_text
from countercase.text.sentences import clause_around, sentence_spans
from countercase.text.spans import Span, one_line

CIRCUMSTANCE: Final = "circumstance"
"""The type of what is told in words of its own, read by the learnt reader."""
_DESCRIPTION_LIMIT: Final = 160
_BETWEEN: Final = re.compile(r"[;,:/+&]\s|\s(?:and|but)\s")
_MARKS: Final = " \n\t,;:+&/"
_PHRASE: Final = 4  # fewer words than these may lie between two nouns of one phrase
_LEAD: Final = 30  # characters before a mention in which it may be called another one
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


DOUBTFUL: Final = -0.5
"""The log-odds below which words name no evidence of their kind: `seal` and `saw` in another sense."""


@lru_cache(maxsize=64)
def evidence_items(text: str, learnt: bool = False) -> tuple[EvidenceItem, ...]:
    """Return the items of evidence of `text`, in order of their first mention.

    Mentions of one type in one sentence, or in sentences that follow each other, are one item; not
    so documents and other things that their nouns tell apart, or the points of a list. A question
    or an authority wanted speaks of what was told before it. Where `learnt`, the learnt reader
    leaves out mentions that name no evidence.
    """
    plain = plain_text(text)
    sentences = [Span(*span) for span in sentence_spans(plain.text)]
    groups: dict[tuple[str, str], list[list[_Mention]]] = {}
    mentions = sorted(_mentions(plain.text, sentences))
    if learnt:
        from countercase.facts.reader import log_odds

        read = ((m, plain.source(m.span), plain.source(sentences[m.sentence])) for m in mentions)
        odds = [(m, log_odds(f"mention.{m.kind}", text, [own], [near])) for m, own, near in read]
        mentions = [m for m, told in odds if told is None or told >= DOUBTFUL]
    for mention in mentions:
        items = groups.setdefault((mention.kind, mention.strength), [])
        sentence = sentences[mention.sentence]
        words = plain.text[sentence.start : sentence.end].rstrip()
        asked = words.endswith("?") or of_words("{ASKED}").match(words) is not None
        told = [i for (kind, _), own in groups.items() if kind == mention.kind for i in own]
        near = told if asked else reversed(items)
        same = next((i for i in near if any(_same(plain.text, m, mention, asked) for m in i)), None)
        if same is None:
            items.append(same := [])
        same.append(mention)
    evidence = []
    for item in (item for items in groups.values() for item in items):
        first = item[0]
        sentence, place = plain.source(sentences[first.sentence]), plain.source(first.span)
        others = [plain.source(m.span) for m in mentions if m.kind == first.kind and m not in item]
        own = _own_words(text, sentence, place, others)
        value = EvidenceValue(first.kind, describe(text, own, place), first.strength)
        found = first.strength == "full" and first.kind not in kinds_that_are("never pending")
        before = plain.text[max(0, first.span.start - _DESCRIPTION_LIMIT) : first.span.start]
        after = of_words("{DISCARDED}").match(plain.text, first.span.end)
        if found and (after or of_words("{DISBELIEVING}").search(before)):
            value = replace(value, strength="weakened")
        spans = dict.fromkeys(plain.source(mention.span) for mention in item)
        evidence.append(EvidenceItem(value, tuple(spans)))
    return tuple(sorted(evidence, key=lambda item: (item.spans, item.value.evidence_type)))


def _same(text: str, earlier: _Mention, later: _Mention, asked: bool) -> bool:
    words = [text[mention.span.start : mention.span.end].lower() for mention in (earlier, later)]
    between = text[earlier.span.end : later.span.start]
    lead = between[-_LEAD:]
    if of_words("{ANOTHER}").search(lead) or of_words("{ANOTHER_WORD}").match(words[1]):
        return False
    new = of_words("{NEW_ONE}").search(lead) or of_words("{OF_ITS_OWN}").match(text, later.span.end)
    again, single = asked, earlier.kind in kinds_that_are("single")
    if earlier.kind in kinds_that_are("distinct"):
        named = [[w.rstrip("s") for w in told.split() if not w.isdecimal()] for told in words]
        filmed = asked and all(of_words("{FILMED}").fullmatch(told.split()[-1]) for told in words)
        joined = len(gap := between.split(None, _PHRASE)) < _PHRASE and all(map(str.isalpha, gap))
        if filmed or (joined and "and" not in gap and earlier.kind in kinds_that_are("held")):
            return True  # `footage [from a shop] camera`
        fewer, more = sorted(map(set, named), key=len)
        if named[0][-1:] != named[1][-1:] or not fewer <= more:
            return False
        alike = words[0].endswith("s") == words[1].endswith("s") and not new
        again = asked or (alike and earlier.kind in kinds_that_are("of many kinds"))
    if later.sentence - earlier.sentence > 1 and not single and not again:
        return False
    return again or single or not of_words("{NEXT_POINT}").search(between)


def _own_words(text: str, sentence: Span, place: Span, others: Sequence[Span]) -> Span:
    """Return the part of a sentence on one item, cut at the last joint before the next one."""
    before = max((s.end for s in others if sentence.start <= s.start < place.start), default=-1)
    after = min((s.start for s in others if place.end <= s.start < sentence.end), default=-1)
    start, end = sentence.start, sentence.end
    if before >= 0:
        start = max([before, *(m.end() for m in _BETWEEN.finditer(text, before, place.start))])
    if after >= 0:
        end = max((m.start() for m in _BETWEEN.finditer(text, place.end, after)), default=end)
    left = text[start : place.start].lstrip(_MARKS)
    right = text[place.end : end].rstrip(_MARKS)
    return Span(place.start - len(left), place.end + len(right))


def _mentions(text: str, sentences: list[Span]) -> list[_Mention]:
    """Every mention; where a sentence denies a circumstance, all its mentions up to a semicolon do."""
    chosen = triggers.triggers_for(text)
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
    text: str, sentence: Span, chosen: tuple[triggers.Trigger, ...]
) -> Iterator[tuple[str, Span, bool]]:
    """The kind and place of what a sentence names, and whether it is absent; documents last."""
    taken: list[Span] = []
    first = max(0, sentence.start - triggers.BEHIND)
    for row, place in triggered(chosen, text[first : sentence.end], sentence.start - first):
        kind, strength = row.evidence_type, row.strength
        span = Span(first + place.start, first + place.end)
        beside = kind in kinds_that_are("beside")
        free = beside or not any(span.overlaps(other) for other in taken)
        if free and not _excepted(text, kind, sentence, span):
            if not beside:
                taken.append(span)
            absent = strength == "absent" if strength else is_absent(text, sentence, span)
            yield kind, span, absent
    for span, absent in document_spans(text, sentence):
        free = not any(span.overlaps(other) for other in taken)
        if free and not _excepted(text, "documentary", sentence, span):
            yield "documentary", span, absent


def _excepted(text: str, kind: str, sentence: Span, span: Span) -> bool:
    return any(
        of_words(row.trigger).match(text, span.start, sentence.end)
        and of_words(row.before).search(text[sentence.start : span.start])
        and not of_words(row.unless).search(text[sentence.start : sentence.end])
        and of_words(row.text_has).search(text)
        for row in read_table("fact_types/evidence_exceptions", triggers.Exempt)
        if row.evidence_type == kind
    )


def describe(text: str, sentence: Span, mention: Span) -> str:
    """Return the sentence around `mention`, its clause if that is long: at most 160 characters."""
    clause = clause_around(text, sentence, mention)
    for part in (sentence, clause):
        if len(words := one_line(text[part.start : part.end])) <= _DESCRIPTION_LIMIT:
            return words
    head = mention.start - _DESCRIPTION_LIMIT // 3
    start = text.find(" ", head) + 1 if head > clause.start else clause.start
    kept = shorten(text[start : clause.end], _DESCRIPTION_LIMIT, placeholder="")
    return (kept or words[:_DESCRIPTION_LIMIT]).rstrip(" ,;")


def locate_evidence(text: str, values: Sequence[EvidenceValue]) -> list[tuple[Span, ...]]:
    """The mentions of each item of evidence, in the order of `values`.

    Where several items of one type are stated, each mention goes to the item whose description
    names the mention, or else shares most words with its sentence. An item that is alone of its type
    takes the mentions whose sentences share most words with its description. An item without a
    mention takes the sentence that holds at least half of the words of its description.
    """
    sentences = [Span(*span) for span in sentence_spans(text)]
    places: list[list[Span]] = [[] for _ in values]
    items = evidence_items(text)
    for sort in dict.fromkeys(_sort(value) for value in values):
        rivals = [n for n, value in enumerate(values) if _sort(value) == sort]
        read = [span for item in items if _sort(item.value) == sort for span in item.spans]
        if len(rivals) == 1:
            told = values[rivals[0]].description
            shares = [share_of_words(told, _words_around(text, sentences, s)) for s in read]
            most = max(shares, default=0.0)
            near = [s for s, share in zip(read, shares, strict=True) if share >= most / 2 > 0]
            places[rivals[0]] += near or _sentence_like(text, sentences, told) or read
            continue
        for span in read:
            words, own = _words_around(text, sentences, span), text[span.start : span.end]
            best = max(
                rivals,
                key=lambda n: (
                    share_of_words(own, telling_words(values[n].description)),
                    share_of_words(values[n].description, words),
                    -n,
                ),
            )
            places[best].append(span)
    for value, spans in zip(values, places, strict=True):
        if value.evidence_type == CIRCUMSTANCE:
            spans[:] = spans_of(text, value.description)[:1] or spans
        if not spans:
            spans += _sentence_like(text, sentences, value.description)
    return [tuple(sorted(spans)) for spans in places]


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
