"""`thalamus ingest`: documents into memory."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfWriter

from tests.conftest import Result

Run = Callable[..., Result]

NOTES = """# Garden

The pear tree stands by the wall. It was planted in 1998.

## Pond

Herons come to the pond at dawn.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "papers"
    (made / "deep").mkdir(parents=True)
    (made / "notes.md").write_text(NOTES)
    (made / "deep" / "letter.txt").write_text("Dear Ana, the roof leaks again.")
    (made / "broken.pdf").write_bytes(b"%PDF-1.4 nothing of the sort")
    locked = PdfWriter()
    locked.add_blank_page(100, 100)
    locked.encrypt("secret")
    buffer = io.BytesIO()
    locked.write(buffer)
    (made / "locked.pdf").write_bytes(buffer.getvalue())
    os.utime(made / "notes.md", (1_700_000_000, 1_700_000_000))
    return made


def test_a_folder_of_good_and_bad(run: Run, folder: Path) -> None:
    done = run("ingest", "--json", "--recursive", str(folder))
    assert done.code == 1
    outcome = {Path(r["path"]).name: (r["status"], r["kind"]) for r in done.records}
    assert outcome == {
        "notes.md": ("ingested", None),
        "letter.txt": ("ingested", None),
        "broken.pdf": ("failed", "broken"),
        "locked.pdf": ("failed", "encrypted"),
    }
    assert all(r["reason"] for r in done.records if r["status"] == "failed")


def test_chunks_remember_their_place(run: Run, folder: Path) -> None:
    result = run("ingest", "--json", "--no-summary", str(folder / "notes.md")).records[0]
    assert (result["title"], result["summary"]) == ("Garden", None)
    found = run("retrieve", "--json", "When do herons come to the pond?", "-k", "1").records[0]
    place = found["provenance"]
    assert found["kind"] == "document"
    assert found["trust"] < 1
    assert found["at"] == "2023-11-14T22:13:20Z"  # the file's own date, not that of the import
    assert place["document"] == result["id"]
    assert place["heading"] == "Garden > Pond"
    assert NOTES[place["offset"] :].startswith(found["text"])


def test_the_same_bytes_are_ingested_once(run: Run, folder: Path) -> None:
    first = run("ingest", "--json", str(folder / "notes.md")).records[0]
    copy = folder / "copy.md"
    copy.write_text(NOTES)
    again = run("ingest", "--json", str(copy)).records[0]
    assert (again["status"], again["id"]) == ("unchanged", first["id"])
    assert run("ingest", str(copy)).stdout.startswith("unchanged")


def test_the_summary_is_asked_of_the_model_and_remembered(run: Run, folder: Path) -> None:
    result = run("ingest", "--json", str(folder / "deep" / "letter.txt")).records[0]
    assert "roof leaks" in result["summary"]
    kinds = [r["type"] for r in run("retrieve", "--json", "roof", "--mode", "document").records]
    assert set(kinds) == {"document_chunk", "document_summary"}


def test_a_summary_that_is_made_up_is_refused(run: Run, folder: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("[{role: summary, reply: {summary: A treatise by Newton., topic: physics}}]")
    done = run("ingest", "--json", str(folder / "notes.md"), "--model", f"scripted:{script}")
    result = done.records[0]
    assert result["summary"] is None
    assert [issue["code"] for issue in result["issues"]] == ["ungrounded"]
    assert "Newton" in done.stderr


def test_without_a_model_documents_are_stored_all_the_same(run: Run, folder: Path) -> None:
    files = [str(folder / "notes.md"), str(folder / "deep" / "letter.txt")]
    done = run("ingest", "--json", *files, "--model", "llamacpp:/nowhere.gguf")
    assert done.code == 0
    assert [r["status"] for r in done.records] == ["ingested", "ingested"]
    assert done.stderr.count("/nowhere.gguf") <= 2  # said once, not for every file


def test_standard_input(run: Run) -> None:
    done = run("ingest", "-", "--no-summary", "--json", input="The lighthouse is red.")
    assert done.records[0]["status"] == "ingested"
    assert run("retrieve", "--json", "lighthouse").records[0]["text"] == "The lighthouse is red."


def test_exit_status_when_all_fail(run: Run, folder: Path) -> None:
    assert run("ingest", str(folder / "broken.pdf"), str(folder / "nowhere.md")).code == 1
    assert run("ingest", str(folder)).code == 2  # a folder needs --recursive


def test_an_address_of_another_kind_is_no_file(run: Run) -> None:
    done = run("ingest", "ftp://figs.example/a")
    assert done.code == 2 and "An address begins with https:// or http://." in done.stderr
