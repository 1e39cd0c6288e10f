"""Tables that an administrator has changed: with `--store postgres`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import Result
from tests.stored import ROLE, SCHEMA

psycopg = pytest.importorskip("psycopg")

from thalamus.errors import StoreBusy, StoreDamaged, UnsafeTables, UsageError  # noqa: E402
from thalamus.store.options import StoreOptions  # noqa: E402
from thalamus.store.postgres import definitions, schema  # noqa: E402
from thalamus.store.postgres.store import PostgresStore  # noqa: E402
from thalamus.store_url import StoreUrl, parse_store_url  # noqa: E402

Run = Callable[..., Result]
NAME = f"{SCHEMA}_form"


@pytest.fixture
def owners(server: str, owner: Any) -> Iterator[StoreUrl]:
    """The address of tables that nobody else uses, for their owner."""
    address = parse_store_url(f"{server}&schema={NAME}")
    schema.initialize(address, ROLE)
    yield address
    owner.execute(f"DROP SCHEMA IF EXISTS {NAME} CASCADE")
    owner.execute(f"DROP SCHEMA IF EXISTS {NAME}_mine CASCADE")


def changes(url: str) -> list[str]:
    """What `doctor` finds changed in the tables."""
    place = parse_store_url(f"{url}&schema={NAME}")
    store = PostgresStore(place, StoreOptions(create=True))
    try:
        return [change.detail for change in store.server().changes]
    finally:
        store.close()


def test_nothing_is_changed_at_first(owners: StoreUrl, url: str) -> None:
    assert changes(url) == []
    assert schema.initialize(owners).repaired == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("DROP INDEX {}.memory_time", "the index memory_time of memory is missing"),
        (
            "ALTER TABLE {}.fact DROP CONSTRAINT fact_tenant_id_key",
            "the constraint UNIQUE (tenant, id) of fact is missing",
        ),
        ("DROP VIEW {}.entry", "the view entry is missing"),
        (
            "ALTER VIEW {}.entry SET (security_invoker = false)",
            "the view entry is read with the rights of its owner, not read with the rights of its"
            " user",
        ),
        (
            "ALTER POLICY tenant ON {}.turn USING (true)",
            "row level security of turn is off or changed",
        ),
    ],
)
def test_what_is_dropped_is_found_and_made_again(
    owners: StoreUrl, url: str, owner: Any, statement: str, found: str
) -> None:
    owner.execute(statement.format(NAME))
    assert changes(url) == [found]
    assert len(schema.initialize(owners).repaired) == 1
    assert changes(url) == []


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE {}.memory NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE {}.memory DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON {}.memory",
        "CREATE POLICY everyone ON {}.memory USING (true)",
    ],
)
def test_without_row_level_security_no_store_is_opened(
    owners: StoreUrl, url: str, owner: Any, statement: str, run: Run
) -> None:
    owner.execute(statement.format(NAME))
    with pytest.raises(UnsafeTables, match="memory is off"):
        changes(url)
    address = {"THALAMUS_STORE": f"{url}&schema={NAME}"}
    refused = run("facts", env=address)
    assert refused.code == 2 and "thalamus store init URL" in refused.stderr
    assert schema.initialize(owners).repaired == ["row level security of memory"]
    assert changes(url) == []


def test_a_column_cannot_be_made_again(
    owners: StoreUrl, url: str, owner: Any, run: Run, server: str
) -> None:
    owner.execute(f"ALTER TABLE {NAME}.stage_log DROP COLUMN reply")
    owner.execute(f"ALTER TABLE {NAME}.link ALTER COLUMN source TYPE varchar(9)")
    owner.execute(f"DROP TABLE {NAME}.alias")
    owner.execute(f"CREATE RULE nothing AS ON DELETE TO {NAME}.batch DO INSTEAD NOTHING")
    assert changes(url) == [
        "the table is missing",
        "the rule nothing of batch is foreign",
        'the column source of link is character varying, not text COLLATE "C"',
        "the column reply of stage_log is missing",
    ]
    with pytest.raises(StoreDamaged, match="the table alias is missing"):
        schema.initialize(owners)
    address = {"THALAMUS_STORE": f"{url}&schema={NAME}"}
    found = run("doctor", "--no-model", "--json", env=address)
    [check] = [check for check in found.records if check["name"] == "tables"]
    assert check["state"] == "problem" and "(and 3 more)" in check["detail"]


def test_views_and_tables_of_others_stay(
    owners: StoreUrl, url: str, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = ("ALTER TABLE memory ADD COLUMN colour TEXT",)
    monkeypatch.setattr(schema, "OWN", (*definitions.OWN, later))
    owner.execute(f"CREATE TABLE {NAME}.notes (text TEXT)")
    owner.execute(f"CREATE VIEW {NAME}.longest AS SELECT max(length(text)) FROM {NAME}.notes")
    owner.execute(f"CREATE SCHEMA {NAME}_mine")
    owner.execute(f"CREATE VIEW {NAME}_mine.mine AS SELECT id FROM {NAME}.entry")
    with pytest.raises(UsageError, match=f"view {NAME}_mine.mine depends on view entry"):
        schema.initialize(owners)
    owner.execute(f"DROP VIEW {NAME}_mine.mine")
    schema.initialize(owners)
    assert owner.execute(f"SELECT * FROM {NAME}.longest").fetchall() == [(None,)]
    query = "SELECT relrowsecurity FROM pg_class WHERE oid = %s::regclass"
    assert owner.execute(query, (f"{NAME}.notes",)).fetchone() == (False,)


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        (
            "CREATE TRIGGER shout BEFORE INSERT ON {0}.memory FOR EACH ROW"
            " EXECUTE FUNCTION {0}.nothing()",
            f"TRIGGER shout ON {NAME}.memory",
        ),
        ("CREATE RULE quiet AS ON INSERT TO {0}.memory DO NOTHING", f"RULE quiet ON {NAME}.memory"),
    ],
)
def test_foreign_triggers_and_rules_stop_all_writing(
    owners: StoreUrl, url: str, owner: Any, run: Run, statement: str, shown: str
) -> None:
    address = {"THALAMUS_STORE": f"{url}&schema={NAME}"}
    assert run("facts", "add", "Ana", "works_at", "Bosch", env=address).code == 0
    owner.execute(
        f"CREATE FUNCTION {NAME}.nothing() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN RETURN new; END'"
    )
    owner.execute(statement.format(NAME))
    refused = run("facts", "add", "Ana", "lives_in", "Porto", env=address)
    assert refused.code == 1 and f"DROP {shown}." in refused.stderr
    assert "Bosch" in run("facts", env=address).stdout
    owner.execute(f"DROP {shown}")
    assert run("facts", "add", "Ana", "lives_in", "Porto", env=address).code == 0


def test_tables_in_use_are_not_waited_for_without_end(owners: StoreUrl, owner: Any) -> None:
    owner.execute(f"DROP INDEX {NAME}.memory_time")
    with psycopg.connect(owners.libpq) as other:
        other.execute(f"LOCK TABLE {NAME}.memory IN ROW EXCLUSIVE MODE")
        with pytest.raises(StoreBusy):
            schema.initialize(owners, busy_timeout=0.1)
    assert schema.initialize(owners).repaired == ["the index memory_time of memory"]
