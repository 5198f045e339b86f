"""Likert sheets: out and back in, what is refused, and what the ratings show."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from typer.testing import CliRunner

from countercase.cli.annotate import app
from countercase.errors import InputError
from countercase.evaluation.faithfulness.own_explanations import OwnExplanation, OwnSentence
from countercase.evaluation.likert.files import (
    INTERFACE,
    items_jsonl,
    merged,
    rater_names,
    ratings_jsonl,
    read_items,
    read_label_studio,
    read_ratings,
    tasks,
)
from countercase.evaluation.likert.scores import (
    likert_section,
    mean_interval,
)
from countercase.evaluation.likert.sheets import (
    COLUMNS,
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
from countercase.evaluation.statistics import rank_correlation

RUN = CliRunner()

ITEMS = [
    Item("c1", "v#00001", "It answers to rent: “The rent was due.”", "The rent was due. He left."),
    Item("c1", "v#00002", "=HYPERLINK(A1)", "The decree was confirmed.\r\nSo ordered."),
    Item("c2", "w#00001", "-5 marks, 'quoted', \"twice\"; and more", "Fünf, पाँच, 五"),
]


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("utf-8"))
    return path


def filled(rater: str, scores: list[tuple[Any, Any, Any]], seed: int = 0) -> list[list[str]]:
    """The rows of an exported sheet with the scores written in, in the order of ITEMS."""
    rows = list(csv.reader(io.StringIO(sheet_csv(ITEMS, rater, seed), newline="")))
    by_text = {
        harmless(item.explanation_text): score for item, score in zip(ITEMS, scores, strict=True)
    }
    for row in rows[1:]:
        row[4:7] = [str(cell) for cell in by_text[row[2]]]
    return rows


def sheet_of(rows: list[list[str]], delimiter: str = ",") -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue()


# Cells and formulas


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        " =1",
        "＝1",
        "\ufeff=1",
        "'=1",
        "''-1",
    ],
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(cell: str) -> None:
    assert harmless(cell) == "'" + cell
    assert restored(harmless(cell)) == cell


@pytest.mark.parametrize("cell", ["", "1", "'tis", "a=b", "section 5-A", "'", "''"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert harmless(cell) == restored(cell) == cell


tricky = st.text(st.sampled_from(list("'=+-@\t\r\n \ufeffa1\",;＝")), max_size=8)


@given(st.one_of(st.text(max_size=30), tricky))
def test_a_cell_comes_back_exactly(cell: str) -> None:
    assert restored(harmless(cell)) == cell


@given(st.one_of(st.text(max_size=30), tricky))
def test_no_harmless_cell_begins_like_a_formula(cell: str) -> None:
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
    listed = [one.item for one in given_ratings]
    assert read_items(write(folder / "i.jsonl", items_jsonl(listed))) == listed


# Sheets


def test_the_columns() -> None:
    header = sheet_csv(ITEMS, "A").splitlines()[0]
    assert header.replace('"', "") == (
        "case_id,chunk_id,explanation_text,source_chunk_text,clarity_1_to_5,"
        "legal_accuracy_1_to_5,usefulness_1_to_5,annotator_id,notes"
    )


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
def test_a_filled_sheet(tmp_path: Path, delimiter: str) -> None:
    rows = filled("A", [(5, 4, 3), (1, 2, 3), ("", "", 5)])
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


def test_rows_are_counted_as_a_spreadsheet_counts_them(tmp_path: Path) -> None:
    # The line break inside a cell of an earlier row makes no row.
    rows = filled("A", [(5, 4, 3)] * 3)
    rows[1:] = sorted(rows[1:], key=lambda row: row[1] != "v#00002")
    rows[3][4] = "9"
    with pytest.raises(InputError, match=r"row 4, column clarity_1_to_5 \(E4\)"):
        read_sheet(write(tmp_path / "A.csv", sheet_of(rows)))


def test_many_wrong_cells_are_told_at_once_and_the_rest_counted(tmp_path: Path) -> None:
    rows = filled("A", [(9, 9, 9)] * 3)
    with pytest.raises(InputError) as caught:
        read_sheet(write(tmp_path / "A.csv", sheet_of(rows)))
    assert str(caught.value).count("row ") == 5
    assert str(caught.value).endswith("; and 4 more")


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (0, " ", "column case_id (A2): empty"),
        (2, "Another text.", "column explanation_text (C2): not as exported"),
        (1, "x#9", "column chunk_id (B2): 'x#9' of case"),
        (7, "", "column annotator_id (H2): empty"),
    ],
)
def test_a_changed_text_is_named(tmp_path: Path, place: int, value: str, told: str) -> None:
    rows = filled("A", [(5, 4, 3)] * 3)
    rows[1][place] = value
    with pytest.raises(InputError) as caught:
        read_sheet(write(tmp_path / "A.csv", sheet_of(rows)), ITEMS)
    assert f"row 2, {told}" in str(caught.value)


def test_other_broken_sheets(tmp_path: Path) -> None:
    rows = filled("A", [(5, 4, 3)] * 3)
    cases = (
        (sheet_of([rows[0][:-1], *rows[1:]]), "row 1: column 'notes' is missing"),
        (sheet_of([[*rows[0], "more"]]), "row 1, cell J1: unknown column 'more'"),
        (sheet_of([[*rows[0], "notes"]]), "column 'notes' stands twice"),
        (sheet_of([rows[0], rows[1][:5]]), "row 2: 5 cells under 9 columns"),
        (sheet_of([rows[0], rows[1], rows[1]]), "row 3, column explanation_text (C3): stands"),
        (sheet_of([rows[0], rows[1], [*rows[2][:7], "B", ""]]), "'B' in a sheet of 'A'"),
        (sheet_of([rows[0]]), "no row under the header"),
        ("", "column 'case_id' is missing"),
        (sheet_of(rows) + '"open', "not CSV"),
    )
    for text, told in cases:
        with pytest.raises(InputError) as caught:
            read_sheet(write(tmp_path / "A.csv", text))
        assert told in str(caught.value)
    (tmp_path / "A.csv").write_bytes(sheet_of(rows).encode("utf-16"))
    with pytest.raises(InputError, match="not UTF-8"):
        read_sheet(tmp_path / "A.csv")
    with pytest.raises(InputError, match="cannot be read"):
        read_sheet(tmp_path / "none.csv")


def test_columns_may_stand_in_another_order(tmp_path: Path) -> None:
    rows = [list(reversed(row)) for row in filled("A", [(5, 4, 3), (1, 2, 3), (2, 2, 2)])]
    found = {one.item: one.scores for one in read_sheet(write(tmp_path / "A.csv", sheet_of(rows)))}
    assert found[ITEMS[0]] == {"clarity": 5, "legal_accuracy": 4, "usefulness": 3}


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
    return [tasks(ITEMS)[0] | {"id": 1, "annotations": list(annotations)}]


def test_a_label_studio_export(tmp_path: Path) -> None:
    document = export(
        annotation({"id": 7, "email": "a@b.in"}, 5, 4, 3, notes="=good"),
        annotation(3, 1, 2),
        annotation(4, 1, 1, 1) | {"was_cancelled": True},
    )
    found = read_label_studio(write(tmp_path / "e.json", json.dumps(document)))
    assert found == [
        Rating(ITEMS[0], "a@b.in", {"clarity": 5, "legal_accuracy": 4, "usefulness": 3}, "=good"),
        Rating(ITEMS[0], "label-studio-3", {"clarity": 1, "legal_accuracy": 2}, ""),
    ]


def test_the_interface_has_five_stars_for_each_dimension() -> None:
    for name in DIMENSIONS:
        assert f'<Rating name="{name}" toName="explanation" maxRating="5"/>' in INTERFACE


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({}, "not a list of tasks"),
        ([{"explanation_text": "x", "clarity": 4}], "task 1: no data"),
        ([{"data": {"case_id": "c"}, "annotations": []}], "task 1: data.chunk_id is missing"),
        ([tasks(ITEMS)[0]], "task 1: no annotations"),
        (export(), "holds no annotation"),
        (export(annotation(1, 5), annotation(1, 6)), "task 1, annotation 2, clarity: 6 is no"),
        (export(annotation(1, 5, 0)), "annotation 1, legal_accuracy: 0 is not a whole number"),
        (export(annotation(1, True)), "clarity: True is not a whole number"),
        (export(annotation(1, 4.5)), "clarity: 4.5 is not a whole number"),
        (export(annotation(None, 5)), "completed_by is missing"),
        (export(annotation(1, 5), annotation(1, 4)), "label-studio-1 rated this explanation"),
        (
            export({"completed_by": 1, "result": [{"from_name": "style", "value": {"rating": 1}}]}),
            "unknown field 'style'",
        ),
    ],
)
def test_a_broken_export(tmp_path: Path, document: Any, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read_label_studio(write(tmp_path / "e.json", json.dumps(document)))
    assert told in str(caught.value)


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
    assert mean_interval([4.0]) == mean_interval([4]) and mean_interval([4]).low is None
    assert (mean_interval([4, 4]).low, mean_interval([4, 4]).high) == (4.0, 4.0)
    assert mean_interval([]).value is None


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 4)), min_size=3, max_size=9))
@settings(max_examples=10, deadline=None)
def test_rank_correlation_against_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = [float(a) for a, _ in pairs], [float(b) for _, b in pairs]
    found = rank_correlation(first, second)
    if len(set(first)) < 2 or len(set(second)) < 2:
        assert found.rho is None and found.p is None
    else:
        assert found.rho == pytest.approx(stats.spearmanr(first, second).statistic)
        assert found.p is not None and 0 < found.p <= 1


def test_the_p_of_a_rank_correlation_by_hand() -> None:
    # Of the six orders of three, the one observed and its reverse agree or disagree as much.
    found = rank_correlation([1, 2, 3], [1, 2, 3])
    assert (found.rho, found.p) == (pytest.approx(1.0), pytest.approx(2 / 6))


def rated(scores: dict[str, list[int]]) -> list[Rating]:
    return [
        Rating(item, rater, dict.fromkeys(DIMENSIONS, score))
        for rater, listed in scores.items()
        for item, score in zip(ITEMS, listed, strict=True)
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
    ratings = [
        Rating(item, "A", dict.fromkeys(DIMENSIONS, score))
        for item, score in zip(items, (5, 3, 1), strict=True)
    ]
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
    write(folder / "items.jsonl", items_jsonl(ITEMS))
    sheets = []
    for rater, scores in (("A", [(5, 5, 5), (3, 3, 3), (1, 1, 1)]), ("B", [(4, 4, 4)] * 3)):
        sheets.append(str(write(folder / f"{rater}.csv", sheet_of(filled(rater, scores)))))
    result = RUN.invoke(app, ["import", *sheets, "--folder", str(folder)])
    assert result.exit_code == 0, result.output
    assert f"{sheets[0]}: 3 explanations, 9 ratings, 0 left blank" in result.stdout
    kept = (folder / "ratings.jsonl").read_bytes()
    assert RUN.invoke(app, ["import", sheets[0], "--folder", str(folder)]).exit_code == 0
    assert (folder / "ratings.jsonl").read_bytes() == kept
    out = tmp_path / "out"
    result = RUN.invoke(app, ["score", "--folder", str(folder), "--json", "--output", str(out)])
    assert result.exit_code == 0, result.output
    printed = json.loads(result.stdout)
    assert printed["name"] == "likert"
    assert json.loads((out / "likert.json").read_text("utf-8")) == printed
    table = RUN.invoke(app, ["score", "--folder", str(folder)])
    assert table.exit_code == 0 and "Krippendorff" in table.stdout


def test_one_wrong_cell_and_nothing_is_kept(tmp_path: Path) -> None:
    good = write(tmp_path / "A.csv", sheet_of(filled("A", [(5, 4, 3)] * 3)))
    bad = write(tmp_path / "B.csv", sheet_of(filled("B", [(5, 4, 7)] * 3)))
    result = RUN.invoke(app, ["import", str(good), str(bad), "--folder", str(tmp_path)])
    assert isinstance(result.exception, InputError)
    assert not (tmp_path / "ratings.jsonl").exists()


def test_one_rater_in_two_files(tmp_path: Path) -> None:
    text = sheet_of(filled("A", [(5, 4, 3)] * 3))
    paths = [str(write(tmp_path / name, text)) for name in ("A.csv", "copy.csv")]
    result = RUN.invoke(app, ["import", *paths, "--folder", str(tmp_path)])
    assert isinstance(result.exception, InputError)
    assert "'A' stand in" in str(result.exception)


def test_nothing_to_score(tmp_path: Path) -> None:
    result = RUN.invoke(app, ["score", "--folder", str(tmp_path)])
    assert isinstance(result.exception, InputError)
    assert "countercase annotate import" in str(result.exception)


@pytest.mark.parametrize(
    ("listed", "told"),
    [
        (" , ", "no name"),
        ("A,../B", "cannot name a file"),
        ("A,a", "stands twice"),
        ("A B", "cannot name a file"),
    ],
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


def test_every_column_is_read_back() -> None:
    row = next(iter(csv.reader(io.StringIO(sheet_csv(ITEMS, "A"), newline=""))))
    assert tuple(row) == COLUMNS
