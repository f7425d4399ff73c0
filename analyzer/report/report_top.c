/* The top report: the last moments of a capture that may still grow. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "frame_percentiles.h"
#include "live.h"
#include "report_losses.h"
#include "report_parts.h"
#include "top_columns.h"

enum { LOOK, FRAMES, VALUES, SITES, LOSSES };

static const struct trace_table_type tables[] = {
    TRACE_TABLE("look", "Live look", trace_top_look_columns),
    TRACE_TABLE("frames", "Frame times", trace_top_frame_columns),
    TRACE_TABLE("values", "Counters and gauges", trace_top_value_columns),
    TRACE_TABLE("sites", "Sites by exclusive time", trace_top_site_columns),
    TRACE_TABLE("losses", "Losses", trace_loss_columns),
};

const struct trace_report_type trace_report_top_type = {.name = "top",
                                                        .version = 1,
                                                        .tables = tables,
                                                        .table_count =
                                                            sizeof tables / sizeof tables[0],
                                                        .main_table = SITES,
                                                        .width = TRACE_SCREEN_WIDTH};

/* --- the window, and frames ------------------------------------------------------------------ */

static void put_look(struct trace_report *report, const struct trace_live *live)
{
    const struct trace_model *model = live->capture->model;
    int64_t length_ns = live->end_ns - live->begin_ns;
    trace_report_row(report, LOOK);
    trace_put_fact(report, model, "program");
    if (model->process_id != 0)
        trace_report_integer(report, model->process_id);
    else
        trace_report_null(report);
    trace_report_string(report, model->is_finished ? "finished" : "unfinished");
    trace_report_integer(report, live->begin_ns);
    trace_report_integer(report, live->end_ns);
    trace_report_integer(report, length_ns);
    trace_report_integer(report, (int64_t)model->file_bytes);
    trace_report_integer(report, (int64_t)live->damage_places);
    trace_report_integer(report, (int64_t)live->damage_bytes);
    trace_report_note(report, LOOK,
                      "Times are from the session's start. The window ends with the %s, and all "
                      "below is about it but for the recorder's losses.",
                      live->has_ended ? "recording" : "last time known");
    if (live->capture->window.clock != 0 && live->begin_ns == live->first_ns)
        trace_report_note(report, LOOK,
                          "The window begins with the capture, which is a part of its recording.");
    if (live->begin_ns > live->first_ns && length_ns < live->length_ns)
        trace_report_note(report, LOOK,
                          "The window is shorter than asked for: it holds more than is kept.");
    if (live->damage_places != 0)
        trace_report_note(report, LOOK,
                          "Damage of events before the window is not looked for; `ludus-trace "
                          "check` does.");
}

static enum ludus_status put_frames(struct trace_report *report, const struct trace_model *model,
                                    struct ludus_error *error)
{
    uint64_t missing = 0;
    for (uint32_t i = 0; i < model->domain_count; i++) {
        const struct trace_domain *domain = &model->domains[i];
        struct trace_frame_percentiles times;
        if (trace_frame_percentiles_of(domain, NULL, &times) != LUDUS_OK)
            return trace_fail_memory(error);
        trace_report_row(report, FRAMES);
        trace_report_text(report, domain->name.data, domain->name.size);
        trace_report_integer(report, times.count);
        missing += domain->marks_missing;
        if (times.count == 0)
            continue;
        trace_report_integer(report, times.ranks[TRACE_FRAME_P50].value);
        trace_report_integer(report, times.ranks[TRACE_FRAME_MAX].value);
        trace_report_integer(report, (int64_t)times.ranks[TRACE_FRAME_MAX].source);
    }
    if (model->domain_count != 0)
        trace_report_note(report, FRAMES, "Of complete frames whose end lies in the window.");
    if (missing != 0)
        trace_report_note(report, FRAMES, "Marks in the window that are missing: %" PRIu64 ".",
                          missing);
    return LUDUS_OK;
}

/* --- what is ordered by site ----------------------------------------------------------------- */

/* A site on its way into a table. */
struct ordered_site {
    const struct trace_live_site *sums;
    const struct trace_site *site;
};

static int compare_names(const struct ordered_site *left, const struct ordered_site *right)
{
    int order = trace_text_compare(&left->site->name, &right->site->name);
    return order != 0 ? order : (left->site > right->site) - (left->site < right->site);
}

static int compare_values(const void *a, const void *b)
{
    return compare_names(a, b);
}

static int compare_sites(const void *a, const void *b)
{
    const struct ordered_site *left = a;
    const struct ordered_site *right = b;
    if (left->sums->exclusive_ns != right->sums->exclusive_ns)
        return left->sums->exclusive_ns < right->sums->exclusive_ns ? 1 : -1;
    if (left->sums->inclusive_ns != right->sums->inclusive_ns)
        return left->sums->inclusive_ns < right->sums->inclusive_ns ? 1 : -1;
    return compare_names(left, right);
}

/* Those of the sites that belong into a table, in its order. */
static uint32_t order_sites(const struct trace_live *live, size_t table, struct ordered_site *sites)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < live->site_count; i++) {
        const struct trace_live_site *sums = &live->sites[i];
        bool is_in = table == SITES ? sums->slices != 0 : sums->counts != 0 || sums->gauges != 0;
        if (is_in)
            sites[count++] = (struct ordered_site){sums, &live->capture->model->sites[i]};
    }
    if (count > 1)
        qsort(sites, count, sizeof *sites, table == SITES ? compare_sites : compare_values);
    return count;
}

/* --- counters and gauges --------------------------------------------------------------------- */

static void put_counter(struct trace_report *report, const struct trace_live *live,
                        const struct ordered_site *row)
{
    int64_t length_ns = live->end_ns - live->begin_ns;
    trace_report_row(report, VALUES);
    trace_put_known_text(report, row->site->name);
    trace_report_string(report, "counter");
    trace_report_null(report);
    trace_report_integer(report, row->sums->total);
    if (length_ns > 0)
        trace_report_real(report, (double)row->sums->total * 1e9 / (double)length_ns);
    else
        trace_report_null(report);
    if (live->frames > 0)
        trace_report_real(report, (double)row->sums->total_in_frames / (double)live->frames);
    else
        trace_report_null(report);
}

static void put_gauge(struct trace_report *report, const struct ordered_site *row)
{
    double value;
    memcpy(&value, &row->sums->gauge_bits, sizeof value);
    trace_report_row(report, VALUES);
    trace_put_known_text(report, row->site->name);
    trace_report_string(report, "gauge");
    if (isfinite(value))
        trace_report_real(report, value);
    else
        trace_report_null(report);
}

static void put_values(struct trace_report *report, const struct trace_live *live,
                       struct ordered_site *sites, uint32_t most)
{
    const struct trace_model *model = live->capture->model;
    uint32_t count = order_sites(live, VALUES, sites);
    uint32_t shown = most == 0 || most > count ? count : most;
    for (uint32_t i = 0; i < shown; i++) {
        if (sites[i].sums->counts != 0)
            put_counter(report, live, &sites[i]);
        if (sites[i].sums->gauges != 0)
            put_gauge(report, &sites[i]);
    }
    if (shown < count)
        trace_report_note(report, VALUES, "%u of %u are shown.", shown, count);
    if (count == 0)
        return;
    trace_report_note(report, VALUES,
                      "Per second: divided by the window's length. Gauges: as set last in it.");
    if (live->frames == 0)
        return;
    const struct trace_text *name = &model->domains[live->default_domain].name;
    trace_report_note(report, VALUES,
                      "Per frame: divided by the %" PRId64
                      " complete frames of %.*s that lie in the window.",
                      live->frames, (int)(name->size < 64 ? name->size : 64), name->data);
}

/* --- sites ----------------------------------------------------------------------------------- */

static void put_site(struct trace_report *report, const struct trace_live *live,
                     const struct ordered_site *row)
{
    const struct trace_site *site = row->site;
    const struct trace_live_site *sums = row->sums;
    int64_t length_ns = live->end_ns - live->begin_ns;
    trace_report_row(report, SITES);
    trace_put_known_text(report, site->name);
    trace_put_category(report, live->capture->model, site);
    trace_report_integer(report, (int64_t)sums->calls);
    if (sums->exclusive_calls != 0)
        trace_report_integer(report, sums->exclusive_ns);
    else
        trace_report_null(report);
    if (sums->exclusive_calls != 0 && length_ns > 0)
        trace_report_real(report, (double)sums->exclusive_ns * 100 / (double)length_ns);
    else
        trace_report_null(report);
    trace_report_integer(report, sums->inclusive_ns);
    trace_report_integer(report, (int64_t)sums->open);
    trace_report_integer(report, (int64_t)sums->children_lost);
    trace_put_place(report, site);
}

static void put_sites(struct trace_report *report, const struct trace_live *live,
                      struct ordered_site *sites, uint32_t most)
{
    uint64_t lost = 0;
    uint32_t count = order_sites(live, SITES, sites);
    uint32_t shown = most == 0 || most > count ? count : most;
    for (uint32_t i = 0; i < shown; i++)
        put_site(report, live, &sites[i]);
    for (uint32_t i = 0; i < count; i++)
        lost += sites[i].sums->children_lost;
    if (shown < count)
        trace_report_note(report, SITES, "%u of %u sites are shown; --top 0 lists all.", shown,
                          count);
    if (count != 0)
        trace_report_note(report, SITES,
                          "Times: the parts that lie in the window; share: of its length. Sums "
                          "over tracks are work and can exceed it. Waiting is inside all times.");
    if (lost != 0)
        trace_report_note(report, SITES,
                          "Slices during which their track lost events are in no exclusive time: "
                          "%" PRIu64 ".",
                          lost);
}

enum ludus_status trace_report_top(struct trace_live *live, const struct trace_top_options *options,
                                   struct trace_report **out, struct ludus_error *error)
{
    struct trace_report *report;
    *out = NULL;
    enum ludus_status status = trace_live_derive(live, error);
    if (status == LUDUS_OK)
        status = trace_report_create(&trace_report_top_type, &report, error);
    if (status != LUDUS_OK)
        return status;
    const struct trace_model *model = live->capture->model;
    struct ordered_site *sites = malloc(((size_t)live->site_count + 1) * sizeof *sites);
    if (sites == NULL)
        status = trace_fail_memory(error);
    put_look(report, live);
    if (status == LUDUS_OK)
        status = put_frames(report, model, error);
    if (status == LUDUS_OK) {
        put_values(report, live, sites, options->values);
        put_sites(report, live, sites, options->sites);
    }
    if (status == LUDUS_OK && !trace_put_loss_sums(report, LOSSES, model))
        status = trace_fail_memory(error);
    free(sites);
    return trace_report_deliver(report, status, out, error);
}
