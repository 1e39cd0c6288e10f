"""The island of a turn: what is near it in memory, as far as an insight may rest on it.

A turn, what was made of it, its evidence, what is linked with those, and what else has the rarest
words that it has. How rare a word is shows in the store itself. What was said on other days comes
first: a connection between days is what nobody sees who only remembers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.policy.entities import USER
from thalamus.policy.evidence_text import own_words
from thalamus.policy.follow_up import own_words as bearing_words
from thalamus.policy.insights import SourceText
from thalamus.policy.prompt_budget import VERBATIM, estimate_tokens
from thalamus.policy.speaker import speaker, without_speaker
from thalamus.storage.protocol import Filter
from thalamus.text.days import MONTHS, WEEKDAYS
from thalamus.text.excerpts import excerpt
from thalamus.text.local_time import local_day
from thalamus.text.names import names
from thalamus.text.questions import without_questions
from thalamus.text.statements import share_said
from thalamus.text.tokens import content_words, has_unspaced, share_found, words

if TYPE_CHECKING:
    from thalamus.records import EvidenceKind, Turn
    from thalamus.storage.protocol import IndexedRow, Store

BUDGET = 400  # tokens of the items together
MOST_ITEMS = 4
MOST_WORDS = 2  # that an island is about
MOST_LINKED = 40  # that are looked at on each side of a link
RARE = 20  # records that have a word at most, where that is to connect them
SHORT = 3  # letters of a word from which on it may connect them
LONGEST = 400  # characters of an item
DEPTH = 2  # links from the turn
A_DAY = 2  # items of one day, but for the turn's own
LEAST_WORDS = 2  # content words of an item
HEADING = 12  # tokens of number, day and name
SAME = 0.9  # share of its words that another item has, which it then repeats
KINDS: tuple[EvidenceKind, ...] = ("turn", "memory", "fact")
# memories that a model or a rule put together out of others: what they rest on counts
_MADE_UP = frozenset("exchange summary session_summary document_summary".split())
_DAYS = frozenset(day.casefold() for day in (*MONTHS, *WEEKDAYS))
_RELATIONS = ("derived_from", "evidence_of", "about", "supersedes", "merged_into")


@dataclass(frozen=True)
class Island:
    """What the model reads: numbered texts, and the words that they have in common (``about``); of
    each by its id how far it is trusted; ``made``: by the id of a text, the memories and facts that
    were made of the same words."""

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
    found = store.entries(Filter(ids=(turn.id or "",)), 1)
    if not found or len(content_words(_stated(found[0]))) < LEAST_WORDS:
        return empty
    own = found[0]
    where = Filter(user=turn.user, agent=turn.agent, kinds=KINDS, now=now)
    about, connected = _connected(own, store, where, zone)
    if not connected:
        return empty
    # of what is linked, what has nothing in common with the rest is no island but noise: the name
    # of the user stands next to everything
    linked = _linked(own, store, where)
    near = [entry for entry in linked if any(_has(entry, word) for word in about)]
    chosen = _chosen(own, [*connected, *near], about, zone, budget)
    entries = store.entries(Filter(ids=tuple(item.id for item in chosen)), len(chosen))
    trust = {entry.id: entry.trust for entry in entries}
    chosen.sort(key=lambda item: (item.day, item.id != own.id, item.id))
    items = [replace(item, number=number) for number, item in enumerate(chosen, start=1)]
    return Island(items, about, trust, _made_of(items, store))


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
    links = store.links
    found = {*links.targets(ids, *_RELATIONS), *links.sources(ids, *_RELATIONS)}
    return sorted(found)


def _connected(
    own: IndexedRow, store: Store, where: Filter, zone: tzinfo
) -> tuple[list[str], list[IndexedRow]]:
    """What was said on another day and has two rare words of the turn, or a rare name, those first
    that have most; before it the rarest of these words, of equally rare ones the longest."""
    day, text = local_day(own.created_at, zone), _stated(own)
    entries: dict[str, IndexedRow] = {}
    shared: dict[str, list[str]] = {}
    hits: dict[str, int] = {}
    for word, found in _with_rare_words(own, store, where):
        hits[word] = len(found)
        for entry in found:
            if local_day(entry.created_at, zone) != day and _has(entry, word):
                entries[entry.id] = entry
                shared.setdefault(entry.id, []).append(word)
    named = {word for name in names(text) for word in words(name)}
    close = {id: common for id, common in shared.items() if len(common) > 1 or named & set(common)}
    order = sorted(close, key=lambda id: (-len(close[id]), entries[id].key))
    about = {word for common in close.values() for word in common}
    rarest = sorted(about, key=lambda word: (hits[word], -len(word), word))[:MOST_WORDS]
    return rarest, list(_few_of_a_day([entries[id] for id in order], zone))


def _with_rare_words(
    own: IndexedRow, store: Store, where: Filter
) -> Iterator[tuple[str, list[IndexedRow]]]:
    """The words of a turn that few entries have, with these."""
    for word in bearing_words(_stated(own)):
        if not _may_connect(word) or word == _speaker(own):
            continue
        found = store.search_text([word], where, RARE + 1)
        if 1 < len(found) <= RARE:
            yield word, [hit.entry for hit in found]


def _may_connect(word: str) -> bool:
    """Whether a word is no number or day, and long enough to say something; one of a script without
    spaces always is."""
    long = len(word) >= SHORT or has_unspaced(word)
    return long and not word.isdigit() and word not in _DAYS


def _few_of_a_day(entries: Iterable[IndexedRow], zone: tzinfo) -> Iterator[IndexedRow]:
    """The entries, at most ``A_DAY`` of a day."""
    days: Counter[str] = Counter()
    for entry in entries:
        day = local_day(entry.created_at, zone)
        days[day] += 1
        if days[day] <= A_DAY:
            yield entry


def _has(entry: IndexedRow, word: str) -> bool:
    """Whether an entry states something with a form of a word."""
    return share_found([word], words(_stated(entry))) == 1


def _chosen(
    own: IndexedRow, found: Iterable[IndexedRow], about: Sequence[str], zone: tzinfo, budget: int
) -> list[SourceText]:
    """The turn and what finds room next to it: what states something, and nothing twice."""
    chosen = [_item(own, zone, about)]
    left = budget - estimate_tokens(chosen[0].text)
    for entry in found:
        if entry.type in _MADE_UP or entry.kind not in KINDS:
            continue
        item = _item(entry, zone, about)
        if len(content_words(item.text)) < LEAST_WORDS:
            continue
        if any(_repeats(item, other) for other in chosen):
            continue
        cost = estimate_tokens(item.text) + HEADING
        if cost <= left and len(chosen) < MOST_ITEMS:
            chosen.append(item)
            left -= cost
    return chosen


def _repeats(item: SourceText, other: SourceText) -> bool:
    """Whether an item is another one, was made of its words, or says what that says."""
    if item.origin == other.origin:
        return True
    return share_said(item.text, other.text) >= SAME


def _item(entry: IndexedRow, zone: tzinfo, about: Sequence[str]) -> SourceText:
    """An entry as a source: at most ``LONGEST`` characters around the words that it is about."""
    return SourceText(
        number=0,
        id=entry.id,
        text=excerpt(_stated(entry), about, LONGEST),
        speaker=_speaker(entry),
        origin=origin_of(entry),
        day=local_day(entry.created_at, zone),
    )


def _stated(entry: IndexedRow) -> str:
    """What an entry states, without who says it."""
    text = own_words(entry)
    return without_questions(text if entry.kind == "fact" else without_speaker(text))


def _speaker(entry: IndexedRow) -> str:
    """Who says what an entry states; empty where it is told in the third person."""
    who = speaker(own_words(entry)) if entry.kind != "fact" else None
    own = entry.kind == "turn" or entry.metadata.get(VERBATIM)
    return who or (USER if own else "")


def origin_of(entry: IndexedRow) -> str:
    """What was said at once with an entry: its turn, else itself."""
    source = entry.provenance
    return source.turn if source is not None and source.turn else entry.id


def _made_of(chosen: Sequence[SourceText], store: Store) -> dict[str, Sequence[IndexedRow]]:
    """By the id of an item, the memories and facts that were made of it."""
    links = store.links.incoming([item.id for item in chosen], "derived_from")
    of = {link.source: link.target for link in links}
    entries = store.entries(Filter(ids=tuple(of), kinds=("memory", "fact")), len(of)) if of else []
    made: dict[str, list[IndexedRow]] = {}
    for entry in entries:
        made.setdefault(of[entry.id], []).append(entry)
    return dict(made)
