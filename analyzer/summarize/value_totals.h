/* Counters, gauges and marks (instants) by window: totals of all of them, and of counters the sum
 * in each frame. Private to the analyzer. */
#ifndef TRACE_VALUE_TOTALS_H
#define TRACE_VALUE_TOTALS_H

#include "frame_matrix.h"
#include "selection.h"

/* Of one site in one window. */
struct trace_value_total {
    uint64_t count;      /* increments other than 0, values of a gauge, or instants */
    uint64_t not_finite; /* values of a gauge that are left out below */
    int64_t total;       /* of increments */
    int64_t outside;     /* the part of it that is in none of the window's complete frames */
    uint64_t in_frames;  /* instants that are in one */
    int64_t first_ns, last_ns;
    double sum, rest; /* of a gauge: both together */
    double least, most, last;
    uint32_t last_track;
};

enum trace_value_kind { TRACE_VALUE_COUNTER, TRACE_VALUE_GAUGE, TRACE_VALUE_MARK };

/* One that was seen. */
struct trace_value_subject {
    uint32_t site;
    enum trace_value_kind kind;
    struct trace_value_total *totals; /* by window */
    uint32_t row;                     /* of a counter: in the matrix, or TRACE_NONE */
};

/* Bounds of memory: all sums by frame together. What does not fit takes another pass. */
#define TRACE_VALUE_BUDGET_BYTES ((size_t)16 << 20)

/* All zero is none. */
struct trace_value_totals {
    const struct trace_chosen *chosen;
    const struct trace_domain *domain; /* or NULL */
    struct trace_value_subject *subjects;
    uint32_t count;
    uint32_t windows;
    uint32_t *places; /* by kind and site: of the subject, plus one */
    uint32_t site_most;
    bool *is_counted; /* by window and frame: complete, and all of it in the window */
    struct trace_frame_matrix matrix;
    uint32_t rows;     /* of the matrix that are taken */
    bool has_all_rows; /* every counter has one */
    bool is_again;     /* a further pass: only the matrix is filled */
};

/* Collects what the filters let through. One pass over the input. Errors: MEMORY, those of
 * trace_input_run. Release it all the same. */
LUDUS_CHECKED enum ludus_status trace_value_totals_create(struct trace_input *input,
                                                          const struct trace_chosen *chosen,
                                                          size_t budget_bytes,
                                                          struct trace_value_totals *totals,
                                                          struct ludus_error *error);
void trace_value_totals_destroy(struct trace_value_totals *totals);

/* Fills the matrix with other counters, at most matrix.subjects of them, by another pass. */
LUDUS_CHECKED enum ludus_status trace_value_totals_hold(struct trace_value_totals *totals,
                                                        struct trace_input *input,
                                                        const uint32_t *indexes, uint32_t count,
                                                        struct ludus_error *error);

static inline const bool *trace_value_frames(const struct trace_value_totals *totals,
                                             uint32_t window)
{
    uint32_t frames = totals->domain == NULL ? 0 : totals->domain->frame_count;
    return totals->is_counted + (size_t)window * frames;
}

#endif
