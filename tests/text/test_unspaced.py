"""Content of questions in languages that are searched by pairs of characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.text.unspaced import content_text

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("我的生日是什么时候？", "生日 ?"),
        ("你还记得我妹妹在哪里工作吗？", "妹妹 工作 ?"),
        ("他們什麼時候去日本旅行?", "去日本旅行 ?"),
        ("私の誕生日はいつですか？", "誕生日 ?"),
        ("私はりんごが好きですか", "りんご 好き"),
        ("妹はカメラをいくらで選びましたか", "妹は カメラ 選び"),
        ("제 생일이 언제인가요?", "생일 ?"),
        ("여동생은 어디에서 일해?", "여동생 일해 ?"),
        ("แมวของฉันชื่ออะไร", "แมว ชื่อ"),
        ("คุณจำได้ไหม ฉันแต่งงานเมื่อไหร่", "แต่งงาน"),
    ],
)
def test_function_words_are_removed(question, content):
    assert content_text(question).split() == content.split()


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("我住在哪里", "我住 住在"),
        ("집에서 뭐 해", "집에"),
        ("私の猫の名前は何ですか", "の猫 猫の 名前"),
    ],
)
def test_a_single_character_is_kept_with_its_neighbours(question, content):
    assert content_text(question).split() == content.split()


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("他住在都柏林吗", "都柏林"),  # Dublin, and 都 is "all"
        ("我的目的是什么", "目的"),
        ("私立大学に行きましたか", "私立大学"),  # private, and 私 is "I"
        ("ฉันซื้อของขวัญให้ใคร", "ของขวัญ"),  # a present, and ของ is "of"
    ],
)
def test_a_word_that_contains_a_function_word_is_kept(question, content):
    assert any(part.endswith(content) for part in content_text(question).split())


@given(st.text(alphabet="我的是在住猫のはがをいますかりんご제가집에서ฉันที่ไหน a"))
def test_nothing_is_added(text):
    assert set("".join(content_text(text).split())) <= set(text)


def test_other_languages_are_unchanged():
    assert content_text("where does the son live?") == "where does the son live?"
