"""Search by words in many languages and scripts: a form of its words finds what was said, and a
question about something else finds nothing."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from thalamus import Thalamus
from thalamus.records import Memory
from thalamus.text.analyzer import fold

# language: what was said, other statements, a question for the first, a question for nothing
SAID = {
    "zh": (
        "我妹妹在成都开了一家花店",
        ["昨天的雨下得很大", "我每天早上喝咖啡", "邻居家的狗很吵"],
        "谁开了花店？",
        "我的护照号码是多少？",
    ),
    "ja": (
        "姉が京都で花屋を始めました",
        ["昨日は雨がひどかった", "毎朝コーヒーを飲みます", "隣の犬がうるさい"],
        "花屋を始めたのは誰ですか？",
        "パスポートの番号は何ですか？",
    ),
    "ko": (
        "누나가 부산에서 꽃집을 열었어요",
        ["어제는 비가 많이 왔어요", "매일 아침 커피를 마셔요", "옆집 개가 시끄러워요"],
        "꽃집은 누가 열었어요?",
        "여권 번호가 뭐예요?",
    ),
    "th": (
        "พี่สาวเปิดร้านดอกไม้ที่เชียงใหม่",
        ["เมื่อวานฝนตกหนัก", "ฉันดื่มกาแฟทุกเช้า", "หมาข้างบ้านเสียงดัง"],
        "ใครเปิดร้านดอกไม้",
        "หมายเลขหนังสือเดินทางคืออะไร",
    ),
    "hi": (
        "मेरी बहन ने जयपुर में फूलों की दुकान खोली है",
        ["कल बहुत बारिश हुई", "सुबह चाय पीता हूँ", "पड़ोस का कुत्ता भौंकता है"],
        "फूलों की दुकान किसने खोली?",
        "पासपोर्ट का नंबर क्या है?",
    ),
    "el": (
        "Η αδερφή μου άνοιξε ανθοπωλείο στον Βόλο",
        ["Χθες έβρεχε πολύ", "Κάθε πρωί πίνω καφέ", "Ο σκύλος του γείτονα γαβγίζει"],
        "Ποιος έχει το ανθοπωλείο;",
        "Ποιος είναι ο αριθμός του διαβατηρίου;",
    ),
    "pl": (
        "Moja siostra otworzyła kwiaciarnię w Toruniu",
        ["Wczoraj mocno padało", "Rano piję kawę", "Pies sąsiada szczeka"],
        "Kto prowadzi kwiaciarnie?",
        "Jaki jest numer paszportu?",
    ),
    "tr": (
        "Ablam Bursa'da çiçekçi dükkânı açtı",
        ["Dün çok yağmur yağdı", "Her sabah kahve içerim", "Komşunun köpeği havlıyor"],
        "Çiçekçi dükkanını kim açtı?",
        "Pasaport numarası kaç?",
    ),
    "ar": (
        "أختي فتحت محل زهور في مراكش",
        ["أمس نزل مطر كثير", "أشرب القهوة كل صباح", "كلب الجيران يزعجنا"],
        "من عنده محل الزهور؟",
        "ما هو رقم جواز السفر؟",
    ),
    "fi": (
        "Siskoni avasi kukkakaupan Turussa",
        ["Eilen satoi kovasti", "Juon aamuisin kahvia", "Naapurin koira haukkuu"],
        "Kuka pitää kukkakauppaa?",
        "Mikä on passin numero?",
    ),
}


@pytest.fixture(params=["none", "static"])
def thalamus(request: pytest.FixtureRequest, tmp_path: Path) -> Thalamus:
    return Thalamus(home=tmp_path, model="scripted", embedder=request.param)


@pytest.mark.parametrize("language", SAID)
def test_a_form_of_its_words_finds_what_was_said(thalamus: Thalamus, language: str) -> None:
    statement, others, question, unknown = SAID[language]
    with thalamus:
        thalamus.remember([Memory(content=text) for text in (*others, statement)])
        assert thalamus.recall(question)[0].text == statement
        if thalamus.config.embedder == "none":  # a question without an answer finds nothing
            assert thalamus.recall(unknown) == []


def test_all_languages_in_one_store(thalamus: Thalamus) -> None:
    with thalamus:
        for statement, others, *_ in SAID.values():
            thalamus.remember([Memory(content=text) for text in (*others, statement)])
        for statement, _, question, _ in SAID.values():
            assert thalamus.recall(question)[0].text == statement


# two statements and a question, in which only the marks of one word differ
MARKED = [
    ("Chị Hoa bán {} ở chợ Đông Ba.", "Chị Hoa bán {} ở đâu?", "bò", "bơ"),
    ("Mẹ tôi hay nấu canh {} vào chủ nhật.", "Khi nào mẹ nấu canh {}?", "cá", "cà"),
    ("Dì Sáu bán {} ở bến xe.", "Dì Sáu bán {} ở đâu?", "cam", "cám"),
    ("Mañana visito a mi {} en Bogotá.", "¿Cuándo visito a mi {}?", "papá", "papa"),
    ("Frau Böhm hat {} im Flur.", "Wo hat Frau Böhm {}?", "Kästen", "Kasten"),
    ("Le curé a parlé de la {} à midi.", "Quand le curé a-t-il parlé de la {} ?", "pêche", "pèche"),
    ("Kardeşim bahçede {} gördü.", "Kim bahçede {} gördü?", "kır", "kir"),
]


def test_marks_tell_words_apart_where_the_question_has_them(thalamus: Thalamus) -> None:
    with thalamus:
        for statement, question, *words in MARKED:
            said = [statement.format(word) for word in words]
            thalamus.remember([Memory(content=text) for text in said])
            for word, text in zip(words, said, strict=True):
                assert thalamus.recall(question.format(word))[0].text == text
                typed = unicodedata.normalize("NFD", question.format(word))
                assert thalamus.recall(typed)[0].text == text
                plain = fold(question.format(word))
                assert {one.text for one in thalamus.recall(plain)[:2]} == set(said)
