"""`thalamus why`: back to the words of a turn or the page of a document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thalamus.api import Thalamus
from thalamus.memory.resolve_id import resolve
from thalamus.memory.views.explain import trace_back
from thalamus.records import Document, Evidence, Fact, Link, Memory, Provenance, Turn
from thalamus.records.reports import Origin

Run = Callable[..., Any]
SAID = "I moved to Lisbon in May and I prefer short answers."


def relations(origin: Origin) -> list[str | None]:
    return [child.relation for child in origin.origins]


def test_a_fact_leads_to_the_words(run: Run, thalamus: Thalamus) -> None:
    turn = thalamus.turn(SAID)
    fact = next(f for f in thalamus.facts.find() if f.predicate == "lives_in")
    lines = run("why", fact.id).stdout.splitlines()
    assert lines == [
        f"fact user lives_in Lisbon  (since 2026-05)  [{fact.id}]",
        f"└─ said in turn {turn.id} on 2026-05-08 in session main: “I moved to Lisbon in May”",
    ]
    (origin,) = run("why", (fact.id or "")[:-2], "--json").records
    assert origin["record"] == "origin"
    first = origin["origins"][0]
    assert (first["id"], first["quote"]) == (turn.id, "I moved to Lisbon in May")


def test_an_answer_leads_to_its_evidence_and_that_to_its_own_origin(
    run: Run, thalamus: Thalamus
) -> None:
    first = thalamus.turn(SAID)
    thalamus.new_session("two")
    second = thalamus.turn("Where do I live?")
    (origin,) = run("why", "--session", "two", "--json").records
    assert (origin["id"], origin["answer"], origin["model"]) == (
        second.id,
        second.answer,
        "scripted",
    )
    shown = {child["id"] for child in origin["origins"]}
    recalled = {item.id for item in second.evidence}
    home, *others = [line for line in second.profile or () if "Lisbon" in line.text]
    assert shown == {*recalled, *home.ids} and not others  # of the profile what the answer used
    fact = next(child for child in origin["origins"] if child["kind"] == "fact")
    assert [(part["relation"], part["id"]) for part in fact["origins"]] == [("said_in", first.id)]
    assert "in the prompt, and in the answer (lisbon): fact" in run("why", second.id).stdout


def test_what_was_used_comes_first(run: Run, thalamus: Thalamus) -> None:
    texts = {"mem_tea": "The user likes tea.", "mem_home": "The user lives in Lisbon."}
    thalamus.remember([Memory(id=id, content=text) for id, text in texts.items()])
    found = [Evidence(id=id, kind="memory", text=text) for id, text in texts.items()]
    asked = "Where do I live?"
    thalamus.remember([Turn(message=asked, answer="In Lisbon.", session="s", evidence=found)])
    (origin,) = run("why", "--session", "s", "--json").records
    assert [child["id"] for child in origin["origins"]] == ["mem_home", "mem_tea"]
    assert origin["origins"][0]["shared"] == ["lisbon"]


def test_a_piece_of_a_document_leads_to_its_page(run: Run, thalamus: Thalamus) -> None:
    store = thalamus.open_store(create=True)
    assert store is not None
    place = Provenance(document="doc_1", page=3, offset=120, heading="Brewing")
    with store.writing() as writer:
        writer.put(Document(path="tea.pdf", status="ingested", id="doc_1", title="Tea", sha256="0"))
    thalamus.remember(
        [
            Memory(id="mem_1", content="Use soft water.", type="document_chunk", provenance=place),
            Memory(
                id="mem_2",
                content="Tea: all about it.",
                type="document_summary",
                provenance=Provenance(document="doc_1"),
            ),
        ]
    )
    assert run("why", "mem_1").stdout.splitlines()[1] == (
        "└─ read in document “Tea”, tea.pdf, page 3, offset 120, under “Brewing”  [doc_1]: "
        "“Use soft water.”"
    )
    (summary,) = trace_back(store, "mem_2").origins
    assert summary.quote is None  # a summary's words are the model's


def test_what_was_superseded_is_followed_to_its_own_words(thalamus: Thalamus) -> None:
    thalamus.remember(
        [
            Fact(
                id=f"fact_{city}",
                subject="user",
                predicate="lives_in",
                object=city,
                valid_from=since,
                quote=f"I live in {city}.",
                provenance=Provenance(turn=f"turn_{city}", quote=f"I live in {city}."),
            )
            for city, since in (("Porto", "2020-01-01"), ("Rome", "2024-01-01"))
        ]
    )
    found = trace_back(thalamus.database, "fact_Rome")
    said, old = found.origins
    assert (said.kind, said.quote) == ("missing", "I live in Rome.")
    assert (old.id, old.relation, old.valid_to) == (
        "fact_Porto",
        "supersedes",
        "2024-01-01T00:00:00Z",
    )
    assert old.origins[0].quote == "I live in Porto."
    assert relations(trace_back(thalamus.database, "fact_Porto")) == ["said_in"]


def test_cycles_and_long_chains_end(thalamus: Thalamus) -> None:
    names = [f"mem_{number:02}" for number in range(20)]
    thalamus.remember([Memory(id=name, content=name) for name in names])
    with thalamus.database.writing() as writer:
        for source, target in zip(names, [*names[1:], names[0]], strict=True):
            writer.add(Link(source=source, relation="derived_from", target=target))
    found = trace_back(thalamus.database, names[0], depth=3)
    for name in names[:3]:
        assert (found.id, found.note) == (name, None)
        (found,) = found.origins
    assert (found.id, found.note, found.origins) == (
        "mem_03",
        "more origins omitted",
        [],
    )
    found = trace_back(thalamus.database, names[0], depth=100)
    for _ in names:
        (found,) = found.origins
    assert (found.id, found.note) == (names[0], "shown already")


def test_evidence_of_evidence_is_not_followed(thalamus: Thalamus) -> None:
    thalamus.remember([Turn(message="one", id="t1"), Turn(message="two", id="t2")])
    with thalamus.database.writing() as writer:
        writer.add(Link(source="t1", relation="evidence_of", target="t2"))
        writer.add(Link(source="t2", relation="evidence_of", target="t1"))
    found = trace_back(thalamus.database, "t2")
    assert [child.id for child in found.origins] == ["t1"]
    assert found.origins[0].origins == []


def test_what_was_typed_in_says_so(run: Run, thalamus: Thalamus) -> None:
    thalamus.remember([Memory(id="mem_typed", content="Buy milk.", created_at="2023-05-08")])
    assert run("why", "mem_typed").stdout.splitlines() == [
        "memory Buy milk.  [mem_typed]",
        "└─ stored on 2023-05-08, without a turn or a document",
    ]


def test_what_cannot_be_found(run: Run, thalamus: Thalamus) -> None:
    thalamus.remember([Memory(id="mem_a", content="a"), Memory(id="mem_ab", content="b")])
    assert resolve(thalamus.database, "mem_a") == "mem_a"
    for arguments, code in ((("why", "nope"), 4), (("why",), 4), (("why", "mem_"), 2)):
        assert run(*arguments).code == code, arguments


def test_what_has_no_origin(run: Run, thalamus: Thalamus) -> None:
    thalamus.turn(SAID)
    thalamus.sessions.rename("main", "Moving")
    thalamus.close()
    for kind in ("session_title", "stage_log"):
        id = run("export", "--kind", kind).records[0]["id"]
        done = run("why", id)
        assert done.code == 2 and f"{id} is a {kind.replace('_', ' ')}, and its" in done.stderr


def test_without_an_id_the_last_turn_of_any_session(run: Run, thalamus: Thalamus) -> None:
    thalamus.new_session("chat_1")
    thalamus.turn("I like tea.")
    thalamus.new_session("chat_2")
    last = thalamus.turn("I like figs.").id
    assert run("why", "--json").records[0]["id"] == last
    assert run("trace").stdout.startswith(f"{last} ")
    [of_first] = run("why", "--session", "chat_1", "--json").records
    assert of_first["text"] == "I like tea."
    assert "no turns in the session 'main'" in run("why", "--session", "main").stderr
    assert "undone: “I like figs.”" in run("undo", "--turn", "last").stdout
    assert run("why", "--json").records[0]["text"] == "I like tea."


def test_it_says_why_something_recalled_did_not_stand_in_the_prompt(
    run: Run, thalamus: Thalamus
) -> None:
    thalamus.turn(Turn(message="I love green olives.", session="a"))
    asked = thalamus.turn(Turn(message="Which olives do I love?", session="b"))
    recalled = {item.id for item in asked.evidence}
    lines = run("why", asked.id).stdout.splitlines()
    [line] = [line for line in lines if line.endswith("  (another line says it)")]
    assert line.startswith("├─ recalled, not in the prompt: ")
    [said] = [id for id in recalled if id in line]
    shown = run("trace", "--session", "b").stdout
    assert f"{said} “I love green olives.”: another line says it" in shown
