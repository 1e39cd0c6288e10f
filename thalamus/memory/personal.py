"""Personal records and their subjects: the rule by which a store encrypts contents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from thalamus.records import Fact, Memory
from thalamus.storage.protocol.encrypted import NOBODY

if TYPE_CHECKING:
    from thalamus.records import Evidence, Turn
    from thalamus.storage.protocol.reader import Reader


def subject_of(
    record: Memory | Fact | Turn, is_encrypted: Callable[[Sequence[Evidence]], bool]
) -> str | None:
    """Subject under whose key a record is encrypted; None when it is not personal.
    ``is_encrypted``: tests if any of some evidence is encrypted."""
    from thalamus.policy.sensitivity import personal, personal_fact  # readers do not need it

    owner = record.user or NOBODY
    if isinstance(record, Memory):
        marked = record.sensitivity == "personal" or personal(_quote(record)) is not None
        marked = marked or (not record.is_document and personal(record.content) is not None)
        return owner if marked else None
    if isinstance(record, Fact):
        name = record.subject.casefold()
        marked = record.sensitivity == "personal" or personal_fact(record) is not None
        return (owner if name == "user" else name) if marked else None
    return owner if _is_personal(record, is_encrypted) else None


def encrypted_ids(store: Reader, ids: Iterable[str]) -> set[str]:
    """Ids among these whose content is encrypted."""
    return store.encrypted.ids(ids)


def _is_personal(turn: Turn, is_encrypted: Callable[[Sequence[Evidence]], bool]) -> bool:
    from thalamus.policy.sensitivity import personal

    if personal(f"{turn.message}\n{turn.answer or ''}"):
        return True
    if turn.reflection is not None:
        if any(subject_of(memory, is_encrypted) for memory in turn.reflection.memories_to_store):
            return True
        if any(subject_of(fact, is_encrypted) for fact in turn.reflection.facts):
            return True
    # its answer may repeat the evidence
    return bool(turn.evidence) and is_encrypted(turn.evidence)


def _quote(record: Memory) -> str:
    return (record.provenance.quote or "") if record.provenance else ""
