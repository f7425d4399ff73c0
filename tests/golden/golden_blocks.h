/* One right block of every kind, small enough to be known by heart: what the golden files are made
 * of. */
#ifndef GOLDEN_BLOCKS_H
#define GOLDEN_BLOCKS_H

#include "golden_file.h"

/* Clock 1 of GOLDEN_CLOCK_TSC has step 21 and offset 4; clock 2 counts nanoseconds. */
extern const struct lcap_clock golden_clock_tsc;
extern const struct lcap_clock golden_clock_monotonic;

/* Bytes of a literal. */
#define GOLDEN_TEXT(literal) ((struct lcap_bytes){(const uint8_t *)(literal), sizeof(literal) - 1})

/* Appends the block of the kind. */
void golden_add_kind(struct golden_file *file, enum lcap_block_kind kind);
/* The same for kinds of GPU samples. */
void golden_add_gpu_kind(struct golden_file *file, enum lcap_block_kind kind);

/* Session, both clocks and strings 1 to 4; what stands in front of everything else. */
void golden_add_start(struct golden_file *file);
/* The session of a game that begins at a tick of clock 2, of sources added up as in the format, and
 * that clock. */
void golden_add_game_session(struct golden_file *file, uint32_t sources, uint64_t start_tick);
/* End, index and trailer. */
void golden_add_finish(struct golden_file *file);

/* An events block of one segment of instants at these ticks. */
void golden_add_instants(struct golden_file *file, const struct lcap_clock *clock,
                         const uint64_t *ticks, size_t count);

#endif
