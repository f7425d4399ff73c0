/* Says in lines what is missing or odd in a capture. */
#include "input_warnings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock_warning.h"
#include "count_text.h"
#include "lcap_decode.h"
#include "loss_remedy.h"

#define COPY_AGAIN "if the file is a copy, copy it again"

/* Places of damage that are told one by one; the rest is counted. */
#define MAX_PLACES 5u

bool trace_warnings_add(struct trace_warnings *warnings, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    char *copy = strdup(line);
    if (copy == NULL ||
        !trace_array_grow(&warnings->lines, warnings->count, sizeof *warnings->lines)) {
        free(copy);
        return false;
    }
    warnings->lines[warnings->count++] = copy;
    return true;
}

static bool add_damage(struct trace_warnings *warnings, const char *path,
                       const struct trace_model *model)
{
    for (uint32_t i = 0; i < model->damage_count; i++) {
        const struct trace_damage *damage = &model->damages[i];
        warnings->has_loss = true;
        if (i == MAX_PLACES)
            return trace_warnings_add(
                warnings, "%s: %u more places are damaged; `ludus-trace check` lists them", path,
                model->damage_count - MAX_PLACES);
        bool is_added =
            trace_damage_is_repaired(damage)
                ? trace_warnings_add(warnings,
                                     "%s: was repaired: %" PRIu64
                                     " bytes of it were damaged and are left out",
                                     path, damage->size)
            : damage->size == 0
                ? trace_warnings_add(warnings,
                                     "%s: blocks are missing at offset %" PRIu64 "; " COPY_AGAIN,
                                     path, damage->offset)
                : trace_warnings_add(warnings,
                                     "%s: %" PRIu64 " bytes at offset %" PRIu64
                                     " are damaged (%s) and left out; " COPY_AGAIN,
                                     path, damage->size, damage->offset, damage->reason);
        if (!is_added)
            return false;
    }
    return true;
}

#define CAUSES                                                                                     \
    ((uint32_t)LCAP_LOSS_FRAME_MARKS_FULL + 1) /* 0 stands for those that have no name             \
                                                */

/* What the recorder told of its losses, a line for each cause. */
static bool add_causes(struct trace_warnings *warnings, const char *path,
                       const struct trace_model *model)
{
    struct trace_loss sums[CAUSES] = {0};
    bool is_told[CAUSES] = {0};
    for (uint32_t i = 0; i < model->loss_count; i++) {
        const struct trace_loss *loss = &model->losses[i];
        uint32_t cause = loss->cause < CAUSES ? loss->cause : 0;
        if (loss->cause == TRACE_LOSS_DAMAGE)
            continue;
        is_told[cause] = true;
        lcap_counts_add(&sums[cause].counts, &loss->counts);
    }
    for (uint32_t cause = 0; cause < CAUSES; cause++) {
        const char *name = lcap_loss_cause_name(cause);
        char counts[TRACE_COUNTS_SIZE], remedy[TRACE_REMEDY_SIZE];
        if (is_told[cause] &&
            !trace_warnings_add(warnings, "%s: not recorded, %s: %s%s", path,
                                name != NULL ? name : "for a cause that this version does not know",
                                trace_format_counts(&sums[cause].counts, counts),
                                trace_loss_remedy(cause, &sums[cause].counts, model, remedy)))
            return false;
    }
    return true;
}

static bool add_losses(struct trace_warnings *warnings, const char *path,
                       const struct trace_model *model)
{
    uint64_t events = 0;
    bool is_unknown = false;
    warnings->has_loss = warnings->has_loss || model->loss_count != 0;
    for (uint32_t i = 0; i < model->loss_count; i++) {
        const struct trace_loss *loss = &model->losses[i];
        events += loss->events;
        is_unknown = is_unknown || (loss->cause == TRACE_LOSS_DAMAGE && loss->events == 0);
    }
    if (!add_causes(warnings, path, model))
        return false;
    if (events != 0 && !trace_warnings_add(warnings,
                                           "%s: events lost to damage of the file: %" PRIu64
                                           "; `ludus-trace info` says where",
                                           path, events))
        return false;
    return !is_unknown ||
           trace_warnings_add(warnings,
                              "%s: an unknown number of events was lost to damage of the "
                              "file; `ludus-trace info` says where",
                              path);
}

static bool add_unfinished(struct trace_warnings *warnings, const char *path,
                           const struct trace_model *model)
{
    char tail[64] = "";
    warnings->has_loss = true;
    if (model->unfinished_tail != 0)
        snprintf(tail, sizeof tail, " (%" PRIu64 " bytes behind the last whole block)",
                 model->unfinished_tail);
    return trace_warnings_add(warnings,
                              "%s: the recording was not finished%s; its last moments may be "
                              "missing, or it still goes on",
                              path, tail);
}

static bool add_oddities(struct trace_warnings *warnings, const char *path,
                         const struct trace_model *model)
{
    if (!model->is_finished && !add_unfinished(warnings, path, model))
        return false;
    if (model->blocks_skipped != 0 &&
        !trace_warnings_add(warnings,
                            "%s: %" PRIu64 " blocks are of a kind that this version does not know; "
                            "a newer ludus-trace shows more",
                            path, model->blocks_skipped))
        return false;
    for (uint32_t i = 0; i < model->diagnostic_count; i++) {
        const struct trace_diagnostic *diagnostic = &model->diagnostics[i];
        const char *name = lcap_diagnostic_name(diagnostic->code);
        if (diagnostic->code == LCAP_DIAGNOSTIC_CLOCK_REFUSED)
            continue; /* add_clock says it */
        if (i == MAX_PLACES)
            return trace_warnings_add(
                warnings,
                "%s: %u more diagnostics of the recorder; `ludus-trace info` lists "
                "them",
                path, model->diagnostic_count - MAX_PLACES);
        char remedy[TRACE_REMEDY_SIZE];
        if (!trace_warnings_add(
                warnings, "%s: the recorder reported %s (count: %" PRIu64 ")%s%.*s%s", path,
                name != NULL ? name : "an unknown diagnostic", diagnostic->count,
                diagnostic->text.size != 0 ? ": " : "",
                (int)(diagnostic->text.size < 400 ? diagnostic->text.size : 400),
                diagnostic->text.data, trace_diagnostic_remedy(diagnostic, model, remedy)))
            return false;
    }
    return true;
}

/* Counts of a part of a recording are those of all of it. */
static bool add_gpu(struct trace_warnings *warnings, const char *path,
                    const struct trace_model *model)
{
    uint64_t samples = 0;
    for (uint32_t i = 0; i < model->gpu_count_count; i++)
        if (model->gpu_counts[i].outcome == LCAP_GPU_QUEUE_FULL)
            samples += model->gpu_counts[i].count;
    return samples == 0 ||
           trace_warnings_add(warnings,
                              "%s: not recorded, no room on the way to the file: GPU samples "
                              "%" PRIu64 "; 4,096 of them wait at most: measure fewer at a time",
                              path, samples);
}

static bool add_clock(struct trace_warnings *warnings, const char *path,
                      const struct trace_model *model)
{
    char text[TRACE_CLOCK_WARNING_SIZE];
    return !trace_clock_fell_back(model) ||
           trace_warnings_add(warnings, "%s: %s", path, trace_clock_warning(model, text));
}

bool trace_warnings_collect(struct trace_warnings *warnings, const char *path,
                            const struct trace_model *model)
{
    return add_damage(warnings, path, model) && add_losses(warnings, path, model) &&
           add_oddities(warnings, path, model) && add_gpu(warnings, path, model) &&
           add_clock(warnings, path, model);
}

void trace_warnings_tell(const struct trace_warnings *warnings, struct trace_listener *listener)
{
    if (listener == NULL)
        return;
    for (uint32_t i = 0; listener->warn != NULL && i < warnings->count; i++)
        listener->warn(listener->context, warnings->lines[i]);
    listener->has_loss = listener->has_loss || warnings->has_loss;
}

void trace_warnings_destroy(struct trace_warnings *warnings)
{
    for (uint32_t i = 0; i < warnings->count; i++)
        free(warnings->lines[i]);
    free(warnings->lines);
    *warnings = (struct trace_warnings){0};
}
