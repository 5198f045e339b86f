"""The files of grounded question answering: documents, questions and predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lease_questions import LEASE, question

from countercase.errors import InputError
from countercase.evaluation.benchmarks.qa_files import Documents, read_questions


@pytest.fixture
def lease_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "gold").mkdir(parents=True)
    sentences = [{"sid": sid, "text": text} for sid, text in LEASE.items()]
    (folder / "gold" / "lease.txt").write_text(json.dumps({"sentences": sentences, "source": 1}))
    (folder / "plain.txt").write_text("Only the text of a judgment.")
    (folder / "v1.2 of.json").write_text(json.dumps({"sentences": sentences}))
    return folder


@pytest.mark.parametrize(
    ("doc_id", "found"),
    [
        ("gold/lease", LEASE),
        ("lease", LEASE),  # with or without its folder
        ("v1.2 of", LEASE),
        ("news/lease", None),  # in another folder
        ("ease", None),
        ("plain", None),  # text without sentences
        ("other", None),
        ("../outside", None),  # no file outside the folder is read
    ],
)
def test_a_document_is_found_by_its_id(
    lease_folder: Path, doc_id: str, found: dict[str, str] | None
) -> None:
    (lease_folder / "other.json").write_text('{"text": "x"}')
    (lease_folder.parent / "outside.txt").write_text((lease_folder / "gold/lease.txt").read_text())
    assert Documents(lease_folder).sentences(doc_id) == found
    assert Documents(lease_folder / "gold").sentences("gold/lease") == LEASE
    assert Documents(lease_folder).sentences(str(lease_folder.parent / "outside")) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not valid JSON"),
        ('{"sentences": 1}', "sentences: "),
        ('{"sentences": [{"sid": 1, "text": "x"}]}', r"sentences\.0\.sid"),
        ('{"sentences": [{"sid": "a", "text": ""}, {"sid": "a", "text": ""}]}', "twice"),
    ],
)
def test_a_damaged_document_is_named(lease_folder: Path, text: str, told: str) -> None:
    (lease_folder / "bad.txt").write_text(text)
    with pytest.raises(InputError, match=rf"bad\.txt: .*{told}"):
        Documents(lease_folder).sentences("bad")


def test_two_documents_of_one_name_have_to_be_told_apart(lease_folder: Path) -> None:
    (lease_folder / "news").mkdir()
    (lease_folder / "news" / "lease.txt").write_text("{}")
    with pytest.raises(InputError, match="gold/lease or news/lease"):
        Documents(lease_folder).sentences("lease")
    assert Documents(lease_folder).sentences("gold/lease") == LEASE


def line(**changes: Any) -> str:
    record = question().model_dump() | {"source": "more than is read"} | changes
    return json.dumps({key: value for key, value in record.items() if key != "question_id"})


def test_questions_are_numbered_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(f"{line()}\n\n{line(question='Why did it end?')}\n", encoding="utf-8")
    assert [one.question_id for one in read_questions(path)] == ["q001", "q002"]
    path.write_text(f'{{"question_id": "lease-1", {line()[1:]}\n', encoding="utf-8")
    assert [one.question_id for one in read_questions(path)] == ["lease-1"]


def test_a_line_separator_within_a_question_ends_no_line(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(line(question="When?\u2028Why?").replace("\\u2028", "\u2028"), "utf-8")
    assert read_questions(path)[0].question == "When?\u2028Why?"
