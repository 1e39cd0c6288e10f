"""Notes of an MCP server, such as an Obsidian vault: searched and read, never written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.tools.conftest import Engine, bad, good
from tests.tools.test_mcp_client import TO_CONTEXT, call, failure
from thalamus.tools.foreign_results import FoundNote, found_in
from thalamus.tools.mcp import ToolAnswer


def vault() -> dict[str, Any]:
    return {"command": good(), "notes": {"search": "search_notes", "read": "read_note"}}


def test_notes_are_searched_and_read(engine: Engine) -> None:
    with engine({"vault": vault()}) as thalamus:
        found = call(thalamus, "notes_search", query="thyme")
        assert found == {
            "items": [{"path": "Garden/Herbs.md", "text": "Plant thyme and sage in April."}]
        }
        read = call(thalamus, "notes_read", path="Garden/Tools.md")
        assert read == {"path": "Garden/Tools.md", "text": "The spade is at Anna's."}
        assert call(thalamus, "notes_search", query="zebra") == {"items": []}


def test_notes_are_there_for_gather_without_starting_the_server(
    engine: Engine, tmp_path: Any
) -> None:
    server = bad("", tmp_path, notes={"search": "say"})
    with engine({"vault": server}) as thalamus:
        tool = thalamus.tools.get("notes_search")
        assert (tool.stages, tool.effect, tool.source) == (["gather"], "read", "mcp")
        assert [one.name for one in thalamus.tools.find("gather") if one.source == "mcp"] == [
            "notes_search"
        ]
    assert not (tmp_path / "pids").exists()


def test_without_notes_there_are_no_such_tools(engine: Engine) -> None:
    with engine({"good": {"command": good()}}) as thalamus:
        assert "no tool 'notes_search'" in failure(thalamus, "notes_search", query="a")


def test_a_note_is_two_kilobytes_at_most(engine: Engine) -> None:
    with engine({"vault": vault()}) as thalamus:
        text = call(thalamus, "notes_read", path="Long.md")["text"]
        assert len(text.encode()) <= 2000
        assert text.endswith("… (cut)")
        [note] = call(thalamus, "notes_search", query="long")["items"]
        assert len(note["text"].encode()) <= 2000


def test_a_tool_that_is_not_there_is_an_error(engine: Engine) -> None:
    wrong = {"command": good(), "notes": {"search": "find_notes"}}
    with engine({"vault": wrong}) as thalamus:
        assert failure(thalamus, "notes_search", query="a") == (
            "the MCP server vault has no tool find_notes"
        )


def test_a_turn_gathers_notes(engine: Engine) -> None:
    script = [
        TO_CONTEXT,
        {
            "role": "gather",
            "reply": {"next": "notes_search", "args": {"query": "herbs thyme"}},
            "times": 1,
        },
        {"role": "gather", "reply": {"next": "nothing"}},
    ]
    with engine({"vault": vault()}, script, flow="routed", enable_reflection=False) as thalamus:
        turn = thalamus.turn("When did I want to plant thyme?")
    [source] = [one for one in turn.context.sources if one.kind == "notes"]
    assert source.title == "notes"
    assert source.items[0].text == "Garden/Herbs.md: Plant thyme and sage in April."
    assert all(item.kind != "notes" for item in turn.evidence)
    assert not [issue for issue in turn.issues if issue.code == "mcp"]


def test_a_vault_that_is_gone_is_one_issue(engine: Engine, tmp_path: Any) -> None:
    script = [
        TO_CONTEXT,
        {"role": "gather", "reply": {"next": "notes_search", "args": {"query": "a"}}, "times": 1},
        {"role": "gather", "reply": {"next": "notes_search", "args": {"query": "b"}}, "times": 1},
        {"role": "gather", "reply": {"next": "nothing"}},
    ]
    server = bad("exit", tmp_path, notes={"search": "say"})
    with engine({"vault": server}, script, flow="routed", enable_reflection=False) as thalamus:
        turn = thalamus.turn("When did I want to plant thyme?")
    assert [issue.code for issue in turn.issues if issue.code == "mcp"] == ["mcp"]
    assert [one.name for one in turn.tool_calls or [] if one.error] == ["notes_search"] * 2
    assert turn.answer


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        # a text
        (
            ToolAnswer(("Thyme is in the third bed.",)),
            [FoundNote(text="Thyme is in the third bed.")],
        ),
        # a list of paths, with a heading
        (
            ToolAnswer(("Found 2 notes:\n- Garden/My herbs.md\n- Tools.md",)),
            [FoundNote("Garden/My herbs.md"), FoundNote("Tools.md")],
        ),
        # JSON with the places that match
        (
            ToolAnswer(
                (
                    json.dumps(
                        [
                            {
                                "filename": "Herbs.md",
                                "score": 1,
                                "matches": [{"context": "thyme"}, {"context": "sage"}],
                            }
                        ]
                    ),
                )
            ),
            [FoundNote("Herbs.md", "thyme … sage")],
        ),
        # structured, as most SDKs wrap a list
        (ToolAnswer(("Herbs.md",), {"result": ["Herbs.md"]}), [FoundNote("Herbs.md")]),
        (
            ToolAnswer(("",), {"results": [{"path": "a.md", "content": "text"}]}),
            [FoundNote("a.md", "text")],
        ),
        # a text that is wrapped
        (ToolAnswer(("x",), {"result": "Thyme."}), [FoundNote(text="Thyme.")]),
        (ToolAnswer(('{"results": []}',)), []),
        (ToolAnswer(()), []),
        (ToolAnswer(("{broken",)), [FoundNote(text="{broken")]),
    ],
)
def test_what_servers_return(answer: ToolAnswer, found: list[FoundNote]) -> None:
    assert found_in(answer) == found
