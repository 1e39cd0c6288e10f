"""Haystacks: temporary stores, filled the way ``thalamus store`` does it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.clock import Clock, parse_time
from thalamus.config import Elsewhere
from thalamus.errors import BadRecord, ModelFailed, RecordProblem
from thalamus.evaluation.parse import FIX
from thalamus.memory.draft import Storable as Stored
from thalamus.records import Turn

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.evaluation.protocol import Haystack

Labels = dict[str, list[str]]


def _in_folder(values: dict[str, Any], folder: str) -> Elsewhere:
    """Settings for a temporary store: its own key, and no encryption, since the indexes are
    measured."""
    own: dict[str, Any] = {
        "key_store": "file",
        "key_file": str(Path(folder, "key")),
        "encrypt_personal": False,
    }
    own["log_days"] = 0  # these turns are never inspected
    return Elsewhere.of(values | own, folder)


@contextmanager
def temporary(own: Thalamus, parent: Path | None, now: str | None = None) -> Iterator[Thalamus]:
    """An engine over an empty store inside ``parent``, removed at the end. It uses the settings and
    models of the user's ``own`` engine; models are loaded once for all haystacks.

    Its clock is fixed (at ``now`` or the present), so that ids, and with them the order among
    equals, are the same in every run.
    """
    clock = Clock(parse_time(now) if now else Clock.from_environment().now())
    values = structs.asdict(own.config)
    values |= {"tenant": "evaluation", "user": "", "agent": "", "session": "main"}
    with (
        tempfile.TemporaryDirectory(prefix="thalamus-eval-", dir=parent) as folder,
        own.sibling(config=_in_folder(values, folder), clock=clock) as engine,
    ):
        yield engine


def fill(thalamus: Thalamus, haystack: Haystack) -> Labels:
    """Stores the records of a haystack and returns the labels of each stored id.

    Records that the store merges (same words at the same time) share all their labels. Raises
    ``BadRecord`` for a record that cannot be stored, and ``ModelFailed`` if embeddings fail:
    otherwise full text alone would be measured in the name of both arms.
    """
    labels: Labels = {}
    size = thalamus.config.batch_size
    records = haystack.records or []
    for start in range(0, len(records), size):
        stored = _store_batch(thalamus, records[start : start + size], haystack.line, start)
        for record, names in zip(stored, haystack.labels[start : start + size], strict=True):
            labels.setdefault(getattr(record, "id", None) or "", []).extend(names)
    return labels


def _store_batch(
    thalamus: Thalamus, batch: Sequence[Stored], line: int, start: int
) -> list[Stored]:
    try:
        stored = thalamus.remember(batch)
    except RecordProblem as problem:
        field = f"records[{start + problem.index}].{problem.field}"
        raise BadRecord(line, f"`{field}`: {problem.problem}", field, fix=FIX) from None
    problems = [issue.message for turn in stored if isinstance(turn, Turn) for issue in turn.issues]
    if thalamus.unembedded is not None:
        problems.append(str(thalamus.unembedded))
    if problems:
        raise ModelFailed(thalamus.models.embedder(), problems[0])
    return stored
