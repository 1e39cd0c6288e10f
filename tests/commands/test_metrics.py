"""`thalamus metrics`: figures with targets, from the ledger alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conftest import NOW, Result
from thalamus import Thalamus
from thalamus.memory.views.metrics import FEWEST
from thalamus.records import Event
from thalamus.records.evaluations import Evaluation, EvaluationResult
from thalamus.records.metrics import Metric, Metrics
from thalamus.records.statistics import StageTimes
from thalamus.transfer.prometheus import prometheus_text

Run = Callable[..., Result]
Shared = Callable[[Callable[[Run], None]], Run]
SAID = [
    ("2026-04-01T08:00:00Z", "My sister Ana keeps bees in Porto."),
    ("2026-05-06T08:00:00Z", "I live in Lisbon."),
    ("2026-05-07T08:00:00Z", "What does my sister Ana keep?"),
]


@pytest.fixture
def told(shared: Shared) -> Run:
    """Commands with a store in which something was said."""

    def say(run: Run) -> None:
        for at, message in SAID:
            assert run("turn", message, env={"THALAMUS_NOW": at}).code == 0
        assert run("turn", "--flow", "routed", "How much is 12 * 7?").code == 0

    return shared(say)


def measured(run: Run, *arguments: str, **env: str) -> dict[str, Any]:
    done = run("metrics", "--json", *arguments, env=env)
    assert done.code == 0, done.stderr
    [record] = done.records
    return record


def figure(found: dict[str, Any], name: str) -> dict[str, Any]:
    [one] = [one for one in found["figures"] if one["name"] == name]
    return one


def test_every_figure_has_its_target_and_verdict(told: Run) -> None:
    from jsonschema import Draft202012Validator

    found = measured(told)
    schema = json.loads((Path(__file__).parents[2] / "schemas" / "metrics.json").read_text())
    Draft202012Validator(schema).validate(found)
    assert found["turns"] == 4
    assert figure(found, "store_p95") == {
        "name": "store_p95",
        "description": "Time to store, 95th percentile",
        "value": 0.0,
        "unit": "ms",
        "of": 5,  # of one turn twice: with the answer, and with what a model extracted
        "target": 150.0,
        "bound": "below",
        "verdict": "met",
    }
    assert figure(found, "recall")["verdict"] == "unknown"
    assert figure(found, "corrections")["value"] == 0
    assert figure(found, "evidence_used")["value"] > 0
    assert figure(found, "quarantined")["verdict"] is None
    assert found["tools"]["calculate"] == 1
    assert {"answer", "store", "retrieve"} <= {one["stage"] for one in found["stages"]}
    assert all(one["tokens_in"] for one in found["stages"] if one["stage"] == "answer")


def test_an_imported_ledger_gives_the_same(run: Run, thalamus: Thalamus) -> None:
    for message in ("I live in Lisbon.", "I love tea."):
        thalamus.turn(message)
    [fact] = [one for one in thalamus.facts.find("user") if one.object == "Lisbon"]
    thalamus.close()
    assert run("facts", "correct", fact.id, "Porto").code == 0
    other = {"THALAMUS_TENANT": "other"}
    assert run("import", "-", input=run("export").stdout, env=other).code == 0
    found = measured(run)
    assert figure(found, "corrections")["value"] == 50
    assert measured(run, **other) == found


def test_what_is_taken_back_in_the_next_message_is_a_correction(
    run: Run, thalamus: Thalamus
) -> None:
    for message in ("I live in Lisbon.", "I moved to Porto yesterday.", "I love tea."):
        thalamus.turn(message)
    thalamus.close()
    corrections = figure(measured(run), "corrections")
    assert (corrections["value"], corrections["verdict"]) == (33.3333, "missed")


def test_a_time_or_a_date_selects(told: Run) -> None:
    assert measured(told, "--since", "2026-05-07")["turns"] == 2
    assert measured(told, "--since", "30d")["turns"] == 3
    assert measured(told, "--since", "1h")["since"] == "2026-05-08T12:56:00Z"
    assert measured(told, "--since", "2w")["turns"] == 3
    old = measured(told, "--until", "2026-05-07")
    assert (old["turns"], old["until"]) == (2, "2026-05-07T00:00:00Z")
    assert measured(told, "--since", "2026-05-06", "--until", "2026-05-07")["turns"] == 1
    done = told("metrics", "--since", "soon")
    assert done.code == 2 and "12h, 30d or 4w" in done.stderr


def test_the_table_for_people(told: Run) -> None:
    lines = told("metrics", "--since", "30d").stdout.splitlines()
    assert lines[0] == "3 turns since 2026-04-08"
    assert told("metrics", "--until", "2020").stdout.startswith("0 turns before 2020-01-01\n")
    assert re.fullmatch(r"  Recall of relevant memories +- +> 85 % +no data", lines[1])
    assert any(
        re.fullmatch(r"  Corrections per 100 turns +0\.00 +< 2 +met +of 3", x) for x in lines
    )
    assert "Tool calls" in lines


def test_recall_comes_from_the_file_of_an_evaluation(told: Run, tmp_path: Path) -> None:
    header = Evaluation(
        file="q", sha256="0", format="plain", level="turn", k=[5, 10], embedder="none"
    )
    ranked = [f"m{n}" for n in range(12)]
    results = [
        EvaluationResult(id="one", question="?", gold=["m1"], ranked=ranked),
        EvaluationResult(id="two", question="?", gold=["m9", "m11"], ranked=ranked),
    ]
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in (header, *results)))
    recall = figure(measured(told, "--eval", str(path)), "recall")
    assert (recall["value"], recall["of"], recall["verdict"]) == (0.75, 2, "missed")
    path.write_text("nothing\n")
    assert told("metrics", "--eval", str(path)).code == 2


def test_without_a_store_there_is_nothing_to_measure(run: Run) -> None:
    assert run("metrics").code == 10
    assert run("metrics", "--json", "--prometheus").code == 2


def test_the_report_has_the_figures(told: Run, tmp_path: Path) -> None:
    page = told("report", "-o", "-").stdout
    assert "Time to store, median" in page and "&lt; 150 ms" in page
    session = told("report", "--session", "nobody", "-o", "-").stdout
    assert "Time to store, median" not in session


# -- what is counted -------------------------------------------------------------------------------


def add(thalamus: Thalamus, *events: Event) -> Metrics:
    with thalamus.engine.create_store().writing() as writer:
        writer.add_event(*events)
    return thalamus.metrics()


def stage(name: str, turn: int, detail: dict[str, Any], **data: Any) -> Event:
    data = {"stage": name, "ms": 10, "detail": detail, **data}
    return Event(name="stage", at=NOW, turn=f"turn_{turn}", session="main", data=data)


def value(found: Metrics, name: str) -> float | None:
    return next(one.value for one in found.figures if one.name == name)


def test_refusals_and_quarantine(thalamus: Thalamus) -> None:
    decisions = [
        {"decision": "add", "rule": "new", "id": "mem_1"},
        {"decision": "quarantine", "rule": "invented", "id": "mem_2"},
        {"decision": "refuse", "rule": "consent"},
        {"decision": "supersede", "rule": "replaced", "id": "mem_0"},
    ]
    found = add(
        thalamus,
        stage("reflect", 1, {"refusals": {"ungrounded": 2}, "memories": 1}, model="m"),
        stage("store", 1, {"decisions": decisions}),
        stage("reflect", 2, {"note": "disabled"}),
        Event(name="issue", at=NOW, turn="turn_2", data={"code": "unusable_reply"}),
        stage("plan", 2, {"unusable_replies": ["x"]}, model="m"),
        Event(name="stored", at=NOW, data={"count": 1}),
    )
    assert found.refusals == {"consent": 1, "ungrounded": 2}
    assert value(found, "quarantined") == 0.25
    assert value(found, "unusable_replies") == 0.5
    assert found.turns == 1


def test_a_turn_that_is_corrected_soon_counts_once(thalamus: Thalamus) -> None:
    def decided(turn: int, *decisions: tuple[str, str]) -> Event:
        made = [{"decision": decision, "id": id} for decision, id in decisions]
        return stage("store", turn, {"decisions": made})

    found = add(
        thalamus,
        decided(1, ("add", "fact_1"), ("add", "mem_1")),
        decided(2, ("add", "fact_2")),
        decided(3, ("supersede", "fact_1"), ("supersede", "mem_1")),
        *(decided(n) for n in range(4, 50)),
        decided(50, ("supersede", "fact_2")),  # long after it: it changed
        Event(name="fact_corrected", at=NOW, data={"fact": "fact_0", "changed": []}),
    )
    assert value(found, "corrections") == 2


def test_tools_are_compared_with_the_fixed_order(thalamus: Thalamus) -> None:
    def call(turn: int, name: str, **outcome: Any) -> Event:
        entry = {"id": f"call_{turn}", "name": name, "first": "north", **outcome}
        return stage("act", turn, {"calls": [entry]})

    half = [call(n, "north", **({"failed": True} if n % 2 else {})) for n in range(FEWEST)]
    assert value(add(thalamus, *half), "tool_gain") is None
    good = [call(100 + n, "south") for n in range(FEWEST)]
    found = add(thalamus, *good)
    assert value(found, "tool_gain") == 0.5  # 30 of 40, against 10 of 20
    assert value(found, "tool_success") == 0.75


# -- the text format of Prometheus -----------------------------------------------------------------

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
_SAMPLE = re.compile(rf"({_NAME})(?:\{{{_LABEL}(?:,{_LABEL})*\}})? (\S+)")


def families(text: str) -> dict[str, list[tuple[str, float]]]:
    """Samples by family; asserts the grammar: HELP, TYPE, then the samples of that family."""
    assert text.endswith("\n")
    found: dict[str, list[tuple[str, float]]] = {}
    lines = iter(text.splitlines())
    name = ""
    for line in lines:
        if line.startswith("# HELP "):
            name = line.split()[2]
            assert re.fullmatch(_NAME, name) and name not in found
            assert next(lines) == f"# TYPE {name} gauge"
            found[name] = []
            continue
        sample = _SAMPLE.fullmatch(line)
        assert sample is not None and sample[1] == name, line
        found[name].append((line.rpartition(" ")[0], float(sample[2])))
    assert all(samples for samples in found.values())
    assert all(len({key for key, _ in samples}) == len(samples) for samples in found.values())
    return found


def test_the_text_for_prometheus(told: Run) -> None:
    found = families(told("metrics", "--prometheus").stdout)
    assert found["thalamus_turns"] == [("thalamus_turns", 4)]
    assert found["thalamus_store_p95_seconds"][0][1] == 0
    assert ('thalamus_tool_calls{tool="calculate"}', 1) in found["thalamus_tool_calls"]
    met = dict(found["thalamus_target_met"])
    assert met['thalamus_target_met{figure="corrections"}'] == 1
    assert 'thalamus_target_met{figure="recall"}' not in met


def test_names_are_escaped() -> None:
    odd = 'a "b" \\ c\nd'
    one = Metric(name="store_p50", description="Odd \\ text\nin lines", value=12.5, unit="ms", of=1)
    stages = [StageTimes(stage="store", model=odd, calls=1, ms=2, total_ms=2)]
    found = families(prometheus_text(Metrics(at=NOW, figures=[one], tools={odd: 2}, stages=stages)))
    assert found["thalamus_store_p50_seconds"] == [("thalamus_store_p50_seconds", 0.0125)]
    assert found["thalamus_tool_calls"] == [(r'thalamus_tool_calls{tool="a \"b\" \\ c\nd"}', 2)]
    parser = pytest.importorskip("prometheus_client.parser")
    text = prometheus_text(Metrics(at=NOW, figures=[one], tools={odd: 2}, stages=stages))
    parsed = {family.name: family.samples for family in parser.text_string_to_metric_families(text)}
    assert parsed["thalamus_tool_calls"][0].labels == {"tool": odd}
