# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# What all judges of tests/interop share: sourced with the arguments of the script, BINARY [OUT].
# Afterwards snarkjs is installed in TOOLS, BINARY and OUT are set, and nothing is known from
# another run. Ends with status 77, and says why, where something is missing.
set -uo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BINARY=${1:?usage: $0 BINARY [OUT]}
OUT=${2:-$ROOT/build/interop}
BINARY=$(realpath "$BINARY") || exit 2
PASSED=0
FAILED=0

skip() {
  echo "skipped: $1"
  exit 77
}

# expect STATUS TITLE COMMAND...: counts; shows the output of what went wrong.
expect() {
  local wanted=$1 title=$2 output status=0
  shift 2
  output=$("$@" 2>&1) || status=$?
  if ((status == wanted)); then
    PASSED=$((PASSED + 1))
    printf 'ok    %s\n' "$title"
  else
    FAILED=$((FAILED + 1))
    printf 'WRONG %s: status %d, not %d\n      %s\n%s\n' "$title" "$status" "$wanted" "$*" "$output"
  fi
}

find_shared() {
  local candidate
  for candidate in "${ZKGPU_SHARED:-}" "$ROOT/shared" "$ROOT/../shared"; do
    if [[ -n $candidate && -d $candidate/fixtures/snarkjs ]]; then
      realpath "$candidate"
      return
    fi
  done
}

install_tools() {
  local lock=$SHARED/tools/package-lock.json
  mkdir -p "$TOOLS"
  cp "$SHARED"/tools/snarkjs-verify.mjs "$TOOLS"/
  if [[ -d $TOOLS/node_modules/snarkjs ]] && cmp -s "$lock" "$TOOLS/package-lock.json"; then return; fi
  cp "$SHARED"/tools/package.json "$lock" "$TOOLS"/
  (cd "$TOOLS" && timeout 300 npm ci --no-audit --no-fund --loglevel=error)
}

command -v node >/dev/null || skip "no node here"
command -v npm >/dev/null || skip "no npm here"
SHARED=$(find_shared)
[[ -n $SHARED ]] || skip "shared test data not here (set ZKGPU_SHARED to its folder)"
TOOLS=$OUT/tools
mkdir -p "$OUT"
install_tools >"$OUT/npm.log" 2>&1 || skip "npm ci failed (no registry?): $(tail -n 1 "$OUT/npm.log")"

# A list of keys of its own: nothing here is known from another run.
export XDG_STATE_HOME=$OUT/state
rm -rf "$OUT/state" "$OUT/proofs" "$OUT/circuits"
judge() { node "$TOOLS/snarkjs-verify.mjs" "$@"; }
snarkjs() { node "$TOOLS/node_modules/snarkjs/build/cli.cjs" "$@"; }

# The last line, and whether all went well.
report() {
  printf '%d passed, %d failed\n' "$PASSED" "$FAILED"
  ((FAILED == 0 && PASSED > 0))
}
