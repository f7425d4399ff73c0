/* Keeps the sums of paths in pages, which are made when the first of their paths is seen. */
#include "path_sums.h"

#include <stdlib.h>

#define COMMON_SHIFT   10u /* 1024 paths: nearly all of them are seen */
#define OF_TRACK_SHIFT 2u  /* 4: a track may see a few here and there, and tracks may be many */
#define FIRST_CAPACITY 4u

bool trace_path_sums_create(struct trace_path_sums *sums, uint32_t cell_count, uint32_t track)
{
    *sums =
        (struct trace_path_sums){.tables = calloc(cell_count, sizeof *sums->tables),
                                 .frames = calloc(cell_count, sizeof *sums->frames),
                                 .cell_count = cell_count,
                                 .track = track,
                                 .page_shift = track == TRACE_NONE ? COMMON_SHIFT : OF_TRACK_SHIFT};
    return sums->tables != NULL && sums->frames != NULL;
}

void trace_path_sums_destroy(struct trace_path_sums *sums)
{
    for (uint32_t cell = 0; sums->tables != NULL && cell < sums->cell_count; cell++) {
        struct trace_path_table *table = &sums->tables[cell];
        for (uint32_t i = 0; i < table->capacity; i++) {
            free(table->pages[i].cells);
            free(table->pages[i].rare);
        }
        free(table->pages);
    }
    free(sums->tables);
    free(sums->frames);
    *sums = (struct trace_path_sums){0};
}

/* --- pages ----------------------------------------------------------------------------------- */

static bool enlarge(struct trace_path_table *table)
{
    struct trace_path_table larger = {.count = table->count,
                                      .capacity = table->capacity == 0 ? FIRST_CAPACITY
                                                                       : table->capacity * 2};
    larger.pages = calloc(larger.capacity, sizeof *larger.pages);
    if (larger.pages == NULL)
        return false;
    for (uint32_t i = 0; i < table->capacity; i++)
        if (table->pages[i].cells != NULL)
            *trace_path_table_place(&larger, table->pages[i].number) = table->pages[i];
    free(table->pages);
    *table = larger;
    return true;
}

/* At most three quarters of the places are taken. */
static struct trace_path_page *add_page(struct trace_path_sums *sums, uint32_t number,
                                        uint32_t cell)
{
    struct trace_path_table *table = &sums->tables[cell];
    if (table->count >= table->capacity / 4 * 3 && !enlarge(table))
        return NULL;
    struct trace_path_page *page = trace_path_table_place(table, number);
    page->cells = calloc((size_t)1 << sums->page_shift, sizeof *page->cells);
    if (page->cells == NULL)
        return NULL;
    page->number = number;
    table->count++;
    return page;
}

struct trace_path_cell *trace_path_sums_add(struct trace_path_sums *sums, uint32_t path,
                                            uint32_t cell)
{
    struct trace_path_cell *found = trace_path_sums_find(sums, path, cell);
    if (found != NULL)
        return found;
    struct trace_path_page *page = add_page(sums, path >> sums->page_shift, cell);
    return page == NULL ? NULL : &page->cells[path & ((1u << sums->page_shift) - 1)];
}

struct trace_rare_cell *trace_path_sums_add_rare(struct trace_path_sums *sums, uint32_t path,
                                                 uint32_t cell)
{
    struct trace_path_page *page =
        trace_path_table_place(&sums->tables[cell], path >> sums->page_shift);
    if (page->rare == NULL)
        page->rare = calloc((size_t)1 << sums->page_shift, sizeof *page->rare);
    return page->rare == NULL ? NULL : &page->rare[path & ((1u << sums->page_shift) - 1)];
}

/* --- in order -------------------------------------------------------------------------------- */

static int compare_pages(const void *a, const void *b)
{
    uint32_t left = ((const struct trace_path_page *)a)->number;
    uint32_t right = ((const struct trace_path_page *)b)->number;
    return (left > right) - (left < right);
}

void trace_path_sums_sort(struct trace_path_sums *sums)
{
    for (uint32_t cell = 0; cell < sums->cell_count; cell++) {
        struct trace_path_table *table = &sums->tables[cell];
        uint32_t count = 0;
        for (uint32_t i = 0; i < table->capacity; i++)
            if (table->pages[i].cells != NULL)
                table->pages[count++] = table->pages[i];
        if (count > 1)
            qsort(table->pages, count, sizeof *table->pages, compare_pages);
        table->capacity = count;
    }
}

static bool is_empty(const struct trace_path_cell *cell)
{
    return cell->calls == 0 && cell->inclusive_ns == 0 && cell->exclusive_ns == 0;
}

bool trace_path_walk_next(struct trace_path_walk *walk)
{
    const struct trace_path_table *table = &walk->sums->tables[walk->cell];
    uint32_t size = 1u << walk->sums->page_shift;
    for (; walk->page < table->count; walk->page++, walk->next = 0) {
        const struct trace_path_page *page = &table->pages[walk->page];
        while (walk->next < size) {
            uint32_t at = walk->next++;
            walk->path = page->number * size + at;
            if (!is_empty(&page->cells[at]))
                return true;
        }
    }
    return false;
}

static struct trace_sums make_sums(const struct trace_path_page *page, uint32_t at,
                                   bool is_outermost)
{
    static const struct trace_rare_cell nothing;
    const struct trace_path_cell *cell = &page->cells[at];
    const struct trace_rare_cell *rare = page->rare == NULL ? &nothing : &page->rare[at];
    return (struct trace_sums){.calls = cell->calls,
                               .outermost_calls =
                                   cell->calls - rare->incomplete - rare->begun_before,
                               .recursive_calls = is_outermost ? 0 : cell->calls,
                               .exclusive_calls = cell->calls - rare->without_exclusive,
                               .incomplete = rare->incomplete,
                               .children_lost = rare->children_lost,
                               .inclusive_ns = cell->inclusive_ns,
                               .exclusive_ns = cell->exclusive_ns};
}

struct trace_sums trace_path_walk_sums(const struct trace_path_walk *walk,
                                       const struct trace_model *model)
{
    return make_sums(&walk->sums->tables[walk->cell].pages[walk->page], walk->next - 1,
                     model->paths[walk->path].is_outermost);
}

/* Of sorted pages; where none is missing a page stands at its number. */
static const struct trace_path_page *find_page(const struct trace_path_table *table,
                                               uint32_t number)
{
    if (number < table->count && table->pages[number].number == number)
        return &table->pages[number];
    const struct trace_path_page wanted = {.number = number};
    return table->count == 0
               ? NULL
               : bsearch(&wanted, table->pages, table->count, sizeof *table->pages, compare_pages);
}

struct trace_sums trace_path_sums_of(const struct trace_path_sums *sums,
                                     const struct trace_model *model, uint32_t path, uint32_t cell)
{
    const struct trace_path_page *page = find_page(&sums->tables[cell], path >> sums->page_shift);
    if (page == NULL)
        return (struct trace_sums){0};
    return make_sums(page, path & ((1u << sums->page_shift) - 1), model->paths[path].is_outermost);
}

/* --- of a model ------------------------------------------------------------------------------ */

struct trace_path_sums *trace_model_add_path_sums(struct trace_model *model, uint32_t track)
{
    struct trace_path_sums sums;
    if (!trace_path_sums_create(&sums, model->window_count, track) ||
        !trace_array_grow(&model->path_sums, model->path_sums_count, sizeof sums)) {
        trace_path_sums_destroy(&sums);
        return NULL;
    }
    model->path_sums[model->path_sums_count] = sums;
    return &model->path_sums[model->path_sums_count++];
}

bool trace_path_sums_add_row(struct trace_path_sums *sums, const struct trace_stats *row)
{
    const struct trace_sums *own = &row->sums;
    struct trace_path_cell *cell = trace_path_sums_add(sums, row->subject, row->window);
    struct trace_rare_cell rare = {.incomplete = own->incomplete,
                                   .children_lost = own->children_lost,
                                   .without_exclusive = own->calls - own->exclusive_calls,
                                   .begun_before =
                                       own->calls - own->incomplete - own->outermost_calls};
    if (cell == NULL)
        return false;
    sums->frames[row->window] = row->frames;
    cell->calls += own->calls;
    cell->inclusive_ns = trace_sum(cell->inclusive_ns, own->inclusive_ns);
    cell->exclusive_ns = trace_sum(cell->exclusive_ns, own->exclusive_ns);
    if ((rare.incomplete | rare.children_lost | rare.without_exclusive | rare.begun_before) == 0)
        return true;
    struct trace_rare_cell *place = trace_path_sums_add_rare(sums, row->subject, row->window);
    if (place == NULL)
        return false;
    place->incomplete += rare.incomplete;
    place->children_lost += rare.children_lost;
    place->without_exclusive += rare.without_exclusive;
    place->begun_before += rare.begun_before;
    return true;
}

/* The common group's TRACE_NONE becomes 0. */
static int compare_groups(const void *a, const void *b)
{
    uint32_t left = ((const struct trace_path_sums *)a)->track + 1;
    uint32_t right = ((const struct trace_path_sums *)b)->track + 1;
    return (left > right) - (left < right);
}

void trace_model_sort_path_sums(struct trace_model *model)
{
    if (model->path_sums_count > 1)
        qsort(model->path_sums, model->path_sums_count, sizeof *model->path_sums, compare_groups);
    for (uint32_t i = 0; i < model->path_sums_count; i++)
        trace_path_sums_sort(&model->path_sums[i]);
}

void trace_model_clear_path_sums(struct trace_model *model)
{
    for (uint32_t i = 0; i < model->path_sums_count; i++)
        trace_path_sums_destroy(&model->path_sums[i]);
    free(model->path_sums);
    model->path_sums = NULL;
    model->path_sums_count = 0;
}

struct trace_sums trace_model_total(const struct trace_model *model, uint32_t cell)
{
    struct trace_sums total = {0};
    for (uint32_t i = 0; i < model->path_sums_count; i++) {
        struct trace_path_walk walk = {.sums = &model->path_sums[i], .cell = cell};
        while (trace_path_walk_next(&walk)) {
            struct trace_sums own = trace_path_walk_sums(&walk, model);
            trace_sums_add(&total, &own);
        }
    }
    return total;
}
