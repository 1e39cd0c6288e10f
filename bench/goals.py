"""The goals for speed and scale, and whether a run meets them. Every ratio is of one run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from results import OWN as WHO
from results import Results
from rivals import COMPOSITE, LEAN, PYTHON

LARGE, HUGE = 100_000, 1_000_000
FLAT = 64.0  # megabytes that private memory may grow by while a store is loaded


@dataclass
class Goal:
    """``measured`` in words; ``met`` is None where the run has no figures for it."""

    what: str
    goal: str
    measured: str = "not in this run"
    met: bool | None = None

    @property
    def verdict(self) -> str:
        return {None: "–", True: "met", False: "not met"}[self.met]


def judge(results: Results) -> list[Goal]:
    """All goals, in the order of the issue's table."""
    parts = (_starts, _fresh, _warm, _bulk, _written, _screen, _rest)
    return [goal for part in parts for goal in part(results)]


def ratio(
    what: str, goal: float, one: float | None, other: float | None, ends: str = "×", of: str = ""
) -> Goal:
    """One figure over another, which must be at most ``goal``."""
    made = Goal(what, f"≤ {goal:g}{ends} {of}".rstrip())
    if one is not None and other is not None:
        made.measured = f"{one / other:.2f}× ({one:.1f} / {other:.1f} ms)"
        made.met = one / other <= goal
    return made


def _starts(results: Results) -> Iterator[Goal]:
    size = max(results.sizes)
    bare = results.p50(PYTHON, "start", size)
    for what, goal in (("--version", 7), ("facts", 7.5), ("memory show", 7.5)):
        taken = results.p50(WHO, f"{what}, fresh", size)
        yield ratio(f"`{what}`, fresh, at {words(size)}", goal, taken, bare, of=f"`{PYTHON}`")


def _fresh(results: Results) -> Iterator[Goal]:
    for what in ("store", "retrieve"):
        row = f"{what}, fresh"
        own = results.p50(WHO, row, LARGE)
        composite = results.p50(COMPOSITE, row, LARGE)
        yield ratio(f"`{what}`, fresh, at 100k", 1.3, own, composite, of="the bare composite")
        if what == "store":
            lean = results.p50(LEAN, row, LARGE)
            strict = ratio("the same beside the composite with fewest imports", 1.3, own, lean)
            strict.goal, strict.met = "for comparison", None
            yield strict
            huge, small = results.p50(WHO, row, HUGE), results.p50(WHO, row, 1_000)
            yield ratio("`store`, fresh, at 1M", 1.2, huge, small, of="its own at 1k")


def _warm(results: Results) -> Iterator[Goal]:
    for size in results.sizes:
        if size < LARGE:
            own = results.p50(WHO, "retrieve, warm", size)
            composite = results.p50(COMPOSITE, "retrieve, warm", size)
            made = ratio(
                f"`retrieve`, warm, at {words(size)}, beside the composite", 0, own, composite
            )
            made.goal, made.met = "for comparison", None
            yield made
    for size, goal, least in ((LARGE, 15, 0.99), (HUGE, 40, 0.97)):
        made = Goal(f"`retrieve`, warm, at {words(size)}", f"p95 ≤ {goal} ms, recall@10 ≥ {least}")
        taken = results.get(WHO, "retrieve, warm", size)
        recalls = {
            kind: mean
            for kind in ("clustered", "isotropic")
            if (mean := _mean(results, f"recall@10, {kind}", size)) is not None
        }
        if taken is not None and taken.values and recalls:
            found = ", ".join(f"{mean:.4f} {kind}" for kind, mean in recalls.items())
            made.measured = f"{taken.p95:.1f} ms; {found}"
            made.met = taken.p95 <= goal and min(recalls.values()) >= least
        yield made


def _screen(results: Results) -> Iterator[Goal]:
    """The full screen."""
    for row, what, most in (
        ("ui, first frame", "first frame of `ui`", 1000),
        ("ui, a key in the search field", "a key in its search field", 100),
    ):
        made = Goal(f"{what}, at 100k", f"p95 ≤ {most:,} ms")
        taken = results.get(WHO, row, LARGE)
        if taken is not None and taken.values:
            made.measured = f"p50 {taken.p50:.0f}, p95 {taken.p95:.0f} ms"
            made.met = taken.p95 <= most
        yield made


def _bulk(results: Results) -> Iterator[Goal]:
    size = max(results.sizes)
    made = Goal(f"bulk load, at {words(size)}", "≥ 15,000 records/s, memory flat")
    speed = results.p50(WHO, "load", size)
    early = results.p50(WHO, "load memory: private, early", size)
    late = results.p50(WHO, "load memory: private, late", size)
    if speed is not None:
        made.measured = f"{speed:,.0f} records/s"
        made.met = None if speed >= 15_000 else False
    if speed is not None and early is not None and late is not None:
        made.measured += f"; private memory {early:.0f} → {late:.0f} MB"
        made.met = speed >= 15_000 and late <= early + FLAT
    yield made


def _written(results: Results) -> Iterator[Goal]:
    """What scoring, comparing and signing cost."""
    decided = results.get(WHO, "store, decided, warm", LARGE)
    plain = results.get(WHO, "store, warm, unsigned", LARGE)
    made = Goal("storing one memory, decided and signed, warm, at 100k", "p95 ≤ 150 ms")
    if decided is not None and decided.values:
        made.measured = f"p50 {decided.p50:.1f}, p95 {decided.p95:.1f} ms"
        made.met = decided.p95 <= 150
        if plain is not None and plain.values:
            made.measured += (
                f"; {decided.p50 / plain.p50:.1f}× without them"
                f" (p50 {plain.p50:.1f}, p95 {plain.p95:.1f})"
            )
    yield made
    signed = results.p50(WHO, "load, in turns", LARGE)
    bare = results.p50(WHO, "load, unsigned", LARGE)
    load = Goal("bulk load with signing, at 100k", "≥ 0.85× without")
    if signed is not None and bare is not None:
        load.measured = f"{signed / bare:.2f}× ({signed:,.0f} / {bare:,.0f} records/s)"
        load.met = signed / bare >= 0.85
    yield load


def _rest(results: Results) -> Iterator[Goal]:
    size = max(results.sizes)
    turn = Goal(f"a turn without models, warm, at {words(size)}", "≤ 50 ms")
    taken = results.get(WHO, "turn, warm", size)
    if taken is not None and taken.values:
        turn.measured = f"p50 {taken.p50:.1f} ms, p95 {taken.p95:.1f} ms"
        turn.met = taken.p50 <= 50
    yield turn
    for row, what, most in (
        ("first token, warm", "from Enter to the first token, without the model's own time", 50),
        ("free prompt, warm", "from the last token to a free prompt", 20),
    ):
        made = Goal(f"{what}, at 100k", f"≤ {most} ms")
        found = results.get(WHO, row, LARGE)
        if found is not None and found.values:
            made.measured = f"p50 {found.p50:.1f} ms, p95 {found.p95:.1f} ms"
            made.met = found.p50 <= most
        yield made
    here = results.p50(WHO, "retrieve, fresh, embedded here", LARGE)
    given = results.p50(WHO, "retrieve, fresh, same vector given", LARGE)
    yield ratio("`retrieve` with the embedder, at 100k", 2, here, given, of="with the vector given")
    memory = Goal("memory of a query process at 1M", "< 1,200 MB, most of it mapped")
    peak, private, mapped = (
        results.p50(WHO, f"query memory: {part}", HUGE) for part in ("peak", "private", "mapped")
    )
    if peak is not None and private is not None and mapped is not None:
        memory.measured = f"peak {peak:,.0f} MB; {private:,.0f} private, {mapped:,.0f} mapped"
        memory.met = peak < 1_200 and mapped > private
    yield memory


def words(size: int) -> str:
    """1000 as 1k, 1000000 as 1M."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if size % unit == 0:
            return f"{size // unit}{letter}"
    return f"{size:,}"


def _mean(results: Results, what: str, size: int) -> float | None:
    row = results.get(WHO, what, size)
    return sum(row.values) / len(row.values) if row is not None and row.values else None
