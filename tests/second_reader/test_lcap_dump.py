#!/usr/bin/python3
"""Tests the second reader on right captures: the expected dumps were worked out by hand."""

import os
import subprocess
import sys
import tempfile
import unittest

import zstandard

import capture_writer as w
from capture_walk import NotReadable
from lcap_dump import dump

HERE = os.path.dirname(os.path.abspath(__file__))


def dump_of(data):
    """(whether it is whole, lines) of a capture."""
    lines = []
    whole = dump(data, lambda line: lines.append(line.rstrip("\n")))
    return whole, lines


def lines_of_payload(kind, payload, *before, **fields):
    """The lines of one block's records, behind blocks of (kind, payload)."""
    _, lines = dump_of(w.capture(*before, (kind, payload, fields)))
    last = max(index for index, line in enumerate(lines) if line.startswith("block "))
    return lines[last + 1 : -1]


# The clock of step 21 and offset 4: step n is tick 4 + 21 n.
CLOCK = w.clock(step=21, offset=4, reason=b"ok")

EVENT_SYMBOLS = [
    (w.BEGIN, 1, 0, 1), (w.INSTANT, 2, 0), (w.FLOW_OUT, 0, 1), (w.FLOW_IN, 1, 1), (w.COUNT, 1, 0),
    (w.GAUGE, 2, 0), (w.TRACK_SWITCH, 0, 0)]
EVENT_SEGMENTS = [
    (7, 0, 10, [], [(10, 1), (15, 2), (115, 3, 0xDEAD), (115, 4, 0xDEAD), (116, 5, 3), (117, 5, -2),
                    (119, 6, 1.5), (120, 7, 8), (122, 7, 0), (125, 0)]),
    (8, 5, 12, [(1, 2, 4), (1, 11, 0)], [(12, 0), (13, 3, 1)]),
    (9, 0, 20, [(1, 20, 0)], [])]

# The same block, put together by hand from section 2.8 of the page.
EVENTS_BY_HAND = bytes.fromhex(
    "01000000 0c000000 03000000 03000000 07000000 02000000"  # clock, 12 events, 3, 3, 7, 2 groups
    "2a00000000000000 0a00000000000000 7d00000000000000"  # first 42, steps 10 to 125
    "ff000000 00000000"  # all eight kinds
    "0f000000 0f000000 0700 0a00 00 0805 0202 02 0900 0001 0a"  # segments
    "09000000 09000000 010a04 010100 010000"  # open scopes
    "16000000 16000000 01010001 020200 030001 040101 050100 060200 070000"  # symbols
    "0c000000 0c000000 01020304050506070700 0003"  # events
    # 57005 doubled is 114010; 3 is 6; -2 - 3 = -5 is 9; 8 is 16; 0 - 8 is 15;
    # 1 - 57005 = -57004 is 114007
    "0d000000 0d000000 dafa06 dafa06 06 09 10 0f d7fa06"
    "08000000 08000000 000000000000f83f"  # 1.5
    "06000000 06000000 05 01 01 02 01 02"  # group 0: every step but those of group 1
    "04000000 04000000 44 00 03 01"  # group 1: 100 = (8 + 4 << 3) + 4; flow-in, an end, flow-out
    "01000000 01000000 04")  # the three bits of 100

EVENT_LINES = """\
events clock 1 first 42 count 12 segments 3 symbols 7 groups 2 from 214 to 2629
segment track 7 before 0 count 10 open 0 start 214
214 begin site 1
319 instant site 2
2419 flow-out site 0 value 000000000000dead
2419 flow-in site 1 value 000000000000dead
2440 count site 1 value 3
2461 count site 1 value -2
2503 gauge site 2 value 3ff8000000000000
2524 track-switch value 8
2566 track-switch value 0
2629 end
segment track 8 before 5 count 2 open 2 start 256
open site 1 begin 46 children 84
open site 1 begin 235 children 0
256 end
277 flow-out site 0 value 0000000000000001
segment track 9 before 0 count 0 open 1 start 424
open site 1 begin 424 children 0"""

STRINGS = w.strings((1, b"Step"), (2, b"a.c"), (3, b"Sim"))

# Every kind of block. Offsets: each is the one before, plus 40, plus the stored size.
FULL_BLOCKS = (
    (w.SESSION, w.session(start=100, process=77, unix_ns=-5, sources=3,
                          facts=[(b"program", b"arena"), (b"os", b'D"\\\x01 \x7f\xff')])),
    (w.CLOCK, CLOCK),
    (w.STRINGS, w.zstd_frame(STRINGS), {"flags": 1, "raw_size": 42}),
    (w.CATEGORIES, w.categories((1, 3, 0x0AFF80, 0), (2, 9, 0xFFFFFFFF, 1))),
    (w.SITES, w.sites((1, 1, 2, 0, 12, 1), (2, 3, 0, 9, 0, 0), (3, 9, 2, 1, 4294967295, 0))),
    (w.TRACKS, w.tracks((7, 1, 4242, 100, 0, 0, 0), (8, 3, 0, 5, 6, 1, 0), clock=1)),
    (w.CALIBRATIONS, w.calibrations((1, -9, 10, 0), (22, 8, 4294967295, 0), clock=1)),
    (w.DOMAINS, w.domains((4, 3))),
    (w.WINDOW, w.window(begin=2**64 - 1)),
    (w.FRAMES, w.frames((4, 7, 1, 400), (4, 0, 0, 300), clock=1)),
    (w.LOSSES, w.losses((0, 5, 1, 2, 3, 4, 5, 6, 6), clock=1)),
    (w.DIAGNOSTICS, w.diagnostics((1, 7, 8, 9, b"x\n", 0), (77, 0, 0, 1, b"", 0), clock=1)),
    (w.EVENTS, EVENTS_BY_HAND),
    (99, b"???", {"version": 9}),
    (w.SCHED, w.sched((7, 1, 4, 25, 6, 2**64 - 1), (0, 64, 0, 2**64 - 1, 0, 9), clock=1)),
    (w.TRIGGERS, w.triggers((1, 4, 400, 7, 300, 250, b"", 0),
                            (99, 0, 2**64 - 1, 0, 0, 0, b"why\n", 0), clock=1)),
    (w.REPAIR, w.repair(capture=2**64 - 2, places=3, size=4, tail=5, flags=1)),
    (w.LOST, w.lost((7, 0, 6, -5, 9), (0, 0, 0, -2**63, 2**63 - 1))),
    (w.END, w.end(tick=3000, counts=tuple(range(1, 11)))),
    (w.INDEX, w.index(*((offset, kind, 0, 0, 0, 0, 0) for offset, kind in (
        (32, 1), (141, 2), (223, 4), (314, 5), (394, 6), (514, 7), (642, 3), (738, 9), (794, 41),
        (850, 10), (946, 11), (1058, 12))), (1172, 8, 12, 10, 125, 1, 0), *(
            (offset, kind, 0, 0, 0, 0, 0) for offset, kind in (
                (1430, 99), (1473, 40), (1601, 42), (1749, 43), (1829, 44), (1941, 13))), previous=7)),
)

FULL_DUMP = r"""file version 1.0 capture 0123456789abcdef
block 0 session offset 32 stored 69 raw 69
session start 100 clock 1 process 77 unix_ns -5 sources 3
fact "program" "arena"
fact "os" "D\x22\x5c\x01 \x7f\xff"
block 1 clock offset 141 stored 42 raw 42
clock 1 source tsc ticks_per_second 3000000000 step 21 offset 4 reason "ok"
block 2 strings offset 223 stored 51 raw 42
string 1 "Step"
string 2 "a.c"
string 3 "Sim"
block 3 categories offset 314 stored 40 raw 40
category 1 name "Sim" colour #0aff80 flags 0
category 2 name ? colour - flags 1
block 4 sites offset 394 stored 80 raw 80
site 1 name "Step" file "a.c" function - line 12 category 1 identity 4711ab9a63c424c9
site 2 name "Sim" file - function ? line 0 category 0 identity 0fc10532ef5d2154
site 3 name ? file "a.c" function "Step" line 4294967295 category 0 identity ?
block 5 tracks offset 514 stored 88 raw 88
track 7 kind thread os_id 4242 begin 100 end 0 name -
track 8 kind gpu-queue os_id 0 begin 5 end 6 name "Step"
block 6 calibrations offset 642 stored 56 raw 56
calibration clock 1 tick 1 ns -9 uncertainty_ns 10
calibration clock 1 tick 22 ns 8 uncertainty_ns 4294967295
block 7 domains offset 738 stored 16 raw 16
domain 4 name "Sim"
block 8 window offset 794 stored 16 raw 16
window from 18446744073709551615 clock 1
block 9 frames offset 850 stored 56 raw 56
frame domain 4 track 7 ordinal 1 tick 400
frame domain 4 track 0 ordinal 0 tick 300
block 10 losses offset 946 stored 72 raw 72
loss track 0 cause frame-marks-full scopes 1 instants 2 frames 3 flows 4 gauges 5 from 6 to 6
block 11 diagnostics offset 1058 stored 74 raw 74
diagnostic wrong-thread track 7 tick 8 count 9 text "x\x0a"
diagnostic 77 track 0 tick 0 count 1 text ""
block 12 events offset 1172 stored 218 raw 218
""" + EVENT_LINES + """
skipped 13 kind 99 version 9 offset 1430 stored 3
block 14 sched offset 1473 stored 88 raw 88
sched track 7 processors 1 from 4 to 25 run_ns 6 wait_ns 18446744073709551615
sched track 0 processors 64 from 0 to 18446744073709551615 run_ns 0 wait_ns 9
block 15 triggers offset 1601 stored 108 raw 108
trigger frame tick 400 domain 4 frame 7 duration 300 limit 250 text ""
trigger 99 tick 18446744073709551615 domain 0 frame 0 duration 0 limit 0 text "why\\x0a"
block 16 repair offset 1749 stored 40 raw 40
repair of fffffffffffffffe places 3 bytes 4 tail 5 flags 1
block 17 lost offset 1829 stored 72 raw 72
lost track 7 events 6 from_ns -5 to_ns 9
lost track 0 events 0 from_ns -9223372036854775808 to_ns 9223372036854775807
block 18 end offset 1941 stored 96 raw 96
end stopped tick 3000 clock 1 scopes 1 instants 2 frames 3 flows 4 gauges 5 dropped \
scopes 6 instants 7 frames 8 flows 9 gauges 10
block 19 index offset 2077 stored 776 raw 776
index previous 7
entry offset 32 kind session events 0 from 0 to 0 clock 0
entry offset 141 kind clock events 0 from 0 to 0 clock 0
entry offset 223 kind strings events 0 from 0 to 0 clock 0
entry offset 314 kind categories events 0 from 0 to 0 clock 0
entry offset 394 kind sites events 0 from 0 to 0 clock 0
entry offset 514 kind tracks events 0 from 0 to 0 clock 0
entry offset 642 kind calibrations events 0 from 0 to 0 clock 0
entry offset 738 kind domains events 0 from 0 to 0 clock 0
entry offset 794 kind window events 0 from 0 to 0 clock 0
entry offset 850 kind frames events 0 from 0 to 0 clock 0
entry offset 946 kind losses events 0 from 0 to 0 clock 0
entry offset 1058 kind diagnostics events 0 from 0 to 0 clock 0
entry offset 1172 kind events events 12 from 10 to 125 clock 1
entry offset 1430 kind 99 events 0 from 0 to 0 clock 0
entry offset 1473 kind sched events 0 from 0 to 0 clock 0
entry offset 1601 kind triggers events 0 from 0 to 0 clock 0
entry offset 1749 kind repair events 0 from 0 to 0 clock 0
entry offset 1829 kind lost events 0 from 0 to 0 clock 0
entry offset 1941 kind end events 0 from 0 to 0 clock 0
finished size 2917"""


class WholeCapture(unittest.TestCase):
    maxDiff = None

    def test_every_kind_of_block_is_dumped(self):
        whole, lines = dump_of(w.capture(*FULL_BLOCKS))
        self.assertEqual(lines, FULL_DUMP.split("\n"))
        self.assertTrue(whole)

    def test_writer_makes_the_events_block_that_was_made_by_hand(self):
        made = w.EventsPayload(EVENT_SYMBOLS, EVENT_SEGMENTS, group_count=2, first_event=42)
        self.assertEqual(made.payload().hex(), EVENTS_BY_HAND.hex())

    def test_greater_minor_version_and_empty_file_are_read(self):
        data = w.file_header(minor=3) + w.trailer(0)
        self.assertEqual(dump_of(data), (True, ["file version 1.3 capture 0123456789abcdef",
                                                "finished size 56"]))

    def test_blocks_of_unknown_kinds_and_versions_are_skipped_without_decompression(self):
        data = w.capture((15, b"not zstd", {"flags": 1, "raw_size": 4194304}),
                         (w.STRINGS, b"", {"version": 2}))
        self.assertEqual(dump_of(data)[1][1:], [
            "skipped 0 kind 15 version 1 offset 32 stored 8",
            "skipped 1 kind 4 version 2 offset 80 stored 0",
            "finished size 144"])
        self.assertTrue(dump_of(data)[0])

    def test_a_payload_may_have_4_mebibytes(self):
        self.assertEqual(dump_of(w.capture((15, bytes(4194304))))[1][1],
                         "skipped 0 kind 15 version 1 offset 32 stored 4194304")

    def test_numbers_without_a_name_are_shown_as_numbers(self):
        self.assertEqual(lines_of_payload(w.LOSSES, w.losses((1, 6, 0, 0, 0, 0, 0, 0, 9), clock=1)),
                         ["loss track 1 cause 6 scopes 0 instants 0 frames 0 flows 0 gauges 0 from 0 to 9"])
        self.assertIn("diagnostic 999 ", lines_of_payload(
            w.DIAGNOSTICS, w.diagnostics((999, 0, 0, 0, b"", 0), clock=1))[0])
        self.assertIn(" kind 37 ", lines_of_payload(w.INDEX, w.index((32, 37, 0, 0, 0, 0, 0)))[1])

    def test_promises_of_the_writer_are_not_checked(self):
        for kind, payload in (
                (w.SESSION, w.session(facts=[(b"os", b""), (b"os", b"a")])),
                (w.STRINGS, w.strings((1, b"a"), (1, b"b"))),
                (w.SITES, w.sites((1, 1, 0, 0, 0, 0), (1, 1, 0, 0, 1, 0))),
                (w.TRACKS, w.tracks((1, 2, 5, 9, 8, 0, 0), clock=1)),
                (w.FRAMES, w.frames((1, 0, 3, 0), (1, 0, 3, 1), clock=1)),
                (w.INDEX, w.index((72, 1, 1, 2, 3, 4, 0), (32, 8, 0, 9, 1, 0, 0)))):
            with self.subTest(kind=kind):
                self.assertTrue(lines_of_payload(kind, payload))

    def test_the_first_definition_of_a_string_counts_also_within_its_block(self):
        lines = lines_of_payload(w.DOMAINS, w.domains((1, 1)),
                                 (w.STRINGS, w.strings((1, b"first"), (1, b"second"))))
        self.assertEqual(lines, ['domain 1 name "first"'])

    def test_colours(self):
        payload = w.categories((1, 1, 0, 0), (2, 1, 0xFFFFFF, 0))
        self.assertEqual(lines_of_payload(w.CATEGORIES, payload), [
            "category 1 name ? colour #000000 flags 0", "category 2 name ? colour #ffffff flags 0"])

    def test_later_definitions_have_no_effect(self):
        lines = lines_of_payload(
            w.DOMAINS, w.domains((1, 1)), (w.STRINGS, w.strings((1, b"first"))),
            (w.STRINGS, w.strings((1, b"second"))))
        self.assertEqual(lines, ['domain 1 name "first"'])

    def test_a_name_defined_later_is_not_known_yet(self):
        _, lines = dump_of(w.capture((w.DOMAINS, w.domains((1, 1))),
                                     (w.STRINGS, w.strings((1, b"late")))))
        self.assertIn("domain 1 name ?", lines)


class Events(unittest.TestCase):
    def lines(self, made, **clock):
        lines = lines_of_payload(w.EVENTS, made.payload(), (w.CLOCK, w.clock(**clock)))
        self.assertTrue(lines, "the block is damaged")
        return lines

    def test_symbols_take_two_bytes_from_256_on(self):
        symbols = [(w.INSTANT, 1000 + number, 0) for number in range(256)]
        made = w.EventsPayload(symbols, [(1, 0, 0, [], [(0, 1), (1, 255), (2, 256)])])
        self.assertEqual(made.columns[3], bytes.fromhex("01ff00 000001"))
        self.assertEqual(self.lines(made)[2:], [
            "0 instant site 1000", "1 instant site 1254", "2 instant site 1255"])

    def test_symbols_take_one_byte_up_to_255(self):
        symbols = [(w.INSTANT, 1000 + number, 0) for number in range(255)]
        made = w.EventsPayload(symbols, [(1, 0, 5, [], [(5, 255)])])
        self.assertEqual(self.lines(made)[2:], ["5 instant site 1254"])

    def test_every_token_yields_the_first_and_the_last_of_its_range(self):
        cases = (
            ("3f", "", 63), ("40", "00", 64), ("40", "07", 71), ("47", "00", 120),
            ("47", "07", 127), ("48", "00", 128), ("48", "0f", 143), ("f7", "00000000", 15 << 25),
            ("f7", "ffffff01", (16 << 25) - 1), ("ff", "0100000000000000", 1),
            ("ff", "ffffffffffffffff", 2**64 - 1))
        for token, bits, steps in cases:
            with self.subTest(token=token, bits=bits):
                made = w.EventsPayload([(w.INSTANT, 1, 0)], [(1, 0, 0, [], [(0, 1), (steps, 1)])])
                made.columns[6] = bytes.fromhex(token)
                made.columns[7] = bytes.fromhex(bits)
                self.assertEqual(self.lines(made)[3], f"{steps} instant site 1")

    def test_bits_of_several_tokens_are_packed_from_the_least_significant_end(self):
        # 64 + 5 takes 3 bits (101), 128 + 9 takes 4 (1001): 1001101 and a zero bit is 0x4d.
        made = w.EventsPayload([(w.INSTANT, 1, 0)], [(1, 0, 0, [], [(0, 1)] * 3)])
        made.columns[6:] = [bytes.fromhex("4048"), bytes.fromhex("4d")]
        made.head["last_step"] = 206
        self.assertEqual(self.lines(made)[3:], ["69 instant site 1", "206 instant site 1"])

    def test_integers_wrap_around(self):
        values = (2**63 - 1, -(2**63), -1)
        made = w.EventsPayload([(w.COUNT, 1, 0), (w.FLOW_OUT, 1, 0)], [
            (1, 0, 0, [], [(0, 1, value) for value in values] + [(0, 2, 2**64 - 1)])])
        # From 2^63 - 1 to -2^63 is one step up: zigzag 2.
        self.assertEqual(made.columns[4][10:11], b"\x02")
        self.assertEqual([line.split()[-1] for line in self.lines(made)[2:]], [
            "9223372036854775807", "-9223372036854775808", "-1", "ffffffffffffffff"])

    def test_end_takes_the_group_of_the_scope_that_it_closes(self):
        made = w.EventsPayload(
            [(w.BEGIN, 1, 0, 1), (w.BEGIN, 2, 0, 2)],
            [(1, 0, 0, [], [(0, 1), (1, 2), (3, 0), (7, 0)])], group_count=3)
        self.assertEqual(made.columns[6:], [b"\x01", b"\x04", b"\x02", b""])
        self.assertEqual(self.lines(made)[2:], ["0 begin site 1", "1 begin site 2", "3 end", "7 end"])

    def test_columns_may_be_compressed_one_by_one(self):
        made = w.EventsPayload([(w.INSTANT, 1, 0)], [(1, 0, 0, [], [(step, 1) for step in range(99)])])
        for column in (3, 6):
            made.store(column, zstandard.ZstdCompressor().compress(made.columns[column]))
        self.assertEqual(self.lines(made)[2:], [f"{step} instant site 1" for step in range(99)])

    def test_times_reach_the_last_tick(self):
        # Step (2^64 - 1 - 4) / 7 of a clock with step 7 and offset 4 would be 2635249153387078801.57.
        made = w.EventsPayload([(w.INSTANT, 1, 0)],
                               [(1, 0, 2635249153387078801, [], [(2635249153387078801, 1)])])
        self.assertEqual(self.lines(made, step=7, offset=4)[2],
                         "18446744073709551611 instant site 1")

    def test_the_largest_block_is_read(self):
        made = w.EventsPayload([(w.INSTANT, 1, 0)], [(1, 0, 0, [], [(0, 1)] * 65536)])
        self.assertEqual(len(self.lines(made)), 2 + 65536)


class CommandLine(unittest.TestCase):
    def run_on(self, path):
        program = os.path.join(HERE, "lcap_dump.py")
        done = subprocess.run([sys.executable, program, path], capture_output=True, check=False)
        self.assertNotIn(b"Traceback", done.stderr)
        return done

    def run_on_bytes(self, data):
        with tempfile.NamedTemporaryFile(suffix=".lcap") as file:
            file.write(data)
            file.flush()
            return self.run_on(file.name)

    def test_whole_file_ends_with_0(self):
        done = self.run_on_bytes(w.capture(*FULL_BLOCKS))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout.decode("ascii"), FULL_DUMP + "\n")

    def test_unfinished_file_ends_with_1(self):
        done = self.run_on_bytes(w.file_header())
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        self.assertEqual(done.stdout.split(b"\n")[1], b"unfinished offset 32 tail 0 cut")

    def test_what_is_not_a_capture_ends_with_3_and_an_empty_dump(self):
        for data in (b"", b"\x89LCAP\r\n", b"{\"not\": \"a capture\"}" * 9, w.file_header(major=2)):
            with self.subTest(data=data):
                done = self.run_on_bytes(data)
                self.assertEqual((done.returncode, done.stdout), (3, b""))
                self.assertEqual(done.stderr.count(b"\n"), 1)

    def test_missing_file_folder_and_device_end_with_3(self):
        for path in (os.path.join(HERE, "missing.lcap"), HERE, "/dev/null"):
            done = self.run_on(path)
            self.assertEqual((done.returncode, done.stdout), (3, b""))

    def test_closed_output_is_no_traceback(self):
        with tempfile.NamedTemporaryFile() as file, open("/dev/full", "wb") as full:
            file.write(w.capture(*FULL_BLOCKS))
            file.flush()
            done = subprocess.run([sys.executable, os.path.join(HERE, "lcap_dump.py"), file.name],
                                  stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr.count(b"\n"), 1)

    def test_version_is_looked_at_only_when_the_checksum_is_right(self):
        header = bytearray(w.file_header())
        header[8] = 2
        self.assertEqual(dump_of(bytes(header) + w.trailer(0))[1][0],
                         "damage offset 0 size 32 reason file-header")
        with self.assertRaises(NotReadable):
            dump_of(w.file_header(major=2, size=99, flags=1))


if __name__ == "__main__":
    unittest.main()
