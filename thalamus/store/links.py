"""The table ``link``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from thalamus.records import Link
from thalamus.store.row_access import Selection

if TYPE_CHECKING:
    from thalamus.store.collection import RowReader, RowWriter


Ids = Collection[str] | str  # one id or several
_COLUMNS = ("source", "relation", "target")


class Links:
    """The links of a store. ``relations`` restricts them to these."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def outgoing(self, ids: Ids, *relations: str) -> list[Link]:
        """Links whose source is one of these."""
        return self._at("source", ids, relations)

    def incoming(self, ids: Ids, *relations: str) -> list[Link]:
        """Links whose target is one of these."""
        return self._at("target", ids, relations)

    def around(
        self, ids: Ids, incoming: Collection[str], outgoing: Collection[str]
    ) -> tuple[list[Link], list[Link]]:
        """Links to these ids, and links from them, of these relations."""
        if not ids:
            return [], []
        selections = [_selection("target", ids, incoming), _selection("source", ids, outgoing)]
        to, from_ = self._rows.select_each(selections)
        return [Link(*row) for row in to], [Link(*row) for row in from_]

    def targets(self, ids: Ids, *relations: str) -> list[str]:
        """Targets of the links from these ids."""
        return [link.target for link in self.outgoing(ids, *relations)]

    def sources(self, ids: Ids, *relations: str) -> list[str]:
        """Sources of the links to these ids."""
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
    """Links in a unit of work."""

    def __init__(self, rows: RowWriter) -> None:
        super().__init__(rows)
        self._target = rows

    def add(self, links: Iterable[Link]) -> None:
        """Adds links; existing ones stay."""
        rows = [(link.source, link.relation, link.target) for link in links]
        if rows:
            self._target.insert("link", _COLUMNS, rows)

    def delete(self, source: str, relation: str, target: str) -> bool:
        """Deletes a link; True when there was one."""
        same = {"source": source, "relation": relation, "target": target}
        return self._target.delete("link", same) > 0
