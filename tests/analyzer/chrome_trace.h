/* Reads trace event JSON again by Chrome's rules, for tests: on each thread a B opens and an E
 * closes the innermost open slice. The test fails when the file breaks a rule. */
#ifndef CHROME_TRACE_H
#define CHROME_TRACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHROME_NO_PARENT SIZE_MAX

struct chrome_slice {
    int64_t begin_ns;
    int64_t end_ns;
    size_t parent; /* index, or CHROME_NO_PARENT */
    const json_t *name;
    const json_t *category; /* or NULL */
    const json_t *args;     /* or NULL */
    json_int_t pid;
    json_int_t tid;
    bool is_incomplete;
    bool has_children_lost;
    bool is_begun_before; /* cut at its begin */
    bool is_cut;          /* at its end */
};

/* An end of a flow. */
struct chrome_flow {
    uint64_t id;
    int64_t time_ns;
    size_t slice; /* index: in which it lies */
    bool is_in;
};

struct chrome_trace {
    json_t *root;
    struct chrome_slice *slices; /* in the order of their B */
    struct chrome_flow *flows;   /* in the order of the file */
    size_t slice_count, flow_count, counter_lines;
    size_t begins, ends, instants;
};

/* `bytes` are zero-terminated. What rules are checked: valid UTF-8 and JSON without a key that
 * comes twice; one event a line; processes with names, of which all but the program's are GPUs',
 * and threads with ids that are of one of them; whole nanoseconds; on each thread rising times, an
 * E for each B with its name, a name before the first slice, and on a GPU's never a slice in
 * another; an end of a flow within an open slice of its thread, which is what viewers bind it to,
 * all of one category and name; one number in each line of a counter, rising times of each. */
void chrome_trace_read(struct chrome_trace *trace, const char *bytes, size_t size);
void chrome_trace_clear(struct chrome_trace *trace);

/* The name of a thread, or NULL. */
const char *chrome_trace_thread_name(const struct chrome_trace *trace, json_int_t tid);

/* A member of otherData. */
const json_t *chrome_trace_other(const struct chrome_trace *trace, const char *key);

#endif
