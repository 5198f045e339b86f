"""The role that the words beside a party give it: `Ram Singh, the complainant`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from countercase.text.spans import Span

_ROLES: Final = (
    ("complainant", r"complainant|informant|payee"),
    ("claimant", r"claimants?|widow|legal (?:heir|representative)s?|dependants?"),
    ("victim", r"prosecutrix|victim|survivor|injured"),
    ("deceased", r"deceased"),
    ("detenu", r"detenue?"),
    ("wife", r"wife"),
    ("husband", r"husband"),
    ("accused", r"accused|convict|juvenile|drawer|offender"),
)
_ALL: Final = "|".join(f"(?P<n{n}>{words})" for n, (_, words) in enumerate(_ROLES))
_BEFORE: Final = re.compile(rf"(?i)\b(?:{_ALL})[\s,:-]*(?:Smt\.?|Shri|Sri|Ms\.?|Mr\.?)?\s*\Z")
_AFTER: Final = re.compile(
    r"(?i)\s*(?:,|\(|\bis\b|\bwas\b|\bbeing\b)\s*(?:who (?:is|was) )?(?:the |an? |original )*"
    rf"(?:{_ALL})\b"
)
_WITHIN: Final = re.compile(rf"(?i)\b(?:{_ALL})\b")
_REACH: Final = 40


def role_beside(text: str, spans: Sequence[Span]) -> str:
    """Return the role that the text gives a party in or beside its mentions; "" for none."""
    for span in spans:
        match = (
            _WITHIN.search(text, span.start, span.end)
            or _AFTER.match(text, span.end)
            or _BEFORE.search(text, max(0, span.start - _REACH), span.start)
        )
        if match:
            return next(role for n, (role, _) in enumerate(_ROLES) if match[f"n{n}"])
    return ""
