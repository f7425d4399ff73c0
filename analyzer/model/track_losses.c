/* Collects and searches the losses of a track. */
#include "track_losses.h"

#include <stdlib.h>

#include "frame_table.h"
#include "lcap_layout.h"

/* --- which losses ---------------------------------------------------------------------------- */

/* Its place in the index. */
static uint32_t row_of(const struct trace_loss_index *index, uint32_t track)
{
    return track < index->track_count ? track : index->track_count;
}

/* A loss without a track may be any track's, unless its cause says that the thread had none. */
static bool may_be_of_any(const struct trace_loss *loss)
{
    return loss->cause != LCAP_LOSS_TOO_MANY_THREADS && loss->cause != LCAP_LOSS_WRITE_FAILED;
}

static bool concerns(const struct trace_loss *loss, enum trace_loss_choice choice)
{
    if (loss->track == TRACE_NONE && !may_be_of_any(loss))
        return false;
    if (loss->counts.scopes != 0 || loss->cause == TRACE_LOSS_DAMAGE)
        return true;
    return choice == TRACE_LOSSES_OF_EVENTS && loss->counts.instants != 0;
}

/* Goes through the losses of one row of the index: NULL behind the last. */
struct loss_walk {
    const struct trace_loss_index *index;
    enum trace_loss_choice choice;
    uint32_t at, end;
};

static struct loss_walk start_walk(const struct trace_loss_index *index, uint32_t row,
                                   enum trace_loss_choice choice)
{
    struct loss_walk walk = {.index = index, .choice = choice};
    if (index->order != NULL) {
        walk.at = index->starts[row];
        walk.end = index->starts[row + 1];
    }
    return walk;
}

static const struct trace_loss *next_loss(struct loss_walk *walk)
{
    while (walk->at != walk->end) {
        const struct trace_loss *loss = &walk->index->model->losses[walk->index->order[walk->at++]];
        if (concerns(loss, walk->choice))
            return loss;
    }
    return NULL;
}

/* A track that came later has no losses of its own. */
bool trace_track_has_own_loss(const struct trace_loss_index *index, uint32_t track)
{
    if (track >= index->track_count)
        return false;
    struct loss_walk walk = start_walk(index, track, TRACE_LOSSES_OF_EVENTS);
    return next_loss(&walk) != NULL;
}

/* --- spans ----------------------------------------------------------------------------------- */

static int compare_spans(const void *a, const void *b)
{
    const struct trace_loss_span *left = a;
    const struct trace_loss_span *right = b;
    return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

static bool add_span(struct trace_track_losses *losses, const struct trace_loss *loss)
{
    if (!trace_array_grow(&losses->spans, losses->count, sizeof *losses->spans)) {
        trace_track_losses_destroy(losses);
        return false;
    }
    losses->spans[losses->count++] = (struct trace_loss_span){loss->begin_ns, loss->end_ns};
    return true;
}

static void order(struct trace_track_losses *losses)
{
    if (losses->count > 1)
        qsort(losses->spans, losses->count, sizeof *losses->spans, compare_spans);
    for (uint32_t i = 1; i < losses->count; i++)
        if (losses->spans[i].end_ns < losses->spans[i - 1].end_ns)
            losses->spans[i].end_ns = losses->spans[i - 1].end_ns;
}

static bool collect(const struct trace_loss_index *index, uint32_t row,
                    enum trace_loss_choice choice, struct trace_track_losses *losses)
{
    struct loss_walk walk = start_walk(index, row, choice);
    for (const struct trace_loss *loss = next_loss(&walk); loss != NULL; loss = next_loss(&walk))
        if (!add_span(losses, loss))
            return false;
    order(losses);
    return true;
}

bool trace_track_losses_create(const struct trace_loss_index *index, uint32_t track,
                               enum trace_loss_choice choice, struct trace_track_losses *losses)
{
    *losses = (struct trace_track_losses){.common = &index->of_any[choice]};
    return track >= index->track_count || collect(index, track, choice, losses);
}

/* A track that a loss may be of: its own, or any. */
static bool concerns_some(const struct trace_loss *loss, const bool *tracks, uint32_t track_count)
{
    bool is_known = loss->track != TRACE_NONE;
    if (is_known && tracks != NULL && (loss->track >= track_count || !tracks[loss->track]))
        return false;
    return concerns(loss, TRACE_LOSSES_OF_EVENTS);
}

bool trace_track_losses_create_all(const struct trace_model *model, const bool *tracks,
                                   uint32_t track_count, struct trace_track_losses *losses)
{
    *losses = (struct trace_track_losses){0};
    for (uint32_t i = 0; i < model->loss_count; i++)
        if (concerns_some(&model->losses[i], tracks, track_count) &&
            !add_span(losses, &model->losses[i]))
            return false;
    order(losses);
    return true;
}

void trace_track_losses_destroy(struct trace_track_losses *losses)
{
    free(losses->spans);
    *losses = (struct trace_track_losses){0};
}

static bool overlap(const struct trace_track_losses *losses, int64_t begin_ns, int64_t last_ns)
{
    /* Of all losses that reach to `begin_ns`, the first begins first. */
    uint32_t low = 0, high = losses->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (losses->spans[middle].end_ns < begin_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low < losses->count && losses->spans[low].begin_ns <= last_ns;
}

bool trace_track_losses_overlap(const struct trace_track_losses *losses, int64_t begin_ns,
                                int64_t last_ns)
{
    return overlap(losses, begin_ns, last_ns) ||
           (losses->common != NULL && overlap(losses->common, begin_ns, last_ns));
}

/* --- the index ------------------------------------------------------------------------------- */

bool trace_loss_index_create(struct trace_loss_index *index, const struct trace_model *model)
{
    *index = (struct trace_loss_index){.model = model, .track_count = model->track_count};
    if (model->loss_count == 0)
        return true;
    index->order = malloc((size_t)model->loss_count * sizeof *index->order);
    index->starts = calloc((size_t)model->track_count + 3, sizeof *index->starts);
    if (index->order == NULL || index->starts == NULL) {
        trace_loss_index_destroy(index);
        return false;
    }
    /* A row's count, then its end, stands two places behind it: entering moves it to its begin. */
    for (uint32_t i = 0; i < model->loss_count; i++)
        index->starts[row_of(index, model->losses[i].track) + 2]++;
    for (uint32_t row = 0; row <= index->track_count; row++)
        index->starts[row + 2] += index->starts[row + 1];
    for (uint32_t i = 0; i < model->loss_count; i++)
        index->order[index->starts[row_of(index, model->losses[i].track) + 1]++] = i;
    for (uint32_t choice = 0; choice < TRACE_LOSS_CHOICES; choice++) {
        if (!collect(index, index->track_count, (enum trace_loss_choice)choice,
                     &index->of_any[choice])) {
            trace_loss_index_destroy(index);
            return false;
        }
    }
    return true;
}

void trace_loss_index_destroy(struct trace_loss_index *index)
{
    for (uint32_t choice = 0; choice < TRACE_LOSS_CHOICES; choice++)
        trace_track_losses_destroy(&index->of_any[choice]);
    free(index->order);
    free(index->starts);
    *index = (struct trace_loss_index){0};
}

bool trace_find_lossless_marker(const struct trace_model *model, uint32_t domain, uint32_t *track)
{
    struct trace_loss_index index;
    *track = TRACE_NONE;
    if (domain == TRACE_NONE)
        return true;
    bool is_done = trace_domain_find_marker(&model->domains[domain], track) &&
                   trace_loss_index_create(&index, model);
    if (!is_done)
        return false;
    if (*track != TRACE_NONE && trace_track_has_own_loss(&index, *track))
        *track = TRACE_NONE;
    trace_loss_index_destroy(&index);
    return true;
}
