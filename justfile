# `just` lists these; each is one command that also works typed by hand.

default:
    @just --list

# two short sessions, the second remembering the first
demo *ARGS:
    thalamus demo {{ARGS}}

# the tests
test *ARGS:
    pytest {{ARGS}}

# the long tests: hundreds of kills and damaged files
torture:
    pytest -m slow

# the linter and the formatter
lint:
    ruff check .
    ruff format --check .

# the type checker, strict on the package
types:
    mypy

# write the JSON Schemas that are generated from the records
schemas:
    python -m thalamus.schemas

# run the examples of the documentation
docs:
    pytest tests/test_docs.py

# start-up, storing and recalling, as ratios to bare Python
bench *ARGS:
    python bench/startup.py {{ARGS}}

# record the cassette of tests/scripts/remember.sh anew with the real model (98 MB)
cassette:
    bash tests/scripts/record.sh
