"""Links between records: where something came from, and what was made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from thalamus.records import Link

if TYPE_CHECKING:
    from thalamus.storage.protocol import Reader


def links(reader: Reader, id: str, relations: Sequence[str] = ()) -> list[Link]:
    """The provenance links from and to an id, of these relations or of all, by relation."""
    where: dict[str, Any] = {"relation": tuple(relations)} if relations else {}
    found = reader.find(Link, {**where, "source": id})
    ends = reader.find(Link, {**where, "target": id})
    found += [link for link in ends if link.source != id]
    return sorted(found, key=lambda link: (link.relation, link.source, link.target))
