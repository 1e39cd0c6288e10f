"""Damaged index files: noticed before native code reads them, and never a wrong answer."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.store.making import open_store
from tests.torture.conftest import Tell
from tests.torture.corrupt import prepare
from tests.torture.driver import Outcome, drive
from tests.torture.stores import fill, unhealthy, wrong

pytestmark = pytest.mark.sqlite  # of its files

SEED = 20


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``prepare`` made; it is not to be changed."""
    folder = tmp_path_factory.mktemp("prepared")
    prepare(folder)
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared, tmp_path / "folder"))


def damage(folder: Path, mode: str, cases: int, seed: int) -> Outcome:
    return drive("tests.torture.corrupt", [folder, seed, mode], cases)


def check(outcome: Outcome) -> None:
    assert outcome.failures == [], "\n".join(outcome.failures[:20])
    assert outcome.counts["right"] == outcome.cases


@pytest.mark.parametrize("mode", ["small", "large"])
def test_damage_is_never_a_wrong_answer(folder: Path, mode: str) -> None:
    check(damage(folder, mode, 12, SEED))


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize(("mode", "cases"), [("small", 1000), ("large", 500)])
def test_damage_at_length(folder: Path, mode: str, cases: int, tell: Tell) -> None:
    outcome = damage(folder, mode, cases, SEED + 1)
    tell(f"corruption, {mode} index", cases, SEED + 1, outcome)
    check(outcome)


def kept_promises(outcome: Outcome) -> None:
    """Above the size up to which every checksum is computed on opening, a bit that flips without
    a trace may go unnoticed by a search; the thorough check sees it and a rebuild mends it."""
    broken = [line for line in outcome.failures if "unnoticed by the search" not in line]
    assert broken == [], "\n".join(broken[:20])


def test_silent_damage_to_a_large_index_is_seen_by_the_thorough_check(folder: Path) -> None:
    kept_promises(damage(folder, "silent", 6, SEED))


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_silent_damage_at_length(folder: Path, tell: Tell) -> None:
    outcome = damage(folder, "silent", 300, SEED + 1)
    found = (
        f"{outcome.counts['right']} answers right, {outcome.counts['wrong']} not (all seen by"
        f" doctor), {outcome.counts['crash']} crash, {outcome.counts['hang']} hang"
    )
    tell("corruption without a trace, large index", 300, SEED + 1, found)
    kept_promises(outcome)


def test_damage_does_not_get_into_a_merged_segment(tmp_path: Path) -> None:
    """Damage without a trace in a segment that is then merged would come out of the merge with a
    good checksum, and no check would ever see it again."""
    store = open_store(tmp_path / "store")
    fill(store, [f"n{number}" for number in range(210)], 30)
    store.close()
    # in the column of keys: a merge copies it and has no reason to doubt it
    path = sorted((tmp_path / "store" / "index").rglob("*.fast"))[0]
    status, data = path.stat(), bytearray(path.read_bytes())
    data[2] ^= 8
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    store = open_store(tmp_path / "store", create=False)
    for number in range(10):  # the eighth segment makes tantivy merge them all
        fill(store, [f"more{number}"])
    assert not path.exists()
    assert wrong(store, ["n1", "n200", "more0"]) == []
    assert unhealthy(store) == []
    store.close()
