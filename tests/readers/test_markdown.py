"""Markdown and its front matter."""

import pytest

from thalamus.errors import DocumentError
from thalamus.readers.markdown import read_markdown

pytestmark = pytest.mark.storeless


def test_front_matter_becomes_metadata():
    document = read_markdown(
        b"---\ntitle: The Sea\ndate: 2023-05-08\ntags: [water, {a: b}, 3]\nauthor: Ann\n"
        b"nested: {a: 1}\nempty:\n---\n\n# Heading\n\nText.\n",
        "a/b.md",
    )
    assert (document.title, document.created_at) == ("The Sea", "2023-05-08T00:00:00Z")
    assert document.metadata == {"date": "2023-05-08", "tags": ["water", 3], "author": "Ann"}
    assert document.pages[0].text == "# Heading\n\nText."


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Text\n\n# First #\n\n# Second", "First"),
        ("# Notes on C#", "Notes on C#"),
        ("```\n# a comment\n```\n\n# Real", "Real"),
        ("Under\n=====\n\n# Later", "Under"),
        ("## Only a second level", "file"),
        ("---\ntitle: 42\n---\nText", "42"),
    ],
)
def test_titles(text, title):
    assert read_markdown(text.encode(), "x/file.md").title == title


@pytest.mark.parametrize(
    "text",
    [
        "---\njust words\n---\nText",
        "---\nWe met, and left: [unclosed\n---\nText",
        "---\nno end",
    ],
)
def test_what_is_no_front_matter_stays_in_the_text(text):
    document = read_markdown(text.encode(), "x.md")
    assert document.pages[0].text == text
    assert document.metadata == {} and document.created_at is None


def test_aliases_cannot_blow_up():
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    text = "---\n" + "\n".join(lines) + "\n---\nText"
    assert len(repr(read_markdown(text.encode(), "x.md").metadata)) < 1000


def test_odd_values_can_be_written_as_json():
    import msgspec

    text = (
        b"---\na: .nan\nb: 99999999999999999999999\nc: 2023-05-08T10:00:00+02:00\n1: yes\n---\nText"
    )
    metadata = read_markdown(text, "x.md").metadata
    assert metadata["c"] == "2023-05-08T08:00:00Z" and metadata["1"] is True
    assert msgspec.json.decode(msgspec.json.encode(metadata)) == metadata


@pytest.mark.parametrize("data", [b"", b"---\ntitle: x\n---\n"])
def test_empty(data):
    with pytest.raises(DocumentError) as caught:
        read_markdown(data, "x.md")
    assert caught.value.kind == "no_text"
