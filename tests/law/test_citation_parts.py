"""Clauses and sub-sections named before their section, and what `the Act` is defined to be."""

from __future__ import annotations

import pytest
from labelled_rows import labelled

from countercase.law.citations import find_citations, provisions_in


@labelled("citation_parts")
def test_what_stands_before_a_section_narrows_it(text: str, provision: str, words: str) -> None:
    (found,) = find_citations(text)
    assert (found.provision, found.text) == (provision, words)
    assert text[found.span.start : found.span.end] == words


def test_it_does_not_narrow_the_next_member_or_several_at_once() -> None:
    assert provisions_in("sub-section (1) of section 420 and section 465 IPC") == (
        "IPC-420(1)",
        "IPC-465",
    )
    assert provisions_in("clause (1) of Articles 14 and 16") == ("CONST-14", "CONST-16")


def test_a_section_that_already_has_its_sub_section_or_part_keeps_it() -> None:
    assert provisions_in("clause (1) of section 376(2) IPC") == ("IPC-376(2)",)
    assert provisions_in("clause (1) of section 304 Part II IPC") == ("IPC-304-II",)


@pytest.mark.parametrize(
    "defined",
    [
        "(hereinafter referred to as the Act)",
        '(54 of 1959), "hereinafter called the Act',
        "(Act 54 of 1959) (hereinafter to be referred to as 'the Act')",
        '(Central Act No. 54 of 1959) [for short "the said Act"]',
    ],
)
def test_the_act_is_what_the_text_defines_it_to_be(defined: str) -> None:
    text = (
        f"He was tried under the Arms Act, 1959 {defined}. The Mines Act was cited too. "
        "A breach of section 7 of the Act is alleged."
    )
    assert provisions_in(text) == ("ARMS-7",)
