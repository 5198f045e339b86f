"""The attribution of a case as JSON and on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.attribution.attribute import Attribution
from countercase.counterfactual.outcomes import Balance
from countercase.counterfactual.why_not import WhyNot
from countercase.explanation.labels import fact_label
from countercase.reports.text import figure, plain, rounded
from countercase.reports.wording import k_line, places
from countercase.session import CaseAttribution

_PAIRS = 5


def attribution_document(analysis: Analysis, parts: CaseAttribution) -> dict[str, Any]:
    """Return everything that `countercase attribute` says, as plain JSON values."""
    attribution, (before, shifts), panels, absent = parts
    areas, sizes = ("deletion_area", "preservation_area"), ("value", "half_width", "alone")
    document: dict[str, Any] = rounded(
        {
            "case_id": analysis.sheet.case_id,
            "top_k": analysis.tree.settings.top_k,
            "whole": attribution.whole,
            "exact": attribution.exact,
            "shares": [
                {
                    "fact_id": share.edit.fact_id,
                    "fact_type": share.edit.fact_type,
                    "edit": share.edit.supposition,
                    **{name: getattr(share, name) for name in sizes},
                }
                for share in attribution.shares
            ],
            "interactions": [asdict(pair) for pair in attribution.interactions],
            "replaces_the_leader": attribution.leader and asdict(attribution.leader),
            "replaces_half": attribution.half and asdict(attribution.half),
            "curves": [
                asdict(curve) | {name: getattr(curve, name) for name in areas}
                for curve in attribution.curves
            ],
            "left_out": attribution.left_out,
            "outcomes": {
                "as_it_is": {**asdict(before), "leaning": before.leaning},
                "changes": [
                    {**asdict(shift), "leaning": shift.balance.leaning} for shift in shifts
                ],
            },
            "panel": [{**asdict(it), "depends_on_k": it.depends_on_k} for it in panels],
            "why_not": absent and asdict(absent),
        }
    )
    return document


def attribution_text(analysis: Analysis, parts: CaseAttribution) -> RenderableType:
    """Return the same for people."""
    attribution, (before, shifts), panels, absent = parts
    labels = {fact.fact.fact_id: fact_label(fact.fact) for fact in analysis.facts}
    by_edit = {shift.edit_id: shift for shift in shifts}

    def named(facts: Sequence[str]) -> str:
        return ", ".join(labels.get(fact, fact) for fact in facts)

    table = _table("share", "alone", "outcomes", "fact")
    for share in attribution.shares:
        shift = by_edit.get(share.edit.edit_id)
        table.add_row(
            f"{share.value:+.2f}" + (f" ±{share.half_width:.2f}" if share.half_width else ""),
            places(share.alone),
            "–" if shift is None or shift.shift is None else f"{shift.shift:+.2f}",
            plain(
                f"{labels.get(share.edit.fact_id, share.edit.fact_id)}: {share.edit.supposition}"
            ),
        )
    lines: list[RenderableType] = [
        Text(f"All facts changed together move the list by {places(attribution.whole)} places.",
             style="bold"),
        table,
        Text(_note(attribution, before), style="dim"),
    ]  # fmt: skip
    for what, smallest in (
        ("puts another decision first", attribution.leader),
        ("replaces half of the list", attribution.half),
    ):
        facts = "no set of these facts" if smallest is None else named(smallest.facts)
        lines.append(Text(plain(f"Fewest facts whose change {what}: {facts}.")))
    for pair in attribution.interactions[:_PAIRS]:
        if pair.value:
            how = "more" if pair.value > 0 else "less"
            text = f"{named(pair.facts)}: {abs(pair.value):.2f} {how} together than apart"
            lines.append(Text(plain(text)))
    lines.append(Text(plain(k_line(panels, labels))))
    lines += _curves(attribution)
    if absent is not None:
        lines += _absent(absent, named)
    return Group(*lines)


def _note(attribution: Attribution, before: Balance) -> str:
    counts = (
        f"{before.allowed} allowed, {before.partly_allowed} partly, {before.dismissed} dismissed"
    )
    how = "every set of facts was ranked" if attribution.exact else "sampled, with 95% intervals"
    return (
        f"share: Shapley value, {how}; shares add up to the whole. alone: mean rank displacement of "
        "this change by itself. outcomes: change of the balance of the precedents from -1, all "
        f"dismissed, to 1, all allowed (now {counts}; {before.other} neither): a count, no forecast."
    )


def _curves(attribution: Attribution) -> list[RenderableType]:
    table = _table("order", "deletion", "preservation")
    for curve in attribution.curves:
        areas = (curve.deletion_area, curve.preservation_area)
        table.add_row(curve.order, *(f"{area:.2f}" for area in areas))
    note = "Mean move while facts are changed in this order (more is better), and kept (less is)."
    return [table, Text(note, style="dim")] if attribution.curves else []


def _absent(absent: WhyNot, named: Any) -> list[RenderableType]:
    table = _table("stage", "rank", "last of the list")
    for name in dict.fromkeys([*absent.stages, *absent.last_stages]):
        own, last = absent.stages.get(name), absent.last_stages.get(name)
        table.add_row(name, *(figure(score.rank) if score else "–" for score in (own, last)))
    lines: list[RenderableType] = [
        Text(plain(f"Why not {absent.case_id}? The last of the list is {absent.last}."), "bold"),
        table,
    ]
    lines += [
        Text(plain(f"behind by {it.share:.2f} on {it.ranker}: {it.segment}"))
        for it in absent.behind
    ]
    brought = absent.brought_in
    facts = "no set of these facts" if brought is None else named(brought.facts)
    lines.append(Text(plain(f"Fewest facts whose change brings it in: {facts}.")))
    return lines


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in columns:
        left = column in ("fact", "order", "stage")
        table.add_column(column, justify="left" if left else "right", overflow="fold")
    return table
