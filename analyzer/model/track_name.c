/* What a track is called. */
#include "track_name.h"

#include <inttypes.h>
#include <stdio.h>

#include "lcap_decode.h"

void trace_track_name(const struct trace_model *model, uint32_t track,
                      char text[TRACE_TRACK_NAME_SIZE])
{
    const struct trace_track *facts = &model->tracks[track];
    const char *kind = lcap_track_kind_name(facts->kind);
    uint64_t number = facts->os_id != 0 ? facts->os_id : facts->id;
    int size = (int)(facts->name.size < 256 ? facts->name.size : 256);
    if (size == 0)
        snprintf(text, TRACE_TRACK_NAME_SIZE, "%s %" PRIu64, kind != NULL ? kind : "track", number);
    else if (facts->is_name_shared)
        snprintf(text, TRACE_TRACK_NAME_SIZE, "%.*s (%" PRIu64 ")", size, facts->name.data, number);
    else
        snprintf(text, TRACE_TRACK_NAME_SIZE, "%.*s", size, facts->name.data);
}
