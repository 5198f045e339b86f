"""Jobs in SQLite, and whose turn it is."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from countercase.errors import StoreError
from countercase.web.jobs import MOST_QUEUED, Jobs
from countercase.web.render import BusyError, MissingError, UnreadableError
from countercase.web.workspace import Turns

CASE = {"case_id": "c", "title": "A v. B"}
GIVEN = {
    "analysis": {
        "precedents": [], "facts": [], "what_ifs": [], "settings": {"x": 0.1}, "filters": {},
        "complete": True,
    },
    "tree": {"nodes": [], "links": []}, "items": [], "lines": [], "notes": [],
}  # fmt: skip
"""What an analysis gives, as small as it may be."""


def test_jobs_run_in_order_and_keep_what_they_gave(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    first, second = jobs.put(CASE, {"top_k": 3}, "source"), jobs.put(CASE, {})
    assert (first.status, first.title, first.options.top_k, first.source) == (
        "queued", "A v. B", 3, "source",
    )  # fmt: skip
    assert jobs.queue() == [first.id, second.id]
    started = jobs.start_next()
    assert started is not None and (started.id, started.status) == (first.id, "running")
    jobs.finish(first.id, "done", "", GIVEN)
    assert jobs.result(first.id) == GIVEN
    assert jobs.job(first.id).over
    assert [job.id for job in jobs.jobs()] == [second.id, first.id]
    with pytest.raises(MissingError):
        jobs.job("none")


def test_a_killed_server_leaves_a_broken_job_and_its_finished_ones(tmp_path: Path) -> None:
    before = Jobs(tmp_path)
    done, killed, waiting = (before.put(CASE, {}).id for _ in range(3))
    before.start_next()
    before.finish(done, "done", "", GIVEN)
    before.start_next()
    before.close()  # as a kill would: the running job was not finished
    after = Jobs(tmp_path)
    assert [after.job(job).status for job in (done, killed, waiting)] == [
        "done", "broken", "queued",
    ]  # fmt: skip
    assert "killed in the middle" in after.job(killed).detail
    assert after.result(done) == GIVEN
    assert after.queue() == [waiting]
    again = after.put_again(killed)
    assert (again.status, again.detail) == ("queued", "")
    assert after.queue() == [waiting, killed]


def test_two_servers_do_not_share_their_jobs(tmp_path: Path) -> None:
    first = Jobs(tmp_path)
    with pytest.raises(StoreError, match="another `countercase serve`"):
        Jobs(tmp_path)
    first.close()
    Jobs(tmp_path).close()


def test_the_queue_has_a_bound_and_can_be_left(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    queued = [jobs.put(CASE, {}).id for _ in range(MOST_QUEUED)]
    with pytest.raises(BusyError, match="analyses wait already"):
        jobs.put(CASE, {})
    assert jobs.cancel_queued(queued[0])
    assert not jobs.cancel_queued(queued[0])
    assert jobs.put(CASE, {}).status == "queued"


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


def test_a_case_keeps_what_was_first_read(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    case = jobs.put_case(CASE)
    jobs.change_case(case, CASE | {"title": "C v. D"})
    assert jobs.case(case) == (CASE | {"title": "C v. D"}, CASE)
    jobs.remove_case(case)
    with pytest.raises(MissingError):
        jobs.case(case)


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


def test_a_changed_byte_of_a_report_or_a_rating_is_found(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    job = jobs.put(CASE, {}).id
    jobs.put_file(job, "report.html", b"<p>text")
    jobs.rate(job, "A", "item", {"clarity": 3}, "clear")
    assert jobs.file(job, "report.html") == b"<p>text"
    assert jobs.ratings(job, "A") == {"item": ({"clarity": 3}, "clear")}
    jobs._do("UPDATE files SET content = replace(content, 'text', 'test')")
    jobs._do("UPDATE ratings SET scores = replace(scores, 'clear', 'clean')")
    assert jobs.file(job, "report.html") is None
    with pytest.raises(UnreadableError):
        jobs.ratings(job, "A")


def test_what_was_stored_without_a_digest_is_read(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    job = jobs.put(CASE, {}).id
    jobs._do("INSERT INTO files VALUES (?, 'report.docx', ?)", job, b"PKtext")
    jobs._do("INSERT INTO ratings VALUES (?, 'A', 'item', '{\"clarity\": 3}', 'clear')", job)
    assert jobs.file(job, "report.docx") == b"PKtext"
    assert jobs.ratings(job, "A") == {"item": ({"clarity": 3}, "clear")}
