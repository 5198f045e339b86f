"""Facts and edits in a lawyer's words."""

from __future__ import annotations

from dataclasses import replace

from countercase.facts.edits import Edit
from countercase.facts.model import Fact, NumericalValue, SectionValue
from countercase.facts.rendering import figure_phrase


def fact_label(fact: Fact) -> str:
    """A fact in a few words: `section 302 IPC (punishment for murder)`, `16 years (victim)`."""
    if isinstance(fact.value, SectionValue):
        from countercase.law.provisions import describe

        return describe(fact.value.provision)
    if isinstance(fact.value, NumericalValue):
        return _figure(fact.value)
    return str(fact.value)


def _figure(value: NumericalValue) -> str:
    return figure_phrase(value) + (f" ({value.context})" if value.context else "")


def edit_label(edit: Edit) -> str:
    """An edit in a few words: `IPC-302 → IPC-304-I`, `dying declaration taken away`.

    What the law draws from it is named after it: `300 grams → 225 grams (heroin), and with it
    NDPS-21(c) → NDPS-21(b)`.
    """
    drawn = [f"{each.original_value} → {each.perturbed_value}" for each in edit.consequences]
    return _own_label(edit) + (f", and with it {' and '.join(drawn)}" if drawn else "")


def _own_label(edit: Edit) -> str:
    new = edit.new_value
    if isinstance(new, NumericalValue) and edit.original_value and not edit.null:
        figure, unit = edit.original_value.split()[:2]
        old = replace(new, value=float(figure), unit=unit, context="")
        return f"{figure_phrase(old)} → {_figure(new)}"
    if not edit.original_value:
        return f"{edit.perturbed_value} added"
    if not edit.perturbed_value:
        return f"{edit.original_value} taken away"
    return f"{edit.original_value} → {edit.perturbed_value}"
