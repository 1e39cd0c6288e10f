"""What is looked for first is in every number that is found."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thalamus.policy import identity_numbers as rules

pytestmark = pytest.mark.storeless
NAMED = r"\d(?:[ ./-]?\d){6,12}[A-Z]{0,2}"  # beside the name of one


@pytest.mark.parametrize("form", [*rules._FORMS.values(), NAMED])
@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_form_has_its_digits(form: str, data: st.DataObject) -> None:
    pattern = re.compile(form, re.IGNORECASE | re.ASCII)
    number = data.draw(st.from_regex(pattern, fullmatch=True))
    assert rules._DIGITS(f"It is {number}.")
