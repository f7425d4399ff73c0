# What the scripts of the bench share; `bench`, `trace` and `quick` are set before.

# full_or_quick FULL QUICK
full_or_quick() {
    [ -n "$quick" ] && echo "$2" || echo "$1"
}
# gate WITHIN NAME TEXT: WITHIN is an awk expression.
gate() {
    verdict=$(awk "BEGIN { print ($1) ? \"ok\" : \"over\" }")
    printf 'gate %-6s %-28s %s\n' "$verdict" "$2" "$3"
}
calculate() {
    awk "BEGIN { printf \"$1\", $2 }"
}
# measured RUNS OUTPUT COMMAND...: sets `seconds`, `peak_kib`, `cpu_seconds` and `first_output`
# (seconds).
measured() {
    figures=$("$bench/measure_command" "$@")
    # shellcheck disable=SC2086
    set -- $figures
    seconds=$1
    peak_kib=$2
    cpu_seconds=$3
    first_output=$4
}
# events CAPTURE: as many as check finds.
events() {
    "$trace" check "$1" --format csv --table result | tr -d '\r' |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "events") column = i }
            NR == 2 { print $column }'
}
