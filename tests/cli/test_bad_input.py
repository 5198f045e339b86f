"""Broken input: one clear line and exit status 2, or a correct resume; never a traceback."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.encoders.embedded.suite import EmbeddedEncoders

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> Path:
    """A working directory of its own; the cache is that of the test run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COUNTERCASE_HOME", str(home))
    return tmp_path


def fails(*arguments: str | Path) -> str:
    """The one line on stderr of a command that must exit with status 2."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 2, result.output
    assert not isinstance(result.exception, Exception), result.exception
    [line] = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert "Traceback" not in result.output
    return line


def put(name: str, content: str | bytes) -> Path:
    path = Path(name)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_bad_settings_file_and_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    put("settings.py", "TOP_KK = 5\n")
    assert "TOP_K" in fails("analyze", put("c.txt", "He was charged under section 302 IPC."))
    Path("settings.py").unlink()
    monkeypatch.setenv("COUNTERCASE_RRF_K", "many")
    assert "RRF_K" in fails("analyze", put("c.txt", "He was charged under section 302 IPC."))


def test_a_cache_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERCASE_HOME", str(put("occupied", "x") / "home"))
    assert "COUNTERCASE_HOME" in fails(
        "analyze", put("c.txt", "He was charged under section 302 IPC.")
    )


def row(number: int) -> str:
    text = f"In matter {number} the court heard the parties at length on the sale deed. " * 3
    return json.dumps({"_id": f"D{number}", "title": f"Case {number}", "text": text})


def test_an_index_of_other_chunks(
    encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = CliRunner()
    made = runner.invoke(app, ["index", str(put("corpus.jsonl", row(1))), "--corpus", "other"])
    assert made.exit_code == 0, made.output
    monkeypatch.setenv("COUNTERCASE_CHUNK_PIECES", "100")
    assert "indexed with other models or chunk sizes" in fails(
        "search", "deed", "--corpus", "other"
    )


def command(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "countercase", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        **options,
    )


def test_a_full_disk_is_told_and_what_was_written_is_taken_up_again(
    encoders: EmbeddedEncoders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put("corpus.jsonl", "\n".join(row(number) for number in range(40)))

    def small_files() -> None:
        # As on a full disk, writing fails; here for any file beyond 30 kB.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    process = command("index", path, "--corpus", "full-disk", preexec_fn=small_files)
    _, told = process.communicate(timeout=300)
    assert process.returncode == 2, told
    assert "Traceback" not in told
    assert told.strip().splitlines()[-1].startswith("error: ")
    again = CliRunner().invoke(app, ["index", str(path), "--corpus", "full-disk", "--json"])
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["cases"] == 40
