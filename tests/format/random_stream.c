/* Random but reproducible streams of events. */
#include "random_stream.h"

#include <stdbool.h>

uint64_t random_next(struct random *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

uint32_t random_below(struct random *random, uint32_t limit)
{
    return (uint32_t)(random_next(random) % limit);
}

static uint32_t pick_kind(struct random *random, const struct stream_shape *shape, uint32_t depth)
{
    for (;;) {
        uint32_t kind = random_below(random, 16);
        if (kind >= LCAP_EVENT_KINDS)
            kind = kind % 2 == 0 ? LCAP_EVENT_BEGIN : LCAP_EVENT_END;
        bool is_possible = kind == LCAP_EVENT_END     ? depth != 0
                           : kind == LCAP_EVENT_BEGIN ? depth < shape->max_depth
                                                      : (shape->kinds >> kind & 1) != 0;
        if (is_possible)
            return kind;
    }
}

void stream_generate(struct random *random, const struct stream_shape *shape,
                     struct stream_event *events)
{
    uint64_t tick = shape->first_tick;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < shape->events; i++) {
        uint32_t shift = random_below(random, shape->max_shift + 1);
        tick += (random_next(random) & ((UINT64_C(1) << shift) - 1)) * shape->step;
        struct stream_event *event = &events[i];
        *event = (struct stream_event){.tick = tick, .kind = pick_kind(random, shape, depth)};
        if (event->kind != LCAP_EVENT_END && event->kind != LCAP_EVENT_TRACK_SWITCH)
            event->site = 1 + random_below(random, shape->sites);
        if (event->kind >= LCAP_EVENT_FLOW_OUT)
            event->value = random_next(random) >> random_below(random, 64);
        depth += event->kind == LCAP_EVENT_BEGIN;
        depth -= event->kind == LCAP_EVENT_END;
    }
}
