"""Cells that a spreadsheet would run as a formula, made harmless and restored.

A cell that begins with `=`, `+`, `-` or `@`, their full-width forms, or a tab or line break, is a
formula to a spreadsheet, and a formula may read other cells or start a program. An apostrophe
before it makes it text (OWASP, "CSV Injection"). A cell that already begins with apostrophes and
then such a sign gets one more, so that `restored` is the exact inverse.
"""

from __future__ import annotations

from typing import Final

_SIGNS: Final = frozenset("=+-@＝＋－＠\t\r\n")
_SKIPPED: Final = " \u00a0\u200b\u2060\ufeff\v\f\x00"
"""What a spreadsheet may pass over before it looks for a sign."""


def harmless(cell: str) -> str:
    """The cell so that a spreadsheet shows it and does not run it."""
    return "'" + cell if _runs(cell) else cell


def restored(cell: str) -> str:
    """What `harmless` was given; a cell that it would not have changed comes back as it is."""
    return cell[1:] if cell.startswith("'") and _runs(cell[1:]) else cell


def _runs(cell: str) -> bool:
    """Whether a cell is a formula, or would be without the apostrophes before it."""
    return cell.lstrip("'").lstrip(_SKIPPED)[:1] in _SIGNS if cell.strip("'") else False
