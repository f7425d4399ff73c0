/* A frame from its begin to the end of its recording, and the scopes in it. What was never measured
 * is counted when the frame is submitted: a frame that never is was nothing to measure. */
#include <string.h>

#include "gpu_session.h"

void ludus_gpu_session_follow(struct ludus_gpu_session *session)
{
    const struct ludus_gpu_sink *sink = &session->sink;
    const uint64_t admission = sink->admission(sink->context);
    if (admission == session->admission)
        return;
    session->admission = admission;
    session->queue =
        admission != 0 ? sink->open_queue(sink->context, admission, &session->capability.facts) : 0;
}

static struct ludus_gpu_batch *find_idle(struct ludus_gpu_session *session)
{
    for (uint32_t i = 0; i < session->batch_count; i++) {
        if (session->batches[i].state == LUDUS_GPU_BATCH_IDLE)
            return &session->batches[i];
    }
    return NULL;
}

/* The batch that the frame is measured with; NULL when it is not. */
static struct ludus_gpu_batch *arm(struct ludus_gpu_session *session)
{
    struct ludus_gpu_frame_in_work *frame = &session->frame;
    const bool has_passes = session->capability.passes && frame->admission != 0;
    if (!session->capability.frames) {
        frame->outcome = LUDUS_GPU_UNSUPPORTED;
        return NULL;
    }
    struct ludus_gpu_batch *batch = find_idle(session);
    const bool is_probed = batch != NULL && ludus_gpu_probe_arm(&session->probe);
    frame->outcome = is_probed ? 0 : LUDUS_GPU_BUSY;
    if (batch == NULL || (!is_probed && !has_passes))
        return NULL;
    ludus_gpu_batch_arm(batch, session->next_serial++);
    batch->has_probe = is_probed;
    if (session->capability.policy != LUDUS_GPU_UNCALIBRATED) {
        batch->before = ludus_gpu_session_first_point(session);
    }
    return batch;
}

void ludus_gpu_session_leave_frame(struct ludus_gpu_session *session)
{
    ludus_gpu_session_end_frame(session, session->frame.submissions > 0 ? LUDUS_GPU_SUBMITTED
                                                                        : LUDUS_GPU_DISCARDED);
}

void ludus_gpu_session_begin_frame(struct ludus_gpu_session *session,
                                   struct ludus_gpu_frame_plan *plan)
{
    struct ludus_gpu_frame_in_work *frame = &session->frame;
    *plan = (struct ludus_gpu_frame_plan){.begin_slot = LUDUS_GPU_NO_SLOT,
                                          .end_slot = LUDUS_GPU_NO_SLOT};
    ludus_gpu_session_leave_frame(session);
    ludus_gpu_session_poll(session);
    plan->number = session->next_number;
    if (session->is_over)
        return;
    ludus_gpu_session_follow(session);
    session->frames_begun++;
    memset(frame, 0, sizeof *frame);
    frame->is_begun = true;
    frame->admission = session->queue != 0 ? session->admission : 0;
    plan->takes_scopes = frame->admission != 0;
    frame->number = session->next_number;
    if (frame->admission != 0 || session->is_watched)
        frame->batch = arm(session);
    if (frame->batch == NULL)
        return;
    plan->first_slot = frame->batch->first_slot;
    plan->slot_count = LUDUS_GPU_FRAME_SLOTS;
    if (frame->batch->has_probe) {
        plan->begin_slot = plan->first_slot;
        plan->end_slot = plan->first_slot + 1;
    }
}

/* Why an operation is not measured; 0 when it is, with the site's number. */
static uint32_t refuse(struct ludus_gpu_session *session, struct ludus_site *site, uint64_t stream,
                       uint32_t *number)
{
    const struct ludus_gpu_batch *batch = session->frame.batch;
    uint32_t size = 0;
    if (!session->capability.passes)
        return LUDUS_GPU_UNSUPPORTED;
    const char *name = site != NULL ? ludus_gpu_site_name(site, &size) : "";
    if (!ludus_gpu_name_is_good(name, size))
        return LUDUS_GPU_BAD_NAME;
    if (batch == NULL)
        return LUDUS_GPU_BUSY;
    if (ludus_gpu_batch_is_inside(batch, stream))
        return LUDUS_GPU_NESTED;
    if (batch->count == LUDUS_GPU_FRAME_OPERATIONS)
        return LUDUS_GPU_OVER_CAPACITY;
    *number = session->sink.site(session->sink.context, site);
    return *number != 0 ? 0 : LUDUS_GPU_QUEUE_FULL;
}

struct ludus_gpu_scope ludus_gpu_session_begin_scope(struct ludus_gpu_session *session,
                                                     struct ludus_site *site, uint64_t stream,
                                                     uint32_t operation, uint32_t logical_passes)
{
    struct ludus_gpu_frame_in_work *frame = &session->frame;
    uint32_t number = 0;
    if (!frame->is_begun || frame->admission == 0)
        return (struct ludus_gpu_scope){0, LUDUS_GPU_NO_SLOT};
    const uint32_t outcome = refuse(session, site, stream, &number);
    if (outcome != 0) {
        frame->passes[outcome]++;
        return (struct ludus_gpu_scope){0, LUDUS_GPU_NO_SLOT};
    }
    return ludus_gpu_batch_begin(frame->batch, number, stream, operation, logical_passes);
}

uint32_t ludus_gpu_session_end_scope(struct ludus_gpu_session *session, uint64_t token)
{
    struct ludus_gpu_frame_in_work *frame = &session->frame;
    uint32_t slot = LUDUS_GPU_NO_SLOT;
    if (token == 0 || !frame->is_begun || frame->batch == NULL)
        return slot;
    if (ludus_gpu_batch_end(frame->batch, token, &slot) == LUDUS_GPU_END_WITHOUT_BEGIN)
        frame->passes[LUDUS_GPU_NO_BEGIN]++;
    return slot;
}

void ludus_gpu_session_submit_frame(struct ludus_gpu_session *session)
{
    struct ludus_gpu_frame_in_work *frame = &session->frame;
    const struct ludus_gpu_sink *sink = &session->sink;
    if (!frame->is_begun || frame->submissions++ > 0 || frame->batch == NULL)
        return;
    frame->batch->submit_tick = sink->tick(sink->context);
    frame->batch->submit_ns = sink->clock_ns(sink->context, &frame->batch->submit_residual_ns);
}

/* Counts what there was to measure, and what of it is not, in the recording that admits now. A
 * frame that was begun in another one is in neither. Returns the admission to tell its results
 * under. */
static uint64_t count_frame(struct ludus_gpu_session *session)
{
    struct ludus_gpu_frame_in_work *frame = &session->frame;
    const struct ludus_gpu_sink *sink = &session->sink;
    const uint64_t begun_in = frame->admission;
    ludus_gpu_session_follow(session);
    const uint64_t admission = session->queue != 0 ? session->admission : 0;
    if (admission == 0)
        return 0;
    uint64_t eligible = frame->batch != NULL ? frame->batch->count : 0;
    for (uint32_t outcome = 0; outcome < LUDUS_GPU_OUTCOMES; outcome++)
        eligible += frame->passes[outcome];
    if (begun_in != admission) {
        memset(frame->passes, 0, sizeof frame->passes);
        frame->passes[LUDUS_GPU_NOT_ADMITTED] = eligible;
        frame->outcome = LUDUS_GPU_NOT_ADMITTED;
    }
    sink->count(sink->context, admission, session->queue, LUDUS_GPU_FRAME, 0, 1);
    if (frame->outcome != 0)
        sink->count(sink->context, admission, session->queue, LUDUS_GPU_FRAME, frame->outcome, 1);
    if (eligible > 0)
        sink->count(sink->context, admission, session->queue, LUDUS_GPU_PASS, 0, eligible);
    for (uint32_t outcome = 0; outcome < LUDUS_GPU_OUTCOMES; outcome++) {
        if (frame->passes[outcome] > 0)
            sink->count(sink->context, admission, session->queue, LUDUS_GPU_PASS, outcome,
                        frame->passes[outcome]);
    }
    return begun_in == admission ? admission : 0;
}

void ludus_gpu_session_end_frame(struct ludus_gpu_session *session,
                                 enum ludus_gpu_submission submission)
{
    struct ludus_gpu_frame_in_work *frame = &session->frame;
    struct ludus_gpu_batch *batch = frame->batch;
    if (!frame->is_begun)
        return;
    if (submission == LUDUS_GPU_DISCARDED) {
        frame->is_begun = false;
        if (batch != NULL)
            ludus_gpu_batch_discard(batch);
        ludus_gpu_probe_discard(&session->probe);
        return;
    }
    if (frame->submissions == 0)
        ludus_gpu_session_submit_frame(session);
    const uint64_t admission = count_frame(session);
    frame->is_begun = false;
    session->next_number++;
    if (batch == NULL)
        return;
    batch->admission = admission;
    batch->queue = admission != 0 ? session->queue : 0;
    batch->number = frame->number;
    ludus_gpu_batch_submit(batch);
    if (batch->has_probe)
        ludus_gpu_probe_submit(&session->probe);
    if (submission == LUDUS_GPU_REFUSED) {
        ludus_gpu_session_give_up(session, batch, LUDUS_GPU_FAILED);
        if (frame->submissions == 1)
            ludus_gpu_batch_complete(batch);
    }
}
