"""Waiting for background work in the thread of the prompt."""

from __future__ import annotations

import random
import signal
import threading
from typing import NoReturn

import pytest

from thalamus import ThalamusEvents
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
