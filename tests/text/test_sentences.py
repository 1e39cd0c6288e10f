"""Where sentences end, in twenty languages and in casual writing ("|" stands between two)."""

from __future__ import annotations

import pytest

from thalamus.text.questions import is_question
from thalamus.text.sentences import sentences


@pytest.mark.parametrize(
    "text",
    [
        "Meine Schwester heiratet am 14. November in Krakau. | Dann fahren wir los.",
        "Das war der 3. Versuch. | Ich bin 42. | Ich wohne bei Dr. Meyer.",
        "im 42. | i live in ghent. | my brother matteo works at the port",
        "Mr. Smith pays 3.50 on 3.5.2019, e.g. in cash. | Really? | Yes!",
        "Il dott. arriva alle 8. | Poi parte.",
        "Mi socio vive en Vigo. | ¿Dónde vives? | ¡Aquí!",
        "J'habite à Lyon. | Et toi ?",
        "Moro no Porto. | Gosto do mar.",
        "Ik woon in Gent. | En jij?",
        "Jag bor i Lund. | Och du?",
        "Jeg fylder år den 3. november. | Og dig?",
        "Mieszkam w Łodzi z inż. Nowakiem. | Jestem lekarzem.",
        "Narodil jsem se 5. května v Brně. | A ty?",
        "Häät ovat 14. marraskuuta Turussa. | Tule mukaan!",
        "Я живу в Киеве. | Ты тоже?",
        "Μένω στην Πάτρα. | Έχω δύο γάτες.",
        "Szegeden lakom. | És te?",
        "İzmir'de yaşıyorum. | Ya sen?",
        "أسكن في تونس. | أين تسكن؟ | هنا",
        "अभी मैं पुणे में हूँ। | आप कहाँ हैं?",
        "娘の学校は月曜日が休みです。|いつ休みですか？|はい",
        "我住在上海。|你呢？|这里",
        "저는 부산에 살아요. | 당신은요?",
        'She said "Stop!" and left. | (It was late.) | "Why?"',
    ],
)
def test_sentences(text: str) -> None:
    parts = [part.strip() for part in text.split("|")]
    assert sentences(text.replace(" | ", " ").replace("|", "")) == parts


def test_a_question_may_end_in_quotation_marks() -> None:
    assert is_question('"Why?"')
    assert not is_question('"Why."')


def test_each_line_is_a_sentence_of_its_own() -> None:
    assert sentences("I like tea\nMy son likes cocoa.\n\n") == ["I like tea", "My son likes cocoa."]
