"""Export of a whole store or a selection as JSON lines, from which the store can be restored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import fields

from thalamus.logs import logger
from thalamus.names import normal_name, normalize
from thalamus.policy.timeline import moment
from thalamus.policy.vector import unpack
from thalamus.records import Document, Event, ExportedFile, Fact, Link, Memory, Record, StageLog
from thalamus.records.base import tag_of
from thalamus.records.json_line import to_line
from thalamus.store import embeddings as embedding_rows
from thalamus.store.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.memory.redaction import RedactedView
    from thalamus.store.base import Store

_TIMES = ("created_at", "at", "updated_at")  # when something was said or changed

log = logger(__name__)


class Selection(Struct, frozen=True):
    """A selection of records; None means "any". ``since`` and ``until`` (inclusive, exclusive; RFC
    3339 in UTC) bound when something was said. ``logs``: include stage logs and exported files,
    which are otherwise only included by their kind."""

    user: str | None = None
    session: str | None = None
    since: str | None = None
    until: str | None = None
    kinds: tuple[str, ...] | None = None  # turn, memory …
    logs: bool = False

    def __post_init__(self) -> None:
        normalize(self, ("user", "session"))

    @property
    def complete(self) -> bool:
        """True if it selects everything, or everything of some kinds."""
        others = (field.name for field in fields(self) if field.name not in ("kinds", "logs"))
        return all(getattr(self, name) is None for name in others)

    def takes(self, record: Record) -> bool:
        at = next((time for name in _TIMES if (time := getattr(record, name, None))), "")
        return (
            (self.user is None or _name(record, "user", self.user) == self.user)
            and (self.session is None or _name(record, "session", "") == self.session)
            and (self.since is None or moment(at) >= moment(self.since))
            and (self.until is None or moment(at) < moment(self.until))
        )


def _name(record: Record, field: str, other: str) -> str:
    """A name in normal form, which those of the ledger may not have; ``other`` if there is no such
    field."""
    return normal_name(getattr(record, field, other) or "")


def export_lines(
    store: Store,
    selection: Selection | None = None,
    embeddings: bool = False,
    view: RedactedView | None = None,
) -> Iterator[bytes]:
    """One line per record, in an order that ``Importer`` accepts.

    With ``embeddings``, memories and facts include their vectors; those of turns are computed
    again. With a ``view``, what that shows of them.
    """
    for record in exported(store, selection or Selection(), view):
        if embeddings:
            record = _with_vector(record, store)
        yield to_line(record)


def exported(
    store: Store, selection: Selection, view: RedactedView | None = None
) -> Iterator[Record]:
    """The selected records that can be decrypted here, or what a ``view`` shows of them."""
    selected = select(store.everything(), selection)
    return readable(selected) if view is None else view.records(selected)


def select(records: Iterable[Record], selection: Selection) -> Iterator[Record]:
    """The selected records with everything that belongs to them.

    Links are included if both ends are, documents if a selected memory came from them. The ledger
    is a single chain and is only included in a selection by kinds.
    """
    chosen = _selected(records, selection)
    if selection.kinds is None:
        return (r for r in chosen if selection.logs or not isinstance(r, (StageLog, ExportedFile)))
    kinds = selection.kinds
    return (record for record in chosen if tag_of(type(record)) in kinds)


def _selected(records: Iterable[Record], selection: Selection) -> Iterator[Record]:
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
        else:  # records without owner or time are left out
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
    """Records that can be decrypted here; the number of others is logged once."""
    left_out = 0
    for record in records:
        if is_hidden(record):
            left_out += 1
        else:
            yield record
    if left_out:
        log.warning("left out: %d encrypted records whose key is not here", left_out)


def _with_vector(record: Record, store: Store) -> Record:
    if not isinstance(record, (Memory, Fact)) or record.id is None:
        return record
    for vector in embedding_rows.of(store, [record.id]).values():
        record.embedding, record.embedding_model = unpack(vector.data), vector.model
    return record
