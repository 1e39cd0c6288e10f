"""Who is admitted over HTTP with which token, and what each of them sees."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.conftest import Result
from tests.marked import MARK, fill
from tests.serving.conftest import HttpServer, call, failure, text_of, using
from thalamus.api import Thalamus

Run = Callable[..., Result]
ACCEPT = b"application/json, text/event-stream"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def created(run: Run, name: str, *options: str, **env: str) -> str:
    done = run("token", "create", name, *options, env=env)
    assert done.code == 0, done.stderr
    return done.stdout.strip()


def answer(server: HttpServer, token: str) -> tuple[int, str, dict[str, str]]:
    """The status, the body and the headers of the answer to a token, without those that differ
    between any two."""
    headers = {"Authorization": f"Bearer {token}".encode(), "Accept": ACCEPT}
    got = httpx2.post(server.url, json=PING, headers=headers)
    kept = {name: value for name, value in got.headers.items() if name != "date"}
    return got.status_code, got.text, kept


def end(server: HttpServer) -> None:
    """Ends a server and waits for it, since refused attempts may be written as late as then."""
    server.process.terminate()
    server.process.wait()


def refusals(run: Run) -> list[dict[str, int]]:
    events = run("export", "--kind", "event").records
    return [event["data"]["attempts"] for event in events if event["name"] == "access_refused"]


def test_a_redacted_token_never_sees_a_mark(thalamus: Thalamus, http: Any, run: Run) -> None:
    fill(thalamus)
    thalamus.close()
    token = created(run, "phone", "--role", "redacted")
    seen: list[str] = []

    async def refused(work: Any) -> None:
        with pytest.raises(Exception) as caught:
            await work
        seen.append(str(caught.value))

    async def work() -> None:
        async with replace(server, token=token).client() as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["retrieve", "facts", "profile"]
            found = await call(client, "retrieve", query="Where are the herons?", limit=50)
            assert found["evidence"]
            known = await call(client, "facts", history=True)
            assert [fact["object"] for fact in known["facts"]] == ["herons"]
            resources = (await client.list_resources()).resources
            contents = [await client.read_resource(item.uri) for item in resources]
            prompt = await client.get_prompt("recall", {"question": "Where are the herons?"})
            seen.extend(map(repr, (tools, found, known, resources, contents, prompt)))
            seen.append(repr(await call(client, "profile")))
            seen.append(await failure(client, "retrieve", query="x", since="soon"))
            seen.append(await failure(client, "retrieve", query="x", user="ben"))
            for tool in ("why", "remember", "forget", "x"):
                await refused(client.call_tool(tool, {"id": "mem", "text": "x", "query": "x"}))
            await refused(client.read_resource("thalamus://document/doc_"))
            await refused(client.list_resources(cursor="x"))

    with http() as server:
        using(work)
    assert "Herons come at dawn." in " ".join(seen)
    assert [text for text in seen if MARK in text] == []


def test_a_masked_subject_is_not_found_by_its_name(http: Any, run: Run) -> None:
    run("facts", "add", "Zebulon", "likes", "tea")
    token = created(run, "phone")

    async def work() -> None:
        async with replace(server, token=token).client() as client:
            assert (await call(client, "facts", subject="Zebulon"))["facts"] == []
            [fact] = (await call(client, "facts"))["facts"]
            assert (fact["subject"], fact["object"]) == ("[PERSON_1]", "tea")

    with http() as server:
        using(work)


def test_a_full_token_does_what_the_own_one_does(http: Any, run: Run) -> None:
    token = created(run, "desk", "--role", "full", "--agent", "desk")

    async def work() -> None:
        async with replace(server, token=token).client() as client:
            await call(client, "remember", text="The user has a hat.")
            shown = await call(client, "forget", query="hat")
            assert not shown["done"]

    with http() as server:
        using(work)
    [memory] = run("memory", "--json").records
    assert memory["agent"] == "desk"


def test_a_token_reaches_its_user_only(http: Any, run: Run) -> None:
    for user, thing in (("ana", "spoon"), ("ben", "fork")):
        content = f"The safe opens with a {thing}."
        record = {"record": "memory", "content": content, "id": f"mem_{user}", "user": user}
        run("store", input=json.dumps(record))
    tokens = {user: created(run, user, "--role", "full", "--user", user) for user in ("ana", "ben")}

    async def work() -> None:
        async with replace(server, token=tokens["ana"]).client() as client:
            found = await call(client, "retrieve", query="How does the safe open?")
            assert [item["id"] for item in found["evidence"]] == ["mem_ana"]
            theirs = [await failure(client, "why", id="mem_ben")]
            theirs.append(await failure(client, "forget", id="mem_ben", dry_run=True))
            unknown = [await failure(client, "why", id="mem_xyz")]
            unknown.append(await failure(client, "forget", id="mem_xyz", dry_run=True))
            assert [text.replace("ben", "xyz") for text in theirs] == unknown
            assert (await call(client, "why", id="mem_"))["id"] == "mem_ana"  # completed to hers

    with http() as server:
        using(work)
    with http("--user", "ben") as server:
        assert answer(server, tokens["ben"])[0] not in (401, 403)
        assert answer(server, tokens["ana"]) == answer(server, "unknown-and-long-enough")
        end(server)
    assert {"ana: of another user": 1} in refusals(run)


@pytest.fixture
def store(run: Run) -> None:
    run("store", input='{"record":"memory","content":"The user has a hat."}')


@pytest.mark.usefixtures("store")
def test_wrong_expired_and_revoked_tokens_are_answered_alike(
    http: Any, run: Run, environment: dict[str, str]
) -> None:
    old = {"THALAMUS_NOW": "2020-01-01T00:00:00Z"}
    expired = created(run, "old", "--expires", "30d", **old)
    revoked, valid = created(run, "lost", "--role", "full"), created(run, "phone")
    other = created(run, "other", "--tenant", "work")
    with http() as server:
        assert answer(server, revoked)[0] not in (401, 403)
        assert run("token", "revoke", "lost").code == 0
        wrong = answer(server, "x" * 52)
        assert wrong[0] == 401 and "WWW-Authenticate".lower() in wrong[2]
        for token in (expired, revoked, other, f"{valid}x", valid[:-1], "ä"):
            assert answer(server, token)[:2] == wrong[:2], token
        assert answer(server, valid)[0] not in (401, 403)
        end(server)
    found = sum(map(Counter, refusals(run)), Counter[str]())
    assert found == {"unknown": 5, "old: expired": 1, "lost: revoked": 1}
    ledger = run("export", "--kind", "event").stdout
    assert not any(token in ledger for token in (expired, revoked, valid, other))
    assert run("doctor", "--signatures").code == 0


def test_a_session_belongs_to_the_token_that_began_it(http: Any, run: Run) -> None:
    one, other = created(run, "one"), created(run, "other", "--role", "full")
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    with http() as server:
        headers = {"Accept": "application/json, text/event-stream"}
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        first = headers | {"Authorization": f"Bearer {other}"}
        began = httpx2.post(server.url, json=body, headers=first)
        session = {"Mcp-Session-Id": began.headers["mcp-session-id"]}
        assert httpx2.post(server.url, json=PING, headers=first | session).status_code == 200
        second = headers | {"Authorization": f"Bearer {one}"}
        assert httpx2.post(server.url, json=PING, headers=second | session).status_code == 404


def test_a_damaged_list_of_tokens_admits_only_the_own_one(http: Any, run: Run, home: Path) -> None:
    token = created(run, "phone")
    file = home / "config" / "tokens.json"
    with http() as server:
        file.chmod(0o644)
        assert answer(server, token)[0] == 401
        assert answer(server, server.token)[0] not in (401, 403)
        file.chmod(0o600)
        assert answer(server, token)[0] not in (401, 403)


def test_standard_input_needs_no_token(environment: dict[str, str], run: Run) -> None:
    from tests.serving.conftest import stdio

    async def work() -> None:
        async with stdio(environment) as client:
            result = await client.call_tool("profile", {})
            assert not result.is_error, text_of(result)

    using(work)
