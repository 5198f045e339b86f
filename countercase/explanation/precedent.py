"""Why a precedent is in the ranking.

A precedent's score is a sum over (segment, chunk) pairs, so the reasons are the pairs that add most
to it: first, for each fact of the case, the best pair of a segment that states the fact; then, where
no fact answers, the best pair of all. A retriever without such pairs leaves nothing to quote, and
the explanation says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from countercase.corpus.judgment.metadata import Metadata
from countercase.corpus.judgment.treatment import standing
from countercase.counterfactual.analysis import Analysis
from countercase.explanation.model import PrecedentExplanation, Quote, Reason
from countercase.explanation.quotes import Quoter
from countercase.explanation.reasons import fact_label, reasons_shared
from countercase.facts.extraction import find_occurrence, recognise
from countercase.facts.model import Fact
from countercase.facts.residue import Segment
from countercase.law.in_force import Period, facts_period
from countercase.retrieval.base import Match, RankedCase, Ranking

MOST_REASONS: Final = 4
"""Reasons given for one precedent, strongest first."""
SIMILAR: Final = "It is similar on the whole."
"""Said of a passage that speaks of none of the facts of its segment."""
NO_PASSAGES: Final = "This retriever gives no passages, so nothing can be quoted for it."
"""Said of each precedent of a retriever that ranks ids and gives no (segment, chunk) pairs."""


def explain_precedents(
    analysis: Analysis, quoter: Quoter | None, quoted: bool = True
) -> tuple[PrecedentExplanation, ...]:
    """Return one explanation per precedent of the case as it is, in rank order.

    `quoter` quotes from the corpus, if `quoted`; None where the retriever gives no passages.
    """
    results = analysis.precedents.results
    if quoter is None:
        return tuple(_explain(result, None, (), (NO_PASSAGES,)) for result in results)
    facts = {fact.fact_id: fact for fact in analysis.sheet.facts}
    segments = analysis.segments
    stated = [[facts[it.fact_id]] if it.fact_id in facts else [] for it in segments]
    matches = [_strongest(result, segments) if quoted else () for result in results]
    when = facts_period(analysis.sheet.occurred_on)
    all_reasons = _reasons(results, matches, [it.text for it in segments], stated, quoter)
    explanations = []
    for result, reasons in zip(results, map(_each_once, all_reasons), strict=True):
        sentences = [f"It turned on this: {it}" for it in quoter.turned_on(result.case_id)]
        for reason in reasons:  # what both speak of, and apart from it what the decision says
            both = " and ".join(reason.shared[:3])
            sentences.append(f"It speaks of {both} too." if both else SIMILAR)
            sentences.append(f"It says: “{reason.quote.text}” ({reason.quote.place}).")
        explanations.append(_explain(result, quoter, reasons, tuple(sentences), when))
    return tuple(explanations)


def explain_search(ranking: Ranking, quoter: Quoter) -> tuple[PrecedentExplanation, ...]:
    """Return for each precedent of a ranking the passage that answers the text best."""
    segments = ranking.query.segments
    results = [result for result in ranking.results if result.matches]
    when = facts_period(find_occurrence(ranking.query.text))
    matches, stated = [result.matches[:1] for result in results], list(map(recognise, segments))
    reasons, explanations = _reasons(results, matches, segments, stated, quoter), []
    for result, [found] in zip(results, reasons, strict=True):
        reason = replace(found, fact_ids=())  # the text has no fact sheet
        sentence = f"“{reason.quote.text}” ({reason.quote.place})."
        explanations.append(_explain(result, quoter, (reason,), (sentence,), when))
    return tuple(explanations)


def _explain(
    result: RankedCase,
    quoter: Quoter | None,
    reasons: tuple[Reason, ...],
    sentences: tuple[str, ...],
    when: Period | None = None,
) -> PrecedentExplanation:
    """Return a ranked case with what its judgment's header says and why it is there."""
    metadata = quoter.snapshot.metadata[result.case] if quoter else Metadata()
    later = tuple(treatment.line(when) for treatment in metadata.treatment)
    return PrecedentExplanation(
        **{name: getattr(result, name) for name in ("case_id", "rank", "score")},
        **{name: getattr(metadata, name) for name in ("date", "court", "docket", "outcome")},
        title=metadata.title or result.case_id,
        reasons=reasons,
        sentences=(*later, *sentences),
        turned_on=quoter.turned_on(result.case_id) if quoter else (),
        later=later,
        treatment=metadata.treatment,
        standing=standing(metadata.treatment, when),
    )


def _strongest(result: RankedCase, segments: Sequence[Segment]) -> tuple[Match, ...]:
    """Return the best match of each fact, strongest first; else the best match."""
    strongest: dict[str, Match] = {}
    for match in result.matches:
        fact_id = segments[match.segment].fact_id
        if fact_id and match.weight > 0:
            strongest.setdefault(fact_id, match)
    return tuple(strongest.values())[:MOST_REASONS] or tuple(result.matches[:1])


def _reasons(
    results: Sequence[RankedCase],
    matches: Sequence[Sequence[Match]],
    segments: Sequence[str],
    stated: Sequence[Sequence[Fact]],
    quoter: Quoter,
) -> list[list[Reason]]:
    quotes = quoter.quotes([(segments[m.segment], m.chunk) for own in matches for m in own])

    def reason(result: RankedCase, match: Match) -> Reason:
        segment, facts = segments[match.segment], stated[match.segment]
        quote = quotes[segment, match.chunk]
        total = sum(it.weight for it in result.matches)
        return Reason(
            fact_ids=tuple(fact.fact_id for fact in facts),
            facts=tuple(map(fact_label, facts)),
            shared=reasons_shared(facts, segment, quote.text),
            segment=segment,
            quote=quote,
            weight=match.weight,
            share=round(match.weight / total, 9) if total > 0 else 0.0,
        )

    pairs = zip(results, matches, strict=True)
    return [[reason(result, match) for match in own] for result, own in pairs]


def _each_once(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Return the reasons without those that quote what a stronger one quotes and add nothing to it.

    What it shares comes first; the court's own words before what happened below; then the weight.
    """
    kept: list[Reason] = []
    said: dict[Quote, set[str]] = {}
    for reason in sorted(reasons, key=lambda r: (not r.shared, bool(r.quote.finding), -r.weight)):
        if reason.quote not in said or {*reason.shared} - said[reason.quote]:
            kept.append(reason)
            said.setdefault(reason.quote, set()).update(reason.shared)
    return tuple(kept)
