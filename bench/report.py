"""The tables of a run, in Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any

from goals import judge, words
from results import OWN as WHO
from results import Measurement, Results

BUSY = 1.0  # load average of a two-core machine at which another process has a core to itself
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Bulk load, records a second",
        (
            "load",
            "load, in turns",
            "load, unsigned",
            "load, a tenth encrypted",
            "load, embedding each",
        ),
    ),
    (
        "One durable store, milliseconds",
        (
            *("store, fresh", "store, warm", "store, decided, warm", "store, warm, unsigned"),
            "store, decided, a tenth encrypted, warm",
        ),
    ),
    (
        "One question, milliseconds",
        (
            "retrieve, fresh",
            "retrieve, warm",
            "retrieve, fresh, a tenth encrypted",
            "retrieve, a tenth encrypted, warm",
            "retrieve, fresh, embedded here",
            "retrieve, fresh, same vector given",
        ),
    ),
    (
        "Starting, and a turn, milliseconds",
        (
            *("start", "--version, fresh", "facts, fresh", "memory show, fresh", "turn, warm"),
            "turn, a tenth encrypted, warm",
        ),
    ),
    ("Chatting, milliseconds", ("first token, warm", "free prompt, warm")),
    (
        "The full screen, milliseconds",
        ("ui, first frame", "ui, a key in the search field", "ui, what it finds"),
    ),
    ("What there is, milliseconds", ("stats, fresh", "report, fresh")),
    ("The HNSW index of a large store", ("HNSW index, built in the background, s",)),
    ("Recall of the vector search", ("recall@10, clustered", "recall@10, isotropic")),
    (
        "Memory and disk, MB",
        (
            *(f"load memory: {part}" for part in ("peak", "private, early", "private, late")),
            *(f"query memory: {part}" for part in ("peak", "private", "mapped")),
            *(f"query memory: {part}, warm" for part in ("private", "mapped")),
        ),
    ),
)


def about(options: dict[str, Any]) -> dict[str, Any]:
    """When, on what and with which versions the run is made."""
    packages = "thalamus-recall numpy usearch tantivy sqlite-vec chromadb mem0ai llm".split()
    return {
        "date": date.today().isoformat(),
        "machine": machine(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
        "versions": {name: found for name in packages if (found := _version(name))},
        "options": options,
    }


def machine() -> str:
    """The machine in words."""
    cpu, flags = platform.processor() or platform.machine(), ""
    info = Path("/proc/cpuinfo")
    if info.exists():
        fields = dict(
            (part.strip() for part in line.split(":", 1))
            for line in info.read_text().splitlines()
            if ":" in line
        )
        cpu, flags = fields.get("model name", cpu), fields.get("flags", "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    avx = " with AVX-512" if "avx512f" in flags else ""
    return f"{os.cpu_count()} cores of {cpu}{avx}, {memory:.0f} GB of memory, {platform.system()}"


def tables(results: Results) -> str:
    """Goals first, then every section, then the versions."""
    told = results.about
    lines = [
        f"Measured on {told['date']}: {told['machine']}, Python {told['python']}; load average when"
        f" it began {told['load']}, when it ended {told.get('load at the end', '–')}.",
        "",
    ]
    if told["load"] > BUSY:
        lines += ["**The machine was busy with other work:** no figure here is a verdict.", ""]
    lines += ["| what | goal | measured | |", "|---|---|---|---|"]
    lines += [f"| {g.what} | {g.goal} | {g.measured} | {g.verdict} |" for g in judge(results)]
    for title, rows in SECTIONS:
        disk = _disk_rows(results) if title.startswith("Memory") else []
        found = list(_section(results, (*rows, *disk)))
        if found:
            heads = [words(size) for size in results.sizes]
            lines += ["", f"**{title}**", "", f"| what | who | {' | '.join(heads)} |"]
            lines += ["|---|---|" + "---:|" * len(heads), *found]
    versions = ", ".join(f"{name} {number}" for name, number in told["versions"].items())
    used = told["options"]
    asked = (
        f"{used['rounds']} rounds of fresh processes, {used['questions']} warm calls per pass of at"
        f" most {used['seconds']} s, {used['peer_seconds']} s for a peer to load"
    )
    return "\n".join([*lines, "", f"Options: {asked}. Versions: {versions}.", ""])


def write_docs(path: Path, text: str) -> None:
    """Puts the tables between the two markers of a page. Raises ``ValueError`` without them."""
    before, begin, rest = path.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path} does not hold {BEGIN} and {END}")
    path.write_text(f"{before}{BEGIN}\n{text}{END}{after}")


def _section(results: Results, rows: tuple[str, ...]) -> Iterator[str]:
    for what in rows:
        for who in results.people(what):
            cells = [_cell(results.get(who, what, size)) for size in results.sizes]
            name = f"**{who}**" if who == WHO else who
            yield f"| {what} | {name} | {' | '.join(cells)} |"


def _cell(row: Measurement | None) -> str:
    if row is None:
        return "–"
    if not row.values:
        return row.note or "–"
    if row.unit == "share":
        figure = f"{sum(row.values) / len(row.values):.4f}"
    elif row.unit == "records/s":
        figure = f"{row.p50:,.0f}"
    elif row.unit == "MB":
        figure = f"{row.p50:,.0f}" if row.p50 >= 10 else f"{row.p50:.1f}"
    elif len(row.values) == 1:
        figure = _ms(row.p50)
    else:
        figure = f"{_ms(row.p50)} / {_ms(row.p95)}"
    return f"{figure} ({row.note})" if row.note else figure


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _disk_rows(results: Results) -> list[str]:
    """The parts that there are on disk, the sum last."""
    kinds = {what for what in results.rows if what.startswith("disk: ")}
    return sorted(kinds, key=lambda what: (what == "disk: in all", what))


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
