"""Minimal pairs: does a retriever know which way a fact points?

A pair is two short matters alike but for one fact, and the two decisions that they call for.

Sources: Weller, Lawrie and Van Durme, "NevIR: negation in neural information retrieval", EACL 2024
(paired accuracy); Weller and others, "FollowIR", 2024 (p-MRR).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, TypeAlias

from pydantic import model_validator

from countercase.errors import InputError
from countercase.evaluation.benchmarks.passage_systems import bm25_scores, tfidf_scores
from countercase.evaluation.report import Cell, Run, Section
from countercase.evaluation.retrieval.systems import PipelineRanker, rank_queries
from countercase.evaluation.sets import KnownFactType, StrictRow, read_set
from countercase.evaluation.statistics import group_by, mean_estimate, randomisation_test, share
from countercase.io import Progress
from countercase.session import Session


class Pair(StrictRow):
    """Two matters alike but for one fact, for which the decisions a and b call.

    Settings may be chosen on the part `development`, not on `held-out`.
    """

    id: str
    area: str
    fact_type: KnownFactType
    fact: str
    text_a: str
    text_b: str
    a: str
    b: str
    why: str
    part: Literal["development", "held-out"] = "held-out"

    @model_validator(mode="after")
    def _is_pair(self) -> Pair:
        if self.a == self.b or self.text_a == self.text_b:
            raise ValueError("the two sides of a pair must differ")
        return self

    @property
    def texts(self) -> dict[str, str]:
        """Both texts, by the id under which each is ranked."""
        return {f"{self.id}/a": self.text_a, f"{self.id}/b": self.text_b}


Ranks: TypeAlias = tuple[float, float, float, float]
"""Ranks of a and b under the first text of a pair, then of a and b under the second; infinite where
a decision is not ranked."""


def find_directions(ranks: Ranks) -> tuple[bool, bool]:
    """Tell of each text whether it ranks its own decision above the other."""
    a_first, b_first, a_second, b_second = ranks
    return a_first < b_first, b_second < a_second


def compute_p_mrr(ranks: Ranks) -> float:
    """Compute the mean over both decisions of the change in reciprocal rank, relative to the greater.

    That is how far a decision falls from its own text to the other, from -1 to 1.
    """
    a_first, b_first, a_second, b_second = ranks
    changes = []
    for own, other in ((a_first, a_second), (b_second, b_first)):
        fall = 0.0 if own == other else 1 - min(own, other) / max(own, other)
        changes.append(fall if own < other else -fall)
    return fmean(changes)


def read_pairs(path: Path, part: str = "all") -> list[Pair]:
    """Read the pairs of a file, or one part of them."""
    pairs = read_set(path, Pair)
    chosen = [pair for pair in pairs if part in ("all", pair.part)]
    if not chosen:
        raise InputError(f"{path}: no pair of the part {part!r}")
    return chosen


def rank_pairs(
    pairs: Sequence[Pair], session: Session, progress: Progress | None = None
) -> tuple[dict[str, Run], list[bool | None]]:
    """Rank both texts of each pair by every stage, and whole decisions by BM25 and TF-IDF.

    Also tells of each pair whether the lead in the pipeline's score moves the right way; None where
    one of the decisions is too far down in one of the lists to have a score.
    """
    ids, texts = session.snapshot.case_ids, dict[str, str]()
    known = frozenset(ids)
    for pair in pairs:
        texts |= pair.texts
        for decision in [it for it in (pair.a, pair.b) if it not in known]:
            raise InputError(f"pair {pair.id}: the corpus has no decision {decision!r}")
    ranker, moves = PipelineRanker(session), list[bool | None]()
    runs = rank_queries(texts, ranker, ranker.systems, progress=progress)
    for pair in pairs:
        asked = list(map(session.query, pair.texts.values()))
        found = [dict(ranking.order) for ranking in session.retriever.retrieve(asked)]
        leads = [it[pair.a] - it[pair.b] for it in found if pair.a in it and pair.b in it]
        session.retriever.forget()
        moves.append(leads[0] > leads[1] if len(leads) == 2 else None)
    cases = [session.snapshot.case_text(at) for at in range(len(ids))]
    for system, score in (("bm25", bm25_scores), ("tfidf", tfidf_scores)):
        rows = zip(texts, score(cases, list(texts.values())).tolist(), strict=True)
        runs[system] = {name: dict(zip(ids, row, strict=True)) for name, row in rows}
    return runs, moves


def compare_ranks(pair: Pair, run: Run) -> Ranks:
    """Return the ranks of a pair in one run: query id, to document id, to score."""

    def rank(scores: Mapping[str, float], decision: str) -> float:
        if decision not in scores:
            return math.inf
        own = (-scores[decision], decision)
        return 1 + sum((-score, name) < own for name, score in scores.items())

    a1, b1, a2, b2 = (rank(run[text], it) for text in pair.texts for it in (pair.a, pair.b))
    return a1, b1, a2, b2


def pairs_section(
    pairs: Sequence[Pair],
    runs: Mapping[str, Run],
    main: str,
    leads: Sequence[bool | None],
    seed: int = 0,
    details: Mapping[str, Any] | None = None,
) -> Section:
    """Score the runs of all systems, by name; their queries are the keys of `Pair.texts`.

    Args:
        main: the system whose figures carry no name in their keys.
        leads: of each pair whether the lead in the main system's score moves the right way.
    """
    ranks = {name: [compare_ranks(pair, run) for pair in pairs] for name, run in runs.items()}
    right = {name: [float(all(find_directions(it))) for it in own] for name, own in ranks.items()}
    types = sorted({pair.fact_type for pair in pairs})
    found, rows = Section("pairs", "Minimal pairs: which way a fact points"), list[list[Cell]]()
    for name in (main, *(name for name in runs if name != main)):
        key = "pairs" if name == main else f"pairs.{name}"
        accuracy = share(right[name])
        directions = share(it for own in ranks[name] for it in find_directions(own))
        follows = mean_estimate(list(map(compute_p_mrr, ranks[name])), seed)
        judged = group_by(zip(pairs, right[name], strict=True), lambda it: it[0].fact_type)
        rates = {it: share(ok for _, ok in judged[it]) for it in types}
        p = None if name == main else randomisation_test(right[main], right[name], seed)
        by_type = (rate.value for rate in rates.values())
        rows.append([name, *accuracy.cells, directions.value, follows.value, *by_type, p])
        found.add_measure("{key}.paired_accuracy", accuracy, key=key, name=name)
        if name == main:
            found.add_measure("pairs.directions", directions)
            found.add_measure("pairs.p_mrr", follows)
            found.add_measure("pairs.lead_moves", share(it for it in leads if it is not None))
            for it, rate in rates.items():
                key = f"pairs.{it.lower()}"
                found.add_measure("{key}.paired_accuracy", rate, key=key, name=it)
    found.add_table("pairs.systems", rows, types)
    found.details = {**(details or {}), "seed": seed, "ranks": []}
    for pair, *listed in zip(pairs, *ranks.values(), strict=True):
        shown = ([rank if math.isfinite(rank) else None for rank in own] for own in listed)
        found.details["ranks"].append({"id": pair.id, **dict(zip(ranks, shown, strict=True))})
    return found
