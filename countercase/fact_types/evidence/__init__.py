"""Evidence: items of the kinds that courts weigh by rules of their own."""

from __future__ import annotations

from collections.abc import Sequence

from countercase.fact_types.base import FactType, numbered
from countercase.fact_types.evidence.edits import propose, reason, rule_for
from countercase.fact_types.evidence.recognise import evidence_items, locate_evidence
from countercase.fact_types.null_edits import synonym_edits
from countercase.facts.edits import Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import EvidenceValue, Fact, FactSheet, FactValue


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
        description = " ".join(value.description.split()).rstrip(" .;:,")
        shown = f": {description}" if description else ""
        return f"The evidence includes {rule_for(value).phrase}{weak}{shown}."

    edits = staticmethod(propose)
    reason = staticmethod(reason)

    def null_edits(self, sheet: FactSheet) -> list[Edit]:
        """Synonyms in place of the words that name the items."""
        facts = sheet.of_type(self.name)
        return [edit for fact in facts for edit in synonym_edits(sheet, fact, "evidence")]


def _prefix(value: EvidenceValue) -> str:
    return f"evidence:{value.evidence_type}"


FACT_TYPE = Evidence()
