"""Which reader takes a file, and which files a folder holds."""

import os
import sys
from pathlib import Path

import pytest

from tests.readers.test_pdf import make_pdf, says
from thalamus.errors import DocumentError, UsageError
from thalamus.readers.detect import MAX_BYTES, read_bytes, read_document, walk

pytestmark = pytest.mark.storeless


def kind_of(path: Path) -> str:
    with pytest.raises(DocumentError) as caught:
        read_document(path)
    return caught.value.kind


@pytest.mark.parametrize(
    ("name", "data", "wanted"),
    [
        ("a.pdf", make_pdf(says("Hi.")), "pdf"),
        ("a.bin", make_pdf(says("Hi.")), "pdf"),
        ("mail", b"Some lines first\r\n\r\n" + make_pdf(says("Hi.")), "pdf"),
        ("about.txt", b"A file begins with %PDF-1.5 when", "text"),
        ("a.md", b"# Hi.", "markdown"),
        ("a.MARKDOWN", b"# Hi.", "markdown"),
        ("a.py", b"print()", "text"),
        ("README", b"Hi.", "text"),
    ],
)
def test_format_by_content_and_suffix(tmp_path, name, data, wanted):
    (tmp_path / name).write_bytes(data)
    assert read_document(tmp_path / name).format == wanted
    assert read_bytes(data, name).format == wanted


def test_what_cannot_be_read_says_why(tmp_path):
    (tmp_path / "zip.docx").write_bytes(b"PK\x03\x04\0\0")
    (tmp_path / "text.pdf").write_bytes(b"<html>not found</html>")
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "folder.pdf").mkdir()
    os.mkfifo(tmp_path / "pipe.txt")
    assert kind_of(tmp_path / "zip.docx") == "unsupported"
    assert kind_of(tmp_path / "text.pdf") == "broken"
    assert kind_of(tmp_path / "empty.txt") == "no_text"
    assert kind_of(tmp_path / "folder.pdf") == "unreadable"
    assert kind_of(tmp_path / "pipe.txt") == "unreadable"
    assert kind_of(tmp_path / "none.txt") == "missing"
    assert kind_of(tmp_path / "a\0b") == "unreadable"


def test_files_that_are_too_large_are_not_read(tmp_path):
    with (tmp_path / "huge.txt").open("wb") as file:
        file.truncate(MAX_BYTES["text"] + 1)
    assert kind_of(tmp_path / "huge.txt") == "too_large"


def tree(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")


def test_walk_is_sorted_and_leaves_out_what_is_hidden(tmp_path):
    tree(tmp_path, "b.md", "a/z.txt", "a/c.PDF", "a/x.png", ".git/h.txt", "a/.h.md", "c/d/e.rst")
    found = [path.relative_to(tmp_path).as_posix() for path in walk([tmp_path], recursive=True)]
    assert found == ["a/c.PDF", "a/z.txt", "b.md", "c/d/e.rst"]


def test_walk_takes_named_files_as_they_come_and_each_once(tmp_path):
    tree(tmp_path, "a.md", ".hidden", "x.png")
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    names = ["x.png", ".hidden", "none.txt", "a.md"]
    given = [tmp_path / name for name in names]
    assert walk([*given, tmp_path], recursive=True) == given


def test_walk_survives_loops_of_links(tmp_path):
    tree(tmp_path, "a/b.md")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "self.md").symlink_to(tmp_path / "self.md")
    assert walk([tmp_path], recursive=True) == [tmp_path / "a/b.md", tmp_path / "self.md"]
    assert kind_of(tmp_path / "self.md") == "unreadable"


def test_a_folder_needs_recursive(tmp_path):
    with pytest.raises(UsageError) as caught:
        walk([tmp_path], recursive=False)
    assert "--recursive" in caught.value.advice


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read all")
def test_a_folder_that_cannot_be_listed_is_reported(tmp_path):
    (tmp_path / "shut").mkdir(mode=0)
    assert walk([tmp_path], recursive=True) == [tmp_path / "shut"]
    assert kind_of(tmp_path / "shut") == "unreadable"
