"""The feature channel: scores worked by hand, order and batch, and what is said without facts."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from countercase.config import RetrievalSettings, load_settings
from countercase.corpus.documents import Document
from countercase.corpus.index.memory import index_in_memory
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError
from countercase.retrieval.base import Query, Stages
from countercase.retrieval.features import FeatureRanker
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import Session

DOCUMENTS = [
    Document("a", "", "He was convicted under section 302 IPC."),
    Document(
        "b",
        "",
        "He was convicted under sections 302 and 34 IPC. The post-mortem report gives the cause of "
        "death.",
    ),
    Document("c", "", "The cheque bounced: section 138 of the Negotiable Instruments Act."),
    Document("d", "", "The tenant had sublet the shop."),
]
MURDER, CHEQUE, MEDICAL = "provision:IPC-302", "provision:NIA-138", "evidence:medical"
FOUR = ("dpr", "chroma", "lexical", "features")
SEGMENT = "He was convicted of murder."

# Features of a: IPC-302; of b: IPC-302, IPC-34, medical; of c: NIA-138; of d: none. Mean 5 / 4.
USUAL = 1 + 5 / 4
OF_TWO, OF_ONE = log(1 + 2.5 / 2.5), log(1 + 3.5 / 1.5)


@pytest.fixture(scope="module")
def retriever(encoders: EmbeddedEncoders) -> HybridRetriever:
    snapshot = index_in_memory(DOCUMENTS, encoders, 64)
    return HybridRetriever(snapshot, encoders, RetrievalSettings(rankers=FOUR))


def test_scores_by_hand(retriever: HybridRetriever) -> None:
    query = Query((SEGMENT,), features=((MEDICAL, 0.25), (MURDER, 0.5), ("figure:age", 1.0)))
    [state] = retriever.fuse([query])
    ranks, scores = state.stages["features"]
    only, three = sqrt(USUAL / 2), sqrt(USUAL / 4)
    expected = [0.5 * OF_TWO * only, (0.5 * OF_TWO + 0.25 * OF_ONE) * three, 0, 0]
    assert scores == pytest.approx(expected, abs=1e-9)
    # ½ · ln 2 · 1.06 = .37 for a, (.35 + .30) · .75 = .49 for b; c and d have nothing in common.
    assert ranks.tolist() == [2, 1, 0, 0]


def test_the_vote_of_the_channel_is_its_weight_over_k_and_rank(retriever: HybridRetriever) -> None:
    query = Query((SEGMENT,), features=((CHEQUE, 1.0),))
    [four] = retriever.fuse([query])
    [three] = retriever.fuse([query], stages=Stages(rankers=FOUR[:3]))
    added = four.stages["fused"][1] - three.stages["fused"][1]
    assert added == pytest.approx([0, 0, 0.2 / 21, 0], abs=1e-11)


def test_neither_order_nor_batch_changes_a_bit(encoders: EmbeddedEncoders) -> None:
    features = ((MEDICAL, 0.3), (MURDER, 0.7), (CHEQUE, 0.1), ("provision:IPC-34", 0.9))
    queries = [Query((SEGMENT,), features=features), Query((SEGMENT,), features=features[::-1])]
    queries += [Query((SEGMENT,), features=(one,)) for one in features]

    def fresh() -> HybridRetriever:
        snapshot = index_in_memory(DOCUMENTS[::-1], encoders, 64)
        return HybridRetriever(snapshot, encoders, RetrievalSettings(rankers=FOUR))

    together = [state.stages["features"][1].tobytes() for state in fresh().fuse(queries)]
    alone = [fresh().fuse([query])[0].stages["features"][1].tobytes() for query in queries]
    assert together == alone
    assert together[0] == together[1] != together[2]


def test_features_of_a_query_do_not_reach_the_default_rankers(encoders: EmbeddedEncoders) -> None:
    snapshot = index_in_memory(DOCUMENTS, encoders, 64)
    default = HybridRetriever(snapshot, encoders)
    assert "features" not in default.settings.rankers
    plain, featured = default.retrieve(
        [Query((SEGMENT,)), Query((SEGMENT,), features=((CHEQUE, 1.0),))]
    )
    assert plain.results == featured.results and plain.order == featured.order


def test_a_query_of_no_facts_is_ranked_by_the_others(retriever: HybridRetriever) -> None:
    [four] = retriever.fuse([Query((SEGMENT,), features=())])
    [three] = retriever.fuse([Query((SEGMENT,))], stages=Stages(rankers=FOUR[:3]))
    assert not four.stages["features"][0].any()
    assert np.array_equal(four.stages["fused"][1], three.stages["fused"][1])


def test_a_query_whose_facts_were_not_read_is_refused(retriever: HybridRetriever) -> None:
    with pytest.raises(InputError, match="none were read of this query; name it in RANKERS"):
        retriever.retrieve([Query((SEGMENT,))])


def test_other_features_another_key() -> None:
    keys = {
        Query(("a",)).key,
        Query(("a",), features=((MURDER, 1.0),)).key,
        Query(("a",), features=((MURDER, 0.5),)).key,
        Query(("a",), features=((CHEQUE, 1.0),)).key,
    }
    assert len(keys) == 4
    assert Query(("a",), features=()).key == Query(("a",)).key


def test_a_text_is_read_for_facts_where_the_channel_is_on(encoders: EmbeddedEncoders) -> None:
    text = "He was convicted under section 302 IPC."
    snapshot = index_in_memory(DOCUMENTS, encoders, 64)
    options = {"FACT_TAGGER": False, "SALIENCE_POWER": 0, "CHANGE_POWER": 0}
    four = Session(load_settings(RANKERS=FOUR, **options), encoders, snapshot)
    assert four.query(text).features == ((MURDER, 1.0),)
    assert four.search(text).results[0].stages["features"].rank == 1
    assert Session(load_settings(**options), encoders, snapshot).query(text).features is None
    short = Session(load_settings(RANKERS=FOUR, MAX_CHARACTERS=1000, **options), encoders, snapshot)
    with pytest.raises(InputError, match="raise MAX_CHARACTERS"):
        short.query(text * 40)


def test_a_row_does_not_depend_on_the_rows_beside_it(retriever: HybridRetriever) -> None:
    ranker = FeatureRanker(retriever.snapshot, retriever.encoders, retriever.settings)
    [alone] = ranker.rows([MURDER])
    assert ranker.rows([CHEQUE, MURDER, MEDICAL])[1].tobytes() == alone.tobytes()
