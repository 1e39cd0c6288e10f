"""Tenants that share the tables of a PostgreSQL database: with `--store postgres`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.conftest import Result
from tests.store.making import AT, memory, vector
from tests.stored import ROLE, SCHEMA, as_role
from thalamus.api import Thalamus
from thalamus.clock import Clock, format_time, parse_time
from thalamus.errors import BadKey, NoTables, StoreBusy, StoreTooNew
from thalamus.records import Document, Event, Link, Memory
from thalamus.store import ledger, memories

psycopg = pytest.importorskip("psycopg")

from thalamus.store.migrations import MIGRATIONS, m0009_owners  # noqa: E402
from thalamus.store.options import StoreOptions  # noqa: E402
from thalamus.store.postgres import definitions, schema  # noqa: E402
from thalamus.store.postgres.store import PostgresStore  # noqa: E402
from thalamus.store.values import Filter  # noqa: E402
from thalamus.store_url import parse_store_url  # noqa: E402

LONG = "a-tenant-whose-name-is-longer-than-what-a-schema-may-have-" + "x" * 20
SECRET = "It is behind the gnome."
EVERYTHING = Filter()


Open = Callable[..., PostgresStore]
Run = Callable[..., Result]


@pytest.fixture
def opened(url: str) -> Iterator[Open]:
    """Opens stores of tenants."""
    stores: list[PostgresStore] = []

    def open_store(tenant: str, **options: Any) -> PostgresStore:
        chosen = replace(StoreOptions(tenant=tenant, create=True, busy_timeout=1), **options)
        stores.append(PostgresStore(parse_store_url(url), chosen))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()


def put(store: PostgresStore, *names: str) -> None:
    with store.writing() as writer:
        for name in names:
            writer.add(memory(name), vector(name))
        writer.add_event(Event(name="stored", at=writer.now, data={}))


def key_of(store: PostgresStore, id: str) -> int:
    return memories.as_stored(store, [id])[0].key


def names(store: PostgresStore) -> list[str]:
    return sorted(record.id.removeprefix("mem_") for record in store.each(Memory))


# -- the tables -----------------------------------------------------------------------------------


def test_every_key_and_index_begins_with_the_tenant(owner: Any) -> None:
    found = owner.execute(
        "SELECT i.indexrelid::regclass::text, a.attname FROM pg_index AS i"
        " JOIN pg_class AS c ON c.oid = i.indrelid"
        " LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
        " WHERE c.relnamespace = %s::regnamespace",
        (SCHEMA,),
    ).fetchall()
    assert len(found) > 60 and [row for row in found if row[1] != "tenant"] == []


def test_row_level_security_is_forced_on_every_table(owner: Any) -> None:
    found = owner.execute(
        "SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity,"
        " array_agg(pg_get_expr(p.polqual, p.polrelid)), string_agg(p.polcmd::text, '')"
        " FROM pg_class AS c LEFT JOIN pg_policy AS p ON p.polrelid = c.oid"
        " WHERE c.relnamespace = %s::regnamespace AND c.relkind IN ('r', 'p') GROUP BY c.oid",
        (SCHEMA,),
    ).fetchall()
    policy = ["(tenant = current_setting('thalamus.tenant'::text, true))"]
    assert len(found) > 30
    assert [row for row in found if row[1:] != (True, policy, "*")] == []


def test_views_are_read_with_the_rights_of_the_user(owner: Any) -> None:
    found = owner.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind = 'v'"
        " AND NOT coalesce('security_invoker=true' = ANY(reloptions), false)",
        (SCHEMA,),
    )
    assert found.fetchall() == []


def test_the_role_may_only_read_and_write_rows(url: str, owner: Any) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in (
            f"CREATE TABLE {SCHEMA}.more (n int)",
            f"DROP TABLE {SCHEMA}.memory",
            f"TRUNCATE {SCHEMA}.memory",
            f"ALTER TABLE {SCHEMA}.memory DISABLE ROW LEVEL SECURITY",
            f"DROP POLICY tenant ON {SCHEMA}.memory",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def test_tables_are_made_once(server: str, url: str, owner: Any) -> None:
    before = owner.execute("SELECT max(oid::bigint) FROM pg_class").fetchone()
    made = schema.initialize(parse_store_url(server), ROLE)
    assert (made.former, made.role_made) == (made.version, False)
    assert owner.execute("SELECT max(oid::bigint) FROM pg_class").fetchone() == before


def test_the_command_that_makes_tables(run: Run, server: str, url: str, owner: Any) -> None:
    address = f"{server}&schema={SCHEMA}_command"
    owner.execute("DROP ROLE IF EXISTS reader")
    try:
        made = run("store", "init", address, "--grant", "reader")
        lines = made.stdout.splitlines()
        assert (
            "tables made, version" in lines[0] and lines[1] == "reader was made, and may use them"
        )
        [again] = run("store", "init", address, "--grant", "reader", "--json").records
        assert again["data"]["before"] == again["data"]["version"] in lines[0]
        assert again["data"]["role_made"] is False
        store = {"THALAMUS_STORE": as_role(address, "reader")}
        assert run("facts", "add", "Ana", "works_at", "Bosch", env=store).code == 0
        assert "Bosch" in run("facts", env=store).stdout
        refused = run("store", "init", as_role(address))
        assert refused.code == 15 and "as the owner of the database" in refused.stderr
    finally:
        owner.execute(f"DROP SCHEMA IF EXISTS {SCHEMA}_command CASCADE")
        owner.execute("DROP OWNED BY reader")
        owner.execute("DROP ROLE IF EXISTS reader")


def test_tables_of_other_versions(server: str, url: str, owner: Any, opened: Open) -> None:
    name = f"{SCHEMA}_other"
    owners, other = (parse_store_url(f"{one}&schema={name}") for one in (server, url))
    options = StoreOptions(create=True)
    try:
        with pytest.raises(NoTables):
            PostgresStore(other, options)
        made = schema.initialize(owners, ROLE)
        assert (made.former, made.version) == ("", str(schema.current()))
        PostgresStore(other, options).close()
        owner.execute(f"COMMENT ON SCHEMA {name} IS 'Thalamus 999.0'")
        with pytest.raises(StoreTooNew):
            PostgresStore(other, options)
        with pytest.raises(StoreTooNew):
            schema.initialize(owners, ROLE)
    finally:
        owner.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


def test_a_migration_keeps_the_rows_of_every_tenant(
    server: str, url: str, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"{SCHEMA}_before"
    owners, place = (parse_store_url(f"{one}&schema={name}") for one in (server, url))
    options = StoreOptions(create=True)
    later = ("ALTER TABLE memory ADD COLUMN colour TEXT", "UPDATE memory SET colour = 'blue'")
    try:
        schema.initialize(owners, ROLE)
        for tenant in ("ana", "bo"):
            with closing(PostgresStore(place, replace(options, tenant=tenant))) as store:
                put(store, "one")
        monkeypatch.setattr(schema, "OWN", (*definitions.OWN, later))
        with pytest.raises(NoTables):
            PostgresStore(place, options)
        assert schema.initialize(owners, ROLE).former != str(schema.current())
        with closing(PostgresStore(place, replace(options, tenant="ana"))) as store:
            assert names(store) == ["one"] and len(store.entries_by_key([1], EVERYTHING)) == 1
        query = f"SELECT tenant, colour FROM {name}.memory ORDER BY 1"
        assert owner.execute(query).fetchall() == [("ana", "blue"), ("bo", "blue")]
    finally:
        owner.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


def test_a_migration_keeps_the_words_of_every_tenant(server: str, url: str, owner: Any) -> None:
    """From tables in which the terms of a text were not listed."""
    name, former = f"{SCHEMA}_words", f"{len(MIGRATIONS)}.1"
    owners, place = (parse_store_url(f"{one}&schema={name}") for one in (server, url))
    options = StoreOptions(create=True)
    try:
        schema.initialize(owners, ROLE)
        for tenant in ("ana", "bo"):
            with closing(PostgresStore(place, replace(options, tenant=tenant))) as store:
                put(store, "one", "two")
        for statement in (
            "DROP TABLE {0}.posting_block, {0}.posting_text",
            "CREATE INDEX posting_key ON {0}.posting (tenant, key)",
            f"COMMENT ON SCHEMA {{0}} IS 'Thalamus {former}'",
        ):
            owner.execute(statement.format(name))
        assert schema.initialize(owners, ROLE).former == former
        with closing(PostgresStore(place, replace(options, tenant="ana"))) as store:
            assert [state.healthy for state in store.index_states()] == [True, True]
            [(key, _)] = store.find_text(["one"], 5)
            with store.writing() as writer:
                writer.remove("mem_one")
            assert store.find_text(["one"], 5) == [] and store.find_text(["two"], 5)
            assert store.fetch("SELECT 1 FROM posting WHERE key = ?", key) == []
            assert store.fetch("SELECT 1 FROM posting_text WHERE key = ?", key) == []
        with closing(PostgresStore(place, replace(options, tenant="bo"))) as store:
            assert len(store.find_text(["one"], 5)) == 1
    finally:
        owner.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


def test_a_migration_finds_the_owners_of_every_tenant(server: str, url: str, owner: Any) -> None:
    """From tables in which documents and ledger entries had none."""
    before = MIGRATIONS.index(m0009_owners)
    name, former = f"{SCHEMA}_owners", f"{before}.{len(definitions.OWN)}"
    owners, place = (parse_store_url(f"{one}&schema={name}") for one in (server, url))
    options = StoreOptions(create=True)
    try:
        schema.initialize(owners, ROLE)
        for tenant in ("ana", "bo"):
            with (
                closing(PostgresStore(place, replace(options, tenant=tenant))) as store,
                store.writing() as writer,
            ):
                times = {"created_at": AT, "recorded_at": AT}
                writer.add(Memory(id="mem_one", content="a", user=tenant, **times))
                writer.put(Document(id="doc_one", path="a", status="ingested", sha256="a"))
                writer.add(Link(source="mem_one", relation="part_of", target="doc_one"))
                writer.add_event(Event(name="stored", at=AT, data={"first": "mem_one"}))
        for table in ("document", "event", "batch", "exported_file"):
            owner.execute(f'ALTER TABLE {name}.{table} DROP COLUMN "user", DROP COLUMN agent')
        for statement in (
            "DROP INDEX {0}.document_sha256",
            "ALTER TABLE {0}.document ADD UNIQUE (tenant, sha256)",
            f"COMMENT ON SCHEMA {{0}} IS 'Thalamus {former}'",
        ):
            owner.execute(statement.format(name))
        result = schema.initialize(owners, ROLE)
        assert (result.former, result.repaired) == (former, [])
        for tenant in ("ana", "bo"):
            with closing(PostgresStore(place, replace(options, tenant=tenant))) as store:
                assert [one.user for one in store.each(Document)] == [tenant]
                assert [one.user for one in ledger.entries(store)] == [tenant]
                assert store.server().changes == []
    finally:
        owner.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


def test_a_program_that_reads_the_version_only_once_is_refused(opened: Open, owner: Any) -> None:
    put(opened("ana"), "one")
    value = "INSERT INTO meta (tenant, name, value) VALUES ('ana', 'next_key', '9')"
    for upsert in ("DO NOTHING", "DO UPDATE SET value = excluded.value"):
        with pytest.raises(psycopg.errors.CheckViolation, match="restart this program"):
            owner.execute(f"{value} ON CONFLICT (tenant, name) {upsert}")


# -- tenants --------------------------------------------------------------------------------------


@pytest.mark.parametrize("tenants", [("ana", "bo"), (f"{LONG}-one", f"{LONG}-two")])
def test_a_tenant_has_its_own_records(opened: Open, tenants: tuple[str, str]) -> None:
    """Whatever the length of its name."""
    ana, bo = map(opened, tenants)
    put(ana, "one", "two")
    put(bo, "three")
    assert (names(ana), names(bo)) == (["one", "two"], ["three"])
    assert ana.counts()["memory"] == 2 and bo.counts()["memory"] == 1
    assert [hit.entry.id for hit in bo.search([], vector("one"), EVERYTHING, 5).vector] == [
        "mem_three"
    ]
    assert ana.get("mem_three") is None and bo.complete_id("mem_") == ["mem_three"]
    with bo.writing() as writer:
        assert not writer.remove("mem_one")
        writer.update("memory", {"topic": "sea"}, "true")
    assert {record.topic for record in ana.each(Memory)} == {None}


def test_any_text_can_be_among_several(opened: Open) -> None:
    texts = ['say "hi"', r"C:\new", "{a,b}", "", "NULL", "it's, so", "line\nline"]
    store = opened("ana")
    with store.writing() as writer:
        for n, text in enumerate(texts):
            writer.add(replace(memory(f"n{n}"), topic=text))
    among = "topic IN (SELECT value FROM json_each(?))"
    found = store.fetch(f"SELECT topic FROM memory WHERE {among} ORDER BY key", texts)
    assert [row[0] for row in found] == texts


def test_the_same_ids_and_numbers_in_two_tenants(opened: Open) -> None:
    ana, bo = opened("ana"), opened("bo")
    put(ana, "one")
    put(bo, "one")
    assert ana.keys(Memory, ["mem_one"]) == bo.keys(Memory, ["mem_one"]) == {"mem_one": 1}
    assert ledger.end(ana)[0] == ledger.end(bo)[0] == 1


def test_row_level_security_hides_other_tenants(url: str, opened: Open) -> None:
    """From statements that name no tenant."""
    for tenant in ("ana", "bo"):
        put(opened(tenant), tenant)
    with psycopg.connect(url, autocommit=True) as connection:
        query = f"SELECT id FROM {SCHEMA}.memory UNION ALL SELECT id FROM {SCHEMA}.entry"
        assert connection.execute(query).fetchall() == []
        connection.execute("SELECT set_config('thalamus.tenant', 'ana', false)")
        assert connection.execute(query).fetchall() == [("mem_ana",)] * 2
        assert connection.execute(f"DELETE FROM {SCHEMA}.link").rowcount == 0
        assert connection.execute(f"UPDATE {SCHEMA}.memory SET topic = 'x'").rowcount == 1
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"INSERT INTO {SCHEMA}.meta VALUES ('bo', 'epoch', '7')")


def test_tenants_do_not_wait_for_each_other(opened: Open) -> None:
    ana, bo = opened("ana"), opened("bo")
    with ana.writing() as writer, ana.exclusive("prune"):
        writer.add(memory("one"))
        put(bo, "two")
        with bo.exclusive("prune"), bo.writing(wait=False) as other:
            other.add(memory("three"))
    assert (names(ana), names(bo)) == (["one"], ["three", "two"])


def test_writers_of_one_tenant_wait(opened: Open) -> None:
    ana, again = opened("ana"), opened("ana")
    with ana.writing() as writer:
        writer.add(memory("one"))
        with pytest.raises(StoreBusy), again.writing(wait=False):
            pass
        with pytest.raises(StoreBusy), again.writing():
            pass
    with ana.exclusive("prune"), pytest.raises(StoreBusy), again.exclusive("prune"):
        pass
    put(again, "two")
    assert names(ana) == ["one", "two"]


def test_several_hosts_continue_one_ledger(opened: Open, tmp_path: Path) -> None:
    with engine(tmp_path) as first:
        first.remember([Memory(content="The first.")])
    errors: list[BaseException] = []

    def write(host: int) -> None:
        try:
            with engine(tmp_path) as thalamus:
                for n in range(5):
                    thalamus.remember([Memory(content=f"Number {n} of host {host}.")])
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(host,)) for host in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with engine(tmp_path) as thalamus, thalamus.store.verify() as verification:
        assert list(verification.findings()) == []
        assert len(thalamus.memories.find(limit=50)) == 21


# -- numbers and time -----------------------------------------------------------------------------


def test_numbers_are_not_used_again(opened: Open) -> None:
    store = opened("ana")
    put(store, "one", "two")
    with store.writing() as writer:
        writer.remove("mem_two")
    put(opened("ana"), "three")
    assert key_of(store, "mem_three") == 3
    numbers = store.fetch("SELECT n FROM embedding ORDER BY n")
    assert [row[0] for row in numbers] == [1, 3]


def test_the_time_is_that_of_the_server(opened: Open, owner: Any) -> None:
    store = opened("ana")
    [(now,)] = owner.execute("SELECT clock_timestamp()").fetchall()
    with store.writing() as writer:
        assert abs(parse_time(writer.now) - now) < timedelta(seconds=30)


def test_time_never_goes_back(opened: Open) -> None:
    """When a host whose clock was wrong has written an entry."""
    store = opened("ana")
    ahead = format_time(datetime.now(UTC) + timedelta(minutes=5))
    with store.writing() as writer:
        writer.add_event(Event(name="stored", at=ahead, data={}))
    with store.writing() as writer:
        assert parse_time(writer.now) >= parse_time(ahead)


def test_a_clock_that_stands_still_wins(opened: Open) -> None:
    clock = Clock(parse_time("2020-02-02T02:02:02Z"))
    with opened("ana", clock=clock).writing() as writer:
        assert writer.now == "2020-02-02T02:02:02Z"


# -- signatures and encryption --------------------------------------------------------------------


def engine(home: Path, tenant: str = "ana") -> Thalamus:
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    return Thalamus(tenant=tenant, **settings)


def findings(thalamus: Thalamus) -> list[tuple[str, str, str]]:
    with thalamus.store.verify() as verification:
        return [(found.table, found.id, found.what) for found in verification.findings()]


def test_what_somebody_else_changes_is_found(url: str, owner: Any, tmp_path: Path) -> None:
    with engine(tmp_path, "bo") as other:
        other.remember([Memory(content="The sea is calm.")])
    with engine(tmp_path) as thalamus:
        thalamus.turn("My sister Ana works at Bosch.")
        [added] = thalamus.remember([Memory(content="The tide is high.")])
        assert findings(thalamus) == []
        owner.execute("UPDATE memory SET topic = 'x' WHERE id = %s", (added.id,))
        assert findings(thalamus) == [("memory", added.id, "edited")]
        owner.execute("UPDATE memory SET topic = NULL WHERE id = %s", (added.id,))
        assert findings(thalamus) == []
        owner.execute("DELETE FROM event WHERE tenant = 'ana' AND seq = 2")
        assert ("event", "2", "removed") in findings(thalamus)
    with engine(tmp_path, "bo") as other:
        assert findings(other) == []


def test_personal_content_is_encrypted(url: str, owner: Any, tmp_path: Path) -> None:
    with engine(tmp_path) as thalamus:
        thalamus.remember([Memory(content=SECRET, sensitivity="personal")])
        thalamus.turn(f"My password is hunter2. {SECRET}")
        assert SECRET in {record.content for record in thalamus.memories.find()}
        assert findings(thalamus) == []
    query = "SELECT relname FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind = 'r'"
    for (table,) in owner.execute(query, (SCHEMA,)).fetchall():
        rows = owner.execute(f"SELECT * FROM {table}").fetchall()
        assert "gnome" not in str(rows) and "hunter2" not in str(rows), table


def test_another_key_writes_nothing(url: str, owner: Any, tmp_path: Path) -> None:
    with engine(tmp_path / "one") as thalamus:
        thalamus.remember([Memory(content="The tide is high.")])
    before = owner.execute("SELECT * FROM meta ORDER BY tenant, name").fetchall()
    with engine(tmp_path / "two") as thalamus, pytest.raises(BadKey):
        thalamus.remember([Memory(content="The tide is low.")])
    assert owner.execute("SELECT * FROM meta ORDER BY tenant, name").fetchall() == before
    assert owner.execute("SELECT count(*) FROM memory").fetchone() == (1,)


def test_everything_is_signed_again_with_a_new_key(url: str, tmp_path: Path) -> None:
    with engine(tmp_path) as thalamus:
        thalamus.remember([Memory(content="The tide is high.")])
        thalamus.keys.rotate()
        assert findings(thalamus) == []
        thalamus.remember([Memory(content="The tide is low.")])
        assert findings(thalamus) == []


def test_a_tenant_is_found_under_another_form_of_its_name(
    opened: Open, url: str, tmp_path: Path
) -> None:
    """Which an older version stored as it was typed."""
    composed, decomposed = "Zo\u00e9", "Zoe\u0301"
    put(opened(decomposed), "raft")
    with engine(tmp_path, decomposed) as thalamus:
        thalamus.remember([Memory(content="The sea is calm.")])
        assert len(thalamus.memories.find()) == 2
    assert len(names(opened(decomposed))) == 2
    assert len(names(opened(composed))) == 2


def test_names_of_users_in_another_form_are_joined(
    opened: Open, url: str, owner: Any, tmp_path: Path
) -> None:
    composed, decomposed = "Zo\u00e9", "Zoe\u0301"
    put(opened("ana"), "raft")
    owner.execute('UPDATE memory SET "user" = %s', (decomposed,))
    owner.execute("DELETE FROM meta WHERE name = 'spellings'")
    with Thalamus(home=str(tmp_path), tenant="ana", user=composed, model="scripted") as thalamus:
        assert len(thalamus.memories.find()) == 1
        assert thalamus.store.join("user", decomposed).counts == {"memory": 1}
        assert len(thalamus.memories.find()) == 1
    assert owner.execute('SELECT DISTINCT "user" FROM memory').fetchall() == [(composed,)]
