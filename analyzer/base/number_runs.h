/* A list of rising numbers as text, with runs as A..B. Private to the analyzer. */
#ifndef TRACE_NUMBER_RUNS_H
#define TRACE_NUMBER_RUNS_H

#include <stddef.h>
#include <stdint.h>

#define TRACE_RUNS_SIZE 160u

/* Starts zeroed. */
struct trace_number_runs {
    char text[TRACE_RUNS_SIZE]; /* complete once it was ended; ", ..." behind what did not fit */
    size_t size;
    uint64_t first, last; /* of the run at hand */
    uint64_t count;       /* of the numbers so far */
    uint64_t listed;      /* of them in the text */
};

/* Numbers rise. */
void trace_number_runs_add(struct trace_number_runs *runs, uint64_t number);
void trace_number_runs_end(struct trace_number_runs *runs);

#endif
