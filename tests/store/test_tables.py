"""Rows of several tenants in the same tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import pytest

from thalamus.store.schema import scoped
from thalamus.store.tables import ColumnInfo, Tables

pytestmark = pytest.mark.storeless

SHARED = (
    "CREATE TABLE link (tenant TEXT, source TEXT, relation TEXT, target TEXT,"
    " PRIMARY KEY (tenant, source, relation, target))",
    "CREATE TABLE memory (tenant TEXT, key INTEGER, id TEXT, status TEXT,"
    " PRIMARY KEY (tenant, key))",
    "CREATE TABLE concept (tenant TEXT, n INTEGER, folded TEXT, PRIMARY KEY (tenant, n))",
    "CREATE TABLE about (tenant TEXT, key INTEGER, concept INTEGER)",
    "CREATE TABLE encrypted (tenant TEXT, kind TEXT, id TEXT)",
)


class SharedTables(Tables):
    def describe(self, table: str) -> list[ColumnInfo]:
        return []

    def translated(self, sql: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
        return scoped(sql, self._tenant), [*values]


@pytest.fixture
def tenants() -> tuple[SharedTables, SharedTables]:
    """Tables of Ana and of Bo, each with a memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in SHARED:
        connection.execute(statement)
    ana, bo = SharedTables(connection, "'ana'"), SharedTables(connection, "'bo'")
    for tables in (ana, bo):
        tables.insert("memory", ("key", "id", "status"), [(1, "mem_1", "active")])
    return ana, bo


def test_a_tenant_reads_its_own_rows(tenants: tuple[SharedTables, SharedTables]) -> None:
    ana, bo = tenants
    ana.insert("memory", ("key", "id", "status"), [(2, "mem_2", "active")])
    assert len(ana.fetch("SELECT id FROM memory")) == 2
    assert len(bo.fetch("SELECT id FROM memory WHERE id IN ('mem_1', 'mem_2')")) == 1
    joined = "SELECT count(*) FROM memory JOIN memory AS m ON true"
    assert bo.fetch(joined)[0][0] == 1


def test_a_tenant_changes_its_own_rows(tenants: tuple[SharedTables, SharedTables]) -> None:
    ana, bo = tenants
    assert ana.update("memory", {"status": "deleted"}, "id = ?", "mem_1") == 1
    assert bo.fetch("SELECT status FROM memory")[0][0] == "active"
    assert ana.delete("memory", "true") == 1
    assert len(bo.fetch("SELECT id FROM memory")) == 1


@pytest.mark.parametrize("replace", [True, False])
def test_a_row_replaces_one_of_its_tenant(
    tenants: tuple[SharedTables, SharedTables], replace: bool
) -> None:
    ana, bo = tenants
    columns = ("key", "id", "status")
    ana.insert("memory", columns, [(1, "mem_1", "stale")], key=("key",), replace=replace)
    assert ana.fetch("SELECT status FROM memory")[0][0] == ("stale" if replace else "active")
    assert bo.fetch("SELECT status FROM memory")[0][0] == "active"


def test_conditions_on_other_tables_are_the_tenants_too(
    tenants: tuple[SharedTables, SharedTables],
) -> None:
    ana, bo = tenants
    ana.insert("link", ("source", "relation", "target"), [("mem_1", "about", "mem_1")])
    ana.insert("encrypted", ("kind", "id"), [("memory", "mem_1")])
    ana.insert("concept", ("n", "folded"), [(7, "rex")])
    ana.insert("about", ("key", "concept"), [(1, 7)])
    bo.insert("about", ("key", "concept"), [(1, 7)])
    conditions = (
        "id IN (SELECT source FROM link)",
        "id IN (SELECT id FROM encrypted WHERE kind = 'memory')",
        "key IN (SELECT key FROM about WHERE concept IN (SELECT n FROM concept))",
    )
    for condition in conditions:
        assert len(ana.fetch(f"SELECT id FROM memory WHERE {condition}")) == 1
        assert bo.fetch(f"SELECT id FROM memory WHERE {condition}") == []
