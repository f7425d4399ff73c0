/* The sums of paths, by group of tracks and cell: a pass adds to them, and a model keeps them. What
 * they take grows with what was seen, not with what there might be. Private to the analyzer. */
#ifndef TRACE_PATH_SUMS_H
#define TRACE_PATH_SUMS_H

#include "model.h"

/* The sums of one path in one cell. */
struct trace_path_cell {
    uint64_t calls;
    int64_t inclusive_ns;
    int64_t exclusive_ns;
};

static inline void trace_path_cell_add(struct trace_path_cell *cell, int64_t inclusive_ns,
                                       int64_t exclusive_ns)
{
    cell->calls++;
    cell->inclusive_ns = trace_sum(cell->inclusive_ns, inclusive_ns);
    cell->exclusive_ns = trace_sum(cell->exclusive_ns, exclusive_ns);
}

/* What happens rarely, likewise. */
struct trace_rare_cell {
    uint64_t incomplete;
    uint64_t children_lost;
    uint64_t without_exclusive; /* calls whose exclusive time is not known */
    uint64_t begun_before;      /* complete ones from before the capture's part: in no time */
};

/* Of so many paths that lie side by side. */
struct trace_path_page {
    struct trace_path_cell *cells; /* NULL: a free place of the table */
    struct trace_rare_cell *rare;  /* NULL: none was seen */
    uint32_t number;               /* from 0 on */
};

/* The pages of a cell. While a pass adds to it a hash table of `capacity` places; the numbers of
 * nearly all captures follow each other, and each has a place of its own. Then `count` pages in the
 * order of their numbers. */
struct trace_path_table {
    struct trace_path_page *pages;
    uint32_t count;
    uint32_t capacity; /* a power of two, or 0 */
};

/* Of a group of tracks whose statistics have the same frames: all that lost nothing, or one. */
struct trace_path_sums {
    struct trace_path_table *tables; /* by cell */
    int64_t *frames;                 /* by cell: in its window, for this group; 0: no frames */
    uint32_t cell_count;
    uint32_t track;      /* index, or TRACE_NONE for the common group */
    uint32_t page_shift; /* a page is of 1 << page_shift paths: few where tracks are many */
};

/* False when there is no memory; destroy it all the same. */
bool trace_path_sums_create(struct trace_path_sums *sums, uint32_t cell_count, uint32_t track);
void trace_path_sums_destroy(struct trace_path_sums *sums);

/* The sums of a path in a cell, made when there are none yet. They stay where they are. NULL when
 * there is no memory. */
struct trace_path_cell *trace_path_sums_add(struct trace_path_sums *sums, uint32_t path,
                                            uint32_t cell);

/* What is rare of a path that has sums there, likewise. */
struct trace_rare_cell *trace_path_sums_add_rare(struct trace_path_sums *sums, uint32_t path,
                                                 uint32_t cell);

/* The place of a page, or the free one where it belongs. For a table with free places. */
static inline struct trace_path_page *trace_path_table_place(const struct trace_path_table *table,
                                                             uint32_t number)
{
    uint32_t place = number & (table->capacity - 1);
    while (table->pages[place].cells != NULL && table->pages[place].number != number)
        place = (place + 1) & (table->capacity - 1);
    return &table->pages[place];
}

/* The sums that trace_path_sums_add made; NULL when it did not. */
static inline struct trace_path_cell *trace_path_sums_find(const struct trace_path_sums *sums,
                                                           uint32_t path, uint32_t cell)
{
    const struct trace_path_table *table = &sums->tables[cell];
    if (table->capacity == 0)
        return NULL;
    struct trace_path_cell *cells = trace_path_table_place(table, path >> sums->page_shift)->cells;
    return cells == NULL ? NULL : &cells[path & ((1u << sums->page_shift) - 1)];
}

/* --- when a pass has ended -------------------------------------------------------------------- */

/* Sorts the pages: nothing can be added behind it, and all below can be asked. */
void trace_path_sums_sort(struct trace_path_sums *sums);

/* Walks over the paths that have sums in a cell, in the order of their indexes. */
struct trace_path_walk {
    const struct trace_path_sums *sums;
    uint32_t cell;
    uint32_t page, next; /* where it goes on */
    uint32_t path;       /* that it has come to */
};
bool trace_path_walk_next(struct trace_path_walk *walk);

/* Those of the path that a walk has come to. */
struct trace_sums trace_path_walk_sums(const struct trace_path_walk *walk,
                                       const struct trace_model *model);

/* Those of any path; all zero when it has none. */
struct trace_sums trace_path_sums_of(const struct trace_path_sums *sums,
                                     const struct trace_model *model, uint32_t path, uint32_t cell);

/* --- of a model ------------------------------------------------------------------------------ */

/* A group of its own for a track, behind the others; of the model's windows. It moves when another
 * one is added. NULL when there is no memory. */
struct trace_path_sums *trace_model_add_path_sums(struct trace_model *model, uint32_t track);

/* Adds what a row says; rows of the same window have the same frames. False when there is no
 * memory.
 */
bool trace_path_sums_add_row(struct trace_path_sums *sums, const struct trace_stats *row);

/* Sorts what was added: groups by track, the common one first, and their pages. */
void trace_model_sort_path_sums(struct trace_model *model);

void trace_model_clear_path_sums(struct trace_model *model);

/* Over all paths and groups in a cell. */
struct trace_sums trace_model_total(const struct trace_model *model, uint32_t cell);

#endif
