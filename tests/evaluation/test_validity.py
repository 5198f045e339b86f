"""Whether movement follows the law: answers worked by hand, and a small world from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from charge_sentences import labelled_sentences
from labelled_cases import case as labelled_case

from countercase.config import Settings
from countercase.corpus.documents import Document
from countercase.corpus.index.build import index_in_memory
from countercase.counterfactual.displacement import Distances
from countercase.counterfactual.states import Renderer, State
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.evaluation.counterfactual.labels import CaseReading, CaseResult, FactReading
from countercase.evaluation.experiment import ResultStore
from countercase.evaluation.planted.calibrate import Calibration, Observation
from countercase.evaluation.planted.generate import Role
from countercase.evaluation.report import Section
from countercase.evaluation.statistics import mean_auc, partial_correlation, pooled_auc
from countercase.evaluation.validity import (
    MovedCase,
    SentenceCase,
    add_facts,
    add_planted,
    add_sentences,
    measure,
    read_sentences,
    removals,
)
from countercase.session import Session

TEXT = (
    "He was tried under section 302 of the Indian Penal Code.",
    "The village lies beside a river.",
    "He stabbed her with a knife.",
)


def test_the_mean_auc_weighs_cases_alike_and_the_pooled_one_items() -> None:
    half = [(True, 2.0), (False, 1.0), (False, 3.0)]
    whole = [(True, 0.5), (False, 0.1)]
    one_label = [(True, 0.0), (True, 1.0)]
    assert mean_auc([half, whole, one_label]).value == pytest.approx((0.5 + 1) / 2)
    assert mean_auc([half, whole, one_label]).n == 2
    assert mean_auc([one_label]).value is None
    ties = [(True, 2.0), (False, 1.0), (True, 3.0), (False, 3.0)]  # the last two half
    assert mean_auc([ties]).value == 2.5 / 4
    # True 2 beats 1 and .1; true .5 beats .1: 3 of 6 pairs.
    assert pooled_auc([half, whole]).value == pytest.approx(3 / 6)
    # With cases of AUC 0 and 1 alone, resampled means reach both ends.
    estimate = mean_auc([whole, [(True, 0.0), (False, 1.0)]])
    assert (estimate.value, estimate.low, estimate.high) == (0.5, 0.0, 1.0)


def test_partial_correlation_by_hand() -> None:
    # Length is at right angles to both, so nothing is taken off: 4 / sqrt(5 * 4).
    labels, values = (True, True, False, False), (4.0, 3.0, 2.0, 1.0)
    estimate = partial_correlation([[*zip(labels, values, (1.0, 2.0, 2.0, 1.0), strict=True)]])
    assert estimate.value == pytest.approx(4 / 20**0.5)
    rows = [(True, 3.0, 3.0), (False, 2.0, 2.0), (False, 1.0, 1.0)]  # length says it all
    assert partial_correlation([rows]).value is None


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_sentences_are_read_and_blank_ones_left_out(tmp_path: Path) -> None:
    row = {"id": "one", "text": ["He fled.", " ", "He fell."], "labels": [1, 0, 0]}
    [case] = read_sentences(write(tmp_path / "s.jsonl", row))
    assert (case.text, case.labels) == (("He fled.", "He fell."), (True, False))


def test_each_sentence_is_a_statement_and_its_edit_leaves_out_that_one_alone() -> None:
    case = SentenceCase(id="a", text=TEXT, labels=(True, False, True))
    sheet, edits = removals(case)
    renderer = Renderer(sheet)
    assert renderer.query(State()).segments == TEXT
    assert [renderer.query(State.of([edit])).segments for edit in edits] == [
        TEXT[1:], (TEXT[0], TEXT[2]), TEXT[:2],
    ]  # fmt: skip


def session(encoders: EmbeddedEncoders) -> Session:
    texts = {
        "murder": "Murder under section 302 of the Indian Penal Code; stabbed with a knife.",
        "river": "The land was lost to the river.",
        "cheque": "The cheque was dishonoured for want of funds.",
    }
    snapshot = index_in_memory([Document(name, "", text) for name, text in texts.items()], encoders)
    settings = Settings(USE_RERANKER=False, TOP_K=2, FACT_TAGGER=False, RANKERS=("lexical",))
    return Session(settings, encoders, snapshot)


def test_sentences_are_measured_once(encoders: EmbeddedEncoders, tmp_path: Path) -> None:
    opened = session(encoders)
    one = SentenceCase(id="a", text=TEXT, labels=(True, False, True))
    single = SentenceCase(id="b", text=TEXT[:1], labels=(True,))
    steps: list[tuple[int, int]] = []
    with ResultStore(tmp_path / "s.sqlite", {}) as store:
        [moved] = measure([one, single], opened, store, lambda _, *now: steps.append(now))
        assert steps[-1] == (1, 1)
        relabelled = one.model_copy(update={"labels": (False, True, True)})
        [again] = measure([relabelled], opened, store)
    assert again.panels == moved.panels
    assert again.case.labels == (False, True, True)
    # Without the sentence on the river, the case on the river falls below the one of lower id.
    assert moved.values("displacement", 2)[1] > 0


def distances(value: float) -> tuple[Distances, ...]:
    return tuple(Distances(k, value, value, value, value, None, 0.0) for k in (2, 5))


def test_the_section_of_sentences(encoders: EmbeddedEncoders) -> None:
    case = SentenceCase(id="a", text=TEXT, labels=(True, False, True))
    moved = MovedCase(case, tuple(map(distances, (2.0, 0.5, 0.1))))
    section = Section("validity", "")
    add_sentences(section, [moved], session(encoders))
    values = {measure.key: measure.value for measure in section.measures}
    assert values["validity.sentences.auc.movement"] == 0.5  # 2 is above .5, .1 is not
    # Words: 11, 6, 6. One of the two decisive ones is longer, the other ties.
    assert values["validity.sentences.auc.length"] == 0.75
    assert values["validity.sentences.auc.position"] == 0.5
    named = {row[0] for row in section.tables[0].rows}
    plain = {"length", "position", "IDF mass", "likeness to provisions", "random"}
    assert named == {"movement", *plain}
    assert section.tables[1].rows[0] == ("mean rank displacement", 0.5, 0.5)
    assert section.details["sentences"][0]["movement"] == [2.0, 0.5, 0.1]


def test_the_section_of_facts() -> None:
    """The sheet labels section and age dispositive, evidence and party not."""
    sensitivities = {"section:IPC-302": 3.0, "numerical:age:1": 1.0,
                     "evidence:dying_declaration:1": 2.0, "party:petitioner": None}  # fmt: skip
    kinds = {"section": "Section", "numerical": "Numerical", "evidence": "Evidence",
             "party": "PartyType"}  # fmt: skip
    facts = tuple(
        FactReading(name, kinds[name.split(":")[0]], "", value, None, (), None)
        for name, value in sensitivities.items()
    )
    result = CaseResult(labelled_case(), CaseReading("made-case", {}, facts, (), (), 0))
    section = Section("validity", "")
    add_facts(section, [result])
    values = {measure.key: measure.value for measure in section.measures}
    assert values["validity.facts.auc.over_all_facts"] == 0.5
    assert values["validity.facts.auc.within_cases"] == 0.5
    assert values["validity.facts.auc.section"] is None


def test_planted_worlds_give_false_positives_and_power() -> None:
    """Of four idle facts one is called, of two deciding ones one; what was not tried is in neither."""

    def fact(name: str, role: Role, moved: float | None, verdict: str) -> Observation:
        planted = (name, "Section", role, "groups")
        return Observation("w", "c", *planted, sensitivity=moved, verdict=verdict)

    facts = [
        fact("a", "carrying", 2.0, "dispositive"),
        fact("b", "carrying", 1.7, "inconclusive"),
        fact("c", "idle", 2.0, "dispositive"),
        *(fact(name, "idle", 0.0, "not dispositive") for name in "def"),
        fact("g", "idle", None, "not tried"),
    ]
    calibration = Calibration(("w",), tuple(facts), (1.5,))
    section = Section("validity", "")
    add_planted(section, calibration, "threshold")
    values = {measure.key: measure.value for measure in section.measures}
    assert values == {"validity.planted.false_positives": 0.25, "validity.planted.power": 0.5}


def test_p_values_of_restatements_are_held_against_a_uniform_distribution() -> None:
    even = tuple((at + 0.5) / 200 for at in range(200))
    small = tuple(p / 2 for p in even)
    for null_p, meets in ((even, "meets"), (small, "below")):
        calibration = Calibration(("w",), (), (1.5,), null_p)
        section = Section("validity", "")
        add_planted(section, calibration, "calibrated")
        *_, uniform = section.measures
        assert (uniform.key, uniform.n) == ("validity.planted.uniform", 200)
        assert uniform.verdict == meets


def test_charge_sentences_become_labelled_sentences() -> None:
    row = {"factid": "x", "text": ["a", "b"], "sent_labels": [[], ["murder"]], "doc_labels": []}
    [line] = labelled_sentences([json.dumps(row), ""])
    assert json.loads(line) == {"id": "x", "text": ["a", "b"], "labels": [False, True]}
