"""What a passage of a judgment has in common with the facts of a case, in words that are true.

Two texts are of one kind far more often than they speak of one thing: both have a witness, a fine, a
State. A reason is stated only for what makes the fact itself: its provision; a figure of the same
thing; evidence that its name alone tells apart (a dying declaration), or whose own words the
passage shares (`ossification`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final

from countercase.fact_types.base import telling_words
from countercase.fact_types.party.recognise import patterns
from countercase.facts.extraction import recognise
from countercase.facts.model import EvidenceValue, Fact, FactSheet, NumericalValue, PartyValue
from countercase.io import read_table
from countercase.law.provision_ids import widened
from countercase.law.provisions import describe, provision_name, same_law, successors
from countercase.registry import FACT_TYPES


def fact_label(fact: Fact) -> str:
    """Return a fact in a few words: `section 302 IPC (punishment for murder)`, `16 years (victim)`."""
    return str(FACT_TYPES.get(fact.fact_type).label(fact))


@lru_cache(maxsize=1024)
def facts_in(text: str, fact_type: str) -> tuple[Fact, ...]:
    """Return the facts of one type that a passage states; it is asked for many segments."""
    return tuple(it for it in recognise(text, types=(fact_type,)) if it.fact_type == fact_type)


def nearest_first(points: Iterable[str], sheet: FactSheet) -> tuple[str, ...]:
    """Order what a decision turned on: what cites a provision of the case, then by shared words."""
    told = telling_words(sheet.narrative)

    def nearness(point: str) -> tuple[bool, float]:
        words, cited = telling_words(point), facts_in(point, "Section")
        return bool(shared_facts(sheet.facts, cited)), len(words & told) / max(len(words), 1)

    return tuple(sorted(points, key=nearness, reverse=True))


def shared_facts(facts: Sequence[Fact], passage: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return those of `facts` that the facts of a passage are like: the same provision, evidence, kind."""
    alike = ((it, FACT_TYPES.get(it.fact_type).like) for it in facts)
    return tuple(
        fact
        for fact, like in alike
        if any(it.fact_type == fact.fact_type and like(fact, it) for it in passage)
    )


@cache
def _known(kind: str) -> dict[str, str]:
    """Return words that make two texts alike, or do not, with what a reason calls such evidence.

    Kinds: `plain` (in all judgments), `anywhere` (provisions of all sorts of matters), `evidence` (one
    thing by its name), `failed`, `beside` (of figures with only a kind in common) and `office`.
    """
    rows = read_table("law/likeness", dict)
    return {
        word: row.get("says", "") for row in rows if row["kind"] == kind for word in row["words"]
    }


@cache
def _stems(kind: str) -> frozenset[str]:
    return telling_words(" ".join(_known(kind)))


_PARTIES: Final = ("Minor", "Public servant", "Tenant", "Licensee", "Contractor")
"""Types of party that the law treats apart; that a State is a party is no likeness."""


def reasons_shared(facts: Sequence[Fact], segment: str, passage: str) -> tuple[str, ...]:
    """Say what `passage` speaks of that the facts of `segment` state as well, each in a few words."""
    types = dict.fromkeys(fact.fact_type for fact in facts)
    read = [fact for name in types for fact in facts_in(passage, name)]
    both = (telling_words(segment) & telling_words(passage)) - _stems("plain")
    shared = shared_facts(facts, read)
    provisions = _provisions([f for f in shared if f.fact_type == "Section"], read, both)
    others = (fact for fact in shared if fact.fact_type != "Section")
    words = provisions | {fact.fact_id: _in_words(fact, read, passage) for fact in others}
    return tuple(dict.fromkeys(filter(None, (words.get(fact.fact_id) for fact in shared))))


def _in_words(fact: Fact, read: Sequence[Fact], passage: str) -> str:
    value = fact.value
    if isinstance(value, EvidenceValue):
        return _evidence(value, read, passage)
    if isinstance(value, NumericalValue):
        return _figure(value, read)
    if isinstance(value, PartyValue):
        return _party(value.party_type, read, passage)
    return fact_label(fact)


def _provisions(
    shared: Sequence[Fact], read: Sequence[Fact], both: frozenset[str]
) -> dict[str, str]:
    """Return what the passage cites of the provisions of the case, by fact id; one law once.

    A provision of the case that the passage cites itself, or a part of it, goes before the one
    that replaced it.
    """
    cited = [fact for fact in read if fact.fact_type == "Section"]
    alone = not any(word.isalpha() for word in both)
    told = [fact for fact in shared if not (alone and str(fact.value) in _known("anywhere"))]
    words, taken = dict[str, str](), set[str]()
    pairs = [(str(f.value) in widened(str(other.value)), f, other) for f in told for other in cited]
    for itself, fact, other in sorted(pairs, key=lambda pair: not pair[0]):
        if itself:
            words[fact.fact_id] = fact_label(fact)
        elif fact.fact_id in words or other.fact_id in taken or not shared_facts([fact], [other]):
            continue
        else:
            words[fact.fact_id] = _cited_as(str(fact.value), str(other.value))
        taken.add(other.fact_id)
    return words


def _cited_as(own: str, cited: str) -> str:
    """Name a provision of the case by what the passage cites: `section 420 IPC, now section 318(4) BNS`."""
    if cited in widened(own):
        return describe(cited)
    later = [new for new in successors(cited) if own in widened(new) or new in widened(own)]
    old, new = (cited, later) if later else (own, list(successors(own)))
    same = any(same_law(old, name) for name in new)
    kept, changed = ("now", "replaced with changes by") if later else ("earlier", "which changed")
    return f"{provision_name(cited)}, {kept if same else changed} {provision_name(own)}"


def _party(kind: str, read: Sequence[Fact], passage: str) -> str:
    """Name a type of party where the passage itself names one by its noun."""
    if kind not in _PARTIES:
        return ""
    noun = re.compile(rf"(?i)(?:{patterns('text')[kind]})")
    office = _stems("office") if kind == "Public servant" else frozenset()
    named = [
        passage[span.start : span.end]
        for other in read
        if isinstance(other.value, PartyValue) and other.value.party_type == kind
        for span in other.spans
    ]
    told = any(noun.fullmatch(words) or telling_words(words) & office for words in named)
    return f"a {kind.lower()}" if told else ""


def _evidence(value: EvidenceValue, read: Sequence[Fact], passage: str) -> str:
    failed = value.strength != "full" or _has_failed(value.description)
    kind = _known("evidence").get(value.evidence_type)
    own = telling_words(value.description) - _stems("plain")
    for other in read:
        item = other.value
        if not isinstance(item, EvidenceValue) or item.evidence_type != value.evidence_type:
            continue
        if failed and item.strength == "full" and not _has_failed(passage):
            continue
        if kind:
            return kind
        words = [_shared_words(passage[span.start : span.end], own) for span in other.spans]
        weak = failed and "weakened" in (item.strength, value.strength)
        if (weak or item.strength == value.strength) and any(words):
            return next(filter(None, words))
    return ""


def _has_failed(words: str) -> bool:
    return bool(telling_words(words) & _stems("failed"))


def _shared_words(named: str, own: frozenset[str]) -> str:
    """Return the longest run of words of `named` that are among `own`, as they stand: `school register`."""
    runs = [""]
    for word in re.findall(r"[A-Za-z]+", named.lower()):
        runs += [f"{runs.pop()} {word}".strip()] if word[:6] in own else [""]
    return max(runs, key=len)


def _figure(value: NumericalValue, read: Sequence[Fact]) -> str:
    """Say `the age of the prosecutrix`, or the figure itself where it is the same."""
    if value.kind == "count" or telling_words(value.context) & _stems("beside"):
        return ""
    what = " ".join(value.context.split())
    if str(value) in [str(it.value) for it in read if isinstance(it.value, NumericalValue)]:
        return f"{str(value).split(' (')[0]} ({what})" if value.kind != "amount" else ""
    names = {"age": "the age of the", "quantity": "a quantity of", "duration": "the time,"}
    return f"{names[value.kind]} {what}" if value.kind in names else ""
