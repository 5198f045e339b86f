"""Which provision of the Sanhitas of 2023 took the place of which old one."""

from __future__ import annotations

from dataclasses import dataclass

from countercase.io import read_table


@dataclass(frozen=True)
class Correspondence:
    """A provision repealed in 2024 and the one that took its place.

    Args:
        old, new: both in normal form.
        note: how the scope changed, or empty.
        checked: `heading` where the headings of both sections agree too, `tables` where the pair
            rests on published tables of correspondence alone. None of them is official, and
            sub-section numbers always rest on the tables.
        changed: whether the new provision punishes or provides otherwise than the old one did.
    """

    old: str
    new: str
    checked: str
    note: str = ""
    changed: bool = False


def correspondences() -> tuple[Correspondence, ...]:
    """Every checked pair of an old and a new provision, in table order."""
    return read_table("law/correspondences", Correspondence)


def correspond(this: str, that: str) -> bool:
    """Whether one of two provisions took the place of the other, in normal form."""
    return any({this, that} == {pair.old, pair.new} for pair in correspondences())
