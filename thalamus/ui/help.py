"""The keys of a page, shown on `?`."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from thalamus.text.width import wrapped

GLOBAL = "Everywhere"
WIDTH = 68  # columns of a line


class Help(ModalScreen[None]):
    """A table of keys and their effects, closed by any of its closing keys."""

    DEFAULT_CSS = """
    Help { align: center middle; }
    Help > Vertical {
        width: 76; max-width: 95%; height: auto; max-height: 90%;
        border: round $primary; background: $surface; padding: 0 1;
    }
    Help VerticalScroll { height: auto; max-height: 100%; }
    """
    BINDINGS = [Binding("escape,question_mark,q,enter", "close", "Close")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical() as window:
            window.border_title = self._title
            window.border_subtitle = "Escape closes"
            with VerticalScroll():
                yield Static(self._text, markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_close(self) -> None:
        self.dismiss()


def keys_of(bindings: list[BindingType]) -> Iterator[tuple[str, str]]:
    """(keys, effect) of bindings with a description."""
    for binding in bindings:
        if isinstance(binding, Binding) and binding.description:
            keys = binding.key_display or ", ".join(_named(key) for key in binding.key.split(","))
            yield keys, binding.tooltip or binding.description


def key_table(bindings: list[BindingType]) -> str:
    """The help as lines of text, broken if too long."""
    rows = list(keys_of(bindings))
    room = max((len(keys) for keys, _ in rows), default=0)
    lines = (wrapped(f"  {keys:<{room}}  {what}", WIDTH, room + 2) for keys, what in rows)
    return "\n".join(part for line in lines for part in line)


_NAMES = {"question_mark": "?", "slash": "/", "full_stop": ".", "minus": "-", "plus": "+"}


def _named(key: str) -> str:
    """A key as people write it: ``Ctrl+G``, ``F1``, ``e``."""
    parts = [_NAMES.get(part, part) for part in key.split("+")]
    return "+".join(part if len(part) == 1 and len(parts) == 1 else part.title() for part in parts)
