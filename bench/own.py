"""Thalamus's own rows."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dataset
from contender import K
from dataset import Dataset
from processes import Failed, Run, run
from results import OWN as WHO
from results import Results
from rounds import Row, say

BENCH = Path(__file__).parent
FACTS = 20
FRAMES = 3  # first ones that are measured
LOADS = 3  # of each kind, where two are compared
TENTH = 10  # one memory in so many is personal, where encrypted ones are measured
PATIENCE = 3600.0  # seconds to wait for an HNSW index
# of stores where nothing is measured that an HNSW index is for: building it would take its time
# from what is measured next
NO_HNSW = {"THALAMUS_HNSW": "false"}


def command() -> list[str]:
    """The installed script beside this Python, as users start it; else the module."""
    script = Path(sys.executable).with_name("thalamus")
    return [str(script)] if script.exists() else [sys.executable, "-m", "thalamus"]


class Own:
    """A store in ``home``, driven by the command line and by ``warm.py``."""

    def __init__(self, home: Path, embedder: str = "none") -> None:
        home.mkdir(parents=True)
        self.home = home
        clean = {k: v for k, v in os.environ.items() if not k.startswith("THALAMUS_")}
        self.env = clean | {"THALAMUS_HOME": str(home), "THALAMUS_EMBEDDER": embedder}

    def call(self, *arguments: str, stdin: Path | None = None, **options: Any) -> Run:
        """``thalamus ARGUMENTS…`` as a process."""
        return run(
            [*command(), *arguments],
            env=self.env,
            cwd=self.home,
            stdin=stdin,
            keep=False,
            **options,
        )

    def inside(self, *arguments: str) -> Any:
        """A verb of ``warm.py``: its JSON, None when it prints none."""
        script = [sys.executable, str(BENCH / "warm.py"), *arguments]
        said = run(script, env=self.env, cwd=self.home).output
        return json.loads(said) if arguments[0] != "cli" else None

    def screen(self, *arguments: str) -> Any:
        """A verb of ``screen.py``: its JSON."""
        script = [sys.executable, str(BENCH / "screen.py"), *arguments]
        return json.loads(run(script, env=self.env, cwd=self.home).output)

    def load(self, records: Path) -> Run:
        """Bulk load through ``thalamus store``."""
        return self.call("store", stdin=records, sample=True)


def load(own: Own, data: Dataset, results: Results) -> None:
    """Loads the store; speed, memory and disk. Adds a few facts for the rows that read them."""
    done = own.load(data.records)
    results.add(WHO, "load", data.size, [data.size / done.seconds], "records/s")
    for what, kilobytes in _load_memory(done, data.records.stat().st_size).items():
        results.add(WHO, f"load memory: {what}", data.size, [kilobytes / 1024], "MB")
    facts = own.home / "facts.jsonl"
    fact = {"record": "fact", "subject": "user", "predicate": "likes"}
    lines = [json.dumps(fact | {"object": f"thing {n}"}) for n in range(FACTS)]
    facts.write_text("\n".join(lines) + "\n")
    own.call("store", stdin=facts)


def hnsw(own: Own, data: Dataset, results: Results) -> None:
    """Waits for the HNSW index that a process in the background builds since the store was loaded,
    where it is large enough; how long that took, and what is on the disk then."""
    from thalamus.store.indexes.hnsw import MINIMUM

    if data.size >= MINIMUM:
        begun = time.perf_counter()
        while not (made := list((own.home / "data").glob("*/index/vectors-*/hnsw/manifest"))):
            if time.perf_counter() - begun > PATIENCE:
                raise Failed(f"no HNSW index was built within {PATIENCE:,.0f} s")
            time.sleep(0.2)
        taken = time.perf_counter() - begun
        results.add(WHO, "HNSW index, built in the background, s", data.size, [taken], "s")
        if not list(made[0].parent.glob("*.usearch")):
            raise Failed("the HNSW index found too little and was not kept")
    for what, size in _disk(own.home).items():
        results.add(WHO, f"disk: {what}", data.size, [size / 1e6], "MB")


def _load_memory(done: Run, total: int) -> dict[str, float]:
    """Peak, and the private part early (10 to 30 % read) and late (from 80 % on)."""
    early = [s[3] for s in done.samples if 0.1 * total <= s[1] <= 0.3 * total]
    late = [s[3] for s in done.samples if s[1] >= 0.8 * total]
    found = {"peak": [s[2] for s in done.samples], "private, early": early, "private, late": late}
    return {what: max(kilobytes) for what, kilobytes in found.items() if kilobytes}


def _disk(home: Path) -> dict[str, int]:
    """Bytes of the tables, and of each index by its folder (its number left out)."""
    found: dict[str, int] = {}
    for path in (home / "data").rglob("*"):
        if path.is_file():
            parts = path.relative_to(home / "data").parts[1:]
            index = parts[0] == "index" and len(parts) > 2
            kind = "hnsw" if "hnsw" in parts else parts[min(1, len(parts) - 1)].partition("-")[0]
            part = f"index, {kind}" if index else "tables"
            found[part] = found.get(part, 0) + path.stat().st_size
    return found | {"in all": sum(found.values())}


def quality(own: Own, data: Dataset, results: Results) -> None:
    """Recall of the vector search, and the memory of a process that asks one question. Before
    anything is added to what the exact search knows."""
    found = own.inside("recall", str(data.folder))["recall"]
    results.add(WHO, "recall@10, clustered", data.size, found, "share")
    say("  memory of a query process")
    kilobytes = own.inside("memory", str(data.folder))
    for what, field in (("private", "RssAnon"), ("mapped", "RssFile")):
        for when, found in (("", kilobytes["one"]), (", warm", kilobytes["many"])):
            if field in found:
                row = f"query memory: {what}{when}"
                results.add(WHO, row, data.size, [found[field] / 1024], "MB")
    target = own.home / "status.json"
    own.inside("cli", str(target), *_question(data, 0))
    if peak := json.loads(target.read_text()).get("VmHWM"):
        results.add(WHO, "query memory: peak", data.size, [peak / 1024], "MB")


def _question(data: Dataset, number: int) -> list[str]:
    path = data.question(number)
    text = json.loads(path.read_bytes())["text"]
    return ["retrieve", text, "--embedding", f"@{path}", "-n", str(K)]


def check(own: Own, data: Dataset) -> None:
    """The question's own memory must be among the best, or nothing that follows means anything."""
    wanted = json.loads(data.question(0).read_bytes())["target"]
    arguments = [*command(), *_question(data, 0), "--json"]
    said = run(arguments, env=own.env, cwd=own.home).output
    if wanted not in [json.loads(line)["id"] for line in said.splitlines()]:
        raise Failed(f"thalamus did not find {wanted} at {data.size:,}")


def fresh(own: Own, data: Dataset) -> list[Row]:
    """What is typed in a shell: a process each time."""

    def show(number: int) -> float:
        return own.call("memory", "show", dataset.name_of(number * 7919 % data.size)).ms

    return [
        Row(WHO, "--version, fresh", lambda _: own.call("--version").ms),
        Row(WHO, "facts, fresh", lambda _: own.call("facts").ms),
        Row(WHO, "memory show, fresh", show),
        Row(WHO, "stats, fresh", lambda _: own.call("store", "stats").ms),
        Row(WHO, "report, fresh", lambda _: own.call("report", "-o", "-").ms),
        Row(WHO, "retrieve, fresh", lambda n: own.call(*_question(data, n)).ms),
        Row(WHO, "store, fresh", lambda n: own.call("store", stdin=data.one(n)).ms),
    ]


def warm(own: Own, data: Dataset, many: int, seconds: int, first: int, results: Results) -> None:
    """Calls within one process; records from the ``first`` of the further ones on are stored."""
    numbers = [str(n) for n in (many, seconds, first)]
    found = own.inside("calls", str(data.folder), *numbers)
    named = {"query": "retrieve", "insert": "store", "decide": "store, decided", "turn": "turn"}
    named |= {"first": "first token", "free": "free prompt"}
    for name, what in named.items():
        results.add(WHO, f"{what}, warm", data.size, found[name])


def screen(own: Own, data: Dataset, results: Results) -> None:
    """The full screen: its first frame, in fresh processes, and keys in its search field."""
    frames = [own.screen("frame")["frame"][0] for _ in range(FRAMES)]
    results.add(WHO, "ui, first frame", data.size, frames)
    found = own.screen("keys", str(data.folder))
    results.add(WHO, "ui, a key in the search field", data.size, found["shown"])
    results.add(WHO, "ui, what it finds", data.size, found["found"])


def unsigned(home: Path, data: Dataset, many: int, seconds: int, results: Results) -> None:
    """The same store without a key: what signing costs. Loaded with and without in turns."""
    speeds: dict[str, list[float]] = {"file": [], "none": []}
    for number in range(LOADS):
        for where, measured in speeds.items():
            own = Own(home / f"{where}-{number}")
            own.env |= {"THALAMUS_KEY_STORE": where} | NO_HNSW
            measured.append(data.size / own.load(data.records).seconds)
            if (where, number) != ("none", LOADS - 1):
                shutil.rmtree(own.home, ignore_errors=True)  # its indexes may still be written
    results.add(WHO, "load, in turns", data.size, speeds["file"], "records/s")
    results.add(WHO, "load, unsigned", data.size, speeds["none"], "records/s")
    numbers = [str(n) for n in (many, seconds, 2 * data.singles)]
    found = own.inside("calls", str(data.folder), *numbers)
    results.add(WHO, "store, warm, unsigned", data.size, found["insert"])


def encrypted(home: Path, data: Dataset, many: int, seconds: int, results: Results) -> list[Row]:
    """The same memories, of which every tenth is personal: what searching encrypted rows costs."""
    own = Own(home)
    own.env |= NO_HNSW
    marked = home / "marked.jsonl"
    with data.records.open("rb") as lines, marked.open("wb") as written:
        for number, line in enumerate(lines):
            beginning = b'{"sensitivity": "personal", ' if number % TENTH == 0 else b"{"
            written.write(line.replace(b"{", beginning, 1))
    done = own.load(marked)
    results.add(WHO, "load, a tenth encrypted", data.size, [data.size / done.seconds], "records/s")
    numbers = [str(n) for n in (many, seconds, 2 * data.singles)]
    found = own.inside("calls", str(data.folder), *numbers)
    for name, what in {"query": "retrieve", "decide": "store, decided", "turn": "turn"}.items():
        results.add(WHO, f"{what}, a tenth encrypted, warm", data.size, found[name])
    row = "retrieve, fresh, a tenth encrypted"
    return [Row(WHO, row, lambda n: own.call(*_question(data, n)).ms)]


def embedded(home: Path, data: Dataset, results: Results) -> list[Row]:
    """A store whose vectors the embedder of a fresh machine made itself: loading it, and a
    question with and without its vector. The rows are to be run in turns."""
    own = Own(home, "wordllama")
    own.env |= NO_HNSW
    done = own.load(data.plain)
    results.add(WHO, "load, embedding each", data.size, [data.size / done.seconds], "records/s")
    screen(own, data, results)
    questions = json.loads(data.questions.read_bytes())
    text = questions[0]["text"]
    vector = home / "question.json"
    vector.write_text(json.dumps(own.inside("embed", text)))
    asked: Sequence[str] = ("retrieve", text, "-n", str(K))
    given = (*asked, "--embedding", f"@{vector}")
    return [
        Row(WHO, "retrieve, fresh, embedded here", lambda _: own.call(*asked).ms),
        Row(WHO, "retrieve, fresh, same vector given", lambda _: own.call(*given).ms),
    ]


def isotropic(home: Path, data: Dataset, questions: int, results: Results) -> None:
    """Recall where vectors have no structure that an approximation could use."""
    numbers = [str(n) for n in (data.size, data.dimension, questions)]
    found = Own(home).inside("isotropic", *numbers)["recall"]
    results.add(WHO, "recall@10, isotropic", data.size, found, "share")
