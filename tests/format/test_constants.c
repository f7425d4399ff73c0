/* Checksums, identities and names: what the format takes from elsewhere, or fixes by a table, has
 * the known values. */
#include <check.h>
#include <string.h>

#include "lcap_checksum.h"
#include "lcap_decode.h"
#include "lcap_layout.h"

#define BYTES(literal) ((struct lcap_bytes){(const uint8_t *)(literal), sizeof(literal) - 1})
#define NO_BYTES       ((struct lcap_bytes){NULL, 0})

START_TEST(checksums_are_those_of_zlib)
{
    uint8_t bytes[80] = {0};
    ck_assert_uint_eq(lcap_crc32("", 0), 0);
    ck_assert_uint_eq(lcap_crc32("a", 1), 0xE8B7BE43u);
    ck_assert_uint_eq(lcap_crc32("abc", 3), 0x352441C2u);
    ck_assert_uint_eq(lcap_crc32("123456789", 9), 0xCBF43926u);
    ck_assert_uint_eq(lcap_crc32(bytes, 32), 0x190A55ADu);
    memset(bytes, 0xFF, sizeof bytes);
    ck_assert_uint_eq(lcap_crc32(bytes, 32), 0xFF6CAB0Bu);
}
END_TEST

/* Bit by bit, as the polynomial is defined. */
static uint32_t slow_crc(const uint8_t *bytes, size_t size)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

START_TEST(checksums_are_right_for_every_size_and_place)
{
    uint8_t bytes[320]; /* several times what is multiplied at once, and rests of every size */
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 37 ^ i >> 3);
    for (size_t start = 0; start < 8; start++)
        for (size_t size = 0; size <= 300; size++)
            ck_assert_uint_eq(lcap_crc32(bytes + start, size), slow_crc(bytes + start, size));
}
END_TEST

START_TEST(identities_are_the_known_ones)
{
    /* FNV-1a of "Step", 0, "a.c", 0, 12, 0, 0, 0, worked out by another program. */
    ck_assert_uint_eq(lcap_site_identity(BYTES("Step"), BYTES("a.c"), 12),
                      UINT64_C(0x4711ab9a63c424c9));
    ck_assert_uint_eq(lcap_site_identity(BYTES("Sim"), NO_BYTES, 0), UINT64_C(0x0fc10532ef5d2154));
    /* The zero bytes between keep what the name ends with apart from what the file begins with. */
    ck_assert_uint_ne(lcap_site_identity(BYTES("ab"), BYTES("c"), 1),
                      lcap_site_identity(BYTES("a"), BYTES("bc"), 1));
}
END_TEST

START_TEST(numbers_have_the_names_of_the_page)
{
    ck_assert_str_eq(lcap_block_kind_name(LCAP_KIND_session), "session");
    ck_assert_str_eq(lcap_block_kind_name(LCAP_KIND_index), "index");
    ck_assert_ptr_null(lcap_block_kind_name(0));
    ck_assert_ptr_null(lcap_block_kind_name(15));
    ck_assert_str_eq(lcap_track_kind_name(3), "gpu-queue");
    ck_assert_ptr_null(lcap_track_kind_name(4));
    ck_assert_str_eq(lcap_event_kind_name(7), "track-switch");
    ck_assert_ptr_null(lcap_event_kind_name(8));
    ck_assert_str_eq(lcap_loss_cause_name(5), "frame-marks-full");
    ck_assert_ptr_null(lcap_loss_cause_name(0));
    ck_assert_str_eq(lcap_diagnostic_name(6), "late-events");
    ck_assert_ptr_null(lcap_diagnostic_name(UINT32_MAX));
    ck_assert_str_eq(lcap_end_reason_name(2), "write-failed");
    ck_assert_str_eq(lcap_end_reason_name(3), "window-over");
    ck_assert_ptr_null(lcap_end_reason_name(4));
    ck_assert_str_eq(lcap_trigger_cause_name(1), "frame");
    ck_assert_str_eq(lcap_trigger_cause_name(2), "call");
    ck_assert_ptr_null(lcap_trigger_cause_name(0));
    ck_assert_ptr_null(lcap_trigger_cause_name(3));
    ck_assert_str_eq(lcap_block_kind_name(32), "gpu-queues");
    ck_assert_str_eq(lcap_block_kind_name(36), "gpu-calibrations");
    ck_assert_ptr_null(lcap_block_kind_name(37));
    ck_assert_str_eq(lcap_diagnostic_name(14), "source-absent");
    ck_assert_str_eq(lcap_diagnostic_name(15), "gpu-queues-full");
    ck_assert_str_eq(lcap_gpu_outcome_name(0), "eligible");
    ck_assert_str_eq(lcap_gpu_outcome_name(9), "unresolved");
    ck_assert_ptr_null(lcap_gpu_outcome_name(10));
    ck_assert_ptr_null(lcap_gpu_outcome_name(15));
    ck_assert_str_eq(lcap_gpu_outcome_name(22), "not-admitted");
    ck_assert_str_eq(lcap_gpu_outcome_name(23), "no-begin");
    ck_assert_ptr_null(lcap_gpu_outcome_name(24));
    ck_assert_str_eq(lcap_gpu_subject_name(3), "calibration");
    ck_assert_str_eq(lcap_gpu_operation_name(4), "mixed");
    ck_assert_str_eq(lcap_gpu_method_name(2), "command-buffer");
    ck_assert_str_eq(lcap_gpu_mapping_name(7), "outside");
    ck_assert_str_eq(lcap_clock_source_name(3), "generic-timer");
    ck_assert_str_eq(lcap_damage_name(LCAP_DAMAGE_PAYLOAD_VALUE), "payload-value");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("constants");
    TCase *cases = tcase_create("constants");
    tcase_add_test(cases, checksums_are_those_of_zlib);
    tcase_add_test(cases, checksums_are_right_for_every_size_and_place);
    tcase_add_test(cases, identities_are_the_known_ones);
    tcase_add_test(cases, numbers_have_the_names_of_the_page);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
