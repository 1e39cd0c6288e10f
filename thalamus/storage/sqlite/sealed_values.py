"""What the object of a fact is compared by when it is sealed.

The column ``value`` of a fact holds its object in one case, for facts that say the same are found
by it. Of a sealed fact it holds a keyed digest of that, under the key of the fact's subject: the
same for equal objects of an owner, and nothing to who has no key, or when the key was shredded.
Subjects may be merged and predicates renamed, so neither is part of it. Facts sealed under several
keys, and the same object where it is not sealed, are compared by opening them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.policy.entities import fold

if TYPE_CHECKING:
    from thalamus.records import Fact
    from thalamus.storage.sqlite.sealed import Boxes

PREFIX = "sealed:"
_DIGEST = re.compile(PREFIX + "[0-9a-f]{32}")


def value_of(fact: Fact, boxes: Boxes | None) -> str:
    """The value of a fact that is about to be written."""
    subject = boxes.subject(fact) if boxes else None
    plain = fold(fact.object)
    if boxes is None or subject is None:
        return plain
    return digest(boxes.of_subject(subject)[1], fact.user, plain)


def digest(key: bytes, owner: str | None, plain: str) -> str:
    """The value of a sealed object, already in one case."""
    from thalamus.storage.sqlite.signing import canonical, derive, mac

    return PREFIX + mac(derive(key, "values"), canonical([owner, plain]))[:16].hex()


def is_digest(value: str) -> bool:
    return _DIGEST.fullmatch(value) is not None


def plain(db: sqlite3.Connection, boxes: Boxes | None, id: str, value: str) -> str:
    """The value of the fact ``id`` as it is compared: opened, or as it stands where it cannot be
    opened."""
    if boxes is None or not is_digest(value):
        return value
    found = boxes.content("fact", id)
    return value if found is None else fold(found["object"])


def alike(
    db: sqlite3.Connection,
    boxes: Boxes | None,
    owner: str | None,
    entity: str,
    predicates: Sequence[str],
    value: str,
) -> list[str]:
    """The values under which facts of this group may have the object of ``value``."""
    if boxes is None:
        return [value]
    group = (
        f"fact.user IS ? AND fact.entity = ? AND fact.predicate IN"
        f" ({','.join('?' * len(predicates))})"
    )
    given = (owner, entity, *predicates)
    if is_digest(value):
        query = f"SELECT id FROM fact WHERE {group} AND value = ? LIMIT 1"
        row = db.execute(query, (*given, value)).fetchone()
        said = plain(db, boxes, row[0], value) if row else value
    else:
        said = value
    query = (
        "SELECT DISTINCT sealed.subject FROM fact JOIN sealed ON sealed.kind = 'fact'"
        f" AND sealed.id = fact.id WHERE {group} AND value >= 'sealed:' AND value < 'sealed;'"
    )
    keys = [boxes.key_of(row[0]) for row in db.execute(query, given).fetchall()]
    return [*dict.fromkeys([value, said, *(digest(key[1], owner, said) for key in keys if key)])]
