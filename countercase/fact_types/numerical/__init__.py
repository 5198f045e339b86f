"""Numbers with a unit: amounts, ages, durations and quantities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from countercase.fact_types.base import FactType
from countercase.fact_types.numerical.edits import propose, propose_nulls, reason
from countercase.fact_types.numerical.recognise import as_facts, find_figures, locate, merge
from countercase.facts.edits import Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactValue, NumericalValue
from countercase.law.citations import find_citations
from countercase.text.numbers import format_amount, format_number
from countercase.text.units import in_words

_NAMES: Final = {
    "amount": "amount in question",
    "age": "age in question",
    "duration": "length of time",
    "quantity": "quantity in question",
}


class Numerical(FactType):
    """A number that the law may draw a line through."""

    name = "Numerical"
    heading = "number"

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """All numbers outside the provisions cited, by kind and then by first mention."""
        return as_facts(merge(find_figures(narrative.text, narrative.spans_of("Section"))))

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """The stated numbers with their mentions, in the order given."""
        stated = [value for value in values if isinstance(value, NumericalValue)]
        cited = [cited.span for cited in find_citations(narrative.text)]
        return as_facts(locate(narrative.text, stated, cited))

    def render(self, fact: Fact) -> str:
        """`The quantity in question is 1.25 kilograms (charas).`"""
        assert isinstance(fact.value, NumericalValue)
        return f"The {_NAMES[fact.value.kind]} is {figure_label(fact.value)}."

    def label(self, fact: Fact) -> str:
        """`16 years (victim)`."""
        assert isinstance(fact.value, NumericalValue)
        return figure_label(fact.value)

    def edit_label(self, edit: Edit) -> str:
        """`300 grams → 225 grams (heroin)`."""
        new = edit.new_value
        if edit.null or not edit.original_value or not isinstance(new, NumericalValue):
            return super().edit_label(edit)
        number, unit = edit.original_value.split()[:2]
        old = replace(new, value=float(number), unit=unit)
        return f"{figure_phrase(old)} → {figure_label(new)}"

    edits = staticmethod(propose)
    null_edits = staticmethod(propose_nulls)
    reason = staticmethod(reason)


def figure_phrase(value: NumericalValue) -> str:
    """A number with its unit in words: `Rs. 5,00,000`, `16 years`, `1.25 kilograms`, `1 day`."""
    if value.kind == "amount":
        return format_amount(value.value)
    return f"{format_number(value.value)} {in_words(value.unit, value.value)}"


def figure_label(value: NumericalValue) -> str:
    """A number with its unit and what it measures: `16 years (victim)`."""
    context = " ".join(value.context.split())
    return figure_phrase(value) + (f" ({context})" if context else "")


FACT_TYPE = Numerical()
