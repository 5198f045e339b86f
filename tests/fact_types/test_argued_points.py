"""A point or question that is about a provision alone goes along when the provision goes."""

from __future__ import annotations

import pytest

from countercase.fact_types.argued import point_left_out
from countercase.fact_types.section import propose
from countercase.facts.edits import apply_edits
from countercase.facts.extraction import extract
from countercase.text.spans import Span


def without(text: str, said: str) -> str | None:
    """The text without the point that has the words `said`; None where it stays."""
    root = extract(text, tagger=False)
    place = Span(text.index(said), text.index(said) + len(said))
    own = next((f.fact_id for f in root.facts if place in f.spans), "")
    point = point_left_out(root, own, place)
    return None if point is None else text[: point.start] + text[point.end :]


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ('He left. Need rulings on "soon before" and on relatives who live apart.', "soon before",
         "He left. Need rulings on relatives who live apart."),
        ("He left. We ask whether he may appeal and whether soon before means days.", "soon before",
         "He left. We ask whether he may appeal."),
        ("He left. Our points: parade late, no recovery, s. 397 IPC cannot be shared.",
         "s. 397", "He left. Our points: parade late, no recovery."),
        ("He left. Grounds: soon before is not proved; the witnesses are kin.", "soon before",
         "He left. Grounds: the witnesses are kin."),
    ],
)  # fmt: skip
def test_one_point_of_several_goes(text: str, said: str, expected: str) -> None:
    assert without(text, said) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("He left. She was beaten soon before and on the day.", "soon before"),
        ("He left. Need rulings on soon before.", "soon before"),
        ("He left. Need rulings on soon before and on its proof.", "soon before"),
        ("He left. Our points: parade late, soon before fails with the FIR of 2012.",
         "soon before"),
        ("He left. Need rulings on delay and on soon before. It decides the case.", "soon before"),
        ("He left. Need rulings on delay, soon. Before that on bail.", "soon. Before"),
    ],
)  # fmt: skip
def test_what_is_told_alone_or_leant_on_stays(text: str, said: str) -> None:
    assert without(text, said) is None


@pytest.mark.parametrize(
    "text",
    [
        "He moved late. We say that section 473 CrPC requires no separate petition.",
        "The decision, turning on Article 16(4) of the Constitution, does not help them.",
        "The circular bars any second pension under Articles 14 and 16 of the Constitution.",
        "A reprimand is no penalty and so outside Article 311(2) of the Constitution.",
        "The revision was heard, and section 401 CrPC does not permit a rise without notice.",
    ],
)
def test_what_the_law_says_is_said_of_no_other_provision(text: str) -> None:
    edits = propose(extract(text, tagger=False))
    assert not [e.perturbed_value for e in edits]


def test_the_question_of_a_dowry_death_goes_with_its_charge() -> None:
    root = extract(
        "She hanged herself. A car was demanded as dowry. Charges: ss. 80(2) and 85 BNS. "
        'Need rulings on "soon before" and on relatives who live apart.',
        tagger=False,
    )
    [edit] = [e for e in propose(root) if e.perturbed_value == "BNS-108"]
    assert apply_edits(root, [edit]).narrative == (
        "She hanged herself. A car was demanded as dowry. Charges: ss. 108 and 85 BNS. "
        "Need rulings on relatives who live apart."
    )


def test_a_robbery_cannot_become_a_theft_beside_section_397() -> None:
    root = extract("Convicted under section 392 IPC read with section 397 IPC.", tagger=False)
    assert {(e.original_value, e.perturbed_value) for e in propose(root)} == {("IPC-397", "")}
