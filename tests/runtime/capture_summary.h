/* Reads a whole capture for the recorder's tests: what it defines and how much it holds. Checks on
 * the way that every id is defined before it is used and that ticks never step back. */
#ifndef CAPTURE_SUMMARY_H
#define CAPTURE_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "lcap_decode.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SUMMARY_MAX_DEPTH 512

struct summary_string {
    uint32_t id;
    char *text; /* zero-terminated copy */
    size_t size;
};

/* One event, in the order of its track. */
struct summary_event {
    uint64_t tick;
    uint32_t kind;
    uint32_t site;
    uint32_t depth; /* scopes open around it */
    uint64_t value; /* of a flow, a count or a gauge, as it is in the file */
};

struct summary_track {
    struct lcap_track record; /* the last one */
    struct summary_event *events;
    size_t count;
    size_t capacity;
    uint64_t begins;
    uint64_t ends;
    uint64_t instants;
    uint64_t last_tick;
    uint32_t depth;          /* scopes open at the end */
    uint64_t events_before;  /* of the recording, that the capture leaves out */
    uint32_t open_at_start;  /* scopes that began in these */
    uint32_t outermost_site; /* of them; 0: there are none */
    uint64_t outermost_tick; /* when it began */
};

struct summary {
    struct summary_string *strings;
    size_t string_count;
    struct lcap_site *sites;
    size_t site_count;
    struct lcap_category *categories;
    size_t category_count;
    struct lcap_domain *domains;
    size_t domain_count;
    struct summary_track *tracks;
    size_t track_count;
    struct lcap_frame_mark *marks;
    size_t mark_count;
    struct lcap_loss *losses;
    size_t loss_count;
    struct lcap_sched *samples;
    size_t sample_count;
    struct lcap_diagnostic *diagnostics; /* texts are zero-terminated copies */
    size_t diagnostic_count;
    struct lcap_trigger *triggers; /* likewise */
    size_t trigger_count;
    struct lcap_window window; /* of a part of a recording */
    bool has_window;
    struct lcap_session session;
    struct lcap_clock clock;      /* the last one */
    struct summary_string *facts; /* key and value alternate; ids are 0 */
    size_t fact_count;
    struct lcap_end end;
    bool has_end;
    bool is_finished;
    uint64_t damages;   /* damaged places and gaps */
    uint64_t undefined; /* uses of ids that were not defined before */
    uint64_t begins;
    uint64_t ends;
    uint64_t instants;
    uint64_t event_blocks;
};

/* Ends the test when the file cannot be read at all. Free the result with summary_free. */
struct summary *summary_read(const char *path);
void summary_free(struct summary *summary);

/* A string's text, or NULL. */
const char *summary_text(const struct summary *summary, uint32_t id);

/* The first site with this name, or NULL. */
const struct lcap_site *summary_site(const struct summary *summary, const char *name);

/* What the counters with this name gained, on all tracks, from one tick on and before another. */
int64_t summary_gain(const struct summary *summary, const char *name, uint64_t from, uint64_t to);

/* The track whose last record has this name, or NULL. */
const struct summary_track *summary_track_named(const struct summary *summary, const char *name);

/* The value of a fact, or NULL. */
const char *summary_fact(const struct summary *summary, const char *key);

/* Losses of one cause, or of all (0), added up; the range is theirs. */
struct lcap_loss summary_loss(const struct summary *summary, uint32_t cause);

/* The sum of the counts of all diagnostics with this code: one oddity may be told in as many as the
 * collector made passes meanwhile. */
uint64_t summary_told(const struct summary *summary, uint32_t code);

/* The first diagnostic with this code, or NULL. */
const struct lcap_diagnostic *summary_diagnostic(const struct summary *summary, uint32_t code);

/* Fails the test unless the file is finished, undamaged, and defines all that it uses. */
void summary_check_whole(const struct summary *summary);

#ifdef __cplusplus
}
#endif

#endif
