/* Follows a growing capture: opens it, and takes what was written to it since the last look. */
#include "live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "input_kind.h"

/* Places of damage that are kept, the last ones; the others are counted. */
#define MAX_DAMAGES 1024u

int64_t trace_live_ns(struct trace_live *live, uint32_t clock, uint64_t tick)
{
    if (!live->is_clock_set)
        trace_capture_set_clocks(live->capture);
    live->is_clock_set = true;
    return trace_capture_ns(live->capture, clock, tick);
}

bool trace_live_add_damage(struct trace_live *live, uint64_t offset, uint64_t size,
                           const char *reason)
{
    struct trace_model *model = live->capture->model;
    live->damage_places++;
    live->damage_bytes += size;
    if (model->damage_count == MAX_DAMAGES) {
        model->damage_count /= 2;
        memmove(model->damages, model->damages + model->damage_count,
                model->damage_count * sizeof *model->damages);
    }
    return trace_capture_add_damage(live->capture, offset, size, reason);
}

/* --- opening --------------------------------------------------------------------------------- */

/* Whether the file is not there yet, or holds no more than the beginning of a file header. */
static bool is_to_begin(const char *path)
{
    static const char magic[] = LCAP_FILE_MAGIC;
    char bytes[LCAP_FILE_HEADER_SIZE];
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return errno == ENOENT;
    bool is_regular = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    ssize_t size = is_regular ? read(file, bytes, sizeof bytes) : -1;
    (void)close(file);
    size_t known = size < 8 ? (size_t)size : 8;
    return size >= 0 && size < (ssize_t)sizeof bytes && memcmp(bytes, magic, known) == 0;
}

static enum ludus_status read_header(struct trace_live *live, struct ludus_error *error)
{
    struct lcap_source source = trace_capture_file_source(live->capture->file);
    size_t size = source.size < sizeof live->header ? (size_t)source.size : sizeof live->header;
    enum ludus_status status = source.read_at(source.context, 0, live->header, size);
    return status == LUDUS_OK ? LUDUS_OK : trace_capture_fail(live->capture, status, error);
}

static enum ludus_status open_capture(struct trace_live *live, const char *path,
                                      struct ludus_error *error)
{
    if (live->is_followed && is_to_begin(path))
        return trace_fail(error, LUDUS_END, "%s: nothing is recorded yet", path);
    enum ludus_status status = trace_input_expect_capture(path, error);
    if (status != LUDUS_OK)
        return status;
    status = trace_capture_prepare(path, NULL, &live->capture, error);
    if (status != LUDUS_OK)
        return status;
    lcap_reader_skim_events(live->capture->reader);
    if (live->is_followed)
        lcap_reader_expect_growth(live->capture->reader);
    live->capture->model->capture_id = lcap_reader_capture_id(live->capture->reader);
    return read_header(live, error);
}

enum ludus_status trace_live_open(const char *path, const struct trace_live_options *options,
                                  struct trace_live **out, struct ludus_error *error)
{
    *out = NULL;
    struct trace_live *live = calloc(1, sizeof *live);
    if (live == NULL)
        return trace_fail_memory(error);
    live->length_ns = (int64_t)options->last_ms * 1000000;
    live->is_followed = options->is_followed;
    live->blocks.known_from_ns = INT64_MIN;
    enum ludus_status status = open_capture(live, path, error);
    if (status != LUDUS_OK) {
        trace_live_close(live);
        return status;
    }
    *out = live;
    return LUDUS_OK;
}

void trace_live_close(struct trace_live *live)
{
    if (live == NULL)
        return;
    trace_live_release_blocks(&live->blocks);
    for (uint32_t i = 0; i < live->marks_count; i++)
        free(live->marks[i].items);
    free(live->marks);
    free(live->tracks);
    free(live->losses.sums);
    free(live->losses.recent);
    free(live->sites);
    trace_capture_close(live->capture);
    free(live);
}

/* --- reading on ------------------------------------------------------------------------------ */

/* Keeps the times of tracks as ticks: later calibrations move them. */
static bool take_tracks(struct trace_live *live, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_track record;
    if (!trace_capture_load_times(live->capture, block))
        return false;
    while (live->track_count < live->capture->model->track_count) {
        if (!trace_array_grow(&live->tracks, live->track_count, sizeof *live->tracks))
            return false;
        live->tracks[live->track_count++] = (struct lcap_track){0};
    }
    while (lcap_next_track(&records, &record))
        live->tracks[trace_capture_track(live->capture, record.track)] = record;
    return true;
}

static uint64_t repaired_bytes(const struct lcap_block *block)
{
    struct lcap_repair repair = {0};
    (void)lcap_read_repair(block, &repair);
    return repair.bytes;
}

static bool take_block(struct trace_live *live, const struct lcap_block *block)
{
    switch (block->kind) {
    case LCAP_KIND_events:
        return trace_live_take_events(live, block);
    case LCAP_KIND_tracks:
        return take_tracks(live, block);
    case LCAP_KIND_frames:
        return trace_live_take_frames(live, block);
    case LCAP_KIND_losses:
        return trace_live_take_losses(live, block);
    case LCAP_KIND_end:
        live->has_ended = lcap_read_end(block, &live->end) == LCAP_DAMAGE_NONE;
        live->capture->has_end = live->has_ended;
        return true;
    case LCAP_KIND_repair: /* what is missing between segments is looked for as in a damaged one */
        return trace_live_add_damage(live, block->offset, repaired_bytes(block),
                                     TRACE_DAMAGE_REPAIRED);
    case LCAP_KIND_session:
    case LCAP_KIND_clock:
    case LCAP_KIND_calibrations:
        live->is_clock_set = false;
        live->capture->model->calibration_count = 0; /* the clock map has them */
        return trace_capture_load_definitions(live->capture, block);
    case LCAP_KIND_strings:
    case LCAP_KIND_categories:
    case LCAP_KIND_sites:
    case LCAP_KIND_domains:
    case LCAP_KIND_window:
        return trace_capture_load_definitions(live->capture, block);
    default: /* nothing that the report shows */
        return true;
    }
}

static bool take_item(struct trace_live *live, const struct lcap_item *item)
{
    struct trace_model *model = live->capture->model;
    switch (item->kind) {
    case LCAP_ITEM_BLOCK:
        return take_block(live, &item->block);
    case LCAP_ITEM_SKIPPED:
        return true;
    case LCAP_ITEM_GAP:
        return trace_live_add_damage(live, item->offset, 0, "gap");
    case LCAP_ITEM_DAMAGE:
        return trace_live_add_damage(live, item->offset, item->size,
                                     lcap_damage_name(item->reason));
    case LCAP_ITEM_UNFINISHED:
        model->unfinished_tail = item->size;
        return true;
    case LCAP_ITEM_FINISHED:
        model->is_finished = true;
        return true;
    }
    return true;
}

/* Whether the file that was opened is still the one under its name, and no shorter than before. */
static enum ludus_status check_file(struct trace_live *live, struct ludus_error *error)
{
    const char *path = live->capture->path;
    struct lcap_source source = trace_capture_file_source(live->capture->file);
    uint8_t header[sizeof live->header];
    uint64_t size;
    if (!trace_capture_file_measure(live->capture->file, path, &size))
        return trace_fail(error, LUDUS_ERROR_OPEN,
                          "%s: was removed or replaced while it was followed; start again", path);
    if (size < live->capture->model->file_bytes)
        return trace_fail(error, LUDUS_ERROR_OPEN, "%s: was cut while it was followed; start again",
                          path);
    if (size >= sizeof header &&
        (source.read_at(source.context, 0, header, sizeof header) != LUDUS_OK ||
         memcmp(header, live->header, sizeof header) != 0))
        return trace_fail(error, LUDUS_ERROR_OPEN,
                          "%s: was written anew while it was followed; start again", path);
    live->capture->model->file_bytes = size;
    enum ludus_status status = lcap_reader_grow(live->capture->reader, size);
    return status == LUDUS_OK ? LUDUS_OK : trace_capture_fail(live->capture, status, error);
}

enum ludus_status trace_live_read(struct trace_live *live, struct trace_live_state *state,
                                  struct ludus_error *error)
{
    struct trace_capture *capture = live->capture;
    const uint64_t before = capture->model->file_bytes;
    struct lcap_item item;
    enum ludus_status status = LUDUS_OK;
    if (live->is_followed)
        status = check_file(live, error);
    else
        capture->model->file_bytes = trace_capture_file_source(capture->file).size;
    if (status != LUDUS_OK)
        return status;
    live->is_derived = false;
    while ((status = lcap_reader_next(capture->reader, false, &item)) == LUDUS_OK)
        if (!take_item(live, &item))
            return trace_capture_fail_load(capture, error);
    if (status != LUDUS_END)
        return trace_capture_fail(capture, status, error);
    state->has_grown = capture->model->file_bytes != before;
    state->is_finished = capture->model->is_finished;
    return LUDUS_OK;
}

/* --- the window ------------------------------------------------------------------------------ */

/* Tracks of which only events are known have no times of their own. */
static void set_tracks(struct trace_live *live)
{
    struct trace_model *model = live->capture->model;
    for (uint32_t i = 0; i < model->track_count; i++) {
        struct trace_track *track = &model->tracks[i];
        bool is_defined = i < live->track_count && live->tracks[i].track != 0;
        track->end_ns = model->end_ns;
        if (!is_defined)
            continue;
        const struct lcap_track *record = &live->tracks[i];
        track->begin_ns = trace_live_ns(live, record->clock, record->begin_tick);
        if (track->has_ended)
            track->end_ns = trace_live_ns(live, record->clock, record->end_tick);
    }
}

enum ludus_status trace_live_derive(struct trace_live *live, struct ludus_error *error)
{
    if (live->is_derived)
        return LUDUS_OK;
    trace_model_forget_statistics(live->capture->model);
    enum ludus_status status = trace_live_load_window(live, error);
    if (status != LUDUS_OK)
        return status;
    live->capture->model->end_ns = live->end_ns;
    set_tracks(live);
    if (!trace_live_set_frames(live) || !trace_live_set_losses(live, true))
        return trace_fail_memory(error);
    status = trace_live_follow_events(live, error);
    if (status == LUDUS_OK && !trace_live_set_losses(live, false))
        status = trace_fail_memory(error);
    live->is_derived = status == LUDUS_OK;
    return status;
}
