"""Why a precedent is there.

A precedent's score is a sum over (segment, chunk) pairs, so the reasons are the pairs that add most
to it: first, for each fact of the case, the best pair of a segment that states the fact; then, where
no fact answers, the best pair of all.
"""

from __future__ import annotations

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.states import Renderer, State
from countercase.encoders.base import Encoders
from countercase.explanation.labels import fact_label
from countercase.explanation.model import PrecedentExplanation, Quote, Reason
from countercase.explanation.quotes import Quoter
from countercase.facts.segments import Segment
from countercase.retrieval.base import Match, RankedCase
from countercase.retrieval.hybrid import HybridRetriever

MOST_REASONS = 4
"""Reasons given for one precedent, strongest first."""


def explain_precedents(
    analysis: Analysis, retriever: HybridRetriever, renderer: Renderer, encoders: Encoders
) -> tuple[PrecedentExplanation, ...]:
    """One explanation per precedent of the case as it is, in rank order."""
    segments = renderer.segments(State())
    labels = {fact.fact_id: fact_label(fact) for fact in analysis.sheet.facts}
    ranking = analysis.precedents
    chosen = {result.case_id: _strongest(result, segments) for result in ranking.results}
    quotes = Quoter(retriever.snapshot, encoders).quotes(
        [
            (segments[match.segment].text, match.chunk)
            for matches in chosen.values()
            for match in matches
        ]
    )
    return tuple(
        _explain(result, chosen[result.case_id], segments, labels, quotes, retriever)
        for result in ranking.results
    )


def _strongest(result: RankedCase, segments: tuple[Segment, ...]) -> tuple[Match, ...]:
    """The best match of each fact, strongest first, no segment twice; else the best match."""
    best: dict[int, Match] = {}
    covered: set[str] = set()
    for match in result.matches:
        new = set(segments[match.segment].fact_ids) - covered
        if new and match.weight > 0:
            covered |= new
            best[match.segment] = match
        if len(best) == MOST_REASONS:
            break
    return tuple(best.values()) or result.matches[:1]


def _explain(
    result: RankedCase,
    matches: tuple[Match, ...],
    segments: tuple[Segment, ...],
    labels: dict[str, str],
    quotes: dict[tuple[str, int], Quote],
    retriever: HybridRetriever,
) -> PrecedentExplanation:
    total = sum(match.weight for match in result.matches)
    reasons = tuple(
        Reason(
            fact_ids=segments[match.segment].fact_ids,
            facts=tuple(labels[key] for key in segments[match.segment].fact_ids if key in labels),
            segment=segments[match.segment].text,
            quote=quotes[segments[match.segment].text, match.chunk],
            weight=match.weight,
            share=round(match.weight / total, 9) if total > 0 else 0.0,
        )
        for match in matches
    )
    metadata = retriever.snapshot.metadata[result.case]
    return PrecedentExplanation(
        case_id=result.case_id,
        title=metadata.title or result.case_id,
        date=metadata.date,
        court=metadata.court,
        docket=metadata.docket,
        outcome=metadata.outcome,
        rank=result.rank,
        score=result.score,
        reasons=reasons,
        sentences=tuple(text for reason in reasons for text in _sentences(reason)),
    )


def _sentences(reason: Reason) -> tuple[str, str]:
    """What of the case is answered, and, apart from it, what the decision says, word for word."""
    answers = " and ".join(reason.facts[:3]) or "the case's narrative"
    return f"It answers to {answers}.", f"It says: “{reason.quote.text}” ({reason.quote.place})."
