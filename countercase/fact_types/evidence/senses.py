"""Whether words that name evidence do so where they stand, as the learnt reader tells.

`Seal`, `recovery` and `saw` name evidence in one sentence and none in another, and what is promised or
prayed for is not there (`training/mentions.py`).
"""

from __future__ import annotations

from typing import Final

from countercase.text.spans import Span

DOUBTFUL: Final = -1.6
"""The log-odds below which words name no evidence of their kind."""


def names_evidence(text: str, kind: str, mention: Span, sentence: Span) -> bool:
    """Return whether a mention names evidence of its kind; so it does where the reader does not read."""
    from countercase.facts.reader import log_odds

    told = log_odds(f"mention.{kind}", text, [mention], [sentence])
    return told is None or told >= DOUBTFUL
