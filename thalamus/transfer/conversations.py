"""Import of conversations exported by other services, as turns with their own dates and
sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.clock import make_id, parse_time
from thalamus.errors import DocumentError
from thalamus.memory.write import write_records
from thalamus.records import Turn

if TYPE_CHECKING:
    from thalamus.context import Context


@dataclass
class ImportedConversations:
    """Result of an import: sessions, turns added, turns that were already stored."""

    sessions: set[str] = field(default_factory=set)
    added: int = 0
    there: int = 0
    problem: str = ""  # reason why embeddings failed, if they did


def import_conversations(
    source: str,
    path: Path,
    context: Context,
    on_problem: Callable[[str], None],
    on_progress: Callable[[int], None] = lambda count: None,
) -> ImportedConversations:
    """Stores the turns of an export of ``chatgpt`` or ``claude``; repeating it adds nothing.

    Raises ``DocumentError`` if the file is not such an export (turns before the error stay stored),
    ``StoreBusy`` and ``StoreFull``.
    """
    result = ImportedConversations()
    batch: list[Turn] = []
    try:
        for turn in _turns(source, path, on_problem):
            batch.append(turn)
            if len(batch) == context.config.batch_size:
                ready, batch = batch, []
                _store(ready, context, result)
                on_progress(len(ready))
    except DocumentError:
        _store(batch, context, result)
        raise
    _store(batch, context, result)
    return result


def _store(batch: list[Turn], context: Context, result: ImportedConversations) -> None:
    store = context.create_store()
    result.sessions |= {turn.session or "" for turn in batch}
    # checked before embedding, which costs more
    news = [turn for turn in batch if store.get(turn.id or "") is None]
    result.there += len(batch) - len(news)
    for stored in write_records(news, context):
        assert isinstance(stored, Turn)
        known = any(verdict.rule == "same_id" for verdict in stored.stored)
        result.there += known
        result.added += not known
        for issue in stored.issues:
            result.problem = issue.message


def _turns(source: str, path: Path, on_problem: Callable[[str], None]) -> Iterator[Turn]:
    from thalamus.readers import chatgpt, claude

    reader = {"chatgpt": chatgpt, "claude": claude}[source]
    session, position = "", 0
    for turn in reader.read_export(path, on_problem):
        position = position + 1 if turn.session == session else 0
        session = turn.session or ""
        yield structs.replace(turn, id=_stable_id(source, turn, position))


def _stable_id(source: str, turn: Turn, position: int) -> str:
    """An id that is always the same for the same message, so that it is stored once."""
    moment = parse_time(turn.created_at) if turn.created_at else datetime.fromtimestamp(0, UTC)
    ref = turn.ref or f"{position}\x1f{turn.message}"
    return make_id("turn", moment, b"", source, turn.session, ref)
