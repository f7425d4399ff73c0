/* Counting losses exactly without making the losing thread wait.
 *
 * A cell is guarded by a sequence number that only its thread writes. The thread makes it odd,
 * changes the fields with release stores, and makes it even. The collector reads the fields with
 * acquire loads between two loads of the number. If any field comes from a change, the odd number
 * that precedes that change is visible to the second load, and the collector tries again. */
#include "loss_cell.h"

#include <sched.h>

#include "recorder_clock.h"

#define READ_ATTEMPTS 64

static uint64_t get(_Atomic uint64_t *field)
{
    return atomic_load_explicit(field, memory_order_acquire);
}

static void set(_Atomic uint64_t *field, uint64_t value)
{
    atomic_store_explicit(field, value, memory_order_release);
}

void ludus_loss_cell_reset(struct ludus_loss_cell *cell)
{
    atomic_store_explicit(&cell->sequence, 0, memory_order_relaxed);
    for (int sort = 0; sort < LUDUS_SORTS; sort++)
        set(&cell->counts[sort], 0);
    set(&cell->first_tick, 0);
    set(&cell->last_tick, 0);
    set(&cell->acknowledged, 0);
}

void ludus_loss_cell_add(struct ludus_loss_cell *cell, enum ludus_sort sort, uint64_t tick)
{
    const uint32_t sequence = atomic_load_explicit(&cell->sequence, memory_order_relaxed);
    uint64_t sum = 0;
    for (int i = 0; i < LUDUS_SORTS; i++)
        sum += atomic_load_explicit(&cell->counts[i], memory_order_relaxed);
    const bool all_read = get(&cell->acknowledged) == sum;

    atomic_store_explicit(&cell->sequence, sequence + 1, memory_order_relaxed);
    if (all_read)
        set(&cell->first_tick, tick);
    set(&cell->last_tick, tick);
    set(&cell->counts[sort], atomic_load_explicit(&cell->counts[sort], memory_order_relaxed) + 1);
    atomic_store_explicit(&cell->sequence, sequence + 2, memory_order_release);
}

/* A copy of a cell's fields. */
struct snapshot {
    uint64_t counts[LUDUS_SORTS];
    uint64_t first_tick;
    uint64_t last_tick;
};

/* False: the thread was changing the cell meanwhile. Each field is then from before or after. */
static bool take_snapshot(struct ludus_loss_cell *cell, struct snapshot *snapshot)
{
    const uint32_t sequence = atomic_load_explicit(&cell->sequence, memory_order_acquire);
    for (int sort = 0; sort < LUDUS_SORTS; sort++)
        snapshot->counts[sort] = get(&cell->counts[sort]);
    snapshot->first_tick = get(&cell->first_tick);
    snapshot->last_tick = get(&cell->last_tick);
    return sequence % 2 == 0 &&
           sequence == atomic_load_explicit(&cell->sequence, memory_order_relaxed);
}

/* What is in the snapshot and was not read before. */
static bool acknowledge(struct ludus_loss_cell *cell, struct ludus_loss_reader *reader,
                        const struct snapshot *snapshot, struct ludus_loss *loss)
{
    uint64_t sum = 0;
    struct lcap_counts counts = {0};
    for (int sort = 0; sort < LUDUS_SORTS; sort++) {
        sum += snapshot->counts[sort];
        *ludus_count_of(&counts, (enum ludus_sort)sort) =
            snapshot->counts[sort] - reader->counts[sort];
        reader->counts[sort] = snapshot->counts[sort];
    }
    if (lcap_counts_are_zero(&counts))
        return false;
    loss->counts = counts;
    /* A loss that slipped in between the last reading and its acknowledgement has left the first
     * tick where it was; but it cannot be older than what was read then. */
    loss->first_tick =
        snapshot->first_tick < reader->last_tick ? reader->last_tick : snapshot->first_tick;
    /* A clock may have stepped back. */
    loss->last_tick =
        snapshot->last_tick < loss->first_tick ? loss->first_tick : snapshot->last_tick;
    reader->last_tick = loss->last_tick;
    set(&cell->acknowledged, sum);
    return true;
}

bool ludus_loss_cell_read(struct ludus_loss_cell *cell, struct ludus_loss_reader *reader,
                          struct ludus_loss *loss)
{
    struct snapshot snapshot;
    for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
        if (take_snapshot(cell, &snapshot))
            return acknowledge(cell, reader, &snapshot, loss);
    }
    return false;
}

bool ludus_loss_cell_read_all(struct ludus_loss_cell *cell, struct ludus_loss_reader *reader,
                              uint64_t deadline_ns, struct ludus_loss *loss)
{
    struct snapshot snapshot;
    /* An add that has returned is in the numbers whether or not the next one is under way. */
    while (!take_snapshot(cell, &snapshot) && ludus_clock_monotonic_ns() < deadline_ns)
        sched_yield();
    return acknowledge(cell, reader, &snapshot, loss);
}

void ludus_loss_merge(struct ludus_loss *sum, const struct ludus_loss *more)
{
    if (ludus_loss_is_none(sum)) {
        *sum = *more;
        return;
    }
    lcap_counts_add(&sum->counts, &more->counts);
    if (more->first_tick < sum->first_tick)
        sum->first_tick = more->first_tick;
    if (more->last_tick > sum->last_tick)
        sum->last_tick = more->last_tick;
}
