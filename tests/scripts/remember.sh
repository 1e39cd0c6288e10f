#!/usr/bin/env bash
# A script as one would write it over Thalamus: two sessions, the filters, a question, the facts.
# With THALAMUS_NOW and a cassette it prints the same bytes every time.
set -euo pipefail

say() { printf '{"record":"turn","session":"%s","message":"%s"}\n' "$1" "$2"; }
turn() { thalamus retrieve | thalamus answer | thalamus reflect | thalamus store | thalamus plan; }

say monday "My name is Ana and I moved to Lisbon in May." | turn
say monday "I work at the harbour and I have a dog called Rex." | turn
say friday "Where do I live, and what is my dog called?" | turn

thalamus retrieve "What is the dog called?" --json -n 3
thalamus facts --json
