"""Every page in Chromium: by keys alone, by the rules of axe-core, and with hostile text."""

from __future__ import annotations

import pytest
from browsing import NARRATIVE, SOON, analyse, finish, give, overflow, violations
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.slow

PAGES = ("", "/suppose", "/facts", "/tree", "/why-not", "/rate")


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
    finish(page)
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


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390), ("light", 320)])
def test_every_page_keeps_the_rules_of_access(
    browser: Browser, url: str, results: str, scheme: str, width: int
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
    page.goto(results)
    decision = page.locator(".precedents h3 a").first.get_attribute("href")
    paths = [
        "/", case, *(results + path for path in PAGES), str(decision),
        f"{results}/why-not?decision=none", f"{results}/suppose?suppose=%3F",
        f"{results}?side=respondent", f"{results}/suppose?suppose=it+rained&pin=suppose%3Dit+snowed",
        f"{results}/rate?rater=Meera", "/about", "/docs", "/sign-in", "/results/0123456789abcdef",
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
    address = analyse(page, max_states="2")
    finish(page)
    for path in PAGES:
        page.goto(address + path)
        assert page.locator("img, main script").count() == 0
    report = page.request.get(f"{address}/report.html").text()
    fresh = page.context.new_page()
    fresh.set_content(report)
    fresh.wait_for_timeout(300)
    assert fresh.title() != "run" and fresh.locator("script, img[onerror]").count() == 0
    assert markup in fresh.locator("body").inner_text()
