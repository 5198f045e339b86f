"""The Rate page has the items, the order and the sheet of `countercase annotate export`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from served_case import CASE
from starlette.testclient import TestClient

from countercase.evaluation.faithfulness.sentences import explain_cases
from countercase.evaluation.likert.ratings import exported_files
from countercase.evaluation.likert.sheets import Item, in_own_order, items_of, read_sheet
from countercase.web.worker import MOST_QUOTED, Worker

RATERS = ("Meera", "Thomas")


@pytest.fixture(scope="module")
def exported(worker: Worker) -> dict[str, str]:
    """The files that the command writes for the same case, every explanation of it."""
    workspace = worker.workspace
    own = explain_cases([workspace.sheet_of(CASE)], workspace.session)
    return exported_files(items_of(own, MOST_QUOTED), RATERS)


def sheet(client: TestClient, job: str, rater: str) -> str:
    return client.get(f"/results/{job}/rate.csv?rater={rater}").content.decode()


def test_an_unrated_sheet_is_that_of_the_command_to_the_byte(
    client: TestClient, done: str, exported: dict[str, str]
) -> None:
    for rater in RATERS:
        assert sheet(client, done, rater) == exported[f"{rater}.csv"]
    assert exported["Meera.csv"] != exported["Thomas.csv"]
    assert "“" in exported["Meera.csv"]
    assert not re.search(r"[.?!]”\.", exported["Meera.csv"])  # a quotation ends in one stop


def test_the_pages_follow_the_order_of_the_sheet(
    client: TestClient, done: str, exported: dict[str, str]
) -> None:
    rows = exported["Thomas.csv"].count("\r\n") - 1
    pages = [
        client.get(f"/results/{done}/rate?rater=Thomas&at={at + 1}").text for at in range(rows)
    ]
    keys = [re.findall(rf"/results/{done}/rate/([0-9a-f]{{16}})", page)[0] for page in pages]
    assert len(set(keys)) == rows > 1
    first = re.findall(r'<blockquote class="explained">([^<]+)', pages[0])[0]
    assert first.split("“")[0] in exported["Thomas.csv"].split("\r\n")[1]


def test_ratings_are_kept_per_rater_and_come_out_as_the_sheet_of_the_command(
    client: TestClient, worker: Worker, done: str, tmp_path: Path
) -> None:
    stored = worker.workspace.jobs.result(done)
    assert stored is not None
    items = in_own_order([Item(**item) for item in stored["items"]], "Meera")
    before = sheet(client, done, "Thomas")
    page = client.get(f"/results/{done}/rate?rater=Meera&at=2").text
    assert f"<strong>2</strong> of {len(items)}" in page
    address = re.findall(rf"/results/{done}/rate/[0-9a-f]{{16}}", page)[0]
    form = {"rater": "Meera", "legal_accuracy": "3", "notes": "=HYPERLINK(1)"}
    for clarity in ("5", "2"):
        kept = client.post(address, data=form | {"clarity": clarity})
        at = min(3, len(items))
        assert kept.headers["location"] == f"/results/{done}/rate?rater=Meera&at={at}"
    nothing = client.post(address, data={"rater": "Meera", "notes": " "})
    assert nothing.status_code == 400 and "Choose a score" in nothing.text
    for wrong in ({"clarity": "6"}, {"clarity": "good"}, {"rater": "../x"}):
        assert client.post(address, data=form | wrong).status_code == 400
    assert client.post(f"/results/{done}/rate/{'0' * 16}", data=form).status_code == 404
    assert sheet(client, done, "Thomas") == before
    path = tmp_path / "Meera.csv"
    path.write_text(sheet(client, done, "Meera"), encoding="utf-8", newline="")
    ratings = read_sheet(path, items)
    assert [rating.item for rating in ratings] == items
    first, rated, *others = ratings
    assert (rated.scores, rated.notes) == ({"clarity": 2, "legal_accuracy": 3}, "=HYPERLINK(1)")
    assert all(rating.scores == {} for rating in (first, *others))
