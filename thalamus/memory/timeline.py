"""The timeline: turns, memories, intervals of facts, documents, insights and prunes by time.

Each kind is read from its table in pages, the newest first, and the streams are merged as they are
read: what a limit leaves out is never read.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, get_args

from thalamus.memory.entities import names_of
from thalamus.policy.concept_names import concept_key
from thalamus.policy.entities import fold, key_of
from thalamus.policy.timeline import BEGINNING, moment
from thalamus.records import Document, Fact, Insight, Memory, TimelineItem, TimelineKind, Turn
from thalamus.records.kinds import kind_of, own_text
from thalamus.storage.protocol import PRESENT, Among, Both, Comparison, below, is_hidden

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store

PAGE = 200  # rows that are read at once
KINDS: tuple[TimelineKind, ...] = get_args(TimelineKind)
_RECORDS: dict[TimelineKind, type[Turn] | type[Memory] | type[Insight]] = {
    "turn": Turn,
    "memory": Memory,
    "insight": Insight,
}
_PRUNE = "prune"  # the action of the batches that are shown


@dataclass(frozen=True)
class TimelineQuery:
    """What to show: from ``since`` on and before ``until`` (RFC 3339), of these ``kinds`` (empty:
    all), of a ``topic`` (that of a memory or a document, or a concept), about a ``subject`` (of
    facts, or a concept); of it the last ``limit``. ``user`` and ``agent`` also let through what
    belongs to nobody in particular."""

    since: str | None = None
    until: str | None = None
    kinds: tuple[TimelineKind, ...] = ()
    topic: str | None = None
    subject: str | None = None
    limit: int = 100
    user: str | None = None
    agent: str | None = None


def timeline(store: Store, query: TimelineQuery) -> list[TimelineItem]:
    """The last items that fit, in order of time."""
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
        wanted = [name for name in (query.topic, query.subject) if name is not None]
        self._concepts = [_concept(name) for name in wanted]

    def streams(self, kind: TimelineKind) -> Iterator[Iterator[TimelineItem]]:
        """What has to be read of a kind: several streams where several columns may fit."""
        if kind == "prune":
            if not self._concepts:
                yield self._prunes()
        elif kind == "document":
            if self._query.subject is None:
                yield self._documents()
        elif kind == "fact":
            for where in self._wheres("fact"):
                yield self._facts("valid_from", where)
                yield self._facts("valid_to", where)
        else:
            record = _RECORDS[kind]
            for where in self._wheres(kind):
                yield self._records(record, where)
            if kind == "memory" and self._query.topic and self._query.subject is None:
                # the topics of encrypted memories stand in no column
                hidden = {"id": Among("encrypted", "id", {"kind": "memory"})}
                yield self._records(Memory, hidden, self._has_topic)

    def _wheres(self, table: str) -> Iterator[Mapping[str, Any]]:
        """The conditions of which one has to hold for a row of a table, but for its time."""
        columns = [self._column(table, name) for name in ("topic", "subject")]
        asked = [name for name in ("topic", "subject") if getattr(self._query, name) is not None]
        if not asked:
            yield {}
            return
        for position, name in enumerate(asked):
            others = [about for place, about in enumerate(self._concepts) if place != position]
            for own in (columns[name == "subject"], {"key": self._concepts[position]}):
                if own is None:
                    continue
                where = dict(own)
                for about in others:
                    where["key"] = Both(where["key"], about) if "key" in where else about
                yield where

    def _column(self, table: str, name: str) -> Mapping[str, Any] | None:
        """The condition on a column of the table itself, where it has one."""
        if table == "memory" and name == "topic" and self._query.topic is not None:
            rows = self._store.select("memory", ("topic",), {"topic": PRESENT}, group=("topic",))
            same = [row[0] for row in rows if fold(row[0]) == fold(self._query.topic)]
            return {"topic": tuple(same)} if same else None
        if table == "fact" and name == "subject" and self._query.subject is not None:
            keys = {key_of(known) for known in names_of(self._store, self._query.subject)}
            return {"entity": tuple(sorted(keys))}
        return None

    # -- each kind -----------------------------------------------------------------------------

    def _records(
        self,
        record: type[Turn] | type[Memory] | type[Insight],
        where: Mapping[str, Any],
        fits: Callable[[Any], bool] = lambda _: True,
    ) -> Iterator[TimelineItem]:
        kind = kind_of(record)
        for page in self._pages(kind.name, "created_at", "key", ("id",), where):
            ids = [row["id"] for row in page]
            found = {item.id: item for item in self._store.find(record, {"id": tuple(ids)})}
            for id in ids:
                item = found.get(id)
                if item is not None and self._is_shown(item) and fits(item):
                    yield _item(item)

    def _facts(self, column: str, where: Mapping[str, Any]) -> Iterator[TimelineItem]:
        """The beginnings of intervals (``valid_from``), or their ends (``valid_to``)."""
        more: dict[str, Any] = {"believed_to": None}
        if where:
            more["fact"] = Among("fact", "key", where)
        columns = ("fact", "valid_from", "valid_to")
        for page in self._pages("fact_interval", column, "n", columns, more):
            keys = tuple({row["fact"] for row in page})
            ids = dict(self._store.select("fact", ("key", "id"), {"key": keys}))
            facts = {f.id: f for f in self._store.find(Fact, {"id": tuple(ids.values())})}
            for row in page:
                fact = facts.get(ids.get(row["fact"], ""))
                if fact is not None and fact.retired_at is None and self._is_ours(fact):
                    yield _interval(fact, row, column)

    def _documents(self) -> Iterator[TimelineItem]:
        for page in self._pages("document", "recorded_at", "id", (), {}):
            ids = [row["id"] for row in page]
            found = {d.id: d for d in self._store.find(Document, {"id": tuple(ids)})}
            for id in ids:
                document = found.get(id)
                if document is not None and self._has_topic(document):
                    yield _document(document)

    def _prunes(self) -> Iterator[TimelineItem]:
        columns = ("id", "undone_at")
        for page in self._pages("batch", "at", "n", columns, {"action": _PRUNE}):
            for row in page:
                retired = {"batch": row["id"], "status": "retired"}
                count = self._store.select("memory", ("count(*)",), retired)[0][0]
                yield TimelineItem(
                    at=row["at"],
                    kind="prune",
                    id=row["id"],
                    text=f"{count} {'memory' if count == 1 else 'memories'} retired",
                    status="undone" if row["undone_at"] else None,
                )

    def _pages(
        self, table: str, time: str, key: str, columns: Sequence[str], where: Mapping[str, Any]
    ) -> Iterator[Sequence[Any]]:
        """The rows of a table, newest first, a page at a time: those of the last moment of a page
        that the page did not hold come next."""
        names = tuple(dict.fromkeys((*columns, time, key)))
        order = (f"-{time}", f"-{key}")
        bounds: Any = self._bounds(table)
        while True:
            page = self._store.select(table, names, {**where, time: bounds}, order, PAGE)
            if page:
                yield page
            if len(page) < PAGE:
                return
            last, at = page[-1][key], page[-1][time]
            while True:
                rest: dict[str, Any] = {time: at, key: below(last)}
                if key in where:
                    rest[key] = Both(below(last), where[key])
                page = self._store.select(table, names, {**where, **rest}, order, PAGE)
                if not page:
                    break
                yield page
                last = page[-1][key]
            bounds = Both(below(at), self._bounds(table))

    def _bounds(self, table: str) -> Any:
        """The condition on the time of what is shown."""
        since, until = self._query.since, self._query.until
        if table == "fact_interval":  # without their Z, and not from the beginning of time
            since = moment(since or BEGINNING)
            until = moment(until) if until else None
            low = Comparison(">=" if self._query.since else ">", since)
        else:
            low = Comparison(">=", since) if since else PRESENT
        return Both(low, below(until)) if until else low

    # -- which of them -------------------------------------------------------------------------

    def _has_topic(self, record: Memory | Document) -> bool:
        topic = self._query.topic
        return topic is None or fold(record.topic or "") == fold(topic)

    def _is_ours(self, record: Turn | Memory | Insight | Fact) -> bool:
        query = self._query
        return (query.user is None or record.user in (None, query.user)) and (
            query.agent is None or record.agent in (None, query.agent)
        )

    def _is_shown(self, record: Turn | Memory | Insight) -> bool:
        """Whether it is ours, no piece of a document, and nothing that waits in quarantine."""
        if isinstance(record, Memory) and record.is_document:
            return False
        quarantined = not isinstance(record, Turn) and record.status == "quarantined"
        return self._is_ours(record) and not quarantined


def _concept(name: str) -> Among:
    """The rows that are about the concept of this name, whoever's it is."""
    numbers = Among("concept", "n", {"folded": concept_key(name)})
    return Among("about", "key", {"concept": numbers})


def _item(record: Turn | Memory | Insight) -> TimelineItem:
    kind: TimelineKind = "turn"
    status = None
    if not isinstance(record, Turn):
        kind = "memory" if isinstance(record, Memory) else "insight"
        status = record.status if record.status != "active" else None
    return TimelineItem(
        at=record.created_at or "",
        kind=kind,
        id=record.id or "",
        text=record.message if isinstance(record, Turn) else record.content,
        topic=record.topic if isinstance(record, Memory) and not is_hidden(record) else None,
        session=record.session,
        user=record.user,
        status=status,
    )


def _interval(fact: Fact, row: Mapping[str, Any], column: str) -> TimelineItem:
    ends = column == "valid_to"
    end = row["valid_to"]
    return TimelineItem(
        at=f"{row[column]}Z",
        kind="fact",
        id=fact.id or "",
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
        id=document.id or "",
        text=document.title or document.path,
        topic=document.topic,
    )
