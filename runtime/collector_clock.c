/* Keeps the counter and CLOCK_MONOTONIC together: calibrations at bounded intervals. */
#include <inttypes.h>
#include <stdio.h>

#include "collector_pass.h"
#include "recorder_clock.h"
#include "recorder_core.h"

#define INTERVAL_NS       1000000000
#define FIRST_INTERVAL_NS 50000000 /* so that a short or crashed recording has a rate, too */
#define MAX_RESIDUAL_PPM  50.0

bool ludus_calibration_is_due(const struct ludus_collector *collector)
{
    const int64_t interval = collector->ticks_per_ns == 0 ? FIRST_INTERVAL_NS : INTERVAL_NS;
    return ludus_clock_is_counter &&
           (int64_t)ludus_clock_monotonic_ns() - collector->calibration.ns >= interval;
}

/* How far the time of a calibration is from where the last one and the rate so far put it, in
 * nanoseconds beyond what cannot be known. */
static double residual_ns(const struct ludus_collector *collector,
                          const struct lcap_calibration *fresh)
{
    const struct lcap_calibration *last = &collector->calibration;
    const double elapsed_ns = (double)(fresh->ns - last->ns);
    const double expected_ns = (double)(fresh->tick - last->tick) / collector->ticks_per_ns;
    const double unknown_ns = (double)fresh->uncertainty_ns + (double)last->uncertainty_ns;
    const double off_ns =
        elapsed_ns > expected_ns ? elapsed_ns - expected_ns : expected_ns - elapsed_ns;
    const double allowed_ns = unknown_ns + elapsed_ns * MAX_RESIDUAL_PPM / 1e6;
    return off_ns > allowed_ns ? off_ns : 0;
}

static void tell_residual(struct ludus_collector *collector, const struct lcap_calibration *fresh)
{
    const double off_ns = residual_ns(collector, fresh);
    char text[LUDUS_DIAGNOSTIC_TEXT];
    if (off_ns == 0)
        return;
    snprintf(text, sizeof text,
             "the counter and CLOCK_MONOTONIC came apart by %.0f us within %" PRId64
             " ms: times in "
             "between are uncertain by that much",
             off_ns / 1e3, (fresh->ns - collector->calibration.ns) / 1000000);
    ludus_put_diagnostic(collector, LCAP_DIAGNOSTIC_CLOCK_JUMPED, 0, fresh->tick, 1, text);
}

void ludus_calibrate(struct ludus_collector *collector)
{
    struct ludus_capture_writer *writer = &collector->writer;
    struct lcap_calibration *last = &collector->calibration;
    struct lcap_bytes block = {0};
    if (!ludus_clock_is_counter || !ludus_writer_is_ready(writer))
        return;
    const struct lcap_calibration fresh = ludus_clock_calibrate();
    if (last->tick != 0 && (fresh.tick <= last->tick || fresh.ns <= last->ns))
        return; /* time rises from one to the next */
    const enum ludus_status status =
        lcap_encode_calibrations(writer->encoder, collector->clock.clock, &fresh, 1, &block);
    ludus_writer_put(writer, status, block, NULL);
    if (last->tick != 0) {
        if (collector->ticks_per_ns != 0)
            tell_residual(collector, &fresh);
        collector->ticks_per_ns = (double)(fresh.tick - last->tick) / (double)(fresh.ns - last->ns);
    }
    *last = fresh;
}
