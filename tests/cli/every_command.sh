# For cases that try a bad input with every command.

# every_command FILE: prints each command with its exit status. A file that is the output of some of
# them is there already and must stay as it was; what they write must go again.
every_command() {
  for command in info summarize check "check --dump" "export --perfetto -o out" "import -o out" \
    "query" "query -o out"; do
    echo precious > out
    case $command in
    query*) "$LUDUS_TRACE" $command "$1" "SELECT count(*) AS slices FROM slice" ;;
    *) "$LUDUS_TRACE" $command "$1" ;;
    esac
    echo "$command: $?"
    [ "$(cat out)" = precious ] || echo "the file that was there is lost"
  done
  rm out
}
