"""The debug console: the work of the memory on the last turn, in panels that open and close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Collapsible, Static

from thalamus.terminal.turn_lines import section_lines
from thalamus.text.visible import visible
from thalamus.ui.panels import PANELS, together

if TYPE_CHECKING:
    from thalamus.records import Turn

NOTHING = {"prompts": "(set log_prompts on the page Settings to see them)"}
KEPT = 40  # most issues and model calls shown
KEYS = "plan:p evidence:e reflection:r decisions:d tools:t prompts:m issues:i stages:s".split()


class Console(VerticalScroll):
    """The panels, fed by events. ``opened``: the names of the open ones."""

    DEFAULT_CSS = """
    Console { background: $surface; border: round $foreground 30%; padding: 0; }
    Console:focus-within, Console:focus { border: round $primary; }
    Console Collapsible { background: $surface; border: none; padding: 0; margin: 0; }
    Console Collapsible CollapsibleTitle { padding: 0 1; color: $text-primary; }
    Console Collapsible Contents { padding: 0 1 0 3; }
    """
    BINDINGS = [
        Binding(pair.partition(":")[2], f"panel('{pair.partition(':')[0]}')", title, show=False)
        for pair, title in zip(KEYS, PANELS.values(), strict=True)
    ]

    class Toggled(Message):
        """Message that a panel was opened or closed."""

        def __init__(self, opened: list[str]) -> None:
            super().__init__()
            self.opened = opened

    def __init__(self, opened: list[str]) -> None:
        super().__init__()
        self.border_title = "Debug console"
        self._opened = opened
        self._turn: Turn | None = None  # as it is shown
        self._answered: Turn | None = None  # as it was when it was answered
        self._ended: str | None = None  # id of the last turn that was answered
        self._errors: list[str] = []
        self._calls: list[str] = []

    def compose(self) -> ComposeResult:
        for name, title in PANELS.items():
            body = Static("", markup=False, id=f"panel-{name}")
            yield Collapsible(body, title=title, collapsed=name not in self._opened, id=name)

    def on_mount(self) -> None:
        self._show()

    def hear(self, event: Any, *, behind: bool = False) -> None:
        """Handles an event of the engine; ``behind``: of work on a turn after its answer, which may
        be done at once as well."""
        record: Any = getattr(event, "record", None)
        behind = behind or (record is not None and record.id == self._ended)
        match type(event).__name__:
            case "TurnStarted" if not behind:
                self._calls.clear()
                self._answered = self._turn = record
            case "StageFinished" | "TurnFinished" as name if not behind:
                self._answered = self._turn = record
                self._ended = record.id if name == "TurnFinished" else None
            case "StageFinished" | "TurnFinished":
                self._follow(record)
            case "ErrorReported":
                error = f"{event.where}: {event.error}\n{event.traceback.rstrip()}"
                self._errors = [*self._errors, error][-KEPT:]
            case "ModelCalled":
                self._calls = [*self._calls, _call(event)][-KEPT:]
            case _:
                return
        self._show()

    def clear(self) -> None:
        """Clears the turn and the prompts, because they may have been deleted."""
        self._turn = self._answered = None
        self._calls.clear()
        self._show()

    def add_issue(self, text: str) -> None:
        """Adds an error that occurred outside of a turn."""
        self._errors = [*self._errors, text][-KEPT:]
        self._show()

    def text(self, name: str) -> str:
        """Text of a panel."""
        if name == "prompts":
            parts = self._calls
        else:
            parts = section_lines(self._turn, name) if self._turn is not None else []
        if name == "issues":
            parts = [*parts, *self._errors]
        return "\n".join(parts) or NOTHING.get(name, "(nothing)")

    def action_panel(self, name: str) -> None:
        """Opens or closes a panel."""
        panel = self.query_one(f"#{name}", Collapsible)
        panel.collapsed = not panel.collapsed
        panel.scroll_visible()

    def set_panel(self, name: str, opened: bool) -> None:
        """Opens or closes a panel."""
        self.query_one(f"#{name}", Collapsible).collapsed = not opened

    @on(Collapsible.Toggled)
    def note_opened(self) -> None:
        """Records which panels are open."""
        self._opened = [str(panel.id) for panel in self.query(Collapsible) if not panel.collapsed]
        self.post_message(self.Toggled(self._opened))

    def _follow(self, finished: Turn) -> None:
        """Adds the results of background work, unless another turn is shown by now."""
        if self._answered is None:
            self._turn = finished
        elif self._answered.id == finished.id:
            self._turn = together(self._answered, finished)

    def _show(self) -> None:
        if not self.is_mounted:
            return
        for name, title in PANELS.items():
            body = self.query_one(f"#panel-{name}", Static)
            text = visible(self.text(name))
            body.update(text)
            panel = self.query_one(f"#{name}", Collapsible)
            panel.title = f"{title} ({self._count(name)})" if self._count(name) else title

    def _count(self, name: str) -> int:
        turn = self._turn
        if name == "issues":
            return len(self._errors) + (len(turn.issues) if turn else 0)
        if turn is None:
            return 0
        return {"evidence": len(turn.evidence), "decisions": len(turn.stored)}.get(name, 0)


def _call(event: Any) -> str:
    """A call of a model: its messages and its reply."""
    messages = [f"[{role}]\n{content}" for role, content in event.messages]
    return "\n".join([f"--- {event.role}: {event.model}", *messages, f"[reply]\n{event.reply}"])
