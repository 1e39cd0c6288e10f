"""What a reset of the memory erases, and where the same words stand besides."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.storage.protocol import Backups, Store


@dataclass
class ResetReport:
    """``counts``: the rows of each kind; ``copies``: files that hold what is erased, or may hold
    it, and are not erased; ``key_removed``: whether the keys of the store were removed; ``left``:
    what could not be done."""

    folder: Path
    counts: dict[str, int] = field(default_factory=dict)
    copies: list[Path] = field(default_factory=list)
    key_removed: bool = False
    left: list[str] = field(default_factory=list)


def inspect(store: Store, config: Config) -> ResetReport:
    """What is in a store, and the files besides: its backups, the stores that `store restore` kept,
    the history of the chat, the log, the cassette."""
    folder = config.store_dir
    kept = sorted(folder.glob("*.before-restore-*"))
    outside = [config.history_file]
    outside += [Path(name).expanduser() for name in (config.log_file, config.cassette) if name]
    copies = [*_backups(store), *kept, *outside]
    return ResetReport(folder, store.counts(), [path for path in copies if path.is_file()])


def _backups(store: Store | Backups) -> list[Path]:
    backups = getattr(store, "backups", None)
    return list(backups()) if backups is not None else []
