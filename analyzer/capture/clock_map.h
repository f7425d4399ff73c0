/* Converts the ticks of a capture's clocks to nanoseconds from the session's start: FORMAT.md,
 * section 2.2. Private to the analyzer. */
#ifndef TRACE_CLOCK_MAP_H
#define TRACE_CLOCK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lcap_records.h"

/* All times of a model lie between: nothing happens this long before a session (104 days), nor so
 * near to the end of the numbers that the difference of two times overflows, but in a forged file.
 */
#define TRACE_FIRST_NS (-(INT64_C(1) << 53))
#define TRACE_LAST_NS  (INT64_MAX + TRACE_FIRST_NS)

struct trace_clock_map; /* of all clocks of one capture */

/* NULL when there is no memory. */
struct trace_clock_map *trace_clock_map_create(void);
void trace_clock_map_destroy(struct trace_clock_map *map);

/* Adds what the capture says, in file order. False when there is no memory. */
bool trace_clock_map_add_clock(struct trace_clock_map *map, const struct lcap_clock *clock);
bool trace_clock_map_add_calibration(struct trace_clock_map *map,
                                     const struct lcap_calibration *calibration);

/* In which place a clock was added, from 0 on; UINT32_MAX for one that is not defined. */
uint32_t trace_clock_map_index(const struct trace_clock_map *map, uint32_t clock);

/* Ends the definitions: sorts the calibrations and sets time zero. */
void trace_clock_map_finish(struct trace_clock_map *map, uint32_t start_clock, uint64_t start_tick);

/* The time of a reading of the host's clock. */
int64_t trace_clock_map_host_ns(const struct trace_clock_map *map, int64_t host_ns);

/* The time of a tick. 0 for a clock that is not defined. */
int64_t trace_clock_map_ns(const struct trace_clock_map *map, uint32_t clock, uint64_t tick);

/* The first tick of the clock whose time is not before `ns`; UINT64_MAX when there is none. */
uint64_t trace_clock_map_tick(const struct trace_clock_map *map, uint32_t clock, int64_t ns);

/* Notes that the ticks from first to last, both inclusive, are to be converted without what is not
 * needed for any tick noted. False when there is no memory. */
bool trace_clock_map_need(struct trace_clock_map *map, uint32_t clock, uint64_t first_tick,
                          uint64_t last_tick);

/* The calibrations that convert the noted ticks as all of them do: the next one of the clock from
 * `*at` on, which is moved behind it. False behind the last. */
bool trace_clock_map_next_needed(const struct trace_clock_map *map, uint32_t clock, size_t *at,
                                 struct lcap_calibration *calibration);

/* The same for rising or falling ticks of one clock, `count` of them. */
void trace_clock_map_all_ns(const struct trace_clock_map *map, uint32_t clock,
                            const uint64_t *ticks, int64_t *ns, size_t count);

#endif
