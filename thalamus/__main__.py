"""``python -m thalamus``."""

from thalamus.cli import main

main()
