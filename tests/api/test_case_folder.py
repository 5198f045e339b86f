"""A folder of cases: each on its own, nothing twice, the same bytes wherever it is analysed."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from pathlib import Path
from typing import Any

import folder_work
import pytest
from folder_work import KilledOnce, MadeUp
from typed_commands import typed

import countercase
from countercase import case_folder
from countercase.case_folder import RECORD, CaseWork, analyze_folder, case_files
from countercase.config import Settings
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.engines.engine import Engine
from countercase.errors import CorpusIndexError, InputError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    folder = tmp_path / "cases"
    folder.mkdir()
    for name, text in {"b.txt": "bad", "a.json": "one", "c.txt": "three", "notes.md": "x"}.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / ".hidden.txt").write_text("x", encoding="utf-8")
    (folder / "deeper.txt").mkdir()
    return folder


def work(**settings: Any) -> MadeUp:
    return MadeUp(Settings(**settings), "made")


def test_a_bad_file_is_one_row_and_the_rest_is_analysed_once(cases: Path, tmp_path: Path) -> None:
    rows = analyze_folder(work(), cases, tmp_path / "out")
    assert [(row.file, row.facts, row.error) for row in rows] == [
        ("a.json", 3, ""),
        ("b.txt", 0, f"{cases / 'b.txt'} is\nbad"),
        ("c.txt", 5, ""),
    ]
    written = sorted(str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*.*"))
    assert written == [
        f"{name}/{file}" for name in "ac" for file in (RECORD, "report.docx", "report.md")
    ]
    repeated = work()
    again = analyze_folder(repeated, cases, tmp_path / "out")
    assert repeated.asked == ["b.txt"]
    assert [row.again for row in again] == [True, False, True]
    assert [(row.case_id, row.sensitivity, row.folder) for row in again] == [
        (row.case_id, row.sensitivity, row.folder) for row in rows
    ]


def test_no_case_takes_the_name_of_another_and_what_is_no_file_is_named(cases: Path) -> None:
    for name in ("a.txt", "a.txt.txt"):
        (cases / name).write_text("x", encoding="utf-8")
    (cases / "gone.txt").symlink_to(cases / "nowhere")
    names = ["a.json", "a.txt", "a.txt.txt", "b", "c", "gone"]
    assert list(case_files(cases)) == names
    [row] = [row for row in analyze_folder(work(), cases) if row.file == "gone.txt"]
    assert "there is no such file" in row.error


@pytest.mark.parametrize("change", ["the case", "a report", "no report", "the record", "a setting"])
def test_what_changed_is_analysed_again(change: str, cases: Path, tmp_path: Path) -> None:
    analyze_folder(work(), cases, tmp_path / "out")
    top_k = 10
    if change == "the case":
        (cases / "c.txt").write_text("other", encoding="utf-8")
    elif change == "a report":
        (tmp_path / "out" / "c" / "report.md").write_text("threE", encoding="utf-8")
    elif change == "no report":
        (tmp_path / "out" / "c" / "report.docx").unlink()
    elif change == "the record":
        (tmp_path / "out" / "c" / RECORD).write_text('{"source": [', encoding="utf-8")
    else:
        top_k = 5
    repeated = work(TOP_K=top_k)
    analyze_folder(repeated, cases, tmp_path / "out")
    assert repeated.asked == (["a.json"] if top_k == 5 else []) + ["b.txt", "c.txt"]
    assert (tmp_path / "out" / "c" / "report.md").read_text() == (cases / "c.txt").read_text()


def test_what_a_language_model_did_not_judge_is_not_finished(cases: Path, tmp_path: Path) -> None:
    (cases / "a.json").write_text("why?", encoding="utf-8")
    analyze_folder(work(), cases, tmp_path / "out")
    repeated = work()
    analyze_folder(repeated, cases, tmp_path / "out")
    assert repeated.asked == ["a.json", "b.txt"]


def test_a_worker_with_another_corpus_or_program_refuses(cases: Path) -> None:
    with pytest.raises(CorpusIndexError, match="this worker has another corpus"):
        CaseWork.__call__(work(), (cases / "a.json", "10 other"))


class Unopened(CaseWork):
    """Work that needs no corpus, as it stops at the case."""

    own = "unopened"  # type: ignore[assignment]


def test_the_longest_narrative_of_the_settings_holds_in_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("He was tried. " * 100, encoding="utf-8")
    with pytest.raises(InputError, match=r"more than the 1,000 that are read"):
        Unopened(Settings(MAX_CHARACTERS=1_000), "made")((path, "unopened"))


def test_files_that_differ_by_their_ending_keep_it(cases: Path) -> None:
    shutil.copy(cases / "a.json", cases / "c.JSON")
    assert list(case_files(cases)) == ["a", "b", "c.JSON", "c.txt"]


def test_a_folder_without_a_case_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no case"):
        case_files(tmp_path)
    with pytest.raises(InputError, match="cannot be listed"):
        case_files(tmp_path / "missing")


def test_the_command_prints_a_table_and_ends_with_status_1(
    cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case_folder, "CaseWork", MadeUp)
    done = typed("analyze", cases, "--out", tmp_path / "out", status=1)
    assert [line.split()[:3] for line in done.stdout.splitlines()[-2:]] == [
        ["a.json", "3", "1"],
        ["c.txt", "5", "1"],
    ]
    assert f"error: {cases / 'b.txt'} is bad\n" in done.stderr
    assert f"2 of 3 cases analysed; reports in {tmp_path / 'out'}" in done.stderr
    (cases / "b.txt").write_text("good", encoding="utf-8")
    done = typed("analyze", cases, "--out", tmp_path / "out", "--json")
    document = json.loads(done.stdout)["cases"]
    assert [(row["file"], row["again"], row["facts"]) for row in document] == [
        ("a.json", True, 3),
        ("b.txt", False, 4),
        ("c.txt", True, 5),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["DIR", "--remove", "knife"], "are for one case, not for a folder"),
        (["DIR", "--engine", "nothing"], "choose plain or processes or ray"),
        (["CASE", "--workers", "2"], "are for a folder of cases"),
    ],
)
def test_options_that_do_not_fit_are_named(arguments: list[str], message: str, cases: Path) -> None:
    where = {"DIR": str(cases), "CASE": str(cases / "a.json")}
    done = typed("analyze", *(where.get(word, word) for word in arguments), status=2)
    assert message in done.stderr


NAMES = ("shop-tenancy.txt", "sudden-fight.json")


@pytest.fixture(scope="module")
def real(
    encoders: EmbeddedEncoders, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any], Any]:
    """Two examples, what a small analysis of them is made with, and its plain results."""
    from countercase.corpus.casebook.records import load_casebook
    from countercase.corpus.index.build import build_index

    documents = load_casebook()[:12]
    build_index(documents, "small-folder", encoders, 200, total=len(documents))
    folder = tmp_path_factory.mktemp("real")
    for name in NAMES:
        shutil.copy(EXAMPLES / name, folder / name)
    settings = Settings(MAX_STATES=2, MAX_CHILDREN=1, DEPTH=1, NULL_EDITS=1, TOP_K=3, THREADS=1)
    about = {"settings": settings, "corpus": "small-folder"}
    analyze_folder(CaseWork(**about), folder, folder / "plain")
    return folder, about, written(folder / "plain")


def written(out: Path) -> dict[str, Any]:
    """Every file but the records; analysis.json without its timings."""
    files: dict[str, Any] = {}
    for path in sorted(out.rglob("*.*")):
        content: Any = path.read_bytes()
        if path.name == "analysis.json":
            content = {**json.loads(content), "timings": None}
        if path.name != RECORD:
            files[str(path.relative_to(out))] = content
    return files


@pytest.mark.parametrize(("engine", "victim"), [("processes", NAMES[0]), ("ray", NAMES[1])])
def test_the_same_bytes_from_every_engine_though_a_worker_is_killed(
    engine: Any, victim: str, real: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "ray" and importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install 'countercase[cluster]'")
    folders = (Path(folder_work.__file__).parent, Path(countercase.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, folders)))
    folder, about, plain = real
    killed = tmp_path / "killed"
    work = KilledOnce(**about, victim=victim, mark=killed)
    rows = analyze_folder(work, folder, tmp_path / "out", Engine(engine, 2))
    assert killed.exists()
    assert [(row.file, row.error) for row in rows] == [(name, "") for name in NAMES]
    assert written(tmp_path / "out") == plain
    assert len(plain) == 22
