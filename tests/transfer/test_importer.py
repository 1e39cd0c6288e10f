"""Records of an export that carry no more than they must."""

from __future__ import annotations

import pytest

from thalamus.api import Thalamus
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import (
    Alias,
    Document,
    ExportedFile,
    Fact,
    Insight,
    Link,
    Memory,
    Plan,
    Predicate,
    Project,
    Provenance,
    Record,
    SessionTitle,
    StageLog,
    Turn,
    World,
    WorldChange,
)
from thalamus.transfer.export import Selection

AT = "2025-03-04T05:06:07Z"
LEAST: list[Record] = [
    Predicate(name="tends"),
    Alias(name="Bo", target="Bogdan"),
    Turn(id="turn_1", message="The beans are up.", created_at=AT),
    Memory(id="mem_1", content="The beans are up.", created_at=AT),
    Fact(id="fact_1", subject="Bo", predicate="tends", object="beans", created_at=AT),
    Document(id="doc_1", path="beans.md", sha256="00", status="ingested"),
    Project(id="prj_1", name="Beans", created_at=AT),
    Insight(id="ins_1", content="Bo is a patient gardener.", created_at=AT),
    Plan(id="plan_1", session="main", created_at=AT),
    SessionTitle(id="title_1", session="main", title="Beans", at=AT),
    World(updated_at=AT),
    WorldChange(id="change_1", at=AT, operations=[]),
    StageLog(id="log_1", at=AT, stage="answer"),
    ExportedFile(id="exp_1", at=AT, path="/x", format="golden", rows=0),
]


@pytest.mark.parametrize("record", LEAST, ids=lambda record: type(record).__name__)
def test_a_record_without_recorded_at_is_imported(thalamus: Thalamus, record: Record) -> None:
    assert sum(thalamus.store.import_memory([record]).values()) == 1
    exported = thalamus.store.export(Selection(logs=True))
    (kept,) = [one for one in exported if isinstance(one, type(record))]
    if hasattr(record, "recorded_at"):
        assert kept.recorded_at == thalamus.clock.stamp()
    assert getattr(kept, "created_at", AT) == AT


def test_a_forgotten_record_stays_away(thalamus: Thalamus) -> None:
    tea = Memory(id="mem_2", content="The tea is in the tin.", created_at=AT)
    about = Link(source="mem_1", relation="about", target="prj_1")
    records = [*LEAST, tea, about]
    thalamus.store.import_memory(records)
    thalamus.forget(ForgetOptions(query="beans are up"))
    thalamus.forget(ForgetOptions(query="patient gardener"))
    kept = [one.id for one in thalamus.store.export() if isinstance(one, (Memory, Turn, Insight))]
    assert kept == ["mem_2"]
    assert thalamus.store.import_memory(records) == {}
    again = thalamus.store.import_memory(records, include_forgotten=True)
    assert again == dict.fromkeys(["turn", "memory", "insight", "link"], 1)
    assert thalamus.store.import_memory(records) == {}  # it is there now


def test_a_forgotten_merged_name_stays_away(thalamus: Thalamus) -> None:
    merged = Alias(name="Zub", target="Zubenelgenubi", user="ana")
    other = Alias(name="Zub", target="Zubenelgenubi", user="ben")
    kept = Alias(name="Bo", target="Bogdan")
    named = Predicate(name="orbits_zubenelgenubi")
    thalamus.store.import_memory([merged, kept, named])
    thalamus.forget(ForgetOptions(query="Zubenelgenubi"))
    spelled = Alias(name="ZUB", target="zubenelgenubi", user="ana")
    assert thalamus.store.import_memory([merged, spelled, kept, named]) == {}
    again = thalamus.store.import_memory([merged, named], include_forgotten=True)
    assert again == {"alias": 1, "predicate": 1}
    assert thalamus.store.import_memory([merged, kept, named]) == {}  # it is there now
    assert thalamus.store.import_memory([other]) == {"alias": 1}  # another user's


def test_documents_of_an_older_export_get_the_owner_of_their_chunks(thalamus: Thalamus) -> None:
    def parts(document: str, *owners: tuple[str | None, str | None]) -> list[Record]:
        found: list[Record] = []
        for number, (user, agent) in enumerate(owners):
            chunk = Memory(
                id=f"mem_{document}_{number}",
                type="document_chunk",
                content=f"Page {number} of {document} is about beans.",
                created_at=AT,
                user=user,
                agent=agent,
                provenance=Provenance(document=document, chunk=number),
            )
            found.append(chunk)
        return found

    chunks = [
        *parts("doc_ana", ("ana", "scout"), ("ana", "scout")),
        *parts("doc_agents", ("ana", "scout"), ("ana", None)),
        *parts("doc_mixed", ("ana", None), ("ben", None)),
        *parts("doc_shared", (None, None)),
    ]
    owners = {
        "doc_ana": ("ana", "scout"),
        "doc_agents": ("ana", None),
        "doc_mixed": ("", None),
        "doc_shared": (None, None),
    }
    documents = [Document(id=id, path=f"{id}.md", sha256=id, status="ingested") for id in owners]
    thalamus.store.import_memory(chunks)  # interrupted, and then run again
    thalamus.store.import_memory([*chunks, *documents])
    kept = [one for one in thalamus.store.export() if isinstance(one, Document)]
    assert {one.id: (one.user, one.agent) for one in kept} == owners


def test_the_same_file_of_two_users_is_imported_for_each(thalamus: Thalamus) -> None:
    of = [
        Document(id=f"doc_{user}", path="beans.md", sha256="01", status="ingested", user=user)
        for user in ("ana", "ben")
    ]
    assert thalamus.store.import_memory(of) == {"document": 2}
    again = Document(id="doc_3", path="b.md", sha256="01", status="ingested", user="ana")
    assert thalamus.store.import_memory([*of, again]) == {}
