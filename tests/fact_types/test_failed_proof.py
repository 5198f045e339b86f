"""Evidence that stays in the narrative and whose proof failed, and sentences that go whole."""

from __future__ import annotations

import pytest
from perturbation_cases import evidence, figure, narrative_after, section, sheet

from countercase.fact_types import evidence as family
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet


def edit_of(root: FactSheet, rule: str) -> Edit | None:
    edits = (e for e in family.propose(root) if e.rule == f"evidence.{rule}" and e.fact_id == "e")
    return next(edits, None)


@pytest.mark.parametrize(
    ("told", "kind", "said"),
    [
        (
            "The {e|school admission record} shows that she was aged 11 years. She was sent for "
            "soap. He was convicted.",
            "documentary",
            "11 years. The school admission record does not say on whose word the date of birth was "
            "entered. She was",
        ),
        (
            "The {e|municipal birth certificate} makes her aged 17 years. Her mother identified it.",
            "documentary",
            "17 years. The municipal birth certificate does not carry the name of the child whose "
            "birth it records. Her",
        ),
        (
            "The company filed its {e|attendance register}. It shows 240 days. He was convicted.",
            "documentary",
            "register. Nobody who made the entries in the attendance register was examined. It shows",
        ),
        (
            "Our bank sent the {e|disbursement statement}. The loan was paid.",
            "documentary",
            "The disbursement statement was filed without the certificate required by the Bankers' "
            "Books Evidence Act. The loan",
        ),
        (
            "The {e|forensic report} finds heroin. The packets were sealed. He was convicted.",
            "forensic",
            "heroin. The forensic report does not say what tests were made. The packets",
        ),
        (
            "He made a dying declaration. The {e|medical certificate} says: conscious, fit to speak.",
            "medical",
            "The medical certificate does not give the hour of the examination.",
        ),
    ],
)
def test_a_proof_fails_right_after_the_item_named_in_full(told: str, kind: str, said: str) -> None:
    root = sheet(told, e=evidence(kind), s=section("IPC-302"))
    edit = edit_of(root, "weaken")
    assert edit is not None
    assert said in narrative_after(root, edit)
    assert family.reason(edit).endswith(".")


@pytest.mark.parametrize(
    "told",
    [
        "The {e|pass book} was filed, and its original was proved. He was convicted.",
        "The {e|municipal birth certificate} with her name makes her aged 17 years.",
        "The {e|retirement order} is admitted. He was convicted.",
    ],
)
def test_what_was_proved_is_not_weakened(told: str) -> None:
    assert edit_of(sheet(told, e=evidence("documentary"), s=section("IPC-409")), "weaken") is None


def test_of_two_papers_the_one_is_named_that_is_described_first() -> None:
    root = sheet(
        "The {e|pass book} was filled in. He gave an {e|affidavit}. He was convicted.",
        e=evidence("documentary", "Pass book without the receipt"),
        s=section("IPC-409"),
    )
    edit = edit_of(root, "weaken")
    assert edit is not None
    assert "Only a plain copy of the pass book was filed" in narrative_after(root, edit)


def test_a_copy_that_is_held_may_be_uncertified() -> None:
    told = "We hold {e|a certified copy of the form} lodged that week. He sat on the board."
    root = sheet(told, e=evidence("documentary"), s=section("NIA-138"))
    edit = edit_of(root, "weaken")
    assert edit is not None
    assert narrative_after(root, edit).startswith(
        "We hold only an uncertified photocopy of the form"
    )


@pytest.mark.parametrize(
    ("told", "goes"),
    [
        ("The {e|register} is on the record. Around two they met six men.", True),
        ("The {e|register} is on the record. They met six men.", False),
        ("The {e|registers} are on the record. Around two they were shown.", False),
        ("The {e|register} is on the record. A stone lay there the same evening.", True),
        ("The {e|register} is on the record. A map says the same.", False),
    ],
)
def test_words_that_cannot_mean_the_item_do_not_keep_its_sentence(told: str, goes: bool) -> None:
    root = sheet(told, e=evidence("documentary"), n=figure("age", 40))
    edit = edit_of(root, "remove")
    assert edit is not None
    assert (family.FACT_TYPE.objection(root, edit) == "") == goes
