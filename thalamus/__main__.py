"""``python -m thalamus``."""

from thalamus.cli import run

run()
