/* What threads report besides events, and seldom: losses that belong to no track, oddities, and
 * calls to keep what happened. */
#ifndef LUDUS_REPORT_BOX_H
#define LUDUS_REPORT_BOX_H

#include <pthread.h>
#include <stdint.h>

#include "lcap_layout.h"
#include "loss_cell.h"

#define LUDUS_LOSS_CAUSES     6u /* enum lcap_loss_cause and the unused 0 */
#define LUDUS_MAX_DIAGNOSTICS 32u
#define LUDUS_DIAGNOSTIC_TEXT 256u
#define LUDUS_MAX_TRIGGERS    8u
#define LUDUS_TRIGGER_TEXT    128u

struct ludus_diagnostic {
    uint64_t tick; /* of the first occurrence */
    uint64_t count;
    uint32_t code; /* enum lcap_diagnostic_code */
    uint32_t track;
    char text[LUDUS_DIAGNOSTIC_TEXT];
};

/* A reason to keep what happened around it. */
struct ludus_trigger {
    uint64_t tick; /* a frame: its end */
    uint64_t ordinal;
    uint64_t duration_ticks;
    uint64_t limit_ticks;
    uint32_t cause;  /* enum lcap_trigger_cause */
    uint32_t domain; /* in the file */
    char text[LUDUS_TRIGGER_TEXT];
};

struct ludus_reports {
    struct ludus_loss losses[LUDUS_LOSS_CAUSES];
    struct ludus_diagnostic diagnostics[LUDUS_MAX_DIAGNOSTICS];
    uint32_t diagnostic_count;
    struct ludus_trigger triggers[LUDUS_MAX_TRIGGERS];
    uint32_t trigger_count;
    uint64_t triggers_missed;
};

struct ludus_report_box {
    pthread_mutex_t mutex;
    struct ludus_reports reports;
};

/* Forgets everything. */
void ludus_report_box_clear(struct ludus_report_box *box);

/* Counts losses that are told without a track. Any thread. */
void ludus_report_loss(struct ludus_report_box *box, enum lcap_loss_cause cause,
                       const struct ludus_loss *loss);

/* Reports an oddity, or counts it to one of the same code, track and text. When there is no room
 * for another, it is counted to the last of its code, or else not told. Any thread. */
void ludus_report_diagnostic(struct ludus_report_box *box, enum lcap_diagnostic_code code,
                             uint32_t track, uint64_t tick, const char *text);

/* Reports a call for a capture; beyond LUDUS_MAX_TRIGGERS between two takes it is only counted. Any
 * thread. */
void ludus_report_trigger(struct ludus_report_box *box, uint64_t tick, const char *text);

/* Moves everything out. The collector. */
void ludus_report_box_take(struct ludus_report_box *box, struct ludus_reports *reports);

#endif
