"""The counterfactual evaluation: labels against what an analysis measured."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from handmade import SHEET, result
from labelled_cases import EVIDENCE, PARTY, SECTION, case

from countercase.counterfactual.analysis import Analysis
from countercase.errors import InputError
from countercase.evaluation import statistics
from countercase.evaluation.counterfactual.labels import (
    SWEEP,
    CaseResult,
    FactReading,
    choose,
    measure_cases,
    reading_of,
    sheet_of,
)
from countercase.evaluation.counterfactual.section import counterfactual_section
from countercase.evaluation.experiment import ResultStore
from countercase.evaluation.report import Measure, Section
from countercase.facts.model import FactSheet


def analysis() -> Analysis:
    """Section 6/4 and evidence 0 from the root, age refused, party unstated; restatements .5."""
    return result().analysis


def measured(**changes: Any) -> CaseResult:
    return CaseResult(case(**changes), reading_of(analysis()))


def by_key(section: Section) -> dict[str, Measure]:
    return {measure.key.removeprefix("counterfactual."): measure for measure in section.measures}


# What an analysis says of the facts


def test_a_reading_holds_what_was_measured_and_why_the_rest_was_not() -> None:
    """The reading beyond restatements is the verdict of the analysis."""
    reading = reading_of(analysis())
    for found, fact in zip(analysis().facts, reading.facts, strict=True):
        assert (found.verdict == "dispositive") == (fact.carries(1.0, nulls=True) is True)
    assert [(f.fact_id, f.sensitivity, f.unmeasured) for f in reading.facts] == [
        ("section:IPC-302", 1.5, None),
        ("party:petitioner", None, "reaches no channel"),
        ("evidence:dying_declaration:1", 0.0, None),
        ("numerical:age:1", None, "refused or beyond the limits"),
    ]
    moved = {"Section": 1.5, "PartyType": None, "Evidence": 2 / 3, "Numerical": None}
    assert reading.sensitivity == pytest.approx(moved)
    assert reading.nulls == (("Section", 0.5),)
    assert reading.proposed == 3
    told = [(state.fact_types, state.accepted) for state in reading.judged]
    assert told[:3] == [(("Section",), True), (("Evidence",), True), (("Numerical",), False)]
    assert sorted(told[3][0]) == ["Evidence", "Section"]
    assert reading.judged[2].reason == "Nobody is 200 years old."


@pytest.mark.parametrize(
    ("sensitivity", "noise", "plain", "beyond"),
    [
        (1.6, 0.5, True, True),
        (1.6, 1.6, True, False),
        (1.6, None, True, True),
        (1.5, 0.0, False, False),
        (None, 0.5, None, None),
    ],
)
def test_a_fact_carries_the_case_above_the_threshold_and_beyond_null_edits(
    sensitivity: float | None, noise: float | None, plain: bool | None, beyond: bool | None
) -> None:
    fact = FactReading("section:IPC-302", "Section", "IPC-302", sensitivity, noise, (), None)
    assert fact.carries(1.5, nulls=False) is plain
    assert fact.carries(1.5, nulls=True) is beyond


# Labels against the sheet

BARE = case().fact_sheet | {"parties": {}}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"dispositive_facts": [SECTION | {"fact_id": "section:IPC-304"}]},
            "made-case: dispositive_facts: section:IPC-304: the case has no such fact",
        ),
        (
            {"non_dispositive_facts": [PARTY | {"fact_type": "Evidence"}]},
            "party:petitioner: fact_type is 'Evidence', in the case 'PartyType'",
        ),
        (
            {"fact_sheet": BARE, "non_dispositive_facts": [EVIDENCE]},
            "made-case: non_dispositive_types: the case has no fact of type PartyType",
        ),
        (
            {"non_dispositive_types": [{"fact_type": "Section", "reason": "Both."}]},
            "made-case: Section stands in dispositive_types and in non_dispositive_types",
        ),
    ],
)
def test_a_label_that_does_not_fit_is_told_with_case_and_fact(
    changes: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError) as error:
        sheet_of(case(**changes))
    assert told in str(error.value)


def test_the_section_of_one_case() -> None:
    section = counterfactual_section([measured()], 1.0)
    found = by_key(section)
    expected = {
        "coverage": (0.5, 4),
        # Section (1.5) is found, age was not measured; evidence (0) is left alone, party was not.
        "dispositive.facts": (0.5, 2),
        "non_dispositive.facts": (0.5, 2),
        "verdict.right": (1.0, 1),
        "dispositive.types": (1.0, 1),
        "non_dispositive.types": (0.0, 1),
        "auc": (1.0, 2),
        "best_balanced": (1.0, 2),
        "accept_rate": (2 / 3, 3),
        "accept_rate.states": (0.75, 4),
        "rho.mean": (None, 0),
    }
    assert {key: (found[key].value, found[key].n) for key in expected} == expected
    assert found["dispositive.facts"].verdict == "below"
    assert found["best_balanced"].note.startswith("At 0.25;")  # the lowest threshold of several
    assert len(found) == len(section.measures)
    noisy = analysis()  # restatements that move as far as the section: it is not called
    noisy = replace(noisy, facts=tuple(replace(fact, noise=2.0) for fact in noisy.facts))
    found = by_key(counterfactual_section([CaseResult(case(), reading_of(noisy))], 1.0))
    assert (found["dispositive.facts"].value, found["dispositive.facts.nulls"].value) == (0.5, 0)
    assert found["non_dispositive.facts.nulls"].value == 0.5


def test_salience_is_scored_in_a_line_of_its_own() -> None:
    """Of the labelled pairs (dispositive, other) salience orders three of four rightly."""
    salience = {"section:IPC-302": 0.9, "numerical:age:1": 0.3, "party:petitioner": 0.1}
    reading = reading_of(analysis())
    facts = tuple(replace(f, salience=salience.get(f.fact_id, 0.5)) for f in reading.facts)
    one = CaseResult(case(), replace(reading, facts=facts))
    found = by_key(counterfactual_section([one], 1.0))["salience.auc"]
    assert (found.value, found.n) == (0.75, 4)


def test_the_tables_of_one_case() -> None:
    section = counterfactual_section([measured()], 1.6)

    def rows_of(title: str) -> dict[Any, Any]:
        [found] = [table for table in section.tables if table.title == title]
        return {row[0]: row[1:] for row in found.rows}

    [misread] = [it for it in section.tables if it.title == "Facts read against their label"]
    assert {row[1]: row[3:] for row in misread.rows} == {
        "section:IPC-302": ("dispositive", 1.5, 0.5, 1),
        "numerical:age:1": ("dispositive", None, None, 0),
        "party:petitioner": ("non-dispositive", None, None, 0),
    }
    rows = rows_of("Facts by fact type")
    assert list(rows) == ["Section", "PartyType", "Evidence", "Numerical", "all"]
    assert rows["Section"] == (1, 0.0, 0, None, 0, None)
    assert rows["PartyType"] == (0, None, 1, 0.0, 1, None)
    assert rows["all"] == (2, 0.0, 2, 0.5, 2, 1.0)
    assert rows_of("Facts that could not be measured") == {
        "reaches no channel": (0, 1, 0, 1, 0, 0),
        "refused or beyond the limits": (1, 0, 0, 0, 0, 1),
    }
    assert rows_of("By operation") == {
        "replace": (1, 1.5, 0, None, None),
        "remove": (0, None, 1, 0.0, None),
    }
    edits = rows_of("What the validator said")
    assert edits["Numerical"] == (1, 0, 1, 0.0)
    assert edits["PartyType"] == (0, 0, 0, None)
    assert edits["several edits"] == (1, 1, 0, 1.0)
    for name in ("Facts by area", "Facts by design"):
        assert len(rows_of(name)) == 1


def test_the_plots_of_one_case() -> None:
    lines, bars = counterfactual_section([measured()], 1.0).plots
    high, low, mean = lines.series
    assert high.x == SWEEP
    assert high.y == tuple(1.0 if threshold < 1.5 else 0.0 for threshold in SWEEP)
    assert low.y == tuple(1.0 for _ in SWEEP) and mean.y[3] == 1.0
    assert bars.labels == ("Section", "PartyType", "Evidence", "Numerical")
    places = [((0.0,), (1.5,)), ((2.0,), (0.0,)), ((0.0,), (0.5,))]
    assert [(bar.x, bar.y) for bar in bars.series] == places


def test_the_section_is_plain_json_and_the_same_bytes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(statistics, "CASE_RESAMPLES", 100)

    def text() -> str:
        section = counterfactual_section([measured(), measured(case_id="other")], 1.5, seed=3)
        return json.dumps(section.to_dict(), allow_nan=False)

    assert text() == text()
    one = json.loads(text())["details"]["cases"][0]
    assert one["facts"][0]["correct"] is False
    assert one["refused"] == [{"fact_types": ["Numerical"], "reason": "Nobody is 200 years old."}]


# Running over a set


def stored(folder: Path, corpus: str = "a") -> ResultStore:
    return ResultStore(folder / "readings.sqlite", {"corpus": corpus})


def counted(asked: list[str], unfinished: str = "") -> Callable[[FactSheet], Analysis]:
    """An analysis by hand that keeps which cases it was asked for, and breaks one off."""

    def analyse(sheet: FactSheet) -> Analysis:
        asked.append(sheet.case_id)
        own, complete = replace(SHEET, case_id=sheet.case_id), sheet.case_id != unfinished
        return replace(analysis(), sheet=own, complete=complete)

    return analyse


def test_a_case_is_analysed_again_only_where_it_or_the_corpus_changed(tmp_path: Path) -> None:
    cases, asked = [case(), case(case_id="other")], list[str]()
    store, told, analyse = stored(tmp_path), list[tuple[str, int, int]](), counted(asked)
    first = measure_cases(cases, analyse, store, lambda *now: told.append(now))
    assert asked == ["made-case", "other"]
    assert told == [("cases", done, 2) for done in (0, 1, 2)]
    assert measure_cases(cases, analyse, store) == first
    relabelled = [case(dispositive_facts=[SECTION]), cases[1]]
    assert len(measure_cases(relabelled, analyse, store)[0].facts) == 3
    assert len(asked) == 2
    measure_cases([case()], analyse, stored(tmp_path, corpus="b"))
    measure_cases([case(narrative=SHEET.narrative + " He ran.")], analyse, store)
    assert len(asked) == 4


def test_what_was_broken_off_is_not_stored_and_what_was_before_is(tmp_path: Path) -> None:
    store, cases, asked = stored(tmp_path), [case(), case(case_id="other")], list[str]()
    with pytest.raises(KeyboardInterrupt):
        measure_cases(cases, counted([], unfinished="other"), store)
    measure_cases(cases, counted(asked), store)
    assert asked == ["other"]


def test_a_draw_keeps_the_order_of_the_file_and_follows_the_seed() -> None:
    cases = [case(case_id=f"c{at:02}") for at in range(20)]
    drawn = choose(cases, 5, seed=1)
    ids = [one.case_id for one in drawn]
    assert len(set(ids)) == 5
    assert ids == sorted(ids)
    assert choose(cases, 5, seed=1) == drawn
    assert choose(cases, 5, seed=2) != drawn
    assert choose(cases, None, seed=1) == choose(cases, 50, seed=1) == cases
