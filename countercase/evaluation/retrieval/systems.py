"""The pipeline taken apart: every stage's own ranking, and the pipeline without one of its parts.

Behind a pool follow the cases that it left out, in fused order, so that Recall and MAP look equally
deep into every ranking.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import Any, Final

from countercase.config import RetrievalSettings
from countercase.encoders.base import Encoders
from countercase.errors import InputError
from countercase.evaluation.experiment import RANKING_CODE, ResultStore, run_cases
from countercase.evaluation.report import Run
from countercase.io import Progress, read_table
from countercase.registry import RANKERS
from countercase.retrieval.base import Query
from countercase.session import Session

DEPTH: Final = 1000
"""Cases that a ranking lists at most."""

FIRST_PIECES: Final = 254
"""Word pieces that encoders read as published: 256 with the two that open and close a text."""

CODE: Final = (*RANKING_CODE, "evaluation/retrieval/systems.py", "evaluation/data/systems.jsonl")
"""The parts of the program that decide the ranking of a system."""

Rankings = dict[str, tuple[str, ...]]
"""Case ids, best first, by name of the ranking."""


@dataclass(frozen=True)
class System:
    """One ranking of the pipeline taken apart.

    Args:
        ablation: its title where it is compared with the whole pipeline; empty where it is not.
        is_stage: whether the pipeline itself makes it.
        needs: the parts that must be switched on.
        settings: how the settings of retrieval differ when the pipeline is run for it.
    """

    name: str
    title: str
    ablation: str = ""
    is_stage: bool = True
    needs: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    meaning: str = ""


def available_systems(settings: RetrievalSettings) -> dict[str, System]:
    """Return the rankings that these settings allow by name, the stages in their order first."""
    parts = {
        "mmr": settings.use_mmr,
        "reranker": settings.use_reranker,
        "contrast": bool(settings.contrast_weight),
    }
    spelt = {"dpr": "DPR", "chroma": "Chroma"}  # other rankers go by their names
    titles = {it: spelt.get(it, it) for it in RANKERS.names() if it in settings.rankers}
    rankers = (System(name, title, f"{title} only") for name, title in titles.items())
    rest = read_table("evaluation/systems", System)
    return {it.name: it for it in (*rankers, *rest) if all(parts[name] for name in it.needs)}


def full_system(settings: RetrievalSettings) -> str:
    """Return the name of the ranking that users get: that of the last stage that runs."""
    return next(it for it in ("final", "mmr", "fused") if it in available_systems(settings))


def check_systems(wanted: Sequence[str], settings: RetrievalSettings) -> tuple[str, ...]:
    """Return the rankings wanted, in the fixed order; all that the settings allow if none is named."""
    known = available_systems(settings)
    for name in wanted:
        if name not in known:
            raise InputError(f"stage {name!r}: choose {', '.join(known)}")
    return tuple(name for name in known if not wanted or name in wanted)


class PipelineRanker:
    """Ranks the corpus of a session for a query, once for each system wanted, by default all.

    The cross-encoder, which costs most, runs only where one of them needs it.
    """

    def __init__(self, session: Session, systems: Sequence[str] = ()) -> None:
        self._session, self._retriever = session, session.retriever
        settings = self._retriever.settings
        self.systems = check_systems(systems, settings)
        self._top_k = max(settings.rerank_pool, session.settings.TOP_K)
        self._known = available_systems(settings)
        self._reranker = any("reranker" in self._known[name].needs for name in self.systems)

    def __call__(self, text: str, query_id: str) -> Rankings:
        """Rank one query; a case with the query's own id is left out."""
        exclude = frozenset({query_id})
        try:
            rankings: Rankings = {}
            if set(self.systems) != {"classic"}:
                rankings = self._pipeline(self._session.query(text, len(text)), exclude)
            if "classic" in self.systems:
                query = Query((first_pieces(text, self._session.encoders),))
                classic = self._known["classic"].settings
                rankings["classic"] = self._fused(query, classic, exclude)["fused"]
        except InputError as error:
            raise InputError(f"query {query_id}: {error}") from error
        return {name: rankings[name][:DEPTH] for name in self.systems}

    def _pipeline(self, query: Query, exclude: frozenset[str]) -> Rankings:
        # The scores of all queries would fill the memory over a large corpus.
        self._retriever.forget()
        rankings = self._fused(query, {}, exclude)

        def rank(first: Iterable[str]) -> tuple[str, ...]:
            return tuple(dict.fromkeys([*first, *rankings["fused"]]))

        if "mmr" in rankings:
            rankings["mmr"] = rank(rankings["mmr"])
        for name, system in self._known.items():
            is_asked = name in self.systems or (name == "final" and self._reranker)
            if is_asked and system.settings and name != "classic":
                settings = self._retriever.settings.model_copy(update=system.settings)
                [ranking] = self._retriever.retrieve(
                    [query], top_k=self._top_k, settings=settings, exclude=exclude
                )
                rankings[name] = rank(ranking.pool)
                if name == "final":
                    results = sorted(ranking.results, key=lambda case: case.stages["rerank"].rank)
                    rankings["rerank"] = rank(case.case_id for case in results)
        return rankings

    def _fused(self, query: Query, changed: Mapping[str, Any], exclude: frozenset[str]) -> Rankings:
        """Return the ranking of each stage before the cross-encoder, some settings changed."""
        settings = self._retriever.settings.model_copy(update=changed)
        [state] = self._retriever.fuse([query], self._top_k, settings, exclude)
        ids, found = self._retriever.snapshot.case_ids, {}
        for name, (ranks, _) in state.stages.items():
            order = ranks.argsort(kind="stable")[int((ranks == 0).sum()) :]  # 0 is not ranked
            found[name] = tuple(ids[case] for case in order)
        return found


def first_pieces(text: str, encoders: Encoders) -> str:
    """Return the first words of `text` that fit into `FIRST_PIECES`; at least one."""
    words = text.split()
    fitting = bisect_right(list(accumulate(encoders.counts(words))), FIRST_PIECES) if words else 0
    return " ".join(words[: max(fitting, 1)])


def rank_queries(
    queries: Mapping[str, str],
    rank: Callable[[str, str], Mapping[str, Sequence[str]]],
    names: Sequence[str],
    store: ResultStore | None = None,
    progress: Progress | None = None,
) -> dict[str, Run]:
    """Rank all queries by every system in `names`, in their order.

    Each run gives n, n − 1, ... as scores: trec_eval reads scores in single precision and breaks
    ties by id, and so takes exactly this order. `rank` takes text and id of a query.
    """

    def run(query: tuple[str, str]) -> dict[str, Any]:
        query_id, text = query
        rankings = rank(text, query_id)
        # Rankings are stored as positions in one list of case ids, so that each id is stored once.
        place = {case: at for at, case in enumerate(dict.fromkeys(chain(*rankings.values())))}
        places = {name: [place[case] for case in row] for name, row in rankings.items()}
        return {"cases": list(place), "rankings": places}

    found = run_cases(
        list(queries.items()), run, list, store, progress, "queries",
        is_enough=lambda kept: kept["rankings"].keys() >= set(names),
    )  # fmt: skip
    runs: dict[str, Run] = {name: {} for name in names}
    for query_id, kept in zip(queries, found, strict=True):
        for name in names:
            listed = [kept["cases"][at] for at in kept["rankings"][name]]
            runs[name][query_id] = {case: float(len(listed) - n) for n, case in enumerate(listed)}
    return runs
