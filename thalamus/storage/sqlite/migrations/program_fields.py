"""What the program itself notes of a row, in columns of its own: ``metadata`` is the user's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.storage.sqlite.migrations.initial import (
    ENTRY_COLUMNS,
    FACT_ENTRY,
    MEMORY_ENTRY,
    TURN_ENTRY,
)

if TYPE_CHECKING:
    from sqlite_utils.db import Database


def _said(name: str, kind: str = "text") -> str:
    """SQL: a value of ``metadata``; NULL when it is of another kind, or nested too deep for
    SQLite."""
    return (
        f"CASE WHEN json_valid(metadata) THEN CASE WHEN json_type(metadata, '$.{name}') = '{kind}'"
        f" THEN json_extract(metadata, '$.{name}') END END"
    )


_COLUMNS = (
    "ALTER TABLE memory ADD COLUMN quarantine TEXT",
    "ALTER TABLE memory ADD COLUMN suspicious TEXT",
    "ALTER TABLE memory ADD COLUMN released INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE turn ADD COLUMN interrupted TEXT",
    "ALTER TABLE turn ADD COLUMN ref TEXT",
)
# Copied, and left where it was: the rows' signatures cover ``metadata``, and what nobody reads any
# more does no harm there. A key that could also be the user's own is only taken with something
# beside it that the user does not write.
_COPIES = (
    f"""UPDATE memory SET quarantine = json_object('reason', {_said("quarantine.reason")},
        'rule', {_said("quarantine.rule")})
        WHERE status = 'quarantined' AND {_said("quarantine.reason")} IS NOT NULL
        AND {_said("quarantine.rule")} IS NOT NULL""",
    f"""UPDATE memory SET suspicious = {_said("suspicious")}
        WHERE type IN ('document_chunk', 'document_summary') AND provenance IS NOT NULL""",
    f"UPDATE turn SET interrupted = {_said('interrupted')}",
    f"UPDATE turn SET ref = {_said('ref')} WHERE {_said('source')} IN ('chatgpt', 'claude')",
    # that a person released it is known from the ledger
    """UPDATE memory SET released = 1 WHERE status = 'active' AND id IN
        (SELECT json_extract(decision.value, '$.id') FROM event,
         json_each(event.data, '$.decisions') AS decision
         WHERE event.name = 'decided' AND json_valid(event.data)
         AND json_extract(decision.value, '$.rule') = 'released')""",
)
_VIEWS = ("entry", "memory_entry", "fact_entry", "turn_entry")
_MEMORY_ENTRY = MEMORY_ENTRY.replace(
    "type LIKE 'document%'", "type IN ('document', 'document_chunk', 'document_summary')"
).replace("AS live", "AS live, suspicious")
_FACT_ENTRY = FACT_ENTRY.replace("retired_at IS NULL", "retired_at IS NULL, NULL")
_TURN_ENTRY = TURN_ENTRY.replace("NULL, 1\n", "NULL, 1, NULL\n")
_NAMES = f"{ENTRY_COLUMNS}, suspicious"
_VIEWS_NOW = (
    f"CREATE VIEW memory_entry AS {_MEMORY_ENTRY}",
    f"CREATE VIEW fact_entry ({_NAMES}) AS {_FACT_ENTRY}",
    f"CREATE VIEW turn_entry ({_NAMES}) AS {_TURN_ENTRY}",
    f"CREATE VIEW entry AS {_MEMORY_ENTRY} UNION ALL {_FACT_ENTRY} UNION ALL {_TURN_ENTRY}",
)


def m_program_fields(db: Database) -> None:
    """Why a memory is in quarantine, whether a person released it, which piece of a document reads
    like an instruction, in which stage a turn was interrupted and which message it was made of.

    With it, what is a document is told by whole types: one called ``documentation`` is none.
    """
    for name in _VIEWS:
        db.execute(f"DROP VIEW {name}")
    for statement in (*_COLUMNS, *_COPIES, *_VIEWS_NOW):
        db.execute(statement)
