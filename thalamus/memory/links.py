"""Links between records: their origins and derivations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from thalamus.records import Link

if TYPE_CHECKING:
    from thalamus.storage.protocol.reader import Reader


def links(reader: Reader, id: str, relations: Sequence[str] = ()) -> list[Link]:
    """Links from and to an id, of these relations or of all, sorted by relation."""
    where: dict[str, Any] = {"relation": tuple(relations)} if relations else {}
    found = reader.find(Link, {**where, "source": id})
    ends = reader.find(Link, {**where, "target": id})
    found += [link for link in ends if link.source != id]
    return sorted(found, key=lambda link: (link.relation, link.source, link.target))
