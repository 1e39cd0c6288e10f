"""Export: everything that is needed to make the same store again, or a selection, as JSON lines."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from thalamus.policy.vector import unpack
from thalamus.records import Document, Event, ExportedFile, Fact, Link, Memory, Record, StageLog
from thalamus.records.json_line import to_line
from thalamus.storage.protocol import is_hidden

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store

_TIMES = ("created_at", "at", "updated_at")  # when something was said or changed

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Selection:
    """None means "any". ``since`` and ``until`` (inclusive, exclusive; RFC 3339 in UTC) bound
    when something was said. ``logs``: the logs of stages too, and where data sets
    were written, which are taken only where that is asked for, or their kind is."""

    user: str | None = None
    session: str | None = None
    since: str | None = None
    until: str | None = None
    kinds: tuple[str, ...] | None = None  # turn, memory …
    logs: bool = False

    @property
    def complete(self) -> bool:
        """Whether it takes everything, of these kinds."""
        others = (field.name for field in fields(self) if field.name not in ("kinds", "logs"))
        return all(getattr(self, name) is None for name in others)

    def takes(self, record: Record) -> bool:
        at = next((time for name in _TIMES if (time := getattr(record, name, None))), "")
        return (
            (self.user is None or getattr(record, "user", self.user) == self.user)
            and (self.session is None or getattr(record, "session", None) == self.session)
            and (self.since is None or at >= self.since)
            and (self.until is None or at < self.until)
        )


def export_lines(
    opened: Store, selection: Selection | None = None, embeddings: bool = False
) -> Iterator[bytes]:
    """One line per record, in an order in which ``Importer`` can take them.

    With ``embeddings`` memories and facts carry their vectors; those of turns are made again.
    """
    for record in readable(select(opened.everything(), selection or Selection())):
        if embeddings:
            record = _with_vector(record, opened)
        yield to_line(record)


def select(records: Iterable[Record], selection: Selection) -> Iterator[Record]:
    """The records that a selection takes, and what belongs to them.

    Links are taken when both their ends are, documents when a memory taken came from them. The
    ledger is one chain, so only a selection by kinds alone has it.
    """
    chosen = _chosen(records, selection)
    if selection.kinds is None:
        return (r for r in chosen if selection.logs or not isinstance(r, (StageLog, ExportedFile)))
    kinds = selection.kinds
    return (record for record in chosen if record.__struct_config__.tag in kinds)


def _chosen(records: Iterable[Record], selection: Selection) -> Iterator[Record]:
    if selection.complete:
        yield from records
        return
    taken: set[str | None] = set()
    documents: set[str | None] = set()
    for record in records:
        if isinstance(record, Link):
            wanted = record.source in taken and record.target in taken
        elif isinstance(record, Document):
            wanted = record.id in documents
        elif isinstance(record, Event):
            wanted = False
        else:  # what belongs to nobody in particular and to no time is left out
            dated = not {*_TIMES}.isdisjoint(record.__struct_fields__)
            wanted = dated and selection.takes(record)
        if not wanted:
            continue
        if not isinstance(record, (Link, Event)):
            taken.add(getattr(record, "id", None))
        if isinstance(record, (Memory, Fact)) and record.provenance is not None:
            documents.add(record.provenance.document)
        yield record


def readable(records: Iterable[Record]) -> Iterator[Record]:
    """The records that can be read here; how many lack their key is logged once."""
    left_out = 0
    for record in records:
        if is_hidden(record):
            left_out += 1
        else:
            yield record
    if left_out:
        log.warning("left out: %d encrypted records whose key is not here", left_out)


def _with_vector(record: Record, opened: Store) -> Record:
    if not isinstance(record, (Memory, Fact)) or record.id is None:
        return record
    for vector in opened.vectors_of([record.id]).values():
        record.embedding, record.embedding_model = unpack(vector.data), vector.model
    return record
