# SPDX-License-Identifier: Apache-2.0 OR MIT
# Sourced by ./demo, ./check and .ci/run: numbered steps with durations, packages, test counts.
#
#   step TITLE COMMAND...    run quietly, log to $LOGS, say how long it took; show the log's errors and
#                            its end if it failed. Gives the command's status.
#   need_packages NAME...    install the Debian packages that are missing, and only those
#   run_ctest DIR ARGS...    ctest, its counts added to the tally
#   closing_line             "N passed, N failed", of everything counted

STEP=0
PASSED=0
FAILED=0
SKIPPED=0
STARTED=$SECONDS
export LC_ALL=C.UTF-8

duration() {
  if (($1 < 60)); then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi
}

# While process $1 runs, show the last line of its log: in place on a terminal, else now and then.
show_progress() {
  local process=$1 log=$2 since=$SECONDS told=0 line
  while kill -0 "$process" 2>/dev/null; do
    sleep 0.5
    line=$(tail -n 1 "$log" 2>/dev/null | tr '\r' '\n' | tail -n 1 | tr -d '\033' | cut -c 1-80)
    if [[ -t 1 ]]; then
      printf '\r\033[K     %s  %s' "$(duration $((SECONDS - since)))" "$line"
    elif ((SECONDS - since >= told + 60)); then
      told=$((SECONDS - since))
      printf '     %s  %s\n' "$(duration "$told")" "$line"
    fi
  done
  if [[ -t 1 ]]; then printf '\r\033[K'; fi
}

step() {
  local title=$1 since=$SECONDS status=0 log process
  shift
  STEP=$((STEP + 1))
  log=$LOGS/$(printf '%02d' $STEP)-$(tr -cs 'a-zA-Z0-9\n' '-' <<<"$title" | cut -c 1-50 | sed 's/-*$//').log
  printf '[%2d] %s\n' "$STEP" "$title"
  "$@" >"$log" 2>&1 </dev/null &
  process=$!
  show_progress "$process" "$log"
  wait "$process" || status=$?
  if ((status == 0)); then
    printf '     done in %s\n' "$(duration $((SECONDS - since)))"
  else
    {
      grep -n -E '^FAILED: |(^|[^a-z])error: |ERROR|^CMake Error' "$log" | head -n 30
      tail -n 40 "$log"
    } | sed 's/^/     | /'
    printf '     FAILED after %s (status %d; all of it in %s)\n' \
      "$(duration $((SECONDS - since)))" "$status" "${log#"$ROOT"/}"
  fi
  return "$status"
}

# A step that is no test of its own: it counts only when it fails.
required_step() {
  step "$@" || {
    FAILED=$((FAILED + 1))
    return 1
  }
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

have_package() {
  dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

# The C++ compiler: CXX if set, else g++ if it is 12 or newer, else g++-12.
choose_compiler() {
  if [[ -n ${CXX:-} ]]; then return; fi
  local default
  default=$(g++ -dumpversion 2>/dev/null || echo 0)
  if ((${default%%.*} >= 12)); then
    export CXX=g++
  elif command -v g++-12 >/dev/null; then
    export CXX=g++-12
  fi
}

need_packages() {
  local missing=() name
  if ! command -v dpkg-query >/dev/null; then
    echo "no dpkg here: these must be installed by hand: $*"
    return 0
  fi
  for name in "$@"; do
    have_package "$name" || missing+=("$name")
  done
  if ((${#missing[@]} == 0)); then
    echo "nothing to install"
    return 0
  fi
  echo "installing ${missing[*]}"
  as_root apt-get update -qq || echo "apt-get update failed; trying with the lists that are here"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# need_packages, and a C++ compiler that is new enough (Ubuntu 22.04 has g++-12 beside its g++ 11).
install_packages() {
  local version
  need_packages g++ "$@" || return
  version=$(g++ -dumpversion)
  if [[ -z ${CXX:-} ]] && ((${version%%.*} < 12)); then need_packages g++-12; fi
}

LIBRARY_PACKAGES=(cmake ninja-build ccache libtbb-dev libhwloc-dev libssl-dev libxsimd-dev
  nlohmann-json3-dev)
PROGRAM_PACKAGES=(libcli11-dev libfmt-dev)
TEST_PACKAGES=(catch2 libboost-dev libeigen3-dev libbenchmark-dev zlib1g-dev)

# Compiled once per machine, also when the clone moves.
use_ccache() {
  export CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-5G}
}

attribute() {
  sed -n "s/.*<testsuite.* $1=\"\([0-9]*\)\".*/\1/p; s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1
}

# run_ctest TITLE BUILD_DIR ARGS...: status 1 if a test failed or none ran.
run_ctest() {
  local title=$1 dir=$2 junit status=0 tests failures skipped disabled
  shift 2
  junit=$ROOT/$dir/ctest-$STEP.xml
  rm -f "$junit"
  step "$title" ctest --test-dir "$dir" --output-on-failure --output-junit "$junit" \
    --parallel "$(nproc)" --no-tests=error "$@" || status=$?
  if [[ ! -s $junit ]]; then
    FAILED=$((FAILED + 1))
    return 1
  fi
  tests=$(attribute tests "$junit")
  failures=$(attribute failures "$junit")
  disabled=$(attribute disabled "$junit")
  skipped=$(attribute skipped "$junit")
  PASSED=$((PASSED + tests - failures - disabled - skipped))
  FAILED=$((FAILED + failures))
  SKIPPED=$((SKIPPED + disabled + skipped))
  if ((status != 0 && failures == 0)); then FAILED=$((FAILED + 1)); fi
  printf '     %d tests: %d failed, %d skipped\n' "$tests" "$failures" $((disabled + skipped))
  return "$status"
}

closing_line() {
  printf '%d passed, %d failed' "$PASSED" "$FAILED"
  if ((SKIPPED > 0)); then printf ', %d skipped' "$SKIPPED"; fi
  printf '\n'
}
