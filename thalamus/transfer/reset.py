"""Inspection before a reset of the memory: what is erased, and where copies remain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.store.base import Store


class ResetReport(Struct):
    """``place``: of the store, in words; ``counts``: rows of each kind; ``copies``: files that
    contain or may contain erased content and are not erased; ``key_removed``: the store's keys were
    removed; ``left``: steps that failed; ``limits``: what cannot be erased, in words."""

    place: str
    counts: dict[str, int] = field(default_factory=dict)
    copies: list[Path] = field(default_factory=list)
    key_removed: bool = False
    left: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)


def inspect(store: Store, config: Config) -> ResetReport:
    """Content of a store, and files outside it: backups, stores kept by `store restore`, the chat
    history, the log, the cassette."""
    kept = sorted(config.store_dir.glob("*.before-restore-*"))
    outside = [config.history_file]
    outside += [Path(name).expanduser() for name in (config.log_file, config.cassette) if name]
    backups = store.backups()
    copies = [path for path in (*backups, *kept, *outside) if path.is_file()]
    return ResetReport(store.place, store.counts(), copies)
