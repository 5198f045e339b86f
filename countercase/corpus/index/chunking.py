"""Chunks: runs of whole sentences of about 200 word pieces, each knowing where it came from."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from countercase.text.sentences import bounded_runs, sentence_spans

Counts = Callable[[list[str]], list[int]]
"""Word pieces of each text of a list."""

_PARAGRAPH: Final = re.compile(r"(?m)^\s*(\d{1,3})\\?[.)]\s")


@dataclass(frozen=True)
class Chunk:
    """A run of whole sentences of one document, which is exactly `start` to `end` of its text.

    `number` counts from 0 in the document; `section` is what most of its characters are; `page` and
    `paragraph` are where its first character stands, from 1, or 0 where unknown.
    """

    number: int
    text: str
    start: int
    end: int
    section: str = ""
    page: int = 0
    paragraph: int = 0


def chunk_text(
    text: str,
    counts: Counts,
    limit: int = 200,
    labels: Callable[[str, Sequence[tuple[int, int]]], Sequence[str]] | None = None,
    pages: Sequence[int] = (),
) -> list[Chunk]:
    """Split `text` into chunks of at most `limit` word pieces, as `counts` counts them.

    Sentences are kept whole, but for one that is longer than `limit` by itself, which is split
    between words. Boundaries depend on the text alone, not on the `labels` of sections.
    """
    spans = [
        piece
        for span in sentence_spans(text)
        for piece in _split_long_span(text, span, counts, limit)
    ]
    if not spans:
        return []
    sizes = counts([text[start:end] for start, end in spans])
    names = list(labels(text, spans)) if labels is not None else [""] * len(spans)
    numbered = _PARAGRAPH.finditer(bounded_runs(text))
    marks = numbers_in_force((match.start(1), int(match.group(1))) for match in numbered)
    return [
        _chunk(text, spans[first:after], names[first:after], marks, pages, number)
        for number, (first, after) in enumerate(_cut_runs(sizes, limit))
    ]


def numbers_in_force(marks: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the (offset, number) marks that number paragraphs, in order.

    Numbers that do not follow on are list items or figures at the start of a line.
    """
    kept = [(-1, 0)]
    for start, value in marks:
        if 0 < value - kept[-1][1] <= 3:
            kept.append((start, value))
    return kept


def _chunk(
    text: str,
    spans: Sequence[tuple[int, int]],
    names: Sequence[str],
    marks: Sequence[tuple[int, int]],
    pages: Sequence[int],
    number: int,
) -> Chunk:
    start, end = spans[0][0], spans[-1][1]
    weight: dict[str, int] = {}
    for name, (left, right) in zip(names, spans, strict=True):
        weight[name] = weight.get(name, 0) + right - left
    section = max(weight, key=lambda name: (weight[name], name))
    page = bisect_right(pages, start)
    paragraph = marks[bisect_right(marks, start, key=lambda mark: mark[0]) - 1][1]
    return Chunk(number, text[start:end], start, end, section, page, paragraph)


def _split_long_span(
    text: str, span: tuple[int, int], counts: Counts, limit: int
) -> list[tuple[int, int]]:
    """Return the span itself, or its parts where it is too long, cut between words."""
    start, end = span
    if end - start <= limit * 2 or counts([text[start:end]])[0] <= limit:
        return [span]
    words = [match.span() for match in re.finditer(r"\S+", text[start:end])]
    sizes = counts([text[start + a : start + b] for a, b in words])
    runs = _cut_runs(sizes, limit)
    return [(start + words[first][0], start + words[after - 1][1]) for first, after in runs]


def _cut_runs(sizes: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Cut items of these sizes into runs of at most `limit` together, or of one item."""
    runs, first, total = [], 0, 0
    for at, size in enumerate(sizes):
        if at > first and total + size > limit:
            runs.append((first, at))
            first, total = at, 0
        total += size
    return [*runs, (first, len(sizes))]
