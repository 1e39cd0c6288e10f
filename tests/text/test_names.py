"""Names and numbers, by capitals and digits alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.text.names import (
    capitals_are_names,
    folded_words,
    han_numbers,
    is_abbreviated,
    is_form_of_name,
    names,
    numbers,
    stands,
)

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We met Olga in Split. Then it rained.", ["Olga", "Split"]),
        ("I think I'm fine, says O'Hara", ["O'Hara"]),
        ("Her dentist is Dr. Munk. Her vet is J. Berg.", ["Dr", "Munk", "J", "Berg"]),
        ("Она живёт в Туле", ["Туле"]),
        ("WE LIVE IN SPLIT", []),  # all of it is in capitals
        ("अब मैं पुणे में", []),
        ("我住在成都", []),
        ("", []),
    ],
)
def test_names_inside_sentences(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "are_names"),
    [
        ("my aunt lives near Split with two goats and a donkey", True),
        ("Heute war ich mit dem Hund beim Arzt, der Hund hat eine Zerrung am Bein", False),
        ("NOTHING BUT CAPITALS HERE TODAY", True),
        ("we use USB, HDMI and PCI at work", True),
        ("Живу в Туле с Олей", True),  # nouns have capitals in Latin letters only
        ("Μένω στην Πάτρα με την Άννα", True),
        ("bin müde", True),  # too little to tell
    ],
)
def test_capitals_of_nouns_are_told_from_those_of_names(text: str, are_names: bool) -> None:
    assert capitals_are_names(text) is are_names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3 cats, 12 hens", ["3", "12"]),
        ("the 3rd at 17:05", ["3", "17", "05"]),
        ("٣٤ سنة", ["34"]),
        ("३४ साल", ["34"]),
        ("２０２４年", ["2024"]),
        ("no ½ of it", []),
    ],
)
def test_numbers_in_the_digits_of_any_script(text: str, found: list[str]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("我今年二十八岁", ["28"]),
        ("三十歳", ["30"]),
        ("二〇二四年", ["2024"]),
        ("一百零五", ["105"]),
        ("两万三千", ["23000"]),
        ("十", ["10"]),
        ("ten", []),
    ],
)
def test_chinese_numerals(text: str, found: list[str]) -> None:
    assert han_numbers(text) == found


@given(st.text(alphabet="〇零一二两兩三四五六七八九十百千万萬x", max_size=8))
def test_any_chinese_numerals_are_a_number(text: str) -> None:
    assert all(number.isdecimal() for number in han_numbers(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Łódź", "lodz"),
        ("Søren", "Soren"),
        ("Đà Lạt", "da lat"),
        ("München", "Muenchen"),
        ("Straße", "STRASSE"),
        ("Işıl", "IŞIL"),
        ("Rita’s", "rita"),
        ("O’Hara", "o'hara"),
        ("مُحَمَّد", "محمد"),
        ("שָׁלוֹם", "שלום"),
        ("٣٤", "34"),
        ("Ｒｉｔａ", "rita"),
    ],
)
def test_spellings_of_one_word(one: str, other: str) -> None:
    assert folded_words(one) == folded_words(other)


@pytest.mark.parametrize(
    ("one", "other"), [("パリ", "ハリ"), ("दिल्ली", "दल"), ("แม่", "แม"), ("Rita", "Rosa")]
)
def test_marks_that_make_another_word(one: str, other: str) -> None:
    assert folded_words(one) != folded_words(other)


def test_words_of_indian_scripts_stay_whole() -> None:
    assert len(folded_words("मैं पुणे में रहता हूँ")) == 5


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Paweł", "z Pawłem"),
        ("Marek", "bez Marka"),
        ("Kasia", "u Kasi"),
        ("Gdynia", "do Gdyni"),
        ("Turku", "Turussa"),
        ("Matti", "Matin luona"),
        ("Helsinki", "Helsingissä"),
        ("Саша", "с Сашей"),
        ("Павел", "у Павла"),
        ("Αθήνα", "της Αθήνας"),
        ("Γιώργος", "τον Γιώργο"),
        ("İzmir", "İzmirde"),
        ("Jean-Luc", "jean luc"),
        ("Rita", "Rita's"),
        ("성민", "성민이"),
    ],
)
def test_inflected_names(name: str, text: str) -> None:
    assert stands(name, folded_words(text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Marco", "Marie"),
        ("Marta", "Marek"),
        ("Otto", "Olga"),
        ("Rome", "Rio"),
        ("Bo", "Bochum"),
        ("Anna Berg", "Anna"),
        ("Ben", "benevolent"),
    ],
)
def test_other_names(name: str, text: str) -> None:
    assert not stands(name, folded_words(text))


@given(st.text(max_size=12))
def test_a_name_stands_in_itself(name: str) -> None:
    assert stands(name, folded_words(name))


@pytest.mark.parametrize("text", ["Dr", "Mrs", "J", "her St"])
def test_abbreviations(text: str) -> None:
    assert is_abbreviated(text)


@pytest.mark.parametrize("text", ["Bob", "Prof", "Ann", "dr x2", ""])
def test_no_abbreviations(text: str) -> None:
    assert not is_abbreviated(text)


def test_a_form_is_not_much_longer() -> None:
    assert is_form_of_name("anna", "annan") and not is_form_of_name("anna", "annalisaxx")
