"""The labels that the reader is trained on, and how its answers are scored."""

from __future__ import annotations

import random

from training.reader import batched_by_length
from training.reader_labels import clause_of, random_part
from training.reading_scores import Count, count_matter

TEXT = "No knife. The knife was found."
OFFSETS = [(0, 0), (0, 2), (3, 8), (8, 9), (10, 13), (14, 19), (20, 23), (24, 29), (29, 30), (0, 0)]


def test_a_clause_is_the_one_that_holds_the_mention() -> None:
    assert clause_of(TEXT, "knife", (14, 19), OFFSETS) == (5, 6)
    assert clause_of(TEXT, "The knife was found", (14, 19), OFFSETS) == (4, 8)
    assert clause_of(TEXT, "No spear", (14, 19), OFFSETS) is None


def test_no_batch_holds_more_pieces_than_fit() -> None:
    lengths = [10, 20, 400, 500, 2000, 2000]
    batches = batched_by_length(range(6), lengths)
    assert [place for batch in batches for place in batch] == [*range(6)]
    assert all(len(b) == 1 or len(b) * lengths[b[-1]] <= 2880 for b in batches)


def test_a_random_part_is_whole_sentences() -> None:
    for seed in range(5):
        first, behind = random_part(TEXT, random.Random(seed))
        assert TEXT[first:behind].strip() in ("No knife.", "The knife was found.", TEXT)


def test_one_right_one_missed_one_extra() -> None:
    row = {"type": "Evidence", "evidence_type": "weapon", "strength": "full"}
    labelled = [row | {"spans": [(0, 5)]}, row | {"spans": [(9, 12)], "strength": "absent"}]
    read = [row | {"spans": [(4, 6)]}, row | {"spans": [(20, 22)]}]
    counts: dict[str, Count] = {}
    count_matter(counts, labelled, read)
    found = counts["evidence, type and strength"]
    assert (found.labelled, found.read, found.right) == (2, 2, 1)
    assert str(found).startswith("P 0.500  R 0.500  F 0.500")
