"""Records of one's own: checked, kept beside those that ship, listed, shown and searched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.config import Settings
from countercase.corpus.casebook.form import check_form
from countercase.corpus.casebook.records import (
    PRIVATE,
    PRIVATE_FILE,
    add_records,
    casebook_digest,
    casebook_records,
    load_casebook,
    private_records,
    read_records,
    record_of,
)
from countercase.corpus.index.build import index_corpus, index_in_memory, open_corpus
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import CorpusIndexError, InputError
from countercase.session import Session, open_session
from countercase.web.corpora import Corpora

OWN = "own-decision-of-the-firm-2001"


def record(**changed: Any) -> dict[str, Any]:
    """A shipped record under another id, with an overruling."""
    overruled = {
        "kind": "overruled", "by": "A v B", "date": "2010-01-01", "on": "the point",
        "known_from": {"provision": "IPC-302"},
    }  # fmt: skip
    shipped = next(r for r in casebook_records() if r["area"] == "homicide")
    return {**shipped, "case_id": OWN, "title": "Own v Own", "treatment": [overruled], **changed}


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COUNTERCASE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def put(folder: Path, *records: Any) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def problems(**changed: Any) -> list[str]:
    return [f"{finding.field}: {finding.message}" for finding in check_form(record(**changed))]


def test_each_problem_is_a_line_that_names_the_field() -> None:
    assert problems() == []
    assert problems(bench="A Judge") == ["bench: Input should be a valid list"]
    assert problems(note="x") == ["note: is no field of a record"]
    alone = {"petitioner": {"name": "A", "type": "Tenant"}}
    assert problems(parties=alone) == ["parties: respondent: is missing"]
    [area] = problems(area="sea")
    assert area.startswith("area: 'sea' is not one of homicide, ")
    assert problems(date="May 1990")[0] == "date: 'May 1990' is no date; write 2020-03-06"
    assert problems(turned_on=["section:IPC-1"], not_turned_on=[], dispositive=[])[0] == (
        "turned_on: section:IPC-1: the record states no such fact"
    )
    assert problems(treatment=[{"kind": "liked"}])[0].startswith(
        "treatment: 0.kind: 'liked' is not one of followed, "
    )
    late = {**record()["treatment"][0], "kind": "superseded", "date": "2010"}
    assert problems(treatment=[late]) == [
        "treatment: '2010': give the day from which the provision stood"
    ]
    early = {**late, "date": "1800-01-01"}
    assert problems(treatment=[early]) == ["treatment: '1800-01-01' is no date after the decision"]
    twice = {**record()["treatment"][0], "by": "A v B (2020)", "date": "2020-03-06"}
    assert problems(treatment=[twice]) == ["treatment: 'A v B (2020)': the year stands in the date"]
    assert [finding.message for finding in check_form({})][:2] == ["is missing", "is missing"]


def test_all_are_added_or_none_and_a_known_one_is_replaced(own_home: Path, tmp_path: Path) -> None:
    taken = casebook_records()[0]["case_id"]
    file = put(tmp_path, record(), record(case_id=taken), record(case_id="b-2", facts="few words"))
    found = add_records(file).findings
    assert [finding.case_id for finding in found] == ["b-2", taken]
    assert "ships" in found[1].message and private_records() == ()
    assert add_records(put(tmp_path, record(), record())).findings[0].message == "is used twice"
    done = add_records(put(tmp_path, record(), record(case_id="b-2")))
    assert (done.added, done.changed) == ((OWN, "b-2"), ())
    again = add_records(put(tmp_path, record(title="Mine v Own")))
    assert (again.added, again.changed) == ((), (OWN,))
    assert [(r["case_id"], r["title"]) for r in private_records()] == [
        ("b-2", "Own v Own"), (OWN, "Mine v Own"),
    ]  # fmt: skip
    assert read_records(own_home / PRIVATE_FILE) == private_records()
    pretty = tmp_path / "one.json"
    for ends in ("\n", "\r\n"):
        text = json.dumps(record(), indent=1).replace("\n", ends)
        pretty.write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert read_records(pretty) == (record(),)


@pytest.mark.parametrize(
    ("text", "words"), [("", "holds no record"), ("[1]\n", "must be an object"), ("{", "line 1")]
)
def test_a_file_that_holds_no_records_says_so(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_records(file)
    with pytest.raises(InputError, match=r"none\.jsonl: there is no such file; check the path"):
        read_records(tmp_path / "none.jsonl")
    file.write_bytes('{"title": "Café"}\n'.encode("latin-1"))
    with pytest.raises(InputError, match=r"is not in UTF-8 \(byte 14, line 1\); save it as UTF-8"):
        read_records(file)


def test_the_command_tells_every_problem_and_what_it_added(own_home: Path, tmp_path: Path) -> None:
    runner = CliRunner()
    bad = runner.invoke(app, ["casebook", "add", str(put(tmp_path, record(area="sea", court="")))])
    assert bad.exit_code == 2 and private_records() == ()
    assert "2 problems, so nothing was added" in bad.stderr
    assert f"{OWN}: area: 'sea' is not one of" in bad.stderr and f"{OWN}: court: " in bad.stderr
    done = runner.invoke(app, ["casebook", "add", str(put(tmp_path, record()))])
    assert done.stdout == "1 added, 0 replaced; search them with --corpus private\n"
    listed = json.loads(runner.invoke(app, ["casebook", "list", "--json"]).stdout)
    assert [r["case_id"] for r in listed][-1] == OWN
    assert len(listed) == len(casebook_records()) + 1
    shown = runner.invoke(app, ["casebook", "show", OWN]).stdout
    assert "Own v Own [overruled]" in shown and "Overruled by A v B (2010): the point" in shown
    assert record_of(OWN)["title"] == "Own v Own"


def test_it_is_a_corpus_of_its_own_that_follows_its_records(
    home: Path, encoders: EmbeddedEncoders, tmp_path: Path
) -> None:
    settings, shipped = Settings(USE_RERANKER=False, TOP_K=5), casebook_digest()
    try:
        with pytest.raises(CorpusIndexError, match="countercase casebook add FILE"):
            open_session(settings, PRIVATE)
        add_records(put(tmp_path, record()))
        session = open_session(settings, PRIVATE)
        [found] = session.search("One blow in a sudden quarrel.").results
        assert found.case_id == OWN
        assert session.snapshot.metadata[0].treatment[0].kind == "overruled"
        add_records(put(tmp_path, record(case_id="b-2", title="B v C", treatment=[])))
        session = open_session(settings, PRIVATE)
        assert session.snapshot.case_ids == ("b-2", OWN)
        assert casebook_digest() == shipped
        served = index_in_memory(load_casebook()[:2], encoders, 200)
        others = Corpora(Session(settings, encoders, served), lambda corpus: None)
        assert [c.cases for c in others.choices() if c.name == PRIVATE] == [2]
        assert set(others.get(PRIVATE).positions) == {"b-2", OWN}
        with pytest.raises(InputError, match="made of the records"):
            index_corpus(tmp_path, PRIVATE, encoders)
    finally:
        (home / PRIVATE_FILE).unlink(missing_ok=True)


def test_an_index_of_other_models_or_chunks_is_made_anew_and_says_so(
    home: Path, encoders: EmbeddedEncoders, tmp_path: Path
) -> None:
    try:
        add_records(put(tmp_path, record()))
        open_corpus(PRIVATE, encoders, 200)
        for pieces in (100, 200):
            with pytest.warns(UserWarning, match="has an index of other models or chunks"):
                open_corpus(PRIVATE, encoders, pieces)
        open_corpus(PRIVATE, encoders, 200)
    finally:
        (home / PRIVATE_FILE).unlink(missing_ok=True)
