"""The benchmark runs and says what it should. Nothing here depends on how fast anything is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent / "bench" / "run.py"
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


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(BENCH), *arguments], capture_output=True, text=True, timeout=300
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
    again = bench("--only-report", "--out", str(tmp_path))
    assert again.stdout == done.stdout


def test_the_page_has_its_place_for_the_tables() -> None:
    page = (BENCH.parent.parent / "docs" / "performance.md").read_text()
    assert page.count("<!-- bench:begin -->") == page.count("<!-- bench:end -->") == 1


def test_a_peer_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    done = bench("--peers", "nobody", "--out", str(tmp_path))
    assert done.returncode == 2
    assert "invalid peer 'nobody' (choose from sqlite-vec, chromadb, mem0, llm)" in done.stderr
