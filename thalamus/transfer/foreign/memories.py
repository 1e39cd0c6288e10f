"""Memories and documents of another system, in the form stored here."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs

from thalamus.clock import make_id, parse_time
from thalamus.policy.speakers import PROPOSED_TRUST
from thalamus.records import Memory
from thalamus.transfer.foreign.archive import Item
from thalamus.transfer.foreign.conversation import EPOCH
from thalamus.transfer.foreign.values import identity


class ExportedDocument(Struct, frozen=True):
    """A text file in an export; ``path`` says where it was there, ``project`` what it belongs
    to."""

    title: str
    path: str
    text: str
    created_at: str
    project: str


def identified(memory: Memory, item: Item, source: str, ref: str = "") -> Memory:
    """A memory of an export as it is stored: its id is always the same for the same words under the
    same ``ref``, its id there. One without a time is dated by the file: it was true when that was
    written."""
    named = {"ref": ref} if ref else {}
    at = memory.created_at
    return structs.replace(
        memory,
        id=make_id("mem", parse_time(at or EPOCH), b"", source, ref, memory.content),
        created_at=at or item.modified,
        trust=PROPOSED_TRUST,
        metadata={"source": source, **named, **memory.metadata},
    )


def owners(values: list[Any]) -> dict[str, str]:
    """The user to keep for each owner: none if everything belongs to the same one, who is the
    person who imports it."""
    names = {name for name in map(identity, values) if name}
    return {name: name for name in names} if len(names) > 1 else {}
