"""The golden data set of a scripted life: exactly the turns that succeeded."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.commands.conftest import Run
from tests.commands.extracting import script
from tests.stored import store_of
from thalamus.api import Thalamus
from thalamus.errors import UsageError
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.policy.evidence_text import user_words
from thalamus.policy.redaction import Redactor
from thalamus.records import Insight, Memory, StageLog, Turn
from thalamus.text.given_names import GIVEN_NAMES
from thalamus.transfer.export import Selection, export_lines
from thalamus.transfer.golden import (
    GoldenDataset,
    GoldenOptions,
    parse_split,
    part_of,
    write_dataset,
)
from thalamus.transfer.personality import personality_lines

NAMES = [name.title() for name in sorted(GIVEN_NAMES) if name.isascii()][:30]
SURNAMES = "Bosch Siemens Airbus Nokia Philips Renault Volvo Danone Ericsson Repsol".split()
CARD = "4111 1111 1111 1111"
SCRIPT = "- role: answer\n  match: quickly\n  error: failed\n"
LIFE = 5  # sessions
TALK = "answer,reflect,store"  # nothing is recalled


def personality(thalamus: Thalamus, dialogues: int = 20) -> Iterator[bytes]:
    now = thalamus.clock.stamp()
    return personality_lines(thalamus.database, now, dialogues, False, Selection())


class Life:
    """Five sessions of twenty turns, of which the test knows what they are."""

    def __init__(self, home: Path, **settings: Any) -> None:
        script = home / "script.yaml"
        home.mkdir(exist_ok=True)
        script.write_text(SCRIPT)
        given = {"recent_messages": 0, "profile_tokens": 0, "embedder": "scripted"} | settings
        self.thalamus = Thalamus(home=str(home), model=f"scripted:{script}", **given)
        self.golden: list[str] = []  # the ids of those that succeeded, in their order
        self.personal: list[str] = []
        self.why: Counter[str] = Counter()  # why the others are left out
        self.said = 0

    def say(self, message: str, session: str, kind: str) -> None:
        """``kind``: golden, personal, or why the turn is to be left out."""
        recalls = kind not in ("unused",)
        turn = Turn(message=message, session=session, user=session)
        done = self.thalamus.turn(turn, flow="classic" if recalls else TALK)
        self.said += 1
        if kind == "golden":
            self.golden.append(done.id or "")
        elif kind == "personal":
            self.personal.append(done.id or "")
        else:
            self.why[kind] += 1

    def session(self, number: int) -> None:
        one, two, three = NAMES[number * 3 : number * 3 + 3]
        right, wrong = SURNAMES[number], SURNAMES[number - 1]
        name = f"session {number}"

        def tell(who: str, first: str, last: str) -> tuple[str, str]:
            return f"My {who} is called {first} {last}.", "unused"

        def ask(who: str, more: str = "") -> str:
            return f"What is my {who} called{more}?"

        chat = [(f"The weather is fine, I think: day {number} {n}.", "unused") for n in range(9)]
        secret = [(f"My card number is {CARD}.", "unused"), ("What is my card number?", "personal")]
        corrected = [*chat[:2]]
        # one, two or three turns later
        corrected.insert(number % 3, tell("wife", one, right))
        turns = [
            *(tell("wife", one, wrong), (ask("wife"), "corrected"), *corrected),
            *(tell("mother", two, wrong), (ask("mother", ", quickly"), "issues")),
            *chat[2:4],
            *(chat[4], tell("father", three, wrong), (ask("father"), "golden"), *chat[5:8]),
            *(tell("father", three, right), tell("mother", two, right), (ask("mother"), "golden")),
            *(chat[8:] * 2 if number < LIFE - 1 else secret),
        ]
        assert len(turns) == 20
        for message, kind in turns:
            self.say(message, name, kind)


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Life]:
    life = Life(tmp_path_factory.mktemp("life"))
    for number in range(LIFE):
        life.session(number)
    assert life.said == 20 * LIFE
    yield life
    life.thalamus.close()


def rows(lines: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def read_back(*paths: Path) -> list[dict[str, Any]]:
    """The rows of files, as a trainer reads them."""
    datasets = pytest.importorskip("datasets")
    found = datasets.load_dataset(
        "json", data_files=[str(p) for p in paths], split="train", cache_dir=str(paths[0].parent)
    )
    return [*found]


def test_exactly_the_chains_that_succeeded(life: Life, tmp_path: Path) -> None:
    card = write_dataset(
        GoldenDataset(life.thalamus.engine, GoldenOptions()),
        tmp_path / "life",
        life.thalamus.engine,
    )
    found = rows((tmp_path / "life.jsonl").read_bytes().splitlines())
    assert [row["turn"] for row in found] == life.golden
    assert len(life.golden) == 2 * LIFE
    assert (card.turns, card.rows) == (20 * LIFE, 2 * LIFE)
    assert card.left_out == dict(life.why) | {"personal": len(life.personal)}
    for row in found:
        assert row["record"] == "golden" and row["final_synthesis"]
        assert any(item["used"] for item in row["recall_result"])
        assert row["outcome"]["used"] == sum(item["used"] for item in row["recall_result"])
        assert row["generated_plan"][-1]["query"] == row["impulse"]
        assert [item["rank"] for item in row["recall_result"]] == sorted(
            item["rank"] for item in row["recall_result"]
        )
        assert row["models"] == {"answer": "scripted:script.yaml"}


def test_datasets_reads_it(life: Life, tmp_path: Path) -> None:
    write_dataset(
        GoldenDataset(life.thalamus.engine, GoldenOptions()),
        tmp_path / "life",
        life.thalamus.engine,
    )
    assert [row["turn"] for row in read_back(tmp_path / "life.jsonl")] == life.golden


def test_personal_turns_only_when_asked(life: Life) -> None:
    options = GoldenOptions(personal=True, redacted=False)
    found = rows(GoldenDataset(life.thalamus.engine, options).lines())
    assert sorted(row["turn"] for row in found) == sorted(life.golden + life.personal)
    assert CARD in str(found)
    redacted = str(rows(GoldenDataset(life.thalamus.engine, GoldenOptions(personal=True)).lines()))
    assert CARD not in redacted and "[SECRET_1]" in redacted


def test_what_is_personal_and_was_not_used_is_left_out_of_a_row(
    thalamus: Thalamus, tmp_path: Path
) -> None:
    """A capable model reads all notes, so that one about a card would keep every turn out."""
    model = script(tmp_path / "script.json", {})
    given = {"model": model, "profile_tokens": 0, "min_score": 0.0}
    config = structs.replace(thalamus.config, **given)
    with Thalamus(config=config, clock=thalamus.clock) as engine:
        for message in (f"My card number is {CARD}.", "My father is called Otto Kern."):
            engine.turn(Turn(message=message, session=message), flow=TALK)
        asked = engine.turn(Turn(message="What is my father called?", session="later"))
        assert any(CARD in item.text for item in asked.evidence)
        found = rows(GoldenDataset(engine.engine, GoldenOptions(redacted=False)).lines())
        assert [row["turn"] for row in found] == [asked.id]
        assert "Otto Kern" in str(found) and CARD not in str(found)
        prompts = GoldenOptions(purpose="synthesizer", redacted=False)
        assert rows(GoldenDataset(engine.engine, prompts).lines()) == []


def test_names_are_redacted_unless_asked_otherwise(life: Life) -> None:
    redacted = b"".join(GoldenDataset(life.thalamus.engine, GoldenOptions()).lines()).decode()
    assert [name for name in NAMES if name in redacted] == []
    [first, *_] = rows(GoldenDataset(life.thalamus.engine, GoldenOptions()).lines())
    assert first["impulse"] == "What is my father called?"
    assert "My father is called [PERSON_1]" in first["final_synthesis"]
    [whole, *_] = rows(GoldenDataset(life.thalamus.engine, GoldenOptions(redacted=False)).lines())
    assert f"My father is called {NAMES[2]}" in whole["final_synthesis"]


def test_synthesizer_rows_are_chat_messages(life: Life, tmp_path: Path) -> None:
    options = GoldenOptions(purpose="synthesizer", redacted=False)
    write_dataset(
        GoldenDataset(life.thalamus.engine, options),
        tmp_path / "life",
        life.thalamus.engine,
    )
    found = rows((tmp_path / "life.jsonl").read_bytes().splitlines())
    assert [row["turn"] for row in found] == life.golden
    whole = {
        row["turn"]: row
        for row in rows(GoldenDataset(life.thalamus.engine, GoldenOptions(redacted=False)).lines())
    }
    for row in found:
        roles = [message["role"] for message in row["messages"]]
        assert roles[0] == "system" and roles[1:] == ["user", "assistant"] * (len(roles) // 2)
        assert row["messages"][-1]["content"] == whole[row["turn"]]["final_synthesis"]
        assert whole[row["turn"]]["impulse"] in row["messages"][-2]["content"]
        used = [item["text"] for item in whole[row["turn"]]["recall_result"] if item["used"]]
        said = [user_words(text) for text in used]
        assert any(text in row["messages"][-2]["content"] for text in said)
    loaded = read_back(tmp_path / "life.jsonl")
    assert [row["messages"] for row in loaded] == [row["messages"] for row in found]


def test_chat_rows_are_conversations(life: Life, tmp_path: Path) -> None:
    write_dataset(
        GoldenDataset(
            life.thalamus.engine,
            GoldenOptions(purpose="chat", redacted=False),
        ),
        tmp_path / "life",
        life.thalamus.engine,
    )
    found = rows((tmp_path / "life.jsonl").read_bytes().splitlines())
    assert len(found) == LIFE  # a row for each session
    for row in found:
        assert [m["role"] for m in row["messages"]] == ["user", "assistant"] * len(row["turns"])
        said = [message["content"] for message in row["messages"]]
        assert "What is my father called?" in said
        assert "What is my wife called?" not in said  # it was corrected
        assert not any("quickly" in text or CARD in text for text in said)
    assert [row["turns"] for row in read_back(tmp_path / "life.jsonl")] == [
        r["turns"] for r in found
    ]


def test_planner_rows_have_the_prompt_and_the_plan(tmp_path: Path) -> None:
    life = Life(tmp_path, planner="model")
    with life.thalamus as thalamus:
        thalamus.turn("My friend Ana works at Bosch.")
        thalamus.turn("I meet Ana tomorrow.")
        done = thalamus.turn("Where does Ana work?")
        assert done.retrieval_instructions[0].query  # of the plan
        found = rows(
            GoldenDataset(thalamus.engine, GoldenOptions(purpose="planner", redacted=False)).lines()
        )
        [row] = [row for row in found if row["turn"] == done.id]
    assert [message["role"] for message in row["messages"]] == ["user", "assistant"]
    assert "retrieval_instructions" in json.loads(row["messages"][1]["content"])
    assert "I meet Ana tomorrow." in row["messages"][0]["content"]


# -- files -----------------------------------------------------------------------------------------


def test_split_by_session(life: Life, tmp_path: Path) -> None:
    split = parse_split("train=0.7,test=0.3")
    card = write_dataset(
        GoldenDataset(life.thalamus.engine, GoldenOptions(split=split)),
        tmp_path / "life",
        life.thalamus.engine,
    )
    parts_of = train, test = tmp_path / "life.train.jsonl", tmp_path / "life.test.jsonl"
    parts = {part.name: part for part in card.files}
    assert set(parts) == {train.name, test.name}
    for path in (train, test):
        data = path.read_bytes()
        assert hashlib.sha256(data).hexdigest() == parts[path.name].sha256
        assert len(data.splitlines()) == parts[path.name].rows
        assert path.stat().st_mode & 0o077 == 0
    ids = {path: [row["turn"] for row in rows(path.read_bytes().splitlines())] for path in parts_of}
    assert sorted(ids[train] + ids[test]) == sorted(life.golden)
    found = {path: life.thalamus.database.by_ids(Turn, ids[path]) for path in ids}
    sessions = {path: {turn.session for turn in turns} for path, turns in found.items()}
    assert sessions[train] and sessions[train].isdisjoint(sessions[test])
    names = [f"session {n}" for n in range(LIFE)]
    assert sessions[test] == {name for name in names if part_of(name, split) == "test"}
    kept = json.loads((tmp_path / "life.card.json").read_bytes())
    assert kept["split"] == {"train": 0.7, "test": 0.3}
    text = (tmp_path / "life.card.md").read_text()
    assert parts[train.name].sha256 in text and "10 rows of 100 turns" in text
    again = write_dataset(
        GoldenDataset(life.thalamus.engine, GoldenOptions(split=split)),
        tmp_path / "again",
        life.thalamus.engine,
    )
    assert [part.sha256 for part in again.files] == [part.sha256 for part in card.files]


def test_shares_are_kept() -> None:
    split = parse_split("train=0.9,test=0.1")
    parts = Counter(part_of(f"session {n}", split) for n in range(5000))
    assert 0.88 < parts["train"] / 5000 < 0.92


@pytest.mark.parametrize("text", ["", "train", "train=1,test=1", "train=x", "a=0.5,a=0.5", "a/b=1"])
def test_splits_that_cannot_be(text: str) -> None:
    with pytest.raises(UsageError, match="invalid --split"):
        parse_split(text)


def test_forget_says_which_files_hold_it(tmp_path: Path) -> None:
    life = Life(tmp_path / "home")
    with life.thalamus as thalamus:
        life.session(0)
        life.session(1)
        write_dataset(
            GoldenDataset(thalamus.engine, GoldenOptions()),
            tmp_path / "all",
            thalamus.engine,
        )
        only = GoldenOptions(selection=Selection(session="session 1"))
        write_dataset(
            GoldenDataset(thalamus.engine, only),
            tmp_path / "one",
            thalamus.engine,
        )
        name = NAMES[2]  # of session 0
        report = thalamus.forget(ForgetOptions(query=name, dry_run=True))
        assert report.exports == [str(tmp_path / "all.jsonl")]
        report = thalamus.forget(ForgetOptions(query=name))
        assert report.complete and report.exports == [str(tmp_path / "all.jsonl")]
        assert report.event("now").data["exports"] == report.exports
        again = thalamus.forget(ForgetOptions(session="session 1"))
        assert again.exports == [str(tmp_path / "all.jsonl"), str(tmp_path / "one.jsonl")]
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []
    assert life.golden


@pytest.mark.sqlite
def test_a_forgotten_word_is_in_nothing_that_is_made_afterwards(tmp_path: Path) -> None:
    life = Life(tmp_path / "home", planner="model")
    with life.thalamus as thalamus:
        life.session(0)
        life.session(1)
        name = NAMES[2]
        write_dataset(
            GoldenDataset(thalamus.engine, GoldenOptions()),
            tmp_path / name,
            thalamus.engine,
        )  # the name of the file is forgotten, too
        assert thalamus.forget(ForgetOptions(query=name)).complete
        for purpose in (None, "planner", "synthesizer", "chat"):
            options = GoldenOptions(purpose=purpose, redacted=False, personal=True)  # type: ignore[arg-type]
            made = b"".join(GoldenDataset(thalamus.engine, options).lines())
            assert name.encode() not in made
            assert made or purpose == "planner"
        everything = b"".join(export_lines(thalamus.database, Selection(logs=True)))
        assert name.encode() not in everything and b'"stage_log"' in everything
        assert name.encode() not in b"".join(personality(thalamus))
        assert name not in str([*thalamus.database.each(StageLog)])
        assert thalamus.database.fetch("SELECT id FROM exported_file") == []
        folder = thalamus.store.file.parent
    assert [p for p in folder.glob("thalamus.db*") if name.encode() in p.read_bytes()] == []


# -- redaction -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("Ana and Ana Sousa met Bruno.", "[PERSON_1] and [PERSON_1] met [PERSON_2]."),
        ("Ana's aunt is Tilde.", "[PERSON_1]'s aunt is [PERSON_2]."),
        ("Write to ana.sousa@example.org.", "Write to [EMAIL_1]."),
        ("Call +351 912 345 678 now.", "Call [PHONE_1] now."),
        ("Call (030) 123-4567 now.", "Call [PHONE_1] now."),
        ("On 2026-05-08 it was 20,000.", "On 2026-05-08 it was 20,000."),
        ("I live at 12 Baker Street.", "I live at [ADDRESS_1]."),
        ("Ich wohne in der Lindenstraße 12.", "Ich wohne in der [ADDRESS_1]."),
        ("Moro na Rua do Ouro, 30.", "Moro na [ADDRESS_1]."),
        ("My password is hunter2, really.", "[SECRET_1], really."),
        (f"It is {CARD}.", "It is [SECRET_1]."),
        ("The key is sk-abcdefghijklmnopqrstuvwx.", "The key is [SECRET_1]."),
        ("The cat is called Zebulon.", "The cat is called [PERSON_1]."),
        ("We will rise in May.", "We will rise in May."),
    ],
)
def test_redaction(text: str, redacted: str) -> None:
    assert Redactor(["Zebulon"])(text) == redacted


def test_placeholders_are_the_same_within_a_row() -> None:
    redactor = Redactor()
    said = {"id": "Ana", "a": ["Ana met Bruno."], "b": "Bruno met ana@x.org"}
    row = redactor.each(said, frozenset({"id"}))
    assert row == {
        "id": "Ana",
        "a": ["[PERSON_1] met [PERSON_2]."],
        "b": "[PERSON_2] met [EMAIL_1]",
    }


# -- the personality -------------------------------------------------------------------------------


def test_a_personality_moves_into_another_store(tmp_path: Path, run: Run) -> None:
    life = Life(tmp_path / "one")
    with life.thalamus as thalamus:
        life.session(0)
        thalamus.remember(
            [
                Memory(
                    content="The assistant is called Iris.", type="assistant_identity", scope="core"
                ),
                Memory(
                    content="The assistant speaks in short sentences.", type="persona", scope="core"
                ),
            ]
        )
        with thalamus.database.writing() as writer:
            for strength in (1.0, 3.0):
                writer.add(
                    Insight(
                        id=f"ins_{strength:g}",
                        content=f"Work and friends go together {strength:g} times.",
                        concepts=["work", "friends"],
                        strength=strength,
                        created_at="2026-05-08T13:56:00Z",
                        recorded_at="2026-05-08T13:56:00Z",
                    )
                )
        lines = [*personality(thalamus, 1)]
        head, *records = rows(lines)
    assert (head["record"], head["memories"], head["insights"]) == ("personality", 2, 2)
    assert [r["record"] for r in records] == ["memory", "memory", "insight", "insight", "turn"]
    assert [r["strength"] for r in records if r["record"] == "insight"] == [3.0, 1.0]
    assert records[-1]["id"] in life.golden

    def store(home: str, *arguments: str) -> Any:
        return run(
            "import", "-", *arguments, input=data, env={"THALAMUS_HOME": str(tmp_path / home)}
        )

    data = b"".join(lines)
    assert store("two").code == 0
    two = tmp_path / "two"
    settings = {"home": str(two), "store": store_of(two), "model": "scripted"}
    with Thalamus(embedder="scripted", **settings) as thalamus:
        assert [m.content for m in thalamus.memories.find()] == [
            "The assistant speaks in short sentences.",
            "The assistant is called Iris.",
        ]
        insights = [*thalamus.database.each(Insight)]
        assert sorted(insight.strength for insight in insights) == [1.0, 3.0]
        [turn] = thalamus.database.each(Turn)
        assert turn.id in life.golden and turn.metadata == {"distilled": True}
        asked = thalamus.turn("What is your name?")
        logs = {log.stage: log for log in thalamus.sessions.stage_logs(asked.id or "")}
        assert "Iris" in logs["answer"].messages[0].content
    refused = store("two")
    assert refused.code == 2 and "not empty" in refused.stderr
    assert store("two", "--merge").code == 0


# -- the command -----------------------------------------------------------------------------------


@pytest.mark.sqlite  # of the life, which is in files
def test_the_command(life: Life, tmp_path: Path, run: Run) -> None:
    env = {"THALAMUS_HOME": life.thalamus.config.home}
    lines = run("export", "--format", "golden", env=env)
    assert [row["turn"] for row in lines.records] == life.golden
    name = str(tmp_path / "life.jsonl")
    made = run("export", "--format", "golden", "-o", name, "--split", "a=0.5,b=0.5", env=env)
    assert (made.code, made.stdout) == (0, "")
    assert sorted(path.name for path in tmp_path.glob("life.*")) == [
        *("life.a.jsonl", "life.b.jsonl", "life.card.json", "life.card.md"),
    ]
    named = run("export", "--format", "golden", str(tmp_path / "named.jsonl"), env=env)
    assert named.stdout == "" and (tmp_path / "named.card.md").is_file()
    assert (tmp_path / "named.jsonl").read_text() == lines.stdout
    messages = run("export", "--format", "golden", "--for", "synthesizer", env=env)
    assert all(set(row) == {"messages", "turn"} for row in messages.records)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--for", "chat"), "--for requires --format golden"),
        (("--no-redacted",), "--no-redacted requires --format golden"),
        (("--personal",), "--personal requires --format golden or persona"),
        (("--format", "golden", "--split", "a=1"), "--split requires FILE"),
        (("--format", "golden", "-o", "x", "y"), "FILE and --output cannot be combined"),
        (("--format", "golden", "-o", "x", "--split", "a=2"), "invalid --split"),
        (("--format", "golden", "--kind", "turn"), "--kind and --format golden"),
        pytest.param(
            ("--format", "golden", "-o", "/nowhere/x"),
            "Cannot write /nowhere",
            marks=pytest.mark.sqlite,  # of the life, which is in files
        ),
    ],
)
def test_options_that_cannot_be(
    arguments: tuple[str, ...], said: str, run: Run, life: Life
) -> None:
    done = run("export", *arguments, env={"THALAMUS_HOME": life.thalamus.config.home})
    assert done.code == 2 and said in done.stderr, done.stderr


def test_sessions_of_two_users_are_two_conversations(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    for user, said in (("ana", "My cat is called Fado."), ("ben", "My boat is called Nele.")):
        with Thalamus(home=home, model="scripted", embedder="scripted", user=user) as thalamus:
            for message in (said, f"What is my {said.split()[1]} called?"):
                thalamus.turn(message)
    with Thalamus(home=home, model="scripted", embedder="scripted") as thalamus:
        dataset = GoldenDataset(thalamus.engine, GoldenOptions(purpose="chat", redacted=False))
        found = [[one["content"] for one in row.data["messages"]] for row in dataset.rows()]
    assert len(found) == 2
    assert not any("Fado" in str(row) and "Nele" in str(row) for row in found)
