/* A hash table of sums, at most three quarters full. */
#include "frame_sums.h"

#include <stdlib.h>
#include <string.h>

#include "model.h"

#define FIRST_CAPACITY ((size_t)1024)

bool trace_frame_sums_create(struct trace_frame_sums *sums, size_t budget_bytes, uint32_t begin,
                             uint32_t end)
{
    *sums = (struct trace_frame_sums){
        .capacity = FIRST_CAPACITY, .most = FIRST_CAPACITY, .begin = begin, .end = end};
    while (sums->most * 2 * sizeof *sums->places <= budget_bytes)
        sums->most *= 2;
    sums->places = calloc(sums->capacity, sizeof *sums->places);
    return sums->places != NULL;
}

void trace_frame_sums_destroy(struct trace_frame_sums *sums)
{
    free(sums->places);
    *sums = (struct trace_frame_sums){0};
}

void trace_frame_sums_clear(struct trace_frame_sums *sums)
{
    memset(sums->places, 0, sums->capacity * sizeof *sums->places);
    sums->count = 0;
}

/* The place of a sum, or the free one for it; `subject` is one too large, as in the place. */
static struct trace_frame_sum *find(const struct trace_frame_sums *sums, uint32_t subject,
                                    uint32_t frame)
{
    uint64_t key = ((uint64_t)subject << 32 | frame) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(key >> 32) & (sums->capacity - 1);
    while (sums->places[at].subject != 0 &&
           (sums->places[at].subject != subject || sums->places[at].frame != frame))
        at = (at + 1) & (sums->capacity - 1);
    return &sums->places[at];
}

/* Moves the sums of the frames that are left into a table of another capacity. */
static bool move(struct trace_frame_sums *sums, size_t capacity)
{
    struct trace_frame_sums moved = *sums;
    moved.places = calloc(capacity, sizeof *moved.places);
    moved.capacity = capacity;
    moved.count = 0;
    if (moved.places == NULL)
        return false;
    for (size_t i = 0; i < sums->capacity; i++) {
        const struct trace_frame_sum *sum = &sums->places[i];
        if (sum->subject == 0 || sum->frame >= sums->end)
            continue;
        *find(&moved, sum->subject, sum->frame) = *sum;
        moved.count++;
    }
    free(sums->places);
    *sums = moved;
    return true;
}

static bool make_room(struct trace_frame_sums *sums)
{
    while (sums->count >= sums->capacity / 4 * 3) {
        size_t capacity = sums->capacity;
        if (capacity < sums->most || sums->end - sums->begin == 1)
            capacity *= 2;
        else
            sums->end -= (sums->end - sums->begin) / 2;
        if (!move(sums, capacity))
            return false;
    }
    return true;
}

bool trace_frame_sums_add(struct trace_frame_sums *sums, uint32_t subject, uint32_t frame,
                          int64_t value)
{
    if (frame < sums->begin || frame >= sums->end)
        return true;
    struct trace_frame_sum *sum = find(sums, subject + 1, frame);
    if (sum->subject == 0) {
        if (!make_room(sums))
            return false;
        if (frame >= sums->end)
            return true;
        sum = find(sums, subject + 1, frame);
        *sum = (struct trace_frame_sum){.subject = subject + 1, .frame = frame};
        sums->count++;
    }
    sum->value = trace_sum(sum->value, value);
    return true;
}
