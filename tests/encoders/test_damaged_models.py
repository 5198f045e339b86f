"""A damaged prepared model is never used: it is named, prepared anew, and answers known questions."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from countercase.encoders.base import EncoderOptions
from countercase.encoders.embedded import runtime, suite, weights
from countercase.encoders.embedded.runtime import SUMS, prepare, prepared_file, problem_of
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import ModelError
from countercase.integrity import Checked, DamageWarning

ROOT = Path(__file__).parents[2]
TEXTS = ["He struck one blow in a sudden quarrel.", "The cheque came back unpaid."]
SENTENCE = weights.recipes()["sentence"]


@pytest.fixture
def copied(
    encoders: EmbeddedEncoders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The folder of a prepared sentence model in a home of its own."""
    prepare(["sentence"])
    before = prepared_file(SENTENCE).parent
    monkeypatch.setenv("COUNTERCASE_HOME", str(tmp_path))
    folder = prepared_file(SENTENCE).parent
    shutil.copytree(before, folder)
    yield folder
    shutil.rmtree(tmp_path)


def flip(path: Path, place: int, bit: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        [byte] = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))


def test_a_bit_flipped_anywhere_is_found(copied: Path) -> None:
    assert problem_of(SENTENCE) == ""
    chance = random.Random(5)
    for name in ("model.xml", "model.bin", "files.json") * 4:
        place, bit = chance.randrange((copied / name).stat().st_size), chance.randrange(8)
        flip(copied / name, place, bit)
        assert str(copied / name) in problem_of(SENTENCE)
        assert str(copied / name) in problem_of(SENTENCE, Checked(copied))
        flip(copied / name, place, bit)
    assert problem_of(SENTENCE, Checked(copied)) == ""


def test_a_file_that_is_not_whole_is_named(copied: Path) -> None:
    for path in (copied / "model.xml", copied / "model.bin", copied / "files.json"):
        whole = path.read_bytes()
        for part in (None, b"", whole[: len(whole) // 2]):
            path.unlink() if part is None else path.write_bytes(part)
            assert str(path) in problem_of(SENTENCE)
        path.write_bytes(whole)


def test_a_damaged_model_is_prepared_anew_and_gives_the_same_bits(
    copied: Path, encoders: EmbeddedEncoders
) -> None:
    expected = encoders.encode("sentence", TEXTS).tobytes()
    flip(copied / "model.bin", 40_000_000, 6)
    with pytest.warns(DamageWarning, match=r"model\.bin: damaged.*preparing it anew"):
        found = EmbeddedEncoders(EncoderOptions()).encode("sentence", TEXTS)
    assert found.tobytes() == expected
    assert problem_of(SENTENCE) == ""


def test_a_model_is_asked_once_per_change_of_its_file(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def difference(encoders: EmbeddedEncoders, role: str, apart: bool) -> str:
        asked.append(role)
        return ""

    monkeypatch.setattr(suite, "difference", difference)
    for _ in range(2):
        EmbeddedEncoders(EncoderOptions()).encode("sentence", TEXTS)
    assert asked == ["sentence"]
    sums = (copied / "files.json").read_text()
    (copied / "files.json").write_text(sums + "\n")  # stands for a model that was made anew
    EmbeddedEncoders(EncoderOptions()).encode("sentence", TEXTS)
    assert asked == ["sentence", "sentence"]
    EmbeddedEncoders(EncoderOptions(), asked=False).encode("sentence", TEXTS)
    assert len(asked) == 2


def test_a_model_that_answers_otherwise_is_refused(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = suite.difference.__globals__
    monkeypatch.setitem(shipped, "ANSWERS", ("Something else was said.", "And this too."))
    for _ in range(2):  # a refusal is not remembered as an answer
        with pytest.raises(ModelError, match=r"the sentence model gives .* models prepare --again"):
            EmbeddedEncoders(EncoderOptions()).encode("sentence", TEXTS)


def test_a_disk_that_fills_while_models_are_prepared(tmp_path: Path) -> None:
    def small_files() -> None:
        # As on a full disk, writing fails; here for any file beyond 1 MB.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    environment = os.environ | {"COUNTERCASE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "countercase", "models", "prepare"]
    said = {"env": environment, "capture_output": True, "text": True, "timeout": 200}
    run = subprocess.run(command, preexec_fn=small_files, **said)
    assert run.returncode == 2, run.stderr
    assert "Traceback" not in run.stderr
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("error: ") and "cannot be written" in last and "free some space" in last
    assert [path.name for path in (tmp_path / "models").iterdir()] == []


def test_two_that_prepare_at_once_prepare_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoders: EmbeddedEncoders
) -> None:
    """The second waits, and finds what the first has made."""
    prepare(["sentence"])
    made = prepared_file(SENTENCE).parent
    monkeypatch.setenv("COUNTERCASE_HOME", str(tmp_path))
    conversions: list[Path] = []

    def convert(recipe: weights.Recipe, target: Path) -> None:
        conversions.append(target)
        shutil.copytree(made, target.parent)

    monkeypatch.setattr(runtime, "_convert", convert)
    with ThreadPoolExecutor(4) as pool:
        files = list(pool.map(lambda _: prepare(["sentence"]), range(4)))
    assert len(conversions) == 1
    assert prepared_file(SENTENCE).with_name(SUMS).is_file()
    assert {file["sentence"] for file in files} == {tmp_path / "models" / made.name / "model.xml"}
