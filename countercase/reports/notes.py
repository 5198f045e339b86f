"""What a reader must know of every analysis: before the precedents, before relying on it, and what
its figures mean. The same words in every report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from countercase.counterfactual.null_floor import LEVEL
from countercase.law.provisions import provision_name
from countercase.reports.evaluation import accuracy_note
from countercase.reports.wording import disjoint, filter_words, k_line_of, places
from countercase.text.hindi import language_note

if TYPE_CHECKING:
    from countercase.session import Result

THIN: Final = 4
"""A provision that fewer decisions of the corpus cite is named before the precedents."""
MOST_THIN: Final = 5
"""Such provisions that are named before the rest is counted."""
WEAK: Final = (
    "Weak match: nothing in this corpus is much like the query; these are only the nearest."
)


def cover_notes(result: Result) -> list[str]:
    """What a reader must know before the precedents: filters, a weak match, law that is lacking."""
    note = language_note(result.analysis.sheet.narrative)
    only = filter_words(result.analysis.filters.asked)
    lines = [*filter(None, [note, only and f"Searched only: decisions {only}."])]
    lines += [WEAK] if result.weak else []
    thin = [c for c in result.coverage if c.cases < THIN]
    if thin:
        counts = [f"{provision_name(c.provision)} in {c.cases}" for c in thin[:MOST_THIN]]
        more = f", and {len(thin) - MOST_THIN} more provisions" if len(thin) > MOST_THIN else ""
        lines.append(f"Thin coverage: of {thin[0].of:,} decisions, {'; '.join(counts)}{more}.")
    return lines


def cautions(result: Result) -> list[str]:
    """What to bear in mind before relying on an analysis, each a sentence or two."""
    moves = [null.mean_displacement for null in result.analysis.nulls]
    one = len(moves) == 1
    if moves:
        words = (
            f"{len(moves)} restatement{'' if one else 's'} of facts, which leave{'s' if one else ''} "
            f"the law as it is, moved the list by {places(sum(moves) / len(moves))} places on average "
            f"and by {places(max(moves))} at most. A fact is said to move the list only where it "
            "moves it further than its own restatements do."
        )
    else:
        words = (
            "No restatement was measured, so it is not known how far the list moves when "
            "nothing in law has changed. Read small numbers with care."
        )
    return [
        "This report measures a search, not a court. It says which facts decide which decisions "
        "are found near this case, and nothing about how a court would decide it.",
        "A precedent is found by likeness of words and meaning. Whether it binds, was followed, "
        "distinguished or overruled must be checked in the judgment itself.",
        words,
        k_line_of(result.analysis),
        accuracy_note(result),
        "Movement is what this search does; how often courts turn on a fact is an estimate learnt from "
        "labelled matters. The two are different figures and are never mixed.",
        "A fact marked as not measurable or not tried is not a fact without effect: nothing was "
        "measured for it, and a dash is not a zero.",
        "A precedent that moved may have moved only because others did; the explanations say so "
        "where that is the case.",
        "This is not legal advice.",
    ]


def meanings(result: Result) -> list[tuple[str, str]]:
    """Every kind of figure in a report with what it means."""
    settings = result.settings
    k, full = settings.TOP_K, f"{disjoint(settings.TOP_K):g}"
    rows = [
        ("Displacement of a precedent",
         "how many places it moved when one fact was supposed otherwise: rank 2 before and rank 5 "
         f"after is 3. A precedent that stands in only one of the two lists of {k} counts as rank {k + 1} in "
         "the other."),
        ("Mean rank displacement",
         "the mean of that over all precedents in either list: 0 is the same list, two full lists "
         f"with no precedent in common give {full} (by its definition it lies between 0 and "
         f"{k + 1}). Above 3 is substantial, 1.5 to 3 moderate, under 1 slight."),
        ("Sensitivity",
         "of a fact: the mean rank displacement under the strongest of its what-ifs; of a fact type: "
         "the mean over all what-ifs of that type, those made on top of others among them."),
        ("Learnt",
         "the salience of a fact: how likely it is that a court turns on it, 0 to 1, as a small model "
         "estimates that never sees a ranking. It is no movement."),
        ("Words alone",
         "how far the list moved when the same fact was said in other words: the largest such move. It "
         "is measured for the facts that moved the list furthest."),
        ("Pruned",
         f"a what-if that moves the list by less than {settings.MIN_DISPLACEMENT:g} is not followed "
         "further."),
    ]  # fmt: skip
    if any(fact.calibrated for fact in result.facts):
        rows += [
            ("p",
             "how often as many restatements moved the list as far as the fact did, adjusted for the "
             f"number of facts by Holm's method. It must be at most {LEVEL:g}, beside the threshold."),
            ("Null floor", "the move that 95% of as many restatements stay below."),
            ("95% interval", "of the move over other wordings of the rest of the case."),
        ]  # fmt: skip
    else:
        rows.append(
            ("Threshold",
             "a fact is said to move the list when its sensitivity is above "
             f"{settings.DISPOSITIVE_THRESHOLD:g} and above what restatements of the fact cause.")
        )  # fmt: skip
    rows.append(("Score of a precedent", _score(result)))
    if result.manifest is not None:
        weights = [(name, settings.retrieval().weight_of(name)) for name in settings.RANKERS]
        most = sum(weight for _, weight in weights) / (settings.RRF_K + 1)
        named = ", ".join(f"{name} {weight:g}" for name, weight in weights)
        rows += [
            ("Fusion (RRF)",
             f"each ranker ({named}) gives its weight / ({settings.RRF_K} + rank); the sum is at "
             f"most {most:.3f}. High means near the top of several lists; under .01 means barely "
             "found."),
            ("Novelty (MMR)",
             f"0 to 1: relevance, weighted {settings.MMR_LAMBDA:g}, less likeness to a precedent "
             "chosen before. .8 and above is relevant and new; .4 to .6 is fair, or close to one "
             "already chosen; under .3 is weak or repeats another."),
        ]  # fmt: skip
    return rows


def _score(result: Result) -> str:
    settings = result.settings
    if result.manifest is None:
        return "1 / rank, where the retriever gives no score of its own."
    if settings.USE_RERANKER:
        return (
            f"the fused score, with two votes added, each its weight / ({settings.RRF_K} + its "
            f"rank): the cross-encoder's ({settings.RERANK_WEIGHT:g}) and that of the facts of the "
            f"case against their opposites ({settings.CONTRAST_WEIGHT:g}). The cross-encoder ranks "
            "by the sum, over the sentences of the case, of how well the best passage of the "
            "precedent answers each: a single pair scores about -10 to 10, above 0 relevant, -2 to 0 "
            "weak, under -5 not relevant. Scores of different cases cannot be compared."
        )
    return "the score of the last stage that ran; higher is better, and only the order counts."
