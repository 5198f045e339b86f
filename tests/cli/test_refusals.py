"""What the commands refuse: each thing that a user can mend is told in one line, and nothing written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from labelled_rows import labelled
from lease_questions import question
from made_files import pdf
from small_casebook import casebook_of_five
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.encoders.embedded.suite import EmbeddedEncoders

pytestmark = pytest.mark.slow

CASE = {
    "case_id": "broken",
    "text": "He was charged under section 302 IPC. The boy was aged about 16 years.",
    "sections_cited": ["IPC-302"],
    "parties": {"petitioner": "Individual", "respondent": "State"},
    "evidence_items": [],
    "numerical_facts": {"ages": [{"value": 16, "descriptor": "boy"}]},
}
ROW = json.dumps({"_id": "D1", "title": "A v. B", "text": "The court heard them on the sale deed."})
ANSWER = {"query": "Who?", "snippets": [{"file_path": "a.txt", "span": [0, 2], "answer": "he"}]}
FILES: dict[str, str | bytes] = {
    "case.json": json.dumps(CASE),
    "cut.json": json.dumps(CASE)[:60],
    "sited.json": json.dumps(CASE | {"sections_sited": []}),
    "nothing.json": '{"case_id": "x"}',
    "latin.txt": "Müller was charged".encode("latin-1"),
    "blank.txt": " \n\t \n",
    "rain.txt": "It rained all day and nothing came of it.",
    "secret.pdf": pdf("x", password="secret"),
    "taken": "x",
    "corpus.jsonl": ROW,
    "cut.jsonl": f"{ROW}\n{ROW[:30]}",
    "twice.jsonl": f"{ROW}\n{ROW}",
    "broken.parquet": b"PAR1 nothing",
    "marks.jsonl": '{"_id": "D1", "text": "... -- !!"}',
    "wordless.jsonl": '{"_id": "D1", "text": "of the and"}',
    "corpus/a.txt": "The lease ends by notice.",
    "empty/.keep": "",
    "gold.json": json.dumps({"tests": [ANSWER, ANSWER | {"query": "Why?"}]}),
    "unanswered.json": json.dumps({"tests": [ANSWER | {"snippets": []}]}),
    "empty.json": "[]",
    "who.json": '[{"query": "Who?", "retrieved_passages": ["he"]}]',
    "broken.jsonl": "query\n",
    "topics.tsv": "q1\tOne blow with a knife.\n",
    "qrels.txt": "q1 0 knife 2\n",
    "others.txt": "z9 0 knife 1\n",
    "good.trec": "q1 Q0 knife 1 9 x\n",
    "q.jsonl": question().model_dump_json() + "\n",
    "p.json": "{}",
}


@pytest.fixture(scope="module")
def home_of_five(
    home: Path, encoders: EmbeddedEncoders, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """The casebook is small, as a command may index it before it refuses."""
    with casebook_of_five(home, tmp_path_factory.mktemp("refusing-home")):
        yield


@pytest.fixture
def files(tmp_path: Path, home_of_five: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small file of each kind, where no settings.py stands."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with (tmp_path / "large.txt").open("wb") as large:
        large.truncate(20_000_001)
    return tmp_path


@labelled("refusals_of_commands")
def test_what_cannot_be_done_is_told_in_one_line(files: Path, command: str, told: str) -> None:
    done = CliRunner().invoke(app, command.split())
    assert done.exit_code == 2, done.output
    lines = done.stderr.splitlines()  # progress may stand before the one line
    assert [line for line in lines if line.startswith("error: ")] == lines[-1:]
    assert told in lines[-1] and "Traceback" not in done.output
    assert not (files / "out").exists()
