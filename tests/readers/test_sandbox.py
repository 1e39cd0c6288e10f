"""Limits of time and memory around a reader."""

import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from tests.readers.test_pdf import encrypted, make_pdf, says
from thalamus.errors import DocumentError
from thalamus.readers.detect import read_document
from thalamus.readers.sandbox import read_bytes_with_limit, read_with_limit

pytestmark = pytest.mark.storeless

BOMB = make_pdf(
    zlib.compress(b"BT /F1 12 Tf 10 10 Td (aaaaaaaaaa) Tj ET\n" * 2_000_000, 9),
    filters=b"/Filter/FlateDecode",
)


def failure(path, seconds=30.0, memory_mb=2048) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        read_with_limit(path, seconds, memory_mb)
    return caught.value


def test_it_reads_what_the_reader_reads(tmp_path):
    path = tmp_path / "a b ü.pdf"
    path.write_bytes(make_pdf(says("Caf\xe9."), says("Two."), info=b"/Title(T)"))
    document = read_with_limit(path, 30)
    assert document == read_document(path)
    assert read_bytes_with_limit(path.read_bytes(), "a b ü.pdf", 30) == document


def test_errors_cross_the_boundary(tmp_path):
    path = tmp_path / "x.pdf"
    path.write_bytes(encrypted(make_pdf(says("x")), "secret"))
    error = failure(path)
    assert error.kind == "encrypted" and str(error).startswith(f"Cannot read {path}: ")
    assert failure(tmp_path / "none.pdf").kind == "missing"


def test_text_needs_no_process(tmp_path):
    (tmp_path / "a.md").write_text("# Hi")
    assert read_with_limit(tmp_path / "a.md", 0.0).title == "Hi"
    assert read_bytes_with_limit(b"Hi", "stdin", 0.0).pages[0].text == "Hi"


def test_too_slow_names_the_limit_and_the_setting(tmp_path):
    (tmp_path / "bomb.pdf").write_bytes(BOMB)
    error = failure(tmp_path / "bomb.pdf", seconds=0.05)
    assert error.kind == "too_slow"
    assert "0.05 seconds" in error.reason and "ingest_timeout" in error.reason


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_too_much_memory(tmp_path):
    (tmp_path / "bomb.pdf").write_bytes(BOMB)
    assert failure(tmp_path / "bomb.pdf", memory_mb=160).kind == "too_large"


def test_modules_in_the_working_directory_are_not_run(tmp_path, monkeypatch):
    (tmp_path / "pypdf.py").write_text("raise SystemExit('run from here')")
    (tmp_path / "x.pdf").write_bytes(make_pdf(says("Hi.")))
    monkeypatch.chdir(tmp_path)
    assert read_with_limit(tmp_path / "x.pdf", 30).pages[0].text == "Hi."


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the child in /proc")
def test_an_interrupt_and_a_crash_end_the_child(tmp_path):
    (tmp_path / "bomb.pdf").write_bytes(BOMB)
    program = (
        "import signal, sys; from pathlib import Path\n"
        "from thalamus.errors import DocumentError\n"
        "from thalamus.readers.sandbox import read_with_limit\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background\n"
        "try: read_with_limit(Path(sys.argv[1]), 60)\n"
        "except DocumentError as error: print(error.kind, error.reason)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    for to_child, number, said in (
        (False, signal.SIGINT, "interrupted"),
        (True, signal.SIGSEGV, "broken reading it crashed the reader (SIGSEGV)"),
    ):
        with subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "bomb.pdf")],
            stdout=subprocess.PIPE,
            text=True,
        ) as parent:
            child = wait_for_child(parent.pid)
            os.kill(child if to_child else parent.pid, number)
            output, _ = parent.communicate(timeout=30)
        assert output.strip() == said
        assert not Path(f"/proc/{child}").exists()


def test_an_interrupt_while_the_child_starts_ends_it_too(tmp_path):
    (tmp_path / "bomb.pdf").write_bytes(BOMB)
    program = (
        "import signal, subprocess, sys; from pathlib import Path\n"
        "from thalamus.readers.sandbox import read_with_limit\n"
        "class Interrupted(subprocess.Popen):\n"
        "    def _execute_child(self, *args):\n"
        "        super()._execute_child(*args)\n"
        "        print(self.pid)\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "subprocess.Popen = Interrupted\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "try: read_with_limit(Path(sys.argv[1]), 60)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "bomb.pdf")],
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    )
    child, said = done.stdout.split()
    assert said == "interrupted"
    with pytest.raises(ProcessLookupError):
        os.kill(int(child), 0)


def wait_for_child(pid: int) -> int:
    for _ in range(1000):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            if b"import main; main()" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
        time.sleep(0.01)
    raise AssertionError("no child was started")
