"""What the raters say: means, agreement between them, and agreement with faithfulness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from countercase.evaluation.agreement import alpha_interval, krippendorff_alpha
from countercase.evaluation.explanation_eval import FORMS, faithfulness, score_sentences
from countercase.evaluation.likert.sheets import DIMENSIONS, HIGHEST, LOWEST, Item, Rating
from countercase.evaluation.report import Measure, Plot, Section, Series, Table
from countercase.evaluation.sets import SourceChunk

PERMUTATIONS: Final = 9_999
LEAST: Final = 3
"""Items that a rank correlation needs; of two, it is 1 or -1 by a coin."""

Key = tuple[str, str, str]


@dataclass(frozen=True)
class Mean:
    """A mean with its 95% interval by Student's t; None where it is not defined."""

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Correlation:
    """Spearman's rho with its two-sided permutation p; None where it is not defined."""

    rho: float | None
    p: float | None
    n: int


def mean_interval(values: Sequence[float]) -> Mean:
    """The mean and its 95% interval, mean ± t(.975, n − 1) · s / √n, within the scale 1 to 5.

    The interval is that of the mean over items like these; of one value there is none.

    Source: Student, "The probable error of a mean", Biometrika 6, 1908.
    """
    if not values:
        return Mean(None, None, None, 0)
    import numpy as np
    from scipy import stats

    given = np.asarray(values, dtype=np.float64)
    mean = float(given.mean())
    if len(given) < 2:
        return Mean(mean, None, None, 1)
    error = float(stats.sem(given))
    if error == 0:
        return Mean(mean, mean, mean, len(given))
    low, high = stats.t.interval(0.95, len(given) - 1, loc=mean, scale=error)
    return Mean(mean, max(LOWEST, float(low)), min(HIGHEST, float(high)), len(given))


def rank_correlation(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Correlation:
    """Spearman's rho, ties at the mean of their ranks, and its permutation p.

    p counts the orders of the second that agree or disagree as much: all of them where they are
    no more than `PERMUTATIONS`, else that many drawn with `seed`. Not defined for fewer than
    three items or where one side is all alike.
    """
    if len(first) < LEAST or len(set(first)) < 2 or len(set(second)) < 2:
        return Correlation(None, None, len(first))
    import numpy as np
    from scipy import stats

    left, right = stats.rankdata(first), stats.rankdata(second)
    rho = float(np.corrcoef(left, right)[0, 1])

    def product(values: Any) -> float:
        return float(np.dot(values, right))

    test = stats.permutation_test(
        (left,),
        product,
        permutation_type="pairings",
        n_resamples=PERMUTATIONS,
        rng=np.random.default_rng(seed),
    )
    return Correlation(rho, float(test.pvalue), len(first))


def likert_section(ratings: Sequence[Rating], seed: int = 0) -> Section:
    """Everything that the ratings show.

    An item's score is the mean of its raters'; means and intervals are over items, so that a
    second rater of the same items does not narrow an interval.

    Args:
        seed: of resampling and permutations.
    """
    scores = {name: _by_rater(ratings, name) for name in DIMENSIONS}
    items = {one.item.key: one.item for one in ratings}
    faith = {key: _faithfulness(item) for key, item in items.items()}
    measures: list[Measure] = []
    correlations = []
    for name in DIMENSIONS:
        means = _item_means(scores[name])
        mean = mean_interval(list(means.values()))
        title = name.replace("_", " ").capitalize()
        measures.append(
            Measure(
                f"likert.{name}", f"{title}, 1 to 5", mean.value, mean.n, mean.low, mean.high,
                note="Mean over explanations of the mean of their raters.",
            )
        )  # fmt: skip
        raters = list(scores[name].values())
        low, high = alpha_interval(raters, "ordinal", seed) or (None, None)
        measures.append(
            Measure(
                f"likert.{name}.alpha",
                f"{title}: Krippendorff's alpha",
                krippendorff_alpha(raters, "ordinal"),
                sum(sum(key in rater for rater in raters) > 1 for key in means),
                low,
                high,
                note="Ordinal; 1 full agreement, 0 chance, from .8 reliable; over explanations "
                "with two raters or more.",
            )
        )
        for form in ("content words", *FORMS):
            found = rank_correlation(
                list(means.values()), [faith[key][form] for key in means], seed
            )
            correlations.append((title.lower(), form, found.rho, found.p, found.n))
        strictest = correlations[-1]
        measures.append(
            Measure(
                f"likert.{name}.faithfulness",
                f"{title}: Spearman's rho with faithfulness",
                strictest[2],
                strictest[4],
                note="With the strictest form of faithfulness; the table has all.",
            )
        )
    return Section(
        name="likert",
        title="Likert: what raters say of the explanations",
        measures=tuple(measures),
        tables=(
            _raters_table(ratings),
            Table(
                "Rank correlation of the raters' means with faithfulness",
                ("dimension", "faithfulness", "rho", "p", "explanations"),
                tuple(correlations),
                "content words: the mean share of a sentence's content words in its passage; the "
                "others: the share of sentences borne out. No value where all are alike.",
            ),
        ),
        plots=(_plot(scores),),
        details={"items": [_details(item, scores, faith[key]) for key, item in items.items()]},
    )


def _by_rater(ratings: Sequence[Rating], dimension: str) -> dict[str, dict[Key, int]]:
    found: dict[str, dict[Key, int]] = {}
    for one in ratings:
        own = found.setdefault(one.annotator_id, {})
        if dimension in one.scores:
            own[one.item.key] = one.scores[dimension]
    return found


def _item_means(by_rater: Mapping[str, Mapping[Key, int]]) -> dict[Key, float]:
    given: dict[Key, list[int]] = {}
    for own in by_rater.values():
        for key, score in own.items():
            given.setdefault(key, []).append(score)
    return {key: sum(scores) / len(scores) for key, scores in given.items()}


@lru_cache(maxsize=1024)
def _faithfulness(item: Item) -> dict[str, float]:
    source = SourceChunk(chunk_id=item.chunk_id, text=item.source_chunk_text)
    sentences = score_sentences(item.explanation_text, [source])
    shares = [one.overlap for one in sentences]
    found = {"content words": sum(shares) / len(shares) if shares else 0.0}
    return found | {form: faithfulness(sentences, form) or 0.0 for form in FORMS}


def _raters_table(ratings: Sequence[Rating]) -> Table:
    rows = []
    for rater in sorted({one.annotator_id for one in ratings}):
        own = [one for one in ratings if one.annotator_id == rater]
        for name in DIMENSIONS:
            mean = mean_interval([one.scores[name] for one in own if name in one.scores])
            rows.append(
                (rater, name.replace("_", " "), mean.n, len(own) - mean.n, mean.value,
                 mean.low, mean.high)
            )  # fmt: skip
    return Table(
        "Each rater",
        ("rater", "dimension", "rated", "left blank", "mean", "low", "high"),
        tuple(rows),
    )


def _plot(scores: Mapping[str, Mapping[str, Mapping[Key, int]]]) -> Plot:
    grades = range(LOWEST, HIGHEST + 1)
    series = []
    for name in DIMENSIONS:
        given = [score for own in scores[name].values() for score in own.values()]
        shares = [given.count(grade) / len(given) if given else 0.0 for grade in grades]
        series.append(
            Series(name.replace("_", " "), tuple(float(at) for at in range(len(shares))),
                   tuple(shares))
        )  # fmt: skip
    return Plot(
        "Ratings given",
        "bars",
        "rating",
        "share of ratings",
        tuple(series),
        tuple(str(grade) for grade in grades),
    )


def _details(
    item: Item,
    scores: Mapping[str, Mapping[str, Mapping[Key, int]]],
    faith: Mapping[str, float],
) -> dict[str, Any]:
    return {
        "case_id": item.case_id,
        "chunk_id": item.chunk_id,
        "explanation_text": item.explanation_text,
        "ratings": {
            name: {rater: own[item.key] for rater, own in scores[name].items() if item.key in own}
            for name in DIMENSIONS
        },
        "faithfulness": dict(faith),
    }
