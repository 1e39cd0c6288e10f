"""What is personal by rule: only what is surely recognised."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thalamus.policy.sensitivity import RULES, personal, personal_spans

pytestmark = pytest.mark.storeless

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
        ("I changed my password to tr0ub4dor&3", "secret"),
        ("Пароль: Zebra!77", "secret"),  # after a colon, in any language
        ("Пароль:Zebra!77", "secret"),
        ("Parola: gatto.77!x", "secret"),
        ("暗号：abc123!x", "secret"),
        ("La parola d'ordine: gatto7#rosa", "secret"),
        ("Username: ines_k, password tulip77x", "secret"),  # next to a user name
        ("username: ana\npass: x77tulip", "secret"),
        ("login: ana / tulip77", "secret"),
        ("pwd: hunter2x", "secret"),
        ("card 4111 1111 1111 1111 123", "card"),  # with the number on its back
        ("4111 1111 1111 1111 12/27", "card"),
        ("Flight LH12 pay to DE89 3704 0044 0532 0130 00", "iban"),
        ("The user’s password is swordfish.", "secret"),
        ("The user's new Netflix password is swordfish.", "secret"),
        ("my pass phrase is correct horse battery staple", "secret"),
        ("My new Netflix password is 'sunshine', don't tell.", "secret"),
        ("password: hunter2", "secret"),
        ("mot de passe netflix: Soleil2024", "secret"),
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
        ("My passport is 533380006", "identity"),
        ("National Insurance number: QQ 12 34 56 C", "identity"),
        ("Meine Sozialversicherungsnummer ist 65 170839 J 003.", "identity"),
        ("Mi DNI es 12345678Z.", "identity"),
        ("O meu CPF: 529.982.247-25", "identity"),
        ("Codice fiscale RSSMRA85T10A562S", "identity"),
        ("Mój PESEL to 44051401359.", "identity"),
        ("Meine Steuer-ID ist 36 574 261 809.", "identity"),
        ("My NHS number is 943 476 5870.", "identity"),
        ("身份证号 360426199101010071", "identity"),
        ("Hetu 131052-308T", "identity"),
        (f"Use {GITHUB} for the clone.", "token"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "token"),
        ("sk-proj-" + "abcDEF123456" * 3, "token"),
        ("The key is AKIA" + "IOSFODNN7EXAMPLE", "token"),
        (f"Authorization: Bearer {JWT}", "token"),
        ("My API key is 8f14e45fceea167a5a36dedd4bea2543", "token"),
        ("postgres://ana:Tulip-77@db.example.org/shop", "token"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk", "private_key"),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----", "private_key"),
        ("It is 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_.", "token"),
        ("Write to ana.b+news@example.co.uk.", "email"),
        ("mailto:ana@example.org", "email"),
        ("E-Mail:o'neil@example.ie, bitte", "email"),
        ("ana@münchen.example", "email"),
        ("почта@пример.рф", "email"),
        ("我的邮箱是ana@example.com谢谢", "email"),
        ("ana＠example.com", "email"),
        ("Call me at +351 912 345 678.", "phone"),
        ("+49 (0)30 1234567", "phone"),
        ("Ring +1 (202) 555-0143 or +1-202-555-0144", "phone"),
        ("(+351) 21 345 6789", "phone"),
        ("+ 33 6 12 34 56 78", "phone"),
        ("00 49 30 1234567", "phone"),
        ("0044 1632 960961", "phone"),
        ("+441632960961", "phone"),
        ("+7 (912) 345-67-89", "phone"),
        ("+48 601\u2011234\u2011567", "phone"),  # hyphens that do not break
        ("+351\u00a0912\u00a0345\u00a0678", "phone"),
        ("\u200e+966 50 123 4567\u200f", "phone"),
        ("+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧", "phone"),
        ("＋８１ ９０ １２３４ ５６７８", "phone"),
        ("电话是+8613912345678谢谢", "phone"),
        ("卡号是4111111111111111谢谢", "card"),
        ("My \u0440assw\u043erd is hunter2.", "secret"),  # Cyrillic letters
        ("My p a s s w o r d is hunter2.", "secret"),
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
        "Model: iPhone15-Pro, Order: A123456",
        "user story 12, sprint2024 planning",
        "The user is vegan and likes Windows11.",
        "user: root\nimage: postgres16",
        "User: Anna; Raum: B12345",
        "user=postgres;database=northwind2",
        "Instagram: @ana_2024, Hashtag: #NeurIPS2024",
        "npm package: react-dom@18",
        "PR: thalamus#123",
        "Python: x**2+y**2",
        "Price: about$1000",
        "Happy new year: Hello2024!",
        "Score: Porto3-Benfica1!",
        "I forgot the password to Office365.",
        "Das Passwort auf Windows11 zurücksetzen",
        "Applied with passport 20240115",
        "Log in, then iphone15pro",
        "Good condition: AU$10-AU$20",
        "background: #a1b2c3; width: 10px!important;",
        "Passport renewal costs 120",
        "git clone git@github.com:ana/thalamus.git",
        "I'm addicted to chess.",
        # told by the model's label or by the user, not by a rule
        "I was diagnosed with epilepsy in 2019.",
        "Her salary is 70,000 a year.",
        "My number is 912 345 678.",
        "I live at 12 Rose Street.",
        "@ana@mastodon.social",
        "It is icon@2x.png.",
        "user@localhost",
        "It grew by +1 000 000, then +20.000.000.",
        "+15% and +2.5, at 10:00+01:00",
        "x + 31415926, 2+12345678",
        "Order 0012345678, at 00:49 30 1234567",
        "+351 91",
        "The user moved to Lisbon in May 2024.",
        "The order 4111 1111 1111 1112 has been sent.",
        "DNI 12345678A, CPF 529.982.247-26, PESEL 44051401358",  # wrong check digits
        "Order 44051401359, backup 20240115-1030, at 20240115T103000Z",
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


LONG = {
    "user names": "1 user=ab," + "a" * 100_000,
    "many user names": "1 username: ab," * 7_000,
    "assigned": "secret=" * 15_000,
    "colons": "1 a: tulip7!x" * 8_000,
    "symbols": "1 a:" + "!" * 100_000,
    "accounts": "AB12 and words " * 7_000,
    "letters": "1" + "aB" * 50_000,
    "paths": "aB1/" * 25_000,
}


@pytest.mark.timeout(20)  # takes a second together; what is quadratic takes hours
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_text_takes_linear_time(text: str) -> None:
    assert (personal(text) is None) == (personal_spans(text) == [])


@given(
    st.sampled_from("3456"), st.text("0123456789", min_size=12, max_size=17), st.sampled_from(" -")
)
def test_every_card_number_and_none_with_another_last_digit(
    first: str, rest: str, between: str
) -> None:
    body = first + rest
    written = f"{body[:4]}{between}{body[4:]}"
    right = [digit for digit in "0123456789" if personal(f"It is {written}{digit}.") == "card"]
    assert len(right) == 1 or len(set(body)) == 1


@given(st.sampled_from([("DE", 18), ("NO", 11), ("PT", 21)]), st.data())
def test_every_account_number(country: tuple[str, int], data: st.DataObject) -> None:
    name, size = country
    account = data.draw(st.text("0123456789", min_size=size, max_size=size))
    check = 98 - int("".join(str(int(c, 36)) for c in f"{account}{name}00")) % 97
    right = f"{name}{check:02}{account}"
    assert personal_spans(f"to {right} now")[0][:2] == (3, 3 + len(right))
    others = (f"{name}{(check + 1) % 100:02}{account}", right[:-1])
    assert "iban" not in {rule for each in others for *_, rule in personal_spans(each)}


@pytest.mark.parametrize(("rule", "signs"), [(rule, signs) for _, rule, _, signs in RULES])
@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=10
)
@given(data=st.data())
def test_what_a_rule_finds_has_one_of_its_signs(
    rule: re.Pattern[str], signs: tuple[str, ...], data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(re.compile(rule.pattern, rule.flags)))
    assert any(sign in text.casefold() for sign in signs) and personal(text) is not None


@given(st.text())
def test_it_takes_any_text(text: str) -> None:
    names = "card iban secret identity token private_key email phone".split()
    assert personal(text) in {None, *names}


def test_spans_of_addresses_and_numbers() -> None:
    text = "Write to ana@example.org or call +351 912 345 678."
    found = [(text[start:end], rule) for start, end, rule in personal_spans(text)]
    assert found == [("ana@example.org", "email"), ("+351 912 345 678", "phone")]
