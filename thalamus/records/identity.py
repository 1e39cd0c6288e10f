"""Hashes that identify a stored memory."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from thalamus.records.canonical import pack_json

if TYPE_CHECKING:
    from thalamus.records import Memory


def identity_hash(record: Memory) -> bytes:
    """Identity of a memory said at a known time: storing it again changes nothing."""
    return _hash(
        record.user,
        record.agent,
        record.session,
        record.type,
        record.created_at,
        record.content,
        pack_json(record.metadata),
    )


def content_hash(record: Memory) -> bytes:
    """Identity of a memory's content for its owner, regardless of case and spacing."""
    return _hash(record.user, record.agent, " ".join(record.content.casefold().split()))


def _hash(*parts: str | None) -> bytes:
    marked = ["\x00\x1f" if part is None else f"\x01{part}\x1f" for part in parts]
    digest: bytes = _blake2b()("".join(marked).encode("utf-8", "replace"), digest_size=12).digest()
    return digest


@functools.cache
def _blake2b() -> Any:
    import hashlib  # readers never need it

    return hashlib.blake2b
