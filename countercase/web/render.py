"""The pages: Jinja2 templates in `web/templates`, in which every value stays text."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment
from markupsafe import Markup

from countercase import __version__
from countercase.explanation.labels import fact_label
from countercase.explanation.model import Quote
from countercase.law.provisions import provision_name
from countercase.reports.drawings.facts import facts_drawing
from countercase.reports.rendering import templates
from countercase.reports.text import legible
from countercase.reports.wording import floor_of, places, type_headings
from countercase.text.dates import in_full

MEDIA_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "csv": "text/csv",
    "json": "application/json",
}
"""The media types of the files that are given to keep, by the ending of their names."""


def page(template: str, **values: Any) -> str:
    """Return the text of a template."""
    return _environment().get_template(template).render(values)


def html(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a template as the answer to a request."""
    return HTMLResponse(page(template, **values), status)


def attach(name: str, content: str | bytes) -> Response:
    """Return a file to be kept, its name in plain characters."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name[-99:])
    named = {"Content-Disposition": f'attachment; filename="{plain}"'}
    return Response(content, media_type=MEDIA_TYPES[name.rpartition(".")[2]], headers=named)


@cache
def _environment() -> Environment:
    def safe(value: Any) -> Any:
        return legible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = templates("countercase.web", safe)
    environment.filters |= {
        "fact_label": fact_label,
        "floor_of": floor_of,
        "in_full": in_full,
        "place": lambda quote: Quote(**quote).place,
        "places": places,
        "provision": provision_name,
    }
    environment.globals |= {
        "version": __version__,
        "headings": type_headings,
        "facts_drawing": facts_drawing,
        "svg": lambda drawing: Markup(drawing.svg),
    }
    return environment
