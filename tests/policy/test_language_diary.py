"""What people have in their diaries: weddings, operations, birthdays, rehearsals. Whose it is, and
on which day."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read
from thalamus.policy.language.statements import Known


def facts(message: str, known: Known | None = None) -> list[str]:
    found = read(message, known or ()).statements
    return [f"{one.subject} {one.predicate} {one.object}" for one in found]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I'm getting married on 5 September", ["user wedding_on 5 September"]),
        ("We are getting married in the spring of 2027", ["user wedding_on spring of 2027"]),
        ("My wedding is on 12 June 2027", ["user wedding_on 12 June 2027"]),
        ("My sister's wedding is in June.", ["user's sister wedding_on June"]),
        ("Our wedding is in Tuscany next September", ["user wedding_on September"]),
        ("Our wedding is at the lake on 4 May", ["user wedding_on 4 May"]),
        ("My brother Tom is marrying Eva in May", ["user brother Tom", "Tom wedding_on May"]),
        ("My brother is getting married next summer", ["user's brother plans_to get married"]),
        ("My sister Rita is getting married", ["user sister Rita"]),
        ("My sister got married in June", []),
    ],
)
def test_a_wedding_has_its_day(message: str, expected: list[str]) -> None:
    assert facts(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I'm flying to Oslo on Friday", "user plans_to fly to Oslo"),
        ("I am running the marathon in April", "user plans_to run the marathon"),
        ("We're having the kitchen done in March", "user plans_to have the kitchen done"),
        ("I'm going to be building a greenhouse in April", "user plans_to build a greenhouse"),
        ("I have my driving test on 3 May", "user plans_to driving test"),
        ("I'm planning to play tennis on Sunday", "user plans_to play tennis"),
        ("I'm planning a trip to Japan in March", "user plans_to trip to Japan"),
        ("I'm planning a fishing trip to Canada in May", "user plans_to fishing trip to Canada"),
        ("I'm hoping to visit Bergen next summer", "user plans_to visit Bergen"),
    ],
)
def test_a_plan_is_told_with_the_plain_verb(message: str, expected: str) -> None:
    assert [fact for fact in facts(message) if fact.startswith(expected)]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("My dad's knee operation is on 14 May", ["user's father plans_to knee operation"]),
        ("My sister Ida's interview is on Friday", ["user sister Ida", "Ida plans_to interview"]),
        ("My daughter's recital is next week", ["user's daughter plans_to recital"]),
        ("My mum's car is at the garage on Friday", ["user's mother owns car"]),
        ("I'm expecting a parcel on Friday", []),
        ("I'm loving my new bike this week", []),
        ("I'm considering signing up for a race in May", []),
        ("I'm planning to spend the next few days on it", []),
        ("My knee operation is on 14 May", ["user plans_to knee operation"]),
        ("Our daughter's been ill since May", []),
    ],
)
def test_an_appointment_is_of_whom_it_concerns(message: str, expected: list[str]) -> None:
    assert facts(message) == expected


@pytest.mark.parametrize(
    "message",
    [
        "Tobias's birthday is on 3 April",
        "Tobias's 40th birthday is on 3 April",
        "Tobias has his birthday on 3 April",
        "My partner's birthday is on 3 April",
        "My partner Tobias has his birthday on 3 April",
        "My partner is Tobias. His birthday is on 3 April.",
    ],
)
def test_a_birthday_of_somebody_who_is_known(message: str) -> None:
    known = Known(names=["Tobias"], people={"partner": "Tobias"})
    assert "Tobias birthday 3 April" in facts(message, known)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("My brother is Tom and my sister is Ana", ["user brother Tom", "user sister Ana"]),
        (
            "My sisters are called Ana and Ida, my brother is Tom.",
            ["user sister Ana", "user sister Ida", "user brother Tom"],
        ),
        ("My boss is Christian", ["user's boss is Christian"]),
        ("My boss is Scottish", ["user's boss nationality Scottish"]),
        ("My sister is Virgo", []),
        (
            "I have two cats, Miso and Pepper, and a dog called Bruno.",
            ["user cat Miso", "user cat Pepper", "user dog Bruno"],
        ),
        (
            "I have a dog called Bruno and two cats, Miso and Pepper",
            ["user cat Miso", "user cat Pepper", "user dog Bruno"],
        ),
        (
            "I have a brother, Tom, and two sisters, Ana and Ida",
            ["user brother Tom", "user sister Ana", "user sister Ida"],
        ),
        ("I have two cats and a dog called Bruno", ["user has two cats", "user dog Bruno"]),
    ],
)
def test_each_one_is_named_and_none_is_counted_twice(message: str, expected: list[str]) -> None:
    assert sorted(facts(message)) == sorted(expected)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("My choir meets on Tuesdays", ["user's choir meets_on Tuesdays"]),
        ("The choir rehearses on Tuesdays", ["user's choir meets_on Tuesdays"]),
        ("Our band rehearses every Thursday evening", ["user's band meets_on Thursday evenings"]),
        ("The club meets on Mondays and Fridays", ["user's club meets_on Mondays and Fridays"]),
        ("The committee meets on Tuesdays", []),
        ("The choir met on Tuesday", []),
        (
            "I sing in a choir called Vox Nova. The choir meets on Tuesdays.",
            ["user member_of Vox Nova", "user's choir meets_on Tuesdays"],
        ),
        ("We meet on Tuesdays", []),
        ("I sing alto in the choir", ["user sings alto", "user member_of choir"]),
    ],
)
def test_what_the_user_takes_part_in_has_its_weekday(message: str, expected: list[str]) -> None:
    assert facts(message, Known(things={"choir", "chess club", "club"})) == expected


def test_what_is_said_of_a_thing_of_the_same_message() -> None:
    message = "I'm building a greenhouse. The greenhouse has to be ready by 30 May."
    assert facts(message) == ["user current_project greenhouse", "user's greenhouse due_on 30 May"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Meine Schwester Rita heiratet am 12. Juni 2027", "Rita wedding_on 12. Juni 2027"),
        ("Wir heiraten im Juni", "user wedding_on Juni"),
        ("Der Geburtstag meines Vaters ist am 3. Mai", "user's father birthday 3. Mai"),
        ("Ma sœur se marie en juin", "user's sister wedding_on juin"),
        ("Je me marie le 5 septembre", "user wedding_on 5 septembre"),
        ("L'anniversaire de ma mère est le 4 juillet", "user's mother birthday 4 juillet"),
        ("Mi hermana se casa en junio", "user's sister wedding_on junio"),
        ("Me caso el 5 de septiembre", "user wedding_on 5 de septiembre"),
        ("El cumpleaños de mi padre es el 3 de mayo", "user's father birthday 3 de mayo"),
        ("Mi padre cumple años el 3 de mayo", "user's father birthday 3 de mayo"),
        ("Nuestra boda es en junio", "user wedding_on junio"),
        ("Mon mariage est le 12 juin", "user wedding_on 12 juin"),
        ("O nosso casamento é em junho", "user wedding_on junho"),
        ("A minha irmã casa-se em junho", "user's sister wedding_on junho"),
        ("O aniversário da minha mãe é no dia 4 de julho", "user's mother birthday 4 de julho"),
    ],
)
def test_weddings_and_birthdays_in_other_languages(message: str, expected: str) -> None:
    assert facts(message)[-1] == expected


@pytest.mark.parametrize(
    "message",
    [
        "Wir haben zwei Katzen, Miso und Pepper",
        "J'ai deux chats, Miso et Pepper",
        "Tengo dos gatos, Miso y Pepper",
        "Tenho dois gatos, Miso e Pepper",
    ],
)
def test_cats_that_are_named_are_not_counted(message: str) -> None:
    assert facts(message) == ["user cat Miso", "user cat Pepper"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("My daughter's piano exam is on 9 December", ["user's daughter plans_to piano exam"]),
        ("My flight to Madrid leaves on Friday at six", ["user plans_to flight to Madrid"]),
        ("I take blood pressure tablets every morning", ["user takes blood pressure tablets"]),
        ("I work night shifts at the hospital", ["user works_at hospital"]),
        ("We're expecting our first baby in April", ["user plans_to have our first baby"]),
    ],
)
def test_what_is_said_once_is_one_fact(message: str, expected: list[str]) -> None:
    assert facts(message) == expected


def test_a_name_without_a_verb_is_a_sentence() -> None:
    said = [one.content for one in read("My daughter is called Mina and my son Levi").memories]
    assert said == ["The user's daughter is called Mina.", "The user's son is called Levi."]


def test_two_facts_of_one_clause_with_an_owner() -> None:
    said = "L'anniversaire de ma mère Claire est le 4 juillet"
    assert facts(said) == ["user mother Claire", "Claire birthday 4 juillet"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I'm in the chess club", ["user member_of chess club"]),
        ("I am a member of the chess club.", ["user member_of chess club"]),
        ("I joined the rowing club last week", ["user member_of rowing club"]),
        ("My wife is on the parents' committee", ["user's wife member_of parents' committee"]),
        ("I belong to a running group", ["user member_of running group"]),
        ("I'm in the club", []),
        ("I'm in a group chat", []),
        ("I'm in the team meeting", []),
        ("I joined the call", []),
        ("I'm not in the chess club", []),
    ],
)
def test_where_somebody_is_a_member(message: str, expected: list[str]) -> None:
    assert facts(message) == expected


def test_two_of_whom_one_thing_is_said_stay_together() -> None:
    said = read("My daughter Ida and her boyfriend Max live in Malmö").memories
    assert [one.content for one in said] == [
        "The user's daughter Ida and her boyfriend Max live in Malmö."
    ]
