/* What the tests of GPU samples share. */
#include "gpu_fixture.h"

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum ludus_status read_file(void *context, uint64_t offset, void *bytes, size_t size)
{
    return pread(*(int *)context, bytes, size, (off_t)offset) == (ssize_t)size ? LUDUS_OK
                                                                               : LUDUS_ERROR_OPEN;
}

/* Appends a record to an array that grows by doubling. */
static void append(void *array, size_t *count, const void *record, size_t size)
{
    void **items = array;
    if ((*count & (*count - 1)) == 0)
        *items = realloc(*items, (*count == 0 ? 1 : *count * 2) * size);
    ck_assert_ptr_nonnull(*items);
    memcpy((char *)*items + (*count)++ * size, record, size);
}

static void expect_queue(const struct gpu_content *content, uint32_t track)
{
    bool is_defined = false;
    for (size_t i = 0; i < content->queue_count; i++)
        is_defined = is_defined || content->queues[i].track == track;
    ck_assert_msg(is_defined, "track %u is no queue yet", track);
}

static void take_block(struct gpu_content *content, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_gpu_queue queue;
    struct lcap_gpu_frame frame;
    struct lcap_gpu_pass pass;
    struct lcap_gpu_count count;
    struct lcap_gpu_calibration calibration;
    if (block->kind == LCAP_KIND_gpu_queues) {
        while (lcap_next_gpu_queue(&records, &queue))
            append(&content->queues, &content->queue_count, &queue, sizeof queue);
    } else if (block->kind == LCAP_KIND_gpu_frames) {
        while (lcap_next_gpu_frame(&records, &frame)) {
            expect_queue(content, frame.track);
            append(&content->frames, &content->frame_count, &frame, sizeof frame);
        }
    } else if (block->kind == LCAP_KIND_gpu_passes) {
        while (lcap_next_gpu_pass(&records, &pass)) {
            expect_queue(content, pass.track);
            append(&content->passes, &content->pass_count, &pass, sizeof pass);
        }
    } else if (block->kind == LCAP_KIND_gpu_counts) {
        while (lcap_next_gpu_count(&records, &count)) {
            expect_queue(content, count.track);
            append(&content->counts, &content->count_count, &count, sizeof count);
        }
    } else if (block->kind == LCAP_KIND_gpu_calibrations) {
        while (lcap_next_gpu_calibration(&records, &calibration)) {
            expect_queue(content, calibration.track);
            append(&content->calibrations, &content->calibration_count, &calibration,
                   sizeof calibration);
        }
    }
}

struct gpu_content gpu_read(const char *path)
{
    struct gpu_content content = {0};
    struct lcap_reader *reader;
    struct lcap_item item;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert_msg(file >= 0, "%s cannot be opened", path);
    const struct lcap_source source = {&file, read_file, (uint64_t)lseek(file, 0, SEEK_END)};
    ck_assert_int_eq(lcap_reader_open(source, &reader, NULL), LUDUS_OK);
    while (lcap_reader_next(reader, false, &item) == LUDUS_OK) {
        ck_assert_int_ne(item.kind, LCAP_ITEM_DAMAGE);
        if (item.kind == LCAP_ITEM_BLOCK)
            take_block(&content, &item.block);
    }
    lcap_reader_close(reader);
    close(file);
    return content;
}

void gpu_content_free(struct gpu_content *content)
{
    free(content->queues);
    free(content->frames);
    free(content->passes);
    free(content->calibrations);
    free(content->counts);
}

uint64_t gpu_counted(const struct gpu_content *content, uint32_t track, uint32_t subject,
                     uint32_t outcome)
{
    uint64_t most = 0;
    for (size_t i = 0; i < content->count_count; i++) {
        const struct lcap_gpu_count *count = &content->counts[i];
        if (count->track == track && count->subject == subject && count->outcome == outcome &&
            count->count > most)
            most = count->count;
    }
    return most;
}

uint32_t gpu_open_queue(const char *name)
{
    const struct ludus_gpu_queue_facts facts = {.backend = "none",
                                                .device = "made up",
                                                .queue = name,
                                                .pass_reason = "",
                                                .calibration_reason = "no clock",
                                                .generation = 2,
                                                .valid_bits = 36,
                                                .period_fs = 83333};
    const uint32_t queue = ludus_gpu_queue_open(ludus_gpu_admission(), &facts);
    ck_assert_uint_ne(queue, 0);
    return queue;
}

struct ludus_gpu_frame gpu_frame(uint32_t queue, uint64_t number)
{
    const uint64_t tick = ludus_gpu_tick();
    return (struct ludus_gpu_frame){.queue = queue,
                                    .method = LUDUS_GPU_TIMESTAMPS,
                                    .outcome = LUDUS_GPU_VALID,
                                    .uncertainty_ns = LUDUS_GPU_UNMAPPED,
                                    .number = number,
                                    .duration_ns = 1000 + number,
                                    .submit_tick = tick,
                                    .collect_tick = tick};
}

struct ludus_gpu_pass gpu_pass(uint32_t queue, uint64_t frame)
{
    LUDUS_SITE_DEFINE(site, "Shadows");
    const uint64_t tick = ludus_gpu_tick();
    return (struct ludus_gpu_pass){.queue = queue,
                                   .site = ludus_gpu_site(&site),
                                   .operation = LUDUS_GPU_RENDER,
                                   .logical_passes = 1,
                                   .outcome = LUDUS_GPU_VALID,
                                   .uncertainty_ns = LUDUS_GPU_UNMAPPED,
                                   .frame = frame,
                                   .duration_ns = 10 + frame,
                                   .submit_tick = tick,
                                   .collect_tick = tick};
}
