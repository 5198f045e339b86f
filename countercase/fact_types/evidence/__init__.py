"""Evidence: items of the kinds that courts weigh by rules of their own.

Change the evidence: take an item away, weaken it, or add one that courts look for.

The rules of proof are in `data/evidence_rules.jsonl`, what takes weight from evidence in
`data/evidence_weaknesses.jsonl`; which kinds courts look for in which matter is in
`data/evidence_groups.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.base import FactType, numbered, pattern, telling_words
from countercase.fact_types.evidence.recognise import evidence_items, locate_evidence
from countercase.fact_types.evidence.removal import take_away
from countercase.fact_types.rewriting import (
    add_sentence,
    foreign_spans,
    mentions,
    sentences_around,
    synonym_edits,
)
from countercase.facts.area_of_law import cites
from countercase.facts.edits import Edit, Replacement
from countercase.facts.extraction import Narrative
from countercase.facts.model import EvidenceValue, Fact, FactSheet, FactValue
from countercase.io import read_table
from countercase.text.clauses import main_clauses
from countercase.text.spans import Span

ADDED_ITEMS: Final = 2
"""How many kinds of evidence that are not on the sheet are proposed as additions."""

_NOUN: Final = pattern("ITEM_NOUN")
"""Words that end in the name of the item; other words say what happened."""
_OF: Final = pattern("OF_PHRASE")


@dataclass(frozen=True)
class EvidenceRule:
    """Why one kind of evidence counts, and how a sentence names it (`a dying declaration`).

    A kind may have several rules, and the first that fits counts: `words` is a pattern of the item's
    description or of the sentences that state it, `cited` what the case must cite one of.
    """

    evidence_type: str
    provision: str
    reason: str
    phrase: str
    words: str = ""
    cited: tuple[str, ...] = ()


@dataclass(frozen=True)
class Weakness:
    """What takes weight from one kind of evidence.

    A narrative states it within its own sentence: `noun` follows a noun that names the item,
    `clause` ends a clause whose verb states it. `sentence` describes it on the sheet. It is not
    proposed where the narrative matches `unless` and so mentions or excludes it. `rule` names the
    provisions of the evidence rules that it goes with; any where empty.
    """

    evidence_type: str
    noun: str
    clause: str
    sentence: str
    provision: str
    reason: str
    unless: str = ""
    rule: tuple[str, ...] = ()


@dataclass(frozen=True)
class EvidenceGroup:
    """The evidence that courts look for where one of `cited` is cited (none: in any matter).

    Each addition is an evidence type, the sentence that states it, a provision, and perhaps a pattern
    that the narrative must match. `words` is one for the group.
    """

    group: str
    cited: tuple[str, ...]
    additions: tuple[tuple[str, ...], ...]
    words: str = ""


def propose(sheet: FactSheet) -> list[Edit]:
    """Take each item away, weaken each, add what is missing; the weightiest kind first.

    An item that is absent can be neither taken away nor weakened.
    """
    order = [rule.evidence_type for rule in read_table("fact_types/evidence_rules", EvidenceRule)]
    present = [item for item in sheet.valued(EvidenceValue) if item[1].strength != "absent"]
    items = sorted(present, key=lambda item: order.index(item[1].evidence_type))
    removed = (_removed(sheet, fact, value) for fact, value in items)
    weakened = (_weakened(sheet, fact, value) for fact, value in items)
    return [edit for edit in (*removed, *weakened) if edit is not None] + _added(sheet)


def reason(edit: Edit) -> str:
    """The rule of proof behind the edit; "" for an unknown kind of evidence."""
    if edit.rule == "evidence.weaken" and isinstance(edit.new_value, EvidenceValue):
        description = edit.new_value.description
        weaknesses = read_table("fact_types/evidence_weaknesses", Weakness)
        return next((w.reason for w in weaknesses if description.endswith(w.sentence)), "")
    kind = (edit.original_value or edit.perturbed_value).replace(" ", "_")
    rules = read_table("fact_types/evidence_rules", EvidenceRule)
    own = [rule for rule in rules if kind.startswith(rule.evidence_type)]
    exact = (rule for rule in own if rule.provision == edit.provision)
    return next((rule.reason for rule in (*exact, *own)), "")


def rule_for(value: EvidenceValue, sheet: FactSheet | None = None, words: str = "") -> EvidenceRule:
    """Why an item of evidence counts.

    Args:
        sheet: the case; without it no rule that needs a citation fits.
        words: what the narrative says of the item.
    """
    rules = read_table("fact_types/evidence_rules", EvidenceRule)
    stated = f"{value.description} {words}"
    return next(
        rule
        for rule in rules
        if rule.evidence_type == value.evidence_type
        and re.search(rule.words, stated, re.IGNORECASE)
        and (not rule.cited or (sheet is not None and cites(sheet, rule.cited)))
    )


def _rule_of(sheet: FactSheet, fact: Fact, value: EvidenceValue) -> EvidenceRule:
    sentences = sentences_around(sheet.narrative, fact.spans)
    return rule_for(value, sheet, " ".join(sheet.narrative[s.start : s.end] for s in sentences))


def _removed(sheet: FactSheet, fact: Fact, value: EvidenceValue) -> Edit | None:
    replacements = take_away(sheet, fact)
    if replacements is None:
        return None
    provision = _rule_of(sheet, fact, value).provision
    return Edit(
        fact.fact_id, "Evidence", str(value), "", "evidence.remove", provision, None, replacements
    )


def _weakened(sheet: FactSheet, fact: Fact, value: EvidenceValue) -> Edit | None:
    if value.strength == "weakened":
        return None
    rule = _rule_of(sheet, fact, value).provision
    fitting = (
        w
        for w in read_table("fact_types/evidence_weaknesses", Weakness)
        if w.evidence_type == value.evidence_type
        and (not w.rule or rule in w.rule)
        and not (w.unless and re.search(w.unless, sheet.narrative, re.IGNORECASE))
    )
    weakness = next(fitting, None)
    if weakness is None:
        return None
    stated = value.description.rstrip(". ")
    weaker = replace(
        value,
        strength="weakened",
        description=f"{stated}. {weakness.sentence}" if stated else weakness.sentence,
    )
    words = qualify(sheet, fact, weakness.noun, weakness.clause)
    old, new = str(value), str(weaker)
    return Edit(
        fact.fact_id, "Evidence", old, new, "evidence.weaken", weakness.provision, weaker, words
    )


def _added(sheet: FactSheet) -> list[Edit]:
    stated = {value.evidence_type for _, value in sheet.valued(EvidenceValue)}
    groups = read_table("fact_types/evidence_groups", EvidenceGroup)
    group = next(
        g for g in groups if (not g.cited or cites(sheet, g.cited)) and _says(sheet, g.words)
    )
    missing = [
        (kind, sentence, provision)
        for kind, sentence, provision, *needed in group.additions
        if kind not in stated and all(_says(sheet, words) for words in needed)
    ]
    return [_addition(sheet, *addition) for addition in missing[:ADDED_ITEMS]]


def _says(sheet: FactSheet, words: str) -> bool:
    return bool(re.search(words, sheet.narrative, re.IGNORECASE))


def _addition(sheet: FactSheet, evidence_type: str, sentence: str, provision: str) -> Edit:
    value = EvidenceValue(evidence_type, sentence)
    end = len(sheet.narrative.rstrip())
    words = (add_sentence(sheet.narrative, end, sentence),) if end else ()
    fact_id = f"evidence:{evidence_type}:added"
    return Edit(fact_id, "Evidence", "", str(value), "evidence.add", provision, value, words)


def qualify(sheet: FactSheet, fact: Fact, noun: str, clause: str) -> tuple[Replacement, ...]:
    """Put `noun` beside the noun that names the item, or `clause` at the end of its clause.

    `The dying declaration named him` becomes `The dying declaration, made without a doctor's
    certificate, named him`: the item's own sentence changes, and no other. A sentence of its own
    would be weighed by itself, and much the same in every case. The first noun counts, else the
    first mention. Empty where the narrative has no mention.
    """
    spans = mentions(fact)
    if not spans:
        return ()
    narrative = sheet.narrative
    others = foreign_spans(sheet, fact.fact_id)
    for span in spans:
        if _NOUN.match(narrative[span.start : span.end]):
            phrase = _OF.match(narrative, span.end)
            for end in (phrase.end(), span.end) if phrase else (span.end,):
                between = Span(span.end, end)
                if not any(o.overlaps(between) or o.start < end < o.end for o in others):
                    return (_beside(narrative, end, noun),)
    end = _clause_end(narrative, spans[0])
    end = max([end, *(other.end for other in others if other.start < end < other.end)])
    return (Replacement(end, end, f", {clause}"),)


def _beside(narrative: str, end: int, words: str) -> Replacement:
    following = narrative[end : end + 1]
    closing = "" if following in ("", ",", ".", ";", ":", ")", "!", "?") else ","
    return Replacement(end, end, f", {words}{closing}")


def _clause_end(narrative: str, span: Span) -> int:
    """The end of the main clause that holds the beginning of the mention."""
    sentence = sentences_around(narrative, [span])[0]
    clauses = main_clauses(narrative, sentence)
    return next((c.end for c in clauses if span.start < c.end), clauses[-1].end)


class Evidence(FactType):
    """One item of evidence: its type, what it shows, and whether it is weakened."""

    name = "Evidence"
    heading = "evidence"

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """The items of evidence, by first mention."""
        items = evidence_items(narrative.text)
        return numbered(
            self.name, [(_prefix(item.value), item.value, item.spans) for item in items]
        )

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """The stated items with the mentions that are theirs, in the order given."""
        stated = [value for value in values if isinstance(value, EvidenceValue)]
        places = locate_evidence(narrative.text, stated)
        facts = zip(stated, places, strict=True)
        return numbered(self.name, [(_prefix(value), value, spans) for value, spans in facts])

    def render(self, fact: Fact) -> str:
        """`The evidence includes a dying declaration: she named her brother-in-law.`"""
        value = fact.value
        assert isinstance(value, EvidenceValue)
        weak = ", which is of little weight" if value.strength == "weakened" else ""
        includes = "lacks" if value.strength == "absent" else "includes"
        description = " ".join(value.description.split()).rstrip(" .;:,")
        shown = f": {description}" if description else ""
        return f"The evidence {includes} {rule_for(value).phrase}{weak}{shown}."

    def like(self, fact: Fact, other: Fact) -> bool:
        """Whether both are evidence of one type; two documents must share a word as well."""
        own, read = fact.value, other.value
        assert isinstance(own, EvidenceValue)
        assert isinstance(read, EvidenceValue)
        if own.evidence_type != read.evidence_type:
            return False
        if own.evidence_type not in _OF_MANY_KINDS:
            return True
        return bool(telling_words(own.description) & telling_words(read.description))

    def features(self, fact: Fact) -> tuple[str, ...]:
        """`evidence:medical`, and `evidence:medical:absent` where it is missing."""
        value = fact.value
        assert isinstance(value, EvidenceValue)
        state = "" if value.strength == "full" else f":{value.strength}"
        return (f"evidence:{value.evidence_type}{state}",)

    edits = staticmethod(propose)
    reason = staticmethod(reason)

    def null_edits(self, sheet: FactSheet) -> list[Edit]:
        """Synonyms in place of the words that name the items."""
        return synonym_edits(sheet, self.name, "evidence")


_OF_MANY_KINDS: Final = ("documentary", "electronic_record", "expert_opinion")
"""Types so wide that two items of one need not be alike."""


def _prefix(value: EvidenceValue) -> str:
    return f"evidence:{value.evidence_type}"


FACT_TYPE = Evidence()
