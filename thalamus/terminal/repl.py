"""The chat prompt: history, several lines, streaming, Ctrl-C and Ctrl-D."""

from __future__ import annotations

import contextlib
import shutil
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from thalamus.clock import days_later
from thalamus.errors import ThalamusError
from thalamus.terminal import streams
from thalamus.terminal.attended import (
    AttendedConversation,
    consent_question,
    waiting_for_consent,
)
from thalamus.terminal.background import BackgroundWork
from thalamus.terminal.beside_prompt import REMEMBERING, BesidePrompt
from thalamus.terminal.conversation import is_command
from thalamus.terminal.echo import with_echo, without_echo
from thalamus.terminal.fence import complete, unfence
from thalamus.terminal.lines import counted, one_line
from thalamus.terminal.profile import known_line
from thalamus.terminal.slash.sessions import recalled
from thalamus.terminal.slash_commands import Leave
from thalamus.terminal.streams import say_text as print  # all output is for people
from thalamus.terminal.turn_lines import turn_lines
from thalamus.text.width import cut

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.config import Config
    from thalamus.pipeline.jobs import JobResult
    from thalamus.records import Session, Turn, Verdict
    from thalamus.terminal.printer import Printer
    from thalamus.terminal.voice import Voice

PROMPT = "> "
PRIVATE = "private> "  # while memory is off
RECENT = 6 / 24  # days in which resuming the last session is suggested
CALM = 0.2  # seconds between two changes of the text at the right
TOO_SMALL = (
    "This model is too small to note what changes, and what that replaces: your own words are kept"
    " and found again. `thalamus models pull` names a larger one."
)
STATUS = {
    "retrieve": "recalling …",
    "answer": "thinking …",
    "reflect": "reflecting …",
    "store": REMEMBERING,
    "plan": "planning …",
}


class Repl(AttendedConversation):
    """A conversation on a terminal. ``run`` returns when the user leaves.

    The prompt returns with the answer: the rest of the turn runs in the background. Raises the
    error of the model if none is available at the start.
    """

    def __init__(
        self,
        config: Config,
        printer: Printer,
        *,
        debug: bool = False,
        voice: Voice | None = None,
    ) -> None:
        super().__init__(config, printer, debug=debug)
        self._voice = voice
        self._talking = False  # the last message was heard: the next one is listened for
        self._status = Status()
        printer.events.bind("on_status_update", self._status.update)
        printer.before_text = self._status.clear
        self._beside_prompt = BesidePrompt()
        self._behind = self._remember()
        self._prompt: Any = None
        self._drawing: Any = None  # the event loop that draws the text at the right
        self._asking = False  # whether the prompt is shown: output goes above it
        self._news: SimpleQueue[str] = SimpleQueue()  # reported by the background, not printed yet
        self._asked: deque[Verdict] = deque()  # entries that wait for consent, the oldest first

    def run(self) -> bool:
        """Reads messages and answers them until Ctrl-D or /quit. Returns True if all work is done;
        work that the user did not wait for is left to the next command."""
        self._greet()
        self._prompt = self._make_prompt()
        threading.Thread(target=self._printer.warm_up, name="warm-up", daemon=True).start()
        self._look()
        try:
            with without_echo():
                self._converse()
                return self._leave()
        finally:
            self.thalamus.close()

    def _converse(self) -> None:
        """Reads and handles input until the user leaves."""
        while True:
            try:
                text = self._next()
            except KeyboardInterrupt:
                text = ""  # Ctrl-C at the prompt clears the line
            except EOFError:
                return
            if text.strip():
                self._beside_prompt.clear()
                try:
                    self.handle(text)
                except Leave:
                    return
                except KeyboardInterrupt:  # during a command
                    self._status.clear()
                    print("(stopped)")
            self._behind.resume()

    def _next(self) -> str:
        """The next message: heard, while the user is talking or after Enter on an empty line, and
        typed otherwise."""
        heard = self._listen() if self._talking else ""
        text = heard or self._read()
        if not text.strip() and self._voice is not None and self._voice.hears:
            text = heard = self._listen()
        # what was heard is never a command
        return f" {heard}" if heard.startswith(("/", "!")) else text

    def _listen(self) -> str:
        """Listens; returns the text, empty for silence or a failure."""
        assert self._voice is not None
        heard = ""
        self._status.show("listening …")
        try:
            heard = self._voice.listen()
            note = heard if heard else "(heard nothing; Enter listens again)"
        except KeyboardInterrupt:
            note = "(stopped listening)"
        except ThalamusError as error:
            note = ""
            self._status.clear()
            self.complain(error)
        self._status.clear()
        if note:
            print(f"{PROMPT}{note}" if heard else note)
        self._talking = bool(heard)
        return heard

    def _speak(self, answer: str) -> None:
        """Reads an answer aloud. Ctrl-C stops it."""
        if self._voice is None or not self._voice.speaks or not answer.strip():
            return
        self._status.show("speaking …")
        try:
            self._voice.speak(answer)
        except KeyboardInterrupt:
            self._status.clear()
            self._talking = False
            print("(stopped speaking)")
        except ThalamusError as error:
            self._status.clear()
            self.complain(error)
        finally:
            self._status.clear()

    def say(self, message: str) -> None:
        spoken, self._talking = self._talking, False
        self._behind.pause()
        known = len(self.thalamus.failures)
        try:
            turn, left = self.thalamus.answer_turn(message)
        except KeyboardInterrupt:
            self._status.clear()
            self._printer.forget()
            print("(stopped; the partial answer is kept)" if self.config.memory else "(stopped)")
            return
        finally:
            self._behind.resume()
        self._status.clear()
        self.last_answer = turn.answer or ""
        if turn.answer is not None:
            self._printer.finish(turn.answer)
        if self.debug:
            self._printer.explain(turn)
        if turn.reflection is not None:
            self._beside_prompt.stored(turn)
        self._finish_behind(turn, left, known)
        for line in self._ask(waiting_for_consent(turn)):
            print(line)
        self._talking = spoken and turn.answer is not None
        self._speak(self.last_answer)

    def sure(self, question: str, command: str) -> bool:
        with with_echo():
            return streams.agreed(question)

    def handle(self, text: str) -> None:
        """Handles a line as any chat does; after a question for consent, y or n is the reply. Any
        other message leaves the entry in quarantine."""
        reply = text.strip().lower()
        if self._asked and reply in ("y", "yes", "n", "no"):
            self._decide(reply in ("y", "yes"))
            return
        if not is_command(text):
            self._asked.clear()
        super().handle(text)

    def edited(self, text: str) -> str:
        from thalamus.terminal.editor import edited

        with with_echo():
            return edited(text, "message.md")

    def copy(self, text: str) -> None:
        from thalamus.terminal.clipboard import copy

        copy(text)

    def can_pick(self) -> bool:
        from thalamus.terminal.session_picker import can_pick

        return can_pick()

    def pick_session(self, sessions: Sequence[Session]) -> Session | None:
        from thalamus.terminal.session_picker import pick_session

        return pick_session(self.thalamus, sessions)

    def run_in_shell(self, command: str) -> None:
        import subprocess

        sys.stdout.flush()
        with with_echo():
            try:
                code = subprocess.run(command, shell=True).returncode
            except KeyboardInterrupt:
                code = 130
        if code:
            print(f"(exit status {code})")

    def _decide(self, keep: bool) -> None:
        waiting = self._asked.popleft()
        try:
            self.decide(waiting.stored_id, keep)
            print("kept" if keep else "deleted")
        except ThalamusError as error:
            self.complain(error)
        if self._asked:
            print(_consent_question(self._asked[0]))

    def _wait(self, settled: Callable[[], None]) -> None:
        """Waits for the background work. Ctrl-C does not wait for it."""
        if self._behind.remembering:
            self._status.show(REMEMBERING)
        try:
            settled()
        except KeyboardInterrupt:
            pass
        finally:
            self._status.clear()

    def _leave(self) -> bool:
        """Waits until everything is remembered, or Ctrl-C; returns True if everything is."""
        try:
            if self._behind.unstored:
                print("storing the last turn … press Ctrl-C to leave it to the next command")
            return self._behind.end()
        except KeyboardInterrupt:
            if self._behind.unstored:
                print("(left to the next command)")
            return False

    # -- behind the prompt -----------------------------------------------------------------------

    def _remember(self) -> BackgroundWork:
        events = self._printer.quiet_events()
        thalamus = self.thalamus
        return BackgroundWork(
            lambda: thalamus.sibling(events),
            events,
            self._hear,
            self._redraw,
            lambda done: self._beside_prompt.concluded(len(done.insights)),
        )

    def _sibling(self) -> Thalamus:
        """Another engine in the same session, for another thread."""
        thalamus = self.thalamus.sibling()
        thalamus.session = self.thalamus.session
        return thalamus

    def _hear(self, news: JobResult[Turn] | Exception) -> None:
        """Records the result of a turn if it is of interest. Called in the other thread."""
        problem = news if isinstance(news, Exception) else news.problem
        lines = []
        if problem is not None:
            lines = [f"thalamus: {problem}", "  The turn is kept and will be finished later."]
        elif not isinstance(news, Exception) and news.result is not None:
            self._beside_prompt.stored(news.result)
            lines = turn_lines(news.result) if self.debug else []
            lines += self._request_to_forget(news.result)
            lines += self._ask(waiting_for_consent(news.result))
        for line in lines:
            self._news.put(line)
        if self._asking:
            self._print_news()

    def _ask(self, waiting: Sequence[Verdict]) -> list[str]:
        """Adds entries that wait for consent; returns the question to ask now, if any."""
        free = not self._asked
        self._asked.extend(waiting)
        return [_consent_question(waiting[0])] if waiting and free else []

    def _print_news(self) -> None:
        while not self._news.empty():
            streams.complain(self._news.get())

    def _redraw(self) -> None:
        """Draws the text at the right a moment after work began or ended, so that short stages do
        not flicker. Called in the other thread."""
        loop = self._prompt.app.loop if self._prompt is not None else None
        if loop is not None and loop is not self._drawing:
            self._drawing = loop
            with contextlib.suppress(RuntimeError):  # the line was sent in the meantime
                loop.call_soon_threadsafe(loop.call_later, CALM, self._draw)

    def _draw(self) -> None:
        self._drawing = None
        self._prompt.app.invalidate()

    def _beside(self) -> str:
        """The text at the right end of the prompt line."""
        from prompt_toolkit.application import get_app

        app = get_app()
        if app.is_done:
            return ""
        return self._beside_prompt.text(self._behind, app.output.get_size().columns)

    # -- the prompt ------------------------------------------------------------------------------

    def _greet(self) -> None:
        self.thalamus.look_up_models()  # reports an invalid flow before anything is typed
        self._status.show(f"waking {self.thalamus.models.name()} …")  # may take long
        try:
            model = self.thalamus.models.wake()
        finally:
            self._status.clear()
        streams.say(f"model {model}, memory {self._memory()}, session {self.thalamus.session}")
        for line in self._recalled():
            streams.say(line)
        if self._voice is not None and self._voice.hears:
            streams.say("Enter on an empty line listens, Ctrl-C stops it")
        streams.say("/help for commands, Ctrl-D to leave")

    def _memory(self) -> str:
        """Line about the place and the size of the memory, or about a private chat."""
        if not self.config.memory:
            return "off"
        store = self.thalamus.open_store(False)
        counts = self.thalamus.memories.count() if store is not None else {}
        if store is not None and not any(counts.values()):
            # imported conversations have turns but no memories yet
            counts = {"turn": store.counts()["turn"]}
        many = counted(counts)
        known = "nothing remembered yet" if many == "nothing" else many
        return f"{self.config.store_place} ({known})"

    def _recalled(self) -> Iterator[str]:
        """Lines about the user, and about the resumed session or one that could be resumed."""
        if not self.config.memory:
            return
        if self.thalamus.open_store(False) is None or self.thalamus.store.is_empty():
            yield "Say who you are or what you work on: it is remembered from now on."
            if self.thalamus.models.small("reflect"):
                yield TOO_SMALL
            return
        if known := known_line(self.thalamus):
            yield known
        if waiting := len(self.thalamus.memories.proposals()):
            what = "1 change" if waiting == 1 else f"{waiting} changes"
            yield f"another program proposes {what}: `thalamus memory proposals`"
        here = self.thalamus.sessions.last_turn()
        if here is not None:
            yield recalled(self.thalamus.sessions.get(self.thalamus.session))
            return
        for last in self.thalamus.sessions.find(1):
            if (last.last_at or "") > days_later(self.thalamus.clock.stamp(), -RECENT):
                yield f"{recalled(last)}; `/resume 1` continues it"

    def _make_prompt(self) -> Any:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.filters import Condition

        from thalamus.terminal.completion import ChatCompleter
        from thalamus.terminal.history import typed_lines

        completer: Any = ChatCompleter(self._sibling)
        session: Any = PromptSession(
            history=typed_lines(self.config.history_file, lambda: self.config.memory),
            rprompt=self._beside,
            key_bindings=_keys(),
            multiline=True,
            completer=completer,
            complete_in_thread=True,
            complete_while_typing=Condition(self._typing_command),
            prompt_continuation=lambda width, *_: " " * width,
        )
        session.default_buffer.on_text_changed += self._typed
        return session

    def _typing_command(self) -> bool:
        """True if a command is being typed, which is completed while typing."""
        text = self._prompt.default_buffer.text if self._prompt is not None else ""
        return text.startswith("/") and not text.startswith("//")

    def _typed(self, buffer: Any) -> None:
        """Stops concluding insights, because a key was pressed."""
        if buffer.text:
            self._behind.typed()

    def _read(self) -> str:
        from prompt_toolkit.patch_stdout import patch_stdout

        self._print_news()
        with patch_stdout(raw=True):  # output goes above the prompt
            self._asking = True
            try:
                return unfence(self._prompt.prompt(PROMPT if self.config.memory else PRIVATE))
            finally:
                self._asking = False


class Status:
    """One grey word about the current work, on a terminal, removed before other output."""

    def __init__(self) -> None:
        self._possible = sys.stderr.isatty()

    def update(self, stage: str, status: str, detail: Mapping[str, Any]) -> None:
        """A stage begins, ends or waits."""
        self.clear()
        if status == "started" and stage in STATUS:
            self.show(STATUS[stage])
        elif status == "waiting":
            self.show(one_line(f"waiting {detail['seconds']:.3g} s: {detail['reason']}"))

    def show(self, word: str) -> None:
        """Shows a word, or as much of it as fits on a line."""
        if self._possible:
            streams.status(cut(word, max(shutil.get_terminal_size().columns - 1, 1)))

    def clear(self) -> None:
        """Removes the word."""
        streams.clear_status()


def _consent_question(waiting: Verdict) -> str:
    return f"{consent_question(waiting)} (y/n; it waits in quarantine otherwise)"


def _keys() -> Any:
    """Enter sends (or continues inside triple quotes), Alt-Enter makes a new line. Pasted line
    breaks are not key presses, so a pasted text of several lines is one message."""
    from prompt_toolkit.filters import is_searching
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()

    @keys.add("enter", filter=~is_searching)  # there it accepts the found line
    def _(event: Any) -> None:
        buffer = event.current_buffer
        if complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    @keys.add("escape", "enter")
    def _(event: Any) -> None:
        event.current_buffer.insert_text("\n")

    return keys
