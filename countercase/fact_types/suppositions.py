"""Write an edit as people read it: one sentence that begins with "Suppose".

What the law draws from the change follows a colon: `Suppose the marriage had lasted 8 years:
section 304B IPC would give way to section 306 IPC, only if she took her own life.`
"""

from __future__ import annotations

from collections.abc import Sequence

from countercase.fact_types.base import capital
from countercase.fact_types.catalogue import WhatIf, matter_of
from countercase.fact_types.consequences import consequences_of, row_behind
from countercase.facts.edits import Change, Edit
from countercase.facts.model import Fact, FactSheet, FactValue
from countercase.registry import FACT_TYPES


def suppose(
    sheet: FactSheet,
    change: Change,
    clause: str,
    rule: str,
    provision: str = "",
    reason: str = "",
    beside: Sequence[Change] = (),
) -> Edit:
    """Return the edit of a change, and of those beside it, with what the law draws from them.

    What is supposed is `clause`, by the row, line or rule of the name `rule`; the sentence `reason`
    has `{IPC-308}` for the name of that provision in the code of the day.
    """
    drawn = {change.fact_id: change, **{it.fact_id: it for it in beside}}
    for it in (change, *beside):
        drawn |= {
            own.fact_id: own for own in consequences_of(sheet, it) if own.fact_id not in drawn
        }
    following = tuple(it for it in drawn.values() if it is not change)
    told = "; ".join(dict.fromkeys(describe_change(sheet, it) for it in following))
    cited = change.original_value if change.fact_type == "Section" else ""
    why = capital(matter_of(sheet).name_law(reason, cited))
    return Edit(
        change.fact_id, change.fact_type, change.operation, change.before, change.after,
        provision, rule, f"Suppose {clause}{told and f': {told}'}.", why, following, follows=told,
    )  # fmt: skip


def suppose_added(sheet: FactSheet, row: WhatIf, kind: str, value: FactValue) -> Edit:
    """Return the edit that adds a fact of some kind to the case, by a row of the catalogue."""
    own = "added" if row.fact_type == "Section" else row.name.replace(" ", "_")
    change = Change(f"{row.fact_type.lower()}:{kind}:{own}", row.fact_type, "add", None, value)
    law = matter_of(sheet).on_the_day(row.provision)
    return suppose(sheet, change, row.suppose, row.name, law, row.reason)


def describe_change(sheet: FactSheet, change: Change) -> str:
    """Return what becomes of a fact as a clause, with its condition if it has any.

    `section 304B IPC would give way to section 306 IPC, only if she took her own life`
    """
    before, after = (
        None if value is None else Fact(change.fact_id, change.fact_type, value)
        for value in (change.before, change.after)
    )
    said = str(FACT_TYPES.get(change.fact_type).becomes(sheet, before, after))
    row = row_behind(change) if before and after else None
    return f"{said}, {row.only}" if row and row.only else said


def statements_of(sheet: FactSheet, edit: Edit) -> tuple[str, str]:
    """Return the statement of the edited fact before and after the edit; "" where it is not known."""
    if edit.fact_type not in FACT_TYPES:
        return "", edit.perturbed_value
    kind = FACT_TYPES.get(edit.fact_type)
    spans = next((fact.spans for fact in sheet.facts if fact.fact_id == edit.fact_id), ())
    before, after = (
        ""
        if value is None
        else kind.state(sheet, Fact(edit.fact_id, edit.fact_type, value, spans), template)
        for value, template in ((edit.before, 0), (edit.after, edit.template))
    )
    return before, after
