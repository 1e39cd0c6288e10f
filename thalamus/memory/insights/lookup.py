"""Insights: lookup, their support, and their status when the support ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from thalamus.clock import make_id, parse_time
from thalamus.errors import NothingFound, UsageError
from thalamus.memory.resolve_id import reachable
from thalamus.records import Fact, Insight, Link, Memory
from thalamus.records.kinds import identified
from thalamus.store import insights as insight_rows
from thalamus.store import links, records
from thalamus.store.encrypted import is_hidden
from thalamus.text.analyzer import fold, words

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader
    from thalamus.store.values import Vector
    from thalamus.store.writer import Writer

# an insight that repeats one of these is not written; one that lost its support may return
_KNOWN = ("active", "archived", "quarantined", "rejected")


def insights(
    reader: Reader,
    user: str | None,
    *,
    status: str | None = "active",
    topic: str | None = None,
    least: float = 0.0,
) -> list[Insight]:
    """Insights of a user and shared ones, the strongest first; of one ``status`` or (None) any,
    about a ``topic``, and with at least this strength. Unreadable ones are left out."""
    if status is None:
        stored = list(reader.each(Insight))
    else:
        stored = records.with_status(reader, Insight, status)
    found = [
        one for one in stored if (user is None or one.user in (None, user)) and not is_hidden(one)
    ]
    if topic is not None:
        found = [one for one in found if is_about(one, topic)]
    return sorted((one for one in found if one.strength >= least), key=_by_strength)


def _by_strength(insight: Insight) -> tuple[float, int, str]:
    return -insight.strength, -insight.level, insight.stored_id


def is_about(insight: Insight, topic: str) -> bool:
    """True when an insight has a concept of this name, or one that contains its words."""
    topic_words = words(fold(topic))
    return any(
        fold(name) == fold(topic) or set(topic_words) <= set(words(fold(name)))
        for name in insight.concepts
    )


def find_insight(store: Store, prefix: str) -> Insight:
    """The insight with this id or unique id prefix. Raises ``NothingFound``, ``UsageError``."""
    exact = reachable(store, prefix)
    if isinstance(exact, Insight):
        return exact
    found = [(id, reachable(store, id)) for id in store.complete_id(prefix)]
    ids = [id for id, record in found if isinstance(record, Insight)]
    if not ids:
        fix = "`thalamus insights list --status all` lists all of them."
        raise NothingFound(f"the insight {prefix!r}", fix=fix)
    if len(ids) > 1:
        raise UsageError(f"Ambiguous insight id {prefix!r}: {', '.join(ids)}.")
    return store.by_ids(Insight, ids)[0]


def known_like(writer: Reader, insight: Insight) -> Insight | None:
    """An insight of the same owner with the same conclusion, unless that lost its support."""
    from thalamus.policy.insights import same_conclusion  # not needed by searches

    for other in insight_rows.like(writer, _KNOWN, insight.user, insight.level):
        same_sources = set(insight.sources) == set(other.sources)
        if not is_hidden(other) and same_conclusion(
            insight.content, other.content, same_sources=same_sources
        ):
            return other
    return None


def insight_id(writer: Writer, insight: Insight, target: str, at: str) -> str:
    """Id of an insight concluded from a ``target`` of this time: the same text gives the same id.
    It cannot be used to confirm a guess at a personal text."""
    from hashlib import blake2b  # loads OpenSSL

    plain = blake2b(f"{target}\x1f{insight.content}".encode(), digest_size=16).digest()
    return make_id("ins", parse_time(at), writer.hash(insight, plain))


def add_insight(insight: Insight, vector: Vector | None, writer: Writer) -> None:
    """Writes an insight with links to its support; only for the gate."""
    writer.add(insight, vector if insight.status == "active" else None)
    for source in insight.sources:
        writer.add(Link(source=insight.stored_id, relation="derived_from", target=source))


def sources_of_insights(reader: Reader, ids: Sequence[str]) -> dict[str, set[str]]:
    """Ids of the support of each of these insights."""
    found: dict[str, set[str]] = {id: set() for id in ids}
    for link in links.outgoing(reader, ids, "derived_from"):
        found[link.source].add(link.target)
    return found


def missing(reader: Reader, ids: Sequence[str]) -> set[str]:
    """Ids among these that are no longer in the store."""
    left = set(ids)
    for kind in identified():
        left.difference_update(reader.existing(kind.record, left))
    return left


# -- support ---------------------------------------------------------------------------------------


def mark_unsupported(writer: Writer, ids: Iterable[str]) -> list[str]:
    """Marks active insights among these ids as unsupported; returns their ids."""
    found = insight_rows.with_status(writer, [*ids], "active")
    if found:
        writer.change(Insight, found, status="unsupported")
    return found


def restore_supported(writer: Writer, ids: Iterable[str]) -> list[str]:
    """Reactivates insights among these ids whose whole support holds again; returns their ids."""
    lost = insight_rows.with_status(writer, [*ids], "unsupported")
    found = writer.by_ids(Insight, lost)
    supported = [one.stored_id for one in found if is_supported(writer, one)]
    if supported:
        writer.change(Insight, supported, status="active")
    return supported


def check_support(writer: Writer, ids: Iterable[str]) -> None:
    """Marks those of these ids as unsupported whose support ended meanwhile."""
    active = insight_rows.with_status(writer, [*ids], "active")
    found = writer.by_ids(Insight, active)
    mark_unsupported(writer, [one.stored_id for one in found if not is_supported(writer, one)])


def rest_on(reader: Reader, ids: Iterable[str]) -> list[str]:
    """Ids of the insights concluded from any of these."""
    return reader.existing(Insight, {*links.sources(reader, [*ids], "derived_from")})


def is_supported(reader: Reader, insight: Insight) -> bool:
    """True when the whole support of an insight exists and holds."""
    ids = tuple(insight.sources)
    if missing(reader, ids):
        return False
    memories = reader.by_ids(Memory, ids)
    facts = reader.by_ids(Fact, ids)
    support = reader.by_ids(Insight, ids)
    return (
        all(memory.status == "active" for memory in memories)
        and all(fact.retired_at is None and fact.valid_to is None for fact in facts)
        and all(other.status in ("active", "archived") for other in support)
    )
