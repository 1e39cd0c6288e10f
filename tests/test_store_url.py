"""Addresses of databases: their parts, and passwords, which no output repeats."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.evaluating import talk
from tests.conftest import Result
from thalamus.config import load
from thalamus.errors import ConfigError
from thalamus.store_url import StoreUrl, parse_store_url

pytestmark = pytest.mark.storeless

Run = Callable[..., Result]
MARK = "s3same"  # the password
NOWHERE = "postgresql://app@127.0.0.1:1/memory"  # nothing listens there


@pytest.mark.parametrize(
    ("text", "libpq", "schema", "shown"),
    [
        ("postgresql://app@host:5/db",) * 2 + ("thalamus", "postgresql://app@host:5/db"),
        (
            "postgres://app@host/db?sslmode=require&schema=team_1",
            "postgresql://app@host/db?sslmode=require",
            "team_1",
            "postgresql://app@host/db",
        ),
        (
            "postgresql://app:@/db?host=%2Ftmp%2Fa+b",  # a socket; an empty password is none
            "postgresql://app@/db?host=%2Ftmp%2Fa+b",
            "thalamus",
            "postgresql://app@/db?host=%2Ftmp%2Fa+b",
        ),
        (
            "postgresql://one:1,[::1]:2?target_session_attrs=primary",
            "postgresql://one:1,[::1]:2/?target_session_attrs=primary",
            "thalamus",
            "postgresql://one:1,[::1]:2/",
        ),
    ],
)
def test_the_parts_of_an_address(text: str, libpq: str, schema: str, shown: str) -> None:
    assert parse_store_url(text) == StoreUrl(libpq, schema, shown)
    where = shown if schema == "thalamus" else f"{shown}, schema {schema}"
    assert parse_store_url(text).place("ana") == f"{where}, tenant ana"


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://app:{MARK}@host/db",
        f"postgresql://app:{MARK}@more@host/db",
        f"postgresql://app:{MARK}/more@host/db",
        f"postgresql://app:{MARK}?more@host/db",
        f"postgresql://app:{MARK}#more@host/db",
        f"postgresql://app@host/db?password={MARK}",
        f"postgresql://app@host/db?p%61ssword={MARK}",
        f"postgresql://app@host/db?sslpassword={MARK}",
        f"postgresql://app@host/db?{MARK}",
        f"host=host password={MARK}",
        f"https://app:{MARK}@host/db",
        f"postgresql:app:{MARK}@host/db",
    ],
)
def test_a_password_is_refused_and_not_repeated(text: str, run: Run, home: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_store_url(text)
    assert MARK not in f"{caught.value.message} {caught.value.advice}"
    with pytest.raises(ConfigError) as caught:
        load({"store": text, "home": str(home)})
    assert MARK not in f"{caught.value.message} {caught.value.advice}"


def test_the_advice_for_a_password(run: Run, home: Path) -> None:
    text = f"postgresql://app:{MARK}@host/db"
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.yaml").write_text(f"user: jo\nstore: {text}\n")
    debug = {"THALAMUS_LOG_LEVEL": "debug", "THALAMUS_LOG_PROMPTS": "1"}
    for done in (
        run("facts", env=debug),
        run("facts", "--store", text, env=debug),
        run("facts", env=debug | {"THALAMUS_STORE": text}),
        run("config", "show", env=debug),
        run("config", "check", env=debug),
        run("doctor", "--no-model", env=debug),
        run("config", "set", "store", text, env=debug),
    ):
        assert done.code in (1, 2), done.stderr
        said = done.stdout + done.stderr
        assert MARK not in said
        assert "must not contain a password" in said
        assert "Put the password into ~/.pgpass or PGPASSWORD." in said or "config.yaml" in said
    assert "line 2" in run("facts").stderr


@pytest.mark.parametrize(
    "text",
    [
        f'store: "postgresql://app:{MARK}@host/db\nuser: jo\n',  # a quote is missing
        f"store: {{url: 'postgresql://app:{MARK}@host/db'}}\n",
        f"store:\n  - postgresql://app:{MARK}@host/db\n",
        f"user: jo\n store: postgresql://app:{MARK}@host/db\n",
    ],
)
def test_a_damaged_file_is_not_quoted(text: str, run: Run, home: Path) -> None:
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.yaml").write_text(text)
    for arguments in (
        ["facts"],
        ["config", "show"],
        ["config", "check"],
        ["doctor", "--no-model"],
    ):
        done = run(*arguments, env={"THALAMUS_LOG_LEVEL": "debug"})
        assert done.code in (1, 2)
        assert MARK not in done.stdout + done.stderr


@pytest.mark.parametrize("schema", ["", "1st", "pg_mine", "Team", "a;b", "a" * 64, 'a"b'])
def test_schemas_are_plain_identifiers(schema: str) -> None:
    with pytest.raises(ConfigError, match="schema"):
        parse_store_url(f"postgresql://app@host/db?schema={schema}")


def test_an_address_is_shown_with_its_user(run: Run) -> None:
    found = {
        record["name"]: record for record in run("config", "--json", "--store", NOWHERE).records
    }
    assert (found["store"]["value"], found["store"]["origin"]) == (NOWHERE, "flag")


def test_the_demo_never_uses_the_database(run: Run) -> None:
    done = run("demo", "--scripted", env={"THALAMUS_STORE": NOWHERE})
    assert done.code == 0, done.stderr
    assert f"{NOWHERE}, tenant default" in done.stdout  # where one's own memory is


def test_eval_never_writes_to_the_database(run: Run, tmp_path: Path) -> None:
    cases = tmp_path / "cases.json"
    cases.write_text(json.dumps([talk()]))
    env = {"THALAMUS_STORE": NOWHERE, "THALAMUS_MIN_RELEVANCE": "0"}
    done = run("eval", "retrieval", str(cases), "--format", "locomo", "--json", env=env)
    assert done.code == 0, done.stderr
    assert done.records[0]["questions"] == 10
