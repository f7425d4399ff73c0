/* A device without a graphics API. */
#include "sim_device.h"

#include <string.h>

uint64_t sim_random(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15u;
    uint64_t mixed = *state;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

uint64_t sim_between(uint64_t *state, uint64_t low, uint64_t high)
{
    return low + sim_random(state) % (high - low + 1);
}

void sim_device_open(struct sim_device *device, uint64_t seed)
{
    memset(device, 0, sizeof *device);
    device->random = seed;
    device->now_ns = 1000000000;
    device->valid_bits = 64;
    device->period_fs = 1000000;
    device->first_tick = 12345;
    device->jump_at_ns = SIM_NEVER;
    device->longest_reading_ns = 800;
}

ludus_gpu_wide sim_device_ticks(const struct sim_device *device, int64_t time_ns)
{
    const ludus_gpu_wide time_fs = (ludus_gpu_wide)(uint64_t)time_ns * LUDUS_GPU_FS_PER_NS;
    const ludus_gpu_wide drifted =
        time_fs * (uint64_t)(1000000000 + device->drift_ppb) / 1000000000u;
    ludus_gpu_wide ticks = drifted / device->period_fs + device->first_tick;
    if (time_ns >= device->jump_at_ns && device->jump_ticks >= 0)
        ticks += (uint64_t)device->jump_ticks;
    else if (time_ns >= device->jump_at_ns)
        ticks -= (uint64_t)-device->jump_ticks;
    return ticks;
}

static uint64_t visible(const struct sim_device *device, ludus_gpu_wide ticks)
{
    return (uint64_t)ticks &
           ludus_gpu_counter_mask((struct ludus_gpu_counter){device->valid_bits, 1});
}

void sim_device_reset(struct sim_device *device, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        struct sim_slot *slot = &device->slots[i];
        device->faults += i >= SIM_SLOTS || slot->in_use_until_ns > device->now_ns ||
                          (slot->is_written && !slot->was_read);
        *slot = (struct sim_slot){.is_reset = true};
    }
}

void sim_commands_work(struct sim_commands *commands, uint64_t work_ns)
{
    commands->of[commands->count].work_ns = work_ns;
    commands->of[commands->count++].slot = LUDUS_GPU_NO_SLOT;
}

void sim_commands_write(struct sim_commands *commands, uint32_t slot)
{
    if (slot == LUDUS_GPU_NO_SLOT)
        return;
    commands->of[commands->count].work_ns = 0;
    commands->of[commands->count++].slot = slot;
}

int64_t sim_device_submit(struct sim_device *device, const struct sim_commands *commands)
{
    int64_t time_ns = device->now_ns + (int64_t)sim_between(&device->random, 1000, 100000);
    if (time_ns < device->busy_until_ns)
        time_ns = device->busy_until_ns;
    for (uint32_t i = 0; i < commands->count; i++) {
        time_ns += (int64_t)commands->of[i].work_ns;
        if (commands->of[i].slot == LUDUS_GPU_NO_SLOT)
            continue;
        struct sim_slot *slot = &device->slots[commands->of[i].slot];
        device->faults += !slot->is_reset;
        *slot = (struct sim_slot){
            .is_written = true, .ticks = sim_device_ticks(device, time_ns), .written_ns = time_ns};
    }
    for (uint32_t i = 0; i < commands->count; i++) {
        if (commands->of[i].slot == LUDUS_GPU_NO_SLOT)
            continue;
        struct sim_slot *slot = &device->slots[commands->of[i].slot];
        slot->in_use_until_ns = time_ns;
        slot->available_ns =
            device->late_ns == (uint64_t)SIM_NEVER ? SIM_NEVER : time_ns + (int64_t)device->late_ns;
    }
    device->busy_until_ns = time_ns;
    return time_ns;
}

static enum ludus_gpu_answer read_slots(void *context, uint32_t first, uint32_t count,
                                        struct ludus_gpu_reading *readings)
{
    struct sim_device *device = context;
    for (uint32_t i = 0; i < count; i++) {
        struct sim_slot *slot = &device->slots[first + i];
        device->faults += first + i >= SIM_SLOTS || (!slot->is_reset && !slot->is_written) ||
                          slot->in_use_until_ns > device->now_ns;
        slot->was_read = true;
        const bool is_available = slot->is_written && slot->available_ns <= device->now_ns;
        /* What is not available is anything. */
        readings[i].tick =
            is_available ? visible(device, slot->ticks) : sim_random(&device->random);
        readings[i].is_available = is_available;
    }
    return device->answer;
}

/* Both clocks are read at some moments of the call. */
static enum ludus_gpu_answer read_clocks(void *context, struct ludus_gpu_clocks *clocks)
{
    struct sim_device *device = context;
    const uint64_t took_ns = sim_between(&device->random, 10, device->longest_reading_ns);
    const int64_t host_at = device->now_ns + (int64_t)sim_between(&device->random, 0, took_ns);
    const int64_t device_at = device->now_ns + (int64_t)sim_between(&device->random, 0, took_ns);
    clocks->device_tick = visible(device, sim_device_ticks(device, device_at));
    clocks->host_ns = host_at - (device->is_two_samples ? device->slept_ns : 0);
    clocks->deviation_ns = took_ns + ludus_gpu_counter_step_ns((struct ludus_gpu_counter){
                                         device->valid_bits, device->period_fs});
    device->now_ns += (int64_t)took_ns;
    device->clock_readings++;
    return device->clock_answer;
}

struct ludus_gpu_device sim_device_interface(struct sim_device *device)
{
    return (struct ludus_gpu_device){
        .context = device, .read_slots = read_slots, .read_clocks = read_clocks};
}
