"""The chat in a pipe: each line is a message or a slash command, and nobody can be asked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from thalamus.errors import BadRecord
from thalamus.terminal.conversation import Conversation
from thalamus.terminal.slash_commands import Leave
from thalamus.terminal.streams import say_text

if TYPE_CHECKING:
    from thalamus.records import Turn


class PipedChat(Conversation):
    """A chat whose lines do not come from a terminal. Turns are run completely. ``code``: the exit
    status of the last failed command or turn, or 0."""

    code = 0

    def run(self) -> None:
        """Handles the lines of standard input until they end, or until /quit."""
        from thalamus.terminal import jsonl

        for lines in jsonl.numbered_lines():
            for number, line in lines:
                try:
                    self.handle(jsonl.text_of(number, line).strip())
                except Leave:
                    return
                except BadRecord as error:
                    self.complain(error)

    def say(self, message: str) -> None:
        from thalamus.terminal.problems import NEEDED, exit_code, warn

        known = len(self.thalamus.failures)
        turn = self.thalamus.turn(message, on_answer=self._show)
        self.last_answer = turn.answer or ""
        if self.debug:
            self._printer.explain(turn)
        warn(0, turn.issues)
        self.code = exit_code(self.thalamus.failures[known:], NEEDED) or self.code
        self.propose_to_forget(turn)

    def _show(self, turn: Turn) -> None:
        if turn.answer is not None:
            self._printer.finish(turn.answer)
            sys.stdout.flush()

    def sure(self, question: str, command: str) -> bool:
        say_text(f"{question} No: cannot ask here. Run `{command}` instead.")
        return False

    def complain(self, error: Exception) -> None:
        super().complain(error)
        self.code = getattr(error, "code", 1)
