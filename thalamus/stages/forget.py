"""forget: finds what goes, shows why, deletes it for good and looks whether anything is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from thalamus.policy.forget import Chain, Going, Wanted
from thalamus.stages import facts

if TYPE_CHECKING:
    from thalamus.storage.forgettable import Forgetful, Forgotten


def chain(store: Forgetful, wanted: Wanted) -> Going:
    """Everything that goes when this is forgotten, with what is cut out of what stays."""
    found = Chain(wanted, store.all_links())
    while found.round(store.pieces()):
        pass
    return found.ledger(store.event_pieces())


def delete(
    store: Forgetful, wanted: Wanted, going: Going, mark: tuple[int, ...], now: str
) -> tuple[Going, Forgotten]:
    """Deletes in one transaction; judges again in it when somebody wrote after ``mark``. What the
    facts that go had ended holds again."""
    with store.forgetting() as (forget, writer):
        if store.mark() != mark:
            going = chain(store, wanted)
        forgotten = forget(going, list(wanted.names))
        facts.follow(forgotten.changes, writer, now)
        return going, forgotten


def erase(store: Forgetful, progress: Callable[[str], None]) -> list[str]:
    """Erases from files what was deleted; what is left to do."""
    left = store.erase(progress)
    if not left:
        store.finished()
    return left
