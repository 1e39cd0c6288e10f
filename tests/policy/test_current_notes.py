"""What is over, in the notes of a small model for a question about the present."""

from __future__ import annotations

import pytest

from thalamus.api import Thalamus
from thalamus.pipeline.prompt import build_prompt, noted_message
from thalamus.policy.current_notes import holds_instead, over, plainly_no, plainly_over
from thalamus.policy.prompt_budget import evidence_lines
from thalamus.policy.question_time import may_need_time
from thalamus.records import Evidence, Provenance, Turn

CLUB = "member_of chess club ended 2026-11-17 [fact_a]"


def memory(id: str, text: str, quote: str, stale: str | None = None) -> Evidence:
    source = Provenance(turn=f"turn_{id}", quote=quote)
    return Evidence(id=id, kind="memory", text=text, provenance=source, stale=stale)


LEFT = memory("left", "The user left the chess club.", "I left the chess club last week.")
MEMBER = memory("member", "The user is in the chess club.", "I am in the chess club", CLUB)
CHOIR = memory("choir", "The user sings in the choir.", "I sing alto in the choir.")
BOTH = Evidence(
    id="both",
    kind="turn",
    text="User: I sing alto in the choir and I am also a member of the chess club.",
    stale=CLUB,
)


@pytest.mark.parametrize("question", ["Which clubs am I in?", "What do I do in my free time?"])
@pytest.mark.parametrize("current", [CHOIR, BOTH])
def test_what_is_over_is_left_out_where_something_else_holds(
    question: str, current: Evidence
) -> None:
    assert over([LEFT, MEMBER, current], question) == {"left", "member"}


@pytest.mark.parametrize(
    "question",
    [
        "Am I still in the chess club?",
        "Which clubs was I in?",
        "What did I leave?",
        "Why the club?",
    ],
)
def test_what_is_over_is_told_where_the_question_is_about_it(question: str) -> None:
    assert over([LEFT, MEMBER, CHOIR], question) == set()


def test_that_it_is_over_is_the_answer_where_nothing_else_is_known() -> None:
    assert over([LEFT, MEMBER], "Which clubs am I in?") == set()
    assert over([LEFT, CHOIR], "Which clubs am I in?") == set()


def test_the_notes_answer_a_question_that_names_the_kind() -> None:
    found = [LEFT, MEMBER, CHOIR]
    assert holds_instead(found, "Which clubs am I in?")
    assert not holds_instead(found, "What is my shoe size?")


@pytest.mark.parametrize("question", ["Am I still in the chess club?", "Am I in the chess club?"])
def test_a_question_for_a_yes_or_no_is_given_a_plain_no(question: str) -> None:
    told = "The user is not in the chess club any more."
    assert plainly_over([LEFT, MEMBER, CHOIR], question) == {"left": told, "member": told}
    lines, used = evidence_lines([LEFT, MEMBER, CHOIR], 500, question, small=True)
    assert lines[1:] == [f"- {told}", "- The user sings in the choir."]
    assert used == ["left", "choir"]
    lines, _ = evidence_lines([LEFT, MEMBER, CHOIR], 500, question)
    assert f"- {told}" not in lines


@pytest.mark.parametrize(
    "question",
    ["Was I in the chess club?", "Am I in the choir?", "What about the chess club?"],
)
def test_no_other_question_is(question: str) -> None:
    assert plainly_over([LEFT, MEMBER, CHOIR], question) == {}


def test_a_small_model_is_asked_with_the_home_that_holds(thalamus: Thalamus) -> None:
    thalamus.run_turn(Turn(message="I live in Dijon.", session="a"))
    thalamus.run_turn(Turn(message="I moved to Lyon.", session="b"))
    for question, told in (("Where do I live?", False), ("Where did I live before?", True)):
        turn = thalamus.run_turn(Turn(message=question, session="c"), flow="retrieve")
        messages, _, _ = build_prompt(turn, thalamus.context)
        assert "Lyon" in messages[-1].content
        assert ("Dijon" in messages[-1].content) == told


@pytest.mark.parametrize(
    "question",
    ["What do you know about me?", "Who am I?", "Was weißt du über mich?", "Qui suis-je ?"],
)
def test_all_that_is_known_is_asked_for_in_a_prompt_of_its_own(
    thalamus: Thalamus, question: str
) -> None:
    unknown = build_prompt(Turn(message=question, session="a"), thalamus.context)[0]
    assert "Say what stands in the memories" not in unknown[0].content
    thalamus.run_turn(Turn(message="I live in Dijon.", session="a"))
    known = build_prompt(Turn(message=question, session="b"), thalamus.context)[0]
    assert "Say what stands in the memories" in known[0].content
    assert "- The user lives in Dijon." in known[-1].content


@pytest.mark.parametrize(
    ("question", "dated"),
    [
        ("Write an invitation to my birthday party.", False),
        ("What are my pets called?", False),
        ("How old is my sister?", True),
        ("Was muss ich heute noch tun?", True),
        ("Quel âge a ma sœur ?", True),
    ],
)
def test_a_small_model_is_told_the_time_only_where_the_question_may_be_about_it(
    thalamus: Thalamus, question: str, dated: bool
) -> None:
    assert may_need_time(question) == dated
    turn = Turn(message=question, session="a", evidence=[CHOIR])
    told = noted_message(turn, thalamus.context)
    assert "choir" in told and ("It is 2026-" in told) == dated


NOT_IN = "The user is not in the shanty choir any more."
SHANTY = "member_of shanty choir ended 2026-11-17 [fact_b]"
OTHER = memory("other", "The user gave up the shanty choir.", "I gave up the shanty choir.")
WAS = memory("was", "The user sings in the shanty choir.", "I sing in the shanty choir", SHANTY)
MEAT = memory("meat", "The user stopped eating meat.", "I stopped eating meat in the summer.")
CORIANDER = memory("herb", "The user can't stand coriander.", "I can't stand coriander.")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Am I still in a choir?", {"other": NOT_IN, "was": NOT_IN}),
        ("Do I eat meat?", {"meat": "The user does not eat meat."}),
        ("Do I still eat meat?", {"meat": "The user does not eat meat."}),
        ("Do I like coriander?", {"herb": "The user does not like coriander."}),
        ("Do I like tea?", {}),
        ("What do I eat?", {}),
        ("Does my sister eat meat?", {}),
    ],
)  # fmt: skip
def test_a_plain_no(question: str, told: dict[str, str]) -> None:
    assert plainly_no([OTHER, WAS, MEAT, CORIANDER], question) == told


def test_another_choir_holds_instead() -> None:
    assert plainly_no([OTHER, WAS, CHOIR], "Am I in a choir?") == {}


@pytest.mark.parametrize("session", ["a", "b"])
def test_a_small_model_reads_a_plain_no_to_what_the_user_avoids(
    thalamus: Thalamus, session: str
) -> None:
    thalamus.run_turn(Turn(message="I stopped eating meat in the summer.", session="a"))
    for question, denied in (("Do I eat meat?", True), ("What do I eat?", False)):
        turn = thalamus.run_turn(Turn(message=question, session=session), flow="retrieve")
        told = build_prompt(turn, thalamus.context)[0][-1].content
        assert ("The user does not eat meat." in told) is denied
        assert not (denied and "stopped eating meat" in told)
