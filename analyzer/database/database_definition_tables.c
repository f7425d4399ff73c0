/* Fills the tables of what events name: categories, sites, tracks, frames, paths. */
#include "database_model_target.h"

#include <stdio.h>

#include "database_insert.h"
#include "frame_percentiles.h"
#include "frame_table.h"
#include "lcap_layout.h"

int trace_insert_categories(struct trace_model_target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "category",
                      "category_id, capture_id, name, colour, waiting");
    for (i = 0; i < target->model->category_count; i++) {
        const struct trace_category *category = &target->model->categories[i];
        char colour[16];

        trace_insert_id(&insert, target->bases->category, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_text(&insert, category->name, &target->replaced);
        (void)snprintf(colour, sizeof colour, "#%06x", (unsigned)category->colour);
        if (category->colour == LCAP_NO_COLOUR)
            trace_insert_null(&insert);
        else
            trace_insert_string(&insert, colour);
        trace_insert_integer(&insert, category->is_waiting);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

int trace_insert_sites(struct trace_model_target *target)
{
    const struct trace_model *model = target->model;
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "site",
                      "site_id, capture_id, identity, name, file, line, function, category, "
                      "category_id, recorded_id");
    for (i = 0; i < model->site_count; i++) {
        const struct trace_site *site = &model->sites[i];

        trace_insert_id(&insert, target->bases->site, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_identity(&insert, site->identity);
        trace_insert_text(&insert, site->name, &target->replaced);
        trace_insert_text_or_null(&insert, site->file, &target->replaced);
        trace_insert_integer(&insert, site->line);
        trace_insert_text_or_null(&insert, site->function, &target->replaced);
        if (site->category == TRACE_NONE)
            trace_insert_null(&insert);
        else
            trace_insert_text(&insert, model->categories[site->category].name, NULL);
        trace_insert_id(&insert, target->bases->category, site->category);
        trace_insert_integer(&insert, site->id);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

void trace_insert_sched(struct trace_insert *insert, const struct trace_sched_sums *sched)
{
    trace_insert_integer(insert, sched->sampled_ns);
    trace_insert_integer(insert, sched->run_ns);
    trace_insert_integer(insert, sched->wait_ns);
}

int trace_insert_tracks(struct trace_model_target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "track",
                      "track_id, capture_id, name, kind, os_id, begin_ns, end_ns, ended, defined, "
                      "recorded_id, slices, instants, incomplete, sampled_ns, run_ns, wait_ns");
    for (i = 0; i < target->model->track_count; i++) {
        const struct trace_track *track = &target->model->tracks[i];

        trace_insert_id(&insert, target->bases->track, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_text_or_null(&insert, track->name, &target->replaced);
        trace_insert_name(&insert, TRACE_NAME_TRACK_KIND, track->kind);
        trace_insert_count(&insert, track->os_id);
        trace_insert_integer(&insert, track->begin_ns);
        trace_insert_integer(&insert, track->end_ns);
        trace_insert_integer(&insert, track->has_ended);
        trace_insert_integer(&insert, track->is_defined);
        trace_insert_integer(&insert, track->id);
        trace_insert_count(&insert, track->slices);
        trace_insert_count(&insert, track->instants);
        trace_insert_count(&insert, track->incomplete);
        trace_insert_sched(&insert, &track->sched);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

int trace_insert_domains(struct trace_model_target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "domain",
                      "domain_id, capture_id, name, recorded_id, frames, complete_frames, "
                      "marks_missing, marking_track_id");
    for (i = 0; i < target->model->domain_count; i++) {
        const struct trace_domain *domain = &target->model->domains[i];
        uint32_t marker;

        if (!trace_domain_find_marker(domain, &marker))
            insert.status = SQLITE_NOMEM;
        trace_insert_id(&insert, target->bases->domain, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_text(&insert, domain->name, &target->replaced);
        trace_insert_integer(&insert, domain->id);
        trace_insert_integer(&insert, domain->frame_count);
        trace_insert_integer(&insert, domain->complete_count);
        trace_insert_count(&insert, domain->marks_missing);
        trace_insert_id(&insert, target->bases->track, marker);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static void insert_domain_frames(struct trace_model_target *target, struct trace_insert *insert,
                                 uint32_t domain_index, int64_t *frame_id)
{
    const struct trace_domain *domain = &target->model->domains[domain_index];
    uint32_t i;

    for (i = 0; i < domain->frame_count; i++) {
        bool is_complete = trace_frame_is_complete(domain, i);

        trace_insert_integer(insert, ++*frame_id);
        trace_insert_integer(insert, target->capture);
        trace_insert_id(insert, target->bases->domain, domain_index);
        trace_insert_text(insert, domain->name, NULL);
        trace_insert_count(insert, domain->frames[i].number);
        trace_insert_integer(insert, domain->frames[i].begin_ns);
        if (is_complete)
            trace_insert_integer(insert,
                                 domain->frames[i + 1].begin_ns - domain->frames[i].begin_ns);
        else
            trace_insert_null(insert);
        trace_insert_integer(insert, is_complete);
        trace_insert_id(insert, target->bases->track, trace_domain_mark_track(domain, i));
        trace_insert_row(insert);
    }
}

int trace_insert_frames(struct trace_model_target *target)
{
    struct trace_insert insert;
    int64_t frame_id = target->bases->frame;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "frame",
                      "frame_id, capture_id, domain_id, domain, number, begin_ns, duration_ns, "
                      "complete, track_id");
    for (i = 0; i < target->model->domain_count; i++)
        insert_domain_frames(target, &insert, i, &frame_id);
    return trace_insert_close(&insert);
}

int trace_insert_paths(struct trace_model_target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "path",
                      "path_id, capture_id, parent_path_id, site_id, depth, outermost");
    for (i = 1; i < target->model->path_count; i++) {
        const struct trace_path *path = &target->model->paths[i];

        trace_insert_integer(&insert, target->bases->path + (int64_t)i);
        trace_insert_integer(&insert, target->capture);
        if (path->parent == 0)
            trace_insert_null(&insert);
        else
            trace_insert_integer(&insert, target->bases->path + (int64_t)path->parent);
        trace_insert_id(&insert, target->bases->site, path->site);
        trace_insert_integer(&insert, path->depth);
        trace_insert_integer(&insert, path->is_outermost);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}
