"""What no figure can be, whatever the case."""

from __future__ import annotations

import re
from typing import Final

from countercase.counterfactual.perturbations.thresholds import convert
from countercase.facts.model import NumericalValue

_OLDEST: Final = 110
_IN_A_YEAR: Final = re.compile(r"(?:in|of) (?:the|a|one) year|twelve months", re.IGNORECASE)


def impossible(value: NumericalValue) -> str | None:
    """Why nothing can measure `value`, in a sentence; None where it can."""
    if value.kind == "age" and not 0 <= value.value <= _OLDEST:
        return (
            f"An age of {value.value:g} years could not be proved by any entry or opinion "
            "under sections 35 and 45 of the Evidence Act."
        )
    in_days = convert(value.value, value.unit, "days")
    if value.kind == "duration" and in_days and in_days > 366 and _IN_A_YEAR.search(value.context):
        return (
            f"A year, as section 3(66) of the General Clauses Act, 1897, reckons it, has no "
            f"{value.value:g} {value.unit}."
        )
    if value.kind != "age" and value.value <= 0:
        return (
            f"Something that measures {value.value:g} {value.unit} did not exist, and is no "
            "fact under section 3 of the Evidence Act."
        )
    return None
