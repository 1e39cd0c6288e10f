"""Every row has an owner: nobody but the owner finds, explains, undoes or deletes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import NOW, Result
from tests.stored import store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.errors import NothingFound, NothingMatches
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Document, Fact, Insight, Memory, Project
from thalamus.records.ownership import DEFAULT_USER
from thalamus.serving import resources, tools
from thalamus.store import batches, ledger
from thalamus.transfer.importer import Importer

Run = Callable[..., Result]
WORD = "Vrandolin"  # of all that one user stores
SERVED = {tool.name: tool for tool in tools.tools(allow_forget=True)}


@contextmanager
def user(home: Path, name: str, **settings: object) -> Iterator[Thalamus]:
    given: dict[str, object] = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    clock = Clock(parse_time(NOW))
    with Thalamus(clock=clock, store=store_of(home), user=name, **(given | settings)) as thalamus:
        yield thalamus


def letter(tmp_path: Path) -> Path:
    path = tmp_path / f"{WORD}.md"
    path.write_text(f"# The {WORD} lease\n\nThe lease of the {WORD} mill ends in autumn.\n")
    return path


@pytest.fixture
def ana(home: Path, tmp_path: Path) -> list[str]:
    """One user's rows in nearly every table, all with the word; the ids of these rows."""
    with user(home, "ana") as thalamus:
        for flow in ("routed", "classic"):
            thalamus.turn(f"Remember that {WORD} is my landlord", flow=flow)
        thalamus.ingest(letter(tmp_path))
        [memory, _] = thalamus.remember(
            [Memory(content=f"{WORD} keeps bees.", topic=WORD), Memory(content="Bees sleep.")]
        )
        with thalamus.database.writing() as writer:
            insight = Insight(content=f"{WORD} is patient.", id="ins_patient", created_at=NOW)
            insight.user, insight.recorded_at = "ana", NOW
            writer.add(insight)
        thalamus.facts.add(Fact(subject="Vee", predicate="likes", object=WORD))
        thalamus.facts.merge("Vee", WORD)
        thalamus.memories.edit(memory.stored_id, topic="bees")
        thalamus.projects.add(Project(name=f"{WORD} mill"))
        thalamus.sources.add(f"https://{WORD.lower()}.example/")
        thalamus.sessions.rename("main", f"On {WORD}")
        found = [record for record in thalamus.store.export() if hasattr(record, "id")]
    return [record.id for record in found]


def test_another_user_deletes_nothing(home: Path, ana: list[str]) -> None:
    with user(home, "") as thalamus:
        before = [*map(repr, thalamus.store.export())]
    with user(home, "ben") as thalamus:
        for options in (
            ForgetOptions(query=WORD),
            ForgetOptions(subject=WORD),
            ForgetOptions(about=WORD),
            ForgetOptions(session="main"),
            ForgetOptions(source=f"{WORD}.md"),
            *(ForgetOptions(ids=(id,)) for id in ana),
        ):
            try:
                report = thalamus.forget(options)
            except NothingFound:
                continue
            assert not report.done, options  # files have the words, and no row is his
    with user(home, "") as thalamus:
        assert [*map(repr, thalamus.store.export())] == before


def test_another_user_sees_nothing(home: Path, ana: list[str], run: Run) -> None:
    own = "Ben grows figs near the harbour."
    with user(home, "ben") as thalamus:
        [fig] = thalamus.remember([Memory(content=own)])
        for id in ana:
            with pytest.raises((NothingFound, NothingMatches)):
                thalamus.why(id)
            with pytest.raises(NothingMatches):
                thalamus.sessions.trace(id)
        assert thalamus.memories.documents() == []
        assert batches.stored(thalamus.database) and not thalamus.store.batches()
        listed, _ = resources.resources(thalamus, None, tools.Caller())
        assert [item.name for item in listed] == ["profile"]
        for name, arguments in (
            ("forget", {"query": WORD}),
            ("retrieve", {"query": WORD}),
            ("facts", {}),
            ("profile", {}),
        ):
            tool = SERVED[name]
            try:
                found = tool.run(thalamus, tool.parameters(arguments), tools.Caller())
            except NothingFound:
                continue
            assert WORD not in repr(found) and WORD.lower() not in repr(found)
    ben = {"THALAMUS_USER": "ben"}
    for command in (
        ("timeline", "--limit", "500"),
        ("memory", "--status", "all"),
        ("facts", "--history"),
        ("insights", "list", "--status", "all"),
        ("sources",),
        ("project",),
        ("world",),
        ("session",),
        ("trace", "--last", "20"),
        ("undo", "--list"),
        ("concepts",),
    ):
        shown = run(*command, "--json", env=ben)
        assert shown.code in (0, 4), (command, shown.stderr)  # 4: there is nothing
        assert WORD.lower() not in (shown.stdout + shown.stderr).lower(), command
    assert run("why", fig.stored_id, env=ben).code == 0


def test_another_user_undoes_nothing(home: Path, ana: list[str]) -> None:
    with user(home, "ben") as thalamus, pytest.raises(NothingMatches):
        thalamus.undo()
    with user(home, "ana") as thalamus:
        [batch, *_] = thalamus.store.batches()
        assert batch.user == "ana"
    with user(home, "ben") as thalamus, pytest.raises(NothingFound):
        thalamus.undo(batch.id)
    with user(home, "ana") as thalamus:
        assert thalamus.undo(batch.id).change.id == batch.id


def test_entries_belong_to_the_owner_of_their_records(home: Path, ana: list[str]) -> None:
    with user(home, "") as thalamus:
        assert {event.user for event in ledger.entries(thalamus.database)} == {"ana"}
        [memory] = thalamus.remember([Memory(content="Ana sings.", user="ana")])
        thalamus.memories.pin(memory.stored_id)
        thalamus.remember([Memory(content="Ben hums.", user="ben")])
        thalamus.remember([Memory(content="The sea is calm.")])
        *_, stored, pinned, hum, sea = ledger.entries(thalamus.database)
        assert [event.user for event in (stored, pinned, hum, sea)] == ["ana", "ana", "ben", None]
        report = thalamus.forget(ForgetOptions(query="hums"))
        *_, forgotten = ledger.entries(thalamus.database)
        assert report.done and forgotten.user == DEFAULT_USER


def test_the_same_file_belongs_to_each_who_reads_it(home: Path, tmp_path: Path) -> None:
    path = letter(tmp_path)
    ids = set()
    for name in ("ana", "ben"):
        with user(home, name) as thalamus:
            assert thalamus.ingest(path).status == "ingested"
            assert thalamus.ingest(path).status == "unchanged"
            [document] = thalamus.memories.documents()
            ids.add(document.id)
            assert document.user == name
            assert {m.user for m in thalamus.memories.document(document.stored_id)[1]} == {name}
    assert len(ids) == 2
    with user(home, "ben") as thalamus:
        assert thalamus.forget(ForgetOptions(source=str(path))).counts["document"] == 1
        assert thalamus.memories.documents() == []
    with user(home, "ana") as thalamus:
        [document] = thalamus.memories.documents()
        assert thalamus.memories.document(document.stored_id)[1]
        [ingested] = [e for e in ledger.entries(thalamus.database) if e.name == "ingested"]
        assert ingested.data["id"] == document.id


def test_a_shared_file_is_everybodys(home: Path, tmp_path: Path) -> None:
    path = letter(tmp_path)
    for name, status in (("", "ingested"), ("ben", "unchanged")):
        with user(home, name) as thalamus:
            assert thalamus.ingest(path).status == status
            assert len(thalamus.memories.documents()) == 1


def test_owners_are_exported_and_imported(home: Path, tmp_path: Path, ana: list[str]) -> None:
    with user(home, "") as thalamus:
        records = [*thalamus.store.export()]
    with user(tmp_path / "other", "", key_store="none") as thalamus:
        importer = Importer(thalamus.engine)
        importer.add([importer.check(record) for record in records])
        importer.finish()
        documents = thalamus.memories.documents()
        assert [one.user for one in documents] == ["ana"]
        assert {event.user for event in ledger.entries(thalamus.database)} == {"ana"}


def test_what_has_no_owner_is_not_shown_redacted(home: Path) -> None:
    lost = Document(path="x.md", status="ingested", id="doc_x", sha256="x", title="Old lease")
    lost.user = DEFAULT_USER
    with user(home, "") as thalamus:
        thalamus.remember([Memory(content="The sea is calm.")])
        with thalamus.database.writing() as writer:
            writer.put(lost)
        full, _ = resources.resources(thalamus, None, tools.Caller())
        redacted, _ = resources.resources(thalamus, None, tools.Caller(redacted=True))
        assert [item.name for item in full] == ["profile", "Old lease"]
        assert [item.name for item in redacted] == ["profile"]
        with pytest.raises(NothingFound):
            resources.read(thalamus, f"{resources.DOCUMENT}doc_x", tools.Caller(redacted=True))
    with user(home, "ana") as thalamus:
        assert thalamus.memories.documents() == []
