/* What the recorder's tests share: a folder of their own, and starting and stopping in one line. */
#ifndef RECORDER_FIXTURE_H
#define RECORDER_FIXTURE_H

#include <ludus/profile.h>
#include <ludus/recorder.h>

#include "capture_summary.h"

#if defined(__SANITIZE_THREAD__)
#define IS_THREAD_SANITIZED 1
#elif defined(__SANITIZE_ADDRESS__)
#define IS_ADDRESS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_THREAD_SANITIZED 1
#elif __has_feature(address_sanitizer)
#define IS_ADDRESS_SANITIZED 1
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Around each test: makes an empty folder, and removes it with what is in it. */
void fixture_setup(void);
void fixture_teardown(void);

/* A path in the folder; valid until the sixteenth next call. */
const char *fixture_path(const char *name);

/* A configuration for a small recording at that path. */
struct ludus_recorder_config fixture_config(const char *name);

/* Starts, stops, and ends the test when that fails. */
void fixture_start(const struct ludus_recorder_config *config);
struct ludus_recorder_result fixture_stop(void);

/* Stops, reads the capture and checks that it is whole and says the same as the result. */
struct summary *fixture_stop_and_read(struct ludus_recorder_result *result);

uint64_t fixture_now_ns(void);
void fixture_sleep_ms(unsigned ms);

/* The process's memory that is in the machine's. */
uint64_t fixture_resident_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
