"""The personality of an assistant, as records for another store: who it is and how it speaks, what
it concluded, and exchanges that show it at its best."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.memory.personal import encrypted_ids
from thalamus.policy.sensitivity import personal
from thalamus.records import Insight, Memory, Personality, Record, Turn
from thalamus.records.json_line import to_line
from thalamus.storage.protocol import is_hidden
from thalamus.transfer.chains import Chain, Chains
from thalamus.version import VERSION

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store
    from thalamus.transfer.export import Selection

TYPES = ("assistant_identity", "persona")  # memories of who the assistant is and how it speaks


def personality_lines(
    store: Store, at: str, dialogues: int, include_personal: bool, selection: Selection
) -> Iterator[bytes]:
    """The records as JSON lines; the first one says what they are."""
    memories = [m for m in _persona(store, selection) if include_personal or not _secret(store, m)]
    insights = [i for i in _insights(store, selection) if include_personal or not _secret(store, i)]
    turns = _best(Chains(store, selection, include_personal), dialogues)
    yield to_line(
        Personality(
            at=at,
            version=VERSION,
            memories=len(memories),
            insights=len(insights),
            dialogues=len(turns),
        )
    )
    records: list[Record] = [*memories, *insights, *turns]
    yield from map(to_line, records)


def _persona(store: Store, selection: Selection) -> list[Memory]:
    """What holds at present of the assistant, oldest first."""
    where = {"type": TYPES, "status": "active"}
    found = store.find(Memory, where, order=("key",))
    return [m for m in found if not is_hidden(m) and selection.takes(m)]


def _insights(store: Store, selection: Selection) -> list[Insight]:
    """The active insights, the strongest first."""
    found = store.find(Insight, {"status": "active"}, order=("-strength", "key"))
    return [insight for insight in found if not is_hidden(insight) and selection.takes(insight)]


def _best(chains: Chains, count: int) -> list[Turn]:
    """The exchanges that rest on most of what was recalled, in the order in which they were
    said."""
    found = [*chains.each()] if count else []
    best = sorted(found, key=_worth, reverse=True)[:count]
    chosen = {chain.turn.id for chain in best}
    return [_distilled(chain.turn) for chain in found if chain.turn.id in chosen]


def _worth(chain: Chain) -> tuple[int, int, float]:
    """How much of its evidence an exchange used, how long it stood, and how well the best of that
    evidence fits the message."""
    used = [item.score for item in chain.row.recall_result if item.used]
    return len(used), chain.row.outcome.followed, max(used, default=0.0)


def _distilled(turn: Turn) -> Turn:
    """A turn as a store takes it over: without what pipelines made of it."""
    return structs.replace(turn, metadata={**turn.metadata, "distilled": True})


def _secret(store: Store, record: Memory | Insight) -> bool:
    return bool(encrypted_ids(store, [record.id or ""]) or personal(record.content))
