"""`thalamus forget`: what goes, what stays, and that nothing is left."""

from __future__ import annotations

import json
import os
import pty
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.extracting import script
from tests.commands.planted import fill, kept, left, link, said, word
from tests.forked import python
from tests.torture.driver import ROOT
from tests.torture.rooms import can_mount, read_only
from thalamus.api import Thalamus
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Fact, Memory, Provenance, Turn

Run = Callable[..., Any]
NAME, MORE = word("cat"), word("music")


@pytest.fixture
def data(home: Path) -> Path:
    return home / "data"


@pytest.fixture
def told(thalamus: Thalamus) -> Thalamus:
    """A statement with all that came of it, among others."""
    fill(thalamus, "x")
    thalamus.remember(said(NAME, MORE))  # type: ignore[arg-type]
    link(thalamus.database, f"fact_cat_{MORE}", "evidence_of", f"turn_later_{MORE}")
    return thalamus


def ids(records: list[dict[str, Any]], decision: str = "forget") -> set[str]:
    return {r["id"] for r in records if r.get("decision") == decision}


def test_a_fact_goes_with_what_says_it(told: Thalamus, run: Run, data: Path) -> None:
    told.close()
    assert left(data, NAME)
    shown = run("forget", f"fact_cat_{MORE}", "--dry-run", "--json")
    again = run("forget", f"fact_cat_{MORE}", "--dry-run", "--json")
    assert shown.code == 0 and shown.stdout == again.stdout
    done = run("forget", f"fact_cat_{MORE}", "--yes", "--json")
    assert done.code == 0, done.stderr
    *verdicts, report = done.records
    assert verdicts == shown.records, "a dry run shows the same and deletes nothing"
    assert {r["rule"] for r in verdicts} >= {"named", "same_statement", "shortened"}
    gone = {id for id in ids(verdicts) if not id.isdigit()}
    assert gone == {f"fact_cat_{MORE}", f"mem_cat_{MORE}"}
    # what else was said there stays, and the question that was answered with it
    later = f"turn_later_{MORE}"
    assert ids(verdicts, "keep") == {f"turn_{MORE}", f"mem_play_{MORE}", later}
    [asked] = (r for r in verdicts if r["id"] == later)
    assert (asked["rule"], asked["reason"]) == ("shortened", "without the answer")
    assert report["name"] == "forgot" and report["data"]["residue"] == []
    counts = {"memory": 1, "fact": 1, "sentence": 1, "answer": 2, "event": 4}
    assert report["data"]["counts"] == counts
    assert left(data, NAME) == []
    assert kept(told, "x")
    own = told.database.get(f"mem_play_{MORE}")
    assert isinstance(own, Memory) and own.provenance == Provenance(turn=f"turn_{MORE}")
    assert run("doctor", "--no-model").code == 0
    assert run("why", f"mem_play_{MORE}").code == 0


def test_what_goes_and_how_it_went_is_said_in_words(told: Thalamus, run: Run) -> None:
    told.close()
    shown = run("forget", f"fact_cat_{MORE}", "--dry-run")
    assert f"[fact_cat_{MORE}]  (what you asked to delete)\n" in shown.stdout
    assert "\nledger entries: 4 (their content is deleted)\n  " in shown.stdout
    assert " about a shortened turn\n" in shown.stdout
    assert "kept, but no longer linked to what is deleted: 1\n" in shown.stdout
    assert shown.stderr == "Nothing was deleted (--dry-run).\n"
    for more in ([], ["--no-input"]):  # without a terminal it must be told yes
        refused = run("forget", f"fact_cat_{MORE}", *more)
        assert refused.code == 2 and "--yes" in refused.stderr
    assert told.facts.find("user")
    told.close()
    done = run("forget", f"fact_cat_{MORE}", "--yes")
    *_, deleted, searched = done.stdout.splitlines()
    assert deleted == (
        "deleted: 1 memory, 1 fact, 1 sentence of a turn, 2 answers,"
        " the content of 4 ledger entries"
    )
    assert re.fullmatch(
        r"searched (?:\d+ rows and )?\d+ files \(.* MB\) for \d+ pieces of the deleted texts:"
        r" nothing is left",
        searched,
    )


UNCLEAR: list[tuple[tuple[str, ...], int, str]] = [
    (("mem_none",), 4, "Cannot find the id 'mem_none'.\n  `thalamus memory`"),
    (("--query", "qqqqzzz"), 4, "Nothing in the store contains “qqqqzzz”.\n  --about also"),
    (("--subject", "Zoe"), 4, "There are no facts about “Zoe”, and nothing mentions it."),
    (("--session", "none"), 4, "Nothing is stored of a session “none”."),
    (("--source", "none.md"), 4, "Cannot find the document 'none.md'."),
    (("--about", "qqqqzzz"), 4, "Nothing is stored about “qqqqzzz”."),
    (("--query", "?!"), 2, "no words"),
    ((), 2, "Give one of"),
    (("mem_x", "--query", "tea"), 2, "Give one of"),
]


def test_what_is_not_there_or_not_clear(told: Thalamus, run: Run) -> None:
    told.close()
    for arguments, code, words in UNCLEAR:
        done = run("forget", *arguments, "--yes")
        assert done.code == code and words in done.stderr, arguments


ONE = '{"record":"memory","id":"mem_01jv9yq3k8","content":"The user keeps a boat."}'


@pytest.mark.parametrize("command", [["forget", "--yes"], ["memory", "reject"]])
def test_six_characters_or_the_whole_id_delete_and_fewer_do_not(
    run: Run, thalamus: Thalamus, command: list[str]
) -> None:
    one = ONE.replace("}", ',"status":"quarantined"}') if command[0] == "memory" else ONE
    run("store", input=one)
    for given in ("m", "mem_", "mem_01jv9", ""):
        done = run(*command, given)
        assert done.code == (2 if given else 4), done
        if given:
            assert "too short" in done.stderr and "mem_01jv9yq3k8" in done.stderr
    assert thalamus.database.get("mem_01jv9yq3k8")
    thalamus.close()
    assert run(*command, "mem_01jv9y").code == 0
    run("store", input=one.replace("01jv9yq3k8", "77aa00bb33"))
    assert run(*command, "mem_77aa00bb33").code == 0
    for id in ("mem_01jv9yq3k8", "mem_77aa00bb33"):
        assert thalamus.database.get(id) is None and run("memory", "show", id).code == 4


def test_a_whole_id_may_be_short(run: Run) -> None:
    names = ("m", "m1", "note_1", "note_12345")
    lines = (f'{{"record":"memory","id":"{id}","content":"It is {id}."}}\n' for id in names)
    run("store", input="".join(lines))
    for id in ("m", "note_1"):
        assert run("forget", "--yes", id).code == 0
    assert run("forget", "--yes", "note_12").code == 2  # the kind is what stands before the _
    left = {r["id"] for r in run("memory", "--json").records}
    assert left == {"m1", "note_12345"}


def test_a_fact_is_not_retracted_by_one_letter(run: Run, thalamus: Thalamus) -> None:
    fact = thalamus.facts.add(Fact(subject="Ana", predicate="likes", object="tea"))[0].stored_id
    thalamus.close()
    assert run("facts", "retract", "f").code == 2
    assert run("facts", "retract", fact[:11]).code == 0


@pytest.mark.parametrize("selector", ["--query", "--subject"])
def test_words_go_wherever_they_stand(
    thalamus: Thalamus, run: Run, data: Path, tmp_path: Path, selector: str
) -> None:
    """In a message, an answer, a fact, metadata, a topic, a quote, a plan, a session's name, a
    document's title, its pieces, and core memory."""
    fill(thalamus, "y")
    page = tmp_path / "page.md"
    page.write_text(f"# Notes\n\n{'Rain falls. ' * 200}\n\n# More\n\nThe dog {NAME} barks.\n")
    titled = tmp_path / "titled.md"
    titled.write_text(f"# All of {NAME}\n\nNothing here speaks of it.\n")
    for path in (page, titled):
        thalamus.ingest(path, summary=False)
    with Thalamus(config=thalamus.config, clock=thalamus.clock) as other:
        other.turn(f"I moved to {NAME.title()} in May. I prefer short answers.")
        other.session = f"about {NAME}"
        other.turn("How is the weather?")
    quote = Provenance(quote=f"So says {NAME}.", turn="turn_elsewhere")
    thalamus.remember(
        [
            Memory(id="mem_core", content=f"You speak like {NAME}.", scope="core"),
            Memory(id="mem_meta", content="Some note.", metadata={"with": [{"x": NAME}]}),
            Memory(id="mem_topic", content="Another note.", topic=NAME),
            Memory(id="mem_quoted", content="The sea is blue.", provenance=quote),
            Memory(id=f"mem_{NAME}", content="An odd id."),
            Fact(id="fact_1", subject=NAME, predicate="is", object="kind"),
            Fact(id="fact_2", subject="Ana", predicate="knows", object=f"uncle {NAME}"),
            Fact(id="fact_3", subject="Ana", predicate="owns", object="boat", quote=f"{NAME}!"),
            Turn(message="A question", answer=f"Ask {NAME.upper()}.", session="z"),
        ]
    )
    thalamus.close()
    assert left(data, NAME)
    done = run("forget", selector, NAME, "--yes", "--json")
    assert done.code == 0, done.stderr
    assert left(data, NAME) == []
    stay = {r["content"] for r in done.records if r.get("decision") == "keep"}
    short = {"I prefer short answers.", "user prefers short answers"}
    assert stay == {"The sea is blue.", "Ana owns boat", "A question", *short}
    stays = thalamus.database.get("mem_quoted")
    assert isinstance(stays, Memory) and stays.content == "The sea is blue."
    assert [f.object for f in thalamus.facts.find("Ana")] == ["boat"]
    turns = [r for r in thalamus.store.export() if isinstance(r, Turn)]
    assert "How is the weather?" in {turn.message for turn in turns}
    assert {
        r.metadata["title"]
        for r in thalamus.memories.find(thalamus.here())
        if "title" in r.metadata
    } == {"Notes"}
    assert kept(thalamus, "y")


def test_a_session_goes_whole(told: Thalamus, run: Run, data: Path) -> None:
    with Thalamus(config=told.config, clock=told.clock) as other:
        other.session = "talk"
        other.turn(f"I moved to {word('town').title()} in May.")
    told.close()
    done = run("forget", "--session", "talk", "--yes", "--json")
    assert done.code == 0, done.stderr
    assert left(data, NAME, word("town")) == []
    assert kept(told, "x")
    turns = {r.id: r for r in told.store.export() if isinstance(r, Turn)}
    assert {turn.session for turn in turns.values()} == {"others", "later"}
    assert turns[f"turn_later_{MORE}"].answer is None


def test_a_document_goes_with_its_pieces(
    thalamus: Thalamus, run: Run, data: Path, tmp_path: Path
) -> None:
    """Named by its path when the file is gone, its title, its id, or the file."""
    fill(thalamus, "z")
    names: dict[str, list[str]] = {}
    documents: dict[str, str | None] = {}
    for by in ("path", "title", "id", "file"):
        one, two, three, four, file = names[by] = [word(f"{by}{number}") for number in range(5)]
        page = tmp_path / f"{file}.md"
        page.write_text(f"# Book of {one}\n\n{two} sings to {three}.\n\n# End\n\n{four} sleeps.")
        document = thalamus.ingest(page)
        assert document.summary
        if by != "file":
            page.unlink()
        place = {"path": str(page.resolve()), "file": str(page)}
        documents[by] = place.get(by) or getattr(document, by)
    thalamus.close()
    for count, (by, named) in enumerate(documents.items(), start=1):
        done = run("forget", "--source", named or "", "--yes", "--json")
        assert done.code == 0, (by, done.stderr)
        assert left(data, *names[by]) == [], by
        assert thalamus.database.counts()["document"] == len(documents) - count, by
        thalamus.close()
    assert kept(thalamus, "z")


def test_what_was_made_of_it_goes_too(thalamus: Thalamus, run: Run, data: Path) -> None:
    one, two = word("one"), word("two")
    thalamus.remember(
        [
            Memory(id="mem_a", content=f"Ana grew {one} in spring."),
            Memory(id="mem_sum", content=f"A summary of all that {two} grew."),
            Memory(id="mem_old", content="Ana grew something in spring."),
            Memory(id="mem_other", content="Ana sings."),
            Fact(id="fact_old", subject="Ana", predicate="lives_in", object="Porto"),
        ]
    )
    link(thalamus.database, "mem_sum", "derived_from", "mem_a")
    link(thalamus.database, "mem_a", "supersedes", "mem_old")
    thalamus.close()
    done = run("forget", "mem_a", "--yes", "--json")
    assert {id for id in ids(done.records) if not id.isdigit()} == {"mem_a", "mem_sum", "mem_old"}
    assert left(data, one, two) == []
    assert thalamus.database.get("mem_other") and thalamus.facts.find("Ana")


def test_other_users_words_stay(thalamus: Thalamus, run: Run) -> None:
    thalamus.remember(
        [
            Memory(id="mem_1", content=f"Buy {NAME} tomorrow.", user="ana"),
            Memory(id="mem_2", content=f"Sell {NAME} today.", user="ben"),
        ]
    )
    thalamus.close()
    done = run("forget", "--query", NAME, "--user", "ana", "--yes", "--json")
    assert done.code == 0 and ids(done.records) == {"mem_1"}  # the entry is about both
    assert done.records[-1]["data"]["still"] == []  # a word in lower case is no name
    assert thalamus.database.get("mem_2")


def test_a_receipt_is_signed_and_covers_the_texts(
    told: Thalamus, run: Run, home: Path, tmp_path: Path
) -> None:
    told.close()
    file = tmp_path / "receipt.json"
    assert run("forget", f"mem_cat_{MORE}", "--yes", "--prove", str(file)).code == 0
    receipt = json.loads(file.read_text())
    assert NAME not in file.read_text() and receipt["counts"]["memory"] == 1
    assert receipt["ledger"]["after"]["seq"] == receipt["ledger"]["before"]["seq"] + 1
    key = home / "config" / "signing.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    text = f"the user's  CAT is called {NAME}."
    checked = run("forget", "--check-receipt", str(file), "--query", text)
    assert checked.code == 0
    assert "1 memory" in checked.stdout.splitlines()[0]
    assert checked.stdout.splitlines()[0].endswith("; nothing was left")
    assert "the key of this machine" in checked.stdout
    assert checked.stdout.endswith(f"The receipt covers this text: mem_cat_{MORE}\n")
    other = run("forget", "--check-receipt", str(file), "--query", "something else")
    assert other.code == 4 and "The receipt does not cover this text." in other.stderr
    receipt["counts"]["memory"] = 2
    file.write_text(json.dumps(receipt))
    altered = run("forget", "--check-receipt", str(file))
    assert altered.code == 1 and "it was altered" in altered.stderr
    file.write_text("{}")
    assert run("forget", "--check-receipt", str(file)).code == 1


@pytest.mark.sqlite
def test_backups_are_named(told: Thalamus, run: Run, tmp_path: Path, data: Path) -> None:
    told.close()
    outside, inside = tmp_path / "copy.db", data / "default" / "copy.db"
    for path in (outside, inside):
        assert run("store", "backup", str(path)).code == 0
    done = run("forget", "--query", NAME, "--yes")
    assert done.code == 1, "a copy in the folder of the store holds it"
    assert str(outside) in done.stderr and str(inside) in done.stderr
    inside.unlink()
    again = run("forget", "--query", NAME, "--yes")
    assert again.code == 0 and str(outside) in again.stderr
    outside.unlink()
    assert run("forget", "--query", NAME, "--yes").code == 4
    assert left(data, NAME) == []


def test_through_python(told: Thalamus, data: Path) -> None:
    report = told.forget(ForgetOptions(query=NAME, dry_run=True))
    assert not report.done and report.items and left(data, NAME)
    report = told.forget(ForgetOptions(query=NAME), confirm=lambda shown: not shown.items)
    assert not report.done and left(data, NAME)
    steps: list[str] = []
    report = told.forget(ForgetOptions(query=NAME), progress=steps.append)
    assert report.done and report.complete and report.left == [] and len(steps) > 5
    told.close()
    assert left(data, NAME) == []


@pytest.mark.sqlite
@pytest.mark.skipif(not can_mount(), reason="no mounts here")
def test_a_read_only_store_is_left_as_it_is(
    told: Thalamus, environment: dict[str, str], data: Path
) -> None:
    told.close()
    command = [sys.executable, "-m", "thalamus", "forget", "--query", NAME, "--yes"]
    done = subprocess.run(
        read_only(data, command), env=environment, capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 1 and "Cannot write" in done.stderr, done.stderr
    assert left(data, NAME) and told.facts.find("user")


def test_it_deletes_though_nobody_reads_the_list(
    told: Thalamus, environment: dict[str, str]
) -> None:
    told.close()
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "thalamus", "forget", "--query", NAME, "--yes"]
    done = subprocess.run(command, env=environment, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert done.returncode == 0 and not told.facts.find("user"), done.stderr


def test_a_store_that_was_emptied_is_searched(run: Run) -> None:
    """Its full-text index has no entries, and what was said since is not in it yet."""
    run("turn", "I live in Rome.")
    assert run("forget", "--about", "Rome", "--yes").code == 0
    run("turn", "I live in Bern.")
    assert run("turn", "hi").code == 0 and run("retrieve", "zebra").code == 0
    assert "Bern" in run("retrieve", "Bern").stdout


def test_on_a_terminal_it_asks(told: Thalamus, environment: dict[str, str]) -> None:
    for reply, code in (("n", 130), ("y", 0)):
        told.close()
        master, slave = pty.openpty()
        command = [*python(), "-m", "thalamus", "forget", f"fact_cat_{MORE}"]
        process = subprocess.Popen(
            command, env=environment, stdin=slave, stdout=subprocess.PIPE, stderr=slave, cwd=ROOT
        )
        os.write(master, f"{reply}\n".encode())
        shown, _ = process.communicate(timeout=100)
        os.close(slave)
        os.close(master)
        assert process.returncode == code and f"[fact_cat_{MORE}]" in shown.decode()
        assert bool(told.facts.find("user")) == (reply == "n")


def test_a_subject_goes_by_its_other_names(thalamus: Thalamus, run: Run, data: Path) -> None:
    fact = Fact(id="fact_1", subject=NAME, predicate="likes", object="tea")
    thalamus.remember([fact, Fact(id="fact_2", subject="Ana", predicate="likes", object="jam")])
    thalamus.close()
    assert run("facts", "merge", "Puss", NAME).code == 0
    shown = run("forget", "--subject", "Puss", "--dry-run").stdout
    assert "merged names: 1\n  “Puss”  " in shown and "[[" not in shown
    done = run("forget", "--subject", "Puss", "--yes", "--json")
    assert done.code == 0 and "fact_1" in ids(done.records)
    assert left(data, "puss", NAME) == [] and thalamus.facts.find("Ana")


def test_an_edit_whose_old_words_are_forgotten_cannot_be_undone(run: Run) -> None:
    said = {"record": "memory", "id": "mem_llama", "content": "The user keeps a llama in Peru."}
    run("store", input=json.dumps(said) + "\n")
    run("memory", "edit", "mem_llama", "--content", "Maria drives trucks.", "--topic", "trucks")
    assert run("forget", "--query", "llama", "--yes").code == 0
    assert run("undo").code == 4
    assert (
        "Maria drives trucks." in run("memory").stdout and run("doctor", "--signatures").code == 0
    )


def test_what_a_forgotten_summary_stood_for_is_active_again(run: Run) -> None:
    old = {"record": "memory", "type": "observation", "created_at": "2025-01-10T10:00:00Z"}
    names = ["Ana saw a heron.", "Bo saw a heron.", "Cai saw a heron."]
    lines = [json.dumps(old | {"content": name, "topic": "birds"}) for name in names]
    run("store", input="\n".join(lines) + "\n")
    assert run("prune", "--no-model").code == 0
    assert run("memory", "--status", "retired").stdout.count("heron") == 3
    assert run("forget", "--query", "Ana", "--yes").code == 0
    shown = run("memory").stdout
    assert "Bo saw" in shown and "Cai saw" in shown and "Ana" not in shown
    assert "Bo saw a heron." in run("retrieve", "Who saw a heron?").stdout
    assert run("doctor", "--signatures").code == 0


def test_any_name_of_a_subject_takes_all_of_them(run: Run) -> None:
    run("facts", "add", "Ana", "works_at", "Bosch")
    run("facts", "merge", "Ana", "Ana Maria")
    run("store", input=json.dumps({"record": "memory", "content": "Ana sold her zither."}) + "\n")
    assert run("facts", "merge", "Ana Maria", "Ana").code == 2  # they are one already
    assert run("forget", "--subject", "Ana Maria", "--yes").code == 0
    assert run("memory").stdout == "" and run("facts").stdout == ""


def test_a_short_name_within_other_words_is_no_residue(run: Run, thalamus: Thalamus) -> None:
    for name in ("Pat", "Jo", "Bo"):
        thalamus.facts.add(Fact(subject=name, predicate="likes", object="tea"))
    thalamus.close()
    for name in ("Pat", "Jo"):
        done = run("forget", "--subject", name, "--yes")
        assert done.code == 0, done.stdout + done.stderr
    assert run("forget", "--query", "Xq", "--dry-run").code == 4


def test_a_receipt_that_cannot_be_written_is_told_before(run: Run) -> None:
    run("facts", "add", "Bo", "likes", "kites")
    for where in ("", "nowhere/receipt.json", "."):
        done = run("forget", "--query", "kites", "--yes", "--prove", where)
        assert done.code == 2 and "Nothing was deleted" in done.stderr, where
    assert "kites" in run("facts").stdout


def test_about_somebody_takes_the_name_along(run: Run) -> None:
    """A fact says who "my brother" is; what is about others stays."""
    said = [
        {"record": "fact", "subject": "user", "predicate": "brother", "object": "Paul"},
        {"record": "memory", "content": "Paul has two bicycles."},
        {"record": "memory", "content": "The user's brothers play chess."},
        {"record": "memory", "content": "The user likes chess."},
    ]
    run("store", input="".join(json.dumps(record) + "\n" for record in said))
    shown = run("forget", "--about", "my brother", "--dry-run").stdout
    assert "Paul has two bicycles." in shown and "brothers play chess" in shown
    assert run("forget", "--about", "my brother", "--yes").code == 0
    assert "Paul" not in run("export").stdout
    assert [m["content"] for m in run("memory", "--json").records] == ["The user likes chess."]
    assert run("forget", "--about", "my brother", "--yes").code == 4
    assert run("forget", "--about", "it", "--yes").code == 2
    assert run("forget", "--about", "chess", "--query", "chess").code == 2


TWO = "I moved to Lisbon in May. I prefer short answers."


def test_a_turn_that_says_more_loses_only_the_sentence(
    thalamus: Thalamus, run: Run, data: Path
) -> None:
    [turn] = [thalamus.turn(TWO)]
    thalamus.close()
    [memory] = (m for m in thalamus.memories.find() if "Lisbon" in m.content)
    thalamus.close()
    shown = run("forget", memory.stored_id, "--dry-run")
    assert "turns that are shortened: 1\n  deleted: “I moved to Lisbon in May.”, and the" in (
        shown.stdout
    )
    done = run("forget", memory.stored_id, "--yes", "--json")
    *verdicts, report = done.records
    [kept] = (r for r in verdicts if r["rule"] == "shortened")
    assert (kept["id"], kept["content"]) == (turn.id, "I prefer short answers.")
    assert report["data"]["counts"]["sentence"] == 1 and report["data"]["residue"] == []
    assert left(data, "Lisbon") == []
    shown_turn = run("session", "show", "main", "--json")
    assert [(r["message"], r["answer"]) for r in shown_turn.records if r["record"] == "turn"] == [
        ("I prefer short answers.", None)
    ]
    assert "Lisbon" not in run("retrieve", "where do I live, in Lisbon?").stdout
    assert "short answers" in run("retrieve", "how should answers be? short?").stdout
    [left_over] = run("memory", "--json").records
    assert left_over["content"] == "I prefer short answers."
    assert run("why", left_over["id"]).code == 0
    assert run("doctor", "--signatures").code == 0 and run("doctor", "--no-model").code == 0
    count_missing = thalamus.store.count_missing_embeddings()
    assert count_missing[1] == 0


@pytest.mark.parametrize(
    "message",
    [
        "I moved to Lisbon in May and I prefer short answers.",  # one sentence
        "I moved to Lisbon in May. In May I moved to Lisbon!",  # nothing else
    ],
)
def test_a_turn_that_says_nothing_more_goes(thalamus: Thalamus, run: Run, message: str) -> None:
    thalamus.turn(message)
    [fact] = (fact for fact in thalamus.facts.find("user") if fact.object == "Lisbon")
    thalamus.close()
    done = run("forget", fact.stored_id, "--yes", "--json")
    assert done.records[-1]["data"]["counts"]["turn"] == 1
    assert thalamus.database.counts()["turn"] == 0


def test_a_sentence_of_an_encrypted_turn(thalamus: Thalamus, run: Run, tmp_path: Path) -> None:
    card, short = "My card number is 4111 1111 1111 1111.", "I prefer short answers."
    items = [
        {"quote": card, "content": f"The user's {card[3:]}", "sensitivity": "personal"},
        {"quote": short, "content": "The user prefers short answers."},
    ]
    model = script(tmp_path / "script.yaml", {f"{card} {short}": items})
    run("turn", f"{card} {short}", env={"THALAMUS_MODEL": model})
    [memory] = (r for r in run("memory", "--json").records if "4111" in r["content"])
    assert run("forget", memory["id"], "--yes").code == 0
    [turn] = thalamus.database.each(Turn)
    assert (turn.message, turn.answer) == ("I prefer short answers.", None)
    assert "4111 1111" not in run("export").stdout  # its hashes may hold four digits
    assert "short answers" in run("retrieve", "which answers do I prefer?").stdout
    assert (
        run("doctor", "--signatures").code == 0
        and thalamus.store.count_missing_embeddings()[1] == 0
    )


def test_what_was_named_by_words_takes_the_whole_turn(thalamus: Thalamus, run: Run) -> None:
    thalamus.turn(TWO)
    thalamus.close()
    assert run("forget", "--query", "Lisbon", "--yes").code == 0
    assert thalamus.database.counts()["turn"] == 0


def test_a_receipt_on_standard_output_stands_alone(run: Run) -> None:
    run("facts", "add", "Bo", "likes", "kites")
    assert run("forget", "--query", "kites", "--yes", "--prove", "-", "--json").code == 2
    done = run("forget", "--query", "kites", "--yes", "--prove", "-")
    assert done.code == 0 and "deleted: 1 fact" in done.stderr and "nothing is left" in done.stderr
    assert run("forget", "--check-receipt", "-", input=done.stdout).code == 0


def test_finishing_selects_nothing(run: Run) -> None:
    run("facts", "add", "Bo", "likes", "kites")
    for more in (("--query", "kites"), ("some_id",), ("--dry-run",)):
        assert run("forget", "--finish", "--yes", *more).code == 2
    assert "kites" in run("facts").stdout


@pytest.mark.sqlite
def test_a_receipt_is_written_though_something_is_left(
    told: Thalamus, run: Run, data: Path
) -> None:
    """It cannot be created again."""
    told.close()
    assert run("store", "backup", str(data / "default" / "copy.db")).code == 0
    done = run("forget", "--query", NAME, "--yes", "--prove", "-")
    assert done.code == 1 and "still contain it" in done.stderr
    assert "signed by" in run("forget", "--check-receipt", "-", input=done.stdout).stdout
