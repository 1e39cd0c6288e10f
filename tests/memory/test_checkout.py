"""Checkouts: the root, remote and branch of a directory, and one spelling for each remote."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thalamus.memory.user.checkout import canonical, checkout_of, name_of

HERON = "https://example.org/ana/heron"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/ana/heron",
        "https://Example.org/ana/heron.git",
        "https://ana:secret@example.org/ana/heron/",
        "git@example.org:ana/heron.git",
        "example.org:ana/heron",
        "ssh://git@example.org/ana/heron.git",
        "git://example.org/ana/heron",
    ],
)
def test_one_remote_has_one_address(url: str) -> None:
    assert canonical(url) == HERON and name_of(canonical(url)) == "heron"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("/srv/git/heron.git", "/srv/git/heron.git"),
        ("file:///srv/git/heron", "/srv/git/heron"),
        ("../heron", "../heron"),
        ("C:\\work\\heron", "C:\\work\\heron"),
    ],
)
def test_a_path_stays_a_path(url: str, address: str) -> None:
    assert canonical(url) == address and name_of(address) == "heron"


@given(st.text(max_size=40))
@example("0[:0")
@example("https://[x/heron")
def test_any_text_has_an_address_that_stays(text: str) -> None:
    once = canonical(text)
    assert canonical(once) == once or "@" in once or ":" in text


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "heron"
    commands = (
        ["init", "-q", "-b", "trunk", str(root)],
        ["-C", str(root), "remote", "add", "other", "https://example.org/bo/heron"],
        ["-C", str(root), "remote", "add", "origin", "git@example.org:ana/heron.git"],
    )
    for command in commands:
        subprocess.run(["git", *command], check=True)
    return root


def test_a_directory_in_a_repository(repository: Path) -> None:
    inner = repository / "src" / "deep"
    inner.mkdir(parents=True)
    found = checkout_of(inner)
    assert found is not None
    assert (found.root, found.remote, found.branch) == (str(repository.resolve()), HERON, "trunk")


def test_a_worktree_is_of_the_same_repository(repository: Path, tmp_path: Path) -> None:
    who = ["-c", "user.name=Ana", "-c", "user.email=a@example.org"]
    git = ["git", "-C", str(repository), *who]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Begin"], check=True)
    tree = tmp_path / "elsewhere"
    subprocess.run([*git, "worktree", "add", "-q", "-b", "side", str(tree)], check=True)
    found = checkout_of(tree)
    assert found is not None and (found.remote, found.branch) == (HERON, "side")


def test_without_a_remote_it_is_the_directory(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path / "heron")], check=True)
    found = checkout_of(tmp_path / "heron")
    assert found is not None and found.address == str((tmp_path / "heron").resolve())
    assert found.name == "heron"


def test_damaged_files_of_git_are_no_error(tmp_path: Path) -> None:
    assert checkout_of(tmp_path / "none") is None
    git = tmp_path / "heron" / ".git"
    git.mkdir(parents=True)
    (git / "config").write_bytes(b'\xff[remote "origin"\nurl =\n\turl = \n')
    (git / "HEAD").write_bytes(b"\x00" * 50)
    found = checkout_of(tmp_path / "heron")
    assert found is not None and (found.remote, found.branch) == (None, None)
