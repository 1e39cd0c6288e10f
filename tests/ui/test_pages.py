"""The pages next to the chat and the memory: time, insights, world, files, sessions, settings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
import yaml
from textual import events
from textual.app import App
from textual.widgets import Checkbox, Input, Select, Tree

from tests.ui.conftest import Driver
from thalamus.api import Thalamus
from thalamus.config import user_file
from thalamus.records import Turn
from thalamus.ui.app import ThalamusApp
from thalamus.ui.details import Details
from thalamus.ui.dialogs import Confirm
from thalamus.ui.documents import DocumentsPage, pasted_paths
from thalamus.ui.entry_list import EntryList
from thalamus.ui.slider import DaySlider

Drive = Callable[..., ThalamusApp]
SAID = (
    ("2026-03-01T09:00:00Z", "I live in Porto and I work at Bosch."),
    ("2026-03-20T09:00:00Z", "I signed up for the pottery course at the mill."),
    ("2026-04-02T10:00:00Z", "My teacher praised the bowls of my pottery course."),
    ("2026-05-02T10:00:00Z", "I moved to Lisbon yesterday."),
)


@pytest.fixture
def engine(drive: Drive, home: Path) -> Iterator[Thalamus]:
    """The same store, looked at from outside."""
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        yield thalamus


@pytest.fixture
def lived(engine: Thalamus) -> Thalamus:
    """A store in which something was said on different days."""
    for at, message in SAID:
        engine.turn(Turn(message=message, created_at=at, session=f"chat_{at[5:7]}"))
    list(engine.insights.crystallize())
    return engine


def listed(d: Driver) -> list[str]:
    return [entry.text for entry in d.app.screen.query_one(EntryList)._entries]


def test_the_timeline_and_the_insights(drive: Drive, lived: Thalamus) -> None:
    async def scenario(d: Driver) -> None:
        await d.press("f3")
        await d.until(lambda: "user lives_in Lisbon" in listed(d))
        await d.see("2026-05-08", "█")
        await d.press(*["left"] * 8)
        await d.until(lambda: "user lives_in Porto" in listed(d))
        assert "user lives_in Lisbon" not in listed(d)
        assert d.app.screen.query_one(DaySlider).day == date(2026, 4, 30)
        await d.press("pageup", "home")
        await d.until(lambda: len(listed(d)) == 2)
        await d.click("DaySlider")
        await d.press("end", "slash", *"user")
        await d.until(lambda: "user lives_in Lisbon" in listed(d))
        await d.press("enter", "t")
        await d.until(lambda: SAID[3][1] not in listed(d) and len(listed(d)) > 3)
        await d.press("w")
        await d.until(lambda: isinstance(d.app.screen, Details))
        await d.press("escape", "f4")
        await d.until(lambda: len(listed(d)) == 1 and "pottery" in listed(d)[0])
        tree = d.app.screen.query_one(Tree)
        await d.until(lambda: tree.root.children)
        tree.focus()
        await d.press("down", "enter")
        await d.until(lambda: isinstance(d.app.screen, Details))
        await d.press("escape", "m")
        await d.see("nothing to merge")
        await d.press("tab", "tab", "x")
        await d.see("concluded again")
        await d.press("y")
        await d.see("Rejected.", "u undoes it.")
        await d.until(lambda: listed(d) == [])
        await d.press("a")
        await d.until(lambda: len(listed(d)) == 1)
        assert [i.status for i in lived.insights.find(status=None)] == ["rejected"]
        await d.press("a")
        await d.until(lambda: listed(d) == [])
        await d.press("u")
        await d.see("reject", "pottery")
        await d.press("enter")
        await d.see("Undo reject")
        await d.press("y")
        await d.until(lambda: len(listed(d)) == 1 and "pottery" in listed(d)[0])

    drive(scenario)


def test_the_world_and_the_documents(drive: Drive, engine: Thalamus, tmp_path: Path) -> None:
    folder = tmp_path / "my notes"
    folder.mkdir()
    (folder / "herbs.md").write_text("# Herbs\n\nBasil needs sun.\n")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    quoted, url = f"'{folder}'", folder.as_uri()
    assert pasted_paths(quoted) == pasted_paths(url) == pasted_paths(f"{folder}\n") == [folder]
    assert pasted_paths("not a path") == [] and pasted_paths("x" * 5000) == []

    async def scenario(d: Driver) -> None:
        await d.press("f5")
        await d.see("It never changed.")
        await d.press("o")
        await d.paste("Garden")
        await d.press("enter")
        await d.until(lambda: listed(d) == ["project = Garden"])
        await d.press("t")
        await d.paste("Basil")
        await d.press("enter")
        await d.until(lambda: len(listed(d)) == 2)
        await d.see("goals     Basil")
        await d.press("u")
        await d.see("What can be undone")
        await d.press("enter", "y")
        await d.see("Undone: world")
        assert engine.projects.world().goals == [] and engine.projects.world().project == "Garden"
        await d.press("f6")
        await d.see("No documents yet.")
        page = d.app.screen
        assert isinstance(page, DocumentsPage)
        page.post_message(events.Paste(str(folder)))
        await d.see("Read this into memory?")
        await d.press("enter")
        await d.until(lambda: listed(d) == ["Herbs"])
        await d.see("failed", "broken.pdf")
        await d.press("i")
        await d.paste("/nowhere")
        await d.press("enter")
        await d.see("missing")
        await d.press("d")
        await d.see("Delete all of this permanently?")
        await d.press("y")
        await d.until(lambda: listed(d) == [] and engine.memories.documents() == [])

    drive(scenario)


@pytest.mark.parametrize("twice", [False, True])
def test_leaving_finishes_one_document_and_names_the_rest(
    drive: Drive, engine: Thalamus, tmp_path: Path, twice: bool
) -> None:
    """Ctrl+Q again does not even wait for that one."""
    folder, script, gate = tmp_path / "notes", tmp_path / "script.yaml", tmp_path / "gate"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\n{'Basil needs sun. ' * 400}\n")
    script.write_text(f"- {{role: summary, reply: 'A note.', until: {gate}}}\n")

    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model)
        await d.press("f6", "i")
        await d.paste(str(folder))
        await d.press("enter")
        await d.until(lambda: d.app.reading)
        await d.press("ctrl+q")
        await d.see("Reading one document to its end")
        assert d.app.reading
        if twice:
            await d.press("ctrl+q")
        else:
            gate.touch()
        await d.end()

    app = drive(scenario, model=f"scripted:{script}")
    assert app.unread == [folder] and app.return_value is not twice
    assert [one.title for one in engine.memories.documents()] == ([] if twice else ["Note 0"])
    gate.touch()  # for the thread that was left


def test_sessions_are_found_named_and_resumed(
    drive: Drive, lived: Thalamus, tmp_path: Path
) -> None:
    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model)
        await d.press("f7")
        await d.until(lambda: len(listed(d)) == 3)
        await d.see("> I moved to Lisbon yesterday.")
        await d.press("slash")
        await d.paste("pottery")
        await d.press("enter")
        await d.until(lambda: len(listed(d)) == 2)
        d.app.screen.query_one("#search", Input).value = ""
        await d.until(lambda: len(listed(d)) == 3)
        await d.press("home", "r")
        await d.see("Title of this conversation")
        d.app.screen.query_one(Input).value = "Moving"
        await d.press("enter")
        await d.until(lambda: "Moving" in listed(d))
        await d.press("o")
        d.app.screen.query_one(Input).value = str(tmp_path / "chat.md")
        await d.press("enter")
        await d.see("Written to")
        assert "I moved to Lisbon yesterday." in (tmp_path / "chat.md").read_text()
        await d.press("enter")
        await d.until(lambda: d.app.screen is d.app.chat_page)
        await d.see("I moved to Lisbon yesterday.", "session chat_05")
        await d.say("I planted a fig.")
        assert lived.sessions.get("chat_05").turns == 2
        await d.press("f7")
        await d.press("n")
        await d.until(lambda: d.app.session not in ("main", "chat_05"))
        await d.say("/resume")  # the page, too
        await d.until(lambda: d.app.screen is not d.app.chat_page)
        await d.press("enter")
        await d.until(lambda: d.app.session == "chat_05")
        await d.see("I planted a fig.", "session chat_05")
        await d.say("/new")
        await d.until(lambda: d.app.session != "chat_05")
        await d.say("/resume chat_04")
        await d.until(lambda: d.app.session == "chat_04")
        await d.see("bowls of my pottery course.", "session about", "1 turn")
        await d.press("f8")
        await d.see("On disk", "Records")

    drive(scenario)


def test_settings_are_changed_and_everything_is_reset(drive: Drive, lived: Thalamus) -> None:
    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model)
        await d.press("f9")
        page = d.app.screen
        await d.until(lambda: page.query("#role-answer"))
        await d.press("space")
        await d.until(lambda: not d.app.config.memory)
        await d.press("space")
        await d.until(lambda: d.app.config.memory)
        page.query_one("#prompts", Checkbox).toggle()
        await d.until(lambda: d.app.config.log_prompts)
        page.query_one("#panel-prompts", Checkbox).toggle()
        await d.until(lambda: "prompts" in d.app.preferences.panels)
        page.query_one("#theme", Select).value = "textual-light"
        await d.until(lambda: d.app.theme == "textual-light")
        page.query_one("#level", Select).value = "error"
        await d.until(lambda: d.app.config.log_level == "error")
        page.query_one("#role-answer", Select).value = "scripted"
        await d.until(lambda: d.app.config.models == {"answer": "scripted"})
        page.query_one("#memory").focus()
        await d.press("s")
        await d.see("Saved to", "log_level: error", "models.answer: scripted")
        await d.press("s")
        await d.see("Nothing to save")
        await d.press("f1")
        await d.say("Where do I live?")
        await d.see("Lisbon")
        assert "Where do I live?" in d.app.chat_page.query_one("Console").text("prompts")
        await d.press("f9", "ctrl+r")
        await d.see("Type the name of the memory (default)")
        await d.paste("other")
        await d.press("enter")
        await d.see("nothing was erased")
        await d.press("ctrl+r")
        await d.see("Type the name of the memory (default)")
        await d.paste("default")
        await d.press("enter")
        await d.see("The memory was erased.")

    app = drive(scenario)
    assert app.preferences.theme == "textual-light"
    assert lived.store.is_empty()
    saved = yaml.safe_load(user_file(lived.config).read_text())
    assert saved == {
        "log_level": "error",
        "log_prompts": True,
        "model": "scripted",
        "models": {"answer": "scripted"},
    }


def test_an_answer_that_comes_before_the_dialog_is_drawn() -> None:
    async def answer() -> None:
        app: App[None] = App()
        async with app.run_test() as pilot:
            dialog = Confirm("Really?", "one\ntwo")
            answers: list[bool | None] = []
            app.push_screen(dialog, answers.append)
            await pilot.press("y")
            await pilot.pause()
            dialog._break_lines()  # as a slow machine calls them
            dialog._say_if_more()
            assert answers == [True]

    asyncio.run(answer())
