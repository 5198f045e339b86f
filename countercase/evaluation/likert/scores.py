"""The ratings as measures: means, agreement between them, and agreement with faithfulness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from statistics import fmean
from typing import TypeAlias

from countercase.evaluation.agreement import alpha_interval, krippendorff_alpha
from countercase.evaluation.faithfulness.sentences import FORMS, faithfulness, score_sentences
from countercase.evaluation.likert import sheets
from countercase.evaluation.likert.sheets import DIMENSIONS, Item, Key, Rating
from countercase.evaluation.report import Cell, Section
from countercase.evaluation.sets import SourceChunk
from countercase.evaluation.statistics import Cells, Estimate, group_by, rank_correlation

_Scores: TypeAlias = Mapping[str, Mapping[str, Mapping[Key, int]]]
"""Dimension -> rater -> item -> score."""


def mean_interval(values: Sequence[float]) -> Estimate:
    """Compute the mean and its 95% interval, mean ± t(.975, n − 1) · s / √n, within the scale 1 to 5.

    The interval is that of the mean over items like these; of one value there is none.

    Source: Student, "The probable error of a mean", Biometrika 6, 1908.
    """
    if not values:
        return Estimate(None)
    import numpy as np
    from scipy import stats

    given = np.asarray(values, dtype=np.float64)
    mean = float(given.mean())
    if len(given) < 2:
        return Estimate(mean, 1)
    error = float(stats.sem(given))
    low, high = mean, mean
    if error:
        low, high = stats.t.interval(0.95, len(given) - 1, loc=mean, scale=error)
    return Estimate(
        mean, len(given), max(sheets.LOWEST, float(low)), min(sheets.HIGHEST, float(high))
    )


def likert_section(ratings: Sequence[Rating], seed: int = 0) -> Section:
    """Report everything that the ratings show.

    An item's score is the mean of its raters'; means and intervals are over items, so that a
    second rater of the same items does not narrow an interval.
    """
    by_rater = group_by(ratings, lambda rating: rating.annotator_id)
    scores: _Scores = {
        name: {
            rater: {it.item.key: it.scores[name] for it in own if name in it.scores}
            for rater, own in by_rater.items()
        }
        for name in DIMENSIONS
    }
    items = {rating.item.key: rating.item for rating in ratings}
    faith = {key: _faithfulness(item) for key, item in items.items()}
    found = Section("likert", "Likert: what raters think of the explanations")
    correlations: list[tuple[Cell, ...]] = []
    heights: dict[str, list[Cells]] = {}
    for name in DIMENSIONS:
        title = name.replace("_", " ").capitalize()
        raters = list(scores[name].values())
        given = group_by((pair for own in raters for pair in own.items()), itemgetter(0))
        means = {key: fmean(score for _, score in own) for key, own in given.items()}
        for form in ("content words", *FORMS):
            of_items = [faith[key][form] for key in means]
            strictest = rank_correlation(list(means.values()), of_items, seed)
            correlations.append((title.lower(), form, strictest.value, strictest.p, strictest.n))
        ends = alpha_interval(raters, "ordinal", seed) or (None, None)
        shared = sum(len(own) > 1 for own in given.values())
        alpha = Estimate(krippendorff_alpha(raters, "ordinal"), shared, *ends)
        rho, mean = Estimate(strictest.value, strictest.n), mean_interval(list(means.values()))
        for key, figure in (("", mean), (".alpha", alpha), (".faithfulness", rho)):
            found.add_measure(f"likert.{{name}}{key}", figure, name=name, title=title)
        listed = [score for own in raters for score in own.values()]
        shares = (listed.count(grade) / max(len(listed), 1) for grade in sheets.GRADES.values())
        heights[name.replace("_", " ")] = [(height, None, None) for height in shares]
    rows: list[tuple[Cell, ...]] = []
    for rater, rated in sorted(by_rater.items()):
        for name in DIMENSIONS:
            mean = mean_interval(list(scores[name][rater].values()))
            rows.append((rater, name.replace("_", " "), mean.n, len(rated) - mean.n, *mean.cells))
    found.add_table("likert.raters", rows)
    found.add_table("likert.faithfulness", correlations)
    found.add_bars("Ratings given", "rating", "share of ratings", list(sheets.GRADES), heights)
    found.details["items"] = [
        {
            "case_id": item.case_id,
            "chunk_id": item.chunk_id,
            "explanation_text": item.explanation_text,
            "ratings": {
                name: {rater: own[key] for rater, own in of_raters.items() if key in own}
                for name, of_raters in scores.items()
            },
            "faithfulness": faith[key],
        }
        for key, item in items.items()
    ]
    return found


def _faithfulness(item: Item) -> dict[str, float]:
    source = SourceChunk(chunk_id=item.chunk_id, text=item.source_chunk_text)
    sentences = score_sentences(item.explanation_text, [source])
    shares = [sentence.overlap for sentence in sentences]
    words = sum(shares) / len(shares) if shares else 0.0
    return {"content words": words} | {form: faithfulness(sentences, form) or 0.0 for form in FORMS}
