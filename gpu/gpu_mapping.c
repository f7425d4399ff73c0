/* Ties a device's counter to the recorder's clock between two readings of both. */
#include "gpu_mapping.h"

/* Of the elapsed time: 1/1000 is more than any two crystals differ, and less than a jump. */
#define ELAPSED_SHARE 1000u

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t distance(int64_t from, int64_t to)
{
    return (uint64_t)to - (uint64_t)from;
}

struct ludus_gpu_point ludus_gpu_point_calibrated(const struct ludus_gpu_clocks *clocks,
                                                  const struct ludus_gpu_gap *gap)
{
    struct ludus_gpu_point point = {.mapping = LUDUS_GPU_MAPPED,
                                    .device_tick = clocks->device_tick,
                                    .host_ns = clocks->host_ns,
                                    .deviation_ns = clocks->deviation_ns,
                                    .residual_ns = gap->residual_ns,
                                    .system_ns = clocks->host_ns,
                                    .slack_ns = clocks->deviation_ns};
    /* Our own reads may be wrong by their residual. */
    const bool is_early = clocks->host_ns < gap->before_ns &&
                          distance(clocks->host_ns, gap->before_ns) > gap->residual_ns;
    const bool is_late = clocks->host_ns > gap->after_ns &&
                         distance(gap->after_ns, clocks->host_ns) > gap->residual_ns;
    if (is_early || is_late)
        point.mapping = LUDUS_GPU_WRONG_DOMAIN;
    else if (clocks->deviation_ns > LUDUS_GPU_MOST_DEVIATION_NS)
        point.mapping = LUDUS_GPU_TOO_UNCERTAIN;
    return point;
}

struct ludus_gpu_point ludus_gpu_point_two_samples(const struct ludus_gpu_clocks *clocks,
                                                   const struct ludus_gpu_gap *gap)
{
    struct ludus_gpu_point point = {.mapping = LUDUS_GPU_MAPPED,
                                    .device_tick = clocks->device_tick,
                                    .host_ns = gap->before_ns,
                                    .residual_ns = gap->residual_ns,
                                    .system_ns = clocks->host_ns};
    if (gap->after_ns < gap->before_ns) {
        point.mapping = LUDUS_GPU_WRONG_DOMAIN;
        return point;
    }
    point.slack_ns = distance(gap->before_ns, gap->after_ns);
    point.deviation_ns = point.slack_ns / 2 + point.slack_ns % 2;
    point.host_ns += (int64_t)(point.slack_ns / 2);
    if (point.slack_ns > LUDUS_GPU_MOST_DEVIATION_NS)
        point.mapping = LUDUS_GPU_TOO_UNCERTAIN;
    return point;
}

struct ludus_gpu_point ludus_gpu_point_failed(void)
{
    return (struct ludus_gpu_point){.mapping = LUDUS_GPU_READ_FAILED};
}

static ludus_gpu_wide apart(ludus_gpu_wide a, ludus_gpu_wide b)
{
    return a > b ? a - b : b - a;
}

/* Whether the clocks agree on how long the window was. The counter's elapsed time is known but for
 * whole periods, so that the host's has to be short of one first. */
static uint32_t compare_elapsed(const struct ludus_gpu_window *window)
{
    const struct ludus_gpu_point *from = &window->points[0];
    const struct ludus_gpu_point *to = &window->points[1];
    if (to->host_ns < from->host_ns || to->system_ns < from->system_ns)
        return LUDUS_GPU_CLOCKS_APART;
    const ludus_gpu_wide host_fs =
        (ludus_gpu_wide)distance(from->host_ns, to->host_ns) * LUDUS_GPU_FS_PER_NS;
    const ludus_gpu_wide system_fs =
        (ludus_gpu_wide)distance(from->system_ns, to->system_ns) * LUDUS_GPU_FS_PER_NS;
    const ludus_gpu_wide slack_fs =
        ((ludus_gpu_wide)from->slack_ns + to->slack_ns) * LUDUS_GPU_FS_PER_NS;
    const ludus_gpu_wide share_fs = host_fs / ELAPSED_SHARE;
    const uint64_t mask = ludus_gpu_counter_mask(window->counter);
    if ((host_fs + slack_fs + share_fs) / window->counter.period_fs >= mask)
        return LUDUS_GPU_FULL_PERIOD;
    /* Both of these are the host's: only the moments at which they were read differ. */
    if (apart(host_fs, system_fs) > slack_fs)
        return LUDUS_GPU_CLOCKS_APART;
    const ludus_gpu_wide device_fs = (ludus_gpu_wide)ludus_gpu_counter_steps(
                                         window->counter, from->device_tick, to->device_tick) *
                                     window->counter.period_fs;
    return apart(device_fs, host_fs) > slack_fs + share_fs ? LUDUS_GPU_CLOCKS_APART
                                                           : LUDUS_GPU_MAPPED;
}

/* Saturates below the value that means "not mapped". */
static uint32_t to_uncertainty(uint64_t deviation_ns, uint64_t residual_ns)
{
    const ludus_gpu_wide sum = (ludus_gpu_wide)deviation_ns + residual_ns;
    return sum < LUDUS_GPU_UNMAPPED ? (uint32_t)sum : LUDUS_GPU_UNMAPPED - 1;
}

struct ludus_gpu_window ludus_gpu_window_make(struct ludus_gpu_counter counter,
                                              const struct ludus_gpu_point *before,
                                              const struct ludus_gpu_point *behind)
{
    struct ludus_gpu_window window = {.counter = counter, .points = {*before, *behind}};
    const uint64_t deviation_ns = larger(before->deviation_ns, behind->deviation_ns);
    if (before->mapping != LUDUS_GPU_MAPPED)
        window.mapping = before->mapping;
    else if (behind->mapping != LUDUS_GPU_MAPPED)
        window.mapping = behind->mapping;
    else
        window.mapping = compare_elapsed(&window);
    window.uncertainty_ns = to_uncertainty(
        deviation_ns,
        window.mapping == LUDUS_GPU_MAPPED ? larger(before->residual_ns, behind->residual_ns) : 0);
    return window;
}

bool ludus_gpu_window_map(const struct ludus_gpu_window *window, uint64_t tick, int64_t *time_ns)
{
    const struct ludus_gpu_point *from = &window->points[0];
    const struct ludus_gpu_point *to = &window->points[1];
    const uint64_t elapsed =
        ludus_gpu_counter_steps(window->counter, from->device_tick, to->device_tick);
    const uint64_t offset = ludus_gpu_counter_steps(window->counter, from->device_tick, tick);
    if (offset > elapsed)
        return false;
    /* Below 2^64 steps times below 2^63 ns. */
    const ludus_gpu_wide scaled =
        (ludus_gpu_wide)offset * distance(from->host_ns, to->host_ns) + elapsed / 2;
    *time_ns = from->host_ns + (elapsed == 0 ? 0 : (int64_t)(scaled / elapsed));
    return true;
}
