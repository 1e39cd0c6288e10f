"""The chat prompt: history, several lines, streaming, Ctrl-C and Ctrl-D."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.config import Config
from thalamus.errors import ThalamusError
from thalamus.terminal import streams
from thalamus.terminal.slash import Leave, Slash
from thalamus.terminal.streams import say_text as print  # whatever is said is for people

if TYPE_CHECKING:
    from thalamus.engine import Thalamus
    from thalamus.records import Turn
    from thalamus.terminal.telling import Teller

FENCE = '"""'
PROMPT = "> "
STATUS = {
    "retrieve": "recalling …",
    "answer": "thinking …",
    "reflect": "reflecting …",
    "store": "remembering …",
    "plan": "planning …",
}


class Repl:
    """A conversation on a terminal. ``run`` returns when the user leaves.

    Raises the model's error when there is none to talk with at the start.
    """

    def __init__(
        self, config: Config, teller: Teller, *, debug: bool = False, memory: bool = True
    ) -> None:
        self.config = config
        self.debug = debug
        self.last: Turn | None = None
        self._teller = teller
        self._memory = memory
        self._slash = Slash(self)
        self._status = Status()
        teller.events.bind("on_status_update", self._status.update)
        teller.before_text = self._status.clear
        self.thalamus = self._engine(config)

    def run(self) -> None:
        """Reads messages and answers them until Ctrl-D or /quit."""
        self._greet()
        prompt = self._prompt()
        try:
            while True:
                try:
                    text = self._read(prompt)
                except KeyboardInterrupt:
                    continue  # Ctrl-C at the prompt clears the line
                except EOFError:
                    break
                if not text.strip():
                    continue
                try:
                    self.handle(text)
                except Leave:
                    break
        finally:
            self.thalamus.close()

    def handle(self, text: str) -> None:
        """One message, or one slash command. Raises ``Leave`` for /quit."""
        if is_command(text):
            try:
                self._slash.run(text)
            except ThalamusError as error:
                self.complain(error)
            return
        message = text[1:] if text.startswith("//") else text
        known = len(self.thalamus.failures)
        try:
            self.last = self.thalamus.run_turn(message)
        except KeyboardInterrupt:
            self._status.clear()
            self._teller.forget()
            print("\n(stopped; what was said is kept)" if self._memory else "\n(stopped)")
            return
        self._status.clear()
        if self.last.answer is not None:
            self._teller.finish(self.last.answer)
        if self.debug:
            self._teller.explain(self.last)
        for _, failure in self.thalamus.failures[known:]:
            self.complain(failure)

    def use_model(self, spec: str) -> str:
        """Goes on with another chat model, in the same session; returns its full name."""
        from thalamus.models.choose import chat_model

        config = structs.replace(self.config, model=spec, models={})
        chat = chat_model(spec, config)
        chat.context()  # a file that is not there raises before anything changes
        name = chat.name
        session = self.thalamus.session
        self.thalamus.close()
        self.config = config
        self.thalamus = self._engine(config)
        self.thalamus.session = session
        return name

    def complain(self, error: Exception) -> None:
        """Tells an error and what to do, and goes on."""
        streams.complain(f"thalamus: {error}")
        if advice := getattr(error, "advice", ""):
            streams.complain(f"  {advice}")

    def _engine(self, config: Config) -> Thalamus:
        from thalamus.engine import Thalamus

        return Thalamus(config=config, events=self._teller.events, use_memory=self._memory)

    def _greet(self) -> None:
        chat = self.thalamus.context.models.chat("answer")
        chat.context()  # asks for it: better now than after the first message
        memory = str(self.config.store_dir) if self._memory else "off"
        print(f"model {chat.name}, memory {memory}, session {self.thalamus.session}")
        print("/help for commands, Ctrl-D to leave")

    def _prompt(self) -> Any:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory

        folder = self.config.state_dir
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        history = folder / "history"
        history.touch(mode=0o600, exist_ok=True)
        return PromptSession(
            history=FileHistory(str(history)),
            key_bindings=_keys(),
            multiline=True,
            prompt_continuation=lambda width, *_: " " * width,
        )

    def _read(self, prompt: Any) -> str:
        return unfence(prompt.prompt(PROMPT))


class Status:
    """One grey word about what goes on, on a terminal, gone when there is something to read."""

    def __init__(self) -> None:
        self._shown = False
        self._possible = sys.stderr.isatty()

    def update(self, stage: str, status: str) -> None:
        """A stage begins or ends."""
        self.clear()
        if self._possible and status == "started" and stage in STATUS:
            streams.status(STATUS[stage])
            self._shown = True

    def clear(self) -> None:
        """Takes the word away."""
        if self._shown:
            streams.clear_status(16)
            self._shown = False


def is_command(text: str) -> bool:
    """Whether a line is a slash command: ``/name`` and perhaps more, but no path such as /etc/x."""
    return re.match(r"/[a-z]+(\s|$)", text) is not None


def unfence(text: str) -> str:
    """The message between triple quotes, or the text as it is."""
    stripped = text.strip()
    if stripped.startswith(FENCE):
        return stripped.removeprefix(FENCE).removesuffix(FENCE).strip("\n")
    return text.strip("\n")


def complete(text: str) -> bool:
    """Whether Enter ends the message: not inside an open triple quote."""
    stripped = text.strip()
    if not stripped.startswith(FENCE):
        return True
    return len(stripped) >= 2 * len(FENCE) and stripped.endswith(FENCE)


def _keys() -> Any:
    """Enter sends (or goes on inside triple quotes), Alt-Enter makes a new line. Pasted line
    breaks are no key presses, so a pasted text of several lines is one message."""
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()

    @keys.add("enter")
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
