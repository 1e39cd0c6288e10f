"""The standing context: one list of what every prompt has, with the records behind each line."""

from __future__ import annotations

from thalamus.api import Thalamus
from thalamus.memory.standing.context import standing_context
from thalamus.policy.standing_context import StandingContext
from thalamus.records import Fact, Memory, Project
from thalamus.turn_run import TurnRun


def of(thalamus: Thalamus, persona: str = "") -> StandingContext:
    return standing_context(TurnRun(thalamus.engine), None, None, persona)


def test_each_line_has_its_source_and_what_it_rests_on(thalamus: Thalamus) -> None:
    assert of(thalamus).lines == ()
    gwen = Memory(content="The assistant is called Gwen.", type="assistant_identity", scope="core")
    brief = Memory(content="The assistant should be brief.", type="persona", scope="core")
    note = Memory(content="The user is writing a book.", scope="core", importance="high")
    stored = thalamus.remember(
        [brief, gwen, note, Fact(subject="user", predicate="lives_in", object="Porto")]
    )
    manner, identity, core, home = [record.id for record in stored]  # type: ignore[union-attr]
    project = thalamus.projects.add(Project(name="Herb Garden"))
    found = of(thalamus)
    assert [(line.source, line.text, *line.ids) for line in found.lines] == [
        ("persona", gwen.content, identity),
        ("persona", brief.content, manner),
        ("profile", "The user lives in Porto.", home),
        ("profile", "The user works on the project Herb Garden.", project.id),
        ("core", note.content, core),
    ]
    shown = [(line.text, line.ids) for line in thalamus.facts.profile().lines]
    assert [(line.text, line.ids) for line in found.of("profile")] == shown
    for id in found.ids:
        assert thalamus.why(id).kind in ("memory", "fact", "project")


def test_a_persona_has_lines_of_its_own(thalamus: Thalamus) -> None:
    for name in ("", "work"):
        thalamus.sessions.use_persona(name)
        content = f"The assistant is called {name or 'Gwen'}."
        thalamus.remember([Memory(content=content, type="assistant_identity", scope="core")])
    assert [line.text for line in of(thalamus).lines] == ["The assistant is called Gwen."]
    assert [line.text for line in of(thalamus, "work").lines] == ["The assistant is called work."]
