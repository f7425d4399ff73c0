/* The process's one recorder: its state, its lock, and what a fork leaves of it. */
#include <ludus/profile.h>
#include <ludus/recorder.h>

#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "category_gates.h"
#include "recorder_clock.h"
#include "recorder_control.h"

struct ludus_recorder_core ludus_core = {
    .control = PTHREAD_MUTEX_INITIALIZER,
    .opening = PTHREAD_MUTEX_INITIALIZER,
    .tracks.mutex = PTHREAD_MUTEX_INITIALIZER,
    .tracks.freed = PTHREAD_COND_INITIALIZER,
    .registry.mutex = PTHREAD_MUTEX_INITIALIZER,
    .reports.mutex = PTHREAD_MUTEX_INITIALIZER,
};

/* A program that starts a recording carries the whole recorder, for its plug-ins may call what it
 * does not call itself. */
__attribute__((used)) static void (*const entry_points[])(void) = {
    (void (*)(void))ludus_scope_open,      (void (*)(void))ludus_counter_add,
    (void (*)(void))ludus_fiber_switch,    (void (*)(void))ludus_site_intern,
    (void (*)(void))ludus_thread_set_name, (void (*)(void))ludus_recorder_start,
    (void (*)(void))ludus_recorder_stop,
};

static pthread_once_t init_once = PTHREAD_ONCE_INIT;
static bool is_initialised;

void ludus_recorder_set_state(enum ludus_recorder_state state)
{
    atomic_store(&ludus_core.state, (uint32_t)state);
}

enum ludus_recorder_state ludus_recorder_state(void)
{
    return (enum ludus_recorder_state)atomic_load(&ludus_core.state);
}

int ludus_recorder_lock(void)
{
    int cancel_state = PTHREAD_CANCEL_ENABLE;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    pthread_mutex_lock(&ludus_core.control);
    return cancel_state;
}

void ludus_recorder_unlock(int cancel_state)
{
    pthread_mutex_unlock(&ludus_core.control);
    (void)pthread_setcancelstate(cancel_state, NULL);
}

void ludus_recorder_close_gpu(void)
{
    atomic_store(&ludus_core.gpu_admission, 0);
    ludus_gpu_table_close(atomic_load(&ludus_core.gpu));
}

void ludus_recorder_release(struct ludus_collector *collector)
{
    lcap_encoder_destroy(collector->writer.encoder);
    collector->writer.encoder = NULL;
    ludus_sched_close(&collector->sched);
    free(collector->tracks);
    free(collector->sched.tasks);
    collector->tracks = NULL;
    collector->sched.tasks = NULL;
    ludus_hitch_release(&collector->hitch);
}

/* --- fork: a child has no collector, and leaves its parent's file alone ---------------------- */

static void before_fork(void)
{
    pthread_mutex_lock(&ludus_core.control);
    pthread_mutex_lock(&ludus_core.opening);
    pthread_mutex_lock(&ludus_core.tracks.mutex);
    pthread_mutex_lock(&ludus_core.registry.mutex);
    pthread_mutex_lock(&ludus_core.reports.mutex);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&ludus_core.reports.mutex);
    pthread_mutex_unlock(&ludus_core.registry.mutex);
    pthread_mutex_unlock(&ludus_core.tracks.mutex);
    pthread_mutex_unlock(&ludus_core.opening);
    pthread_mutex_unlock(&ludus_core.control);
}

static void after_fork_in_child(void)
{
    struct ludus_collector *collector = &ludus_core.collector;
    ludus_gates_close(); /* with the registry's lock held, as everywhere */
    if (collector->is_running || ludus_recorder_state() == LUDUS_RECORDER_FAILED) {
        ludus_sink_abandon(&collector->writer.sink);
        ludus_hitch_forget(&collector->hitch);
    }
    ludus_recorder_set_state(LUDUS_RECORDER_IDLE);
    ludus_sched_close(&collector->sched);
    ludus_collector_forget(collector);
    ludus_tracks_forget();
    ludus_core.is_from_env = false;
    ludus_core.forks++;
    ludus_recorder_close_gpu();
    if (atomic_load(&ludus_core.gpu) != NULL)
        ludus_gpu_table_forget(atomic_load(&ludus_core.gpu));
    ludus_clock_tie_set(&ludus_core.tie, &(struct ludus_clock_moment){0});
    struct ludus_frame_ring *frames = atomic_load(&ludus_core.frames);
    if (frames != NULL)
        ludus_frame_ring_forget(frames);
    after_fork();
}

static void initialise(void)
{
    ludus_clock_prepare();
    /* Fails on kernels without it; see ludus_tracks_close. */
    (void)syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    is_initialised =
        ludus_tracks_init() && pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
}

bool ludus_recorder_prepare(void)
{
    pthread_once(&init_once, initialise);
    return is_initialised;
}

/* --- triggers ----------------------------------------------------------------------------------
 */

enum ludus_status ludus_recorder_trigger(const char *reason, struct ludus_error *error)
{
    const enum ludus_recorder_state state = ludus_recorder_state();
    if (error != NULL)
        *error = (struct ludus_error){0};
    if (reason == NULL || reason[0] == '\0')
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "no reason was given: say what to "
                               "look for in the capture");
    if (state != LUDUS_RECORDER_RECORDING)
        return ludus_error_set(error, LUDUS_ERROR_STATE,
                               "nothing is being recorded: start a recording first");
    ludus_report_trigger(&ludus_core.reports, ludus_clock_ticks(), reason);
    return LUDUS_OK;
}
