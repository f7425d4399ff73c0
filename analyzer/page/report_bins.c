/* Puts frames, and what the GPU did for them, into bins. */
#include "report_bins.h"

#include <stdlib.h>

#include "failure.h"
#include "frame_bin.h"
#include "frame_list.h"
#include "gpu_in_frames.h"
#include "selection.h"

static const struct trace_column columns[] = {
    {.name = "window",
     .title = "window",
     .type = TRACE_TYPE_TEXT,
     .description = "The name of the window that the frames lie in."},
    TRACE_FRAME_BIN_COLUMNS("over budget",
                            "Frames that are longer than the budget; null without one."),
    TRACE_COUNT_COLUMN("lost", "with losses", .window = TRACE_OF_BIN,
                       .description = "Frames that a loss of a track that counts overlaps."),
    TRACE_TIME_COLUMN("gpu_ns", "GPU", .window = TRACE_OF_BIN,
                      .description =
                          "The longest GPU time of what was submitted in one of them, on any "
                          "queue; null when none was sampled."),
    TRACE_COUNT_COLUMN("gpu_frames", "sampled", .window = TRACE_OF_BIN,
                       .description = "Frames of which the GPU time is known."),
};

static const struct trace_table_type tables[] = {TRACE_TABLE("bins", "Frame times", columns)};

const struct trace_report_type trace_report_bins_type = {
    .name = "bins", .version = 1, .tables = tables, .table_count = 1};

struct bin {
    struct trace_frame_bin times;
    int64_t lost, gpu_ns, gpu_frames;
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
    const struct trace_frame_list *list = &maker->list;
    const struct trace_timed_frame frame = {trace_frame_number(list, column),
                                            trace_frame_begin(list, column),
                                            trace_frame_duration(list, column)};
    trace_frame_bin_add(&bin->times, &frame, maker->budget_ns);
    bin->lost += (list->flags[column] & TRACE_FRAME_LOST) != 0;
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
    trace_report_row(report, 0);
    trace_report_text(report, window->data, window->size);
    trace_frame_bin_put(report, &bin->times, maker->budget_ns != 0);
    trace_report_integer(report, bin->lost);
    if (bin->gpu_ns < 0)
        trace_report_null(report);
    else
        trace_report_integer(report, bin->gpu_ns);
    trace_report_integer(report, bin->gpu_frames);
}

static void put_window(const struct maker *maker, uint32_t window)
{
    const struct trace_frame_list *list = &maker->list;
    const struct trace_windows *windows = &maker->chosen.plan.windows;
    uint64_t bins = TRACE_PAGE_BINS / windows->count, count = 0, index = 0, at = 0;
    const struct bin empty = {.gpu_ns = -1};
    struct bin bin = empty;
    for (uint32_t column = 0; column < list->count; column++)
        count += trace_frame_is_in(list, column, window);
    if (bins > count)
        bins = count;
    for (uint32_t column = 0; column < list->count; column++) {
        if (!trace_frame_is_in(list, column, window))
            continue;
        if (trace_frame_bin_of(index, count, bins) != at) {
            put_bin(maker, &windows->items[window].name, &bin);
            at = trace_frame_bin_of(index, count, bins);
            bin = empty;
        }
        index++;
        add_frame(maker, &bin, column);
    }
    if (bin.times.frames != 0)
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
