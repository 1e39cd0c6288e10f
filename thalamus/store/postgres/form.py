"""The form of the tables compared with that which the migrations create: columns, constraints,
indexes, views and row level security.

The database's administrator may change it; ``schema.initialize`` restores whatever can be restored.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from thalamus.records.reports import Finding
from thalamus.store.postgres.definitions import names, shared_views, tables
from thalamus.store.tables import Connection, literal

POLICY_FOUND = "(tenant = current_setting('thalamus.tenant'::text, true))"  # in the catalog
SECURITY = "row level security"
# kinds that nobody else may add: they change rows, or the columns that are signed
_OURS_ALONE = ("column", "trigger", "rule")


class Part(NamedTuple):
    """A part of a table or a view. ``kind``: in words, such as index; ``name``: empty where a table
    has one of the kind."""

    table: str
    kind: str
    name: str = ""

    def __str__(self) -> str:
        if self.kind == "view":
            return f"the view {self.table}"
        name = f"the {self.kind} {self.name}" if self.name else self.kind
        return f"{name} of {self.table}"


class Checks(Struct, frozen=True):
    """Checks of the tables; the server keeps the files. See ``store.signing.verification``."""

    connection: Connection

    def findings(self) -> Iterator[Finding]:
        return findings(self.connection)


def findings(connection: Connection) -> Iterator[Finding]:
    """Parts that are missing, changed or foreign."""
    expected, found = _expected(), _found(connection)
    missing = _missing_tables(found)
    for table in missing:
        yield Finding(table=table, what="removed", detail="the table is missing")
    for part in sorted({*expected, *found}):
        if part.table in missing or expected.get(part) == found.get(part):
            continue
        if part not in found:
            state = "off or changed" if part.kind == SECURITY else "missing"
            yield Finding(table=part.table, what="removed", detail=f"{part} is {state}")
        elif part in expected:
            detail = f"{part} is {found[part]}, not {expected[part]}"
            yield Finding(table=part.table, what="edited", detail=detail)
        elif part.kind in _OURS_ALONE:
            yield Finding(table=part.table, what="inserted", detail=f"{part} is foreign")


def lost(connection: Connection) -> str:
    """A table or column that is missing, or has another type, in words; empty without one."""
    expected, found = _expected(), _found(connection)
    for table in _missing_tables(found):
        return f"the table {table} is missing"
    for part, type in expected.items():
        if part.kind == "column" and found.get(part) != type:
            return f"{part} is {found.get(part, 'missing')}, and must be {type}"
    return ""


def _missing_tables(found: dict[Part, str]) -> list[str]:
    """Tables that are missing."""
    present = {part.table for part in found}
    return [table for table in names() if table not in present]


def repairs(connection: Connection) -> Iterator[tuple[Part, str]]:
    """Parts that are missing or useless and can be restored, with the statement that does it; none
    for row level security."""
    expected, found, known = _expected(), _found(connection), tables()
    views = shared_views()
    for part, state in expected.items():
        if found.get(part) == state:
            continue
        if part.kind == "index":
            again = "" if part not in found else f'DROP INDEX "{part.name}"; '
            yield part, f"{again}{known[part.table].indexes[part.name]}"
        elif part.kind == "view":
            yield part, views[part.table].replace("CREATE VIEW", "CREATE OR REPLACE VIEW", 1)
        elif part.kind == "constraint":
            yield part, f'ALTER TABLE "{part.table}" ADD {part.name}'
        elif part.kind == SECURITY:
            yield part, ""


def _expected() -> dict[Part, str]:
    """Every part, with its state."""
    parts = {Part(view, "view"): "read with the rights of its user" for view in shared_views()}
    for name, table in tables().items():
        parts[Part(name, SECURITY)] = "on"
        parts |= {Part(name, "column", column): type for column, type in table.columns.items()}
        parts |= {Part(name, "constraint", text): "valid" for text in table.constraints}
        parts |= {Part(name, "index", index): "valid" for index in table.indexes}
    return parts


def _found(connection: Connection) -> dict[Part, str]:
    listed = ", ".join(map(literal, names()))
    views = ", ".join(map(literal, shared_views()))
    ours = (
        "SELECT oid, relname::text AS name FROM pg_class"
        " WHERE relnamespace = current_schema()::regnamespace AND relkind"
    )
    query = f"""WITH ours AS ({ours} IN ('r', 'p') AND relname IN ({listed}))
        SELECT ours.name, 'column', attname::text,
            concat_ws(' COLLATE ', format_type(atttypid, NULL),
                quote_ident(nullif(collname, 'default')))
        FROM ours JOIN pg_attribute ON attrelid = ours.oid AND attnum > 0 AND NOT attisdropped
        LEFT JOIN pg_collation AS c ON c.oid = attcollation
        UNION ALL
        SELECT ours.name, 'constraint', pg_get_constraintdef(c.oid), 'valid'
        FROM ours JOIN pg_constraint AS c ON conrelid = ours.oid AND contype IN ('p', 'u')
        UNION ALL
        SELECT ours.name, 'index', relname::text,
            CASE WHEN indisvalid THEN 'valid' ELSE 'invalid' END
        FROM ours JOIN pg_index ON indrelid = ours.oid JOIN pg_class AS i ON i.oid = indexrelid
        UNION ALL
        SELECT name, 'view', '', CASE WHEN 'security_invoker=true' = ANY(reloptions)
            THEN 'read with the rights of its user' ELSE 'read with the rights of its owner' END
        FROM ({ours} = 'v' AND relname IN ({views})) AS v JOIN pg_class USING (oid)
        UNION ALL
        SELECT ours.name, 'trigger', tgname::text, '' FROM ours
        JOIN pg_trigger ON tgrelid = ours.oid AND NOT tgisinternal
        UNION ALL
        SELECT ours.name, 'rule', rulename::text, '' FROM ours
        JOIN pg_rewrite ON ev_class = ours.oid
        UNION ALL
        SELECT ours.name, {literal(SECURITY)}, '', 'on' FROM ours JOIN pg_class USING (oid)
        WHERE relrowsecurity AND relforcerowsecurity
        AND (SELECT count(*) = 1 AND bool_and(polname = 'tenant' AND polcmd = '*'
            AND polwithcheck IS NULL AND polroles = '{{0}}'
            AND pg_get_expr(polqual, polrelid) = {literal(POLICY_FOUND)})
            FROM pg_policy WHERE polrelid = ours.oid AND polpermissive)"""
    rows = connection.execute(query).fetchall()
    return {Part(row[0], row[1], row[2]): row[3] for row in rows}
