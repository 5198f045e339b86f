"""Evidence: items of the kinds that courts weigh by rules of their own.

Change the evidence: take an item away, weaken it, or add one that courts look for.

The rules of proof are in `data/evidence_rules.jsonl`, what takes weight from evidence in
`data/evidence_weaknesses.jsonl`; which kinds courts look for in which matter is in
`data/evidence_groups.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from countercase.fact_types.argued import ASKS
from countercase.fact_types.base import FactType, numbered, telling_words
from countercase.fact_types.consequences import in_the_code_of
from countercase.fact_types.evidence.forum import has_accused, says
from countercase.fact_types.evidence.naming import evidence_label
from countercase.fact_types.evidence.recognise import evidence_items, locate_evidence
from countercase.fact_types.evidence.removal import take_away
from countercase.fact_types.evidence.spoken_of import standing
from countercase.fact_types.evidence.supply import supplied
from countercase.fact_types.evidence.weakening import GOES_ON, reason_of_weakness, weakened
from countercase.fact_types.lines import reading_date
from countercase.fact_types.rewriting import (
    add_sentence,
    sentences_around,
    synonym_edits,
    touches_any,
)
from countercase.facts.area_of_law import area_of_law, cites, provisions
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.extraction import Narrative
from countercase.facts.model import EvidenceValue, Fact, FactSheet, FactValue
from countercase.io import read_table
from countercase.law.in_force import in_force
from countercase.law.provisions import predecessors

ADDED_ITEMS: Final = 2
"""How many kinds of evidence that are not on the sheet are proposed as additions."""


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
class EvidenceGroup:
    """The evidence that courts look for where one of `cited` is cited (none: in any matter).

    Each addition is an evidence type, the sentence that states it, a provision, a pattern that the
    narrative must match and one that it must not; "" for none. `words` is one for the group to
    match, `area` its area of law.
    """

    group: str
    cited: tuple[str, ...]
    additions: tuple[tuple[str, str, str, str, str], ...]
    words: str = ""
    area: str = ""


def propose(sheet: FactSheet) -> list[Edit]:
    """Take each item away, weaken each, supply what is missing, add what courts look for.

    The weightiest kind comes first. An item that is absent can be neither taken away nor weakened.
    """
    order = [rule.evidence_type for rule in read_table("fact_types/evidence_rules", EvidenceRule)]
    present = [item for item in sheet.valued(EvidenceValue) if item[1].strength != "absent"]
    items = sorted(present, key=lambda item: order.index(item[1].evidence_type))
    removed = (_removed(sheet, fact, value) for fact, value in items)
    weaker = (
        weakened(sheet, fact, value, _rule_of(sheet, fact, value).provision)
        for fact, value in items
    )
    missing = (item for item in sheet.valued(EvidenceValue) if item[1].strength == "absent")
    there = (
        supplied(sheet, fact, value, _rule_of(sheet, fact, value).provision)
        for fact, value in missing
    )
    return [edit for edit in (*removed, *weaker, *there) if edit is not None] + _added(sheet)


def reason(edit: Edit) -> str:
    """The rule of proof behind the edit; "" for an unknown kind of evidence."""
    if edit.rule == "evidence.weaken" and isinstance(edit.new_value, EvidenceValue):
        return reason_of_weakness(edit.new_value)
    kind = (edit.original_value or edit.perturbed_value).replace(" ", "_")
    rules = read_table("fact_types/evidence_rules", EvidenceRule)
    own = [rule for rule in rules if kind.startswith(rule.evidence_type)]
    known = (edit.provision, *predecessors(edit.provision))
    exact = (rule for rule in own if rule.provision in known)
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
    edit = Edit(
        fact.fact_id, "Evidence", str(value), "", "evidence.remove", provision, None, replacements
    )
    return None if _stated_elsewhere(sheet, edit, fact, value.evidence_type) else edit


def _stated_elsewhere(sheet: FactSheet, edit: Edit, fact: Fact, evidence_type: str) -> bool:
    """Whether as much evidence of the type is read in the narrative after the edit as before.

    An item whose own words are not read as evidence of the type cannot tell.
    """
    read = [
        item
        for item in evidence_items(sheet.narrative)
        if item.value.evidence_type == evidence_type
    ]
    own = any(touches_any(span, fact.spans) for item in read for span in item.spans)
    if not edit.replacements or not own:
        return False
    before, after = (
        sum(
            item.value.evidence_type == evidence_type and item.value.strength != "absent"
            for item in evidence_items(text)
        )
        for text in (sheet.narrative, apply_edits(sheet, [edit]).narrative)
    )
    return 0 < before <= after


def _added(sheet: FactSheet) -> list[Edit]:
    stated = {value.evidence_type for _, value in sheet.valued(EvidenceValue)}
    groups = read_table("fact_types/evidence_groups", EvidenceGroup)
    group = next(
        g
        for g in groups
        if (not g.cited or cites(sheet, g.cited))
        and g.area in ("", area_of_law(sheet))
        and says(sheet, g.words)
    )
    missing = [
        (kind, sentence, provision)
        for kind, sentence, provision, needs, unless in group.additions
        if kind not in stated and says(sheet, needs) and not (unless and says(sheet, unless))
        if "accused" not in sentence or has_accused(sheet)
        if in_force(in_the_code_of(sheet, provision), reading_date(sheet), provisions(sheet))
    ]
    return [_addition(sheet, *addition) for addition in missing[:ADDED_ITEMS]]


def _addition(sheet: FactSheet, evidence_type: str, sentence: str, provision: str) -> Edit:
    value = EvidenceValue(evidence_type, sentence)
    end = len(sheet.narrative.rstrip())
    if items := [s for f in sheet.of_type("Evidence") for s in f.spans]:
        told = [
            place.end
            for place in sentences_around(sheet.narrative, items)
            if not ASKS.match(sheet.narrative, place.start)
        ]
        last = max(told, default=end)
        end = last if not GOES_ON.match(sheet.narrative, last) else end
    words = (add_sentence(sheet.narrative, end, sentence),) if end else ()
    fact_id = f"evidence:{evidence_type}:added"
    return Edit(fact_id, "Evidence", "", str(value), "evidence.add", provision, value, words)


class Evidence(FactType):
    """One item of evidence: its type, what it shows, and whether it is weakened."""

    name = "Evidence"
    heading = "evidence"
    after = ()

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

    def label(self, fact: Fact) -> str:
        """`PMR says one incised wound on neck`, `khurpi`, `motive: enmity over a ridge`."""
        assert isinstance(fact.value, EvidenceValue)
        return evidence_label(fact.value)

    def change_label(self, edit: Edit, fact: Fact | None) -> str:
        """`khurpi taken away`, `dying declaration recorded by the tehsildar weakened`."""
        new = edit.new_value
        if edit.null:
            return self.edit_label(edit)
        if fact is None:
            assert isinstance(new, EvidenceValue)
            return f"{evidence_label(new)} added"
        supplied_words = "supplied" if edit.rule == "evidence.supply" else "weakened"
        return f"{self.label(fact)} {'taken away' if new is None else supplied_words}"

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

    def features(self, fact: Fact, sheet: FactSheet | None = None) -> tuple[str, ...]:
        """`evidence:medical`, and `evidence:medical:absent` where it is missing."""
        value = fact.value
        assert isinstance(value, EvidenceValue)
        state = "" if value.strength == "full" else f":{value.strength}"
        return (f"evidence:{value.evidence_type}{state}",)

    edits = staticmethod(propose)
    reason = staticmethod(reason)

    def objection(self, sheet: FactSheet, edit: Edit) -> str:
        """The words that speak of an item beside those that an edit takes away."""
        return standing(sheet, edit)

    def null_edits(self, sheet: FactSheet) -> list[Edit]:
        """Synonyms in place of the words that name the items."""
        return synonym_edits(sheet, self.name, "evidence")


_OF_MANY_KINDS: Final = ("documentary", "electronic_record", "expert_opinion")
"""Types so wide that two items of one need not be alike."""


def _prefix(value: EvidenceValue) -> str:
    return f"evidence:{value.evidence_type}"


FACT_TYPE = Evidence()
