"""The result of a search: a ranking explained sentence by sentence, and its JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from countercase.explanation.labels import fact_label, facts_in
from countercase.explanation.model import PrecedentExplanation, Reason
from countercase.explanation.precedent import explain_precedent
from countercase.explanation.quotes import Quoter
from countercase.explanation.reasons import reasons_shared
from countercase.explanation.strength import is_weak
from countercase.law.in_force import facts_period
from countercase.reports.analysis_json import precedent_document
from countercase.reports.tree_json import corpus_document, ranking_document
from countercase.retrieval.base import Ranking
from countercase.text.dates import date_of_occurrence

if TYPE_CHECKING:
    from countercase.session import Session


def explain_search(ranking: Ranking, session: Session) -> tuple[PrecedentExplanation, ...]:
    """For each precedent of a ranking, the passage that answers the text best."""
    segments = ranking.query.segments
    when = facts_period(date_of_occurrence(ranking.query.text))
    best = [(result, result.matches[0]) for result in ranking.results if result.matches]
    quoter = Quoter(session.snapshot, session.encoders)
    quotes = quoter.quotes([(segments[match.segment], match.chunk) for _, match in best])
    explanations = []
    for result, match in best:
        metadata = session.snapshot.metadata[result.case]
        turned_on = quoter.turned_on(result.case_id)
        total = sum(answer.weight for answer in result.matches)
        segment = segments[match.segment]
        quote = quotes[segment, match.chunk]
        share = round(match.weight / total, 9) if total > 0 else 0.0
        stated = facts_in(segment)
        shared = reasons_shared(stated, segment, quote.text)
        labels = tuple(map(fact_label, stated))
        reason = Reason((), labels, shared, segment, quote, match.weight, share)
        sentence = f"“{quote.text}” ({quote.place})."
        explanations.append(
            explain_precedent(result, metadata, (reason,), (sentence,), turned_on, when)
        )
    return tuple(explanations)


def search_document(
    ranking: Ranking, precedents: tuple[PrecedentExplanation, ...], session: Session
) -> dict[str, Any]:
    """A search as plain JSON values; precedents as in analysis.json."""
    stages = {row["case_id"]: row["stages"] for row in ranking_document(ranking)}
    return {
        "weak": is_weak(ranking, session.snapshot, session.encoders),
        "segments": list(ranking.query.segments),
        "precedents": [
            precedent_document(precedent, stages[precedent.case_id]) for precedent in precedents
        ],
        "settings": session.settings.fingerprint(),
        "models": dict(session.models),
        "corpus": corpus_document(session.snapshot.manifest),
    }
