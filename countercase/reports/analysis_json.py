"""analysis.json: everything an analysis measured; attributions and searches as JSON, too.

The format of the analysis is fixed by `docs/schemas/analysis.schema.json`. Two runs on the same
input, corpus and models differ in `timings` alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, is_dataclass
from typing import Any, Final, cast

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.displacement import DEPTHS
from countercase.counterfactual.sensitivity import FactPanel, FactSensitivity, fact_panels
from countercase.explanation.model import PrecedentExplanation
from countercase.explanation.reasons import fact_label
from countercase.fact_types.roles import owner_of, role_of
from countercase.facts.model import NumericalValue, PartyValue
from countercase.io import json_text
from countercase.registry import FACT_TYPES
from countercase.reports.text import rounded
from countercase.reports.tree_files import corpus_document, edit_document, ranking_document
from countercase.reports.wording import say, strongest_first
from countercase.retrieval.base import Ranking
from countercase.retrieval.strength import is_weak
from countercase.session import CaseAttribution, Result, Session

TREE_FILE: Final = "tree.json"
_OF_FACTS: Final = ("measurable", "sensitivity", "edges", "noise", "beats", "verdict")
_OF_CHANGES: Final = ("supposition", "fact_id", "edit_id", "by_hand", "text")


def analysis_document(result: Result) -> dict[str, Any]:
    """Return the analysis of one case."""
    analysis = result.analysis
    document: dict[str, Any] = rounded(
        {
            "case_id": analysis.sheet.case_id,
            "title": analysis.sheet.title,
            "headline": "",
            "complete": analysis.complete,
            "weak_match": result.weak,
            "coverage": [asdict(covered) for covered in result.coverage],
            "precedents": precedent_documents(result.precedents, analysis.precedents),
            "sensitivity": analysis.sensitivity,
            "facts": [_fact(fact, analysis) for fact in analysis.facts],
            "null_edits": [
                edit_document(it.edit, analysis.sheet) | {"mean_displacement": it.mean_displacement}
                for it in analysis.nulls
            ],
            "panel": _panel(fact_panels(analysis.tree, analysis.nulls, DEPTHS)),
            "what_ifs": [
                {
                    **{name: getattr(it, name) for name in _OF_CHANGES},
                    "state": it.target,
                    "movement": it.mean_displacement,
                    "went_out": [asdict(case) for case in it.left],
                    "came_in": [asdict(case) for case in it.came],
                    "moved": [asdict(case) for case in it.moved],
                }
                for it in result.changes
            ],
            "tree": TREE_FILE,
            "excluded": analysis.excluded,
            "left_out": list(result.left_out),
            "filters": analysis.filters.asked,
            "settings": result.settings.fingerprint(),
            "models": result.models,
            "corpus": corpus_document(result.manifest),
            "timings": analysis.timings,
        }
    )
    return document | {"headline": say("headline", document)}


def count_facts(result: Result) -> dict[str, Any]:
    """Count the facts of the case, those measured and those that move the list.

    The other keys are `strongest`, the label of the fact that moves it most, and `sensitivity`.
    """
    own = [fact for fact in analysis_document(result)["facts"] if not fact["added"]]
    measured = [fact for fact in strongest_first(own) if fact["sensitivity"] is not None]
    return {
        "facts": len(own),
        "measured": len(measured),
        "moving": sum(fact["verdict"] == "dispositive" for fact in measured),
        "strongest": measured[0]["label"] if measured else "",
        "sensitivity": measured[0]["sensitivity"] if measured else None,
    }


def precedent_documents(
    precedents: Iterable[PrecedentExplanation], ranking: Ranking
) -> list[dict[str, Any]]:
    """Return precedents of a ranking, each with why it is there and its trace through the stages."""
    stages = {row["case_id"]: row["stages"] for row in ranking_document(ranking)}
    told = [asdict(it) | {"stages": stages[it.case_id], "why": it.text} for it in precedents]
    return rounded([{name: row[name] for name in row if name != "sentences"} for row in told])


def _fact(measured: FactSensitivity, analysis: Analysis) -> dict[str, Any]:
    """Return a fact; its `role` is who the party is or whose the figure is, "" where not known."""
    fact, value, role = measured.fact, measured.fact.value, ""
    salience = analysis.salience.get(fact.fact_id)
    reasons = [{"name": it, "adds": adds} for it, adds in (salience.reasons if salience else ())]
    if isinstance(value, PartyValue):
        role = role_of(analysis.sheet, value)
    elif isinstance(value, NumericalValue):
        role = owner_of(analysis.sheet, value)
    return {
        **{name: getattr(fact, name) for name in ("fact_id", "fact_type")},
        "value": str(value),
        "label": fact_label(fact),
        "role": role,
        "statement": FACT_TYPES.get(fact.fact_type).state(analysis.sheet, fact),
        "added": fact.fact_id not in {own.fact_id for own in analysis.sheet.facts},
        "detail": asdict(cast("Any", value)) if is_dataclass(value) else {"value": str(value)},
        "span": None if fact.span is None else asdict(fact.span),
        "spans": [asdict(span) for span in fact.spans],
        **{name: getattr(measured, name) for name in _OF_FACTS},
        "supposition": "" if measured.strongest is None else measured.strongest.supposition,
        "calibrated": None if measured.calibrated is None else asdict(measured.calibrated),
        "salience": salience and {"value": salience.value, "reasons": reasons},
    }


def search_document(
    ranking: Ranking, precedents: tuple[PrecedentExplanation, ...], session: Session
) -> dict[str, Any]:
    """Return a search as plain JSON values; precedents as in analysis.json."""
    return {
        "weak": is_weak(ranking, session.snapshot, session.encoders),
        "segments": list(ranking.query.segments),
        "precedents": precedent_documents(precedents, ranking),
        "settings": session.settings.fingerprint(),
        "models": dict(session.models),
        "corpus": corpus_document(session.snapshot.manifest),
    }


def attribution_document(analysis: Analysis, parts: CaseAttribution) -> dict[str, Any]:
    """Return everything that `countercase attribute` says, as plain JSON values."""
    attribution, (before, shifts), panels, absent = parts
    return rounded(
        {
            "case_id": analysis.sheet.case_id,
            "top_k": analysis.tree.settings.top_k,
            "whole": attribution.whole,
            "shares": [
                {
                    **{name: getattr(it.edit, name) for name in ("fact_id", "fact_type")},
                    "edit": it.edit.supposition,
                    **{name: getattr(it, name) for name in ("value", "alone")},
                }
                for it in attribution.shares
            ],
            "interactions": [asdict(pair) for pair in attribution.interactions],
            "replaces_the_leader": attribution.leader and asdict(attribution.leader),
            "replaces_half": attribution.half and asdict(attribution.half),
            "left_out": attribution.left_out,
            "outcomes": {
                "as_it_is": {**asdict(before), "leaning": before.leaning},
                "changes": [asdict(it) | {"leaning": it.balance.leaning} for it in shifts],
            },
            "panel": _panel(panels),
            "why_not": absent and asdict(absent),
        }
    )


def _panel(panels: Iterable[FactPanel]) -> list[dict[str, Any]]:
    return [asdict(it) | {"depends_on_k": it.depends_on_k} for it in panels]


JSON: Final = {
    "analysis.json": lambda view: json_text(view.analysis),
    TREE_FILE: lambda view: json_text(view.tree),
}
