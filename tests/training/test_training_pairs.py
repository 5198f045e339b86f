"""How training pairs are made: citations, names taken out, splits, halves, calibration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.citations import Judgment, find_citations, title_key, without_names
from training.pairs import Material, development_cases, fact_sentences, make_material

LONG = (
    "The accused went to the shop of the complainant at night and asked for the money that he had "
    "lent him for the wedding of his daughter. "
)


def judgment(case: str, title: str, year: int, body: str) -> Judgment:
    head = f"{title}\nSupreme Court of India\n\n4 May {year}\nCriminal Appeal No. 7\n"
    return Judgment(case, title, head + body)


OLD = judgment("A", "Bhola Nath v State of Uttar Pradesh", 1970, "\n1. " + LONG * 12)
NEW = judgment(
    "B",
    "Tara Devi v Ram Lal and Others",
    1985,
    "\n1. "
    + LONG * 6
    + "In Bhola Nath v. State of U.P., AIR 1971 SC 12, it was held that a loan which was never "
    "shown in any account book cannot be proved by one interested witness. " + LONG * 6,
)


def counts(texts: list[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def test_a_citation_is_found_by_the_names_of_the_parties() -> None:
    found = find_citations([OLD, NEW])
    assert [(c.citing, c.cited) for c in found] == [("B", "A")]
    assert NEW.text[: found[0].start].endswith("Bhola Nath")


def test_a_title_that_two_judgments_share_is_never_a_citation() -> None:
    twin = judgment("C", "Bhola Nath and another v State Of U.P.", 1975, "\n1. " + LONG)
    assert title_key(twin.title) == title_key(OLD.title)
    assert find_citations([OLD, twin, NEW]) == []


def test_names_and_reports_are_taken_out_of_a_query() -> None:
    said = without_names(
        "In Bhola Nath v. State of U.P., AIR 1971 SC 12, [1971] 2 SCR 40, it was held that a loan "
        "must be proved; Bhola Nath's case was followed.",
        "Bhola Nath v State of Uttar Pradesh",
    )
    assert "it was held that a loan must be proved" in said
    assert not [gone for gone in ("Bhola", "Nath", "AIR", "SCR", "1971") if gone in said]


def test_fact_sentences_do_not_name_the_parties() -> None:
    text = "\n1. " + LONG + "Tara Devi then told the police what she had seen and heard there. "
    sentences = fact_sentences(judgment("B", NEW.title, 1985, text * 6))
    assert sentences
    assert all("Tara" not in sentence for sentence in sentences)
    assert all(12 <= len(sentence.split()) <= 60 for sentence in sentences)


@pytest.fixture(scope="module")
def material() -> Material:
    return make_material([OLD, NEW], counts, seed=0)


def test_a_cloze_answer_never_holds_its_question(material: Material) -> None:
    """The material is the same every time."""
    assert make_material([OLD, NEW], counts, seed=0) == material
    for question in (it for it in material.questions if it.kind == "cloze"):
        for row in question.answers:
            assert question.text not in " ".join(material.passages[row].text.split())


def test_the_cited_judgment_answers_and_the_two_are_related(material: Material) -> None:
    cites = [question for question in material.questions if question.kind == "cites"]
    assert [(q.case_id, material.passages[q.answers[0]].case_id) for q in cites] == [("B", "A")]
    assert "never shown in any account book" in cites[0].text
    assert (material.related["A"], material.related["B"]) == ({"B"}, {"A"})


@given(st.sets(st.text(min_size=1, max_size=4), max_size=60), st.integers(0, 5))
def test_a_tenth_of_the_cases_is_development(cases: set[str], seed: int) -> None:
    chosen = development_cases(cases, seed)
    assert chosen <= cases
    assert len(chosen) == round(len(cases) / 10)
    assert chosen == development_cases(sorted(cases, reverse=True), seed)


def test_calibration_finds_the_scale_and_shift_that_made_the_scores() -> None:
    pytest.importorskip("torch")
    from training.calibration import platt

    # At each score x the odds of being relevant are exp(2 x - 1), as exact counts allow.
    scores, relevant = [], []
    for x in np.linspace(-2.0, 3.0, 41):
        chance = 1.0 / (1.0 + math.exp(-(2.0 * x - 1.0)))
        share = round(10_000 * chance)
        scores += [x] * 10_000
        relevant += [True] * share + [False] * (10_000 - share)
    truth = np.array(relevant)
    scale, shift = platt(np.array(scores), truth)
    assert scale == pytest.approx(2.0, rel=0.02)
    # Positives and negatives count alike, so the shift is that of even odds beforehand.
    even = -1.0 - math.log(truth.mean() / (1 - truth.mean()))
    assert shift == pytest.approx(even, abs=0.05)


def test_a_fresh_adapter_changes_nothing_and_a_trained_one_is_merged_as_trained() -> None:
    torch = pytest.importorskip("torch")
    from countercase.encoders.embedded.graphs import merge
    from training.lora import adapter_tensors, attach

    def encoder() -> torch.nn.Module:
        torch.manual_seed(1)
        layers = torch.nn.ModuleList(
            torch.nn.ModuleDict({"dense": torch.nn.Linear(6, 6)}) for _ in range(2)
        )
        return torch.nn.ModuleDict({"encoder": torch.nn.ModuleDict({"layer": layers})})

    def run(model: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
        for layer in model["encoder"]["layer"]:
            x = layer["dense"](x)
        return x

    x = torch.randn(3, 6)
    adapted = encoder()
    expected = run(adapted, x)
    layers = attach(adapted, rank=2, alpha=4.0, first_layer=1)
    assert list(layers) == ["encoder.layer.1.dense"]
    assert torch.equal(run(adapted, x), expected)
    with torch.no_grad():
        layers["encoder.layer.1.dense"].up.normal_()
    merged = encoder()
    assert merge(merged, adapter_tensors(layers), 4.0) == 1
    assert torch.allclose(run(merged, x), run(adapted, x), atol=1e-5)
