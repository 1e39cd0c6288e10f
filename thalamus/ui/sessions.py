"""The page of sessions: past conversations, found by words, and resumed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static

from thalamus.terminal.lines import one_line
from thalamus.terminal.local import minute
from thalamus.text.visible import visible
from thalamus.ui.dialogs import AskText
from thalamus.ui.entries import Entry
from thalamus.ui.entry_list import EntryList
from thalamus.ui.pages import NO_MEMORY, Page

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records import Session, Turn

MOST = 200  # sessions in the list
SHOWN = 30  # turns shown of a session
PAUSE = 0.05  # seconds to wait for another key


class SessionsPage(Page):
    """Conversations, the newest first, with the messages of the selected one."""

    PAGE = "sessions"
    AUTO_FOCUS = "EntryList"
    DEFAULT_CSS = """
    SessionsPage #search { border: round $foreground 30%; height: 3; }
    SessionsPage #search:focus { border: round $primary; }
    SessionsPage EntryList { height: 1fr; }
    SessionsPage #turns { height: 1fr; border: round $foreground 30%; padding: 0 1; }
    SessionsPage #turns:focus { border: round $primary; }
    """
    BINDINGS = [
        Binding("enter", "resume", "Resume", tooltip="Continue this conversation"),
        Binding("slash", "search", "Search", tooltip="Search all conversations"),
        Binding("n", "new", "New", tooltip="Begin a new session"),
        Binding("r", "rename", "Rename", tooltip="Give it a title"),
        Binding("o", "export", "Export", tooltip="Write it to a Markdown file"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._timer: Timer | None = None

    def content(self) -> ComposeResult:
        search = Input(placeholder="Words that were said, or a title", id="search")
        search.border_title = "Search"
        yield search
        yield EntryList("Sessions")
        with VerticalScroll(id="turns"):
            yield Static("", id="words", markup=False)

    def on_mount(self) -> None:
        self.reload()

    def on_screen_resume(self) -> None:
        self.reload()

    def reload(self, id: str | None = None) -> None:
        """Lists the sessions, or those that match the search."""
        words = self.query_one("#search", Input).value.strip()
        shown = self.query_one(EntryList)
        self.fetch(
            lambda t: _found(t, words) if words else _listed(t),
            lambda found: shown.fill(found, "Nothing matches." if words else NO_MEMORY, of=words),
            group="list",
            empty=lambda: shown.fill([], NO_MEMORY),
        )

    def action_search(self) -> None:
        """Goes to the search field."""
        self.query_one("#search").focus()

    def action_resume(self) -> None:
        """Continues the selected conversation."""
        if (id := self._chosen()) is not None:
            self.ui.resume(id)

    def action_new(self) -> None:
        """Begins a new session."""
        self.ui.new_session()

    def action_rename(self) -> None:
        """Asks for a title."""
        chosen = self.query_one(EntryList).chosen
        if chosen is None:
            return

        def rename(title: str | None) -> None:
            if title is not None:
                self.fetch(
                    lambda t: t.sessions.rename(chosen.id, title),
                    lambda _: self.reload(),
                    group="rename",
                )

        self.app.push_screen(AskText("Title of this conversation", chosen.text), rename)

    def action_export(self) -> None:
        """Asks for a file, and writes the conversation to it."""
        id = self._chosen()
        if id is None:
            return

        def export(name: str | None) -> None:
            if name:
                path = Path(name).expanduser()
                self.fetch(
                    lambda t: _write(t, id, path),
                    lambda text: self.notify(visible(text), markup=False),
                    group="export",
                )

        self.app.push_screen(AskText("To which file?", f"{one_line(id)}.md"), export)

    @on(Input.Changed, "#search")
    def typed(self) -> None:
        """Searches a moment after the last key."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(PAUSE, lambda: self.reload())

    @on(Input.Submitted, "#search")
    def submitted(self) -> None:
        """Goes to the results."""
        self.query_one(EntryList).focus()

    @on(OptionList.OptionSelected)
    def selected(self) -> None:
        """Continues a conversation."""
        self.action_resume()

    @on(OptionList.OptionHighlighted)
    def show_turns(self) -> None:
        """Shows the messages of a session."""
        if (id := self._chosen()) is not None:
            self.fetch(lambda t: t.sessions.turns(id, SHOWN), self._show_turns, group="turns")

    def _chosen(self) -> str | None:
        chosen = self.query_one(EntryList).chosen
        return chosen.id if chosen is not None else None

    def _show_turns(self, turns: list[Turn]) -> None:
        words = "\n\n".join(f"> {turn.message}\n{turn.answer or ''}".rstrip() for turn in turns)
        self.query_one("#words", Static).update(visible(words))


def _listed(thalamus: Thalamus) -> list[Entry]:
    return [_entry(session) for session in thalamus.sessions.find(MOST)]


def _entry(session: Session) -> Entry:
    about = session.title or session.first or "(encrypted)"
    many = "1 turn" if session.turns == 1 else f"{session.turns} turns"
    return Entry(
        session.id, "session", minute(session.last_at)[:10], many, one_line(about), session.id
    )


def _found(thalamus: Thalamus, words: str) -> list[Entry]:
    return [
        Entry(
            match.session,
            "session",
            minute(match.at)[:10],
            match.title or "",
            one_line(match.text),
            match.session,
        )
        for match in thalamus.sessions.search(words, MOST)
    ]


def _write(thalamus: Thalamus, id: str, path: Path) -> str:
    with path.open("x", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in thalamus.sessions.export(id))
    return f"Written to {path}."
