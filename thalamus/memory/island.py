"""The island of a turn: what is near it in memory, as far as an insight may rest on it.

A turn, what was made of it, its evidence, what is linked with those, and what else speaks of the
rarest things that it speaks of. What was said on other days comes first: a connection between days
is what nobody sees who only remembers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.policy.entities import USER
from thalamus.policy.evidence_text import own_words
from thalamus.policy.follow_up import says_nothing
from thalamus.policy.insights import SourceText, is_telling, names_thing, person_key, stem
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.speaker import speaker
from thalamus.storage.protocol import Filter
from thalamus.text.local_time import local_day
from thalamus.text.tokens import content_words, share_found

if TYPE_CHECKING:
    from thalamus.records import EvidenceKind, Turn
    from thalamus.storage.protocol import IndexedRow, Store

BUDGET = 400  # tokens of the items together
MOST_ITEMS = 4
MOST_CONCEPTS = 2  # that an island is about
MOST_LINKED = 40  # that are looked at on each side of a link
RARE = 25  # records that speak of a thing at most, where that is to connect them
LONGEST = 400  # characters of an item
DEPTH = 2  # links from the turn
A_DAY = 2  # items of one day, but for the turn's own
LEAST_WORDS = 2  # content words of what an item states
HEADING = 12  # tokens of number, day and name
SAME = 0.9  # share of its words that another item has, which it then repeats
KINDS: tuple[EvidenceKind, ...] = ("turn", "memory", "fact")
# memories that a model or a rule put together out of others: what they rest on counts
_MADE_UP = frozenset("exchange summary session_summary document_summary".split())
_RELATIONS = ("derived_from", "evidence_of", "about", "supersedes", "merged_into")


@dataclass(frozen=True)
class Island:
    """What the model reads: numbered texts, and what they have in common (``about``); of each by
    its id how far it is trusted; ``made``: by the id of a text, the memories and facts that were
    made of the same words."""

    items: Sequence[SourceText]
    about: Sequence[str]
    trust: dict[str, float]
    made: dict[str, Sequence[IndexedRow]]

    def __bool__(self) -> bool:
        """Whether there is anything to connect: items of two origins."""
        return len({item.origin for item in self.items}) > 1


def island_of(turn: Turn, store: Store, zone: tzinfo, now: str, budget: int = BUDGET) -> Island:
    """The island of a stored turn; an empty one where nothing rare connects it with another day.
    Raises ``StoreDamaged``, ``StoreBusy``."""
    empty = Island([], [], {}, {})
    own = store.entries(Filter(ids=(turn.id or "",)), 1)
    if not own or says_nothing(turn.message):
        return empty
    said = _item(own[0], 1, zone)
    if len(content_words(said.stated)) < LEAST_WORDS:
        return empty
    where = Filter(user=turn.user, agent=turn.agent, kinds=KINDS, now=now)
    shared = _shared(said, store, where, zone)
    if not shared:
        return empty
    # of what is linked, what has nothing in common with the rest is no island but noise: the name
    # of the user stands next to everything
    linked = _linked(own[0], store, where)
    near = [entry for entry in linked if any(_states(entry, word) for word in shared)]
    found = [*_by_concept(shared), *near]
    chosen = _chosen(said, found, zone, budget)
    entries = store.entries(Filter(ids=tuple(item.id for item in chosen)), len(chosen))
    trust = {entry.id: entry.trust for entry in entries}
    chosen.sort(key=lambda item: (item.day, item.id != said.id, item.id))
    items = [replace(item, number=number) for number, item in enumerate(chosen, start=1)]
    return Island(items, list(shared), trust, _made_of(items, store))


def _linked(own: IndexedRow, store: Store, where: Filter) -> list[IndexedRow]:
    """What is at most ``DEPTH`` links away, the nearest first."""
    seen, ring, found = {own.id}, [own.id], []
    for _ in range(DEPTH):
        ring = [id for id in _neighbours(ring, store) if id not in seen][:MOST_LINKED]
        seen.update(ring)
        found += ring
    if not found:
        return []
    entries = store.entries(structs.replace(where, ids=tuple(found)), len(found))
    return sorted(entries, key=lambda entry: (found.index(entry.id), entry.key))


def _neighbours(ids: Sequence[str], store: Store) -> list[str]:
    """The other ends of the links of some records."""
    out = {"source": tuple(ids), "relation": _RELATIONS}
    back = {"target": tuple(ids), "relation": _RELATIONS}
    found = [row[0] for row in store.select("link", ("target",), out)]
    found += [row[0] for row in store.select("link", ("source",), back)]
    return sorted(set(found))


def _shared(
    own: SourceText, store: Store, where: Filter, zone: tzinfo
) -> dict[str, list[IndexedRow]]:
    """The rarest things that the turn speaks of and something said on another day too, each with
    that: the nearest in the index first, at most ``A_DAY`` of a day."""
    found: list[tuple[int, str, list[IndexedRow]]] = []
    for word in dict.fromkeys(content_words(own.stated)):
        if not (is_telling(word) and names_thing(word, own.text)) or word == own.speaker:
            continue
        hits = store.search_text([word], where, RARE + 1)
        if not 1 < len(hits) <= RARE:
            continue
        days: Counter[str] = Counter()
        others = []
        for entry in (hit.entry for hit in hits):
            day = local_day(entry.created_at, zone)
            if day != own.day and days[day] < A_DAY and _states(entry, word):
                days[day] += 1
                others.append(entry)
        if others:
            found.append((len(hits), word, others))
    found.sort(key=lambda one: (one[0], one[1]))
    return {word: others for _, word, others in found[:MOST_CONCEPTS]}


def _by_concept(shared: dict[str, list[IndexedRow]]) -> Iterator[IndexedRow]:
    """The entries of all concepts in turns: those that share several come first."""
    count = Counter(entry.id for entries in shared.values() for entry in entries)
    entries = {entry.id: entry for found in shared.values() for entry in found}
    yield from sorted(entries.values(), key=lambda entry: (-count[entry.id], entry.key))


def _states(entry: IndexedRow, word: str) -> bool:
    """Whether an entry states something with a word, of somebody."""
    return any(said.who and said.has(word) for said in _item(entry, 0, UTC).said)


def _chosen(
    own: SourceText, found: Iterable[IndexedRow], zone: tzinfo, budget: int
) -> list[SourceText]:
    """The turn and what finds room next to it: what states something, and nothing twice."""
    chosen = [own]
    left = budget - estimate_tokens(chosen[0].stated)
    for entry in found:
        if entry.type in _MADE_UP or entry.kind not in KINDS:
            continue
        item = _item(entry, 0, zone)
        if len(content_words(item.stated)) < LEAST_WORDS or any(
            _repeats(item, other) for other in chosen
        ):
            continue
        cost = estimate_tokens(item.stated) + HEADING
        if cost <= left and len(chosen) < MOST_ITEMS:
            chosen.append(item)
            left -= cost
    return chosen


def _repeats(item: SourceText, other: SourceText) -> bool:
    """Whether an item is another one, was made of its words, or says what that says."""
    if item.origin == other.origin:
        return True
    mine = [stem(word) for word in content_words(item.stated) if word != USER]
    return share_found(mine, [stem(word) for word in content_words(other.stated)]) >= SAME


def _item(entry: IndexedRow, number: int, zone: tzinfo) -> SourceText:
    text = " ".join(own_words(entry).split())
    who = speaker(text) if entry.kind != "fact" else None
    return SourceText(
        number=number,
        id=entry.id,
        text=(text.split(":", 1)[1].strip() if who else text)[:LONGEST],
        speaker=person_key(who) if who else USER if entry.kind == "turn" else "",
        origin=origin_of(entry),
        day=local_day(entry.created_at, zone),
    )


def origin_of(entry: IndexedRow) -> str:
    """What was said at once with an entry: its turn, else itself."""
    source = entry.provenance
    return source.turn if source is not None and source.turn else entry.id


def _made_of(chosen: Sequence[SourceText], store: Store) -> dict[str, Sequence[IndexedRow]]:
    """By the id of an item, the memories and facts that were made of it."""
    where = {"target": tuple(item.id for item in chosen), "relation": "derived_from"}
    rows = [(row[0], row[1]) for row in store.select("link", ("source", "target"), where)]
    of = dict(rows)
    entries = store.entries(Filter(ids=tuple(of), kinds=("memory", "fact")), len(of)) if of else []
    made: dict[str, list[IndexedRow]] = {}
    for entry in entries:
        made.setdefault(of[entry.id], []).append(entry)
    return dict(made)
