"""Write an edit as people read it: one sentence that begins with "Suppose".

What the law draws from the change follows a colon: `Suppose the marriage had lasted 8 years:
section 304B IPC would give way to section 306 IPC.`
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from countercase.fact_types.consequences import in_sheet_order
from countercase.facts.edits import Change, Edit
from countercase.facts.model import Fact, FactSheet, FactValue
from countercase.registry import FACT_TYPES
from countercase.text.spans import Span


def suppose(
    sheet: FactSheet,
    change: Change,
    clause: str,
    rule: str,
    provision: str,
    reason: str = "",
    consequences: Iterable[Change] = (),
    note: str = "",
) -> Edit:
    """Return the edit of a change with its supposition.

    Args:
        clause: what is supposed, after "Suppose".
        rule: the name of the row, line or rule behind it.
        consequences: what follows in law; what would change the edited fact again is left out.
    """
    following = tuple(c for c in in_sheet_order(sheet, consequences) if c.fact_id != change.fact_id)
    said = f"Suppose {clause}{_describe(sheet, following)}."
    return Edit(
        change.fact_id, change.fact_type, change.operation, change.before, change.after,
        provision, rule, said, reason, following, note=note,
    )  # fmt: skip


def _describe(sheet: FactSheet, consequences: Sequence[Change]) -> str:
    """What follows in law, after a colon; "" for nothing."""
    said = [words for change in consequences if (words := describe_change(sheet, change))]
    return f": {'; '.join(said)}" if said else ""


def describe_change(sheet: FactSheet, change: Change) -> str:
    """Return what becomes of a fact as a clause: `section 304B IPC no longer applies`."""
    before = None if change.before is None else _fact(change, change.before)
    after = None if change.after is None else _fact(change, change.after)
    clause: str = FACT_TYPES.get(change.fact_type).becomes(sheet, before, after)
    return clause


def _fact(change: Change, value: FactValue) -> Fact:
    return Fact(change.fact_id, change.fact_type, value)


def statements_of(sheet: FactSheet, edit: Edit) -> tuple[str, str]:
    """Return the statement of the edited fact as the case has it and as the edit makes it.

    Either is "" where the fact is not known.
    """
    if edit.fact_type not in FACT_TYPES:
        return "", edit.perturbed_value
    kind, spans = FACT_TYPES.get(edit.fact_type), _spans_of(sheet, edit.fact_id)
    before, after = (
        ""
        if value is None
        else kind.state(sheet, replace(_fact(edit, value), spans=spans), template)
        for value, template in ((edit.before, 0), (edit.after, edit.template))
    )
    return before, after


def _spans_of(sheet: FactSheet, fact_id: str) -> tuple[Span, ...]:
    return next((fact.spans for fact in sheet.facts if fact.fact_id == fact_id), ())
