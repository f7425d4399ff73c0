/* Reads what a run has of scopes, counters and GPU work into cells. Private to the analyzer. */
#ifndef TRACE_RUN_CELLS_H
#define TRACE_RUN_CELLS_H

#include "run_digest.h"
#include "selection.h"

/* A set of cells while it is read. All zero but what is given is empty. */
struct trace_cell_reader {
    const struct trace_chosen *chosen; /* given, and so are all up to `side` */
    const struct trace_model *model;
    struct trace_scope_keys *keys;
    uint32_t marker; /* index of the track, or TRACE_NONE */
    enum trace_side side;

    struct trace_run_cell *cells; /* whoever wants them takes them, and leaves NULL */
    uint32_t count;
    uint32_t *places; /* by key and measure: index of the cell plus one; or 0 */
    size_t place_count;
    uint32_t *path_keys;   /* by path: its key, or TRACE_NONE of the one that is no scope */
    uint32_t *site_scopes; /* by site: its key without callers, or TRACE_NONE: not known yet */
};

/* Each adds the cells of a part of the model. False when there is no memory. */
bool trace_read_site_cells(struct trace_cell_reader *reader);
bool trace_read_path_cells(struct trace_cell_reader *reader);
bool trace_read_value_cells(struct trace_cell_reader *reader); /* and GPU work */

/* Brings the cells into their order, and hands them over. */
void trace_take_cells(struct trace_cell_reader *reader, struct trace_run_cell **cells,
                      uint32_t *count);
void trace_cell_reader_release(struct trace_cell_reader *reader);

#endif
