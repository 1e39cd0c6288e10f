"""The decision on what is stored encrypted."""

from __future__ import annotations

import pytest

from thalamus.memory.personal import is_personal, mark_personal, subject_of
from thalamus.records import (
    Dialogue,
    Ending,
    Evidence,
    Fact,
    Memory,
    ProfileLine,
    Provenance,
    Reflection,
    Turn,
    Verdict,
)


class Encrypted:
    """Encrypted records by id, with their texts, which every turn shown states."""

    def __init__(self, **texts: str) -> None:
        self._texts = texts

    def behind(self, turns: list[str], ids: list[str]) -> list[str] | None:
        if any(id in self._texts for id in ids):
            return None
        return list(self._texts.values()) if turns else []


def quoted(content: str, quote: str, **more: object) -> Memory:
    memory = Memory(content=content, provenance=Provenance(quote=quote))
    for name, value in more.items():
        setattr(memory, name, value)
    return memory


@pytest.mark.parametrize(
    "predicate",
    "phone email address born_on birthday has_condition takes_medication allergic_to salary "
    "wifi_password pin login_pin api_key work_phone home_address diagnosis iban".split(),
)
def test_personal_predicates(predicate: str) -> None:
    assert is_personal(Fact(subject="user", predicate=predicate, object="under the gnome"))


@pytest.mark.parametrize(
    "predicate", "likes lives_in works_at age name pinned has_pin_board".split()
)
def test_other_predicates(predicate: str) -> None:
    assert not is_personal(Fact(subject="user", predicate=predicate, object="passwords in films"))


def test_any_text_of_a_record_counts() -> None:
    card, plain = "4111111111111111", "It is known."
    assert is_personal(Fact(subject="user", predicate="pays_with", object="it", quote=card))
    assert is_personal(Memory(content=plain, topic="ana@example.org"))
    assert is_personal(Memory(content=plain, metadata={"known": [{"as": "ana@example.org"}]}))
    assert is_personal(quoted(plain, f"my card {card}"))
    assert not is_personal(quoted(plain, plain))


def test_what_shares_words_with_something_personal() -> None:
    condition = Fact(
        subject="user", predicate="has_condition", object="Epilepsy", quote="I have epilepsy"
    )
    told = quoted("The user has epilepsy and a boat.", "I have epilepsy and a boat")
    boat = Fact(subject="user", predicate="owns", object="a boat", quote="a boat")
    tea = quoted("The user likes tea.", "I like tea")
    marked = quoted("The user keeps Lent.", "I keep Lent", sensitivity="personal")
    lent = Fact(subject="user", predicate="keeps", object="Lent", quote="keep Lent")
    reflection = Reflection(memories_to_store=[told, tea, marked], facts=[condition, boat, lent])
    mark_personal(reflection)
    private = [one for one in (told, tea, marked, condition, boat, lent) if is_personal(one)]
    assert private == [told, marked, condition, lent]


def turn(message: str = "How is the boat?", **more: object) -> Turn:
    made = Turn(message=message, user="ana")
    for name, value in more.items():
        setattr(made, name, value)
    return made


def test_turns() -> None:
    known = Encrypted(fact_1="epilepsy")
    fact = Fact(subject="user", predicate="has_condition", object="it")
    refused = Verdict(decision="refuse", rule="x", reason="x", sensitivity="personal")
    changed = Fact(subject="user", predicate="likes", object="tea", replaces="fact_1")
    before = Evidence(id="turn_1", kind="turn", text="User: I have epilepsy.")
    line = ProfileLine(kind="food", text="The user has epilepsy.", ids=["fact_1"])
    evidence = Evidence(id="fact_1", kind="fact", text="user has condition epilepsy")
    private = [
        turn("Write to ana@example.org."),
        turn(answer="It is ana@example.org."),
        turn(metadata={"from": "ana@example.org"}),
        turn(evidence=[evidence]),
        turn(reflection=Reflection(facts=[fact])),
        turn(reflection=Reflection(facts=[changed])),
        turn(reflection=Reflection(refused=[refused])),
        turn(reflection=Reflection(no_longer=[Ending(id="fact_1")])),
        turn(answer="Mind the epilepsy.", profile=[line]),
        turn(answer="Because of the epilepsy.", evidence=[before]),
        turn(answer="Because of the epilepsy.", dialogue=Dialogue(shown=["turn_1"])),
    ]
    assert [subject_of(one, known) for one in private] == ["ana"] * len(private)
    plain = [
        turn(),
        turn(answer="Because of the epilepsy."),  # from elsewhere
        turn(answer="It floats.", evidence=[before]),
        turn(answer="It floats.", profile=[line]),
        turn(answer="It floats.", dialogue=Dialogue(shown=["turn_1"])),
    ]
    assert [subject_of(one, known) for one in plain] == [None] * len(plain)


def test_subjects() -> None:
    known = Encrypted()
    assert subject_of(Fact(subject="Bea", predicate="phone", object="1"), known) == "bea"
    assert subject_of(Fact(subject="User", predicate="phone", object="1"), known) == "user"
    assert subject_of(Memory(content="x", sensitivity="personal", user="ana"), known) == "ana"
