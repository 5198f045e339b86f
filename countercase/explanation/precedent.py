"""Why a precedent is in the ranking.

A precedent's score is a sum over (segment, chunk) pairs, so the reasons are the pairs that add most
to it: first, for each fact of the case, the best pair of a segment that states the fact; then, where
no fact answers, the best pair of all. A retriever without such pairs leaves nothing to quote, and
the explanation says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from countercase.corpus.judgment.metadata import Metadata
from countercase.counterfactual.analysis import Analysis
from countercase.explanation.labels import fact_label
from countercase.explanation.model import PrecedentExplanation, Quote, Reason
from countercase.explanation.quotes import Quoter
from countercase.facts.segments import Segment
from countercase.retrieval.base import Match, RankedCase

MOST_REASONS: Final = 4
"""Reasons given for one precedent, strongest first."""
NO_PASSAGES: Final = "This retriever gives no passages, so nothing can be quoted for it."
"""Said of each precedent of a retriever that ranks ids and gives no (segment, chunk) pairs."""


def explain_precedents(
    analysis: Analysis, quoter: Quoter | None
) -> tuple[PrecedentExplanation, ...]:
    """One explanation per precedent of the case as it is, in rank order.

    Args:
        quoter: quotes from the corpus; None where the retriever gives no passages.
    """
    labels = {fact.fact_id: fact_label(fact) for fact in analysis.sheet.facts}
    segments, results = analysis.segments, analysis.precedents.results
    if quoter is None:
        return tuple(explain_precedent(r, Metadata(), (), (NO_PASSAGES,)) for r in results)
    matches = {result.case_id: _strongest(result, segments) for result in results}
    quotes = quoter.quotes(
        [(segments[m.segment].text, m.chunk) for strongest in matches.values() for m in strongest]
    )
    explanations = []
    for result in results:
        reasons = _reasons(result, matches[result.case_id], segments, labels, quotes)
        sentences = tuple(text for reason in reasons for text in _sentences(reason))
        metadata = quoter.snapshot.metadata[result.case]
        explanations.append(explain_precedent(result, metadata, reasons, sentences))
    return tuple(explanations)


def explain_precedent(
    result: RankedCase,
    metadata: Metadata,
    reasons: tuple[Reason, ...],
    sentences: tuple[str, ...],
) -> PrecedentExplanation:
    """A ranked case with what its judgment's header says and why it is there."""
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
        sentences=sentences,
    )


def _strongest(result: RankedCase, segments: Sequence[Segment]) -> tuple[Match, ...]:
    """The best match of each fact, strongest first, no segment twice; else the best match."""
    strongest: dict[int, Match] = {}
    covered: set[str] = set()
    for match in result.matches:
        new = set(segments[match.segment].fact_ids) - covered
        if new and match.weight > 0:
            covered |= new
            strongest[match.segment] = match
        if len(strongest) == MOST_REASONS:
            break
    return tuple(strongest.values()) or result.matches[:1]


def _reasons(
    result: RankedCase,
    matches: Sequence[Match],
    segments: Sequence[Segment],
    labels: dict[str, str],
    quotes: dict[tuple[str, int], Quote],
) -> tuple[Reason, ...]:
    total = sum(match.weight for match in result.matches)
    return tuple(
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


def _sentences(reason: Reason) -> tuple[str, str]:
    """What of the case is answered, and, apart from it, what the decision says, word for word."""
    answers = " and ".join(reason.facts[:3]) or "the case's narrative"
    return f"It answers to {answers}.", f"It says: “{reason.quote.text}” ({reason.quote.place})."
