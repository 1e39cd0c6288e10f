"""Deep reflection: insights about the same become one, and can be taken apart again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from tests.conftest import Result
from tests.memory.test_insights import live
from tests.stored import holding
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.engine import Engine
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.memory.insights.lookup import add_insight
from thalamus.records import Insight, Memory

NOW = "2026-05-08T13:56:00Z"
SAID = (
    ("Ana sold bowls of the pottery course.", ("pottery", "Ana")),
    ("Ana showed Bea the pottery course.", ("pottery", "Bea")),
    ("Carl plays chess with the uncle.", ("chess", "Carl")),
    ("Dora watched the chess of the uncle.", ("chess", "Dora")),
    ("Emil keeps goats in the barn.", ("goats", "Emil")),
)


def fill(thalamus: Thalamus, said: Sequence[tuple[str, Sequence[str]]] = SAID) -> None:
    turn = thalamus.turn("I like tea.")
    with thalamus.database.writing() as writer:
        for number, (content, concepts) in enumerate(said):
            one = Insight(
                content=content,
                id=f"ins_{number:02}",
                concepts=list(concepts),
                sources=[turn.id or ""],
                trust=0.5,
                created_at=NOW,
                recorded_at=NOW,
            )
            add_insight(one, None, writer)


def total(thalamus: Thalamus) -> float:
    return sum(one.strength for one in thalamus.insights.find())


def test_groups_become_one_and_nothing_is_lost(thalamus: Thalamus) -> None:
    fill(thalamus)
    planned = thalamus.insights.merge(dry_run=True)
    assert (planned.merged, planned.archived, planned.alone) == (2, 4, 1)
    assert len(thalamus.insights.find()) == len(SAID)
    report = thalamus.insights.merge()
    assert (report.merged, report.archived, report.alone) == (2, 4, 1)
    assert [(g.concept, g.decision) for g in report.groups] == [
        (g.concept, g.decision) for g in planned.groups
    ]
    found = thalamus.insights.find()
    assert total(thalamus) == len(SAID) == report.strength and len(found) == 3
    merged = found[0]
    assert merged.level == 2 and merged.strength == 2 and merged.trust == 0.5
    assert merged.concepts[0] in ("chess", "pottery") and len(merged.concepts) >= 2
    members = [thalamus.insights.get(id) for id in merged.sources]
    assert all(one.status == "archived" and one.merged_into == merged.id for one in members)
    assert thalamus.insights.merge().groups == [] and thalamus.insights.find() == found
    with thalamus.store.verify() as verified:
        assert list(verified.findings()) == []


def test_what_was_archived_is_never_found(thalamus: Thalamus) -> None:
    fill(thalamus)
    where = structs.replace(thalamus.here(), kinds=("insight",))
    before = {e.id for e in thalamus.recall("pottery chess uncle bowls", where=where)}
    assert {"ins_00", "ins_02"} <= before
    thalamus.insights.merge()
    for question in ("pottery", "chess uncle", "Ana sold bowls of the pottery course."):
        found = [e for e in thalamus.recall(question, limit=20) if e.kind == "insight"]
        assert found and all(thalamus.insights.get(e.id).status == "active" for e in found)


def test_undoing_restores_the_members_one_merge_at_a_time(thalamus: Thalamus) -> None:
    fill(thalamus)
    first = thalamus.insights.find()
    report = thalamus.insights.merge()
    undone = thalamus.undo()
    assert undone.change.action == "reflect"
    assert undone.counts == {"removed": 1, "changed": 2, "restored": 0}
    assert total(thalamus) == len(SAID) and len(thalamus.insights.find()) == 4
    thalamus.undo(report.groups[0].batch)
    assert thalamus.insights.find() == first
    assert thalamus.insights.merge().merged == 2


def test_a_later_merge_is_undone_first(thalamus: Thalamus) -> None:
    fill(thalamus, SAID[:2])
    [group] = thalamus.insights.merge().groups
    with thalamus.database.writing() as writer:
        one = Insight(
            content="Ana sold pottery jugs of the old mill.", id="ins_99",
            concepts=["pottery", "mill"],
            sources=thalamus.insights.get("ins_00").sources, created_at=NOW, recorded_at=NOW,
        )  # fmt: skip
        add_insight(one, None, writer)
    [later] = thalamus.insights.merge().groups
    assert later.strength == 3 and thalamus.insights.find()[0].level == 3
    with pytest.raises(Exception, match="changed the result"):
        thalamus.undo(group.batch)
    thalamus.undo()
    thalamus.undo()
    assert {one.id for one in thalamus.insights.find()} == {"ins_00", "ins_01", "ins_99"}


def test_a_group_of_which_the_model_makes_nothing_is_left(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(
        "- {role: crystallize, match: chess, reply: {content: Carl married Dora in Rome.}}\n"
    )
    clock = Clock(parse_time(NOW))
    model = f"scripted:{script}"
    with Thalamus(home=str(home), clock=clock, model=model, embedder="scripted") as thalamus:
        fill(thalamus)
        report = thalamus.insights.merge()
        left = [group for group in report.groups if group.decision == "left"]
        assert [group.concept for group in left] == ["chess"] and left[0].reason
        assert total(thalamus) == len(SAID) and report.merged == 1
        assert all("Rome" not in one.content for one in thalamus.insights.find(status=None))


def test_one_that_says_what_the_others_say_takes_them_in_without_a_model(
    home: Path, tmp_path: Path
) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- {role: crystallize, reply: {content: Carl married Dora in Rome.}}\n")
    clock = Clock(parse_time(NOW))
    model = f"scripted:{script}"
    more = "Ana sold six bowls of the pottery course in June."
    said = (
        ("Ana sold bowls of the pottery course.", ("pottery", "Ana")),
        (more, ("pottery", "Ana")),
        ("Ana sold nine bowls of the pottery course.", ("pottery", "Ana")),
    )
    with Thalamus(home=str(home), clock=clock, model=model, embedder="scripted") as thalamus:
        fill(thalamus, said)
        report = thalamus.insights.merge()
        assert report.groups[0].members == ["ins_00", "ins_01"]
        assert report.groups[0].content == more and report.groups[0].strength == 2
        assert thalamus.insights.get("ins_02").status == "active"  # nine are not six
        assert total(thalamus) == len(said)


@pytest.mark.parametrize(
    "third",
    [
        "Carl burned his hands when the pottery kiln broke.",
        "Ana sold a kiln of the pottery course to Dora.",  # Dora is not in the sentence
    ],
)
def test_members_of_which_a_sentence_says_nothing_stay(
    home: Path, tmp_path: Path, third: str
) -> None:
    script = tmp_path / "script.yaml"
    merged = "Ana sold bowls of the pottery course, and Bea saw the pottery course."
    script.write_text(f'- {{role: crystallize, reply: {{content: "{merged}"}}}}\n')
    clock = Clock(parse_time(NOW))
    said = (
        ("Ana sold bowls of the pottery course.", ("pottery", "Ana")),
        ("Bea saw the pottery course with Ana.", ("pottery", "Bea")),
        (third, ("pottery", "Carl")),
    )
    model = f"scripted:{script}"
    with Thalamus(home=str(home), clock=clock, model=model, embedder="scripted") as thalamus:
        fill(thalamus, said)
        report = thalamus.insights.merge()
        assert report.groups[0].members == ["ins_00", "ins_01"] and report.archived == 2
        assert thalamus.insights.get("ins_02").status == "active"
        assert total(thalamus) == len(said)


def test_what_the_members_do_not_plainly_say_is_said_once_more_in_their_words(
    home: Path, tmp_path: Path
) -> None:
    script = tmp_path / "script.yaml"
    joined = "Ana sold bowls of the pottery course, and Bea saw the pottery course."
    script.write_text(
        "- {role: crystallize, match: About, reply: {content: Ana adores the pottery course.}}\n"
        "- {role: verify, match: adores|trumpet, reply: 0.1}\n"
        "- {role: verify, reply: 0.9}\n"
        f'- {{role: crystallize, reply: {{content: "{joined}"}}}}\n'
    )
    clock = Clock(parse_time(NOW))
    said = (
        ("Ana sold bowls of the pottery course.", ("pottery", "Ana")),
        ("Bea saw the pottery course with Ana.", ("pottery", "Bea")),
    )
    model = f"scripted:{script}"
    with Thalamus(home=str(home), clock=clock, model=model, embedder="scripted") as thalamus:
        fill(thalamus, said)
        [group] = thalamus.insights.merge().groups
        assert group.decision == "merged" and group.content == joined


def test_forgetting_a_member_takes_the_merged_one_and_frees_the_others(
    thalamus: Thalamus, home: Path
) -> None:
    fill(thalamus)
    report = thalamus.insights.merge()
    [group] = [group for group in report.groups if group.concept == "pottery"]
    done = thalamus.forget(ForgetOptions(ids=("ins_00",)))
    assert done.complete and thalamus.database.get(group.insight or "") is None
    assert thalamus.insights.get("ins_01").status == "active"
    assert total(thalamus) == len(SAID) - 1
    assert holding(home / "data", "sold bowls") == []


def test_the_tree_leads_down_to_what_was_said(home: Path) -> None:
    live(home)
    clock = Clock(parse_time(NOW))
    with Thalamus(home=str(home), clock=clock, model="scripted", embedder="scripted") as thalamus:
        list(thalamus.insights.crystallize())
        thalamus.insights.merge()
        merged = max(thalamus.insights.find(), key=lambda one: one.level)
        tree = thalamus.insights.tree(merged.id or "")
        kinds = []
        waiting = [tree]
        while waiting:
            origin = waiting.pop()
            kinds.append(origin.kind)
            waiting += origin.origins
        assert tree.kind == "insight" and "turn" in kinds


@settings(
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(
        st.lists(st.sampled_from(("pottery", "chess", "goats", "boats")), min_size=1, max_size=3),
        min_size=1,
        max_size=9,
    )
)
def test_the_strength_of_all_is_conserved(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[list[str]]
) -> None:
    home = tmp_path_factory.mktemp("drawn")  # in one database each is a tenant
    settings = {"home": str(home), "tenant": home.name, "model": "scripted"}
    with Thalamus(clock=Clock(parse_time(NOW)), embedder="scripted", **settings) as thalamus:
        said = [
            (f"Ana sold {' and '.join(dict.fromkeys(names))} number {n}.", [*names, f"thing {n}"])
            for n, names in enumerate(drawn)
        ]
        fill(thalamus, said)
        thalamus.insights.merge()
        assert total(thalamus) == len(said)
        found = thalamus.insights.find()
        thalamus.insights.merge()
        assert thalamus.insights.find() == found


def test_a_model_that_is_too_small_is_not_asked(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(thalamus)
    monkeypatch.setattr(Engine, "too_small", lambda engine, role: True)
    report = thalamus.insights.merge()
    assert report.merged == 0
    assert {group.reason for group in report.groups} == {"the model is too small"}


def test_the_command_undoes_merges_alone(thalamus: Thalamus, run: Callable[..., Result]) -> None:
    fill(thalamus)
    assert run("insights", "undo").code == 4
    thalamus.insights.merge()
    thalamus.remember([Memory(id="mem_tea", content="The user keeps tea in a tin.")])
    thalamus.memories.pin("mem_tea")
    for _ in range(2):
        assert "1 removed, 2 changed" in run("insights", "undo").stdout
    assert total(thalamus) == len(thalamus.insights.find()) == len(SAID)
    none = run("insights", "undo")
    assert (none.code, none.stderr) == (4, "thalamus: There is no merge of insights to undo.\n")
    assert run("undo", "--json").records[0]["data"]["action"] == "pin"
