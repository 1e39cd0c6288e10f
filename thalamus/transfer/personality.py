"""Export of an assistant's personality for another store: identity and manner, insights, and its
best exchanges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.policy.sensitivity import personal
from thalamus.records import Insight, Memory, Record, Turn
from thalamus.records.golden import Personality
from thalamus.records.json_line import to_line
from thalamus.store import insights
from thalamus.store import memories as memory_rows
from thalamus.store.encrypted import is_hidden
from thalamus.store.encryption import contents
from thalamus.transfer.chains import Chain, Chains
from thalamus.version import VERSION

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.transfer.export import Selection

TYPES = ("assistant_identity", "persona")  # memories about the assistant's identity and manner


def personality_lines(
    store: Store, at: str, dialogues: int, include_personal: bool, selection: Selection
) -> Iterator[bytes]:
    """The records as JSON lines after a header."""
    memories = [
        m for m in _persona(store, selection) if include_personal or not _is_personal(store, m)
    ]
    insights = [
        i for i in _insights(store, selection) if include_personal or not _is_personal(store, i)
    ]
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
    """Current memories about the assistant, oldest first."""
    found = memory_rows.all_active(store, TYPES)
    return [m for m in found if not is_hidden(m) and selection.takes(m)]


def _insights(store: Store, selection: Selection) -> list[Insight]:
    """Active insights, the strongest first."""
    found = insights.strongest(store)
    return [insight for insight in found if not is_hidden(insight) and selection.takes(insight)]


def _best(chains: Chains, count: int) -> list[Turn]:
    """The exchanges that used most evidence, in their original order."""
    found = [*chains.each()] if count else []
    best = sorted(found, key=_quality, reverse=True)[:count]
    chosen = {chain.turn.id for chain in best}
    return [_without_results(chain.turn) for chain in found if chain.turn.id in chosen]


def _quality(chain: Chain) -> tuple[int, int, float]:
    """Sort key of an exchange: evidence used, turns without correction, and the best score of the
    evidence used."""
    used = [item.score for item in chain.row.recall_result if item.used]
    return len(used), chain.row.outcome.followed, max(used, default=0.0)


def _without_results(turn: Turn) -> Turn:
    """A turn as another store imports it, without results of pipelines."""
    return structs.replace(turn, metadata={**turn.metadata, "distilled": True})


def _is_personal(store: Store, record: Memory | Insight) -> bool:
    return bool(contents.ids(store, [record.stored_id]) or personal(record.content))
