"""The way of a user in Chromium: a case is given, analysed, reloaded, cancelled."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from browsing import NARRATIVE, analyse, begin_with, finish, give, overflow, violations
from playwright.sync_api import Page, expect
from served_case import of_area

from countercase.corpus.index.build import build_index
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.session import Analyst
from countercase.web.models import AnalysisOptions
from countercase.web.worker import Worker

pytestmark = pytest.mark.slow

TABS = ["Precedents", "Suppose", "Facts", "Research"]


def test_the_side_that_one_acts_for_is_chosen_by_keys(page: Page, results: str) -> None:
    page.goto(results)
    side = page.get_by_label("I act for")
    assert side.locator("option").all_inner_texts() == [
        "Ramu (accused)", "State of Bihar (prosecution)",
    ]  # fmt: skip
    side.focus()
    page.evaluate("window.stays = true")
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**side=respondent")
    expect(page.locator(".tabs a").first).to_have_attribute("href", re.compile("side=respondent"))
    expect(page.get_by_label("I act for")).to_have_value("respondent")
    assert page.evaluate("window.stays && document.activeElement.id") == "side"
    page.emulate_media(media="print")
    expect(side).to_be_visible()  # the printed page says for whom it is
    page.emulate_media(media="screen")
    memo = page.get_by_role("link", name="Markdown").get_attribute("href")
    assert "For State of Bihar (prosecution)" in page.request.get(str(memo)).text()


def test_the_areas_follow_the_corpus_that_is_chosen(
    page: Page, encoders: EmbeddedEncoders, worker: Worker
) -> None:
    plain = [replace(d, metadata={**d.metadata, "area": ""}) for d in of_area("corruption")[:4]]
    build_index(plain, "browsed", encoders, 200)
    give(page)
    page.get_by_text("Areas of law: all").click()
    page.get_by_label("homicide").check()
    page.get_by_label("Corpus to search").select_option("browsed")
    expect(page.locator("#searched")).to_contain_text("state no area of law")
    expect(page.get_by_label("Corpus to search")).to_have_value("browsed")
    assert violations(page) == []
    page.get_by_label("Corpus to search").select_option("memory")
    page.get_by_text("Areas of law: all").click()
    page.get_by_label("homicide").check()
    assert violations(page) == []
    page.get_by_role("button", name="Analyse").click()
    finish(page)
    expect(page.locator("#searched")).to_have_text(
        "Searched in memory, only decisions on homicide."
    )
    page.get_by_role("link", name="the case and its facts").click()
    expect(page.get_by_label("homicide")).to_be_checked()


def test_back_to_the_first_page_lets_one_go_on(page: Page) -> None:
    give(page)
    page.go_back()
    expect(page.get_by_label("The facts, as you would tell them to a colleague")).to_have_value(
        NARRATIVE
    )
    page.get_by_role("button", name="Read the facts").click()
    page.wait_for_url("**/cases/*")


@pytest.fixture
def slow(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """An analysis that follows every branch and takes its time."""
    workspace = worker.workspace
    let_others, analyst_of = workspace.turns.let_others, workspace.analyst_of

    def slowly() -> None:
        time.sleep(0.3)
        let_others()

    def all_branches(options: AnalysisOptions) -> Analyst:
        analyst = analyst_of(options)
        settings = analyst.settings.model_copy(update={"MIN_DISPLACEMENT": 0.0})
        return Analyst(settings, analyst.retriever)

    monkeypatch.setattr(workspace.turns, "let_others", slowly)
    monkeypatch.setattr(workspace, "analyst_of", all_branches)


@pytest.mark.usefixtures("slow")
def test_the_list_comes_first_and_what_is_measured_follows_beneath_it(page: Page) -> None:
    begin_with(page, "Sudden fight")
    analyse(page, max_states="40", depth="1")
    first = page.locator(".precedents h3 a").first
    expect(first).to_be_visible()
    expect(page.locator("#job-status")).to_contain_text("Still being measured: what becomes of it")
    assert page.locator(".tabs a").all_inner_texts() == ["Precedents", "Research"]
    titles = page.locator(".precedents h3 a").all_inner_texts()
    page.get_by_text("Why it was found").first.click()
    opened = page.locator(".precedents details[open]").count()
    page.get_by_text("Why it was found").nth(1).focus()
    page.evaluate("window.stays = true; window.scrollTo(0, 400)")
    expect(page.locator(".moves li").first).to_contain_text("Suppose")  # live
    expect(page.locator("#measured")).to_contain_text("Measured so far:")
    finish(page)
    # The page was not loaded again: what was open, in focus and in sight is so still.
    assert page.evaluate("window.stays")
    assert page.locator(".precedents h3 a").all_inner_texts() == titles
    expect(page.locator(".precedents details[open]")).to_have_count(opened)
    assert page.evaluate(
        "document.activeElement === document.querySelectorAll('.precedents > li')[1]"
        ".querySelector('details:last-of-type > summary')"
    )
    assert page.evaluate("window.scrollY > 300")
    assert page.locator(".tabs a").all_inner_texts() == TABS
    expect(page.locator("#job-status")).to_have_text(re.compile(r"Measured \d+ of \d+ facts\."))


@pytest.mark.usefixtures("slow")
def test_an_analysis_grows_is_reloaded_and_cancelled(page: Page) -> None:
    begin_with(page, "Sudden fight")
    address = analyse(page, max_states="300", depth="3")
    page.get_by_role("link", name="Research").click()
    expect(page.locator("#tree [role=treeitem]").nth(1)).to_be_visible()  # a state, live
    page.reload()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    expect(page.locator("#tree [role=treeitem]").nth(1)).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#job-status .badge")).to_have_text("cancelled")
    assert page.url.endswith(f"{address}/tree")
    expect(page.get_by_role("button", name="Run it again")).to_be_visible()
    page.get_by_role("link", name="Precedents").click()
    expect(page.get_by_role("note").first).to_contain_text("broken off")
    assert page.locator(".precedents > li").count() == 4


@pytest.mark.usefixtures("slow")
def test_two_tabs_see_one_queue_and_their_own_results(page: Page) -> None:
    begin_with(page, "Sudden fight")
    first = analyse(page, max_states="300", depth="3", criterion="calibrated")
    other = page.context.new_page()
    give(other, title="The second tab")
    expect(other.locator("#analyze-form")).to_contain_text("1 analysis ahead of this one")
    second = analyse(other, max_states="1")
    assert first != second
    expect(other.locator("#job-status")).to_contain_text("number 1")
    other.locator(".tabs a", has_text="Research").focus()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#job-status .badge")).to_have_text("cancelled")
    finish(other)
    # The tabs were put anew, and the focus is on the same one.
    assert other.evaluate("document.activeElement.textContent") == "Research"
    expect(other.locator(".matter-title")).to_contain_text("The second tab")
    expect(page.locator(".matter-title")).to_contain_text("Balraj v. State of Haryana")


def test_a_wrong_setting_that_is_folded_away_is_shown_when_one_analyses(page: Page) -> None:
    give(page)
    page.get_by_text("Settings: length of the list").click()
    page.locator("#top_k").fill("500")
    page.get_by_text("Settings: length of the list").click()
    expect(page.locator("#top_k")).to_be_hidden()
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#top_k")).to_be_visible()
    expect(page.locator("#top_k")).to_be_focused()


def test_a_new_title_stands_above_the_case_and_on_its_tab_at_once(page: Page) -> None:
    give(page)
    page.get_by_label("Title", exact=True).fill("Shyam v. State of Bihar")
    page.get_by_role("button", name="Save date and title").click()
    expect(page.locator("h1")).to_have_text("Shyam v. State of Bihar")
    expect(page).to_have_title(re.compile("^Shyam v. State of Bihar"))


def test_a_refused_text_is_told_where_the_focus_is(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Read the facts").click()
    expect(page.locator("#problem")).to_be_focused()


def test_nothing_rated_and_nothing_asked_is_said(page: Page, results: str) -> None:
    page.goto(f"{results}/rate?rater=Nobody")
    page.get_by_role("button", name="Save and go on").click()
    expect(page.locator("#rate-form [role=alert]")).to_contain_text("Choose a score")
    page.goto(f"{results}/why-not")
    page.get_by_role("button", name="Say why").click()
    assert page.locator("#decision:invalid").count() == 1


def test_what_is_printed_is_what_one_reads(page: Page, results: str) -> None:
    page.goto(f"{results}/facts")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 1000})  # that of A4
    expect(page.locator(".wide-only")).to_be_visible()
    expect(page.locator(".narrow-only")).to_be_hidden()
    page.goto(results)
    for unread in (".copy", ".kept", "#why-not-heading"):
        assert all(not it.is_visible() for it in page.locator(unread).all())
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1280, "height": 720})
    assert overflow(page) == []
