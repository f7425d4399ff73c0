/* The names that FORMAT.md gives to numbers. */
#include "lcap_decode.h"

#define NAME_OF(names, number)                                                                     \
    ((number) < sizeof(names) / sizeof(names)[0] ? (names)[number] : (const char *)0)

const char *lcap_damage_name(enum lcap_damage damage)
{
    static const char *const names[] = {
        [LCAP_DAMAGE_FILE_HEADER] = "file-header",
        [LCAP_DAMAGE_BLOCK_MAGIC] = "block-magic",
        [LCAP_DAMAGE_HEADER_CHECKSUM] = "header-checksum",
        [LCAP_DAMAGE_HEADER_FIELD] = "header-field",
        [LCAP_DAMAGE_BLOCK_CUT] = "block-cut",
        [LCAP_DAMAGE_PAYLOAD_CHECKSUM] = "payload-checksum",
        [LCAP_DAMAGE_PAYLOAD_COMPRESSION] = "payload-compression",
        [LCAP_DAMAGE_PAYLOAD_LAYOUT] = "payload-layout",
        [LCAP_DAMAGE_PAYLOAD_VALUE] = "payload-value",
    };
    return NAME_OF(names, (unsigned)damage);
}

const char *lcap_block_kind_name(uint32_t kind)
{
    switch (kind) {
#define KIND_NAME(name, text, number, version, record)                                             \
    case number:                                                                                   \
        return text;
        LCAP_BLOCK_KINDS(KIND_NAME)
#undef KIND_NAME
    default:
        return 0;
    }
}

const char *lcap_event_kind_name(uint32_t kind)
{
    static const char *const names[] = {"end",     "begin", "instant", "flow-out",
                                        "flow-in", "count", "gauge",   "track-switch"};
    return NAME_OF(names, kind);
}

const char *lcap_clock_source_name(uint32_t source)
{
    static const char *const names[] = {0, "monotonic", "tsc", "generic-timer"};
    return NAME_OF(names, source);
}

const char *lcap_track_kind_name(uint32_t kind)
{
    static const char *const names[] = {0, "thread", "fiber", "gpu-queue"};
    return NAME_OF(names, kind);
}

const char *lcap_loss_cause_name(uint32_t cause)
{
    static const char *const names[] = {0,          "buffers-full", "too-many-threads",
                                        "too-deep", "write-failed", "frame-marks-full"};
    return NAME_OF(names, cause);
}

const char *lcap_diagnostic_name(uint32_t code)
{
    static const char *const names[] = {0,
                                        "wrong-thread",
                                        "clock-stepped-back",
                                        "sites-full",
                                        "identity-collision",
                                        "names-cut",
                                        "late-events",
                                        "left-open",
                                        "category-switched",
                                        "counts-lost",
                                        "clock-refused",
                                        "clock-jumped",
                                        "fiber-misused",
                                        "counts-late",
                                        "source-absent",
                                        "gpu-queues-full"};
    return NAME_OF(names, code);
}

const char *lcap_end_reason_name(uint32_t reason)
{
    static const char *const names[] = {0, "stopped", "write-failed", "window-over"};
    return NAME_OF(names, reason);
}

const char *lcap_trigger_cause_name(uint32_t cause)
{
    static const char *const names[] = {0, "frame", "call"};
    return NAME_OF(names, cause);
}

const char *lcap_gpu_outcome_name(uint32_t outcome)
{
    static const char *const names[] = {[LCAP_GPU_ELIGIBLE] = "eligible",
                                        [LCAP_GPU_VALID] = "valid",
                                        [LCAP_GPU_UNAVAILABLE] = "unavailable",
                                        [LCAP_GPU_DISJOINT] = "disjoint",
                                        [LCAP_GPU_FAILED] = "failed",
                                        [LCAP_GPU_DEVICE_LOST] = "device-lost",
                                        [LCAP_GPU_REVERSED] = "reversed",
                                        [LCAP_GPU_NO_END] = "no-end",
                                        [LCAP_GPU_ACAUSAL] = "acausal",
                                        [LCAP_GPU_UNRESOLVED] = "unresolved",
                                        [LCAP_GPU_BUSY] = "busy",
                                        [LCAP_GPU_OVER_CAPACITY] = "over-capacity",
                                        [LCAP_GPU_QUEUE_FULL] = "queue-full",
                                        [LCAP_GPU_NESTED] = "nested",
                                        [LCAP_GPU_BAD_NAME] = "bad-name",
                                        [LCAP_GPU_UNSUPPORTED] = "unsupported",
                                        [LCAP_GPU_NOT_ADMITTED] = "not-admitted",
                                        [LCAP_GPU_NO_BEGIN] = "no-begin"};
    return NAME_OF(names, outcome);
}

const char *lcap_gpu_subject_name(uint32_t subject)
{
    static const char *const names[] = {0, "frame", "pass", "calibration"};
    return NAME_OF(names, subject);
}

const char *lcap_gpu_operation_name(uint32_t operation)
{
    static const char *const names[] = {0, "render", "compute", "transfer", "mixed"};
    return NAME_OF(names, operation);
}

const char *lcap_gpu_method_name(uint32_t method)
{
    static const char *const names[] = {0, "timestamps", "command-buffer"};
    return NAME_OF(names, method);
}

const char *lcap_gpu_mapping_name(uint32_t mapping)
{
    static const char *const names[] = {0,
                                        "mapped",
                                        "too-uncertain",
                                        "full-period",
                                        "clocks-apart",
                                        "wrong-domain",
                                        "read-failed",
                                        "outside"};
    return NAME_OF(names, mapping);
}
