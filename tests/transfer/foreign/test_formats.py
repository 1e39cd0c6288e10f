"""Exports of mem0, the MCP memory server, Open WebUI and Gemini, made here in their shapes, and how
each is recognized."""

from __future__ import annotations

import gzip
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from thalamus.errors import DocumentError
from thalamus.records import Memory, Turn
from thalamus.transfer.foreign.formats import NAMES, read_export
from thalamus.transfer.foreign.report import Report

CHANGED = "2025-06-07T08:09:10Z"


def write(folder: Path, data: Any, name: str = "export.json") -> Path:
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    os.utime(path, (1749283750, 1749283750))  # CHANGED
    return path


def read(path: Path, source: str = "auto") -> tuple[list[Any], Report, list[str]]:
    problems: list[str] = []
    report = Report(problems.append)
    return [record for _, record in read_export(path, source, report)], report, problems


# -- mem0 ------------------------------------------------------------------------------------------


def remembered(name: str, text: str, **more: Any) -> dict[str, Any]:
    """A memory of mem0."""
    dates = {"created_at": "2025-03-04T05:06:07.123456-07:00", "updated_at": None}
    return (
        {"id": name, "memory": text, "hash": "h", "metadata": None, "user_id": "ida"} | dates | more
    )


ONE = remembered("a1", "Drinks rye coffee", categories=["food", "drink"], run_id="r9")


@pytest.mark.parametrize(
    "data",
    [
        {"results": [ONE]},
        {"results": [ONE], "relations": [{"source": "ida", "relationship": "likes"}]},
        {"count": 1, "next": None, "previous": None, "results": [ONE]},
        {"memories": [ONE]},
        [ONE],
        ONE,
        "\n".join([json.dumps(ONE), ""]),
    ],
    ids=["get_all", "graph", "page", "export", "list", "get", "lines"],
)
def test_mem0_in_every_form(tmp_path: Path, data: Any) -> None:
    [memory], _, problems = read(write(tmp_path, data))
    assert isinstance(memory, Memory) and problems == []
    assert (memory.content, memory.created_at) == ("Drinks rye coffee", "2025-03-04T12:06:07.123Z")
    assert (memory.topic, memory.session, memory.user) == ("food", "mem0:r9", None)
    assert memory.metadata["ref"] == "a1" and memory.metadata["user_id"] == "ida"


def test_mem0_of_several_users(tmp_path: Path) -> None:
    both = [ONE, remembered("b2", "Has a boat", user_id="bo")]
    memories, _, _ = read(write(tmp_path, {"results": both}))
    assert [memory.user for memory in memories] == ["ida", "bo"]


def test_mem0_without_dates_and_words(tmp_path: Path) -> None:
    data = [remembered("c", "Has a boat", created_at=None), remembered("d", " ")]
    [memory], _, problems = read(write(tmp_path, {"results": data}))
    assert memory.created_at == CHANGED and len(problems) == 1


def test_the_backup_of_openmemory(tmp_path: Path) -> None:
    dates = {"created_at": "2025-01-02T03:04:05+00:00", "updated_at": None}
    kept = {"id": "k", "user_id": "u", "content": "Has a boat", "state": "active", **dates}
    gone = {**kept, "id": "g", "content": "Had a car", "state": "deleted"}
    backup = {"user": {"user_id": "ida"}, "apps": [], "memories": [kept, gone], "export_meta": {}}
    lines = "".join(json.dumps(one) + "\n" for one in (kept, gone))
    path = tmp_path / "memories_export_ida.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("memories.json", json.dumps(backup))
        archive.writestr("memories.jsonl.gz", gzip.compress(lines.encode()))
    [memory], report, _ = read(path)
    assert (memory.content, memory.created_at) == ("Has a boat", "2025-01-02T03:04:05Z")
    assert report.left_out == {"memory that is no longer active": 1}
    packed = tmp_path / "memories.jsonl.gz"
    packed.write_bytes(gzip.compress(lines.encode()))
    assert [one.id for one in read(packed)[0]] == [memory.id]


# -- the MCP memory server -------------------------------------------------------------------------

GRAPH = [
    {
        "type": "entity",
        "name": "Ida_Vahl",
        "entityType": "person",
        "observations": ["Repairs clocks", "Ida Vahl owns a boat"],
    },
    {"type": "entity", "name": "default_user", "entityType": "person", "observations": ["Is 40"]},
    {"type": "entity", "name": "Bern", "entityType": "city", "observations": []},
    {"type": "relation", "from": "Ida_Vahl", "to": "Bern", "relationType": "lives_in"},
]
SAID = [
    "Ida Vahl: Repairs clocks",
    "Ida Vahl owns a boat",
    "The user: Is 40",
    "Bern: city",
    "Ida Vahl lives in Bern",
]


def test_lines_and_a_graph_of_the_mcp_memory_server(tmp_path: Path) -> None:
    lines = "".join(json.dumps(item) + "\n" for item in GRAPH)
    memories, _, problems = read(write(tmp_path, lines, "memory.jsonl"))
    assert [memory.content for memory in memories] == SAID and problems == []
    assert {memory.created_at for memory in memories} == {CHANGED}
    assert memories[0].topic == "Ida Vahl"
    graph = {"entities": GRAPH[:3], "relations": GRAPH[3:]}
    again, _, _ = read(write(tmp_path, json.dumps(graph, indent=1)))
    assert [memory.id for memory in again] == [memory.id for memory in memories]


def test_bad_lines_of_the_mcp_memory_server_cost_themselves(tmp_path: Path) -> None:
    bad = ['{"type":"entity","name":null,"observations":["x"]}', "{half", '{"type":"other"}']
    lines = "\n".join([bad[0], json.dumps(GRAPH[3]), *bad[1:], json.dumps(GRAPH[1])])
    memories, _, problems = read(write(tmp_path, lines, "memory.jsonl"))
    assert [memory.content for memory in memories] == [SAID[4], SAID[2]]
    assert len(problems) == 3


def test_an_observation_keeps_its_subject(tmp_path: Path) -> None:
    said = {"Ana": ["likes bananas", "is a baker", "ANA is 40"], "安娜": ["安娜住在里斯本"]}
    lines = "".join(
        json.dumps({"type": "entity", "name": name, "observations": observed}) + "\n"
        for name, observed in said.items()
    )
    assert [memory.content for memory in read(write(tmp_path, lines, "memory.jsonl"))[0]] == [
        *("Ana: likes bananas", "Ana: is a baker", "ANA is 40", "安娜住在里斯本"),
    ]


def test_only_a_line_feed_ends_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    observed = [f"one{end}two" for end in "\u2028\u0085"] * 100
    entities = [{"type": "entity", "name": "Uma", "observations": [one]} for one in observed]
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in entities)
    memories, _, problems = read(write(tmp_path, lines, "memory.jsonl"))
    assert len(memories) == 200 and problems == []
    monkeypatch.setattr("thalamus.transfer.foreign.archive._PART", 100)
    monkeypatch.setattr("thalamus.transfer.foreign.archive._MAX_VALUE", 1000)
    memories, _, problems = read(write(tmp_path, lines, "memory.jsonl"))
    assert len(memories) == 200 and problems == []


# -- Open WebUI ------------------------------------------------------------------------------------


def chat(**more: Any) -> dict[str, Any]:
    """A chat of Open WebUI with an answer that was given up."""

    def message(name: str, parent: str | None, role: str, content: Any, at: Any) -> dict[str, Any]:
        return {"id": name, "parentId": parent, "role": role, "content": content, "timestamp": at}

    thought = '<details type="reasoning" done="true">\n<summary>Hm</summary>\n> Bees?\n</details>\n'
    tree = [
        message("a", None, "user", "I keep geese.", 1.74e9),
        message("b", "a", "assistant", "given up", 1.74e9 + 1),
        message("c", "a", "assistant", f"{thought}How many?", 1.74e9 + 2),
        message("d", "c", "user", [{"type": "text", "text": "Nine."}], None),
    ]
    history = {"currentId": "d", "messages": {one["id"]: one for one in tree}}
    shown = {"title": "Geese", "history": history, "messages": [], "models": ["m"]}
    dates = {"created_at": 1.73e9, "updated_at": 1.75e9}
    return {"id": "w1", "user_id": "u", "title": "Geese", "chat": shown, **dates, **more}


@pytest.mark.parametrize("form", ["list", "one", "bare"])
def test_chats_of_open_webui(tmp_path: Path, form: str) -> None:
    data = {"list": [chat()], "one": chat(), "bare": {"id": "w1", **chat()["chat"]}}[form]
    turns, _, problems = read(write(tmp_path, data))
    assert [(turn.message, turn.answer, turn.created_at) for turn in turns] == [
        ("I keep geese.", "How many?", "2025-02-19T21:20:00Z"),
        ("Nine.", None, "2025-02-19T21:20:02Z"),
    ]
    assert {turn.session for turn in turns} == {"open-webui:w1"} and problems == []


def test_chats_of_open_webui_that_are_broken(tmp_path: Path) -> None:
    cut = chat(id="w2")
    messages = cut["chat"]["history"]["messages"]
    cut["chat"]["history"]["currentId"] = "gone"
    del messages["c"]
    messages["a"]["childrenIds"] = ["b", "c"]
    messages["d"]["timestamp"] = 1.75e9
    flat = {**chat(id="w3"), "chat": {"messages": [{"role": "user", "content": "Hi"}, None]}}
    turns, _, problems = read(write(tmp_path, [cut, flat]))
    assert [turn.message for turn in turns] == ["I keep geese.", "Nine.", "Hi"]
    assert turns[2].created_at == "2024-10-27T03:33:20Z"  # when the chat began
    assert len(problems) == 1


def test_chats_of_several_users_keep_their_user(tmp_path: Path) -> None:
    turns, _, _ = read(write(tmp_path, [chat(), chat(id="w2", user_id="v")]))
    assert [turn.user for turn in turns] == ["u", "u", "v", "v"]


def test_memories_of_open_webui(tmp_path: Path) -> None:
    kept = {"id": "1", "user_id": "u", "content": "Keeps geese", "updated_at": 1.75e9}
    [memory], _, _ = read(write(tmp_path, [{**kept, "created_at": 1740000000}]))
    assert isinstance(memory, Memory)
    assert (memory.content, memory.created_at) == ("Keeps geese", "2025-02-19T21:20:00Z")
    assert memory.user is None and memory.metadata["source"] == "open-webui"


# -- Gemini ----------------------------------------------------------------------------------------


def activity(title: str, at: str = "2025-04-05T06:07:08.900Z", **more: Any) -> dict[str, Any]:
    base = {"header": "Gemini Apps", "title": title, "time": at, "products": ["Gemini Apps"]}
    return {**base, **more}


def test_activity_of_gemini_in_the_order_of_time(tmp_path: Path) -> None:
    later = activity("Asked Is rye hardy?", "2025-04-06T00:00:00Z")
    html = [{"html": "<p>Yes: <b>plant</b> it.</p><ul><li>Deep</li><li>Wide &amp; far</li></ul>"}]
    first = activity("Prompted I grow rye.\nIn pots.", safeHtmlItem=html)
    other = [activity("Used Gemini Apps"), activity("Gave feedback: Good response")]
    turns, report, problems = read(write(tmp_path, [later, first, *other], "MyActivity.json"))
    assert [(turn.message, turn.answer, turn.created_at, turn.session) for turn in turns] == [
        (
            "I grow rye.\nIn pots.",
            "Yes: plant it.\n\n- Deep\n- Wide & far",
            "2025-04-05T06:07:08.900Z",
            "gemini:2025-04-05",
        ),
        ("Is rye hardy?", None, "2025-04-06T00:00:00Z", "gemini:2025-04-06"),
    ]
    assert report.left_out == {"activity that is not a prompt": 2} and problems == []


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (activity("Prompted with: Hello"), "Hello"),
        (activity("Asked Bard: Hello", header="Bard", products=["Bard"]), "Hello"),
        (activity("Said Hello", header="Gemini-Apps"), "Hello"),
        (activity("Gefragt: Hallo", safeHtmlItem=[{"html": "<p>Ja</p>"}]), "Gefragt: Hallo"),
        (
            activity("Used Gemini Apps", details=[{"name": "Request", "value": "Hello"}]),
            "Hello",
        ),
        (activity("Eingegebener Prompt: Hallo", header="Gemini-Apps"), "Hallo"),
        (activity("Prompted "), None),
    ],
)
def test_titles_of_gemini(tmp_path: Path, item: dict[str, Any], message: str | None) -> None:
    turns, _, _ = read(write(tmp_path, [item]))
    assert [turn.message for turn in turns] == ([message] if message else [])


def test_takeout_as_an_archive_and_as_html(tmp_path: Path) -> None:
    path = tmp_path / "takeout.zip"
    with zipfile.ZipFile(path, "w") as archive:
        name = "Takeout/My Activity/Gemini Apps/MyActivity.json"
        archive.writestr(name, json.dumps([activity("Prompted Hello")]))
        archive.writestr("Takeout/archive_browser.html", "<html>")
    [turn], _, _ = read(path)
    assert isinstance(turn, Turn) and turn.message == "Hello"
    with pytest.raises(DocumentError, match="choose JSON"):
        read(write(tmp_path, "<html><body>Gemini Apps", "MyActivity.html"))


# -- recognition -----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [[{"a": 1}], {"a": {"b": []}}, [1, 2], "just text", "a,b\n1,2\n"])
def test_an_unknown_file_names_what_is_known(tmp_path: Path, data: Any) -> None:
    with pytest.raises(DocumentError) as caught:
        read(write(tmp_path, data))
    assert all(f"--from {name}" in caught.value.reason for name in NAMES)


def test_another_format_than_the_one_that_is_expected(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="--from mem0"):
        read(write(tmp_path, [ONE]), "gemini")
    both = write(tmp_path, [ONE, activity("Prompted Hello")])
    assert [turn.message for turn in read(both, "gemini")[0]] == ["Hello"]


def test_a_folder_with_exports_of_several_systems(tmp_path: Path) -> None:
    (tmp_path / "takeout").mkdir()
    (tmp_path / "takeout" / "Gemini-Apps").mkdir()
    write(tmp_path, [activity("Prompted Hello")], "takeout/Gemini-Apps/MeineAktivitäten.json")
    write(tmp_path, [ONE], "mem0-export.json")
    write(tmp_path, [chat()], "chat-export-17.json")
    write(tmp_path, "no export", "notes.json")
    records, _, problems = read(tmp_path)
    assert len(records) == 4 and problems == []
