"""Turns blocks of GPU samples into the lines of the dump."""

from capture_bytes import LAYOUT, VALUE, bytes_at, fields, require, unpack_at
from record_parts import RECORDS_HEAD, fixed_records, name_of, quote, require_head

METHODS = {1: "timestamps", 2: "command-buffer"}
OUTCOMES = {0: "eligible", 1: "valid", 2: "unavailable", 3: "disjoint", 4: "failed",
            5: "device-lost", 6: "reversed", 7: "no-end", 8: "acausal", 9: "unresolved",
            16: "busy", 17: "over-capacity", 18: "queue-full", 19: "nested", 20: "bad-name",
            21: "unsupported", 22: "not-admitted", 23: "no-begin"}
OPERATIONS = {1: "render", 2: "compute", 3: "transfer", 4: "mixed"}
SUBJECTS = {1: "frame", 2: "pass", 3: "calibration"}
MAPPINGS = {1: "mapped", 2: "too-uncertain", 3: "full-period", 4: "clocks-apart",
            5: "wrong-domain", 6: "read-failed", 7: "outside"}

QUEUE_HEAD = fields("IIIIQ")
TEXT_HEAD = fields("I")
FRAME = fields("IIIIQQqQQQ")
PASS = fields("IIIIIIIIQQqQQ")
COUNT = fields("IIIIQ")
CALIBRATION = fields("IIIIQQQqqQ")

QUEUE_TEXTS = "backend", "device", "queue", "pass_reason", "calibration_reason"
MAX_VALID_BITS = 64
VALID = 1
UNMAPPED = 0xFFFFFFFF
MAX_NS = (1 << 63) - 1


def gpu_queue_lines(payload):
    count, clock = unpack_at(RECORDS_HEAD, payload, 0)
    offset = RECORDS_HEAD.size
    queues = []
    for _ in range(count):
        head = unpack_at(QUEUE_HEAD, payload, offset)
        offset += QUEUE_HEAD.size
        texts = []
        for _ in QUEUE_TEXTS:
            (size,) = unpack_at(TEXT_HEAD, payload, offset)
            offset += TEXT_HEAD.size
            texts.append(bytes_at(payload, offset, size))
            offset += size
        queues.append((head, texts))
    require(offset == len(payload), LAYOUT)
    require_head(count, clock, False)
    for (track, _, valid_bits, reserved, _), _ in queues:
        require(track != 0 and valid_bits <= MAX_VALID_BITS and reserved == 0, VALUE)
    return [f"gpu-queue track {track} generation {generation} valid_bits {valid_bits}"
            f" period_fs {period} "
            + " ".join(f"{name} {quote(text)}" for name, text in zip(QUEUE_TEXTS, texts))
            for (track, generation, valid_bits, _, period), texts in queues]


def require_time(outcome, uncertainty, duration, begin, submit, collect):
    """The rules of section 2.21 for what was measured."""
    is_mapped = uncertainty != UNMAPPED
    require(outcome != 0 and submit <= collect and duration <= MAX_NS, VALUE)
    require(outcome == VALID or (duration == 0 and not is_mapped), VALUE)
    require(begin + duration <= MAX_NS if is_mapped else begin == 0, VALUE)


def time_of(outcome, uncertainty, duration, begin, submit, collect):
    known = uncertainty != UNMAPPED
    return (f"outcome {name_of(OUTCOMES, outcome)} duration_ns {duration}"
            f" begin_ns {begin if known else '-'} uncertainty_ns {uncertainty if known else '-'}"
            f" submit {submit} collect {collect}")


def gpu_frame_lines(payload):
    _, records = fixed_records(payload, FRAME, True)
    lines = []
    for track, method, outcome, uncertainty, number, *times, reserved in records:
        require(track != 0 and method != 0 and reserved == 0, VALUE)
        require_time(outcome, uncertainty, *times)
        lines.append(f"gpu-frame track {track} number {number} method {name_of(METHODS, method)} "
                     + time_of(outcome, uncertainty, *times))
    return lines


def gpu_pass_lines(payload):
    _, records = fixed_records(payload, PASS, True)
    lines = []
    for (track, site, ordinal, operation, logical, outcome, uncertainty, reserved, frame,
         *times) in records:
        require(track != 0 and site != 0 and operation != 0 and logical != 0, VALUE)
        require(reserved == 0, VALUE)
        require_time(outcome, uncertainty, *times)
        lines.append(f"gpu-pass track {track} site {site} frame {frame} ordinal {ordinal}"
                     f" operation {name_of(OPERATIONS, operation)} logical_passes {logical} "
                     + time_of(outcome, uncertainty, *times))
    return lines


def gpu_count_lines(payload):
    _, records = fixed_records(payload, COUNT, False)
    for track, subject, _, reserved, _ in records:
        require(track != 0 and subject != 0 and reserved == 0, VALUE)
    return [f"gpu-count track {track} subject {name_of(SUBJECTS, subject)}"
            f" outcome {name_of(OUTCOMES, outcome)} count {count}"
            for track, subject, outcome, _, count in records]


def gpu_calibration_lines(payload):
    _, records = fixed_records(payload, CALIBRATION, False)
    for track, mapping, _, reserved, *_, last in records:
        require(track != 0 and mapping != 0 and reserved == 0 and last == 0, VALUE)
    return [f"gpu-calibration track {track} frame {frame} mapping {name_of(MAPPINGS, mapping)}"
            f" uncertainty_ns {uncertainty} device {device} {device_behind}"
            f" host_ns {host} {host_behind}"
            for (track, mapping, uncertainty, _, frame, device, device_behind, host, host_behind,
                 _) in records]
