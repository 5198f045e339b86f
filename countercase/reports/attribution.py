"""The attribution of a case as JSON and on the screen."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.markdown import Markdown

from countercase.counterfactual.analysis import Analysis
from countercase.explanation.labels import fact_label
from countercase.reports.rendering import render
from countercase.reports.text import rounded
from countercase.reports.wording import k_line
from countercase.session import CaseAttribution


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


def attribution_text(analysis: Analysis, parts: CaseAttribution) -> Markdown:
    """Return the same for people."""
    attribution, (before, shifts), panels, absent = parts
    labels = {fact.fact.fact_id: fact_label(fact.fact) for fact in analysis.facts}
    text = render(
        "attribution.md.j2",
        it=attribution,
        before=before,
        shifts={it.edit_id: f"{it.shift:+.2f}" for it in shifts if it.shift is not None},
        labels=labels,
        k_line=k_line(panels, labels),
        absent=absent,
        stages=dict.fromkeys([*absent.stages, *absent.last_stages]) if absent else {},
    )
    return Markdown(text, hyperlinks=False)
