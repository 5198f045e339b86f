"""How often verdicts are right on labelled facts: counted by hand."""

from __future__ import annotations

from labelled_cases import case as labelled_case

from countercase.evaluation.counterfactual.labels import CaseReading, CaseResult, FactReading
from countercase.evaluation.counterfactual.section import add_calibrated_measures, add_verdict_table
from countercase.evaluation.report import Section


def result(**verdicts: tuple[float, str, float | None]) -> CaseResult:
    """The sheet of `handmade`: section and age are labelled dispositive, the other two not.

    Args:
        verdicts: sensitivity, calibrated verdict and p of section, age, evidence and party.
    """
    names = {"section": ("section:IPC-302", "Section"), "age": ("numerical:age:1", "Numerical"),
             "evidence": ("evidence:dying_declaration:1", "Evidence"),
             "party": ("party:petitioner", "PartyType")}  # fmt: skip
    facts = tuple(
        FactReading(*names[key], "", moved, None, (), None, verdict, p)
        for key, (moved, verdict, p) in verdicts.items()
    )
    return CaseResult(labelled_case(), CaseReading("made-case", {}, facts, (), (), 0))


MIXED = result(
    section=(3.0, "dispositive", 0.01),
    age=(1.0, "inconclusive", 0.2),
    evidence=(2.0, "dispositive", 0.04),
    party=(0.0, "not dispositive", 1.0),
)


def test_of_the_facts_that_got_a_verdict_those_whose_label_agrees() -> None:
    section = Section("counterfactual", "")
    add_verdict_table(section, MIXED.facts, 1.5)
    [rows] = [table.rows for table in section.tables]
    assert [row[:5] for row in rows] == [
        ("threshold", "not dispositive", 1, 2, 0.5),  # the party; the age should be
        ("threshold", "dispositive", 1, 2, 0.5),  # the section; the evidence should not
        ("calibrated", "not dispositive", 1, 1, 1.0),
        ("calibrated", "inconclusive", 1, 1, 1.0),  # the age is labelled dispositive
        ("calibrated", "dispositive", 1, 2, 0.5),
    ]


def test_an_inconclusive_fact_is_not_called() -> None:
    section = Section("counterfactual", "")
    add_calibrated_measures(section, [MIXED])
    values = {measure.key: measure.value for measure in section.measures}
    assert values == {
        "counterfactual.dispositive.facts.calibrated": 0.5,
        "counterfactual.non_dispositive.facts.calibrated": 0.5,
        "counterfactual.inconclusive": 0.25,
        "counterfactual.verdict.right.calibrated": 0.5,
        # p of .01, .04, .2 and 1 times 4 over their ranks: .04, .08, .27, 1.
        "counterfactual.beyond_words": 0.25,
    }


def test_without_the_floor_there_are_no_calibrated_measures() -> None:
    by_threshold = result(**dict.fromkeys(("section", "age", "evidence", "party"), (1.0, "", None)))
    section = Section("counterfactual", "")
    add_calibrated_measures(section, [by_threshold])
    assert section.measures == []
