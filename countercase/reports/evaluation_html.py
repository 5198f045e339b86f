"""The evaluation as one HTML page: no script, no file beside it, pictures as inline SVG."""

from __future__ import annotations

import html
import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from countercase.evaluation.report import Cell, Plot, Section, Table
from countercase.reports.text import plain

_STYLE: Final = """
body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;
color:#1a1a1a;background:#fff}
h1{font-size:1.6rem}h2{margin-top:2.5rem;border-bottom:2px solid #0b5394}
table{border-collapse:collapse;margin:1rem 0;font-size:.9rem;display:block;overflow-x:auto}
th,td{padding:.3rem .6rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}
.meets{color:#146c2e;font-weight:600}.below,.above{color:#a11212;font-weight:600}
figure{margin:1.5rem 0}figcaption{font-size:.9rem;color:#444}svg{max-width:100%;height:auto}
p.note{font-size:.9rem;color:#444}
"""


def html_report(sections: Sequence[Section], about: Mapping[str, Any]) -> str:
    """All sections as an HTML page, the verdicts first."""
    from countercase.reports.evaluation import measure_table

    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>CounterCase: evaluation</title><style>{_STYLE}</style></head><body>",
        "<h1>CounterCase: evaluation</h1><ul>",
        *(f"<li>{_safe(name)}: {_safe(str(value))}</li>" for name, value in about.items()),
        "</ul>",
    ]
    for section in sections:
        parts.append(f'<h2 id="{_safe(section.name)}">{_safe(section.title)}</h2>')
        parts.append(_table(measure_table(section.measures)))
        parts += [_figure(plot, f"{section.name}-{at}") for at, plot in enumerate(section.plots)]
        for table in section.tables:
            parts.append(f"<h3>{_safe(table.title)}</h3>{_table(table)}")
            if table.note:
                parts.append(f'<p class="note">{_safe(table.note)}</p>')
    return "\n".join([*parts, "</body></html>\n"])


def _safe(text: str) -> str:
    return html.escape(plain(text))


def _table(table: Table) -> str:
    head = "".join(f"<th>{_safe(column)}</th>" for column in table.columns)
    rows = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(cell: Cell) -> str:
    from countercase.reports.evaluation import figure

    text = _safe(figure(cell))
    if isinstance(cell, (int, float)):
        return f'<td class="n">{text}</td>'
    return f'<td class="{text}">{text}</td>' if text in ("meets", "below", "above") else (
        f"<td>{text}</td>"
    )  # fmt: skip


def _figure(plot: Plot, salt: str) -> str:
    caption = _safe(plot.title) + (f". {_safe(plot.note)}" if plot.note else "")
    return f"<figure>{svg(plot, salt)}<figcaption>{caption}</figcaption></figure>"


def svg(plot: Plot, salt: str) -> str:
    """A plot as an SVG element; the same plot and salt give the same bytes."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    style = {"svg.hashsalt": salt, "svg.fonttype": "none", "font.size": 9}
    with mpl.rc_context(style | {"text.parse_math": False}):
        canvas = Figure(figsize=(7.2, 3.8), layout="constrained")
        axes = canvas.add_subplot()
        _draw(axes, plot)
        axes.set_xlabel(plain(plot.x_title))
        axes.set_ylabel(plain(plot.y_title))
        axes.spines[["top", "right"]].set_visible(False)
        if len(plot.series) > 1:
            axes.legend(frameon=False)
        stream = io.StringIO()
        drawing: Any = FigureCanvasSVG(canvas)
        drawing.print_svg(stream, metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    return text[text.index("<svg") :].replace(
        "<svg ", f'<svg role="img" aria-label="{_safe(plot.title)}" ', 1
    )


def _draw(axes: Any, plot: Plot) -> None:
    width = 0.8 / max(1, len(plot.series))
    for at, series in enumerate(plot.series):
        name = plain(series.name)
        if plot.kind == "bars":
            places = [x + (at - (len(plot.series) - 1) / 2) * width for x in series.x]
            axes.bar(places, series.y, width=width, label=name)
            if series.low:
                below = [y - low for y, low in zip(series.y, series.low, strict=True)]
                above = [high - y for y, high in zip(series.y, series.high, strict=True)]
                axes.errorbar(
                    places, series.y, [below, above], fmt="none", ecolor="#333", capsize=2
                )
        elif plot.kind == "points":
            axes.scatter(series.x, series.y, s=14, alpha=0.7, label=name)
        else:
            axes.plot(series.x, series.y, label=name)
            if series.low:
                axes.fill_between(series.x, series.low, series.high, alpha=0.2)
    if plot.kind == "bars" and plot.labels:
        labels = [plain(label) for label in plot.labels]
        slanted = max(map(len, labels)) > 12
        axes.set_xticks(range(len(labels)), labels)
        axes.tick_params(axis="x", rotation=30 if slanted else 0)
