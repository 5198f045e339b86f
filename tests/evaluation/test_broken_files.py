"""Files of evaluations that cannot be read: each is one error that names file, line and field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from labelled_rows import labelled
from lease_questions import question
from rating_sheets import ITEMS

from countercase.errors import InputError
from countercase.evaluation.benchmarks.passages import read_benchmark
from countercase.evaluation.benchmarks.qa_files import read_predictions, read_questions
from countercase.evaluation.benchmarks.similar import read_summary
from countercase.evaluation.benchmarks.similar_cases import read_gold, read_records
from countercase.evaluation.likert.ratings import read_label_studio
from countercase.evaluation.likert.sheets import read_sheet
from countercase.evaluation.planted.generate import Spec
from countercase.evaluation.report import read_bounds
from countercase.evaluation.retrieval.collection_files import read_run, read_topics
from countercase.evaluation.sets import CounterfactualCase, kind_of, read_json, read_set
from countercase.evaluation.validity import read_sentences

READERS: dict[str, Callable[[Path], object]] = {
    "kind": kind_of,
    "counterfactual": lambda path: read_set(path, CounterfactualCase),
    "bounds": read_bounds,
    "topics": read_topics,
    "run": read_run,
    "passages": read_benchmark,
    "questions": read_questions,
    "predictions": lambda path: read_predictions(path, [question()]),
    "records": read_records,
    "gold": read_gold,
    "summary": read_summary,
    "sentences": read_sentences,
    "export": read_label_studio,
    "sheet": lambda path: read_sheet(path, ITEMS),
    "recipe": lambda path: read_json(path, Spec),
}


@labelled("broken_files")
def test_a_broken_file_is_one_error_that_says_what_is_wrong(
    tmp_path: Path, reader: str, text: str, told: str
) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as caught:
        READERS[reader](path)
    assert str(caught.value).startswith(str(path)) and told in str(caught.value)


@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_is_not_there_is_named(tmp_path: Path, reader: str) -> None:
    with pytest.raises(InputError, match=r"none\.txt: (?:missing|cannot be read)"):
        READERS[reader](tmp_path / "none.txt")
