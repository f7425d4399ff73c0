#!/usr/bin/python3
"""Tests the second reader on payloads that break a rule under headers and checksums that are right."""

import time
import tracemalloc
import unittest

import zstandard

import capture_writer as w
from test_lcap_dump import EVENT_SEGMENTS, EVENT_SYMBOLS, EVENTS_BY_HAND, FULL_BLOCKS, dump_of

STRING = w.strings((1, b"s"))
CLOCK_BLOCK = (w.CLOCK, w.clock())


def reason_of(kind, payload, **fields):
    """The reason for which a block behind that of clock 1 is damaged, or None."""
    _, lines = dump_of(w.capture(CLOCK_BLOCK, (kind, payload, fields)))
    damage = [line for line in lines if line.startswith("damage")]
    offset = 32 + 40 + len(CLOCK_BLOCK[1])
    if not damage:
        return None
    start = f"damage offset {offset} size {40 + len(payload)} reason "
    assert damage[0].startswith(start) and len(damage) == 1, damage
    return damage[0][len(start):]


class PayloadDamage(unittest.TestCase):
    def check(self, reason, kind, *payloads, **fields):
        for payload in payloads:
            with self.subTest(kind=kind, payload=payload):
                self.assertEqual(reason_of(kind, payload, **fields), reason)

    def test_checksum_comes_first_and_also_for_unknown_kinds(self):
        self.check("payload-checksum", w.STRINGS, b"", STRING, payload_crc=1)
        self.check("payload-checksum", 99, STRING, payload_crc=1)

    def test_compression(self):
        frame = w.zstd_frame(STRING)
        broken = (
            b"", b"LZ4?", frame[:-1], frame + b"\0", frame + frame, w.zstd_frame(STRING, 18),
            w.zstd_frame(STRING[:16]), w.zstd_frame(STRING + b"s"),
            bytes.fromhex("502a4d18 00000000"), bytes.fromhex("502a4d18 00000000") + frame)
        self.check("payload-compression", w.STRINGS, *broken, flags=1, raw_size=17)
        self.check(None, w.STRINGS, frame, flags=1, raw_size=17)

    def test_windows_of_frames(self):
        for window, reason in ((0x88, None), (0x89, "payload-compression")):  # 128 MiB, 144 MiB
            frame = bytes.fromhex("28b52ffd 00") + bytes([window])
            frame += (len(STRING) << 3 | 1).to_bytes(3, "little") + STRING
            self.check(reason, w.STRINGS, frame, flags=1, raw_size=17)

    def test_bomb_stops_at_the_size_announced(self):
        bomb = w.zstd_run(0, [131072] * 30000)
        tracemalloc.start()
        begin = time.monotonic()
        self.check("payload-compression", w.STRINGS, bomb, flags=1, raw_size=4194304)
        self.assertLess(tracemalloc.get_traced_memory()[1], 32 << 20)
        self.assertLess(time.monotonic() - begin, 2)
        tracemalloc.stop()

    def test_every_cut_and_every_byte_too_many_is_a_fault_of_layout(self):
        for kind, payload, *fields in FULL_BLOCKS:
            if kind == 99 or fields or kind == w.EVENTS:
                continue
            self.check("payload-layout", kind, *(payload[:size] for size in range(len(payload))),
                       payload + b"\0")
        self.check("payload-layout", w.STRINGS, *(STRING[:size] for size in range(len(STRING))))

    def test_frame_that_is_cut_behind_its_last_byte_of_content(self):
        frame = zstandard.ZstdCompressor(write_checksum=True).compress(STRING)
        for cut in range(1, 5):
            self.check("payload-compression", w.STRINGS, frame[:-cut], flags=1, raw_size=17)
        self.check(None, w.STRINGS, frame, flags=1, raw_size=17)

    def test_layout_is_looked_at_before_values(self):
        self.check("payload-layout", w.STRINGS, w.strings((0, b"s"), count=2))
        self.check("payload-layout", w.STRINGS, w.strings((0, b"s")) + b"\0")
        self.check("payload-layout", w.STRINGS, w.strings(count=4294967295))
        self.check("payload-layout", w.DOMAINS, w.domains(count=4294967295))
        self.check("payload-layout", w.SESSION, w.session(sources=4, fact_count=4294967295))

    def test_values_of_session_and_clock(self):
        self.check("payload-value", w.SESSION, w.session(clock=0), w.session(sources=4))
        self.check(None, w.CLOCK, w.clock(source=1, per_second=1000000000))
        self.check("payload-value", w.CLOCK, w.clock(0), w.clock(per_second=0), w.clock(step=0),
                   w.clock(step=5, offset=5), w.clock(reserved=1),
                   w.clock(source=1, per_second=999999999), w.clock(source=0), w.clock(source=4))

    def test_values_of_records(self):
        self.check("payload-value", w.CALIBRATIONS, w.calibrations((1, 1, 0, 1), clock=1),
                   w.calibrations((1, 1, 0, 0), (1, 2, 0, 0), clock=1),
                   w.calibrations((1, 1, 0, 0), (2, 1, 0, 0), clock=1))
        self.check("payload-value", w.STRINGS, w.strings((0, b"")))
        self.check("payload-value", w.CATEGORIES, w.categories((0, 1, 0, 0)),
                   w.categories((1, 0, 0, 0)), w.categories((1, 1, 0x01000000, 0)),
                   w.categories((1, 1, 0xFFFFFFFE, 0)), w.categories((1, 1, 0, 2)))
        self.check("payload-value", w.SITES, w.sites((0, 1, 0, 0, 0, 0)),
                   w.sites((1, 0, 0, 0, 0, 0)))
        self.check("payload-value", w.TRACKS, w.tracks((0, 1, 0, 0, 0, 0, 0), clock=1),
                   w.tracks((1, 1, 0, 0, 0, 0, 1), clock=1),
                   w.tracks((1, 0, 0, 0, 0, 0, 0), clock=1),
                   w.tracks((1, 4, 0, 0, 0, 0, 0), clock=1))
        self.check("payload-value", w.DOMAINS, w.domains((0, 1)), w.domains((1, 0)))
        self.check("payload-value", w.FRAMES, w.frames((0, 0, 0, 0), clock=1))
        self.check("payload-value", w.LOSSES, w.losses((0, 1, 0, 0, 0, 0, 0, 2, 1), clock=1),
                   w.losses((0, 0, 0, 0, 0, 0, 0, 1, 1), clock=1))
        self.check("payload-value", w.DIAGNOSTICS, w.diagnostics((1, 0, 0, 0, b"", 1), clock=1),
                   w.diagnostics((0, 0, 0, 0, b"", 0), clock=1))
        self.check("payload-value", w.SCHED, w.sched((1, 1, 5, 5, 0, 0), clock=1),
                   w.sched((1, 1, 5, 4, 0, 0), clock=1), w.sched((1, 0, 4, 5, 0, 0), clock=1),
                   w.sched((1, 2, 4, 5, 0, 0), clock=1), w.sched((0, 0, 4, 5, 0, 0), clock=1))
        self.check(None, w.SCHED, w.sched((0, 2, 4, 5, 9, 9), clock=1))
        self.check("payload-value", w.WINDOW, w.window(clock=0), w.window(reserved=1))
        self.check("payload-value", w.TRIGGERS,
                   w.triggers((0, 0, 0, 0, 0, 0, b"", 0), clock=1),
                   w.triggers((2, 0, 0, 0, 0, 0, b"", 1), clock=1))
        # What a cause has no use for is not looked at.
        self.check(None, w.TRIGGERS, w.triggers((2, 1, 2, 3, 4, 5, b"", 0), clock=1),
                   w.triggers((1, 0, 2, 0, 4, 5, b"text", 0), clock=1))
        self.check("payload-value", w.REPAIR, w.repair(flags=2), w.repair(reserved=1))
        self.check(None, w.REPAIR, w.repair(), w.repair(2**64 - 1, 1, 2, 3, 1))
        self.check("payload-value", w.LOST, w.lost((0, 1, 0, 0, 0)), w.lost((0, 0, 0, 1, 0)),
                   w.lost((1, 0, 7, -5, -6)))
        self.check(None, w.LOST, w.lost((0, 0, 0, -2**63, 2**63 - 1)))
        self.check("payload-value", w.END, w.end(clock=0), w.end(reason=0), w.end(reason=4))
        self.check(None, w.END, w.end(reason=3))
        self.check("payload-value", w.INDEX, w.index((32, 1, 0, 0, 0, 0, 1)), w.index(reserved=1))
        self.check(None, w.INDEX, w.index())

    def test_values_of_the_head_of_records(self):
        for kind, with_ticks in ((w.STRINGS, False), (w.CATEGORIES, False), (w.SITES, False),
                                 (w.DOMAINS, False), (w.CALIBRATIONS, True),
                                 (w.TRACKS, True), (w.FRAMES, True), (w.LOSSES, True),
                                 (w.DIAGNOSTICS, True), (w.SCHED, True), (w.TRIGGERS, True)):
            right = next(block[1] for block in FULL_BLOCKS if block[0] == kind)
            if kind == w.STRINGS:
                right = STRING
            wrong_clock = right[:4] + bytes([0 if with_ticks else 1]) + right[5:]
            self.check("payload-value", kind, bytes(4) + right[4:8], wrong_clock)

    def test_a_damaged_block_defines_nothing(self):
        _, lines = dump_of(w.capture(
            (w.STRINGS, w.strings((1, b"lost"), (0, b""))), (w.DOMAINS, w.domains((7, 1)))))
        self.assertIn("domain 7 name ?", lines)


class EventsDamage(unittest.TestCase):
    def made(self):
        return w.EventsPayload(EVENT_SYMBOLS, EVENT_SEGMENTS, group_count=2)

    def check(self, reason, spoil):
        made = self.made()
        spoil(made)
        self.assertEqual(reason_of(w.EVENTS, made.payload()), reason)

    def check_heads(self, reason, **heads):
        for field, numbers in heads.items():
            for number in numbers:
                with self.subTest(field=field, number=number):
                    self.check(reason, lambda made: made.head.update({field: number}))

    def check_columns(self, reason, *spoiled):
        for number, column in spoiled:
            with self.subTest(number=number, column=column):
                self.check(reason, lambda made: made.columns.__setitem__(number, column))

    def test_what_the_others_spoil_is_right(self):
        self.check(None, lambda made: None)

    def test_every_cut_and_every_byte_too_many(self):
        for size in range(len(EVENTS_BY_HAND)):
            self.assertEqual(reason_of(w.EVENTS, EVENTS_BY_HAND[:size]), "payload-layout")
        self.assertEqual(reason_of(w.EVENTS, EVENTS_BY_HAND + b"\0"), "payload-layout")

    def test_head(self):
        self.check_heads("payload-value", clock=(0, 2), event_count=(11, 13, 65537),
                         open_count=(2, 4, 65537), base_step=(9, 11), last_step=(124, 126),
                         kinds=(0xFE, 0x1FF), reserved=(1,))
        self.check_heads("payload-value", segment_count=(0, 65537), symbol_count=(65536,))
        # Columns come before numbers: with fewer or more groups, bytes are left over or missing.
        self.check_heads("payload-layout", group_count=(0, 1, 3, 33, 4294967295),
                         segment_count=(2, 4), symbol_count=(6, 8))

    def test_block_that_is_compressed_as_a_whole(self):
        made = w.EventsPayload([(w.INSTANT, 1, 0)], [(1, 0, 0, [], [(0, 1)])]).payload()
        self.assertEqual(reason_of(w.EVENTS, w.zstd_frame(made), flags=1, raw_size=len(made)),
                         "payload-value")

    def test_more_groups_than_allowed(self):
        made = w.EventsPayload([(w.INSTANT, 1, 0)], [(1, 0, 0, [], [(0, 1)])], group_count=33)
        self.assertEqual(reason_of(w.EVENTS, made.payload()), "payload-value")

    def test_sizes_of_columns(self):
        self.check("payload-value", lambda made: made.store(3, bytes(13)))
        self.check("payload-value", lambda made: made.store(3, bytes(1), 4194305))

        def sum_too_large(made):
            made.store(0, bytes(1), 4194304)
            made.store(1, bytes(1), 4194304)
            made.store(2, bytes(1), 2)
        self.check("payload-value", sum_too_large)

    def test_compression_of_a_column(self):
        for column in range(9):
            self.check("payload-compression", lambda made: made.store(column, b"?", 100))
        frame = w.zstd_run(0, [100])
        self.check("payload-compression", lambda made: made.store(3, frame, 99))
        self.check("payload-compression", lambda made: made.store(3, frame, 101))
        self.check("payload-compression", lambda made: made.store(3, frame + b"\0", 100))

    def test_a_column_may_have_4_mebibytes(self):
        frame = w.zstd_run(0, [131072] * 32)
        self.check("payload-layout", lambda made: made.store(3, frame, 4194304))

    def test_columns_that_are_too_short_or_too_long(self):
        for number in range(9):
            column = self.made().columns[number]
            self.check_columns("payload-layout", (number, column[:-1]), (number, column + b"\0"))

    def test_segments(self):
        rest = bytes.fromhex("0805 0202 02 0900 0001 0a")
        self.check_columns(
            "payload-value", (0, bytes.fromhex("0000 0a00 00") + rest),  # track 0
            (0, bytes.fromhex("8080808010 00 0a00 00") + rest),  # track 2^32
            (0, bytes.fromhex("0700 0900 00") + rest),  # an event too few
            (0, bytes.fromhex("0700 0a01 00") + rest),  # an open scope too many
            (0, bytes.fromhex("0700 0a00 01") + rest),  # no start at base_step
            (0, bytes.fromhex("0700 0c00 00 0805 0003 02 0900 0000 0a")),  # an empty segment
            (0, bytes.fromhex("07 80808080808080808002 0a00 00") + rest),  # 2^64
            (0, bytes.fromhex("07 8080808080808080808000 0a00 00") + rest))  # eleven bytes
        # The longest way of writing 0, and 2^64 - 1.
        self.check_columns(None, (0, bytes.fromhex("07 80808080808080808000 0a00 00") + rest),
                           (0, bytes.fromhex("07 ffffffffffffffffff01 0a00 00") + rest))

    def test_empty_segment_and_base_step_that_no_segment_starts_at(self):
        symbols = [(w.INSTANT, 1, 0)]
        made = w.EventsPayload(symbols, [(1, 0, 5, [], [(5, 1)]), (2, 0, 5, [], [])])
        self.assertEqual(reason_of(w.EVENTS, made.payload()), "payload-value")
        made = w.EventsPayload(symbols, [(1, 0, 5, [], [(5, 1)])])
        made.head["base_step"] = 4
        made.columns[0] = bytes.fromhex("0100010001")
        self.assertEqual(reason_of(w.EVENTS, made.payload()), "payload-value")

    def test_open_scopes(self):
        rest = bytes.fromhex("010100 010000")
        self.check_columns(
            "payload-value", (1, bytes.fromhex("000a04") + rest), (1, bytes.fromhex("080a04") + rest),
            (1, bytes.fromhex("020a04") + rest),  # of an instant
            (1, bytes.fromhex("010d04") + rest),  # 13 steps before step 12
            (1, bytes.fromhex("010a0b") + rest),  # children that are longer than the scope
            (1, bytes.fromhex("010a04 010b00 010000")))  # begun before the scope around it

    def test_symbols(self):
        rest = bytes.fromhex("020200 030001 040101 050100 060200 070000")
        self.check_columns(
            "payload-value", (2, bytes.fromhex("00010001") + rest),
            (2, bytes.fromhex("08010001") + rest), (2, bytes.fromhex("01000001") + rest),
            (2, bytes.fromhex("01010201") + rest), (2, bytes.fromhex("01010002") + rest),
            (2, bytes.fromhex("01 8080808010 0001") + rest),
            (2, bytes.fromhex("01010001 020000 030001 040101 050100 060200 070000")),
            (2, bytes.fromhex("01010001 020200 030001 040101 050000 060200 070000")),
            (2, bytes.fromhex("01010001 020200 030001 040101 050100 060000 070000")),
            (2, bytes.fromhex("01010001 020200 030001 040101 050100 060200 070100")))

    def test_symbols_that_no_event_uses(self):
        for symbol, reason in (((w.INSTANT, 2**32 - 1, 0), None), ((w.INSTANT, 2**32, 0),
                               "payload-value"), ((8, 1, 0), "payload-value"),
                               ((0, 1, 0), "payload-value")):
            made = w.EventsPayload([(w.INSTANT, 1, 0), symbol], [(1, 0, 5, [], [(5, 1)])])
            self.assertEqual(reason_of(w.EVENTS, made.payload()), reason)

    def test_events(self):
        self.check_columns(
            "payload-value", (3, bytes.fromhex("08020304050506070700 0003")),
            (3, bytes.fromhex("00020304050506070701 0003")))  # an End without an open scope

    def test_times(self):
        self.check_columns(
            "payload-value", (6, bytes.fromhex("f8 01 01 02 01 02")),
            (6, bytes.fromhex("fe 01 01 02 01 02")), (6, bytes.fromhex("06 01 01 02 01 02")),
            (8, b"\x05"), (8, b"\x0c"))
        self.check_columns("payload-layout", (6, bytes.fromhex("40 01 01 02 01 02 01")),
                           (6, bytes.fromhex("ff 01 01 02 01 02")))

    def test_steps_and_ticks_beyond_64_bits(self):
        # The second event is at step 2 + 2^64 - 1; in 64 bits that would be 1.
        made = w.EventsPayload([(w.INSTANT, 1, 0)], [(1, 0, 2, [], [(2, 1), (2, 1)])])
        made.columns[6:] = [b"\xff", b"\xff" * 8]
        self.assertEqual(reason_of(w.EVENTS, made.payload()), "payload-value")
        made = w.EventsPayload([(w.BEGIN, 1, 0, 0)], [(1, 0, 2**63, [(1, 2**63, 0)], [])])
        data = w.capture((w.CLOCK, w.clock(step=2)), (w.EVENTS, made.payload()))
        self.assertTrue(dump_of(data)[1][3].endswith("payload-value"))

    def test_zero_byte_behind_bits_that_end_with_a_byte(self):
        made = w.EventsPayload([(w.INSTANT, 1, 0)], [(1, 0, 0, [], [(0, 1), (1, 1)])])
        made.columns[6:] = [b"\xff", b"\1" + bytes(8)]
        self.assertEqual(reason_of(w.EVENTS, made.payload()), "payload-layout")

    def test_counts_at_and_above_their_limits(self):
        begin, instant = (w.BEGIN, 1, 0, 0), (w.INSTANT, 1, 0)
        scope = (1, 0, 0)
        for symbols, segments, reason in (
                ([begin], [(1, 0, 0, [scope] * 65536, [])], None),
                ([begin], [(1, 0, 0, [scope] * 65535, [(0, 1)] * 2)], "payload-value"),
                ([begin], [(1, 0, 0, [scope] * 65536, []), (2, 0, 0, [scope], [])],
                 "payload-value"),
                ([instant], [(1, 0, 0, [], [(0, 1)] * 65537)], "payload-value"),
                ([instant] * 65535, [(1, 0, 0, [], [(0, 65535)])], None),
                ([instant] * 65536, [(1, 0, 0, [], [(0, 1)])], "payload-value")):
            made = w.EventsPayload(symbols, segments)
            self.assertEqual(reason_of(w.EVENTS, made.payload()), reason)


if __name__ == "__main__":
    unittest.main()
