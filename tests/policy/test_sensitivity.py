"""What is personal by rule."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.policy.sensitivity import RULES, iban, luhn, personal


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("My card is 4111 1111 1111 1111, do not lose it.", "card"),
        ("Pay to DE89 3704 0044 0532 0130 00 please.", "iban"),
        ("Write to ana.b+news@example.co.uk.", "email"),
        ("Call me at +351 912 345 678.", "phone"),
        ("My phone is (030) 123456.", "phone"),
        ("The wifi password is tulip-77.", "secret"),
        ("My passport number is X1234567.", "identity"),
        ("My passport has the number 12345678.", "identity"),
        ("I was diagnosed with epilepsy in 2019.", "health"),
        ("Her salary is 70,000 a year.", "money"),
        ("The user moved to Lisbon in May 2024.", None),
        ("The order 4111 1111 1111 1112 has been sent.", None),
        ("Version 1.2.3 came on 2024-05-01 at 10:00.", None),
        ("I forgot my umbrella in the insurance office.", None),
        ("Use pip install thalamus@main.", None),
        ("", None),
    ],
)
def test_examples(text: str, rule: str | None) -> None:
    assert personal(text) == rule


@given(st.text("0123456789", min_size=12, max_size=18).filter(lambda d: len(set(d)) > 1))
def test_every_card_number_and_none_with_another_last_digit(body: str) -> None:
    right = [digit for digit in "0123456789" if luhn(body + digit)]
    assert len(right) == 1
    assert personal(f"It is {body}{right[0]}.") == "card"


@given(st.sampled_from(["DE", "GB", "PT"]), st.text("ABC0123456789", min_size=11, max_size=25))
def test_every_account_number(country: str, account: str) -> None:
    check = 98 - int("".join(str(int(c, 36)) for c in f"{account}{country}00")) % 97
    right = f"{country}{check:02}{account}"
    assert iban(right)
    wrong = f"{country}{(check + 1) % 100:02}{account}"
    assert not iban(wrong)


@pytest.mark.parametrize(("rule", "signs"), [(rule, signs) for _, rule, _, signs in RULES])
@given(data=st.data())
def test_what_a_rule_finds_has_one_of_its_signs(
    rule: re.Pattern[str], signs: tuple[str, ...], data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(rule))
    assert any(sign in text.casefold() for sign in signs) and personal(text) is not None


@given(st.text())
def test_it_takes_any_text(text: str) -> None:
    assert personal(text) in {None, *"card iban email phone secret identity health money".split()}
