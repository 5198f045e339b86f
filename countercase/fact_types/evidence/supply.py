"""Supply evidence that is missing: `FSL report awaited` becomes `FSL report received`.

Only a clause is changed that says nothing but that the item is missing, be it a sentence, a main
clause or a list entry: what stands beside it in a longer one (`no independent witness, both are
policemen`) would contradict it. A certificate is the exception: `and no certificate` reads `with a
certificate`.
The rewritings are in `data/evidence_supplies.jsonl`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.evidence.entries import entry_around
from countercase.fact_types.evidence.item_nouns import PAPER
from countercase.fact_types.evidence.kin import KIN
from countercase.fact_types.evidence.recognise import evidence_items
from countercase.fact_types.rewriting import (
    foreign_spans,
    sentences_around,
    touches_any,
    with_article,
)
from countercase.facts.edits import Edit, Replacement, apply_edits
from countercase.facts.model import EvidenceValue, Fact, FactSheet
from countercase.io import read_table
from countercase.text.clauses import main_clauses
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span, one_line

SUPPLIED: Final = frozenset({
    "search_safeguard", "electronic_certificate", "sanction", "forensic", "medical", "arrest_grounds",
    "test_identification", "eyewitness", "documentary", "recovery", "expert_opinion",
})  # fmt: skip
"""Types of which a missing item can simply be there."""

_SEVERAL_CLAUSES: Final = re.compile(
    r"(?i)[,;:?!()=–—>]|\s-+\s|\s[&+]\s|->"
    r"|\b(?:and|but|or|nor|so|hence|thus|though|because|since|as|which|who|that|only|except|save|till|now"
    r"|until|unless|despite|except|he|she|they|we|I|nobody|none|never|neither|nothing|zero|ever|doubt)\b"
)
_PAPER: Final = re.compile(
    rf"(?i)\b(?:{PAPER}|notices?|orders?|contracts?|polic(?:y|ies)|licen[cs]es?|permits?|reports?)\b"
)
"""What a document must be called to be there in place of not: `no waiver` is none."""
_RELIED_ON: Final = re.compile(
    r"(?i)non-?complian|violat|vitiat|\bbreach|for want of|in (?:the )?absence of|defective|lapse"
    r"|benefit of doubt|without (?:proof|evidence)|\bacquitted (?:\w+,? )?because\b"
)


_GROUNDS: Final = re.compile(
    r"(?i)(?:our |my |the )?(?:grounds?|points?|submissions?|pleas?)\b[^.;]{0,30}:"
)
"""What is missing is argued in the list of one side: its presence would be no ground of his."""


@dataclass(frozen=True)
class Supply:
    """How a clause that says that evidence is missing says that it is there.

    Args:
        missing: pattern of the words that say so.
        there: the words in their place; a `{noun}` is the noun of the pattern with its article.
        beside: whether the clause may say other things too.
    """

    missing: str
    there: str
    beside: bool = False


def supplied(sheet: FactSheet, fact: Fact, value: EvidenceValue, provision: str) -> Edit | None:
    """The missing item made present; None where its sentence says more or has no rewriting.

    Nor where the narrative relies on its absence elsewhere, or another item of the type is missing.
    """
    text = sheet.narrative
    sentences = sentences_around(text, fact.spans)
    missing = [v for _, v in sheet.valued(EvidenceValue) if v.strength == "absent"]
    alone = sum(v.evidence_type == value.evidence_type for v in missing) == 1
    if value.evidence_type not in SUPPLIED or len(sentences) != 1 or not alone:
        return None
    sentence = _clause(text, fact, sentences[0])
    clause = text[sentence.start : sentence.end].rstrip(".! ")
    only_said = value.evidence_type != "electronic_certificate"
    if value.evidence_type == "documentary" and not _PAPER.search(clause):
        return None
    if _GROUNDS.match(text, sentences[0].start):
        return None
    if (only_said and _SEVERAL_CLAUSES.search(clause)) or _relied_on(text, value):
        return None
    others = foreign_spans(sheet, fact.fact_id)
    for row in read_table("fact_types/evidence_supplies", Supply):
        match = re.search(row.missing, clause)
        if match is None or (row.beside is False and _SEVERAL_CLAUSES.search(clause)):
            continue
        if not row.there and re.search(r"[;,]\s*\Z", text[: sentence.start + match.start()]):
            continue
        words = Span(sentence.start + match.start(), sentence.start + match.end())
        noun = match.groupdict().get("noun") or ""
        there = row.there.format(noun=with_article(noun)) if noun else row.there
        if match.start() == 0 and clause[:1].isupper():
            rest = there or clause[match.end() :]
            words = Span(words.start, words.end + (not there))
            there = rest[:1].upper() + (rest[1:] if there else "")
        if touches_any(words, others):
            return None
        after = clause[: match.start()] + there + text[words.end : sentence.start + len(clause)]
        new = replace(value, strength="full", description=one_line(after))
        edit = Edit(
            fact.fact_id, "Evidence", str(value), str(new), "evidence.supply", provision, new,
            (Replacement(words.start, words.end, there),),
        )  # fmt: skip
        return edit if _is_there(sheet, edit, value.evidence_type) else None
    return None


def _relied_on(text: str, value: EvidenceValue) -> bool:
    """Whether a sentence that speaks of such evidence relies on its absence."""
    kin = KIN.get(value.evidence_type, "")
    sentences = (text[a:b] for a, b in sentence_spans(text))
    return any(_RELIED_ON.search(s) and re.search(kin, s, re.IGNORECASE) for s in sentences)


_LAST_JOINT: Final = re.compile(r", (?:and|but) (?=(?:the|an?|his|her|its)\b)")


def _clause(text: str, fact: Fact, sentence: Span) -> Span:
    """The list entry or main clause that holds the item, where one does; else its sentence."""
    entry = entry_around(text, fact.spans)
    parts = [*([entry.words] if entry else []), *main_clauses(text, sentence)]
    joints = [m.end() for m in _LAST_JOINT.finditer(text, sentence.start, sentence.end)][-1:]
    parts[-1:] = [*(Span(at, sentence.end) for at in joints), *parts[-1:]]
    return next(
        (p for p in parts if all(p.start <= s.start and s.end <= p.end for s in fact.spans)),
        sentence,
    )


def _is_there(sheet: FactSheet, edit: Edit, evidence_type: str) -> bool:
    """Whether the narrative after the edit says of no item of the type that it is missing."""
    items = evidence_items(apply_edits(sheet, [edit]).narrative)
    kinds = {(item.value.evidence_type, item.value.strength) for item in items}
    return (evidence_type, "absent") not in kinds and (evidence_type, "full") in kinds
