#!/usr/bin/env bash
# On a machine with a GPU: builds, and runs every test that needs one. Fails if they were skipped. Ends in "GPU ok passed=N".
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || { echo "GPU none: nvidia-smi finds no device" >&2; exit 1; }
summary=$(scripts/test "$@" -L gpu | tee /dev/stderr | tail -1)
[[ $summary =~ failed=0\ passed=([0-9]+)\ skipped=0 && ${BASH_REMATCH[1]} -gt 0 ]] || { echo "GPU FAILED: $summary"; exit 1; }
echo "GPU ok passed=${BASH_REMATCH[1]}"
