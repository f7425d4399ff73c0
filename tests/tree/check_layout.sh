#!/bin/sh
# Checks that clang-format would change nothing.
set -eu
cd "$(dirname "$0")/../.."
git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp' |
    xargs clang-format --dry-run --Werror
