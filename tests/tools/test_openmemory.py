"""memory_query and memory_store with the memory of an MCP server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.tools.conftest import Engine, bad, good
from tests.tools.test_mcp_client import TO_CONTEXT, TO_WORLD, call, failure

OPEN = {"memory_backend": "openmemory"}


def server(tmp_path: Path, **settings: Any) -> dict[str, Any]:
    return {"command": good(), "env": {"KEPT": str(tmp_path / "kept")}, **settings}


def kept(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "kept"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_what_is_stored_there_is_found_there(engine: Engine, tmp_path: Path) -> None:
    with engine({"openmemory": server(tmp_path)}, user="jo", **OPEN) as thalamus:
        stored = call(thalamus, "memory_store", content="The tea is in the tin.")
        assert stored == {"decision": "stored", "content": "The tea is in the tin."}
        found = call(thalamus, "memory_query", query="tea")
        assert found == {"items": [{"id": "om-0", "text": "The tea is in the tin."}]}
        assert call(thalamus, "memory_query", query="coffee") == {"items": []}
        assert thalamus.open_store() is None  # nothing of it is here
        assert thalamus.tools.get("memory_query").source == "mcp"
    assert kept(tmp_path) == [{"content": "The tea is in the tin.", "user": "jo"}]


def test_the_server_that_has_the_tools_is_found(engine: Engine, tmp_path: Path) -> None:
    servers = {"other": bad("", tmp_path), "mine": server(tmp_path)}
    with engine(servers, **OPEN) as thalamus:
        call(thalamus, "memory_store", content="The tea is in the tin.")
    assert len(kept(tmp_path)) == 1
    with engine({"other": bad("", tmp_path)}, **OPEN) as thalamus:
        assert failure(thalamus, "memory_query", query="tea") == (
            "no MCP server has the tool openmemory_query"
        )


def test_what_may_not_be_kept_is_not_sent(engine: Engine, tmp_path: Path) -> None:
    script = [
        TO_WORLD,
        {
            "role": "act",
            "calls": [{"name": "memory_store", "arguments": {"content": "Anna is a thief."}}],
            "times": 1,
        },
        {"role": "act", "reply": "Done."},
    ]
    servers = {"openmemory": server(tmp_path)}
    remember = {"preference": "never"}
    with engine(servers, script, flow="routed", remember=remember, **OPEN) as thalamus:
        refused = call(thalamus, "memory_store", content="My password is hunter2!x.")
        assert refused == {
            "decision": "refuse",
            "reason": "it is personal, and would leave this store",
        }
        refused = call(thalamus, "memory_store", content="I like tea.", type="preference")
        assert refused["decision"] == "refuse"
        turn = thalamus.turn("Make a note that the tea is in the tin.")
        [made] = [one for one in turn.tool_calls or [] if one.stage == "act"]
        assert made.result["decision"] == "refuse"  # the user did not say it
    with engine(servers, memory=False, **OPEN) as thalamus:
        assert call(thalamus, "memory_store", content="The tea is here.")["decision"] == "refuse"
        assert call(thalamus, "memory_query", query="tea") == {"items": []}
    assert kept(tmp_path) == []


def test_a_turn_recalls_from_there_and_takes_it_for_no_evidence(
    engine: Engine, tmp_path: Path
) -> None:
    script = [
        TO_CONTEXT,
        {
            "role": "gather",
            "reply": {"next": "memory_retriever", "memory_request": {"query": "tea tin", "k": 3}},
            "times": 1,
        },
        {"role": "gather", "reply": {"next": "nothing"}},
    ]
    servers = {"openmemory": server(tmp_path)}
    with engine(servers, script, flow="routed", enable_reflection=False, **OPEN) as thalamus:
        call(thalamus, "memory_store", content="The tea is in the blue tin.")
        turn = thalamus.turn("Where is the tea?")
    [source] = [one for one in turn.context.sources if one.tool == "memory_query"]
    assert (source.kind, [item.text for item in source.items]) == (
        "memories",
        ["- The tea is in the blue tin."],
    )
    assert turn.evidence == []


def test_a_server_that_is_gone_is_one_issue(engine: Engine, tmp_path: Path) -> None:
    script = [
        TO_CONTEXT,
        {
            "role": "gather",
            "reply": {"next": "memory_retriever", "memory_request": {"query": "tea", "k": 3}},
            "times": 1,
        },
        {"role": "gather", "reply": {"next": "nothing"}},
    ]
    servers = {"openmemory": bad("exit", tmp_path)}
    with engine(servers, script, flow="routed", enable_reflection=False, **OPEN) as thalamus:
        turn = thalamus.turn("Where is the tea?")
    assert [issue.code for issue in turn.issues if issue.code == "mcp"] == ["mcp"]
    assert turn.answer
