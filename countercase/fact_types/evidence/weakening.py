"""Take weight from an item of evidence, in its own sentence where that has room.

What takes weight from which kind of evidence is in `data/evidence_weaknesses.jsonl`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from countercase.fact_types.base import pattern
from countercase.fact_types.consequences import in_the_code_of
from countercase.fact_types.evidence.removal import RUNS_ON, is_note
from countercase.fact_types.rewriting import (
    add_sentence,
    foreign_spans,
    mentions,
    sentences_around,
    touches_any,
)
from countercase.facts.area_of_law import area_of_law
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import EvidenceValue, Fact, FactSheet
from countercase.io import read_table
from countercase.text.clauses import VERB, main_clauses
from countercase.text.spans import Span

_NOUN: Final = pattern("ITEM_NOUN")
"""Words that end in the name of the item; other words say what happened."""
_SEVERAL: Final = re.compile(
    r"(?i)\b(?:two|three|four|five|some) of the\b"
    r"|\b(?:two|three|four|five|both|all|several|some|[2-9]|only) (?:\w+[ -]){0,2}"
    r"(?:witness|persons|men|wife|people|shopkeepers)|witnesses\b"
)
_BY_SENTENCE: Final = ("IEA-67", "IEA-77")
"""Provisions of weaknesses that follow in a sentence of their own where no noun has room."""
_OLD_CERTIFICATE: Final = "section 65B of the Evidence Act"
_NEW_CERTIFICATE: Final = "section 63(4) of the Bharatiya Sakshya Adhiniyam"
_OF: Final = pattern("OF_PHRASE")


@dataclass(frozen=True)
class Weakness:
    """What takes weight from one kind of evidence.

    A narrative states it within its own sentence: `noun` follows a noun that names the item,
    `clause` ends a sentence of one clause whose verb states it. Elsewhere `sentence`, which also
    describes it on the sheet, follows. It is not proposed where the narrative matches `unless` and
    so mentions or excludes it, nor where it does not match `needs`. `words` is a pattern of the
    item's mentions, `area` its area of law; `rule` names the provisions of the evidence rules that
    it goes with; any where empty. One in `prose` has no place in notes. Where `negates` is given,
    `noun` takes the place of the words that match it (`with a certificate`).
    """

    evidence_type: str
    noun: str
    clause: str
    sentence: str
    provision: str
    reason: str
    unless: str = ""
    rule: tuple[str, ...] = ()
    words: str = ""
    needs: str = ""
    area: str = ""
    prose: bool = False
    negates: str = ""


def says(sheet: FactSheet, words: str) -> bool:
    """Whether the narrative matches a pattern."""
    return bool(re.search(words, sheet.narrative, re.IGNORECASE))


def weakened(sheet: FactSheet, fact: Fact, value: EvidenceValue, rule: str) -> Edit | None:
    """The item weakened by the first weakness that fits it; None where none does.

    Args:
        rule: the provision of the rule of proof that it counts by.
    """
    if value.strength == "weakened":
        return None
    written = [sheet.narrative[span.start : span.end] for span in fact.spans]
    stated_in = " ".join(written or [value.description])
    around = sentences_around(sheet.narrative, fact.spans)
    stated_around = " ".join(sheet.narrative[s.start : s.end] for s in around)
    fitting = (
        w
        for w in read_table("fact_types/evidence_weaknesses", Weakness)
        if w.evidence_type == value.evidence_type
        and (not w.rule or rule in w.rule)
        and w.area in ("", area_of_law(sheet))
        and not (w.prose and is_note(sheet.narrative))
        and says(sheet, w.needs)
        and not (w.unless and says(sheet, w.unless))
        and re.search(w.words, stated_in, re.IGNORECASE)
        and not ("this witness" in w.clause and _SEVERAL.search(stated_around))
    )
    worded = ((w, qualify(sheet, fact, w)) for w in map(partial(_in_code, sheet), fitting))
    weakness, words = next(((w, r) for w, r in worded if r is not None), (None, None))
    if weakness is None or words is None:
        return None
    stated = value.description.rstrip(". ")
    weaker = replace(
        value,
        strength="weakened",
        description=f"{stated}. {weakness.sentence}" if stated else weakness.sentence,
    )
    old, new = str(value), str(weaker)
    return Edit(
        fact.fact_id, "Evidence", old, new, "evidence.weaken", weakness.provision, weaker, words
    )


def _in_code(sheet: FactSheet, weakness: Weakness) -> Weakness:
    """The weakness in the words of the code under which the case is read."""
    if not in_the_code_of(sheet, "IEA-65B").startswith("BSA"):
        return weakness
    noun, clause, sentence = (
        words.replace(_OLD_CERTIFICATE, _NEW_CERTIFICATE)
        for words in (weakness.noun, weakness.clause, weakness.sentence)
    )
    return replace(weakness, noun=noun, clause=clause, sentence=sentence)


def reason_of_weakness(value: EvidenceValue) -> str:
    """Why what was done to an item takes weight from it; "" where no weakness says so."""
    description = value.description.replace(_NEW_CERTIFICATE, _OLD_CERTIFICATE)
    weaknesses = read_table("fact_types/evidence_weaknesses", Weakness)
    return next((w.reason for w in weaknesses if description.endswith(w.sentence)), "")


def qualify(sheet: FactSheet, fact: Fact, weakness: Weakness) -> tuple[Replacement, ...] | None:
    """Put the weakness beside the noun that names the item, or at the end of its sentence.

    `The dying declaration named him` becomes `The dying declaration, made without a doctor's
    certificate, named him`: the item's own sentence changes, and no other. The first noun that has
    room for it counts. A sentence that is one clause is qualified at its end; after any other one
    the weakness is a sentence of its own, since a clause there may speak of something else. Empty
    where the narrative has no mention; None where only a noun would do and has no room.
    """
    spans = mentions(fact)
    if not spans:
        return ()
    narrative = sheet.narrative
    others = foreign_spans(sheet, fact.fact_id)
    if weakness.negates:
        return _negated(sheet, fact, weakness)
    for span in spans:
        if _NOUN.match(narrative[span.start : span.end]):
            phrase = _OF.match(narrative, span.end)
            for end in (phrase.end(), span.end) if phrase else (span.end,):
                between = Span(span.end, end)
                if _ROOM.match(narrative, end) and not any(
                    o.overlaps(between) or o.start < end < o.end for o in others
                ):
                    return (_beside(narrative, end, weakness.noun),)
    if not (weakness.clause or weakness.provision in _BY_SENTENCE):
        return None
    sentence = sentences_around(narrative, spans)[0]
    if narrative[sentence.start : sentence.end].rstrip().endswith("?") or RUNS_ON.match(
        narrative, sentence.end
    ):
        return None
    [*_, last] = clauses = main_clauses(narrative, sentence)
    if (
        weakness.clause
        and len(clauses) == 1
        and not _PARTED.search(narrative, spans[0].end, last.end)
    ):
        return (Replacement(last.end, last.end, f", {weakness.clause}"),)
    if _NEXT_POINTS_BACK.match(narrative, sentence.end):
        return None
    return (add_sentence(narrative, sentence.end, weakness.sentence),)


def _negated(sheet: FactSheet, fact: Fact, weakness: Weakness) -> tuple[Replacement, ...] | None:
    """The words that the weakness negates, in the item's sentences or else the only ones."""
    text = sheet.narrative
    own = sentences_around(text, fact.spans)
    found = [Span(*m.span()) for m in re.finditer(weakness.negates, text)]
    found = [span for span in found if touches_any(span, own)] or found
    alone = (
        sum(v.evidence_type == weakness.evidence_type for _, v in sheet.valued(EvidenceValue)) == 1
    )
    if len(found) != 1 or not (alone or touches_any(found[0], own)):
        return None
    others = foreign_spans(sheet, fact.fact_id)
    if touches_any(found[0], others):
        return None
    return (Replacement(found[0].start, found[0].end, weakness.noun),)


_NEXT_POINTS_BACK: Final = re.compile(
    r"(?i)\s*(?:(?:and|but)\s+)?(?:neither|this|that|these|those)\b"
)
_ROOM: Final = re.compile(
    rf"(?=[,.;)])(?!\.\w)(?!,\s+(?:and|or|[\w ]{{1,30}}(?:,| and ))\s)"
    r"(?!,\s+(?:the|an?|one|of|which|who|whom|whose|his|her|their|our|in|from|with)\s)"
    rf"|\s+(?:{VERB}|(?:is|are|was|were|has|had)\b)"
)
"""What may follow a noun that an apposition comes after: not the next item of a list."""
_PARTED: Final = re.compile(r"[,:;(–]|\s-\s|\b(?:and|but|that|which|who|so|though|because)\b")


def _beside(narrative: str, end: int, words: str) -> Replacement:
    following = narrative[end : end + 1]
    closing = "" if following in ("", ",", ".", ";", ":", ")", "!", "?") else ","
    return Replacement(end, end, f", {words}{closing}")
