"""Sections: the provisions that a case cites."""

from __future__ import annotations

from collections.abc import Sequence

from countercase.fact_types.base import FactType
from countercase.fact_types.section.edits import propose, propose_nulls, reason
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactValue, SectionValue
from countercase.law.citations import find_citations
from countercase.law.provision_ids import citation
from countercase.law.provisions import describe
from countercase.text.spans import Span


class Section(FactType):
    """A provision, in normal form, with every citation of it."""

    name = "Section"
    heading = "provision"

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """Every provision that the text cites, by first citation."""
        spans: dict[str, list[Span]] = {}
        for cited in find_citations(narrative.text):
            spans.setdefault(cited.provision, []).append(cited.span)
        return [_fact(SectionValue(provision), places) for provision, places in spans.items()]

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """The stated provisions with their citations, in the order given."""
        cited = {fact.value: fact.spans for fact in self.recognise(narrative)}
        return [_fact(value, cited.get(value, ())) for value in values]

    def render(self, fact: Fact) -> str:
        """`The offence or provision in question is section 302 of the Indian Penal Code (...).`"""
        provision = str(fact.value)
        _, opening, title = describe(provision).partition(" (")
        name = citation(provision, "long")
        return f"The offence or provision in question is {name}{opening}{title}."

    def label(self, fact: Fact) -> str:
        """`section 302 IPC (punishment for murder)`."""
        return describe(str(fact.value))

    edits = staticmethod(propose)
    null_edits = staticmethod(propose_nulls)
    reason = staticmethod(reason)


def _fact(value: FactValue, spans: Sequence[Span]) -> Fact:
    return Fact(f"section:{value}", "Section", value, tuple(spans))


FACT_TYPE = Section()
