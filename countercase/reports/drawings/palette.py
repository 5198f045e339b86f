"""The colours of the drawings in a light and a dark scheme, and their style sheet.

Text keeps a contrast of at least 4.5 to 1 to the paper and everything else that says something at
least 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11). No meaning rests on a colour alone.
"""

from __future__ import annotations

from typing import Final

from countercase.reports.drawings.shapes import Colour

LIGHT: Final[dict[Colour, str]] = {
    "paper": "#ffffff", "ink": "#1b1f24", "dim": "#505a64", "rule": "#767f89",
    "floor": "#767f89", "move": "#0b5394", "threshold": "#a63a00", "new": "#17663a",
    "dropped": "#a63a00",
}  # fmt: skip
DARK: Final[dict[Colour, str]] = {
    "paper": "#15181c", "ink": "#e8eaed", "dim": "#aab3bd", "rule": "#828c97",
    "floor": "#828c97", "move": "#74b9ff", "threshold": "#ffa366", "new": "#63d18f",
    "dropped": "#ffa366",
}  # fmt: skip


def drawing_css() -> str:
    """The style sheet of drawings inside a page: one variable per colour, dark where wished.

    A page with a switch of its own sets the variables (`--cc-ink`, `--cc-paper`, ...) itself.
    """
    classes = (
        f".cc-fill-{name}{{fill:var(--cc-{name})}}.cc-line-{name}{{stroke:var(--cc-{name})}}"
        for name in LIGHT
    )
    return "\n".join(
        [
            f":root{{{_variables(LIGHT)}}}",
            f"@media (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}",
            f"@media print{{:root{{{_variables(LIGHT)}}}}}",
            *classes,
            ".cc-drawing{max-width:100%;height:auto}",
            "",
        ]
    )


def _variables(colours: dict[Colour, str]) -> str:
    return ";".join(f"--cc-{name}:{value}" for name, value in colours.items())
