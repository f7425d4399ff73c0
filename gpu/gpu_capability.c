/* What can be measured on a queue, and why the rest cannot. */
#include "gpu_capability.h"

/* Why the queue's timestamps are of no use; NULL when they are. */
static const char *find_fault(const struct ludus_gpu_queue_facts *facts)
{
    if (facts->valid_bits == 0)
        return "the queue has no timestamps";
    if (facts->valid_bits < LUDUS_GPU_FEWEST_BITS || facts->valid_bits > 64)
        return "the queue's timestamps do not have 36 to 64 valid bits";
    if (facts->period_fs == 0)
        return "the step of the queue's timestamps is not known";
    return NULL;
}

static void set_reason(const char **reason, const char *fault)
{
    if ((*reason)[0] == 0 && fault != NULL)
        *reason = fault;
}

void ludus_gpu_capability_find(struct ludus_gpu_capability *capability,
                               const struct ludus_gpu_setup *setup, uint32_t generation)
{
    struct ludus_gpu_queue_facts *facts = &capability->facts;
    *facts = setup->facts;
    facts->generation = generation;
    const char **const texts[] = {&facts->backend, &facts->device, &facts->queue,
                                  &facts->pass_reason, &facts->calibration_reason};
    for (int i = 0; i < 5; i++) {
        ludus_gpu_name_copy(capability->texts[i], *texts[i]);
        *texts[i] = capability->texts[i];
    }
    const char *fault = find_fault(facts);
    set_reason(&facts->pass_reason, fault);
    set_reason(&facts->calibration_reason, fault);
    if (setup->policy == LUDUS_GPU_UNCALIBRATED || setup->device.read_clocks == NULL)
        set_reason(&facts->calibration_reason, "the backend reads no clocks");
    capability->counter = (struct ludus_gpu_counter){facts->valid_bits, facts->period_fs};
    capability->frames = fault == NULL;
    capability->passes = facts->pass_reason[0] == 0;
    capability->policy = facts->calibration_reason[0] == 0 ? setup->policy : LUDUS_GPU_UNCALIBRATED;
}
