"""Cancelling a turn by its token, from the thread that runs it and from another one."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.models.one_slot import EXTRACTION, OneSlot
from thalamus import CancelToken, Thalamus, ThalamusEvents
from thalamus.cancel import Cancelled
from thalamus.events import StageFinished, StageStarted, ThalamusEvent, Token, TurnFinished
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.memory.sessions import recent_turns
from thalamus.models.protocol import Message
from thalamus.records import Turn
from thalamus.turn_run import TurnRun

Run = Callable[..., Result]
SAID = "I moved to Lisbon in May and I have a dog called Rex and two old cats."


def engine(
    home: Path,
    when: Callable[[ThalamusEvent], bool],
    token: CancelToken,
    model: str = "scripted",
) -> Thalamus:
    """An engine that is cancelled at the first event for which ``when`` is true."""
    events = ThalamusEvents()
    events.bind("on_event", lambda event: token.cancel() if when(event) else None)
    return Thalamus(home=str(home), model=model, embedder="scripted", events=events)


def stored(thalamus: Thalamus) -> Turn:
    [turn] = recent_turns(thalamus.database, "main", None, 5)
    return turn


def test_a_token() -> None:
    token = CancelToken()
    assert not token.cancelled
    token.raise_if_cancelled()
    token.cancel()
    token.cancel()
    assert token.cancelled
    with pytest.raises(Cancelled):
        token.raise_if_cancelled()
    assert not issubclass(Cancelled, Exception)


def test_an_answer_is_kept_as_far_as_it_came(home: Path) -> None:
    token, tokens = CancelToken(), 0

    def third(event: ThalamusEvent) -> bool:
        nonlocal tokens
        tokens += isinstance(event, Token)
        return tokens == 3

    with engine(home, third, token) as thalamus:
        turn = thalamus.turn(SAID, cancel=token)
        assert turn.answer == "Noted: You moved" and tokens == 3
        assert turn.interrupted == "answer" and turn.reflection is None
        assert [issue.code for issue in turn.issues] == ["interrupted"]
        kept = stored(thalamus)
        assert (kept.answer, kept.interrupted) == (turn.answer, "answer")
        assert thalamus.failures == []
        whole = thalamus.turn("I like tea.")  # the token was of that turn only
        assert whole.interrupted is None and whole.plan is not None


def test_without_anyone_who_listens(home: Path) -> None:
    """A token is looked at all the same: the model streams for it."""
    token = CancelToken()
    token.cancel()
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        turn = thalamus.turn(SAID, cancel=token)
        assert turn.interrupted == "retrieve" and turn.answer is None
        assert stored(thalamus).message == SAID


@pytest.mark.parametrize(
    ("finished", "interrupted", "trace"),
    [
        ("retrieve", "answer", ["retrieve", "store"]),
        ("answer", "reflect", ["retrieve", "answer", "store"]),
        ("reflect", "plan", ["retrieve", "answer", "reflect", "store"]),
        ("store", "plan", ["retrieve", "answer", "reflect", "store"]),
        ("plan", None, ["retrieve", "answer", "reflect", "store", "plan"]),
    ],
)
def test_between_stages(
    home: Path, finished: str, interrupted: str | None, trace: list[str]
) -> None:
    token = CancelToken()

    def when(event: ThalamusEvent) -> bool:
        return isinstance(event, StageFinished) and event.stage == finished

    with engine(home, when, token) as thalamus:
        turn = thalamus.turn(SAID, cancel=token)
        assert turn.interrupted == interrupted
        assert [step.stage for step in turn.trace] == trace
        assert stored(thalamus).message == SAID  # whatever was cancelled


def test_the_answer_of_an_earlier_turn_is_not_taken_for_the_partial_one(home: Path) -> None:
    token, turns = CancelToken(), 0

    def when(event: ThalamusEvent) -> bool:
        nonlocal turns
        turns += isinstance(event, TurnFinished)
        return turns == 1 and isinstance(event, StageFinished) and event.stage == "retrieve"

    with engine(home, when, token) as thalamus:
        assert thalamus.turn(SAID).answer
        turn = thalamus.turn("I like tea.", cancel=token)
        assert turn.interrupted == "answer" and turn.answer is None


def test_a_flow_that_stores_nothing_still_does_not(home: Path) -> None:
    token = CancelToken()
    with engine(home, lambda event: isinstance(event, StageStarted), token) as thalamus:
        turn = thalamus.turn(SAID, flow="retrieve,answer", cancel=token)
        assert turn.interrupted == "answer"
        assert thalamus.open_store(False) is None


def test_nothing_is_left_of_a_cancelled_turn(home: Path) -> None:
    token = CancelToken()
    with engine(home, lambda event: isinstance(event, Token), token) as thalamus:
        turn, left = thalamus.answer_turn(SAID, cancel=token)
        assert turn.interrupted == "answer" and not left
        assert thalamus.unfinished_turns() == []
        assert stored(thalamus).interrupted == "answer"


def test_before_a_call_and_a_question(thalamus: Thalamus) -> None:
    token = CancelToken()
    token.cancel()
    run = TurnRun(thalamus.engine, cancel=token)
    with pytest.raises(Cancelled):
        run.ask("answer", [Message("user", "Hello.")])
    with pytest.raises(Cancelled):
        run.yes("verify", [Message("user", "Is it so?")])


def test_from_another_thread(home: Path) -> None:
    """As an interface does it: the turn runs in a worker thread, the token is in this one."""
    token, begun, go_on = CancelToken(), threading.Event(), threading.Event()
    events = ThalamusEvents()

    def wait(_: str) -> None:
        begun.set()
        go_on.wait(20)

    events.bind("on_token", wait)
    turns: list[Turn] = []

    def work() -> None:
        settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
        with Thalamus(events=events, **settings) as thalamus:
            turns.append(thalamus.turn(SAID, cancel=token))

    worker = threading.Thread(target=work)
    worker.start()
    assert begun.wait(20)
    token.cancel()
    go_on.set()
    worker.join(20)
    assert [(turn.answer, turn.interrupted) for turn in turns] == [("Noted:", "answer")]


def test_a_job_is_given_back(home: Path, tmp_path: Path) -> None:
    token = CancelToken()
    script = tmp_path / "script.yaml"
    script.write_text("- {role: reflect, reply: []}")

    def when(event: ThalamusEvent) -> bool:
        return isinstance(event, StageStarted) and event.stage == "reflect"

    finished: list[TurnFinished] = []
    with engine(home, when, token, f"scripted:{script}") as thalamus:
        thalamus.answer_turn("I moved to Lisbon in May, karaoke is my thing.")
        thalamus.answer_turn("I like green tea.")
        thalamus.events.bind(
            "on_event", lambda e: finished.append(e) if isinstance(e, TurnFinished) else None
        )
        [done] = thalamus.finish_turns(cancel=token)
        assert done.result is None and done.problem is None
        assert [job.tries for job in thalamus.unfinished_turns()] == [0, 0]
        assert [event.left for event in finished] == [("reflect", "store", "plan")]


def test_a_turn_that_is_stored_is_finished_though_its_plan_is_cancelled(home: Path) -> None:
    token = CancelToken()

    def when(event: ThalamusEvent) -> bool:
        return isinstance(event, StageFinished) and event.stage == "store" and armed

    armed = False
    with engine(home, when, token) as thalamus:
        thalamus.answer_turn(f"{SAID} The rain never ends.")
        armed = True
        [done] = thalamus.finish_turns(cancel=token)
        assert done.result is not None and done.result.stored and done.result.plan is None
        assert done.result.interrupted is None
        assert thalamus.unfinished_turns() == []


def test_thoughts_can_be_cancelled() -> None:
    from thalamus.models.visible_reply import VisibleReply

    token = CancelToken()
    seen: list[str] = []

    def sink(text: str) -> None:
        seen.append(text)
        token.raise_if_cancelled()

    reply = VisibleReply(sink)
    reply.feed("<think>Well, ")
    token.cancel()
    with pytest.raises(Cancelled):
        reply.feed("let me see")
    assert "".join(seen) == ""


def test_what_a_stopped_answer_had_from_the_profile_is_forgotten_with_it(home: Path) -> None:
    def heard(event: ThalamusEvent) -> bool:
        return isinstance(event, Token) and "Zanzibar" in event.text

    token = CancelToken()
    with engine(home, heard, token) as thalamus:
        thalamus.turn("I live in Zanzibar.", flow="reflect,store")
        thalamus.new_session("two")
        flow = "answer,reflect,store"
        turn = thalamus.turn("Where do I live?", flow=flow, cancel=token)
        assert turn.interrupted == "answer" and "Zanzibar" in (turn.answer or "")
        assert turn.evidence == []
        [memory] = thalamus.memories.find()
        # its words need not be those of the memory: `forget` goes by this
        assert turn.id in {link.target for link in thalamus.store.links(memory.id or "")}
        thalamus.forget(ForgetOptions(ids=(memory.id or "",)))
        assert thalamus.sessions.search("Zanzibar") == []


@pytest.mark.storeless
@pytest.mark.parametrize("api", ["openai", "ollama"])
def test_a_call_ends_while_nothing_arrives(api: str) -> None:
    """The connection is closed, so that a server with one slot is free again."""
    server = OneSlot()
    server.hold.clear()
    token = CancelToken()
    with server.serving():
        settings = {"model": f"{api}:large-70b", "openai_base_url": server.url}
        engine = Thalamus(ollama_host=server.url.removesuffix("/v1"), memory=False, **settings)
        with engine as thalamus:
            begun = threading.Thread(target=lambda: (server.wait("extraction"), token.cancel()))
            begun.start()
            with pytest.raises(Cancelled):
                TurnRun(thalamus.engine, cancel=token).ask(
                    "reflect", [Message("user", "Hello.")], {"title": EXTRACTION}
                )
            begun.join()
        server.wait("extraction", "cancelled")


def test_the_interpreter_is_not_torn_down_under_a_thread() -> None:
    """A thread in native code would abort the process; what is not a daemon is waited for."""
    code = """
import sys, threading, time
from thalamus import cli
class Torn:
    def __del__(self): print("torn down", flush=True)
sys.kept = Torn()
def main():
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    threading.Thread(target=lambda: (time.sleep(0.3), print("waited for", flush=True))).start()
    raise SystemExit(4)
cli.main = main
cli.run()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (4, "waited for\n", "")
