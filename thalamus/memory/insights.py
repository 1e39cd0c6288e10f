"""Insights: finding them, what they rest on, and what becomes of them when that ends."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from thalamus.clock import make_id, parse_time
from thalamus.errors import NothingFound, UsageError
from thalamus.policy.entities import fold
from thalamus.records import Fact, Insight, Link, Memory
from thalamus.records.kinds import identified
from thalamus.storage.protocol import is_hidden
from thalamus.text.tokens import words

if TYPE_CHECKING:
    from thalamus.storage.protocol import Reader, Store, Vector, Writer

AT_ONCE = 400  # ids in one condition
# of these one that says the same again is not written: one that lost its support may come back
_KNOWN = ("active", "archived", "quarantined", "rejected")


def insights(
    reader: Reader,
    user: str | None,
    *,
    status: str | None = "active",
    topic: str | None = None,
    least: float = 0.0,
) -> list[Insight]:
    """The insights of a user and of nobody in particular, the strongest first; of one ``status`` or
    (None) of any, about a ``topic``, and at least so strong. Those that cannot be read here are
    left out."""
    where = {"status": status} if status else {}
    found = [
        one
        for one in reader.find(Insight, where, order=("key",))
        if (user is None or one.user in (None, user)) and not is_hidden(one)
    ]
    if topic is not None:
        found = [one for one in found if is_about(one, topic)]
    return sorted((one for one in found if one.strength >= least), key=_by_strength)


def _by_strength(insight: Insight) -> tuple[float, int, str]:
    return -insight.strength, -insight.level, insight.id or ""


def is_about(insight: Insight, topic: str) -> bool:
    """Whether an insight has a concept of this name, or with its words in it."""
    wanted = words(fold(topic))
    return any(
        fold(name) == fold(topic) or set(wanted) <= set(words(fold(name)))
        for name in insight.concepts
    )


def find_insight(store: Store, prefix: str) -> Insight:
    """The insight with this id, or the only one whose id begins like this. Raises
    ``NothingFound``, ``UsageError``."""
    exact = store.find(Insight, {"id": prefix})
    if exact:
        return exact[0]
    ids = [id for id in store.complete_id(prefix) if store.find(Insight, {"id": id})]
    if not ids:
        fix = "`thalamus insights list --status all` lists all of them."
        raise NothingFound(f"the insight {prefix!r}", fix=fix)
    if len(ids) > 1:
        raise UsageError(f"Ambiguous insight id {prefix!r}: {', '.join(ids)}.")
    return store.find(Insight, {"id": ids[0]})[0]


def known_like(writer: Reader, insight: Insight) -> Insight | None:
    """An insight of the same owner that says the same, unless it has lost its support."""
    from thalamus.policy.insights import same_conclusion  # a search does without it

    own = {"status": _KNOWN, "user": insight.user, "level": insight.level}
    for other in writer.find(Insight, own, order=("key",)):
        same_sources = set(insight.sources) == set(other.sources)
        if not is_hidden(other) and same_conclusion(
            insight.content, other.content, same_sources=same_sources
        ):
            return other
    return None


def insight_id(writer: Writer, insight: Insight, target: str, at: str) -> str:
    """The id of what was concluded from a ``target`` of this time: the same text gives the same id.
    Nobody can confirm a guess at a personal text by it."""
    plain = hashlib.blake2b(f"{target}\x1f{insight.content}".encode(), digest_size=16).digest()
    return make_id("ins", parse_time(at), writer.hash(insight, plain))


def add_insight(insight: Insight, vector: Vector | None, writer: Writer) -> None:
    """Writes an insight, linked with what it rests on; for the gate only."""
    writer.add(insight, vector if insight.status == "active" else None)
    for source in insight.sources:
        writer.add(Link(source=insight.id or "", relation="derived_from", target=source))


def sources_of_insights(reader: Reader, ids: Sequence[str]) -> dict[str, set[str]]:
    """Of each of these insights the ids of what it rests on."""
    found: dict[str, set[str]] = {id: set() for id in ids}
    for link in reader.links.outgoing(ids, "derived_from"):
        found[link.source].add(link.target)
    return found


def missing(reader: Reader, ids: Sequence[str]) -> set[str]:
    """Those of these ids that are in the store no more."""
    left = set(ids)
    for kind in identified():
        if left:
            left -= {*reader.records(kind.record).ids({"id": tuple(left)})}
    return left


# -- support ---------------------------------------------------------------------------------------


def mark_unsupported(writer: Writer, ids: Iterable[str]) -> list[str]:
    """Notes of those of these ids that are active insights that what they rest on has ended; which
    those were."""
    found = _of_status(writer, ids, "active")
    if found:
        writer.records(Insight).update({"id": found}, status="unsupported")
    return found


def restore_supported(writer: Writer, ids: Iterable[str]) -> list[str]:
    """Makes those of these ids active again that are insights of which all holds again that they
    rest on; which those were."""
    lost = _of_status(writer, ids, "unsupported")
    found = writer.find(Insight, {"id": lost}) if lost else []
    held = [one.id or "" for one in found if is_supported(writer, one)]
    if held:
        writer.records(Insight).update({"id": held}, status="active")
    return held


def check_support(writer: Writer, ids: Iterable[str]) -> None:
    """Takes those of these ids out of the active insights that lost their support meanwhile."""
    active = _of_status(writer, ids, "active")
    found = writer.find(Insight, {"id": active}) if active else []
    mark_unsupported(writer, [one.id or "" for one in found if not is_supported(writer, one)])


def rest_on(reader: Reader, ids: Iterable[str]) -> list[str]:
    """The ids of the insights that were concluded from one of these."""
    found: dict[str, None] = {}
    for part in _parts(ids):
        for some in _parts(reader.links.sources(part, "derived_from")):
            found |= dict.fromkeys(reader.records(Insight).ids({"id": some}))
    return list(found)


def is_supported(reader: Reader, insight: Insight) -> bool:
    """Whether everything is there and holds that an insight rests on."""
    ids = tuple(insight.sources)
    if missing(reader, ids):
        return False
    memories = reader.find(Memory, {"id": ids})
    facts = reader.find(Fact, {"id": ids})
    others = reader.find(Insight, {"id": ids})
    return (
        all(memory.status == "active" for memory in memories)
        and all(fact.retired_at is None and fact.valid_to is None for fact in facts)
        and all(other.status in ("active", "archived") for other in others)
    )


def _of_status(reader: Reader, ids: Iterable[str], status: str) -> list[str]:
    """Those of these ids that are insights of a status."""
    insights = reader.records(Insight)
    found = (insights.ids({"id": part, "status": status}) for part in _parts(ids))
    return [id for some in found for id in some]


def _parts(ids: Iterable[str]) -> Iterable[tuple[str, ...]]:
    """The ids, some hundred at a time."""
    all_ids = tuple(ids)
    return (all_ids[start : start + AT_ONCE] for start in range(0, len(all_ids), AT_ONCE))
