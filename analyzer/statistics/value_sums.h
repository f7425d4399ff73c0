/* What counters, gauges and marks (instants) add up to by window, while a pass shows them. Private
 * to the analyzer. */
#ifndef TRACE_VALUE_SUMS_H
#define TRACE_VALUE_SUMS_H

#include "pass_plan.h"
#include "visitor.h"

/* Of one site in one window. */
struct trace_value_total {
    uint64_t count;      /* increments other than 0, values of a gauge, or instants */
    uint64_t not_finite; /* values of a gauge that are left out below */
    int64_t total;       /* of increments */
    int64_t outside;     /* the part of it that is in none of the window's complete frames */
    uint64_t in_frames;  /* instants that are in one */
    int64_t first_ns, last_ns;
    double sum, rest; /* of a gauge: both together */
    double least, most, last;
    uint32_t last_track;
};

enum trace_value_kind { TRACE_VALUE_COUNTER, TRACE_VALUE_GAUGE, TRACE_VALUE_MARK };

/* One that was seen. */
struct trace_value_subject {
    uint32_t site;
    enum trace_value_kind kind;
    struct trace_value_total *totals; /* by window */
    uint32_t row;                     /* for who keeps more of it: TRACE_NONE at first */
};

/* All zero is none. */
struct trace_value_sums {
    const struct trace_pass_plan *plan;
    const struct trace_domain *domain; /* or NULL */
    struct trace_value_subject *subjects;
    uint32_t count;
    uint32_t windows;
    uint32_t *places; /* by kind and site: of the subject, plus one */
    uint32_t site_most;
    bool *is_counted; /* by window and frame: complete, and all of it in the window */
};

/* `model` and `plan` must outlive it. False when there is no memory; destroy it all the same. */
bool trace_value_sums_create(struct trace_value_sums *sums, const struct trace_model *model,
                             const struct trace_pass_plan *plan);
void trace_value_sums_destroy(struct trace_value_sums *sums);

/* Whether it is a count or a gauge that adds to something. */
static inline bool trace_value_counts(const struct trace_value *value)
{
    return value->site != TRACE_NONE && (value->kind == LCAP_EVENT_GAUGE ||
                                         (value->kind == LCAP_EVENT_COUNT && value->bits != 0));
}

/* The subject of a site, made when it is new; NULL when there is no memory. It may move when
 * another one is made. */
struct trace_value_subject *trace_value_sums_subject(struct trace_value_sums *sums,
                                                     const struct trace_model *model, uint32_t site,
                                                     enum trace_value_kind kind);

/* Adds a value that counts, or an instant, to its subject. */
void trace_value_sums_add(struct trace_value_sums *sums, struct trace_value_subject *subject,
                          const struct trace_value *value);
void trace_value_sums_add_instant(struct trace_value_sums *sums,
                                  struct trace_value_subject *subject,
                                  const struct trace_instant *instant);

/* Adds any value; what does not count is passed over. False when there is no memory. */
bool trace_value_sums_take(struct trace_value_sums *sums, const struct trace_model *model,
                           const struct trace_value *value);

/* Makes the model's value_stats of counters and gauges. False when there is no memory. */
bool trace_value_sums_fill(const struct trace_value_sums *sums, struct trace_model *model);

/* By frame of the domain, whether it is complete and all of it in the window. */
static inline const bool *trace_value_frames(const struct trace_value_sums *sums, uint32_t window)
{
    uint32_t frames = sums->domain == NULL ? 0 : sums->domain->frame_count;
    return sums->is_counted + (size_t)window * frames;
}

#endif
