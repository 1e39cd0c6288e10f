"""Redacted lists, profiles and reports tell nothing of what they do not show: a filter is applied
to what is shown, and nothing is counted but that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import NOW, Result
from tests.stored import store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.records import Fact, Memory, Provenance
from thalamus.serving import tools

Run = Callable[..., Result]
LIKES = Fact(id="fact_likes", subject="user", predicate="likes", object="plums")


def opened(home: Path, **settings: object) -> Thalamus:
    chosen = {"home": str(home), "model": "scripted", "embedder": "scripted", **settings}
    return Thalamus(clock=Clock(parse_time(NOW)), store=store_of(home), **chosen)  # type: ignore[arg-type]


def show(thalamus: Thalamus) -> None:
    """Stores what a redacted view shows."""
    figs = Memory(id="mem_figs", content="The garden has figs.", topic="garden", type="preference")
    quibble = Fact(subject="Quibble", predicate="likes", object="reeds")  # is a person
    chess = Memory(content="Chess on Sundays.", type="pastime", topic="games")  # a masked type
    thalamus.remember([chess, figs, LIKES, quibble])


def hide(thalamus: Thalamus) -> None:
    """Stores what it masks or leaves out, said later."""
    later = "2026-11-26T10:00:00Z"
    spray = Memory(content="The spray is cold.", topic="asthma", sensitivity="personal")
    drink = Memory(content="Tea is best.", topic="tea", provenance=Provenance(quote="Tea is best."))
    works = Fact(subject="Quibble", predicate="works_at", object="Acme")
    takes = Fact(subject="user", predicate="uses", object="insulin")
    holds = Fact(subject="user", predicate="practises", object="Buddhism")
    hidden = [spray, drink, works, takes, holds]
    for record in hidden:
        record.created_at = later
    thalamus.remember(hidden)  # type: ignore[arg-type]
    thalamus.turn("My therapist is Dr. Zorn.")


@pytest.fixture
def mixed(home: Path) -> None:
    with opened(home) as thalamus:
        show(thalamus)
        hide(thalamus)


@pytest.mark.parametrize(
    ("command", "hidden"),
    [
        (("memory", "list", "--topic"), "asthma"),
        (("memory", "list", "--topic"), "tea"),
        (("memory", "list", "--type"), "pastime"),
        (("memory", "search", "figs", "--topic"), "asthma"),
        (("retrieve", "figs", "--topic"), "tea"),
        (("retrieve", "chess", "--type"), "pastime"),
        (("retrieve", "figs", "--type"), "pastime"),
        (("facts", "list", "--subject"), "Quibble"),
        (("facts", "history"), "Quibble"),
    ],
)
def test_a_hidden_value_is_like_one_that_nothing_has(
    mixed: None, run: Run, command: tuple[str, ...], hidden: str
) -> None:
    outcomes = []
    for value in (hidden, "Nothing"):
        result = run(*command, value, "--redacted")
        texts = (result.stdout, result.stderr.replace(value, "…"))
        outcomes.append((result.code, *texts))
    assert outcomes[0] == outcomes[1]
    assert "Chess" not in outcomes[0][1]


def test_what_is_shown_is_found_by_it_whatever_is_hidden(mixed: None, run: Run) -> None:
    for command in (
        ("memory", "list", "--topic", "garden", "-n", "1"),
        ("memory", "list", "--type", "preference", "-n", "1"),
        ("retrieve", "figs", "--topic", "garden", "-n", "1"),
        ("facts", "list", "--subject", "user", "-n", "1"),
    ):
        [line] = run(*command, "--redacted", "--json").records
        assert "figs" in str(line) or "plums" in str(line)


def test_a_report_counts_what_it_shows(home: Path, tmp_path: Path, run: Run) -> None:
    pages = []
    for folder, fill in ((home, (show, hide)), (tmp_path / "other", (show,))):
        with opened(folder) as thalamus:
            for each in fill:
                each(thalamus)
        page = run(
            "report",
            "--redacted",
            "--limit",
            "4",
            "--output",
            "-",
            env={"THALAMUS_HOME": str(folder)},
        ).stdout
        assert "figs" in page
        pages.append(page)
    assert pages[0] == pages[1]


def test_hidden_lines_take_no_room_in_a_profile(home: Path) -> None:
    with opened(home, profile_tokens=22) as thalamus:
        thalamus.remember([LIKES])
        thalamus.remember(
            [Fact(subject="user", predicate="name", object="Quibble von und zu Hohenstein")]
        )
        profile = {tool.name: tool for tool in tools.tools()}["profile"]
        shown = profile.run(thalamus, profile.parameters({}), tools.Caller(redacted=True))
        assert any("plums" in line.text for line in shown.lines)  # type: ignore[attr-defined]
