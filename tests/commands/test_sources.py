"""`thalamus sources` and `ingest` with addresses, as a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.conftest import Result
from tests.web.site import Server, page, serving

Run = Callable[..., Result]
FIGS = "Prune the fig tree in March, before the sap rises, and keep three leaders of the tree."
ALLOWED = {"THALAMUS_CRAWL_ALLOW": "127.0.0.1"}


@pytest.fixture
def site() -> Iterator[Server]:
    with serving() as server:
        server.add("/a", page("Figs", FIGS, date="2026-04-01"))
        yield server


def test_a_page_by_its_address(run: Run, site: Server) -> None:
    refused = run("ingest", f"{site.url}/a")
    assert (
        refused.code == 1
        and "it is this machine; the setting `crawl_allow` makes exceptions" in refused.stdout
    )
    assert site.requests == []
    done = run("ingest", "--json", "--no-summary", f"{site.url}/a", env=ALLOWED)
    [document] = done.records
    assert (document["path"], document["published"]) == (f"{site.url}/a", "2026-04-01T00:00:00Z")
    why = run("why", "three leaders").stdout
    assert f"{site.url}/a, published 2026-04-01, read 2026-05-08" in why


def test_a_source_from_its_addition_to_its_removal(run: Run, site: Server) -> None:
    url = f"{site.url}/a"
    assert run("sources").stderr == "There is no store yet.\n" or run("sources").code == 10
    added = run("sources", "add", "--json", url, env=ALLOWED).records[0]
    assert added["status"] == "active"
    crawled = run("sources", "crawl", "--json", "--no-summary", env=ALLOWED)
    document, source = crawled.records
    assert (document["status"], source["last_crawled"]) == ("ingested", "2026-05-08T13:56:00Z")
    assert run("sources", "show", url, "--json").records == [
        source,
        {**document, "status": "ingested", "ms": document["ms"]},
    ]
    assert run("sources", "disable", url).stdout.startswith("disabled")
    wrong = run("sources", "crawl", url, env=ALLOWED)
    assert wrong.code == 2 and f"{url} is disabled, and is not read." in wrong.stderr
    dry = run("sources", "remove", url, "--dry-run")
    assert "1 document, 1 document chunk, 1 source" in dry.stdout
    assert "Nothing was deleted (--dry-run)." in dry.stderr
    assert run("sources", "remove", url, "--no-input").code == 2
    done = run("sources", "remove", url, "--yes")
    assert done.code == 0 and "nothing is left" in done.stderr + done.stdout
    assert run("sources").stderr == "There are no sources yet.\n"


def test_a_source_that_cannot_be_read(run: Run, site: Server) -> None:
    run("sources", "add", f"{site.url}/none", env=ALLOWED)
    done = run("sources", "crawl", env=ALLOWED)
    assert done.code == 1 and "there is no such page (404 Not Found)" in done.stdout
    [source] = run("sources", "--status", "failed", "--json").records
    assert source["error"] == "there is no such page (404 Not Found)"
    assert run("sources", "--status", "odd").code == 2


def test_unattended_reading_takes_the_setting(run: Run, site: Server) -> None:
    run("sources", "add", f"{site.url}/a", env=ALLOWED)
    refused = run("sources", "crawl", "--due", env=ALLOWED)
    assert refused.code == 2 and "`network` is false" in refused.stderr
    run("consolidate", env=ALLOWED)
    assert site.requests == []
    done = run("consolidate", env=ALLOWED | {"THALAMUS_NETWORK": "true"})
    assert "1 new document" in done.stdout and site.paths() == ["/a"]
    again = run("sources", "crawl", "--due", env=ALLOWED | {"THALAMUS_NETWORK": "true"})
    assert again.stderr == "No source is due.\n"


def test_a_project_file_cannot_open_the_network(run: Run, site: Server, tmp_path: object) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    (tmp_path / ".thalamus.yaml").write_text("network: true\ncrawl_allow: 127.0.0.1\n")
    done = run("ingest", f"{site.url}/a")
    assert "network, crawl_allow are ignored" in done.stderr and site.requests == []


def test_a_link_in_a_message(run: Run) -> None:
    run("turn", "I read https://figs.example/blog/ every Sunday.")
    assert run("sources").stdout.startswith(
        "candidate  web  0.50  https://figs.example/blog/  (1 mention)  [src_"
    )
    wrong = run("sources", "add", "figs.example")
    assert wrong.code == 2 and "'figs.example' is not an address." in wrong.stderr


def test_a_busy_server_puts_its_source_off(run: Run, site: Server) -> None:
    site.pages["/busy"] = lambda request: request.reply(429, b"", Retry_After="7200")
    run("sources", "add", f"{site.url}/busy", env=ALLOWED)
    for _ in range(2):  # the second time it is not asked
        done = run("sources", "crawl", "--no-summary", env=ALLOWED)
        assert done.code == 0
        assert "put off" in done.stdout and "left alone until 2026-05-08 15:56" in done.stdout
    assert [path for path, _ in site.requests].count("/busy") == 1
