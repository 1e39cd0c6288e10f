"""An interactive chat: the answer is shown at once, and the rest of its turn is done in the
background."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from thalamus.errors import ModelMissing, ModelUnreachable, UsageError
from thalamus.policy.intents import FORGET, may_ask_to_forget, to_forget
from thalamus.terminal.conversation import Conversation
from thalamus.terminal.history import drop_personal
from thalamus.terminal.slash_commands import COMMANDS

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.config import Config
    from thalamus.records import Turn, Verdict
    from thalamus.terminal.background import BackgroundWork
    from thalamus.terminal.printer import Printer

_MODEL_GONE = (ModelUnreachable, ModelMissing)  # errors after which no background work is tried
# concern stored entries, and wait for them
_SHOWS = tuple(command.name for command in COMMANDS.values() if command.waits)


class AttendedConversation(Conversation):
    """The common part of the chats on a terminal and in the full screen, which create ``_behind``
    once everything that it reports to exists."""

    _behind: BackgroundWork

    def __init__(self, config: Config, printer: Printer, *, debug: bool = False) -> None:
        self._requests: dict[str, Turn] = {}  # finished turns whose answer named /forget, by id
        super().__init__(config, printer, debug=debug)

    def handle(self, text: str) -> None:
        """Handles a line as any chat does; ``!`` begins a shell command, which no model sees."""
        if not text.startswith("!"):
            super().handle(text)
        elif command := text[1:].strip():
            self.run_in_shell(command)
        else:
            self.complain(UsageError("Missing command.", fix="!ls, for example"))

    def run_in_shell(self, command: str) -> None:
        """Runs a command in the user's shell and shows its output."""
        raise NotImplementedError

    def command(self, line: str) -> None:
        """Runs a slash command; if it concerns stored turns, the earlier turns are stored first."""
        name = line[1:].split()[0]
        if name in _SHOWS:
            self._wait(self._behind.wait_planned if name == "plan" else self._behind.wait_stored)
        super().command(line)

    def abandon(self, turn: str) -> None:
        self._behind.drop(turn)

    def decide(self, id: str, keep: bool) -> None:
        """Keeps or deletes an entry that waits for consent. Raises as ``release_memory``."""
        (self.thalamus.memories.release if keep else self.thalamus.memories.reject)(id)

    def close(self) -> None:
        self._behind.end()
        super().close()

    def _look(self) -> None:
        """Looks for work that earlier commands left."""
        if self.thalamus.unfinished_turns() or self.thalamus.insights.count_jobs().get("waiting"):
            self._behind.look()

    def _finish_behind(self, turn: Turn, left: bool, known: int) -> None:
        """Reports the failures of an answered turn, after the ``known`` ones of earlier turns, and
        leaves its remaining stages to the background if some are ``left``; otherwise it is known
        if the message may stay in the history of typed lines. A request to forget is not left."""
        failures = [failure for _, failure in self.thalamus.failures[known:]]
        for failure in failures:
            self.complain(failure)
        if left and turn.id and not any(isinstance(failure, _MODEL_GONE) for failure in failures):
            self._behind.add(turn.id)
            if may_ask_to_forget(turn):
                self._wait(self._behind.wait_planned)
                turn = self._requests.pop(turn.id, turn)
        else:
            drop_personal(self.thalamus.config.history_file, turn)
        self.propose_to_forget(turn)

    def _request_to_forget(self, turn: Turn) -> list[str]:
        """A line with the command for what a turn that was finished in the background asks to
        forget; none if the command is proposed by ``_finish_behind``, which waits for the turn."""
        if not (ids := to_forget(turn)):
            return []
        if may_ask_to_forget(turn):
            self._requests[turn.stored_id] = turn
            return []
        return [f"`{' '.join([FORGET, *ids])}` deletes what you asked to forget."]

    def _wait(self, settled: Callable[[], None]) -> None:
        """Waits for the background work."""
        settled()

    def _remember(self) -> BackgroundWork:
        """A thread that finishes the turns of ``self.thalamus`` with the same models."""
        raise NotImplementedError

    def _go_on_with(self, config: Config, thalamus: Thalamus) -> None:
        super()._go_on_with(config, thalamus)
        self._behind = self._remember()


def waiting_for_consent(turn: Turn) -> list[Verdict]:
    """Decisions of a turn that wait for the user's consent."""
    return [v for v in turn.stored if (v.rule, v.decision) == ("consent", "quarantine")]


def consent_question(waiting: Verdict) -> str:
    """The question for consent."""
    from thalamus.terminal.lines import quoted

    return f"Keep {quoted(waiting.content)}?"
