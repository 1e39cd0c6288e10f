"""The conversation of the full screen: the work in the thread of the chat, and its messages to the
screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs
from textual.message import Message

from thalamus.cancel import CancelToken
from thalamus.errors import NothingMatches, UsageError
from thalamus.terminal.attended import (
    AttendedConversation,
    waiting_for_consent,
)
from thalamus.terminal.background import BackgroundWork
from thalamus.terminal.slash_commands import Leave
from thalamus.ui.output import Caught

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.config import Config
    from thalamus.pipeline.jobs import JobResult
    from thalamus.records import Session, Turn, Verdict
    from thalamus.terminal.printer import Printer

SHOWN = 20  # turns shown of a resumed session
LONGEST_COMMAND = 60.0  # time limit of a shell command, in seconds

_DELETING = "/forget"


class Happened(Message):
    """An event of the engine; ``behind``: of background work."""

    def __init__(self, event: Any, *, behind: bool) -> None:
        super().__init__()
        self.event = event
        self.behind = behind


class Answered(Message):
    """A turn was answered, or interrupted."""

    def __init__(self, turn: Turn) -> None:
        super().__init__()
        self.turn = turn


class Printed(Message):
    """Message with the output of a command."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Failed(Message):
    """Message with an error to show."""

    def __init__(self, where: str, error: BaseException) -> None:
        super().__init__()
        self.where = where
        self.error = error


class ConsentAsked(Message):
    """Memories that wait for the user's consent, to be kept or deleted."""

    def __init__(self, waiting: list[Verdict]) -> None:
        super().__init__()
        self.waiting = waiting


class BehindChanged(Message):
    """Message that the amount of background work changed."""


class EngineChanged(Message):
    """Message that the conversation continues with other settings."""

    def __init__(self, config: Config, session: str) -> None:
        super().__init__()
        self.config = config
        self.session = session


class Done(Message):
    """Message that the input has been handled."""


class ModelWoke(Message):
    """Message that the model answers; its name is known."""


class IssueNoted(Message):
    """Message with an error of any page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class SessionOpened(Message):
    """Message that the conversation continues in another session with these last ``turns``; if not
    ``moved``, in the same session after a deletion."""

    def __init__(self, turns: list[Turn], moved: bool = True) -> None:
        super().__init__()
        self.turns = turns
        self.moved = moved


class PageAsked(Message):
    """Message that a command asked for a page."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class PanelSet(Message):
    """Message that a panel of the debug console is to be opened or closed."""

    def __init__(self, name: str, opened: bool) -> None:
        super().__init__()
        self.name = name
        self.opened = opened


class CopyAsked(Message):
    """Message that a command asked to copy a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class LeaveAsked(Message):
    """Message that a command asked to leave."""


class ScreenConversation(AttendedConversation):
    """A chat with messages and commands from a screen, and with all its output on that screen.

    Everything but ``stop`` is called in the thread of the chat. ``tell`` takes messages for the
    screen from any thread; ``confirm`` asks for confirmation with an explanation, and waits for the
    reply; ``edit`` has a text edited in a file of this name.
    """

    def __init__(
        self,
        config: Config,
        printer: Printer,
        tell: Callable[[Message], object],
        confirm: Callable[[str, str], bool],
        edit: Callable[[str, str], str],
    ) -> None:
        super().__init__(config, printer)
        self._tell = tell
        self._edit = edit
        self._confirm = confirm
        self._output = Caught()
        self._cancel = CancelToken()
        printer.events.bind("on_event", lambda event: self._hear(event, behind=False))
        self._behind = self._remember()

    def greet(self) -> str:
        """Wakes the model and looks for work of earlier commands; returns the model's name. Raises
        as ``wake_model``."""
        self.thalamus.look_up_models()
        name = self.thalamus.models.wake()
        self._look()
        return name

    def take(self, text: str) -> None:
        """Handles a message or a command; reports any error."""
        try:
            self.handle(text)
        except Leave:
            self._tell(LeaveAsked())
        except Exception as error:
            self._tell(Failed("chat", error))
        finally:
            self._behind.resume()

    def run_in_shell(self, command: str) -> None:
        """Runs a shell command, without a terminal and with a time limit, and shows its output."""
        import subprocess

        try:
            process = subprocess.run(
                command,
                shell=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=LONGEST_COMMAND,
            )
        except subprocess.TimeoutExpired:
            self.complain(UsageError(f"!{command} took longer than {LONGEST_COMMAND:.0f} s."))
            return
        printed = process.stdout.decode(errors="replace").rstrip("\n")
        status = f"(exit status {process.returncode})" if process.returncode else ""
        self._tell(Printed("\n".join(filter(None, (printed, status))) or "(no output)"))

    def say(self, message: str) -> None:
        self._tell_printed()  # earlier output of the command
        self._behind.pause()
        self._cancel = CancelToken()
        known = len(self.thalamus.failures)
        turn, left = self.thalamus.answer_turn(message, cancel=self._cancel)
        self.last_answer = turn.answer or ""
        self._tell(Answered(turn))
        self._finish_behind(turn, left, known)
        self._ask(turn)

    def command(self, line: str) -> None:
        """Runs a slash command and shows its output."""
        session = self.thalamus.session
        try:
            with self._output:
                super().command(line)
        finally:
            now = self.thalamus.session
            if now != session and line.startswith("/resume"):
                self._moved(self.thalamus.sessions.turns(now, SHOWN))
            elif now != session:
                self._tell(EngineChanged(self.config, now))
            elif line.startswith(_DELETING):
                self.show_again()
            self._tell_printed()

    def _tell_printed(self) -> None:
        if printed := self._output.take():
            self._tell(Printed(printed))

    def sure(self, question: str, command: str) -> bool:
        return self._confirm(question, self._output.take())

    def edited(self, text: str) -> str:
        return self._edit(text, "message.md")

    def copy(self, text: str) -> None:
        self._tell(CopyAsked(text))

    def can_pick(self) -> bool:
        return True

    def pick_session(self, sessions: Sequence[Session]) -> Session | None:
        """Opens the page for choosing a session."""
        self._tell(PageAsked("sessions"))
        return None

    def complain(self, error: Exception) -> None:
        self._tell(Failed("chat", error))

    def decide(self, id: str, keep: bool) -> None:
        """Runs a line as any chat does; reports errors."""
        try:
            super().decide(id, keep)
            self._tell(Printed("Kept." if keep else "Deleted."))
        except Exception as error:
            self._tell(Failed("consent", error))

    def use_settings(self, **changes: Any) -> None:
        """Continues with other settings in the same session. Raises the error of a missing model;
        nothing has changed then."""
        config = structs.replace(self.config, **changes)
        models = {"model", "models", "embedder", "reranker"} & changes.keys()
        if models:
            thalamus = self._engine(config)
            thalamus.models.wake()
        else:
            thalamus = self.thalamus.sibling(self._printer.events, config=config)
        thalamus.session = self.thalamus.session
        self._go_on_with(config, thalamus)

    def resume(self, id: str) -> None:
        """Continues a past session, once everything said in this one is stored. Raises as
        ``resume_session``."""
        self._behind.wait_stored()
        session = self.thalamus.sessions.resume(id)
        self._moved(self.thalamus.sessions.turns(session.id, SHOWN))

    def begin(self) -> None:
        """Begins a new session."""
        self._behind.wait_stored()
        self.thalamus.new_session()
        self._moved([])

    def show_again(self) -> None:
        """Shows the stored conversation again, after a part of it may have been deleted; nothing if
        it is not stored."""
        if self.config.memory and self.thalamus.open_store(False) is not None:
            try:
                turns = self.thalamus.sessions.turns(self.thalamus.session, SHOWN)
            except NothingMatches:  # nothing is left of it
                turns = []
            self._tell(SessionOpened(turns, moved=False))

    def _moved(self, turns: list[Turn]) -> None:
        self._tell(EngineChanged(self.config, self.thalamus.session))
        self._tell(SessionOpened(turns))

    def _go_on_with(self, config: Config, thalamus: Thalamus) -> None:
        super()._go_on_with(config, thalamus)
        self._tell(EngineChanged(config, thalamus.session))

    # Called in any thread:

    def stop(self) -> None:
        """Stops the current answer."""
        self._cancel.cancel()

    def typed(self) -> None:
        """Stops concluding insights while the user is typing."""
        self._behind.typed()

    @property
    def remembering(self) -> bool:
        """True if a turn is being stored or waits for it."""
        return self._behind.remembering

    @property
    def unstored(self) -> bool:
        """True if a turn of this chat is not stored yet."""
        return self._behind.unstored

    # -- behind the answer -----------------------------------------------------------------------

    def _remember(self) -> BackgroundWork:
        events = self._printer.quiet_events()
        events.bind("on_event", lambda event: self._hear(event, behind=True))
        thalamus = self.thalamus
        return BackgroundWork(
            lambda: thalamus.sibling(events),
            events,
            self._finished,
            self._behind_changed,
        )

    def _hear(self, event: Any, *, behind: bool) -> None:
        self._tell(Happened(event, behind=behind))

    def _behind_changed(self) -> None:
        self._tell(BehindChanged())

    def _finished(self, news: JobResult[Turn] | Exception) -> None:
        problem = news if isinstance(news, Exception) else news.problem
        if problem is not None:
            self._tell(Failed("remembering (the turn is kept and finished later)", problem))
        elif not isinstance(news, Exception) and news.result is not None:
            for line in self._request_to_forget(news.result):
                self._tell(IssueNoted(line))
            self._ask(news.result)
        self._behind_changed()

    def _ask(self, turn: Turn) -> None:
        """Asks whether to keep what waits for the user's consent."""
        if waiting := waiting_for_consent(turn):
            self._tell(ConsentAsked(waiting))
