/* Holds two models against each other, member by member. */
#include "model_assert.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "path_rows.h"

static void assert_text(struct trace_text a, struct trace_text b)
{
    ck_assert_uint_eq(a.size, b.size);
    ck_assert(a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static void assert_session(const struct trace_model *a, const struct trace_model *b)
{
    ck_assert_uint_eq(a->capture_id, b->capture_id);
    ck_assert_int_eq(a->start_unix_ns, b->start_unix_ns);
    ck_assert_int_eq(a->end_ns, b->end_ns);
    ck_assert_uint_eq(a->process_id, b->process_id);
    ck_assert_int_eq(a->is_finished, b->is_finished);
    ck_assert_uint_eq(a->unfinished_tail, b->unfinished_tail);
    ck_assert_uint_eq(a->file_bytes, b->file_bytes);
    ck_assert_uint_eq(a->blocks, b->blocks);
    ck_assert_uint_eq(a->blocks_skipped, b->blocks_skipped);
    ck_assert_uint_eq(a->events, b->events);
    ck_assert_uint_eq(a->slices, b->slices);
    ck_assert_uint_eq(a->instants, b->instants);
    ck_assert_int_eq(a->has_counts, b->has_counts);
    ck_assert_mem_eq(&a->recorded, &b->recorded, sizeof a->recorded);
    ck_assert_mem_eq(&a->dropped, &b->dropped, sizeof a->dropped);
    ck_assert_uint_eq(a->fact_count, b->fact_count);
    for (uint32_t i = 0; i < a->fact_count; i++) {
        assert_text(a->facts[i].key, b->facts[i].key);
        assert_text(a->facts[i].value, b->facts[i].value);
    }
    ck_assert_uint_eq(a->clock_count, b->clock_count);
    for (uint32_t i = 0; i < a->clock_count; i++) {
        const struct trace_clock *x = &a->clocks[i], *y = &b->clocks[i];

        ck_assert_uint_eq(x->ticks_per_second, y->ticks_per_second);
        ck_assert_uint_eq(x->step, y->step);
        assert_text(x->reason, y->reason);
        ck_assert_uint_eq(x->id, y->id);
        ck_assert_uint_eq(x->source, y->source);
        ck_assert_uint_eq(x->calibrations, y->calibrations);
        ck_assert_uint_eq(x->max_uncertainty_ns, y->max_uncertainty_ns);
        ck_assert_int_eq(x->max_residual_ns, y->max_residual_ns);
        ck_assert_int_eq(x->max_residual_ppb, y->max_residual_ppb);
    }
}

static void assert_sites(const struct trace_model *a, const struct trace_model *b)
{
    ck_assert_uint_eq(a->category_count, b->category_count);
    for (uint32_t i = 0; i < a->category_count; i++) {
        assert_text(a->categories[i].name, b->categories[i].name);
        ck_assert_uint_eq(a->categories[i].colour, b->categories[i].colour);
        ck_assert_int_eq(a->categories[i].is_waiting, b->categories[i].is_waiting);
    }
    ck_assert_uint_eq(a->site_count, b->site_count);
    for (uint32_t i = 0; i < a->site_count; i++) {
        const struct trace_site *x = &a->sites[i], *y = &b->sites[i];

        ck_assert_uint_eq(x->identity, y->identity);
        assert_text(x->name, y->name);
        assert_text(x->file, y->file);
        assert_text(x->function, y->function);
        ck_assert_uint_eq(x->id, y->id);
        ck_assert_uint_eq(x->line, y->line);
        ck_assert_uint_eq(x->category, y->category);
    }
    ck_assert_uint_eq(a->path_count, b->path_count);
    for (uint32_t i = 0; i < a->path_count; i++) {
        ck_assert_uint_eq(a->paths[i].parent, b->paths[i].parent);
        ck_assert_uint_eq(a->paths[i].site, b->paths[i].site);
        ck_assert_uint_eq(a->paths[i].depth, b->paths[i].depth);
        ck_assert_int_eq(a->paths[i].is_outermost, b->paths[i].is_outermost);
    }
}

static void assert_sched(const struct trace_sched_sums *a, const struct trace_sched_sums *b)
{
    ck_assert_int_eq(a->sampled_ns, b->sampled_ns);
    ck_assert_int_eq(a->run_ns, b->run_ns);
    ck_assert_int_eq(a->wait_ns, b->wait_ns);
}

static void assert_tracks(const struct trace_model *a, const struct trace_model *b)
{
    assert_sched(&a->machine, &b->machine);
    ck_assert_uint_eq(a->track_count, b->track_count);
    for (uint32_t i = 0; i < a->track_count; i++) {
        const struct trace_track *x = &a->tracks[i], *y = &b->tracks[i];

        assert_text(x->name, y->name);
        ck_assert_uint_eq(x->os_id, y->os_id);
        ck_assert_int_eq(x->begin_ns, y->begin_ns);
        ck_assert_int_eq(x->end_ns, y->end_ns);
        ck_assert_uint_eq(x->id, y->id);
        ck_assert_uint_eq(x->kind, y->kind);
        ck_assert_int_eq(x->has_ended, y->has_ended);
        ck_assert_int_eq(x->is_defined, y->is_defined);
        ck_assert_uint_eq(x->slices, y->slices);
        ck_assert_uint_eq(x->instants, y->instants);
        ck_assert_uint_eq(x->incomplete, y->incomplete);
        assert_sched(&x->sched, &y->sched);
    }
    ck_assert_uint_eq(a->domain_count, b->domain_count);
    for (uint32_t i = 0; i < a->domain_count; i++) {
        const struct trace_domain *x = &a->domains[i], *y = &b->domains[i];

        assert_text(x->name, y->name);
        ck_assert_uint_eq(x->id, y->id);
        ck_assert_uint_eq(x->complete_count, y->complete_count);
        ck_assert_uint_eq(x->marks_missing, y->marks_missing);
        ck_assert_uint_eq(x->frame_count, y->frame_count);
        ck_assert_uint_eq(x->frames_before, y->frames_before);
        ck_assert_uint_eq(x->marks_behind, y->marks_behind);
        for (uint32_t f = 0; f < x->frame_count; f++) {
            ck_assert_int_eq(x->frames[f].begin_ns, y->frames[f].begin_ns);
            ck_assert_uint_eq(x->frames[f].number, y->frames[f].number);
            ck_assert_uint_eq(trace_domain_mark_track(x, f), trace_domain_mark_track(y, f));
        }
    }
}

static void assert_stats(const struct trace_stats *a, const struct trace_stats *b)
{
    ck_assert_uint_eq(a->subject, b->subject);
    ck_assert_uint_eq(a->track, b->track);
    ck_assert_uint_eq(a->window, b->window);
    ck_assert_uint_eq(a->nested_calls, b->nested_calls);
    ck_assert_int_eq(a->frames, b->frames);
    ck_assert_uint_eq(a->sums.calls, b->sums.calls);
    ck_assert_uint_eq(a->sums.outermost_calls, b->sums.outermost_calls);
    ck_assert_uint_eq(a->sums.recursive_calls, b->sums.recursive_calls);
    ck_assert_uint_eq(a->sums.exclusive_calls, b->sums.exclusive_calls);
    ck_assert_uint_eq(a->sums.incomplete, b->sums.incomplete);
    ck_assert_uint_eq(a->sums.children_lost, b->sums.children_lost);
    ck_assert_int_eq(a->sums.inclusive_ns, b->sums.inclusive_ns);
    ck_assert_int_eq(a->sums.exclusive_ns, b->sums.exclusive_ns);
}

static void assert_windows(const struct trace_model *a, const struct trace_model *b)
{
    ck_assert_uint_eq(a->window_count, b->window_count);
    for (uint32_t i = 0; i < a->window_count; i++) {
        const struct trace_stat_window *x = &a->windows[i], *y = &b->windows[i];
        assert_text(x->name, y->name);
        ck_assert_int_eq(x->is_frames, y->is_frames);
        ck_assert_uint_eq(x->domain, y->domain);
        ck_assert_int_eq(x->begin_ns, y->begin_ns);
        ck_assert_int_eq(x->end_ns, y->end_ns);
        ck_assert_int_eq(x->frames, y->frames);
        for (uint32_t track = 0; i % 2 == 0 && track < a->track_count; track++) {
            const struct trace_track_stats *p = trace_model_track_stats(a, i / 2, track);
            const struct trace_track_stats *q = trace_model_track_stats(b, i / 2, track);
            ck_assert_uint_eq(p->slices, q->slices);
            ck_assert_uint_eq(p->incomplete, q->incomplete);
            ck_assert_int_eq(p->frames, q->frames);
            ck_assert_int_eq(p->frames_lost, q->frames_lost);
            ck_assert_int_eq(p->frame_ns, q->frame_ns);
            ck_assert_int_eq(p->covered_ns, q->covered_ns);
        }
    }
}

static void assert_statistics(const struct trace_model *a, const struct trace_model *b)
{
    assert_windows(a, b);
    ck_assert_uint_eq(a->site_stats_count, b->site_stats_count);
    for (uint32_t i = 0; i < a->site_stats_count; i++)
        assert_stats(&a->site_stats[i], &b->site_stats[i]);
    struct trace_stats *rows_a, *rows_b;
    uint32_t count_a, count_b;
    ck_assert(trace_path_rows_list(a, &rows_a, &count_a) &&
              trace_path_rows_list(b, &rows_b, &count_b));
    ck_assert_uint_eq(count_a, count_b);
    for (uint32_t i = 0; i < count_a; i++)
        assert_stats(&rows_a[i], &rows_b[i]);
    free(rows_a);
    free(rows_b);
}

static void assert_losses(const struct trace_model *a, const struct trace_model *b)
{
    ck_assert_uint_eq(a->loss_count, b->loss_count);
    for (uint32_t i = 0; i < a->loss_count; i++) {
        const struct trace_loss *x = &a->losses[i], *y = &b->losses[i];

        ck_assert_mem_eq(&x->counts, &y->counts, sizeof x->counts);
        ck_assert_uint_eq(x->events, y->events);
        ck_assert_int_eq(x->begin_ns, y->begin_ns);
        ck_assert_int_eq(x->end_ns, y->end_ns);
        ck_assert_uint_eq(x->track, y->track);
        ck_assert_uint_eq(x->cause, y->cause);
    }
    ck_assert_uint_eq(a->diagnostic_count, b->diagnostic_count);
    for (uint32_t i = 0; i < a->diagnostic_count; i++) {
        const struct trace_diagnostic *x = &a->diagnostics[i], *y = &b->diagnostics[i];

        assert_text(x->text, y->text);
        ck_assert_uint_eq(x->count, y->count);
        ck_assert_int_eq(x->time_ns, y->time_ns);
        ck_assert_uint_eq(x->code, y->code);
        ck_assert_uint_eq(x->track, y->track);
    }
    ck_assert_uint_eq(a->damage_count, b->damage_count);
    for (uint32_t i = 0; i < a->damage_count; i++) {
        ck_assert_uint_eq(a->damages[i].offset, b->damages[i].offset);
        ck_assert_uint_eq(a->damages[i].size, b->damages[i].size);
        ck_assert_str_eq(a->damages[i].reason, b->damages[i].reason);
    }
}

static void assert_gpu(const struct trace_model *a, const struct trace_model *b)
{
    ck_assert_uint_eq(a->sources, b->sources);
    ck_assert_uint_eq(a->gpu_queue_count, b->gpu_queue_count);
    for (uint32_t i = 0; i < a->gpu_queue_count; i++) {
        const struct trace_gpu_queue *x = &a->gpu_queues[i], *y = &b->gpu_queues[i];

        assert_text(x->backend, y->backend);
        assert_text(x->device, y->device);
        assert_text(x->name, y->name);
        assert_text(x->pass_reason, y->pass_reason);
        assert_text(x->calibration_reason, y->calibration_reason);
        ck_assert_uint_eq(x->period_fs, y->period_fs);
        ck_assert_uint_eq(x->track, y->track);
        ck_assert_uint_eq(x->generation, y->generation);
        ck_assert_uint_eq(x->valid_bits, y->valid_bits);
    }
    ck_assert_uint_eq(a->gpu_count_count, b->gpu_count_count);
    for (uint32_t i = 0; i < a->gpu_count_count; i++) {
        const struct trace_gpu_count *x = &a->gpu_counts[i], *y = &b->gpu_counts[i];

        ck_assert_uint_eq(x->count, y->count);
        ck_assert_uint_eq(x->track, y->track);
        ck_assert_uint_eq(x->subject, y->subject);
        ck_assert_uint_eq(x->outcome, y->outcome);
    }
}

static void assert_window(const struct trace_model *a, const struct trace_model *b)
{
    ck_assert_int_eq(a->has_window, b->has_window);
    ck_assert_int_eq(a->window_begin_ns, b->window_begin_ns);
    ck_assert_uint_eq(a->slices_begun_before, b->slices_begun_before);
    ck_assert_uint_eq(a->trigger_count, b->trigger_count);
    for (uint32_t i = 0; i < a->trigger_count; i++) {
        const struct trace_trigger *x = &a->triggers[i], *y = &b->triggers[i];

        assert_text(x->text, y->text);
        ck_assert_uint_eq(x->frame_number, y->frame_number);
        ck_assert_int_eq(x->duration_ns, y->duration_ns);
        ck_assert_int_eq(x->limit_ns, y->limit_ns);
        ck_assert_int_eq(x->time_ns, y->time_ns);
        ck_assert_uint_eq(x->cause, y->cause);
        ck_assert_uint_eq(x->domain, y->domain);
    }
}

void model_assert_equal(const struct trace_model *a, const struct trace_model *b)
{
    ck_assert(b->has_statistics);
    assert_session(a, b);
    assert_sites(a, b);
    assert_tracks(a, b);
    assert_statistics(a, b);
    assert_losses(a, b);
    assert_gpu(a, b);
    assert_window(a, b);
}
