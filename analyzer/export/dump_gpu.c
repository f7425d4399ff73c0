/* Prints the GPU samples of a capture's blocks, a line each. */
#include "dump_lines.h"

static void end_line(struct trace_dump *dump)
{
    trace_put_byte(&dump->writer, '\n');
}

void trace_dump_gpu_queues(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_gpu_queue queue;
    while (lcap_next_gpu_queue(&records, &queue)) {
        trace_dump_number(dump, "gpu-queue track ", queue.track);
        trace_dump_number(dump, " generation ", queue.generation);
        trace_dump_number(dump, " valid_bits ", queue.valid_bits);
        trace_dump_number(dump, " period_fs ", queue.period_fs);
        trace_dump_quoted(dump, " backend ", queue.backend);
        trace_dump_quoted(dump, " device ", queue.device);
        trace_dump_quoted(dump, " queue ", queue.queue);
        trace_dump_quoted(dump, " pass_reason ", queue.pass_reason);
        trace_dump_quoted(dump, " calibration_reason ", queue.calibration_reason);
        end_line(dump);
    }
}

/* What the lines of frames and passes end with. */
static void put_time(struct trace_dump *dump, const struct lcap_gpu_time *time)
{
    trace_dump_name(dump, " outcome ", lcap_gpu_outcome_name(time->outcome), time->outcome);
    trace_dump_number(dump, " duration_ns ", time->duration_ns);
    if (time->uncertainty_ns != LCAP_GPU_UNMAPPED) {
        trace_dump_signed(dump, " begin_ns ", time->begin_ns);
        trace_dump_number(dump, " uncertainty_ns ", time->uncertainty_ns);
    } else {
        trace_put_text(&dump->writer, " begin_ns - uncertainty_ns -");
    }
    trace_dump_number(dump, " submit ", time->submit_tick);
    trace_dump_number(dump, " collect ", time->collect_tick);
    end_line(dump);
}

void trace_dump_gpu_frames(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_gpu_frame frame;
    while (lcap_next_gpu_frame(&records, &frame)) {
        trace_dump_number(dump, "gpu-frame track ", frame.track);
        trace_dump_number(dump, " number ", frame.number);
        trace_dump_name(dump, " method ", lcap_gpu_method_name(frame.method), frame.method);
        put_time(dump, &frame.time);
    }
}

void trace_dump_gpu_passes(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_gpu_pass pass;
    while (lcap_next_gpu_pass(&records, &pass)) {
        trace_dump_number(dump, "gpu-pass track ", pass.track);
        trace_dump_number(dump, " site ", pass.site);
        trace_dump_number(dump, " frame ", pass.frame);
        trace_dump_number(dump, " ordinal ", pass.ordinal);
        trace_dump_name(dump, " operation ", lcap_gpu_operation_name(pass.operation),
                        pass.operation);
        trace_dump_number(dump, " logical_passes ", pass.logical_passes);
        put_time(dump, &pass.time);
    }
}

void trace_dump_gpu_counts(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_gpu_count count;
    while (lcap_next_gpu_count(&records, &count)) {
        trace_dump_number(dump, "gpu-count track ", count.track);
        trace_dump_name(dump, " subject ", lcap_gpu_subject_name(count.subject), count.subject);
        trace_dump_name(dump, " outcome ", lcap_gpu_outcome_name(count.outcome), count.outcome);
        trace_dump_number(dump, " count ", count.count);
        end_line(dump);
    }
}

void trace_dump_gpu_calibrations(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_gpu_calibration calibration;
    while (lcap_next_gpu_calibration(&records, &calibration)) {
        trace_dump_number(dump, "gpu-calibration track ", calibration.track);
        trace_dump_number(dump, " frame ", calibration.frame);
        trace_dump_name(dump, " mapping ", lcap_gpu_mapping_name(calibration.mapping),
                        calibration.mapping);
        trace_dump_number(dump, " uncertainty_ns ", calibration.uncertainty_ns);
        trace_dump_number(dump, " device ", calibration.device_ticks[0]);
        trace_dump_number(dump, " ", calibration.device_ticks[1]);
        trace_dump_signed(dump, " host_ns ", calibration.host_ns[0]);
        trace_dump_signed(dump, " ", calibration.host_ns[1]);
        end_line(dump);
    }
}
