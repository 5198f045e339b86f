"""Hindi is recognised in either script, and English with a few Hindi words is English."""

from __future__ import annotations

import pytest

from countercase.reports.wording import language_note


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("मेरे भाई पर धारा 302 का केस है।", "Written in Hindi:"),
        ("Mere bhai par dhara 302 ka case hai, usne chaku se maara tha.", "Written in Hindi in Latin"),
        ("He was convicted under section 302 IPC; the khurpi was seized.", ""),
        ("Bail matter: panch witnesses hostile, client in jail 2 saal se.", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_language_of_a_narrative(text: str, start: str) -> None:
    note = language_note(text)
    assert note.startswith(start) if start else note == ""
