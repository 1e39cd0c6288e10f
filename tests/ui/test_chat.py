"""The chat of the full screen and its debug console."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.widgets import Collapsible, Markdown

from tests.models.one_slot import OneSlot
from tests.ui.conftest import Driver
from thalamus.api import Thalamus
from thalamus.terminal.history import typed_lines
from thalamus.ui.app import ThalamusApp
from thalamus.ui.composer import Composer

Drive = Callable[..., ThalamusApp]
MOVED = "I moved to Lisbon in May and I prefer short answers."


def test_a_conversation_is_answered_remembered_and_shown_in_the_console(
    drive: Drive, home: Path
) -> None:
    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model == "scripted")
        await d.type("one")
        await d.press("ctrl+j")
        await d.type("two")
        assert d.app.chat_page.query_one(Composer).text == "one\ntwo"
        d.app.chat_page.query_one(Composer).clear()
        await d.say(MOVED)
        await d.see("Noted: You moved to Lisbon")
        await d.say("Where do I live?")
        await d.see("You told me: The user lives in Lisbon.")
        await d.press("ctrl+o")
        await d.see("answered by scripted", "Where it came from")
        await d.press("escape")
        await d.press("up", "up")
        assert d.app.chat_page.query_one(Composer).text == MOVED
        await d.press("down", "down")
        await d.say("/facts")
        await d.see("user lives_in Lisbon")
        await d.say("I grow figs.")
        await d.say("/copy")
        assert "figs" in d.app.clipboard
        await d.say("/undo")
        await d.say("/nonsense")
        await d.see("Unknown command /nonsense.")
        await d.press("ctrl+g")
        await d.until(lambda: "(nothing)" in d.text("#panel-evidence"))
        assert "because" not in d.text("#panel-plan")
        stages = d.text("#panel-stages")
        assert "retrieve" in stages and "store" in stages and "together" in stages
        assert "Unknown command /nonsense" in d.text("#panel-issues")
        await d.press("r", "s")
        await d.until(lambda: "reflection" in d.app.preferences.panels)
        assert "stages" not in d.app.preferences.panels
        await d.press("ctrl+g")

    app = drive(scenario, size=(100, 40))
    assert app.return_value is True  # all is stored
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        assert "Lisbon" in {fact.object for fact in thalamus.facts.find()}
        assert not thalamus.unfinished_turns()


@pytest.mark.parametrize(("columns", "shown"), [(200, True), (80, False)])
def test_the_console_is_open_where_there_is_room_and_the_user_is_greeted(
    drive: Drive, home: Path, columns: int, shown: bool
) -> None:
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        thalamus.facts.set_profile(name="Ana", home="Lisbon")

    async def scenario(d: Driver) -> None:
        await d.see("you: name Ana; home Lisbon")
        page = d.app.chat_page
        assert page.query_one("#panel-plan").region.area > 0 or not shown
        assert page.has_class("-debug") is shown
        await d.press("ctrl+g")
        assert page.has_class("-debug") is not shown
        assert d.app.preferences.console is not shown

    drive(scenario, size=(columns, 40))


def test_an_answer_is_stopped_and_what_fails_is_shown(drive: Drive, tmp_path: Path) -> None:
    script, gate = tmp_path / "script.yaml", tmp_path / "gate"
    script.write_text(
        f"- {{role: answer, match: Lisbon, reply: 'one two three four five', until: {gate}}}\n"
        "- {role: answer, match: Porto, error: failed}\n"
        "- {role: reflect, error: failed}\n"
    )

    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model)
        page = d.app.chat_page
        page.query_one(Composer).text = "I moved to Lisbon."
        await d.press("enter")
        await d.until(lambda: page.answering)
        await d.see("thinking …")
        await d.press("ctrl+c")
        gate.touch()
        await d.see("(stopped; the partial answer is kept)")
        await d.until(lambda: not page.answering)
        await d.say("I like Porto.")
        await d.see("its script says so")
        await d.say("I grow figs.")
        await d.press("ctrl+g")
        await d.until(lambda: "Traceback" in d.text("#panel-issues"))
        assert "remembering" in d.text("#panel-issues")
        await d.say("/help")
        await d.see("/search WORDS", "!COMMAND runs")
        page.query_one(Composer).text = "/quit"
        page.query_one(Composer).action_send()
        await d.end()

    drive(scenario, model=f"scripted:{script}")


def test_what_is_typed_outside_the_field_goes_into_it(drive: Drive) -> None:
    async def scenario(d: Driver) -> None:
        composer = d.app.chat_page.query_one(Composer)
        await d.see("esc Leave the field", "Nothing is remembered yet.")
        await d.press("escape")
        await d.until(lambda: d.app.focused is not composer)
        assert "esc" not in d.screen_text()
        await d.type("Où 1?")  # the first is no key; when the others come the focus is there
        await d.until(lambda: composer.text == "Où 1?")
        await d.press("escape", "2")
        await d.until(lambda: d.app.screen is not d.app.chat_page)
        await d.press("f1", "escape")
        d.app.chat_page.post_message(events.Paste(" two\nlines"))
        await d.until(lambda: composer.text == "Où 1? two\nlines")
        assert d.app.focused is composer

    drive(scenario)


def test_while_an_answer_comes_escape_stops_it_and_nothing_explains_it(
    drive: Drive, tmp_path: Path
) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(
        "- {role: answer, match: Lisbon, reply: 'one two three four five six', pace: 0.5}\n"
        "- {role: answer, match: Porto, reply: 'Porto it is.'}\n"
    )

    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model)
        page = d.app.chat_page
        await d.press("ctrl+o")
        await d.see("There is no answer yet.")
        await d.say("I like Porto.")
        await d.type("I moved to Lisbon.")
        await d.press("enter")
        await d.until(lambda: page.answering)
        await d.see("esc Stop")
        await d.press("ctrl+o")
        await d.see("The answer is not there yet.", "thinking …")
        assert d.app.screen is page
        composer = page.query_one(Composer)
        await d.type("and then")  # what is being written is not left
        await d.press("escape")
        await d.see("(stopped; the partial answer is kept)", "esc Leave the field")
        await d.until(lambda: not page.answering)
        assert composer.has_focus and composer.text == "and then"
        composer.text = "I moved to Lisbon."
        await d.press("enter")
        await d.until(lambda: page.answering)
        await d.press("escape", "2")  # with nothing in the field digits are keys at once
        await d.until(lambda: d.app.screen is not page)
        await d.press("1")
        await d.until(lambda: not page.answering)
        assert composer.text == ""

    drive(scenario, model=f"scripted:{script}")


def test_everything_can_be_clicked(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model)
        monkeypatch.setattr(d.app, "open_url", opened.append)
        await d.say("I love figs.")
        page = d.app.chat_page
        for address in ("file:///etc/passwd", "https://example.org/a?b"):
            markdown = page.query_one(Markdown)
            markdown.post_message(Markdown.LinkClicked(markdown, address))
        await d.see("Not opened: file:///etc/passwd", "https://example.org/a?b")
        await d.press("y")
        await d.until(lambda: opened == ["https://example.org/a?b"])
        await d.press("ctrl+g")
        panel = page.query_one("#evidence", Collapsible)
        await d.until(lambda: panel.region.height)
        was = panel.collapsed
        await d.click("#evidence CollapsibleTitle")
        await d.until(lambda: panel.collapsed is not was)
        await d.click("PageBar", offset=(9, 0))
        await d.until(lambda: d.app.screen is not page)
        await d.see("I love figs.")
        await d.click("#entries", offset=(5, 1))
        await d.see("Where it came from")

    drive(scenario)


def test_messages_come_back_that_were_sent_in_any_chat(drive: Drive, home: Path) -> None:
    with Thalamus(home=str(home)) as thalamus:
        file = thalamus.config.history_file
    typed_lines(file, lambda: True).append_string("typed in the chat on a terminal")

    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model)
        await d.say("one\ntwo")
        await d.say("one\ntwo")
        await d.say("/forget about figs")
        await d.say("/memory off")
        await d.say("a private word")
        composer = d.app.chat_page.query_one(Composer)
        await d.press(*["up"] * 9)
        await d.until(lambda: composer.text == "typed in the chat on a terminal")

    drive(scenario)
    typed = [*typed_lines(file, lambda: True).load_history_strings()]
    assert typed == ["/memory off", "one\ntwo", "typed in the chat on a terminal"]


def test_it_is_asked_before_anything_is_deleted_or_kept(drive: Drive, home: Path) -> None:
    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.model)
        await d.say("I prefer green tea.")
        await d.see("Keep “", "Delete (n)")
        await d.click(".consent Button")
        await d.see("Kept.")
        page = d.app.chat_page
        for key, left in (("n", 1), ("y", 0)):
            page.query_one(Composer).text = "/forget"
            await d.press("enter")
            await d.see("Delete all of this permanently?", "green tea")
            await d.press(key)
            await d.until(lambda: not page.answering)
            await d.until(lambda left=left: d.app.screen is page)
            with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
                assert len(thalamus.sessions.last_turns(5)) == left
        await d.see("deleted: 1 turn")

    drive(scenario, remember={"preference": "ask"})


@pytest.mark.parametrize("sent", ["\n", "\x1b[13;3u", "\x1b[13;2u"])
def test_what_terminals_send_for_a_new_line_begins_one(sent: str) -> None:
    [key] = [*XTermParser().feed(sent)]
    assert key.key in {
        k for b in Composer.BINDINGS if b.action == "new_line" for k in b.key.split(",")
    }


def test_the_keys_and_commands_are_shown(drive: Drive) -> None:
    async def scenario(d: Driver) -> None:
        await d.press("question_mark")
        await d.see("Ctrl+G", "Debug console", "Ctrl+J")
        await d.press("end")
        await d.see("Ctrl+Q")
        await d.press("escape")
        await d.press("ctrl+p")
        await d.type("debug")
        await d.see("Debug console")
        await d.press("enter")
        await d.until(lambda: d.app.chat_page.has_class("-debug"))
        await d.type("/per")  # none of these is a key of the console
        await d.press("tab")
        await d.until(lambda: d.app.chat_page.query_one(Composer).text == "/persona ")
        await d.say("/memory off")
        await d.say("Hello!")
        await d.say("/copy")
        await d.see("copied: ")  # of a private chat nothing is stored
        await d.say("/compose")
        await d.see("/compose needs a terminal that can be left")
        await d.say("!echo $((6 * 7)); exit 3")
        await d.see("42", "(exit status 3)")

    drive(scenario)


def test_what_was_stored_of_a_message_is_said_below_the_field(drive: Drive) -> None:
    async def scenario(d: Driver) -> None:
        await d.say("I live in Lisbon.")
        await d.see("remembered 1 memory, 1 fact")
        await d.say("How are you?")
        await d.see("kept word for word")
        await d.say("/memory off")
        await d.say("How are you?")
        await d.see("memory off")
        await d.settle()
        assert "kept word for word" not in d.screen_text()

    drive(scenario)


def test_nobody_waits_for_an_extraction(drive: Drive, home: Path) -> None:
    """The server does one thing at a time, and its first extraction would never end."""
    with OneSlot().serving() as server:

        async def scenario(d: Driver) -> None:
            server.hold.clear()
            await d.until(lambda: d.app.model == "openai:large-70b")
            await d.ask("I like figs.")
            server.wait("extraction")
            await d.ask("I like plums.")
            server.wait("extraction", "cancelled")
            server.hold.set()
            await d.say("/facts")

        drive(scenario, model="openai:large-70b", openai_base_url=server.url)
    with Thalamus(home=str(home), model="scripted") as thalamus:
        found = sorted(memory.content for memory in thalamus.memories.find())
        assert found == ["The user likes figs.", "The user likes plums."]
