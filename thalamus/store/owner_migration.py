"""Owners of rows from before each row had one: of documents, ledger entries, batches and exported
files, derived from the rows that they consist of or name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.records.ownership import DEFAULT_USER, Owner, common_owner, names_in
from thalamus.store.tables import AT_ONCE, literal

if TYPE_CHECKING:
    from thalamus.store.schema import Executor

# tables with an id and an owner, and their agent in SQL
_OWNED = dict.fromkeys(
    ("turn", "memory", "fact", "document", "project", "insight", "discovery_source"), "agent"
)
_OWNED |= dict.fromkeys(("plan", "session_title", "world_change"), "NULL")
_BATCHES = ("memory", "fact", "insight")  # records of batch items
_PARTS = "part_of"  # relation of chunks to their document

Named = tuple[str, Any, list[str]]  # tenant, key of a row, and the ids that it names
Owners = dict[tuple[str, str], tuple[str | None, str | None]]  # by tenant and id


def derive_owners(db: Executor) -> None:
    """Sets the owners of all rows that have the columns since this migration."""
    _of_documents(db)
    _of_entries_about_turns(db)
    _set(db, "event", "seq", _of_names(db, _entries(db), _sessions(db)))
    _set(db, "batch", "id", _of_batches(db))
    _set(db, "exported_file", "id", _of_names(db, _exported_files(db), {}))


def _same(db: Executor, one: str, other: str) -> str:
    """SQL condition that two rows are of the same tenant."""
    return f" AND {one}.tenant = {other}.tenant" if db.tenants else ""


def _tenant(db: Executor, alias: str = "") -> str:
    """SQL expression for the tenant of a row."""
    column = f"{alias}.tenant" if alias else "tenant"
    return column if db.tenants else "''"


def _of_documents(db: Executor) -> None:
    """Owners of documents: of their chunks, if these have the same."""
    table = "document"
    alike = "count(DISTINCT coalesce({0}, '')) = 1 THEN max({0})"
    user, agent = (alike.format(f"m.{name}") for name in ('"user"', "agent"))
    part = f"l.relation = {literal(_PARTS)}{_same(db, 'l', table)}"
    db.execute(
        f"""UPDATE {table} SET ("user", agent) = (
            SELECT CASE WHEN {user} ELSE {literal(DEFAULT_USER)} END, CASE WHEN {agent} END
            FROM link AS l JOIN memory AS m ON m.id = l.source{_same(db, "m", "l")}
            WHERE l.target = {table}.id AND {part})"""
    )


def _of_entries_about_turns(db: Executor) -> None:
    """Owners of the ledger entries about turns that are stored."""
    table = "event"
    turn = f"FROM turn AS t WHERE t.id = {table}.turn{_same(db, 't', table)}"
    db.execute(
        f"""UPDATE {table} SET ("user", agent) = (SELECT t."user", t.agent {turn})
            WHERE turn IS NOT NULL AND EXISTS (SELECT 1 {turn})"""
    )
    db.execute(
        f"""UPDATE {table} SET "user" = {literal(DEFAULT_USER)}
            WHERE turn IS NOT NULL AND NOT EXISTS (SELECT 1 {turn})"""
    )


def _entries(db: Executor) -> Iterator[tuple[Named, str | None]]:
    """Other ledger entries, and their sessions."""
    query = f"SELECT {_tenant(db)}, seq, session, data FROM event WHERE turn IS NULL ORDER BY seq"
    for tenant, seq, session, data in db.execute(query).fetchall():
        yield (tenant, seq, names_in(msgspec.json.decode(data))), session


def _sessions(db: Executor) -> dict[tuple[str, str], Owner]:
    """Owner of the turns of each session."""
    found = defaultdict(list)
    query = (
        f'SELECT DISTINCT {_tenant(db)}, session, "user", agent FROM turn WHERE session IS NOT NULL'
    )
    for tenant, session, user, agent in db.execute(query).fetchall():
        found[tenant, session].append((user, agent))
    return {key: common_owner(owners) for key, owners in found.items()}


def _exported_files(db: Executor) -> Iterator[tuple[Named, str | None]]:
    query = f"SELECT {_tenant(db)}, id, holds FROM exported_file"
    for tenant, id, holds in db.execute(query).fetchall():
        yield (tenant, id, names_in(msgspec.json.decode(holds))), None


def _of_batches(db: Executor) -> Iterator[tuple[str, Any, Owner]]:
    """Owners of batches: of the records that they changed, created or retired."""
    parts = [
        f'SELECT {_tenant(db, "r")}, i.batch, r."user", r.agent FROM batch_item AS i'
        f" JOIN {table} AS r ON r.id = i.id{_same(db, 'r', 'i')}"
        for table in _BATCHES
    ]
    parts += [
        f'SELECT {_tenant(db)}, batch, "user", {agent} FROM {table} WHERE batch IS NOT NULL'
        for table, agent in (("memory", "agent"), ("insight", "agent"), ("world_change", "NULL"))
    ]
    found = defaultdict(list)
    for tenant, batch, user, agent in db.execute(" UNION ".join(parts)).fetchall():
        found[tenant, batch].append((user, agent))
    for tenant, id in db.execute(f"SELECT {_tenant(db)}, id FROM batch").fetchall():
        yield tenant, id, common_owner(found.get((tenant, id), []))


def _of_names(
    db: Executor,
    rows: Iterable[tuple[Named, str | None]],
    sessions: dict[tuple[str, str], Owner],
) -> Iterator[tuple[str, Any, Owner]]:
    """Owners of rows that name others: of these, or else of their session."""
    found = list(rows)
    known = _owners(db, {name for (_, _, names), _ in found for name in names})
    for (tenant, key, names), session in found:
        owners = [known[tenant, name] for name in names if (tenant, name) in known]
        if owners or session is None:
            yield tenant, key, common_owner(owners)
        else:
            yield tenant, key, sessions.get((tenant, session), Owner(DEFAULT_USER))


def _owners(db: Executor, ids: set[str]) -> Owners:
    """Owners of records with these ids."""
    found: Owners = {}
    wanted = sorted(ids)
    for start in range(0, len(wanted), AT_ONCE):
        among = ", ".join(map(literal, wanted[start : start + AT_ONCE]))
        for table, agent in _OWNED.items():
            query = f'SELECT {_tenant(db)}, id, "user", {agent} FROM {table} WHERE id IN ({among})'
            for tenant, id, user, agent_ in db.execute(query).fetchall():
                found[tenant, id] = user, agent_
    return found


def _set(db: Executor, table: str, key: str, rows: Iterable[tuple[str, Any, Owner]]) -> None:
    """Sets owners; those that all share need not be set."""
    groups = defaultdict(list)
    for tenant, value, owner in rows:
        if owner != Owner():
            groups[tenant, owner].append(literal(value) if isinstance(value, str) else str(value))
    for (tenant, owner), values in groups.items():
        of = f" AND tenant = {literal(tenant)}" if db.tenants else ""
        names = {'"user"': owner.user, "agent": owner.agent}
        fields = ", ".join(
            f"{column} = {literal(name)}" for column, name in names.items() if name is not None
        )
        for start in range(0, len(values), AT_ONCE):
            among = ", ".join(values[start : start + AT_ONCE])
            db.execute(f"UPDATE {table} SET {fields} WHERE {key} IN ({among}){of}")
