/* Finds frames by their numbers. */
#include "find_frame.h"

#include <inttypes.h>

#include "failure.h"
#include "frame_percentiles.h"
#include "frame_table.h"

static enum ludus_status refuse_missing(const struct trace_domain *domain, uint64_t number,
                                        uint32_t next, struct ludus_error *error)
{
    const struct trace_frame *frames = domain->frames;
    uint64_t first = frames[0].number, last = frames[domain->frame_count - 1].number;
    if (next != 0 && next != domain->frame_count)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "frame %" PRIu64 " of '%.*s' is not in the capture: its mark is missing; "
                          "the nearest frames are %" PRIu64 " and %" PRIu64,
                          number, trace_text_shown(domain->name), domain->name.data,
                          frames[next - 1].number, frames[next].number);
    return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                      "there is no frame %" PRIu64 " of '%.*s': the capture has the frames %" PRIu64
                      "..%" PRIu64,
                      number, trace_text_shown(domain->name), domain->name.data, first, last);
}

/* Why a frame has no end. */
static const char *reason_of(const struct trace_domain *domain, uint32_t frame)
{
    if (frame < domain->frames_before)
        return "it began before the part of the recording that the capture holds";
    if (frame + 1 == domain->frame_count)
        return "it is the last one, and no mark tells its end";
    if (domain->frames[frame + 1].number != domain->frames[frame].number + 1)
        return "the mark behind it is missing, so that nobody knows its end";
    return "it ends behind the part of the recording that the capture holds";
}

enum ludus_status trace_find_frame(const struct trace_domain *domain, uint64_t number,
                                   uint32_t *frame, struct ludus_error *error)
{
    uint32_t index = trace_frame_table_search(domain, number);
    if (index == domain->frame_count || domain->frames[index].number != number)
        return refuse_missing(domain, number, index, error);
    *frame = index;
    if (trace_frame_is_complete(domain, index))
        return LUDUS_OK;
    uint32_t before = index, behind = index;
    while (before != 0 && !trace_frame_is_complete(domain, before))
        before--;
    while (behind + 1 < domain->frame_count && !trace_frame_is_complete(domain, behind))
        behind++;
    uint32_t near = trace_frame_is_complete(domain, before) ? before : behind;
    return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                      "frame %" PRIu64 " of '%.*s' is not complete: %s; the nearest complete frame "
                      "is %" PRIu64,
                      number, trace_text_shown(domain->name), domain->name.data,
                      reason_of(domain, index), domain->frames[near].number);
}
