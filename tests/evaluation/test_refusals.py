"""What the commands of the evaluations refuse: each is told in one line, and nothing is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from labelled_rows import labelled
from lease_questions import question
from typer.testing import CliRunner

from countercase.cli.main import app


@pytest.fixture
def files(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small file of each kind, where no settings.py stands."""
    monkeypatch.chdir(tmp_path)
    answered, open_ = ({"query": q, "snippets": [{"file_path": "a.txt", "span": [0, 2], "answer": "he"}]}
                       for q in ("Who?", "Why?"))  # fmt: skip
    texts = {
        "gold.json": json.dumps({"tests": [answered, open_]}),
        "unanswered.json": json.dumps({"tests": [answered | {"snippets": []}]}),
        "empty.json": "[]",
        "who.json": '[{"query": "Who?", "retrieved_passages": ["he"]}]',
        "broken.jsonl": "query\n",
        "topics.tsv": "q1\tOne blow with a knife.\n",
        "qrels.txt": "q1 0 knife 2\n",
        "others.txt": "z9 0 knife 1\n",
        "good.trec": "q1 Q0 knife 1 9 x\n",
        "q.jsonl": question().model_dump_json() + "\n",
        "p.json": "{}",
        "corpus/a.txt": "The lease ends by notice.",
        "empty/.keep": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@labelled("refusals_of_evaluations")
def test_what_cannot_be_done_is_told_in_one_line(files: Path, command: str, told: str) -> None:
    done = CliRunner().invoke(app, command.split())
    assert done.exit_code == 2, done.output
    assert told in done.stderr
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert not (files / "out").exists()
