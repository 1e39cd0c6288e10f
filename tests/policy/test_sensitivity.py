"""What is personal by rule: only what is surely recognised."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thalamus.policy.sensitivity import RULES, iban, luhn, personal, personal_fact
from thalamus.records import Fact

# made up, in the form of real ones; put together here so that no scanner takes them for such
GITHUB = "ghp_" + "a1B2" * 9
JWT = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("My card is 4111 1111 1111 1111, do not lose it.", "card"),
        ("It is 3782-822463-10005.", "card"),
        ("Pay to DE89 3704 0044 0532 0130 00 please.", "iban"),
        ("PAY TO GB29 NWBK 6016 1331 9268 19 TODAY", "iban"),
        ("nl91abna0417164300 is the account", "iban"),
        ("The wifi password is tulip-77.", "secret"),
        ("My password is swordfish.", "secret"),
        ("The user’s password is swordfish.", "secret"),
        ("The user's new Netflix password is swordfish.", "secret"),
        ("my pass phrase is correct horse battery staple", "secret"),
        ("My new Netflix password is 'sunshine', don't tell.", "secret"),
        ("password: hunter2", "secret"),
        ("Mein Passwort lautet Tulpe77.", "secret"),
        ("Mi contraseña es girasol", "secret"),
        ("Mon mot de passe est tournesol.", "secret"),
        ("A minha senha é girassol!", "secret"),
        ("My PIN is 4821.", "secret"),
        ("the PIN for my card is 4821", "secret"),
        ("Meine PIN ist 4821.", "secret"),
        ("My pin code: 482193", "secret"),
        ("My social security number is 219-09-9999.", "identity"),
        ("SSN 219099999", "identity"),
        ("My passport number is X1234567.", "identity"),
        ("National Insurance number: QQ 12 34 56 C", "identity"),
        ("Meine Sozialversicherungsnummer ist 65 170839 J 003.", "identity"),
        (f"Use {GITHUB} for the clone.", "token"),
        ("sk-proj-" + "abcDEF123456" * 3, "token"),
        ("The key is AKIA" + "IOSFODNN7EXAMPLE", "token"),
        (f"Authorization: Bearer {JWT}", "token"),
        ("My API key is 8f14e45fceea167a5a36dedd4bea2543", "token"),
        ("postgres://ana:Tulip-77@db.example.org/shop", "token"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk", "private_key"),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----", "private_key"),
    ],
)
def test_what_is_surely_personal(text: str, rule: str) -> None:
    assert personal(text) == rule


@pytest.mark.parametrize(
    "text",
    [
        "",
        "We must pay down technical debt.",
        "The password reset page is broken.",
        "My password is not working.",
        "My password is too weak, what should I do?",
        "My password is expired.",
        "The password is required.",
        "Mein Passwort ist abgelaufen.",
        "Ma senha",
        "git clone git@github.com:ana/thalamus.git",
        "I'm addicted to chess.",
        # told by the model's label or by the user, not by a rule
        "I was diagnosed with epilepsy in 2019.",
        "Her salary is 70,000 a year.",
        "Write to ana.b+news@example.co.uk.",
        "Call me at +351 912 345 678.",
        "The user moved to Lisbon in May 2024.",
        "The order 4111 1111 1111 1112 has been sent.",
        "ISBN 9780306406157, and 1700000000000 milliseconds",
        "DE88 3704 0044 0532 0130 00",
        "My passport has expired.",
        "Passport photos cost 12.95",
        "The ticket is 219-09-9999.",
        "We pinned 4821 posts.",
        "Put the pin in at 4821 m.",
        "The API key is missing; the token is in the environment.",
        "https://example.org/a:b@c and ssh://git@example.org:22/x.git",
        "-----BEGIN PUBLIC KEY-----",
        "Version 1.2.3 came on 2024-05-01 at 10:00.",
        "Use pip install thalamus@main.",
    ],
)
def test_what_is_not_surely_so(text: str) -> None:
    assert personal(text) is None


def test_a_fact_whose_predicate_names_a_secret() -> None:
    secret = Fact(subject="user", predicate="wifi_password", object="under the gnome")
    assert personal_fact(secret) == "secret"
    pin = Fact(subject="user", predicate="pin", object="4821")
    assert personal_fact(pin) == "secret"
    plain = Fact(subject="user", predicate="likes", object="passwords in films")
    assert personal_fact(plain) is None
    quoted = Fact(subject="user", predicate="pays_with", object="it", quote="4111111111111111")
    assert personal_fact(quoted) == "card"


@given(
    st.sampled_from("3456"), st.text("0123456789", min_size=12, max_size=17), st.sampled_from(" -")
)
def test_every_card_number_and_none_with_another_last_digit(
    first: str, rest: str, between: str
) -> None:
    body = first + rest
    right = [digit for digit in "0123456789" if luhn(body + digit)]
    assert len(right) == 1 or len(set(body)) == 1
    for digit in right:
        assert personal(f"It is {body[:4]}{between}{body[4:]}{digit}.") == "card"


@given(st.sampled_from([("DE", 18), ("GB", 18), ("PT", 21)]), st.data())
def test_every_account_number(country: tuple[str, int], data: st.DataObject) -> None:
    name, size = country
    account = data.draw(st.text("ABC0123456789", min_size=size, max_size=size))
    check = 98 - int("".join(str(int(c, 36)) for c in f"{account}{name}00")) % 97
    right = f"{name}{check:02}{account}"
    assert iban(right) and personal(f"to {right} now") is not None
    assert not iban(f"{name}{(check + 1) % 100:02}{account}")
    assert not iban(right[:-1])


@pytest.mark.parametrize(("rule", "signs"), [(rule, signs) for _, rule, _, signs in RULES])
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=30)
@given(data=st.data())
def test_what_a_rule_finds_has_one_of_its_signs(
    rule: re.Pattern[str], signs: tuple[str, ...], data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(rule))
    assert any(sign in text.casefold() for sign in signs) and personal(text) is not None


@given(st.text())
def test_it_takes_any_text(text: str) -> None:
    assert personal(text) in {None, *"card iban secret identity token private_key".split()}
