"""Judgments are found by the runs of words that they share with a text."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from countercase.corpus.index.lexical import (
    MOST_SHARING,
    RUN,
    Quotations,
    quotations_of,
    run_keys,
)

QUOTED = "seven brown foxes jumped over nine lazy dogs near ten quiet rivers"
OTHER = "green taxes fell due before anybody had read new rules about sugar mills"


def test_a_run_is_of_words_that_count() -> None:
    words = [f"w{at}" for at in range(RUN)]
    assert len(run_keys(" ".join(words))) == 1
    assert len(run_keys(" ".join(words[1:]))) == 0
    assert run_keys("of the " + ", and ".join(words)).tolist() == run_keys(" ".join(words)).tolist()
    assert len(run_keys(f"{' '.join(words)} x {' '.join(words)}")) == 2 + RUN - 1


def test_keys_are_the_same_on_every_machine() -> None:
    assert run_keys("a1 b2 c3 d4 e5 f6 g7 h8").tolist() == [KEY]


KEY = 2143295367157801727


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
