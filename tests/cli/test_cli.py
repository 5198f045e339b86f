"""Commands and `analyze`: what they say, where they say it, and how they fail."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from handmade import SHEET, result
from typed_commands import typed

from countercase import session as session_module
from countercase.cli.options import fact_types_of
from countercase.config import Settings
from countercase.errors import InputError, ModelError, StoreError
from countercase.facts.model import FactSheet
from countercase.facts.vocabulary import FACT_TYPES
from countercase.registry import COMMANDS, VALIDATORS
from countercase.reports import view as write

pytestmark = pytest.mark.usefixtures("own_folder")

ROOT = Path(__file__).resolve().parents[2]


class FakeSession:
    """A session that finds the hand-made result; `seen` keeps what it was asked."""

    seen: SimpleNamespace
    retriever = None

    def analyze(self, sheet: FactSheet, **asked: Any) -> Any:
        self.seen.sheet, self.seen.asked = sheet, asked
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
    done = typed("analyze", case_file, status=2)
    assert done.stderr == "error: what is wrong, and what to do\n"
    assert done.stdout == ""


def test_ctrl_c_is_130_and_no_traceback(monkeypatch: pytest.MonkeyPatch, case_file: Path) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(session_module, "open_session", stop)
    done = typed("analyze", case_file, status=130)
    assert "stopped" in done.stderr
    assert "Traceback" not in done.output


# warnings


def test_a_bad_setting_is_one_line_on_stderr_wherever_it_stands(
    monkeypatch: pytest.MonkeyPatch, case_file: Path
) -> None:
    monkeypatch.setenv("COUNTERCASE_TOP_KK", "5")
    done = typed("facts", case_file, "--json")
    [line] = done.stderr.splitlines()
    assert line.startswith("warning: ")
    assert "COUNTERCASE_TOP_KK" in line and "TOP_K" in line
    assert json.loads(done.stdout)["sections_cited"] == ["IPC-302"]
    monkeypatch.delenv("COUNTERCASE_TOP_KK")
    monkeypatch.setenv("COUNTERCASE_RRF_K", "many")
    for name in ("RRF_K", "TOP_KK"):
        [line] = typed("analyze", case_file, status=2).stderr.splitlines()
        assert line.startswith("error: ") and name in line
        monkeypatch.delenv("COUNTERCASE_RRF_K", raising=False)
        Path("settings.py").write_text("TOP_KK = 5\n")


# commands of other distributions


def test_an_installed_command_is_in_the_help_and_runs() -> None:
    def greet(name: str, loud: bool = False) -> None:
        """Greet somebody.

        More about it.
        """
        typer.echo(f"hello {name}{'!' if loud else ''}")

    COMMANDS.register("greet", greet)
    try:
        listed = typed("--help").stdout.splitlines()
        done = typed("greet", "world", "--loud")
    finally:
        COMMANDS._registered.pop("greet")
    assert listed[-1].split() == ["greet", "Greet", "somebody."]
    assert done.stdout == "hello world!\n"
    typed("greet", "world", status=2)


def test_a_broken_installed_command_spoils_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS._installed, "broken", "countercase_nowhere:command")
    listed = typed("--help")
    assert "cannot be used" in listed.stdout and "countercase_nowhere" in listed.stdout
    done = typed("broken", status=2)
    assert done.stderr.startswith("error: ") and "countercase_nowhere" in done.stderr
    typed("casebook", "list", "--json")


# analyze


def test_analyze_writes_the_reports_and_then_prints_the_answer(
    fake: SimpleNamespace, case_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from countercase.reports import terminal

    show = terminal.show_result

    def look(*shown: Any) -> None:
        assert (tmp_path / "out" / "report.md").is_file()
        show(*shown)

    monkeypatch.setattr(terminal, "show_result", look)
    done = typed("analyze", case_file, "--out", "out")
    assert done.stdout.startswith("One fact moves the list of precedents: section 302 IPC")
    assert "Measured 2 of 4 facts." in " ".join(done.stdout.split())
    assert "wrote out/report.md" in done.stderr


ANALYZE = """
import sys, types
from handmade import result
from countercase import session
from countercase.cli.main import main
made = types.SimpleNamespace(analyze=lambda *a, **k: result(), retriever=None)
session.open_session = lambda *a, **k: made
sys.argv = ["countercase", "analyze", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize(
    ("options", "with_stderr"), [([], True), (["--json"], False)], ids=["tables", "json"]
)
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
    texts = [f"{name}.{ending}" for name in ("memo", "report") for ending in ("docx", "html", "md")]
    names = ["analysis.json", *texts, "run.trec", "tree.dot", "tree.graphml", "tree.json"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_output_on_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "countercase", "--help"],
            stdout=full, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == b"error: the output cannot be written (No space left on device)\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("closed", ["facts none.txt 2>/dev/full", "--help >&-"])
def test_what_cannot_be_told_is_still_an_exit_status_of_2(closed: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m countercase {closed}"
    done = subprocess.run(
        command, shell=True, capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == 2
    assert done.stderr[:24] in (b"", b"error: stdout is closed,")


@pytest.mark.parametrize(
    ("side", "client"), [("petitioner", "the accused"), ("respondent", "the prosecution")]
)
def test_screen_memo_and_files_are_for_the_side_that_one_acts_for(
    side: str, client: str, fake: SimpleNamespace, case_file: Path
) -> None:
    asked = ["analyze", str(case_file), "--side", side]
    screen = typed(*asked, "--out", "out").stdout
    memo = typed(*asked, "--memo").stdout
    files = [Path("out", f"memo.{kind}").read_text("utf-8") for kind in ("md", "html")]
    for text in (memo, *files):
        assert f"For {client} · " in text
    parts = ["The question", "Facts relied on", "Authorities", "What would change them",
             "What was measured, and what was not"]  # fmt: skip
    places = [memo.index(part) for part in parts]
    assert places == sorted(places) and "--full" not in memo
    assert f", for {client}," in " ".join(screen.split())


@pytest.mark.parametrize("command", ["analyze", "facts"])
def test_stdin_gives_text_or_json(command: str, fake: SimpleNamespace, case_file: Path) -> None:
    for content in (case_file.read_bytes(), SHEET.narrative.encode()):
        done = typed(command, "-", "--json", input=content)
        if command == "analyze":
            assert fake.sheet.narrative == SHEET.narrative
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
        (b'{"case_id": "x", "text": "\\ud800"}', "surrogate"),
        (b"%PDF-1.7 ...", "stdin holds a PDF"),
    ],
)
def test_errors_about_stdin_name_it(content: bytes, message: str) -> None:
    done = typed("facts", "-", status=2, input=content)
    assert done.stderr.startswith("error: ") and message in done.stderr


@pytest.mark.parametrize("command", ["search", "facts"])
def test_a_closed_stdin_is_one_clear_line(command: str) -> None:
    shell = shlex.join([sys.executable, "-m", "countercase", command, "-"]) + " <&-"
    closed = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False)
    assert closed.returncode == 2
    assert "error: " in closed.stderr and "Traceback" not in closed.stderr


def test_a_working_directory_that_is_gone_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    shell = f"cd gone && rmdir ../gone && {sys.executable} -m countercase doctor"
    paths = os.environ | {"PYTHONPATH": str(ROOT)}
    gone = subprocess.run(["sh", "-c", shell], cwd=tmp_path, env=paths, capture_output=True)
    assert gone.returncode == 2
    assert gone.stderr == b"error: the working directory is gone; change to another\n"


def test_more_on_stdin_than_the_settings_allow_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERCASE_MAX_INPUT_BYTES", "1000")
    done = typed("facts", "-", status=2, input=b"x" * 1001)
    assert "stdin gives more than the 1,000 bytes allowed" in done.stderr


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_fault_of_a_report_does_not_cost_the_analysis(
    options: list[str], fake: SimpleNamespace, case_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = typed("analyze", case_file, *options).stdout

    def fail(*_: Any, **__: Any) -> None:
        raise StoreError("out: cannot be written")

    monkeypatch.setattr(write, "write_reports", fail)
    done = typed("analyze", case_file, "--out", "out", *options, status=2)
    assert done.stdout == whole
    assert done.stderr == "error: out: cannot be written\n"


def test_a_report_that_cannot_take_its_place_is_named(
    fake: SimpleNamespace, case_file: Path
) -> None:
    Path("out/memo.docx").mkdir(parents=True)
    done = typed("analyze", case_file, "--out", "out", status=2)
    told = "error: out/memo.docx: cannot be written (Is a directory); name another folder"
    assert done.stderr.splitlines()[-1] == told


def test_options_become_settings_types_and_filters(fake: SimpleNamespace, case_file: Path) -> None:
    given = {
        "--depth": "1", "--max-children": "3", "--max-states": "4", "--top-k": "5",
        "--min-displacement": "0.25", "--threshold": "2", "--types": "evidence,Section",
        "--year-from": "1990", "--year-to": "2000", "--court": "supreme", "--bench": "Ray",
        "--provision": "s. 302 IPC", "--corpus": "mine", "--models": "hub", "--chroma-host": "h:1",
    }  # fmt: skip
    words = [word for pair in given.items() for word in pair]
    typed("analyze", case_file, *words)
    settings = fake.settings
    assert (settings.DEPTH, settings.MAX_CHILDREN, settings.MAX_STATES) == (1, 3, 4)
    assert (settings.TOP_K, settings.MIN_DISPLACEMENT) == (5, 0.25)
    assert settings.DISPOSITIVE_THRESHOLD == 2.0
    assert fake.corpus == "mine"
    assert (fake.options["chroma_host"], fake.options["models"]) == ("h:1", "hub")
    filters = fake.asked["filters"]
    assert fake.sheet.case_id == SHEET.case_id
    assert fake.asked["types"] == ("Section", "Evidence")
    assert (filters.year_from, filters.year_to, filters.provision) == (1990, 2000, "IPC-302")
    assert (filters.court, filters.bench) == ("supreme", "Ray")
    assert fact_types_of("") == FACT_TYPES  # no types are all of them


def test_a_stopped_analysis_is_said_to_be_partial(fake: SimpleNamespace, case_file: Path) -> None:
    fake.result = result(complete=False)
    done = typed("analyze", case_file, "--json", status=130)
    assert json.loads(done.stdout)["analysis"]["complete"] is False
    assert "partial" in done.stderr


STOPPED = """
import os, signal, sys
from handmade import result
from countercase import session
from countercase.cli.main import main

class Stopped:
    retriever = None

    def analyze(self, sheet, **asked):
        try:
            os.kill(os.getpid(), signal.Signals[os.environ["SIGNAL"]])
        except KeyboardInterrupt:
            return result(complete=False)

session.open_session = lambda *_, **__: Stopped()
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
main()
"""


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_what_ends_an_analysis_leaves_its_reports(name: str, status: int, case_file: Path) -> None:
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "tests" / "helpers")))
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, "analyze", str(case_file), "--out", "out"],
        env=os.environ | {"PYTHONPATH": paths, "SIGNAL": name}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    assert "stopped early" in done.stderr and "Traceback" not in done.stderr
    assert json.loads(Path("out/analysis.json").read_text())["complete"] is False


# what is left out


def test_what_is_left_out_stands_in_the_result(fake: SimpleNamespace, case_file: Path) -> None:
    asked = ("analyze", case_file, "--suppose", "", "--out", "out")
    done = typed(*asked, "--json")
    line = "suppose '': it supposes nothing"
    assert json.loads(done.stdout)["analysis"]["left_out"] == [line]
    assert f"warning: left out: {line}" in done.stderr.splitlines()
    assert f"Left out: {line}" in typed(*asked).stdout
    for name in ("memo.html", "report.md"):
        assert "it supposes nothing" in Path("out", name).read_text(encoding="utf-8")


def test_a_language_model_that_judges_nothing_is_a_failure(
    fake: SimpleNamespace, case_file: Path
) -> None:
    class Silent:
        failures, cause = 3, "connection lost"

        def judge(self, *_: Any) -> None: ...

    VALIDATORS.register("silent", Silent)
    told = "the language model failed to judge 3 changes (connection lost); they count as refused"
    try:
        some = typed("analyze", case_file, "--validator", "silent", "--json")
        analysis = fake.result.analysis
        facts = tuple(replace(fact, sensitivity=None) for fact in analysis.facts)
        fake.result = replace(fake.result, analysis=replace(analysis, facts=facts))
        none = typed("analyze", case_file, "--validator", "silent", "--json", status=1)
    finally:
        VALIDATORS._registered.pop("silent")
    for done in (some, none):
        assert told in done.stderr
        assert json.loads(done.stdout)["analysis"]["left_out"] == [told]


@pytest.mark.parametrize("place", ["~/reports", "out"])
def test_a_folder_below_the_home_folder_may_be_quoted(
    place: str, fake: SimpleNamespace, case_file: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("HOME", str(tmp_path / "of-user"))
    typed("analyze", case_file, "--out", place)
    assert (tmp_path / place.replace("~", "of-user") / "analysis.json").is_file()
    assert not (tmp_path / "~").exists()
