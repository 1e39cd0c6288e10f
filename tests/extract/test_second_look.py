"""The second look: a model that tells yes from no is asked about each claim."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from thalamus.extract.proposals import ProposedFact, ProposedMemory
from thalamus.extract.second_look import can_tell_yes, probabilities, yes_probability
from thalamus.extract.verdicts import Checked, Claim
from thalamus.memory.facts.predicates import packaged_entries
from thalamus.models.protocol import ChatReply
from thalamus.policy.predicates import Registry
from thalamus.text.quotes import Span
from thalamus.turn_run import TurnRun

pytestmark = pytest.mark.storeless

TRUE, FALSE = "The user likes figs.", "The user plays the trumpet."
MEMORY = ProposedMemory(quote="I keep bees", content="The user keeps bees.")
FACT = ProposedFact(quote="I keep bees", subject="user", predicate="keeps", object="bees")


@dataclass
class Templates:
    def load(self, name: str) -> str:
        return name


@dataclass
class Model:
    """A run, its engine and its models, with probabilities of yes by claim."""

    yes_to: dict[str, float | None]
    reply: str = ""  # to the question about several notes
    several: list[dict[str, str]] = field(default_factory=list)
    asked: list[dict[str, str]] = field(default_factory=list)
    known: dict[str, bool] = field(default_factory=dict)
    templates: Templates = field(default_factory=Templates)

    @property
    def engine(self) -> Model:
        return self

    models = engine

    def dialogue(self, name: str, **values: str) -> dict[str, str]:
        return values

    def yes(self, role: str, messages: dict[str, str]) -> float | None:
        self.asked.append(messages)
        return self.yes_to.get(messages["CLAIM"], 0.5)

    def ask(self, role: str, messages: dict[str, str], schema: object) -> ChatReply:
        self.several.append(messages)
        return ChatReply(text=self.reply, model="m")

    def check_ability(self, role: str, what: str, find_out: Callable[[], bool]) -> bool:
        if what not in self.known:
            self.known[what] = find_out()
        return self.known[what]


def model(true: float | None, false: float | None, **claims: float) -> Any:
    return Model({TRUE: true, FALSE: false, MEMORY.content: claims.get("memory")})


def predicates() -> Registry:
    return Registry(packaged_entries())


@pytest.mark.parametrize(
    ("true", "false", "tells"),
    [(0.9, 0.1, True), (0.9, 0.8, False), (0.1, 0.9, False), (0.5, 0.25, True), (None, None, True)],
)
def test_a_model_that_tells_yes_from_no(
    true: float | None, false: float | None, tells: bool
) -> None:
    run = model(true, false)
    assert can_tell_yes("verify", cast(TurnRun, run)) is tells


def doubted(claim: Claim, affirmed: str = "") -> Checked:
    return Checked(claim, claim.quote, Span(0, len(claim.quote)), affirmed=affirmed)


def test_it_is_found_out_once() -> None:
    run = model(0.9, 0.1, memory=0.7)
    for _ in range(3):
        yes_probability("verify", run, USER_MESSAGE="I keep bees", CLAIM=MEMORY.content)
    assert len(run.asked) == 2 + 3


def test_one_that_says_yes_to_everything_is_not_asked() -> None:
    run = model(0.9, 0.9, memory=0.9)
    found = probabilities([doubted(MEMORY)], "I keep bees", predicates(), run)
    assert found == {MEMORY: None} and len(run.asked) == 2


def test_each_claim_has_its_probability() -> None:
    run = model(0.9, 0.1, memory=0.7)
    items = [doubted(MEMORY), doubted(FACT, affirmed="Do you keep bees?")]
    found = probabilities(items, "I  keep\nbees", predicates(), run)
    assert found == {MEMORY: 0.7, FACT: 0.5}
    said = [asked["USER_MESSAGE"] for asked in run.asked[2:]]
    assert said == ["I keep bees", "(“Do you keep bees?”) I keep bees"]
    assert "bees" in run.asked[-1]["CLAIM"] and "_" not in run.asked[-1]["CLAIM"]


def judgements(**right: str) -> str:
    notes = [{"note": int(name[1:]), "right": yes} for name, yes in right.items()]
    return json.dumps({"notes": notes})


def test_several_claims_are_asked_about_in_one_call() -> None:
    run = model(0.9, 0.1)
    run.reply = judgements(n1="yes", n2="no")
    items = [doubted(MEMORY), doubted(FACT, affirmed="Do you keep bees?")]
    found = probabilities(items, "I keep bees", predicates(), run)
    assert found == {MEMORY: 1.0, FACT: 0.0} and len(run.asked) == 2
    [asked] = run.several
    first, second = asked["CLAIMS"].splitlines()
    assert first == "1. The user keeps bees." and second.startswith("2. (“Do you keep bees?”) ")


def test_a_claim_that_the_reply_leaves_out_is_asked_about_alone() -> None:
    run = model(0.9, 0.1, memory=0.7)
    run.reply = judgements(n2="yes", n5="no")
    found = probabilities([doubted(MEMORY), doubted(FACT)], "I keep bees", predicates(), run)
    assert found == {MEMORY: 0.7, FACT: 1.0}
    assert [one["CLAIM"] for one in run.asked[2:]] == [MEMORY.content]


def test_nothing_is_asked_without_claims() -> None:
    run = model(0.9, 0.1)
    assert probabilities([], "hi", predicates(), run) == {} and not run.asked
