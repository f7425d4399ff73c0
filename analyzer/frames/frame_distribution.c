/* Puts the durations of frames into tables. */
#include "frame_distribution.h"

#include "failure.h"
#include "frame_table.h"
#include "histogram.h"
#include "report_parts.h"

#define BAR_WIDTH 48u

static void put_text(struct trace_report *report, struct trace_text text)
{
    trace_report_text(report, text.data, text.size);
}

/* --- of each domain -------------------------------------------------------------------------- */

static void put_domain(struct trace_report *report, size_t table, const struct trace_window *window,
                       const struct trace_frame_list *list,
                       const struct trace_frame_percentiles *times, int64_t end_ns,
                       int64_t budget_ns)
{
    const struct trace_domain *domain = list->domain;
    const uint32_t reaching = trace_frames_reaching(domain, &window->spans, end_ns);
    uint64_t lost = 0, over = 0, run = 0, longest = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        lost += (list->flags[i] & TRACE_FRAME_LOST) != 0;
        bool is_next = i != 0 && list->frames[i] == list->frames[i - 1] + 1;
        bool is_over = trace_frame_duration(list, i) > budget_ns;
        run = is_over ? (is_next ? run + 1 : 1) : 0;
        over += is_over;
        longest = run > longest ? run : longest;
    }
    trace_report_row(report, table);
    put_text(report, window->name);
    put_text(report, domain->name);
    trace_report_integer(report, times->count);
    trace_report_integer(report, (int64_t)reaching - times->count);
    trace_report_integer(report, (int64_t)lost);
    trace_put_quotient(report, (double)times->total_ns, times->count);
    trace_put_quotient(report, times->count * 1e9, (double)times->total_ns);
    if (times->count == 0)
        trace_report_note(report, table,
                          "No frame of %.*s lies in window %.*s as a whole: none is shown of it.",
                          trace_text_shown(domain->name), domain->name.data,
                          trace_text_shown(window->name), window->name.data);
    if (budget_ns == 0)
        return;
    trace_report_integer(report, budget_ns);
    trace_report_integer(report, (int64_t)over);
    trace_put_quotient(report, (double)over * 100, times->count);
    trace_report_integer(report, (int64_t)longest);
    if (over == 0 && times->count != 0)
        trace_report_note(report, table, "No frame of %.*s is longer than the budget.",
                          trace_text_shown(domain->name), domain->name.data);
}

static void put_percentiles(struct trace_report *report, size_t table,
                            const struct trace_window *window, const struct trace_domain *domain,
                            const struct trace_frame_percentiles *times)
{
    static const char *const names[TRACE_FRAME_RANKS] = {
        [TRACE_FRAME_MIN] = "min", [TRACE_FRAME_P50] = "p50", [TRACE_FRAME_P90] = "p90",
        [TRACE_FRAME_P95] = "p95", [TRACE_FRAME_P99] = "p99", [TRACE_FRAME_P999] = "p99.9",
        [TRACE_FRAME_MAX] = "max"};
    for (size_t rank = 0; times->count != 0 && rank < TRACE_FRAME_RANKS; rank++) {
        trace_report_row(report, table);
        put_text(report, window->name);
        put_text(report, domain->name);
        trace_report_string(report, names[rank]);
        trace_report_integer(report, times->ranks[rank].value);
        trace_report_integer(report, (int64_t)times->ranks[rank].source);
        trace_put_quotient(report, (double)times->ranks[rank].value,
                           (double)times->ranks[TRACE_FRAME_P50].value);
    }
}

enum ludus_status
trace_put_frame_times(struct trace_report *report, struct trace_distribution_tables tables,
                      const struct trace_model *model, const struct trace_pass_plan *plan,
                      const struct trace_track_losses *losses, uint32_t domain, int64_t budget_ns)
{
    for (uint32_t w = 0; w < plan->windows.count; w++) {
        const struct trace_window *window = &plan->windows.items[w];
        struct trace_pass_plan part = {.windows = {.items = {*window}, .count = 1},
                                       .domain = domain,
                                       .tracks = plan->tracks,
                                       .track_count = plan->track_count};
        struct trace_frame_percentiles times;
        struct trace_frame_list list;
        bool is_done =
            trace_frame_list_create_of(&list, model, &part, losses, TRACE_NONE) &&
            trace_frame_percentiles_of(&model->domains[domain], &window->spans, &times) == LUDUS_OK;
        if (is_done) {
            put_domain(report, tables.domains, window, &list, &times, model->end_ns, budget_ns);
            put_percentiles(report, tables.percentiles, window, &model->domains[domain], &times);
        }
        trace_frame_list_destroy(&list);
        if (!is_done)
            return LUDUS_ERROR_MEMORY;
    }
    return LUDUS_OK;
}

/* --- the histogram --------------------------------------------------------------------------- */

static void put_bar(struct trace_report *report, uint64_t count, uint64_t most)
{
    char bar[BAR_WIDTH];
    uint64_t size = (count * BAR_WIDTH + most / 2) / most;
    size = size == 0 && count != 0 ? 1 : size; /* a single hitch is seen */
    for (uint64_t i = 0; i < size; i++)
        bar[i] = '#';
    trace_report_text(report, bar, (size_t)size);
}

void trace_put_frame_bins(struct trace_report *report, struct trace_distribution_tables tables,
                          const struct trace_pass_plan *plan, const struct trace_frame_list *list,
                          uint32_t window)
{
    struct trace_histogram histogram;
    int64_t min_ns = INT64_MAX, max_ns = 0;
    uint64_t most = 1;
    for (uint32_t i = 0; i < list->count; i++) {
        int64_t duration_ns = trace_frame_duration(list, i);
        if (!trace_frame_is_in(list, i, window))
            continue;
        min_ns = duration_ns < min_ns ? duration_ns : min_ns;
        max_ns = duration_ns > max_ns ? duration_ns : max_ns;
    }
    if (min_ns == INT64_MAX)
        return;
    trace_histogram_start(&histogram, min_ns, max_ns);
    for (uint32_t i = 0; i < list->count; i++)
        if (trace_frame_is_in(list, i, window))
            trace_histogram_add(&histogram, trace_frame_duration(list, i));
    for (uint32_t i = 0; i < histogram.count; i++)
        most = histogram.counts[i] > most ? histogram.counts[i] : most;
    for (uint32_t i = 0; i < histogram.count; i++) {
        trace_report_row(report, tables.bins);
        put_text(report, plan->windows.items[window].name);
        trace_report_integer(report, histogram.edges[i]);
        trace_report_integer(report, histogram.edges[i + 1]);
        trace_report_integer(report, (int64_t)histogram.counts[i]);
        put_bar(report, histogram.counts[i], most);
    }
}

/* --- other domains --------------------------------------------------------------------------- */

/* How many frames begin before a time. */
static uint32_t count_before(const struct trace_domain *domain, int64_t time_ns)
{
    uint32_t last = time_ns == INT64_MIN ? TRACE_NONE : trace_frame_table_find(domain, time_ns - 1);
    return last == TRACE_NONE ? 0 : last + 1;
}

/* How many frames of another domain begin in the frames of a window. */
struct other_counts {
    uint64_t sum;
    uint64_t least, most;
};

/* `frames` is how many frames of the list lie in the window, not 0. Takes what the other domain has
 * and not what the list has: there may be many domains. */
static struct other_counts count_others(const struct trace_domain *other,
                                        const struct trace_frame_list *list, uint32_t window,
                                        uint32_t frames)
{
    struct other_counts counts = {.least = UINT64_MAX};
    uint32_t counted = 0; /* frames of the list that have one */
    for (uint32_t i = 0; i < other->frame_count;) {
        const uint32_t column = trace_frame_column(
            list, trace_frame_table_find(list->domain, other->frames[i].begin_ns));
        if (column == TRACE_NONE || !trace_frame_is_in(list, column, window)) {
            i++;
            continue;
        }
        const uint32_t end = count_before(other, trace_frame_end(list, column));
        const uint64_t count = end - i;
        counts.sum += count;
        counts.least = count < counts.least ? count : counts.least;
        counts.most = count > counts.most ? count : counts.most;
        counted++;
        i = end;
    }
    if (counted < frames)
        counts.least = 0;
    return counts;
}

void trace_put_other_domains(struct trace_report *report, struct trace_distribution_tables tables,
                             const struct trace_model *model, const struct trace_pass_plan *plan,
                             const struct trace_frame_list *list, uint32_t window)
{
    uint32_t frames = 0;
    for (uint32_t i = 0; i < list->count; i++)
        frames += trace_frame_is_in(list, i, window);
    for (uint32_t d = 0; frames != 0 && d < model->domain_count; d++) {
        const struct trace_domain *other = &model->domains[d];
        if (d == plan->domain)
            continue;
        const struct other_counts counts = count_others(other, list, window, frames);
        trace_report_row(report, tables.others);
        put_text(report, plan->windows.items[window].name);
        put_text(report, list->domain->name);
        put_text(report, other->name);
        trace_put_quotient(report, (double)counts.sum, (double)frames);
        trace_report_integer(report, (int64_t)counts.least);
        trace_report_integer(report, (int64_t)counts.most);
    }
}

/* The longest complete frame of some; TRACE_NONE: none is complete. */
static uint32_t find_longest(const struct trace_domain *domain, uint32_t first, uint32_t last)
{
    uint32_t longest = TRACE_NONE;
    int64_t longest_ns = -1;
    for (uint32_t i = first; i <= last; i++) {
        if (!trace_frame_is_complete(domain, i))
            continue;
        int64_t duration_ns = domain->frames[i + 1].begin_ns - domain->frames[i].begin_ns;
        if (duration_ns > longest_ns)
            longest = i;
        longest_ns = duration_ns > longest_ns ? duration_ns : longest_ns;
    }
    return longest;
}

void trace_put_overlap(struct trace_report *report, size_t table, const struct trace_model *model,
                       uint32_t domain, uint32_t frame, const struct trace_text *window)
{
    const struct trace_frame *frames = &model->domains[domain].frames[frame];
    for (uint32_t d = 0; d < model->domain_count; d++) {
        const struct trace_domain *other = &model->domains[d];
        uint32_t end = count_before(other, frames[1].begin_ns);
        if (d == domain || end == 0)
            continue;
        uint32_t first = trace_frame_table_find(other, frames[0].begin_ns);
        first = first == TRACE_NONE ? 0 : first;
        uint32_t longest = find_longest(other, first, end - 1);
        trace_report_row(report, table);
        if (window != NULL)
            put_text(report, *window);
        trace_report_integer(report, (int64_t)frames[0].number);
        put_text(report, other->name);
        trace_report_integer(report, (int64_t)other->frames[first].number);
        trace_report_integer(report, (int64_t)other->frames[end - 1].number);
        if (longest == TRACE_NONE)
            continue;
        trace_report_integer(report, (int64_t)other->frames[longest].number);
        trace_report_integer(report,
                             other->frames[longest + 1].begin_ns - other->frames[longest].begin_ns);
    }
}
