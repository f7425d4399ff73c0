/* Holds models, and what a pass shows, against the reference. A test fails when they differ. */
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include "model_reference.h"
#include "slice_collector.h"

/* The id of a track's index; 0 for TRACE_NONE. */
uint32_t model_track_id(const struct trace_model *model, uint32_t index);

/* All statistics: windows, rows and tracks. `has_paths`: rows of paths were asked for. */
void model_check_statistics(struct reference_view *view, const struct trace_model *model,
                            bool has_paths);

/* The slices of all tracks that count, by track in order of begin. */
void model_check_slices(const struct reference_view *view, const struct trace_model *model,
                        const struct slice_collector *shown);

/* The shown slices, and the model's own tracks, frames and losses, as a view: what is added up must
 * be what is shown. */
struct shown_view {
    struct reference_view view;
    struct reference_track *tracks;
    struct reference_loss *losses;
};
void shown_view_create(struct shown_view *shown_view, const struct trace_model *model,
                       const struct slice_collector *shown);
void shown_view_destroy(struct shown_view *shown_view);

#endif
