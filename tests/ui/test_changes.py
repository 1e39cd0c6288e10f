"""What is marked and shown before, while and after something is changed or deleted."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.containers import VerticalScroll
from textual.events import MouseScrollDown
from textual.widgets import Input, TextArea

from tests.commands.extracting import script
from tests.ui.conftest import Driver
from thalamus.api import Thalamus
from thalamus.records import Memory
from thalamus.ui.app import ThalamusApp
from thalamus.ui.console import Console
from thalamus.ui.entry_list import EntryList

Drive = Callable[..., ThalamusApp]
TEXTS = ["The fig.", "The rose.", "The tea.", "The oak.", "The elm."]


@pytest.fixture
def engine(drive: Drive, home: Path) -> Iterator[Thalamus]:
    """The same store, looked at from outside."""
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        yield thalamus


def marked(d: Driver) -> str:
    """The text of the entry that is marked."""
    chosen = d.app.screen.query_one(EntryList).chosen
    return chosen.text if chosen is not None else ""


def listed(d: Driver) -> list[str]:
    """The texts of the entries that are listed; none while another screen is shown."""
    return [entry.text for entries in d.app.screen.query(EntryList) for entry in entries._entries]


def remember(engine: Thalamus, texts: list[str]) -> None:
    """Remembers texts of which the first is listed first."""
    made = [
        Memory(content=text, created_at=f"2026-05-{day:02}T10:00:00Z")
        for day, text in enumerate(reversed(texts), 1)
    ]
    engine.remember(made)


def test_all_that_is_deleted_can_be_read(drive: Drive, engine: Thalamus) -> None:
    same = [f"The red lantern hangs in the hall, as note {n} says." for n in range(24)]
    engine.remember(
        [Memory(content=text) for text in ["The red lantern hangs in the hall.", *same]]
    )

    async def scenario(d: Driver) -> None:
        await d.press("f2")
        await d.until(lambda: len(listed(d)) == 25)
        d.app.screen.query_one(EntryList).highlighted = listed(d).index(
            "The red lantern hangs in the hall."
        )
        await d.press("d")
        await d.see("Delete all of this permanently?", "to delete: 25 memories", "Up, Down")
        text = d.app.screen.query_one(VerticalScroll)
        assert text.max_scroll_y > 0 and "Yes (y)" in d.screen_text()
        await d.press("end")
        await d.until(lambda: text.scroll_y == text.max_scroll_y, "the end")
        await d.until(lambda: "to delete" not in d.screen_text(), "the end on the screen")
        await d.press("home", "down", "down")
        await d.until(lambda: text.scroll_y == 2)
        await d.press("up")
        await d.until(lambda: text.scroll_y == 1)  # a page is counted from what is shown
        await d.press("pagedown")
        await d.until(lambda: text.scroll_y == text.scroll_target_y > 2, "the next page")
        await d.press("pageup")
        await d.until(lambda: text.scroll_y == text.scroll_target_y == 1, "the page before")
        await d.press("up")
        await d.until(lambda: text.scroll_y == 0, "the beginning")
        text.post_message(
            MouseScrollDown(text, 5, 5, 0, 1, 0, False, False, False, screen_x=20, screen_y=10)
        )
        await d.until(lambda: text.scroll_y > 0, "the wheel")
        await d.press("n")
        await d.until(lambda: len(listed(d)) == 25, "the list")

    drive(scenario)


def test_the_plan_says_what_else_a_turn_said(
    drive: Drive, engine: Thalamus, home: Path, tmp_path: Path
) -> None:
    message = "I moved to Lisbon in May and I prefer short answers."
    items = [
        {"quote": message[:24], "content": "The user moved to Lisbon in May."},
        {"quote": message[:24], "predicate": "lives_in", "object": "Lisbon"},
        {"quote": message[29:], "content": "The user prefers short answers."},
    ]
    model = script(tmp_path / "script.json", {message: items})
    with Thalamus(home=str(home), model=model, embedder="scripted") as told:
        told.turn(message)
    [moved] = [memory for memory in engine.memories.find() if "Lisbon" in memory.content]

    async def scenario(d: Driver) -> None:
        await d.press("f2")
        await d.until(lambda: len(listed(d)) == 2)
        d.app.screen.query_one(EntryList).highlighted = listed(d).index(moved.content)
        await d.press("d")
        await d.see("to delete: 1 turn, 1 memory, 1 fact", "to keep of what came from it")
        await d.see("I prefer short answers.”")
        await d.press("end")
        await d.see("kept, but no longer linked", "“The user prefers short answers.”")
        await d.press("y")
        await d.see("deleted: 1 turn, 1 memory, 1 fact")
        await d.until(lambda: listed(d) == ["The user prefers short answers."])

    drive(scenario)


def test_the_marked_row_is_the_one_that_was_changed(drive: Drive, engine: Thalamus) -> None:
    remember(engine, TEXTS)

    def named(text: str) -> Memory:
        return next(memory for memory in engine.memories.find() if memory.content == text)

    async def scenario(d: Driver) -> None:
        await d.press("f2")
        await d.until(lambda: listed(d) == TEXTS)
        await d.press("down", "down")
        await d.press("p")
        await d.see("Pinned: ", "u undoes it.")
        assert marked(d) == "The tea." and named("The tea.").pinned
        await d.press("plus")
        await d.see("Promoted: ")
        assert marked(d) == "The tea." and named("The tea.").scope == "core"
        await d.press("minus")
        await d.see("Demoted: ")
        assert marked(d) == "The tea." and named("The tea.").scope == "archival"
        await d.press("e")
        await d.see("Edit a memory")
        d.app.screen.query_one("#content", TextArea).text = "The green tea."
        await d.press("ctrl+s")
        await d.until(lambda: "The green tea." in listed(d))
        assert marked(d) == "The green tea."
        await d.press("u")
        await d.see("What can be undone", "“The tea.” → “The green tea.”", "pin")
        await d.press("enter")
        await d.see("Undo edit")
        await d.press("y")
        await d.until(lambda: "The tea." in listed(d))
        assert marked(d) == "The tea."
        await d.press("enter")  # the same from the page of one memory
        await d.see("Where it came from", "without a turn or a document")
        await d.press("e")
        await d.see("Edit a memory")
        d.app.screen.query_one("#content", TextArea).text = "The black tea."
        d.app.screen.query_one("#topic", Input).value = "tins"
        await d.press("ctrl+s")
        await d.see("Changed: ", "topic        tins", "supersedes")
        await d.press("escape")
        await d.until(lambda: "The black tea." in listed(d))
        assert marked(d) == "The black tea."

    drive(scenario)


@pytest.mark.sqlite
def test_after_a_deletion_the_next_row_is_marked(
    drive: Drive, engine: Thalamus, home: Path
) -> None:
    remember(engine, TEXTS[:3])
    [file] = home.rglob("*.db")

    async def delete(d: Driver, text: str) -> None:
        await d.press("d")
        await d.see("Delete all of this permanently?", f"“{text}”")
        await d.press("y")

    async def scenario(d: Driver) -> None:
        await d.press("f2")
        await d.until(lambda: listed(d) == TEXTS[:3])
        await d.press("down")
        await d.until(lambda: "observation" in d.text("#preview"))
        other = sqlite3.connect(file)
        await d.press("d")
        await d.see("Delete all of this permanently?")
        other.execute("BEGIN IMMEDIATE")  # it cannot be deleted yet
        await d.press("y")
        await d.until(lambda: marked(d) == "The tea.", "the next one")
        assert (
            "The rose." not in d.screen_text() and "The rose." in engine.memories.find()[1].content
        )
        await d.press("down", "up")
        assert listed(d) == ["The fig.", "The tea."]
        other.rollback()
        other.close()
        await d.see("deleted: 1 memory")
        await d.press("end")
        for text, left in (("The tea.", "The fig."), ("The fig.", "")):
            await delete(d, text)
            await d.until(lambda text=text: text not in listed(d))
            assert marked(d) == left
        await d.until(lambda: d.text("#preview") == "")
        await d.see("Nothing matches.")

    drive(scenario)


def test_weak_matches_are_marked(drive: Drive, engine: Thalamus) -> None:
    tree, gate = "Ana planted a fig tree behind the old house in spring.", "The house has a gate."
    engine.remember([Memory(content=tree), Memory(content=gate)])

    async def scenario(d: Driver) -> None:
        await d.press("f2")
        asked = "Which tree did Ana plant behind the old house in spring?"
        d.app.screen.query_one("#search", Input).value = asked
        await d.until(lambda: listed(d) == [tree, gate])
        await d.see(", weak")
        marks = {e.text: e.marks for e in d.app.screen.query_one(EntryList)._entries}
        assert "weak" in marks[gate] and "weak" not in marks[tree]

    drive(scenario, min_score=0.0)


def test_long_texts_are_cut_where_they_are_listed_and_read_in_whole_where_it_matters(
    drive: Drive, engine: Thalamus
) -> None:
    said = "The harbour master has the keys of the boat shed, and the ice house opens at "
    engine.remember([Memory(content=f"{said}nine.")])
    engine.memories.edit(engine.memories.find()[0].id or "", content=f"{said}seven.")

    async def scenario(d: Driver) -> None:
        await d.press("f2")
        await d.see("The harbour master")
        await d.press("u")
        await d.see("What can be undone", "nine.” →", "seven.”", "2026-06-07")
        await d.press("enter")
        await d.see("Undo edit")
        await d.press("y")
        await d.see("Undone: edit")
        await d.until(lambda: listed(d) == [f"{said}nine."])
        await d.press("p")
        await d.see("Pinned: ")
        [row] = [line for line in d.screen_text().splitlines() if "observation   " in line]
        assert "…  pinned" in row  # the text is cut, and not what is remarked on it
        await d.press_over_remarks("d")
        await d.see("Delete all of this permanently?", "Yes (y)", "No (n)")
        assert "Pinned: " not in d.screen_text()  # it would cover the buttons
        assert "has the keys of the boat shed" in d.screen_text()
        await d.press("n")

    drive(scenario)
    assert [one.content for one in engine.memories.find()] == [f"{said}nine."]


def test_all_memories_are_counted(drive: Drive, engine: Thalamus) -> None:
    remembered = [Memory(content=f"Note {n} of the harbour master.") for n in range(202)]
    engine.remember(remembered)
    old = engine.memories.find(limit=1)[0]
    engine.memories.edit(old.id or "", content="The last note of the harbour master.")

    async def scenario(d: Driver) -> None:
        await d.press("f2")
        await d.see("200 of 202")

    drive(scenario)
    assert engine.memories.count() == {"memory": 202, "fact": 0}


def test_what_is_deleted_is_not_shown_in_the_chat_any_more(drive: Drive) -> None:
    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model)
        await d.say("I prefer green tea.")
        await d.say("I have a dog named Gull.")
        await d.see("green tea", "Gull")
        await d.press("f2")
        await d.until(lambda: any("Gull" in row for row in listed(d)))
        dog = next(n for n, row in enumerate(listed(d)) if "Gull" in row)
        d.app.screen.query_one(EntryList).highlighted = dog
        await d.press("d")
        await d.see("Delete all of this permanently?")
        await d.press("y")
        await d.see("deleted: ")
        await d.press("f1")
        await d.see("green tea")
        await d.until(lambda: "Gull" not in d.screen_text(), "the dog is gone")
        assert "Gull" not in d.app.chat_page.query_one(Console).text("evidence")

    drive(scenario)
