"""Function words by language, and the content that is left without them."""

from __future__ import annotations

import unicodedata

import pytest

from thalamus.text.analyzer import WORD, normal
from thalamus.text.word_lists import function_words, languages

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize("language", languages())
def test_function_words_are_lower_case_and_composed(language):
    found = function_words(language)
    assert len(found) > 80
    assert found == {unicodedata.normalize("NFC", word.lower()) for word in found}
    assert not any(character.isspace() for word in found for character in word)


@pytest.mark.parametrize(
    ("language", "question", "content"),
    [
        ("en", "What is the name of my sister's dog?", "name sister's dog"),
        ("en", "Where does my son live?", "son live"),
        ("de", "Wo wohnt mein Sohn jetzt eigentlich?", "wohnt sohn"),
        ("es", "¿Dónde trabaja mi hermana ahora mismo?", "trabaja hermana ahora"),
        ("fr", "Qu'est-ce que son frère a acheté ?", "frère acheté"),
        ("pt", "Onde é que a minha irmã mora?", "irmã mora"),
        ("it", "Dov'è che abita mia sorella?", "abita sorella"),
        ("nl", "Waar heb ik mijn fiets gekocht?", "fiets gekocht"),
        ("sv", "Vad heter min hund?", "heter hund"),
        ("da", "Hvad hedder min hund?", "hedder hund"),
        ("pl", "Gdzie mieszka moja siostra?", "mieszka siostra"),
        ("cs", "Kde bydlí moje sestra?", "bydlí sestra"),
        ("ru", "Как зовут мою собаку?", "зовут собаку"),
        ("uk", "Де живе моя сестра?", "живе сестра"),
        ("el", "Πού δουλεύει η αδερφή μου;", "δουλεύει αδερφή"),
        ("ro", "Unde locuiește sora mea?", "locuiește sora"),
        ("hu", "Hol lakik a nővérem?", "lakik nővérem"),
        ("fi", "Missä minun siskoni asuu?", "siskoni asuu"),
        ("tr", "Benim köpeğimin adı ne?", "köpeğimin adı"),
        ("ar", "أين تعمل أختي؟", "تعمل أختي"),
        ("he", "איפה גרה אחותי?", "גרה אחותי"),
        ("id", "Di mana adik saya bekerja?", "adik bekerja"),
        ("vi", "Tôi làm việc ở đâu?", "làm việc"),
    ],
)
def test_the_content_of_a_question_is_left(language, question, content):
    known = function_words(language)
    found = WORD.findall(normal(question))
    assert [word for word in found if word not in known] == content.split()


def test_hindi_function_words():
    known = function_words("hi")
    question = "मेरी बहन कहाँ काम करती है"
    assert [word for word in question.split() if word not in known] == ["बहन", "काम"]


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "son"),
        ("en", "may"),  # a month
        ("de", "weiß"),  # a colour
        ("de", "mai"),
        ("nl", "weer"),  # the weather
        ("ro", "mai"),
        ("ar", "علي"),  # a name
        ("vi", "con"),  # a child
        ("hi", "पता"),  # an address
        ("he", "ספר"),  # a book
    ],
)
def test_a_word_with_content_is_not_listed(language, word):
    assert word not in function_words(language)
