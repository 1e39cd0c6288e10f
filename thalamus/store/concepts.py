"""Concepts and their entries: the tables ``concept`` and ``about``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from thalamus.records.concepts import CONCEPT_KINDS
from thalamus.records.kinds import numbered
from thalamus.store.conditions import Among, Both
from thalamus.store.tables import in_parts, placeholders

if TYPE_CHECKING:
    from thalamus.records.concepts import ConceptKind, ConceptName
    from thalamus.store.collection import RowReader
    from thalamus.store.row_access import Rows


class ConceptRow(NamedTuple):
    """A concept as stored; ``owner`` is '' for shared ones. ``seen``: number of its entries."""

    n: int
    owner: str
    key: str
    name: str
    kind: ConceptKind
    seen: int = 0


_COLUMNS = ("owner", "folded", "name", "kind")


class Concepts:
    """The concepts of a store, identified by number; entries are identified by key."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def read(
        self,
        owners: Sequence[str] | None = None,
        kind: str | None = None,
        since: str | None = None,
        limit: int | None = None,
    ) -> list[ConceptRow]:
        """Concepts, those with the most entries first: of these owners or of all; ``since``: only
        those with an entry of that time or later."""
        source = self._rows.source
        conditions: list[str] = ["true"]
        values: list[Any] = []
        if owners is not None:
            owners = self._spelled(owners)
            conditions.append(f"c.owner IN ({placeholders(owners)})")
            values += owners
        if kind is not None:
            conditions.append("c.kind = ?")
            values.append(kind)
        if since is not None:
            seen = [
                f"SELECT 1 FROM {source('about')} JOIN {source(f'{one.name}_entry', 'entry')}"
                " ON entry.key = about.key WHERE about.concept = c.n AND entry.created_at >= ?"
                for one in numbered()
            ]
            conditions.append(f"EXISTS ({' UNION ALL '.join(seen)})")
            values += [since] * len(seen)
        sql = (
            f"SELECT c.n, c.owner, c.folded, c.name, c.kind, s.seen FROM {source('concept', 'c')}"
            f" JOIN (SELECT concept, count(*) AS seen FROM {source('about')} GROUP BY concept) AS s"
            f" ON s.concept = c.n WHERE {' AND '.join(conditions)}"
            " ORDER BY s.seen DESC, c.folded, c.owner"
        )
        if limit is not None:
            sql += " LIMIT ?"
            values.append(limit)
        return [ConceptRow(*row) for row in self._rows.query(sql, values)]

    def count(self) -> int:
        """The number of concepts."""
        return int(self._rows.select("concept", ("count(*)",))[0][0])

    def numbers(self, keys: Collection[str], owners: Collection[str] | None = None) -> list[int]:
        """Concepts with one of these keys, of these owners or of all."""
        if not keys:
            return []
        where: dict[str, Any] = {"folded": tuple(keys)}
        if owners is not None:
            where["owner"] = self._spelled(owners)
        return [row[0] for row in self._rows.select("concept", ("n",), where)]

    def _spelled(self, owners: Collection[str]) -> tuple[str, ...]:
        """The owners under every spelling of their names."""
        return tuple(name for owner in owners for name in self._rows.spellings.of(owner))

    def numbered(self, numbers: Collection[int]) -> dict[int, ConceptRow]:
        """Concepts by number, without the count of their entries."""
        columns = ("n", "owner", "folded", "name", "kind")
        found = self._rows.select("concept", columns, {"n": tuple(numbers)}) if numbers else []
        return {row[0]: ConceptRow(*row) for row in found}

    def entries(self, numbers: Collection[int]) -> list[tuple[int, int]]:
        """(concept, entry) pairs of these concepts."""
        where = {"concept": tuple(numbers)}
        found = self._rows.select("about", ("concept", "key"), where) if numbers else []
        return [(row[0], row[1]) for row in found]

    def of_entries(self, keys: Collection[int]) -> list[tuple[int, int]]:
        """(entry, concept) pairs of these entries."""
        where = {"key": tuple(keys)}
        found = self._rows.select("about", ("key", "concept"), where) if keys else []
        return [(row[0], row[1]) for row in found]

    def last_seen(self, numbers: Sequence[int]) -> dict[int, str]:
        """Time of the newest entry of each of these concepts."""
        found: dict[int, str] = {}
        source = self._rows.source
        for kind in numbered():  # one at a time: all entries would be read to join them
            entries = source(f"{kind.name}_entry", "entry")
            for part in in_parts(numbers):
                sql = (
                    f"SELECT concept, max(created_at) FROM {source('about')} JOIN {entries}"
                    f" ON entry.key = about.key WHERE concept IN ({placeholders(part)})"
                    " GROUP BY concept"
                )
                for n, at in self._rows.query(sql, part):
                    found[n] = max(at or "", found.get(n, ""))
        return found

    def together(self, numbers: Sequence[int], limit: int) -> list[tuple[int, int, int]]:
        """(concept, other, number of common entries other than facts): for each of these concepts
        the ``limit`` others that share the most entries."""
        source = self._rows.source
        sql = (
            f"SELECT other.concept, count(*) AS shared FROM {source('about', 'one')}"
            f" JOIN {source('about', 'other')}"
            " ON other.key = one.key AND other.concept <> one.concept"
            " WHERE one.concept = ?"
            f" AND NOT EXISTS (SELECT 1 FROM {source('fact')} WHERE fact.key = one.key)"
            " GROUP BY other.concept ORDER BY shared DESC, other.concept LIMIT ?"
        )
        return [(n, row[0], row[1]) for n in numbers for row in self._rows.query(sql, (n, limit))]

    def missing(self, limit: int) -> list[tuple[int, str, str]]:
        """(key, kind of record, id) of the newest searchable, unencrypted entries without
        concepts."""
        source = self._rows.source
        sql = (
            f"SELECT key, record, id FROM {source('entry')} WHERE live"
            f" AND NOT EXISTS (SELECT 1 FROM {source('about')} WHERE about.key = entry.key)"
            f" AND NOT EXISTS (SELECT 1 FROM {source('encrypted')}"
            " WHERE encrypted.kind = entry.record"
            " AND encrypted.id = entry.id) ORDER BY key DESC LIMIT ?"
        )
        return [(row[0], row[1], row[2]) for row in self._rows.query(sql, (limit,))]


class MutableConcepts(Concepts):
    """Concepts in a unit of work.

    ``touched``: called with a table and keys
    of entries whose concepts are to be recomputed.
    """

    def __init__(
        self, reader: RowReader, rows: Rows, touched: Callable[[str, list[int]], None]
    ) -> None:
        super().__init__(reader)
        self._written = rows
        self._touched = touched
        self._left: set[int] = set()  # former concepts of entries

    def set(
        self, about: Mapping[int, tuple[str, Sequence[ConceptName]]], *, new: bool = False
    ) -> None:
        """Replaces the concepts of entries, given by key as an owner and concepts of that owner
        (``new``: they had none). Concepts without entries are deleted when the unit of work
        ends."""
        if not new:
            self.clear(list(about))
        _put(self._written, about)

    def touch(self, keys: Sequence[int]) -> None:
        """Queues entries whose concepts are recomputed at the end of the unit of work."""
        for kind in numbered() if keys else ():
            found = self._rows.select(kind.name, ("key",), {"key": tuple(keys)})
            self._touched(kind.name, [row[0] for row in found])

    def clear(self, keys: Sequence[int]) -> None:
        """Removes the concepts of entries."""
        where = {"key": tuple(keys)}
        found = {row[0] for row in self._written.select("about", ("concept",), where)}
        if found:
            self._written.delete("about", where)
        self._left |= found

    def finish(self) -> None:
        """Deletes concepts that have no entries any more."""
        for part in in_parts(sorted(self._left)):
            among = Among("about", "concept", {"concept": tuple(part)}, none=True)
            self._written.delete("concept", {"n": Both(tuple(part), among)})
        self._left.clear()


def _put(rows: Rows, about: Mapping[int, tuple[str, Sequence[ConceptName]]]) -> None:
    """Sets the concepts of entries, given by key as an owner and concepts of that owner. Missing
    concepts are added; an existing one gets the more specific kind."""
    by_owner: dict[str, dict[str, ConceptName]] = {}
    for owner, found in about.values():
        known = by_owner.setdefault(owner, {})
        for one in found:
            first = known.setdefault(one.key, one)
            if CONCEPT_KINDS.index(one.kind) < CONCEPT_KINDS.index(first.kind):
                known[one.key] = first._replace(kind=one.kind)
    numbers = {owner: _numbers(rows, owner, names) for owner, names in by_owner.items() if names}
    links = [
        (key, numbers[owner][concept])
        for key, (owner, found) in about.items()
        for concept in {one.key: None for one in found}
    ]
    rows.insert("about", ("key", "concept"), links, key=("key", "concept"), new=True)


def _numbers(rows: Rows, owner: str, concepts: Mapping[str, ConceptName]) -> dict[str, int]:
    """Numbers of an owner's concepts, by concept key."""
    where = {"owner": owner, "folded": tuple(concepts)}
    numbers: dict[str, int] = {}
    raised: dict[str, list[int]] = {}
    for n, folded, kind in rows.select("concept", ("n", "folded", "kind"), where):
        numbers[folded] = n
        now = concepts[folded].kind
        if CONCEPT_KINDS.index(now) < CONCEPT_KINDS.index(kind):
            raised.setdefault(now, []).append(n)
    for kind, changed in raised.items():
        rows.update("concept", {"kind": kind}, {"n": changed})
    missing = [(owner, *one) for key, one in concepts.items() if key not in numbers]
    columns, numbered = rows.numbered("concept", _COLUMNS, missing)
    rows.insert("concept", columns, numbered)
    return numbers | {row[2]: row[0] for row in numbered}
