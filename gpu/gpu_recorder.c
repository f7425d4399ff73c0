/* The recorder as a sink. */
#include <ludus/gpu.h>

static uint64_t admission(void *context)
{
    (void)context;
    return ludus_gpu_admission();
}

static uint64_t tick(void *context)
{
    (void)context;
    return ludus_gpu_tick();
}

static int64_t clock_ns(void *context, uint64_t *residual_ns)
{
    (void)context;
    return ludus_gpu_clock_ns(residual_ns);
}

static uint32_t open_queue(void *context, uint64_t number,
                           const struct ludus_gpu_queue_facts *facts)
{
    (void)context;
    return ludus_gpu_queue_open(number, facts);
}

static uint32_t site_number(void *context, struct ludus_site *site)
{
    (void)context;
    return ludus_gpu_site(site);
}

static int put_frame(void *context, uint64_t number, const struct ludus_gpu_frame *frame)
{
    (void)context;
    return ludus_gpu_put_frame(number, frame);
}

static int put_pass(void *context, uint64_t number, const struct ludus_gpu_pass *pass)
{
    (void)context;
    return ludus_gpu_put_pass(number, pass);
}

static int put_calibration(void *context, uint64_t number,
                           const struct ludus_gpu_calibration *calibration)
{
    (void)context;
    return ludus_gpu_put_calibration(number, calibration);
}

static void count(void *context, uint64_t number, uint32_t queue, uint32_t subject,
                  uint32_t outcome, uint64_t more)
{
    (void)context;
    ludus_gpu_count(number, queue, subject, outcome, more);
}

struct ludus_gpu_sink ludus_gpu_recorder(void)
{
    return (struct ludus_gpu_sink){.admission = admission,
                                   .tick = tick,
                                   .clock_ns = clock_ns,
                                   .open_queue = open_queue,
                                   .site = site_number,
                                   .put_frame = put_frame,
                                   .put_pass = put_pass,
                                   .put_calibration = put_calibration,
                                   .count = count};
}
