"""`thalamus token`: what is kept of a token, and what is shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import Result
from thalamus.records.schemas import schema

Run = Callable[..., Result]


def test_a_token_is_shown_once(run: Run, home: Path) -> None:
    run("store", input='{"record":"memory","content":"The user has a hat."}')
    made = run("token", "create", "phone", "--expires", "30d", "--user", "ana")
    text = made.stdout.strip()
    assert text.startswith("thalamus_") and len(text) > 40
    assert made.stderr == (
        "phone: redacted, active, user ana, until 2026-06-07. It is not shown again.\n"
    )
    file = home / "config" / "tokens.json"
    assert file.stat().st_mode & 0o777 == 0o600
    run("store", "backup", "copy.db")
    shown = [run("token").stdout, run("token", "list", "--json").stdout, run("export").stdout]
    assert not any(text in output for output in shown)
    holds = [path for path in home.parent.rglob("*") if path.is_file()]
    assert [path for path in holds if text.encode() in path.read_bytes()] == []
    digest = json.loads(file.read_text())[0]["digest"]
    assert [path for path in holds if digest.encode() in path.read_bytes()] == [file]
    assert not any(digest in output for output in shown)


def test_create_list_and_revoke(run: Run) -> None:
    assert "no tokens yet" in run("token").stderr
    [made] = run("token", "create", "desk", "--role", "full", "--json").records
    jsonschema.validate(made, schema("token"))
    assert made["token"] and made["role"] == "full" and made["expires_at"] is None
    run("token", "create", "phone", "--agent", "watch")
    assert run("token").stdout == "desk: full, active\nphone: redacted, active, agent watch\n"
    assert run("token", "revoke", "desk").stdout == "desk: full, revoked\n"
    assert run("token", "list").stdout.startswith("desk: full, revoked\n")
    assert [token["token"] for token in run("token", "list", "--json").records] == [None, None]


def test_a_name_stands_for_one_token(run: Run) -> None:
    run("token", "create", "phone")
    again = run("token", "create", "phone")
    assert again.code == 2 and "already a token 'phone'" in again.stderr and not again.stdout
    assert run("token", "create", "phone", "--tenant", "work").code == 0
    run("token", "revoke", "phone")
    assert run("token", "create", "phone").code == 0
    assert run("token").stdout == "phone: redacted, active\n"
    assert run("token", "list", "--tenant", "work").stdout == "phone: redacted, active\n"


def test_an_expired_token_is_listed_as_such(run: Run) -> None:
    run("token", "create", "phone", "--expires", "12h", env={"THALAMUS_NOW": "2026-05-01T00:00Z"})
    assert run("token").stdout == "phone: redacted, expired\n"
    assert run("token", "create", "phone").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("create", "x", "--role", "admin"), "invalid --role 'admin' (choose full or redacted)"),
        (("create", "x", "--expires", "soon"), "invalid --expires 'soon'"),
        (("create", "x", "--expires", "0d"), "invalid --expires '0d'"),
        (("create", "x", "--expires", "999999y"), "invalid --expires '999999y'"),
        (("create", "x" * 65), "at most 64 printable characters"),
        (("create", " "), "at most 64 printable characters"),
        (("revoke", "x"), "Cannot find the token 'x'."),
    ],
)
def test_what_is_refused(run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run("token", *arguments)
    assert done.code in (1, 2, 4) and message in done.stderr and not done.stdout


def test_a_list_that_others_can_read_is_refused(run: Run, home: Path) -> None:
    run("token", "create", "phone")
    (home / "config" / "tokens.json").chmod(0o644)
    refused = run("token")
    assert refused.code == 2 and "chmod 600" in refused.stderr
    assert "create the tokens again" in refused.stderr and "a new one" not in refused.stderr
