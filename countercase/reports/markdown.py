"""report.md: what the template needs to know about an analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from countercase.reports.notes import cautions, meanings
from countercase.reports.outline import outline
from countercase.reports.rendering import render
from countercase.reports.wording import (
    VERDICTS,
    by_strength,
    disjoint,
    headline,
    label_of,
    places,
    size_of_move,
    type_headings,
    verdict_of,
    weight_of,
)

if TYPE_CHECKING:
    from countercase.session import Result

BAR: Final = 24
"""Characters of a full bar."""

MOST_CHANGES: Final = 8
"""Changes of a single fact that are told in full; analysis.json holds all."""


def markdown_report(result: Result) -> str:
    """The report as Markdown. It holds no time of day: same analysis, same text."""
    analysis, settings = result.analysis, result.settings
    single = [change for change in result.changes if change.source == "root"]
    moved = [change for change in single if change.mean_displacement > 0]
    nulls = [(null.edit.supposition, places(null.mean_displacement)) for null in analysis.nulls]
    verdicts = {fact.verdict for fact in analysis.facts}
    return render(
        "report.md.j2",
        analysis=analysis,
        headline=headline(analysis),
        facts=_facts(result),
        verdicts=[(word, meaning) for word, meaning in VERDICTS if word in verdicts],
        bars=_bars(result),
        full_bar=disjoint(settings.TOP_K),
        precedents=result.precedents,
        moved=sorted(moved, key=lambda change: -change.mean_displacement),
        most_changes=MOST_CHANGES,
        still=len(single) - len(moved),
        outline=outline(analysis.tree),
        nulls=nulls,
        cautions=cautions(result),
        meanings=meanings(result),
        settings=settings,
        manifest=result.manifest,
        models=result.models,
    )


def _facts(result: Result) -> list[dict[str, Any]]:
    headings = type_headings()
    return [
        {
            "label": label_of(result.analysis, fact),
            "heading": headings[fact.fact.fact_type],
            "sensitivity": places(fact.sensitivity),
            "edges": fact.edges,
            "noise": places(fact.floor if fact.sensitivity is not None else None),
            "verdict": verdict_of(fact),
            "supposition": fact.strongest.supposition if fact.strongest else "",
            "weight": weight_of(result.analysis, fact),
        }
        for fact in by_strength(result.analysis.facts)
    ]


def _bars(result: Result) -> list[str]:
    """One line for each fact type: its heading, a bar, its sensitivity."""
    headings = type_headings()
    width = max(map(len, headings.values()))
    lines = []
    for name, heading in headings.items():
        value = result.analysis.sensitivity.get(name)
        if value is None:
            lines.append(f"{heading:<{width}}  {'(not measured)':<{BAR}}      –")
        else:
            filled = round(BAR * min(value / disjoint(result.settings.TOP_K), 1.0))
            bar = "█" * filled + "·" * (BAR - filled)
            lines.append(f"{heading:<{width}}  {bar}  {value:5.2f}  {size_of_move(value)}")
    return lines
