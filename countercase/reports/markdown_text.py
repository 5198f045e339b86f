"""Text of a case or a judgment made safe inside Markdown: it stays text, whatever it holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from countercase.reports.plain import plain

_ACTIVE: Final = re.compile(r"([\\`*_\[\]<>|~#])")
_LIST_MARK: Final = re.compile(r"^(\d+)([.)])(?=\s|$)|^([-+=])(?=\s|=|-|$)")


def inline(text: str) -> str:
    """`text` on one line with every character that Markdown or HTML would act on escaped."""
    escaped = _ACTIVE.sub(r"\\\1", plain(text)).replace("&", "&amp;")
    return _LIST_MARK.sub(_marked, escaped)


def _marked(match: re.Match[str]) -> str:
    if match.group(1):
        return f"{match.group(1)}\\{match.group(2)}"
    return f"\\{match.group(3)}"


def code(text: str) -> str:
    """`text` in a code span; backticks, which would end it, become apostrophes."""
    return "`" + plain(text).replace("`", "'") + "`"


def table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """A Markdown table; cells are escaped by whoever made them."""
    return [
        "| " + " | ".join(header) + " |",
        "|" + "---|" * len(header),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
