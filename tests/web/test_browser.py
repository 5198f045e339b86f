"""The pages in Chromium: the way of a user, keys, tabs and reloads, and the rules of axe-core."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from browsing import chromium, overflow, violations
from live_server import listening
from playwright.sync_api import Browser, Page, expect
from served_case import CASE, of_area

from countercase.corpus.index.build import build_index
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.session import Analyst
from countercase.web.app import create_app
from countercase.web.models import AnalysisOptions
from countercase.web.searchers import SessionSearcher
from countercase.web.security import Rate
from countercase.web.worker import Worker

NARRATIVE = CASE["text"]
SOON = 30_000
"""Milliseconds within which a small analysis is done on a machine that is busy."""
PAGES = ("", "/suppose", "/facts", "/tree", "/why-not", "/rate")
TABS = ["Precedents", "Suppose", "Facts", "Research"]


expect.set_options(timeout=SOON)


@pytest.fixture(scope="module")
def url(worker: Worker) -> Iterator[str]:
    searcher = SessionSearcher(worker.workspace.session)
    with listening(create_app(searcher, worker=worker, rate=Rate(1e6, 10**6))) as url:
        yield url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, url: str) -> Iterator[Page]:
    """A page of a browser of its own, which fails on any error of a script."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda said: faults.append(said.text) if "Content Security" in said.text else None,
    )
    page.set_default_timeout(SOON)
    yield page
    context.close()
    assert faults == []


def give(page: Page, text: str = NARRATIVE, title: str = "Ramu v. State of Bihar") -> None:
    """Paste a case on the first page."""
    page.goto("/")
    page.get_by_label("Title, if it has one").fill(title)
    page.get_by_label("The facts, as you would tell them to a colleague").fill(text)
    page.get_by_role("button", name="Read the facts").click()
    page.wait_for_url("**/cases/*")


def begin_with(page: Page, example: str) -> None:
    """Choose an example, one whose tree takes longer than that of the narrative."""
    page.goto("/")
    page.get_by_role("button", name=example).click()
    page.wait_for_url("**/cases/*")


def analyse(page: Page, **fields: str) -> str:
    """Start the analysis of the case that is shown; returns the address of its results."""
    if fields:
        page.get_by_text("Settings: length of the list").click()
    for name, value in fields.items():
        field = page.locator(f"#{name}")
        field.select_option(value) if name == "criterion" else field.fill(value)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url(re.compile("/results/[0-9a-f]{16}"))
    found = re.search("/results/[0-9a-f]{16}", page.url)
    assert found is not None
    return found[0]


@pytest.fixture(scope="module")
def done(browser: Browser, url: str) -> str:
    """The address of the results of a finished analysis of the narrative."""
    page = browser.new_page(base_url=url)
    give(page)
    address = analyse(page)
    page.get_by_role("heading", name="Precedents", exact=True).wait_for(timeout=SOON)
    page.close()
    return address


def test_from_a_pasted_text_to_what_goes_out_and_comes_in(page: Page) -> None:
    give(page)
    expect(page.locator(".narrative mark.Section")).to_have_text(["section 302"])
    analyse(page)
    page.get_by_role("heading", name="Precedents", exact=True).wait_for()
    assert page.locator(".tabs a").all_inner_texts() == TABS
    before = page.locator(".precedents h3 a").all_inner_texts()
    assert len(before) == 4
    page.get_by_role("link", name="Suppose", exact=True).click()
    expect(page.locator("#suppose-result")).to_contain_text("Suppose a fact otherwise")
    page.locator(".chip").first.click()
    expect(page.locator("#move")).to_contain_text("of 4 authorities change")
    told = page.locator("#suppose-result")
    gone = told.locator("li.out a").all_inner_texts()
    told.locator("summary").first.click()
    stayed = told.locator("li.same a, li.differs a").all_inner_texts()
    assert sorted(gone + stayed) == sorted(before)
    assert len(told.locator("li.in a").all()) == len(gone)
    # The address holds the supposition: opened elsewhere it shows the same.
    expect(page).to_have_url(re.compile("e="))
    shown = page.locator("#move").inner_text()
    page.reload()
    assert page.locator("#move").inner_text() == shown


def test_a_supposition_in_words_is_pinned_beside_another(page: Page, done: str) -> None:
    page.goto(f"{done}/suppose")
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


def test_of_one_fact_one_thing_is_supposed(page: Page, done: str) -> None:
    page.goto(f"{done}/suppose")
    page.get_by_text("More: amounts, ages, durations").click()
    group = page.get_by_role("group", name="24 years").first
    group.get_by_role("slider").press("ArrowLeft")
    expect(page.locator("#suppose-result h2").first).to_contain_text("23")
    chip = page.locator("input[data-fact='numerical:age:1']").first
    chip.check()
    expect(group.get_by_role("textbox")).to_have_value("24")
    expect(page.locator("#suppose-result h2").first).not_to_contain_text("23")
    group.get_by_role("slider").press("ArrowLeft")
    expect(chip).not_to_be_checked()


def test_the_side_that_one_acts_for_is_chosen_by_keys(page: Page, done: str) -> None:
    page.goto(done)
    side = page.get_by_label("I act for")
    assert side.locator("option").all_inner_texts() == [
        "Ramu (accused)", "State of Bihar (prosecution)",
    ]  # fmt: skip
    side.select_option("respondent")
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url("**side=respondent")
    expect(page.get_by_label("I act for")).to_have_value("respondent")
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
    page.get_by_role("heading", name="Precedents", exact=True).wait_for()
    expect(page.locator("#searched")).to_have_text(
        "Searched in memory, only decisions on homicide."
    )
    page.get_by_role("link", name="the case and its facts").click()
    expect(page.get_by_label("homicide")).to_be_checked()


def test_a_slider_moves_a_figure_by_keys_and_back(page: Page, done: str) -> None:
    page.goto(f"{done}/suppose")
    page.get_by_text("More: amounts, ages, durations").click()
    group = page.get_by_role("group", name="24 years").first
    slider = group.get_by_role("slider")
    slider.focus()
    slider.press("ArrowLeft")
    expect(page.locator("#suppose-result h2").first).to_contain_text("23")
    expect(group.get_by_role("textbox")).to_have_value("23")
    slider.press("ArrowRight")
    expect(page.locator("#suppose-result")).to_contain_text("Suppose a fact otherwise")


def test_the_back_button_leads_through_suppositions(page: Page, done: str) -> None:
    page.goto(f"{done}/suppose")
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


def test_an_answer_to_an_earlier_address_is_not_left_standing(page: Page, done: str) -> None:
    page.goto(f"{done}/suppose")
    page.locator(".chip").first.click()
    expect(page).to_have_url(re.compile("e="))
    other = page.request.get(page.url).text()
    assert 'id="move"' in other
    # As when one goes back twice at once: the page of the first step comes at the second.
    page.route(
        "**/suppose", lambda route: route.fulfill(body=other, content_type="text/html"), times=1
    )
    page.goto(f"{done}/suppose")
    expect(page.locator("#suppose-result")).to_contain_text("Suppose a fact otherwise")


def test_back_to_the_first_page_lets_one_go_on(page: Page) -> None:
    give(page)
    page.go_back()
    expect(page.get_by_label("The facts, as you would tell them to a colleague")).to_have_value(
        NARRATIVE
    )
    page.get_by_role("button", name="Read the facts").click()
    page.wait_for_url("**/cases/*")


def test_a_correction_is_kept_and_shown(page: Page) -> None:
    give(page)
    page.get_by_text("Add: provisions cited").click()
    page.get_by_label("Provision, such as s. 302 IPC").last.fill("s. 34 IPC")
    page.get_by_role("button", name="Add", exact=True).locator("visible=true").click()
    added = page.locator("mark.fact.Section.own")
    expect(added.first).to_contain_text("section 34 IPC")
    page.reload()
    expect(added.first).to_contain_text("section 34 IPC")


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
def test_an_analysis_grows_is_reloaded_and_cancelled(page: Page) -> None:
    begin_with(page, "Sudden fight")
    address = analyse(page, max_states="300", depth="3")
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
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#job-status .badge")).to_have_text("cancelled")
    other.get_by_role("heading", name="Precedents", exact=True).wait_for()
    expect(other.locator(".matter-title")).to_contain_text("The second tab")
    expect(page.locator(".matter-title")).to_contain_text("Balraj v. State of Haryana")


def test_the_whole_way_by_keys_alone(page: Page) -> None:
    def tab_to(role_or_id: str) -> None:
        for _ in range(200):
            page.keyboard.press("Tab")
            if page.evaluate("s => document.activeElement.matches(s)", role_or_id):
                return
        raise AssertionError(f"no way to {role_or_id} by the Tab key")

    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    tab_to("#text")
    page.keyboard.insert_text(NARRATIVE)
    tab_to("#case-form button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/cases/*")
    tab_to("#analyze-form button")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Precedents", exact=True).wait_for()
    tab_to(".tabs a[href$='/tree']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tree")
    tab_to("[role=treeitem]")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.ariaLevel") == "2"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.ariaLevel") == "1"
    page.keyboard.press("ArrowLeft")  # closes the branch
    assert page.locator("[role=treeitem]:visible").count() == 1
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/suppose?e=*")
    expect(page.locator("#move")).to_be_visible()
    tab_to(".tabs a[href$='/suppose']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/suppose")
    tab_to(".chip input")
    page.keyboard.press("Space")
    expect(page.locator("#move")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_keeps_the_rules_of_access(
    browser: Browser, url: str, done: str, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=url,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 900},
    )
    page = context.new_page()
    page.set_default_timeout(SOON)
    give(page)
    case = page.url.removeprefix(url)
    page.goto(done)
    decision = page.locator(".precedents h3 a").first.get_attribute("href")
    paths = [
        "/", case, *(done + path for path in PAGES), str(decision),
        f"{done}/why-not?decision=none", f"{done}/suppose?suppose=%3F",
        f"{done}?side=respondent", f"{done}/suppose?suppose=it+rained&pin=suppose%3Dit+snowed",
        f"{done}/rate?rater=Meera", "/about", "/docs", "/sign-in", "/results/0123456789abcdef",
    ]  # fmt: skip
    faults = []
    for path in paths:
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        faults += [f"{path}: {fault}" for fault in (*violations(page), *overflow(page))]
    context.close()
    assert not faults, "\n".join(faults)


def test_a_report_of_a_hostile_case_runs_nothing(page: Page) -> None:
    markup = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"
    give(page, f"{NARRATIVE} {markup}", f"{markup} v. State")
    address = analyse(page)
    page.get_by_role("heading", name="Precedents", exact=True).wait_for()
    for path in PAGES:
        page.goto(address + path)
        assert page.locator("img, main script").count() == 0
    report = page.request.get(f"{address}/report.html").text()
    fresh = page.context.new_page()
    fresh.set_content(report)
    fresh.wait_for_timeout(300)
    assert fresh.title() != "run" and fresh.locator("script, img[onerror]").count() == 0
    assert markup in fresh.locator("body").inner_text()
