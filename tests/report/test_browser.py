"""The page of a report in Chromium: it is readable and usable, and nothing else happens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.report.chromium import COMMAND, Chromium
from tests.report.test_page import EVIL, content
from thalamus.report.page import page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMMAND, reason="there is no Chromium"),
]
OPEN_ALL = "document.querySelectorAll('details').forEach(one => one.open = true)"
SHOWN = "document.querySelectorAll('#table tbody tr').length"
STATUS = "document.getElementById('status').textContent"
GROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    browser = Chromium(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """130 records: those of three kinds speak of bees, the insights of tea."""
    path = tmp_path_factory.mktemp("report") / "x.html"
    made = content(rows=130)
    for row in made.rows:
        row.text = row.text.replace("bees", "tea") if row.kind == "insight" else row.text
    path.write_text(page(made))
    return path


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wider_than_the_window(
    browser: Chromium, report: Path, width: int, dark: bool
) -> None:
    browser.look(width, 800, dark=dark)
    browser.open(report)
    browser.ask(OPEN_ALL)
    assert browser.ask("document.documentElement.scrollWidth") == width
    assert browser.ask("innerWidth") == width
    # the page is dark where the system is
    assert (sum(map(int, browser.ask(f"{GROUND}.match(/\\d+/g)"))) < 200) == dark


def test_long_words_are_broken(browser: Chromium, tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    path.write_text(page(content("W" * 400)))
    browser.look(360, 800)
    browser.open(path)
    browser.ask(OPEN_ALL)
    assert browser.ask("document.documentElement.scrollWidth") == 360


def test_what_was_written_does_nothing(browser: Chromium, tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    path.write_text(page(content(EVIL)))
    browser.look(1280, 800)
    browser.messages.clear()
    browser.open(path, "#q=%3Cimg%20src=x")
    assert browser.ask("document.images.length") == 0
    assert browser.ask("document.title").startswith("</script>")
    assert browser.ask(STATUS) == "3 of 3 records"
    assert browser.messages == []
    browser.ask("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=boo()>')")
    browser.ask("document.body.appendChild(document.createElement('script')).text = 'boo()'")
    # the policy of the page forbids what came later, whoever put it there
    browser.wait("document.images[0].complete")
    for _ in range(50):  # what is said of it comes later than that
        if len(browser.messages) >= 3:
            break
        browser.ask("new Promise(done => setTimeout(done, 20))")
    assert [told for told in browser.messages if "Content Security Policy" in told]
    assert not [told for told in browser.messages if "boo is not" in told]


def test_it_loads_nothing_and_complains_of_nothing(browser: Chromium, report: Path) -> None:
    browser.look(1280, 800)
    browser.messages.clear()
    browser.requests.clear()
    browser.open(report)
    browser.ask(OPEN_ALL)
    assert browser.messages == []
    assert set(browser.requests) <= {"about:blank", report.as_uri()}


def test_searching_filters_the_records(browser: Chromium, report: Path) -> None:
    browser.look(1280, 800)
    browser.open(report)
    assert browser.ask(SHOWN) == 50
    assert browser.ask(STATUS) == "1 to 50 of 130 records"
    browser.ask("document.getElementById('search').focus()")
    browser.type("tea")
    assert browser.ask(STATUS) == f"{130 // 4} of 130 records"
    assert browser.ask(SHOWN) == 130 // 4
    assert browser.ask("location.hash") == "#q=tea"
    browser.type(" nothing of the kind")
    assert browser.ask(STATUS) == "Nothing was found."


def test_kinds_pages_and_order(browser: Chromium, report: Path) -> None:
    browser.look(1280, 800)
    browser.open(report)
    browser.ask("document.querySelector('input[value=insight]').click()")
    assert browser.ask(STATUS) == f"1 to 50 of {130 - 130 // 4} records"
    browser.ask("document.getElementById('after').click()")
    assert browser.ask(STATUS).startswith("51 to ")
    assert browser.ask("document.getElementById('after').disabled")
    sort = "document.querySelector('th.recalled')"
    browser.ask(f"{sort}.querySelector('button').click()")
    assert browser.ask(f"{sort}.getAttribute('aria-sort')") == "descending"
    assert browser.ask("document.querySelectorAll('[aria-sort]').length") == 1
    first = "document.querySelector('#table tbody tr td.recalled').textContent"
    assert browser.ask(first) == "129" if 129 % 4 != 3 else "128"
    browser.ask(f"{sort}.querySelector('button').click()")
    assert browser.ask(f"{sort}.getAttribute('aria-sort')") == "ascending"
    assert browser.ask(first) == ""


def test_an_address_holds_a_search_or_a_record(browser: Chromium, report: Path) -> None:
    browser.look(360, 800)
    browser.open(report, "#q=tea&kind=insight&sort=-recalled")
    assert browser.ask(STATUS) == f"{130 // 4} of 130 records"
    assert browser.ask("document.getElementById('search').value") == "tea"
    assert browser.ask("document.getElementById('search').getBoundingClientRect().top") < 800
    browser.open(report, "#row-mem_120The user keeps bees.")
    browser.wait("document.activeElement.closest('tr')")
    row = "document.activeElement.closest('tr')"
    assert browser.ask(f"{row}.id").startswith("row-mem_120")
    assert browser.ask(f"{row}.querySelector('details').open")
    assert 0 <= browser.ask(f"{row}.getBoundingClientRect().top") < 800


def test_the_button_changes_the_theme(browser: Chromium, report: Path) -> None:
    browser.look(1280, 800)
    browser.open(report)
    light = browser.ask(GROUND)
    browser.ask("document.getElementById('theme').click()")
    dark = browser.ask(GROUND)
    assert dark != light and browser.ask("document.getElementById('theme').textContent") == "Light"
    browser.open(report)
    assert browser.ask(GROUND) == dark  # it is remembered
    browser.ask("document.getElementById('theme').click()")
    assert browser.ask(GROUND) == light


def test_without_scripts_everything_is_there(browser: Chromium, report: Path) -> None:
    browser.look(360, 800, script=False)
    browser.open(report)
    browser.look(360, 800)
    visible = "[...document.querySelectorAll('#table tbody tr')].filter(r => r.offsetHeight).length"
    assert browser.ask(visible) == 130
    assert browser.ask("document.getElementById('filter').offsetHeight") == 0
    assert browser.ask("document.getElementById('theme').offsetHeight") == 0
    assert browser.ask("document.documentElement.scrollWidth") == 360


def test_what_a_screen_reader_is_told(browser: Chromium, report: Path) -> None:
    browser.look(360, 800)
    browser.open(report)
    told = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in browser.accessibility()
        if not node.get("ignored")
    ]
    roles = {role for role, _ in told}
    assert {"banner", "main", "contentinfo", "navigation", "search", "table", "status"} <= roles
    assert ("searchbox", "Search") in told
    assert {name for role, name in told if role == "region"} >= {"Records", "Overview", "Stages"}
    for role in ("button", "checkbox", "link", "image", "table", "region", "heading"):
        unnamed = [name for found, name in told if found == role and not name]
        assert not unnamed, role
    assert len([role for role, _ in told if role in ("row", "rowheader")]) >= 100


def test_the_keyboard_alone(browser: Chromium, report: Path) -> None:
    browser.look(1280, 800)
    browser.open(report)
    browser.press("Tab", 9)
    assert browser.ask("document.activeElement.className") == "skip"
    assert browser.ask("document.activeElement.getBoundingClientRect().left") >= 0
    seen = set()
    for step in range(40):
        if step == 8:  # past the records of the timeline
            browser.ask("document.querySelector('#stages .scroll').focus()")
        browser.press("Tab", 9)
        seen.add(browser.ask("document.activeElement.id || document.activeElement.tagName"))
        ring = browser.ask("getComputedStyle(document.activeElement).outlineStyle")
        assert ring != "none", browser.ask("document.activeElement.outerHTML")
    assert {"theme", "search", "SUMMARY", "BUTTON"} <= seen


def test_it_is_printed_dark_on_light(browser: Chromium, report: Path) -> None:
    browser.look(1280, 800, dark=True)
    browser.open(report)
    assert browser.ask(GROUND) != "rgb(255, 255, 255)"
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.ask(GROUND) == "rgb(255, 255, 255)"
    assert sum(map(int, browser.ask("getComputedStyle(document.body).color.match(/\\d+/g)"))) < 200
    assert browser.ask("document.getElementById('filter').offsetHeight") == 0
    browser.ask("dispatchEvent(new Event('beforeprint'))")
    assert browser.ask(SHOWN) == 130
    browser.ask("dispatchEvent(new Event('afterprint'))")
    assert browser.ask(SHOWN) == 50
    browser.call("Emulation.setEmulatedMedia", media="")
