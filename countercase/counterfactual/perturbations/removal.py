"""How the narrative stops stating an item of evidence.

The sentence goes where it states nothing else. Where another fact stands in it, only its own
clause goes, or the sentence turns negative: `no dying declaration`, `was not recovered`, and at
last `It is not in evidence that ...`. The words of other facts always stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from countercase.counterfactual.edits import Replacement
from countercase.counterfactual.perturbations.rewriting import (
    cut_sentence,
    foreign_spans,
    in_order,
    mentions,
    sentences_around,
    touches_any,
)
from countercase.facts.model import Fact, FactSheet, Span

_JOINT: Final = re.compile(r";\s+|,?\s+(?:and|but|while|whereas)\s+")
_NOT_VERBS: Final = (
    "aged|accused|deceased|alleged|hundred|need|indeed|injured|armed|retired|blood-stained"
)
_VERB: Final = (
    r"(?:was|were|is|are|had|has|have|did|does|saw|said|told|gave|went|came|made|took|found|fell|died"
    rf"|(?!(?:{_NOT_VERBS})\b)[a-z]+ed)\b"
)
_MAIN_CLAUSE: Final = re.compile(rf"(?:[\w'’./()-]+\s+){{0,8}}?{_VERB}")
"""A subject of up to eight words without a comma, if any, and a finite verb."""
_SUBJECT: Final = re.compile(
    r"(?:the|an?|his|her|their|its|he|she|it|they|there|this|that|no|some|two|three)\b|[A-Z]"
)
_DETERMINER: Final = re.compile(r"\b(?:the|an?|his|her|their|its|this|that)\s+\Z", re.IGNORECASE)
_NOUN_PHRASE: Final = re.compile(
    r"(?:[\w./-]+\s+){0,3}(?:declaration|confession|statement|report|examination|evidence|testimony|opinion"
    r"|recovery|seizure|parade|footage|recording|records?|certificate|deed|agreement|letter|receipt|register"
    r"|ledger|cheque|motive|enmity|eye-?witness(?:es)?|witness(?:es)?|autopsy|memo)\Z",
    re.IGNORECASE,
)
_PASSIVE: Final = re.compile(r"\b(was|were|been|is|are|being)\s+\Z", re.IGNORECASE)
_PARTICIPLE: Final = re.compile(r"[a-z]+(?:ed|en|un)\b|seen\b|found\b|made\b")
_LOWERED: Final = re.compile(
    r"(?:the|an?|he|she|it|they|his|her|their|its|this|that|these|those|there|in|on|at|during|after"
    r"|before|when|while|as|both|one|two|three|some|several|according|from|by)\b",
    re.IGNORECASE,
)
"""First words of a sentence that lose their capital inside one."""


def take_away(sheet: FactSheet, fact: Fact) -> tuple[Replacement, ...] | None:
    """The replacements after which the narrative no longer states `fact`.

    Empty where it has no mention; None where its mentions cannot be changed side by side.
    """
    others = foreign_spans(sheet, fact.fact_id)
    found: list[Replacement] = []
    for sentence in sentences_around(sheet.narrative, fact.spans):
        own = [span for span in mentions(fact) if span.overlaps(sentence)]
        found += _from_sentence(sheet.narrative, sentence, own, others)
    return in_order(found)


def _from_sentence(
    narrative: str, sentence: Span, own: Sequence[Span], others: Sequence[Span]
) -> list[Replacement]:
    if not touches_any(sentence, others):
        return [cut_sentence(narrative, sentence)]
    clause = _own_clause(narrative, sentence, own, others)
    if clause is not None:
        return [clause]
    negated = [_negated(narrative, span, others) for span in own]
    whole = [replacement for replacement in negated if replacement is not None]
    return whole if len(whole) == len(own) else [_not_in_evidence(narrative, sentence, others)]


def _own_clause(
    narrative: str, sentence: Span, own: Sequence[Span], others: Sequence[Span]
) -> Replacement | None:
    """Delete the main clause that holds all of `own` and none of `others`, if there is one."""
    end = sentence.end
    while end > sentence.start and narrative[end - 1] in ".!?\"'”’)":
        end -= 1
    joints = [(m.start(), m.end()) for m in _JOINT.finditer(narrative, sentence.start, end)]
    edges = [(sentence.start, sentence.start), *joints, (end, end)]
    clauses = [Span(left[1], right[0]) for left, right in pairwise(edges)]
    if not all(_MAIN_CLAUSE.match(narrative, c.start, c.end) for c in clauses):
        return None
    for index, clause in enumerate(clauses):
        holds_own = all(clause.start <= s.start and s.end <= clause.end for s in own)
        if not holds_own or len(clauses) == 1:
            continue
        if index > 0:
            cut = Span(edges[index][0], clause.end)
            return None if touches_any(cut, others) else Replacement(cut.start, cut.end, "")
        follower = clauses[1].start
        cut = Span(sentence.start, follower + 1)
        if touches_any(Span(cut.start, follower), others):
            return None
        if not _SUBJECT.match(narrative, follower):
            return None
        first = narrative[follower]
        if first.isupper():
            return Replacement(cut.start, follower, "")
        return None if touches_any(cut, others) else Replacement(cut.start, cut.end, first.upper())
    return None


def _negated(narrative: str, span: Span, others: Sequence[Span]) -> Replacement | None:
    words = narrative[span.start : span.end]
    if _NOUN_PHRASE.match(words):
        article = _DETERMINER.search(narrative, max(0, span.start - 8), span.start)
        inner = _DETERMINER.search(words.split(" ")[0] + " ")
        if article and not touches_any(Span(article.start(), span.start), others):
            no = "No " if article.group()[0].isupper() else "no "
            return Replacement(article.start(), span.start, no)
        if inner:
            no = "No" if words[0].isupper() else "no"
            return Replacement(span.start, span.start + len(words.split(" ")[0]), no)
        return None
    if _PASSIVE.search(narrative, max(0, span.start - 8), span.start) and _PARTICIPLE.match(words):
        return Replacement(span.start, span.start, "not ")
    return None


def _not_in_evidence(narrative: str, sentence: Span, others: Sequence[Span]) -> Replacement:
    opening = "It is not in evidence that "
    initial = Span(sentence.start, sentence.start + 1)
    if _LOWERED.match(narrative, sentence.start) and not touches_any(initial, others):
        return Replacement(initial.start, initial.end, opening + narrative[initial.start].lower())
    return Replacement(sentence.start, sentence.start, opening)
