"""Extraction of messages that had to wait."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from thalamus import CancelToken, Thalamus
from thalamus.errors import NothingFound
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.models.protocol import ChatReply, ChatRequest, Role, TokenSink
from thalamus.records import StageLog, Turn
from thalamus.store import ledger


def memory(quote: str, content: str, **more: object) -> dict[str, object]:
    return {"quote": quote, "content": content, "type": "preference"} | more


def engine(home: Path, script: Path, *entries: dict[str, object]) -> Thalamus:
    script.write_text(json.dumps([{"role": "reflect", **entry} for entry in entries]))
    return Thalamus(home=str(home), model=f"scripted:{script}", embedder="scripted")


def test_what_an_earlier_message_said_is_known_though_it_was_extracted_later(
    home: Path, tmp_path: Path
) -> None:
    said = memory("I drink green tea", "The user drinks green tea.")
    changed = memory("It is black tea", "The user drinks black tea.", replaces="m1")
    replies = (
        {"match": r"\[m1\] The user drinks green tea(?s:.*)It is black", "reply": [changed]},
        {"match": "It is black", "reply": [{**changed, "replaces": None}]},
        {"match": "green", "reply": [said]},
    )
    with engine(home, tmp_path / "script.json", *replies) as thalamus:
        thalamus.answer_turn("I drink green tea.")
        thalamus.answer_turn("It is black tea that I drink.")
        list(thalamus.finish_turns(limit=1))
        list(thalamus.finish_turns())
        assert [one.content for one in thalamus.memories.find()] == ["The user drinks black tea."]


class Calls:
    """Calls of an engine for extraction, or in another role, as they are sent."""

    def __init__(self, thalamus: Thalamus, role: Role = "reflect") -> None:
        self.prompts: list[str] = []
        chat = thalamus.engine.models.chat(role)
        original = chat.chat

        def noted(request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
            if request.role == role:
                self.prompts.append(request.messages[-1].content)
            return original(request, on_token)

        chat.chat = noted  # type: ignore[method-assign]


SAID = ("I have figs.", "I see Ana tomorrow.", "I have plums.")
DAYS = ("2026-03-02", "2026-03-04", "2026-03-07")
FIGS = memory("I have figs", "The user has figs.")
PLUMS = memory("I have plums", "The user has plums.")
ANA = memory(
    "I see Ana tomorrow",
    "The user sees Ana tomorrow.",
    valid_from="2026-03-05",
    valid_to="2026-03-05",
)
TOGETHER = [
    {"message": "t1", **FIGS},
    {"message": "t2", **ANA},
    {"message": "t3", **PLUMS},
]
ALONE: tuple[dict[str, Any], ...] = (
    {"match": r"(?s)\[t1\].*\[t2\]", "reply": "I am lost."},
    {"match": "<user_message>\\nI have figs", "reply": [FIGS]},
    {"match": "<user_message>\\nI see Ana", "reply": [ANA]},
    {"match": "<user_message>\\nI have plums", "reply": [PLUMS]},
)


def answered(thalamus: Thalamus, **more: Any) -> list[str]:
    """The ids of turns that wait for their extraction."""
    return [
        thalamus.answer_turn(Turn(message=said, created_at=f"{day}T10:00:00Z", **more))[0].stored_id
        for said, day in zip(SAID, DAYS, strict=True)
    ]


def found(thalamus: Thalamus) -> dict[str, tuple[str | None, str | None]]:
    """The memories in the order of their messages, each with its turn and the day on which it
    holds."""
    return {
        one.content: (one.provenance.turn if one.provenance else None, one.valid_from)
        for one in sorted(thalamus.memories.find(), key=lambda one: one.created_at or "")
    }


def test_what_waits_is_read_with_one_call(home: Path, tmp_path: Path) -> None:
    with engine(home, tmp_path / "script.json", {"reply": TOGETHER}) as thalamus:
        calls, ids = Calls(thalamus), answered(thalamus)
        done = list(thalamus.finish_turns())
        assert [one.job.turn for one in done] == ids and len(calls.prompts) == 1
        shown = calls.prompts[0].partition("<user_message>")[2]
        assert "[t2] Wednesday, 2026-03-04\nI see Ana tomorrow.\n(The assistant answered: " in shown
        assert found(thalamus) == {
            "The user has figs.": (ids[0], None),
            "The user sees Ana tomorrow.": (ids[1], "2026-03-05"),  # from the day of its message
            "The user has plums.": (ids[2], None),
        }
        thalamus.undo(ids[1])
        thalamus.forget(ForgetOptions(ids=(ids[0],)))
        assert list(found(thalamus)) == ["The user has plums."]
        assert thalamus.unfinished_turns() == []
        with pytest.raises(NothingFound):
            thalamus.undo(ids[0])


def test_an_entry_that_names_no_message_or_a_wrong_one_is_that_of_its_words(
    home: Path, tmp_path: Path
) -> None:
    reply = [FIGS, {"message": "t1", **ANA}, {"message": "t9", **PLUMS}]
    with engine(home, tmp_path / "script.json", {"reply": reply}) as thalamus:
        ids = answered(thalamus)
        list(thalamus.finish_turns())
        assert [turn for turn, _ in found(thalamus).values()] == ids


def test_a_message_that_the_reply_passes_over_is_read_by_itself(home: Path, tmp_path: Path) -> None:
    several, *alone = ALONE
    reply = {"memories_to_store": [{"message": "t3", **PLUMS}], "facts": [], "nothing_new": ["t1"]}
    with engine(home, tmp_path / "script.json", {**several, "reply": reply}, *alone) as thalamus:
        calls, ids = Calls(thalamus), answered(thalamus)
        list(thalamus.finish_turns())
        assert [prompt.count("[t1]") for prompt in calls.prompts] == [1, 0, 0]
        assert [turn for turn, _ in found(thalamus).values()] == ids[1:]


def test_a_reply_without_entries_says_that_no_message_has_any(home: Path, tmp_path: Path) -> None:
    reply: dict[str, Any] = {"memories_to_store": [], "facts": [], "no_longer": []}
    with engine(home, tmp_path / "script.json", {"reply": reply}) as thalamus:
        calls, _ = Calls(thalamus), answered(thalamus)
        assert len(list(thalamus.finish_turns())) == 3
        assert len(calls.prompts) == 1 and found(thalamus) == {}


@pytest.mark.parametrize("reply", ["I am lost.", {"forget": ["m1"], "facts": []}])
def test_a_reply_that_cannot_be_used_costs_one_call(home: Path, tmp_path: Path, reply: Any) -> None:
    several, *alone = ALONE
    with engine(home, tmp_path / "script.json", {**several, "reply": reply}, *alone) as thalamus:
        calls, ids = Calls(thalamus), answered(thalamus)
        list(thalamus.finish_turns())
        assert len(calls.prompts) == 4
        assert [turn for turn, _ in found(thalamus).values()] == ids
        entries = ledger.of_turn(thalamus.database, ids[0])
        first = next(entry for entry in entries if "reflect" in str(entry.data))
        assert first.data["detail"].get("unusable_replies") or reply != "I am lost."


def test_a_later_message_replaces_what_an_earlier_one_said(home: Path, tmp_path: Path) -> None:
    reply = {
        "memories_to_store": [
            {"message": "t1", **FIGS},
            {"message": "t2", **memory("figs are dates", "The user has dates.", replaces="n1")},
        ],
        "facts": [
            {
                "message": "t1",
                "quote": "I have figs",
                "subject": "user",
                "predicate": "owns",
                "object": "figs",
            },
        ],
        "no_longer": [{"message": "t2", "id": "g1", "quote": "figs are dates", "valid_to": None}],
    }
    with engine(home, tmp_path / "script.json", {"reply": reply}) as thalamus:
        thalamus.answer_turn("I have figs.")
        second, _ = thalamus.answer_turn("No, my figs are dates.")
        list(thalamus.finish_turns())
        assert list(found(thalamus)) == ["The user has dates."]
        assert thalamus.facts.find() == []
        thalamus.undo(second.id)
        assert list(found(thalamus)) == ["The user has figs."]
        assert [fact.object for fact in thalamus.facts.find()] == ["figs"]


def test_messages_of_others_are_read_by_themselves(home: Path, tmp_path: Path) -> None:
    with engine(home, tmp_path / "script.json", *ALONE) as thalamus:
        calls = Calls(thalamus)
        for said, user, session in zip(SAID, ("ana", "bob", "bob"), ("a", "b", "c"), strict=True):
            thalamus.answer_turn(Turn(message=said, user=user, session=session))
        list(thalamus.finish_turns())
        assert len(calls.prompts) == 3 and not any("[t1]" in one for one in calls.prompts)


def test_a_small_model_reads_each_message_by_itself(home: Path) -> None:
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        calls, _ = Calls(thalamus), answered(thalamus)
        assert len(list(thalamus.finish_turns())) == 3
        assert calls.prompts == []


def test_what_was_read_is_stored_though_the_work_is_cancelled(home: Path, tmp_path: Path) -> None:
    """The call is not made again for what it has already said."""
    token = CancelToken()
    with engine(home, tmp_path / "script.json", {"reply": TOGETHER}) as thalamus:
        calls, ids = Calls(thalamus), answered(thalamus)
        for done in thalamus.finish_turns(cancel=token):
            token.cancel()
            assert done.result is not None
        assert len(calls.prompts) == 1 and [turn for turn, _ in found(thalamus).values()] == ids


def test_an_undone_message_is_not_extracted_with_the_others(home: Path, tmp_path: Path) -> None:
    with engine(home, tmp_path / "script.json", {"reply": TOGETHER}) as thalamus:
        calls, ids = Calls(thalamus), answered(thalamus)
        thalamus.undo(ids[1])
        list(thalamus.finish_turns())
        assert len(calls.prompts) == 1 and "Ana" not in calls.prompts[0]
        assert list(found(thalamus)) == ["The user has figs.", "The user has plums."]


def test_a_forgotten_message_is_forgotten_in_the_call_that_it_was_read_with(
    home: Path, tmp_path: Path
) -> None:
    with engine(home, tmp_path / "script.json", {"reply": TOGETHER}) as thalamus:
        ids = answered(thalamus)
        list(thalamus.finish_turns())
        logs = list(thalamus.database.each(StageLog))
        logs = [log for log in logs if log.stage == "reflect"]
        assert any("Ana" in message.content for log in logs for message in log.messages)
        report = thalamus.forget(ForgetOptions(ids=(ids[1],)))
        assert report.complete and report.residue == []
        logs = list(thalamus.database.each(StageLog))
        assert not any("Ana" in message.content for log in logs for message in log.messages)
        assert [turn for turn, _ in found(thalamus).values()] == [ids[0], ids[2]]


def test_what_frames_understand_does_not_wait_for_a_small_model(home: Path) -> None:
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        calls = Calls(thalamus, "answer")
        said = ("I live in Ghent.", "I moved to Bruges.", "Your name is Gwen.", "Why is it cold?")
        assert [thalamus.answer_turn(one)[1] for one in said] == [False] * 4
        assert thalamus.unfinished_turns() == []
        thalamus.answer_turn(Turn(message="Where do I live?", session="another"))
        assert "The user lives in Bruges." in calls.prompts[-1]
        assert "no longer: lives_in Ghent" in calls.prompts[-1]
        [turn, *_] = thalamus.sessions.turns("main", 10)
        thalamus.undo(turn.stored_id)
        assert "I live in Ghent." not in [one.content for one in thalamus.memories.find()]


def test_what_a_small_model_is_asked_about_waits(home: Path) -> None:
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        assert thalamus.answer_turn("I live in Ghent. The rain never ends.")[1]
        assert not thalamus.answer_turn("I live in Bruges.")[1]
        assert [one.object for one in thalamus.facts.find()] == ["Bruges"]
        list(thalamus.finish_turns())
        assert [one.object for one in thalamus.facts.find()] == ["Bruges"]


def test_what_ends_something_waits_for_what_said_it(home: Path) -> None:
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        assert thalamus.answer_turn("I live in Ghent. The rain never ends.")[1]
        assert thalamus.answer_turn("I no longer live in Ghent.")[1]
        list(thalamus.finish_turns())
        assert thalamus.facts.find() == []


@pytest.mark.parametrize("settings", [{"planner": "model"}, {"summarize_tasks": True}])
def test_stages_that_may_call_a_model_wait(home: Path, settings: dict[str, Any]) -> None:
    with Thalamus(home=str(home), model="scripted", embedder="scripted", **settings) as thalamus:
        assert thalamus.answer_turn("I live in Ghent.")[1]


def test_a_turn_that_needs_no_model_for_its_rest_is_one_transaction(home: Path) -> None:
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        seen: list[object] = []
        thalamus.events.bind("on_turn_finished", lambda record, left: seen.append(left))
        turn = thalamus.turn("I live in Ghent.", on_answer=seen.append)
        assert seen == [(), turn]
        assert [one.object for one in thalamus.facts.find()] == ["Ghent"]
        assert [one.stage for one in turn.trace[-3:]] == ["reflect", "store", "plan"]
        [(jobs,)] = thalamus.database.fetch("SELECT count(*) FROM job WHERE kind = 'finish'")
        assert jobs == 0


def test_an_answer_is_stored_though_its_rest_cannot_be_judged(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bool:
        raise RuntimeError("broken")

    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        monkeypatch.setattr("thalamus.pipeline.reflect.must_wait", fail)
        turn, left = thalamus.answer_turn("I live in Ghent.")
        assert left and turn.answer
        list(thalamus.finish_turns())
        assert [one.object for one in thalamus.facts.find()] == ["Ghent"]
