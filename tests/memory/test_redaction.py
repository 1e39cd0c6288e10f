"""What a redacted view shows, and what none of them ever does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.marked import MARK, OPEN, every_kind, fill
from thalamus.api import Thalamus
from thalamus.memory.redaction import MASKED, SHOWN_TYPES, RedactedView
from thalamus.policy.redaction import Redactor
from thalamus.policy.reply_parsing import MEMORY_TYPES
from thalamus.records import Document, Evidence, Fact, Insight, Link, Memory, Provenance
from thalamus.records.kinds import kinds

Run = Callable[..., Result]
OUTPUTS = [
    ("facts",),
    ("facts", "--json"),
    ("facts", "--history", "--json"),
    ("facts", "history", "user"),
    ("facts", "history", "user", "--json"),
    ("memory",),
    ("memory", "--json"),
    ("memory", "--status", "all", "--json"),
    ("memory", "show", f"{MARK}_memory_normal"),
    ("memory", "show", f"{MARK}_memory_personal", "--json"),
    ("memory", "search", "herons", MARK),
    ("memory", "search", "herons", MARK, "--json"),
    ("retrieve", f"herons {MARK}"),
    ("retrieve", f"herons {MARK}", "--json"),
    ("retrieve", "herons", "--format", "prompt"),
    ("export",),
    ("export", "--format", "markdown"),
    ("report", "--output", "-"),
]


# commands that fail, or find nothing
FAILURES = [
    ("memory", "--topic", "x"),
    ("memory", "--type", "x"),
    ("memory", "show", MARK),
    ("memory", "show", "x"),
    ("memory", "search", "x", "--topic", "x"),
    ("retrieve", "x", "--topic", "x"),
    ("retrieve", "x", "--type", "x"),
    ("facts", "--subject", "x"),
    ("facts", "history", "x"),
]


def test_no_output_and_no_message_has_a_mark(thalamus: Thalamus, run: Run) -> None:
    fill(thalamus)
    thalamus.close()
    for command in OUTPUTS:
        plain = run(*command)
        assert plain.code == 0 and MARK in plain.stdout, (command, plain.stderr)
        shown = run(*command, "--redacted")
        assert shown.code == 0, (command, shown.stderr)
        assert MARK not in shown.stdout + shown.stderr, command
        assert "show" in command or "eron" in shown.stdout, command
    for command in FAILURES:
        said = run(*command, "--redacted").stderr.replace(f"'{MARK}'", "")
        assert said and MARK not in said, command


def test_no_message_tells_if_something_is_masked(run: Run) -> None:
    run("facts", "add", "Rita", "lives_in", "Porto")
    for name in ("Rita", "Zoe"):
        for command in (("facts", "history", name), ("facts", "--subject", name)):
            said = run(*command, "--redacted")
            assert (said.stdout, said.stderr) == ("", "The redacted view shows no such facts.\n")


def test_every_kind_is_marked_in_every_field(thalamus: Thalamus) -> None:
    assert {type(record) for record in every_kind()} == {kind.record for kind in kinds()}
    fill(thalamus)
    view = RedactedView(thalamus.engine)
    for record in every_kind():
        shown = view.record(record)
        assert (shown is not None) <= (type(record) in OPEN), record
        assert MARK not in repr(shown), shown
    everything = list(thalamus.database.everything())
    assert {kind.record for kind in kinds()} <= {type(record) for record in everything}
    assert MARK not in repr(list(view.records(everything)))


def test_a_pipeline(thalamus: Thalamus, run: Run) -> None:
    fill(thalamus)
    thalamus.close()
    given = json.dumps({"record": "turn", "message": "Where are the herons?", "session": "pond"})
    [turn] = run("retrieve", "--redacted", input=given).records
    assert turn["evidence"] and MARK not in json.dumps(turn)
    assert turn["message"] == "Where are the herons?" and turn["session"] == "pond"
    [answered] = run("answer", input=json.dumps(turn)).records
    assert answered["answer"]


@pytest.mark.parametrize(
    "options",
    [
        ("--format", "chat"),
        ("--format", "persona"),
        ("--embeddings",),
        ("--with-logs",),
        ("--kind", "turn"),
        ("--kind", "event"),
    ],
    ids=" ".join,
)
def test_turns_and_vectors_are_not_exported(run: Run, options: tuple[str, ...]) -> None:
    refused = run("export", "--redacted", *options)
    assert refused.code == 2 and "--redacted cannot be combined" in refused.stderr


def test_a_report_is_personal_or_redacted(run: Run) -> None:
    refused = run("report", "--output", "-", "--personal", "--redacted")
    assert refused.code == 2 and "cannot be combined" in refused.stderr


# -- what is shown ---------------------------------------------------------------------------------


@pytest.fixture
def view(thalamus: Thalamus) -> RedactedView:
    thalamus.remember([Fact(subject="Zebulon", predicate="lives_in", object="Rome")])
    return RedactedView(thalamus.engine)


def test_names_and_numbers_are_replaced(view: RedactedView) -> None:
    memory = Memory(
        content="Zebulon Smith keeps bees at 12 Baker Street.", type="preference", user="ana"
    )
    shown = view.record(memory)
    assert shown.content == "[PERSON_1] keeps bees at [ADDRESS_1]." and shown.user == MASKED
    assert view.text("Is Zebulon there?") == "Is [PERSON_1] there?"


def test_what_is_personal_or_a_quotation_is_masked(view: RedactedView) -> None:
    for memory, content in (
        (Memory(content="The user has asthma.", sensitivity="personal"), "[personal]"),
        (Memory(content="Write to x@example.org", type="goal"), "[personal]"),
        (Memory(content="(encrypted)"), "[personal]"),
        (Memory(content="I keep bees.", metadata={"verbatim": True}), "[quote]"),
        (Memory(content="Conversation: I keep bees", type="session_summary"), "[quote]"),
        (Memory(content="I keep bees", provenance=Provenance(quote="I keep bees!")), "[quote]"),
    ):
        shown = view.record(memory)
        assert shown == Memory(content=content, type=MASKED, sensitivity=memory.sensitivity)
        assert list(view.readable([memory])) == [], memory


def test_memories_are_shown_by_their_type(view: RedactedView) -> None:
    for type in MEMORY_TYPES:
        memory = Memory(content="The bees need sugar.", type=type)
        content = memory.content if type in SHOWN_TYPES else MASKED
        assert view.record(memory).content == content
    unlabelled = Memory(content="The user has multiple sclerosis.")
    assert view.record(unlabelled) == Memory(content=MASKED, type=MASKED)
    assert view.record(Insight(content="Bees and frogs need the same pond.")) is None


def test_facts_are_shown_by_their_predicate(view: RedactedView) -> None:
    predicates = ("likes", "speaks", "lives_in", "has_condition")
    facts = [Fact(subject="user", predicate=name, object="Danish") for name in predicates]
    assert [fact.predicate for fact in facts if view.record(fact)] == ["likes", "speaks"]


def test_a_fact_about_somebody_names_nobody(view: RedactedView) -> None:
    shown = view.record(Fact(subject="the vicar", predicate="likes", object="tea", quote="Tea!"))
    assert (shown.subject, shown.object, shown.quote) == ("[PERSON_1]", "tea", MASKED)


def test_a_title_that_is_the_name_of_the_file_is_masked(view: RedactedView) -> None:
    path = "/home/ana/divorce.pdf"
    shown = view.record(Document(path=path, status="ingested", title="divorce", pages=3))
    assert (shown.path, shown.title, shown.pages) == (MASKED, MASKED, 3)
    shown = view.record(Document(path=path, status="ingested", title="The law"))
    assert shown.title == "The law"


def test_a_summary_does_not_name_the_file(thalamus: Thalamus, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "divorce.txt"
    path.write_text("Figs are pruned in March. They bear fruit in July and in September.")
    run("ingest", str(path))
    [summary] = run("memory", "--redacted", "--type", "document_summary", "--json").records
    assert "Figs are pruned" in summary["content"] and "divorce" not in summary["content"]


def test_a_memory_does_not_say_what_is_not_shown_as_a_fact(thalamus: Thalamus) -> None:
    lives, likes = (
        Fact(subject="user", predicate=predicate, object=object, id=f"fact_{predicate}")
        for predicate, object in (("lives_in", "Rome"), ("likes", "jazz"))
    )
    told = Memory(content="The user lives in Rome.", type="preference", id="mem_lives_in")
    liked = Memory(content="The user likes jazz.", type="preference", id="mem_likes")
    thalamus.remember([lives, likes, told, liked])
    with thalamus.database.writing() as writer:
        for name in ("lives_in", "likes"):
            writer.add(Link(source=f"mem_{name}", relation="about", target=f"fact_{name}"))
    view = RedactedView(thalamus.engine)
    assert view.record(told).content == MASKED
    assert view.record(liked).content == "The user likes jazz."


def test_no_link_tells_what_a_masked_memory_is_about(thalamus: Thalamus) -> None:
    [zebras] = thalamus.remember([Fact(subject="user", predicate="likes", object="zebras")])
    told = Memory(content="The user told the police.", type="event")
    liked = Memory(content="The user likes zebras.", type="preference")
    stored = thalamus.remember([told, liked])
    with thalamus.database.writing() as writer:
        for one in stored:
            writer.add(Link(source=one.id, relation="about", target=zebras.id))
    shown = RedactedView(thalamus.engine).records(thalamus.database.everything())
    assert [one.source for one in shown if isinstance(one, Link)] == [stored[1].id]


def test_evidence_of_what_is_masked_is_left_out(thalamus: Thalamus) -> None:
    hidden = Memory(content="The user has asthma.", sensitivity="personal")
    jars = [Memory(content=f"Jar {n} holds asthma weed.", type="project") for n in range(3)]
    thalamus.remember([hidden, *jars])
    found = thalamus.recall("asthma", limit=2, redacted=True)
    assert [item.text[:3] for item in found] == ["Jar", "Jar"]
    view = RedactedView(thalamus.engine)
    assert view.evidence([Evidence(id="mem_gone", kind="memory", text="x")]) == []


def test_a_name_that_is_masked_finds_nothing(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="Zebulon fishes."), Memory(content="Rain is due.")])
    thalamus.remember([Fact(subject="Zebulon", predicate="lives_in", object="Rome")])
    assert thalamus.recall("Zebulon")
    named = thalamus.recall("Zebulon", redacted=True)
    other = thalamus.recall("Zacharias", redacted=True)
    assert [item.relevance for item in named] == [item.relevance for item in other]


def test_a_surname_goes_with_the_name() -> None:
    assert Redactor(["Zebulon"])("Zebulon Smith fishes.") == "[PERSON_1] fishes."


def test_an_encrypted_memory_stays_masked_where_its_key_is(thalamus: Thalamus) -> None:
    [memory] = thalamus.remember([Memory(content="x", sensitivity="personal")])
    stored = thalamus.memories.get(memory.id or "")
    stored.sensitivity = "normal"  # as by an edit
    assert RedactedView(thalamus.engine).record(stored).content == "[personal]"


def test_files_of_the_view_are_no_paths(thalamus: Thalamus, run: Run, tmp_path: Path) -> None:
    (tmp_path / "secret-plan.md").write_text("Herons come at dawn.\n")
    assert run("ingest", "--no-summary", "secret-plan.md").code == 0
    shown = run("export", "--redacted").stdout + run("memory", "--redacted", "--json").stdout
    assert "Herons come at dawn." in shown and "secret-plan" not in shown
