"""Take weight from an item of evidence, by one sentence after those that speak of it.

What takes weight from which kind of evidence is in `data/evidence_weaknesses.jsonl`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.argued import ASKS
from countercase.fact_types.base import expanded
from countercase.fact_types.consequences import in_the_code_of
from countercase.fact_types.evidence.entries import Entry, entry_around
from countercase.fact_types.evidence.forum import has_accused, investigated, says, witnesses_heard
from countercase.fact_types.evidence.item_nouns import noun_of
from countercase.fact_types.evidence.removal import RUNS_ON
from countercase.fact_types.evidence.spoken_of import LEAVE
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

_OLD_CERTIFICATE: Final = "section 65B of the Evidence Act"
_NEW_CERTIFICATE: Final = "section 63(4) of the Bharatiya Sakshya Adhiniyam"
_LONGEST_WAIT: Final = 3
"""Sentences that may go on from the item before what weakens it is said."""


@dataclass(frozen=True)
class Weakness:
    """What takes weight from one kind of evidence.

    `sentence` follows the sentences that speak of the item; `{noun}` in it is the item by its own
    name. It is not proposed where the narrative matches `unless` and so mentions or excludes it, nor
    where it does not match `needs`. `words` is a pattern of the item's name, `around` one that its
    own sentences must not match, `elsewhere` one for the other sentences that name it, `area` its
    area of law; `rule` names the provisions of the evidence rules that it goes with; any where empty.
    Where `negates` is given, `instead` takes the place of the words that match it (`with a certificate`).
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
    elsewhere: str = ""
    area: str = ""
    negates: str = ""
    instead: str = ""


def weakened(sheet: FactSheet, fact: Fact, value: EvidenceValue, rule: str) -> Edit | None:
    """The item weakened by the first weakness that fits it; None where none does.

    Args:
        rule: the provision of the rule of proof that it counts by.
    """
    text = sheet.narrative
    if value.strength == "weakened":
        return None
    around = _stating(text, fact, value)
    if fact.spans and not around:
        return None
    stated = " ".join(text[s.start : s.end] for s in around)
    if LEAVE.search(stated) or _beyond_attack(text, value, around, stated):
        return None
    noun = noun_of(text, fact, value, stated)
    for row in read_table("fact_types/evidence_weaknesses", Weakness):
        if (
            row.evidence_type != value.evidence_type
            or (row.rule and rule not in row.rule)
            or row.area not in ("", area_of_law(sheet))
            or not says(sheet, expanded(row.needs))
            or (row.unless and says(sheet, expanded(row.unless)))
            or (row.around and re.search(expanded(row.around), stated, re.IGNORECASE))
            or (row.elsewhere and _named_again(text, noun, row.elsewhere))
            or (row.needs == _AT_TRIAL and _untried(sheet))
            or (_BY_POLICE.search(row.sentence) and not investigated(sheet))
            or ("the accused" in row.sentence and not has_accused(sheet))
            or (_BY_WITNESSES.search(row.sentence) and not witnesses_heard(sheet))
            or (row.words and not re.search(expanded(row.words), noun, re.IGNORECASE))
            or ("{noun}" in row.sentence and not noun)
        ):
            continue
        words = _negated(sheet, fact, row) if row.negates else _followed(sheet, fact, row, noun)
        if words is not None:
            sentence = _worded(sheet, row, noun)
            said = value.description.rstrip(". ")
            weaker = replace(
                value, strength="weakened", description=f"{said}. {sentence}" if said else sentence
            )
            return Edit(
                fact.fact_id, "Evidence", str(value), str(weaker), "evidence.weaken",
                row.provision, weaker, words,
            )  # fmt: skip
    return None


def _beyond_attack(text: str, value: EvidenceValue, around: tuple[Span, ...], stated: str) -> bool:
    """Whether the item is undisputed or out already, or its sentences speak of another witness."""
    labels = set(re.findall(r"\bPW[- ]?\d+\b", value.description))
    if around and any(x in text for x in labels) and not any(x in stated for x in labels):
        return True
    next_ = text[max((s.end for s in around), default=len(text)) :]
    return bool(_UNDISPUTED.search(stated) or _ALL_UNDISPUTED.match(next_))


_UNDISPUTED: Final = re.compile(rf"(?i){expanded('{UNDISPUTED}|{CONTENDED}|{DISBELIEVED}')}")
_ALL_UNDISPUTED: Final = re.compile(
    r"(?i)[^.]{0,60}\.?\s*(?:(?:(?:(?:all|much) (?:of )?)?(?:this|that|it) is |(?=(?:none|nothing) of ))"
    rf"{expanded('{UNDISPUTED}')}|(?:[\w']+,? ){{0,4}}(?:he|she|we|they) (?:do|does|did) not (?:now )?"
    r"(?:deny|dispute|contest|quarrel with) (?:it|this|that|them|those)\b)"
)
"""What is said of all that goes before (`None of this is contested`), a short sentence later at most."""
_AT_TRIAL: Final = "{AT_TRIAL}"
_BY_POLICE: Final = re.compile(r"\b(?:police(?! papers)|FIR|seiz\w+|recovery|suspects)\b")
_BY_WITNESSES: Final = re.compile(r"\b(?:examined|called to prove|in court)\b")


def _untried(sheet: FactSheet) -> bool:
    """Whether the matter stands before a trial, so that nobody was yet to be called or examined."""
    return says(sheet, expanded("{BEFORE_TRIAL}")) and not says(sheet, expanded("{TRIED}"))


def _named_again(text: str, noun: str, words: str) -> bool:
    """Whether a sentence with the last word of the item's name matches a pattern."""
    last = noun.rpartition(" ")[2] or noun
    return any(
        re.search(rf"(?i)\b{re.escape(last)}\b", text[a:b]) and re.search(words, text[a:b], re.I)
        for a, b in sentence_spans(text)
    )


def _worded(sheet: FactSheet, row: Weakness, noun: str) -> str:
    """The sentence with the item's name; a label (`PW4`) has no article."""
    sentence = _in_code(sheet, row.sentence)
    if noun.startswith("PW"):
        sentence = sentence.replace("The {noun}", "{noun}").replace("the {noun}", "{noun}")
    return sentence.format(noun=noun)


def _stating(text: str, fact: Fact, value: EvidenceValue) -> tuple[Span, ...]:
    """What states the item: its list entry, else its sentences, none that asks or argues.

    A pair last seen together may be told of in words of its own, and named only in what is asked.
    """
    entry = entry_around(text, fact.spans)
    if entry is not None and entry.line:
        return (entry.words,)
    around = sentences_around(text, fact.spans)
    stated = tuple(s for s in around if not ASKS.match(text, s.start))
    if not stated and value.evidence_type == "last_seen":
        sentences = (Span(a, b) for a, b in sentence_spans(text))
        return tuple(s for s in sentences if _SAW_TOGETHER.search(text, s.start, s.end))[:1]
    return stated


_SAW_TOGETHER: Final = re.compile(
    r"\b(?:saw|(?:was|were|had been) seen)\b[^.;]*\b(?:with|together)\b"
)


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
    value = fact.value
    assert isinstance(value, EvidenceValue)
    if not fact.spans:
        return ()
    entry = entry_around(text, fact.spans)
    if entry is not None and entry.line:
        return (_own_line(text, entry, _worded(sheet, row, noun)),)
    around = _stating(text, fact, value)
    own = next((s for s in around if noun in text[s.start : s.end]), around[0])
    end = _out_of_quotation(text, own.end)
    kind = value.evidence_type
    personal = kind in ("expert_opinion", *_WITNESSES) or (
        kind != "motive" and _OF_A_PERSON.search(row.sentence) is not None
    )
    goes_on = GOES_ON if personal else _GOES_ON_OF_THINGS
    if "{noun}" in row.sentence and goes_on is _GOES_ON_OF_THINGS and not noun.endswith("s"):
        goes_on = _GOES_ON_OF_SEVERAL
    named = _A_WOMAN if re.search(r"\bshe\b", row.sentence) else _ANYTHING
    if not named.search(text, own.start, end):
        return None
    inside = next((s.end for s in fact.spans if s.overlaps(own)), own.start)
    listed = _NEXT_ITEM.search(text, inside, end)
    if listed:
        end = listed.start()
    else:
        following = [Span(a, b) for a, b in sentence_spans(text) if a >= end]
        for sentence in following[:_LONGEST_WAIT]:
            words = text[sentence.start : sentence.end]
            on = goes_on.match(words) and named.search(words)
            if "\n\n" in text[end : sentence.start + 1] or not on:
                break
            if kind in _WITNESSES and _of_another_item(sheet, fact, sentence):
                return None
            end = sentence.end
        else:
            if len(following) >= _LONGEST_WAIT:
                return None
    if text[:end].rstrip().endswith("?") or RUNS_ON.match(text, end):
        return None
    return (add_sentence(text, end, _worded(sheet, row, noun)),)


_WITNESSES: Final = ("eyewitness", "related_witness", "last_seen")
_THINGS: Final = ("documentary", "electronic_record", "medical", "forensic", "expert_opinion")


def _of_another_item(sheet: FactSheet, fact: Fact, sentence: Span) -> bool:
    """Whether a sentence that goes on from a witness speaks of a paper or a record."""
    items = (f for f, v in sheet.valued(EvidenceValue) if v.evidence_type in _THINGS)
    return any(touches_any(sentence, f.spans) for f in items if f is not fact)


_A_WOMAN: Final = re.compile(
    r"(?i)\b(?:she|her|girl|woman|wife|daughter\S*|mother|sister|widow|victim\S*|prosecutrix|complainant|child"
    r"|survivor|witness|PW[- ]?\d+)\b"
)
"""Whom `she` in a weakness may mean, in the sentence before it."""
_ANYTHING: Final = re.compile("")


def _out_of_quotation(text: str, end: int) -> int:
    """The end of the sentence with which the quotation ends that is open at `end`."""
    start = text.rfind("\n\n", 0, end) + 1
    if text.count('"', start, end) % 2 == 0:
        return end
    closed = text.find('"', end)
    return next((b for a, b in sentence_spans(text) if closed >= 0 and b > closed), end)


def _own_line(text: str, entry: Entry, sentence: str) -> Replacement:
    """The sentence after a line of a list: a bullet of its own, or at the end of a numbered line."""
    end = entry.words.end
    if entry.line.strip()[:1] not in "-*•–":
        return add_sentence(text, end, sentence)
    words = text[entry.words.start : end].rstrip()
    if not words.endswith("."):
        sentence = sentence.rstrip(".")
    if words[:1].islower() and not re.match(r"[A-Z]{2}", sentence):
        sentence = sentence[:1].lower() + sentence[1:]
    return Replacement(end, end, f"\n{entry.line}{sentence}")


_NEXT_ITEM: Final = re.compile(r"(?<=\.)\s+(?=\([a-z]\)\s)")
_THING: Final = (
    r"(?i)(?![^.]*\b(?:convict|acquit|sentenc|discharg)\w+ (?:them|him|her)\b)"
    r"(?:\W*(?:(?:\w+,? ){0,7}?(?:it|they|its|them|their)\b|(?:this|that|these|those|such|both"
    r"|neither|nor|but"
    r"|and|so|yet|also|there is also)\b|[^.;]{0,60}\bthat last\b)"
)
GOES_ON: Final = re.compile(
    rf"{_THING}|\W*(?:\w+,? ){{0,7}}?(?:he|she|him|her|his)\b|[^.]{{0,60}}\b(?:also|too)\b)"
)
"""Sentences that go on from the one before them, which no word of another person may part from it."""
_GOES_ON_OF_THINGS: Final = re.compile(rf"{_THING})")
_GOES_ON_OF_SEVERAL: Final = re.compile(
    r"(?i)\W*(?:(?:\w+,? ){0,7}?(?:they|them|their)\b|(?:this|that|these|those|such|both|neither|nor"
    r"|but|and|so|yet|also|however|there is also)\b)"
)
"""Those that no word about one thing, named in full, may part from it; `it` still means that thing."""
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
