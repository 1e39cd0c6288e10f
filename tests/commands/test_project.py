"""`thalamus project`: what the user works on, and what is linked with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.extracting import script
from tests.stored import holding, store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.errors import NothingFound, UsageError
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Ending, Fact, Memory, Project, Reflection, Turn
from thalamus.transfer.export import export_lines

Run = Callable[..., Any]
BEFORE = "2026-05-01T18:00:00Z"
ADD = ("project", "add", "Herb Garden", "--description", "herbs on the balcony", "--tag", "garden")


def linked(run: Run, name: str) -> list[str]:
    """The sources of the links of a project, by what they say."""
    lines = run("project", "show", name).stdout.splitlines()
    kinds = ("memory", "fact", "document", "turn")
    return [
        line.split("  [")[0].split("  ", 1)[1].strip() for line in lines if line.split()[0] in kinds
    ]


def test_added_shown_and_closed(run: Run) -> None:
    assert run("project").code == 10
    added = run(*ADD, "--repo", "https://example.org/herbs", "--json").records[0]
    assert (added["record"], added["name"], added["status"]) == ("project", "Herb Garden", "active")
    assert added["created_at"] == added["recorded_at"] == "2026-05-08T13:56:00Z"
    id = added["id"]
    line = f"Herb Garden: herbs on the balcony  (garden)  [{id}]"
    assert run("project").stdout == f"active  {line}\n"
    assert run("project", "close", "herb GARDEN").stdout == f"closed  {line}\n"
    assert run("project", "--status", "active").stderr == "No projects match.\n"
    assert "closed, since 2026-05-08" in run("project", "show", id[:-3]).stdout
    assert "closed, since 2026-05-08" in run("project", "show", "herb").stdout
    assert run("project", "reopen", id).stdout == f"active  {line}\n"
    assert run("project", "pause", id, "--json").records[0]["closed_at"] is None
    assert [r["status"] for r in run("project", "--status", "paused", "--json").records] == [
        "paused"
    ]


IMPOSSIBLE: list[tuple[tuple[str, ...], int, str]] = [
    (("add", "herb  garden"), 2, "There is already a project 'Herb Garden'."),
    (("add", " "), 2, "NAME is empty"),
    (("add", "x" * 201), 2, "NAME is too long: 201 bytes, at most 200."),
    (("show", "herb gardn"), 4, "Cannot find the project 'herb gardn'.\n  The nearest: Herb"),
    (("close", "prj_nothing"), 4, "Cannot find the project"),
    (("list", "--status", "done"), 2, "invalid --status 'done' (choose active, paused or closed)"),
    (("link", "herb garden", "mem_nothing"), 4, "Cannot find the id 'mem_nothing'"),
    (("lnk", "x"), 2, "Did you mean 'link'?"),
]


def test_what_cannot_be_done_is_said(run: Run) -> None:
    run(*ADD)
    for arguments, code, words in IMPOSSIBLE:
        done = run("project", *arguments)
        assert done.code == code and words in done.stderr, arguments
    assert len(run("project", "--json").records) == 1


def test_what_names_it_is_linked_when_it_is_stored(run: Run) -> None:
    run("store", input='{"record":"memory","content":"The herb garden faces south."}')
    run(*ADD)
    assert linked(run, "herb garden") == ["2026-05-08  The herb garden faces south."]
    fact = '{"record":"fact","subject":"user","predicate":"likes","object":"the herb garden"}'
    run("store", input=fact)
    run("store", input='{"record":"memory","content":"Rain.","topic":"herb garden"}')
    run("store", input='{"record":"memory","content":"The garden has no herbs."}')
    found = linked(run, "herb garden")
    assert len(found) == len(set(found)) >= 3 and not any("no herbs" in line for line in found)
    run("project", "close", "herb garden")
    run("store", input='{"record":"memory","content":"The herb garden is over."}')
    assert linked(run, "herb garden") == found


def test_documents_and_anything_else(run: Run, tmp_path: Path) -> None:
    run(*ADD)
    (tmp_path / "basil.md").write_text("# Basil\n\nIt wants light.\n")
    (tmp_path / "mint.md").write_text("# Mint\n\nIt wants water.\n")
    ingest = ("ingest", "--no-summary", "basil.md", "--project")
    assert (
        run(*ingest, "herb gardn").code == 4
        and run("memory", "--type", "document_chunk").stdout == ""
    )
    assert run(*ingest, "herb garden").code == 0
    assert (
        run("ingest", "--no-summary", "basil.md", "mint.md", "--project", "Herb Garden").code == 0
    )
    assert {line.split()[-1] for line in linked(run, "herb garden")} == {"Basil", "Mint"}
    memory = run("store", input='{"record":"memory","content":"Buy soil."}').records[0]["id"]
    link = ("project", "link", "herb garden", memory)
    assert run(*link, "--json").records[0]["relation"] == "about"
    assert run(*link).code == 0 and "2026-05-08  Buy soil." in linked(run, "herb garden")
    assert "about project Project Herb Garden: herbs on the balcony" in run("why", memory).stdout
    assert run("project", "unlink", "herb garden", memory).code == 0
    again = run("project", "unlink", "herb garden", memory)
    assert again.code == 2 and "is not linked" in again.stderr
    assert "2026-05-08  Buy soil." not in linked(run, "herb garden")


FACT = "{subject: user, predicate: %s, object: Blue Lantern, quote: %s}"


def introducing(predicate: str, quote: str) -> str:
    """An entry of a script: what a model says of a message that introduces a project."""
    fact = FACT % (predicate, quote)
    return f"- {{role: reflect, match: {quote}, reply: {{memories: [], facts: [{fact}]}}}}\n"


def test_a_message_introduces_one(run: Run, tmp_path: Path) -> None:
    said = "a new project called Blue Lantern"
    script = tmp_path / "script.yaml"
    script.write_text(introducing("works_on", said) + introducing("current_project", "the Lantern"))
    env = {"THALAMUS_MODEL": f"scripted:{script}"}
    messages = (
        f"I'm working on {said}.",
        "I went on with the Lantern.",
        "Is my project called Herb Garden?",
    )
    turns = ({"record": "turn", "message": message} for message in messages)
    run("turn", input="".join(json.dumps(turn) + "\n" for turn in turns), env=env)
    (project,) = run("project", "--json").records
    assert project["name"] == "Blue Lantern" and project["description"] is None
    assert project["provenance"]["quote"] == said
    why = run("why", project["id"]).stdout
    assert "said in turn" in why and "Blue Lantern" in why
    assert any("Blue Lantern" in line for line in linked(run, "blue lantern"))
    assert run("forget", project["provenance"]["turn"], "--yes").code == 0
    assert run("project", "--json").records == []


def test_what_is_over_or_only_described_introduces_none(thalamus: Thalamus) -> None:
    facts = [
        Fact(subject="user", predicate="current_project", object="quilt for Oksana"),
        Fact(subject="Anna", predicate="current_project", object="Blue Lantern"),
        Fact(subject="user", predicate="likes", object="Blue Lantern"),
        Fact(
            subject="user",
            predicate="current_project",
            object="Blue Lantern",
            valid_to="2026-01-01T00:00:00Z",
        ),
    ]
    for number, fact in enumerate(facts):
        reflection = Reflection(turn=f"turn_{number}", facts=[fact])
        thalamus.remember([Turn(id=f"turn_{number}", message="Work.", reflection=reflection)])
    assert thalamus.projects.find() == []


def work(thalamus: Thalamus, by_hand: bool = False) -> Fact:
    """The fact that the user works on a project, which it introduced unless that was added."""
    if by_hand:
        thalamus.projects.add(Project(name="Blue Lantern"))
    fact = Fact(subject="user", predicate="current_project", object="Blue Lantern")
    begun = Reflection(turn="turn_1", facts=[fact])
    message = "I build Blue Lantern."
    thalamus.remember([Turn(id="turn_1", message=message, created_at=BEFORE, reflection=begun)])
    [stored] = thalamus.facts.find("user")
    return stored


def finish(thalamus: Thalamus, fact: Fact, valid_to: str | None = None) -> None:
    """A turn that ends a fact."""
    ending = Ending(id=fact.stored_id, quote="it is finished", valid_to=valid_to)
    over = Reflection(turn="turn_2", no_longer=[ending])
    thalamus.remember([Turn(id="turn_2", message="Now it is finished.", reflection=over)])


def status(thalamus: Thalamus) -> str:
    [project] = thalamus.projects.find()
    return project.status


def test_a_project_that_a_fact_introduced_closes_with_it(thalamus: Thalamus) -> None:
    finish(thalamus, work(thalamus), valid_to="2026-05-07")
    [project] = thalamus.projects.find()  # the day is over
    assert (project.status, project.closed_at) == ("closed", "2026-05-08T00:00:00Z")
    thalamus.undo("turn_2")
    [project] = thalamus.projects.find()
    assert (project.status, project.closed_at) == ("active", None)


def test_a_retracted_fact_closes_its_project(thalamus: Thalamus) -> None:
    thalamus.facts.retract(work(thalamus).stored_id)
    assert status(thalamus) == "closed"


def test_a_project_that_was_added_or_is_to_end_stays_open(thalamus: Thalamus, home: Path) -> None:
    finish(thalamus, work(thalamus, by_hand=True))
    assert status(thalamus) == "active"
    with Thalamus(home=home, tenant="other", clock=thalamus.clock, model="scripted") as other:
        finish(other, work(other), valid_to="2026-09-01")
        assert status(other) == "active"


def test_a_project_closed_by_hand_stays_closed(thalamus: Thalamus) -> None:
    fact = work(thalamus)
    thalamus.projects.set_status("Blue Lantern", "closed")
    finish(thalamus, fact, valid_to="2026-05-07")
    thalamus.undo("turn_2")
    assert status(thalamus) == "closed"


def test_each_user_has_own_ones(thalamus: Thalamus, home: Path) -> None:
    def of(user: str) -> Thalamus:
        settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
        return Thalamus(clock=thalamus.clock, user=user, **settings)

    with of("ana") as ana, of("bo") as bo:
        ana.projects.add(Project(name="Herb Garden"))
        bo.projects.add(Project(name="Herb Garden"))
        assert [one.user for one in ana.projects.find()] == ["ana"]
        bo.remember([Memory(content="The herb garden is wet.")])
        assert ana.projects.linked(ana.projects.get("herb garden")) == []
        assert len(bo.projects.linked(bo.projects.get("herb garden"))) == 1
        bo.projects.set_status("herb garden", "closed")
        assert [one.name for one in ana.projects.find("active")] == ["Herb Garden"]
        assert bo.projects.find("active") == []


def test_exported_imported_and_verified(run: Run, thalamus: Thalamus, tmp_path: Path) -> None:
    project = thalamus.projects.add(Project(name="Herb Garden", tags=["a", "b"]))
    thalamus.remember([Memory(content="The herb garden is wet.")])
    lines = list(export_lines(thalamus.database))
    assert [json.loads(line)["record"] for line in lines].count("project") == 1
    place = tmp_path / "other"
    settings = {"home": str(place), "model": "scripted", "embedder": "scripted"}
    settings["store"] = store_of(place)
    with Thalamus(clock=Clock(parse_time("2026-05-08T13:56:00Z")), **settings) as other:
        other.store.import_memory(thalamus.store.export())
        assert other.projects.find() == [project]
        assert [one.text for one in other.projects.linked(project)] == ["The herb garden is wet."]
        with other.store.verify() as verified:
            assert list(verified.findings()) == []
    checked = run("doctor", "--no-model")
    assert checked.code in (0, 1) and "project" not in checked.stderr


def test_a_personal_one_is_encrypted_and_can_be_changed(run: Run, thalamus: Thalamus) -> None:
    secret = Project(name="Divorce", description="papers for Mr Kowalczyk", sensitivity="personal")
    project = thalamus.projects.add(secret)
    assert holding(thalamus.config.store_dir, "Kowalczyk") == []
    thalamus.projects.set_status("divorce", "paused")
    again = thalamus.projects.get("divorce")
    assert (again.status, again.description) == ("paused", secret.description)
    thalamus.projects.set_status("divorce", "active")
    line = thalamus.facts.profile().lines[0]
    assert "Divorce" in line.text and not line.in_prompt
    thalamus.close()
    hidden = run("project", env={"THALAMUS_KEY_STORE": "none"})
    assert "Divorce" not in hidden.stdout
    report = thalamus.forget(ForgetOptions(ids=(project.id or "",)))
    assert report.complete and thalamus.projects.find() == []


def test_a_forgotten_one_leaves_what_was_linked(thalamus: Thalamus) -> None:
    project = thalamus.projects.add(Project(name="Herb Garden", description="basil by the window"))
    thalamus.remember([Memory(content="The herb garden is wet.")])
    report = thalamus.forget(ForgetOptions(ids=(project.id or "",)))
    assert [verdict.id for group, verdict in report.items if group == "project"] == [project.id]
    assert report.done and [m.content for m in thalamus.memories.find()] == [
        "The herb garden is wet."
    ]
    with pytest.raises(NothingFound, match="herb"):
        thalamus.projects.get("herb garden")


def test_a_closed_one_is_recalled(thalamus: Thalamus) -> None:
    thalamus.projects.add(Project(name="Herb Garden", description="basil by the window"))
    thalamus.projects.set_status("Herb Garden", "closed")
    [found, *_] = thalamus.recall("basil")
    assert found.text == "Project Herb Garden, closed: basil by the window"
    with pytest.raises(UsageError, match="is the project itself"):
        thalamus.projects.link("Herb Garden", [thalamus.projects.get("herb garden").id or ""])


def test_a_project_of_which_nothing_more_is_said_leaves_the_profile(
    run: Run, tmp_path: Path
) -> None:
    """One that a message introduced, after the days for which a memory of it is kept."""

    def at(day: str) -> dict[str, str]:
        return env | {"THALAMUS_NOW": f"{day}T09:00:00Z"}

    begun, more = "I work on the project Heron Mill", "Heron Mill has a new wheel"
    told = {
        begun: [{"predicate": "current_project", "object": "Heron Mill"}],
        more: [{"content": "Heron Mill has a new wheel.", "type": "project"}],
    }
    env = {"THALAMUS_MODEL": script(tmp_path / "script.json", told)}
    run("turn", begun, env=at("2026-01-01"))
    run("project", "add", "Garden", env=at("2026-01-01"))
    assert "Heron Mill" in run("profile", env=at("2026-06-01")).stdout
    assert "Heron Mill" not in run("profile", env=at("2026-08-01")).stdout
    assert "Garden" in run("profile", env=at("2026-08-01")).stdout
    run("turn", more, env=at("2026-08-02"))
    assert "Heron Mill" in run("profile", env=at("2026-08-03")).stdout
    assert "active  Heron Mill" in run("project", env=at("2026-08-03")).stdout
