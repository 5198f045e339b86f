"""Jobs in SQLite, and whose turn it is."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from shutil import rmtree

import pytest

from countercase.errors import StoreError
from countercase.web.jobs import Jobs
from countercase.web.render import BusyError, UnreadableError
from countercase.web.workspace import Turns

CASE = {"case_id": "c", "title": "A v. B"}


def test_two_servers_do_not_share_their_jobs(tmp_path: Path) -> None:
    first = Jobs(tmp_path)
    with pytest.raises(StoreError, match="another `countercase serve`"):
        Jobs(tmp_path)
    first.close()
    Jobs(tmp_path).close()


def test_what_another_program_holds_is_not_called_damaged(tmp_path: Path) -> None:
    jobs, other = Jobs(tmp_path), sqlite3.connect(tmp_path / "jobs.sqlite")
    jobs._do("PRAGMA busy_timeout = 0")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="another program uses it; stop") as told:
        jobs.put_case(CASE)
    assert "delete" not in str(told.value)
    other.close()
    jobs.close()


def test_a_damaged_lock_is_not_called_another_server(tmp_path: Path) -> None:
    (tmp_path / "server.lock").write_text("x" * 5_000)
    with pytest.raises(StoreError, match=r"server\.lock: cannot be used .*delete it"):
        Jobs(tmp_path)
    (tmp_path / "server.lock").unlink()
    (tmp_path / "server.lock").mkdir()
    with pytest.raises(StoreError, match=r"server\.lock: cannot be used .*delete it"):
        Jobs(tmp_path)


def test_a_removed_job_leaves_nothing(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    job = jobs.put(CASE | {"text": "SECRETWORDS"}, {}).id
    jobs.put_file(job, "report.html", b"SECRETWORDS")
    jobs.rate(job, "A", "item", {"clarity": 3}, "SECRETWORDS")
    jobs.finish(job, "done", "", {"x": "SECRETWORDS"})
    jobs.remove(job)
    assert jobs.file(job, "report.html") is None
    assert jobs.ratings(job, "A") == {}
    jobs.close()
    assert b"SECRETWORDS" not in (tmp_path / "jobs.sqlite").read_bytes()


def test_turns_come_in_the_order_asked() -> None:
    turns, order = Turns(), list[int]()
    threads = []

    def take(number: int) -> None:
        with turns.turn():
            order.append(number)

    with turns.turn():
        for number in range(5):
            threads.append(threading.Thread(target=take, args=(number,)))
            threads[-1].start()
            while len(turns._waiting) <= number:
                pass
        assert order == []
        turns.let_others()
        assert order == [0, 1, 2, 3, 4]
    for thread in threads:
        thread.join(5)


def test_waiting_for_a_turn_has_bounds() -> None:
    turns = Turns(most=0)
    with turns.turn(patient=True), pytest.raises(BusyError, match="0 requests wait"), turns.turn():
        pass
    turns = Turns(seconds=0.01)
    with turns.turn(), pytest.raises(BusyError, match="no turn came"), turns.turn():
        pass
    with turns.turn():  # the one that gave up holds nothing
        pass


def test_a_changed_byte_is_found_where_a_digest_was_stored(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    job, earlier = (jobs.put(CASE, {}).id for _ in range(2))
    jobs.put_file(job, "report.html", b"<p>text")
    jobs.rate(job, "A", "item", {"clarity": 3}, "clear")
    jobs._do("INSERT INTO files VALUES (?, 'report.html', ?)", earlier, b"<p>text")
    jobs._do("INSERT INTO ratings VALUES (?, 'A', 'item', '{\"clarity\": 3}', 'clear')", earlier)
    for it in (job, earlier):
        assert jobs.file(it, "report.html") == b"<p>text"
        assert jobs.ratings(it, "A") == {"item": ({"clarity": 3}, "clear")}
    jobs._do("UPDATE files SET content = replace(content, 'text', 'test')")
    jobs._do("UPDATE ratings SET scores = replace(scores, 'clear', 'clean')")
    assert jobs.file(job, "report.html") is None
    with pytest.raises(UnreadableError):
        jobs.ratings(job, "A")


def test_a_folder_that_is_removed_is_told_and_nothing_is_taken(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path / "web")
    rmtree(tmp_path / "web")
    with pytest.raises(StoreError, match="removed while the server ran"):
        jobs.put_case(CASE)
    Path(tmp_path / "web").mkdir()
    Path(tmp_path / "web" / "jobs.sqlite").touch()  # made anew: not the file that is open
    with pytest.raises(StoreError, match="removed while the server ran"):
        jobs.put_case(CASE)
    jobs.close()
