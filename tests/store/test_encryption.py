"""What is personal lies encrypted in the store, and is recalled all the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.commands.planted import left
from tests.conftest import NOW, Result
from tests.stored import edit, store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.records import Fact, Memory, Turn
from thalamus.security.keys import StoreKeys
from thalamus.store import embeddings
from thalamus.store.values import Filter, Vector

Run = Callable[..., Result]
CARD = "4111 1111 1111 1111"
SAID = f"My card number is {CARD}."


def engine(home: Path, **settings: object) -> Thalamus:
    clock = Clock(parse_time(NOW))
    given: dict[str, object] = {
        "store": store_of(home),
        "model": "scripted",
        "min_relevance": 0.0,
        "embedder": "scripted",
        "planner": "model",
    }
    return Thalamus(clock=clock, home=str(home), **(given | settings))


def holding(home: Path, text: str) -> list[str]:
    """The files and tables of the store that hold a text, in one of the usual encodings."""
    return left(home / "data", text, text.replace(" ", ""))


def texts(thalamus: Thalamus, question: str) -> str:
    return "\n".join(found.text for found in thalamus.recall(question))


def personal_memory(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content=SAID, topic="4111 1111 1111 1111 card")])


def marked_memory(thalamus: Thalamus) -> None:
    content = "The hiding place is behind 4111 1111 1111 1111."
    thalamus.remember([Memory(content=content, sensitivity="personal", metadata={"n": CARD})])


def fact(thalamus: Thalamus) -> None:
    thalamus.remember([Fact(subject="Ana", predicate="card", object=CARD, quote=SAID)])


def turn(thalamus: Thalamus) -> None:
    thalamus.turn(SAID)


def bare_turn(thalamus: Thalamus) -> None:
    thalamus.remember([Turn(message="What is it?", answer=SAID)])


def mixed_turn(thalamus: Thalamus) -> None:
    """One of its memories is not personal, and quotes the whole."""
    thalamus.turn(f"My card number is {CARD} and I like green tea.")


WRITES = [mixed_turn, personal_memory, marked_memory, fact, turn, bare_turn]


@pytest.mark.parametrize("write", WRITES)
def test_no_file_holds_it_and_recall_finds_it(
    home: Path, tmp_path: Path, write: Callable[[Thalamus], None]
) -> None:
    with engine(home) as thalamus:
        write(thalamus)
        assert holding(home, CARD) == []  # while the log is open
        thalamus.database.backup(tmp_path / "copy.db")
    assert holding(home, CARD) == []
    assert CARD.encode() not in (tmp_path / "copy.db").read_bytes()
    with engine(home) as thalamus:
        assert CARD in texts(thalamus, "what is the card number, the hiding place")
        thalamus.database.rebuild_indexes()
        assert CARD in "".join(str(record) for record in thalamus.store.export())
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []
    assert holding(home, CARD) == []


@pytest.mark.parametrize("write", WRITES)
def test_without_the_key_the_rest_works(
    home: Path, tmp_path: Path, write: Callable[[Thalamus], None]
) -> None:
    with engine(home) as thalamus:
        write(thalamus)
        thalamus.remember([Memory(content="The tide is high.")])
    shutil.rmtree(home / "config")
    with engine(home) as thalamus:
        assert CARD not in texts(thalamus, "what is the card number, the hiding place")
        assert "tide" in texts(thalamus, "tide")
        everything = "".join(str(record) for record in thalamus.store.export())
        assert CARD not in everything and "(encrypted)" in everything


def test_by_meaning_alone(home: Path) -> None:
    with engine(home) as thalamus:
        personal_memory(thalamus)
        vector = thalamus.engine.models.embedder()
        assert vector is not None
        asked = Vector(vector.name, vector.embed([SAID], "query")[0])
        [hit] = thalamus.database.search([], asked, Filter(), 5).vector
        assert hit.entry.text == SAID and hit.score > 0.99
        assert embeddings.count_missing(thalamus.database, vector.name) == 0
        assert thalamus.database.similarities(asked, [hit.entry.key]).cosines[hit.entry.key] > 0.99
        [own] = embeddings.of(thalamus.database, [hit.entry.id]).values()
        assert own == asked


def test_words_weigh_as_much_as_in_the_index(home: Path) -> None:
    """What is encrypted is in no index, and stands in one list with what is."""
    with engine(home) as thalamus:
        thalamus.remember([Memory(content=f"A gull sat on pier {n}.") for n in range(200)])
        thalamus.remember(
            [
                Memory(content="The heron has built a nest by the northern lock."),
                Memory(
                    content="The heron has built a nest by the southern lock.",
                    sensitivity="personal",
                ),
            ]
        )
        found = thalamus.database.search_text(["heron", "nest"], Filter(), 10)
        scores = {hit.entry.text.split()[-2]: hit.score for hit in found}
        assert scores["southern"] == pytest.approx(scores["northern"], rel=0.1)


def test_the_owner_and_other_filters_hold(home: Path) -> None:
    with engine(home, user="ana") as thalamus:
        personal_memory(thalamus)
        assert CARD in texts(thalamus, "card")
    with engine(home, user="bob") as thalamus:
        assert CARD not in texts(thalamus, "card")


def test_the_same_again_is_not_stored_twice(home: Path) -> None:
    with engine(home) as thalamus:
        turn(thalamus)
        before = thalamus.database.counts()["memory"]
        turn(thalamus)
        assert thalamus.database.counts()["memory"] == before


def test_what_repeats_a_recalled_secret_is_encrypted(home: Path) -> None:
    with engine(home) as thalamus:
        content = "The garden gnome guards the spare latchkey."
        thalamus.remember([Memory(content=content, sensitivity="personal")])
        asked = thalamus.turn("Who guards the spare latchkey?")
        assert any(content == item.text for item in asked.evidence)
    assert holding(home, "gnome") == []


def test_deleted_with_its_row(home: Path) -> None:
    with engine(home) as thalamus:
        personal_memory(thalamus)
        with thalamus.database.writing() as writer:
            writer.remove(thalamus.memories.find()[0].id or "")
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []
        assert list(thalamus.database.fetch("SELECT id FROM encrypted")) == []


def test_a_box_opens_only_for_its_own_row(home: Path) -> None:
    with engine(home) as thalamus:
        personal_memory(thalamus)
        thalamus.remember([Memory(content="My PIN is 4821.")])
    first = "SELECT ciphertext FROM encrypted AS one ORDER BY one.id LIMIT 1"
    edit(home, f"UPDATE encrypted SET ciphertext = ({first})")
    with engine(home) as thalamus:
        assert sorted(m.content == "(encrypted)" for m in thalamus.memories.find()) == [False, True]
        with thalamus.store.verify() as verified:
            assert [found.table for found in verified.findings()] == ["encrypted"]


def test_switched_off(home: Path) -> None:
    with engine(home, encrypt_personal=False) as thalamus:
        personal_memory(thalamus)
        assert CARD in texts(thalamus, "card")
    assert holding(home, CARD)


def test_rotation_keeps_what_is_encrypted(home: Path) -> None:
    with engine(home) as thalamus:
        turn(thalamus)
        subjects = dict((StoreKeys(thalamus.config).key_ring() or pytest.fail("no key")).subjects)
        thalamus.keys.rotate()
        held = StoreKeys(thalamus.config).key_ring()
        assert held is not None and held.subjects.keys() == subjects.keys()
        assert held.subjects != subjects
    with engine(home) as thalamus:
        assert CARD in texts(thalamus, "card number")


@pytest.fixture
def filled(home: Path, thalamus: Thalamus) -> Iterator[Path]:
    thalamus.turn(SAID)
    fact(thalamus)
    yield home


def test_shred(run: Run, filled: Path, tmp_path: Path) -> None:
    run("store", "backup", str(tmp_path / "copy.db"))
    assert CARD in run("retrieve", "card number").stdout
    assert run("key", "shred", "user").code == 2  # nobody can be asked
    assert run("key", "shred", "nobody", "--yes").code == 4
    assert run("key", "shred", "user", "--yes").code == 0
    assert run("key", "shred", "ana", "--yes").code == 0
    for _ in range(2):
        assert CARD not in run("retrieve", "card number").stdout + run("memory").stdout
        assert CARD not in run("export").stdout + run("trace", "--json").stdout
        assert run("doctor", "--signatures").code == 0
        assert run("turn", "The tide is high.").code == 0
        assert run("store", "restore", "--yes", str(tmp_path / "copy.db")).code == 0
    run("turn", "My new card number is 5500 0000 0000 0004.")  # with a key of its own
    assert "5500 0000" in run("retrieve", "card number").stdout


def test_numbers_of_any_size_come_back(home: Path) -> None:
    metadata = {"large": 2**70, "small": -(2**64), "exact": 0.1}
    memory = Memory(content="It is behind the gnome.", sensitivity="personal", metadata=metadata)
    with engine(home) as thalamus:
        thalamus.remember([memory])
    with engine(home) as thalamus:
        assert [found.metadata for found in thalamus.memories.find()] == [metadata]


def test_an_open_store_follows_what_others_change(run: Run, home: Path) -> None:
    """What was opened is kept in memory, but not beyond its change, its deletion or its key."""
    with engine(home) as kept:
        kept.turn(SAID, flow="answer,store")
        kept.remember([Memory(content=SAID)])
        assert CARD in texts(kept, "card number")
        run("turn", "My passport number is C01X00T47.")
        assert "C01X00T47" in texts(kept, "passport number")
        [memory] = (m for m in kept.memories.find() if CARD in m.content)
        run("memory", "edit", memory.id, "--content", "My card number is 5500 0000 0000 0004.")
        assert "5500 0000" in texts(kept, "card number")
        assert run("forget", "--query", "C01X00T47", "--yes").code == 0
        assert "C01X00T47" not in texts(kept, "passport number")
        assert run("key", "shred", "user", "--yes").code == 0
        assert "5500 0000" not in texts(kept, "card number")
        assert kept.database.search_text(["card", "number"], Filter(), 10) == []


def test_what_was_taken_back_is_not_found(home: Path) -> None:
    """Also if it was searched for before it was taken back, as a preview does."""
    with engine(home) as thalamus:
        thalamus.remember([Memory(content=SAID)])
        store = thalamus.database

        def found(word: str) -> int:
            return len(store.search_text([word], Filter(), 10))

        assert found("card") == 1
        with pytest.raises(RuntimeError), store.writing() as writer:
            writer.update("memory", {"content": "The heron nests by the lock."}, "true")
            assert (found("card"), found("heron")) == (0, 1)
            raise RuntimeError
        assert (found("card"), found("heron")) == (1, 0)


def test_an_interrupted_search_leaves_all_to_the_next_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in a chat ends what is being read, and the chat goes on."""

    def found(thalamus: Thalamus, word: str) -> int:
        return len(thalamus.database.search_text([word], Filter(), 10))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with engine(home) as thalamus:
        thalamus.remember([Memory(content=f"Gull {n}.", sensitivity="personal") for n in "abc"])
        for place in (
            "thalamus.store.encryption.search.text_of",
            "thalamus.store.bm25.kept_length",
        ):
            assert found(thalamus, "gull") == found(thalamus, "gull") == 3
            with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
                thalamus.remember([Memory(content=f"A heron, {place}.", sensitivity="personal")])
                patch.setattr(place, interrupt)
                found(thalamus, "gull")
            assert found(thalamus, "gull") == 3
        assert found(thalamus, "heron") == 2


def test_a_row_with_a_new_key_counts_once(home: Path) -> None:
    with engine(home) as thalamus:
        thalamus.remember([Memory(content=f"A gull, {n}.", sensitivity="personal") for n in "abc"])
        store = thalamus.database
        before = [hit.score for hit in store.search_text(["gull"], Filter(), 10)]
        [one, *_] = thalamus.memories.find()
        with store.writing() as writer:
            writer.renumber(one.stored_id)
        after = store.search_text(["gull"], Filter(), 10)
        assert [hit.score for hit in after] == before
        assert after[0].entry.id == one.id


def test_encrypted_rows_are_found_behind_many_of_others(home: Path) -> None:
    """However many better ones a filter leaves out, by words and by meaning."""
    with engine(home, user="bob") as thalamus:
        thalamus.remember(
            [Memory(content=f"The heron {n}.", sensitivity="personal") for n in range(60)]
        )
    with engine(home, user="ana") as thalamus:
        own = "Somebody said, in passing, that there once was a heron at the lock."
        thalamus.remember([Memory(content=own, sensitivity="personal")])
        thalamus.remember([Memory(content="The weather is fine today.")])
        model = thalamus.engine.models.embedder()
        assert model is not None
        vector = Vector(model.name, model.embed(["The heron 7."], "query")[0])
        for _ in range(2):
            found = thalamus.database.search(["heron"], vector, Filter(user="ana"), 2)
            assert [hit.entry.text for hit in found.text] == [own]
            assert own in [hit.entry.text for hit in found.vector]


def test_changes_of_this_process_are_followed(home: Path) -> None:
    """What is encrypted is read once, and again when it, or a plain part of its text, changes."""
    with engine(home) as thalamus:
        thalamus.remember(
            [Memory(content=SAID), Fact(predicate="card", object=CARD, subject="Ana")]
        )
        [memory] = thalamus.memories.find()
        assert {hit.entry.kind for hit in thalamus.database.search_text(["card"], Filter(), 9)} == {
            "memory",
            "fact",
        }
        content = "My card number is 5500 0000 0000 0004."
        edited = thalamus.memories.edit(memory.stored_id, content=content)
        assert "5500 0000" in texts(thalamus, "card number")
        with thalamus.database.writing() as writer:
            writer.update("fact", {"subject": "Zoe"}, "true")
        assert "Zoe" in texts(thalamus, "Zoe")
        thalamus.forget(ids=[edited.stored_id])
        assert "5500 0000" not in texts(thalamus, "card number")


@pytest.mark.parametrize("more", [3, 150])
def test_what_is_added_and_changed_is_found_by_meaning(home: Path, more: int) -> None:
    """Row by row, or all of them again where many were written."""
    with engine(home) as thalamus:
        model = thalamus.engine.models.embedder()
        assert model is not None

        def nearest(text: str) -> str:
            vector = Vector(model.name, model.embed([text], "document")[0])
            [hit] = thalamus.database.search([], vector, Filter(), 1).vector
            assert hit.score > 0.99
            return hit.entry.text

        thalamus.remember([Memory(content=SAID)])
        assert nearest(SAID) == SAID
        for start in (0, more):
            many = [f"The heron {n}, the gull {n * n}." for n in range(start, start + more)]
            made = thalamus.remember([Memory(content=c, sensitivity="personal") for c in many])
            assert [nearest(one) for one in many[:5]] == many[:5] and nearest(SAID) == SAID
        thalamus.memories.edit(made[0].stored_id, content="Something else, about owls.")
        assert nearest("Something else, about owls.") == "Something else, about owls."
        with pytest.raises(AssertionError):
            nearest(many[0])
