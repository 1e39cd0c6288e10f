"""The benchmark: what storing and recalling cost from a thousand memories to a million.

    python bench/run.py [--sizes 1000,10000,100000] [--peers sqlite-vec,chromadb,mem0,llm]
    python bench/run.py --sizes 1000,10000,100000,1000000 --write-docs

Thalamus, the bare engines and other memories are measured in turns in one run, so that ratios mean
something. Writes table.md, results.json (every timing) and plot.png to the output folder.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

import dataset
import own
from plot import draw
from processes import Failed
from report import BUSY, about, tables, write_docs
from results import Results
from rivals import PEERS, Field
from rounds import interleave, say

BENCH = Path(__file__).parent
PAGE = BENCH / "performance.md"
PASSES = 2  # over everything that is measured warm


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--sizes", type=_sizes, default=[1_000, 10_000, 100_000], help="numbers of memories")
    add("--dimension", type=int, default=384, help="of the vectors (default 384)")
    add("--peers", type=_peers, default=list(PEERS), help="any of them, or none (default: all)")
    add("--peer-python", default=sys.executable, help="the Python that has the peers installed")
    add("--peer-seconds", type=float, default=240, help="how long one peer may load")
    add("--rounds", type=int, default=15, help="fresh processes per row (default 15)")
    add("--questions", type=int, default=200, help="warm calls per pass, and for the recall")
    add("--seconds", type=int, default=10, help="how long one warm row may take per pass")
    add("--embed-limit", type=int, default=100_000, help="largest size embedded for real")
    add("--isotropic-limit", type=int, default=100_000, help="largest size of the noise")
    add("--out", type=Path, default=BENCH / "out", help="folder of the output")
    add("--keep", action="store_true", help="leave the stores in the output folder")
    add("--write-docs", action="store_true", help="put the tables into bench/performance.md")
    add("--only-report", action="store_true", help="measure nothing: tables of the last run")
    given = parser.parse_args()
    needed = 2 * (given.rounds + 1) + 2 * PASSES * given.questions
    if needed > dataset.EXTRA:
        parser.error(f"--rounds and --questions need {needed} further records, not {dataset.EXTRA}")
    return given


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # users have the compiled modules
    given = options()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.only_report:
        results = Results.read(given.out / "results.json")
    else:
        results = Results(about({name: str(value) for name, value in vars(given).items()}))
        if results.about["load"] > BUSY:
            say(f"the machine is not idle: load average {results.about['load']}")
        measure(given, results)
    text = tables(results)
    (given.out / "table.md").write_text(text)
    if not draw(results, given.out / "plot.png"):
        say("no plot: matplotlib is not installed")
    if given.write_docs:
        write_docs(PAGE, text)
    print(text)


def measure(given: argparse.Namespace, results: Results) -> None:
    """All sizes; what has been measured is saved after each."""
    field = Field(given.peers, given.peer_python, given.peer_seconds, results)
    for size in given.sizes:
        say(f"{size:,} memories: preparing the data")
        data = dataset.prepare(
            given.out / "data", size, given.dimension, given.questions, given.rounds + 1
        )
        work = Path(tempfile.mkdtemp(prefix=f"stores-{size}-", dir=given.out))
        try:
            one_size(given, data, work, field, results)
        except Failed as error:
            say(f"  given up: {error}")
            sys.exit(1)
        finally:
            results.about["load at the end"] = round(os.getloadavg()[0], 1)
            results.save(given.out / "results.json")
            if not given.keep:
                shutil.rmtree(work, ignore_errors=True)


def one_size(
    given: argparse.Namespace,
    data: dataset.Dataset,
    work: Path,
    field: Field,
    results: Results,
) -> None:
    """Loads everything, then measures in turns."""
    say("  loading thalamus")
    store = own.Own(work / "thalamus")
    own.load(store, data, results)
    say("  HNSW index")
    own.hnsw(store, data, results)
    say("  recall")
    own.quality(store, data, results)
    own.check(store, data)
    folders = field.load(work, data)
    field.check(folders, data)
    say("  fresh processes")
    interleave(
        [*field.fresh(folders, data), *own.fresh(store, data)], given.rounds, data.size, results
    )
    first = 2 * data.singles
    for number in range(PASSES):
        say(f"  warm, pass {number + 1}")
        own.warm(store, data, given.questions, given.seconds, first, results)
        field.warm(folders, data, given.questions, given.seconds, first)
        first += 2 * given.questions
    if data.size <= given.embed_limit:
        say("  without a key")
        own.unsigned(work / "unsigned", data, given.questions, given.seconds, results)
        say("  with a tenth encrypted")
        measured = (work / "encrypted", data, given.questions, given.seconds, results)
        interleave(own.encrypted(*measured), given.rounds, data.size, results)
        say("  with the embedder")
        rows = own.embedded(work / "embedded", data, results)
        interleave(rows, given.rounds, data.size, results)
    if data.size <= given.isotropic_limit:
        say("  recall over noise")
        own.isotropic(work / "isotropic", data, given.questions, results)


def _sizes(text: str) -> list[int]:
    return sorted(int(part.replace("_", "")) for part in text.split(","))


def _peers(text: str) -> list[str]:
    chosen = [] if text in ("", "none") else text.split(",")
    unknown = [name for name in chosen if name not in PEERS]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"invalid peer {unknown[0]!r} (choose from {', '.join(PEERS)})"
        )
    return chosen


if __name__ == "__main__":
    main()
