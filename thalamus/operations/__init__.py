"""Acts on what is stored, each written once: what it is called, takes, does and shows.

The command of the command line (``commands.derived``), the slash command of the chat, its help and
the completion of both are derived from an entry. Only the act that is called is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from thalamus.api import Thalamus


class Act(Struct, frozen=True):
    """Implementation of an operation. ``takes``: its parameters, of which those without a default are
    arguments, in their order; ``line``: its result, as a line for people; ``shared``: options of
    the command besides those of the store."""

    takes: type[Struct]
    run: Callable[[Thalamus, Any], Any]
    line: Callable[[Any], str]
    shared: tuple[str, ...] = ()


class Operation(Struct, frozen=True):
    """An entry of the table.

    ``name``: the words of the command; ``help``: its first line, and ``more`` that follows it;
    ``act``: MODULE:NAME below this package; ``completes``: the kind of its first argument, for
    completion; ``chat``: its effect in a few words, if it is a slash command too, whose name is the
    last word.
    """

    name: str
    help: str
    act: str
    completes: str
    more: str = ""
    chat: str = ""

    def load(self) -> Act:
        """The act, imported when it is called."""
        module, name = self.act.split(":")
        act: Act = getattr(import_module(f"{__name__}.{module}"), name)
        return act


OPERATIONS = {
    one.name: one
    for one in (
        Operation(
            "memory confirm",
            "Confirm a memory: it is still true.",
            "memories:CONFIRM",
            "memories",
            "It counts as said again today, and a mark that it no longer holds is removed.",
            chat="still true",
        ),
        Operation(
            "memory pin",
            "Pin a memory, so that it is never pruned.",
            "memories:PIN",
            "memories",
            chat="never prune it",
        ),
        Operation(
            "memory unpin",
            "Unpin a memory, so that it may be pruned.",
            "memories:UNPIN",
            "memories",
            chat="no longer pinned",
        ),
        Operation(
            "memory promote",
            "Make a memory core, so that it is part of every prompt.",
            "memories:PROMOTE",
            "memories",
            "Only the user's own statements can be core, and at most `core_limit` of them.",
        ),
        Operation(
            "memory demote",
            "Make a core memory archival, or lower its importance.",
            "memories:DEMOTE",
            "memories",
            "A memory that is not core becomes one step less important, down to low.",
        ),
        Operation(
            "memory release",
            "Release a memory from quarantine, so that it is recalled again.",
            "memories:RELEASE",
            "memories",
        ),
        Operation(
            "memory reject",
            "Delete a quarantined memory.",
            "memories:REJECT",
            "memories",
        ),
    )
}
