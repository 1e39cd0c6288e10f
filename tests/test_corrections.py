"""Corrections: what is right takes the place of what was wrong, and of nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from thalamus.api import Thalamus
from thalamus.config import Config
from thalamus.pipeline.prompt import build_prompt
from thalamus.policy.language.corrections.contrasts import accept_rewrite, correction_in
from thalamus.records import Memory, Provenance

FLOW = "retrieve,reflect,store"


def said(thalamus: Thalamus, *messages: str) -> tuple[list[str], list[str]]:
    """The memories and the facts that are left when all of this was said."""
    for message in messages:
        thalamus.run_turn(message, flow=FLOW)
    facts = [f"{f.subject} {f.predicate} {f.object}" for f in thalamus.facts()]
    return sorted(m.content for m in thalamus.memories()), sorted(facts)


@pytest.mark.parametrize(
    ("first", "then", "memory", "facts"),
    [
        (
            "My daughter Tara is 7.",
            "Tara is 8, not 7.",
            "The user's daughter Tara is 8.",
            ["Tara age 8", "user daughter Tara"],
        ),
        (
            "My wife Ana works at Bosch.",
            "no, my sister",
            "The user's sister Ana works at Bosch.",
            ["Ana works_at Bosch", "user sister Ana"],
        ),
        (
            "My dentist appointment is on Wednesday.",
            "Sorry, I meant Friday, not Wednesday.",
            "The user's dentist appointment is on Friday.",
            ["user plans_to dentist appointment"],
        ),
        (
            "I'm allergic to walnuts.",
            "no, I meant hazelnuts",
            "The user is allergic to hazelnuts.",
            ["user allergic_to hazelnuts"],
        ),
    ],
)
def test_a_correction_takes_the_place_of_what_was_wrong(
    thalamus: Thalamus, first: str, then: str, memory: str, facts: list[str]
) -> None:
    assert said(thalamus, "I live in Porto.", first, then) == (
        sorted([memory, "The user lives in Porto."]),
        sorted([*facts, "user lives_in Porto"]),
    )


def test_a_new_statement_takes_the_place_of_no_single_word(thalamus: Thalamus) -> None:
    memories, facts = said(thalamus, "I live in Porto.", "Actually, Ana works at Siemens now.")
    assert "The user lives in Porto." in memories
    assert "Ana works_at Siemens" in facts


def test_what_was_wrong_is_taken_back_and_stays_reachable(thalamus: Thalamus) -> None:
    said(thalamus, "My daughter Tara is 7.")
    turn = thalamus.run_turn("Tara is 8, not 7.", flow=FLOW)
    assert [(v.decision, v.rule) for v in turn.stored if v.rule == "corrected"] == [
        ("supersede", "corrected"),
        ("retract", "corrected"),
    ]
    old = next(f for f in thalamus.facts("Tara", history=True) if f.object == "7")
    assert old.retired_at is not None


@pytest.mark.parametrize(
    "message",
    [
        "No, I like it here",
        "I like tea, not coffee",
        "It's nice, not bad.",
        "No, she is not here",
        "I mean, not Friday",
        "Wait, not Monday",
        "No, not a, not on Friday",
    ],
)
def test_what_is_no_correction(message: str) -> None:
    assert correction_in(message) is None


def test_what_was_put_off_is_on_its_new_day(thalamus: Thalamus) -> None:
    memories, _ = said(
        thalamus, "My dentist appointment is on Wednesday.", "Ugh, it's been moved to Friday."
    )
    assert memories == ["The user's dentist appointment is on Friday."]


def test_a_corrected_date_is_the_date_of_the_fact(thalamus: Thalamus) -> None:
    said(thalamus, "I have lived in Porto since 2019.", "Sorry, I meant 2018, not 2019.")
    [fact] = thalamus.facts()
    assert (fact.object, (fact.valid_from or "")[:4]) == ("Porto", "2018")


def test_a_noun_in_place_of_it_may_mean_something_else() -> None:
    assert correction_in("The party was moved to Friday.") is None


def test_where_two_things_could_be_meant_nothing_is_corrected(thalamus: Thalamus) -> None:
    memories, _ = said(thalamus, "My trip goes from Monday to Friday.", "no, Thursday")
    assert memories == ["The user's trip goes from Monday to Friday."]


@pytest.mark.parametrize(
    ("earlier", "message", "reply", "kept"),
    [
        ("We fly on Monday.", "argh no, Tuesday", "We fly on Tuesday.", True),
        ("My brother works in Perth.", "Perth in Scotland, not the Australian one",
         "My brother works in Perth, Australia.", False),
        ("We fly on Monday.", "argh no, Tuesday", "We fly to Rome on Tuesday.", False),
        ("We fly on Monday.", "argh no, Tuesday", "We fly on Monday.", False),
        ("We fly on Monday.", "argh no, Tuesday", "nothing", False),
        ("I keep bees and play the harp.", "no, ducks", "Ducks.", False),
    ],
)  # fmt: skip
def test_a_models_rewriting_has_the_words_of_both_messages(
    earlier: str, message: str, reply: str, kept: bool
) -> None:
    assert (accept_rewrite(earlier, message, reply) is not None) == kept


def test_a_model_rewrites_what_no_rule_corrects(tmp_path: Path) -> None:
    """What it writes takes the place of the memory and of the fact that were wrong."""
    script = tmp_path / "script.yaml"
    script.write_text(
        '- {role: reflect, match: "Earlier: I work as a luthier", '
        'reply: "I work as an apprentice luthier in Cremona."}\n'
    )
    config = Config(model=f"scripted:{script}", embedder="scripted", home=str(tmp_path / "home"))
    with Thalamus(config=config) as thalamus:
        memories, facts = said(
            thalamus, "I work as a luthier in Cremona.", "Well, apprentice luthier if I'm honest"
        )
    assert memories == ["The user works as an apprentice luthier in Cremona."]
    assert facts == ["user works_as apprentice luthier"]


def test_a_model_that_fails_corrects_nothing(tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text('- {role: reflect, match: "Earlier:", error: failed}\n')
    config = Config(model=f"scripted:{script}", embedder="scripted", home=str(tmp_path / "home"))
    with Thalamus(config=config) as thalamus:
        memories, _ = said(thalamus, "I work as a luthier.", "Well, apprentice luthier")
    assert "The user works as a luthier." in memories


def test_a_correction_may_be_corrected(thalamus: Thalamus) -> None:
    memories, facts = said(thalamus, "My cousin Ruth is 30.", "31!", "no sorry, 32")
    assert memories == ["The user's cousin Ruth is 32."]
    assert facts == ["Ruth age 32", "user cousin Ruth"]


def test_what_is_denied_is_taken_back(thalamus: Thalamus) -> None:
    said(thalamus, "My sister Ana lives in Rome.", "We're moving to Ghent in August.")
    turn = thalamus.run_turn("we're not moving after all", flow=FLOW)
    assert ("retract", "denied") in [(v.decision, v.rule) for v in turn.stored]
    facts = [f"{f.subject} {f.predicate} {f.object}" for f in thalamus.facts()]
    assert sorted(facts) == ["Ana lives_in Rome", "user sister Ana"]
    assert sorted(m.content for m in thalamus.memories()) == [
        "The user is not moving after all.",
        "The user's sister Ana lives in Rome.",
    ]


def test_what_is_called_off_is_told_with_what_it_was(thalamus: Thalamus) -> None:
    memories, _ = said(thalamus, "I'm having surgery on Monday.", "it was cancelled")
    assert memories == ["The user is having surgery on Monday – It was cancelled."]


def test_what_became_so_ends_what_was(thalamus: Thalamus) -> None:
    """It was right once, so it is not taken back."""
    _, facts = said(thalamus, "I work as a baker.", "actually I'm a teacher now")
    assert facts == ["user works_as teacher"]


def test_the_correcting_words_are_no_memory(thalamus: Thalamus) -> None:
    memories, _ = said(
        thalamus, "We fly to Crete in May.", "What's it like?", "scrap that, in June"
    )
    assert memories == ["The user flies to Crete in June."]


def test_what_nobody_remembered_is_worth_remembering_once_corrected(thalamus: Thalamus) -> None:
    memories, _ = said(thalamus, "The concert starts at 8.", "no, 9")
    assert memories == ["The concert starts at 9."]


def test_a_bare_number_may_answer_a_question(tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text('- {role: answer, reply: "Lovely! How many of them go to school?"}\n')
    config = Config(model=f"scripted:{script}", embedder="scripted", home=str(tmp_path / "home"))
    with Thalamus(config=config) as thalamus:
        thalamus.run_turn("I have four children.", flow="retrieve,answer,reflect,store")
        thalamus.run_turn("3", flow=FLOW)
        assert [m.content for m in thalamus.memories()] == ["The user has four children."]


def test_a_new_sentence_behind_i_mean_corrects_nothing(thalamus: Thalamus) -> None:
    memories, _ = said(thalamus, "I live in Leeds with my cat.", "sorry, I meant the other one")
    assert memories == ["The user lives in Leeds with their cat."]


@pytest.mark.parametrize(
    "message", ["flute I mean, sorry", "I always mix that up", "No, Thursday."]
)
def test_a_correction_of_nothing_that_is_known_is_not_kept(
    thalamus: Thalamus, message: str
) -> None:
    assert said(thalamus, message) == ([], [])


def test_what_was_so_until_lately_is_over(thalamus: Thalamus) -> None:
    memories, facts = said(thalamus, "I'm 35.", "not any more, 36 since Monday")
    assert memories == ["The user is 36."]
    assert facts == ["user age 36"]


def test_a_word_that_was_taken_out_is_no_topic_any_more(thalamus: Thalamus) -> None:
    said(thalamus, "We have a greyhound called Biscuit.", "Sorry, Bisto, not Biscuit.")
    (memory,) = thalamus.memories()
    assert memory.content == "The user has a greyhound called Bisto."
    assert memory.topic != "biscuit"


def told(thalamus: Thalamus, question: str) -> str:
    """What a model is told for a question in another conversation."""
    thalamus.reset_session("another")
    turn = thalamus.run_turn(question, flow="retrieve")
    messages, _, _ = build_prompt(turn, thalamus.context)
    return messages[-1].content


MEETS = "The circle meets on Thursdays at seven."


def test_words_that_were_corrected_are_not_told_again(thalamus: Thalamus) -> None:
    """Of the words themselves no memory had been made."""
    thalamus.run_turn(MEETS)
    corrected = thalamus.run_turn("Sorry, on Wednesdays, not Thursdays.")
    notes = told(thalamus, "When does the circle meet?")
    assert "The circle meets on Wednesdays at seven." in notes and MEETS not in notes
    thalamus.undo_turn(corrected.id)
    assert MEETS in told(thalamus, "When does the circle meet?")
    assert thalamus.store.check() == []


def test_a_memory_that_is_edited_leaves_its_words_behind(thalamus: Thalamus) -> None:
    thalamus.run_turn("I want to paint the boat green.")
    [memory] = thalamus.memories()
    thalamus.edit_memory(memory.id or "", content="The user wants to paint the boat blue.")
    notes = told(thalamus, "What colour do I want for the boat?")
    assert "blue" in notes and "green" not in notes


def test_what_corrects_the_words_of_somebody_else_leaves_them(thalamus: Thalamus) -> None:
    said = thalamus.run_turn(MEETS)
    other = Memory(content="The circle meets on Mondays.", user="bo", corrects=said.id or "")
    thalamus.remember([other])
    assert MEETS in told(thalamus, "When does the circle meet?")


TALK = tuple(f"I had soup number {n} for lunch in Leeds." for n in range(9))


@pytest.mark.parametrize(
    ("first", "then", "memory"),
    [
        (
            "The greenhouse has to be ready by 30 May",
            "Sorry, the greenhouse is due on 12 June, not 30 May",
            "The greenhouse has to be ready by 12 June.",
        ),
        (
            "My exam is on the 30th of May 2027.",
            "No, my exam is on 12 June 2027, not 30 May 2027.",
            "The user's exam is on the 12 June 2027.",
        ),
        (
            "The concert of my choir starts at seven.",
            "Sorry, the concert starts at eight, not seven",
            "The concert of the user's choir starts at eight.",
        ),
        (
            "My dentist appointment is on Monday 3 May.",
            "Sorry, the appointment is on Tuesday 4 May, not Monday 3 May",
            "The user's dentist appointment is on Tuesday 4 May.",
        ),
        (
            "We rented a house with 12 rooms.",
            "Sorry, the house has 14 rooms, not 12 rooms.",
            "The user rented a house with 14 rooms.",
        ),
    ],
)
@pytest.mark.parametrize("between", [(), TALK], ids=["at once", "much later"])
def test_what_is_right_replaces_what_is_wrong_whole(
    thalamus: Thalamus, first: str, then: str, memory: str, between: tuple[str, ...]
) -> None:
    memories, _ = said(thalamus, first, *between, then)
    assert [one for one in memories if "soup" not in one] == [memory]


def test_the_fact_of_a_thing_has_its_new_day(thalamus: Thalamus) -> None:
    _, facts = said(
        thalamus,
        "I'm building a greenhouse.",
        "The greenhouse has to be ready by 30 May",
        *TALK,
        "Sorry, the greenhouse is due on 12 June, not 30 May",
    )
    assert "user's greenhouse due_on 12 June" in facts
    assert "user's greenhouse due_on 30 May" not in facts


def test_of_two_that_have_the_wrong_word_the_one_that_is_named_is_corrected(
    thalamus: Thalamus,
) -> None:
    memories, _ = said(
        thalamus,
        "My thesis is due on 30 May.",
        "My exam is on 30 May.",
        *TALK,
        "Sorry, my thesis is due on 12 June, not 30 May.",
    )
    assert "The user's thesis is due on 12 June." in memories
    assert "The user's exam is on 30 May." in memories


def test_a_quotation_is_never_rewritten(thalamus: Thalamus) -> None:
    """What an exchange that left the prompt is kept as holds the words that the user used."""
    thalamus.remember(
        [
            Memory(
                content="The user said: The regatta is on 30 May at the lake.",
                type="exchange",
                provenance=Provenance(quote="The regatta is on 30 May at the lake."),
            )
        ]
    )
    memories, _ = said(thalamus, "Sorry, the regatta is on 12 June, not 30 May")
    assert memories == ["The regatta is on 12 June at the lake."]


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        (
            "I'm visiting my cousin in Tromso on Friday.",
            "user plans_to visit their cousin in Tromso",
        ),
        (
            "My friend Sanne is lending me her van on Friday.",
            "Sanne plans_to lend the user her van",
        ),
    ],
)
def test_the_object_of_a_fact_has_no_speaker(thalamus: Thalamus, message: str, fact: str) -> None:
    assert fact in said(thalamus, message)[1]


@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        (
            "The kitchen fitters are coming on 1 December.",
            "The fitters called: they're coming on 8 December instead, because the worktop is late",
            ["The kitchen fitters are coming on 8 December."],
        ),
        (
            "My dentist appointment is on Wednesday.",
            "My dentist appointment has been moved to Thursday. I hate waiting rooms.",
            ["The user hates waiting rooms.", "The user's dentist appointment is on Thursday."],
        ),
        (
            "The report is due on 30 May.",
            "The report's deadline got moved to 12 June.",
            ["The report is due on 12 June."],
        ),
        (
            "I'm restoring a boat for a museum in Bodø.",
            "Sorry, the museum is in Tromsø, not Bodø.",
            ["The user is restoring a boat for a museum in Tromsø."],
        ),
        (
            "I live in Porto.",
            "The hike is postponed to 19 June.",
            ["The hike is postponed to 19 June.", "The user lives in Porto."],
        ),
    ],
)
@pytest.mark.parametrize("between", [0, 12])
def test_a_correction_takes_the_place_of_what_was_said_long_before(
    thalamus: Thalamus, first: str, then: str, left: list[str], between: int
) -> None:
    asides = [f"What is {number} times {number}?" for number in range(between)]
    memories, _ = said(thalamus, first, *asides, then)
    assert memories == left
