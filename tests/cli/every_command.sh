# For cases that try a bad input with every command.

# Writes a file that is taken for a database of captures, which alone may be replaced by another.
write_precious() {
  { printf 'SQLite format 3\0'; head -c 52 /dev/zero; printf 'LCAPprecious\n'; } > "$1"
}

# every_command FILE: prints each command with its exit status. A file that is the output of some of
# them is there already and must stay as it was; what they write, that one or `made`, must go again.
every_command() {
  for command in info summarize tree frames "frames --explain 0" top check "check --dump" \
    "check --repair -o made" "trim --window time:0s.. -o made" "export --perfetto -o out" \
    "export --folded -o out" "export --csv -o out" "report -o out" "import -o out" \
    "query" "query -o out"; do
    write_precious out
    case $command in
    query*) "$LUDUS_TRACE" $command "$1" "SELECT count(*) AS slices FROM slice" ;;
    *) "$LUDUS_TRACE" $command "$1" ;;
    esac
    echo "$command: $?"
    [ "$(tail -c 9 out)" = precious ] || echo "the file that was there is lost"
  done
  rm out
}
