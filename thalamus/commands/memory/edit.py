"""`thalamus memory edit`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.options import STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a memory, or a prefix of it.")]


@settings("embedder", *STORE, blank=("topic",))
def edit(
    config: Config,
    id: Id,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="The new text.")] = None,
    content: Annotated[str | None, typer.Option(metavar="TEXT", help="The same as TEXT.")] = None,
    topic: Annotated[
        str | None, typer.Option(metavar="TOPIC", help="The new topic; '' for none.")
    ] = None,
    type: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help="The new type.")
    ] = None,
    importance: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="low, medium or high.")
    ] = None,
    scope: Annotated[
        str | None, typer.Option(metavar="SCOPE", help="core, episodic or archival.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="DATE", help="The expiry date, or never.")
    ] = None,
    json: Json = False,
) -> None:
    """Change a memory.

    A new text becomes a new memory that supersedes the old one, which can still be shown. Without
    options, opens the text in $EDITOR. `thalamus undo` reverts the change.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import changed_memory_line

    if text is not None and content is not None:
        raise UsageError("TEXT and --content cannot be combined.")
    with engine(config) as thalamus:
        changes = _changes(
            text if content is None else content, topic, type, importance, scope, expires
        )
        if not changes:
            changes = {"content": _from_editor(thalamus, id)}
        changed = thalamus.memories.edit(id, **changes)
        if (problem := thalamus.unembedded) is not None:
            complain(f"thalamus: stored without an embedding: {problem}")
        jsonl.write(changed) if json else say(changed_memory_line(changed))


def _changes(
    content: str | None,
    topic: str | None,
    type: str | None,
    importance: str | None,
    scope: str | None,
    expires: str | None,
) -> dict[str, Any]:
    from typing import get_args

    from thalamus.errors import UsageError
    from thalamus.records import Importance, Scope
    from thalamus.terminal.dates import read_date

    given = {"content": content, "type": type, "importance": importance, "scope": scope}
    changes: dict[str, Any] = {name: v for name, v in given.items() if v is not None}
    for name in ("content", "type"):
        if name in changes and not changes[name].strip():
            raise UsageError(f"The {name} is empty.")
    for name, allowed in (("importance", get_args(Importance)), ("scope", get_args(Scope))):
        if name in changes and changes[name] not in allowed:
            raise wrong_choice(f"--{name}", changes[name], allowed)
    if topic is not None:
        changes["topic"] = topic.strip() or None
    if expires is not None:
        changes["expires_at"] = (
            None if expires == "never" else read_date(expires, "--expires", ago=False)
        )
    return changes


def _from_editor(thalamus: Thalamus, id: str) -> str:
    """The memory's text after editing in the user's editor."""
    from thalamus.errors import UsageError
    from thalamus.terminal.editor import edited
    from thalamus.terminal.streams import typed

    if not (typed() and sys.stdout.isatty()):
        raise UsageError("Nothing to change.", fix="Give --content, --topic, --type …")
    before = thalamus.memories.get(id).content
    text = edited(before).strip()
    if not text:
        raise UsageError("The text is empty.", fix="To delete a memory, use `thalamus forget`.")
    return text if text != before.strip() else before
