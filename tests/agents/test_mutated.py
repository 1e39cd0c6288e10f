"""Transcripts that were damaged or made to do harm: what is read of them, and a clear error."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.agents import samples
from tests.mutations import mutated
from thalamus.agents.formats import AGENTS
from thalamus.agents.transcript import turns_of
from thalamus.clock import parse_time
from thalamus.errors import ThalamusError
from thalamus.transfer.foreign.report import Report

pytestmark = pytest.mark.storeless
WRITTEN: dict[str, Callable[[Path], Path]] = {
    "claude-code": samples.claude_code,
    "codex": samples.codex,
    "gemini-cli": samples.gemini,
    "opencode": samples.opencode_export,
}


@pytest.mark.parametrize("agent", WRITTEN)
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_a_transcript(agent: str, random: Random, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp(agent)
    place = WRITTEN[agent](folder)
    file = random.choice(sorted(path for path in folder.rglob("*.json*") if path.is_file()))
    if file.suffix == ".jsonl":
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        changed = mutated(lines, random)
        assume(isinstance(changed, list))
        file.write_text("".join(f"{json.dumps(line)}\n" for line in changed))
    else:
        file.write_text(json.dumps(mutated(json.loads(file.read_text()), random)))
    with suppress(ThalamusError):
        for transcript in AGENTS[agent].read(place, Report()):
            turns = turns_of(transcript)
            assert all(turn.id and parse_time(turn.created_at or "") for turn in turns)
