/* Puts frames, and what the GPU did for them, into bins. */
#include "frame_bins.h"

#include <stdlib.h>

#include "failure.h"
#include "frame_list.h"
#include "gpu_in_frames.h"
#include "selection.h"

#define OF_BIN "the complete frames of the bin"

static const struct trace_column columns[] = {
    {.name = "window",
     .title = "window",
     .type = TRACE_TYPE_TEXT,
     .description = "The name of the window that the frames lie in."},
    {.name = "first",
     .title = "first",
     .type = TRACE_TYPE_INTEGER,
     .description = "The number of the first frame."},
    {.name = "last",
     .title = "last",
     .type = TRACE_TYPE_INTEGER,
     .description = "The number of the last frame."},
    {.name = "frames",
     .title = "frames",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .window = OF_BIN,
     .description = "How many they are."},
    {.name = "begin_ns",
     .title = "begin",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .is_position = true,
     .description = "When the first one begins, from the start of the recording."},
    {.name = "min_ns",
     .title = "shortest",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .window = OF_BIN,
     .description = "The shortest one."},
    {.name = "max_ns",
     .title = "longest",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .window = OF_BIN,
     .description = "The longest one."},
    {.name = "max_frame",
     .title = "its number",
     .type = TRACE_TYPE_INTEGER,
     .window = OF_BIN,
     .description = "The number of the longest one; of the first one when several are as long."},
    {.name = "over",
     .title = "over budget",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .window = OF_BIN,
     .description = "Frames that are longer than the budget; null without one."},
    {.name = "lost",
     .title = "with losses",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .window = OF_BIN,
     .description = "Frames that a loss of a track that counts overlaps."},
    {.name = "gpu_ns",
     .title = "GPU",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .window = OF_BIN,
     .description = "The longest GPU time of what was submitted in one of them, on any queue; null "
                    "when none was sampled."},
    {.name = "gpu_frames",
     .title = "sampled",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .window = OF_BIN,
     .description = "Frames of which the GPU time is known."},
};

static const struct trace_table_type tables[] = {TRACE_TABLE("bins", "Frame times", columns)};

const struct trace_report_type trace_report_bins_type = {
    .name = "bins", .version = 1, .tables = tables, .table_count = 1};

struct bin {
    uint32_t first, last, longest; /* columns of the list */
    int64_t frames, min_ns, over, lost, gpu_ns, gpu_frames;
};

struct maker {
    struct trace_report *report;
    struct trace_chosen chosen;
    struct trace_frame_list list;
    struct trace_gpu_in_frames gpu;
    uint32_t *asked; /* all columns */
    int64_t budget_ns;
};

static void add_frame(const struct maker *maker, struct bin *bin, uint32_t column)
{
    int64_t duration_ns = trace_frame_duration(&maker->list, column);
    if (bin->frames++ == 0)
        *bin = (struct bin){
            .first = column, .longest = column, .frames = 1, .min_ns = duration_ns, .gpu_ns = -1};
    bin->last = column;
    if (duration_ns < bin->min_ns)
        bin->min_ns = duration_ns;
    if (duration_ns > trace_frame_duration(&maker->list, bin->longest))
        bin->longest = column;
    bin->over += duration_ns > maker->budget_ns;
    bin->lost += (maker->list.flags[column] & TRACE_FRAME_LOST) != 0;
    if (maker->gpu.asked_count == 0)
        return;
    const struct trace_gpu_in_frame *gpu = &maker->gpu.frames[column];
    bin->gpu_frames += gpu->longest_ns >= 0;
    if (gpu->longest_ns > bin->gpu_ns)
        bin->gpu_ns = gpu->longest_ns;
}

static void put_bin(const struct maker *maker, const struct trace_text *window,
                    const struct bin *bin)
{
    struct trace_report *report = maker->report;
    const struct trace_frame_list *list = &maker->list;
    trace_report_row(report, 0);
    trace_report_text(report, window->data, window->size);
    trace_report_integer(report, (int64_t)trace_frame_number(list, bin->first));
    trace_report_integer(report, (int64_t)trace_frame_number(list, bin->last));
    trace_report_integer(report, bin->frames);
    trace_report_integer(report, trace_frame_begin(list, bin->first));
    trace_report_integer(report, bin->min_ns);
    trace_report_integer(report, trace_frame_duration(list, bin->longest));
    trace_report_integer(report, (int64_t)trace_frame_number(list, bin->longest));
    if (maker->budget_ns == 0)
        trace_report_null(report);
    else
        trace_report_integer(report, bin->over);
    trace_report_integer(report, bin->lost);
    if (bin->gpu_ns < 0)
        trace_report_null(report);
    else
        trace_report_integer(report, bin->gpu_ns);
    trace_report_integer(report, bin->gpu_frames);
}

/* Bins differ by one frame at most in how many they hold. */
static void put_window(const struct maker *maker, uint32_t window)
{
    const struct trace_frame_list *list = &maker->list;
    const struct trace_windows *windows = &maker->chosen.plan.windows;
    uint64_t bins = TRACE_PAGE_BINS / windows->count, count = 0, index = 0, at = 0;
    struct bin bin = {.frames = 0};
    for (uint32_t column = 0; column < list->count; column++)
        count += trace_frame_is_in(list, column, window);
    if (bins > count)
        bins = count;
    for (uint32_t column = 0; column < list->count; column++) {
        if (!trace_frame_is_in(list, column, window))
            continue;
        if (index * bins / count != at) {
            put_bin(maker, &windows->items[window].name, &bin);
            at = index * bins / count;
            bin.frames = 0;
        }
        index++;
        add_frame(maker, &bin, column);
    }
    if (bin.frames != 0)
        put_bin(maker, &windows->items[window].name, &bin);
}

static enum ludus_status ask_gpu(struct maker *maker, struct trace_input *input,
                                 struct ludus_error *error)
{
    maker->asked = malloc(((size_t)maker->list.count + 1) * sizeof *maker->asked);
    if (maker->asked == NULL)
        return trace_fail_memory(error);
    for (uint32_t column = 0; column < maker->list.count; column++)
        maker->asked[column] = column;
    return trace_gpu_in_frames_create(&maker->gpu, input, &maker->chosen.plan, &maker->list,
                                      maker->asked, maker->list.count, error);
}

static enum ludus_status make(struct maker *maker, struct trace_input *input,
                              const struct trace_selection *selection, struct ludus_error *error)
{
    const struct trace_model *model;
    enum ludus_status status = trace_chosen_create(input, selection, &maker->chosen, error);
    if (status == LUDUS_OK)
        status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);
    if (status == LUDUS_OK &&
        !trace_frame_list_create(&maker->list, model, &maker->chosen.plan, TRACE_NONE))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK && model->gpu_queue_count != 0)
        status = ask_gpu(maker, input, error);
    for (uint32_t w = 0; status == LUDUS_OK && w < maker->chosen.plan.windows.count; w++)
        put_window(maker, w);
    return status;
}

enum ludus_status trace_report_bins(struct trace_input *input,
                                    const struct trace_selection *selection, int64_t budget_ns,
                                    struct trace_report **report, struct ludus_error *error)
{
    struct maker maker = {.budget_ns = budget_ns};
    *report = NULL;
    enum ludus_status status = trace_report_create(&trace_report_bins_type, &maker.report, error);
    if (status == LUDUS_OK)
        status = trace_report_deliver(maker.report, make(&maker, input, selection, error), report,
                                      error);
    trace_gpu_in_frames_destroy(&maker.gpu);
    trace_frame_list_destroy(&maker.list);
    free(maker.asked);
    trace_chosen_destroy(&maker.chosen);
    return status;
}
