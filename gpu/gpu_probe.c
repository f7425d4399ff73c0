/* The frame probe: one measurement of a frame's work at a time. */
#include "gpu_probe.h"

bool ludus_gpu_probe_arm(struct ludus_gpu_probe *probe)
{
    if (probe->state != LUDUS_GPU_PROBE_IDLE)
        return false;
    probe->state = LUDUS_GPU_PROBE_ARMED;
    return true;
}

void ludus_gpu_probe_submit(struct ludus_gpu_probe *probe)
{
    if (probe->state == LUDUS_GPU_PROBE_ARMED)
        probe->state = LUDUS_GPU_PROBE_PENDING;
}

void ludus_gpu_probe_discard(struct ludus_gpu_probe *probe)
{
    if (probe->state == LUDUS_GPU_PROBE_ARMED)
        probe->state = LUDUS_GPU_PROBE_IDLE;
}

void ludus_gpu_probe_resolve(struct ludus_gpu_probe *probe, const struct ludus_gpu_frame *result)
{
    if (probe->state != LUDUS_GPU_PROBE_PENDING)
        return;
    probe->state = LUDUS_GPU_PROBE_IDLE;
    probe->has_result = true;
    probe->result = *result;
}

bool ludus_gpu_probe_latest(const struct ludus_gpu_probe *probe, struct ludus_gpu_frame *result)
{
    if (probe->has_result)
        *result = probe->result;
    return probe->has_result;
}
