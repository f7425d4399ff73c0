/* Golden files in which one block of records breaks one rule. */
#include <stdio.h>

#include "golden_blocks.h"
#include "golden_sets.h"

/* A change of one field of a payload. With `new_size`, the payload is cut to that size first. */
struct record_case {
    const char *name;
    enum lcap_block_kind kind;
    size_t offset;
    size_t width;
    uint64_t value;
    size_t new_size;
};

/* Offsets are those of the blocks that golden_blocks.c makes: the fixed part or the head of the
 * payload first, then the first record. */
static const struct record_case cases[] = {
    {"payload-value.session-clock-0", LCAP_KIND_session, 8, 4, 0, 0},
    {"payload-value.session-sources", LCAP_KIND_session, 24, 4, 4, 0},
    {"payload-layout.session-fact-count", LCAP_KIND_session, 28, 4, 3, 0},
    {"payload-layout.session-fewer-facts", LCAP_KIND_session, 28, 4, 1, 0},
    {"payload-layout.session-key-size", LCAP_KIND_session, 32, 4, UINT32_MAX, 0},
    {"payload-layout.session-value-size", LCAP_KIND_session, 36, 4, UINT32_MAX, 0},
    {"payload-layout.session-fixed-part", LCAP_KIND_session, 0, 0, 0, 31},
    {"payload-value.clock-0", LCAP_KIND_clock, 0, 4, 0, 0},
    {"payload-value.clock-source-0", LCAP_KIND_clock, 4, 4, 0, 0},
    {"payload-value.clock-source-4", LCAP_KIND_clock, 4, 4, 4, 0},
    {"payload-value.clock-monotonic-rate", LCAP_KIND_clock, 4, 4, LCAP_CLOCK_MONOTONIC, 0},
    {"payload-value.clock-rate-0", LCAP_KIND_clock, 8, 8, 0, 0},
    {"payload-value.clock-step-0", LCAP_KIND_clock, 16, 8, 0, 0},
    {"payload-value.clock-offset", LCAP_KIND_clock, 24, 8, 21, 0},
    {"payload-value.clock-reserved", LCAP_KIND_clock, 36, 4, 1, 0},
    {"payload-layout.clock-reason-size", LCAP_KIND_clock, 32, 4, 10, 0},
    {"payload-layout.clock-reason-size-wraps", LCAP_KIND_clock, 32, 4, UINT32_MAX, 0},
    {"payload-layout.clock-fixed-part", LCAP_KIND_clock, 0, 0, 0, 39},
    {"payload-value.calibrations-count-0", LCAP_KIND_calibrations, 0, 4, 0, 8},
    {"payload-layout.calibrations-count", LCAP_KIND_calibrations, 0, 4, 3, 0},
    {"payload-value.calibrations-clock-0", LCAP_KIND_calibrations, 4, 4, 0, 0},
    {"payload-value.calibrations-reserved", LCAP_KIND_calibrations, 8 + 20, 4, 1, 0},
    {"payload-value.calibrations-tick-stands", LCAP_KIND_calibrations, 8 + 24, 8, 4, 0},
    {"payload-value.calibrations-ns-stands", LCAP_KIND_calibrations, 8 + 32, 8, (uint64_t)-9, 0},
    {"payload-value.calibrations-ns-falls", LCAP_KIND_calibrations, 8 + 32, 8, (uint64_t)-10, 0},
    {"payload-value.strings-count-0", LCAP_KIND_strings, 0, 4, 0, 8},
    {"payload-layout.strings-count", LCAP_KIND_strings, 0, 4, UINT32_MAX, 0},
    {"payload-value.strings-clock", LCAP_KIND_strings, 4, 4, 1, 0},
    {"payload-value.strings-id-0", LCAP_KIND_strings, 8, 4, 0, 0},
    {"payload-layout.strings-size", LCAP_KIND_strings, 12, 4, UINT32_MAX, 0},
    {"payload-value.categories-count-0", LCAP_KIND_categories, 0, 4, 0, 8},
    {"payload-value.categories-clock", LCAP_KIND_categories, 4, 4, 1, 0},
    {"payload-value.categories-id-0", LCAP_KIND_categories, 8, 4, 0, 0},
    {"payload-value.categories-name-0", LCAP_KIND_categories, 12, 4, 0, 0},
    {"payload-value.categories-colour", LCAP_KIND_categories, 16, 4, 0x1000000, 0},
    {"payload-value.categories-almost-no-colour", LCAP_KIND_categories, 16, 4, 0xFFFFFFFE, 0},
    {"payload-value.categories-flags", LCAP_KIND_categories, 20, 4, 2, 0},
    {"payload-value.sites-count-0", LCAP_KIND_sites, 0, 4, 0, 8},
    {"payload-layout.sites-count", LCAP_KIND_sites, 0, 4, 2, 0},
    {"payload-value.sites-clock", LCAP_KIND_sites, 4, 4, 1, 0},
    {"payload-value.sites-id-0", LCAP_KIND_sites, 8, 4, 0, 0},
    {"payload-value.sites-name-0", LCAP_KIND_sites, 12, 4, 0, 0},
    {"payload-value.tracks-count-0", LCAP_KIND_tracks, 0, 4, 0, 8},
    {"payload-value.tracks-clock-0", LCAP_KIND_tracks, 4, 4, 0, 0},
    {"payload-value.tracks-id-0", LCAP_KIND_tracks, 8, 4, 0, 0},
    {"payload-value.tracks-kind-0", LCAP_KIND_tracks, 12, 4, 0, 0},
    {"payload-value.tracks-kind-4", LCAP_KIND_tracks, 12, 4, 4, 0},
    {"payload-value.tracks-reserved", LCAP_KIND_tracks, 8 + 36, 4, 1, 0},
    {"payload-value.domains-count-0", LCAP_KIND_domains, 0, 4, 0, 8},
    {"payload-value.domains-clock", LCAP_KIND_domains, 4, 4, 1, 0},
    {"payload-value.domains-id-0", LCAP_KIND_domains, 8, 4, 0, 0},
    {"payload-value.domains-name-0", LCAP_KIND_domains, 12, 4, 0, 0},
    {"payload-value.frames-count-0", LCAP_KIND_frames, 0, 4, 0, 8},
    {"payload-value.frames-clock-0", LCAP_KIND_frames, 4, 4, 0, 0},
    {"payload-value.frames-domain-0", LCAP_KIND_frames, 8, 4, 0, 0},
    {"payload-value.losses-count-0", LCAP_KIND_losses, 0, 4, 0, 8},
    {"payload-value.losses-clock-0", LCAP_KIND_losses, 4, 4, 0, 0},
    {"payload-value.losses-cause-0", LCAP_KIND_losses, 12, 4, 0, 0},
    {"payload-value.losses-times", LCAP_KIND_losses, 8 + 48, 8, 7, 0},
    {"payload-value.diagnostics-count-0", LCAP_KIND_diagnostics, 0, 4, 0, 8},
    {"payload-value.diagnostics-clock-0", LCAP_KIND_diagnostics, 4, 4, 0, 0},
    {"payload-value.diagnostics-code-0", LCAP_KIND_diagnostics, 8, 4, 0, 0},
    {"payload-layout.diagnostics-text-size", LCAP_KIND_diagnostics, 8 + 24, 4, 10, 0},
    {"payload-value.diagnostics-reserved", LCAP_KIND_diagnostics, 8 + 28, 4, 1, 0},
    {"payload-value.sched-count-0", LCAP_KIND_sched, 0, 4, 0, 8},
    {"payload-layout.sched-count", LCAP_KIND_sched, 0, 4, 4, 0},
    {"payload-value.sched-clock-0", LCAP_KIND_sched, 4, 4, 0, 0},
    {"payload-value.sched-track-processors", LCAP_KIND_sched, 12, 4, 2, 0},
    {"payload-value.sched-machine-processors", LCAP_KIND_sched, 8 + 80 + 4, 4, 0, 0},
    {"payload-value.sched-times-equal", LCAP_KIND_sched, 8 + 16, 8, 25, 0},
    {"payload-value.sched-times-fall", LCAP_KIND_sched, 8 + 16, 8, 24, 0},
    {"payload-value.window-clock-0", LCAP_KIND_window, 8, 4, 0, 0},
    {"payload-value.window-reserved", LCAP_KIND_window, 12, 4, 1, 0},
    {"payload-value.triggers-count-0", LCAP_KIND_triggers, 0, 4, 0, 8},
    {"payload-layout.triggers-count", LCAP_KIND_triggers, 0, 4, 2, 0},
    {"payload-value.triggers-clock-0", LCAP_KIND_triggers, 4, 4, 0, 0},
    {"payload-value.triggers-cause-0", LCAP_KIND_triggers, 8, 4, 0, 0},
    {"payload-layout.triggers-text-size", LCAP_KIND_triggers, 8 + 40, 4, UINT32_MAX, 0},
    {"payload-value.triggers-reserved", LCAP_KIND_triggers, 8 + 44, 4, 1, 0},
    {"payload-value.repair-flags", LCAP_KIND_repair, 32, 4, 2, 0},
    {"payload-value.repair-reserved", LCAP_KIND_repair, 36, 4, 1, 0},
    {"payload-value.lost-count-0", LCAP_KIND_lost, 0, 4, 0, 8},
    {"payload-layout.lost-count", LCAP_KIND_lost, 0, 4, 3, 0},
    {"payload-value.lost-clock", LCAP_KIND_lost, 4, 4, 1, 0},
    {"payload-value.lost-reserved", LCAP_KIND_lost, 12, 4, 1, 0},
    {"payload-value.lost-times", LCAP_KIND_lost, 8 + 24, 8, (uint64_t)-2, 0},
    {"payload-value.gpu-queues-count-0", LCAP_KIND_gpu_queues, 0, 4, 0, 8},
    {"payload-layout.gpu-queues-count", LCAP_KIND_gpu_queues, 0, 4, 2, 0},
    {"payload-value.gpu-queues-clock", LCAP_KIND_gpu_queues, 4, 4, 1, 0},
    {"payload-value.gpu-queues-track-0", LCAP_KIND_gpu_queues, 8, 4, 0, 0},
    {"payload-value.gpu-queues-valid-bits", LCAP_KIND_gpu_queues, 16, 4, 65, 0},
    {"payload-value.gpu-queues-reserved", LCAP_KIND_gpu_queues, 20, 4, 1, 0},
    {"payload-layout.gpu-queues-text-size", LCAP_KIND_gpu_queues, 32, 4, UINT32_MAX, 0},
    {"payload-layout.gpu-queues-text-missing", LCAP_KIND_gpu_queues, 0, 0, 0, 8 + 24 + 10},
    {"payload-value.gpu-frames-count-0", LCAP_KIND_gpu_frames, 0, 4, 0, 8},
    {"payload-layout.gpu-frames-count", LCAP_KIND_gpu_frames, 0, 4, 3, 0},
    {"payload-value.gpu-frames-clock-0", LCAP_KIND_gpu_frames, 4, 4, 0, 0},
    {"payload-value.gpu-frames-track-0", LCAP_KIND_gpu_frames, 8, 4, 0, 0},
    {"payload-value.gpu-frames-method-0", LCAP_KIND_gpu_frames, 12, 4, 0, 0},
    {"payload-value.gpu-frames-outcome-0", LCAP_KIND_gpu_frames, 16, 4, 0, 0},
    {"payload-value.gpu-frames-duration-of-invalid", LCAP_KIND_gpu_frames, 16, 4, 2, 0},
    {"payload-value.gpu-frames-mapping-of-invalid", LCAP_KIND_gpu_frames, 8 + 64 + 12, 4, 0, 0},
    {"payload-value.gpu-frames-begin-unmapped", LCAP_KIND_gpu_frames, 20, 4, UINT32_MAX, 0},
    {"payload-value.gpu-frames-duration", LCAP_KIND_gpu_frames, 32, 8, UINT64_MAX, 0},
    {"payload-value.gpu-frames-end", LCAP_KIND_gpu_frames, 40, 8, INT64_MAX - 6, 0},
    {"payload-value.gpu-frames-collect", LCAP_KIND_gpu_frames, 56, 8, 24, 0},
    {"payload-value.gpu-frames-reserved", LCAP_KIND_gpu_frames, 64, 8, 1, 0},
    {"payload-value.gpu-passes-count-0", LCAP_KIND_gpu_passes, 0, 4, 0, 8},
    {"payload-layout.gpu-passes-count", LCAP_KIND_gpu_passes, 0, 4, 1, 0},
    {"payload-value.gpu-passes-clock-0", LCAP_KIND_gpu_passes, 4, 4, 0, 0},
    {"payload-value.gpu-passes-track-0", LCAP_KIND_gpu_passes, 8, 4, 0, 0},
    {"payload-value.gpu-passes-site-0", LCAP_KIND_gpu_passes, 12, 4, 0, 0},
    {"payload-value.gpu-passes-operation-0", LCAP_KIND_gpu_passes, 20, 4, 0, 0},
    {"payload-value.gpu-passes-logical-0", LCAP_KIND_gpu_passes, 24, 4, 0, 0},
    {"payload-value.gpu-passes-outcome-0", LCAP_KIND_gpu_passes, 28, 4, 0, 0},
    {"payload-value.gpu-passes-begin-unmapped", LCAP_KIND_gpu_passes, 56, 8, 1, 0},
    {"payload-value.gpu-passes-reserved", LCAP_KIND_gpu_passes, 36, 4, 1, 0},
    {"payload-value.gpu-passes-collect", LCAP_KIND_gpu_passes, 72, 8, 24, 0},
    {"payload-value.gpu-counts-count-0", LCAP_KIND_gpu_counts, 0, 4, 0, 8},
    {"payload-layout.gpu-counts-count", LCAP_KIND_gpu_counts, 0, 4, 4, 0},
    {"payload-value.gpu-counts-clock", LCAP_KIND_gpu_counts, 4, 4, 1, 0},
    {"payload-value.gpu-counts-track-0", LCAP_KIND_gpu_counts, 8, 4, 0, 0},
    {"payload-value.gpu-counts-subject-0", LCAP_KIND_gpu_counts, 12, 4, 0, 0},
    {"payload-value.gpu-counts-reserved", LCAP_KIND_gpu_counts, 20, 4, 1, 0},
    {"payload-value.gpu-calibrations-count-0", LCAP_KIND_gpu_calibrations, 0, 4, 0, 8},
    {"payload-layout.gpu-calibrations-count", LCAP_KIND_gpu_calibrations, 0, 4, 1, 0},
    {"payload-value.gpu-calibrations-clock", LCAP_KIND_gpu_calibrations, 4, 4, 1, 0},
    {"payload-value.gpu-calibrations-track-0", LCAP_KIND_gpu_calibrations, 8, 4, 0, 0},
    {"payload-value.gpu-calibrations-mapping-0", LCAP_KIND_gpu_calibrations, 12, 4, 0, 0},
    {"payload-value.gpu-calibrations-reserved", LCAP_KIND_gpu_calibrations, 20, 4, 1, 0},
    {"payload-value.gpu-calibrations-last-reserved", LCAP_KIND_gpu_calibrations, 64, 8, 1, 0},
    {"payload-value.end-clock-0", LCAP_KIND_end, 8, 4, 0, 0},
    {"payload-value.end-reason-0", LCAP_KIND_end, 12, 4, 0, 0},
    {"payload-value.end-reason-4", LCAP_KIND_end, 12, 4, 4, 0},
    {"payload-layout.index-count", LCAP_KIND_index, 0, 4, UINT32_MAX, 0},
    {"payload-value.index-reserved", LCAP_KIND_index, 4, 4, 1, 0},
    {"payload-value.index-entry-reserved", LCAP_KIND_index, 16 + 36, 4, 1, 0},
    {"payload-layout.index-head", LCAP_KIND_index, 0, 0, 0, 15},
};

static void spoil(struct golden_file *file, const struct record_case *row)
{
    golden_decompress(file);
    if (row->new_size != 0)
        golden_replace_payload(file, golden_payload(file), row->new_size);
    if (row->width != 0)
        golden_set(file, row->offset, row->width, row->value);
}

/* A capture of session, clock, strings, the kind in question, end and index, with that one wrong.
 */
static void make_case(const char *directory, const struct record_case *row)
{
    static const enum lcap_block_kind others[] = {
        LCAP_KIND_session, LCAP_KIND_clock, LCAP_KIND_strings, LCAP_KIND_end, LCAP_KIND_index};
    struct golden_file file;
    bool is_there = false;
    golden_open(&file);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        is_there = is_there || others[i] == row->kind;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i] == LCAP_KIND_end && !is_there) {
            golden_add_kind(&file, row->kind);
            spoil(&file, row);
        }
        golden_add_kind(&file, others[i]);
        if (others[i] == row->kind)
            spoil(&file, row);
    }
    golden_add_trailer(&file);
    golden_write(&file, directory, row->name);
}

/* For every kind: its last byte is missing; a byte is left over. */
static void make_sizes(const char *directory)
{
    static const enum lcap_block_kind kinds[] = {
#define KIND(name, text, number, version, record) LCAP_KIND_##name,
        LCAP_BLOCK_KINDS(KIND)
#undef KIND
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const enum lcap_block_kind kind = kinds[i];
        char name[64];
        struct golden_file file;
        golden_open(&file);
        golden_add_kind(&file, LCAP_KIND_clock); /* for the events */
        golden_add_kind(&file, kind);
        golden_decompress(&file);
        size_t size = golden_payload_size(&file);
        golden_close(&file);
        for (int change = -1; change <= 1; change += 2) {
            struct record_case row = {.kind = kind};
            snprintf(name, sizeof name, "payload-layout.kind-%d-%s", (int)kind,
                     change < 0 ? "cut" : "left-over");
            row.name = name;
            row.new_size = size + (size_t)change;
            /* The index has an entry for every block of its own file. */
            if (kind == LCAP_KIND_index)
                row.new_size = 16 + 40 * 4 + (size_t)change;
            make_case(directory, &row);
        }
    }
}

void golden_make_invalid_records(const char *directory)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        make_case(directory, &cases[i]);
    make_sizes(directory);
}
