"""Render the templates in `reports/templates`: Markdown and HTML in which every value stays text.

Whatever a template inserts is made safe on the way: on one line, without control characters, and
with the characters escaped that Markdown or HTML would act on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from countercase.reports.text import code, figure, inline, legible, plain
from countercase.reports.wording import places, size_of_move
from countercase.text.dates import in_full


def render(template: str, **values: Any) -> str:
    """The text of a template: `report.md.j2`, `report.html.j2`, and those of `eval`."""
    return _environment(template.endswith(".md.j2")).get_template(template).render(values)


def templates(package: str, safe: Callable[[Any], Any]) -> Environment:
    """The templates of a package, in which every value is escaped and passes through `safe`."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        finalize=safe,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _places(value: float | None) -> Markup:
    """A number of places for people, with all its digits for programs."""
    if value is None:
        return Markup(places(value))
    return Markup('<data value="{}">{}</data>').format(repr(float(value)), places(value))


@cache
def _environment(markdown: bool) -> Environment:
    from countercase.reports.drawings import vector
    from countercase.reports.svg import svg

    def safe(value: Any) -> Any:
        if not isinstance(value, str) or isinstance(value, Markup):
            return value
        # Markdown has no escaping in jinja2, so what `inline` escapes is marked as finished.
        return Markup(inline(value)) if markdown else plain(value)

    environment = templates("countercase.reports", safe)
    environment.keep_trailing_newline = True
    environment.filters |= {
        "code": lambda text: Markup(code(text)),
        "drawing": lambda drawing: Markup(vector.svg(drawing)),
        "figure": figure,
        "in_full": in_full,
        # Blanks at either end stay, which `plain` would take away.
        "kept": lambda text: escape(legible(text)),
        "places": places if markdown else _places,
        "size_of_move": size_of_move,
        "svg": lambda plot, salt: Markup(svg(plot, salt)),
        "verbatim": lambda text: Markup(legible(text)),
    }
    return environment
