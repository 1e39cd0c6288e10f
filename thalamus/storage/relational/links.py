"""The table ``link``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from thalamus.records import Link
from thalamus.storage.protocol.rows import Selection

if TYPE_CHECKING:
    from thalamus.storage.protocol.links import Ids
    from thalamus.storage.relational.collection import RowReader, RowWriter

_COLUMNS = ("source", "relation", "target")


class Links:
    """See ``storage.protocol.links.Links``."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def outgoing(self, ids: Ids, *relations: str) -> list[Link]:
        return self._at("source", ids, relations)

    def incoming(self, ids: Ids, *relations: str) -> list[Link]:
        return self._at("target", ids, relations)

    def around(
        self, ids: Ids, incoming: Collection[str], outgoing: Collection[str]
    ) -> tuple[list[Link], list[Link]]:
        if not ids:
            return [], []
        selections = [_selection("target", ids, incoming), _selection("source", ids, outgoing)]
        to, from_ = self._rows.select_each(selections)
        return [Link(*row) for row in to], [Link(*row) for row in from_]

    def targets(self, ids: Ids, *relations: str) -> list[str]:
        return [link.target for link in self.outgoing(ids, *relations)]

    def sources(self, ids: Ids, *relations: str) -> list[str]:
        return [link.source for link in self.incoming(ids, *relations)]

    def _at(self, end: str, ids: Ids, relations: tuple[str, ...]) -> list[Link]:
        """Links with one of these ids at an end."""
        if not ids:
            return []
        one = _selection(end, ids, relations)
        return [Link(*row) for row in self._rows.select(one.table, one.columns, one.where)]


def _selection(end: str, ids: Ids, relations: Collection[str]) -> Selection:
    """Selects the links with one of these ids at an end."""
    where: dict[str, Any] = {end: ids if isinstance(ids, str) else tuple(ids)}
    if relations:
        where["relation"] = next(iter(relations)) if len(relations) == 1 else tuple(relations)
    return Selection("link", _COLUMNS, where)


class MutableLinks(Links):
    """See ``storage.protocol.links.MutableLinks``."""

    def __init__(self, rows: RowWriter) -> None:
        super().__init__(rows)
        self._target = rows

    def add(self, links: Iterable[Link]) -> None:
        rows = [(link.source, link.relation, link.target) for link in links]
        if rows:
            self._target.insert("link", _COLUMNS, rows)

    def delete(self, source: str, relation: str, target: str) -> bool:
        same = {"source": source, "relation": relation, "target": target}
        return self._target.delete("link", same) > 0
