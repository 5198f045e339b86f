"""The main job on the shipped casebook: a case in, which of its facts move the precedents out."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import countercase
from countercase.config import load_settings
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.facts.case_file import read_case
from countercase.reports.view import write_reports
from countercase.session import Result, Session, open_session

pytestmark = pytest.mark.slow  # it indexes the casebook, which other files then find

ROOT = Path(__file__).parents[1]
CASE = ROOT / "examples" / "sudden-fight.json"
SMALL = {"RERANK_POOL": 5, "MMR_HEAD": 12, "MAX_CHILDREN": 8, "MAX_STATES": 12, "NULL_EDITS": 3}


@pytest.fixture(scope="module")
def session(encoders: EmbeddedEncoders) -> Session:
    return open_session(load_settings(ROOT / "tests", {}, **SMALL, MIN_DISPLACEMENT=0.2))


@pytest.fixture(scope="module")
def result(session: Session) -> Result:
    return session.analyze(read_case(CASE))


def documents(result: Result, folder: Path) -> dict[str, bytes]:
    files = {path.name: path.read_bytes() for path in write_reports(result, folder)}
    analysis = json.loads(files["analysis.json"])
    del analysis["timings"]
    return files | {"analysis.json": json.dumps(analysis).encode()}


def test_a_murder_case_finds_murder_cases(result: Result, session: Session) -> None:
    areas = {
        session.snapshot.metadata[r.case].provisions for r in result.analysis.precedents.results[:3]
    }
    assert all({"IPC-302", "IPC-304", "IPC-304-II", "IPC-304-I"} & set(found) for found in areas)


def test_every_fact_of_the_case_is_measured(result: Result) -> None:
    measured = {fact.fact.fact_id for fact in result.facts if fact.sensitivity is not None}
    assert measured >= {fact.fact_id for fact in result.analysis.sheet.facts}
    assert None not in result.sensitivity.values()


def test_a_state_reads_as_the_case_but_for_the_statements_of_what_changed(result: Result) -> None:
    segments = result.analysis.segments
    for node in result.tree.nodes():
        if node.ranking is not None:
            changed = {fact_id for edit in node.state.edits for fact_id in edit.fact_ids}
            read = node.ranking.query.segments
            kept = [it.text for it in segments if it.fact_id not in changed]
            new = [text for text in read if text not in {it.text for it in segments}]
            assert set(kept) <= set(read)
            assert len(new) <= len(changed)


def test_quotes_stand_in_the_precedents(result: Result, session: Session) -> None:
    texts = {
        case_id: " ".join(session.snapshot.case_text(at).split())
        for at, case_id in enumerate(session.snapshot.case_ids)
    }
    assert len(result.precedents) == result.settings.TOP_K
    for found in result.precedents:
        assert found.reasons
        for reason in found.reasons:
            assert reason.quote.text in texts[found.case_id]
            assert 0 <= reason.share <= 1
    for change in result.changes:
        for moved in (*change.left, *change.came, *change.moved):
            assert moved.quote is None or moved.quote.text in texts[moved.case_id]


def test_the_same_bytes_again_and_nothing_computed_twice(
    result: Result, session: Session, tmp_path: Path
) -> None:
    first = documents(result, tmp_path / "one")
    again = open_session(session.settings)
    second = documents(again.analyze(read_case(CASE)), tmp_path / "two")
    assert second == first
    assert again.encoders.computed == 0  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["analysis", "tree"])
def test_the_files_fit_their_schemas(result: Result, tmp_path: Path, name: str) -> None:
    write_reports(result, tmp_path)
    schema = json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text())
    jsonschema.validate(json.loads((tmp_path / f"{name}.json").read_text()), schema)


def test_the_outcome_never_enters_the_query(session: Session) -> None:
    sheet = read_case(CASE)
    told = countercase.FactSheet(
        sheet.case_id, sheet.narrative, sheet.facts, sheet.title, "allowed"
    )
    one, other = (session.analyze(s).analysis.precedents for s in (sheet, told))
    assert one == other
