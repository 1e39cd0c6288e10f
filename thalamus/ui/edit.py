"""The form for editing a memory."""

from __future__ import annotations

from typing import Any, get_args

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Select, TextArea

from thalamus.records import Importance, Memory, Scope


class EditMemory(ModalScreen[dict[str, Any] | None]):
    """Returns the changed fields; None after Escape."""

    DEFAULT_CSS = """
    EditMemory { align: center middle; }
    EditMemory > Vertical {
        width: 76; max-width: 95%; height: auto; max-height: 95%;
        border: round $primary; background: $surface; padding: 0 1;
    }
    EditMemory TextArea { height: 6; border: round $foreground 30%; }
    EditMemory TextArea:focus { border: round $primary; }
    EditMemory Horizontal { height: auto; }
    EditMemory Label { width: 12; color: $text-muted; }
    EditMemory Input { width: 1fr; }
    EditMemory Select { width: 1fr; }
    EditMemory #buttons { align-horizontal: right; margin-top: 1; }
    EditMemory Button { margin-left: 1; }
    """
    BINDINGS = [
        Binding("escape", "leave", "Cancel", priority=True),
        Binding("ctrl+s", "save", "Save", priority=True),
    ]

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self._memory = memory

    def compose(self) -> ComposeResult:
        memory = self._memory
        with Vertical() as window:
            window.border_title = "Edit a memory"
            yield TextArea(memory.content, id="content", highlight_cursor_line=False)
            for name, value in (("type", memory.type), ("topic", memory.topic or "")):
                with Horizontal():
                    yield Label(name)
                    yield Input(value, id=name, compact=True)
            for name, choices in (("importance", get_args(Importance)), ("scope", get_args(Scope))):
                with Horizontal():
                    yield Label(name)
                    yield Select(
                        [(choice, choice) for choice in choices],
                        value=getattr(memory, name),
                        allow_blank=False,
                        id=name,
                        compact=True,
                    )
            with Horizontal(id="buttons"):
                yield Button("Save (Ctrl+S)", variant="primary", id="save", compact=True)
                yield Button("Cancel (Esc)", id="cancel", compact=True)

    def on_input_submitted(self) -> None:
        self.action_save()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "save":
            self.action_save()
        else:
            self.dismiss(None)

    def action_save(self) -> None:
        """Returns the changes."""
        given = {
            "content": self.query_one("#content", TextArea).text.strip(),
            "type": self.query_one("#type", Input).value.strip(),
            "topic": self.query_one("#topic", Input).value.strip() or None,
            "importance": self.query_one("#importance", Select).value,
            "scope": self.query_one("#scope", Select).value,
        }
        if not given["content"] or not given["type"]:
            self.notify("The text and the type cannot be empty.", severity="warning")
            return
        memory = self._memory
        self.dismiss({name: v for name, v in given.items() if v != getattr(memory, name)})

    def action_leave(self) -> None:
        self.dismiss(None)
