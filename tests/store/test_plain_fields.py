"""What stays plain is what the manual says: fields of encrypted records, and sentences in which no
rule finds anything."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.marked import MARK, marked
from thalamus.api import Thalamus
from thalamus.policy.sensitivity import personal
from thalamus.records import Turn
from thalamus.records.kinds import Kind, kinds

MANUAL = (Path(__file__).parents[2] / "docs" / "keys.md").read_text()
FIELDS, _, SENTENCES = MANUAL.split("### What stays plain")[1].split("\n## ")[0].partition("\n\n|")
ROWS = {
    row[0]: set(re.findall("`([a-z_]+)`", row[1]))
    for row in re.findall(r"^\| `?([a-z_ ]+)`? \| (.*) \|$", FIELDS + SENTENCES, re.MULTILINE)
}
NAMES = {kind.name: kind for kind in kinds()}


def plain_fields(home: Path, kind: Kind) -> set[str]:
    """Names of the texts of a personal record that stand in the tables as they are."""
    given = {"sensitivity": "personal"}
    if kind.record is Turn:  # has no label
        given = {"message": f"{MARK} message, my password is tr0ub4dor&3"}
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        thalamus.store.import_memory([marked(kind, "personal", given)])
    [database] = home.rglob("thalamus.db")
    found: set[str] = set()
    with closing(sqlite3.connect(database)) as db:
        tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            for row in db.execute(f"SELECT * FROM {table}"):
                found.update(re.findall(rf"{MARK} (\w+)", str(row)))
    return found


@pytest.mark.sqlite
@pytest.mark.parametrize("kind", [pytest.param(kind, id=kind.name) for kind in kinds()])
def test_fields(home: Path, kind: Kind) -> None:
    found = plain_fields(home, kind)
    of_all = ROWS["every kind"]
    if not kind.encrypted:
        assert kind.name in ROWS["never encrypted"] and kind.name not in ROWS
    else:
        assert found - of_all == ROWS.get(kind.name, set()) - of_all


@pytest.mark.storeless
def test_every_kind_is_one() -> None:
    assert set(ROWS) - {"every kind", "never encrypted"} <= set(NAMES)


@pytest.mark.storeless
def test_sentences() -> None:
    sentences = re.findall(r"^\| “(.*)” \|", MANUAL, re.MULTILINE)
    assert len(sentences) > 8
    for sentence in sentences:
        assert personal(sentence) is None, sentence
