"""Two runs at once, and runs that are killed: a wait that is said, and the same bytes."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from countercase.corpus.documents import Document
from countercase.corpus.index.build import build_index, changing, index_folder, open_index
from countercase.corpus.index.snapshot import Snapshot, _put_in_place
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import CorpusIndexError
from countercase.locks import locked

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ROUNDS = int(os.environ.get("COUNTERCASE_FAULT_ROUNDS", "1"))
"""Kills of each command; the seed of a kill is its number."""

SUBJECTS = ("murder", "cheating", "a lease", "dismissal", "customs duty", "a cheque", "dowry")
CORPUS = [
    Document(f"T{at}", f"Case {at}", f"The court considered {subject} in matter {at}. " * 40)
    for at, subject in enumerate(SUBJECTS)
]
QUICK = {"COUNTERCASE_USE_RERANKER": "False", "COUNTERCASE_NULL_EDITS": "2"}
CASE = {
    "case_id": "killed",
    "text": "He was charged under section 302 IPC after a sudden quarrel. He was aged 17 years.",
}


@pytest.fixture(scope="module")
def rows(home: Path) -> Path:
    path = home / "two.jsonl"
    lines = [json.dumps({"_id": d.doc_id, "title": d.title, "text": d.text}) for d in CORPUS]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def start(home: Path, *arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "countercase", *map(str, arguments)],
        env=os.environ | QUICK | {"PYTHONPATH": str(ROOT), "COUNTERCASE_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }


def test_a_lock_that_is_free_says_nothing_and_readers_share_it(home: Path) -> None:
    told: list[str] = []
    with (
        locked("free", "waiting", lambda what, done, of: told.append(what), shared=True),
        locked("free", "waiting", lambda what, done, of: told.append(what), shared=True),
    ):
        pass
    assert told == []


def test_the_lock_of_a_killed_process_is_free(home: Path) -> None:
    code = (
        "from countercase.locks import locked\n"
        "with locked('orphan', ''): print('held', flush=True); import time; time.sleep(600)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    process.kill()
    process.communicate()
    told: list[str] = []
    with locked("orphan", "waiting", lambda what, done, of: told.append(what)):
        pass
    assert told == []


def test_a_second_index_run_waits_and_says_so_after_a_second(encoders: EmbeddedEncoders) -> None:
    told: list[tuple[str, float]] = []

    def tell(what: str, done: int, of: int) -> None:
        told.append((what, time.monotonic()))

    begun = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        with changing("waited"):
            second = pool.submit(build_index, CORPUS, "waited", encoders, 64, progress=tell)
            while not told:
                assert time.monotonic() - begun < 60
                time.sleep(0.02)
            [(waiting, at)] = told
            assert waiting == "waiting: corpus waited is being indexed by another run"
            assert at - begun >= 1
        assert second.result(120)[1].cases == len(CORPUS)


def test_two_index_runs_at_once(home: Path, rows: Path, encoders: EmbeddedEncoders) -> None:
    both = [start(home, "index", rows, "--corpus", "at-once", "--json") for _ in range(2)]
    done = [process.communicate(timeout=240) for process in both]
    assert [process.returncode for process in both] == [0, 0], done
    reports = [json.loads(out) for out, _ in done]
    assert sorted((r["added"], r["unchanged"]) for r in reports) == [(0, 7), (7, 0)]
    assert len({report["checksum"] for report in reports}) == 1


def texts_of(snapshot: Snapshot) -> list[str]:
    """The texts of all chunks."""
    return list(map(snapshot.text, range(len(snapshot.chunks))))


def test_a_snapshot_replaced_while_it_is_opened_is_whole(encoders: EmbeddedEncoders) -> None:
    """Two versions change places all the time; each opening sees one of them, never a mixture."""
    versions = []
    for number, documents in enumerate((CORPUS[:3], CORPUS)):
        name = f"version-{number}"
        snapshot, _ = build_index(documents, name, encoders, 64)
        versions.append((Path(str(snapshot.folder)), texts_of(snapshot), snapshot.manifest))
    texts = {manifest.checksum: own for _, own, manifest in versions}
    vectors = {m.checksum: np.load(path / "sentence.npy").tobytes() for path, _, m in versions}
    place = index_folder("moving") / "snapshot"
    place.parent.mkdir(parents=True)
    stop, swaps = threading.Event(), 0

    def swap() -> None:
        nonlocal swaps
        while not stop.is_set():
            shutil.copytree(versions[swaps % 2][0], place.with_name("snapshot.new"))
            _put_in_place(place.with_name("snapshot.new"), place)
            swaps += 1

    writer = threading.Thread(target=swap)
    writer.start()
    seen: set[str] = set()
    try:
        while not swaps:
            time.sleep(0.01)
        for opening in range(20_000):
            if opening >= 150 and seen == set(texts) and swaps > 2:
                break
            opened = open_index("moving", encoders, 64)
            seen.add(opened.manifest.checksum)
            assert texts_of(opened) == texts[opened.manifest.checksum]
            assert opened.sentence.tobytes() == vectors[opened.manifest.checksum]
            assert opened.lexicon.scores("dowry").shape == (opened.manifest.cases,)
    finally:
        stop.set()
        writer.join(60)
    assert seen == set(texts)
    assert swaps > 2


def test_a_shared_cache_written_by_several_at_once(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from countercase.encoders.cache import VectorCache, key_of
cache = VectorCache(Path(sys.argv[1]))
for at in range(300):
    key = key_of("m", str(at))
    if key not in cache.get([key]):
        cache.put({key: bytes([at % 256]) * 8})
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COUNTERCASE_HOME": str(tmp_path)}
    command = [sys.executable, "-W", "error", "-c", code, str(tmp_path / "shared.sqlite")]
    runs = [
        subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    errors = [process.communicate(timeout=240)[1] for process in runs]
    assert errors == [""] * 4
    from countercase.encoders.cache import VectorCache, key_of

    keys = [key_of("m", str(at)) for at in range(300)]
    found = VectorCache(tmp_path / "shared.sqlite").get(keys)
    assert found == {key: bytes([at % 256]) * 8 for at, key in enumerate(keys)}


def kill_at(process: subprocess.Popen[str], seconds: float) -> None:
    """Kill a process after `seconds`, if it has not ended by then."""
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()


@pytest.fixture(scope="module")
def straight(home: Path, rows: Path, encoders: EmbeddedEncoders) -> float:
    """Seconds that nothing came between while the corpus `straight` was indexed."""
    begun = time.monotonic()
    assert start(home, "index", rows, "--corpus", "straight").wait(240) == 0
    return time.monotonic() - begun


def test_index_killed_at_any_moment_goes_on_to_the_same_bytes(
    home: Path, rows: Path, encoders: EmbeddedEncoders, straight: float
) -> None:
    expected = files_of(index_folder("straight") / "snapshot")
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        for _ in range(2):  # the second run is killed as well, somewhere else
            moment = chance.uniform(0.3, 1.0) * straight
            kill_at(start(home, "index", rows, "--corpus", f"killed-{seed}"), moment)
            left = index_folder(f"killed-{seed}") / "snapshot"
            if left.exists():
                assert files_of(left) == expected
            else:
                with pytest.raises(CorpusIndexError, match="has no finished index"):
                    open_index(f"killed-{seed}", encoders, 200)
        last = start(home, "index", rows, "--corpus", f"killed-{seed}")
        assert last.wait(240) == 0
        assert files_of(index_folder(f"killed-{seed}") / "snapshot") == expected


def test_analyze_killed_at_any_moment_then_gives_the_same_bytes(
    home: Path, straight: float, tmp_path: Path
) -> None:
    case = tmp_path / "case.json"
    case.write_text(json.dumps(CASE))
    arguments = ("analyze", case, "--corpus", "straight", "--depth", "1")
    begun = time.monotonic()
    assert start(home, *arguments, "--out", tmp_path / "straight").wait(240) == 0
    usual = time.monotonic() - begun
    names = ("tree.json", "tree.graphml", "tree.dot", "run.trec", "report.md")
    expected = {name: (tmp_path / "straight" / name).read_bytes() for name in names}
    for seed in range(ROUNDS):
        out = tmp_path / f"out-{seed}"
        shutil.rmtree(home / "cache")
        moment = random.Random(seed).uniform(0.2, 1.0) * usual
        kill_at(start(home, *arguments, "--out", out), moment)
        for name in names:  # each is whole or not there
            assert not (out / name).exists() or (out / name).read_bytes() == expected[name]
        assert start(home, *arguments, "--out", out).wait(240) == 0
        assert {name: (out / name).read_bytes() for name in names} == expected
