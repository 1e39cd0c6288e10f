"""`thalamus memory`: the commands about memories."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from thalamus.commands.groups import Group
from thalamus.commands.options import (
    OWNER,
    STORE,
    Json,
    Limit,
    ListLimit,
    Metadata,
    Redacted,
    Since,
    Until,
    search_text,
    settings,
    wrong_choice,
)
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from thalamus.api import Thalamus
    from thalamus.records import Link, Memory
    from thalamus.store.values import Filter

group = Group(
    "List, show, search and change memories. Without a command: `list`.",
    {
        "list": "memory:list_memories",
        "show": "memory:show",
        "search": "memory:search",
        "edit": "memory:edit",
        "confirm": "operation:memory confirm",
        "pin": "operation:memory pin",
        "unpin": "operation:memory unpin",
        "promote": "operation:memory promote",
        "demote": "operation:memory demote",
        "release": "operation:memory release",
        "reject": "operation:memory reject",
        "generalize": "operation:memory generalize",
        "proposals": "operation:memory proposals",
    },
    words="search",
)
Types = Annotated[
    list[str] | None, typer.Option("--type", metavar="TYPE", help="Only this type; repeatable.")
]
LISTED = 100  # memories
STATUSES = ("active", "superseded", "quarantined", "retired", "stale", "all")
Topic = Annotated[str | None, typer.Option(metavar="TOPIC", help="Only this topic.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a memory, or a prefix of it.")]


@settings(*OWNER, *STORE, lists=True)
def list_memories(
    config: Config,
    type: Types = None,
    topic: Topic = None,
    scope: Annotated[
        str | None,
        typer.Option(metavar="SCOPE", help="Only this scope: core, episodic or archival."),
    ] = None,
    metadata: Metadata = None,
    since: Since = None,
    until: Until = None,
    status: Annotated[
        str | None,
        typer.Option(
            metavar="STATUS",
            help="Only this status: active (default), superseded, quarantined, retired, stale (no"
            " longer true) or all.",
        ),
    ] = None,
    limit: ListLimit = None,
    redacted: Redacted = False,
    json: Json = False,
) -> None:
    """List memories, newest first.

    Only active memories unless --status is given. Document chunks are left out unless --type
    names their type. The newest 100 are listed unless --limit is given; with --json, all.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal.lines import memory_line
    from thalamus.terminal.lists import EVERYTHING, as_lines, print_list

    with engine(config) as thalamus:
        selection = _Selection(type, topic, scope, metadata, since, until, status, redacted)
        where = selection.filter(thalamus)

        def read(most: int) -> list[Memory]:
            if not redacted:
                return thalamus.memories.find(where, limit=most)
            from thalamus.memory.redaction import RedactedView

            found = thalamus.memories.find(where, limit=EVERYTHING if selection.narrow else most)
            shown = RedactedView(thalamus.engine).records(found)
            return [memory for memory in shown if selection.selects(memory)][:most]

        if not print_list(read, as_lines(memory_line), limit, json=json, usual=LISTED) and not json:
            complain(selection.why_empty(thalamus))


class _Selection(Struct):
    """The options that select the listed memories."""

    types: list[str] | None
    topic: str | None
    scope: str | None
    metadata: list[str] | None
    since: str | None
    until: str | None
    status: str | None
    redacted: bool

    def filter(self, thalamus: Thalamus) -> Filter:
        """The selection as a filter of the store. Raises ``UsageError`` for invalid values."""
        from typing import get_args

        from thalamus.records import Scope
        from thalamus.store.values import Filter
        from thalamus.terminal.choices import check_types, metadata_pairs
        from thalamus.terminal.dates import read_period

        types = check_types(thalamus, self.types, self.redacted)
        if self.scope is not None and self.scope not in get_args(Scope):
            raise wrong_choice("--scope", self.scope, get_args(Scope))
        if self.status is not None and self.status not in STATUSES:
            raise wrong_choice("--status", self.status, STATUSES)
        begin, end = read_period(self.since, self.until)
        return Filter(
            user=thalamus.config.user or None,
            agent=thalamus.config.agent or None,
            now=None if self.status in ("retired", "all") else thalamus.clock.stamp(),
            kinds=() if types else ("memory",),
            types=types,
            topic=self.topic,
            scope=self.scope,
            since=begin,
            until=end,
            status=self.status,
            metadata=metadata_pairs(self.metadata, self.redacted),
        )

    @property
    def narrow(self) -> bool:
        """True if it depends on more than times."""
        return any((self.types, self.topic, self.scope, self.status))

    def selects(self, memory: Memory) -> bool:
        """True for a redacted memory that is selected by what is shown of it."""
        from thalamus.memory.redaction import MARKS
        from thalamus.text.analyzer import fold

        if not self.narrow:
            return True
        return (
            memory.content not in MARKS
            and (not self.types or memory.type in self.types)
            and (self.topic is None or fold(memory.topic or "") == fold(self.topic))
        )

    def why_empty(self, thalamus: Thalamus) -> str:
        """Message if no memory matches."""
        from thalamus.store.values import Filter
        from thalamus.terminal.choices import unknown_topic

        if not thalamus.memories.find(Filter(status="all"), limit=1):
            return "There are no memories yet."
        return unknown_topic(thalamus, self.topic, self.redacted) or "No memories match."


@settings(*STORE)
def show(
    config: Config,
    id: Annotated[str, typer.Argument(metavar="ID", help="The id of a memory, or a prefix of it.")],
    redacted: Redacted = False,
    json: Json = False,
) -> None:
    """Show every field of a memory and its links.

    With --json: the memory, then its links. With --redacted: without links.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        memory = _redacted(id, thalamus) if redacted else thalamus.memories.get(id)
        full = memory.id or ""
        links = [] if redacted else thalamus.store.links(full)
        if json:
            for record in (memory, *links):
                jsonl.write(record)
            return
        for line in _fields(memory):
            say(line)
        for link in links:
            say(_link_line(link, full, thalamus))


def _redacted(id: str, thalamus: Thalamus) -> Memory:
    """The redacted view of a memory. Raises ``NothingFound``, ``UsageError``."""
    from thalamus.errors import NothingFound, UsageError
    from thalamus.memory.redaction import RedactedView

    try:
        shown: Memory | None = RedactedView(thalamus.engine).record(thalamus.memories.get(id))
    except UsageError:  # which would list ids
        raise UsageError(f"Ambiguous id {id!r}.", fix="Give a longer prefix.") from None
    if shown is None:
        raise NothingFound(f"the id {id!r}", fix="It has no redacted view.")
    return shown


@settings("embedder", *OWNER, *STORE, lists=True)
def search(
    config: Config,
    words: Annotated[list[str], typer.Argument(metavar="WORDS…", help="The words to search for.")],
    type: Types = None,
    topic: Topic = None,
    limit: Limit = None,
    redacted: Redacted = False,
    json: Json = False,
) -> None:
    """Search memories by words and by meaning, best first.

    With --json: evidence records.
    """
    from thalamus.commands.options import engine
    from thalamus.commands.retrieve import show as show_evidence
    from thalamus.records import Instruction
    from thalamus.terminal.choices import check_types, unknown_topic

    question = search_text(words)
    with engine(config) as thalamus:
        most = limit or config.max_memory_results
        wanted = Instruction(
            mode="memory",
            query=question,
            topic=topic,
            types=list(check_types(thalamus, type, redacted)),
            limit=most,
        )
        found = thalamus.recall(question, limit=most, instruction=wanted, redacted=redacted)
        for _, failure in thalamus.failures:
            complain(f"thalamus: searched full text only: {failure}")
        empty = "" if found else unknown_topic(thalamus, topic, redacted)
        other = "No results. `thalamus retrieve` searches what was said, too."
        show_evidence(found, json, empty or other)


def _fields(memory: Memory) -> Iterator[str]:
    """A line for each field; ``-`` for an empty one."""
    import msgspec

    names = ["id", *(name for name in memory.__struct_fields__ if name != "id")]
    for name in names:
        value = getattr(memory, name)
        if name in ("v", "embedding", "embedding_model"):
            continue
        if name == "provenance" and value is not None:
            known = msgspec.structs.asdict(value).items()
            value = {key: part for key, part in known if part is not None}
        if isinstance(value, dict):
            value = msgspec.json.encode(value).decode() if value else None
        if isinstance(value, bool):
            value = "yes" if value else "no"
        yield f"{name:12}  {'-' if value is None or value is msgspec.UNSET else value}"


def _link_line(link: Link, id: str, thalamus: Thalamus) -> str:
    from thalamus.terminal.lines import one_line

    outward = link.source == id
    if link.relation == "supersedes" and not outward:
        text = one_line(thalamus.store.describe(link.source).text, 100)
        return f"{'replaced by':12}  {text}  [{link.source}]"
    other = link.target if outward else link.source
    relation = link.relation if outward else f"{link.relation} (backwards)"
    known = thalamus.store.describe(other)
    return f"{'link':12}  {relation} {known.kind} {one_line(known.text, 100)}  [{other}]"


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
