"""Files that are there completely or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from thalamus import files

pytestmark = pytest.mark.storeless


def test_a_file_is_replaced_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("old")
    with files.replacing(path, mode=files.PRIVATE, sync_folder=True) as out:
        out.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o600
    assert [item.name for item in tmp_path.iterdir()] == ["list"]


def test_a_block_that_raises_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("old")
    with pytest.raises(ValueError, match="half"), files.replacing(path) as out:
        out.write(b"ne")
        raise ValueError("half")
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["list"]


def test_what_is_written_by_its_name_is_replaced_too(tmp_path: Path) -> None:
    path, part = tmp_path / "copy", tmp_path / "copy.part"
    part.write_text("left by a process that was killed")
    with files.replacing_path(path, part=part) as written:
        assert written == part and written.read_bytes() == b""
        written.write_text("new")
    assert path.read_text() == "new" and not part.exists()


def test_of_several_processes_the_first_makes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "key"
    assert files.create(path, b"first", mode=files.PRIVATE)
    assert not files.create(path, b"second")
    assert path.read_bytes() == b"first" and path.stat().st_mode & 0o777 == 0o600
    assert [item.name for item in tmp_path.iterdir()] == ["key"]
