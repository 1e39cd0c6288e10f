"""Acts on what is stored, each written once: what it is called, takes, does and shows.

The command of the command line (``commands.derived``), the slash command of the chat, its help, the
completion of both and the key of the full screen are derived from an entry. Only the act that is
called is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from thalamus.api import Thalamus


OWNER = ("user", "agent")  # shared options of acts on what belongs to somebody


class Nothing(Struct, frozen=True):
    """No parameters."""


class Act(Struct, frozen=True):
    """Implementation of an operation. ``takes``: its parameters, of which those without a default
    are arguments, in their order; ``run`` returns records; ``lines``: these for people; ``shared``:
    options of the command besides those of the store; ``hint``: what to do next, if anything."""

    takes: type[Struct]
    run: Callable[[Thalamus, Any], Sequence[Any]]
    lines: Callable[[Sequence[Any]], Iterable[str]]
    shared: tuple[str, ...] = ()
    hint: Callable[[Sequence[Any]], str] = lambda _: ""


class Operation(Struct, frozen=True):
    """An entry of the table.

    ``name``: the words of the command; ``help``: its first line, and ``more`` that follows it;
    ``act``: MODULE:NAME below this package; ``completes``: the kind of its first argument, for
    completion; ``chat``: its effect in a few words, if it is a slash command too, whose name is the
    last word; ``key``: its key in the full screen, if it is about the chosen memory, and ``done``
    what that says then; ``undoable``: `thalamus undo` takes it back.
    """

    name: str
    help: str
    act: str
    completes: str = ""
    more: str = ""
    chat: str = ""
    key: str = ""
    done: str = ""
    undoable: bool = True

    def load(self) -> Act:
        """The act, imported when it is called."""
        module, name = self.act.split(":")
        act: Act = getattr(import_module(f"{__name__}.{module}"), name)
        return act


_MEMORIES = (
    Operation(
        "memory confirm",
        "Confirm a memory: it is still true.",
        "memories:CONFIRM",
        "memories",
        "It counts as said again today, and a mark that it no longer holds is removed.",
        chat="still true",
        key="c",
        done="Confirmed",
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
        key="plus",
        done="Promoted",
    ),
    Operation(
        "memory demote",
        "Make a core memory archival, or lower its importance.",
        "memories:DEMOTE",
        "memories",
        "A memory that is not core becomes one step less important, down to low.",
        key="minus",
        done="Demoted",
    ),
    Operation(
        "memory release",
        "Release a memory from quarantine, so that it is recalled again.",
        "memories:RELEASE",
        "memories",
        "One that a program proposes in the place of another is accepted: that one then says the"
        " same, and `thalamus undo` takes that back.",
        key="r",
        done="Released",
        undoable=False,
    ),
    Operation(
        "memory reject",
        "Delete a quarantined memory.",
        "memories:REJECT",
        "memories",
    ),
    Operation(
        "memory generalize",
        "Let a memory of some projects hold in all of them.",
        "memories:GENERALIZE",
        "memories",
        "What belongs to other projects counts less in one. What was said in three is proposed.",
    ),
    Operation(
        "memory proposals",
        "List proposed changes of memories.",
        "memories:PROPOSALS",
        more="A program may change what it said itself; what would replace your own words waits."
        " `memory release` accepts one, `memory reject` deletes it. What was said in three projects"
        " may hold in all: `memory generalize`.",
    ),
)
_KNOWLEDGE = (
    Operation(
        "facts end",
        "End a fact: it is no longer true.",
        "facts:END",
        "facts",
        "A fact that it replaced does not become true again.",
    ),
    Operation(
        "facts conflicts",
        "List facts that may contradict each other.",
        "facts:CONFLICTS",
        more="Of a predicate that Thalamus does not know, several values of one subject hold side"
        " by side until you say whether it has one value at a time or many.",
    ),
    Operation(
        "facts retract",
        "Retract a fact that was never true.",
        "facts:RETRACT",
        "facts",
        "Other facts become as if it had never been stated. `facts --known-at` still shows it for"
        " the time when it was believed.",
    ),
    Operation(
        "concepts merge",
        "Merge two concepts that are the same, by name or id.",
        "concepts:MERGE",
        "concepts",
        "The same as `thalamus facts merge`: facts about NAME become facts about INTO as well."
        " `split` undoes it.",
    ),
    Operation(
        "concepts split",
        "Undo `merge`: NAME is a concept of its own again.",
        "concepts:SPLIT",
        "concepts",
    ),
    Operation(
        "insights reject",
        "Mark insights as wrong.",
        "insights:REJECT",
        "insights",
        "They are no longer recalled or concluded again. `thalamus forget` deletes one for good."
        " With --json: insight records.",
    ),
)
_PROJECTS = (
    Operation(
        "project close",
        "Close a project: it leaves the profile and is kept.",
        "projects:CLOSE",
        "projects",
        "Everything that is linked with it is kept too.",
    ),
    Operation(
        "project pause",
        "Pause a project: it leaves the profile until it is reopened.",
        "projects:PAUSE",
        "projects",
    ),
    Operation(
        "project reopen",
        "Make a paused or closed project active again.",
        "projects:REOPEN",
        "projects",
    ),
)
_SOURCES = (
    Operation(
        "sources add",
        "Add a source. It is active, and read by `sources crawl`.",
        "sources:ADD",
        more="An address that ends in a slash stands for all pages below it that its page links to,"
        " any other for one page. Feeds are recognized when they are read.",
    ),
    Operation(
        "sources approve",
        "Activate a candidate, or a source that was disabled.",
        "sources:APPROVE",
        "sources",
        "It is read by the next `sources crawl`.",
    ),
    Operation(
        "sources disable",
        "Disable a source: it is no longer read. Its documents are kept.",
        "sources:DISABLE",
        "sources",
    ),
)
_SESSIONS = (
    Operation(
        "session rename",
        "Give a session a title, by which it is listed and found.",
        "sessions:RENAME",
        "sessions",
        "The id does not change. With --json: the `session` record.",
    ),
)
OPERATIONS = {one.name: one for one in (*_MEMORIES, *_KNOWLEDGE, *_PROJECTS, *_SOURCES, *_SESSIONS)}
