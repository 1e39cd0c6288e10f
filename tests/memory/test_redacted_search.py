"""A redacted search tells nothing of what it does not show: its results are those of a store that
has only what is shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import NOW, Result
from tests.stored import store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.records import Fact, Memory
from thalamus.serving import tools

Run = Callable[..., Result]
SHOWN = (
    "The garden has figs and plums.",
    "The garden wall is by the harbour.",
    "Reeds grow by the sea.",
)
SPRAYS = [f"Asthma note {n}: figs and the harbour." for n in range(150)]
HIDDEN = ("The figs and the asthma spray are cold.", "The bank by the harbour is Zentralbank.")
ANCHORS = ("figs", "harbour", "garden plums", "What grows by the sea", "Who is")
GUESSES = ("asthma", "diabetes", "Zentralbank", "Acme", "Fabrikam", "Quibble", "chess on Tuesdays")


def opened(home: Path, embedder: str = "scripted") -> Thalamus:
    settings = {"home": str(home), "model": "scripted", "embedder": embedder}
    return Thalamus(clock=Clock(parse_time(NOW)), store=store_of(home), **settings)


@pytest.fixture
def stores(home: Path, tmp_path: Path) -> list[Thalamus]:
    """A store with hidden records too, and one without."""
    both = [opened(home), opened(tmp_path / "other")]
    for thalamus in both:
        thalamus.remember(
            [Memory(content=text, type="project", id=f"mem_{n}") for n, text in enumerate(SHOWN)]
        )
    personal = [Memory(content=text, sensitivity="personal") for text in (*HIDDEN, *SPRAYS)]
    both[0].remember(
        [*personal, Fact(subject="user", predicate="works_at", object="Acme", quote="By the sea.")]
    )
    both[0].turn("My therapist is Dr. Quibble, and chess is on Tuesdays by the harbour.")
    return both


def found(thalamus: Thalamus, query: str, limit: int) -> list[object]:
    tool = {one.name: one for one in tools.tools()}["retrieve"]
    parameters = tool.parameters({"query": query, "limit": limit})
    result = tools.to_json(tool.run(thalamus, parameters, tools.Caller(redacted=True)))
    return [(item["text"], item["score"]) for item in result["evidence"]] + result.get("issues", [])


@pytest.mark.parametrize("limit", [1, 10])
def test_hidden_records_change_no_result(stores: list[Thalamus], limit: int) -> None:
    for anchor in ("", *ANCHORS):
        for guess in ("", *GUESSES):
            with_hidden, without = (
                found(one, f"{anchor} {guess}".strip() or "plums", limit) for one in stores
            )
            assert with_hidden == without, (anchor, guess)


def test_results_have_a_rank_and_no_score(stores: list[Thalamus]) -> None:
    results = found(stores[0], "garden figs plums harbour", 10)
    assert [score for _, score in results] == [1 / n for n in range(1, len(results) + 1)]  # type: ignore[misc]
    assert len(results) > 1


def test_the_command_tells_no_more(stores: list[Thalamus], run: Run) -> None:
    for one in stores:
        one.close()
    for guess in ("asthma", "Acme"):
        query = f"figs {guess}"
        [line] = run("retrieve", "--redacted", "--json", query).records
        assert (line["text"], line["score"], line["relevance"]) == (SHOWN[0], 1.0, None)
        turn = json.dumps({"record": "turn", "id": "turn_x", "message": query})
        [turn] = run("retrieve", "--redacted", input=turn).records
        assert [item["text"] for item in turn["evidence"]] == [SHOWN[0]]


def test_hidden_records_do_not_make_a_word_common(home: Path, tmp_path: Path) -> None:
    both = [opened(folder, embedder="none") for folder in (home, tmp_path / "other")]
    for thalamus in both:
        texts = ("Reeds by the sea grow tall.", "Plums in the garden are ripe.", "Tall figs.")
        thalamus.remember([Memory(content=text, session="main") for text in texts])
    both[0].turn("We went skiing in Zermatt.")  # which is plain, but not shown
    kept = [Memory(content=f"Plums and garden {n}.", type="summary") for n in range(60)]
    both[0].remember(kept)
    for query in ("plums reeds", "garden tall", "Zermatt reeds"):
        with_hidden, without = (found(one, query, 1) for one in both)
        assert with_hidden == without, query
