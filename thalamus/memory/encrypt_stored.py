"""Encryption of what was stored in plain text and should not be, with the erasure of its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from thalamus.memory.personal import is_personal, says_personal
from thalamus.memory.plain_sources import plain_sources, unencrypted
from thalamus.records import Fact, Memory, Record, Turn
from thalamus.records.base import tag_of
from thalamus.records.kinds import kind_named
from thalamus.store import embeddings
from thalamus.store.encrypted import is_hidden
from thalamus.store.encryption import contents
from thalamus.store.encryption.sources import encrypt
from thalamus.store.erasure import ErasedContent, ResidueReport

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader

_PREFIX = 64  # leading bytes that identify a vector
_BY_RULES: tuple[type[Record], ...] = (Turn, Memory, Fact)


class EncryptionReport(Struct):
    """Result of a run. ``counts``: encrypted rows by kind; ``left``: steps of the erasure that
    failed; ``search``: remains of the plain words, also in copies of the store."""

    counts: dict[str, int] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    search: ResidueReport = field(default_factory=ResidueReport)

    @property
    def copies(self) -> list[str]:
        """Files outside the store that contain the plain words."""
        return list(dict.fromkeys(found.file for found in self.search.found if found.copy))

    @property
    def residue(self) -> list[str]:
        """Files of the store that contain the plain words."""
        return list(dict.fromkeys(found.file for found in self.search.found if not found.copy))


def encrypt_stored(
    store: Store, outside: Iterable[Path], progress: Callable[[str], None]
) -> EncryptionReport:
    """Encrypts in one transaction what is personal and stored in plain text, with the sources of
    all that is personal; then erases the plain words from the files, and searches for remains. An
    interrupted run is completed by the next one. Raises ``StoreBusy``, ``StoreFull``."""
    progress("finding what to encrypt")
    report, erased = EncryptionReport(), ErasedContent()
    if _found(store):
        with store.forgetting() as writer:
            before = Counter(contents.count(writer))
            records = _found(writer)
            erased = _contents(writer, records)
            encrypt(writer, records)
        report.counts = dict(Counter(contents.count(store)) - before)
    elif not store.unfinished():
        return report
    report.left = store.erase(progress)
    report.search = store.residue(erased, [*store.backups(), *outside], progress)
    if not report.left and not report.residue:
        store.finished()
    return report


def _found(reader: Reader) -> dict[str, str]:
    """Plain records to be encrypted: marked ones, those in which a rule matches, and sources."""
    found = unencrypted(reader)
    by_rules: dict[str, str] = {}
    for kind in _BY_RULES:
        hidden = contents.all_ids(reader)
        for record in list(reader.each(kind)):
            if record.stored_id not in hidden and _matches(record):
                by_rules[record.stored_id] = tag_of(kind)
    made = [id for id, name in by_rules.items() if name != tag_of(Turn)]
    return plain_sources(reader, made) | by_rules | found


def _matches(record: Record) -> bool:
    if is_hidden(record):
        return False
    if isinstance(record, Turn):
        return says_personal(record)
    return isinstance(record, (Memory, Fact)) and is_personal(record)


def _contents(reader: Reader, records: Mapping[str, str]) -> ErasedContent:
    """Words and vectors of records, for the search for remains."""
    erased = ErasedContent()
    for id, name in records.items():
        kind = kind_named(name)
        assert kind is not None
        for record in reader.by_ids(kind.record, [id]):
            for field_name in kind.own_words:
                if words := getattr(record, field_name, None):
                    erased.texts.append((id, name, words))
        if kind.numbered and (key := reader.key(kind.record, id)) is not None:
            for vectors in embeddings.of_keys(reader, [key]):
                erased.vectors += [data[:_PREFIX] for data in vectors if data]
    return erased
