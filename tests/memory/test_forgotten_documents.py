"""Files that were changed after something in them was forgotten."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.memory.forget.erase import ForgetOptions

Run = Callable[..., Result]
SECRET = "Vexomir keeps the spare key under the third pot."
HENS = "The hens laid {} eggs this week, more than ever."


def write(path: Path, eggs: int, secret: str = SECRET) -> Path:
    path.write_text(f"# Farm\n\n{HENS.format(eggs)}\n\n# People\n\n{secret}\n")
    return path


def contents(thalamus: Thalamus) -> str:
    return " ".join(one.content for one in thalamus.memories.find(limit=50))


def test_a_forgotten_sentence_stays_out_of_a_changed_file(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "farm.md", 41)
    run("ingest", "--no-summary", str(path))
    assert run("forget", "--query", "Vexomir", "--yes").code == 0
    # wrapped in another way, next to something else; the heading was part of the chunk
    write(path, 42, "Say hello.\n" + SECRET.replace("spare ", "spare\n"))
    again = run("ingest", "--no-summary", str(path))
    assert again.code == 0 and "ingested" in again.stdout
    assert "2 sentences were forgotten before and left out" in again.stderr
    assert "42 eggs" in run("export").stdout and "Vexomir" not in run("export").stdout
    assert "unchanged" in run("ingest", str(path)).stdout
    # all of it, on request; it is stored again then, and stays so
    more = run("ingest", "--no-summary", "--include-forgotten", str(path))
    assert "ingested" in more.stdout and run("export").stdout.count("Vexomir") == 1
    assert "unchanged" in run("ingest", "--include-forgotten", str(path)).stdout
    assert "unchanged" in run("ingest", str(path)).stdout
    write(path, 43)
    assert not run("ingest", "--no-summary", str(path)).stderr
    assert "Vexomir" in run("retrieve", "Where is the spare key?").stdout


def test_a_line_of_a_list_stays_out(thalamus: Thalamus, tmp_path: Path) -> None:
    path = tmp_path / "list.md"
    path.write_text("- Vexomir owes nine pounds\n- visitors on Sunday: 41\n")
    thalamus.ingest(path, summary=False)
    thalamus.forget(ForgetOptions(query="Vexomir"))
    path.write_text("- Vexomir owes nine pounds\n- visitors on Sunday: 42\n")
    document = thalamus.ingest(path, summary=False)
    assert [issue.code for issue in document.issues] == ["forgotten"]
    stored = [one for one in thalamus.store.export() if "Vexomir" in str(one)]
    assert not stored and document.chunks == 1


@pytest.mark.parametrize("other", ["ben", None])
def test_a_document_of_which_nothing_is_left(run: Run, tmp_path: Path, other: str | None) -> None:
    path = tmp_path / "vexomir.txt"
    path.write_text(SECRET)
    run("ingest", "--no-summary", "--user", "ana", str(path))
    assert run("forget", "--query", "Vexomir", "--user", "ana", "--yes").code == 0
    again = run("ingest", "--no-summary", "--user", "ana", str(path))
    assert again.code == 1 and "everything in it was forgotten" in again.stdout
    assert "spare key" not in run("export").stdout
    theirs = run("ingest", "--no-summary", *(("--user", other) if other else ()), str(path))
    assert theirs.code == 0 and not theirs.stderr
    said = run("turn", "--user", "ana", SECRET)  # what the user says again is stored
    assert said.code == 0 and SECRET in run("export", "--user", "ana").stdout
