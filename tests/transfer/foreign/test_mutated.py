"""Exports that were damaged or made to do harm: what is read of them, and a clear error."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mutations import mutated
from tests.transfer.foreign.test_chatgpt_and_claude import TALK
from tests.transfer.foreign.test_formats import GRAPH, ONE, SAID
from tests.transfer.foreign.test_versions import A1, A2, Q1, Q2, chatgpt, claude, open_webui
from thalamus.errors import ThalamusError
from thalamus.transfer.foreign.formats import read_export
from thalamus.transfer.foreign.report import Report

pytestmark = pytest.mark.storeless
MESSAGES = (Q1, A1, Q2, A2)
EXPORTS: tuple[Any, ...] = (
    *(write("a2", MESSAGES) for write in (chatgpt, claude, open_webui)),
    *([TALK], {"results": [ONE]}, [ONE], GRAPH, SAID),
)


@pytest.mark.parametrize("export", EXPORTS)
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_an_export(export: Any, random: Random, tmp_path_factory: pytest.TempPathFactory) -> None:
    path: Path = tmp_path_factory.getbasetemp() / f"mutated-{id(export)}.json"
    path.write_text(json.dumps(mutated(export, random)))
    with suppress(ThalamusError):
        for _, record in read_export(path, "auto", Report()):
            assert record
