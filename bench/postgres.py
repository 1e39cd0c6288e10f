"""The benchmark of a store in PostgreSQL: many tenants, many clients, and single figures.

    python bench/postgres.py --tenants 1000 --clients 64
    python bench/postgres.py --tenants 20 --clients 8 --seconds 10 --large 5000

The database is that at ``THALAMUS_TEST_POSTGRES``, an address of its owner, or else one of a server
whose files are in the output folder, with fsync, and the server's defaults. Its tenants stay there
for the next run; ``--only-fill`` prepares them. Prints a table and writes postgres.json.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import clients
import tenants
from contender import K, timed
from report import BUSY, machine
from rounds import say
from tenants import Database, tenant_name

BENCH = Path(__file__).parent
LARGE = "large"  # name of the tenant with many memories
SAMPLE = 200  # calls for a single figure
WARM = 20  # calls before them
TENANTS = 100  # of which single questions are asked
WRITERS = 10
PATIENCE = 60.0  # seconds for one figure, at most


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--tenants", type=int, default=1000)
    add("--memories", type=int, default=1000, help="of each tenant")
    add("--large", type=int, default=100_000, help="memories of one more tenant; 0: none")
    add("--bulk", type=int, default=10_000, help="memories that are stored in bulk; 0: none")
    add("--clients", type=int, default=64, help="each with a request a second; 0: none")
    add("--processes", type=int, default=4, help="that the clients share")
    add("--seconds", type=float, default=60)
    add("--dimension", type=int, default=256, help="of the vectors")
    add("--out", type=Path, default=BENCH / "out" / "postgres", help="folder of all files")
    add("--only-fill", action="store_true", help="prepare the tenants and measure nothing")
    add("--no-single", action="store_true", help="measure the load alone")
    return parser.parse_args()


def main() -> None:
    given = options()
    given.out.mkdir(parents=True, exist_ok=True)
    with tenants.database(given.out) as made:
        bench = Bench(given, made)
        bench.fill()
        if given.only_fill:
            return
        before = os.getloadavg()[0]
        if before > BUSY:
            say(f"the machine is not idle: load average {before:.1f}")
        if given.clients:
            bench.load()
        if not given.no_single:
            bench.single()
        after = os.getloadavg()[0]
    about = {"machine": machine(), "load average": [round(before, 1), round(after, 1)]}
    shown = {name: str(value) for name, value in vars(given).items()}
    found = {"about": about, "options": shown, "figures": bench.figures}
    (given.out / "postgres.json").write_text(json.dumps(found, indent=1) + "\n")
    print(table(bench.figures))


class Bench:
    """The figures of one run, by name: each a dict of numbers."""

    def __init__(self, given: argparse.Namespace, made: Database) -> None:
        self.given, self.made = given, made
        self.figures: dict[str, dict[str, Any]] = {}
        self.names = [tenant_name(number) for number in range(given.tenants)]
        self.home = given.out / "home"
        self.asked = tenants.questions(given.memories, given.dimension, SAMPLE)

    def settings(self, tenant: str) -> dict[str, Any]:
        return {
            "home": str(self.home),
            "store": self.made.role,
            "tenant": tenant,
            "model": "scripted",
            "embedder": "none",
        }

    @contextmanager
    def engine(self, tenant: str, **settings: Any) -> Any:
        from thalamus import Thalamus

        with Thalamus(**(self.settings(tenant) | settings)) as engine:
            yield engine

    def note(self, what: str, taken: Sequence[float], **more: Any) -> None:
        """Percentiles of milliseconds."""
        found = {"n": len(taken), "p50": median(taken)}
        found |= {f"p{part}": percentile(taken, part) for part in (95, 99)}
        self.figures[what] = found | more
        say(f"  {what}: {self.figures[what]}")

    # -- filling ----------------------------------------------------------------------------------

    def fill(self) -> None:
        given = self.given
        say(f"filling {given.tenants:,} tenants with {given.memories:,} memories each")
        with self.engine(self.names[0]) as engine:
            tenants.fill(self.made, engine, given.tenants, given.memories, given.dimension)
        self._share_keys()
        if given.large:
            with self.engine(LARGE, hnsw=False) as engine:
                there = engine.open_store(True).counts()["memory"]
                if there < given.large:
                    say(f"filling one tenant with {given.large:,} memories")
                    with self.made.unsafe():
                        tenants.store(engine, given.large, given.dimension, there)
                        with self.made.connect() as connection:
                            connection.execute("VACUUM ANALYZE")

    def _share_keys(self) -> None:
        """Gives the other tenants the keys of the first, whose signatures they have."""
        folder = self.home / "config" / "keys"
        text = (folder / f"{self.names[0]}.key").read_text()
        for name in self.names[1:]:
            path = folder / f"{name}.key"
            if not path.exists():
                path.touch(mode=0o600)
                path.write_text(text.replace(self.names[0], name))

    # -- many clients -----------------------------------------------------------------------------

    def load(self) -> None:
        given = self.given
        say(f"{given.clients} clients for {given.seconds:g} s")
        found = clients.load(
            self.settings(self.names[0]),
            self.names,
            self.asked,
            clients=given.clients,
            seconds=given.seconds,
            processes=given.processes,
        )
        for kind in ("recall", "store"):
            taken = [one.ms for one in found if one.kind == kind]
            fresh = sum(one.fresh for one in found if one.kind == kind)
            problems = [one.problem for one in found if one.kind == kind and one.problem]
            more = {"opened a store": fresh, "errors": len(problems), "first error": problems[:1]}
            self.note(f"{kind}, {given.clients} clients", taken, **more)

    # -- single figures ---------------------------------------------------------------------------

    def single(self) -> None:
        for measure in (
            self.round_trips,
            self.many_tenants,
            self.one_large,
            self.bulk,
            self.writers,
        ):
            say(measure.__name__.replace("_", " "))
            measure()

    def round_trips(self) -> None:
        """What one request sends to the server, once the store is open."""
        question, vector = self.asked[0]
        with self.engine(self.names[0]) as engine:
            engine.turn("Hello.")
            clients.ask(engine, "recall", self.asked[1], "")
            works: dict[str, Callable[[], Any]] = {
                "retrieve": lambda: engine.recall(question, vector=vector, limit=K),
                "store one": lambda: clients.ask(engine, "store", self.asked[2], "a"),
                "turn": lambda: engine.turn("My name is Ana and I live in Porto."),
            }
            for what, work in works.items():
                work()
                with traced(engine, self.given.out / "trace") as sent:
                    work()
                self.figures[f"sent by {what}"] = sent
                say(f"  {what}: {sent}")

    def many_tenants(self) -> None:
        """One question or memory after the other, each in another tenant."""
        count = min(TENANTS, len(self.names))
        step = len(self.names) // count
        made = clients.Engines(self.settings(self.names[0]))
        engines = [made.of(name) for name in self.names[:: step or 1][:count]]
        for kind in ("recall", "store"):

            def work(n: int, kind: str = kind) -> Callable[[], None]:
                engine, question = engines[n % count], self.asked[n % len(self.asked)]
                return lambda: clients.ask(engine, kind, question, f"{kind}{n}")

            timed(PATIENCE, [work(n) for n in range(count)])
            taken = timed(PATIENCE, [work(n) for n in range(count, count + SAMPLE)])
            self.note(f"{kind}, warm, {len(self.names):,} tenants", taken)
        made.close()

    def one_large(self) -> None:
        """Questions to a tenant with many memories, with all vectors compared and with an index."""
        from thalamus.store.values import Filter

        given = self.given
        if not given.large:
            return
        asked = tenants.questions(given.large, given.dimension, SAMPLE + WARM)
        found = {}
        for how, hnsw in (("exact", False), ("HNSW", True)):
            if hnsw:
                self._build()
            with self.engine(LARGE, hnsw=hnsw) as engine:
                work = [
                    lambda q=question, v=vector: engine.recall(q, vector=v, limit=K)
                    for question, vector in asked
                ]
                timed(PATIENCE, work[:WARM])
                self.note(f"recall, warm, {given.large:,}, {how}", timed(PATIENCE, work[WARM:]))
                found[how] = [
                    {hit.entry.id for hit in engine.database.search([], vector, Filter(), K).vector}
                    for _, vector in asked
                ]
        pairs = zip(found["exact"], found["HNSW"], strict=True)
        share = statistics.mean(len(exact & near) / len(exact) for exact, near in pairs)
        self.figures["HNSW recall@10"] = {"share": round(share, 4), "questions": len(asked)}
        say(f"  {self.figures['HNSW recall@10']}")
        with self.engine(LARGE) as engine:
            stores = [
                lambda q=question, n=n: clients.ask(engine, "store", q, f"{n}")
                for n, question in enumerate(asked)
            ]
            self.note(f"store, warm, {given.large:,}", timed(PATIENCE, stores))

    def _build(self) -> None:
        begun = time.perf_counter()
        with self.engine(LARGE, store=self.made.owner) as engine:
            found = engine.database.build_hnsw(lambda _: None)
        taken = round(time.perf_counter() - begun, 1)
        self.figures["HNSW index"] = {"seconds": taken, "recall": found[0].recall}

    def bulk(self) -> None:
        """Signed memories a second, into an empty tenant."""
        count = self.given.bulk
        if not count:
            return
        tenant = f"bulk{int(time.time())}"
        with self.engine(tenant) as engine:
            begun = time.perf_counter()
            tenants.store(engine, count, self.given.dimension)
            speed = count / (time.perf_counter() - begun)
        self.figures["bulk, signed"] = {"records": count, "records/s": round(speed)}
        say(f"  {self.figures['bulk, signed']}")

    def writers(self) -> None:
        """Single memories stored while others keep storing in another tenant."""
        context = get_context("spawn")
        stop = context.Event()
        with self.engine(self.names[0]) as engine:
            work = [
                lambda n=n, q=question: clients.ask(engine, "store", q, f"w{n}")
                for n, question in enumerate(self.asked)
            ]
            timed(PATIENCE, work[:WARM])
            self.note("store, alone", timed(PATIENCE, work))
            arguments = (self.settings(self.names[-1]), self.names[-1], self.asked, WRITERS, stop)
            others = context.Process(target=clients.keep_storing, args=arguments)
            others.start()
            time.sleep(5)
            self.note(f"store, {WRITERS} writers to another tenant", timed(PATIENCE, work))
            stop.set()
            others.join()


@contextmanager
def traced(engine: Any, path: Path) -> Any:
    """What is sent to the server meanwhile, by libpq's own account of it: statements, and times
    that an answer is waited for."""
    from psycopg.pq import Trace

    pool = engine.database._db.pool
    connections = [pool.take(1.0) for _ in range(pool.size)]
    sent: dict[str, int] = {}
    with path.open("w+") as file:
        for connection in connections:
            connection.pgconn.trace(file.fileno())
            connection.pgconn.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
            pool.give_back(connection)
        yield sent
        for connection in connections:
            connection.pgconn.untrace()
        file.seek(0)
        kinds = [(line[0], line.split("\t")[2]) for line in file if line[:2] in ("F\t", "B\t")]
    sent["statements"] = sum(side == "F" and kind in ("Query", "Execute") for side, kind in kinds)
    turns = itertools.pairwise(side for side, _ in kinds)
    sent["round trips"] = sum(turn == ("F", "B") for turn in turns)


def median(taken: Sequence[float]) -> float:
    return round(statistics.median(taken), 1) if taken else 0.0


def percentile(taken: Sequence[float], part: int) -> float:
    """By nearest rank."""
    ordered = sorted(taken)
    return round(ordered[-(-len(ordered) * part // 100) - 1], 1) if ordered else 0.0


def table(figures: dict[str, dict[str, Any]]) -> str:
    """The figures in Markdown."""
    lines = ["| what | figures |", "|---|---|"]
    for what, found in figures.items():
        shown = ", ".join(f"{name} {value}" for name, value in found.items() if value != [])
        lines.append(f"| {what} | {shown} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
