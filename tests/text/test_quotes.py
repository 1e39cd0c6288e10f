"""Quotes found in their source, in any script."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.text.quotes import _EDGES, Span, _folded, find

pytestmark = pytest.mark.storeless

TEXTS = st.text(
    alphabet=st.sampled_from("abcXYZ ßİıéŁø  \n\t.,'’\"“„«»-12٣सी我猫ぱพ่한דاж\u0301\u200b🐶"),
    max_size=40,
)

FAR = f"I am I. {'la ' * 40}"


def found(quote: str, source: str) -> str | None:
    span = find(quote, source)
    return None if span is None else span.of(source)


@pytest.mark.parametrize(
    ("quote", "source", "part"),
    [
        ("my cat Bruno", "well, my cat Bruno snores", "my cat Bruno"),
        ("MY CAT  bruno", "well, my cat\nBruno snores", "my cat\nBruno"),
        ("I'm a 'night owl'", "I’m a ‘night owl’, truly", "I’m a ‘night owl"),
        ('she said "yes"', "she said „yes“ to me", "she said „yes"),
        ("in der Strasse", "in der Straße da", "in der Straße"),
        ("cafe", "das Café dort", "Café"),
        (
            "café",
            unicodedata.normalize("NFD", "das Café dort"),
            unicodedata.normalize("NFD", "Café"),
        ),
        ("mam psa Łatka", "no i mam psa Łatka", "mam psa Łatka"),
        ("izmir'e taşındım", "sonra İZMİR'E TAŞINDIM dedim", "İZMİR'E TAŞINDIM"),
        ("живу в туле", "Теперь Живу в Туле.", "Живу в Туле"),
        ("Ζω στη Βόλο", "ΖΩ ΣΤΗ ΒΌΛΟ πια", "ΖΩ ΣΤΗ ΒΌΛΟ"),
        ("أعيش في دمشق", "أنا أعيش في دمشق الآن", "أعيش في دمشق"),
        ("محمد", "أخي مُحَمَّد", "مُحَمَّد"),
        ("मैं पुणे में", "अब मैं पुणे में रहता हूँ", "मैं पुणे में"),
        ("我住在成都", "其实我住在成都了", "我住在成都"),
        ("「猫が苦手」", "彼女は「猫が苦手」と言う", "猫が苦手"),
        ("부산에 살아요", "저는 부산에 살아요!", "부산에 살아요"),
        ("แพ้ถั่ว", "ผมแพ้ถั่วครับ", "แพ้ถั่ว"),
        ("אני גר בחיפה", "היום אני גר בחיפה", "אני גר בחיפה"),
        ("asun Turussa", "Minä asun Turussa", "asun Turussa"),
        ("ran 10 km", "ran 10 km", "ran 10 km"),
        ("got a job 🎉", "got a job 🎉🎉 yes", "got a job 🎉"),
    ],
)
def test_a_copied_quote(quote: str, source: str, part: str) -> None:
    assert found(quote, source) == part


@pytest.mark.parametrize(
    ("quote", "source", "part"),
    [
        ("Leipzig", "mitten in Leipzigs Altstadt", "Leipzigs"),  # to the end of the word
        ("room 1", "room 12 please", "room 12"),
        ("art", "the party was fun", None),
        ("3 cats", "13 cats", None),
        ("he", "the", None),
        ("دمشق", "أعيش بدمشق", "دمشق"),  # a preposition is attached before it
        ("", "the party", None),
        ("...", "the party...", None),
    ],
)
def test_words_are_not_cut_at_their_beginning(quote: str, source: str, part: str | None) -> None:
    assert found(quote, source) == part


@pytest.mark.parametrize(
    ("quote", "source", "part"),
    [
        # a word left out, a word put in, a word changed
        ("aunt bakes bread daily", "my aunt bakes rye bread daily", "aunt bakes rye bread daily"),
        ("my kind brother bakes bread", "my brother bakes bread", "my brother bakes bread"),
        ("ich wohne jetzt in Graz", "ich wohne seit März in Graz", "ich wohne seit März in Graz"),
        # words that stand earlier as well do not count
        ("I moved to Porto with her", FAR + "moved to Porto with her", "moved to Porto with her"),
        ("私は大阪に住んでる", "私は大阪に住んでいる", "私は大阪に住んでいる"),
    ],
)  # fmt: skip
def test_a_quote_that_is_nearly_copied(quote: str, source: str, part: str) -> None:
    assert found(quote, source) == part


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("I keep bees on the roof", "I keep a spare key under the mat"),
        ("one two three four", f"one {'x ' * 30}two {'x ' * 30}three {'x ' * 30}four"),
        ("Bienen", "ich mag Wespen"),
        ("我住在成都", "他爱吃面"),
    ],
)
def test_a_quote_that_is_not_there(quote: str, source: str) -> None:
    assert find(quote, source) is None


def is_loose(before: str, sign: str) -> bool:
    """True for a vowel sign or accent behind nothing that it could be part of."""
    return category(sign)[0] == "M" and category(before)[0] not in "LM"


@given(TEXTS, st.data())
def test_any_words_of_a_text_are_found(text: str, data: st.DataObject) -> None:
    words = text.split()
    # such a sign is part of the letter before the word
    if not words or any(is_loose(*pair) for word in words for pair in pairwise(f" {word}")):
        return
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    quote = " ".join(words[first : last + 1])
    span = find(quote, text)
    wanted = _folded(quote).text.strip(_EDGES)
    if span is None:  # it is nothing but signs
        assert not wanted
        return
    assert 0 <= span.start < span.end <= len(text)
    assert _folded(span.of(text)).text.strip(_EDGES).startswith(wanted)


@given(TEXTS, TEXTS)
def test_a_span_lies_in_its_source(quote: str, source: str) -> None:
    span = find(quote, source)
    assert span is None or 0 <= span.start < span.end <= len(source)


def test_spans() -> None:
    assert Span(2, 4).within([Span(0, 1), Span(2, 5)]) and not Span(2, 4).within([Span(3, 5)])
    assert Span(2, 4).overlaps(Span(3, 9)) and not Span(2, 4).overlaps(Span(4, 9))


@pytest.mark.parametrize(
    ("text", "words", "whole"),
    [
        ("I live with Idris and his son (9). Bye.", "I live with Idris and his son (9", "(9)."),
        ("Es ist (laut Ana) der Kater!", "Es ist (laut Ana) der Kater", "Kater!"),
        ("彼は猫（ミソ）。", "彼は猫（ミソ", "（ミソ）。"),
        ("(I live in Porto) now", "I live in Porto", "in Porto"),
    ],
)
def test_its_end_closes_the_brackets_that_it_opened(text: str, words: str, whole: str) -> None:
    span = Span(text.index(words), text.index(words) + len(words))
    assert span.with_end(text) == words[: -len(whole.rstrip(").。!）"))] + whole
