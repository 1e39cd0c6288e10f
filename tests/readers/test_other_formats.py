"""E-mails, notebooks, front matter, and data in the form of text."""

from __future__ import annotations

import base64
import json
import random
import textwrap

import pytest

from thalamus.errors import DocumentError
from thalamus.readers.detect import read_bytes
from thalamus.readers.text import without_encoded

pytestmark = pytest.mark.storeless

DATA = base64.b64encode(random.Random(7).randbytes(900)).decode()
MAIL = (
    "From: Ida Quist <ida@quist.example>\nTo: Bo\nSubject: =?utf-8?q?Caf=C3=A9_bill?=\n"
    "Date: Mon, 04 May 2026 10:00:00 +0200\nMIME-Version: 1.0\n"
)


def text_of(data: str | bytes, name: str) -> str:
    data = data.encode() if isinstance(data, str) else data
    return "\n".join(page.text for page in read_bytes(data, name).pages)


@pytest.mark.parametrize(
    "text",
    [
        f"![x](data:image/png;base64,{DATA})",
        f'<img src="data:image/jpeg;base64,{DATA}" alt="x">',
        f"[image1]: <data:image/png;base64,{DATA}>",
        "data:image/svg+xml;utf8,%3Csvg%20d='M0'%3E",
        DATA,
        "\n".join(textwrap.wrap(DATA, 76)),
        "> " + "\n> ".join(textwrap.wrap(DATA, 64)),
        f'{{"image/png": "{DATA}"}}',
        base64.urlsafe_b64encode(random.Random(8).randbytes(200)).decode().rstrip("="),
        base64.b64encode(b"\0" * 300 + random.Random(9).randbytes(200)).decode(),
        "-----BEGIN CERTIFICATE-----\n"
        + "\n".join(textwrap.wrap(DATA, 64))
        + "\n-----END CERTIFICATE-----",
    ],
)
def test_base64_is_no_text(text: str) -> None:
    found = without_encoded(f"Above.\n\n{text}\n\nThe caption says heron.")
    assert found.startswith("Above.\n\n") and found.endswith("\n\nThe caption says heron.")
    assert len(found) < 140


@pytest.mark.parametrize(
    "text",
    [
        "It begins with `-----BEGIN PRIVATE KEY-----`.\n\n## Renewing\n\nOnce a year.",
        "-----BEGIN PRIVATE KEY-----\nof which nothing follows.\n\nOnce a year.",
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nWe meet on 14 May in Lisbon.",
        "https://example.org/a/" + "-".join(["very-long-slug"] * 12),
        "ThisIsAVeryLongCamelCaseIdentifier" * 4,
        "/usr/local/share/python3/" * 12,
        "https://blog.example/2024-01-02-" + "my-post-of-today-" * 10,
        "-" * 200,
        "a" * 300,
        "ACGT" * 60,
        "1234567890" * 20,
        "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz",
        "d0c0e3f6-58c7-4f6b-8ad4-5d60e6d3b8a1",
    ],
)
def test_long_words_stay(text: str) -> None:
    assert without_encoded(text) == text


def test_a_picture_in_markdown_is_left_out() -> None:
    text = text_of(f"# Pond\n\n![x](data:image/png;base64,{DATA})\n\nA heron.\n", "pond.md")
    assert text == "# Pond\n\n![x]()\n\nA heron."


def test_an_email_is_decoded() -> None:
    body = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n"
    found = read_bytes(f"{MAIL}{body}\nIt is 5 =E2=82=AC, and long=\n er.\n".encode(), "bill.eml")
    assert (found.title, found.created_at) == ("Café bill", "2026-05-04T08:00:00Z")
    assert "It is 5 €, and long er." in found.pages[0].text
    assert "From: Ida Quist <ida@quist.example>" in found.pages[0].text


def test_an_email_in_html_without_what_it_hides() -> None:
    html = (
        "<p>The invoice for the boat house is attached to this letter.</p>"
        '<p style="font-size:0">Zorblat pays.</p>'
    )
    parts = (
        "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n"
        f"<html><body>{html}</body></html>\n--b\nContent-Type: image/png\n"
        f"Content-Transfer-Encoding: base64\n\n{DATA}\n--b--\n"
    )
    text = text_of(MAIL + parts, "bill.eml")
    assert "boat house" in text and "Zorblat" not in text and DATA[:40] not in text


def mail(kind: str, *parts: tuple[str, str]) -> str:
    """A mail of several parts, each with its header and its text."""
    texts = "".join(f"--b\nContent-Type: {header}\n\n{text}\n" for header, text in parts)
    return f"{MAIL}Content-Type: multipart/{kind}; boundary=b\n\n{texts}--b--\n"


PLAIN = "text/plain; charset=utf-8"


def test_every_text_of_an_email_is_read() -> None:
    image = ("image/png\nContent-Transfer-Encoding: base64", DATA)
    notes = f"{PLAIN}\nContent-Disposition: attachment; filename=notes.txt"
    text = text_of(
        mail("mixed", (PLAIN, "The first."), image, (PLAIN, "The second."), (notes, "No.")), "m.eml"
    )
    assert text.endswith("The first.\n\nThe second.")
    signature = "-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----"
    head = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"
    text = text_of(f"{MAIL}\n{head}We meet on 14 May.\n{signature}\n", "m.eml")
    assert "We meet on 14 May." in without_encoded(text)


@pytest.mark.parametrize("first", ["text/plain", "text/html"])
def test_of_two_forms_of_an_email_the_one_with_words_is_read(first: str) -> None:
    parts = [("text/plain", "  "), ("text/html", "<p>The boat house is open.</p>")]
    if first == "text/html":
        parts.reverse()
    assert text_of(mail("alternative", *parts), "m.eml").endswith("The boat house is open.")
    both = [("text/html", "<p>Loud.</p>"), ("text/plain", "Quiet.")]
    assert text_of(mail("alternative", *both), "m.eml").endswith("\n\nQuiet.")


def test_a_deep_notebook_is_broken() -> None:
    deep = b'{"cells": [], "metadata": {"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}"
    with pytest.raises(DocumentError, match="nested too deeply"):
        read_bytes(deep, "deep.ipynb")


def test_long_runs_of_blanks_take_no_time() -> None:
    wide = " " * 200_000
    assert read_bytes(f"# Budget{wide}2026\n".encode(), "a.md").title == f"Budget{wide}2026"
    assert text_of(f"| a {wide} | b |", "a.txt").endswith("| b |")
    front = f"---\ntitle: [a\nb: x{wide[:60_000]}y\n---\nText."
    assert read_bytes(front.encode(), "a.md").title == "[a"


def test_what_is_called_an_email_but_is_none_is_text() -> None:
    assert text_of("Just a note.", "note.eml") == "Just a note."


def test_a_notebook_is_its_cells() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Tides\n", "Spring tides."], "metadata": {}},
        {
            "cell_type": "code",
            "source": "plot(tide)",
            "outputs": [{"data": {"image/png": DATA}, "output_type": "display_data"}],
        },
    ]
    found = read_bytes(json.dumps({"cells": cells, "nbformat": 4}).encode(), "tides.ipynb")
    assert found.title == "Tides"
    assert found.pages[0].text == "# Tides\nSpring tides.\n\n```\nplot(tide)\n```"
    assert text_of("{broken", "x.ipynb") == "{broken"


@pytest.mark.parametrize(
    ("front", "title", "date", "note"),
    [
        ("---\ntitle: A\ndate: 3rd of May 2021\n---\n", "A", None, "“3rd of May 2021” is no date"),
        ("---\ntitle: A\ndate: 2021-99-99\n---\n", "A", None, "broken"),
        ('+++\ntitle = "A"\ndate = 2021-05-03\n+++\n', "A", "2021-05-03T00:00:00Z", ""),
        ("+++\ntitle = A\ndate = 2021-05-03\n+++\n", "A", "2021-05-03T00:00:00Z", "broken"),
        ("---\ntitle: A: B\ndate: 2021-05-03\n---\n", "A: B", "2021-05-03T00:00:00Z", "broken"),
        ("---\ntitle: A\ntags: [unclosed\n---\n", "A", None, "broken"),
        ("---\ntitle: A\ncreated: soon\ndate: 2021-05-03\n---\n", "A", "2021-05-03T00:00:00Z", ""),
    ],
)
def test_front_matter_is_never_text(front: str, title: str, date: str | None, note: str) -> None:
    found = read_bytes(f"{front}\nThe harbour is closed.\n".encode(), "harbour.md")
    assert found.pages[0].text == "The harbour is closed."
    assert (found.title, found.created_at) == (title, date)
    assert note in " ".join(found.notes) and bool(note) == bool(found.notes)


def test_text_between_rules_stays() -> None:
    for rule in ("---", "+++"):
        text = f"{rule}\nWe met at noon: it rained.\nNobody = nobody came\n\nStill.\n{rule}\nText"
        assert text_of(text, "x.md") == text
