"""Forgetting and the turns around what is forgotten: those it was said in, and those it was
recalled for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.commands.planted import link
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.memory.forget.erase import ForgetOptions, ForgetReport
from thalamus.records import Fact, Memory, Provenance, Record, Turn
from thalamus.records.kinds import kinds

SAID, TALKED, LATER = "2026-02-01T10:00:00Z", "2026-02-05T10:00:00Z", "2026-02-09T10:00:00Z"
FIRST = "I'm allergic to peanuts."


@pytest.fixture
def allergic(thalamus: Thalamus) -> Thalamus:
    """A fact, with the memory and the turn that state it."""
    source = Provenance(turn="turn_1", quote=FIRST)
    thalamus.remember(
        [
            Turn(id="turn_1", message=FIRST, answer="Noted.", created_at=SAID),
            Memory(
                id="mem_nuts",
                content="The user is allergic to peanuts.",
                created_at=SAID,
                provenance=source,
            ),
            Fact(
                id="fact_nuts",
                subject="user",
                predicate="allergic_to",
                object="peanuts",
                created_at=SAID,
                quote=FIRST,
                provenance=source,
            ),
        ]
    )
    return thalamus


def later(thalamus: Thalamus, message: str, answer: str | None, *recalled: str) -> None:
    """Adds a later turn, and what was recalled for it."""
    thalamus.remember([Turn(id="turn_2", message=message, answer=answer, created_at=LATER)])
    for id in recalled:
        link(thalamus.database, id, "evidence_of", "turn_2")


def turn(thalamus: Thalamus, id: str = "turn_2") -> tuple[str, str | None]:
    found = thalamus.database.get(id)
    assert isinstance(found, Turn)
    return found.message, found.answer


def deleted(report: ForgetReport) -> set[str]:
    return {verdict.stored_id for group, verdict in report.items if group != "event"}


# -- the user's words do not derive from what was recalled for them --------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "There were peanuts in the satay, but I liked Hanoi.",
        "Could a peanuts allergy go away? I liked Hanoi.",
        "Der Arzt sagt, peanuts seien schuld. Hanoi war schön.",
    ],
)
def test_a_later_message_stays_with_what_was_made_of_it(allergic: Thalamus, message: str) -> None:
    later(allergic, message, "How was the food otherwise?", "fact_nuts", "mem_nuts")
    source = Provenance(turn="turn_2", quote=message)
    allergic.remember([Memory(id="mem_2", content="The user liked Hanoi.", provenance=source)])
    report = allergic.forget(ForgetOptions(ids=("fact_nuts",)))
    assert deleted(report) >= {"fact_nuts", "mem_nuts", "turn_1"}
    assert turn(allergic) == (message, "How was the food otherwise?")
    made = allergic.database.get("mem_2")
    assert isinstance(made, Memory) and made.provenance == source
    assert report.kept == [] and report.shortened == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What must I not eat?", "Nothing with peanuts."),
        ("Was darf ich nicht essen?", "Nichts mit Peanuts."),
        ("What should a cook know?", "You told me that you are allergic, namely to peanuts."),
    ],
)
def test_of_a_later_turn_only_the_answer_goes(
    allergic: Thalamus, question: str, answer: str
) -> None:
    later(allergic, question, answer, "fact_nuts")
    report = allergic.forget(ForgetOptions(ids=("fact_nuts",)))
    assert turn(allergic) == (question, None) and report.complete
    [kept] = report.kept
    assert (kept.rule, kept.reason, kept.content) == ("shortened", "without the answer", question)


def test_an_answer_with_the_words_goes_without_its_question(allergic: Thalamus) -> None:
    later(allergic, "What must I not eat?", "You said: I'm allergic to peanuts.")
    report = allergic.forget(ForgetOptions(query="peanuts"))
    assert turn(allergic) == ("What must I not eat?", None)
    assert deleted(report) >= {"fact_nuts", "mem_nuts", "turn_1"}


# -- what the user says again ----------------------------------------------------------------------


def test_said_again_it_goes_from_both_messages_with_what_was_made_of_them(
    allergic: Thalamus,
) -> None:
    later(allergic, f"{FIRST} And I like Hanoi.", "All right.")
    source = Provenance(turn="turn_2", quote=FIRST)
    allergic.remember(
        [
            Fact(
                id="fact_again",
                subject="user",
                predicate="avoids",
                object="peanuts",
                created_at=LATER,
                provenance=source,
            ),
            Memory(
                id="mem_2",
                content="The user likes Hanoi.",
                provenance=Provenance(turn="turn_2", quote="I like Hanoi."),
            ),
        ]
    )
    report = allergic.forget(ForgetOptions(ids=("mem_nuts",)))
    assert deleted(report) >= {"fact_nuts", "mem_nuts", "turn_1", "fact_again"}
    assert turn(allergic) == ("And I like Hanoi.", None)
    assert allergic.database.get("mem_2") is not None and report.complete


def test_neighbouring_columns_are_no_residue(thalamus: Thalamus) -> None:
    """A memory of medium importance in the archival scope has "march" in the bytes of its row."""
    stays = Memory(content="The user likes Hanoi.", importance="medium", scope="archival")
    thalamus.remember([stays, Turn(id="turn_2", message="Book it.", answer="On 5 March, then.")])
    assert thalamus.forget(ForgetOptions(ids=("turn_2",))).complete


# -- a dry run shows what is done ------------------------------------------------------------------

TALK = [
    ("I moved to Lisbon in May. I prefer short answers.", "a"),
    ("Where do I live?", "a"),
    ("My sister Ana lives in Porto. I moved to Lisbon in May.", "b"),
    ("My dog is called Miso. I work as a nurse.", "b"),
    ("What is my dog called?", "move to Lisbon"),
    ("I moved to Graz in June.", "c"),
]
SELECTORS = [
    {"query": "Lisbon"},
    {"query": "dog"},
    {"subject": "Ana"},
    {"about": "my sister"},
    {"session": "b"},
    {"session": "move to Lisbon"},
]


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("talked")
    clock = Clock(parse_time(TALKED))
    with Thalamus(home=home, model="scripted", embedder="scripted", clock=clock) as thalamus:
        for message, session in TALK:
            thalamus.turn(Turn(message=message, session=session))
        thalamus.sessions.rename("b", "Ana and Miso")
        thalamus.sessions.rename("a", "The flat in Lisbon")
        thalamus.sessions.rename("c", "Mountains")
    return home


def stored(thalamus: Thalamus) -> dict[tuple[str, str], Record]:
    """All records but ledger entries, by kind and id."""
    return {
        (kind.name, id): record
        for kind in kinds()
        if kind.has_id
        for record in thalamus.database.each(kind.record)
        if (id := getattr(record, "id", None))
    }


def requests(talked: Path) -> Iterator[ForgetOptions]:
    with Thalamus(home=talked) as thalamus:
        names = ("turn", "memory", "fact", "plan")
        ids = [id for kind, id in stored(thalamus) if kind in names]
    yield from (ForgetOptions(ids=(id,)) for id in ids)
    yield from (ForgetOptions(**selector) for selector in SELECTORS)  # type: ignore[arg-type]


@pytest.mark.sqlite
def test_what_a_dry_run_shows_is_what_goes(talked: Path, tmp_path: Path) -> None:
    """For every record of a conversation, and for words, a subject and sessions."""
    for number, options in enumerate(requests(talked)):
        home = tmp_path / str(number)
        shutil.copytree(talked, home)
        with Thalamus(home=home, model="scripted", embedder="scripted") as thalamus:
            before = stored(thalamus)
            shown = thalamus.forget(replace(options, dry_run=True))
            assert stored(thalamus) == before
            done = thalamus.forget(options)
            after = stored(thalamus)
        assert (shown.items, shown.kept) == (done.items, done.kept)
        assert shown.count() == done.counts and not done.residue, (options, done.residue)
        gone = {id for _, id in before.keys() - after.keys()}
        listed = {verdict.stored_id for group, verdict in shown.items if group != "event"}
        assert gone == listed & {id for _, id in before}, options
        changed = {
            key[1]
            for key in before.keys() & after.keys()
            if key[0] == "turn" and _words(before[key]) != _words(after[key])
        }
        assert changed == {one.turn.id for one in shown.shortened}, options


def _words(turn: Record) -> tuple[str, str | None]:
    assert isinstance(turn, Turn)
    return turn.message, turn.answer
