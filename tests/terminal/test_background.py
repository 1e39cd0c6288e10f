"""Waiting for background work in the thread of the prompt."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from tests.memory.test_insights import DAYS, live
from thalamus import ThalamusEvents
from thalamus.api import Thalamus
from thalamus.cancel import Cancelled
from thalamus.models.protocol import ChatReply, ChatRequest, TokenSink
from thalamus.terminal.background import BackgroundWork


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def test_waiting_can_be_interrupted_at_any_moment() -> None:
    let_go = threading.Event()

    def make() -> NoReturn:
        let_go.wait()
        raise OSError("there is no store")

    work = BackgroundWork(make, ThalamusEvents(), lambda found: None, lambda: None)
    work.add("turn_1")
    drawn = random.Random(1)
    before = signal.signal(signal.SIGALRM, _interrupt)
    try:
        for _ in range(100):
            with pytest.raises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, drawn.uniform(0.0001, 0.01))
                work.wait_stored()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        let_go.set()
    assert work.end()
    assert not work.unstored


def test_insights_are_concluded_last_and_stopped_by_a_key(home: Path) -> None:
    live(home)
    events = ThalamusEvents()
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    began, stopped = threading.Event(), []
    with Thalamus(**settings) as engine:
        chat = engine.engine.models.chat("crystallize")
        original = chat.chat

        def slow(request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
            assert on_token is not None
            began.set()
            try:
                while not let_go.is_set():
                    on_token("")
                    time.sleep(0.001)
            except Cancelled:
                stopped.append(request.role)
                raise
            return original(request, on_token)

        chat.chat = slow  # type: ignore[method-assign]
        let_go = threading.Event()
        work = BackgroundWork(
            lambda: engine.sibling(events), events, lambda found: None, lambda: None
        )
        work.look()
        assert began.wait(10) and work.concluding and not work.remembering
        work.typed()
        wait(lambda: not work.concluding)
        assert stopped == ["crystallize"]
        assert engine.insights.find() == [] and engine.insights.count_jobs()["waiting"] >= 1
        let_go.set()
        work.resume()  # the message was answered
        wait(lambda: engine.insights.count_jobs() == {"done": len(DAYS)})
        assert engine.insights.find()
        assert work.end()


def wait(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)
