/* Makes a database of the sample capture, its microseconds stretched to milliseconds, so that every
 * question of docs/sql.md has an answer: sample_database PATH. */
#include <stdio.h>
#include <stdlib.h>

#include "database_writer.h"
#include "lcap_layout.h"
#include "sample_model.h"

#define STRETCH 10000 /* frame 1 lasts 20 ms */

static void stretch_model(struct trace_model *model)
{
    model->end_ns *= STRETCH;
    for (uint32_t i = 0; i < model->track_count; i++) {
        model->tracks[i].begin_ns *= STRETCH;
        model->tracks[i].end_ns *= STRETCH;
        model->track_stats[i].frame_ns *= STRETCH;
        model->track_stats[i].covered_ns *= STRETCH;
    }
    for (uint32_t i = 0; i < model->domains[0].frame_count; i++)
        model->domains[0].frames[i].begin_ns *= STRETCH;
    for (uint32_t i = 0; i < model->loss_count; i++) {
        model->losses[i].begin_ns *= STRETCH;
        model->losses[i].end_ns *= STRETCH;
    }
}

static struct trace_slice stretch_slice(struct trace_slice slice)
{
    slice.begin_ns *= STRETCH;
    slice.known_ns *= STRETCH;
    if (slice.duration_ns > 0)
        slice.duration_ns *= STRETCH;
    if (slice.exclusive_ns > 0)
        slice.exclusive_ns *= STRETCH;
    if (slice.track == 1) /* beside the other track's work */
        slice.begin_ns -= 200 * STRETCH;
    return slice;
}

/* Physics/Step is counted, is a gauge, and sends work from one track to the other. */
static const struct trace_value values[] = {
    {100 * STRETCH, 3, 0, 0, 1, 0, LCAP_EVENT_COUNT, true},
    {1100 * STRETCH, 4, 0, 0, 1, 1, LCAP_EVENT_COUNT, true},
    {150 * STRETCH, UINT64_C(0x4000000000000000), 2, 0, 1, 0, LCAP_EVENT_GAUGE, true},
    {160 * STRETCH, 77, 2, 0, 1, 0, LCAP_EVENT_FLOW_OUT, true},
    {1350 * STRETCH, 77, 6, 1, TRACE_NONE, 1, LCAP_EVENT_FLOW_IN, true},
};

/* Main ran for 30 ms of the 50 ms about frame 1, and waited 15 ms for a processor. */
static const struct trace_sched_sample main_ran = {
    0, 5000 * STRETCH, 3000 * STRETCH, 1500 * STRETCH, 0, 1};

static enum ludus_status write_sample(struct trace_database_writer *writer,
                                      const struct trace_model *model, struct ludus_error *error)
{
    struct trace_visitor visitor;
    enum ludus_status status = LUDUS_OK;

    trace_database_writer_begin(writer, &visitor, error);
    for (size_t i = 0; i < SAMPLE_SLICES && status == LUDUS_OK; i++) {
        struct trace_slice slice = stretch_slice(sample_slices[i]);

        status = visitor.slices(visitor.context, model, &slice, 1);
    }
    for (size_t i = 0; i < SAMPLE_INSTANTS && status == LUDUS_OK; i++) {
        struct trace_instant instant = sample_instants[i];

        instant.time_ns *= STRETCH;
        status = visitor.instants(visitor.context, model, &instant, 1);
    }
    if (status == LUDUS_OK)
        status = visitor.values(visitor.context, model, values, sizeof values / sizeof values[0]);
    if (status == LUDUS_OK)
        status = visitor.sched(visitor.context, model, &main_ran);
    if (status == LUDUS_OK)
        status = trace_database_writer_end(writer, model, "sample.lcap", error);
    if (status == LUDUS_OK)
        status = trace_database_writer_commit(writer, error);
    return status;
}

int main(int argc, char **argv)
{
    struct trace_database_writer *writer;
    struct trace_model *model = sample_model_create();
    struct ludus_error error;

    if (argc != 2)
        return EXIT_FAILURE;
    stretch_model(model);
    if (trace_database_writer_open(argv[1], &writer, &error) != LUDUS_OK ||
        write_sample(writer, model, &error) != LUDUS_OK) {
        (void)fprintf(stderr, "sample_database: %s\n", error.message);
        return EXIT_FAILURE;
    }
    trace_database_writer_close(writer);
    trace_model_destroy(model);
    return EXIT_SUCCESS;
}
