"""The registry of record kinds: what is said once of each kind of record that a store keeps.

A new kind is one entry here, one table and one migration. From the entry follow how a record is
written and read, what of it is indexed, embedded and shown, which fields may be encrypted, that it
is signed, exported and imported, and how it is erased.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import UNSET, Struct

from thalamus.records import (
    DOCUMENT_TYPES,
    RECORDS,
    Alias,
    Document,
    EvidenceKind,
    ExportedFile,
    Fact,
    Insight,
    Link,
    LoggedCall,
    Memory,
    Plan,
    Predicate,
    Project,
    PromptMessage,
    Provenance,
    Quarantine,
    Record,
    SessionTitle,
    StageLog,
    Turn,
    World,
    WorldChange,
    WorldOperation,
)
from thalamus.records.identity import content_hash, identity_hash


class Part(Struct, frozen=True):
    """One field of a text, with what stands ``before`` it; left out, with that, where it is null.
    ``spaced``: its underscores are read as blanks."""

    field: str
    before: str = ""
    spaced: bool = False


Template = tuple[Part, ...]


class Column(Struct, frozen=True):
    """A value of the index entry that is a column of the row."""

    name: str


class Owned(Struct, frozen=True):
    """Rows of another table that go with a record: those whose ``column`` has its ``of``."""

    table: str
    column: str
    of: str = "key"


class Kind(Struct, frozen=True):
    """What a store has to know of one kind of record.

    ``name`` is also the name of its table. ``required`` are the fields without which an export does
    not say what is kept. ``columns`` are the fields that are columns as they
    stand, ``packed`` those kept as JSON (with the type to read them as), ``flags`` those that are
    yes or no; with ``body`` the whole record is kept as JSON in that column. ``unread`` are columns
    that a record is read without. ``hashes`` are columns by which a record is found, made of its
    words; ``derived`` ones are no fields either: who writes the record gives them. ``identity`` are
    the columns that name a row.

    ``numbered``: its rows have a key and can be found; then ``found_as`` says as what (``types``:
    another one for some types), ``shown``, ``searched`` and ``embedded`` which text, ``sentences``
    that of which each sentence is embedded by itself as well, ``entry`` what stands in the index
    entry where that is no column of the same name, ``live`` which value of which column a row has
    that can be found, and ``spoken`` that it is indexed with what was said just before.

    ``encrypted`` are the fields that are encrypted when the record is personal, the one that is
    shown first; ``personal``: every record is. ``said``, ``texts`` and ``quotes`` are for erasing:
    its own words, all that it says (without them, what is shown), and the words of others that can
    be cut out of it; ``a.b`` is the field ``b`` of each in a list ``a``. ``owned`` are the rows
    that go with it.
    """

    record: type[Record]
    required: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    packed: Mapping[str, Any] = {}
    flags: tuple[str, ...] = ()
    body: bool = False
    unread: tuple[str, ...] = ()
    hashes: Mapping[str, Callable[[Any], bytes]] = {}
    derived: tuple[str, ...] = ()
    identity: tuple[str, ...] = ("id",)
    numbered: bool = False
    found_as: EvidenceKind = "memory"
    types: Mapping[str, EvidenceKind] = {}
    shown: Template = ()
    searched: Template = ()
    embedded: Template = ()
    sentences: Template = ()
    entry: Mapping[str, str | float | Column] = {}
    live: tuple[str, str | None] | None = None
    spoken: bool = False
    encrypted: tuple[str, ...] = ()
    personal: bool = False
    said: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    owned: tuple[Owned, ...] = ()

    @property
    def name(self) -> str:
        return str(self.record.__struct_config__.tag)

    @property
    def stored(self) -> tuple[str, ...]:
        """The columns of its table, but for its key."""
        body = ("body",) if self.body else ()
        return (*self.columns, *self.flags, *self.packed, *self.hashes, *self.derived, *body)

    @property
    def has_key(self) -> bool:
        """Whether its rows have a key, by which they stand in the order in which they came."""
        return self.numbered or "key" in self.derived

    @property
    def has_id(self) -> bool:
        """Whether an id names its records."""
        return self.identity == ("id",)

    @property
    def reindexed(self) -> set[str]:
        """The columns that change what the indexes hold."""
        live = {self.live[0]} if self.live else set()
        return {part.field for part in (*self.shown, *self.searched)} | live


def text_of(template: Template, record: Any) -> str:
    """What a record says by a template."""
    found = []
    for part in template:
        value = getattr(record, part.field)
        if value is not None and value is not UNSET:
            found.append(part.before + (value.replace("_", " ") if part.spaced else value))
    return "".join(found)


def own_text(record: Any) -> str:
    """Text of a record by itself, as it is embedded: of a turn the user's side, of a memory or
    an insight its content, a fact or a project in words. Raises ``KeyError`` for others."""
    return text_of(kind_of(type(record)).embedded, record)


_KINDS: dict[str, Kind] = {}
_OF_RECORD: dict[type, Kind] = {}


def register(kind: Kind) -> Kind:
    """Adds a kind, behind those that are there: an export has them in this order, in which they
    can be stored again. Raises ``ValueError`` when there is one with its name."""
    if kind.name in _KINDS:
        raise ValueError(f"the record kind {kind.name} is registered already")
    _KINDS[kind.name] = _OF_RECORD[kind.record] = kind
    RECORDS.setdefault(kind.name, kind.record)
    return kind


def unregister(name: str) -> None:
    """Takes a kind out again, as tests do."""
    record = _KINDS.pop(name).record
    del _OF_RECORD[record], RECORDS[name]


def kinds() -> Iterator[Kind]:
    """All kinds, in the order in which an export has them."""
    return iter(tuple(_KINDS.values()))


def numbered() -> list[Kind]:
    """The kinds that can be found."""
    return [kind for kind in _KINDS.values() if kind.numbered]


def identified() -> list[Kind]:
    """The kinds whose records are named by an id."""
    return [kind for kind in _KINDS.values() if kind.has_id]


def kind_named(name: str) -> Kind | None:
    """The kind with this name; None when there is none."""
    return _KINDS.get(name)


def kind_of(record: type[Record]) -> Kind:
    """The kind of a record's class, or of the one that it extends. Raises ``KeyError``."""
    found = known(record)
    if found is None:
        raise KeyError(record)
    return found


def known(record: type) -> Kind | None:
    """The kind of a record's class, if it is one that is kept."""
    if record in _OF_RECORD:
        return _OF_RECORD[record]
    return next((_OF_RECORD[base] for base in record.__mro__ if base in _OF_RECORD), None)


def encrypted_as(record: Any) -> str:
    """Under what the content of a record is kept when it is encrypted: its id, or its owner where
    there is one for each."""
    return str((record.id if kind_of(type(record)).has_id else record.user) or "")


_JSON = {"metadata": dict[str, Any], "provenance": Provenance | None}
_STATEMENT = (Part("subject"), Part("predicate", " ", spaced=True), Part("object", " "))

# first what decides how facts are read
register(
    Kind(
        Predicate,
        columns=("name",),
        body=True,
        identity=("name",),
        texts=("name", "spellings", "opposite", "description"),
    )
)
register(
    Kind(
        Alias,
        columns=("name", "target", "reason", "user", "recorded_at"),
        # whose it is ('' for nobody in particular), and what both names are compared by
        derived=("owner", "folded", "target_folded"),
        identity=("owner", "folded"),
        texts=("name", "target"),
    )
)
register(
    Kind(
        Turn,
        required=("id", "created_at"),
        columns=(
            *("id", "message", "answer", "created_at", "recorded_at", "session", "user", "agent"),
            *("interrupted", "ref"),
        ),
        packed={"metadata": dict[str, Any]},
        numbered=True,
        found_as="turn",
        shown=(Part("message", "User: "), Part("answer", "\nAssistant: ")),
        searched=(Part("message"), Part("answer", "\n")),
        embedded=(Part("message"),),
        sentences=(Part("answer"),),
        entry={"type": "turn", "scope": "episodic"},
        spoken=True,
        encrypted=("message", "answer", "metadata"),
        said=("message", "answer"),
        texts=("message", "answer"),
        owned=(Owned("job", "turn", "id"), Owned("stage_log", "turn", "id")),
    )
)
register(
    Kind(
        Memory,
        required=("id", "created_at"),
        columns=(
            *("id", "type", "topic", "content", "importance", "scope", "created_at"),
            *("recorded_at", "session", "user", "agent", "trust", "status", "sensitivity"),
            *("expires_at", "batch", "salience", "strength", "seen", "seen_at", "stale"),
            *("suspicious", "valid_from", "valid_to"),
        ),
        flags=("pinned", "released"),
        packed={"quarantine": Quarantine | None, **_JSON},
        hashes={"identity_hash": identity_hash, "content_hash": content_hash},
        numbered=True,
        found_as="memory",
        types=dict.fromkeys(DOCUMENT_TYPES, "document"),
        shown=(Part("content"),),
        searched=(Part("content"),),
        embedded=(Part("content"),),
        live=("status", "active"),
        spoken=True,
        encrypted=("content", "topic", "quarantine", "metadata", "provenance"),
        said=("content",),
        texts=("content", "topic"),
        owned=(Owned("batch_item", "id", "id"),),
    )
)
register(
    Kind(
        Fact,
        required=("id", "created_at"),
        columns=(
            *("id", "subject", "predicate", "object", "subject_said", "valid_from", "valid_to"),
            *("stated_from", "stated_to", "recorded_at", "retired_at", "created_at", "session"),
            *("user", "agent", "quote", "trust", "sensitivity"),
        ),
        packed=_JSON,
        unread=("subject_said", "stated_from", "stated_to"),
        derived=("entity", "value"),
        numbered=True,
        found_as="fact",
        shown=_STATEMENT,
        searched=(*_STATEMENT, Part("quote", " ")),
        embedded=_STATEMENT,
        entry={"type": Column("predicate")},
        live=("retired_at", None),
        encrypted=("object", "quote", "metadata", "provenance"),
        said=("object",),
        texts=(),
        quotes=("quote",),
        owned=(
            Owned("fact_note", "fact"),
            Owned("fact_interval", "fact"),
            Owned("batch_item", "id", "id"),
        ),
    )
)
register(
    Kind(
        Document,
        required=("id", "sha256"),
        columns=("id", "sha256", "recorded_at"),
        body=True,
        said=("summary", "topic"),
        texts=("title", "path", "issues.message", "issues.fix"),
        quotes=("summary", "topic"),
    )
)
register(
    Kind(
        Project,
        required=("id", "created_at"),
        columns=(
            *("id", "name", "description", "repo_url", "status", "created_at", "recorded_at"),
            *("closed_at", "session", "user", "agent", "sensitivity"),
        ),
        packed={"tags": list[str], "provenance": Provenance | None},
        numbered=True,
        shown=(Part("name", "Project "), Part("status", ", "), Part("description", ": ")),
        searched=(Part("name"), Part("description", "\n")),
        embedded=(Part("name", "Project "), Part("description", ": ")),
        encrypted=("name", "description", "repo_url", "tags", "provenance"),
        said=("description",),
        texts=("name", "description", "repo_url", "tags"),
    )
)
register(
    Kind(
        Insight,
        required=("id", "created_at"),
        columns=(
            *("id", "content", "strength", "status", "level", "merged_into", "trust"),
            *("created_at", "recorded_at", "session", "user", "agent", "sensitivity", "batch"),
        ),
        packed={
            "concepts": list[str],
            "sources": list[str],
            "quarantine": Quarantine | None,
        },
        numbered=True,
        found_as="insight",
        shown=(Part("content"),),
        searched=(Part("content"),),
        embedded=(Part("content"),),
        live=("status", "active"),
        encrypted=("content", "concepts", "quarantine"),
        said=("content",),
        texts=("content", "concepts"),
        owned=(Owned("batch_item", "id", "id"),),
    )
)
register(
    Kind(
        Plan,
        required=("id", "session", "created_at"),
        columns=("id", "session", "turn", "created_at", "user"),
        body=True,
        derived=("key",),
        encrypted=("retrieval_instructions",),
        texts=("retrieval_instructions.query", "retrieval_instructions.topic"),
    )
)
register(
    Kind(
        SessionTitle,
        required=("id", "session", "at"),
        columns=("id", "session", "title", "user", "at", "sensitivity"),
        derived=("key",),
        encrypted=("title",),
        said=("title",),
        texts=("title",),
    )
)
_STATE = ("project", "topics", "topic_weights", "goals", "entities", "timezone")
# what it says is forgotten one thing after the other: `memory.erase_world`
register(
    Kind(
        World,
        required=("updated_at",),
        columns=("user", "project", "timezone", "updated_at"),
        # not checked as it is read: `memory.world` repairs what is wrong
        packed=dict.fromkeys(("topics", "topic_weights", "goals", "entities"), Any),
        derived=("owner",),
        identity=("owner",),
        encrypted=_STATE,
        personal=True,
    )
)
register(
    Kind(
        WorldChange,
        required=("id", "at"),
        columns=("id", "at", "user", "turn", "batch", "undone_at"),
        packed={
            "operations": list[WorldOperation],
            "before": World | None,
            "after": World | None,
        },
        derived=("key",),
        encrypted=("operations", "before", "after"),
        personal=True,
    )
)
# a prompt may quote what is personal from anywhere: every log is encrypted
register(
    Kind(
        StageLog,
        required=("id", "at"),
        columns=(
            *("id", "turn", "stage", "at", "session", "user", "agent", "model", "reply", "ms"),
            "sensitivity",
        ),
        packed={
            "messages": list[PromptMessage],
            "calls": list[LoggedCall],
            "given": dict[str, Any],
            "gave": dict[str, Any],
        },
        derived=("key",),
        encrypted=("reply", "messages", "calls", "given", "gave"),
        personal=True,
    )
)
# the ids that it holds go with what they name: `memory.erase_rows`
register(
    Kind(
        ExportedFile,
        required=("id", "at"),
        columns=("id", "at", "path", "format", "rows"),
        packed={"holds": list[str]},
        derived=("key",),
        texts=("path",),
    )
)
register(
    Kind(
        Link,
        columns=("source", "relation", "target"),
        identity=("source", "relation", "target"),
    )
)
