"""The registry of record kinds: everything a store needs to know about each kind.

A new kind is one entry here, one table and one migration. The entry determines how a record is
written and read, what is indexed, embedded and shown, which fields may be encrypted, and how it is
signed, exported, imported and erased.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import UNSET, Struct

from thalamus.records import (
    DOCUMENT_TYPES,
    Alias,
    DiscoverySource,
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
from thalamus.records.base import tag_of
from thalamus.records.identity import content_hash, identity_hash


class Part(Struct, frozen=True):
    """One field of a text, with the text ``before`` it; both are omitted if the field is null.
    ``spaced``: underscores become spaces."""

    field: str
    before: str = ""
    spaced: bool = False


Template = tuple[Part, ...]


class Column(Struct, frozen=True):
    """A value of the index entry that comes from a column of the row."""

    name: str


class Owned(Struct, frozen=True):
    """Rows of another table that belong to a record: those whose ``column`` equals the record's
    ``of``."""

    table: str
    column: str
    of: str = "key"


class Kind(Struct, frozen=True):
    """Storage description of one kind of record.

    ``name`` is also the name of its table. ``required``: fields that an exported record must have.
    ``columns``: fields stored as columns unchanged; ``packed``: fields stored as JSON, with the
    type to decode; ``flags``: boolean fields; with ``body`` the whole record is stored as JSON in
    that column. ``unread``: columns that are not read into the record. ``hashes``: columns for
    lookups, computed from the content; ``derived``: other columns that are not fields and are set
    by the writer. ``unstored``: the fields of one run of a pipeline, or in tables of their own.
    ``identity``: the columns that identify a row.

    ``numbered``: rows have a key and can be searched. Then ``found_as`` is the kind of evidence
    (``types``: exceptions by type); ``shown``, ``searched`` and ``embedded`` are its texts;
    ``sentences``: a text whose sentences are also embedded one by one; ``entry``: values of the
    index entry that are not columns of the same name; ``live``: the column and value of rows that
    can be found; ``spoken``: it is indexed with the exchange before it.

    ``encrypted``: fields encrypted in personal records, the displayed one first; ``personal``:
    every record is personal. For erasure, ``own_words``: its own words; ``texts``: all its text
    (default: the text shown); ``quotes``: other records' words, which can be cut out; ``a.b`` is
    the field ``b`` of each item in the list ``a``. ``owned``: rows deleted with it.
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
    unstored: tuple[str, ...] = ()
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
    own_words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    owned: tuple[Owned, ...] = ()

    @property
    def name(self) -> str:
        return tag_of(self.record)

    @property
    def stored(self) -> tuple[str, ...]:
        """All columns of its table except the key."""
        body = ("body",) if self.body else ()
        return (*self.columns, *self.flags, *self.packed, *self.hashes, *self.derived, *body)

    @property
    def has_key(self) -> bool:
        """True if its rows have a key, which reflects the order of insertion."""
        return self.numbered or "key" in self.derived

    @property
    def has_id(self) -> bool:
        """True if its records are identified by an id."""
        return self.identity == ("id",)

    @property
    def reindexed(self) -> set[str]:
        """Columns whose change requires reindexing."""
        live = {self.live[0]} if self.live else set()
        return {part.field for part in (*self.shown, *self.searched)} | live


def text_of(template: Template, record: Any) -> str:
    """The text of a record according to a template."""
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
    """Appends a kind. The order is that of exports, in which records can be stored again. Raises
    ``ValueError`` if the name is taken."""
    if kind.name in _KINDS:
        raise ValueError(f"the record kind {kind.name} is registered already")
    _KINDS[kind.name] = _OF_RECORD[kind.record] = kind
    return kind


def unregister(name: str) -> None:
    """Removes a kind; for tests."""
    record = _KINDS.pop(name).record
    del _OF_RECORD[record]


def kinds() -> Iterator[Kind]:
    """All kinds in the order of an export."""
    return iter(tuple(_KINDS.values()))


def numbered() -> list[Kind]:
    """Kinds that can be searched."""
    return [kind for kind in _KINDS.values() if kind.numbered]


def identified() -> list[Kind]:
    """Kinds whose records have an id."""
    return [kind for kind in _KINDS.values() if kind.has_id]


def kind_named(name: str) -> Kind | None:
    """The kind with this name; None if there is none."""
    return _KINDS.get(name)


def kind_of(record: type[Record]) -> Kind:
    """The kind of a record's class or base class. Raises ``KeyError``."""
    found = known(record)
    if found is None:
        raise KeyError(record)
    return found


def known(record: type) -> Kind | None:
    """The kind of a record's class; None if it is not stored."""
    if record in _OF_RECORD:
        return _OF_RECORD[record]
    return next((_OF_RECORD[base] for base in record.__mro__ if base in _OF_RECORD), None)


def encrypted_as(record: Any) -> str:
    """Name under which a record's encrypted content is stored: its id, or its owner for a kind with
    one record per owner."""
    return str((record.id if kind_of(type(record)).has_id else record.user) or "")


_JSON = {"metadata": dict[str, Any], "provenance": Provenance | None}
_STATEMENT = (Part("subject"), Part("predicate", " ", spaced=True), Part("object", " "))

# first the records that determine how facts are interpreted
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
        # the owner ('' for none) and the normalized forms of both names
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
        unstored=(
            *("context", "dialogue", "draft", "evidence", "issues", "plan", "profile", "proposals"),
            *("reflection", "retrieval_instructions", "route", "search_plan", "sensitivity"),
            *("status", "stored", "tool_calls", "trace", "world", "world_operations"),
        ),
        numbered=True,
        found_as="turn",
        shown=(Part("message", "User: "), Part("answer", "\nAssistant: ")),
        searched=(Part("message"), Part("answer", "\n")),
        embedded=(Part("message"),),
        sentences=(Part("answer"),),
        entry={"type": "turn", "scope": "episodic"},
        spoken=True,
        encrypted=("message", "answer", "metadata"),
        own_words=("message", "answer"),
        texts=("message", "answer"),
        owned=(
            Owned("job", "turn", "id"),
            Owned("stage_log", "turn", "id"),
            Owned("batch_item", "id", "id"),
        ),
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
        unstored=("corrects", "embedding", "embedding_model", "replaces"),
        numbered=True,
        found_as="memory",
        types=dict.fromkeys(DOCUMENT_TYPES, "document"),
        shown=(Part("content"),),
        searched=(Part("content"),),
        embedded=(Part("content"),),
        live=("status", "active"),
        spoken=True,
        encrypted=("content", "topic", "quarantine", "metadata", "provenance"),
        own_words=("content",),
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
        unstored=("beliefs", "corrects", "embedding", "embedding_model", "notes", "replaces"),
        numbered=True,
        found_as="fact",
        shown=_STATEMENT,
        searched=(*_STATEMENT, Part("quote", " ")),
        embedded=_STATEMENT,
        entry={"type": Column("predicate")},
        live=("retired_at", None),
        encrypted=("object", "quote", "metadata", "provenance"),
        own_words=("object",),
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
        columns=("id", "sha256", "recorded_at", "user", "agent"),
        body=True,
        own_words=("summary", "topic"),
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
        own_words=("description",),
        texts=("name", "description", "repo_url", "tags"),
    )
)
register(
    Kind(
        DiscoverySource,
        required=("id", "created_at"),
        columns=(
            *("id", "uri", "type", "added_by", "status", "title", "score", "uses", "mentions"),
            *("last_crawled", "not_before", "etag", "last_modified", "error"),
            *("created_at", "recorded_at", "user", "agent", "sensitivity"),
        ),
        packed={"looked_for": list[str], "provenance": Provenance | None},
        derived=("key",),
        encrypted=("uri", "title", "looked_for", "error", "provenance"),
        texts=("uri", "title", "error"),
        quotes=("looked_for",),
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
        own_words=("content",),
        texts=("content", "concepts"),
        owned=(Owned("batch_item", "id", "id"),),
    )
)
# made from a prompt, which may quote personal content from anywhere
register(
    Kind(
        Plan,
        required=("id", "session", "created_at"),
        columns=("id", "session", "turn", "created_at", "user"),
        body=True,
        derived=("key",),
        encrypted=("retrieval_instructions",),
        personal=True,
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
        own_words=("title",),
        texts=("title",),
    )
)
_STATE = ("project", "topics", "topic_weights", "goals", "entities", "timezone")
# its parts are forgotten one by one: `memory.forget.world`
register(
    Kind(
        World,
        required=("updated_at",),
        columns=("user", "project", "timezone", "updated_at"),
        # not validated on reading: `memory.user.world` repairs errors
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
# a prompt may quote personal content from anywhere, so every log is encrypted
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
# ids in it are deleted with the records they name: `memory.forget.rows`
register(
    Kind(
        ExportedFile,
        required=("id", "at"),
        columns=("id", "at", "path", "format", "rows", "user", "agent"),
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
