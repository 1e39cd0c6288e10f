"""A store whose file is empty or gone, though something else says that there was one.

SQLite takes an empty file for a new database. What was remembered would seem never to have been,
and the next write would sign the empty store in the place of the lost one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.errors import BadKey, StoreDamaged
from thalamus.storage.sqlite.database import FILE, LOCK, empty, exclusive

if TYPE_CHECKING:
    from thalamus.storage.sqlite.sealing import Keys

_FIX = (
    "Bring back a copy with `thalamus restore BACKUP`; nothing is written in its place. If it was"
    " removed on purpose, `thalamus key adopt` begins a new one."
)


def check_not_lost(folder: Path, keys: Keys | None) -> None:
    """Raises ``StoreDamaged`` when a store was in this folder and its file is empty or gone."""
    if (witness := witness_of(folder, keys)) is not None:
        path = folder / FILE
        what = "the file is empty" if path.exists() else "the file is gone"
        raise StoreDamaged(path, f"{what}, and {witness}", fix=_FIX)


def witness_of(folder: Path, keys: Keys | None) -> str | None:
    """What says that there was a store where now there is none; None when there is one, or it is
    a new place."""
    path = folder / FILE
    with _while_nobody_makes_it(folder):
        if not empty(path):
            return None
        log = path.with_name(f"{FILE}-wal")
        if log.is_file() and log.stat().st_size:
            return f"its log {log.name} is there"
        if any((folder / "index").glob("*/manifest")):
            return "its search index is there"
        with suppress(BadKey):
            if keys is not None and _signed(folder, keys):
                return "its key has signed a store there"
    return None


@contextmanager
def _while_nobody_makes_it(folder: Path) -> Iterator[None]:
    """Another process may be making the first tables just now."""
    with ExitStack() as stack:
        if (folder / LOCK).is_file():
            with suppress(OSError):  # a folder that cannot be written
                stack.enter_context(exclusive(folder / LOCK))
        yield


def _signed(folder: Path, keys: Keys) -> bool:
    """Whether the key remembers a store in this folder. Where an empty file or our lock is left,
    also one of which it does not know where it is now: folders are moved."""
    places = keys.places()
    if str(folder.resolve()) in places:
        return True
    left = (folder / FILE).exists() or (folder / LOCK).exists()
    return left and any(not place or empty(Path(place) / FILE) for place in places)
