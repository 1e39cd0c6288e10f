# `just` lists these; each is one command that also works typed by hand.

set shell := ["bash", "-cu"]

default:
    @just --list

# two short sessions, the second remembering the first
demo *ARGS:
    thalamus demo {{ARGS}}

# the tests
test *ARGS:
    pytest {{ARGS}}

# those that use a store, on a PostgreSQL of their own or at THALAMUS_TEST_POSTGRES (docs/postgres.md)
test-postgres *ARGS:
    pytest --store postgres {{ARGS}}

# the long robustness runs, with a line on each at the end (docs/reliability.md; twenty minutes)
torture *ARGS:
    pytest -n0 -m slow tests/torture tests/store tests/life {{ARGS}}

# what attacks it: hostile input, tampering, kills, a full disk, remains, other users
attack *ARGS:
    pytest -m 'not torture' tests/torture tests/serving tests/transfer tests/readers tests/agents \
      tests/web tests/life/test_personal_at_rest.py tests/terminal/test_escapes.py \
      tests/policy/test_{injection,sensitivity,random_keys}.py \
      tests/store/test_{attacks,crash,encryption,forgetting,key_names,lost,plain_fields}.py \
      tests/store/test_{private_files,tampering}.py \
      tests/memory/test_{forget_world,forgotten_documents,owners,redact*}.py \
      tests/commands/test_{blank_options,config,forget,full_disk,key,others_words}.py {{ARGS}}

# the linter and the formatter
lint:
    ruff check .
    ruff format --check .

# the type checker, strict on the package
types:
    mypy

# pin every package to its newest version of today, to be tested before it is committed
lock FOLDER="build/lock":
    python -m venv --clear {{FOLDER}}
    {{FOLDER}}/bin/pip install --quiet '.[local,keyring,mcp,ui,web,postgres,dev]'
    {{FOLDER}}/bin/pip freeze --exclude thalamus-recall > constraints.txt

# name the pinned packages in which holes are known; fails if one of them cannot be asked about
audit FOLDER="build/audit":
    python -m venv {{FOLDER}}
    {{FOLDER}}/bin/pip install --quiet --upgrade pip-audit
    {{FOLDER}}/bin/pip-audit --strict --no-deps --disable-pip -r constraints.txt

# write the schemas that are generated: JSON Schemas of the records, and SQL of a new store
schemas:
    python -m thalamus.records.schemas
    python -m thalamus.store.sqlite.migrations

# draw the pictures of the documentation, with a real model and the full screen
pictures MODEL:
    python bench/pictures.py tour {{MODEL}}
    python bench/pictures.py screen
    python bench/pictures.py report
    python bench/pictures.py schemes

# write the page of the commands, from their help
commands:
    python -m tests.make_reference docs/commands.md

# write man pages, `thalamus.1` and one for each command, into a folder
man FOLDER="build/man/man1":
    python -m tests.make_reference {{FOLDER}}

# write the words for times of other languages, after Unicode CLDR
times:
    python -m tests.make_times

# write the names of places, after GeoNames and Unicode CLDR
places:
    python -m tests.make_places

# run the examples of the documentation
docs:
    pytest tests/test_docs.py

# speed and scale up to 100,000 memories, beside bare engines and other memories (minutes)
bench *ARGS:
    python bench/run.py {{ARGS}}

# the same up to a million memories (long; needs 20 GB of disk)
bench-large *ARGS:
    python bench/run.py --sizes 1000,10000,100000,1000000 --isotropic-limit 1000000 {{ARGS}}

# a thousand tenants in PostgreSQL and 64 clients, and single figures (bench/postgres.md; 12 GB)
bench-postgres *ARGS:
    python bench/postgres.py --tenants 1000 --clients 64 {{ARGS}}

# tools chosen by their outcomes, against a fixed order (bench/tools.md; some minutes)
tool-choice *ARGS:
    python bench/tool_choice.py --seeds 24 {{ARGS}}

# recall, and silence where nothing is known, by language
languages *ARGS:
    python bench/languages.py {{ARGS}}

# record the cassette of tests/scripts/remember.sh again with the real model (98 MB)
cassette:
    bash tests/scripts/record.sh
