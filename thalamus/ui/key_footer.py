"""The keys that can be pressed, at the bottom of a page."""

from __future__ import annotations

from typing import Any

from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Footer


class KeyFooter(Footer):
    """Footer that is rebuilt only when its keys change. Textual rebuilds it whenever the focus or
    the state changes, and applying the styles to each key takes long."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self._shown: list[tuple[Binding, bool, str]] | None = None

    def bindings_changed(self, screen: Screen[Any]) -> None:
        if not (screen.app.app_focus and self.is_attached and screen is self.screen):
            super().bindings_changed(screen)
            return
        bindings = screen.active_bindings.values()
        shown = [(key, enabled, tip) for _, key, enabled, tip in bindings if key.show]
        if shown != self._shown:
            self._shown = shown
            super().bindings_changed(screen)
