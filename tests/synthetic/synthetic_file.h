/* A synthetic capture's file: the encoder, the chain of blocks, and what is defined in front of
 * the events. The first failure is kept, and nothing is written behind it. */
#ifndef SYNTHETIC_FILE_H
#define SYNTHETIC_FILE_H

#include "lcap_chain.h"
#include "lcap_encode.h"
#include "synthetic_tree.h"

/* Sites behind those of scopes. */
enum synthetic_value_site {
    SYNTHETIC_FLOW_SITE = 1,
    SYNTHETIC_COUNT_SITE = 2,
    SYNTHETIC_GAUGE_SITE = 3,
    SYNTHETIC_VALUE_SITES = 3
};

#define SYNTHETIC_START_TICK UINT64_C(1000000000)
#define SYNTHETIC_DOMAIN     1u

struct synthetic_file {
    const struct synthetic_options *options;
    struct lcap_encoder *encoder;
    struct lcap_chain chain;
    struct lcap_clock clock;
    struct lcap_end totals;
    enum ludus_status status;
    int descriptor;
};

/* Check `status` of the file afterwards. */
void synthetic_file_start(struct synthetic_file *file, const struct synthetic_options *options,
                          int descriptor);

/* Session, clock, strings, categories, sites, the domain, tracks. */
void synthetic_file_define(struct synthetic_file *file);

/* Appends the block that the encoder just made, with the status of having made it. */
void synthetic_file_put(struct synthetic_file *file, enum ludus_status status,
                        struct lcap_bytes block);

/* The tracks' records: at the start with an end of 0. */
void synthetic_file_put_tracks(struct synthetic_file *file, uint64_t end_tick);

/* The end, the index and the trailer; destroys the encoder, also after a failure. */
void synthetic_file_finish(struct synthetic_file *file, uint64_t stop_tick);

#endif
