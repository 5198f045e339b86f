"""Passage retrieval: the measures by hand and by an oracle, the systems, the files, the commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import ceil, log, log2, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.config import RetrievalSettings, Settings
from countercase.corpus.documents import Document
from countercase.corpus.readers.detect import read_corpus
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError
from countercase.evaluation.benchmarks.passages.hybrid import (
    HybridParts,
    PassageHybrid,
    WindowedCorpus,
    clauses_of,
    cut_windows,
    readable_name,
)
from countercase.evaluation.benchmarks.passages.scores import (
    GoldQuery,
    Idcg,
    PassageQuery,
    Prediction,
    Snippet,
    exact_match,
    matched_answers,
    ndcg_at_k,
    pair_predictions,
    passages_section,
    read_benchmark,
    read_predictions,
    recall_at_k,
    score_passages,
    span_f1,
)
from countercase.evaluation.benchmarks.passages.systems import (
    best_windows,
    bm25_scores,
    bm25_tokens,
    first_pieces,
    retrieve_passages,
    sentence_scores,
    tfidf_scores,
)

IDCG: tuple[Idcg, ...] = ("gold", "retrieved")


def close(value: float) -> Any:
    return pytest.approx(value, abs=1e-12)


# The measures, worked by hand


def test_exact_match_is_of_the_whole_passage_and_blind_to_case() -> None:
    assert exact_match("  Notices go by POST. ", ["a fee", "notices go\nby post."]) == 1
    assert exact_match("Notices go by post. And more.", ["notices go by post."]) == 0
    assert exact_match("anything", []) == 0


def test_span_f1_by_hand() -> None:
    # {the, tenant, pays, rent} and {the, tenant, pays, monthly, rent}: 2 * 4 / (4 + 5)
    assert span_f1("The tenant pays rent; the tenant pays.", ["the tenant pays monthly rent"]) == (
        close(8 / 9)
    )
    assert span_f1("Rs. 500 (five hundred)", ["nothing here", "rs 500"]) == close(4 / 6)
    assert span_f1("... --", ["rent"]) == 0
    assert span_f1("rent", ["--"]) == 0


def test_a_match_is_either_way_and_blind_to_case_and_line_ends() -> None:
    answers = ["keep it\n  SECRET", "return all copies", "secret"]
    assert matched_answers("They shall Keep it secret.", answers) == {0, 2}
    assert matched_answers("all copies", answers) == {1}
    assert matched_answers("keep it", ["keep", "it secret"]) == {0}


def test_a_blank_passage_matches_nothing_though_it_is_part_of_everything() -> None:
    assert matched_answers(" \n", ["keep it secret"]) == frozenset()


def test_recall_by_hand() -> None:
    answers = ["first duty", "second duty", "third duty", "fourth duty"]
    retrieved = ["x first duty y", "no", "first duty", "second duty and third duty"]
    assert recall_at_k(retrieved, answers, 3) == close(1 / 4)
    assert recall_at_k(retrieved, answers, 4) == close(3 / 4)


@pytest.mark.parametrize(
    ("retrieved", "gold", "published"),
    [
        (["a b", "no", "no"], 1 / (1 + 1 / log2(3)), 1.0),  # one of two, first
        (["no", "a b", "no"], (1 / log2(3)) / (1 + 1 / log2(3)), 1 / log2(3)),
        (["a", "b", "no"], 1.0, 1.0),
        (["no", "no", "no"], 0.0, 0.0),
        (["x a y", "no", "a z", "b"], (1 + 1 / log2(5)) / (1 + 1 / log2(3)), None),
        (["a and then b", "no"], 1.0, 1.0),  # both in one passage
        ([], 0.0, 0.0),
    ],
)
def test_ndcg_by_hand(retrieved: list[str], gold: float, published: float | None) -> None:
    answers = ["b", "a"] if "a b" not in retrieved else ["a b", "other words"]
    assert ndcg_at_k(retrieved, answers, 10) == close(gold)
    if published is None:  # 1, 3 and 4 match: the repetition counts as a passage of its own
        published = (1 + 1 / 2 + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / 2)
    assert ndcg_at_k(retrieved, answers, 10, "retrieved") == close(published)


def test_the_published_ideal_forgives_what_was_missed() -> None:
    answers = ["one duty", "two duty", "six duty", "ten duty"]
    assert ndcg_at_k(["one duty"], answers, 10, "retrieved") == 1
    assert ndcg_at_k(["one duty"], answers, 10) < 0.4


def test_a_repeated_answer_is_no_second_finding_and_no_loss() -> None:
    once, twice = ["the duty", "no"], ["the duty", "no", "no", "also the duty"]
    assert ndcg_at_k(once, ["the duty"], 10) == ndcg_at_k(twice, ["the duty"], 10) == 1
    assert ndcg_at_k(twice, ["the duty"], 10, "retrieved") < 1


# The measures against an oracle

ANSWERS = tuple(f"<{letter}>" for letter in "abcdef")
runs = st.lists(st.sets(st.sampled_from(ANSWERS), max_size=3), max_size=14)
golds = st.sets(st.sampled_from(ANSWERS), min_size=1)


def oracle_ndcg(gains: list[bool], unfound: int, k: int) -> float:
    """nDCG of ir_measures, for documents in the order of `gains` and `unfound` more relevant."""
    import ir_measures
    from ir_measures import nDCG

    run = {f"d{at}": float(len(gains) - at) for at in range(len(gains))}
    relevant = {f"d{at}": 1 for at, gain in enumerate(gains) if gain}
    relevant |= {f"missed{at}": 1 for at in range(unfound)}
    if not run or not relevant:
        return 0.0
    return float(ir_measures.calc_aggregate([nDCG @ k], {"q": relevant}, {"q": run})[nDCG @ k])


@settings(max_examples=1_000, deadline=None)
@given(runs, golds, st.integers(1, 12))
def test_ndcg_equals_that_of_ir_measures(run: list[set[str]], gold: set[str], k: int) -> None:
    retrieved = ["".join(["words ", *sorted(held)]) for held in run]
    matching = [bool(held & gold) for held in run[:k]]
    news, seen = [], set[str]()
    for held in run[:k]:
        news.append(bool((held & gold) - seen))
        seen |= held & gold
    answers = sorted(gold)
    assert ndcg_at_k(retrieved, answers, k, "retrieved") == pytest.approx(
        oracle_ndcg(matching, 0, k), abs=1e-9
    )
    assert ndcg_at_k(retrieved, answers, k, "gold") == pytest.approx(
        oracle_ndcg(news, len(gold - seen), k), abs=1e-9
    )
    assert recall_at_k(retrieved, answers, k) == close(len(seen) / len(gold))


@settings(max_examples=200, deadline=None)
@given(runs, golds, st.integers(1, 12), st.sampled_from(IDCG))
def test_measures_lie_between_0_and_1(
    run: list[set[str]], gold: set[str], k: int, idcg: Idcg
) -> None:
    query = PassageQuery("q", tuple(sorted(gold)), tuple("".join(sorted(held)) for held in run))
    scores = score_passages([query], k, idcg)
    for [value] in scores.values.values():
        assert 0 <= value <= 1 + 1e-12


@given(st.text(max_size=60), st.text(max_size=60))
def test_span_f1_is_symmetric(left: str, right: str) -> None:
    assert span_f1(left, [right]) == span_f1(right, [left])


@given(runs, golds)
def test_the_order_of_the_answers_does_not_matter(run: list[set[str]], gold: set[str]) -> None:
    retrieved = ["".join(sorted(held)) for held in run]
    forwards, backwards = sorted(gold), sorted(gold, reverse=True)
    assert ndcg_at_k(retrieved, forwards, 10) == ndcg_at_k(retrieved, backwards, 10)
    assert recall_at_k(retrieved, forwards, 10) == recall_at_k(retrieved, backwards, 10)


# The mean over queries


def query(retrieved: list[str], *answers: str) -> PassageQuery:
    return PassageQuery("q", answers, tuple(retrieved))


def test_means_are_over_the_queries_that_have_an_answer() -> None:
    scores = score_passages(
        [query(["rent"], "rent"), query(["no"], "rent"), query(["rent"]), query([], "rent")]
    )
    assert scores.without_gold == 1
    found = scores.to_dict()
    assert found["num_examples"] == 3
    for name in ("exact_match", "span_f1", "recall@10", "ndcg@10"):
        assert found[name] == close(1 / 3)
    assert [one["recall"] for one in found["queries"]] == [1, 0, 0]


def test_k_names_the_measures_and_cuts_the_passages() -> None:
    found = score_passages([query(["no", "no", "rent"], "rent")], k=2).to_dict()
    assert (found["recall@2"], found["ndcg@2"]) == (0, 0)
    with pytest.raises(ValueError, match="at least 1"):
        score_passages([query(["rent"], "rent")], k=0)


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(ValueError, match="no query has a gold answer"):
        score_passages([query(["rent"])])


def test_the_section_has_the_means_with_intervals_that_hold_them() -> None:
    queries = [query(["rent"], "rent")] * 3 + [query(["no"], "rent")] * 5
    section = passages_section(score_passages(queries))
    assert [one.key for one in section.measures] == [
        "exact_match", "span_f1", "recall@10", "ndcg@10",
    ]  # fmt: skip
    for measure in section.measures:
        assert measure.value == close(3 / 8)
        assert measure.low is not None and measure.high is not None
        assert measure.low < 3 / 8 < measure.high
    assert section.to_dict() == passages_section(score_passages(queries)).to_dict()
    json.dumps(section.to_dict(), allow_nan=False)


def test_an_interval_of_equal_values_is_that_value_and_of_one_query_there_is_none() -> None:
    [none, *_] = passages_section(score_passages([query(["rent"], "rent")])).measures
    assert (none.low, none.high) == (None, None)
    [same, *_] = passages_section(score_passages([query(["rent"], "rent")] * 2)).measures
    assert (same.low, same.high) == (1, 1)


# Windows


@given(st.integers(1, 120), st.integers(1, 40), st.data())
def test_windows_cover_every_word_in_order(count: int, size: int, data: st.DataObject) -> None:
    stride = data.draw(st.integers(1, size))
    blanks = data.draw(
        st.lists(st.sampled_from([" ", "\n\n", "\t "]), min_size=count, max_size=count)
    )
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
    assert corpus.owners.tolist() == [0, 0, 1]
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


def test_tfidf_of_one_shared_word_by_hand() -> None:
    # "rent" and "deposit" as whole texts: one feature each, so the cosine is 1 or 0.
    assert tfidf_scores(["rent", "deposit"], ["the rent", "deposit"]).tolist() == [[1, 0], [0, 1]]
    # "rent rent" has rent twice and the pair once; "rent deposit" all different.
    held, other = np.array([2 * 1.0, log(3 / 2) + 1]), np.array([1.0, 0.0])
    cosine = held @ other / sqrt(held @ held)
    assert tfidf_scores(["rent rent", "rent"], ["rent"])[0, 0] == pytest.approx(cosine, abs=1e-9)


def test_bm25_by_hand() -> None:
    # Lengths 3, 2, 1, mean 2; "rent" stands in one of three: idf = ln(2.5 / 1.5).
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


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=9), min_size=1, max_size=6)
)
def test_bm25_ranks_as_bm25s_does_where_no_idf_is_negative(texts: list[list[str]]) -> None:
    import bm25s

    windows = [" ".join(f"x{word}" for word in text) for text in texts]
    windows += [f"filler{at} words{at}" for at in range(len(windows) + 1)]
    engine = bm25s.BM25(k1=1.5, b=0.75, method="robertson")
    engine.index([bm25_tokens(window) for window in windows], show_progress=False)
    for letter in sorted({f"x{word}" for text in texts for word in text}):
        expected = engine.get_scores([letter]) * 2.5  # bm25s leaves the constant k1 + 1 out
        assert bm25_scores(windows, [letter])[0] == pytest.approx(expected, abs=1e-5)


def test_words_of_bm25() -> None:
    assert bm25_tokens("The Tenant's non-disclosure, and/or (fee) of Rs. 5; shall it?") == [
        "tenant", "fee", "rs", "5", "shall",
    ]  # fmt: skip


def test_a_query_of_unknown_words_scores_nothing() -> None:
    assert not bm25_scores(TEXTS, ["zebra the"]).any()
    assert not tfidf_scores(TEXTS, ["zebra"]).any()
    assert not bm25_scores(["the of", "and"], ["rent"]).any()


def test_best_windows_break_ties_by_position() -> None:
    assert best_windows(np.array([[0.1, 0.5, 0.5, 0.2]]), 3) == [[1, 2, 3]]
    assert best_windows(np.array([[0.1, 0.5]]), 9) == [[1, 0]]


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


LEASES = cut_windows(
    [
        agreement("Orchid Estates", "Almora", "sixty days"),
        agreement("Birch Homes", "Bareilly", "thirty days"),
        agreement("Cedar Villas", "Chamba", "ninety days"),
    ],
    40,
    20,
)
ASKED = [
    "Consider the lease of Birch Homes; What notice in writing must a side give?",
    "Consider the lease of Cedar Villas's house; Who mends the roof?",
    "How long is the notice at Almora?",
]


def best_texts(corpus: WindowedCorpus, ranked: list[list[int]]) -> list[str]:
    return [corpus.windows[places[0]].text for places in ranked]


def test_clauses_of_a_query() -> None:
    assert clauses_of("Consider A v. B's deed; Is it void? Say why.") == [
        "Consider A v. B's deed", "Is it void?", "Say why.",
    ]  # fmt: skip
    assert clauses_of("one clause") == ["one clause"]
    assert clauses_of(" ; ") == []


def test_the_named_document_comes_first_though_its_windows_do_not_name_it(
    encoders: EmbeddedEncoders,
) -> None:
    for parts in (HybridParts(), HybridParts(dense=False)):
        ranked = PassageHybrid(LEASES, encoders, RetrievalSettings(), parts).rank(ASKED, 4)
        assert [int(LEASES.owners[places[0]]) for places in ranked] == [1, 2, 0]
    notice, roof, _ = best_texts(LEASES, ranked)
    assert "thirty days" in notice and "Birch" not in notice
    assert "mends the roof" in roof and "Cedar" not in roof


def test_without_heads_the_windows_of_all_documents_are_alike(encoders: EmbeddedEncoders) -> None:
    parts = HybridParts(heads=False, dense=False)
    ranked = PassageHybrid(LEASES, encoders, RetrievalSettings(), parts).rank(ASKED[1:2], 3)
    assert len({int(LEASES.owners[at]) for at in ranked[0]}) > 1


@pytest.mark.parametrize(
    "parts",
    [
        HybridParts(),
        HybridParts(dense=False),
        HybridParts(lexical=False),
        HybridParts(roles=False),
        HybridParts(cross_encoder=True),
    ],
)
def test_a_ranking_is_the_same_alone_and_in_company(
    encoders: EmbeddedEncoders, parts: HybridParts
) -> None:
    together = PassageHybrid(LEASES, encoders, RetrievalSettings(), parts).rank(ASKED, 5)
    for asked, ranked in zip(ASKED, together, strict=True):
        assert PassageHybrid(LEASES, encoders, RetrievalSettings(), parts).rank([asked], 5) == [
            ranked
        ]
        assert len(set(ranked)) == 5


def test_the_cross_encoder_votes_within_the_pool_alone(encoders: EmbeddedEncoders) -> None:
    config = RetrievalSettings(rerank_pool=3, rerank_weight=50.0)
    plain = PassageHybrid(LEASES, encoders, config).rank(ASKED, 9)
    voted = PassageHybrid(LEASES, encoders, config, HybridParts(cross_encoder=True)).rank(ASKED, 9)
    for before, after in zip(plain, voted, strict=True):
        assert sorted(before[:3]) == sorted(after[:3])
        assert before[3:] == after[3:]


def test_a_query_of_no_words_still_gives_passages(encoders: EmbeddedEncoders) -> None:
    hybrid = PassageHybrid(LEASES, encoders, RetrievalSettings(), HybridParts(dense=False))
    assert hybrid.rank(["???", " ; "], 2) == [[0, 1], [0, 1]]


def test_a_hybrid_needs_a_channel() -> None:
    with pytest.raises(InputError, match="keep one of them"):
        HybridParts(lexical=False, dense=False)


# The files


def gold_file(folder: Path, tests: Any) -> Path:
    path = folder / "gold.json"
    path.write_text(json.dumps({"tests": tests}), encoding="utf-8")
    return path


def gold(asked: str, *answers: str) -> dict[str, Any]:
    snippets = [{"file_path": "a.txt", "span": [0, 9], "answer": answer} for answer in answers]
    return {"query": asked, "snippets": snippets, "tags": ["passed over"]}


def test_files_are_read_as_they_stand(tmp_path: Path) -> None:
    path = gold_file(tmp_path, [gold("Who pays?", "the tenant"), gold("Why?")])
    [first, second] = read_benchmark(path)
    assert first == GoldQuery(
        query="Who pays?",
        snippets=[Snippet(file_path="a.txt", span=(0, 9), answer="the tenant")],
    )
    assert second.snippets == []
    assert read_benchmark(path, 1) == [first]
    given_ = tmp_path / "p.json"
    given_.write_bytes(b'\xef\xbb\xbf[{"query": "Why?", "retrieved_passages": ["so"]}]')
    assert read_predictions(given_) == [Prediction(query="Why?", retrieved_passages=["so"])]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"{", "not valid JSON"),
        (b"[]", "an object"),
        (b'{"tests": []}', "tests"),
        (b'{"tests": [{"query": "q"}]}', "tests.0.snippets"),
        (b'{"tests": [{"query": " ", "snippets": []}]}', "tests.0.query"),
        (b'{"tests": [{"query": "q", "snippets": [{"file_path": "f", "span": [1], "answer": "a"}]}]}',
         "tests.0.snippets.0.span"),
        (b'{"tests": [{"query": "q", "snippets": [{"file_path": "f", "span": [1, 2], "answer": ""}]}]}',
         "tests.0.snippets.0.answer"),
        (b'{"tests": "\xff"}', "not utf-8"),
        (b"[" * 100_000, "not valid JSON"),
    ],
)  # fmt: skip
def test_a_broken_gold_file_is_named_with_its_field(
    tmp_path: Path, content: bytes, named: str
) -> None:
    path = tmp_path / "gold.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=named) as told:
        read_benchmark(path)
    assert str(path) in str(told.value)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ('{"query": "q"}', "valid array"),
        ('[{"query": "q", "retrieved_passages": "words"}]', "0.retrieved_passages"),
        ('[{"query": "q", "retrieved_passages": [1]}]', "0.retrieved_passages.0"),
        ('[{"retrieved_passages": []}]', "0.query"),
    ],
)
def test_broken_predictions_are_named_with_their_field(
    tmp_path: Path, content: str, named: str
) -> None:
    path = tmp_path / "p.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=named):
        read_predictions(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_predictions(tmp_path / "none.json")


def pair(*asked: str) -> Callable[..., list[PassageQuery]]:
    tests = [GoldQuery(query=text, snippets=[]) for text in asked]

    def with_predictions(*given_: tuple[str, str]) -> list[PassageQuery]:
        return pair_predictions(
            [Prediction(query=text, retrieved_passages=[found]) for text, found in given_], tests
        )

    return with_predictions


def test_predictions_are_found_by_their_query_in_any_order() -> None:
    pairs = pair("one?", "two?", "one?")(
        ("two?", "b"), ("one?", "a"), ("other?", "x"), (" one? ", "c")
    )
    assert [found.retrieved[0] for found in pairs] == ["a", "b", "c"]


def test_a_query_without_a_prediction_is_an_error_that_names_it() -> None:
    with pytest.raises(InputError, match=r"2 of 3 queries have no prediction, first 'two\?'"):
        pair("one?", "two?", "three?")(("one?", "a"))


# The commands

runner = CliRunner()


def run(*arguments: object) -> Any:
    return runner.invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, Path]:
    """A folder of two agreements, a benchmark over them, and a folder for results."""
    monkeypatch.chdir(tmp_path)  # where no settings.py stands
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    filler = "It is agreed between them as follows. " * 90
    for name, days in (("Orchid", "sixty"), ("Birch", "thirty")):
        text = (
            f"LEASE of {name} Estates. {filler}\nThe lease ends by notice of {days}\ndays. {filler}"
        )
        (corpus / f"{name}_lease.txt").write_text(text, encoding="utf-8")
    gold_path = gold_file(
        tmp_path,
        [
            gold(f"Consider the lease of {name} Estates; By what notice does it end?", answer)
            for name, answer in (("Orchid", "notice of sixty\ndays"), ("Birch", "thirty days"))
        ],
    )
    return corpus, gold_path, tmp_path / "out"


@pytest.mark.parametrize("system", ["tfidf", "bm25"])
def test_retrieve_then_score(bench: tuple[Path, Path, Path], system: str) -> None:
    corpus, gold_path, out = bench
    predictions, scores = out / "p.json", out / "scores.json"
    made = run(
        "retrieve", "--system", system, "--corpus", corpus, "--benchmark", gold_path,
        "--output", predictions, "--k", 10,
    )  # fmt: skip
    assert made.exit_code == 0, made.output
    rows = json.loads(predictions.read_text(encoding="utf-8"))
    assert [len(row["retrieved_passages"]) for row in rows] == [10, 10]  # all windows of both
    scored = run("eval", "passages", predictions, gold_path, "--json", "--output", scores)
    assert scored.exit_code == 0, scored.output
    found = json.loads(scored.stdout)
    assert found == json.loads(scores.read_text(encoding="utf-8"))
    assert found["num_examples"] == 2 and found["recall@10"] == 1 and found["exact_match"] == 0
    assert found["idcg"] == "gold"


def test_the_same_command_writes_the_same_bytes(
    bench: tuple[Path, Path, Path], encoders: EmbeddedEncoders
) -> None:
    corpus, gold_path, out = bench
    for system in ("tfidf", "bm25", "sbert", "hybrid"):
        written = []
        for name in ("one.json", "two.json"):
            done = run(
                "retrieve", "--system", system, "--corpus", corpus, "--benchmark", gold_path,
                "--output", out / name, "--k", 2,
            )  # fmt: skip
            assert done.exit_code == 0, done.output
            written.append((out / name).read_bytes())
        assert written[0] == written[1]


def test_the_hybrid_finds_the_named_agreement(bench: tuple[Path, Path, Path]) -> None:
    corpus, gold_path, out = bench
    arguments = (
        "retrieve", "--corpus", corpus, "--benchmark", gold_path, "--k", 2,
        "--without", "dense", "--output", out / "p.json",
    )  # fmt: skip
    assert run(*arguments).exit_code == 0
    for idcg in IDCG:
        done = run(
            "eval", "passages", out / "p.json", gold_path, "--k", 2, "--json", "--idcg", idcg
        )
        assert json.loads(done.stdout)["ndcg@2"] == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--system", "dpr"], "--system 'dpr'"),
        (["--models", "best"], "--models 'best'"),
        (["--system", "bm25", "--without", "heads"], "belong to the hybrid"),
        (["--system", "bm25", "--cross-encoder"], "belong to the hybrid"),
        (["--without", "legs"], "--without 'legs'"),
        (["--without", "lexical, dense"], "keep one of them"),
        (["--window", "10", "--stride", "11"], "no longer than the window"),
        (["--corpus", "none"], "none: no such file or folder"),
        (["--benchmark", "none.json"], "none.json: cannot be read"),
    ],
)
def test_retrieve_tells_what_is_wrong_in_one_line(
    bench: tuple[Path, Path, Path], arguments: list[str], told: str
) -> None:
    corpus, gold_path, out = bench
    done = run(
        "retrieve", "--corpus", corpus, "--benchmark", gold_path, "--output", out / "p.json",
        *arguments,
    )  # fmt: skip
    assert done.exit_code == 2
    assert told in done.stderr and done.stderr.count("\n") == 1
    assert not (out / "p.json").exists()


def test_scoring_tells_what_is_wrong_in_one_line(bench: tuple[Path, Path, Path]) -> None:
    _, gold_path, out = bench
    out.mkdir()
    (out / "p.json").write_text("[]", encoding="utf-8")
    for arguments, told in (
        ((out / "p.json", gold_path), "2 of 2 queries have no prediction"),
        ((out / "p.json", gold_path, "--idcg", "best"), "--idcg 'best'"),
        ((out / "none.json", gold_path), "cannot be read"),
    ):
        done = run("eval", "passages", *arguments)
        assert done.exit_code == 2
        assert told in done.stderr and done.stderr.count("\n") == 1


def test_gold_without_any_answer_is_refused(tmp_path: Path) -> None:
    path = gold_file(tmp_path, [gold("Why?")])
    (tmp_path / "p.json").write_text('[{"query": "Why?", "retrieved_passages": []}]')
    done = run("eval", "passages", tmp_path / "p.json", path)
    assert done.exit_code == 2 and "no query has a gold answer" in done.stderr


def test_limit_judges_the_first_queries_alone(tmp_path: Path) -> None:
    path = gold_file(tmp_path, [gold("Who?", "he"), gold("Why?", "so")])
    (tmp_path / "p.json").write_text('[{"query": "Who?", "retrieved_passages": ["he"]}]')
    done = run("eval", "passages", tmp_path / "p.json", path, "--limit", 1, "--json")
    assert json.loads(done.stdout)["num_examples"] == 1


def test_the_table_shows_the_measures_with_their_intervals(tmp_path: Path) -> None:
    path = gold_file(tmp_path, [gold("Who?", "he"), gold("Why?", "so")])
    rows = [{"query": text, "retrieved_passages": ["he"]} for text in ("Who?", "Why?")]
    (tmp_path / "p.json").write_text(json.dumps(rows), encoding="utf-8")
    done = run("eval", "passages", tmp_path / "p.json", path, "--k", 3)
    assert done.exit_code == 0
    for shown in ("Recall@3", "NDCG@3", "0.5000", "queries with no answer found"):
        assert shown in done.stdout


# The published figures


PUBLISHED = {
    "tfidf": (0.0, 0.2009, 0.3717, 0.2757),
    "bm25": (0.0, 0.2217, 0.5267, 0.4544),
}
"""Exact match, span F1, Recall@10, NDCG@10 over what was retrieved."""


@pytest.fixture
def contracts(data: Path) -> tuple[WindowedCorpus, list[GoldQuery]]:
    folder = data / "legalbenchrag_contractnli"
    if not folder.is_dir():
        pytest.skip("the agreements are not there")
    corpus = cut_windows(read_corpus(folder))
    assert len(corpus.windows) == 563
    return corpus, read_benchmark(folder / "contractnli_first100.json")


def figures(
    system: Any, contracts: tuple[WindowedCorpus, list[GoldQuery]], **options: Any
) -> tuple[float, float, float, float]:
    corpus, tests = contracts
    asked = [test.query for test in tests]
    found = retrieve_passages(system, corpus, asked, 10, Settings(), **options)
    rows = [
        Prediction(query=text, retrieved_passages=texts)
        for text, texts in zip(asked, found, strict=True)
    ]
    scores = score_passages(pair_predictions(rows, tests), 10, "retrieved")
    names = ("exact_match", "span_f1", "recall", "ndcg")
    one, two, three, four = (scores.mean(name) for name in names)
    return one, two, three, four


@pytest.mark.parametrize("system", PUBLISHED)
def test_published_figures_are_reproduced(
    contracts: tuple[WindowedCorpus, list[GoldQuery]], system: str
) -> None:
    assert figures(system, contracts) == pytest.approx(PUBLISHED[system], abs=0.01)


def test_the_hybrid_is_above_the_best_published_one_even_without_vectors(
    contracts: tuple[WindowedCorpus, list[GoldQuery]], encoders: EmbeddedEncoders
) -> None:
    _, _, recall, ndcg = figures(
        "hybrid", contracts, encoders=encoders, parts=HybridParts(dense=False)
    )
    assert recall > 0.5607 and ndcg > 0.4896
