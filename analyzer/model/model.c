/* A model's memory. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "path_sums.h"
#include "utf8.h"

#define ARENA_BLOCK_BYTES 65536u

struct arena_block {
    struct arena_block *next;
    size_t used;
    size_t capacity;
    max_align_t bytes[];
};

struct trace_arena {
    struct arena_block *first;
};

enum ludus_status trace_model_create(struct trace_model **out)
{
    struct trace_model *model = calloc(1, sizeof *model);
    *out = model;
    if (model == NULL)
        return LUDUS_ERROR_MEMORY;
    model->arena = calloc(1, sizeof *model->arena);
    if (model->arena == NULL) {
        free(model);
        *out = NULL;
        return LUDUS_ERROR_MEMORY;
    }
    return LUDUS_OK;
}

static void release_domain(struct trace_domain *domain)
{
    free(domain->frames);
    free(domain->mark_tracks);
}

void trace_model_destroy(struct trace_model *model)
{
    if (model == NULL)
        return;
    while (model->arena->first != NULL) {
        struct arena_block *block = model->arena->first;
        model->arena->first = block->next;
        free(block);
    }
    free(model->arena);
    for (uint32_t i = 0; i < model->domain_count; i++)
        release_domain(&model->domains[i]);
    free(model->facts);
    free(model->clocks);
    free(model->calibrations);
    free(model->categories);
    free(model->sites);
    free(model->tracks);
    free(model->domains);
    free(model->paths);
    free(model->windows);
    free(model->track_stats);
    free(model->site_stats);
    free(model->value_stats);
    free(model->gpu_stats);
    trace_model_clear_path_sums(model);
    free(model->losses);
    free(model->diagnostics);
    free(model->damages);
    free(model->triggers);
    free(model->gpu_queues);
    free(model->gpu_counts);
    free(model);
}

bool trace_damage_is_repaired(const struct trace_damage *damage)
{
    return strcmp(damage->reason, TRACE_DAMAGE_REPAIRED) == 0;
}

void *trace_model_allocate(struct trace_model *model, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct arena_block *block = model->arena->first;
    if (block == NULL || block->capacity - block->used < size) {
        size_t capacity = size > ARENA_BLOCK_BYTES ? size : ARENA_BLOCK_BYTES;
        block = malloc(sizeof *block + capacity);
        if (block == NULL)
            return NULL;
        block->used = 0;
        block->capacity = capacity;
        block->next = model->arena->first;
        model->arena->first = block;
    }
    void *memory = (unsigned char *)block->bytes + block->used;
    block->used += size;
    return memory;
}

enum ludus_status trace_model_copy_text(struct trace_model *model, const void *data, size_t size,
                                        struct trace_text *copy)
{
    char *memory = trace_model_allocate(model, size == 0 ? 1 : size);
    if (memory == NULL)
        return LUDUS_ERROR_MEMORY;
    if (size != 0)
        memcpy(memory, data, size);
    *copy = (struct trace_text){memory, size};
    return LUDUS_OK;
}

static unsigned is_broken(struct trace_text text)
{
    return trace_utf8_is_valid(text.data, text.size) ? 0 : 1;
}

/* The texts that a database holds, each as often as it is in its place. */
uint64_t trace_model_count_broken_texts(const struct trace_model *model)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < model->fact_count; i++)
        count += is_broken(model->facts[i].key) + is_broken(model->facts[i].value);
    for (uint32_t i = 0; i < model->clock_count; i++)
        count += is_broken(model->clocks[i].reason);
    for (uint32_t i = 0; i < model->category_count; i++)
        count += is_broken(model->categories[i].name);
    for (uint32_t i = 0; i < model->site_count; i++) {
        const struct trace_site *site = &model->sites[i];
        count += is_broken(site->name) + is_broken(site->file) + is_broken(site->function);
    }
    for (uint32_t i = 0; i < model->track_count; i++)
        count += is_broken(model->tracks[i].name);
    for (uint32_t i = 0; i < model->domain_count; i++)
        count += is_broken(model->domains[i].name);
    for (uint32_t i = 0; i < model->diagnostic_count; i++)
        count += is_broken(model->diagnostics[i].text);
    for (uint32_t i = 0; i < model->trigger_count; i++)
        count += is_broken(model->triggers[i].text);
    for (uint32_t i = 0; i < model->gpu_queue_count; i++) {
        const struct trace_gpu_queue *queue = &model->gpu_queues[i];
        count += is_broken(queue->backend) + is_broken(queue->device) + is_broken(queue->name) +
                 is_broken(queue->pass_reason) + is_broken(queue->calibration_reason);
    }
    return count;
}

bool trace_array_grow(void *array, uint32_t count, size_t item_size)
{
    void **items = array;
    if (count != 0 && (count < 8 || (count & (count - 1)) != 0))
        return true; /* the capacity is the power of two above, at least 8 */
    size_t capacity = count == 0 ? 8 : (size_t)count * 2;
    if (count > UINT32_MAX / 2 || capacity > SIZE_MAX / item_size)
        return false;
    void *larger = realloc(*items, capacity * item_size);
    if (larger == NULL)
        return false;
    *items = larger;
    return true;
}

int trace_stats_compare(const void *a, const void *b)
{
    const struct trace_stats *left = a;
    const struct trace_stats *right = b;
    if (left->subject != right->subject)
        return left->subject < right->subject ? -1 : 1;
    if (left->track != right->track)
        return left->track + 1 < right->track + 1 ? -1 : 1;
    return (left->window > right->window) - (left->window < right->window);
}

uint32_t trace_stats_merge(struct trace_stats *rows, uint32_t count)
{
    uint32_t merged = 0;
    if (count == 0)
        return 0;
    qsort(rows, count, sizeof *rows, trace_stats_compare);
    for (uint32_t i = 1; i < count; i++) {
        if (trace_stats_compare(&rows[merged], &rows[i]) == 0) {
            trace_sums_add(&rows[merged].sums, &rows[i].sums);
            rows[merged].nested_calls += rows[i].nested_calls;
        } else {
            rows[++merged] = rows[i];
        }
    }
    return merged + 1;
}

void trace_model_forget_statistics(struct trace_model *model)
{
    model->window_count = 0;
    model->site_stats_count = 0;
    model->value_stats_count = 0;
    model->gpu_stats_count = 0;
    trace_model_clear_path_sums(model);
    model->slices = 0;
    model->instants = 0;
    model->slices_begun_before = 0;
    model->has_statistics = false;
    for (uint32_t i = 0; i < model->track_count; i++) {
        struct trace_track *track = &model->tracks[i];
        track->slices = 0;
        track->instants = 0;
        track->incomplete = 0;
    }
}

static int compare_names(const void *a, const void *b)
{
    const struct trace_text *left = &(*(struct trace_track *const *)a)->name;
    const struct trace_text *right = &(*(struct trace_track *const *)b)->name;
    if (left->size != right->size)
        return left->size < right->size ? -1 : 1;
    return left->size == 0 ? 0 : memcmp(left->data, right->data, left->size);
}

bool trace_model_mark_shared_names(struct trace_model *model)
{
    struct trace_track **tracks = malloc(((size_t)model->track_count + 1) * sizeof *tracks);
    if (tracks == NULL)
        return false;
    for (uint32_t i = 0; i < model->track_count; i++) {
        tracks[i] = &model->tracks[i];
        tracks[i]->is_name_shared = false;
    }
    qsort(tracks, model->track_count, sizeof *tracks, compare_names);
    for (uint32_t i = 1; i < model->track_count; i++)
        if (compare_names(&tracks[i - 1], &tracks[i]) == 0)
            tracks[i - 1]->is_name_shared = tracks[i]->is_name_shared = true;
    free(tracks);
    return true;
}
