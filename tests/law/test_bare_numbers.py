"""Provisions as juniors and clients cite them: short, bare, mistyped, in two scripts."""

from __future__ import annotations

from labelled_rows import labelled

from countercase.law.citations import provisions_in
from countercase.law.provision_ids import citation
from countercase.law.provisions import normal_form


@labelled("provisions_of_notes")
def test_the_provisions_of_a_note(text: str, provisions: str) -> None:
    assert " ".join(provisions_in(text)) == provisions


def test_an_article_of_the_schedule_is_no_section() -> None:
    assert provisions_in("in time under Art 54 Limitation Act") == ("LIM-54",)
    assert provisions_in("Section 54 of the Limitation Act") == ()
    assert citation("LIM-54") == "Article 54 of the Limitation Act, 1963"
    assert normal_form("Article 54 of the Limitation Act") == "LIM-54"


def test_a_long_text_marks_its_sections() -> None:
    note = "He was booked for 302 and section 34 of the Penal Code. "
    assert provisions_in(note) == ("IPC-302", "IPC-34")
    assert provisions_in(note * 300) == ("IPC-34",)


def test_an_age_then_and_now_is_no_section() -> None:
    assert "ARMS-27" not in provisions_in("Arms Act, revolver. Sonu then 24 now 27.")
