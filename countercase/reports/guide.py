"""How to read the figures of a report, for a reader who has never seen one."""

from __future__ import annotations

from collections.abc import Sequence

from countercase.config import Settings
from countercase.reports.wording import disjoint


def figures_explained(settings: Settings) -> tuple[tuple[str, str], ...]:
    """Each score of a report with its meaning, under the settings of this run."""
    k = settings.TOP_K
    return (
        (
            "Displacement of a precedent",
            "how many places it moved when one fact was changed: rank 2 before and rank 5 after is "
            f"3. A precedent that stands in only one of the two lists of {k} counts as rank "
            f"{k + 1} in the other.",
        ),
        (
            "Mean rank displacement",
            f"the mean of that over all precedents in either list: 0 is the same list, two full "
            f"lists with no precedent in common give {disjoint(k):g} (by its definition it lies "
            f"between 0 and {k + 1}). Above 3 is substantial, 1.5 to 3 moderate, under 1 slight.",
        ),
        (
            "Sensitivity",
            "of a fact: the mean rank displacement over all measured changes of that fact; of a "
            "fact type: the same over all changes of that type.",
        ),
        (
            "Threshold",
            f"a fact is said to carry the case when its sensitivity is above "
            f"{settings.DISPOSITIVE_THRESHOLD:g} and above what a change of words alone causes. "
            f"A change that moves the list by less than {settings.MIN_DISPLACEMENT:g} is not "
            "followed further (pruned).",
        ),
        (
            "Score of a precedent",
            _score(settings),
        ),
        (
            "Fusion (RRF)",
            f"each ranker ({_weighted(settings)}) gives its weight / ({settings.RRF_K} + rank); "
            f"the sum is at most {_most(settings):.3f}. High means near the top of several lists; "
            "under .01 means barely found.",
        ),
        (
            "Novelty (MMR)",
            f"0 to 1: relevance, weighted {settings.MMR_LAMBDA:g}, less likeness to a precedent "
            "chosen before. .8 and above is relevant and new; .4 to .6 is fair, or close to one "
            "already chosen; under .3 is weak or repeats another.",
        ),
    )


def _score(settings: Settings) -> str:
    if not settings.USE_RERANKER:
        return "the score of the last stage that ran; higher is better, and only the order counts."
    return (
        "the fused score, with the cross-encoder's vote added: "
        f"{settings.RERANK_WEIGHT:g} / ({settings.RRF_K} + its rank). The cross-encoder ranks by the "
        "sum, over the sentences of the case, of how well the best passage of the precedent answers "
        "each: a single pair scores about -10 to 10, above 0 relevant, -2 to 0 weak, under -5 not "
        "relevant. Scores of different cases cannot be compared."
    )


def _weighted(settings: Settings) -> str:
    return ", ".join(
        f"{name} {settings.retrieval().weight_of(name):g}" for name in settings.RANKERS
    )


def _most(settings: Settings) -> float:
    return sum(map(settings.retrieval().weight_of, settings.RANKERS)) / (settings.RRF_K + 1)


def cautions(settings: Settings, nulls: Sequence[float]) -> tuple[str, ...]:
    """What a reader must bear in mind before relying on the report."""
    said = [
        "This report measures a search, not a court. It says which facts decide which decisions "
        "are found near this case, and nothing about how a court would decide it.",
        "A precedent is found by likeness of words and meaning. Whether it binds, was followed, "
        "distinguished or overruled must be checked in the judgment itself.",
    ]
    if nulls:
        said.append(
            f"{len(nulls)} change{'s' if len(nulls) > 1 else ''} of words that leave the law as it "
            f"is moved the list by {sum(nulls) / len(nulls):.2f} places on average and by "
            f"{max(nulls):.2f} at most. A fact that moves it no further than that is marked as "
            "within noise."
        )
    else:
        said.append(
            "No change of words alone was measured, so it is not known how far the list moves when "
            "nothing in law has changed. Read small figures with care."
        )
    said += [
        "A fact marked as not measurable or not tried is not a fact without effect: there is no "
        "figure for it, and a dash is not a zero.",
        "A precedent that moved may have moved only because others did; the explanations say so "
        "where that is the case.",
        "No legal advice is given here.",
    ]
    return tuple(said)
