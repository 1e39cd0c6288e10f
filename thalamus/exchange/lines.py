"""An export as JSON lines: everything that is needed to make the same store again."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from thalamus.exchange.selection import Selection, select
from thalamus.policy.vector import unpack
from thalamus.records import Fact, Memory, Record
from thalamus.records.encoding import to_line
from thalamus.storage.sealing import is_hidden

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store

log = logging.getLogger(__name__)


def export_lines(
    opened: Store, selection: Selection | None = None, embeddings: bool = False
) -> Iterator[bytes]:
    """One line per record, in an order in which ``Importer`` can take them.

    With ``embeddings`` memories and facts carry their vectors; those of turns are made again.
    """
    for record in readable(select(opened.everything(), selection or Selection())):
        if embeddings:
            record = _with_embedding(record, opened)
        yield to_line(record)


def readable(records: Iterable[Record]) -> Iterator[Record]:
    """Without what is sealed and cannot be opened here, which is told once at the end."""
    left_out = 0
    for record in records:
        if is_hidden(record):
            left_out += 1
        else:
            yield record
    if left_out:
        log.warning("left out: %d sealed records whose key is not here", left_out)


def _with_embedding(record: Record, opened: Store) -> Record:
    if not isinstance(record, (Memory, Fact)) or record.id is None:
        return record
    for vector in opened.vectors_of([record.id]).values():
        record.embedding, record.embedding_model = unpack(vector.data), vector.model
    return record
