/* Fills the tables of what has a value: counter, counter_sample, flow and flow_out. Private to the
 * analyzer's database code; functions return SQLite's status codes. */
#ifndef TRACE_DATABASE_VALUES_H
#define TRACE_DATABASE_VALUES_H

#include <sqlite3.h>

#include "database_tables.h"
#include "visitor.h"

/* What the row of the capture tells of them. */
struct trace_value_totals {
    int64_t counts; /* events of counters, also those that added nothing */
    int64_t gauges;
    int64_t gauges_not_finite;
    int64_t flow_outs;
    int64_t flow_outs_unbound; /* without an in */
    int64_t flow_ins;
    int64_t flow_ins_unbound; /* without an out */
    bool is_of_statistics; /* no rows were made, and which are without their other end is not known
                            */
};

/* All zero before it is opened. */
struct trace_value_tables {
    sqlite3 *connection;
    sqlite3_stmt *sample;
    sqlite3_stmt *flow_out; /* the first of its id, for the join */
    sqlite3_stmt *every_flow_out;
    sqlite3_stmt *flow_in;
    struct trace_site_counters { /* of a site: numbers from 1 on, 0 when it is none */
        uint32_t count;
        uint32_t gauge;
    } * sites;
    uint32_t site_count;
    uint32_t counter_count; /* numbers given out for this capture */
    int64_t sample_base;    /* rows of earlier captures */
    int64_t counter_base;
    int64_t flow_base; /* ends of earlier captures, outs and ins */
    int64_t samples;   /* rows of this one */
    struct trace_value_totals totals;
};

/* Prepares what the values of all captures need. */
int trace_value_tables_open(struct trace_value_tables *tables, sqlite3 *connection);
void trace_value_tables_close(struct trace_value_tables *tables);

/* Has no rows made of the values of the captures that follow: they are counted, and counters named.
 */
void trace_value_tables_leave_out(struct trace_value_tables *tables);

/* Forgets the values of the present capture, of which no rows were made. */
void trace_value_tables_restart(struct trace_value_tables *tables);

/* One value of the present capture. */
int trace_value_tables_add(struct trace_value_tables *tables, const struct trace_id_bases *bases,
                           const struct trace_model *model, const struct trace_value *value);

/* When all of them were added, and before the model is inserted: joins the ends of flows, names the
 * counters, completes `totals`. */
int trace_value_tables_finish(struct trace_value_tables *tables, const struct trace_id_bases *bases,
                              const struct trace_model *model);

/* The sums of counters and gauges that the model holds, behind the former. */
int trace_value_tables_insert_stats(const struct trace_value_tables *tables,
                                    const struct trace_id_bases *bases,
                                    const struct trace_model *model);

/* Begins the next capture. */
void trace_value_tables_advance(struct trace_value_tables *tables);

#endif
