"""The hybrid retriever over the real encoders and a small corpus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from countercase.config import RetrievalSettings
from countercase.corpus.documents import Document
from countercase.corpus.index.build import build_index
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import ConfigError, CorpusIndexError, InputError
from countercase.retrieval.base import Filters, Query, check_size
from countercase.retrieval.hybrid import HybridRetriever

SUBJECTS = {
    "knife": "The accused stabbed the deceased with a knife in a sudden quarrel. Section 302 of the "
    "Indian Penal Code was charged; the conviction was altered to section 304 Part II.",
    "poison": "The accused mixed poison with food. Murder under section 302 of the Indian Penal Code.",
    "cheque": "A cheque was returned unpaid for want of funds. Section 138 of the Negotiable "
    "Instruments Act, 1881 applied, since notice was given within time.",
    "bribe": "The clerk asked for a bribe and was trapped with marked notes. Section 7 of the "
    "Prevention of Corruption Act, 1988 was proved by demand and acceptance.",
    "tax": "The assessee claimed depreciation. The assessment was reopened beyond the time allowed.",
    "land": "Land was acquired for a railway siding. Compensation was enhanced by the reference court.",
    "service": "A constable was dismissed without an enquiry. Article 311 of the Constitution was "
    "infringed and he was reinstated.",
    "rent": "The landlord sought eviction for his own need. The tenant denied the need.",
}
CASE = Query(
    (
        "The accused stabbed his neighbour once with a knife in a sudden quarrel.",
        "He was convicted under section 302 of the Indian Penal Code and pleads for section 304 "
        "Part II.",
    )
)
AREAS = {"knife": "Homicide", "poison": "homicide", "tax": "Direct  tax; land"}
DOCUMENTS = [
    Document(
        name,
        f"{name} case",
        text,
        {"year": 1980 + at, "court": "Supreme Court of India", "area": AREAS.get(name, "")},
    )
    for at, (name, text) in enumerate(SUBJECTS.items())
]
QUICK: dict[str, Any] = {"use_reranker": False, "rerank_pool": 6, "mmr_head": 7}
FAST = RetrievalSettings(**QUICK)


@pytest.fixture(scope="module")
def snapshot(encoders: EmbeddedEncoders) -> Snapshot:
    return build_index(DOCUMENTS, "subjects", encoders, 200)[0]


Made = Callable[..., HybridRetriever]


@pytest.fixture
def made(snapshot: Snapshot, encoders: EmbeddedEncoders) -> Made:
    """Makes a retriever of its own, with FAST settings but for those that are given."""
    return lambda **changed: HybridRetriever(
        snapshot, encoders, RetrievalSettings(**(QUICK | changed))
    )


@pytest.fixture
def retriever(made: Made) -> HybridRetriever:
    return made()


def test_the_like_case_comes_first_with_its_trace(retriever: HybridRetriever) -> None:
    [ranking] = retriever.retrieve([CASE], top_k=5)
    first = ranking.results[0]
    assert first.case_id == "knife"
    assert [result.rank for result in ranking.results] == [1, 2, 3, 4, 5]
    assert list(first.stages) == ["dpr", "chroma", "lexical", "fused", "mmr"]
    assert all(score.rank >= 1 for score in first.stages.values())
    assert {match.segment for match in first.matches} == {0, 1}
    assert "knife" in retriever.snapshot.text(first.matches[0].chunk)


def test_the_order_of_segments_does_not_reach_the_ranking(retriever: HybridRetriever) -> None:
    turned = Query(CASE.segments[::-1])
    one, other = retriever.retrieve([CASE, turned])
    assert one.case_ids == other.case_ids
    assert [r.stages for r in one.results] == [r.stages for r in other.results]


def test_the_case_itself_is_left_out(retriever: HybridRetriever, snapshot: Snapshot) -> None:
    [ranking] = retriever.retrieve([CASE], exclude=frozenset({"knife"}))
    assert "knife" not in ranking.case_ids
    assert retriever.twins(CASE, "knife") == {"knife"}
    assert retriever.twins(CASE, "new", "Knife  Case") == {"knife"}
    assert retriever.twins(CASE, "new") == frozenset()
    whole = snapshot.text(int(snapshot.starts[snapshot.case_ids.index("cheque")]))
    assert retriever.twins(Query((whole,)), "new") == {"cheque"}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(year_from=1986), {"service", "rent"}),
        (Filters(year_to=1981), {"knife", "poison"}),
        (Filters(provision="NIA-138"), {"cheque"}),
        (Filters(areas=("homicide",)), {"knife", "poison"}),
        (Filters(areas=("HOMICIDE", "direct-tax"), year_from=1981), {"poison", "tax"}),
        (Filters(court="supreme", year_from=1982, year_to=1983), {"cheque", "bribe"}),
    ],
)
def test_filters(retriever: HybridRetriever, filters: Filters, expected: set[str]) -> None:
    [ranking] = retriever.retrieve([CASE], filters=filters)
    assert set(ranking.case_ids) == expected


def test_what_cannot_be_asked_is_an_error_and_not_an_empty_ranking(
    retriever: HybridRetriever,
) -> None:
    with pytest.raises(InputError, match="states nothing"):
        retriever.retrieve([Query(())])
    settings = retriever.settings.model_copy(update={"rankers": ("lexicl",)})
    with pytest.raises(ConfigError, match="no rankers named 'lexicl'; did you mean lexical"):
        retriever.retrieve([CASE], settings=settings)
    with pytest.raises(InputError, match="leave no precedent"):
        retriever.retrieve([CASE], filters=Filters(year_from=2020))
    with pytest.raises(InputError, match=r"areas of this corpus: direct_tax, homicide, land\)"):
        retriever.retrieve([CASE], filters=Filters(areas=("writs",)))
    with pytest.raises(InputError, match="no decision is of writs"):
        retriever.retrieve([CASE], filters=Filters(areas=("land", "writs")))
    undated = [replace(data, year=None) for data in retriever.snapshot.metadata]
    corpus = SimpleNamespace(case_ids=retriever.snapshot.case_ids, metadata=undated, areas={})
    with pytest.raises(InputError, match="no decision here has a date"):
        Filters(year_from=1990).allowed(corpus)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the query is empty"):
        check_size(" ")


def test_segments_count_by_their_weights(retriever: HybridRetriever) -> None:
    weighted = Query(CASE.segments, weights=(0.5, 3.0))
    retriever.load([weighted])
    scores = retriever.channels.scores
    for name in ("lexical", "dpr"):
        one, two = (scores(name, Query((it,), reach=2)) for it in CASE.segments)
        assert one.any() and two.any()
        assert scores(name, CASE) == pytest.approx(one + two)
        assert scores(name, weighted) == pytest.approx(0.5 * one + 3.0 * two)


def test_a_change_of_code_changes_nothing_in_the_lexical_channel(
    retriever: HybridRetriever,
) -> None:
    old = Query(("He is charged under section 302 IPC.",))
    new = Query(("He is charged under section 103(1) BNS.",))
    one, two = retriever.fuse([old, new])
    top = int(one.stages["lexical"][1].argmax())
    assert retriever.snapshot.case_ids[top] in {"knife", "poison"}
    for case in ("knife", "poison"):
        at = retriever.snapshot.case_ids.index(case)
        assert two.stages["lexical"][1][at] > 0


def test_the_classic_reading_is_one_vector(made: Made) -> None:
    [ranking] = made(query_reading="whole", rankers=("dpr", "chroma")).retrieve([CASE])
    assert ranking.query.segments == (" ".join(CASE.segments),)
    assert "lexical" not in ranking.results[0].stages


def test_the_cross_encoder_orders_the_pool(made: Made) -> None:
    [ranking] = made(use_reranker=True).retrieve([CASE])
    assert ranking.results[0].case_id in {"knife", "poison"}
    for result in ranking.results:
        stages = result.stages
        assert sum(m.weight for m in result.matches) == pytest.approx(stages["rerank"].score)
        # the cross-encoder votes like one more ranker: 0.3 / (20 + its rank)
        vote = 0.3 / (20 + stages["rerank"].rank)
        assert stages["final"].score == pytest.approx(stages["fused"].score + vote)
    scores = [result.score for result in ranking.results]
    assert scores == sorted(scores, reverse=True)
    [fused] = made(use_reranker=True, rerank_weight=0.0).retrieve([CASE])
    places = [result.stages["fused"].rank for result in fused.results]
    assert places == sorted(places)


def test_a_long_narrative_keeps_its_facts_for_the_cross_encoder(made: Made) -> None:
    filler = tuple(f"On day {n} nothing of note was done by anyone." for n in range(5))
    query = Query((*filler, *CASE.segments), pinned=frozenset({5, 6}))
    [state] = made(rerank_segments=2).fuse([query])
    assert state.read == (5, 6)


def test_stages_and_k_are_arguments_of_one_retriever(made: Made) -> None:
    shared = made(use_reranker=True)
    changes: tuple[dict[str, Any], ...] = (
        {"use_reranker": False, "use_mmr": False},
        {"rankers": ("lexical",), "use_reranker": False},
        {"query_reading": "whole"},
        {"weights": {**FAST.weights, "dpr": 9.0}},
        {"rankers": ("dpr",)},
    )
    for changed in changes:
        settings = shared.settings.model_copy(update=changed)
        own = made(**({"use_reranker": True} | changed))
        for top_k in (3, 7):
            expected = own.retrieve([CASE], top_k=top_k)
            rankings = shared.retrieve([CASE], top_k=top_k, settings=settings)
            assert rankings == expected
            assert [it.pool for it in rankings] == [it.pool for it in expected]
    [before] = shared.retrieve([CASE])
    assert shared.cached_bytes > 0
    shared.forget()
    assert shared.cached_bytes == 0
    assert shared.retrieve([CASE]) == [before]


@pytest.mark.parametrize("settings", [FAST, RetrievalSettings()])
def test_documents_in_memory_rank_as_their_index_does(
    snapshot: Snapshot, encoders: EmbeddedEncoders, settings: RetrievalSettings
) -> None:
    indexed = HybridRetriever(snapshot, encoders, settings)
    memory = HybridRetriever.from_documents(
        reversed(DOCUMENTS), encoders=encoders, settings=settings
    )
    assert memory.snapshot.folder is None
    assert memory.snapshot.manifest.checksum == snapshot.manifest.checksum
    queries = [CASE, *(Query((text,)) for text in SUBJECTS.values())]
    assert memory.retrieve(queries) == indexed.retrieve(queries)
    assert memory.retrieve([CASE], filters=Filters(provision="NIA-138"))[0].case_ids == ("cheque",)
    assert memory.twins(CASE, "new", "Knife case") == {"knife"}


def test_documents_that_cannot_be_ranked(encoders: EmbeddedEncoders) -> None:
    with pytest.raises(CorpusIndexError, match="no document"):
        HybridRetriever.from_documents([], encoders=encoders)
    with pytest.raises(InputError, match=r"document 1 \(a\): field text is empty"):
        HybridRetriever.from_documents({"a": "  "}, encoders=encoders)
    twice = [Document("a", "", "x"), Document("a", "", "y")]
    with pytest.raises(InputError, match="'a' is used twice"):
        HybridRetriever.from_documents(twice, encoders=encoders)


def test_caches_may_be_emptied_in_the_middle(made: Made) -> None:
    own, emptied = (made(use_reranker=True) for _ in range(2))
    states = [CASE, Query((*CASE.segments, "He asks for bail.")), Query((CASE.segments[0],))]
    told: list[str] = []

    def forget(what: str, done: int, of: int) -> None:
        told.append(what)
        emptied.forget()

    assert emptied.retrieve(states, progress=forget) == own.retrieve(states)
    assert emptied.retrieve(states[1:], progress=forget) == own.retrieve(states[1:])
    assert told


def test_a_state_ranks_the_same_alone_and_in_a_batch_that_was_loaded(
    made: Made, encoders: EmbeddedEncoders
) -> None:
    one_by_one, at_once = made(), made()
    others = [Query((text,)) for text in SUBJECTS.values()]
    states = [*others, CASE, Query((CASE.segments[0], "He pleads to be let off.")), *others]
    at_once.load(states)
    encoded = encoders.computed
    found = at_once.retrieve(states)
    assert encoders.computed == encoded  # loading leaves nothing to score
    alone = [one_by_one.retrieve([state])[0] for state in states]
    assert found == alone
    assert [ranking.order for ranking in found] == [ranking.order for ranking in alone]
