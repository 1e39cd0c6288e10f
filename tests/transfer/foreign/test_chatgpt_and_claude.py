"""Conversation exports of ChatGPT and Claude, made here in their shapes."""

import json
import zipfile

import pytest

from thalamus.errors import DocumentError
from thalamus.readers import chatgpt, claude

FILE = {"file_name": "a.txt", "extracted_content": "What is in it."}
IMAGE = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}


def node(name, parent, role=None, parts=(), at=None, **more):
    """A node of a ChatGPT conversation's tree."""
    message = None
    if role:
        kind = more.pop("kind", "text")
        message = {
            "id": f"m-{name}",
            "author": {"role": role},
            "create_time": at,
            "content": {"content_type": kind, "parts": list(parts)},
            **more,
        }
    return {"id": name, "message": message, "parent": parent, "children": []}


def gpt(*nodes, current, **more):
    mapping = {item["id"]: item for item in nodes}
    for item in nodes:
        if item["parent"] in mapping:
            mapping[item["parent"]]["children"].append(item["id"])
    base = {"conversation_id": "c1", "title": "Sea", "create_time": 1683554160.0}
    return {**base, "mapping": mapping, "current_node": current, **more}


TALK = gpt(
    node("root", None),
    node("sys", "root", "system", ["You are"]),
    node("u0", "sys", "user", [""], metadata={"is_visually_hidden_from_conversation": True}),
    node("u1", "u0", "user", ["Hello?"], 1683554161.25),
    node("a0", "u1", "assistant", ["An answer given up."], 1683554162.0),
    node("a1", "u1", "assistant", ["Let me look."], 1683554163.0),
    node("tc", "a1", "assistant", ["search()"], recipient="browser"),
    node("t1", "tc", "tool", ["tool noise"]),
    node("th", "t1", "assistant", ["hm"], kind="thoughts"),
    node("a2", "th", "assistant", ["Hi \ue200cite\ue202turn0\ue201there.", "\ud800"]),
    node("u2", "a2", "user", [IMAGE, "What is this?"], None, kind="multimodal_text"),
    current="u2",
)


def export(tmp_path, data, name="conversations.json"):
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return path


def read(reader, path):
    problems = []
    return list(reader.read_export(path, problems.append)), problems


def test_chatgpt_follows_the_branch_that_was_kept(tmp_path):
    turns, problems = read(chatgpt, export(tmp_path, [TALK]))
    assert problems == []
    assert [(t.message, t.answer, t.created_at) for t in turns] == [
        ("Hello?", "Let me look.\n\nHi there.", "2023-05-08T13:56:01.250Z"),
        ("[image]\n\nWhat is this?", None, "2023-05-08T13:56:00Z"),
    ]
    assert {t.session for t in turns} == {"chatgpt:c1"}
    assert (turns[0].metadata, turns[0].ref) == ({"title": "Sea", "source": "chatgpt"}, "m-u1")


def test_chatgpt_without_a_current_node_takes_the_latest_leaf(tmp_path):
    talk = gpt(
        node("u", None, "user", ["Q"], 1.0),
        node("old", "u", "assistant", ["old"], 2.0),
        node("new", "u", "assistant", ["new"], 3.0),
        current=None,
    )
    (turn,), _ = read(chatgpt, export(tmp_path, [talk]))
    assert (turn.answer, turn.created_at) == ("new", "1970-01-01T00:00:01Z")


def test_chatgpt_one_malformed_conversation_does_not_lose_the_others(tmp_path):
    circle = gpt(node("a", "b", "user", ["x"]), node("b", "a", "user", ["y"]), current="a")
    no_author = gpt(node("a", None, "user", ["x"]), current="a", title="Odd")
    del no_author["mapping"]["a"]["message"]["author"]
    greeting = gpt(node("g", None, "assistant", ["Welcome!"]), current="g")
    entries = [circle, TALK, no_author, "text", {"title": "no mapping"}, greeting]
    turns, problems = read(chatgpt, export(tmp_path, entries))
    assert len(turns) == 2
    assert [problem.split()[1] for problem in problems] == ["1", "3", "4", "5", "6"]
    assert "cycle" in problems[0] and "Odd" in problems[1] and "first message" in problems[4]


def test_chatgpt_zip_with_several_parts_and_unpacked(tmp_path):
    other = gpt(node("u", None, "user", ["Other"]), current="u", conversation_id="c2")
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x/conversations-001.json", json.dumps([other]))
        archive.writestr("x/conversations-000.json", "\ufeff" + json.dumps([TALK]))
        archive.writestr("__MACOSX/x/conversations-000.json", b"\0\0")
        archive.writestr("x/user.json", "{}")
    turns, _ = read(chatgpt, tmp_path / "export.zip")
    assert [t.session for t in turns] == ["chatgpt:c1", "chatgpt:c1", "chatgpt:c2"]
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        archive.extractall(tmp_path)
    assert read(chatgpt, tmp_path / "x")[0] == turns


def say(name, sender, text="", blocks=None, at="2024-01-02T03:04:05.678901Z", **more):
    """A message of a Claude conversation."""
    content = [{"type": "text", "text": block} for block in blocks or []]
    return {
        "uuid": name, "sender": sender, "text": text, "content": content, "created_at": at, **more
    }  # fmt: skip


def chat(*messages, **more):
    base = {"uuid": "k1", "name": "Plans", "created_at": "2024-01-01T00:00:00Z"}
    return {**base, "chat_messages": list(messages), **more}


def test_claude_prefers_text_blocks(tmp_path):
    talk = chat(
        say("1", "human", "Read this", attachments=[FILE]),
        say("2", "assistant", "This block is not supported", ["First.", "Second."]),
        say("3", "human", "", ["Thanks"], at=None, files=[{"file_name": "b.png"}]),
    )
    talk["chat_messages"][1]["content"].insert(1, {"type": "tool_use", "input": {"text": "no"}})
    turns, problems = read(claude, export(tmp_path, [talk]))
    assert problems == []
    assert [(t.message, t.answer, t.created_at) for t in turns] == [
        ("Read this\n\n[file: a.txt]", "First.\n\nSecond.", "2024-01-02T03:04:05.678Z"),
        ("Thanks\n\n[file: b.png]", None, "2024-01-01T00:00:00Z"),
    ]
    assert turns[0].session == "claude:k1"
    assert (turns[0].metadata, turns[0].ref) == ({"title": "Plans", "source": "claude"}, "1")


def test_claude_takes_the_last_branch_where_parents_are_named(tmp_path):
    talk = chat(
        say("1", "human", "Q", parent_message_uuid="root"),
        say("2", "assistant", "given up", parent_message_uuid="1"),
        say("3", "assistant", "kept", parent_message_uuid="1"),
    )
    (turn,), _ = read(claude, export(tmp_path, [talk]))
    assert turn.answer == "kept"
    (turn,), _ = read(claude, export(tmp_path, [{**talk, "current_leaf_message_uuid": "2"}]))
    assert turn.answer == "given up"


def test_claude_malformed_and_empty_conversations(tmp_path):
    entries = [chat({"text": "no sender"}), chat(), chat(say("1", "human", "Hi"))]
    turns, problems = read(claude, export(tmp_path, entries))
    assert [t.message for t in turns] == ["Hi"]
    assert len(problems) == 1 and "conversation 1" in problems[0]


def test_the_wrong_service_is_named(tmp_path):
    path = export(tmp_path, [TALK])
    with pytest.raises(DocumentError) as caught:
        read(claude, path)
    assert "a Claude export was expected" in caught.value.reason
    assert "ChatGPT export was found" in caught.value.reason
    with pytest.raises(DocumentError) as caught:
        read(chatgpt, export(tmp_path, [chat()]))
    assert "a Claude export was found" in caught.value.reason


@pytest.mark.parametrize("data", ["hello", "", "[1, 2]", '{"a": 1}', '[{"id": 1}]', "[" * 100_000])
def test_what_is_no_export(tmp_path, data):
    with pytest.raises(DocumentError):
        read(chatgpt, export(tmp_path, data))


def test_what_is_not_there_or_not_in_the_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("other.json", "[]")
    for path, kind in ((tmp_path / "a.zip", "unsupported"), (tmp_path, "unsupported"),
                       (tmp_path / "none.json", "missing")):  # fmt: skip
        with pytest.raises(DocumentError) as caught:
            read(chatgpt, path)
        assert caught.value.kind == kind


def test_a_file_that_is_cut_off_gives_what_is_before(tmp_path):
    whole = json.dumps([TALK, TALK])
    path, turns = export(tmp_path, whole[:-100]), []
    with pytest.raises(DocumentError) as caught:
        turns.extend(chatgpt.read_export(path))
    assert "conversation 2" in caught.value.reason
    assert len(turns) == 2


def test_conversations_longer_than_a_read(tmp_path):
    long = gpt(node("u", None, "user", ["ü" * 3_000_000]), current="u")
    turns, _ = read(chatgpt, export(tmp_path, [TALK, long, TALK]))
    assert [len(t.message) for t in turns][2] == 3_000_000
    assert len(turns) == 5


def test_no_conversations_and_one_alone(tmp_path):
    turns, problems = read(chatgpt, export(tmp_path, []))
    assert turns == [] and "no conversations" in problems[0]
    assert len(read(chatgpt, export(tmp_path, TALK))[0]) == 2
    assert len(read(chatgpt, export(tmp_path, {"conversations": [TALK]}))[0]) == 2
