/* What the program does about long work: it says how far that is, and clears up when it ends. */
#include "watch.h"

#include <signal.h>
#include <unistd.h>

#include "progress.h"

/* A folder, a database in it, and that under its first name; or what stands beside an answer. */
#define MOST_TEMPORARIES 4u

static const int ending_signals[] = {SIGHUP, SIGINT, SIGTERM};

#define ENDING_SIGNALS (sizeof ending_signals / sizeof ending_signals[0])

/* Read by a handler. Helpers of the analyzer have all signals blocked, so that it runs in the one
 * thread that changes them. */
static const char *volatile temporaries[MOST_TEMPORARIES];

static sigset_t before_hold;
static bool are_held;

/* What came last goes first: a folder is empty then. */
static void end(int signal_number)
{
    cli_progress_clear();
    for (size_t i = MOST_TEMPORARIES; i-- > 0;) {
        const char *path = temporaries[i];

        if (path != NULL && unlink(path) != 0)
            (void)rmdir(path);
    }
    /* The handler is gone, and the signal no longer blocked: the shell learns what ended it. */
    (void)raise(signal_number);
}

void cli_watch_start(void)
{
    struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};

    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction before;

        if (sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(ending_signals[i], &action, NULL); /* ignored: as by nohup */
    }
}

/* A signal between the making of a file and the note of it would leave the file. */
static void hold_signals(void)
{
    sigset_t signals;

    (void)sigemptyset(&signals);
    for (size_t i = 0; i < ENDING_SIGNALS; i++)
        (void)sigaddset(&signals, ending_signals[i]);
    are_held = sigprocmask(SIG_BLOCK, &signals, &before_hold) == 0;
}

static void let_signals_come(void)
{
    if (are_held)
        (void)sigprocmask(SIG_SETMASK, &before_hold, NULL);
    are_held = false;
}

static void replace(const char *old, const char *new)
{
    for (size_t i = 0; i < MOST_TEMPORARIES; i++)
        if (temporaries[i] == old) {
            temporaries[i] = new;
            return;
        }
}

static void note_temporary(void *context, enum trace_temporary state, const char *path)
{
    (void)context;
    switch (state) {
    case TRACE_TEMPORARY_COMES:
        hold_signals();
        return;
    case TRACE_TEMPORARY_IS_THERE:
        replace(NULL, path);
        break;
    case TRACE_TEMPORARY_IS_GONE:
        replace(path, NULL);
        break;
    }
    let_signals_come();
}

const struct trace_watch cli_watch = {.temporary = note_temporary, .progress = cli_progress_note};
