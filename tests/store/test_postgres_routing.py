"""Statements of a tenant on tables that are partitioned by it: with `--store postgres`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest

from tests.stored import ROLE, as_role
from thalamus.api import Thalamus
from thalamus.clock import parse_time
from thalamus.records import Memory
from thalamus.store import memories

psycopg = pytest.importorskip("psycopg")

from thalamus.store.postgres import definitions, schema  # noqa: E402
from thalamus.store.postgres.connection import PostgresConnection, translated  # noqa: E402
from thalamus.store.postgres.vectors import register  # noqa: E402
from thalamus.store_url import parse_store_url  # noqa: E402

SCHEMA = "thalamus_parts"
PARTS = 8
MAY = "2026-05-03T00:00:00Z"
SEPARATOR = ";\n"  # of statements that are sent together
VECTOR_TYPES = "SELECT 'halfvec'::regtype::oid, 'halfvec[]'::regtype::oid"
# statements; they may only become fewer
MOST = {"retrieve": 14, "store one": 15, "turn": 133, "month": 20, "only month": 16, "no month": 17}
_TABLE = re.compile(r"CREATE TABLE (\w+) \(.*\)", re.DOTALL)
Statement = tuple[str, list[Any]]


def partitioned(statement: str) -> str:
    """A statement that makes a table, so that it has a partition for each eighth of tenants."""
    if not (table := _TABLE.fullmatch(statement.strip())):
        return statement
    parts = [
        f"CREATE TABLE {table[1]}_part{n} PARTITION OF {table[1]}"
        f" FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {n})"
        for n in range(PARTS)
    ]
    return "; ".join((f"{statement} PARTITION BY HASH (tenant)", *parts))


@pytest.fixture(scope="module")
def parts(server: str) -> Iterator[str]:
    """The address of partitioned tables, for the role that uses them."""
    if not server:
        pytest.skip("needs --store postgres")
    shared, own = definitions.shared, definitions.OWN
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "shared", lambda statement: partitioned(shared(statement)))
        patch.setattr(schema, "OWN", [[*map(partitioned, statements)] for statements in own])
        schema.initialize(parse_store_url(f"{server}&schema={SCHEMA}"), ROLE)
    yield f"{as_role(server)}&schema={SCHEMA}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {SCHEMA} CASCADE")


@pytest.fixture
def url(parts: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("THALAMUS_STORE", parts)
    return parts


@pytest.fixture
def statements(url: str, monkeypatch: pytest.MonkeyPatch) -> list[Statement]:
    """The statements that are sent from now on, with their values; those at the beginning of a unit
    of work together."""
    sent: list[Statement] = []
    execute, unit = PostgresConnection.execute, PostgresConnection.unit

    def recorded(self: Any, query: str, values: Any = (), /) -> Any:
        sent.append(translated(query, values, self.tenant))
        return execute(self, query, values)

    def recorded_unit(self: Any, first: Any, *more: Any) -> Any:
        sent.append((SEPARATOR.join(first).replace("%", "%%"), []))
        return unit(self, first, *more)

    monkeypatch.setattr(PostgresConnection, "execute", recorded)
    monkeypatch.setattr(PostgresConnection, "unit", recorded_unit)
    return sent


def engine(home: Path, tenant: str) -> Thalamus:
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    return Thalamus(tenant=tenant, **settings)


def store(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content=f"The tide at {n} metres.", topic="sea") for n in range(5)])
    thalamus.remember([Memory(content="It is behind the gnome.", sensitivity="personal")])


def turn(thalamus: Thalamus) -> None:
    thalamus.turn("My sister Ana works at Bosch.")
    thalamus.turn("Where does my sister work?")


def forget(thalamus: Thalamus) -> None:
    with thalamus.database.writing() as writer:
        for memory in memories.all_active(writer):
            assert writer.remove(memory.stored_id)


def verify(thalamus: Thalamus) -> None:
    with thalamus.store.verify() as verification:
        assert list(verification.findings()) == []


OPERATIONS: dict[str, Callable[[Thalamus], object]] = {
    "store": store,
    "turn": turn,
    "retrieve": lambda thalamus: thalamus.recall("Where are the tides?"),
    "list": lambda thalamus: (thalamus.memories.find(), thalamus.facts.find()),
    "concepts": lambda thalamus: thalamus.memories.concepts(),
    "stats": lambda thalamus: thalamus.store.stats(),
    "export": lambda thalamus: list(thalamus.database.everything()),
    "forget": forget,
    "verify": verify,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_statement_goes_to_one_partition(
    url: str, statements: list[Statement], tmp_path: Path, name: str
) -> None:
    with engine(tmp_path, name) as thalamus:
        turn(thalamus)
        store(thalamus)
        statements.clear()
        OPERATIONS[name](thalamus)
    assert statements
    with psycopg.connect(parse_store_url(url).libpq) as connection:
        register(connection, *connection.execute(VECTOR_TYPES).fetchone())
        prepare(connection, name)
        found = {
            number
            for sent, values in statements
            for query in sent.split(SEPARATOR)
            for number in partitions(connection, query, values)
        }
    assert len(found) == 1


@pytest.mark.parametrize("name", MOST)
def test_few_statements_are_sent(
    url: str, statements: list[Statement], tmp_path: Path, name: str
) -> None:
    operations = {
        "retrieve": lambda thalamus: thalamus.recall("Where does Ana work?"),
        # the last May has something, and no March
        "month": lambda thalamus: thalamus.recall("Where was the tide in May?"),
        "only month": lambda thalamus: thalamus.recall("What happened in May?"),
        "no month": lambda thalamus: thalamus.recall("What happened in March?"),
        "store one": lambda thalamus: thalamus.remember([Memory(content="Bo likes bones.")]),
        "turn": lambda thalamus: thalamus.turn("My brother Karl works at Siemens."),
    }
    with engine(tmp_path, f"few-{list(MOST).index(name)}") as thalamus:
        thalamus.remember([Memory(content=f"The tide at {n} metres.") for n in range(30)])
        if "month" in name:
            thalamus.clock.fixed = parse_time(MAY)
            thalamus.remember([Memory(content="The tide is low.", created_at=MAY)])
        thalamus.turn("My sister Ana works at Bosch.")
        statements.clear()
        operations[name](thalamus)
    commits = sum("FOR UPDATE" in query for query, _ in statements)
    assert len(statements) + commits <= MOST[name]


def test_a_missing_value_is_compared_along_an_index() -> None:
    query = 'SELECT 1 FROM fact WHERE "user" IS ? AND entity = ? AND agent IS ? AND value IS NOT ?'
    head = 'SELECT 1 FROM fact WHERE "user"'
    assert translated(query, (None, "user", "a", "b"), "t") == (
        f"{head} IS NULL AND entity = %s AND agent = %s AND value IS DISTINCT FROM %s",
        ["user", "a", "b"],
    )


def test_a_turn_makes_few_round_trips(url: str, tmp_path: Path) -> None:
    """By libpq's own account: times that an answer is waited for."""
    messages = (
        "My name is Ana and I live in Porto.",
        "I moved to Lisbon.",
        "Where do I live?",
        "My sister Eva now works at Bosch. I am working on the project Heron.",
    )
    with engine(tmp_path, "trips") as thalamus:
        thalamus.remember([Memory(content=f"The tide at {n} metres.") for n in range(30)])
        for message in messages:
            assert round_trips(thalamus, lambda: thalamus.turn(message), tmp_path) <= 102  # noqa: B023


def round_trips(thalamus: Thalamus, work: Callable[[], object], folder: Path) -> int:
    pool = cast(Any, thalamus.database)._db.pool
    connections = [pool.take(1.0) for _ in range(pool.size)]
    with (folder / "trace").open("w+") as file:
        for connection in connections:
            connection.pgconn.trace(file.fileno())
            connection.pgconn.set_trace_flags(psycopg.pq.Trace.SUPPRESS_TIMESTAMPS)
            pool.give_back(connection)
        work()
        for connection in connections:
            connection.pgconn.untrace()
        file.seek(0)
        sides = [line[0] for line in file if line[:2] in ("F\t", "B\t")]
    return sum(turn == ("F", "B") for turn in pairwise(sides))


def test_without_its_predicate_a_query_finds_nothing_else(
    url: str, statements: list[Statement], tmp_path: Path
) -> None:
    """Row level security lets no other tenant's rows through."""
    with engine(tmp_path, "ana") as thalamus, engine(tmp_path, "bo") as other:
        for each in (thalamus, other):
            turn(each)
            store(each)
        statements.clear()
        OPERATIONS["retrieve"](thalamus)
        OPERATIONS["list"](thalamus)
        OPERATIONS["verify"](thalamus)
    own = "tenant = %s"
    queries = [one for one in statements if one[0].lstrip().startswith("SELECT") and own in one[0]]
    assert len(queries) > 30
    with psycopg.connect(parse_store_url(url).libpq) as connection:
        register(connection, *connection.execute(VECTOR_TYPES).fetchone())
        prepare(connection, "ana")
        for query, values in queries:
            if "FOR UPDATE" in query:
                continue
            found = connection.execute(query, values).fetchall()
            bare = connection.execute(query.replace(own, "%s::text IS NOT NULL"), values).fetchall()
            assert sorted(map(str, bare)) == sorted(map(str, found)), query


def prepare(connection: Any, tenant: str) -> None:
    """The settings of a connection of the store."""
    connection.execute(f"SET search_path TO {SCHEMA}, public")
    connection.execute("SET plan_cache_mode TO force_custom_plan")
    connection.execute("SELECT set_config('thalamus.tenant', %s, false)", (tenant,))


def partitions(connection: Any, query: str, values: list[Any]) -> set[str]:
    """Numbers of the partitions that a statement reads or writes, by its plan."""
    if not re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", query):
        return set()
    plain = [int(value) if isinstance(value, bool) else value for value in values]
    [[plan]] = connection.execute(f"EXPLAIN (FORMAT JSON) {query}", plain).fetchall()
    text = json.dumps(plan)
    assert not re.search(r'"Subplans Removed": [1-9]', text), query
    found = set(re.findall(r'"Relation Name": "\w+?_part(\d)"', text))
    assert len(found) <= 1, query
    return found
