"""The Rate page has the items, the order and the sheet of `countercase annotate export`."""

from __future__ import annotations

import re

import pytest
from served_case import CASE
from starlette.testclient import TestClient

from countercase.evaluation.faithfulness.sentences import explain_cases
from countercase.evaluation.likert.ratings import exported_files
from countercase.evaluation.likert.sheets import items_of
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


def test_ratings_are_kept_per_rater(client: TestClient, done: str) -> None:
    before = {rater: sheet(client, done, rater) for rater in RATERS}
    page = client.get(f"/results/{done}/rate?rater=Meera&at=2").text
    key = re.findall(rf"/results/{done}/rate/([0-9a-f]{{16}})", page)[0]
    form = {"rater": "Meera", "clarity": "5", "legal_accuracy": "3", "usefulness": "1"}
    assert client.post(f"/results/{done}/rate/{key}", data=form).status_code == 303
    assert sheet(client, done, "Thomas") == before["Thomas"]
    after = sheet(client, done, "Meera")
    assert after != before["Meera"] and '"5","3","1","Meera"' in after
    again = {**form, "clarity": "2"}
    client.post(f"/results/{done}/rate/{key}", data=again)
    assert '"2","3","1","Meera"' in sheet(client, done, "Meera")
    assert '"5","3","1"' not in sheet(client, done, "Meera")


def test_a_quotation_ends_in_one_stop(exported: dict[str, str]) -> None:
    assert "“" in exported["Meera.csv"]
    assert not re.search(r"[.?!]”\.", exported["Meera.csv"])
