"""A file that changed: the new version takes the place of the old one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus

Run = Callable[..., Result]
QUESTION = "When does the bakery open?"


def opens(hour: str) -> str:
    return f"# Bakery\n\nThe bakery opens at {hour} and sells rye bread.\n"


def read(thalamus: Thalamus, path: Path, hour: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(opens(hour))
    return thalamus.ingest(path, summary=False).status


def recalled(thalamus: Thalamus) -> list[str]:
    hours = ("six", "seven", "eight", "nine")
    found = " ".join(item.text for item in thalamus.recall(QUESTION))
    return [hour for hour in hours if f"at {hour}" in found]


def test_the_new_text_takes_the_place_of_the_old(thalamus: Thalamus, tmp_path: Path) -> None:
    plan = tmp_path / "bakery.md"
    assert read(thalamus, plan, "six") == read(thalamus, plan, "seven") == "ingested"
    assert recalled(thalamus) == ["seven"]
    assert "seven" in (thalamus.turn(QUESTION).answer or "")
    assert [document.path for document in thalamus.memories.documents()] == [str(plan)]


def test_the_old_version_comes_back_with_the_file_and_with_undo(
    thalamus: Thalamus, tmp_path: Path
) -> None:
    plan = tmp_path / "bakery.md"
    for hour in ("six", "seven"):
        read(thalamus, plan, hour)
    thalamus.undo()
    assert recalled(thalamus) == ["six"]
    assert len(thalamus.memories.documents()) == 1
    assert read(thalamus, plan, "seven") == "ingested"
    assert read(thalamus, plan, "six") == "unchanged"
    assert recalled(thalamus) == ["six"]
    thalamus.undo()
    assert recalled(thalamus) == ["seven"]


def test_another_file_of_the_same_name_stays(thalamus: Thalamus, tmp_path: Path) -> None:
    read(thalamus, tmp_path / "north" / "bakery.md", "six")
    read(thalamus, tmp_path / "south" / "bakery.md", "seven")
    assert recalled(thalamus) == ["six", "seven"]


def test_the_same_file_by_another_path(
    thalamus: Thalamus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tmp_path / "north" / "bakery.md"
    read(thalamus, plan, "six")
    plan.write_text(opens("seven"))
    monkeypatch.chdir(tmp_path / "north")
    thalamus.ingest(Path("bakery.md"), summary=False)
    assert recalled(thalamus) == ["seven"]
    (tmp_path / "link.md").symlink_to(plan)
    plan.write_text(opens("eight"))
    thalamus.ingest(tmp_path / "north" / ".." / "link.md", summary=False)
    assert recalled(thalamus) == ["eight"]


def test_a_renamed_file_is_unchanged_and_then_changes(thalamus: Thalamus, tmp_path: Path) -> None:
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    read(thalamus, old, "six")
    old.rename(new)
    assert thalamus.ingest(new, summary=False).status == "unchanged"
    assert recalled(thalamus) == ["six"]
    read(thalamus, new, "seven")
    assert recalled(thalamus) == ["seven"]


def test_a_copy_keeps_the_text_that_the_first_file_lost(thalamus: Thalamus, tmp_path: Path) -> None:
    first, copy = tmp_path / "first.md", tmp_path / "copy.md"
    read(thalamus, first, "six")
    assert read(thalamus, copy, "six") == "unchanged"
    read(thalamus, first, "seven")
    thalamus.ingest(copy, summary=False)
    assert recalled(thalamus) == ["six", "seven"]


def test_what_is_piped_in_under_a_name(run: Run) -> None:
    for hour in ("six", "seven"):
        named = run("ingest", "-", "--name", "bakery", "--no-summary", input=opens(hour))
        assert named.code == 0, named.stderr
    shown = run("retrieve", QUESTION).stdout
    assert "at seven" in shown and "at six" not in shown
    for hour in ("eight", "nine"):
        run("ingest", "-", "--no-summary", input=opens(hour))
    shown = run("retrieve", QUESTION).stdout
    assert all(f"at {hour}" in shown for hour in ("seven", "eight", "nine"))
    refused = run("ingest", "a.md", "--name", "bakery")
    assert refused.code == 2 and "--name" in refused.stderr


def test_a_summary_of_the_old_version_is_not_recalled(thalamus: Thalamus, tmp_path: Path) -> None:
    plan = tmp_path / "bakery.md"
    plan.write_text(opens("six"))
    assert thalamus.ingest(plan).summary
    plan.write_text(opens("seven"))
    assert thalamus.ingest(plan).summary
    assert recalled(thalamus) == ["seven"]


def test_each_user_has_versions_of_their_own(home: Path, tmp_path: Path) -> None:
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    plan = tmp_path / "bakery.md"
    for user, hour in (("ana", "six"), ("ben", "seven")):
        with Thalamus(**settings, user=user) as thalamus:
            read(thalamus, plan, hour)
    for user, hour in (("ana", "six"), ("ben", "seven")):
        with Thalamus(**settings, user=user) as thalamus:
            assert recalled(thalamus) == [hour]


def test_a_folder_every_night(run: Run, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for hour in ("six", "seven", "eight"):
        (notes / "bakery.md").write_text(opens(hour))
        os.utime(notes / "bakery.md", (1_700_000_000, 1_700_000_000))  # an editor may keep it
        assert run("ingest", "--recursive", "--no-summary", str(notes)).code == 0
    shown = run("retrieve", QUESTION).stdout
    assert "at eight" in shown and "at six" not in shown and "at seven" not in shown
    assert "ingest" in run("undo", "--list").stdout
