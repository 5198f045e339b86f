"""Questions of the catalogue that fit a matter, as the learnt reader tells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from countercase.fact_types.catalogue import WhatIf, matter_of, rows_that_add
from countercase.fact_types.evidence import ask
from countercase.fact_types.evidence.fitting import (
    ASKED,
    MOST,
    ROWS,
    SOUND,
    choose,
    clause_states,
    questions_that_fit,
)
from countercase.facts.edits import apply_edits
from countercase.facts.extraction import extract
from countercase.facts.model import EvidenceValue, FactSheet
from countercase.facts.reader import load_network
from countercase.io import read_table

CHEQUE = (
    "The accused gave the complainant a cheque for Rs. 2,00,000 dated 3 May 2023 towards the price of "
    "timber. It was returned for want of funds on 6 June 2023. A notice went out on 20 June 2023 and "
    "was served on 24 June 2023. Nothing was paid, and a complaint under section 138 of the Negotiable "
    "Instruments Act was filed on 2 August 2023. He says that the cheque was a blank one given as "
    "security, and that his ledger shows no such purchase."
)


@pytest.fixture(scope="module")
def cheque() -> FactSheet:
    return extract(CHEQUE, "cheque")


def fitting(sheet: FactSheet) -> list[WhatIf]:
    return questions_that_fit(sheet, rows_that_add(sheet, "Evidence"))


def test_the_questions_are_of_the_area_of_the_matter(cheque: FactSheet) -> None:
    asked = fitting(cheque)
    assert 0 < len(asked) <= MOST
    own = [row for row in asked if "cheque_dishonour" in row.asked_in]
    assert len(own) > len(asked) / 2


def test_the_same_matter_has_the_same_questions_whatever_was_read_before(cheque: FactSheet) -> None:
    first = [row.name for row in fitting(cheque)]
    fitting(extract("She was married in 2015 and died of burns in 2020. " * 3, "other"))
    assert [row.name for row in fitting(extract(CHEQUE, "cheque"))] == first


def test_without_a_narrative_only_what_its_provisions_raise_is_asked(cheque: FactSheet) -> None:
    typed = FactSheet("typed", "", tuple(replace(f, spans=()) for f in cheque.facts))
    assert all(row.cited for row in fitting(typed))


@pytest.mark.parametrize("text", ["\u200b 7", "7", "He died.", "? ! 7", "x " * 3000])
def test_a_text_with_nothing_to_read_has_questions_or_none(text: str) -> None:
    assert len(fitting(extract(text, "short"))) <= MOST


def test_every_learnt_row_has_its_weights() -> None:
    table = read_table("law/what_ifs", WhatIf)
    rows = [it.name for it in table if (it.operation, it.fact_type) == ("add", "Evidence")]
    assert rows == load_network().classes[ROWS], "run `python -m training.questions --install`"


def test_a_matter_is_read_clause_by_clause_and_by_what_is_typed(cheque: FactSheet) -> None:
    clauses, whole = clause_states(CHEQUE)
    assert clauses.shape[1] == len(whole) and np.isfinite(clauses).all()
    assert {"cited:NIA-138", "role:accused"} <= {*matter_of(cheque).tokens}


def test_what_the_case_tells_stays_beside_what_a_question_supposes() -> None:
    sheet = extract(
        "He died of one blow. The post-mortem report says that the injury was simple. The accused is "
        "charged under section 302 IPC.",
        "blow",
    )
    [report] = [f for f, v in sheet.valued(EvidenceValue) if v.evidence_type == "medical"]
    row = WhatIf(
        name="medical", fact_type="Evidence", operation="add", of=("medical",),
        provision="IPC-302", suppose="there were more", says="There is more",
    )  # fmt: skip
    [medical] = ask(sheet, [row])
    assert (medical.operation, medical.before) == ("add", None)
    assert medical.after == EvidenceValue("medical", "There is more", "full")
    assert apply_edits(sheet, [medical]).fact(report.fact_id) == report


def test_what_strict_readers_would_sign_is_asked_the_best_first() -> None:
    sound, wanted = SOUND + 1, 0.0
    odds = np.array(
        [
            (sound, wanted, 0.0, ASKED),
            (sound, wanted, 1.0, ASKED),
            (sound, wanted, 0.0, ASKED - 0.01),
            (SOUND - 0.01, 9.0, 9.0, 9.0),
            *([(sound, -1.0, 9.0, 9.0)] * MOST),
        ]
    )
    asked = choose(odds)
    assert asked[-2:] == [1, 0]
    assert len(asked) == MOST - 1  # the third is among the likeliest, and not asked
    assert not {2, 3} & {*asked}
