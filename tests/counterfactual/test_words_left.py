"""A provision does not change where the narrative goes on speaking of the old one."""

from __future__ import annotations

import pytest

from countercase.counterfactual.validators import RuleValidator, Verdict
from countercase.fact_types.citation_rewriting import cite_instead
from countercase.facts.edits import Edit
from countercase.facts.extraction import extract
from countercase.facts.model import SectionValue


def verdict(text: str, old: str, new: str) -> Verdict:
    root = extract(text, tagger=False)
    fact = root.fact(f"section:{old}")
    words = tuple(cite_instead(root, fact, new))
    edit = Edit(
        fact.fact_id, "Section", old, new, "section.neighbour", new, SectionValue(new), words
    )
    return RuleValidator().judge(root, [edit])


@pytest.mark.parametrize(
    ("text", "old", "new", "rule"),
    [
        ("A dowry death appeal; she hanged herself. Section 304B IPC.", "IPC-304B", "IPC-306",
         "section.words_left"),
        ("Section 307 IPC. Whether a shot without injury amounts to attempt to murder.", "IPC-307",
         "IPC-308", "section.words_left"),
        ("Section 7 PC Act. The purse was a motive or reward.", "PCA-7",
         "PCA-13(1)(d)", "section.words_left"),
        ("Convicted of breach of trust. Section 409 IPC applies.", "IPC-409", "IPC-420",
         "section.words_left"),
        ("Section 7 PC Act. The presumption is only for 7.", "PCA-7", "PCA-11",
         "section.number_left"),
        ("A second charge, section 342 IPC, adds one year.", "IPC-342", "IPC-341",
         "section.terms"),
        ("He died. Convicted under section 304B IPC and given seven years.", "IPC-304B",
         "IPC-302", "section.terms"),
        ("Convicted under section 20(b)(ii)(B) of the NDPS Act in 2018 with a fine of Rs. 1 lakh.",
         "NDPS-20(b)(ii)(B)", "NDPS-20(b)(ii)(A)", "section.terms"),
        ("He died. Section 302 IPC held proved; we ask for section 304 Part I IPC.", "IPC-302",
         "IPC-304-II", "section.asked"),
        ("Default bail under section 167 CrPC. Section 409 IPC.", "IPC-409", "IPC-403",
         "section.rests_on_the_term"),
        ("The complaint is barred by section 468 CrPC. Section 406 IPC.", "IPC-406", "IPC-420",
         "section.rests_on_the_term"),
        ("He died. Section 302 IPC. Assessed under section 15 of the Juvenile Justice (Care and "
         "Protection of Children) Act, 2015.", "IPC-302", "IPC-304-I",
         "section.rests_on_the_term"),
        ("He died. Section 302 IPC was held proved and he was sentenced to life imprisonment.",
         "IPC-302", "IPC-304-II", "section.life"),
        ("He died. Charge u/s 105 BNS (second limb, up to ten years).", "BNS-105", "BNS-106(1)",
         "section.number_left"),
        ("He died. Section 302 IPC. Section 15 of the Juvenile Justice (Care and Protection of "
         "Children) Act, 2015. Is the offence heinous?", "IPC-302", "IPC-304-II",
         "section.rests_on_the_term"),
        ("He died. Section 103(2) BNS. With four men the sub-section fails.", "BNS-103(2)",
         "BNS-105", "section.number_left"),
        ("She was raped. Section 376 IPC applies.", "IPC-376", "IPC-354", "section.words_left"),
        ("He came by special leave under Article 136 of the Constitution.", "CONST-136",
         "CONST-133", "section.words_left"),
        ("Section 7 of the Prevention of Corruption Act, 1988, and section 19 of that Act.",
         "PCA-19", "CrPC-197", "section.of_that_act"),
    ],
)  # fmt: skip
def test_what_is_left_of_the_old_provision_refuses_the_new_one(
    text: str, old: str, new: str, rule: str
) -> None:
    found = verdict(text, old, new)
    assert (found.plausible, found.rule) == (False, rule), found


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("She hanged herself. Section 304B IPC.", "IPC-304B", "IPC-306"),
        ("He died. Convicted under section 302 IPC, and given imprisonment for life.", "IPC-302",
         "IPC-304-I"),
        ("The complaint is barred by section 468 CrPC. Section 406 IPC.", "IPC-406", "IPC-403"),
        ("He died after 302 days. Section 302 IPC.", "IPC-302", "IPC-304-I"),
    ],
)  # fmt: skip
def test_what_fits_both_is_left_alone(text: str, old: str, new: str) -> None:
    assert verdict(text, old, new).plausible
