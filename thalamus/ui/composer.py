"""The input field for messages."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.widgets import TextArea

from thalamus.terminal.fence import complete

NEW_LINE = ("ctrl+j", "shift+enter", "alt+enter")


class Composer(TextArea):
    """A text field of several lines that Enter sends; the arrows bring back earlier messages."""

    DEFAULT_CSS = """
    Composer { height: auto; min-height: 3; max-height: 10; padding: 0 1;
               border: round $foreground 30%; background: $background; }
    Composer:focus { border: round $primary; }
    """
    BINDINGS = [
        Binding("enter", "send", "Send", priority=False, show=False),
        Binding(
            ",".join(NEW_LINE),
            "new_line",
            "New line",
            key_display="Ctrl+J",
            tooltip='New line (as Enter after """, and Shift+Enter if the terminal reports it)',
            show=False,
        ),
        Binding("up", "earlier", "Earlier", tooltip="The previous message", show=False),
        Binding("down", "later", "Later", tooltip="The next message", show=False),
        Binding("tab", "complete", "Complete", tooltip="Complete a command after /", show=False),
    ]

    class Sent(Message):
        """Message that a message or a command was sent."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, commands: list[str], sent: Callable[[], list[str]]) -> None:
        super().__init__(
            compact=False,
            highlight_cursor_line=False,
            placeholder="Write a message, or / for a command. ? shows the keys.",
        )
        self._commands = commands
        self._sent = sent  # earlier messages, the oldest first
        self._place = 0  # position from the end of the history; 0: the text in progress
        self._draft = ""

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "question_mark" and not self.text:
            event.stop()
            event.prevent_default()
            await self.run_action("app.help")
        elif event.key in (
            "enter",
            *NEW_LINE,
        ):  # a binding would come too late
            event.stop()
            event.prevent_default()
            (self.action_send if event.key == "enter" else self.action_new_line)()
        else:
            await super()._on_key(event)

    def action_send(self) -> None:
        """Sends the text, or begins a line inside triple quotes."""
        text = self.text
        if not complete(text):
            self.action_new_line()
        elif text.strip():
            self._place = 0
            self.clear()
            self.post_message(self.Sent(text))

    def action_new_line(self) -> None:
        """Begins a new line."""
        self.insert("\n")

    def action_earlier(self) -> None:
        """Moves up; on the first line, to the previous message."""
        if self.cursor_location[0] > 0 or self._place >= len(self._sent()):
            self.action_cursor_up()
        else:
            self._go(self._place + 1)

    def action_later(self) -> None:
        """Moves down; on the last line, to the next message."""
        if self.cursor_location[0] < self.document.line_count - 1 or self._place == 0:
            self.action_cursor_down()
        else:
            self._go(self._place - 1)

    def action_complete(self) -> None:
        """Completes the name of a command; otherwise moves to the next field."""
        word = self.text
        fitting = [name for name in self._commands if name.startswith(word[1:])]
        if word.startswith("/") and " " not in word and len(fitting) == 1:
            self.text = f"/{fitting[0]} "
            self.move_cursor(self.document.end)
        elif word.startswith("/") and fitting:
            self.notify("  ".join(f"/{name}" for name in fitting), timeout=5, markup=False)
        else:
            self.screen.focus_next()

    def _go(self, place: int) -> None:
        if self._place == 0:
            self._draft = self.text
        sent = self._sent()
        self._place = min(place, len(sent))  # some may have been erased
        self.text = sent[-self._place] if self._place else self._draft
        self.move_cursor(self.document.end)
