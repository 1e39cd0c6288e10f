"""The common part of the pages of the full screen: the bar with their names, the footer with keys,
and requests that are answered in another thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from thalamus.errors import NoStore
from thalamus.ui.host import Host
from thalamus.ui.key_footer import KeyFooter

if TYPE_CHECKING:
    from thalamus.api import Thalamus

T = TypeVar("T")
# name -> (title in the bar, content of the page), in the order of their keys
PAGES: dict[str, tuple[str, str]] = {
    "chat": ("Chat", "Talk with the model, and see what the memory does"),
    "memory": ("Memory", "Search what is remembered, see where it came from, change it"),
    "timeline": ("Time", "Facts over time, and the facts or events of a day"),
    "insights": ("Insights", "Conclusions and their sources"),
    "world": ("World", "Your present activities, and their changes"),
    "documents": ("Files", "The documents in memory, and importing others"),
    "sessions": ("Sessions", "Past conversations: search or continue them"),
    "statistics": ("Stats", "Size and use of the store"),
    "settings": ("Settings", "Memory on and off, models, panels, colours, resetting"),
}
NO_MEMORY = "Nothing is remembered yet."


class PageBar(Static):
    """The names of the pages on one line, with the present one marked; a click opens a page."""

    DEFAULT_CSS = """
    PageBar { height: 1; width: 1fr; background: $panel; color: $text-muted; dock: top;
              link-style: none; link-style-hover: underline; link-color-hover: $text;
              link-background-hover: $panel; link-color: $text; }
    """

    def __init__(self, present: str) -> None:
        super().__init__(self._line(present))

    @staticmethod
    def _line(present: str) -> Content:
        parts = []
        for number, (name, (title, _)) in enumerate(PAGES.items(), 1):
            # not a link, which would have the colour of the others
            marks = f"$text-muted @click=app.page('{name}')"
            if name == present:
                marks = "$block-cursor-foreground on $primary-darken-2 bold"
            meta = Content.from_markup(f"[{marks}]$label[/]", label=f"{number} {title}")
            parts.append(meta)
        return Content(" ").join(parts)


class PageView(Screen[None]):
    """A screen that shows a part of the memory."""

    def reload(self, id: str | None = None) -> None:
        """Shows the present state; ``id``: successor of the chosen entry."""

    @property
    def ui(self) -> Host:
        """The application."""
        assert isinstance(self.app, Host)
        return self.app

    def fetch(
        self,
        request: Callable[[Thalamus], T],
        then: Callable[[T], object],
        *,
        group: str,
        empty: Callable[[], object] | None = None,
        slow: bool = False,
        failed: Callable[[], object] | None = None,
    ) -> None:
        """Runs a ``request`` in another thread and calls ``then`` with the result, unless another
        request of its ``group`` came in the meantime.

        ``empty`` is called if there is no store yet, ``failed`` after an error was shown; ``slow``:
        it may take long, and runs apart from the others.
        """

        async def run() -> None:
            try:
                worker = self.ui.jobs if slow else self.ui.memory
                found = await asyncio.wrap_future(worker.ask(request))
                if self.is_attached:
                    then(found)
            except NoStore as error:
                if empty is None:
                    self.ui.report(self.TITLE or "memory", error)
                elif self.is_attached:
                    empty()
            except Exception as error:
                self.ui.report(self.TITLE or "memory", error)
                if failed is not None and self.is_attached:
                    failed()

        # the function, not what it returns: one may be cancelled before it begins
        self.run_worker(run, group=group, exclusive=True, exit_on_error=False)  # type: ignore[arg-type]


class Page(PageView):
    """One of the pages.

    ``PAGE`` is its name; ``content`` yields its widgets between the bar and the footer.
    """

    PAGE: ClassVar[str] = ""
    AUTO_FOCUS = ""

    def compose(self) -> ComposeResult:
        yield PageBar(self.PAGE)
        yield from self.content()
        yield KeyFooter()

    def content(self) -> ComposeResult:
        """The widgets of the page."""
        yield from ()
