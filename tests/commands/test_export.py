"""`thalamus export` and `thalamus import`: the same store again; other services' conversations."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from tests.conftest import NOW, Result
from tests.stored import store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.memory.embeddings import reembed
from thalamus.memory.facts.assertion import add
from thalamus.policy.admission import with_limits
from thalamus.policy.vector import pack
from thalamus.records import Document, Event, Fact, Link, Memory, Plan, Provenance, Quarantine, Turn
from thalamus.store import ledger
from thalamus.store.values import Vector
from thalamus.terminal import jsonl
from thalamus.transfer.export import export_lines
from thalamus.transfer.importer import Importer, importable
from thalamus.turn_run import TurnRun

Run = Callable[..., Result]

# -- any store -------------------------------------------------------------------------------

words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30)
maybe = st.none() | words
times = st.sampled_from(
    [
        "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999Z",
        "2024-02-29T23:59:59Z",
        "2026-05-08T13:56:00.001Z",
        "9998-12-31T23:59:59Z",
    ]
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
metadata = st.dictionaries(words, json_values, max_size=4)
provenances = st.none() | st.builds(
    Provenance, turn=words, quote=maybe, page=st.none() | st.integers(1, 9)
)
units = st.floats(0, 1)
shared = {
    "created_at": times,
    "recorded_at": times,
    "session": maybe,
    "user": maybe,
    "agent": maybe,
    "metadata": metadata,
}
turns = st.builds(Turn, message=words, answer=maybe, interrupted=maybe, ref=maybe, **shared)
memories = st.builds(
    Memory,
    content=words,
    type=words,
    topic=maybe,
    importance=st.sampled_from(["low", "medium", "high"]),
    scope=st.sampled_from(["core", "episodic", "archival"]),
    status=st.sampled_from(["active", "superseded", "quarantined"]),
    sensitivity=st.sampled_from(["normal", "personal"]),
    expires_at=st.none() | times,
    trust=units,
    provenance=provenances,
    quarantine=st.none() | st.builds(Quarantine, rule=words, reason=words),
    suspicious=maybe,
    released=st.booleans(),
    **shared,
)
facts = st.builds(
    Fact,
    subject=words,
    predicate=words,
    object=words,
    quote=maybe,
    trust=units,
    provenance=provenances,
    valid_from=st.none() | times,
    valid_to=st.none() | times,
    retired_at=st.none() | times,
    **shared,
)
documents = st.builds(
    Document, path=words, status=st.just("ingested"), title=maybe, summary=maybe, recorded_at=times
)
plans = st.builds(Plan, session=words, turn=maybe, created_at=times)
links = st.builds(Link, source=words, relation=st.sampled_from(["about", "part_of"]), target=words)
events = st.builds(Event, name=words, at=times, turn=maybe, session=maybe, data=metadata)
vectors = st.none() | st.lists(
    st.floats(-1, 1, width=32).filter(lambda x: abs(x) > 1e-3), min_size=3, max_size=3
)
stores = st.fixed_dictionaries(
    {
        "items": st.lists(st.tuples(turns | memories | facts, vectors), max_size=6),
        "others": st.lists(documents | plans | links, max_size=4),
        "events": st.lists(events, max_size=4),
    }
)


def engine(home: str | Path, **more: Any) -> Thalamus:
    clock = Clock(parse_time(NOW))
    given = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    if "store" not in more:
        given["store"] = store_of(home)
    return Thalamus(clock=clock, **(given | more))


def fill(thalamus: Thalamus, made: dict[str, Any]) -> None:
    store = thalamus.open_store(True)
    assert store is not None
    with store.writing() as writer:
        for number, (item, values) in enumerate(made["items"]):
            item.id = f"item_{number}"
            if isinstance(item, Memory):
                item, _ = with_limits(item)  # as every way of storing one sees to it
                values = values if item.status != "quarantined" else None
            vector = Vector("given", pack(values)) if values else None
            if isinstance(item, Fact):
                add(item, writer, vector)
            else:
                writer.add(item, vector)
        for number, other in enumerate(made["others"]):
            if isinstance(other, Link):
                writer.add(other)
                continue
            other.id = f"other_{number}"
            if isinstance(other, Document):
                other.sha256 = f"sha {number}"
                writer.put(other)
            else:
                writer.put(other)
        for event in made["events"]:
            writer.add_event(event)


def take(thalamus: Thalamus, lines: list[bytes], batch: int = 3) -> Importer:
    importer = Importer(thalamus.engine)
    records = [importer.check(jsonl.decode(line, n, *importable())) for n, line in enumerate(lines)]
    for start in range(0, len(records), batch):
        importer.add(records[start : start + batch])
    importer.finish()
    return importer


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(made=stores)
def test_any_store_comes_back_the_same(made: dict[str, Any]) -> None:
    database = os.environ.get("THALAMUS_STORE", "")
    with (
        tempfile.TemporaryDirectory() as folder,
        engine(folder, tenant=f"{Path(folder).name}_one", store=database) as one,
        engine(folder, tenant=f"{Path(folder).name}_two", store=database) as two,
    ):
        fill(one, made)
        lines = list(export_lines(one.database, embeddings=True))
        if not lines:
            return
        take(two, lines)
        again = list(export_lines(two.database, embeddings=True))
        # an import of records without a ledger begins one
        if not made["events"]:
            again = [line for line in again if b'{"record":"event","name":"imported"' not in line]
        assert again == lines
        assert one.database.check() == two.database.check() == []
        counts = two.database.counts()
        take(two, lines)
        assert two.database.counts() == counts
        plain = [line for line in export_lines(two.database) if "embedding" in json.loads(line)]
        assert not plain


# -- the commands ----------------------------------------------------------------------------


@pytest.fixture
def full(server: str, home: Path, kept: Path) -> Iterator[Thalamus]:
    """A store with a bit of everything, which the tests of this file read. With PostgreSQL each
    test has its own."""
    there = kept.exists() and not server
    with engine(home if server else kept) as thalamus:
        if not there:
            fill_with_everything(thalamus)
        yield thalamus


@pytest.fixture
def reading(shared: Callable[[Callable[[Run], None]], Run], full: Thalamus) -> Run:
    """Commands with that store, unless they name a home of their own."""
    return shared(lambda _: None)


def fill_with_everything(thalamus: Thalamus) -> None:
    thalamus.engine = structs.replace(
        thalamus.engine, config=structs.replace(thalamus.config, planner="model")
    )
    thalamus.turn("I moved to Lisbon in May and I prefer short answers.")
    thalamus.turn("Where do I live?")
    thalamus.session = "other"
    thalamus.remember(
        [
            Memory(content="A line\nand # another", user="ann", created_at="2023-05-08T10:00:00Z"),
            Fact(subject="Ann", predicate="lives_in", object="Rome", valid_from="2020-01-01"),
            Fact(subject="Ann", predicate="lives_in", object="Oslo", valid_from="2022-01-01"),
        ]
    )
    thalamus.ingest(b"# Rivers\n\nThe Tejo flows to Lisbon.\n", name="rivers.md")


def test_the_same_store_again(reading: Run, full: Thalamus, tmp_path: Path) -> None:
    exported = reading("export", str(tmp_path / "all.jsonl"))
    assert (exported.code, exported.stdout, exported.stderr) == (0, "", "")
    text = (tmp_path / "all.jsonl").read_text()
    assert [p.name for p in tmp_path.glob("*.part")] == [] and reading("export").stdout == text
    kinds = {record["record"] for record in map(json.loads, text.splitlines())}
    assert kinds == {"turn", "memory", "fact", "document", "plan", "link", "event"}

    other = {"THALAMUS_HOME": str(tmp_path / "other"), "THALAMUS_BATCH_SIZE": "4"}
    result = reading("import", "--json", str(tmp_path / "all.jsonl"), env=other)
    assert (result.code, result.stderr) == (0, "")
    [summary] = result.records
    assert summary["record"] == "event" and summary["data"]["there"] == {}
    assert summary["data"]["added"]["event"] > 5 and summary["data"]["events_left_out"] == 0
    counts = full.database.counts()
    assert summary["data"]["embedded"] == counts["embedding"]
    assert reading("export", env=other).stdout == text
    with engine(tmp_path / "other") as copy:
        assert copy.database.counts() == counts and copy.database.check() == []
        question = "Where does the user live?"
        assert copy.recall(question) == full.recall(question)

    again = reading("import", input=text, env=other)
    assert again.stdout.startswith("imported nothing; skipped, existing: 2 turns, ")
    assert reading("export", env=other).stdout == text


def test_a_bad_line_keeps_what_came_before(reading: Run, full: Thalamus, tmp_path: Path) -> None:
    lines = reading("export").stdout.splitlines()
    other = {"THALAMUS_HOME": str(tmp_path / "other")}
    memory = next(n for n, line in enumerate(lines) if '"memory"' in line)
    broken = lines[memory].replace('"content"', '"contents"')
    text = "\n".join([*lines[: memory + 1], "", broken, *lines[memory + 1 :]])
    result = reading("import", "--json", input=text, env=other)
    error = json.loads(result.stderr)
    assert result.code == 3 and error["line"] == memory + 3 and "contents" in error["message"]
    with engine(tmp_path / "other") as copy:
        assert copy.database.counts()["turn"] == 2 and copy.database.counts()["memory"] == 1
    result = reading("import", input="\n".join(lines), env=other)  # mended
    assert result.code == 0 and "skipped, existing: 2 turns, 1 memory" in result.stdout
    assert reading("export", env=other).stdout.splitlines() == lines


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({"record": "memory", "content": "x"}, "id"),
        ({"record": "memory", "id": "mem_1", "content": "x"}, "created_at"),
        ({"record": "turn", "id": "turn_1", "message": "x", "created_at": "soon"}, "created_at"),
        ({"record": "plan", "id": "plan_1", "created_at": NOW}, "session"),
        ({"record": "document", "id": "doc_1", "path": "x", "status": "ingested"}, "sha256"),
        ({"record": "link", "source": "a", "relation": "likes", "target": "b"}, "relation"),
        ({"record": "verdict", "decision": "add", "reason": "x", "rule": "x"}, "record"),
    ],
)
def test_what_is_no_part_of_an_export(thalamus: Thalamus, line: dict[str, Any], field: str) -> None:
    from thalamus.errors import BadRecord, RecordProblem

    with pytest.raises((BadRecord, RecordProblem)) as caught:
        Importer(thalamus.engine).check(jsonl.decode(json.dumps(line).encode(), 1, *importable()))
    assert caught.value.field == field  # type: ignore[union-attr]


def test_embeddings_of_another_size_are_refused(thalamus: Thalamus) -> None:
    from thalamus.errors import RecordProblem

    importer = Importer(thalamus.engine)
    common = {"content": "x", "created_at": NOW, "embedding_model": "m"}
    importer.check(Memory(id="mem_1", embedding=[1.0, 0.0], **common))
    for wrong in ([1.0], [0.0, 0.0], []):
        with pytest.raises(RecordProblem):
            importer.check(Memory(id="mem_2", embedding=wrong, **common))


def test_into_a_store_with_a_ledger_of_its_own(full: Thalamus, tmp_path: Path) -> None:
    lines = list(export_lines(full.database))
    with engine(tmp_path / "other") as other:
        other.remember([Memory(content="Here before.")])
        importer = take(other, lines)
        events = list(ledger.entries(other.database))
        assert importer.left_out == sum(b'{"record":"event"' in line for line in lines)
        assert [event.name for event in events] == ["stored", "imported"]
        assert events[-1].data["added"]["turn"] == 2 and other.database.check() == []
        take(other, lines)
        assert len(list(ledger.entries(other.database))) == 2


def test_an_interrupted_import_goes_on_within_the_ledger(full: Thalamus, tmp_path: Path) -> None:
    lines = list(export_lines(full.database))
    with engine(tmp_path / "other") as other:
        importer = Importer(other.engine)
        records = [jsonl.decode(line, 1, *importable()) for line in lines[:-3]]
        importer.add(records)  # then it was killed
        take(other, lines)
        assert list(export_lines(other.database)) == lines


def test_missing_embeddings_are_told_and_made_later(
    reading: Run, full: Thalamus, tmp_path: Path
) -> None:
    text = reading("export").stdout
    down = {"THALAMUS_HOME": str(tmp_path / "other"), "THALAMUS_EMBEDDER": "ollama:nothing"}
    down["THALAMUS_OLLAMA_HOST"] = "127.0.0.1:9"
    result = reading("import", input=text, env=down)
    assert result.code == 0 and "`thalamus store reindex --embed` computes them" in result.stderr
    with engine(tmp_path / "other") as copy:
        assert copy.recall("Lisbon")
        assert reembed(TurnRun(copy.engine)) == full.database.counts()["embedding"]


def test_filters(reading: Run, full: Thalamus) -> None:
    def kinds(*arguments: str) -> list[str]:
        return sorted({record["record"] for record in reading("export", *arguments).records})

    assert kinds("--session", "main") == ["fact", "link", "memory", "plan", "turn"]
    [memory] = reading("export", "--user", "ann", "--until", "2024-01-01").records
    assert memory["content"] == "A line\nand # another"
    assert reading("export", "--since", "2030-01-01").records == []
    assert reading("export", "--since", "soon").code == 2


def test_for_reading(reading: Run, full: Thalamus) -> None:
    text = reading("export", "--format", "markdown").stdout
    assert "## Session main\n" in text and "> I moved to Lisbon in May" in text
    assert "- observation: A line and # another" in text  # no heading of its own
    assert "- lives in Rome: 2020-01-01 to 2021-12-31\n" in text
    assert "- lives in Oslo: since 2022-01-01\n" in text
    assert "## Documents\n\n### Rivers\n" in text and "The Tejo" not in text.split("##")[1]
    assert reading("export", "--format", "markdown", "--embeddings").code == 2


def test_without_a_store_or_a_place(reading: Run, full: Thalamus, tmp_path: Path) -> None:
    missing = reading("export", str(tmp_path / "x"), env={"THALAMUS_HOME": str(tmp_path / "none")})
    assert missing.code == 10 and not (tmp_path / "x").exists()
    assert reading("export", str(tmp_path / "no" / "where")).code == 2
    assert reading("import", str(tmp_path / "nothing")).code == 2


# -- other services --------------------------------------------------------------------------

CLAUDE = [
    {
        "uuid": "c1",
        "name": "Trips",
        "created_at": "2024-03-01T10:00:00Z",
        "chat_messages": [
            {"uuid": "m1", "sender": "human", "text": "Hi", "created_at": "2024-03-01T10:00:00Z"},
            {"uuid": "m2", "sender": "assistant", "text": "Hello."},
            {"uuid": "", "sender": "human", "text": "Where?", "created_at": "2024-03-02T10:00:00Z"},
            {"uuid": "", "sender": "human", "text": "Where?", "created_at": "2024-03-02T10:00:00Z"},
        ],
    },
    {"uuid": "c2", "name": "Broken", "chat_messages": [{"text": "nobody said this"}]},
    {
        "uuid": "c3",
        "name": "Undated",
        "chat_messages": [{"uuid": "m9", "sender": "human", "text": "When?"}],
    },
]


def test_conversations_of_claude_come_in_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(CLAUDE))
    real = {"THALAMUS_NOW": ""}  # ids do not depend on a fixed clock
    first = run("import", "--from", "claude", str(path), env=real)
    assert first.code == 0 and first.stdout.startswith("imported 4 turns of 2 conversations;")
    assert "'Broken'" in first.stderr and "dated 1970-01-01" in first.stdout
    turns = [r for r in run("export").records if r["record"] == "turn"]
    assert [(t["session"], t["message"], t["answer"]) for t in turns] == [
        ("claude:c1", "Hi", "Hello."),
        ("claude:c1", "Where?", None),
        ("claude:c1", "Where?", None),
        ("claude:c3", "When?", None),
    ]
    assert turns[0]["created_at"] == "2024-03-01T10:00:00Z"
    again = run("import", "--from", "claude", "--json", str(path), env=real)
    data = again.records[0]["data"]
    assert (data["conversations"], data["added"], data["there"]) == (2, {}, {"turn": 4})
    assert [r for r in run("export").records if r["record"] == "turn"] == turns
    assert "2024-03-01" in run("retrieve", "Hi").stdout


def test_conversations_of_chatgpt(run: Run, tmp_path: Path) -> None:
    def node(name: str, parent: str | None, role: str, text: str, at: float) -> dict[str, Any]:
        content = {"content_type": "text", "parts": [text]}
        message = {"id": name, "author": {"role": role}, "create_time": at, "content": content}
        return {"id": name, "parent": parent, "children": [], "message": message}

    nodes = [node("u", None, "user", "Hi", 1.7e9), node("a", "u", "assistant", "Hello", 1.7e9 + 1)]
    talk = {"conversation_id": "g1", "title": "Greeting", "current_node": "a"}
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{**talk, "mapping": {item["id"]: item for item in nodes}}]))
    result = run("import", "--from", "chatgpt", str(path))
    assert result.stdout == "imported 1 turn of 1 conversation\n"
    turn = run("export").records[0]
    assert (turn["session"], turn["created_at"]) == ("chatgpt:g1", "2023-11-14T22:13:20Z")
    wrong = run("import", "--from", "claude", str(path))
    assert wrong.code == 1 and "claude" not in wrong.stdout


def test_each_conversation_is_whole_and_in_order(run: Run) -> None:
    turns = [
        {"message": "And then?", "answer": "To Porto.", "session": "s", "day": 2},
        {"message": "Where to?", "answer": "To Rome.", "session": "s", "day": 1},
        {"message": "Mine?", "answer": "Bo's.", "session": "s", "user": "bo", "day": 3},
        {"message": "Alone.", "answer": "One.", "session": None, "day": 4},
        {"message": "Alone too.", "answer": "Two.", "session": None, "day": 5},
        {"message": "Hm.", "answer": "  ", "session": "silent", "day": 6},
    ]
    times = (f"2026-01-0{turn.pop('day')}T00:00:00Z" for turn in turns)
    lines = (
        json.dumps({"record": "turn", "id": f"turn_{place}", **turn, "created_at": at})
        for place, (turn, at) in enumerate(zip(turns, times, strict=True))
    )
    assert run("import", input="\n".join(lines)).code == 0
    chats = [record["messages"] for record in run("export", "--format", "chat").records]
    assert [[message["content"] for message in chat] for chat in chats] == [
        ["Where to?", "To Rome.", "And then?", "To Porto."],
        ["Mine?", "Bo's."],
        ["Alone.", "One."],
        ["Alone too.", "Two."],
    ]
    assert all(list(message) == ["role", "content"] for chat in chats for message in chat)


def test_chats_as_role_and_content(run: Run, thalamus: Thalamus) -> None:
    said = [
        ("a", "I live in Rome.", "Noted."),
        ("b", "I like tea.", "Noted: You like tea."),
        ("a", "I have a cat.", None),
        ("a", "Where do I live?", "In Rome."),
        ("a", "And now?", None),
        ("c", "Hm.", None),
    ]
    thalamus.remember(
        [
            Turn(message=text, answer=answer, session=session, created_at=f"2026-01-0{day}")
            for day, (session, text, answer) in enumerate(said, start=1)
        ]
    )
    done = run("export", "--format", "chat")
    assert done.code == 0
    first, second = done.records
    assert list(first) == ["messages"]
    assert all(list(message) == ["role", "content"] for message in first["messages"])
    assert [message["role"] for message in first["messages"]] == ["user", "assistant"] * 2
    assert first["messages"][2]["content"] == "I have a cat.\n\nWhere do I live?"
    assert [m["content"] for m in second["messages"]] == ["I like tea.", "Noted: You like tea."]
    assert run("export", "--format", "chat", "--session", "b").records == [second]
    assert run("export", "--format", "chat", "--kind", "memory").code == 2
    wrong = run("export", "--format", "chat", "--embeddings")
    assert wrong.code == 2 and "--embeddings requires --format jsonl" in wrong.stderr


def test_the_ledger_is_exported_whole_or_not_at_all(run: Run) -> None:
    run("turn", "I moved to Lisbon in May.")
    assert {one["record"] for one in run("export", "--kind", "event").records} == {"event"}
    for narrowed in (("--session", "main"), ("--since", "7d"), ("--user", "ana")):
        refused = run("export", "--kind", "event", *narrowed)
        assert refused.code == 2 and "whole ledger" in refused.stderr


def test_a_fraction_of_a_second_is_after_its_second(run: Run) -> None:
    line = {"record": "memory", "content": "Hello.", "created_at": "2026-05-01T00:00:00.400Z"}
    assert run("store", input=json.dumps(line)).code == 0
    kinds = ("export", "--kind", "memory")
    assert len(run(*kinds, "--since", "2026-05-01T00:00:00Z").records) == 1
    assert run(*kinds, "--until", "2026-05-01T00:00:00Z").records == []
