"""Which numbers of a narrative count accused, blows, injuries, witnesses or victims."""

from __future__ import annotations

import pytest

from countercase.fact_types.numerical.figures import find_counts


def _counts(text: str) -> list[str]:
    return [str(item.value) for item in find_counts(text)]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("9 named accused in FIR.", ["9 accused (accused)"]),
        ("He came along with 6-7 others.", ["6 to 7 accused (other accused)"]),
        ("Those four persons took him.", ["4 accused (accused)"]),
        ("Six of them beat him.", ["6 accused (accused)"]),
        ("PMR shows 11 ante mortem injuries.", ["11 injuries (deceased)"]),
        ("Deceased had one incised wound.", ["1 injuries (deceased)"]),
        ("Accused gave single blow with danda.", ["1 blows (accused)"]),
        ("Accused gave 10-12 lathi blows.", ["10 to 12 blows (accused)"]),
        ("Accused hit him 3 times.", ["3 blows (accused)"]),
        ("Two eye-witnesses turned up.", ["2 witnesses (eyewitnesses)"]),
        ("Prosecution cites 19 witnesses.", ["19 witnesses (prosecution witnesses)"]),
        ("About three hundred witnesses.", ["300 witnesses (prosecution witnesses)"]),
        ("A hundred and twelve witnesses.", ["112 witnesses (prosecution witnesses)"]),
        ("Some eighty-five witnesses.", ["85 witnesses (prosecution witnesses)"]),
        ("There are 3 victims.", ["3 victims (victims)"]),
        ("Three men molested her.", ["3 accused (accused)"]),
        ("Two persons were acquitted.", ["2 accused (accused acquitted)"]),
        ("FIR names 25+, he is one.", ["25 accused (accused)"]),
        ("He and three men looted the van.", ["3 accused (other accused)"]),
        ("Knife blow, single, on thigh.", ["1 blows"]),
        ("Two witnesses were withheld.", ["2 witnesses (prosecution witnesses withheld)"]),
        ("Four men were asleep.", []),
    ],
)
def test_what_is_counted(text: str, counts: list[str]) -> None:
    assert _counts(text) == counts


def test_a_part_of_a_whole_is_two_counts() -> None:
    assert [count.split()[0] for count in _counts("Only 6 of 19 witnesses examined.")] == [
        "6",
        "19",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "He hit 2 bikes.",
        "A board of 5 doctors sat.",
        "The court believed two of them.",
        "No injury was seen.",
        "Accused no. 4 is absent.",
        "He wrote three times to the bank.",
        "PW-3 injured.",
    ],
)
def test_other_numbers_count_nothing_of_the_law(text: str) -> None:
    assert _counts(text) == []


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("PM: abrasions 4, contusion 2.", ["4 injuries", "2 injuries"]),
        ("Single entry wound on the chest.", ["1 injuries"]),
        ("Five convicted by the trial court.", ["5 accused"]),
        ("Four co-accused, 2 are out on bail.", ["4 accused", "2 accused"]),
        ("Neighbours (3) did not support.", ["3 witnesses"]),
        ("She has two minor children.", ["2 children"]),
        ("He slapped her twice.", ["2 blows"]),
    ],
)
def test_counts_by_head_noun(text: str, counts: list[str]) -> None:
    read = _counts(text)
    assert len(read) == len(counts)
    assert all(own.startswith(count) for own, count in zip(read, counts, strict=True))
