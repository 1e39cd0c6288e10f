"""Plain text: encodings, cleaning, pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.errors import DocumentError
from thalamus.readers.text import clean, read_text
from thalamus.text.storable import storable

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("data", "text", "guessed"),
    [
        ("naïve €".encode(), "naïve €", None),
        ("\ufeffnaïve".encode(), "naïve", None),
        ("naïve".encode("utf-16"), "naïve", None),
        (b"\xfe\xff" + "naïve".encode("utf-16-be"), "naïve", None),
        ("naïve".encode("utf-32"), "naïve", None),
        (b"na\xefve \x80", "naïve €", "windows-1252 (guessed)"),
        (b"na\xefve \x81", "naïve", "latin-1 (guessed)"),
        (b"", None, None),
        (b" \n\t\n", None, None),
    ],
)
def test_encodings(data, text, guessed):
    if text is None:
        with pytest.raises(DocumentError) as caught:
            read_text(data, "notes.txt")
        assert caught.value.kind == "no_text"
        return
    document = read_text(data, "some/notes.txt")
    assert document.pages[0].text.strip() == text
    assert document.metadata.get("encoding") == guessed
    assert (document.title, document.format) == ("notes", "text")


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", b"ab\0cd", bytes(range(1, 32)) * 9])
def test_binary_is_refused(data):
    with pytest.raises(DocumentError) as caught:
        read_text(data, "x.txt")
    assert caught.value.kind == "unsupported"


def test_form_feeds_separate_pages():
    pages = read_text(b"One\fTwo\n\f\fFour\f", "x.txt").pages
    assert [(p.number, p.text) for p in pages] == [(1, "One"), (2, "Two"), (3, ""), (4, "Four")]


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("o\ufb03ce \ufb01le", "office file"),
        ("½ ² ™ stay", "½ ² ™ stay"),
        ("exam\u00ad\n  ple co\u00adop", "example coop"),
        ("a\0b\x07c\x1bd\ufeff", "abcd"),
        ("x \ud83d\ude00 \ud800 y", "x 😀  y"),
        ("tail  \n\n\n\n\n\nend \t", "tail\n\n\nend"),
        ("    indented stays", "    indented stays"),
    ],
)
def test_cleaning(dirty, expected):
    assert clean(dirty) == expected


@given(st.text(st.characters(), max_size=80))
def test_clean_text_can_be_stored_and_is_stable(text):
    once = clean(text)
    assert "\0" not in once and "\r" not in once
    once.encode()
    assert clean(once) == once


def test_storable_changes_nothing_else():
    assert storable("a  \r\n\x07 \0\udc00b") == "a  \r\n\x07 b"
