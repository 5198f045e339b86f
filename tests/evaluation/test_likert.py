"""Likert sheets: out and back in, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rating_sheets import ITEMS, filled, sheet_of, write

from countercase.errors import InputError
from countercase.evaluation.faithfulness.sentences import OwnExplanation, OwnSentence
from countercase.evaluation.likert.ratings import (
    exported_files,
    import_ratings,
    merged,
    read_label_studio,
    read_ratings,
)
from countercase.evaluation.likert.sheets import (
    DIMENSIONS,
    RATED,
    Item,
    Rating,
    harmless,
    items_of,
    ratings_csv,
    read_sheet,
    restored,
)
from countercase.evaluation.sets import json_lines

# Cells and formulas


FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "\ufeff=1", "'=1", "''-1")
PLAIN = ("", "1", "'tis", "a=b", "section 5-A", "'", "''")


@pytest.mark.parametrize("cell", [*FORMULAS, *PLAIN])
def test_what_a_spreadsheet_would_run_gets_an_apostrophe_and_nothing_else(cell: str) -> None:
    assert harmless(cell) == ("'" + cell if cell in FORMULAS else cell)
    assert restored(harmless(cell)) == cell


tricky = st.text(st.sampled_from(list("'=+-@\t\r\n \ufeffa1\",;＝")), max_size=8)


@given(st.one_of(st.text(max_size=30), tricky))
def test_a_cell_comes_back_exactly_and_is_no_formula_before(cell: str) -> None:
    assert restored(harmless(cell)) == cell
    assert harmless(cell)[:1] not in set("=+-@\t\r\n＝＋－＠")


texts = st.one_of(st.text(min_size=1, max_size=30), tricky).filter(lambda text: text.strip())
items = st.builds(Item, texts, texts, texts, st.one_of(st.text(max_size=30), tricky))
given_scores = st.dictionaries(st.sampled_from(DIMENSIONS), st.integers(1, 5))
notes = st.one_of(st.text(max_size=20), tricky)
rating = st.builds(Rating, items, st.just("A"), given_scores, notes)
ratings = st.lists(rating, min_size=1, max_size=4, unique_by=lambda one: one.item.key)


@given(ratings)
@settings(max_examples=50, deadline=None)
def test_a_sheet_and_what_is_kept_come_back_exactly(
    tmp_path_factory: Any, given_ratings: list[Rating]
) -> None:
    folder = tmp_path_factory.mktemp("k")
    sheet = write(folder / "A.csv", ratings_csv(given_ratings))
    assert read_sheet(sheet) == given_ratings
    kept = write(folder / "r.jsonl", json_lines(it.row for it in given_ratings))
    assert read_ratings(kept) == given_ratings
    items = exported_files([it.item for it in given_ratings], [])["items.jsonl"]
    write(folder / "items.jsonl", items)
    assert import_ratings([sheet], folder)[0] == merged([], given_ratings)


# Sheets


def test_each_rater_has_an_order_of_their_own_and_the_same_each_time() -> None:
    many = [Item("c", f"v#{at:05d}", f"Explanation {at}.", "Text.") for at in range(30)]

    def order(rater: str, seed: int) -> list[str]:
        text = exported_files(many, [rater], seed)[f"{rater}.csv"].removeprefix("\ufeff")
        rows = list(csv.reader(io.StringIO(text, newline="")))
        assert {row[7] for row in rows[1:]} == {rater}
        return [row[1] for row in rows[1:]]

    assert order("A", 0) == order("A", 0)
    assert len({tuple(order(rater, seed)) for rater in "AB" for seed in (0, 1)}) == 4
    assert sorted(order("A", 0)) == sorted(order("B", 0)) == [one.chunk_id for one in many]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("step", [1, -1], ids=["as exported", "columns in another order"])
def test_a_filled_sheet(tmp_path: Path, delimiter: str, step: int) -> None:
    rows = [row[::step] for row in filled("A", [(5, 4, 3), (1, 2, 3), ("", "", 5)])]
    path = write(tmp_path / "A.csv", "\ufeff" + sheet_of(rows, delimiter))
    found = {one.item: one.scores for one in read_sheet(path, ITEMS)}
    assert found == {
        ITEMS[0]: {"clarity": 5, "legal_accuracy": 4, "usefulness": 3},
        ITEMS[1]: {"clarity": 1, "legal_accuracy": 2, "usefulness": 3},
        ITEMS[2]: {"usefulness": 5},
    }
    # A spreadsheet may change line ends inside a cell.
    text = path.read_bytes().decode().replace("confirmed.\r\nSo", "confirmed.\nSo")
    assert {one.item for one in read_sheet(write(path, text), ITEMS)} == set(ITEMS)


@pytest.mark.parametrize("wrong", ["0", "6", "-1", "3.5", "five", "1e0", "٣", "²", "11", "=3"])
@pytest.mark.parametrize("place", [4, 5, 6])
def test_a_wrong_rating_is_named_by_row_and_column(tmp_path: Path, wrong: str, place: int) -> None:
    rows = filled("A", [(5, 4, 3)] * 3)
    rows[2][place] = wrong
    path = write(tmp_path / "A.csv", sheet_of(rows))
    cell = f"row 3, column {RATED[place - 4]} ({'EFG'[place - 4]}3): {wrong!r}"
    with pytest.raises(InputError) as caught:
        read_sheet(path, ITEMS)
    assert cell in str(caught.value)
    assert str(path) in str(caught.value)


def test_many_wrong_cells_are_told_at_once_and_the_rest_counted(tmp_path: Path) -> None:
    rows = filled("A", [(9, 9, 9)] * 3)
    with pytest.raises(InputError) as caught:
        read_sheet(write(tmp_path / "A.csv", sheet_of(rows)))
    assert str(caught.value).count("row ") == 5
    assert str(caught.value).endswith("; and 4 more")


def _own(case: str, precedent: str, *chunks: str) -> OwnExplanation:
    said = tuple(
        OwnSentence(text=f"Said of {chunk} ({at}).", chunk_id=chunk, passage=f"Text of {chunk}.")
        for at, chunk in enumerate(chunks)
    )
    name = f"{case}/{precedent}"
    return OwnExplanation(explanation_id=name, kind="precedent", sentences=said)


def test_items_are_what_is_said_on_the_strength_of_one_chunk() -> None:
    own = [_own("c1", "v", "v#1", "v#2", "v#1"), _own("c1", "w", "w#1"), _own("c2", "v", "v#1")]
    every = items_of(own, per_case=9)
    assert [(one.case_id, one.chunk_id) for one in every] == [
        ("c1", "v#1"), ("c1", "v#2"), ("c1", "w#1"), ("c2", "v#1"),
    ]  # fmt: skip
    assert every[0].explanation_text == "Said of v#1 (0). Said of v#1 (2)."
    drawn = items_of(own, per_case=2, seed=3)
    assert drawn == items_of(own, per_case=2, seed=3)
    assert [one.case_id for one in drawn] == ["c1", "c1", "c2"]
    assert set(drawn) <= set(every)


# Label Studio


def annotation(by: Any, *stars: Any, notes: str = "") -> dict[str, Any]:
    result = [
        {"from_name": name, "to_name": "explanation", "type": "rating", "value": {"rating": star}}
        for name, star in zip(DIMENSIONS, stars, strict=False)
    ]
    if notes:
        value = {"text": [notes]}
        result.append({"from_name": "notes", "type": "textarea", "value": value})
    return {"completed_by": by, "was_cancelled": False, "result": result}


def export(*annotations: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"data": vars(ITEMS[0]), "id": 1, "annotations": list(annotations)}]


def test_a_label_studio_export(tmp_path: Path) -> None:
    document = export(
        annotation({"id": 7, "email": "a@b.in"}, 5, 4, 3, notes="=good"),
        annotation(3, 1, 2),
        annotation(4, 1, 1, 1) | {"was_cancelled": True},
    )
    interface = exported_files(ITEMS, ["A"], label_studio=True)["label-studio.xml"]
    assert all(f'<Rating name="{name}"' in interface for name in DIMENSIONS)
    found = read_label_studio(write(tmp_path / "e.json", json.dumps(document)))
    assert found == [
        Rating(ITEMS[0], "a@b.in", {"clarity": 5, "legal_accuracy": 4, "usefulness": 3}, "=good"),
        Rating(ITEMS[0], "label-studio-3", {"clarity": 1, "legal_accuracy": 2}, ""),
    ]
