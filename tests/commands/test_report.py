"""`thalamus report`: what stands on the page, what is left out, and how the file is written."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.report.test_page import Elements
from thalamus import Thalamus
from thalamus.errors import UsageError
from thalamus.records import Fact, Memory
from thalamus.transfer.report import ReportOptions, make_report, write_report
from thalamus.turn_run import TurnRun

Run = Callable[..., Result]
Shared = Callable[[Callable[[Run], None]], Run]
SAID = [
    ("2026-05-01T08:00:00Z", "one", "My sister Ana keeps bees in Porto."),
    ("2026-05-02T08:00:00Z", "one", "Where does my sister Ana keep bees?"),
    ("2026-05-03T08:00:00Z", "two", "I like green tea."),
]
SECRET = "The safe opens with 4711."


@pytest.fixture
def told(shared: Shared) -> Run:
    """Commands with a store in which something was said."""

    def say(run: Run) -> None:
        for at, session, message in SAID:
            assert run("turn", message, "--session", session, env={"THALAMUS_NOW": at}).code == 0

    return shared(say)


def shown(run: Run, *options: str) -> str:
    done = run("report", "-o", "-", *options)
    assert done.code == 0, done.stderr
    return done.stdout


def test_everything_stands_on_the_page(told: Run) -> None:
    text = shown(told)
    assert shown(told) == text, "the same store gives the same page"
    for _, _, message in SAID:
        assert message in text
    assert "all sessions" in text
    made = Elements(text)
    ids = {one.get("id") for _, one in made.found}
    exported = [json.loads(line) for line in told("export").stdout.splitlines()]
    wanted = [r for r in exported if r["record"] in ("turn", "memory", "fact")]
    assert wanted and {f"row-{record['id']}" for record in wanted} <= ids
    # what a memory came from is linked, and quoted
    [memory] = [r for r in wanted if r["record"] == "memory" and "bees" in r["content"]]
    row = text[text.index(f'id="row-{memory["id"]}"') :].split("</tr>")[0]
    assert f'href="#row-{memory["provenance"]["turn"]}"' in row
    assert "led to" in text and "recalled in" in text


def test_only_a_session_or_what_is_new(told: Run) -> None:
    one = shown(told, "--session", "one")
    assert "bees" in one and "green tea" not in one
    new = shown(told, "--since", "2026-05-03", "--title", "Since <May>")
    assert "green tea" in new and "bees" not in new
    assert "<title>Since &lt;May&gt;</title>" in new and "since 2026-05-03" in new
    old = shown(told, "--until", "2026-05-03")
    assert "bees" in old and "green tea" not in old and "before 2026-05-03" in old


def test_the_newest_of_many(told: Run) -> None:
    text = shown(told, "--limit", "2")
    assert text.count('<tr id="row-') == 2
    assert "older ones" in text


def test_what_was_written_cannot_run(run: Run) -> None:
    evil = "</script><img src=x onerror=alert(1)> Ana keeps <b>bees</b>"
    records = [
        {"record": "memory", "content": evil, "topic": evil},
        {"record": "fact", "subject": evil, "predicate": "likes", "object": evil, "quote": evil},
        {"record": "turn", "message": evil, "answer": evil, "session": evil},
    ]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    assert run("store", input=lines).code == 0
    made = Elements(shown(run, "--title", evil))
    assert made.open == [] and not made.named("img")
    assert len(made.named("script")) == 2


def test_what_is_personal_is_left_out_unless_asked_for(run: Run) -> None:
    records = [
        {"record": "memory", "content": SECRET, "sensitivity": "personal", "topic": "safes"},
        {"record": "fact", "subject": "Ana", "predicate": "likes", "object": "absinthe"},
        {"record": "memory", "content": "The tide is high."},
    ]
    records[1] |= {"sensitivity": "personal", "quote": "Ana likes absinthe."}
    lines = "".join(json.dumps(record) + "\n" for record in records)
    assert run("store", input=lines).code == 0
    without = shown(run)
    assert "tide" in without
    for word in ("4711", "safes", "absinthe"):
        assert word not in without
    assert "2 personal records are left out" in without
    whole = shown(run, "--personal")
    assert "4711" in whole and "absinthe" in whole and "left out" not in whole


def test_somebody_elses_records_are_not_shown(run: Run) -> None:
    assert run("store", "--user", "ben", input='{"record":"memory","content":"Red."}\n').code == 0
    assert run("store", "--user", "ana", input='{"record":"memory","content":"Blue."}\n').code == 0
    text = shown(run, "--user", "ana")
    assert "Blue." in text and "Red." not in text


# -- the file --------------------------------------------------------------------------------------


def test_a_file_of_ones_own_that_is_not_replaced(told: Run, tmp_path: Path) -> None:
    done = told("report", "-o", "page.html")
    assert done.code == 0 and done.stdout == ""
    page = tmp_path / "page.html"
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert f"page.html: {page.read_text().count('<tr id=')} records" in done.stderr
    page.write_text("mine")
    again = told("report", "-o", "page.html")
    assert again.code == 2 and "exists already" in again.stderr
    assert page.read_text() == "mine"
    assert told("report", "-o", "page.html", "--force").code == 0
    assert page.read_text().startswith("<!doctype html>")
    assert not list(tmp_path.glob(".*.part"))


def test_a_full_disk_leaves_what_was_there(told: Run, kept: Path, tmp_path: Path) -> None:
    """The page is larger than what a file may be, as on a full disk."""
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from pathlib import Path\n"
        "from thalamus import Thalamus\n"
        "from thalamus.errors import UsageError\n"
        "from thalamus.transfer.report import ReportOptions, write_report\n"
        "thalamus = Thalamus(home=sys.argv[1], model='scripted', embedder='scripted')\n"
        "thalamus.database\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"
        "given = thalamus.database, thalamus.new_run(), ReportOptions()\n"
        "try: write_report(Path('page.html'), *given, replace=True)\n"
        "except UsageError as error: print(error.message)\n"
    )
    (tmp_path / "page.html").write_text("mine")
    done = subprocess.run(
        [sys.executable, "-c", code, str(kept)], cwd=tmp_path, capture_output=True, text=True
    )
    assert "Cannot write page.html" in done.stdout, done.stderr
    assert (tmp_path / "page.html").read_text() == "mine"
    assert not list(tmp_path.glob(".*.part"))


def test_a_folder_and_a_pipe(told: Run, tmp_path: Path) -> None:
    assert told("report", "-o", str(tmp_path)).code == 2
    assert told("report", "-o", str(tmp_path / "missing" / "page.html")).code == 2
    assert told("report", "-o", "/dev/null").code == 0
    assert not Path("/dev/null").is_file()
    assert told("report", "-o", "-", "--json").code == 2
    assert told("report").code == 2


def test_without_a_store(run: Run, tmp_path: Path) -> None:
    assert run("report", "-o", "page.html").code == 10
    assert not (tmp_path / "page.html").exists()


def test_forgetting_names_the_reports_that_held_it(run: Run, tmp_path: Path) -> None:
    records = [{"record": "turn", "message": said, "created_at": at} for at, _, said in SAID]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    assert run("store", input=lines).code == 0
    assert run("report", "-o", "page.html").code == 0
    assert run("report", "-o", "new.html", "--since", "2026-05-03").code == 0
    done = run("forget", "--query", "bees", "--yes")
    assert f"{tmp_path / 'page.html'} is an export that contains it" in done.stderr
    assert "new.html" not in done.stderr


def test_in_python(thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.remember([Memory(content="The tide is high."), Memory(content="Ana is in Porto.")])
    made = make_report(thalamus.database, TurnRun(thalamus.engine), ReportOptions(limit=1))
    assert made.rows == 1 and b"Content-Security-Policy" in made.page
    given = tmp_path / "page.html", thalamus.database, TurnRun(thalamus.engine), ReportOptions()
    written = write_report(*given, replace=False)
    assert (tmp_path / "page.html").read_bytes() == written.page
    with pytest.raises(UsageError):
        write_report(*given, replace=False)


def test_a_graph_of_hundreds_shows_the_most_connected(thalamus: Thalamus) -> None:
    names = [f"Town{n}" for n in range(240)]
    facts = [
        Fact(subject=f"Person{n % 40}", predicate="visited", object=name)
        for n, name in enumerate(names)
    ]
    thalamus.remember(facts)
    text = make_report(thalamus.database, TurnRun(thalamus.engine), ReportOptions()).page.decode()
    made = Elements(text)
    circles = [one for name, one in made.found if name == "circle"]
    assert 40 <= len(circles) <= 120
    assert "best connected of 280 concepts" in text
    assert "The last 200 are shown; what happened earlier is left out." in text
    assert len([one for name, one in made.found if name == "line"]) <= 400
    assert len(text) < 1_500_000
    assert any(one["data-name"] == "Person1" for one in circles)
