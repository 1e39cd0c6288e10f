"""Scan items for erasure: every record with its words and their owner."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from thalamus.memory.forget.world import name_in_world, world_items
from thalamus.policy.erasure import ScanItem
from thalamus.policy.staleness import reason_in_words
from thalamus.records import DiscoverySource, Fact, Insight, Memory, Project, StageLog
from thalamus.records.kinds import Kind, kinds, text_of
from thalamus.records.ownership import DEFAULT_USER
from thalamus.store import batches, ledger
from thalamus.store import records as record_rows
from thalamus.store.ledger import FORGOTTEN
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from thalamus.records import Event
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader

# fields without words, or read in another way
_PLAIN = set(
    "id created_at recorded_at retired_at valid_from valid_to expires_at seen_at session user agent"
    " turn status sensitivity importance scope type batch stated_from stated_to sha256 reason"
    " source relation holds format".split()
)
CHANGED = (Memory, Fact, Insight, DiscoverySource)  # records that batches change
_TIME = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+Z?)?")


def scan_items(store: Store) -> Iterator[ScanItem]:
    """Scan items for every record except ledger entries and the copies kept by batches; encrypted
    ones are decrypted where their key is available."""
    for kind in kinds():
        if not (kind.own_words or kind.texts or kind.shown):
            continue
        more, rest = _unread(kind, store), _rest(kind)
        for record in store.each(kind.record):
            item = _scan_item(kind, record, rest)
            item.texts += more.get(item.id, [])
            if isinstance(record, Project):
                item.brings = name_in_world(record, store)
            yield item
    yield from world_items(store)
    yield from _batch_items(store)


def _batch_items(store: Store) -> Iterator[ScanItem]:
    """The copies kept by batches, with the owners of their records."""
    found = batches.changes(store)
    ids = [kept.id for kept in found]
    owners = {record.stored_id: record for kind in CHANGED for record in store.by_ids(kind, ids)}
    for kept in found:
        record = owners.get(kept.id)
        yield ScanItem(
            "batch_item",
            json.dumps([kept.batch, kept.id]),
            list(strings(kept.before)),
            user=getattr(record, "user", DEFAULT_USER),
            agent=getattr(record, "agent", None),
        )


def _scan_item(kind: Kind, record: Any, rest: Sequence[str]) -> ScanItem:
    """A scan item for a record of a kind. ``rest``: fields that the kind does not describe."""
    own_texts = _values(record, kind.own_words)
    texts = _values(record, kind.texts) or [text_of(kind.shown, record)]
    source = getattr(record, "provenance", None)
    item = ScanItem(
        kind.name,
        name_of(kind, record),
        [*texts, *strings(getattr(record, "metadata", {})), *_other_texts(record, rest)],
        own_texts or ([] if kind.shown else list(texts)),
        _values(record, kind.quotes),
        session=getattr(record, "session", None),
        # what has no owner belongs to the default user
        user=getattr(record, "user", DEFAULT_USER),
        agent=getattr(record, "agent", None),
        turn=getattr(record, "turn", None),
    )
    if "subject" in kind.columns:
        item.subject = record.subject
    if source is not None:
        item.turn, item.document = source.turn, source.document
        cut = [text for text in (source.quote, source.heading) if text]
        item.quotes = [*cut, *item.quotes]
    return item


def name_of(kind: Kind, record: Any) -> str:
    """Name of a record: its id, or its identity as JSON."""
    return str(record.id) if kind.has_id else json.dumps([*identity_of(kind, record).values()])


def identity_of(kind: Kind, record: Any) -> dict[str, Any]:
    """The columns that identify a record, with their values."""
    found: dict[str, Any] = {}
    for name in kind.identity:
        if name == "owner":
            found[name] = record.user or ""
        else:
            found[name] = fold(record.name) if name == "folded" else getattr(record, name)
    return found


def scan_events(store: Store) -> Iterator[ScanItem]:
    """Ledger entries that were not emptied and do not record an emptying."""
    for event in ledger.entries(store):
        if (event.salt is not None or event.data) and event.name != FORGOTTEN:
            yield _event(event)


def scan_logs(store: Store) -> Iterator[ScanItem]:
    """Stage logs, with the ids of the records that they quote."""
    for record in store.each(StageLog):
        texts = [*strings(record.given), *strings(record.gave)]
        calls = [(call.messages, call.reply) for call in record.calls]
        for messages, reply in (*calls, (record.messages, record.reply)):
            texts += [*(message.content for message in messages), reply or ""]
        yield ScanItem(
            "stage_log",
            record.stored_id,
            texts,
            label=f"the log of {record.stage}" + (f" in {record.turn}" if record.turn else ""),
            session=record.session,
            user=record.user,
            agent=record.agent,
            turn=record.turn,
            names=frozenset(texts),
        )


def _event(event: Event) -> ScanItem:
    texts = [event.name, *strings(event.data)]
    return ScanItem(
        "event",
        str(event.seq),
        texts,
        session=event.session,
        user=event.user,
        agent=event.agent,
        turn=event.turn,
    )


def _unread(kind: Kind, store: Reader) -> dict[str, list[str]]:
    """Words in columns that reading a record leaves out, by id."""
    found: dict[str, list[str]] = {}
    for name in kind.unread:
        if name not in _PLAIN:
            for id, text in record_rows.texts(store, kind.record, name).items():
                found.setdefault(id, []).append(text)
    return found


def _rest(kind: Kind) -> list[str]:
    """Fields with words that the kind does not describe."""
    described = (*kind.own_words, *kind.texts, *kind.quotes, *kind.unread)
    known = {*_PLAIN, *described, "metadata", "provenance"}
    known |= {part.field for part in kind.shown}
    return [name for name in (*kind.columns, *kind.packed) if name not in known]


def _other_texts(record: Any, rest: Sequence[str]) -> Iterator[str]:
    """The words in these fields."""
    for name in rest:
        for text in strings(to_builtins(getattr(record, name, None))):
            if text and not _TIME.fullmatch(text):
                yield reason_in_words(text)


def _values(record: Any, names: tuple[str, ...]) -> list[str]:
    """Texts of fields; ``a.b`` is the field ``b`` of each item in a list ``a``."""
    found: list[str] = []
    for name in names:
        first, _, rest = name.partition(".")
        value = getattr(record, first)
        for one in value if isinstance(value, list) else [value]:
            text = getattr(one, rest) if rest else one
            if text:
                found.append(text)
    return found


def strings(value: Any) -> Iterator[str]:
    """All strings in a JSON value, including names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)
