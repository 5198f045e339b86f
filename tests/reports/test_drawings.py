"""What the drawings say and where they put it; what they look like is looked at."""

from __future__ import annotations

import re
import subprocess
import sys
from io import BytesIO
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, fromstring

import pytest
from handmade import EVIDENCE, SECTION, result, tree
from matplotlib.image import imread

from countercase.counterfactual.states import State
from countercase.reports.analysis_json import analysis_document
from countercase.reports.drawings.canvas import DARK, LIGHT, Drawing, cut, drawing_css, width_of
from countercase.reports.drawings.charts import (
    compare_drawing,
    facts_drawing,
    positions,
    tree_drawing,
)
from countercase.reports.tree_files import tree_document

ONE, TWO = State.of([SECTION]).state_id, State.of([EVIDENCE]).state_id
BOTH = State.of([SECTION, EVIDENCE]).state_id
TAGS = {"svg", "title", "desc", "defs", "pattern", "g", "rect", "path", "text", "circle"}
HOSTILE = '</text><script>alert(1)</script><a href="javascript:alert(2)" onclick="x">'


def analysis() -> dict[str, Any]:
    return analysis_document(result())


def grown() -> dict[str, Any]:
    return tree_document(result())


def parsed(drawing: Drawing) -> Element:
    return fromstring(drawing.svg.replace(' xmlns="http://www.w3.org/2000/svg"', ""))


def groups(drawing: Drawing) -> dict[str, Element]:
    """The groups of a drawing by the id of the fact, state or precedent that they show."""
    names = ("data-fact", "data-state", "data-case")
    found = ((it.get(name), it) for it in parsed(drawing).iter() for name in names)
    return {value: it for value, it in found if value}


def boxes(group: Element) -> list[tuple[str, float, float, float]]:
    """Class, left edge, width and height of each box."""
    return [
        (it.get("class", ""), *(float(it.get(name, "")) for name in ("x", "width", "height")))
        for it in group.iter("rect")
    ]


def texts(group: Element) -> list[str]:
    return [it.text or "" for it in group.iter("text")]


def title(group: Element) -> str:
    return group.findtext("title") or ""


def lines(drawing: Drawing) -> list[str]:
    """The classes of the curves that join boxes or precedents."""
    return [it.get("class", "") for it in parsed(drawing).iter("path") if "C" in it.get("d", "")]


def every_drawing(said: str = "") -> list[Drawing]:
    """Each kind of drawing; with `said` in place of every text of the case, the law and the lists."""
    data, states = analysis(), grown()
    if said:
        data["facts"][0]["label"] = said
        for link in states["links"]:
            link["edit"]["supposition"] = said
    return [
        facts_drawing(data),
        facts_drawing(data, width=360),
        tree_drawing(states),
        compare_drawing(states, data, {"a": said or "Case A", "d": said or "Case D"}),
    ]


# SVG


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("said", ["", HOSTILE], ids=["plain", "hostile"])
def test_a_drawing_is_a_described_picture_that_a_strict_page_may_hold(at: int, said: str) -> None:
    text = every_drawing(said)[at].svg
    root = ElementTree.fromstring(text)
    assert root.get("role") == "img"
    names = {root.get("aria-labelledby"): "title", root.get("aria-describedby"): "desc"}
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        assert tag in TAGS
        assert not [name for name in element.attrib if name == "style" or name.startswith("on")]
        if element.get("id") in names:
            assert names.pop(element.get("id")) == tag
            assert element.text
    assert not names
    assert not re.findall('"(#[0-9a-f]{6})"', text)
    assert ("</text><script>" in "".join(root.itertext())) == bool(said)


def test_the_same_drawing_is_the_same_bytes_under_any_hash_seed() -> None:
    code = (
        "import sys; sys.path[:0] = ['tests/helpers', 'tests/reports']\n"
        "from test_drawings import every_drawing\n"
        "print(''.join(it.svg for it in every_drawing()))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "1", "PYTHONPATH": "."},
    )  # fmt: skip
    assert run.stdout == "".join(it.svg for it in every_drawing()) + "\n"


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_colours_pass_aa_in_both_schemes(scheme: dict[str, str]) -> None:
    assert luminance("#ffffff") == pytest.approx(1.0)
    paper = luminance(scheme["paper"])
    for name, colour in scheme.items():
        if name != "paper":
            low, high = sorted((paper, luminance(colour)))
            least = 3.0 if name in ("rule", "floor") else 4.5  # lines; the others are text too
            assert (high + 0.05) / (low + 0.05) >= least, name
            assert f".cc-fill-{name}{{fill:var(--cc-{name})}}" in drawing_css()


def test_cut_text_fits_and_says_that_something_is_missing() -> None:
    text = "Suppose the marriage had lasted 8 years: section 304B IPC would give way"
    assert cut(text, 1000, 11) == text
    short = cut(text, 200, 11)
    assert short.startswith("Suppose the marriage") and short.endswith(" …")
    assert width_of(short, 11) <= 200


# facts


def test_the_null_floor_is_a_band_behind_every_bar_and_the_threshold_a_line() -> None:
    """Section moves 1.5 over a floor of 0.5 and a threshold of 1: thirds of its bar."""
    drawing = facts_drawing(analysis())
    drawn = groups(drawing)
    band, bar = boxes(drawn["section:IPC-302"])
    assert (band[0], bar[0]) == ("cc-band", "cc-strong")
    assert band[1] == bar[1] and band[2] == pytest.approx(bar[2] / 3, abs=0.01)
    assert band[3] > bar[3]
    [weak] = boxes(drawn["evidence:dying_declaration:1"])
    assert weak[0] == "cc-weak" and weak[2] < 0.1 * bar[2]  # measured, and no move at all
    [line] = [it for it in parsed(drawing).iter("path") if it.get("class") == "cc-threshold"]
    at = float(line.get("d", "").split()[0][1:])
    assert at == pytest.approx(bar[1] + bar[2] / 1.5, abs=0.01)
    assert "threshold 1" in texts(parsed(drawing))


def test_verdicts_stand_in_words_and_unmeasured_facts_have_no_bar() -> None:
    drawn = groups(facts_drawing(analysis()))
    assert "1.50" in texts(drawn["section:IPC-302"])
    assert "moves the list" in texts(drawn["section:IPC-302"])
    assert "hardly moves it" in texts(drawn["evidence:dying_declaration:1"])
    assert not boxes(drawn["party:petitioner"])
    assert "not measurable" in texts(drawn["party:petitioner"])
    assert "0.00" not in texts(drawn["party:petitioner"])
    assert "refused" in texts(drawn["numerical:age:1"])


def test_a_calibrated_fact_is_drawn_against_its_own_floor_without_a_threshold() -> None:
    data = analysis()
    for fact in data["facts"]:
        if fact["sensitivity"] is not None:
            fact["calibrated"] = {"move": 2.0, "low": 1.0, "high": 3.0, "floor": 0.5}
    drawing = facts_drawing(data)
    group = groups(drawing)["section:IPC-302"]
    band, bar = boxes(group)
    assert band[2] == pytest.approx(bar[2] / 4, abs=0.01)
    whisker = next(it for it in group.iter("path") if it.get("class") == "cc-ends")
    end = float(whisker.get("d", "").partition("H")[2])
    assert end - bar[1] == pytest.approx(bar[2] * 1.5, abs=0.01)
    assert not any("threshold" in text for text in texts(parsed(drawing)))
    assert "2.00 places (95%: 1.00 to 3.00), words alone 0.50" in title(group)


# tree


def test_states_stand_by_depth_among_their_children_and_each_is_drawn_once() -> None:
    places, sources = positions(grown())
    assert places["root"] == (0, 1)
    assert places[BOTH] == (2, places[ONE][1])  # the only child of its first parent
    assert sources[BOTH] == ONE
    assert sorted(row for column, row in places.values() if column == 1) == [0, 1, 2]
    drawing = tree_drawing(grown())
    assert [look == "cc-again" for look in lines(drawing)] == [True, False, False, False, False]
    assert len(groups(drawing)) == 5
    assert "the same suppositions in another order" in texts(parsed(drawing))


def test_pruned_and_refused_states_are_drawn_differently() -> None:
    drawn = groups(tree_drawing(grown()))
    assert set(drawn) == {node.node_id for node in tree().nodes()}
    looks = {state: boxes(group)[0][0] for state, group in drawn.items()}
    refused = next(state for state in drawn if drawn[state].get("data-status") == "rejected")
    assert (looks[TWO], looks[refused]) == ("cc-pruned", "cc-rejected")
    assert title(drawn[refused]).endswith("refused. Nobody is 200 years old.")
    assert "1.50" in texts(drawn[ONE])
    assert (looks[ONE], looks[BOTH]) == ("cc-expanded", "cc-leaf")
    dashed = re.findall(r"\.cc-(\w+)\{[^}]*stroke-dasharray", drawing_css())
    assert {"pruned", "rejected"} <= set(dashed) and not {"expanded", "leaf"} & set(dashed)


def test_links_lead_to_each_state_and_make_it_a_group_of_links() -> None:
    root = parsed(tree_drawing(grown(), link="#state-"))
    assert root.get("role") == "group"
    links = {it.get("href"): it.get("data-state") for it in root.iter("a")}
    assert links == {f"#state-{node['id']}": node["id"] for node in grown()["nodes"]}


# rankings side by side


def test_what_left_and_what_is_new_are_told_by_shape_and_word() -> None:
    """a b c to b c d: a left from rank 1, d is new at rank 3, b and c moved up by one."""
    drawing = compare_drawing(grown(), analysis(), {"d": "Case D"})
    titles = [title(it) for it in parsed(drawing).iter("g")]
    assert titles == ["1. a", "2. b", "3. c", "1. b: was 2", "2. c: was 3", "3. Case D: new",
                      "a: was 1, left the list"]  # fmt: skip
    assert {"↑1", "left the list", "new"} <= set(texts(parsed(drawing)))
    assert "mean rank displacement 1.50, 1 left, 1 new" in drawing.description


def looks_of(floor: float | None) -> list[str]:
    """Of a b c that becomes b a d, where words alone move the list by `floor`."""
    ranks = {"root": "abc", "x": "bad"}
    nodes = [{"id": it, "ranking": [{"case_id": case} for case in ranks[it]]} for it in ranks]
    edit = {"supposition": "x", "fact_id": "x"}
    link = {"source": "root", "target": "x", "mean_displacement": 1.0, "edit": edit}
    states = {"graph": {"top_k": 3}, "nodes": nodes, "links": [link]}
    facts = [{"fact_id": "x", "noise": floor, "calibrated": None}]
    return lines(compare_drawing(states, {"facts": facts, "null_edits": []}, {}))


def test_a_move_within_the_null_floor_is_grey() -> None:
    assert looks_of(None) == ["cc-left", "cc-moved", "cc-moved"]
    assert looks_of(0.9) == ["cc-left", "cc-moved", "cc-moved"]
    assert looks_of(1.0) == ["cc-still", "cc-still", "cc-left"]


def test_the_list_beside_the_case_is_that_of_the_strongest_edit_with_the_floor_of_its_fact() -> (
    None
):
    drawing = compare_drawing(grown(), analysis(), {})
    assert "moved 1.50 places; words alone 0.50" in texts(parsed(drawing))


# pictures


@pytest.mark.parametrize("at", range(4))
def test_a_picture_shows_the_drawing_below_its_title_and_is_the_same_every_time(at: int) -> None:
    drawing = every_drawing()[at]
    image = imread(BytesIO(drawing.png(2.0)))
    assert image.shape[:2] == (round(2 * drawing.height), round(2 * drawing.width))
    assert image.min() < 0.5 < image.max()  # ink on paper
    assert drawing.png() == drawing.png() == every_drawing()[at].png()
    figure = drawing.plot("$x$ v. State")
    assert [it.get_text() for it in figure.texts] == [drawing.title, "$x$ v. State"]
    [shown] = figure.axes[0].images
    assert (shown.get_array() == image).all()
    assert figure._repr_png_() == drawing.plot("$x$ v. State")._repr_png_()


def test_every_class_of_a_drawing_has_its_rule() -> None:
    used = {name for it in every_drawing() for name in re.findall(r'class="([^"]+)"', it.svg)}
    for name in " ".join(used).split():
        assert f".{name}{{" in drawing_css()
