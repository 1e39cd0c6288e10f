#!/usr/bin/env bash
# Records tests/cassettes/remember.jsonl again: the script with the real model in this process.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export THALAMUS_HOME=$home THALAMUS_MODEL=llamacpp:smollm2 THALAMUS_EMBEDDER=scripted
export THALAMUS_NOW=2026-05-08T13:56:00Z
thalamus models pull smollm2
rm -f "$here/cassettes/remember.jsonl"
export THALAMUS_CASSETTE=$here/cassettes/remember.jsonl THALAMUS_CASSETTE_MODE=record
bash "$here/scripts/remember.sh" >/dev/null
echo "recorded; now: pytest tests/test_script.py --snapshot-update"
