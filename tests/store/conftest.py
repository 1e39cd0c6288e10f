"""Fixtures of the storage tests: a PostgreSQL database, and a store that holds everything."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.store.everything import fill
from tests.stored import SCHEMA, as_role


@pytest.fixture
def url(server: str) -> str:
    """The address of the database for the role that uses it; skips the test without one."""
    if not server:
        pytest.skip("needs --store postgres")
    return as_role(server)


@pytest.fixture
def owner(server: str, url: str) -> Iterator[Any]:
    """A connection of a superuser, who sees the rows of all tenants, and the pages."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"SET search_path TO {SCHEMA}, public")
        yield connection


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose store holds everything; it is not to be changed."""
    home = tmp_path_factory.mktemp("everything")
    fill(home)
    return home


@pytest.fixture
def full(made: Path, tmp_path: Path) -> Path:
    """A home of one's own with that store."""
    home = tmp_path / "full"
    shutil.copytree(made, home)
    return home
