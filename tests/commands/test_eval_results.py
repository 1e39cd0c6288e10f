"""`thalamus eval retrieval --out`: results, resuming, and what is never mixed."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.evaluating import lines, many, plain, talk
from tests.conftest import Result
from tests.forked import Process, python

Measure = Callable[..., dict[str, Any]]
File = Callable[..., str]
Run = Callable[..., Result]


def test_results_are_lines(file: File, run: Run, measure: Measure, tmp_path: Path) -> None:
    measure(file([talk()]), "--format", "locomo", "-k", "2", "--output", "r.jsonl")
    header, *results = map(json.loads, (tmp_path / "r.jsonl").read_text().splitlines())
    assert (header["record"], header["k"], header["scores"]) == ("evaluation", [2], {})
    assert results[0].pop("ms") >= 0
    assert len(results[0].pop("ranked")) == 2
    assert results[0] == {
        "record": "evaluation_result",
        "v": 1,
        "id": "talk:1",
        "type": "single-hop",
        "question": "Where does the otter sleep?",
        "gold": ["D1:1"],
    }


def test_a_stopped_run_is_continued(
    file: File, run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    options = ["eval", "retrieval", file([many()]), "--format", "locomo", "--json", "--output"]
    whole = run(*options, "whole.jsonl").records[0]
    for how in (signal.SIGKILL, signal.SIGINT):
        part = tmp_path / f"{how.name}.jsonl"
        process = Process(
            [*python(), "-m", "thalamus", *options, str(part)],
            env=environment | {"TMPDIR": str(tmp_path)},  # SIGKILL leaves its store behind
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not part.exists() or part.read_bytes().count(b"\n") < 20:
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(how)
        code = process.wait()
        assert code == (130 if how == signal.SIGINT else -how)
        done = part.read_bytes().count(b"\n")
        assert done < 240, "it was stopped too late to show anything"
        again = run(*options, part.name).records[0]
        assert again["resumed"] >= 19
        assert part.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
        for name in ("scores", "types", "questions", "left_out"):
            assert again[name] == whole[name]


def test_a_torn_line_is_cut_off_and_a_torn_header_begins_anew(
    file: File, measure: Measure, tmp_path: Path
) -> None:
    out = tmp_path / "r.jsonl"
    options = [file([talk()]), "--format", "locomo", "--output", str(out)]
    measure(*options)
    whole = out.read_bytes()
    for cut in (1, 30, 700):
        out.write_bytes(whole[:-cut])
        again = measure(*options)
        assert out.read_bytes() == whole
        assert again["questions"] == 10
        assert 0 < again["resumed"] < 10
    for length in (0, 60):
        out.write_bytes(whole[:length])
        assert measure(*options)["resumed"] == 0
        assert out.read_bytes() == whole


def test_a_limit_is_lifted_later(file: File, measure: Measure, tmp_path: Path) -> None:
    options = [file([talk()]), "--format", "locomo", "--output", str(tmp_path / "r.jsonl")]
    assert measure(*options, "--limit", "4")["questions"] == 4
    assert (measure(*options)["questions"], measure(*options)["resumed"]) == (10, 10)


OTHER_SETTINGS = [
    (["-k", "7"], "another -k (5,10,20, not 7)"),
    (["--level", "session"], "another --level"),
    (["--embedder", "none"], "another --embedder"),
]


def test_results_of_other_settings_are_not_mixed(
    file: File, run: Run, measure: Measure, tmp_path: Path
) -> None:
    common = [file([talk()]), "--format", "locomo", "--output", str(tmp_path / "r.jsonl")]
    measure(*common)
    before = (tmp_path / "r.jsonl").read_bytes()
    for options, words in OTHER_SETTINGS:
        done = run("eval", "retrieval", *common, *options)
        assert done.code == 2
        assert words in done.stderr
        assert "delete" in done.stderr
    other = run("eval", "retrieval", file([many()], "other.json"), *common[1:])
    assert (other.code, "another file" in other.stderr) == (2, True)
    assert (tmp_path / "r.jsonl").read_bytes() == before


@pytest.mark.parametrize("content", ["my notes", "my notes\n", '{"record":"memory"}\n'])
def test_another_file_is_not_written_over(file: File, run: Run, content: str) -> None:
    notes = Path(file(content, "notes.txt"))
    done = run("eval", "retrieval", file(lines(plain())), "--output", str(notes))
    assert done.code == 2
    assert notes.read_text() == content
