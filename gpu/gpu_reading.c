/* Reads the device's clock and the host's, between two reads of the recorder's. */
#include "gpu_session.h"

/* A thread that is interrupted in a reading makes it useless, which does not happen often in a row.
 * What does not help in so many tries is not waited for. */
#define TRIES 3

/* A window that is not longer than it must be has the smaller error between its ends. */
#define OLDEST_NS 100000000

static struct ludus_gpu_point read_once(const struct ludus_gpu_session *session)
{
    const struct ludus_gpu_sink *sink = &session->sink;
    struct ludus_gpu_clocks clocks = {0};
    struct ludus_gpu_gap gap = {0};
    uint64_t residual_ns = 0;
    gap.before_ns = sink->clock_ns(sink->context, &gap.residual_ns);
    const enum ludus_gpu_answer answer =
        session->device.read_clocks(session->device.context, &clocks);
    gap.after_ns = sink->clock_ns(sink->context, &residual_ns);
    if (residual_ns > gap.residual_ns)
        gap.residual_ns = residual_ns;
    if (answer != LUDUS_GPU_ANSWERED)
        return ludus_gpu_point_failed();
    return session->capability.policy == LUDUS_GPU_CALIBRATED
               ? ludus_gpu_point_calibrated(&clocks, &gap)
               : ludus_gpu_point_two_samples(&clocks, &gap);
}

struct ludus_gpu_point ludus_gpu_session_read_point(struct ludus_gpu_session *session)
{
    struct ludus_gpu_point point = read_once(session);
    for (int tries = 1; tries < TRIES && point.mapping == LUDUS_GPU_TOO_UNCERTAIN; tries++)
        point = read_once(session);
    return point;
}

struct ludus_gpu_point ludus_gpu_session_first_point(struct ludus_gpu_session *session)
{
    const struct ludus_gpu_sink *sink = &session->sink;
    uint64_t residual_ns;
    if (session->point.mapping != LUDUS_GPU_MAPPED ||
        sink->clock_ns(sink->context, &residual_ns) - session->point.host_ns > OLDEST_NS)
        session->point = ludus_gpu_session_read_point(session);
    return session->point;
}
