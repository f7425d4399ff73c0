/* Lets signals end a program in order. */
#include "interrupt.h"

#include <signal.h>
#include <sys/select.h>
#include <time.h>

static volatile sig_atomic_t is_interrupted;
static sigset_t while_waiting;

static void interrupt(int signal_number)
{
    (void)signal_number;
    is_interrupted = 1;
}

void cli_catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = interrupt};
    sigset_t caught;

    (void)sigemptyset(&caught);
    (void)sigaddset(&caught, SIGINT);
    (void)sigaddset(&caught, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &caught, &while_waiting);
    (void)sigdelset(&while_waiting, SIGINT);
    (void)sigdelset(&while_waiting, SIGTERM);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool cli_is_interrupted(void)
{
    return is_interrupted != 0;
}

void cli_wait_ms(uint32_t time_ms)
{
    const struct timespec time = {time_ms / 1000, (long)(time_ms % 1000) * 1000000};

    (void)pselect(0, NULL, NULL, NULL, &time, &while_waiting);
}

uint64_t cli_now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
