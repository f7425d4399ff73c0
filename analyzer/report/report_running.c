/* The tables about samples of the scheduler: which threads ran, which were runnable and did not
 * run, and what the machine did. docs/numbers.md defines every value. */
#include "report_running.h"

#include <stdlib.h>
#include <string.h>

#include "cell_text.h"
#include "model_facts.h"
#include "report_parts.h"
#include "text_buffer.h"

#define SAMPLED       "the time between samples, in the whole capture"
#define MACHINE_TIME  "the time of all processors between samples, in the whole capture"
#define NOTED_TRACKS  5u
#define NOTABLE_SHARE 10u /* one part in so many of the time in which a thread wanted to run, */
#define NOTABLE_TIME  100 /* and one in so many of the sampled time */

#define TIME(column, heading, over, words)                                                         \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_INTEGER,                              \
        .unit = TRACE_UNIT_NANOSECONDS, .window = over, .description = words                       \
    }
#define SHARE(column, heading, over, of, words)                                                    \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_REAL, .unit = TRACE_UNIT_PERCENT,     \
        .decimals = 1, .window = over, .denominator = of, .description = words                     \
    }

const struct trace_column trace_running_columns[TRACE_RUNNING_COLUMNS] = {
    {.name = "track",
     .title = "track",
     .type = TRACE_TYPE_TEXT,
     .description = "The thread, by its name or number."},
    TIME("sampled_ns", "sampled", SAMPLED,
         "The time that samples cover: at most from a thread's first one to its last."),
    TIME("run_ns", "on CPU", SAMPLED, "How long the thread ran on a processor."),
    SHARE("run_percent", "share", SAMPLED, "sampled_ns", "The same as a share."),
    TIME("wait_ns", "runnable", SAMPLED,
         "How long it was runnable and did not run: something else had the processor."),
    SHARE("wait_percent", "share", SAMPLED, "sampled_ns", "The same as a share."),
    TIME("asleep_ns", "asleep", SAMPLED,
         "The rest: it slept or was stopped. 0 when the others are more than was sampled, as the "
         "system tells them a moment late."),
    SHARE("asleep_percent", "share", SAMPLED, "sampled_ns", "The same as a share."),
};

const struct trace_column trace_machine_columns[TRACE_MACHINE_COLUMNS] = {
    TIME("sampled_ns", "processor time", MACHINE_TIME,
         "The time between samples, of all processors together."),
    TIME("run_ns", "busy", MACHINE_TIME, "How long they ran something, this program or another."),
    SHARE("run_percent", "share", MACHINE_TIME, "sampled_ns", "The same as a share."),
    TIME("stolen_ns", "stolen", MACHINE_TIME,
         "How long they would have run and the host of the virtual machine did not let them."),
    SHARE("stolen_percent", "share", MACHINE_TIME, "sampled_ns", "The same as a share."),
};

static void put_share(struct trace_report *report, int64_t part_ns, int64_t whole_ns)
{
    trace_report_integer(report, part_ns);
    trace_report_real(report, (double)part_ns * 100 / (double)whole_ns);
}

static int64_t asleep_ns(const struct trace_sched_sums *sums)
{
    int64_t rest_ns = sums->sampled_ns - sums->run_ns; /* neither is below 0 */
    if (rest_ns <= sums->wait_ns)
        return 0;
    return rest_ns - sums->wait_ns;
}

static void put_track(struct trace_report *report, size_t table, const struct trace_model *model,
                      uint32_t track)
{
    const struct trace_sched_sums *sums = &model->tracks[track].sched;
    trace_report_row(report, table);
    trace_put_track_name(report, model, track);
    trace_report_integer(report, sums->sampled_ns);
    put_share(report, sums->run_ns, sums->sampled_ns);
    put_share(report, sums->wait_ns, sums->sampled_ns);
    put_share(report, asleep_ns(sums), sums->sampled_ns);
}

static bool is_sampled(const struct trace_track *track)
{
    return track->sched.sampled_ns != 0;
}

static bool has_samples(const struct trace_model *model)
{
    for (uint32_t i = 0; i < model->track_count; i++)
        if (is_sampled(&model->tracks[i]))
            return true;
    return false;
}

/* --- notes ----------------------------------------------------------------------------------- */

static bool has_waited(const struct trace_sched_sums *sums)
{
    const double wait_ns = (double)sums->wait_ns;
    return wait_ns > 0 && wait_ns * NOTABLE_SHARE >= wait_ns + (double)sums->run_ns &&
           wait_ns * NOTABLE_TIME >= (double)sums->sampled_ns;
}

struct waiting {
    int64_t wait_ns;
    uint32_t track;
};

/* Names those of the shown threads that went short of a processor, and says of what the table is;
 * false when there is no memory. */
static bool note_waiting(struct trace_report *report, size_t table, const struct trace_model *model,
                         const struct waiting *order, uint32_t shown)
{
    struct trace_text_buffer names = {0};
    uint32_t named = 0;
    for (uint32_t i = 0; i < shown && named < NOTED_TRACKS; i++) {
        char name[TRACE_TRACK_NAME_SIZE];
        if (!has_waited(&model->tracks[order[i].track].sched))
            continue;
        trace_track_name(model, order[i].track, name);
        if (named++ != 0)
            trace_text_buffer_append(&names, ", ", 2);
        trace_text_buffer_append(&names, name, strlen(name));
    }
    const bool is_whole = !names.has_failed;
    if (is_whole && named != 0)
        trace_report_note(report, table,
                          "Short of processors, runnable for %u %% or more of the time in which "
                          "they wanted to run: %.*s.",
                          100 / NOTABLE_SHARE, (int)names.size, names.data);
    trace_text_buffer_release(&names);
    if (shown != 0)
        trace_report_note(report, table,
                          "On CPU, runnable (ready, but something else ran): shares of the whole "
                          "capture's sampled time.");
    return is_whole;
}

void trace_note_not_sampled(struct trace_report *report, size_t table,
                            const struct trace_model *model)
{
    const struct trace_text *fact = trace_model_fact(model, "recorder.sched");
    if (has_samples(model) || trace_report_row_count(report, table) == 0)
        return;
    if (fact == NULL)
        trace_report_note(report, table,
                          "Whether threads ran was not sampled; the capture does not say why.");
    else if (trace_text_is(*fact, "sampled"))
        trace_report_note(report, table,
                          "Whether threads ran is not known: no thread was there for two samples.");
    else
        trace_report_note(report, table, "Whether threads ran was not sampled: %.*s.",
                          (int)(fact->size < 200 ? fact->size : 200), fact->data);
}

/* --- tables ---------------------------------------------------------------------------------- */

static int compare_waiting(const void *a, const void *b)
{
    const struct waiting *left = a;
    const struct waiting *right = b;
    if (left->wait_ns != right->wait_ns)
        return left->wait_ns > right->wait_ns ? -1 : 1;
    return (left->track > right->track) - (left->track < right->track);
}

bool trace_put_running(struct trace_report *report, size_t table, size_t notes,
                       const struct trace_model *model, const struct trace_pass_plan *plan,
                       uint32_t top)
{
    struct waiting *order = malloc(((size_t)model->track_count + 1) * sizeof *order);
    uint32_t count = 0;
    bool has_memory = order != NULL;
    for (uint32_t i = 0; has_memory && i < model->track_count; i++)
        if (is_sampled(&model->tracks[i]) && trace_pass_plan_counts(plan, i))
            order[count++] = (struct waiting){model->tracks[i].sched.wait_ns, i};
    if (count > 1)
        qsort(order, count, sizeof *order, compare_waiting);
    const uint32_t shown = top == 0 || top > count ? count : top;
    for (uint32_t i = 0; i < shown; i++)
        put_track(report, table, model, order[i].track);
    if (has_memory)
        has_memory = note_waiting(report, notes, model, order, shown);
    free(order);
    if (shown < count)
        trace_report_note(report, table, "%u of %u threads are shown; --top 0 lists all.", shown,
                          count);
    trace_note_not_sampled(report, notes, model);
    return has_memory;
}

void trace_put_machine(struct trace_report *report, size_t table, size_t notes,
                       const struct trace_model *model)
{
    const struct trace_sched_sums *sums = &model->machine;
    if (sums->sampled_ns == 0)
        return;
    trace_report_row(report, table);
    trace_report_integer(report, sums->sampled_ns);
    put_share(report, sums->run_ns, sums->sampled_ns);
    put_share(report, sums->wait_ns, sums->sampled_ns);
    const double whole_ns = (double)sums->sampled_ns / 100;
    trace_report_note(report, notes, "The machine's processors: %.1f %% busy, %.1f %% stolen.",
                      (double)sums->run_ns / whole_ns, (double)sums->wait_ns / whole_ns);
}
