"""Another export of a conversation that was imported before: what is new is added, what was
withdrawn is retired."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.records import Link, Memory, Provenance, Turn

Run = Callable[..., Result]
Put = Callable[[Any], str]
START = 1_700_000_000
Message = tuple[str, str | None, str]  # its id, that of its parent, and its text


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def written(data: Any, name: str = "conversations.json") -> str:
        path = tmp_path / name
        path.write_text(json.dumps(data))
        return str(path)

    return written


def role(name: str) -> str:
    return "user" if name.startswith("q") else "assistant"


def chatgpt(current: str, messages: Iterable[Message]) -> list[dict[str, Any]]:
    """A conversation as a tree. Names of questions begin with q, those of answers with a."""
    nodes: dict[str, Any] = {"root": {"id": "root", "parent": None, "children": []}}
    for number, (name, parent, text) in enumerate(messages):
        content = {"content_type": "text", "parts": [text]}
        message = {"id": name, "author": {"role": role(name)}, "content": content}
        message["create_time"] = START + 60 * number
        nodes[name] = {"parent": parent or "root", "children": [], "message": message}
        nodes[parent or "root"]["children"].append(name)
    return [{"conversation_id": "c1", "title": "Hut", "mapping": nodes, "current_node": current}]


def claude(current: str, messages: Iterable[Message]) -> list[dict[str, Any]]:
    chat = [
        {
            "uuid": name,
            "sender": "human" if role(name) == "user" else "assistant",
            "text": text,
            "created_at": f"2025-03-01T10:{number:02}:00Z",
            "parent_message_uuid": parent or "00000000",
        }
        for number, (name, parent, text) in enumerate(messages)
    ]
    return [
        {
            "uuid": "c1",
            "name": "Hut",
            "chat_messages": chat,
            "current_leaf_message_uuid": current,
        }
    ]


def open_webui(current: str, messages: Iterable[Message]) -> list[dict[str, Any]]:
    found: dict[str, Any] = {}
    for number, (name, parent, text) in enumerate(messages):
        found[name] = {"id": name, "parentId": parent, "childrenIds": [], "role": role(name)}
        found[name] |= {"content": text, "timestamp": START + 60 * number}
        if parent:
            found[parent]["childrenIds"].append(name)
    history = {"messages": found, "currentId": current}
    return [{"id": "c1", "title": "Hut", "chat": {"title": "Hut", "history": history}}]


FORMATS = pytest.mark.parametrize("write", [chatgpt, claude, open_webui])
Q1, A1 = ("q1", None, "The hut is green. Which lamp?"), ("a1", "q1", "A brass lamp.")
Q2, A2 = ("q2", "a1", "I bought it in Turku."), ("a2", "q2", "Fine.")
A1B = ("a1b", "q1", "An oil lamp.")  # another answer
Q1B, A1C = ("q1b", None, "The hut is red. Which lamp?"), ("a1c", "q1b", "A tin lamp.")


def shown(thalamus: Thalamus, session: str) -> list[tuple[str, str | None]]:
    return [(turn.message, turn.answer) for turn in thalamus.sessions.turns(session)]


def stories(run: Run, session: str) -> list[list[str | None]]:
    """Messages and answers of a session as a chat model would be trained with them."""
    lines = run("export", "--format", "chat", "--session", session).records
    return [[one["content"] for one in line["messages"]] for line in lines]


def name_of(write: Callable[..., Any]) -> str:
    return f"{write.__name__.replace('_', '-')}:c1"


@FORMATS
def test_an_answer_that_came_later(run: Run, put: Put, write: Callable[..., Any]) -> None:
    run("import", put(write("q1", [Q1])))
    later = put(write("a1", [Q1, A1]))
    would, did = run("import", "--dry-run", later), run("import", later)
    for result in (would, did):
        assert "answered since: 1 turn" in result.stdout
    assert stories(run, name_of(write)) == [[Q1[2], A1[2]]]
    assert "brass" in run("retrieve", "brass lamp").stdout
    again = run("import", later)
    assert "answered" not in again.stdout and "skipped, existing: 1 turn" in again.stdout


@FORMATS
def test_a_conversation_that_went_on(run: Run, put: Put, write: Callable[..., Any]) -> None:
    run("import", put(write("a1", [Q1, A1])))
    result = run("import", put(write("a2", [Q1, A1, Q2, A2])))
    assert "imported 1 turn" in result.stdout and "withdrawn" not in result.stdout
    assert stories(run, name_of(write)) == [[Q1[2], A1[2], Q2[2], A2[2]]]


@FORMATS
def test_another_answer(run: Run, put: Put, write: Callable[..., Any]) -> None:
    first, later = put(write("a1", [Q1, A1])), [Q1, A1, A1B]
    run("import", first)
    second = write("a1b", later)
    would = run("import", "--dry-run", put(second))
    did = run("import", put(second))
    for result in (would, did):
        assert "import" in result.stdout and "withdrawn since: 1 turn" in result.stdout
    assert stories(run, name_of(write)) == [[Q1[2], A1B[2]]]
    found = run("retrieve", "Which lamp for the hut?").stdout
    assert "oil lamp" in found and "brass" not in found
    assert "withdrawn" not in run("import", put(second)).stdout
    run("import", put(write("a1", [Q1, A1])))  # the older export once more
    assert stories(run, name_of(write)) == [[Q1[2], A1B[2]]]
    run("import", put(write("a1", [Q1, A1, A1B])))  # back at the first answer
    assert stories(run, name_of(write)) == [[Q1[2], A1[2]]]


@FORMATS
def test_an_edited_message(
    run: Run, put: Put, thalamus: Thalamus, write: Callable[..., Any]
) -> None:
    run("import", put(write("a2", [Q1, A1, Q2, A2])))
    turns = {turn.message: turn.stored_id for turn in thalamus.store.export() if is_turn(turn)}
    source = Provenance(turn=turns[Q1[2]])
    thalamus.remember([Memory(content="The user's hut is green.", provenance=source)])
    later = put(write("a1c", [Q1, A1, Q2, A2, Q1B, A1C]))
    said = "withdrawn since: 2 turns, 1 memory"
    assert said in run("import", "--dry-run", later).stdout
    assert said in run("import", later).stdout
    assert stories(run, name_of(write)) == [[Q1B[2], A1C[2]]]
    [session] = run("session", "--json").records
    assert (session["turns"], session["first"]) == (1, Q1B[2])
    reflected = run("reflect", input=run("export", "--kind", "turn").stdout).records
    assert [turn["trace"][-1]["detail"].get("note") for turn in reflected] == [
        "withdrawn",
        "withdrawn",
        None,
    ]
    found = run("retrieve", "What colour is the hut? Turku?").stdout
    assert "red" in found and "green" not in found and "Turku" not in found
    assert "green" not in run("memory").stdout
    assert run("undo").code == 0
    assert "green" in run("memory").stdout
    assert Q1[2] in stories(run, name_of(write))[0] and Q2[2] in stories(run, name_of(write))[0]
    assert run("doctor", "--signatures").code == 0


def is_turn(record: object) -> bool:
    return isinstance(record, Turn)


def test_what_two_turns_said_stays(run: Run, put: Put, thalamus: Thalamus) -> None:
    run("import", put(chatgpt("a2", [Q1, A1, Q2, A2])))
    first, second = [turn for turn in thalamus.store.export() if is_turn(turn)]
    memory = Memory(content="The hut is near Turku.", id="mem_1")
    thalamus.remember([memory])
    store = thalamus.open_store(True)
    assert store is not None
    with store.writing() as writer:
        for turn in (first, second):
            writer.add(Link(source="mem_1", relation="derived_from", target=turn.stored_id))
    other = ("q3", "a1", "I bought it in Pori."), ("a3", "q3", "Fine.")
    later = put(chatgpt("a3", [Q1, A1, Q2, A2, *other]))
    assert "withdrawn since: 1 turn (" in run("import", later).stdout
    assert "Turku" in run("memory").stdout


def test_a_list_of_messages_without_branches(run: Run, put: Put) -> None:
    def chat(*messages: tuple[str, str, str]) -> list[dict[str, Any]]:
        listed = [
            {"uuid": name, "sender": sender, "text": text, "created_at": f"2025-03-01T10:0{n}:00Z"}
            for n, (name, sender, text) in enumerate(messages)
        ]
        return [{"uuid": "c1", "name": "Hut", "chat_messages": listed}]

    run("import", put(chat(("m1", "human", "The hut is green."), ("m2", "assistant", "Nice."))))
    later = chat(("m3", "human", "The hut is red."), ("m4", "assistant", "Nice too."))
    assert "withdrawn since: 1 turn" in run("import", put(later)).stdout
    assert stories(run, "claude:c1") == [["The hut is red.", "Nice too."]]


def test_forgetting_a_turn_forgets_its_older_version(run: Run, put: Put, home: Path) -> None:
    run("import", put(chatgpt("a1", [Q1, A1])))
    run("import", put(chatgpt("a1b", [Q1, A1, A1B])))
    assert run("forget", "--session", "chatgpt:c1", "--yes").code == 0
    assert run("export", "--kind", "turn").stdout == ""


def test_own_exports_with_an_answer_that_came_later(run: Run, home: Path) -> None:
    run("turn", "Which lamp?")
    exported = run("export").stdout
    other = {"THALAMUS_HOME": str(home.parent / "other")}
    lines = [json.loads(line) for line in exported.splitlines()]
    [turn] = [line for line in lines if line["record"] == "turn"]
    run("import", input=json.dumps(turn | {"answer": None}), env=other)
    result = run("import", input=json.dumps(turn), env=other)
    assert "answered since: 1 turn" in result.stdout
    [kept] = run("export", "--kind", "turn", env=other).records
    assert kept["answer"] == turn["answer"]


def test_own_exports_as_they_are_kept(run: Run, home: Path, tmp_path: Path) -> None:
    run("turn", "Which lamp?")
    exported = run("export").stdout.encode()
    (tmp_path / "plain.jsonl").write_bytes(exported)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(exported))
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("empty.txt", "")
        archive.writestr("backup/thalamus.jsonl.gz", gzip.compress(exported))
    (tmp_path / "c.jsonl").write_bytes(b"\xef\xbb\xbf" + exported)
    (tmp_path / "d.jsonl").write_bytes(exported.decode().encode("utf-16"))
    for name in ("a.jsonl.gz", "b.zip", "c.jsonl", "d.jsonl"):
        other = {"THALAMUS_HOME": str(home.parent / f"home of {name}")}
        result = run("import", str(tmp_path / name), env=other)
        assert result.code == 0 and "imported 1 turn" in result.stdout, (name, result)
        assert run("export", env=other).stdout.splitlines() == exported.decode().splitlines(), name
    marked = run("import", input=b"\xef\xbb\xbf" + exported, env={"THALAMUS_HOME": "stdin"})
    assert "imported 1 turn" in marked.stdout
    (tmp_path / "cut.gz").write_bytes(gzip.compress(exported)[:60])
    damaged = run("import", str(tmp_path / "cut.gz"))
    assert damaged.code == 2 and "the archive is damaged" in damaged.stderr


def test_a_long_branch_without_a_current_node_takes_the_last_leaf(run: Run, put: Put) -> None:
    asked = [(f"q{n}", f"a{n - 1}" if n else None, f"Question {n}.") for n in range(1500)]
    answered = [(f"a{n}", f"q{n}", f"Answer {n}.") for n in range(1500)]
    messages = [one for pair in zip(asked, answered, strict=True) for one in pair]
    export = chatgpt("", [*messages, ("qx", "a3", "An older branch.")])
    nodes = export[0]["mapping"]
    nodes["qx"]["message"]["create_time"] = START
    export[0]["mapping"] = dict(reversed(nodes.items()))  # each leaf before what it follows
    assert "imported 1,500 turns" in run("import", put(export), "--from", "chatgpt").stdout


@pytest.mark.parametrize("source", [(), ("--from", "chatgpt")])
def test_json_that_is_nested_too_deeply(run: Run, tmp_path: Path, source: tuple[str, ...]) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 200_000)
    done = run("import", str(deep), *source)
    assert done.code in (1, 2) and done.stderr.startswith(f"thalamus: Cannot read {deep}: ")
    assert "nested too deeply" in done.stderr or "recursion" in done.stderr
