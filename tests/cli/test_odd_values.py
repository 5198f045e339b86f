"""Values that no file or flag should hold: one clear line that names the place, status 2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.config import RetrievalSettings, load_settings
from countercase.corpus.readers.beir import read_beir_corpus, read_qrels
from countercase.corpus.readers.formats import read_parquet
from countercase.errors import ConfigError, InputError
from countercase.evaluation.likert.ratings import read_label_studio
from countercase.evaluation.report import read_bounds
from countercase.evaluation.sets import RetrievalQuery, kind_of, read_set
from countercase.facts.case_file import read_case
from countercase.io import DEEPEST, parse_json

CASE = {"case_id": "a", "text": "He was charged under section 302 IPC."}


def nested(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def parquet(path: Path) -> object:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = {"_id": ["a"], "text": ["x"], "metadata": [path.read_text()]}
    pq.write_table(pa.table(rows), path)
    return list(read_parquet(path))


READERS: dict[str, Callable[[Path], object]] = {
    "case.json": read_case,
    "corpus.jsonl": lambda path: list(read_beir_corpus(path)),
    "bounds.json": read_bounds,
    "set.jsonl": lambda path: read_set(path, RetrievalQuery),
    "kind.jsonl": kind_of,
    "labels.json": read_label_studio,
    "corpus.parquet": parquet,
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("depth", [DEEPEST + 20, 100_000])
def test_deep_json_is_refused_in_every_file(name: str, depth: int, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(nested(depth))
    with pytest.raises(InputError, match=name):
        READERS[name](path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (nested(DEEPEST + 1), "nested too deeply; at most 100"),
        ("[" * 1_000_000, "nested too deeply"),
        ("9" * 5000, "not usable JSON"),
        ("NaN", "NaN is not a number"),
        ("-Infinity", "-Infinity is not a number"),
        ('{"title": "half \\ud800"}', "field title: holds half of a surrogate pair"),
        ('{"a": 1, "a": 2}', 'the key "a" is given twice'),
    ],
)
def test_json_that_is_not_read(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_json(text, "f.json, line 3")
    assert str(caught.value).startswith("f.json, line 3: ") and told in str(caught.value)
    assert len(str(caught.value)) < 250


def test_json_that_is_read() -> None:
    assert parse_json(nested(3), "f") == {"a": {"a": {"a": 1}}}
    assert parse_json('"\\ud83d\\ude00"', "f") == "😀"


HUGE = "9" * 5000


@pytest.mark.parametrize(
    "value", ["nan", "inf", "-inf", "1e999", HUGE, "9" * 400, "{[]: 1}", "\udcff"]
)
def test_environment_and_flags(value: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="COUNTERCASE_DPR_WEIGHT = ") as caught:
        load_settings(tmp_path, {"COUNTERCASE_DPR_WEIGHT": value})
    assert len(str(caught.value)) < 300
    result = CliRunner().invoke(app, ["analyze", "c.json", "--min-displacement", value])
    assert result.exit_code == 2
    assert "Traceback" not in result.output


@pytest.mark.parametrize("weight", [float("nan"), float("inf")])
def test_weights_are_finite(weight: float, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--dpr-weight "):
        load_settings(tmp_path, {}, DPR_WEIGHT=weight)
    with pytest.raises(ValueError, match="finite number"):
        RetrievalSettings(weights={"dpr": weight})


@pytest.mark.parametrize("grade", [HUGE, "9" * 400, "nan", "1e3", "1001"])
def test_grades_of_qrels(grade: str, tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(f"q 0 d {grade}\n")
    with pytest.raises(InputError, match=r"qrels\.txt, line 1: field score") as caught:
        read_qrels(path)
    assert len(str(caught.value)) < 200 + len(str(path))


@pytest.mark.parametrize("bound", ["1e999", HUGE, "9" * 400])
def test_bounds_are_finite(bound: str, tmp_path: Path) -> None:
    path = tmp_path / "bounds.json"
    path.write_text(f'{{"retrieval.final.mrr@10": {bound}}}')
    with pytest.raises(InputError, match=r"bounds\.json"):
        read_bounds(path)


def test_a_terminal_of_no_width_still_shows_the_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "0")
    shown = CliRunner().invoke(app, ["facts", "-"], input="Convicted under section 302 IPC.")
    assert "section 302 IPC" in shown.stdout
