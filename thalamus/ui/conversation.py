"""The conversation of the full screen: what runs in the thread of the chat, and what it tells the
screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs
from textual.message import Message

from thalamus.cancel import CancelToken
from thalamus.errors import NothingMatches, UsageError
from thalamus.terminal.attended import AttendedConversation, waiting_for_consent
from thalamus.terminal.background import BackgroundWork
from thalamus.terminal.slash_commands import Leave
from thalamus.ui.output import Caught

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.config import Config
    from thalamus.pipeline.jobs import JobResult
    from thalamus.records import Session, Turn, Verdict
    from thalamus.terminal.printer import Printer

SHOWN = 20  # turns of a session that is resumed
LONGEST_COMMAND = 60.0  # seconds that a command of the shell may take

_DELETING = "/forget"


class Happened(Message):
    """An event of the engine; ``behind``: of the work that follows an answer."""

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
    """A command printed something for people."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Failed(Message):
    """Something went wrong, and is to be shown."""

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
    """There is more or less to do behind the prompt."""


class EngineChanged(Message):
    """The conversation goes on with other settings."""

    def __init__(self, config: Config, session: str) -> None:
        super().__init__()
        self.config = config
        self.session = session


class Done(Message):
    """Message that what was sent is dealt with."""


class ModelWoke(Message):
    """The model answers; its name is known."""


class IssueNoted(Message):
    """Something went wrong, on whatever page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class SessionOpened(Message):
    """The conversation goes on in another session, in which ``turns`` were said last; or, not
    ``moved``, in the same one, of which something was deleted."""

    def __init__(self, turns: list[Turn], moved: bool = True) -> None:
        super().__init__()
        self.turns = turns
        self.moved = moved


class PageAsked(Message):
    """A command asked for a page."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class PanelSet(Message):
    """A panel of the debug console is to be open, or closed."""

    def __init__(self, name: str, opened: bool) -> None:
        super().__init__()
        self.name = name
        self.opened = opened


class CopyAsked(Message):
    """A command asked to put a text into the clipboard."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class LeaveAsked(Message):
    """A command asked to leave."""


class ScreenConversation(AttendedConversation):
    """A chat whose messages and commands come from a screen, and whose every word goes to one.

    Everything but ``stop`` and what is said of it is called in the thread of the chat. ``tell``
    takes messages for the screen from any thread; ``confirm`` asks there whether to do something,
    with the text that explains it, and waits for the reply; ``edit`` has a text edited in a file of
    this name.
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
        """Wakes the model, and looks what earlier commands left; returns the model's name. Raises
        as ``wake_model``."""
        self.thalamus.look_up_models()
        name = self.thalamus.models.wake()
        self._look()
        return name

    def take(self, text: str) -> None:
        """Handles a message or a command; whatever it raises is told and passes."""
        try:
            self.handle(text)
        except Leave:
            self._tell(LeaveAsked())
        except Exception as error:
            self._tell(Failed("chat", error))
        finally:
            self._behind.resume()

    def run_in_shell(self, command: str) -> None:
        """Runs a command, which has no terminal here, for so long at most, and tells what it
        prints."""
        import subprocess

        try:
            done = subprocess.run(
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
        printed = done.stdout.decode(errors="replace").rstrip("\n")
        status = f"(exit status {done.returncode})" if done.returncode else ""
        self._tell(Printed("\n".join(filter(None, (printed, status))) or "(no output)"))

    def say(self, message: str) -> None:
        self._tell_printed()  # what a command said before it sent this
        self._behind.pause()
        self._cancel = CancelToken()
        known = len(self.thalamus.failures)
        turn, left = self.thalamus.answer_turn(message, cancel=self._cancel)
        self.answered = turn.answer or ""
        self._tell(Answered(turn))
        self._finish_behind(turn, left, known)

    def command(self, line: str) -> None:
        """Runs a slash command, and tells what it prints."""
        session = self.thalamus.session
        try:
            with self._output:
                super().command(line)
        finally:
            now = self.thalamus.session
            if now != session and line.startswith("/session"):
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
        """Opens the page on which one is chosen."""
        self._tell(PageAsked("sessions"))
        return None

    def complain(self, error: Exception) -> None:
        self._tell(Failed("chat", error))

    def decide(self, id: str, keep: bool) -> None:
        """Runs a line as any chat does; what it raises is reported."""
        try:
            super().decide(id, keep)
            self._tell(Printed("Kept." if keep else "Deleted."))
        except Exception as error:
            self._tell(Failed("consent", error))

    def use_settings(self, **changes: Any) -> None:
        """Goes on with other settings, in the same session. Raises what a model raises that is not
        there; then nothing has changed."""
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
        """Goes on in a past session, after what was said in this one is stored. Raises as
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
        """Has the conversation shown as it is stored, after something of it may have been deleted.
        Nothing where it is not stored."""
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
        """Stops the answer that is being made."""
        self._cancel.cancel()

    def typed(self) -> None:
        """Somebody is writing: insights are not concluded meanwhile."""
        self._behind.typed()

    @property
    def remembering(self) -> bool:
        """True if a turn is being stored, or is to be."""
        return self._behind.remembering

    @property
    def unstored(self) -> bool:
        """True if a turn of this chat is still to be stored."""
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
        if waiting := waiting_for_consent(news):
            self._tell(ConsentAsked(waiting))
        self._behind_changed()
