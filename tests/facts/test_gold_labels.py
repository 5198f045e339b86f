"""The hand labels are well formed, and the benchmark counts them as one would by hand."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from fact_labels import GOLD, KINDS, Passage, labels_of, read_passages
from facts_extraction import compare, rates_of

from countercase.errors import InputError
from countercase.facts.extraction import extract
from countercase.facts.vocabulary import DURATION_UNITS, EVIDENCE_TYPES
from countercase.law.provision_ids import is_normal_form

EMPTY: dict[str, frozenset[str]] = {kind: frozenset() for kind in KINDS}


@pytest.mark.parametrize(("name", "size"), [("facts", 20), ("passages", 30), ("unseen", 15)])
def test_every_label_is_a_word_of_the_vocabulary(name: str, size: int) -> None:
    lines = (GOLD / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    assert len(rows) == size
    for row in rows:
        assert set(row["evidence"]) <= set(EVIDENCE_TYPES)
        assert {unit for _, unit in row["durations"]} <= set(DURATION_UNITS)
        assert all(is_normal_form(provision) for provision in row["provisions"])


def test_a_passage_is_read_by_its_characters_and_another_edition_is_refused(tmp_path: Path) -> None:
    judgment = {"_id": "a", "title": "A v B", "text": "He ran. Sh\u0101m saw it.\u2028She left."}
    (tmp_path / "aila2019").mkdir()
    (tmp_path / "aila2019" / "corpus.jsonl").write_text(json.dumps(judgment), encoding="utf-8")
    digest = hashlib.sha256("Sh\u0101m saw it.".encode()).hexdigest()[:16]
    labels: dict[str, Any] = {kind: [] for kind in KINDS}

    def read(doc_id: str, start: int) -> dict[str, str]:
        place = {"doc_id": doc_id, "start": start, "end": 20, "sha256": digest}
        return read_passages(tmp_path, [Passage(**place, **labels)])

    assert read("a", 8) == {"a:8-20": "Sh\u0101m saw it."}
    with pytest.raises(InputError, match="a:7-20 is not the passage that was labelled"):
        read("a", 7)
    with pytest.raises(InputError, match="lacks the labelled judgment b"):
        read("b", 8)


def test_one_hit_one_miss_and_one_false_alarm() -> None:
    gold = {"x": EMPTY | {"ages": frozenset({"16", "40"})}, "y": EMPTY}
    found = {"x": EMPTY | {"ages": frozenset({"16"})}, "y": EMPTY | {"ages": frozenset({"9"})}}
    result = compare(gold, found)
    ages = result.scores["ages"]
    assert (ages.hits, ages.labelled, ages.found) == (1, 2, 2)
    assert (ages.precision, ages.recall, ages.f1) == (0.5, 0.5, 0.5)
    told = {(d.text, d.error, d.value) for d in result.differences}
    assert told == {("x", "miss", "40"), ("y", "false alarm", "9")}
    # A kind without labels has no rate rather than a perfect one.
    assert set(rates_of(result.scores["provisions"]).values()) == {None}


def test_a_sheet_is_read_as_sets_and_leaves_out_parties_and_quantities() -> None:
    text = (
        "The accused, aged 16 years, was tried under section 302 IPC. He had 2 kg of charas and "
        "was in jail for two years."
    )
    labels = labels_of(extract(text, tagger=False))
    assert (labels["provisions"], labels["ages"]) == ({"IPC-302"}, {"16"})
    assert (labels["durations"], labels["amounts"]) == ({"2 years"}, frozenset())
