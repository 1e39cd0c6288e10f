"""Concepts and their entries: the tables ``concept`` and ``about``.

Concepts are identified by number, entries by key.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from thalamus.records.concepts import CONCEPT_KINDS
from thalamus.records.kinds import numbered
from thalamus.store.tables import EVERY
from thalamus.store.values import EVER

if TYPE_CHECKING:
    from thalamus.records.concepts import ConceptKind, ConceptName
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

COUNTED = """
SELECT c.n, c.owner, c.folded, c.name, c.kind, s.seen FROM concept AS c
JOIN (SELECT concept, count(*) AS seen FROM about GROUP BY concept) AS s ON s.concept = c.n"""
MOST_FIRST = "ORDER BY s.seen DESC, c.folded, c.owner LIMIT ?"
OF_OWNERS = "c.owner IN (SELECT value FROM json_each(?))"
WITH_ENTRY_WITHIN = """
SELECT 1 FROM about JOIN {kind}_entry AS entry ON entry.key = about.key
WHERE about.concept = c.n AND entry.created_at >= ? AND entry.created_at < ?"""
BY_NUMBER = """
SELECT n, owner, folded, name, kind FROM concept
WHERE n IN (SELECT value FROM json_each(?))"""
BY_KEY = "SELECT n FROM concept WHERE folded IN (SELECT value FROM json_each(?))"
BY_KEY_OF_OWNERS = f"{BY_KEY} AND owner IN (SELECT value FROM json_each(?))"
OF_OWNER = """
SELECT n, folded, kind FROM concept
WHERE owner = ? AND folded IN (SELECT value FROM json_each(?))"""
ENTRIES = "SELECT DISTINCT key FROM about WHERE concept IN (SELECT value FROM json_each(?))"
OF_ENTRIES = "SELECT key, concept FROM about WHERE key IN (SELECT value FROM json_each(?))"
LAST_SEEN = """
SELECT concept, max(created_at) FROM about JOIN {kind}_entry AS entry ON entry.key = about.key
WHERE concept IN (SELECT value FROM json_each(?)) GROUP BY concept"""
TOGETHER = """
SELECT other.concept, count(*) AS shared
FROM about AS one JOIN about AS other
ON other.key = one.key AND other.concept <> one.concept
WHERE one.concept = ? AND NOT EXISTS (SELECT 1 FROM fact WHERE fact.key = one.key)
GROUP BY other.concept ORDER BY shared DESC, other.concept LIMIT ?"""
WITHOUT = """
SELECT key, record FROM entry
WHERE live AND NOT EXISTS (SELECT 1 FROM about WHERE about.key = entry.key)
AND NOT EXISTS (SELECT 1 FROM encrypted
    WHERE encrypted.kind = entry.record AND encrypted.id = entry.id)
ORDER BY key DESC LIMIT ?"""


class ConceptRow(NamedTuple):
    """A concept as stored; ``owner`` is '' for shared ones. ``seen``: number of its entries."""

    n: int
    owner: str
    key: str
    name: str
    kind: ConceptKind
    seen: int = 0


def read(
    reader: Reader,
    owners: Collection[str] | None = None,
    kind: str | None = None,
    since: str | None = None,
    until: str | None = None,
    limit: int | None = None,
) -> list[ConceptRow]:
    """Concepts with the number of their entries, those with the most first: of these owners or of
    all; only those with an entry from ``since`` to before ``until``."""
    conditions: list[str] = []
    values: list[Any] = []
    if owners is not None:
        conditions.append(OF_OWNERS)
        values.append(_spelled(reader, owners))
    if kind is not None:
        conditions.append("c.kind = ?")
        values.append(kind)
    if since or until:
        seen = [WITH_ENTRY_WITHIN.format(kind=one.name) for one in numbered()]
        conditions.append(f"EXISTS ({' UNION ALL '.join(seen)})")
        values += [since or "", until or EVER] * len(seen)
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    values.append(EVERY if limit is None else limit)
    found = reader.fetch(f"{COUNTED} {where} {MOST_FIRST}", *values)
    return [ConceptRow(*row) for row in found]


def count(reader: Reader) -> int:
    """Number of concepts."""
    return int(reader.fetch("SELECT count(*) FROM concept")[0][0])


def numbers(
    reader: Reader, keys: Collection[str], owners: Collection[str] | None = None
) -> list[int]:
    """Numbers of the concepts with one of these keys, of these owners or of all."""
    if owners is None:
        found = reader.fetch(BY_KEY, keys)
    else:
        found = reader.fetch(BY_KEY_OF_OWNERS, keys, _spelled(reader, owners))
    return [row[0] for row in found]


def _spelled(reader: Reader, owners: Collection[str]) -> list[str]:
    """The owners under every spelling of their names."""
    return [name for owner in owners for name in reader.spellings.of(owner)]


def by_number(reader: Reader, numbers: Collection[int]) -> dict[int, ConceptRow]:
    """Concepts by number, without the count of their entries."""
    return {row[0]: ConceptRow(*row) for row in reader.fetch(BY_NUMBER, list(numbers))}


def entries(reader: Reader, numbers: Collection[int]) -> list[int]:
    """Keys of the entries of these concepts."""
    return [row[0] for row in reader.fetch(ENTRIES, numbers)]


def of_entries(reader: Reader, keys: Collection[int]) -> list[tuple[int, int]]:
    """(entry, concept) pairs of these entries."""
    return [(row[0], row[1]) for row in reader.fetch(OF_ENTRIES, list(keys))]


def last_seen(reader: Reader, numbers: Collection[int]) -> dict[int, str]:
    """Time of the newest entry of each of these concepts."""
    found: dict[int, str] = {}
    # one kind at a time: all entries would be read to join them
    queries = [(LAST_SEEN.format(kind=kind.name), numbers) for kind in numbered()]
    for rows in reader.fetch_each(*queries):
        for n, at in rows:
            found[n] = max(at or "", found.get(n, ""))
    return found


def together(reader: Reader, numbers: Sequence[int], limit: int) -> list[tuple[int, int, int]]:
    """(concept, other, number of common entries other than facts): for each of these concepts the
    ``limit`` others that share the most entries."""
    return [(n, row[0], row[1]) for n in numbers for row in reader.fetch(TOGETHER, n, limit)]


def missing(reader: Reader, limit: int) -> list[tuple[int, str]]:
    """(key, kind of record) of the newest searchable, unencrypted entries without concepts."""
    return [(row[0], row[1]) for row in reader.fetch(WITHOUT, limit)]


# -- writing ---------------------------------------------------------------------------------------


def put(
    writer: Writer, about: Mapping[int, tuple[str, Sequence[ConceptName]]], *, new: bool = False
) -> None:
    """Replaces the concepts of entries, given by key as an owner and concepts of that owner
    (``new``: they had none). Missing concepts are added; an existing one gets the more specific
    kind; those without entries are deleted when the unit of work ends."""
    if not new:
        writer.clear_concepts(list(about))
    by_owner: dict[str, dict[str, ConceptName]] = {}
    for owner, found in about.values():
        known = by_owner.setdefault(owner, {})
        for one in found:
            first = known.setdefault(one.key, one)
            if CONCEPT_KINDS.index(one.kind) < CONCEPT_KINDS.index(first.kind):
                known[one.key] = first._replace(kind=one.kind)
    numbers = {owner: _numbers(writer, owner, names) for owner, names in by_owner.items() if names}
    links = [
        (key, numbers[owner][concept])
        for key, (owner, found) in about.items()
        for concept in {one.key: None for one in found}
    ]
    writer.insert("about", ("key", "concept"), links)


def _numbers(writer: Writer, owner: str, concepts: Mapping[str, ConceptName]) -> dict[str, int]:
    """Numbers of an owner's concepts, by concept key."""
    numbers: dict[str, int] = {}
    raised: dict[str, list[int]] = {}
    for n, folded, kind in writer.fetch(OF_OWNER, owner, list(concepts)):
        numbers[folded] = n
        now = concepts[folded].kind
        if CONCEPT_KINDS.index(now) < CONCEPT_KINDS.index(kind):
            raised.setdefault(now, []).append(n)
    for kind, changed in raised.items():
        among = "n IN (SELECT value FROM json_each(?))"
        writer.update("concept", {"kind": kind}, among, changed)
    missing = [one for key, one in concepts.items() if key not in numbers]
    if missing:
        first = writer.take("concept", len(missing))
        rows = [(n, owner, *one) for n, one in enumerate(missing, first)]
        writer.insert("concept", ("n", "owner", "folded", "name", "kind"), rows)
        numbers |= {row[2]: row[0] for row in rows}
    return numbers


def touch(writer: Writer, keys: Collection[int]) -> None:
    """Queues entries whose concepts are recomputed at the end of the unit of work."""
    kinds = [kind.name for kind in numbered()]
    among = "WHERE key IN (SELECT value FROM json_each(?))"
    found = writer.fetch_each(*[(f"SELECT key FROM {kind} {among}", keys) for kind in kinds])
    for kind, rows in zip(kinds, found, strict=True):
        writer.note_changed(kind, [row[0] for row in rows])
