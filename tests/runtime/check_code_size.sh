#!/bin/sh
# What 1,000 scopes add to a program, in bytes of code and constants (text) and of data: nothing
# when disabled, and no more than the limits below when enabled. Usage: check_code_size.sh WORK-DIR
# CC CXX -I...
# The limits are a tenth above what was measured with GCC 12 (Clang 14 needs less), so that a change
# which costs every site something is noticed. C++ pays for closing scopes when an exception passes.
set -eu
work=$1
cc=$2
cxx=$3
shift 3
sites=200 # a fifth, for the compilers' time; each costs the same
mkdir -p "$work"

# One function a site, with something to do, so that its code does not depend on the others'.
awk -v sites=$sites 'BEGIN {
    print "#include <ludus/profile.h>"
    print "#ifdef __cplusplus\nextern \"C\"\n#endif"
    print "int work_on(int value);"
    for (i = 1; i <= sites; i++) {
        printf "int f%d(int value);\nint f%d(int value)\n{\n", i, i
        printf "#ifndef PLAIN\n    LUDUS_PROFILE_SCOPE(Some/Scope%d);\n#endif\n", i
        print "    return work_on(value) + work_on(value + 1);\n}"
    }
}' >"$work/sites.c"

# total SECTIONS FILE: bytes of the sections whose names match; what is about debugging does not.
total() {
    size -A "$2" | awk -v sections="$1" '$1 ~ sections { sum += $2 } END { print sum + 0 }'
}
text() {
    total '^\.(text|rodata|eh_frame|gcc_except_table)' "$1"
}
data() {
    total '^\.(data|bss)' "$1"
}

check() { # COMPILER LANGUAGE MOST-TEXT MOST-DATA INCLUDES...
    compiler=$1
    language=$2
    most_text=$3
    most_data=$4
    shift 4
    for form in plain disabled enabled; do
        enabled=$([ $form = enabled ] && echo 1 || echo 0)
        plain=$([ $form = plain ] && echo -DPLAIN || true)
        # shellcheck disable=SC2086
        "$compiler" -x "$language" -O2 "$@" -DLUDUS_PROFILE_ENABLED="$enabled" $plain \
            -c "$work/sites.c" -o "$work/$form.o"
    done
    for form in disabled enabled; do
        text=$((($(text "$work/$form.o") - $(text "$work/plain.o")) * 1000 / sites))
        data=$((($(data "$work/$form.o") - $(data "$work/plain.o")) * 1000 / sites))
        [ $form = enabled ] || most=0,0
        [ $form = disabled ] || most=$most_text,$most_data
        echo "$language, $form: $text bytes of text and $data of data for 1000 scopes (at most" \
            "${most%,*} and ${most#*,})"
        [ "$text" -le "${most%,*}" ] && [ "$data" -le "${most#*,}" ] || exit 1
    done
}

check "$cc" c 112000 70400 "$@"
check "$cxx" c++ 225000 70400 "$@"
