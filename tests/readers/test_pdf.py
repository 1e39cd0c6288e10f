"""PDFs made here, byte by byte: what is read and why something is not."""

import shutil
from io import BytesIO

import pytest

from thalamus.errors import DocumentError
from thalamus.policy.chunking import chunk, full_text
from thalamus.readers.pdf import read_pdf

pytestmark = pytest.mark.storeless


def make_pdf(*contents: bytes | None, info: bytes = b"", filters: bytes = b"") -> bytes:
    """A PDF with one page per content stream (None: a page without one) and an /Info dictionary."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * i) for i in range(len(contents)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[" + kids + b"]/Count %d>>" % len(contents),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for i, content in enumerate(contents):
        link = b"" if content is None else b"/Contents %d 0 R" % (5 + 2 * i)
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Resources<</Font<</F1 3 0 R>>>>"
            + link
            + b">>"
        )
        body = content or b""
        objects.append(b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(body), filters, body))
    objects.append(b"<<" + info + b">>")
    out, offsets = b"%PDF-1.5\n", []
    for number, item in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R/Info %d 0 R>>\n"
        b"startxref\n%d\n%%%%EOF\n"
    ) % (len(objects) + 1, table, len(objects) + 1, len(objects), len(out))


def says(*lines: str) -> bytes:
    """A content stream that writes lines, one below the other."""
    shown = b" ".join(b"(%s) Tj 0 -14 Td" % line.encode("cp1252") for line in lines)
    return b"BT /F1 12 Tf 20 380 Td " + shown + b" ET"


def encrypted(data: bytes, password: str) -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    writer.encrypt(password, owner_password="owner", algorithm="AES-256")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def failure(data: bytes) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        read_pdf(data, "x/file.pdf")
    return caught.value


def test_text_by_page_title_and_date():
    info = b"/Title(Microsoft Word - The Sea)/Author(A. B.)/CreationDate(D:20230508155600+02'00')"
    document = read_pdf(make_pdf(says("First page."), None, says("Third.")), "a/sea.pdf")
    assert [(p.number, p.text) for p in document.pages] == [
        (1, "First page."),
        (2, ""),
        (3, "Third."),
    ]
    assert (document.title, document.created_at, document.metadata) == ("sea", None, {})

    document = read_pdf(make_pdf(says("Text."), info=info), "a/sea.pdf")
    assert document.title == "The Sea"
    assert document.created_at == "2023-05-08T13:56:00Z"
    assert document.metadata == {"author": "A. B."}
    assert (document.format, document.characters) == ("pdf", 5)


def test_a_date_that_is_none_and_a_blank_title_are_ignored():
    info = b"/Title(  )/CreationDate(yesterday)"
    document = read_pdf(make_pdf(says("Text."), info=info), "sea.pdf")
    assert (document.title, document.created_at) == ("sea", None)


def test_chunks_point_into_the_pages():
    document = read_pdf(make_pdf(says("One sentence.", "Two."), says("Three.")), "x.pdf")
    pages = [(page.number, page.text) for page in document.pages]
    chunks = chunk(pages, 3, lambda text: len(text.split()))
    assert [(c.page, c.text) for c in chunks] == [(1, "One sentence.\nTwo."), (2, "Three.")]
    assert full_text(pages)[chunks[1].offset :] == "Three."


def test_encrypted_without_a_password_opens():
    assert read_pdf(encrypted(make_pdf(says("Open.")), ""), "x.pdf").pages[0].text == "Open."


def test_encrypted_with_a_password_says_so():
    error = failure(encrypted(make_pdf(says("Shut.")), "secret"))
    assert error.kind == "encrypted" and "password" in error.reason


def test_a_page_without_text_is_probably_scanned():
    error = failure(make_pdf(b"0 0 100 100 re f", b"1 0 0 rg"))
    assert error.kind == "no_text"
    assert "scanned" in error.reason and "OCR" in error.reason and "2 pages" in error.reason


def test_blank_pages_are_not_called_scanned():
    error = failure(make_pdf(None))
    assert (error.kind, error.reason) == ("no_text", "it is blank")


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n",
        b"%PDF-1.7\n%%EOF",
        make_pdf(says("Cut off."))[:-120],
        make_pdf(says("x")).replace(b"/Kids[4 0 R]", b"/Kids[2 0 R]"),
        make_pdf(),
    ],
)
def test_broken_files(data):
    error = failure(data)
    assert error.kind == "broken" and 0 < len(error.reason) < 250
    assert str(error) == f"Cannot read x/file.pdf: {error.reason}"


def test_one_bad_page_does_not_lose_the_others():
    data = make_pdf(says("Good."), b"not deflated at all", says("Also good."))
    bad = b"<</Length 19>>\nstream\nnot"
    assert bad in data
    data = data.replace(bad, b"<</Length 19/Filter/Wrong>>\nstream\nnot")
    document = read_pdf(data, "x.pdf")
    assert [page.text for page in document.pages] == ["Good.", "", "Also good."]
    assert document.metadata["unreadable_pages"] == [2]


def test_all_pages_bad_is_broken():
    error = failure(make_pdf(b"nonsense", filters=b"/Filter/Wrong"))
    assert error.kind == "broken" and "none of its pages" in error.reason


def test_pypdf_stays_silent(capfd):
    data = make_pdf(says("Text.")).replace(b"startxref\n", b"startxref\n9")
    try:
        read_pdf(data, "x.pdf")
    except DocumentError as error:
        assert error.kind == "broken"
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(shutil.which("jbig2dec") is not None, reason="jbig2dec is installed")
def test_a_missing_program_is_named_with_the_way_to_install_it() -> None:
    problem = failure(make_pdf(b"x", filters=b"/Filter/JBIG2Decode"))
    assert "install jbig2dec" in problem.message and "apt install jbig2dec" in problem.message
