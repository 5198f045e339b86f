"""One of several charges or grounds is left out, and nothing that leans on it stays behind."""

from __future__ import annotations

import pytest

from countercase.counterfactual.validators import RuleValidator
from countercase.fact_types.cumulative import Cumulative
from countercase.fact_types.section import propose, reason
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.extraction import extract
from countercase.io import read_table
from countercase.law.provision_ids import parse_id


def left_out(text: str) -> dict[str, tuple[Edit, str]]:
    """The provisions that may be left out, each with its edit and the text that remains."""
    root = extract(text, tagger=False)
    judge = RuleValidator()
    return {
        edit.original_value: (edit, apply_edits(root, [edit]).narrative)
        for edit in propose(root)
        if edit.rule == "section.without" and judge.judge(root, [edit]).plausible
    }


@pytest.mark.parametrize(
    ("text", "provision", "expected"),
    [
        ("Booked under sections 323, 504 and 506 IPC.", "IPC-504",
         "Booked under sections 323 and 506 IPC."),
        ("Booked under sections 323, 504 and 506 IPC.", "IPC-506",
         "Booked under sections 323 and 504 IPC."),
        ("FIR u/ss 279, 304A IPC. He died.", "IPC-279", "FIR u/s 304A IPC. He died."),
        ("Section 304B IPC and section 498A IPC were applied to all.", "IPC-498A",
         "Section 304B IPC was applied to all."),
        ("FIR 12/20 u/s 323, 506/34 IPC.", "IPC-323", "FIR 12/20 u/s 506/34 IPC."),
        ("Tried under section 323 IPC. A charge under section 506 was also framed.", "IPC-506",
         "Tried under section 323 IPC."),
        ("The writ rests on Arts 14, 16 and 21.", "CONST-16", "The writ rests on Arts 14 and 21."),
        ("Charged under section 420 of the Indian Penal Code with section 120B.", "IPC-120B",
         "Charged under section 420 of the Indian Penal Code."),
        ("304B, 498A IPC r/w sec 4 DP Act.", "DPA-4", "304B, 498A IPC."),
        ("S.109(1) BNS + 25 Arms Act, at night.", "ARMS-25", "S.109(1) BNS, at night."),
        ("He died. Convicted under section 302 read with section 34 IPC and section 201 IPC.",
         "IPC-201", "He died. Convicted under section 302 read with section 34 IPC."),
        ("He died. The charge is under section 103(1) of the Bharatiya Nyaya Sanhita, 2023, with "
         "section 115(2) of that Sanhita.", "BNS-115(2)",
         "He died. The charge is under section 103(1) of the Bharatiya Nyaya Sanhita, 2023."),
        ("Tried under sections 420, 406 with 120-B IPC.", "IPC-120B",
         "Tried under sections 420, 406 IPC."),
        ("Appeal against a conviction under section 6 of the POCSO Act and section 376(3) of the "
         "IPC.", "POCSO-6", "Appeal against a conviction under section 376(3) of the IPC."),
        ("Charges: s. 506 IPC, ss. 3 and 4 Dowry Prohibition Act.", "DPA-3",
         "Charges: s. 506 IPC, s. 4 Dowry Prohibition Act."),
        ("The order was quashed under Articles 226 and 227.", "CONST-227",
         "The order was quashed under Article 226."),
        ("FIR: ss. 3(1)(r), 3(1)(s) SC/ST Act. The ingredients of (r) and (s) are both missing.",
         "SCST-3(1)(r)", "FIR: s. 3(1)(s) SC/ST Act. The ingredients of (s) are missing."),
        ("FIR: sections 406, 420 IPC. There was no entrustment.", "IPC-406",
         "FIR: section 420 IPC. There was no entrustment."),
        ("FIR under ss. 318(4), 336(3) BNS. Default bail, s. 187(3) BNSS.", "BNS-336(3)",
         "FIR under s. 318(4) BNS. Default bail, s. 187(3) BNSS."),
        ("FIR u/s 420, 406 and 34 IPC.", "IPC-34", "FIR u/s 420 and 406 IPC."),
    ],
)  # fmt: skip
def test_the_rest_of_the_list_stays_in_order(text: str, provision: str, expected: str) -> None:
    edit, after = left_out(text)[provision]
    assert after == expected
    assert reason(edit)


@pytest.mark.parametrize(
    ("text", "provision"),
    [
        ("Tried under section 506 IPC.", "IPC-506"),
        ("He died. Tried under sections 302 and 323 IPC.", "IPC-302"),
        ("Tried under sections 302/149, 307/149 IPC.", "IPC-307"),
        ("Tried under sections 302/34, 201 IPC.", "IPC-302"),
        ("Under sections 304B and 498A IPC, with section 113B of the Evidence Act.", "IPC-304B"),
        ("Convicted under sections 304B and 498A IPC and given seven years.", "IPC-304B"),
        ("Sections 406, 498A IPC, last cruelty alleged in 2019.", "IPC-498A"),
        ("Tried under sections 325 and 323 IPC, the hurt being grievous.", "IPC-325"),
        ("Under sections 323 and 504 IPC; he was acquitted of both charges.", "IPC-504"),
        ("U/s 118(1), 352 BNS [erstwhile 324, 504 IPC].", "BNS-352"),
        ("Police put 323 and 504 IPC, 326 was dropped.", "IPC-504"),
        ("The Special Judge convicted him under section 363 IPC and section 8 POCSO Act.",
         "POCSO-8"),
        ("Sections 323 and 27 Arms Act, though the Arms Act needs a sanction.", "ARMS-27"),
        ("He was let off. Article 14 is also pleaded, but the point is another.", "CONST-14"),
        ("He was let off. A plea of Article 14 was also taken. It failed.", "CONST-14"),
        ("Dismissed without cause. Arts 14 and 21; the order is arbitrary.", "CONST-14"),
        ("Convicted under sections 323, 504 and 506 IPC: one year, six months and two years.",
         "IPC-504"),
        ("FIR: sections 406, 420 IPC. The goods were entrusted.", "IPC-406"),
        ("FIR u/s 338 and 318(4) BNS. Default bail, s. 187(3) BNSS.", "BNS-338"),
        ("Tried for murder under sections 302 and 34 IPC.", "IPC-34"),
        ("He died. Convicted u/s 302 IPC and s. 3(2)(v) SC/ST Act. The special-Act term is the point.",
         "SCST-3(2)(v)"),
        ("FIR: murder and destruction of evidence. He died. Sections 302 and 201 IPC.", "IPC-201"),
        ("FIR came under sections 323 and 504 IPC. Quash the two sections.", "IPC-504"),
        ("He died. Tried under sections 302 and 307 IPC. He asks for section 304A IPC.", "IPC-302"),
        ("Held under sections 420 and 468 IPC (as amended in 2005).", "IPC-468"),
        ("He died. Charged under Sections 302 and 302/149, 307 and 307/149 IPC.", "IPC-307"),
        ("He died. The charge is under section 103(1) of the Bharatiya Nyaya Sanhita, 2023, with "
         "section 115(2) of that Sanhita for slaps given to a companion.", "BNS-115(2)"),
    ],
)  # fmt: skip
def test_what_something_else_leans_on_stays(text: str, provision: str) -> None:
    assert provision not in left_out(text)


@pytest.mark.parametrize("act", ["5(1)(d) and 5(2) of the Prevention of Corruption Act, 1947",
                                 "13(1)(d) and 13(2) of the Prevention of Corruption Act, 1988"])  # fmt: skip
def test_misconduct_and_its_penalty_are_one_charge(act: str) -> None:
    assert not left_out(f"The clerk was tried under sections {act} for what he took.")


def test_rows_name_provisions_in_normal_form() -> None:
    for row in read_table("law/cumulative", Cumulative):
        for name in (row.provision, *row.presupposed_by):
            assert parse_id(name).id == name
