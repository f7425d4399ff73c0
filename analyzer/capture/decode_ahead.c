/* A ring of decoded blocks between threads that fill it and one that empties it, in order. The one
 * who waits for a block decodes what nobody has begun, so that no processor idles as long as there
 * is work. */
#include "decode_ahead.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

/* A recorder's block takes about 1 MiB, the largest that the format allows 16 MiB. */
#define PLACES      6u
#define MAX_HELPERS 3u

/* Fewer blocks are decoded before a thread has begun. */
#define MIN_BLOCKS 8u

struct place {
    struct lcap_reader *reader; /* of its own: holds what the item and the events point to */
    struct lcap_item item;
    enum ludus_status status;
    bool is_done;
};

struct trace_decode_ahead {
    const struct trace_capture_file *file;
    const uint64_t *offsets; /* of blocks: not those that have been taken */
    uint32_t block_count;
    uint32_t place_count; /* block i is in place i % place_count */
    uint32_t helper_count;
    struct place places[PLACES];
    pthread_t helpers[MAX_HELPERS];
    pthread_mutex_t lock; /* of all below, and of places but for those that are being filled */
    pthread_cond_t has_room;
    pthread_cond_t has_block;
    uint32_t begun; /* blocks that somebody decodes or has decoded */
    uint32_t taken; /* of those: the last one is still looked at */
    bool is_ending;
};

uint32_t trace_decode_ahead_helpers(uint32_t block_count)
{
    cpu_set_t usable;
    if (block_count < MIN_BLOCKS || sched_getaffinity(0, sizeof usable, &usable) != 0)
        return 0;
    uint32_t others = (uint32_t)CPU_COUNT(&usable) - 1;
    return others < MAX_HELPERS ? others : MAX_HELPERS;
}

/* Whether there is a block that nobody has begun, and a place for it: the last one that was taken
 * is in use until the next is. */
static bool has_work(const struct trace_decode_ahead *ahead)
{
    uint32_t first_in_use = ahead->taken == 0 ? 0 : ahead->taken - 1;
    return ahead->begun < ahead->block_count && ahead->begun - first_in_use < ahead->place_count;
}

/* Decodes the next block; the lock is held before and behind. */
static void decode_one(struct trace_decode_ahead *ahead)
{
    uint32_t block = ahead->begun++;
    struct place *place = &ahead->places[block % ahead->place_count];
    uint64_t offset = ahead->offsets[block];
    place->is_done = false;
    pthread_mutex_unlock(&ahead->lock);
    place->status = lcap_reader_read(place->reader, offset, &place->item);
    pthread_mutex_lock(&ahead->lock);
    place->is_done = true;
    pthread_cond_signal(&ahead->has_block);
}

static void *help(void *context)
{
    struct trace_decode_ahead *ahead = context;
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->is_ending && ahead->begun < ahead->block_count) {
        if (has_work(ahead))
            decode_one(ahead);
        else
            pthread_cond_wait(&ahead->has_room, &ahead->lock);
    }
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

/* Signals are for the program's own threads. */
static void start_helpers(struct trace_decode_ahead *ahead, uint32_t count)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return;
    while (ahead->helper_count < count &&
           pthread_create(&ahead->helpers[ahead->helper_count], NULL, help, ahead) == 0)
        ahead->helper_count++;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

enum ludus_status trace_decode_ahead_create(const struct trace_capture *capture, uint32_t helpers,
                                            struct trace_decode_ahead **out)
{
    *out = NULL;
    struct trace_decode_ahead *ahead = calloc(1, sizeof *ahead);
    if (ahead == NULL)
        return LUDUS_ERROR_MEMORY;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->has_room, NULL);
    pthread_cond_init(&ahead->has_block, NULL);
    ahead->file = capture->file;
    ahead->offsets = capture->events.items;
    ahead->block_count = capture->events.count;
    helpers = helpers < MAX_HELPERS ? helpers : MAX_HELPERS;
    ahead->place_count = helpers == 0 ? 1 : PLACES;
    for (uint32_t i = 0; i < ahead->place_count; i++) {
        enum ludus_status status =
            lcap_reader_open_again(capture->reader, &ahead->places[i].reader);
        if (status != LUDUS_OK) {
            trace_decode_ahead_destroy(ahead);
            return status;
        }
    }
    start_helpers(ahead, helpers);
    *out = ahead;
    return LUDUS_OK;
}

void trace_decode_ahead_destroy(struct trace_decode_ahead *ahead)
{
    if (ahead == NULL)
        return;
    pthread_mutex_lock(&ahead->lock);
    ahead->is_ending = true;
    pthread_cond_broadcast(&ahead->has_room);
    pthread_mutex_unlock(&ahead->lock);
    for (uint32_t i = 0; i < ahead->helper_count; i++)
        pthread_join(ahead->helpers[i], NULL);
    for (uint32_t i = 0; i < ahead->place_count; i++)
        lcap_reader_close(ahead->places[i].reader);
    pthread_cond_destroy(&ahead->has_block);
    pthread_cond_destroy(&ahead->has_room);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead);
}

enum ludus_status trace_decode_ahead_next(struct trace_decode_ahead *ahead, struct lcap_item *item,
                                          const struct lcap_events **events)
{
    *events = NULL;
    if (ahead->taken == ahead->block_count)
        return LUDUS_END;
    pthread_mutex_lock(&ahead->lock);
    uint32_t block = ahead->taken++; /* which gives the place of the block before back */
    struct place *place = &ahead->places[block % ahead->place_count];
    pthread_cond_signal(&ahead->has_room);
    while (ahead->begun <= block || !place->is_done) {
        if (has_work(ahead))
            decode_one(ahead);
        else
            pthread_cond_wait(&ahead->has_block, &ahead->lock);
    }
    pthread_mutex_unlock(&ahead->lock);
    *item = place->item;
    trace_capture_file_tell(ahead->file, item->offset);
    *events = place->status == LUDUS_OK ? lcap_reader_events(place->reader) : NULL;
    return place->status;
}
