"""Times in other languages than English, as people write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import make_times
from thalamus.policy.time_expressions import (
    intervals,
    leading_time,
    may_recur,
    named_times,
    without_times,
)
from thalamus.text.times_by_language import languages
from thalamus.text.tokens import is_foreign

pytestmark = pytest.mark.storeless

NOW = date(2026, 3, 18)  # a Wednesday
WEEK = "2026-03-09 2026-03-15"
MONTH = "2026-02-01 2026-02-28"
LAST_YEAR = "2025-01-01 2025-12-31"
SPOKEN = {
    "de": {
        "Was habe ich vorgestern gekocht?": "2026-03-16",
        "Wo war ich letzte Woche mit dem Rad?": WEEK,
        "Am 3. Oktober 2024 sind wir umgezogen": "2024-10-03",
        "Vor zwei Monaten hatte ich Fieber": "2026-01-18",
        "Letztes Jahr im August waren wir auf Rügen": "2025-08-01 2025-08-31",
        "Vom 3. bis 7. Mai 2025 war ich krank": "2025-05-03 2025-05-07",
        "Die Karten kosten 15.10 € und hier ist es kalt": "",
    },
    "es": {
        "¿Qué planté el 15 de octubre?": "2025-10-15",
        "La semana pasada llovió mucho": WEEK,
        "Hace tres años vivía en Cádiz": "2023-03-18",
        "Julio me debe dinero": "",
    },
    "fr": {
        "On a mangé où avant-hier ?": "2026-03-16",
        "Le mois dernier j'ai changé de vélo": MONTH,
        "Entre juin et août 2025 j'étais à Brest": "2025-06-01 2025-08-31",
        "Le chat a été opéré": "",
    },
    "pt": {"O que fiz na terça-feira?": "2026-03-17", "Há dois dias choveu em Braga": "2026-03-16"},
    "it": {
        "Cosa ho comprato ieri al mercato?": "2026-03-17",
        "Due settimane fa ero a Bari": "2026-03-04",
    },
    "nl": {
        "Waar at ik vorige vrijdag?": "2026-03-13",
        "In 2019 woonde ik in Gent": "2019-01-01 2019-12-31",
    },
    "sv": {"Vad köpte jag i förrgår?": "2026-03-16", "Den 4 juli 2025 seglade vi": "2025-07-04"},
    "da": {
        "Hvad spiste jeg i går?": "2026-03-17",
        "For tre uger siden var jeg i Aarhus": "2026-02-25",
    },
    "pl": {
        "Co robiłem w październiku?": "2025-10-01 2025-10-31",
        "Rok temu kupiłam rower": "2025-03-18",
    },
    "cs": {"Kde jsem byl minulý týden?": WEEK, "V říjnu jsem začal běhat": "2025-10-01 2025-10-31"},
    "ru": {"Что я делал в прошлом году?": LAST_YEAR, "Мы переехали 5 мая 2024 года": "2024-05-05"},
    "uk": {
        "Що я купив позавчора?": "2026-03-16",
        "У жовтні ми були в горах": "2025-10-01 2025-10-31",
    },
    "el": {"Τι έφαγα χθες;": "2026-03-17", "Στις 3 Οκτωβρίου 2024 μετακόμισα": "2024-10-03"},
    "ro": {"Ce am gătit ieri?": "2026-03-17", "Luna trecută am alergat mult": MONTH},
    "hu": {"Mit ettem tegnap?": "2026-03-17", "2025. október 15-én költöztünk": "2025-10-15"},
    "fi": {
        "Mitä söin maanantaina?": "2026-03-16",
        "Lokakuussa muutin Turkuun": "2025-10-01 2025-10-31",
    },
    "tr": {"Geçen hafta ne yaptım?": WEEK, "Ekimde nereye taşındım?": "2025-10-01 2025-10-31"},
    "ar": {"ماذا أكلت أمس؟": "2026-03-17", "سافرت في أكتوبر 2024": "2024-10-01 2024-10-31"},
    "he": {"מה אכלתי אתמול?": "2026-03-17", "בשבוע שעבר הייתי בחיפה": WEEK},
    "hi": {"मैं पिछले हफ़्ते कहाँ था?": WEEK, "15 अक्टूबर 2024 को क्या हुआ?": "2024-10-15"},
    "id": {"Kemarin aku makan apa?": "2026-03-17", "Bulan lalu saya pindah ke Bogor": MONTH},
    "vi": {"Hôm qua tôi ăn gì?": "2026-03-17", "Ngày 15 tháng 10 năm 2024 tôi cưới": "2024-10-15"},
    "zh": {
        "我昨天吃了什么？": "2026-03-17",
        "2024年10月15日我们搬家了": "2024-10-15",
        "十月下旬我在哪里？": "2025-10-21 2025-10-31",
        "上周五谁来了？": "2026-03-13",
    },
    "ja": {"先週どこに行きましたか": WEEK, "2024年10月15日に引っ越した": "2024-10-15"},
    "ko": {"어제 뭐 먹었지?": "2026-03-17", "2024년 10월 15일에 이사했어": "2024-10-15"},
    "th": {"เมื่อวานฉันกินอะไร": "2026-03-17", "สัปดาห์ที่แล้วไปไหนมา": WEEK},
}


def spans(text: str) -> list[str]:
    """Each interval as a day, or as its first and last day."""
    return [
        str(first) if first == last else f"{first} {last}" for first, last in intervals(text, NOW)
    ]


@pytest.mark.parametrize("code", SPOKEN)
def test_times_as_people_write_them(code: str) -> None:
    read = {text: spans(text) for text in SPOKEN[code]}
    assert read == {text: [days] if days else [] for text, days in SPOKEN[code].items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hier j'ai couru", ["2026-03-17"]),
        ("Hier ist es kalt", []),  # "here" in German
        ("gestern Regen", ["2026-03-17"]),
        ("Where did I eat on 3 May 2024?", ["2024-05-03"]),
        ("tea", []),
    ],
)
def test_a_word_means_what_it_does_in_the_language_of_the_text(
    text: str, expected: list[str]
) -> None:
    assert spans(text) == expected


@pytest.mark.parametrize(
    ("other", "time", "days"),
    [
        ("¿Cuándo hablé con Julio?", "¿Qué hice en Julio?", "2025-07-01 2025-07-31"),
        ("Onde fica o Rio de Janeiro?", "Em Janeiro fui a Lisboa", "2026-01-01 2026-01-31"),
        ("Kiedy Maja ma urodziny?", "Co robiłem w maju?", "2025-05-01 2025-05-31"),
        ("Chi è Domenica?", "Cosa ho fatto domenica?", "2026-03-15"),
        ("Unde era Teatrul de Vară?", "Ce am făcut în vară?", "2025-06-01 2025-08-31"),
        ("Какая у меня среда разработки?", "Что было в среду?", "2026-03-11"),
        ("Jaké je středa prostředí?", "Co bylo ve středu?", "2026-03-11"),
        ("איפה תל אביב?", "באביב נסענו לגליל", "2026-03-01 2026-05-31"),
        ("لا أحد يعرف", "ماذا فعلت الأحد؟", "2026-03-15"),
        ("日本在哪里？", "本月我去了哪里？", "2026-03-01 2026-03-31"),
        ("日本に行きました", "今日は何をしましたか", "2026-03-18"),
        ("ฉันมีความสุข", "เดือนมีนาคมฉันไปไหน", "2026-03-01 2026-03-31"),
        ("พระอาทิตย์ขึ้นกี่โมง", "วันอาทิตย์ฉันไปไหน", "2026-03-15"),
        (
            "Who saw the fall of Rome?",
            "What did I do in the fall of 2025?",
            "2025-09-01 2025-11-30",
        ),
    ],
)
def test_a_name_or_another_word_is_no_time(other: str, time: str, days: str) -> None:
    assert spans(other) == [] and spans(time) == [days]


def test_what_else_a_question_asks_for() -> None:
    assert (
        without_times("Wo waren wir im Oktober essen?").split() == "wo waren wir im essen?".split()
    )
    assert named_times("Wo waren wir im Oktober essen?") == ["oktober"]
    assert without_times("昨天我做了什么？").strip() == "我做了什么？"
    assert named_times("Où étions-nous la semaine dernière ?") == []  # no month is in "semaine"
    assert named_times("Ekimde neredeydik?") == ["ekim"]


def test_a_statement_may_begin_with_a_time_and_a_time_may_recur() -> None:
    first = leading_time("letzte Woche", NOW)
    assert first == ("letzte Woche", (date(2026, 3, 9), date(2026, 3, 15)))
    assert may_recur("im Sommer") and not may_recur("letzten Sommer")


@given(st.text(max_size=60), st.sampled_from([text for all in SPOKEN.values() for text in all]))
def test_any_text_is_read_and_its_times_are_in_order(noise: str, spoken: str) -> None:
    for first, last in intervals(f"{spoken} {noise}", NOW):
        assert first <= last
    assert languages(noise.casefold()) is not None


def test_the_words_are_those_of_the_generator() -> None:
    if pytest.importorskip("dateparser").__version__ != make_times.DATEPARSER:
        pytest.skip(f"the words are those of dateparser {make_times.DATEPARSER}")
    assert make_times.made() == make_times.PLACE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "question", "foreign"),
    [
        ("ich wohne seit drei jahren in gent.", "where do i live these days?", True),
        ("οξυγόνο βρέθηκε το 1773.", "when was oxygen discovered?", True),
        ("i live in ghent, near the canal.", "where do i live these days?", False),
        ("it comes from the greek word γένος.", "where does the word come from?", False),
        ("rex", "what is my dog called?", False),
    ],
)
def test_a_text_in_another_language_than_the_question(
    text: str, question: str, foreign: bool
) -> None:
    assert is_foreign(text, question) == foreign
