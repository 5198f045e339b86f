"""The commands: what they say, where they say it, and how they fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
import typer
from handmade import SHEET, result
from typer.testing import CliRunner

from countercase import session as session_module
from countercase.cli.doctor import examine
from countercase.cli.main import app
from countercase.cli.options import fact_types_of, filters_of
from countercase.cli.progress import Steps
from countercase.config import Settings, read_settings_file, settings_template
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError, ModelError, StoreError
from countercase.facts.case_file import write_case
from countercase.facts.vocabulary import FACT_TYPES
from countercase.registry import COMMANDS

ROOT = Path(__file__).resolve().parents[2]

runner = CliRunner()


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test in a working directory and a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COUNTERCASE_HOME", str(tmp_path / "home"))
    for name in sorted(os.environ):
        if name.startswith("COUNTERCASE_") and name != "COUNTERCASE_HOME":
            monkeypatch.delenv(name)


@pytest.fixture
def case_file(tmp_path: Path) -> Path:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(write_case(SHEET)), encoding="utf-8")
    return path


class FakeSession:
    """A session that finds the hand-made result; `seen` keeps what it was asked."""

    seen: SimpleNamespace
    retriever = None

    def analyze(self, *asked: Any) -> Any:
        self.seen.asked = asked
        return self.seen.result


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    seen = SimpleNamespace(result=result())
    made = FakeSession()
    made.seen = seen

    def open_session(settings: Settings, corpus: str, **options: Any) -> FakeSession:
        seen.settings, seen.corpus, seen.options = settings, corpus, options
        return made

    monkeypatch.setattr(session_module, "open_session", open_session)
    return seen


# errors


@pytest.mark.parametrize("error", [InputError, ModelError, StoreError])
def test_an_error_is_one_line_on_stderr(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch, case_file: Path
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error("what is wrong,\n  and what to do")

    monkeypatch.setattr(session_module, "open_session", fail)
    done = runner.invoke(app, ["analyze", str(case_file)])
    assert done.exit_code == 2
    assert done.stderr == "error: what is wrong, and what to do\n"
    assert done.stdout == ""


def test_ctrl_c_is_130_and_no_traceback(monkeypatch: pytest.MonkeyPatch, case_file: Path) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(session_module, "open_session", stop)
    done = runner.invoke(app, ["analyze", str(case_file)])
    assert done.exit_code == 130
    assert "stopped" in done.stderr
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["analyze", "no.json"], "no.json"),
        (["analyze", "CASE", "--types", "Evidense"], "did you mean Evidence?"),
        (["analyze", "CASE", "--depth", "9"], "DEPTH = 9"),
        (["analyze", "CASE", "--models", "big"], "choose embedded, hub or the folder"),
        (["analyze", "CASE", "--validator", "llm"], "--llm-url and --llm-model"),
        (["analyze", "CASE", "--llm-model", "m"], "need --validator llm"),
        (["analyze", "CASE", "--validator", "luck"], "choose rules or llm"),
        (["analyze", "CASE", "--year-from", "2000", "--year-to", "1999"], "swap them"),
        (["analyze", "CASE", "--provision", "§§"], "error: "),
        (["search", "x", "--models", "big"], "choose embedded, hub or the folder"),
        (["index", "no-such-folder", "--corpus", "mine"], "no-such-folder"),
        (["index", ".", "--corpus", "casebook"], "choose another name"),
        (["index", ".", "--corpus", "A B"], "--corpus 'A B'"),
        (["facts", "no.txt"], "no.txt"),
        (["casebook", "show", "nobody-v-nobody"], "casebook list"),
        (["casebook", "list", "--area", "space"], "known: homicide"),
    ],
)
def test_what_a_user_can_mend_is_said(arguments: list[str], message: str, case_file: Path) -> None:
    done = runner.invoke(app, [str(case_file) if a == "CASE" else a for a in arguments])
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


# warnings


def test_a_warning_is_one_line_on_stderr(monkeypatch: pytest.MonkeyPatch, case_file: Path) -> None:
    monkeypatch.setenv("COUNTERCASE_TOP_KK", "5")
    done = runner.invoke(app, ["facts", str(case_file), "--json"])
    assert done.exit_code == 0
    [line] = done.stderr.splitlines()
    assert line.startswith("warning: ")
    assert "COUNTERCASE_TOP_KK" in line and "TOP_K" in line
    assert json.loads(done.stdout)["sections_cited"] == ["IPC-302"]


# commands of other distributions


def test_an_installed_command_is_in_the_help_and_runs() -> None:
    def greet(name: str, loud: bool = False) -> None:
        """Greet somebody.

        More about it.
        """
        typer.echo(f"hello {name}{'!' if loud else ''}")

    COMMANDS.register("greet", greet)
    try:
        listed = runner.invoke(app, ["--help"]).stdout.splitlines()
        done = runner.invoke(app, ["greet", "world", "--loud"])
    finally:
        COMMANDS.unregister("greet")
    assert listed[-1].split() == ["greet", "Greet", "somebody."]
    assert done.stdout == "hello world!\n"
    assert runner.invoke(app, ["greet", "world"]).exit_code == 2


def test_an_installed_command_that_is_broken_spoils_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = EntryPoint("broken", "countercase_nowhere:command", "countercase.commands")
    monkeypatch.setitem(COMMANDS._installed, "broken", point)
    listed = runner.invoke(app, ["--help"])
    assert listed.exit_code == 0
    assert "cannot be used" in listed.stdout and "countercase_nowhere" in listed.stdout
    done = runner.invoke(app, ["broken"])
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ") and "countercase_nowhere" in done.stderr
    assert runner.invoke(app, ["casebook", "list", "--json"]).exit_code == 0


# analyze


def test_analyze_prints_the_answer_and_writes_the_reports(
    fake: SimpleNamespace, case_file: Path, tmp_path: Path
) -> None:
    done = runner.invoke(app, ["analyze", str(case_file), "--out", "out"])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("1 of 2 measured facts moves the list of precedents")
    assert (tmp_path / "out" / "report.md").is_file()
    assert "wrote out/report.md" in done.stderr


ANALYZE = """
import sys, types
from handmade import result
from countercase import session
from countercase.cli.main import main
made = types.SimpleNamespace(analyze=lambda *a: result(), retriever=None)
session.open_session = lambda *a, **k: made
sys.argv = ["countercase", "analyze", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["tables", "json"])
@pytest.mark.parametrize("with_stderr", [False, True], ids=["stdout", "stdout-and-stderr"])
def test_a_closed_pipe_ends_quietly_and_the_reports_are_there(
    options: list[str], with_stderr: bool, case_file: Path, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", ANALYZE, str(case_file), "--out", str(tmp_path / "out"), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if with_stderr else subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests/helpers")])},
    )
    assert process.stdout is not None
    process.stdout.close()  # as `| head -1` does once it has its line
    errors = b"" if with_stderr else process.stderr.read()  # type: ignore[union-attr]
    assert process.wait(timeout=60) == 0
    assert b"Traceback" not in errors and b"Broken" not in errors
    names = ["analysis.json", "report.docx", "report.html", "report.md", "run.trec", "tree.dot",
             "tree.graphml", "tree.json"]  # fmt: skip
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names


def test_reports_are_written_before_anything_is_printed(
    fake: SimpleNamespace, case_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from countercase.reports import terminal

    def look(*_: Any) -> None:
        assert (tmp_path / "out" / "report.md").is_file()

    monkeypatch.setattr(terminal, "show_result", look)
    done = runner.invoke(app, ["analyze", str(case_file), "--out", "out"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("command", ["analyze", "facts"])
def test_a_case_comes_from_stdin_as_text_or_json(
    command: str, fake: SimpleNamespace, case_file: Path
) -> None:
    for content in (case_file.read_bytes(), SHEET.narrative.encode()):
        done = runner.invoke(app, [command, "-", "--json"], input=content)
        assert done.exit_code == 0, done.output
        if command == "analyze":
            assert fake.asked[0].narrative == SHEET.narrative
        else:
            case = json.loads(done.stdout)
            assert case["text"] == SHEET.narrative
            assert case["sections_cited"] == ["IPC-302"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "stdin is empty"),
        (b'{"case_id": "x", ', "stdin: not valid JSON"),
        (b'{"case_id": "x", "sections": []}', "stdin: "),
        (b"\xff\xfeH\x00", "stdin is in UTF-16"),
        (b"M\xfcller was charged", "stdin is not in UTF-8"),
        (b"%PDF-1.7 ...", "stdin holds a PDF"),
    ],
)
def test_errors_about_stdin_name_it(content: bytes, message: str) -> None:
    done = runner.invoke(app, ["facts", "-"], input=content)
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ") and message in done.stderr


def test_more_on_stdin_than_the_settings_allow_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COUNTERCASE_MAX_INPUT_BYTES", "1000")
    done = runner.invoke(app, ["facts", "-"], input=b"x" * 1001)
    assert "stdin gives more than the 1,000 bytes allowed" in done.stderr


def test_json_is_all_that_stands_on_stdout(fake: SimpleNamespace, case_file: Path) -> None:
    done = runner.invoke(app, ["analyze", str(case_file), "--json"])
    document = json.loads(done.stdout)
    assert set(document) == {"analysis", "tree"}
    for name, part in document.items():
        schema = json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text("utf-8"))
        jsonschema.Draft202012Validator(schema).validate(part)


def test_options_become_settings_types_and_filters(fake: SimpleNamespace, case_file: Path) -> None:
    given = {
        "--depth": "1", "--max-children": "3", "--max-states": "4", "--top-k": "5",
        "--min-displacement": "0.25", "--threshold": "2", "--types": "evidence,Section",
        "--year-from": "1990", "--year-to": "2000", "--court": "supreme", "--bench": "Ray",
        "--provision": "s. 302 IPC", "--corpus": "mine", "--models": "hub", "--chroma-host": "h:1",
    }  # fmt: skip
    words = [word for pair in given.items() for word in pair]
    done = runner.invoke(app, ["analyze", str(case_file), *words])
    assert done.exit_code == 0, done.output
    settings = fake.settings
    assert (settings.DEPTH, settings.MAX_CHILDREN, settings.MAX_STATES) == (1, 3, 4)
    assert (settings.TOP_K, settings.MIN_DISPLACEMENT) == (5, 0.25)
    assert settings.DISPOSITIVE_THRESHOLD == 2.0
    assert fake.corpus == "mine"
    assert (fake.options["chroma_host"], fake.options["models"]) == ("h:1", "hub")
    sheet, types, filters = fake.asked[:3]
    assert sheet.case_id == SHEET.case_id
    assert types == ("Section", "Evidence")
    assert (filters.year_from, filters.year_to, filters.provision) == (1990, 2000, "IPC-302")
    assert (filters.court, filters.bench) == ("supreme", "Ray")


def test_a_stopped_analysis_is_printed_and_said_to_be_partial(
    fake: SimpleNamespace, case_file: Path
) -> None:
    fake.result = result(complete=False)
    done = runner.invoke(app, ["analyze", str(case_file), "--json"])
    assert done.exit_code == 130
    assert json.loads(done.stdout)["analysis"]["complete"] is False
    assert "partial" in done.stderr


def test_no_types_means_all_in_the_fixed_order() -> None:
    assert fact_types_of("") == FACT_TYPES
    assert fact_types_of(" numerical , Section") == ("Section", "Numerical")


def test_a_filter_takes_a_provision_in_any_form() -> None:
    assert filters_of(None, None, "", "", "s. 302 IPC").provision == "IPC-302"


# facts


def test_facts_json_is_a_case_file_that_reads_the_same(case_file: Path, tmp_path: Path) -> None:
    first = runner.invoke(app, ["facts", str(case_file), "--json"])
    again = tmp_path / "again.json"
    again.write_text(first.stdout, encoding="utf-8")
    assert runner.invoke(app, ["facts", str(again), "--json"]).stdout == first.stdout
    assert json.loads(first.stdout)["sections_cited"] == ["IPC-302"]


def test_facts_shows_each_fact_in_the_words_of_the_case(case_file: Path) -> None:
    done = runner.invoke(app, ["facts", str(case_file)])
    assert done.exit_code == 0, done.output
    assert "private individual" in done.stdout
    assert "Section 302" in done.stdout
    assert "17 years" in done.stdout


# init


def test_init_writes_a_workspace_and_refuses_to_overwrite(tmp_path: Path) -> None:
    done = runner.invoke(app, ["init", "work"])
    assert done.exit_code == 0, done.output
    work = tmp_path / "work"
    assert (work / "settings.py").read_text(encoding="utf-8") == settings_template()
    assert Settings(**read_settings_file(work / "settings.py")) == Settings()
    assert (work / "eval_sets" / "README.md").is_file()
    assert (work / "annotations" / "README.md").is_file()
    (work / "settings.py").write_text("TOP_K = 5\n")
    refused = runner.invoke(app, ["init", "work"])
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert (work / "settings.py").read_text() == "TOP_K = 5\n"
    assert runner.invoke(app, ["init", "work", "--force"]).exit_code == 0
    assert (work / "settings.py").read_text(encoding="utf-8") == settings_template()


def test_the_workspace_is_the_working_directory_by_default(tmp_path: Path) -> None:
    assert runner.invoke(app, ["init"]).exit_code == 0
    assert (tmp_path / "settings.py").is_file()


# index


def test_a_stopped_index_run_says_that_it_can_be_taken_up_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("countercase.corpus.index.build.index_corpus", stop)
    done = runner.invoke(app, ["index", ".", "--corpus", "mine"])
    assert done.exit_code == 130
    assert "goes on from there" in done.stderr


@pytest.fixture
def judgments(tmp_path: Path) -> Path:
    """A folder of two judgments and a damaged one."""
    folder = tmp_path / "judgments"
    folder.mkdir()
    for name in ("a", "c"):
        text = f"In matter {name} the court heard the parties on the sale deed. " * 3
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    (folder / "b.txt").write_bytes(bytes(range(256)))
    return folder


def test_a_damaged_file_is_skipped_and_listed_and_an_error_with_strict(
    judgments: Path, encoders: EmbeddedEncoders, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERCASE_HOME", str(home))
    asked = ["index", str(judgments), "--corpus", "with-damage"]
    done = runner.invoke(app, [*asked, "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["cases"] == 2
    assert [Path(file).name for file, _ in report["damaged"]] == ["b.txt"]
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    assert len(warnings) == 1 and "b.txt" in warnings[0]
    strict = runner.invoke(app, [*asked, "--strict"])
    assert strict.exit_code == 2
    assert "b.txt" in strict.stderr


# corpus


def test_corpora_are_listed_and_removed(
    judgments: Path, encoders: EmbeddedEncoders, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERCASE_HOME", str(home))
    made = runner.invoke(app, ["index", str(judgments), "--corpus", "to-remove"])
    assert made.exit_code == 0, made.output

    def names() -> list[str]:
        listed = json.loads(runner.invoke(app, ["corpus", "list", "--json"]).stdout)
        return [corpus["name"] for corpus in listed]

    assert "to-remove" in names()
    assert "to-remove" in runner.invoke(app, ["corpus", "list"]).stdout
    refused = runner.invoke(app, ["corpus", "remove", "to-remove"], input="n\n")
    assert refused.exit_code == 1
    assert "2 judgments" in refused.stderr
    unasked = runner.invoke(app, ["corpus", "remove", "to-remove", "--json"])
    assert unasked.exit_code == 2
    assert "--yes" in unasked.stderr
    assert "to-remove" in names()
    done = runner.invoke(app, ["corpus", "remove", "to-remove", "--yes", "--json"])
    assert json.loads(done.stdout)["removed"]["documents"] == 2
    assert "to-remove" not in names()
    assert (judgments / "a.txt").is_file()
    again = runner.invoke(app, ["corpus", "remove", "to-remove", "--yes"])
    assert again.exit_code == 2
    assert "to-remove" in again.stderr


def test_no_corpus_is_said_so() -> None:
    assert "No corpus is indexed yet" in runner.invoke(app, ["corpus", "list"]).stdout


# progress


def test_a_log_gets_a_line_for_each_work_and_not_for_each_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Steps() as steps:
        for done in range(1, 8):
            steps.work("the tree of changes", done, 1000)
            steps.work("judgments", done, 0)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        "the tree of changes: 1 of 1,000",
        "judgments: 1",
    ]


# casebook


def test_casebook_lists_and_shows() -> None:
    listed = json.loads(runner.invoke(app, ["casebook", "list", "--json"]).stdout)
    assert len(listed) >= 84
    some = json.loads(runner.invoke(app, ["casebook", "list", "--area", "land", "--json"]).stdout)
    assert 0 < len(some) < len(listed)
    assert {record["area"] for record in some} == {"land"}
    shown = runner.invoke(app, ["casebook", "show", some[0]["case_id"]])
    assert some[0]["title"] in " ".join(shown.stdout.split())
    assert "What it turned on" in shown.stdout


def test_a_mistyped_id_is_answered_with_the_nearest() -> None:
    [first, *_] = json.loads(runner.invoke(app, ["casebook", "list", "--json"]).stdout)
    done = runner.invoke(app, ["casebook", "show", first["case_id"][:-1]])
    assert first["case_id"] in done.stderr


# models and doctor


def test_models_are_listed_by_role_and_not_prepared_in_a_new_cache() -> None:
    listed = json.loads(runner.invoke(app, ["models", "list", "--json"]).stdout)
    assert [model["role"] for model in listed] == [
        "sentence", "question", "passage", "cross", "tagger",
    ]  # fmt: skip
    assert [model["prepared"] for model in listed] == [False, False, False, False, True]
    assert all(model["fingerprint"] for model in listed)


def test_verify_fails_where_the_weights_are_not_what_they_should_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from countercase.encoders.embedded import weights

    monkeypatch.setattr(weights, "BASE_SHA256", "0" * 64)
    done = runner.invoke(app, ["models", "verify", "--json"])
    assert done.exit_code == 1
    problems = {model["role"]: model["problem"] for model in json.loads(done.stdout)}
    assert problems.pop("tagger") == ""  # it has weights of its own
    assert len(problems) == 4
    assert all("damaged or replaced" in problem for problem in problems.values())


def test_doctor_says_what_is_missing_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    from countercase.cli import doctor as examination

    known = examination._version
    monkeypatch.setattr(examination, "_version", lambda n: None if n == "bm25s" else known(n))
    done = runner.invoke(app, ["doctor"])
    assert done.exit_code == 1
    assert "!!  bm25s: not installed" in done.stdout
    assert "pip install bm25s" in done.stdout
    as_json = json.loads(runner.invoke(app, ["doctor", "--json"]).stdout)
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
    done = runner.invoke(app, ["doctor", "--json"])
    assert "very-secret" not in done.output
    assert "COUNTERCASE_LLM_API_KEY" in done.output


def test_typer_is_told_to_leave_errors_alone() -> None:
    assert isinstance(app, typer.Typer)
    assert app.pretty_exceptions_enable is False
