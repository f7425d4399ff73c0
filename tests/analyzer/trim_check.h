/* Holds a part of a capture against the capture: what lies in the span is the same in both, and
 * what lies over its edges is in the part as far as it goes. */
#ifndef TRIM_CHECK_H
#define TRIM_CHECK_H

#include "kept_capture.h"

/* A part of a capture, and the capture. */
struct trim_parts {
    const struct kept_capture *whole;
    struct kept_capture part;
    int64_t from_ns;
    int64_t to_ns;
    bool is_to_end;
};

/* Counts, gauges and ends of flows, in the order of the pass. */
struct trim_values {
    struct trace_value *items;
    uint32_t count;
};

/* In the order of the pass. The caller frees the items. */
struct trim_values trim_values_of(const struct kept_capture *kept);

/* Fails with the first difference. Slices over an edge are compared when the end of the whole
 * capture is known. */
void trim_check_part(const struct trim_parts *parts, bool is_end_known);

#endif
