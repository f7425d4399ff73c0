/* Reads trace event JSON again by Chrome's rules. */
#include "chrome_trace.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is open on a thread. */
struct thread {
    json_int_t tid;
    int64_t last_ns;
    size_t *open; /* indexes of slices */
    size_t depth;
};

struct reader {
    struct chrome_trace *trace;
    struct thread *threads;
    size_t thread_count;
    json_t *counters; /* time of the last line, by process, name and kind */
    json_t *owners;   /* processes, by the ids of their threads */
};

#define PROGRAM 4242 /* its process; all others are queues of GPUs */

/* Nanoseconds of `text`, which must be microseconds with three decimals; read as digits, because a
 * double does not hold all of them. */
static int64_t parse_ns(const char *text)
{
    bool is_negative = *text == '-';
    uint64_t ns = 0;
    size_t digits;

    text += is_negative;
    digits = strspn(text, "0123456789");
    ck_assert_msg(digits >= 1 && (digits == 1 || text[0] != '0'), "not a JSON number: %.30s", text);
    ck_assert_msg(text[digits] == '.' && strspn(text + digits + 1, "0123456789") == 3,
                  "not three decimals: %.30s", text);
    for (size_t i = 0; i < digits + 4; i++)
        if (i != digits)
            ns = ns * 10 + (uint64_t)(text[i] - '0');
    return (int64_t)(is_negative ? 0 - ns : ns);
}

/* Strings have their quotes escaped, so that this is no part of one. */
static int64_t time_of_line(const char *line)
{
    const char *key = strstr(line, ",\"ts\":");

    ck_assert_msg(key != NULL, "an event without a time: %.200s", line);
    return parse_ns(key + 6);
}

static struct thread *find_thread(struct reader *reader, json_int_t tid)
{
    for (size_t i = 0; i < reader->thread_count; i++)
        if (reader->threads[i].tid == tid)
            return &reader->threads[i];
    reader->threads =
        realloc(reader->threads, (reader->thread_count + 1) * sizeof *reader->threads);
    ck_assert_ptr_nonnull(reader->threads);
    reader->threads[reader->thread_count] = (struct thread){.tid = tid, .last_ns = INT64_MIN};
    ck_assert_msg(chrome_trace_thread_name(reader->trace, tid) != NULL, "thread %lld has no name",
                  (long long)tid);
    return &reader->threads[reader->thread_count++];
}

static void begin_slice(struct chrome_trace *trace, struct thread *thread, const json_t *event,
                        int64_t time_ns)
{
    struct chrome_slice slice = {
        .begin_ns = time_ns,
        .parent = thread->depth == 0 ? CHROME_NO_PARENT : thread->open[thread->depth - 1],
        .name = json_object_get(event, "name"),
        .category = json_object_get(event, "cat"),
        .args = NULL,
        .pid = json_integer_value(json_object_get(event, "pid")),
        .tid = thread->tid,
    };

    ck_assert_msg(slice.pid == PROGRAM || thread->depth == 0, "slices overlap on lane %lld",
                  (long long)thread->tid);
    if ((thread->depth & (thread->depth - 1)) == 0)
        thread->open = realloc(thread->open, (2 * thread->depth + 1) * sizeof *thread->open);
    if ((trace->slice_count & (trace->slice_count - 1)) == 0)
        trace->slices = realloc(trace->slices, (2 * trace->slice_count + 1) * sizeof slice);
    ck_assert(thread->open != NULL && trace->slices != NULL);
    thread->open[thread->depth++] = trace->slice_count;
    trace->slices[trace->slice_count++] = slice;
    trace->begins++;
}

static void end_slice(struct chrome_trace *trace, struct thread *thread, const json_t *event,
                      int64_t time_ns)
{
    const json_t *args = json_object_get(event, "args");
    struct chrome_slice *slice;

    ck_assert_msg(thread->depth > 0, "an E without a B on thread %lld", (long long)thread->tid);
    slice = &trace->slices[thread->open[--thread->depth]];
    ck_assert_msg(json_equal(slice->name, json_object_get(event, "name")),
                  "an E ends another name");
    slice->end_ns = time_ns;
    slice->args = args;
    slice->is_incomplete = json_is_true(json_object_get(args, "incomplete"));
    slice->has_children_lost = json_is_true(json_object_get(args, "children_lost"));
    slice->is_begun_before = json_is_true(json_object_get(args, "begun_before"));
    slice->is_cut = json_is_true(json_object_get(args, "cut"));
    trace->ends++;
}

/* Viewers bind an end to the slice that is open on its thread at its place among the events of its
 * time. */
static void read_flow(struct chrome_trace *trace, const struct thread *thread, const json_t *event,
                      int64_t time_ns)
{
    const char *id = json_string_value(json_object_get(event, "id"));
    const char *bound = json_string_value(json_object_get(event, "bp"));
    const bool is_in = json_string_value(json_object_get(event, "ph"))[0] == 'f';

    ck_assert_msg(thread->depth > 0, "a flow outside of slices on thread %lld",
                  (long long)thread->tid);
    ck_assert_str_eq(json_string_value(json_object_get(event, "cat")), "flow");
    ck_assert_str_eq(json_string_value(json_object_get(event, "name")), "flow");
    ck_assert(id != NULL && strlen(id) == 16 && strspn(id, "0123456789abcdef") == 16);
    ck_assert(is_in ? strcmp(bound, "e") == 0 : bound == NULL);
    if ((trace->flow_count & (trace->flow_count - 1)) == 0)
        trace->flows = realloc(trace->flows, (2 * trace->flow_count + 1) * sizeof *trace->flows);
    ck_assert_ptr_nonnull(trace->flows);
    trace->flows[trace->flow_count++] = (struct chrome_flow){
        strtoull(id, NULL, 16), time_ns, thread->open[thread->depth - 1], is_in};
}

static void read_counter(struct reader *reader, const json_t *event, int64_t time_ns)
{
    json_t *args = json_object_get(event, "args");
    const char *kind = json_object_iter_key(json_object_iter(args));
    const char *name = json_string_value(json_object_get(event, "name"));
    char key[512];
    const json_t *last;

    ck_assert_uint_eq(json_object_size(args), 1);
    ck_assert(json_is_number(json_object_get(args, kind)));
    ck_assert(strcmp(kind, "total") == 0 || strcmp(kind, "value") == 0);
    const json_int_t pid = json_integer_value(json_object_get(event, "pid"));
    ck_assert_int_lt(snprintf(key, sizeof key, "%lld %s %s", (long long)pid, name, kind),
                     (int)sizeof key);
    last = json_object_get(reader->counters, key);
    /* A count or a gauge has one value at a time; what was measured of a GPU is no state. */
    ck_assert_msg(last == NULL || json_integer_value(last) < time_ns + (pid != PROGRAM),
                  "time of %s falls", key);
    json_object_set_new(reader->counters, key, json_integer(time_ns));
    reader->trace->counter_lines++;
}

/* Ids of threads are of one process each, and processes have names. */
static void check_owner(struct reader *reader, const json_t *event)
{
    const json_int_t pid = json_integer_value(json_object_get(event, "pid"));
    const bool is_process =
        strcmp(json_string_value(json_object_get(event, "name")), "process_name") == 0;
    char key[32];

    snprintf(key, sizeof key, "process %lld", (long long)pid);
    if (is_process)
        ck_assert_msg(json_object_get(reader->owners, key) == NULL, "a second %s", key);
    else
        ck_assert_msg(json_object_get(reader->owners, key) != NULL, "%s has no name", key);
    json_object_set_new(reader->owners, key, json_true());
    snprintf(key, sizeof key, "thread %lld",
             (long long)json_integer_value(json_object_get(event, "tid")));
    const json_t *owner = json_object_get(reader->owners, key);
    ck_assert_msg(owner == NULL || json_integer_value(owner) == pid, "%s is of two processes", key);
    json_object_set_new(reader->owners, key, json_integer(pid));
}

static void read_event(struct reader *reader, const json_t *event, int64_t time_ns)
{
    const char *phase = json_string_value(json_object_get(event, "ph"));
    struct thread *thread;

    ck_assert_msg(phase != NULL && strlen(phase) == 1 && strchr("BEiMCsf", *phase) != NULL,
                  "not a known phase");
    ck_assert(json_is_string(json_object_get(event, "name")));
    ck_assert(json_is_integer(json_object_get(event, "pid")));
    ck_assert(json_is_integer(json_object_get(event, "tid")));
    check_owner(reader, event);
    reader->trace->instants += *phase == 'i';
    if (*phase == 'C')
        read_counter(reader, event, time_ns);
    if (strchr("BEsf", *phase) == NULL)
        return;
    thread = find_thread(reader, json_integer_value(json_object_get(event, "tid")));
    ck_assert_msg(time_ns >= thread->last_ns, "time falls on thread %lld", (long long)thread->tid);
    thread->last_ns = time_ns;
    if (*phase == 'B')
        begin_slice(reader->trace, thread, event, time_ns);
    else if (*phase != 'E')
        read_flow(reader->trace, thread, event, time_ns);
    else
        end_slice(reader->trace, thread, event, time_ns);
}

/* The event on a line, which ends with a comma unless it is the last. */
static void check_line(const char *line, size_t size, const json_t *event)
{
    json_error_t error;
    json_t *alone;

    if (line[size - 1] == ',')
        size--;
    alone = json_loadb(line, size, JSON_ALLOW_NUL, &error);
    ck_assert_msg(alone != NULL, "a line is not an event: %.200s", line);
    ck_assert_msg(json_equal(alone, event), "an event is not on its line: %.200s", line);
    json_decref(alone);
}

void chrome_trace_read(struct chrome_trace *trace, const char *bytes, size_t size)
{
    static const char opening[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    struct reader reader = {.trace = trace, .counters = json_object(), .owners = json_object()};
    const char *line = bytes + sizeof opening - 1;
    const json_t *event;
    json_error_t error;
    size_t index;

    *trace = (struct chrome_trace){0};
    ck_assert_uint_eq(strlen(bytes), size);
    ck_assert(strncmp(bytes, opening, sizeof opening - 1) == 0);
    trace->root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    ck_assert_msg(trace->root != NULL, "line %d: %s", error.line, error.text);
    json_array_foreach(json_object_get(trace->root, "traceEvents"), index, event)
    {
        size_t line_size = strcspn(line, "\n");

        check_line(line, line_size, event);
        read_event(&reader, event, time_of_line(line));
        line += line_size + 1;
    }
    ck_assert_msg(strncmp(line, "],\"otherData\":{", 15) == 0, "not the end: %.40s", line);
    for (size_t i = 0; i < reader.thread_count; i++) {
        ck_assert_msg(reader.threads[i].depth == 0, "a B without an E on thread %lld",
                      (long long)reader.threads[i].tid);
        free(reader.threads[i].open);
    }
    free(reader.threads);
    json_decref(reader.counters);
    json_decref(reader.owners);
    ck_assert_uint_eq(trace->begins, trace->ends);
}

void chrome_trace_clear(struct chrome_trace *trace)
{
    json_decref(trace->root);
    free(trace->slices);
    free(trace->flows);
    *trace = (struct chrome_trace){0};
}

const char *chrome_trace_thread_name(const struct chrome_trace *trace, json_int_t tid)
{
    const json_t *event;
    size_t index;

    json_array_foreach(json_object_get(trace->root, "traceEvents"), index, event)
    {
        const char *name = json_string_value(json_object_get(event, "name"));

        if (json_integer_value(json_object_get(event, "tid")) == tid &&
            strcmp(json_string_value(json_object_get(event, "ph")), "M") == 0 &&
            strcmp(name, "thread_name") == 0)
            return json_string_value(json_object_get(json_object_get(event, "args"), "name"));
    }
    return NULL;
}

const json_t *chrome_trace_other(const struct chrome_trace *trace, const char *key)
{
    const json_t *value = json_object_get(json_object_get(trace->root, "otherData"), key);

    ck_assert_msg(value != NULL, "otherData has no %s", key);
    return value;
}
