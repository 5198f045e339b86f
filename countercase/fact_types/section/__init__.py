"""Sections: the provisions that a case cites."""

from __future__ import annotations

from collections.abc import Sequence

from countercase.fact_types.base import FactType
from countercase.fact_types.section import edits
from countercase.facts.edits import Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, SectionValue
from countercase.law.citations import find_citations
from countercase.law.provisions import citation, describe
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

    def edits(self, sheet: FactSheet) -> list[Edit]:
        """Each provision changed into each of its neighbours that is not cited already."""
        return edits.propose(sheet)

    def null_edits(self, sheet: FactSheet) -> list[Edit]:
        """Citations in another style, and provisions as the codes of 2023 number them."""
        return edits.propose_nulls(sheet)

    def reason(self, edit: Edit) -> str:
        """What decides between the two provisions."""
        return edits.reason(edit)


def _fact(value: FactValue, spans: Sequence[Span]) -> Fact:
    return Fact(f"section:{value}", "Section", value, tuple(spans))


FACT_TYPE = Section()
