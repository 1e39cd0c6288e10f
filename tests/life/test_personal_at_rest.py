"""A search for the bytes of personal data in every file of a store, whatever way they came in."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from stdnum.luhn import calc_check_digit

from tests.commands.planted import left, word
from tests.conftest import Result
from tests.store.test_encryption import engine
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Dialogue, Evidence, Fact, Memory, Reflection, Turn
from thalamus.store.encryption import contents

Run = Callable[..., Result]
PLANTED = 4  # values of each kind in most tests
AT = "2026-03-01T10:00:00Z"


class Value(NamedTuple):
    """A planted value, the sentence that says it, and the strings to search for."""

    text: str
    sentence: str
    traces: tuple[str, ...]


def digits(seed: str, count: int) -> str:
    return "".join(random.Random(seed).choices("123456789", k=count))


def email(n: int) -> Value:
    name, domain = word(f"name{n}"), word(f"domain{n}")
    text = f"{name}@{domain}.example"
    return Value(text, f"Write to {text} about the boat.", (name, domain))


def phone(n: int) -> Value:
    area, rest = digits(f"area{n}", 4), digits(f"rest{n}", 4)
    text = f"+351 9{area} {rest}"
    return Value(text, f"Call {text} about the boat.", (text, text.replace(" ", ""), area + rest))


def iban(n: int) -> Value:
    account = digits(f"iban{n}", 18)
    check = 98 - int(f"{account}131400") % 97
    text = f"DE{check:02}{account}"
    spaced = " ".join(text[i : i + 4] for i in range(0, 22, 4))
    return Value(spaced, f"Pay for the boat to {spaced}.", (text, spaced, account[:10]))


def card(n: int) -> Value:
    body = f"4{digits(f'card{n}', 14)}"
    text = body + calc_check_digit(body)
    return Value(text, f"The boat was paid for with {text}.", (text, text[4:]))


def key(n: int) -> Value:
    text = f"sk-proj-{word(f'key{n}')}A1{word(f'end{n}')}"
    return Value(text, f"The boat server takes {text}.", (word(f"key{n}"), word(f"end{n}")))


FORMS = {made.__name__: made for made in (email, phone, iban, card, key)}
# what only its predicate, or the label of a model, makes personal
PREDICATES = {
    "address": ("The user lives at {} Street 12.", "{} Street 12"),
    "mobile": ("The user can be called at {}.", "0912 {}"),
    "work_email": ("The user can be reached at {}.", "{} at work"),
    "born_on": ("The user was born on {}.", "the ides of {}"),
    "birthday": ("The user has a party on {}.", "{} eve"),
    "has_condition": ("The user suffers from {}.", "{}"),
    "diagnosis": ("The user was told it is {}.", "{}"),
    "takes_medication": ("The user takes {} each night.", "{}"),
    "allergic_to": ("The user cannot stand {}.", "{}"),
    "salary": ("The user gets {} crowns a year.", "{} crowns"),
    "wifi_password": ("The user opens it with {}.", "{}"),
}


def neutral(n: int) -> Value:
    name = word(f"neutral{n}")
    return Value(name, f"The user grows {name} in the garden.", (name,))


def values(kind: str, count: int = PLANTED) -> list[Value]:
    if kind in FORMS:
        return [FORMS[kind](n) for n in range(count)]
    sentence, object = PREDICATES[kind]
    found = []
    for n in range(count):
        name = word(f"{kind}{n}")
        text = object.format(name)
        found.append(Value(text, sentence.format(text), (name,)))
    return found


def of_each(kinds: Iterable[str], count: int = PLANTED) -> list[Value]:
    return [value for kind in kinds for value in values(kind, count)]


def all_of(found: Sequence[Value]) -> list[str]:
    return [trace for value in found for trace in value.traces]


def check(home: Path, private: Sequence[Value], recalled: Sequence[Value] = ()) -> None:
    """No file holds what is personal; what is not does stand in one."""
    plain = [neutral(n) for n in range(PLANTED)]
    with engine(home) as thalamus:
        thalamus.remember([Memory(content=value.sentence) for value in plain])
        assert left(home / "data", *all_of(private)) == []  # while the log is open
        thalamus.database.rebuild_indexes()
        for value in recalled:
            found = "\n".join(item.text for item in thalamus.recall(value.sentence))
            assert value.text in found, value
        assert thalamus.database.check() == []
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []
    assert left(home, *all_of(private)) == []
    for value in plain:
        assert left(home, *value.traces) != [], value


@pytest.fixture
def tell(run: Run, tmp_path: Path) -> Callable[..., Result]:
    """Runs a command with a model that finds one memory and one fact in each sentence."""

    def told(found: Sequence[tuple[Value, str]], *arguments: str, **more: str) -> Result:
        entries = []
        for value, predicate in found:
            memory = {"quote": value.sentence, "content": value.sentence, "type": "observation"}
            fact = {
                "quote": value.sentence,
                "subject": "user",
                "predicate": predicate,
                "object": value.text,
            }
            reply = {"memories_to_store": [memory], "facts": [fact], "no_longer": []}
            entries.append({"role": "reflect", "match": re.escape(value.text), "reply": reply})
        script = tmp_path / "script.json"
        script.write_text(json.dumps(entries))
        done = run(*arguments, "--model", f"scripted:{script}", **more)
        assert done.code == 0, done.stderr
        return done

    return told


def test_turns(tell: Callable[..., Result], home: Path) -> None:
    told, first = [], []
    for kind in (*FORMS, *PREDICATES):
        found = values(kind) if kind in FORMS else values(kind, 2)
        told += [(value, kind if kind in PREDICATES else "boat") for value in found]
        first.append(found[0])
    turns = [{"record": "turn", "message": value.sentence} for value, _ in told]
    tell(told, "turn", "-", input="".join(json.dumps(turn) + "\n" for turn in turns))
    check(home, [value for value, _ in told], first)


def test_the_search_finds_what_is_not_encrypted(home: Path) -> None:
    found = of_each([*FORMS, *PREDICATES], 2)
    with engine(home, encrypt_personal=False) as thalamus:
        facts = [Fact(subject="user", predicate="boat", object=value.text) for value in found]
        thalamus.remember(facts)
        for value in found:
            assert any(left(home, trace) for trace in value.traces), value


def records(kind: str) -> list[dict[str, object]]:
    """One for each place of a record that may hold a value, each with another value."""
    found = []
    for place, value in enumerate(values(kind, 12)):
        text, said = value.text, value.sentence
        id = f"mem_green_{kind}_{place}"
        memory = {"record": "memory", "content": "The boat is green.", "id": id}
        fact = {"subject": "user", "predicate": "boat", "object": "green"}
        source = {"provenance": {"quote": said}}
        found.append(
            [
                {"record": "memory", "content": said},
                {**memory, "topic": text},
                {**memory, "metadata": {"known": [text]}},
                {**memory, **source},
                {"record": "fact", "subject": "user", "predicate": "boat", "object": text},
                {"record": "fact", **fact, "quote": said},
                {"record": "fact", **fact, **source},
                {"record": "turn", "message": said},
                {"record": "turn", "message": "Which boat?", "answer": said},
                {"record": "turn", "message": "Which boat?", "metadata": {"known": text}},
                {"record": "reflection", "facts": [{**fact, "object": text}]},
                {"record": "reflection", "memories_to_store": [{"content": said}]},
            ][place]
        )
    return found


def test_records(run: Run, home: Path) -> None:
    lines = "".join(json.dumps(record) + "\n" for kind in FORMS for record in records(kind))
    done = run("store", input=lines)
    assert done.code == 0, done.stderr
    check(home, of_each(FORMS, 12), of_each(FORMS, 1))


def test_documents(run: Run, home: Path, tmp_path: Path) -> None:
    found = of_each(FORMS)
    note = tmp_path / "boat.md"
    filler = "The boat lies in the harbour, and nobody has painted it for years. " * 12
    note.write_text("".join(f"# Boat\n\n{filler}\n\n{value.sentence}\n\n" for value in found))
    done = run("ingest", str(note))
    assert done.code == 0, done.stderr
    check(home, found, of_each(FORMS, 1))
    first, *others = of_each(FORMS, 1)
    export = run("export").stdout
    assert [value for value in (first, *others) if value.text not in export] == []
    assert run("forget", "--query", first.text, "--yes").code == 0
    with engine(home) as thalamus:
        for value in others:
            assert thalamus.forget(ForgetOptions(query=value.text)).complete, value
    export = run("export").stdout
    assert [value for value in (first, *others) if value.text in export] == []


def test_conversations_of_others(run: Run, home: Path, tmp_path: Path) -> None:
    chats = []
    for kind in FORMS:
        found = values(kind)
        said = [
            {"uuid": f"{kind}{n}", "sender": "human", "text": value.sentence, "created_at": AT}
            for n, value in enumerate(found)
        ]
        chat = {"uuid": kind, "name": found[0].text, "created_at": AT, "updated_at": AT}
        chats.append(chat | {"chat_messages": said})
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps(chats))
    done = run("import", "--from", "claude", str(file))
    assert done.code == 0, done.stderr
    check(home, of_each(FORMS), of_each(FORMS, 1))


@pytest.mark.parametrize(("kind", "predicate"), [("email", "boat"), ("address", "address")])
def test_facts_by_hand(run: Run, home: Path, kind: str, predicate: str) -> None:
    found = values(kind, 8)
    ids = []
    for value in found[:4]:
        done = run("facts", "add", "user", predicate, value.text, "--from", "2026-01-01", "--json")
        assert done.code == 0, done.stderr
        ids.append(done.records[0]["id"])
    wrong, right, *rest = found[4:]
    kept = run("facts", "add", "Bea", predicate, wrong.text, "--json").records[0]["id"]
    reason = f"it is {rest[0].text}"
    assert run("facts", "correct", kept, right.text, "--reason", reason).code == 0
    assert run("facts", "end", ids[3], "--at", "2026-02-01").code == 0
    run("facts", "retract", ids[3], "--reason", rest[1].text)
    assert run("facts", "merge", "Bea", "Beatrice").code == 0
    export = run("export").stdout
    assert right.text in export
    assert run("undo").code == 0
    check(home, found)
    other = home.parent / "other"
    assert run("import", "-", input=export, env={"THALAMUS_HOME": str(other)}).code == 0
    assert left(other, *all_of(found)) == []


def test_chat(tell: Callable[..., Result], home: Path) -> None:
    found = of_each(["email", "has_condition"])
    lines = "".join(f"{value.sentence}\n" for value in found)
    told = [(value, "has_condition") for value in found]
    tell(told, "chat", input=f"{lines}What did I say?\n/undo\n")
    check(home, found[:-1], found[:2])


def test_labels(run: Run, home: Path, tmp_path: Path) -> None:
    """A label of one item, kept or refused, holds for all that share its words."""
    told = []
    found = [word(f"label{n}") for n in range(6)]
    for place, name in enumerate(found):
        quote = f"I keep {name} with my brother every spring"
        content = f"The user keeps {name} with a brother every spring."
        memory = {"quote": quote, "content": content, "type": "observation"}
        fact = {"quote": f"I keep {name}", "subject": "user", "predicate": "keeps", "object": name}
        personal = {"sensitivity": "personal"}
        invented = {"object": f"{name} of Aldebaran"}
        made_up = {"content": f"The user keeps {name} with Aldebaran."}
        replies = [
            ([memory], [fact | personal]),
            ([memory | personal], [fact]),
            ([memory | made_up], [fact | personal]),
            ([memory], [fact | personal | invented]),
            ([memory], [fact | invented | {"predicate": "religion"}]),
            ([], [fact | personal | {"quote": "nobody said so"}]),
        ]
        memories, facts = replies[place]
        reply = {"memories_to_store": memories, "facts": facts}
        told.append({"role": "reflect", "match": f"(?s)<user_message>.*{name}", "reply": reply})
    script = tmp_path / "script.json"
    script.write_text(json.dumps(told))
    model = f"scripted:{script}"
    for name in found:
        message = f"I keep {name} with my brother every spring."
        assert run("turn", message, "--model", model, "--session", name[:1]).code == 0
    rest = run("export").stdout
    assert "Aldebaran" in rest  # quarantined
    assert all(rest.count(name) > 1 for name in found)
    assert left(home, *found, "Aldebaran") == []


def test_words_of_encrypted_turns(home: Path) -> None:
    """A turn that repeats them is encrypted, whether these came just before or were recalled; one
    that does not is plain."""
    name, pin = word("repeated"), "743815"
    fact = Fact(subject="user", predicate="has_condition", object=name)
    known = Turn(id="turn_1", message="I have it.", reflection=Reflection(facts=[fact]))
    code = Turn(id="turn_2", message=f"My PIN is {pin}.", answer="Noted.")
    before = Dialogue(shown=["turn_1", "turn_2"])
    recalled = [Evidence(id=id, kind="turn", text="…") for id in ("turn_1", "turn_2")]
    with engine(home) as thalamus:
        thalamus.remember([known, code])
        for answer in (f"It is {name}.", f"It is {pin}."):
            thalamus.remember([Turn(message="Which?", answer=answer, dialogue=before)])
            thalamus.remember([Turn(message="Which?", answer=answer, evidence=recalled)])
        plain = "It is zucchini."
        thalamus.remember([Turn(message="Which?", answer=plain, dialogue=before)])
        thalamus.remember([Turn(message="Which?", answer=plain, evidence=recalled)])
        assert contents.count(thalamus.database)["turn"] == 6
    assert left(home, name, pin) == []
    assert left(home, "zucchini") != []


def test_plans_repeat_anything(run: Run, home: Path, tmp_path: Path) -> None:
    """Planned and refused instructions of a turn that is plain itself."""
    name, other = word("planned"), word("refused")
    instructions = [{"mode": "all", "query": f"tide {name}"}, {"mode": "all", "query": other}]
    entry = {"role": "plan", "reply": {"retrieval_instructions": instructions}}
    script = tmp_path / "script.json"
    script.write_text(json.dumps([entry, {"role": "plan", "reply": f"No plan for {other}."}]))
    with engine(home, model=f"scripted:{script}") as thalamus:
        thalamus.turn("The tide is high.")
    assert left(home, name, other) == []
    assert left(home, "The tide is high") != []
