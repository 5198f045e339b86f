"""Render the templates in `reports/templates`: Markdown, HTML and SVG in which every value stays text.

Whatever a template inserts is made safe on the way: on one line, without control characters, and
with the characters escaped that Markdown or HTML would act on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from countercase import __version__
from countercase.explanation.model import Quote
from countercase.reports import wording
from countercase.reports.text import figure, inline, legible, plain
from countercase.text.dates import in_full


def render(template: str, **values: Any) -> str:
    """Return the text of a template: `report.md.j2`, `report.html.j2`, `tree.svg.j2` ..."""
    kind = template.removesuffix(".j2").rpartition(".")[2]
    return _environment(kind).get_template(template).render(values)


def templates(package: str, safe: Callable[[Any], Any]) -> Environment:
    """Return the templates of a package, in which every value is escaped and passes through `safe`."""
    environment = Environment(
        loader=PackageLoader(package), autoescape=True, finalize=safe, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {
        "floor_of": wording.floor_of,
        "in_full": in_full,
        "places": wording.places,
        "verdict": wording.verdict_word,
    }
    environment.globals |= {"version": __version__, "headings": wording.type_headings}
    return environment


def _places(value: float | None) -> Markup:
    """Return a number of places for people, with all its digits for programs."""
    if value is None:
        return Markup(wording.places(value))
    return Markup('<data value="{}">{}</data>').format(repr(float(value)), wording.places(value))


@cache
def _environment(kind: str) -> Environment:
    def safe(value: Any) -> Any:
        if kind == "svg" and isinstance(value, float):
            return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
        if not isinstance(value, str) or isinstance(value, Markup):
            return value
        if kind == "dot":
            return Markup(plain(value).replace("\\", "\\\\").replace('"', '\\"'))
        # Markdown has no escaping in jinja2, so what `inline` escapes is marked as finished.
        return Markup(inline(value)) if kind == "md" else plain(value)

    environment = templates("countercase.reports", safe)
    environment.keep_trailing_newline = True
    environment.filters |= {
        "figure": figure,
        # Blanks at either end stay, which `plain` would take away.
        "kept": lambda text: escape(legible(text)),
        "place": lambda quote: f"{Quote(**quote).place}; {quote['chunk_id']}",
        "where": lambda quote: Quote(**quote).place,
        "places": _places,
        "verdict_meanings": wording.verdict_meanings,
        "verbatim": lambda text: Markup(legible(text)),
        "words_of_places": wording.places,
    }
    return environment
