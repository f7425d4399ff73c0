/* Writes captures into files of their own. */
#include "kept_capture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace.h"

void kept_capture_open(struct kept_capture *kept, const void *bytes, size_t size)
{
    const char *folder = getenv("TMPDIR");
    struct ludus_error error = {0};
    *kept = (struct kept_capture){0};
    snprintf(kept->path, sizeof kept->path, "%s/ludus-kept-XXXXXX",
             folder != NULL ? folder : "/tmp");
    int descriptor = mkstemp(kept->path);
    ck_assert_int_ge(descriptor, 0);
    for (size_t done = 0; done < size;) {
        ssize_t written = write(descriptor, (const char *)bytes + done, size - done);
        ck_assert_int_gt(written, 0);
        done += (size_t)written;
    }
    close(descriptor);
    enum ludus_status status = trace_capture_open(kept->path, &kept->capture, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    slice_collector_run(&kept->shown, kept->capture);
    kept->model = trace_capture_model(kept->capture);
}

void kept_capture_close(struct kept_capture *kept)
{
    slice_collector_clear(&kept->shown);
    trace_capture_close(kept->capture);
    unlink(kept->path);
}

void kept_capture_check_whole(const struct kept_capture *kept)
{
    struct trace_report *report;
    struct ludus_error error = {0};
    bool is_whole = false;
    ck_assert_int_eq(trace_report_check(kept->path, NULL, &report, &is_whole, &error), LUDUS_OK);
    trace_report_destroy(report);
    ck_assert(is_whole);
}
