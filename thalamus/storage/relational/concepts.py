"""Concepts and what is about them: the tables ``concept`` and ``about``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thalamus.records import CONCEPT_KINDS
from thalamus.storage.protocol import Among, Both, ConceptRow
from thalamus.storage.relational.tables import in_parts, placeholders

if TYPE_CHECKING:
    from thalamus.storage.protocol import ConceptName, Rows

Query = Callable[[str, Sequence[Any]], list[Any]]
_COLUMNS = ("owner", "folded", "name", "kind")


# -- writing ---------------------------------------------------------------------------------------


def put(rows: Rows, about: Mapping[int, tuple[str, Sequence[ConceptName]]]) -> None:
    """Notes what entries are about, by their keys: an owner and concepts of his. Concepts that are
    not there are added; one that is gets the kind that says more of it."""
    wanted: dict[str, dict[str, ConceptName]] = {}
    for owner, found in about.values():
        known = wanted.setdefault(owner, {})
        for one in found:
            first = known.setdefault(one.key, one)
            if CONCEPT_KINDS.index(one.kind) < CONCEPT_KINDS.index(first.kind):
                known[one.key] = first._replace(kind=one.kind)
    numbers = {owner: _numbers(rows, owner, names) for owner, names in wanted.items() if names}
    made = [
        (key, numbers[owner][concept])
        for key, (owner, found) in about.items()
        for concept in {one.key: None for one in found}
    ]
    rows.insert("about", ("key", "concept"), made, key=("key", "concept"))


def _numbers(rows: Rows, owner: str, wanted: Mapping[str, ConceptName]) -> dict[str, int]:
    """The numbers of an owner's concepts, by what they are compared by."""
    where = {"owner": owner, "folded": tuple(wanted)}
    numbers: dict[str, int] = {}
    raised: dict[str, list[int]] = {}
    for n, folded, kind in rows.select("concept", ("n", "folded", "kind"), where):
        numbers[folded] = n
        now = wanted[folded].kind
        if CONCEPT_KINDS.index(now) < CONCEPT_KINDS.index(kind):
            raised.setdefault(now, []).append(n)
    for kind, changed in raised.items():
        rows.update("concept", {"kind": kind}, {"n": changed})
    missing = [(owner, *one) for key, one in wanted.items() if key not in numbers]
    columns, made = rows.numbered("concept", _COLUMNS, missing)
    rows.insert("concept", columns, made)
    return numbers | {row[2]: row[0] for row in made}


def clear(rows: Rows, keys: Sequence[int]) -> set[int]:
    """Notes that entries are about nothing; the concepts that they were about."""
    if not keys:
        return set()
    where = {"key": tuple(keys)}
    found = {row[0] for row in rows.select("about", ("concept",), where)}
    if found:
        rows.delete("about", where)
    return found


def delete_empty(rows: Rows, concepts: Collection[int]) -> None:
    """Deletes those of these concepts that nothing is about."""
    for part in in_parts(sorted(concepts)):
        among = Among("about", "concept", {"concept": tuple(part)}, none=True)
        rows.delete("concept", {"n": Both(tuple(part), among)})


# -- reading ---------------------------------------------------------------------------------------


def listed(
    query: Query,
    owners: Sequence[str] | None,
    kind: str | None,
    since: str | None,
    limit: int | None,
) -> list[ConceptRow]:
    """See ``storage.protocol.Store.concepts``."""
    conditions: list[str] = ["true"]
    values: list[Any] = []
    if owners is not None:
        conditions.append(f"c.owner IN ({placeholders(owners)})")
        values += owners
    if kind is not None:
        conditions.append("c.kind = ?")
        values.append(kind)
    if since is not None:
        conditions.append(
            "EXISTS (SELECT 1 FROM about JOIN entry ON entry.key = about.key"
            " WHERE about.concept = c.n AND entry.created_at >= ?)"
        )
        values.append(since)
    sql = (
        "SELECT c.n, c.owner, c.folded, c.name, c.kind, s.seen FROM concept AS c JOIN"
        " (SELECT concept, count(*) AS seen FROM about GROUP BY concept) AS s ON s.concept = c.n"
        f" WHERE {' AND '.join(conditions)} ORDER BY s.seen DESC, c.folded, c.owner"
    )
    if limit is not None:
        sql += " LIMIT ?"
        values.append(limit)
    return [ConceptRow(*row) for row in query(sql, values)]


def last_seen(query: Query, concepts: Sequence[int]) -> dict[int, str]:
    """See ``storage.protocol.Store.last_seen``."""
    found: dict[int, str] = {}
    for part in in_parts(concepts):
        sql = (
            "SELECT about.concept, max(entry.created_at) FROM about"
            " JOIN entry ON entry.key = about.key"
            f" WHERE about.concept IN ({placeholders(part)}) GROUP BY about.concept"
        )
        found |= {row[0]: row[1] for row in query(sql, part)}
    return found


def together(query: Query, concepts: Iterable[int], limit: int) -> list[tuple[int, int, int]]:
    """See ``storage.protocol.Store.concepts_together``."""
    sql = (
        "SELECT other.concept, count(*) AS shared FROM about AS one"
        " JOIN about AS other ON other.key = one.key AND other.concept <> one.concept"
        " WHERE one.concept = ? AND NOT EXISTS (SELECT 1 FROM fact WHERE fact.key = one.key)"
        " GROUP BY other.concept ORDER BY shared DESC, other.concept LIMIT ?"
    )
    return [(n, row[0], row[1]) for n in concepts for row in query(sql, (n, limit))]


def without(query: Query, limit: int) -> list[tuple[int, str, str]]:
    """See ``storage.protocol.Store.without_concepts``."""
    sql = (
        "SELECT key, record, id FROM entry WHERE live"
        " AND NOT EXISTS (SELECT 1 FROM about WHERE about.key = entry.key)"
        " AND NOT EXISTS (SELECT 1 FROM encrypted WHERE encrypted.kind = entry.record"
        " AND encrypted.id = entry.id) ORDER BY key DESC LIMIT ?"
    )
    return [(row[0], row[1], row[2]) for row in query(sql, (limit,))]


def after(query: Query, key: int, limit: int) -> list[tuple[int, str]]:
    """See ``storage.protocol.Store.keys_after``."""
    sql = "SELECT key, record FROM entry WHERE key > ? ORDER BY key LIMIT ?"
    return [(row[0], row[1]) for row in query(sql, (key, limit))]
