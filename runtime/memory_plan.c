/* Divides the memory budget and maps the memory. */
#include "memory_plan.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "capture_sink.h"
#include "frame_ring.h"
#include "gpu_table.h"
#include "hitch_settings.h"
#include "memory_choice.h"
#include "recorder_core.h"
#include "site_registry.h"
#include "source_choice.h"

#define MIB               (1024u * 1024u)
#define MIN_MEMORY        (1ull * MIB)
#define MAX_MEMORY        (4096ull * MIB)
#define DEFAULT_MEMORY    (16ull * MIB)
#define DEFAULT_SITES     16384u
#define DEFAULT_THREADS   128u
#define DEFAULT_COUNTERS  128u
#define LEAST_SITES       64u /* to which a small budget brings those that were left at 0 */
#define LEAST_THREADS     8u
#define LEAST_COUNTERS    8u
#define LEAST_NAMES       16u
#define MOST_HALVINGS     8u
#define DEFAULT_FLUSH_MS  100u
#define MAX_RESOLUTION_NS 1000000u
#define MIN_EVENTS        1024u
#define LEAST_WINDOW      2u /* of the largest block */
#define USUAL_WINDOW      8u

enum ludus_status ludus_check_range(const char *name, uint64_t value, uint64_t least, uint64_t most,
                                    struct ludus_error *error)
{
    if (value >= least && value <= most)
        return LUDUS_OK;
    return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                           "%s is %llu: it must be from %llu to %llu, or 0 for the default", name,
                           (unsigned long long)value, (unsigned long long)least,
                           (unsigned long long)most);
}

/* 0 stays: ludus_memory_plan_make replaces it. */
static enum ludus_status check_limit(const char *name, uint32_t value, uint32_t least,
                                     uint32_t most, struct ludus_error *error)
{
    return value == 0 ? LUDUS_OK : ludus_check_range(name, value, least, most, error);
}

enum ludus_status ludus_config_complete(struct ludus_recorder_config *config,
                                        struct ludus_error *error)
{
    enum ludus_status status = ludus_memory_choose(config, error);
    if (status != LUDUS_OK)
        return status;
    if (config->memory_bytes == 0)
        config->memory_bytes = DEFAULT_MEMORY;
    if (config->flush_interval_ms == 0)
        config->flush_interval_ms = DEFAULT_FLUSH_MS;
    if (config->compression_level == 0)
        config->compression_level = 1;
    if (config->compression_level < 1 || config->compression_level > 19)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "compression_level is %d: it must be from 1 to 19, or 0 for the "
                               "default",
                               (int)config->compression_level);
    status = ludus_check_range("memory_bytes", config->memory_bytes, MIN_MEMORY, MAX_MEMORY, error);
    if (status == LUDUS_OK)
        status = check_limit("max_sites", config->max_sites, 64, 1048576, error);
    if (status == LUDUS_OK)
        status = check_limit("max_threads", config->max_threads, 1, 4096, error);
    if (status == LUDUS_OK)
        status = check_limit("max_dynamic_names", config->max_dynamic_names, 1, 1048576, error);
    if (status == LUDUS_OK)
        status = check_limit("max_counters", config->max_counters, 1, 65536, error);
    if (status == LUDUS_OK && config->clock > LUDUS_CLOCK_COUNTER)
        status = ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                                 "clock is %u: it must be one of enum ludus_recorder_clock",
                                 (unsigned)config->clock);
    if (status == LUDUS_OK && config->resolution_ns > MAX_RESOLUTION_NS)
        status = ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                                 "resolution_ns is %u: it must be at most %u, or 0 for the clock's",
                                 (unsigned)config->resolution_ns, MAX_RESOLUTION_NS);
    if (status == LUDUS_OK)
        status = ludus_check_range("flush_interval_ms", config->flush_interval_ms, 1, 60000, error);
    if (status == LUDUS_OK)
        status = ludus_hitch_complete(config, error);
    if (status == LUDUS_OK)
        status = ludus_sources_complete(config, error);
    return status;
}

struct lcap_encoder_config ludus_memory_plan_encoder(const struct ludus_memory_plan *plan,
                                                     int32_t compression_level)
{
    return (struct lcap_encoder_config){.max_site = plan->max_sites + 1,
                                        .max_events = plan->max_events,
                                        .compression_level = compression_level};
}

static uint64_t encoder_bytes(const struct ludus_memory_plan *plan, int32_t level)
{
    const struct lcap_encoder_config config = ludus_memory_plan_encoder(plan, level);
    return lcap_encoder_memory_bytes(&config);
}

static uint64_t block_bytes(const struct ludus_memory_plan *plan, int32_t level)
{
    const struct lcap_encoder_config config = ludus_memory_plan_encoder(plan, level);
    return lcap_encoder_block_bytes(&config);
}

static uint64_t window_of(const struct ludus_recorder_config *config)
{
    if (config->retention != LUDUS_RETAIN_HITCHES)
        return 0;
    const uint64_t bytes = config->hitch.window_bytes;
    return bytes != 0 ? bytes : config->memory_bytes / 4;
}

/* Everything but the encoder and the chunks. */
static uint64_t table_bytes(const struct ludus_memory_plan *plan)
{
    return sizeof(struct ludus_recorder_core) + sizeof(struct ludus_frame_ring) +
           sizeof(struct ludus_chunk_pool) +
           (uint64_t)plan->max_threads *
               (sizeof(struct ludus_track) + sizeof(struct ludus_track *) +
                sizeof(struct ludus_task_sample) +
                plan->max_counters * sizeof(struct ludus_counter_cell)) +
           ludus_registry_memory_bytes(plan->max_sites) +
           ludus_interner_memory_bytes(plan->max_names) +
           (plan->window_bytes != 0 ? ludus_hitch_memory_bytes(plan->window_bytes) : 0) +
           (plan->has_gpu ? sizeof(struct ludus_gpu_table) : 0);
}

static const uint64_t chunk_bytes = LUDUS_CHUNK_BYTES + sizeof(uint32_t);

static uint32_t limit_of(uint32_t given, uint32_t usual, uint32_t least, unsigned halvings)
{
    const uint32_t halved = usual >> halvings;
    if (given != 0)
        return given;
    return halved > least ? halved : least;
}

/* The limits of the configuration, with those that were left at 0 halved so often. */
static void set_limits(struct ludus_memory_plan *plan, const struct ludus_recorder_config *config,
                       uint32_t registered_sites, uint32_t interned_names, unsigned halvings)
{
    const uint32_t sites = limit_of(config->max_sites, DEFAULT_SITES, LEAST_SITES, halvings);
    const uint32_t names =
        limit_of(config->max_dynamic_names, LUDUS_DEFAULT_DYNAMIC_NAMES, LEAST_NAMES, halvings);
    plan->max_sites = sites > registered_sites ? sites : registered_sites;
    plan->max_names = names > interned_names ? names : interned_names;
    plan->max_threads = limit_of(config->max_threads, DEFAULT_THREADS, LEAST_THREADS, halvings);
    plan->max_counters = limit_of(config->max_counters, DEFAULT_COUNTERS, LEAST_COUNTERS, halvings);
    plan->max_events = MIN_EVENTS;
}

/* The least budget for the plan's limits, with so many chunks. */
static uint64_t least_bytes(const struct ludus_memory_plan *plan, int32_t level, uint32_t chunks)
{
    return table_bytes(plan) + encoder_bytes(plan, level) + chunks * chunk_bytes;
}

enum ludus_status ludus_memory_plan_make(const struct ludus_recorder_config *config,
                                         uint32_t registered_sites, uint32_t interned_names,
                                         struct ludus_memory_plan *plan, struct ludus_error *error)
{
    const int32_t level = config->compression_level;
    uint32_t chunks;
    unsigned halvings = 0;
    plan->window_bytes = window_of(config);
    plan->has_gpu = ludus_sources_have_gpu(config, sizeof(struct ludus_gpu_table));
    if (plan->window_bytes > config->memory_bytes)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "hitch.window_bytes is %llu: it must be less than memory_bytes, "
                               "which are %llu",
                               (unsigned long long)plan->window_bytes,
                               (unsigned long long)config->memory_bytes);
    do {
        set_limits(plan, config, registered_sites, interned_names, halvings);
        /* As many threads as are only supposed are worth a chunk each. */
        chunks = LUDUS_MIN_CHUNKS + (config->max_threads == 0 ? plan->max_threads : 0);
    } while (least_bytes(plan, level, chunks) > config->memory_bytes &&
             ++halvings <= MOST_HALVINGS);
    plan->block_bytes = block_bytes(plan, level);
    if (plan->window_bytes != 0 && plan->window_bytes < LEAST_WINDOW * plan->block_bytes)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "hitch.window_bytes is %llu: it must be at least %llu",
                               (unsigned long long)plan->window_bytes,
                               (unsigned long long)(LEAST_WINDOW * plan->block_bytes));
    const uint64_t tables = table_bytes(plan);
    const uint64_t least = least_bytes(plan, level, LUDUS_MIN_CHUNKS);
    if (least > config->memory_bytes)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "memory_bytes is %llu: with max_sites %u, max_threads %u, "
                               "max_counters %u, max_dynamic_names %u and hitch.window_bytes %llu "
                               "it must be at least %llu",
                               (unsigned long long)config->memory_bytes, (unsigned)plan->max_sites,
                               (unsigned)plan->max_threads, (unsigned)plan->max_counters,
                               (unsigned)plan->max_names, (unsigned long long)plan->window_bytes,
                               (unsigned long long)least);
    /* Large blocks compress better, small ones leave more room for bursts: a third is the encoder's
     * unless even its smallest form takes more. Without events there are none of either. */
    const bool has_events = ludus_sources_have_events(config);
    while (has_events && plan->max_events < LCAP_MAX_EVENTS) {
        struct ludus_memory_plan larger = *plan;
        larger.max_events *= 2;
        const uint64_t bytes = encoder_bytes(&larger, level);
        if (bytes > config->memory_bytes / 3 ||
            tables + bytes + LUDUS_MIN_CHUNKS * chunk_bytes > config->memory_bytes)
            break;
        larger.block_bytes = block_bytes(&larger, level);
        if (plan->window_bytes != 0 && larger.block_bytes * USUAL_WINDOW > plan->window_bytes)
            break; /* room for the largest block is kept free, of which the window has no use */
        *plan = larger;
    }
    const uint64_t fixed = tables + encoder_bytes(plan, level);
    plan->chunk_count =
        has_events ? (uint32_t)((config->memory_bytes - fixed) / chunk_bytes) : LUDUS_MIN_CHUNKS;
    plan->total_bytes = fixed + plan->chunk_count * chunk_bytes;
    return LUDUS_OK;
}

static size_t round_up(size_t bytes)
{
    return (bytes + LUDUS_CHUNK_BYTES - 1) / LUDUS_CHUNK_BYTES * LUDUS_CHUNK_BYTES;
}

enum ludus_status ludus_region_reserve(struct ludus_region *region,
                                       const struct ludus_memory_plan *plan,
                                       struct ludus_error *error)
{
    char reason[128];
    struct ludus_region wide = *region;
    if (plan->max_threads <= region->slot_count && plan->chunk_count <= region->chunk_count &&
        plan->max_counters <= region->cells_per_slot)
        return LUDUS_OK;
    if (wide.slot_count < plan->max_threads)
        wide.slot_count = plan->max_threads;
    if (wide.cells_per_slot < plan->max_counters)
        wide.cells_per_slot = plan->max_counters;
    if (wide.chunk_count < plan->chunk_count)
        wide.chunk_count = plan->chunk_count;
    const size_t pool_size = round_up(sizeof *wide.pool);
    const size_t slots_size = round_up(wide.slot_count * sizeof *wide.slots);
    const size_t links_size = round_up(wide.chunk_count * sizeof *wide.links);
    const size_t chunks_size = (size_t)wide.chunk_count * LUDUS_CHUNK_BYTES;
    const size_t cells_size =
        round_up((size_t)wide.slot_count * wide.cells_per_slot * sizeof *wide.cells);
    const size_t tables_size = pool_size + slots_size + links_size + cells_size;
    char *memory = mmap(NULL, tables_size + chunks_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return ludus_error_set(error, LUDUS_ERROR_MEMORY, "%llu bytes cannot be mapped: %s",
                               (unsigned long long)(tables_size + chunks_size),
                               strerror_r(errno, reason, sizeof reason));
    memset(memory, 0, tables_size); /* brings them into memory */
    wide.pool = (struct ludus_chunk_pool *)(void *)memory;
    wide.slots = (struct ludus_track *)(void *)(memory + pool_size);
    wide.links = (_Atomic uint32_t *)(void *)(memory + pool_size + slots_size);
    wide.cells =
        (struct ludus_counter_cell *)(void *)(memory + pool_size + slots_size + links_size);
    wide.chunks = (struct ludus_chunk *)(void *)(memory + tables_size);
    ludus_chunk_pool_init(wide.pool, wide.chunks, wide.links, wide.chunk_count);
    for (uint32_t i = 0; i < wide.slot_count; i++) {
        wide.slots[i].pool = wide.pool;
        wide.slots[i].cells = wide.cells + (size_t)i * wide.cells_per_slot;
        wide.slots[i].cell_count = wide.cells_per_slot;
    }
    *region = wide;
    return LUDUS_OK;
}

void ludus_region_touch(const struct ludus_region *region, uint32_t chunk_count)
{
    for (uint32_t i = 0; i < chunk_count; i++) {
        if (!ludus_chunk_pool_is_held(region->pool, i))
            memset(&region->chunks[i], 0, sizeof region->chunks[i]);
    }
}

void ludus_region_give_back(const struct ludus_region *region)
{
    uint32_t from = 0;
    while (from < region->chunk_count) {
        uint32_t to = from;
        while (to < region->chunk_count && !ludus_chunk_pool_is_held(region->pool, to))
            to++;
        if (to > from)
            (void)madvise(&region->chunks[from], (size_t)(to - from) * LUDUS_CHUNK_BYTES,
                          MADV_DONTNEED);
        from = to + 1;
    }
}
