"""A chat, on a terminal or in a pipe: messages, and commands that begin with a slash."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.errors import ThalamusError, UsageError
from thalamus.terminal.slash.advice import in_chat
from thalamus.terminal.slash_commands import SlashCommands
from thalamus.terminal.streams import complain

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.config import Config
    from thalamus.records import Session, Turn
    from thalamus.terminal.printer import Printer


LEAVING = ("exit", "quit", "/exit", ":q")  # lines that leave the chat as /quit does


class Conversation:
    """The common part of both kinds of chat."""

    def __init__(self, config: Config, printer: Printer, *, debug: bool = False) -> None:
        self.config = config
        self.debug = debug
        self.last_message = self.last_answer = ""  # the last message, and the last answer
        self._printer = printer
        self._slash = SlashCommands(self)
        self.thalamus = self._engine(config)

    def handle(self, text: str) -> None:
        """Handles one message or one slash command. Raises ``Leave`` for /quit, and for the words
        that leave other programs."""
        message = text[1:] if text.startswith("//") else text
        if text.casefold() in LEAVING:
            text = "/quit"
        try:
            if is_command(text):
                self.command(text)
            else:
                self.last_message = message
                self.say(message)
        except ThalamusError as error:
            self.complain(error)

    def say(self, message: str) -> None:
        """Answers a message."""
        raise NotImplementedError

    def command(self, line: str) -> None:
        """Runs a slash command."""
        self._slash.run(line)

    def propose_to_forget(self, turn: Turn) -> None:
        """Proposes to delete what a finished turn asks to forget, if it does."""
        from thalamus.policy.intents import FORGET, to_forget

        if ids := to_forget(turn):
            self.command(" ".join([FORGET, *ids]))

    def sure(self, question: str, command: str) -> bool:
        """Asks for confirmation; ``command`` is the alternative if nobody can be asked."""
        raise NotImplementedError

    def show(self, text: str) -> None:
        """Prints a text of several lines, as an answer would be."""
        self._printer.show(text)

    def abandon(self, turn: str) -> None:
        """Stops the remaining work on a turn that is about to be undone."""

    def edited(self, text: str) -> str:
        """The text after editing in the user's editor. Raises ``UsageError`` without a terminal."""
        raise UsageError("/compose needs a terminal.")

    def copy(self, text: str) -> None:
        """Copies a text to the clipboard. Raises ``UsageError`` without a terminal."""
        raise UsageError("/copy needs a terminal.")

    def can_pick(self) -> bool:
        """True if the user can choose from a list with the keys of a terminal."""
        return False

    def pick_session(self, sessions: Sequence[Session]) -> Session | None:
        """The session that the user chooses, or None; only if ``can_pick``."""
        raise NotImplementedError

    def use_model(self, spec: str) -> str:
        """Continues with another chat model in the same session; returns its full name."""
        config = structs.replace(self.thalamus.config, model=spec, models={})
        thalamus = self._engine(config)
        name = thalamus.models.wake()  # raises for a missing model before anything changes
        thalamus.session = self.thalamus.session
        self._go_on_with(config, thalamus)
        return name

    def use_memory(self, on: bool) -> None:
        """Continues with or without memory, in the same session, with the same models."""
        config = structs.replace(self.config, memory=on)
        thalamus = self.thalamus.sibling(self._printer.events, config=config)
        thalamus.session = self.thalamus.session
        self._go_on_with(config, thalamus)

    def _go_on_with(self, config: Config, thalamus: Thalamus) -> None:
        self.close()
        self.config, self.thalamus = config, thalamus

    def complain(self, error: Exception) -> None:
        """Reports an error with its advice, and continues."""
        complain(f"thalamus: {error}")
        if advice := getattr(error, "advice", ""):
            complain(f"  {in_chat(advice)}")

    def close(self) -> None:
        """Closes the store."""
        self.thalamus.close()

    def _engine(self, config: Config) -> Thalamus:
        from thalamus.api import Thalamus

        return Thalamus(config=config, events=self._printer.events)


def is_command(text: str) -> bool:
    """True for a slash command: ``/name`` with or without arguments, but not a path such as
    /etc/x."""
    return re.match(r"/[a-z]+(\s|$)", text) is not None
