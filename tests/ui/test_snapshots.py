"""Every page as a picture, on a small and on a large terminal. ``pytest --snapshot-update -m slow``
takes them again; look at each that changed."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from tests.ui.conftest import Driver
from thalamus.api import Thalamus
from thalamus.records import Project, Turn, WorldOperation
from thalamus.ui.app import ThalamusApp
from thalamus.ui.entry_list import EntryList
from thalamus.ui.pages import PAGES

Drive = Callable[..., ThalamusApp]
SIZES = {"small": (80, 24), "large": (120, 40)}
LARGE = ("console", "memory", "timeline", "details")  # pages that have another shape there
SAID = (
    ("2026-03-01T09:00:00Z", "I live in Porto and I work at Bosch."),
    ("2026-03-20T09:00:00Z", "I signed up for the pottery course at the mill."),
    ("2026-04-02T10:00:00Z", "My teacher praised the bowls of my pottery course."),
    ("2026-05-02T10:00:00Z", "I moved to Lisbon yesterday. My sister is called Ana."),
)


class Picture(SingleFileSnapshotExtension):
    """A picture as a file of its own."""

    file_extension = "svg"
    _write_mode = WriteMode.TEXT


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


@pytest.fixture
def lived(drive: Drive, home: Path, tmp_path: Path) -> Iterator[Thalamus]:
    """A store with something of everything."""
    notes = tmp_path / "herbs.md"
    notes.write_text("# Herbs\n\nBasil needs sun. Mint needs shade and water.\n")
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        for at, message in SAID:
            thalamus.turn(Turn(message=message, created_at=at, session=f"chat_{at[5:7]}"))
        list(thalamus.insights.crystallize())
        thalamus.projects.add(Project(name="Herb garden", created_at="2026-04-01T09:00:00Z"))
        thalamus.projects.apply([WorldOperation(op="set", path="project", value="Herb garden")])
        thalamus.ingest(notes)
        yield thalamus


def drawn(d: Driver) -> str:
    """What is on the screen, without fonts from elsewhere."""
    drawn = re.sub(r"@font-face \{.*?\}\n", "", d.app.export_screenshot(), flags=re.DOTALL)
    # sizes of files and times differ each time, and with them the name of the picture
    drawn = re.sub(r"[\d.,]+(&#160;(?:[kM]?B|ms|s)\b)", r"…\1", drawn)
    return re.sub(r"terminal-\d+", "terminal", drawn)


@pytest.mark.slow
def test_pages(drive: Drive, lived: Thalamus, picture: SnapshotAssertion) -> None:
    pictures: dict[str, str] = {}

    async def take(d: Driver, name: str) -> None:
        """Takes a picture, and another one where a page has another shape on a large terminal."""
        for size in SIZES if name in LARGE else ("small",):
            if size == "large":
                await d.resize(*SIZES[size])
            await d.settle()
            pictures[f"{size}-{name}"] = drawn(d)
        if name in LARGE:
            await d.resize(*SIZES["small"])

    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model)
        await d.say("Where do I live? **And** who is Ana?")
        await d.press("escape")
        await take(d, "chat")
        await d.press("ctrl+g", "e", "e")
        await take(d, "console")
        for number, name in list(enumerate(PAGES, 1))[1:]:
            await d.press(f"f{number}")
            await d.settle()
            if d.app.screen.query(EntryList):
                d.app.screen.query_one(EntryList).focus()
            if name == "statistics":  # how long it is says how many stages had to wait
                d.app.screen.query_one("VerticalScroll").styles.scrollbar_size_vertical = 0
            if name == "settings":
                await d.until(lambda: d.app.screen.query("#role-answer"))
            await take(d, name)
        await d.press("f2", "enter")
        await d.see("Where it came from")
        await take(d, "details")
        await d.press("d")
        await d.see("Delete all of this permanently?")
        await d.see("Up, Down: the rest")  # the page waits for the answer and does not settle
        pictures["small-forget"] = drawn(d)
        await d.press("n", "e")
        await d.see("Edit a memory")
        await d.press("tab", "tab", "tab")
        await take(d, "edit")
        await d.press("escape", "escape", "question_mark")
        await take(d, "help")
        await d.press("escape")
        d.app.theme = "textual-light"
        await d.press("f1", "f2")
        await take(d, "light")

    drive(scenario)
    for name, svg in pictures.items():
        same = picture(name=name) == svg
        assert same, f"{name}:\n{html.unescape(re.sub('<[^>]*>', '', svg))}"
