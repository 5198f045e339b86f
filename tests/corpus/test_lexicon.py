"""BM25 over words and word pairs: known answers, additivity, and a round trip to disk."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.corpus.index.lexical import (
    K1,
    B,
    build_lexicon,
    load_lexicon,
)
from countercase.text.words import STOP_WORDS, words

CASES = [
    ["murder by knife", "knife wound and murder"],
    ["income tax assessment", "assessment of income"],
    ["murder trial and income"],
]


def bm25(term: str, case: int, documents: list[list[str]]) -> float:
    """Robertson's formula with Lucene's idf, by hand."""
    df = sum(term in document for document in documents)
    tf = documents[case].count(term)
    idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
    mean = sum(map(len, documents)) / len(documents)
    return idf * tf / (tf + K1 * (1 - B + B * len(documents[case]) / mean))


def test_words_against_the_formula() -> None:
    lexicon = build_lexicon(CASES)
    # No word pair stands in two cases, so documents are their words alone.
    documents = [[word for chunk in case for word in words(chunk)] for case in CASES]
    for term in ("murder", "income", "assessment"):
        expected = [bm25(term, case, documents) for case in range(3)]
        assert lexicon.scores(term) == pytest.approx(expected, abs=1e-6)


def test_a_pair_counts_where_two_cases_share_it() -> None:
    lexicon = build_lexicon([["sudden fight"], ["sudden fight"], ["fight sudden"]])
    scores = lexicon.scores("sudden fight")
    assert scores[0] == scores[1] > scores[2] > 0


def test_pairs_do_not_cross_chunks() -> None:
    split = build_lexicon([["sudden", "fight"], ["sudden fight"], ["sudden fight"]])
    scores = split.scores("sudden fight")
    assert scores[0] < scores[1]


def test_a_text_scores_the_sum_of_its_terms() -> None:
    lexicon = build_lexicon(CASES)
    both = lexicon.scores("murder. income")  # no shared pair
    assert both == pytest.approx(lexicon.scores("murder") + lexicon.scores("income"))


def test_round_trip(tmp_path: Path) -> None:
    lexicon = build_lexicon(CASES)
    lexicon.save(tmp_path / "lexicon")
    again = load_lexicon(tmp_path / "lexicon", len(CASES))
    for text in ("murder knife", "income tax assessment", "zebra"):
        assert np.array_equal(again.scores(text), lexicon.scores(text))
    assert not list(tmp_path.rglob("*.pkl"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("故意杀人 IPC", "故 意 杀 人 ipc"),
        ("持刀，伤人", "持 刀 伤 人"),
        ("盗窃 iPhone6手机", "盗 窃 iphone6 手 机"),
        ("价值１２００元ＡＢ", "价 值 1200 元 ab"),
        ("ナイフで刺した", "ナ イ フ で 刺 し た"),
        ("사기죄", "사 기 죄"),
        ("𠮷某", "𠮷 某"),
        ("佐々木", "佐 々 木"),
    ],
)
def test_every_script_without_spaces_is_read_by_character(text: str, expected: str) -> None:
    assert words(text) == expected.split()


@given(st.text(st.characters(max_codepoint=0x2FFF) | st.sampled_from("０９ＡｚⅣ¾—’“")))
def test_text_without_cjk_is_read_as_plain_words(text: str) -> None:
    plain = re.findall(r"[a-z0-9]+(?:'[a-z]+)?", text.lower())
    assert words(text) == [word for word in plain if word not in STOP_WORDS]
