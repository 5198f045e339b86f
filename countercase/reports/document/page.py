"""report.html and report.md: the report as one page that fetches nothing, and as Markdown."""

from __future__ import annotations

from typing import Final

from countercase.reports.document.content import Content
from countercase.reports.drawings.palette import drawing_css
from countercase.reports.rendering import render

MARKED: Final = 4
"""Fact types that have a colour and an underline of their own; all others share one more."""


def html_report(content: Content) -> str:
    """Return the report as HTML. It holds no time of day: same analysis, same text."""
    kinds = {
        fact.number: min(content.kinds[fact.data["fact_type"]], MARKED) for fact in content.facts
    }
    labels = {fact.number: fact.label for fact in content.facts}
    return render(
        "report.html.j2",
        c=content, css=drawing_css(), kind_of=kinds, most_kinds=MARKED, facts=content.facts,
        labels=labels,
    )  # fmt: skip


def markdown_report(content: Content) -> str:
    """Return the report as Markdown. It holds no time of day: same analysis, same text."""
    return render("report.md.j2", c=content)
