/* The memory of a pass does not grow with a capture's length: each pass runs in a process of its
 * own, whose largest resident size is compared. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture.h"
#include "lcap_chain.h"
#include "lcap_encode.h"

#define SHORT_SLICES   200000u
#define LONG_SLICES    4000000u
#define SLICES_A_FRAME 1000u
#define SITES          50u
#define TRACKS         4u
#define DEPTH          8u
#define SLACK_BYTES    (1u << 20)
#define MOST_BYTES     (64u << 20)

/* Sanitizers keep freed memory, which is not the analyzer's doing. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

struct generator {
    struct lcap_encoder *encoder;
    struct lcap_chain chain;
    struct lcap_clock clock;
    struct lcap_track_stream tracks[TRACKS];
    struct lcap_open_scope open[TRACKS][DEPTH];
    uint64_t tick;
    uint64_t frames;
    int descriptor;
};

static void append(const struct generator *generator, struct lcap_bytes bytes)
{
    for (size_t done = 0; done < bytes.size;) {
        ssize_t written = write(generator->descriptor, bytes.data + done, bytes.size - done);
        ck_assert_int_gt(written, 0);
        done += (size_t)written;
    }
}

static void put(struct generator *generator, enum ludus_status status, struct lcap_bytes block)
{
    ck_assert_int_eq(status, LUDUS_OK);
    lcap_chain_add_made(&generator->chain, generator->encoder);
    append(generator, block);
}

static void put_definitions(struct generator *generator)
{
    struct lcap_session session = {.start_tick = 1, .clock = 1};
    struct lcap_bytes block;
    size_t taken;
    enum ludus_status status = lcap_encode_session(generator->encoder, &session, NULL, 0, &block);
    put(generator, status, block);
    status = lcap_encode_clock(generator->encoder, &generator->clock, (struct lcap_bytes){NULL, 0},
                               &block);
    put(generator, status, block);
    struct lcap_string name = {{(const uint8_t *)"name", 4}, 1};
    status = lcap_encode_strings(generator->encoder, &name, 1, &taken, &block);
    put(generator, status, block);
    for (uint32_t site = 1; site <= SITES; site++) {
        struct lcap_site record = {.site = site, .name = 1, .line = site};
        status = lcap_encode_sites(generator->encoder, &record, 1, &block);
        put(generator, status, block);
    }
    status = lcap_encode_domains(generator->encoder, &(struct lcap_domain){1, 1}, 1, &block);
    put(generator, status, block);
}

/* A scope on every level, and the innermost ones again and again. */
static void add_slices(struct generator *generator, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        generator->tick += 3 + i % 7;
        ck_assert_int_eq(lcap_events_add(generator->encoder, LCAP_EVENT_BEGIN, generator->tick,
                                         1 + i % SITES, 0),
                         LUDUS_OK);
        if (i % DEPTH < DEPTH / 2 && i + DEPTH < count)
            continue;
        do {
            generator->tick += 2;
            ck_assert_int_eq(
                lcap_events_add(generator->encoder, LCAP_EVENT_END, generator->tick, 0, 0),
                LUDUS_OK);
        } while (generator->tracks[generator->frames % TRACKS].depth != 0 &&
                 (i % DEPTH == DEPTH - 1 || i + 1 == count));
    }
}

static void put_frame(struct generator *generator)
{
    struct lcap_bytes block;
    struct lcap_frame_mark mark = {
        .ordinal = generator->frames, .tick = generator->tick + 1, .domain = 1};
    enum ludus_status status = lcap_encode_frames(generator->encoder, 1, &mark, 1, &block);
    put(generator, status, block);
    lcap_events_start(generator->encoder, &generator->clock);
    struct lcap_track_stream *track = &generator->tracks[generator->frames % TRACKS];
    ck_assert_int_eq(lcap_events_segment(generator->encoder, track, generator->tick), LUDUS_OK);
    add_slices(generator, SLICES_A_FRAME);
    status = lcap_events_finish(generator->encoder, &block);
    put(generator, status, block);
    if (lcap_chain_index_is_due(&generator->chain))
        append(generator, lcap_chain_index(&generator->chain, generator->encoder));
    generator->frames++;
}

static void write_capture(const char *path, uint64_t slices)
{
    struct generator generator = {.clock = {.ticks_per_second = 1000000000,
                                            .step = 1,
                                            .clock = 1,
                                            .source = LCAP_CLOCK_MONOTONIC},
                                  .tick = 1};
    struct lcap_encoder_config config = {
        .max_site = SITES, .max_events = 16384, .compression_level = 1};
    for (uint32_t i = 0; i < TRACKS; i++)
        generator.tracks[i] = (struct lcap_track_stream){
            .open = generator.open[i], .open_capacity = DEPTH, .track = i + 1};
    generator.descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    ck_assert_int_ge(generator.descriptor, 0);
    ck_assert_int_eq(lcap_encoder_create(&config, &generator.encoder), LUDUS_OK);
    append(&generator, lcap_chain_start(&generator.chain, 1));
    put_definitions(&generator);
    while (generator.frames * SLICES_A_FRAME < slices)
        put_frame(&generator);
    append(&generator, lcap_chain_index(&generator.chain, generator.encoder));
    append(&generator, lcap_chain_trailer(&generator.chain));
    lcap_encoder_destroy(generator.encoder);
    close(generator.descriptor);
}

static enum ludus_status count_slices(void *context, const struct trace_model *model,
                                      const struct trace_slice *slices, size_t count)
{
    uint64_t *seen = context;
    (void)model;
    (void)slices;
    *seen += count;
    return LUDUS_OK;
}

/* The largest resident size of this process, which begins anew with its program: that of getrusage
 * would be at least its parent's. */
static uint64_t peak_bytes(void)
{
    char line[256];
    unsigned long long kibibytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    if (status == NULL)
        return 0;
    while (kibibytes == 0 && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            kibibytes = strtoull(line + 6, NULL, 10);
    fclose(status);
    return kibibytes * 1024;
}

/* The program runs itself with a path: reads the capture, and writes how much memory it took. */
static int run_pass(const char *path)
{
    uint64_t seen = 0;
    struct trace_capture *capture;
    struct ludus_error error;
    struct trace_visitor visitor = {.context = &seen, .slices = count_slices};
    if (trace_capture_open(path, &capture, &error) != LUDUS_OK ||
        trace_capture_run(capture, NULL, &visitor, &error) != LUDUS_OK)
        return 1;
    bool is_whole = seen == trace_capture_model(capture)->slices && seen >= SHORT_SLICES;
    trace_capture_close(capture);
    uint64_t bytes = peak_bytes();
    return is_whole && write(STDOUT_FILENO, &bytes, sizeof bytes) == (ssize_t)sizeof bytes ? 0 : 1;
}

static uint64_t pass_bytes(const char *path)
{
    int ends[2], result;
    uint64_t bytes = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl("/proc/self/exe", "test_bounded_memory", path, (char *)NULL);
        _exit(1);
    }
    ck_assert_int_gt(child, 0);
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &bytes, sizeof bytes), (ssize_t)sizeof bytes);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &result, 0), child);
    ck_assert_int_eq(result, 0);
    ck_assert_uint_gt(bytes, 0);
    return bytes;
}

START_TEST(memory_is_the_same_for_a_capture_twenty_times_as_long)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/ludus-long-XXXXXX", folder != NULL ? folder : "/tmp");
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
    write_capture(path, SHORT_SLICES);
    uint64_t short_bytes = pass_bytes(path);
    write_capture(path, LONG_SLICES);
    uint64_t long_bytes = pass_bytes(path);
    unlink(path);
    /* Marks are 16 bytes a frame, in an array that doubles. */
    uint64_t frames_bytes = LONG_SLICES / SLICES_A_FRAME * 16 * 3;
    ck_assert_uint_le(long_bytes, short_bytes + frames_bytes + SLACK_BYTES);
    ck_assert_uint_le(long_bytes, MOST_BYTES);
}
END_TEST

int main(int count, char **words)
{
    if (count == 2)
        return run_pass(words[1]);
    if (IS_SANITIZED) {
        puts("skipped: a sanitizer's memory is not the analyzer's");
        return 0;
    }
    Suite *suite = suite_create("bounded memory");
    TCase *cases = tcase_create("bounded memory");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, memory_is_the_same_for_a_capture_twenty_times_as_long);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
