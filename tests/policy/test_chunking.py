"""Cutting documents: what every text must keep, and where the cuts belong."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.policy.chunking import chunk, full_text
from thalamus.text.sentences import sentence_spans

pytestmark = pytest.mark.storeless


def words(text: str) -> int:
    return len(text.split())


def quarters(text: str) -> int:
    return -(-len(text) // 4)


def one_page(text: str, limit: int, count=words):
    return chunk([(1, text)], limit, count)


pieces = st.sampled_from(
    [
        "# Setup\n", "## Linux\n\n", "2.1 Methods\n", "Title\n=====\n", "```\n# not one\n```\n",
        "\n\n", "\n", " ", "\t", "\u00a0", "\u3000", "Dr. Smith pays 3.14 dollars. ", "e.g. ",
        "One sentence ends here. ", "Really?! ", "第一句。第二句！", "wörter ", "e\u0301", "😀",
        "x" * 50, "1. First\n2. Second\n", "---\n", ".", "(See Fig. 3.) ", "\u2028", "\x1c",
    ]
)  # fmt: skip
texts = st.one_of(st.lists(pieces, max_size=30).map("".join), st.text(max_size=200))
documents = st.lists(texts, max_size=4).map(lambda found: list(enumerate(found, start=1)))


@given(documents, st.integers(1, 40), st.sampled_from([words, quarters, len]))
def test_chunks_are_slices_of_the_full_text_and_lose_nothing(pages, limit, count):
    chunks = chunk(pages, limit, count)
    whole = full_text(pages)
    end = 0
    for piece in chunks:
        assert whole[piece.offset : piece.offset + len(piece.text)] == piece.text
        assert piece.text.strip() == piece.text != ""
        assert not whole[end : piece.offset].strip()  # in order, without gap or overlap
        assert count(piece.text) <= limit or len(piece.text) == 1 or "e\u0301" in piece.text
        end = piece.offset + len(piece.text)
    assert not whole[end:].strip()


@given(documents, st.integers(1, 40))
def test_no_chunk_crosses_a_page(pages, limit):
    starts, offset = {}, 0
    for number, text in pages:
        starts[number] = (offset, offset + len(text))
        offset += len(text) + 2
    for piece in chunk(pages, limit, words):
        start, end = starts[piece.page]
        assert start <= piece.offset and piece.offset + len(piece.text) <= end


@given(texts)
def test_sentences_are_in_order_and_lose_nothing(text):
    end = 0
    for start, stop in sentence_spans(text):
        assert start >= end and not text[end:start].strip()
        assert text[start:stop].strip() == text[start:stop] != ""
        end = stop
    assert not text[end:].strip()


@pytest.mark.parametrize(
    "text",
    [
        "Install it, e.g. with apt.|Dr. Smith pays 3.14 dollars.|Then go on.",
        "It was wrapped\nby the page at a line\nend.|The second one.",
        "Next one。|第二句。|第三句！|然后？|「好。」|完",
        'He said "Stop."|Then he left.|(It was late.)|See Fig. 3 and p. 12.',
        "J. R. Smith came at 5 p.m. on Monday.|Version 1.2.3 is out!|Really?!|Yes... maybe.",
        "Das kostet z. B. 3,50 Euro.|Hr. Müller kam.|Gut.",
        "It is No. 5.|I said no.|Then it ended in 1999.|Next.",
        "1. Open it.|2. Close it.",
        "**Bold.**|Then more.|¿Qué?|Nada.",
        "A title without an end|\n\nA paragraph.",
    ],
)
def test_sentences(text):
    expected = [part.strip() for part in text.split("|")]
    joined = re.sub(r"(?<=[。！？」])\|", "", text).replace("|", " ")
    assert [joined[a:b] for a, b in sentence_spans(joined)] == expected


GUIDE = """# Setup

## Linux

Install it with apt. Then start it.

It is ready.

## Mac

Use brew.

# Use

Type help."""


def test_headings_bound_chunks_and_stay_with_what_follows():
    chunks = one_page(GUIDE, 100)
    assert [(c.heading, c.text.split("\n")[-1]) for c in chunks] == [
        ("Setup > Linux", "It is ready."),
        ("Setup > Mac", "Use brew."),
        ("Use", "Type help."),
    ]
    assert chunks[0].text.startswith("# Setup\n\n## Linux\n\nInstall")


def test_a_heading_is_not_left_alone_when_its_paragraph_is_too_long():
    text = "# Long\n\nOne two three. Four five six. Seven eight."
    assert [c.text for c in one_page(text, 6)] == [
        "# Long\n\nOne two three.",
        "Four five six. Seven eight.",
    ]
    assert one_page(text, 4)[0].text == "# Long\n\nOne two"


def test_headings_go_on_over_pages():
    chunks = chunk([(1, "# Setup\n\nFirst."), (2, "Second."), (5, "## Mac\n\nThird.")], 50, words)
    assert [(c.page, c.heading) for c in chunks] == [
        (1, "Setup"),
        (2, "Setup"),
        (5, "Setup > Mac"),
    ]


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("Title\n=====\n\nText.\n\nPart\n----\n\nMore.", ["Title", "Title > Part"]),
        (
            "1 Introduction\nThis is the first line of a paragraph.\n2.1 Data Sets\nFrom there.",
            ["1 Introduction", "1 Introduction > 2.1 Data Sets"],
        ),
        ("2 Methods\n2.1 Data\nThey were collected.", ["2 Methods > 2.1 Data"]),
        ("Chapter 3 The Sea\n\nIt was calm.", ["Chapter 3 The Sea"]),
        ("Buy:\n1. Milk\n2. Bread\n3. Butter", [None]),
        ("Dear Sir.\n\n12 Baker Street\nLondon", [None]),
        ("Run it:\n\n```\n# a comment\n```\n\nDone.", [None]),
        ("## Closed ##\n\nText.", ["Closed"]),
        ("#hashtag is no heading", [None]),
    ],
)
def test_what_is_a_heading(text, headings):
    assert list(dict.fromkeys(c.heading for c in one_page(text, 100))) == headings


def test_paragraphs_are_packed_and_kept_whole():
    text = "One two.\n\nThree four.\n\nFive six seven eight nine.\n\nTen."
    assert [c.text for c in one_page(text, 6)] == [
        "One two.\n\nThree four.",
        "Five six seven eight nine.\n\nTen.",
    ]


def test_a_long_sentence_is_cut_after_a_clause_then_between_words_then_characters():
    assert [c.text for c in one_page("one two, three four five", 3)] == [
        "one two,",
        "three four five",
    ]
    assert [c.text for c in one_page("one two three four five", 2)] == [
        "one two",
        "three four",
        "five",
    ]
    assert [c.text for c in one_page("abcdefgh", 3, len)] == ["abc", "def", "gh"]
    assert [c.text for c in one_page("ae\u0301b", 2, len)] == ["a", "e\u0301", "b"]


def test_counting_stays_cheap_for_one_endless_word_and_many_words():
    asked = 0

    def count(text: str) -> int:
        nonlocal asked
        asked += len(text)
        return quarters(text)

    for text in ("x" * 200_000, "word " * 40_000, "A sentence of some words. " * 8_000):
        asked = 0
        assert len(one_page(text, 256, count)) >= 190
        assert asked < 60 * len(text)


def test_empty_documents_have_no_chunks():
    assert chunk([], 10, words) == []
    assert chunk([(1, ""), (2, " \n\t")], 10, words) == []
