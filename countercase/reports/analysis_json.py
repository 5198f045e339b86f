"""analysis.json: everything an analysis found, as plain JSON values.

The format is fixed by `docs/schemas/analysis.schema.json`. Two runs on the same input, corpus and
models differ in `timings` alone.
"""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any, Final

from countercase.counterfactual.sensitivity import FactSensitivity, NullMove
from countercase.explanation.labels import fact_label
from countercase.explanation.model import (
    ChangeExplanation,
    MovedCase,
    PrecedentExplanation,
    Quote,
    Reason,
)
from countercase.reports.text import rounded
from countercase.reports.tree_json import corpus_document, edit_document, ranking_document
from countercase.reports.wording import headline
from countercase.text.spans import Span

if TYPE_CHECKING:
    from countercase.session import Result

TREE_FILE: Final = "tree.json"


def analysis_document(result: Result) -> dict[str, Any]:
    """The analysis of one case."""
    analysis = result.analysis
    stages = {row["case_id"]: row["stages"] for row in ranking_document(analysis.precedents)}
    return {
        "case_id": analysis.sheet.case_id,
        "title": analysis.sheet.title,
        "headline": headline(analysis),
        "complete": analysis.complete,
        "precedents": [
            precedent_document(found, stages[found.case_id]) for found in result.precedents
        ],
        "sensitivity": {kind: rounded(value) for kind, value in analysis.sensitivity.items()},
        "facts": [_fact(found) for found in analysis.facts],
        "null_edits": [_null(null) for null in analysis.nulls],
        "changes": [_change(change) for change in result.changes],
        "tree": TREE_FILE,
        "excluded": list(analysis.excluded),
        "settings": rounded(result.settings.fingerprint()),
        "models": dict(result.models),
        "corpus": corpus_document(result.manifest),
        "timings": rounded(analysis.timings),
    }


def precedent_document(found: PrecedentExplanation, stages: dict[str, Any]) -> dict[str, Any]:
    """A precedent with why it is there and its trace through the stages."""
    return {
        "rank": found.rank,
        "case_id": found.case_id,
        "title": found.title,
        "date": found.date,
        "court": found.court,
        "docket": found.docket,
        "outcome": found.outcome,
        "score": rounded(found.score),
        "stages": stages,
        "why": found.text,
        "reasons": [_reason(reason) for reason in found.reasons],
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "fact_ids": list(reason.fact_ids),
        "facts": list(reason.facts),
        "segment": reason.segment,
        "quote": _quote(reason.quote),
        "weight": rounded(reason.weight),
        "share": rounded(reason.share),
    }


def _quote(quote: Quote) -> dict[str, Any]:
    return asdict(quote)


def _detail(value: object) -> dict[str, Any]:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return {"value": str(value)}


def _fact(found: FactSensitivity) -> dict[str, Any]:
    fact = found.fact
    return {
        "fact_id": fact.fact_id,
        "fact_type": fact.fact_type,
        "value": str(fact.value),
        "label": fact_label(fact),
        "detail": rounded(_detail(fact.value)),
        "span": None if fact.span is None else _span(fact.span),
        "spans": [_span(span) for span in fact.spans],
        "measurable": found.measurable,
        "sensitivity": rounded(found.sensitivity),
        "edges": found.edges,
        "noise": rounded(found.noise),
        "beats": rounded(found.beats),
        "verdict": found.verdict,
    }


def _span(span: Span) -> dict[str, int]:
    return {"start": span.start, "end": span.end}


def _null(null: NullMove) -> dict[str, Any]:
    return {**edit_document(null.edit), "mean_displacement": rounded(null.mean_displacement)}


def _change(change: ChangeExplanation) -> dict[str, Any]:
    return {
        "source": change.source,
        "target": change.target,
        "edit_id": change.edit_id,
        "mean_displacement": rounded(change.mean_displacement),
        "text": change.text,
        "left": [_moved(case) for case in change.left],
        "came": [_moved(case) for case in change.came],
        "moved": [_moved(case) for case in change.moved],
    }


def _moved(case: MovedCase) -> dict[str, Any]:
    return {
        "case_id": case.case_id,
        "title": case.title,
        "before": case.before,
        "after": case.after,
        "quote": None if case.quote is None else _quote(case.quote),
        "change": rounded(case.change),
    }
