"""How well a model routes, and calls tools: `python bench/routing.py MODEL [--part test|tuning]`.

Runs the stages `route` and `act` over the messages of `routing_messages.yaml`, in a fresh store
whose world has a project and two goals, and prints what came of each and a table:

- route: the share of messages that went the right way, for each way
- valid calls: calls that ran, of all that were made
- right calls: of the messages that need a tool, those for which it was called with right arguments
- needless calls: calls of another tool than the right one, or after the right one
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from msgspec import structs

from thalamus import Thalamus
from thalamus.records import ToolCall, Turn, World

MESSAGES = Path(__file__).with_name("routing_messages.yaml")
WORLD = World(project="tree house", goals=["painting the fence", "half marathon"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--part", default="test", choices=("test", "tuning"))
    parser.add_argument("--act", action="store_true", help="run act for every world message")
    options = parser.parse_args()
    import yaml

    cases = yaml.safe_load(MESSAGES.read_text(encoding="utf-8"))[options.part]
    counts: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory() as home,
        Thalamus(home=home, model=options.model, embedder="none") as thalamus,
    ):
        thalamus.turn("Hello.", flow="store")  # there is a store then
        began = time.monotonic()
        for case in cases:
            measure(case, thalamus, counts, options.act)
        seconds = (time.monotonic() - began) / len(cases)
    report(counts, seconds)


def measure(case: dict[str, Any], thalamus: Thalamus, counts: Counter[str], always: bool) -> None:
    """Counts what became of one message."""
    turn = thalamus.run_stage("route", Turn(message=case["message"]))
    right = turn.route == case["route"]
    counts["degraded"] += turn.status == "degraded"
    counts[f"{case['route']} of"] += 1
    counts[case["route"]] += right
    if not right:
        print(f"{case['message']!r}: {turn.route} instead of {case['route']}")
    if turn.route != "world" and not (always and case["route"] == "world"):
        counts["tool of"] += "tool" in case
        return
    turn = structs.replace(turn, world=WORLD, route="world", tool_calls=[])
    turn = thalamus.run_stage("act", turn)
    calls = turn.tool_calls or []
    counts["calls"] += len(calls)
    counts["valid"] += sum(call.error is None for call in calls)
    wanted = case.get("tool")
    good = [call for call in calls if call.name == wanted and is_right(call, case["args"])]
    counts["tool of"] += wanted is not None
    counts["right"] += bool(good)
    counts["needless"] += len([call for call in calls if call.error is None]) - bool(good)
    if not good:
        shown = [(call.name, call.args, call.error or call.result) for call in calls]
        print(f"{case['message']!r}: {shown} {[issue.message for issue in turn.issues]}")


def is_right(call: ToolCall, wanted: dict[str, Any]) -> bool:
    """Whether a call that ran has the arguments, or the value, that are right."""
    if call.error is not None:
        return False
    if call.name == "world_apply_ops":
        return any(
            all(_fits(operation.get(name), value) for name, value in wanted.items())
            for operation in call.args["ops"]
        )
    if call.name in ("calculate", "date_math"):
        return str(wanted["value"]) in [str(value) for value in call.result.values()]
    return all(_fits(call.args.get(name), value) for name, value in wanted.items())


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return value in wanted
    return str(wanted).casefold() in str(value).casefold()


def report(counts: Counter[str], seconds: float) -> None:
    routes = ("context", "world", "answer")
    for name in routes:
        print(f"{name:8} {counts[name]:3} of {counts[f'{name} of']}")
    print(f"route    {sum(counts[r] for r in routes)} of {sum(counts[f'{r} of'] for r in routes)}")
    print(f"valid calls     {counts['valid']} of {counts['calls']}")
    print(f"right calls     {counts['right']} of {counts['tool of']}")
    print(f"needless calls  {counts['needless']}")
    print(f"degraded        {counts['degraded']}")
    print(f"{seconds:.1f} s a message")


if __name__ == "__main__":
    main()
