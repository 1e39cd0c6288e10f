"""The page of a report: what it may load and run, how it reads without a browser's help."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise

import pytest
from msgspec.structs import replace

from tests.conftest import NOW
from thalamus.records.metrics import Metric
from thalamus.records.statistics import Period, StageTimes
from thalamus.records.timelines import TimelineItem
from thalamus.report.content import Content, DrawnEdge, DrawnNode, ReportRow, RowLink
from thalamus.report.layout import places, without_overlap
from thalamus.report.page import page

EVIL = "</script><img src=x onerror=\"document.title='evil'\"><script>alert(1)</script>\u202e'&\x00"


def content(text: str = "The user keeps bees.", rows: int = 3) -> Content:
    made = [
        ReportRow(
            kind=("turn", "memory", "fact", "insight")[n % 4],
            id=f"mem_{n}{'' if text.isalnum() else text[:20]}",
            at=NOW,
            day=NOW[:10],
            text=f"{text} {n}",
            label=text,
            status=text,
            answer=text,
            quotes=[text],
            details={text: text},
            links=[RowLink("from", text, text), RowLink(text, "turn_1")],
            recalled=n,
            more=2,
        )
        for n in range(rows)
    ]
    happened = [
        TimelineItem(at=NOW, kind="memory", id=row.id, text=text, status=text) for row in made
    ]
    return Content(
        title=text,
        made_at=NOW,
        version="1",
        scope=[text],
        counts={"turn": 1, "memory": 2, "fact": 3, "insight": 4},
        hidden=2,
        older=1,
        unit="day",
        periods=[
            Period(start="2026-05-07", turns=3, memories=1, recalled=4, recalling=2),
            Period(start="2026-05-08", turns=1, facts=2, insights=1),
        ],
        figures=[Metric(name="recall", description=text, value=0.9, target=0.85, bound="above")],
        stages=[StageTimes(stage=text, model=text, calls=3, ms=20, tokens_in=3, tokens_out=4)],
        timeline=happened,
        earlier=False,
        days={NOW: NOW[:10]},
        nodes=[DrawnNode("a", text, "entity", 4), DrawnNode("b", "Porto", "topic", 2)],
        edges=[DrawnEdge("a", "b", 2), DrawnEdge("a", "b", label=text)],
        all_nodes=7,
        rows=made,
    )


class Elements(HTMLParser):
    """The elements of a page: ``found`` are (name, attributes), ``texts`` what stands in each
    script and style, ``open`` what was not closed."""

    VOID = ("meta", "input", "br", "link", "img")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.texts:
            self.texts[self.open[-1]].append(data)

    def named(self, *names: str) -> list[tuple[str, dict[str, str]]]:
        return [one for one in self.found if one[0] in names]


@pytest.fixture(scope="module")
def plain() -> Elements:
    return Elements(page(content()))


# -- what it may do --------------------------------------------------------------------------------


def test_text_is_only_text() -> None:
    made = Elements(page(content(EVIL)))
    assert made.open == []
    assert len(made.named("script")) == 2 and len(made.texts["script"]) == 2
    assert not made.named("img", "iframe", "link", "object", "embed", "base")
    for name, attributes in made.found:
        assert not [key for key in attributes if key.startswith("on")], name
        assert "style" not in attributes, name
    text = page(content(EVIL))
    assert "\x00" not in text and "\u202e" not in text
    assert "<img" not in text


def test_only_its_own_style_and_script_are_allowed(plain: Elements) -> None:
    [policy] = [
        one["content"]
        for _, one in plain.named("meta")
        if one.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(None, 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy and "http" not in policy

    def hashes(texts: Sequence[str]) -> set[str]:
        return {
            f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
            for text in texts
        }

    assert set(rules["script-src"].split()) == hashes(plain.texts["script"])
    assert set(rules["style-src"].split()) == hashes(plain.texts["style"])


def test_nothing_is_loaded(plain: Elements) -> None:
    for name, attributes in plain.found:
        for key in ("src", "href", "action", "data", "poster", "srcset", "xlink:href"):
            assert attributes.get(key, "#").startswith("#"), (name, attributes)
    for text in (*plain.texts["script"], *plain.texts["style"]):
        assert not re.search(r"https?:|//\w+\.|@import|url\(|fetch\(|XMLHttp|innerHTML|eval", text)


def test_the_same_content_gives_the_same_page() -> None:
    assert page(content()) == page(content())


# -- how it is read --------------------------------------------------------------------------------


def test_headings_and_landmarks(plain: Elements) -> None:
    levels = [int(name[1]) for name, _ in plain.found if re.fullmatch(r"h\d", name)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(below - above <= 1 for above, below in pairwise(levels))
    for name in ("header", "main", "footer", "h1"):
        assert len(plain.named(name)) == 1, name
    ids = [one["id"] for _, one in plain.found if "id" in one]
    assert len(ids) == len(set(ids))
    for _, one in plain.named("section"):
        assert one["aria-labelledby"] in ids
    for _, one in plain.named("a"):
        assert one["href"][1:] in ids or one["href"].startswith("#row-"), one
    assert dict(plain.found)["html"]["lang"] == "en"


def test_tables_pictures_and_fields_have_names(plain: Elements) -> None:
    assert all("scope" in one for _, one in plain.named("th"))
    assert len(plain.named("table")) == len(plain.named("caption")) == 5
    assert all(one.get("role") == "img" or "aria-hidden" in one for _, one in plain.named("svg"))
    text = page(content())
    pictures = re.findall(r'<svg[^>]*role="img"[^>]*>(<title>[^<]+)?', text)
    assert pictures and all(pictures)
    assert text.count("<input") == len(re.findall(r"<label[^>]*>[^<]*<input", text))


def test_the_days_say_what_there_is_of_which_kind() -> None:
    happened = [
        TimelineItem(at=f"2026-05-{day:02}T08:00:00Z", kind=kind, id=f"{kind}_{n}", text="Bees.")
        for n, (day, kind) in enumerate([(7, "turn"), (7, "memory"), (7, "memory"), (8, "fact")])
    ]
    days = {item.at: item.at[:10] for item in happened}
    text = page(replace(content(), timeline=happened, days=days))
    later, earlier = "2026-05-08: 1 fact<", "2026-05-07: 1 turn, 2 memories<"
    assert 0 < text.index(later) < text.index(earlier)


def test_an_empty_store_has_a_page() -> None:
    nothing = Content(
        title="Nothing",
        made_at=NOW,
        version="1",
        scope=[],
        counts={},
        older=0,
        timeline=[],
        earlier=False,
        days={},
        rows=[],
    )
    made = Elements(page(nothing))
    assert made.open == []
    assert [one["id"] for _, one in made.named("section")] == ["overview", "records"]


# -- colours ---------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def themes() -> list[dict[str, str]]:
    style = files("thalamus.report").joinpath("page.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root[^{]*\{([^{}]*--text[^{}]*)\}", style)
    return [dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block)) for block in blocks]


def test_black_on_white_has_the_contrast_that_the_standard_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_every_text_can_be_read(number: int) -> None:
    theme = themes()[number]
    for name, colour in theme.items():
        if name in ("page", "panel", "line"):
            continue
        for ground in ("page", "panel"):
            assert contrast(colour, theme[ground]) >= 4.5, (name, ground)


def test_both_ways_to_the_dark_theme_are_the_same() -> None:
    light, dark, chosen = themes()
    assert dark == chosen != light
    assert set(dark) == set(light)


def test_every_colour_of_the_style_is_a_variable() -> None:
    style = files("thalamus.report").joinpath("page.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\(--(\w+)\)", style))
    assert used == set(themes()[0])
    rest = re.sub(r":root[^{]*\{[^{}]*\}", "", style)
    assert not re.search(r"#[0-9a-f]{3,6}\b|rgb|hsl", rest)


# -- the graph -------------------------------------------------------------------------------------


def test_nodes_stay_in_the_picture_and_apart() -> None:
    edges = [(0, n, 1.0) for n in range(1, 30)] + [(n, n + 1, 5.0) for n in range(1, 29)]
    placed = places([6.0] * 40, edges, (900, 600), 40)
    assert len(placed) == 40
    assert all(40 <= x <= 860 and 40 <= y <= 560 for x, y in placed)
    near = [
        ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5
        for n, a in enumerate(placed)
        for b in placed[n + 1 :]
    ]
    assert min(near) > 12
    assert placed == places([6.0] * 40, edges, (900, 600), 40)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_small_graphs_are_drawn(count: int) -> None:
    assert len(places([5.0] * count, [], (900, 600), 40)) == count


def test_what_is_connected_is_nearer() -> None:
    pairs = [(n, n + 1, 9.0) for n in range(0, 20, 2)]
    placed = places([5.0] * 20, pairs, (900, 600), 40)

    def distance(a: int, b: int) -> float:
        return sum((p - q) ** 2 for p, q in zip(placed[a], placed[b], strict=True)) ** 0.5

    joined = [distance(a, b) for a, b, _ in pairs]
    other = [distance(a, (a + 7) % 20) for a, _, _ in pairs]
    assert sum(joined) < sum(other) / 2


def test_labels_do_not_cover_each_other() -> None:
    boxes = [(0.0, 0.0, 10.0, 5.0), (5.0, 2.0, 15.0, 7.0), (10.0, 0.0, 20.0, 5.0)]
    assert without_overlap(boxes) == [True, False, True]
