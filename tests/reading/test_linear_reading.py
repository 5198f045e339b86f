"""Twice the text is about twice the steps, whatever the text is; steps are counted, not timed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from steps import steps_of

from countercase.corpus.index.preparation import chunk_text
from countercase.corpus.readers.formats import TREC
from countercase.errors import InputError
from countercase.evaluation.retrieval.collection_files import read_topics
from countercase.facts.case_file import read_case
from countercase.facts.entities import Entity, join
from countercase.facts.extraction import check_length, extract, recognise
from countercase.law.citations import find_citations
from countercase.text.sentences import (
    LONGEST_SENTENCE,
    MOST_LETTERS,
    MOST_SIGNS,
    bounded_runs,
    sentence_spans,
)
from countercase.text.spans import Places, Span

KINDS = {
    "sentences": "The accused, aged 24 years, struck Sita (PW-1) with a lathi under section 302 IPC. ",
    "emoji": "😀",
    "parentheses": "(",
    "quotes": '"',
    "under": "under ",
    "names and ages": "Ramesh Kumar, aged 24, of Agra, ",
    "amounts": "Rs. 5,000 ",
    "lists": "302/34/",
    "number words": "twenty-",
    "line breaks": "a\n",
    "blanks": " ",
    "letters": "A",
}


def is_linear(read: Callable[[Any], object], half: Any, whole: Any) -> bool:
    """Whether twice as much takes about twice the steps, once patterns and tables are read."""
    for text in (half, whole):
        read(text)
    steps = [steps_of(partial(read, text)) for text in (half, whole)]
    return steps[1] <= 2.4 * steps[0]


@pytest.mark.parametrize("kind", KINDS)
def test_twice_the_text_is_twice_the_steps_of_reading_facts(kind: str) -> None:
    unit = KINDS[kind]
    assert is_linear(
        recognise, *(f"He was heard. {unit * (n // len(unit))} x" for n in (700, 1400))
    )


def cut_and_cite(text: str) -> None:
    chunk_text(text, lambda texts: [len(words.split()) for words in texts])
    find_citations(text)


@pytest.mark.parametrize("kind", ["emoji", "parentheses", "line breaks", "lists"])
def test_twice_the_text_is_twice_the_steps_of_cutting_and_citing(kind: str) -> None:
    assert is_linear(cut_and_cite, *("1. He was heard.\n" + KINDS[kind] * n for n in (2000, 4000)))


def test_twice_the_provisions_are_twice_the_steps_of_joining() -> None:
    many = [Entity(Span(9 * at, 9 * at + 8), "PROVISION") for at in range(400)]
    assert is_linear(lambda own: join(own, own), many[:200], many)


@pytest.mark.parametrize("unit", ["<top>", "<top><num>1", "<topic", "<DOC>"])
def test_unclosed_marks_of_trec_end_in_a_line(unit: str, tmp_path: Path) -> None:
    topics = tmp_path / "topics.xml"
    topics.write_text("<top>" + unit * 60_000)
    with pytest.raises(InputError, match="holds no topic"):
        read_topics(topics)
    corpus = tmp_path / "corpus.trec"
    corpus.write_text("<DOC>" + unit * 60_000)
    with pytest.raises(InputError, match="its <DOC> is not closed"):
        list(TREC.documents(corpus))


@given(st.text(alphabet="ab .\n(é😀", max_size=900), st.integers(1, 60))
@example("a" * 140 + "." * 140, 1)
@example("a" * 119 + "." * 160 + "a" * 300, 1)
@example("." * 79 + " " * 2 + "a" * 199, 2)
def test_long_runs_are_cut_at_the_same_length(text: str, times: int) -> None:
    text *= times
    cut = bounded_runs(text)
    assert len(cut) == len(text)
    assert all(len(run) <= MOST_SIGNS for run in re.findall(r"[\W_]+", cut))
    assert all(len(run) <= MOST_LETTERS for run in cut.split())
    if not re.search(rf"[\W_]{{{MOST_SIGNS + 1}}}|\S{{{MOST_LETTERS + 1}}}", text):
        assert cut is text


@given(st.text(alphabet="ab .A\n", max_size=400), st.integers(1, 100))
def test_sentences_hold_everything_and_none_is_too_long(text: str, times: int) -> None:
    text *= times
    spans = sentence_spans(text)
    assert all(end - start <= LONGEST_SENTENCE for start, end in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    kept = "".join(text[start:end] for start, end in spans)
    assert "".join(kept.split()) == "".join(text.split())


PAIRS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=12)


@given(PAIRS, PAIRS)
def test_places_answer_as_looking_at_each_span_does(
    first: list[tuple[int, int]], then: list[tuple[int, int]]
) -> None:
    spans = [Span(start, start + length) for start, length in first]
    taken = [span for span in spans if span.start < span.end]
    places = Places(spans)
    for start, length in then:
        span = Span(start, start + length)
        assert places.meet(span) == any(span.overlaps(other) for other in taken)
        places.add(span)
        taken += [span] if length else []


def test_a_narrative_has_a_stated_longest_length(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a narrative of 300,001 characters, .*MAX_CHARACTERS"):
        extract("a" * 300_001, tagger=False)
    path = tmp_path / "long.txt"
    path.write_text("He was heard. " * 5_000)
    said = r"long\.txt: a narrative of 5,000 sentences.*3,000.*MAX_SENTENCES"
    with pytest.raises(InputError, match=said):
        read_case(path)
    path.write_text("he went on and " * 1_300_000)  # one line of twenty megabytes
    with pytest.raises(InputError, match="characters, more than the 300,000 that are read"):
        read_case(path)
    check_length("He was heard. " * 12, "a", (1000, 12))
    with pytest.raises(InputError, match="of 12 sentences, more than the 11"):
        check_length("He was heard. " * 12, "a", (1000, 11))
