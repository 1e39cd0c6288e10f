"""Exports of ChatGPT and Claude, made here in their shapes."""

import json
import zipfile

import pytest

from thalamus.errors import DocumentError
from thalamus.transfer.foreign.formats import read_export
from thalamus.transfer.foreign.report import Report

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
    return [record for _, record in read_export(path, reader, Report(problems.append))], problems


def test_chatgpt_follows_the_branch_that_was_kept(tmp_path):
    turns, problems = read("chatgpt", export(tmp_path, [TALK]))
    assert problems == []
    assert [(t.message, t.answer, t.created_at) for t in turns] == [
        ("Hello?", "Let me look.\n\nHi there.", "2023-05-08T13:56:01.250Z"),
        ("[image]\n\nWhat is this?", None, "2023-05-08T13:56:03Z"),
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
    (turn,), _ = read("chatgpt", export(tmp_path, [talk]))
    assert (turn.answer, turn.created_at) == ("new", "1970-01-01T00:00:01Z")


def test_chatgpt_what_is_malformed_costs_itself(tmp_path):
    circle = gpt(node("a", "b", "user", ["x"]), node("b", "a", "user", ["y"]), current="a")
    no_author = gpt(node("a", None, "user", ["x"]), current="a", title="Odd")
    del no_author["mapping"]["a"]["message"]["author"]
    greeting = gpt(node("g", None, "assistant", ["Welcome!"]), current="g", title="Hm")
    entries = [circle, TALK, no_author, "text", {"title": "no mapping"}, greeting]
    turns, problems = read("chatgpt", export(tmp_path, entries))
    assert [turn.message for turn in turns][:3] == ["y", "x", "Hello?"] and len(turns) == 4
    assert len(problems) == 5
    text = "\n".join(problems)
    assert "cycle" in text and "'Odd'" in text and "'Hm'" in text
    assert "entry 4" in text and "entry 5" in text


@pytest.mark.parametrize("bad", [None, "text", 7, [], {"message": "text"}, {"message": {"x": 1}}])
def test_chatgpt_a_bad_node_keeps_those_before_it(tmp_path, bad):
    talk = gpt(
        node("u1", None, "user", ["One"], 1.7e9),
        node("a1", "u1", "assistant", ["Two"], 1.7e9),
        node("u2", "a1", "user", ["Three"], 1.7e9),
        current="gone",
    )
    talk["mapping"]["a1"] = {**bad, "parent": "u1"} if isinstance(bad, dict) else bad
    turns, _ = read("chatgpt", export(tmp_path, [talk]))
    assert [(turn.message, turn.answer) for turn in turns] == [("One", None), ("Three", None)]


def test_chatgpt_a_missing_node_keeps_those_before_it(tmp_path):
    talk = gpt(
        node("u1", None, "user", ["One"], 1.7e9),
        node("a1", "u1", "assistant", ["Two"], 1.7e9),
        node("u2", "a1", "user", ["Three"], 1.7e9),
        current="u2",
    )
    del talk["mapping"]["a1"]
    turns, _ = read("chatgpt", export(tmp_path, [talk]))
    assert [turn.message for turn in turns] == ["One", "Three"]
    talk["mapping"]["u1"]["children"] = ["u2"]
    talk["mapping"]["u2"]["parent"] = "elsewhere"
    assert len(read("chatgpt", export(tmp_path, [talk]))[0]) == 2


@pytest.mark.parametrize(
    "field", [{"author": None}, {"author": "user"}, {"content": None}, {"content": {"parts": None}}]
)
def test_chatgpt_a_bad_message_keeps_the_others(tmp_path, field):
    talk = gpt(
        node("u1", None, "user", ["One"], "2025-01-02T03:04:05+02:00"),
        node("a1", "u1", "assistant", ["Two"], 1.7e9, **field),
        node("u2", "a1", "user", ["Three"], None),
        current="u2",
    )
    turns, _ = read("chatgpt", export(tmp_path, [talk]))
    assert [(turn.message, turn.created_at) for turn in turns] == [
        ("One", "2025-01-02T01:04:05Z"),
        ("Three", "2025-01-02T01:04:05Z"),
    ]


@pytest.mark.parametrize(
    ("times", "more", "expected"),
    [
        ((None, None), {"create_time": 1.7e9}, "2023-11-14T22:13:20Z"),
        ((None, None), {"create_time": None, "update_time": 1.7e9}, "2023-11-14T22:13:20Z"),
        ((None, 1.7e9), {"create_time": None}, "2023-11-14T22:13:20Z"),
        ((None, 1.7e9), {"create_time": 1.8e9}, "2023-11-14T22:13:20Z"),
        ((float("nan"), "x"), {"create_time": True, "update_time": 1.7e12}, "2023-11-14T22:13:20Z"),
        ((float("inf"), 1.7e18), {"create_time": -1}, "2023-11-14T22:13:20Z"),
        ((0, None), {"create_time": None, "conversation_id": "6553f100-1111-8111-9111-1111"},
         "2023-11-14T22:13:20Z"),
        ((None, None), {"create_time": None}, "1970-01-01T00:00:00Z"),
    ],
)  # fmt: skip
def test_chatgpt_a_null_time_is_inherited(tmp_path, times, more, expected):
    first, second = times
    talk = gpt(
        node("u", None, "user", ["One"], first),
        node("a", "u", "assistant", ["Two"], second),
        current="a",
        **more,
    )
    report = Report()
    [(_, turn)] = read_export(export(tmp_path, [talk]), "auto", report)
    assert turn.created_at == expected
    assert report.undated == expected.startswith("1970")


def test_chatgpt_the_id_of_a_message_does_not_depend_on_an_inherited_time(tmp_path):
    talk = gpt(node("u", None, "user", ["One"], None), current="u", create_time=None)
    (first,), _ = read("chatgpt", export(tmp_path, [talk]))
    (again,), _ = read("chatgpt", export(tmp_path, [{**talk, "update_time": 1.7e9}]))
    assert first.id == again.id and first.created_at != again.created_at


@pytest.mark.parametrize("flag", ["is_do_not_remember", "is_temporary_chat"])
def test_chatgpt_what_is_not_to_be_remembered_is_left_out_and_counted(tmp_path, flag):
    talk = gpt(node("u", None, "user", ["Secret"], 1.7e9), current="u", **{flag: True})
    report = Report()
    path = export(tmp_path, [talk, {**TALK, flag: False}])
    assert [turn.message for _, turn in read_export(path, "auto", report)][:1] == ["Hello?"]
    assert report.left_out == {"conversation not to be remembered": 1}


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ('Ask \ue200entity\ue202["person","Ilse Vahl",2]\ue201 soon.', "Ask Ilse Vahl soon."),
        ('In \ue200entity\ue202["city", "Ghent", "the \\"port\\""]\ue201.', "In Ghent."),
        ('By \ue200product_entity\ue202["turn0product1","Kettle K2"]\ue201!', "By Kettle K2!"),
        ("So it is. \ue200cite\ue202turn0search1\ue202turn3news12\ue201 Next.", "So it is. Next."),
        ("Here\ue200filecite\ue202turn0file0\ue202L10-L20\ue201.", "Here."),
        ("See \ue200url\ue202the page\ue202https://e.org/a\ue201.", "See [the page](https://e.org/a)."),
        ("See \ue200url\ue202the page\ue202turn0search0\ue201.", "See the page."),
        ("\ue200navlist\ue202More on tea\ue202turn0news1,turn0news2\ue201", "More on tea"),
        ('A \ue200genui\ue202{"type":"chart"}\ue201 B', "A B"),
        ('Outer \ue200x\ue202\ue200entity\ue202["a","Bo"]\ue201\ue201.', "Outer Bo."),
        ('It was \ue200entity\ue202["people","Ilse Va', "It was"),
        ("It was \ue200cite\ue202turn0sea", "It was"),
        ("Old\u30104:1\u2020source\u3011 way.", "Old way."),
        ("stray \ue201 marks\ue202", "stray  marks"),
    ],
)  # fmt: skip
def test_chatgpt_marks_become_their_text(tmp_path, marked, shown):
    talk = gpt(
        node("u", None, "user", ["Q"], 1.7e9),
        node("a", "u", "assistant", [marked], 1.7e9),
        current="a",
    )
    (turn,), problems = read("chatgpt", export(tmp_path, [talk]))
    assert (turn.answer, problems) == (shown, [])


def test_chatgpt_voice_custom_instructions_and_projects(tmp_path):
    hidden = node("c", None, "user", [], kind="user_editable_context")
    hidden["message"]["content"] |= {"user_profile": "A baker.", "user_instructions": "Be short."}
    heard = {"content_type": "audio_transcription", "text": "I bake rye.", "direction": "in"}
    pointer = {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://x"}
    talk = gpt(
        hidden,
        node("u", "c", "user", [heard, pointer], 1.7e9, kind="multimodal_text"),
        current="u",
        gizmo_type="snorlax",
        gizmo_id="g-p-7",
    )
    folder = {"id": "g-p-8", "name": "Bakery", "conversations": [{**talk, "id": "c2"}]}
    empty = {"id": "g-p-9", "name": "Empty", "conversations": []}
    turns, problems = read("chatgpt", export(tmp_path, [empty, talk, folder]))
    assert [(turn.message, turn.metadata["project"]) for turn in turns] == [
        ("I bake rye.", "g-p-7"),
        ("I bake rye.", "Bakery"),
    ]
    assert problems == []


def test_chatgpt_nodes_without_children_and_messages_in_a_list(tmp_path):
    talk = gpt(
        node("u", None, "user", ["One"], 1.7e9),
        node("old", "u", "assistant", ["old"], 1.7e9),
        node("new", "u", "assistant", ["new"], 1.8e9),
        current=None,
    )
    for item in talk["mapping"].values():
        del item["children"]
    messages = [item["message"] for item in talk["mapping"].values()]
    (turn,), _ = read("chatgpt", export(tmp_path, [talk]))
    assert turn.answer == "new"
    listed = {"conversation_id": "c1", "messages": messages}
    (turn,), _ = read("chatgpt", export(tmp_path, [listed]))
    assert turn.answer == "old\n\nnew"


def test_chatgpt_zip_with_several_parts_and_unpacked(tmp_path):
    other = gpt(node("u", None, "user", ["Other"]), current="u", conversation_id="c2")
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x/conversations-001.json", json.dumps([other]))
        archive.writestr("x/conversations-000.json", "\ufeff" + json.dumps([TALK]))
        archive.writestr("__MACOSX/x/conversations-000.json", b"\0\0")
        archive.writestr("x/user.json", "{}")
    turns, _ = read("chatgpt", tmp_path / "export.zip")
    assert [t.session for t in turns] == ["chatgpt:c1", "chatgpt:c1", "chatgpt:c2"]
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        archive.extractall(tmp_path)
    assert read("chatgpt", tmp_path / "x")[0] == turns


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
    turns, problems = read("claude", export(tmp_path, [talk]))
    assert problems == []
    assert [(t.message, t.answer, t.created_at) for t in turns] == [
        ("Read this\n\n[file: a.txt]", "First.\n\nSecond.", "2024-01-02T03:04:05.678Z"),
        ("Thanks\n\n[file: b.png]", None, "2024-01-02T03:04:05.678Z"),
    ]
    assert turns[0].session == "claude:k1"
    assert (turns[0].metadata, turns[0].ref) == ({"title": "Plans", "source": "claude"}, "1")


def test_claude_takes_the_last_branch_where_parents_are_named(tmp_path):
    talk = chat(
        say("1", "human", "Q", parent_message_uuid="root"),
        say("2", "assistant", "given up", parent_message_uuid="1"),
        say("3", "assistant", "kept", parent_message_uuid="1"),
    )
    (turn,), _ = read("claude", export(tmp_path, [talk]))
    assert turn.answer == "kept"
    (turn,), _ = read("claude", export(tmp_path, [{**talk, "current_leaf_message_uuid": "2"}]))
    assert turn.answer == "given up"


def test_claude_malformed_and_empty_conversations(tmp_path):
    entries = [chat({"text": "no sender"}), chat(), chat(say("1", "human", "Hi"))]
    turns, problems = read("claude", export(tmp_path, entries))
    assert [t.message for t in turns] == ["Hi"]
    assert len(problems) == 1 and "malformed" in problems[0]


@pytest.mark.parametrize("bad", [None, "text", {"uuid": "2", "text": "no sender"}])
def test_claude_a_bad_message_keeps_the_others(tmp_path, bad):
    talk = chat(say("1", "human", "One"), bad, say("3", "human", "Three"))
    turns, problems = read("claude", export(tmp_path, [talk]))
    assert [turn.message for turn in turns] == ["One", "Three"]
    assert len(problems) == 1


@pytest.mark.parametrize("name", ["", None, "paste.txt", "pasted-text.txt", "Pasted text (2).txt"])
def test_claude_pasted_text_is_part_of_the_message(tmp_path, name):
    pasted = {"file_name": name, "extracted_content": "The rent is 700."}
    talk = chat(say("1", "human", "", attachments=[pasted, FILE]), say("2", "assistant", "OK"))
    (turn,), _ = read("claude", export(tmp_path, [talk]))
    assert turn.message == "The rent is 700.\n\n[file: a.txt]"


def test_claude_memories_and_projects(tmp_path):
    memories = [
        {
            "conversations_memory": "**Work**\n\nIda mends them.\n- **Town:** Bern\n## Tea\nGreen.",
            "project_memories": {"p1": "The shop opens in May."},
        }
    ]
    project = {
        "uuid": "p1",
        "name": "Shop",
        "description": "A shop for clocks",
        "prompt_template": "Be brief.",
        "created_at": "2025-02-03T04:05:06Z",
        "docs": [{"filename": "rent.md", "content": "Rent: 700."}, None, {"content": ""}],
    }
    sample = {**project, "uuid": "p2", "name": "How to", "is_starter_project": True}
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("memories.json", json.dumps(memories))
        archive.writestr("projects/p1.json", json.dumps(project))
        archive.writestr("projects.json", json.dumps([sample]))
        archive.writestr("users.json", json.dumps([{"uuid": "x"}]))
    report = Report()
    records = [record for _, record in read_export(tmp_path / "export.zip", "auto", report)]
    shop, rent, *kept = records
    assert [(memory.content, memory.topic) for memory in kept] == [
        ("Ida mends them.", "Work"),
        ("Town: Bern", "Work"),
        ("Green.", "Tea"),
        ("The shop opens in May.", None),
    ]
    assert [memory.metadata.get("project") for memory in kept] == [None, None, None, "Shop"]
    assert (shop.name, shop.description, shop.created_at) == (
        "Shop",
        "A shop for clocks",
        "2025-02-03T04:05:06Z",
    )
    assert (rent.title, rent.text, rent.created_at, rent.project) == (
        "rent.md",
        "Rent: 700.",
        "2025-02-03T04:05:06Z",
        "Shop",
    )
    assert report.left_out == {"project that came with Claude": 1}


def test_claude_the_manifest_says_what_to_fetch(tmp_path):
    files = [{"name": "conversations-000.zip", "url": "https://e.org/0"}]
    path = export(tmp_path, {"export_id": "e", "files": files}, "manifest.json")
    with pytest.raises(DocumentError, match=r"fetch the archives .*conversations-000\.zip"):
        read("auto", path)
    with zipfile.ZipFile(tmp_path / "conversations-000.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([chat(say("1", "human", "Hi"))]))
    turns, problems = read("auto", tmp_path)
    assert [turn.message for turn in turns] == ["Hi"] and problems == []


def test_the_wrong_service_is_named(tmp_path):
    path = export(tmp_path, [TALK])
    with pytest.raises(DocumentError) as caught:
        read("claude", path)
    assert "--from chatgpt" in caught.value.reason
    with pytest.raises(DocumentError) as caught:
        read("chatgpt", export(tmp_path, [chat()]))
    assert "--from claude" in caught.value.reason


@pytest.mark.parametrize("data", ["hello", "", "[1, 2]", '{"a": 1}', '[{"id": 1}]', "[" * 100_000])
def test_what_is_no_export(tmp_path, data):
    with pytest.raises(DocumentError):
        read("chatgpt", export(tmp_path, data))


def test_what_is_not_there_or_not_in_the_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("other.json", "[]")
    for path, kind in ((tmp_path / "a.zip", "unsupported"), (tmp_path, "unsupported"),
                       (tmp_path / "none.json", "missing")):  # fmt: skip
        with pytest.raises(DocumentError) as caught:
            read("chatgpt", path)
        assert caught.value.kind == kind


def test_a_file_that_is_cut_off_gives_what_is_before(tmp_path):
    whole = json.dumps([TALK, TALK])
    path, turns = export(tmp_path, whole[:-100]), []
    with pytest.raises(DocumentError) as caught:
        turns.extend(read_export(path, "chatgpt", Report()))
    assert "conversation 2" in caught.value.reason
    assert len(turns) == 2


def test_conversations_longer_than_a_read(tmp_path):
    long = gpt(node("u", None, "user", ["ü" * 3_000_000]), current="u")
    turns, _ = read("chatgpt", export(tmp_path, [TALK, long, TALK]))
    assert [len(t.message) for t in turns][2] == 3_000_000
    assert len(turns) == 5


def test_no_conversations_and_one_alone(tmp_path):
    turns, problems = read("chatgpt", export(tmp_path, []))
    assert turns == [] and "no conversations" in problems[0]
    assert len(read("chatgpt", export(tmp_path, TALK))[0]) == 2
    assert len(read("chatgpt", export(tmp_path, {"conversations": [TALK]}))[0]) == 2
