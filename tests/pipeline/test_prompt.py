"""What stands in the prompt of an answer, and what `why` says of the rest."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from tests.commands.extracting import script
from tests.conftest import Result
from thalamus import Thalamus
from thalamus.pipeline.prompt import build_prompt
from thalamus.records import Evidence, Memory, Turn
from thalamus.turn_run import TurnRun

Run = Callable[..., Result]
PROMPTS = Path(__file__).parent.parent.parent / "prompts"


@pytest.fixture
def engine(thalamus: Thalamus, tmp_path: Path) -> Thalamus:
    """An engine with a model that is large enough for the one prompt."""
    said = "My brother Tom keeps bees in Porto."
    model = script(
        tmp_path / "script.json",
        {
            said: [
                {"content": "The user's brother Tom keeps bees in Porto."},
                {"predicate": "brother", "object": "Tom"},
            ],
        },
    )
    engine = Thalamus(config=structs.replace(thalamus.config, model=model), clock=thalamus.clock)
    engine.turn(Turn(message=said, session="first"))
    engine.turn(Turn(message="The kettle is broken again.", session="first"))
    return engine


def last_message(engine: Thalamus, message: str) -> str:
    messages, _, _ = build_prompt(Turn(message=message, session="later"), TurnRun(engine.engine))
    return messages[-1].content


def test_all_that_is_known_stands_there_while_it_finds_room(engine: Thalamus) -> None:
    shown = last_message(engine, "What shall I cook tonight?")
    assert "keeps bees in Porto" in shown and "“The kettle is broken again.”" in shown
    assert shown.count("Porto") == 1  # a memory stands for its turn and its facts


def test_what_is_known_stands_there_however_much_was_said(engine: Thalamus) -> None:
    """No number of messages makes the notes fall to a few: a message more takes the place of
    others."""
    said = [Turn(message=f"Volume {n} is on the shelf.", session="small talk") for n in range(600)]
    engine.remember(said)
    shown = last_message(engine, "Zanzibar?")
    assert "keeps bees in Porto" in shown
    assert shown.count("is on the shelf") > 50
    assert "Volume 7 is" in last_message(engine, "Where is volume 7?")


def test_memories_take_at_most_half_of_the_room(engine: Thalamus) -> None:
    facts = [f"The user has read volume {n} of the encyclopedia." for n in range(400)]
    engine.remember([Memory(content=fact) for fact in facts])
    shown = last_message(engine, "What is wrong in the kitchen?")
    assert "“The kettle is broken again.”" in shown and shown.count("encyclopedia") > 50


def test_a_short_reply_stands_with_the_question_that_it_answers(engine: Thalamus) -> None:
    asked = "There are two trains. Shall I note the one at nine or the one at noon?"
    engine.remember(
        [
            Turn(message="I go to Braga by train tomorrow.", answer=asked, session="trip"),
            Turn(message="the second one", answer="All right.", session="trip"),
            Turn(message="Braga has a train museum, I hear, near the old station.", session="trip"),
        ]
    )
    shown = last_message(engine, "When does my train leave?")
    question = "Shall I note the one at nine or the one at noon?"
    assert f"(you had asked: “{question}”) “the second one”" in shown
    assert shown.count("you had asked") == 1


def test_a_block_of_notes_is_shortened_around_the_question_as_in_the_prompt(
    engine: Thalamus,
) -> None:
    long = f"Look at this: {'blah ' * 3000}the boiler is a Vaillant, {'blah ' * 3000}"
    evidence = [Evidence(id="turn_a", kind="turn", text=f"User: {long}")]
    assert "Vaillant" in engine.prompt_block("Which boiler is it?", evidence)
    assert "Vaillant" not in engine.prompt_block("Where is Rome?", evidence)


def test_a_turn_keeps_the_notes_that_its_answer_may_have_used(engine: Thalamus) -> None:
    said = [Turn(message=f"Volume {n} is on the shelf.", session="small talk") for n in range(100)]
    engine.remember(said)
    done = engine.turn(Turn(message="Where does my brother live?", session="later"))
    [step] = [step for step in done.trace if step.stage == "answer"]
    assert step.detail["notes"] > 100 and len(done.evidence) <= 15
    assert "Tom" in (done.answer or "") and any("Tom" in item.text for item in done.evidence)
    assert set(step.inputs) <= {item.id for item in done.evidence} | {
        id for line in done.profile or () for id in line.ids
    }


def test_what_was_made_of_the_dialogue_is_not_a_note(engine: Thalamus) -> None:
    messages, _, _ = build_prompt(
        Turn(message="Who is Tom?", session="first"), TurnRun(engine.engine)
    )
    assert messages[1].content == "My brother Tom keeps bees in Porto."
    assert "Porto" not in messages[-1].content


def test_a_small_window_has_no_room_for_all(
    engine: Thalamus, monkeypatch: pytest.MonkeyPatch
) -> None:
    from thalamus.models.scripted import ScriptedChat

    monkeypatch.setattr(ScriptedChat, "context", lambda self: 250)
    shown = last_message(engine, "What does Tom keep?")
    assert "kettle" not in shown


def test_why_says_what_stood_in_the_prompt_and_why_the_rest_did_not(
    run: Run, tmp_path: Path
) -> None:
    said = "I keep bees in a hollow oak."
    noted = "The user keeps bees in a hollow oak."
    model = script(tmp_path / "script.json", {said: [{"content": noted}]})
    run("turn", said, "--model", model)
    run("turn", "Where do I keep bees?", "--model", model, "--session", "later")
    shown = run("why").stdout
    assert noted in shown and "another line says it" in shown


def test_instructions_of_the_users_own_that_are_not_used_are_mentioned_once(
    run: Run, home: Path
) -> None:
    own = home / "config" / "prompts" / "answer.md"
    own.parent.mkdir(parents=True)
    own.write_text("Answer like a pirate.\n\n<<PERSONA>> <<PROFILE>>\n")
    done = run("chat", input="I keep bees.\nWhere are they?\n")
    assert done.stderr.count(f"{own} is not used: scripted counts as a small model") == 1
    os.utime(own, (0, 0))  # written before the first answer
    assert run("turn", "I keep a hive.").stderr == ""
    os.utime(own, (2**33, 2**33))  # and changed after it
    assert "is not used" in run("turn", "I keep a hive.").stderr
    large = run("turn", "I keep bees.", "--model", "openai:m")  # which does not answer
    assert "is not used" not in large.stderr


EXAMPLE = re.compile(r"\w+-Example\b")


@pytest.mark.parametrize("path", sorted(PROMPTS.glob("*.md")), ids=lambda path: path.stem)
def test_names_in_prompts_can_only_be_examples(path: Path) -> None:
    """A name that a model may take for one of the user's life is recognised as an example."""
    from thalamus.text.given_names import GIVEN_NAMES

    text = EXAMPLE.sub("", path.read_text(encoding="utf-8"))
    spoken = set(re.findall(r"[^\W\d_]+", text))
    assert not {word for word in spoken if word[0].isupper() and word.casefold() in GIVEN_NAMES}
