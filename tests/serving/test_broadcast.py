"""Live events of a chat, and those who follow them."""

from __future__ import annotations

import os
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from thalamus.config import Config, load
from thalamus.records import Event
from thalamus.serving.broadcast import KEPT, LOST, MOST, Broadcast
from thalamus.serving.sockets import is_alive, place_of, sockets
from thalamus.serving.watching import Seen, Watch


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name, wherever the tests are run."""
    with TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder, "home")


def settings(home: Path, **more: object) -> Config:
    return load({"home": str(home), **more})


@pytest.fixture
def config(home: Path) -> Config:
    return settings(home)


def wait_until(done: Callable[[], bool], seen: Sequence[object] = ()) -> None:
    until = time.monotonic() + 30
    while not done() and time.monotonic() < until:
        time.sleep(0.01)
    assert done(), seen[-5:]


def heard(live: Broadcast, listeners: int = 1) -> None:
    """Waits until the requests of so many listeners have arrived: what happens is sent to them."""
    wait_until(lambda: sum(one.ready for one in [*live._listeners.values()]) == listeners)


def happened(n: int) -> Event:
    return Event(name="status_update", at="2026-05-08T13:56:00Z", turn=f"turn_{n}", data={"n": n})


class Follower:
    """A watch in a thread, and what it saw."""

    def __init__(self, config: Config, *, since_start: bool = False) -> None:
        self.seen: list[Seen] = []
        self._watch = Watch(config, since_start=since_start)
        self._end = False
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        with self._watch as watch:
            for seen in watch:
                self.seen.append(seen)
                if self._end:
                    return

    @property
    def numbers(self) -> list[int]:
        return [s.event.data["n"] for s in self.seen if s.what == "event" and s.event]

    def wait(self, done: Callable[[], bool]) -> None:
        wait_until(done, self.seen)

    def wait_for(self, *what: str) -> None:
        self.wait(lambda: [seen.what for seen in self.seen][-len(what) :] == list(what))


def test_what_happens_is_followed_until_the_chat_ends(config: Config) -> None:
    follower = Follower(config)
    follower.wait_for("none")
    with Broadcast(config, "may") as live:
        follower.wait_for("found")
        assert follower.seen[-1].event is not None
        assert follower.seen[-1].event.data["session"] == "may"
        assert follower.seen[-1].pid == os.getpid()
        heard(live)
        for n in range(3):
            live.add(happened(n))
    follower.wait_for("event", "event", "event", "ended", "none")
    assert follower.numbers == [0, 1, 2]
    assert sockets(config) == []


@pytest.mark.parametrize(("since_start", "numbers"), [(False, [2]), (True, [0, 1, 2])])
def test_who_comes_late_gets_what_is_next_or_all(
    config: Config, since_start: bool, numbers: list[int]
) -> None:
    with Broadcast(config, "may") as live:
        live.add(happened(0))
        live.add(happened(1))
        follower = Follower(config, since_start=since_start)
        follower.wait_for("event" if since_start else "found")
        heard(live)
        live.add(happened(2))
        follower.wait(lambda: follower.numbers == numbers)


def test_no_more_is_kept_than_that_and_nothing_that_was_forgotten(config: Config) -> None:
    with Broadcast(config, "may") as live:
        for n in range(KEPT + 5):
            live.add(happened(n))
        follower = Follower(config, since_start=True)
        follower.wait(lambda: len(follower.numbers) == KEPT)
        assert follower.numbers[0] == 5
        live.add(Event(name="forgotten", at="", data={"n": -1}))
        other = Follower(config, since_start=True)
        other.wait(lambda: other.numbers == [-1])


def test_nobody_who_is_slow_is_waited_for(config: Config) -> None:
    big = Event(name="model_call", at="", data={"n": 0, "reply": "x" * 10_000})
    with Broadcast(config, "may") as live, socket.socket(socket.AF_UNIX) as slow:
        [path] = sockets(config)
        slow.connect(str(path))
        slow.sendall(b"next\n")
        reader = slow.makefile("rb")
        assert b'"name":"chat"' in reader.readline()
        heard(live)
        for _ in range(MOST + 200):
            live.add(big)
        read, lost = 0, 0
        while not lost:
            line = reader.readline()
            read += 1
            if LOST.encode() in line:
                lost = int(line.split(b'"count":')[1].split(b"}")[0])
            elif read == MOST // 2:
                live.add(big)  # there is room again
        assert 0 < lost <= 200


def test_who_goes_is_forgotten_and_others_stay(config: Config) -> None:
    with Broadcast(config, "may") as live:
        first, second = Follower(config), Follower(config)
        first.wait_for("found")
        second.wait_for("found")
        heard(live, 2)
        [path] = sockets(config)
        with socket.socket(socket.AF_UNIX) as gone:
            gone.connect(str(path))
            gone.sendall(b"start\n")
        live.add(happened(1))
        first.wait(lambda: first.numbers == [1])
        second.wait(lambda: second.numbers == [1])


def test_several_chats_and_a_stale_socket(config: Config) -> None:
    folder = place_of(config, make=True)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(folder / "1-0.sock"))
    assert len(sockets(config)) == 1 and not is_alive(folder / "1-0.sock")
    follower = Follower(config)
    follower.wait_for("none")
    with Broadcast(config, "may") as one, Broadcast(config, "june") as two:
        assert [path.name for path in sockets(config)] == [
            f"{os.getpid()}-0.sock",
            f"{os.getpid()}-1.sock",
        ]
        follower.wait(lambda: len(follower.seen) == 3)
        heard(one)
        heard(two)
        one.add(happened(1))
        two.add(happened(2))
        follower.wait(lambda: sorted(follower.numbers) == [1, 2])


def test_only_for_this_user_of_the_machine_and_of_the_store(home: Path, config: Config) -> None:
    with Broadcast(config, "may"):
        [path] = sockets(config)
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert sockets(settings(home, tenant="other")) == []
    with Broadcast(settings(home, user="bo"), "his") as live:
        ana, anyone = Follower(settings(home, user="ana")), Follower(config)
        anyone.wait_for("found")
        heard(live)
        live.add(happened(1))
        anyone.wait(lambda: anyone.numbers == [1])
        ana.wait_for("none")
        assert len(ana.seen) == 1


def test_a_home_with_a_long_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/tmp")
    monkeypatch.setattr("tempfile.tempdir", None)
    config = settings(tmp_path / ("long" * 30))
    with Broadcast(config, "may") as live:
        [path] = sockets(config)
        assert len(str(path)) < 108 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        follower = Follower(config)
        follower.wait_for("found")
        heard(live)
        live.add(happened(1))
        follower.wait(lambda: follower.numbers == [1])
    assert sockets(config) == []
    path.parent.rmdir()


@pytest.fixture
def unusable(config: Config) -> Iterator[Config]:
    """State where no folder can be made."""
    config.state_dir.parent.mkdir(parents=True, exist_ok=True)
    config.state_dir.write_text("a file")
    yield config


def test_without_a_socket_a_chat_goes_on(unusable: Config) -> None:
    with Broadcast(unusable, "may") as live:
        live.add(happened(1))
    assert next(iter(Watch(unusable))) == Seen("none")


def test_what_is_no_event_is_not_sent(config: Config) -> None:
    with Broadcast(config, "may") as live:
        follower = Follower(config)
        follower.wait_for("found")
        heard(live)
        live.add(Event(name="odd", at="", data={"n": object()}))
        live.add(happened(1))
        follower.wait(lambda: follower.numbers == [1])
