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
from countercase.evaluation.faithfulness.own_explanations import OwnExplanation, OwnSentence
from countercase.evaluation.likert.files import (
    exported_files,
    import_ratings,
    merged,
    ratings_jsonl,
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
    sheet_csv,
)

# Cells and formulas


@pytest.mark.parametrize(
    "cell",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "\ufeff=1", "'=1", "''-1"],
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(cell: str) -> None:
    assert harmless(cell) == "'" + cell
    assert restored(harmless(cell)) == cell


@pytest.mark.parametrize("cell", ["", "1", "'tis", "a=b", "section 5-A", "'", "''"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert harmless(cell) == restored(cell) == cell


tricky = st.text(st.sampled_from(list("'=+-@\t\r\n \ufeffa1\",;＝")), max_size=8)


@given(st.one_of(st.text(max_size=30), tricky))
def test_a_cell_comes_back_exactly_and_is_no_formula_before(cell: str) -> None:
    assert restored(harmless(cell)) == cell
    assert harmless(cell)[:1] not in set("=+-@\t\r\n＝＋－＠")


texts = st.one_of(st.text(min_size=1, max_size=30), tricky).filter(lambda text: text.strip())
items = st.builds(Item, texts, texts, texts, st.one_of(st.text(max_size=30), tricky))
ratings = st.lists(
    st.builds(
        Rating,
        items,
        st.just("A"),
        st.dictionaries(st.sampled_from(DIMENSIONS), st.integers(1, 5)),
        st.one_of(st.text(max_size=20), tricky),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda one: one.item.key,
)


@given(ratings)
@settings(max_examples=80, deadline=None)
def test_a_sheet_comes_back_exactly(tmp_path_factory: Any, given_ratings: list[Rating]) -> None:
    path = write(tmp_path_factory.mktemp("s") / "A.csv", ratings_csv(given_ratings))
    assert read_sheet(path) == given_ratings


@given(ratings)
@settings(max_examples=40, deadline=None)
def test_what_is_kept_comes_back_exactly(
    tmp_path_factory: Any, given_ratings: list[Rating]
) -> None:
    folder = tmp_path_factory.mktemp("k")
    assert read_ratings(write(folder / "r.jsonl", ratings_jsonl(given_ratings))) == given_ratings
    (folder / "items.jsonl").write_text(
        exported_files([it.item for it in given_ratings], [])["items.jsonl"]
    )
    sheet = write(folder / "A.csv", ratings_csv(given_ratings))
    assert import_ratings([sheet], folder)[0] == merged([], given_ratings)


# Sheets


def test_each_rater_has_an_order_of_their_own_and_the_same_each_time() -> None:
    many = [Item("c", f"v#{at:05d}", f"Explanation {at}.", "Text.") for at in range(30)]

    def order(rater: str, seed: int) -> list[str]:
        rows = list(csv.reader(io.StringIO(sheet_csv(many, rater, seed), newline="")))
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


def test_a_spreadsheet_may_change_line_ends_inside_a_cell(tmp_path: Path) -> None:
    text = sheet_of(filled("A", [(1, 1, 1)] * 3)).replace("confirmed.\r\nSo", "confirmed.\nSo")
    found = read_sheet(write(tmp_path / "A.csv", text), ITEMS)
    assert {one.item for one in found} == set(ITEMS)


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


ROWS = filled("A", [(5, 4, 3)] * 3)


def changed(row: int, place: int, value: str) -> str:
    """The filled sheet with another value in one cell."""
    rows = [list(cells) for cells in ROWS]
    rows[row][place] = value
    return sheet_of(rows)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (changed(1, 0, " "), "row 2, column case_id (A2): empty"),
        (changed(1, 2, "Another text."), "row 2, column explanation_text (C2): not as exported"),
        (changed(1, 1, "x#9"), "row 2, column chunk_id (B2): 'x#9' of case"),
        (changed(1, 7, ""), "row 2, column annotator_id (H2): empty"),
        (changed(3, 4, "9"), "row 4, column clarity_1_to_5 (E4)"),  # a line break makes no row
        (sheet_of([ROWS[0][:-1], *ROWS[1:]]), "row 1: column 'notes' is missing"),
        (sheet_of([[*ROWS[0], "more"]]), "row 1: column 'more' is unknown"),
        (sheet_of([[*ROWS[0], "notes"]]), "column 'notes' stands twice"),
        (sheet_of([ROWS[0], ROWS[1][:5]]), "row 2: 5 cells under 9 columns"),
        (sheet_of([ROWS[0], ROWS[1], ROWS[1]]), "row 3, column explanation_text (C3): stands"),
        (sheet_of([ROWS[0], ROWS[1], [*ROWS[2][:7], "B", ""]]), "'B' in a sheet of 'A'"),
        (sheet_of([ROWS[0]]), "no row under the header"),
        ("", "column 'case_id' is missing"),
        (sheet_of(ROWS) + '"open', "not CSV"),
        (sheet_of(ROWS).encode("utf-16"), "not UTF-8"),
        (None, "cannot be read"),
    ],
)
def test_a_broken_sheet_is_told_by_row_column_and_cell(
    tmp_path: Path, text: str | bytes | None, told: str
) -> None:
    path = tmp_path / "A.csv"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_sheet(path, ITEMS)
    assert told in str(caught.value)


def _own(case: str, precedent: str, *chunks: str) -> OwnExplanation:
    return OwnExplanation(
        explanation_id=f"{case}/{precedent}",
        kind="precedent",
        sentences=tuple(
            OwnSentence(
                text=f"Said of {chunk} ({at}).", chunk_id=chunk, passage=f"Text of {chunk}."
            )
            for at, chunk in enumerate(chunks)
        ),
    )


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


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({}, "valid array"),
        ([{"data": {"case_id": "c"}, "annotations": []}], "field 0.data.chunk_id: Field required"),
        (export(), "holds no annotation"),
        (
            export(annotation(1, 5), annotation(1, 6)),
            "field 0.annotations.1.result.0.clarity.value.rating: Input should be less than or equal",
        ),
        (export(annotation(1, 5, 0)), "result.1.legal_accuracy.value.rating: Input should be gre"),
        (export(annotation(1, 4.5)), "clarity.value.rating: Input should be a valid integer"),
        (export(annotation(None, 5)), "completed_by is missing"),
        (export(annotation(1, 5), annotation(1, 4)), "label-studio-1 rated this explanation"),
        (export({"completed_by": 1, "result": [*annotation(1, 5)["result"] * 2]}), "rated twice"),
        (
            export({"completed_by": 1, "result": [{"from_name": "style", "value": {"rating": 1}}]}),
            "'style' found using 'from_name' does not match any of the expected tags",
        ),
    ],
)
def test_a_broken_export(tmp_path: Path, document: Any, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read_label_studio(write(tmp_path / "e.json", json.dumps(document)))
    assert told in str(caught.value)
