#!/bin/bash
# deploy/test: tier 2, judges Tests/Models/pairing.pml.
# Checks the model of pairing attempts in Tests/Models/pairing.pml over every order of events.
set -euo pipefail
command -v spin >/dev/null && command -v gcc >/dev/null || { echo "pairing_model.sh: skipped, for there is no spin or no gcc here"; exit 77; }
model=$(readlink -f "$(dirname "$0")/../../Models/pairing.pml")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
spin -a "$model"
gcc -O2 -w -DSAFETY -o pan pan.c
# The rules may end in a state where no attempt is allowed, so -E (no check for deadlocks).
./pan -E -m100000 >out 2>&1 || { cat out; exit 1; }
grep -q 'errors: 0' out || { cat out; exit 1; }
if grep -q 'max search depth too small' out; then echo "pairing_model.sh: the search was cut short" >&2; exit 1; fi
echo "pairing_model.sh: $(grep -oE '[0-9]+ states, stored' out), no order of events gives away more"
