"""Choice of a past session on a terminal: a list that typing filters."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from thalamus.errors import ThalamusError
from thalamus.terminal import streams
from thalamus.terminal.lines import counted, one_line, quoted
from thalamus.terminal.local import minute
from thalamus.text.analyzer import fold
from thalamus.text.excerpts import marks
from thalamus.text.tokens import query_words
from thalamus.text.width import cut

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from thalamus.api import Thalamus
    from thalamus.records import Session, SessionMatch

KEYS = ("Enter continues it, Escape leaves", "Enter: continue, Escape: leave")
MOST = 12  # sessions shown at once
FOUND = 50  # turns found by a search
AROUND = 5  # rows without sessions
ESCAPE = 0.05  # seconds in which keys after Escape belong to it

Search = Callable[[str], Iterable["SessionMatch"]]
Fragments = list[Any]  # a style and a text


class Row(Struct, frozen=True):
    """A session in the list; ``match`` is the message with the typed words."""

    session: Session
    match: str = ""


def can_pick() -> bool:
    """True if this terminal can show the list."""
    import os

    at_terminal = streams.typed() and sys.stdout is not None and sys.stdout.isatty()
    return at_terminal and os.environ.get("TERM") != "dumb"


def pick_session(thalamus: Thalamus, sessions: Sequence[Session]) -> Session | None:
    """The session that the user chooses; None if the user leaves. Only if ``can_pick``."""

    def search(words: str) -> list[SessionMatch]:
        with thalamus.sibling() as other:
            return other.sessions.search(words, FOUND)

    return SessionPicker(sessions, search, here=thalamus.session).run()


class SessionPicker:
    """The list of sessions. ``search`` finds messages, and is called in another thread; ``here`` is
    the current session."""

    def __init__(self, sessions: Sequence[Session], search: Search, here: str = "") -> None:
        self._sessions = sessions
        self._search = search
        self._here = here
        self._words: list[str] = []
        self._chosen = 0  # the selected row
        self._top = 0  # the first visible row
        self._pending: asyncio.Task[None] | None = None
        self._entered = False  # whether Enter waits for a search
        self.rows = [Row(session) for session in sessions]

    def run(self, input: Input | None = None, output: Output | None = None) -> Session | None:
        """Shows the list until a session is chosen, or none."""
        self._app = self._application(input, output)
        chosen: Session | None = self._app.run()
        return chosen

    # -- what is listed --------------------------------------------------------------------------

    def _typed(self, buffer: Any) -> None:
        """Filters by the typed words: first the rows of the list, then messages."""
        if self._pending is not None:
            self._pending.cancel()
        self._words = query_words(buffer.text) if buffer.text.strip() else []
        self._list(list(_matching(self._sessions, buffer.text)))
        if buffer.text.strip():
            self._pending = self._app.create_background_task(self._find(buffer.text))
        else:
            self._pending = None

    async def _find(self, text: str) -> None:
        try:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(None, lambda: list(self._search(text)))
        except ThalamusError:
            found = []  # the list is enough; typing must not fail
        known = {session.id: session for session in self._sessions}
        listed = {row.session.id for row in self.rows}
        rows = {
            match.session: Row(known[match.session], match.text)
            for match in reversed(found)  # keep the best of each session
            if match.turn is not None and match.session in known
        }
        matches = [row for id, row in reversed(rows.items()) if id not in listed]
        self.rows = [rows.get(row.session.id, row) for row in self.rows] + matches
        self._pending = None
        if self._entered:
            self._accept()
        self._app.invalidate()

    def _list(self, rows: list[Row]) -> None:
        self.rows, self._chosen, self._top, self._entered = rows, 0, 0, False

    def _move(self, by: int) -> None:
        self._chosen = max(0, min(self._chosen + by, len(self.rows) - 1))

    def _accept(self) -> None:
        """Accepts the chosen row once the search for the typed words is done."""
        self._entered = self._pending is not None
        if not self._entered and self.rows:
            self._app.exit(result=self.rows[self._chosen].session)

    # -- how it looks ----------------------------------------------------------------------------

    def _application(self, input: Input | None, output: Output | None) -> Application[Any]:
        from prompt_toolkit.application import Application
        from prompt_toolkit.buffer import Buffer
        from prompt_toolkit.layout import (
            BufferControl,
            FormattedTextControl,
            HSplit,
            Layout,
            Window,
        )
        from prompt_toolkit.layout.processors import BeforeInput

        buffer = Buffer(multiline=False, on_text_changed=self._typed)
        field = BufferControl(buffer, input_processors=[BeforeInput("Find: ")])
        layout = HSplit(
            [
                Window(field, height=1),
                Window(FormattedTextControl(self._text), dont_extend_height=True),
            ]
        )
        app: Application[Any] = Application(
            Layout(layout),
            key_bindings=self._keys(),
            erase_when_done=True,
            input=input,
            output=output,
        )
        app.ttimeoutlen = ESCAPE
        return app

    def _keys(self) -> Any:
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()
        page = self._room
        moves: dict[str, Callable[[], int]] = {
            "up": lambda: -1,
            "c-p": lambda: -1,
            "down": lambda: 1,
            "c-n": lambda: 1,
            "pageup": lambda: -page(),
            "pagedown": page,
            "home": lambda: -len(self.rows),
            "end": lambda: len(self.rows),
        }
        for name, by in moves.items():
            keys.add(name)(lambda event, by=by: self._move(by()))
        keys.add("enter")(lambda event: self._accept())
        for name in ("escape", "c-c", "c-d"):
            keys.add(name)(lambda event: event.app.exit(result=None))
        return keys

    def _room(self) -> int:
        """Number of sessions that fit."""
        return max(1, min(MOST, (self._app.output.get_size().rows - AROUND) // 2))

    def _text(self) -> Fragments:
        width, room = self._app.output.get_size().columns - 1, self._room()
        self._top = min(max(self._top, self._chosen - room + 1), self._chosen)
        shown = self.rows[self._top : self._top + room]
        fragments: Fragments = []
        for at, row in enumerate(shown, self._top):
            fragments += self._row(row, at == self._chosen, width)
        if not self.rows:
            looking = "searching …" if self._pending is not None else "No session matches."
            fragments.append(("", f"  {looking}\n"))
        many = f"{len(self.rows)} of {len(self._sessions)}"
        keys = next((keys for keys in KEYS if len(keys) + len(many) + 2 <= width), "")
        return [*fragments, ("", cut(f"{many}  {keys}".rstrip(), width))]

    def _row(self, row: Row, chosen: bool, width: int) -> Fragments:
        """Two lines: the subject; then the last turn, the number of turns and the matching
        message."""
        session = row.session
        first = "(encrypted)" if session.first is None else quoted(session.first)
        about = one_line(session.title) if session.title else first
        parts = [minute(session.last_at), counted({"turn": session.turns})]
        if session.id == self._here:
            parts.append("this one")
        head = cut(f"{'> ' if chosen else '  '}{about}", width)
        found = row.match and not marks(head, self._words)  # otherwise it is already shown
        shown = one_line(row.match) if found else first if session.title else ""
        below = cut(f"    {', '.join(parts)}" + (f"  {shown}" if shown else ""), width)
        style = "bold" if chosen else ""
        return [*self._marked(head, style), ("", "\n"), *self._marked(below, ""), ("", "\n")]

    def _marked(self, line: str, style: str) -> Fragments:
        """A line with the typed words underlined."""
        fragments, position = [], 0
        for begin, end in marks(line, self._words) if self._words else ():
            marked = f"{style} underline".strip()
            fragments += [(style, line[position:begin]), (marked, line[begin:end])]
            position = end
        return [*fragments, (style, line[position:])]


def _matching(sessions: Sequence[Session], text: str) -> Iterator[Row]:
    """The sessions whose title, id or first message contains every typed word."""
    wanted = fold(text).split()
    for session in sessions:
        known = fold(f"{session.title or ''} {session.id} {session.first or ''}")
        if all(word in known for word in wanted):
            yield Row(session)
