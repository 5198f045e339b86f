"""Facts and edits in a lawyer's words."""

from __future__ import annotations

from countercase.counterfactual.edits import Edit
from countercase.facts.model import Fact, NumericalValue, SectionValue


def fact_label(fact: Fact) -> str:
    """A fact in a few words: `section 302 IPC (punishment for murder)`, `16 years (victim)`."""
    if isinstance(fact.value, SectionValue):
        from countercase.facts.provisions import describe

        return describe(fact.value.provision)
    if isinstance(fact.value, NumericalValue):
        from countercase.facts.rendering import figure_phrase

        context = f" ({fact.value.context})" if fact.value.context else ""
        return figure_phrase(fact.value) + context
    return str(fact.value)


def edit_label(edit: Edit) -> str:
    """An edit in a few words: `IPC-302 → IPC-304-I`, `dying declaration taken away`."""
    if not edit.original_value:
        return f"{edit.perturbed_value} added"
    if not edit.perturbed_value:
        return f"{edit.original_value} taken away"
    return f"{edit.original_value} → {edit.perturbed_value}"
