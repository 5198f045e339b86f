"""`countercase eval counterfactual`: errors before any work, and no work done twice."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from labelled_cases import AGE, case
from typer import Typer
from typer.testing import CliRunner

from countercase.cli.eval.main import counterfactual
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError
from countercase.evaluation.sets import CounterfactualCase


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The command in a folder of its own; errors come through as they are raised."""
    monkeypatch.chdir(tmp_path)
    app = Typer()
    app.command()(counterfactual)

    def command(*arguments: str) -> Any:
        return CliRunner().invoke(app, list(arguments))

    return command


def write_set(path: Path, *cases: CounterfactualCase) -> Path:
    path.write_text("".join(one.model_dump_json() + "\n" for one in cases), encoding="utf-8")
    return path


def test_a_wrong_label_is_told_before_any_model_is_loaded(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERCASE_HOME", str(tmp_path / "empty"))
    wrong = case(dispositive_facts=[AGE | {"value": "18 years (accused)"}])
    done = run("--set", str(write_set(tmp_path / "set.jsonl", wrong)))
    assert isinstance(done.exception, InputError)
    told = "value is '18 years (accused)', in the case '17 years (accused)'"
    assert f"made-case: dispositive_facts: numerical:age:1: {told}" in str(done.exception)
    assert not (tmp_path / "empty").exists()


def test_the_command_on_a_small_corpus_and_its_second_run(
    run: Callable[..., Any],
    encoders: EmbeddedEncoders,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from countercase.corpus.casebook.records import load_casebook
    from countercase.corpus.index.build import build_index
    from countercase.counterfactual import analysis as analysis_module

    documents = [one for one in load_casebook() if "IPC-302" in one.text or "302" in one.text][:12]
    build_index(documents, "small-evaluation", encoders, 200, total=len(documents))
    for name, value in (("MAX_STATES", 6), ("DEPTH", 1), ("NULL_EDITS", 2), ("TOP_K", 5)):
        monkeypatch.setenv(f"COUNTERCASE_{name}", str(value))
    path = write_set(tmp_path / "set.jsonl", case(case_id="small"))
    asked = ("--set", str(path), "--corpus", "small-evaluation", "--json")
    stored_by_others = run(*asked, "--engine", "processes")
    assert stored_by_others.exit_code == 0, stored_by_others.exception
    [results] = (Path(os.environ["COUNTERCASE_HOME"]) / "evaluation").iterdir()
    results.unlink()

    first = run(*asked, "--output", str(tmp_path / "out"))
    assert first.exit_code == 0, first.exception
    document = json.loads(first.stdout)
    assert json.loads(stored_by_others.stdout) == document
    assert document["name"] == "counterfactual"
    assert json.loads((tmp_path / "out" / "counterfactual.json").read_text()) == document
    [one] = document["details"]["cases"]
    section = next(fact for fact in one["facts"] if fact["fact_id"] == "section:IPC-302")
    assert 0 <= section["sensitivity"] <= 6

    monkeypatch.setattr(analysis_module, "analyze_sheet", lambda *_, **__: pytest.fail("again"))
    assert json.loads(run(*asked).stdout) == document
    looser = json.loads(run(*asked, "--threshold", "0.1").stdout)
    assert looser["details"]["threshold"] == 0.1
    assert looser["details"]["cases"][0]["sensitivity"] == one["sensitivity"]
