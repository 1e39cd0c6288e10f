"""Turns that were withdrawn: superseded by another turn (see ``memory.imported_turns``)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from thalamus.records import Turn
from thalamus.store import links as link_rows

if TYPE_CHECKING:
    from thalamus.records import Link
    from thalamus.store.reader import Reader


def withdrawn(reader: Reader, ids: Collection[str]) -> set[str]:
    """Those of these turns that were withdrawn."""
    return withdrawn_by(reader, link_rows.incoming(reader, ids, "supersedes"))


def withdrawn_by(reader: Reader, links: Iterable[Link]) -> set[str]:
    """Turns that were withdrawn, given the links by which they may be superseded. (A memory
    supersedes a turn that it corrects, which is not withdrawn.)"""
    targets = {link.target: link.source for link in links if link.relation == "supersedes"}
    if not targets:
        return set()
    turns = {*reader.existing(Turn, list(targets.values()))}
    return {id for id, source in targets.items() if source in turns}
