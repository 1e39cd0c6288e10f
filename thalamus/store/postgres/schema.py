"""The tables in a PostgreSQL database, which all tenants share: its owner creates and migrates
them.

They are the tables of ``store.schema`` with a column ``tenant``, which leads every primary
key, unique constraint and index. Row level security keeps a statement that does not name the tenant
from reaching the rows of another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from psycopg import errors, sql

from thalamus.errors import (
    NoTables,
    OldTables,
    StoreDamaged,
    StoreMigrated,
    StoreTooNew,
    StoreUnreachable,
    Tampered,
    UnsafeRole,
    UnsafeTables,
    UsageError,
)
from thalamus.store import migrations
from thalamus.store.maintenance import Initialization
from thalamus.store.postgres import form
from thalamus.store.postgres.definitions import OWN, POLICY, names, shared, shared_views, unique
from thalamus.store.postgres.failures import RIGHTS_ADVICE, check_versions, first_line, translated
from thalamus.store.postgres.pool import connect
from thalamus.store.tables import COUNTERS, literal

if TYPE_CHECKING:
    from thalamus.store_url import StoreUrl

# values of which at least one changes with every write
CHANGING = frozenset((*COUNTERS.values(), "signed_head"))
RIGHTS = "SELECT, INSERT, UPDATE, DELETE"  # of the role that the store is used with
# servers that have a right to VACUUM, with which `forget` cleans pages; elsewhere it is the owner's
MAINTAIN = 170_000
BUSY_TIMEOUT = 30.0  # seconds to wait for locks
_LOCK = 0x7468616C  # advisory lock for creating the tables
EXTENSION_ADVICE = "A superuser runs `CREATE EXTENSION vector` in the database once."
ROLE_ADVICE = (
    "Run it as a role with CREATEROLE, or make the role with `CREATE ROLE {} LOGIN` first."
)

# -- versions -------------------------------------------------------------------------------------


class Version(NamedTuple):
    """Number of migrations that were applied: of all databases, and of this one alone."""

    shared: int = 0
    own: int = 0

    def __str__(self) -> str:
        return f"{self.shared}.{self.own}"


def current() -> Version:
    """The version that this Thalamus uses."""
    return Version(len(migrations.MIGRATIONS), len(OWN))


def _read_version(comment: str | None) -> Version:
    """Version of the tables in a schema with this comment."""
    found = re.fullmatch(r"Thalamus (\d+)\.(\d+)", comment or "")
    return Version(int(found[1]), int(found[2])) if found else Version()


VERSION = "obj_description(current_schema()::regnamespace, 'pg_namespace')"  # in a comment, as SQL


def check_not_migrated(comment: str | None, place: str) -> None:
    """Raises ``StoreMigrated`` when the ``VERSION`` is newer than that of this program."""
    if (found := _read_version(comment)) > current():
        raise StoreMigrated(place, found)


# -- making and migrating -------------------------------------------------------------------------


def initialize(
    url: StoreUrl, role: str | None = None, busy_timeout: float = BUSY_TIMEOUT
) -> Initialization:
    """Creates, migrates or repairs the tables, as the owner of the database, and grants a ``role``
    what it needs to use them; the role is created if missing. Raises ``StoreUnreachable``,
    ``StoreTooNew``, ``UsageError`` for a view that is in the way, and ``StoreBusy`` when the tables
    were in use for ``busy_timeout`` seconds: everybody else would wait behind this."""
    place = f"{url.shown}, schema {url.schema}"
    with _translated(place, busy_timeout), connect(url) as connection:
        connection.execute(f"SET LOCAL lock_timeout = {max(1, int(busy_timeout * 1000))}")
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        _prepare(connection, url.schema, place)
        query = "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')"
        former = _read_version(_one(connection, query, url.schema))
        if former > current():
            raise StoreTooNew(place, former)
        if former != current():
            _migrate(connection, former)
            text = sql.Literal(f"Thalamus {current()}")
            name = sql.Identifier(url.schema)
            connection.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(name, text))
        repaired = _repair(connection, place)
        role_made = role is not None and _grant(connection, place, url.schema, role)
    before = str(former) if former > Version() else ""
    return Initialization(place, before, str(current()), role_made, repaired if before else [])


def _prepare(connection: psycopg.Connection[Any], schema: str, place: str) -> None:
    """Checks the database and creates the schema, to be searched first."""
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        problem = f"the encoding of the database is {encoding}, and UTF8 is needed"
        fix = "Make another with `createdb --template template0 --encoding UTF8 NAME`."
        raise StoreUnreachable(place, problem, fix=fix)
    _allowed(place, EXTENSION_ADVICE, connection.execute, "CREATE EXTENSION IF NOT EXISTS vector")
    query = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
    check_versions(connection.info.server_version, _one(connection, query), place)
    _run(connection, "CREATE SCHEMA IF NOT EXISTS {}", schema)
    query = (
        "SELECT nspname FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace"
        " WHERE extname = 'vector'"
    )
    found = (schema, _one(connection, query))
    _run(connection, "SET LOCAL search_path TO {}, public, {}", *found)


@contextmanager
def _translated(place: str, busy_timeout: float) -> Iterator[None]:
    """Converts PostgreSQL's errors to Thalamus's own."""
    with translated(place, busy_timeout):
        try:
            yield
        except errors.FeatureNotSupported as error:  # an extension that is not installed
            fix = "Install pgvector on the server."
            raise StoreUnreachable(place, first_line(error), fix=fix) from error
        except errors.DependentObjectsStillExist as error:
            detail = (error.diag.message_detail or first_line(error)).splitlines()[0]
            fix = "Drop it, run this again, and recreate it afterwards."
            raise UsageError(f"The tables cannot be migrated: {detail}.", fix=fix) from error
        except errors.InsufficientPrivilege as error:
            fix = "Run it as the owner of the database, who may also create roles for --grant."
            raise StoreUnreachable(place, first_line(error), fix=fix) from error


def _migrate(connection: psycopg.Connection[Any], former: Version) -> None:
    """Applies the missing migrations, as the owner, who sees the rows of all tenants meanwhile.
    What others have made in the schema is left alone."""
    if views := _views(connection):
        # together: one may read another; none that anybody else's view reads
        _run(connection, f"DROP VIEW {', '.join('{}' for _ in views)}", *views)
    for table in _ours(connection):
        _run(connection, "ALTER TABLE {} NO FORCE ROW LEVEL SECURITY", table)
    owner = _Owner(connection)
    for migration in migrations.MIGRATIONS[former.shared :]:
        migration(owner)
    for statements in OWN[former.own :]:
        for statement in statements:
            connection.execute(statement)
    for view in shared_views().values():
        connection.execute(view)
    for table in _ours(connection):
        _protect(connection, table)


def _repair(connection: psycopg.Connection[Any], place: str) -> list[str]:
    """Restores what was dropped or switched off and holds no rows; returns these parts. Raises
    ``StoreDamaged`` when a table lacks a column."""
    if problem := form.lost(connection):
        fix = "Its administrator restores the table from a backup of the database."
        raise StoreDamaged(place, problem, fix=fix)
    repaired = []
    for part, statement in form.repairs(connection):
        if statement:
            connection.execute(statement)
        else:
            _protect(connection, part.table)
        repaired.append(str(part))
    return repaired


class _Owner:
    """See ``store.schema.Executor``. Views are made at the end, of the tables as they are
    then."""

    tenants = True

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, statement: str, /) -> Any:
        if statement.startswith(("CREATE VIEW", "DROP VIEW")):
            return None
        return self._connection.execute(shared(statement))

    def drop_unique(self, table: str, column: str) -> None:
        query = (
            "SELECT conname FROM pg_constraint WHERE conrelid = to_regclass(%s) AND contype = 'u'"
            " AND pg_get_constraintdef(oid) = %s"
        )
        name = _one(self._connection, query, table, unique(column))
        if name is not None:  # the administrator may have dropped it
            _run(self._connection, "ALTER TABLE {} DROP CONSTRAINT {}", table, name)


def _protect(connection: psycopg.Connection[Any], table: str) -> None:
    """Forces row level security, also for the owner, with our policy alone."""
    _run(connection, "ALTER TABLE {} ENABLE ROW LEVEL SECURITY", table)
    _run(connection, "ALTER TABLE {} FORCE ROW LEVEL SECURITY", table)
    query = "SELECT polname FROM pg_policy WHERE polrelid = to_regclass(%s) AND polpermissive"
    for [policy] in connection.execute(query, (table,)).fetchall():
        _run(connection, "DROP POLICY {} ON {}", policy, table)
    _run(connection, f"CREATE POLICY tenant ON {{}} USING ({POLICY})", table)


def _grant(connection: psycopg.Connection[Any], place: str, schema: str, role: str) -> bool:
    """Grants a role what it needs; true when it was created."""
    missing = _one(connection, "SELECT 1 FROM pg_roles WHERE rolname = %s", role) is None
    if missing:
        making = sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role))
        _allowed(place, ROLE_ADVICE.format(role), connection.execute, making)
    newer = connection.info.server_version >= MAINTAIN
    rights = f"{RIGHTS}, MAINTAIN" if newer else RIGHTS
    both = (schema, role)
    _run(connection, "GRANT USAGE ON SCHEMA {} TO {}", *both)
    _run(connection, f"GRANT {rights} ON ALL TABLES IN SCHEMA {{}} TO {{}}", *both)
    later = f"ALTER DEFAULT PRIVILEGES IN SCHEMA {{}} GRANT {rights} ON TABLES TO {{}}"
    _run(connection, later, *both)
    return missing


def _ours(connection: psycopg.Connection[Any]) -> list[str]:
    """Our tables in the schema, and parts of them."""
    query = (
        "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        " AND relkind IN ('r', 'p') AND (relname = ANY(%s) OR relispartition) ORDER BY relname"
    )
    return [row[0] for row in connection.execute(query, ([*names()],))]


def _views(connection: psycopg.Connection[Any]) -> list[str]:
    """Our views in the schema."""
    query = (
        "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        " AND relkind = 'v' AND relname = ANY(%s) ORDER BY relname"
    )
    return [row[0] for row in connection.execute(query, ([*shared_views()],))]


def _allowed(place: str, fix: str, work: Callable[..., Any], *values: Any) -> None:
    """Does what needs a right of its own. Raises ``StoreUnreachable`` with ``fix`` without it."""
    try:
        work(*values)
    except errors.InsufficientPrivilege as error:
        raise StoreUnreachable(place, first_line(error), fix=fix) from error


def _run(connection: psycopg.Connection[Any], statement: str, *names: str) -> None:
    connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _one(connection: psycopg.Connection[Any], query: str, *values: Any) -> Any:
    """The first column of the first row; None without one."""
    row = connection.execute(query, values).fetchone()
    return None if row is None else row[0]


# -- use ------------------------------------------------------------------------------------------

_OURS = (
    f"relnamespace = there AND relname IN ({', '.join(map(literal, names()))})"
    " AND relkind IN ('r', 'p')"
)
# of the current user, and of the schema with a name; a table whose rows of other tenants are not
# hidden; a foreign trigger or rule
CHECKED = (
    "SELECT rolname, rolsuper OR rolbypassrls, obj_description(there, 'pg_namespace'),"
    " has_schema_privilege(there, 'USAGE'), (SELECT relname::text FROM pg_class AS c"
    f" WHERE {_OURS} AND NOT (relrowsecurity AND relforcerowsecurity AND ARRAY['tenant']"
    " = ARRAY(SELECT polname::text FROM pg_policy WHERE polrelid = c.oid AND polpermissive))"
    " ORDER BY relname LIMIT 1), (SELECT format('%s %I ON %s.%I', kind, name, there, relname) FROM"
    " (SELECT tgrelid, 'TRIGGER', tgname FROM pg_trigger WHERE NOT tgisinternal"
    " UNION ALL SELECT ev_class, 'RULE', rulename FROM pg_rewrite) AS f (oid, kind, name)"
    f" JOIN pg_class USING (oid) WHERE {_OURS} LIMIT 1)"
    " FROM pg_roles, to_regnamespace(?) AS there WHERE rolname = current_user"
)


def check(row: Sequence[Any], place: str) -> None:
    """Checks what ``CHECKED`` found. Raises ``UnsafeRole``, ``NoTables``, ``OldTables``,
    ``StoreTooNew``, ``StoreUnreachable`` without the right to use them, and ``UnsafeTables``."""
    role, unrestricted, comment, usable, unprotected, _ = row
    if unrestricted:
        raise UnsafeRole(role)
    version = _read_version(comment)
    if version > current():
        raise StoreTooNew(place, version)
    if version != current():
        raise OldTables(place, version) if version > Version() else NoTables(place)
    if not usable:
        raise StoreUnreachable(place, f"{role} may not use its tables", fix=RIGHTS_ADVICE)
    if unprotected is not None:
        raise UnsafeTables(place, unprotected)


def check_triggers(foreign: str | None) -> str:
    """Raises ``Tampered`` for a ``foreign`` trigger or rule, whose writes would be signed like our
    own. See ``store.signing.writing``."""
    if foreign is not None:
        fix = f"Inspect it, then let its owner remove it: DROP {foreign}."
        raise Tampered(f"there is a foreign {foreign}", fix=fix)
    return ""
