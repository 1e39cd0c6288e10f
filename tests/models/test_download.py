"""Downloads of model files by address, from a server that stops, lies and refuses."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from thalamus.errors import ModelFailed, ModelMissing, StoreFull, UsageError
from thalamus.models.download import address, recorded_checksum
from thalamus.models.pull import downloaded, file_of, pull

pytestmark = pytest.mark.storeless

CONTENT = b"GGUF" + bytes(range(256)) * 9000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
FILE = "hf:ana/bees-GGUF/bees-4b-Q4_K_M.gguf"


class Hub(BaseHTTPRequestHandler):
    """A hub: states a checksum and redirects to a second address, which serves ranges."""

    protocol_version = "HTTP/1.1"
    content = CONTENT
    stated = SHA256
    tag = '"v1"'
    breaks: list[int]  # bytes after which the next connections break
    asked: list[tuple[str, str | None, str | None]]
    status = 200

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers.get("Range"), self.headers.get("Authorization")))
        if self.status != 200:
            return self._answer(self.status, b"no")
        if "/resolve/" in self.path:
            headers = {"Location": "/files/x", "X-Linked-ETag": f'"{self.stated}"'}
            return self._answer(302, b"", headers)
        start, status = 0, 200
        if (asked := self.headers.get("Range")) and self.headers.get("If-Range") == self.tag:
            start, status = int(asked.removeprefix("bytes=").removesuffix("-")), 206
            if start >= len(self.content):
                return self._answer(416, b"")
        headers = {"ETag": self.tag, "Content-Length": str(len(self.content) - start)}
        if status == 206:
            last = len(self.content) - 1
            headers["Content-Range"] = f"bytes {start}-{last}/{len(self.content)}"
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        end = self.breaks.pop(0) if self.breaks else len(self.content)
        self.wfile.write(self.content[start : max(start, end)])
        if end < len(self.content):
            self.close_connection = True
        return None

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    class Server(Hub):
        pass

    Server.breaks, Server.asked = [], []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    Server.url = f"http://127.0.0.1:{server.server_port}"  # type: ignore[attr-defined]
    yield Server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_file_of_the_hub_is_downloaded_once_and_verified(hub: Any, tmp_path: Path) -> None:
    said: list[str] = []
    seen: list[tuple[int, int | None]] = []
    name = pull(FILE, tmp_path, said.append, lambda done, total: seen.append((done, total)))
    assert name == f"llamacpp:{FILE}"
    path = file_of(FILE, tmp_path)
    assert path.read_bytes() == CONTENT and recorded_checksum(path) == SHA256
    assert downloaded(tmp_path) == [(name, path)]
    assert seen[-1] == (len(CONTENT), len(CONTENT)) and said[-1] == f"SHA-256 {SHA256}"
    assert sorted(one.name for one in path.parent.iterdir()) == [
        path.name,
        f"{path.name}.sha256",
    ]
    requests = len(hub.asked)
    pull(FILE, tmp_path, said.append)
    assert len(hub.asked) == requests and "exists already" in said[-1]


def test_what_broke_off_goes_on_where_it_was(hub: Any, tmp_path: Path) -> None:
    hub.breaks += [1_000_000, 1_500_000]
    pull(FILE, tmp_path, lambda _: None)
    assert file_of(FILE, tmp_path).read_bytes() == CONTENT
    ranges = [asked for path, asked, _ in hub.asked if path == "/files/x"]
    assert ranges[0] is None and len(ranges) == 3
    assert all(int(one[6:-1]) >= 900_000 for one in ranges[1:])


def test_a_later_pull_goes_on_too(hub: Any, tmp_path: Path) -> None:
    hub.breaks += [1_000_000, 0, 0, 0, 0, 0, 0]
    with pytest.raises(ModelMissing, match="no answer") as caught:
        pull(FILE, tmp_path, lambda _: None)
    assert "goes on from there" in caught.value.advice
    assert not file_of(FILE, tmp_path).exists() and downloaded(tmp_path) == []
    hub.breaks.clear()
    said: list[str] = []
    pull(FILE, tmp_path, said.append)
    assert said[0].startswith("Continuing") and file_of(FILE, tmp_path).read_bytes() == CONTENT


def test_a_file_that_changed_meanwhile_starts_again(hub: Any, tmp_path: Path) -> None:
    hub.breaks += [1_000_000, 0, 0, 0, 0, 0, 0]
    with pytest.raises(ModelMissing):
        pull(FILE, tmp_path, lambda _: None)
    hub.breaks.clear()
    hub.content, hub.tag = CONTENT[::-1].replace(b"\xff", b"GGUF", 1), '"v2"'
    hub.stated = hashlib.sha256(hub.content).hexdigest()
    pull(FILE, tmp_path, lambda _: None)
    assert file_of(FILE, tmp_path).read_bytes() == hub.content


def test_another_checksum_than_the_stated_one_keeps_nothing(hub: Any, tmp_path: Path) -> None:
    hub.stated = "0" * 64
    with pytest.raises(ModelFailed, match=f"{SHA256}, not {'0' * 64}"):
        pull(FILE, tmp_path, lambda _: None)
    assert downloaded(tmp_path) == []
    hub.stated = SHA256
    pull(FILE, tmp_path, lambda _: None)
    assert file_of(FILE, tmp_path).read_bytes() == CONTENT


def test_a_page_instead_of_a_model_is_refused_at_once(hub: Any, tmp_path: Path) -> None:
    hub.content = b"<!DOCTYPE html>" + b"x" * 100
    with pytest.raises(ModelFailed, match="not a GGUF file"):
        pull(f"{hub.url}/some/model.gguf", tmp_path, lambda _: None)
    assert downloaded(tmp_path) == []


def test_a_url_has_no_checksum_to_compare_with(hub: Any, tmp_path: Path) -> None:
    said: list[str] = []
    name = pull(f"{hub.url}/some/model.gguf", tmp_path, said.append)
    assert name.startswith(f"llamacpp:{tmp_path}") and name.endswith("/some/model.gguf")
    assert said[-1] == f"SHA-256 {SHA256} (nobody stated one to compare with)"


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "HF_TOKEN"), (404, "address"), (503, "later")]
)
def test_refusals_say_what_to_do(hub: Any, tmp_path: Path, status: int, advice: str) -> None:
    hub.status = status
    with pytest.raises(ModelMissing, match=str(status)) as caught:
        pull(FILE, tmp_path, lambda _: None)
    assert advice in caught.value.advice


def test_the_token_goes_to_the_hub_alone(
    hub: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret-token")
    pull(FILE, tmp_path, lambda _: None)
    pull(f"{hub.url}/some/model.gguf", tmp_path, lambda _: None)
    tokens = {path: token for path, _, token in hub.asked}
    assert tokens["/some/model.gguf"] is None
    assert tokens["/ana/bees-GGUF/resolve/main/bees-4b-Q4_K_M.gguf"] == "Bearer secret-token"


def test_a_full_disk(hub: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1, 1, 100))  # type: ignore[attr-defined]
    with pytest.raises(StoreFull, match="no room"):
        pull(FILE, tmp_path, lambda _: None)


def test_two_pulls_at_once_leave_one_whole_file(hub: Any, tmp_path: Path) -> None:
    failures: list[Exception] = []

    def one() -> None:
        try:
            pull(FILE, tmp_path, lambda _: None)
        except ModelMissing as error:  # the other one is at it
            failures.append(error)

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert file_of(FILE, tmp_path).read_bytes() == CONTENT
    assert all("another process" in str(error) for error in failures)


@pytest.mark.parametrize(
    "text",
    [
        "hf:ana/bees.gguf",
        "hf:ana/bees/README.md",
        "hf:ana/../x.gguf",
        "https://example.org/model",
        "https://example.org/../../x.gguf",
        "https://example.org/%2e%2e/x.gguf",
        "http://example.org/model.gguf",
    ],
)
def test_addresses_of_something_else(text: str) -> None:
    with pytest.raises(UsageError):
        address(text)


def test_an_address_has_its_own_place() -> None:
    assert address("https://ana@example.org:8443/a%20b/m.gguf?x=1").place == Path(
        "example.org_8443/a b/m.gguf"
    )


Run = Callable[..., Any]


def test_the_command_prints_the_name_of_the_model(hub: Any, run: Run) -> None:
    done = run("models", "pull", FILE, env={"HF_ENDPOINT": hub.url})
    assert (done.code, done.stdout) == (0, f"llamacpp:{FILE}\n")
    assert f"thalamus config set model llamacpp:{FILE}" in done.stderr
    listed = run("models", "list")
    assert f"llamacpp:{FILE}" in listed.stdout
