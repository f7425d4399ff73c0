/* The configuration of a comparison: limits and budgets, in general and by name, and what makes the
 * answer no. Read from a JSON file (schemas/diff-config.schema.json, docs/diff.md). Private to the
 * analyzer. */
#ifndef TRACE_DIFF_CONFIG_H
#define TRACE_DIFF_CONFIG_H

#include <ludus/status.h>

#include "change_limits.h"
#include "model.h"

/* The largest file that is read, in bytes. */
#define TRACE_DIFF_CONFIG_SIZE (1u << 20)

/* What makes the answer no: bits of fail_on. */
enum trace_fail_on {
    TRACE_FAIL_ON_REGRESSION = 1u << 0, /* with evidence, and beyond all limits */
    TRACE_FAIL_ON_SUSPECTED = 1u << 1,  /* beyond all limits; too few runs for evidence */
    TRACE_FAIL_ON_BUDGET = 1u << 2,     /* a budget is exceeded */
    TRACE_FAIL_ON_LOSS = 1u << 3,       /* anything was lost, if only a little */
    TRACE_FAIL_ON_NEW = 1u << 4         /* a scope that the base does not have */
};

/* The kinds of things that have limits by name. */
enum trace_limit_kind {
    TRACE_LIMITS_OF_SCOPES,
    TRACE_LIMITS_OF_CATEGORIES, /* of their scopes, each by itself; no budgets */
    TRACE_LIMITS_OF_GPU,        /* passes */
    TRACE_LIMITS_OF_COUNTERS,
    TRACE_LIMIT_KINDS
};

/* What the file says of a name or pattern. */
struct trace_limit_entry {
    const char *name;           /* ends with a zero; * ? [ as in all filters (name_list.h) */
    struct trace_limits limits; /* only what was given counts */
    uint32_t given;             /* a bit for each key that was: private to diff_config*.c */
    uint32_t line;              /* in the file, from 1 on */
    bool was_used;              /* a name that was asked for fits it */
};

struct trace_limit_list {
    struct trace_limit_entry *items; /* in the order of the file */
    uint32_t count;
};

/* Fields may be written, as options of a command line do. Texts that are put in must outlive it. */
struct trace_diff_config {
    struct trace_limits limits; /* where nothing more exact is given; no budgets */
    struct trace_frame_limits frame;
    double level;        /* of a false alarm in the family of all that is tested: 0.02 is 2 % */
    double max_loss;     /* part of the events of a run: 0.001 is 0.1 % */
    uint64_t min_frames; /* complete ones, of each run */
    unsigned fail_on;    /* bits of enum trace_fail_on */
    const char *window;  /* as of --window, and a good one; NULL: the whole capture */
    const char *domain;  /* NULL: the capture's default one */
    struct trace_limit_list lists[TRACE_LIMIT_KINDS];
    const char *path;        /* of the file, as it was given; NULL: there was none */
    struct json_t *document; /* that texts point into */
};

/* Fills it with the defaults; nothing is owned then. */
void trace_diff_config_set_default(struct trace_diff_config *config);

/* Reads a file; `path` must outlive the result. Errors, each with file, line, key and what is
 * allowed: OPEN (missing, not a file, unreadable), FORMAT (too large, not UTF-8, not JSON, an
 * unknown key, a value that is not allowed), MEMORY. */
LUDUS_CHECKED enum ludus_status trace_diff_config_read(const char *path,
                                                       struct trace_diff_config **config,
                                                       struct ludus_error *error);
void trace_diff_config_destroy(struct trace_diff_config *config); /* NULL allowed */

/* The limits of a scope by its name and its category's ("" for none). Each key by itself is that of
 * the scope's exact name, else of the first pattern in the file that fits, else of the category,
 * likewise, else the general one. `config` may be NULL: the defaults. Marks what was used. False
 * when there is no memory. */
LUDUS_CHECKED bool trace_diff_config_limits(const struct trace_diff_config *config,
                                            struct trace_text name, struct trace_text category,
                                            struct trace_limits *limits);

/* The same for a GPU pass or a counter. */
LUDUS_CHECKED bool trace_diff_config_limits_of(const struct trace_diff_config *config,
                                               enum trace_limit_kind kind, struct trace_text name,
                                               struct trace_limits *limits);

/* Whether there is any. */
bool trace_limits_have_budget(const struct trace_limits *limits);

/* The next entry after `*index` entries that no name has used, of all lists, in the order of kinds;
 * NULL behind the last. Starts with 0 in `*index`. */
const struct trace_limit_entry *
trace_diff_config_next_unused(const struct trace_diff_config *config, uint32_t *index,
                              enum trace_limit_kind *kind);

/* The bit of enum trace_fail_on that a word stands for; 0: none. */
unsigned trace_fail_on_find(const char *word);

/* The words, in the order of the bits; NULL behind the last. */
extern const char *const trace_fail_on_words[];

#endif
