"""The tables in a PostgreSQL database, which all tenants share: its owner makes and migrates them.

They are the tables of ``storage.relational`` with a column ``tenant``, which leads every primary
key, unique constraint and index. Row level security keeps a statement that does not name the tenant
from reaching the rows of another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from psycopg import errors, sql

from thalamus.errors import NoTables, StoreTooNew, StoreUnreachable, UnsafeRole
from thalamus.storage.postgres import vectors, words
from thalamus.storage.postgres.failures import RIGHTS_ADVICE, check_versions, first_line, translated
from thalamus.storage.postgres.pool import connect
from thalamus.storage.protocol.maintenance import Initialization
from thalamus.storage.relational import migrations
from thalamus.storage.relational.entry_views import views
from thalamus.storage.relational.tables import COUNTERS

if TYPE_CHECKING:
    from thalamus.store_url import StoreUrl

# values of which at least one changes with every write
CHANGING = frozenset((*COUNTERS.values(), "signed_head"))
# changes of this database alone: a list that only grows
OWN: tuple[tuple[str, ...], ...] = ((*words.TABLES, *vectors.CHANGES), words.BLOCKS)
POLICY = "tenant = current_setting('thalamus.tenant', true)"
RIGHTS = "SELECT, INSERT, UPDATE, DELETE"  # of the role that the store is used with
# servers that have a right to VACUUM, with which `forget` cleans pages; elsewhere it is the owner's
MAINTAIN = 170_000
_LOCK = 0x7468616C  # advisory lock of whoever makes the tables

_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*)\)(?: WITHOUT ROWID)?", re.DOTALL)
_INDEX = re.compile(r"(CREATE (?:UNIQUE )?INDEX \w+ ON \w+ \()")
_VIEW = re.compile(r"CREATE VIEW (\w+) AS ")
_ADDED = re.compile(r"ALTER TABLE \w+ ADD COLUMN ")
_TYPE = re.compile(r"\b(?:INTEGER|REAL|BLOB|TEXT)\b")
_TYPES = {
    "INTEGER": "BIGINT",
    "REAL": "DOUBLE PRECISION",
    "BLOB": "BYTEA",
    "TEXT": 'TEXT COLLATE "C"',  # compared byte by byte, as times require
}


# -- translation ----------------------------------------------------------------------------------


def shared(statement: str) -> str:
    """A statement of ``storage.relational`` that makes a table, an index or a view, or adds a
    column, as PostgreSQL takes it and with the tenant; any other as it is."""
    if table := _TABLE.fullmatch(statement):
        return _shared_table(table[1], table[2])
    if _ADDED.match(statement):
        return _typed(statement)
    if _VIEW.match(statement):  # read with the rights of the user, who has one tenant
        statement = _VIEW.sub(r"CREATE VIEW \1 WITH (security_invoker = true) AS ", statement)
        return statement.replace("SELECT key, ", "SELECT tenant, key, ")
    return _INDEX.sub(r"\1tenant, ", statement)


def _shared_table(name: str, body: str) -> str:
    columns, constraints = [f"tenant {_TYPES['TEXT']} NOT NULL"], []
    for part in map(str.strip, _parts(body)):
        if part.startswith(("PRIMARY KEY (", "UNIQUE (")):
            constraints.append(part.replace("(", "(tenant, ", 1))
            continue
        column = part.split()[0]
        for constraint in ("PRIMARY KEY", "UNIQUE"):
            if f" {constraint}" in part:
                part = part.replace(f" {constraint}", "")
                constraints.append(f"{constraint} (tenant, {column})")
        columns.append(_typed(part))
    return f"CREATE TABLE {name} ({', '.join([*columns, *constraints])})"


def _typed(text: str) -> str:
    return _TYPE.sub(lambda found: _TYPES[found[0]], text)


def _parts(body: str) -> Iterator[str]:
    """The columns and constraints of a table: what stands between commas, outside brackets."""
    start = depth = 0
    for place, sign in enumerate(body):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            yield body[start:place]
            start = place + 1
    yield body[start:]


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


# -- making and migrating -------------------------------------------------------------------------


def initialize(url: StoreUrl, role: str | None = None) -> Initialization:
    """Makes or migrates the tables, as the owner of the database, and gives a ``role`` what it
    needs to use them; it is made if it is missing. Raises ``StoreUnreachable``, ``StoreTooNew``."""
    place = f"{url.shown}, schema {url.schema}"
    with _translated(place), connect(url) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            problem = f"the encoding of the database is {encoding}, and UTF8 is needed"
            fix = "Make another with `createdb --template template0 --encoding UTF8 NAME`."
            raise StoreUnreachable(place, problem, fix=fix)
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        query = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
        check_versions(connection.info.server_version, _one(connection, query), place)
        name = sql.Identifier(url.schema)
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(name))
        query = (
            "SELECT nspname FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace"
            " WHERE extname = 'vector'"
        )
        names = (url.schema, _one(connection, query))
        _run(connection, "SET LOCAL search_path TO {}, public, {}", *names)
        query = "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')"
        former = _read_version(_one(connection, query, url.schema))
        if former > current():
            raise StoreTooNew(place, former)
        if former != current():
            _migrate(connection, former)
            text = sql.Literal(f"Thalamus {current()}")
            connection.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(name, text))
        made = role is not None and _grant(connection, url.schema, role)
    before = str(former) if former > Version() else ""
    return Initialization(place, before, str(current()), made)


@contextmanager
def _translated(place: str) -> Iterator[None]:
    """Converts PostgreSQL's errors to Thalamus's own."""
    with translated(place, 0):
        try:
            yield
        except errors.FeatureNotSupported as error:  # an extension that is not installed
            fix = "Install pgvector on the server."
            raise StoreUnreachable(place, first_line(error), fix=fix) from error
        except errors.InsufficientPrivilege as error:
            fix = "Run it as a role that may create schemas, extensions and roles."
            raise StoreUnreachable(place, first_line(error), fix=fix) from error


def _migrate(connection: psycopg.Connection[Any], former: Version) -> None:
    """Applies the missing migrations, as the owner, who sees the rows of all tenants meanwhile."""
    for view in _relations(connection, "v"):
        _run(connection, "DROP VIEW {} CASCADE", view)
    for table in _relations(connection, "rp"):
        _run(connection, "ALTER TABLE {} NO FORCE ROW LEVEL SECURITY", table)
    owner = _Owner(connection)
    for migration in migrations.MIGRATIONS[former.shared :]:
        migration(owner)
    for statements in OWN[former.own :]:
        for statement in statements:
            connection.execute(statement)
    for view in views():
        connection.execute(shared(view))
    for table in _relations(connection, "rp"):
        _protect(connection, table)


class _Owner:
    """See ``migrations.Executor``. Views are made at the end, of the tables as they are then."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, statement: str, /) -> Any:
        if statement.startswith(("CREATE VIEW", "DROP VIEW")):
            return None
        return self._connection.execute(shared(statement))


def _protect(connection: psycopg.Connection[Any], table: str) -> None:
    """Forces row level security, also for the owner."""
    _run(connection, "ALTER TABLE {} ENABLE ROW LEVEL SECURITY", table)
    _run(connection, "ALTER TABLE {} FORCE ROW LEVEL SECURITY", table)
    policies = "SELECT 1 FROM pg_policy WHERE polrelid = %s::regclass AND polname = 'tenant'"
    if _one(connection, policies, table) is None:
        _run(connection, f"CREATE POLICY tenant ON {{}} USING ({POLICY})", table)


def _grant(connection: psycopg.Connection[Any], schema: str, role: str) -> bool:
    """Grants a role what it needs; true when it was made."""
    missing = _one(connection, "SELECT 1 FROM pg_roles WHERE rolname = %s", role) is None
    if missing:
        _run(connection, "CREATE ROLE {} LOGIN", role)
    newer = connection.info.server_version >= MAINTAIN
    rights = f"{RIGHTS}, MAINTAIN" if newer else RIGHTS
    names = (schema, role)
    _run(connection, "GRANT USAGE ON SCHEMA {} TO {}", *names)
    _run(connection, f"GRANT {rights} ON ALL TABLES IN SCHEMA {{}} TO {{}}", *names)
    later = f"ALTER DEFAULT PRIVILEGES IN SCHEMA {{}} GRANT {rights} ON TABLES TO {{}}"
    _run(connection, later, *names)
    return missing


def _relations(connection: psycopg.Connection[Any], kinds: str) -> list[str]:
    """Tables or views of the schema, by their letters in ``pg_class``."""
    query = (
        "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        " AND relkind = ANY(%s) ORDER BY relname"
    )
    return [row[0] for row in connection.execute(query, ([*kinds],))]


def _run(connection: psycopg.Connection[Any], statement: str, *names: str) -> None:
    connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _one(connection: psycopg.Connection[Any], query: str, *values: Any) -> Any:
    """The first column of the first row; None without one."""
    row = connection.execute(query, values).fetchone()
    return None if row is None else row[0]


# -- use ------------------------------------------------------------------------------------------

# of the current user, and of the schema with a name
CHECKED = (
    "SELECT rolname, rolsuper OR rolbypassrls, obj_description(there, 'pg_namespace'),"
    " has_schema_privilege(there, 'USAGE')"
    " FROM pg_roles, to_regnamespace(?) AS there WHERE rolname = current_user"
)


def check(row: Sequence[Any], place: str) -> None:
    """Checks what ``CHECKED`` found. Raises ``UnsafeRole``, ``NoTables`` when there are none or
    older ones, ``StoreTooNew``, ``StoreUnreachable`` without the right to use them."""
    role, unrestricted, comment, usable = row
    if unrestricted:
        raise UnsafeRole(role)
    version = _read_version(comment)
    if version > current():
        raise StoreTooNew(place, version)
    if version != current():
        raise NoTables(place)
    if not usable:
        raise StoreUnreachable(place, f"{role} may not use its tables", fix=RIGHTS_ADVICE)
