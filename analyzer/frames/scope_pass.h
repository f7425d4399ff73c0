/* One pass that adds up the own times and calls of scopes by frame. Private to frame_scopes.c. */
#ifndef TRACE_SCOPE_PASS_H
#define TRACE_SCOPE_PASS_H

#include "frame_matrix.h"
#include "frame_scopes.h"
#include "frame_sums.h"
#include "own_times.h"
#include "slice_parts.h"

/* Values of the matrix for each subject and frame, side by side: own time, and calls. */
#define TRACE_SCOPE_ROWS 2u

struct trace_scope_pass {
    const struct trace_frame_question *question;
    struct trace_frame_scopes *scopes;
    struct trace_frame_matrix matrix;
    uint32_t column_count;
    struct trace_scope_place *places; /* by site */
    uint32_t site_count;              /* of them */
    const uint32_t *columns;      /* by column of the list: that of the matrix; NULL: the same */
    struct trace_frame_sums sums; /* of a sparse pass */
    bool is_sparse;
    bool has_failed; /* no memory for them */
    struct trace_slice_parts parts;
    bool has_fixed; /* the fixed subjects are in the matrix, first */
    bool is_first;  /* pass of all */
};

/* A pass with subjects for `sites` in a matrix of so many columns. Errors: those of
 * trace_input_run. */
LUDUS_CHECKED enum ludus_status trace_scope_pass_run(struct trace_scope_pass *pass,
                                                     const uint32_t *sites, uint32_t count,
                                                     uint32_t column_count,
                                                     struct ludus_error *error);

/* A pass that adds up own times of all sites in the frames of which `columns` tells the place in
 * the pass's `sums`, which the caller makes. Errors: likewise. */
LUDUS_CHECKED enum ludus_status trace_scope_pass_run_sparse(struct trace_scope_pass *pass,
                                                            struct ludus_error *error);

/* What it found of a subject in a column of the matrix. */
static inline struct trace_scope_value trace_scope_pass_value(const struct trace_scope_pass *pass,
                                                              uint32_t subject, uint32_t column)
{
    return (struct trace_scope_value){
        trace_frame_matrix_value(&pass->matrix, subject, column * TRACE_SCOPE_ROWS),
        trace_frame_matrix_value(&pass->matrix, subject, column * TRACE_SCOPE_ROWS + 1)};
}

#endif
