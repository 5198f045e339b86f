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
from countercase.corpus.judgment.treatment import standing
from countercase.counterfactual.analysis import Analysis
from countercase.explanation.labels import fact_label
from countercase.explanation.model import PrecedentExplanation, Quote, Reason
from countercase.explanation.quotes import Quoter
from countercase.explanation.reasons import reasons_shared
from countercase.fact_types.base import telling_words
from countercase.facts.model import Fact
from countercase.facts.residue import Segment
from countercase.law.in_force import Period, facts_period
from countercase.retrieval.base import Match, RankedCase

MOST_REASONS: Final = 4
"""Reasons given for one precedent, strongest first."""
SIMILAR: Final = "It is similar on the whole."
"""Said of a passage that speaks of none of the facts of its segment."""
NO_PASSAGES: Final = "This retriever gives no passages, so nothing can be quoted for it."
"""Said of each precedent of a retriever that ranks ids and gives no (segment, chunk) pairs."""


def explain_precedents(
    analysis: Analysis, quoter: Quoter | None
) -> tuple[PrecedentExplanation, ...]:
    """One explanation per precedent of the case as it is, in rank order.

    Args:
        quoter: quotes from the corpus; None where the retriever gives no passages.
    """
    facts = {fact.fact_id: fact for fact in analysis.sheet.facts}
    segments, results = analysis.segments, analysis.precedents.results
    if quoter is None:
        return tuple(explain_precedent(r, Metadata(), (), (NO_PASSAGES,)) for r in results)
    told = telling_words(analysis.sheet.narrative)
    when = facts_period(analysis.sheet.occurred_on)
    matches = {result.case_id: _strongest(result, segments) for result in results}
    quotes = quoter.quotes(
        [(segments[m.segment].text, m.chunk) for strongest in matches.values() for m in strongest]
    )
    explanations = []
    for result in results:
        reasons = _reasons(result, matches[result.case_id], segments, facts, quotes)
        points = quoter.turned_on(result.case_id)
        turned_on = tuple(sorted(points, key=lambda point: -len(telling_words(point) & told)))
        sentences = tuple(f"It turned on {point}" for point in turned_on) + tuple(
            text for reason in reasons for text in _sentences(reason)
        )
        metadata = quoter.snapshot.metadata[result.case]
        explanations.append(
            explain_precedent(result, metadata, reasons, sentences, turned_on, when)
        )
    return tuple(explanations)


def explain_precedent(
    result: RankedCase,
    metadata: Metadata,
    reasons: tuple[Reason, ...],
    sentences: tuple[str, ...],
    turned_on: tuple[str, ...] = (),
    when: Period | None = None,
) -> PrecedentExplanation:
    """A ranked case with what its judgment's header says and why it is there.

    Args:
        when: the days of the facts, on which it is said whether it is good law; None: today.
    """
    later = tuple(treatment.line(when) for treatment in metadata.treatment)
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
        sentences=(*later, *sentences),
        turned_on=turned_on,
        later=later,
        treatment=metadata.treatment,
        standing=standing(metadata.treatment, when),
    )


def _strongest(result: RankedCase, segments: Sequence[Segment]) -> tuple[Match, ...]:
    """The best match of each fact, strongest first, no segment twice; else the best match."""
    strongest: dict[int, Match] = {}
    covered: set[str] = set()
    for match in result.matches:
        fact_id = segments[match.segment].fact_id
        if fact_id and fact_id not in covered and match.weight > 0:
            covered.add(fact_id)
            strongest[match.segment] = match
        if len(strongest) == MOST_REASONS:
            break
    return tuple(strongest.values()) or tuple(result.matches[:1])


def _reasons(
    result: RankedCase,
    matches: Sequence[Match],
    segments: Sequence[Segment],
    facts: dict[str, Fact],
    quotes: dict[tuple[str, int], Quote],
) -> tuple[Reason, ...]:
    total = sum(match.weight for match in result.matches)
    reasons = []
    for match in matches:
        segment = segments[match.segment]
        quote = quotes[segment.text, match.chunk]
        stated = [facts[segment.fact_id]] if segment.fact_id in facts else []
        reasons.append(
            Reason(
                fact_ids=tuple(fact.fact_id for fact in stated),
                facts=tuple(map(fact_label, stated)),
                shared=reasons_shared(stated, segment.text, quote.text),
                segment=segment.text,
                quote=quote,
                weight=match.weight,
                share=round(match.weight / total, 9) if total > 0 else 0.0,
            )
        )
    return _each_once(reasons)


def _each_once(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """The reasons without those that quote what a stronger one quotes and add nothing to it.

    What it shares comes first; the court's own words before what happened below; then the weight.
    """
    kept: list[Reason] = []
    for reason in sorted(reasons, key=lambda r: (not r.shared, bool(r.quote.finding), -r.weight)):
        said = [what for other in kept if other.quote == reason.quote for what in other.shared]
        repeated = any(other.quote == reason.quote for other in kept)
        if not repeated or {*reason.shared} - {*said}:
            kept.append(reason)
    return tuple(kept)


def _sentences(reason: Reason) -> tuple[str, str]:
    """What both speak of, and, apart from it, what the decision says, word for word."""
    shared = " and ".join(reason.shared[:3])
    like = f"It speaks of {shared} too." if shared else SIMILAR
    return like, f"It says: “{reason.quote.text}” ({reason.quote.place})."
