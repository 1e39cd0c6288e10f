"""Sources related to a turn, as material for insights.

Only what the user said and what still holds counts: no words of others that a message shows, no
questions, nothing that was replaced or is over. The turn, its memories and facts, its evidence,
their linked records, and other entries that share the turn's rarest words. The store itself shows
how rare a word is. Entries of other days come first, because people rarely notice connections
between days.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from msgspec import Struct, structs
from msgspec.structs import replace

from thalamus.memory.recall.staleness import stale_reasons
from thalamus.policy.entities import USER
from thalamus.policy.evidence_text import without_answer
from thalamus.policy.insights import SourceText
from thalamus.policy.prompt_budget import VERBATIM, estimate_tokens
from thalamus.policy.speakers import said_by_agent
from thalamus.policy.utterances import speaker, without_label
from thalamus.store import links as link_rows
from thalamus.store.values import Filter
from thalamus.text.analyzer import WORD, fold, has_unspaced, normal, words
from thalamus.text.days import MONTHS, WEEKDAYS
from thalamus.text.excerpts import excerpt
from thalamus.text.local_time import local_day
from thalamus.text.names import names
from thalamus.text.questions import without_questions
from thalamus.text.statements import share_said
from thalamus.text.tokens import content_words, share_found
from thalamus.text.tokens import own_words as connecting_words
from thalamus.text.voices import own_words

if TYPE_CHECKING:
    from thalamus.records import EvidenceKind, Turn
    from thalamus.store.base import Store
    from thalamus.store.values import IndexedRow

BUDGET = 400  # tokens of the items together
MOST_ITEMS = 4
MOST_WORDS = 2  # shared words that connect the sources
MOST_LINKED = 40  # links read on each side
RARE = 20  # entries with a word, above which it is too common to connect them
SEARCHED = 40  # hits of a word, of which some only have a part of it
SHORT = 3  # letters of a word, below which it connects nothing
LONGEST = 400  # characters of an item
DEPTH = 2  # links from the turn
A_DAY = 2  # items of one day, apart from the turn's own
LEAST_WORDS = 2  # content words of an item
HEADING = 12  # tokens of number, day and name
SAME = 0.9  # share of an item's words in another that makes it a repetition
KINDS: tuple[EvidenceKind, ...] = ("turn", "memory", "fact")
# memories derived from others by a model or a rule: their sources count instead
_MADE_UP = frozenset("summary session_summary task_summary document_summary".split())
_DAYS = frozenset(day.casefold() for day in (*MONTHS, *WEEKDAYS))
_RELATIONS = ("derived_from", "evidence_of", "about", "supersedes", "merged_into")


class RelatedSources(Struct, frozen=True):
    """Input for the model: numbered texts, and the words that they share (``about``); ``trust`` of
    each by its id; ``derived``: the memories and facts made from each text, by its id."""

    items: Sequence[SourceText]
    about: Sequence[str]
    trust: dict[str, float]
    derived: dict[str, Sequence[IndexedRow]]

    def __bool__(self) -> bool:
        """True when there is something to connect: items of two origins."""
        return len({item.origin for item in self.items}) > 1


def related_sources(
    turn: Turn, store: Store, zone: tzinfo, now: str, budget: int = BUDGET
) -> RelatedSources:
    """Sources related to a stored turn; empty when no rare word connects it with another day.
    Raises ``StoreDamaged``, ``StoreBusy``."""
    empty = RelatedSources([], [], {}, {})
    found = store.entries(Filter(ids=(turn.stored_id,)), 1)
    if not found or len(content_words(_stated(found[0]))) < LEAST_WORDS:
        return empty
    own = found[0]
    where = Filter(user=turn.user, agent=turn.agent, kinds=KINDS, now=now)
    about, connected = _connected(own, store, where, zone)
    if not connected:
        return empty
    # linked records that share nothing with the rest are noise: the name of the user, for
    # one, is linked with everything
    linked = _linked(own, store, where)
    sharing = [entry for entry in linked if any(_has(entry, word) for word in about)]
    found = [*connected, *sharing]
    stale = stale_reasons(store, found, now, zone)
    current = (entry for entry in found if entry.key not in stale)
    chosen = _chosen(own, current, about, zone, budget)
    entries = store.entries(Filter(ids=tuple(item.id for item in chosen)), len(chosen))
    trust = {entry.id: entry.trust for entry in entries}
    chosen.sort(key=lambda item: (item.day, item.id != own.id, item.id))
    items = [replace(item, number=number) for number, item in enumerate(chosen, start=1)]
    return RelatedSources(items, _as_written(about, own), trust, _derived_from(items, store))


def _linked(own: IndexedRow, store: Store, where: Filter) -> list[IndexedRow]:
    """Records at most ``DEPTH`` links away, the nearest first."""
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
    """Other ends of the links of some records."""
    targets = link_rows.targets(store, ids, *_RELATIONS)
    return sorted({*targets, *link_rows.sources(store, ids, *_RELATIONS)})


def _connected(
    own: IndexedRow, store: Store, where: Filter, zone: tzinfo
) -> tuple[list[str], list[IndexedRow]]:
    """Entries of other days with two rare words of the turn, or a rare name, those with the most
    first; and the rarest of these words, the longest first among equals."""
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
    """Words of a turn that few entries have, with these entries."""
    for word in connecting_words(_stated(own)):
        if not _may_connect(word) or word == fold(_speaker(own)):
            continue
        hits = store.search_text([word], where, SEARCHED)
        found = [hit.entry for hit in hits if _has(hit.entry, word)]
        if 1 < len(found) <= RARE:
            yield word, found


def _may_connect(word: str) -> bool:
    """True for a word that is not a number or date and is long enough to be specific; always true
    in a script without spaces."""
    long = len(word) >= SHORT or has_unspaced(word)
    return long and not word.isdigit() and word not in _DAYS


def _few_of_a_day(entries: Iterable[IndexedRow], zone: tzinfo) -> Iterator[IndexedRow]:
    """The entries, at most ``A_DAY`` for each day."""
    days: Counter[str] = Counter()
    for entry in entries:
        day = local_day(entry.created_at, zone)
        days[day] += 1
        if days[day] <= A_DAY:
            yield entry


def _as_written(found: Sequence[str], entry: IndexedRow) -> list[str]:
    """Folded words of a statement in lower case as it has them."""
    written = WORD.findall(normal(_stated(entry)))
    spelled = {folded: word for word in reversed(written) for folded in words(word)}
    return [spelled[word] if not has_unspaced(word) else word for word in found]


def _has(entry: IndexedRow, word: str) -> bool:
    """True when a form of the word is in the statement of an entry."""
    return share_found([word], words(_stated(entry))) == 1


def _chosen(
    own: IndexedRow, found: Iterable[IndexedRow], about: Sequence[str], zone: tzinfo, budget: int
) -> list[SourceText]:
    """The turn and the items that fit next to it: statements only, without repetitions."""
    chosen = [_item(own, zone, about)]
    left = budget - estimate_tokens(chosen[0].text)
    for entry in found:
        if entry.type in _MADE_UP or entry.kind not in KINDS or said_by_agent(entry):
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
    """True when an item is the other one, was made from its words, or repeats its statement."""
    if item.origin == other.origin:
        return True
    return share_said(item.text, other.text) >= SAME


def _item(entry: IndexedRow, zone: tzinfo, about: Sequence[str]) -> SourceText:
    """An entry as a source text: at most ``LONGEST`` characters around the shared words."""
    return SourceText(
        number=0,
        id=entry.id,
        text=excerpt(_stated(entry), about, LONGEST),
        speaker=_speaker(entry),
        origin=origin_of(entry),
        day=local_day(entry.created_at, zone),
    )


def _stated(entry: IndexedRow) -> str:
    """The statement of an entry, without its speaker."""
    text = without_answer(entry)
    if _speaker(entry) not in ("", USER):
        text = without_label(text)
    return without_questions(own_words(text) if entry.kind == "turn" else text)


def _speaker(entry: IndexedRow) -> str:
    """The speaker of an entry, in lower case; empty for statements in the third person."""
    statement = without_answer(entry)
    if entry.kind != "fact" and speaker(statement) is not None:
        return statement.split(maxsplit=1)[0].rstrip(":").casefold()  # with its accents
    return USER if entry.kind == "turn" or entry.metadata.get(VERBATIM) else ""


def origin_of(entry: IndexedRow) -> str:
    """The turn of an entry, else the entry itself."""
    source = entry.provenance
    return source.turn if source is not None and source.turn else entry.id


def _derived_from(chosen: Sequence[SourceText], store: Store) -> dict[str, Sequence[IndexedRow]]:
    """Memories and facts made from each item, by its id."""
    links = link_rows.incoming(store, [item.id for item in chosen], "derived_from")
    of = {link.source: link.target for link in links}
    entries = store.entries(Filter(ids=tuple(of), kinds=("memory", "fact")), len(of)) if of else []
    derived: dict[str, list[IndexedRow]] = {}
    for entry in entries:
        derived.setdefault(of[entry.id], []).append(entry)
    return dict(derived)
