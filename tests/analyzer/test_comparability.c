/* Whether runs can be compared at all: each reason against it by itself, and what is only said. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "comparability.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TEXT(string) ((struct trace_text){string, sizeof(string) - 1})
#define RUNS         4u

/* Two runs a side, recorded in turns, that differ in nothing. */
struct sides {
    struct trace_run runs[RUNS];
    const struct trace_run *list[RUNS];
    struct trace_diff_config config;
};

static void set_up(struct sides *sides)
{
    static const char *const labels[RUNS] = {"base-1", "base-2", "new-1", "new-2"};
    static const int64_t starts[RUNS] = {10, 30, 20, 40};
    *sides = (struct sides){0};
    trace_diff_config_set_default(&sides->config);
    for (uint32_t i = 0; i < RUNS; i++) {
        sides->runs[i] = (struct trace_run){
            .label = {labels[i], strlen(labels[i])},
            .side = i < 2 ? TRACE_BASE : TRACE_CANDIDATE,
            .capture_id = 100 + i,
            .start_unix_ns = starts[i],
            .program = TEXT("game"),
            .flavor = TEXT("Release"),
            .cpu = TEXT("A 1000"),
            .cores = TEXT("8"),
            .governor = TEXT("performance"),
            .os = TEXT("Linux"),
            .clock = TEXT("tsc"),
            .domain = TEXT("frame"),
            .marker = TEXT("main"),
            .has_marker = true,
            .is_finished = true,
            .recorded = 100000,
            .frames = 1000,
        };
        sides->list[i] = &sides->runs[i];
    }
}

/* So many reasons and warnings; the first of the kind that is asked for holds the text. */
static void check(const struct sides *sides, uint32_t reasons, uint32_t warnings, const char *text)
{
    struct trace_comparability found;
    ck_assert(trace_comparability_check(sides->list, 2, 2, &sides->config, &found));
    const struct trace_warnings *told = reasons != 0 ? &found.reasons : &found.warnings;
    const char *line = told->count == 0 ? "" : told->lines[0];
    ck_assert_msg(found.reasons.count == reasons && found.warnings.count == warnings,
                  "%u reasons, %u warnings: %s", found.reasons.count, found.warnings.count, line);
    ck_assert_msg(text == NULL ? told->count == 0 : strstr(line, text) != NULL, "%s", line);
    trace_comparability_destroy(&found);
}

START_TEST(runs_that_differ_in_nothing_are_compared_without_a_word)
{
    struct sides sides;
    set_up(&sides);
    check(&sides, 0, 0, NULL);
}
END_TEST

/* --- machines and builds ---------------------------------------------------------------------- */

#define FACT(member) offsetof(struct trace_run, member)

static const struct {
    size_t member;
    bool is_needed;
    const char *text;
} facts[] = {
    {FACT(cpu), true, "the CPU model differs: base-1 has A 1000, "},
    {FACT(cores), true, "the number of cores differs: base-1 has 8, "},
    {FACT(flavor), true, "the build flavor differs: base-1 has Release, "},
    {FACT(clock), true, "the clock differs: base-1 has tsc, "},
    {FACT(domain), true, "the frame domain differs: base-1 has frame, "},
    {FACT(program), false, "the program differs: base-1 has game, "},
    {FACT(os), false, "the system differs: base-1 has Linux, "},
    {FACT(governor), false, "the CPU governor differs: base-1 has performance, "},
    {FACT(marker), false, "the track that marks frames differs: base-1 has main, "},
};

static void set_fact(struct sides *sides, uint32_t run, int fact, struct trace_text value)
{
    memcpy((char *)&sides->runs[run] + facts[fact].member, &value, sizeof value);
}

START_TEST(another_machine_or_build_is_a_reason_and_another_setting_a_warning)
{
    for (uint32_t run = 1; run < RUNS; run++) { /* also within a side */
        struct sides sides;
        set_up(&sides);
        set_fact(&sides, run, _i, TEXT("other"));
        check(&sides, facts[_i].is_needed, !facts[_i].is_needed, facts[_i].text);
        set_up(&sides);
        set_fact(&sides, run, _i, TEXT("other"));
        set_fact(&sides, RUNS - 1, _i, TEXT("third")); /* one line for each thing */
        check(&sides, facts[_i].is_needed, !facts[_i].is_needed, facts[_i].text);
    }
}
END_TEST

START_TEST(what_is_not_known_is_only_said)
{
    struct sides sides;
    set_up(&sides);
    set_fact(&sides, 2, _i, TEXT(""));
    check(&sides, 0, 1, "new-1 has none recorded");
    set_up(&sides);
    set_fact(&sides, 0, _i, TEXT(""));
    check(&sides, 0, 1, "base-1 has none recorded");
    for (uint32_t run = 1; run < RUNS; run++)
        set_fact(&sides, run, _i, TEXT(""));
    check(&sides, 0, 0, NULL);
}
END_TEST

/* What is known of two runs differs, and the first one, of which nothing is known, is no excuse. */
START_TEST(an_unknown_first_run_hides_no_difference)
{
    struct sides sides;
    set_up(&sides);
    set_fact(&sides, 0, _i, TEXT(""));
    set_fact(&sides, 3, _i, TEXT("other"));
    struct trace_comparability found;
    ck_assert(trace_comparability_check(sides.list, 2, 2, &sides.config, &found));
    ck_assert_uint_eq(found.reasons.count, facts[_i].is_needed);
    trace_comparability_destroy(&found);
}
END_TEST

/* --- frames, losses, ends --------------------------------------------------------------------- */

START_TEST(too_few_frames_are_a_reason)
{
    struct sides sides;
    set_up(&sides);
    sides.runs[3].frames = 100;
    check(&sides, 0, 0, NULL);
    sides.runs[3].frames = 99;
    check(&sides, 1, 0, "new-2: has 99 complete frames, and 100 are needed");
    sides.config.min_frames = 99;
    check(&sides, 0, 0, NULL);
    sides.config.min_frames = 1;
    sides.runs[0].frames = 0;
    check(&sides, 1, 0, "base-1: has no complete frame");
}
END_TEST

START_TEST(a_run_is_named_by_all_of_its_path)
{
    struct sides sides;
    set_up(&sides);
    sides.runs[2].label = TEXT("/home/runner/work/project/project/artifacts/captures/of/this/build/"
                               "new-1.lcap");
    sides.runs[2].frames = 0;
    check(&sides, 1, 0, "/build/new-1.lcap: has no complete frame");
}
END_TEST

START_TEST(a_marking_track_that_is_not_known_is_said)
{
    struct sides sides;
    set_up(&sides);
    sides.runs[1].has_marker = false;
    check(&sides, 0, 1, "base-2: which track marks the frames is not known");
}
END_TEST

/* Of 100,000 recorded events and 100 lost ones, 100 / 100,100 is just below 0.1 %. */
START_TEST(losses_count_from_the_limit_on)
{
    struct sides sides;
    set_up(&sides);
    sides.runs[2].lost = 100;
    check(&sides, 0, 1, "new-1: 0.1 % of the events were lost");
    sides.runs[2].lost = 101;
    check(&sides, 1, 0, "new-1: 0.1 % of the events were lost");
    sides.config.max_loss = 0.01;
    check(&sides, 0, 1, "of the events were lost");
    sides.config.max_loss = 0;
    sides.runs[2].lost = 1;
    check(&sides, 1, 0, "new-1: ");
    sides.runs[2].lost = 0;
    check(&sides, 0, 0, NULL);
}
END_TEST

START_TEST(a_run_that_is_not_whole_is_a_reason)
{
    struct sides sides;
    set_up(&sides);
    sides.runs[1].is_damaged = true;
    check(&sides, 1, 0, "base-2: is damaged");
    set_up(&sides);
    sides.runs[2].is_finished = false;
    check(&sides, 1, 0, "new-1: its recording was cut short");
}
END_TEST

START_TEST(a_clock_that_fell_back_is_said_once_for_a_side)
{
    struct sides sides;
    struct trace_comparability found;
    set_up(&sides);
    for (int i = 0; i < 3; i++)
        sides.runs[i].clock_warning = TEXT("its clock fell back");
    ck_assert(trace_comparability_check(sides.list, 2, 2, &sides.config, &found));
    ck_assert_uint_eq(found.reasons.count, 0);
    ck_assert_uint_eq(found.warnings.count, 2);
    ck_assert_str_eq(found.warnings.lines[0], "base-1: its clock fell back");
    ck_assert_str_eq(found.warnings.lines[1], "new-1: its clock fell back");
    trace_comparability_destroy(&found);
}
END_TEST

/* --- recordings ------------------------------------------------------------------------------- */

START_TEST(one_recording_on_both_sides_is_said)
{
    struct sides sides;
    set_up(&sides);
    sides.runs[2].capture_id = sides.runs[1].capture_id;
    check(&sides, 0, 1, "base-2 and new-1 are one recording on both sides");
}
END_TEST

START_TEST(sides_that_were_not_recorded_in_turns_are_said)
{
    struct sides sides;
    set_up(&sides);
    sides.runs[0].start_unix_ns = 1;
    sides.runs[1].start_unix_ns = 2;
    check(&sides, 0, 1, "were not interleaved in time");
    sides.runs[0].start_unix_ns = 51;
    sides.runs[1].start_unix_ns = 52;
    check(&sides, 0, 1, "were not interleaved in time");
    sides.runs[1].start_unix_ns = 39;
    check(&sides, 0, 0, NULL);
}
END_TEST

/* Who made a run, one after the other (B: base, C: candidate), and what is said of it. */
static const struct {
    const char *order;
    const char *said;
} orders[] = {
    {"BCBCBCBC", NULL},
    {"CBCBCBCB", NULL},
    {"BCCBBCCB", NULL},
    {"BBCCBBCC", NULL}, /* 75 % of the pairs */
    {"BBBCBCCC", "in 93 % of all pairs the candidate's run was the later one"},
    {"CCBCBB", "in 88 % of all pairs the base's run was the later one"},
    {"BBCBCC", "in 88 % of all pairs the candidate's run was the later one"},
    {"BBBBCCCC", "all of one side were before the other"},
    {"CBB", "all of one side were before the other"},
    {"BBCCCCBB", "one side made all of its runs in one go"},
    {"BBCBB", NULL}, /* a single run is in one go anyhow */
    {"BCCB", NULL},  /* and with two it takes little to be */
    {"BCCCB", "one side made all of its runs in one go"},
    {"BCB", NULL},
    {"CCCB=", "in 83 % of all pairs the base's run was the later one"}, /* B with the last C */
};

START_TEST(the_order_of_runs_in_time_says_whether_drift_looks_like_a_change)
{
    struct sides sides;
    struct trace_run runs[8];
    const struct trace_run *list[8];
    struct trace_comparability found;
    uint32_t count = 0, base_runs = 0;
    set_up(&sides);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < strlen(orders[_i].order); i++) {
            const char who = orders[_i].order[i];
            if (who != "BC"[side])
                continue;
            runs[count] = sides.runs[0];
            runs[count].side = side == 0 ? TRACE_BASE : TRACE_CANDIDATE;
            runs[count].capture_id = 200 + i;
            runs[count].start_unix_ns = (int64_t)(10 * i);
            list[count] = &runs[count];
            count++;
            base_runs += side == 0;
        }
    if (strchr(orders[_i].order, '=') != NULL)
        runs[0].start_unix_ns = runs[count - 1].start_unix_ns;
    ck_assert(trace_comparability_check(list, base_runs, count - base_runs, &sides.config, &found));
    ck_assert_uint_eq(found.reasons.count, 0);
    ck_assert_uint_eq(found.warnings.count, orders[_i].said != NULL);
    if (orders[_i].said != NULL)
        ck_assert_msg(strstr(found.warnings.lines[0], orders[_i].said) != NULL, "%s",
                      found.warnings.lines[0]);
    trace_comparability_destroy(&found);
}
END_TEST

START_TEST(two_runs_alone_cannot_be_interleaved)
{
    struct sides sides;
    struct trace_comparability found;
    set_up(&sides);
    ck_assert(trace_comparability_check(sides.list + 1, 1, 1, &sides.config, &found));
    ck_assert_uint_eq(found.reasons.count + found.warnings.count, 0);
    trace_comparability_destroy(&found);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("comparability");
    TCase *cases = tcase_create("comparability");
    tcase_add_test(cases, runs_that_differ_in_nothing_are_compared_without_a_word);
    tcase_add_loop_test(cases, another_machine_or_build_is_a_reason_and_another_setting_a_warning,
                        0, COUNT(facts));
    tcase_add_loop_test(cases, what_is_not_known_is_only_said, 0, COUNT(facts));
    tcase_add_loop_test(cases, an_unknown_first_run_hides_no_difference, 0, COUNT(facts));
    tcase_add_test(cases, too_few_frames_are_a_reason);
    tcase_add_test(cases, a_run_is_named_by_all_of_its_path);
    tcase_add_test(cases, a_marking_track_that_is_not_known_is_said);
    tcase_add_test(cases, losses_count_from_the_limit_on);
    tcase_add_test(cases, a_run_that_is_not_whole_is_a_reason);
    tcase_add_test(cases, a_clock_that_fell_back_is_said_once_for_a_side);
    tcase_add_test(cases, one_recording_on_both_sides_is_said);
    tcase_add_test(cases, sides_that_were_not_recorded_in_turns_are_said);
    tcase_add_loop_test(cases, the_order_of_runs_in_time_says_whether_drift_looks_like_a_change, 0,
                        COUNT(orders));
    tcase_add_test(cases, two_runs_alone_cannot_be_interleaved);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
