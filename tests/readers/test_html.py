"""Web pages: their own text in Markdown, whatever their language."""

import pytest

from tests.web.site import page
from thalamus.errors import DocumentError
from thalamus.readers.detect import read_document
from thalamus.readers.html import read_html
from thalamus.readers.sandbox import read_bytes_with_limit, read_page_with_limit, read_with_limit

pytestmark = pytest.mark.storeless

URL = "https://figs.example/blog/one"
LONG = "Prune the fig tree in March, before the sap rises, and keep three leaders of the tree. " * 5


def test_a_page_without_its_navigation():
    html = page(
        "Pruning figs", LONG, date="2026-04-01T10:00:00+02:00", links="<a href='two#x'>2</a>"
    )
    found = read_html(html.encode(), URL)
    assert (found.title, found.format, found.created_at) == (
        "Pruning figs",
        "html",
        "2026-04-01T00:00:00Z",
    )
    text = found.pages[0].text
    assert text.startswith("# Pruning figs\n\nPrune the fig tree in March")
    assert "Imprint" not in text and "rights" not in text
    assert found.metadata["links"] == [
        "https://figs.example/",
        "https://figs.example/imprint",
        "https://figs.example/blog/two",
    ]


@pytest.mark.parametrize(
    ("lang", "title", "text"),
    [
        (
            "de",
            "Feigen schneiden",
            "Die Feige wird im März geschnitten, solange der Saft noch ruht.",
        ),
        ("ja", "イチジクの剪定", "イチジクの木は三月に剪定します。"),
        ("ar", "تقليم التين", "تقلم شجرة التين في شهر مارس قبل أن ترتفع العصارة."),
        ("ru", "Обрезка инжира", "Инжир обрезают в марте, пока сок не поднялся."),
    ],
)
def test_pages_in_other_languages(lang, title, text):
    found = read_html(page(title, text, lang=lang).encode(), URL)
    assert found.title == title and text in found.pages[0].text


def test_charsets():
    text = "Im März trägt sie Früchte, im Spätsommer süße, sagt der Gärtner am Fluß."
    html = page("Feigen", text).replace("–", "-")
    for charset, header in (
        ("iso-8859-1", "iso-8859-1"),
        ("utf-8", None),
        ("utf-8", "no-such"),
        ("utf-8", "iso-8859-1"),
        ("utf-8", "windows-1252"),
    ):
        found = read_html(html.encode(charset), URL, header)
        assert text in found.pages[0].text
    meta = html.replace("<head>", '<head><meta charset="windows-1252">')
    assert text in read_html(meta.encode("cp1252"), URL).pages[0].text


def test_headings_lists_and_tables_are_kept_and_scripts_are_not():
    html = page(
        "Figs", f"{LONG}</p><h2>Care</h2><ul><li>Compost in April</li></ul><script>alert(1)"
    )
    text = read_html(html.encode(), URL).pages[0].text
    assert "## Care" in text and "- Compost in April" in text and "alert" not in text


@pytest.mark.parametrize("data", [b"", b" \r\n"])
def test_an_empty_page(data):
    with pytest.raises(DocumentError, match="it is empty") as caught:
        read_html(data, URL)
    assert caught.value.kind == "no_text"


def test_announced_feeds():
    head = '<link rel="alternate" type="application/atom+xml" href="/feed.atom">'
    html = page("Figs", LONG).replace("</head>", f"{head}</head>")
    assert read_html(html.encode(), URL).metadata["feeds"] == ["https://figs.example/feed.atom"]


def test_a_file(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(page("Figs", LONG))
    assert read_with_limit(path, 30) == read_document(path)
    assert read_document(path).format == "html"
    assert read_bytes_with_limit(path.read_bytes(), "page.htm", 30).title == "Figs"


@pytest.mark.parametrize(
    "data",
    [b"", b"<", b"\x00\xff" * 50, b"<!doctype html><html><body></body></html>"],
)
def test_pages_that_are_none(data):
    has_no_text(lambda: read_html(data, URL))


def test_a_page_of_nothing_but_open_tags_is_none():
    has_no_text(lambda: read_page_with_limit(b"<div>" * 20_000, URL, "html", None, 30))


def has_no_text(read):
    try:
        found = read()
    except DocumentError:
        return
    with pytest.raises(DocumentError, match="contains no text"):
        found.check_text(URL)
