/* Keeps rare reports under a lock until the collector fetches them. */
#include "report_box.h"

#include <stdio.h>
#include <string.h>

void ludus_report_box_clear(struct ludus_report_box *box)
{
    pthread_mutex_lock(&box->mutex);
    memset(&box->reports, 0, sizeof box->reports);
    pthread_mutex_unlock(&box->mutex);
}

void ludus_report_loss(struct ludus_report_box *box, enum lcap_loss_cause cause,
                       const struct ludus_loss *loss)
{
    pthread_mutex_lock(&box->mutex);
    ludus_loss_merge(&box->reports.losses[cause], loss);
    pthread_mutex_unlock(&box->mutex);
}

static struct ludus_diagnostic *find(struct ludus_reports *reports, enum lcap_diagnostic_code code,
                                     uint32_t track, const char *text)
{
    struct ludus_diagnostic *last_of_code = NULL;
    for (uint32_t i = 0; i < reports->diagnostic_count; i++) {
        struct ludus_diagnostic *known = &reports->diagnostics[i];
        if (known->code != (uint32_t)code)
            continue;
        if (known->track == track && strncmp(known->text, text, sizeof known->text - 1) == 0)
            return known;
        last_of_code = known;
    }
    if (reports->diagnostic_count == LUDUS_MAX_DIAGNOSTICS)
        return last_of_code;
    return NULL;
}

void ludus_report_diagnostic(struct ludus_report_box *box, enum lcap_diagnostic_code code,
                             uint32_t track, uint64_t tick, const char *text)
{
    pthread_mutex_lock(&box->mutex);
    struct ludus_reports *reports = &box->reports;
    struct ludus_diagnostic *diagnostic = find(reports, code, track, text);
    if (diagnostic == NULL && reports->diagnostic_count < LUDUS_MAX_DIAGNOSTICS) {
        diagnostic = &reports->diagnostics[reports->diagnostic_count++];
        *diagnostic = (struct ludus_diagnostic){.tick = tick, .code = code, .track = track};
        snprintf(diagnostic->text, sizeof diagnostic->text, "%s", text);
    }
    if (diagnostic != NULL)
        diagnostic->count++;
    pthread_mutex_unlock(&box->mutex);
}

void ludus_report_trigger(struct ludus_report_box *box, uint64_t tick, const char *text)
{
    pthread_mutex_lock(&box->mutex);
    struct ludus_reports *reports = &box->reports;
    if (reports->trigger_count < LUDUS_MAX_TRIGGERS) {
        struct ludus_trigger *trigger = &reports->triggers[reports->trigger_count++];
        *trigger = (struct ludus_trigger){.tick = tick, .cause = LCAP_TRIGGER_CALL};
        snprintf(trigger->text, sizeof trigger->text, "%s", text);
    } else {
        reports->triggers_missed++;
    }
    pthread_mutex_unlock(&box->mutex);
}

void ludus_report_box_take(struct ludus_report_box *box, struct ludus_reports *reports)
{
    pthread_mutex_lock(&box->mutex);
    *reports = box->reports;
    memset(&box->reports, 0, sizeof box->reports);
    pthread_mutex_unlock(&box->mutex);
}
