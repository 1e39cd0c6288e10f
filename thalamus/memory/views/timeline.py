"""The timeline: turns, memories, intervals of facts, documents, insights and prunes by time.

Each kind is read from its table in pages, newest first, and the streams are merged lazily: items
beyond the limit are never read.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec import Struct

from thalamus.memory.facts.entities import names_of
from thalamus.names import normalize
from thalamus.policy.concepts import concept_key
from thalamus.policy.entities import key_of
from thalamus.policy.timeline import moment
from thalamus.records import Document, Fact, Insight, Memory, Turn
from thalamus.records.kinds import own_text
from thalamus.records.ownership import Owner
from thalamus.records.timelines import TimelineItem, TimelineKind
from thalamus.store import batches, facts, memories, records
from thalamus.store.encrypted import is_hidden
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from thalamus.records import Record
    from thalamus.records.reports import Batch
    from thalamus.store.base import Store
    from thalamus.store.facts import StoredBelief

KINDS: tuple[TimelineKind, ...] = get_args(TimelineKind)
_RECORDS: dict[TimelineKind, type[Turn] | type[Memory] | type[Insight]] = {
    "turn": Turn,
    "memory": Memory,
    "insight": Insight,
}
_PRUNE = "prune"  # action of the batches that are shown


class TimelineQuery(Struct, frozen=True):
    """Selection of items: from ``since`` to before ``until`` (RFC 3339), of these ``kinds`` (empty:
    all), of a ``topic`` (of a memory or a document, or a concept), about a ``subject`` (of facts,
    or a concept); the last ``limit`` of them. ``user`` and ``agent`` include shared items."""

    since: str | None = None
    until: str | None = None
    kinds: tuple[TimelineKind, ...] = ()
    topic: str | None = None
    subject: str | None = None
    limit: int = 100
    user: str | None = None
    agent: str | None = None

    def __post_init__(self) -> None:
        normalize(self, ("user", "agent"))


def timeline(store: Store, query: TimelineQuery) -> list[TimelineItem]:
    """The last matching items, in order of time."""
    reading = _Reading(store, query)
    streams = [stream for kind in query.kinds or KINDS for stream in reading.streams(kind)]
    newest = heapq.merge(*streams, key=_order, reverse=True)
    return list(islice(_each_once(newest), query.limit))[::-1]


def _order(item: TimelineItem) -> tuple[str, int]:
    return moment(item.at), KINDS.index(item.kind)


def _each_once(items: Iterator[TimelineItem]) -> Iterator[TimelineItem]:
    seen = set()
    for item in items:
        name = (item.id, item.at, item.change)
        if name not in seen:
            seen.add(name)
            yield item


class _Reading:
    """The streams of one query, each newest first."""

    def __init__(self, store: Store, query: TimelineQuery) -> None:
        self._store = store
        self._query = query

    def streams(self, kind: TimelineKind) -> Iterator[Iterator[TimelineItem]]:
        """Streams of a kind: several where several columns may match."""
        if kind == "prune":
            if self._query.topic is None and self._query.subject is None:
                yield self._prunes()
        elif kind == "document":
            if self._query.subject is None:
                yield self._documents()
        elif kind == "fact":
            for entities, concepts in self._choices():
                yield self._facts("valid_from", entities, concepts)
                yield self._facts("valid_to", entities, concepts)
        else:
            yield from self._of_records(_RECORDS[kind])

    def _of_records(
        self, record: type[Turn] | type[Memory] | type[Insight]
    ) -> Iterator[Iterator[TimelineItem]]:
        """Streams of records with the concepts, and of memories by their own topic."""
        topic, subject = self._query.topic, self._query.subject
        if topic is not None and record is Memory:
            others = [concept_key(subject)] if subject is not None else []
            if topics := self._topics(topic):
                yield self._records(Memory, self._pages(Memory, others, topics=topics))
        concepts = [concept_key(name) for name in (topic, subject) if name is not None]
        yield self._records(record, self._pages(record, concepts))
        if topic and subject is None and record is Memory:
            # topics of encrypted memories are not in a column
            pages = self._pages(Memory, [], encrypted=True)
            yield self._records(Memory, pages, self._has_topic)

    def _topics(self, wanted: str) -> list[str]:
        """Spellings of a topic among those of memories."""
        topics = memories.count_by_topic(self._store)
        return [topic for topic in topics if fold(topic) == fold(wanted)]

    def _pages(
        self,
        record: type[Record],
        concepts: Sequence[str] = (),
        topics: Sequence[str] = (),
        encrypted: bool = False,
    ) -> Iterator[list[str]]:
        return records.pages(
            self._store,
            record,
            self._query.since,
            self._query.until,
            concepts=concepts,
            topics=topics,
            encrypted=encrypted,
        )

    def _choices(self) -> Iterator[tuple[set[str] | None, list[str]]]:
        """Alternative selections of facts, by the keys of their subjects and of their concepts."""
        topic, subject = self._query.topic, self._query.subject
        named = [] if topic is None else [concept_key(topic)]
        if subject is not None:
            yield {key_of(known) for known in names_of(self._store, subject)}, named
            named = [*named, concept_key(subject)]
        yield None, named

    # -- each kind -----------------------------------------------------------------------------

    def _records(
        self,
        record: type[Turn] | type[Memory] | type[Insight],
        pages: Iterator[list[str]],
        fits: Callable[[Any], bool] = lambda _: True,
    ) -> Iterator[TimelineItem]:
        for ids in pages:
            found = {item.id: item for item in self._store.by_ids(record, ids)}
            for id in ids:
                item = found.get(id)
                if item is not None and self._is_shown(item) and fits(item):
                    yield _item(item)

    def _facts(
        self,
        end: Literal["valid_from", "valid_to"],
        entities: set[str] | None,
        concepts: Sequence[str],
    ) -> Iterator[TimelineItem]:
        """Beginnings of intervals (``valid_from``), or their ends (``valid_to``)."""
        since, until = self._query.since, self._query.until
        for page in facts.change_pages(self._store, end, since, until, entities, concepts):
            found = facts.by_keys(self._store, {change.fact for change in page})
            for change in page:
                fact = found.get(change.fact)
                if fact is not None and fact.retired_at is None and self._is_ours(fact):
                    yield _change(fact, change, end)

    def _documents(self) -> Iterator[TimelineItem]:
        for ids in self._pages(Document):
            found = {d.id: d for d in self._store.by_ids(Document, ids)}
            for id in ids:
                document = found.get(id)
                if document is not None and self._is_ours(document) and self._has_topic(document):
                    yield _document(document)

    def _prunes(self) -> Iterator[TimelineItem]:
        for page in batches.pages(self._store, _PRUNE, self._query.since, self._query.until):
            for batch in filter(self._is_ours, page):
                count = memories.count_retired_by(self._store, batch.id)
                yield TimelineItem(
                    at=batch.at,
                    kind="prune",
                    id=batch.id,
                    text=f"{count} {'memory' if count == 1 else 'memories'} retired",
                    status="undone" if batch.undone_at else None,
                )

    # -- selection -----------------------------------------------------------------------------

    def _has_topic(self, record: Memory | Document) -> bool:
        topic = self._query.topic
        return topic is None or fold(record.topic or "") == fold(topic)

    def _is_ours(self, record: Record | Batch) -> bool:
        return Owner(self._query.user, self._query.agent).reaches(record)

    def _is_shown(self, record: Turn | Memory | Insight) -> bool:
        """True for a record of this owner that is not a document chunk and not in quarantine."""
        if isinstance(record, Memory) and record.is_document:
            return False
        quarantined = not isinstance(record, Turn) and record.status == "quarantined"
        return self._is_ours(record) and not quarantined


def _item(record: Turn | Memory | Insight) -> TimelineItem:
    kind: TimelineKind = "turn"
    status = None
    if not isinstance(record, Turn):
        kind = "memory" if isinstance(record, Memory) else "insight"
        status = record.status if record.status != "active" else None
    return TimelineItem(
        at=record.created_at or "",
        kind=kind,
        id=record.stored_id,
        text=record.message if isinstance(record, Turn) else record.content,
        topic=record.topic if isinstance(record, Memory) and not is_hidden(record) else None,
        session=record.session,
        user=record.user,
        status=status,
    )


def _change(
    fact: Fact, change: StoredBelief, which: Literal["valid_from", "valid_to"]
) -> TimelineItem:
    ends = which == "valid_to"
    end = change.valid_to
    return TimelineItem(
        at=f"{end if ends else change.valid_from}Z",
        kind="fact",
        id=fact.stored_id,
        text=own_text(fact),
        end=None if end is None or ends else f"{end}Z",
        change="ended" if ends else "began",
        subject=fact.subject,
        session=fact.session,
        user=fact.user,
    )


def _document(document: Document) -> TimelineItem:
    return TimelineItem(
        at=document.recorded_at or "",
        kind="document",
        id=document.stored_id,
        text=document.title or document.path,
        topic=document.topic,
    )
