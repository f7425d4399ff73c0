/* Finds the subjects of GPU samples, and adds up what counts for them. */
#include "gpu_totals.h"

#include <stdlib.h>
#include <string.h>

#include "lcap_layout.h"

/* What is known of a track: the submitted frame whose passes come one behind the other. */
struct trace_gpu_run {
    uint64_t frame;
    uint32_t counted;    /* bit w: it counts in window w for a valid pass of it */
    uint32_t calibrated; /* likewise, for a calibrated one */
    uint32_t readings;   /* index of the track's plus one; or 0 */
    bool is_begun;
};

/* --- subjects -------------------------------------------------------------------------------- */

static uint32_t hash_of(enum trace_gpu_kind kind, uint32_t track, uint32_t site, uint32_t operation)
{
    uint64_t hash = ((uint64_t)track << 32 | site) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= ((uint64_t)operation << 2 | (uint64_t)kind) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (uint32_t)(hash >> 32 ^ hash);
}

static bool is_same(const struct trace_gpu_subject *subject, enum trace_gpu_kind kind,
                    uint32_t track, uint32_t site, uint32_t operation)
{
    return subject->kind == kind && subject->track == track && subject->site == site &&
           subject->operation == operation;
}

/* Where the subject is in the table, or belongs. */
static uint32_t place_in(const struct trace_gpu_totals *totals, enum trace_gpu_kind kind,
                         uint32_t track, uint32_t site, uint32_t operation)
{
    uint32_t at = hash_of(kind, track, site, operation) & (totals->table_size - 1);
    while (totals->table[at] != 0 &&
           !is_same(&totals->subjects[totals->table[at] - 1], kind, track, site, operation))
        at = (at + 1) & (totals->table_size - 1);
    return at;
}

uint32_t trace_gpu_find(const struct trace_gpu_totals *totals, enum trace_gpu_kind kind,
                        uint32_t track, uint32_t site, uint32_t operation)
{
    if (totals->table_size == 0)
        return TRACE_NONE;
    const uint32_t found = totals->table[place_in(totals, kind, track, site, operation)];
    return found == 0 ? TRACE_NONE : found - 1;
}

static bool grow_table(struct trace_gpu_totals *totals)
{
    if (totals->count * 2 < totals->table_size)
        return true;
    const uint32_t size = totals->table_size == 0 ? 64 : totals->table_size * 2;
    uint32_t *table = calloc(size, sizeof *table);
    if (table == NULL)
        return false;
    free(totals->table);
    totals->table = table;
    totals->table_size = size;
    for (uint32_t i = 0; i < totals->count; i++) {
        const struct trace_gpu_subject *subject = &totals->subjects[i];
        table[place_in(totals, subject->kind, subject->track, subject->site, subject->operation)] =
            i + 1;
    }
    return true;
}

/* The sums of a subject, made when it is new; NULL when there is no memory. */
static struct trace_gpu_sums *sums_of(struct trace_gpu_totals *totals, enum trace_gpu_kind kind,
                                      uint32_t track, uint32_t site, uint32_t operation)
{
    const uint32_t found = trace_gpu_find(totals, kind, track, site, operation);
    if (found != TRACE_NONE)
        return totals->subjects[found].sums;
    if (!grow_table(totals) ||
        !trace_array_grow(&totals->subjects, totals->count, sizeof *totals->subjects))
        return NULL;
    struct trace_gpu_sums *sums = calloc(totals->windows, sizeof *sums);
    if (sums == NULL)
        return NULL;
    totals->table[place_in(totals, kind, track, site, operation)] = totals->count + 1;
    totals->subjects[totals->count++] =
        (struct trace_gpu_subject){kind, track, site, operation, sums};
    return sums;
}

/* Numbers that are not known are one operation: a forged capture may have any. */
static uint32_t known_operation(uint32_t operation)
{
    return operation <= LCAP_GPU_MIXED ? operation : 0;
}

struct trace_gpu_pass_subjects trace_gpu_subjects_of(const struct trace_gpu_totals *totals,
                                                     const struct trace_gpu_pass *pass)
{
    return (struct trace_gpu_pass_subjects){
        .index = {trace_gpu_find(totals, TRACE_GPU_PASSES, pass->track, pass->site,
                                 known_operation(pass->operation)),
                  trace_gpu_find(totals, TRACE_GPU_QUEUE_PASSES, pass->track, TRACE_NONE, 0),
                  trace_gpu_find(totals, TRACE_GPU_ALL_PASSES, TRACE_NONE, TRACE_NONE, 0)}};
}

/* --- samples --------------------------------------------------------------------------------- */

static void add_valid(struct trace_gpu_sums *sums, const struct trace_gpu_time *time,
                      uint32_t logical)
{
    if (sums->valid++ == 0 || time->duration_ns < sums->min_ns)
        sums->min_ns = time->duration_ns;
    if (time->duration_ns > sums->max_ns)
        sums->max_ns = time->duration_ns;
    sums->logical += logical;
    sums->sum_ns = trace_sum(sums->sum_ns, time->duration_ns);
    if (!time->has_begin)
        return;
    sums->calibrated++;
    sums->calibrated_ns = trace_sum(sums->calibrated_ns, time->duration_ns);
    if (time->uncertainty_ns > sums->most_uncertainty_ns)
        sums->most_uncertainty_ns = time->uncertainty_ns;
}

static void add_time(const struct trace_gpu_totals *totals, struct trace_gpu_sums *sums,
                     const struct trace_gpu_time *time, struct trace_gpu_place place,
                     uint32_t logical)
{
    for (uint32_t w = 0; w < totals->windows; w++) {
        sums[w].outside += place.outside >> w & 1u;
        if ((place.windows >> w & 1u) == 0)
            continue;
        if (time->duration_ns < 0)
            sums[w].not_valid++;
        else
            add_valid(&sums[w], time, logical);
    }
}

static enum ludus_status take_frame(void *context, const struct trace_model *model,
                                    const struct trace_gpu_frame *frame)
{
    struct trace_gpu_totals *totals = context;
    (void)model;
    if (!trace_pass_plan_counts(totals->plan, frame->track))
        return LUDUS_OK;
    struct trace_gpu_sums *sums = sums_of(totals, TRACE_GPU_FRAMES, frame->track, TRACE_NONE, 0);
    if (sums == NULL)
        return LUDUS_ERROR_MEMORY;
    add_time(totals, sums, &frame->time, trace_gpu_place_at(&totals->places, frame->time.submit_ns),
             0);
    return LUDUS_OK;
}

/* Counts the submitted frame of a pass, once in each window. */
static void count_frame(struct trace_gpu_totals *totals, struct trace_gpu_sums *sums,
                        const struct trace_gpu_pass *pass, struct trace_gpu_place place)
{
    struct trace_gpu_run *run = &totals->runs[pass->track];
    if (!run->is_begun || run->frame != pass->frame)
        *run = (struct trace_gpu_run){
            .frame = pass->frame, .readings = run->readings, .is_begun = true};
    if (pass->time.duration_ns < 0)
        return;
    const uint32_t is_new = place.windows & ~run->counted;
    const uint32_t is_newly_calibrated =
        pass->time.has_begin ? place.windows & ~run->calibrated : 0;
    run->counted |= is_new;
    run->calibrated |= is_newly_calibrated;
    for (uint32_t w = 0; w < totals->windows; w++) {
        sums[w].frames += is_new >> w & 1u;
        sums[w].calibrated_frames += is_newly_calibrated >> w & 1u;
    }
}

static enum ludus_status take_pass(void *context, const struct trace_model *model,
                                   const struct trace_gpu_pass *pass)
{
    struct trace_gpu_totals *totals = context;
    (void)model;
    if (pass->track >= totals->run_count || !trace_pass_plan_counts(totals->plan, pass->track))
        return LUDUS_OK;
    const struct trace_gpu_place place = trace_gpu_place_at(&totals->places, pass->time.submit_ns);
    const struct {
        enum trace_gpu_kind kind;
        uint32_t track, site, operation;
    } keys[] = {{TRACE_GPU_PASSES, pass->track, pass->site, known_operation(pass->operation)},
                {TRACE_GPU_QUEUE_PASSES, pass->track, TRACE_NONE, 0},
                {TRACE_GPU_ALL_PASSES, TRACE_NONE, TRACE_NONE, 0}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct trace_gpu_sums *sums =
            sums_of(totals, keys[i].kind, keys[i].track, keys[i].site, keys[i].operation);
        if (sums == NULL)
            return LUDUS_ERROR_MEMORY;
        add_time(totals, sums, &pass->time, place, pass->logical_passes);
        if (keys[i].kind == TRACE_GPU_QUEUE_PASSES)
            count_frame(totals, sums, pass, place);
    }
    return LUDUS_OK;
}

static enum ludus_status take_calibration(void *context, const struct trace_model *model,
                                          const struct trace_gpu_calibration *calibration)
{
    struct trace_gpu_totals *totals = context;
    const uint32_t track = calibration->track;
    (void)model;
    if (track >= totals->run_count || !trace_pass_plan_counts(totals->plan, track))
        return LUDUS_OK;
    if (totals->runs[track].readings == 0) {
        if (!trace_array_grow(&totals->readings, totals->reading_count, sizeof *totals->readings))
            return LUDUS_ERROR_MEMORY;
        totals->readings[totals->reading_count++] = (struct trace_gpu_readings){.track = track};
        totals->runs[track].readings = totals->reading_count;
    }
    const uint32_t mapping = calibration->mapping < TRACE_GPU_MAPPINGS ? calibration->mapping : 0;
    struct trace_gpu_readings *readings = &totals->readings[totals->runs[track].readings - 1];
    readings->counts[mapping]++;
    if (calibration->uncertainty_ns > readings->most_uncertainty_ns[mapping])
        readings->most_uncertainty_ns[mapping] = calibration->uncertainty_ns;
    return LUDUS_OK;
}

/* --- all ------------------------------------------------------------------------------------- */

bool trace_gpu_totals_create(struct trace_gpu_totals *totals, const struct trace_model *model,
                             const struct trace_pass_plan *plan)
{
    *totals = (struct trace_gpu_totals){.plan = plan,
                                        .places = trace_gpu_places_of(model, plan),
                                        .windows = plan->windows.count,
                                        .run_count = model->track_count};
    totals->runs = calloc((size_t)model->track_count + 1, sizeof *totals->runs);
    return totals->runs != NULL;
}

struct trace_visitor trace_gpu_totals_visitor(struct trace_gpu_totals *totals, bool has_passes)
{
    return (struct trace_visitor){.context = totals,
                                  .gpu_frame = take_frame,
                                  .gpu_pass = has_passes ? take_pass : NULL,
                                  .gpu_calibration = has_passes ? take_calibration : NULL};
}

void trace_gpu_totals_destroy(struct trace_gpu_totals *totals)
{
    for (uint32_t i = 0; i < totals->count; i++)
        free(totals->subjects[i].sums);
    free(totals->subjects);
    free(totals->table);
    free(totals->runs);
    free(totals->readings);
    *totals = (struct trace_gpu_totals){0};
}

/* --- rows ------------------------------------------------------------------------------------ */

static struct trace_gpu_stats row_of(const struct trace_gpu_totals *totals,
                                     const struct trace_gpu_subject *subject, uint32_t window)
{
    const struct trace_gpu_sums *sums = &subject->sums[window];
    const uint32_t queue =
        trace_gpu_find(totals, TRACE_GPU_QUEUE_PASSES, subject->track, TRACE_NONE, 0);
    const bool is_pass = subject->kind == TRACE_GPU_PASSES;
    return (struct trace_gpu_stats){.track = subject->track,
                                    .site = subject->site,
                                    .operation = subject->operation,
                                    .window = window,
                                    .valid = sums->valid,
                                    .not_valid = sums->not_valid,
                                    .outside = sums->outside,
                                    .logical = sums->logical,
                                    .frames = is_pass ? totals->subjects[queue].sums[window].frames
                                                      : sums->valid,
                                    .sum_ns = sums->sum_ns,
                                    .min_ns = sums->min_ns,
                                    .max_ns = sums->max_ns};
}

static int compare_rows(const void *a, const void *b)
{
    const struct trace_gpu_stats *left = a, *right = b;
    if (left->track != right->track)
        return left->track < right->track ? -1 : 1;
    if (left->site != right->site) /* frames, of no site, come first */
        return left->site + 1 < right->site + 1 ? -1 : 1;
    if (left->operation != right->operation)
        return left->operation < right->operation ? -1 : 1;
    return (left->window > right->window) - (left->window < right->window);
}

bool trace_gpu_totals_fill(const struct trace_gpu_totals *totals, struct trace_model *model)
{
    model->gpu_stats_count = 0;
    for (uint32_t i = 0; i < totals->count; i++) {
        const struct trace_gpu_subject *subject = &totals->subjects[i];
        if (subject->kind != TRACE_GPU_FRAMES && subject->kind != TRACE_GPU_PASSES)
            continue;
        for (uint32_t w = 0; w < totals->windows; w++) {
            if (!trace_array_grow(&model->gpu_stats, model->gpu_stats_count,
                                  sizeof *model->gpu_stats))
                return false;
            model->gpu_stats[model->gpu_stats_count++] = row_of(totals, subject, w);
        }
    }
    if (model->gpu_stats_count != 0)
        qsort(model->gpu_stats, model->gpu_stats_count, sizeof *model->gpu_stats, compare_rows);
    return true;
}
