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
    found = run("retrieve", "--json", "When do herons come to the pond?", "-n", "1").records[0]
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


def test_a_folder_among_files_stops_nothing(run: Run, folder: Path) -> None:
    done = run("ingest", "--no-summary", *map(str, sorted(folder.iterdir())))
    assert done.code == 1
    assert "ingested" in done.stdout and "notes.md" in done.stdout
    assert "it is a directory" in done.stdout + done.stderr
    assert "pear tree" in run("retrieve", "Where is the pear tree?").stdout
    alone = run("ingest", "--no-summary", str(folder / "deep"))
    assert alone.code == 2 and "--recursive" in alone.stderr


def test_a_folder_of_all_that_is_read_by_name(run: Run, tmp_path: Path) -> None:
    made = tmp_path / "all"
    made.mkdir()
    (made / "page.html").write_text(
        "<html><head><title>P</title></head><body><p>The moth sanctuary opens in June and has a"
        " small shop.</p></body></html>"
    )
    (made / "list.csv").write_text("moth,room\nemperor,12\n")
    (made / "run.log").write_text("moth trap emptied\n")
    (made / "a.eml").write_text("From: a@b.example\nSubject: Moths\n\nThe moth key is =3D here.\n")
    (made / "book.ipynb").write_text('{"cells":[{"cell_type":"markdown","source":"# Moth book"}]}')
    for name in ("code.py", "more.py", "image.png", "Makefile"):
        (made / name).write_bytes(b"x = 1\n")
    done = run("ingest", "--no-summary", "--recursive", "--json", str(made))
    read = {Path(record["path"]).name: record["status"] for record in done.records}
    assert read == dict.fromkeys(
        ("page.html", "list.csv", "run.log", "a.eml", "book.ipynb"), "ingested"
    )
    assert "4 files were passed over (.py 2" in done.stderr, done.stderr
    assert done.code == 0


def test_front_matter_that_cannot_be_read_is_reported(run: Run, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("---\ntitle: Harbour\ndate: 3rd of May 2021\n---\n\nThe harbour is closed.\n")
    done = run("ingest", "--no-summary", str(note))
    assert done.code == 0 and "3rd of May 2021" in done.stderr
    assert "3rd of May" not in run("retrieve", "Is the harbour closed?").stdout


@pytest.mark.parametrize("date", ["2099-05-04", "2026-06-20"])
def test_a_date_in_the_future_is_none(run: Run, tmp_path: Path, date: str) -> None:
    note = tmp_path / "note.md"
    note.write_text(f"---\ndate: {date}\n---\n\nThe harbour is closed.\n")
    os.utime(note, (1_700_000_000, 1_700_000_000))
    run("ingest", "--no-summary", str(note))
    (tmp_path / "late.md").write_text("The quay is closed.\n")
    os.utime(tmp_path / "late.md", (4_000_000_000, 4_000_000_000))
    run("ingest", "--no-summary", str(tmp_path / "late.md"))
    shown = run("retrieve", "Is the harbour closed?").stdout
    assert "2023-11-14" in shown and date not in shown
    assert "2026-05-08" in run("retrieve", "Is the quay closed?", "-n", "1").stdout
