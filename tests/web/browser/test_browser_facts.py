"""Facts corrected in their place, in Chromium."""

from __future__ import annotations

import re

import pytest
from browsing import analyse, finish, give, violations
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow


def open_form(page: Page, mark: str) -> None:
    """Open the form of the first marked fact of a type, by its key."""
    page.locator(f".narrative a.correct:has(mark.{mark})").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#correct form")).to_be_visible()


def test_a_highlight_is_corrected_in_its_place_and_undone(page: Page) -> None:
    give(page)
    page.evaluate("window.stays = true")
    open_form(page, "Section")
    assert page.evaluate("document.activeElement.name") == "provision"
    assert violations(page) == []
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('a.correct')")  # the focus is back
    expect(page.locator("#read form input[name=provision]")).to_have_count(2)  # and to add one
    open_form(page, "Section")
    field = page.locator("#correct input[name=provision]")
    field.fill("gibberish")
    field.press("Enter")
    expect(page.locator("#correct [role=alert]")).to_contain_text("gibberish")
    expect(field).to_have_value("gibberish")  # what was typed stays
    field.fill("s. 304 IPC")
    field.press("Enter")
    expect(page.locator("#saved")).to_contain_text("1 correction saved")
    expect(page.locator("#correct")).to_be_hidden()
    corrected = page.locator("mark.Section.own").first  # where it stood, called what it is now
    expect(corrected).to_have_attribute("title", re.compile("^section 304 IPC"))
    expect(page.locator("#read")).to_contain_text("section 304 IPC")
    assert page.evaluate("document.activeElement !== document.body")
    page.get_by_role("button", name="Undo the last").click()
    expect(page.locator("#saved")).to_have_text("")
    expect(page.locator("mark.Section.own")).to_have_count(0)
    assert page.evaluate("window.stays")  # and all of it without loading the page again


def test_what_is_half_typed_stays_when_another_correction_is_saved_or_is_not(page: Page) -> None:
    give(page)
    rows = page.locator("#read details[id]")
    party, age = rows.filter(has_text="Ramu").first, rows.filter(has_text="24 years").first
    party.locator("summary").click()
    party.get_by_label("Name").fill("Ramu Prasad")
    party.get_by_label("Role").select_option("victim")
    date = page.get_by_label("Date of the occurrence")
    date.fill("3.1.2019")
    date.press("Enter")
    expect(date).to_have_value("3 January 2019")
    assert page.evaluate("document.activeElement.id") == "occurred_on"
    age.locator("summary").click()
    age.get_by_label("Number").fill("23")
    page.route("**/facts", lambda route: route.abort(), times=1)
    age.get_by_role("button", name="Correct").click()
    expect(age.get_by_role("alert")).to_contain_text("could not be saved")
    expect(age.get_by_label("Number")).to_have_value("23")
    age.get_by_role("button", name="Correct").click()
    expect(page.locator("#saved")).to_contain_text("2 corrections saved")
    expect(party).to_have_attribute("open", "")
    expect(party.get_by_label("Name")).to_have_value("Ramu Prasad")
    expect(party.get_by_label("Role")).to_have_value("victim")
    page.get_by_text("Add: provisions cited").click()
    added = page.locator("details.add").get_by_label("Provision, such as s. 302 IPC")
    added.fill("s. 34 IPC")
    added.press("Enter")
    expect(page.locator("#saved")).to_contain_text("3 corrections saved")
    expect(added).to_have_value("")  # what was saved is not kept as half typed
    expect(party.get_by_label("Name")).to_have_value("Ramu Prasad")


def test_what_is_half_typed_stays_when_a_fact_before_it_is_taken_out(page: Page) -> None:
    give(page, "Two were stabbed. The victim is aged 20 years. The accused is aged 24 years.")
    rows = page.locator("#read details[id]")
    before, after = (rows.filter(has_text=f"{years} years").first for years in (20, 24))
    ids = [it.get_attribute("id") for it in (before, after)]
    assert ids == ["d-numerical:age:1", "d-numerical:age:2"]
    after.locator("summary").click()
    after.get_by_label("Number").fill("23")
    before.locator("summary").click()
    before.get_by_role("button", name="Take out").click()
    expect(page.locator("#saved")).to_contain_text("1 correction saved")
    expect(after).to_have_attribute("id", "d-numerical:age:1")  # numbered anew
    expect(after).to_have_attribute("open", "")
    expect(after.get_by_label("Number")).to_have_value("23")


def test_a_reading_is_corrected_from_the_facts_of_an_analysis(page: Page) -> None:
    give(page)
    results = analyse(page)
    finish(page)
    for where in ("a.correct.quiet", ".narrative a.correct:has(mark.Section)"):
        page.goto(f"{results}/facts")
        page.locator(where).first.click()
        expect(page.locator("#correct form")).to_be_visible()
        assert violations(page) == []
        page.get_by_role("button", name="Take out").click()
        expect(page.locator("#saved")).to_contain_text("1 correction saved")
        assert page.evaluate("document.activeElement.matches('a.correct')")
        page.get_by_role("link", name="To a new analysis").click()
        expect(page.get_by_role("button", name="Analyse")).to_be_visible()
        expect(page.get_by_text("put back")).to_be_visible()
        page.get_by_role("button", name="Undo the last").click()
        expect(page.locator("#saved")).to_have_text("")
