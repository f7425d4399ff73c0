"""Turns the payload of each kind of block into the lines of the dump.

A payload is judged by the ranges and relations that the page states of fields within one block, first
those of layout, then those of values; its definitions count only when it keeps all of them. The one
rule that looks at other blocks is that the clock of events must be defined."""

from capture_bytes import LAYOUT, VALUE, bytes_at, fields, require, unpack_at
from gpu_lines import (gpu_calibration_lines, gpu_count_lines, gpu_frame_lines, gpu_pass_lines,
                       gpu_queue_lines)
from event_lines import event_block_lines
from record_parts import fixed_records, name_of, quote, sized_records

SESSION, CLOCK, CALIBRATIONS, STRINGS, CATEGORIES, SITES, TRACKS = 1, 2, 3, 4, 5, 6, 7
EVENTS, DOMAINS, FRAMES, LOSSES, DIAGNOSTICS, END, INDEX = 8, 9, 10, 11, 12, 13, 14
GPU_QUEUES, GPU_FRAMES, GPU_PASSES, GPU_COUNTS, GPU_CALIBRATIONS = 32, 33, 34, 35, 36
SCHED, WINDOW, TRIGGERS, REPAIR, LOST = 40, 41, 42, 43, 44

BLOCK_NAMES = {
    SESSION: "session", CLOCK: "clock", CALIBRATIONS: "calibrations", STRINGS: "strings",
    CATEGORIES: "categories", SITES: "sites", TRACKS: "tracks", EVENTS: "events",
    DOMAINS: "domains", FRAMES: "frames", LOSSES: "losses", DIAGNOSTICS: "diagnostics",
    END: "end", INDEX: "index", SCHED: "sched", WINDOW: "window", TRIGGERS: "triggers",
    REPAIR: "repair", LOST: "lost", GPU_QUEUES: "gpu-queues", GPU_FRAMES: "gpu-frames",
    GPU_PASSES: "gpu-passes", GPU_COUNTS: "gpu-counts", GPU_CALIBRATIONS: "gpu-calibrations",
}
CLOCK_SOURCES = {1: "monotonic", 2: "tsc", 3: "generic-timer"}
TRACK_KINDS = {1: "thread", 2: "fiber", 3: "gpu-queue"}
LOSS_CAUSES = {1: "buffers-full", 2: "too-many-threads", 3: "too-deep", 4: "write-failed",
               5: "frame-marks-full"}
DIAGNOSTIC_CODES = {1: "wrong-thread", 2: "clock-stepped-back", 3: "sites-full",
                    4: "identity-collision", 5: "names-cut", 6: "late-events", 7: "left-open",
                    8: "category-switched", 9: "counts-lost",
                    10: "clock-refused", 11: "clock-jumped", 12: "fiber-misused",
                    13: "counts-late", 14: "source-absent",
                    15: "gpu-queues-full"}
END_REASONS = {1: "stopped", 2: "write-failed", 3: "window-over"}
TRIGGER_CAUSES = {1: "frame", 2: "call"}

MONOTONIC = 1
MONOTONIC_TICKS_PER_SECOND = 1000000000
SOURCES_MASK = 3
CATEGORY_FLAGS_MASK = 1
REPAIR_FLAGS_MASK = 1
COLOUR_NONE = 0xFFFFFFFF
COLOUR_MAX = 0x00FFFFFF

SESSION_HEAD = fields("QIIqII")
FACT_HEAD = fields("II")
CLOCK_HEAD = fields("IIQQQII")
CALIBRATION = fields("QqII")
STRING_HEAD = fields("II")
CATEGORY = fields("IIII")
SITE = fields("IIIIII")
TRACK = fields("IIQQQII")
DOMAIN = fields("II")
FRAME = fields("IIQQ")
LOSS = fields("IIQQQQQQQ")
SCHED_SAMPLE = fields("IIQQQQ")
WINDOW_PAYLOAD = fields("QII")
DIAGNOSTIC_HEAD = fields("IIQQII")
TRIGGER_HEAD = fields("IIQQQQII")
REPAIR_PAYLOAD = fields("QQQQII")
LOST_EVENTS = fields("IIQqq")
END_PAYLOAD = fields("QIIQQQQQQQQQQ")
INDEX_HEAD = fields("IIQ")
INDEX_ENTRY = fields("QIIQQII")

FNV_OFFSET_BASIS = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3


def fnv1a(raw):
    """The 64-bit FNV-1a hash."""
    number = FNV_OFFSET_BASIS
    for byte in raw:
        number = ((number ^ byte) * FNV_PRIME) & 0xFFFFFFFFFFFFFFFF
    return number


def counts_of(counts):
    words = "scopes", "instants", "frames", "flows", "gauges"
    return " ".join(f"{word} {count}" for word, count in zip(words, counts))


class PayloadDecoder:
    """Decodes payloads in file order and keeps what later ones refer to: clocks and strings."""

    def __init__(self):
        self._clocks = {}
        self._strings = {0: None}
        self._lines_of_kind = {
            SESSION: self._session, CLOCK: self._clock, CALIBRATIONS: self._calibrations,
            STRINGS: self._define_strings, CATEGORIES: self._categories, SITES: self._sites,
            TRACKS: self._tracks, DOMAINS: self._domains, FRAMES: self._frames,
            LOSSES: self._losses, DIAGNOSTICS: self._diagnostics, END: self._end,
            INDEX: self._index, SCHED: self._sched, WINDOW: self._window,
            TRIGGERS: self._triggers, REPAIR: self._repair, LOST: self._lost,
            GPU_QUEUES: gpu_queue_lines, GPU_FRAMES: gpu_frame_lines, GPU_PASSES: gpu_pass_lines,
            GPU_COUNTS: gpu_count_lines, GPU_CALIBRATIONS: gpu_calibration_lines,
        }

    def lines(self, header, payload):
        """The lines of one block's records. Raises PayloadFault, and then defines nothing."""
        if header.kind == EVENTS:
            return event_block_lines(payload, header.compressed, self._clocks)
        return self._lines_of_kind[header.kind](payload)

    def _string(self, number):
        if number == 0:
            return "-"
        return quote(self._strings[number]) if number in self._strings else "?"

    def _session(self, payload):
        start, clock, process, unix_ns, sources, fact_count = unpack_at(SESSION_HEAD, payload, 0)
        facts = []
        offset = SESSION_HEAD.size
        for _ in range(fact_count):
            key_size, value_size = unpack_at(FACT_HEAD, payload, offset)
            offset += FACT_HEAD.size
            key = bytes_at(payload, offset, key_size)
            offset += key_size
            facts.append((key, bytes_at(payload, offset, value_size)))
            offset += value_size
        require(offset == len(payload), LAYOUT)
        require(clock != 0 and sources & ~SOURCES_MASK == 0, VALUE)
        lines = [f"session start {start} clock {clock} process {process}"
                 f" unix_ns {unix_ns} sources {sources}"]
        return lines + [f"fact {quote(key)} {quote(value)}" for key, value in facts]

    def _clock(self, payload):
        head = unpack_at(CLOCK_HEAD, payload, 0)
        clock, source, per_second, step, offset, reason_size, reserved = head
        reason = bytes_at(payload, CLOCK_HEAD.size, reason_size)
        require(CLOCK_HEAD.size + reason_size == len(payload), LAYOUT)
        require(clock != 0 and per_second != 0 and offset < step and reserved == 0, VALUE)
        require(source in CLOCK_SOURCES, VALUE)
        require(source != MONOTONIC or per_second == MONOTONIC_TICKS_PER_SECOND, VALUE)
        self._clocks.setdefault(clock, (step, offset))
        return [f"clock {clock} source {name_of(CLOCK_SOURCES, source)}"
                f" ticks_per_second {per_second} step {step} offset {offset}"
                f" reason {quote(reason)}"]

    def _calibrations(self, payload):
        clock, records = fixed_records(payload, CALIBRATION, True)
        require(all(record[3] == 0 for record in records), VALUE)
        for before, after in zip(records, records[1:]):
            require(before[0] < after[0] and before[1] < after[1], VALUE)
        return [f"calibration clock {clock} tick {tick} ns {ns} uncertainty_ns {uncertainty}"
                for tick, ns, uncertainty, _ in records]

    def _define_strings(self, payload):
        _, records = sized_records(payload, STRING_HEAD, 1, False)
        pairs = [(number, text) for (number, _), text in records]
        require(all(number != 0 for number, _ in pairs), VALUE)
        for number, text in pairs:
            self._strings.setdefault(number, text)
        return [f"string {number} {quote(text)}" for number, text in pairs]

    def _categories(self, payload):
        _, records = fixed_records(payload, CATEGORY, False)
        for number, name, colour, flags in records:
            require(number != 0 and name != 0 and flags & ~CATEGORY_FLAGS_MASK == 0, VALUE)
            require(colour <= COLOUR_MAX or colour == COLOUR_NONE, VALUE)
        return [f"category {number} name {self._string(name)} colour "
                + ("-" if colour == COLOUR_NONE else f"#{colour:06x}") + f" flags {flags}"
                for number, name, colour, flags in records]

    def _sites(self, payload):
        _, records = fixed_records(payload, SITE, False)
        require(all(record[0] != 0 and record[1] != 0 for record in records), VALUE)
        return [f"site {site} name {self._string(name)} file {self._string(file)}"
                f" function {self._string(function)} line {line} category {category}"
                f" identity {self._identity(name, file, line)}"
                for site, name, file, function, line, category in records]

    def _identity(self, name, file, line):
        if name not in self._strings or file not in self._strings:
            return "?"
        parts = (self._strings[name], b"\0", self._strings[file] or b"", b"\0",
                 line.to_bytes(4, "little"))
        return f"{fnv1a(b''.join(parts)):016x}"

    def _tracks(self, payload):
        _, records = fixed_records(payload, TRACK, True)
        for track, kind, _, _, _, _, reserved in records:
            require(track != 0 and kind in TRACK_KINDS and reserved == 0, VALUE)
        return [f"track {track} kind {name_of(TRACK_KINDS, kind)} os_id {os_id} begin {begin}"
                f" end {end} name {self._string(name)}"
                for track, kind, os_id, begin, end, name, _ in records]

    def _domains(self, payload):
        _, records = fixed_records(payload, DOMAIN, False)
        require(all(domain != 0 and name != 0 for domain, name in records), VALUE)
        return [f"domain {domain} name {self._string(name)}" for domain, name in records]

    def _frames(self, payload):
        _, records = fixed_records(payload, FRAME, True)
        require(all(record[0] != 0 for record in records), VALUE)
        return [f"frame domain {domain} track {track} ordinal {ordinal} tick {tick}"
                for domain, track, ordinal, tick in records]

    def _losses(self, payload):
        _, records = fixed_records(payload, LOSS, True)
        require(all(record[1] != 0 and record[7] <= record[8] for record in records), VALUE)
        return [f"loss track {track} cause {name_of(LOSS_CAUSES, cause)} {counts_of(counts)}"
                f" from {first} to {last}"
                for track, cause, *counts, first, last in records]

    def _diagnostics(self, payload):
        _, records = sized_records(payload, DIAGNOSTIC_HEAD, 4, True)
        require(all(record[0] != 0 and record[5] == 0 for record, _ in records), VALUE)
        return [f"diagnostic {name_of(DIAGNOSTIC_CODES, code)} track {track} tick {tick}"
                f" count {count} text {quote(text)}"
                for (code, track, tick, count, _, _), text in records]

    def _sched(self, payload):
        _, records = fixed_records(payload, SCHED_SAMPLE, True)
        for track, processors, begin, end, _, _ in records:
            require(begin < end and processors != 0 and (track == 0 or processors == 1), VALUE)
        return [f"sched track {track} processors {processors} from {begin} to {end}"
                f" run_ns {run} wait_ns {wait}"
                for track, processors, begin, end, run, wait in records]

    def _window(self, payload):
        begin, clock, reserved = unpack_at(WINDOW_PAYLOAD, payload, 0)
        require(len(payload) == WINDOW_PAYLOAD.size, LAYOUT)
        require(clock != 0 and reserved == 0, VALUE)
        return [f"window from {begin} clock {clock}"]

    def _triggers(self, payload):
        _, records = sized_records(payload, TRIGGER_HEAD, 6, True)
        require(all(record[0] != 0 and record[7] == 0 for record, _ in records), VALUE)
        return [f"trigger {name_of(TRIGGER_CAUSES, cause)} tick {tick} domain {domain}"
                f" frame {ordinal} duration {duration} limit {limit} text {quote(text)}"
                for (cause, domain, tick, ordinal, duration, limit, _, _), text in records]

    def _repair(self, payload):
        capture, places, size, tail, flags, reserved = unpack_at(REPAIR_PAYLOAD, payload, 0)
        require(len(payload) == REPAIR_PAYLOAD.size, LAYOUT)
        require(flags & ~REPAIR_FLAGS_MASK == 0 and reserved == 0, VALUE)
        return [f"repair of {capture:016x} places {places} bytes {size} tail {tail} flags {flags}"]

    def _lost(self, payload):
        _, records = fixed_records(payload, LOST_EVENTS, False)
        require(all(record[1] == 0 and record[3] <= record[4] for record in records), VALUE)
        return [f"lost track {track} events {events} from_ns {begin} to_ns {end}"
                for track, _, events, begin, end in records]

    def _end(self, payload):
        tick, clock, reason, *counts = unpack_at(END_PAYLOAD, payload, 0)
        require(len(payload) == END_PAYLOAD.size, LAYOUT)
        require(clock != 0 and reason in END_REASONS, VALUE)
        return [f"end {name_of(END_REASONS, reason)} tick {tick} clock {clock}"
                f" {counts_of(counts[:5])} dropped {counts_of(counts[5:])}"]

    def _index(self, payload):
        count, reserved, previous = unpack_at(INDEX_HEAD, payload, 0)
        require(len(payload) == INDEX_HEAD.size + count * INDEX_ENTRY.size, LAYOUT)
        entries = list(INDEX_ENTRY.iter_unpack(payload[INDEX_HEAD.size :]))
        require(reserved == 0 and all(entry[6] == 0 for entry in entries), VALUE)
        return [f"index previous {previous}"] + [
            f"entry offset {offset} kind {name_of(BLOCK_NAMES, kind)} events {events}"
            f" from {first} to {last} clock {clock}"
            for offset, kind, events, first, last, clock, _ in entries]
