"""The table ``link``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from thalamus.records import Link

if TYPE_CHECKING:
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

Ids = Collection[str] | str  # one id or several

LINK = "SELECT source, relation, target FROM link"
OUTGOING = f"{LINK} WHERE source IN (SELECT value FROM json_each(?))"
OUTGOING_OF = f"{OUTGOING} AND relation IN (SELECT value FROM json_each(?))"
INCOMING = f"{LINK} WHERE target IN (SELECT value FROM json_each(?))"
INCOMING_OF = f"{INCOMING} AND relation IN (SELECT value FROM json_each(?))"
ONE = "source = ? AND relation = ? AND target = ?"


def outgoing(reader: Reader, ids: Ids, *relations: str) -> list[Link]:
    """Links whose source is one of these, of these relations or of all."""
    if not ids:
        return []
    if relations:
        found = reader.fetch(OUTGOING_OF, _listed(ids), relations)
    else:
        found = reader.fetch(OUTGOING, _listed(ids))
    return [Link(*row) for row in found]


def incoming(reader: Reader, ids: Ids, *relations: str) -> list[Link]:
    """Links whose target is one of these, of these relations or of all."""
    if not ids:
        return []
    if relations:
        found = reader.fetch(INCOMING_OF, _listed(ids), relations)
    else:
        found = reader.fetch(INCOMING, _listed(ids))
    return [Link(*row) for row in found]


def around(
    reader: Reader, ids: Ids, incoming: Collection[str], outgoing: Collection[str]
) -> tuple[list[Link], list[Link]]:
    """Links to these ids, and links from them, of these relations."""
    if not ids:
        return [], []
    given = _listed(ids)
    to, from_ = reader.fetch_each((INCOMING_OF, given, incoming), (OUTGOING_OF, given, outgoing))
    return [Link(*row) for row in to], [Link(*row) for row in from_]


def targets(reader: Reader, ids: Ids, *relations: str) -> list[str]:
    """Targets of the links from these ids."""
    return [link.target for link in outgoing(reader, ids, *relations)]


def sources(reader: Reader, ids: Ids, *relations: str) -> list[str]:
    """Sources of the links to these ids."""
    return [link.source for link in incoming(reader, ids, *relations)]


def add(writer: Writer, links: Iterable[Link]) -> None:
    """Adds links; existing ones stay."""
    rows = [(link.source, link.relation, link.target) for link in links]
    if rows:
        writer.insert("link", ("source", "relation", "target"), rows)


def delete(writer: Writer, source: str, relation: str, target: str) -> bool:
    """Deletes a link; True when there was one."""
    return writer.delete("link", ONE, source, relation, target) > 0


def _listed(ids: Ids) -> list[str]:
    return [ids] if isinstance(ids, str) else [*ids]
