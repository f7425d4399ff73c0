/* A capture under a name, for what opens it more than once. */
#ifndef KEPT_CAPTURE_H
#define KEPT_CAPTURE_H

#include "capture.h"
#include "random_damage.h"
#include "slice_collector.h"

struct kept_capture {
    char path[4096];
    struct trace_capture *capture;
    const struct trace_model *model;
    struct slice_collector shown; /* of a pass over it */
};

/* Writes the bytes into a file, opens it and runs over it. The test fails when that does. */
void kept_capture_open(struct kept_capture *kept, const void *bytes, size_t size);

/* Removes the file, too. */
void kept_capture_close(struct kept_capture *kept);

/* Fails the test unless every block of the file is good, and it is finished. */
void kept_capture_check_whole(const struct kept_capture *kept);

#endif
