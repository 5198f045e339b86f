"""Which part of a judgment each sentence belongs to.

Headings decide where a judgment has them; elsewhere the label of a sentence comes from its cue phrases
and its place, and the run from a Viterbi path over all sentences in which a change of label has a
price. A cue is a phrase that stands in one part of a judgment far more than in the others; its weight
is in the unit of the prices (nats, loosely). The phrases (`data/section_cues.jsonl`,
`data/section_headings.jsonl`) were chosen by hand, the weights on one half of the judgments that
`benchmarks/sections.py` measures; its figures come from the other half.

The parts are those of Bhattacharya et al., "Identification of Rhetorical Roles of Sentences in
Indian Legal Judgments", JURIX 2019, brought down to the six that a reader of passages needs.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.judgment.patterns import patterns_of
from countercase.io import read_table

SECTIONS: Final = ("header", "facts", "arguments", "analysis", "holding", "order")
"""The labels, in the order in which a judgment has its parts."""

CAPS: Final = {"facts": 2.5, "arguments": 8.0, "analysis": 2.5, "order": 8.0}
"""The most that cues can add to a label of one sentence; a holding counts as analysis here."""

_PATH: Final = ("facts", "arguments", "analysis", "order")
"""The labels between which the path chooses; a holding is found within the analysis."""
_ANALYSIS: Final = _PATH.index("analysis")
_HOLDING: Final = "holding"
_PRICE: Final = 3.0
"""What a change of label costs."""
_AFTER_ORDER: Final = 2.0
"""What it costs more to go on after an order, with which most judgments end."""
_HEADING: Final = 8.0
"""What a heading adds to its label up to the next heading."""
_CLOSING: Final = 6
"""Sentences at the end in which an order is likely, whatever the length of the judgment."""
_HEAD_CHARACTERS: Final = 4000


_pattern = patterns_of("sections")

Rows: TypeAlias = NDArray[np.float64]
"""Scores by sentence and by label of `_PATH`."""
Marks: TypeAlias = NDArray[np.bool_]
"""Which sentences the court concludes in."""


@dataclass(frozen=True)
class Cue:
    """Phrases of one label, each a regular expression on lower-cased text."""

    label: str
    weight: float
    phrases: tuple[str, ...]


@dataclass(frozen=True)
class Heading:
    """What a line may say, number and punctuation aside, to open the part named by `label`."""

    label: str
    words: tuple[str, ...]


def label_sections(text: str, sentences: Sequence[tuple[int, int]]) -> list[str]:
    """Return one of `SECTIONS` for every sentence of a judgment, given as ranges of its characters."""
    if not sentences:
        return []
    first, end = _body_start(text, sentences), len(sentences)
    if (catchwords := _pattern("CATCHWORDS").search(text)) is not None:
        text = text[: catchwords.start()]
        end = max(first, bisect_left(sentences, (len(text), 0)))
    body = sentences[first:end]
    if not body:
        return [SECTIONS[0]] * len(sentences)
    scores = _score_places(len(body))
    holds = _add_cues(scores, text, body) | _add_headings(scores, text, body)
    path = np.array(_best_path(scores))
    holds &= path == _ANALYSIS
    holds[1:-1] |= (holds[:-2] & holds[2:]) & (path[1:-1] == _ANALYSIS)  # one that parts two
    labels = [_HOLDING if held else _PATH[label] for label, held in zip(path, holds, strict=True)]
    return [SECTIONS[0]] * first + labels + [SECTIONS[0]] * (len(sentences) - end)


def _body_start(text: str, sentences: Sequence[tuple[int, int]]) -> int:
    """Return how many of the first sentences are the header."""
    limit = min(_HEAD_CHARACTERS, len(text) // 2)
    opening = _pattern("BODY_OPENS").search(text, 0, limit)
    if opening is not None:
        ends = [end for _, end in sentences]
        index = bisect_right(ends, opening.end())
        if index < len(sentences):
            start, end = sentences[index]
            index += start < opening.end() and end - opening.end() < opening.end() - start
        return index
    for index, (start, end) in enumerate(sentences):
        is_late_or_long = start >= limit or end - start > 400
        if is_late_or_long or not _pattern("TITLE_LINE").search(text, start, end):
            return index
    return len(sentences)


def _score_places(count: int) -> Rows:
    """Return what the place alone says of each of `count` sentences, per label of `_PATH`."""
    index = np.arange(count)
    place = (index + 0.5) / count
    closing = (count - index <= _CLOSING) | (place > 0.95)
    analysis = 0.2 + 0.3 * np.minimum(place * 3, 1.0)
    order = np.where(closing, -0.75, -3.0)
    return np.column_stack([1.5 - 4.0 * place, np.zeros(count), analysis, order])


@cache
def _cue_patterns() -> tuple[tuple[str, float, re.Pattern[str]], ...]:
    cues = read_table("corpus/judgment/section_cues", Cue)
    return tuple((it.label, it.weight, re.compile(rf"\b(?:{'|'.join(it.phrases)})")) for it in cues)


def _add_cues(scores: Rows, text: str, sentences: Sequence[tuple[int, int]]) -> Marks:
    """Add what the cue phrases say; which sentences hold one of a conclusion of the court."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter whose small form is longer would shift every offset
        lowered = "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
    starts = [start for start, _ in sentences]
    added, concludes = np.zeros_like(scores), np.zeros(len(sentences), dtype=bool)
    for name, weight, pattern in _cue_patterns():
        label = _path_label(name)
        for match in pattern.finditer(lowered, starts[0]):
            index = bisect_right(starts, match.start()) - 1
            added[index, label] += weight
            concludes[index] |= name == _HOLDING
    scores += np.minimum(added, [CAPS[name] for name in _PATH])
    concludes &= added[:, _PATH.index("arguments")] == 0
    return concludes


def _path_label(name: str) -> int:
    return _ANALYSIS if name == _HOLDING else _PATH.index(name)


@cache
def _heading_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = read_table("corpus/judgment/section_headings", Heading)
    return tuple((row.label, re.compile("|".join(row.words), re.IGNORECASE)) for row in rows)


def _add_headings(scores: Rows, text: str, sentences: Sequence[tuple[int, int]]) -> Marks:
    """Add what the headings say; which sentences stand under one that announces the holding."""
    starts = [start for start, _ in sentences]
    opened = [(0, "")]
    for line in _pattern("LINE").finditer(text, starts[0]):
        words = line["words"]
        label = next((name for name, known in _heading_patterns() if known.fullmatch(words)), "")
        if label or words.isupper():
            opened.append((max(0, bisect_right(starts, line.end()) - 1), label))
    under_holding = np.zeros(len(sentences), dtype=np.bool_)
    for (begin, label), (end, _) in pairwise([*opened, (len(sentences), "")]):
        if label:
            scores[begin:end, _path_label(label)] += _HEADING
            under_holding[begin:end] = label == _HOLDING
    return under_holding


def _best_path(scores: Rows) -> list[int]:
    """Return the labels with the greatest sum of scores less prices (Viterbi); ties go to the earlier."""
    # Price of a change by new label, then old label.
    prices = np.tile([_PRICE + _AFTER_ORDER * (old == "order") for old in _PATH], (len(_PATH), 1))
    np.fill_diagonal(prices, 0.0)
    total, back = scores[0], []
    for row in scores[1:]:
        paths = total - prices
        back.append(paths.argmax(axis=1))
        total = paths.max(axis=1) + row
    path = [int(total.argmax())]
    for chosen in reversed(back):
        path.append(int(chosen[path[-1]]))
    return path[::-1]
