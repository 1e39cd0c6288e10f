"""Whether tools that are chosen by their outcomes do better than a fixed order.

    python bench/tool_choice.py [--seeds 20] [--first 1000] [--rounds 1500] [--sweep]

A replayable world of 20 tools in 5 groups. The four tools of a group do the same, each with its own
rate of success for each of the group's three kinds of task; the rates drift, and now and then one
breaks or recovers. A task is a vector near that of its kind; kinds of a group are nearer to each
other than to those of other groups. In each round a task comes, one of the group's tools is tried,
and it succeeds or fails; a success counts a little less if the answer does not use it. The order is
that of `policy.tool_choice.ranked`, the product's own code, over the last 500 calls.

- `fixed`: the tool that stands first in a list, which is in no particular order;
- `known`: a list that begins with the tool that was best for the group on the first day;
- `plain`: UCB1 without a discount; `discounted`: as the product has it;
- `blind`: discounted, but with every task alike, so that nothing is known of its kind;
- `best`: the tool with the highest rate at the moment, which nobody knows.

Success is the share of tasks that succeeded; gain is that over the fixed order; regret is what the
rates of the tried tools lack to the best ones, summed over the rounds. Constants were chosen on
the seeds 0 to 9 (--sweep), with drift 0, 1 and 3; figures are reported on others (from --first on).
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from thalamus.policy.tool_choice import DISCOUNT, EXPLORATION, PastCall, outcome_of, ranked
from thalamus.policy.vector import pack
from thalamus.text.sentence_vectors import cosines

Direction = list[float]

GROUPS, TOOLS, KINDS = 5, 4, 3  # groups; tools of each; kinds of task of each
DIMENSIONS = 32
DRIFT = 0.01  # standard deviation of a rate's step in each round
BREAKS = 0.0005  # chance in each round that a rate is drawn again
USED = 0.8  # share of successes that the answer uses
WINDOW = 500  # calls that are looked back on


@dataclass
class World:
    """The tools and their rates: everything that chance decides, in an order that no policy
    changes. ``rates``: by group, kind and tool."""

    seed: int
    drift: float = 1.0
    rates: list[list[list[float]]] = field(init=False)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)
        self.rates = [
            [[self._rate() for _ in range(TOOLS)] for _ in range(KINDS)] for _ in range(GROUPS)
        ]
        centres = [self._direction() for _ in range(GROUPS)]
        self._kinds = [[self._near(centre, 0.8) for _ in range(KINDS)] for centre in centres]

    def next(self) -> tuple[int, int, bytes, list[bool], bool]:
        """A task: its group, its kind, its vector, which tools would succeed, and whether the
        answer would use the result."""
        self._move()
        group, kind = self._chance.randrange(GROUPS), self._chance.randrange(KINDS)
        vector = pack(self._near(self._kinds[group][kind], 0.5))
        outcomes = [self._chance.random() < rate for rate in self.rates[group][kind]]
        return group, kind, vector, outcomes, self._chance.random() < USED

    def _move(self) -> None:
        for group in self.rates:
            for rates in group:
                for tool, rate in enumerate(rates):
                    broken = self._chance.random() < BREAKS * self.drift
                    moved = rate + self._chance.gauss(0, DRIFT * self.drift)
                    rates[tool] = self._rate() if broken else min(0.98, max(0.05, moved))

    def _rate(self) -> float:
        return self._chance.uniform(0.2, 0.95)

    def _direction(self) -> Direction:
        return _unit([self._chance.gauss(0, 1) for _ in range(DIMENSIONS)])

    def _near(self, direction: Direction, distance: float) -> Direction:
        """A direction near another one."""
        away = self._direction()
        return _unit([x + distance * y for x, y in zip(direction, away, strict=True)])


def _unit(vector: Direction) -> Direction:
    length = math.hypot(*vector)
    return [x / length for x in vector]


@dataclass
class Played:
    """The outcome of one policy in one world."""

    success: float
    regret: float


@dataclass
class Policy:
    """A way to choose. ``near``: it knows how near the tasks are."""

    name: str
    discount: float = DISCOUNT
    exploration: float = EXPLORATION
    near: bool = True


POLICIES = [
    Policy("fixed"),
    Policy("known"),
    Policy("plain", discount=1.0),
    Policy("discounted"),
    Policy("blind", near=False),
    Policy("best"),
]


def play(policy: Policy, seed: int, rounds: int, drift: float = 1.0) -> Played:
    """Plays the rounds of one world."""
    world = World(seed, drift)
    first = [_best_of_group(rates) for rates in world.rates]
    # of each group: (tool, outcome), and the vectors of their tasks
    calls: list[list[tuple[str, float]]] = [[] for _ in range(GROUPS)]
    tasks: list[list[bytes]] = [[] for _ in range(GROUPS)]
    successes, regret = 0, 0.0
    for _ in range(rounds):
        group, kind, vector, outcomes, used = world.next()
        rates = world.rates[group][kind]
        names = [f"tool_{group}_{number}" for number in range(TOOLS)]
        if policy.name == "fixed":
            chosen = 0
        elif policy.name == "known":
            chosen = first[group]
        elif policy.name == "best":
            chosen = rates.index(max(rates))
        else:
            past = _past(calls[group][-WINDOW:], tasks[group][-WINDOW:], vector, policy.near)
            best = ranked(names, past, discount=policy.discount, exploration=policy.exploration)[0]
            chosen = names.index(best.tool)
        outcome = outcome_of(failed=not outcomes[chosen], used=used, corrected=False)
        calls[group].append((names[chosen], outcome))
        tasks[group].append(vector)
        successes += outcomes[chosen]
        regret += max(rates) - rates[chosen]
    return Played(successes / rounds, regret)


def _best_of_group(rates: Sequence[Sequence[float]]) -> int:
    """The tool with the highest mean rate over all kinds of task."""
    return max(range(TOOLS), key=lambda tool: sum(of_kind[tool] for of_kind in rates))


def _past(
    calls: Sequence[tuple[str, float]],
    tasks: Sequence[bytes],
    vector: bytes,
    near: bool,
) -> list[PastCall]:
    similar = cosines(vector, dict(enumerate(tasks)))
    return [
        PastCall(tool, outcome, 0, similar[number] if near else 1.0)
        for number, (tool, outcome) in enumerate(calls)
    ]


def report(
    policies: Sequence[Policy], seeds: Sequence[int], rounds: int, drift: float = 1.0
) -> list[str]:
    """A line for each policy: success, gain over the fixed order and regret, with their spread."""
    fixed = [play(POLICIES[0], seed, rounds, drift) for seed in seeds]
    lines = []
    for policy in policies:
        done = [play(policy, seed, rounds, drift) for seed in seeds]
        gains = [
            100 * (one.success / first.success - 1) for one, first in zip(done, fixed, strict=True)
        ]
        success = [100 * one.success for one in done]
        lines.append(
            f"{policy.name:28} success {_spread(success)} %  gain {_spread(gains)} %"
            f"  (min {min(gains):+.1f})  regret {_spread([one.regret for one in done])}"
        )
    return lines


def _spread(values: Sequence[float]) -> str:
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):6.1f} ± {deviation:4.1f}"


def sweep() -> list[Policy]:
    """Policies with other constants."""
    return [
        Policy(f"discount {discount} bonus {bonus}", discount, bonus)
        for discount in (1.0, 0.99, 0.98, 0.97, 0.95)
        for bonus in (0.1, 0.2, 0.3, 0.4, 1.0)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--drift", type=float, default=1.0, help="times as fast")
    parser.add_argument("--sweep", action="store_true", help="try other constants")
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.seeds)
    for line in report(sweep() if given.sweep else POLICIES, seeds, given.rounds, given.drift):
        print(line)


if __name__ == "__main__":
    main()
