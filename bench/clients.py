"""Clients of a store with many tenants: each asks or stores once a second, in a few processes with
threads, as a service does that opens each tenant when it is first needed."""

from __future__ import annotations

import random
import threading
import time
from array import array
from collections.abc import Sequence
from multiprocessing import get_context
from typing import Any, NamedTuple

from dataset import MODEL

STORES = 10  # one request in so many stores a memory
PATIENCE = 120.0  # seconds for the processes to begin


class Request(NamedTuple):
    """``kind``: recall or store; ``ms``: from when it was due; ``fresh``: it also opened the
    tenant's store; ``problem``: why it failed."""

    kind: str
    ms: float
    fresh: bool
    problem: str


class Engines:
    """One engine for each tenant, for all threads."""

    def __init__(self, settings: dict[str, Any]) -> None:
        from thalamus import Thalamus

        self._first = Thalamus(**settings)
        self._lock = threading.Lock()
        self._made: dict[str, Any] = {}

    def of(self, tenant: str) -> Any:
        from msgspec import structs

        with self._lock:
            if tenant not in self._made:
                config = structs.replace(self._first.config, tenant=tenant)
                self._made[tenant] = self._first.sibling(config=config)
            return self._made[tenant]

    def close(self) -> None:
        for engine in self._made.values():
            engine.close()


def load(
    settings: dict[str, Any],
    names: Sequence[str],
    asked: Sequence[tuple[str, Any]],
    *,
    clients: int,
    seconds: float,
    processes: int,
) -> list[Request]:
    """Times of the requests of all clients. Each process has a share of the tenants."""
    processes = min(processes, len(names))
    context = get_context("spawn")
    ready = context.Barrier(processes + 1)
    results = context.Queue()
    started = []
    for number in range(processes):
        share = clients * (number + 1) // processes - clients * number // processes
        arguments = (settings, names[number::processes], asked, share, seconds, number)
        process = context.Process(target=_process, args=(*arguments, ready, results))
        process.start()
        started.append(process)
    ready.wait(PATIENCE)
    found = [request for _ in started for request in results.get(timeout=seconds + PATIENCE)]
    for process in started:
        process.join()
    return found


def _process(
    settings: dict[str, Any],
    names: Sequence[str],
    asked: Sequence[tuple[str, Any]],
    clients: int,
    seconds: float,
    seed: int,
    ready: Any,
    results: Any,
) -> None:
    engines = Engines(settings)
    engine = engines.of(names[0])
    for kind in ("recall", "store"):  # imports
        ask(engine, kind, asked[0], "warm-up")
    found: list[Request] = []
    ready.wait(PATIENCE)
    begin = time.perf_counter()
    threads = []
    for number in range(clients):
        draw = random.Random(f"{seed} {number}")
        offset = number / clients
        work = (engines, names, asked, begin + offset, begin + seconds, draw, found)
        threads.append(threading.Thread(target=_client, args=work))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put(found)
    engines.close()


def _client(
    engines: Engines,
    names: Sequence[str],
    asked: Sequence[tuple[str, Any]],
    due: float,
    end: float,
    draw: random.Random,
    found: list[Request],
) -> None:
    """A request a second. One that begins late, because that before it took long, counts from
    when it was due."""
    while due < end:
        time.sleep(max(0.0, due - time.perf_counter()))
        engine = engines.of(draw.choice(names))
        kind = "store" if draw.randrange(STORES) == 0 else "recall"
        problem = ""
        fresh = not engine.stores.any_open()
        try:
            ask(engine, kind, draw.choice(asked), f"{draw.getrandbits(64):x}")
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        found.append(Request(kind, (time.perf_counter() - due) * 1000, fresh, problem))
        due += 1.0


def ask(engine: Any, kind: str, question: tuple[str, Any], id: str) -> None:
    from thalamus.records import Memory

    text, vector = question
    if kind == "recall":
        if not engine.recall(text, vector=vector):
            raise AssertionError("nothing was found")
        if engine.failures:
            raise AssertionError(engine.failures[0])
    else:
        content, numbers = f"{text} {id[:6]}", array("f", vector.data).tolist()
        engine.remember([Memory(content=content, embedding=numbers, embedding_model=MODEL)])


def keep_storing(
    settings: dict[str, Any], tenant: str, asked: Sequence[tuple[str, Any]], writers: int, stop: Any
) -> None:
    """Writers to one tenant, each with an engine of its own, until ``stop`` is set."""

    def work(number: int) -> None:
        engine = Engines(settings).of(tenant)
        count = 0
        while not stop.is_set():
            count += 1
            ask(engine, "store", asked[count % len(asked)], f"{number}x{count}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
