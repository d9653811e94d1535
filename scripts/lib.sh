# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What the scripts share. Sourced, never run. Everything said here goes to stderr: stdout belongs to the tools.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export PYTHONDONTWRITEBYTECODE=1

say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

# Ends a script that was called wrongly, with the part of its head that shows how.
usage() {
  sed -n '/^# usage:/,/^set /s/^# //p' "$0" >&2
  exit 64
}

# Runs a noisy command behind one line of progress; its output is shown only when it fails.
# usage: quietly WHAT COMMAND...
quietly() {
  local what="$1" log status=0
  shift
  log="$(mktemp)"
  if [[ -t 2 ]]; then printf '%s ...' "$what" >&2; fi
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [[ -t 2 ]]; then printf '\r%*s\r' "$((${#what} + 4))" '' >&2; fi
  if ((status != 0)); then
    cat "$log" >&2
    say "error: $what failed (exit $status): $*"
  fi
  rm -f "$log"
  return "$status"
}

# A folder of our own that goes away with the script. usage: make_scratch; then use "$scratch"
make_scratch() {
  scratch="$(mktemp -d "${TMPDIR:-/tmp}/assay.XXXXXX")"
  trap 'rm -rf "$scratch"' EXIT
}

# What an earlier look at this machine depends on: the compiler, the installed packages, what is asked of them.
machine() {
  stat -Lc '%n %Y %s' "$(type -P swift || echo swift)" /var/lib/dpkg/status "$root/scripts/setup" 2>/dev/null || true
}

# Runs scripts/setup unless it has found everything on this very machine before.
# usage: set_up [OPTION OF scripts/setup]
# shellcheck disable=SC2120
set_up() {
  local stamp="$root/.build/setup$*.stamp"
  if [[ -f "$stamp" && "$(<"$stamp")" == "$(machine)" ]]; then return; fi
  "$root/scripts/setup" "$@"
  mkdir -p "$root/.build"
  machine >"$stamp"
}

# Builds the release executable unless nothing it is made of has changed since; leaves its path in "$assay".
# usage: build_assay [assay | assay-live | coffee-example | outbreak-example]
# assay-live also has real sockets, and the libraries under them.
# ASSAY_BUILD names another scratch folder of SwiftPM that holds a release build of these very sources, which is taken
# unchanged: that of the tests, or the one of the package. With ASSAY_GUIDED=1 the cores are instrumented, in their own
# build.
guided=""
if [[ "${ASSAY_GUIDED-}" == 1 ]]; then guided=/guided; fi
build="${ASSAY_BUILD-$root/.build$guided}"
build_assay() {
  local program="${1-assay}"
  assay="$build/release/$program"
  # What scripts keep or compare does not depend on where this machine has the project.
  export ASSAY_CALLED_AS="${ASSAY_CALLED_AS-assay}"
  if [[ -n "${ASSAY_BUILD-}" ]]; then return; fi
  local stamp="$build/$program.stamp" began identity
  identity="$(machine) ${ASSAY_STRICT-}"
  if [[ -x "$assay" && -f "$stamp" && "$(<"$stamp")" == "$identity" ]] &&
    [[ -z "$(find "$root/Package.swift" "$root/Sources" "$root/Examples/"{coffee,garage,outbreak} \
      -newer "$stamp" -print -quit)" ]]; then
    return
  fi
  set_up
  identity="$(machine) ${ASSAY_STRICT-}"
  mkdir -p "$build"
  began="$(mktemp "$build/assay.XXXXXX")"
  printf '%s\n' "$identity" >"$began"
  quietly "building $program, release (a few minutes the first time)" \
    swift build --package-path "$root" --scratch-path "$build" -c release --product "$program" || {
    rm -f "$began"
    exit 1
  }
  # No source that is edited during the build may look older than the binary: runs record its commit by that.
  touch -r "$began" "$assay"
  mv "$began" "$stamp"
}
