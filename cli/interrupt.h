/* Waiting that Ctrl-C ends. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

/* From now on SIGINT and SIGTERM do no more than end a wait, and come only while one waits, so that
 * none is missed. */
void cli_catch_interrupts(void);

/* Whether one has come. */
bool cli_is_interrupted(void);

void cli_wait_ms(uint32_t time_ms);

/* Milliseconds of a clock that only rises. */
uint64_t cli_now_ms(void);

#endif
