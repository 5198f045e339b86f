"""Judgments found by their words, by the provisions that they cite, and by what they quote.

Words and pairs of words count by BM25; one law under two codes is one term; a quotation is a run of
words that two texts share. What is saved scores as what was built.
"""

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
    MOST_SHARING,
    RUN,
    B,
    CitingCases,
    Quotations,
    build_lexicon,
    load_lexicon,
    provision_terms,
    quotations_of,
    run_keys,
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

    both = lexicon.scores("murder. income")  # no shared pair
    assert both == pytest.approx(lexicon.scores("murder") + lexicon.scores("income"))


def test_a_pair_counts_where_two_cases_share_it_within_a_chunk() -> None:
    lexicon = build_lexicon([["sudden fight"], ["sudden fight"], ["fight sudden"]])
    scores = lexicon.scores("sudden fight")
    assert scores[0] == scores[1] > scores[2] > 0
    split = build_lexicon([["sudden", "fight"], ["sudden fight"], ["sudden fight"]])
    scores = split.scores("sudden fight")
    assert scores[0] < scores[1]


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


# Provisions


@pytest.mark.parametrize(
    ("provisions", "terms"),
    [
        (["IPC-302"], ("IPC-302",)),
        (["BNS-103(1)"], ("IPC-302",)),
        (["IPC-376(2)(g)"], ("IPC-376", "IPC-376(2)(g)")),
        (["IPC-304-II"], ("IPC-304", "IPC-304-II")),
        (["IPC-304A"], ("IPC-304A",)),
        (["CPC-O7R11"], ("CPC-O7R11",)),
        (["CEA-ITEM12A(v)"], ("CEA-ITEM12A", "CEA-ITEM12A(v)")),
        ([], ()),
    ],
)
def test_terms(provisions: list[str], terms: tuple[str, ...]) -> None:
    assert provision_terms(provisions) == terms


def test_scores_by_hand(tmp_path: Path) -> None:
    cases = CitingCases([["IPC-302"], ["IPC-302", "IPC-34", "IPC-307"], ["NIA-138"]])
    found = cases.scores("He was convicted under section 302 of the Indian Penal Code.")
    # ln(1 + (3 − 2 + ½) / (2 + ½)); 5 / 3 provisions a case on average
    rarity, usual = np.log(1 + 1.5 / 2.5), 1 + 5 / 3
    assert found == pytest.approx([rarity * np.sqrt(usual / 2), rarity * np.sqrt(usual / 4), 0])
    assert found == pytest.approx(cases.scores("charged under section 103(1) BNS"))
    cases.save(tmp_path / "provisions.json")
    again = CitingCases.load(tmp_path / "provisions.json")
    assert again.scores("section 302 IPC") == pytest.approx(found)


# Quotations

QUOTED = "seven brown foxes jumped over nine lazy dogs near ten quiet rivers"
OTHER = "green taxes fell due before anybody had read new rules about sugar mills"


def test_a_run_is_of_words_that_count() -> None:
    words = [f"w{at}" for at in range(RUN)]
    assert len(run_keys(" ".join(words))) == 1
    assert len(run_keys(" ".join(words[1:]))) == 0
    assert run_keys("of the " + ", and ".join(words)).tolist() == run_keys(" ".join(words)).tolist()
    assert len(run_keys(f"{' '.join(words)} x {' '.join(words)}")) == 2 + RUN - 1
    # The same key on every machine.
    assert run_keys("a1 b2 c3 d4 e5 f6 g7 h8").tolist() == [2143295367157801727]


def test_the_score_of_one_shared_run_is_bm25_of_a_term_that_stands_once() -> None:
    found = quotations_of([[QUOTED], [OTHER]])
    runs = 11 - RUN + 1
    assert found.lengths.tolist() == [runs, len(run_keys(OTHER))]
    share = runs / found.lengths.mean()
    rarity = math.log(1 + (2 - 1 + 0.5) / 1.5)
    [score, nothing] = found.scores("seven brown foxes jumped over nine lazy dogs near").tolist()
    assert math.isclose(score, rarity * 2.2 / (1 + 1.2 * (0.25 + 0.75 * share)))
    assert nothing == 0


def test_a_run_crosses_chunks_and_no_word_may_be_missing() -> None:
    found = quotations_of([["seven brown foxes jumped", "over nine lazy dogs near ten"], [OTHER]])
    assert found.scores(QUOTED)[0] > 0
    assert not found.scores("seven brown foxes jumped nine lazy cats near ten").any()


def test_what_many_judgments_share_is_a_formula() -> None:
    few = quotations_of([[QUOTED]] * MOST_SHARING + [[OTHER]])
    assert few.scores(QUOTED)[:MOST_SHARING].all()
    many = quotations_of([[QUOTED]] * (MOST_SHARING + 1) + [[OTHER]])
    assert not many.scores(QUOTED).any()


def test_what_is_saved_is_what_was_built(tmp_path: Path) -> None:
    built = quotations_of([[QUOTED], [OTHER], [f"{OTHER} {QUOTED}"]])
    built.save(tmp_path / "quotations")
    read = Quotations.load(tmp_path / "quotations")
    assert np.array_equal(read.scores(QUOTED), built.scores(QUOTED))
    assert np.array_equal(read.keys, built.keys)
