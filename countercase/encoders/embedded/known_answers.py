"""A known-answer test: do the models of this machine compute what they computed when shipped?

A checksum says that a file is whole; this says that the file, the conversion and the arithmetic
together give the right numbers. The answers were written with float32 (`training/known_answers.py`);
bfloat16 moves a cosine in the third decimal.
"""

from __future__ import annotations

import hashlib
import json
from importlib import resources
from typing import Final

from countercase.encoders.base import Encoders, Role

ASKED: Final = "He struck one blow with a stick in a sudden quarrel over the water channel."
ANSWERS: Final = (
    "A single blow in the heat of a sudden fight, without premeditation, is culpable homicide "
    "not amounting to murder; the conviction is altered to section 304 Part II.",
    "The assessee cannot claim depreciation on machinery that was never put to use in the year.",
)
COSINE_TOLERANCE: Final = 0.01
SCORE_TOLERANCE: Final = 0.2

_FILE: Final = "known_answers.json"


def known_answers(encoders: Encoders, role: Role, apart: bool = False) -> list[float]:
    """Score `ASKED` against each of `ANSWERS` by the models of `role`, `apart`: each alone.

    Cosines for the bi-encoders, scores for the cross-encoder. The towers are taken as a pair: the
    question tower is asked against the passage tower, and the passage tower against itself.
    """
    if apart and encoders.apart is not None:
        asked, *answers = encoders.apart.read([ASKED, *ANSWERS])
        compared = encoders.apart.compare([([asked], answer) for answer in answers])
        return [float(scores[0]) for scores in compared]
    if role == "cross":
        return [float(score) for score in encoders.score([(ASKED, answer) for answer in ANSWERS])]
    asking: Role = "question" if role == "question" else role
    answering: Role = "sentence" if role == "sentence" else "passage"
    [question] = encoders.encode(asking, [ASKED])
    return [float(vector @ question) for vector in encoders.encode(answering, ANSWERS)]


def difference(encoders: Encoders, role: Role, apart: bool = False) -> str:
    """What is wrong with the answers of `role`; empty where they are as shipped.

    Read apart or jointly, the cross-encoder's answers are the same within the tolerance.
    """
    expected: list[float] = json.loads(_shipped())[role]
    answers = known_answers(encoders, role, apart)
    tolerance = SCORE_TOLERANCE if role == "cross" else COSINE_TOLERANCE
    if all(abs(a - b) <= tolerance for a, b in zip(answers, expected, strict=True)):
        return ""
    return (
        f"gives {', '.join(f'{value:.3f}' for value in answers)} where it gave "
        f"{', '.join(f'{value:.3f}' for value in expected)} when it was shipped; "
        "`countercase models prepare --again` makes it anew"
    )


def answers_digest() -> str:
    """Names the answers that shipped models gave."""
    return hashlib.sha256(_shipped()).hexdigest()


def _shipped() -> bytes:
    folder = resources.files("countercase.encoders.embedded")
    return folder.joinpath("adapter_files", _FILE).read_bytes()
