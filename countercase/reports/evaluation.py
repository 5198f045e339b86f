"""Write what `countercase eval` measured: eval.json, eval.md, eval.html and TREC runs."""

from __future__ import annotations

import html
import io
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from countercase.corpus.index.snapshot import Manifest
from countercase.counterfactual.sensitivity import Criterion
from countercase.encoders.embedded.weights import are_embedded
from countercase.evaluation.report import Measure, Plot, Section, Table
from countercase.io import json_text, write_files
from countercase.reports.text import figure, plain, rounded
from countercase.reports.tree_files import run_text
from countercase.reports.wording import render, say
from countercase.session import Result


def write_evaluation(
    sections: Sequence[Section], about: Mapping[str, Any], out: Path
) -> list[Path]:
    """Write the sections into the folder `out`; returns the files, or raises as `write_files`.

    `about` says what was measured with: settings, models, corpus, sets. Nothing that changes from
    run to run belongs there, so that equal results are equal files.
    """
    texts = {it: evaluation_text(f"{it}.j2", sections, about) for it in ("eval.md", "eval.html")}
    runs = {
        f"{section.name}.{name}.trec": run_text(run, f"countercase-{name}")
        for section in sections
        for name, run in section.runs.items()
    }
    document = json_text(evaluation_document(sections, about))
    return write_files(out, {"eval.json": document} | texts | runs)


def evaluation_document(sections: Sequence[Section], about: Mapping[str, Any]) -> dict[str, Any]:
    """Return all sections as one JSON document."""
    return rounded({"about": dict(about), "sections": [it.to_dict() for it in sections]})


def evaluation_text(template: str, sections: Sequence[Section], about: Mapping[str, Any]) -> str:
    """Return all sections as Markdown (`eval.md.j2`) or one HTML page (`eval.html.j2`)."""
    shown = [(section, measure_table(section.measures)) for section in sections]
    return render(
        template, sections=shown, about={name: str(value) for name, value in about.items()},
        svg=lambda plot, salt: Markup(plot_svg(plot, salt)),
    )  # fmt: skip


def measure_table(measures: Sequence[Measure]) -> Table:
    """Return the measures as a table, with the verdict of each."""
    rows = []
    for it in measures:
        interval = "" if it.low is None else f"{figure(it.low)} to {figure(it.high)}"
        bound = "at most" if it.at_most else "at least"
        target = "" if it.target is None else f"{bound} {it.target:g}"
        rows.append((it.title, it.value, interval, it.n, target, it.verdict, it.note))
    columns = ("measure", "value", "95%", "n", "target", "verdict", "note")
    return Table("Measures", columns, tuple(rows))


def plot_svg(plot: Plot, salt: str) -> str:
    """Return a plot as an SVG element; the same plot and salt give the same bytes."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    style = {"svg.hashsalt": salt, "svg.fonttype": "none", "font.size": 9}
    with mpl.rc_context(style | {"text.parse_math": False}):
        canvas = Figure(figsize=(7.2, 3.8), layout="constrained")
        axes: Any = canvas.add_subplot()
        width = 0.8 / max(1, len(plot.series))
        for at, series in enumerate(plot.series):
            name = plain(series.name)
            if plot.kind == "bars":
                places = [x + (at - (len(plot.series) - 1) / 2) * width for x in series.x]
                axes.bar(places, series.y, width=width, label=name)
                if series.low:
                    below = [y - low for y, low in zip(series.y, series.low, strict=True)]
                    above = [high - y for y, high in zip(series.y, series.high, strict=True)]
                    ends = {"fmt": "none", "ecolor": "#333", "capsize": 2}
                    axes.errorbar(places, series.y, [below, above], **ends)
            else:
                axes.plot(series.x, series.y, label=name)
        if plot.kind == "bars" and plot.labels:
            labels = [plain(label) for label in plot.labels]
            axes.set_xticks(range(len(labels)), labels)
            axes.tick_params(axis="x", rotation=30 if max(map(len, labels)) > 12 else 0)
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
        "<svg ", f'<svg role="img" aria-label="{html.escape(plain(plot.title))}" ', 1
    )


VERDICT_RIGHT: Final = "counterfactual.verdict.right"
"""The measure of the evaluation whose figure stands beside the verdict."""


def record_accuracy(
    measure: Measure, settings: dict[str, Any], corpus: Manifest, folder: Path, criterion: Criterion
) -> Path:
    """Keep the measured share, with what it was measured with, or raise as `write_files`.

    That is `Settings.fingerprint`, the corpus, and what the verdicts rested on.
    """
    kept = {name: getattr(measure, name) for name in ("value", "low", "high", "n")}
    document = json_text({**kept, "settings": settings, "corpus": _name_corpus(corpus)})
    [path] = write_files(folder, {_accuracy_file(criterion): document})
    return path


def _name_corpus(corpus: Manifest | None) -> list[str | int]:
    """Return what tells a corpus, in whatever arithmetic it was read; nothing for other models."""
    if corpus is None or not are_embedded(corpus.models.get, "sentence", "passage"):
        return []
    return [corpus.corpus, corpus.cases, corpus.chunks, corpus.chunk_pieces]


def _accuracy_file(criterion: Criterion) -> str:
    return f"verdict_accuracy{'' if criterion == 'threshold' else f'_{criterion}'}.json"


def kept_accuracy(criterion: Criterion) -> dict[str, Any]:
    """Return the share that ships for verdicts by a criterion; empty where none was recorded."""
    file = resources.files("countercase.reports") / "data" / _accuracy_file(criterion)
    return dict(json.loads(file.read_text("utf-8"))) if file.is_file() else {}


def accuracy_note(result: Result) -> str:
    """Say how often `moves the list` was right where it was measured, or that it is not known here."""
    kept, corpus = kept_accuracy(result.analysis.criterion), _name_corpus(result.manifest)
    settings = json.loads(json.dumps(result.settings.fingerprint()))
    fits = (kept.get("settings"), kept.get("corpus")) == (settings, corpus)
    return say("accuracy", kept if fits else None)
