"""The table ``stage_log``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import StageLog

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

OF_TURN = "SELECT * FROM stage_log WHERE turn = ? ORDER BY key"
OF_STAGE = "SELECT * FROM stage_log WHERE turn = ? AND stage = ? ORDER BY key"
OLDER = "SELECT id FROM stage_log WHERE at < ? LIMIT ?"
COUNT_OLDER = "SELECT count(*) FROM stage_log WHERE at < ?"


def of_turn(reader: Reader, turn: str) -> list[StageLog]:
    """Logs of a turn, in the order of writing, of what the reader's owner reaches."""
    found = reader.read(StageLog, OF_TURN, turn)
    return [log for log in found if reader.owner.reaches(log)]


def of_stage(reader: Reader, turn: str | None, stage: str) -> list[StageLog]:
    """Logs of one stage of a turn, in the order of writing."""
    return reader.read(StageLog, OF_STAGE, turn, stage)


def older(reader: Reader, before: str, limit: int) -> list[str]:
    """Ids of logs from before a time, of ``limit`` at most."""
    return [row[0] for row in reader.fetch(OLDER, before, limit)]


def count_older(reader: Reader, before: str) -> int:
    """Number of logs from before a time."""
    return int(reader.fetch(COUNT_OLDER, before)[0][0])
