/* What names on a command line stand for, in a capture and in the database made of it. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "export_fixture.h"
#include "golden_fixture.h"
#include "selection.h"

#define NAME(text) ((struct lcap_bytes){(const uint8_t *)(text), sizeof(text) - 1})

/* Tracks main, worker, worker, one without a name, and a*b. Sites of golden_setup, then Draw and
 * Present in the category render, Draw* in none. Marks Load (20, 60) and Mark (40, 80). */
static void write_inputs(void)
{
    struct builder_setup setup = golden_setup;
    setup.more_sites = 3;
    struct capture_builder *builder = builder_create(&setup);
    const char *capture = export_path("capture.lcap");
    const char *database = export_path("capture.db");
    struct ludus_error error = {0};
    builder_category(builder, 1, NAME("render"));
    builder_site(builder, 8, NAME("Draw"), 1);
    builder_site(builder, 9, NAME("Present"), 1);
    builder_site(builder, 10, NAME("Draw*"), 0);
    builder_domain(builder, 1, "game");
    builder_domain(builder, 2, "render");
    golden_add_track(builder, 1, 70, 0, 0, "main");
    golden_add_track(builder, 2, 71, 0, 0, "worker");
    golden_add_track(builder, 3, 72, 0, 0, "worker");
    golden_add_track(builder, 4, 73, 0, 0, "");
    golden_add_track(builder, 5, 74, 0, 0, "a*b");
    golden_emit(builder, 1, "(Frame 10 !Load 20 !Mark 40 !Load 60 !Mark 80 )90");
    for (uint64_t i = 0; i < 3; i++) {
        builder_frame(builder, 1, i, START + 10 + 30 * i);
        builder_frame(builder, 2, i, START + 15 + 30 * i);
    }
    builder_stop(builder, START + 100);
    builder_finish(builder);
    export_write_file(capture, builder_bytes(builder));
    enum ludus_status status = trace_import(&capture, 1, NULL, database, NULL, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    builder_destroy(builder);
}

static struct trace_input *open_input(int index)
{
    const char *path = export_path(index == 0 ? "capture.lcap" : "capture.db");
    struct trace_input *input;
    struct ludus_error error = {0};
    enum ludus_status status = trace_open(path, 0, &input, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    return input;
}

/* What the message says of the file; one about what was written names none. */
static const char *reason_of(const struct ludus_error *error, int index)
{
    const char *path = export_path(index == 0 ? "capture.lcap" : "capture.db");
    size_t size = strlen(path);
    if (strncmp(error->message, path, size) == 0) {
        ck_assert_int_eq(strncmp(error->message + size, ": ", 2), 0);
        return error->message + size + 2;
    }
    ck_assert_ptr_nonnull(strstr(error->message, "is no window"));
    return error->message;
}

/* "x" for each index that is chosen, "." for the others; "all" without a filter. */
static const char *mask(const bool *chosen, uint32_t count, char *text)
{
    if (chosen == NULL)
        return "all";
    for (uint32_t i = 0; i < count; i++)
        text[i] = chosen[i] ? 'x' : '.';
    text[count] = '\0';
    return text;
}

/* What is chosen: "tracks sites domain", or the message. */
static const char *chosen_of(const struct trace_selection *selection, int index)
{
    static char line[512];
    struct trace_input *input = open_input(index);
    struct trace_chosen chosen;
    struct ludus_error error = {0};
    char tracks[64], sites[64];
    enum ludus_status status = trace_chosen_create(input, selection, &chosen, &error);
    if (status == LUDUS_OK) {
        (void)snprintf(line, sizeof line, "%s %s %u", mask(chosen.plan.tracks, 5, tracks),
                       mask(chosen.sites, chosen.site_count, sites), chosen.plan.domain);
        trace_chosen_destroy(&chosen);
    } else {
        ck_assert_int_eq(status, LUDUS_ERROR_ARGUMENT);
        (void)snprintf(line, sizeof line, "%s", reason_of(&error, index));
    }
    trace_close(input);
    return line;
}

static void check(const struct trace_selection *selection, const char *result)
{
    for (int i = 0; i < 2; i++)
        ck_assert_str_eq(chosen_of(selection, i), result);
}

#define TRACKS(...)                                                                                \
    &(struct trace_selection)                                                                      \
    {                                                                                              \
        .tracks = (const char *const[]){__VA_ARGS__},                                              \
        .track_count = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)                 \
    }
#define SITES(...)                                                                                 \
    &(struct trace_selection)                                                                      \
    {                                                                                              \
        .sites = (const char *const[]){__VA_ARGS__},                                               \
        .site_count = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)                  \
    }
#define CATEGORY(text)                                                                             \
    &(struct trace_selection)                                                                      \
    {                                                                                              \
        .categories = (const char *const[]){text}, .category_count = 1                             \
    }

START_TEST(tracks_are_chosen_by_name_pattern_or_id)
{
    write_inputs();
    check(&(struct trace_selection){0}, "all all 0");
    check(TRACKS("main"), "x.... all 0");
    check(TRACKS("worker"), ".xx.. all 0"); /* both of the name */
    check(TRACKS("#3"), "..x.. all 0");
    check(TRACKS("#3", "main"), "x.x.. all 0");
    check(TRACKS("*r*"), ".xxx. all 0"); /* of the fourth, what reports show: thread 73 */
    check(TRACKS("m??n"), "x.... all 0");
    check(TRACKS("[mw]*"), "xxx.. all 0");
    check(TRACKS("a*b"), "....x all 0");
    check(TRACKS("a\\*b"), "....x all 0"); /* only that name */
    check(TRACKS("*"), "xxxxx all 0");
    check(TRACKS(""), "...x. all 0");
    check(TRACKS("thread 73"), "...x. all 0"); /* as reports call it */
    check(TRACKS("worker (72)"), "..x.. all 0");
    check(TRACKS("thread*"), "...x. all 0"); /* patterns as well */
    check(TRACKS("* (7?)"), ".xx.. all 0");
    check(TRACKS("*7[13]*"), ".x.x. all 0");
}
END_TEST

/* A dash is what reports show for them. */
START_TEST(what_has_no_name_is_chosen_by_a_dash)
{
    struct builder_setup setup = golden_setup;
    setup.sites = NULL;
    setup.site_count = 0;
    setup.more_sites = 2;
    struct capture_builder *builder = builder_create(&setup);
    struct ludus_error error = {0};
    struct trace_input *input;
    struct trace_chosen chosen;
    builder_category(builder, 1, NAME(""));
    builder_site(builder, 1, NAME("Draw"), 1);
    builder_site(builder, 2, NAME("Step"), 0);
    builder_domain(builder, 1, "game");
    builder_domain(builder, 2, "");
    for (uint64_t i = 0; i < 2; i++) {
        builder_frame(builder, 1, i, START + 10 + 30 * i);
        builder_frame(builder, 2, i, START + 15 + 30 * i);
    }
    builder_stop(builder, START + 100);
    builder_finish(builder);
    export_write_file(export_path("capture.lcap"), builder_bytes(builder));
    builder_destroy(builder);
    ck_assert_int_eq(trace_open(export_path("capture.lcap"), 0, &input, &error), LUDUS_OK);
    const struct trace_selection selection = {
        .domain = "-", .categories = (const char *const[]){"-"}, .category_count = 1};
    enum ludus_status status = trace_chosen_create(input, &selection, &chosen, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    ck_assert_uint_eq(chosen.plan.domain, 1);
    ck_assert(chosen.sites[0] && !chosen.sites[1]);
    trace_chosen_destroy(&chosen);
    trace_close(input);
}
END_TEST

START_TEST(unknown_tracks_are_refused_with_near_ones)
{
    write_inputs();
    check(TRACKS("mian"), "there is no track 'mian'; did you mean 'main'?");
    check(TRACKS("main", "workers"), "there is no track 'workers'; did you mean 'worker'?");
    check(TRACKS("Render"),
          "there is no track 'Render'; there is 'main', 'worker', 'thread 73', 'a*b'");
    check(TRACKS("#9"), "there is no track '#9'; there is 'main', 'worker', 'thread 73', 'a*b'");
    check(TRACKS("#"), "there is no track '#'; there is 'main', 'worker', 'thread 73', 'a*b'");
    check(TRACKS("#1x"), "there is no track '#1x'; there is 'main', 'worker', 'thread 73', 'a*b'");
    check(
        TRACKS("#18446744073709551617"),
        "there is no track '#18446744073709551617'; there is 'main', 'worker', 'thread 73', 'a*b'");
    check(TRACKS("z*"), "there is no track 'z*'; there is 'main', 'worker', 'thread 73', 'a*b'");
}
END_TEST

START_TEST(sites_are_chosen_by_name_and_category)
{
    write_inputs();
    check(SITES("Frame"), "all x......... 0");
    check(SITES("Draw", "Solve"), "all ..x....x.. 0");
    check(SITES("Draw*"), "all .......x.x 0"); /* a pattern, also of the name itself */
    check(SITES("Draw\\*"), "all .........x 0");
    check(CATEGORY("render"), "all .......xx. 0");
    check(CATEGORY("ren*"), "all .......xx. 0");
    /* Both together: those of the name that are in the category. */
    check(&(struct trace_selection){.sites = (const char *const[]){"Draw*"},
                                    .site_count = 1,
                                    .categories = (const char *const[]){"render"},
                                    .category_count = 1},
          "all .......x.. 0");
    check(SITES("Draww"), "there is no site 'Draww'; did you mean 'Draw'?");
    check(SITES("QQQQQQQQ"),
          "there is no site 'QQQQQQQQ'; there is 'Frame', 'Physics', 'Solve', 'Render', 'Job' and "
          "more");
    check(CATEGORY("rendr"), "there is no category 'rendr'; did you mean 'render'?");
}
END_TEST

START_TEST(a_domain_is_chosen_by_its_name)
{
    write_inputs();
    check(&(struct trace_selection){.domain = "render"}, "all all 1");
    check(&(struct trace_selection){.domain = "game"}, "all all 0");
    check(&(struct trace_selection){.domain = "ren*"},
          "there is no frame domain 'ren*'; there is 'game', 'render'");
    check(&(struct trace_selection){.domain = "gane"},
          "there is no frame domain 'gane'; did you mean 'game'?");
}
END_TEST

START_TEST(what_there_is_none_of_is_said_to_be_missing)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    const char *capture = export_path("capture.lcap");
    const char *database = export_path("capture.db");
    struct ludus_error error = {0};
    golden_add_track(builder, 1, 70, 0, 0, "");
    builder_stop(builder, START + 100);
    builder_finish(builder);
    export_write_file(capture, builder_bytes(builder));
    ck_assert_int_eq(trace_import(&capture, 1, NULL, database, NULL, &error), LUDUS_OK);
    check(TRACKS("main"), "there is no track 'main'; there is 'thread 70'");
    check(CATEGORY("render"), "there is no category 'render': the capture has none");
    check(&(struct trace_selection){.domain = "game"},
          "there is no frame domain 'game': the capture has none");
    check(&(struct trace_selection){.windows = (const char *const[]){"marks:Load..Mark"},
                                    .window_count = 1},
          "there is no mark 'Load': the capture has none");
    builder_destroy(builder);
}
END_TEST

/* --- windows --------------------------------------------------------------------------------- */

/* "name [begin, end) ..." of each window, with notes, or the message. */
static const char *windows_of(const char *const *texts, size_t count, const char *domain, int index)
{
    static char line[512];
    struct trace_input *input = open_input(index);
    struct trace_chosen chosen;
    struct trace_selection selection = {.windows = texts, .window_count = count, .domain = domain};
    struct ludus_error error = {0};
    size_t used = 0;
    enum ludus_status status = trace_chosen_create(input, &selection, &chosen, &error);
    line[0] = '\0';
    if (status != LUDUS_OK)
        (void)snprintf(line, sizeof line, "%s", reason_of(&error, index));
    for (uint32_t w = 0; status == LUDUS_OK && w < chosen.plan.windows.count; w++) {
        const struct trace_window *window = &chosen.plan.windows.items[w];
        used += (size_t)snprintf(line + used, sizeof line - used, "%.*s", (int)window->name.size,
                                 window->name.data);
        for (uint32_t i = 0; i < window->spans.count; i++)
            used += (size_t)snprintf(line + used, sizeof line - used, " [%lld, %lld)",
                                     (long long)window->spans.spans[i].begin_ns,
                                     (long long)window->spans.spans[i].end_ns);
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s; ",
                                 chosen.notes[w][0] != '\0' ? " -- " : "", chosen.notes[w]);
    }
    if (status == LUDUS_OK)
        trace_chosen_destroy(&chosen);
    trace_close(input);
    return line;
}

static void check_windows(const char *const *texts, size_t count, const char *domain,
                          const char *result)
{
    for (int i = 0; i < 2; i++)
        ck_assert_str_eq(windows_of(texts, count, domain, i), result);
}

START_TEST(windows_are_found_in_the_capture_and_in_its_database)
{
    static const char *const several[] = {"a=frames:0", "b=marks:Load..Mark", "c=time:90ns..1us"};
    static const char *const one[] = {"frames:0"};
    write_inputs();
    check_windows(
        several, 3, NULL,
        "a [10, 40); b [20, 40) [60, 80); c [90, 100) -- not all of it is in the capture, "
        "which is from 0s to 0.0000001s; ");
    check_windows(one, 1, "render", "frames:0 [15, 45); ");
}
END_TEST

/* Site 8 has no definition: a capture names it when a pass has seen it, a database at once. */
START_TEST(marks_whose_definition_is_lost_are_found)
{
    static const char *const windows[] = {
        "marks:(site 8, definition lost)..Mark",
        "b=marks:Load..(site 8, definition lost)",
    };
    struct builder_setup setup = golden_setup;
    const char *capture = export_path("capture.lcap");
    struct ludus_error error = {0};
    setup.more_sites = 1;
    struct capture_builder *builder = builder_create(&setup);
    golden_add_track(builder, 1, 70, 0, 0, "main");
    golden_emit(builder, 1, "!Load 20");
    builder_event(builder, 1, LCAP_EVENT_INSTANT, START + 30, 8);
    golden_emit(builder, 1, "!Mark 80");
    builder_stop(builder, START + 100);
    builder_finish(builder);
    export_write_file(capture, builder_bytes(builder));
    builder_destroy(builder);
    ck_assert_int_eq(trace_import(&capture, 1, NULL, export_path("capture.db"), NULL, &error),
                     LUDUS_OK);
    check_windows(windows, 2, NULL, "marks:(site 8, definition lost)..Mark [30, 80); b [20, 30); ");
}
END_TEST

START_TEST(a_window_that_is_wrong_is_refused)
{
    static const char *const twice[] = {"a=frames:0", "a=frames:1"};
    static const char *const near[] = {"marks:Laod..Mark"};
    static const char *const scope[] = {"marks:Load..Frame"}; /* a scope is no mark */
    static const char *const late[] = {"a=frames:0", "b=frames:7"};
    static const char *const bad[] = {"a=frames:0", "frames:x"};
    write_inputs();
    check_windows(twice, 2, NULL,
                  "window a: another window has this name; give one of its own, "
                  "such as NAME=time:2s..5s");
    check_windows(near, 1, NULL, "there is no mark 'Laod'; did you mean 'Load'?");
    check_windows(scope, 1, NULL, "there is no mark 'Frame'; there is 'Load', 'Mark'");
    check_windows(late, 2, NULL, "window b: no such frame; game has the frames 0..2");
    check_windows(bad, 2, NULL,
                  "'frames:x' is no window: frames are a number or a range, such as "
                  "frames:100..400");
}
END_TEST

START_TEST(everything_is_the_default_plan_and_nothing_else)
{
    static const char *const window[] = {"a=frames:0"};
    static const char *const track[] = {"main"};
    static const struct {
        struct trace_selection selection;
        bool is_default;
    } cases[] = {{{0}, true},
                 {{.sites = track, .site_count = 0}, true},
                 {{.windows = window, .window_count = 1}, false},
                 {{.tracks = track, .track_count = 1}, false},
                 {{.domain = "render"}, false},
                 {{.attribution = TRACE_ATTRIBUTE_CLIP}, false}};
    write_inputs();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_input *input = open_input(0);
        struct trace_chosen chosen;
        struct ludus_error error = {0};
        ck_assert_int_eq(trace_chosen_create(input, &cases[i].selection, &chosen, &error),
                         LUDUS_OK);
        ck_assert_int_eq(chosen.plan.is_default, cases[i].is_default);
        trace_chosen_destroy(&chosen);
        trace_close(input);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("selection");
    TCase *cases = tcase_create("selection");
    tcase_add_checked_fixture(cases, export_folder_make, export_folder_remove);
    tcase_add_test(cases, tracks_are_chosen_by_name_pattern_or_id);
    tcase_add_test(cases, what_has_no_name_is_chosen_by_a_dash);
    tcase_add_test(cases, unknown_tracks_are_refused_with_near_ones);
    tcase_add_test(cases, sites_are_chosen_by_name_and_category);
    tcase_add_test(cases, a_domain_is_chosen_by_its_name);
    tcase_add_test(cases, what_there_is_none_of_is_said_to_be_missing);
    tcase_add_test(cases, windows_are_found_in_the_capture_and_in_its_database);
    tcase_add_test(cases, marks_whose_definition_is_lost_are_found);
    tcase_add_test(cases, a_window_that_is_wrong_is_refused);
    tcase_add_test(cases, everything_is_the_default_plan_and_nothing_else);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
