"""Homes that are read-only, full, empty or relative: what is known is answered, the rest is a line."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from platformdirs import user_cache_path
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.encoders.embedded.runtime import prepare
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import ConfigError
from countercase.io import cache_root

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
KNOWN = "The vendor refused to execute the sale deed after the earnest money was paid."
ROWS = "\n".join(
    json.dumps(
        {
            "_id": f"P{number}",
            "title": f"Case {number}",
            "text": f"In matter {number} the court heard the parties on {subject}. " * 3,
        }
    )
    for number, subject in enumerate(("a sale deed", "a cheque", "a lease", "an arrest"))
)


@pytest.fixture(scope="module")
def known_home(home: Path, encoders: EmbeddedEncoders) -> Path:
    """A home with prepared models, a small corpus and the vectors of one search."""
    prepare(("sentence", "cross"))
    folder = home / "places"
    shutil.copytree(home / "models", folder / "models", copy_function=os.link)
    (home / "rows.jsonl").write_text(ROWS, encoding="utf-8")
    made = run(folder, "index", home / "rows.jsonl", "--corpus", "small")
    assert made.returncode == 0, made.stderr
    first = run(folder, "search", KNOWN, "--corpus", "small", "--json")
    assert first.returncode == 0, first.stderr
    (home / "known.json").write_text(first.stdout, encoding="utf-8")
    return folder


@pytest.fixture
def place(known_home: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of that home."""
    folder = tmp_path / "place"
    shutil.copytree(known_home, folder, ignore=shutil.ignore_patterns("models"))
    shutil.copytree(known_home / "models", folder / "models", copy_function=os.link)
    yield folder
    subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)
    shutil.rmtree(folder)


@pytest.fixture
def answer(known_home: Path, home: Path) -> str:
    """What the search printed in a home that can be written."""
    return (home / "known.json").read_text(encoding="utf-8")


def run(
    folder: Path, *arguments: str | Path, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "countercase", *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(ROOT), "COUNTERCASE_HOME": str(folder)},
        preexec_fn=before,
        capture_output=True,
        text=True,
        timeout=240,
    )


def bound_by_permissions() -> None:
    """Permissions bind root too, once it has lost two capabilities (`man 7 capabilities`)."""
    if os.geteuid() == 0:
        drop_bound, dac_override, dac_read_search = 24, 1, 2
        for capability in (dac_override, dac_read_search):
            ctypes.CDLL(None).prctl(drop_bound, capability, 0, 0, 0)


def on_a_full_disk(room: int = 0) -> None:
    """No file can grow beyond so many bytes: every further write of one fails."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))


def read_only(folder: Path) -> Path:
    subprocess.run(["chmod", "-R", "a-w", str(folder)], check=True)
    probe = subprocess.run(
        ["touch", str(folder / "probe")], preexec_fn=bound_by_permissions, capture_output=True
    )
    if probe.returncode == 0:
        pytest.skip("permissions cannot be made to bind here")
    return folder


def error_of(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    [line] = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    return line


FAULTS = {"read-only": bound_by_permissions, "full": on_a_full_disk}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_known_is_answered_without_writing(fault: str, place: Path, answer: str) -> None:
    if fault == "read-only":
        read_only(place)
    done = run(place, "search", KNOWN, "--corpus", "small", "--json", before=FAULTS[fault])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == answer


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_not_known_is_computed_and_said_not_to_be_kept(fault: str, place: Path) -> None:
    asked = "The tenant fell into arrears of rent and the lease was determined."
    command = ["search", asked, "--corpus", "small", "--json"]
    if fault == "read-only":
        read_only(place)
    done = run(place, *command, before=FAULTS[fault])
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    assert told and all("is not kept" in line for line in told)
    subprocess.run(["chmod", "-R", "u+w", str(place)], check=True)
    again = CliRunner().invoke(app, command, env={"COUNTERCASE_HOME": str(place)})
    assert done.stdout == again.stdout


def test_an_index_run_on_a_full_disk_is_taken_up_again(place: Path, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(ROWS.replace('"P', f'"P{at}') for at in range(10)), encoding="utf-8")
    command = ["index", str(rows), "--corpus", "full-disk", "--json"]
    error_of(run(place, *command, before=partial(on_a_full_disk, 30_000)))
    again = CliRunner().invoke(app, command, env={"COUNTERCASE_HOME": str(place)})
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["cases"] == 40


def test_nothing_can_be_indexed_into_a_read_only_home(place: Path, home: Path) -> None:
    read_only(place)
    done = run(
        place, "index", home / "rows.jsonl", "--corpus", "other", before=bound_by_permissions
    )
    line = error_of(done)
    assert str(place) in line and "COUNTERCASE_HOME" in line


def test_models_cannot_be_prepared_in_a_read_only_home(place: Path) -> None:
    shutil.rmtree(place / "models")
    (place / "cache" / "vectors.sqlite").unlink()
    read_only(place)
    line = error_of(run(place, "models", "prepare", before=bound_by_permissions))
    assert str(place) in line and "COUNTERCASE_HOME" in line


def test_an_empty_home_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERCASE_HOME", "")
    assert cache_root() == user_cache_path("countercase", appauthor=False)


@pytest.mark.parametrize("value", ["home", "./home", "~/home", " "])
def test_a_relative_home_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERCASE_HOME", value)
    with pytest.raises(ConfigError, match="give an absolute one, such as /"):
        cache_root()


@pytest.mark.parametrize("home", ["here", "/dev/null/home"], ids=["relative", "below a file"])
def test_a_home_that_cannot_be_is_one_line(home: str, tmp_path: Path) -> None:
    case = tmp_path / "case.txt"
    case.write_text("He was charged under section 302 IPC.")
    done = CliRunner().invoke(app, ["analyze", str(case)], env={"COUNTERCASE_HOME": home})
    assert done.exit_code == 2
    [line] = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert "COUNTERCASE_HOME" in line and ("'here', a relative path" in line) == (home == "here")
