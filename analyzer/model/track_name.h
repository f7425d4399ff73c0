/* What a track is called. Private to the analyzer. */
#ifndef TRACE_TRACK_NAME_H
#define TRACE_TRACK_NAME_H

#include "model.h"

/* Its own name; "main (1234)" when others have it too; or "thread 1234". */
#define TRACE_TRACK_NAME_SIZE 320
void trace_track_name(const struct trace_model *model, uint32_t track,
                      char text[TRACE_TRACK_NAME_SIZE]);

#endif
