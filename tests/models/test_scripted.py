"""The scripted model: its rules, its scripts, and the scripted embedder."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.errors import ConfigError, ModelFailed, ModelMissing, ModelUnreachable
from thalamus.models.protocol import ChatRequest, Message, Role
from thalamus.models.scripted import ScriptedChat, ScriptedEmbedder, split_words
from thalamus.policy.vector import unpack
from thalamus.records import Instruction

pytestmark = pytest.mark.storeless

MEMORIES = """You remember.
<memories>
8 May 2026, 2 days ago:
- The user moved to Lisbon in May.
9 May 2026:
- The user's dog is called Rex.
From documents:
- [report.pdf, page 3] Octopuses have three hearts.
- The user prefers short answers.
</memories>"""


def request(
    role: Role, user: str, system: str = "", schema: dict[str, Any] | None = None, tokens: int = 512
) -> ChatRequest:
    messages = [Message("system", system)] if system else []
    messages.append(Message("user", user))
    return ChatRequest(role=role, messages=messages, schema=schema, max_tokens=tokens)


def answered(message: str, system: str = MEMORIES) -> str:
    return ScriptedChat().chat(request("answer", message, system)).text


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Where do I live?", "You told me on 8 May 2026: The user moved to Lisbon in May."),
        ("what is my dog's name", "You told me on 9 May 2026: The user's dog is called Rex."),
        ("What answers do I like?", "You told me: The user prefers short answers."),
        ("How many hearts?", "You told me (report.pdf, page 3): Octopuses have three hearts."),
        ("Tell me about Lisbon.", "You told me on 8 May 2026: The user moved to Lisbon in May."),
        ("Who painted that picture?", "I do not know that yet."),
    ],
)
def test_a_question_is_answered_from_the_memories(question: str, reply: str) -> None:
    assert answered(question) == reply


def test_without_memories_it_knows_nothing() -> None:
    assert answered("Where do I live?", system="") == "I do not know that yet."


def test_a_statement_is_acknowledged_in_the_second_person() -> None:
    assert answered("I was ill. My dog bit me.") == "Noted: You were ill. Your dog bit you."
    assert answered("No me gustan las películas.") == "Noted: No me gustan las películas."
    assert answered("Hello!") == "Hello! What shall I remember?"


def test_it_extracts_nothing_by_itself() -> None:
    prompt = "<user_message>I live in Rome.</user_message>"
    made = json.loads(ScriptedChat().chat(request("reflect", prompt)).text)
    assert made == {"memories_to_store": [], "facts": [], "no_longer": []}


def test_a_plan_asks_for_words_and_names() -> None:
    prompt = "<user_message>Is the flat in Lisbon cheap?</user_message><assistant_answer/>"
    made = json.loads(ScriptedChat().chat(request("plan", prompt)).text)
    instructions = msgspec.convert(made["retrieval_instructions"], list[Instruction])
    assert [(i.mode, i.query, i.limit) for i in instructions] == [
        ("memory", "flat Lisbon cheap", 5),
        ("facts", "Lisbon", 5),
    ]


def test_a_summary_is_the_first_sentence() -> None:
    prompt = "Sum up.\n<document>Bees\n\nBees make honey. Bees dance.</document>"
    chat = ScriptedChat()
    assert chat.chat(request("summary", prompt)).text == "Bees make honey."
    schema = {"type": "object", "properties": {"summary": {}, "topic": {}}}
    made = json.loads(chat.chat(request("summary", prompt, schema=schema)).text)
    assert made == {"summary": "Bees make honey.", "topic": "bees"}
    long = chat.chat(request("summary", f"<document>{'word ' * 100}</document>")).text
    assert len(long) <= 200


def test_tokens_are_words_and_are_streamed() -> None:
    heard: list[str] = []
    reply = ScriptedChat().chat(request("answer", "I own a boat."), heard.append)
    assert heard == ["Noted: ", "You ", "own ", "a ", "boat."]
    assert (reply.tokens_in, reply.tokens_out, reply.finish) == (4, 5, "stop")
    assert reply.model == "scripted"
    short = ScriptedChat().chat(request("answer", "I own a boat.", tokens=2))
    assert (short.text, short.finish) == ("Noted: You ", "length")


@given(st.text())
def test_any_message_is_answered(message: str) -> None:
    assert answered(message)


@given(st.text())
def test_words_put_together_are_the_text(text: str) -> None:
    assert "".join(split_words(text)) == text


def script(tmp_path: Path, text: str) -> ScriptedChat:
    path = tmp_path / "play.yaml"
    path.write_text(text, encoding="utf-8")
    return ScriptedChat(path)


def test_the_first_entry_that_fits_and_is_not_used_up_wins(tmp_path: Path) -> None:
    chat = script(
        tmp_path,
        """
        - {role: reflect, reply: "{broken", times: 1}
        - {role: reflect, reply: {facts: [], memories_to_store: []}}
        - {role: answer, match: "(?i)weather", reply: "It rains."}
        - {match: "sum", reply: "Any role."}
        """,
    )
    assert chat.name == f"scripted:{tmp_path / 'play.yaml'}"
    replies = [chat.chat(request("reflect", "I own a boat.")).text for _ in range(3)]
    assert replies[0] == "{broken"
    assert (
        json.loads(replies[1]) == json.loads(replies[2]) == {"facts": [], "memories_to_store": []}
    )
    assert chat.chat(request("answer", "How is the Weather?")).text == "It rains."
    assert chat.chat(request("summary", "sum up")).text == "Any role."
    assert chat.chat(request("answer", "I own a boat.")).text == "Noted: You own a boat."


def test_one_that_a_script_lets_extract_is_not_small(tmp_path: Path) -> None:
    assert ScriptedChat().small() is None
    assert script(tmp_path, "- {role: answer, reply: Hm.}").small() is None
    for entry in ("reply: {facts: []}", "error: failed", "delay: 60"):
        assert script(tmp_path, f"- {{role: reflect, {entry}}}").small() is False


def test_a_script_says_how_sure_it_is_of_yes(tmp_path: Path) -> None:
    chat = script(
        tmp_path,
        """
        - {role: verify, match: goose, reply: 0.3}
        - {role: verify, match: heron, reply: no}
        - {role: verify, match: stork, reply: "Yes, it is."}
        - {role: verify, match: crane, reply: 1}
        - {role: verify, match: swan, reply: "Who knows?"}
        - {role: verify, match: rook, error: failed}
        """,
    )
    birds = {"goose": 0.3, "heron": 0.0, "stork": 1.0, "crane": 1.0, "swan": None, "wren": None}
    assert {bird: chat.yes(request("verify", f"Is it a {bird}?")) for bird in birds} == birds
    assert chat.chat(request("verify", "Is it a heron?")).text == "no"
    assert chat.chat(request("verify", "Is it a wren?")).text == "yes"
    with pytest.raises(ModelFailed):
        chat.yes(request("verify", "Is it a rook?"))
    for wrong in ("1.5", "-1"):
        with pytest.raises(ConfigError, match="probability"):
            script(tmp_path, f"- {{role: verify, reply: {wrong}}}")


def test_a_script_can_raise_errors(tmp_path: Path) -> None:
    chat = script(
        tmp_path,
        """
        - {role: answer, error: unreachable}
        - {role: reflect, error: failed}
        - {role: plan, error: missing, times: 1}
        """,
    )
    with pytest.raises(ModelUnreachable):
        chat.chat(request("answer", "hello"))
    with pytest.raises(ModelFailed):
        chat.chat(request("reflect", "hello"))
    with pytest.raises(ModelMissing):
        chat.chat(request("plan", "hello"))
    assert "retrieval_instructions" in chat.chat(request("plan", "hello")).text


def test_a_script_can_wait_for_a_file(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    chat = script(tmp_path, f"- {{role: answer, until: {gate}}}")
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(chat.chat, request("answer", "I own a boat."))
        assert not answer.done()
        gate.touch()
        assert answer.result(30).text == "Noted: You own a boat."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("reply: no list", "expected a list"),
        ("- {reply: ok}\n- {role: dance, reply: x}", "entry 2: .*dance"),
        ("- {role: answer}", "entry 1: expected a reply, calls, an error, a delay or until"),
        ("- {reply: x, error: failed}", "entry 1: expected either a reply or an error"),
        ("- {reply: x, match: '('}", "entry 1: "),
        ("- {reply: x, times: 0}", "entry 1: times"),
        ("- {replay: x}", "entry 1: .*replay"),
        ("- {reply: [", "play.yaml"),
    ],
)
def test_a_broken_script_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem) as caught:
        script(tmp_path, text)
    assert "play.yaml" in caught.value.message
    assert "role: answer" in caught.value.advice


def test_a_missing_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yaml"):
        ScriptedChat(tmp_path / "nowhere.yaml")


def likeness(one: bytes, other: bytes) -> float:
    return sum(a * b for a, b in zip(unpack(one), unpack(other), strict=True))


def test_the_embedder_is_deterministic_and_sees_shared_words() -> None:
    embedder = ScriptedEmbedder()
    texts = ["The user moved to Lisbon.", "moving to Lisbon", "Octopuses have three hearts"]
    first, second, third = embedder.embed(texts, "document")
    assert embedder.embed(texts[:1], "query") == [first]
    assert len(first) == 4 * embedder.dimension() == 256
    assert likeness(first, second) > 0.4 > likeness(first, third)


@given(st.text())
def test_every_text_has_a_unit_vector(text: str) -> None:
    vector = ScriptedEmbedder().embed([text], "document")[0]
    assert likeness(vector, vector) == pytest.approx(1, abs=1e-5)
