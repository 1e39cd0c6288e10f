"""The examples in the help of each command run."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from tests.commands.test_vocabulary import OPTIONS
from tests.conftest import NOW, Result
from tests.test_docs import printed_by, shell
from thalamus.api import Thalamus
from thalamus.commands.examples import EXAMPLES
from thalamus.memory.insights.lookup import add_insight
from thalamus.records import DiscoverySource, Fact, Insight, Memory, Project, Quarantine, Turn
from thalamus.transfer.export import export_lines

__all__ = ["shell"]
Run = Callable[..., Result]
# what waits for a person, needs a network, a server or a model, or runs for long
NOT_RUN = {
    *("init", "chat", "ui", "session resume", "mcp", "store init", "sources crawl", "demo"),
    *("models pull", "models check", "eval memory", "eval answers", "eval persona", "eval compare"),
    *("profile edit", "key adopt", "insights undo"),
}


def test_every_command_has_an_example_with_its_own_options() -> None:
    assert set(EXAMPLES) == set(OPTIONS)
    for examples in EXAMPLES.values():
        assert 1 <= len(examples) <= 3
        called = [part for line in examples for part in re.split(r"\|\||&&|[|;]", line)]
        for part in called:
            arguments = shlex.split(part.split(" < ")[0].split(" > ")[0], posix=True)
            if "thalamus" not in arguments:
                continue
            arguments = arguments[arguments.index("thalamus") + 1 :]
            path = next(
                (" ".join(arguments[:n]) for n in (2, 1) if " ".join(arguments[:n]) in OPTIONS),
                "",
            )
            if not path:  # the default command of a group
                group = arguments[0]
                default = next(p for p in OPTIONS if p.split()[0] == group)
                path = {"store": "store write", "world": "world show"}.get(group, default)
            given = {a.split("=")[0] for a in arguments if re.match(r"--?[a-z]", a)}
            assert given <= set(OPTIONS[path]) | {"-h", "--help"}, part


def test_the_help_shows_them(run: Run) -> None:
    for words in ("memory edit", "retrieve", "store write", "eval retrieval", "turn"):
        shown = run(*words.split(), "-h").stdout
        assert all(f"  {line}\n" in shown for line in EXAMPLES[words]), shown


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home and files that the examples use."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "notes.md").write_text("# Garden\n\nHerons come to the pond.\n")
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    (folder / "papers").mkdir()
    (folder / "papers" / "bees.txt").write_text("Bees need water.\n")
    (folder / ".thalamus.yaml").write_text("session: work\n")
    (folder / "memories.jsonl").write_text('{"record":"memory","content":"Ana keeps hens."}\n')
    (folder / "conversations.json").write_text("[]")
    bees = {"record": "memory", "content": "Ana keeps bees.", "id": "n1"}
    case = {"question": "Who keeps bees?", "gold": ["n1"], "records": [bees]}
    (folder / "mine.jsonl").write_text(json.dumps(case) + "\n")
    settings = {"home": str(folder / "home"), "model": "scripted", "embedder": "scripted"}
    with Thalamus(**settings) as thalamus:
        turn = Turn(message="I moved to Porto in March.", id="turn_moved", session="work")
        thalamus.turn(turn)
        for who, place, id in (("Ana", "Porto", "fact_home"), ("Bo", "Oporto", "fact_bo")):
            fact = Fact(subject=who, predicate="lives_in", object=place, id=id)
            thalamus.facts.add(structs.replace(fact, valid_from="2026-03-01T00:00:00Z"))
        doubted = Quarantine(rule="doubted", reason="the model did not find it right")
        thalamus.remember(
            [Memory(content="Ana keeps bees.", id="mem_bees", topic="garden"),
             Memory(content="Ana has a hive.", id="mem_hive"),
             Memory(content="Ana has nine hives.", id="mem_doubt", status="quarantined",
                    quarantine=doubted)]
        )  # fmt: skip
        thalamus.projects.add(Project(name="Balcony"))
        with thalamus.database.writing() as writer:
            insight = Insight(
                content="Pottery helps Ana.", id="ins_bowls", concepts=["pottery"],
                sources=["turn_moved"], created_at=NOW, recorded_at=NOW, strength=2.0,
            )  # fmt: skip
            add_insight(insight, None, writer)
            writer.add(
                DiscoverySource(
                    id="src_feed",
                    uri="https://example.org/feed.xml",
                    type="rss",
                    added_by="user",
                    status="candidate",
                    created_at=NOW,
                    recorded_at=NOW,
                )
            )
        (folder / "backup.jsonl").write_bytes(b"".join(export_lines(thalamus.database)))
    return folder


@pytest.mark.slow
@pytest.mark.sqlite
@pytest.mark.parametrize("words", sorted(set(EXAMPLES) - NOT_RUN))
def test_an_example_runs(words: str, filled: Path, shell: dict[str, str], tmp_path: Path) -> None:
    if shutil.which("jq") is None and any("jq" in line for line in EXAMPLES[words]):
        pytest.skip("the examples use jq")
    for number, line in enumerate(EXAMPLES[words]):
        folder = tmp_path / str(number)
        shutil.copytree(filled, folder)
        environment = shell | {"THALAMUS_HOME": str(folder / "home")}
        if words == "store restore":
            printed_by("thalamus store backup backup.db", environment, folder)
        output, code = printed_by(line, environment, folder)
        assert code == 0, f"{line}\n{output}"
