"""Take weight from an item of evidence, by one sentence after those that speak of it.

What takes weight from which kind of evidence is in `data/evidence_weaknesses.jsonl`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.consequences import in_the_code_of
from countercase.fact_types.evidence.removal import RUNS_ON, is_note
from countercase.fact_types.rewriting import (
    add_sentence,
    foreign_spans,
    sentences_around,
    touches_any,
)
from countercase.facts.area_of_law import area_of_law
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import EvidenceValue, Fact, FactSheet
from countercase.io import read_table
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span

_SEVERAL: Final = re.compile(
    r"(?i)\b(?:two|three|four|five|some) of the\b|\bPW[- ]?\d+ ?(?:&|and|,)"
    r"|\b(?:two|three|four|five|both|all|several|some|[2-9]|only) (?:\w+[ -]){0,2}"
    r"(?:witness|persons|men|wife|people|shopkeepers)|witnesses\b"
)
_OLD_CERTIFICATE: Final = "section 65B of the Evidence Act"
_NEW_CERTIFICATE: Final = "section 63(4) of the Bharatiya Sakshya Adhiniyam"
_PAPER: Final = (
    r"(?:certificates?|registers?|records?|letters?|receipts?|slips?|diary|journals?|ledgers?|minutes"
    r"|statements?|extracts?|notes?|bills?|deeds?|challans|cards?|pass ?book|maps?|lists?|memo|log ?book"
    r"|roll|sheets?|agreements?|declaration|cuttings?)"
)
_WHOLE: Final = 60
"""A mention longer than this is a sentence that states the item, not its name."""
_NAMED: Final = {
    "documentary": rf"(?:\b(?!(?:a|an|the|his|her|our|its|no|of|in|by|and|with|from|that"
    rf"|this|two|three|four|five|some|all|both)\b)[a-z-]+ )?\b{_PAPER}\b",
    "medical": r"(?:post[- ]?mortem|medical|injury) (?:report|certificate)|post[- ]?mortem"
    r"|ossification test"
    r"|medical examination",
    "electronic_record": r"(?:WhatsApp )?(?:messages?|chats?|voice notes?|emails?|video|footage"
    r"|recordings?|clip)"
    r"|voice recordings",
}
"""The words that name an item of each type, where a sentence is to name it again."""
_LONGEST_WAIT: Final = 3
"""Sentences that may go on from the item before what weakens it is said."""


@dataclass(frozen=True)
class Weakness:
    """What takes weight from one kind of evidence.

    `sentence` follows the sentences that speak of the item; `{noun}` in it is the item by its own
    name. It is not proposed where the narrative matches `unless` and so mentions or excludes it, nor
    where it does not match `needs`. `words` is a pattern of the item's name, `around` one that its
    own sentences must not match, `area` its area of law; `rule` names the provisions of the evidence
    rules that it goes with; any where empty. Where `negates` is given, `instead` takes the place of
    the words that match it (`with a certificate`).
    """

    evidence_type: str
    sentence: str
    provision: str
    reason: str
    unless: str = ""
    rule: tuple[str, ...] = ()
    words: str = ""
    needs: str = ""
    around: str = ""
    area: str = ""
    negates: str = ""
    instead: str = ""


def says(sheet: FactSheet, words: str) -> bool:
    """Whether the narrative matches a pattern."""
    return bool(re.search(words, sheet.narrative, re.IGNORECASE))


def weakened(sheet: FactSheet, fact: Fact, value: EvidenceValue, rule: str) -> Edit | None:
    """The item weakened by the first weakness that fits it; None where none does, nor in notes.

    Args:
        rule: the provision of the rule of proof that it counts by.
    """
    text = sheet.narrative
    if value.strength == "weakened" or is_note(text):
        return None
    around = sentences_around(text, fact.spans)
    stated = " ".join(text[s.start : s.end] for s in around)
    noun = _noun(text, fact, value)
    for row in read_table("fact_types/evidence_weaknesses", Weakness):
        if (
            row.evidence_type != value.evidence_type
            or (row.rule and rule not in row.rule)
            or row.area not in ("", area_of_law(sheet))
            or not says(sheet, row.needs)
            or (row.unless and says(sheet, row.unless))
            or (row.around and re.search(row.around, stated, re.IGNORECASE))
            or (row.words and not re.search(row.words, noun, re.IGNORECASE))
            or ("{noun}" in row.sentence and not noun)
        ):
            continue
        words = _negated(sheet, fact, row) if row.negates else _followed(sheet, fact, row, noun)
        if words is not None:
            sentence = _in_code(sheet, row.sentence).format(noun=noun)
            said = value.description.rstrip(". ")
            weaker = replace(
                value, strength="weakened", description=f"{said}. {sentence}" if said else sentence
            )
            return Edit(
                fact.fact_id, "Evidence", str(value), str(weaker), "evidence.weaken",
                row.provision, weaker, words,
            )  # fmt: skip
    return None


def _noun(text: str, fact: Fact, value: EvidenceValue) -> str:
    """The item by its own name (`salary certificate`); "" where it has none, or has several."""
    if value.evidence_type == "eyewitness":
        around = " ".join(text[s.start : s.end] for s in sentences_around(text, fact.spans))
        return "eyewitnesses" if _SEVERAL.search(around) else "eyewitness"
    named = _NAMED.get(value.evidence_type)
    if named is None:
        return ""
    written = [text[s.start : s.end] for s in fact.spans] or [value.description]
    found = [re.findall(rf"(?:{named})", words.split("'s ")[-1]) for words in written]
    names = list(dict.fromkeys(name.strip() for each in found for name in each[:1]))
    return names[0] if len(names) == 1 else ""


def _in_code(sheet: FactSheet, sentence: str) -> str:
    """The sentence in the words of the code under which the case is read."""
    new = in_the_code_of(sheet, "IEA-65B").startswith("BSA")
    return sentence.replace(_OLD_CERTIFICATE, _NEW_CERTIFICATE) if new else sentence


def reason_of_weakness(value: EvidenceValue) -> str:
    """Why what was done to an item takes weight from it; "" where no weakness says so."""
    said = value.description.replace(_NEW_CERTIFICATE, _OLD_CERTIFICATE)
    for row in read_table("fact_types/evidence_weaknesses", Weakness):
        sentence = re.escape(row.sentence).replace(r"\{noun\}", r"[\w' -]+")
        if row.evidence_type == value.evidence_type and re.search(rf"{sentence}\Z", said):
            return row.reason
    return ""


def _followed(
    sheet: FactSheet, fact: Fact, row: Weakness, noun: str
) -> tuple[Replacement, ...] | None:
    """The weakness as a sentence after the first that speaks of the item and those that go on.

    Empty where the narrative has no mention; None where sentences about others come between, and
    where a question or an abbreviation ends there.
    """
    text = sheet.narrative
    around = sentences_around(text, fact.spans)
    if not around:
        return ()
    own = next((s for s in around if noun in text[s.start : s.end]), around[0])
    end = own.end
    goes_on = GOES_ON if _OF_A_PERSON.search(row.sentence) else _GOES_ON_OF_THINGS
    listed = _NEXT_ITEM.search(text, max(fact.spans[0].end, own.start), end)
    if listed:
        end = listed.start()
    else:
        following = [Span(a, b) for a, b in sentence_spans(text) if a >= end]
        for sentence in following[:_LONGEST_WAIT]:
            words = text[sentence.start : sentence.end]
            if "\n\n" in text[end : sentence.start + 1] or not goes_on.match(words):
                break
            end = sentence.end
        else:
            if len(following) >= _LONGEST_WAIT:
                return None
    if text[:end].rstrip().endswith("?") or RUNS_ON.match(text, end):
        return None
    return (add_sentence(text, end, _in_code(sheet, row.sentence).format(noun=noun)),)


_NEXT_ITEM: Final = re.compile(r"(?<=\.)\s+(?=\([a-z]\)\s)")
_THING: Final = (
    r"(?i)\W*(?:(?:\w+,? ){0,7}?(?:it|they|its|them|their)\b|(?:this|that|these|those|such|both"
    r"|neither|nor|but"
    r"|and|so|yet|also|there is also)\b)"
)
GOES_ON: Final = re.compile(
    rf"{_THING}|\W*(?:\w+,? ){{0,7}}?(?:he|she|him|her|his)\b|[^.]{{0,60}}\b(?:also|too)\b"
)
"""Sentences that go on from the one before them, which no word of another person may part from it."""
_GOES_ON_OF_THINGS: Final = re.compile(_THING)
_OF_A_PERSON: Final = re.compile(r"person|doctor|witness|judge|expert|suspects|police")


def _negated(sheet: FactSheet, fact: Fact, row: Weakness) -> tuple[Replacement, ...] | None:
    """The words that the weakness negates, in the item's sentences or else the only ones."""
    text = sheet.narrative
    own = sentences_around(text, fact.spans)
    found = [Span(*m.span()) for m in re.finditer(row.negates, text)]
    found = [span for span in found if touches_any(span, own)] or found
    alone = sum(v.evidence_type == row.evidence_type for _, v in sheet.valued(EvidenceValue)) == 1
    if len(found) != 1 or not (alone or touches_any(found[0], own)):
        return None
    others = [
        s for s in foreign_spans(sheet, fact.fact_id) if text[s.start : s.end] != "certificate"
    ]
    if touches_any(found[0], others):
        return None
    return (Replacement(found[0].start, found[0].end, row.instead),)
