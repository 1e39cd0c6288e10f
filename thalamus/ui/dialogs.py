"""Dialogs that ask for something: yes or no, or a text."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from thalamus.text.visible import visible
from thalamus.text.width import wrapped

SCROLLBAR = 2  # columns of a dialog
LEAST = 20  # least columns of a text
_CSS = """
{name} {{ align: center middle; }}
{name} > Vertical {{
    width: 76; max-width: 95%; height: auto; max-height: 90%;
    border: round $primary; background: $surface; padding: 0 1;
}}
{name} VerticalScroll {{ height: auto; max-height: 55vh; margin-bottom: 1; }}
{name} .question {{ text-style: bold; margin-bottom: 1; }}
{name} .hint {{ color: $text-muted; }}
{name} Horizontal {{ height: auto; align-horizontal: right; }}
{name} Button {{ margin-left: 1; }}
"""


class Confirm(ModalScreen[bool]):
    """Asks for confirmation, below a scrollable explanation."""

    DEFAULT_CSS = _CSS.format(name="Confirm")
    BINDINGS = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
        Binding("down", "scroll(1)", "Scroll down"),
        Binding("up", "scroll(-1)", "Scroll up"),
        Binding("pagedown", "scroll_page(1)", "A page down"),
        Binding("pageup", "scroll_page(-1)", "A page up"),
        Binding("end", "scroll_page(99)", "The end"),
        Binding("home", "scroll_page(-99)", "The beginning"),
    ]

    def __init__(self, question: str, text: str = "") -> None:
        super().__init__()
        self._question = question
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(id="window"):
            yield Static(visible(self._question), markup=False, classes="question")
            with VerticalScroll(can_focus=False) as text:
                text.display = bool(self._text)
                yield Static(visible(self._text), markup=False, id="text")
            with Horizontal():
                yield Button("Yes (y)", variant="error", id="yes", compact=True)
                yield Button("No (n)", variant="primary", id="no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#no", Button).focus()  # Enter alone must not delete anything

    def on_resize(self) -> None:
        self.call_after_refresh(self._break_lines)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_scroll(self, lines: int) -> None:
        """Scrolls the text."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_scroll_page(self, pages: int) -> None:
        """Scrolls the text by pages."""
        self.action_scroll(pages * max(1, self.query_one(VerticalScroll).size.height - 1))

    def _break_lines(self) -> None:
        """Breaks the lines of the text between words, with the continuation indented."""
        if self._is_answered():
            return
        room = self.query_one(VerticalScroll).size.width - SCROLLBAR
        lines = visible(self._text).split("\n")
        parts = [part for line in lines for part in wrapped(line, max(room, LEAST))]
        self.query_one("#text", Static).update("\n".join(parts))
        self.call_after_refresh(self._say_if_more)

    def _say_if_more(self) -> None:
        if self._is_answered():
            return
        more = self.query_one(VerticalScroll).max_scroll_y > 0
        self.query_one("#window").border_subtitle = "Up, Down: the rest" if more else ""

    def _is_answered(self) -> bool:
        """True if the answer came before the dialog was drawn: its widgets are gone."""
        return not self.query(VerticalScroll)

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


class AskText(ModalScreen[str | None]):
    """Asks for a line of text; None after Escape."""

    DEFAULT_CSS = _CSS.format(name="AskText")
    BINDINGS = [Binding("escape", "leave", "Cancel"), Binding("ctrl+s", "done", "Done")]

    def __init__(self, question: str, value: str = "", *, hint: str = "") -> None:
        super().__init__()
        self._question = question
        self._value = value
        self._hint = hint

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._question), markup=False, classes="question")
            yield Input(self._value, compact=True)
            keys = "Enter or Ctrl+S: done   Escape: cancel"
            hint = f"{self._hint}\n{keys}" if self._hint else keys
            yield Static(visible(hint), markup=False, classes="hint")

    def on_input_submitted(self) -> None:
        self.action_done()

    def action_done(self) -> None:
        """Returns the typed text."""
        self.dismiss(self.query_one(Input).value)

    def action_leave(self) -> None:
        self.dismiss(None)
