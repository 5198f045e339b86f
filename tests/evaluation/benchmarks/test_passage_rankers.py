"""Windows of documents, the baselines and the hybrid that rank them."""

from __future__ import annotations

from math import ceil, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.config import RetrievalSettings
from countercase.corpus.documents import Document
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError
from countercase.evaluation.benchmarks.passage_systems import (
    PassageHybrid,
    best_windows,
    bm25_scores,
    bm25_tokens,
    clauses_of,
    cut_windows,
    readable_name,
    sentence_scores,
    tfidf_scores,
)
from countercase.evaluation.retrieval.systems import first_pieces

# Windows


@given(st.integers(1, 120), st.integers(1, 40), st.data())
def test_windows_cover_every_word_in_order(count: int, size: int, data: st.DataObject) -> None:
    stride, blank = data.draw(st.integers(1, size)), st.sampled_from([" ", "\n\n", "\t "])
    blanks = data.draw(st.lists(blank, min_size=count, max_size=count))
    words = [f"w{at}" for at in range(count)]
    text = "  " + "".join(word + blank for word, blank in zip(words, blanks, strict=True))
    windows = cut_windows([Document("d", "", text)], size, stride).windows
    assert len(windows) == (1 if count <= size else ceil((count - size) / stride) + 1)
    for number, window in enumerate(windows):
        first = number * stride
        assert window.text == " ".join(words[first : first + size])
        assert text[window.start : window.end].split() == window.text.split()
    assert windows[-1].text.endswith(words[-1])


def test_windows_know_their_document_and_its_name() -> None:
    corpus = cut_windows(
        [Document("folder/Lease_2020-final", "", "a b c"), Document("x", "A Deed", "d")], 2, 1
    )
    assert corpus.names == ("Lease_2020-final", "A Deed")
    assert [window.document for window in corpus.windows] == [0, 0, 1]
    assert readable_name("Lease_2020-final") == "Lease 2020 final"
    assert readable_name("A well-known Deed") == "A well-known Deed"


@pytest.mark.parametrize(("size", "stride"), [(0, 1), (5, 0), (5, 6)])
def test_windows_that_would_lose_words_are_refused(size: int, stride: int) -> None:
    with pytest.raises(InputError, match="no longer than the window"):
        cut_windows([Document("d", "", "a b c")], size, stride)


# The baselines

TEXTS = [
    "The tenant shall pay rent monthly.",
    "The landlord repairs the roof and the roof gutter.",
    "Notice of termination goes to the landlord by post.",
    "A deposit is returned within thirty days of termination.",
]


def test_bm25_by_hand() -> None:
    # Lengths 3, 2, 1, mean 2; "rent" stands in one of three: idf = ln(2.5 / 1.5).
    listed = ["fee", "rs", "5", "shall"]
    assert bm25_tokens("The non-disclosure, and/or (fee) of Rs. 5; shall") == listed
    windows = ["rent rent deposit", "deposit roof", "gutter"]
    idf = log(2.5 / 1.5)
    spread = 1.5 * (0.25 + 0.75 * 3 / 2)
    assert bm25_scores(windows, ["rent", "Rent rent?"])[:, 0] == pytest.approx(
        [idf * 2 * 2.5 / (2 + spread), 2 * idf * 2 * 2.5 / (2 + spread)], abs=1e-9
    )
    # "deposit" in two of three has ln(1.5 / 2.5) < 0, so a quarter of the mean idf.
    floor = 0.25 * (3 * idf - idf) / 4
    spread = 1.5 * (0.25 + 0.75 * 2 / 2)
    assert bm25_scores(windows, ["deposit"])[0, 1] == pytest.approx(
        floor * 2.5 / (1 + spread), abs=1e-9
    )


def test_a_query_of_unknown_words_scores_nothing() -> None:
    assert not bm25_scores(TEXTS, ["zebra the"]).any()
    assert not tfidf_scores(TEXTS, ["zebra"]).any()
    assert tfidf_scores(["rent", "deposit"], ["the rent", "deposit"]).tolist() == [[1, 0], [0, 1]]
    assert not bm25_scores(["the of", "and"], ["rent"]).any()
    assert best_windows(np.array([[0.1, 0.5, 0.5, 0.2]]), 3) == [[1, 2, 3]]  # ties by position


def test_the_sentence_encoder_reads_the_first_words_alone(encoders: EmbeddedEncoders) -> None:
    long = "rent " * 400
    assert first_pieces(long, encoders) == " ".join(["rent"] * 254)
    assert first_pieces("pay  the\nrent", encoders) == "pay the rent"
    assert first_pieces("", encoders) == ""
    windows = [long + "roof", long + "deposit", "The roof leaks."]
    scores = sentence_scores(windows, ["Who mends the roof?"], encoders)
    assert scores[0, 0] == scores[0, 1]  # what tells them apart comes too late
    assert scores[0, 2] > scores[0, 0]
    assert scores.tobytes() == sentence_scores(windows, ["Who mends the roof?"], encoders).tobytes()


# The hybrid


def agreement(name: str, town: str, notice: str) -> Document:
    """A lease whose duties are in the words of all leases, but for the days of its notice."""
    duties = (
        "The tenant pays the rent on the first of each month. The landlord mends the roof and the "
        f"gutters. Either side may end the lease by notice of {notice} in writing. "
        "The deposit is returned when the keys are given back. Pets are not allowed. "
    )
    opening = f"LEASE between {name} and the tenant of the house at {town}. "
    return Document(f"lease_{town}", "", opening + "It is agreed as follows. " * 12 + duties)


AGREED = (
    ("Orchid Estates", "Almora", "sixty days"),
    ("Birch Homes", "Bareilly", "thirty days"),
    ("Cedar Villas", "Chamba", "ninety days"),
)
LEASES = cut_windows([agreement(*it) for it in AGREED], 40, 20)
ASKED = [
    "Consider the lease of Birch Homes; What notice in writing must a side give?",
    "Consider the lease of Cedar Villas's house; Who mends the roof?",
    "How long is the notice at Almora?",
]


def test_clauses_of_a_query() -> None:
    assert clauses_of("Consider A v. B's deed; Is it void? Say why.") == [
        "Consider A v. B's deed", "Is it void?", "Say why.",
    ]  # fmt: skip
    assert clauses_of("one clause") == ["one clause"]
    assert clauses_of(" ; ") == []


def test_the_named_document_comes_first_though_its_windows_do_not_name_it(
    encoders: EmbeddedEncoders,
) -> None:
    for without in ((), ("dense",)):
        ranked = PassageHybrid(LEASES, encoders, RetrievalSettings(), without).rank(ASKED, 4)
        best = [LEASES.windows[places[0]] for places in ranked]
        assert [window.document for window in best] == [1, 2, 0]
    notice, roof, _ = (window.text for window in best)
    assert "thirty days" in notice and "Birch" not in notice
    assert "mends the roof" in roof and "Cedar" not in roof


def test_without_heads_the_windows_of_all_documents_are_alike(encoders: EmbeddedEncoders) -> None:
    without = ("heads", "dense")
    ranked = PassageHybrid(LEASES, encoders, RetrievalSettings(), without).rank(ASKED[1:2], 3)
    assert len({LEASES.windows[at].document for at in ranked[0]}) > 1


@pytest.mark.parametrize(
    ("without", "cross_encoder"),
    [((), False), (("dense",), False), (("lexical",), False), (("roles",), False), ((), True)],
)
def test_a_ranking_is_the_same_alone_and_in_company(
    encoders: EmbeddedEncoders, without: tuple[str, ...], cross_encoder: bool
) -> None:
    def rank(asked: list[str]) -> list[list[int]]:
        hybrid = PassageHybrid(LEASES, encoders, RetrievalSettings(), without, cross_encoder)
        return hybrid.rank(asked, 5)

    for asked, ranked in zip(ASKED, rank(ASKED), strict=True):
        assert rank([asked]) == [ranked]
        assert len(set(ranked)) == 5


def test_the_cross_encoder_votes_within_the_pool_alone(encoders: EmbeddedEncoders) -> None:
    config = RetrievalSettings(rerank_pool=3, rerank_weight=50.0)
    plain = PassageHybrid(LEASES, encoders, config).rank(ASKED, 9)
    voted = PassageHybrid(LEASES, encoders, config, cross_encoder=True).rank(ASKED, 9)
    for before, after in zip(plain, voted, strict=True):
        assert sorted(before[:3]) == sorted(after[:3])
        assert before[3:] == after[3:]


def test_a_hybrid_needs_a_channel_but_no_words(encoders: EmbeddedEncoders) -> None:
    hybrid = PassageHybrid(LEASES, encoders, RetrievalSettings(), ("dense",))
    assert hybrid.rank(["???", " ; "], 2) == [[0, 1], [0, 1]]
    with pytest.raises(InputError, match="keep one of them"):
        PassageHybrid(LEASES, encoders, RetrievalSettings(), ("lexical", "dense"))
