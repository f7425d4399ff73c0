/* What a live capture lost: in all, added up, and one by one where it concerns the window. */
#include <stdlib.h>

#include "capture_losses.h"
#include "live.h"

#define FIRST_LIMIT 1024u

static int compare_losses(const void *a, const void *b)
{
    const struct lcap_loss *left = a;
    const struct lcap_loss *right = b;
    if (left->track != right->track)
        return left->track < right->track ? -1 : 1;
    if (left->cause != right->cause)
        return left->cause < right->cause ? -1 : 1;
    return (left->clock > right->clock) - (left->clock < right->clock);
}

static void add_up(struct lcap_loss *losses, uint32_t *count)
{
    uint32_t sum = 0;
    if (*count < 2)
        return;
    qsort(losses, *count, sizeof *losses, compare_losses);
    for (uint32_t i = 1; i < *count; i++) {
        if (compare_losses(&losses[sum], &losses[i]) != 0) {
            losses[++sum] = losses[i];
            continue;
        }
        lcap_counts_add(&losses[sum].counts, &losses[i].counts);
        if (losses[i].first_tick < losses[sum].first_tick)
            losses[sum].first_tick = losses[i].first_tick;
        if (losses[i].last_tick > losses[sum].last_tick)
            losses[sum].last_tick = losses[i].last_tick;
    }
    *count = sum + 1;
}

/* Drops those that end before a time. */
static void forget_before(struct trace_live *live, int64_t from_ns)
{
    struct trace_live_losses *losses = &live->losses;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < losses->recent_count; i++) {
        const struct lcap_loss loss = losses->recent[i];
        if (trace_live_ns(live, loss.clock, loss.last_tick) >= from_ns)
            losses->recent[kept++] = loss;
    }
    losses->recent_count = kept;
}

static void forget_old(struct trace_live *live)
{
    const struct trace_live_losses *losses = &live->losses;
    int64_t last_ns = INT64_MIN;
    for (uint32_t i = 0; i < losses->recent_count; i++) {
        int64_t time_ns = trace_live_ns(live, losses->recent[i].clock, losses->recent[i].last_tick);
        last_ns = time_ns > last_ns ? time_ns : last_ns;
    }
    if (losses->recent_count != 0)
        forget_before(live, last_ns - live->length_ns - TRACE_LIVE_SLACK_NS);
}

static uint32_t next_limit(uint32_t count)
{
    return count > FIRST_LIMIT / 2 ? count * 2 : FIRST_LIMIT;
}

bool trace_live_take_losses(struct trace_live *live, const struct lcap_block *block)
{
    struct trace_live_losses *losses = &live->losses;
    struct lcap_records records = lcap_records_of(block);
    struct lcap_loss loss;
    while (lcap_next_loss(&records, &loss)) {
        if (losses->count >= losses->limit) {
            add_up(losses->sums, &losses->count);
            losses->limit = next_limit(losses->count);
        }
        if (losses->recent_count >= losses->recent_limit) {
            forget_old(live);
            losses->recent_limit = next_limit(losses->recent_count);
        }
        if (!trace_array_grow(&losses->sums, losses->count, sizeof loss) ||
            !trace_array_grow(&losses->recent, losses->recent_count, sizeof loss))
            return false;
        losses->sums[losses->count++] = loss;
        losses->recent[losses->recent_count++] = loss;
    }
    return true;
}

/* --- the window ------------------------------------------------------------------------------ */

/* Where the first damage is that may have held events of the window; UINT64_MAX: nowhere. */
static uint64_t find_damage(const struct trace_live *live)
{
    const struct trace_live_blocks *blocks = &live->blocks;
    const struct trace_model *model = live->capture->model;
    uint64_t before = blocks->first == 0 ? 0 : blocks->items[blocks->first - 1].offset;
    uint64_t found = UINT64_MAX;
    for (uint32_t i = 0; i < model->damage_count; i++) {
        uint64_t offset = model->damages[i].offset;
        if (offset > before && offset < found)
            found = offset;
    }
    return found;
}

/* What damage cost the blocks of the window, from their segments. */
static bool add_damage(struct trace_live *live)
{
    const struct trace_live_blocks *blocks = &live->blocks;
    const uint64_t damage = find_damage(live);
    struct trace_loss_search search = {
        .capture = live->capture, .is_partial = true, .from_ns = live->begin_ns};
    bool is_complete = true;
    for (uint32_t i = blocks->first; damage != UINT64_MAX && is_complete && i < blocks->count;
         i++) {
        search.is_torn = damage < blocks->items[i].offset;
        is_complete =
            trace_loss_search_add(&search, blocks->items[i].events, blocks->items[i].offset);
    }
    free(search.tracks);
    return is_complete;
}

bool trace_live_set_losses(struct trace_live *live, bool is_window)
{
    struct trace_live_losses *losses = &live->losses;
    struct trace_model *model = live->capture->model;
    add_up(losses->sums, &losses->count);
    forget_before(live, live->begin_ns - TRACE_LIVE_SLACK_NS);
    const struct lcap_loss *shown = is_window ? losses->recent : losses->sums;
    uint32_t count = is_window ? losses->recent_count : losses->count;
    model->loss_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t end_ns = trace_live_ns(live, shown[i].clock, shown[i].last_tick);
        if (is_window && end_ns < live->begin_ns)
            continue;
        if (!trace_capture_add_loss(live->capture, &shown[i]))
            return false;
    }
    return add_damage(live);
}
