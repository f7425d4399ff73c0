"""Writes capture files for tests, right ones and, where a test overrides a field, wrong ones.

Shares nothing with the reader, so that a mistake in one is not hidden by the same one in the other."""

import struct
import zlib

CAPTURE_ID = 0x0123456789ABCDEF
TAG = 0x89ABCDEF

SESSION, CLOCK, CALIBRATIONS, STRINGS, CATEGORIES, SITES, TRACKS = range(1, 8)
EVENTS, DOMAINS, FRAMES, LOSSES, DIAGNOSTICS, END, INDEX = range(8, 15)
GPU_QUEUES, GPU_FRAMES, GPU_PASSES, GPU_COUNTS, GPU_CALIBRATIONS = range(32, 37)
SCHED, WINDOW, TRIGGERS, REPAIR, LOST = range(40, 45)

BEGIN, INSTANT, FLOW_OUT, FLOW_IN, COUNT, GAUGE, TRACK_SWITCH = range(1, 8)


def with_crc(data):
    return data + struct.pack("<I", zlib.crc32(data))


def file_header(major=1, minor=0, size=32, capture_id=CAPTURE_ID, flags=0):
    return with_crc(struct.pack("<8sHHIQI", b"\x89LCAP\r\n\x1a", major, minor, size, capture_id,
                                flags))


def block(kind, payload, sequence, version=1, flags=0, reserved=0, stored_size=None, raw_size=None,
          payload_crc=None, tag=TAG, magic=b"LBLK"):
    """One block, header and payload. Sizes and the checksum are right unless given."""
    stored_size = len(payload) if stored_size is None else stored_size
    raw_size = stored_size if raw_size is None else raw_size
    payload_crc = zlib.crc32(payload) if payload_crc is None else payload_crc
    return with_crc(struct.pack("<4sHHHHIIIQI", magic, kind, version, flags, reserved, stored_size,
                                raw_size, payload_crc, sequence, tag)) + payload


def trailer(index_offset, tag=TAG):
    return with_crc(struct.pack("<8sQI", b"LCAPEND\n", index_offset, tag))


def zstd_frame(data, content_size=None):
    """A zstd frame that stores up to 255 bytes as they are: 9 bytes more than the data."""
    content_size = len(data) if content_size is None else content_size
    last_raw_block = (len(data) << 3 | 1).to_bytes(3, "little")
    return bytes.fromhex("28b52ffd 20") + bytes([content_size]) + last_raw_block + data


def zstd_run(byte, block_sizes):
    """A zstd frame, with a 128 KiB window and no content size, of runs of one byte."""
    frame = bytes.fromhex("28b52ffd 00 38")
    for index, size in enumerate(block_sizes):
        last = index == len(block_sizes) - 1
        frame += (size << 3 | 2 | last).to_bytes(3, "little") + bytes([byte])
    return frame


def varint(number):
    groups = []
    while number > 127:
        groups.append(number % 128 + 128)
        number //= 128
    return bytes(groups + [number])


def varints(*numbers):
    return b"".join(varint(number) for number in numbers)


def signed_varint(number):
    """The varint of the zigzag of a number modulo 2^64."""
    number %= 2**64
    return varint(2 * number if number < 2**63 else 2 * (2**64 - number) - 1)


def session(start=0, clock=1, process=1, unix_ns=0, sources=1, facts=(), fact_count=None):
    fact_count = len(facts) if fact_count is None else fact_count
    payload = struct.pack("<QIIqII", start, clock, process, unix_ns, sources, fact_count)
    for key, value in facts:
        payload += struct.pack("<II", len(key), len(value)) + key + value
    return payload


def clock(number=1, source=2, per_second=3000000000, step=1, offset=0, reason=b"", reserved=0):
    return struct.pack("<IIQQQII", number, source, per_second, step, offset, len(reason),
                       reserved) + reason


def records(layout, *rows, clock=0, count=None):
    """A block of records of one size."""
    payload = struct.pack("<II", len(rows) if count is None else count, clock)
    return payload + b"".join(struct.pack("<" + layout, *row) for row in rows)


def calibrations(*rows, **head):
    return records("QqII", *rows, **head)


def categories(*rows, **head):
    return records("IIII", *rows, **head)


def sites(*rows, **head):
    return records("IIIIII", *rows, **head)


def tracks(*rows, **head):
    return records("IIQQQII", *rows, **head)


def domains(*rows, **head):
    return records("II", *rows, **head)


def frames(*rows, **head):
    return records("IIQQ", *rows, **head)


def losses(*rows, **head):
    return records("IIQQQQQQQ", *rows, **head)


def sched(*rows, **head):
    return records("IIQQQQ", *rows, **head)


def index(*rows, count=None, reserved=0, previous=0):
    payload = struct.pack("<IIQ", len(rows) if count is None else count, reserved, previous)
    return payload + b"".join(struct.pack("<QIIQQII", *row) for row in rows)


def strings(*rows, **head):
    """Rows of (string, bytes)."""
    payload = records("", *[()] * len(rows), **head)
    return payload + b"".join(struct.pack("<II", number, len(text)) + text for number, text in rows)


def diagnostics(*rows, **head):
    """Rows of (code, track, tick, count, text, reserved)."""
    payload = records("", *[()] * len(rows), **head)
    for code, track, tick, count, text, reserved in rows:
        payload += struct.pack("<IIQQII", code, track, tick, count, len(text), reserved) + text
    return payload


def window(begin=0, clock=1, reserved=0):
    return struct.pack("<QII", begin, clock, reserved)


def triggers(*rows, **head):
    """Rows of (cause, domain, tick, ordinal, duration, limit, text, reserved)."""
    payload = records("", *[()] * len(rows), **head)
    for *numbers, text, reserved in rows:
        payload += struct.pack("<IIQQQQII", *numbers, len(text), reserved) + text
    return payload


def repair(capture=0, places=0, size=0, tail=0, flags=0, reserved=0):
    return struct.pack("<QQQQII", capture, places, size, tail, flags, reserved)


def lost(*rows, **head):
    return records("IIQqq", *rows, **head)


def gpu_queues(*rows, **head):
    """Rows of (track, generation, valid_bits, reserved, period_fs) and five texts."""
    payload = records("", *[()] * len(rows), **head)
    for row in rows:
        payload += struct.pack("<IIIIQ", *row[:5])
        payload += b"".join(struct.pack("<I", len(text)) + text for text in row[5:])
    return payload


def gpu_frames(*rows, **head):
    return records("IIIIQQqQQQ", *rows, **head)


def gpu_passes(*rows, **head):
    return records("IIIIIIIIQQqQQ", *rows, **head)


def gpu_counts(*rows, **head):
    return records("IIIIQ", *rows, **head)


def gpu_calibrations(*rows, **head):
    return records("IIIIQQQqqQ", *rows, **head)


def end(tick=0, clock=1, reason=1, counts=(0,) * 10):
    return struct.pack("<QIIQQQQQQQQQQ", tick, clock, reason, *counts)


def token(steps):
    """(token, number of bits, bits) of a difference of times."""
    if steps < 64:
        return steps, 0, 0
    bit_count = steps.bit_length() - 4
    if bit_count > 25:
        return 255, 64, steps
    return 64 + 8 * (bit_count - 3) + (steps >> bit_count) - 8, bit_count, steps % 2**bit_count


class EventsPayload:
    """An events block in the making: a test fills it, may then spoil `head` and `columns`.

    symbols: rows of (kind, site, group, end group; the last only for BEGIN). segments: rows of
    (track, before, start, open scopes, events); an open scope is (symbol, begin, children), an
    event (step, symbol) or (step, symbol, value); symbols are numbered from 1, 0 is End."""

    HEAD_FIELDS = ("clock", "event_count", "segment_count", "open_count", "symbol_count",
                   "group_count", "first_event", "base_step", "last_step", "kinds", "reserved")

    def __init__(self, symbols, segments, clock=1, group_count=1, first_event=0):
        self._symbols = symbols
        self._segments = segments
        events = [event for segment in segments for event in segment[4]]
        starts = [segment[2] for segment in segments]
        kinds = {symbols[event[1] - 1][0] if event[1] else 0 for event in events}
        self.head = dict(
            clock=clock, event_count=len(events), segment_count=len(segments),
            open_count=sum(len(segment[3]) for segment in segments), symbol_count=len(symbols),
            group_count=group_count, first_event=first_event, base_step=min(starts),
            last_step=max(starts + [event[0] for event in events]),
            kinds=sum(2**kind for kind in kinds), reserved=0)
        self.columns = [self._segment_column(), self._open_column(),
                        b"".join(varints(*row) for row in symbols), self._symbol_column(events)]
        self.columns += [self._integer_column(events), self._gauge_column(events)]
        self.columns += self._time_columns()
        self.stored = {}

    def _segment_column(self):
        base = min(segment[2] for segment in self._segments)
        return b"".join(varints(track, before, len(events), len(scopes), start - base)
                        for track, before, start, scopes, events in self._segments)

    def _open_column(self):
        return b"".join(varints(symbol, start - begin, children)
                        for _, _, start, scopes, _ in self._segments
                        for symbol, begin, children in scopes)

    def _symbol_column(self, events):
        numbers = [event[1] for event in events]
        if len(self._symbols) <= 255:
            return bytes(numbers)
        return bytes(number % 256 for number in numbers) + bytes(number // 256 for number in numbers)

    def _integer_column(self, events):
        column = b""
        last = {}
        for event in events:
            kind = self._symbols[event[1] - 1][0] if event[1] else 0
            if kind in (FLOW_OUT, FLOW_IN, COUNT, TRACK_SWITCH):
                column += signed_varint(event[2] - last.get(kind, 0))
                last[kind] = event[2]
        return column

    def _gauge_column(self, events):
        return b"".join(struct.pack("<d", event[2]) for event in events
                        if event[1] and self._symbols[event[1] - 1][0] == GAUGE)

    def _time_columns(self):
        tokens = [bytearray() for _ in range(self.head["group_count"])]
        bits, bit_total = 0, 0
        for _, _, start, scopes, events in self._segments:
            stack = [scope[0] for scope in scopes]
            before = start
            for index, (step, symbol, *_) in enumerate(events):
                group = self._symbols[symbol - 1][2] if symbol else self._symbols[stack.pop() - 1][3]
                if symbol and self._symbols[symbol - 1][0] == BEGIN:
                    stack.append(symbol)
                if index > 0:
                    number, bit_count, rest = token(step - before)
                    tokens[group].append(number)
                    bits |= rest << bit_total
                    bit_total += bit_count
                before = step
        return [bytes(column) for column in tokens] + [bits.to_bytes((bit_total + 7) // 8, "little")]

    def store(self, column, stored, raw_size=None):
        """Puts these bytes into the file for a column, with its own raw size unless given."""
        raw_size = len(self.columns[column]) if raw_size is None else raw_size
        self.stored[column] = (raw_size, stored)

    def payload(self):
        data = struct.pack("<IIIIIIQQQII", *(self.head[name] for name in self.HEAD_FIELDS))
        for number, column in enumerate(self.columns):
            raw_size, stored = self.stored.get(number, (len(column), column))
            data += struct.pack("<II", raw_size, len(stored)) + stored
        return data


def capture(*blocks, finished=True):
    """A capture of (kind, payload) or (kind, payload, fields of the block header)."""
    data = file_header()
    offset = 32
    for sequence, (kind, payload, *fields) in enumerate(blocks):
        offset = len(data)
        data += block(kind, payload, **{"sequence": sequence, **(fields[0] if fields else {})})
    return data + trailer(offset) if finished else data
