/* The lines of GPU samples: processes, counters, and slices on lanes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "database_names.h"
#include "perfetto.h"
#include "track_name.h"

/* --- places ---------------------------------------------------------------------------------- */

uint32_t trace_perfetto_gpu_pid(const struct trace_perfetto *perfetto, uint32_t track)
{
    const uint32_t place = 1 + perfetto->tracks[track].gpu_process;
    const uint32_t program = perfetto->model->process_id;

    return program <= UINT32_MAX - place ? program + place : program - place;
}

static uint64_t counter_tid(const struct trace_perfetto *perfetto, uint32_t track)
{
    return perfetto->gpu.first_tid + perfetto->tracks[track].gpu_process;
}

static void put_place(struct trace_json *json, const struct trace_perfetto *perfetto,
                      uint32_t track, uint64_t tid, int64_t time_ns)
{
    trace_perfetto_put_count(json, "pid", trace_perfetto_gpu_pid(perfetto, track));
    trace_perfetto_put_count(json, "tid", tid);
    trace_perfetto_put_microseconds(json, "ts", time_ns);
}

/* --- names ----------------------------------------------------------------------------------- */

/* Starts a line that gives a process or a thread a name or a place; open in its args. */
static struct trace_json start_naming(struct trace_perfetto *perfetto, const char *what,
                                      uint32_t track, uint64_t tid)
{
    struct trace_json json = trace_perfetto_start_event(perfetto, "M");

    trace_perfetto_put_string(&json, "name", what);
    put_place(&json, perfetto, track, tid, 0);
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    return json;
}

static void end_line(struct trace_json *json)
{
    trace_json_end_object(json);
    trace_json_end_object(json);
}

static void put_thread(struct trace_perfetto *perfetto, uint32_t track, uint64_t tid,
                       const char *name, uint32_t order)
{
    struct trace_json json = start_naming(perfetto, "thread_name", track, tid);

    trace_perfetto_put_string(&json, "name", name);
    end_line(&json);
    json = start_naming(perfetto, "thread_sort_index", track, tid);
    trace_perfetto_put_count(&json, "sort_index", order);
    end_line(&json);
}

void trace_perfetto_put_gpu_process(struct trace_perfetto *perfetto, uint32_t track)
{
    const uint64_t tid = counter_tid(perfetto, track);
    struct trace_json json = start_naming(perfetto, "process_name", track, tid);
    char queue[TRACE_TRACK_NAME_SIZE];
    char name[TRACE_TRACK_NAME_SIZE + 32];

    trace_track_name(perfetto->model, track, queue);
    snprintf(name, sizeof name, "GPU: %s", queue);
    trace_perfetto_put_string(&json, "name", perfetto->gpu.processes == 1 ? "GPU" : name);
    end_line(&json);
    snprintf(name, sizeof name, "GPU measurements: %s", queue);
    put_thread(perfetto, track, tid, name, 0);
}

/* The member name: a site's between two texts. */
static void put_site_name(struct trace_json *json, const struct trace_perfetto *perfetto,
                          const char *before, uint32_t site, const char *behind)
{
    const struct trace_text name = perfetto->model->sites[site].name;

    trace_json_key(json, "name");
    trace_json_raw(json, "\"", 1);
    trace_put_text(json->writer, before);
    (void)trace_json_escape(json->writer, name.data, name.size);
    trace_put_text(json->writer, behind);
    trace_put_byte(json->writer, '"');
}

/* --- counters -------------------------------------------------------------------------------- */

void trace_perfetto_put_gpu_counter(struct trace_perfetto *perfetto,
                                    const struct trace_perfetto_sample *sample)
{
    struct trace_json json = trace_perfetto_start_event(perfetto, "C");
    char digits[TRACE_NAME_SIZE];
    char which[96];

    if (sample->site == TRACE_NONE) {
        trace_perfetto_put_string(&json, "name", "GPU/FrameDurationNanoseconds");
    } else {
        snprintf(which, sizeof which, " [%" PRIu32 ":%" PRIu32 ":%s]/DurationNanoseconds",
                 perfetto->model->sites[sample->site].id, sample->ordinal,
                 trace_name_of(TRACE_NAME_GPU_OPERATION, sample->operation, digits));
        put_site_name(&json, perfetto, "GPU/Pass/", sample->site, which);
    }
    put_place(&json, perfetto, sample->track, counter_tid(perfetto, sample->track),
              sample->submit_ns);
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    trace_json_key(&json, "value");
    trace_json_integer(&json, sample->duration_ns);
    end_line(&json);
}

/* --- lanes ----------------------------------------------------------------------------------- */

static void add_lane(struct trace_perfetto *perfetto, struct trace_perfetto_lanes *lanes)
{
    struct trace_perfetto_gpu *gpu = &perfetto->gpu;
    const uint64_t tid = gpu->first_tid + gpu->processes + gpu->lanes++;
    char name[48] = "GPU execution (calibrated)";

    if (lanes->count == 0)
        lanes->first_tid = tid;
    else
        snprintf(name, sizeof name, "GPU execution (calibrated, overlap %" PRIu32 ")",
                 lanes->count);
    put_thread(perfetto, lanes->track, tid, name, ++lanes->count);
}

/* The first lane whose last slice has ended when this one begins, or TRACE_NONE. */
static uint32_t take_lane(struct trace_perfetto *perfetto, struct trace_perfetto_lanes *lanes,
                          const struct trace_perfetto_sample *sample)
{
    uint32_t lane = 0;

    while (lane < lanes->count && lanes->ends_ns[lane] > sample->begin_ns)
        lane++;
    if (lane == TRACE_PERFETTO_MAX_LANES)
        return TRACE_NONE;
    if (lane == lanes->count)
        add_lane(perfetto, lanes);
    lanes->ends_ns[lane] = trace_perfetto_sample_end(sample);
    return lane;
}

/* --- slices ---------------------------------------------------------------------------------- */

static struct trace_json start_slice_line(struct trace_perfetto *perfetto, const char *phase,
                                          const struct trace_perfetto_sample *sample, uint64_t tid,
                                          int64_t time_ns)
{
    struct trace_json json = trace_perfetto_start_event(perfetto, phase);
    const uint32_t category = perfetto->model->sites[sample->site].category;
    char digits[TRACE_NAME_SIZE];
    char kind[TRACE_NAME_SIZE + 8];

    if (category != TRACE_NONE && phase[0] == 'B')
        trace_perfetto_put_text(&json, "cat", perfetto->model->categories[category].name);
    snprintf(kind, sizeof kind, " (%s)",
             trace_name_of(TRACE_NAME_GPU_OPERATION, sample->operation, digits));
    put_site_name(&json, perfetto, "", sample->site, kind);
    put_place(&json, perfetto, sample->track, tid, time_ns);
    return json;
}

/* Its args are those of the pass, of which the piece may be a part. */
static void put_piece(struct trace_perfetto *perfetto, const struct trace_perfetto_sample *sample,
                      uint64_t tid, struct trace_span piece)
{
    struct trace_json json = start_slice_line(perfetto, "B", sample, tid, piece.begin_ns);

    trace_json_end_object(&json);
    json = start_slice_line(perfetto, "E", sample, tid, piece.end_ns);
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    trace_perfetto_put_count(&json, "frame", sample->frame);
    trace_perfetto_put_count(&json, "identity", perfetto->model->sites[sample->site].id);
    trace_perfetto_put_count(&json, "ordinal", sample->ordinal);
    trace_perfetto_put_count(&json, "logical_passes", sample->logical_passes);
    trace_perfetto_put_count(&json, "duration_ns", (uint64_t)sample->duration_ns);
    trace_perfetto_put_count(&json, "uncertainty_ns", sample->uncertainty_ns);
    trace_perfetto_put_microseconds(&json, "submitted_us", sample->submit_ns);
    trace_perfetto_put_microseconds(&json, "collected_us", sample->collect_ns);
    if (piece.begin_ns > sample->begin_ns) {
        trace_json_key(&json, "begun_before");
        trace_json_bool(&json, true);
        trace_perfetto_put_microseconds(&json, "begin_us", sample->begin_ns);
    }
    if (piece.end_ns < trace_perfetto_sample_end(sample)) {
        trace_json_key(&json, "cut");
        trace_json_bool(&json, true);
    }
    end_line(&json);
}

/* The part of the slice that is in the span; false: none is. Spans are half open, as elsewhere. */
static bool cut_to(const struct trace_perfetto_sample *sample, struct trace_span span,
                   struct trace_span *piece)
{
    const int64_t end_ns = trace_perfetto_sample_end(sample);
    const bool is_begun_before = sample->begin_ns < span.begin_ns;

    if (sample->begin_ns >= span.end_ns || (is_begun_before && end_ns <= span.begin_ns))
        return false;
    piece->begin_ns = is_begun_before ? span.begin_ns : sample->begin_ns;
    piece->end_ns = end_ns > span.end_ns ? span.end_ns : end_ns;
    return true;
}

/* Puts a piece on the slice's lane, of which it takes one for its first piece. Those that are short
 * are left out, unless they are cut. */
static bool show_piece(struct trace_perfetto *perfetto, struct trace_perfetto_lanes *lanes,
                       uint32_t *lane, const struct trace_perfetto_sample *sample,
                       struct trace_span piece)
{
    struct trace_perfetto_gpu *gpu = &perfetto->gpu;
    const bool is_begun_before = piece.begin_ns > sample->begin_ns;
    const bool is_cut = piece.end_ns < trace_perfetto_sample_end(sample);

    if (!is_begun_before && !is_cut && sample->duration_ns < perfetto->options.min_duration_ns) {
        perfetto->slices_short++;
        return false;
    }
    if (*lane == TRACE_NONE) {
        *lane = take_lane(perfetto, lanes, sample);
        if (*lane == TRACE_NONE) {
            gpu->slices_without_lane++;
            return false;
        }
        gpu->slices++;
        if (sample->uncertainty_ns > gpu->largest_uncertainty_ns)
            gpu->largest_uncertainty_ns = sample->uncertainty_ns;
    }
    perfetto->edges_cut += (uint64_t)is_begun_before + is_cut;
    put_piece(perfetto, sample, lanes->first_tid + *lane, piece);
    return true;
}

void trace_perfetto_put_gpu_slice(struct trace_perfetto *perfetto,
                                  struct trace_perfetto_lanes *lanes,
                                  const struct trace_perfetto_sample *sample)
{
    const struct trace_span everything = {INT64_MIN, INT64_MAX, 0};
    const struct trace_span_list *spans = &perfetto->options.spans;
    struct trace_span piece;
    uint32_t lane = TRACE_NONE;

    if (lanes->track != sample->track)
        *lanes = (struct trace_perfetto_lanes){.track = sample->track};
    if (spans->count == 0) {
        if (cut_to(sample, everything, &piece))
            (void)show_piece(perfetto, lanes, &lane, sample, piece);
        return;
    }
    while (lanes->first_span < spans->count &&
           spans->spans[lanes->first_span].end_ns <= sample->begin_ns)
        lanes->first_span++;
    for (uint32_t i = lanes->first_span; i < spans->count; i++)
        if (!cut_to(sample, spans->spans[i], &piece) ||
            !show_piece(perfetto, lanes, &lane, sample, piece))
            break; /* those behind lie behind its end, or are not shown either */
}
