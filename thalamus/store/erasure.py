"""Erasure of deleted content from a store's files, and the search for its residue."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.store.values import Change

if TYPE_CHECKING:
    pass

KEYS_TO_DROP = "keys_to_drop"  # key in ``meta``: ids of keys whose last row was deleted, as JSON
ERASURES = "erasures"  # key in ``meta``: number of erasures


class ErasedContent(Struct):
    """Deleted content, kept in memory only: for the search for residue, and for the receipt.

    ``texts``: (id, kind, text); ``vectors``: first bytes of embeddings and encrypted values;
    ``before`` and ``after``: the head of the ledger; ``changes``: facts whose intervals changed
    because of the deletion.
    """

    counts: dict[str, int] = {}
    texts: list[tuple[str, str, str]] = []
    names: list[str] = []
    vectors: list[bytes] = []
    keys: list[int] = []
    before: dict[str, object] = {}
    after: dict[str, object] = {}
    changes: list[Change] = []


class Residue(Struct, frozen=True):
    """A remainder of forgotten content: its file, byte offset (-1: not a place in a file), and
    description. ``copy``: the file is not part of the store and was not touched."""

    file: str
    offset: int
    what: str
    copy: bool = False


class ResidueReport(Struct):
    """Result of the search for residue. ``words``: forgotten words that also occur in what was
    kept; ``rows``: searched in a database server, whose files are not read; ``limits``: what cannot
    be searched, in words."""

    files: int = 0
    rows: int = 0
    bytes: int = 0
    probes: int = 0
    found: list[Residue] = []
    words: list[str] = []
    copies: list[str] = []
    limits: list[str] = []


Holds = Callable[[bytes], bool]  # tests bytes for forgotten content
# removes forgotten content from a file; returns the bytes to be searched instead of it, if not all
Clean = Callable[[Holds], "bytes | None"]
