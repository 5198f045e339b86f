"""Ratings of explanations: scores, agreement of raters, and the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rating_sheets import ITEMS, filled, sheet_of, write
from typed_commands import typed
from typer.testing import CliRunner

from countercase.cli.annotate import app
from countercase.errors import InputError
from countercase.evaluation.likert.ratings import (
    exported_files,
    likert_section,
    mean_interval,
    merged,
    rater_names,
)
from countercase.evaluation.likert.sheets import DIMENSIONS, Item, Rating

RUN = CliRunner()


# Scores


def test_mean_and_interval_by_hand() -> None:
    # Mean 3, s = 1, n = 3: 3 ± 4.302653 / sqrt(3), cut to the scale.
    found = mean_interval([2, 3, 4])
    assert (found.value, found.n) == (3.0, 3)
    assert found.low == 1.0 and found.high == 5.0
    # Mean 3, s = sqrt(8 / 7), n = 8: t(.975, 7) = 2.364624.
    found = mean_interval([2, 4] * 4)
    half = 2.364624 * (8 / 7) ** 0.5 / 8**0.5
    assert found.low == pytest.approx(3 - half, abs=1e-6)
    assert found.high == pytest.approx(3 + half, abs=1e-6)
    assert mean_interval([4]).low is None
    assert (mean_interval([4, 4]).low, mean_interval([4, 4]).high) == (4.0, 4.0)
    assert mean_interval([]).value is None


def rated(scores: dict[str, list[int]], items: list[Item] = ITEMS) -> list[Rating]:
    return [
        Rating(item, rater, dict.fromkeys(DIMENSIONS, score))
        for rater, listed in scores.items()
        for item, score in zip(items, listed, strict=True)
    ]


def test_a_second_rater_adds_no_items() -> None:
    section = likert_section(rated({"A": [5, 3, 1], "B": [3, 3, 3]}))
    values = {one.key: one for one in section.measures}
    # Means of the items: 4, 3, 2.
    assert (values["likert.clarity"].value, values["likert.clarity"].n) == (3.0, 3)
    assert values["likert.clarity.alpha"].n == 3
    # Ordinal distances with margins 1, 4, 1: 6.25 from 3 to its neighbours, 25 from 1 to 5;
    # observed 4 * 6.25 = 25, expected 2 * (25 + 25 + 25) / 5 = 30.
    assert values["likert.clarity.alpha"].value == pytest.approx(1 - 25 / 30)
    alike = likert_section(rated({"A": [5, 3, 1], "B": [5, 3, 1]}))
    assert {one.key: one.value for one in alike.measures}["likert.clarity.alpha"] == 1.0


def test_raters_and_faithfulness() -> None:
    passage = "The tenant had not paid rent for eight months."
    items = [
        Item("c", "v#1", "The tenant had not paid rent for eight months.", passage),
        Item("c", "v#2", "The tenant had not paid rent for nine months.", passage),
        Item("c", "v#3", "Ships carry grain.", passage),
    ]
    ratings = rated({"A": [5, 3, 1]}, items)
    section = likert_section(ratings)
    rows = {(row[0], row[1]): row[2] for row in section.tables[1].rows}
    assert rows["clarity", "content words"] == pytest.approx(1.0)
    # Ranks 3, 2, 1 against 3, 1.5, 1.5.
    assert rows["clarity", "strict"] == pytest.approx(0.75**0.5)
    assert section.to_dict() == likert_section(ratings).to_dict()


def test_a_rater_may_rate_again() -> None:
    old, new = rated({"A": [1, 1, 1]}), rated({"A": [5, 5, 5]})[:1]
    found = merged(old, new)
    assert len(found) == 3
    assert [one.scores["clarity"] for one in found if one.item == ITEMS[0]] == [5]
    assert merged(found, new) == found


# Commands


def test_import_and_score(tmp_path: Path) -> None:
    folder = tmp_path / "annotations"
    folder.mkdir()
    write(folder / "items.jsonl", exported_files(ITEMS, [])["items.jsonl"])
    sheets = []
    for rater, scores in (("A", [(5, 5, 5), (3, 3, 3), (1, 1, 1)]), ("B", [(4, 4, 4)] * 3)):
        sheets.append(str(write(folder / f"{rater}.csv", sheet_of(filled(rater, scores)))))
    result = typed("import", *sheets, "--folder", folder, of=app)
    assert f"{sheets[0]}: 3 explanations, 9 ratings, 0 left blank" in result.stdout
    kept = (folder / "ratings.jsonl").read_bytes()
    typed("import", sheets[0], "--folder", folder, of=app)
    assert (folder / "ratings.jsonl").read_bytes() == kept
    out = tmp_path / "out"
    result = typed("score", "--folder", folder, "--json", "--output", out, of=app)
    printed = json.loads(result.stdout)
    assert printed["name"] == "likert"
    assert json.loads((out / "likert.json").read_text("utf-8")) == printed
    assert "Krippendorff" in typed("score", "--folder", folder, of=app).stdout


def test_a_wrong_cell_or_one_rater_in_two_files_and_nothing_is_kept(tmp_path: Path) -> None:
    good = sheet_of(filled("A", [(5, 4, 3)] * 3))
    first = write(tmp_path / "A.csv", good)
    for text, told in (
        (sheet_of(filled("B", [(5, 4, 7)] * 3)), "'7' is not a whole number"),
        (good, "'A' stand in"),
    ):
        second = write(tmp_path / "other.csv", text)
        result = RUN.invoke(app, ["import", str(first), str(second), "--folder", str(tmp_path)])
        assert isinstance(result.exception, InputError)
        assert told in str(result.exception)
    result = RUN.invoke(app, ["score", "--folder", str(tmp_path)])
    assert isinstance(result.exception, InputError)
    assert "countercase annotate import" in str(result.exception)


NO_FILE = "cannot name a file"


@pytest.mark.parametrize(
    ("listed", "told"),
    [(" , ", "no name"), ("A,../B", NO_FILE), ("A,a", "stands twice"), ("A B", NO_FILE)],
)
def test_names_of_raters(listed: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        rater_names(listed)
    assert rater_names(" A, meera.k ") == ["A", "meera.k"]


def test_a_sheet_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    write(tmp_path / "A.csv", "filled in")
    result = RUN.invoke(app, ["export", "--raters", "A", "--folder", str(tmp_path)])
    assert isinstance(result.exception, InputError)
    assert "--force" in str(result.exception)
    assert (tmp_path / "A.csv").read_text() == "filled in"
