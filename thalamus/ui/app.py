"""The application of the full screen: its pages, its threads, its keys."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

from textual.app import SystemCommand
from textual.binding import Binding
from textual.screen import Screen

from thalamus.ui import output
from thalamus.ui.chat import ChatPage
from thalamus.ui.details import Details
from thalamus.ui.documents import DocumentsPage
from thalamus.ui.help import GLOBAL, Help, key_table
from thalamus.ui.host import Host
from thalamus.ui.insights import InsightsPage
from thalamus.ui.memory import MemoryPage
from thalamus.ui.pages import PAGES, Page, PageView
from thalamus.ui.sessions import SessionsPage
from thalamus.ui.settings import SettingsPage
from thalamus.ui.statistics import StatisticsPage
from thalamus.ui.timeline import TimelinePage
from thalamus.ui.undo import UndoList
from thalamus.ui.world import WorldPage


class ThalamusApp(Host):
    """The full screen. ``run`` returns True if everything said is stored; the rest is left to the
    next command."""

    TITLE = "Thalamus"
    ENABLE_COMMAND_PALETTE = True
    DEFAULT_MODE = "chat"
    MODES: ClassVar[dict[str, Any]] = {
        "chat": ChatPage,
        "memory": MemoryPage,
        "timeline": TimelinePage,
        "insights": InsightsPage,
        "world": WorldPage,
        "documents": DocumentsPage,
        "sessions": SessionsPage,
        "statistics": StatisticsPage,
        "settings": SettingsPage,
    }
    CSS = """
    Screen { background: $background; }
    ModalScreen { background: $background 60%; }
    * { border-title-color: $text-muted; border-subtitle-color: $text-muted; }
    *:focus { border-title-color: $text-primary; border-subtitle-color: $text-primary; }
    OptionList:focus > .option-list--option-highlighted, Tree:focus > .tree--cursor
        { color: auto; background: $primary-darken-2; text-style: bold; }
    """
    BINDINGS = [
        Binding("question_mark", "help", "Help", tooltip="The keys of this page"),
        Binding("ctrl+p", "command_palette", "Commands", tooltip="Find a command by its name"),
        Binding("ctrl+q", "quit", "Quit", priority=True),
        Binding(
            "ctrl+c", "stop", "Stop", tooltip="Stop the answer, or copy", priority=True, show=False
        ),
        *(
            Binding(
                f"f{n}",
                f"page('{name}')",
                title,
                key_display=f"F{n}, {n}",
                tooltip=f"{title}: {what}",
                show=False,
                priority=True,
            )
            for n, (name, (title, what)) in enumerate(PAGES.items(), 1)
        ),
        *(Binding(f"{n}", f"page('{name}')", show=False) for n, name in enumerate(PAGES, 1)),
    ]

    def on_mount(self) -> None:
        output.install()
        self.theme = self.preferences.theme
        self.wake()

    @property
    def chat_page(self) -> ChatPage:
        """The page of the chat, visible or not."""
        page = self._screen_stacks["chat"][0]
        assert isinstance(page, ChatPage)
        return page

    def refresh_page(self) -> None:
        if isinstance(self.screen, PageView):
            self.screen.reload()

    def open_details(self, id: str, then: Callable[[str | None], None]) -> None:
        self.push_screen(Details(id, then))

    def open_undo(self, then: Callable[[str | None], None]) -> None:
        self.push_screen(UndoList(then))

    # -- keys ------------------------------------------------------------------------------------

    def action_page(self, name: str) -> None:
        """Opens a page."""
        if len(self.screen_stack) == 1:  # not below a dialog
            self.switch_mode(name)

    def action_help(self) -> None:
        """Shows the keys of the page."""
        page = self.screen
        if not isinstance(page, PageView):
            return
        parts = [key_table([*type(page).BINDINGS])]
        for widget in page.query("*"):
            own = vars(type(widget)).get("BINDINGS", []) if _ours(widget) else []
            if own:
                parts.append(f"{widget.border_title or type(widget).__name__}\n{key_table(own)}")
        parts.append(f"{GLOBAL}\n{key_table([*self.BINDINGS])}")
        title, what = PAGES[page.PAGE] if isinstance(page, Page) else ("Keys", page.TITLE or "")
        self.push_screen(Help(f"{title}: {what}", "\n\n".join(filter(None, parts))))

    def action_stop(self) -> None:
        """Stops the answer, or copies the selection."""
        marked = self.screen.get_selected_text()
        if marked:
            self.copy_to_clipboard(marked)
            self.notify("Copied.")
        elif isinstance(self.screen, ChatPage):
            self.screen.stop_answer()
        else:
            self.notify("Ctrl+Q leaves.")

    async def action_quit(self) -> None:
        """Leaves once everything said is stored, and the document in hand is read; at once if asked
        twice."""
        conversation = self.conversation
        if self.leaving or conversation is None:
            self.exit(False)
            return
        self.leaving = True
        conversation.stop()
        if conversation.unstored:
            self.notify("Storing the last turn … Ctrl+Q again leaves it to the next command.")
        if self.reading:
            self.notify("Reading one document to its end … Ctrl+Q again leaves at once.")
        self.run_worker(self._leave(), exit_on_error=False)

    async def _leave(self) -> None:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[bool] = loop.create_future()

        def end() -> None:
            found = self.end_threads()
            with suppress(RuntimeError):  # it was left at once meanwhile
                loop.call_soon_threadsafe(ended.set_result, found)

        # no thread of a pool, which the end of the loop would wait for
        threading.Thread(target=end, daemon=True).start()
        self.exit(await ended)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The commands of the palette: the pages, the actions of the present page, the themes."""
        for name, (title, what) in PAGES.items():
            yield SystemCommand(f"Go to {title}", what, partial(self.action_page, name))
        for binding in type(screen).BINDINGS if isinstance(screen, PageView) else ():
            if not isinstance(binding, Binding) or not binding.description:
                continue
            if screen.check_action(binding.action, ()) is not False:
                what = binding.tooltip or binding.description
                run = partial(screen.run_action, binding.action)
                yield SystemCommand(binding.description, what, run)
        yield SystemCommand("Keys", "The keys of this page", self.action_help)
        yield SystemCommand("Theme", "Change the colours", self.action_change_theme)
        yield SystemCommand("Quit", "Leave", self.action_quit)


def _ours(widget: object) -> bool:
    return type(widget).__module__.startswith("thalamus.ui")
