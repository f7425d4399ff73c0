# What the scripts of this folder share. They set `source`, `trace` and `work`, a folder of their own.

# run_or_show LOG COMMAND...: quiet as long as all goes well.
run_or_show() {
    log=$1
    shift
    "$@" >"$log" 2>&1 || {
        echo "failed: $*"
        cat "$log"
        exit 1
    }
}

# build_outside WAY FOLDER CMAKE-OPTION...: the outside project that uses Ludus trace this way.
build_outside() {
    way=$1 folder=$2
    shift 2
    mkdir -p "$folder"
    run_or_show "$folder/configure.log" cmake -S "$source/tests/embed" -B "$folder" -G Ninja \
        -DWAY="$way" "$@"
    run_or_show "$folder/build.log" cmake --build "$folder" -j 2
}

expect() { # CAPTURE QUESTION ANSWER
    answer=$("$trace" query "$1" "$2" --format csv | tr -d '\r' | tail -n +2)
    [ "$answer" = "$3" ] || {
        echo "$1: $2: $answer, not $3"
        exit 1
    }
}

# check_programs FOLDER: runs the programs of the outside project, and looks at what they record.
check_programs() {
    (
        cd "$1"
        rm -f ./*.lcap
        ./game
        mv game-*.lcap game.lcap
        ./game_disabled
        mv game-*.lcap game_disabled.lcap
        LUDUS_CAPTURE=engine.lcap ./engine
        LUDUS_CAPTURE=engine_disabled.lcap ./engine_disabled
        [ "$(./no_device)" = "no device" ]
        ./plugin_host ./libplugin.so plugin.lcap
        # Frame 0 begins at the first mark and the hundredth is never closed.
        expect game.lcap "SELECT count(*), sum(complete) FROM frame" "100,99"
        expect game.lcap "SELECT name, category, file, line FROM site WHERE site_id IN (SELECT site_id FROM slice)" \
            "Physics/Step,Physics,game.c,8"
        expect game.lcap "SELECT count(*) FROM slice WHERE NOT incomplete" 100
        # Also the scope that an exception left has ended.
        expect engine.lcap "SELECT count(*), sum(incomplete) FROM slice" "5,0"
        expect engine.lcap "SELECT site.name FROM instant JOIN site USING (site_id)" "Level/Missing"
        expect plugin.lcap "SELECT count(*) FROM slice JOIN site USING (site_id) WHERE name = 'Plugin/Work'" 1
        for name in game engine; do
            for table in slice frame instant; do
                expect ${name}_disabled.lcap "SELECT count(*) FROM $table" 0
            done
        done
    ) || exit 1
}
