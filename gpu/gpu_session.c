/* A session with a queue of a device: its beginning and its ends. */
#include "gpu_session.h"

#include <stdatomic.h>
#include <stdlib.h>

#define DEFAULT_BATCHES  4u
#define DEFAULT_PATIENCE 8u

static _Atomic uint32_t generations;

static bool is_sound(const struct ludus_gpu_setup *setup)
{
    const struct ludus_gpu_sink *sink = &setup->sink;
    return setup->batches <= LUDUS_GPU_MAX_BATCHES && setup->policy <= LUDUS_GPU_TWO_SAMPLES &&
           setup->device.read_slots != NULL && sink->admission != NULL && sink->tick != NULL &&
           sink->clock_ns != NULL && sink->open_queue != NULL && sink->site != NULL &&
           sink->put_frame != NULL && sink->put_pass != NULL && sink->put_calibration != NULL &&
           sink->count != NULL;
}

struct ludus_gpu_session *ludus_gpu_session_create(const struct ludus_gpu_setup *setup)
{
    if (!is_sound(setup))
        return NULL;
    struct ludus_gpu_session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->device = setup->device;
    session->sink = setup->sink;
    session->frame_method =
        setup->frame_method != 0 ? setup->frame_method : (uint32_t)LUDUS_GPU_TIMESTAMPS;
    session->patience_frames =
        setup->patience_frames != 0 ? setup->patience_frames : DEFAULT_PATIENCE;
    session->batch_count = setup->batches != 0 ? setup->batches : DEFAULT_BATCHES;
    for (uint32_t i = 0; i < session->batch_count; i++)
        session->batches[i].first_slot = i * LUDUS_GPU_FRAME_SLOTS;
    session->next_serial = 1; /* so that no token is 0 */
    ludus_gpu_capability_find(&session->capability, setup,
                              atomic_fetch_add_explicit(&generations, 1, memory_order_relaxed));
    return session;
}

static void finish(struct ludus_gpu_session *session, enum ludus_gpu_outcome outcome)
{
    if (session->is_over)
        return;
    ludus_gpu_session_leave_frame(session);
    session->is_over = true;
    for (uint32_t i = 0; i < session->batch_count; i++) {
        if (ludus_gpu_batch_is_in_flight(&session->batches[i]))
            ludus_gpu_session_give_up(session, &session->batches[i], outcome);
    }
}

void ludus_gpu_session_end(struct ludus_gpu_session *session)
{
    finish(session, LUDUS_GPU_UNRESOLVED);
}

void ludus_gpu_session_lose(struct ludus_gpu_session *session)
{
    finish(session, LUDUS_GPU_DEVICE_LOST);
    for (uint32_t i = 0; i < session->batch_count; i++)
        ludus_gpu_batch_drop(&session->batches[i]);
}

void ludus_gpu_session_destroy(struct ludus_gpu_session *session)
{
    if (session == NULL)
        return;
    ludus_gpu_session_end(session);
    free(session);
}

uint32_t ludus_gpu_session_held(const struct ludus_gpu_session *session)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < session->batch_count; i++)
        held += session->batches[i].state == LUDUS_GPU_BATCH_PENDING ||
                session->batches[i].state == LUDUS_GPU_BATCH_HELD;
    return held;
}

void ludus_gpu_session_watch(struct ludus_gpu_session *session, int is_watched)
{
    session->is_watched = is_watched != 0;
}

int ludus_gpu_session_latest_frame(const struct ludus_gpu_session *session,
                                   struct ludus_gpu_frame *frame)
{
    return ludus_gpu_probe_latest(&session->probe, frame);
}

uint32_t ludus_gpu_session_generation(const struct ludus_gpu_session *session)
{
    return session->capability.facts.generation;
}

uint64_t ludus_gpu_session_in_flight(const struct ludus_gpu_session *session, uint64_t admission,
                                     enum ludus_gpu_subject subject)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < session->batch_count; i++) {
        const struct ludus_gpu_batch *batch = &session->batches[i];
        if (ludus_gpu_batch_is_in_flight(batch) && batch->admission == admission)
            count += subject == LUDUS_GPU_FRAME ? batch->has_probe : batch->count;
    }
    return count;
}
