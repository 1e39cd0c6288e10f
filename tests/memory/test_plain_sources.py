"""A source is protected as what was made of it, whoever writes, in whichever order."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conftest import NOW, Result
from tests.stored import edit, holding, store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.records import (
    Document,
    Event,
    Fact,
    Insight,
    Instruction,
    Link,
    Memory,
    Plan,
    Provenance,
    Record,
    Reflection,
    Turn,
)
from thalamus.store import ledger
from thalamus.store.encryption import contents

Run = Callable[..., Result]
AT = "2025-03-04T05:06:07Z"
SAID = "I take lithium since the spring."
TURN = Turn(id="turn_1", message=SAID, answer="Noted: lithium.", session="main", created_at=AT)
MADE = Fact(
    id="fact_1",
    subject="user",
    predicate="takes_medication",
    object="lithium",
    created_at=AT,
    session="main",
    provenance=Provenance(turn="turn_1", quote="I take lithium"),
)
LINK = Link(source="fact_1", relation="derived_from", target="turn_1")
ENTRY = Event(
    name="stage",
    at=AT,
    turn="turn_1",
    session="main",
    data={"stage": "draft", "detail": {"draft": "Is it the lithium?"}},
)


@contextmanager
def engine(home: Path, **more: Any) -> Iterator[Thalamus]:
    given = {"home": str(home), "model": "scripted", "embedder": "scripted", "timezone": "UTC"}
    store_of(home)
    with Thalamus(clock=Clock(parse_time(NOW)), **(given | more)) as opened:
        yield opened


def is_encrypted(thalamus: Thalamus, *ids: str) -> bool:
    return contents.ids(thalamus.database, ids) == set(ids)


def put(home: Path, records: Sequence[Record], **more: Any) -> None:
    """Stores records unchanged, each in a unit of work of its own."""
    with engine(home, **more) as thalamus:
        store = thalamus.open_store(True)
        assert store is not None
        for record in records:
            with store.writing() as writer:
                if isinstance(record, Event):
                    writer.add_event(msgspec.structs.replace(record))
                    continue
                if hasattr(record, "recorded_at"):
                    record = msgspec.structs.replace(record, recorded_at=AT)
                if isinstance(record, Fact):
                    entity = {"entity": "user", "value": record.object}
                    writer.add(record, **entity)
                else:
                    writer.add(record)


def import_all(home: Path, *parts: Sequence[Record]) -> None:
    """Imports each part by itself, as one process would after another."""
    for part in parts:
        with engine(home) as thalamus:
            thalamus.store.import_memory(part)


# -- export and import -----------------------------------------------------------------------


def test_a_store_that_was_moved_is_protected_as_before(run: Run, home: Path) -> None:
    run("turn", "I'm allergic to cashews.")
    other = {"THALAMUS_HOME": str(home.parent / "other")}
    exported = run("export").stdout
    first = next(line for line in exported.splitlines() if '"record":"turn"' in line)
    assert msgspec.json.decode(first)["sensitivity"] == "personal"
    assert run("import", input=exported, env=other).code == 0
    assert run("retrieve", "allergic to cashews", env=other).stdout.count("cashews")
    assert not holding(home / "data", "cashews")
    assert not holding(home.parent / "other" / "data", "cashews")
    assert run("export", env=other).stdout.count("cashews") == exported.count("cashews")
    run("key", "shred", "user", "--yes", env=other)
    assert "cashews" not in run("export", env=other).stdout
    assert "cashews" not in run("retrieve", "my allergies", env=other).stdout


def test_a_turn_in_a_pipe_is_protected_as_before(run: Run, home: Path) -> None:
    run("turn", "I'm allergic to cashews.")
    turns = run("export", "--kind", "turn").stdout
    other = {"THALAMUS_HOME": str(home.parent / "other")}
    assert run("store", input=turns, env=other).code == 0
    assert not holding(home.parent / "other" / "data", "cashews")
    assert "cashews" in run("export", "--kind", "turn", env=other).stdout


@pytest.mark.parametrize("order", list(itertools.permutations([TURN, MADE, LINK])), ids=str)
def test_any_order_of_separate_imports(home: Path, order: Sequence[Record]) -> None:
    import_all(home, *([record] for record in order))
    assert not holding(home / "data", "lithium")
    with engine(home) as thalamus:
        assert is_encrypted(thalamus, "turn_1", "fact_1")
        assert not thalamus.database.check()
        [turn] = thalamus.database.each(Turn)
        assert (turn.message, turn.sensitivity) == (SAID, "personal")


@pytest.mark.parametrize("order", [[TURN, MADE], [MADE, TURN]], ids=["turn first", "fact first"])
def test_a_record_without_a_link_names_its_turn(home: Path, order: Sequence[Record]) -> None:
    import_all(home, *([record] for record in order))
    assert not holding(home / "data", "lithium")


def test_ledger_entries_are_encrypted_with_their_turn(run: Run, home: Path) -> None:
    put(home, [TURN, ENTRY])
    assert holding(home / "data", "lithium")
    import_all(home, [MADE, LINK])
    assert not holding(home / "data", "lithium")
    with engine(home) as thalamus:
        draft, *_ = ledger.of_turn(thalamus.database, "turn_1")
        assert draft.data["detail"] == {"draft": "Is it the lithium?"}
        assert not thalamus.database.check()
    assert run("doctor", "--signatures").code == 0
    other = {"THALAMUS_HOME": str(home.parent / "other")}
    exported = run("export").stdout
    assert run("import", input=exported, env=other).code == 0
    assert run("doctor", "--signatures", env=other).code == 0
    assert run("forget", "turn_1", "--yes").code == 0
    assert run("doctor", "--signatures").code == 0


@pytest.mark.sqlite
def test_a_changed_ciphertext_of_the_ledger_is_found(run: Run, home: Path) -> None:
    put(home, [TURN, ENTRY])
    import_all(home, [MADE, LINK])
    edit(home, 'UPDATE event SET data = replace(data, \'"encrypted":"\', \'"encrypted":"00\')')
    found = run("doctor", "--signatures")
    assert found.code == 1 and "event 1: edited" in found.stdout


# -- other ways to write ---------------------------------------------------------------------


def test_a_fact_added_by_hand_with_its_evidence(home: Path) -> None:
    put(home, [TURN])
    with engine(home) as thalamus:
        source = Provenance(turn="turn_1")
        thalamus.facts.add(
            Fact(subject="user", predicate="takes_medication", object="Li", provenance=source)
        )
        assert is_encrypted(thalamus, "turn_1")
        assert thalamus.database.unfinished()  # until it is closed
    assert not holding(home / "data", "lithium")
    with engine(home) as thalamus:
        assert not thalamus.database.unfinished()


def test_a_reflection_that_comes_later(home: Path) -> None:
    put(home, [TURN])
    with engine(home) as thalamus:
        marked = Memory(content="The user takes lithium.", sensitivity="personal")
        thalamus.remember([Reflection(turn="turn_1", memories_to_store=[marked])])
        assert is_encrypted(thalamus, "turn_1")
    assert not holding(home / "data", "lithium")


@pytest.mark.parametrize(
    "changes", [{"sensitivity": "personal"}, {"content": "Write to ana@example.org."}]
)
def test_an_edit_that_makes_a_memory_personal(home: Path, changes: dict[str, Any]) -> None:
    source = Provenance(turn="turn_1")
    known = Memory(id="mem_1", content="Lithium in spring.", created_at=AT, provenance=source)
    import_all(home, [TURN, known, Link(source="mem_1", relation="derived_from", target="turn_1")])
    with engine(home) as thalamus:
        edited = thalamus.memories.edit("mem_1", **changes)
        assert is_encrypted(thalamus, "turn_1", "mem_1", edited.stored_id)
    assert not holding(home / "data", "ithium")


def test_what_is_said_again_as_personal(home: Path) -> None:
    with engine(home) as thalamus:
        for _ in range(2):
            [kept] = thalamus.remember([Memory(content="The user keeps bees.", id="mem_1")])
        assert not is_encrypted(thalamus, "mem_1")
        fact = Fact(subject="user", predicate="keeps", object="bees")
        thalamus.facts.add(fact)
        again, _ = thalamus.facts.add(msgspec.structs.replace(fact, sensitivity="personal"))
        assert again.sensitivity == "personal" and is_encrypted(thalamus, again.stored_id)
    assert kept.id == "mem_1"


def test_what_else_was_made_of_the_turn_shares_the_words(home: Path) -> None:
    def memory(id: str, content: str, quote: str) -> list[Record]:
        source = Provenance(turn="turn_1", quote=quote)
        made = Memory(id=id, content=content, created_at=AT, provenance=source)
        return [made, Link(source=id, relation="derived_from", target="turn_1")]

    same = memory("mem_1", "The user began something in spring.", SAID)
    tea = memory("mem_2", "The user likes tea.", "Noted")
    import_all(home, [TURN, *same, *tea], [MADE, LINK])
    with engine(home) as thalamus:
        assert is_encrypted(thalamus, "turn_1", "mem_1", "fact_1")
        assert not is_encrypted(thalamus, "mem_2")
    assert not holding(home / "data", "lithium")


def test_sources_of_an_insight(home: Path) -> None:
    insight = Insight(id="ins_1", content="Spring is hard.", created_at=AT, sensitivity="personal")
    link = Link(source="ins_1", relation="derived_from", target="turn_1")
    import_all(home, [TURN], [insight, link])
    assert not holding(home / "data", "lithium", "Spring is hard")


def test_a_summary_with_a_personal_source_leaves_the_others(home: Path) -> None:
    sources = [
        Memory(id="mem_1", content="The user has asthma.", created_at=AT, sensitivity="personal"),
        Memory(id="mem_2", content="The user rows.", created_at=AT),
    ]
    summary = Memory(
        id="mem_3", content="Rowing, asthma.", type="summary", created_at=AT, sensitivity="personal"
    )
    links = [Link(source="mem_3", relation="derived_from", target=one.stored_id) for one in sources]
    import_all(home, [*sources, summary, *links])
    with engine(home) as thalamus:
        assert is_encrypted(thalamus, "mem_1", "mem_3") and not is_encrypted(thalamus, "mem_2")
    alone = [Link(source="mem_4", relation="derived_from", target="mem_2")]
    import_all(home, [msgspec.structs.replace(summary, id="mem_4", content="Oars.")], alone)
    with engine(home) as thalamus:
        assert is_encrypted(thalamus, "mem_2")  # from where else would it come


def test_a_document_and_its_chunks(home: Path) -> None:
    document = Document(
        id="doc_1", path="diary.md", sha256="00", status="ingested", summary="On lithium."
    )
    source = Provenance(document="doc_1")
    parts = [
        ("mem_1", "document_chunk", "Monday: I take lithium now."),
        ("mem_2", "document_chunk", "Tuesday: rain."),
        ("mem_3", "document_summary", "diary: On lithium."),
    ]
    chunks: list[Record] = []
    for id, type, content in parts:
        chunks.append(Memory(id=id, type=type, content=content, created_at=AT, provenance=source))
        chunks.append(Link(source=id, relation="part_of", target="doc_1"))
    made = msgspec.structs.replace(MADE, provenance=source)
    link = Link(source="fact_1", relation="derived_from", target="doc_1")
    import_all(home, [document, *chunks], [made, link])
    assert not holding(home / "data", "lithium")
    with engine(home) as thalamus:
        assert not is_encrypted(thalamus, "mem_2")


def test_nothing_is_encrypted_where_nothing_should_be(home: Path) -> None:
    with engine(home, encrypt_personal=False) as thalamus:
        thalamus.store.import_memory([TURN, MADE, LINK])
        assert not contents.all_ids(thalamus.database)


# -- stores in which it went wrong -----------------------------------------------------------


@pytest.fixture
def exposed(home: Path) -> Path:
    """A store with a personal fact whose turn is in plain text."""
    put(home, [TURN, ENTRY, Memory(id="mem_9", content="Ana rows.", created_at=AT)])
    with engine(home) as thalamus:
        options = msgspec.structs.replace(thalamus.store_options(), plain_sources=None)
        store = thalamus.location.open(options)
        with store.writing() as writer:
            made = msgspec.structs.replace(MADE, recorded_at=AT)
            writer.add(made, entity="user", value="lithium")
            writer.add(LINK)
        store.close()
    assert holding(home / "data", "lithium")
    return home / "data"


def test_doctor_names_the_command_that_mends_it(run: Run, exposed: Path) -> None:
    found = run("doctor", "--no-model")
    assert "1 row is stored as plain text" in found.stdout and "key encrypt" in found.stdout
    done = run("key", "encrypt")
    assert (done.code, done.stdout, done.stderr) == (0, "Encrypted 1 turn.\n", "")
    assert not holding(exposed, "lithium")
    assert "plain text" not in run("doctor", "--no-model").stdout
    assert run("doctor", "--signatures").code == 0
    assert run("key", "encrypt").stdout == "Nothing to encrypt.\n"
    assert "lithium" in run("export", "--kind", "turn").stdout
    assert run("memory", "search", "Ana").stdout.count("rows")


@pytest.mark.sqlite
def test_an_interrupted_run_is_completed_by_the_next(run: Run, exposed: Path) -> None:
    copy = exposed.parent / "copy.db"
    run("store", "backup", str(copy))
    with closing(sqlite3.connect(exposed / "default" / "thalamus.db")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM turn").fetchall()
        stopped = run("key", "encrypt", env={"THALAMUS_BUSY_TIMEOUT": "0.2"})
        assert stopped.code == 1 and "another process is reading" in stopped.stderr
        assert str(copy) in stopped.stderr  # a backup keeps the words
    assert run("key", "encrypt").code == 0
    assert not holding(exposed, "lithium")
    assert "erased yet" not in run("memory").stderr


def test_what_was_stored_before_encryption(run: Run, home: Path) -> None:
    mine = Memory(id="mem_1", content="My card is 4111 1111 1111 1111.", created_at=AT)
    put(home, [TURN, MADE, LINK, mine], encrypt_personal=False)
    done = run("key", "encrypt", "--json")
    assert done.records[-1]["data"]["counts"] == {"fact": 1, "memory": 1, "turn": 1}
    assert not holding(home / "data", "lithium", "4111")


def test_a_plan_that_was_stored_before_encryption(run: Run, home: Path) -> None:
    """Its row has no columns for its fields."""
    asked = [Instruction(query="lithium")]
    plan = Plan(id="plan_1", session="s", created_at=AT, retrieval_instructions=asked)
    put(home, [plan], encrypt_personal=False)
    assert run("key", "encrypt").stdout == "Encrypted 1 plan.\n"
    assert not holding(home / "data", "lithium")
    with engine(home) as thalamus:
        [found] = thalamus.database.each(Plan)
        assert found.retrieval_instructions == asked
    assert run("doctor", "--signatures").code == 0


def test_there_is_nothing_to_encrypt_with(run: Run, exposed: Path) -> None:
    refused = run("key", "encrypt", env={"THALAMUS_ENCRYPT_PERSONAL": "false"})
    assert refused.code == 2 and "encrypt_personal: false" in refused.stderr
