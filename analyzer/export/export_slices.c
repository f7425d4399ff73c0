/* Exports slices as comma-separated values, in the order of their ids: the same from a capture and
 * from a database. */
#include <stdlib.h>
#include <string.h>

#include "csv_text.h"
#include "empty_export.h"
#include "failure.h"
#include "late_slices.h"
#include "number_text.h"
#include "report_parts.h"
#include "selection.h"
#include "text_buffer.h"

/* Texts of a site or track up to this size are kept as they are written. */
#define KEPT_BYTES 256u

static const char header[] =
    "slice_id,parent_id,track,site,category,frame,depth,begin_ns,duration_ns,known_ns,"
    "exclusive_ns,outermost,incomplete,children_lost" TRACE_CSV_LINE_END;

/* A text with its quotes; NULL: not made yet, or too long. */
struct kept_text {
    char *data;
    size_t size;
};

struct slice_export {
    struct trace_writer writer;
    const struct trace_chosen *chosen;
    struct trace_late_slices *late;
    struct kept_text *sites; /* name and category */
    struct kept_text *tracks;
    uint32_t site_count, track_count;
    struct trace_text_buffer scratch;
    uint64_t last_id; /* the largest id so far */
    uint64_t lines;
    int64_t from_ns, until_ns; /* where `is_inside` holds */
    bool is_inside;            /* begins there are in a window */
};

/* --- texts ----------------------------------------------------------------------------------- */

static enum ludus_status append_scratch(void *context, const char *bytes, size_t size)
{
    trace_text_buffer_append(context, bytes, size);
    return LUDUS_OK;
}

static void put_site(struct trace_writer *writer, const struct trace_model *model, uint32_t site)
{
    uint32_t category = model->sites[site].category;
    trace_csv_put_field(writer, model->sites[site].name.data, model->sites[site].name.size);
    trace_put_byte(writer, ',');
    if (category != TRACE_NONE)
        trace_csv_put_field(writer, model->categories[category].name.data,
                            model->categories[category].name.size);
}

static void put_track(struct trace_writer *writer, const struct trace_model *model, uint32_t track)
{
    const struct trace_text *name = &model->tracks[track].name;
    char text[TRACE_TRACK_NAME_SIZE];
    if (name->size != 0 && !model->tracks[track].is_name_shared) {
        trace_csv_put_field(writer, name->data, name->size);
        return;
    }
    trace_track_name(model, track, text);
    trace_csv_put_field(writer, text, strlen(text));
}

static bool reserve(struct kept_text **texts, uint32_t *count, uint32_t wanted)
{
    if (wanted <= *count)
        return true;
    struct kept_text *larger = realloc(*texts, wanted * sizeof *larger);
    if (larger == NULL)
        return false;
    memset(larger + *count, 0, (wanted - *count) * sizeof *larger);
    *texts = larger;
    *count = wanted;
    return true;
}

/* Writes what stands for a site or a track; a short text is made once. */
static bool put_kept(struct slice_export *slices, struct kept_text *kept,
                     const struct trace_model *model, uint32_t index,
                     void (*put)(struct trace_writer *writer, const struct trace_model *model,
                                 uint32_t index))
{
    if (kept->data == NULL) {
        struct trace_writer *own = malloc(sizeof *own);
        if (own == NULL)
            return false;
        trace_text_buffer_clear(&slices->scratch);
        trace_writer_start(own, (struct trace_output){&slices->scratch, append_scratch});
        put(own, model, index);
        (void)!trace_writer_flush(own); /* its failure is the buffer's */
        free(own);
        if (slices->scratch.has_failed)
            return false;
        trace_put(&slices->writer, slices->scratch.data, slices->scratch.size);
        kept->size = slices->scratch.size;
        if (kept->size <= KEPT_BYTES && (kept->data = malloc(kept->size + 1)) != NULL)
            memcpy(kept->data, slices->scratch.data, kept->size);
        return true;
    }
    trace_put(&slices->writer, kept->data, kept->size);
    return true;
}

/* --- rows ------------------------------------------------------------------------------------ */

/* A number and what stands behind it. */
static void put_number(struct trace_writer *writer, int64_t value, const char *behind)
{
    char *room = trace_writer_room(writer, TRACE_NUMBER_SIZE);
    trace_writer_advance(writer, room + trace_format_integer(value, room));
    trace_put_text(writer, behind);
}

static void put_known(struct trace_writer *writer, bool is_known, int64_t value)
{
    if (is_known)
        put_number(writer, value, ",");
    else
        trace_put_byte(writer, ',');
}

static bool put_slice(struct slice_export *slices, const struct trace_model *model,
                      const struct trace_slice *slice)
{
    const struct trace_path *path = &model->paths[slice->path];
    struct trace_writer *writer = &slices->writer;
    uint32_t domain = slices->chosen->plan.domain;
    if (!reserve(&slices->sites, &slices->site_count, model->site_count) ||
        !reserve(&slices->tracks, &slices->track_count, model->track_count))
        return false;
    put_number(writer, (int64_t)slice->slice_id, ",");
    put_known(writer, slice->parent_id != 0, (int64_t)slice->parent_id);
    if (!put_kept(slices, &slices->tracks[slice->track], model, slice->track, put_track))
        return false;
    trace_put_byte(writer, ',');
    if (!put_kept(slices, &slices->sites[path->site], model, path->site, put_site))
        return false;
    trace_put_byte(writer, ',');
    put_known(writer, slice->frame != TRACE_NONE,
              slice->frame == TRACE_NONE
                  ? 0
                  : (int64_t)model->domains[domain].frames[slice->frame].number);
    put_number(writer, path->depth, ",");
    put_number(writer, slice->begin_ns, ",");
    put_known(writer, !slice->is_incomplete, slice->duration_ns);
    put_number(writer, slice->known_ns, ",");
    put_known(writer, !slice->is_incomplete && !slice->has_children_lost, slice->exclusive_ns);
    put_number(writer, path->is_outermost, ",");
    put_number(writer, slice->is_incomplete, ",");
    put_number(writer, slice->has_children_lost, TRACE_CSV_LINE_END);
    slices->lines++;
    return true;
}

/* --- which slices ---------------------------------------------------------------------------- */

static bool is_in_window(struct slice_export *slices, int64_t time_ns)
{
    const struct trace_windows *windows = &slices->chosen->plan.windows;
    if (time_ns >= slices->from_ns && time_ns < slices->until_ns)
        return slices->is_inside;
    slices->from_ns = INT64_MIN;
    slices->until_ns = INT64_MAX;
    slices->is_inside = false;
    for (uint32_t w = 0; w < windows->count; w++)
        if (trace_span_list_contains(&windows->items[w].spans, time_ns, &slices->from_ns,
                                     &slices->until_ns))
            slices->is_inside = true;
    return slices->is_inside;
}

static bool is_shown(struct slice_export *slices, const struct trace_model *model,
                     const struct trace_slice *slice)
{
    return trace_pass_plan_counts(&slices->chosen->plan, slice->track) &&
           trace_chosen_shows(slices->chosen, model->paths[slice->path].site) &&
           is_in_window(slices, slice->begin_ns);
}

/* Whether one that began later was shown before. */
static bool is_late(struct slice_export *slices, const struct trace_slice *slice)
{
    if (slice->slice_id < slices->last_id)
        return true;
    slices->last_id = slice->slice_id;
    return false;
}

static enum ludus_status keep_late(void *context, const struct trace_model *model,
                                   const struct trace_slice *items, size_t count)
{
    struct slice_export *slices = context;
    for (size_t i = 0; i < count; i++)
        if (is_late(slices, &items[i]) && is_shown(slices, model, &items[i]) &&
            !trace_late_slices_add(slices->late, &items[i]))
            return LUDUS_ERROR_STATE; /* trace_late_slices_failure says why */
    return LUDUS_OK;
}

/* Writes the late slices that began before one. */
static enum ludus_status put_late(struct slice_export *slices, const struct trace_model *model,
                                  uint64_t before_id)
{
    const struct trace_slice *slice;
    while ((slice = trace_late_slices_next(slices->late)) != NULL && slice->slice_id < before_id) {
        if (!put_slice(slices, model, slice))
            return LUDUS_ERROR_MEMORY;
        if (!trace_late_slices_take(slices->late))
            return LUDUS_ERROR_STATE;
    }
    return slices->writer.status;
}

static enum ludus_status put_slices(void *context, const struct trace_model *model,
                                    const struct trace_slice *items, size_t count)
{
    struct slice_export *slices = context;
    enum ludus_status status = LUDUS_OK;
    for (size_t i = 0; status == LUDUS_OK && i < count; i++) {
        if (is_late(slices, &items[i]) || !is_shown(slices, model, &items[i]))
            continue;
        status = put_late(slices, model, items[i].slice_id);
        if (status == LUDUS_OK && !put_slice(slices, model, &items[i]))
            status = LUDUS_ERROR_MEMORY;
    }
    return status == LUDUS_OK ? slices->writer.status : status;
}

/* --- the export ------------------------------------------------------------------------------ */

/* What a pass stopped with, as a message where it has none. */
static enum ludus_status explain(struct slice_export *slices, enum ludus_status status,
                                 struct ludus_error *error)
{
    if (slices->writer.status != LUDUS_OK)
        return trace_fail(error, slices->writer.status, "the output cannot be written");
    if (status == LUDUS_ERROR_MEMORY)
        return trace_fail_memory(error);
    if (status == LUDUS_OK || status == LUDUS_ERROR_STATE) {
        enum ludus_status late = trace_late_slices_failure(slices->late, error);
        return late != LUDUS_OK ? late : status;
    }
    return status;
}

/* All tracks are in the pass, whichever are shown, so that ids are those of the whole capture. A
 * database shows slices in order; of a capture one pass more finds those that come late. */
static enum ludus_status run(struct slice_export *slices, struct trace_input *input,
                             const struct trace_pass_plan *plan, const struct trace_model *model,
                             struct ludus_error *error)
{
    struct trace_visitor visitor = {.context = slices, .slices = keep_late};
    enum ludus_status status = LUDUS_OK;
    if (trace_input_capture(input) != NULL)
        status = trace_input_run(input, plan, &visitor, error);
    slices->last_id = 0;
    visitor.slices = put_slices;
    if (status == LUDUS_OK) {
        trace_put_text(&slices->writer, header);
        status = trace_input_run(input, plan, &visitor, error);
    }
    if (status == LUDUS_OK)
        status = put_late(slices, model, UINT64_MAX);
    if (status == LUDUS_OK)
        status = trace_writer_flush(&slices->writer);
    return explain(slices, status, error);
}

static void destroy(struct slice_export *slices)
{
    for (uint32_t i = 0; i < slices->site_count; i++)
        free(slices->sites[i].data);
    for (uint32_t i = 0; i < slices->track_count; i++)
        free(slices->tracks[i].data);
    free(slices->sites);
    free(slices->tracks);
    trace_text_buffer_release(&slices->scratch);
    trace_late_slices_destroy(slices->late);
    free(slices);
}

static enum ludus_status export_chosen(struct trace_input *input,
                                       const struct trace_selection *selection,
                                       const struct trace_chosen *chosen,
                                       struct trace_output output, struct ludus_error *error)
{
    const struct trace_model *model;
    struct trace_pass_plan plan = {0};
    struct slice_export *slices = calloc(1, sizeof *slices);
    if (slices == NULL)
        return trace_fail_memory(error);
    enum ludus_status status = trace_late_slices_create(&slices->late, error);
    if (status == LUDUS_OK)
        status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);
    if (status == LUDUS_OK && !trace_pass_plan_set_default(&plan, model))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK) {
        plan.domain = chosen->plan.domain;
        plan.has_path_rows = false;
        plan.is_default = false;
        slices->chosen = chosen;
        slices->from_ns = INT64_MAX;
        trace_writer_start(&slices->writer, output);
        status = run(slices, input, &plan, model, error);
    }
    if (status == LUDUS_OK)
        status = trace_input_collect_warnings(input, model, error);
    if (status == LUDUS_OK && slices->lines == 0)
        status = trace_warn_of_empty_export(input, model, selection, TRACE_EXPORT_SLICES, error);
    trace_pass_plan_clear(&plan);
    destroy(slices);
    return status;
}

enum ludus_status trace_export_slices(struct trace_input *input,
                                      const struct trace_selection *selection,
                                      struct trace_output output, struct ludus_error *error)
{
    struct trace_chosen chosen;
    enum ludus_status status = trace_chosen_create(input, selection, &chosen, error);
    if (status != LUDUS_OK)
        return status;
    status = export_chosen(input, selection, &chosen, output, error);
    trace_chosen_destroy(&chosen);
    return status;
}
