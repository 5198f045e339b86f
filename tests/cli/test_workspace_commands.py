"""The commands beside analyze: facts, init, index, corpus, casebook, models, doctor."""

from __future__ import annotations

import json
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from typed_commands import typed

from countercase.cli.options import Steps
from countercase.cli.setup import examine
from countercase.config import Settings, read_settings_file, settings_template
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.facts.case_schema import CaseFile, parse_case

pytestmark = pytest.mark.usefixtures("own_folder")


# facts


def test_facts_are_shown_in_words_and_read_back_the_same(case_file: Path, tmp_path: Path) -> None:
    first = typed("facts", case_file, "--json")
    again = tmp_path / "again.json"
    again.write_text(first.stdout, encoding="utf-8")
    assert typed("facts", again, "--json").stdout == first.stdout
    assert json.loads(first.stdout)["sections_cited"] == ["IPC-302"]
    shown = typed("facts", case_file).stdout
    assert all(words in shown for words in ("private individual", "Section 302", "17 years"))


# init


def test_init_writes_a_workspace_and_refuses_to_overwrite(tmp_path: Path) -> None:
    typed("init", "work")
    work = tmp_path / "work"
    assert (work / "settings.py").read_text(encoding="utf-8") == settings_template()
    assert Settings(**read_settings_file(work / "settings.py")) == Settings()
    assert (work / "eval_sets" / "README.md").is_file()
    assert (work / "annotations" / "README.md").is_file()
    (work / "settings.py").write_text("TOP_K = 5\n")
    refused = typed("init", "work", status=2)
    assert "--force" in refused.stderr
    assert (work / "settings.py").read_text() == "TOP_K = 5\n"
    typed("init", "work", "--force")
    typed("init")
    assert Path("settings.py").is_file()
    assert (work / "settings.py").read_text(encoding="utf-8") == settings_template()


# index


def test_a_stopped_index_run_says_how_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("countercase.corpus.index.build.index_corpus", stop)
    done = typed("index", ".", "--corpus", "mine", status=130)
    assert "goes on from there" in done.stderr


@pytest.fixture
def judgments(tmp_path: Path) -> Path:
    """A folder of two judgments and two damaged ones, the name of one meant for a terminal."""
    folder = tmp_path / "judgments"
    folder.mkdir()
    for name in ("a", "c"):
        text = f"In matter {name} the court heard the parties on the sale deed. " * 3
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    for name in ("b", "c\x1b[31m\nd"):
        (folder / f"{name}.txt").write_bytes(bytes(range(256)))
    return folder


def test_a_damaged_file_is_skipped_and_listed_and_an_error_with_strict(
    judgments: Path, encoders: EmbeddedEncoders, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERCASE_HOME", str(home))
    asked = ["index", str(judgments), "--corpus", "with-damage"]
    done = typed(*asked, "--json")
    report = json.loads(done.stdout)
    assert report["cases"] == 2
    assert len(report["damaged"]) == 2
    warnings = [line for line in done.stderr.split("\n") if line.startswith("warning: ")]
    assert len(warnings) == 2 and "b.txt" in warnings[0] and " d.txt" in warnings[1]
    assert "\x1b" not in done.stderr
    strict = typed(*asked, "--strict", status=2)
    assert "b.txt" in strict.stderr


# corpus


def test_corpora_are_listed_and_removed(
    judgments: Path, encoders: EmbeddedEncoders, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No corpus is indexed yet" in typed("corpus", "list").stdout
    monkeypatch.setenv("COUNTERCASE_HOME", str(home))
    typed("index", judgments, "--corpus", "to-remove")
    of_others = {"COUNTERCASE_CHUNK_PIECES": "100"}
    asked = typed("search", "deed", "--corpus", "to-remove", status=2, env=of_others)
    assert "indexed with other models or chunk sizes" in asked.stderr

    def names() -> list[str]:
        listed = json.loads(typed("corpus", "list", "--json").stdout)
        return [corpus["name"] for corpus in listed]

    assert "to-remove" in names()
    assert "to-remove" in typed("corpus", "list").stdout
    refused = typed("corpus", "remove", "to-remove", status=1, input="n\n")
    assert "2 judgments" in refused.stderr
    unasked = typed("corpus", "remove", "to-remove", "--json", status=2)
    assert "--yes" in unasked.stderr
    assert "to-remove" in names()
    done = typed("corpus", "remove", "to-remove", "--yes", "--json")
    assert json.loads(done.stdout)["removed"]["documents"] == 2
    assert "to-remove" not in names()
    assert (judgments / "a.txt").is_file()
    again = typed("corpus", "remove", "to-remove", "--yes", status=2)
    assert "to-remove" in again.stderr


# progress


def test_a_log_gets_a_line_for_each_work_not_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    with Steps() as steps:
        for done in range(1, 8):
            steps.work("the tree of changes", done, 1000)
            steps.work("judgments", done, 0)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == ["the tree of changes: 1 of 1,000", "judgments: 1"]


@pytest.mark.parametrize("by_stdin", [False, True], ids=["file", "stdin"])
@pytest.mark.parametrize(
    ("seconds", "told"), [(60.0, []), (0.0, ["reading the case"])], ids=["quick", "slow"]
)
def test_a_case_that_takes_long_is_said_to_be_read(
    seconds: float, told: list[str], by_stdin: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parse(*given: str) -> CaseFile:
        time.sleep(0.2)
        return parse_case(*given)

    monkeypatch.setattr("countercase.cli.options.SLOW", seconds)
    for module in ("cli.options", "facts.case_file"):
        monkeypatch.setattr(f"countercase.{module}.parse_case", parse)
    case = json.dumps({"case_id": "x", "sections_cited": ["IPC-302"]})
    (tmp_path / "long.json").write_text(case, "utf-8")
    asked = "-" if by_stdin else str(tmp_path / "long.json")
    done = typed("facts", asked, "--json", input=case)
    assert done.stderr.splitlines() == told
    assert json.loads(done.stdout)["sections_cited"] == ["IPC-302"]


# casebook


def test_casebook_lists_and_shows() -> None:
    listed = json.loads(typed("casebook", "list", "--json").stdout)
    assert len(listed) >= 84
    some = json.loads(typed("casebook", "list", "--area", "land", "--json").stdout)
    assert 0 < len(some) < len(listed)
    assert {record["area"] for record in some} == {"land"}
    shown = typed("casebook", "show", some[0]["case_id"])
    assert some[0]["title"] in " ".join(shown.stdout.split())
    assert "What it turned on" in shown.stdout
    mistyped = typed("casebook", "show", some[0]["case_id"][:-1], status=2)
    assert some[0]["case_id"] in mistyped.stderr  # the nearest


# models and doctor


def test_models_are_listed_by_role_and_not_prepared_in_a_new_cache() -> None:
    listed = json.loads(typed("models", "list", "--json").stdout)
    assert [model["role"] for model in listed] == [
        "sentence", "question", "passage", "stance", "cross", "contrast", "reader", "tagger",
    ]  # fmt: skip
    assert [model["prepared"] for model in listed] == [*[False] * 5, True, True, True]
    assert all(model["fingerprint"] for model in listed)


def test_verify_fails_where_the_weights_are_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    from countercase.encoders.embedded import weights

    monkeypatch.setattr(weights, "BASE_SHA256", "0" * 64)
    done = typed("models", "verify", "--json", status=1)
    problems = {model["role"]: model["problem"] for model in json.loads(done.stdout)}
    assert problems.pop("tagger") == ""  # it has weights of its own
    assert len(problems) == 7
    assert all("damaged or replaced" in problem for problem in problems.values())


def test_doctor_says_what_is_missing_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    known = metadata.version

    def version_of(name: str) -> str:
        if name == "bm25s":
            raise metadata.PackageNotFoundError(name)
        return known(name)

    monkeypatch.setattr(metadata, "version", version_of)
    done = typed("doctor", status=1)
    assert "!!  bm25s: not installed" in done.stdout
    assert "pip install bm25s" in done.stdout
    as_json = json.loads(typed("doctor", "--json", status=1).stdout)
    assert as_json["ok"] is False


def test_doctor_tells_of_broken_settings_and_an_unfinished_index(tmp_path: Path) -> None:
    (tmp_path / "settings.py").write_text("TOPK = 5\n")
    (tmp_path / "home" / "indexes" / "half").mkdir(parents=True)
    checks = {check.name: check for check in examine()}
    assert not checks["settings"].ok
    assert "did you mean TOP_K" in checks["settings"].found
    assert not checks["corpus half"].ok
    assert not checks["corpus half"].needed
    assert "countercase index PATH --corpus half" in checks["corpus half"].advice


def test_doctor_never_shows_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERCASE_LLM_API_KEY", "very-secret")
    done = typed("doctor", "--json")
    assert "very-secret" not in done.output
    assert "COUNTERCASE_LLM_API_KEY" in done.output
