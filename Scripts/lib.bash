# Shared by the scripts of this folder: source it, do not run it.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# The flags of the gate. Warnings are errors through Package.swift, in every build; this one makes
# an import that Package.swift does not declare an error as well. All traits: what is behind them has
# to build and to pass its tests (docs/decisions/0481-traits.md).
# The index stays on: SwiftPM finds the tests of a target in it.
build_flags=(--explicit-target-dependency-import-check error --enable-all-traits)

# build ARGUMENTS…: `swift build` with these flags. SwiftPM passes the names of traits to the compiler in
# the order of a set, which differs from process to process; without a fixed order of hashes, each
# build would start from nothing. Tests run with `swift test --skip-build`, and thus with random hashes.
build() { SWIFT_DETERMINISTIC_HASHING=1 swift build "${build_flags[@]}" "$@"; }

say() { printf '%s\n' "$*" >&2; }

# heading TEXT: names the step of a longer script.
heading() { printf '\n== %s\n' "$*" >&2; }

# is_late WHAT: whether OXBOW_LATEST_START, in seconds since 1970, is over; says then that WHAT is skipped.
is_late() {
  if [ "$(date +%s)" -le "${OXBOW_LATEST_START:-$(date +%s)}" ]; then return 1; fi
  say "SKIPPED: $1: the time of CI is over. Run Scripts/check without OXBOW_LATEST_START."
}

# existing PATH…: those of the paths that exist, one per line.
existing() {
  local path
  for path in "$@"; do
    if [ -e "$path" ]; then printf '%s\n' "$path"; fi
  done
}

# check_columns FOLDER…: names the comments of Swift files that have more than 100 columns, and fails
# when there are any. The formatter wraps code, but no comments; texts of errors may be longer. The
# sources that must not compile have the compiler's messages in their first lines, as they are.
check_columns() {
  ! LC_ALL=C.UTF-8 grep -rnP --include='*.swift' --exclude-dir=CompileFail \
    '^(?=.{101})\s*//' "$@" >&2
}

# check_words FOLDER…: names the lines of Swift sources, comments as well as texts, that have a word or
# turn which CONTRIBUTING.md replaces, and fails when there are any.
check_words() {
  ! LC_ALL=C.UTF-8 grep -rnP --include='*.swift' \
    '\b((?i)stands|told|lies|nobody|whoever)\b|(?<![Tt]here )\b(is|are) no(ne\b| (?!longer|such))|, as well[.;]' "$@" >&2
}
