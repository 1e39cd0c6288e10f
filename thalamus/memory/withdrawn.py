"""Turns that were withdrawn: superseded by another turn (see ``memory.imported_turns``)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from thalamus.records import Turn
from thalamus.store import links as link_rows
from thalamus.store.conditions import superseded_by

if TYPE_CHECKING:
    from thalamus.records import Link
    from thalamus.store.conditions import Where
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
    turns = {*reader.records(Turn).ids({"id": tuple(targets.values())})}
    return {id for id, source in targets.items() if source in turns}


def all_withdrawn(reader: Reader, session: str | None = None) -> set[str]:
    """Every turn that was withdrawn, in one session or in any."""
    where: Where = {"id": superseded_by(Turn)} | ({"session": session} if session else {})
    return {*reader.records(Turn).ids(where)}
