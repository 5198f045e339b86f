"""Suppose in Chromium: boxes, chips, sliders and the back button."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.slow


def test_a_supposition_in_words_is_pinned_beside_another(page: Page, results: str) -> None:
    page.goto(f"{results}/suppose")
    box = page.get_by_label("Suppose", exact=True)
    box.fill("there was no dying declaration")
    box.press("Enter")
    expect(page.locator("#suppose-result")).to_contain_text("We read:")
    expect(page.locator("#suppose-result")).to_contain_text("The law then:")
    assert page.evaluate("document.activeElement.id") == "suppose"  # the focus is kept
    page.get_by_role("link", name="Pin this beside others").click()
    expect(page.locator("#pin1")).to_contain_text("dying declaration")
    expect(page.get_by_label("Suppose", exact=True)).to_have_value("")
    page.locator(".chip").first.click()
    expect(page.locator("#move")).to_be_visible()
    page.get_by_role("link", name="Pin this beside others").click()
    expect(page.locator("#pin2")).to_be_visible()
    page.get_by_role("link", name="Take out").first.click()
    expect(page.locator("#pin2")).to_have_count(0)
    expect(page.locator("#pin1")).not_to_contain_text("dying declaration")


def test_of_one_fact_one_thing_is_supposed_by_slider_or_number(page: Page, results: str) -> None:
    page.goto(f"{results}/suppose")
    page.get_by_text("More: amounts, ages, durations").click()
    group = page.get_by_role("group", name="24 years").first
    slider, told = group.get_by_role("slider"), page.locator("#suppose-result h2").first
    alert = page.locator("#suppose-result").get_by_role("alert")
    slider.focus()
    slider.press("ArrowLeft")
    expect(told).to_contain_text("23")
    expect(group.get_by_role("textbox")).to_have_value("23")
    slider.press("ArrowRight")
    expect(page.locator("#suppose-result")).to_contain_text("Suppose a fact otherwise")
    slider.press("ArrowLeft")
    expect(told).to_contain_text("23")
    chip = page.locator("input[data-fact='numerical:age:1']").first
    chip.check()
    expect(group.get_by_role("textbox")).to_have_value("24")
    expect(told).not_to_contain_text("23")
    slider.press("ArrowLeft")
    expect(chip).not_to_be_checked()
    field = group.get_by_role("textbox")
    for typed, place, said in (("17 yrs", told, "17"), ("some", alert, "24 years (accused)")):
        field.fill(typed)
        field.press("Tab")
        expect(place).to_contain_text(said)
    page.reload()
    expect(field).to_have_value("some")


def test_the_back_button_leads_through_suppositions(page: Page, results: str) -> None:
    page.goto(f"{results}/suppose")
    page.locator(".chip").first.click()
    expect(page.locator("#move")).to_be_visible()
    expect(page).to_have_url(re.compile("e="))
    first, told = page.url, page.locator("#suppose-result h2").inner_text()
    page.get_by_label("Suppose", exact=True).fill("it rained on that day")
    page.get_by_label("Suppose", exact=True).press("Tab")
    expect(page.locator("#suppose-result .change")).to_have_count(2)
    with page.expect_event("load"):
        page.go_back()
    expect(page).to_have_url(first)
    expect(page.locator("#suppose-result h2")).to_have_text(told)
    with page.expect_event("load"):
        page.go_back()
    expect(page).to_have_url(re.compile("/suppose$"))
    expect(page.locator("#suppose-result")).to_contain_text("Suppose a fact otherwise")
    with page.expect_event("load"):
        page.go_forward()
    expect(page).to_have_url(first)
    expect(page.locator("#suppose-result h2")).to_have_text(told)


def test_an_answer_to_an_earlier_address_is_not_left_standing(page: Page, results: str) -> None:
    page.goto(f"{results}/suppose")
    page.locator(".chip").first.click()
    expect(page).to_have_url(re.compile("e="))
    other = page.request.get(page.url).text()
    assert 'id="move"' in other
    # As when one goes back twice at once: the page of the first step comes at the second.
    page.route(
        "**/suppose", lambda route: route.fulfill(body=other, content_type="text/html"), times=1
    )
    page.goto(f"{results}/suppose")
    expect(page.locator("#suppose-result")).to_contain_text("Suppose a fact otherwise")


@pytest.mark.parametrize("how", ["busy", "cut off"])
def test_an_answer_that_is_outdated_is_marked(page: Page, results: str, how: str) -> None:
    page.goto(f"{results}/suppose")
    box, told = page.get_by_label("Suppose", exact=True), page.locator("#suppose-result")
    box.fill("there was no dying declaration")
    box.press("Enter")
    expect(page.locator("#move")).to_be_visible()
    page.route(
        "**/suppose?*",
        lambda route: route.fulfill(status=503, body="") if how == "busy" else route.abort(),
        times=1,
    )
    box.fill("the accused was 17")
    box.press("Enter")
    alert = told.get_by_role("alert")
    expect(alert).to_contain_text("asked for before")
    expect(page.locator("#jump")).to_contain_text("asked for before")
    expect(told).to_have_class(re.compile("outdated"))
    expect(box).to_have_value("the accused was 17")
    box.press("Enter")
    expect(told.locator("h2").first).to_contain_text("17")
    expect(alert).to_have_count(0)
    expect(told).not_to_have_class(re.compile("outdated"))


def test_in_a_low_window_nothing_covers_the_field_or_the_links(page: Page, results: str) -> None:
    page.set_viewport_size({"width": 320, "height": 256})
    page.goto(f"{results}/suppose")
    links = page.locator(".of-matter a, .tabs a").all()
    assert links and all((box := it.bounding_box()) and box["x"] + box["width"] <= 320
                         for it in links)  # fmt: skip
    page.get_by_label("Suppose", exact=True).fill("there was no dying declaration")
    page.get_by_label("Suppose", exact=True).press("Enter")
    expect(page.locator("#jump")).to_be_visible()
    position = page.evaluate("getComputedStyle(document.querySelector('#jump')).position")
    assert position == "static"


def test_no_earlier_answer_stands_as_the_answer_while_another_is_asked(
    page: Page, results: str
) -> None:
    page.goto(f"{results}/suppose")
    box, told = page.get_by_label("Suppose", exact=True), page.locator("#suppose-result")
    box.fill("there was no dying declaration")
    box.press("Enter")
    expect(page.locator("#jump")).to_be_visible()
    held: list[Route] = []
    page.route("**/suppose?*", lambda route: held.append(route), times=1)
    box.fill("the accused was 17")
    box.press("Enter")
    expect(told.get_by_role("status")).to_have_text("Asking …")
    expect(told).to_have_class(re.compile("outdated"))
    expect(page.locator("#jump")).to_be_hidden()
    held[0].continue_()
    expect(told.locator("h2").first).to_contain_text("17")
    expect(told).not_to_have_class(re.compile("outdated"))
    expect(page.locator("#jump")).to_be_visible()
    expect(told.get_by_text("Asking …")).to_have_count(0)
