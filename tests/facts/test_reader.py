"""The learnt reader: its network, its windows, and what it adds to the words beside a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from threadpoolctl import threadpool_limits

from countercase.encoders.embedded import weights
from countercase.encoders.embedded.graphs import base_encoder
from countercase.errors import ModelError
from countercase.fact_types.base import spans_of
from countercase.fact_types.roles import owner_of
from countercase.facts import reader
from countercase.facts.case_file import parse_case, sheet_from_case, write_case
from countercase.facts.extraction import extract, find_occurrence
from countercase.facts.model import FactSheet, NumericalValue
from countercase.facts.reader import (
    OVERLAP,
    WINDOW,
    find_owner,
    find_person,
    load_network,
    token_states,
    weigh_dates,
)
from countercase.io import json_text
from countercase.text.dates import date_of_occurrence
from countercase.text.spans import Span
from training.matters_check import ROLES

BRIEF = (
    "The appellant Mohan Lal, aged 34 years, was convicted of murder. On 12 March 2024 a quarrel began "
    "over a drain, and the FIR is of 14 March 2024. He has been in jail for 14 months. "
)


def test_states_are_those_of_the_same_layers_in_torch() -> None:
    encoder: Any = base_encoder()
    layers = {
        f"encoder.{name}": tensor.float()
        for name, tensor in load_file(weights.own_file(weights.READER)).items()
        if name.startswith("layer.")
    }
    assert not encoder.load_state_dict(layers, strict=False).unexpected_keys
    ids = [101, 1996, 5496, 10289, 2003, 4090, 2086, 2214, 1012, 102]
    with torch.no_grad():
        expected = encoder(input_ids=torch.tensor([ids])).last_hidden_state[0].numpy()
    # The activation has its usual approximation here, which the trained answers hardly feel.
    np.testing.assert_allclose(load_network().encode(ids), expected, atol=2e-2)


def test_a_long_text_is_read_in_a_bounded_number_of_windows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, "MOST_WINDOWS", 3)
    text = "a " * 5 * WINDOW
    _, states, _ = token_states(text)
    assert len(states) == 3 * (WINDOW - OVERLAP) + OVERLAP // 2 * 2
    behind = Span(len(text) - 3, len(text))
    assert find_owner(text, behind) == "" and weigh_dates(text, [behind]) == [0.0]


def test_a_piece_takes_the_state_of_the_window_in_which_it_stands_farther_from_an_edge() -> None:
    _, _, heads = token_states("one two three four five " * (2 * WINDOW // 5))
    changes = [n for n in range(1, len(heads)) if not np.array_equal(*heads[n - 1 : n + 1])]
    step = WINDOW - OVERLAP
    assert changes == [step + OVERLAP // 2, 2 * step + OVERLAP // 2]


def test_a_text_has_the_same_states_with_one_thread_and_with_several() -> None:
    found = []
    for threads in (1, 4):
        token_states.cache_clear()
        with threadpool_limits(threads):
            found.append(token_states(BRIEF * 16))
    (offsets, *single), (_, *several) = found
    assert {len(part) for part in single} == {len(offsets)}  # every piece has a state
    assert all(np.array_equal(a, b) for a, b in zip(single, several, strict=True))


def test_one_person_has_one_role_and_all_places_of_the_name_tell_it() -> None:
    text = "Suresh, 31, gave the blow with a knife. I saw Suresh run. Suresh was arrested that day."
    places, age = spans_of(text, "Suresh"), Span(8, 10)
    assert find_person(text, age, places) == "accused"
    assert find_person(text, age, places, said="witness") in ("accused", "witness", "")
    # A blank text has no person, no owner and no date.
    assert find_person(" ", Span(0, 1)) == find_owner(" ", Span(0, 1)) == find_occurrence(" ") == ""


def test_the_words_decide_alone_where_one_date_is_far_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, "load_network", lambda: pytest.fail("the reader is asked"))
    token_states.cache_clear()
    assert find_occurrence("FIR dt 3.5.2024, incident dt 1.5.2024.") == "2024-05-01"
    assert find_occurrence("The incident was on 1.5.2024.") == "2024-05-01"


def test_what_else_speaks_for_a_date_is_added_where_the_words_leave_it_open() -> None:
    text = "He came on 1.2.2020 and went on 5.6.2021."
    assert date_of_occurrence(text) == "2020-02-01"  # the first that nothing speaks against
    assert date_of_occurrence(text, lambda spans: [0.0, 0.5]) == "2020-02-01"
    assert date_of_occurrence(text, lambda spans: [0.0, 2.0]) == "2021-06-05"
    assert date_of_occurrence(text, lambda spans: [-9.0, -9.0]) == "2020-02-01"


def test_every_figure_stays_what_it_is_and_its_owner_is_a_role() -> None:
    values = [value for _, value in extract(BRIEF, tagger=False).valued(NumericalValue)]
    assert [(value.value, value.unit) for value in values] == [(34, "years"), (14, "months")]
    for value in values:
        assert value.owner in ROLES
        assert not value.owner or owner_of(FactSheet("a", BRIEF), value) == value.owner


def test_the_owner_is_kept_in_the_case_file() -> None:
    figures = {
        "ages": [{"value": 34, "descriptor": "brother", "owner": "accused"}],
        "durations": [{"value": 14, "unit": "months", "owner": "accused"}],
    }
    case = {"case_id": "a", "text": BRIEF, "numerical_facts": figures}
    sheet = sheet_from_case(parse_case(json_text(case), "a"), tagger=False)
    assert [v.owner for _, v in sheet.valued(NumericalValue)] == ["accused", "accused"]
    again = sheet_from_case(parse_case(json_text(write_case(sheet)), "a"), tagger=False)
    assert again.facts == sheet.facts


def test_a_damaged_or_missing_file_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "adapter_folder", lambda: tmp_path)
    (tmp_path / "checksums.json").write_text(f'{{"{weights.READER}": "{"0" * 64}"}}')
    with pytest.raises(ModelError, match=r"missing; install .* again"):
        weights.own_file(weights.READER)
    (tmp_path / weights.READER).write_bytes(b"other")
    with pytest.raises(ModelError, match="damaged or replaced"):
        weights.own_file(weights.READER)
    monkeypatch.setattr(weights, "BASE_XXH3", "0" * 32)
    with pytest.raises(ModelError, match="damaged or replaced"):
        weights.base_weights(quickly=True)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("FIR 12.3.2021 u/s 302 IPC. Convicted on 4.8.2024. HC dismissed appeal 17.1.2025.", "2021-03-12"),
        ("FIR in June 2024. The FIR tells of the quarrel on 5 June 2024.", "2024-06-05"),
    ],
)  # fmt: skip
def test_the_course_of_a_matter_is_not_its_occurrence(text: str, day: str) -> None:
    assert date_of_occurrence(text) == day
