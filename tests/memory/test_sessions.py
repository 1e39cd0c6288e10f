"""Sessions: listed, found, renamed, resumed, exported and forgotten."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from tests.conftest import NOW
from tests.stored import holding
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.errors import NothingMatches, UsageError
from thalamus.events import SessionEnded, SessionStarted
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import SessionTitle, Turn
from thalamus.store import ledger


def said(
    session: str, message: str, at: str, user: str | None = None, answer: str = "Yes."
) -> Turn:
    return Turn(message=message, answer=answer, session=session, created_at=at, user=user)


@pytest.fixture
def filled(thalamus: Thalamus) -> Thalamus:
    thalamus.remember(
        [
            said("may", "My sister Ana keeps bees in Porto.", "2026-05-01T10:00:00Z"),
            said("june", "The piano tuner comes on Friday.", "2026-06-01T10:00:00Z"),
            said("may", "How much honey will they make?", "2026-05-02T09:30:00Z"),
        ]
    )
    return thalamus


def test_newest_first_with_what_a_list_shows(filled: Thalamus) -> None:
    june, may = filled.sessions.find()
    assert (june.id, june.turns, june.started_at) == ("june", 1, june.last_at)
    assert (may.id, may.turns, may.title) == ("may", 2, None)
    assert (may.started_at, may.last_at) == ("2026-05-01T10:00:00Z", "2026-05-02T09:30:00Z")
    assert may.first == "My sister Ana keeps bees in Porto."
    assert [session.id for session in filled.sessions.find(limit=1)] == ["june"]


@pytest.mark.parametrize("user", ["", "ana"])
@pytest.mark.sqlite
def test_counting_reads_an_index_and_no_turn(filled: Thalamus, user: str) -> None:
    asked: list[str] = []
    filled.database._db.set_trace_callback(asked.append)
    filled.config = structs.replace(filled.config, user=user)
    filled.sessions.find()
    filled.database._db.set_trace_callback(None)
    [query] = [text for text in asked if "count(*)" in text]
    [plan] = filled.database._db.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
    assert "USING COVERING INDEX turn_count" in plan[3]


@pytest.mark.parametrize("wanted", ["may", "ma", "MAY", "Bees of Ana", "bees  of ana", "bees o"])
def test_found_by_its_name_its_title_or_a_beginning(filled: Thalamus, wanted: str) -> None:
    filled.sessions.rename("may", "Bees of Ana")
    assert filled.sessions.get(wanted).id == "may"


def test_what_names_none_or_several(filled: Thalamus) -> None:
    with pytest.raises(NothingMatches, match="There is no session 'jnue'") as caught:
        filled.sessions.get("jnue")
    assert caught.value.advice == "The nearest: june."
    filled.sessions.rename("may", "Same")
    filled.sessions.rename("june", "same")
    with pytest.raises(UsageError, match="Ambiguous session 'same': june, may"):
        filled.sessions.get("same")
    with pytest.raises(NothingMatches):
        filled.sessions.get("")


def test_full_text_over_all_of_them(filled: Thalamus) -> None:
    [match] = filled.sessions.search("bee sister")
    assert (match.session, match.at) == ("may", "2026-05-01T10:00:00Z")
    assert "Ana keeps bees" in match.text and match.score > 0 and match.turn
    long = "word " * 200 + "The heron stands at the pond. " + "word " * 200
    filled.remember([said("july", long, "2026-07-01T10:00:00Z")])
    [match] = filled.sessions.search("heron")
    assert "The heron stands" in match.text and len(match.text) <= 160
    assert match.text.startswith("…") and match.text.endswith("…")
    after = [said("july", "And a reed.", "2026-07-01T10:01:00Z")]
    filled.remember(after)  # it is found by the message before it, too
    assert [match.at for match in filled.sessions.search("heron")] == ["2026-07-01T10:00:00Z"]
    assert filled.sessions.search("zebra") == filled.sessions.search("?") == []


@pytest.mark.parametrize(
    ("text", "query", "other"),
    [
        ("I went running along the canal.", "run", "outrunner"),
        ("Sąsiad hoduje pszczoły na dachu.", "pszczół", "dachówka"),
        ("猫アレルギーがあります。", "猫", "犬"),
        ("The parcel is here 🎉", "🎉", "🐱"),
        ("Someone painted everything white.", "painting", "nothingatall"),
    ],
)
def test_a_form_of_a_word_is_found_and_a_mere_part_is_not(
    filled: Thalamus, text: str, query: str, other: str
) -> None:
    filled.remember([said("july", text, "2026-07-01T10:00:00Z")])
    assert [match.session for match in filled.sessions.search(query)] == ["july"]
    assert filled.sessions.search(other) == []


def test_a_title_is_searched_too(filled: Thalamus) -> None:
    filled.sessions.rename("june", "Music lessons")
    [match] = filled.sessions.search("music")
    assert (match.session, match.title, match.turn) == ("june", "Music lessons", None)


def test_renamed_again_and_no_more(filled: Thalamus) -> None:
    assert filled.sessions.rename("may", "  Bees\n of Ana ").title == "Bees of Ana"
    filled.sessions.rename("may", "Honey")
    assert [title.title for title in filled.database.each(SessionTitle)] == ["Honey"]
    assert filled.sessions.rename("may", " ").title is None
    assert list(filled.database.each(SessionTitle)) == []
    with pytest.raises(UsageError, match="too long: 201 characters, at most 200"):
        filled.sessions.rename("may", "x" * 201)
    entries = [e for e in ledger.entries(filled.database) if e.name == "session_renamed"]
    assert [entry.data for entry in entries] == [{"title": True}, {"title": True}, {"title": False}]
    assert {entry.session for entry in entries} == {"may"}


def test_gone_on_in(filled: Thalamus) -> None:
    seen: list[object] = []
    filled.events.bind("on_event", seen.append)
    filled.turn("Hello there.")
    assert filled.sessions.resume("MAY").id == "may" == filled.session
    turn = filled.turn("The bees swarmed.")
    assert turn.session == "may"
    names = [event for event in seen if isinstance(event, (SessionStarted, SessionEnded))]
    assert [(type(event), event.session) for event in names] == [
        (SessionStarted, "main"),
        (SessionEnded, "main"),
        (SessionStarted, "may"),
    ]
    assert filled.sessions.get("may").turns == 3


def test_as_markdown(filled: Thalamus) -> None:
    filled.sessions.rename("may", "Bees")
    text = "\n".join(filled.sessions.export("bees"))
    assert text.startswith("# Bees\n\n## 2026-05-01\n\n**User** (10:00)\n\n> My sister Ana keeps")
    assert "## 2026-05-02" in text and "> How much honey" in text and "piano" not in text


def test_those_of_other_users_are_not_shown(home: Path, filled: Thalamus) -> None:
    at = "2026-05-03T10:00:00Z"
    filled.remember([said("may", "Bo likes chess.", at, "bo"), said("own", "Mine.", at, "bo")])
    filled.remember([said("hers", "Ana likes tea.", at, "ana")])
    assert {session.id for session in filled.sessions.find()} == {"may", "june", "own", "hers"}
    settings = {"model": "scripted", "embedder": "scripted", "home": str(home)}
    with Thalamus(clock=filled.clock, user="ana", **settings) as ana:
        assert {s.id: s.turns for s in ana.sessions.find()} == {"may": 2, "june": 1, "hers": 1}
        assert ana.sessions.search("chess") == []
        assert [turn.message for turn in ana.sessions.turns("hers")] == ["Ana likes tea."]
        with pytest.raises(NothingMatches):
            ana.sessions.get("own")
        ana.sessions.rename("may", "Of Ana")
    with Thalamus(clock=filled.clock, user="bo", **settings) as bo:
        assert bo.sessions.get("may").title is None
        assert bo.sessions.get("own").user == "bo"


def test_encrypted_ones_are_counted_and_not_shown_without_the_key(
    home: Path, thalamus: Thalamus
) -> None:
    thalamus.turn("My card number is 4111 1111 1111 1111.")
    thalamus.new_session("two")
    thalamus.turn("I have a cat.")
    thalamus.sessions.rename("main", "My PIN is 4821")
    assert thalamus.sessions.get("main").title == "My PIN is 4821"
    assert [match.session for match in thalamus.sessions.search("card")] == ["main"]
    thalamus.close()
    assert holding(home / "data", "My PIN") == []
    config = structs.replace(thalamus.config, key_store="none")
    with Thalamus(config=config, clock=Clock(parse_time(NOW))) as without:
        main = without.sessions.get("main")
        assert (main.turns, main.unreadable, main.first, main.title) == (1, 1, None, None)
        assert without.sessions.turns("main") == [] == without.sessions.search("card")
        assert without.sessions.get("two").unreadable == 0


@pytest.mark.parametrize(
    "options",
    [
        ForgetOptions(query="Jubilee"),
        ForgetOptions(session="may"),
        ForgetOptions(about="bees and honey"),
    ],
    ids=["a word of the title", "the session", "all that was said in it"],
)
def test_a_title_is_forgotten(filled: Thalamus, options: ForgetOptions) -> None:
    filled.sessions.rename("may", "The Jubilee plan")
    filled.sessions.rename("june", "Other")
    if options.about:
        turns = tuple(turn.id or "" for turn in filled.sessions.turns("may"))
        options = ForgetOptions(ids=turns)
    report = filled.forget(options)
    assert report.complete and report.done
    assert [title.title for title in filled.database.each(SessionTitle)] == ["Other"]
    assert holding(filled.config.store_dir, "Jubilee") == []


def test_a_session_that_is_renamed_because_of_its_name_keeps_its_title(filled: Thalamus) -> None:
    filled.remember([said("heron-watch", "Nothing of note.", "2026-07-01T10:00:00Z")])
    filled.sessions.rename("heron-watch", "Pond")
    filled.forget(ForgetOptions(query="heron"))
    [found] = [session for session in filled.sessions.find() if session.title == "Pond"]
    assert found.id.startswith("session_")


def test_titles_are_exported_and_imported(
    filled: Thalamus, tmp_path: Path, make: Callable[[str], Thalamus]
) -> None:
    filled.sessions.rename("may", "Bees")
    with make("other") as other:
        added = other.store.import_memory(filled.store.export())
        assert added["session_title"] == 1
        assert other.sessions.get("bees").id == "may"


@pytest.fixture
def make(tmp_path: Path) -> Callable[[str], Thalamus]:
    def made(tenant: str) -> Thalamus:
        home = str(tmp_path / tenant)
        clock = Clock(parse_time(NOW))
        return Thalamus(
            home=home, tenant=tenant, model="scripted", embedder="scripted", clock=clock
        )

    return made
