"""report.md: the analysis as a lawyer reads it, from the answer down to the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from countercase.counterfactual.sensitivity import FactSensitivity
from countercase.explanation.labels import edit_label
from countercase.explanation.model import PrecedentExplanation
from countercase.reports.guide import cautions, figures_explained
from countercase.reports.outline import Line, outline
from countercase.reports.text import code, inline, table
from countercase.reports.wording import (
    TYPE_NAMES,
    VERDICTS,
    by_strength,
    disjoint,
    headline,
    label_of,
    places,
    size_of_move,
    verdict_of,
)

if TYPE_CHECKING:
    from countercase.counterfactual.analysis import Analysis
    from countercase.session import Result

BAR: Final = 24
"""Characters of a full bar."""

MOST_CHANGES: Final = 8
"""Changes of a single fact that are told in full; tree.json holds all."""


def markdown_report(result: Result) -> str:
    """The report, ending in a newline. It holds no time of day: same analysis, same text."""
    parts = [
        _head(result),
        _facts(result),
        _types(result),
        _precedents(result),
        _changes(result),
        _tree(result),
        _words_alone(result),
        _reading(result),
        _source(result),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _head(result: Result) -> list[str]:
    analysis, manifest = result.analysis, result.manifest
    searched = (
        f"in the corpus {code(manifest.corpus)} of {manifest.cases:,} decisions"
        if manifest
        else "by a foreign retriever"
    )
    lines = [
        f"# {inline(analysis.sheet.title or analysis.sheet.case_id)}",
        "",
        f"**{inline(headline(analysis))}**",
        "",
        f"Case {code(analysis.sheet.case_id)}, searched {searched}.",
    ]
    if not analysis.complete:
        lines += [
            "",
            "> The analysis was stopped before it was finished. What stands here is right as far "
            "as it goes; changes that were not reached are missing.",
        ]
    return lines


def _facts(result: Result) -> list[str]:
    names = dict(TYPE_NAMES)
    rows = [
        (
            inline(label_of(result.analysis, found)),
            names[found.fact.fact_type],
            places(found.sensitivity),
            str(found.edges),
            places(found.noise if found.sensitivity is not None else None),
            _verdict(result.analysis, found),
        )
        for found in by_strength(result.analysis.facts)
    ]
    shown = {found.verdict for found in result.analysis.facts}
    return [
        "## Which facts carry the case",
        "",
        *table(
            ("Fact", "Kind", "Moves the list by", "Changes measured", "Words alone", "Verdict"),
            rows,
        ),
        "",
        *(f"- **{word}**: {meaning}." for word, meaning in VERDICTS if word in shown),
    ]


def _verdict(analysis: Analysis, found: FactSensitivity) -> str:
    verdict = verdict_of(analysis, found)
    return f"**{verdict}**" if verdict == "dispositive" else verdict


def _types(result: Result) -> list[str]:
    most = disjoint(result.settings.TOP_K)
    width = max(len(name) for _, name in TYPE_NAMES)
    lines = []
    for kind, name in TYPE_NAMES:
        value = result.analysis.sensitivity.get(kind)
        if value is None:
            lines.append(f"{name:<{width}}  {'(not measured)':<{BAR}}      –")
        else:
            filled = round(BAR * min(value / most, 1.0))
            lines.append(
                f"{name:<{width}}  {'█' * filled}{'·' * (BAR - filled)}  {value:5.2f}  "
                f"{size_of_move(value)}"
            )
    return [
        "## How much each kind of fact matters",
        "",
        "```text",
        *lines,
        "```",
        "",
        f"A full bar is {most:g}: two lists without a precedent in common.",
    ]


def _precedents(result: Result) -> list[str]:
    lines = ["## Precedents"]
    if not result.precedents:
        lines += ["", "None was found."]
    for found in result.precedents:
        lines += ["", *_precedent(found)]
    return lines


def _precedent(found: PrecedentExplanation) -> list[str]:
    about = [found.court, found.date, found.docket]
    if found.outcome:
        about.append(f"outcome: {found.outcome}")
    lines = [
        f"### {found.rank}. {inline(found.title)}",
        "",
        " · ".join([*(inline(part) for part in about if part), code(found.case_id)])
        + f" · score {found.score:.2f}",
    ]
    for reason in found.reasons:
        answers = "; ".join(inline(label) for label in reason.facts) or "the narrative"
        lines += [
            "",
            f"It answers to {answers} ({reason.share:.0%} of the score):",
            "",
            f"> {inline(reason.quote.text)}",
            ">",
            f"> ({inline(reason.quote.place)}; {code(reason.quote.chunk_id)})",
        ]
    return lines


def _changes(result: Result) -> list[str]:
    single = [change for change in result.changes if change.source == "root"]
    moved = sorted(
        (change for change in single if change.mean_displacement > 0),
        key=lambda change: -change.mean_displacement,
    )
    lines = ["## What changed when a fact was changed"]
    if not moved:
        return [*lines, "", "No measured change moved the list."]
    for change in moved[:MOST_CHANGES]:
        lines += ["", f"- {inline(change.text)}"]
    if len(moved) > MOST_CHANGES:
        lines += ["", f"{len(moved) - MOST_CHANGES} smaller ones are in `analysis.json`."]
    still = len(single) - len(moved)
    if still:
        lines += ["", f"{still} change{'s' if still > 1 else ''} moved no precedent at all."]
    return lines


def _tree(result: Result) -> list[str]:
    lines = outline(result.analysis.tree)
    if not lines:
        return []
    return [
        "## The tree of changes",
        "",
        "Each line is one change, made on top of the line that it stands under, with the mean rank "
        "displacement against that line. A pruned branch moved too little to be followed; a "
        "refused one makes no plausible case. The same edits in another order lead to the same "
        "state, which stands here once.",
        "",
        "- the case as it is",
        *(_tree_line(line) for line in lines),
    ]


def _tree_line(line: Line) -> str:
    note = f" *({inline(line.note)})*" if line.note else ""
    return f"{'  ' * line.depth}- **{line.figure}** {inline(line.text)}{note}"


def _words_alone(result: Result) -> list[str]:
    nulls = result.analysis.nulls
    if not nulls:
        return []
    rows = [(inline(edit_label(null.edit)), places(null.mean_displacement)) for null in nulls]
    return [
        "## Changes of words alone",
        "",
        "These change how a fact is put and not what it is in law. A search that read only the law "
        "would not move at all.",
        "",
        *table(("Change", "Moved the list by"), rows),
    ]


def _reading(result: Result) -> list[str]:
    moves = [null.mean_displacement for null in result.analysis.nulls]
    return [
        "## Before you rely on this",
        "",
        *(f"- {text}" for text in cautions(result.settings, moves)),
        "",
        "## How to read the figures",
        "",
        *(f"- **{name}**: {text}" for name, text in figures_explained(result.settings)),
    ]


def _source(result: Result) -> list[str]:
    manifest = result.manifest
    lines = [
        "## What was searched, and with what",
        "",
        f"- Corpus {code(manifest.corpus)}: {manifest.cases:,} decisions in "
        f"{manifest.chunks:,} passages, checksum {code(manifest.checksum)}."
        if manifest
        else "- A foreign retriever: its corpus and its models are not known.",
    ]
    if result.models:
        models = ", ".join(f"{role} {code(name)}" for role, name in result.models.items())
        lines.append(f"- Models: {models}.")
    if result.analysis.excluded:
        left_out = ", ".join(code(case) for case in result.analysis.excluded)
        lines.append(f"- Left out, as the case itself or a near copy of it: {left_out}.")
    changed = ", ".join(
        f"`{name} = {value!r}`" for name, value in result.settings.fingerprint().items()
    )
    lines.append(f"- Settings: {changed}.")
    return lines
