# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What the scripts share. Sourced, never run. Everything said here goes to stderr: stdout belongs to the tools.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
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

# Builds the release executable unless nothing it is made of has changed since; leaves its path in "$assay".
build_assay() {
  assay="$root/.build/release/assay"
  # What scripts keep or compare does not depend on where this machine has the project.
  export ASSAY_CALLED_AS="${ASSAY_CALLED_AS-assay}"
  local stamp="$root/.build/assay.stamp" began identity
  identity="$(command -v swift) $(stat -Lc '%Y %s' "$(command -v swift)") CI=${CI-}"
  if [[ -x "$assay" && -f "$stamp" && "$(<"$stamp")" == "$identity" ]] &&
    [[ -z "$(find "$root/Package.swift" "$root/Sources" -newer "$stamp" -print -quit)" ]]; then
    return
  fi
  mkdir -p "$root/.build"
  began="$(mktemp "$root/.build/assay.XXXXXX")"
  printf '%s\n' "$identity" >"$began"
  quietly "building assay, release (a few minutes the first time)" \
    swift build --package-path "$root" -c release --product assay || {
    rm -f "$began"
    exit 1
  }
  mv "$began" "$stamp"
}
