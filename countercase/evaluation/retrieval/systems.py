"""The pipeline taken apart: every stage's own ranking, and the pipeline without one of its parts.

| name | ranking |
|---|---|
| `dpr`, `chroma`, `lexical` | one channel alone |
| `fused` | the channels by RRF |
| `mmr` | the pool in the order in which MMR chose it: the pipeline without the cross-encoder |
| `rerank` | the pool in the cross-encoder's order alone |
| `final` | the pool by the fused score and the cross-encoder's vote: the whole pipeline |
| `no-mmr` | the whole pipeline with the fused head as its pool |
| `classic` | one vector for the whole narrative, as far as its first 256 word pieces go, DPR and Chroma only, by RRF with equal weights |

Behind a pool follow the cases that it left out, in fused order, so that Recall and MAP look equally
deep into every ranking.
"""  # noqa: E501

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from countercase.config import Settings
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import Encoders
from countercase.errors import InputError
from countercase.evaluation.report import Run
from countercase.evaluation.result_store import ResultStore, fingerprint
from countercase.retrieval.base import Query, Ranking, Ranks, Stages
from countercase.retrieval.hybrid import HybridRetriever

SYSTEMS: Final = (
    "dpr", "chroma", "lexical", "fused", "mmr", "rerank", "final", "no-mmr", "classic",
)  # fmt: skip
"""All rankings, the stages in their order first."""

DEPTH: Final = 1000
"""Cases that a ranking lists at most."""

CLASSIC_PIECES: Final = 256
"""Word pieces that the classic reading takes in, the two that open and close a text included."""

_NEEDS_RERANKER: Final = frozenset({"rerank", "final", "no-mmr"})

Rankings = dict[str, tuple[str, ...]]
"""Case ids, best first, by name of the ranking."""


CODE: Final = (
    "text", "law", "facts", "corpus", "encoders", "retrieval", "evaluation/retrieval/systems.py",
)  # fmt: skip
"""The parts of the program that decide a ranking."""


def available_systems(settings: Settings) -> tuple[str, ...]:
    """The names that these settings allow, in order; a stage that is switched off has none."""
    names = {*settings.RANKERS, "fused", "classic"}
    names |= {"mmr"} if settings.USE_MMR else set()
    names |= {"rerank", "final"} if settings.USE_RERANKER else set()
    names |= {"no-mmr"} if settings.USE_MMR and settings.USE_RERANKER else set()
    return tuple(name for name in SYSTEMS if name in names)


def full_system(settings: Settings) -> str:
    """The name of the ranking that users get: that of the last stage that runs."""
    if settings.USE_RERANKER:
        return "final"
    return "mmr" if settings.USE_MMR else "fused"


def check_systems(wanted: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """The rankings wanted, in the fixed order; all that the settings allow where none is named.

    Raises:
        InputError: a name is unknown, or these settings switch it off.
    """
    known = available_systems(settings)
    for name in wanted:
        if name not in known:
            raise InputError(f"--stage {name!r}: choose {', '.join(known)}")
    return tuple(name for name in known if not wanted or name in wanted)


class PipelineRanker:
    """Ranks a corpus for a query, once for each system.

    Args:
        read: turns a text into the segments of a query.
        systems: the names wanted; all that the settings allow by default. The cross-encoder,
            which costs most, runs only where one of them needs it.

    Raises:
        InputError: a name is unknown, or these settings switch it off.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        encoders: Encoders,
        settings: Settings,
        read: Callable[[str], Query],
        systems: Sequence[str] = (),
    ) -> None:
        self.systems = check_systems(systems, settings)
        self._snapshot, self._encoders, self._read = snapshot, encoders, read
        # As many results as the pool holds, so that each comes with its ranks.
        width = max(settings.RERANK_POOL, settings.TOP_K)
        reranked = bool(_NEEDS_RERANKER & set(self.systems))
        self._width, self._reranker = width, reranked and settings.USE_RERANKER
        self._retriever = HybridRetriever(snapshot, encoders, settings.retrieval())

    def __call__(self, text: str, query_id: str) -> Rankings:
        """The rankings of one query; a case with the query's own id is left out.

        Raises:
            InputError: the query has no words, or nothing is left to rank.
        """
        exclude = frozenset({query_id})
        try:
            found = self._pipeline(self._read(text), exclude)
            if "classic" in self.systems:
                found["classic"] = self._classic(text, exclude)
        except InputError as error:
            raise InputError(f"query {query_id}: {error}") from error
        return {name: found[name][:DEPTH] for name in self.systems}

    def _pipeline(self, query: Query, exclude: frozenset[str]) -> Rankings:
        if set(self.systems) == {"classic"}:
            return {}
        # The rows of all queries would fill the memory over a large corpus.
        self._retriever.forget()
        [state] = self._retriever.fuse([query], top_k=self._width, exclude=exclude)
        found = {name: self._ids(listed) for name, (listed, _) in state.stages.items()}
        rest = found["fused"]
        if "mmr" in found:
            found["mmr"] = _then(found["mmr"], rest)
        if self._reranker:
            [ranking] = self._ranked(query, Stages(reranker=True), exclude)
            results = sorted(ranking.results, key=lambda one: one.stages["rerank"].rank)
            found["rerank"] = _then((one.case_id for one in results), rest)
            found["final"] = _then(ranking.pool, rest)
        if "no-mmr" in self.systems:
            [ranking] = self._ranked(query, Stages(mmr=False, reranker=self._reranker), exclude)
            found["no-mmr"] = _then(ranking.pool, rest)
        return found

    def _classic(self, text: str, exclude: frozenset[str]) -> tuple[str, ...]:
        [state] = self._retriever.fuse(
            [Query((self.classic_reading(text),))],
            top_k=self._width,
            stages=Stages(
                rankers=("dpr", "chroma"),
                weights={"dpr": 1.0, "chroma": 1.0},
                reading="whole",
                mmr=False,
            ),
            exclude=exclude,
        )
        return self._ids(state.stages["fused"][0])

    def classic_reading(self, text: str) -> str:
        """The words of `text` that fit into `CLASSIC_PIECES`; at least the first."""
        words = text.split()
        fitting = bisect_right(
            range(1, len(words) + 1),
            CLASSIC_PIECES - 2,
            key=lambda count: self._encoders.count(" ".join(words[:count])),
        )
        return " ".join(words[: max(fitting, 1)])

    def _ranked(self, query: Query, stages: Stages, exclude: frozenset[str]) -> list[Ranking]:
        return self._retriever.retrieve([query], top_k=self._width, stages=stages, exclude=exclude)

    def _ids(self, listed: Ranks) -> tuple[str, ...]:
        """Case ids by rank; rank 0 is not ranked."""
        order = listed.argsort(kind="stable")[int((listed == 0).sum()) :]
        return tuple(self._snapshot.case_ids[case] for case in order)


def _then(first: Iterable[str], rest: Sequence[str]) -> tuple[str, ...]:
    head = tuple(first)
    known = frozenset(head)
    return (*head, *(case for case in rest if case not in known))


def rank_queries(
    queries: Mapping[str, str],
    rank: Callable[[str, str], Mapping[str, Sequence[str]]],
    names: Sequence[str],
    store: ResultStore | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> dict[str, Run]:
    """The runs of every ranking in `names`, over all queries, in their order.

    Each run gives n, n − 1, ... as scores: trec_eval reads scores in single precision and breaks
    ties by id, and so takes exactly this order, whatever the retriever's own scores are.

    Args:
        queries: text by query id.
        rank: text and id of a query to case ids, best first, by name of the ranking.
        store: rankings that stand there are not made again, new ones are stored there.
        progress: called with `queries`, how many are done, and of how many.
    """
    runs: dict[str, Run] = {name: {} for name in names}
    for done, (query_id, text) in enumerate(queries.items(), start=1):
        key = fingerprint(query_id, text)
        rankings = _unpacked(store.get(key)) if store else {}
        if not rankings.keys() >= set(names):
            rankings = rank(text, query_id)
            if store:
                store.put(key, _packed(rankings))
        for name in names:
            listed = rankings[name]
            runs[name][query_id] = {case: float(len(listed) - at) for at, case in enumerate(listed)}
        if progress is not None:
            progress("queries", done, len(queries))
    return runs


def _packed(rankings: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Rankings as positions in one list of case ids, so that each id is stored once."""
    place: dict[str, int] = {}
    positions = {
        name: [place.setdefault(case, len(place)) for case in listed]
        for name, listed in rankings.items()
    }
    return {"cases": list(place), "rankings": positions}


def _unpacked(stored: Any) -> Mapping[str, Sequence[str]]:
    if stored is None:
        return {}
    cases: list[str] = stored["cases"]
    return {name: [cases[at] for at in listed] for name, listed in stored["rankings"].items()}
