"""Facts told by a turn of phrase or by a trade, and what is said besides them."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I drive a tram in Graz", "user works_as tram driver"),
        ("My sister teaches physics", "user's sister works_as physics teacher"),
        ("My dad repairs clocks", "user's father works_as clock repairer"),
        ("My aunt died on Friday", "user's aunt died_on Friday"),
        ("Our son Pavel is five", "Pavel age 5"),
        ("We moved here from Split in 2012", "user lives_in Split (over)"),
        ("No prawns for me, I'm allergic", "user allergic_to prawns"),
        ("Opera? Not my thing.", "user dislikes Opera"),
        ("Beetroot. Whoever invented it should be in prison.", "user dislikes Beetroot"),
        ("Gnocchi? Love them.", "user likes Gnocchi"),
        ("Ursula Le Guin is my favourite author", "user likes Ursula Le Guin"),
        ("thrillers are fine but I far prefer poetry", "user prefers poetry"),
        ("I'm starting at the Fiat plant in May", "user works_at Fiat plant"),
        ("my names Dora, retired postwoman from Split", "user is retired"),
        ("trainee electrician here", "user works_as trainee electrician"),
        ("mum's name is Vera, dad's is Oskar", "user father Oskar"),
        ("My sister had a girl, they named her Ines", "user niece Ines"),
        ("My niece Ella's birthday is 3 March", "Ella birthday 3 March"),
        ("my last job was at a bakery", "user works_at bakery (over)"),
        ("I worked in retail from 2001 to 2009", "user works_at retail (over)"),
        ("We had a terrier, Biscuit.", "user dog Biscuit (over)"),
        ("I cancelled my museum membership", "user has museum membership (over)"),
        ("I did a semester in Lund", "user studies_at Lund (over)"),
        ("There are 90 cookbooks on my shelf", "user owns 90 cookbooks"),
        ("I never go to bed before midnight", "user practises going to bed after midnight"),
        ("I live on a barge", "user lives_in barge"),
        ("Ich war früher Messdiener", "user is Messdiener (over)"),
        ("Mit dem Rauchen hab ich 2021 aufgehört", "user practises Rauchen (over)"),
        ("Tuve una moto, pero la vendí", "user has moto (over)"),
    ],
)
def test_a_turn_of_phrase_tells_a_fact(message: str, expected: str) -> None:
    found = [
        f"{said.subject} {said.predicate} {said.object}{' (over)' if said.over else ''}"
        for said in read(message).statements
    ]
    assert expected in found


@pytest.mark.parametrize(
    "message", ["My cousin lives on noodles", "I was a vegetarian for two years"]
)
def test_food_is_no_home_and_a_diet_no_trade(message: str) -> None:
    predicates = {said.predicate for said in read(message).statements}
    assert predicates.isdisjoint({"lives_in", "works_as"})


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I'm Marta, nice to meet you", "The user is Marta."),
        ("I can't stand dill, funnily enough", "The user can't stand dill."),
        ("I much prefer tea", "The user much prefers tea."),
    ],
)
def test_a_memory_leaves_out_what_is_said_besides(message: str, expected: str) -> None:
    assert [memory.content for memory in read(message).memories] == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I tune pianos for a living", "user works_as piano tuner"),
        ("My wife writes crime novels for a living", "user's wife works_as crime novel writer"),
        ("I teach kids for a living", "user works_as teacher"),
        ("I make my money elsewhere, I paint for a living", "user works_as painter"),
        ("I used to drive a bus", "user works_as bus driver (over)"),
        ("I sell insurance", "user works_as insurance seller"),
        ("I'm planning on restoring an old boat", "user plans_to restore an old boat"),
        ("We plan on moving house", "user plans_to move house"),
        ("My brother plans on selling his car", "user's brother plans_to sell his car"),
        ("I dream of visiting Japan", "user has_goal visit Japan"),
        ("My project is a podcast about bells", "user current_project podcast about bells"),
        ("I really don't care for opera", "user dislikes opera"),
        ("I go kayaking every Sunday", "user practises kayaking"),
        ("I've taken up wood carving", "user practises wood carving"),
        ("I volunteer at the zoo on Thursdays", "user practises volunteering at the zoo"),
        ("We keep bees behind the shed", "user owns bees"),
        ("I can eat fish but not shellfish", "user avoids shellfish"),
        ("My cousin Ida got engaged to Omar", "Ida engaged_to Omar"),
        ("I sing bass in the cathedral choir", "user member_of cathedral choir"),
        ("I get migraines whenever it rains", "user has migraines"),
        ("I avoid latex since I'm allergic to rubber", "user allergic_to rubber"),
    ],
)
def test_an_object_is_a_thing_or_a_plain_verb(message: str, expected: str) -> None:
    found = [
        f"{said.subject} {said.predicate} {said.object}{' (over)' if said.over else ''}"
        for said in read(message).statements
    ]
    assert expected in found


@pytest.mark.parametrize(
    "message",
    [
        "I look after horses for a living",
        "I take photos for a living",
        "I don't clean houses for a living any more",
        "I'm not planning on moving to Spain",
        "I'm looking for a new job",
        "My project is going well",
        "My project is due soon",
        "I've taken up too much of your time",
        "I took up a new position",
    ],
)
def test_what_has_no_name_is_no_fact(message: str) -> None:
    found = read(message)
    assert found.memories
    assert found.statements == []


def test_an_ended_trade_is_not_a_possession() -> None:
    found = [f"{said.predicate} {said.object}" for said in read("I used to drive a bus").statements]
    assert found == ["works_as bus driver"]
