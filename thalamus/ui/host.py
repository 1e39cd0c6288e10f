"""State shared by the pages of the full screen: the worker threads, the errors, the preferences."""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import structs
from textual.app import App, SuspendNotSupported
from textual.message import Message

from thalamus.errors import ThalamusError, UsageError
from thalamus.text.visible import visible
from thalamus.ui import preferences
from thalamus.ui.conversation import (
    Done,
    Failed,
    IssueNoted,
    ModelWoke,
    PanelSet,
    ScreenConversation,
)
from thalamus.ui.dialogs import Confirm
from thalamus.ui.worker import EngineWorker

if TYPE_CHECKING:
    from pathlib import Path

    from prompt_toolkit.history import FileHistory

    from thalamus.api import Thalamus
    from thalamus.config import Config
    from thalamus.terminal.printer import Printer

PATIENCE = 5.0  # seconds to wait for a thread at the end
A_DAY = 24 * 3600.0  # the same for one that is to finish first


class Host(App[bool]):
    """The application without its pages.

    Three threads work for it, each with its own engine: one answers, one reads the memory for the
    pages, one does slow work. No key waits for any of them. The chat is informed by messages to its
    page.
    """

    def __init__(self, config: Config, printer: Printer) -> None:
        super().__init__()
        self.config = config
        self.session = config.session
        self.model: str | None = None  # full name of the awake model
        self.conversation: ScreenConversation | None = None
        self.preferences = preferences.load(config.state_dir)
        self.leaving = False
        self.reading = False  # whether documents are read into memory
        self.unread: list[Path] = []  # files and folders that are being read, or were left unread
        self._printer = printer
        self._typed: list[str] | None = None  # when they were read
        self.chat_worker: EngineWorker[ScreenConversation] = EngineWorker(
            "chat", self._converse, lambda conversation: conversation.close()
        )
        self.memory: EngineWorker[Thalamus] = self._engine_worker("memory")
        self.jobs: EngineWorker[Thalamus] = self._engine_worker("jobs")

    def tell(self, message: Message) -> None:
        """Sends a message to the page of the chat, from any thread."""
        self._screen_stacks["chat"][0].post_message(message)

    # -- the threads -----------------------------------------------------------------------------

    def talk(self, request: Callable[[ScreenConversation], object]) -> None:
        """Runs something in the thread of the chat; shows its errors."""

        async def run() -> None:
            try:
                await asyncio.wrap_future(self.chat_worker.ask(request))
            except Exception as error:
                self.tell(Failed("chat", error))

        self.run_worker(run, exit_on_error=False)  # type: ignore[arg-type]

    def say(self, text: str) -> None:
        """Sends a message or a command to the chat."""

        async def run() -> None:
            try:
                await asyncio.wrap_future(self.chat_worker.ask(lambda c: c.take(text)))
            except Exception as error:
                self.tell(Failed("chat", error))
            self.tell(Done())

        self.run_worker(run, exit_on_error=False)  # type: ignore[arg-type]

    def follow(self, config: Config, session: str) -> None:
        """Follows the chat to other settings or another session."""
        changed = config is not self.config
        self.config, self.session = config, session
        if changed:
            self.memory.close(0)
            self.memory = self._engine_worker("memory")
            self.jobs.close(0)
            self.jobs = self._engine_worker("jobs")
            self.talk(lambda conversation: self._woke(conversation.thalamus.models.name()))

    def wake(self) -> None:
        """Wakes the model, in the thread of the chat."""
        self.talk(self._greet)

    def _converse(self) -> ScreenConversation:
        """Called in the thread of the chat."""
        self.conversation = ScreenConversation(
            self.config, self._printer, self.tell, self.confirm, self.edited
        )
        return self.conversation

    def _greet(self, conversation: ScreenConversation) -> None:
        self._woke(conversation.greet())

    def _woke(self, model: str) -> None:
        self.model = model
        self.tell(ModelWoke())

    def _engine_worker(self, name: str) -> EngineWorker[Thalamus]:
        def make() -> Thalamus:
            from thalamus.api import Thalamus
            from thalamus.events import ThalamusEvents

            events = ThalamusEvents()
            events.bind("on_error", self._heard_error)
            conversation = self.conversation
            if conversation is not None:
                return conversation.thalamus.sibling(events)
            return Thalamus(config=self.config, events=events)

        return EngineWorker(name, make, lambda thalamus: thalamus.close())

    def confirm(self, question: str, text: str) -> bool:
        """Asks from the thread of an engine, and waits there for the reply."""
        answered = threading.Event()
        replies: list[bool] = []

        def reply(yes: bool | None) -> None:
            replies.append(bool(yes))
            answered.set()

        self.call_from_thread(self.push_screen, Confirm(question, text), reply)
        answered.wait()
        return replies[0]

    def edited(self, text: str, name: str) -> str:
        """The text after editing in the user's editor, which gets the terminal. Called in the
        thread of an engine. Raises ``UsageError``."""
        return self.call_from_thread(self._edited, text, name)

    def _edited(self, text: str, name: str) -> str:
        from thalamus.terminal.editor import edited

        try:
            with self.suspend():
                return edited(text, name)
        except SuspendNotSupported:
            raise UsageError("/compose needs a terminal that can be left for a moment.") from None
        finally:
            self.refresh(layout=True)

    # -- what goes wrong -------------------------------------------------------------------------

    def report(self, where: str, error: BaseException) -> None:
        """Shows an error of any page, and adds it to the panel of issues."""
        advice = getattr(error, "advice", "")
        text = f"{error or type(error).__name__}" + (f"\n{advice}" if advice else "")
        self.notify(visible(text), title=where, severity="error", timeout=8, markup=False)
        self.note_issue(where, error)

    def note_issue(self, where: str, error: BaseException) -> None:
        """Adds an error to the panel of issues, with its place."""
        text = f"{where}: {error}"
        if not isinstance(error, ThalamusError):  # expected errors are described by their message
            text += "\n" + "".join(traceback.format_exception(error)).rstrip()
        self.tell(IssueNoted(text))

    def _heard_error(self, where: str, error: BaseException, trace: str) -> None:
        """Handles an error that did not end a request, in the thread where it occurred."""
        self.tell(IssueNoted(f"{where}: {error}\n{trace.rstrip()}"))

    # -- what is kept ----------------------------------------------------------------------------

    def keep(self, **changes: Any) -> None:
        """Saves preferences."""
        self.preferences = structs.replace(self.preferences, **changes)
        try:
            preferences.save(self.config.state_dir, self.preferences)
        except OSError as error:
            self.report("settings", error)

    def history(self) -> list[str]:
        """The earlier messages, also those of a chat on a terminal, the oldest first."""
        if self._typed is None:
            try:
                self._typed = [*self._history().load_history_strings()][::-1]
            except OSError as error:
                self._typed = []
                self.report("history", error)
        return self._typed

    def remember_typed(self, text: str) -> None:
        """Adds a message to the history."""
        typed = self.history()
        if not typed or typed[-1] != text:
            typed.append(text)
            try:
                self._history().append_string(text)
            except OSError as error:
                self.report("history", error)

    def forget_typed(self) -> None:
        """Has the history read again, because some lines may have been erased."""
        self._typed = None

    def _history(self) -> FileHistory:
        from thalamus.terminal.history import typed_lines

        return typed_lines(self.config.history_file, lambda: self.config.memory)

    # -- what any page asks of the chat ----------------------------------------------------------

    def resume(self, id: str) -> None:
        """Continues a past conversation in the chat."""
        self.talk(lambda conversation: conversation.resume(id))

    def new_session(self) -> None:
        """Begins a new session in the chat."""
        self.talk(lambda conversation: conversation.begin())

    def use_settings(self, **changes: Any) -> None:
        """Continues with other settings; those of models are tried first."""
        self.talk(lambda conversation: conversation.use_settings(**changes))

    def refresh_page(self) -> None:
        """Shows the present page again."""
        raise NotImplementedError

    def open_panel(self, name: str, opened: bool) -> None:
        """Opens or closes a panel of the debug console."""
        self.tell(PanelSet(name, opened))

    # -- windows that any page opens -------------------------------------------------------------

    def open_details(self, id: str, then: Callable[[str | None], None]) -> None:
        """Shows all details of an entry; calls ``then`` before they are closed, with the id of the
        entry or its successor."""
        raise NotImplementedError

    def open_undo(self, then: Callable[[str | None], None]) -> None:
        """Shows the changes that can be undone; calls ``then`` after an undo, with the id of the
        restored entry if it is a single one."""
        raise NotImplementedError

    # -- the end ---------------------------------------------------------------------------------

    def end_threads(self) -> bool:
        """Ends the threads once everything said is stored and the document in hand is read; returns
        True if all of them ended."""
        ended = [self.memory.close(PATIENCE), self.jobs.close(A_DAY if self.reading else PATIENCE)]
        return self.chat_worker.close(A_DAY) and all(ended)
